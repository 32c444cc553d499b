#include "interpreter/app/app.hpp"

#include "interpreter/app/commands/options.hpp"

#include <unistd.h>
#include <cstdlib>
#include <string_view>

namespace houserule::cli {

namespace {

// `--lang`, else the language of the environment when it is Japanese.
Language default_language() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return std::string_view(value).starts_with("ja") ? Language::ja : Language::en;
    }
    return Language::en;
}

bool use_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* no_color = std::getenv("NO_COLOR");
    return (no_color == nullptr || *no_color == '\0') && isatty(STDERR_FILENO) != 0;
}

}  // namespace

int run(int argc, const char* const* argv) {
    const CommandLine line = read_command_line(argc, argv);
    if (!line.command) return line.exit_code;
    Globals g;
    g.language = line.language.empty() ? default_language() : line.language == "ja" ? Language::ja : Language::en;
    g.color = use_color(line.color);
    watch_interrupts();
    return line.command(g);
}

}  // namespace houserule::cli
