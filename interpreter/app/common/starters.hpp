// Rules files to begin with, made from others: a game under another name, or a house rule whose lines wait to be used.
//
// Texts out of trees: finding, checking and writing files is for `houserule new`.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <string>

namespace houserule::cli {

// A text as rules files quote it.
std::string quoted(const std::string& text);

// The whole file, its game called `name` in the `game` line and in labels and texts. `reference`: what a house rule changes, as it is
// called from the new place.
std::string taken_whole(const Loaded& file, const std::string& name, const std::string& reference);

// A house rule that changes nothing yet. Behind its `#` stand lines that fit the base as they are: each part of them alone and all
// together leave a game without errors. `path`: where it will be; `reference`: what the base is called there.
std::string house_rule_on(const Loaded& base, const std::string& reference, const std::string& name, const std::string& path,
                          const Globals& g);

}  // namespace houserule::cli
