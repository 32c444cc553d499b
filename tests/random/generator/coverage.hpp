// What was tried, how often: operators by the kinds of their operands, statements by where they stand.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace houserule::random_games {

using Coverage = std::map<std::string, std::uint64_t>;

inline void add(Coverage& all, const Coverage& more) {
    for (const auto& [what, count] : more) all[what] += count;
}

}  // namespace houserule::random_games
