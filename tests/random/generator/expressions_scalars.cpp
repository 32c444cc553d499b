#include "tests/random/generator/expressions.hpp"
#include "tests/random/generator/meanings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::random_games {

// ---- truths ------------------------------------------------------------------------------------------------------------------

Written Expressions::compared_numbers(const Type&, int depth, const Scope& scope) {
    static const std::vector<std::string> words{"is", "is not", "<", "<=", ">", ">="};
    Type perhaps = number_type();
    perhaps.or_none = choices_.chance(1, 4) && can_be_none(number_type(), scope);
    const Written a = make(perhaps, depth, scope);
    std::string word = choices_.one_of(words);
    const bool ordered = word.front() != 'i';
    if (a.type.or_none && ordered && !needs(scope, at_least(a, ranged) + " is not none")) word = "is not";
    const Written b = make(number_type(), depth, scope);
    const std::string name = "compared " + word;
    Written w{at_least(a, ranged) + " " + word + " " + at_least(b, grouped), compared, truth_type(), {}};
    w.means = [a = operand(name, a), b = operand(name, b), word](const Setting& s) {
        const Value left = a(s), right = b(s);
        if (word == "is") return truth(left == right);
        if (word == "is not") return truth(left != right);
        const auto order = need(left) <=> need(right);
        return truth(word == "<" ? order < 0 : word == "<=" ? order <= 0 : word == ">" ? order > 0 : order >= 0);
    };
    return w;
}

std::vector<Type> Expressions::things(const Scope& scope) {
    std::vector<Type> all;
    if (scope.it && scope.inside) all.push_back(*scope.it);
    for (int n = 0; n < scope.named; ++n) all.push_back(scope.locals[scope.locals.size() - 1 - static_cast<std::size_t>(n)].type);
    return all;
}

std::optional<Type> Expressions::of_a_thing(const Scope& scope) {
    const std::vector<Type> all = things(scope);
    if (all.empty()) return std::nullopt;
    return choices_.one_of(all);
}

std::optional<Type> Expressions::in_a_thing(const Scope& scope) {
    std::vector<Type> all;
    for (const Type& thing : things(scope))
        for (std::size_t f = 0; f < words_.families.size(); ++f)
            for (const Field& field : words_.families[f].fields)
                if ((thing.families >> f & 1U) != 0 && field.type.sort != Sort::truth && field.type.sort != Sort::set)
                    all.push_back(field.type);
    if (all.empty()) return std::nullopt;
    return choices_.one_of(all);
}

Written Expressions::same(const Type&, int depth, const Scope& scope) {
    const bool equal = !choices_.chance(1, 3);
    const auto thing = choices_.chance(1, 2) ? of_a_thing(scope) : std::nullopt;
    Type type = thing ? *thing : any_type(scope);
    if (type.sort == Sort::truth || type.sort == Sort::number) type = of_sort(Sort::player);
    const Written a = make(type, depth, scope);
    const bool none = type.sort == Sort::set && choices_.chance(1, 8);
    const Written b = none ? Written{"{}", atom, type, [](const Setting&) { return Value{}; }} : make(type, depth, scope);
    if (a.type.spot && b.type.spot) return is_empty(type, depth, scope);  // there they stand for the cards in them
    const std::string name = equal ? "is" : "is not";
    Written w{at_least(a, ranged) + " " + name + " " + at_least(b, grouped), compared, truth_type(), {}};
    w.means = [a = operand(name, a), b = operand(name, b), equal, sort = type.sort](const Setting& s) {
        const Value left = a(s), right = b(s);
        return truth(random_games::same(left, right, sort, sort) == equal);
    };
    return w;
}

Written Expressions::is_none(const Type&, int depth, const Scope& scope) {
    const bool equal = !choices_.chance(1, 3);
    Type type = any_scalar(scope);
    if (type.sort == Sort::truth || type.sort == Sort::number) type = of_sort(Sort::player);
    type.or_none = true;
    const Written a = make(type, depth, scope);
    const std::string name = std::string(equal ? "is " : "is not ") + (type.sort == Sort::player ? "nobody" : "none");
    Written w{at_least(a, ranged) + " " + name, compared, truth_type(), {}};
    w.means = [a = operand(name, a), equal](const Setting& s) { return truth(a(s).one.has_value() != equal); };
    return w;
}

Written Expressions::choosable(const Type& type, int depth, const Scope& scope, bool wide) {
    if (type.sort != Sort::set || type.element != Sort::number || choices_.chance(1, 3)) return make(type, depth, scope);
    const Marked part(choices_, "expression");
    const int low = choices_.between(0, 4);
    const int high = low + choices_.between(0, 5) + (wide && choices_.chance(1, 4) ? 35 : 0);
    Written w{fmt::format("{}..{}", low, high), ranged, type, {}};
    w.means = [low, high](const Setting& s) {
        if (s.sees) s.sees("a..b", "read");
        Elements all;
        for (int i = low; i <= high; ++i) all.insert(i);
        return elements(all);
    };
    return w;
}

Written Expressions::is_in(const Type&, int depth, const Scope& scope) {
    const bool in = !choices_.chance(1, 3);
    Type of = collection(scope);
    if (of.sort == Sort::cards && !can_make(of_sort(Sort::card, -1, of.families), scope)) of = set_of(of_sort(Sort::player));
    const Written a = make(element_of(of), depth, scope);
    const Written b = choosable(of, depth, scope, true);
    const std::string name = in ? "is in" : "is not in";
    Written w{at_least(a, ranged) + " " + name + " " + at_least(b, grouped), compared, truth_type(), {}};
    w.means = [a = operand(name, a), b = operand(name, b), in, cards = of.sort == Sort::cards](const Setting& s) {
        const Value element = a(s), all = b(s);
        if (!cards) return truth((element.one && all.many.contains(*element.one)) == in);
        const int kind = kind_of(element);
        return truth(std::any_of(all.cards.begin(), all.cards.end(), [&](const auto& c) { return c.first.second == kind; }) == in);
    };
    return w;
}

Written Expressions::is_empty(const Type&, int depth, const Scope& scope) {
    const bool empty = !choices_.chance(1, 3);
    const Written a = make(collection(scope), depth, scope);
    const std::string name = empty ? "is empty" : "is not empty";
    Written w{at_least(a, ranged) + " " + name, compared, truth_type(), {}};
    w.means = [a = operand(name, a), empty](const Setting& s) {
        const Value v = a(s);
        return truth((v.many.empty() && v.cards.empty()) == empty);
    };
    return w;
}

Written Expressions::is_family(const Type&, int depth, const Scope& scope) {
    const bool is = !choices_.chance(1, 3);
    const Type card = of_sort(Sort::card, -1, all_families());
    if (!can_make(card, scope)) return is_empty(card, depth, scope);
    const Written a = make(card, depth, scope);
    const auto f = static_cast<int>(choices_.below(words_.families.size()));
    const std::string& family = words_.families[static_cast<std::size_t>(f)].name;
    const std::string name = is ? "is a" : "is not a";
    Written w{at_least(a, ranged) + " " + name + " " + family, compared, truth_type(), {}};
    w.means = [a = operand(name, a), f, is, &words = words_](const Setting& s) {
        return truth((words.kinds.at(static_cast<std::size_t>(kind_of(a(s)))).family == f) == is);
    };
    return w;
}

Written Expressions::connected(const Type&, int depth, const Scope& scope) {
    const bool both = choices_.chance(1, 2);
    const Written a = make(truth_type(), depth, scope);
    const Written b = make(truth_type(), depth, scope);
    const std::string name = both ? "and" : "or";
    Written w{at_least(a, negated) + " " + name + " " + at_least(b, negated), both ? conjoined : whole, truth_type(), {}};
    w.means = [a = operand(name, a), b = operand(name, b), both](const Setting& s) {
        return holds(a(s)) == both ? truth(holds(b(s))) : truth(!both);
    };
    return w;
}

Written Expressions::negation(const Type&, int depth, const Scope& scope) {
    const Written a = make(truth_type(), depth, scope);
    return {"not " + at_least(a, negated), negated, truth_type(),
            [a = operand("not", a)](const Setting& s) { return truth(!holds(a(s))); }};
}

Written Expressions::quantified(const Type&, int depth, const Scope& scope) {
    const bool some = !choices_.chance(1, 3);
    // In a comprehension, now and then what the thing that it is at can have.
    const auto had = choices_.chance(1, 2) ? in_a_thing(scope) : std::nullopt;
    const Type of = had ? set_of(*had) : collection(scope);
    const Written from = make(of, depth, scope);
    Scope body = scope;
    ++body.named;
    const std::string variable = fmt::format("x{}", scope.locals.size());
    body.locals.push_back({variable, element_of(from.type), ""});
    body.bound = true;
    // In a comprehension, what it says can be of both things.
    const bool in_another = scope.inside || scope.named > 0;
    const Written c = make(truth_type(), in_another ? std::max(depth, 1) : depth, body);
    const std::string name = some ? "some" : "no";
    Written w{name + " " + variable + " in " + at_least(from, summed) + " where " + c.text, whole, truth_type(), {}};
    w.means = [from = operand(name, from), c = operand(name + " where", c), variable, some](const Setting& s) {
        bool any = false;
        for (const Value& v : each_of(from(s))) any = holds(c(with(s, variable, v))) || any;
        return truth(any == some);
    };
    return w;
}

// ---- numbers -----------------------------------------------------------------------------------------------------------------

Written Expressions::arithmetic(const Type&, int depth, const Scope& scope) {
    static const std::vector<std::string> words{"+", "-", "*"};
    const std::string word = choices_.one_of(words);
    const Written a = make(number_type(), depth, scope);
    const Written b = make(number_type(), depth, scope);
    const bool times = word == "*";
    const Level level = times ? multiplied : summed;
    Written w{at_least(a, level) + " " + word + " " + at_least(b, times ? prefixed : multiplied), level, number_type(), {}};
    w.means = [a = operand(word, a), b = operand(word, b), word](const Setting& s) {
        const Fraction left = need(a(s)), right = need(b(s));
        return scalar(word == "+" ? left + right : word == "-" ? left - right : left * right);
    };
    return w;
}

Written Expressions::minus(const Type&, int depth, const Scope& scope) {
    const Written a = make(number_type(), depth, scope);
    return {"-" + at_least(a, without_parts), prefixed, number_type(),
            [a = operand("-a", a)](const Setting& s) { return scalar(Fraction(0) - need(a(s))); }};
}

Written Expressions::called(const Type&, int depth, const Scope& scope) {
    static const std::vector<std::string> words{"distance", "larger", "smaller", "quotient", "remainder"};
    std::string word = choices_.one_of(words);
    const Written a = make(number_type(), depth, scope);
    const Written b = make(number_type(), depth, scope);
    if ((word == "quotient" || word == "remainder") && !needs(scope, at_least(b, ranged) + " > 0")) word = "distance";
    Written w{word + "(" + a.text + ", " + b.text + ")", atom, number_type(), {}};
    w.means = [a = operand(word, a), b = operand(word, b), word](const Setting& s) {
        const Fraction left = need(a(s)), right = need(b(s));
        if (word == "distance") return scalar(left < right ? right - left : left - right);
        if (word == "larger") return scalar(left < right ? right : left);
        if (word == "smaller") return scalar(left < right ? left : right);
        if (right <= Fraction(0)) throw BrokenPromise{};
        const Fraction times = Fraction(left.over * right.under, left.under * right.over).floor();
        return scalar(word == "quotient" ? times : left - times * right);
    };
    return w;
}

Written Expressions::size(const Type&, int depth, const Scope& scope) {
    const Written a = choosable(collection(scope), depth, scope, true);
    return {"size of " + at_least(a, without_parts), without_parts, number_type(), [a = operand("size of", a)](const Setting& s) {
                const Value v = a(s);
                return scalar(static_cast<std::int64_t>(v.many.size()) + count_of(v.cards));
            }};
}

Written Expressions::total(const Type&, int depth, const Scope& scope) {
    static const std::vector<std::string> words{"sum", "largest", "smallest"};
    std::string word = choices_.one_of(words);
    const Written from = make(collection(scope), depth, scope);
    if (word != "sum" && !needs(scope, at_least(from, ranged) + " is not empty")) word = "sum";
    const Written e = make(number_type(), depth, inner(scope, element_of(from.type)));
    Written w{word + " of " + at_least(e, summed) + " over " + at_least(from, without_parts), without_parts, number_type(), {}};
    w.means = [from = operand(word + " of", from), e = operand(word + " of", e), word](const Setting& s) {
        Fraction sum;
        std::optional<Fraction> best;
        const Value over = from(s);
        for (const Value& v : each_of(over)) {
            const Fraction n = need(e(with(s, "it", v)));
            sum = sum + n * Fraction(v.one ? 1 : over.cards.at(v.cards.begin()->first));
            if (!best || (word == "largest" ? *best < n : n < *best)) best = n;
        }
        if (word == "sum") return scalar(sum);
        if (!best) throw BrokenPromise{};
        return scalar(*best);
    };
    return w;
}

Written Expressions::player_count(const Type&, int, const Scope&) {
    return {"size of players", without_parts, number_type(), [](const Setting& s) { return scalar(s.players); }};
}

bool Expressions::has_teams(const Type&, const Scope&) const { return !words_.teams.empty(); }

Written Expressions::team(const Type&, int depth, const Scope& scope) {
    const Written p = make(of_sort(Sort::player), depth, scope);
    return {(p.text == "it" ? "its" : at_least(p, owned) + "'s") + " team", owned, number_type(),
            [p = operand("team", p), &words = words_](const Setting& s) {
                return scalar(words.teams.at(static_cast<std::size_t>(position(p(s)))));
            }};
}

// ---- players -----------------------------------------------------------------------------------------------------------------

Written Expressions::neighbour(const Type&, int depth, const Scope& scope) {
    std::vector<std::string> words{"left", "right"};
    if (words_.low == words_.high && words_.low % 2 == 0) words.emplace_back("across");
    if (words_.teams == std::vector<int>{1, 2, 1, 2}) words.emplace_back("partner");
    const std::string word = choices_.one_of(words);
    const Written p = make(of_sort(Sort::player), depth, scope);
    return {(p.text == "it" ? "its " : at_least(p, owned) + "'s ") + word, owned, of_sort(Sort::player),
            [p = operand(word, p), word](const Setting& s) {
                const int n = s.players;
                const int further = word == "left" ? 1 : word == "right" ? n - 1 : n / 2;
                return scalar((position(p(s)) + further) % n);
            }};
}

Written Expressions::next_in(const Type&, int depth, const Scope& scope) {
    const bool after = !choices_.chance(1, 2);
    const Written p = make(of_sort(Sort::player), depth, scope);
    const Written from = make(set_of(of_sort(Sort::player)), depth, scope);
    needs(scope, at_least(from, ranged) + " is not empty");
    const std::string name = after ? "next after" : "next before";
    Written w{name + " " + at_least(p, without_parts) + " in " + at_least(from, without_parts), without_parts, of_sort(Sort::player), {}};
    w.means = [p = operand(name, p), from = operand(name, from), after = after == words_.clockwise](const Setting& s) {
        const int begin = position(p(s));
        const Value all = from(s);
        for (int i = 1; i <= s.players; ++i) {
            const int q = (begin + (after ? i : s.players * 2 - i)) % s.players;
            if (all.many.contains(q)) return scalar(q);
        }
        throw BrokenPromise{};
    };
    return w;
}

}  // namespace houserule::random_games
