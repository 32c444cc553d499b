#include "interpreter/app/knowing/hint_advice.hpp"

#include "dsl/game/names.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/hint_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace houserule::cli {

namespace {

constexpr double nearly = 1e-9;
constexpr double little = 0.005;          // bits that nobody would notice
constexpr double little_of_sample = .03;  // and that a sample cannot tell from none
constexpr int one_in_most = 12;           // `1 in 12`
constexpr std::size_t names_in_row = 4;   // of moves that come to the same
constexpr std::size_t marks_in_row = 3;   // of what may come of a move
constexpr const char* brings_nothing = "–";

struct Row {
    std::vector<std::string> names;
    std::string knows;
    std::string others;
    std::string brings;
    const MoveAdvice* move = nullptr;
    double risk = 0;  // the share of what nobody wants: the game is lost, or something becomes true of the seat while it goes on
    bool is_act = false;
    std::size_t others_as_good = 0;  // moves of the same act that come to something else and are worth as much: they stand in no row
};

class MoveTable {
public:
    MoveTable(const Hint& h, const Advice& advice)
        : h_(h), g_(h.g), game_(h.game()), advice_(advice), seat_(h.seen.view.seat), asks_(!asked_for(h.seen.machine()).empty()) {
        set_always_to();
        for (const MoveAdvice& move : advice.moves) add(move);
        std::ranges::stable_sort(rows_, [&](const Row& a, const Row& b) { return rank(a) < rank(b); });
        join_alike();
    }
    std::string text(std::size_t width, std::size_t most) const;
    void add_to(HintParts& parts, std::size_t most) const;

private:
    std::string part_known(double open, double bits, bool exact) const;
    std::string others(const MoveAdvice& move) const;
    std::string knows(const MoveAdvice& move) const;
    std::string brings(const MoveAdvice& move) const;
    std::string mark(const MoveAdvice& move, const Outcome& outcome) const;
    std::string share(double share, bool exact) const;
    std::string fact_mark(const Event& e) const;
    double risk(const MoveAdvice& move) const;
    double points(const MoveAdvice& move) const;
    using Rank = std::tuple<double, bool, double, double, double, double>;
    Rank rank(const Row& row, bool in_the_end = true) const;
    static double learnt_by(const Row& row) { return row.move->bits.value_or(0); }  // as far as it is known
    bool is_own_move(const Event& e) const;
    void set_always_to();
    void add(const MoveAdvice& move);
    std::string without_act(const MoveAdvice& move) const;
    void join_alike();
    std::string advised() const;
    bool others_matter() const;
    std::string names(const Row& row) const;
    std::string in_words(const Row& row) const;

    const Hint& h_;
    const Globals& g_;
    const Game& game_;
    const Advice& advice_;
    int seat_;
    bool asks_;                    // the game asks somebody to name what is hidden
    std::set<PlaceId> always_to_;  // places to which the seat moves cards of its own whatever it does and whatever comes of it
    std::vector<Row> rows_;
};

// What so many bits tell of so many that were open.
std::string MoveTable::part_known(double open, double bits, bool exact) const {
    if (open < little) return "–";
    if (open - bits < little) return say(g_, Text::hint_knows_all);
    if (bits < (exact ? little : little_of_sample)) return say(g_, Text::hint_knows_no_more);
    if (!exact) return say(g_, Text::hint_knows_share, fmt::format("{:.0f}", std::clamp(100 * std::exp2(-bits), 1.0, 99.0)));
    return say(g_, Text::hint_knows_part, fmt::format("{:.1f}", std::exp2(open - bits)), fmt::format("{:.1f}", std::exp2(open)));
}

std::string MoveTable::knows(const MoveAdvice& move) const {
    if (advice_.open >= little && !move.bits) return say(g_, Text::hint_knows_not_told);
    return part_known(advice_.open, move.bits.value_or(0), move.exact);
}

// What it gives away of what the seat keeps from others.
std::string MoveTable::others(const MoveAdvice& move) const {
    if (!h_.args.give_away || advice_.kept.empty()) return "";
    if (!move.given_away || !advice_.kept_bits) return "?";
    return part_known(*advice_.kept_bits, *move.given_away, move.exact);
}

// `1 in 3`, where it is that, else in percent. Of a sample of histories nothing is sure.
std::string MoveTable::share(double share, bool exact) const {
    const bool always = share > 1 - nearly;
    if (!exact) return always ? "> 99 %" : fmt::format("≈ {:.0f} %", std::clamp(100 * share, 1.0, 99.0));
    if (always) return say(g_, Text::hint_surely_so);
    for (int n = 2; n <= one_in_most; ++n)
        if (std::abs(share * n - 1) < nearly) return say(g_, Text::hint_one_in, n);
    return fmt::format("{:.0f} %", std::clamp(100 * share, 1.0, 99.0));
}

std::string MoveTable::fact_mark(const Event& e) const {
    const Fact& f = game_.facts[e.name];
    const std::string name = name_words(game_, f.name, g_);
    if (f.type.base == Base::truth) return e.value != 0 ? name : say(g_, Text::told_no_longer, name);
    const std::string value =
        f.type.base == Base::set ? values_words(game_, f.type, e.values, g_) : value_words(game_, f.type, e.value, g_);
    return name + " " + value;
}

double wins_alone(const MoveAdvice& move) { return move.won - move.won_shared; }

bool MoveTable::is_own_move(const Event& e) const {
    return e.kind == EventKind::move && owner_of(game_, e.to) == seat_ && owner_of(game_, e.from) == seat_;
}

void MoveTable::set_always_to() {
    if (advice_.moves.empty() || advice_.moves.front().outcomes.empty()) return;
    for (const Event& e : advice_.moves.front().outcomes.front().noticed) {
        const auto goes_there = [&](const Outcome& o) {
            return std::ranges::any_of(o.noticed, [&](const Event& other) { return is_own_move(other) && other.to == e.to; });
        };
        const auto always = [&](const MoveAdvice& move) { return std::ranges::all_of(move.outcomes, goes_there); };
        if (std::ranges::all_of(advice_.moves, always)) always_to_.insert(e.to);
    }
}

// By what this outcome differs from others: what becomes true of the seat, where its cards come to, what others say.
std::string MoveTable::mark(const MoveAdvice& move, const Outcome& outcome) const {
    std::vector<std::string> marks;
    const bool ends = std::ranges::any_of(outcome.noticed, [](const Event& e) { return e.kind == EventKind::ended; });
    for (auto at = outcome.noticed.begin(); at != outcome.noticed.end(); ++at) {
        const Event& e = *at;
        const auto sets_it_again = [&](const Event& later) {
            return later.kind == e.kind && later.name == e.name && later.index == e.index;
        };
        const bool own_fact = e.kind == EventKind::becomes && game_.facts[e.name].by == IndexBy::player && e.index == seat_ &&
                              std::none_of(at + 1, outcome.noticed.end(), sets_it_again);
        const bool own_move = is_own_move(e);
        if (own_fact && !ends) marks.push_back(fact_mark(e));
        if (own_move && move.outcomes.size() > 1 && !always_to_.contains(e.to))
            marks.push_back(name_words(game_, zone_of(game_, e.to)->name, g_));
        if (e.kind == EventKind::says && e.seat != seat_ && move.outcomes.size() > 1)
            marks.push_back(say(g_, Text::says_word, seat_words(e.seat), name_words(game_, game_.words[e.name], g_)));
    }
    std::set<std::string> known;
    std::erase_if(marks, [&](const std::string& m) { return !known.insert(m).second; });
    return fmt::format("{}", fmt::join(marks, " + "));
}

std::string MoveTable::brings(const MoveAdvice& move) const {
    std::vector<std::pair<std::string, double>> shares;
    for (const Outcome& outcome : move.outcomes) {
        const std::string text = mark(move, outcome);
        if (text.empty()) continue;
        const auto known = std::ranges::find(shares, text, &std::pair<std::string, double>::first);
        if (known != shares.end())
            known->second += outcome.share;
        else
            shares.emplace_back(text, outcome.share);
    }
    std::vector<std::string> parts;
    if (wins_alone(move) > nearly) parts.push_back(say(g_, Text::hint_wins, share(wins_alone(move), move.exact)));
    if (move.won_shared > nearly) parts.push_back(say(g_, Text::hint_wins_with_others, share(move.won_shared, move.exact)));
    if (move.over - move.won > nearly) parts.push_back(say(g_, Text::hint_game_over, share(move.over - move.won, move.exact)));
    for (std::size_t i = 0; i < std::min(shares.size(), marks_in_row); ++i) {
        const std::string how_likely = share(shares[i].second, move.exact);
        parts.push_back(shares[i].first + " " + how_likely);
    }
    if (shares.size() > marks_in_row) parts.push_back("…");
    const double unit = game_.score == no_id ? 1 : game_.expressions[game_.score].type.scale;
    if (move.points && std::abs(*move.points) > nearly)
        parts.push_back(say(g_, Text::hint_points, fmt::format("{:+.1f}", *move.points / unit)));
    return parts.empty() ? brings_nothing : fmt::format("{}", fmt::join(parts, say(g_, Text::comma)));
}

double MoveTable::risk(const MoveAdvice& move) const {
    double risk = move.over - move.won;
    for (const Outcome& outcome : move.outcomes) {
        const auto is = [&](auto f) { return std::ranges::any_of(outcome.noticed, f); };
        const bool ends = is([](const Event& e) { return e.kind == EventKind::ended; });
        const bool becomes = is([&](const Event& e) {
            if (e.kind != EventKind::becomes || e.index != seat_) return false;
            const Fact& f = game_.facts[e.name];
            return f.by == IndexBy::player && f.type.base == Base::truth && e.value != 0;
        });
        if (becomes && !ends) risk += outcome.share;
    }
    return std::max(0.0, risk);
}

// What the score gains towards winning.
double MoveTable::points(const MoveAdvice& move) const { return advice_.score_aim * move.points.value_or(0); }

// A sure win, then what does not fall behind when all is played on, then little risk, then points, then what is learnt, if the game asks
// for it; where all win or nobody does, the win goes before points. A win that is shared counts half.
MoveTable::Rank MoveTable::rank(const Row& r, bool in_the_end) const {
    const auto rounded = [](double x) { return std::round(x * 1e6); };
    const double sure = wins_alone(*r.move) > 1 - nearly ? 0.0 : 1.0;
    const double gained = -rounded(points(*r.move));
    const double won = -rounded(r.move->won - r.move->won_shared / 2);
    const double learnt = asks_ ? -rounded(learnt_by(r)) : 0;
    const bool behind = in_the_end && r.move->falls_behind;
    if (game_.winner.together) return {sure, behind, rounded(r.risk), won, gained, learnt};
    return {sure, behind, rounded(r.risk), gained, won, learnt};
}

void MoveTable::add(const MoveAdvice& move) {
    rows_.push_back({{move_words(game_, move, g_)}, knows(move), others(move), brings(move), &move, risk(move), is_call(move)});
}

std::string MoveTable::without_act(const MoveAdvice& move) const {
    MoveAdvice rest;
    rest.own.assign(move.own.begin() + 1, move.own.end());
    return move_words(game_, rest, g_);
}

// Of an act that is open at any time only what is best is shown; moves that come to the same stand in one row.
void MoveTable::join_alike() {
    std::vector<Row> joined;
    for (Row& row : rows_) {
        const auto same_act = std::ranges::find_if(
            joined, [&](const Row& r) { return row.is_act && r.is_act && r.move->own.front().name == row.move->own.front().name; });
        if (same_act != joined.end()) {
            const bool as_good = same_act->others == row.others && same_act->brings == row.brings &&
                                 (same_act->knows == row.knows || !row.move->exact);  // a sample tells what is learnt less well
            if (as_good)
                same_act->names.push_back(without_act(*row.move));
            else if (rank(row) == rank(*same_act))
                ++same_act->others_as_good;
            continue;
        }
        const auto alike = std::ranges::find_if(joined, [&](const Row& r) {
            return !row.is_act && !r.is_act && r.knows == row.knows && r.others == row.others && r.brings == row.brings;
        });
        if (alike == joined.end())
            joined.push_back(std::move(row));
        else
            alike->names.push_back(row.names.front());
    }
    rows_ = std::move(joined);
}

std::string MoveTable::names(const Row& row) const {
    const bool all = std::ranges::all_of(rows_, [&](const Row& r) { return &r == &row || r.is_act; });
    if (all && !row.is_act && row.names.size() > names_in_row) return say(g_, Text::hint_any_choice, row.names.size());
    std::vector<std::string> first = row.names;
    const std::size_t most = std::min(first.size(), names_in_row);
    first.resize(most);
    const std::string comma = say(g_, Text::comma);
    // Of moves that are several things each, in this row or another: `A, B` is one move there.
    const bool several = std::ranges::any_of(
        rows_, [](const Row& r) { return std::ranges::any_of(r.move->own, [](const Event& e) { return e.values.size() > 1; }); });
    const std::string text = fmt::format("{}", fmt::join(first, several ? " / " : comma));
    const std::size_t more = row.names.size() - most + row.others_as_good;
    return more == 0 ? text : text + say(g_, Text::and_more, more);
}

std::string MoveTable::in_words(const Row& row) const {
    if (row.brings == brings_nothing) return say(g_, Text::hint_move_only_tells, names(row), row.knows);
    return say(g_, Text::hint_move_in_words, names(row), row.knows, row.brings);
}

std::string MoveTable::advised() const {
    const bool differ = std::ranges::any_of(rows_, [&](const Row& r) { return r.brings != rows_.front().brings; });
    if (rows_.empty() || rank(rows_.front()) == rank(rows_.back()))
        return say(g_, differ ? Text::hint_not_weighed : Text::hint_no_difference);
    const Row& best = rows_.front();
    const auto tells_more = [&](const Row& r) { return learnt_by(r) > learnt_by(best) + little; };
    const bool learns = asks_ && learnt_by(best) >= little && std::ranges::none_of(rows_, tells_more);
    const bool quiet = best.brings == brings_nothing;
    // What another move has more of speaks against this one: then it stands first for what it does not risk.
    const auto brings_more = [&](const Row& r) {
        return points(*r.move) > points(*best.move) + nearly || r.move->won > best.move->won + nearly;
    };
    const bool is_beaten = std::ranges::any_of(rows_, brings_more);
    // One that would go before it, were it not for what comes of it in the end.
    const auto is_put_back = [&](const Row& r) { return rank(r, false) < rank(best, false); };
    const bool wins_later = std::ranges::any_of(rows_, is_put_back);
    const auto costs_more = [&](const Row& r) { return points(*r.move) < points(*best.move) - nearly; };
    const bool costs_least = points(*best.move) < -nearly && std::ranges::any_of(rows_, costs_more);
    const bool risks_less = best.risk > nearly && std::ranges::any_of(rows_, [&](const Row& r) { return r.risk > best.risk + nearly; });
    const std::string why = wins_alone(*best.move) > 1 - nearly                    ? say(g_, Text::hint_because_won)
                            : wins_later                                           ? say(g_, Text::hint_because_wins_later)
                            : !differ && !quiet && learnt_by(best) >= little       ? say(g_, Text::hint_because_tells_most)
                            : risks_less                                           ? say(g_, Text::hint_because_least_risk)
                            : is_beaten && !quiet                                  ? say(g_, Text::hint_because_not_lost)
                            : quiet && learns                                      ? say(g_, Text::hint_because_telling)
                            : quiet                                                ? say(g_, Text::hint_because_safe)
                            : best.move->won > nearly                              ? say(g_, Text::hint_because_it_may_win)
                            : points(*best.move) > nearly && advice_.score_aim < 0 ? say(g_, Text::hint_because_fewer_points)
                            : points(*best.move) > nearly                          ? say(g_, Text::hint_because_points)
                            : costs_least                                          ? say(g_, Text::hint_because_costs_least)
                            : learns                                               ? say(g_, Text::hint_because_tells_most)
                                                                                   : say(g_, Text::hint_because_not_lost);
    return say(g_, Text::hint_advice, names(best), why);
}

// Whether what others choose at the same moment changes what a row says.
bool MoveTable::others_matter() const {
    const auto is_open = [](const Row& r) { return r.move->outcomes.size() > 1 && (learnt_by(r) >= little || r.brings != brings_nothing); };
    return advice_.others_choose && std::ranges::any_of(rows_, is_open);
}

std::string MoveTable::text(std::size_t width, std::size_t most) const {
    if (rows_.empty()) return "";
    std::string text;
    const std::size_t shown = std::min(most, rows_.size());
    std::size_t first = display_width(say(g_, Text::hint_moves));
    std::size_t second = display_width(say(g_, Text::hint_you_know));
    std::size_t third = display_width(say(g_, Text::hint_may_bring));
    for (std::size_t i = 0; i < shown; ++i) {
        first = std::max(first, 2 + display_width(names(rows_[i])));
        second = std::max(second, display_width(rows_[i].knows));
        third = std::max(third, display_width(rows_[i].brings));
    }
    const bool is_table = first + second + third + 4 <= width;
    if (is_table)
        text += bold(pad_right(say(g_, Text::hint_moves), first) + "  " + pad_right(say(g_, Text::hint_you_know), second) + "  " +
                         say(g_, Text::hint_may_bring),
                     g_) +
                "\n";
    else
        text += bold(say(g_, Text::hint_moves), g_) + "\n";
    for (std::size_t i = 0; i < shown; ++i) {
        const Row& row = rows_[i];
        if (is_table)
            text += pad_right("  " + names(row), first) + "  " + pad_right(row.knows, second) + "  " + row.brings + "\n";
        else
            text += folded("  " + in_words(row), width, 4) + "\n";
    }
    if (shown < rows_.size()) text += "  " + say(g_, Text::hint_more_moves, rows_.size() - shown);
    if (others_matter()) text += folded(say(g_, Text::hint_others_choose), width, 2) + "\n";
    return text + folded(advised(), width, 2) + "\n";
}

void MoveTable::add_to(HintParts& parts, std::size_t most) const {
    if (rows_.empty()) return;
    const std::size_t shown = std::min(most, rows_.size());
    for (std::size_t i = 0; i < shown; ++i) parts.moves.push_back({names(rows_[i]), rows_[i].knows, rows_[i].others, rows_[i].brings});
    if (shown < rows_.size()) parts.more_moves = say(g_, Text::hint_more_moves, rows_.size() - shown);
    parts.advice = advised() + (others_matter() ? " " + say(g_, Text::hint_others_choose) : "");
}

}  // namespace

void add_advice(const Hint& h, std::size_t most, HintParts& parts) { MoveTable(h, *h.advice).add_to(parts, most); }

std::string advice_text(const Hint& h, std::size_t width, std::size_t most) { return MoveTable(h, *h.advice).text(width, most); }

std::string field_value_words(const Game& game, const Field& field, std::int32_t value, const Globals& g) {
    const auto named = field.value_names.find(value);
    return named != field.value_names.end() ? named->second : value_words(game, field.type, value, g);
}

// A number alone does not say of what it is.
static std::string in_its_field(const Game& game, const Field& field, std::int32_t value, const Globals& g) {
    const std::string words = field_value_words(game, field, value, g);
    return field.type.base == Base::number ? name_words(game, field.name, g) + " " + words : words;
}

std::vector<std::string> absent_fields(const Game& game, const HiddenThing& thing, Deduction& deduction, const Globals& g) {
    std::vector<std::string> absent;
    const std::vector<Value> in_sight = copies_in_sight(deduction);
    for (const Family& family : game.families) {
        for (std::size_t f = 0; f < family.fields.size() && family.fields.size() > 1; ++f) {
            const Field& field = family.fields[f];
            if (field.type.base == Base::set) continue;
            std::map<std::int32_t, std::pair<bool, bool>> values;  // whether it may be here, whether it may be hidden at all
            for (const Possibility& p : thing.values) {
                const PieceKind& kind = game.kinds[p.value];
                if (&game.families[kind.family] != &family) continue;
                auto& [here, anywhere] = values[kind.values[f]];
                here = here || p.possible != Answer::no;
                anywhere = anywhere || in_sight[p.value] < kind.copies;
            }
            for (const auto& [value, may] : values)
                if (!may.first && may.second) absent.push_back(in_its_field(game, field, value, g));
        }
    }
    return absent;
}

}  // namespace houserule::cli
