// Finds and reads rules files on disk: the games that ship, and house rules with the files that they change.
//
// It prints nothing, so that tests can use it.
#pragma once

#include "dsl/syntax/parse.hpp"
#include "dsl/variant/house_rule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// The contents of a file; nothing, with `error` set to errno, if it cannot be read.
std::optional<std::string> read_bytes(const std::string& path, int& error);

// The path of a game: `name` itself if that is a path that exists, else that of the game that ships and is called so, by its name or a
// label of any language. Empty when there is none.
std::string find_game(const std::string& name);
// The name or label of a game that ships that may have been meant; empty when none is close.
std::string closest_game(const std::string& name);
// The folders that are searched for games that ship, in this order.
std::vector<std::string> game_folders();
struct Shipped {
    std::string name;
    std::string path;
};
std::vector<Shipped> shipped_games();
// Small games to begin with, in examples/templates/ beside the folder of the games.
std::vector<Shipped> shipped_templates();

// A file: the name shown to people, and its path.
struct Found {
    std::string name;
    std::string path;
};

// Resolves the files that a rules file names in `changes "…"`. Rules files can come from anybody, and lines of a file that cannot be
// parsed are quoted in messages: a server must not let them name any file (see FilesInside).
class BaseFiles {
public:
    virtual ~BaseFiles() = default;
    // The file at path `name`, relative to the folder of `from`; nothing if it does not exist or may not be read.
    virtual std::optional<Found> named(const std::string& name, const Found& from) const = 0;
    // The names of the rules files beside `from`, for advice.
    virtual std::vector<std::string> beside(const Found& from) const = 0;
};

// Any file that the user can read: for the command line, where rules files are the user's own.
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

// A parsed rules file. For a house rule, `syntax` includes the game that it changes.
struct RulesFile {
    Syntax syntax;
    std::optional<Syntax> base;  // for a house rule, the game that it changes
    Diagnostics diagnostics;     // of reading and parsing; without its base, `syntax` is that of the file alone
};

// Parses sources[index], which was read from `path`, and the files that it changes, whose texts are appended to `sources`. Games that
// ship are always found; other files are resolved by `files`.
RulesFile read_rules(Sources& sources, std::size_t index, const std::string& path, const BaseFiles& files = any_file());

// The errors of the game that a house rule changes, without the house rule. Empty for other files.
Diagnostics errors_below(const RulesFile& file);

}  // namespace houserule::cli
