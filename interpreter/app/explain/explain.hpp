// The pages of `houserule explain`: a Markdown file for each diagnostic and each class of findings in explain/, built into the program.
//
// Of a paragraph that a quote follows, the quote is the Japanese version.
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
