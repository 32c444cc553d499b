// Maps the places, facts, kinds, values and words of two machines to each other by name, and compares two runs of them, one each: whether
// they ask the same of the same seat, offer the same, and hold the same at every place and fact that both have.
//
// Each machine has its own ids; names are what rules share. What only one of them has is not compared. Decisions are compared by their
// consequences, not by the name of the chosen variable; a simultaneous choice counts as equal to one made alone. Nothing here knows a
// game.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

enum class Side : std::uint8_t { first, second };

// The step that the run waits at.
inline const Step& step_of(const Run& run) { return run.machine().code[run.node().step]; }

// A place or a slot of a fact that both have.
struct Spot {
    bool is_fact = false;
    Operand first = no_id;             // the place, or the fact
    std::int32_t first_index = no_id;  // of the fact
    Operand second = no_id;
    std::int32_t second_index = no_id;
};

// Moves that only one of two nodes offers.
struct Offers {
    bool alike = true;
    bool listed = true;  // when not alike: false when there are too many to compare one by one
    std::vector<std::uint64_t> only_first;
    std::vector<std::uint64_t> only_second;
};

// The result of a game that is over.
struct GameResult {
    std::string end;                                   // its name; empty: played to the end
    std::optional<std::vector<std::int32_t>> winners;  // before a tie is broken by lot; nothing when a promise broke
    std::vector<double> scores;                        // by seat, as people write them; empty without
    std::vector<double> payoffs;
    bool by_lot = false;  // a lot decides between these winners

    bool won_alike(const GameResult& o) const { return winners == o.winners && by_lot == o.by_lot; }
};
GameResult outcome_of(Run& run);

class NameMapping {
public:
    NameMapping(const Machine& first, const Machine& second);

    // The members below compare two runs that wait at a node, one of the first machine and one of the second.

    // Whether both wait at the same kind of node for the same seat, with an offer of the same word, or at a window for the same act.
    bool ask_alike(const Run& first, const Run& second) const;
    bool table_alike(const TableView& first, const TableView& second) const;
    // Where the tables differ, at most so many places and facts.
    std::vector<Spot> apart(const TableView& first, const TableView& second, std::size_t limit) const;
    // Compares the moves on offer: of draws the number of each kind, of lots the values with their odds, else what each move stands for.
    // The runs end where they began.
    Offers offers(Run& first, Run& second) const;
    // The move of `to` that stands for the same as `move` of `from`, which is the run on `side`. Nothing when there is none.
    std::optional<std::uint64_t> counterpart(Side side, Run& from, std::uint64_t move, Run& to) const;
    bool outcomes_alike(const GameResult& first, const GameResult& second) const;

    // The zones, facts, kinds, words, acts and ends that only this side has, with what they are: `fact`, `side`.
    struct Own {
        const char* what = "";
        std::string name;
    };
    std::vector<Own> own(Side side) const;
    // Zones and facts that both have, but that different seats see.
    std::vector<Own> seen_otherwise() const;

    // The value with the same name in the other side's type.
    std::optional<std::int32_t> translated(Side from, const Type& type, const Type& other, std::int32_t value) const;

private:
    const Machine& machine(Side side) const { return side == Side::first ? first_ : second_; }
    bool alike(const TableView& first, const TableView& second, const Spot& spot) const;
    bool bytes_alike(const TableView& first, const TableView& second, const Spot& spot) const;
    bool places_alike(const TableView& first, const TableView& second, PlaceId a, PlaceId b) const;
    bool facts_alike(const TableView& first, const TableView& second, const Spot& spot) const;
    std::vector<KindId> known_kinds(Side side, const TableView& run, PlaceId place, bool ordered) const;
    // The values of a move of `from`, translated to the other side. `from_place`, `to_place`: the place at which the cards on offer lie,
    // where it must be known.
    std::optional<std::vector<std::int32_t>> meant(Side side, const Run& from, std::uint64_t move, const Run& to, PlaceId from_place,
                                                   PlaceId to_place) const;
    std::optional<std::uint64_t> counterpart(Side side, const Run& from, std::uint64_t move, const Run& to, PlaceId from_place,
                                             PlaceId to_place) const;
    void where_offered(Side side, Run& from, Run& to, PlaceId& from_place, PlaceId& to_place) const;
    std::vector<std::pair<std::int32_t, PlaceId>> options(Side side, Run& run, const Type& other) const;
    bool choices_alike(Run& first, Run& second) const;
    bool draws_alike(const Run& first, const Run& second) const;
    void offers_of_chance(const Run& first, const Run& second, Offers& found) const;
    void missing(Side side, Run& from, Run& to, std::vector<std::uint64_t>& moves) const;

    const Machine& first_;
    const Machine& second_;
    std::vector<Spot> spots_;
    std::vector<KindId> kinds_[2];                        // by kind of the side: the other's, or none
    std::vector<PlaceId> places_[2];                      // by place
    Store<EnumId, std::vector<std::int32_t>> values_[2];  // by value, the index of its name among all names
    bool same_pieces_ = false;                            // both have the same pieces, and sets of one width
};

// The type of the values of a move at this node: of cards a kind, at a window a player.
Type meant_type(const Run& run);

// The rules word for word, but for names of the game, its options, and what is only told to people.
std::string printed_rules(Game game);

// Statements that tell something and change nothing, as they are printed, or behind the cases and answers under which they stand: words
// that are said, cards that are shown, lots with those who see them; ascending. What is told is not compared.
std::vector<std::string> tellings(const Game& game, bool with_conditions);

}  // namespace houserule
