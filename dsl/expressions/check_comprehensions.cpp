// Over all of a set: `where`, `with most`, `sum of`, `some`, `groups of`.
#include "dsl/expressions/expression_reader.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

BoundId ExpressionReader::comprehend(ExpressionId set, const Node* name, bool with_it, const std::function<void()>& f) {
    Type element;
    element_of(set, element);
    const auto [bound, e] = new_bound(element, at(set).span);
    scopes_.open();
    if (with_it) scopes_.set("it", {e, no_id});
    if (name != nullptr) scopes_.set(name->text, {e, no_id});
    if (with_it) ++it_depth_;
    f();
    if (with_it) --it_depth_;
    scopes_.close();
    return bound;
}

namespace {

// Whether numbers are reckoned there out of what lies somewhere: a `where` behind it was meant for the last of them.
bool reckons_over_many(const SyntaxNode& node) {
    const bool reckons = node.kind == Kind::e_sum || node.kind == Kind::e_product || node.kind == Kind::e_minus;
    if (reckons) return std::ranges::any_of(node.children, [](const auto& part) { return reckons_over_many(*part); });
    return node.kind == Kind::e_total || node.kind == Kind::e_size;
}

}  // namespace

ExpressionId ExpressionReader::several(const Node& node, Span span) {
    const ExpressionId s = expression(node);
    Type element;
    if (is_broken(s) || element_of(s, element)) return s;
    wrong_set(s, Text::cards_or_set, reckons_over_many(node) ? Phrase(Text::brackets_before_where) : Phrase(Text::range_in_brackets));
    return broken(span);
}

// `any 1 of S with most E`, where no brackets say whether it is taken of those with most, or asked of what was taken.
void ExpressionReader::warn_of_taking_first(const Node& node, std::string_view condition) {
    const Node& taken = *node.children[0];
    if (!takes_some(taken.kind) || node.span.begin != taken.span.begin) return;
    const std::string_view word = taken.kind == Kind::e_any ? "any" : taken.kind == Kind::e_first ? "first" : "last";
    report(Code::taken_first, node.span, word, condition).help = Text::take_of_those(word, condition);
}

ExpressionId ExpressionReader::where(const Node& node) {
    const ExpressionId s = several(*node.children[0], node.span);
    if (is_broken(s)) return s;
    if (it_depth_ > 0) report(Code::nested_it, node.span).help = Text::name_inner_it;
    ExpressionId condition = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { condition = truth(*node.children[1]); });
    if (is_broken(condition)) return broken(node.span);
    warn_of_taking_first(node, "where");
    return emit(type(s).base == Base::cards ? Operator::cards_where : Operator::set_where, type(s), node.span, s, condition, no_id, bound);
}

ExpressionId ExpressionReader::with_most(const Node& node) {
    const ExpressionId s = several(*node.children[0], node.span);
    if (is_broken(s)) return s;
    ExpressionId key = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] {
        key = expression(*node.children[2]);
        if (!is_broken(key)) key = type(key).base == Base::enumeration ? somebody(key) : as_number(key);
    });
    if (is_broken(key)) return broken(node.span);
    const bool most = node.children[1]->text == "most";
    warn_of_taking_first(node, most ? "with most" : "with least");
    const Operator op = type(s).base == Base::cards ? (most ? Operator::cards_most : Operator::cards_least)
                                                    : (most ? Operator::set_most : Operator::set_least);
    return emit(op, type(s), node.span, s, key, no_id, bound);
}

ExpressionId ExpressionReader::or_if_none(const Node& node) {
    ExpressionId a = expression(*node.children[0]);
    ExpressionId b = expression(*node.children[1]);
    if (is_broken(a) || is_broken(b)) return broken(node.span);
    unify(a, b, node.span);
    if (is_broken(a)) return a;
    if (type(a).base == Base::card) {
        a = as_cards(a);
        b = as_cards(b);
    }
    Type t = type(a);
    if (t.of != type(b).of) t.of = no_id;
    if (t.base == Base::cards) return emit(Operator::cards_or_if_none, t, node.span, a, b);
    if (t.base == Base::set) return emit(Operator::set_or_if_none, joined_type(a, b), node.span, a, b);
    return wrong_set(a, Text::cards_or_set);
}

// Of cards, of which there may be several of an element, or of a set.
ExpressionId ExpressionReader::sum_over(ExpressionId s, const std::function<ExpressionId()>& body, Span span) {
    ExpressionId each = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { each = body(); });
    if (is_broken(each)) return broken(span);
    const Type t = type(each);
    const std::int64_t n = type(s).base == Base::cards ? std::ssize(game_.piece_kind) : std::int64_t{type(s).high} - type(s).low + 1;
    return emit(Operator::sum_over,
                number_range(std::min<std::int64_t>(0, t.low * n), std::max<std::int64_t>(0, t.high * n), t.scale, span), span, s, each,
                no_id, bound);
}

// The least that a sum over cards comes to when disjoint sets that fulfil the condition are taken out of them.
ExpressionId ExpressionReader::least_left(ExpressionId sum, const Node& name, const Node& condition, Span span) {
    if (is_broken(sum)) return broken(span);
    const Type cards = type(at(sum).a);
    const VariableId set = judged_set(name.text, cards);
    scopes_.open();
    bind(name, {variable_expression(set, name.span), set});
    const int depth = std::exchange(it_depth_, 0);
    const ExpressionId fits = truth(condition);
    it_depth_ = depth;
    scopes_.close();
    return is_broken(fits) ? broken(span) : emit(Operator::least_left, type(sum), span, sum, fits, no_id, set);
}

ExpressionId ExpressionReader::least_left(const Node& node) {
    const ExpressionId s = cards(*node.children[1]);
    if (is_broken(s)) return broken(node.span);
    const ExpressionId sum = sum_over(
        s, [&] { return number(*node.children[0]); }, node.span);
    return least_left(sum, *node.children[2], *node.children[3], node.span);
}

// Nothing is left over.
ExpressionId ExpressionReader::splits(const Node& node) {
    const ExpressionId s = cards(*node.children[0]);
    if (is_broken(s)) return broken(node.span);
    const ExpressionId sum = sum_over(
        s, [&] { return constant(number_type(1, 1), 1, node.span); }, node.span);
    const ExpressionId left = least_left(sum, *node.children[1], *node.children[2], node.span);
    return is_broken(left) ? left : equal(left, constant(number_type(0, 0), 0, node.span), node.span);
}

ExpressionId ExpressionReader::total_over(const Node& node) {
    const ExpressionId s = several(*node.children[2], node.span);
    if (is_broken(s)) return s;
    const std::string& what = node.children[0]->text;
    if (what == "sum")
        return sum_over(
            s, [&] { return number(*node.children[1]); }, node.span);
    ExpressionId body = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { body = number(*node.children[1]); });
    if (is_broken(body)) return broken(node.span);
    const Type t = type(body);
    if (what == "largest") return emit(Operator::largest_over, t, node.span, s, body, no_id, bound);
    return emit(Operator::smallest_over, t, node.span, s, body, no_id, bound);
}

// `no c in S where A and B`, where B speaks of something else, and no brackets say that both are meant.
void ExpressionReader::warn_of_reach(const Node& node) {
    const Node& condition = *node.children[2];
    if (condition.kind != Kind::e_and && condition.kind != Kind::e_or) return;
    const std::string& name = node.children[0]->text;
    const std::function<bool(const Node&)> speaks = [&](const Node& n) {
        return (n.kind == Kind::name && n.text == name) || std::ranges::any_of(n.children, [&](const Node* c) { return speaks(*c); });
    };
    const auto silent = std::ranges::find_if(condition.children, [&](const Node* c) { return !speaks(*c); });
    if (silent == condition.children.end()) return;
    const std::string_view word = condition.kind == Kind::e_and ? "and" : "or";
    Diagnostic& d = report(Code::no_reads_two_ways, node.span, name);
    d.labels.push_back({(*silent)->span, Text::says_nothing_of(name)});
    d.help = Text::brackets_say_how_far(name, word);
}

ExpressionId ExpressionReader::quantifier(const Node& node) {
    const ExpressionId s = several(*node.children[1], node.span);
    if (is_broken(s)) return s;
    ExpressionId body = no_id;
    const BoundId bound = comprehend(s, node.children[0], false, [&] { body = truth(*node.children[2]); });
    if (is_broken(body)) return broken(node.span);
    if (node.kind == Kind::e_no) warn_of_reach(node);
    return emit(Operator::exists, truth_type(), node.span, s, body, no_id, bound);
}

ExpressionId ExpressionReader::the(const Node& node) {
    const ExpressionId s = expression(*node.children[0]);
    if (is_broken(s)) return s;
    if (type(s).base == Base::card || type(s).base == Base::player) return s;
    if (type(s).base == Base::cards) return emit(Operator::the_card, card_type(type(s).of), node.span, s);
    Type element;
    if (!element_of(s, element)) {
        const bool of_something = node.children[0]->kind == Kind::e_possessive;
        return wrong_set(s, Text::cards_or_set, of_something ? Text::the_takes_all : Text::range_in_brackets);
    }
    return emit(Operator::the_element, element, node.span, s);
}

ExpressionId ExpressionReader::groups(const Node& node) {
    const ExpressionId n = count(*node.children[0], verbatim("groups of"), 1);
    const ExpressionId s = cards(*node.children[1]);
    if (is_broken(s) || !constant_of(n, *node.children[0])) return broken(node.span);
    if (node.children.size() < 3) return emit(Operator::cards_groups, type(s), node.span, s, n, no_id, -1);
    ExpressionId key = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { key = expression(*node.children[2]); });
    if (is_broken(key)) return broken(node.span);
    return emit(Operator::cards_groups, type(s), node.span, s, n, key, bound);
}

}  // namespace houserule
