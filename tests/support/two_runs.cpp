#include "tests/support/two_runs.hpp"

#include "interpreter/machine/never.hpp"
#include "interpreter/plain/plain_run.hpp"
#include "interpreter/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace houserule::testing {

namespace {

// Rounds between two answers. The plain stepper makes more of them, since it joins no steps: a few times as many as there are players.
constexpr std::uint64_t most_rounds = 2'000;
constexpr std::uint64_t most_plain_rounds = 30 * most_rounds;
constexpr std::uint64_t moves_looked_at = 32;  // of larger offers, the ends and some between

using Found = std::optional<std::string>;

template <class T>
Found different(const std::string& what, const T& fast, const T& plain) {
    if (fast == plain) return std::nullopt;
    return fmt::format("{}: fast {}, plain {}", what, fast, plain);
}

// The first of several differences.
Found first_of(const std::vector<std::function<Found()>>& looks) {
    for (const auto& look : looks)
        if (Found found = look()) return found;
    return std::nullopt;
}

// ---- in words ----------------------------------------------------------------------------------------------------------------

std::string text(const Event& e) {
    return fmt::format(
        "[kind {} seat {} name {} index {} value {} aloud {} no {} joint {} from {} to {} values {} pieces {} audience {} faces {} step {} "
        "rule {}]",
        static_cast<int>(e.kind), e.seat, e.name.value(), e.index, e.value, e.aloud, e.optional_no, e.joint, e.from, e.to, e.values,
        e.pieces, e.audience, e.faces, e.step.value(), e.rule.value());
}

std::string text(const Events& events) {
    std::string all;
    for (const Event& e : events) all += text(e) + " ";
    return all;
}

std::string text(const Node& n) {
    return fmt::format("[kind {} seat {} moves {} seats {} joint {} step {} settled {}]", static_cast<int>(n.kind), n.seat, n.moves,
                       n.seats, n.joint, n.step.value(), n.settled);
}

std::string text(const Failure& f) {
    return fmt::format("[{} source {} bytes {}-{} place {} fact {} number {}]", static_cast<int>(f.kind), f.span.source, f.span.begin,
                       f.span.end, f.place, f.fact.value(), f.number);
}

std::string text(const NeverReached& never) {
    std::string all = "rules";
    for (const RuleId r : never.rules) all += fmt::format(" {}", r.value());
    all += " cases";
    for (const CameUp::Place& p : never.cases) all += fmt::format(" {}", p.span.begin);
    all += " ends";
    for (const EndId e : never.ends) all += fmt::format(" {}", e.value());
    return all;
}

std::string text(const Tally& t) {
    return fmt::format("decisions {} options {} forced {} chances {} windows {} steps {} taken {}", t.decisions, t.options, t.forced,
                       t.chances, t.windows, fmt::join(t.steps, " "), fmt::join(t.taken, " "));
}

// ---- the table ---------------------------------------------------------------------------------------------------------------

// Kinds with their places: which of several copies it is makes no difference.
std::vector<std::pair<KindId, PlaceId>> placed(const TableView& run, const std::vector<std::int32_t>& pieces) {
    std::vector<std::pair<KindId, PlaceId>> all;
    for (const std::int32_t p : pieces) all.emplace_back(run.machine().game.piece_kind[p], run.place_of(p));
    std::sort(all.begin(), all.end());
    return all;
}

Found places_differ(const TableView& fast, const TableView& plain) {
    for (PlaceId p = 0; p < fast.machine().game.places; ++p) {
        if (Found f = different(fmt::format("place {}", p), fast.kinds_at(p), plain.kinds_at(p))) return f;
        if (Found f = different(fmt::format("parts of place {}", p), fast.parts(p), plain.parts(p))) return f;
        if (Found f = different(fmt::format("size of place {}", p), fast.size_at(p), plain.size_at(p))) return f;
    }
    return std::nullopt;
}

Found facts_differ(const TableView& fast, const TableView& plain) {
    const Game& game = fast.machine().game;
    for (const FactId id : game.facts.ids()) {
        const bool many = game.facts[id].type.base == Base::set;
        for (std::int32_t i = 0; i < game.facts[id].count; ++i) {
            const std::string name = fmt::format("fact {}[{}]", game.facts[id].name, i);
            Found f =
                many ? different(name, fast.fact_set(id, i), plain.fact_set(id, i)) : different(name, fast.fact(id, i), plain.fact(id, i));
            if (f) return f;
        }
    }
    return std::nullopt;
}

Found variables_differ(const TableView& fast, const TableView& plain) {
    const Game& game = fast.machine().game;
    const auto card = [](const TableView& run, VariableId v) {
        const std::int32_t piece = run.variable(v);
        return piece < 0 ? placed(run, {}) : placed(run, {piece});
    };
    for (const VariableId v : game.variables.ids()) {
        const Base base = game.variables[v].type.base;
        const std::string name = fmt::format("variable {}#{}", game.variables[v].name, v.value());
        Found f = base == Base::card    ? different(name, card(fast, v), card(plain, v))
                  : base == Base::cards ? different(name, placed(fast, fast.variable_set(v)), placed(plain, plain.variable_set(v)))
                  : base == Base::set   ? different(name, fast.variable_set(v), plain.variable_set(v))
                                        : different(name, fast.variable(v), plain.variable(v));
        if (f) return f;
    }
    return std::nullopt;
}

// ---- what is offered ---------------------------------------------------------------------------------------------------------

Found move_differs(const MoveNames& fast, const MoveNames& plain, std::uint64_t move) {
    const std::vector<std::int32_t> values = fast.meaning(move).values;
    const std::string name = fmt::format("move {} of {}", move, fast.node().moves);
    return first_of({
        [&] { return different(name, values, plain.meaning(move).values); },
        [&] { return different("the weight of " + name, fast.outcome_weight(move), plain.outcome_weight(move)); },
        [&] { return different(fmt::format("the move for {}", values), fast.move_for(values), plain.move_for(values)); },
    });
}

// Values that may not be offered: both know them, or neither.
Found stray_differs(const MoveNames& fast, const MoveNames& plain, const std::vector<std::int32_t>& values) {
    return different(fmt::format("whether {} is offered", values), fast.move_for(values) < fast.node().moves,
                     plain.move_for(values) < plain.node().moves);
}

Found moves_differ(const MoveNames& fast, const MoveNames& plain, Random& other) {
    const Node& n = fast.node();
    if (n.kind == NodeKind::window) {
        for (std::uint64_t who = 0; who < n.moves; ++who)
            if ((who & ~std::uint64_t{n.seats}) == 0)
                if (Found f = move_differs(fast, plain, who)) return f;
        return std::nullopt;
    }
    for (std::uint64_t i = 0; i < std::min(n.moves, moves_looked_at); ++i) {
        const std::uint64_t move = n.moves <= moves_looked_at ? i : i == 0 ? 0 : i == 1 ? n.moves - 1 : other.below(n.moves);
        if (Found f = move_differs(fast, plain, move)) return f;
    }
    std::vector<std::vector<std::int32_t>> strays{{}, {-1}, {1}, {0, 0}, {1000}};
    for (const std::uint64_t at : {std::uint64_t{0}, n.moves - 1}) {
        if (n.moves == 0) continue;
        const std::vector<std::int32_t> values = fast.meaning(at).values;
        if (values.size() == 1) strays.insert(strays.end(), {{values[0] - 1}, {values[0] + 1}});
    }
    for (const std::vector<std::int32_t>& values : strays)
        if (Found f = stray_differs(fast, plain, values)) return f;
    return std::nullopt;
}

// ---- side by side ------------------------------------------------------------------------------------------------------------

// The engine with its events recorded, the engine without, and the plain stepper.
struct Three {
    Three(const std::shared_ptr<const Machine>& machine, const std::shared_ptr<const Machine>& plain_machine, std::uint64_t seed,
          std::size_t most_nodes)
        : m(machine),
          plain_m(plain_machine),
          fast(make_run(machine)),
          unrecorded(make_run(machine)),
          plain(make_plain_run(plain_machine)),
          random(seed),
          other(~seed),
          first_seed(seed),
          ask_forced(other.below(4) == 0),
          left(most_nodes) {
        fast->record(&told);
        plain->record(&meant);
        for (Run* const run : runs()) {
            run->limit_forced(run == plain.get() ? most_plain_rounds : most_rounds);
            run->ask_forced(ask_forced);
        }
    }

    // Until the game is over, or `left` is.
    Found play() {
        for (; left > 0; --left) {
            for (Run* const run : runs()) run->advance();
            if (goes_on_for_ever(*fast)) return std::nullopt;
            if (Found f = node_differs()) return f;
            if (is_end()) return end_differs();
            const std::uint64_t move = random_move(*fast, random);
            for (Run* const run : runs()) run->apply(move);
        }
        return std::nullopt;
    }
    std::string where() const {
        const Node& n = fast->node();
        return fmt::format("node {} at step {}, plain at step {}", nodes, n.step.value(), plain->node().step.value());
    }

private:
    std::vector<Run*> runs() { return {fast.get(), unrecorded.get(), plain.get()}; }
    static bool goes_on_for_ever(const Run& run) {
        return run.node().kind == NodeKind::failed && run.failure().kind == FailureKind::goes_on_for_ever;
    }
    bool is_end() const { return fast->node().kind == NodeKind::over || fast->node().kind == NodeKind::failed; }

    Found node_differs() {
        ++nodes;
        const bool broke = fast->node().kind == NodeKind::failed;
        Found f = first_of({
            [&] { return different("node", text(fast->node()), text(plain->node())); },
            [&] { return broke ? failure_differs() : std::nullopt; },
            [&] { return different("events", text(told), text(meant)); },
            [&] { return recording_differs(broke); },
        });
        if (f || broke) return f;
        told.clear();
        meant.clear();
        return first_of({
            [&] { return moves_differ(*fast, *plain, other); },
            [&] { return places_differ(*fast, *plain); },
            [&] { return facts_differ(*fast, *plain); },
            [&] { return variables_differ(*fast, *plain); },
            [&] { return different("forced choices", fast->forced(), plain->forced()); },
        });
    }
    Found failure_differs() const {
        const std::vector<Failure>& broken = plain->failures();
        const std::string failure = text(fast->failure());
        if (std::any_of(broken.begin(), broken.end(), [&](const Failure& f) { return text(f) == failure; })) return std::nullopt;
        return different("failure", failure, text(plain->failure()));
    }
    // Whether events are recorded makes no difference; nor does it whether a run begins at a state of another.
    Found recording_differs(bool broke) {
        if (Found f = different("node, recorded and not", text(fast->node()), text(unrecorded->node()))) return f;
        if (broke) return different("failure, recorded and not", text(fast->failure()), text(unrecorded->failure()));
        if (!std::ranges::equal(fast->state(), unrecorded->state())) return "the states of a recorded run and of another differ";
        if (other.below(8) != 0) return std::nullopt;
        unrecorded->set_state(fast->state());
        unrecorded->advance();
        Node again = unrecorded->node();
        again.settled = fast->node().settled;  // it says what happened on the way
        return different("node of a run that begins at this state", text(fast->node()), text(again));
    }

    Found end_differs() {
        Found f = first_of({
            [&] { return different("what was never reached", text(never(*fast)), text(never(*plain))); },
            [&] { return fast->node().kind == NodeKind::over ? results_differ() : std::nullopt; },
        });
        return f || ask_forced ? f : replay_differs();
    }
    NeverReached never(const Run& run) const { return never_reached(*m, run.reached()); }
    Found results_differ() {
        Random lots(first_seed);
        Random same_lots(first_seed);
        return first_of({
            [&] { return different("end", fast->ended().value(), plain->ended().value()); },
            [&] { return different("scores", fast->scores(), plain->scores()); },
            [&] { return different("payoffs", fast->payoffs(), plain->payoffs()); },
            [&] { return different("whether somebody is in front", fast->in_front().has_value(), plain->in_front().has_value()); },
            [&] { return different("winners", fast->winners(lots), plain->winners(same_lots)); },
        });
    }
    // The same game, as fast as it is played when nobody watches.
    Found replay_differs() {
        std::unique_ptr<Run> quick = make_run(m);
        std::unique_ptr<Run> slow = make_plain_run(plain_m);
        Tally of_quick;
        Tally of_slow;
        for (const auto& [run, counted] : {std::pair(quick.get(), &of_quick), std::pair(slow.get(), &of_slow)}) {
            counted->steps.assign(m->code.size(), 0);
            counted->taken.assign(m->code.size(), 0);
            run->limit_forced(run == slow.get() ? most_plain_rounds : most_rounds);
            Random again(first_seed);
            play_random(*run, again, *counted);
        }
        if (Found f = different("tally of a game at random", text(of_quick), text(of_slow))) return f;
        if (Found f = different("last node of a game at random", text(quick->node()), text(fast->node()))) return f;
        if (fast->node().kind == NodeKind::failed) return different("failure at random", text(quick->failure()), text(fast->failure()));
        if (!std::ranges::equal(quick->state(), fast->state()))
            return "the last states of a game at random and of the same move by move differ";
        return std::nullopt;
    }

    std::shared_ptr<const Machine> m;
    std::shared_ptr<const Machine> plain_m;
    std::unique_ptr<Run> fast;
    std::unique_ptr<Run> unrecorded;
    std::unique_ptr<ReferenceRun> plain;
    Events told;
    Events meant;
    Random random;
    Random other;  // for what is looked at: the game itself is that of `first_seed`
    std::uint64_t first_seed;
    bool ask_forced;
    std::size_t left;
    std::size_t nodes = 0;
};

}  // namespace

std::optional<std::string> first_difference(std::shared_ptr<const Machine> machine, std::uint64_t seed, std::size_t most_nodes) {
    return first_difference(machine, machine, seed, most_nodes);
}

std::optional<std::string> first_difference(std::shared_ptr<const Machine> machine, std::shared_ptr<const Machine> plain_machine,
                                            std::uint64_t seed, std::size_t most_nodes) {
    Three game(machine, plain_machine, seed, most_nodes);
    Found found = game.play();
    if (found) found = fmt::format("seed {}, {}: {}", seed, game.where(), *found);
    return found;
}

}  // namespace houserule::testing
