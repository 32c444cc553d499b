#include "tests/random/promises/reached_states.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/plain/plain_stepper.hpp"
#include "interpreter/run/random.hpp"
#include "solver/prove/prove_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace houserule::random_games {

namespace {

constexpr int games = 8;
constexpr int most_nodes = 60;  // of a game
constexpr std::size_t states_a_statement = 3;
constexpr std::size_t most_abstract = 400;  // abstract states before one statement
constexpr unsigned z3_steps = 1'000'000;    // for each question
constexpr std::uint64_t forced_steps = 20'000;

// By statement: the step at which it begins, if it has one that is carried out then and only then.
class Beginnings {
public:
    explicit Beginnings(const Machine& machine) : m_(machine), first_(machine.game.statements.size(), no_id) {
        for (const StepId s : m_.code.ids())
            if (const StatementId of = m_.code[s].statement; of != no_id && first_[of] == no_id) first_[of] = s;
        const Game& g = m_.game;
        for (const StatementId s : g.statements.ids())
            if (!begins_once(s)) first_[s] = no_id;
        // What stands for a whole rule, act or end begins with steps of theirs; decisions at one moment are made before anything is done.
        for (const Rule& r : g.rules) leave_out(r.body);
        for (const End& e : g.ends) leave_out(e.body);
        for (const Act& a : g.acts) {
            leave_out(a.body);
            leave_out_decisions(a.body);
        }
        for (const Statement& s : g.statements)
            if (const auto* together = s.as<statement::Simultaneously>()) leave_out_decisions(together->body);
    }

    // The statement that begins with the step, if any.
    StatementId at(StepId step) const {
        const StatementId of = m_.code[step].statement;
        return of != no_id && first_[of] == step ? of : StatementId(no_id);
    }

private:
    bool begins_once(StatementId id) const {
        const Statement& s = m_.game.statements[id];
        if (const auto* repeat = s.as<statement::Repeat>()) return repeat->times != no_id;  // else it begins with a round
        if (const auto* deal = s.as<statement::Deal>()) return deal->count != no_id;
        return s.kind() != StatementKind::block;
    }
    void leave_out(StatementId id) {
        if (id != no_id) first_[id] = no_id;
    }
    void leave_out_decisions(StatementId body) {
        for (const StatementId decision : at_once(m_.game, body).decisions) leave_out(decision);
    }

    const Machine& m_;
    Store<StatementId, StepId> first_;
};

// The state before a statement in some game.
struct Reached {
    StatementId statement = no_id;
    PlainState<TellingNumbers> state;
};

std::uint64_t random_answer(const PlainStepper& run, Random& random) {
    const Node& n = run.node();
    if (n.kind != NodeKind::window) return random.below(n.moves);
    std::uint64_t who = 0;
    for (std::int32_t p = 0; p < 16; ++p)
        if ((n.seats >> p & 1) != 0 && random.below(4) == 0) who |= std::uint64_t{1} << p;
    return who;
}

std::vector<Reached> play(const Machine& machine, std::uint64_t seed) {
    const Beginnings beginnings(machine);
    std::vector<Reached> reached;
    Store<StatementId, std::size_t> taken(machine.game.statements.size(), 0);
    Store<StatementId, std::uint64_t> met(machine.game.statements.size(), 0);
    Random random(seed);
    PlainStepper run(machine);
    run.limit_forced(forced_steps);
    run.watch([&](StepId step) {
        const StatementId s = beginnings.at(step);
        if (s == no_id || run.values().in_effects() || taken[s] == states_a_statement) return;
        // The first, and later ones more and more rarely.
        if (random.below(++met[s]) > taken[s]) return;
        ++taken[s];
        reached.push_back({s, run.values().now().state});
    });
    for (int game = 0; game < games; ++game) {
        run.start();
        for (int i = 0; i < most_nodes; ++i) {
            const NodeKind kind = run.advance().kind;
            if (kind == NodeKind::over || kind == NodeKind::failed) break;
            run.apply(random_answer(run, random));
        }
        run.values().forget_failure();
    }
    return reached;
}

// Something that is so in a state, in words, and that it is so in the abstract one.
struct Equality {
    std::string what;
    Truth holds;
};

class Match {
public:
    Match(Walk& walk, const Machine& machine) : walk_(walk), d(walk.terms()), m_(machine) {}

    // Together they say that the abstract state is this state.
    std::vector<Equality> parts(const StateBefore& before, const Reached& reached) {
        const AbstractState& f = before.state;
        std::vector<Equality> parts{{"it is come to", f.path}};
        for (PlaceId p = 0; p < m_.game.places; ++p) pile(parts, p, f.at.piles[p], reached.state.piles[p]);
        for (const FactId fact : m_.game.facts.ids())
            for (std::int32_t i = 0; i < m_.game.facts[fact].count; ++i)
                slot(parts, fmt::format("{}[{}]", m_.game.facts[fact].name, i), f.at.facts[fact][i], reached.state.facts[fact][i]);
        for (const VariableId v : names_read(reached.statement))
            if (before.in_scope[v]) content(parts, m_.game.variables[v].name, f.at.variables[v], reached.state.variables[v]);
        return parts;
    }
    Truth all(const std::vector<Equality>& parts) {
        std::vector<Truth> all;
        for (const Equality& part : parts) all.push_back(part.holds);
        return d.all(all);
    }

private:
    void number(std::vector<Equality>& parts, std::string what, const Terms::Int& a, Value is) {
        parts.push_back({fmt::format("{} {}", what, is), d.equal(a, d.constant(is))});
    }

    void pile(std::vector<Equality>& parts, PlaceId place, const Pile<Terms>& a, const Pile<TellingNumbers>& is) {
        Value size = 0;
        for (std::size_t k = 0; k < is.counts.size(); ++k) {
            number(parts, fmt::format("at place {} of kind {}:", place, k), a.counts[k], is.counts[k]);
            size += is.counts[k];
        }
        number(parts, fmt::format("at place {} cards:", place), *a.size, size);
        // Of a part that is shuffled, what is alike is known to lie at its end.
        if (!walk_.keeps_ends(place) || is.order.empty() || a.ends->may_be_shuffled) return;
        parts.push_back({fmt::format("at place {} any", place), a.ends->any});
        number(parts, fmt::format("at place {} the first:", place), a.ends->first, is.order.front());
        number(parts, fmt::format("at place {} the last:", place), a.ends->last, is.order.back());
    }

    void slot(std::vector<Equality>& parts, const std::string& name, const FactSlot<Terms>& a, const FactSlot<TellingNumbers>& is) {
        parts.push_back({name + (is.given ? " given" : " not given"), is.given ? a.given : d.negate(a.given)});
        if (is.given) content(parts, name, a.content, is.content);
    }

    void content(std::vector<Equality>& parts, const std::string& name, const Content<Terms>& a, const Content<TellingNumbers>& is) {
        if (const auto* n = std::get_if<Terms::Int>(&a)) return number(parts, name, *n, std::get<Value>(is));
        if (const auto* card = std::get_if<Card<Terms>>(&a)) {
            number(parts, name + " of kind", card->kind, std::get<Card<TellingNumbers>>(is).kind);
            return number(parts, name + " at place", card->place, std::get<Card<TellingNumbers>>(is).place);
        }
        if (const auto* set = std::get_if<Set<Terms>>(&a)) {
            const auto& elements = std::get<Set<TellingNumbers>>(is);
            for (Value e = std::min(set->first, elements.first); e < std::max(set->end(), elements.end()); ++e) {
                const bool has = e >= elements.first && e < elements.end() && elements.has[e - elements.first];
                const Truth there = e >= set->first && e < set->end() ? set->has[e - set->first] : Formulas::no;
                parts.push_back({fmt::format("{} has {}{}", name, has ? "" : "no ", e), has ? there : d.negate(there)});
            }
        }
    }

    // The names in the steps of the statement itself.
    std::vector<VariableId> names_read(StatementId s) const {
        std::vector<VariableId> names;
        for (const Step& step : m_.code) {
            if (step.statement != s) continue;
            for (const ExpressionId e : {step.x, step.y, step.z, step.w, step.fits})
                any_operand(m_.game, e, [&](ExpressionId part) {
                    const Expression& x = m_.game.expressions[part];
                    if (x.op == Operator::variable || x.op == Operator::set_variable) names.push_back(x.named());
                    return false;
                });
        }
        return names;
    }

    const Walk& walk_;
    Terms& d;
    const Machine& m_;
};

// What of it cannot be so together, in the one abstract state and in the other.
std::string told(const Game& game, const Reached& reached, const std::vector<std::vector<Equality>>& states, Z3Session& session) {
    const Span span = game.statements[reached.statement].span;
    std::string text = fmt::format("before the statement at {}-{}", span.begin, span.end);
    for (const std::vector<Equality>& parts : states) {
        std::vector<Truth> all;
        for (const Equality& part : parts) all.push_back(part.holds);
        text += "\n  not together:";
        if (const auto core = session.core(all))
            for (const std::size_t i : core->of) text += " " + parts[i].what + ";";
    }
    return text;
}

}  // namespace

std::optional<FalseProof> uncovered_state(const Machine& machine, std::uint64_t seed, std::uint64_t work, Coverage& coverage) {
    const std::vector<PromiseSite> sites = promise_sites(machine.game);
    Work left(work);
    WalkLimits limits;
    limits.work = &left;
    limits.invariants_work = work / 2;
    limits.rough = seed % 2 == 1;
    limits.z3_steps = z3_steps;
    limits.keeps_states = true;
    Walk walk(machine.game, sites, limits);
    try {
        walk.take_game();
        const auto session = walk.session();
        Work asking(work / 2);
        session->spend_of(&asking);
        Match match(walk, machine);
        for (const Reached& reached : play(machine, seed)) {
            const auto& before = walk.states_before(reached.statement);
            if (before.size() > most_abstract) {
                ++coverage["states of games, before too many abstract states"];
                continue;
            }
            Answer covered = Answer::no;
            std::vector<std::vector<Equality>> states;
            for (const auto& state : before) {
                states.push_back(match.parts(*state, reached));
                const Truth same = match.all(states.back());
                const Answer one = same == Formulas::no ? Answer::no : session->possible(same);
                if (one != Answer::no) covered = one;
                if (one == Answer::yes) break;
            }
            if (covered == Answer::no)
                return FalseProof{"a state that no abstract state of the prover covers", told(machine.game, reached, states, *session)};
            ++coverage[covered == Answer::yes ? "states of games, covered by an abstract state" : "states of games, not decided"];
        }
    } catch (const OutOfTime&) {
        ++coverage["abstract walks, cut off"];
    } catch (const z3::exception&) {
        ++coverage["abstract walks, cut off"];
    }
    return std::nullopt;
}

}  // namespace houserule::random_games
