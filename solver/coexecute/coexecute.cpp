#include "solver/coexecute/coexecute.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/post_dominators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace houserule {

namespace {}  // namespace

// Wide numbers are for Z3 alone, so numbers stay cases as long as that can be borne.
constexpr TermLimits narrow_terms{1024, 16384};

Coexecution::Coexecution(z3::context& context, const Run& run, int seat, CoexecutionLimits limits)
    : machine_(run.machine()),
      game_(machine_.game),
      seat_(seat),
      limits_(limits),
      terms_(context, narrow_terms),
      unknowns_(terms_),
      dealer_(terms_, unknowns_, machine_) {
    start_.state = empty_state(terms_, game_);
    dealer_.lay_out(start_);
    start_.pc = run.node().step;
    start_.consented = run.node().kind == NodeKind::choose && (machine_.code[start_.pc].mode & choice_optional) != 0;
    mark_readers();
    post_dominators_ = immediate_post_dominators(machine_);
    copy_known(run);
    make_unknown(run);
    name_cards(run);
    always_ = unknowns_.conditions();
    for (const Condition& c : start_.conditions) always_.push_back(c.holds);
    start_.conditions.clear();
    first_ = start_.state;
    paths_ = {start_};
}

Coexecution::Coexecution(z3::context& context, std::shared_ptr<const Machine> machine, int seat, CoexecutionLimits limits)
    : kept_(std::move(machine)),
      machine_(*kept_),
      game_(machine_.game),
      seat_(seat),
      limits_(limits),
      terms_(context, narrow_terms),
      unknowns_(terms_),
      dealer_(terms_, unknowns_, machine_) {
    start_.state = empty_state(terms_, game_);
    dealer_.lay_out(start_);
    start_.pc = machine_.start;
    mark_readers();
    post_dominators_ = immediate_post_dominators(machine_);
    for (const FactId f : game_.facts.ids()) reset(start_, f);
    first_ = start_.state;
    paths_ = {start_};
}

// Which expressions read what lies somewhere, or a variable that may stand for cards without kinds; and which variables are read.
void Coexecution::mark_readers() {
    reads_cards_.assign(game_.expressions.size(), false);
    has_bound_.assign(game_.expressions.size(), false);
    is_read_.assign(game_.variables.size(), false);
    const auto read = [&](ExpressionId expression) {
        any_read(game_, expression, [&](const Expression& x) {
            if (x.op == Operator::variable || x.op == Operator::cards_variable) is_read_[x.named()] = true;
            return false;
        });
    };
    for (const Step& s : machine_.code) {
        for (const ExpressionId expression : {s.x, s.y, s.z, s.w, s.fits}) read(expression);
        if (s.op == Op::store) is_read_[s.b] = true;
        if (s.op == Op::next_element) is_read_[s.a] = true;
    }
    for (const auto& weights : machine_.weights)
        for (const auto& [value, expression] : weights) read(expression);
    for (std::size_t e = 0; e < game_.expressions.size(); ++e) {
        const Expression& x = game_.expressions[e];
        bool reads = reads_piles(x.op) || x.op == Operator::cards_variable || (x.op == Operator::variable && x.type.base == Base::card);
        for (const ExpressionId part : {x.a, x.b, x.c}) reads = reads || (part != no_id && reads_cards_[part]);
        reads_cards_[e] = reads;
        bool bound = x.op == Operator::bound;
        for (const ExpressionId part : {x.a, x.b, x.c}) bound = bound || (part != no_id && has_bound_[part]);
        has_bound_[e] = bound;
    }
    mark_live_names();
}

bool Coexecution::is_stack(PlaceId place) const { return place != 0 && game_.zones[machine_.place_zone[place]].shape == Shape::stack; }

bool Coexecution::is_ordered(PlaceId place) const { return place != 0 && has_order(game_.zones[machine_.place_zone[place]].shape); }

bool seen_by(Seers seers, IndexBy by, std::int32_t index, int seat) {
    const bool own = by == IndexBy::player && index == seat;
    switch (seers) {
        case Seers::all:
            return true;
        case Seers::owner:
            return own;
        case Seers::others:
            return !own && seat != onlooker;
        case Seers::nobody:
            return false;
    }
    return false;
}

bool Coexecution::sees(PlaceId place) const {
    if (place == 0) return false;
    const Zone& z = game_.zones[machine_.place_zone[place]];
    return seen_by(z.seers, z.by, place - z.first_place, seat_);
}

// Facts as far as they are seen, and local names: those that stand for no card are public while the rules go on.
void Coexecution::copy_known(const TableView& run) {
    for (const FactId f : game_.facts.ids()) {
        for (std::int32_t i = 0; i < game_.facts[f].count; ++i) {
            const Fact& fact = game_.facts[f];
            FactSlot<Terms>& slot = start_.state.facts[f][i];
            const bool open = seen_by(fact.seers, fact.by, i, seat_);
            if (fact.type.base == Base::set) {
                auto& set = std::get<Set<Terms>>(slot.content);
                const auto members = run.fact_set(f, i);
                for (Value v = set.first; v < set.end(); ++v) {
                    const bool in = std::find(members.begin(), members.end(), static_cast<std::int32_t>(v)) != members.end();
                    set.has[v - set.first] = open ? terms_.truth(in) : unknowns_.truth(fmt::format("fact {} {} {}", f.value(), i, v));
                }
                slot.given = terms_.truth(run.fact(f, i) != unset_value);
            } else {
                const std::int32_t v = run.fact(f, i);
                const bool given = v != unset_value;
                slot.given = terms_.truth(given);
                if (given) slot.content = open ? terms_.constant(v) : unknown_fact(fact.type, fmt::format("fact {} {}", f.value(), i));
            }
        }
    }
    for (const VariableId v : game_.variables.ids()) {
        const Type& type = game_.variables[v].type;
        Content<Terms>& content = start_.state.variables[v];
        if (type.base == Base::cards || type.base == Base::card) continue;  // see name_cards
        if (type.base == Base::set) {
            auto& set = std::get<Set<Terms>>(content);
            for (const std::int32_t e : run.variable_set(v))
                if (e >= set.first && e < set.end()) set.has[e - set.first] = terms_.truth(true);
        } else {
            content = terms_.constant(run.variable(v));
        }
    }
}

Terms::Int Coexecution::unknown_fact(const Type& type, const std::string& name) {
    if (!type.or_none) return unknowns_.integer(name, type.low, type.high);
    if (type.base != Base::number) return unknowns_.integer(name, none_of(type), type.high);
    return with_none(terms_, type, unknowns_.integer(name, Value{type.low} - 1, type.high));
}

Terms::Int Coexecution::unknown_count(const std::string& name, Value high) {
    return high == 0 ? terms_.constant(0) : unknowns_.integer(name, 0, high);
}

// Of each kind, what does not lie open is somewhere among the hidden places; each place holds as many as everybody sees.
void Coexecution::make_unknown(const TableView& run) {
    std::vector<Value> left;
    for (const PieceKind& k : game_.kinds) left.push_back(k.copies);
    std::vector<PlaceId> hidden;
    for (PlaceId p = 0; p < game_.places; ++p) {
        start_.sizes[p] = run.size_at(p);
        Pile<Terms>& pile = start_.state.piles[p];
        for (Terms::Int& c : pile.counts) c = terms_.constant(0);
        pile.size = terms_.constant(start_.sizes[p]);
        start_.parts[p].clear();
        if (!is_stack(p)) start_.parts[p].push_back({pile.counts, {}, start_.sizes[p]});
        if (start_.sizes[p] == 0) continue;
        if (!sees(p)) {
            hidden.push_back(p);
            continue;
        }
        std::vector<Value> counts(game_.kinds.size(), 0);
        const std::vector<KindId> kinds = run.kinds_at(p);
        for (const KindId k : kinds) ++counts[k], --left[k];
        for (std::size_t k = 0; k < counts.size(); ++k) pile.counts[k] = terms_.constant(counts[k]);
        const Zone& zone = game_.zones[machine_.place_zone[p]];
        if (has_order(zone.shape))
            for (const KindId k : kinds) pile.order.push_back(terms_.constant(k));
        if (!is_stack(p)) {
            start_.parts[p].front().counts = pile.counts;
            continue;
        }
        // What is seen of a stack are its kinds; the order within a part that was shuffled is not.
        std::size_t next = 0;
        for (const std::int32_t size : run.parts(p)) {
            Part part{std::vector<Terms::Int>(game_.kinds.size()), {}, size};
            for (std::int32_t i = 0; i < size; ++i) {
                Terms::Int& count = part.counts[kinds[next++]];
                count = terms_.constant(count.low() + 1);
            }
            start_.parts[p].push_back(std::move(part));
        }
    }
    // The last hidden place of each kind takes what the others leave.
    std::vector<std::vector<Terms::Int>> of_kind(game_.kinds.size());
    for (const PlaceId p : hidden) {
        const bool stack = p != 0 && game_.zones[machine_.place_zone[p]].shape == Shape::stack;
        const std::vector<std::int32_t> sizes =
            stack ? run.parts(p) : std::vector<std::int32_t>{static_cast<std::int32_t>(start_.sizes[p])};
        std::vector<std::vector<Terms::Int>> whole(game_.kinds.size());
        for (std::size_t part = 0; part < sizes.size(); ++part) {
            Part term_part{{}, {}, sizes[part]};
            for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
                const bool may = p == 0 || game_.zones[machine_.place_zone[p]].families[game_.kinds[k].family];
                const Value high = may ? std::min<Value>(left[k], sizes[part]) : 0;
                const Terms::Int count = unknown_count(fmt::format("kind {} at {} part {}", k, p, part), high);
                term_part.counts.push_back(count);
                whole[k].push_back(count);
                of_kind[k].push_back(count);
            }
            require(start_, terms_.equal(arithmetic::total(terms_, term_part.counts), terms_.constant(term_part.size)));
            if (stack)
                start_.parts[p].push_back(std::move(term_part));
            else
                start_.parts[p].front().counts = term_part.counts;
        }
        for (std::size_t k = 0; k < game_.kinds.size(); ++k) start_.state.piles[p].counts[k] = arithmetic::total(terms_, whole[k]);
    }
    for (std::size_t k = 0; k < game_.kinds.size(); ++k)
        require(start_, terms_.equal(arithmetic::total(terms_, of_kind[k]), terms_.constant(left[k])));
}

// A name for a card that lies hidden is a kind that lies there; where it lies is seen by all.
Card<Terms> Coexecution::named_card(const TableView& run, std::int32_t piece, const std::string& name) {
    const PlaceId place = run.place_of(piece);
    if (sees(place)) return {terms_.constant(game_.piece_kind[piece]), terms_.constant(place)};
    const Terms::Int kind = unknowns_.integer(name, 0, game_.kind_count() - 1);
    std::vector<Terms::Bool> there;
    const Pile<Terms>& pile = start_.state.piles[place];
    for (std::size_t k = 0; k < pile.counts.size(); ++k)
        there.push_back(terms_.both(terms_.equal(kind, terms_.constant(k)), arithmetic::positive(terms_, pile.counts[k])));
    require(start_, terms_.any(there));
    return {kind, terms_.constant(place)};
}

Cards<Terms> Coexecution::named_cards(const TableView& run, const std::vector<std::int32_t>& pieces, const std::string& name) {
    std::map<PlaceId, std::vector<Value>> by_place;
    for (const std::int32_t piece : pieces)
        ++by_place.try_emplace(run.place_of(piece), game_.kinds.size(), 0).first->second[game_.piece_kind[piece]];
    Cards<Terms> cards;
    for (const auto& [place, counts] : by_place) {
        std::vector<Terms::Int> all;
        Value size = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const Terms::Int& there = start_.state.piles[place].counts[k];
            const Terms::Int n =
                sees(place) ? terms_.constant(counts[k]) : unknown_count(fmt::format("{} {} {}", name, place, k), there.high());
            require(start_, terms_.less_equal(n, there));
            collections::add_copies(terms_, cards, place, KindId(k), n);
            all.push_back(n);
            size += counts[k];
        }
        require(start_, terms_.equal(arithmetic::total(terms_, all), terms_.constant(size)));
    }
    return cards;
}

void Coexecution::name_cards(const TableView& run) {
    for (const VariableId v : game_.variables.ids()) {
        const Base base = game_.variables[v].type.base;
        const std::string name = fmt::format("name {}", v.value());
        if (base == Base::cards) start_.state.variables[v] = named_cards(run, run.variable_set(v), name);
        const std::int32_t piece = base == Base::card ? run.variable(v) : -1;
        if (piece >= 0) start_.state.variables[v] = named_card(run, piece, name);
    }
}

// ---------------------------------------------------------------- questions

void Coexecution::require(Z3Session& session, const UnknownTable& path) {
    session.require(always_);
    for (const Condition& c : path.conditions) session.require(c.holds);
    for (const Sum& sum : path.sums) session.require_sum(sum.unknowns, sum.total);
}

Answer Coexecution::possible(const std::vector<Truth>& also, const UnknownTable& path, unsigned z3_steps) {
    Z3Session session(terms_, z3_steps);
    session.finish_by(until_);
    Work work(no_work_limit);
    session.spend_of(&work);
    require(session, path);
    const Answer answer = session.possible(terms_.all(also));
    work_of_z3_ += work_a_z3_session + work.spent();
    return answer;
}

Answer Coexecution::possible_at_first(PlaceId place, KindId kind) {
    bool unknown = false;
    for (const UnknownTable& path : paths_) {
        const Answer a = possible({arithmetic::positive(terms_, at_first(place, kind))}, path);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

Answer Coexecution::possible_now(PlaceId place, KindId kind) {
    bool unknown = false;
    for (UnknownTable& path : paths_) {
        dealer_.settle(path, place);
        const Answer a = possible({arithmetic::positive(terms_, path.state.piles[place].counts[kind])}, path);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

Answer Coexecution::fits(const TableView& truth) {
    std::vector<Truth> same;
    for (PlaceId p = 0; p < game_.places; ++p) {
        std::vector<Value> counts(game_.kinds.size(), 0);
        for (const KindId k : truth.kinds_at(p)) ++counts[k];
        for (std::size_t k = 0; k < counts.size(); ++k) same.push_back(terms_.equal(at_first(p, KindId(k)), terms_.constant(counts[k])));
    }
    bool unknown = false;
    for (const UnknownTable& path : paths_) {
        const Answer a = possible(same, path);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

}  // namespace houserule
