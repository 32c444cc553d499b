// Matches findings with the `accept` lines of a file, sorts them and gives them ids. For solver/validate only.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "solver/findings/finding.hpp"

#include <set>
#include <vector>

namespace houserule {

// Sets `accepted` of each finding that an `accept` of the file covers to the author's reason. Returns a finding for each `accept` that
// covers none, if its class was looked for: `only`, or all classes if that is empty.
std::vector<Finding> accept(std::vector<Finding>& findings, const Syntax& syntax, const std::set<FindingClass>& only);

// Accepted findings come last; otherwise the gravest come first, then those that stand earlier in the text.
void sort_findings(std::vector<Finding>& findings);

// Sets the ids: `end-race.attempt`, `gap.draw@twins=one.2`. They are stable while class and rule keep their names. `own`: the settings
// that an id need not mention.
void give_ids(std::vector<Finding>& findings, const Settings& own);

}  // namespace houserule
