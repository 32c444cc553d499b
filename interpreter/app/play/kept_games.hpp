// Games that nobody asked to save: the last ten are kept in the user's state folder, so that a closed terminal loses none.
//
// The folder is $XDG_STATE_HOME/houserule/games, else ~/.local/state/houserule/games (XDG Base Directory Specification); nobody else may
// read it, since a log says what every seat holds. A name begins with the time at which the game began.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <optional>
#include <string>

namespace houserule::cli {

inline constexpr std::size_t games_kept = 10;
inline constexpr const char* kept_views = ".view";  // the ending of those of `assist`

// A name for the log of a game that begins now; of older ones as many stay as leave room for it. Nothing when there is no such folder and
// none can be made, which is told.
// `ending`: ".log" of `play`, ".view" of `assist`, each with its own ten.
std::optional<std::string> log_to_keep(const Globals& g, const std::string& ending = ".log");

// The log of the game that was begun last; nothing when none is kept.
std::optional<std::string> last_kept(const std::string& ending = ".log");

// Whether the log is one of those.
bool is_kept(const std::string& log);

// Writes to `path` anew what stands there as `written` (empty: nothing of ours yet), and remembers it. If another program has changed that
// file since, it goes on under a free name, so that neither loses a line, which is told. False after a message; both stay what they were,
// but for the name.
bool write_on(std::string& path, std::string& written, const std::string& text, const Globals& g);

}  // namespace houserule::cli
