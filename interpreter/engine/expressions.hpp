// Computes a game's expressions on the flat state of a run: the fast form of dsl/meaning/operators.hpp, with sets of pieces as bit masks.
// tests/unit/interpreter/fast_test.cpp checks on random states that both give the same values and promises.
//
// It reads the state and never writes to it. It holds the comprehension variables and the first promise that broke, so only one reader
// may use it at a time.
#pragma once

#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/engine/filters.hpp"
#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_sets.hpp"
#include "interpreter/engine/pile_forms.hpp"
#include "interpreter/engine/split_forms.hpp"
#include "interpreter/engine/state_bytes.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/failure.hpp"
#include "interpreter/run/laid_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

// Traced: records what is read.
template <int W, bool Traced>
class Expressions {
    using M = Mask<W>;

    // An expression made ready to be computed: a leaf (constant or variable) is read at `leaf`, all others have a function.
    struct Packed {
        const std::byte* leaf = nullptr;
        std::int32_t (*number)(Expressions&, const Packed&) = nullptr;
        M (*mask)(Expressions&, const Packed&) = nullptr;
        Operator op = Operator::constant;
        bool cards = false;
        bool total = false;   // a comprehension whose body breaks no promise: it may stop early
        bool places = false;  // a comprehension whose body reads where a card lies: copies at several places are not alike
        Operand a = no_id;
        Operand b = no_id;
        Operand c = no_id;
        Operand kept = no_id;   // in `kept_`, when its value is kept
        Operand table = no_id;  // in `number_tables_`, when it is looked up
        std::int32_t immediate = 0;
        std::int32_t first = 0;  // of a set: the element of the lowest bit
        std::uint32_t at = 0;    // facts, variables and places: where the first one lies

        Operand named() const { return Operand(immediate); }
    };

public:
    Expressions(const Machine& machine, const std::byte* state) : g_(machine.game), l_(machine.layout), s_(state), r_(state), pieces_(g_) {
        bound_.resize(static_cast<std::size_t>(g_.bounds) + 1);
        for (const std::vector<int>& bits : set_rows(machine)) {
            M mask;
            for (const int bit : bits) mask.add(bit);
            sets_.push_back(mask);
        }
        judged_.resize(g_.variables.size());
        for (const Expression& x : g_.expressions)
            if (x.op == Operator::least_left) judged_[x.named()].emplace();
        splits_.resize(g_.expressions.size());
        x_.resize(g_.expressions.size());
        for (const ExpressionId e : x_.ids()) x_[e] = packed(g_.expressions[e], e);
        prepare_filters(machine);
        prepare_totals();
        prepare_tables();
        prepare_kept(machine);
        judged_so_far_ = 0;  // for the tables
    }
    Expressions(const Expressions&) = delete;
    Expressions& operator=(const Expressions&) = delete;

    const PieceSets<W>& pieces() const { return pieces_; }
    template <typename Ordered>
    M claimed(const M& wanted, const M& others, Ordered is_ordered) const {
        return pieces_.claimed(wanted, others, where(), is_ordered);
    }
    // Reads another state from now on: during simultaneous effects, the state before them.
    void read_from(const std::byte* state) {
        r_ = state;
        table_changed();
    }
    // To be called after facts were set or cards moved.
    void table_changed() { ++version_; }
    bool reads_the_present() const { return r_ == s_; }

    // Values. `failed` then says whether a promise has broken, in this computation or an earlier one.
    [[gnu::always_inline]] std::int32_t scalar(ExpressionId id) { return value(x_[id]); }
    M wide(ExpressionId id) {
        const Packed& n = x_[id];
        return n.mask(*this, n);
    }
    M cards(ExpressionId id) { return wide(id); }
    M set(ExpressionId id) { return wide(id); }
    bool is_cards(ExpressionId id) const { return x_[id].cards; }
    // Of a set of this type: the element that the lowest bit stands for.
    std::int32_t first_of(const Type& set) const { return first_element(l_, set); }
    std::int32_t first_of(ExpressionId set) const { return x_[set].first; }
    // Of a set without a start value: where the state says whether it has a value.
    std::uint32_t given_at(FactId set, std::int32_t index) const { return l_.given[set] + 4 * static_cast<std::uint32_t>(index); }
    bool fits(const FactTest& t, int element) const { return (look<std::int32_t>(t.at + 4 * element) == t.value) == t.same; }
    // Of `cards where` and of `some` over cards: the filter of its condition, or -1 when that is computed card by card.
    FilterId filter_of(ExpressionId id) const { return x_[id].c.value(); }
    const std::vector<Filter<W>>& filters() const { return filters_; }
    // The address of a leaf's value.
    const std::byte* bytes_of(ExpressionId id) const {
        const Packed& n = x_[id];
        if (n.op == Operator::set_constant) return reinterpret_cast<const std::byte*>(&sets_[n.immediate]);
        if (n.op == Operator::set_variable || n.op == Operator::cards_variable) return s_ + n.at;
        return n.leaf;
    }

    // A value for callers outside the run, with `bound`, if any, set to `element`. An earlier failure is ignored, and kept.
    std::optional<std::int32_t> probe(ExpressionId e, BoundId bound, std::int32_t element) {
        if (bound != no_id) bound_[bound] = element;
        return probed([&] { return scalar(e); });
    }
    std::optional<M> probe_wide(ExpressionId e) {
        return probed([&] { return wide(e); });
    }

    bool failed() const { return failed_; }
    const Failure& failure() const { return failure_; }
    void forget_failure() { failed_ = false, failure_ = {}; }
    // Records a failure, unless there is one already. Without a span, it is placed at the current step.
    void fail(const Failure& failure) {
        if (failed_) return;
        failed_ = true;
        if (!trying_) failure_ = failure;
    }
    void fail(FailureKind what, PlaceId place = no_id, std::int32_t number = 0) { fail({what, {}, place, no_id, number}); }
    void place_failure(Span span) {
        if (failure_.span == Span{}) failure_.span = span;
    }

    std::uint64_t judged() const { return judged_so_far_; }  // for which something was computed one by one, and sets of splits

    void note_place(PlaceId place) {
        if constexpr (Traced) reads_.places.insert(place);
    }
    Reads& reads() { return reads_; }

private:
    template <typename T>
    T look(std::uint32_t at) const {
        return read_bytes<T>(r_, at);
    }
    std::uint32_t variable(VariableId v) const { return l_.variable[v]; }
    M place_read(PlaceId place) {
        note_place(place);
        return look<M>(l_.place[place]);
    }
    // A function from a piece to its place.
    auto where() const {
        return [places = r_ + l_.where](int piece) -> PlaceId { return read_bytes<std::uint16_t>(places, 2 * piece); };
    }
    template <typename F>
    auto probed(F read) -> std::optional<decltype(read())> {
        const bool saved = std::exchange(failed_, false);
        const auto v = read();
        if (std::exchange(failed_, saved)) return std::nullopt;
        return v;
    }
    std::int32_t broken(ExpressionId e, FailureKind what) {
        fail({what, g_.expressions[e].span, no_id, no_id, 0});
        return 0;
    }
    [[gnu::always_inline]] std::int32_t value(const Packed& n) {
        return n.leaf == nullptr ? n.number(*this, n) : read_bytes<std::int32_t>(n.leaf, 0);
    }
    ExpressionId id_of(const Packed& n) const { return x_.id_of(n); }

    Packed packed(const Expression& x, ExpressionId i) {
        Packed n;
        n.op = x.op;
        n.cards = x.type.base == Base::cards;
        n.a = x.a;
        n.b = x.b;
        n.c = x.c;
        n.immediate = x.immediate;
        n.first = first_of(x.type);
        if (binds(x.op) && is_cards(x.a)) n.places = reads_place_of(g_, x.b, x.bound()) || reads_place_of(g_, x.c, x.bound());
        if (x.op == Operator::constant) n.leaf = reinterpret_cast<const std::byte*>(&x_[i].immediate);
        if (x.op == Operator::bound) n.leaf = reinterpret_cast<const std::byte*>(&bound_[x.bound()]);
        if (x.op == Operator::variable) n.leaf = s_ + variable(x.named());
        if (x.op == Operator::cards_variable || x.op == Operator::set_variable) n.at = variable(x.named());
        if (x.op == Operator::fact || x.op == Operator::set_fact) n.at = l_.fact[x.named()];
        if (x.op == Operator::place) n.at = g_.zones[x.named()].first_place;
        n.number = number_reader(x);
        n.mask = mask_reader(x);
        if (x.op == Operator::lookup && g_.expressions[x.a].op == Operator::kind_of) {
            // Straight from a piece to what the table says of its kind.
            n.b = g_.expressions[x.a].a;
            n.number = &read_table_of_piece;
        }
        if (x.op == Operator::cards_variable && judged_[x.named()]) n.mask = &Expressions::read_judged;
        if (!Traced && x.op == Operator::cards_at && g_.expressions[x.a].op == Operator::place) {
            // The places of a zone lie side by side: straight to the mask.
            const Expression& place = g_.expressions[x.a];
            const Zone& zone = g_.zones[place.named()];
            n.at = l_.place[zone.first_place];
            n.b = place.a;
            n.mask = place.a == no_id ? &Expressions::read_zone : &Expressions::read_zone_of;
        }
        return n;
    }

    using Number = std::int32_t (*)(Expressions&, const Packed&);
    static Number number_reader(const Expression& x) {
        switch (x.op) {
            case Operator::fact:
                return x.a == no_id ? Number{&read_fact} : Number{&read_fact_of};
            case Operator::add:
                return [](Expressions& e, const Packed& n) { return e.of_scalars(n, std::plus<std::int32_t>()); };
            case Operator::subtract:
                return [](Expressions& e, const Packed& n) { return e.of_scalars(n, std::minus<std::int32_t>()); };
            case Operator::distance:
                return [](Expressions& e, const Packed& n) { return std::abs(e.of_scalars(n, std::minus<std::int32_t>())); };
            case Operator::equal:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.of_scalars(n, std::equal_to<std::int32_t>()); };
            case Operator::less:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.of_scalars(n, std::less<std::int32_t>()); };
            case Operator::less_equal:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.of_scalars(n, std::less_equal<std::int32_t>()); };
            case Operator::both:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.scalar(n.a) != 0 && e.scalar(n.b) != 0; };
            case Operator::either:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.scalar(n.a) != 0 || e.scalar(n.b) != 0; };
            case Operator::negate:
                return [](Expressions& e, const Packed& n) -> std::int32_t { return e.scalar(n.a) == 0; };
            case Operator::conditional:
                return [](Expressions& e, const Packed& n) { return e.scalar(n.a) != 0 ? e.scalar(n.b) : e.scalar(n.c); };
            case Operator::lookup:
                return &read_table;
            case Operator::kind_of:
                return &read_kind;
            case Operator::neighbour:
                return [](Expressions& e, const Packed& n) {
                    const std::int32_t p = e.scalar(n.a) + n.immediate;
                    if (p < n.immediate) return e.broken(e.id_of(n), FailureKind::no_owner);
                    return p >= e.g_.players ? p - e.g_.players : p;
                };
            case Operator::size_of_cards:
                return [](Expressions& e, const Packed& n) { return e.cards(n.a).size(); };
            case Operator::size_of_set:
                return [](Expressions& e, const Packed& n) { return e.set(n.a).size(); };
            case Operator::exists:
                return [](Expressions& e, const Packed& n) { return e.exists(n); };
            case Operator::the_card:
                return &read_the_card;
            case Operator::place:
                return x.a == no_id ? Number{[](Expressions&, const Packed& n) { return static_cast<std::int32_t>(n.at); }}
                                    : Number{&read_place_of};
            case Operator::has_kind:
                return [](Expressions& e, const Packed& n) -> std::int32_t {
                    const M m = e.cards(n.a);
                    const std::int32_t k = e.scalar(n.b);
                    return k >= 0 && !(m & e.pieces_.of_kind(k)).empty();
                };
            case Operator::has_element:
                return [](Expressions& e, const Packed& n) -> std::int32_t {
                    const M m = e.set(n.a);
                    const std::int32_t v = e.scalar(n.b) - e.first_of(n.a);
                    return v >= 0 && v < 64 * W && m.has(v);
                };
            default:
                return [](Expressions& e, const Packed& n) { return e.scalar_otherwise(n); };
        }
    }
    using Masked = M (*)(Expressions&, const Packed&);
    static Masked mask_reader(const Expression& x) {
        switch (x.op) {
            case Operator::cards_variable:
            case Operator::set_variable:
                return [](Expressions& e, const Packed& n) { return read_bytes<M>(e.s_, n.at); };
            case Operator::cards_single:
                return [](Expressions& e, const Packed& n) {
                    const std::int32_t piece = e.scalar(n.a);
                    return piece < 0 ? M{} : M::bit(piece);
                };
            case Operator::cards_join:
                return [](Expressions& e, const Packed& n) {
                    const M a = e.cards(n.a);
                    return e.pieces_.join(a, e.cards(n.b), e.where());
                };
            case Operator::cards_minus:
                return [](Expressions& e, const Packed& n) {
                    const M a = e.cards(n.a);
                    return e.pieces_.minus(a, e.cards(n.b), e.where());
                };
            case Operator::cards_where:
                return [](Expressions& e, const Packed& n) { return e.cards_where(n, false); };
            case Operator::set_constant:
                return [](Expressions& e, const Packed& n) { return e.sets_[n.immediate]; };
            case Operator::set_minus:
                return [](Expressions& e, const Packed& n) { return e.of_sets(n, [](const M& a, const M& b) { return a - b; }); };
            case Operator::set_single:
                return [](Expressions& e, const Packed& n) {
                    const std::int32_t v = e.scalar(n.a) - n.first;
                    return v < 0 || v >= 64 * W ? M{} : M::bit(v);
                };
            case Operator::set_where:
                return [](Expressions& e, const Packed& n) { return e.set_where(n); };
            case Operator::set_most:
            case Operator::set_least:
                return [](Expressions& e, const Packed& n) { return e.set_best(n); };
            case Operator::cards_groups:
                return [](Expressions& e, const Packed& n) { return e.groups(e.id_of(n), n); };
            case Operator::cards_of:
                return [](Expressions& e, const Packed& n) { return e.cards_of(n); };
            default:
                if (x.type.base == Base::cards) return [](Expressions& e, const Packed& n) { return e.cards_otherwise(n); };
                return [](Expressions& e, const Packed& n) { return e.set_otherwise(n); };
        }
    }

    // Two operands, the first read first: which promise breaks first depends on it, and C++ leaves the order open.
    template <typename F>
    [[gnu::always_inline]] auto of_scalars(const Packed& n, F f) {
        const std::int32_t a = scalar(n.a);
        return f(a, scalar(n.b));
    }
    template <typename F>
    auto of_sets(const Packed& n, F f) {
        const M a = set(n.a);
        return f(a, set(n.b));
    }

    static std::int32_t read_fact(Expressions& e, const Packed& n) {
        const auto v = e.template look<std::int32_t>(n.at);
        return v == unset_value ? e.broken(e.id_of(n), FailureKind::read_before_set) : v;
    }
    static std::int32_t read_fact_of(Expressions& e, const Packed& n) {
        const std::int32_t i = e.scalar(n.a);
        if (i < 0) return e.broken(e.id_of(n), FailureKind::no_owner);
        const auto v = e.template look<std::int32_t>(n.at + 4 * i);
        return v == unset_value ? e.broken(e.id_of(n), FailureKind::read_before_set) : v;
    }
    static std::int32_t read_table_of_piece(Expressions& e, const Packed& n) {
        const std::int32_t piece = e.scalar(n.b);
        if (piece < 0) return read_table(e, n);
        const auto& table = e.g_.tables[n.named()];
        const std::size_t kind = e.pieces_.kind(piece);
        if (kind >= table.size()) return e.broken(e.id_of(n), FailureKind::nothing_to_read);
        const std::int32_t v = table[kind];
        return v == unset_value ? e.broken(e.id_of(n), FailureKind::no_such_value) : v;
    }
    static std::int32_t read_table(Expressions& e, const Packed& n) {
        const std::int32_t i = e.scalar(n.a);
        const auto& table = e.g_.tables[n.named()];
        if (i < 0 || static_cast<std::size_t>(i) >= table.size()) return e.broken(e.id_of(n), FailureKind::nothing_to_read);
        const std::int32_t v = table[i];
        return v == unset_value ? e.broken(e.id_of(n), FailureKind::no_such_value) : v;
    }
    static std::int32_t read_kind(Expressions& e, const Packed& n) {
        const std::int32_t piece = e.scalar(n.a);
        return piece < 0 ? e.broken(e.id_of(n), FailureKind::no_card) : e.pieces_.kind(piece);
    }
    static std::int32_t read_the_card(Expressions& e, const Packed& n) {
        const M m = e.cards(n.a);
        if (m.empty()) return e.broken(e.id_of(n), FailureKind::no_card_fits), -1;
        if (!m.single()) e.broken(e.id_of(n), FailureKind::several_cards_fit);
        return m.lowest();
    }
    static std::int32_t read_place_of(Expressions& e, const Packed& n) {
        const std::int32_t i = e.scalar(n.a);
        if (i < 0) e.broken(e.id_of(n), FailureKind::no_owner);
        return static_cast<std::int32_t>(n.at) + std::max(0, i);
    }
    static M read_judged(Expressions& e, const Packed& n) { return *e.judged_[n.named()]; }
    static M read_zone(Expressions& e, const Packed& n) { return e.template look<M>(n.at); }
    static M read_zone_of(Expressions& e, const Packed& n) {
        const std::int32_t i = e.scalar(n.b);
        if (i < 0) e.broken(n.a, FailureKind::no_owner);
        return e.template look<M>(n.at + 8 * W * std::max(0, i));
    }

    std::int32_t scalar_otherwise(const Packed& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::multiply:
                return of_scalars(n, std::multiplies<std::int32_t>());
            case Operator::larger:
                return of_scalars(n, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
            case Operator::smaller:
                return of_scalars(n, [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
            case Operator::quotient:
            case Operator::remainder: {
                const std::int32_t a = scalar(n.a);
                const std::int32_t b = scalar(n.b);
                if (b <= 0) return broken(id, FailureKind::division_by_nothing);
                std::int32_t r = a % b;
                if (r < 0) r += b;
                return n.op == Operator::remainder ? r : (a - r) / b;
            }
            case Operator::next_in:
                return next_in(id, n);
            case Operator::sum_over:
            case Operator::largest_over:
            case Operator::smallest_over:
                return total_over(id, n);
            case Operator::the_element: {
                const M m = set(n.a);
                if (m.empty()) return broken(id, FailureKind::nothing_fits);
                if (m.size() != 1) return broken(id, FailureKind::several_fit), m.lowest() + first_of(n.a);
                return m.lowest() + first_of(n.a);
            }
            case Operator::first_card:
            case Operator::last_card:
                return end_card(id, n);
            case Operator::least_left:
                return least_left(id, n);
            case Operator::same_cards: {
                const M a = cards(n.a);
                return pieces_.same_kinds(a, cards(n.b));
            }
            case Operator::same_set:
                return of_sets(n, [](const M& a, const M& b) { return a == b; });
            case Operator::fail:
                return broken(id, failure_of(g_.expressions[id]));
            default:
                return 0;  // sets and cards are computed elsewhere
        }
    }

    // These are in expressions_of_splits.hpp and expressions_of_totals.hpp.
    std::int32_t next_in(ExpressionId id, const Packed& n);
    std::int32_t end_card(ExpressionId id, const Packed& n);
    M end_cards(ExpressionId id, const Packed& n);
    std::int32_t least_left(ExpressionId id, const Packed& n);
    std::int32_t total_over(ExpressionId id, const Packed& n);
    M cards_best(const Packed& n);
    M set_best(const Packed& n);
    void judge(const Packed& n, std::int32_t element) { bound_[n.immediate] = element, ++judged_so_far_; }
    M alike(const Packed& n, M rest, int piece) const {
        return n.places ? pieces_.copies_like(rest, piece, where()) : rest & pieces_.like(piece);
    }
    // Calls f(element or piece, how many) for those that are alike once, or for each element.
    template <typename F>
    void each_of(const Packed& n, F f) {
        if (is_cards(n.a)) {
            for (M rest = cards(n.a); !rest.empty(); ++judged_so_far_) {
                const int piece = rest.lowest();
                const M like = alike(n, rest, piece);
                f(piece, like.size());
                rest = rest - like;
            }
        } else {
            for (M rest = set(n.a); !rest.empty(); ++judged_so_far_) f(rest.pop() + first_of(n.a), 1);
        }
    }
    std::int32_t exists(const Packed& n) {
        if (is_cards(n.a)) return cards_where(n, n.total).empty() ? 0 : 1;
        if (n.c != no_id) return set_where(n).empty() ? 0 : 1;
        std::int32_t found = 0;
        for (M rest = set(n.a); !rest.empty();) {
            judge(n, rest.pop() + first_of(n.a));
            if (scalar(n.b) != 0) found = 1;
            if (found != 0 && n.total) break;
        }
        return found;
    }

    // --- sets of pieces

    M cards_otherwise(const Packed& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::cards_at:
                return place_read(scalar(n.a));
            case Operator::cards_family:
                return pieces_.of_family(n.named());
            case Operator::cards_unplaced:
                return place_read(0) & pieces_.of_family(n.named());
            case Operator::cards_none:
                return M{};
            case Operator::cards_most:
            case Operator::cards_least:
                return cards_best(n);
            case Operator::cards_or_if_none: {
                const M a = cards(n.a);
                return a.empty() ? cards(n.b) : a;
            }
            case Operator::cards_any:
                return any(id, n);
            case Operator::first_cards:
            case Operator::last_cards:
                return end_cards(id, n);
            case Operator::cards_conditional:
                return scalar(n.a) != 0 ? cards(n.b) : cards(n.c);
            case Operator::fail:
                return broken(id, FailureKind::no_case), M{};
            default:
                return M{};
        }
    }
    M cards_of(const Packed& n) {
        const PlaceId first = g_.zones[n.named()].first_place;
        M all;
        for (M owners = set(n.a); !owners.empty();) all = all | place_read(first + owners.pop());
        return all;
    }
    M cards_where(const Packed& n, bool first_only) {
        const M from = cards(n.a);
        if (from.empty()) return from;
        if (n.c != no_id) return from & filter(n.c.value(), from);
        M result;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.lowest();
            const M like = alike(n, rest, piece);
            judge(n, piece);
            if (scalar(n.b) != 0) {
                result = result | like;
                if (first_only) return result;
            }
            rest = rest - like;
        }
        return result;
    }
    M groups(ExpressionId id, const Packed& n);
    M any(ExpressionId id, const Packed& n);

    // --- sets of elements

    M set_otherwise(const Packed& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::set_fact: {
                const std::int32_t index = n.a == no_id ? 0 : scalar(n.a);
                if (index < 0) return broken(id, FailureKind::no_owner), M{};
                if constexpr (Traced) reads_.set_facts.insert({n.named(), index});
                if (l_.given[n.named()] != 0 && look<std::int32_t>(given_at(n.named(), index)) == 0)
                    return broken(id, FailureKind::read_before_set), M{};
                return look<M>(n.at + 8 * W * index);
            }
            case Operator::set_lookup: {
                const std::int32_t i = scalar(n.a);
                const auto& table = g_.tables[n.named()];
                if (i < 0 || static_cast<std::size_t>(i) >= table.size() || table[i] == unset_value)
                    return broken(id, FailureKind::no_such_value), M{};
                return sets_[table[i]];
            }
            case Operator::set_join:
                return of_sets(n, [](const M& a, const M& b) { return a | b; });
            case Operator::set_or_if_none: {
                const M a = set(n.a);
                return a.empty() ? set(n.b) : a;
            }
            case Operator::set_kinds: {
                M kinds;
                for (M rest = cards(n.a); !rest.empty();) kinds.add(pieces_.kind(rest.pop()));
                return kinds;
            }
            case Operator::set_conditional:
                return scalar(n.a) != 0 ? set(n.b) : set(n.c);
            case Operator::fail:
                return broken(id, FailureKind::no_case), M{};
            default:
                return M{};
        }
    }
    M set_where(const Packed& n) {
        M result;
        if (n.c != no_id) {
            const FactTest& test = tests_[n.c.value()];
            for (M rest = set(n.a); !rest.empty();)
                if (const int e = rest.pop(); fits(test, e)) result.add(e);
            return result;
        }
        for (M rest = set(n.a); !rest.empty();) {
            const int e = rest.pop();
            judge(n, e + first_of(n.a));
            if (scalar(n.b) != 0) result.add(e);
        }
        return result;
    }

    // --- filters

    // Of the pieces in `of`, those that fit; of others it says nothing. There must be one.
    M filter(FilterId f, const M& of) {
        const Filter<W>& x = filters_[f];
        switch (x.what) {
            case FilterForm::all:
                return pieces_.all();
            case FilterForm::none:
                return M{};
            case FilterForm::table: {
                const std::int32_t v = x.invariant == no_id ? 0 : scalar(x.invariant) - x.low;
                return v >= 0 && static_cast<std::size_t>(v) < x.masks.size() ? x.masks[v] : M{};
            }
            case FilterForm::both: {
                const M a = of & filter(x.a, of);
                return a.empty() ? a : a & filter(x.b, a);
            }
            case FilterForm::either: {
                const M a = filter(x.a, of);
                const M rest = of - a;
                return rest.empty() ? a : a | filter(x.b, rest);
            }
            case FilterForm::negate:
                return pieces_.all() - filter(x.a, of);
            case FilterForm::choice:
                return filter(scalar(x.invariant) != 0 ? x.a : x.b, of);
            case FilterForm::same:
                return scalar(x.invariant) != 0 ? filter(x.a, of) : pieces_.all() - filter(x.a, of);
        }
        return M{};
    }
    std::optional<M> ask_kinds(ExpressionId e, BoundId bound, const std::vector<ExpressionId>& parts, std::int32_t value);
    void prepare_filters(const Machine& machine);
    void prepare_totals();

    // --- numbers that a few things with few values determine

    struct NumberTable {
        struct Input {
            const Packed* read = nullptr;
            std::int32_t low = 0;
            std::uint32_t values = 0;
        };
        std::vector<Input> inputs;
        bool tries = false;               // an input may break a promise that the expression would not: it need not read it
        std::vector<std::int32_t> cells;  // by the inputs' values; unset until it was needed
        std::int32_t (*number)(Expressions&, const Packed&) = nullptr;  // how it is computed
    };
    void prepare_tables();
    static std::int32_t read_number_table(Expressions& e, const Packed& n);

    // --- values that are kept until something on the table changes

    // Of a class of expressions (repeated.hpp): a value for each value of what they read besides the table.
    struct KeptClass {
        struct Cell {
            std::uint64_t version = 0;  // of the table, for which it was computed
            std::uint64_t judged = 0;   // what computing it added to that
            std::int32_t number = 0;
            M mask;
        };
        std::vector<Cell> cells;   // none until one was needed
        std::uint32_t values = 0;  // that what they read can have, from `low` on
        std::int32_t low = 0;
        std::int64_t saved = 0;  // by a value that was there, about
        std::int64_t gain = 0;   // so far; when it is too low, nothing is kept any more
        std::vector<ExpressionId> members;
    };
    struct KeptExpression {
        std::size_t of_class = 0;
        const Packed* read = nullptr;                                   // what it reads besides the table
        std::int32_t (*number)(Expressions&, const Packed&) = nullptr;  // how it is computed
        M (*mask)(Expressions&, const Packed&) = nullptr;
    };
    void prepare_kept(const Machine& machine);
    void keep_no_more(KeptClass& kept);
    template <typename T>
    static T read_kept(Expressions& e, const Packed& n);

    const Game& g_;
    const Layout& l_;
    const std::byte* s_;  // the state
    const std::byte* r_;  // the state that is read: `s_`, or the one before simultaneous effects
    PieceSets<W> pieces_;
    Store<ExpressionId, Packed> x_;
    std::vector<std::int32_t> bound_;                             // the comprehension variables
    Store<VariableId, std::optional<M>> judged_;                  // of a variable of `least_left`: the set that is judged
    Store<ExpressionId, std::unique_ptr<SplitForms<W>>> splits_;  // of each `least_left` that was computed
    std::uint64_t judged_so_far_ = 0;
    std::vector<M> sets_;
    std::vector<Filter<W>> filters_;
    std::vector<FactTest> tests_;
    std::vector<CardValues<W>> card_values_;
    std::vector<NumberTable> number_tables_;
    bool trying_ = false;  // whether an input can be read
    std::vector<KeptClass> kept_classes_;
    std::vector<KeptExpression> kept_;
    std::uint64_t version_ = 1;  // of the table
    bool failed_ = false;
    Failure failure_;
    Reads reads_;
};

}  // namespace houserule

#include "interpreter/engine/expressions_of_splits.hpp"  // the rest of `Expressions`
#include "interpreter/engine/expressions_of_totals.hpp"
