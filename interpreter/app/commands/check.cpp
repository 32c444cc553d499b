// `houserule check`: every diagnostic of every variant, then what the author promised.
#include "dsl/text/index_of.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/promises.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace houserule::cli {

namespace {

struct Checked {
    std::string name;
    Syntax syntax;
    Diagnostics diagnostics;
};

// Where the text itself cannot be read, a name that seems missing may stand in the part that was skipped.
bool may_follow_from_skipping(const Diagnostic& d) {
    if (info(d.code).severity != Severity::error) return true;
    switch (d.code) {
        case Code::unknown_name:
        case Code::unknown_option:
        case Code::missing_declaration:
        case Code::unknown_member:
        case Code::total_differs:
        case Code::nothing_to_replace:
        case Code::nothing_to_remove:
            return true;
        default:
            return false;
    }
}

// The lines that cannot be read, as (source, line): what the names on them seem to mean says nothing.
using Lines = std::set<std::pair<std::uint16_t, std::uint32_t>>;
std::pair<std::uint16_t, std::uint32_t> line_of(const Diagnostic& d, const Sources& sources) {
    return {d.span.source, sources[d.span.source].line_of(d.span.begin)};
}
Lines lines_of(const Diagnostics& unread, const Sources& sources) {
    Lines lines;
    for (const Diagnostic& d : unread) lines.insert(line_of(d, sources));
    return lines;
}

// A game whose states are too large is found out by compiling it: for the most players every option makes it largest.
Diagnostics too_large(const Syntax& syntax) {
    for (const Variant& v : variants(syntax)) {
        if (v.players != playable_range(syntax).high) continue;
        Diagnostics found;
        Game game = check(syntax, v.players, v.settings, found);
        if (has_errors(found)) continue;
        if (auto large = too_large(*compile(std::move(game)))) return {std::move(*large)};
    }
    return {};
}

Checked check_file(const std::string& name, Sources& sources, std::size_t index, const std::string& path) {
    Checked checked;
    checked.name = name;
    RulesFile file = read_rules(sources, index, path);
    checked.syntax = file.syntax;
    checked.diagnostics = std::move(file.diagnostics);
    const bool skipped = has_errors(checked.diagnostics);
    if (base_of(checked.syntax) && !file.base) {
        // Nothing is known of what it changes.
    } else if (sources[index].text().size() <= text_limit && !checked.syntax.root->children.empty()) {
        const Lines unread = lines_of(checked.diagnostics, sources);
        Diagnostics found = check_all(checked.syntax);
        if (has_errors(found)) {
            if (Diagnostics below = errors_below(file); !below.empty()) found = std::move(below);
        }
        if (!skipped && !has_errors(found))
            for (Diagnostic& d : too_large(checked.syntax)) found.push_back(std::move(d));
        for (Diagnostic& d : found) {
            if (d.span == Span{}) d.span.source = index;  // about the file as a whole
            if (skipped && (may_follow_from_skipping(d) || unread.contains(line_of(d, sources)))) continue;
            checked.diagnostics.push_back(std::move(d));
        }
    } else if (!skipped) {
        report(checked.diagnostics, Code::missing_declaration, span_of(0, 0, index), verbatim("game")).help =
            houserule::Text::begin_with_game;
    }
    tidy(checked.diagnostics);
    return checked;
}

std::string counted(std::size_t n, const TextRow<0>& one, const TextRow<1>& several, const Globals& g) {
    return n == 1 ? say(g, one) : say(g, several, n);
}

// `no errors, 1 warning`
std::string verdict(const Diagnostics& all, const Globals& g) {
    std::array<std::size_t, 3> n{};
    for (const Diagnostic& d : all) n[index_of(info(d.code).severity)] += 1 + d.more;
    std::string text = n[0] == 0 ? say(g, Text::no_errors) : counted(n[0], Text::one_error, Text::several_errors, g);
    if (n[1] != 0) text += say(g, Text::comma) + counted(n[1], Text::one_warning, Text::several_warnings, g);
    if (n[2] != 0) text += say(g, Text::comma) + counted(n[2], Text::one_question, Text::several_questions, g);
    return text;
}

// `high_card, 2-4 players: `, as far as the file says.
std::string title(const Checked& c, const Globals& g) {
    std::string text;
    if (const SyntaxNode* line = game_line(*layers(c.syntax).back())) text = line->children[0]->text;
    const PlayerRange range = player_range(c.syntax);
    if (text.empty() || range.low < 1) return text.empty() ? "" : text + ": ";
    const std::string players = range.low == range.high ? std::to_string(range.low) : fmt::format("{}-{}", range.low, range.high);
    return fmt::format("{}, {}{}: ", text, players, range.high == 1 ? say(g, Text::with_player) : say(g, Text::with_players));
}

std::string summary(const Checked& c, const Sources& sources, const Globals& g) {
    std::string text = fmt::format("{}: {}{}\n", c.name, title(c, g), verdict(c.diagnostics, g));
    if (has_errors(c.diagnostics)) return text;
    Diagnostics ignored;
    const Game game = check(c.syntax, std::max(1, player_range(c.syntax).low), {}, ignored);
    for (const std::string& line : promises(game, sources, g)) text += "  " + line + "\n";
    return text;
}

}  // namespace

int run_check(const CheckArgs& args, const Globals& g) {
    Sources sources;
    std::vector<std::pair<std::string, std::string>> files;  // as they were named, and where they are
    int result = exit_fine;
    for (const std::string& name : args.files) {
        std::string path;
        auto text = read_rules_text(name, path, g);
        if (!text) {
            result = exit_cannot;
            continue;
        }
        sources.emplace_back(name, std::move(*text));
        files.emplace_back(name, path);
    }
    Diagnostics all;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Checked checked = check_file(files[i].first, sources, i, files[i].second);
        if (has_errors(checked.diagnostics)) result = std::max(result, exit_found);
        if (args.json) {
            all.insert(all.end(), checked.diagnostics.begin(), checked.diagnostics.end());
            continue;
        }
        std::string text = render(checked.diagnostics, sources, {g.language, g.color});
        if (!text.empty()) text += "\n";
        out(text + summary(checked, sources, g));
    }
    if (args.json) out(render_json(all, sources, g.language));
    return result;
}

}  // namespace houserule::cli
