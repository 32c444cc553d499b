#include "solver/deduction.hpp"

#include "solver/worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace houserule {

namespace {

std::size_t at(Id id) { return static_cast<std::size_t>(id); }

}  // namespace

Rational Possibility::weight() const {
    Rational sum = 0;
    for (std::size_t n = 1; n < weights.size(); ++n) sum += weights[n];
    return sum;
}

Rational Possibility::share() const {
    Rational all = weights.empty() ? Rational(0) : weights.front();
    const Rational some = weight();
    all += some;
    return all == 0 ? Rational(0) : Rational(some / all);
}

// A way whose hidden places all have kinds, and its counts.
struct Deduction::Way {
    UnknownTable table;
    Rational each = 0;                 // the weight of one unit of the counter
    Rational histories_each = 0;
    std::unique_ptr<Counter> counter;  // none: not counted
    bool by_kind = true;               // the order in which it decides
    std::unique_ptr<Z3Session> session;
};

struct Deduction::Impl {
    std::shared_ptr<const Machine> machine;
    DeductionLimits limits;
    z3::context context;
    Coexecution coexecution;
    std::vector<UnknownTable> before_node;  // the ways where the last event left them: from there new events are followed
    std::vector<Way> ways;
    std::unique_ptr<Worlds> told_apart;
    std::optional<Knowledge> known;
    Fit fit = Fit::fits;

    Impl(std::shared_ptr<const Machine> m, int seat, DeductionLimits l) : machine(std::move(m)), limits(l), coexecution(context, machine, seat, l.ways) {}

    Game const& game() const { return machine->game; }
    Terms& terms() { return coexecution.terms(); }
    std::vector<Id> hidden_places() const;
    void prepare_ways();
    void count(Way& way, std::chrono::steady_clock::time_point until);
    Z3Session& session(Way& way);
    Truth lies_there(Way& way, Id place, Id kind);
    WhyNot why_not(const std::function<Truth(Way&)>& claim);
    static constexpr std::size_t all_parts = static_cast<std::size_t>(-1);
    std::vector<std::pair<Id, std::size_t>> spots() const;
    Worlds& worlds(std::chrono::steady_clock::time_point until);
    void count_worlds(Knowledge& k, std::chrono::steady_clock::time_point until);
    History history(const Way& way, const Counter::Assignment& assignment);
};

Deduction::Deduction(std::shared_ptr<const Machine> machine, int seat, DeductionLimits limits) : impl_(std::make_unique<Impl>(std::move(machine), seat, limits)) {}
Deduction::~Deduction() = default;

std::size_t Deduction::blocked() const { return impl_->coexecution.blocked(); }
std::size_t Deduction::noticed() const { return impl_->coexecution.noticed(); }
const Event& Deduction::noticed(std::size_t i) const { return impl_->coexecution.noticed(i); }
const std::string& Deduction::problem() const { return impl_->coexecution.problem(); }
int Deduction::seat() const { return impl_->coexecution.seat(); }
const std::shared_ptr<const Machine>& Deduction::shared_machine() const { return impl_->machine; }

Fit Deduction::see(const Events& events) {
    Impl& i = *impl_;
    i.known.reset();
    i.told_apart.reset();
    i.ways.clear();
    if (i.fit != Fit::fits) return i.fit;
    if (!i.before_node.empty()) i.coexecution.set_ways(std::move(i.before_node));
    i.before_node.clear();
    if (!i.coexecution.go_on(events)) return i.fit = Fit::unknown;
    if (i.coexecution.ways().empty()) return i.fit = Fit::impossible;
    i.before_node = i.coexecution.ways();
    // What was seen tells all until somebody was asked; if nothing fits that, it stops somewhere on the way.
    if (!i.coexecution.go_on_to_node()) return i.fit = Fit::unknown;
    i.coexecution.prune();
    if (i.coexecution.ways().empty()) {
        std::vector<UnknownTable> ways = i.before_node;
        i.coexecution.set_ways(std::move(ways));
        i.coexecution.prune();
        if (i.coexecution.ways().empty()) return i.fit = Fit::impossible;
    }
    i.prepare_ways();
    return i.fit;
}

std::vector<Id> Deduction::Impl::hidden_places() const {
    std::vector<Id> places;
    for (Id p = 1; p < game().places; ++p)
        if (!coexecution.sees(p)) places.push_back(p);
    return places;
}

void Deduction::Impl::prepare_ways() {
    for (const UnknownTable& t : coexecution.ways()) {
        Way way{t, 0, 0, nullptr, true, nullptr};
        for (const Id p : hidden_places()) coexecution.dealer().settle(way.table, p);
        way.histories_each = way.table.factor * coexecution.dealer().left_in_urns(way.table);
        way.each = way.histories_each * way.table.chance;
        ways.push_back(std::move(way));
    }
}

// By kinds of card, or as things happened: which order keeps few states at a time depends on the game and on how long it has gone on.
// Each is tried with ever more states, so that the better one costs little more than it would alone.
void Deduction::Impl::count(Way& way, std::chrono::steady_clock::time_point until) {
    CountModel model;
    model.conditions = coexecution.always();
    for (const Condition& c : way.table.conditions) model.conditions.push_back(c.holds);
    model.sums = way.table.sums;
    model.factors = way.table.factors;
    for (std::size_t states = 20'000;; states *= 8) {
        for (const bool by_kind : {true, false}) {
            model.unknowns = way.table.unknowns;
            if (by_kind) std::stable_sort(model.unknowns.begin(), model.unknowns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            way.counter = std::make_unique<Counter>(terms().formulas(), model, CountLimits{std::min(states, limits.states), until});
            way.by_kind = by_kind;
            if (way.counter->finished()) return;
        }
        if (states >= limits.states || std::chrono::steady_clock::now() > until) return;
    }
}

Z3Session& Deduction::Impl::session(Way& way) {
    if (!way.session) {
        way.session = std::make_unique<Z3Session>(terms(), limits.z3_steps);
        coexecution.require(*way.session, way.table);
    }
    return *way.session;
}

Truth Deduction::Impl::lies_there(Way& way, Id place, Id kind) { return arithmetic::positive(terms(), way.table.state.piles[at(place)].counts[at(kind)]); }

Answer Deduction::possible(Id place, Id kind) {
    Impl& i = *impl_;
    bool unknown = i.fit == Fit::unknown;
    for (Way& way : i.ways) {
        const Answer a = i.session(way).possible(i.lies_there(way, place, kind));
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

const Knowledge& Deduction::knowledge() {
    Impl& i = *impl_;
    if (i.known) return *i.known;
    Knowledge& k = i.known.emplace();
    if (i.fit == Fit::unknown) {
        k.limits.push_back(problem());
        return k;
    }
    const auto until = std::chrono::steady_clock::now() + i.limits.time;
    const Game& game = i.game();
    bool counted = true;
    Rational histories = 0;
    for (Way& way : i.ways) {
        if (counted) i.count(way, until);
        counted = counted && way.counter->finished();
        if (!counted) {
            k.limits.push_back(fmt::format("not counted: {}", way.counter->problem()));
            break;
        }
        k.weight += way.each * Rational(way.counter->total());
        histories += way.histories_each * Rational(way.counter->total());
    }
    if (counted) std::erase_if(i.ways, [](const Way& way) { return way.counter->total() == 0; });
    k.histories = counted ? numerator(histories) : Integer(0);
    k.method = counted ? Method::exact : Method::possible_only;
    const auto possibility = [&](Id value, std::size_t most, const std::function<Terms::Int(Way&)>& number) {
        Possibility p;
        p.value = value;
        if (counted) p.weights.assign(most + 1, 0);
        return std::pair(p, number);
    };
    // All places of a kind at once: their counts depend on the same unknowns.
    std::vector<Id> places;
    for (const Id p : i.hidden_places())
        if (!i.ways.empty() && i.ways.front().table.sizes[at(p)] > 0) places.push_back(p);
    std::map<Id, std::size_t> thing_of;
    for (const Id p : places) {
        thing_of[p] = k.things.size();
        HiddenThing thing;
        thing.place = p;
        thing.size = i.ways.front().table.sizes[at(p)];
        const Zone& zone = game.zones[at(i.machine->place_zone[at(p)])];
        for (std::size_t kind = 0; kind < game.kinds.size(); ++kind)
            if (zone.families[at(game.kinds[kind].family)]) thing.values.push_back(possibility(static_cast<Id>(kind), at(game.kinds[kind].copies), nullptr).first);
        k.things.push_back(std::move(thing));
    }
    const auto value_of = [&](Id place, Id kind) -> Possibility* {
        for (Possibility& p : k.things[thing_of[place]].values)
            if (p.value == kind) return &p;
        return nullptr;
    };
    for (std::size_t kind = 0; counted && kind < game.kinds.size(); ++kind) {
        for (Way& way : i.ways) {
            std::vector<Terms::Int> numbers;
            for (const Id p : places) numbers.push_back(way.table.state.piles[at(p)].counts[kind]);
            const auto shares = way.counter->shares(i.terms(), numbers);
            if (!shares) {
                k.limits.push_back("shares need too many combinations");
                k.method = Method::possible_only;
                counted = false;
                break;
            }
            for (const auto& [combination, weight] : *shares) {
                for (std::size_t p = 0; p < places.size(); ++p) {
                    Possibility* value = value_of(places[p], static_cast<Id>(kind));
                    if (value != nullptr) value->weights[static_cast<std::size_t>(combination[p])] += way.each * Rational(weight);
                }
            }
        }
    }
    for (std::size_t f = 0; f < game.facts.size(); ++f) {
        const Fact& fact = game.facts[f];
        for (Id index = 0; index < fact.count; ++index) {
            bool open = false;
            for (const Way& way : i.ways) {
                const auto* number = std::get_if<Terms::Int>(&way.table.state.facts[f][at(index)].content);
                open = open || (number != nullptr && !number->is_constant());
            }
            if (!open) continue;
            HiddenThing thing;
            thing.is_fact = true;
            thing.fact = static_cast<Id>(f);
            thing.index = index;
            std::map<Value, Rational> weights;
            for (Way& way : i.ways) {
                const Terms::Int number = std::get<Terms::Int>(way.table.state.facts[f][at(index)].content);
                const auto shares = counted ? way.counter->shares(i.terms(), {number}) : std::nullopt;
                if (shares)
                    for (const auto& [value, weight] : *shares) weights[value[0]] += way.each * Rational(weight);
                else
                    i.terms().each_case(number, [&](Value v, Truth) { weights[v]; });
            }
            for (const auto& [value, weight] : weights) {
                Possibility p;
                p.value = static_cast<Id>(value);
                if (counted) p.weights = {k.weight - weight, weight};
                thing.values.push_back(std::move(p));
            }
            k.things.push_back(std::move(thing));
        }
    }
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            if (counted) {
                p.possible = p.weight() > 0;
                p.certain = p.weights[0] == 0 && p.possible;
            } else if (!thing.is_fact) {
                const Answer a = possible(thing.place, p.value);
                if (a == Answer::unknown) k.limits.push_back("Z3 did not decide");
                p.possible = a != Answer::no;
            } else {
                p.possible = true;
            }
        }
    }
    if (counted) i.count_worlds(k, until);
    return k;
}

// The parts of a hidden place whose contents a world tells: of a stack each one, if all ways agree on how large they are.
std::vector<std::pair<Id, std::size_t>> Deduction::Impl::spots() const {
    std::vector<std::pair<Id, std::size_t>> spots;
    for (const Id p : hidden_places()) {
        const auto& parts = ways.front().table.parts[at(p)];
        const bool same = std::all_of(ways.begin(), ways.end(), [&](const Way& way) {
            const auto& own = way.table.parts[at(p)];
            return std::equal(own.begin(), own.end(), parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.size == b.size; });
        });
        for (std::size_t part = 0; part < (same ? parts.size() : 1); ++part)
            if (ways.front().table.sizes[at(p)] > 0) spots.emplace_back(p, same && parts.size() > 1 ? part : all_parts);
    }
    return spots;
}

Worlds& Deduction::Impl::worlds(std::chrono::steady_clock::time_point until) {
    if (told_apart) return *told_apart;
    std::vector<Id> keys{no_id};
    for (std::size_t kind = 0; kind < game().kinds.size(); ++kind) keys.push_back(static_cast<Id>(kind));
    const auto where = spots();
    std::vector<Worlds::Source> sources;
    for (Way& way : ways) {
        sources.push_back({way.counter.get(), [&way, where, this](Id key) {
            std::vector<Terms::Int> letter;
            if (key == no_id) {
                for (const auto& slots : way.table.state.facts)
                    for (const FactSlot<Terms>& slot : slots)
                        if (const auto* number = std::get_if<Terms::Int>(&slot.content); number != nullptr && !number->is_constant()) letter.push_back(*number);
                return letter;
            }
            for (const auto& [place, part] : where)
                letter.push_back(part == all_parts ? way.table.state.piles[at(place)].counts[at(key)] : way.table.parts[at(place)][part].counts[at(key)]);
            return letter;
        }});
    }
    told_apart = std::make_unique<Worlds>(terms(), std::move(sources), std::move(keys), CountLimits{limits.states, until});
    return *told_apart;
}

void Deduction::Impl::count_worlds(Knowledge& k, std::chrono::steady_clock::time_point until) {
    if (ways.empty()) {
        k.worlds = 0;
        return;
    }
    if (!std::all_of(ways.begin(), ways.end(), [](const Way& way) { return way.by_kind; })) {
        k.limits.push_back("worlds are not counted: too many hidden moves to tell them apart by kinds");
        return;
    }
    const Worlds& w = worlds(until);
    if (!w.finished()) {
        k.limits.push_back("worlds are not counted: " + w.problem());
        return;
    }
    k.worlds = w.count();
    const auto where = spots();
    for (HiddenThing& thing : k.things) {
        if (thing.is_fact) continue;
        for (Possibility& p : thing.values) {
            if (!p.possible) {
                p.worlds = 0;
                continue;
            }
            std::vector<std::size_t> own;
            for (std::size_t s = 0; s < where.size(); ++s)
                if (where[s].first == thing.place) own.push_back(s);
            if (own.size() == 1) p.worlds = w.count(p.value, own.front(), 1);
        }
    }
}

bool Deduction::each_world(const std::function<bool(const World&)>& f) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || i.ways.empty()) return k.method == Method::exact;
    if (!std::all_of(i.ways.begin(), i.ways.end(), [](const Way& way) { return way.by_kind; })) return false;
    const Worlds& w = i.worlds(std::chrono::steady_clock::now() + i.limits.time);
    if (!w.finished()) return false;
    const auto where = i.spots();
    w.each([&](const std::vector<std::vector<Value>>& letters) {
        World world;
        for (std::size_t s = 0; s < where.size(); ++s) {
            std::vector<Value> counts;
            for (std::size_t kind = 0; kind + 1 < letters.size(); ++kind) counts.push_back(letters[kind + 1][s]);
            world.emplace_back(where[s].first, std::move(counts));
        }
        return f(world);
    });
    return true;
}

// ---------------------------------------------------------------- histories

History Deduction::Impl::history(const Way& way, const Counter::Assignment& assignment) {
    std::vector<int> values(terms().formulas().unknowns().size(), 0);
    for (const auto& [unknown, value] : assignment) values[static_cast<std::size_t>(unknown)] = value;
    const auto number = [&](const Terms::Int& i) { return Counter::value_of(terms(), i, values); };
    // Cards of a group, and of what is left in urns, are dealt to its slots as they come.
    std::map<std::int32_t, Id> kind_of;
    const auto hand_out = [&](const std::vector<std::int32_t>& slots, const std::vector<Terms::Int>& counts) {
        std::size_t next = 0;
        for (std::size_t kind = 0; kind < counts.size(); ++kind)
            for (Value n = number(counts[kind]); n > 0 && next < slots.size(); --n) kind_of[slots[next++]] = static_cast<Id>(kind);
    };
    for (const SlotGroup& g : way.table.groups) hand_out(g.slots, g.counts);
    for (std::size_t u = 0; u < way.table.urns.size(); ++u) {
        std::vector<std::int32_t> slots;
        for (const auto& place : way.table.parts)
            for (const Part& p : place)
                for (const Holding& h : p.holdings)
                    if (h.urn == u) slots.insert(slots.end(), h.slots.begin(), h.slots.end());
        hand_out(slots, way.table.urns[u].counts);
    }
    History history;
    for (const Input& input : way.table.inputs) {
        HistoryInput own{input.step, input.consent, {}};
        switch (input.what) {
            case Input::What::number: own.values.push_back(static_cast<std::int32_t>(number(input.number))); break;
            case Input::What::slots:
                for (const std::int32_t s : input.slots) own.values.push_back(kind_of.at(s));
                break;
            case Input::What::cards:
            case Input::What::elements:
                for (const auto& [value, count] : input.cards)
                    for (Value n = number(count); n > 0; --n) own.values.push_back(value);
                break;
        }
        const bool nobody_asked = machine->code[at(input.step)].op == Op::window && own.values.front() < 0;
        if (!nobody_asked) history.inputs.push_back(std::move(own));
    }
    return history;
}

std::optional<History> Deduction::sample(Random& random) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || i.ways.empty()) return std::nullopt;
    // Uniform below n, n of any size: by digits of 64 bits, again when too large.
    const auto pick = [&](const Integer& n) {
        const unsigned bits = static_cast<unsigned>(msb(n)) + 1;
        for (;;) {
            Integer x = 0;
            for (unsigned b = 0; b < bits; b += 64) x = (x << 64) | random.next();
            x &= (Integer(1) << bits) - 1;
            if (x < n) return x;
        }
    };
    // Ways by weight: brought to one denominator.
    Integer common = 1;
    for (const Way& way : i.ways) common = lcm(common, denominator(way.each));
    Integer all = 0;
    std::vector<Integer> shares;
    for (const Way& way : i.ways) {
        shares.push_back(numerator(Rational(way.each * Rational(common))) * way.counter->total());
        all += shares.back();
    }
    Integer at_way = pick(all);
    std::size_t w = 0;
    while (at_way >= shares[w]) at_way -= shares[w++];
    return i.history(i.ways[w], i.ways[w].counter->sample(pick));
}

std::optional<std::vector<std::pair<History, Rational>>> Deduction::all_histories(std::size_t limit) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact) return std::nullopt;
    std::vector<std::pair<History, Rational>> result;
    for (const Way& way : i.ways) {
        const bool few = way.counter->each_assignment(limit - std::min(limit, result.size()), [&](const Counter::Assignment& a, const Integer& times) {
            result.emplace_back(i.history(way, a), way.each * Rational(times));
        });
        if (!few) return std::nullopt;
    }
    return result;
}

std::optional<std::uint64_t> move_of(const Run& run, const History& history, std::size_t& next, std::string& problem) {
    const Node& node = run.node();
    if (node.kind == NodeKind::over || node.kind == NodeKind::failed) {
        problem = node.kind == NodeKind::failed ? run.failure().what : "the game is over too early";
        return std::nullopt;
    }
    // What was forced is no node.
    while (next < history.inputs.size() && (history.inputs[next].step != node.step || history.inputs[next].consent != (node.kind == NodeKind::consent))) ++next;
    if (next == history.inputs.size()) {
        problem = fmt::format("nothing is known for step {}", node.step);
        return std::nullopt;
    }
    const HistoryInput& input = history.inputs[next++];
    std::uint64_t move = node.moves;
    if (node.kind == NodeKind::consent || node.kind == NodeKind::ask || node.kind == NodeKind::window) {
        move = static_cast<std::uint64_t>(input.values.front());
    } else if (node.kind == NodeKind::draw) {
        for (std::uint64_t m = 0; m < node.moves && move == node.moves; ++m)
            if (run.meaning(m).values[0] == input.values.front()) move = m;
    } else {
        move = run.move_for(input.values);
    }
    if (move < node.moves) return move;
    problem = fmt::format("no move of step {} stands for what is known", node.step);
    return std::nullopt;
}

bool play_history(Run& run, const History& history, Events& events, std::string& problem) {
    run.record(&events);
    run.ask_forced(true);
    run.start();
    for (std::size_t next = 0; next < history.inputs.size();) {
        run.advance();
        const auto move = move_of(run, history, next, problem);
        if (!move) return false;
        run.apply(*move);
    }
    run.advance();
    return true;
}

// ---------------------------------------------------------------- reasons

WhyNot Deduction::Impl::why_not(const std::function<Truth(Way&)>& claim) {
    WhyNot result;
    result.answer = fit == Fit::unknown ? Answer::unknown : Answer::no;
    std::set<std::pair<std::size_t, Id>> reasons;
    for (Way& way : ways) {
        const Truth claimed = claim(way);
        if (claimed == Formulas::no) continue;
        const Answer possible = session(way).possible(claimed);
        if (possible == Answer::yes) return {Answer::yes, {}};
        if (possible == Answer::unknown) result.answer = Answer::unknown;
        if (result.answer == Answer::unknown) continue;
        // One literal for all that was required for one event by one step of the rules.
        std::map<std::pair<std::size_t, Id>, std::vector<Truth>> groups;
        for (const Condition& c : way.table.conditions) groups[{c.event, c.step}].push_back(c.holds);
        std::vector<std::pair<std::size_t, Id>> names;
        std::vector<Truth> tracked;
        for (const auto& [name, conditions] : groups) {
            names.push_back(name);
            tracked.push_back(terms().all(conditions));
        }
        Z3Session core(terms(), limits.z3_steps);
        for (const Truth t : coexecution.always()) core.require(t);
        for (const Sum& sum : way.table.sums) core.require_sum(sum.unknowns, sum.total);
        core.require(claimed);
        const auto excluding = core.core(tracked);
        if (!excluding) {
            result.answer = Answer::unknown;
            continue;
        }
        for (const std::size_t t : *excluding) reasons.insert(names[t]);
    }
    for (const auto& [event, step] : reasons) result.reasons.push_back({event, step});
    return result;
}

WhyNot Deduction::why_not(Id place, Id kind) {
    return impl_->why_not([&](Way& way) { return impl_->lies_there(way, place, kind); });
}

WhyNot Deduction::why_not(Id truth_expression) {
    bool told = true;
    WhyNot result = impl_->why_not([&](Way& way) {
        Coexecution& c = impl_->coexecution;
        told = told && c.settle(way.table, truth_expression);
        if (!told) return Formulas::yes;
        const Truth t = c.evaluator(way.table).truth(truth_expression);
        c.terms().forget();
        return t;
    });
    if (!told) return {Answer::unknown, {}};
    return result;
}

std::optional<Rational> Deduction::share_of(Id truth_expression) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || k.weight == 0) return std::nullopt;
    Rational sum = 0;
    for (Way& way : i.ways) {
        if (!i.coexecution.settle(way.table, truth_expression)) return std::nullopt;
        const Truth t = i.coexecution.evaluator(way.table).truth(truth_expression);
        i.terms().forget();
        const auto shares = way.counter->shares(i.terms(), {arithmetic::count(i.terms(), t)});
        if (!shares) return std::nullopt;
        for (const auto& [value, weight] : *shares)
            if (value[0] == 1) sum += way.each * Rational(weight);
    }
    return sum / k.weight;
}

}  // namespace houserule
