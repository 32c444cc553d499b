// The rest of `expressions.hpp`, which includes it: sums, and what is largest or smallest; tables that are made when a game is loaded;
// values that are kept.
#pragma once

#include "interpreter/engine/expressions.hpp"
#include "interpreter/engine/filters.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace houserule {

template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::total_over(ExpressionId id, const Packed& n) {
    if (n.c != no_id) {
        const CardValues<W>& values = card_values_[n.c.value()];
        const M from = cards(n.a);
        if (from.empty() && n.op != Operator::sum_over) return broken(id, FailureKind::nothing_to_compare);
        if (values.has(from))
            return n.op == Operator::sum_over ? values.sum(from) : values.extreme(from, n.op == Operator::largest_over).value;
    }
    std::int64_t total = 0;
    bool any = false;
    each_of(n, [&](int element, int count) {
        bound_[n.immediate] = element;
        const std::int32_t v = scalar(n.b);
        if (n.op == Operator::sum_over)
            total += std::int64_t{v} * count;
        else if (!any)
            total = v;
        else
            total = n.op == Operator::largest_over ? std::max<std::int64_t>(total, v) : std::min<std::int64_t>(total, v);
        any = true;
    });
    if (!any && n.op != Operator::sum_over) return broken(id, FailureKind::nothing_to_compare);
    return total;
}

template <int W, bool Traced>
auto Expressions<W, Traced>::cards_best(const Packed& n) -> M {
    const M from = cards(n.a);
    if (n.c != no_id && card_values_[n.c.value()].has(from))
        return card_values_[n.c.value()].extreme(from, n.op == Operator::cards_most).pieces;
    M best;
    std::int32_t best_key = 0;
    for (M rest = from; !rest.empty();) {
        const int piece = rest.lowest();
        const M like = alike(n, rest, piece);
        judge(n, piece);
        const std::int32_t key = scalar(n.b);
        const bool better = best.empty() || (n.op == Operator::cards_most ? key > best_key : key < best_key);
        if (better) {
            best = like;
            best_key = key;
        } else if (key == best_key) {
            best = best | like;
        }
        rest = rest - like;
    }
    return best;
}

template <int W, bool Traced>
auto Expressions<W, Traced>::set_best(const Packed& n) -> M {
    M best;
    std::int32_t best_key = 0;
    for (M rest = set(n.a); !rest.empty();) {
        const int e = rest.pop();
        judge(n, e + first_of(n.a));
        const std::int32_t key = scalar(n.b);
        if (best.empty() || (n.op == Operator::set_most ? key > best_key : key < best_key)) {
            best = M::bit(e);
            best_key = key;
        } else if (key == best_key) {
            best.add(e);
        }
    }
    return best;
}

// A table where the number depends on the card alone. Cards for which a promise breaks are not in it.
template <int W, bool Traced>
void Expressions<W, Traced>::prepare_totals() {
    for (const ExpressionId id : x_.ids()) {
        Packed& n = x_[id];
        const bool total = n.op == Operator::sum_over || n.op == Operator::largest_over || n.op == Operator::smallest_over;
        const bool best = n.op == Operator::cards_most || n.op == Operator::cards_least;
        if (Traced || (!total && !best) || !is_cards(n.a)) continue;
        const BoundId bound(n.immediate);
        if (const auto parts = invariant_parts(g_, n.b, bound); !parts || !parts->empty()) continue;
        CardValues<W> values;
        for (KindId kind = 0; const PieceKind& k : g_.kinds) {
            if (const auto value = k.copies > 0 ? probe(n.b, bound, k.first_piece) : std::nullopt)
                values.add(*value, pieces_.of_kind(kind));
            ++kind;
        }
        if (values.is_empty()) continue;
        n.c = Operand(card_values_.size());
        card_values_.push_back(std::move(values));
    }
}

// The pieces for which `e` holds if each of `parts` has this value; nothing if a promise breaks for some kind.
template <int W, bool Traced>
auto Expressions<W, Traced>::ask_kinds(ExpressionId e, BoundId bound, const std::vector<ExpressionId>& parts, std::int32_t value)
    -> std::optional<M> {
    std::vector<std::pair<ExpressionId, Packed>> saved;
    for (const ExpressionId p : parts) {
        saved.emplace_back(p, x_[p]);
        Packed& constant = x_[p];
        constant = {};
        constant.immediate = value;
        constant.leaf = reinterpret_cast<const std::byte*>(&constant.immediate);
    }
    M fits;
    bool broke = false;
    for (std::size_t k = 0; k < g_.kinds.size(); ++k) {
        bound_[bound] = g_.kinds[k].first_piece;
        failed_ = false;
        if (g_.kinds[k].copies > 0 && scalar(e) != 0) fits = fits | pieces_.of_kind(static_cast<KindId>(k));
        broke = broke || failed_;
    }
    failed_ = false;
    for (const auto& [p, n] : saved) x_[p] = n;
    return broke ? std::nullopt : std::optional(fits);
}

template <int W, bool Traced>
void Expressions<W, Traced>::prepare_filters(const Machine& machine) {
    FilterMaker<W> maker(g_, filters_, [this](ExpressionId e, BoundId bound, const std::vector<ExpressionId>& parts, std::int32_t value) {
        return ask_kinds(e, bound, parts, value);
    });
    for (std::size_t i = 0; i < g_.expressions.size(); ++i) {
        const Expression& x = g_.expressions[i];
        const bool exists = x.op == Operator::exists;
        const Base of = exists ? g_.expressions[x.a].type.base : Base::nothing;
        if (x.op == Operator::set_where || of == Base::set) {
            const auto test = fact_test(machine, x.b, Operator::bound, x.bound());
            x_[i].c = test ? Operand(tests_.size()) : Operand();
            if (test) tests_.push_back(*test);
        }
        x_[i].total = exists && !may_break(g_, x.b);
        if (x.op == Operator::cards_where || of == Base::cards) x_[i].c = Operand(maker.make(x.b, x.bound()));
    }
}

template <int W, bool Traced>
void Expressions<W, Traced>::prepare_tables() {
    if (Traced) return;
    for (const ExpressionId e : x_.ids()) {
        const std::vector<TableInput> inputs = table_inputs(g_, e);
        if (inputs.empty()) continue;
        NumberTable table;
        for (const TableInput& input : inputs) {
            table.inputs.push_back({&x_[input.expression], input.low});
            table.inputs.back().values = input.values;
            table.tries = table.tries || may_break(g_, input.expression);
        }
        Packed& n = x_[e];
        table.number = n.number;
        n.table = Operand(number_tables_.size());
        n.number = &read_number_table;
        number_tables_.push_back(std::move(table));
    }
}

template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::read_number_table(Expressions& e, const Packed& n) {
    NumberTable& table = e.number_tables_[n.table.value()];
    if (e.failed_) return table.number(e, n);
    const bool before = std::exchange(e.trying_, e.trying_ || table.tries);
    std::size_t cell = 0;
    bool found = true;
    for (const auto& input : table.inputs) {
        const std::uint32_t value = e.value(*input.read) - input.low;
        found = found && value < input.values;
        cell = cell * input.values + value;
    }
    e.trying_ = before;
    if (e.failed_) found = e.failed_ = false;  // what it does read may break no promise
    if (!found) return table.number(e, n);
    if (table.cells.empty()) {
        std::size_t cells = 1;
        for (const auto& input : table.inputs) cells *= input.values;
        table.cells.assign(cells, unset_value);
    }
    std::int32_t& known = table.cells[cell];
    if (known != unset_value) return known;
    const std::int32_t value = table.number(e, n);
    if (!e.failed_) known = value;
    return value;
}

// What changes with the table alone, or with one more thing, is computed once until the table changes.
template <int W, bool Traced>
void Expressions<W, Traced>::prepare_kept(const Machine& machine) {
    if (Traced) return;
    const Repeated& repeated = machine.repeated;
    kept_classes_.resize(repeated.classes.size());
    for (std::size_t i = 0; i < kept_classes_.size(); ++i) {
        KeptClass& kept = kept_classes_[i];
        const RepeatedClass& found = repeated.classes[i];
        if (found.members.empty()) continue;
        kept.values = found.values;
        kept.low = found.low;
        kept.saved = found.work;
        kept.members = found.members;
        for (const ExpressionId e : found.members) {
            Packed& n = x_[e];
            const ExpressionId read = repeated.of[e].read;
            n.kept = Operand(kept_.size());
            kept_.push_back({i, read == no_id ? nullptr : &x_[read], n.number, n.mask});
            n.number = &read_kept<std::int32_t>;
            n.mask = &read_kept<M>;
        }
    }
}

template <int W, bool Traced>
void Expressions<W, Traced>::keep_no_more(KeptClass& kept) {
    for (const ExpressionId e : kept.members) {
        Packed& n = x_[e];
        n.number = kept_[n.kept.value()].number;
        n.mask = kept_[n.kept.value()].mask;
    }
}

template <int W, bool Traced>
template <typename T>
T Expressions<W, Traced>::read_kept(Expressions& e, const Packed& n) {
    constexpr bool is_number = std::is_same_v<T, std::int32_t>;
    const KeptExpression& x = e.kept_[n.kept.value()];
    KeptClass& kept = e.kept_classes_[x.of_class];
    const auto compute = [&]() -> T {
        if constexpr (is_number)
            return x.number(e, n);
        else
            return x.mask(e, n);
    };
    std::uint32_t at = 0;
    if (x.read != nullptr) {
        at = e.value(*x.read) - kept.low;
        if (at >= kept.values) return compute();
    }
    if (kept.cells.empty()) kept.cells.resize(kept.values);
    auto& cell = kept.cells[at];
    if (cell.version == e.version_) {
        kept.gain += kept.saved;
        e.judged_so_far_ += cell.judged;
        if constexpr (is_number)
            return cell.number;
        else
            return cell.mask;
    }
    const std::uint64_t before = e.judged_so_far_;
    const T value = compute();
    if (e.failed_) return value;  // each time anew: where the promise stands that broke belongs to it
    cell.version = e.version_;
    cell.judged = e.judged_so_far_ - before;
    if constexpr (is_number)
        cell.number = value;
    else
        cell.mask = value;
    if (--kept.gain < -64) e.keep_no_more(kept);
    return value;
}

}  // namespace houserule
