// A part of a validation, done by itself, as a file.
//
// The file is two lines of JSON (schema houserule-validate-part-1): what was asked for with a hash of the second line, and there what
// the tasks of this part came to. Findings are made of all parts by `merge`.
#pragma once

#include "interpreter/app/simulation/asked.hpp"
#include "solver/validate/validate.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace houserule::cli {

inline constexpr const char* validate_part_schema = "houserule-validate-part-1";

// What must be equal for parts to be joined.
struct AskedValidation : AskedRules {
    int low = 0;  // numbers of players, 0: as the file says
    int high = 0;
    std::map<std::string, std::string> chosen;  // options and readings, as they were given
    std::uint64_t games = 0;                    // for each number of players
    std::uint64_t work = 0;
    std::uint64_t seed = 0;
    std::set<std::string> only;  // classes
    bool others = true;          // also under other options and readings
    bool blind = false;
    std::uint64_t parts = 1;
};
AskedValidation asked_of(const ValidateLimits& limits, const AskedRules& rules, std::uint64_t parts);
// The limits that were asked for.
ValidateLimits limits_of(const AskedValidation& asked);
// The first thing in which two differ, in the words of the command line; empty: nothing.
std::string difference(const AskedValidation& a, const AskedValidation& b);

struct ValidatePart {
    AskedValidation asked;
    std::uint64_t number = 1;  // from 1
    TaskResults results;
};

std::string part_text(const ValidatePart& part);
// Whether the file begins as such a part does.
bool is_part_of_validation(const std::string& file);
// Nothing if the text is not the whole of a part.
std::optional<ValidatePart> read_validate_part(const std::string& text);

// Everything that all of them came to.
TaskResults joined(std::vector<ValidatePart> parts);

}  // namespace houserule::cli
