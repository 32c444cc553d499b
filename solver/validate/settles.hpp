// Worked examples against the rules: which do not come out, which reading an example needs, and which it rules out. The inside of
// validate.cpp.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/variant.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// Examples that do not come out as they are written, and those that hold only under a reading that is not chosen, are `found`;
// examples that rule a reading out are told with verdict `proved_absent`: what they show cannot be read that way. `settings`: the
// options and readings to begin from.
std::vector<Finding> settled_by_examples(const Syntax& syntax, const Settings& settings);

}  // namespace houserule
