#include "interpreter/tree/fingerprint.hpp"

#include <algorithm>

namespace houserule {

namespace {

std::uint64_t pair(std::int32_t high, std::int32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
}

void add_all(Fingerprint& f, const std::vector<std::int32_t>& values) {
    f.add(values.size());
    for (std::size_t i = 0; i < values.size(); i += 2) f.add(pair(values[i], i + 1 < values.size() ? values[i + 1] : -1));
}

// Of a move, for those who see the cards, but not in which order they came to lie.
Fingerprint without_order(const Event& move, Fingerprint noticed) {
    std::vector<std::int32_t> pieces = move.pieces;
    std::sort(pieces.begin(), pieces.end());
    noticed.add(pair(1, 0));
    add_all(noticed, pieces);
    return noticed;
}

}  // namespace

void note(const Event& e, std::span<Fingerprint> views) {
    if (e.kind == EventKind::begins || e.audience == no_seats) return;
    const std::int32_t told = e.kind == EventKind::shows ? e.value : 0;  // all see to whom something is shown
    const std::int32_t kind = static_cast<std::int32_t>(e.kind) | (e.aloud ? 1 << 8 : 0) | (e.optional_no ? 1 << 9 : 0) |
                              static_cast<std::int32_t>(e.pieces.size()) << 16;
    Fingerprint noticed;
    noticed.add(pair(kind, e.seat));
    noticed.add(pair(e.name.value(), e.index));
    noticed.add(pair(e.from, e.to));
    noticed.add(told);
    Fingerprint seen = noticed;
    if (e.faces != no_seats) {
        seen.add(pair(1, e.value));
        if (!e.values.empty()) add_all(seen, e.values);
        if (!e.pieces.empty()) add_all(seen, e.pieces);
    }
    const bool in_order = e.kind == EventKind::move && e.value != 0;
    const Fingerprint ascending = in_order ? without_order(e, noticed) : seen;
    for (std::size_t p = 0; p < views.size(); ++p) {
        if ((e.audience >> p & 1) == 0) continue;
        const bool sees_order = !in_order || (e.value >> p & 1) != 0;
        const Fingerprint& part = (e.faces >> p & 1) == 0 ? noticed : sees_order ? seen : ascending;
        views[p].add(part.a);
        views[p].add(part.b);
    }
}

}  // namespace houserule
