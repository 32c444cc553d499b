// What all commands share: files in, texts out, exit codes. The only folder that touches files, terminals and clocks.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/text/diagnostics.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/app/texts/texts.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/stop.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::cli {

// Exit codes (the same for every command).
inline constexpr int exit_fine = 0;
inline constexpr int exit_found = 1;      // something was found
inline constexpr int exit_cannot = 2;     // could not run: usage, unreadable file, a file that does not compile
inline constexpr int exit_undecided = 3;  // not decided within the limits
inline constexpr int exit_interrupted = 130;

// Options that every command takes.
struct Globals {
    Language language = Language::en;
    bool color = false;
};

// A text of the table in the chosen language.
template <int places, typename... Arguments>
std::string say(const Globals& g, TextRow<places> row, Arguments&&... arguments) {
    if constexpr (places == 0)
        return std::string(row.in(g.language));
    else
        return row(std::forward<Arguments>(arguments)...).in(g.language);
}

// `out` writes results to stdout, `err` everything else to stderr; unbuffered, so that both keep their order in a pipe. When stdout cannot
// be written any more, that counts as Ctrl-C: nobody is going to read further results.
// What a terminal would obey is shown instead, whatever the name of a file or what was typed holds; of our own only colours pass.
void out(const std::string& text);
void err(const std::string& text);
void let_colors_pass(bool pass);
// The text as they write it: `shown`, but for line ends and tabs and, if they may pass, what sets a colour or a weight.
std::string harmless(std::string_view text, bool colors = false);
// To stdout as it is: a picture.
void out_bytes(const std::string& bytes);
// Empties the terminal at stdout, with what has left its screen.
void clear_screen();
// A line on the terminal at stderr, in the place of the last one; without text there is none any more.
void show_progress(const std::string& text);
// The errno with which stdout could not be written, or 0; to be asked at the end of the program. EINTR: Ctrl-C came while it waited.
int unwritten_output();

// The contents of a file, or nothing after a message on stderr (with the system's reason).
std::optional<std::string> read_file(const std::string& path, const Globals& g);
// Nothing, without a message, where there is no regular file.
std::optional<std::string> read_if_there(const std::string& path, const Globals& g);
// Writes a file atomically, aside and renamed: afterwards it has the whole new content or the old one. (Other hard links to it keep the
// old content.) Symbolic links are followed. What is no regular file, such as a pipe or /dev/null, is written to directly, except block
// devices, which are refused. False after a message on stderr.
bool write_file(const std::string& path, const std::string& content, const Globals& g);
// Whether `path` may be written. False, after a message on stderr, if a regular file or folder is there and `force` is not given.
bool may_write(const std::string& path, bool force, const Globals& g);

// A rules file that was read and parsed, with all that it changes.
struct Loaded : RulesFile {
    Sources sources;
    std::string path;
};
// `name`: a path, or a game that ships. Nothing, after a message on stderr, if there is no such game or what is there is a log.
std::optional<Loaded> load(const std::string& name, const Globals& g);
// The text of the rules file `name`, and in `path` where it was found; nothing as above.
std::optional<std::string> read_rules_text(const std::string& name, std::string& path, const Globals& g);

// Makes a folder and its parents, unless they exist; false after a message on stderr.
bool make_folder(const std::string& path, const Globals& g);

// Reads numbers of players: `3`, `2..4` or `2-4`. Nothing, after a message, for any other text.
std::optional<PlayerRange> read_players(const std::string& text, const Globals& g);

// Reads `NAME=VALUE` pairs into `settings`; false after a message if one is malformed.
bool read_settings(const std::vector<std::string>& pairs, Settings& settings, const Globals& g);

// The compiled game for that many players (0: the smallest number). Nothing after printing diagnostics: the command should exit with 2.
std::shared_ptr<const Machine> machine_for(const Loaded& loaded, int players, const Settings& settings, const Globals& g);

// Ctrl-C. A command with nothing to show yet is ended at once. One that calls `watch_interrupts` is not: it passes `stop()` to all that
// takes long, prints what it has and returns `exit_interrupted`. A second Ctrl-C ends every command at once.
void leave_when_interrupted();
void watch_interrupts();
const Stop& stop();
// Whether Ctrl-C was pressed, or stdout cannot be written any more.
bool interrupted();

}  // namespace houserule::cli
