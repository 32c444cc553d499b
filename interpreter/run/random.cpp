#include "interpreter/run/random.hpp"

#include "dsl/text/hash.hpp"

namespace houserule {

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& s : s_) {
        seed += golden_step;
        s = splitmix(seed);
    }
}

}  // namespace houserule
