// Random testing: plays many games of one machine to find faults in its rules.
//
// Some games are played at random, as the rules say that games are simulated: they show how often something comes up. The others are
// biased: nobody volunteers, everybody volunteers, or moves are preferred that lead where no game has been (coverage guidance). The points
// of a watched machine (interpreter/machine/watch.hpp) show whether several cases or ends hold at once, and where each would lead; whether
// a round passes in which nothing runs down or nobody is asked; whether an end held and was over when it was checked. Each observation
// (`Observation`) keeps the shortest game that reached it, as answers of the plain machine. Nothing here knows a game.
#pragma once

#include "interpreter/machine/watch.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/finding.hpp"
#include "solver/terms/deadline.hpp"

#include <map>
#include <memory>
#include <vector>

namespace houserule {

enum class ObservationKind : std::uint8_t {
    broken,   // a promise broke
    cases,    // two arms of `cases` hold, and their results differ
    ends,     // two ends hold, and their results differ
    late,     // an end (or `until`) held at some point, but no longer when it was checked
    idle,     // a round in which nobody was asked and nothing changed
    circle,   // a round without progress: as many cards at each place as before, and equal facts (see ProgressMeasure)
    unmoved,  // a round that changed nothing the loop's end depends on
    bound,    // a loop made as many rounds as it may
    waited,   // an end held, somebody was asked something nevertheless, and it still held when it was checked
    stuck,    // a set of states that play cannot leave unless somebody volunteers, none of them an end
    early,    // the game was over in the first round, although nobody volunteered
};

struct Observation {
    ObservationKind kind = ObservationKind::broken;
    StepId step = no_id;         // of the watched machine: the watch point, or the step at which the promise broke
    std::int32_t first = no_id;  // cases, ends: indices into the point's choices; early: the end
    std::int32_t second = no_id;
    Failure failure;                   // broken: what, and where
    std::uint64_t games = 0;           // random games in which it was seen; 0: only biased games reached it
    std::vector<std::uint64_t> moves;  // the shortest game that reached it
    std::size_t decisions = 0;         // the answers of players among them
    OutcomeText one;                   // cases, ends: the two results, as far as they differ
    OutcomeText other;
    std::size_t states = 0;  // stuck: the number of states
    bool offered = false;    // stuck: in some of them somebody may volunteer
};

struct TestLimits {
    std::uint64_t games = 2'000;
    std::uint64_t work = no_work_limit;  // of all games, see Run::work
    Deadline until;
    std::size_t moves = 20'000;   // in one game
    std::size_t states = 20'000;  // walked for `stuck`
    std::size_t far = 128;        // size of `TestedGames::far`
    std::uint64_t seed = 1;
    std::optional<Span> unsaid_limit{};  // of a loop: see limit_that_no_text_says
    // If there are any: these games are played, as answers of the plain machine, and count as random ones; no others are.
    std::vector<std::vector<std::uint64_t>> along;
};

struct TestedGames {
    std::uint64_t games = 0;   // in all
    std::uint64_t random = 0;  // random games, not biased ones
    std::uint64_t over = 0;    // random games that came to an end
    bool cut_off = false;      // time or work ran out
    bool out_of_work = false;  // it was work
    double rounds = 0;         // of the outermost loop of play, on average over games in which nobody volunteered
    std::vector<Observation> observations;
    std::vector<std::vector<std::uint64_t>> far;  // coverage-guided games that reached rare states, the latest of them
    Store<StepId, std::uint8_t> reached;
    std::map<EndId, std::uint64_t> ends;     // random games, by how they ended
    Store<ZoneId, std::uint8_t> left;        // by zone: something lay there when a game was over
    Store<ExpressionId, std::uint8_t> held;  // by condition of an end: it held when ends were checked, first or not
    Store<StepId, std::uint8_t> asked;       // by step: a choice there had two or more possibilities
    Seats deciders = 0;                      // the players who had a choice, or could act
    Store<FamilyId, std::uint8_t> came;      // by family: a piece of it lay in a zone when play began or a game was over
    std::vector<std::int32_t> stays;         // by place: the pieces there when play began and ended, if the same in all games; else 0
    std::map<StatementId, std::pair<std::int32_t, std::int32_t>>
        times;            // by loop: the smallest and the largest number of rounds after which its `until` held
    bool uneven = false;  // some players had more pieces than others when play began
};

TestedGames test_at_random(const Watched& watched, const TestLimits& limits);

}  // namespace houserule
