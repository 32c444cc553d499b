#include "tests/random/generator/expressions.hpp"
#include "tests/random/generator/meanings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace houserule::random_games {

// ---- places ------------------------------------------------------------------------------------------------------------------

// Zones where nothing but these families can lie, as far as the scope may know.
std::vector<std::size_t> Expressions::zones_for(std::uint32_t families, const Scope& scope) const {
    std::vector<std::size_t> all;
    if (scope.constant) return all;
    for (std::size_t z = 0; z < words_.zones.size(); ++z)
        if ((words_.zones[z].families & ~families) == 0 && may_read(words_.zones[z].seen, words_.zones[z].by, scope)) all.push_back(z);
    return all;
}

bool Expressions::has_zone(const Type& type, const Scope& scope) const { return !zones_for(type.families, scope).empty(); }

std::optional<Written> Expressions::place(const Scope& scope, std::uint32_t families, bool (*wanted)(const Zone&)) {
    std::vector<std::size_t> all;
    for (const std::size_t z : zones_for(families, scope))
        if (wanted == nullptr || wanted(words_.zones[z])) all.push_back(z);
    if (all.empty()) return std::nullopt;
    const std::size_t z = choices_.one_of(all);
    const Zone& zone = words_.zones[z];
    Written w{zone.name, atom, of_sort(Sort::cards, -1, zone.families), {}};
    Meaning index;
    if (zone.by != Index::table) {
        const Written of = index_of(zone.by, zone.of, zone.seen, scope, 0);
        const bool possessive = zone.by == Index::player && choices_.chance(2, 3);
        w.level = possessive ? owned : without_parts;
        w.text = !possessive ? zone.name + " of " + at_least(of, without_parts)
                             : (of.text == "it" ? "its " : at_least(of, owned) + "'s ") + zone.name;
        index = operand("place of", of);
    }
    const Meaning spot = at_spot(w, zone.spots, 0, scope);
    w.means = [z, index, spot, &words = words_](const Setting& s) {
        const int i = index ? position(index(s)) : 0;
        const Zone& here = words.zones[z];
        const int at = spot ? position(spot(s)) * words.indices(here.by, here.of, s.players) + i : i;
        return cards(lying_at(*s.table, words.place(z, at, s.players)));
    };
    return w;
}

Written Expressions::cards_at(const Type& type, int, const Scope& scope) { return *place(scope, type.families); }

bool Expressions::has_spot(const Type& type, const Scope& scope) const {
    const auto all = zones_for(type.families, scope);
    return std::any_of(all.begin(), all.end(), [&](std::size_t z) { return words_.zones[z].shape == Shape::one; });
}

Written Expressions::card_of_spot(const Type& type, int, const Scope& scope) {
    const Written of = *place(scope, type.families, [](const Zone& z) { return z.shape == Shape::one; });
    needs(scope, at_least(of, ranged) + " is not empty");
    Written w{of.text, of.level, of_sort(Sort::card, -1, of.type.families), {}};
    w.type.spot = true;
    w.means = operand("card of a spot", of);  // nothing when it is empty: whoever needs a card there breaks the promise
    return w;
}

bool Expressions::sees_hidden(const Type& type, const Scope& scope) const {
    return !scope.constant && scope.viewer.empty() && type.families == all_families();
}

// Wherever they lie; cards in no zone lie at place -1.
Written Expressions::all_cards(const Type&, int, const Scope&) {
    const bool one_family = choices_.chance(1, 2);
    const auto f = static_cast<int>(choices_.below(words_.families.size()));
    const std::string name = one_family ? words_.families[static_cast<std::size_t>(f)].name : "cards";
    Written w{"all " + name, atom, of_sort(Sort::cards, -1, one_family ? 1U << f : all_families()), {}};
    w.means = [one_family, f, &words = words_](const Setting& s) {
        Cards all;
        for (std::size_t p = 0; p < s.table->piles.size(); ++p) all.merge(lying_at(*s.table, static_cast<int>(p)));
        for (std::size_t k = 0; k < s.table->unplaced.size(); ++k)
            if (s.table->unplaced[k] > 0) all[{-1, static_cast<int>(k)}] = s.table->unplaced[k];
        std::erase_if(all, [&](const auto& c) { return one_family && words.kinds[static_cast<std::size_t>(c.first.second)].family != f; });
        return cards(all);
    };
    return w;
}

// ---- sets --------------------------------------------------------------------------------------------------------------------

bool Expressions::of_enum_or_players(const Type& type, const Scope&) const {
    return type.element == Sort::enumeration || type.element == Sort::player;
}

Written Expressions::all_values(const Type& type, int, const Scope&) {
    if (type.element == Sort::player)
        return {"players", atom, type, [](const Setting& s) {
                    Elements all;
                    for (int p = 0; p < s.players; ++p) all.insert(p);
                    return elements(all);
                }};
    const Enum& e = words_.enums[static_cast<std::size_t>(type.of)];
    Elements all;
    for (std::size_t i = 0; i < e.values.size(); ++i) all.insert(static_cast<std::int64_t>(i));
    return {e.name, atom, type, [all](const Setting&) { return elements(all); }};
}

// Of a family all of whose kinds are there.
bool Expressions::of_kinds(const Type& type, const Scope& scope) const {
    if (scope.no_kinds) return false;
    const auto is_written = [&](std::size_t f) { return (type.families >> f & 1U) != 0 && !words_.families[f].kinds.empty(); };
    bool any = false;
    for (std::size_t f = 0; f < words_.families.size(); ++f) any = any || is_written(f);
    return type.element == Sort::kind && any;
}

Written Expressions::family_kinds(const Type& type, int, const Scope&) {
    std::vector<std::size_t> usable;
    for (std::size_t f = 0; f < words_.families.size(); ++f)
        if ((type.families >> f & 1U) != 0 && !words_.families[f].kinds.empty()) usable.push_back(f);
    const Family& family = words_.families[choices_.one_of(usable)];
    Type of = type;
    of.families = 1U << (static_cast<std::size_t>(&family - words_.families.data()));
    Elements all;
    for (const int k : family.kinds) all.insert(k);
    return {"kinds of " + family.name, without_parts, of, [all](const Setting&) { return elements(all); }};
}

Written Expressions::kinds_of(const Type& type, int depth, const Scope& scope) {
    const Type from = of_sort(Sort::cards, -1, type.families);
    if (!can_make(from, scope)) return family_kinds(type, depth, scope);
    const Written a = make(from, depth, scope);
    Type of = type;
    of.families = a.type.families;
    return {"kinds of " + at_least(a, without_parts), without_parts, of, [a = operand("kinds of", a)](const Setting& s) {
                Elements all;
                for (const auto& [at, count] : a(s).cards) all.insert(at.second);
                return elements(all);
            }};
}

Written Expressions::joined_sets(const Type& type, int depth, const Scope& scope) {
    const Written a = make(type, depth, scope);
    const Written b = choices_.chance(1, 4) ? a : make(type, depth, scope);
    Written w{at_least(a, summed) + " + " + at_least(b, multiplied), summed, type, {}};
    w.type.families = a.type.families | b.type.families;
    w.means = [a = operand("joined", a), b = operand("joined", b), of_cards = type.sort == Sort::cards](const Setting& s) {
        Value left = a(s);
        const Value right = b(s);
        left.many.insert(right.many.begin(), right.many.end());
        if (of_cards) left.cards = joined(left.cards, right.cards, *s.table);
        return left;
    };
    return w;
}

Written Expressions::less_sets(const Type& type, int depth, const Scope& scope) {
    const Written a = make(type, depth, scope);
    const Type one = element_of(type);
    const bool single = choices_.chance(1, 2) && can_make(one, scope);
    const Written b = make(single ? one : type, depth, scope);
    Written w{at_least(a, owned) + " but " + at_least(b, owned), without_parts, a.type, {}};
    w.means = [a = operand("but", a), b = operand("but", b)](const Setting& s) {
        Value left = a(s);
        const Value right = b(s);
        for (const Fraction& e : right.many) left.many.erase(e);
        if (right.one) left.many.erase(*right.one);
        left.cards = without(left.cards, right.cards);
        return left;
    };
    return w;
}

namespace {

// What would end a `where` around it, outside of brackets.
bool ends_where(const std::string& text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '{' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == '}' || text[i] == ']' ? -1 : 0;
        const auto here = std::string_view(text).substr(i);
        if (depth == 0 && (here.starts_with(" or if none ") || here.starts_with(" with most ") || here.starts_with(" with least ")))
            return true;
    }
    return false;
}

}  // namespace

Written Expressions::filtered(const Type& type, int depth, const Scope& scope) {
    const Written a = make(type, depth, scope);
    // Deeper now and then: what depends on the thing in several ways is asked of each by itself.
    const Written c = make(truth_type(), depth + (choices_.chance(1, 3) ? 1 : 0), inner(scope, element_of(a.type)));
    const std::string condition = ends_where(c.text) ? "(" + c.text + ")" : c.text;
    Written w{at_least(a, ranged) + " where " + condition, whole, a.type, {}};
    w.means = [a = operand("where", a), c = operand("where", c)](const Setting& s) {
        return kept(a(s), [&](const Value& v) { return holds(c(with(s, "it", v))); });
    };
    return w;
}

Written Expressions::best(const Type& type, int depth, const Scope& scope) {
    const bool most = choices_.chance(1, 2);
    const Written a = make(type, depth, scope);
    const Written e = make(number_type(), depth, inner(scope, element_of(a.type)));
    const std::string name = most ? "with most" : "with least";
    Written w{at_least(a, ranged) + " " + name + " " + at_least(e, summed), grouped, a.type, {}};
    w.means = [a = operand(name, a), e = operand(name, e), most](const Setting& s) {
        const Value from = a(s);
        std::optional<Fraction> limit;
        for (const Value& v : each_of(from)) {
            const Fraction n = need(e(with(s, "it", v)));
            if (!limit || (most ? *limit < n : n < *limit)) limit = n;
        }
        return kept(from, [&](const Value& v) { return need(e(with(s, "it", v))) == *limit; });
    };
    return w;
}

Written Expressions::or_if_none(const Type& type, int depth, const Scope& scope) {
    const Written a = make(type, depth, scope);
    const Written b = make(type, depth, scope);
    Written w{at_least(a, ranged) + " or if none " + at_least(b, ranged), grouped, a.type, {}};
    w.type.families = a.type.families | b.type.families;
    w.means = [a = operand("or if none", a), b = operand("or if none", b)](const Setting& s) {
        Value v = a(s);
        return v.many.empty() && v.cards.empty() ? b(s) : v;
    };
    return w;
}

Written Expressions::groups(const Type& type, int depth, const Scope& scope) {
    const int size = choices_.between(2, 4);
    const Written from = make(type, depth, scope);
    std::optional<Written> by;
    if (!scope.inside && choices_.chance(1, 2)) by = make(number_type(), depth, inner(scope, element_of(from.type)));
    // Without brackets, `by` would belong to groups inside.
    Written w{fmt::format("groups of {} from {}", size, at_least(from, by ? owned : without_parts)), without_parts, from.type, {}};
    if (by) w.text += " by " + at_least(*by, without_parts);
    const Meaning key = by ? operand("groups by", *by) : Meaning{};
    w.means = [from = operand("groups of", from), size, key](const Setting& s) {
        const Value all = from(s);
        std::map<int, Fraction> keys;
        for (const Value& v : each_of(all)) keys[kind_of(v)] = key ? need(key(with(s, "it", v))) : Fraction(kind_of(v));
        return cards(full_groups(all.cards, size, [&](int kind) { return keys.at(kind); }));
    };
    return w;
}

Written Expressions::any(const Type& type, int depth, const Scope& scope) {
    const int count = choices_.between(0, 3);
    const Written from = make(type, depth, scope);
    Written w{fmt::format("any {} of {}", count, at_least(from, without_parts)), without_parts, from.type, {}};
    w.means = [from = operand("any of", from), count](const Setting& s) { return cards(any_of(from(s).cards, count)); };
    return w;
}

}  // namespace houserule::random_games
