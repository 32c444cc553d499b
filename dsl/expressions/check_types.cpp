// The types that facts, fields and parameters are declared with, and constants.
#include "dsl/expressions/expression_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

constexpr std::size_t value_limit = 256;  // values of one enum or set

bool is_field(const Game& game, const std::string& name) {
    return std::ranges::any_of(game.families, [&](const Family& family) {
        return std::ranges::any_of(family.fields, [&](const Field& field) { return field.name == name; });
    });
}

}  // namespace

bool is_written(const SyntaxNode& node) {
    if (node.children.empty()) return node.kind == Kind::number || node.kind == Kind::word;
    const bool reckoned = node.kind == Kind::e_minus || node.kind == Kind::e_sum || node.kind == Kind::e_product;
    return reckoned && std::all_of(node.children.begin(), node.children.end(), [](const SyntaxNode* c) { return is_written(*c); });
}

std::int32_t ExpressionReader::parts_of_one(const Node& by) {
    const double step = std::strtod(by.children[0]->text.c_str(), nullptr);
    if (step >= 0.001 && step <= 1) return static_cast<std::int32_t>(1.0 / step + 0.5);
    report(Code::out_of_range, by.children[0]->span, verbatim("by"), verbatim("0.001..1"), by.children[0]->text);
    return 0;
}

// The families of the file are types: where `card` is written, and the cards are called otherwise.
void ExpressionReader::types_are(Diagnostic& d) const {
    std::string families;
    for (const Family& family : game_.families) families += (families.empty() ? "`" : ", `") + family.name + "`";
    if (d.help.empty() && !families.empty()) d.help = Text::families_are_types(families);
}

Type ExpressionReader::read_one_type(const Node& d, const std::string& name) {
    switch (d.kind) {
        case Kind::t_yes_no:
            return truth_type();
        case Kind::t_player:
            return player_type();
        case Kind::t_range: {
            const auto low = constant_number(*d.children[0]);
            const auto high = constant_number(*d.children[1]);
            if (!low || !high) return {};
            std::int32_t scale = 1;
            if (const Node* by = child(d, Kind::by)) scale = std::max(1, parts_of_one(*by));
            if (*low > *high) {
                report(Code::out_of_range, d.span, Text::a_range, Text::smaller_first, fmt::format("{}..{}", *low, *high));
                return {};
            }
            return number_range(std::int64_t{*low} * scale, std::int64_t{*high} * scale, scale, d.span);
        }
        case Kind::t_list: {
            std::vector<const Node*> values;
            for (const Node* v : d.children) values.push_back(v);
            const EnumId e = declare_values(name, values);
            return enum_type(e);
        }
        case Kind::t_set:
            return set_of(read_one_type(*d.children[0], name));
        case Kind::t_kind:
        case Kind::t_several: {
            const Node& n = *d.children[0];
            const auto m = globals_.find(n.text);
            if (m == globals_.end() || m->second.what != Meaning::family) {
                types_are(report_other(m != globals_.end(), n, Text::not_a_family));
                return {};
            }
            used_.insert(n.text);
            return d.kind == Kind::t_kind ? kind_type(m->second.id) : cards_type(m->second.id);
        }
        case Kind::t_zone: {  // where an enum or a family is called so
            const auto m = globals_.find("zone");
            const bool is_enum = m != globals_.end() && m->second.what == Meaning::enumeration;
            const bool is_family = m != globals_.end() && m->second.what == Meaning::family;
            if (is_enum || is_family) {
                used_.insert("zone");
                return is_enum ? m->second.type : kind_type(m->second.id);
            }
            report(Code::misplaced, d.span, Text::zones_are_for_rules).help = Text::rule_takes_zone;
            return {};
        }
        case Kind::t_named: {
            const Node& n = *d.children[0];
            const auto m = globals_.find(n.text);
            if (m != globals_.end()) used_.insert(n.text);
            if (m != globals_.end() && m->second.what == Meaning::enumeration) return m->second.type;
            if (m != globals_.end() && m->second.what == Meaning::family) return kind_type(m->second.id);
            if (m == globals_.end() && is_field(game_, n.text))
                report(Code::unknown_name, n.span, n.text).help = Text::list_is_no_type(n.text);
            else if (m == globals_.end())
                types_are(unknown_name(n, {"player"}));
            else
                report(Code::wrong_use, n.span, n.text, Text::not_a_type);
            return {};
        }
        default:
            return {};
    }
}

Type ExpressionReader::read_type(const Node& d, std::size_t& at, const std::string& name) {
    Type t = read_one_type(*d.children[at], name);
    ++at;
    if (at < d.children.size() && d.children[at]->kind == Kind::or_none) {
        t.or_none = true;
        ++at;
    }
    return t;
}

std::optional<std::int32_t> ExpressionReader::constant_of(ExpressionId e, const Node& node) {
    if (is_broken(e)) return std::nullopt;
    const auto v = value_of(folded(e));
    if (!v) report(Code::not_constant, node.span);
    return v;
}

std::optional<std::int32_t> ExpressionReader::constant_number(const Node& node) { return constant_of(number(node), node); }

std::optional<std::int32_t> ExpressionReader::constant_count(const Node& node, const Phrase& word, std::int32_t least) {
    return constant_of(count(node, word, least), node);
}

ExpressionId ExpressionReader::count(const Node& node, const Phrase& word, std::int32_t least) {
    const ExpressionId e = number(node);
    if (is_broken(e)) return e;
    const auto v = value_of(e);
    if (type(e).scale != 1)
        report(Code::out_of_range, node.span, word, Text::whole_number, Text::finer_number);
    else if (v && *v < least)
        report(Code::out_of_range, node.span, word, Text::number_or_more(least), *v);
    else
        return e;
    return broken(node.span);
}

Diagnostic* ExpressionReader::report_falling(const Node& low, const Node& high, Span span, const Phrase& word) {
    if (!is_written(low) || !is_written(high)) return nullptr;
    const auto from = constant_number(low);
    const auto to = constant_number(high);
    if (!from || !to || *from <= *to) return nullptr;
    return &report(Code::out_of_range, span, word, Text::smaller_first, fmt::format("{}..{}", *from, *to));
}

// The players of `{P1, P3}`.
std::vector<std::int32_t> ExpressionReader::constant_players(const Node& node) {
    const ExpressionId e = expression(node);
    if (is_broken(e)) return {};
    std::vector<std::int32_t> given;
    if (at(e).op == Operator::set_constant)
        given = game_.sets[at(e).set()];
    else if (const auto v = value_of(e))
        given = {*v};
    else
        report(Code::not_constant, node.span);
    if (given.empty()) return {};
    const Type& t = type(e);
    if ((t.base == Base::set ? t.element : t.base) == Base::player &&
        std::all_of(given.begin(), given.end(), [&](std::int32_t p) { return p >= 0 && p < game_.players; }))
        return given;
    wrong_type(e, describe(set_of(player_type())));
    return {};
}

bool ExpressionReader::declare_name(const Node& name, Meaning meaning) {
    const auto [at, added] = globals_.emplace(name.text, meaning);
    if (added) {
        at->second.node = meaning.node ? meaning.node : &name;
        return true;
    }
    if (at->second.what == Meaning::game) {
        at->second = meaning;  // a game may be named like a thing in it
        return true;
    }
    Diagnostic& d = report(Code::name_taken, name.span, name.text);
    if (at->second.node == nullptr) return false;
    d.labels.push_back({at->second.node->span, Text::here});
    if (at->second.node->span.source != name.span.source) d.help = Text::replace_or_rename;
    return false;
}

EnumId ExpressionReader::declare_values(const std::string& name, const std::vector<const Node*>& values) {
    const EnumId id = game_.enums.next();
    EnumType declared{name, {}};
    for (const Node* v : values) declared.values.push_back(v->text);
    game_.enums.push_back(std::move(declared));
    const Type t = enum_type(id);
    if (values.size() > value_limit) report(Code::limit_passed, values.front()->span, values.size(), Text::values, value_limit);
    std::int32_t at = 0;
    for (const Node* v : values) declare_name(*v, {Meaning::value, id, at++, v, t});
    return id;
}

}  // namespace houserule
