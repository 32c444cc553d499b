#include "tests/bench/by_hand/by_hand.hpp"

namespace houserule::bench {

HandResult play_kuhn(Random& random, HandTally& tally) {
    const int first = random.below(3);
    int second = random.below(2);
    second += second >= first ? 1 : 0;
    tally.chances += 2;
    // Pass, pass: the high card. Else one bets, and the other calls or folds.
    std::uint64_t asked = 1;
    int bettor = -1;
    if (random.below(2) != 0) {
        bettor = 0;
    } else {
        ++asked;
        if (random.below(2) != 0) bettor = 1;
    }
    bool called = true;
    if (bettor >= 0) {
        ++asked;
        called = random.below(2) != 0;
    }
    tally.decisions += asked;
    tally.options += 2 * asked;
    const int best = called ? (second > first ? 1 : 0) : bettor;
    return {std::uint64_t{1} << best, {}};
}

HandGame by_hand(const std::string& game, int players) {
    if (game == "kuhn" && players == 2) return play_kuhn;
    if (game == "hearts" && players == 4) return play_hearts;
    if (game == "euchre" && players == 4) return play_euchre;
    if (game == "cogito") return cogito_by_hand(players);
    return nullptr;
}

}  // namespace houserule::bench
