// Single words that a person types, and what they may be short for.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/event.hpp"

#include <string>
#include <vector>

namespace houserule::cli {

inline constexpr int cost_of_part = 2;  // of a name of which only the first words are typed

// The verbs that people say of such an event.
TextRow<0> verbs_of(const Event& e);

bool is_number(const std::string& word);
// Whether the two are one word with English endings: `passes` for `pass`, `shares` for `shared`.
bool is_with_ending(const std::string& typed, const std::string& name);
// What it costs to take one word for a name of two, each shortened to its beginning or not, or the second first (`10h`); 0: it cannot be.
int cost_of_glued(const std::string& typed, const std::vector<std::string>& name);

}  // namespace houserule::cli
