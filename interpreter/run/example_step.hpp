// A step of an example: a rule is run, and what the example says is chosen in it is what those who are asked answer.
#pragma once

#include "interpreter/run/laid_run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace houserule {

struct StepDone {
    enum What { done, failed, asks, misfit, left_over } what = done;
    std::size_t answered = 0;  // so many answers were given; the next one does not fit (misfit), or is to nothing (left over)
};

// Answers are taken in order by what asks a player, the table or chance. What leaves no choice needs none, and takes the next one only if
// it is that. A value where it is first asked whether somebody wants to choose at all also says that they do. Nobody acts in between.
StepDone do_step(LaidRun& run, const Example& example, std::size_t step);

// What can be answered where the run waits, as rules write it: so many at most, then `…`.
std::vector<std::string> possible_answers(const Run& run, std::uint64_t most);

}  // namespace houserule
