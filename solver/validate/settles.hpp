// Runs the worked examples of a file: which of them fail, and which reading one rules out. For validate.cpp only.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/variant.hpp"
#include "interpreter/run/stop.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// Examples that fail have the verdict `found`. Examples that rule a reading out, since they fail under it, have the verdict
// `proved_absent`: what they show cannot be read that way. An example `with R is V` is one of that reading, whatever is chosen, and says
// nothing about R. `settings`: the options and readings to begin from. When `stop` ends it: for the examples that were tried.
std::vector<Finding> settled_by_examples(const Syntax& syntax, const Settings& settings, const Stop* stop = nullptr);

}  // namespace houserule
