#include "interpreter/app/play/companion.hpp"

#include "dsl/text/ascii.hpp"
#include "interpreter/app/play/choices.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace houserule::cli {

namespace {

constexpr std::size_t filled_in_most = 400;  // events in a row that can only come in one way: the deals of a large setup

// Words to be compared: small letters, numbers apart, no signs but `?`.
std::vector<std::string> typed_words(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : plain_form(text) + " ") {
        const bool sign = ascii::is_ascii(c) && !ascii::is_letter(c) && !ascii::is_digit(c) && c != '?';
        if (!sign)
            word += c;
        else if (!word.empty())
            words.push_back(std::exchange(word, ""));
    }
    return words;
}

// Whether the typed words stand in the line, in order; 2: as whole words, 1: as beginnings.
int fits_words(const std::vector<std::string>& typed, const std::vector<std::string>& line) {
    int quality = 2;
    std::size_t at = 0;
    for (const std::string& word : typed) {
        const bool number = ascii::is_digit(word[0]);
        const auto whole = std::find(line.begin() + at, line.end(), word);
        const auto found = whole != line.end() || number
                               ? whole
                               : std::find_if(line.begin() + at, line.end(), [&](const std::string& w) { return w.starts_with(word); });
        if (found == line.end()) return 0;
        if (*found != word) quality = 1;
        at = static_cast<std::size_t>(found - line.begin()) + 1;
    }
    return typed.empty() ? 0 : quality;
}

std::vector<std::string> parts_of(std::string text) {
    for (std::size_t at = 0; (at = text.find("、", at)) != std::string::npos;) text.replace(at, std::string_view("、").size(), ",");
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

}  // namespace

Companion::Companion(std::shared_ptr<const Machine> machine, int seat) : machine_(std::move(machine)), seat_(seat) {
    go_back(0);
    fill_in();
}

std::string Companion::text() const { return view_text(*machine_, head_of(*machine_, std::nullopt), events_, seat_); }

// All of them, or none.
bool Companion::add(const Events& events) {
    const std::size_t before = events_.size();
    if (!blind_) {
        const Fit fit = deduction_->see(events);
        if (fit == Fit::impossible) return go_back(before), false;
        blind_ = fit == Fit::unknown;
    }
    events_.insert(events_.end(), events.begin(), events.end());
    return true;
}

void Companion::go_back(std::size_t events) {
    events_.resize(events);
    deduction_ = std::make_unique<Deduction>(machine_, seat_);
    // Up to the present even when there was nothing: what the rules do before anything is noticed.
    blind_ = deduction_->see(events_) != Fit::fits;
}

void Companion::fill_in() {
    next_ = {};
    for (std::size_t n = 0; !blind_ && n < filled_in_most; ++n) {
        next_ = next_events(*deduction_, events_.size(), random_);
        if (!next_.only_one() || !add({next_.events.front().event})) return;
        next_ = {};
    }
}

bool Companion::resume(const View& view) {
    go_back(0);
    const bool fits = add_readings(view);
    for (std::size_t i = 0; fits && i < view.lines.size(); ++i)
        if (i == 0 || view.lines[i].begin != view.lines[i - 1].begin) typed_.push_back(i);
    fill_in();
    return fits;
}

std::vector<std::string> Companion::lines(std::size_t first, const std::string& language) const {
    std::vector<std::string> all;
    for (std::size_t i = first; i < events_.size();) {
        Event e = events_[i++];
        const auto same = [&](const Event& next) {
            return next.kind == EventKind::draw && e.kind == EventKind::draw && next.from == e.from && next.to == e.to;
        };
        for (; i < events_.size() && same(events_[i]); ++i)
            e.pieces.insert(e.pieces.end(), events_[i].pieces.begin(), events_[i].pieces.end());
        all.push_back(line(e, language));
    }
    return all;
}

bool Companion::undo() {
    if (typed_.empty()) return false;
    go_back(typed_.back());
    typed_.pop_back();
    // What had been filled in before that line is there still: only what can come next is looked up.
    next_ = blind_ ? NextEvents{} : next_events(*deduction_, events_.size(), random_);
    return true;
}

std::optional<View> Companion::read(const std::string& line, Diagnostics& diagnostics) const {
    Sources sources{Source("typed", view_text(*machine_, head_of(*machine_, std::nullopt), {}, seat_) + line + "\n")};
    const auto head = read_head(sources, 0, diagnostics);
    if (!head) return std::nullopt;
    return read_view(sources, 0, *head, *machine_, diagnostics);
}

// Each event in the first of its readings that fits; all of them, or none.
bool Companion::add_readings(const View& view) {
    if (add(view.events)) return true;
    const std::size_t before = events_.size();
    for (std::size_t i = 0; i < view.events.size(); ++i) {
        bool fits = add({view.events[i]});
        for (std::size_t other = 0; !fits && other < view.others[i].size(); ++other) fits = add({view.others[i][other]});
        if (!fits) return go_back(before), false;
    }
    return true;
}

// Whether the events are the first of those that were filled in after the line typed last.
bool Companion::is_filled_in(const View& view) const {
    if (view.events.empty()) return false;
    for (std::size_t begin = typed_.empty() ? 0 : typed_.back() + 1; begin + view.events.size() <= events_.size(); ++begin) {
        bool same = true;
        for (std::size_t i = 0; same && i < view.events.size(); ++i) same = can_mean(view, i, events_[begin + i]);
        if (same) return true;
    }
    return false;
}

std::vector<std::size_t> Companion::shortened(const std::string& text) const {
    std::set<std::string> languages{""};
    for (const NamedText& l : machine_->game.labels) languages.insert(l.language);
    const std::vector<std::string> typed = typed_words(text);
    std::vector<std::size_t> found;
    int best = 1;
    for (std::size_t i = 0; i < next_.events.size(); ++i) {
        int quality = 0;
        for (const std::string& l : languages) quality = std::max(quality, fits_words(typed, typed_words(line(next_.events[i].event, l))));
        if (quality > best) found.clear();
        if (quality >= best && quality > 0) found.push_back(i);
        best = std::max(best, quality);
    }
    return found;
}

// Part by part, each one event.
Typing Companion::type_short(const std::string& text) {
    const std::size_t before = events_.size();
    const NextEvents next = next_;
    for (const std::string& part : parts_of(text)) {
        const std::vector<std::size_t> found = shortened(part);
        if (found.size() == 1 && add({next_.events[found.front()].event})) {
            fill_in();
            continue;
        }
        Typing refused{found.empty() ? Typing::not_read : Typing::several, {}};
        for (const std::size_t i : found) refused.lines.push_back(line(next_.events[i].event));
        if (events_.size() != before) go_back(before);
        next_ = next;
        return refused;
    }
    typed_.push_back(before);
    return {};
}

Typing Companion::type(const std::string& text, Language language) {
    Diagnostics diagnostics;
    const auto view = read(text, diagnostics);
    const std::size_t before = events_.size();
    if (view && !view->events.empty() && add_readings(*view)) {
        typed_.push_back(before);
        fill_in();
        return {};
    }
    if (view && is_filled_in(*view)) return {Typing::known, {}};
    Typing typing = type_short(text);
    if (typing.what != Typing::not_read) return typing;
    if (view && !view->events.empty()) return {Typing::does_not_fit, {}};
    for (const Diagnostic& d : diagnostics) typing.lines.push_back(message(d, language));
    return typing;
}

Typing Companion::choose(std::size_t i) {
    const std::size_t before = events_.size();
    if (i >= next_.events.size() || !add({next_.events[i].event})) return {Typing::does_not_fit, {}};
    typed_.push_back(before);
    fill_in();
    return {};
}

}  // namespace houserule::cli
