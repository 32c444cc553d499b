// What pages say to a table and what they are sent. A page is not trusted: whatever it says, it can do no more than its token opens.
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowledge.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "interpreter/app/serve/table.hpp"

#include "dsl/text/index_of.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/play/begin_session.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

constexpr std::size_t longest_name = 24;  // cells
constexpr std::chrono::milliseconds hint_most{3'000};
constexpr std::size_t hint_values = 5;  // a line

// A name as it may stand in a log and on a page; nothing for one that may not.
std::optional<std::string> good_name(const Json& name) {
    if (!name.is_string()) return std::nullopt;
    const auto& text = name.get_ref<const std::string&>();
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) return "";
    const std::string trimmed = text.substr(begin, text.find_last_not_of(' ') - begin + 1);
    const bool bad = trimmed.find_first_of("#=?,\n\r\t") != std::string::npos || shown(trimmed) != trimmed;
    return bad || display_width(trimmed) > longest_name ? std::nullopt : std::optional(trimmed);
}

}  // namespace

// ---------------------------------------------------------------- what pages say

void Table::said(std::uint64_t id, const std::string& text) {
    const Json message = Json::parse(text, nullptr, false);
    if (!message.is_object() || !message.value("t", Json()).is_string()) return refuse(id, "malformed", nullptr);
    const std::string type = message["t"];
    Page& page = pages_[id];
    if (type == "hello") return hello(id, message);
    switch (page.role) {
        case Role::nobody:
            refuse(id, "token", nullptr);
            return outside_.close(id);
        case Role::seat:
            return of_seat(id, page, type, message);
        case Role::host:
            if (type == "relink") return relink(id, message);
            return of_host(id, type, message);
        case Role::watch:
            return refuse(id, "malformed", nullptr);
    }
}

void Table::hello(std::uint64_t id, const Json& message) {
    const Json token = message.value("token", Json());
    const auto found = token.is_string() ? kept_.tokens.find(hash_of(token.get<std::string>())) : kept_.tokens.end();
    if (found == kept_.tokens.end()) {
        refuse(id, "token", nullptr);
        return outside_.close(id);
    }
    Page& page = pages_[id];
    const std::string& opens = found->second;
    page.role = opens == "host" ? Role::host : opens == "watch" ? Role::watch : Role::seat;
    page.viewer = page.role == Role::seat ? std::stoi(opens) - 1 : viewers_.size() - 1;
    const Json last = message.value("last", Json());
    const std::size_t have = viewers_[page.viewer].lines.size();
    const bool goes_on = message.value("run", Json()) == run_ && last.is_number_unsigned() && last <= have;
    page.lines = goes_on ? last.get<std::size_t>() : 0;
    page.version = page.table_version = 0;
    send(id, you(page));
    outside_.send(id, names_.empty() ? text_of(names_frame(machine_->game)) : names_);
    changed();
    tell();
}

void Table::of_seat(std::uint64_t id, Page& page, const std::string& type, const Json& message) {
    const int seat = page.viewer;
    if (type == "sit") return sit(id, seat, message);
    if (type == "move") return move(id, seat, message);
    if (type == "act") return want(seat, message);
    if (type == "go") return pass(seat);
    if (type == "again") return again(id, seat, message);
    if (type == "hint") return hint(id, viewers_[page.viewer]);
    if (type == "unhint") return cancel_hint(viewers_[page.viewer]);
    refuse(id, "malformed", nullptr);
}

void Table::of_host(std::uint64_t id, const std::string& type, const Json& message) {
    if (type == "start") return phase_ == Phase::over ? begin_again(id) : start(id);
    if (type == "seat") return reseat(id, message);
    refuse(id, "malformed", nullptr);
}

void Table::sit(std::uint64_t id, int seat, const Json& message) {
    const auto name = good_name(message.value("name", Json()));
    if (!name) return refuse(id, "name", nullptr);
    if (phase_ != Phase::lobby) return;
    for (std::size_t other = 0; other < kept_.names.size(); ++other)
        if (!name->empty() && std::cmp_not_equal(other, seat) && plain_form(kept_.names[other]) == plain_form(*name))
            return refuse(id, "name_taken", nullptr);
    kept_.names[seat] = *name;
    ready_[seat] = true;
    changed();
    if (!keep_seats()) return refuse(id, "unsaved", nullptr);
    if (is_ready()) return start(id);
    tell();
}

bool Table::is_ready() const {
    for (int seat = 0; seat < machine_->game.players; ++seat)
        if (session_.is_person(seat) && !ready_[seat]) return false;
    return true;
}

// A new link for a seat; whoever has the old one loses it.
void Table::relink(std::uint64_t id, const Json& message) {
    const Json which = message.value("seat", Json());
    if (!which.is_number_unsigned() || which >= ready_.size()) return refuse(id, "malformed", nullptr);
    const std::string opens = std::to_string(which.get<int>() + 1);
    std::erase_if(kept_.tokens, [&](const auto& t) { return t.second == opens; });
    const std::string token = fresh_token();
    kept_.tokens[hash_of(token)] = opens;
    tokens_[opens] = token;
    if (!write_table(kept_, g_)) return refuse(id, "unsaved", nullptr);
    std::vector<std::uint64_t> out_of_it;
    for (const auto& [page, at] : pages_)
        if (at.role == Role::seat && at.viewer == which.get<std::size_t>()) out_of_it.push_back(page);
    for (const std::uint64_t page : out_of_it) {
        refuse(page, "token", nullptr);
        left(page);
        outside_.close(page);
    }
    changed();
    tell();
}

// What the seat can know, of what it was told; worked out elsewhere, one at a time for a seat, until it is cancelled.
void Table::hint(std::uint64_t id, Viewer& viewer) {
    if (!session_.hints || viewer.thinking || phase_ != Phase::playing) return refuse(id, viewer.thinking ? "busy" : "no_hints", nullptr);
    viewer.thinking = std::make_shared<Stop>(&stop(), nullptr);
    auto lines = std::make_shared<Json>(Json::array());
    outside_.think(
        [machine = machine_, noticed = viewer.noticed, seat = viewer.seat, lines, until = viewer.thinking] {
            if (until->asked()) return;
            DeductionLimits limits;
            limits.time = hint_most;
            limits.stop = until.get();
            Deduction deduction(machine, seat, limits);
            if (deduction.see(noticed) != Fit::fits) return;
            std::vector<std::vector<std::string>> each;
            for (std::size_t l = 0; l < language_count; ++l)
                each.push_back(short_knowledge(deduction, hint_values, Globals{static_cast<Language>(l), false}));
            for (std::size_t i = 0; i < each[0].size(); ++i) {
                Json line = Json::array();
                for (const auto& all : each) line.push_back(i < all.size() ? all[i] : "");
                lines->push_back(std::move(line));
            }
        },
        [this, id, &viewer, lines, until = viewer.thinking] {
            if (viewer.thinking != until) return;
            viewer.thinking = nullptr;
            if (pages_.contains(id)) send(id, {{"t", "hint"}, {"lines", *lines}});
        });
}

void Table::cancel_hint(Viewer& viewer) {
    if (viewer.thinking) viewer.thinking->ask();
    viewer.thinking = nullptr;
}

void Table::left(std::uint64_t id) {
    const auto page = pages_.find(id);
    if (page == pages_.end()) return;
    const bool had_seat = page->second.role == Role::seat;
    const int seat = page->second.viewer;
    pages_.erase(page);
    if (had_seat && !is_here(seat)) cancel_hint(viewer_of(seat));
    changed();
    tell();
}

// ---------------------------------------------------------------- what pages are sent

void Table::refuse(std::uint64_t id, const char* why, const Json& of) {
    Json frame{{"t", "refused"}, {"why", why}};
    if (!of.is_null()) frame["id"] = of;
    send(id, frame);
}

void Table::tell() {
    std::vector<std::uint64_t> all;
    for (const auto& [id, page] : pages_) all.push_back(id);
    for (const std::uint64_t id : all)
        if (const auto page = pages_.find(id); page != pages_.end() && page->second.role != Role::nobody) tell_page(id, page->second);
}

void Table::tell_page(std::uint64_t id, Page& page) {
    if (page.table_version != table_version_) {
        page.table_version = table_version_;
        outside_.send(id, text_of(table_news()));
        if (page.role == Role::host) send(id, host_news());
    }
    const Viewer& viewer = viewers_[page.viewer];
    if (page.version == viewer.version || phase_ == Phase::lobby) return;
    page.version = viewer.version;
    const std::size_t from = std::exchange(page.lines, viewer.lines.size());
    send(id, news(viewer, from));
}

Json Table::you(const Page& page) const {
    Json frame{{"t", "you"}, {"run", run_}, {"last", page.lines}};
    frame["role"] = page.role == Role::host ? "host" : page.role == Role::watch ? "watch" : "seat";
    if (page.role == Role::seat) frame["seat"] = page.viewer;
    return frame;
}

Json Table::news(const Viewer& viewer, std::size_t from) const {
    Json frame = table_frame(*machine_, viewer.table);
    frame["t"] = "news";
    frame["from"] = from;
    frame["lines"] = Json::array();
    for (std::size_t i = from; i < viewer.lines.size(); ++i) frame["lines"].push_back(viewer.lines[i]);
    const bool is_seat = viewer.seat != spectator;
    frame["ask"] = is_seat && asked_ && waiting_.seat == viewer.seat ? question_ : Json();
    frame["go"] = is_seat && (passing_ & bit_of(viewer.seat)) != 0;
    if (is_seat && session_.hints) frame["hints"] = true;
    Json wishes = Json::array();
    if (is_seat)
        for (const Seats who : wishes_) wishes.push_back((who & bit_of(viewer.seat)) != 0);
    frame["acts"] = std::move(wishes);
    return frame;
}

Json Table::table_news() const {
    static constexpr const char* phases[] = {"lobby", "playing", "over", "broken"};
    Json frame{{"t", "table"}, {"phase", phases[index_of(phase_)]}, {"seats", Json::array()}};
    std::size_t watching = 0;
    for (const auto& [id, page] : pages_)
        if (page.role == Role::watch) ++watching;
    for (int seat = 0; seat < machine_->game.players; ++seat) {
        const auto at = seat;
        frame["seats"].push_back(
            {{"n", kept_.names[at]}, {"who", sitting(session_, seat)}, {"here", is_here(seat)}, {"ready", bool(ready_[at])}});
    }
    frame["watching"] = watching;
    if (!end_.is_null()) frame["end"] = end_;
    return frame;
}

Json Table::host_news() const {
    Json links = Json::object();
    for (const auto& [opens, token] : tokens_)
        if (opens != "host") links[opens] = token;
    return {{"t", "host"}, {"links", links}};
}

bool Table::is_here(int seat) const {
    return std::any_of(pages_.begin(), pages_.end(),
                       [&](const auto& p) { return p.second.role == Role::seat && std::cmp_equal(p.second.viewer, seat); });
}

}  // namespace houserule::cli
