// Operations on sets of pieces as bit masks, over two tables: the kind of each piece and the pieces of each kind.
//
// Copies of a kind at one place are interchangeable: any of them may stand for another. `where` is a function from a piece to its place.
// Compiled games include this text, too (interpreter/compiled): it may use nothing that is not in it, in mask.hpp or in <cstdint>.
#pragma once

#include "interpreter/engine/mask.hpp"

#include <cstdint>

namespace houserule {

template <int W>
class PieceForms {
    using M = Mask<W>;

public:
    // `kinds` by piece, `of_kind` by kind; `single`: every kind has one piece. The tables are the caller's.
    constexpr PieceForms(const std::int32_t* kinds, const M* of_kind, bool single) : kinds_(kinds), of_kind_(of_kind), single_(single) {}

    // Whether every kind has one piece.
    constexpr bool single_copies() const { return single_; }
    constexpr std::int32_t kind(int piece) const { return kinds_[piece]; }
    constexpr const M& of_kind(std::int32_t kind) const { return of_kind_[kind]; }
    constexpr const M& like(int piece) const { return of_kind(kind(piece)); }

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
        const int first = pieces.lowest();
        return (pieces - like(first)).empty() && copies_like(pieces, first, where) == pieces;
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
    // `wanted`, with copies at the same place instead of those that are among `others`; without them where there is none, or there is an
    // order.
    template <typename Where, typename Ordered>
    M claimed(const M& wanted, const M& others, Where where, Ordered is_ordered) const {
        bool in_order = false;
        for (M both = wanted & others; !both.empty();) in_order = is_ordered(where(both.pop())) || in_order;
        return in_order ? wanted - others : join(others, wanted, where) - others;
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
        for (M rest = from; count > 0 && !rest.empty();) {
            M same = rest & like(rest.lowest());
            rest = rest - same;
            for (int left = same.size(); left > count; left = same.size()) {
                int first = same.lowest();
                same.each([&](int piece) { first = where(piece) < where(first) ? piece : first; });
                M here = copies_like(same, first, where);
                same = same - here;
                for (; count > 0 && !here.empty(); --count) result.add(here.pop());
                if (count == 0) return result;
            }
            count -= same.size();
            result = result | same;
        }
        return result;
    }
    // One piece for each kind at each place.
    template <typename Where>
    M representatives(const M& from, Where where) const {
        if (single_) return from;
        M result;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.lowest();
            result.add(piece);
            rest = rest - copies_like(rest, piece, where);
        }
        return result;
    }
    // Of `from`: the copies of a piece's kind at its place.
    template <typename Where>
    M copies_like(const M& from, int piece, Where where) const {
        M copies = from & like(piece);
        const M all = copies;
        all.each([&](int other) {
            if (where(other) != where(piece)) copies.remove(other);
        });
        return copies;
    }

protected:
    const std::int32_t* kinds_;
    const M* of_kind_;
    bool single_;
};

// One piece for each kind, of pieces at one place. `same_below` by i: the pieces that are of one kind with the piece i + 1 below; D: copies
// of a kind less one, at most. As PieceForms::representatives, without a loop over the pieces.
template <int D, int W>
Mask<W> one_of_each(const Mask<W>& from, const Mask<W> (&same_below)[D]) {
    Mask<W> others;
    for (int i = 0; i < D; ++i) others = others | (from.up(i + 1) & same_below[i]);
    return from - others;
}

}  // namespace houserule
