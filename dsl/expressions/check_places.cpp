// `NAME at n`: the places of what is declared `at 1..5`, each a zone or fact of its own, and the n-th card of a row or stack.
#include "dsl/expressions/expression_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

std::optional<ExpressionReader::AtPlace> ExpressionReader::at_place(const Node& node) {
    if (node.kind != Kind::e_at) return std::nullopt;
    const Node& of = *node.children[0];
    const Node* name = nullptr;
    const Node* owner = nullptr;
    if (of.kind == Kind::name && scopes_.find(of.text) == nullptr) name = &of;
    if (of.kind == Kind::e_possessive) name = of.children[1], owner = of.children[0];
    if (of.kind == Kind::e_of) name = of.children[0], owner = of.children[1];
    if (of.kind == Kind::e_every) name = of.children[0];
    const auto found = name == nullptr ? places_.end() : places_.find(name->text);
    if (found == places_.end()) return std::nullopt;
    used_.insert(name->text);
    const ExpressionId of_whom = owner != nullptr           ? expression(*owner)
                                 : of.kind == Kind::e_every ? every_owner(found->second, of.span)
                                                            : no_id;
    return AtPlace{&found->second, name->text, of_whom};
}

// All for whom there is such a zone; none of a zone of the table.
ExpressionId ExpressionReader::every_owner(const Places& places, Span span) {
    return places.zone ? owners(game_.zones[places.each.front()], span) : ExpressionId(no_id);
}

ExpressionId ExpressionReader::owners(const Zone& zone, Span span) {
    if (zone.by == IndexBy::nothing) return no_id;
    std::vector<std::int32_t> all;
    for (std::int32_t i = 0; i < zone.places; ++i) all.push_back(i);
    game_.sets.push_back(std::move(all));
    const Type element = zone.by == IndexBy::player ? player_type() : enum_type(zone.index_enum);
    return emit(Operator::set_constant, set_of(element), span, no_id, no_id, no_id, last_set());
}

// The cards at all places.
ExpressionId ExpressionReader::every_place(const std::string& name, ExpressionId owner, Span span) {
    const Places& places = places_.at(name);
    if (!places.zone) {
        report(Code::wrong_use, span, name, Text::one_for_each_place).help = Text::say_place_number(name);
        return broken(span);
    }
    ExpressionId all = no_id;
    for (const Operand id : places.each) {
        const ExpressionId here = indexed({Meaning::zone, id, 0, nullptr, {}}, owner, span, name);
        if (is_broken(here)) return here;
        all = all == no_id ? here : emit(Operator::cards_join, joined_type(all, here), span, all, here);
    }
    return all;
}

ExpressionId ExpressionReader::place_number(const AtPlace& of, const Node& node) {
    return place_number(of, count(node, verbatim("at"), of.places->low), node.span);
}

ExpressionId ExpressionReader::place_number(const AtPlace& of, ExpressionId number, Span span) {
    if (is_broken(number) || !possible_places(of, number).first.empty()) return number;
    const Type& t = type(number);
    if (t.low > t.high) return number;  // in a loop over no numbers
    report(Code::out_of_range, span, verbatim("at"), fmt::format("{}..{}", of.places->low, of.places->high),
           t.low == t.high ? fmt::format("{}", t.low) : fmt::format("{}..{}", t.low, t.high));
    return broken(span);
}

std::pair<std::vector<std::int32_t>, bool> ExpressionReader::possible_places(const AtPlace& of, ExpressionId number) const {
    const Type& t = type(number);
    std::pair<std::vector<std::int32_t>, bool> possible{{}, t.low < of.places->low || t.high > of.places->high};
    for (std::int32_t n = std::max(t.low, of.places->low); n <= std::min(t.high, of.places->high); ++n) possible.first.push_back(n);
    // Where there is only one, the number is read all the same: working it out may promise something.
    const Operator op = at(number).op;
    const bool promises = !value_of(number) && op != Operator::variable && op != Operator::bound;
    if (possible.first.size() == 1 && promises) possible.second = true;
    return possible;
}

ExpressionId ExpressionReader::is_place(ExpressionId number, std::int32_t n, Span span) {
    return equal(number, constant(number_type(n, n), n, span), span);
}

ExpressionId ExpressionReader::at_number(const Node& node) {
    const auto of = at_place(node);
    if (!of) return nth_card(node);
    const ExpressionId number = place_number(*of, *node.children[1]);
    if (is_broken(number) || (of->owner != no_id && is_broken(of->owner))) return broken(node.span);
    const auto [possible, outside] = possible_places(*of, number);
    const auto one = [&](std::int32_t n) {
        const Operand id = of->places->each.at(n - of->places->low);
        return indexed({of->places->zone ? Meaning::zone : Meaning::fact, id, 0, nullptr, {}}, of->owner, node.span, of->name);
    };
    if (possible.empty()) return one(of->places->low);  // in a loop over no numbers
    ExpressionId result = one(possible.back());
    if (is_broken(result)) return result;
    const bool places = at(result).op == Operator::cards_at;
    const Type cards = type(result);
    const Type place{Base::place, Base::nothing, no_id, 0, std::max(0, game_.places - 1), 1, false};
    if (places) result = at(result).a;
    const auto otherwise = [&](std::int32_t n, ExpressionId here, ExpressionId rest) {
        const ExpressionId is = is_place(number, n, node.span);
        return places ? emit(Operator::conditional, place, node.span, is, here, rest) : conditional(is, here, rest, node.span);
    };
    if (outside) result = otherwise(possible.back(), result, emit(Operator::fail, places ? place : type(result), node.span));
    for (auto n = possible.rbegin() + 1; n != possible.rend(); ++n) {
        const ExpressionId here = one(*n);
        if (is_broken(here) || is_broken(result)) return broken(node.span);
        result = otherwise(*n, places ? at(here).a : here, result);
    }
    return places ? emit(Operator::cards_at, cards, node.span, result) : result;
}

bool ExpressionReader::is_zone(const Node& parameter) const {
    if (parameter.children.front()->kind != Kind::t_zone) return false;
    const auto named = globals_.find("zone");
    return named == globals_.end() || (named->second.what != Meaning::enumeration && named->second.what != Meaning::family);
}

bool ExpressionReader::has_zones(const Node& declaration) const {
    const Node* parameters = child(declaration, Kind::parameters);
    return parameters != nullptr &&
           std::any_of(parameters->children.begin(), parameters->children.end(), [&](const Node* p) { return is_zone(*p); });
}

ExpressionId ExpressionReader::given_place(ExpressionId e) {
    if (is_broken(e)) return e;
    const Operator op = at(e).op;
    if (op == Operator::cards_at || op == Operator::cards_conditional) {
        const ExpressionId place = as_place(e);
        if (is_broken(place)) return place;
        return op == Operator::cards_at ? e : emit(Operator::cards_at, type(e), at(e).span, place);
    }
    report(Code::wrong_type, at(e).span, Text::one_zone, describe(e)).help = Text::name_one_zone;
    return broken(at(e).span);
}

ExpressionId ExpressionReader::zone_of(ZoneId zone, ExpressionId owner, Span span) {
    return indexed({Meaning::zone, zone, 0, nullptr, {}}, owner, span, game_.zones[zone].name);
}

// The first n cards but the first n - 1.
ExpressionId ExpressionReader::nth_card(const Node& node) {
    const ExpressionId place = ordered_place(*node.children[0], node.span);
    const ExpressionId n = count(*node.children[1], verbatim("at"), 1);
    if (is_broken(place) || is_broken(n)) return broken(node.span);
    const Type card = card_type(type(place).of);
    const ExpressionId of = at(place).a;
    if (value_of(n) == 1) return emit(Operator::first_card, card, node.span, of);
    const Type cards = cards_type(card.of);
    const ExpressionId before = subtracted(n, constant(number_type(1, 1), 1, node.span), node.span);
    const ExpressionId up_to = emit(Operator::first_cards, cards, node.span, of, n);
    const ExpressionId rest = emit(Operator::first_cards, cards, node.span, of, before);
    return emit(Operator::the_card, card, node.span, emit(Operator::cards_minus, cards, node.span, up_to, rest));
}

// The cards of one row or stack; broken, and a report, of anything else.
ExpressionId ExpressionReader::ordered_place(const Node& node, Span span) {
    const ExpressionId s = expression(node);
    if (is_broken(s)) return s;
    const bool place = at(s).op == Operator::cards_at || at(s).op == Operator::cards_conditional;
    if (!place) {
        report(Code::wrong_type, node.span, Text::numbered_places, describe(type(s)));
        return broken(span);
    }
    const ExpressionId p = as_place(s);
    if (is_broken(p)) return p;
    if (const Zone* zone = unordered_zone(p)) {
        report(Code::misplaced, span, Text::set_has_no_order(zone->name)).help = Text::say_which_of_set;
        return broken(span);
    }
    return at(s).op == Operator::cards_at ? s : emit(Operator::cards_at, type(s), span, p);
}

}  // namespace houserule
