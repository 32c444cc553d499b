// A node: a point at which a run waits for somebody outside, and what can be answered there.
//
// A move, the answer at a node, is a number 0 .. moves-1, so that large sets of possibilities are never listed. MoveNames says what a move
// stands for.
#pragma once

#include "interpreter/run/event.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

enum class NodeKind : std::uint8_t {
    choose,   // seat chooses one of `moves`
    consent,  // seat says whether it wants to choose at all (0 no, 1 yes)
    ask,      // seat answers an offer (0 no, 1 yes)
    draw,     // chance: one of `moves` pieces, equally likely
    lot,      // chance: weights differ
    report,   // the table tells
    window,   // any of the seats in `seats` may act; the move is the set of those who do, as bits
    over,
    failed,  // a promise broke: see Run::failure
};

struct Node {
    NodeKind kind = NodeKind::over;
    std::int32_t seat = -1;
    std::uint64_t moves = 0;
    Seats seats = 0;
    bool joint = false;  // others choose at the same time, unseen by each other
    StepId step = no_id;
    bool settled = false;  // a simultaneous decision has been carried out since the last answer
};

// Whether the node asks this seat; at a window, whether it may act.
constexpr bool asks(const Node& node, int seat) {
    if (node.kind == NodeKind::window) return (node.seats >> seat & 1) != 0;
    return (node.kind == NodeKind::choose || node.kind == NodeKind::consent || node.kind == NodeKind::ask) && node.seat == seat;
}

// Whether nobody answers: something falls, or the table tells something.
constexpr bool is_chance(NodeKind kind) { return kind == NodeKind::draw || kind == NodeKind::lot || kind == NodeKind::report; }

// Of a choice of several with a condition on the whole, so many sets are tried at most: all but the empty one of 17 things. Trying one
// takes about a microsecond.
inline constexpr std::int32_t tried_limit = (1 << 17) - 1;

// Who sees a lot: a seat, -1 for nobody, or all.
inline constexpr std::int32_t seen_by_all = -2;

// The values that a move stands for.
struct Meant {
    std::vector<std::int32_t> values;  // one value, or a set's elements; kinds for cards; seats for a window
};

}  // namespace houserule
