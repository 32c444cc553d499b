// The turn of a game as a picture: the machine's graph in the words of the rulebook page, and what Graphviz makes of it.
//
// It is made of the rules alone, as they are set; no game is looked at.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/graph/graph.hpp"

#include <optional>
#include <string>

namespace houserule::cli {

// Labels are folded. `rules`: of the machine, with the settings that it was made with.
MachineGraph graph_in_words(const Machine& machine, const Loaded& rules, const Settings& settings, Language language);

// Whether Graphviz is there.
bool can_draw();
// What Graphviz makes of a graph, `svg` or `png`; nothing when it cannot, or has not after so many seconds (0: it is waited for).
std::optional<std::string> drawn(const std::string& dot, const std::string& format, int seconds = 0);

}  // namespace houserule::cli
