// What two machines have in common, by name: places, facts, kinds of pieces, values, words. And whether two runs of them, one each,
// stand alike: ask the same of the same seat, offer the same, and hold the same at every place and fact that both have.
//
// Each machine has its own ids; names are what rules share. What only one of them has is not compared. What was decided is compared by
// what follows from it, not by the name of the chosen variable, and a choice that others make at the same time is like one made alone.
// Nothing here knows a game.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

enum class Side : std::uint8_t { first, second };

inline constexpr std::int32_t unset = std::numeric_limits<std::int32_t>::min();  // a fact without a value yet

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

// How a game that is over came out.
struct Outcome {
    std::string end;                                   // its name; empty: played to the end
    std::optional<std::vector<std::int32_t>> winners;  // before any lot; nothing when a promise broke there
    std::vector<double> scores;                        // by seat, as people write them; empty without
    std::vector<double> payoffs;
};
Outcome outcome_of(Run& run);

class Twins {
public:
    Twins(const Machine& first, const Machine& second);

    // The questions below are about two runs that wait at a node, of the first machine and of the second.

    // The same kind of node, of the same seat; an offer of the same word, a window for the same act.
    bool ask_alike(const Run& first, const Run& second) const;
    bool table_alike(const TableView& first, const TableView& second) const;
    // Where the tables differ, at most so many places and facts.
    std::vector<Spot> apart(const TableView& first, const TableView& second, std::size_t limit) const;
    // Draws by how many of each kind, lots with their odds, everything else by what each move stands for. The runs stay where they are.
    Offers offers(Run& first, Run& second) const;
    // The other's move that stands for the same; `from` is the run on `side`. Nothing when there is none.
    std::optional<std::uint64_t> counterpart(Side side, Run& from, std::uint64_t move, Run& to) const;
    bool outcomes_alike(const Outcome& first, const Outcome& second) const;

    // Names of zones, facts, kinds, words, acts and ends that only this side has, as declared: `fact side`.
    struct Own {
        const char* what = "";
        std::string name;
    };
    std::vector<Own> own(Side side) const;
    // Zones and facts that both have and other seats see.
    std::vector<Own> seen_otherwise() const;

    // The value of the other side's type that goes by the same name.
    std::optional<std::int32_t> translated(Side from, const Type& type, const Type& other, std::int32_t value) const;

private:
    const Machine& machine(Side side) const { return side == Side::first ? first_ : second_; }
    bool alike(const TableView& first, const TableView& second, const Spot& spot) const;
    bool bytes_alike(const TableView& first, const TableView& second, const Spot& spot) const;
    bool places_alike(const TableView& first, const TableView& second, PlaceId a, PlaceId b) const;
    bool facts_alike(const TableView& first, const TableView& second, const Spot& spot) const;
    std::vector<KindId> known_kinds(Side side, const TableView& run, PlaceId place, bool ordered) const;
    // The values of a move of `from` as the other side says them. `from_place`, `to_place`: the one place that the cards on offer lie
    // at, where that must be known.
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
    Store<EnumId, std::vector<std::int32_t>> values_[2];  // by value, the number of its name among all names
    bool same_pieces_ = false;                            // piece for piece, and sets are of one width
};

// What one value of a move at this node is: a kind for cards, a seat for a window.
Type meant_type(const Run& run);

}  // namespace houserule
