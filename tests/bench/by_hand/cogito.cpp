#include "tests/bench/by_hand/by_hand.hpp"

#include <array>
#include <cstdint>

namespace houserule::bench {

namespace {

using Cards = std::uint32_t;
using Seats = std::uint32_t;

// A card is a bit: nine selves, numbered like the beings, then the groups, the first four of them twice, and the dream.
constexpr int beings = 9;
constexpr Cards selves = 0x1ff;
constexpr Cards all_cards = (1U << 20) - 1;
constexpr Cards ego = 1U << 8;
constexpr Cards dream = 1U << 19;
constexpr Cards first_of_two = 0xaa00;
constexpr int most_rounds = 60;

// By being: the cards that are red before it.
constexpr std::array<Cards, beings> red_before = [] {
    std::array<Cards, beings> red{};
    for (int being = 0; being < beings; ++being) red[being] = 1U << being | ego;
    for (int being = 0; being < 8; ++being) red[being] |= 3U << (9 + being / 2 * 2) | (being < 4 ? 1U << 17 : 1U << 18);
    return red;
}();

// Where the set bits of ten are.
struct BitsOfTen {
    std::array<std::uint8_t, 1024> size{};
    std::array<std::array<std::uint8_t, 16>, 1024> at{};

    constexpr BitsOfTen() {
        for (unsigned set = 0; set < 1024; ++set)
            for (unsigned bit = 0; bit < 10; ++bit)
                if ((set >> bit & 1) != 0) at[set][size[set]++] = bit;
    }
};
constexpr BitsOfTen bits_of_ten;

constexpr int size_of(Cards cards) { return bits_of_ten.size[cards & 0x3ff] + bits_of_ten.size[cards >> 10]; }

Cards nth_card(Cards cards, unsigned n) {
    const unsigned low = bits_of_ten.size[cards & 0x3ff];
    const bool above = n >= low;
    return 1U << (bits_of_ten.at[above ? cards >> 10 : cards & 0x3ff][above ? n - low : n] + (above ? 10 : 0));
}

enum class End { none, over };

template <int players>
class Cogito {
public:
    Cogito(const Random& random, HandTally& tally) : random_(random), tally_(tally) {}

    HandResult play() {
        set_up();
        play_rounds();
        return {found_, {}};
    }
    const Random& random() const { return random_; }

private:
    static constexpr Seats everybody = (1U << players) - 1;

    void set_up() {
        Cards left = selves;
        for (int p = 0; p < players; ++p) {
            const Cards self = nth_card(left, random_.below(beings - p));
            left ^= self;
            red_for_[p] = red_before[__builtin_ctz(self)];
            me_[p] = __builtin_ctz(self);
        }
        top_ = (all_cards ^ selves) | left;
        top_size_ = 20 - players;
        for (int p = 0; p < players; ++p)
            for (int i = 0; i < 2; ++i) draw(p);
        starter_ = random_.below(players);
        tally_.chances += players + 1;
    }

    void play_rounds() {
        for (int round = 0; round < most_rounds; ++round) {
            for (int k = 0; k < players; ++k) {
                const int p = starter_ + k < players ? starter_ + k : starter_ + k - players;
                if ((active_ >> p & 1) != 0 && hand_[p] != 0 && turn(p) == End::over) return;
            }
            if (top_size_ + under_size_ >= players && draw_and_trade() == End::over) return;
            Cards left = 0;
            for (Seats rest = active_; rest != 0; rest &= rest - 1) left |= hand_[__builtin_ctz(rest)];
            if (left == 0) return;
        }
    }

    // The pile shows two parts at most: what a dream put under it comes up when the rest is drawn, and the dream with it.
    void draw(int p) {
        Cards card = top_;
        if (top_size_ > 1) {
            ++tally_.chances;
            card = nth_card(top_, random_.below(top_size_));
            const Cards first = card >> 1 & top_ & first_of_two;
            if (first != 0) card = first;
        }
        top_ ^= card;
        hand_[p] |= card;
        if (--top_size_ > 0) return;
        top_ = under_;
        top_size_ = under_size_;
        under_ = 0;
        under_size_ = 0;
    }

    // Of two alike the first is chosen.
    Cards choose(Cards cards) {
        cards &= ~((cards & first_of_two) << 1);
        const Cards but_one = cards & (cards - 1);
        if (but_one == 0) return ++tally_.forced, cards;
        ++tally_.decisions;
        if ((but_one & (but_one - 1)) == 0) {
            tally_.options += 2;
            return random_.below(2) != 0 ? but_one : cards ^ but_one;
        }
        const int n = size_of(cards);
        tally_.options += n;
        return nth_card(cards, random_.below(n));
    }

    End turn(int p) {
        const Cards card = choose(hand_[p]);
        hand_[p] ^= card;
        laid_ |= card;
        if (card == dream) {
            if (window() == End::over) return End::over;
            put_under();
            if (window() == End::over) return End::over;
        } else {
            if ((red_for_[p] & card) != 0) ++red_[p];
            if (window() == End::over) return End::over;
        }
        if (red_[p] < 2) return End::none;
        active_ &= ~(1U << p);
        if (window() == End::over) return End::over;
        return active_ == 0 ? End::over : End::none;
    }

    void put_under() {
        const bool below = top_size_ > 0;
        (below ? under_ : top_) = laid_;
        (below ? under_size_ : top_size_) = size_of(laid_);
        laid_ = 0;
        red_ = {};
    }

    End draw_and_trade() {
        for (int k = 0; k < players; ++k) {
            const int p = starter_ + k < players ? starter_ + k : starter_ + k - players;
            if ((active_ >> p & 1) != 0) draw(p);
        }
        if (window() == End::over) return End::over;
        std::array<Cards, players> passed{};
        for (int p = 0; p < players; ++p)
            if ((active_ >> p & 1) != 0 && hand_[p] != 0) passed[p] = choose(hand_[p]);
        for (int p = 0; p < players; ++p) hand_[p] ^= passed[p];
        for (int p = 0; p < players; ++p) {
            if (passed[p] == 0) continue;
            const Seats after = active_ >> (p + 1) << (p + 1);
            hand_[__builtin_ctz(after != 0 ? after : active_)] |= passed[p];
        }
        return window();
    }

    // Whoever is in may name a being, until nobody wants to.
    End window() {
        while (true) {
            Seats who = 0;
            for (Seats rest = active_; rest != 0; rest &= rest - 1) {
                ++tally_.windows;
                if (random_.below(100) < 3) who |= rest & -rest;
            }
            if (who == 0) return End::none;
            for (Seats rest = who; rest != 0; rest &= rest - 1) {
                const int p = __builtin_ctz(rest);
                const bool right = random_.below(beings) == me_[p];
                ++tally_.decisions;
                tally_.options += beings;
                (right ? found_ : active_) ^= 1U << p;
            }
            if (found_ != 0 || active_ == 0) return End::over;
        }
    }

    Random random_;  // a copy, which nothing else can change
    HandTally& tally_;
    std::array<Cards, players> hand_{};
    std::array<Cards, players> red_for_{};
    std::array<unsigned, players> me_{};
    std::array<int, players> red_{};
    Cards top_ = 0;
    Cards under_ = 0;
    int top_size_ = 0;
    int under_size_ = 0;
    Cards laid_ = 0;  // in front of everybody
    Seats active_ = everybody;
    Seats found_ = 0;
    int starter_ = 0;
};

template <int players>
HandResult play_cogito(Random& random, HandTally& tally) {
    Cogito<players> game(random, tally);
    const HandResult result = game.play();
    random = game.random();
    return result;
}

}  // namespace

HandGame cogito_by_hand(int players) {
    return players == 2 ? play_cogito<2> : players == 3 ? play_cogito<3> : players == 4 ? play_cogito<4> : nullptr;
}

}  // namespace houserule::bench
