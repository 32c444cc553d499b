// What is offered at the nodes of a plain run, and what is answered there: see plain_stepper.hpp.
#include "dsl/game/placed_kind.hpp"
#include "interpreter/plain/plain_stepper.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace houserule {

// ---- choices -----------------------------------------------------------------------------------------------------------------

void PlainStepper::choose(const Step& s) {
    const std::int32_t seat = player(s.x);
    offer_ = offer(s);
    if (s.fits != no_id && !failed()) keep_fitting(s);
    if (failed()) return;
    Node node{NodeKind::choose, seat, offer_.moves(), no_seats, (s.mode & choice_joint) != 0};
    if (offer_.moves() == 0) {
        if (s.c == no_id) return fail(FailureKind::nothing_to_choose);
        pc_ = s.c;
        return;
    }
    if ((s.mode & choice_optional) != 0 && !agreed_) {
        node.kind = NodeKind::consent;
        node.moves = 2;
        return wait(node);
    }
    if (offer_.moves() > 1 || ask_forced_) return wait(node);
    ++forced_;
    node_ = node;
    node_.step = pc_;
    take_choice(s, 0);
}

PlainOffer PlainStepper::offer(const Step& s) {
    of_cards_ = false;
    offered_.clear();
    if ((s.mode & choice_range) != 0) {
        const Value low = values_.scalar(s.y);
        return PlainOffer::range(low, values_.scalar(s.w));
    }
    of_cards_ = values_.is_cards(s.y);
    PlainOffer each;
    if (of_cards_) {
        const PieceList from = values_.cards(s.y);
        offered_.assign(from.begin(), from.end());
        each = one_of_cards(from);
    } else {
        offered_ = values_.set(s.y);
        each = PlainOffer::one_of(offered_);
    }
    if ((s.mode & choice_many) == 0) return each;
    const Value low = values_.scalar(s.z);
    const Value high = values_.scalar(s.w);
    std::vector<Value> copies;
    for (const Value thing : each.things()) copies.push_back(of_cards_ ? copies_like(thing).size() : 1);
    PlainOffer several = PlainOffer::several_of(each.things(), std::move(copies), low, high);
    if (several.moves() >= PlainOffer::limit && s.fits == no_id) fail(FailureKind::too_many_choices);
    return several;
}

// Of the sets that are offered, those that fulfil the condition on the whole.
void PlainStepper::keep_fitting(const Step& s) {
    if (std::cmp_greater(offer_.moves(), tried_limit)) return fail(FailureKind::too_many_to_try, no_id, tried_limit);
    work_ += offer_.moves() * rounds_a_node;
    const PieceList named = of_cards_ ? values_.now().named[s.a] : PieceList{};
    const std::vector<Value> elements = of_cards_ ? std::vector<Value>{} : PlainValues::elements(values_.set_variable(s.a));
    std::vector<std::uint64_t> fitting;
    for (std::uint64_t rank = 0; rank < offer_.moves() && !failed(); ++rank) {
        name_things(s, taken_things(rank));
        if (values_.truth(s.fits)) fitting.push_back(rank);
    }
    if (of_cards_) {
        values_.now().named[s.a] = named;
        values_.settle();
    } else {
        values_.put_elements(s.a, elements);
    }
    if (!failed()) offer_.keep(std::move(fitting));
}

// What was taken goes by the name of the choice.
void PlainStepper::name_things(const Step& s, const std::vector<Value>& things) {
    if (of_cards_) {
        values_.now().named[s.a].assign(things.begin(), things.end());
        values_.settle();
    } else if (offer_.is_of_several()) {
        values_.put_elements(s.a, things);
    } else {
        values_.number(s.a) = things.front();
    }
}

// Of copies of a kind at one place, the first.
PlainOffer PlainStepper::one_of_cards(const PieceList& from) const {
    std::vector<Value> things;
    for (const std::int32_t piece : from)
        if (copies_like(piece).front() == piece) things.push_back(piece);
    return PlainOffer::one_of(std::move(things));
}

// The offered copies of the same kind at the same place.
PieceList PlainStepper::copies_like(std::int32_t piece) const {
    PieceList copies;
    for (const Value other : offered_) {
        const std::int32_t o = other;
        if (kind(o) == kind(piece) && table().where(o) == table().where(piece)) copies.push_back(o);
    }
    return copies;
}

std::vector<Value> PlainStepper::taken_things(std::uint64_t move) const {
    if (!offer_.is_of_several()) return {offer_.thing(move)};
    std::vector<Value> things;
    const std::vector<Value> taken = offer_.taken(move);
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Value first = offer_.things()[i];
        if (of_cards_) {
            const PieceList copies = copies_like(first);
            things.insert(things.end(), copies.begin(), copies.begin() + taken[i]);
        } else if (taken[i] != 0) {
            things.push_back(first);
        }
    }
    std::sort(things.begin(), things.end());
    return things;
}

void PlainStepper::take_choice(const Step& s, std::uint64_t move) {
    const std::vector<Value> things = taken_things(move);
    std::vector<std::int32_t> values;
    for (const Value thing : things) values.push_back(shown(thing));
    agreed_ = false;
    name_things(s, things);
    events_.chose(node_, values);
    ++pc_;
}

// ---- chance and reports ------------------------------------------------------------------------------------------------------

void PlainStepper::draw(const Step& s) {
    const PlaceId from = place(s.x);
    if (failed()) return;
    const auto& parts = table().parts(from);
    const bool whole = s.mode == 1 || !table().is_ordered(from) || parts.empty();
    PieceList drawable = whole ? table().pieces(from) : parts.back();
    std::sort(drawable.begin(), drawable.end());
    offered_.assign(drawable.begin(), drawable.end());
    of_cards_ = true;
    weights_.clear();
    if (offered_.empty()) {
        if (s.c == no_id) return fail(FailureKind::no_card_to_deal, from);
        pc_ = s.c;
        return;
    }
    place(s.y);
    if (failed()) return;
    offer_ = PlainOffer::one_of(offered_);
    if (offered_.size() == 1) return take_draw(s, drawable.front());
    wait({NodeKind::draw, -1, offered_.size()});
}

// Of its copies the first goes.
void PlainStepper::take_draw(const Step& s, std::int32_t drawn) {
    const std::int32_t piece = copies_like(drawn).front();
    const PlaceId from = table().where(piece);
    const PlaceId to = place(s.y);
    if (failed()) return;
    events_.drawn(from, to, kind(piece));
    table().move({piece}, to, false);
    if (s.a != no_id) values_.now().named[s.a] = {piece};
    values_.settle();
    if (table().size(to) > capacity(to)) return fail(FailureKind::takes_only, to);
    ++pc_;
}

void PlainStepper::report(const Step& s) {
    seer_of(s);
    if (failed()) return;
    of_cards_ = values_.is_cards(s.x);
    if (of_cards_) {
        const PieceList all = values_.cards(s.x);
        offered_.assign(all.begin(), all.end());
    } else {
        offered_ = values_.set(s.x);
    }
    weights_.clear();
    if (s.b != no_id) {
        std::map<Value, Value> weights;
        for (const auto& [value, weight] : m_.weights[s.b]) weights[value] = values_.scalar(weight);
        std::erase_if(offered_, [&](Value v) { return weights[v] <= 0; });
        for (const Value v : offered_) weights_.push_back(weights[v]);
    }
    if (failed()) return;
    if (offered_.empty()) return fail(FailureKind::nothing_to_report);
    offer_ = PlainOffer::one_of(offered_);
    if (offered_.size() == 1) return take_report(s, offered_.front());
    wait({s.mode == 1 ? NodeKind::lot : NodeKind::report, -1, offered_.size()});
}

// Who sees what a lot picks.
std::int32_t PlainStepper::seer_of(const Step& s) { return s.y == no_id ? seen_by_all : values_.scalar(s.y); }

void PlainStepper::take_report(const Step& s, std::int32_t told) {
    const std::int32_t value = of_cards_ ? copies_like(told).front() : told;
    const std::int32_t said = shown(told);
    if (of_cards_) {
        values_.now().named[s.a] = {value};
        values_.settle();
    } else {
        values_.number(s.a) = value;
    }
    events_.told(said, seer_of(s));
    ++pc_;
}

void PlainStepper::window(const Step& s) {
    Seats seats = no_seats;
    for (const Value p : PlainValues::elements(values_.set_variable(s.b))) seats |= seat_bit(p);
    if (seats != no_seats) return wait({NodeKind::window, -1, std::uint64_t{1} << g_.players, seats});
    ++pc_;
}

// ---- answers -----------------------------------------------------------------------------------------------------------------

void PlainStepper::answer(const Step& s, std::uint64_t move) {
    events_.at(pc_);
    switch (node_.kind) {
        case NodeKind::consent:
            agreed_ = move != 0;
            if (agreed_) return;
            events_.declined(node_);
            pc_ = s.c;
            return;
        case NodeKind::choose:
            return take_choice(s, move);
        case NodeKind::ask:
            events_.answered(node_, move != 0);
            pc_ = move != 0 ? pc_ + 1 : StepId(s.c);
            return;
        case NodeKind::draw:
            return take_draw(s, offer_.thing(move));
        case NodeKind::lot:
        case NodeKind::report:
            return take_report(s, offer_.thing(move));
        case NodeKind::window: {
            const std::vector<std::int32_t> who = meaning(move & node_.seats).values;
            values_.put_elements(s.b, {who.begin(), who.end()});
            if (!who.empty()) events_.act(who);
            ++pc_;
            return;
        }
        case NodeKind::over:
        case NodeKind::failed:
            return;
    }
}

std::uint64_t PlainStepper::outcome_weight(std::uint64_t move) const {
    const bool weighed = node_.kind == NodeKind::lot || node_.kind == NodeKind::report;
    return weighed && !weights_.empty() ? weights_[move] : 1;
}

Meant PlainStepper::meaning(std::uint64_t move) const {
    Meant meant;
    switch (node_.kind) {
        case NodeKind::choose:
            for (const Value thing : taken_things(move)) meant.values.push_back(shown(thing));
            break;
        case NodeKind::consent:
        case NodeKind::ask:
            meant.values.push_back(move);
            break;
        case NodeKind::draw:
        case NodeKind::lot:
        case NodeKind::report:
            meant.values.push_back(shown(offer_.thing(move)));
            break;
        case NodeKind::window:
            for (std::int32_t p = 0; p < g_.players; ++p)
                if ((move >> p & 1) != 0) meant.values.push_back(p);
            break;
        case NodeKind::over:
        case NodeKind::failed:
            break;
    }
    return meant;
}

// A value; or a kind, with its place when the choice is between several places.
std::int32_t PlainStepper::shown(Value option) const {
    const std::int32_t value = option;
    if (!of_cards_) return value;
    const PlaceId place = table().where(value);
    const bool elsewhere = std::any_of(offered_.begin(), offered_.end(), [&](Value o) { return table().where(o) != place; });
    return elsewhere ? PlacedKind{kind(value), place}.value() : kind(value);
}

std::uint64_t PlainStepper::move_for(const std::vector<std::int32_t>& values) const {
    if (node_.kind == NodeKind::window) {
        std::uint64_t who = 0;
        for (const std::int32_t v : values) {
            if (v < 0 || v >= g_.players || (node_.seats >> v & 1) == 0) return node_.moves;
            who |= std::uint64_t{1} << v;
        }
        return who;
    }
    if (node_.kind == NodeKind::choose && offer_.is_of_several()) {
        std::vector<Value> taken(offer_.things().size(), 0);
        for (const std::int32_t v : values) {
            std::size_t i = 0;
            while (i < taken.size() && !(is_meant(offer_.things()[i], v) && taken[i] < offer_.copies()[i])) ++i;
            if (i == taken.size()) return node_.moves;
            ++taken[i];
        }
        return offer_.rank(taken);
    }
    if (values.size() != 1) return node_.moves;
    for (std::uint64_t move = 0; move < node_.moves; ++move) {
        const bool placed =
            node_.kind != NodeKind::consent && node_.kind != NodeKind::ask && !offered_.empty() && is_meant(offer_.thing(move), values[0]);
        if (placed || meaning(move).values == values) return move;
    }
    return node_.moves;
}

}  // namespace houserule
