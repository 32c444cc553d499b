// The arguments that `hint`, `worlds` and `why` have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace houserule::cli {

struct KnowingArgs {
    std::string text;  // a log or a view
    std::string as;    // the seat; may be empty for a view, which names its seat
    std::string rules;
    std::string names;                 // of the people, by seat; empty: those of the log
    std::string weight = "histories";  // or "deals"
    std::string assume;                // "uniform-play", or nothing
    std::uint64_t work = 10'000'000;   // for what is known, and again for reasons; about a million a second
    std::optional<double> time_s;      // then the clock decides, not work
    bool json = false;
};

}  // namespace houserule::cli
