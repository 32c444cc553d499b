#include "tests/random/generator/choices.hpp"

#include <algorithm>
#include <array>

namespace houserule::random_games {

namespace {

// splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t next_number(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

}  // namespace

std::uint32_t Choices::record(std::size_t n, const std::function<std::uint64_t()>& draw) {
    std::uint32_t drawn = 0;
    if (!replaying_)
        drawn = static_cast<std::uint32_t>(draw());
    else if (recorded_.size() < replayed_.size())
        drawn = replayed_[recorded_.size()] % static_cast<std::uint32_t>(n);
    recorded_.push_back(drawn);
    return drawn;
}

std::uint32_t Choices::below(std::size_t n) {
    return record(n, [&] { return (next_number(state_) >> 16) % n; });
}

std::optional<std::uint64_t> Choices::liking(std::string_view name, std::uint64_t below) const {
    if (seed_ % 4 == 0) return std::nullopt;
    std::uint64_t state = seed_;
    for (const char c : name) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;  // FNV-1a
    return (next_number(state) >> 16) % below;
}

std::size_t Choices::favoured(const std::vector<const char*>& names) {
    static constexpr std::array<std::uint64_t, 8> weights{0, 0, 1, 1, 1, 1, 4, 8};
    return record(names.size(), [&] {
        std::vector<std::uint64_t> up_to;
        std::uint64_t sum = 0;
        for (const char* name : names) up_to.push_back(sum += weights.at(liking(name, weights.size()).value_or(2)));
        if (sum == 0) return (next_number(state_) >> 16) % names.size();
        const std::uint64_t drawn = (next_number(state_) >> 16) % sum;
        return static_cast<std::uint64_t>(std::upper_bound(up_to.begin(), up_to.end(), drawn) - up_to.begin());
    });
}

bool Choices::often(const char* what) {
    static constexpr std::array<std::uint64_t, 4> of_8{1, 4, 6, 7};
    return record(2, [&] { return (next_number(state_) >> 16) % 8 < of_8.at(liking(what, of_8.size()).value_or(1)) ? 1U : 0U; }) == 1;
}

bool Choices::chance(std::uint32_t times, std::uint32_t of) { return below(of) >= of - times; }

int Choices::between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1)); }

std::size_t Choices::open(std::string label) {
    parts_.push_back({recorded_.size(), recorded_.size(), std::move(label)});
    return parts_.size() - 1;
}

}  // namespace houserule::random_games
