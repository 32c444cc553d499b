// What is said of many games, as text and as JSON.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/simulation/totals.hpp"

#include <string>

namespace houserule::cli {

struct SimulationReport {
    const Machine& machine;
    const Loaded& loaded;
    const Globals& g;
    const Totals& totals;
    Seats deducing = 0;
    double seconds = 0;
    std::uint64_t seed = 0;
    std::uint64_t think_ms = 0;
    bool json = false;
};

std::string json_of(const SimulationReport& report);
std::string text_of(const SimulationReport& report);

}  // namespace houserule::cli
