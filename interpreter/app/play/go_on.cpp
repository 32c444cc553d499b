#include "interpreter/app/play/go_on.hpp"

#include <algorithm>
#include <utility>

namespace houserule::cli {

int first_of(Seats seats) {
    int p = 0;
    while ((seats >> p & 1) == 0) ++p;
    return p;
}

namespace {

bool came_from_outside(const Event& e) {
    switch (e.kind) {
        case EventKind::choice:
        case EventKind::answer:
        case EventKind::draw:
        case EventKind::report:
        case EventKind::lot:
        case EventKind::acts:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool has_news(const Session& s, int seat) {
    const std::size_t p = seat;
    const auto untold = std::next(s.events.begin(), std::max(s.told[p], s.noticed[p]));
    bool by_others = false;  // what follows from this person's own decision is none
    bool by_nobody = std::none_of(s.events.begin(), untold, came_from_outside);
    for (auto at = untold; at != s.events.end(); ++at) {
        const Event& e = *at;
        const bool chance = e.kind == EventKind::draw || e.kind == EventKind::lot;
        const bool decided = e.kind == EventKind::choice || e.kind == EventKind::answer;
        by_others = by_others || chance || (decided && e.seat != seat) ||
                    (e.kind == EventKind::acts && e.values != std::vector<std::int32_t>{seat});
        by_nobody = by_nobody && !came_from_outside(e);
        if ((by_others || by_nobody) && e.kind != EventKind::begins && !e.joint && (e.audience >> seat & 1) != 0) return true;
    }
    return false;
}

namespace {

// People who should be asked whether they act before the game goes on.
Seats to_be_asked(const Session& s, int deciding) {
    Seats who = 0;
    for (const Opening& o : s.openings) who |= o.people;
    for (int p = 0; p < s.game().players; ++p)
        if (p == deciding || ((who >> p & 1) != 0 && !has_news(s, p))) who = who & ~(1U << p);
    return who;
}

// The people who want to do the act of this window and may; who does it wants it no more.
Seats wishing(Session& s, const Node& window) {
    if (s.wishes.empty()) return no_seats;
    Seats& wishes = s.wishes[s.machine->code[window.step].a.value()];
    const Seats who = wishes & window.seats & s.people;
    wishes &= ~who;
    return who;
}

Opening opening_here(const Session& s, const Node& window, Seats people) {
    Opening opening;
    opening.act = s.machine->code[window.step].a;
    opening.people = people;
    const Moment now = moment_of(s, -1);
    opening.state = now.state;
    opening.events = now.events;
    opening.random = s.random;
    return opening;
}

WindowAfter after_what(const Events& events, StepId window) {
    for (auto e = events.rbegin(); e != events.rend(); ++e)
        if (e->kind != EventKind::begins && e->kind != EventKind::all_chose)
            return {window, e->kind, e->seat, e->name, e->index, e->from, e->to};
    return {window};
}

void note_passed(Session& s, const Node& window, int seat) {
    s.let_pass.resize(s.game().players);
    std::vector<WindowAfter>& all = s.let_pass[seat];
    if (const WindowAfter now = after_what(s.events, window.step); std::ranges::find(all, now) == all.end()) all.push_back(now);
}

// What comes if nobody acts at the window where the run waits.
struct Following {
    Node node;
    WindowAfter after;        // where it is a window
    Seats choose = no_seats;  // for whom a choice was made until there, since there was nothing else to choose
};
Following next_if_nobody_acts(Session& s) {
    const std::vector<std::byte> state(s.run->state().begin(), s.run->state().end());
    const std::size_t events = s.events.size();
    s.run->apply(0);
    Following next;
    next.node = s.run->advance();
    if (next.node.kind == NodeKind::window) next.after = after_what(s.events, next.node.step);
    for (std::size_t i = events; i < s.events.size(); ++i)
        if (s.events[i].kind == EventKind::choice) next.choose |= seat_bit(s.events[i].seat);
    s.events.resize(events);
    s.run->set_state(state);
    s.run->advance();
    return next;
}

bool decides(const Node& n, int seat) {
    return n.seat == seat && (n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask);
}

// Whether a window comes again, after the same, before this person is asked anything: then they would not be asked of this one.
bool comes_round(const Session& s, int seat, const WindowAfter& here, const Following& next) {
    static const std::vector<WindowAfter> none;
    const std::vector<WindowAfter>& passed = s.let_pass.empty() ? none : s.let_pass[seat];
    const auto has_passed = [&](const WindowAfter& w) { return std::ranges::find(passed, w) != passed.end(); };
    if (next.node.kind == NodeKind::window) return next.after == here || has_passed(next.after);
    const bool deals_on = next.node.kind == NodeKind::draw && !s.events.empty() && s.events.back().step == next.node.step;
    return !decides(next.node, seat) && !deals_on && has_passed(here);
}

// Of the people who may act at this window: who must be asked at once. A statement that offers an act asks for it there. What is open at
// any time is asked for beside the next question, or before somebody else decides; here if the window comes again before, or if a choice is
// made for them before, which leaves no question.
Seats to_be_asked_here(Session& s, const Node& n) {
    const Seats people = n.seats & s.people & ~s.asked_here;
    if (people == no_seats) return no_seats;
    const bool any_time = s.game().acts[ActId(s.machine->code[n.step].a)].any_time;
    const Following next = next_if_nobody_acts(s);
    const WindowAfter here = after_what(s.events, n.step);
    Seats who = no_seats;
    for (int p = 0; p < s.game().players; ++p) {
        if ((people & seat_bit(p)) == 0) continue;
        const bool is_next = n.seats == seat_bit(p) && decides(next.node, p) && !s.asks_at_windows;
        const bool is_forced = (next.choose & seat_bit(p)) != 0 && !s.asks_at_windows;
        if (any_time ? is_forced || comes_round(s, p, here, next) : !is_next) who |= seat_bit(p);
    }
    return who;
}

// Lets players who deduce and random ones act or not; people are remembered to be asked later.
void pass_window(Session& s) {
    const Node n = s.run->node();
    for (int p = 0; p < s.game().players; ++p)
        if ((n.seats & s.people & seat_bit(p)) != 0) note_passed(s, n, p);
    // Who was asked here has let it pass.
    const Seats people = n.seats & s.people & ~std::exchange(s.asked_here, no_seats);
    while (!s.openings.empty() && s.openings.back().events == s.events.size() && s.openings.back().is_asked) s.openings.pop_back();
    Opening opening = opening_here(s, n, people);
    std::uint64_t who = random_move(*s.run, s.random, s.volunteer_per_million) & ~std::uint64_t{s.people} & ~std::uint64_t{s.deducing};
    who |= wishing(s, n);
    for (int p = 0; p < s.game().players; ++p)
        if ((n.seats & s.deducing) >> p & 1) who |= answer_of(s, p) << p;
    opening.random = s.random;
    if (who != 0)
        s.openings.clear();  // from here on others have acted
    else if (people != 0)
        s.openings.push_back(std::move(opening));
    if (!interrupted()) s.run->apply(who);  // who was stopped while thinking has not decided
}

// At a window: the people who are asked before it closes; in some sessions also those who were told something since the last one.
Seats asked_at_window(Session& s, const Node& n) {
    Seats who = to_be_asked_here(s, n);
    for (int p = 0; s.asks_at_windows && p < s.game().players; ++p)
        if ((n.seats & s.people & seat_bit(p)) != 0 && has_news(s, p)) who |= seat_bit(p);
    return who;
}

bool must_think(const Session& s, const Node& n) { return n.kind == NodeKind::window ? (n.seats & s.deducing) != 0 : s.deduces(n.seat); }

// A decision of somebody who is no person here. False when it was interrupted: who was stopped while thinking has not decided.
bool decide_by_itself(Session& s, const Node& n) {
    s.openings.clear();
    const std::uint64_t move = s.deduces(n.seat) ? answer_of(s, n.seat) : random_move(*s.run, s.random);
    if (interrupted()) return false;
    s.run->apply(move);
    return true;
}

}  // namespace

Waiting go_on(Session& s, Thoughts thoughts) {
    const auto may_think = [&](const Node& n) {
        if (!must_think(s, n)) return true;
        if (thoughts == Thoughts::together || (n.joint && s.asks_people_first)) return n.joint && thoughts == Thoughts::together;
        if (thoughts == Thoughts::none) return false;
        if (thoughts == Thoughts::one) thoughts = Thoughts::none;
        return true;
    };
    for (bool first = true;; first = false) {
        const Node n = s.run->advance();
        if (interrupted()) return {Waiting::interrupted};
        if (n.settled && !first && thoughts == Thoughts::together) thoughts = Thoughts::none;
        if (n.kind == NodeKind::failed) return {Waiting::failed};
        if (n.kind == NodeKind::window) {
            if (const Seats who = asked_at_window(s, n); who != 0) {
                s.asked_here |= who;
                if (!s.asks_at_windows) {
                    s.openings.push_back(opening_here(s, n, who));
                    s.openings.back().is_asked = true;
                }
                return {Waiting::acts, -1, who};
            }
            if (!may_think(n)) return {Waiting::thinking};
            pass_window(s);
            continue;
        }
        const bool chance = n.kind == NodeKind::draw || n.kind == NodeKind::lot;
        const bool report = n.kind == NodeKind::report;
        if (chance || (report && s.people == 0)) {
            s.run->apply(random_move(*s.run, s.random));
            continue;
        }
        const Seats who = s.asks_at_windows ? no_seats : to_be_asked(s, n.kind == NodeKind::over || report ? -1 : n.seat);
        if (who != 0) return {Waiting::acts, -1, who};
        if (n.kind == NodeKind::over) return {Waiting::over};
        if (report) return {Waiting::decision, s.decisions.empty() ? first_of(s.people) : s.decisions.back().seat};
        if (s.is_person(n.seat)) return {Waiting::decision, n.seat};
        if (!may_think(n)) return {Waiting::thinking};
        if (!decide_by_itself(s, n)) return {Waiting::interrupted};
    }
}

void decide(Session& s, std::uint64_t move) {
    const int seat = s.run->node().seat;
    if (seat >= 0 && std::cmp_less(seat, s.let_pass.size())) s.let_pass[seat].clear();
    s.run->apply(move);
    s.openings.clear();
}

}  // namespace houserule::cli
