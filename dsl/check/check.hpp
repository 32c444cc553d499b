// From a syntax tree to a checked game: resolves names, infers types and ranges, and checks that nobody chooses by what they cannot know.
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
// The same, cut off at the largest number of players that the language allows: a file can say `2..100000`.
PlayerRange playable_range(const Syntax& syntax);

// The game for `players` players under `settings`. What is wrong is appended; with errors the game must not be compiled.
Game check(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics);

// A game with claims. A claim is a condition about a position, written as in an example's `then`, except that a card may be compared
// with the value of its only field (`P1's me is rose`). Claims are added to the expressions of the game; its hash stays that of the
// rules.
struct ClaimedGame {
    Game game;
    struct Claim {
        ExpressionId holds = no_id;   // none: it has an error, which was reported
        ExpressionId denied = no_id;  // its negation
    };
    std::vector<Claim> claims;
};
ClaimedGame check_claims(const Syntax& syntax, int players, const Settings& settings, const std::vector<Syntax>& claims,
                         Diagnostics& diagnostics);

// A number of players and settings under which a file is checked.
struct Variant {
    int players = 0;
    Settings settings;
};
// Each number of players with the defaults, then with each other value of one option or reading; about 400 at most.
std::vector<Variant> variants(const Syntax& syntax);
// Of these variants and of the file as a whole, tidied; without warnings about the game that a house rule changes. It stops after 200
// diagnostics if some are errors.
Diagnostics check_all(const Syntax& syntax);

}  // namespace houserule
