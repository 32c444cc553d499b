// Names for what a generated game declares. The same choices with other names make the same game.
#pragma once

#include <fmt/format.h>

#include <string>

namespace houserule::random_games {

class Names {
public:
    explicit Names(bool scattered = false) : scattered_(scattered) {}
    // A name that stands for nothing yet; `what` only helps people who read it.
    std::string fresh(const std::string& what) {
        ++count_;
        // Scattered, so that the order of names is another: a stride that shares no factor with a prime.
        return scattered_ ? fmt::format("zz{:04}", count_ * 617 % 10007) : fmt::format("{}{}", what, count_);
    }

private:
    bool scattered_;
    int count_ = 0;
};

}  // namespace houserule::random_games
