// Questions about how games end: what brought the end about and is undone before it is over, other ends that come about while players still
// act, and what then lies where it could be won. For questions.cpp only.
#pragma once

#include "solver/leads/questions.hpp"

namespace houserule {

OpenQuestions questions_of_ends(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings,
                                const QuestionLimits& limits);

}  // namespace houserule
