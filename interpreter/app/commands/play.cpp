// `houserule play`: people, players who deduce and random players at one table.
//
// The run goes on by itself until a person is to answer. Where a statement offers an act, who may do it is asked. Acts that are open at any
// time are not asked for at every moment: a person finds them beside the choices of the next own decision, and is asked once before
// somebody else decides, when something has happened since, and before what goes round comes to the same moment again. Doing one goes back
// to the last moment at which it was open; nothing that anybody noticed has happened since then.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/play/go_on.hpp"
#include "interpreter/app/play/kept_games.hpp"
#include "interpreter/app/play/play_prompt.hpp"
#include "interpreter/app/play/play_why.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace houserule::cli {

namespace {

std::string greeting(const Session& s, const Globals& g) {
    const Game& game = s.game();
    const std::string title = say(g, Text::play_begins, name_words(game, game.name, g), game.players, s.head.seed.value_or(0));
    std::string text;
    const Seats all = (1U << game.players) - 1;
    const Seats others = all & ~s.people & ~s.deducing;
    if (s.people == 0 && s.deducing == 0)
        text += say(g, Text::all_play_at_random);
    else if (s.people == 0)
        text += say(g, Text::nobody_sits_here);
    else if (!s.several_people())
        text += say(g, Text::you_are, seats_words(s.people, g));
    else
        text += say(g, Text::people_play, seats_words(s.people, g));
    if (s.deducing != 0) text += say(g, Text::players_who_deduce, seats_words(s.deducing, g));
    if ((s.people != 0 || s.deducing != 0) && others != 0) text += say(g, Text::players_at_random, seats_words(others, g));
    if (s.people != 0)
        text += say(g, Text::question_mark_helps);
    else if (s.deducing != 0)
        text += "\n";
    return bold(folded(title, terminal_width(), 2), g) + "\n" + folded_lines(text, terminal_width());
}

// ---------------------------------------------------------------- the game

enum class Outcome { over, failed, left, interrupted };

Outcome play(Session& s, Keyboard& keyboard, const Globals& g) {
    for (;;) {
        const Waiting w = go_on(s);
        Prompted asked = Prompted::answered;
        switch (w.what) {
            case Waiting::over:
                return Outcome::over;
            case Waiting::failed:
                return Outcome::failed;
            case Waiting::interrupted:
                return Outcome::interrupted;
            case Waiting::thinking:  // everybody may think, and nobody is looked for
            case Waiting::together:
                break;
            case Waiting::acts:
                asked = ask_acts(s, keyboard, w.who, g);
                break;
            case Waiting::decision:
                asked = ask_decision(s, keyboard, w.seat, g);
                break;
        }
        if (asked != Prompted::answered) return asked == Prompted::interrupted ? Outcome::interrupted : Outcome::left;
    }
}

// ---------------------------------------------------------------- after the game

int tell_saved(const Session& s, bool over, const Globals& g) {
    if (s.log_path.empty()) {
        if (!over && s.saved_events != s.events.size()) out_folded(say(g, Text::game_was_not_saved));
        return exit_fine;
    }
    if (s.unsaved) return err(say(g, Text::could_not_be_saved, s.log_path)), exit_cannot;
    if (s.kept) {
        if (!over) out_folded(say(g, Text::game_is_kept));
    } else if (over)
        out_folded(say(g, Text::saved_log, s.log_path));
    else
        out_folded(say(g, Text::saved_game, s.log_path));
    return exit_fine;
}

void tell_result(Session& s, Keyboard& keyboard, const Globals& g) {
    const bool alone = s.people != 0 && !s.several_people();
    out("\n");
    if (s.people != 0) tell_news(s, s.people, g, &keyboard);
    // What one of several people at the screen may keep from the others stays hidden.
    const Seats viewers = s.several_people() ? s.people : no_seats;
    const ShownCards shown = shown_to(s.events, viewers);
    out("\n" + table_text(*s.run, viewers, alone ? first_of(s.people) : -1, terminal_width(), g, shown) + "\n");
    out_folded(result_words(*s.run, s.random, g, alone ? first_of(s.people) : -1));
    out(what_decided(s, g));
}

// A game that was begun without a word about its log is kept for a while, if people play it.
void keep_for_a_while(Session& s, const Globals& g) {
    const auto log = log_to_keep(g);
    if (!log) return;
    std::error_code error;
    s.head.file = std::filesystem::absolute(s.rules.path, error).string();
    s.log_path = *log;
    s.kept = true;
    keep(s, g);
    if (s.unsaved) s.log_path.clear();
}

int play_file(const PlayArgs& args, const Globals& g) {
    const bool from_log = file_is_log(args.file, g);
    int exit_code = exit_cannot;
    std::optional<Session> session = from_log ? resumed_session(args, g, exit_code) : begun_session(args, g);
    if (!session) return exit_code;
    Session& s = *session;
    s.log_path = args.log;
    if (!args.log.empty()) name_rules(s.head, args.log, s.rules.path);
    // What somebody wrote by hand, with comments or without what follows by itself, stays as it is.
    if (from_log && args.log.empty() && !args.no_log && (args.force || s.written_whole)) s.log_path = args.file;
    s.kept = from_log && s.log_path == args.file && is_kept(args.file);
    if (from_log && s.log_path == args.file) s.logged = s.rules.sources.back().text();
    watch_interrupts();
    s.run->stop_on(&stop());
    if (!seat_people(args.seat, s, g)) return exit_cannot;
    if (!may_write(args.log, args.force, g)) return exit_cannot;
    s.volunteer_per_million = volunteers_per_million(args.volunteer);
    s.paced = is_on(args.pace, "enter");
    s.asks_again = is_on(args.questions, "always");
    s.scores_told.resize(s.game().players);
    s.hints = s.head.hints = args.hints || s.head.hints;
    s.told.assign(s.game().players, from_log ? s.events.size() : 0);
    s.noticed = s.told;
    s.run->record(&s.events);
    keep(s, g);  // what cannot be written is told before anybody plays
    if (s.unsaved) return exit_cannot;
    if (!from_log && s.log_path.empty() && !args.no_log && s.people != 0) keep_for_a_while(s, g);
    out(greeting(s, g));
    if (from_log && s.log_path.empty() && !args.no_log) out_folded(say(g, Text::game_is_not_saved, args.file));
    Keyboard keyboard(true);
    const Outcome outcome = play(s, keyboard, g);
    keep(s, g);
    if (outcome == Outcome::over) tell_result(s, keyboard, g);
    if (outcome == Outcome::failed) {
        const Failure& f = s.run->failure();
        const Source& source = s.rules.sources[f.span.source];
        err(say(g, Text::rules_break_here, text(s.run->machine().game, f, g.language),
                std::filesystem::path(source.name()).filename().string(), lines_of(f, source)));
    }
    const int saved = tell_saved(s, outcome == Outcome::over, g);
    if (outcome == Outcome::interrupted) return exit_interrupted;
    return outcome == Outcome::failed ? exit_found : saved;
}

}  // namespace

int run_play(const PlayArgs& args, const Globals& g) {
    if (args.resume && !args.file.empty()) return err(say(g, Text::not_together, verbatim("--resume"), verbatim("FILE"))), exit_cannot;
    if (args.no_log && !args.log.empty()) return err(say(g, Text::not_together, verbatim("--log"), verbatim("--no-log"))), exit_cannot;
    if (!args.resume) return play_file(args, g);
    const auto last = last_kept();
    if (!last) return err(say(g, Text::no_game_is_kept)), exit_cannot;
    PlayArgs last_game = args;
    last_game.file = *last;
    return play_file(last_game, g);
}

}  // namespace houserule::cli
