#include "tests/random/generator/choices.hpp"

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

std::uint32_t Choices::below(std::size_t n) {
    std::uint32_t drawn = 0;
    if (!replaying_)
        drawn = static_cast<std::uint32_t>((next_number(state_) >> 16) % n);
    else if (recorded_.size() < replayed_.size())
        drawn = replayed_[recorded_.size()] % static_cast<std::uint32_t>(n);
    recorded_.push_back(drawn);
    return drawn;
}

bool Choices::chance(std::uint32_t times, std::uint32_t of) { return below(of) >= of - times; }

int Choices::between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1)); }

std::size_t Choices::open(std::string label) {
    parts_.push_back({recorded_.size(), recorded_.size(), std::move(label)});
    return parts_.size() - 1;
}

}  // namespace houserule::random_games
