// `houserule play`: people, players who deduce and random players at one table.
//
// The run goes on by itself until a person is to answer. Acts that are open at any time are not asked for at every moment: a person
// finds them beside the choices of the next own decision, and is asked once before somebody else decides, when something has happened
// since. Doing one goes back to the last moment at which it was open; nothing that anybody noticed has happened since then.
#include "dsl/text/hash.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/kept_games.hpp"
#include "interpreter/app/play/play_prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace houserule::cli {

namespace {

// ---------------------------------------------------------------- before the game

const char* sitting(const Session& s, int seat) { return s.is_person(seat) ? "human" : s.deduces(seat) ? "deduce" : "random"; }

// As the log says, then as the command line does.
bool read_seats(std::vector<std::string> given, Session& s, const Globals& g) {
    if (s.people == 0) s.people = 1;
    std::vector<std::string> logged;
    for (const auto& [seat, who] : s.head.seats) logged.push_back(fmt::format("P{}={}", seat + 1, who));
    given.insert(given.begin(), logged.begin(), logged.end());
    for (const std::string& pair : given) {
        const auto eq = pair.find('=');
        const std::string who = eq == std::string::npos ? "" : pair.substr(eq + 1);
        if (who != "human" && who != "random" && who != "deduce") {
            err(say(g, Text::expected_human_seats, pair));
            return false;
        }
        const auto seat = read_seat(pair.substr(0, eq), s.game().players, g);
        if (!seat) return false;
        const Seats bit = 1U << *seat;
        s.people = who == "human" ? s.people | bit : s.people & ~bit;
        s.deducing = who == "deduce" ? s.deducing | bit : s.deducing & ~bit;
    }
    s.thinkers.resize(s.game().players);
    s.head.seats.clear();
    for (int seat = 0; seat < s.game().players; ++seat)
        if (const std::string who = sitting(s, seat); who != (seat == 0 ? "human" : "random")) s.head.seats[seat] = who;
    return true;
}

std::uint64_t any_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) % 1'000'000'000;  // short enough to be typed again
}

std::int64_t per_million(double volunteer) { return volunteer < 0 ? file_odds : static_cast<std::int64_t>(volunteer * 1'000'000 + 0.5); }

std::string_view trimmed(std::string_view text) { return text.substr(0, text.find_last_not_of("\r\n") + 1); }

// From a log: at the node where it stops.
std::optional<Session> resumed(const PlayArgs& args, const Globals& g, int& exit_code) {
    auto log = open_log(args.file, "", g, exit_code);
    if (!log || !log->fits) return std::nullopt;
    exit_code = exit_cannot;
    if ((args.players != 0 && args.players != log->head.players) || !args.set.empty() || !args.reading.empty()) {
        err(say(g, Text::settings_of_the_log));
        return std::nullopt;
    }
    Session s;
    s.rules = std::move(log->rules);
    s.machine = log->machine;
    s.run = std::move(log->run);
    s.events = std::move(log->events);
    const std::uint64_t seed = args.seed ? *args.seed : log->head.seed.value_or(0);
    s.head = head_of(*s.machine, log->head.seed ? log->head.seed : std::optional(seed));
    s.head.seats = log->head.seats;
    s.head.hints = log->head.hints;
    s.head.file = log->head.file;
    s.head.names = log->head.names;
    // Chance goes on from another point than the one where it began.
    s.random = Random(seed + golden_step * (s.events.size() + 1));
    s.log_path = args.log;
    // What somebody wrote by hand, with comments or without what follows by itself, stays as it is.
    const std::string_view text = trimmed(s.rules.sources[log->source].text());
    if (args.log.empty() && !args.no_log && (args.force || log_of(s).starts_with(text))) s.log_path = args.file;
    s.kept = s.log_path == args.file && is_kept(args.file);
    return s;
}

std::optional<Session> begun(const PlayArgs& args, const Globals& g) {
    Session s;
    auto loaded = load(args.file, g);
    if (!loaded) return std::nullopt;
    s.rules = std::move(*loaded);
    Settings settings;
    if (!read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return std::nullopt;
    const auto names = args.names.empty() ? TableNames{} : read_names(args.names, g);
    if (!names) return std::nullopt;
    s.machine = machine_for(s.rules, args.players != 0 ? args.players : names->players, settings, g);
    if (!s.machine) return std::nullopt;
    if (names->players > s.game().players) return err(say(g, Text::no_names_of_seats, args.names)), std::nullopt;
    if (names->me >= 0) s.people = seat_bit(names->me);
    s.run = make_run(s.machine);
    const std::uint64_t seed = args.seed ? *args.seed : any_seed();
    s.head = head_of(*s.machine, seed);
    s.head.names = names->names;
    call_seats(s.head.names);
    s.random = Random(seed);
    s.log_path = args.log;
    s.run->start();
    return s;
}

std::string greeting(const Session& s, const Globals& g) {
    const Game& game = s.game();
    std::string text = bold(say(g, Text::play_begins, name_words(game, game.name, g), game.players, s.head.seed.value_or(0)), g) + "\n";
    const Seats all = (1U << game.players) - 1;
    const Seats others = all & ~s.people & ~s.deducing;
    if (s.people == 0 && s.deducing == 0)
        text += say(g, Text::all_play_at_random);
    else if (s.people == 0)
        text += say(g, Text::nobody_sits_here);
    else if (!s.several_people())
        text += say(g, Text::you_are, seats_words(s.people));
    else
        text += say(g, Text::people_play, seats_words(s.people));
    if (s.deducing != 0) text += say(g, Text::players_who_deduce, seats_words(s.deducing));
    if ((s.people != 0 || s.deducing != 0) && others != 0) text += say(g, Text::players_at_random, seats_words(others));
    if (s.people != 0)
        text += say(g, Text::question_mark_helps);
    else if (s.deducing != 0)
        text += "\n";
    return text;
}

// ---------------------------------------------------------------- the game

int first_of(Seats seats) {
    int p = 0;
    while ((seats >> p & 1) == 0) ++p;
    return p;
}

// People who should be asked whether they act before the game goes on.
Seats to_be_asked(const Session& s, int deciding) {
    Seats who = 0;
    for (const Opening& o : s.openings) who |= o.people;
    for (int p = 0; p < s.game().players; ++p)
        if (p == deciding || ((who >> p & 1) != 0 && !has_news(s, p))) who = who & ~(1U << p);
    return who;
}

// Lets players who deduce and random ones act or not; people are remembered to be asked later.
void pass_window(Session& s) {
    const Node n = s.run->node();
    const Seats people = n.seats & s.people;
    Opening opening;
    opening.act = s.machine->code[n.step].a;
    opening.people = people;
    const Moment now = moment_of(s, -1);
    opening.state = now.state;
    opening.events = now.events;
    std::uint64_t who = random_move(*s.run, s.random, s.volunteer_per_million) & ~std::uint64_t{s.people} & ~std::uint64_t{s.deducing};
    for (int p = 0; p < s.game().players; ++p)
        if ((n.seats & s.deducing) >> p & 1) who |= answer_of(s, p) << p;
    opening.random = s.random;
    if (who != 0)
        s.openings.clear();  // from here on others have acted
    else if (people != 0)
        s.openings.push_back(std::move(opening));
    if (!interrupted()) s.run->apply(who);  // who was stopped while thinking has not decided
}

enum class Outcome { over, failed, left, interrupted };

Outcome outcome_of(Asked asked) { return asked == Asked::interrupted ? Outcome::interrupted : Outcome::left; }

Outcome play(Session& s, Keyboard& keyboard, const Globals& g) {
    for (;;) {
        const Node n = s.run->advance();
        if (interrupted()) return Outcome::interrupted;
        if (n.kind == NodeKind::failed) return Outcome::failed;
        if (n.kind == NodeKind::window) {
            pass_window(s);
            continue;
        }
        const bool chance = n.kind == NodeKind::draw || n.kind == NodeKind::lot;
        const bool report = n.kind == NodeKind::report;
        if (chance || (report && s.people == 0)) {
            s.run->apply(random_move(*s.run, s.random));
            continue;
        }
        if (const Seats who = to_be_asked(s, n.kind == NodeKind::over || report ? -1 : n.seat); who != 0) {
            const Asked asked = ask_acts(s, keyboard, who, g);
            if (asked != Asked::answered) return outcome_of(asked);
            continue;
        }
        if (n.kind == NodeKind::over) return Outcome::over;
        if (!report && !s.is_person(n.seat)) {
            s.openings.clear();
            const std::uint64_t move = s.deduces(n.seat) ? answer_of(s, n.seat) : random_move(*s.run, s.random);
            if (interrupted()) return Outcome::interrupted;  // who was stopped while thinking has not decided
            s.run->apply(move);
            continue;
        }
        const int seat = report ? (s.decisions.empty() ? first_of(s.people) : s.decisions.back().seat) : n.seat;
        const Asked asked = ask_decision(s, keyboard, seat, g);
        if (asked != Asked::answered) return outcome_of(asked);
    }
}

// ---------------------------------------------------------------- after the game

int tell_saved(const Session& s, bool over, const Globals& g) {
    if (s.log_path.empty()) {
        if (!over) out(say(g, Text::game_was_not_saved));
        return exit_fine;
    }
    if (s.unsaved) return err(say(g, Text::could_not_be_saved, s.log_path)), exit_cannot;
    if (s.kept) {
        if (!over) out(say(g, Text::game_is_kept));
    } else if (over)
        out(say(g, Text::saved_log, s.log_path));
    else
        out(say(g, Text::saved_game, s.log_path));
    return exit_fine;
}

void tell_result(Session& s, Keyboard& keyboard, const Globals& g) {
    const bool alone = s.people != 0 && !s.several_people();
    out("\n");
    if (s.people != 0) tell_news(s, s.people, g, &keyboard);
    out("\n" + table_text(*s.run, 0, alone ? first_of(s.people) : -1, terminal_width(), g) + "\n");
    out(result_words(*s.run, s.random, g, alone ? first_of(s.people) : -1));
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
    std::optional<Session> session = from_log ? resumed(args, g, exit_code) : begun(args, g);
    if (!session) return exit_code;
    Session& s = *session;
    watch_interrupts();
    s.run->stop_on(&stop());
    if (!read_seats(args.seat, s, g)) return exit_cannot;
    if (!may_write(args.log, args.force, g)) return exit_cannot;
    s.volunteer_per_million = per_million(args.volunteer);
    s.paced = args.pace.empty() ? is_terminal() : args.pace == "enter";
    s.hints = s.head.hints = args.hints || s.head.hints;
    s.told.assign(s.game().players, from_log ? s.events.size() : 0);
    s.noticed = s.told;
    s.run->record(&s.events);
    keep(s, g);  // what cannot be written is told before anybody plays
    if (s.unsaved) return exit_cannot;
    if (!from_log && s.log_path.empty() && !args.no_log && s.people != 0) keep_for_a_while(s, g);
    out(greeting(s, g));
    if (from_log && s.log_path.empty() && !args.no_log) out(say(g, Text::game_is_not_saved, args.file));
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
