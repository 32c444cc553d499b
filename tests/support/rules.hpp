// The rules files of the project, as the property tests take them: read, checked and compiled, for every variant.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/run/run.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace houserule::testing {

// Every rules file of games/, tests/language/ and examples/, in the order of their paths.
std::vector<std::filesystem::path> rules_files();
std::filesystem::path rules_file(const std::string& name);  // `kuhn`

struct Rules : cli::RulesFile {
    std::string name;
    Sources sources;  // the file, then what it changes, if it is a house rule
};
// `texts`: of the file and of what it changes, the game itself last.
Rules parse_rules(std::string name, const std::vector<std::string>& texts);
// As the program reads it.
Rules read_rules(const std::filesystem::path& path);
// What was found when it was read and when it is checked, as `check` lists it.
Diagnostics all_diagnostics(const Rules& rules);

// `kuhn, 3 players, prizes = up`
std::string variant_name(const Rules& rules, const Variant& variant);

// The machine of a variant; diagnostics are Catch failures.
std::shared_ptr<const Machine> machine_of(const Rules& rules, const Variant& variant);

// Whether a reading keeps the rules as they are printed, which somebody had to mend: then promises may break.
bool as_printed(const Machine& machine);

// Every number of players with the defaults, then each other value of an option; of long ranges of numbers, the two lowest and the
// highest.
std::vector<Variant> tested_variants(const Syntax& syntax);

// Every file and these variants in turn: f(name of the variant, its machine).
void each_machine(const std::function<void(const std::string&, const std::shared_ptr<const Machine>&)>& f);

// A seed that differs from name to name, the same in each run.
std::uint64_t seed_of(const std::string& name);

// What went wrong and where, for a run that failed.
std::string failure_text(const Run& run);

// A random game that gives up after `limit` nodes; true when it came to its end. `visit` sees each node before its move is made.
inline constexpr std::uint64_t node_limit = 200'000;
bool play_through(Run& run, Random& random, const std::function<void(const Node&)>& visit = {});

// What happens in a game at random that is left after so many answers, or when it is over. The run waits there.
Events played_at_random(Run& run, std::uint64_t seed, std::uint64_t answers);

}  // namespace houserule::testing
