#include "interpreter/app/commands/diff_report.hpp"

#include "dsl/text/ratio.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/words.hpp"
#include "solver/compare/name_mapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t lines_shown = 30;     // of the game that both have
constexpr std::size_t own_lines_shown = 6;  // of what each then does
constexpr std::size_t tellings_shown = 3;   // statements that only tell something

// What happens in a run along these moves, up to where it then waits.
Events events_along(const std::shared_ptr<const Machine>& machine, const std::vector<std::uint64_t>& moves) {
    Events events;
    const auto run = make_run(machine);
    run->record(&events);
    run->start();
    run->advance();
    for (const std::uint64_t move : moves) {
        run->apply(move);
        run->advance();
    }
    return events;
}

// A line of a game, and the same without names that only its own rules have: what is told or drawn by lot goes into some variable.
struct ToldLine {
    std::string text;
    std::string same;
};

std::vector<ToldLine> told(const Machine& machine, const Events& events, const Globals& g) {
    std::vector<ToldLine> lines;
    for (const Event& e : as_told(events, 0, 0)) {
        ToldLine line{event_words(machine, e, 0, g), ""};
        if (line.text.empty()) continue;
        const bool into_variable = e.kind == EventKind::report || e.kind == EventKind::lot;
        line.same = into_variable ? values_words(machine.game, machine.game.variables[e.name].type, e.values, g) : line.text;
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string joined(const std::vector<std::string>& items, const Globals& g) {
    return fmt::format("{}", fmt::join(items, say(g, Text::comma)));
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string where(const Sources& sources, Span span) {
    return fmt::format("{}:{}", sources[span.source].name(), sources[span.source].line_of(span.begin));
}

// ---- which games, and what came out in a sentence

std::string side_line(const DiffReport& r, const DiffSide& side, const char* letter, const Machine& machine) {
    std::string text = fmt::format("{}  {}: {}", letter, side.file, name_words(machine.game, machine.game.name, r.g));
    for (const auto& [name, value] : side.settings) text += fmt::format(", {} = {}", name, value);
    return text + "\n";
}

std::string range_words(PlayerRange range) {
    return range.low == range.high ? std::to_string(range.low) : fmt::format("{}-{}", range.low, range.high);
}

// Those for whom it holds: `2, 3 players`.
template <typename F>
std::string players_with(const DiffReport& r, F holds) {
    std::vector<std::string> numbers;
    for (const Compared& c : r.all)
        if (holds(c.difference)) numbers.push_back(std::to_string(c.players));
    return numbers.empty() ? ""
                           : fmt::format("{}{}", joined(numbers, r.g),
                                         say(r.g, numbers == std::vector<std::string>{"1"} ? Text::with_player : Text::with_players));
}

std::string verdicts(const DiffReport& r) {
    const Globals& g = r.g;
    std::string text;
    const auto add = [&](const std::string& players, const TextRow<1>& row) {
        if (!players.empty()) text += say(g, row, players);
    };
    const auto parts = [](const Difference& d) { return d.parting.has_value(); };
    add(players_with(r, [&](const Difference& d) { return parts(d) && d.first_allows_more; }), Text::allows_more_a);
    add(players_with(r, [&](const Difference& d) { return parts(d) && d.second_allows_more; }), Text::allows_more_b);
    add(players_with(r, [&](const Difference& d) { return parts(d) && !d.first_allows_more && !d.second_allows_more; }), Text::they_part);
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::proved_absent; }), Text::they_are_alike);
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::not_found; }), Text::no_difference_found);
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::unknown; }), Text::nothing_is_known);
    return text;
}

// What was not compared: what only one of them has, who sees what, and what is only told.
std::string not_compared(const DiffReport& r, const Compared& c) {
    const Globals& g = r.g;
    const NameMapping mapping(*c.first, *c.second);
    const std::map<std::string, TextRow<1>> rows{
        {"zone", Text::zone_named}, {"fact", Text::fact_named}, {"act", Text::act_named}, {"end", Text::end_named}};
    const auto list = [&](const std::vector<NameMapping::Own>& things, const Game& game) {
        std::vector<std::string> texts;
        for (const auto& t : things) {
            const auto row = rows.find(t.what);
            if (row != rows.end()) texts.push_back(say(g, row->second, name_words(game, t.name, g)));
        }
        return joined(texts, g);
    };
    std::string text;
    if (const std::string own = list(mapping.own(Side::first), c.first->game); !own.empty()) text += say(g, Text::only_in_a, own);
    if (const std::string own = list(mapping.own(Side::second), c.second->game); !own.empty()) text += say(g, Text::only_in_b, own);
    if (const std::string seen = list(mapping.seen_otherwise(), c.first->game); !seen.empty()) text += say(g, Text::seen_by_others, seen);
    // The same may be told under other conditions, or by rules that are called at other times.
    const bool tell_alike = tellings(c.first->game, false) == tellings(c.second->game, false);
    const std::vector<std::string> first = tellings(c.first->game, tell_alike);
    const std::vector<std::string> second = tellings(c.second->game, tell_alike);
    const auto only = [&](const std::vector<std::string>& own, const std::vector<std::string>& other, const TextRow<1>& row) {
        std::vector<std::string> left;
        std::ranges::set_difference(own, other, std::back_inserter(left));
        if (left.empty()) return;
        const std::size_t more = left.size() > tellings_shown ? left.size() - tellings_shown : 0;
        left.resize(left.size() - more);
        text += say(g, row, joined(left, g) + (more == 0 ? "" : std::string(say(g, Text::and_more, more))));
    };
    only(first, second, Text::told_in_a);
    only(second, first, Text::told_in_b);
    const bool may_differ = first == second && !first.empty() && printed_rules(c.first->game) != printed_rules(c.second->game);
    if (may_differ) text += say(g, Text::telling_is_not_compared);
    return text;
}

// ---- where they part

std::string decisions_words(std::size_t n, const Globals& g) {
    if (n == 0) return say(g, Text::no_decision);
    return n == 1 ? say(g, Text::one_decision) : say(g, Text::several_decisions, n);
}

std::string indented(const std::vector<ToldLine>& lines, std::size_t to, const Globals& g) {
    std::string text;
    const std::size_t left_out = to > lines_shown ? to - lines_shown : 0;
    if (left_out != 0) text += say(g, Text::lines_before, left_out);
    for (std::size_t i = left_out; i < to; ++i) text += "  " + lines[i].text + "\n";
    return text;
}

std::string witness(const DiffReport& r, const Compared& c) {
    const Globals& g = r.g;
    const Difference& d = c.difference;
    const Parting& p = *d.parting;
    const auto one = told(*c.first, events_along(c.first, p.moves), g);
    const auto other = told(*c.second, events_along(c.second, p.other), g);
    const auto ends = std::mismatch(one.begin(), one.end(), other.begin(), other.end(),
                                    [](const ToldLine& a, const ToldLine& b) { return a.same == b.same; });
    const std::size_t same = ends.first - one.begin();
    std::string text = d.shortest ? say(g, Text::shortest_game_of_difference, c.players, decisions_words(p.decisions, g))
                                  : say(g, Text::shortest_game_found_of_difference, c.players, decisions_words(p.decisions, g));
    text += indented(one, same, g);
    const auto side = [&](const char* letter, const std::vector<ToldLine>& lines, bool forced, const Sentence& so) {
        if (forced) return fmt::format("  {}  {}\n", letter, so.in(g.language));  // its lines come after that
        const std::size_t to = std::min(lines.size(), same + own_lines_shown);
        std::string own;
        for (std::size_t i = same; i < to; ++i) own += lines[i].text + "\n     ";
        if (to < lines.size()) own += say(g, Text::lines_more, lines.size() - to);
        return fmt::format("  {}  {}{}\n", letter, own, so.in(g.language));
    };
    text += side("A", one, p.first_forced, p.first) + side("B", other, p.second_forced, p.second);
    std::vector<std::string> places;
    for (const Span& span : p.spans) places.push_back(where(r.sources, span));
    if (!places.empty()) text += say(g, Text::at_place, joined(places, g));
    return text;
}

// ---- how often, and what it moves

// Whether shares of so many games differ by more than twice what chance alone makes of them.
bool differ(double a, double b, std::uint64_t games) {
    const double mean = (a + b) / 2;
    return std::abs(a - b) > 2 * std::sqrt(2 * mean * (1 - mean) / std::max<std::uint64_t>(1, games));
}

// A line of numbers.
struct Row {
    std::string title;
    std::string a;
    std::string b;
};

std::string end_words(const Machine& m, const std::string& end, const Globals& g) {
    return end.empty() ? say(g, Text::played_to_the_end) : say(g, Text::end_named, name_words(m.game, end, g));
}

// Those that chance does not explain.
std::vector<Row> rows_of(const Compared& c, const Globals& g) {
    const GameNumbers& a = c.difference.first;
    const GameNumbers& b = c.difference.second;
    const std::uint64_t games = std::min(a.games, b.games);
    std::vector<Row> rows;
    const double error = std::sqrt((a.spread * a.spread + b.spread * b.spread) / std::max<std::uint64_t>(1, games));
    if (std::abs(a.decisions - b.decisions) > 2 * error)
        rows.push_back({say(g, Text::decisions_a_game), fmt::format("{:.1f}", a.decisions), fmt::format("{:.1f}", b.decisions)});
    const auto shares = [&](const std::string& title, double one, double other) {
        if (differ(one, other, games)) rows.push_back({title, percent(one), percent(other)});
    };
    for (std::size_t p = 0; p < std::min(a.wins.size(), b.wins.size()); ++p) shares(say(g, Text::seat_wins, p + 1), a.wins[p], b.wins[p]);
    const auto of_games = [](std::uint64_t n, const GameNumbers& numbers) { return ratio(n, std::max<std::uint64_t>(1, numbers.games)); };
    const auto share = [&](const GameNumbers& n, const std::string& end) {
        const auto found = std::find_if(n.ends.begin(), n.ends.end(), [&](const auto& e) { return e.first == end; });
        return found == n.ends.end() ? 0.0 : of_games(found->second, n);
    };
    for (const auto& [end, n] : a.ends) shares(end_words(*c.first, end, g), share(a, end), share(b, end));
    for (const auto& [end, n] : b.ends)
        if (std::none_of(a.ends.begin(), a.ends.end(), [&](const auto& e) { return e.first == end; }))
            shares(end_words(*c.second, end, g), 0, share(b, end));
    shares(say(g, Text::a_promise_breaks), of_games(a.broken, a), of_games(b.broken, b));
    return rows;
}

std::string numbers(const Compared& c, const Globals& g) {
    std::vector<Row> rows = rows_of(c, g);
    if (rows.empty()) return say(g, Text::differences_by_chance);
    rows.insert(rows.begin(), Row{"", "A", "B"});
    std::size_t wide = 0;
    for (const Row& row : rows) wide = std::max(wide, display_width(row.title));
    const auto right = [](const std::string& s) { return std::string(10 - std::min<std::size_t>(10, display_width(s)), ' ') + s; };
    std::string text;
    for (const Row& row : rows) text += fmt::format("  {}{}{}\n", pad_right(row.title, wide), right(row.a), right(row.b));
    return text;
}

std::string of_players(const DiffReport& r, const Compared& c) {
    const Globals& g = r.g;
    const Difference& d = c.difference;
    std::string text = say(g, Text::under_players, c.players);
    const auto share = [](const Frequency& f) { return percent(f.of == 0 ? 0 : ratio(f.games, f.of)); };
    if (d.verdict == Verdict::proved_absent) {
        text += d.method == FoundBy::static_reading ? std::string(say(g, Text::rules_are_the_same))
                                                    : say(g, Text::alike_in_every_state, d.states);
    } else if (!d.parting) {
        text += say(g, Text::alike_in_random_games, d.parts.of);
        if (d.walked_decisions) text += say(g, Text::alike_as_far_as, decisions_words(*d.walked_decisions, g), d.states);
        text += "\n";
    } else {
        text += d.winner_changes.of == 0 ? say(g, Text::random_games_differ_unended, d.parts.games, d.parts.of, share(d.parts))
                                         : say(g, Text::random_games_differ, d.parts.games, d.parts.of, share(d.parts),
                                               d.winner_changes.games, share(d.winner_changes));
        text += numbers(c, g);
    }
    if (d.out_of_work)
        text += say(g, Text::work_ran_out);
    else if (d.out_of_time && !interrupted())
        text += say(g, Text::time_ran_out);
    return text;
}

// ---- for tools

Json json_of(const GameNumbers& n) {
    const auto rounded = [](double v) { return std::round(v * 1e6) / 1e6; };
    Json j{{"games", n.games},
           {"decisions_per_game", rounded(n.decisions)},
           {"decisions_deviation", rounded(n.spread)},
           {"broken", n.broken},
           {"win_share", Json::array()},
           {"ends", Json::object()}};
    for (const double w : n.wins) j["win_share"].push_back(rounded(w));
    for (const auto& [end, games] : n.ends) j["ends"][end.empty() ? "finished" : end] = games;
    return j;
}

Json json_of(const Frequency& f) { return {{"games", f.games}, {"of", f.of}}; }

const char* how_name(Parting::How how) {
    switch (how) {
        case Parting::How::asked:
            return "asked";
        case Parting::How::offered:
            return "offered";
        case Parting::How::table:
            return "table";
        case Parting::How::over:
            return "over";
        case Parting::How::result:
            return "result";
        case Parting::How::broken:
            return "broken";
    }
    return "";
}

std::string verdict_of(const Difference& d) {
    if (d.verdict == Verdict::proved_absent) return "alike";
    return d.parting ? d.first_allows_more    ? "A allows more"
                       : d.second_allows_more ? "B allows more"
                                              : "part"
                     : std::string(verdict_name(d.verdict));
}

Json json_of(const DiffReport& r, const Compared& c) {
    const Difference& d = c.difference;
    Json j{{"players", c.players},
           {"verdict", verdict_of(d)},
           {"method", method_name(d.method)},
           {"bound", d.bound.in(Language::en)},
           {"states", d.states}};
    j["walked_decisions"] = d.walked_decisions ? Json(*d.walked_decisions) : Json();
    j["out_of_time"] = d.out_of_time;
    j["parting"] = Json();
    if (d.parting) {
        const Parting& p = *d.parting;
        const auto [first, second] = parting_logs(c);
        Json spans = Json::array();
        for (const Span& s : p.spans) spans.push_back(where(r.sources, s));
        j["parting"] = {{"how", how_name(p.how)},
                        {"shortest", d.shortest},
                        {"decisions", p.decisions},
                        {"A", p.first.in(r.g.language)},
                        {"B", p.second.in(r.g.language)},
                        {"at", spans},
                        {"logs", {{"A", first}, {"B", second}}}};
    }
    j["parts"] = json_of(d.parts);
    j["winner_changes"] = json_of(d.winner_changes);
    j["numbers"] = {{"A", json_of(d.first)}, {"B", json_of(d.second)}};
    return j;
}

}  // namespace

std::pair<std::string, std::string> parting_logs(const Compared& c) {
    const auto log = [](const std::shared_ptr<const Machine>& m, const std::vector<std::uint64_t>& moves) {
        return log_text(*m, head_of(*m, std::nullopt), events_along(m, moves));
    };
    return {log(c.first, c.difference.parting->moves), log(c.second, c.difference.parting->other)};
}

std::string diff_text(const DiffReport& r) {
    const Globals& g = r.g;
    const Compared& fewest = r.all.front();
    std::string text = side_line(r, r.a, "A", *fewest.first) + side_line(r, r.b, "B", *fewest.second);
    if (r.a.range.low != r.b.range.low || r.a.range.high != r.b.range.high)
        text += say(g, Text::player_counts_differ, range_words(r.a.range), range_words(r.b.range));
    text += not_compared(r, fewest);
    text += verdicts(r);
    const auto parts = std::find_if(r.all.begin(), r.all.end(), [](const Compared& c) { return c.difference.parting.has_value(); });
    if (parts != r.all.end()) text += witness(r, *parts);
    for (const Compared& c : r.all) text += of_players(r, c);
    if (r.interrupted) text += fmt::format("{}\n", say(g, Text::interrupted));
    return text;
}

std::string diff_json(const DiffReport& r) {
    const auto side = [](const DiffSide& s, const Machine& m) {
        Json j{{"file", s.file}, {"game", m.game.name}, {"rules", fmt::format("{:016x}", m.game.hash)}, {"settings", Json::object()}};
        for (const auto& [name, value] : s.settings) j["settings"][name] = value;
        return j;
    };
    const Compared& fewest = r.all.front();
    Json j{{"schema", "houserule-diff-1"},
           {"A", side(r.a, *fewest.first)},
           {"B", side(r.b, *fewest.second)},
           {"seed", r.seed},
           {"interrupted", r.interrupted}};
    const NameMapping mapping(*fewest.first, *fewest.second);
    const auto list = [](const std::vector<NameMapping::Own>& things) {
        Json all = Json::array();
        for (const auto& t : things) all.push_back({{"what", t.what}, {"name", t.name}});
        return all;
    };
    j["only_in"] = {{"A", list(mapping.own(Side::first))}, {"B", list(mapping.own(Side::second))}};
    j["seen_by_others"] = list(mapping.seen_otherwise());
    j["players"] = Json::array();
    for (const Compared& c : r.all) j["players"].push_back(json_of(r, c));
    return j.dump(2) + "\n";
}

}  // namespace houserule::cli
