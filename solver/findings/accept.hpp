// What the author accepts, and findings as they are listed: in order, each with its id. The inside of validate.cpp.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "solver/findings/finding.hpp"

#include <set>
#include <vector>

namespace houserule {

// Gives findings that an `accept` of the file is about its reason. Returns a finding for each `accept` that is about none, of the
// classes that were looked for: `only`, or all if it is empty.
std::vector<Finding> accept(std::vector<Finding>& findings, const Syntax& syntax, const std::set<FindingClass>& only);

// Accepted ones last, then the gravest first, then in the order of the text.
void sort_findings(std::vector<Finding>& findings);

// `end-race.attempt`, `gap.draw@twins=one.2`: stable while the rule's name and the class stay. `own`: settings that need no mention.
void give_ids(std::vector<Finding>& findings, const Settings& own);

}  // namespace houserule
