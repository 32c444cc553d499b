#include "interpreter/app/knowing/hint_moves.hpp"

#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t outcomes_shown = 4;
constexpr int telling_percent = 50;  // of the time for moves: what they tell the seat; the rest is for what they give away
constexpr double same_bits = 1e-9;

std::vector<std::string> lines_of(const Seen& seen, const Events& events) {
    std::vector<std::string> lines;
    for (const Event& e : events) {
        std::string line = event_line(seen.machine(), e, seen.view.seat);
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

// What follows from the move, without the move itself: for tools as a log has it, for people as it is told at a table.
Events following(const Seen& seen, const MoveAdvice& move, const Outcome& outcome) {
    const auto line = [&](const Event& e) { return event_line(seen.machine(), e, seen.view.seat); };
    Events events = outcome.noticed;
    for (const Event& own : move.own) {
        const auto found = std::ranges::find(events, line(own), line);
        if (found != events.end()) events.erase(found);
    }
    return events;
}

std::string outcome_words(const Seen& seen, const MoveAdvice& move, const Outcome& outcome, const Globals& g) {
    const int seat = seen.view.seat;
    std::vector<std::string> lines;
    for (const ToldLine& line : told_lines(seen.machine(), following(seen, move, outcome), 0, {seat_bit(seat), seat, true}, g))
        if (line.what == ToldLine::sentence) lines.push_back(with_glyphs(line.text, seen.game(), false));
    return lines.empty() ? std::string(say(g, Text::nothing_noticed)) : fmt::format("{}", fmt::join(lines, say(g, Text::semicolon)));
}

// Whether a fact about the seat becomes another one, whatever happens: that it is out, say.
bool changes_own_fact(const Seen& seen, const MoveAdvice& move) {
    if (move.outcomes.empty()) return false;
    const Events& noticed = move.outcomes.front().noticed;
    return std::any_of(noticed.begin(), noticed.end(), [&](const Event& e) {
        return e.kind == EventKind::becomes && seen.game().facts[e.name].by == IndexBy::player && e.index == seen.view.seat;
    });
}

double score_unit(const Game& game) { return game.score == no_id ? 1 : game.expressions[game.score].type.scale; }

std::string thing_list(const Seen& seen, const HiddenThings& things, const Globals& g) {
    std::vector<std::string> names;
    for (const PlaceId p : things.places) names.push_back(place_words(seen.game(), p, g));
    for (const HiddenFact& f : things.facts) names.push_back(fact_words(seen.game(), f.fact, f.index, g));
    return fmt::format("{}", fmt::join(names, say(g, Text::comma)));
}

// As it stands in the list of choices.
std::string chosen(const Game& game, const Event& e, const Globals& g) {
    return with_glyphs(offered_words(game, game.variables[e.name].type, e.values, g), game, false);
}

// What those say who do not: the word that the rules give them, wherever it is asked; else that it is not so.
std::string declined_words(const Game& game, WordId asked, const Globals& g) {
    std::set<WordId> words;
    bool always = true;
    for (const Statement& s : game.statements) {
        const auto* may = s.as<statement::MayDo>();
        if (may == nullptr || may->word != asked) continue;
        const std::vector<WordId> said = words_said(game, may->otherwise);
        words.insert(said.begin(), said.end());
        always = always && said.size() == 1;
    }
    if (always && words.size() == 1) return name_words(game, game.words[*words.begin()], g);
    return say(g, Text::hint_not_so, name_words(game, game.words[asked], g));
}

}  // namespace

std::string move_words(const Game& game, const MoveAdvice& move, const Globals& g) {
    std::vector<std::string> parts;
    for (const Event& e : move.own) {
        if (e.kind == EventKind::acts) {
            parts.push_back(name_words(game, game.acts[e.name].name, g));
        } else if (e.kind == EventKind::answer) {
            parts.push_back(e.value != 0 ? name_words(game, game.words[e.name], g) : declined_words(game, WordId(e.name), g));
        } else if (e.optional_no) {
            parts.push_back(say(g, Text::nothing));
        } else {
            parts.push_back(chosen(game, e, g));
        }
    }
    return parts.empty() ? say(g, Text::hint_go_on) : fmt::format("{}", fmt::join(parts, " "));
}

std::optional<Advice> moves_of(Deduction& deduction, const Deadline& until, const std::optional<DeductionLimits>& onlookers) {
    Random random(1);
    AdviceLimits own;
    own.until = onlookers ? until.part(telling_percent) : until;
    auto advice = advise(deduction, random, own);
    if (advice && onlookers) weigh_given_away(*advice, deduction, *onlookers, until);
    return advice;
}

std::string moves_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g) {
    if (advice.moves.empty()) return "";
    std::string text = "\n" + bold(say(g, Text::what_moves_tell), g) + "\n";
    text += say(g, Text::bits_open_about, fmt::format("{:.2f}", advice.open), thing_list(seen, advice.asked, g),
                advice.exact ? std::string(say(g, Text::exact)) : say(g, Text::histories_drawn_at_random, advice.histories));
    const double unit = score_unit(seen.game());
    for (std::size_t m = 0; m < std::min(top, advice.moves.size()); ++m) {
        const MoveAdvice& move = advice.moves[m];
        text += say(g, Text::bits_of_move, move_words(seen.game(), move, g), move.bits ? fmt::format("{:.2f}", *move.bits) : "?");
        if (advice.exact && !move.exact) text += say(g, Text::of_a_sample);
        if (move.points && *move.points != 0) text += say(g, Text::points_of_move, fmt::format("{:+.2f}", *move.points / unit));
        if (move.over > 0)
            text += say(g, Text::over_and_won, fmt::format("{:.1f}", 100 * move.over), fmt::format("{:.1f}", 100 * move.won));
        if (move.won_shared > 0) text += say(g, Text::won_with_others, fmt::format("{:.1f}", 100 * move.won_shared));
        if (move.given_away && std::abs(*move.given_away) >= 0.005)
            text += say(g, Text::bits_given_away, fmt::format("{:.2f}", *move.given_away));
        text += "\n";
        if (move.outcomes.size() < 2 && !changes_own_fact(seen, move)) continue;
        for (std::size_t o = 0; o < std::min(outcomes_shown, move.outcomes.size()); ++o) {
            text += fmt::format("    {:>5.1f} %  {}\n", 100 * move.outcomes[o].share, outcome_words(seen, move, move.outcomes[o], g));
        }
        if (move.outcomes.size() > outcomes_shown) text += say(g, Text::more_outcomes, move.outcomes.size() - outcomes_shown);
    }
    if (top < advice.moves.size()) text += say(g, Text::more_moves_by_top, advice.moves.size() - top);
    return text;
}

// The moves that give least away, all that give as little; nothing when all give the same.
std::string given_away_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g) {
    std::vector<const MoveAdvice*> known;
    for (const MoveAdvice& m : advice.moves)
        if (m.given_away) known.push_back(&m);
    if (known.empty() || !advice.kept_bits) return "";
    std::stable_sort(known.begin(), known.end(), [](const MoveAdvice* a, const MoveAdvice* b) {
        return std::round(*a->given_away / same_bits) < std::round(*b->given_away / same_bits);
    });
    const double least = *known.front()->given_away;
    if (*known.back()->given_away < least + same_bits) return "";
    std::vector<std::string> names;
    for (const MoveAdvice* m : known)
        if (*m->given_away < least + same_bits) names.push_back(move_words(seen.game(), *m, g));
    const std::size_t all = names.size();
    if (all > top) names.resize(top);
    std::string text = "\n" + bold(say(g, Text::what_moves_give_away), g) + "\n";
    text += say(g, Text::bits_open_to_all, fmt::format("{:.2f}", *advice.kept_bits), thing_list(seen, {advice.kept, {}}, g));
    text += say(g, Text::least_given_away, fmt::format("{}", fmt::join(names, say(g, Text::bar))), verbatim(all > top ? " | …" : ""),
                fmt::format("{:.2f}", std::abs(least) < 0.005 ? 0 : least));
    if (known.size() < advice.moves.size()) text += say(g, Text::moves_not_known, advice.moves.size() - known.size());
    return text;
}

nlohmann::ordered_json moves_json(const Seen& seen, const Advice& advice) {
    Json all = Json::array();
    const double unit = score_unit(seen.game());
    for (const MoveAdvice& move : advice.moves) {
        Json j;
        j["move"] = lines_of(seen, move.own);
        j["exact"] = move.exact;
        j["bits"] = move.bits ? Json(*move.bits) : Json();
        j["points"] = move.points ? Json(*move.points / unit) : Json();
        j["over"] = move.over;
        j["won"] = move.won;
        j["won_shared"] = move.won_shared;
        j["falls_behind"] = move.falls_behind;
        j["gives_away"] = move.given_away ? Json(*move.given_away) : Json();
        j["outcomes"] = Json::array();
        for (const Outcome& o : move.outcomes)
            j["outcomes"].push_back({{"share", o.share},
                                     {"noticed", lines_of(seen, following(seen, move, o))},
                                     {"bits", o.bits ? Json(*o.bits) : Json()},
                                     {"points", o.points / unit}});
        all.push_back(std::move(j));
    }
    return all;
}

nlohmann::ordered_json moves_from_json(const Seen& seen, const Advice& advice) {
    Json kept = Json::array();
    for (const PlaceId p : advice.kept) kept.push_back(place_name(seen.game(), p));
    Json j{{"histories", advice.histories},
           {"all_histories", advice.exact},
           {"all_moves", advice.all_moves},
           {"others_choose", advice.others_choose},
           {"bits", advice.open}};
    j["kept"] = std::move(kept);
    j["kept_bits"] = advice.kept_bits ? Json(*advice.kept_bits) : Json();
    return j;
}

}  // namespace houserule::cli
