// Which pieces of a game are of a kind or a family, as bit masks; what can be done with sets of them stands in piece_forms.hpp.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_forms.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

template <int W>
class PieceSets : public PieceForms<W> {
    using M = Mask<W>;

public:
    explicit PieceSets(const Game& game) : PieceForms<W>(game.piece_kind.data(), nullptr, !has_copies(game)) {
        for (const PieceKind& kind : game.kinds) {
            M mask;
            for (std::int32_t i = 0; i < kind.copies; ++i) mask.add(kind.first_piece + i);
            masks_.push_back(mask);
            all_ = all_ | mask;
        }
        this->of_kind_ = masks_.data();
        for (const auto& family : game.families) {
            M mask;
            for (KindId k = 0; k < family.kind_count; ++k) mask = mask | this->of_kind(family.first_kind + k);
            of_family_.push_back(mask);
        }
    }
    PieceSets(const PieceSets&) = delete;
    PieceSets& operator=(const PieceSets&) = delete;

    const M& all() const { return all_; }
    const M& of_family(FamilyId family) const { return family == no_id ? all_ : of_family_[family]; }

private:
    std::vector<M> masks_;
    Store<FamilyId, M> of_family_;
    M all_;
};

}  // namespace houserule
