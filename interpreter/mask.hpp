// A set of up to 64 * W small numbers: pieces, kinds, values of an enum, players.
#pragma once

#include <bit>
#include <cstdint>

namespace houserule {

template <int W>
struct Mask {
    std::uint64_t w[W] = {};

    // How many bits are set: in line, as the plain x86-64 has no instruction for it and would call a function.
    static int bits(std::uint64_t v) {
        v -= v >> 1 & 0x5555555555555555ULL;
        v = (v & 0x3333333333333333ULL) + (v >> 2 & 0x3333333333333333ULL);
        return static_cast<int>(((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
    }
    static Mask bit(int i) {
        Mask m;
        m.w[W == 1 ? 0 : i >> 6] = std::uint64_t{1} << (i & 63);
        return m;
    }
    bool has(int i) const { return (w[W == 1 ? 0 : i >> 6] >> (i & 63) & 1) != 0; }
    void add(int i) { w[W == 1 ? 0 : i >> 6] |= std::uint64_t{1} << (i & 63); }
    void remove(int i) { w[W == 1 ? 0 : i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
    bool empty() const {
        std::uint64_t any = 0;
        for (int i = 0; i < W; ++i) any |= w[i];
        return any == 0;
    }
    bool single() const {
        if constexpr (W == 1) return w[0] != 0 && (w[0] & (w[0] - 1)) == 0;
        return size() == 1;
    }
    int size() const {
        int n = 0;
        for (int i = 0; i < W; ++i) n += bits(w[i]);
        return n;
    }
    // The lowest member; there must be one.
    int lowest() const {
        if constexpr (W == 1) return std::countr_zero(w[0]);
        for (int i = 0; i < W; ++i)
            if (w[i] != 0) return i * 64 + std::countr_zero(w[i]);
        return -1;
    }
    // The n-th member, counted from 0; n must be below size().
    int nth(int n) const {
        for (int i = 0; i < W; ++i) {
            const int here = W == 1 ? 64 : bits(w[i]);
            if (n >= here) {
                n -= here;
                continue;
            }
            std::uint64_t rest = w[i];
            for (; n > 0; --n) rest &= rest - 1;
            return i * 64 + std::countr_zero(rest);
        }
        return -1;
    }
    // Takes the lowest member out and gives it.
    int pop() {
        const int i = lowest();
        remove(i);
        return i;
    }

    friend Mask operator&(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.w[i] &= b.w[i];
        return a;
    }
    friend Mask operator|(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.w[i] |= b.w[i];
        return a;
    }
    // Without the members of `b`.
    friend Mask operator-(Mask a, const Mask& b) {
        for (int i = 0; i < W; ++i) a.w[i] &= ~b.w[i];
        return a;
    }
    friend bool operator==(const Mask&, const Mask&) = default;
};

}  // namespace houserule
