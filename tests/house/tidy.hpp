// What a program can hold of the house style: lengths, casts, comments at the head, tests that run. Each rule is a function over a
// file's text; what breaks one today stands in excused.txt with its reason, and no longer than it does.
#pragma once

#include "tests/house/tree.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::house {

inline constexpr std::size_t max_columns = 140;
inline constexpr std::size_t max_lines = 700;
inline constexpr std::size_t max_function_lines = 70;
inline constexpr std::size_t max_sources = 25;  // in a folder
inline constexpr std::size_t max_readme_lines = 60;

struct Fault {
    std::string key;   // what a row of excused.txt would say
    std::string text;  // a sentence with the place
};

// Lines of more columns than a window has. A raw string cannot be broken; a .def is a table.
std::vector<Fault> width_faults(const File& file);
// Files and functions of more lines than one can hold in mind. A .def is a table.
std::vector<Fault> length_faults(const File& file);
std::vector<Fault> function_faults(const File& file);
// Folders with more sources than one can take in.
std::vector<Fault> folder_faults(const std::vector<File>& files);
// Folders with sources that have no README.md, or one longer than a page. `readmes`: all README.md files.
std::vector<Fault> readme_faults(const std::vector<File>& files, const std::vector<File>& readmes);
// Types of the program that two files define under one name, outside of unnamed namespaces: they are linked as if they were one.
std::vector<Fault> repeated_type_faults(const std::vector<File>& files);
// Headers that do not say, before anything else, what they are for.
std::vector<Fault> opening_faults(const File& file);
// Files that a comment or a page names by their path from the top folder and that are not there. `known`: all paths. What has `NAME` or
// `language` in it stands for many.
std::vector<Fault> path_faults(const File& file, const std::set<std::string>& known);
// Files with Japanese in quotes: what is said stands in tables, one file a language.
std::vector<Fault> word_faults(const File& file);
// Places that turn a typed id into an index by hand.
std::vector<Fault> index_faults(const File& file);
// Tests between `#if` and `#endif`, and tests that do not run for another reason than that they take long.
std::vector<Fault> skipped_test_faults(const File& file);
// The titles of the tests that the file has.
Strings test_titles(const File& file);
// How many casts the file has, however they are written.
std::size_t count_casts(const File& file);

// The rows of excused.txt: `KEY # reason`.
struct Excuses {
    Strings keys;
    Strings faults;  // of the list itself
};
Excuses read_excuses(std::string_view list);
// The sentences of faults that have no row, and one for each row of `rule` that no fault needs.
Strings not_excused(const std::vector<Fault>& faults, const Excuses& excuses, const std::string& rule);

}  // namespace houserule::house
