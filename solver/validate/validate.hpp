// Searches the rules of a game for gaps, contradictions, play that cannot go on or never ends, and ambiguities.
//
// Every number of players is tried, up to three other values of each option and reading, and each option with each reading: games are
// played at random (random_testing.hpp), small game trees walked completely, readings compared (solver/compare), promises proved
// (solver/prove), examples checked, and what the text leaves open is listed. A finding that was seen in a game carries that game as its
// witness, which has been replayed. It never claims more than was shown: `Finding::verdict`.
#pragma once

#include "dsl/variant/house_rule.hpp"
#include "dsl/variant/variant.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/findings/doubts.hpp"
#include "solver/findings/finding.hpp"
#include "solver/terms/deadline.hpp"
#include "solver/validate/tasks.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace houserule {

// Plays `games` games of players who deduce, or as many as so much work allows, and returns each as its list of answers. Deterministic;
// called from any thread.
using ThinkingGames = std::function<std::vector<std::vector<std::uint64_t>>(const std::shared_ptr<const Machine>& machine,
                                                                            std::uint64_t games, std::uint64_t work)>;

struct ValidateLimits {
    std::uint64_t games = 4'000;              // for each number of players; a quarter under other options and readings
    std::uint64_t work = 30 * work_a_second;  // about how many steps in all, shared out in advance, so that every computer finds the same
    std::uint64_t proof_work = 20 * work_a_second;  // of these, at most this many for the proofs about one number of players
    std::optional<std::uint64_t> milliseconds;      // in all, if time is limited too
    int low = 0;                                    // numbers of players, low .. high; 0: as the file says
    int high = 0;
    std::uint64_t seed = 1;
    unsigned threads = 2;
    std::set<FindingClass> only;  // empty: all
    Settings settings;            // options and readings to begin from
    bool proofs = true;           // prove promises with Z3
    bool others = true;           // also play games under other options and readings
    bool blind = false;           // as if the file had no `assume`, `unclear`, `accept`, and no readings but those that are chosen
    const Stop* stop = nullptr;   // asked from any thread; ends the search with what is known
    ThinkingGames thinking;       // without a limit of time, the heaviest doubts are ranked by such games as well
};

// Work that was planned and not done, or not finished.
struct NotLookedAt {
    std::string what;  // `games`, `questions`, `reading`, `order`, `scope`, `lead`, `promises`
    std::string name;  // of the reading or rule, if it is about one
    int players = 0;
    Settings settings;
    bool begun = false;  // it was looked at, but not as far as planned
};

struct Validation {
    std::vector<Finding> findings;  // the gravest first, then in the order of the text
    std::vector<Finding> passed;    // what was proved absent, or searched for and not found
    std::vector<Sentence> limits;   // what was not finished, and why
    bool cut_off = false;           // a limit was reached, or it was stopped
    bool cut_by_time = false;       // it was the clock, or somebody stopped it: another run may find more
    std::vector<NotLookedAt> not_looked_at;
    std::vector<Doubt> doubts;  // the findings that are not accepted, joined; the heaviest first
};

struct ValidateProgress {
    Sentence doing;
    std::size_t done = 0;
    std::size_t of = 0;
};

// The file must check without errors. `progress` is called in the caller's thread.
Validation validate(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress = {});

// One share of the tasks. For the same rules and limits, and without a limit of time, the results of all shares make the same validation.
TaskResults validate_share(const Syntax& syntax, const ValidateLimits& limits, ShareOfTasks share,
                           const std::function<void(const ValidateProgress&)>& progress = {});
// Joins the shares; tasks that are missing from `known` are done here.
Validation validate_joined(const Syntax& syntax, const ValidateLimits& limits, TaskResults known,
                           const std::function<void(const ValidateProgress&)>& progress = {});

}  // namespace houserule
