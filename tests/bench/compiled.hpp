// Random play compiled beside random play interpreted, results included, in interleaved slices.
#pragma once

#include <filesystem>
#include <vector>

namespace houserule::bench {

// Prints a row a file, with its smallest number of players. The program's exit code: 1 if a game comes to something else.
int measure_compiled(const std::vector<std::filesystem::path>& files, double limit_s);

}  // namespace houserule::bench
