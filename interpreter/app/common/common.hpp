// What all commands share: files in, texts out, exit codes. The only folder that touches files, terminals and clocks.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/text/diagnostics.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

// Text in the chosen language.
inline const char* say(const Globals& g, const char* en, const char* ja) { return g.language == Language::ja ? ja : en; }
inline std::string code_of(Language language) { return language == Language::ja ? "ja" : "en"; }

// stdout for results, stderr for the rest; without a buffer, so that both keep their order in a pipe. When stdout takes no more, that
// is as good as Ctrl-C: nobody is going to read what is still found out.
void out(const std::string& text);
void err(const std::string& text);
// The error number with which stdout could not be written, or 0: asked when all is over. EINTR: Ctrl-C came while it waited.
int unwritten_output();

// The whole file, or nothing and a message on stderr (with the system's reason).
std::optional<std::string> read_file(const std::string& path, const Globals& g);
// A file is written aside and renamed: what is there afterwards is the whole new content or the old file. (So other hard links to it
// keep the old content.) Links are followed, and what is no file, such as a pipe or /dev/null, is written to straight away; but not a
// disk. False with a message on stderr.
bool write_file(const std::string& path, const std::string& content, const Globals& g);
// Whether `path` may be written: a file that is there already is kept, with a message on stderr, unless `force` says otherwise.
bool may_write(const std::string& path, bool force, const Globals& g);

// A rules file that was read and parsed, with all that it changes.
struct Loaded : RulesFile {
    Sources sources;
    std::string path;
};
std::optional<Loaded> load(const std::string& path, const Globals& g);

// The folder, with those it is in, unless it is there; false with a message on stderr.
bool make_folder(const std::string& path);

// Numbers of players: `3`, `2..4` or `2-4`. Nothing, with a message, when it is none of them.
std::optional<PlayerRange> read_players(const std::string& text, const Globals& g);

// `NAME=VALUE` pairs; false with a message when one is malformed.
bool read_settings(const std::vector<std::string>& pairs, Settings& settings, const Globals& g);

// The compiled game for that many players (0: the smallest number), or nothing, with diagnostics printed and exit code 2 meant.
std::shared_ptr<const Machine> machine_for(const Loaded& loaded, int players, const Settings& settings, const Globals& g);

// True once Ctrl-C was pressed, or stdout takes no more.
bool interrupted();
void watch_interrupts();

}  // namespace houserule::cli
