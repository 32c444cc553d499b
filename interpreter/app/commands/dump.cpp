// `houserule dump`: the printed form of what a stage made of a file.
#include "dsl/text/text.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/compiled/emit.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

int fail(Diagnostics all, const Loaded& loaded, const Globals& g) {
    if (const Diagnostics below = errors_below(loaded); !below.empty()) all = below;
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(all);
    err(render(all, loaded.sources, {g.language, g.color}));
    return exit_cannot;
}

// The text of a file, line by line as people are shown it: it may hold what a terminal obeys.
std::string shown_lines(std::string_view text) {
    std::string all;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        all += shown(line);
        text.remove_prefix(line.size());
        if (text.empty()) break;
        all += '\n';
        text.remove_prefix(1);
    }
    return all;
}

}  // namespace

int run_dump(const DumpArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g)) return exit_cannot;
    Diagnostics diagnostics = loaded->diagnostics;
    if (has_errors(diagnostics)) return fail(std::move(diagnostics), *loaded, g);
    if (args.stage == "syntax") {
        out(print(*loaded->syntax.root));
        return exit_fine;
    }
    const int players = args.players != 0 ? args.players : std::max(1, player_range(loaded->syntax).low);
    if (args.stage == "merged") {
        const Merged merged = merge(loaded->syntax, settings, diagnostics);
        if (has_errors(diagnostics)) return fail(std::move(diagnostics), *loaded, g);
        out(shown_lines(listing(loaded->syntax, merged, loaded->sources)));
        return exit_fine;
    }
    if (args.stage == "game") {
        const Game game = check(loaded->syntax, players, settings, diagnostics);
        if (has_errors(diagnostics)) return fail(std::move(diagnostics), *loaded, g);
        out(print(game));
        return exit_fine;
    }
    const auto machine = machine_for(*loaded, players, settings, g);
    if (machine == nullptr) return exit_cannot;
    if (args.stage == "code") {
        const Emitted code = emit(machine);
        if (code.text.empty()) {
            err(say(g, Text::not_compiled_form, code.unknown));
            return exit_cannot;
        }
        out(code.text);
        return exit_fine;
    }
    out(print(*machine));
    return exit_fine;
}

}  // namespace houserule::cli
