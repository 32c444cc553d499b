// Runs a Markdown case file: a document whose examples are run, and must print exactly what it says.
//
// Fenced blocks count, the prose between them does not:
//
//   ```rules NAME.rules    the block becomes the file NAME.rules (without a name: game.rules) in a temporary folder that the
//   ```log NAME.log        document has to itself; the same for logs (game.log) and for any other text; in the order of the
//   ```file NAME           document, so that a later block may replace an earlier file
//   ```console             commands, each a line `$ COMMAND` (continued by `\` at the end of the line) followed by exactly what it
//                          prints, stdout and stderr in the order they come; then `[exit N]` when the exit code is not 0
//
// In expected output a line `…` stands for any number of lines, and `…` inside a line for any text. A last line without its line end
// is shown as if it had one, followed by `[no line end]`.
//
// A command is run by /bin/sh in the temporary folder, with the `houserule` under test first in the PATH, next to nothing else in
// the environment, and links `games` and `examples` to the folders of the source tree. It may take 120 seconds.
//
// The tests know no more of a command than this; nothing outside the temporary folder is written, but for the document itself
// when it is to be rewritten.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::cases {

struct Setting {
    std::filesystem::path root;         // the source tree: where `games` and `examples` are
    std::filesystem::path program_dir;  // comes first in the PATH
    int limit_s = 120;                  // for one command
    std::string locale = "C.UTF-8";     // of the commands: the language that they are to speak
};

// What a command printed.
struct Printed {
    std::size_t line;   // of the document, from 1: the command
    std::string shell;  // as the shell reads it
    std::string text;
};

struct Fault {
    std::size_t line;  // of the document, from 1: the command, or the block that cannot be used
    std::string text;  // a sentence, or the command with a diff
    bool rewritable;   // the output differs; false when the document itself has to be mended
};

struct Report {
    std::vector<Fault> faults;
    std::size_t command_count = 0;
    std::string rewritten;  // the document with what was printed; lines with `…` that still fit are kept
    std::vector<Printed> printed;
};

// Runs all commands of the document `text`. Throws std::runtime_error or std::filesystem::filesystem_error when no temporary folder
// can be made or no command started.
Report run(std::string_view text, const Setting& setting);

// Whether `text` has a console block.
bool has_commands(std::string_view text);

// The texts of the blocks that become files.
std::vector<std::string> files_of(std::string_view text);

// The commands, with what the document says that they print.
std::vector<Printed> commands_of(std::string_view text);

// The documents of the source tree that have a console block, as paths from `root`, sorted.
std::vector<std::filesystem::path> documents(const std::filesystem::path& root);

}  // namespace houserule::cases
