// A hint: what a seat can know, why the rest is ruled out and what its moves tell, as text for people.
#pragma once

#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/app/knowing/ruled_out.hpp"
#include "solver/players/advice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Hint {
    const Seen& seen;
    const HintArgs& args;
    const Globals& g;
    Deduction& deduction;
    const Knowledge& known;
    std::vector<Excluded> excluded{};
    std::vector<std::string> limits{};
    std::optional<Advice> advice{};  // none: the seat is not asked, or no history can be drawn
    bool moves_untried = false;      // there was no time for all of them

    const Game& game() const { return seen.game(); }
    bool exact() const { return known.method == Method::exact; }
    // Whether anything was counted or estimated; whether there are shares by the measure that is asked for.
    bool is_weighed() const { return exact() || known.method == Method::sampled; }
    bool has_shares() const { return is_by_deals(args) ? known.deals.has_value() : is_weighed(); }
};

// Works it out, by the deadlines `reasons` and then `all`; `limits` are those hit before.
Hint hint_of(const Seen& seen, Deduction& deduction, const HintArgs& args, std::vector<std::string> limits, const Deadline& reasons,
             const Deadline& all, const Globals& g);
// The same in another language.
Hint in_language(const Hint& hint, std::vector<std::string> limits, const Globals& g);
// As much of it as `args` asks for, folded at `width`.
std::string text_of(const Hint& hint, std::size_t width);

// One screen, or all, in words: part by part, for who lays it out otherwise than in lines.
struct HintParts {
    struct RuledOut {
        std::string of;  // the place, where there is more than one
        std::string values;
        std::string why;
    };
    struct Move {
        std::string names;
        std::string knows;   // the seat
        std::string others;  // who sees what all see; empty when that was not asked, or nothing is kept from them
        std::string brings;
    };
    std::string until;               // how far what was seen could be followed; empty: to its end
    std::string method;              // exactly and of how many cases, or estimated and from how many samples
    std::vector<std::string> known;  // a place each; last how many are left out
    std::vector<RuledOut> ruled_out;
    std::string more_ruled_out;  // how many groups of it are left out
    std::vector<Move> moves;
    std::string more_moves;
    std::string advice;
    std::vector<std::string> not_found_out;
};
HintParts parts_of(const Hint& hint);

// What text_of chooses from: with figures, each single card; one screen, or all, in words.
std::string numbers_text(const Hint& hint);
std::string words_text(const Hint& hint, std::size_t width);
// Cards by places; of the places that the game asks for.
std::string cards_text(const Hint& hint, std::size_t width);

}  // namespace houserule::cli
