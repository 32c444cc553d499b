#include "interpreter/plain/plain_values.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace houserule {

PlainValues::PlainValues(const Machine& machine)
    : m_(machine),
      game_(machine.game),
      numbers_([this](ExpressionId id) { broke(id); }),
      now_{PlainTable(machine), empty_state(numbers_, machine.game)} {
    start();
}

void PlainValues::start() {
    forget_failure();
    end_effects();
    now_ = {PlainTable(m_), initial_state(numbers_, game_), {}};
    now_.named.resize(game_.variables.size());
    settle();
}

// ---- what is read ------------------------------------------------------------------------------------------------------------

void PlainValues::settle() {
    for (PlaceId place = 0; place < game_.places; ++place) {
        Pile<TellingNumbers>& pile = now_.state.piles[place];
        pile.counts.assign(game_.kinds.size(), 0);
        pile.order.clear();
        for (const PieceList& part : now_.table.parts(place)) {
            for (const std::int32_t piece : part) {
                ++pile.counts[game_.piece_kind[piece]];
                if (now_.table.is_ordered(place)) pile.order.push_back(are_alike(part) ? game_.piece_kind[piece] : -1);
            }
        }
    }
    bring_names(now_);
}

Value PlainValues::size_at(PlaceId place) { return place < 0 || place >= game_.places ? 0 : read().table.size(place); }

bool PlainValues::are_alike(const PieceList& pieces) const {
    return std::all_of(pieces.begin(), pieces.end(), [&](std::int32_t p) { return game_.piece_kind[p] == game_.piece_kind[pieces[0]]; });
}

void PlainValues::bring_names(PlainGame& game) const {
    for (const VariableId v : game_.variables.ids()) {
        const PieceList& pieces = game.named[v];
        if (game_.variables[v].type.base == Base::card) {
            const bool none = pieces.empty();
            game.state.variables[v] =
                Card<TellingNumbers>{none ? -1 : game_.piece_kind[pieces[0]], none ? -1 : game.table.where(pieces[0])};
        } else if (game_.variables[v].type.base == Base::cards) {
            std::map<std::pair<PlaceId, KindId>, Value> counts;
            for (const std::int32_t piece : pieces) ++counts[{game.table.where(piece), game_.piece_kind[piece]}];
            Cards<TellingNumbers> cards;
            for (const auto& [at, count] : counts) cards.copies.push_back({at.first, at.second, count});
            game.state.variables[v] = cards;
        }
    }
}

PlainGame& PlainValues::read() {
    if (!then_) return now_;
    then_->named = now_.named;
    then_->state.variables = now_.state.variables;
    bring_names(*then_);
    return *then_;
}

// ---- values ------------------------------------------------------------------------------------------------------------------

Value PlainValues::scalar(ExpressionId id) {
    if (game_.expressions[id].type.base == Base::truth) return evaluator().truth(id) ? 1 : 0;
    return evaluator().scalar(id);
}

std::vector<Value> PlainValues::elements(const Set<TellingNumbers>& set) {
    std::vector<Value> elements;
    for (Value e = set.first; e < set.end(); ++e)
        if (set.has[e - set.first]) elements.push_back(e);
    return elements;
}

std::vector<Value> PlainValues::set(ExpressionId id) { return elements(set_of(id)); }

// So many copies of each kind at each place as there are: the preferred ones, then those that come first.
PieceList PlainValues::cards(ExpressionId id) {
    const Cards<TellingNumbers> cards = evaluator().cards(id);
    if (failed()) return {};
    std::map<std::pair<PlaceId, KindId>, Value> wanted;
    for (const auto& c : cards.copies) wanted[{c.place, c.kind}] += c.count;
    PieceList candidates = preferred(id);
    for (std::size_t piece = 0; piece < game_.piece_kind.size(); ++piece) candidates.push_back(piece);
    PieceList taken;
    const PlainTable& table = read().table;
    for (const std::int32_t piece : candidates) {
        const auto found = wanted.find({table.where(piece), game_.piece_kind[piece]});
        if (found == wanted.end() || found->second == 0 || std::find(taken.begin(), taken.end(), piece) != taken.end()) continue;
        --found->second;
        taken.push_back(piece);
    }
    std::sort(taken.begin(), taken.end());
    return taken;
}

// The pieces that an expression means before others like them.
PieceList PlainValues::preferred(ExpressionId id) {
    const Expression& e = game_.expressions[id];
    switch (e.op) {
        case Operator::cards_variable:
            return now_.named[e.named()];
        case Operator::cards_single: {
            const std::int32_t piece = card(e.a);
            return piece < 0 ? PieceList{} : PieceList{piece};
        }
        case Operator::cards_where:
        case Operator::cards_most:
        case Operator::cards_least:
        case Operator::cards_groups:
        case Operator::cards_any:
            return cards(e.a);
        case Operator::first_cards:
        case Operator::last_cards: {
            PieceList here = read().table.pieces(scalar(e.a));
            if (e.op == Operator::last_cards) std::reverse(here.begin(), here.end());
            here.resize(scalar(e.b));
            return here;
        }
        case Operator::cards_or_if_none: {
            const PieceList first = cards(e.a);
            return first.empty() ? cards(e.b) : first;
        }
        case Operator::cards_conditional:
            return truth(e.a) ? cards(e.b) : cards(e.c);
        case Operator::cards_join: {
            PieceList both = cards(e.a);
            const PieceList more = cards(e.b);
            both.insert(both.end(), more.begin(), more.end());
            return both;
        }
        case Operator::cards_minus: {
            PieceList rest;
            const PieceList all = cards(e.a);
            const PieceList gone = cards(e.b);
            std::set_difference(all.rbegin(), all.rend(), gone.rbegin(), gone.rend(), std::back_inserter(rest), std::greater<>());
            return rest;
        }
        default:
            return {};
    }
}

std::int32_t PlainValues::card(ExpressionId id) {
    const Expression& e = game_.expressions[id];
    const KindId kind = evaluator().card(id).kind;
    if (failed() || kind < 0) return -1;
    switch (e.op) {
        case Operator::variable:
            return now_.named[e.named()].front();
        case Operator::conditional:
            return truth(e.a) ? card(e.b) : card(e.c);
        case Operator::the_card:
            return cards(e.a).front();
        case Operator::first_card:
            return read().table.pieces(scalar(e.a)).front();
        case Operator::last_card:
            return read().table.pieces(scalar(e.a)).back();
        default:
            stop_on_bug("an expression is no card that is somewhere");
    }
}

void PlainValues::bind(BoundId bound, Value element) { read().state.bounds[bound] = {element, -1}; }

// ---- what changes ------------------------------------------------------------------------------------------------------------

void PlainValues::start_fact(FactId fact) { houserule::start_fact(numbers_, game_, now_.state, fact); }

void PlainValues::assign(VariableId variable, ExpressionId id) {
    switch (game_.variables[variable].type.base) {
        case Base::card: {
            const std::int32_t piece = card(id);
            now_.named[variable] = piece < 0 ? PieceList{} : PieceList{piece};
            return bring_names(now_);
        }
        case Base::cards:
            now_.named[variable] = cards(id);
            return bring_names(now_);
        case Base::set:
            return put_elements(variable, set(id));
        case Base::nothing:
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::place:
            number(variable) = scalar(id);
            return;
    }
}

void PlainValues::put_elements(VariableId variable, const std::vector<Value>& elements) {
    Set<TellingNumbers>& set = set_variable(variable);
    set = collections::empty_set(numbers_, elements_of(game_, game_.variables[variable].type));
    for (const Value e : elements) set.has.at(e - set.first) = true;
}

// ---- broken promises ---------------------------------------------------------------------------------------------------------

void PlainValues::fail(const Failure& failure) {
    if (!std::exchange(failed_, true)) {
        failure_ = failure;
        failures_.clear();
    }
    failures_.push_back(failure);
}

void PlainValues::broke(ExpressionId id) {
    if (std::exchange(explaining_, true)) return;
    const FailureKind kind = reason(id);
    const std::int32_t number = kind == FailureKind::below_nothing       ? scalar(game_.expressions[id].b)
                                : kind == FailureKind::too_many_to_split ? split_limit
                                                                         : 0;
    explaining_ = false;
    fail({kind, game_.expressions[id].span, no_id, no_id, number});
}

void PlainValues::place_failure(Span span) {
    for (Failure& failure : failures_)
        if (failure.span == Span{}) failure.span = span;
    if (failure_.span == Span{}) failure_.span = span;
}

// How the promise of an expression broke: its operands are read again.
FailureKind PlainValues::reason(ExpressionId id) {
    const Expression& e = game_.expressions[id];
    const auto owned = [&](FailureKind otherwise) { return e.a != no_id && scalar(e.a) < 0 ? FailureKind::no_owner : otherwise; };
    switch (e.op) {
        case Operator::fact:
        case Operator::set_fact:
            return owned(FailureKind::read_before_set);
        case Operator::next_in:
            return owned(FailureKind::nobody_next);
        case Operator::place:
        case Operator::neighbour:
            return FailureKind::no_owner;
        case Operator::quotient:
        case Operator::remainder:
            return FailureKind::division_by_nothing;
        case Operator::lookup: {
            const Value index = scalar(e.a);
            const Value size = game_.tables[e.named()].size();
            return index >= 0 && index < size ? FailureKind::no_such_value : FailureKind::nothing_to_read;
        }
        case Operator::set_lookup:
            return FailureKind::no_such_value;
        case Operator::kind_of:
            return FailureKind::no_card;
        case Operator::first_card:
        case Operator::last_card:
            return size_at(scalar(e.a)) == 0 ? FailureKind::no_card : FailureKind::order_unknown;
        case Operator::the_card:
            return evaluator().cards(e.a).copies.empty() ? FailureKind::no_card_fits : FailureKind::several_cards_fit;
        case Operator::the_element:
            return set(e.a).empty() ? FailureKind::nothing_fits : FailureKind::several_fit;
        case Operator::largest_over:
        case Operator::smallest_over:
            return FailureKind::nothing_to_compare;
        case Operator::first_cards:
        case Operator::last_cards:
            if (scalar(e.b) < 0) return FailureKind::below_nothing;
            return scalar(e.b) > size_at(scalar(e.a)) ? FailureKind::not_so_many : FailureKind::order_unknown;
        case Operator::least_left:
            return FailureKind::too_many_to_split;
        case Operator::cards_groups:
            return FailureKind::group_undecided;
        case Operator::cards_any: {
            const Cards<TellingNumbers> of = evaluator().cards(e.a);
            if (scalar(e.b) < 0) return FailureKind::below_nothing;
            return collections::size(numbers_, of) < scalar(e.b) ? FailureKind::not_so_many : FailureKind::which_undecided;
        }
        case Operator::fail:
            return failure_of(e);
        default:
            stop_on_bug("an operator that makes no promise broke one");
    }
}

}  // namespace houserule
