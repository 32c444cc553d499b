#include "interpreter/app/commands/diff_report.hpp"

#include "dsl/text/ratio.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/words.hpp"
#include "solver/compare/name_mapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t lines_shown = 30;     // of the game that both have
constexpr std::size_t own_lines_shown = 6;  // of what each then does

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

const std::string& in_language(const Sentence& s, const Globals& g) { return g.language == Language::ja ? s.ja : s.en; }

std::string joined(const std::vector<std::string>& items, const Globals& g) {
    return fmt::format("{}", fmt::join(items, say(g, ", ", "、")));
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
                                         say(r.g, numbers == std::vector<std::string>{"1"} ? " player" : " players", "人"));
}

std::string verdicts(const DiffReport& r) {
    const Globals& g = r.g;
    std::string text;
    const auto add = [&](const std::string& players, const char* en, const char* ja) {
        if (!players.empty()) text += fmt::format(fmt::runtime(say(g, en, ja)), players);
    };
    const auto parts = [](const Difference& d) { return d.parting.has_value(); };
    add(players_with(r, [&](const Difference& d) { return parts(d) && d.first_allows_more; }),
        "A allows more ({}): nothing else was different.\n", "Aのほうができることが多い（{}）。ほかに違いは見つからなかった。\n");
    add(players_with(r, [&](const Difference& d) { return parts(d) && d.second_allows_more; }),
        "B allows more ({}): nothing else was different.\n", "Bのほうができることが多い（{}）。ほかに違いは見つからなかった。\n");
    add(players_with(r, [&](const Difference& d) { return parts(d) && !d.first_allows_more && !d.second_allows_more; }),
        "They part ({}).\n", "2つは分かれる（{}）。\n");
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::proved_absent; }), "They are alike ({}): proved.\n",
        "2つは同じ（{}）。証明済み。\n");
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::not_found; }), "No difference was found ({}).\n",
        "違いは見つからなかった（{}）。\n");
    add(players_with(r, [](const Difference& d) { return d.verdict == Verdict::unknown; }), "Nothing is known ({}).\n",
        "何もわからない（{}）。\n");
    return text;
}

// What was not compared: what only one of them has, and who sees what.
std::string not_compared(const DiffReport& r, const Compared& c) {
    const Globals& g = r.g;
    const Twins twins(*c.first, *c.second);
    const std::map<std::string, const char*> in_japanese{{"zone", "場所"}, {"fact", "事実"}, {"act", "行動"}, {"end", "終わり"}};
    const auto list = [&](const std::vector<Twins::Own>& things, const Game& game) {
        std::vector<std::string> texts;
        for (const auto& t : things) {
            const auto ja = in_japanese.find(t.what);
            if (ja != in_japanese.end()) texts.push_back(fmt::format("{} {}", say(g, t.what, ja->second), name_words(game, t.name, g)));
        }
        return joined(texts, g);
    };
    std::string text;
    if (const std::string own = list(twins.own(Side::first), c.first->game); !own.empty())
        text += fill(g, "only in A: {}\n", "Aだけにある: {}\n", own);
    if (const std::string own = list(twins.own(Side::second), c.second->game); !own.empty())
        text += fill(g, "only in B: {}\n", "Bだけにある: {}\n", own);
    if (const std::string seen = list(twins.seen_otherwise(), c.first->game); !seen.empty())
        text += fill(g, "seen by others, which is not compared: {}\n", "見える人が違う（比べていない）: {}\n", seen);
    return text;
}

// ---- where they part

std::string decisions_words(std::size_t n, const Globals& g) {
    if (g.language == Language::ja) return n == 0 ? "決定なし" : fmt::format("決定{}回", n);
    return n == 0 ? "no decision" : fmt::format("{} decision{}", n, n == 1 ? "" : "s");
}

std::string indented(const std::vector<ToldLine>& lines, std::size_t to, const Globals& g) {
    std::string text;
    const std::size_t left_out = to > lines_shown ? to - lines_shown : 0;
    if (left_out != 0) text += fill(g, "  ({} lines before)\n", "  （その前に{}行）\n", left_out);
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
    std::string text = d.shortest
                           ? fill(g, "\nThe shortest game in which they part ({} players, {}):\n",
                                  "\n2つが分かれる最短のゲーム（{}人、{}）:\n", c.players, decisions_words(p.decisions, g))
                           : fill(g, "\nThe shortest game found in which they part ({} players, {}):\n",
                                  "\n見つかった中で最短の、2つが分かれるゲーム（{}人、{}）:\n", c.players, decisions_words(p.decisions, g));
    text += indented(one, same, g);
    const auto side = [&](const char* letter, const std::vector<ToldLine>& lines, bool forced, const Sentence& so) {
        if (forced) return fmt::format("  {}  {}\n", letter, in_language(so, g));  // its lines come after that
        const std::size_t to = std::min(lines.size(), same + own_lines_shown);
        std::string own;
        for (std::size_t i = same; i < to; ++i) own += lines[i].text + "\n     ";
        if (to < lines.size()) own += fill(g, "({} lines more)\n     ", "（ほか{}行）\n     ", lines.size() - to);
        return fmt::format("  {}  {}{}\n", letter, own, in_language(so, g));
    };
    text += side("A", one, p.first_forced, p.first) + side("B", other, p.second_forced, p.second);
    std::vector<std::string> places;
    for (const Span& span : p.spans) places.push_back(where(r.sources, span));
    if (!places.empty()) text += fill(g, "  at {}\n", "  場所: {}\n", joined(places, g));
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
    return end.empty() ? say(g, "played to the end", "最後まで") : fill(g, "end {}", "終わり {}", name_words(m.game, end, g));
}

// Those that chance does not explain.
std::vector<Row> rows_of(const Compared& c, const Globals& g) {
    const GameNumbers& a = c.difference.first;
    const GameNumbers& b = c.difference.second;
    const std::uint64_t games = std::min(a.games, b.games);
    std::vector<Row> rows;
    const double error = std::sqrt((a.spread * a.spread + b.spread * b.spread) / std::max<std::uint64_t>(1, games));
    if (std::abs(a.decisions - b.decisions) > 2 * error)
        rows.push_back(
            {say(g, "decisions a game", "1ゲームの決定"), fmt::format("{:.1f}", a.decisions), fmt::format("{:.1f}", b.decisions)});
    const auto shares = [&](const std::string& title, double one, double other) {
        if (differ(one, other, games)) rows.push_back({title, percent(one), percent(other)});
    };
    for (std::size_t p = 0; p < std::min(a.wins.size(), b.wins.size()); ++p)
        shares(fill(g, "P{} wins", "P{}の勝ち", p + 1), a.wins[p], b.wins[p]);
    const auto of_games = [](std::uint64_t n, const GameNumbers& numbers) { return ratio(n, std::max<std::uint64_t>(1, numbers.games)); };
    const auto share = [&](const GameNumbers& n, const std::string& end) {
        const auto found = std::find_if(n.ends.begin(), n.ends.end(), [&](const auto& e) { return e.first == end; });
        return found == n.ends.end() ? 0.0 : of_games(found->second, n);
    };
    for (const auto& [end, n] : a.ends) shares(end_words(*c.first, end, g), share(a, end), share(b, end));
    for (const auto& [end, n] : b.ends)
        if (std::none_of(a.ends.begin(), a.ends.end(), [&](const auto& e) { return e.first == end; }))
            shares(end_words(*c.second, end, g), 0, share(b, end));
    shares(say(g, "a promise breaks", "約束が破れる"), of_games(a.broken, a), of_games(b.broken, b));
    return rows;
}

std::string numbers(const Compared& c, const Globals& g) {
    std::vector<Row> rows = rows_of(c, g);
    if (rows.empty())
        return say(g, "  over all games, lengths, ends and shares of the win move by no more than chance explains\n",
                   "  全体では、長さ・終わり方・勝ちの割合の差は偶然の範囲内\n");
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
    std::string text = fill(g, "\n{} players: ", "\n{}人: ", c.players);
    const auto share = [](const Frequency& f) { return percent(f.of == 0 ? 0 : ratio(f.games, f.of)); };
    if (d.verdict == Verdict::proved_absent) {
        text += d.method == FoundBy::static_reading
                    ? std::string(say(g, "the rules are the same\n", "ルールそのものが同じ\n"))
                    : fill(g, "all that can happen is alike ({} states)\n", "起こりうることはすべて同じ（状態{}個）\n", d.states);
    } else if (!d.parting) {
        text += fill(g, "alike in {} random games", "ランダムな{}ゲームで同じ", d.parts.of);
        if (d.walked_decisions)
            text += fill(g, ", and in every game as far as its first {} ({} states)", "、どのゲームも最初の{}まで同じ（状態{}個）",
                         decisions_words(*d.walked_decisions, g), d.states);
        text += "\n";
    } else {
        text += fill(g, "{} of {} random games part ({}); in {} other players win ({})\n",
                     "ランダムな{1}ゲームのうち{0}で分かれる（{2}）。{3}で勝者が変わる（{4}）\n", d.parts.games, d.parts.of, share(d.parts),
                     d.winner_changes.games, share(d.winner_changes));
        text += numbers(c, g);
    }
    if (d.out_of_time) text += say(g, "  time ran out before all was looked at\n", "  時間切れ: 調べ残しがある\n");
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
    Json j{{"players", c.players}, {"verdict", verdict_of(d)}, {"method", method_name(d.method)}, {"bound", d.bound}, {"states", d.states}};
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
                        {"A", in_language(p.first, r.g)},
                        {"B", in_language(p.second, r.g)},
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
        text += fill(g, "A is for {} players, B for {}\n", "Aは{}人用、Bは{}人用\n", range_words(r.a.range), range_words(r.b.range));
    text += not_compared(r, fewest);
    text += verdicts(r);
    const auto parts = std::find_if(r.all.begin(), r.all.end(), [](const Compared& c) { return c.difference.parting.has_value(); });
    if (parts != r.all.end()) text += witness(r, *parts);
    for (const Compared& c : r.all) text += of_players(r, c);
    if (r.interrupted) text += fmt::format("{}\n", say(g, "interrupted", "中断"));
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
    const Twins twins(*fewest.first, *fewest.second);
    const auto list = [](const std::vector<Twins::Own>& things) {
        Json all = Json::array();
        for (const auto& t : things) all.push_back({{"what", t.what}, {"name", t.name}});
        return all;
    };
    j["only_in"] = {{"A", list(twins.own(Side::first))}, {"B", list(twins.own(Side::second))}};
    j["seen_by_others"] = list(twins.seen_otherwise());
    j["players"] = Json::array();
    for (const Compared& c : r.all) j["players"].push_back(json_of(r, c));
    return j.dump(2) + "\n";
}

}  // namespace houserule::cli
