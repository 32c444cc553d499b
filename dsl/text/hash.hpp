// The hash functions of the project. Seeds of games, the hash of the rules in a log and the fingerprints of views are made with
// `splitmix` and `fnv1a`, so those two never change. `hash_with` is for tables in memory only.
#pragma once

#include <cstdint>
#include <string_view>

namespace houserule {

// 2^64 divided by the golden ratio: its multiples lie far apart; each of them, mixed by `splitmix`, is a seed.
inline constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15ULL;

// The finalizer of splitmix64 (Steele, Lea and Flood, 2014): one to one, and each bit of the result depends on all of `z`.
constexpr std::uint64_t splitmix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// FNV-1a, 64 bits (Fowler, Noll and Vo).
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

// Adds one word to a hash. It multiplies once where `splitmix` does twice: enough for a table in memory.
constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ (word + golden_step)) * 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 32);
}

}  // namespace houserule
