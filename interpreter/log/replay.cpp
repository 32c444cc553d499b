#include "dsl/game/placed_kind.hpp"
#include "interpreter/log/line.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace houserule {

namespace {

// That nobody acts at a window goes without saying, so an act in a log may be one of a later window: where what follows does not fit, it
// is looked for there. So many times at most.
constexpr int windows_tried = 64;

// A window at which an act of the log was taken to be meant.
struct TakenAct {
    std::vector<std::byte> state;
    std::size_t events = 0;
    std::size_t at = 0;
    std::size_t used = 0;
    std::size_t seen = 0;
};

// Where a line did not fit.
struct Misfit {
    std::vector<std::byte> state;
    Events events;
    std::vector<std::optional<Span>> lines_of;
    std::size_t used = 0;
    Diagnostic told;
};

struct Replaying {
    Run& run;
    Events& events;
    Diagnostics& diagnostics;
    std::vector<Line> lines;
    Names names;
    std::vector<std::optional<Span>>* lines_of;  // by event, if asked for
    const Stop* stop;                            // who may want no more, if anybody
    std::size_t at = 0;                          // the next line
    std::size_t card = 0;                        // of a deal: the next of its cards
    std::size_t used = 0;                        // lines and cards that were gone past
    std::size_t seen = 0;                        // events that were compared with lines
    std::vector<TakenAct> acts = {};             // the latest of them
    int windows_left = windows_tried;
    std::optional<Misfit> furthest = {};  // of all ways to take the acts

    const Game& game() const { return run.machine().game; }
    const Line* line() const { return at < lines.size() ? &lines[at] : nullptr; }

    // What the line says: of a deal, its next card.
    std::span<const std::string> said(const Line& l) const {
        const std::span<const std::string> all(l.values);
        return l.kind == LineKind::draw ? all.subspan(card, 1) : all;
    }
    void go_past();
    bool run_along();
    void came_from(std::size_t event, const Line& l);
    bool answer(const Node& n);
    void consume_forced();
    bool follows(const Line& l, const Event& e) const;
    bool same_faces(const Line& l, const Event& e) const;
    bool same_order(const Line& l, const Event& e) const;
    bool same_values(const Line& l, const Event& e) const;
    std::int32_t seer_at(const Node& n) const;
    bool hidden(const Line& l) const {
        const auto values = said(l);
        return std::find(values.begin(), values.end(), "?") != values.end();
    }
    bool misfit(const Node& n);
    void note_act();
    bool act_later();
    void note_misfit();
    void tell_furthest();
    std::vector<Phrase> what_fits(const Node& n) const;
    std::optional<std::uint64_t> chosen_move(const Node& n, const Line& l) const;
    const Type& type_of_step(const Node& n) const;
    const std::string& variable_name(const Node& n) const;
};

const Type& Replaying::type_of_step(const Node& n) const { return game().variables[run.machine().code[n.step].a].type; }
const std::string& Replaying::variable_name(const Node& n) const { return game().variables[run.machine().code[n.step].a].name; }

void Replaying::go_past() {
    ++used;
    const Line& l = lines[at];
    if (l.kind == LineKind::draw && ++card < l.values.size()) return;
    card = 0;
    ++at;
}

bool Replaying::same_faces(const Line& l, const Event& e) const {
    const auto values = said(l);
    if (values.size() != e.pieces.size()) return e.pieces.empty() && values.size() == 1 && values[0] == "nothing";
    std::vector<bool> taken(values.size(), false);
    for (const std::int32_t k : e.pieces) {
        bool found = false;
        for (std::size_t i = 0; i < values.size() && !found; ++i) {
            found = !taken[i] && names.is_kind(values[i], k);
            if (found) taken[i] = true;
        }
        if (!found) return false;
    }
    return true;
}

bool Replaying::same_order(const Line& l, const Event& e) const {
    return e.value != 0 && std::equal(l.values.begin(), l.values.end(), e.pieces.begin(), e.pieces.end(),
                                      [&](const std::string& text, std::int32_t kind) { return names.is_kind(text, kind); });
}

bool Replaying::same_values(const Line& l, const Event& e) const {
    const Type& type = game().variables[e.name].type;
    if (e.values.empty()) return l.values.size() == 1 && l.values[0] == "nothing";
    if (l.values.size() != e.values.size()) return false;
    return std::all_of(e.values.begin(), e.values.end(), [&](std::int32_t v) {
        return std::any_of(l.values.begin(), l.values.end(), [&](const std::string& text) { return names.is_value(text, type, v); });
    });
}

// Who sees the lot at which the run waits.
std::int32_t Replaying::seer_at(const Node& n) const {
    const ExpressionId seer = run.machine().code[n.step].y;
    return seer == no_id ? seen_by_all : run.scalar(seer);
}

// Whether the line says what the event is.
bool Replaying::follows(const Line& l, const Event& e) const {
    switch (e.kind) {
        case EventKind::draw:
            return l.kind == LineKind::draw && names.is_place(l.from, e.from) && names.is_place(l.to, e.to) && same_faces(l, e);
        case EventKind::move:
            return l.kind == LineKind::move && names.is_place(l.from, e.from) && names.is_place(l.to, e.to) && same_faces(l, e) &&
                   (!l.in_order || same_order(l, e));
        case EventKind::shows:
            return l.kind == LineKind::show && names.is_place(l.from, e.from) && l.to == audience_text(e.value, game().players) &&
                   same_faces(l, e);
        case EventKind::says:
            return l.kind == LineKind::says && l.seat == e.seat && names.is(l.name, game().words[e.name]);
        case EventKind::shuffle:
            return l.kind == LineKind::shuffle && names.is_place(l.name, e.from);
        case EventKind::ended:
            return l.kind == LineKind::end && names.is(l.name, game().ends[e.name].name);
        case EventKind::becomes:
            return l.kind == LineKind::fact &&
                   names.any(l.text, [&](const std::string& language) { return fact_text(game(), e, language); });
        case EventKind::choice:
            return l.kind == (e.optional_no ? LineKind::no
                              : e.aloud     ? LineKind::names
                                            : LineKind::choice) &&
                   l.seat == e.seat && names.is(l.name, game().variables[e.name].name) && (e.optional_no || same_values(l, e));
        case EventKind::report:
        case EventKind::lot:
            return l.kind == (e.kind == EventKind::lot ? LineKind::lot : LineKind::report) &&
                   (e.kind == EventKind::report || l.seat == seer_of(e)) && names.is(l.name, game().variables[e.name].name) &&
                   same_values(l, e);
        case EventKind::answer:
        case EventKind::acts:
        case EventKind::begins:
        case EventKind::all_chose:
            return false;
    }
    return false;
}

// Events that happened by themselves since the last answer use up the lines that state them.
void Replaying::consume_forced() {
    for (; seen < events.size(); ++seen) {
        if (line() == nullptr || !follows(*line(), events[seen])) continue;
        came_from(seen, *line());
        go_past();
    }
}

void Replaying::came_from(std::size_t event, const Line& l) {
    if (lines_of == nullptr) return;
    lines_of->resize(events.size());
    (*lines_of)[event] = l.span;
}

std::optional<std::uint64_t> Replaying::chosen_move(const Node& n, const Line& l) const {
    const Type& type = type_of_step(n);
    if (l.values.size() == 1 && l.values[0] == "nothing") {
        const std::uint64_t move = run.move_for({});
        return move < n.moves ? std::optional(move) : std::nullopt;
    }
    // One value: whichever move is written so. Several: each value by its name.
    std::vector<std::int32_t> values;
    if (l.values.size() == 1 && n.moves <= 4096) {
        for (std::uint64_t m = 0; m < n.moves; ++m) {
            const Meant meant = run.meaning(m);
            if (meant.values.size() == 1 && names.is_value(l.values[0], type, meant.values[0])) return m;
        }
        // Of what chance picks older logs do not say where it lay: the first card of that kind.
        for (std::uint64_t m = 0; m < n.moves && n.kind == NodeKind::lot && element_type(type).base == Base::kind; ++m)
            if (names.is_kind(l.values[0], PlacedKind::of_value(run.meaning(m).values[0]).kind)) return m;
        return std::nullopt;
    }
    const Type element = element_type(type);
    for (const std::string& text : l.values) {
        const auto at_sign = text.find(" @ ");
        const std::string kind(trim(std::string_view(text).substr(0, at_sign)));
        bool found = false;
        for (std::int32_t v = element.base == Base::kind ? 0 : element.low;
             v <= (element.base == Base::kind ? game().kind_count() - 1 : element.high) && !found; ++v) {
            found = names.any(kind, [&](const std::string& language) { return value_name(game(), element, v, language); });
            if (!found) continue;
            PlaceId place = no_id;
            if (at_sign != std::string::npos) {
                for (PlaceId p = 1; p < game().places; ++p)
                    if (names.is_place(text.substr(at_sign + 3), p)) place = p;
            }
            values.push_back(place == no_id ? v : PlacedKind{KindId(v), place}.value());
        }
        if (!found) return std::nullopt;
    }
    const std::uint64_t move = run.move_for(values);
    return move < n.moves ? std::optional(move) : std::nullopt;
}

std::vector<Phrase> Replaying::what_fits(const Node& n) const {
    std::vector<Phrase> fits;
    const auto values = [&] {
        std::string text;
        for (std::uint64_t m = 0; m < n.moves && m < 12; ++m) {
            Type t = type_of_step(n);
            text += (m == 0 ? "" : " / ") + values_text(game(), t, run.meaning(m).values, "");
        }
        return n.moves > 12 ? text + " / …" : text;
    };
    const Step& s = run.machine().code[n.step];
    switch (n.kind) {
        case NodeKind::choose:
            fits.emplace_back(
                fmt::format("{}{} {} = {}", seat_name(n.seat), (s.mode & choice_aloud) != 0 ? " names" : ":", variable_name(n), values()));
            break;
        case NodeKind::consent:
            fits.emplace_back(fmt::format("{}: {} = … / no {}", seat_name(n.seat), variable_name(n), variable_name(n)));
            break;
        case NodeKind::ask:
            fits.emplace_back(fmt::format("{}: {} = yes / no", seat_name(n.seat), game().words[s.a]));
            break;
        case NodeKind::draw: {
            std::vector<std::string> kinds;
            for (std::uint64_t m = 0; m < n.moves; ++m) {
                const std::string kind = kind_text(game(), run.meaning(m).values[0]);
                if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
            }
            const PlaceId from = run.scalar(s.x);
            const PlaceId to = run.scalar(s.y);
            fits.emplace_back(fmt::format("deal {} -> {}: {}", place_name(game(), from), place_name(game(), to), fmt::join(kinds, " / ")));
            break;
        }
        case NodeKind::report:
            fits.emplace_back(fmt::format("table: {} = {}", variable_name(n), values()));
            break;
        case NodeKind::lot:
            fits.emplace_back(fmt::format("lot{}: {} = {}", seer_text(seer_at(n)), variable_name(n), values()));
            break;
        case NodeKind::window:
            fits.emplace_back(fmt::format("act {}: {}", game().acts[s.a].name, audience_text(n.seats, game().players)));
            break;
        case NodeKind::over:
            fits.emplace_back(Text::nothing_game_over);
            break;
        case NodeKind::failed:
            fits.push_back(Phrase::each([&](Language language) { return text(game(), run.failure(), language); }));
            break;
    }
    return fits;
}

bool Replaying::misfit(const Node& n) {
    const Line& l = *line();
    if (hidden(l))
        report(diagnostics, Code::hidden_in_log, l.span).help = Text::replay_whole_log;
    else
        report(diagnostics, Code::line_does_not_fit, l.span, l.text).help = Text::what_fits(listed(what_fits(n), Text::one_or_other));
    return false;
}

void Replaying::note_act() {
    if (windows_left == 0) return;
    if (std::cmp_equal(acts.size(), windows_tried)) acts.erase(acts.begin());
    const auto state = run.state();
    acts.push_back({{state.begin(), state.end()}, events.size(), at, used, seen});
}

void Replaying::note_misfit() {
    if (acts.empty() && !furthest) return;  // there is one way only
    if (furthest && furthest->used >= used) return;
    const auto state = run.state();
    furthest = Misfit{{state.begin(), state.end()},
                      events,
                      lines_of == nullptr ? std::vector<std::optional<Span>>{} : *lines_of,
                      used,
                      diagnostics.back()};
}

// No way fits: what is told, and where the run waits, is the one that went on longest.
void Replaying::tell_furthest() {
    if (!furthest || windows_left == windows_tried || is_stopped(run) || over(stop)) return;
    run.set_state(furthest->state);
    run.advance();
    events = std::move(furthest->events);
    diagnostics.back() = furthest->told;
    if (lines_of != nullptr) *lines_of = std::move(furthest->lines_of);
}

// The act that was taken last is one of a later window: nobody acts where it was. False when none is left for that.
bool Replaying::act_later() {
    if (acts.empty() || windows_left == 0) return false;
    --windows_left;
    const TakenAct last = std::move(acts.back());
    acts.pop_back();
    diagnostics.pop_back();  // that the line does not fit
    run.set_state(last.state);
    events.resize(last.events);
    if (lines_of != nullptr && lines_of->size() > last.events) lines_of->resize(last.events);
    at = last.at;
    card = 0;
    used = last.used;
    seen = last.seen;
    run.advance();
    run.apply(0);
    return true;
}

// Answers the node from the next line. False when the line does not fit.
bool Replaying::answer(const Node& n) {
    const Line& l = *line();
    const Step& s = run.machine().code[n.step];
    const auto take = [&](std::uint64_t move) {
        run.apply(move);
        go_past();
        // The event of the answer itself is what the line said.
        return true;
    };
    switch (n.kind) {
        case NodeKind::window: {
            if (l.kind != LineKind::acts || !names.is(l.name, game().acts[s.a].name)) {
                run.apply(0);
                return true;
            }
            if (l.values == std::vector<std::string>{"nobody"}) return take(0);
            std::vector<std::int32_t> who;
            for (const std::string& v : l.values) who.push_back(seat_of(v).value_or(99));
            const std::uint64_t move = run.move_for(who);
            if (move == 0 || (move & ~std::uint64_t{n.seats}) != 0) return misfit(n);
            note_act();
            return take(move);
        }
        case NodeKind::consent: {
            const bool about = l.seat == n.seat && names.is(l.name, variable_name(n));
            if (about && l.kind == LineKind::no) return take(0);
            run.apply(about && (l.kind == LineKind::choice || l.kind == LineKind::names) ? 1 : 0);
            return true;
        }
        case NodeKind::ask: {
            const bool about = l.kind == LineKind::choice && l.seat == n.seat && names.is(l.name, game().words[s.a]);
            if (!about) {
                run.apply(0);  // who says nothing does not do it
                return true;
            }
            const bool yes = l.values.size() == 1 && l.values[0] == "yes";
            return yes || (l.values.size() == 1 && l.values[0] == "no") ? take(yes ? 1 : 0) : misfit(n);
        }
        case NodeKind::choose: {
            const bool aloud = (s.mode & choice_aloud) != 0;
            const bool about =
                l.kind == (aloud ? LineKind::names : LineKind::choice) && l.seat == n.seat && names.is(l.name, variable_name(n));
            const auto move = about && !hidden(l) ? chosen_move(n, l) : std::nullopt;
            return move ? take(*move) : misfit(n);
        }
        case NodeKind::draw: {
            const bool about = l.kind == LineKind::draw && names.is_place(l.to, run.scalar(s.y)) && names.is_place(l.from, run.scalar(s.x));
            for (std::uint64_t m = 0; about && m < n.moves; ++m)
                if (names.is_kind(said(l)[0], run.meaning(m).values[0])) return take(m);
            return misfit(n);
        }
        case NodeKind::report:
        case NodeKind::lot: {
            const bool kind = n.kind == NodeKind::lot ? l.kind == LineKind::lot && l.seat == seer_at(n) : l.kind == LineKind::report;
            const bool about = kind && names.is(l.name, variable_name(n));
            const auto move = about ? chosen_move(n, l) : std::nullopt;
            return move ? take(*move) : misfit(n);
        }
        case NodeKind::over:
        case NodeKind::failed:
            return misfit(n);
    }
    return false;
}

bool Replaying::run_along() {
    for (std::size_t nodes = 1;; ++nodes) {
        if (nodes % lines_between_looks == 0 && over(stop)) return false;
        const Node& n = run.advance();
        if (is_stopped(run)) return false;
        consume_forced();
        if (line() == nullptr) return true;
        const std::size_t before = events.size();
        const std::size_t next_line = at;
        const std::size_t used_before = used;
        if (!answer(n)) {
            note_misfit();
            if (!act_later()) return false;
            continue;
        }
        // What the answer itself recorded is the line just read; anything else it caused is compared with the lines that follow.
        if (events.size() == before) continue;
        seen = std::max(seen, before + 1);
        if (used > used_before) came_from(before, lines[next_line]);
    }
}

}  // namespace

bool replay(const Sources& sources, std::size_t index, const LogHead& head, Run& run, Events& events, Diagnostics& diagnostics,
            std::vector<std::optional<Span>>* lines, const Stop* stop) {
    Replaying r{run, events, diagnostics, read_lines(sources, index, head.body, diagnostics, stop), Names(run.machine()), lines, stop};
    if (has_errors(diagnostics) || is_cut_off(r.lines, stop)) return false;
    if (run.machine().game.players != head.players) return false;
    run.record(&events);
    run.stop_on(stop);
    run.start();
    r.seen = events.size();
    const bool fits = r.run_along();
    if (!fits) r.tell_furthest();
    run.stop_on(nullptr);
    if (lines != nullptr) lines->resize(events.size());
    return fits;
}

}  // namespace houserule
