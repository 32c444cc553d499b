// Small operations that compiled games call by name. They include this text: it may use nothing of ours but mask.hpp.
#pragma once

#include "interpreter/engine/mask.hpp"

#include <cstdint>

namespace houserule::compiled {

inline constexpr int unset = -2147483647 - 1;

inline int distance(int a, int b) { return a < b ? b - a : a - b; }
inline int larger(int a, int b) { return a < b ? b : a; }
inline int smaller(int a, int b) { return b < a ? b : a; }
// 0 <= result < b, for b > 0.
inline int remainder(int a, int b) {
    const int r = a % b;
    return r < 0 ? r + b : r;
}
inline int quotient(int a, int b) { return (a - remainder(a, b)) / b; }
// Adds these, or nothing, without a branch: whether a card fits is often random.
template <int W>
void add_if(Mask<W>& to, const Mask<W>& what, bool fits) {
    for (int i = 0; i < W; ++i) to.w[i] |= what.w[i] & (std::uint64_t{0} - std::uint64_t{fits});
}
// Of those so far the ones with the largest, or smallest, value, which comes after this one: without a branch. At first `value` is the
// worst there is.
template <bool most, int W>
void keep_best(Mask<W>& best, int& value, const Mask<W>& what, int its) {
    const bool better = most ? its > value : its < value;
    const bool fits = better || its == value;
    for (int i = 0; i < W; ++i)
        best.w[i] = (best.w[i] & (std::uint64_t{better} - 1)) | (what.w[i] & (std::uint64_t{0} - std::uint64_t{fits}));
    value = better ? its : value;
}
inline constexpr int worst_of_most = -2147483647 - 1;
inline constexpr int worst_of_least = 2147483647;
// A table of numbers, of which one stands for a broken promise; other numbers that have no room break it as well.
inline constexpr int broken_cell = -32768;
template <int N>
struct Cells {
    std::int16_t v[N] = {};
};
inline std::int16_t cell_of(int value) { return static_cast<std::int16_t>(value < broken_cell || value > 32767 ? broken_cell : value); }
// A table of sets of cards: those that fit, and those of which a promise breaks.
template <int W>
struct Fitting {
    Mask<W> fit, broken;
    void take(int card, int value) {
        if (value == unset) broken.add(card);
        if (value != unset && value != 0) fit.add(card);
    }
};
template <int W, int N>
struct FittingCards {
    Fitting<W> v[N];
};
// The n-th member; HOUSERULE_PDEP says that the processor has an instruction for it and is quick at it.
template <int W>
int nth(const Mask<W>& mask, int n) {
#ifdef HOUSERULE_PDEP
    for (int i = 0; i < W; ++i) {
        const int here = W == 1 ? 64 : __builtin_popcountll(mask.w[i]);
        if (n < here) return i * 64 + __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << n, mask.w[i]));
        n -= here;
    }
    return -1;
#else
    return mask.nth(n);
#endif
}
// The next player among these, round the table from `p` on, which comes last.
template <int W>
int next_in(int p, const Mask<W>& among, bool clockwise, int players) {
    for (int i = 1; i <= players; ++i) {
        const int q = clockwise ? (p + i) % players : (p - i + players) % players;
        if (among.has(q)) return q;
    }
    return p;
}

}  // namespace houserule::compiled
