// Operations on sets of pieces as bit masks, and which pieces are of a kind or a family.
//
// Copies of a kind at one place are interchangeable: any of them may stand for another. `where` is a function from a piece to its place.
#pragma once

#include "dsl/game/game.hpp"
#include "interpreter/engine/mask.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace houserule {

template <int W>
class PieceSets {
    using M = Mask<W>;

public:
    explicit PieceSets(const Game& game) : piece_kind_(game.piece_kind.data()) {
        for (const PieceKind& kind : game.kinds) {
            M mask;
            for (std::int32_t i = 0; i < kind.copies; ++i) mask.add(kind.first_piece + i);
            of_kind_.push_back(mask);
            single_copies_ = single_copies_ && kind.copies == 1;
            all_ = all_ | mask;
        }
        for (const auto& family : game.families) {
            M mask;
            for (KindId k = 0; k < family.kind_count; ++k) mask = mask | of_kind(family.first_kind + k);
            of_family_.push_back(mask);
        }
    }

    const M& all() const { return all_; }
    // Whether every kind has one piece.
    bool single_copies() const { return single_copies_; }
    KindId kind(int piece) const { return piece_kind_[piece]; }
    const M& of_kind(KindId kind) const { return of_kind_[kind]; }
    const M& like(int piece) const { return of_kind(kind(piece)); }
    const M& of_family(FamilyId family) const { return family == no_id ? all_ : of_family_[family]; }

    // Whether both hold as many of each kind.
    bool same_kinds(M a, M b) const {
        const M both = a & b;
        a = a - both;
        b = b - both;
        if (a.size() != b.size()) return false;
        while (!a.empty()) {
            const M same = like(a.lowest());
            if ((a & same).size() != (b & same).size()) return false;
            a = a - same;
        }
        return true;
    }
    // Whether they are copies of one kind at one place.
    template <typename Where>
    bool all_alike(M pieces, Where where) const {
        if (pieces.empty()) return true;
        const int first = pieces.pop();
        while (!pieces.empty())
            if (const int piece = pieces.pop(); kind(piece) != kind(first) || where(piece) != where(first)) return false;
        return true;
    }
    // The union, counting copies: a piece in both counts twice, so that another copy at its place, if there is one, is added for it.
    template <typename Where>
    M join(const M& a, const M& b, Where where) const {
        M result = a | b;
        for (M both = a & b; !both.empty();) {
            const int piece = both.pop();
            for (M others = like(piece) - result; !others.empty();) {
                const int other = others.pop();
                if (where(other) != where(piece)) continue;
                result = result | M::bit(other);
                break;
            }
        }
        return result;
    }
    // The difference, counting copies: of each kind at each place as many fewer as `b` has, whichever copies those are.
    template <typename Where>
    M minus(const M& a, const M& b, Where where) const {
        M result = a - b;
        for (M rest = b - a; !rest.empty();) {
            const int piece = rest.pop();
            for (M others = result & like(piece); !others.empty();) {
                const int other = others.pop();
                if (where(other) != where(piece)) continue;
                result.remove(other);
                break;
            }
        }
        return result;
    }
    // The lowest `count` of `from`, places ascending within a kind.
    template <typename Where>
    M lowest(const M& from, int count, Where where) const {
        M result;
        std::array<std::uint64_t, 64 * W> sorted;
        std::size_t n = 0;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.pop();
            sorted[n++] = static_cast<std::uint64_t>(kind(piece)) << 32 | static_cast<std::uint64_t>(where(piece)) << 16 |
                          static_cast<std::uint64_t>(piece);
        }
        std::sort(sorted.begin(), sorted.begin() + n);
        for (std::size_t i = 0; i < n && static_cast<int>(i) < count; ++i) result.add(sorted[i] & 0xffff);
        return result;
    }
    // One piece for each kind at each place.
    template <typename Where>
    M representatives(const M& from, Where where) const {
        if (single_copies_) return from;
        M result;
        int last_kind = -1;
        M seen;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.pop();
            const int k = kind(piece);
            bool repeated = false;
            if (k == last_kind) {
                for (M same = seen; !same.empty() && !repeated;) repeated = where(same.pop()) == where(piece);
            } else {
                seen = M{};
            }
            last_kind = k;
            if (repeated) continue;
            seen.add(piece);
            result.add(piece);
        }
        return result;
    }

private:
    const KindId* piece_kind_;
    std::vector<M> of_kind_;
    Store<FamilyId, M> of_family_;
    M all_;
    bool single_copies_ = true;
};

}  // namespace houserule
