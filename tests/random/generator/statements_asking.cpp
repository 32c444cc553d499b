// Decisions, chance and reports.
#include "tests/random/generator/statements.hpp"

#include <fmt/format.h>

namespace houserule::random_games {

// Who decides: a name of a player that all know, or a seat.
Statements::Actor Statements::actor(const Context& c) {
    std::vector<std::string> all;
    for (const Local& l : c.scope.locals)
        if (l.type.sort == Sort::player && !l.type.or_none && l.seer.empty()) all.push_back(l.name);
    for (int p = 1; p <= words_.low; ++p) all.push_back(fmt::format("P{}", p));
    Actor a{choices_.one_of(all), c.scope};
    a.knows.viewer = a.text;
    return a;
}

std::string Statements::must(Context& c) {
    const Actor a = actor(c);
    const bool aloud = choices_.chance(1, 2);
    const auto cards = expressions_.any_cards(a.knows);
    const Type of = cards && choices_.chance(1, 2) ? *cards : set_of(expressions_.any_element(a.knows));
    const Written w = expressions_.choosable(of, 2, a.knows);
    const std::string name = names_.fresh("chosen");
    const Local chosen{name, element_of(w.type), aloud ? "" : a.text};
    std::string text = a.text + " must " + (aloud ? "name " : "choose ") + name + " from " + w.text;
    const auto form = c.plain || c.depth <= 0 ? 0U : choices_.below(3);
    if (form == 0) {
        c.scope.locals.push_back(chosen);
        return text;
    }
    Context then = inner(c, "must");
    then.scope.locals.push_back(chosen);
    text += body(then);
    return form == 1 ? text : text + " if none" + body(inner(c, "if none"));
}

std::string Statements::must_several(Context& c) {
    const Actor a = actor(c);
    const auto cards = expressions_.any_cards(a.knows);
    const Type of = cards && !choices_.chance(1, 3) ? *cards : set_of(of_sort(Sort::player));
    const Written w = expressions_.make(of, 2, a.knows);
    const std::string name = names_.fresh("several");
    const int low = choices_.between(0, 2);
    const int high = low + choices_.between(0, 2);
    const bool aloud = choices_.chance(1, 3);
    const Local several{name, w.type, aloud ? "" : a.text};
    c.scope.locals.push_back(several);
    const std::string count = low == high ? fmt::format("{}", low) : fmt::format("{}..{}", low, high);
    const std::string text = a.text + " must " + (aloud ? "name " : "choose ") + count + " from " + w.text + " as " + name;
    if (low != 1 || high != 3) return text;
    // A condition on the whole, which any one thing fulfils.
    Scope whole = a.knows;
    whole.locals.push_back(several);
    const Written fits = expressions_.make(of_sort(Sort::truth), 1, whole);
    return text + fmt::format(" where (size of {} is 1 or {})", name, at_least(fits, negated));
}

std::string Statements::may(Context& c) {
    const Actor a = actor(c);
    const auto cards = expressions_.any_cards(a.knows);
    const Type of = cards && !choices_.chance(1, 3) ? *cards : set_of(expressions_.any_element(a.knows));
    const Written w = expressions_.choosable(of, 2, a.knows);
    const std::string name = names_.fresh("chosen");
    Context then = inner(c, "may");
    then.scope.locals.push_back({name, element_of(w.type), a.text});
    std::string text = a.text + " may choose " + name + " from " + w.text + body(then);
    if (choices_.chance(1, 2)) text += " otherwise" + body(inner(c, "otherwise"));
    return text;
}

std::string Statements::may_do(Context& c) {
    const Actor a = actor(c);
    const std::string dare = names_.fresh("dare");
    const std::string does = body(inner(c, "may do"));
    const bool both = choices_.chance(1, 2);
    const std::string otherwise = both ? " otherwise" + body(inner(c, "otherwise")) : "";
    // Of a seat that has an `otherwise`, the others are asked, too: no further draw, so that all other games stay what they were.
    if (!both || a.text[0] != 'P') return a.text + " may " + dare + does + otherwise;
    return fmt::format("any {} may {}, the first {} {}{}{}", names_.fresh("q"), dare,
                       a.text == "P1" ? "counterclockwise after" : "clockwise from", a.text, does, otherwise);
}

// Decisions first, then what follows from them.
std::string Statements::decisions(Context& c, const std::string& who) {
    Scope knows = c.scope;
    knows.viewer = who;
    std::string text = "{\n";
    const auto count = 1 + choices_.below(2);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Marked part(choices_, "statement");
        const auto cards = expressions_.any_cards(knows);
        const Type of = cards && choices_.chance(1, 2) ? *cards : set_of(expressions_.any_element(knows));
        const Written w = expressions_.choosable(of, 1, knows);
        const std::string name = names_.fresh("chosen");
        text += who + " must " + (choices_.chance(1, 2) ? "name " : "choose ") + name + " from " + w.text + "\n";
        c.scope.locals.push_back({name, element_of(w.type), who});
        knows.locals.push_back({name, element_of(w.type), who});
    }
    if (count == 2) text += who + " may " + names_.fresh("dare") + ": nothing\n";
    return text + block(c, 3).substr(2);
}

std::string Statements::together(Context& c) {
    const std::string p = names_.fresh("q");
    Context each = inner(c, "simultaneously");
    each.plain = true;
    each.where = "simultaneously";
    each.scope.locals.push_back({p, of_sort(Sort::player), ""});
    std::string text = "simultaneously each " + p;
    if (choices_.chance(1, 3)) text += " in " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), summed);
    if (choices_.chance(1, 3)) text += " where " + expressions_.make(truth_type(), 1, each.scope).text;
    return text + " " + decisions(each, p);
}

std::string Statements::weights(const Type& type) {
    std::vector<std::string> values;
    if (type.element == Sort::player)
        for (int p = 1; p <= words_.low; ++p) values.push_back(fmt::format("P{}", p));
    else
        values = words_.enums[static_cast<std::size_t>(type.of)].values;
    std::string text = "{ ";
    for (const std::string& v : values) text += fmt::format("{}: {} ", v, choices_.between(1, 5));
    return text + "}";
}

std::string Statements::table(Context& c) {
    const bool weighted = choices_.chance(1, 2) && !words_.enums.empty();
    const Type of = set_of(weighted ? of_sort(Sort::enumeration, 0) : expressions_.any_element(c.scope));
    const Written from = weighted ? Written{words_.enums[0].name, atom, of, {}} : expressions_.make(of, 1, c.scope);
    const std::string name = names_.fresh("told");
    c.scope.locals.push_back({name, element_of(from.type), ""});
    return "table tells " + name + " from " + at_least(from, grouped) + ", when simulated " + (weighted ? weights(of) : "any");
}

std::string Statements::chance(Context& c) {
    const bool weighted = choices_.chance(1, 2) && !words_.enums.empty();
    const Type of = set_of(weighted ? of_sort(Sort::enumeration, 0) : expressions_.any_element(c.scope));
    const Written from = weighted ? Written{words_.enums[0].name, atom, of, {}} : expressions_.make(of, 1, c.scope);
    const std::string name = names_.fresh("lot");
    c.scope.locals.push_back({name, element_of(from.type), "?"});
    const std::string seer = of.element == Sort::number ? " for P1" : of.element == Sort::kind ? " for nobody" : "";
    return "chance picks " + name + " from " + at_least(from, grouped) + seer + (weighted ? " " + weights(of) : "");
}

}  // namespace houserule::random_games
