// The arguments that `hint`, `worlds` and `why` have in common, and those of `hint`, which `play` and `assist` ask for, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace houserule::cli {

struct KnowingArgs {
    std::string text;  // a log or a view
    std::string as;    // the seat; may be empty for a view, which names its seat
    std::string rules;
    std::string names;                 // of the people, by seat; empty: those of the log
    std::string weight = "histories";  // or "deals"
    std::string assume;                // "uniform-play", or nothing
    std::uint64_t work = 10'000'000;   // for what is known, and again for reasons; about a million a second
    std::optional<double> time_s;      // then the clock decides, not work
    bool json = false;
    bool at_table = false;  // asked for by a command of `play` or `assist`: lines have no numbers there, and what more there is other names
};

// How much of a hint is shown: one screen, the cards that are asked for by places, all in words, all with figures.
enum class HintDetail : std::uint8_t { first, cards, all, numbers };

struct HintArgs : KnowingArgs {
    std::size_t top = 6;     // rows of each table of figures
    bool give_away = false;  // also which of the seat's moves gives least away
    bool cards = false, all = false, numbers = false;

    HintDetail detail() const {
        return numbers || give_away ? HintDetail::numbers : all ? HintDetail::all : cards ? HintDetail::cards : HintDetail::first;
    }
};

// What stands behind `hint` at a table: nothing, or `cards`, `all` or `numbers`, in any language. False for anything else.
bool read_detail(const std::string& rest, HintArgs& args);

}  // namespace houserule::cli
