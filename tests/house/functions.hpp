// Measures functions: where each begins and ends in a file that clang-format has laid out.
//
// It knows braces, not C++: a block is a function's if it opens at the end of a line, in a namespace or a type, after something in
// parentheses. Lambdas and local types count as a part of the function around them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::house {

struct Function {
    std::string name;  // as it is written before the parentheses: `Checker::rule`; of a test its title
    std::size_t line;  // of the signature, from 1
    std::size_t length;
};

// The functions of `text` that take more than one line, in their order.
std::vector<Function> functions_of(std::string_view text);

}  // namespace houserule::house
