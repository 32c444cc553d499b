// What belongs to a player, a card or a zone, and cards and sets that are written out.
#include "dsl/expressions/expression_reader.hpp"
#include "dsl/game/names.hpp"
#include "dsl/text/other_languages.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <numeric>

namespace houserule {

ExpressionId ExpressionReader::possessive(const Node& node) {
    const ExpressionId of = expression(*node.children[0]);
    if (is_broken(of)) return broken(node.span);
    return member(of, *node.children[1], node.span);
}

ExpressionId ExpressionReader::member(ExpressionId of, const Node& name, Span span) {
    const Type t = type(of);
    const bool some_players = t.base == Base::set && t.element == Base::player;
    if (t.base == Base::player || some_players) return member_of_player(of, name, span);
    if (t.base == Base::card || t.base == Base::kind || t.base == Base::cards) return field_of(of, name, span);
    const auto m = globals_.find(name.text);
    if (t.base == Base::enumeration && m != globals_.end()) {
        used_.insert(name.text);
        if (m->second.what == Meaning::zone || m->second.what == Meaning::fact) return indexed(m->second, of, span, name.text);
        if (m->second.what == Meaning::places) return every_place(name.text, of, span);
        if (m->second.what == Meaning::define) {
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {of}, at);
        }
    }
    report(Code::unknown_member, name.span, name.text, describe(t));
    return broken(span);
}

ExpressionId ExpressionReader::member_of_player(ExpressionId player, const Node& name, Span span) {
    const auto m = globals_.find(name.text);
    if (m != globals_.end()) {
        used_.insert(name.text);
        if (m->second.what == Meaning::zone || m->second.what == Meaning::fact) return indexed(m->second, player, span, name.text);
        if (m->second.what == Meaning::places) return every_place(name.text, player, span);
        if (m->second.what == Meaning::define) {
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {player}, at);
        }
    }
    const int n = game_.players;
    const auto neighbour = [&](int offset) {
        return emit(Operator::neighbour, player_type(), span, player, no_id, no_id, ((offset % n) + n) % n);
    };
    if (type(player).base == Base::player) {
        // Sitting in a circle, the player on the left is the next one clockwise, whichever way the turns go.
        if (name.text == "left") return neighbour(1);
        if (name.text == "right") return neighbour(n - 1);
        if (name.text == "across") {
            if (n % 2 != 0) report(Code::wrong_use, name.span, verbatim("across"), Text::nobody_across(n));
            return neighbour(n / 2);
        }
        if (name.text == "team" || name.text == "partner") {
            if (game_.team.empty()) {
                report(Code::missing_declaration, name.span, verbatim("in teams"));
                return broken(span);
            }
            std::vector<std::int32_t> table;
            for (int p = 0; p < n; ++p) {
                std::int32_t value = game_.team[p] + 1;
                if (name.text == "partner") {
                    value = unset_value;
                    for (int q = 0; q < n; ++q)
                        if (q != p && game_.team[q] == game_.team[p]) value = q;
                }
                table.push_back(value);
            }
            game_.tables.push_back(table);
            const Type result = name.text == "team" ? number_type(1, n) : player_type();
            return emit(Operator::lookup, result, span, player, no_id, no_id, game_.tables.last());
        }
    }
    std::vector<std::string> names = {"left", "right", "across", "partner", "team"};
    for (const Zone& z : game_.zones)
        if (z.by == IndexBy::player) names.push_back(z.name);
    for (const Fact& f : game_.facts)
        if (f.by == IndexBy::player) names.push_back(f.name);
    const std::string near = closest(name.text, names);
    report(Code::unknown_member, name.span, name.text, Text::a_player).help = did_you_mean(near);
    return broken(span);
}

ExpressionId ExpressionReader::field_of(ExpressionId of, const Node& name, Span span) {
    const ExpressionId kind = as_kind(of);
    if (is_broken(kind)) return kind;
    const FamilyId family = type(kind).of;
    std::vector<const Field*> found;
    std::vector<std::string> names;
    for (const FamilyId f : game_.families.ids()) {
        if (family != no_id && f != family) continue;
        for (const Field& field : game_.families[f].fields) {
            names.push_back(field.name);
            if (field.name == name.text) found.push_back(&field);
        }
    }
    if (found.empty()) {
        const auto m = globals_.find(name.text);
        if (m != globals_.end() && m->second.what == Meaning::define) {
            used_.insert(name.text);
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {of}, at);
        }
        const std::string near = closest(name.text, names);
        Phrase said = said_otherwise(name.text);
        if (said.empty() && near.empty()) said = said_in_rulebooks(name.text);
        report(Code::unknown_member, name.span, name.text, describe(type(kind))).help = said.empty() ? Phrase(did_you_mean(near)) : said;
        return broken(span);
    }
    Type t = found.front()->type;
    TableId table = found.front()->table;
    if (found.size() > 1) {
        std::vector<std::int32_t> merged(game_.kinds.size(), unset_value);
        for (const Field* field : found) {
            if (field->type.base != t.base || field->type.of != t.of || field->type.scale != t.scale) {
                report(Code::different_types, name.span, describe(t), describe(field->type)).help = Text::fields_agree;
                return broken(span);
            }
            t.low = std::min(t.low, field->type.low);
            t.high = std::max(t.high, field->type.high);
            t.or_none = t.or_none || field->type.or_none;
            const auto& values = game_.tables[field->table];
            for (std::size_t k = 0; k < merged.size(); ++k)
                if (values[k] != unset_value) merged[k] = values[k];
        }
        game_.tables.push_back(merged);
        table = game_.tables.last();
    }
    if (auto k = value_of(kind); k && *k >= 0 && t.base != Base::set) {
        const std::int32_t v = game_.tables[table][*k];
        if (is_none(t, v)) return none_constant(t, span);
        if (v != unset_value) return constant(t, v, span);
    }
    return emit(t.base == Base::set ? Operator::set_lookup : Operator::lookup, t, span, kind, no_id, no_id, table);
}

ExpressionId ExpressionReader::of_expression(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    const ExpressionId of = expression(*node.children[1]);
    if (is_broken(of)) return broken(node.span);
    if (m != globals_.end() && (m->second.what == Meaning::zone || m->second.what == Meaning::fact)) {
        used_.insert(name.text);
        return indexed(m->second, of, node.span, name.text);
    }
    if (m != globals_.end() && m->second.what == Meaning::places) {
        used_.insert(name.text);
        return every_place(name.text, of, node.span);
    }
    return member(of, name, node.span);
}

ExpressionId ExpressionReader::every(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    const bool has_places = m != globals_.end() && m->second.what == Meaning::places && places_.at(name.text).zone;
    if (m == globals_.end() || (m->second.what != Meaning::zone && !has_places)) {
        std::vector<std::string> zones;
        for (const Zone& z : game_.zones) zones.push_back(z.name);
        const std::string near = closest(name.text, zones);
        report_other(m != globals_.end(), name, Text::not_a_zone_name).help = did_you_mean(near);
        return broken(node.span);
    }
    used_.insert(name.text);
    if (has_places) return every_place(name.text, every_owner(places_.at(name.text), node.span), node.span);
    return indexed(m->second, owners(game_.zones[m->second.id], node.span), node.span, name.text);
}

ExpressionId ExpressionReader::all_cards(const Node& node) {
    bool other = false;
    FamilyId family = no_id;
    for (const Node* c : node.children) {
        if (c->kind == Kind::word && c->text == "other") other = true;
        if (c->kind != Kind::name) continue;
        const auto m = globals_.find(c->text);
        if (m == globals_.end() || m->second.what != Meaning::family) {
            report_other(m != globals_.end(), *c, Text::not_a_family);
            return broken(node.span);
        }
        used_.insert(c->text);
        family = m->second.id;
    }
    return emit(other ? Operator::cards_unplaced : Operator::cards_family, cards_type(family), node.span, no_id, no_id, no_id, family);
}

std::optional<KindId> ExpressionReader::find_kind(const Node& node) {
    std::vector<KindId> found;
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        const PieceKind& kind = game_.kinds[k];
        const Family& family = game_.families[kind.family];
        if (node.children.size() == 1 && !kind.name.empty() && node.children[0]->text == kind.name) found.push_back(KindId(k));
        if (node.children.size() == 1 && family.fields.empty() && kind.name.empty() && node.children[0]->text == family.name)
            found.push_back(KindId(k));
        if (family.fields.size() != node.children.size() || family.fields.empty()) continue;
        bool fits = true;
        for (std::size_t i = 0; fits && i < family.fields.size(); ++i) {
            const Node& c = *node.children[i];
            const Field& field = family.fields[i];
            std::string shown = field.type.base == Base::set ? "" : value_name(game_, field.type, kind.values[i]);
            const auto named = field.value_names.find(kind.values[i]);
            const std::string digits = std::to_string(kind.values[i]);
            const bool none = c.kind == Kind::none || c.kind == Kind::nobody;
            const std::string given = c.kind == Kind::yes ? "yes" : c.kind == Kind::no ? "no" : none ? "none" : c.text;
            fits = field.type.base != Base::set && (given == shown || (named != field.value_names.end() && given == named->second) ||
                                                    (field.type.base == Base::number && given == digits));
        }
        if (fits) found.push_back(KindId(k));
    }
    if (found.empty()) return std::nullopt;
    const auto other =
        std::find_if(found.begin(), found.end(), [&](KindId k) { return game_.kinds[k].family != game_.kinds[found.front()].family; });
    if (other != found.end()) {
        const auto family = [&](KindId k) { return game_.families[game_.kinds[k].family].name; };
        Diagnostic& d = report(Code::several_cards, node.span, kind_text(game_, found.front()));
        d.help = Text::name_rows;
        d.notes.push_back(Text::one_is_another_is(family(found.front()), family(*other)));
    }
    return found.front();
}

ExpressionId ExpressionReader::card_literal(const Node& node) {
    if (const auto kind = find_kind(node)) return constant(kind_type(game_.kinds[*kind].family), *kind, node.span);
    std::string text;
    for (const Node* c : node.children) {
        text += (text.empty() ? "" : " ") + c->text;
        used_.insert(c->text);
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) names.push_back(kind_text(game_, KindId(k)));
    const std::string near = closest(text, names);
    report(Code::no_such_card, node.span, text).help = near.empty() ? Text::values_in_order : Text::did_you_mean_card(near);
    return broken(node.span);
}

// An element of `{…}`, as it fits those before it, of type `element`.
ExpressionId ExpressionReader::set_element(const Node& node, Type& element) {
    const ExpressionId e = expression(node);
    if (is_broken(e)) return e;
    if (is_no_value(e)) {  // nobody is no element of anything
        wrong_type(e, Text::a_value);
        return broken(node.span);
    }
    const Type t = type(e);
    const bool card = t.base == Base::card || t.base == Base::cards;
    if (!card && t.base != Base::player && t.base != Base::enumeration && t.base != Base::kind && t.base != Base::number) {
        wrong_type(e, Text::a_value);
        return broken(node.span);
    }
    if (element.base == Base::nothing) element = t;
    if (element.base == Base::kind && t.base == Base::kind && element.of != t.of)
        element = kind_type(no_id);
    else if (!card && (t.base != element.base || t.of != element.of) && element.base != Base::kind) {
        report(Code::different_types, node.span, describe(element), describe(t));
        return broken(node.span);
    }
    if (t.base == Base::number) element.scale = std::lcm(element.scale, t.scale);
    return e;
}

ExpressionId ExpressionReader::set_literal(const Node& node) {
    if (node.children.empty()) {
        game_.sets.emplace_back();
        Type t;
        t.base = Base::set;
        t.element = Base::nothing;
        return emit(Operator::set_constant, t, node.span, no_id, no_id, no_id, last_set());
    }
    if (std::any_of(node.children.begin(), node.children.end(), [](const Node* c) { return c->kind == Kind::e_range; }))
        return set_with_ranges(node);
    std::vector<ExpressionId> elements;
    Type element;
    for (const Node* c : node.children) {
        elements.push_back(set_element(*c, element));
        if (is_broken(elements.back())) return broken(node.span);
    }
    if (element.base == Base::number)
        for (ExpressionId& e : elements) e = scaled(e, element.scale);
    const auto is_constant = [&](ExpressionId e) { return value_of(e) && type(e).base != Base::card; };
    if (std::all_of(elements.begin(), elements.end(), is_constant)) return constant_set(elements, element, node.span);
    ExpressionId result = no_id;
    for (const ExpressionId e : elements) {
        const bool card = type(e).base == Base::card || type(e).base == Base::cards;
        const ExpressionId single = card ? as_cards(e) : emit(Operator::set_single, set_of(type(e)), at(e).span, e);
        if (result != no_id && type(result).base != type(single).base) {
            report(Code::different_types, at(e).span, describe(type(result)), describe(type(single)));
            return broken(node.span);
        }
        const Operator join = card ? Operator::cards_join : Operator::set_join;
        result = result == no_id ? single : emit(join, joined_type(result, single), node.span, result, single);
    }
    return result;
}

ExpressionId ExpressionReader::constant_set(const std::vector<ExpressionId>& elements, Type element, Span span) {
    std::vector<std::int32_t> values;
    for (const ExpressionId e : elements) values.push_back(*value_of(e));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (element.base == Base::number) element = number_type(values.front(), values.back(), element.scale);
    Type t = set_of(element);
    if (element.base == Base::player) t = set_of(player_type());
    if (element.base == Base::enumeration && element.of != no_id) {
        t.low = 0;
        t.high = game_.enums[element.of].size() - 1;
    }
    game_.sets.push_back(std::move(values));
    return emit(Operator::set_constant, t, span, no_id, no_id, no_id, last_set());
}

}  // namespace houserule
