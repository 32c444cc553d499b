// `houserule rulebook`: the rules of a file as a page to read and print.
#include "interpreter/cli/book.hpp"
#include "interpreter/cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

// Everything that is wrong with the game under these settings, for any number of players.
Diagnostics errors_in(const Loaded& loaded, const Settings& settings) {
    Diagnostics all = loaded.diagnostics;
    const PlayerRange range = player_range(loaded.syntax);
    if (!has_errors(all))
        for (int n = std::max(1, range.low); n <= std::max(1, range.high); ++n) static_cast<void>(check(loaded.syntax, n, settings, all));
    if (!has_errors(all)) return {};
    if (Diagnostics below = errors_below(loaded); !below.empty()) all = std::move(below);
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(all);
    return all;
}

}  // namespace

int run_rulebook(const RulebookArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    if (const Diagnostics errors = errors_in(*loaded, settings); !errors.empty()) {
        err(render(errors, loaded->sources, {g.language, g.color}));
        return exit_cannot;
    }
    if (!may_write(args.output, args.force, g)) return exit_cannot;
    const Page page = book_of(loaded->syntax, settings, loaded->sources, {}, g.language);
    const std::string text = args.format == "html" ? html(page) : markdown(page);
    if (args.output.empty()) {
        out(text);
        return exit_fine;
    }
    if (!write_file(args.output, text, g)) return exit_cannot;
    out(fmt::format("{}: {}\n", args.output, say(g, "written", "書きました")));
    return exit_fine;
}

}  // namespace houserule::cli
