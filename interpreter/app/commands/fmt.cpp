// `houserule fmt`: formats rules files in place.
#include "dsl/syntax/format.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

// Only what can be read as rules is touched: anything else is not ours to change.
bool is_readable(const std::string& path, const std::string& text, const Globals& g) {
    std::size_t bad = 0;
    Diagnostic d = make_diagnostic(Code::too_long, {}, text_limit);
    if (text.size() <= text_limit) {
        if (is_utf8(text, &bad)) return true;
        d = make_diagnostic(Code::not_utf8, span_of(bad, bad + 1, 0));
    }
    const Sources sources = {Source(path, text)};
    if (d.code == Code::not_utf8) {
        // The source has neither BOM nor CR.
        is_utf8(sources[0].text(), &bad);
        d.span = span_of(bad, bad + 1, 0);
    }
    err(render({d}, sources, {g.language, g.color}));
    return false;
}

int format_file(const std::string& path, bool check, const Globals& g) {
    if (!check && is_special(path)) {
        err(say(g, Text::no_file_to_format, path));
        return exit_cannot;
    }
    const auto text = read_file(path, g);
    if (!text || !is_readable(path, *text, g)) return exit_cannot;
    if (is_log(*text)) return err(say(g, Text::log_where_rules_stand, path)), exit_cannot;
    const std::string formatted = format(*text);
    if (formatted == *text) return exit_fine;
    if (check) {
        out(fmt::format("{}: {}\n", path, say(g, Text::would_change)));
        return exit_found;
    }
    if (!write_file(path, formatted, g)) return exit_cannot;
    out(fmt::format("{}: {}\n", path, say(g, Text::formatted)));
    return exit_fine;
}

}  // namespace

int run_fmt(const FmtArgs& args, const Globals& g) {
    int result = exit_fine;
    for (const std::string& path : args.files) result = std::max(result, format_file(path, args.check, g));
    return result;
}

}  // namespace houserule::cli
