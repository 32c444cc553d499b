// What is said when no world fits what a seat saw: the line from which on nothing does, and what would have fitted there.
//
// People write views down at a table, and mistyped lines are the normal case. So the line is changed in one thing, in every way in
// which a line of its kind can be, and each is followed from the beginning.
#include "dsl/game/placed_kind.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "solver/deduce/next_events.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t changes_tried = 400;  // a deck of 256 kinds and every place of a table for ten
constexpr std::size_t fits_shown = 12;      // more than a line's worth helps nobody

// All single values of a type; numbers only when there are few.
std::vector<std::int32_t> values_of(const Game& game, const Type& type) {
    const Type t = element_of(type);
    std::int32_t low = t.low;
    std::int32_t high = t.high;
    switch (t.base) {
        case Base::truth:
            low = 0, high = 1;
            break;
        case Base::player:
            low = 0, high = game.players - 1;
            break;
        case Base::enumeration:
            if (t.of == no_id) return {};
            low = 0, high = game.enums[t.of].size() - 1;
            break;
        case Base::kind:
            low = 0, high = game.kind_count() - 1;
            break;
        case Base::number:
            high = std::min(high, low + static_cast<std::int32_t>(changes_tried));
            break;
        case Base::nothing:
        case Base::card:
        case Base::place:
        case Base::cards:
        case Base::set:
            return {};
    }
    std::vector<std::int32_t> values;
    for (std::int32_t v = low; v <= high; ++v)
        if (t.base != Base::kind || t.of == no_id || game.kinds[v].family == t.of) values.push_back(v);
    if (t.or_none) values.push_back(none_of(t));
    return values;
}

// An event, changed in one thing in every way; likely slips first.
class Changes {
public:
    Changes(const Machine& machine, const Event& event) : machine_(machine), game_(machine.game), event_(event) { collect(); }
    Events all;

private:
    void collect();
    void add(Event e);
    void faces(PlaceId place);
    void other_places();
    void other_seats();
    void values(const Type& type);
    bool can_lie(KindId kind, PlaceId place) const;

    const Machine& machine_;
    const Game& game_;
    const Event& event_;
};

void Changes::add(Event e) {
    std::sort(e.pieces.begin(), e.pieces.end());
    std::sort(e.values.begin(), e.values.end());
    if (e != event_ && std::find(all.begin(), all.end(), e) == all.end()) all.push_back(std::move(e));
}

bool Changes::can_lie(KindId kind, PlaceId place) const {
    const ZoneId zone = machine_.place_zone[place];
    return zone == no_id || game_.zones[zone].families[game_.kinds[kind].family];
}

void Changes::faces(PlaceId place) {
    for (std::size_t i = 0; event_.faces != 0 && i < event_.pieces.size(); ++i) {
        for (KindId kind = 0; kind < KindId(game_.kinds.size()); ++kind) {
            if (!can_lie(kind, place)) continue;
            Event e = event_;
            e.pieces[i] = kind;
            add(std::move(e));
        }
    }
    // How many they were, when only that was seen.
    if (event_.faces != 0 || event_.pieces.empty()) return;
    Event more = event_;
    more.pieces.push_back(no_id);
    add(std::move(more));
    if (event_.pieces.size() < 2) return;
    Event fewer = event_;
    fewer.pieces.pop_back();
    add(std::move(fewer));
}

void Changes::other_places() {
    for (PlaceId place = 1; place < game_.places; ++place) {
        Event to = event_;
        to.to = place;
        const bool fits =
            std::all_of(event_.pieces.begin(), event_.pieces.end(), [&](KindId kind) { return kind == no_id || can_lie(kind, place); });
        if (fits && place != event_.from) add(std::move(to));
        Event from = event_;
        from.from = place;
        if (fits && place != event_.to) add(std::move(from));
    }
}

void Changes::other_seats() {
    for (int seat = 0; event_.seat >= 0 && seat < game_.players; ++seat) {
        Event e = event_;
        e.seat = seat;
        add(std::move(e));
    }
}

void Changes::values(const Type& type) {
    const bool scalar = event_.values.empty();  // a fact that is no set
    for (std::size_t i = 0; i < (scalar ? 1 : event_.values.size()); ++i) {
        if (!scalar && event_.values[i] == no_id && event_.faces == 0) return;  // not seen
        for (const std::int32_t v : values_of(game_, type)) {
            Event e = event_;
            // A chosen card keeps the place that it was chosen from.
            const bool card = !scalar && v >= 0 && element_of(type).base == Base::kind;
            const PlaceId place = card ? PlacedKind::of_value(e.values[i]).place : no_id;
            (scalar ? e.value : e.values[i]) = place == no_id ? v : PlacedKind{KindId(v), place}.value();
            add(std::move(e));
        }
    }
}

void Changes::collect() {
    Event e = event_;
    switch (event_.kind) {
        case EventKind::choice:
            if (!event_.optional_no) values(game_.variables[event_.name].type);
            other_seats();
            break;
        case EventKind::answer:
            e.value = 1 - e.value;
            add(e);
            other_seats();
            break;
        case EventKind::draw:
        case EventKind::move:
            faces(event_.to);
            other_places();
            break;
        case EventKind::report:
        case EventKind::lot:
            values(game_.variables[event_.name].type);
            break;
        case EventKind::acts:
            for (std::int32_t seat = 0; seat < game_.players; ++seat) {
                e = event_;
                const auto at = std::find(e.values.begin(), e.values.end(), seat);
                if (at == e.values.end())
                    e.values.push_back(seat);
                else
                    e.values.erase(at);
                if (!e.values.empty()) add(e);
            }
            break;
        case EventKind::becomes: {
            const Fact& fact = game_.facts[event_.name];
            values(fact.type);
            for (std::int32_t index = 0; event_.index != no_id && index < fact.count; ++index) {
                e.index = index;
                add(e);
            }
            break;
        }
        case EventKind::says:
            for (const WordId word : game_.words.ids()) {
                e.name = word;
                add(e);
            }
            other_seats();
            break;
        case EventKind::shows:
            faces(event_.from);
            break;
        case EventKind::ended:
            for (const EndId end : game_.ends.ids()) {
                e.name = end;
                add(e);
            }
            break;
        case EventKind::shuffle:
        case EventKind::begins:
        case EventKind::all_chose:
            break;
    }
}

struct Fitting {
    std::vector<std::string> lines;
    bool all_tried = true;
};

// Following the log to an event takes about this much work for each event.
constexpr std::uint64_t work_an_event = 1000;

// How often the log may be followed up to an event, to try another one there.
std::size_t tries(std::size_t events, const KnowingArgs& args) {
    const std::uint64_t most = limits_of(args).work / (work_an_event * (events + 1));
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(most, 1, changes_tried));
}

Fitting what_fits(const Seen& seen, std::size_t blocked, const KnowingArgs& args) {
    const Deadline until = Deadline::in(limits_of(args).time, &stop());
    const std::size_t most = tries(blocked, args);
    const Changes changes(seen.machine(), seen.view.events[blocked]);
    Fitting fitting;
    Events events(seen.view.events.begin(), seen.view.events.begin() + blocked + 1);
    std::size_t tried = 0;
    for (const Event& changed : changes.all) {
        if (tried++ == most || until.over()) {
            fitting.all_tried = false;
            break;
        }
        events.back() = changed;
        Deduction deduction(seen.text.machine, seen.view.seat, limits_of(args));
        if (deduction.see(events, Told::so_far) == Fit::fits) fitting.lines.push_back(event_line(seen.machine(), changed, seen.view.seat));
    }
    return fitting;
}

// Lines that are missing before the one that does not fit: what could be noticed there, if that line fits behind it. What can come next
// in one way alone, as a choice of the only card left, is gone past.
std::vector<std::string> what_is_missing(const Seen& seen, std::size_t blocked, const KnowingArgs& args) {
    constexpr std::size_t most_lines = 4;  // a choice of several things at once has fewer
    const Deadline until = Deadline::in(limits_of(args).time, &stop());
    const int seat = seen.view.seat;
    const Event& last = seen.view.events[blocked];
    Events events(seen.view.events.begin(), seen.view.events.begin() + blocked);
    std::string gone_past;
    Random random(1);
    for (std::size_t lines = 0; lines < most_lines && !until.over(); ++lines) {
        Deduction before(seen.text.machine, seat, limits_of(args));
        before.finish_by(until);
        if (before.see(events, Told::so_far) != Fit::fits) return {};
        const NextEvents next = next_events(before, events.size(), random);
        std::vector<std::string> missing;
        for (std::size_t i = 0; i < next.events.size() && i < tries(blocked, args) && !until.over(); ++i) {
            Events with = events;
            with.insert(with.end(), {next.events[i].event, last});
            Deduction deduction(seen.text.machine, seat, limits_of(args));
            deduction.finish_by(until);
            if (deduction.see(with, Told::so_far) != Fit::fits) continue;
            missing.push_back(gone_past + event_line(seen.machine(), next.events[i].event, seat));
        }
        if (!missing.empty() || !next.only_one()) return missing;
        events.push_back(next.events.front().event);
        gone_past += event_line(seen.machine(), events.back(), seat) + " / ";
    }
    return {};
}

Phrase some_of(const std::vector<std::string>& lines) {
    std::vector<Phrase> shown(lines.begin(), lines.begin() + std::min(lines.size(), fits_shown));
    if (shown.size() < lines.size()) shown.push_back(verbatim("…"));
    return listed(shown, houserule::Text::one_or_other);
}

// What is wrong with the line, beside that it does not fit: what would fit, or what is missing before it.
void explain_misfit(const Seen& seen, std::size_t blocked, const KnowingArgs& args, const Fitting& fitting, Diagnostic& d) {
    if (!fitting.lines.empty()) d.help = houserule::Text::what_fits(some_of(fitting.lines));
    if (not_in_view(seen.machine(), seen.view.events[blocked], seen.view.seat) == NotInView::faces_seen)
        d.notes.push_back(houserule::Text::faces_in_view(seat_words(seen.view.seat)));
    const std::vector<std::string> missing = what_is_missing(seen, blocked, args);
    if (!missing.empty())
        d.notes.push_back(houserule::Text::missing_line(some_of(missing)));
    else if (fitting.lines.empty() && fitting.all_tried)
        d.notes.emplace_back(houserule::Text::nothing_else_fits);
    if (!fitting.all_tried) d.notes.emplace_back(houserule::Text::not_all_lines_tried);
}

std::string unknown_json(const std::string& why) {
    Json j;
    j["schema"] = hint_schema;
    j["fits"] = Json();
    j["method"] = "unknown";
    j["limits"] = {why};
    return j.dump(2) + "\n";
}

}  // namespace

int tell_misfit(const Seen& seen, const Deduced& deduced, const KnowingArgs& args, const Globals& g) {
    const std::size_t blocked = deduced.deduction->blocked();
    const bool at_line = blocked < seen.view.events.size();
    const std::string line = at_line ? event_line(seen.machine(), seen.view.events[blocked], seen.view.seat) : "";
    const Fitting fitting = at_line ? what_fits(seen, blocked, args) : Fitting{};
    if (args.json) {
        Json j;
        j["schema"] = hint_schema;
        j["fits"] = false;
        j["line"] = at_line && seen.line(blocked) ? Json(*seen.line(blocked)) : Json();
        j["event"] = at_line ? Json(line) : Json();
        j["alternatives"] = fitting.lines;
        j["all_tried"] = fitting.all_tried;
        j["limits"] = deduced.limits;
        out(j.dump(2) + "\n");
        return exit_found;
    }
    err(say(g, Text::no_world_fits));
    if (!at_line) return exit_found;
    Diagnostic d = make_diagnostic(Code::line_does_not_fit, seen.view.lines[blocked], line);
    explain_misfit(seen, blocked, args, fitting, d);
    d.notes.insert(d.notes.end(), deduced.limits.begin(), deduced.limits.end());
    err(render({d}, seen.text.rules.sources, {g.language, g.color}));
    return exit_found;
}

int tell_unread(const KnowingArgs& args, const Globals& g) {
    const Limit limit{LimitKind::out_of_time};
    if (args.json)
        out(unknown_json(text(limit, g.language)));
    else
        err(fmt::format("houserule: {}: {}: {}\n", args.text, say(g, Text::not_all_read), text(limit, g.language)));
    return interrupted() ? exit_interrupted : exit_undecided;
}

int tell_unknown(const Deduced& deduced, const KnowingArgs& args, const Globals& g) {
    const Deduction& deduction = *deduced.deduction;
    const int ended = interrupted() ? exit_interrupted : exit_undecided;
    const std::string why = deduced.all_read ? text(deduction.limit(), g.language) : deduced.limits.back();
    if (args.json) {
        out(unknown_json(why));
        return ended;
    }
    err(fmt::format("houserule: {}: {}\n", say(g, Text::not_decided, deduction.blocked(), deduction.noticed()), why));
    return ended;
}

}  // namespace houserule::cli
