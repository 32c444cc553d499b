#include "interpreter/app/play/go_on.hpp"

#include <algorithm>

namespace houserule::cli {

int first_of(Seats seats) {
    int p = 0;
    while ((seats >> p & 1) == 0) ++p;
    return p;
}

bool has_news(const Session& s, int seat) {
    const std::size_t p = seat;
    bool by_others = false;  // what follows from this person's own decision is none
    for (std::size_t i = std::max(s.told[p], s.noticed[p]); i < s.events.size(); ++i) {
        const Event& e = s.events[i];
        const bool chance = e.kind == EventKind::draw || e.kind == EventKind::lot;
        const bool decided = e.kind == EventKind::choice || e.kind == EventKind::answer;
        by_others = by_others || chance || (decided && e.seat != seat) ||
                    (e.kind == EventKind::acts && e.values != std::vector<std::int32_t>{seat});
        if (by_others && e.kind != EventKind::begins && !e.joint && (e.audience >> seat & 1) != 0) return true;
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

// Lets players who deduce and random ones act or not; people are remembered to be asked later.
void pass_window(Session& s) {
    const Node n = s.run->node();
    const Seats people = n.seats & s.people;
    Opening opening;
    opening.act = s.machine->code[n.step].a;
    opening.people = people;
    const Moment now = moment_of(s, -1);
    opening.state = now.state;
    opening.events = now.events;
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

// At a window: whether people are asked before it closes, since they were told something since the last one.
Seats asked_at_window(const Session& s, const Node& n) {
    Seats who = no_seats;
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
            if (const Seats who = asked_at_window(s, n); who != 0) return {Waiting::acts, -1, who};
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
    s.run->apply(move);
    s.openings.clear();
}

}  // namespace houserule::cli
