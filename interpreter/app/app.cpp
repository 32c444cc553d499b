#include "interpreter/app/app.hpp"

#include "interpreter/app/command_line/options.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

// The language of the environment, when it is one of ours.
Language default_language() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return language_of(std::string_view(value).substr(0, 2)).value_or(Language::en);
    }
    return Language::en;
}

bool use_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* no_color = std::getenv("NO_COLOR");
    return (no_color == nullptr || *no_color == '\0') && isatty(STDERR_FILENO) != 0;
}

// What the caller has closed would be the number of the next file that is opened, perhaps of a log, and what is printed would stand
// in it. In its place comes one that fails likewise.
void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// When not everything was printed that should have been, that is what the exit code says.
int after_output(int code, const Globals& g) {
    const int error = unwritten_output();
    if (error == 0) return code;
    if (error == EINTR) return exit_interrupted;
    // Whoever closed a pipe has read enough and need not be told.
    if (error != EPIPE) complain_of(say(g, Text::standard_output), Text::cannot_be_written_because, error, g);
    return exit_cannot;
}

}  // namespace

int guarded(const std::function<int()>& command, const Globals& g) {
    try {
        return command();
    } catch (const std::bad_alloc&) {
        err(say(g, Text::not_enough_memory));
    } catch (const std::filesystem::filesystem_error& e) {
        complain_of(e.path1().string(), Text::file_and_reason, e.code().value(), g);
    } catch (const std::exception& e) {
        err(say(g, Text::stopped_by_own_error_because, std::string(e.what())));
    } catch (...) {
        err(say(g, Text::stopped_by_own_error));
    }
    return exit_cannot;
}

int run(int argc, const char* const* argv) {
    hold_standard_streams();
    leave_when_interrupted();
    Globals g{language_asked_for(argc, argv).value_or(default_language()), false};
    const int code = guarded(
        [&] {
            const CommandLine line = read_command_line(argc, argv, g.language);
            if (!line.command) return line.exit_code;
            g.color = use_color(line.color);
            let_colors_pass(g.color);
            return line.command(g);
        },
        g);
    return after_output(code, g);
}

}  // namespace houserule::cli
