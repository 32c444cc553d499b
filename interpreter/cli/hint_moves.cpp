#include "interpreter/cli/hint_moves.hpp"

#include "interpreter/cli/table.hpp"
#include "interpreter/cli/words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t outcomes_shown = 4;

std::vector<std::string> lines_of(const Seen& seen, const Events& events, const std::string& language) {
    std::vector<std::string> lines;
    for (const Event& e : events) {
        std::string line = event_line(seen.machine(), e, seen.view.seat, language);
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

// What follows from the move, without the move itself.
std::vector<std::string> outcome_lines(const Seen& seen, const MoveAdvice& move, const Outcome& outcome, const std::string& language) {
    std::vector<std::string> lines = lines_of(seen, outcome.noticed, language);
    for (const std::string& own : lines_of(seen, move.own, language)) {
        const auto found = std::find(lines.begin(), lines.end(), own);
        if (found != lines.end()) lines.erase(found);
    }
    return lines;
}

double score_unit(const Game& game) { return game.score == no_id ? 1 : game.expressions[static_cast<std::size_t>(game.score)].type.scale; }

std::string move_name(const Seen& seen, const MoveAdvice& move, const Globals& g) {
    const std::vector<std::string> own = lines_of(seen, move.own, code_of(g.language));
    return own.empty() ? say(g, "do nothing", "何もしない") : fmt::format("{}", fmt::join(own, "; "));
}

}  // namespace

std::optional<Advice> moves_of(Deduction& deduction, std::chrono::steady_clock::time_point until) {
    Random random(1);
    AdviceLimits limits;
    limits.until = until;
    return advise(deduction, random, limits);
}

std::string moves_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g) {
    if (advice.moves.empty()) return "";
    std::string text = "\n" + bold(say(g, "What your moves tell", "手ごとに分かること"), g) + "\n";
    std::vector<std::string> places;
    for (const Id p : advice.asked) places.push_back(place_name(seen.game(), p, code_of(g.language)));
    text += fill(g, "  {:.2f} bits are open about {} ({})\n", "  {1} について {0:.2f} ビットが未知（{2}）\n", advice.open, fmt::format("{}", fmt::join(places, say(g, ", ", "、"))),
                 advice.exact ? std::string(say(g, "exact", "正確")) : fill(g, "{} histories drawn at random", "無作為に引いた履歴 {} 通り", advice.histories));
    const double unit = score_unit(seen.game());
    for (std::size_t m = 0; m < std::min(top, advice.moves.size()); ++m) {
        const MoveAdvice& move = advice.moves[m];
        text += fill(g, "  {}: {:.2f} bits", "  {}: {:.2f} ビット", move_name(seen, move, g), move.bits);
        if (move.points && *move.points != 0) text += fill(g, ", {:+.2f} points", "、{:+.2f} 点", *move.points / unit);
        if (move.over > 0) text += fill(g, ", over {:.1f} %, won {:.1f} %", "、終了 {:.1f} %、勝ち {:.1f} %", 100 * move.over, 100 * move.won);
        text += "\n";
        if (move.outcomes.size() < 2) continue;
        for (std::size_t o = 0; o < std::min(outcomes_shown, move.outcomes.size()); ++o) {
            const std::vector<std::string> lines = outcome_lines(seen, move, move.outcomes[o], code_of(g.language));
            text += fmt::format("    {:>5.1f} %  {}\n", 100 * move.outcomes[o].share, lines.empty() ? say(g, "nothing that you notice", "気づくことはない") : fmt::format("{}", fmt::join(lines, "; ")));
        }
        if (move.outcomes.size() > outcomes_shown) text += fill(g, "    … {} more\n", "    … ほか {} 通り\n", move.outcomes.size() - outcomes_shown);
    }
    if (top < advice.moves.size()) text += fill(g, "  … {} more (--top)\n", "  … ほか {} 通り（--top）\n", advice.moves.size() - top);
    return text;
}

nlohmann::ordered_json moves_json(const Seen& seen, const Advice& advice) {
    Json all = Json::array();
    const double unit = score_unit(seen.game());
    for (const MoveAdvice& move : advice.moves) {
        Json j;
        j["move"] = lines_of(seen, move.own, "");
        j["bits"] = move.bits;
        j["points"] = move.points ? Json(*move.points / unit) : Json();
        j["over"] = move.over;
        j["won"] = move.won;
        j["outcomes"] = Json::array();
        for (const Outcome& o : move.outcomes)
            j["outcomes"].push_back({{"share", o.share}, {"noticed", outcome_lines(seen, move, o, "")}, {"bits", o.bits}, {"points", o.points / unit}});
        all.push_back(std::move(j));
    }
    return all;
}

}  // namespace houserule::cli
