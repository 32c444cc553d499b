// Options and readings: from a syntax tree to the declarations of one variant of the game.
//
// A `when` block counts only when its condition holds; it may add declarations, replace or remove some. What is left is what `check` reads.
#pragma once

#include "dsl/game.hpp"
#include "dsl/syntax.hpp"

#include <map>
#include <string>
#include <vector>

namespace houserule {

// Options and readings by name, with the value as it is written. What is not named has its default.
using Settings = std::map<std::string, std::string>;

// What a file offers: an option or a reading and the values it can take, the default first.
struct Offer {
    std::string name;
    std::vector<std::string> values;  // a range lists every number
    std::string stated;               // the default as the file has it, whether or not it is one of the values
    bool reading = false;
    std::string text;
    Span span;
};

inline constexpr std::size_t offer_limit = 100;  // options and readings of a file: the rules with most have a dozen

struct Merged {
    std::vector<const SyntaxNode*> declarations;
    std::vector<Offer> offers;         // as the file has them
    std::vector<OptionValue> options;  // every option and reading with its value, in file order
};

// Options and readings of a file, in file order, one more than the limit at most. Problems in them are reported by `merge`.
std::vector<Offer> offers(const Syntax& syntax);

Merged merge(const Syntax& syntax, const Settings& settings, Diagnostics& diagnostics);

}  // namespace houserule
