#include "tests/bench/by_hand/by_hand.hpp"

#include <array>
#include <cstdint>

namespace houserule::bench {

namespace {

// A card is a bit: thirteen a suit, the two lowest; clubs, diamonds, spades, hearts.
constexpr std::uint64_t suit_cards = 0x1fff;
constexpr std::uint64_t all_cards = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t hearts = suit_cards << 39;
constexpr std::uint64_t queen = std::uint64_t{1} << 36;
constexpr std::uint64_t two_of_clubs = 1;
constexpr int all_points = 26;

// Three of thirteen, by number: who takes the lowest card comes last.
struct Triples {
    std::array<std::array<std::uint8_t, 3>, 286> of{};

    constexpr Triples() {
        int n = 0;
        for (int a = 10; a >= 0; --a)
            for (int b = 11; b > a; --b)
                for (int c = 12; c > b; --c) {
                    of[n][0] = a;
                    of[n][1] = b;
                    of[n++][2] = c;
                }
    }
};
constexpr Triples triples;

struct Table {
    std::array<std::uint64_t, 4> hand{};
    std::array<std::uint64_t, 4> taken{};
};

void deal(Table& t, Random& random) {
    std::uint64_t deck = all_cards;
    int left = 52;
    for (std::uint64_t& hand : t.hand)
        for (int i = 0; i < 13; ++i, --left) {
            const std::uint64_t card = left > 1 ? std::uint64_t{1} << bit_number(deck, random.below(left)) : deck;
            deck ^= card;
            hand |= card;
        }
}

void pass(Table& t, Random& random, HandTally& tally) {
    const std::uint64_t way = random.below(4);
    if (way == 3) return;
    const unsigned to = way == 0 ? 1 : way == 1 ? 3 : 2;
    std::array<std::uint64_t, 4> passed{};
    for (int p = 0; p < 4; ++p) {
        std::array<std::uint8_t, 13> cards{};
        int n = 0;
        for (std::uint64_t rest = t.hand[p]; rest != 0; rest &= rest - 1) cards[n++] = __builtin_ctzll(rest);
        for (const std::uint8_t i : triples.of[random.below(286)]) passed[p] |= std::uint64_t{1} << cards[i];
    }
    for (unsigned p = 0; p < 4; ++p) t.hand[p] ^= passed[p];
    for (unsigned p = 0; p < 4; ++p) t.hand[(p + to) & 3] |= passed[p];
    tally.decisions += 4;
    tally.options += 4 * 286;
}

std::uint64_t choose(std::uint64_t cards, Random& random, HandTally& tally) {
    if ((cards & (cards - 1)) == 0) return ++tally.forced, cards;
    const int n = __builtin_popcountll(cards);
    ++tally.decisions;
    tally.options += n;
    return std::uint64_t{1} << bit_number(cards, random.below(n));
}

int points(std::uint64_t taken) { return __builtin_popcountll(taken & hearts) + ((taken & queen) != 0 ? 13 : 0); }

}  // namespace

HandResult play_hearts(Random& random, HandTally& tally) {
    Table t;
    deal(t, random);
    pass(t, random, tally);
    tally.chances += 52;
    unsigned leader = 0;
    while ((t.hand[leader] & two_of_clubs) == 0) ++leader;
    bool broken = false;
    for (int trick = 0; trick < 13; ++trick) {
        const std::uint64_t led_hand = t.hand[leader];
        std::uint64_t may = trick == 0 ? two_of_clubs : broken ? led_hand : led_hand & ~hearts;
        const std::uint64_t lead = choose(may != 0 ? may : led_hand, random, tally);
        t.hand[leader] ^= lead;
        const std::uint64_t suit = suit_cards << __builtin_ctzll(lead) / 13 * 13;
        std::uint64_t all = lead;
        std::uint64_t best = lead;
        unsigned taker = leader;
        for (unsigned k = 1; k < 4; ++k) {
            const unsigned p = (leader + k) & 3;
            const std::uint64_t hand = t.hand[p];
            may = hand & suit;
            if (may == 0 && trick == 0) may = hand & ~(hearts | queen);
            const std::uint64_t card = choose(may != 0 ? may : hand, random, tally);
            t.hand[p] ^= card;
            all |= card;
            if ((card & suit) > best) best = card, taker = p;
        }
        broken = broken || (all & hearts) != 0;
        t.taken[taker] |= all;
        leader = taker;
    }
    HandResult result;
    bool shot = false;
    for (int p = 0; p < 4; ++p) shot = shot || (result.scores[p] = points(t.taken[p])) == all_points;
    if (shot)
        for (int p = 0; p < 4; ++p) result.scores[p] = points(t.taken[p]) == all_points ? 0 : all_points;
    int least = all_points;
    for (const int score : result.scores) least = score < least ? score : least;
    for (int p = 0; p < 4; ++p) result.winners |= std::uint64_t{result.scores[p] == least} << p;
    return result;
}

}  // namespace houserule::bench
