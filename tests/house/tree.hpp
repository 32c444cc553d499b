// The source tree as the tests of the house see it: which files there are, what stands in them, and what of it is code.
//
// The rules themselves are functions over (path, text), so that a test can show each of them a text that breaks it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::house {

using Strings = std::vector<std::string>;

// A file of the tree; `path` from the top folder, with `/`.
struct File {
    std::string path;
    std::string text;
};

std::filesystem::path root();
std::string contents(const std::filesystem::path& path);
Strings lines_of(std::string_view text);
std::string folder_of(std::string_view path);
// Whether `path` is `folder` or lies below it.
bool is_below(std::string_view path, std::string_view folder);

// Files below `folder` whose names end in one of `endings`, sorted by path.
std::vector<File> files_below(const std::string& folder, const Strings& endings);
// All that is compiled: the .cpp, .hpp and .def files of dsl, interpreter, solver and tests.
const std::vector<File>& sources();

// `text` of the same shape, with blanks for what is no code: comments and what stands in quotes. With `keep_quoted` only comments go.
std::string code_of(std::string_view text, bool keep_quoted = false);
// Of each line whether a raw string begins before its end and ends at or after it, or the other way round: it cannot be broken.
std::vector<bool> raw_lines(std::string_view text);

// The rows of a list that is kept beside the tests: what `#` begins is a comment, empty lines do not count, and a line that begins
// with a space goes on with the row above it.
Strings rows_of(std::string_view text);

// A failure for each fault.
void check_none(const Strings& faults);

}  // namespace houserule::house
