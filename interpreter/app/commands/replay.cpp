#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/terminal/keyboard.hpp"

#include <fmt/format.h>

namespace houserule::cli {

namespace {

// Who is to answer at the node where the log stops.
std::string waits_words(const Run& run, const Globals& g) {
    const Node& n = run.node();
    const RuleId rule = run.machine().code[n.step].rule;
    const std::string where = rule == no_id ? "" : fmt::format(" ({})", rule_words(run.machine(), rule, -1, g));
    const std::string who = n.kind == NodeKind::window   ? seats_words(n.seats)
                            : n.seat >= 0                ? seat_words(n.seat)
                            : n.kind == NodeKind::report ? say(g, Text::the_table)
                                                         : say(g, Text::chance);
    const Step& s = run.machine().code[n.step];
    const std::string words = say(g, Text::log_stops_here, who, where);
    if (n.kind != NodeKind::choose || (s.mode & choice_joint) == 0) return words;
    const std::string& name = run.machine().game.variables[s.a].name;
    return words +
           say(g, Text::log_stops_between_choices, fmt::format("{}{} {} = …", who, (s.mode & choice_aloud) != 0 ? " names" : ":", name));
}

std::string seat_heading(const Machine& machine, const Event& e, const Globals& g) { return rule_words(machine, e.name, e.seat, g); }

// One line a step; a heading when the rule changes. False when the person has had enough.
bool tell(const OpenLog& log, Seats viewers, const Globals& g) {
    Keyboard keyboard(false);
    const bool stepwise = is_terminal();
    if (stepwise) out(faint(say(g, Text::replay_keys), g));
    bool asks = stepwise;
    std::string heading;       // of the rule that runs
    RuleId told_rule = no_id;  // of the line printed last
    std::string told_heading;
    for (const Event& e : as_told(log.events, 0, viewers)) {
        if (interrupted()) return false;
        if (e.kind == EventKind::begins) {
            heading = seat_heading(*log.machine, e, g);
            told_rule = RuleId(-2);
            continue;
        }
        const std::string words = event_words(*log.machine, e, viewers, g);
        if (words.empty()) continue;
        if (e.rule != told_rule) {
            const bool begun = told_rule == RuleId(-2) && e.rule != no_id && heading.starts_with(rule_words(*log.machine, e.rule, -1, g));
            const std::string title = begun ? heading : e.rule == no_id ? std::string() : rule_words(*log.machine, e.rule, -1, g);
            if (title != told_heading && !title.empty()) out(bold(title, g) + "\n");
            told_heading = title;
            told_rule = e.rule;
        }
        out("  " + words + (asks ? "" : "\n"));
        if (!asks) continue;
        const Typed typed = keyboard.ask("");
        if (typed.what == Typed::interrupted) return false;
        asks = typed.what == Typed::line && typed.text.empty();
    }
    return true;
}

}  // namespace

int run_replay(const ReplayArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    const auto log = open_log(args.log, args.rules, g, exit_code);
    if (!log) return exit_code;
    watch_interrupts();
    const Game& game = log->machine->game;
    int seat = -1;
    if (!args.as.empty()) {
        const auto given = read_seat(args.as, game.players, g);
        if (!given) return exit_cannot;
        seat = *given;
    }
    const Seats viewers = seat < 0 ? 0 : 1U << seat;
    if (!tell(*log, viewers, g)) return exit_interrupted;
    Run& run = *log->run;
    run.advance();
    out("\n" + table_text(run, viewers, seat, terminal_width(), g) + "\n");
    Random lots(log->head.seed.value_or(0));
    if (run.node().kind == NodeKind::over)
        out(result_words(run, lots, g));
    else if (log->fits)
        out(waits_words(run, g));
    return exit_code;
}

}  // namespace houserule::cli
