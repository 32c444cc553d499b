// A session before its first answer: of a rules file, or from where a log stops.
#pragma once

#include "interpreter/app/play/arguments.hpp"
#include "interpreter/app/play/play_session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::cli {

// Nothing, after a message on stderr, where the file cannot be read, is no game, or does not have what is set. It is not recorded yet, and
// nobody has a seat: see seat_people.
std::optional<Session> begun_session(const TableArgs& args, const Globals& g);
// The same from a log, with `exit_code` set where there is nothing.
std::optional<Session> resumed_session(const TableArgs& args, const Globals& g, int& exit_code);

// The next game at the same table, not recorded yet: the same people, settings and hints. Its `rules` are left to be taken from `over`.
Session next_game(const Session& over, std::uint64_t seed);

// Who sits where: as the log says, then as `given` does, `K=human|deduce|random` each. Without a word a person sits on P1 and random
// players elsewhere, unless `people` of the session says otherwise. False after a message.
bool seat_people(std::vector<std::string> given, Session& session, const Globals& g);
// Who sits on a seat from here on: `human`, `deduce` or `random`.
void seat(Session& session, int seat, std::string_view who);
// The same as a word.
const char* sitting(const Session& session, int seat);

// The odds of an act, in a million: `file_odds` for a probability below 0.
std::int64_t volunteers_per_million(double volunteer);

}  // namespace houserule::cli
