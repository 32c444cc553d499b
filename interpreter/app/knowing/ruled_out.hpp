// What is ruled out at hidden places, and why, as hints tell it; how sure a possibility is. The reasons are found by
// solver/deduce/why_not.cpp.
#pragma once

#include "solver/deduce/deduction.hpp"

#include <vector>

namespace houserule::cli {

// What cannot be at a place, and why: values with equal reasons together.
struct Excluded {
    const HiddenThing* thing = nullptr;
    std::vector<std::int32_t> values;
    std::vector<Reason> reasons;
    bool all_seen = false;   // every copy lies where the seat sees it
    bool all_known = false;  // or is known to lie in another hidden place
    bool found = true;       // false: the search for reasons was cut
    bool irreducible = true;
};

// What is at none of the places with a single card: of others hardly anything is excluded. Reasons are looked for until the deadline.
std::vector<Excluded> find_excluded(Deduction& deduction, const Deadline& until);

// By kind, how many copies lie where the seat sees them; all 0 if no history can be sampled.
std::vector<Value> copies_in_sight(Deduction& deduction);

// The copies that are there in every world.
std::size_t surely(const Possibility& p);
// Whether it is known how many there are; whether all is known of the place or fact.
bool is_fixed(const Possibility& p);
bool is_settled(const HiddenThing& thing);

}  // namespace houserule::cli
