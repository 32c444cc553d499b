// Makes new rules files from others, for `houserule new`: a copy of a game under another name, or a house rule with lines to uncomment.
//
// It only makes texts; the command finds, checks and writes files.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <string>

namespace houserule::cli {

// A text in quotes, as in a rules file.
std::string quoted(const std::string& text);

// A copy of the whole file in which the game is called `name`, in the `game` line and in labels and texts. `reference`: what stands after
// `changes` if the file is a house rule: its base as seen from the new file's folder.
std::string taken_whole(const Loaded& file, const std::string& name, const std::string& reference);

// A house rule that changes nothing yet. Its comments hold declarations that fit the base: uncommented, each alone or all together, they
// give a game without errors. `path`: of the new file; `reference`: the base as seen from there.
std::string house_rule_on(const Loaded& base, const std::string& reference, const std::string& name, const std::string& path,
                          const Globals& g);

}  // namespace houserule::cli
