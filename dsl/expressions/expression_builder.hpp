// Makes the typed expressions of the game that is being checked: folds constants and enforces the limits on size and depth.
//
// A broken expression is one that was reported as an error; it has no type (`Base::nothing`). What is made of it is broken too, silently.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"

#include <optional>
#include <utility>

namespace houserule {

inline constexpr std::size_t expression_limit = 200'000;  // of one game, with defines expanded at each use; more are an error

class ExpressionBuilder {
public:
    const Type& type(ExpressionId e) const { return game_.expressions[e].type; }
    const Expression& at(ExpressionId e) const { return game_.expressions[e]; }
    bool is_broken(ExpressionId e) const { return e == no_id || type(e).base == Base::nothing; }
    // Whether they are structurally equal.
    bool same(ExpressionId a, ExpressionId b) const;

protected:
    explicit ExpressionBuilder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    template <typename... Arguments>
    Diagnostic& report(CodeTaking<sizeof...(Arguments)> code, Span span, Arguments&&... arguments) {
        return houserule::report(diagnostics_, code, span, std::forward<Arguments>(arguments)...);
    }

    ExpressionId emit(Operator op, Type type, Span span, ExpressionId a = no_id, ExpressionId b = no_id, ExpressionId c = no_id,
                      std::int32_t immediate = 0);
    ExpressionId emit(Operator op, Type type, Span span, ExpressionId a, ExpressionId b, ExpressionId c, Operand named) {
        return emit(op, type, span, a, b, c, named.value());
    }
    ExpressionId constant(Type type, std::int32_t value, Span span);
    ExpressionId truth_constant(bool value, Span span) { return constant(truth_type(), value ? 1 : 0, span); }
    ExpressionId broken(Span span);
    ExpressionId variable_expression(VariableId variable, Span span);
    // A new comprehension variable over elements of type `element`, and the expression that reads it.
    std::pair<BoundId, ExpressionId> new_bound(const Type& element, Span span);
    std::optional<std::int32_t> value_of(ExpressionId e) const;  // of a constant
    // Not, and, or; folded where the (first) operand is constant.
    ExpressionId negate(ExpressionId e, Span span);
    ExpressionId both(ExpressionId a, ExpressionId b, Span span);
    ExpressionId either(ExpressionId a, ExpressionId b, Span span);

    Type truth_type() const { return {Base::truth, Base::nothing, no_id, 0, 1, 1, false}; }
    Type number_type(std::int64_t low, std::int64_t high, std::int32_t scale = 1) const;
    Type enum_type(EnumId e) const { return {Base::enumeration, Base::nothing, e, 0, game_.enums[e].size() - 1, 1, false}; }
    Type player_type() const { return {Base::player, Base::nothing, no_id, 0, game_.players - 1, 1, false}; }
    Type set_of(const Type& element) const;
    std::int32_t last_set() const { return static_cast<std::int32_t>(game_.sets.size() - 1); }  // in the set table
    Type cards_type(FamilyId family) const { return {Base::cards, Base::nothing, family, 0, 0, 1, false}; }
    Type card_type(FamilyId family) const { return {Base::card, Base::nothing, family, 0, 0, 1, false}; }
    Type kind_type(FamilyId family) const;

    Diagnostics& diagnostics_;
    Game game_;

private:
    struct Extent {
        std::uint32_t size = 1;
        std::uint16_t depth = 1;
    };
    Store<ExpressionId, Extent> extents_;
};

}  // namespace houserule
