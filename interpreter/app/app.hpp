// The whole program as a function: what `main` calls, and what tests can link.
#pragma once

namespace houserule::cli {

// Reads the command line, runs the command and gives the exit code (`exit_…` in common/common.hpp).
int run(int argc, const char* const* argv);

}  // namespace houserule::cli
