// The pages of `houserule explain`: a Markdown file for each diagnostic and each class of findings, built into the program.
//
// A quote that follows a paragraph is its Japanese version, and so is a console block with `--lang ja` after one without.
#pragma once

#include <string_view>
#include <vector>

namespace houserule::cli {

struct ExplainPage {
    std::string_view name;  // `E0204`, `end-race`
    std::string_view text;  // Markdown, as the file is
};
const std::vector<ExplainPage>& explain_pages();

}  // namespace houserule::cli
