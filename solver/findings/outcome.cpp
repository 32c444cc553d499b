#include "solver/findings/outcome.hpp"

#include "dsl/check/check.hpp"
#include "interpreter/log/line.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace houserule {

namespace {

std::span<const std::byte> bytes(const TableView& run, std::uint32_t from, std::size_t count) { return run.state().subspan(from, count); }

bool same_bytes(const TableView& a, const TableView& b, std::uint32_t from, std::size_t count) {
    const auto x = bytes(a, from, count);
    return std::equal(x.begin(), x.end(), bytes(b, from, count).begin());
}

bool same_place(const TableView& a, const TableView& b, PlaceId place) {
    const Machine& m = a.machine();
    const std::size_t p = place;
    if (!same_bytes(a, b, m.layout.place[p], m.layout.words * 8)) return false;
    return m.layout.order[p] == 0 || (a.parts(place) == b.parts(place) && a.kinds_at(place) == b.kinds_at(place));
}

std::string fact_value(const TableView& run, FactId fact, std::int32_t index, Language language) {
    const Game& game = run.machine().game;
    const Fact& f = game.facts[fact];
    if (run.fact(fact, index) == unset_value) return std::string(FindingText::no_value.in(language));
    if (is_of_many(f.type)) {
        Type element = f.type;
        element.base = f.type.element;
        element.element = Base::nothing;
        return fmt::format("{{{}}}", values_text(game, element, run.fact_set(fact, index), code_of(language)));
    }
    return value_name(game, f.type, run.fact(fact, index), code_of(language));
}

std::string place_value(const TableView& run, PlaceId place, Language language) {
    const std::vector<KindId> kinds = run.kinds_at(place);
    if (kinds.empty()) return std::string(FindingText::empty.in(language));
    return faces_text(run.machine().game, kinds, true, code_of(language));
}

Sentence may_choose(const std::string& seat, const Sentence& what) { return FindingText::may_choose(seat, what); }

}  // namespace

bool same_node(Run& a, Run& b) {
    const Node& x = a.node();
    const Node& y = b.node();
    if (x.kind != y.kind || x.seat != y.seat || x.moves != y.moves || x.seats != y.seats) return false;
    if (x.kind == NodeKind::over) return a.in_front() == b.in_front() && a.scores() == b.scores() && a.payoffs() == b.payoffs();
    return x.step == y.step;
}

std::string seats_text(const std::vector<std::int32_t>& seats) {
    std::vector<std::string> names;
    for (const std::int32_t s : seats) names.push_back(seat_name(s));
    return fmt::format("{}", fmt::join(names, ", "));
}

Sentence named(const Game& game, const std::string& name) {
    return Sentence::each([&](Language language) { return label(game, name, code_of(language)); });
}

Sentence failure_text(const Game& game, const Failure& failure) {
    return Sentence::each([&](Language language) { return text(game, failure, language); });
}

Sentence join(const std::vector<Sentence>& parts) {
    return listed(std::vector<Phrase>(parts.begin(), parts.end()), FindingText::one_then_another);
}

Sentence waits_for(Run& run) {
    const Node& n = run.node();
    const Machine& m = run.machine();
    const Game& game = m.game;
    const Step& s = m.code[std::max(StepId(0), n.step)];
    const std::string seat = n.seat >= 0 ? seat_name(n.seat) : "";
    switch (n.kind) {
        case NodeKind::choose: {
            const Sentence what = named(game, game.variables[s.a].name);
            // A log ends before somebody agrees to choose: that is one line with what is chosen.
            if ((s.mode & choice_optional) != 0) return may_choose(seat, what);
            return FindingText::chooses_possibilities(seat, what, n.moves);
        }
        case NodeKind::consent:
            return may_choose(seat, named(game, game.variables[s.a].name));
        case NodeKind::ask: {
            const Sentence what = s.a == no_id ? Sentence{} : named(game, game.words[s.a]);
            return FindingText::may_do(seat, what);
        }
        case NodeKind::draw:
            return FindingText::a_card_is_drawn;
        case NodeKind::lot:
            return FindingText::a_lot_is_drawn;
        case NodeKind::report:
            return FindingText::the_table_tells_something;
        case NodeKind::window: {
            const Sentence act = named(game, game.acts[s.a].name);
            return FindingText::anybody_may(act);
        }
        case NodeKind::failed:
            return FindingText::the_rules_break_off(failure_text(game, run.failure()));
        case NodeKind::over:
            break;
    }
    const EndId end = run.ended();
    const Sentence how = end == no_id ? Sentence{FindingText::played_to_the_end} : named(game, game.ends[end].name);
    const auto front = run.in_front();
    const bool nobody = !front || front->empty();
    if (nobody) return FindingText::over_nobody_wins(how);
    return front->size() > 1 ? FindingText::over_these_win(how, seats_text(*front))
                             : FindingText::over_this_one_wins(how, seats_text(*front));
}

std::pair<Sentence, Sentence> table_differences(const TableView& a, const TableView& b) {
    const Machine& m = a.machine();
    const Game& game = m.game;
    std::vector<Sentence> first;
    std::vector<Sentence> second;
    const auto add = [&](const auto& name, const auto& value) {
        const auto said = [&](const TableView& run) {
            return Sentence::each([&](Language language) { return fmt::format("{}: {}", name(language), value(run, language)); });
        };
        first.push_back(said(a));
        second.push_back(said(b));
    };
    for (PlaceId p = 1; p < game.places; ++p) {
        if (same_place(a, b, p)) continue;
        add([&](Language l) { return place_name(game, p, code_of(l)); },
            [&](const TableView& r, Language l) { return place_value(r, p, l); });
    }
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            if (a.fact(f, i) == b.fact(f, i) && (!is_of_many(fact.type) || a.fact_set(f, i) == b.fact_set(f, i))) continue;
            const std::int32_t index = fact.by == IndexBy::nothing ? no_id : i;
            add([&](Language l) { return fact_name(game, f, index, code_of(l)); },
                [&](const TableView& r, Language l) { return fact_value(r, f, i, l); });
        }
    }
    return {join(first), join(second)};
}

std::pair<Sentence, Sentence> outcome_differences(Run& a, Run& b) {
    auto [first, second] = table_differences(a, b);
    if (!same_node(a, b) || first.empty()) {
        first = first.empty() ? waits_for(a) : join({first, waits_for(a)});
        second = second.empty() ? waits_for(b) : join({second, waits_for(b)});
    }
    return {first, second};
}

}  // namespace houserule
