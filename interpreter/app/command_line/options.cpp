#include "interpreter/app/command_line/options.hpp"

#include "interpreter/app/command_line/help.hpp"
#include "interpreter/app/command_line/slips.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace houserule::cli {

namespace {

// Where commands are added, and what then says which of them was asked for.
struct Adding {
    CLI::App& app;
    Command& command;
    Language language;
};

// A command whose options are described in the chosen language.
struct Described {
    CLI::App& app;
    Language language;

    template <typename Value>
    CLI::Option* add_option(const char* names, Value& value, TextRow<0> about) {
        return app.add_option(names, value, std::string(about.in(language)));
    }
    CLI::Option* add_flag(const char* names, bool& value, TextRow<0> about) {
        return app.add_flag(names, value, std::string(about.in(language)));
    }
    void footer(TextRow<0> words) { app.footer(std::string(words.in(language))); }
};

// A time in seconds, also with a unit: `30s`, `2min`.
CLI::Validator seconds(double low, double high) {
    const auto read = [low, high](std::string& text) -> std::string {
        constexpr std::pair<std::string_view, double> units[] = {{"", 1}, {"s", 1}, {"sec", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
        double number = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const std::string_view unit(end, text.data() + text.size());
        const auto* const found = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
        const bool fits =
            error == std::errc() && found != std::end(units) && number * found->second >= low && number * found->second <= high;
        // In the words of the table's English, as CLI11 complains.
        if (!fits)
            return Text::no_such_time(std::string(), text, fmt::format("{}", low), fmt::format("{}", high)).in(Language::en).substr(2);
        text = fmt::format("{}", number * found->second);
        return "";
    };
    return CLI::Validator(read, "", "seconds");
}

CLI::App* add_command(const Adding& to, const char* name, TextRow<0> about) {
    CLI::App* sub = to.app.add_subcommand(name, std::string(about.in(to.language)));
    sub->fallthrough();
    return sub;
}

template <typename Args, typename Function>
void add(const Adding& to, const char* name, TextRow<0> about, Function run, const std::function<void(Described&, Args&)>& options) {
    auto args = std::make_shared<Args>();
    CLI::App* sub = add_command(to, name, about);
    Described described{*sub, to.language};
    options(described, *args);
    sub->callback([args, &command = to.command, run] { command = [args, run](const Globals& g) { return run(*args, g); }; });
}

void add_variant(Described& sub, int& players, std::vector<std::string>& set) {
    sub.add_option("--players,-n", players, Text::players_option)->check(CLI::Range(1, 10));
    sub.add_option("--set", set, Text::set_option);
}

void add_reading_commands(const Adding& to) {
    add<CheckArgs>(to, "check", Text::check_about, run_check, [](Described& sub, CheckArgs& a) {
        sub.add_option("FILE", a.files, Text::check_files)->required();
        sub.add_flag("--json", a.json, Text::check_json);
    });
    add<FmtArgs>(to, "fmt", Text::fmt_about, run_fmt, [](Described& sub, FmtArgs& a) {
        sub.add_option("FILE", a.files, Text::some_rules_files)->required();
        sub.add_flag("--check", a.check, Text::fmt_check);
    });
    add<TestArgs>(to, "test", Text::test_about, run_test,
                  [](Described& sub, TestArgs& a) { sub.add_option("FILE", a.files, Text::some_rules_files)->required(); });
    add<DumpArgs>(to, "dump", Text::dump_about, run_dump, [](Described& sub, DumpArgs& a) {
        sub.add_option("FILE", a.file, Text::a_rules_file)->required();
        sub.add_option("--stage", a.stage, Text::dump_stage)->check(CLI::IsMember({"syntax", "merged", "game", "machine", "code"}));
        add_variant(sub, a.players, a.set);
    });
    add<GraphArgs>(to, "graph", Text::graph_about, run_graph, [](Described& sub, GraphArgs& a) {
        sub.add_option("FILE", a.file, Text::a_rules_file)->required();
        sub.add_option("--format", a.format, Text::graph_format)->check(CLI::IsMember({"dot", "svg", "png", "mermaid"}));
        add_variant(sub, a.players, a.set);
    });
    add<RulebookArgs>(to, "rulebook", Text::rulebook_about, run_rulebook, [](Described& sub, RulebookArgs& a) {
        sub.add_option("FILE", a.file, Text::rules_or_shipped)->required();
        sub.add_option("--format", a.format, Text::rulebook_format)->check(CLI::IsMember({"md", "html"}))->capture_default_str();
        sub.add_option("--paper", a.paper, Text::rulebook_paper)->check(CLI::IsMember({"a4", "a5"}))->capture_default_str();
        sub.add_option("--for,--players,-n", a.players, Text::rulebook_players)->check(CLI::Range(1, 10));
        sub.add_option("-o,--output", a.output, Text::output_or_terminal);
        sub.add_flag("--force", a.force, Text::force_output);
        sub.add_option("--set", a.set, Text::set_option);
        sub.add_option("--reading", a.reading, Text::reading_option);
        CLI::Option* findings = sub.add_flag("--findings", a.findings, Text::rulebook_findings);
        sub.add_option("--time", a.time_s, Text::rulebook_time)->transform(seconds(0.1, 86400.0))->needs(findings);
        sub.footer(Text::rulebook_footer);
    });
    add<ExplainArgs>(to, "explain", Text::explain_about, run_explain,
                     [](Described& sub, ExplainArgs& a) { sub.add_option("CODE", a.code, Text::explain_code)->required(); });
    add<NewArgs>(to, "new", Text::new_about, run_new, [](Described& sub, NewArgs& a) {
        sub.add_option("NAME", a.name, Text::new_name);
        sub.add_option("--from", a.from, Text::new_from);
        sub.add_flag("--copy", a.copy, Text::new_copy);
        sub.add_option("-o,--output", a.output, Text::output_or_name);
        sub.add_flag("--force", a.force, Text::force_output);
        sub.add_flag("--list", a.list, Text::new_list);
        sub.footer(Text::new_footer);
    });
    CLI::App* games = add_command(to, "games", Text::games_about);
    games->callback([&command = to.command] { command = [](const Globals& g) { return run_games(g); }; });
}

void add_playing_commands(const Adding& to) {
    add<PlayArgs>(to, "play", Text::play_about, run_play, [](Described& sub, PlayArgs& a) {
        CLI::Option* file = sub.add_option("FILE", a.file, Text::play_file)->required();
        sub.add_flag("--resume", a.resume, Text::play_resume)->each([file](const std::string&) { file->required(false); });
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--seed", a.seed, Text::play_seed);
        sub.add_option("--seat", a.seat, Text::play_seat);
        sub.add_option("--log", a.log, Text::play_log);
        sub.add_flag("--no-log", a.no_log, Text::play_no_log);
        sub.add_flag("--force", a.force, Text::play_force);
        sub.add_flag("--hints", a.hints, Text::play_hints);
        sub.add_option("--names", a.names, Text::names_option);
        sub.add_option("--pace", a.pace, Text::play_pace)->check(CLI::IsMember({"enter", "none"}));
        sub.add_option("--questions", a.questions, Text::play_questions)->check(CLI::IsMember({"always", "never"}));
        sub.add_option("--volunteer", a.volunteer, Text::play_volunteer)->check(CLI::Range(0.0, 1.0));
        sub.footer(Text::play_footer);
    });
    add<ServeArgs>(to, "serve", Text::serve_about, run_serve, [](Described& sub, ServeArgs& a) {
        sub.add_option("FILE", a.file, Text::play_file)->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--seed", a.seed, Text::play_seed);
        sub.add_option("--seat", a.seat, Text::play_seat);
        sub.add_flag("--lan", a.lan, Text::serve_lan);
        sub.add_option("--host", a.host, Text::serve_host);
        sub.add_option("--port", a.port, Text::serve_port)->check(CLI::Range(0, 65'535))->capture_default_str();
        sub.add_option("--dir", a.dir, Text::serve_dir);
        sub.add_option("--pace", a.pace, Text::serve_pace)->check(CLI::Range(0.0, 60.0));
        sub.add_flag("--hints", a.hints, Text::serve_hints);
        sub.footer(Text::serve_footer);
    });
    add<SimulateArgs>(to, "simulate", Text::simulate_about, run_simulate, [](Described& sub, SimulateArgs& a) {
        sub.add_option("FILE", a.file, Text::rules_or_shipped)->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--games", a.games, Text::simulate_games)->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
        sub.add_option("--seed", a.seed, Text::same_seed);
        sub.add_option("--threads", a.threads, Text::simulate_threads)->check(CLI::Range(1, 256));
        sub.add_option("--volunteer", a.volunteer, Text::simulate_volunteer)->check(CLI::Range(0.0, 1.0));
        sub.add_option("--seat", a.seat, Text::simulate_seat);
        sub.add_option("--think", a.think_ms, Text::simulate_think)->check(CLI::Range(1, 600'000))->capture_default_str();
        sub.add_option("--logs", a.logs, Text::simulate_logs);
        sub.add_option("--engine", a.engine, Text::simulate_engine)
            ->check(CLI::IsMember({"auto", "interpret", "compiled"}))
            ->capture_default_str();
        sub.add_flag("--verbose", a.verbose, Text::simulate_verbose);
        sub.add_flag("--json", a.json, Text::json_option);
        CLI::Option* part = sub.add_option("--part", a.part, Text::simulate_part);
        CLI::Option* to_file = sub.add_option("-o,--out", a.out, Text::simulate_out)->needs(part);
        part->needs(to_file);
        sub.add_option("--checkpoint", a.checkpoint, Text::simulate_checkpoint)->excludes(part);
        sub.add_flag("--force", a.force, Text::force_output);
    });
    add<MergeArgs>(to, "merge", Text::merge_about, run_merge, [](Described& sub, MergeArgs& a) {
        sub.add_option("PART", a.files, Text::merge_files)->required();
        sub.add_option("--rules", a.rules, Text::merge_rules);
        sub.add_flag("--all", a.all, Text::merge_all);
        sub.add_flag("--json", a.json, Text::json_option);
    });
}

void add_whole_game_commands(const Adding& to) {
    add<ExploreArgs>(to, "explore", Text::explore_about, run_explore, [](Described& sub, ExploreArgs& a) {
        sub.add_option("FILE", a.file, Text::rules_or_shipped)->required();
        add_variant(sub, a.players, a.set);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--limit", a.limit, Text::explore_limit)
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}))
            ->capture_default_str();
        sub.add_option("--memory", a.memory, Text::explore_memory)
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
            ->capture_default_str();
        sub.add_flag("--keep-forced", a.keep_forced, Text::explore_keep_forced);
        sub.add_flag("--json", a.json, Text::json_option);
        CLI::Option* part = sub.add_option("--part", a.part, Text::explore_part);
        CLI::Option* to_file = sub.add_option("-o,--out", a.out, Text::explore_out)->needs(part);
        part->needs(to_file);
        sub.add_option("--checkpoint", a.checkpoint, Text::explore_checkpoint)->excludes(part);
        sub.add_flag("--force", a.force, Text::force_output);
        sub.footer(Text::explore_footer);
    });
    add<DiffArgs>(to, "diff", Text::diff_about, run_diff, [](Described& sub, DiffArgs& a) {
        sub.add_option("FILE", a.files, Text::diff_files)->required()->expected(1, 2);
        sub.add_option("--players,-n", a.players, Text::diff_players);
        sub.add_option("--set", a.set, Text::diff_set);
        sub.add_option("--reading", a.reading, Text::diff_reading);
        sub.add_option("--games", a.games, Text::diff_games)
            ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000}))
            ->capture_default_str();
        sub.add_option("--states", a.states, Text::diff_states)
            ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000'000}))
            ->capture_default_str();
        sub.add_option("--seed", a.seed, Text::same_seed)->capture_default_str();
        sub.add_option("--time", a.time_s, Text::diff_time)->transform(seconds(0.0, 86400.0));
        sub.add_option("--logs", a.logs, Text::diff_logs);
        sub.add_flag("--json", a.json, Text::diff_json);
        sub.footer(Text::diff_footer);
    });
}

void add_log_commands(const Adding& to) {
    add<ReplayArgs>(to, "replay", Text::replay_about, run_replay, [](Described& sub, ReplayArgs& a) {
        sub.add_option("LOG", a.log, Text::a_log)->required();
        sub.add_option("--as", a.as, Text::as_one_seat);
        sub.add_option("--rules", a.rules, Text::rules_option);
        sub.add_flag("--steps", a.steps, Text::replay_steps);
    });
    add<ViewArgs>(to, "view", Text::view_about, run_view, [](Described& sub, ViewArgs& a) {
        sub.add_option("LOG", a.log, Text::a_log)->required();
        sub.add_option("--as", a.as, Text::the_seat)->required();
        sub.add_option("--rules", a.rules, Text::rules_option);
        sub.add_flag("--told", a.told, Text::view_told);
    });
}

void add_knowing(Described& sub, KnowingArgs& a) {
    sub.add_option("LOG", a.text, Text::log_or_view)->required();
    sub.add_option("--as", a.as, Text::the_seat_or_own);
    sub.add_option("--rules", a.rules, Text::rules_option);
    sub.add_option("--names", a.names, Text::names_option);
    sub.add_option("--weight", a.weight, Text::weight_option)->check(CLI::IsMember({"histories", "deals"}))->capture_default_str();
    sub.add_option("--assume", a.assume, Text::assume_option)->check(CLI::IsMember({"uniform-play"}));
    sub.add_option("--work", a.work, Text::knowing_work)
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
        ->capture_default_str();
    sub.add_option("--time", a.time_s, Text::knowing_time)->transform(seconds(0.0, 86400.0));
    sub.add_flag("--json", a.json, Text::json_option);
}

void add_knowing_commands(const Adding& to) {
    add<HintArgs>(to, "hint", Text::hint_about, run_hint, [](Described& sub, HintArgs& a) {
        add_knowing(sub, a);
        sub.add_option("--top", a.top, Text::hint_top)->check(CLI::Range(std::size_t{1}, std::size_t{10'000}))->capture_default_str();
        sub.add_flag("--cards", a.cards, Text::hint_option_cards);
        sub.add_flag("--all", a.all, Text::hint_option_all);
        sub.add_flag("--numbers", a.numbers, Text::hint_option_numbers);
        sub.add_flag("--give-away", a.give_away, Text::hint_give_away);
        sub.footer(Text::hint_footer);
    });
    add<WorldsArgs>(to, "worlds", Text::worlds_about, run_worlds, [](Described& sub, WorldsArgs& a) {
        add_knowing(sub, a);
        sub.add_option("--of", a.of, Text::worlds_of);
        sub.add_flag("--each", a.each, Text::worlds_each);
        sub.add_option("--limit", a.limit, Text::worlds_limit)
            ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}))
            ->capture_default_str();
    });
    add<WhyArgs>(to, "why", Text::why_about, run_why, [](Described& sub, WhyArgs& a) {
        add_knowing(sub, a);
        sub.add_option("CLAIM", a.claim, Text::why_claim)->required();
    });
}

void add_assist(const Adding& to) {
    add<AssistArgs>(to, "assist", Text::assist_about, run_assist, [](Described& sub, AssistArgs& a) {
        CLI::Option* file = sub.add_option("FILE", a.file, Text::assist_file)->required();
        sub.add_flag("--resume", a.resume, Text::assist_resume)->each([file](const std::string&) { file->required(false); });
        add_variant(sub, a.players, a.set);
        sub.add_option("--as", a.as, Text::your_seat);
        sub.add_option("--names", a.names, Text::names_option);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--log", a.log, Text::assist_log);
        sub.add_option("--questions", a.questions, Text::assist_questions)->check(CLI::IsMember({"always", "never"}));
        sub.footer(Text::assist_footer);
    });
}

void add_validate(const Adding& to) {
    add<ValidateArgs>(to, "validate", Text::validate_about, run_validate, [](Described& sub, ValidateArgs& a) {
        sub.add_option("FILE", a.file, Text::rules_or_shipped)->required();
        sub.add_option("--players", a.players, Text::validate_players);
        sub.add_option("--only", a.only, Text::validate_only);
        sub.add_option("--set", a.set, Text::set_option);
        sub.add_option("--reading", a.reading, Text::reading_option);
        sub.add_option("--limit", a.limit, Text::validate_limit)
            ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
            ->capture_default_str();
        sub.add_option("--games", a.games, Text::validate_games)
            ->check(CLI::Range(std::uint64_t{8}, std::uint64_t{1'000'000'000}))
            ->capture_default_str();
        CLI::Option* time = sub.add_option("--time", a.time_s, Text::validate_time)->transform(seconds(0.1, 86400.0));
        sub.add_option("--seed", a.seed, Text::validate_seed)->capture_default_str();
        sub.add_option("--logs", a.logs, Text::validate_logs);
        sub.add_flag("--all", a.all, Text::validate_all);
        sub.add_flag("--blind", a.blind, Text::validate_blind);
        sub.add_flag("--chosen", a.chosen, Text::validate_chosen);
        sub.add_flag("--proofs", a.proofs, Text::validate_proofs);
        sub.add_flag("--json", a.json, Text::json_option);
        CLI::Option* part = sub.add_option("--part", a.part, Text::validate_part)->excludes(time);
        CLI::Option* to_file = sub.add_option("-o,--out", a.out, Text::validate_out)->needs(part);
        part->needs(to_file);
        sub.add_flag("--force", a.force, Text::force_output);
        sub.footer(Text::validate_footer);
    });
}

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv, Language language) {
    CLI::App app(std::string(Text::program_about.in(language)), "houserule");
    speak(app, language);
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("houserule ") + HOUSERULE_VERSION, std::string(Text::option_version.in(language)));
    CommandLine line;
    Command command;
    Described all{app, language};
    std::string asked;  // is in `language` by now
    all.add_option("--lang", asked, Text::option_lang)
        ->check(CLI::IsMember(std::vector<std::string>(language_codes.begin(), language_codes.end())));
    all.add_option("--color", line.color, Text::option_color)->check(CLI::IsMember({"auto", "always", "never"}));
    const Adding to{app, command, language};
    add_reading_commands(to);
    add_playing_commands(to);
    add_whole_game_commands(to);
    add_log_commands(to);
    add_knowing_commands(to);
    add_assist(to);
    add_validate(to);
    // `help play` is what others call `play --help`.
    std::vector<const char*> words(argv, argv + argc);
    std::size_t first = 1;
    while (first + 2 < words.size() && (std::string_view(words[first]) == "--lang" || std::string_view(words[first]) == "--color"))
        first += 2;
    if (first < words.size() && std::string_view(words[first]) == "help") {
        words.erase(words.begin() + first);
        words.push_back("--help");
    }
    try {
        app.parse(argc, words.data());
    } catch (const CLI::ParseError& e) {
        std::ostringstream printed;
        std::ostringstream told;
        const std::string slip = e.get_exit_code() == 0 ? "" : slip_of(app, language);
        line.exit_code = app.exit(e, printed, told) == 0 ? exit_fine : exit_cannot;
        const auto width = known_width();
        const auto fitting = [&](const std::string& text) { return width ? folded_lines(text, *width) : text; };
        if (!slip.empty()) return err(fitting(slip)), line;
        const bool is_bare = app.get_subcommands().empty() && line.exit_code != exit_fine;
        out(printed.str());
        err(is_bare ? std::string(Text::where_to_begin.in(language)) + app.help() : fitting(told.str()));
        return line;
    }
    line.command = std::move(command);
    return line;
}

}  // namespace houserule::cli
