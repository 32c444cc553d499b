#include "interpreter/run/failure.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/text/index_of.hpp"

#include <algorithm>
#include <string_view>

namespace houserule {

namespace {

namespace failures {
// clang-format off
#define HOUSERULE_TABLE(language) interpreter/run/failures.language.def
// clang-format on
#include "dsl/text/tables.inc"
static_assert(std::ranges::all_of(table, [](const Words& words) { return place_bits(words[0]) < 1 << 6; }), "any of {0} to {5}");
}  // namespace failures

}  // namespace

FailureKind failure_of(const Expression& fail) {
    if (!fail.is_of_none()) return FailureKind::no_case;
    if (fail.type.base == Base::number) return FailureKind::none_as_number;
    return fail.type.base == Base::player ? FailureKind::nobody_here : FailureKind::none_here;
}

Failure failure_of(const Game& game, const Overlap& overlap) {
    Failure failure;
    failure.kind = overlap.compared ? FailureKind::cases_differ : FailureKind::cases_overlap;
    failure.span = game.expressions[overlap.first.condition].span;
    failure.other = game.expressions[overlap.other.condition].span;
    return failure;
}

Failure failure_of(const Game& game, const Step& promise) {
    if (promise.statement == no_id) return {FailureKind::acts_do_not_end};
    const Statement& s = game.statements[promise.statement];
    if (s.kind() == StatementKind::cases) return {FailureKind::no_case};
    if (const auto* becomes = s.as<statement::Becomes>()) return {FailureKind::several_values, {}, no_id, becomes->fact};
    if (s.kind() != StatementKind::repeat) return {FailureKind::acts_do_not_end};
    const bool bound = game.expressions[promise.x].op == Operator::constant;
    return {bound ? FailureKind::not_enough_times : FailureKind::did_not_run_down};
}

bool is_about_order(FailureKind failure) { return failure == FailureKind::several_values || failure == FailureKind::put_by_several; }

std::string lines_of(const Failure& failure, const Source& source) {
    const std::string line = std::to_string(source.line_of(failure.span.begin));
    if (failure.other == Span{}) return line;
    const std::string other = std::to_string(source.line_of(failure.other.begin));
    return line == other ? line : line + ", " + other;
}

std::string text(const Game& game, const Failure& f, Language language) {
    if (f.kind == FailureKind::none) return {};
    const Words& sentence = failures::table[index_of(f.kind) - 1];
    const bool as_written = language == Language::en;  // the names that the file has, without its labels
    const std::string in = as_written ? "" : code_of(language);
    const auto shown = [&](const std::string& name) { return as_written ? name : label(game, name, in); };
    const Zone* const zone = zone_of(game, f.place);
    const Fact* const fact = f.fact != no_id ? &game.facts[f.fact] : fact_read_at(game, f.span);
    Type value = fact == nullptr ? Type{} : fact->type;
    if (value.base == Base::set) value.base = value.element;
    return fill(told(sentence, language),
                {std::to_string(f.number), f.place == no_id ? "" : place_name(game, f.place, in), zone == nullptr ? "" : shown(zone->name),
                 std::to_string(zone == nullptr ? 0 : zone->capacity), fact == nullptr ? "" : shown(fact->name),
                 fact == nullptr ? "" : value_name(game, value, f.number, in)});
}

}  // namespace houserule
