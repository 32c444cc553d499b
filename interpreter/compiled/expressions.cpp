#include "interpreter/compiled/expressions.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/text/index_of.hpp"
#include "interpreter/engine/expression_parts.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace houserule {

namespace {

// Operators that compute from their operands at once; {0} {1} are theirs.
struct Row {
    Operator op;
    const char* form;
};
constexpr Row number_rows[] = {
    {Operator::add, "({} + {})"},         {Operator::subtract, "({} - {})"},
    {Operator::multiply, "({} * {})"},    {Operator::distance, "distance({}, {})"},
    {Operator::larger, "larger({}, {})"}, {Operator::smaller, "smaller({}, {})"},
    {Operator::equal, "({} == {})"},      {Operator::less, "({} < {})"},
    {Operator::less_equal, "({} <= {})"},
};
constexpr Row set_rows_of[] = {
    {Operator::set_minus, "({} - {})"},
    {Operator::set_join, "({} | {})"},
};

template <std::size_t N>
const Row* row_of(const Row (&rows)[N], Operator op) {
    const Row* const found = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.op == op; });
    return found == std::end(rows) ? nullptr : found;
}

bool has_loop(const Game& g, ExpressionId e) {
    return any_read(g, e, [](const Expression& x) {
        return binds(x.op) || x.op == Operator::cards_of || x.op == Operator::cards_join || x.op == Operator::cards_minus ||
               x.op == Operator::same_cards || x.op == Operator::least_left;
    });
}

void find_free(const Game& g, ExpressionId e, std::set<BoundId>& inner, std::set<BoundId>& free) {
    if (e == no_id) return;
    const Expression& x = g.expressions[e];
    if (x.op == Operator::bound && !inner.contains(x.bound())) free.insert(x.bound());
    find_free(g, x.a, inner, free);
    const bool added = binds(x.op) && inner.insert(x.bound()).second;
    find_free(g, x.b, inner, free);
    find_free(g, x.c, inner, free);
    if (added) inner.erase(x.bound());
}

}  // namespace

ExpressionText::ExpressionText(const Machine& machine, Known& known, CompiledText& text, const Storage& storage)
    : m_(machine), g_(machine.game), known_(known), text_(text), storage_(storage), single_copies_(!has_copies(machine.game)) {
    for (const std::vector<int>& bits : set_rows(machine)) {
        MaskWords words = text_.no_words();
        for (const int bit : bits) add_bit(words, bit);
        rows_.push_back(std::move(words));
    }
    is_judged_.assign(g_.variables.size(), false);
    for (const Expression& x : g_.expressions)
        if (x.op == Operator::least_left) is_judged_[x.named()] = true;
}

std::int32_t ExpressionText::first_of(ExpressionId set) const { return first_element(m_.layout, at(set).type); }

MaskWords ExpressionText::all_pieces() const {
    MaskWords words = text_.no_words();
    for (std::size_t i = 0; i < g_.piece_kind.size(); ++i) add_bit(words, i);
    return words;
}
MaskWords ExpressionText::range(const Type& set, std::int32_t low, std::int32_t high) const {
    MaskWords words = text_.no_words();
    const std::int32_t first = first_element(m_.layout, set);
    for (std::int64_t v = low; v <= high; ++v)
        if (const std::int64_t bit = v - first; bit >= 0 && bit < std::int64_t{64} * text_.words()) add_bit(words, bit);
    return words;
}

void ExpressionText::fail_if(const std::string& condition) {
    text_.line(condition.empty() ? fmt::format("{}", broken_) : fmt::format("if ({}) {}", condition, broken_));
}
// What never has a value: the promise breaks where it is read.
std::string ExpressionText::no_result(const Expression& x) {
    fail_if("");
    return is_of_many(x.type) ? "M{}" : "0";
}
void ExpressionText::promises(ExpressionId e) {
    if (e == no_id || !may_break(g_, e)) return;
    text_.line(fmt::format("(void)({});", is_of_many(at(e).type) ? mask(e) : number(e)));
}

std::string ExpressionText::key(ExpressionId e, BoundId outer, const std::string& of) const {
    std::map<BoundId, std::string> names{{outer, of}};
    const std::function<std::string(ExpressionId, int)> print = [&](ExpressionId id, int depth) -> std::string {
        if (id == no_id) return "-";
        const Expression& x = at(id);
        if (x.op == Operator::bound && names.contains(x.bound())) return names[x.bound()];
        std::string immediate = std::to_string(x.immediate);
        std::string text = print(x.a, depth);
        std::string saved;
        if (binds(x.op)) {
            immediate = fmt::format("d{}", depth);
            saved = std::exchange(names[x.bound()], immediate);
            ++depth;
        }
        text = fmt::format("{}.{}.{}.{}({},{},{})", index_of(x.op), immediate, index_of(x.type.base), index_of(x.type.element), text,
                           print(x.b, depth), print(x.c, depth));
        if (binds(x.op)) {
            if (saved.empty())
                names.erase(x.bound());
            else
                names[x.bound()] = saved;
        }
        return text;
    };
    return print(e, 0);
}

// ---- numbers

std::string ExpressionText::number(ExpressionId e) {
    const Expression& x = at(e);
    if (x.op == Operator::constant)
        return x.value() == unset_value ? "unset" : x.value() < 0 ? fmt::format("({})", x.value()) : std::to_string(x.value());
    if (x.op == Operator::bound) return bound(x.bound());
    if (const auto input = inputs_.empty() ? inputs_.end() : inputs_.find(key(e)); input != inputs_.end()) {
        const auto& [name, breaks] = input->second;
        if (breaks) fail_if(name + " == unset");
        return name;
    }
    if (x.op == Operator::variable) return storage_.variable(x.named());
    if (auto table = by_piece(e, x)) return *table;
    if (auto table = by_table(e)) return *table;
    if (!has_loop(g_, e)) return computed_number(x);
    const std::string k = key(e);
    if (std::string known = text_.computed(k); !known.empty()) return known;
    std::string name = kept(computed_number(x));
    text_.note(k, name);
    return name;
}

std::string ExpressionText::computed_number(const Expression& x) {
    if (const Row* row = row_of(number_rows, x.op)) {
        const std::string a = number(x.a);
        return fmt::format(fmt::runtime(row->form), a, number(x.b));
    }
    static constexpr Form forms[] = {
        {Operator::fact, &ExpressionText::fact},
        {Operator::both, &ExpressionText::lazy},
        {Operator::either, &ExpressionText::lazy},
        {Operator::negate, &ExpressionText::negated},
        {Operator::conditional, &ExpressionText::conditional},
        {Operator::lookup, &ExpressionText::table_entry},
        {Operator::kind_of, &ExpressionText::kind},
        {Operator::neighbour, &ExpressionText::neighbour},
        {Operator::quotient, &ExpressionText::divided},
        {Operator::remainder, &ExpressionText::divided},
        {Operator::next_in, &ExpressionText::next_in},
        {Operator::size_of_cards, &ExpressionText::size_of},
        {Operator::size_of_set, &ExpressionText::size_of},
        {Operator::sum_over, &ExpressionText::total},
        {Operator::largest_over, &ExpressionText::total},
        {Operator::smallest_over, &ExpressionText::total},
        {Operator::least_left, &ExpressionText::least_left},
        {Operator::exists, &ExpressionText::exists},
        {Operator::the_card, &ExpressionText::one_of},
        {Operator::the_element, &ExpressionText::one_of},
        {Operator::first_card, &ExpressionText::end_card},
        {Operator::last_card, &ExpressionText::end_card},
        {Operator::place, &ExpressionText::place},
        {Operator::has_kind, &ExpressionText::member},
        {Operator::has_element, &ExpressionText::member},
        {Operator::same_cards, &ExpressionText::same},
        {Operator::same_set, &ExpressionText::same},
        {Operator::fail, &ExpressionText::no_result},
    };
    return printed(forms, x);
}

bool ExpressionText::loops(ExpressionId e) const { return has_loop(g_, e); }
bool ExpressionText::reads_bound(ExpressionId e) const {
    std::set<BoundId> inner;
    std::set<BoundId> free;
    find_free(g_, e, inner, free);
    return !free.empty();
}

// By the row of the operator; without one, the game cannot be printed.
template <std::size_t N>
std::string ExpressionText::printed(const Form (&forms)[N], const Expression& x) {
    for (const Form& form : forms)
        if (form.op == x.op) return (this->*form.print)(x);
    unknown_ = operator_name(x.op);
    return "0";
}

std::string ExpressionText::negated(const Expression& x) { return fmt::format("!{}", number(x.a)); }
std::string ExpressionText::size_of(const Expression& x) { return fmt::format("{}.size()", mask(x.a)); }
std::string ExpressionText::same(const Expression& x) {
    const std::string a = mask(x.a);
    const std::string b = mask(x.b);
    return x.op == Operator::same_set ? fmt::format("({} == {})", a, b) : fmt::format("pieces.same_kinds({}, {})", a, b);
}
// `and`, `or`: the second is computed only where the first does not decide.
std::string ExpressionText::lazy(const Expression& x) {
    const bool both = x.op == Operator::both;
    const std::string a = number(x.a);
    std::string b;
    const auto lines = text_.apart([&] { b = number(x.b); });
    if (lines.empty()) return fmt::format("({} {} {})", a, both ? "&&" : "||", b);
    const std::string name = text_.fresh("t");
    text_.line(fmt::format("bool {} = {};", name, a));
    text_.line(fmt::format("if ({}{}) {{", both ? "" : "!", name));
    text_.add(lines);
    text_.line(fmt::format("{} = {};", name, b));
    text_.line("}");
    return name;
}
std::string ExpressionText::conditional(const Expression& x) {
    const std::string condition = number(x.a);
    return one_of_two(
        "int", condition, [&] { return number(x.b); }, [&] { return number(x.c); });
}
// An index into facts or places of a zone; nobody breaks the promise.
std::string ExpressionText::index(ExpressionId e) {
    if (e == no_id) return "";
    const std::string i = number(e);
    if (!at(e).type.or_none && !eager_) return i;
    const std::string name = kept(i);
    fail_if(name + " < 0");
    return name;
}
std::string ExpressionText::fact(const Expression& x) {
    const std::string value = storage_.fact(x.named(), index(x.a), reads_);
    if (g_.facts[x.named()].initial != no_id) return value;
    const std::string name = kept(value);
    fail_if(name + " == unset");
    return name;
}
std::string ExpressionText::table_entry(const Expression& x) {
    const auto& table = g_.tables[x.named()];
    const std::string i = kept(number(x.a));
    fail_if(fmt::format("unsigned({}) >= {}u", i, table.size()));
    if (table.empty()) return "0";
    const std::string value = fmt::format("{}[{}]", text_.numbers(table), i);
    if (std::find(table.begin(), table.end(), unset_value) == table.end()) return value;
    const std::string name = kept(value);
    fail_if(name + " == unset");
    return name;
}
std::string ExpressionText::kind(const Expression& x) {
    const std::string piece = number(x.a);
    if (at(x.a).op == Operator::bound) return fmt::format("pieces.kind({})", piece);
    const std::string name = kept(piece);
    fail_if(name + " < 0");
    return fmt::format("pieces.kind({})", name);
}
std::string ExpressionText::neighbour(const Expression& x) {
    const std::string p = kept(fmt::format("{} + {}", number(x.a), x.seats()));
    if (at(x.a).type.or_none) fail_if(fmt::format("{} < {}", p, x.seats()));
    return fmt::format("({0} >= {1} ? {0} - {1} : {0})", p, g_.players);
}
std::string ExpressionText::divided(const Expression& x) {
    const std::string a = kept(number(x.a));
    const std::string b = kept(number(x.b));
    fail_if(b + " <= 0");
    return fmt::format("{}({}, {})", x.op == Operator::quotient ? "quotient" : "remainder", a, b);
}
std::string ExpressionText::next_in(const Expression& x) {
    const std::string p = kept(number(x.a));
    const std::string among = text_.mask(mask(x.b));
    fail_if(fmt::format("{}.empty() || {} < 0", among, p));
    return kept(fmt::format("next_in({}, {}, {}, P)", p, among, x.is_clockwise() ? "true" : "false"));
}
std::string ExpressionText::one_of(const Expression& x) {
    const std::string m = text_.mask(mask(x.a));
    fail_if(fmt::format("!{}.single()", m));
    return x.op == Operator::the_card ? fmt::format("{}.lowest()", m) : fmt::format("({}.lowest() + {})", m, first_of(x.a));
}
std::string ExpressionText::place(const Expression& x) {
    const std::int32_t first = g_.zones[x.named()].first_place;
    return x.a == no_id ? std::to_string(first) : fmt::format("({} + {})", first, index(x.a));
}
std::string ExpressionText::end_card(const Expression& x) {
    const std::string piece = kept(fmt::format("end_piece<{}>({}, places, pieces, {}, {})", text_.words(), storage_.state_read(reads_),
                                               number(x.a), x.op == Operator::first_card ? "true" : "false"));
    fail_if(piece + " < 0");
    return piece;
}
std::string ExpressionText::end_cards(const Expression& x) {
    const std::string place = kept(number(x.a));
    const std::string wanted = kept(number(x.b));
    const std::string state = storage_.state_read(reads_);
    fail_if(fmt::format("{2} < 0 || read_bytes<M>({0}, places.place[{1}]).size() < {2}", state, place, wanted));
    const char* const first = x.op == Operator::first_cards ? "true" : "false";
    fail_if(fmt::format("!are_known<{}>({}, places, pieces, {}, {}, {})", text_.words(), state, place, wanted, first));
    return text_.mask(fmt::format("end_pieces<{}>({}, places, {}, {}, {})", text_.words(), state, place, wanted, first));
}
std::string ExpressionText::member(const Expression& x) {
    const std::string m = text_.mask(mask(x.a));
    if (x.op == Operator::has_kind) {
        const std::string k = kept(number(x.b));
        return fmt::format("({0} >= 0 && !({1} & pieces.of_kind({0})).empty())", k, m);
    }
    const std::string v = kept(fmt::format("{} - {}", number(x.b), first_of(x.a)));
    return fmt::format("(unsigned({0}) < {1}u && {2}.has({0}))", v, 64 * text_.words(), m);
}

// ---- loops

std::optional<std::pair<std::int32_t, std::int32_t>> ExpressionText::row_of_elements(ExpressionId set) const {
    if (at(set).op != Operator::set_constant) return std::nullopt;
    const MaskWords words = set_row(at(set).set());
    int first = -1;
    int last = -1;
    for (int bit = 0; bit < static_cast<int>(64 * words.size()); ++bit) {
        if ((words[bit / 64] >> bit % 64 & 1) == 0) continue;
        if (last >= 0 && last != bit - 1) return std::nullopt;
        if (first < 0) first = bit;
        last = bit;
    }
    if (first < 0) return std::nullopt;
    return std::pair{first + first_of(set), last + first_of(set)};
}

// Of `rest`: the copies of a piece that are alike to the body.
std::string ExpressionText::alike(const Expression& x, const std::string& rest, const std::string& piece) const {
    const bool places = reads_place_of(g_, x.b, x.bound()) || reads_place_of(g_, x.c, x.bound());
    return places && !in_one_place(x.a) ? fmt::format("pieces.copies_like({}, {}, {})", rest, piece, where())
                                        : fmt::format("{} & pieces.like({})", rest, piece);
}

// Opens a loop over the kinds of the pieces, or the elements, in `source`; `like` becomes the set of those that are alike.
void ExpressionText::open_loop(const Expression& x, const std::string& source, std::string& like) {
    const bool cards = is_cards(x.a);
    const std::string rest = text_.fresh("w");
    const std::string b = bound(x.bound());
    depth_of_[x.bound()] = cards;
    if (const auto row = cards ? std::nullopt : row_of_elements(x.a)) {
        text_.open(fmt::format("for (int {0} = {1}; {0} <= {2}; ++{0})", b, row->first, row->second));
        like = first_of(x.a) == 0 ? fmt::format("M::bit({})", b) : fmt::format("M::bit({} - {})", b, first_of(x.a));
        return;
    }
    text_.open(fmt::format("for (M {0} = {1}; !{0}.empty();)", rest, source));
    if (!cards || single_copies_) {
        const std::string element = cards || first_of(x.a) == 0 ? b : text_.fresh("e");
        text_.line(fmt::format("const int {} = {}.pop();", element, rest));
        if (element != b) text_.line(fmt::format("const int {} = {} + {};", b, element, first_of(x.a)));
        like = fmt::format("M::bit({})", element);
    } else {
        like = text_.fresh("m");
        text_.line(fmt::format("const int {} = {}.lowest();", b, rest));
        text_.line(fmt::format("const M {} = {};", like, alike(x, rest, b)));
        text_.line(fmt::format("{0} = {0} - {1};", rest, like));
    }
    text_.line(fmt::format("(void){};", b));
}

void ExpressionText::hoist(ExpressionId e, BoundId bound) {
    std::vector<BoundId> bounds{bound};
    hoist_within(e, bounds);
    hoist_inputs(e, bounds);
}
void ExpressionText::hoist_always(ExpressionId e, BoundId bound) {
    if (e == no_id || !has_loop(g_, e)) return;
    const Expression& x = at(e);
    if (x.op == Operator::least_left) return;
    if (!depends_on_bound(g_, e, bound)) {
        (void)(is_of_many(x.type) ? mask(e) : number(e));
        return;
    }
    hoist_always(x.a, bound);
    switch (x.op) {
        case Operator::both:
        case Operator::either:
        case Operator::conditional:
        case Operator::cards_conditional:
        case Operator::set_conditional:
        case Operator::cards_or_if_none:
        case Operator::set_or_if_none:
            return;  // the others are computed for some only
        default:
            break;
    }
    if (binds(x.op)) return;
    hoist_always(x.b, bound);
    hoist_always(x.c, bound);
}
bool ExpressionText::hoist_within(ExpressionId e, std::vector<BoundId>& bounds) {
    if (e == no_id || !has_loop(g_, e)) return false;
    const Expression& x = at(e);
    const bool depends = std::any_of(bounds.begin(), bounds.end(), [&](BoundId b) { return depends_on_bound(g_, e, b); });
    if (!depends && !may_break(g_, e) && !reads_unjudged(e)) {
        if (is_of_many(x.type))
            mask(e);
        else
            number(e);
        return true;
    }
    hoist_within(x.a, bounds);
    if (binds(x.op)) bounds.push_back(x.bound());
    hoist_within(x.b, bounds);
    hoist_within(x.c, bounds);
    if (binds(x.op)) bounds.pop_back();
    return false;
}

// Whether it reads the set that a split judges, outside of it.
bool ExpressionText::reads_unjudged(ExpressionId e) const {
    return any_read(g_, e, [&](const Expression& x) {
        return x.op == Operator::cards_variable && is_judged_[x.named()] && !judged_.contains(x.named());
    });
}

std::optional<BoundId> ExpressionText::only_bound(ExpressionId e) const {
    std::set<BoundId> inner;
    std::set<BoundId> free;
    find_free(g_, e, inner, free);
    if (free.size() != 1) return std::nullopt;
    return *free.begin();
}
// The value for each piece, unset where a promise breaks; nothing if it depends on anything but the card.
std::optional<std::vector<std::int32_t>> ExpressionText::values_by_piece(ExpressionId e, BoundId b) {
    const auto parts = invariant_parts(g_, e, b);
    if (!parts || !parts->empty()) return std::nullopt;
    std::vector<std::int32_t> values(g_.piece_kind.size(), unset_value);
    for (const PieceKind& kind : g_.kinds)
        for (std::int32_t i = 0; i < kind.copies; ++i)
            values[kind.first_piece + i] = known_.value(e, b, kind.first_piece).value_or(unset_value);
    return values;
}
std::optional<std::string> ExpressionText::by_piece(ExpressionId e, const Expression& x) {
    if (x.op == Operator::kind_of && at(x.a).op == Operator::bound) return std::nullopt;
    const auto b = only_bound(e);
    if (!b || !depth_of_.contains(*b) || !depth_of_[*b]) return std::nullopt;
    const auto values = values_by_piece(e, *b);
    if (!values) return std::nullopt;
    const std::string value = fmt::format("{}[{}]", text_.numbers(*values), bound(*b));
    if (std::find(values->begin(), values->end(), unset_value) == values->end()) return value;
    const std::string name = kept(value);
    fail_if(name + " == unset");
    return name;
}
// A sum over cards of what depends on the card alone and has few values: each times how many have it.
std::optional<std::string> ExpressionText::sum_by_value(const Expression& x, const std::string& source) {
    depth_of_[x.bound()] = true;
    const auto values = values_by_piece(x.b, x.bound());
    depth_of_.erase(x.bound());
    if (!values) return std::nullopt;
    std::map<std::int32_t, MaskWords> pieces;
    for (std::size_t i = 0; i < values->size(); ++i) {
        add_bit(pieces.try_emplace((*values)[i], text_.no_words()).first->second, i);
    }
    if (pieces.size() > 5) return std::nullopt;
    const std::string from = text_.mask(source);
    if (const auto broken = pieces.find(unset_value); broken != pieces.end())
        fail_if(fmt::format("!({} & {}).empty()", from, mask_text(broken->second)));
    std::string sum = "0";
    for (const auto& [value, words] : pieces)
        if (value != 0 && value != unset_value) sum += fmt::format(" + {} * ({} & {}).size()", value, from, mask_text(words));
    return "(" + sum + ")";
}

std::string ExpressionText::total(const Expression& x) {
    const std::string source = mask(x.a);
    if (x.op == Operator::sum_over && is_cards(x.a))
        if (auto sum = sum_by_value(x, source)) return *sum;
    hoist(x.b, x.bound());
    const std::string sum = text_.fresh("t");
    const std::string any = text_.fresh("t");
    const bool adds = x.op == Operator::sum_over;
    text_.line(fmt::format("{} {} = 0;", adds ? "std::int64_t" : "int", sum));
    if (!adds) text_.line(fmt::format("bool {} = false;", any));
    std::string like;
    open_loop(x, source, like);
    const std::string v = kept(number(x.b));
    if (adds) {
        const bool one = !is_cards(x.a) || single_copies_;
        text_.line(one ? fmt::format("{} += {};", sum, v) : fmt::format("{} += std::int64_t({}) * {}.size();", sum, v, like));
    } else {
        text_.line(fmt::format("if (!{} || {} {} {}) {} = {};", any, v, x.op == Operator::largest_over ? ">" : "<", sum, sum, v));
        text_.line(any + " = true;");
    }
    close_loop(x);
    if (!adds) fail_if("!" + any);
    return fmt::format("int({})", sum);
}
std::string ExpressionText::exists(const Expression& x) {
    if (is_cards(x.a)) return fmt::format("!{}.empty()", where_cards(x, !may_break(g_, x.b)));
    const std::string source = mask(x.a);
    hoist(x.b, x.bound());
    const std::string found = text_.fresh("t");
    text_.line(fmt::format("bool {} = false;", found));
    std::string like;
    open_loop(x, source, like);
    text_.line(fmt::format("if ({}) {{ {} = true; {} }}", number(x.b), found, may_break(g_, x.b) ? "" : "break;"));
    close_loop(x);
    return found;
}

// Each set is judged once; then the search is left to SplitForms.
std::string ExpressionText::least_left(const Expression& x) {
    const Expression& sum = at(x.a);
    const VariableId set = x.named();
    const std::string source = text_.mask(mask(sum.a));
    const std::string split = text_.fresh("d");
    text_.line(fmt::format("SplitForms<{}>& {} = w.splits[{}];", text_.words(), split, splits_++));
    text_.line(fmt::format("{}.set(pieces, {}, {});", split, source, where_of(sum.a)));
    hoist(sum.b, sum.bound());
    const std::string g = text_.fresh("i");
    depth_of_[sum.bound()] = true;
    text_.open(fmt::format("for (int {0} = 0; {0} < {1}.groups(); ++{0})", g, split));
    text_.line(fmt::format("const int {} = {}.piece({});", bound(sum.bound()), split, g));
    text_.line(fmt::format("(void){};", bound(sum.bound())));
    text_.line(fmt::format("{}.worth({}, {});", split, g, number(sum.b)));
    close_loop(sum);
    fail_if(fmt::format("!{}.begin()", split));
    std::vector<BoundId> none;
    hoist_within(x.b, none);
    const auto around = judged_.find(set);
    const std::string before = around == judged_.end() ? "" : around->second;
    const std::string judged = text_.fresh("m");
    text_.open(fmt::format("while ({}.next())", split));
    if (!before.empty()) text_.forget_all();  // what was computed of the set that is judged around this
    text_.line(fmt::format("const M {} = {}.judged();", judged, split));
    judged_[set] = judged;
    text_.line(fmt::format("if ({}) {}.fits();", number(x.b), split));
    text_.close();
    judged_.erase(set);
    if (!before.empty()) {
        judged_[set] = before;
        text_.forget_all();
    }
    return fmt::format("int({}.least())", split);
}

// ---- sets

std::string ExpressionText::mask(ExpressionId e) {
    const Expression& x = at(e);
    if (!has_loop(g_, e)) return computed_mask(x);
    const std::string k = key(e);
    if (std::string known = text_.computed(k); !known.empty()) return known;
    std::string name = text_.mask(computed_mask(x));
    text_.note(k, name);
    return name;
}

std::string ExpressionText::computed_mask(const Expression& x) {
    if (const Row* row = row_of(set_rows_of, x.op)) {
        const std::string a = mask(x.a);
        return fmt::format(fmt::runtime(row->form), a, mask(x.b));
    }
    static constexpr Form forms[] = {
        {Operator::cards_variable, &ExpressionText::set_variable},
        {Operator::set_variable, &ExpressionText::set_variable},
        {Operator::cards_at, &ExpressionText::cards_at},
        {Operator::cards_of, &ExpressionText::cards_of},
        {Operator::cards_family, &ExpressionText::family},
        {Operator::cards_unplaced, &ExpressionText::family},
        {Operator::cards_single, &ExpressionText::single},
        {Operator::set_single, &ExpressionText::single},
        {Operator::cards_none, &ExpressionText::nothing},
        {Operator::cards_join, &ExpressionText::by_copies},
        {Operator::cards_minus, &ExpressionText::by_copies},
        {Operator::cards_where, &ExpressionText::where_cards_all},
        {Operator::set_where, &ExpressionText::where_set},
        {Operator::cards_most, &ExpressionText::best},
        {Operator::cards_least, &ExpressionText::best},
        {Operator::set_most, &ExpressionText::best},
        {Operator::set_least, &ExpressionText::best},
        {Operator::cards_or_if_none, &ExpressionText::or_if_none},
        {Operator::set_or_if_none, &ExpressionText::or_if_none},
        {Operator::cards_conditional, &ExpressionText::conditional_set},
        {Operator::set_conditional, &ExpressionText::conditional_set},
        {Operator::cards_groups, &ExpressionText::groups},
        {Operator::cards_any, &ExpressionText::any_of},
        {Operator::first_cards, &ExpressionText::end_cards},
        {Operator::last_cards, &ExpressionText::end_cards},
        {Operator::set_constant, &ExpressionText::set_constant},
        {Operator::set_fact, &ExpressionText::set_fact},
        {Operator::set_lookup, &ExpressionText::set_entry},
        {Operator::set_kinds, &ExpressionText::kinds_of},
        {Operator::fail, &ExpressionText::no_result},
    };
    return printed(forms, x);
}

std::string ExpressionText::set_variable(const Expression& x) {
    const auto judged = judged_.find(x.named());
    return judged == judged_.end() ? storage_.variable(x.named()) : judged->second;
}
std::string ExpressionText::set_constant(const Expression& x) { return mask_text(set_row(x.set())); }
std::string ExpressionText::nothing(const Expression&) { return "M{}"; }
std::string ExpressionText::where_cards_all(const Expression& x) { return where_cards(x, false); }
std::string ExpressionText::family(const Expression& x) {
    MaskWords pieces = x.named() == no_id ? all_pieces() : text_.no_words();
    for (std::size_t i = 0; i < g_.piece_kind.size() && x.named() != no_id; ++i)
        if (g_.kinds[g_.piece_kind[i]].family == FamilyId(x.named())) add_bit(pieces, i);
    if (x.op == Operator::cards_family) return mask_text(pieces);
    return fmt::format("({} & {})", storage_.mask_at(m_.layout.place[0], "", reads_), mask_text(pieces));
}
std::string ExpressionText::single(const Expression& x) {
    const std::int32_t first = x.op == Operator::set_single ? first_element(m_.layout, x.type) : 0;
    const std::string v = kept(fmt::format("{} - {}", number(x.a), first));
    return fmt::format("(unsigned({0}) < {1}u ? M::bit({0}) : M{{}})", v, 64 * text_.words());
}
std::string ExpressionText::by_copies(const Expression& x) {
    const std::string a = text_.mask(mask(x.a));
    const std::string b = text_.mask(mask(x.b));
    const bool join = x.op == Operator::cards_join;
    if (single_copies_) return fmt::format("({} {} {})", a, join ? "|" : "-", b);
    return fmt::format("pieces.{}({}, {}, {})", join ? "join" : "minus", a, b, where());
}
std::string ExpressionText::or_if_none(const Expression& x) {
    const std::string a = text_.mask(mask(x.a));
    return either(
        a + ".empty()", [&] { return mask(x.b); }, [&] { return a; });
}
std::string ExpressionText::conditional_set(const Expression& x) {
    const std::string a = number(x.a);
    return either(
        a, [&] { return mask(x.b); }, [&] { return mask(x.c); });
}

}  // namespace houserule
