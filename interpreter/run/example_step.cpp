#include "interpreter/run/example_step.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/placed_kind.hpp"
#include "interpreter/machine/machine.hpp"

#include <algorithm>
#include <optional>

namespace houserule {

namespace {

Type element_wanted(const Run& run) {
    const Game& game = run.machine().game;
    Type wanted;
    if (run.node().kind == NodeKind::draw) {
        wanted.base = Base::kind;
        return wanted;
    }
    wanted = game.variables[run.machine().code[run.node().step].a].type;
    if (wanted.base == Base::set) wanted.base = wanted.element;
    if (wanted.base == Base::card || wanted.base == Base::cards) wanted.base = Base::kind;
    return wanted;
}

// The values as those of the type are counted; nothing if they are none.
std::optional<std::vector<std::int32_t>> values_of(const Game& game, ExpressionId answer, const Type& wanted) {
    const Expression& e = game.expressions[answer];
    const bool several = e.op == Operator::set_constant;
    const Base base = several ? e.type.element : e.type.base;
    const bool empty = several && game.sets[e.set()].empty();
    if (!empty && (base != wanted.base || (base == Base::enumeration && e.type.of != wanted.of))) return std::nullopt;
    std::vector<std::int32_t> values = several ? game.sets[e.set()] : std::vector{e.value()};
    for (std::int32_t& v : values) {
        if (base != Base::number) continue;
        const std::int64_t finer = std::int64_t{v} * wanted.scale;
        if (finer % e.type.scale != 0) return std::nullopt;
        v = finer / e.type.scale;
    }
    return values;
}

std::optional<std::int32_t> yes_or_no(const Game& game, ExpressionId answer) {
    const Expression& e = game.expressions[answer];
    return e.type.base == Base::truth && e.op == Operator::constant ? std::optional(e.value()) : std::nullopt;
}

// Whether all that can be chosen, or can fall, is the same: copies of one card, too.
bool leaves_nothing_open(const Run& run) {
    const std::vector<std::int32_t> first = run.meaning(0).values;
    for (std::uint64_t move = 1; move < run.node().moves; ++move)
        if (run.meaning(move).values != first) return false;
    return true;
}

}  // namespace

StepDone do_step(LaidRun& run, const Example& example, std::size_t step) {
    const Game& game = run.machine().game;
    const std::vector<ExpressionId>& answers = example.choices[step];
    StepDone result;
    run.ask_forced(true);
    run.run_rule(example.steps[step].first);
    for (const Node* node = &run.node();; node = &run.advance()) {
        if (node->kind == NodeKind::failed) return result.what = StepDone::failed, result;
        if (node->kind == NodeKind::over) break;
        const bool left = result.answered < answers.size();
        if (node->kind == NodeKind::window) {
            run.apply(0);
            continue;
        }
        const bool asks_yes_or_no = node->kind == NodeKind::ask || node->kind == NodeKind::consent;
        std::optional<std::uint64_t> move;
        bool takes = true;
        if (asks_yes_or_no) {
            if (left) move = yes_or_no(game, answers[result.answered]);
            if (left && !move && node->kind == NodeKind::consent) move = 1, takes = false;
        } else if (left) {
            const auto values = values_of(game, answers[result.answered], element_wanted(run));
            if (values) move = run.move_for(*values);
            if (move && *move >= node->moves) move.reset();
        }
        if (!move && !asks_yes_or_no && leaves_nothing_open(run)) move = 0, takes = false;
        if (!move) return result.what = left ? StepDone::misfit : StepDone::asks, result;
        result.answered += takes ? 1 : 0;
        run.apply(*move);
    }
    if (result.answered < answers.size()) result.what = StepDone::left_over;
    return result;
}

std::vector<std::string> possible_answers(const Run& run, std::uint64_t most) {
    const Game& game = run.machine().game;
    const Node& node = run.node();
    const bool several = node.kind == NodeKind::choose && (run.machine().code[node.step].mode & choice_many) != 0;
    const Type type = element_wanted(run);
    std::vector<std::string> all;
    for (std::uint64_t move = 0; move < std::min(node.moves, most); ++move) {
        std::string text;
        for (const std::int32_t v : run.meaning(move).values)
            text += (text.empty() ? "" : ", ") + value_name(game, type, type.base == Base::kind ? PlacedKind::of_value(v).kind : v);
        if (several) text = "{" + text + "}";
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
    }
    if (node.moves > most) all.emplace_back("…");
    return all;
}

}  // namespace houserule
