// Rules files on disk: the games that ship, and house rules with the files that they change.
//
// Part of the program that tests use as well, so it prints nothing.
#pragma once

#include "dsl/syntax/parse.hpp"
#include "dsl/variant/house_rule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// The whole file, or nothing and the system's error.
std::optional<std::string> read_bytes(const std::string& path, int& error);

// `NAME` or `games/NAME.rules`: a path that exists, or a game that ships. Empty when there is none.
std::string find_game(const std::string& name);
// Where the games that ship are, in the order in which they are looked for.
std::vector<std::string> game_folders();
struct Shipped {
    std::string name;
    std::string path;
};
std::vector<Shipped> shipped_games();
// Small games to begin with, in examples/templates/ beside the folder of the games.
std::vector<Shipped> shipped_templates();

// A file as people call it, and where it is.
struct Found {
    std::string name;
    std::string path;
};

// Where the files are that a rules file names by `changes`. A rules file is text from anybody, and what it names is quoted when it
// cannot be read: whoever checks texts for others must not let them name what they please.
class BaseFiles {
public:
    virtual ~BaseFiles() = default;
    // The file `name` in quotes, as a path from the folder of the file that names it; none when it is not there or may not be read.
    virtual std::optional<Found> named(const std::string& name, const Found& from) const = 0;
    // The names of the rules files beside `from`, for advice.
    virtual std::vector<std::string> beside(const Found& from) const = 0;
};

// Whatever the user can read: for the command line, where rules files are the user's own.
const BaseFiles& any_file();

// Only regular files inside `root`, wherever links lead: no absolute path, and no `..` that leaves it.
class FilesInside final : public BaseFiles {
public:
    explicit FilesInside(std::string root);
    std::optional<Found> named(const std::string& name, const Found& from) const override;
    std::vector<std::string> beside(const Found& from) const override;

private:
    bool holds(const std::string& path) const;
    std::string root_;
};

// A parsed rules file. A house rule stands on what it changes.
struct RulesFile {
    Syntax syntax;
    std::optional<Syntax> base;  // what a house rule changes, without it
    Diagnostics diagnostics;     // of reading; when the base is not there, the syntax is that of the file alone
};

// Parses sources[index], which was read from `path`, and whatever it changes; the texts of those are appended to `sources`. Games
// that ship are always found, other files by `files`.
RulesFile read_rules(Sources& sources, std::size_t index, const std::string& path, const BaseFiles& files = any_file());

// What is wrong with the game below a house rule even without it. Empty for a game that changes none.
Diagnostics errors_below(const RulesFile& file);

}  // namespace houserule::cli
