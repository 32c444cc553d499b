// The ratio of two whole numbers as a floating-point number, without casts at each use.
#pragma once

namespace houserule {

// `part / whole`, not rounded down; `whole` is not 0.
template <class Part, class Whole>
constexpr double ratio(Part part, Whole whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace houserule
