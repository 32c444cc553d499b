#include "tests/random/tiers.hpp"

#include "tests/random/tier_a.hpp"
#include "tests/random/tier_b.hpp"
#include "tests/random/tier_c.hpp"
#include "tests/random/tier_d.hpp"

#include <algorithm>
#include <array>

namespace houserule::random_games {

const Tier* tier_named(const std::string& name) {
    static constexpr std::array<Tier, 4> all = {{
        {"A", judge, nullptr, 20, 500, 300, false, true, false},
        {"B", judge_knowledge, nullptr, 20, 100, 300, true, false, false},
        {"C", judge_promises_and_commands, proved_share, 60, 10, 150, false, false, false},
        {"D", judge_compiled, nullptr, 60, 50, 150, false, false, true},
    }};
    const auto it = std::find_if(all.begin(), all.end(), [&](const Tier& t) { return t.name == name; });
    return it == all.end() ? nullptr : &*it;
}

}  // namespace houserule::random_games
