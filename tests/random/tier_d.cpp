#include "tests/random/tier_d.hpp"

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/compiled/compiler.hpp"
#include "tests/support/compiled_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace houserule::random_games {

namespace {

constexpr std::uint64_t games_a_machine = 12;

// The machines of the first options and readings and of the last.
std::vector<std::shared_ptr<const Machine>> some_machines_of(const std::string& text) {
    Sources sources;
    sources.emplace_back("game.rules", text);
    Diagnostics found;
    const Syntax syntax = parse(sources, 0, found);
    const auto refuse = [&] {
        std::erase_if(found, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
        if (!found.empty())
            throw Stop{Verdict::refused, std::string(info(found.front().code).id), render(found, sources, {Language::en, false})};
    };
    refuse();
    const std::vector<Variant> all = variants(syntax);
    std::vector<std::shared_ptr<const Machine>> machines;
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() - 1)) {
        Game game = check(syntax, all[i].players, all[i].settings, found);
        refuse();
        machines.push_back(compile(std::move(game)));
        if (too_large(*machines.back())) throw Stop{Verdict::refused, "too large", ""};
    }
    return machines;
}

void judge_compiled_of(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed, Coverage& coverage) {
    const auto machines = some_machines_of(game.text);
    const Emitted emitted = emit(machines);
    if (emitted.text.empty()) throw Stop{Verdict::wrong, "not printed: " + emitted.unknown, ""};
    if (emit(some_machines_of(others.text)).text != emitted.text) throw Stop{Verdict::wrong, "names in the text", others.text};
    CompilerSetting setting;
    setting.command = compiler_setting().command;
    setting.flags = {"-O0"};
    if (setting.command.empty()) throw Stop{Verdict::wrong, "no compiler", ""};
    const Compiled compiled = compile(emitted, setting, nullptr);
    if (compiled.games.empty()) throw Stop{Verdict::wrong, "not compiled", compiled.detail};
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const testing::CompiledSides sides = testing::compare_sides(machines[i], compiled.games[i], games_a_machine, seed);
        if (!sides.difference.empty()) throw Stop{Verdict::wrong, "compiled", sides.difference};
        coverage["games compared"] += sides.games;
        coverage["rests of games compared"] += sides.rests;
        coverage["games handed back"] += sides.handed;
    }
}

}  // namespace

Judged judge_compiled(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed) {
    return judged_by([&](Coverage& coverage) { judge_compiled_of(game, others, seed, coverage); });
}

}  // namespace houserule::random_games
