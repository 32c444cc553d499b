// Who may include whom: reads the list of folders (folders.txt) and tells what in the tree is not as the list says.
//
// The list names each folder after those that it may include, so the graph of folders has no cycle; and what it permits must be
// used, so that the list is the graph. Headers of third parties are held twice: where they may be named, and, for the costly
// ones, which folders may see them through our own headers at all. Nothing here reads a file: the tests pass texts.
#pragma once

#include "tests/house/tree.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace houserule::house {

struct Layers {
    struct Folder {
        std::string name;
        Strings uses;  // the folders that it may include besides itself
    };
    struct Header {
        std::string prefix;  // of the name in `<…>`
        Strings named;       // the folders, or what is below them, that may include it
        bool reaching = false;
        Strings reached;  // those that may see it through other headers too; all may, if not `reaching`
    };
    std::vector<Folder> folders;
    std::vector<Header> headers;
    Strings faults;  // of the list itself
};
Layers read_layers(std::string_view list);

// The headers that `text` includes, as written, with the quote or bracket before the name.
Strings includes_of(std::string_view text);

// One sentence for each include of a file that the list does not permit.
Strings include_faults(const Layers& layers, const File& file);
// One sentence for each file that sees, through headers of ours, one that its folder may not see.
Strings reach_faults(const Layers& layers, const std::vector<File>& files);
// One sentence for each folder without a row, and for each row or permission that no file uses.
Strings list_faults(const Layers& layers, const std::vector<File>& files);

}  // namespace houserule::house
