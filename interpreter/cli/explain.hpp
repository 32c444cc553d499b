// The pages of `houserule explain`: a Markdown file a code in explain/, built into the program.
#pragma once

#include <string_view>
#include <vector>

namespace houserule::cli {

struct Page {
    std::string_view code;
    std::string_view text;  // Markdown, as the file is
};
const std::vector<Page>& pages();

}  // namespace houserule::cli
