#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/app/terminal/keyboard.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace houserule::cli {

namespace {

// Who is to answer at the node where the log stops.
std::string waits_words(const Run& run, const Globals& g) {
    const Node& n = run.node();
    const RuleId rule = run.machine().code[n.step].rule;
    const std::string where = rule == no_id ? "" : fmt::format(" ({})", rule_words(run.machine(), rule, -1, g));
    const std::string who = n.kind == NodeKind::window   ? seats_words(n.seats, g)
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

// Where each step ends, as a number of events: before the next that somebody or chance decides. What is decided at once is one step.
std::vector<std::size_t> steps_of(const Events& events) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < events.size(); ++i) {
        const Event& e = events[i];
        const bool decides = e.kind == EventKind::choice || e.kind == EventKind::answer || e.kind == EventKind::report ||
                             e.kind == EventKind::acts || e.kind == EventKind::lot;
        const bool round = e.kind == EventKind::begins && e.name != no_id && events[i - 1].kind != EventKind::begins;
        if ((decides || round) && !events[i - 1].joint && (!decides || events[i - 1].kind != EventKind::begins)) ends.push_back(i);
    }
    ends.push_back(events.size());
    return ends;
}

struct Telling {
    const OpenLog& log;
    Listener listener;
    const Globals& g;
    std::vector<std::size_t> ends = steps_of(log.events);

    Events first_events(std::size_t number) const {
        Events first = log.events;
        first.resize(number);
        return first;
    }
    // What is told of the step; empty where the reader notices nothing.
    std::string step(std::size_t number) const {
        const Events so_far = first_events(ends[number]);
        return printed(told_lines(*log.machine, so_far, number == 0 ? 0 : ends[number - 1], listener, g));
    }
    std::string printed(const std::vector<ToldLine>& lines) const {
        std::string text;
        for (const ToldLine& line : lines) text += houserule::cli::printed(line, log.machine->game, terminal_width(), g);
        return text;
    }
    std::string table(std::size_t events) const;
};

// The table after so many events: what they say is played again.
std::string Telling::table(std::size_t events) const {
    const Sources sources{Source("", log_text(*log.machine, log.head, first_events(events)))};
    Diagnostics ignored;
    const auto head = read_head(sources, 0, ignored);
    const auto run = make_run(log.machine);
    Events again;
    if (!head || !replay(sources, 0, *head, *run, again, ignored, nullptr)) return "";
    run->record(nullptr);
    run->advance();
    return table_text(*run, listener.viewers, listener.you, terminal_width(), g);
}

// Step by step: Enter goes on, `b` back, `t` shows the table, a number goes to that step. False when it was interrupted.
bool tell_steps(const Telling& telling, const Globals& g) {
    Keyboard keyboard(false);
    out(faint(say(g, Text::replay_keys), g));
    std::size_t at = 0;
    bool is_shown = false;
    const std::size_t last = telling.ends.size();
    while (at < last) {
        const std::string text = is_shown ? "" : telling.step(at);
        if (!is_shown && text.empty()) {
            ++at;
            continue;
        }
        out(text);
        is_shown = true;
        const Typed typed = keyboard.ask(say(g, Text::replay_step, at + 1, last));
        if (typed.what == Typed::interrupted) return false;
        const std::string plain = plain_form(typed.text);
        if (typed.what == Typed::end || plain == "q") {
            out(telling.printed(told_lines(*telling.log.machine, telling.log.events, telling.ends[at], telling.listener, g)));
            return true;
        }
        if (plain == "t") {
            out(telling.table(telling.ends[at]));
        } else if (plain == "b") {
            do at -= at > 0 ? 1 : 0;
            while (at > 0 && telling.step(at).empty());
            is_shown = false;
        } else if (!plain.empty() && plain.size() < 6 && plain.find_first_not_of("0123456789") == std::string::npos) {
            at = std::clamp<std::size_t>(std::stoul(plain), 1, last) - 1;
            is_shown = false;
        } else if (plain.empty()) {
            ++at;
            is_shown = false;
        } else {
            out(say(g, Text::replay_keys));
        }
    }
    return true;
}

// What a seat saw, as far as it can be followed.
int replay_view(const ReplayArgs& args, const Globals& g) {
    KnowingArgs known;
    known.text = args.log;
    known.rules = args.rules;
    int exit_code = exit_fine;
    auto seen = seen_from(known, g, exit_code);
    if (!seen) return exit_code;
    watch_interrupts();
    const int seat = seen->view.seat;
    const Listener listener{seat_bit(seat), seat};
    for (const ToldLine& line : told_lines(seen->machine(), seen->view.events, 0, listener, g))
        out(printed(line, seen->game(), terminal_width(), g));
    const Deduced deduced = deduced_from(*seen, limits_of(known), Deadline::never(&stop()), g);
    if (interrupted()) return exit_interrupted;
    const auto run = deduced.fit == Fit::fits && !seen->cut ? run_at_witness(*deduced.deduction) : nullptr;
    if (run == nullptr) return exit_fine;
    out("\n" + table_text(*run, listener.viewers, seat, terminal_width(), g) + "\n");
    out(known_result(*deduced.deduction, seat, g));
    return exit_fine;
}

}  // namespace

int run_replay(const ReplayArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    auto text = open_text(args.log, args.rules, g, exit_code);
    if (!text) return exit_code;
    if (text->head.view >= 0) return replay_view(args, g);
    const OpenLog log = replayed(std::move(*text), g, exit_code);
    watch_interrupts();
    const Game& game = log.machine->game;
    int seat = -1;
    if (!args.as.empty()) {
        const auto given = read_seat(args.as, game.players, g);
        if (!given) return exit_cannot;
        seat = *given;
    }
    const Seats viewers = seat < 0 ? 0 : 1U << seat;
    const Telling telling{log, {viewers, seat}, g};
    const bool is_stepwise = is_terminal() || args.steps;
    if (!is_stepwise) out(telling.printed(told_lines(*log.machine, log.events, 0, telling.listener, g)));
    if ((is_stepwise && !tell_steps(telling, g)) || interrupted()) return exit_interrupted;
    Run& run = *log.run;
    run.advance();
    out("\n" + table_text(run, viewers, seat, terminal_width(), g) + "\n");
    Random lots(log.head.seed.value_or(0));
    if (run.node().kind == NodeKind::over)
        out(result_words(run, lots, g, seat));
    else if (log.fits)
        out(waits_words(run, g));
    return exit_code;
}

}  // namespace houserule::cli
