#include "interpreter/app/commands/options.hpp"

#include "interpreter/app/commands/commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <sstream>

namespace houserule::cli {

namespace {

template <typename Args, typename Function>
void add(CLI::App& app, const char* name, const char* about, Command& command, Function run,
         const std::function<void(CLI::App&, Args&)>& options) {
    auto args = std::make_shared<Args>();
    CLI::App* sub = app.add_subcommand(name, about);
    sub->fallthrough();
    options(*sub, *args);
    sub->callback([args, &command, run] { command = [args, run](const Globals& g) { return run(*args, g); }; });
}

void add_variant(CLI::App& sub, int& players, std::vector<std::string>& set) {
    sub.add_option("--players,-n", players, "how many play")->check(CLI::Range(1, 10));
    sub.add_option("--set", set, "an option of the game, NAME=VALUE");
}

void add_reading_commands(CLI::App& app, Command& command) {
    add<CheckArgs>(app, "check", "diagnostics, and what the author promised", command, run_check, [](CLI::App& sub, CheckArgs& a) {
        sub.add_option("FILE", a.files, "rules files, or names of games that ship")->required();
        sub.add_flag("--json", a.json, "for tools (schema houserule-diagnostics-1)");
    });
    add<FmtArgs>(app, "fmt", "formats rules files in place", command, run_fmt, [](CLI::App& sub, FmtArgs& a) {
        sub.add_option("FILE", a.files, "rules files")->required();
        sub.add_flag("--check", a.check, "only say which files would change");
    });
    add<TestArgs>(app, "test", "runs the files' examples", command, run_test,
                  [](CLI::App& sub, TestArgs& a) { sub.add_option("FILE", a.files, "rules files")->required(); });
    add<DumpArgs>(app, "dump", "prints what a stage made of the file", command, run_dump, [](CLI::App& sub, DumpArgs& a) {
        sub.add_option("FILE", a.file, "a rules file")->required();
        sub.add_option("--stage", a.stage, "syntax, merged, game or machine")
            ->check(CLI::IsMember({"syntax", "merged", "game", "machine"}));
        add_variant(sub, a.players, a.set);
    });
    add<GraphArgs>(app, "graph", "the state machine as a picture", command, run_graph, [](CLI::App& sub, GraphArgs& a) {
        sub.add_option("FILE", a.file, "a rules file")->required();
        sub.add_option("--format", a.format, "dot, svg or mermaid")->check(CLI::IsMember({"dot", "svg", "mermaid"}));
        add_variant(sub, a.players, a.set);
    });
    add<RulebookArgs>(app, "rulebook", "the rules as a page to read and print", command, run_rulebook, [](CLI::App& sub, RulebookArgs& a) {
        sub.add_option("FILE", a.file, "a rules file, or a game that ships")->required();
        sub.add_option("--format", a.format, "md (Markdown) or html")->check(CLI::IsMember({"md", "html"}))->capture_default_str();
        sub.add_option("-o,--output", a.output, "the file to write, else the terminal");
        sub.add_flag("--force", a.force, "the file may be overwritten");
        sub.add_option("--set", a.set, "an option of the game, NAME=VALUE");
        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
        CLI::Option* findings = sub.add_flag("--findings", a.findings, "what a quick validation finds, as footnotes");
        sub.add_option("--time", a.time_s, "seconds for --findings")
            ->check(CLI::Range(0.1, 86400.0))
            ->needs(findings)
            ->capture_default_str();
        sub.footer(
            "The page says what the file says: its own texts and labels in the language of --lang, and below each text what the statements "
            "do.\n"
            "What differs by the number of players, options and readings are all told; --set and --reading choose those that the page "
            "follows.\n"
            "Footnotes are findings of `houserule validate`, which looks longer and shows the games.\n"
            "HTML is one file that needs no other, for the screen and for print.");
    });
    add<ExplainArgs>(
        app, "explain", "a page about a diagnostic, or about a class of findings", command, run_explain,
        [](CLI::App& sub, ExplainArgs& a) { sub.add_option("CODE", a.code, "E0204, or a class: gap, end-race, …")->required(); });
    add<NewArgs>(app, "new", "begins a house rule, or a game", command, run_new, [](CLI::App& sub, NewArgs& a) {
        sub.add_option("NAME", a.name, "what it will be called");
        sub.add_option("--from", a.from, "a game that ships, a template, or a rules file");
        sub.add_flag("--copy", a.copy, "the whole game under the new name, instead of a house rule that changes it");
        sub.add_option("-o,--output", a.output, "the file to write, else NAME.rules");
        sub.add_flag("--force", a.force, "the file may be overwritten");
        sub.add_flag("--list", a.list, "the games and templates that there are");
        sub.footer(
            "From a game comes a house rule that changes nothing yet: lines that fit the game wait behind a `#` to be used.\n"
            "A template is copied, to be made into something else. What is written has passed the checks of `houserule check`.");
    });
    CLI::App* games = app.add_subcommand("games", "the games that ship");
    games->fallthrough();
    games->callback([&command] { command = [](const Globals& g) { return run_games(g); }; });
}

void add_playing_commands(CLI::App& app, Command& command) {
    add<PlayArgs>(app, "play", "plays a game, or goes on from a log", command, run_play, [](CLI::App& sub, PlayArgs& a) {
        sub.add_option("FILE", a.file, "a rules file, a game that ships, or a log")->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
        sub.add_option("--seed", a.seed, "for chance and random players");
        sub.add_option("--seat", a.seat, "who plays a seat: K=human, K=deduce or K=random");
        sub.add_option("--log", a.log, "where the game is saved");
        sub.add_flag("--force", a.force, "the log may be overwritten");
        sub.add_flag("--hints", a.hints, "before each of your decisions, what you can know");
        sub.add_option("--volunteer", a.volunteer, "the chance that a random player does an act open to anybody")
            ->check(CLI::Range(0.0, 1.0));
        sub.footer(
            "Seat 1 is yours, the others play at random, unless --seat says otherwise: with K=deduce by what their seat can deduce. With "
            "several people the screen is cleared between them.\n"
            "At the prompt: a number or a name; `?` explains the rule, `? CARD` why a card is not offered; table, log, undo, save FILE, "
            "quit.\n"
            "An act that is open at any time stands beside the choices of your decisions; when something happened, you are asked for it\n"
            "before somebody else decides: Enter goes on.\n"
            "The log is written after every decision. Ctrl-C and the end of the input save it. `houserule play LOG` goes on from it.");
    });
    add<SimulateArgs>(app, "simulate", "plays many games and counts", command, run_simulate, [](CLI::App& sub, SimulateArgs& a) {
        sub.add_option("FILE", a.file, "a rules file, or a game that ships")->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
        sub.add_option("--games", a.games, "how many games")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
        sub.add_option("--seed", a.seed, "the same seed gives the same result");
        sub.add_option("--threads", a.threads, "the result does not depend on it")->check(CLI::Range(1, 256));
        sub.add_option("--volunteer", a.volunteer, "the chance of an act open to anybody")->check(CLI::Range(0.0, 1.0));
        sub.add_option("--seat", a.seat, "who plays a seat: K=deduce or K=random");
        sub.add_option("--think", a.think_ms, "milliseconds of a deducing player for a decision, beside the deduction itself")
            ->check(CLI::Range(1, 600'000))
            ->capture_default_str();
        sub.add_option("--logs", a.logs, "a folder that gets a log of every game");
        sub.add_flag("--json", a.json, "for tools");
    });
    add<ExploreArgs>(app, "explore", "the whole game tree, counted exactly", command, run_explore, [](CLI::App& sub, ExploreArgs& a) {
        sub.add_option("FILE", a.file, "a rules file, or a game that ships")->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
        sub.add_option("--limit", a.limit, "how many nodes are walked at most")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}))
            ->capture_default_str();
        sub.add_option("--memory", a.memory, "how many MiB at most")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
            ->capture_default_str();
        sub.add_flag("--keep-forced", a.keep_forced, "a decision with one possibility counts, too");
        sub.add_flag("--json", a.json, "for tools");
        sub.footer(
            "Every history is a node: a decision, a simultaneous decision, chance or an end. A shuffle is none; each card drawn from what "
            "was\n"
            "shuffled is one, with an outcome for each single card. One complete move is one branch: doing nothing, or a yes with what is\n"
            "chosen; for those who decide at the same time, a choice of each; at a moment for acts, all who act and how. What has one\n"
            "possibility is no node. Depth: the nodes before the end on the longest history.\n"
            "An information set is what a player saw and did so far, where that player decides, and what is asked.\n"
            "The expected payoffs (without payoffs: shares of the win) are exact: every move and every single card is equally likely; lots "
            "and\n"
            "what the table tells have the weights of the file.\n"
            "Histories that differ only in which copies of a kind were drawn are walked as one node and counted each.\n"
            "Exit code 3: a limit was reached, and the numbers are lower bounds. 1: in some history a promise of the rules breaks.");
    });
    add<DiffArgs>(app, "diff", "two games side by side: the same, or where they part", command, run_diff, [](CLI::App& sub, DiffArgs& a) {
        sub.add_option("FILE", a.files, "two rules files; or a house rule, against the game it changes; or a game, with --set or --reading")
            ->required()
            ->expected(1, 2);
        sub.add_option("--players,-n", a.players, "how many play: 3, or 2..4; all that both allow when left out");
        sub.add_option("--set", a.set, "an option, NAME=VALUE: of both files, or what makes the difference in one");
        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE, likewise");
        sub.add_option("--games", a.games, "random games for each number of players")
            ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000}))
            ->capture_default_str();
        sub.add_option("--states", a.states, "how far all that can happen is walked")
            ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000'000}))
            ->capture_default_str();
        sub.add_option("--seed", a.seed, "the same seed gives the same result")->capture_default_str();
        sub.add_option("--time", a.time_s, "seconds at most")->check(CLI::Range(0.0, 86400.0))->capture_default_str();
        sub.add_option("--logs", a.logs, "a folder that gets a log of each game up to where they part");
        sub.add_flag("--json", a.json, "for tools (schema houserule-diff-1)");
        sub.footer(
            "What goes by the same name is compared: what is asked of whom, what can be chosen, what lies where, facts, ends, winners, "
            "scores.\n"
            "What only one of the games has, and who sees what, is not compared, but said.\n"
            "A is like B, proved: all that can happen was walked. The shortest game: all games with fewer decisions were walked, too.\n"
            "After they part, each game is played on with the same luck, to see whether other players win. Of lengths, ends and shares of "
            "the\n"
            "win, those are printed that differ by more than chance explains (two standard errors); --json has them all.\n"
            "Exit code 0: no difference. 1: they part. 3: time ran out before all was looked at, without a difference.");
    });
    add<ReplayArgs>(app, "replay", "steps through a log", command, run_replay, [](CLI::App& sub, ReplayArgs& a) {
        sub.add_option("LOG", a.log, "a log")->required();
        sub.add_option("--as", a.as, "as one seat saw it: P1, 1");
        sub.add_option("--rules", a.rules, "the rules file, if not a game that ships");
    });
    add<ViewArgs>(app, "view", "a log as one seat saw it", command, run_view, [](CLI::App& sub, ViewArgs& a) {
        sub.add_option("LOG", a.log, "a log")->required();
        sub.add_option("--as", a.as, "the seat: P1, 1")->required();
        sub.add_option("--rules", a.rules, "the rules file, if not a game that ships");
    });
}

void add_knowing(CLI::App& sub, KnowingArgs& a) {
    sub.add_option("LOG", a.text, "a log, or the view of a seat")->required();
    sub.add_option("--as", a.as, "the seat: P1, 1; of a view, its own");
    sub.add_option("--rules", a.rules, "the rules file, if not a game that ships");
    sub.add_option("--weight", a.weight, "what shares are shares of: histories, or deals")
        ->check(CLI::IsMember({"histories", "deals"}))
        ->capture_default_str();
    sub.add_option("--assume", a.assume, "how the others play: uniform-play, each of their moves as likely; of histories")
        ->check(CLI::IsMember({"uniform-play"}));
    sub.add_option("--time", a.time_s, "seconds for counting")->check(CLI::Range(0.0, 86400.0))->capture_default_str();
    sub.add_flag("--json", a.json, "for tools");
}

void add_knowing_commands(CLI::App& app, Command& command) {
    add<HintArgs>(app, "hint", "what a seat can know: certain, likely and excluded", command, run_hint, [](CLI::App& sub, HintArgs& a) {
        add_knowing(sub, a);
        sub.add_option("--top", a.top, "rows of each table")->check(CLI::Range(std::size_t{1}, std::size_t{10'000}))->capture_default_str();
        sub.add_flag("--give-away", a.give_away, "also which of your moves gives least away to whoever sees what all see; takes longer");
        sub.footer(
            "A world is what lies hidden from the seat. A history is everything that happened, each single card apart. It weighs as much "
            "as\n"
            "the chance in it is likely, whatever the players chose: every choice counts the same; with --assume uniform-play it weighs "
            "as\n"
            "1 in as many moves as there were. With --weight deals a deal counts once for all that hidden moves can make of it. Shares are "
            "exact.\n"
            "Exit code 1: nothing fits what was seen. 3: not everything was found out within the limits.");
    });
    add<WorldsArgs>(app, "worlds", "what may lie hidden from a seat, one by one", command, run_worlds, [](CLI::App& sub, WorldsArgs& a) {
        add_knowing(sub, a);
        sub.add_option("--of", a.of, "only what lies at one place, or in one zone");
        sub.add_option("--limit", a.limit, "how many at most")
            ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}))
            ->capture_default_str();
    });
    add<WhyArgs>(app, "why", "why something must be so for a seat, or a world in which it is not", command, run_why,
                 [](CLI::App& sub, WhyArgs& a) {
                     add_knowing(sub, a);
                     sub.add_option("CLAIM", a.claim, "a condition in the words of the rules: \"P1's me's being is not rose\"")->required();
                 });
}

void add_assist(CLI::App& app, Command& command) {
    add<AssistArgs>(app, "assist", "a companion at a real table: you type what happens, it says what you can know", command, run_assist,
                    [](CLI::App& sub, AssistArgs& a) {
                        sub.add_option("FILE", a.file, "a rules file, or a game that ships")->required();
                        add_variant(sub, a.players, a.set);
                        sub.add_option("--as", a.as, "your seat: P1, 1")->required();
                        sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
                        sub.add_option("--log", a.log, "where what you saw is kept after every line; if it is there, it goes on from it");
                        sub.footer(
                            "Type what happens as it stands in a view (`P2: c = rose`, `deal pile -> P1's hand: cat, dream`), or shortened "
                            "to what tells it from\n"
                            "all that can happen next (`p2 rose`, `cat, dream`), or its number in the list. Faces that you did not see are "
                            "`?`. What can only\n"
                            "happen in one way is filled in. Also: next, hint, worlds, why CLAIM, log, undo, help, quit.");
                    });
}

void add_validate(CLI::App& app, Command& command) {
    add<ValidateArgs>(app, "validate", "where the rules are silent, clash, stall or can be read two ways", command, run_validate,
                      [](CLI::App& sub, ValidateArgs& a) {
                          sub.add_option("FILE", a.file, "a rules file, or a game that ships")->required();
                          sub.add_option("--players", a.players, "how many play: 4, or 3..5; as the file says");
                          sub.add_option("--only", a.only, "only findings of this class: gap, void, conflict, end-race, …");
                          sub.add_option("--set", a.set, "an option of the game, NAME=VALUE");
                          sub.add_option("--reading", a.reading, "a reading of the rules, NAME=CHOICE");
                          sub.add_option("--limit", a.limit, "findings shown at most")
                              ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
                              ->capture_default_str();
                          sub.add_option("--games", a.games, "games of each number of players; a quarter of it for every other reading")
                              ->check(CLI::Range(std::uint64_t{8}, std::uint64_t{1'000'000'000}))
                              ->capture_default_str();
                          sub.add_option("--time", a.time_s, "seconds in all")->check(CLI::Range(0.1, 86400.0))->capture_default_str();
                          sub.add_option("--seed", a.seed, "where the random games begin")->capture_default_str();
                          sub.add_option("--logs", a.logs, "a folder for the game that shows each finding");
                          sub.add_flag("--chosen", a.chosen, "play games under the chosen options and readings only");
                          sub.add_flag("--proofs", a.proofs, "also every promise that was proved or not broken, one by one");
                          sub.add_flag("--json", a.json, "for tools");
                          sub.footer(
                              "A finding was met in a game, which was played again before it is shown; or it stands in the text. What was "
                              "`not found` was looked\n"
                              "for within the stated bound; what was `proved absent` cannot happen. `accept CLASS RULE \"reason\"` in the "
                              "file silences a finding.\n"
                              "Exit code 1: something was found. 3: nothing was found, but not everything was looked at.");
                      });
}

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv) {
    CLI::App app("Houserule: card-game rules as data", "houserule");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("houserule ") + HOUSERULE_VERSION);
    CommandLine line;
    Command command;
    app.add_option("--lang", line.language, "en or ja")->check(CLI::IsMember({"en", "ja"}));
    app.add_option("--color", line.color, "auto, always or never")->check(CLI::IsMember({"auto", "always", "never"}));
    add_reading_commands(app, command);
    add_playing_commands(app, command);
    add_knowing_commands(app, command);
    add_assist(app, command);
    add_validate(app, command);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream printed;
        std::ostringstream told;
        line.exit_code = app.exit(e, printed, told) == 0 ? exit_fine : exit_cannot;
        out(printed.str());
        err(told.str());
        return line;
    }
    line.command = std::move(command);
    return line;
}

}  // namespace houserule::cli
