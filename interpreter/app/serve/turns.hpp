// Who thinks on this machine takes turns: of all tables that are open, also those of other servers, no more players of the program think
// at once than there are processors, so that people are answered as soon as if nobody thought.
#pragma once

#include "interpreter/run/stop.hpp"

#include <filesystem>

namespace houserule::cli {

// A turn, from here to its end; a process that is killed has none. Without the folder, where turns are files, everybody thinks at once.
class Turn {
public:
    // Waits for one of so many turns, or until it is to stop.
    Turn(const std::filesystem::path& folder, unsigned turns, const Stop& stop);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    int file_ = -1;
};

}  // namespace houserule::cli
