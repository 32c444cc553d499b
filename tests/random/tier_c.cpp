#include "tests/random/tier_c.hpp"

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/machine/machine.hpp"
#include "tests/random/commands.hpp"
#include "tests/random/promises/every_game.hpp"
#include "tests/random/promises/proofs.hpp"
#include "tests/random/promises/reached_states.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace houserule::random_games {

namespace {

constexpr std::size_t most_states = 20'000;
constexpr int random_games = 100;
constexpr std::uint64_t proof_work = 1'000'000;

// What `check` says against it, if anything.
struct Checked {
    Sources sources;
    Syntax syntax;
    std::optional<Judged> refused;
};

Checked checked(const std::string& text) {
    Checked c;
    c.sources.emplace_back("game.rules", text);
    Diagnostics found;
    c.syntax = parse(c.sources, 0, found);
    if (!has_errors(found)) found = check_all(c.syntax);
    tidy(found);
    std::erase_if(found, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    if (!found.empty())
        c.refused = {Verdict::refused, std::string(info(found.front().code).id), render(found, c.sources, {Language::en, false}), {}};
    return c;
}

// Of the first options and readings and of the last.
std::vector<std::shared_ptr<const Machine>> some_machines(const Syntax& syntax) {
    const std::vector<Variant> all = variants(syntax);
    std::vector<std::shared_ptr<const Machine>> machines;
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() - 1)) {
        Diagnostics ignored;
        machines.push_back(compile(check(syntax, all[i].players, all[i].settings, ignored)));
    }
    return machines;
}

std::optional<FalseProof> judge_proofs(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, Coverage& coverage) {
    const PlayedGames played = every_game(machine, most_states, random_games, seed);
    ++coverage[played.whole ? "games walked whole" : "games played at random"];
    if (auto wrong = false_proof(*machine, played, proof_work, coverage)) return wrong;
    return uncovered_state(*machine, seed, proof_work, coverage);
}

}  // namespace

Judged judge_promises_and_commands(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed) {
    const Checked c = checked(game.text);
    if (c.refused) return *c.refused;
    Judged result;
    std::vector<std::shared_ptr<const Machine>> machines = some_machines(c.syntax);
    for (const auto& machine : machines)
        if (too_large(*machine)) return {Verdict::refused, "too large", "", {}};
    for (const auto& machine : machines)
        if (const auto wrong = judge_proofs(machine, seed, result.coverage)) return {Verdict::wrong, wrong->what, wrong->detail, {}};
    if (const auto wrong = wrong_command(game, others, *machines.front(), seed, result.coverage))
        return {Verdict::wrong, wrong->what, wrong->detail, {}};
    return result;
}

}  // namespace houserule::random_games
