#include "tests/random/generator/game_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace houserule::random_games {

namespace {

class GameWriter {
public:
    GameWriter(Choices& choices, const Avoiding& avoiding, bool scattered)
        : choices_(choices),
          avoiding_(avoiding),
          names_(scattered),
          words_(std::make_shared<Vocabulary>()),
          expressions_(choices, *words_, avoiding),
          statements_(choices, *words_, avoiding, names_, script_) {}
    GeneratedGame write();

private:
    void players();
    void enums();
    void family();
    struct Condition {
        std::string text;
        std::function<bool(const Kind&)> holds;
    };
    Condition some_of_each(int family);
    void each_kind(Family& family, int index, int copies, std::string& text);
    void rows(Family& family, int index, std::string& text);
    Type field_type(bool in_rows);
    void zone(bool deck);
    void fact();
    void option();
    void define();
    void signatures();
    void rules();
    void acts();
    void ends();
    void ends_checked(const std::string& which);
    void accepted();
    std::string replaced();
    std::string removed();
    std::string replaced_define();
    std::string changed();
    void setup();
    void results();
    void examples();
    void labels();
    void match();
    void when();
    void totals();
    std::string house_rule();
    std::string rule_text(std::size_t r);
    std::string seen_text(Seen seen, bool commas);
    std::string spots_text(Spots& spots);
    Type fact_type();
    Callable signature(const std::string& what, std::size_t most);
    std::string parameters_text(const std::vector<Local>& parameters) const;
    Scope scope_of(const std::vector<Local>& parameters) const;
    Scope careful(Scope s) { return s.careful = statements_.is_careful(), s; }  // mostly
    // Whether there is one more of what is `least` to `most` times there: a bit of its own, so that a shrinker can take out one of them.
    bool more(int& done, int least, int most) { return done++ < least || (done <= most && choices_.chance(2, 3)); }
    void declare(std::string text) { declarations_.push_back(std::move(text)); }
    std::string some_text() { return choices_.chance(1, 3) ? " \"As we say it.\"" : ""; }

    Choices& choices_;
    const Avoiding& avoiding_;
    Names names_;
    std::shared_ptr<Vocabulary> words_;
    Script script_;
    Expressions expressions_;
    Statements statements_;
    std::vector<std::string> declarations_;
    std::vector<Probe> probes_;
    std::string head_;
    std::vector<std::string> totals_;                              // families with one
    std::vector<std::pair<std::string, std::string>> zone_texts_;  // up to the capacity, and from there on
    std::vector<std::pair<std::string, std::string>> fact_texts_;  // up to the start value, and from there on
    std::string match_;
};

// ---- components --------------------------------------------------------------------------------------------------------------

void GameWriter::players() {
    static const std::vector<std::pair<int, int>> ranges{{2, 2}, {3, 3}, {2, 3}, {4, 4}, {2, 4}};
    static const std::vector<std::pair<int, int>> small{{2, 2}, {3, 3}};
    const auto [low, high] = choices_.one_of(avoiding_.small ? small : ranges);
    words_->low = low;
    words_->high = high;
    words_->clockwise = !choices_.chance(1, 4);
    std::string text = low == high ? fmt::format("players {}", low) : fmt::format("players {}..{}", low, high);
    text += std::string(" in a circle, ") + (words_->clockwise ? "clockwise" : "counterclockwise");
    if (low == 4 && choices_.chance(1, 2)) {
        words_->teams = {1, 2, 1, 2};
        text += ", in teams {P1, P3}, {P2, P4}";
    } else if (low == 3 && choices_.chance(1, 3)) {
        words_->teams = {1, 2, 1};
        text += ", in teams {P1, P3}, {P2}";
    }
    head_ = text;
}

void GameWriter::enums() {
    for (int n = 0; more(n, 0, 2);) {
        const Marked part(choices_, "declaration");
        Enum e{names_.fresh("Hue"), {}};
        const int size =
            !avoiding_.small && choices_.chance(1, 10) ? choices_.between(33, 70) : choices_.between(1, avoiding_.small ? 3 : 4);
        for (int i = 0; i < size; ++i) e.values.push_back(names_.fresh("tone"));
        std::string text = "enum " + e.name + " { ";
        for (const std::string& v : e.values) text += v + (&v == &e.values.back() ? " }" : ", ");
        declare(text);
        words_->enums.push_back(std::move(e));
    }
}

Type GameWriter::field_type(bool in_rows) {
    std::vector<Type> all{number_type(1, choices_.between(1, 4)), truth_type(), of_sort(Sort::player)};
    all.push_back(number_type(-2, choices_.between(0, 2)));
    for (std::size_t e = 0; e < words_->enums.size(); ++e) {
        if (words_->enums[e].values.size() > 6 && !in_rows) continue;
        all.push_back(of_sort(Sort::enumeration, static_cast<int>(e)));
        if (in_rows) all.push_back(set_of(all.back()));
    }
    Type type = choices_.one_of(all);
    type.or_none = in_rows && type.sort != Sort::truth && type.sort != Sort::set && choices_.chance(1, 5);
    return type;
}

void GameWriter::each_kind(Family& family, int index, int copies, std::string& text) {
    std::vector<std::vector<Value>> all{{}};
    for (const Field& f : family.fields) {
        std::int64_t low = 0;
        std::int64_t high = 1;
        if (f.type.sort == Sort::number) low = f.type.low.floor(), high = f.type.high.floor();
        if (f.type.sort == Sort::player) high = words_->low - 1;
        if (f.type.sort == Sort::enumeration)
            high = static_cast<std::int64_t>(words_->enums[static_cast<std::size_t>(f.type.of)].values.size()) - 1;
        std::vector<std::vector<Value>> longer;
        for (const auto& row : all)
            for (std::int64_t v = low; v <= high; ++v) {
                longer.push_back(row);
                longer.back().push_back(scalar(v));
            }
        all = std::move(longer);
    }
    const Condition which = choices_.chance(1, 4) ? some_of_each(index) : Condition{};
    std::vector<Kind> chosen;
    std::vector<Kind> others;
    for (auto& values : all) {
        Kind kind{index, "", std::move(values), copies};
        (!which.holds || which.holds(kind) ? chosen : others).push_back(std::move(kind));
    }
    text += fmt::format("  {} of each{}\n", copies, which.text);
    if (!others.empty() && (chosen.empty() || choices_.chance(1, 2))) {
        text += fmt::format("  {} of each where not ({})\n", copies + 1, which.text.substr(which.text.find("where ") + 6));
        for (Kind& kind : others) kind.copies = copies + 1;
        chosen.insert(chosen.end(), others.begin(), others.end());
    }
    for (Kind& kind : chosen) {
        family.kinds.push_back(static_cast<int>(words_->kinds.size()));
        words_->kinds.push_back(std::move(kind));
    }
}

// A condition on the fields of the last family; none if it cannot be told of each card.
GameWriter::Condition GameWriter::some_of_each(int family) {
    if (words_->low != words_->high) return {};
    Scope scope;
    scope.it = of_sort(Sort::kind, -1, 1U << static_cast<std::uint32_t>(family));
    scope.inside = scope.constant = scope.no_kinds = scope.reckoned = true;
    const Written c = expressions_.make(truth_type(), 2, scope);
    const auto holds = [this, means = c.means](const Kind& kind) {
        words_->kinds.push_back(kind);
        Setting s;
        s.players = words_->low;
        s.locals["it"] = scalar(static_cast<std::int64_t>(words_->kinds.size()) - 1);
        bool is = false;
        try {
            is = means(s) == truth(true);
        } catch (const BrokenPromise&) {
            is = false;  // `check` says so, and refuses the game
        }
        words_->kinds.pop_back();
        return is;
    };
    return {" where " + c.text, holds};
}

void GameWriter::rows(Family& family, int index, std::string& text) {
    for (int n = 0; more(n, avoiding_.small ? 2 : 1, 4);) {
        const Marked one(choices_, "row");
        Kind k{index, names_.fresh("card"), {}, choices_.between(1, avoiding_.small ? 2 : 3)};
        text += fmt::format("  {} of {}", k.copies, k.name);
        for (const Field& f : family.fields) {
            const Written v = expressions_.constant(f.type);
            k.values.push_back(v.means({}));
            text += (k.values.size() == 1 ? ": " : ", ") + at_least(v, without_parts);
        }
        text += "\n";
        family.kinds.push_back(static_cast<int>(words_->kinds.size()));
        words_->kinds.push_back(std::move(k));
    }
}

void GameWriter::family() {
    const Marked part(choices_, "declaration");
    Family family;
    family.name = names_.fresh("card");
    const auto index = static_cast<int>(words_->families.size());
    const bool by_each = choices_.chance(1, 2);
    std::size_t combinations = 1;
    for (int n = 0; more(n, 0, 3);) {
        const Marked one(choices_, "field");
        Field f{names_.fresh("field"), field_type(!by_each), {}};
        combinations *= f.type.sort == Sort::number        ? static_cast<std::size_t>((f.type.high - f.type.low).floor()) + 1
                        : f.type.sort == Sort::enumeration ? words_->enums[static_cast<std::size_t>(f.type.of)].values.size()
                        : f.type.sort == Sort::player      ? static_cast<std::size_t>(words_->low)
                                                           : 2;
        if (by_each && (combinations > (avoiding_.small ? 4 : 40) || (f.type.sort == Sort::player && words_->low != words_->high))) break;
        family.fields.push_back(std::move(f));
    }
    std::string text = "cards " + family.name + " {\n";
    for (Field& f : family.fields) {
        text += "  " + f.name + " " + words_->type_text(f.type);
        if (f.type.sort == Sort::number && choices_.chance(1, 4)) {
            f.names.emplace_back(names_.fresh("J"), f.type.high);
            text += fmt::format(" with {} = {}", f.names[0].first, f.type.high.floor());
            if (f.type.high < Fraction(0)) f.names.clear();
        }
        text += "\n";
    }
    words_->families.push_back(family);
    if (by_each && !family.fields.empty())
        each_kind(words_->families.back(), index, choices_.between(1, avoiding_.small ? 2 : 3), text);
    else
        rows(words_->families.back(), index, text);
    declare(text + "}");
}

std::string GameWriter::seen_text(Seen seen, bool commas) {
    static const std::vector<std::string> words{"all", "owner", "others", "nobody"};
    return (commas ? ", seen by " : " seen by ") + words[static_cast<std::size_t>(seen)];
}

// ` at 1..5`, now and then.
std::string GameWriter::spots_text(Spots& spots) {
    if (!choices_.chance(1, 5)) return "";
    spots.first = choices_.between(0, 2);
    spots.last = spots.first + choices_.between(0, avoiding_.small ? 1 : 3);
    return fmt::format(" at {}..{}:", spots.first, spots.last);
}

void GameWriter::zone(bool deck) {
    const Marked part(choices_, "declaration");
    Zone z;
    z.name = names_.fresh(deck ? "deck" : "zone");
    z.families = deck ? expressions_.all_families() : expressions_.any_families();
    z.shape = deck ? Shape::stack : static_cast<Shape>(choices_.below(4));
    z.by = deck ? Index::table : static_cast<Index>(choices_.below(words_->enums.empty() ? 2 : 3));
    if (z.by == Index::enumeration) z.of = static_cast<int>(choices_.below(words_->enums.size()));
    if (z.by == Index::enumeration && words_->enums[static_cast<std::size_t>(z.of)].values.size() > 8) z.by = Index::player;
    z.seen = deck ? Seen::nobody : choices_.chance(1, 2) ? Seen::all : Seen::nobody;
    if (z.by == Index::player && choices_.chance(avoiding_.small ? 4 : 2, avoiding_.small ? 5 : 3))
        z.seen = choices_.chance(1, 4) ? Seen::others : Seen::owner;
    static const std::vector<std::string> shapes{"set of ", "row of ", "stack of ", "one "};
    std::string text = "zone " + z.name;
    if (z.by == Index::player) text += " of player";
    if (z.by == Index::enumeration) text += " of " + words_->enums[static_cast<std::size_t>(z.of)].name;
    if (!deck) text += spots_text(z.spots);
    text += " " + shapes[static_cast<std::size_t>(z.shape)] + words_->families_text(z.families);
    const std::string seen = seen_text(z.seen, choices_.chance(1, 2));
    zone_texts_.emplace_back(text, seen);
    if (!deck && z.shape != Shape::one && choices_.chance(1, 4)) text += fmt::format(", at most {}", choices_.between(2, 9));
    declare(text + seen);
    words_->zones.push_back(z);
}

// ---- facts, options, defines -------------------------------------------------------------------------------------------------

Type GameWriter::fact_type() {
    std::vector<Type> all{truth_type(), number_type(0, choices_.between(1, 20)), of_sort(Sort::player), of_sort(Sort::player)};
    all.push_back(number_type(-3, 3));
    Type half = number_type(0, 4, 2);
    all.push_back(half);
    for (std::size_t e = 0; e < words_->enums.size(); ++e) all.push_back(of_sort(Sort::enumeration, static_cast<int>(e)));
    for (std::size_t f = 0; f < words_->families.size(); ++f)
        if (expressions_.can_make(of_sort(Sort::kind, -1, 1U << f), {})) all.push_back(of_sort(Sort::kind, -1, 1U << f));
    Type t = choices_.one_of(all);
    const bool set = t.sort != Sort::truth && t.parts == 1 && choices_.chance(1, 3);
    if (set) return set_of(t.sort == Sort::number && choices_.chance(1, 6) ? number_type(0, 99) : t);
    const bool can_be_none = t.sort != Sort::truth;
    t.or_none = can_be_none && choices_.chance(1, t.sort == Sort::player ? 2 : 3);
    return t;
}

void GameWriter::fact() {
    const Marked part(choices_, "declaration");
    Fact f;
    f.name = names_.fresh("fact");
    f.type = fact_type();
    f.by = static_cast<Index>(choices_.below(words_->enums.empty() ? 2 : 3));
    if (f.by == Index::enumeration) f.of = static_cast<int>(choices_.below(words_->enums.size()));
    f.starts = choices_.chance(5, 6) || (f.type.sort == Sort::kind && !f.type.or_none);
    f.seen = choices_.chance(1, 2) ? Seen::all : Seen::nobody;
    if (f.by == Index::player && choices_.chance(1, 2)) f.seen = choices_.chance(1, 3) ? Seen::others : Seen::owner;
    std::string text = "fact " + f.name;
    if (f.by == Index::player) text += " of player";
    if (f.by == Index::enumeration) text += " of " + words_->enums[static_cast<std::size_t>(f.of)].name;
    text += spots_text(f.spots) + " " + words_->type_text(f.type);
    if (f.starts && !expressions_.can_make(f.type.sort == Sort::set ? element_of(f.type) : f.type, {}) && !f.type.or_none) f.starts = false;
    const std::string before = text;
    if (f.starts) text += " = " + expressions_.constant(f.type).text;
    if (!match_.empty() && choices_.chance(1, 3))
        f.lasts = match_;
    else if (!script_.rules.empty() && choices_.chance(1, 3))
        f.lasts = choices_.one_of(script_.rules).name;
    std::string lasts = " lasts " + f.lasts + seen_text(f.seen, choices_.chance(1, 2));
    if (f.seen == Seen::all && choices_.chance(1, 3)) lasts += choices_.chance(1, 2) ? ", quiet" : ", always shown";
    declare(text + lasts);
    fact_texts_.emplace_back(before, lasts);
    words_->facts.push_back(std::move(f));
}

void GameWriter::option() {
    const auto way = choices_.below(3);
    const Type type = way == 2 ? of_sort(Sort::enumeration) : way == 1 ? number_type(1, choices_.between(2, 4)) : truth_type();
    Option o{names_.fresh("option"), type, {}};
    for (int n = way == 2 ? choices_.between(2, 3) : 0; n > 0; --n) o.values.push_back(names_.fresh("way"));
    const std::string values = o.values.empty() ? words_->type_text(type) : fmt::format("{{{}}}", fmt::join(o.values, ", "));
    declare("option " + o.name + " " + values + " = " + expressions_.option_value(o) + some_text());
    words_->options.push_back(o);
}

Scope GameWriter::scope_of(const std::vector<Local>& parameters) const {
    Scope s;
    s.locals = parameters;
    return s;
}

std::string GameWriter::parameters_text(const std::vector<Local>& parameters) const {
    if (parameters.empty()) return "";
    std::string text;
    for (const Local& p : parameters) {
        const Type card = of_sort(Sort::card, -1, p.type.families);
        const bool many = p.type.sort == Sort::cards;
        const std::string type = p.type.sort == Sort::kind ? "kind of " + words_->type_text(card)
                                 : many                    ? "several " + words_->type_text(card)
                                                           : words_->type_text(p.type);
        text += (text.empty() ? "" : ", ") + type + " " + p.name;
    }
    return "(" + text + ")";
}

Callable GameWriter::signature(const std::string& what, std::size_t most) {
    Callable c{names_.fresh(what), {}};
    for (int n = 0; more(n, 0, static_cast<int>(most));) {
        std::vector<Type> all{of_sort(Sort::player), number_type(0, 99), truth_type(), set_of(of_sort(Sort::player))};
        for (std::size_t e = 0; e < words_->enums.size(); ++e) all.push_back(of_sort(Sort::enumeration, static_cast<int>(e)));
        for (std::size_t f = 0; f < words_->families.size(); ++f) {
            if (what == "end") continue;
            for (const Sort sort : {Sort::card, Sort::cards, Sort::kind}) all.push_back(of_sort(sort, -1, 1U << f));
        }
        c.parameters.push_back({names_.fresh("p"), choices_.one_of(all), ""});
    }
    return c;
}

void GameWriter::define() {
    const Callable c = signature("define", 2);
    Scope scope = scope_of(c.parameters);
    Defined d{c.name, c.parameters, {}, true};
    scope.constant = choices_.chance(1, 4);
    scope.reckoned = true;
    scope = careful(scope);
    d.table = !scope.constant;
    const Type type = choices_.chance(1, 2) ? truth_type() : expressions_.any_type(scope);
    const Marked part(choices_, "define");
    d.body = expressions_.make(type, 3, scope);
    declare("define " + d.name + parameters_text(d.parameters) + " = " + d.body.text);
    words_->defines.push_back(std::move(d));
}

// ---- rules -------------------------------------------------------------------------------------------------------------------

void GameWriter::signatures() {
    for (int n = 0; more(n, 0, avoiding_.small ? 2 : 4);) script_.rules.push_back(signature("rule", 2));
    for (int n = 0; more(n, 0, 2);) script_.ends.push_back(signature("end", 1));
    for (int n = 0; more(n, 0, avoiding_.small && !choices_.chance(1, 6) ? 0 : 2);) script_.acts.push_back(names_.fresh("act"));
}

std::string GameWriter::rule_text(std::size_t r) {
    const Marked part(choices_, "rule");
    Context c;
    c.where = "rule";
    c.scope = scope_of(script_.rules[r].parameters);
    c.own_rule = static_cast<int>(r);
    c.first_rule = c.own_rule + 1;
    c.depth = 2;
    return "rule " + script_.rules[r].name + parameters_text(script_.rules[r].parameters) + some_text() + " " + statements_.block(c);
}

void GameWriter::rules() {
    for (std::size_t r = 0; r < script_.rules.size(); ++r) declare(rule_text(r));
}

// What is counted together over several games.
void GameWriter::match() {
    if (match_.empty()) return;
    Context c;
    c.where = "match";
    c.depth = 0;
    c.asks = false;
    c.match = true;
    c.first_rule = static_cast<int>(script_.rules.size());
    declare("match " + match_ + some_text() + " {\nrepeat 2 times {\nplay game\n" +
            (choices_.chance(1, 2) ? statements_.block(c, 2).substr(2) : "}") + "\n}");
}

void GameWriter::when() {
    for (const Option& o : words_->options) {
        if (script_.rules.empty() || o.type.sort == Sort::number || !choices_.chance(2, 3)) continue;
        const std::string is = o.values.empty() ? "" : " is " + choices_.one_of(o.values);
        declare("when " + o.name + is + " { replace " + rule_text(choices_.below(script_.rules.size())) + " }");
    }
}

void GameWriter::totals() {
    for (const Family& f : words_->families) {
        if (!choices_.chance(1, 4)) continue;
        int sum = 0;
        for (const int k : f.kinds) sum += words_->kinds[static_cast<std::size_t>(k)].copies;
        declare(fmt::format("total {} is {}", f.name, sum));
        totals_.push_back(f.name);
    }
}

// A file that changes this one.
std::string GameWriter::house_rule() {
    if (!choices_.chance(1, 3)) return "";
    const Marked part(choices_, "house rule");
    std::string text = "game " + names_.fresh("house") + " changes \"game.rules\"\n";
    for (const Option& o : words_->options)
        if (choices_.chance(1, 2)) text += "set " + o.name + " is " + expressions_.option_value(o) + "\n";
    for (int n = 0; more(n, 0, 2);) text += replaced();
    if (choices_.chance(1, 3)) text += changed();
    Context play;
    play.depth = 2;
    if (choices_.chance(1, 2)) text += "replace play " + statements_.block(play, 4) + "\n";
    return choices_.chance(1, 3) ? text + removed() : text;
}

// One declaration in another way.
std::string GameWriter::replaced() {
    const Marked part(choices_, "replaced");
    const auto way = choices_.below(4);
    const std::size_t fact = choices_.below(std::max<std::size_t>(1, words_->facts.size()));
    if (way == 1 && fact < words_->facts.size() && words_->facts[fact].starts) {
        ++script_.written["replace fact"];
        return "replace " + fact_texts_[fact].first + " = " + expressions_.constant(words_->facts[fact].type).text +
               fact_texts_[fact].second + "\n";
    }
    if (way == 2 && words_->zones.size() > 1) {
        const std::size_t z = 1 + choices_.below(words_->zones.size() - 1);
        const std::string room = words_->zones[z].shape == Shape::one ? "" : fmt::format(", at most {}", choices_.between(1, 20));
        ++script_.written["replace zone"];
        return "replace " + zone_texts_[z].first + room + zone_texts_[z].second + "\n";
    }
    if (way == 3 && !words_->defines.empty()) return replaced_define();
    if (script_.rules.empty()) return "";
    ++script_.written["replace rule"];
    return "replace " + rule_text(choices_.below(script_.rules.size())) + "\n";
}

// It may call those that stand before it, so that no circle comes about.
std::string GameWriter::replaced_define() {
    const std::size_t at = choices_.below(words_->defines.size());
    Defined& d = words_->defines[at];
    for (std::size_t i = at; i < words_->defines.size(); ++i) words_->defines[i].in_reach = false;
    Scope scope = scope_of(d.parameters);
    scope.constant = !d.table;
    const bool can = expressions_.can_make(d.body.type, scope);
    const std::string body = can ? expressions_.make(d.body.type, 2, scope).text : "";
    for (Defined& each : words_->defines) each.in_reach = true;
    if (!can) return "";
    ++script_.written["replace define"];
    return "replace define " + d.name + parameters_text(d.parameters) + " = " + body + "\n";
}

// What nothing else speaks of.
std::string GameWriter::removed() {
    std::vector<std::string> all;
    for (const std::string& act : script_.acts)
        if (!script_.offered.contains(act)) all.push_back("act " + act);
    for (const auto& [word, name] : script_.silences) all.push_back(word + name);
    if (all.empty()) return "";
    ++script_.written["remove"];
    return "remove " + choices_.one_of(all) + "\n";
}

// Further values of an enum, or another number of copies of a row. The printed totals are no longer right then.
std::string GameWriter::changed() {
    const Marked part(choices_, "changed");
    std::string text;
    for (const std::string& family : totals_) text += "remove total " + family + "\n";
    totals_.clear();
    ++script_.written["change"];
    const std::size_t f = choices_.below(words_->families.size());
    const Family& family = words_->families[f];
    if (family.kinds.empty()) return text;
    const Kind& kind = words_->kinds[static_cast<std::size_t>(choices_.one_of(family.kinds))];
    if (kind.name.empty() || choices_.chance(1, 2)) {
        if (words_->enums.empty()) return text;
        return text + "change enum " + choices_.one_of(words_->enums).name + " { " + names_.fresh("tone") + " }\n";
    }
    return text + fmt::format("change cards {} {{ {} of {} }}\n", family.name, choices_.between(1, 4), kind.name);
}

// Where the rules are silent, and what is wanted as it is.
void GameWriter::accepted() {
    for (int n = 0; n < 2 && choices_.chance(1, 4); ++n) {
        script_.silences.emplace_back(choices_.chance(1, 2) ? "assume " : "unclear ", names_.fresh("silence"));
        declare(script_.silences.back().first + script_.silences.back().second + " \"It does not say.\"");
    }
    static const std::vector<std::string> classes{"gap",   "void",   "unresolved", "conflict", "end_race",
                                                  "order", "window", "endless",    "dead"};
    for (int n = 0; n < 2 && choices_.chance(1, 4); ++n) {
        const bool about = !script_.rules.empty() && choices_.chance(1, 2);
        declare("accept " + choices_.one_of(classes) + (about ? " " + choices_.one_of(script_.rules).name : "") + " \"It is meant.\"");
        ++script_.written["accept"];
    }
}

void GameWriter::acts() {
    for (const std::string& name : script_.acts) {
        const Marked part(choices_, "act");
        Context c;
        c.where = "act";
        c.plain = true;
        c.asks = false;
        c.depth = 1;
        const std::string p = names_.fresh("p");
        c.scope.locals.push_back({p, of_sort(Sort::player), ""});
        Scope knows = c.scope = careful(c.scope);
        knows.viewer = p;
        std::string text = "act " + name + "(player " + p + ")" + some_text();
        text += choices_.chance(2, 3) ? " at any time" : " when offered";
        text +=
            " unless " + expressions_.make(truth_type(), 1, knows).text + fmt::format(", when simulated {} in 10 ", choices_.between(1, 5));
        declare(text + (choices_.chance(1, 3) ? statements_.decisions(c, p) : statements_.dealing_last(statements_.block(c, 3), c)));
    }
}

void GameWriter::ends() {
    for (const Callable& e : script_.ends) {
        const Marked part(choices_, "end");
        Context c;
        c.where = "end";
        c.scope = scope_of(e.parameters);
        c.at_end = true;
        c.depth = 1;
        c.first_rule = static_cast<int>(script_.rules.size());
        declare("end " + e.name + parameters_text(e.parameters) + some_text() +
                (choices_.chance(1, 2) ? " " + statements_.block(c, 2) : ""));
    }
    for (const std::string& name : script_.match_ends) {
        Context c;
        c.where = "end of the match";
        c.at_end = true;
        c.asks = false;
        c.depth = 1;
        c.first_rule = static_cast<int>(script_.rules.size());
        declare("end of " + match_ + " " + name + some_text() + (choices_.chance(3, 4) ? " " + statements_.block(c, 2) : ""));
    }
    if (!script_.rules.empty() && choices_.chance(1, 2)) ends_checked("ends");
    if (!script_.rules.empty() && !match_.empty() && choices_.chance(1, 2)) ends_checked("ends of " + match_);
}

void GameWriter::ends_checked(const std::string& which) {
    const Marked part(choices_, "ends");
    std::string text = which + " checked after " + choices_.one_of(script_.rules).name + ", first of {\n";
    const Scope scope = careful({});
    for (int n = choices_.between(1, 2); n > 0; --n)
        text += names_.fresh("over") + some_text() + " when " + expressions_.make(truth_type(), 3, scope).text + "\n";
    declare(text + "}");
}

void GameWriter::setup() {
    Context c;
    c.where = "setup";
    c.depth = 1;
    c.first_rule = static_cast<int>(script_.rules.size());
    std::string text = "setup {\nput all cards on " + words_->zones.front().name + ", shuffled\n";
    for (const Zone& z : words_->zones) {
        if (&z == &words_->zones.front() || z.families != expressions_.all_families() || z.by == Index::enumeration ||
            choices_.chance(1, 4))
            continue;
        text += statements_.first_deal(z) + "\n";
    }
    declare(text + (choices_.chance(1, 2) ? statements_.block(c, 3).substr(2) : "}"));
    Context play;
    play.depth = 3;
    declare("play " + statements_.block(play, Statements::most_of_play));
}

void GameWriter::results() {
    const std::string p = names_.fresh("p");
    const Scope scope = careful(scope_of({{p, of_sort(Sort::player), ""}}));
    const bool score = choices_.chance(1, 2);
    const std::string points = score ? expressions_.make(number_type(), 2, scope).text : "";
    if (choices_.chance(1, 4)) declare("define payoff(player " + p + ") = " + expressions_.make(number_type(), 2, scope).text);
    const std::string set = at_least(expressions_.make(set_of(of_sort(Sort::player)), 2, careful({})), ranged);
    std::string text = "winner = " + set;
    Scope each = careful({});
    each.it = of_sort(Sort::player);
    each.inside = true;
    const bool by_most = choices_.chance(1, 2);
    if (by_most) text += " with most " + (score ? "score(it)" : at_least(expressions_.make(number_type(), 1, each), summed));
    // A score that is no player's is one for all.
    const bool common = !by_most && points.find(p) == std::string::npos;
    if (score) declare("define score" + (common ? "" : "(player " + p + ")") + " = " + points);
    const bool keyed = choices_.chance(1, 3);
    if (keyed) text += ", then with least " + at_least(expressions_.make(number_type(), 1, each), summed);
    static const std::vector<std::string> words{"shared", "nobody", "by lot"};
    const std::string& last = choices_.one_of(words);
    if (!by_most && !keyed && last == "nobody") return declare("winner = all if " + set + " is not empty, otherwise nobody");
    declare(text + ", then " + last);
}

void GameWriter::examples() {
    for (int n = 0; more(n, 1, 6);) {
        const Marked part(choices_, "probe");
        Scope scope;
        scope.constant = choices_.chance(1, 4);
        scope.reckoned = true;
        Probe probe{expressions_.make(truth_type(), 4, scope)};
        declare("example \"a claim\" { then " + probe.claim.text + " }");
        probes_.push_back(std::move(probe));
    }
}

void GameWriter::labels() {
    if (!choices_.chance(1, 3)) return;
    std::string text = "labels ja {";
    for (const Zone& z : words_->zones) text += " " + z.name + " \"場所\"";
    declare(text + " }");
    if (!script_.rules.empty()) declare("texts ja { " + script_.rules[0].name + " \"手番。\" }");
}

GeneratedGame GameWriter::write() {
    const std::string head = "game " + names_.fresh("game") + (choices_.chance(1, 4) ? " \"About it.\"" : "") + "\n";
    players();
    enums();
    for (int n = 0; more(n, 1, avoiding_.small && !choices_.chance(1, 4) ? 1 : 2);) family();
    script_.careless = choices_.chance(1, 8);
    signatures();
    if (choices_.chance(1, 4)) match_ = names_.fresh("day");
    if (!match_.empty() && choices_.chance(2, 3)) script_.match_ends.push_back(names_.fresh("dusk"));
    totals();
    for (int n = 0; n < 3 && choices_.chance(1, 3); ++n) option();
    zone(true);
    for (int n = 0; more(n, 1, avoiding_.small ? 4 : 5);) zone(false);
    for (int n = 0; more(n, 0, avoiding_.small ? 3 : 6);) fact();
    for (int n = 0; more(n, 0, 3);) define();
    setup();
    rules();
    acts();
    ends();
    results();
    accepted();
    labels();
    match();
    when();
    const std::size_t before = declarations_.size();
    // The order of declarations does not matter.
    for (std::size_t i = before; i > 1; --i) std::swap(declarations_[i - 1], declarations_[i - 1 - choices_.below(i)]);
    examples();
    static const std::string rules_of_zones =
        "rule deals_some(0..9 zone_n, zone zone_a, zone zone_b) { deal zone_n from zone_a to zone_b }\n"
        "rule shuffles_it(zone zone_z) { shuffle zone_z }";
    const bool takes_zones = script_.takes_zones;
    if (takes_zones) declare(rules_of_zones);
    std::string text = head + head_ + "\n";
    for (const std::string& d : declarations_) text += d + "\n";
    std::string house = house_rule();
    if (script_.takes_zones && !takes_zones) house += rules_of_zones + "\n";
    return {text, house, words_, probes_, script_.written, avoiding_};
}

}  // namespace

GeneratedGame generate(Choices& choices, const Avoiding& avoiding, bool scattered_names) {
    return GameWriter(choices, avoiding, scattered_names).write();
}

}  // namespace houserule::random_games
