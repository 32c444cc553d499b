#include "interpreter/app/companion/companion.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t filled_in_most = 400;  // events in a row that can only come in one way: the deals of a large setup
constexpr std::size_t ways_tried = 6;        // from place to place
constexpr std::size_t places_tried = 6;      // from the last event that was filled in
constexpr std::size_t implied_most = 8;      // events that are taken for granted before one that is typed
constexpr std::size_t shown_least = 3;       // cards that may be a hand which somebody shows
constexpr std::size_t tried_most = 8;        // readings that are tried before all are taken for possible

Events events_of(const NextEvents& next) {
    Events events;
    for (const NextEvent& n : next.events) events.push_back(n.event);
    return events;
}

// The calls, or all else.
Events events_of(const NextEvents& next, bool calls) {
    Events events = events_of(next);
    std::erase_if(events, [&](const Event& e) { return (e.kind == EventKind::acts) != calls; });
    return events;
}

// Whether there is something in it that had to be seen or heard.
bool tells_something(const Event& e) {
    const bool told = e.kind == EventKind::report || e.kind == EventKind::lot || e.kind == EventKind::becomes;
    return told || (e.faces != 0 && !(e.pieces.empty() && e.values.empty()));
}

// `b11` as b1 and b1.
std::vector<std::string> one_by_one(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        const std::size_t digits = word.find_last_not_of("0123456789") + 1;
        if (digits == 0 || digits + 1 >= word.size()) all.push_back(word);
        for (std::size_t i = digits; digits > 0 && digits + 1 < word.size() && i < word.size(); ++i)
            all.push_back(word.substr(0, digits) + word[i]);
    }
    return all;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

// The text before word `n`, and from there on.
std::vector<std::string> in_two(const std::vector<std::string>& words, std::size_t n) {
    const auto middle = words.begin() + n;
    return {fmt::format("{}", fmt::join(words.begin(), middle, " ")), fmt::format("{}", fmt::join(middle, words.end(), " "))};
}

// As they were typed; of a view that somebody else wrote, or wrote on in, a line for each of its own.
std::vector<Companion::Line> lines_of(const View& view, const Events& events) {
    std::vector<Companion::Line> lines;
    const auto& typed = view.head.typed;
    if (!typed.empty() && view.head.typed_of == events.size()) {
        for (const auto& [begin, end] : typed) lines.push_back({begin, Events(events.begin() + begin, events.begin() + end), ""});
        return lines;
    }
    for (std::size_t i = 0; i < view.lines.size(); ++i) {
        const bool goes_on = i > 0 && view.lines[i].begin == view.lines[i - 1].begin;
        if (!goes_on) lines.push_back({i, {}, ""});
        lines.back().told.push_back(events[i]);
    }
    return lines;
}

bool is_no(const Event& e) { return e.optional_no || (e.kind == EventKind::answer && e.value == 0); }

}  // namespace

Companion::Companion(std::shared_ptr<const Machine> machine, int seat)
    : machine_(std::move(machine)), seat_(seat), words_(*machine_, seat_) {
    go_back(0);
    fill_in();
}

std::string Companion::text() const {
    LogHead head = head_of(*machine_, std::nullopt);
    head.names = names;
    head.file = file;
    head.so_far = silent_after_ != events_.size();
    for (const Line& line : typed_)
        if (!line.told.empty()) head.typed.emplace_back(line.before, line.before + line.told.size());
    head.typed_of = events_.size();
    return view_text(*machine_, head, events_, seat_);
}

// All of them, or none.
bool Companion::add(const Events& events) {
    const std::size_t before = events_.size();
    if (!blind_) {
        const Fit fit = deduction_->see(events, Told::so_far);
        if (fit == Fit::impossible) return go_back(before), false;
        blind_ = fit == Fit::unknown;
    }
    events_.insert(events_.end(), events.begin(), events.end());
    return true;
}

bool Companion::fits(const Events& events) const {
    Events all = events_;
    all.insert(all.end(), events.begin(), events.end());
    return blind_ || Deduction(machine_, seat_).see(all, Told::so_far) != Fit::impossible;
}

void Companion::go_back(std::size_t events) {
    events_.resize(events);
    deduction_ = std::make_unique<Deduction>(machine_, seat_);
    // Up to the present even when there was nothing: what the rules do before anything is noticed.
    blind_ = deduction_->see(events_, silent_after_ == events ? Told::up_to_question : Told::so_far) != Fit::fits;
}

// The same at the same point of the game, so that what is listed keeps its order.
void Companion::look_ahead() {
    Random random(events_.size() + 1);
    next_ = blind_ ? NextEvents{} : next_events(*deduction_, events_.size(), random);
    Events all = ever_;
    for (Event& e : events_of(next_)) all.push_back(std::move(e));
    ever_.clear();
    for (const Form& form : forms_of(all)) ever_.push_back(form.like);
}

void Companion::fill_in() {
    next_ = {};
    for (std::size_t n = 0; !blind_ && n < filled_in_most; ++n) {
        look_ahead();
        if (!next_.only_one() || !add({next_.events.front().event})) return;
        next_ = {};
    }
}

bool Companion::resume(const View& view) {
    go_back(0);
    const bool fits = add_readings(view);
    if (fits && !view.head.so_far) nothing_more();
    if (fits) typed_ = lines_of(view, events_);
    fill_in();
    return fits;
}

// Whether the one and the other are of a kind that tables do at once: the same with cards of other people.
bool Companion::alike(const Events& a, const Events& b) const {
    const auto zone = [&](PlaceId place) { return place == no_id ? ZoneId(no_id) : machine_->place_zone[place]; };
    const auto like = [&](const Event& e) {
        const Event& first = a.front();
        const bool cards = e.kind == EventKind::move || e.kind == EventKind::shows;
        return cards && e.kind == first.kind && zone(e.from) == zone(first.from) && zone(e.to) == zone(first.to);
    };
    return !a.empty() && std::ranges::all_of(a, like) && std::ranges::all_of(b, like);
}

// Before the lines of its kind that were typed last: in which order people do it at a table may not be that of the rules.
bool Companion::take_among(const Events& events) {
    for (std::size_t i = typed_.size(); i-- > 0 && alike(events, typed_[i].told);) {
        std::vector<Line> lines{{0, events, ""}};
        lines.insert(lines.end(), typed_.begin() + i, typed_.end());
        if (replace(i, lines, Language::en)) continue;
        put_in_ = i;
        return true;
    }
    return false;
}

bool Companion::take(const Events& events) {
    put_in_.reset();
    return take_here(events) || take_among(events);
}

bool Companion::take_here(const Events& events) {
    std::size_t before = events_.size();
    if (!add(events)) {
        const auto place = place_for(events);
        if (!place) return false;
        go_back(*place);
        before = *place;
        if (!add(events)) return false;
    }
    typed_.push_back({before, events, ""});
    fill_in();
    return true;
}

// Where among the events that were filled in after the line typed last these fit, the last such place: what was filled in after it gives
// way. That something is filled in because nothing else was met does not make it the only thing that can come.
std::optional<std::size_t> Companion::place_for(const Events& events) const {
    const std::size_t from = filled_in_from();
    for (std::size_t at = events_.size() + 1; !blind_ && at-- > from && at + places_tried > events_.size();) {
        Events all(events_.begin(), events_.begin() + at);
        all.insert(all.end(), events.begin(), events.end());
        if (Deduction(machine_, seat_).see(all, Told::so_far) == Fit::fits) return at;
    }
    return std::nullopt;
}

// Cards that go from one place of a player to another where they are seen, an event for each way.
Events Companion::moves_of_players() const {
    Events events;
    const Game& game = machine_->game;
    const auto of_players = [](const Zone& zone) { return zone.by == IndexBy::player; };
    for (const Zone& from : game.zones)
        for (const Zone& to : game.zones)
            for (std::int32_t p = 0; p < game.players && of_players(from) && of_players(to) && &from != &to; ++p) {
                Event e;
                e.kind = EventKind::move;
                e.from = from.first_place + p;
                e.to = to.first_place + p;
                e.pieces = {0};
                e.audience = e.faces = seat_bit(seat_);
                if ((seers_of(*machine_, e.to) & seat_bit(seat_)) != 0) events.push_back(std::move(e));
            }
    return events;
}

// Cards that somebody shows to all, an event for each place of theirs.
Events Companion::shows_of_players() const {
    Events events;
    const Game& game = machine_->game;
    for (const Zone& zone : game.zones)
        for (std::int32_t p = 0; p < game.players && zone.by == IndexBy::player && zone.seers != Seers::all; ++p) {
            Event e;
            e.kind = EventKind::shows;
            e.from = zone.first_place + p;
            e.pieces = {0};
            e.value = (1 << game.players) - 1;
            e.audience = e.faces = seat_bit(seat_);
            events.push_back(std::move(e));
        }
    return events;
}

// What somebody says, an event for each word and each player: of what rarely happens no sample may have met it.
Events Companion::words_of_players() const {
    Events events;
    const Game& game = machine_->game;
    for (std::int32_t word = 0; std::cmp_less(word, game.words.size()); ++word)
        for (std::int32_t p = 0; p < game.players; ++p) {
            Event e;
            e.kind = EventKind::says;
            e.seat = p;
            e.name = Operand(word);
            e.audience = seat_bit(seat_);
            events.push_back(std::move(e));
        }
    return events;
}

// What can have come between the events that were filled in, or follows without anybody being asked.
Typing Companion::type_in_between(const std::string& text, const Typing& refused) {
    Typing typing{Typing::several, {}, {}, {}};
    int cost = 0;
    std::size_t tried = 0;
    // One card or two are rarely a whole hand; many are rather shown than moved.
    std::vector<Reading> readings = words_.readings(text, forms_of(shows_of_players()));
    std::erase_if(readings, [](const Reading& r) { return r.events.front().pieces.size() < shown_least; });
    for (const Events& more : {moves_of_players(), words_of_players()})
        for (Reading& r : words_.readings(text, forms_of(more))) readings.push_back(std::move(r));
    std::ranges::stable_sort(readings, {}, &Reading::cost);
    std::erase_if(readings, [](const Reading& r) { return !r.names_seat; });
    if (!are_of_one(readings)) return refused;
    for (const Reading& r : readings) {
        if (tried == ways_tried || (!typing.fitting.empty() && r.cost > cost)) break;
        if (++tried, !place_for(r.events)) continue;
        cost = r.cost;
        typing.fitting.push_back(r.events);
    }
    if (typing.fitting.size() == 1)
        return {take(typing.fitting.front()) ? Typing::kept : Typing::does_not_fit, {}, typing.fitting.front(), {}};
    return typing.fitting.empty() ? refused : typing;
}

bool Companion::nothing_more() {
    if (blind_ || !deduction_->may_be_told_more()) return false;
    silent_after_ = events_.size();
    go_back(events_.size());
    fill_in();
    return true;
}

bool Companion::undo_nothing_more() {
    if (silent_after_ != events_.size()) return false;
    silent_after_.reset();
    go_back(events_.size());
    look_ahead();
    return true;
}

bool Companion::undo() {
    if (typed_.empty()) return false;
    go_back(typed_.back().before);
    typed_.pop_back();
    // What had been filled in before that line is there still: only what can come next is looked up.
    look_ahead();
    return true;
}

std::optional<Companion::Clash> Companion::replace(std::size_t first, const std::vector<Line>& lines, Language language) {
    const Events events = events_;
    const std::vector<Line> typed = typed_;
    if (first < typed_.size()) go_back(typed_[first].before);
    typed_.resize(std::min(first, typed_.size()));
    fill_in();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Typing typing{Typing::does_not_fit, {}, lines[i].told, {}};
        if (!lines[i].text.empty())
            typing = type(lines[i].text, language);
        else if (is_filled_in(lines[i].told) || take_here(lines[i].told))
            typing.what = Typing::kept;
        // Of several, the one that tells other cards or values of what stood there.
        if (typing.what == Typing::several) {
            std::vector<Events> alike = typing.fitting;
            std::erase_if(alike, [&](const Events& fitting) { return !are_of_one_form(fitting, lines[i].told); });
            if (alike.size() == 1 && take_here(alike.front())) continue;
        }
        if (typing.what == Typing::kept || typing.what == Typing::known) continue;
        events_ = events;
        typed_ = typed;
        go_back(events_.size());
        look_ahead();
        return Clash{first + i, std::move(typing)};
    }
    return std::nullopt;
}

std::size_t Companion::filled_in_from() const { return typed_.empty() ? 0 : typed_.back().before + typed_.back().told.size(); }

void Companion::join_lines(std::size_t lines, std::size_t before) {
    const Events told(events_.begin() + before, events_.begin() + filled_in_from());
    typed_.resize(lines);
    typed_.push_back({before, told, ""});
}

std::size_t Companion::line_of(std::size_t i) const {
    std::size_t line = 0;
    while (line < typed_.size() && typed_[line].before <= i) ++line;
    return line;
}

std::vector<Event> Companion::next_in_turn() const {
    Events events = events_of(next_, false);
    // Who does nothing comes first.
    const std::optional<Event> first = usual();
    std::ranges::stable_partition(events, [&](const Event& e) { return e == first; });
    return events;
}

std::vector<Event> Companion::next_at_any_time() const { return events_of(next_, true); }

std::optional<Event> Companion::usual() const {
    Events events = events_of(next_, false);
    const auto no = std::ranges::find_if(events, is_no);
    if (no != events.end()) return std::find_if(no + 1, events.end(), is_no) == events.end() ? std::optional(*no) : std::nullopt;
    if (events.size() == 1) return events.front();
    // What somebody says who cannot do what the rules oblige them to is usual only where most cannot.
    const auto is_rare = [&](const Event& e) {
        const auto met = std::ranges::find(next_.events, e, &NextEvent::event);
        return met != next_.events.end() && 2 * met->histories < next_.histories;
    };
    std::optional<Event> usual;
    for (const Form& form : forms_of(events)) {
        if (form.met.size() != 1 || tells_something(form.like) || is_rare(form.like)) continue;
        if (usual) return std::nullopt;
        usual = form.like;
    }
    return usual;
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

// Whether the events are among those that were filled in after the line typed last.
bool Companion::is_filled_in(const Events& events) const {
    if (events.empty()) return false;
    const std::size_t from = filled_in_from();
    if (from > events_.size()) return false;
    return std::search(events_.begin() + from, events_.end(), events.begin(), events.end()) != events_.end();
}

// The reading that is possible, of those with the fewest shortened names of which one is.
Typing Companion::one_of(std::vector<Reading> readings) {
    if (readings.empty()) return {Typing::not_read, {}, {}, {}};
    for (std::size_t i = 0; i < readings.size();) {
        Typing typing{Typing::several, {}, {}, {}};
        std::size_t same = i;
        while (same < readings.size() && readings[same].cost == readings[i].cost) ++same;
        for (std::size_t r = i; r < same; ++r) {
            const bool is_one = same - i == 1 && readings[r].exact.empty();
            if (readings[r].met || same - i > tried_most || is_one || fits(readings[r].events))
                typing.fitting.push_back(readings[r].events);
            if (!readings[r].exact.empty() && fits(readings[r].exact)) typing.fitting.push_back(readings[r].exact);
        }
        i = same;
        if (typing.fitting.size() == 1 && take(typing.fitting.front())) return {};
        if (typing.fitting.size() > 1) return typing;
    }
    return {Typing::does_not_fit, {}, readings.front().events, {}};
}

Seats Companion::in_turn() const {
    Seats now = no_seats;
    for (const Event& e : next_in_turn())
        if (const int seat = doer(machine_->game, e); seat >= 0) now |= seat_bit(seat);
    return now;
}

bool Companion::names_others(const std::string& text) const {
    const Seats named = words_.seats_named(text);
    return named != no_seats && (named & in_turn()) == 0;
}

Typing Companion::type_short(const std::string& text) {
    // Where no history was found that could be played on, there is only what could ever come to go by.
    const bool knows_next = !blind_ && (next_.histories > 0 || next_.over);
    std::vector<Reading> readings = words_.readings(text, forms_of(knows_next ? events_of(next_) : ever_));
    if (!knows_next) {
        for (Reading& r : words_.readings_of_others(text, forms_of(ever_))) readings.push_back(std::move(r));
        std::ranges::stable_sort(readings, {}, &Reading::cost);
    }
    // What names somebody whose turn it is not is no shortened name of something else.
    std::vector<Reading> others = words_.readings_of_others(text, forms_of(next_in_turn()));
    // `pat share`, of which it is not said what: that is no short form of words that begin alike.
    const bool is_said = !readings.empty() && readings.front().cost > 0 && readings.front().events.front().kind == EventKind::says;
    if (Events begun; is_said && !(begun = words_.begun(text, forms_of(next_in_turn()))).empty()) {
        Typing typing{Typing::several, {readings.front().events}, {}, {}};
        for (Event& e : begun) typing.fitting.push_back({std::move(e)});
        return typing;
    }
    const auto is_own = [&](const Reading& other) {
        return std::ranges::any_of(readings, [&](const Reading& r) { return r.events == other.events; });
    };
    const Seats now = in_turn();
    const auto is_in_turn = [&](const Reading& r) {
        const int seat = doer(machine_->game, r.events.front());
        return seat >= 0 && (now & seat_bit(seat)) != 0;
    };
    std::erase_if(others, [&](const Reading& r) { return !r.names_seat || is_own(r) || is_in_turn(r); });
    if (!others.empty()) std::erase_if(readings, [&](const Reading& r) { return r.cost > 0 && r.cost >= others.front().cost; });
    const Typing whole = one_of(std::move(readings));
    if (whole.what == Typing::does_not_fit && type_each(text)) return {};
    if (whole.what != Typing::not_read) return whole;
    if (Typing call = type_call(text); call.what != Typing::not_read) return call;
    const Typing parts = type_parts(typed_parts(text));
    if (parts.what != Typing::not_read || others.empty()) return parts;
    // What can come was met in a sample; of others it may be as possible, if rare.
    std::erase_if(others, [&](const Reading& r) { return r.cost > others.front().cost; });
    if (knows_next && others.size() <= tried_most)
        if (Typing rare = one_of(std::move(others)); !rare.is_refused()) return rare;
    return {Typing::out_of_turn, {}, {}, {}};
}

// Whether all readings with the fewest shortened names, which come first, are about the doing of one person.
bool Companion::are_of_one(const std::vector<Reading>& readings) const {
    return std::ranges::all_of(readings, [&](const Reading& r) {
        const auto who = [&](const Reading& of) { return doer(machine_->game, of.events.front()); };
        return r.cost > readings.front().cost || who(r) == who(readings.front());
    });
}

// What people did whose turn in the rules comes before those of the lines typed last.
bool Companion::type_among(const std::string& text) {
    if (blind_ || typed_.empty()) return false;
    std::vector<Reading> readings = words_.readings(text, forms_of(ever_));
    std::erase_if(readings, [&](const Reading& r) { return !r.names_seat || !alike(r.events, typed_.back().told); });
    if (!are_of_one(readings)) return false;
    return std::ranges::any_of(readings, [&](const Reading& r) { return take_among(r.events); });
}

// What the text would tell of another one if who may do something now did nothing: that, what follows of itself, and what is told.
// Nothing where nobody needs to be asked, or where the text says who it is about.
std::optional<Events> Companion::after_nothing_was_done(const std::string& text) {
    const std::optional<Event> usual = this->usual();
    const std::vector<Reading> now = words_.readings(text, forms_of(events_of(next_)));
    if (!usual || next_in_turn().size() < 2) return std::nullopt;
    if (now.empty() || now.front().names_seat || now.front().events == Events{*usual}) return std::nullopt;
    const std::size_t before = events_.size();
    if (!add({*usual})) return std::nullopt;
    fill_in();
    std::optional<Events> told;
    for (const Reading& r : words_.readings(text, forms_of(events_of(next_)))) {
        const bool same = doer(machine_->game, r.events.front()) == doer(machine_->game, now.front().events.front());
        if (same || r.cost > now.front().cost || !fits(r.events)) continue;
        told = Events(events_.begin() + before, events_.end());
        told->insert(told->end(), r.events.begin(), r.events.end());
        break;
    }
    go_back(before);
    look_ahead();
    return told;
}

// Where only one thing can come next but calls, it need not be typed before what comes after it: nobody called. Nor where the text names
// somebody else than who could do more: that one did nothing.
Typing Companion::type_after_usual(const std::string& text, const Typing& refused) {
    const std::size_t before = events_.size();
    const std::size_t lines = typed_.size();
    Typing typing = refused;
    for (std::size_t n = 0; n < implied_most; ++n) {
        if (n > 0 && typing.what != Typing::not_read && typing.what != Typing::out_of_turn) break;
        const std::optional<Event> usual = this->usual();
        if (!usual || (next_in_turn().size() != 1 && !names_others(text)) || !add({*usual})) break;
        fill_in();
        typing = type_short(text);
    }
    if (typing.what == Typing::kept) {
        join_lines(lines, before);
        return typing;
    }
    if (events_.size() != before) go_back(before), look_ahead();
    return typing.what == Typing::does_not_fit ? typing : refused;
}

// What follows where a fact becomes something first, which people hardly say.
Typing Companion::type_after_fact(const std::string& text, const Typing& refused) {
    const std::size_t before = events_.size();
    const std::size_t lines = typed_.size();
    Typing typing{Typing::several, {}, {}, {}};
    Events facts = next_in_turn();
    std::erase_if(facts, [](const Event& e) { return e.kind != EventKind::becomes; });
    if (facts.size() > ways_tried) return refused;
    for (const Event& fact : facts) {
        if (!add({fact})) continue;
        fill_in();
        const Events since(events_.begin() + before, events_.end());
        const auto is_there = [](const Reading& r) { return r.met && r.names_seat; };
        if (std::ranges::any_of(words_.readings(text, forms_of(since)), is_there))
            typing.fitting.push_back(since);
        else if (type_short(text).what == Typing::kept)
            typing.fitting.emplace_back(events_.begin() + before, events_.begin() + filled_in_from());
        typed_.resize(lines);
        go_back(before);
    }
    if (typing.fitting.size() == 1 && take(typing.fitting.front())) return {};
    if (!facts.empty()) look_ahead();
    return typing.fitting.size() > 1 ? typing : refused;
}

// Whether the text says what was filled in after the line typed last.
bool Companion::is_known(const std::string& text) const {
    if (text.find_first_not_of("0123456789 ") == std::string::npos) return false;  // of a list that is not there any more
    const std::size_t from = filled_in_from();
    const Events since(events_.begin() + std::min(from, events_.size()), events_.end());
    return std::ranges::any_of(words_.readings(text, forms_of(since)),
                               [](const Reading& r) { return r.met && (r.cost == 0 || r.events.front().kind == EventKind::says); });
}

// Part by part, together one line; all of them, or none.
Typing Companion::type_parts(const std::vector<std::string>& parts) {
    if (parts.size() < 2) return {Typing::not_read, {}, {}, {}};
    const std::size_t before = events_.size();
    const std::size_t lines = typed_.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Typing typing = one_of(words_.readings(parts[i], forms_of(events_of(next_))));
        if (typing.what == Typing::kept) continue;
        if (typing.what == Typing::several) {
            const Events so_far(events_.begin() + before, events_.end());
            for (Events& events : typing.fitting) events.insert(events.begin(), so_far.begin(), so_far.end());
            typing.rest = fmt::format("{}", fmt::join(parts.begin() + i + 1, parts.end(), ","));
        }
        typed_.resize(lines);
        if (events_.size() != before) go_back(before), look_ahead();
        return typing;
    }
    join_lines(lines, before);
    return {};
}

// A call, said in full, and what its caller says at once: `ben CALL pine`. Who called is asked where it does not stand there.
Typing Companion::type_call(const std::string& text) {
    const std::vector<std::string> words = words_of(text);
    const std::vector<Form> calls = forms_of(next_at_any_time());
    for (std::size_t n = words.size(); n-- > 1;) {
        const std::vector<std::string> parts = in_two(words, n);
        const std::vector<Reading> readings = words_.readings(parts.front(), calls);
        if (readings.empty()) continue;
        Typing callers{Typing::several, {}, {}, {}, parts.back()};
        for (const Reading& r : readings)
            if (r.cost == readings.front().cost) callers.fitting.push_back(r.events);
        return callers.fitting.size() == 1 ? type_parts(parts) : callers;
    }
    return {Typing::not_read, {}, {}, {}};
}

// Words that are no event together, but one each and all of one kind: cards that are shown one after the other.
bool Companion::type_each(const std::string& text) {
    const std::vector<std::string> words = words_of(text);
    Typing typing = type_parts(words);
    if (typing.what != Typing::kept) typing = type_parts(one_by_one(words));
    if (typing.what != Typing::kept) return false;
    // What others do between them is not seen.
    const Events& told = typed_.back().told;
    const auto is_alike = [&](const Event& e) { return e.faces == 0 || (e.kind == told.front().kind && e.to == told.front().to); };
    if (std::ranges::all_of(told, is_alike)) return true;
    undo();
    return false;
}

// Two things that one person does, one after the other: a card that is chosen, and where it comes to, `tree blue`.
bool Companion::type_one_after_other(const std::string& text) {
    const std::vector<std::string> words = words_of(text);
    for (std::size_t n = 1; n < words.size(); ++n) {
        if (type_parts(in_two(words, n)).what != Typing::kept) continue;
        const Events& told = typed_.back().told;
        if (doer(machine_->game, told.front()) == doer(machine_->game, told.back())) return true;
        undo();
    }
    return false;
}

// What is no name may be one that is written in the other kana.
Typing Companion::type(const std::string& text, Language language) {
    const Typing typing = type_in_script(text, language);
    const std::string other = in_katakana(text);
    if (typing.what != Typing::not_read || other == text) return typing;
    Typing in_other = type_in_script(other, language);
    return in_other.is_refused() ? typing : in_other;
}

// That nothing more happened is said with a key, and may be said too early: what comes then takes it back.
Typing Companion::type_in_script(const std::string& text, Language language) {
    const Typing typing = type_now(text, language);
    if (!typing.is_refused() || !undo_nothing_more()) return typing;
    const Typing without = type_now(text, language);
    if (!without.is_refused()) return without;
    nothing_more();
    return typing;
}

Typing Companion::type_now(const std::string& text, Language language) {
    put_in_.reset();
    Diagnostics diagnostics;
    const auto view = read(text, diagnostics);
    const std::size_t before = events_.size();
    const bool line = view && !view->events.empty();
    if (line && add_readings(*view)) {
        typed_.push_back({before, Events(events_.begin() + before, events_.end()), ""});
        fill_in();
        return {};
    }
    if (line && is_filled_in(view->events)) return {Typing::known, {}, {}, {}};
    const std::optional<Events> later = blind_ ? std::nullopt : after_nothing_was_done(text);
    Typing typing = type_short(text);
    if (later && typing.what == Typing::kept) {
        typing = {Typing::several, {typed_.back().told, *later}, {}, {}};
        undo();
    }
    if (typing.is_refused() && is_known(text)) return {Typing::known, {}, {}, {}};
    if (typing.is_refused() && !line) typing = type_after_usual(text, typing);
    if (typing.is_refused() && !line && !blind_) typing = type_after_fact(text, typing);
    if (typing.is_refused() && !line && type_among(text)) return {};
    const bool still = typing.is_refused();
    if (still && line && take(view->events)) return {};
    if (still && !blind_) typing = type_in_between(text, typing);
    if (typing.what == Typing::not_read && !line && !blind_ && type_one_after_other(text)) return {};
    if (typing.what != Typing::not_read) return typing;
    if (line) return {Typing::does_not_fit, {}, view->events, {}};
    for (const Diagnostic& d : diagnostics) typing.problems.push_back(message(d, language));
    return typing;
}

}  // namespace houserule::cli
