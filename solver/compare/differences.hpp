// Turns comparisons of two machines (solver/compare), one for each number of players, into a finding. For validate.cpp only.
#pragma once

#include "solver/compare/differ.hpp"
#include "solver/findings/finding.hpp"

#include <optional>

namespace houserule {

// Two ways to read one place, by what they are called.
struct Ways {
    Sentence first;
    Sentence second;
};

// Adds what the comparison for that number of players came to. `players` are those for whom a difference was found, once one was; else
// all that were compared. The witness is the first that is found, replayed on the first machine, from `settings`.
void add_difference(Finding& f, const Difference& d, int players, const Machine& first, const Settings& settings, const Ways& ways);

// Says of a finding whose differences are all added for which numbers of players there is none, or none was seen.
void add_who_is_not_concerned(Finding& f, const std::vector<int>& alike, const std::vector<int>& unseen);

// Whether one of the two asks there what the other obliges to.
bool is_modality(const Machine& first, const Machine& second, const Parting& parting);

// The one with the larger share, which is that of so many players.
std::optional<Frequency> more_often(const std::optional<Frequency>& a, const std::optional<Frequency>& b);

}  // namespace houserule
