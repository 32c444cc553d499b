// `houserule diff`: two games, a game and a house rule on it, or two readings of a game, side by side.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/commands/diff_report.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace houserule::cli {

namespace {

// For one number of players: games that are slow to play.
constexpr std::uint64_t work_of_one = 60 * work_a_second;

// Both games, read into one list of sources so that a place in the text says which file it is in.
struct Games {
    Loaded first;
    Loaded second;
    DiffSide a;
    DiffSide b;
};

// Of the settings, those that the file has; of what neither has, the first file tells.
Settings of_file(const Settings& settings, const Loaded& file, const Loaded* other) {
    const auto has = [](const Loaded& l, const std::string& name) {
        const std::vector<Offer> all = offers(l.syntax);
        return std::any_of(all.begin(), all.end(), [&](const Offer& o) { return o.name == name; });
    };
    Settings own;
    for (const auto& [name, value] : settings)
        if (has(file, name) || other == nullptr || !has(*other, name)) own[name] = value;
    return own;
}

// The game without what its house rule changes.
Loaded base_of(const Loaded& loaded) {
    Loaded base;
    base.syntax = *loaded.base;
    base.diagnostics = loaded.diagnostics;
    base.sources = loaded.sources;
    base.path = loaded.path;
    return base;
}

std::optional<Games> load_games(const DiffArgs& args, const Settings& settings, const Globals& g) {
    auto file = load(args.files.front(), g);
    if (!file) return std::nullopt;
    Games games;
    if (args.files.size() == 2) {
        auto other = load(args.files[1], g);
        if (!other) return std::nullopt;
        games.first = std::move(*file);
        const std::size_t index = games.first.sources.size();
        games.first.sources.push_back(other->sources.front());
        games.second.path = other->path;
        static_cast<RulesFile&>(games.second) = read_rules(games.first.sources, index, other->path);
        games.second.sources = games.first.sources;
        games.a = {games.first.sources.front().name(), of_file(settings, games.first, &games.second), {}};
        games.b = {games.first.sources[index].name(), of_file(settings, games.second, &games.first), {}};
    } else if (!settings.empty()) {
        games.first = *file;
        games.second = std::move(*file);
        games.a = {args.files.front(), {}, {}};
        games.b = {args.files.front(), settings, {}};
    } else if (file->base) {
        games.first = base_of(*file);
        games.second = std::move(*file);
        games.a = {games.first.sources[1].name(), {}, {}};
        games.b = {args.files.front(), {}, {}};
    } else {
        err(say(g, Text::nothing_to_compare_with, args.files.front()));
        return std::nullopt;
    }
    games.a.range = playable_range(games.first.syntax);
    games.b.range = playable_range(games.second.syntax);
    return games;
}

// The numbers of players that both allow, of those that were asked for; empty, with a message, when there are none.
std::vector<int> numbers_of_players(const DiffArgs& args, const Games& games, const Globals& g) {
    PlayerRange range{std::max(games.a.range.low, games.b.range.low), std::min(games.a.range.high, games.b.range.high)};
    if (!args.players.empty()) {
        const auto asked = read_players(args.players, g);
        if (!asked) return {};
        range = {std::max(range.low, asked->low), std::min(range.high, asked->high)};
    }
    std::vector<int> numbers;
    for (int n = std::max(1, range.low); n <= range.high; ++n) numbers.push_back(n);
    if (numbers.empty()) {
        err(say(g, Text::no_common_player_count, games.a.file, games.a.range.low, games.a.range.high, games.b.file, games.b.range.low,
                games.b.range.high));
    }
    return numbers;
}

bool write_logs(const std::string& folder, const DiffReport& report, const Globals& g) {
    if (!make_folder(folder, g)) return false;
    for (const Compared& c : report.all) {
        if (!c.difference.parting) continue;
        const auto [first, second] = parting_logs(c);
        const auto path = [&](const char* side) {
            return (std::filesystem::path(folder) / fmt::format("{}-players-{}.log", c.players, side)).string();
        };
        if (!write_file(path("A"), first, g) || !write_file(path("B"), second, g)) return false;
    }
    return true;
}

int exit_of(const DiffReport& report) {
    if (report.interrupted) return exit_interrupted;
    const auto any = [&](auto is) {
        return std::any_of(report.all.begin(), report.all.end(), [&](const Compared& c) { return is(c.difference); });
    };
    if (any([](const Difference& d) { return d.parting.has_value(); })) return exit_found;
    return any([](const Difference& d) { return d.verdict == Verdict::unknown || (d.out_of_time && d.verdict != Verdict::proved_absent); })
               ? exit_undecided
               : exit_fine;
}

}  // namespace

int run_diff(const DiffArgs& args, const Globals& g) {
    Settings settings;
    if (!read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto games = load_games(args, settings, g);
    if (!games) return exit_cannot;
    const Diagnostics& wrong = has_errors(games->first.diagnostics) ? games->first.diagnostics : games->second.diagnostics;
    if (has_errors(wrong)) {
        machine_for(has_errors(games->first.diagnostics) ? games->first : games->second, 0, {}, g);  // says what is wrong
        return exit_cannot;
    }
    const std::vector<int> numbers = numbers_of_players(args, *games, g);
    if (numbers.empty()) return exit_cannot;
    DiffReport report{games->second.sources, games->a, games->b, {}, args.seed, false, g};
    for (const int n : numbers) {
        Compared c{n, machine_for(games->first, n, games->a.settings, g), machine_for(games->second, n, games->b.settings, g), {}};
        if (!c.first || !c.second) return exit_cannot;
        report.all.push_back(std::move(c));
    }
    Deadline until = Deadline::never(&stop());
    if (args.time_s) until = Deadline::in(std::chrono::milliseconds(static_cast<std::int64_t>(*args.time_s * 1e3)), &stop());
    watch_interrupts();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    for (Compared& c : report.all) {
        if (terminal) show_progress(say(g, Text::players_in_progress, c.players));
        c.difference =
            compare(c.first, c.second, {args.games, args.states, args.time_s ? no_work_limit : work_of_one, until, args.seed, {}});
    }
    if (terminal) show_progress("");
    report.interrupted = interrupted();
    if (!args.logs.empty() && !write_logs(args.logs, report, g)) return exit_cannot;
    out(args.json ? diff_json(report) : diff_text(report));
    return exit_of(report);
}

}  // namespace houserule::cli
