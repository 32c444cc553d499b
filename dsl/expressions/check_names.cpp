// What a name stands for in an expression, with arguments or an index.
#include "dsl/expressions/expression_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

}  // namespace

ExpressionId ExpressionReader::name_expression(const Node& node) {
    if (const Local* local = scopes_.find(node.text)) {
        if (local->perhaps) report(Code::perhaps_nothing, node.span, node.text).help = Text::leave_or_say_both;
        // Said again with the place where it is used, so that an error points there.
        const Expression x = at(local->expression);
        if (local->zone && x.op == Operator::cards_at && at(x.a).op == Operator::place) {
            const Expression place = at(x.a);
            return emit(x.op, x.type, node.span, emit(place.op, place.type, node.span, place.a, no_id, no_id, place.immediate));
        }
        const bool plain = x.op == Operator::variable || x.op == Operator::cards_variable || x.op == Operator::set_variable;
        return plain ? emit(x.op, x.type, node.span, no_id, no_id, no_id, x.immediate) : local->expression;
    }
    const auto m = globals_.find(node.text);
    if (m == globals_.end()) {
        unknown_name(node);
        return broken(node.span);
    }
    used_.insert(node.text);
    return global(m->second, node, node.text);
}

// What a name without a value is.
static Phrase no_value(Meaning::What what) {
    switch (what) {
        case Meaning::rule:
            return Text::is_a_rule;
        case Meaning::act:
            return Text::is_an_act;
        case Meaning::end:
            return Text::is_an_end;
        case Meaning::match:
            return Text::is_a_match;
        case Meaning::game:
            return Text::is_the_game;
        case Meaning::word:
            return Text::is_a_said_word;
        default:
            return {};
    }
}

ExpressionId ExpressionReader::global(const Meaning& m, const Node& node, const std::string& name) {
    switch (m.what) {
        case Meaning::zone:
        case Meaning::fact:
            return indexed(m, no_id, node.span, name);
        case Meaning::places:
            return every_place(name, no_id, node.span);
        case Meaning::define:
            return call_define(*m.node, {}, node);
        case Meaning::enumeration: {
            std::vector<std::int32_t> all;
            for (std::size_t v = 0; v < game_.enums[m.id].values.size(); ++v) all.push_back(v);
            game_.sets.push_back(std::move(all));
            return emit(Operator::set_constant, set_of(m.type), node.span, no_id, no_id, no_id, last_set());
        }
        case Meaning::value:
        case Meaning::number:
        case Meaning::kind:
        case Meaning::option:
            return constant(m.type, m.amount, node.span);
        case Meaning::family: {
            const Family& f = game_.families[m.id];
            if (f.kind_count == 1 && f.fields.empty()) return constant(kind_type(m.id), f.first_kind, node.span);
            report(Code::wrong_use, node.span, name, Text::is_a_family).help = Text::ask_of_family(name);
            return broken(node.span);
        }
        case Meaning::rule:
        case Meaning::act:
        case Meaning::end:
        case Meaning::match:
        case Meaning::game:
        case Meaning::word:
            break;
    }
    report(Code::wrong_use, node.span, name, no_value(m.what));
    return broken(node.span);
}

ExpressionId ExpressionReader::indexed(const Meaning& m, ExpressionId index, Span span, const std::string& name) {
    const bool zone = m.what == Meaning::zone;
    const IndexBy by = zone ? game_.zones[m.id].by : game_.facts[m.id].by;
    const EnumId index_enum = zone ? game_.zones[m.id].index_enum : game_.facts[m.id].index_enum;
    if (by == IndexBy::nothing && index != no_id) {
        report(Code::wrong_use, span, name, Text::one_for_table);
        return broken(span);
    }
    if (by != IndexBy::nothing && index == no_id) {
        const bool of_player = by == IndexBy::player;
        report(Code::wrong_use, span, name, of_player ? Text::one_for_each_player : Text::one_for_each_value).help =
            of_player ? Text::whose(name) : Text::which(name);
        return broken(span);
    }
    bool many = false;
    if (index != no_id) {
        const Type& t = type(index);
        const Base wanted = by == IndexBy::player ? Base::player : Base::enumeration;
        many = t.base == Base::set && t.element == wanted;
        const bool right_enum = by == IndexBy::player || t.of == index_enum;
        if ((!many && t.base != wanted) || !right_enum) {
            wrong_type(index, by == IndexBy::player ? Text::a_player : Text::value_of_enum(game_.enums[index_enum].name));
            return broken(span);
        }
    }
    if (!zone) {
        const Fact& f = game_.facts[m.id];
        if (many) {
            report(Code::wrong_use, span, name, Text::fact_needs_owner).help = Text::sum_or_where(name);
            return broken(span);
        }
        return emit(f.type.base == Base::set ? Operator::set_fact : Operator::fact, f.type, span, index, no_id, no_id, m.id);
    }
    const Zone& z = game_.zones[m.id];
    FamilyId family = no_id;
    for (const FamilyId f : z.families.ids())
        if (z.families[f]) family = std::count(z.families.begin(), z.families.end(), true) == 1 ? f : no_id;
    if (many) return emit(Operator::cards_of, cards_type(family), span, index, no_id, no_id, m.id);
    const ExpressionId p = emit(Operator::place, {Base::place, Base::nothing, no_id, z.first_place, z.first_place + z.places - 1, 1, false},
                                span, index, no_id, no_id, m.id);
    return emit(Operator::cards_at, cards_type(family), span, p);
}

ExpressionId ExpressionReader::call_define(const Node& define, const std::vector<ExpressionId>& args, const Node& use) {
    const std::string& name = define.children[0]->text;
    const Node* parameters = child(define, Kind::parameters);
    const std::size_t wanted = parameters ? parameters->children.size() : 0;
    if (wanted != args.size()) {
        report(Code::wrong_arguments, use.span, name, wanted, args.size());
        return broken(use.span);
    }
    if (std::find(defining_.begin(), defining_.end(), name) != defining_.end()) {
        if (!circular_.contains(name)) {
            std::string circle;
            for (auto d = std::find(defining_.begin(), defining_.end(), name); d != defining_.end(); ++d) {
                circle += fmt::format("`{}` → ", *d);
                circular_.insert(*d);
            }
            report(Code::calls_itself, define.children[0]->span, name).notes.emplace_back(fmt::format("{}`{}`", circle, name));
        }
        return broken(use.span);
    }
    if (game_.expressions.size() > expression_limit) return broken(use.span);
    std::vector<Local> locals;
    for (std::size_t i = 0; i < wanted; ++i) {
        if (is_zone(*parameters->children[i])) {
            locals.push_back(zone_local(given_place(args[i])));
            continue;
        }
        std::size_t first = 0;
        const Type want = read_type(*parameters->children[i], first, "");
        Type loose = want;
        const bool of_kinds = parameters->children[i]->children.front()->kind == Kind::t_kind;
        if (want.base == Base::kind && !of_kinds) loose.base = Base::card;  // a card may stand for its kind
        const bool kinds = want.base == Base::set && want.element == Base::kind;
        if (kinds && !is_broken(args[i]) && (type(args[i]).base == Base::cards || type(args[i]).base == Base::card))
            loose = cards_type(want.of);  // and cards for their kinds
        locals.push_back({as_type(args[i], loose, parameters->children[i]->children.back()->text), no_id});
    }
    scopes_.open_fenced();
    for (std::size_t i = 0; i < wanted; ++i) scopes_.set(parameters->children[i]->children.back()->text, locals[i]);
    defining_.push_back(name);
    const int depth = std::exchange(it_depth_, 0);
    const std::size_t before = diagnostics_.size();
    const ExpressionId result = expression(*define.children.back());
    it_depth_ = depth;
    defining_.pop_back();
    scopes_.close();
    if (std::any_of(locals.begin(), locals.end(), [](const Local& l) { return l.zone; }))
        for (std::size_t i = before; i < diagnostics_.size(); ++i) diagnostics_[i].labels.push_back({use.span, Text::as_called_here});
    return result;
}

ExpressionId ExpressionReader::call_expression(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    const bool is_define = m != globals_.end() && m->second.what == Meaning::define;
    const Node* parameters = is_define ? child(*m->second.node, Kind::parameters) : nullptr;
    std::vector<ExpressionId> args;
    for (const Node* a : node.children[1]->children) {
        const Node* parameter =
            parameters != nullptr && args.size() < parameters->children.size() ? parameters->children[args.size()] : nullptr;
        const bool is_count = a->kind == Kind::players && parameter != nullptr && parameter->children[0]->kind == Kind::t_range;
        args.push_back(is_count ? number(*a) : expression(*a));
    }
    if (is_define) {
        used_.insert(name.text);
        return call_define(*m->second.node, args, node);
    }
    struct Function {
        const char* name;
        Operator op;
    };
    static constexpr Function functions[] = {{"distance", Operator::distance},
                                             {"larger", Operator::larger},
                                             {"smaller", Operator::smaller},
                                             {"quotient", Operator::quotient},
                                             {"remainder", Operator::remainder}};
    for (const Function& f : functions) {
        if (name.text != f.name) continue;
        if (args.size() != 2) {
            report(Code::wrong_arguments, node.span, name.text, 2, args.size());
            return broken(node.span);
        }
        ExpressionId a = number_of(args[0], *node.children[1]->children[0]);
        ExpressionId b = number_of(args[1], *node.children[1]->children[1]);
        if (is_broken(a) || is_broken(b)) return broken(node.span);
        scale_together(a, b);
        const Type x = type(a);
        const Type y = type(b);
        if (f.op == Operator::distance) {
            const std::int64_t high = std::max(std::int64_t{x.high} - y.low, std::int64_t{y.high} - x.low);
            const bool overlap = x.low <= y.high && y.low <= x.high;
            const std::int64_t low = overlap ? 0 : std::max(std::int64_t{x.low} - y.high, std::int64_t{y.low} - x.high);
            return emit(f.op, number_type(low, high, x.scale), node.span, a, b);
        }
        if (f.op == Operator::larger)
            return emit(f.op, number_type(std::max(x.low, y.low), std::max(x.high, y.high), x.scale), node.span, a, b);
        if (f.op == Operator::smaller)
            return emit(f.op, number_type(std::min(x.low, y.low), std::min(x.high, y.high), x.scale), node.span, a, b);
        if (f.op == Operator::remainder) {
            if (auto u = value_of(a), v = value_of(b); u && v && *v > 0)
                return constant(number_type(0, 0, x.scale), static_cast<std::int32_t>(*u - floor_divide(*u, *v) * *v), node.span);
            return emit(f.op, number_type(0, std::max(0, y.high - 1), x.scale), node.span, a, b);
        }
        if (auto u = value_of(a), v = value_of(b); u && v && *v > 0)
            return constant(number_type(0, 0), static_cast<std::int32_t>(floor_divide(*u, *v)), node.span);
        const std::int32_t d = std::max(1, y.low);
        return emit(f.op,
                    number_type(std::min(floor_divide(x.low, d), floor_divide(x.low, std::max(1, y.high))),
                                std::max(floor_divide(x.high, d), floor_divide(x.high, std::max(1, y.high)))),
                    node.span, a, b);
    }
    if (m != globals_.end() && m->second.what == Meaning::rule) {
        report(Code::wrong_use, name.span, name.text, Text::is_rule_without_value).help = Text::define_gives_values;
    } else if (m != globals_.end()) {
        report(Code::wrong_use, name.span, name.text, Text::not_with_brackets);
    } else {
        unknown_name(name, {"distance", "larger", "smaller", "quotient", "remainder"});
    }
    return broken(node.span);
}

// A name that is nothing, or something but not what is wanted.
Diagnostic& ExpressionReader::report_other(bool is_something, const Node& name, const Phrase& what) {
    return is_something ? report(Code::wrong_use, name.span, name.text, what) : report(Code::unknown_name, name.span, name.text);
}

}  // namespace houserule
