#include "interpreter/app/simulation/report.hpp"

#include "dsl/text/ratio.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/simulation/games.hpp"
#include "interpreter/machine/never.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double confident = 1.959964;  // standard deviations: 95 %

struct Share {
    double share = 0;
    double low = 0;
    double high = 0;
};

// Wilson's interval for a share of n games.
Share wilson(double share, std::uint64_t games) {
    if (games == 0) return {0, 0, 1};
    const double n = games;
    const double z2 = confident * confident;
    const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = confident / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return {share, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

struct Report : SimulationReport {
    std::string language() const { return code_of(g.language); }
    std::string name(const std::string& identifier) const { return json ? identifier : label(machine.game, identifier, language()); }
    std::uint64_t finished() const {
        std::uint64_t n = 0;
        for (const auto& [end, count] : totals.ends) n += count;
        return n;
    }
    std::uint64_t decisions() const { return totals.tally.decisions + totals.tally.forced; }
    double per_game(std::uint64_t n) const { return totals.games == 0 ? 0 : ratio(n, totals.games); }
    std::string where(Spot at) const {
        const Source& source = loaded.sources[at.first];
        return fmt::format("{}:{}", source.name(), source.line_of(at.second));
    }
    std::string where(const Failure& f) const {
        const Source& source = loaded.sources[f.span.source];
        return fmt::format("{}:{}", source.name(), lines_of(f, source));
    }
};

struct Never {
    std::vector<std::string> rules;
    std::vector<std::string> cases;  // FILE:LINE
    std::vector<std::string> ends;
    std::vector<std::string> kinds;
    bool empty() const { return rules.empty() && cases.empty() && ends.empty() && kinds.empty(); }
};

std::string end_name(const Report& r, EndId end) {
    return end == no_id ? (r.json ? "finished" : say(r.g, Text::finished)) : r.name(r.machine.game.ends[end].name);
}

// `p says n`: nothing is decided.
bool is_only_said(const Game& game, const Step& s) {
    if ((s.mode & (choice_many | choice_optional)) != 0) return false;
    return (s.mode & choice_range) != 0 ? s.w == s.y : game.expressions[s.y].op == Operator::set_single;
}

// Acts and offers by their names, choices by the name of what is chosen and the rule.
std::string step_title(const Report& r, const Step& s) {
    const Game& game = r.machine.game;
    if (s.op == Op::window) return r.name(game.acts[s.a].name);
    if (s.op == Op::ask) return r.name(game.words[s.a]);
    if (s.op != Op::choose || is_only_said(game, s)) return "";
    const std::string& chosen = game.variables[s.a].name;
    return s.rule == no_id ? chosen : fmt::format("{}: {}", r.name(game.rules[s.rule].name), chosen);
}

std::vector<std::pair<std::string, std::uint64_t>> acts_of(const Report& r) {
    std::vector<std::pair<std::string, std::uint64_t>> acts;
    for (std::size_t i = 0; i < r.machine.code.size(); ++i) {
        const std::string title = step_title(r, r.machine.code[i]);
        if (title.empty()) continue;
        const auto found = std::find_if(acts.begin(), acts.end(), [&](const auto& a) { return a.first == title; });
        if (found == acts.end())
            acts.emplace_back(title, r.totals.tally.taken[i]);
        else
            found->second += r.totals.tally.taken[i];
    }
    return acts;
}

// Pieces that no zone takes are there to be named, not to be moved.
bool has_room(const Game& game, FamilyId family) {
    return std::any_of(game.zones.begin(), game.zones.end(), [&](const Zone& z) { return z.families[family]; });
}

Never never_of(const Report& r) {
    const Machine& m = r.machine;
    Never never;
    const NeverReached reached = never_reached(m, r.totals.reached);
    for (const RuleId rule : reached.rules) never.rules.push_back(r.name(m.game.rules[rule].name));
    for (const CameUp::Place& c : reached.cases) never.cases.push_back(r.where(spot(c.span)));
    for (const EndId end : reached.ends) never.ends.push_back(r.name(m.game.ends[end].name));
    for (std::size_t k = 0; k < m.game.kinds.size(); ++k) {
        const Type type{Base::kind, Base::nothing, m.game.kinds[k].family, 0, 0, 1, false};
        if (r.finished() != 0 && r.totals.kinds[k] == 0 && m.game.kinds[k].copies > 0 && has_room(m.game, m.game.kinds[k].family))
            never.kinds.push_back(value_name(m.game, type, k, r.json ? "" : r.language()));
    }
    return never;
}

std::vector<Share> shares_of(const Report& r) {
    std::vector<Share> shares;
    for (const std::uint64_t parts : r.totals.wins)
        shares.push_back(wilson(r.finished() == 0 ? 0 : ratio(parts, win_parts) / r.finished(), r.finished()));
    return shares;
}

// Where only whole teams won, or nobody, in all games: each team's seats and share, else nothing.
std::vector<std::pair<Seats, Share>> team_shares(const Report& r) {
    std::vector<std::pair<Seats, Share>> shares;
    const std::vector<std::int32_t>& team = r.machine.game.team;
    if (team.empty() || r.finished() == 0 || r.totals.by_teams != r.finished()) return shares;
    for (const std::int32_t t : std::set<std::int32_t>(team.begin(), team.end())) {
        Seats seats = no_seats;
        std::uint64_t parts = 0;
        for (int p = 0; p < r.machine.game.players; ++p)
            if (team[p] == t) seats |= seat_bit(p), parts += r.totals.wins[p];
        shares.emplace_back(seats, wilson(ratio(parts, win_parts) / r.finished(), r.finished()));
    }
    return shares;
}

// In a game that all win or nobody does: how often all won.
Share won_together(const Report& r) {
    const std::uint64_t parts = std::accumulate(r.totals.wins.begin(), r.totals.wins.end(), std::uint64_t{0});
    return wilson(r.finished() == 0 ? 0 : ratio(parts, win_parts) / r.finished(), r.finished());
}

std::vector<double> average_scores(const Report& r) {
    std::vector<double> averages;
    const Game& game = r.machine.game;
    if (game.score == no_id || r.finished() == 0) return averages;
    const double scale = std::max(1, game.expressions[game.score].type.scale);
    for (const std::int64_t sum : r.totals.scores) averages.push_back(sum / scale / r.finished());
    return averages;
}

// Possibilities a decision.
double branching(const Report& r) {
    const Tally& t = r.totals.tally;
    return r.decisions() == 0 ? 0 : ratio(t.options + t.forced, r.decisions());
}

void list(std::string& text, const Report& r, const TextRow<1>& row, const std::vector<std::string>& names) {
    if (!names.empty()) text += say(r.g, row, fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

std::string json_of(const SimulationReport& report) {
    const Report r{report};
    const auto rounded = [](double v) { return std::round(v * 1e6) / 1e6; };
    Json j;
    j["game"] = r.machine.game.name;
    j["players"] = r.machine.game.players;
    j["seed"] = r.seed;
    j["settings"] = Json::object();
    for (const OptionValue& o : r.machine.game.options) j["settings"][o.name] = o.value;
    j["games"] = r.totals.games;
    j["interrupted"] = interrupted();
    j["games_per_s"] = std::round(r.totals.games / r.seconds);
    j["decisions_per_s"] = std::round(r.decisions() / r.seconds);
    j["decisions_per_game"] = rounded(r.per_game(r.decisions()));
    j["forced_per_game"] = rounded(r.per_game(r.totals.tally.forced));
    j["branching"] = rounded(branching(r));
    j["win_share"] = Json::array();
    for (const Share& s : shares_of(r))
        j["win_share"].push_back({{"share", rounded(s.share)}, {"low", rounded(s.low)}, {"high", rounded(s.high)}});
    if (const auto teams = team_shares(r); !teams.empty()) {
        j["team_win_share"] = Json::array();
        for (const auto& [seats, s] : teams) {
            Json of = Json::array();
            for (int p = 0; p < r.machine.game.players; ++p)
                if ((seats & seat_bit(p)) != 0) of.push_back(p + 1);
            j["team_win_share"].push_back(
                {{"seats", std::move(of)}, {"share", rounded(s.share)}, {"low", rounded(s.low)}, {"high", rounded(s.high)}});
        }
    }
    if (const auto averages = average_scores(r); !averages.empty()) {
        j["average_scores"] = Json::array();
        for (const double a : averages) j["average_scores"].push_back(rounded(a));
    }
    if (r.deducing != 0) {
        j["think_ms"] = r.think_ms;
        j["deducing"] = Json::array();
        for (std::size_t p = 0; p < r.totals.deducing.size(); ++p)
            if ((r.deducing >> p & 1) != 0)
                j["deducing"].push_back(
                    {{"seat", p + 1}, {"decisions", r.totals.deducing[p].decisions}, {"at_random", r.totals.deducing[p].at_random}});
    }
    j["ends"] = Json::object();
    for (const auto& [end, n] : r.totals.ends) j["ends"][end_name(r, end)] = n;
    j["acts"] = Json::object();
    for (const auto& [title, n] : acts_of(r)) j["acts"][title] = rounded(r.per_game(n));
    const Never never = never_of(r);
    j["never"] = {{"rules", never.rules}, {"cases", never.cases}, {"ends", never.ends}, {"kinds", never.kinds}};
    j["failed"] = Json::array();
    for (const auto& [what, f] : r.totals.failed)
        j["failed"].push_back({{"what", text(r.machine.game, f.failure)},
                               {"at", r.where(what.second)},
                               {"count", f.count},
                               {"game", f.first},
                               {"seed", seed_of(r.seed, f.first)}});
    return j.dump(2) + "\n";
}

std::string text_of(const SimulationReport& report) {
    const Report r{report};
    const Globals& g = r.g;
    std::string text =
        fmt::format("{}, {} {}: {} {}, {} {}\n", r.name(r.machine.game.name), r.machine.game.players, say(g, Text::players), r.totals.games,
                    r.deducing != 0 ? say(g, Text::games) : say(g, Text::random_games), say(g, Text::seed), r.seed);
    for (const OptionValue& o : r.machine.game.options) text += fmt::format("  {} = {}\n", r.name(o.name), o.value);
    text += fmt::format("{}: {:.0f} {}, {:.0f} {}\n", say(g, Text::speed), r.totals.games / r.seconds, say(g, Text::games_per_second),
                        r.decisions() / r.seconds, say(g, Text::decisions_per_second));
    text += say(g, Text::decisions_per_game, fmt::format("{:.2f}", r.per_game(r.decisions())),
                fmt::format("{:.2f}", r.per_game(r.totals.tally.forced)), fmt::format("{:.2f}", branching(r)));
    text += fmt::format("{}\n", say(g, Text::wins));
    const auto shares = shares_of(r);
    const auto averages = average_scores(r);
    const auto percent = [](const Share& s) {
        return fmt::format("{:5.1f} % ({:.1f} - {:.1f})", s.share * 100, s.low * 100, s.high * 100);
    };
    const bool together = r.machine.game.winner.together;
    if (together) text += fmt::format("  {} {}\n", say(g, Text::won_together), percent(won_together(r)));
    for (const auto& [seats, share] : team_shares(r))
        if (!together) text += fmt::format("  {} {}\n", say(g, Text::team_of_seats, seats_words(seats, g)), percent(share));
    if (r.machine.game.common_score && !averages.empty()) text += fmt::format("  {} {:.2f}\n", say(g, Text::score), averages[0]);
    for (std::size_t p = 0; p < shares.size(); ++p) {
        if (together && (r.deducing >> p & 1) == 0 && (averages.empty() || r.machine.game.common_score)) continue;
        text += fmt::format("  P{}", p + 1) + (together ? "" : " " + percent(shares[p]));
        if (!averages.empty() && !r.machine.game.common_score) text += fmt::format("  {} {:.2f}", say(g, Text::score), averages[p]);
        if ((r.deducing >> p & 1) != 0) {
            const PlayerCounts& c = r.totals.deducing[p];
            text += say(g, Text::deduced_decisions, c.decisions, c.at_random);
        }
        text += "\n";
    }
    text += fmt::format("{}\n", say(g, Text::ends));
    for (const auto& [end, n] : r.totals.ends) text += fmt::format("  {} {}\n", end_name(r, end), n);
    text += fmt::format("{}\n", say(g, Text::done_per_game));
    for (const auto& [title, n] : acts_of(r)) text += fmt::format("  {} {:.2f}\n", title, r.per_game(n));
    if (const Never never = never_of(r); !never.empty()) {
        text += fmt::format("{}\n", say(g, Text::never_came_up));
        list(text, r, Text::rules_never_done, never.rules);
        list(text, r, Text::cases_never_met, never.cases);
        list(text, r, Text::ends_never_met, never.ends);
        list(text, r, Text::kinds_never_moved, never.kinds);
    }
    for (const auto& [what, f] : r.totals.failed)
        text += fmt::format("{}: {}: {} ({} {}; {} {}, {} {})\n", say(g, Text::broken_promise), r.where(f.failure),
                            houserule::text(r.machine.game, f.failure, g.language), f.count, say(g, Text::games),
                            say(g, Text::first_in_game), f.first, say(g, Text::seed), seed_of(r.seed, f.first));
    if (interrupted()) text += fmt::format("{}\n", say(g, Text::interrupted));
    return text;
}

}  // namespace houserule::cli
