// Numbered places, what lies in an order, and cards that are taken apart into sets.
#include "tests/random/generator/expressions.hpp"
#include "tests/random/generator/meanings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace houserule::random_games {

// ---- numbered places ---------------------------------------------------------------------------------------------------------

// A whole number, mostly between `low` and `high`.
Written Expressions::whole_number(int low, int high, int depth, const Scope& scope) {
    const Marked part(choices_, "expression");
    if (depth < 0 || choices_.chance(1, 2)) {
        const int n = choices_.between(low, high);
        return {fmt::format("{}", n), atom, number_type(n, n), [n](const Setting&) { return scalar(n); }};
    }
    const Written n = make(number_type(), depth, scope);
    const int highest = choices_.chance(1, 300) ? high + 1 : high;
    Written w{fmt::format("smaller({}, larger({}, quotient({}, 1)))", highest, low, n.text), atom, number_type(low, highest), {}};
    w.means = [n = n.means, low, highest](const Setting& s) {
        const Fraction at = Fraction(need(n(s)).floor());
        return scalar(at < Fraction(low) ? Fraction(low) : Fraction(highest) < at ? Fraction(highest) : at);
    };
    return w;
}

Meaning Expressions::at_spot(Written& of, const Spots& spots, int depth, const Scope& scope) {
    if (!spots.numbered()) return {};
    const Written n = whole_number(spots.first, spots.last, depth, scope);
    of.text = fmt::format("{} at {}", at_least(of, owned), at_least(n, atom));
    of.level = owned;
    return [n = operand("at", n), spots](const Setting& s) {
        const int at = position(n(s));
        if (at < spots.first || at > spots.last) throw BrokenPromise{};
        return scalar(at - spots.first);
    };
}

bool Expressions::is_several(std::size_t zone, const Scope& scope) const {
    const Zone& z = words_.zones[zone];
    return (z.by != Index::table || z.spots.numbered()) && (scope.viewer.empty() || z.seen == Seen::all);
}

bool Expressions::has_several(const Type& type, const Scope& scope) const {
    const auto all = zones_for(type.families, scope);
    return std::any_of(all.begin(), all.end(), [&](std::size_t z) { return is_several(z, scope); });
}

Written Expressions::cards_of_several(const Type& type, int depth, const Scope& scope) {
    std::vector<std::size_t> all;
    for (const std::size_t z : zones_for(type.families, scope))
        if (is_several(z, scope)) all.push_back(z);
    const std::size_t z = choices_.one_of(all);
    const Zone& zone = words_.zones[z];
    Written w{"every " + zone.name, atom, of_sort(Sort::cards, -1, zone.families), {}};
    Meaning owners;
    if (zone.by != Index::table && choices_.chance(1, 2)) {
        const Type of = set_of(zone.by == Index::player ? of_sort(Sort::player) : of_sort(Sort::enumeration, zone.of));
        const Written who = make(of, depth, scope);
        w.text = zone.name + " of " + at_least(who, without_parts);
        w.level = without_parts;
        owners = operand("places of", who);
    }
    w.means = [z, owners, &words = words_](const Setting& s) {
        Cards found;
        const int count = words.indices(words.zones[z].by, words.zones[z].of, s.players);
        const Value who = owners ? owners(s) : none();
        for (int i = 0; i < count * words.zones[z].spots.count(); ++i)
            if (!owners || who.many.contains(i % count)) found.merge(lying_at(*s.table, words.place(z, i, s.players)));
        return cards(found);
    };
    return w;
}

// ---- what lies in an order ---------------------------------------------------------------------------------------------------

namespace {

bool is_ordered(const Zone& z) { return z.shape == Shape::row || z.shape == Shape::stack; }
bool is_row(const Zone& z) { return z.shape == Shape::row; }

// So many cards from an end of what lies at one place. Too few, or a shuffled one among them: a broken promise.
Cards from_end(const Setting& s, const Value& there, const Fraction& count, bool first) {
    if (count.under != 1 || count < Fraction(0) || Fraction(count_of(there.cards)) < count) throw BrokenPromise{};
    if (there.cards.empty()) return {};
    const int place = there.cards.begin()->first.first;
    std::vector<int> order = s.table->orders.at(static_cast<std::size_t>(place));
    if (!first) std::reverse(order.begin(), order.end());
    order.resize(static_cast<std::size_t>(count.over));
    Cards taken;
    for (const int kind : order) {
        if (kind < 0) throw BrokenPromise{};
        ++taken[{place, kind}];
    }
    return taken;
}

}  // namespace

bool Expressions::has_order(const Type& type, const Scope& scope) const {
    const auto all = zones_for(type.families, scope);
    return std::any_of(all.begin(), all.end(), [&](std::size_t z) { return is_ordered(words_.zones[z]); });
}

// A row or a stack; where promises are kept, a row.
Written Expressions::lying_in_order(const Type& type, const Scope& scope) {
    const auto all = zones_for(type.families, scope);
    const bool row = std::any_of(all.begin(), all.end(), [&](std::size_t z) { return is_row(words_.zones[z]); });
    return *place(scope, type.families, scope.careful && row ? is_row : is_ordered);
}

Written Expressions::end_card(const Type& type, int, const Scope& scope) {
    const bool first = choices_.chance(1, 2);
    const Written of = lying_in_order(type, scope);
    needs(scope, at_least(of, ranged) + " is not empty");
    const std::string name = first ? "first of" : "last of";
    Written w{name + " " + at_least(of, without_parts), without_parts, of_sort(Sort::card, -1, of.type.families), {}};
    w.means = [of = operand(name, of), first](const Setting& s) { return cards(from_end(s, of(s), 1, first)); };
    return w;
}

Written Expressions::nth_card(const Type& type, int depth, const Scope& scope) {
    const Written of = lying_in_order(type, scope);
    const Written n = whole_number(1, 3, depth, scope);
    needs(scope, "size of " + at_least(of, without_parts) + " >= " + at_least(n, grouped));
    Written w{at_least(of, owned) + " at " + at_least(n, atom), owned, of_sort(Sort::card, -1, of.type.families), {}};
    w.means = [of = operand("card at", of), n = operand("card at", n)](const Setting& s) {
        const Value there = of(s);
        const Fraction at = need(n(s));
        return cards(without(from_end(s, there, at, true), from_end(s, there, at - Fraction(1), true)));
    };
    return w;
}

Written Expressions::end_cards(const Type& type, int depth, const Scope& scope) {
    const bool first = choices_.chance(1, 2);
    const Written n = whole_number(0, 3, depth, scope);
    const Written of = lying_in_order(type, scope);
    const std::string name = first ? "first n of" : "last n of";
    const bool as_many = scope.careful || choices_.chance(2, 3);  // as there are
    // A number that is worked out stands in brackets.
    const std::string count = as_many ? fmt::format("(smaller({}, size of {}))", n.text, at_least(of, without_parts))
                              : n.text.starts_with("smaller") ? "(" + n.text + ")"
                                                              : n.text;
    Written w{fmt::format("{} {} of {}", first ? "first" : "last", count, at_least(of, without_parts)), without_parts, of.type, {}};
    w.means = [of = operand(name, of), n = operand(name, n), first, as_many](const Setting& s) {
        const Value there = of(s);
        const Fraction wanted = need(n(s));
        return cards(from_end(s, there, as_many ? std::min(wanted, Fraction(count_of(there.cards))) : wanted, first));
    };
    return w;
}

// ---- sets that are taken out -------------------------------------------------------------------------------------------------

namespace {

constexpr std::int64_t most_sets = 2'000;    // that are tried here
constexpr std::int64_t set_limit = 131'071;  // of the language

// What is left at least, of cards in groups, when sets that `fits` are taken out.
struct Parted {
    std::vector<std::pair<int, int>> at;  // place and kind of each group
    std::vector<int> there;
    std::vector<Fraction> worth;
    std::vector<std::vector<int>> fitting;
    std::map<std::vector<int>, Fraction> known;

    Fraction least(const std::vector<int>& left) {
        const auto group = static_cast<std::size_t>(std::find_if(left.begin(), left.end(), [](int n) { return n > 0; }) - left.begin());
        if (group == left.size()) return 0;
        if (const auto before = known.find(left); before != known.end()) return before->second;
        std::vector<int> rest = left;
        --rest[group];
        Fraction best = worth[group] + least(rest);
        for (const std::vector<int>& set : fitting) {
            rest = left;
            bool enough = set[group] > 0;
            for (std::size_t g = 0; g < left.size(); ++g) enough = (rest[g] -= set[g]) >= 0 && enough;
            if (enough) best = std::min(best, least(rest));
        }
        return known[left] = best;
    }
};

// `worth` is of `it`, `fits` of `set`.
Fraction least_sum_left(const Setting& s, const Cards& from, const Meaning& worth, const Meaning& fits, const std::string& set) {
    Parted parted;
    std::int64_t sets = 1;
    for (const auto& [at, count] : from) {
        parted.at.push_back(at);
        parted.there.push_back(count);
        sets = std::min(sets * (count + 1), set_limit + 2);
        parted.worth.push_back(worth ? need(worth(with(s, "it", cards({{at, 1}})))) : Fraction(1));
    }
    if (sets - 1 > set_limit) throw BrokenPromise{};
    if (sets > most_sets) throw Unreckoned{};
    std::vector<int> taken(parted.there.size(), 0);
    for (std::int64_t n = 1; n < sets; ++n) {
        for (std::size_t g = 0; ++taken[g] > parted.there[g]; ++g) taken[g] = 0;
        Cards out;
        for (std::size_t g = 0; g < taken.size(); ++g)
            if (taken[g] > 0) out[parted.at[g]] = taken[g];
        if (holds(fits(with(s, set, cards(std::move(out)))))) parted.fitting.push_back(taken);
    }
    return parted.least(parted.there);
}

}  // namespace

bool Expressions::can_split(const Type&, const Scope& scope) const {
    return !avoiding_(Avoid::sets_taken_apart) && !scope.inside && can_make(of_sort(Sort::cards, -1, all_families()), scope);
}

// Not many, so that not all there is to do is trying sets.
Written Expressions::a_few_cards(const Scope& scope, int depth) {
    const Marked part(choices_, "expression");
    const Written from = make(*any_cards(scope), std::min(depth, 1), scope);
    const int most = choices_.between(3, 8);
    Written w{fmt::format("({0} if size of {1} <= {2}, otherwise {3} but {3})", from.text, at_least(from, without_parts), most,
                          at_least(from, owned)),
              atom,
              from.type,
              {}};
    w.means = [from = from.means, most](const Setting& s) {
        Value v = from(s);
        if (count_of(v.cards) > most) v.cards.clear();
        return v;
    };
    return w;
}

Written Expressions::splits(const Type&, int depth, const Scope& scope) {
    const Written from = a_few_cards(scope, depth);
    const std::string set = fmt::format("m{}", scope.locals.size());
    Scope body = scope;
    body.locals.push_back({set, from.type, "", true});
    body.bound = true;
    const Written fits = make(truth_type(), depth, body);
    Written w{at_least(from, ranged) + " splits into sets " + set + " where " + fits.text, Level::whole, truth_type(), {}};
    w.means = [from = operand("splits", from), fits = operand("splits", fits), set](const Setting& s) {
        return truth(least_sum_left(s, from(s).cards, {}, fits, set) == Fraction(0));
    };
    return w;
}

Written Expressions::least_left(const Type&, int depth, const Scope& scope) {
    const Written from = a_few_cards(scope, depth);
    const Written e = make(number_type(), depth, inner(scope, element_of(from.type)));
    const std::string set = fmt::format("m{}", scope.locals.size());
    Scope body = scope;
    body.locals.push_back({set, from.type, "", true});
    body.bound = true;
    const Written fits = make(truth_type(), depth, body);
    Written w{fmt::format("(smallest sum of {} left of {} after sets {} where {})", at_least(e, summed), at_least(from, without_parts), set,
                          fits.text),
              atom,
              number_type(),
              {}};
    w.means = [from = operand("smallest sum", from), e = operand("smallest sum", e), fits = operand("smallest sum", fits),
               set](const Setting& s) { return scalar(least_sum_left(s, from(s).cards, e, fits, set)); };
    return w;
}

// ---- sets of numbers ---------------------------------------------------------------------------------------------------------

Written Expressions::stepped(const Type& type, int, const Scope&) {
    const bool whole = !choices_.chance(1, 25);  // finer steps do not go together with others everywhere
    const bool quarters = choices_.chance(1, 3);
    const Fraction step = whole ? Fraction(1) : quarters ? Fraction(1, 4) : Fraction(1, 2);
    const int low = choices_.between(0, 3);
    const int high = low + choices_.between(0, 2);
    Elements all;
    for (Fraction n = low; n <= Fraction(high); n = n + step) all.insert(n);
    if (whole) return {fmt::format("{}..{}", low, high), ranged, type, [all](const Setting&) { return elements(all); }};
    return {fmt::format("{}..{} by {}", low, high, quarters ? "0.25" : "0.5"), ranged, type,
            [all](const Setting&) { return elements(all); }};
}

}  // namespace houserule::random_games
