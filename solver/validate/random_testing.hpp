// Many games of one machine, played to find what is wrong with its rules.
//
// Some are played at random, as the rules say that games are simulated: they tell how often something comes up. The others lean: to
// nobody volunteering, to everybody volunteering, to whatever leads where no game has been. At the points of a watched machine
// (interpreter/watch.hpp) it is seen whether several cases or ends hold at once, and what each would lead to; whether rounds go by in
// which nothing runs down or nobody is asked; whether an end held and was gone when it was checked. Each sight keeps the shortest game
// that came to it, as answers that the plain machine takes as well. Nothing here knows a game.
#pragma once

#include "interpreter/machine/watch.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/finding.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace houserule {

enum class SightKind : std::uint8_t {
    broken,   // a promise broke
    cases,    // two arms of `cases` hold, and lead to different things
    ends,     // two ends hold, and what they lead to differs
    late,     // an end (or `until`) held in between, and no longer when it was checked
    idle,     // a round in which nobody was asked and nothing changed
    circle,   // after a round nothing has run down: what lies where is as many as before, facts are as before
    unmoved,  // after a round nothing that the loop's end reads has changed
    bound,    // a loop went round as often as it may
    waited,   // an end held, somebody was asked something all the same, and it still held when it was checked
    stuck,    // unless somebody volunteers, no play leaves a set of states, none of them an end
    early,    // over in the first round, though nobody volunteered for anything
};

struct Sight {
    SightKind kind = SightKind::broken;
    StepId step = no_id;         // of the watched machine: the point, or where the promise broke
    std::int32_t first = no_id;  // cases, ends: indices into the point's choices; early: the end
    std::int32_t second = no_id;
    Failure failure;                   // broken: what, and where
    std::uint64_t games = 0;           // of those played at random; 0: it was met only in games that leaned
    std::vector<std::uint64_t> moves;  // the shortest game that came to it
    std::size_t decisions = 0;         // answers of players in it
    OutcomeText one;                   // what each leads to, as far as it differs
    OutcomeText other;
    std::size_t states = 0;  // stuck: how many there are
};

struct SurveyLimits {
    std::uint64_t games = 2'000;
    std::uint64_t milliseconds = 2'000;
    std::size_t moves = 20'000;   // of one game
    std::size_t states = 20'000;  // walked to see whether play can leave them
    std::size_t far = 128;        // games that are kept for others to follow
    std::uint64_t seed = 1;
};

struct Surveyed {
    std::uint64_t games = 0;   // in all
    std::uint64_t random = 0;  // of them at random
    std::uint64_t over = 0;    // random games that came to an end
    bool cut_off = false;      // by time
    double rounds = 0;         // of the outermost loop of play, on average over games in which nobody volunteered
    std::vector<Sight> sights;
    std::vector<std::vector<std::uint64_t>> far;  // games that lead where few have been: the last ones that leaned so
    Store<StepId, std::uint8_t> reached;
    std::map<EndId, std::uint64_t> ends;     // random games, by how they ended
    Store<ZoneId, std::uint8_t> left;        // something lay there when a game was over
    Store<ExpressionId, std::uint8_t> held;  // a condition of an end that was checked and held, whether or not it came first
    Store<StepId, std::uint8_t> asked;       // a choice with two or more possibilities
    Store<FamilyId, std::uint8_t> came;      // a piece of it lay somewhere when play began or a game was over
    std::vector<std::int32_t> stays;         // by place: so many pieces lay there when play began and when it was over, in each game; or 0
    std::map<StatementId, std::pair<std::int32_t, std::int32_t>>
        times;            // by loop: the fewest and the most rounds after which its `until` held
    bool uneven = false;  // some players had more pieces than others when play began
};

Surveyed survey(const Watched& watched, const SurveyLimits& limits, const std::function<bool()>& stop = {});

}  // namespace houserule
