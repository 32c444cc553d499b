// Runs the program under test as a process of its own, and says how that finished.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace houserule::testing {

struct ProgramRun {
    int exit_code = -1;  // -1: by a signal
    int signal = 0;
    long peak_kib = 0;  // of memory
    std::string out;
    std::string err;
};

// `prepare` is called in the child before the program takes its place: for limits, and for other files at its streams.
ProgramRun run_program(std::vector<std::string> arguments, const std::function<void()>& prepare = {});

}  // namespace houserule::testing
