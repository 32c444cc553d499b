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
    const auto form = c.plain || c.depth <= 0 ? 0U : choices_.below(4);
    text += question(a);
    if (form <= 1) needs_some(c, w);
    if (form == 0) {
        c.scope.locals.push_back(chosen);
        return text;
    }
    Context then = inner(c, "must");
    then.scope.locals.push_back(chosen);
    text += body(then);
    return form == 1 ? text : text + " if none" + body(inner(c, "if none"));
}

std::string Statements::must_several(Context& c) { return several(actor(c), c, false); }

std::string Statements::may_several(Context& c) { return several(actor(c), c, true); }

// Several things, with a condition on the whole now and then.
std::string Statements::several(const Actor& a, Context& c, bool may) {
    const auto cards = expressions_.any_cards(a.knows);
    const Type of = cards && !choices_.chance(1, 3) ? *cards : set_of(expressions_.any_element(a.knows));
    const Written w = expressions_.choosable(of, 2, a.knows);
    const std::string name = names_.fresh("several");
    const int low = choices_.between(0, 2);
    const int high = low + choices_.between(0, 2);
    const bool aloud = choices_.chance(1, 3);
    const Local chosen{name, of.sort == Sort::cards ? w.type : set_of(element_of(w.type)), aloud ? "" : a.text};
    const std::string count = low == high ? fmt::format("{}", low) : fmt::format("{}..{}", low, high);
    std::string text =
        fmt::format("{} {} {} {} from {} as {}", a.text, may ? "may" : "must", aloud ? "name" : "choose", count, w.text, name);
    const bool whole_meant = choices_.chance(1, 2);
    const bool may_lack = may || (!c.plain && c.scope.careful && choices_.chance(1, 2));
    if (!may && !may_lack && low > 0) needs_some(c, w, low);
    if (whole_meant && (may_lack || !c.scope.careful)) {
        Scope whole = a.knows;
        whole.bound = true;
        whole.locals.push_back(chosen);
        text += " where " + expressions_.make(truth_type(), 2, whole).text;
    }
    text += question(a);
    if (!may && (c.plain || (c.scope.careful ? !may_lack : choices_.chance(1, 2)))) {
        c.scope.locals.push_back(chosen);
        return text;
    }
    Context then = inner(c, may ? "may, several" : "must, several");
    then.scope.locals.push_back(chosen);
    text += body(then);
    if (choices_.chance(1, 2) || (!may && c.scope.careful))
        text += (may ? " otherwise" : " if none") + body(inner(c, may ? "otherwise" : "if none"));
    return text;
}

std::string Statements::may(Context& c) {
    const Actor a = actor(c);
    const auto cards = expressions_.any_cards(a.knows);
    const Type of = cards && !choices_.chance(1, 3) ? *cards : set_of(expressions_.any_element(a.knows));
    const Written w = expressions_.choosable(of, 2, a.knows);
    const std::string name = names_.fresh("chosen");
    Context then = inner(c, "may");
    then.scope.locals.push_back({name, element_of(w.type), a.text});
    std::string text = a.text + " may choose " + name + " from " + w.text + question(a) + body(then);
    if (choices_.chance(1, 2)) text += " otherwise" + body(inner(c, "otherwise"));
    return text;
}

std::string Statements::may_do(Context& c) {
    const Actor a = actor(c);
    std::string text = a.text + " may " + names_.fresh("dare") + question(a) + body(inner(c, "may do"));
    if (choices_.chance(1, 2)) text += " otherwise" + body(inner(c, "otherwise"));
    return text;
}

// All are asked at once; of those who want to, the first one counts.
std::string Statements::anybody_may(Context& c) {
    const std::string q = names_.fresh("q");
    Context asked = c;
    asked.scope.locals.push_back({q, of_sort(Sort::player), ""});
    std::string text = "any " + q;
    if (choices_.chance(1, 3)) text += " in " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), summed);
    asked.scope.bound = true;
    if (choices_.chance(1, 3)) text += " where " + expressions_.make(truth_type(), 1, asked.scope).text;
    Actor a{q, asked.scope};
    a.knows.viewer = q;
    static const std::vector<std::string> directions{"clockwise after", "counterclockwise after", "clockwise from",
                                                     "counterclockwise from"};
    text += fmt::format(" may {}{}, the first {} {}", names_.fresh("dare"), question(a), choices_.one_of(directions),
                        at_least(expressions_.make(of_sort(Sort::player), 1, c.scope), summed));
    Context then = inner(c, "anybody may");
    then.scope.locals.push_back({q, of_sort(Sort::player), ""});
    text += body(then);
    if (choices_.chance(1, 2)) text += " otherwise" + body(inner(c, "otherwise"));
    return text;
}

// Names, facts of the table and facts of somebody, as far as who is asked may see them.
std::string Statements::question(const Actor& a) {
    if (!choices_.chance(1, 4)) return "";
    std::vector<std::string> places{a.text};
    for (const Local& l : a.knows.locals)
        if (l.seer.empty() || l.seer == a.text) places.push_back(l.name);
    for (const Fact& f : words_.facts) {
        if (f.spots.numbered() || f.by == Index::enumeration) continue;
        if (f.by == Index::table && f.seen == Seen::all) places.push_back(f.name);
        if (f.by == Index::player && (f.seen == Seen::all || f.seen == Seen::owner)) places.push_back(a.text + "'s " + f.name);
    }
    std::string text = " \"Now";
    for (int n = choices_.between(0, 2); n > 0; --n) text += " {" + choices_.one_of(places) + "}";
    return text + "?\"";
}

std::vector<std::pair<std::string, std::string>> Statements::sayable(const Context& c) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Local& l : c.scope.locals) {
        if (l.type.or_none || l.type.sort == Sort::set || l.type.sort == Sort::cards || l.seer == "?") continue;
        all.emplace_back(l.seer, l.name);
    }
    return all;
}

bool Statements::can_say_value(const Context& c) const { return c.asks && !sayable(c).empty(); }

std::string Statements::says_value(Context& c) {
    const auto [who, what] = choices_.one_of(sayable(c));
    return (who.empty() ? actor(c).text : who) + " says " + what;
}

// Facts that a lot can become.
std::vector<const Fact*> Statements::dice_facts(const Context&) const {
    std::vector<const Fact*> all;
    for (const Fact& f : words_.facts) {
        const bool one = f.type.sort == Sort::number || f.type.sort == Sort::player || f.type.sort == Sort::enumeration;
        if (one && f.type.parts == 1 && f.seen != Seen::others) all.push_back(&f);
    }
    return all;
}

bool Statements::has_dice(const Context& c) const { return c.asks && !dice_facts(c).empty(); }

// A lot that becomes a fact: the fact itself, at one place, at some of them or at all.
std::string Statements::dice(Context& c) {
    const Fact& f = *choices_.one_of(dice_facts(c));
    Written to{f.name, atom, f.type, {}};
    if (f.by == Index::player) to.text = owner(c) + "'s " + f.name, to.level = owned;
    if (f.by == Index::enumeration) to.text = subject(of_sort(Sort::enumeration, f.of), c, owned) + "'s " + f.name, to.level = owned;
    if (f.spots.numbered()) {
        const auto form = choices_.below(f.by == Index::table ? 3 : 2);
        if (form == 0) expressions_.at_spot(to, f.spots, 1, c.scope);
        if (form == 1) {
            Scope each = c.scope;
            each.it = number_type(f.spots.first, f.spots.last);
            each.inside = true;
            each.bound = true;
            to.text += fmt::format(" at ({}..{} where {})", f.spots.first, f.spots.last, expressions_.make(truth_type(), 1, each).text);
        }
    }
    Type of = set_of(f.type);
    const bool own = f.type.sort == Sort::number && (c.scope.careful || !choices_.chance(1, 10));
    if (own) return fmt::format("chance picks {} from {}..{}", to.text, f.type.low.floor(), f.type.high.floor());
    const Written from = expressions_.choosable(of, 1, c.scope);
    needs_some(c, from);
    return "chance picks " + to.text + " from " + at_least(from, grouped);
}

// Decisions first, then what follows from them.
std::string Statements::decisions(Context& c, const std::string& who, std::string* something) {
    Scope knows = c.scope;
    knows.viewer = who;
    knows.bound = true;
    std::string text = "{\n";
    const auto count = 1 + choices_.below(2);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Marked part(choices_, "statement");
        const auto cards = expressions_.any_cards(knows);
        const bool asked = i == 0 && something != nullptr;  // before
        const bool perhaps = cards && (asked || !knows.careful || choices_.chance(1, 16));
        const Type of = perhaps && choices_.chance(1, 2) ? *cards : set_of(expressions_.any_element(knows));
        const Written w = expressions_.choosable(of, 1, knows);
        const std::string name = names_.fresh("chosen");
        std::string from = w.text;
        if (knows.careful && asked) *something = at_least(w, ranged) + " is not empty";
        if (knows.careful && !asked && of.sort == Sort::set)
            from = at_least(w, ranged) + " or if none " + at_least(expressions_.constant(of, false), ranged);
        text += who + " must " + (choices_.chance(1, 2) ? "name " : "choose ") + name + " from " + from + "\n";
        c.scope.locals.push_back({name, element_of(w.type), who});
        knows.locals.push_back({name, element_of(w.type), who});
    }
    if (choices_.chance(1, 4)) text += some_or_none(c, who, knows);
    if (choices_.chance(1, 3)) {
        text += who + " may " + names_.fresh("dare") + body(c) + "\n";
        if (choices_.chance(1, 2)) text += "otherwise" + body(c) + "\n";
    }
    return dealing_last(text + block(c, 3).substr(2), c);
}

// Several things or nothing: what can always be chosen.
std::string Statements::some_or_none(Context& c, const std::string& who, Scope& knows) {
    const Marked part(choices_, "statement");
    const auto cards = expressions_.any_cards(knows);
    const Type of = cards && !choices_.chance(1, 3) ? *cards : set_of(expressions_.any_element(knows));
    const Written w = expressions_.choosable(of, 1, knows);
    const std::string name = names_.fresh("several");
    const Local chosen{name, of.sort == Sort::cards ? w.type : set_of(element_of(w.type)), who};
    c.scope.locals.push_back(chosen);
    knows.locals.push_back(chosen);
    ++script_.written["must, several, in " + c.where];
    return fmt::format("{} must {} 0..{} from {} as {}\n", who, choices_.chance(1, 3) ? "name" : "choose", choices_.between(1, 2), w.text,
                       name);
}

// Where several act at once, what is dealt comes last.
std::string Statements::dealing_last(std::string body, const Context& c) {
    if (!choices_.chance(1, 4)) return body;
    const Marked part(choices_, "statement");
    Context last = c;
    last.scope.bound = false;
    last.scope.careful = is_careful();
    last.first_rule = static_cast<int>(script_.rules.size());  // no rule is called
    last.own_rule = -1;
    std::vector<std::string> conditions;
    auto* const outside = expressions_.guard_by(&conditions);
    if (choices_.chance(1, 4)) conditions.push_back(at_least(expressions_.make(truth_type(), 1, last.scope), summed));
    std::string text = deal(last);
    expressions_.guard_by(outside);
    if (!conditions.empty()) text = guarded(text, conditions, last) + "\n}";
    ++script_.written["deal, last in " + c.where];
    body.insert(body.size() - 1, text + "\n");
    return body;
}

std::string Statements::together(Context& c) {
    const std::string p = names_.fresh("q");
    Context each = inner(c, "simultaneously");
    each.plain = true;
    each.where = "simultaneously";
    each.scope.locals.push_back({p, of_sort(Sort::player), ""});
    std::string text = "simultaneously each " + p;
    if (choices_.chance(1, 3)) text += " in " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), summed);
    each.scope.bound = true;
    const bool some_of_them = choices_.chance(1, 3);
    const Written where = some_of_them ? expressions_.make(truth_type(), 1, each.scope) : Written{};
    std::string something;
    const std::string rest = decisions(each, p, &something);
    if (some_of_them) text += " where " + (something.empty() ? where.text : at_least(where, negated));
    if (!something.empty()) text += (some_of_them ? " and " : " where ") + something;
    return text + " " + rest;
}

std::string Statements::weights(const Type& type) {
    std::vector<std::string> values;
    if (type.element == Sort::player)
        for (int p = 1; p <= words_.low; ++p) values.push_back(fmt::format("P{}", p));
    else
        values = words_.enums[static_cast<std::size_t>(type.of)].values;
    std::string text = "{ ";
    for (const std::string& v : values) text += fmt::format("{}: {} ", v, choices_.between(v == values.front() ? 1 : 0, 5));
    return text + "}";
}

// A fact of the table that becomes what is told or drawn, now and then.
std::optional<std::string> Statements::fact_told(const Context&, const Type& of) {
    std::vector<std::string> all;
    for (const Fact& f : words_.facts)
        if (f.by == Index::table && !f.spots.numbered() && f.seen == Seen::all && fits(element_of(of), f.type)) all.push_back(f.name);
    if (all.empty() || !choices_.chance(1, 3)) return std::nullopt;
    return choices_.one_of(all);
}

std::string Statements::table(Context& c) {
    const bool weighted = choices_.chance(1, 2) && !words_.enums.empty();
    const Type of = set_of(weighted ? of_sort(Sort::enumeration, 0) : expressions_.any_element(c.scope));
    const Written from = weighted ? Written{words_.enums[0].name, atom, of, {}} : expressions_.make(of, 1, c.scope);
    needs_some(c, from);
    if (const auto fact = fact_told(c, of))
        return "table tells " + *fact + " from " + at_least(from, grouped) + ", when simulated " + (weighted ? weights(of) : "any");
    const std::string name = names_.fresh("told");
    c.scope.locals.push_back({name, element_of(from.type), ""});
    return "table tells " + name + " from " + at_least(from, grouped) + ", when simulated " + (weighted ? weights(of) : "any");
}

std::string Statements::chance(Context& c) {
    const bool weighted = choices_.chance(1, 2) && !words_.enums.empty();
    const Type of = set_of(weighted ? of_sort(Sort::enumeration, 0) : expressions_.any_element(c.scope));
    const Written from = weighted ? Written{words_.enums[0].name, atom, of, {}} : expressions_.make(of, 1, c.scope);
    needs_some(c, from);
    if (const auto fact = fact_told(c, of))
        return "chance picks " + *fact + " from " + at_least(from, grouped) + (weighted ? " " + weights(of) : "");
    std::string name = names_.fresh("lot");
    c.scope.locals.push_back({name, element_of(from.type), "?"});
    if (choices_.chance(1, 4)) {
        needs_some(c, from, 2);
        c.scope.locals.push_back({names_.fresh("lot"), element_of(from.type), "?"});
        name += ", " + c.scope.locals.back().name;
    }
    const std::string seer = of.element == Sort::number ? " for P1" : of.element == Sort::kind ? " for nobody" : "";
    return "chance picks " + name + " from " + at_least(from, grouped) + seer + (weighted ? " " + weights(of) : "");
}

}  // namespace houserule::random_games
