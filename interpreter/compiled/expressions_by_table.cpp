// Conditions and numbers that depend on a few things with few values (a card, what is trump, which suit was led) as tables.
//
// A function of those things is printed with the same forms as everything else; when the library is loaded, it is called once for each
// combination. Among the values of a thing is `unset`: that it broke a promise, which counts only where it is read.
#include "dsl/game/parts.hpp"
#include "interpreter/compiled/expressions.hpp"
#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/machine/tabled.hpp"

#include <algorithm>

namespace houserule {

namespace {

bool finds_any_place(const Game& g, ExpressionId e) {
    return any_read(g, e, [&](const Expression& x) {
        const bool reads = x.op == Operator::cards_at || x.op == Operator::first_card || x.op == Operator::last_card;
        return reads && g.expressions[x.a].op != Operator::place;
    });
}

}  // namespace

// As one of the things that a table is of. What takes a loop only if it was computed already.
bool ExpressionText::add_input(ExpressionId e, TablePlan& plan) const {
    const std::string k = key(e);
    const bool is_there = std::any_of(plan.inputs.begin(), plan.inputs.end(), [&](const TableInput& i) { return i.key == k; });
    if (is_there) return true;
    if (plan.inputs.size() == most_table_inputs || finds_any_place(g_, e)) return false;
    if (loops(e) && text_.computed(k).empty()) return false;
    const auto [low, values] = values_in_a_run(g_, at(e).type);
    if (values <= 0 || values > most_table_values) return false;
    plan.inputs.push_back({e, k, low, values + (may_break(g_, e) ? 1 : 0)});
    plan.cells *= plan.inputs.back().values;
    return plan.cells <= most_table_cells;
}

std::optional<ExpressionText::TablePlan> ExpressionText::plan_of(ExpressionId e) const {
    if (e == no_id || is_of_many(at(e).type)) return std::nullopt;
    TablePlan plan;
    const TableSearch search{g_, true, [&](ExpressionId part) { return reads_bound(part); }, [&] { plan = {}; },
                             [&](ExpressionId part) { return add_input(part, plan); }};
    if (!find_table_inputs(search, e) || plan.inputs.empty()) return std::nullopt;
    return plan;
}

// Which of the values it is, or the last if it broke a promise: under a name that is known from here on.
std::string ExpressionText::input_index(const TableInput& input) {
    const Expression& x = at(input.e);
    if (x.op == Operator::bound) return input.low == 0 ? bound(x.bound()) : fmt::format("({} - {})", bound(x.bound()), input.low);
    const std::string k = "input " + input.key;
    if (std::string known = text_.computed(k); !known.empty()) return known;
    const std::string index = text_.fresh("i");
    if (!may_break(g_, input.e)) {
        text_.line(fmt::format("const unsigned {} = unsigned({} - ({}));", index, number(input.e), input.low));
    } else {
        const std::string broken = std::exchange(broken_, "break;");
        const bool eager = std::exchange(eager_, true);
        std::string value;
        const auto lines = text_.apart([&] { value = number(input.e); });
        broken_ = broken;
        eager_ = eager;
        text_.line(fmt::format("unsigned {} = {}u;", index, input.values - 1));
        text_.line("do {");
        text_.add(lines);
        text_.line(fmt::format("{} = unsigned({} - ({}));", index, value, input.low));
        text_.line("} while (false);");
    }
    fail_if(fmt::format("{} >= {}u", index, input.values));
    text_.note(k, index);
    return index;
}

// The function, and what calls it for each combination; `cells` fills one of the table's.
std::string ExpressionText::table_of(ExpressionId e, const TablePlan& plan, const std::string& type, const std::string& cells) {
    std::string parameters;
    std::string loops;
    std::string arguments;
    for (std::size_t i = plan.inputs.size(); i-- > 0;) {
        const TableInput& input = plan.inputs[i];
        const bool breaks = may_break(g_, input.e);
        loops += fmt::format("for (int k{0} = 0; k{0} < {1}; ++k{0}) ", i, input.values);
        const std::string value = fmt::format("k{} + ({})", i, input.low);
        arguments += breaks ? fmt::format("k{} == {} ? unset : {}, ", i, input.values - 1, value) : value + ", ";
        const Expression& x = at(input.e);
        const std::string name = x.op == Operator::bound ? bound(x.bound()) : fmt::format("x{}", i);
        if (x.op != Operator::bound) inputs_[input.key] = {name, breaks};
        parameters += fmt::format("int {}, ", name);
    }
    const std::string broken = std::exchange(broken_, "return unset;");
    std::string body;
    is_function_ = true;
    const auto lines = text_.afresh([&] {
        const std::string value = number(e);
        text_.line(fmt::format("return {};", value));
    });
    is_function_ = false;
    for (const std::string& line : lines) body += line + "\n";
    broken_ = broken;
    inputs_.clear();
    parameters.resize(parameters.size() - 2);
    arguments.resize(arguments.size() - 2);
    return text_.filled(type, fmt::format("({}) {{\n{}}}", parameters, body), loops, arguments, cells);
}

std::string ExpressionText::cell_of(const TablePlan& plan, std::size_t first) {
    std::string cell;
    std::int64_t each = 1;
    for (std::size_t i = first; i < plan.inputs.size(); ++i) {
        const std::string index = input_index(plan.inputs[i]);
        if (!cell.empty()) cell += " + ";
        cell += each == 1 ? index : fmt::format("{} * {}", each, index);
        each *= plan.inputs[i].values;
    }
    return cell.empty() ? "0" : cell;
}

std::optional<std::string> ExpressionText::by_table(ExpressionId e) {
    if (is_function_) return std::nullopt;
    const auto plan = plan_of(e);
    if (!plan) return std::nullopt;
    const std::string cell = cell_of(*plan, 0);
    const std::string table = table_of(e, *plan, fmt::format("Cells<{}>", plan->cells), "*at++ = cell_of(value);");
    const std::string value = kept(fmt::format("{}.v[{}]", table, cell));
    if (may_break(g_, e)) fail_if(value + " == broken_cell");
    return value;
}

// Of the cards in `source` those that fit, by one look: a table of sets.
std::optional<std::string> ExpressionText::where_by_table(const Expression& x, const std::string& source) {
    if (is_function_ || !single_copies_) return std::nullopt;
    auto plan = plan_of(x.b);
    if (!plan) return std::nullopt;
    auto& inputs = plan->inputs;
    const auto is_card = [&](const TableInput& i) { return at(i.e).op == Operator::bound && at(i.e).bound() == x.bound(); };
    const auto card = std::find_if(inputs.begin(), inputs.end(), is_card);
    if (card == inputs.end()) return std::nullopt;
    std::iter_swap(inputs.begin(), card);
    const auto reads = [&](const TableInput& i) { return depends_on_bound(g_, i.e, x.bound()); };
    if (std::any_of(inputs.begin() + 1, inputs.end(), reads)) return std::nullopt;
    const std::string cell = kept(cell_of(*plan, 1));
    const std::int64_t sets = plan->cells / inputs[0].values;
    const std::string type = fmt::format("FittingCards<{}, {}>", text_.words(), sets);
    depth_of_[x.bound()] = true;
    const std::string table =
        table_of(x.b, *plan, type, "at->take(k0, value); if (k0 + 1 == " + std::to_string(inputs[0].values) + ") ++at;");
    depth_of_.erase(x.bound());
    if (may_break(g_, x.b)) fail_if(fmt::format("!({} & {}.v[{}].broken).empty()", source, table, cell));
    return text_.mask(fmt::format("{} & {}.v[{}].fit", source, table, cell));
}

// Before a loop over the last of these: what tables within it are of and does not depend on it.
void ExpressionText::hoist_inputs(ExpressionId e, std::vector<BoundId>& bounds) {
    if (e == no_id || is_function_) return;
    if (const auto plan = plan_of(e)) {
        for (const TableInput& input : plan->inputs) {
            const bool depends = std::any_of(bounds.begin(), bounds.end(), [&](BoundId b) { return depends_on_bound(g_, input.e, b); });
            if (!depends && at(input.e).op != Operator::bound) input_index(input);
        }
        return;
    }
    const Expression& x = at(e);
    hoist_inputs(x.a, bounds);
    if (binds(x.op)) bounds.push_back(x.bound());
    hoist_inputs(x.b, bounds);
    hoist_inputs(x.c, bounds);
    if (binds(x.op)) bounds.pop_back();
}

}  // namespace houserule
