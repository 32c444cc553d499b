// The complete moves of a seat: its answers to all that it is asked in a row, by meaning and not by rank, so that one move can be made in
// every history that fits.
#pragma once

#include "solver/deduce/deduction.hpp"

namespace houserule {

struct CompleteMove {
    // Of a choice its values, as Run::move_for takes them; else one number: 0 or 1, of a window the mask of those who act.
    std::vector<std::vector<std::int32_t>> answers;
    std::size_t passed = 0;      // the answers it begins with that let a window pass on the way to what comes after it
    bool others_answer = false;  // others, or chance, answer unseen on that way
};

struct MoveLimits {
    std::size_t moves = 300;  // at one node; of more, those that name what is most likely
    std::size_t inputs = 4;   // answers in one move: an offer taken, whether to choose, what
    // At a window also the moves of the decision that comes next, if it is the seat's and the seat notices nothing before it.
    bool past_windows = false;
};

// Whether the seat notices that something happens.
inline bool is_noticed(const Event& e, int seat) { return e.kind != EventKind::begins && (e.audience >> seat & 1) != 0; }
// Lets windows pass at which the seat may not act (of `onlooker`: all), and returns the node after them.
Node pass_windows(Run& run, int seat);
// Answers of others and of chance, at most, that go unnoticed before a seat is asked.
inline constexpr int unseen_most = 64;
// Goes on until the seat is asked; others, and chance, answer at random on the way. Of windows only those of the seat are asked.
Node pass_unseen(Run& run, int seat, Random& random);
// The rank of an answer of a complete move at the node where the run waits; a number not below node().moves if there is none.
std::uint64_t move_for_answer(const Run& run, const std::vector<std::int32_t>& answer);

// All complete moves at the node where the run waits, which must ask the seat. Of a choice with more moves than the limit, the sets of
// the `likely` kinds (if none is a move, the first moves); `all` is set to whether nothing was left out.
std::vector<CompleteMove> complete_moves(Run& run, int seat, const std::vector<KindId>& likely, bool& all, MoveLimits limits = {});

// The kinds that may lie at these places, likeliest first.
std::vector<KindId> likeliest_kinds(Deduction& deduction, const std::vector<PlaceId>& places);

}  // namespace houserule
