// What pages say to a table and what they are sent. A page is not trusted: whatever it says, it can do no more than its token opens.
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "interpreter/app/serve/table.hpp"

#include "dsl/text/index_of.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/play/play_why.hpp"

#include <algorithm>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t longest_name = 24;  // cells

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
    if (page.role != Role::nobody && wants_rules(id, type)) return;
    if (settings_.read_only && type != "eyes") return refuse(id, "read_only", nullptr);
    if (type == "eyes" && page.role != Role::nobody) return eyes(id, page, message);
    switch (page.role) {
        case Role::nobody:
            refuse(id, "token", nullptr);
            return outside_.close(id);
        case Role::seat:
            return of_seat(id, page, type, message);
        case Role::host:
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
    page.version = page.table_version = page.links_version = 0;
    page.end_told = false;
    send(id, you(page));
    if (page.role == Role::host) handed_.reset();
    if (handed_ && page.role == Role::seat && std::cmp_equal(page.viewer, handed_->first))
        send(id, {{"t", "handed"}, {"token", handed_->second}});
    outside_.send(id, names_.empty() ? names() : names_);
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
    if (type == "hint") return hint(id, viewers_[page.viewer], message.value("all", Json()) == Json(true));
    if (type == "unhint") return cancel_hint(viewers_[page.viewer]);
    if (type == "rethink") return rethink(id, seat);
    if (type == "undo") return want_back(id, seat);
    if (type == "agree") return agree(id, seat, message);
    if (type == "back") return take_seat_back(id, seat);
    if (type == "why") return why(id, seat, message);
    refuse(id, "malformed", nullptr);
}

void Table::sit(std::uint64_t id, int seat, const Json& message) {
    const auto name = good_name(message.value("name", Json()));
    if (!name) return refuse(id, "name", nullptr);
    if (phase_ != Phase::lobby) return;
    for (std::size_t other = 0; other < kept_.names.size(); ++other)
        if (!name->empty() && std::cmp_not_equal(other, seat) && plain_form(kept_.names[other]) == plain_form(*name))
            return refuse(id, "name_taken", nullptr);
    KeptTable kept = kept_;
    kept.names[seat] = *name;
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    ready_[seat] = true;
    changed();
    if (is_ready()) start(id);
    // A game that could not be begun is begun when this one sits down again.
    if (is_ready() && phase_ == Phase::lobby) ready_[seat] = false;
    tell();
}

bool Table::is_ready() const {
    for (int seat = 0; seat < machine_->game.players; ++seat)
        if (session_.is_person(seat) && !ready_[seat]) return false;
    return true;
}

// What the page of the seat asks, if it does.
std::optional<SeatQuestion> Table::question_on_page(int seat) {
    if (!is_asked(seat)) return std::nullopt;
    const auto run = make_run(machine_);
    run->set_state(open_[seat].state);
    run->advance();
    return question_to(*run, seat);
}

// What the seat can know, of what it was told; worked out elsewhere, one at a time for a seat, until it is cancelled.
void Table::hint(std::uint64_t id, Viewer& viewer, bool whole) {
    if (!session_.hints || viewer.thinking || phase_ != Phase::playing) return refuse(id, viewer.thinking ? "busy" : "no_hints", nullptr);
    viewer.thinking = std::make_shared<Stop>(&stop(), nullptr);
    ++hinted_[viewer.seat];
    if (kept_.hints_shown) {
        changed();
        tell();
    }
    auto found = std::make_shared<Json>();
    outside_.think(
        [machine = machine_, noticed = viewer.noticed, question = question_on_page(viewer.seat), seat = viewer.seat, whole, found,
         until = viewer.thinking] {
            if (!until->asked()) *found = hint_frame(machine, seat, noticed, question, whole, *until);
        },
        [this, id, &viewer, found, whole, until = viewer.thinking] {
            if (viewer.thinking != until) return;
            viewer.thinking = nullptr;
            if (pages_.contains(id)) send(id, {{"t", "hint"}, {"all", whole}, {"in", *found}});
        });
}

void Table::cancel_hint(Viewer& viewer) {
    if (viewer.thinking) viewer.thinking->ask();
    viewer.thinking = nullptr;
}

// Why a kind of card cannot be chosen where the seat is asked; one question at a time, as for hints.
void Table::why(std::uint64_t id, int seat, const Json& message) {
    const Json which = message.value("k", Json());
    if (!which.is_number_unsigned() || which >= std::uint64_t(machine_->game.kind_count())) return refuse(id, "malformed", nullptr);
    if (!is_asked(seat) || !rules_->syntax.root) return refuse(id, "stale", nullptr);
    Viewer& viewer = viewer_of(seat);
    if (viewer.thinking) return refuse(id, "busy", nullptr);
    viewer.thinking = std::make_shared<Stop>(&stop(), nullptr);
    auto answer = std::make_shared<Json>();
    const KindId kind(which.get<std::int32_t>());
    outside_.work(
        [answer, kind, machine = machine_, rules = rules_, head = session_.head, state = open_[seat].state] {
            const auto run = make_run(machine);
            run->start();
            run->set_state(state);
            run->advance();
            *answer = in_each([&](const Globals& g) { return why_no_card({*rules, head, machine.get(), run.get()}, kind, g); });
        },
        [this, id, answer, kind, &viewer, until = viewer.thinking] {
            if (viewer.thinking != until) return;
            viewer.thinking = nullptr;
            if (pages_.contains(id)) send(id, {{"t", "why"}, {"k", kind}, {"text", *answer}});
        });
}

// What is made of the rules alone is public, and made once. It is not waited for: drawing can take seconds.
void Table::show_rules(std::uint64_t id, OnDemand& shown, MadeOfRules make) {
    if (shown.frame) return outside_.send(id, *shown.frame);
    if (!rules_->syntax.root) return refuse(id, "malformed", nullptr);
    if (std::ranges::find(shown.wanted_by, id) != shown.wanted_by.end()) return;
    shown.wanted_by.push_back(id);
    if (shown.wanted_by.size() > 1) return;
    auto made = std::make_shared<std::string>();
    outside_.think([made, make, rules = rules_, settings = session_.head.settings,
                    machine = machine_] { *made = text_of(make(*rules, settings, *machine)); },
                   [this, made, make, &shown, machine = machine_] {
                       const bool is_of_these = machine == machine_;
                       if (is_of_these) shown.frame = made;
                       for (const std::uint64_t page : std::exchange(shown.wanted_by, {})) {
                           if (!pages_.contains(page)) continue;
                           is_of_these ? outside_.send(page, *shown.frame) : show_rules(page, shown, make);
                       }
                   });
}

bool Table::wants_rules(std::uint64_t id, const std::string& type) {
    if (type == "book") return show_rules(id, book_, book_frame), true;
    if (type == "machine") return show_rules(id, turn_, machine_frame), true;
    return false;
}

// The game that is over as a seat was told it, or all; who looks on sees only what all saw.
void Table::eyes(std::uint64_t id, const Page& page, const Json& message) {
    const Json of = message.value("of", Json());
    const Json step = message.value("step", Json());
    const bool known = of == spectator || (of.is_number_unsigned() && of < ready_.size());
    if (!known || !(step.is_null() || step.is_number_unsigned())) return refuse(id, "malformed", nullptr);
    if (!is_over() || end_.contains("changed") || (page.role == Role::watch && of != spectator)) return refuse(id, "not_shown", nullptr);
    const bool is_first = to_be_shown_.empty();
    if (replay_) return show(id, message);
    to_be_shown_.emplace_back(id, message);
    if (!is_first) return;
    auto made = std::make_shared<std::shared_ptr<Replay>>();
    outside_.think([made, machine = machine_, events = session_.events] { *made = std::make_shared<Replay>(machine, events); },
                   [this, made, of_game = run_] {
                       if (run_ != of_game) return;
                       replay_ = *made;
                       for (const auto& [to, wanted] : std::exchange(to_be_shown_, {}))
                           if (pages_.contains(to)) show(to, wanted);
                   });
}

void Table::show(std::uint64_t id, const Json& message) {
    const int viewer = message["of"];
    const Json said = message.value("step", Json());
    const bool begins = said.is_null();
    const std::size_t step = begins ? 0 : said.get<std::size_t>();
    Json frame = replay_->table_at(viewer, step);
    if (frame.is_null()) return refuse(id, "malformed", nullptr);
    frame.update({{"t", "eyes"}, {"of", viewer}, {"step", step}});
    if (begins) frame.update(replay_->told_to(viewer));
    send(id, frame);
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
    if (std::exchange(is_changed_, false)) {
        table_told_.become(table_news());
        links_told_.become(host_news());
    }
    std::vector<std::uint64_t> all;
    for (const auto& [id, page] : pages_) all.push_back(id);
    for (const std::uint64_t id : all)
        if (const auto page = pages_.find(id); page != pages_.end() && page->second.role != Role::nobody) tell_page(id, page->second);
}

void Table::tell_page(std::uint64_t id, Page& page) {
    // The end is told once: it has the log in it.
    const bool ends = !end_.is_null() && !page.end_told;
    if (page.table_version != table_told_.version || ends) {
        page.table_version = table_told_.version;
        page.end_told = page.end_told || ends;
        Json frame = table_told_.frame;
        if (ends) frame["end"] = end_;
        send(id, frame);
    }
    if (page.role == Role::host && page.links_version != links_told_.version) {
        page.links_version = links_told_.version;
        send(id, links_told_.frame);
    }
    const Viewer& viewer = viewers_[page.viewer];
    if (page.version == viewer.version || phase_ == Phase::lobby) return;
    page.version = viewer.version;
    const std::size_t from = std::exchange(page.lines, viewer.lines.size());
    send(id, news(viewer, from));
}

// Before the game also what can be set.
std::string Table::names() const {
    Json frame = names_frame(machine_->game);
    if (phase_ == Phase::lobby && settings_.set_up) frame["setup"] = setup_frame(*rules_, machine_->game);
    return text_of(frame);
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
    const auto asked = busy_ ? open_.end() : open_.find(viewer.seat);
    frame["ask"] = asked != open_.end() ? asked->second.question : Json();
    if (!frame["ask"].is_null() && answers_.contains(viewer.seat)) frame["ask"]["chosen"] = true;
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
    for (int seat = 0; seat < machine_->game.players; ++seat) {
        const auto at = seat;
        frame["seats"].push_back(
            {{"n", kept_.names[at]}, {"who", sitting(session_, seat)}, {"here", is_here(seat)}, {"ready", bool(ready_[at])}});
        if (kept_.stands_in[at]) frame["seats"][at]["left"] = true;
        if (kept_.hints_shown) frame["seats"][at]["hinted"] = hinted_[at];
    }
    frame["pace"] = settings_.pace.count();
    frame["hints"] = session_.hints;
    frame["hints_shown"] = kept_.hints_shown;
    if (settings_.read_only) frame["read_only"] = true;
    if (taking_back_) {
        frame["back"] = {{"by", taking_back_->by}, {"agreed", Json::array()}};
        for (int seat = 0; seat < machine_->game.players; ++seat)
            if ((taking_back_->agreed & seat_bit(seat)) != 0) frame["back"]["agreed"].push_back(seat);
    }
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
