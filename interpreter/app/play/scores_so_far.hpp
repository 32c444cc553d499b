// What players have scored while a game is played, where everybody at the table can count it.
#pragma once

#include "interpreter/app/play/play_session.hpp"

namespace houserule::cli {

// A line with the scores, once one of them is no more what this seat was told last; else empty. Nothing is told of scores that read what
// not all see, or that cannot be read yet.
std::string changed_scores(Session& session, int seat, const Globals& g);
// The same line whenever it is asked for.
std::string scores_so_far(const Session& session, int seat, const Globals& g);

}  // namespace houserule::cli
