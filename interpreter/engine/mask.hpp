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
        return ((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56;
    }
    // The n-th bit that is set, counted from 0, without a branch: n is often random.
    static int nth_bit(std::uint64_t v, int n) {
        const std::uint64_t pairs = v - (v >> 1 & 0x5555555555555555ULL);
        const std::uint64_t fours = (pairs & 0x3333333333333333ULL) + (pairs >> 2 & 0x3333333333333333ULL);
        const std::uint64_t bytes = (fours + (fours >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
        const std::uint64_t up_to = bytes * 0x0101010101010101ULL;  // in byte i: how many in bytes 0..i
        std::uint64_t rest = n;
        // In each byte whose sum is at most n, a bit: so many bytes lie below the one looked for.
        const std::uint64_t below = (((rest * 0x0101010101010101ULL) | 0x8080808080808080ULL) - up_to) & 0x8080808080808080ULL;
        int at = static_cast<int>((below >> 7) * 0x0101010101010101ULL >> 56) * 8;
        rest -= (up_to << 8) >> at & 0xff;
        std::uint64_t here = fours >> at & 15;
        std::uint64_t over = rest >= here ? 1 : 0;
        rest -= over * here;
        at += over * 4;
        here = pairs >> at & 3;
        over = rest >= here ? 1 : 0;
        rest -= over * here;
        at += over * 2;
        here = v >> at & 1;
        return at + static_cast<int>(rest >= here ? 1 : 0);
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
            return i * 64 + nth_bit(w[i], n);
        }
        return -1;
    }
    // Takes the lowest member out and gives it.
    int pop() {
        if constexpr (W > 1) {
            for (int i = 0; i < W - 1; ++i) {
                if (w[i] == 0) continue;
                const int at = std::countr_zero(w[i]);
                w[i] &= w[i] - 1;
                return i * 64 + at;
            }
        }
        const int at = std::countr_zero(w[W - 1]);
        w[W - 1] &= w[W - 1] - 1;
        return (W - 1) * 64 + at;
    }
    // Each member so much larger; what is then too large is gone.
    Mask up(int n) const {
        Mask m;
        const int words = n >> 6;
        const int by = n & 63;
        for (int i = W - 1; i >= words; --i) {
            m.w[i] = w[i - words] << by;
            if (W > 1 && by != 0 && i > words) m.w[i] |= w[i - words - 1] >> (64 - by);
        }
        return m;
    }
    // Each member smaller by one; 0 is gone.
    Mask down() const {
        Mask m;
        for (int i = 0; i < W; ++i) m.w[i] = w[i] >> 1 | (i + 1 < W ? w[i + 1] << 63 : 0);
        return m;
    }
    // 0 .. n-1, for n from 0 to 64 * W.
    static Mask below(int n) {
        Mask m;
        for (int i = 0; i < W; ++i) m.w[i] = n >= 64 * (i + 1) ? ~std::uint64_t{0} : n > 64 * i ? (std::uint64_t{1} << (n & 63)) - 1 : 0;
        return m;
    }
    // Calls f(member) for all, ascending.
    template <typename F>
    void each(F f) const {
        for (int i = 0; i < W; ++i)
            for (std::uint64_t rest = w[i]; rest != 0; rest &= rest - 1) f(i * 64 + std::countr_zero(rest));
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
