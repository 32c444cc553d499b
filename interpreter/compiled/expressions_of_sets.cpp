// The larger operators on sets of cards and of elements.
#include "dsl/game/one_place.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/compiled/expressions.hpp"
#include "interpreter/engine/expression_parts.hpp"

#include <algorithm>

namespace houserule {

// One of two values of that type, of which only one is computed.
std::string ExpressionText::one_of_two(const char* type, const std::string& condition, const std::function<std::string()>& yes,
                                       const std::function<std::string()>& no) {
    std::string a;
    std::string b;
    const auto yes_lines = text_.apart([&] { a = yes(); });
    const auto no_lines = text_.apart([&] { b = no(); });
    if (yes_lines.empty() && no_lines.empty()) return fmt::format("({0} ? {3}({1}) : {3}({2}))", condition, a, b, type);
    const std::string name = text_.fresh("t");
    text_.line(fmt::format("{} {};", type, name));
    text_.line(fmt::format("if ({}) {{", condition));
    text_.add(yes_lines);
    text_.line(fmt::format("{} = {};", name, a));
    text_.line("} else {");
    text_.add(no_lines);
    text_.line(fmt::format("{} = {};", name, b));
    text_.line("}");
    return name;
}
std::string ExpressionText::either(const std::string& condition, const std::function<std::string()>& yes,
                                   const std::function<std::string()>& no) {
    return one_of_two("M", condition, yes, no);
}

std::string ExpressionText::cards_at(const Expression& x) {
    const Expression& place = at(x.a);
    if (place.op != Operator::place) return fmt::format("mask_at({}, places.place[{}])", storage_.state_read(reads_), number(x.a));
    const Zone& zone = g_.zones[place.named()];
    return storage_.mask_at(m_.layout.place[zone.first_place], index(place.a), reads_, zone.places);
}
std::string ExpressionText::cards_of(const Expression& x) {
    const std::string all = text_.fresh("m");
    const std::string rest = text_.fresh("w");
    const Zone& zone = g_.zones[x.named()];
    const std::uint32_t at = m_.layout.place[zone.first_place];
    if (const auto row = row_of_elements(x.a)) {
        text_.line(fmt::format("M {};", all));
        text_.line(fmt::format("for (int {0} = {1}; {0} <= {2}; ++{0}) {3} = {3} | {4};", rest, row->first, row->second, all,
                               storage_.mask_at(at, rest, reads_, zone.places)));
        return all;
    }
    const std::string owners = mask(x.a);
    text_.line(fmt::format("M {};", all));
    const std::string here = storage_.mask_at(at, rest + ".pop()", reads_, zone.places);
    text_.line(fmt::format("for (M {0} = {1}; !{0}.empty();) {2} = {2} | {3};", rest, owners, all, here));
    return all;
}

std::string ExpressionText::where_cards(const Expression& x, bool first_only) {
    const std::string source = text_.mask(mask(x.a));
    const std::int32_t f = known_.filter_of(ExpressionId(&x - g_.expressions.data()));
    const std::string result = text_.fresh("m");
    if (f >= 0) {
        // Of no cards nothing is asked, so that no promise breaks.
        std::string fits;
        const auto lines = text_.apart([&] { fits = filter(f, source); });
        if (lines.empty()) return fmt::format("({} & {})", source, fits);
        text_.line(fmt::format("M {};", result));
        text_.line(fmt::format("if (!{}.empty()) {{", source));
        text_.add(lines);
        text_.line(fmt::format("{} = {} & {};", result, source, fits));
        text_.line("}");
        return result;
    }
    if (auto fitting = where_by_table(x, source)) return *fitting;
    hoist(x.b, x.bound());
    text_.line(fmt::format("M {};", result));
    std::string like;
    open_loop(x, source, like);
    if (first_only)
        text_.line(fmt::format("if ({0}) {{ {1} = {2}; break; }}", number(x.b), result, like));
    else
        text_.line(fmt::format("add_if({}, {}, {});", result, like, number(x.b)));
    close_loop(x);
    return result;
}
std::string ExpressionText::where_set(const Expression& x) {
    const std::string source = mask(x.a);
    hoist(x.b, x.bound());
    const std::string result = text_.fresh("m");
    text_.line(fmt::format("M {};", result));
    std::string like;
    open_loop(x, source, like);
    text_.line(fmt::format("add_if({}, {}, {});", result, like, number(x.b)));
    close_loop(x);
    return result;
}

// Of the pieces in `of`, those that fit; of others it says nothing.
std::string ExpressionText::filter(std::int32_t f, const std::string& of) {
    const KnownFilter& x = known_.filters()[f];
    const std::string all = mask_text(all_pieces());
    switch (x.what) {
        case FilterForm::all:
            return all;
        case FilterForm::none:
            return "M{}";
        case FilterForm::table: {
            if (x.invariant == no_id) return mask_text(x.masks[0]);
            const std::string v = kept(x.low == 0 ? number(x.invariant) : fmt::format("{} - ({})", number(x.invariant), x.low));
            return fmt::format("(unsigned({0}) < {1}u ? {2}[{0}] : M{{}})", v, x.masks.size(), text_.masks(x.masks));
        }
        case FilterForm::both:
        case FilterForm::either: {
            // Where the first decides for all of them, the second is not computed: it may break a promise.
            const bool both = x.what == FilterForm::both;
            const std::string a = text_.mask(filter(x.a, of));
            const std::string rest = text_.fresh("m");
            std::string b;
            const auto lines = text_.apart([&] { b = filter(x.b, rest); });
            if (lines.empty()) return fmt::format("({} {} {})", a, both ? "&" : "|", b);
            const std::string result = text_.fresh("m");
            text_.line(fmt::format("const M {} = {} {} {};", rest, of, both ? "&" : "-", a));
            text_.line(fmt::format("M {} = {};", result, both ? rest : a));
            text_.line(fmt::format("if (!{}.empty()) {{", rest));
            text_.add(lines);
            text_.line(fmt::format("{0} = {0} {1} {2};", result, both ? "&" : "|", b));
            text_.line("}");
            return result;
        }
        case FilterForm::negate:
            return fmt::format("({} - {})", all, filter(x.a, of));
        case FilterForm::choice: {
            const std::string condition = number(x.invariant);
            return either(
                condition, [&] { return filter(x.a, of); }, [&] { return filter(x.b, of); });
        }
        case FilterForm::same: {
            const std::string condition = kept(number(x.invariant));
            const std::string a = text_.mask(filter(x.a, of));
            return fmt::format("({} ? {} : {} - {})", condition, a, all, a);
        }
    }
    return "M{}";
}

std::string ExpressionText::best(const Expression& x) {
    const std::string source = mask(x.a);
    hoist(x.b, x.bound());
    const std::string best = text_.fresh("m");
    const std::string best_key = text_.fresh("t");
    const bool most = x.op == Operator::cards_most || x.op == Operator::set_most;
    text_.line(fmt::format("M {};", best));
    text_.line(fmt::format("int {} = {};", best_key, most ? "worst_of_most" : "worst_of_least"));
    std::string like;
    open_loop(x, source, like);
    text_.line(fmt::format("keep_best<{}>({}, {}, {}, {});", most ? "true" : "false", best, best_key, like, number(x.b)));
    close_loop(x);
    return best;
}

bool ExpressionText::in_one_place(ExpressionId cards) const { return houserule::in_one_place(g_, cards); }

std::string ExpressionText::groups(const Expression& x) {
    const std::string source = mask(x.a);
    const std::string size = kept(fmt::format("larger(1, {})", number(x.b)));
    const std::string result = text_.fresh("m");
    const std::string rest = text_.fresh("w");
    const std::string like = text_.fresh("m");
    const std::string b = x.c == no_id ? text_.fresh("p") : bound(x.bound());
    if (x.c != no_id) depth_of_[x.bound()] = true;
    text_.line(fmt::format("M {};", result));
    text_.open(fmt::format("for (M {0} = {1}; !{0}.empty();)", rest, source));
    text_.line(fmt::format("int {} = {}.lowest();", b, rest));
    text_.line(fmt::format("M {} = {};", like, alike(x, rest, b)));
    if (x.c != no_id) {
        const std::string k = kept(number(x.c));
        const std::string others = text_.fresh("w");
        const std::string same = text_.fresh("m");
        text_.open(fmt::format("for (M {0} = {1} - {2}; !{0}.empty();)", others, rest, like));
        text_.line(fmt::format("{} = {}.lowest();", b, others));
        text_.line(fmt::format("const M {} = {};", same, alike(x, others, b)));
        text_.forget_all();  // what was computed of the first piece is not so of this one
        text_.line(fmt::format("if ({0} == {1}) {2} = {2} | {3};", number(x.c), k, like, same));
        text_.line(fmt::format("{0} = {0} - {1};", others, same));
        text_.close();
    }
    const std::string count = kept(like + ".size()");
    const std::string full = kept(fmt::format("{0} / {1} * {1}", count, size));
    fail_if(fmt::format("{0} != {1} && {0} != 0 && !pieces.all_alike({2}, {3})", full, count, like, where_of(x.a)));
    text_.line(fmt::format("{0} = {0} | ({1} == {2} ? {3} : {1} == 0 ? M{{}} : pieces.lowest({3}, {1}, {4}));", result, full, count, like,
                           where_of(x.a)));
    text_.line(fmt::format("{0} = {0} - {1};", rest, like));
    depth_of_.erase(x.bound());
    text_.close();
    return result;
}
std::string ExpressionText::any_of(const Expression& x) {
    const std::string from = text_.mask(mask(x.a));
    const std::string count = kept(number(x.b));
    fail_if(fmt::format("{} < 0 || {}.size() < {}", count, from, count));
    fail_if(fmt::format("{0} < {1}.size() && {0} > 0 && !pieces.all_alike({1}, {2})", count, from, where_of(x.a)));
    return fmt::format("pieces.lowest({}, {}, {})", from, count, where_of(x.a));
}

std::string ExpressionText::set_fact(const Expression& x) {
    const std::string i = index(x.a);
    if (m_.layout.given[x.named()] != 0) fail_if(storage_.given(x.named(), i, reads_) + " == 0");
    return storage_.fact(x.named(), i, reads_);
}
std::string ExpressionText::set_entry(const Expression& x) {
    const auto& table = g_.tables[x.named()];
    const std::string i = kept(number(x.a));
    std::vector<std::int32_t> has;
    std::vector<MaskWords> sets;
    for (const std::int32_t row : table) {
        has.push_back(row == unset_value ? 0 : 1);
        sets.push_back(row == unset_value ? text_.no_words() : set_row(row));
    }
    fail_if(fmt::format("unsigned({}) >= {}u", i, table.size()));
    if (table.empty()) return "M{}";
    if (std::find(has.begin(), has.end(), 0) != has.end()) fail_if(fmt::format("!{}[{}]", text_.numbers(has), i));
    return fmt::format("{}[{}]", text_.masks(sets), i);
}
std::string ExpressionText::kinds_of(const Expression& x) {
    const std::string source = mask(x.a);
    const std::string kinds = text_.fresh("m");
    const std::string rest = text_.fresh("w");
    text_.line(fmt::format("M {};", kinds));
    text_.line(fmt::format("for (M {0} = {1}; !{0}.empty();) {2}.add(pieces.kind({0}.pop()));", rest, source, kinds));
    return kinds;
}

}  // namespace houserule
