// From a syntax tree to a checked game: names, types, ranges and what each player may know.
#pragma once

#include "dsl/game/names.hpp"
#include "dsl/game/print.hpp"
#include "dsl/variant/variant.hpp"

namespace houserule {

struct PlayerRange {
    int low = 0;
    int high = 0;
};

// How many can play, as the file says; 0..0 when it does not.
PlayerRange player_range(const Syntax& syntax);
// The part of it that is looked at, within the limit: a file can say `2..100000`, which is an error for each number.
PlayerRange playable_range(const Syntax& syntax);

// The game for `players` players under `settings`. What is wrong is appended; with errors the game must not be compiled.
Game check(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics);

// A game with claims about its tables: conditions in the words of the rules, as an example's `then` has them, but that a card may be
// compared with the one thing it says (`P1's me is rose`). They stand among the expressions of the game; its hash is that of the
// rules alone.
struct ClaimedGame {
    Game game;
    struct Claim {
        ExpressionId holds = no_id;   // none: what is wrong with it was reported
        ExpressionId denied = no_id;  // its negation
    };
    std::vector<Claim> claims;
};
ClaimedGame check_claims(const Syntax& syntax, int players, const Settings& settings, const std::vector<Syntax>& claims,
                         Diagnostics& diagnostics);

// Every number of players with the defaults, then every value of every option and reading, each alone. Diagnostics come tidied.
struct Variant {
    int players = 0;
    Settings settings;
};
std::vector<Variant> variants(const Syntax& syntax);
Diagnostics check_all(const Syntax& syntax);

}  // namespace houserule
