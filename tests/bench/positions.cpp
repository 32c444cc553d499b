#include "tests/bench/positions.hpp"

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace houserule::bench {

namespace fs = std::filesystem;

namespace {

Sources sources_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return {{path.string(), text.str()}};
}

}  // namespace

fs::path games_folder() { return fs::path(HOUSERULE_ROOT) / "games"; }

std::vector<fs::path> shipped_games() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(games_folder()))
        if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::shared_ptr<const Machine> machine_of(const fs::path& path, int players) {
    Diagnostics diagnostics;
    const Syntax syntax = parse(sources_of(path), 0, diagnostics);
    if (has_errors(diagnostics)) return nullptr;
    Game game = check(syntax, players, {}, diagnostics);
    return has_errors(diagnostics) ? nullptr : compile(std::move(game));
}

std::pair<int, int> player_counts(const fs::path& path) {
    Diagnostics diagnostics;
    const Syntax syntax = parse(sources_of(path), 0, diagnostics);
    const auto range = player_range(syntax);
    return {range.low, range.high};
}

View position(const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    const auto run = make_run(machine);
    Events events;
    const auto play = [&](std::uint64_t most) {
        Random random(seed);
        events.clear();
        run->record(&events);
        run->start();
        for (std::uint64_t n = 0;; ++n) {
            const Node& node = run->advance();
            if (n == most || node.kind == NodeKind::over || node.kind == NodeKind::failed) return n;
            run->apply(random_move(*run, random));
        }
    };
    const std::uint64_t answers = play(~std::uint64_t{0});
    Random pick(seed * 31 + 7);
    play(pick.below(answers + 1));
    return view_of(*machine, head_of(*machine, std::nullopt), events,
                   static_cast<int>(pick.below(static_cast<std::uint64_t>(machine->game.players))));
}

}  // namespace houserule::bench
