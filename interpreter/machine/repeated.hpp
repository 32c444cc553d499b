// Which expressions have the same value as long as nothing on the table changes: what is worth keeping once it is computed.
//
// A definition without parameters is an expression wherever its name stands. Those that are equal but for the names of their own
// comprehension variables are of one class. So are those that read one more thing, a variable or the comprehension variable of a loop
// around them: the class then has a value for each value of that.
#pragma once

#include "dsl/game/game.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace houserule {

struct RepeatedClass {
    std::vector<ExpressionId> members;
    std::int32_t low = 0;     // of what the members read besides the table
    std::int64_t values = 1;  // how many values that has
    std::int64_t work = 0;    // about how many operators are carried out to compute it
};

inline constexpr std::size_t no_class = std::numeric_limits<std::size_t>::max();

struct RepeatedExpression {
    std::size_t of_class = no_class;  // none: not worth keeping
    ExpressionId read = no_id;        // the variable or comprehension variable that it reads
};

struct Repeated {
    std::vector<RepeatedClass> classes;
    Store<ExpressionId, RepeatedExpression> of;
};

Repeated repeated_expressions(const Game& game);

}  // namespace houserule
