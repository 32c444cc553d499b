// Why something hidden is so or not, asked and answered in the words of the table: `not pine`, `P2 has white 4`, `私はマツでない`.
#pragma once

#include "interpreter/app/knowing/knowing.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// That one of these kinds of card lies at the place, or none of them.
struct WordClaim {
    std::vector<PlaceId> places;  // that may be meant, one or more
    std::vector<KindId> kinds;
    bool denied = false;
    bool names_place = false;  // whose cards, or which zone

    PlaceId place() const { return places.size() == 1 ? places.front() : PlaceId(no_id); }
};

// What the text says, in any of the game's languages: names of cards; whose they are and in which zone, where the game asks for more than
// one thing. Nothing if there is a word that is not understood, or no place that could be meant.
std::optional<WordClaim> claim_in(const Machine& machine, int seat, const std::string& text);
// Whether it names a card, as the game calls it.
bool names_cards(const Game& game, const std::string& text);
// The same in the words of the rules.
std::string in_rules_words(const Game& game, const WordClaim& claim);
// How a kind is written in the rules.
std::string literal(const Game& game, KindId kind);

// Whether it is so, how likely it is where that is not certain, and what happened that speaks for it or against it.
std::string why_words(const Seen& seen, Deduction& deduction, WordClaim claim, const KnowingArgs& args, std::size_t width,
                      const Globals& g);

}  // namespace houserule::cli
