// Tier B: what a seat can know in a generated game, against trying every history (tests/naive).
//
// Small games are played at random. Whenever a seat has noticed something more, its view is taken: what is so must be possible; what the
// deduction calls exact must be what trying everything says; a history that it offers must give the same view; and nothing that the seat
// sees or is offered may differ from one history of its view to another. What the deduction does not follow, or what has too many
// histories to be tried, is counted (`position: …`, `limit: …`), not passed over. Limits count work, so each run judges alike.
#pragma once

#include "tests/random/generator/game_writer.hpp"
#include "tests/random/judged.hpp"

#include <cstdint>

namespace houserule::random_games {

// The second game is not needed: names are what tier A is about.
Judged judge_knowledge(const GeneratedGame& game, const GeneratedGame&, std::uint64_t seed);

}  // namespace houserule::random_games
