// How often something is, of how often it could be: whole numbers divided as fractions.
#pragma once

namespace houserule {

// `part / whole`, not rounded down; `whole` is not 0.
template <class Part, class Whole>
constexpr double ratio(Part part, Whole whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace houserule
