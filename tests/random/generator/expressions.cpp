#include "tests/random/generator/expressions.hpp"
#include "tests/random/generator/meanings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::random_games {

namespace {

constexpr int nested_most = 16;  // expressions, one in another; further in there are literals alone

}  // namespace

struct Production {
    const char* name;
    std::vector<Sort> sorts;  // of what it makes; empty: everything
    Written (Expressions::*make)(const Type&, int, const Scope&);
    bool (Expressions::*can)(const Type&, const Scope&) const;  // null: always
    bool leaf;                                                  // nothing stands inside it that could go on

    static const std::vector<Production>& all();
};

bool Expressions::can_make(const Type& type, const Scope& scope) const {
    return std::any_of(Production::all().begin(), Production::all().end(), [&](const Production& p) {
        const bool sort = p.sorts.empty() || std::find(p.sorts.begin(), p.sorts.end(), type.sort) != p.sorts.end();
        if (!p.leaf || !sort || (p.can != nullptr && !(this->*p.can)(type, scope))) return false;
        // In what is written in advance, nothing is made that only a promise could make there.
        return !scope.careful || can_ask_before(scope) || keeps_promises(p, type, scope);
    });
}

Written Expressions::make(const Type& type, int depth, const Scope& scope) {
    std::vector<const Production*> usable;
    for (const Production& p : Production::all()) {
        if (!p.leaf && depth <= 0) continue;
        if (!p.sorts.empty() && std::find(p.sorts.begin(), p.sorts.end(), type.sort) == p.sorts.end()) continue;
        if (p.can == nullptr || (this->*p.can)(type, scope)) usable.push_back(&p);
    }
    const Marked part(choices_, "expression");
    if (scope.careful && std::any_of(usable.begin(), usable.end(), [&](const auto* p) { return keeps_promises(*p, type, scope); }))
        std::erase_if(usable, [&](const Production* each) { return !keeps_promises(*each, type, scope); });
    // What stands in a comprehension speaks of the thing that it is at more often than of others.
    const auto of_things = [](const Production* each) {
        return each->make == &Expressions::local || each->make == &Expressions::the_it || each->make == &Expressions::field;
    };
    const bool at_things = scope.inside || scope.named > 0;
    if (at_things && choices_.often("of things") && std::any_of(usable.begin(), usable.end(), of_things))
        std::erase_if(usable, [&](const Production* each) { return !of_things(each); });
    // Where there are several things, they are compared more often than not.
    const auto compares = [](const Production* each) {
        return each->make == &Expressions::compared_numbers || each->make == &Expressions::same || each->make == &Expressions::is_in;
    };
    // A condition inside a condition is what compares an inner thing with an outer one.
    const auto nests = [](const Production* each) { return each->make == &Expressions::quantified; };
    if (scope.named + (scope.inside ? 1 : 0) == 1 && std::any_of(usable.begin(), usable.end(), nests) && choices_.chance(1, 8))
        std::erase_if(usable, [&](const Production* each) { return !nests(each); });
    const bool at_several = scope.named + (scope.inside ? 1 : 0) > 1 && type.sort == Sort::truth;
    if (at_several && choices_.often("compares") && std::any_of(usable.begin(), usable.end(), compares))
        std::erase_if(usable, [&](const Production* each) { return !compares(each); });
    // Where a card is wanted, one that has a name is there more often than one that is looked for.
    if (type.sort == Sort::card && has_local(type, scope) && choices_.chance(1, 2))
        std::erase_if(usable, [](const Production* each) { return each->make != &Expressions::local; });
    // Places are numbers of places of numbers: that has to end, too.
    const auto ends = [](const Production* each) { return each->make == &Expressions::literal; };
    if (nested_ >= nested_most && std::any_of(usable.begin(), usable.end(), ends))
        std::erase_if(usable, [&](const Production* each) { return !ends(each); });
    std::vector<const char*> usable_names;
    for (const Production* each : usable) usable_names.push_back(each->name);
    // At the bottom all are as likely: facts of facts of facts have to end.
    const Production& p = *usable[depth > 0 ? choices_.favoured(usable_names) : choices_.below(usable.size())];
    ++nested_;
    Written w = (this->*p.make)(type, depth - 1, scope);
    --nested_;
    w.means = [name = std::string(p.name), means = std::move(w.means)](const Setting& s) {
        if (s.sees) s.sees(name, "read");
        return means(s);
    };
    return w;
}

// What a promise of it is can be asked before, or there is none.
bool Expressions::keeps_promises(const Production& p, const Type& type, const Scope& scope) const {
    using E = Expressions;
    if (p.make == &E::groups || p.make == &E::any) return false;
    if (p.make == &E::end_card || p.make == &E::nth_card || p.make == &E::end_cards) {
        const auto all = zones_for(type.families, scope);
        const bool row = std::any_of(all.begin(), all.end(), [&](std::size_t z) { return words_.zones[z].shape == Shape::row; });
        return row && (p.make == &E::end_cards || can_ask_before(scope));
    }
    if (p.make == &E::fact) {
        const auto all = facts_for(type, scope);
        return std::any_of(all.begin(), all.end(), [&](std::size_t f) { return is_kept(f, type, scope); });
    }
    return can_ask_before(scope) || (p.make != &E::the && p.make != &E::card_of_spot && p.make != &E::next_in);
}

bool Expressions::is_kept(std::size_t fact, const Type& type, const Scope& scope) const {
    const Fact& f = words_.facts[fact];
    return f.starts && (!f.type.or_none || type.or_none || can_ask_before(scope));
}

bool Expressions::needs(const Scope& scope, const std::string& condition) {
    if (!scope.careful) return true;
    if (!can_ask_before(scope) || condition.find("reading ") != std::string::npos) return false;
    if (std::find(guards_->begin(), guards_->end(), condition) == guards_->end()) guards_->push_back(condition);
    return true;
}

const std::vector<Production>& Production::all() {
    using E = Expressions;
    using enum Sort;
    static const std::vector<Production> table{
        {"literal", {truth, number, enumeration, player, kind, set}, &E::literal, &E::has_literal, true},
        {"local", {}, &E::local, &E::has_local, true},
        {"it", {}, &E::the_it, &E::has_it, true},
        {"fact", {truth, number, enumeration, player, kind, set}, &E::fact, &E::has_fact, true},
        {"field", {truth, number, enumeration, player, set}, &E::field, &E::has_field, true},
        {"option", {truth, number}, &E::option, &E::has_option, true},
        {"option of a list", {truth}, &E::listed_option, &E::has_listed_option, true},
        {"zone", {cards}, &E::cards_at, &E::has_zone, true},
        {"end of a row", {card}, &E::end_card, &E::has_order, true},
        {"card of a row at n", {card}, &E::nth_card, &E::has_order, false},
        {"card of a spot", {card}, &E::card_of_spot, &E::has_spot, true},
        {"the", {enumeration, player, kind, card}, &E::the, &E::can_the, false},
        {"numbers by steps", {set}, &E::stepped, &E::of_numbers, true},
        {"all values", {set}, &E::all_values, &E::of_enum_or_players, true},
        {"kinds of a family", {set}, &E::family_kinds, &E::of_kinds, true},
        {"define", {}, &E::defined, &E::has_define, false},
        {"conditional", {}, &E::conditional, nullptr, false},
        {"cases", {truth, number, enumeration, player, kind}, &E::cases, nullptr, false},
        {"cases of", {truth, number, enumeration, player, kind}, &E::cases_of, nullptr, false},
        {"reading", {truth, number, enumeration, player, kind}, &E::reading, &E::can_read_two_ways, false},
        {"compared", {truth}, &E::compared_numbers, nullptr, false},
        {"is", {truth}, &E::same, nullptr, false},
        {"is none", {truth}, &E::is_none, &E::on_table, false},
        {"is in", {truth}, &E::is_in, nullptr, false},
        {"is empty", {truth}, &E::is_empty, nullptr, false},
        {"is a", {truth}, &E::is_family, &E::on_table, false},
        {"and, or", {truth}, &E::connected, nullptr, false},
        {"not", {truth}, &E::negation, nullptr, false},
        {"splits into", {truth}, &E::splits, &E::can_split, false},
        {"some, no", {truth}, &E::quantified, &E::can_nest, false},
        {"+ - *", {number}, &E::arithmetic, nullptr, false},
        {"minus", {number}, &E::minus, nullptr, false},
        {"distance …", {number}, &E::called, nullptr, false},
        {"size of", {number}, &E::size, nullptr, false},
        {"sum of …", {number}, &E::total, &E::outside, false},
        {"smallest sum left", {number}, &E::least_left, &E::can_split, false},
        {"how many players", {number}, &E::player_count, nullptr, true},
        {"team", {number}, &E::team, &E::has_teams, false},
        {"neighbour", {player}, &E::neighbour, nullptr, false},
        {"next", {player}, &E::next_in, nullptr, false},
        {"kinds of", {set}, &E::kinds_of, &E::of_kinds, false},
        {"zones of several", {cards}, &E::cards_of_several, &E::has_several, false},
        {"all cards", {cards}, &E::all_cards, &E::sees_hidden, true},
        {"joined", {set, cards}, &E::joined_sets, nullptr, false},
        {"but", {set, cards}, &E::less_sets, nullptr, false},
        {"where", {set, cards}, &E::filtered, &E::outside, false},
        {"with most, least", {set, cards}, &E::best, &E::outside, false},
        {"or if none", {set, cards}, &E::or_if_none, nullptr, false},
        {"groups of", {cards}, &E::groups, nullptr, false},
        {"any of", {cards}, &E::any, nullptr, false},
        {"first, last n of", {cards}, &E::end_cards, &E::has_order, false},
    };
    return table;
}

std::vector<std::string> Expressions::names() {
    std::vector<std::string> all;
    for (const Production& p : Production::all()) all.emplace_back(p.name);
    return all;
}

// ---- types -------------------------------------------------------------------------------------------------------------------

std::uint32_t Expressions::any_families() {
    std::vector<std::uint32_t> masks{all_families()};
    for (std::size_t f = 0; f < words_.families.size(); ++f) masks.push_back(1U << f);
    return choices_.one_of(masks);
}

std::optional<Type> Expressions::any_cards(const Scope& scope) {
    std::vector<Type> all;
    for (std::uint32_t f = 0; f <= words_.families.size(); ++f) {
        const Type t = of_sort(Sort::cards, -1, f == 0 ? all_families() : 1U << (f - 1));
        if (can_make(t, scope)) all.push_back(t);
    }
    if (all.empty()) return std::nullopt;
    return choices_.one_of(all);
}

Type Expressions::any_scalar(const Scope& scope) {
    std::vector<Type> all{truth_type(), number_type(0, 9), of_sort(Sort::player)};
    for (std::size_t e = 0; e < words_.enums.size(); ++e) all.push_back(of_sort(Sort::enumeration, static_cast<int>(e)));
    Type kind = of_sort(Sort::kind, -1, 1U << choices_.below(words_.families.size()));
    if (can_make(kind, scope)) all.push_back(kind);
    return choices_.one_of(all);
}

Type Expressions::any_element(const Scope& scope) {
    const Type t = any_scalar(scope);
    return t.sort == Sort::truth || !can_make(set_of(t), scope) ? of_sort(Sort::player) : t;
}

Type Expressions::collection(const Scope& scope) {
    const auto wanted = any_cards(scope);
    if (choices_.chance(1, 2) && wanted) return *wanted;
    return set_of(any_element(scope));
}

Type Expressions::any_type(const Scope& scope) {
    switch (choices_.below(3)) {
        case 0:
            return any_scalar(scope);
        case 1:
            return collection(scope);
        default: {
            const Type card = of_sort(Sort::card, -1, any_families());
            return can_make(card, scope) ? card : truth_type();
        }
    }
}

// ---- leaves ------------------------------------------------------------------------------------------------------------------

namespace {

std::string decimal(Fraction f) {
    if (f.under == 1) return fmt::format("{}", f.over);
    std::string text = fmt::format("{:.6f}", static_cast<double>(f.over) / static_cast<double>(f.under));
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

}  // namespace

bool Expressions::has_literal(const Type& type, const Scope& scope) const {
    if (type.sort != Sort::kind && !(type.sort == Sort::set && type.element == Sort::kind)) return true;
    if (scope.no_kinds) return false;
    for (std::size_t k = 0; k < words_.kinds.size(); ++k)
        if ((type.families >> words_.kinds[k].family & 1U) != 0 && !kind_text(static_cast<int>(k)).empty()) return true;
    return false;
}

std::string Expressions::value_text(const Field& field, const Value& value) const {
    if (!value.one) return "none";
    const auto at = static_cast<std::size_t>(value.one->over);
    switch (field.type.sort) {
        case Sort::truth:
            return at != 0 ? "yes" : "no";
        case Sort::player:
            return fmt::format("P{}", at + 1);
        case Sort::enumeration:
            return words_.enums[static_cast<std::size_t>(field.type.of)].values[at];
        default:
            break;
    }
    for (const auto& [name, number] : field.names)
        if (number == *value.one) return name;
    return decimal(*value.one);
}

std::string Expressions::kind_text(int kind) const {
    const Kind& k = words_.kinds[static_cast<std::size_t>(kind)];
    if (!k.name.empty()) return k.name;
    const Family& family = words_.families[static_cast<std::size_t>(k.family)];
    std::string text = "[";
    for (std::size_t f = 0; f < family.fields.size(); ++f) {
        if (family.fields[f].type.sort == Sort::set) return "";
        const std::string value = value_text(family.fields[f], k.values[f]);
        if (value.starts_with('-')) return "";
        text += (f == 0 ? "" : " ") + value;
    }
    return text + "]";
}

Written Expressions::constant_scalar(const Type& type) {
    const auto value = [&](std::string text, Fraction n) {
        const Level level = text.starts_with('-') ? prefixed : atom;
        return Written{std::move(text), level, type, [n](const Setting&) { return scalar(n); }};
    };
    switch (type.sort) {
        case Sort::truth: {
            const bool yes = choices_.chance(1, 2);
            return value(yes ? "yes" : "no", yes ? 1 : 0);
        }
        case Sort::player: {
            const auto p = static_cast<int>(choices_.below(static_cast<std::size_t>(words_.low)));
            return value(fmt::format("P{}", p + 1), p);
        }
        case Sort::enumeration: {
            const auto& values = words_.enums[static_cast<std::size_t>(type.of)].values;
            const auto at = choices_.below(values.size());
            return value(values[at], static_cast<int>(at));
        }
        case Sort::kind: {
            std::vector<int> all;
            for (std::size_t k = 0; k < words_.kinds.size(); ++k)
                if ((type.families >> words_.kinds[k].family & 1U) != 0 && !kind_text(static_cast<int>(k)).empty())
                    all.push_back(static_cast<int>(k));
            const int k = choices_.one_of(all);
            return value(kind_text(k), k);
        }
        default:
            break;
    }
    const bool bounded = type.low < type.high || type.low != Fraction(0);
    const int low = bounded ? static_cast<int>(type.low.floor()) : 0;
    const int high = bounded ? static_cast<int>(type.high.floor()) : choices_.chance(1, 8) ? 100 : 9;
    Fraction n = choices_.between(low, high);
    if (type.parts > 1) n = n + Fraction(static_cast<int>(choices_.below(static_cast<std::size_t>(type.parts))), type.parts);
    if (type.parts > 1 && type.high < n) n = type.high;
    Written w = value(decimal(n), n);
    w.type.low = w.type.high = n;
    return w;
}

Written Expressions::constant(const Type& type, bool may_be_empty) {
    if (type.or_none && choices_.chance(1, 2))
        return {type.sort == Sort::player ? "nobody" : "none", atom, type, [](const Setting&) { return none(); }};
    if (type.sort != Sort::set) return constant_scalar(type);
    std::string text = "{";
    Elements all;
    const Type element = element_of(type);
    const std::uint32_t count = has_literal(element, {}) ? (may_be_empty ? choices_.below(4) : 1 + choices_.below(3)) : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Written e = constant_scalar(element);
        text += (i == 0 ? "" : ", ") + e.text;
        all.insert(need(e.means({})));
    }
    if (element.sort == Sort::number && is_range(all))
        return {fmt::format("{}..{}", all.begin()->over, all.rbegin()->over), ranged, type,
                [all](const Setting&) { return elements(all); }};
    return {text + "}", atom, type, [all](const Setting&) { return elements(all); }};
}

// Two or more whole numbers one after another, which may be written as a range.
bool Expressions::is_range(const Elements& numbers) {
    if (numbers.size() < 2 || numbers.begin()->under != 1) return false;
    return std::all_of(std::next(numbers.begin()), numbers.end(),
                       [last = numbers.begin()->over](const Fraction& n) mutable { return n.under == 1 && n.over == ++last; });
}

Written Expressions::literal(const Type& type, int depth, const Scope& scope) {
    if (type.sort != Sort::set || depth <= 0) {
        Type t = type;
        if (t.sort == Sort::number && !(t.low < t.high) && t.low == Fraction(0) && choices_.chance(1, 4))
            t.parts = choices_.chance(1, 3) ? 4 : 2;
        t.or_none = false;
        return constant(t, false);
    }
    std::string text = "{";
    std::vector<Meaning> parts;
    Elements ends;
    const auto count = 1 + choices_.below(3);
    const bool numbers = element_of(type).sort == Sort::number;
    bool known = true;  // each of the numbers, before the game begins
    const Fraction low = type.low < type.high ? type.low : Fraction(0);
    const Fraction high = type.low < type.high ? type.high : Fraction(9);
    // Sets of other steps do not go together; numbers below 0 move the first that every set has room for.
    const Type wide = numbers && choices_.chance(1, 6) ? number_type(-3, 3) : number_type(0, 0, choices_.chance(1, 12) ? 2 : 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool worked_out = numbers && choices_.chance(1, 5);
        const Written e = worked_out ? whole_number(low.floor(), high.floor(), depth, scope)
                          : numbers  ? constant_scalar(wide)
                                     : make(element_of(type), depth, scope);
        text += (i == 0 ? "" : ", ") + e.text;
        parts.push_back(operand("{…}", e));
        known = known && !worked_out;
        if (numbers && known) ends.insert(need(e.means({})));
    }
    if (numbers && choices_.chance(1, 4)) {  // a range among them
        const int first = choices_.between(0, 6);
        const int last = first + choices_.between(0, 4);
        text += fmt::format(", {}..{}", first, last);
        for (int n = first; n <= last; ++n) parts.push_back([n](const Setting&) { return scalar(n); });
    } else if (known && ends.size() == 2 && ends.begin()->under == 1 && ends.rbegin()->under == 1) {
        Elements all;
        for (std::int64_t n = ends.begin()->over; n <= ends.rbegin()->over; ++n) all.insert(n);
        const std::string range = fmt::format("{}..{}", ends.begin()->over, ends.rbegin()->over);
        return {range, ranged, type, [all](const Setting&) { return elements(all); }};
    }
    return {text + "}", atom, type, [parts](const Setting& s) {
                Elements all;
                for (const Meaning& m : parts)
                    if (const Value v = m(s); v.one) all.insert(*v.one);
                return elements(all);
            }};
}

std::vector<const Local*> Expressions::locals_for(const Type& type, const Scope& scope) const {
    std::vector<const Local*> all;
    for (const Local& l : scope.locals) {
        const bool known = scope.viewer.empty() || l.seer.empty() || l.seer == scope.viewer;
        if (known && fits(l.type, type)) all.push_back(&l);
    }
    return all;
}

bool Expressions::has_local(const Type& type, const Scope& scope) const { return !locals_for(type, scope).empty(); }

Written Expressions::local(const Type& type, int, const Scope& scope) {
    const Local& l = *choices_.one_of(locals_for(type, scope));
    return {l.name, atom, l.type, [name = l.name](const Setting& s) {
                const auto& value = s.locals.at(name);
                if (!value) throw BrokenPromise{};
                return *value;
            }};
}

bool Expressions::has_it(const Type& type, const Scope& scope) const { return scope.it && fits(*scope.it, type); }

Written Expressions::the_it(const Type&, int, const Scope& scope) {
    return {"it", atom, *scope.it, [](const Setting& s) { return *s.locals.at("it"); }};
}

// A fact that may be nobody can stand for somebody; that it is somebody is promised.
Type Expressions::taken(Type type) const {
    if (type.sort == Sort::player) type.or_none = false;
    return type;
}

std::vector<std::size_t> Expressions::facts_for(const Type& type, const Scope& scope) const {
    std::vector<std::size_t> all;
    if (scope.constant) return all;
    for (std::size_t f = 0; f < words_.facts.size(); ++f)
        if (fits(taken(words_.facts[f].type), type) && may_read(words_.facts[f].seen, words_.facts[f].by, scope)) all.push_back(f);
    return all;
}

bool Expressions::has_fact(const Type& type, const Scope& scope) const { return !facts_for(type, scope).empty(); }

Written Expressions::fact(const Type& type, int depth, const Scope& scope) {
    std::vector<std::size_t> all = facts_for(type, scope);
    if (scope.careful && std::any_of(all.begin(), all.end(), [&](std::size_t f) { return is_kept(f, type, scope); }))
        std::erase_if(all, [&](std::size_t f) { return !is_kept(f, type, scope); });
    return fact_at(choices_.one_of(all), type, depth, scope);
}

std::vector<std::size_t> Expressions::perhaps_none_for(const Type& type, const Scope& scope) const {
    Type perhaps = type;
    perhaps.or_none = true;
    auto all = facts_for(perhaps, scope);
    std::erase_if(all, [&](std::size_t f) { return !words_.facts[f].type.or_none; });
    return all;
}

Written Expressions::perhaps_none(const Type& type, const Scope& scope) {
    const auto all = perhaps_none_for(type, scope);
    Type perhaps = type;
    perhaps.or_none = true;
    return fact_at(choices_.one_of(all), perhaps, 1, scope);
}

Written Expressions::fact_at(std::size_t f, const Type& type, int depth, const Scope& scope) {
    const Fact& fact = words_.facts[f];
    Written w{fact.name, atom, fact.type, {}};
    Meaning index;
    if (fact.by != Index::table) {
        const Written of = index_of(fact.by, fact.of, fact.seen, scope, depth);
        w.text = of.text == "it" ? "its " + fact.name : at_least(of, owned) + "'s " + fact.name;
        w.level = owned;
        index = operand("fact of", of);
    }
    const Meaning spot = at_spot(w, fact.spots, depth, scope);
    if (fact.type.or_none && !type.or_none && fact.type.sort == Sort::player) needs(scope, at_least(w, ranged) + " is not nobody");
    w.means = [f, index, spot, &words = words_](const Setting& s) {
        const int i = index ? position(index(s)) : 0;
        const Fact& here = words.facts[f];
        const int at = spot ? position(spot(s)) * words.indices(here.by, here.of, s.players) + i : i;
        const auto& value = s.table->facts.at(f).at(static_cast<std::size_t>(at));
        if (!value) throw BrokenPromise{};
        return *value;
    };
    return w;
}

// Whose, or at which value. What its owner alone sees is read of the viewer.
Written Expressions::index_of(Index by, int of, Seen seen, const Scope& scope, int depth) {
    if (by == Index::enumeration) return make(of_sort(Sort::enumeration, of), depth, scope);
    return owner(seen, scope, depth);
}

Written Expressions::owner(Seen seen, const Scope& scope, int depth) {
    if (scope.viewer.empty() || seen == Seen::all) return make(of_sort(Sort::player), depth, scope);
    return {scope.viewer, atom, of_sort(Sort::player), [name = scope.viewer](const Setting& s) { return *s.locals.at(name); }};
}

bool Expressions::may_read(Seen seen, Index by, const Scope& scope) const {
    return scope.viewer.empty() || seen == Seen::all || (seen == Seen::owner && by == Index::player);
}

std::vector<std::pair<int, int>> Expressions::fields_for(const Type& type, const Scope& scope) const {
    std::vector<std::pair<int, int>> all;
    for (std::size_t f = 0; f < words_.families.size(); ++f) {
        const Type card = of_sort(Sort::card, -1, 1U << f);
        const Type kind = of_sort(Sort::kind, -1, 1U << f);
        if (!can_make(card, scope) && !can_make(kind, scope)) continue;
        for (std::size_t i = 0; i < words_.families[f].fields.size(); ++i)
            if (fits(words_.families[f].fields[i].type, type)) all.emplace_back(f, i);
    }
    return all;
}

bool Expressions::has_field(const Type& type, const Scope& scope) const { return !fields_for(type, scope).empty(); }

Written Expressions::field(const Type& type, int depth, const Scope& scope) {
    const auto [f, i] = choices_.one_of(fields_for(type, scope));
    const Type card = of_sort(Sort::card, -1, 1U << f);
    const Type kind = of_sort(Sort::kind, -1, 1U << f);
    const bool of_kind = !can_make(card, scope) || (can_make(kind, scope) && choices_.chance(1, 3));
    const Written of = make(of_kind ? kind : card, depth, scope);
    const Field& field = words_.families[static_cast<std::size_t>(f)].fields[static_cast<std::size_t>(i)];
    Written w{of.text == "it" ? "its " + field.name : at_least(of, owned) + "'s " + field.name, owned, field.type, {}};
    w.means = [of = operand("field of", of), i = i, &words = words_](const Setting& s) {
        return words.kinds.at(static_cast<std::size_t>(kind_of(of(s)))).values.at(static_cast<std::size_t>(i));
    };
    return w;
}

bool Expressions::has_option(const Type& type, const Scope&) const {
    return std::any_of(words_.options.begin(), words_.options.end(), [&](const Option& o) { return fits(o.type, type); });
}

Written Expressions::option(const Type& type, int, const Scope&) {
    std::vector<const Option*> all;
    for (const Option& o : words_.options)
        if (fits(o.type, type)) all.push_back(&o);
    const Option& o = *choices_.one_of(all);
    return {o.name, atom, o.type, [name = o.name](const Setting& s) { return s.options.at(name); }};
}

std::string Expressions::option_value(const Option& of) { return of.values.empty() ? constant(of.type).text : choices_.one_of(of.values); }

bool Expressions::has_listed_option(const Type&, const Scope&) const {
    return std::any_of(words_.options.begin(), words_.options.end(), [](const Option& o) { return !o.values.empty(); });
}

Written Expressions::listed_option(const Type&, int, const Scope&) {
    std::vector<const Option*> all;
    for (const Option& o : words_.options)
        if (!o.values.empty()) all.push_back(&o);
    const Option& o = *choices_.one_of(all);
    const bool is = !choices_.chance(1, 3);
    const auto at = choices_.below(o.values.size());
    return {
        o.name + (is ? " is " : " is not ") + o.values[at], compared, truth_type(),
        [name = o.name, is, wanted = scalar(std::int64_t{at})](const Setting& s) { return truth((s.options.at(name) == wanted) == is); }};
}

// ---- what every type has -----------------------------------------------------------------------------------------------------

bool Expressions::has_define(const Type& type, const Scope& scope) const {
    return scope.viewer.empty() && std::any_of(words_.defines.begin(), words_.defines.end(), [&](const Defined& d) {
               return d.in_reach && fits(d.body.type, type) && !(d.table && scope.constant) &&
                      std::all_of(d.parameters.begin(), d.parameters.end(), [&](const Local& p) { return can_make(p.type, scope); });
           });
}

Written Expressions::defined(const Type& type, int depth, const Scope& scope) {
    std::vector<const Defined*> all;
    for (const Defined& d : words_.defines)
        if (d.in_reach && fits(d.body.type, type) && !(d.table && scope.constant) &&
            std::all_of(d.parameters.begin(), d.parameters.end(), [&](const Local& p) { return can_make(p.type, scope); }))
            all.push_back(&d);
    const Defined& d = *choices_.one_of(all);
    std::vector<Meaning> arguments;
    std::string text;
    for (const Local& p : d.parameters) {
        const Written a = argument(p.type, depth, scope);
        text += (text.empty() ? "" : ", ") + a.text;
        arguments.push_back(operand("define", a));
    }
    const auto means = [arguments, &d](const Setting& s) {
        Setting inner = s;
        inner.locals.clear();
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            auto& local = inner.locals[d.parameters[i].name];
            try {
                local = arguments[i](s);
            } catch (const BrokenPromise&) {
                local.reset();
            }
        }
        return d.body.means(inner);
    };
    return {d.parameters.empty() ? d.name : d.name + "(" + text + ")", atom, d.body.type, means};
}

// A number that is always too large, too small or too fine is no argument: `check` says so.
Written Expressions::argument(const Type& of, int depth, const Scope& scope) {
    const bool in_range = of.sort == Sort::number && !choices_.chance(1, 12);
    return in_range ? whole_number(of.low.floor(), of.high.floor(), depth, scope) : make(of, depth, scope);
}

Written Expressions::conditional(const Type& type, int depth, const Scope& scope) {
    const Written c = make(truth_type(), depth, scope);
    const Written a = make(type, depth, scope);
    const bool none = type.sort == Sort::cards && choices_.chance(1, 8);
    const Written b = none ? Written{"{}", atom, type, [](const Setting&) { return Value{}; }} : make(type, depth, scope);
    Written w{"(" + a.text + " if " + c.text + ", otherwise " + b.text + ")", atom, a.type, {}};
    w.type.families |= b.type.families;
    w.type.spot = a.type.spot || b.type.spot;
    w.type.or_none = a.type.or_none || b.type.or_none;
    w.means = [c = operand("conditional", c), a = a.means, b = b.means](const Setting& s) { return holds(c(s)) ? a(s) : b(s); };
    return w;
}

Written Expressions::cases(const Type& type, int depth, const Scope& scope) {
    const Written c = make(truth_type(), depth, scope);
    const Written a = make(type, depth, scope);
    const Written b = make(type, depth, scope);
    const bool except = choices_.chance(1, 2);
    Written w{(except ? "cases { except when " : "cases { ") + c.text + ": " + a.text + "; otherwise: " + b.text + " }", atom, a.type, {}};
    w.type.or_none = a.type.or_none || b.type.or_none;
    w.type.families |= b.type.families;
    w.type.spot = a.type.spot || b.type.spot;
    w.means = [c = operand("cases", c), a = a.means, b = b.means](const Setting& s) { return holds(c(s)) ? a(s) : b(s); };
    return w;
}

// Each doubles the variants of a game, so that there are few.
bool Expressions::can_read_two_ways(const Type&, const Scope& scope) const { return words_.readings < 2 && !scope.constant; }

Written Expressions::reading(const Type& type, int depth, const Scope& scope) {
    const std::string name = fmt::format("sentence{}", ++words_.readings);
    const Written a = make(type, depth, scope);
    const Written b = make(type, depth, scope);
    Written w{fmt::format("reading {0} {{ {0}_a chosen: {1}   {0}_b: {2} }}", name, a.text, b.text), atom, a.type, {}};
    w.type.or_none = a.type.or_none || b.type.or_none;
    w.type.families |= b.type.families;
    w.type.spot = a.type.spot || b.type.spot;
    w.means = [name, a = a.means, b = b.means](const Setting& s) { return s.readings.at(name) == name + "_a" ? a(s) : b(s); };
    return w;
}

Written Expressions::cases_of(const Type& type, int depth, const Scope& scope) {
    const Type by = choices_.chance(1, 2) && !words_.enums.empty() ? of_sort(Sort::enumeration, 0) : of_sort(Sort::player);
    const Written c = make(by, depth, scope);
    const Written at = constant_scalar(by);
    const Written a = make(type, depth, scope);
    const Written b = make(type, depth, scope);
    Written w{
        "cases of " + at_least(c, without_parts) + " { " + at.text + ": " + a.text + "; otherwise: " + b.text + " }", atom, a.type, {}};
    w.type.or_none = a.type.or_none || b.type.or_none;
    w.type.families |= b.type.families;
    w.type.spot = a.type.spot || b.type.spot;
    w.means = [c = operand("cases of", c), at = at.means, a = a.means, b = b.means](const Setting& s) {
        return c(s) == at(s) ? a(s) : b(s);
    };
    return w;
}

bool Expressions::can_the(const Type& type, const Scope& scope) const {
    return can_make(type.sort == Sort::card ? of_sort(Sort::cards, -1, type.families) : set_of(type), scope);
}

Written Expressions::the(const Type& type, int depth, const Scope& scope) {
    const Written from = make(type.sort == Sort::card ? of_sort(Sort::cards, -1, type.families) : set_of(type), depth, scope);
    needs(scope, "size of " + at_least(from, without_parts) + " is 1");
    Written w{"the " + from.text, grouped, type, {}};
    if (from.level < grouped) w.level = whole;
    w.type.families = from.type.families;
    w.type.or_none = false;
    w.means = [from = operand("the", from)](const Setting& s) {
        const Value v = from(s);
        const auto all = each_of(v);
        if (all.size() != 1 || count_of(v.cards) > 1) throw BrokenPromise{};
        return all[0];
    };
    return w;
}

bool Expressions::on_table(const Type&, const Scope& scope) const { return !scope.constant; }
// Not more than two in each other: `it` is one thing.
bool Expressions::outside(const Type&, const Scope& scope) const { return !scope.inside && scope.named < 2; }
bool Expressions::can_nest(const Type&, const Scope& scope) const { return scope.named + (scope.inside ? 1 : 0) < 2; }

Scope Expressions::inner(const Scope& scope, const Type& it) const {
    Scope s = scope;
    s.it = it;
    s.inside = true;
    s.bound = true;
    return s;
}

}  // namespace houserule::random_games
