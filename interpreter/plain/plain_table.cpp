#include "interpreter/plain/plain_table.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace houserule {

PlainTable::PlainTable(const Machine& machine) : m_(&machine), places_(machine.game.places), where_(machine.game.piece_kind.size(), 0) {
    gather();
}

PieceList PlainTable::pieces(PlaceId place) const {
    PieceList all;
    for (const PieceList& part : places_[place]) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::size_t PlainTable::part_of(std::int32_t piece) const {
    const std::vector<PieceList>& parts = places_[where_[piece]];
    const auto has = [&](const PieceList& part) { return std::find(part.begin(), part.end(), piece) != part.end(); };
    return std::find_if(parts.begin(), parts.end(), has) - parts.begin();
}

void PlainTable::gather() {
    for (auto& parts : places_) parts.clear();
    std::fill(where_.begin(), where_.end(), 0);
    if (where_.empty()) return;
    places_[0].emplace_back(where_.size());
    std::iota(places_[0].front().begin(), places_[0].front().end(), 0);
}

void PlainTable::lift(std::int32_t piece) {
    std::vector<PieceList>& parts = places_[where_[piece]];
    std::erase(parts[part_of(piece)], piece);
    std::erase_if(parts, [](const PieceList& part) { return part.empty(); });
}

void PlainTable::move(const PieceList& pieces, PlaceId to, bool under) {
    for (const std::int32_t piece : pieces) {
        lift(piece);
        where_[piece] = to;
    }
    PieceList sorted = pieces;
    std::sort(sorted.begin(), sorted.end());
    std::vector<PieceList>& parts = places_[to];
    std::vector<PieceList> come;
    if (shape(to) == Shape::row) {
        for (const std::int32_t piece : sorted) come.push_back({piece});
    } else if (!sorted.empty()) {
        come.push_back(sorted);
    }
    parts.insert(under ? parts.begin() : parts.end(), come.begin(), come.end());
    if (is_ordered(to) || parts.empty()) return;
    PieceList all = this->pieces(to);
    std::sort(all.begin(), all.end());
    parts = {all};
}

void PlainTable::shuffle(PlaceId place) {
    if (!is_stack(place) || places_[place].empty()) return;
    PieceList all = pieces(place);
    std::sort(all.begin(), all.end());
    places_[place] = {all};
}

void PlainTable::lay(const std::vector<PlaceId>& where, const std::vector<std::size_t>& part) {
    where_ = where;
    for (auto& parts : places_) parts.clear();
    for (std::size_t piece = 0; piece < where.size(); ++piece) {
        std::vector<PieceList>& parts = places_[where[piece]];
        if (parts.size() <= part[piece]) parts.resize(part[piece] + 1);
        parts[part[piece]].push_back(piece);
    }
}

}  // namespace houserule
