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
