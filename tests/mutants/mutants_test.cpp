// Faults put into correct games one by one (tests/mutants/mutants.hpp): is an author told of them?
//
// A mutant that no longer checks is none: it cannot be overlooked. One that behaves as the game does (differ), and whose zones and
// facts the same players see, is none either; nor is a fact that has another value only while nothing comes of it. Each of the
// others is told by what `check` says that it does not say of the game, by an example of the file that fails, or by a finding of
// `validate` that the game itself does not have, for the fewest players or for one number more.
//
// It takes a while, and can be broken off: what is known is kept, a line a mutant, and is not looked at again by the same program with
// the same rules. HOUSERULE_MUTANTS names the file (else it lies beside the program), HOUSERULE_MUTANTS_GAMES the games, with blanks
// between.
#include "tests/mutants/mutants.hpp"
#include "dsl/text/hash.hpp"
#include "solver/compare/differ.hpp"
#include "solver/validate/validate.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

using namespace houserule;
using namespace houserule::testing;

namespace {

namespace fs = std::filesystem;

constexpr int mutants_wanted = 200;

// How a mutant came out.
enum class Fate { refused, same, missed, example, checked, found };  // `checked`, `found`: by check or validate, examples or not

constexpr std::pair<Fate, const char*> fate_names[] = {{Fate::refused, "refused"}, {Fate::same, "same"},       {Fate::missed, "missed"},
                                                       {Fate::example, "example"}, {Fate::checked, "checked"}, {Fate::found, "found"}};

std::string name_of(Fate fate) {
    return std::find_if(std::begin(fate_names), std::end(fate_names), [&](const auto& f) { return f.first == fate; })->second;
}
std::optional<Fate> fate_of(const std::string& name) {
    const auto* f = std::find_if(std::begin(fate_names), std::end(fate_names), [&](const auto& n) { return name == n.second; });
    if (f == std::end(fate_names)) return std::nullopt;
    return f->first;
}

struct Known {
    Fate fate = Fate::missed;
    std::string by;  // what told of it
    std::uint64_t milliseconds = 0;
};

// ---- what is known from runs before

std::string digest_of(const std::string& text) { return fmt::format("{:016x}", fnv1a(text)); }

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A line a mutant: the digest of rules and program, what it is, how it came out, what told of it, how long it took; tabs between.
class Journal {
public:
    explicit Journal(fs::path path) : path_(std::move(path)) {
        std::istringstream lines(contents(path_));
        for (std::string line; std::getline(lines, line);) {
            std::vector<std::string> parts;
            std::istringstream fields(line);
            for (std::string part; std::getline(fields, part, '\t');) parts.push_back(part);
            if (parts.size() != 5) continue;
            if (const auto fate = fate_of(parts[2]))
                known_[parts[0] + '\t' + parts[1]] = {*fate, parts[3], std::strtoull(parts[4].c_str(), nullptr, 10)};
        }
    }
    const Known* find(const std::string& key) const {
        const auto at = known_.find(key);
        return at == known_.end() ? nullptr : &at->second;
    }
    // Written aside and renamed: whenever it breaks off, the file is whole.
    void add(const std::string& key, const Known& known) {
        known_[key] = known;
        const fs::path aside = path_.string() + ".aside";
        std::ofstream file(aside, std::ios::binary);
        for (const auto& [k, v] : known_)
            file << k << '\t' << name_of(v.fate) << '\t' << (v.by.empty() ? "-" : v.by) << '\t' << v.milliseconds << '\n';
        file.close();
        REQUIRE(file.good());
        fs::rename(aside, path_);
    }

private:
    fs::path path_;
    std::map<std::string, Known> known_;
};

// ---- what is said of some rules

using Said = std::set<std::string>;

Said checked(const Diagnostics& all) {
    Said said;
    for (const Diagnostic& d : all) {
        if (d.code == Code::not_translated) continue;
        std::string what(info(d.code).id);
        for (const Phrase& a : d.arguments) what += " " + a.in(Language::en);
        said.insert(what);
    }
    return said;
}

Said validated(const Syntax& syntax, int players, std::uint64_t seed) {
    using enum FindingClass;
    ValidateLimits limits;
    limits.games = 480;
    limits.low = limits.high = players;
    limits.seed = seed;
    limits.threads = 1;
    limits.others = false;
    limits.proofs = false;
    limits.only = {gap,   void_duty, unresolved, conflict, end_race, order, window,    endless,
                   stall, dead,      masked,     chooser,  view,     count, degenerate};
    Said said;
    for (const Finding& f : validate(syntax, limits).findings)
        said.insert(fmt::format("{} {}: {}", class_name(f.what), f.rule, f.title.in(Language::en)));
    return said;
}

bool an_example_fails(const Syntax& syntax) {
    ValidateLimits limits;
    limits.only = {FindingClass::example};
    const std::vector<Finding> findings = validate(syntax, limits).findings;
    return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.gravity == Gravity::error; });
}

bool same_seers(const Game& a, const Game& b) {
    const auto alike = [](const auto& x, const auto& y) { return x.seers == y.seers; };
    return std::equal(a.zones.begin(), a.zones.end(), b.zones.begin(), b.zones.end(), alike) &&
           std::equal(a.facts.begin(), a.facts.end(), b.facts.begin(), b.facts.end(), alike);
}

// A fact that begins otherwise, or lasts longer, is a fault if something comes of it: of itself it is not compared, by another name.
Game without_value_alone(const Game& original, Game mutant) {
    for (std::size_t f = 0; f < std::min(original.facts.size(), mutant.facts.size()); ++f) {
        const Fact& before = original.facts[f];
        Fact& now = mutant.facts[f];
        if ((before.initial == no_id) != (now.initial == no_id) || before.lasts != now.lasts) now.name += " of the mutant";
    }
    return mutant;
}

// ---- one game and its mutants

class Original {
public:
    explicit Original(const Rules& rules) : rules_(rules), checked_(checked(check_all(rules.syntax))) {
        const PlayerRange range = player_range(rules.syntax);
        players_ = {range.low};
        if (range.high > range.low) players_.push_back(std::min(range.high, range.low + 2));
    }

    Known look_at(const Mutant& mutant) {
        const Diagnostics diagnostics = check_all(mutant.syntax);
        if (has_errors(diagnostics)) return {Fate::refused, "", 0};
        std::vector<int> otherwise;  // with how many players it behaves otherwise
        for (const int n : players_)
            if (differs(mutant.syntax, n)) otherwise.push_back(n);
        if (otherwise.empty()) return {Fate::same, "", 0};
        for (const std::string& said : checked(diagnostics))
            if (!checked_.contains(said)) return {Fate::checked, said, 0};
        for (const int n : otherwise)
            for (const std::string& said : validated(mutant.syntax, n, 1))
                if (!validated_of(n).contains(said)) return {Fate::found, said, 0};
        return {an_example_fails(mutant.syntax) ? Fate::example : Fate::missed, "", 0};
    }

private:
    static Game game(const Syntax& syntax, int players) {
        Diagnostics ignored;
        return check(syntax, players, {}, ignored);
    }
    const std::shared_ptr<const Machine>& machine(int players) {
        auto& m = machines_[players];
        if (!m) m = compile(game(rules_.syntax, players));
        return m;
    }
    bool differs(const Syntax& syntax, int players) {
        DifferLimits limits;
        limits.games = 400;
        limits.states = 3'000;
        const auto& first = machine(players);
        const auto second = compile(without_value_alone(first->game, game(syntax, players)));
        return !same_seers(first->game, second->game) || compare(first, second, limits).verdict == Verdict::found;
    }
    // With three seeds: what the game itself is told of only now and then tells nothing of a mutant.
    const Said& validated_of(int players) {
        const auto [at, added] = validated_.try_emplace(players);
        for (std::uint64_t seed = 1; added && seed <= 3; ++seed) at->second.merge(validated(rules_.syntax, players, seed));
        return at->second;
    }

    const Rules& rules_;
    Said checked_;
    std::vector<int> players_;
    std::map<int, std::shared_ptr<const Machine>> machines_;
    std::map<int, Said> validated_;
};

// ---- the report

struct Count {
    std::map<Fate, int> of;
    int count(Fate fate) const { return of.contains(fate) ? of.at(fate) : 0; }
    int alone() const { return count(Fate::checked) + count(Fate::found); }
    int told() const { return alone() + count(Fate::example); }
    int all() const { return told() + count(Fate::missed); }
};

std::string table(const std::string& what, const std::map<std::string, Count>& rows) {
    std::string text = fmt::format(
        "| {} | mutants | by check | by validate | by an example only | not told | behave as before | refused "
        "|\n|---|---|---|---|---|---|---|---|\n",
        what);
    for (const auto& [name, t] : rows)
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, t.all(), t.count(Fate::checked), t.count(Fate::found),
                            t.count(Fate::example), t.count(Fate::missed), t.count(Fate::same), t.count(Fate::refused));
    return text;
}

std::vector<std::string> games() {
    std::istringstream names(
        "agram cheat cogito crazy_eights cuckoo euchre go_fish goofspiel hearts jiji kuhn leduc majika_mini nekokan nekokan_orders "
        "old_maid orchard thirty_one whist");
    if (const char* some = std::getenv("HOUSERULE_MUTANTS_GAMES")) names.str(some);
    return {std::istream_iterator<std::string>(names), {}};
}

}  // namespace

TEST_CASE("every kind of fault can be put into some game", "[mutants]") {
    std::set<std::string> faults;
    for (const std::string& name : games())
        for (const Mutant& mutant : mutants(read_rules(rules_file(name)).syntax)) faults.insert(mutant.fault);
    const std::set<std::string> all{"a case is missing",
                                    "a step is forgotten",
                                    "an end is not checked there",
                                    "cases overlap",
                                    "ends in another order",
                                    "may for must",
                                    "must for may",
                                    "never reset",
                                    "no `if none`",
                                    "no `if short`",
                                    "no `otherwise`",
                                    "no `seen by`",
                                    "no `until`",
                                    "no capacity",
                                    "no condition",
                                    "no direction",
                                    "no end",
                                    "no exception",
                                    "no start value",
                                    "no tie-break",
                                    "one card less",
                                    "one card more",
                                    "tie-break the other way round"};
    CHECK(faults == all);
}

TEST_CASE("what is known of mutants is kept from run to run", "[mutants]") {
    const fs::path path =
        fs::temp_directory_path() / fmt::format("houserule_mutants_{}.tsv", std::chrono::steady_clock::now().time_since_epoch().count());
    Journal(path).add("digest\tgame, line 3: no end (1)", {Fate::found, "dead end: The end never came", 12});
    Journal(path).add("digest\tgame, line 4: no end (1)", {Fate::missed, "", 7});
    const Journal again(path);
    const Known* found = again.find("digest\tgame, line 3: no end (1)");
    REQUIRE(found != nullptr);
    CHECK(found->fate == Fate::found);
    CHECK(found->by == "dead end: The end never came");
    CHECK(found->milliseconds == 12);
    REQUIRE(again.find("digest\tgame, line 4: no end (1)") != nullptr);
    CHECK(again.find("other digest\tgame, line 3: no end (1)") == nullptr);
    CHECK(!fs::exists(path.string() + ".aside"));
    fs::remove(path);
}

TEST_CASE("faults that are put into games are told", "[.long][mutants]") {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    const std::string program_digest = digest_of(contents(program));
    const char* named = std::getenv("HOUSERULE_MUTANTS");
    Journal journal(named != nullptr ? fs::path(named) : program.parent_path() / "mutants.tsv");

    Count total;
    std::map<std::string, Count> by_fault;
    std::map<std::string, Count> by_game;
    std::string survivors;
    std::uint64_t milliseconds = 0;
    for (const std::string& name : games()) {
        const Rules rules = read_rules(rules_file(name));
        const std::string digest = digest_of(program_digest + contents(rules_file(name)));
        Original original(rules);
        std::map<std::string, int> times;
        for (const Mutant& mutant : mutants(rules.syntax)) {
            const std::string what =
                fmt::format("{}, line {}: {}", name, rules.sources[mutant.span.source].line_of(mutant.span.begin), mutant.fault);
            const std::string key = fmt::format("{}\t{} ({})", digest, what, ++times[what]);
            Known known;
            if (const Known* before = journal.find(key)) {
                known = *before;
            } else {
                const auto begin = std::chrono::steady_clock::now();
                known = original.look_at(mutant);
                known.milliseconds = static_cast<std::uint64_t>(
                    std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count());
                journal.add(key, known);
            }
            ++total.of[known.fate];
            ++by_fault[mutant.fault].of[known.fate];
            ++by_game[name].of[known.fate];
            milliseconds += known.milliseconds;
            if (known.fate == Fate::missed) survivors += "  " + what + "\n";
        }
    }
    WARN(fmt::format(
        "{} of {} mutants told, {} of them by a failing example only; {} behave as before, {} no longer check; {} s\n{}\n{}\nnot told:\n{}",
        total.told(), total.all(), total.count(Fate::example), total.count(Fate::same), total.count(Fate::refused), milliseconds / 1000,
        table("fault", by_fault), table("game", by_game), survivors));
    if (std::getenv("HOUSERULE_MUTANTS_GAMES") != nullptr) return;
    CHECK(total.all() >= mutants_wanted);
    CHECK(total.alone() * 10 >= total.all() * 8);
    CHECK(total.told() * 100 >= total.all() * 87);
}
