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
        return fmt::format("({} {} {}: {})", text(e.a), word, bound(e.imm), text(e.b));
    }
    std::string choice(const Expression& e) const { return fmt::format("({} if {}, otherwise {})", text(e.b), text(e.a), text(e.c)); }
    std::string called(const char* name, const Expression& e) const { return fmt::format("{}({}, {})", name, text(e.a), text(e.b)); }
    std::string total(const char* name, const Expression& e) const {
        return fmt::format("({} {}: {} over {})", name, bound(e.imm), text(e.b), text(e.a));
    }
    std::string constant(const Expression& e) const {
        const bool no_card = e.type.base == Base::card && e.imm < 0;
        if (e.type.base != Base::player && (no_card || is_none(e.type, e.imm))) return "none";
        return value_name(game, e.type, e.imm);
    }
    std::string groups(const Expression& e) const {
        const std::string by = e.c == no_id ? "" : fmt::format(" by {}: {}", bound(e.imm), text(e.c));
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
                return bound(e.imm);
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
                return fmt::format("{} + {} seats", text(e.a), e.imm);
            case Operator::next_in:
                return fmt::format("(next {} {} in {})", e.imm > 0 ? "after" : "before", text(e.a), text(e.b));
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
                return fmt::format("(some {} in {}: {})", bound(e.imm), text(e.a), text(e.b));
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
                return set_text(game, e.type, game.sets[e.imm]);
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
    std::string arguments(const std::vector<Operand>& of) const {
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

    void arms(const Statement& s) {
        for (const Arm& a : s.arms) part(fmt::format("{}{}:", a.except ? "except when " : "", e(a.condition)), a.body);
        if (s.other != no_id) part("otherwise:", s.other);
    }
    void then(const char* word, StatementId body) {
        if (body != no_id) part(word, body);
    }
    std::string choice(const Statement& s) const {
        const char* verb = (s.mode & 1) != 0 ? "name" : "choose";
        const bool range = s.c == no_id && s.b != no_id && game.expressions[s.b].type.base == Base::number;
        if (range) return fmt::format("{} {} from {}..{}", verb, variable(s.variable), e(s.b), e(s.name));
        if (s.c == no_id) return fmt::format("{} {} from {}", verb, variable(s.variable), e(s.b));
        const std::string whole = s.fits == no_id ? "" : " where " + e(s.fits);
        return fmt::format("{} {}..{} from {} as {}{}", verb, e(s.c), e(s.d), e(s.b), variable(s.variable), whole);
    }
    std::string around(std::uint8_t mode, ExpressionId first) const {
        if ((mode & (each_clockwise | each_counterclockwise)) == 0) return "";
        return fmt::format(" {} {} {}", (mode & each_clockwise) != 0 ? "clockwise" : "counterclockwise",
                           (mode & each_after) != 0 ? "after" : "from", e(first));
    }
    std::string put_text(const Statement& s) const {
        std::string text = fmt::format("put {} {} {}", e(s.a),
                                       (s.mode & put_under) != 0 ? "under"
                                       : (s.mode & put_on) != 0  ? "on"
                                                                 : "in",
                                       e(s.b));
        if ((s.mode & put_shuffled) != 0) text += ", shuffled";
        if ((s.mode & put_in_order) != 0) text += ", in order";
        return text;
    }
    std::string deal_text(const Statement& s) const {
        const std::string target = s.name == no_id ? e(s.c) : fmt::format("{} of {}", game.zones[s.name].name, e(s.c));
        const auto direction = static_cast<std::uint8_t>(s.mode & (each_clockwise | each_counterclockwise | each_after));
        return fmt::format("deal {} from {} to {}{}", s.a == no_id ? "all" : e(s.a), e(s.b), target, around(direction, s.d));
    }
    std::string each_text(const Statement& s) const {
        std::string text = "each " + variable(s.variable);
        if ((s.mode & each_numbers) != 0)
            text += fmt::format(" from {} to {}", e(s.a), e(s.b));
        else if (s.a != no_id)
            text += " in " + e(s.a);
        text += around(s.mode, s.c);
        return s.d == no_id ? text : text + " where " + e(s.d);
    }
    std::string repeat_text(const Statement& s) const {
        if (s.mode == 1) return fmt::format("repeat {} times", e(s.c));
        std::string text = "repeat";
        if (s.a != no_id) text += " while " + e(s.a);
        if (s.b != no_id) text += " until " + e(s.b);
        if (s.c != no_id) text += fmt::format(", at most {} times", e(s.c));
        if (s.d != no_id) text += ", running down " + e(s.d);
        return text;
    }
    void weights(const Statement& s, const char* who) {
        std::vector<std::string> texts;
        for (const Arm& a : s.arms) texts.push_back(fmt::format("{}: {}", e(a.condition), e(a.weight)));
        line(fmt::format("{} {} from {}{}{}", who, variable(s.variable), e(s.a), s.b == no_id ? "" : " for " + e(s.b),
                         texts.empty() ? "" : fmt::format(" {{{}}}", fmt::join(texts, ", "))));
    }

    void statement(StatementId id) {
        if (id == no_id) return;
        const Statement& s = game.statements[id];
        switch (s.kind) {
            case StatementKind::block:
                for (const StatementId i : s.items) statement(i);
                return;
            case StatementKind::becomes:
                return line(
                    fmt::format("{}{} becomes {}", game.facts[s.name].name, s.a == no_id ? "" : fmt::format("[{}]", e(s.a)), e(s.b)));
            case StatementKind::let:
                return line(fmt::format("let {} = {}", variable(s.variable), e(s.a)));
            case StatementKind::says:
                return line(fmt::format("{} says {}", e(s.a), game.words[s.name]));
            case StatementKind::show:
                return line(fmt::format("show {} to {}", e(s.a), s.b == no_id ? "all" : e(s.b)));
            case StatementKind::stop:
                return line(fmt::format("stop {}", game.rules[s.name].name));
            case StatementKind::end:
                return line(fmt::format("end {}{}", game.ends[s.name].name, arguments(s.items)));
            case StatementKind::play_game:
                return line("play game");
            case StatementKind::put:
                return line(put_text(s));
            case StatementKind::deal:
                line(deal_text(s));
                return then("if short:", s.body);
            case StatementKind::draw:
                line(fmt::format("draw {}{} from {} to {}", variable(s.variable), s.mode == 1 ? " blindly" : "", e(s.a), e(s.b)));
                return then("if none:", s.body);
            case StatementKind::shuffle:
                return line(fmt::format("shuffle {}", e(s.a)));
            case StatementKind::must:
                line(fmt::format("{} must {}", e(s.a), choice(s)));
                then("then:", s.body);
                return then("if none:", s.other);
            case StatementKind::may:
                line(fmt::format("{} may {}", e(s.a), choice(s)));
                then("then:", s.body);
                return then("otherwise:", s.other);
            case StatementKind::may_do:
                line(fmt::format("{} may {}", e(s.a), game.words[s.name]));
                then("then:", s.body);
                return then("otherwise:", s.other);
            case StatementKind::simultaneously:
                return part(fmt::format("simultaneously each {}{}{}", variable(s.variable), s.a == no_id ? "" : " in " + e(s.a),
                                        s.b == no_id ? "" : " where " + e(s.b)),
                            s.body);
            case StatementKind::table:
                return weights(s, "table tells");
            case StatementKind::chance:
                return weights(s, "chance picks");
            case StatementKind::offer:
                return line(fmt::format("offer {}", game.acts[s.name].name));
            case StatementKind::each:
                return part(each_text(s), s.body);
            case StatementKind::repeat:
                part(repeat_text(s), s.body);
                return then("when that was not enough:", s.other);
            case StatementKind::choose_case:
                return inside("cases", [&] { arms(s); });
            case StatementKind::call:
                return line(fmt::format("{}{}", game.rules[s.name].name, arguments(s.items)));
            case StatementKind::judged:
                return line(fmt::format("judged by {}", e(s.a)));
            case StatementKind::nothing:
                return line("nothing");
        }
    }
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
