// The files of the page, compressed, as the build put them into the program.
#pragma once

#include <string_view>
#include <vector>

namespace houserule::cli {

struct PageFile {
    std::string_view path;   // `/index.html`
    std::string_view type;   // of its content, as HTTP names it
    std::string_view bytes;  // gzip
};
const std::vector<PageFile>& page_files();
// What the page may run and how it may look, as a part of a Content-Security-Policy: its own script and style, by their digests.
std::string_view page_policy();

}  // namespace houserule::cli
