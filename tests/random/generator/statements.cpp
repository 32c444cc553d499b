#include "tests/random/generator/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace houserule::random_games {

struct StatementProduction {
    const char* name;
    std::string (Statements::*make)(Context&);
    bool (Statements::*can)(const Context&) const;
    bool leaf;   // no statement stands inside it
    bool plain;  // may stand where several act at once
    static const std::vector<StatementProduction>& all();
};

const std::vector<StatementProduction>& StatementProduction::all() {
    using S = Statements;
    static const std::vector<StatementProduction> table{
        {"nothing", &S::nothing, nullptr, true, false},
        {"says", &S::says, nullptr, true, true},
        {"says a value", &S::says_value, &S::can_say_value, true, false},
        {"becomes", &S::becomes, &S::has_fact, true, true},
        {"let", &S::let, nullptr, true, false},
        {"put", &S::put, &S::has_cards, true, true},
        {"put all", &S::put_all, nullptr, true, false},
        {"deal", &S::deal, &S::has_stack, true, false},
        {"draw", &S::draw, &S::has_stack, true, false},
        {"draw blindly", &S::draw_blindly, &S::has_set, true, false},
        {"shuffle", &S::shuffle, &S::has_stack, true, false},
        {"show", &S::show, &S::has_cards, true, true},
        {"judged", &S::judged, nullptr, true, false},
        {"assume", &S::assume, nullptr, true, false},
        {"stop", &S::stop, &S::can_stop, true, false},
        {"end", &S::end, &S::can_end, true, false},
        {"call", &S::call, &S::can_call, true, false},
        {"offer", &S::offer, &S::can_offer, true, false},
        {"table", &S::table, &S::asks, true, false},
        {"chance", &S::chance, &S::asks, true, false},
        {"dice", &S::dice, &S::has_dice, true, false},
        {"must", &S::must, &S::asks, true, false},
        {"must, several", &S::must_several, &S::asks, true, false},
        {"may", &S::may, &S::asks, false, false},
        {"may, several", &S::may_several, &S::asks, false, false},
        {"may do", &S::may_do, &S::asks, false, false},
        {"anybody may", &S::anybody_may, &S::asks, false, false},
        {"simultaneously", &S::together, &S::asks, true, false},
        {"simultaneously put", &S::together_put, &S::has_cards, true, false},
        {"each player", &S::each_player, nullptr, false, false},
        {"each of a set", &S::each_element, nullptr, false, false},
        {"each number", &S::each_number, nullptr, false, false},
        {"repeat until", &S::repeat_until, nullptr, false, false},
        {"repeat while", &S::repeat_while, nullptr, false, false},
        {"repeat times", &S::repeat_times, nullptr, false, false},
        {"repeat, running down", &S::repeat_down, &S::has_stack, false, false},
        {"if", &S::if_then, nullptr, false, true},
        {"cases", &S::cases, nullptr, false, false},
        {"cases together", &S::cases_together, &S::has_cards, false, false},
        {"cases of", &S::cases_of, nullptr, false, false},
        {"reading", &S::reading, &S::not_nested, false, false},
    };
    return table;
}

std::vector<std::string> Statements::names(bool plain) {
    std::vector<std::string> all;
    for (const StatementProduction& p : StatementProduction::all())
        if (p.plain || !plain) all.emplace_back(p.name);
    return all;
}

namespace {

// Statements that tell seats apart: what one of them knows and another does not comes from these. Others stay if nothing else is there.
bool moves_what_is_hidden(const StatementProduction& p) {
    static const std::set<std::string> names{"nothing",
                                             "says",
                                             "becomes",
                                             "put",
                                             "put all",
                                             "deal",
                                             "draw",
                                             "show",
                                             "draw blindly",
                                             "must",
                                             "may",
                                             "must, several",
                                             "may do",
                                             "if",
                                             "call",
                                             "simultaneously",
                                             "shuffle",
                                             "chance",
                                             "simultaneously put",
                                             "says a value",
                                             "dice",
                                             "may, several",
                                             "anybody may"};
    return names.contains(p.name);
}

bool asks_seats(const StatementProduction& p) {
    static const std::set<std::string> names{"must", "must, several", "may", "may, several", "may do", "anybody may", "simultaneously"};
    return names.contains(p.name);
}

}  // namespace

std::string Statements::block(const Context& outer, int most) {
    Context context = outer;
    context.scope.bound = false;
    std::string text = "{\n";
    std::string ends = "}";
    const bool long_one = most >= most_of_play;
    for (int i = 0; i == 0 || (i < most && (long_one ? choices_.chance(5, 6) : choices_.chance(2, 3))); ++i) {
        const Marked part(choices_, "statement");
        std::vector<const StatementProduction*> usable;
        for (const StatementProduction& p : StatementProduction::all()) {
            const bool deep = p.leaf || context.depth > 0;
            if (deep && (p.plain || !context.plain) && (p.can == nullptr || (this->*p.can)(context))) usable.push_back(&p);
        }
        const bool asked = long_one ? i % 3 == 0 || choices_.chance(1, 3) : choices_.chance(1, 3);
        if (context.asks && !context.plain && asked) std::erase_if(usable, [](const auto* each) { return !asks_seats(*each); });
        if (avoiding_.small && choices_.chance(1, 2)) std::erase_if(usable, [](const auto* each) { return !moves_what_is_hidden(*each); });
        // What has a name is said now and then.
        const auto says_it = [](const auto* each) { return each->make == &Statements::says_value; };
        const bool said = !context.plain && can_say_value(context) && choices_.chance(1, 8);
        if (said && std::any_of(usable.begin(), usable.end(), says_it))
            std::erase_if(usable, [&](const auto* each) { return !says_it(each); });
        std::vector<const char*> usable_names;
        for (const StatementProduction* each : usable) usable_names.push_back(each->name);
        const StatementProduction& p = *usable[context.depth > 0 ? choices_.favoured(usable_names) : choices_.below(usable.size())];
        ++script_.written[fmt::format("{} in {}", p.name, context.where)];
        context.scope.careful = is_careful();
        const std::size_t known = context.scope.locals.size();
        std::vector<std::string> conditions;
        auto* const outside = expressions_.guard_by(&conditions);
        std::string statement = (this->*p.make)(context);
        expressions_.guard_by(outside);
        if (!conditions.empty()) {
            // What is named there is known to all that follows.
            const bool named = context.scope.locals.size() > known;
            statement = guarded(statement, conditions, context) + (named ? "" : "\n}");
            if (named) ends += "\n}";
        }
        if (statement.starts_with('(') || statement.starts_with('[')) text += "; ";  // it is no argument of what stands before it
        text += statement + "\n";
    }
    return text + ends;
}

// What breaks no promise while these conditions hold; what it opens is not closed.
std::string Statements::guarded(const std::string& statement, const std::vector<std::string>& conditions, const Context& c) {
    ++script_.written[fmt::format("guard in {}", c.where)];
    std::string text = "if ";
    for (const std::string& condition : conditions) text += (&condition == &conditions.front() ? "" : " and ") + condition;
    return text + " {\n" + statement;
}

// There is something, or so many.
void Statements::needs_some(const Context& c, const Written& from, int least) {
    const bool listed = from.text.starts_with('{') || from.text == "players" || from.text.find("..") < from.text.find(' ');
    if (least == 1 && !listed) expressions_.needs(c.scope, at_least(from, ranged) + " is not empty");
    if (least > 1) expressions_.needs(c.scope, fmt::format("size of {} >= {}", at_least(from, without_parts), least));
}

std::string Statements::subject(const Type& type, const Context& c, Level level) {
    const std::string text = at_least(expressions_.make(type, 1, c.scope), level);
    return text.starts_with("cases") || text.starts_with("next") || text.starts_with("reading") ? "(" + text + ")" : text;
}

std::string Statements::body(const Context& context) { return (choices_.chance(1, 3) ? ": " : " ") + block(context, 3); }

Context Statements::deeper(const Context& c) const {
    Context d = c;
    --d.depth;
    return d;
}

Context Statements::inner(const Context& c, const std::string& where) const {
    Context d = deeper(c);
    if (!c.plain) d.where = where;
    return d;
}

bool Statements::asks(const Context& c) const { return c.asks; }
bool Statements::not_nested(const Context& c) const { return c.own_rule >= 0 && c.depth > 0; }
bool Statements::has_fact(const Context&) const { return !words_.facts.empty(); }
bool Statements::has_stack(const Context&) const { return true; }
bool Statements::has_cards(const Context&) const { return true; }
bool Statements::has_set(const Context&) const {
    return std::any_of(words_.zones.begin(), words_.zones.end(), [](const Zone& z) { return z.shape == Shape::set; });
}
bool Statements::can_call(const Context& c) const { return !c.keeps_deck && !callable(c).empty(); }

// Rules that may be called here, and whose parameters there is something for.
std::vector<const Callable*> Statements::callable(const Context& c) const {
    std::vector<const Callable*> all;
    for (std::size_t r = static_cast<std::size_t>(c.first_rule); r < script_.rules.size(); ++r) {
        const auto& parameters = script_.rules[r].parameters;
        const auto can = [&](const Local& p) { return expressions_.can_make(p.type, c.scope); };
        if (std::all_of(parameters.begin(), parameters.end(), can)) all.push_back(&script_.rules[r]);
    }
    return all;
}
bool Statements::can_stop(const Context& c) const { return c.own_rule >= 0; }
bool Statements::can_end(const Context& c) const {
    return (!script_.ends.empty() || !script_.match_ends.empty()) && !c.at_end && c.where != "setup" && c.asks && !c.match;
}
bool Statements::can_offer(const Context& c) const { return !script_.acts.empty() && c.asks && !c.at_end; }

// ---- without anything inside -------------------------------------------------------------------------------------------------

std::string Statements::nothing(Context&) { return "nothing"; }

std::string Statements::says(Context& c) {
    return subject(of_sort(Sort::player), c, without_parts) + " says " + (choices_.chance(1, 2) ? "hello" : "pass");
}

std::string Statements::becomes(Context& c) {
    const Fact& f = choices_.one_of(words_.facts);
    std::string text = f.name;
    if (f.by == Index::player) text = owner(c) + "'s " + f.name;
    if (f.by == Index::enumeration) text = subject(of_sort(Sort::enumeration, f.of), c, owned) + "'s " + f.name;
    Written target{text, owned, f.type, {}};
    expressions_.at_spot(target, f.spots, 1, c.scope);
    text = target.text;
    const bool number_or_none = f.type.sort == Sort::number && (f.type.or_none || f.type.parts != 1);
    const bool constant = choices_.chance(1, 2) || (c.scope.careful && (number_or_none || f.type.element == Sort::number));
    const Written value = constant ? expressions_.constant(f.type) : expressions_.make(f.type, 2, c.scope);
    const bool clamped = f.type.sort == Sort::number && !f.type.or_none && (choices_.chance(7, 8) || c.scope.careful);
    const std::string number = f.type.parts == 1 ? "quotient(" + value.text + ", 1)" : value.text;
    if (clamped) return fmt::format("{} becomes smaller({}, larger({}, {}))", text, f.type.high.floor(), f.type.low.floor(), number);
    return text + " becomes " + value.text;
}

// Whose fact becomes something: now and then that of somebody who may be nobody, which nothing asks before.
std::string Statements::owner(const Context& c) {
    const Type player = of_sort(Sort::player);
    if (expressions_.can_be_none(player, c.scope) && choices_.chance(1, 3)) return expressions_.perhaps_none(player, c.scope).text;
    return subject(player, c, owned);
}

std::string Statements::let(Context& c) {
    const Type type = expressions_.any_type(c.scope);
    const Written value = expressions_.make(type, 2, c.scope);
    const std::string name = names_.fresh("value");
    Type known = value.type;
    if (known.spot) known = of_sort(Sort::cards, -1, known.families);
    c.scope.locals.push_back({name, known, "?"});
    return "let " + name + " = " + value.text;
}

std::string Statements::show(Context& c) {
    const Written what = expressions_.make(*expressions_.any_cards(c.scope), 1, c.scope);
    const bool all = choices_.chance(1, 2);
    return "show " + at_least(what, grouped) + " to " +
           (all ? "all" : at_least(expressions_.make(of_sort(Sort::player), 1, c.scope), grouped));
}

std::string Statements::stop(Context& c) { return "stop " + script_.rules[static_cast<std::size_t>(c.own_rule)].name; }

std::string Statements::arguments(const Callable& of, const Context& c) {
    if (of.parameters.empty()) return "";
    std::string text;
    for (const Local& p : of.parameters) text += (text.empty() ? "" : ", ") + expressions_.argument(p.type, 1, c.scope).text;
    return "(" + text + ")";
}

std::string Statements::end(Context& c) {
    std::vector<Callable> all = script_.ends;
    for (const std::string& name : script_.match_ends) all.push_back({name, {}});
    const Callable& e = choices_.one_of(all);
    return "end " + e.name + arguments(e, c);
}

std::string Statements::call(Context& c) {
    const Callable& r = *choices_.one_of(callable(c));
    return r.name + arguments(r, c);
}

std::string Statements::offer(Context&) {
    const std::string& act = choices_.one_of(script_.acts);
    script_.offered.insert(act);
    return "offer " + act;
}

std::string Statements::judged(Context& c) {
    return "judged by " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), grouped);
}

std::string Statements::assume(Context&) {
    const bool assumed = choices_.chance(1, 2);
    return (assumed ? "assume " : "unclear ") + names_.fresh("silence") + " \"It does not say.\"";
}

// ---- cards -------------------------------------------------------------------------------------------------------------------

// Zones where cards of these families can go; if promises are to be kept, those where there is room for any number of them, or for one.
std::vector<const Zone*> Statements::targets(const Context& c, std::uint32_t families, bool several) const {
    std::vector<const Zone*> all;
    for (const Zone& z : words_.zones)
        if ((families & ~z.families) == 0 && !(c.keeps_deck && &z == &words_.zones.front())) all.push_back(&z);
    if (all.empty()) all.push_back(&words_.zones.front());  // which takes all
    const auto roomy = [&](const Zone* z) { return has_room(*z); };
    const bool anywhere = !c.scope.careful || (!several && !c.scope.bound);
    if (!anywhere && std::any_of(all.begin(), all.end(), roomy)) std::erase_if(all, [&](const Zone* z) { return !has_room(*z); });
    return all;
}

// For one card.
void Statements::needs_room(const Context& c, const Zone& zone, const Written& place) {
    if (has_room(zone)) return;
    if (zone.shape == Shape::one)
        expressions_.needs(c.scope, at_least(place, ranged) + " is empty");
    else
        expressions_.needs(c.scope, fmt::format("size of {} < {}", at_least(place, without_parts), zone.at_most));
}

// Where cards of these families can go, with the words for it.
std::string Statements::target(const Context& c, std::uint32_t families, bool several, bool unordered) {
    const Zone& zone = *choices_.one_of(targets(c, families, several));
    std::string text = zone.name;
    if (zone.by == Index::player) text = at_least(expressions_.make(of_sort(Sort::player), 1, c.scope), owned) + "'s " + zone.name;
    if (zone.by == Index::enumeration)
        text += " of " + at_least(expressions_.make(of_sort(Sort::enumeration, zone.of), 1, c.scope), without_parts);
    Written target{text, zone.by == Index::enumeration ? without_parts : owned, of_sort(Sort::cards, -1, zone.families), {}};
    expressions_.at_spot(target, zone.spots, 1, c.scope);
    needs_room(c, zone, target);
    text = target.text;
    if (zone.shape != Shape::stack) return " in " + text;
    text = (choices_.chance(1, 3) ? " under " : " on ") + text;
    if (several) text += unordered || !choices_.chance(1, 4) ? ", shuffled" : ", in order";
    return text;
}

std::string Statements::put(Context& c) {
    const Type cards = *expressions_.any_cards(c.scope);
    const Type card = element_of(cards);
    const bool one = choices_.chance(1, 2) && expressions_.can_make(card, c.scope);
    const Written what = expressions_.make(one ? card : cards, 2, c.scope);
    return "put " + at_least(what, grouped) + target(c, what.type.families, !one || what.type.spot, false);
}

std::string Statements::put_all(Context& c) {
    const std::uint32_t families = expressions_.any_families();
    std::string what = "cards";
    for (std::size_t f = 0; f < words_.families.size(); ++f)
        if (families == 1U << f && choices_.chance(1, 2)) what = words_.families[f].name;
    const bool other = what == "cards" && choices_.chance(1, 2);
    return std::string("put all ") + (other ? "other " : "") + what +
           target(c, what == "cards" ? expressions_.all_families() : families, true, true);
}

// Whether zones are given to a rule that does it with them: every third time, so that nothing is drawn for it.
bool Statements::as_zones(const std::string& places, const Context& c) {
    const bool calls = c.own_rule >= 0 || (c.first_rule == 0 && !script_.rules.empty());
    const bool one = places.find(" at ") == std::string::npos && places.find("every ") == std::string::npos;
    if (!calls || !one || script_.could_take_zones++ % 3 != 0) return false;
    script_.takes_zones = true;
    ++script_.written[fmt::format("zones as arguments in {}", c.where)];
    return true;
}

// How many places of a zone there are, in words of the language.
std::string Statements::receivers(const Zone& zone) const {
    if (zone.by == Index::player && !zone.spots.numbered()) return "size of players";
    const int owners = zone.by == Index::player        ? words_.high
                       : zone.by == Index::enumeration ? static_cast<int>(words_.enums[static_cast<std::size_t>(zone.of)].values.size())
                                                       : 1;
    return fmt::format("{}", owners * zone.spots.count());
}

std::string Statements::first_deal(const Zone& to) {
    const std::string& deck = words_.zones.front().name;
    const bool every = to.by == Index::player || to.spots.numbered();
    const std::string there = "size of " + deck;
    std::string count = fmt::format("{}", to.shape == Shape::one ? 1 : choices_.between(1, 2));
    if (is_careful()) count = fmt::format("smaller({}, {})", count, every ? fmt::format("quotient({}, {})", there, receivers(to)) : there);
    return fmt::format("deal {} from {} to {}{}", count, deck, every ? "every " : "", to.name);
}

std::string Statements::deal(Context& c) {
    const auto is_stack = [](const Zone& z) { return z.shape == Shape::stack; };
    const Written from = *expressions_.place(c.scope, expressions_.all_families(), is_stack);
    const Zone& zone = *choices_.one_of(targets(c, from.type.families, true));
    std::string to = zone.name;
    bool each = false;
    if (zone.by != Index::table) {
        each = choices_.chance(2, 3);
        const Type index = zone.by == Index::player ? of_sort(Sort::player) : of_sort(Sort::enumeration, zone.of);
        if (!each) to += " of " + at_least(expressions_.make(index, 1, c.scope), without_parts);
        if (each && choices_.chance(1, 2))
            to += " of " + at_least(expressions_.make(set_of(index), 1, c.scope), without_parts);
        else if (each)
            to = "every " + to;
    }
    Written target{to, zone.by == Index::table ? atom : without_parts, of_sort(Sort::cards, -1, zone.families), {}};
    if (zone.by == Index::table && zone.spots.numbered() && choices_.chance(1, 2))
        to = "every " + to;
    else if (!each)
        expressions_.at_spot(target, zone.spots, 1, c.scope), to = target.text;
    const bool to_itself = c.scope.careful && to == from.text;  // that would have no end
    const bool all = choices_.chance(1, 5) && !to_itself && !(zone.spots.numbered() && (each || to.starts_with("every ")));
    std::string count = all                     ? "all"
                        : choices_.chance(3, 4) ? fmt::format("{}", choices_.between(1, 3))
                                                : at_least(expressions_.whole_number(0, 4, 1, c.scope), summed);
    if (!each && !all && count.size() == 1 && as_zones(from.text + ", " + to, c)) {
        expressions_.needs(c.scope, fmt::format("size of {} >= {}", at_least(from, without_parts), count));
        return "deals_some(" + count + ", " + from.text + ", " + to + ")";
    }
    if (!all && (choices_.chance(3, 4) || c.scope.careful)) {  // no more than there are
        const std::string there = "size of " + at_least(from, without_parts);
        count =
            "smaller(" + count + ", " + (to.find("every ") == 0 || each ? "quotient(" + there + ", " + receivers(zone) + ")" : there) + ")";
    }
    std::string text = "deal " + count + " from " + at_least(from, without_parts) + " to " + to;
    if (each && zone.by == Index::player && choices_.chance(1, 2))
        text += std::string(choices_.chance(1, 2) ? ", clockwise from " : ", counterclockwise from ") +
                at_least(expressions_.make(of_sort(Sort::player), 1, c.scope), summed);
    if (!all && choices_.chance(1, 3)) {
        Context short_of = inner(c, "if short");
        short_of.asks = false;
        short_of.depth = 0;
        text += " if short " + block(short_of, 2);
    }
    return text;
}

std::string Statements::draw(Context& c) {
    const auto is_stack = [](const Zone& z) { return z.shape == Shape::stack; };
    const Written from = *expressions_.place(c.scope, expressions_.all_families(), is_stack);
    const std::string name = names_.fresh("drawn");
    std::string to = target(c, from.type.families, false, false);
    to.replace(0, to.find(' ', 1), " to");
    std::string text = "draw " + name + " from " + at_least(from, without_parts) + to;
    const bool caught = choices_.chance(2, 3);
    if (caught) {
        Context without = inner(c, "if none");
        without.depth = 0;
        text += (++caught_ % 3 == 0 ? " if short " : " if none ") + block(without, 2);
    } else {
        needs_some(c, from);
        c.scope.locals.push_back({name, of_sort(Sort::card, -1, from.type.families), "?"});
    }
    return text;
}

std::string Statements::draw_blindly(Context& c) {
    const auto is_set = [](const Zone& z) { return z.shape == Shape::set; };
    const auto from = expressions_.place(c.scope, expressions_.all_families(), is_set);
    const std::string name = names_.fresh("drawn");
    std::string to = target(c, from->type.families, false, false);
    to.replace(0, to.find(' ', 1), " to");
    needs_some(c, *from);
    c.scope.locals.push_back({name, of_sort(Sort::card, -1, from->type.families), "?"});
    return "draw " + name + " blindly from " + at_least(*from, without_parts) + to;
}

std::string Statements::shuffle(Context& c) {
    const auto is_stack = [](const Zone& z) { return z.shape == Shape::stack; };
    const Written stack = *expressions_.place(c.scope, expressions_.all_families(), is_stack);
    if (as_zones(stack.text, c)) return "shuffles_it(" + stack.text + ")";
    return "shuffle " + at_least(stack, summed);
}

std::string Statements::together_put(Context& c) {
    const std::string p = names_.fresh("r");
    Context each = inner(c, "simultaneously put");
    each.scope.locals.push_back({p, of_sort(Sort::player), ""});
    std::string text = "simultaneously each " + p;
    if (choices_.chance(1, 3)) text += " in " + at_least(expressions_.make(set_of(of_sort(Sort::player)), 1, c.scope), summed);
    each.scope.bound = true;
    if (choices_.chance(1, 3)) text += " where " + expressions_.make(truth_type(), 1, each.scope).text;
    return text + ": " + put(each);
}

}  // namespace houserule::random_games
