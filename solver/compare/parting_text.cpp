#include "solver/compare/parting_text.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/spaced.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace houserule {

namespace {

constexpr std::size_t listed_whole = 8;  // possibilities or cards that are told one by one
constexpr std::size_t listed_some = 4;   // of more, those that differ
constexpr std::size_t listed_spots = 3;  // places and facts

// One language's words for one run.
struct Teller {
    Run& run;
    Language language;

    const Game& game() const { return run.machine().game; }
    const Step& step() const { return run.machine().code[run.node().step]; }
    std::string say(TextRow<0> row) const { return std::string(row.in(language)); }
    template <int places, typename... T>
    std::string fill(TextRow<places> row, T&&... values) const {
        return row(std::forward<T>(values)...).in(language);
    }
    std::string name(const std::string& identifier) const { return spaced(label(game(), identifier, code_of(language))); }
    static std::string seat(std::int32_t p) { return fmt::format("P{}", p + 1); }
    std::string joined(const std::vector<std::string>& items) const {
        return fmt::format("{}", fmt::join(items, say(FindingText::between_items)));
    }
    std::string seats(const std::vector<std::int32_t>& who) const {
        std::vector<std::string> names;
        for (const std::int32_t p : who) names.push_back(seat(p));
        return joined(names);
    }
    std::string owned(const std::string& thing, IndexBy by, EnumId index_enum, std::int32_t index) const {
        const std::string own = name(thing);
        if (by == IndexBy::player) return fill(FindingText::owned, seat(index), own);
        if (by == IndexBy::nothing) return own;
        const std::string of = name(game().enums[index_enum].values[index]);
        return fill(FindingText::owned_by_value, own, of);
    }
    std::string place(PlaceId id) const {
        const Zone* const z = zone_of(game(), id);
        return z == nullptr ? say(FindingText::outside) : owned(z->name, z->by, z->index_enum, id - z->first_place);
    }
    std::string kind(KindId id) const { return spaced(kind_text(game(), id, code_of(language))); }
    std::string value(const Type& type, std::int32_t v) const {
        if (v == unset_value) return say(FindingText::no_value_yet);
        if (type.base == Base::truth) return v != 0 ? say(FindingText::yes) : say(FindingText::no);
        if (type.base == Base::number ? v == no_number : v < 0)
            return type.base == Base::player ? say(FindingText::nobody) : say(FindingText::none);
        if (const PlacedKind card = PlacedKind::of_value(v); type.base == Base::kind && card.place != no_id)
            return fmt::format("{} ({})", kind(card.kind), place(card.place));
        return spaced(value_name(game(), type, v, code_of(language)));
    }
    // Equal cards together, whatever their order.
    std::string cards(std::vector<KindId> kinds) const {
        if (kinds.empty()) return say(FindingText::nothing);
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < kinds.size();) {
            std::size_t same = 1;
            while (i + same < kinds.size() && kinds[i + same] == kinds[i]) ++same;
            texts.push_back(kind(kinds[i]) + (same > 1 ? fmt::format(" ×{}", same) : ""));
            i += same;
        }
        return joined(texts);
    }
    std::string card_count(std::size_t n) const { return n == 1 ? fill(FindingText::one_card, n) : fill(FindingText::so_many_cards, n); }

    // ---- what is asked

    std::string move(std::uint64_t m) const {
        const Type type = meant_type(run);
        std::vector<std::string> texts;
        for (const std::int32_t v : run.meaning(m).values) texts.push_back(value(type, v));
        if (texts.empty()) return say(FindingText::nothing);
        return texts.size() == 1 ? texts.front() : "{" + joined(texts) + "}";
    }
    std::string moves(const std::vector<std::uint64_t>& which, std::size_t most) const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < std::min(which.size(), most); ++i) texts.push_back(move(which[i]));
        if (which.size() > most) texts.push_back(fill(FindingText::so_many_more, which.size() - most));
        return joined(texts);
    }
    // Of the possibilities, all when they are few, else those that only this one has.
    std::string possibilities(const std::vector<std::uint64_t>& only) const {
        const std::uint64_t n = run.node().moves;
        if (n <= listed_whole) {
            std::vector<std::uint64_t> all;
            for (std::uint64_t m = 0; m < n; ++m) all.push_back(m);
            return moves(all, listed_whole);
        }
        if (only.empty()) return fill(FindingText::possibilities, n);
        return fill(FindingText::possibilities_among_them, n, moves(only, listed_some));
    }
    // Of several at once: how many of what.
    std::string several_of(const std::vector<std::uint64_t>& only) const {
        const Type type = game().expressions[step().y].type;
        const auto elements = run.elements(step().y).value_or(std::vector<std::int32_t>{});
        const std::int32_t most = std::min(static_cast<std::int32_t>(elements.size()), run.scalar(step().w));
        const std::int32_t least = std::max(0, run.scalar(step().z));
        const std::string count = least == most ? fmt::format("{}", most) : fill(FindingText::range, least, most);
        std::string what;
        if (type.base == Base::cards) {
            std::vector<KindId> kinds;
            for (const std::int32_t piece : elements) kinds.push_back(game().piece_kind[piece]);
            std::sort(kinds.begin(), kinds.end());
            what = cards(kinds);
        } else {
            std::vector<std::string> texts;
            for (const std::int32_t v : elements) texts.push_back(value(meant_type(run), v));
            what = joined(texts);
        }
        if (elements.size() <= 2 * listed_whole) return fill(FindingText::of_these, count, what);
        const std::string whole = fill(FindingText::some_of, count, elements.size());
        return only.empty() ? whole : fill(FindingText::among_them, whole, moves(only, listed_some));
    }
    std::string choice(const std::vector<std::uint64_t>& only) {
        const std::string who = seat(run.node().seat);
        if ((step().mode & choice_many) != 0 && step().fits == no_id) {
            const std::string what = several_of(only);
            return (step().mode & choice_optional) != 0 ? fill(FindingText::may_choose_among, who, what)
                                                        : fill(FindingText::must_choose, who, what);
        }
        const bool optional = (step().mode & choice_optional) != 0;
        if (run.node().moves == 1 && !optional) return fill(FindingText::must_choose_there_is_nothing_else, who, move(0));
        const std::string what = possibilities(only);
        return optional ? fill(FindingText::may_choose_one_of, who, what) : fill(FindingText::must_choose_one_of, who, what);
    }
    // What could be chosen after a yes.
    std::string offer_to_choose() {
        const std::vector<std::byte> kept(run.state().begin(), run.state().end());
        run.ask_forced(true);
        run.apply(1);
        run.advance();
        std::string text = choice({});
        run.ask_forced(false);
        run.set_state(kept);
        run.advance();
        return text;
    }
    // Of equal cards, one stands for all.
    std::string drawn(const std::vector<std::uint64_t>& only) const {
        std::map<std::int32_t, std::size_t> count;
        for (std::uint64_t m = 0; m < run.node().moves; ++m) ++count[run.meaning(m).values.front()];
        std::vector<std::string> texts;
        const auto add = [&](std::int32_t k) { texts.push_back(kind(k) + (count[k] > 1 ? fmt::format(" ×{}", count[k]) : "")); };
        if (count.size() <= listed_whole)
            for (const auto& [k, n] : count) add(k);
        else
            for (std::size_t i = 0; i < std::min(only.size(), listed_some); ++i) add(run.meaning(only[i]).values.front());
        const std::string way = fill(FindingText::from_place_to_place, place(run.scalar(step().x)), place(run.scalar(step().y)));
        std::string text = fill(FindingText::a_card_is_dealt_lie_there, way, card_count(run.node().moves));
        if (!texts.empty()) text += ": " + joined(texts);
        return text;
    }
    std::string asked(const std::vector<std::uint64_t>& only) {
        switch (run.node().kind) {
            case NodeKind::choose:
                return choice(only);
            case NodeKind::consent:
                return offer_to_choose();
            case NodeKind::ask:
                return fill(FindingText::may_do, seat(run.node().seat), name(game().words[step().a]));
            case NodeKind::draw:
                return drawn(only);
            case NodeKind::lot:
                return fill(FindingText::a_lot_decides_on, name(game().variables[step().a].name), possibilities(only));
            case NodeKind::report:
                return fill(FindingText::the_table_tells, name(game().variables[step().a].name), possibilities(only));
            case NodeKind::window: {
                std::vector<std::int32_t> who;
                for (int p = 0; p < game().players; ++p)
                    if ((run.node().seats >> p & 1) != 0) who.push_back(p);
                return fill(FindingText::may_at_this_moment, seats(who), name(game().acts[step().a].name));
            }
            case NodeKind::over:
                return over();
            case NodeKind::failed:
                return fill(FindingText::a_promise_of_the_rules_breaks, text(game(), run.failure(), language));
        }
        return "";
    }

    std::string rule() const {
        const RuleId id = step().rule;
        return id == no_id ? "" : fill(FindingText::in_brackets, name(game().rules[id].name));
    }

    // ---- how it came out

    std::string over() const {
        if (run.ended() == no_id) return say(FindingText::the_game_is_over_played);
        return fill(FindingText::the_game_is_over, name(game().ends[run.ended()].name));
    }
    std::string winners(const GameResult& o) const {
        if (!o.winners) return fill(FindingText::a_promise_of_the_rules_breaks, text(game(), run.failure(), language));
        if (o.winners->empty()) return say(FindingText::nobody_wins);
        if (o.winners->size() == 1) return fill(FindingText::wins, seat(o.winners->front()));
        return fill(o.by_lot ? FindingText::a_lot_decides_between : FindingText::share_the_win, seats(*o.winners));
    }
    std::string numbers(TextRow<0> title, const std::vector<double>& values) const {
        std::vector<std::string> texts;
        for (std::size_t p = 0; p < values.size(); ++p) texts.push_back(fmt::format("{} {}", seat(p), values[p]));
        return fmt::format("{}: {}", say(title), joined(texts));
    }
    std::string result(const GameResult& mine, const GameResult& theirs) const {
        std::vector<std::string> texts;
        if (!mine.won_alike(theirs)) texts.push_back(winners(mine));
        if (mine.scores != theirs.scores && !mine.scores.empty()) texts.push_back(numbers(FindingText::scores, mine.scores));
        if (mine.payoffs != theirs.payoffs && !mine.payoffs.empty()) texts.push_back(numbers(FindingText::payoffs, mine.payoffs));
        return fmt::format("{}", fmt::join(texts, say(FindingText::between_parts)));
    }

    // ---- the table

    // `only`: the cards that the other does not have there, by kind.
    std::string pile(PlaceId id, const std::vector<KindId>& only) const {
        std::vector<KindId> kinds = run.kinds_at(id);
        const Zone& zone = game().zones[run.machine().place_zone[id]];
        const bool ordered = has_order(zone.shape);
        if (!ordered) std::sort(kinds.begin(), kinds.end());
        if (kinds.size() <= listed_whole) return fmt::format("{}: {}", place(id), cards(kinds));
        const std::string head = fmt::format("{}: {}", place(id), card_count(kinds.size()));
        const std::vector<KindId> some(only.begin(), only.begin() + std::min(only.size(), listed_some));
        if (some.empty()) return head;
        return fill(FindingText::among_them, head, cards(some));
    }
    std::string fact(FactId id, std::int32_t index) const {
        const Fact& f = game().facts[id];
        const std::string title = owned(f.name, f.by, f.index_enum, index);
        if (f.type.base != Base::set) return fmt::format("{}: {}", title, value(f.type, run.fact(id, index)));
        Type element = f.type;
        element.base = f.type.element == Base::card ? Base::kind : f.type.element;
        element.element = Base::nothing;
        std::vector<std::string> texts;
        for (const std::int32_t v : run.fact_set(id, index)) texts.push_back(value(element, v));
        return fmt::format("{}: {}", title, texts.empty() ? say(FindingText::nothing) : joined(texts));
    }
};

// Kinds at `place` of one side, less those that the other has there.
std::vector<KindId> surplus(SideBySide& both, Side side, const Spot& spot) {
    Run& mine = side == Side::first ? both.first() : both.second();
    Run& theirs = side == Side::first ? both.second() : both.first();
    const Type card{Base::kind, Base::nothing, no_id, 0, 0, 1, false};
    std::map<std::int32_t, int> count;
    for (const KindId k : theirs.kinds_at((side == Side::first ? spot.second : spot.first).value())) ++count[k];
    std::vector<KindId> left;
    std::vector<KindId> kinds = mine.kinds_at((side == Side::first ? spot.first : spot.second).value());
    std::sort(kinds.begin(), kinds.end());
    for (const KindId k : kinds) {
        const auto same = both.mapping().translated(side, card, card, k);
        if (!same || --count[*same] < 0) left.push_back(k);
    }
    return left;
}

std::string text_of(SideBySide& both, const JointState& joint, Side side, Language language) {
    Run& run = side == Side::first ? both.first() : both.second();
    Teller teller{run, language};
    switch (joint.how) {
        case Parting::How::asked:
            return teller.asked({}) + teller.rule();
        case Parting::How::over:
        case Parting::How::broken:
            if (run.node().kind == NodeKind::over && joint.how == Parting::How::broken) return teller.winners(outcome_of(run));
            return teller.asked({});
        case Parting::How::offered:
            return teller.asked(side == Side::first ? joint.offers.only_first : joint.offers.only_second);
        case Parting::How::result: {
            const GameResult first = outcome_of(both.first());
            const GameResult second = outcome_of(both.second());
            return side == Side::first ? teller.result(first, second) : teller.result(second, first);
        }
        case Parting::How::table:
            break;
    }
    std::vector<std::string> texts;
    const std::vector<Spot> spots = both.mapping().apart(both.first(), both.second(), listed_spots + 1);
    for (std::size_t i = 0; i < std::min(spots.size(), listed_spots); ++i) {
        const Spot& s = spots[i];
        if (s.is_fact)
            texts.push_back(side == Side::first ? teller.fact(s.first, s.first_index) : teller.fact(s.second, s.second_index));
        else
            texts.push_back(teller.pile((side == Side::first ? s.first : s.second).value(), surplus(both, side, s)));
    }
    if (spots.size() > listed_spots) texts.emplace_back(teller.say(FindingText::and_more));
    return fmt::format("{}", fmt::join(texts, teller.say(FindingText::between_parts)));
}

}  // namespace

Sentence parting_text(SideBySide& both, const JointState& joint, Side side) {
    return Sentence::each([&](Language language) { return text_of(both, joint, side, language); });
}

std::vector<Span> parting_spans(SideBySide& both) {
    std::vector<Span> spans;
    for (Run* run : {&both.first(), &both.second()}) {
        const Machine& m = run->machine();
        Span span = run->node().kind == NodeKind::failed ? run->failure().span : Span{};
        const StatementId statement = m.code[run->node().step].statement;
        if (span == Span{} && statement != no_id) span = m.game.statements[statement].span;
        if (span != Span{} && std::find(spans.begin(), spans.end(), span) == spans.end()) spans.push_back(span);
    }
    return spans;
}

}  // namespace houserule
