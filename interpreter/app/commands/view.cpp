#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"

#include <utility>

namespace houserule::cli {

int run_view(const ViewArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    auto text = open_text(args.log, args.rules, g, exit_code);
    if (!text) return exit_code;
    if (args.told && text->head.view >= 0) return run_replay({args.log, args.as, args.rules, false}, g);
    const OpenLog log = replayed(std::move(*text), g, exit_code);
    if (!log.fits) return exit_code;
    const auto seat = read_seat(args.as, log.machine->game.players, g);
    if (!seat) return exit_cannot;
    if (args.told) {
        const Listener listener{seat_bit(*seat), *seat};
        for (const ToldLine& line : told_lines(*log.machine, log.events, 0, listener, g))
            out(printed(line, log.machine->game, terminal_width(), g));
        log.run->advance();
        out("\n" + table_text(*log.run, listener.viewers, *seat, terminal_width(), g));
        return exit_fine;
    }
    LogHead head = head_of(*log.machine, log.head.seed);
    log.run->advance();
    head.question = question_at_once_to(log.machine, *log.run, *seat);
    out(view_text(*log.machine, head, log.events, *seat));
    return exit_fine;
}

}  // namespace houserule::cli
