#include "tests/bench/by_hand/by_hand.hpp"

#include <array>
#include <cstdint>

namespace houserule::bench {

namespace {

// A card is a bit: six a suit, the nine lowest; clubs, diamonds, spades, hearts. Two suits on are of the same colour.
constexpr std::uint32_t suit_cards = 0x3f;
constexpr std::uint32_t all_cards = (1U << 24) - 1;
constexpr int jack = 2;
constexpr std::uint32_t jack_of(int suit) { return 1U << (6 * suit + jack); }

struct Trumps {
    std::array<std::uint32_t, 4> suits{};                 // the cards of each, the left bower among trumps
    std::array<std::uint8_t, 24> suit_of{};               // of each card, so
    std::array<std::array<std::uint8_t, 24>, 4> power{};  // by the suit led
};
struct Tables {
    std::array<Trumps, 4> by_trump{};

    constexpr Tables() {
        for (int trump = 0; trump < 4; ++trump) {
            Trumps& t = by_trump[trump];
            const std::uint32_t left = jack_of(trump ^ 2);
            for (int suit = 0; suit < 4; ++suit) t.suits[suit] = (suit_cards << 6 * suit) & ~left;
            t.suits[trump] |= left;
            for (int card = 0; card < 24; ++card) {
                const int suit = card / 6;
                const int rank = 9 + card % 6;
                t.suit_of[card] = (t.suits[trump] >> card & 1) != 0 ? trump : suit;
                for (int led = 0; led < 4; ++led) {
                    const bool is_left = (left >> card & 1) != 0;
                    const bool is_right = (jack_of(trump) >> card & 1) != 0;
                    t.power[led][card] = is_right ? 40 : is_left ? 39 : suit == trump ? 20 + rank : suit == led ? rank : 0;
                }
            }
        }
    }
};
constexpr Tables tables;

struct Auction {
    int maker = -1;
    int trump = 0;
    bool alone = false;
};

bool asked(Random& random, HandTally& tally) {
    ++tally.decisions;
    tally.options += 2;
    return random.below(2) != 0;
}

int choose(std::uint32_t cards, Random& random, HandTally& tally) {
    if ((cards & (cards - 1)) == 0) return ++tally.forced, __builtin_ctz(cards);
    const int n = __builtin_popcount(cards);
    ++tally.decisions;
    tally.options += n;
    return bit_number(cards, random.below(n));
}

Auction bid(std::array<std::uint32_t, 4>& hands, int dealer, int up, Random& random, HandTally& tally) {
    const int up_suit = up / 6;
    for (int k = 1; k <= 4; ++k) {
        const int p = (dealer + k) & 3;
        if (!asked(random, tally)) continue;
        const bool alone = asked(random, tally);
        hands[dealer] |= 1U << up;
        hands[dealer] ^= 1U << choose(hands[dealer], random, tally);
        return {p, up_suit, alone};
    }
    for (int k = 1; k <= 4; ++k) {
        const int p = (dealer + k) & 3;
        if (!asked(random, tally)) continue;
        ++tally.decisions;
        tally.options += 3;
        const int other = random.below(3);
        return {p, other + (other >= up_suit ? 1 : 0), asked(random, tally)};
    }
    return {};
}

}  // namespace

HandResult play_euchre(Random& random, HandTally& tally) {
    const int dealer = random.below(4);
    std::uint32_t stock = all_cards;
    std::array<std::uint32_t, 4> hands{};
    int left = 24;
    for (std::uint32_t& hand : hands)
        for (int i = 0; i < 5; ++i) {
            const std::uint32_t card = 1U << bit_number(stock, random.below(left--));
            stock ^= card;
            hand |= card;
        }
    const int up = bit_number(stock, random.below(left));
    tally.chances += 22;
    const Auction made = bid(hands, dealer, up, random, tally);
    HandResult result;
    if (made.maker < 0) return {0xf, {}};
    const Trumps& t = tables.by_trump[made.trump];
    const int out = made.alone ? made.maker ^ 2 : -1;
    int leader = (dealer + 1) & 3;
    if (leader == out) leader = (leader + 1) & 3;
    std::array<int, 2> tricks{};  // by side
    for (int trick = 0; trick < 5; ++trick) {
        const int lead = choose(hands[leader], random, tally);
        hands[leader] ^= 1U << lead;
        const int led = t.suit_of[lead];
        const auto& power = t.power[led];
        int best = power[lead];
        int taker = leader;
        for (int k = 1; k < 4; ++k) {
            const int p = (leader + k) & 3;
            if (p == out) continue;
            const std::uint32_t follow = hands[p] & t.suits[led];
            const int card = choose(follow != 0 ? follow : hands[p], random, tally);
            hands[p] ^= 1U << card;
            if (power[card] > best) best = power[card], taker = p;
        }
        ++tricks[taker & 1];
        leader = taker;
    }
    const int makers = made.maker & 1;
    const int won = tricks[makers];
    const int for_makers = won == 5 ? (made.alone ? 4 : 2) : won >= 3 ? 1 : 0;
    const int for_others = won <= 2 ? 2 : 0;
    for (int p = 0; p < 4; ++p) result.scores[p] = (p & 1) == makers ? for_makers : for_others;
    const bool makers_win = for_makers > for_others;
    result.winners = (makers_win ? makers : 1 - makers) == 0 ? 0x5 : 0xa;
    return result;
}

}  // namespace houserule::bench
