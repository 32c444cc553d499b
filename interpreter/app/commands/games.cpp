// `houserule games`: the games that ship, one a line.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/games_table.hpp"

namespace houserule::cli {

int run_games(const Globals& g) {
    out(games_table(shipped_games(), "", g));
    return exit_fine;
}

}  // namespace houserule::cli
