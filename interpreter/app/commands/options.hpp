// The command line: which command was asked for, with what options. Nothing is run here but what `--help` and `--version` print.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <functional>
#include <string>

namespace houserule::cli {

// A command with its options: runs it and gives its exit code.
using Command = std::function<int(const Globals&)>;

struct CommandLine {
    std::string language;        // of `--lang`: "en", "ja", or empty
    std::string color = "auto";  // of `--color`: "auto", "always" or "never"
    Command command;             // none: help was printed, or the arguments could not be read and that was said
    int exit_code = exit_fine;   // where there is no command
};

CommandLine read_command_line(int argc, const char* const* argv);

}  // namespace houserule::cli
