// Opens a log or view together with its game, for commands that continue it or show what it says.
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
    Loaded rules;            // the last of its sources is the log or view
    std::size_t source = 0;  // the index of that source
    LogHead head;
    Settings settings;  // those of the head, and those that the command line added
    std::shared_ptr<const Machine> machine;
};

struct OpenLog : OpenText {
    std::unique_ptr<Run> run;  // at the node where the log stops, if it fits
    Events events;
    std::vector<std::optional<Span>> lines;  // by event: the line that it came from
    bool fits = false;                       // false: a line did not fit, and a message was printed; the run waits before that line
    bool left_off = false;                   // it was stopped before all was read; no message was printed
};

// Opens a log or view and reads its head only. Nothing, after a message on stderr and with `exit_code` set, if it cannot be read or its
// game is not found.
std::optional<OpenText> open_text(const std::string& path, const std::string& rules, const Globals& g, int& exit_code);
// The same, replayed. Once `stop` is over, the replay ends early (`left_off`).
OpenLog replayed(OpenText text, const Globals& g, int& exit_code, const Stop* stop = nullptr);
// Has a log that will stand there say where its rules are, if they would not be found without that.
void name_rules(LogHead& head, const std::string& log_path, const std::string& rules_path);
// `open_text`, then `replayed`.
std::optional<OpenLog> open_log(const std::string& path, const std::string& rules, const Globals& g, int& exit_code);

// Whether the file is there and begins like a log; what cannot be read is told elsewhere.
bool file_is_log(const std::string& path, const Globals& g);

// The seat that `P2`, `2` or somebody's name calls, counted from 0 (here 1); nothing if there is none.
std::optional<int> seat_called(const std::string& text, int players);
// The same, with a message on stderr if there is none.
std::optional<int> read_seat(const std::string& text, int players, const Globals& g);

}  // namespace houserule::cli
