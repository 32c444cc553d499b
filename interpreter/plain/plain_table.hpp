// The pieces of a game on the table: for each place a list of parts, each a list of pieces.
//
// A stack has parts, bottom first, within each of which nobody knows the order. A row has a part for each piece, so that its order is
// known; any other place has one part for all. Within a part pieces ascend.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

using PieceList = std::vector<std::int32_t>;

class PlainTable {
public:
    explicit PlainTable(const Machine& machine);

    const std::vector<PieceList>& parts(PlaceId place) const { return places_[place]; }
    PieceList pieces(PlaceId place) const;  // bottom first
    PlaceId where(std::int32_t piece) const { return where_[piece]; }
    std::int32_t size(PlaceId place) const { return pieces(place).size(); }
    bool is_stack(PlaceId place) const { return shape(place) == Shape::stack; }
    bool is_ordered(PlaceId place) const { return is_stack(place) || shape(place) == Shape::row; }
    std::size_t part_of(std::int32_t piece) const;  // its index

    void gather();  // all pieces into no zone, place 0
    // Takes pieces from wherever they lie and puts them at a place together: on top of a row or stack, or under it. On a stack they are
    // one part; in a row they lie in ascending order.
    void move(const PieceList& pieces, PlaceId to, bool under);
    void shuffle(PlaceId place);  // a stack becomes one part; nothing happens to others
    // Lays out what lies where anew: by piece, its place and the index of its part.
    void lay(const std::vector<PlaceId>& where, const std::vector<std::size_t>& part);

private:
    Shape shape(PlaceId place) const { return place == 0 ? Shape::set : m_->game.zones[m_->place_zone[place]].shape; }
    void lift(std::int32_t piece);

    const Machine* m_;
    std::vector<std::vector<PieceList>> places_;  // by place; no part is empty
    std::vector<PlaceId> where_;                  // by piece
};

}  // namespace houserule
