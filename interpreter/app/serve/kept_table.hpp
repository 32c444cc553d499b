// A table on disk: a folder with what a server needs to go on with it after it was ended in any way. The game itself is its log.
//
// `table.json` holds the settings, who sits where, and of each token its hash with what it opens; `game.log` is what `play` writes, and
// `game-2.log` that of the next game; `lock` is held by the server that has the table.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

struct KeptTable {
    std::string folder;
    std::string rules;  // the absolute path of the rules file
    int players = 0;
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::uint64_t seed = 0;
    std::vector<std::string> seats;             // `human`, `deduce` or `random`
    std::vector<std::string> names;             // of the people; empty: not told
    std::map<std::string, std::string> tokens;  // by hash: `host`, `watch`, or the number of a seat from 1
    bool begun = false;
    int game = 1;  // the number of the game that is played; each has a log of its own

    bool stopped = false;  // the host has ended it
    // What the host has set since.
    std::optional<int> pace;  // milliseconds
    std::optional<bool> hints;
    bool hints_shown = false;     // everybody sees that somebody asked for one
    std::vector<bool> stands_in;  // by seat: a player of the program for a person, who may take it back
    // Decisions that were taken back: how many events were left, and whose it was.
    std::vector<std::pair<std::size_t, int>> taken_back;

    // The rules as they were when it was opened last, and those that they change beside them.
    std::string rules_copy() const;
    std::string log() const { return folder + (game == 1 ? "/game.log" : "/game-" + std::to_string(game) + ".log"); }
};

// Holds a folder for this server until it goes. Where no table was written there, what was made for it goes as well.
class HeldFolder {
public:
    HeldFolder() = default;
    ~HeldFolder();
    HeldFolder(const HeldFolder&) = delete;
    HeldFolder& operator=(const HeldFolder&) = delete;
    // False, after a message on stderr, when another server has it, or where it cannot be made or written.
    bool hold(const std::string& folder, const Globals& g);

private:
    int file_ = -1;
    std::string folder_;
    bool made_lock_ = false;
    std::vector<std::string> made_;  // folders, innermost first
};

// A new folder among the user's files; nothing, after a message, when none can be made.
std::optional<std::string> folder_for_table(const Globals& g);
bool is_kept_table(const std::string& folder);
// Nothing, after a message, for a `table.json` that this program did not write. What a server was killed in the midst of writing is there
// whole or not at all.
std::optional<KeptTable> read_table(const std::string& folder, const Globals& g);
// False after a message.
bool write_table(const KeptTable& table, const Globals& g);
// Both or neither: the log of its game, too.
bool write_table(const KeptTable& table, const std::string& log, const Globals& g);

}  // namespace houserule::cli
