// What happens between two answers: whether it comes to an end, and what of it is the same in all games.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/quick_steps.hpp"
#include "interpreter/engine/state_bytes.hpp"
#include "interpreter/run/run.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace houserule {

class ForcedRun {
public:
    void begin() {
        rounds_ = 0;
        told_left_ = told_limit;
        begun_left_ = told_limit;
    }
    // Beyond `unwatched_rounds`.
    std::uint64_t rounds() const { return rounds_; }
    // One more event; false if it is one too many.
    bool tell() { return told_left_-- != 0; }
    // Events that may still happen.
    std::uint64_t told_left() const { return told_left_; }
    void set_told_left(std::uint64_t events) { told_left_ = events; }
    // Whether one more rule that begins is recorded. Rules may begin as often as rounds are made, which would take gigabytes.
    bool tell_of_rule() { return begun_left_ != 0 && begun_left_-- != 0; }

    // Whether the machine may make one more round at step `pc` in which nobody is asked: unless it has made too many, or is in a state in
    // which it was at that step before. (Brent's cycle detection, 1980: the state is kept after 1, 2, 4, 8 … rounds. During simultaneous
    // effects play depends on more than the state, so nothing is compared.)
    bool goes_on(StepId pc, std::span<const std::byte> state, std::uint64_t limit, bool depends_on_state) {
        if (++rounds_ == 1) stood_at_ = no_id;
        if (rounds_ > limit - std::min(limit, unwatched_rounds)) return false;
        if (!depends_on_state) return true;
        if (std::has_single_bit(rounds_)) {
            stood_.assign(state.begin(), state.end());
            stood_at_ = pc;
            return true;
        }
        return stood_at_ != pc || std::memcmp(state.data(), stood_.data(), stood_.size()) != 0;
    }

private:
    std::uint64_t rounds_ = 0;
    std::uint64_t told_left_ = 0;
    std::uint64_t begun_left_ = 0;
    std::vector<std::byte> stood_;  // the state kept for comparison, from a round since the last answer
    StepId stood_at_;
};

// One by one: as a whole it would be put together elsewhere and read back at once.
inline void set_node(Node& node, NodeKind kind, std::int32_t seat, std::uint64_t moves, Seats seats, bool joint, StepId step) {
    node.kind = kind;
    node.seat = seat;
    node.moves = moves;
    node.seats = seats;
    node.joint = joint;
    node.step = step;
    node.settled = false;
}

// Up to the first node, all games are alike.
struct Beginning {
    std::vector<std::byte> state;  // at that node; empty if it is not known
    std::uint64_t forced = 0;
    std::uint64_t rounds = 0;
    bool settled = false;
};

// Sets the player of a loop to the next one and tells whether there is one.
template <int W>
[[gnu::always_inline]] inline bool next_player(std::byte* s, const QuickLoop& loop, std::int32_t players) {
    auto passed = read_bytes<std::int32_t>(s, loop.counter);
    const auto first = read_bytes<std::int32_t>(s, loop.first);
    for (; passed < players; ++passed) {
        int p = loop.clockwise ? first + passed : first + players - passed;
        if (p >= players) p -= players;
        if (!loop.all && !read_bytes<Mask<W>>(s, loop.set).has(p)) continue;
        write_bytes<std::int32_t>(s, loop.player, p);
        write_bytes<std::int32_t>(s, loop.counter, passed + 1);
        return true;
    }
    return false;
}

}  // namespace houserule
