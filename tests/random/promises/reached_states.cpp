#include "tests/random/promises/reached_states.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/plain/plain_stepper.hpp"
#include "interpreter/run/random.hpp"
#include "solver/prove/prove_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
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
    return n.seats & random.next() & random.next();  // each with one chance in four
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

// What is so in a state, one thing after the other: that it is so in the abstract state as well, and, where they are asked for, its words.
struct Equalities {
    std::vector<Truth> hold;
    std::vector<std::string> words;
};

class Match {
public:
    Match(Walk& walk, const Machine& machine, const Reached& reached)
        : walk_(walk), d(walk.terms()), m_(machine), reached_(reached), names_(names_read(reached.statement)) {}

    // Together they say that the abstract state is the one that was reached.
    Equalities equalities(const StateBefore& before, bool in_words = false) {
        in_words_ = in_words;
        found_ = {};
        const AbstractState& f = before.state;
        add(f.path, "it is come to");
        for (PlaceId p = 0; p < m_.game.places; ++p) pile(p, f.at.piles[p], reached_.state.piles[p]);
        for (const FactId fact : m_.game.facts.ids())
            for (std::int32_t i = 0; i < m_.game.facts[fact].count; ++i) slot(fact, i, f.at.facts[fact][i], reached_.state.facts[fact][i]);
        for (const VariableId v : names_)
            if (before.in_scope[v]) content(m_.game.variables[v].name, f.at.variables[v], reached_.state.variables[v]);
        return std::move(found_);
    }

private:
    template <class... Parts>
    void add(const Truth& holds, fmt::format_string<Parts...> words, Parts&&... parts) {
        found_.hold.push_back(holds);
        if (in_words_) found_.words.push_back(fmt::format(words, std::forward<Parts>(parts)...));
    }

    void pile(PlaceId place, const Pile<Terms>& a, const Pile<TellingNumbers>& is) {
        Value size = 0;
        for (std::size_t k = 0; k < is.counts.size(); ++k) {
            add(equal(a.counts[k], is.counts[k]), "at place {} of kind {}: {}", place, k, is.counts[k]);
            size += is.counts[k];
        }
        add(equal(*a.size, size), "at place {} cards: {}", place, size);
        // Of a part that is shuffled, what is alike is known to lie at its end.
        if (!walk_.keeps_ends(place) || is.order.empty() || a.ends->may_be_shuffled) return;
        add(a.ends->any, "at place {} any", place);
        add(equal(a.ends->first, is.order.front()), "at place {} the first: {}", place, is.order.front());
        add(equal(a.ends->last, is.order.back()), "at place {} the last: {}", place, is.order.back());
    }

    void slot(FactId fact, std::int32_t index, const FactSlot<Terms>& a, const FactSlot<TellingNumbers>& is) {
        const std::string& name = m_.game.facts[fact].name;
        add(is.given ? a.given : d.negate(a.given), "{}, {}: given {}", name, index, is.given);
        if (is.given) content(name, a.content, is.content);
    }

    void content(const std::string& name, const Content<Terms>& a, const Content<TellingNumbers>& is) {
        if (const auto* n = std::get_if<Terms::Int>(&a)) return add(equal(*n, std::get<Value>(is)), "{} {}", name, std::get<Value>(is));
        if (const auto* card = std::get_if<Card<Terms>>(&a)) {
            const auto& known = std::get<Card<TellingNumbers>>(is);
            add(equal(card->kind, known.kind), "{} of kind {}", name, known.kind);
            return add(equal(card->place, known.place), "{} at place {}", name, known.place);
        }
        if (const auto* set = std::get_if<Set<Terms>>(&a)) {
            const auto& elements = std::get<Set<TellingNumbers>>(is);
            for (Value e = std::min(set->first, elements.first); e < std::max(set->end(), elements.end()); ++e) {
                const bool has = e >= elements.first && e < elements.end() && elements.has[e - elements.first];
                const Truth there = e >= set->first && e < set->end() ? set->has[e - set->first] : Formulas::no;
                add(has ? there : d.negate(there), "{} has {}: {}", name, e, has);
            }
        }
    }

    Truth equal(const Terms::Int& a, Value is) { return d.equal(a, d.constant(is)); }

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
    const Reached& reached_;
    std::vector<VariableId> names_;
    bool in_words_ = false;
    Equalities found_;
};

// What of it cannot be so together, in the one abstract state and in the other.
std::string told(Match& match, const Span& span, const std::vector<std::shared_ptr<const StateBefore>>& before, Z3Session& session) {
    std::string text = fmt::format("before the statement at {}-{}", span.begin, span.end);
    if (session.possible(Formulas::yes) == Answer::no)
        return text + "\n  what the prover takes for granted cannot be: it then proves nothing";
    for (const auto& state : before) {
        const Equalities all = match.equalities(*state, true);
        text += "\n  not together:";
        if (const auto core = session.core(all.hold))
            for (const std::size_t i : core->of) text += " " + all.words[i] + ";";
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
        for (const Reached& reached : play(machine, seed)) {
            const auto& before = walk.states_before(reached.statement);
            if (before.size() > most_abstract) {
                ++coverage["states of games, before too many abstract states"];
                continue;
            }
            Match match(walk, machine, reached);
            Answer covered = Answer::no;
            for (const auto& state : before) {
                const Truth same = walk.terms().all(match.equalities(*state).hold);
                const Answer one = same == Formulas::no ? Answer::no : session->possible(same);
                if (one != Answer::no) covered = one;
                if (one == Answer::yes) break;
            }
            if (covered == Answer::no)
                return FalseProof{"a state that no abstract state of the prover covers",
                                  told(match, machine.game.statements[reached.statement].span, before, *session)};
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
