// What the commands that tell what a seat can know are asked: `hint`, `worlds` and `why`.
#pragma once

#include <string>

namespace houserule::cli {

struct KnowingArgs {
    std::string text;  // a log or a view
    std::string as;    // the seat; of a view, that of the view
    std::string rules;
    std::string weight = "histories";  // or "deals"
    std::string assume;                // "uniform-play", or nothing
    double time_s = 10;
    bool json = false;
};

}  // namespace houserule::cli
