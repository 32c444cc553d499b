// The table as some seats see it, as text: what lies where, and the facts. Faces are shown only of cards whose zone all viewers see;
// cards that were shown once are not remembered. Empty zones are left out, and so are
// facts that still have their initial value.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/run.hpp"

#include <string>

namespace houserule::cli {

// Without viewers, everything is shown. `you`: the seat to mark as the reader's, or -1. Lines are folded at `width` cells, between zones
// only.
std::string table_text(Run& run, Seats viewers, int you, std::size_t width, const Globals& g);

// The width in cells of the terminal on stdout, or 80; and whether stdout is a terminal.
std::size_t terminal_width();
bool is_terminal();
std::string bold(const std::string& text, const Globals& g);
std::string faint(const std::string& text, const Globals& g);

}  // namespace houserule::cli
