#include "interpreter/app/common/promises.hpp"

#include "dsl/game/parts.hpp"
#include "solver/prove/promise_sites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace houserule::cli {

namespace {

constexpr std::size_t longest_words = 60;  // of a number that the rules work out: else it is said

using Place = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t>;
Place place(Span s) { return {s.source, s.begin, s.end}; }

// Promises that are counted; the others have lines of their own (room, given, times) or follow from the text (reported).
bool is_counted(const Game& game, const PromiseSite& site) {
    switch (site.promise) {
        case Promise::given:
        case Promise::reported:
        case Promise::counted:
        case Promise::room:
        case Promise::times:
            return false;
        case Promise::enough:
            return !any_part(game.statements[site.statement], [](StatementId) { return true; });  // without `if short`
        default:
            return true;
    }
}

// `at most N times`, by N and, where that is no number, the words that stand there: where.
using Bounds = std::map<std::pair<std::int32_t, std::string>, std::set<Place>>;
Bounds bounds(const Game& game, const Sources& sources) {
    Bounds found;
    const auto words_of = [&](ExpressionId times) {
        const Span span = game.expressions[times].span;
        const std::string words(sources[span.source].text(span));
        const bool is_number = words.find_first_not_of("0123456789 ") == std::string::npos;
        return is_number || words.size() > longest_words || words.find('\n') != std::string::npos ? "" : words;
    };
    const auto read = [&](StatementId body) {
        any_within(game, body, [&](StatementId id) {
            const Statement& s = game.statements[id];
            if (const auto* repeat = s.as<statement::Repeat>(); repeat != nullptr && repeat->times != no_id && !repeat->exactly)
                found[{game.expressions[repeat->times].type.high, words_of(repeat->times)}].insert(place(s.span));
            return false;
        });
    };
    for (const StatementId body : {game.setup, game.play, game.match}) read(body);
    for (const Rule& r : game.rules) read(r.body);
    for (const Act& a : game.acts) read(a.body);
    for (const End& e : game.ends) read(e.body);
    return found;
}

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::vector<std::string> limited_zones(const Game& game) {
    std::vector<std::string> names;
    for (const Zone& z : game.zones)
        if (is_limited(game, z)) names.push_back(z.name);
    return names;
}

// Of those that never get a value there is a warning.
std::vector<std::string> facts_without_start(const Game& game) {
    std::vector<std::string> names;
    for (const FactId f : game.facts.ids())
        if (game.facts[f].initial == no_id && is_given(game, f)) names.push_back(game.facts[f].name);
    return names;
}

void end_lines(const Game& game, const Globals& g, std::vector<std::string>& lines) {
    for (const CheckId c : game.checks.ids()) {
        std::vector<std::string> after;
        std::vector<std::string> ends;
        const auto has = [&](const std::vector<CheckId>& checks) { return std::find(checks.begin(), checks.end(), c) != checks.end(); };
        for (const Rule& r : game.rules)
            if (has(r.ends)) after.push_back(r.name);
        for (const Act& a : game.acts)
            if (has(a.ends)) after.push_back(a.name);
        for (const auto& [end, condition] : game.checks[c].ends) ends.push_back(game.ends[end].name);
        if (ends.empty() || after.empty()) continue;
        lines.push_back(say(g, Text::ends_checked_after_first, list(after), list(ends)));
    }
}

std::string last_word(const Game& game, const Globals& g) {
    switch (game.winner.last) {
        case LastWord::shared:
            return say(g, Text::winner_shared);
        case LastWord::nobody:
            return say(g, Text::winner_nobody);
        case LastWord::by_lot:
            return say(g, Text::winner_by_lot);
    }
    return "";
}

void named_lines(const Game& game, const Globals& g, std::vector<std::string>& lines) {
    const auto line = [&](const TextRow<1>& row, const std::vector<std::string>& names) {
        if (!names.empty()) lines.push_back(say(g, row, list(names)));
    };
    line(Text::room_enough_in, limited_zones(game));
    line(Text::set_before_read, facts_without_start(game));
    end_lines(game, g, lines);
    if (game.winner.present && !game.winner.together) lines.push_back(last_word(game, g));
    std::vector<std::string> readings;
    for (const OptionValue& o : game.options)
        if (o.reading) readings.push_back(fmt::format("{} ({})", o.name, o.value));
    line(Text::readings_agree, readings);
    std::vector<std::string> assumed;
    for (const auto& [name, span] : game.assumptions)
        if (std::find(assumed.begin(), assumed.end(), name) == assumed.end()) assumed.push_back(name);
    line(Text::assumed, assumed);
}

}  // namespace

std::vector<std::string> promises(const Game& game, const Sources& sources, const Globals& g) {
    std::map<Promise, std::set<Place>> counts;
    for (const PromiseSite& site : promise_sites(game))
        if (is_counted(game, site)) counts[site.promise].insert(place(site.span));
    std::vector<std::string> lines;
    for (const auto& [promise, places] : counts)
        lines.push_back(fmt::format("{} ({})", promise_words(promise).in(g.language), places.size()));
    for (const auto& [bound, places] : bounds(game, sources)) {
        std::string line =
            bound.second.empty() ? say(g, Text::repeat_at_most, bound.first) : say(g, Text::repeat_at_most, "`" + bound.second + "`");
        if (places.size() > 1) line += fmt::format(" ({})", places.size());
        lines.push_back(std::move(line));
    }
    named_lines(game, g, lines);
    return lines;
}

}  // namespace houserule::cli
