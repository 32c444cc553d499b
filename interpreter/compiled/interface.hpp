// The binary interface between a compiled game and its caller. Compiled games include this text as well: it may use nothing of ours but
// random.hpp.
#pragma once

#include "interpreter/run/random.hpp"

#include <cstddef>
#include <cstdint>

namespace houserule {

// A random game, or the rest of one. The arrays have one entry per step of the machine. Tally, play_random: interpreter/run/run.hpp.
struct CompiledPlay {
    const std::byte* from = nullptr;  // copied into `state` first; null: it stays as it is
    std::byte* state = nullptr;       // before: fresh, or where a seat is asked or has just answered; after: of the end, but for
                                      // variables that nothing reads then, or of the window
    std::byte* work = nullptr;        // working memory, zeros at first, which nobody else uses at the same time
    Random* random = nullptr;
    std::uint64_t* steps = nullptr;          // as in Tally
    std::uint64_t* taken = nullptr;          // as in Tally
    std::uint8_t* reached = nullptr;         // for never_reached: first steps of rules, steps after a branch, ends
    std::uint64_t sign = 1;                  // what is added for a step: 1, or -1 to take a game back
    std::int64_t volunteer = -1;             // as in play_random
    bool (*is_over)(const void*) = nullptr;  // called now and then with `asked`: whether to stop
    const void* asked = nullptr;
    std::int32_t watched = -1;    // a seat: play ends at the first window at which it acts
    std::uint64_t decisions = 0;  // these are added to, when the game is over or was broken off
    std::uint64_t options = 0;
    std::uint64_t forced = 0;
    std::uint64_t chances = 0;
    std::uint64_t windows = 0;
    std::uint64_t opened = 0;  // windows at which somebody could act, each counted once (`windows` counts per seat)
    std::uint64_t acting = 0;  // at the window where it ended: the seats that act, as bits
    std::int32_t at = -1;      // the step at which it ended
};

enum CompiledEnd : std::int32_t {
    compiled_over,    // the game is over
    compiled_handed,  // at step `at` a promise broke, or something happens that only the interpreter carries out: it plays this game again;
                      // with no step `at`: play cannot begin at this state
    compiled_stopped,  // it was to stop
    compiled_acts,     // the watched seat acts: the state waits at the window, and the seats have made up their minds
};

inline constexpr int compiled_players = 16;

// How a game came out.
struct CompiledResult {
    std::uint64_t winners = 0;  // as bits: before a tie is broken by lot
    std::int32_t scores[compiled_players] = {};
    std::int32_t payoffs[compiled_players] = {};
};

// A library of compiled games has, with C linkage, `houserule_key` of the text it was compiled from, and of game i:
//   CompiledEnd houserule_play_i(CompiledPlay*)
//   std::int32_t houserule_result_i(const std::byte* state, std::byte* work, CompiledResult*)
//                                                     0: a promise broke; the interpreter says how it came out
//   const std::int32_t houserule_first_i                                      the step at which whole games begin: a state must be there
//   const std::uint64_t houserule_work_i                                      bytes of working memory

}  // namespace houserule
