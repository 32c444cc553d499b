// The table as some seats see it: what lies where and the facts, for a terminal or a pipe. Faces stand there only for cards whose
// zone all viewers see; what was shown once is not kept. Empty zones and facts
// that still have the value they began with are left out.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/run.hpp"

#include <string>

namespace houserule::cli {

// No viewers: somebody who sees everything. `you`: the seat to be marked so, or -1. Lines are folded at `width` cells between
// zones, never inside one.
std::string table_text(Run& run, Seats viewers, int you, std::size_t width, const Globals& g);

// Cells of the terminal on stdout, 80 where there is none; and whether colour may be used there.
std::size_t terminal_width();
bool is_terminal();
std::string bold(const std::string& text, const Globals& g);
std::string faint(const std::string& text, const Globals& g);

}  // namespace houserule::cli
