// The judge: `houserule_random [--games N] [--seed S] [--tier A|B|C|D] [--shrink] [--first] [--state FILE] [--seconds N]
// [--with AVOIDED]… [--game I] [--file RULES]`.
//
// Exit code 0: all agreed; 1: something did not, and is printed with the game; 2: what was asked for cannot be done.
#include "tests/random/judge_games.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace houserule::random_games;

constexpr const char* usage =
    "houserule_random [--games N] [--seed S] [--tier A|B|C|D] [--shrink] [--first] [--state FILE] [--seconds N] [--floor N] "
    "[--with AVOIDED]… [--game I] [--file RULES]\n";

Plan plan_of(const std::vector<std::string>& arguments) {
    Plan plan;
    plan.judge_by("A");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& a = arguments[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == arguments.size()) throw std::invalid_argument(a + " wants a value");
            return arguments[++i];
        };
        if (a == "--games")
            plan.games = std::stoull(value());
        else if (a == "--seed")
            plan.seed = std::stoull(value());
        else if (a == "--seconds")
            plan.seconds = std::stoi(value());
        else if (a == "--floor")
            plan.floor = std::stoull(value());
        else if (a == "--game")
            plan.only = std::stoull(value());
        else if (a == "--file")
            plan.read(value());
        else if (a == "--state")
            plan.state = value();
        else if (a == "--shrink")
            plan.shrink = true;
        else if (a == "--with")
            plan.with(value());
        else if (a == "--first")
            plan.first = true;
        else if (a == "--tier")
            plan.judge_by(value());
        else
            throw std::invalid_argument(a + " is not known");
    }
    return plan;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return judge_games(plan_of({arguments + 1, arguments + count}));
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n{}", e.what(), usage);
        return 2;
    }
}
