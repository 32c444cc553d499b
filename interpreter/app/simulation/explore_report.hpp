// What is said of a game tree, as text and as JSON.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/tree/explore.hpp"

#include <string>

namespace houserule::cli {

struct ExploreReport {
    std::shared_ptr<const Machine> machine;
    const Loaded& loaded;
    const Globals& g;
    const Explored& found;
    bool keep_forced = false;
    std::uint64_t limit = 0;  // nodes, and MiB: as they were asked for
    std::uint64_t memory = 0;
    bool json = false;
};

std::string json_of(const ExploreReport& report);
std::string text_of(const ExploreReport& report);
// What a command ends with that says this.
int exit_code_of(const Explored& found);

}  // namespace houserule::cli
