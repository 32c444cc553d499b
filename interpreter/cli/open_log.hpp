// A log together with the game it belongs to: for the commands that go on from a log or show one.
//
// The rules are those of `rules`, else of a file NAME.rules beside the log, else of the game NAME that ships. A log of another game
// (E0502) or of rules that have changed (E0503) is not opened.
#pragma once

#include "interpreter/cli/common.hpp"
#include "interpreter/log.hpp"

#include <memory>
#include <optional>
#include <string>

namespace houserule::cli {

struct OpenLog {
    Loaded rules;             // its sources hold the log too, last
    std::size_t source = 0;   // the log among them
    LogHead head;
    Settings settings;        // as the head says, with what the command line added
    std::shared_ptr<const Machine> machine;
    std::unique_ptr<Run> run;  // at the node where the log stops, if it fits
    Events events;
    bool fits = false;        // false: what does not fit was told on stderr; the run stands before it
};

// Nothing, with a message on stderr, when there is no log or no game for it: `exit_code` says what that means.
std::optional<OpenLog> open_log(const std::string& path, const std::string& rules, const Globals& g, int& exit_code);

// `P2` or `2`, counted from 0; nothing, with a message, when there is no such seat.
std::optional<int> read_seat(const std::string& text, int players, const Globals& g);

}  // namespace houserule::cli
