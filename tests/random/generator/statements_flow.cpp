// Loops and cases.
#include "tests/random/generator/statements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::random_games {

std::string Statements::each_player(Context& c) {
    const std::string p = names_.fresh("p");
    Context each = inner(c, "each player");
    each.scope.locals.push_back({p, of_sort(Sort::player), ""});
    std::string text = "each " + p;
    if (choices_.chance(1, 4)) text += " in " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), summed);
    static const std::vector<std::string> directions{"clockwise from", "counterclockwise from", "clockwise after",
                                                     "counterclockwise after"};
    const bool ordered = choices_.chance(3, 4);
    if (ordered) text += " " + choices_.one_of(directions) + " " + at_least(expressions_.make(of_sort(Sort::player), 1, c.scope), summed);
    each.scope.bound = true;
    if (choices_.chance(1, 3)) text += " where " + expressions_.make(truth_type(), 1, each.scope).text;
    each.asks = each.asks && ordered;
    return text + body(each);
}

std::string Statements::each_element(Context& c) {
    const Type cards = of_sort(Sort::cards, -1, expressions_.all_families());
    const bool of_cards = choices_.chance(1, 3) && expressions_.can_make(cards, c.scope);
    const Written from = expressions_.make(of_cards ? cards : set_of(expressions_.any_element(c.scope)), 1, c.scope);
    const std::string name = names_.fresh("one");
    Context each = inner(c, "each of a set");
    each.scope.locals.push_back({name, element_of(from.type), ""});
    return "each " + name + " in " + at_least(from, summed) + body(each);
}

std::string Statements::each_number(Context& c) {
    const int low = choices_.between(0, 3);
    const std::string name = names_.fresh("n");
    Context each = inner(c, "each number");
    each.scope.locals.push_back({name, number_type(low, low + 3), ""});
    const int high = low + choices_.between(0, 2);
    if (low % 2 == 1) return fmt::format("each {} from {} down to {}{}", name, high, low, body(each));
    return fmt::format("each {} from {} to {}{}", name, low, high, body(each));
}

// What is read again and again.
Scope Statements::later(const Context& c) {
    Scope s = c.scope;
    s.bound = true;
    return s;
}

std::string Statements::repeat_until(Context& c) {
    std::string text = "repeat" + body(inner(c, "repeat until"));
    text += " until " + expressions_.make(truth_type(), 2, later(c)).text + fmt::format(", at most {} times", choices_.between(1, 3));
    Context then = inner(c, "then");
    then.depth = std::max(then.depth, 1);
    switch (choices_.below(c.scope.careful ? 2 : 3)) {
        case 0:
            return text + ", then nothing";
        case 1:
            return text + ", then" + body(then);
        default:
            return text;
    }
}

std::string Statements::repeat_while(Context& c) {
    return "repeat while " + expressions_.make(truth_type(), 2, later(c)).text + " " + block(inner(c, "repeat while")) +
           fmt::format(" at most {} times{}", choices_.between(1, 3), choices_.chance(1, 2) || c.scope.careful ? ", then nothing" : "");
}

std::string Statements::repeat_times(Context& c) {
    return fmt::format("repeat {} times{}", choices_.between(1, 3), body(inner(c, "repeat times")));
}

std::string Statements::repeat_down(Context& c) {
    Context in = inner(c, "repeat, running down");
    const Zone& deck = words_.zones.front();
    const auto takes_all = [&](const Zone& z) { return &z != &deck && has_room(z) && z.families == deck.families; };
    const bool runs_down = c.scope.careful && std::any_of(words_.zones.begin(), words_.zones.end(), takes_all);
    in.keeps_deck = in.keeps_deck || runs_down;
    if (runs_down) expressions_.needs(c.scope, deck.name + " is not empty");
    std::string text = "repeat {\n" + (runs_down ? draw_from(deck, in) : draw(in)) + "\n" + block(in, 2).substr(2) + " until ";
    return text + deck.name + " is empty, running down size of " + deck.name;
}

// One that stays a number of cards less, up to the end of the deck.
std::string Statements::draw_from(const Zone& deck, Context& c) {
    const std::string name = names_.fresh("drawn");
    Context away = c;
    away.scope.bound = true;
    std::string to = target(away, expressions_.all_families(), false, false);
    to.replace(0, to.find(' ', 1), " to");
    c.scope.locals.push_back({name, of_sort(Sort::card, -1, expressions_.all_families()), "?"});
    return "draw " + name + " from " + deck.name + to;
}

std::string Statements::if_then(Context& c) {
    std::string text = "if " + expressions_.make(truth_type(), 3, c.scope).text + body(inner(c, "if"));
    if (choices_.chance(1, 3)) text += " otherwise if " + expressions_.make(truth_type(), 2, c.scope).text + body(inner(c, "if"));
    if (choices_.chance(1, 2)) text += " otherwise" + body(inner(c, "otherwise"));
    return text;
}

std::string Statements::cases(Context& c) {
    std::string text = "cases {\n";
    const Written first = expressions_.make(truth_type(), 2, c.scope);
    text += first.text + body(inner(c, "cases")) + "\n";
    if (choices_.chance(1, 3)) text += "except when " + expressions_.make(truth_type(), 1, c.scope).text + body(inner(c, "cases")) + "\n";
    if (choices_.chance(1, 3)) {
        const Written other = expressions_.make(truth_type(), 1, c.scope);
        text += c.scope.careful ? "not " + at_least(first, negated) + " and " + at_least(other, negated) : other.text;
        text += body(inner(c, "cases")) + "\n";
    }
    return text + "otherwise" + body(inner(c, "cases")) + "\n}";
}

// Cases that hold together: two or three ways to write the same or, now and then, something else.
std::string Statements::cases_together(Context& c) {
    Context in = inner(c, "cases together");
    const auto one = [&] {
        if (can_end(in) && choices_.chance(1, 5)) return end(in);
        return choices_.chance(1, 2) && has_fact(in) ? becomes(in) : put(in);
    };
    const Written holds = expressions_.make(truth_type(), 2, c.scope);
    const std::string first = one();
    const std::string other = choices_.chance(1, 4) && !c.scope.careful ? one() : first;
    const std::string rank = choices_.chance(1, 4) ? "except when " : "";
    const std::string joined = at_least(holds, grouped) + " or " + at_least(expressions_.make(truth_type(), 1, c.scope), grouped);
    std::string text = "cases {\n" + rank + holds.text + ": { " + first + " }\n";
    text += rank + (choices_.chance(1, 2) ? holds.text : joined) + ": { nothing\n" + other + " }\n";
    if (choices_.chance(1, 3)) text += rank + holds.text + ": { " + first + "\nif " + holds.text + ": nothing }\n";
    return text + "otherwise: " + block(in, 2) + "\n}";
}

std::string Statements::cases_of(Context& c) {
    const Type by = choices_.chance(1, 2) && !words_.enums.empty() ? of_sort(Sort::enumeration, 0) : of_sort(Sort::player);
    std::string text = "cases of " + at_least(expressions_.make(by, 1, c.scope), without_parts) + " {\n";
    const auto first = by.sort == Sort::player ? std::string("P1") : words_.enums[0].values.front();
    const auto last = by.sort == Sort::player ? std::string("P2") : words_.enums[0].values.back();
    text += first + (last != first && choices_.chance(1, 3) ? ", " + last : "") + body(inner(c, "cases of")) + "\n";
    return text + "otherwise" + body(inner(c, "cases of")) + "\n}";
}

std::string Statements::reading(Context& c) {
    const std::string name = names_.fresh("sense");
    Context in = inner(c, "reading");
    in.own_rule = c.own_rule;
    std::string text = "reading " + name + (choices_.chance(1, 2) ? " \"Which?\"" : "") + " {\n";
    const std::string one = names_.fresh("arm");
    const std::string other = names_.fresh("arm");
    return text + one + " chosen" + body(in) + "\n" + other + body(in) + "\n}";
}

}  // namespace houserule::random_games
