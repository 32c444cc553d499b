// The table as some seats see it, as text: what lies where, and the facts. The faces of a zone, and a fact, are shown only if all viewers
// see it; cards that were shown once are remembered once the game is over. Empty zones are left out, and so are facts without a value or
// with their initial value.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/run.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// Without viewers, everything is shown. `you`: the seat to mark as the reader's, or -1. Lines are folded at `width` cells, between zones
// only. `shown`: see shown_to.
using ShownCards = std::map<PlaceId, std::vector<KindId>>;
std::string table_text(Run& run, Seats viewers, int you, std::size_t width, const Globals& g, const ShownCards& shown = {});
// The cards that were shown to all viewers and lie since where they lay then, all that lie there: for the table in the end.
ShownCards shown_to(const Events& events, Seats viewers);

// The width in cells of the terminal on stdout, or what is said of one; nothing if that is unknown or below 20.
std::optional<std::size_t> known_width();
// The same, 80 if it is unknown; and whether stdin and stdout both are terminals.
std::size_t terminal_width();
bool is_terminal();
// Whether an option for terminals has the value `on`; left out, it has it where there is one.
bool is_on(const std::string& option, std::string_view on);
// Whether what goes to stdout may have colours.
bool is_colored(const Globals& g);
// Text for a person, each of its lines folded at that width.
void out_folded(const std::string& text);
void err_folded(const std::string& text);
std::string bold(const std::string& text, const Globals& g);
std::string faint(const std::string& text, const Globals& g);

}  // namespace houserule::cli
