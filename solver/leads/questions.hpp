// Questions that games raise though no text answers them, and that no other reading of a place would show: what is told by what somebody
// says, or does not say; what is settled at the table, and by whom; who wins when several are in front; cards that do not go round evenly;
// what is chosen at once, or one after another; what may be looked at, or talked about; which cards there are.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/stop.hpp"
#include "solver/findings/finding.hpp"

#include <memory>
#include <vector>

namespace houserule {

struct QuestionLimits {
    std::uint64_t games = 200;
    std::uint64_t work = 0;  // of all games, see Run::work
    std::uint64_t seed = 1;
    const Stop* stop = nullptr;
};

struct OpenQuestions {
    std::vector<Finding> findings;
    bool cut_off = false;  // fewer games than wanted: the limit of work was reached
};

// Each with the shortest of the random games that came to it, unless it is about the table as a whole. `settings`: those of the machine.
OpenQuestions open_questions(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings,
                             const QuestionLimits& limits);

}  // namespace houserule
