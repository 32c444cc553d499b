// `houserule new`: begins a rules file, as a house rule on a game, or as a copy of a game or template.
#include "dsl/text/text.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/games_table.hpp"
#include "interpreter/app/common/starters.hpp"
#include "interpreter/app/common/words.hpp"

#include <algorithm>
#include <filesystem>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

int refuse(const std::string& sentence) {
    err(fmt::format("houserule: {}\n", sentence));
    return exit_cannot;
}

// --- what it is made from

struct Origin {
    std::string name;  // as the author says it
    std::string path;
    bool is_template = false;
};

std::optional<Origin> find_origin(const std::string& from) {
    std::error_code ignored;
    if (fs::is_regular_file(from, ignored)) return Origin{from, from, false};
    for (const Shipped& game : shipped_games())
        if (game.name == from) return Origin{from, game.path, false};
    for (const Shipped& shape : shipped_templates())
        if (shape.name == from) return Origin{from, shape.path, true};
    const std::string called = fs::exists(from, ignored) ? "" : find_game(from);
    return called.empty() ? std::nullopt : std::optional(Origin{fs::path(called).stem().string(), called, false});
}

int no_origin(const std::string& from, const Globals& g) {
    std::vector<std::string> names;
    for (const Shipped& game : shipped_games()) names.push_back(game.name);
    for (const Shipped& shape : shipped_templates()) names.push_back(shape.name);
    const std::string near = closest(from, names);
    if (!near.empty()) return refuse(say(g, Text::no_such_starter_but, from, near));
    return refuse(say(g, Text::no_such_starter, from));
}

// --- what it is called

// Why a game cannot be called so; empty when it can.
std::string against_name(const std::string& name, const Globals& g) {
    if (!is_identifier(name)) {
        return say(g, Text::not_a_name, name);
    }
    if (!is_name(name)) return say(g, Text::reserved_word, name);
    for (const Shipped& game : shipped_games())
        if (game.name == name) return say(g, Text::name_of_shipped_game, name);
    return "";
}

// --- where it goes

// The base as a file at `path` calls it: a name where one is enough, else a quoted path from there.
std::string reference_to(const std::string& base, const std::string& path) {
    std::error_code ignored;
    const fs::path to = fs::absolute(base, ignored).lexically_normal();
    const fs::path folder = fs::absolute(path, ignored).lexically_normal().parent_path();
    const std::string stem = to.stem().string();
    bool taken = false;  // a game that ships comes before a file in the same folder
    for (const Shipped& game : shipped_games()) {
        if (game.name != stem) continue;
        if (fs::equivalent(game.path, base, ignored)) return stem;
        taken = true;
    }
    if (to.parent_path() == folder && to.extension() == ".rules" && is_name(stem) && !taken) return stem;
    fs::path way = to.lexically_relative(folder);
    if (!fs::equivalent(folder / way, base, ignored)) way = fs::relative(base, folder, ignored);  // past links
    return quoted(way.string());
}

// What a house rule changes, as a copy of it at `path` calls it.
std::string reference_below(const Origin& origin, const Loaded& file, const std::string& path) {
    const SyntaxNode* line = child(*game_line(*layers(file.syntax).back()), Kind::base);
    if (line == nullptr) return "";
    const SyntaxNode& base = *line->children[0];
    const auto is_it = [&](const Shipped& game) { return game.name == base.text; };
    const std::vector<Shipped> games = shipped_games();
    if (base.kind == Kind::name && std::any_of(games.begin(), games.end(), is_it)) return base.text;
    return reference_to((fs::path(origin.path).parent_path() / (base.kind == Kind::name ? base.text + ".rules" : base.text)).string(),
                        path);
}

// --- checking and writing

// Errors are shown; the file is left unwritten.
bool is_sound(Diagnostics found, const Syntax& syntax, const Sources& sources, const Globals& g) {
    if (!has_errors(found)) {
        const Diagnostics more = check_all(syntax);
        found.insert(found.end(), more.begin(), more.end());
    }
    if (!has_errors(found)) return true;
    std::erase_if(found, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(found);
    err(render(found, sources, {g.language, g.color}));
    return false;
}

int write_new(const std::string& path, const std::string& text, const std::string& told, const Globals& g) {
    Sources sources{Source(path, text)};
    const RulesFile file = read_rules(sources, 0, path);
    if (!is_sound(file.diagnostics, file.syntax, sources, g) || !write_file(path, text, g)) return exit_cannot;
    out(say(g, Text::what_to_try_next, path, told));
    return exit_fine;
}

std::string described(const Shipped& shape, const Globals& g) {
    const auto loaded = load(shape.path, g);
    if (!loaded) return "";
    Diagnostics ignored;
    const Game game = check(loaded->syntax, player_range(loaded->syntax).low, {}, ignored);
    return rule_text(game, game.name, code_of(g.language));
}

int list(const Globals& g) {
    out(say(g, Text::games_to_begin_with));
    out(games_table(shipped_games(), "  ", g));
    out(say(g, Text::templates_to_begin_with));
    const std::vector<Shipped> templates = shipped_templates();
    std::size_t width = 0;
    for (const Shipped& shape : templates) width = std::max(width, display_width(shape.name));
    for (const Shipped& shape : templates) out(fmt::format("  {}  {}\n", pad_right(shape.name, width), described(shape, g)));
    return exit_fine;
}

}  // namespace

int run_new(const NewArgs& args, const Globals& g) {
    if (args.list) return list(g);
    if (args.name.empty() || args.from.empty()) {
        return refuse(say(g, Text::name_and_from_needed));
    }
    const std::string name = nfc(args.name);
    if (const std::string reason = against_name(name, g); !reason.empty()) return refuse(reason);
    const auto origin = find_origin(args.from);
    if (!origin) return no_origin(args.from, g);
    const auto base = load(origin->path, g);
    if (!base) return exit_cannot;
    if (!is_sound(base->diagnostics, base->syntax, base->sources, g)) return exit_cannot;
    if (is_called(*base->syntax.root, name)) return refuse(say(g, Text::name_taken_in_base, name, origin->name));
    const std::string path = args.output.empty() ? name + ".rules" : args.output;
    if (!may_write(path, args.force, g)) return exit_cannot;
    if (!args.copy && !origin->is_template) {
        const std::string text = house_rule_on(*base, reference_to(origin->path, path), name, path, g);
        return write_new(path, text, say(g, Text::made_house_rule, origin->name), g);
    }
    return write_new(path, taken_whole(*base, name, reference_below(*origin, *base, path)), say(g, Text::made_copy, origin->name), g);
}

}  // namespace houserule::cli
