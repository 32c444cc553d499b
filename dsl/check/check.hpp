// From a syntax tree to a checked game: names, types, ranges and what each player may know.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/variant/variant.hpp"

namespace houserule {

struct PlayerRange {
    int low = 0;
    int high = 0;
};

// How many can play, as the file says; 0..0 when it does not.
PlayerRange player_range(const Syntax& syntax);

// The game for `players` players under `settings`. What is wrong is appended; with errors the game must not be compiled.
Game check(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics);

// A game with claims about its tables: conditions in the words of the rules, as an example's `then` has them, but that a card may be
// compared with the one thing it says (`P1's me is rose`). They stand among the expressions of the game; its hash is that of the
// rules alone.
struct ClaimedGame {
    Game game;
    struct Claim {
        Id holds = no_id;   // none: what is wrong with it was reported
        Id denied = no_id;  // its negation
    };
    std::vector<Claim> claims;
};
ClaimedGame check_claims(const Syntax& syntax, int players, const Settings& settings, const std::vector<Syntax>& claims, Diagnostics& diagnostics);

// Every number of players with the defaults, then every value of every option and reading, each alone. Diagnostics come tidied.
struct Variant {
    int players = 0;
    Settings settings;
};
std::vector<Variant> variants(const Syntax& syntax);
Diagnostics check_all(const Syntax& syntax);

// How values are written: `white 8`, `rose`, `P1`, `none`. The names are identifiers, or labels when `language` has them.
std::string value_name(const Game& game, const Type& type, std::int32_t value, const std::string& language = "");
std::string kind_text(const Game& game, Id kind, const std::string& language = "");
// The label of an identifier in that language, or the identifier.
std::string label(const Game& game, const std::string& name, const std::string& language);
// The text of a rule, act, option or end in that language, or empty.
std::string rule_text(const Game& game, const std::string& name, const std::string& language);
// The zone that a place is of; null outside.
const Zone* zone_of(const Game& game, Id place);
std::string place_name(const Game& game, Id place, const std::string& language = "");

std::string type_text(const Game& game, const Type& type);

// The printed form: of the whole game, an entry a line; of one expression (`-` for none).
std::string print(const Game& game);
std::string print(const Game& game, Id expression);

}  // namespace houserule
