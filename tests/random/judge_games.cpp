#include "tests/random/judge_games.hpp"
#include "tests/random/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <vector>

namespace houserule::random_games {

namespace {

constexpr std::uint64_t shown_of_a_fault = 1;

// What was found so far.
struct Found {
    std::uint64_t games = 0;  // the next one
    Coverage coverage;
    std::map<std::string, std::uint64_t> faults;         // how often
    std::map<std::string, std::uint64_t> first;          // the first game that showed it
    std::map<std::string, std::uint64_t> refusals;       // what `check` said
    std::map<std::string, std::uint64_t> first_refused;  // the game
};

// The stream of game i depends on nothing but the seed and i.
std::uint64_t seed_of(const Plan& plan, std::uint64_t game) { return plan.seed * 1'000'000'007ULL + game; }

// ---- the state file ----------------------------------------------------------------------------------------------------------

std::string head_of(const Plan& plan) { return fmt::format("random games 2, tier {}, seed {}", plan.tier->name, plan.seed); }

void save(const Plan& plan, const Found& found) {
    if (plan.state.empty()) return;
    const std::string part = plan.state + ".part";
    std::ofstream out(part);
    out << head_of(plan) << "\ngames " << found.games << "\n";
    for (const auto& [what, n] : found.coverage) out << "covered " << n << " " << what << "\n";
    for (const auto& [what, n] : found.faults) out << "fault " << n << " " << found.first.at(what) << " " << what << "\n";
    for (const auto& [what, n] : found.refusals) out << "refused " << n << " " << found.first_refused.at(what) << " " << what << "\n";
    out.close();
    if (!out) throw std::runtime_error("cannot write " + part);
    std::filesystem::rename(part, plan.state);
}

Found load(const Plan& plan) {
    Found found;
    std::ifstream in(plan.state);
    std::string line;
    if (plan.state.empty() || !std::getline(in, line) || line != head_of(plan)) return found;
    std::string word;
    std::uint64_t n = 0;
    std::uint64_t first = 0;
    while (in >> word >> n) {
        if (word == "fault" || word == "refused") in >> first;
        std::getline(in >> std::ws, line);
        if (word == "covered") found.coverage[line] = n;
        if (word == "fault") found.faults[line] = n, found.first[line] = first;
        if (word == "refused") found.refusals[line] = n, found.first_refused[line] = first;
        if (word == "games") {
            found.games = n;
            in.seekg(-static_cast<std::streamoff>(line.size()) - 1, std::ios::cur);
        }
    }
    return found.games < plan.games ? found : Found{};  // what is done begins anew
}

// ---- what is printed ---------------------------------------------------------------------------------------------------------

void show_game(Choices choices, const Avoiding& avoiding) {
    const GeneratedGame game = generate(choices, avoiding);
    fmt::print("{}\n{}", game.text, game.house_rule.empty() ? "" : "---- house rule\n" + game.house_rule + "\n");
}

void show_fault(const Plan& plan, std::uint64_t game, const Judged& j) {
    const std::uint64_t seed = seed_of(plan, game);
    fmt::print("\n==== game {} of seed {}: {}\n", game, plan.seed, j.what);
    if (!plan.shrink || !plan.text.empty()) {
        fmt::print("{}\n", j.detail.substr(0, 4'000));
        return;
    }
    Choices all(seed);
    generate(all, plan.avoiding);
    const auto small = shrunk(*plan.tier, all.recorded(), j.what, plan.avoiding, seed);
    const Judged again = attempt(
        *plan.tier, [&] { return Choices(small); }, plan.avoiding, seed);
    fmt::print("{} choices of {}\n{}\n", small.size(), all.recorded().size(), again.detail.substr(0, 4'000));
    show_game(Choices(small), plan.avoiding);
}

// What must come up: every expression, and every statement wherever it may stand.
std::vector<std::string> expected() {
    std::vector<std::string> all;
    for (const std::string& name : Expressions::names()) all.push_back(name + ": read");
    // What leaves a rule stands in one; ends run no other end; rules, which may end the game, are called from `play` and from rules.
    static const std::set<std::string> of_rules{"stop in play",  "reading in play",  "stop in setup", "end in setup",
                                                "call in setup", "reading in setup", "stop in end",   "end in end",
                                                "call in end",   "offer in end",     "reading in end"};
    for (const char* where : {"play", "setup", "rule", "end"})
        for (const std::string& name : Statements::names(false)) {
            const std::string there = fmt::format("{} in {}", name, where);
            if (!of_rules.contains(there)) all.push_back("statement: " + there);
        }
    for (const char* where : {"act", "simultaneously"})
        for (const std::string& name : Statements::names(true)) all.push_back(fmt::format("statement: {} in {}", name, where));
#define HOUSERULE_OPERATOR(name, immediate) all.emplace_back("operator " #name);
#include "dsl/game/operators.def"
#undef HOUSERULE_OPERATOR
    return all;
}

void show_coverage(const Plan& plan, const Found& found) {
    const std::uint64_t floor = plan.floor != 0 ? plan.floor : std::max<std::uint64_t>(1, found.games * 300 / 200'000);
    const bool covers_all = plan.tier->covers_all && plan.text.empty();
    std::vector<std::string> below;
    fmt::print("\ncovered, {} of {} games accepted:\n", found.coverage.contains("games") ? found.coverage.at("games") : 0, found.games);
    for (const auto& [what, n] : found.coverage) {
        fmt::print("{:>10} {}\n", n, what);
        if (covers_all && n < floor) below.push_back(what);
    }
    for (const std::string& what : covers_all ? expected() : std::vector<std::string>{})
        if (!found.coverage.contains(what)) below.push_back(what + " (never)");
    fmt::print("\nbelow {}: {}\n", floor, below.size());
    for (const std::string& what : below) fmt::print("  {}\n", what);
}

void show_counts(const Found& found) {
    fmt::print("\nrefused by check:\n");
    for (const auto& [what, n] : found.refusals) fmt::print("{:>10} {} (game {})\n", n, what, found.first_refused.at(what));
    fmt::print("\nfaults:\n");
    for (const auto& [what, n] : found.faults) fmt::print("{:>10} {} (game {})\n", n, what, found.first.at(what));
}

Judged judged(const Plan& plan, std::uint64_t seed) {
    if (!plan.text.empty()) return attempt(*plan.tier, plan.text, seed);
    return attempt(
        *plan.tier, [&] { return Choices(seed); }, plan.avoiding, seed);
}

void judge_one(const Plan& plan, Found& found) {
    const std::uint64_t game = found.games++;
    const std::uint64_t seed = seed_of(plan, game);
    const Judged j = judged(plan, seed);
    if (j.verdict == Verdict::fine) {
        add(found.coverage, j.coverage);
        ++found.coverage["games"];
        return;
    }
    const bool wrong = j.verdict == Verdict::wrong;
    auto& counts = wrong ? found.faults : found.refusals;
    auto& first = wrong ? found.first : found.first_refused;
    if (++counts[j.what] <= shown_of_a_fault) {
        first[j.what] = game;
        if (wrong) show_fault(plan, game, j);
        std::fflush(stdout);
    }
}

int judge_only(const Plan& plan) {
    const std::uint64_t seed = seed_of(plan, *plan.only);
    if (plan.text.empty()) show_game(Choices(seed), plan.avoiding);
    const Judged j = judged(plan, seed);
    if (j.verdict == Verdict::wrong) show_fault(plan, *plan.only, j);
    if (j.verdict == Verdict::refused) fmt::print("{}\n{}\n", j.what, j.detail);
    return j.verdict == Verdict::wrong ? 1 : 0;
}

}  // namespace

void Plan::judge_by(const std::string& name) {
    tier = tier_named(name);
    if (tier == nullptr) throw std::invalid_argument("there is no tier " + name);
    avoiding.small = tier->small_games;
    avoiding.left_out = all_avoided().left_out;
    if (!tier->as_code) avoiding.left_out.erase(Avoid::sets_taken_apart);
}

void Plan::read(const std::string& file) {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
    if (text.empty()) throw std::invalid_argument("cannot read " + file);
}

void Plan::with(const std::string& avoided) {
    std::erase_if(avoiding.left_out, [&](Avoid a) { return avoided == "all" || name_of(a) == avoided; });
}

int judge_games(const Plan& plan) {
    if (plan.only) return judge_only(plan);
    Found found = load(plan);
    const auto begun = std::chrono::steady_clock::now();
    while (found.games < plan.games) {
        judge_one(plan, found);
        if (found.games % plan.tier->games_between_saves == 0) save(plan, found);
        if (plan.first && !found.faults.empty()) break;
        if (plan.seconds > 0 && std::chrono::steady_clock::now() - begun > std::chrono::seconds(plan.seconds)) break;
    }
    save(plan, found);
    show_coverage(plan, found);
    show_counts(found);
    const ProvedShare share = plan.tier->share == nullptr ? ProvedShare{} : plan.tier->share(found.coverage);
    fmt::print("\n{}{}{}{} of {} games, seed {}\n", share.text, share.enough ? "" : ": too few", share.text.empty() ? "" : "\n",
               found.games, plan.games, plan.seed);
    return found.faults.empty() && share.enough ? 0 : 1;
}

}  // namespace houserule::random_games
