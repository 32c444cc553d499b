// The printed form of a checked game: everything in it, in the order of its stores, with variables and bounds by number.
#include "dsl/game/print.hpp"
#include "dsl/game/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace houserule {

namespace {

// `{white, black}`; the elements of a set are values of its type with the base of an element.
std::string set_text(const Game& game, const Type& type, const std::vector<std::int32_t>& elements) {
    Type element = type;
    element.base = type.element;
    element.element = Base::nothing;
    std::vector<std::string> names;
    for (const std::int32_t e : elements)
        names.push_back(element.base == Base::nothing ? fmt::format("{}", e) : value_name(game, element, e));
    return fmt::format("{{{}}}", fmt::join(names, ", "));
}

struct ExpressionPrinter {
    const Game& game;

    std::string variable(VariableId v) const { return fmt::format("{}#{}", game.variables[v].name, v.value()); }
    static std::string bound(std::int32_t b) { return fmt::format("it#{}", b); }
    std::string indexed(const std::string& name, ExpressionId index) const {
        return index == no_id ? name : fmt::format("{}[{}]", name, text(index));
    }
    std::string family(FamilyId f) const { return f == no_id ? "cards" : game.families[f].name; }
    std::string table(TableId t) const {
        for (const Family& f : game.families)
            for (const Field& field : f.fields)
                if (field.table == t) return fmt::format("{}.{}", f.name, field.name);
        return fmt::format("table {}", t.value());
    }
    std::string infix(const Expression& e, const char* word) const { return fmt::format("({} {} {})", text(e.a), word, text(e.b)); }
    std::string over(const Expression& e, const char* word) const {
        return fmt::format("({} {} {}: {})", text(e.a), word, bound(e.bound()), text(e.b));
    }
    std::string choice(const Expression& e) const { return fmt::format("({} if {}, otherwise {})", text(e.b), text(e.a), text(e.c)); }
    std::string called(const char* name, const Expression& e) const { return fmt::format("{}({}, {})", name, text(e.a), text(e.b)); }
    std::string total(const char* name, const Expression& e) const {
        return fmt::format("({} {}: {} over {})", name, bound(e.bound()), text(e.b), text(e.a));
    }
    std::string constant(const Expression& e) const {
        const bool no_card = e.type.base == Base::card && e.value() < 0;
        if (e.type.base != Base::player && (no_card || is_none(e.type, e.value()))) return "none";
        return value_name(game, e.type, e.value());
    }
    std::string groups(const Expression& e) const {
        const std::string by = e.c == no_id ? "" : fmt::format(" by {}: {}", bound(e.bound()), text(e.c));
        return fmt::format("(groups of {} from {}{})", text(e.b), text(e.a), by);
    }

    std::string text(ExpressionId id) const {
        if (id == no_id) return "-";
        const Expression& e = game.expressions[id];
        switch (e.op) {
            case Operator::constant:
                return constant(e);
            case Operator::variable:
            case Operator::set_variable:
            case Operator::cards_variable:
                return variable(e.named());
            case Operator::bound:
                return bound(e.bound());
            case Operator::fact:
            case Operator::set_fact:
                return indexed(game.facts[e.named()].name, e.a);
            case Operator::place:
                return indexed(game.zones[e.named()].name, e.a);
            case Operator::add:
                return infix(e, "+");
            case Operator::subtract:
                return infix(e, "-");
            case Operator::multiply:
                return infix(e, "*");
            case Operator::distance:
                return called("distance", e);
            case Operator::larger:
                return called("larger", e);
            case Operator::smaller:
                return called("smaller", e);
            case Operator::quotient:
                return called("quotient", e);
            case Operator::remainder:
                return called("remainder", e);
            case Operator::equal:
            case Operator::same_cards:
            case Operator::same_set:
                return infix(e, "is");
            case Operator::less:
                return infix(e, "<");
            case Operator::less_equal:
                return infix(e, "<=");
            case Operator::both:
                return infix(e, "and");
            case Operator::either:
                return infix(e, "or");
            case Operator::negate:
                return fmt::format("not {}", text(e.a));
            case Operator::conditional:
            case Operator::cards_conditional:
            case Operator::set_conditional:
                return choice(e);
            case Operator::lookup:
            case Operator::set_lookup:
                return fmt::format("{}'s {}", text(e.a), table(e.named()));
            case Operator::kind_of:
                return fmt::format("kind of {}", text(e.a));
            case Operator::neighbour:
                return fmt::format("{} + {} seats", text(e.a), e.seats());
            case Operator::next_in:
                return fmt::format("(next {} {} in {})", e.is_clockwise() ? "after" : "before", text(e.a), text(e.b));
            case Operator::size_of_cards:
            case Operator::size_of_set:
                return fmt::format("size of {}", text(e.a));
            case Operator::sum_over:
                return total("sum of", e);
            case Operator::largest_over:
                return total("largest of", e);
            case Operator::smallest_over:
                return total("smallest of", e);
            case Operator::exists:
                return fmt::format("(some {} in {}: {})", bound(e.bound()), text(e.a), text(e.b));
            case Operator::the_card:
            case Operator::the_element:
                return fmt::format("the {}", text(e.a));
            case Operator::first_card:
                return fmt::format("first of {}", text(e.a));
            case Operator::last_card:
                return fmt::format("last of {}", text(e.a));
            case Operator::has_kind:
            case Operator::has_element:
                return fmt::format("({} is in {})", text(e.b), text(e.a));
            case Operator::fail:
                return "no case";
            case Operator::cards_at:
                return fmt::format("cards at {}", text(e.a));
            case Operator::cards_of:
                return fmt::format("{} of {}", game.zones[e.named()].name, text(e.a));
            case Operator::cards_family:
                return fmt::format("all {}", family(e.named()));
            case Operator::cards_unplaced:
                return fmt::format("all other {}", family(e.named()));
            case Operator::cards_single:
            case Operator::set_single:
                return fmt::format("{{{}}}", text(e.a));
            case Operator::cards_none:
                return "{}";
            case Operator::cards_join:
            case Operator::set_join:
                return infix(e, "+");
            case Operator::cards_minus:
            case Operator::set_minus:
                return infix(e, "but");
            case Operator::cards_where:
            case Operator::set_where:
                return over(e, "where");
            case Operator::cards_most:
            case Operator::set_most:
                return over(e, "with most");
            case Operator::cards_least:
            case Operator::set_least:
                return over(e, "with least");
            case Operator::cards_or_if_none:
            case Operator::set_or_if_none:
                return infix(e, "or if none");
            case Operator::cards_groups:
                return groups(e);
            case Operator::cards_any:
                return fmt::format("(any {} of {})", text(e.b), text(e.a));
            case Operator::first_cards:
                return fmt::format("(first {} of {})", text(e.b), text(e.a));
            case Operator::last_cards:
                return fmt::format("(last {} of {})", text(e.b), text(e.a));
            case Operator::least_left:
                return fmt::format("smallest {} left after sets {} where {}", text(e.a), variable(e.named()), text(e.b));
            case Operator::set_constant:
                return set_text(game, e.type, game.sets[e.set()]);
            case Operator::set_kinds:
                return fmt::format("kinds of {}", text(e.a));
        }
        return "";
    }
};

struct GamePrinter {
    const Game& game;
    std::string out;
    std::size_t depth = 0;

    std::string e(ExpressionId id) const { return print(game, id); }
    std::string variable(VariableId v) const { return v == no_id ? "-" : fmt::format("{}#{}", game.variables[v].name, v.value()); }
    void line(const std::string& text) { out += std::string(depth * 2, ' ') + text + "\n"; }
    template <typename F>
    void inside(const std::string& head, F f) {
        line(head);
        ++depth;
        f();
        --depth;
    }

    static std::string seers(Seers s) {
        return s == Seers::all ? "all" : s == Seers::owner ? "owner" : s == Seers::others ? "others" : "nobody";
    }
    std::string index(IndexBy by, EnumId of) const {
        return by == IndexBy::nothing ? "" : by == IndexBy::player ? " of player" : " of " + game.enums[of].name;
    }

    // --- declarations

    void header() {
        line(fmt::format("game {}, texts in {}, rules {:016x}", game.name, game.text_language, game.hash));
        line(fmt::format("players {} in a circle, {}", game.players, game.clockwise ? "clockwise" : "counterclockwise"));
        if (!game.team.empty()) line(fmt::format("teams {}", fmt::join(game.team, ", ")));
        for (const OptionValue& o : game.options) line(fmt::format("{} {} is {}", o.reading ? "reading" : "option", o.name, o.value));
    }
    void families() {
        for (const EnumType& x : game.enums) line(fmt::format("enum {} {{{}}}", x.name, fmt::join(x.values, ", ")));
        for (const Family& f : game.families) {
            inside(fmt::format("cards {}: kinds {}..{}", f.name, f.first_kind, f.first_kind + f.kind_count - 1), [&] {
                for (const Field& field : f.fields) line(fmt::format("{} {}", field.name, type_text(game, field.type)));
                for (KindId k = f.first_kind; k < f.first_kind + f.kind_count; ++k) kind(f, k);
            });
        }
    }
    void kind(const Family& f, KindId k) {
        const PieceKind& p = game.kinds[k];
        std::string text = fmt::format("{} of {}", p.copies, kind_text(game, k));
        for (std::size_t i = 0; i < f.fields.size() && i < p.values.size(); ++i)
            if (f.fields[i].type.base == Base::set) text += fmt::format(" {}", set_text(game, f.fields[i].type, game.sets[p.values[i]]));
        line(fmt::format("{}: pieces {}..{}", text, p.first_piece, p.first_piece + p.copies - 1));
    }
    void zones() {
        for (const Zone& z : game.zones) {
            const char* shape = z.shape == Shape::set ? "set" : z.shape == Shape::row ? "row" : z.shape == Shape::stack ? "stack" : "one";
            std::vector<std::string> fit;
            for (std::size_t f = 0; f < z.families.size(); ++f)
                if (z.families[f]) fit.push_back(game.families[f].name);
            line(fmt::format("zone {}{}: {} of {}, at most {}, seen by {}, places {}..{}", z.name, index(z.by, z.index_enum), shape,
                             fmt::join(fit, " or "), z.capacity, seers(z.seers), z.first_place, z.first_place + z.places - 1));
        }
    }
    void facts() {
        for (const Fact& f : game.facts) {
            const std::string start = f.initial == no_id ? "" : " = " + e(f.initial);
            const std::string lasts = f.lasts == lasts_game ? "game" : f.lasts == lasts_match ? game.match_name : game.rules[f.lasts].name;
            line(fmt::format("fact {}{}: {}{}, lasts {}, seen by {}", f.name, index(f.by, f.index_enum), type_text(game, f.type), start,
                             lasts, seers(f.seers)));
        }
    }

    // --- what happens

    std::string parameters(const std::vector<VariableId>& of) const {
        std::vector<std::string> names;
        for (const VariableId v : of) names.push_back(fmt::format("{} {}", type_text(game, game.variables[v].type), variable(v)));
        return names.empty() ? "" : fmt::format("({})", fmt::join(names, ", "));
    }
    std::string arguments(const std::vector<ExpressionId>& of) const {
        std::vector<std::string> texts;
        for (const ExpressionId a : of) texts.push_back(e(a));
        return texts.empty() ? "" : fmt::format("({})", fmt::join(texts, ", "));
    }
    void part(const std::string& head, StatementId body) {
        inside(head, [&] { statement(body); });
    }
    void checks(const std::vector<CheckId>& of) {
        for (const CheckId c : of) {
            inside(game.checks[c].of_match ? "then ends of the match, first of" : "then ends, first of", [&] {
                for (const auto& [end, condition] : game.checks[c].ends) line(fmt::format("{} when {}", game.ends[end].name, e(condition)));
            });
        }
    }
    void stages() {
        if (game.setup != no_id) part("setup", game.setup);
        if (game.play != no_id) part("play", game.play);
        if (game.match != no_id) part("match " + game.match_name, game.match);
        for (const Rule& r : game.rules) {
            part(fmt::format("rule {}{}", r.name, parameters(r.parameters)), r.body);
            ++depth;
            checks(r.ends);
            --depth;
        }
        for (const Act& a : game.acts) {
            part(fmt::format("act {}({}) {} unless {}, {} in {}", a.name, variable(a.parameter),
                             a.any_time ? "at any time" : "when offered", e(a.unless), a.odds, a.odds_of),
                 a.body);
            ++depth;
            checks(a.ends);
            --depth;
        }
        for (const End& x : game.ends)
            part(fmt::format("end {}{}{}", x.of_match ? "of the match " : "", x.name, parameters(x.parameters)), x.body);
    }
    void results() {
        if (game.score != no_id) line(fmt::format("score of it#{} = {}", game.score_bound, e(game.score)));
        if (game.payoff != no_id) line(fmt::format("payoff of it#{} = {}", game.score_bound, e(game.payoff)));
        const Winner& w = game.winner;
        if (!w.present) return;
        std::string text = fmt::format("winner = {}", e(w.set));
        for (const WinnerKey& k : w.keys)
            text += fmt::format(", then with {} it#{}: {}", k.most ? "most" : "least", w.bound, e(k.expression));
        line(fmt::format("{}, then {}", text, w.last == LastWord::shared ? "shared" : w.last == LastWord::nobody ? "nobody" : "by lot"));
    }
    void example(const Example& x) {
        inside(fmt::format("example \"{}\"", x.title), [&] {
            for (const Given& g : x.given) {
                const std::string where = g.index == no_id ? "" : fmt::format("[{}]", e(g.index));
                std::vector<std::string> kinds;
                for (const KindId k : g.kinds) kinds.push_back(kind_text(game, k));
                if (g.fact != no_id)
                    line(fmt::format("given {}{} is {}", game.facts[g.fact].name, where, e(g.value)));
                else
                    line(fmt::format("given {}{} is {{{}}}", game.zones[g.zone].name, where, fmt::join(kinds, ", ")));
            }
            for (const auto& [id, does] : x.steps) {
                if (does)
                    part("do", id);
                else
                    line("then " + e(id));
            }
        });
    }
    void texts() {
        for (const NamedText& t : game.labels) line(fmt::format("label {} {} \"{}\"", t.language, t.name, t.text));
        for (const NamedText& t : game.texts) line(fmt::format("text {} {} \"{}\"", t.language, t.name, t.text));
        for (const auto& [name, span] : game.assumptions) line(fmt::format("assume {}", name));
    }

    // --- statements

    void then(const char* word, StatementId body) {
        if (body != no_id) part(word, body);
    }
    std::string choice(const statement::Choose& s) const {
        const char* verb = s.aloud ? "name" : "choose";
        if (s.set == no_id) return fmt::format("{} {} from {}..{}", verb, variable(s.variable), e(s.low), e(s.high));
        if (s.least == no_id) return fmt::format("{} {} from {}", verb, variable(s.variable), e(s.set));
        const std::string whole = s.fits == no_id ? "" : " where " + e(s.fits);
        return fmt::format("{} {}..{} from {} as {}{}", verb, e(s.least), e(s.most), e(s.set), variable(s.variable), whole);
    }
    std::string around(std::uint8_t direction, ExpressionId first) const {
        if (direction == each_any_order) return "";
        return fmt::format(" {} {} {}", (direction & each_clockwise) != 0 ? "clockwise" : "counterclockwise",
                           (direction & each_after) != 0 ? "after" : "from", e(first));
    }
    std::string such(ExpressionId condition) const { return condition == no_id ? "" : " where " + e(condition); }

    void statement(StatementId id) {
        if (id != no_id) std::visit([&](const auto& s) { write(s); }, game.statements[id].form);
    }

    void write(const statement::Block& s) {
        for (const StatementId i : s.items) statement(i);
    }
    void write(const statement::Becomes& s) {
        const std::string index = s.index == no_id ? "" : fmt::format("[{}]", e(s.index));
        line(fmt::format("{}{} becomes {}", game.facts[s.fact].name, index, e(s.value)));
    }
    void write(const statement::Let& s) { line(fmt::format("let {} = {}", variable(s.variable), e(s.value))); }
    void write(const statement::Says& s) { line(fmt::format("{} says {}", e(s.player), game.words[s.word])); }
    void write(const statement::Show& s) { line(fmt::format("show {} to {}", e(s.cards), s.seers == no_id ? "all" : e(s.seers))); }
    void write(const statement::Stop& s) { line(fmt::format("stop {}", game.rules[s.rule].name)); }
    void write(const statement::End& s) { line(fmt::format("end {}{}", game.ends[s.end].name, arguments(s.arguments))); }
    void write(const statement::PlayGame&) { line("play game"); }
    void write(const statement::Put& s) {
        std::string text = fmt::format("put {} {} {}", e(s.cards),
                                       (s.mode & put_under) != 0 ? "under"
                                       : (s.mode & put_on) != 0  ? "on"
                                                                 : "in",
                                       e(s.place));
        if ((s.mode & put_shuffled) != 0) text += ", shuffled";
        if ((s.mode & put_in_order) != 0) text += ", in order";
        line(text);
    }
    void write(const statement::Deal& s) {
        const std::string target = s.zone == no_id ? e(s.target) : fmt::format("{} of {}", game.zones[s.zone].name, e(s.owners));
        line(fmt::format("deal {} from {} to {}{}", s.count == no_id ? "all" : e(s.count), e(s.source), target,
                         around(s.direction, s.first)));
        then("if short:", s.if_short);
    }
    void write(const statement::Draw& s) {
        line(fmt::format("draw {}{} from {} to {}", variable(s.variable), s.blindly ? " blindly" : "", e(s.source), e(s.target)));
        then("if none:", s.if_none);
    }
    void write(const statement::Shuffle& s) { line(fmt::format("shuffle {}", e(s.place))); }
    void write(const statement::Choose& s) {
        line(fmt::format("{} {} {}", e(s.player), s.optional ? "may" : "must", choice(s)));
        then("then:", s.body);
        then(s.optional ? "otherwise:" : "if none:", s.otherwise);
    }
    void write(const statement::MayDo& s) {
        line(fmt::format("{} may {}", e(s.player), game.words[s.word]));
        then("then:", s.body);
        then("otherwise:", s.otherwise);
    }
    void write(const statement::Simultaneously& s) {
        const std::string among = s.set == no_id ? "" : " in " + e(s.set);
        part(fmt::format("simultaneously each {}{}{}", variable(s.variable), among, such(s.condition)), s.body);
    }
    void write(const statement::Report& s) {
        std::vector<std::string> texts;
        for (const statement::Weight& w : s.weights) texts.push_back(fmt::format("{}: {}", e(w.value), e(w.weight)));
        line(fmt::format("{} {} from {}{}{}", s.by_chance ? "chance picks" : "table tells", variable(s.variable), e(s.set),
                         s.seer == no_id ? "" : " for " + e(s.seer), texts.empty() ? "" : fmt::format(" {{{}}}", fmt::join(texts, ", "))));
    }
    void write(const statement::Offer& s) { line(fmt::format("offer {}", game.acts[s.act].name)); }
    void write(const statement::Each& s) {
        const std::string among = s.set == no_id ? "" : " in " + e(s.set);
        part(fmt::format("each {}{}{}{}", variable(s.variable), among, around(s.direction, s.first), such(s.condition)), s.body);
    }
    void write(const statement::EachNumber& s) {
        part(fmt::format("each {} from {} to {}{}", variable(s.variable), e(s.low), e(s.high), such(s.condition)), s.body);
    }
    void write(const statement::Repeat& s) {
        std::string text = s.exactly ? fmt::format("repeat {} times", e(s.times)) : "repeat";
        if (s.while_true != no_id) text += " while " + e(s.while_true);
        if (s.until != no_id) text += " until " + e(s.until);
        if (s.times != no_id && !s.exactly) text += fmt::format(", at most {} times", e(s.times));
        if (s.decreases != no_id) text += ", running down " + e(s.decreases);
        part(text, s.body);
        then("when that was not enough:", s.at_bound);
    }
    void write(const statement::Cases& s) {
        inside("cases", [&] {
            for (const Arm& a : s.arms) part(fmt::format("{}{}:", a.except ? "except when " : "", e(a.condition)), a.body);
            then("otherwise:", s.otherwise);
        });
    }
    void write(const statement::Call& s) { line(fmt::format("{}{}", game.rules[s.rule].name, arguments(s.arguments))); }
    void write(const statement::Judged& s) { line(fmt::format("judged by {}", e(s.players))); }
    void write(const statement::Nothing&) { line("nothing"); }
};

}  // namespace

std::string type_text(const Game& game, const Type& type) {
    const std::string none = !type.or_none ? "" : type.base == Base::player ? " or nobody" : " or none";
    const auto family = [&] { return type.of == no_id ? std::string("card") : game.families[type.of].name; };
    switch (type.base) {
        case Base::nothing:
            return "nothing";
        case Base::truth:
            return "yes/no" + none;
        case Base::number: {
            const std::string by = type.scale == 1 ? "" : fmt::format(" by 1/{}", type.scale);
            return fmt::format("{}..{}{}{}", value_name(game, type, type.low), value_name(game, type, type.high), by, none);
        }
        case Base::enumeration:
            return (type.of == no_id ? "value" : game.enums[type.of].name) + none;
        case Base::player:
            return "player" + none;
        case Base::kind:
            return "kind of " + family() + none;
        case Base::card:
            return family() + none;
        case Base::place:
            return "place";
        case Base::cards:
            return "cards";
        case Base::set: {
            Type element = type;
            element.base = type.element;
            element.element = Base::nothing;
            return "set of " + type_text(game, element);
        }
    }
    return "";
}

std::string print(const Game& game, ExpressionId expression) { return ExpressionPrinter{game}.text(expression); }

std::string print(const Game& game) {
    GamePrinter printer{game, {}, 0};
    printer.header();
    printer.families();
    printer.zones();
    printer.facts();
    printer.stages();
    printer.results();
    for (const Example& x : game.examples) printer.example(x);
    printer.texts();
    return std::move(printer.out);
}

}  // namespace houserule
