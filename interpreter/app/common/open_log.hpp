// A log or view together with the game it belongs to: for the commands that go on from one or show what it says.
//
// The rules are those of `rules`, else of a file NAME.rules beside the log, else of the game NAME that ships. A log of another game
// (E0502) or of rules that have changed (E0503) is not opened.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/log/log.hpp"

#include <memory>
#include <optional>
#include <string>

namespace houserule::cli {

struct OpenText {
    Loaded rules;            // its sources hold the text too, last
    std::size_t source = 0;  // the text among them
    LogHead head;
    Settings settings;  // as the head says, with what the command line added
    std::shared_ptr<const Machine> machine;
};

struct OpenLog : OpenText {
    std::unique_ptr<Run> run;  // at the node where the log stops, if it fits
    Events events;
    std::vector<std::optional<Span>> lines;  // by event: the line that it came from
    bool fits = false;                       // false: what does not fit was told on stderr; the run stands before it
};

// A log or view of which only the head was read. Nothing, with a message on stderr, when there is none or no game for it: `exit_code`
// says what that means.
std::optional<OpenText> open_text(const std::string& path, const std::string& rules, const Globals& g, int& exit_code);
// The same, replayed.
OpenLog replayed(OpenText text, const Globals& g, int& exit_code);
std::optional<OpenLog> open_log(const std::string& path, const std::string& rules, const Globals& g, int& exit_code);

// `P2` or `2`, counted from 0; nothing, with a message, when there is no such seat.
std::optional<int> read_seat(const std::string& text, int players, const Globals& g);

}  // namespace houserule::cli
