// Low-level functions on files and their errors, below `read_file`, `write_file` and `out` (common.hpp).
#pragma once

#include "interpreter/app/common/common.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace houserule::cli {

// Writes the whole text to an open file descriptor. False with errno; EINTR if Ctrl-C came while it waited for a reader.
bool write_all(int file, const std::string& text);

// Why the system refused, by its errno: a text of the table, or the system's own words for one that the table does not have.
Phrase reason_of(int error);

// Prints `what` on stderr, with {0} the path and {1} the reason for `error`, an errno.
void complain_of(const std::string& path, const TextRow<2>& what, int error, const Globals& g);

// Our folder among the user's files of a sort: below $VARIABLE, else below that folder of the home folder (XDG Base Directory
// Specification). Empty when the system does not say where they are.
std::filesystem::path user_folder(const char* variable, const char* in_home);

// Whether `path` is a pipe, a device or the like, which does not keep what is written to it.
bool is_special(const std::string& path);
// As `write_file`, several by path: all are there aside, whole, before the first of them takes its name; they take their names in the
// order of their paths. Special files are refused.
bool write_files(const std::map<std::string, std::string>& contents, const Globals& g);
// Where a file is until it takes its name.
std::filesystem::path aside_of(const std::filesystem::path& target);

}  // namespace houserule::cli
