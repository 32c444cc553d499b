// The report of `diff`: two games compared for some numbers of players, as text and as JSON.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/log/log.hpp"
#include "solver/compare/differ.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

// The comparison for one number of players.
struct Compared {
    int players = 0;
    std::shared_ptr<const Machine> first;
    std::shared_ptr<const Machine> second;
    Difference difference;
};

// One of the two games: its file, its settings, and how many can play it.
struct DiffSide {
    std::string file;
    Settings settings;
    PlayerRange range;
};

struct DiffReport {
    const Sources& sources;  // of both
    DiffSide a;
    DiffSide b;
    std::vector<Compared> all;
    std::uint64_t seed = 0;
    bool interrupted = false;
    const Globals& g;
};

// The game that shows a parting, as a log of the first machine and one of the second, each up to where it then waits.
std::pair<std::string, std::string> parting_logs(const Compared& compared);

std::string diff_text(const DiffReport& report);
std::string diff_json(const DiffReport& report);

}  // namespace houserule::cli
