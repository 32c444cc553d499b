#include "solver/terms/evaluator.hpp"

namespace houserule {

template class Evaluator<Terms>;

}  // namespace houserule
