// The arguments that `hint`, `worlds` and `why` have in common.
#pragma once

#include <string>

namespace houserule::cli {

struct KnowingArgs {
    std::string text;  // a log or a view
    std::string as;    // the seat; may be empty for a view, which names its seat
    std::string rules;
    std::string weight = "histories";  // or "deals"
    std::string assume;                // "uniform-play", or nothing
    double time_s = 10;
    bool json = false;
};

}  // namespace houserule::cli
