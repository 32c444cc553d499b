// The whole program as a function, for `main` and for tests.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <functional>

namespace houserule::cli {

// Reads the command line (command_line/options.cpp), runs the command (commands/) and gives the exit code (`exit_…` in common/common.hpp).
int run(int argc, const char* const* argv);

// The exit code of `command`; `exit_cannot`, with a sentence on stderr, when it throws: there is no memory, a folder cannot be read,
// a library gave up. Nothing that a command throws gets past this.
int guarded(const std::function<int()>& command, const Globals& g);

}  // namespace houserule::cli
