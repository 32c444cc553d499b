#include "interpreter/app/common/games_table.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace houserule::cli {

namespace {

using GameRow = std::array<std::string, 3>;  // name, label, players

std::string players_text(PlayerRange range, const Globals& g) {
    const std::string count = range.low == range.high ? std::to_string(range.low) : fmt::format("{}-{}", range.low, range.high);
    return fmt::format("{}{}", count, say(g, Text::with_players));
}

GameRow describe(const Shipped& shipped, const Globals& g) {
    const auto loaded = load(shipped.path, g);
    if (!loaded) return {shipped.name, "", ""};
    Diagnostics diagnostics = loaded->diagnostics;
    const PlayerRange range = player_range(loaded->syntax);
    if (has_errors(diagnostics) || range.low < 1) return {shipped.name, "", say(g, Text::cannot_be_read)};
    const Game game = check(loaded->syntax, range.low, {}, diagnostics);
    const std::string named = label(game, game.name, code_of(g.language));
    return {shipped.name, named == game.name ? "" : named, players_text(range, g)};
}

}  // namespace

std::string games_table(const std::vector<Shipped>& games, const std::string& indent, const Globals& g) {
    std::vector<GameRow> rows;
    for (const Shipped& game : games) rows.push_back(describe(game, g));
    std::array<std::size_t, 2> widths{};
    for (const GameRow& row : rows)
        for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    std::string text;
    for (const GameRow& row : rows) {
        text += indent;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] > 0) text += pad_right(row[i], widths[i] + 2);
        text += row[2] + "\n";
    }
    return text;
}

}  // namespace houserule::cli
