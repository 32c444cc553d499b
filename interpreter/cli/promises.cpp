#include "interpreter/cli/promises.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace houserule::cli {

namespace {

// The promises that are counted, in the order in which they are shown.
enum class Promise : std::uint8_t {
    the,
    room_for_one,
    first_or_last,
    next,
    extreme,
    field,
    division,
    any_of,
    any_group,
    covered,
    agree,
    enough,
    something,
    together,
    any_order,
    runs_down,
    judged,
};

struct Words {
    const char* en;
    const char* ja;
};

Words words(Promise p) {
    switch (p) {
        case Promise::the: return {"the …: exactly one", "the …: ちょうど1つ"};
        case Promise::room_for_one: return {"a zone for one card: it is there", "1枚用の場所: カードがある"};
        case Promise::first_or_last: return {"first of, last of …: there is a card", "first of, last of …: カードがある"};
        case Promise::next: return {"next after, next before …: somebody is there", "next after, next before …: 誰かいる"};
        case Promise::extreme: return {"largest of, smallest of …: there is something", "largest of, smallest of …: 何かある"};
        case Promise::field: return {"…'s FIELD: the card has it", "…'s 項目: そのカードにある"};
        case Promise::division: return {"quotient, remainder: by more than 0", "quotient, remainder: 0 より大きい数で割る"};
        case Promise::any_of: return {"any … of: enough, and it does not matter which", "any … of: 足りる。どれでも同じ"};
        case Promise::any_group: return {"groups of … by: it does not matter which", "groups of … by: どれでも同じ"};
        case Promise::covered: return {"cases cover everything", "cases: 漏れがない"};
        case Promise::agree: return {"cases that apply together agree", "cases: 重なっても矛盾しない"};
        case Promise::enough: return {"deal, draw: enough cards", "deal, draw: カードが足りる"};
        case Promise::something: return {"must choose, must name: there is something", "must choose, must name: 選べるものがある"};
        case Promise::together: return {"simultaneously: the order does not matter", "simultaneously: 順番によらない"};
        case Promise::any_order: return {"each … in no stated order: the order does not matter", "順番のない each: 順番によらない"};
        case Promise::runs_down: return {"repeat …, running down: it falls each time", "repeat … running down: 毎回減る"};
        case Promise::judged: return {"judged by: they can tell", "judged by: その人たちに分かる"};
    }
    return {"", ""};
}

using Place = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t>;
Place place(Span s) { return {s.source, s.begin, s.end}; }

// Walks what can run: examples, and defines that nobody uses, promise nothing.
class Reading {
public:
    explicit Reading(const Game& of) : game(of), seen_(of.expressions.size(), false) {}
    void read_all();

    std::map<Promise, std::set<Place>> counts;
    std::map<std::int32_t, std::set<Place>> bounds;  // `at most N times`

private:
    void expression(Id id);
    void statement(Id id);
    void arms(const Statement& s);
    bool compares(Id condition) const;
    const Expression& at(Id id) const { return game.expressions[static_cast<std::size_t>(id)]; }
    void count(Promise p, Span span) { counts[p].insert(place(span)); }

    const Game& game;
    std::vector<bool> seen_;
};

void Reading::expression(Id id) {
    if (id == no_id || seen_[static_cast<std::size_t>(id)]) return;
    seen_[static_cast<std::size_t>(id)] = true;
    const Expression& e = at(id);
    expression(e.a);
    expression(e.b);
    expression(e.c);
    switch (e.op) {
        case Operator::the_card: {
            const bool one = at(e.a).op == Operator::cards_at && at(at(e.a).a).op == Operator::place &&
                             game.zones[static_cast<std::size_t>(at(at(e.a).a).imm)].capacity == 1;
            return count(one ? Promise::room_for_one : Promise::the, e.span);
        }
        case Operator::the_element: return count(Promise::the, e.span);
        case Operator::first_card:
        case Operator::last_card: return count(Promise::first_or_last, e.span);
        case Operator::next_in: return count(Promise::next, e.span);
        case Operator::largest_over:
        case Operator::smallest_over: return count(Promise::extreme, e.span);
        case Operator::lookup:
        case Operator::set_lookup:
            if (at(e.a).type.of == no_id || at(e.a).type.or_none) count(Promise::field, e.span);
            return;
        case Operator::quotient:
        case Operator::remainder:
            if (at(e.b).op != Operator::constant || at(e.b).imm <= 0) count(Promise::division, e.span);
            return;
        case Operator::cards_any: return count(Promise::any_of, e.span);
        case Operator::cards_groups:
            if (e.c != no_id) count(Promise::any_group, e.span);
            return;
        case Operator::fail: return count(Promise::covered, e.span);
        default: return;
    }
}

// `cases of e { A: … }`: two values are never both right.
bool Reading::compares(Id condition) const {
    const Expression& e = at(condition);
    if (e.op == Operator::either) return compares(e.a) && compares(e.b);
    return e.op == Operator::equal && (at(e.a).op == Operator::constant || at(e.b).op == Operator::constant);
}

void Reading::arms(const Statement& s) {
    std::size_t plain = 0;
    bool by_value = true;
    for (const Arm& a : s.arms) {
        expression(a.condition);
        statement(a.body);
        if (a.except) continue;
        ++plain;
        by_value = by_value && compares(a.condition);
    }
    if (s.other == no_id) count(Promise::covered, s.span);
    if (plain > 1 && !by_value) count(Promise::agree, s.span);
}

void Reading::statement(Id id) {
    if (id == no_id) return;
    const Statement& s = game.statements[static_cast<std::size_t>(id)];
    for (const Id e : {s.a, s.b, s.c, s.d}) expression(e);
    statement(s.body);
    statement(s.other);
    switch (s.kind) {
        case StatementKind::block:
        case StatementKind::simultaneously:
            for (const Id i : s.items) statement(i);
            if (s.kind == StatementKind::simultaneously) count(Promise::together, s.span);
            return;
        case StatementKind::call:
        case StatementKind::end:
            for (const Id e : s.items) expression(e);
            return;
        case StatementKind::choose_case: return arms(s);
        case StatementKind::table:
        case StatementKind::chance:
            for (const Arm& a : s.arms) expression(a.body);
            return;
        case StatementKind::deal:
            if (s.body == no_id && s.a != no_id) count(Promise::enough, s.span);
            return;
        case StatementKind::draw:
            if (s.body == no_id) count(Promise::enough, s.span);
            return;
        case StatementKind::must:
            if (s.other == no_id) count(Promise::something, s.span);
            return;
        case StatementKind::each:
            if (s.mode == each_any_order) count(Promise::any_order, s.span);
            return;
        case StatementKind::repeat:
            if (s.d != no_id) count(Promise::runs_down, s.span);
            if (s.c != no_id && s.mode != 1) bounds[at(s.c).type.high].insert(place(s.span));
            return;
        case StatementKind::judged: return count(Promise::judged, s.span);
        case StatementKind::becomes:
        case StatementKind::let:
        case StatementKind::says:
        case StatementKind::show:
        case StatementKind::stop:
        case StatementKind::play_game:
        case StatementKind::put:
        case StatementKind::shuffle:
        case StatementKind::may:
        case StatementKind::may_do:
        case StatementKind::offer:
        case StatementKind::nothing: return;
    }
}

void Reading::read_all() {
    for (const Id s : {game.setup, game.play, game.match}) statement(s);
    for (const Rule& r : game.rules) statement(r.body);
    for (const Act& a : game.acts) {
        expression(a.unless);
        statement(a.body);
    }
    for (const End& e : game.ends) statement(e.body);
    for (const EndCheck& c : game.checks)
        for (const auto& [end, condition] : c.ends) expression(condition);
    for (const Id e : {game.winner.set, game.score, game.payoff}) expression(e);
    for (const WinnerKey& k : game.winner.keys) expression(k.expression);
}

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::vector<std::string> limited_zones(const Game& game) {
    std::vector<std::string> names;
    for (const Zone& z : game.zones) {
        std::int32_t fit = 0;
        for (const PieceKind& k : game.kinds)
            if (z.families[static_cast<std::size_t>(k.family)]) fit += k.copies;
        if (z.capacity < fit) names.push_back(z.name);
    }
    return names;
}

std::vector<std::string> facts_without_start(const Game& game) {
    std::vector<std::string> names;
    for (const Fact& f : game.facts)
        if (f.initial == no_id) names.push_back(f.name);
    return names;
}

void end_lines(const Game& game, const Globals& g, std::vector<std::string>& lines) {
    for (std::size_t c = 0; c < game.checks.size(); ++c) {
        std::vector<std::string> after;
        std::vector<std::string> ends;
        const auto has = [&](const std::vector<Id>& checks) { return std::find(checks.begin(), checks.end(), static_cast<Id>(c)) != checks.end(); };
        for (const Rule& r : game.rules)
            if (has(r.ends)) after.push_back(r.name);
        for (const Act& a : game.acts)
            if (has(a.ends)) after.push_back(a.name);
        for (const auto& [end, condition] : game.checks[c].ends) ends.push_back(game.ends[static_cast<std::size_t>(end)].name);
        if (ends.empty() || after.empty()) continue;
        lines.push_back(fmt::format(fmt::runtime(say(g, "ends checked after {}: first of {}", "終わりの判定、{} の後: 最初に当てはまるもの: {}")), list(after), list(ends)));
    }
}

std::string last_word(const Game& game, const Globals& g) {
    switch (game.winner.last) {
        case LastWord::shared: return say(g, "winner: last word shared", "winner: 同点なら分け合う (shared)");
        case LastWord::nobody: return say(g, "winner: last word nobody", "winner: 同点なら勝者なし (nobody)");
        case LastWord::by_lot: return say(g, "winner: last word by lot", "winner: 同点ならくじ (by lot)");
    }
    return "";
}

void named_lines(const Game& game, const Globals& g, std::vector<std::string>& lines) {
    const auto line = [&](const char* en, const char* ja, const std::vector<std::string>& names) {
        if (!names.empty()) lines.push_back(fmt::format("{}: {}", say(g, en, ja), list(names)));
    };
    line("room enough in", "入りきる場所", limited_zones(game));
    line("set before they are read", "読む前に値が決まる", facts_without_start(game));
    end_lines(game, g, lines);
    if (game.winner.present) lines.push_back(last_word(game, g));
    std::vector<std::string> readings;
    for (const OptionValue& o : game.options)
        if (o.reading) readings.push_back(fmt::format("{} ({})", o.name, o.value));
    line("readings agree", "読み方が一致する", readings);
    std::vector<std::string> assumed;
    for (const auto& [name, span] : game.assumptions)
        if (std::find(assumed.begin(), assumed.end(), name) == assumed.end()) assumed.push_back(name);
    line("assumed", "書かれていないので決めたこと", assumed);
}

}  // namespace

std::vector<std::string> promises(const Game& game, const Globals& g) {
    Reading reading(game);
    reading.read_all();
    std::vector<std::string> lines;
    for (const auto& [promise, places] : reading.counts) lines.push_back(fmt::format("{} ({})", say(g, words(promise).en, words(promise).ja), places.size()));
    for (const auto& [bound, places] : reading.bounds) {
        std::string line = fmt::format(fmt::runtime(say(g, "repeat … at most {} times", "repeat … 多くても {} 回")), bound);
        if (places.size() > 1) line += fmt::format(" ({})", places.size());
        lines.push_back(std::move(line));
    }
    named_lines(game, g, lines);
    return lines;
}

}  // namespace houserule::cli
