// The files of the page, compressed, as the build put them into the program.
#pragma once

#include <string_view>
#include <vector>

namespace houserule::cli {

struct PageFile {
    std::string_view path;   // `/page.js`
    std::string_view type;   // of its content, as HTTP names it
    std::string_view bytes;  // gzip
};
const std::vector<PageFile>& page_files();

}  // namespace houserule::cli
