// The piles of a state: which pieces lie at each place, and moving them. A place has a bit mask; rows and stacks also an order; stacks also
// marks at the beginnings of parts whose order nobody knows.
//
// It works on the bytes of a state that its owner passes in. Each situation has one representation: within a part of a stack pieces are
// in ascending order, and while a stack is one part, only its mask counts and the bytes of its order are not written.
//
// A stack of 5 of which the lower 3 were shuffled together: pieces 1 4 6 | 2 | 9, marks at 0, 3 and 4. Shuffled whole: one mark at 0.
//
// Compiled games include this text, too (interpreter/compiled): it may use nothing that is not in it, in the headers it names or in
// <cstdint> and <cstring>.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/state_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace houserule {

// A piece takes a byte of an order.
inline int piece_in(std::byte byte) { return static_cast<int>(byte); }
inline std::byte byte_of(int piece) { return static_cast<std::byte>(piece); }

// The pieces of which one lies at the bottom of a row or stack (`first`) or on top: one, or a part whose order nobody knows. None of an
// empty place, all of a place without an order.
template <int W, class L>
Mask<W> end_part(const std::byte* state, const L& layout, std::int32_t place, bool first) {
    using M = Mask<W>;
    const auto here = read_bytes<M>(state, layout.place[place]);
    if (here.empty() || layout.order[place] == 0) return here;
    const std::byte* order = state + layout.order[place];
    const int n = here.size();
    if (layout.marks[place] == 0) return M::bit(piece_in(order[first ? 0 : n - 1]));
    const auto marks = read_bytes<M>(state, layout.marks[place]);
    if (marks == M::bit(0)) return here;
    M part;
    for (int i = first ? 0 : n - 1;; i += first ? 1 : -1) {
        part.add(piece_in(order[i]));
        if (first ? i + 1 == n || marks.has(i + 1) : marks.has(i)) return part;
    }
}

// The piece at an end, where the pieces there are alike: of a part the lowest or highest. -1 if there is none, or nobody knows which it is.
template <int W, class L, class Pieces>
int end_piece(const std::byte* state, const L& layout, const Pieces& pieces, std::int32_t place, bool first) {
    const Mask<W> part = end_part<W>(state, layout, place, first);
    if (part.empty()) return -1;
    const int lowest = part.lowest();
    const int n = part.size();
    if (n == 1) return lowest;
    return !(part - pieces.like(lowest)).empty() ? -1 : first ? lowest : part.nth(n - 1);
}

// As many pieces from the bottom of a place (`first`) or from its top; of a set, and of a stack of one part, the lowest or highest.
template <int W, class L>
Mask<W> end_pieces(const std::byte* state, const L& layout, std::int32_t place, std::int32_t wanted, bool first) {
    const auto here = read_bytes<Mask<W>>(state, layout.place[place]);
    const int size = here.size();
    const bool one_part = layout.marks[place] != 0 && read_bytes<Mask<W>>(state, layout.marks[place]) == Mask<W>::bit(0);
    Mask<W> pieces;
    for (int i = first ? 0 : size - wanted, end = first ? wanted : size; i < end; ++i)
        pieces.add(layout.order[place] == 0 || one_part ? here.nth(i) : piece_in(state[layout.order[place] + i]));
    return pieces;
}

// Whether nobody has shuffled those pieces: in the parts of a stack that they are of, all are alike.
template <int W, class L, class Pieces>
bool are_known(const std::byte* state, const L& layout, const Pieces& pieces, std::int32_t place, std::int32_t wanted, bool first) {
    using M = Mask<W>;
    if (layout.marks[place] == 0 || wanted == 0) return true;
    const auto here = read_bytes<M>(state, layout.place[place]);
    const auto marks = read_bytes<M>(state, layout.marks[place]);
    const auto alike = [&](const M& part) { return part.empty() || (part - pieces.like(part.lowest())).empty(); };
    if (marks == M::bit(0)) return alike(here);
    const int size = here.size();
    M part;
    bool known = true;
    for (int i = 0; i <= size; ++i) {
        if (i == size || marks.has(i)) {
            const bool counts = first ? i - part.size() < wanted : i > size - wanted;
            known = known && (!counts || alike(part));
            part = M{};
        }
        if (i < size) part.add(piece_in(state[layout.order[place] + i]));
    }
    return known;
}

// L has tables by place, with the offsets of a Layout (machine.hpp): `place`, `order`, `marks`; and `where`.
template <int W, class L>
class PileForms {
    using M = Mask<W>;
    using PlaceId = std::int32_t;

public:
    PileForms(std::byte* state, const L& layout) : s_(state), l_(layout) {}

    M at(PlaceId place) const { return get<M>(l_.place[place]); }
    int size(PlaceId place) const { return at(place).size(); }
    PlaceId where(int piece) const { return get<std::uint16_t>(l_.where + 2 * piece); }
    bool is_ordered(PlaceId place) const { return l_.order[place] != 0; }
    bool is_stack(PlaceId place) const { return l_.marks[place] != 0; }
    // Whether it is a stack of which nobody knows any order.
    bool is_one_part(PlaceId place) const { return is_stack(place) && get<M>(l_.marks[place]) == M::bit(0); }

    // Calls f(piece) for all pieces there, bottom first; of a set, and of each part, ascending.
    template <typename F>
    void each_in_order(PlaceId place, F f) const {
        const M here = at(place);
        if (is_ordered(place) && !is_one_part(place)) {
            const std::byte* order = s_ + l_.order[place];
            for (int i = 0, n = here.size(); i < n; ++i) f(piece_in(order[i]));
        } else {
            for (M rest = here; !rest.empty();) f(rest.pop());
        }
    }
    // The pieces that can be drawn: the top part of a stack, the last of a row, any of a set; if drawn blindly, any.
    M drawable(PlaceId place, bool blindly) const { return blindly ? at(place) : end_part<W>(s_, l_, place, false); }

    // All pieces into the box, place 0, from so many places. Orders stay written as they were: with no pieces they say nothing.
    void gather(const M& all_pieces, std::size_t count, std::size_t places) {
        std::memset(s_ + l_.where, 0, 2 * count);
        for (std::size_t p = 1; p < places; ++p) {
            put<M>(l_.place[p], M{});
            if (l_.marks[p] != 0) put<M>(l_.marks[p], M{});
        }
        put<M>(l_.place[0], all_pieces);
    }

    // Takes a piece from its place. It then lies nowhere, and `land` must follow.
    void lift(int piece) { lift_from(piece, where(piece)); }
    // The same of one that is known to lie there.
    void lift_from(int piece, PlaceId from) {
        M here = get<M>(l_.place[from]);
        if (l_.order[from] != 0) lift_ordered(piece, from, here.size());
        here.remove(piece);
        put<M>(l_.place[from], here);
    }
    // Puts a lifted piece on top of a pile, or under it; on a stack it becomes a part of its own.
    void land(int piece, PlaceId to, bool under) {
        if (l_.order[to] != 0) {
            land_part(M::bit(piece), to, under);
            return;
        }
        lay(piece, to);
    }
    // Puts a lifted piece where there is no order.
    void lay(int piece, PlaceId to) {
        M here = get<M>(l_.place[to]);
        here.add(piece);
        put<M>(l_.place[to], here);
        put_where(piece, to);
    }
    // Puts lifted pieces on top of a row or stack, or under it, in ascending order; on a stack they become one part.
    void land_part(const M& pieces, PlaceId to, bool under) {
        const M here = get<M>(l_.place[to]);
        const int n = here.size();
        const int count = pieces.size();
        const bool stack = l_.marks[to] != 0;
        if (stack && n > 0 && is_one_part(to)) write_order(to);
        if (!stack || n > 0) {
            std::byte* order = s_ + l_.order[to];
            if (under)
                std::memmove(order + count, order, n);
            else
                order += n;
            pieces.each([&](int piece) { *order++ = byte_of(piece); });
        }
        put<M>(l_.place[to], here | pieces);
        pieces.each([&](int piece) { put_where(piece, to); });
        if (!stack) return;
        const M marks = get<M>(l_.marks[to]);
        M moved = under ? marks.up(count) : marks;
        moved.add(under ? 0 : n);
        put<M>(l_.marks[to], moved);
    }
    void move(int piece, PlaceId to, bool under) {
        lift(piece);
        land(piece, to, under);
    }
    // Takes several pieces from their places, as one after the other.
    void lift_all(M pieces) {
        while (!pieces.empty()) {
            const PlaceId from = where(pieces.lowest());
            const M here = at(from);
            const M together = pieces & here;
            if (l_.order[from] != 0) {
                if (together != here) {
                    lift(pieces.pop());
                    continue;
                }
                if (!is_one_part(from)) std::memset(s_ + l_.order[from], 0, here.size());
                if (l_.marks[from] != 0) put<M>(l_.marks[from], M{});
            }
            put<M>(l_.place[from], here - together);
            pieces = pieces - together;
        }
    }
    // Moves several pieces, one after the other.
    void move_all(const M& what, PlaceId to, bool under) {
        if (what.single()) return move(what.lowest(), to, under);
        if (is_stack(to) || (is_ordered(to) && under)) {
            what.each([&](int piece) { move(piece, to, under); });
            return;
        }
        lift_all(what);
        if (is_ordered(to)) return land_part(what, to, under);
        put<M>(l_.place[to], at(to) | what);
        what.each([&](int piece) { put_where(piece, to); });
    }
    // Moves several pieces together: on a stack they become one part.
    void move_as_part(const M& what, PlaceId to, bool under) {
        if (!is_ordered(to)) return move_all(what, to, under);
        lift_all(what);
        land_part(what, to, under);
    }
    // Moves pieces to the top or bottom of a place, place by place and there in the order in which they lie; what has none, ascending. What
    // comes out of a shuffled part of a stack is one part on a stack again (and ascends elsewhere).
    void move_in_order(const M& what, PlaceId to, bool under) {
        if (what.single()) return move(what.lowest(), to, under);
        std::byte ordered[64 * W];  // no zeros: seldom are there many
        int ends[64 * W];           // of those that go together
        int n = 0;
        int rows = 0;
        each_together(what, [&](const M& pieces) {
            pieces.each([&](int piece) {
                ordered[n++] = byte_of(piece);
                if (!is_stack(to)) ends[rows++] = n;
            });
            if (is_stack(to)) ends[rows++] = n;
        });
        for (int i = 0; i < rows; ++i) {
            const int row = under ? rows - 1 - i : i;
            M pieces;
            for (int at = row == 0 ? 0 : ends[row - 1]; at < ends[row]; ++at) pieces.add(piece_in(ordered[at]));
            move_as_part(pieces, to, under);
        }
    }
    // Moves pieces between two places without an order: the fast form of dealing.
    void move_unordered(const M& what, PlaceId from, PlaceId to) {
        put<M>(l_.place[from], at(from) - what);
        put<M>(l_.place[to], at(to) | what);
    }
    void put_where(int piece, PlaceId place) { put<std::uint16_t>(l_.where + 2 * piece, static_cast<std::uint16_t>(place)); }
    // Puts `in` where `out` lies. The caller must put `out` somewhere.
    void replace(PlaceId place, int out, int in) {
        M here = get<M>(l_.place[place]);
        here.remove(out);
        here.add(in);
        put<M>(l_.place[place], here);
        put_where(in, place);
        if (l_.order[place] == 0 || is_one_part(place)) return;
        std::byte* order = s_ + l_.order[place];
        for (int i = 0; i < here.size(); ++i)
            if (piece_in(order[i]) == out) order[i] = byte_of(in);
    }
    // Makes one part of `count` pieces of a stack, from index `first` on: their order is no longer known.
    void merge_part(PlaceId place, int first, int count) {
        if (l_.marks[place] == 0 || count == 0 || is_one_part(place)) return;
        if (first == 0 && count == size(place)) {
            put<M>(l_.marks[place], M::bit(0));
            return forget_order(place, count);
        }
        M marks = get<M>(l_.marks[place]);
        for (int i = first; i < first + count; ++i) marks.remove(i);
        marks.add(first);
        put<M>(l_.marks[place], marks);
        std::byte* order = s_ + l_.order[place];
        M part;
        for (int i = first; i < first + count; ++i) part.add(piece_in(order[i]));
        for (int i = first; i < first + count; ++i) order[i] = byte_of(part.pop());
        forget_order(place, get<M>(l_.place[place]).size());
    }

protected:
    template <typename T>
    T get(std::uint32_t at) const {
        return read_bytes<T>(s_, at);
    }
    template <typename T>
    void put(std::uint32_t at, const T& value) {
        write_bytes(s_, at, value);
    }

    const L& layout() const { return l_; }
    const std::byte* order_of(PlaceId place) const { return s_ + l_.order[place]; }

private:
    // Calls f(pieces) for those of `what` place by place, there bottom first: for each piece, or for those of a part of a stack together.
    template <typename F>
    void each_together(const M& what, F f) const {
        for (M rest = what; !rest.empty();) {
            PlaceId from = where(rest.lowest());
            for (M others = rest; !others.empty();)
                if (const PlaceId other = where(others.pop()); other < from) from = other;
            const bool stack = is_stack(from);
            const bool one_part = is_one_part(from);
            M together;
            int i = 0;
            each_in_order(from, [&](int piece) {
                if (!together.empty() && (!stack || (!one_part && get<M>(l_.marks[from]).has(i)))) {
                    f(together);
                    together = M{};
                }
                if (what.has(piece)) together.add(piece);
                ++i;
            });
            if (!together.empty()) f(together);
            rest = rest - at(from);
        }
    }
    void write_order(PlaceId place) {
        std::byte* order = s_ + l_.order[place];
        for (M rest = get<M>(l_.place[place]); !rest.empty();) *order++ = byte_of(rest.pop());
    }
    void forget_order(PlaceId place, int n) {
        if (is_one_part(place)) std::memset(s_ + l_.order[place], 0, n);
    }
    void lift_ordered(int piece, PlaceId from, int n) {
        const bool stack = l_.marks[from] != 0;
        if (stack && is_one_part(from)) {
            if (n == 1) put<M>(l_.marks[from], M{});
            return;
        }
        std::byte* order = s_ + l_.order[from];
        int i = n - 1;  // most often it is taken from the top
        while (piece_in(order[i]) != piece) --i;
        if (i < n - 1) std::memmove(order + i, order + i + 1, n - i - 1);
        order[n - 1] = std::byte{0};
        if (!stack) return;
        // The part that began here begins with the next piece now, unless that begins one itself.
        const M marks = get<M>(l_.marks[from]);
        M moved = marks;
        if (i < n - 1) {
            const M under = marks & M::below(i + 1);
            moved = (under | (marks - under).down()) & M::below(n - 1);
        } else {
            moved.remove(i);
        }
        put<M>(l_.marks[from], moved);
        forget_order(from, n - 1);
    }

    std::byte* s_;
    const L& l_;
};

}  // namespace houserule
