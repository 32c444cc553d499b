// Parses the command line into a command with its options. Runs nothing, but prints what `--help` and `--version` ask for, in the
// language that is asked for.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <functional>
#include <string>

namespace houserule::cli {

// A command with its options: runs it and gives its exit code.
using Command = std::function<int(const Globals&)>;

struct CommandLine {
    std::string color = "auto";  // of `--color`: "auto", "always" or "never"
    Command command;             // empty: help was printed, or the arguments were wrong and a message was printed
    int exit_code = exit_fine;   // if there is no command
};

CommandLine read_command_line(int argc, const char* const* argv, Language language);

// What `--lang` says, wherever it stands; nothing without it, or when it names no language.
std::optional<Language> language_asked_for(int argc, const char* const* argv);

}  // namespace houserule::cli
