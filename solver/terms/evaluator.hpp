// The meaning of the operators (dsl/meaning) over terms. It is compiled once, in evaluator.cpp.
#pragma once

#include "dsl/meaning/operators.hpp"
#include "solver/terms/terms.hpp"

namespace houserule {

extern template class Evaluator<Terms>;

}  // namespace houserule
