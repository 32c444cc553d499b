// The two pages of the language in two languages: what is code in the English ones is the same code in the Japanese ones.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using CodeLines = std::vector<std::string>;

std::string text_of_page(const std::string& name) {
    std::ifstream file(HOUSERULE_ROOT "/dsl/" + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// A line of code without its comment and the spaces around it.
std::string without_comment(std::string line) {
    if (const std::size_t at = line.find('#'); at != std::string::npos) line.erase(at);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    return line;
}

struct PageCode {
    CodeLines lines;              // of the fenced blocks that are neither a whole game nor a command
    std::set<std::string> spans;  // between backquotes, with single spaces
};

// The text outside of fenced blocks, and the lines of those whose fence names nothing.
PageCode code_of(const std::string& text) {
    PageCode code;
    std::string prose;
    bool inside = false;
    bool kept = false;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            kept = line == "```";
            inside = !inside;
        } else if (!inside) {
            prose += line + " ";
        } else if (kept && !without_comment(line).empty()) {
            code.lines.push_back(without_comment(line));
        }
    }
    bool is_code = false;
    std::istringstream between(prose);
    for (std::string part; std::getline(between, part, '`'); is_code = !is_code) {
        if (is_code) code.spans.insert(part);
    }
    return code;
}

// What stands in `a` and not in `b`.
CodeLines only_in_first(const std::set<std::string>& a, const std::set<std::string>& b) {
    CodeLines found;
    std::ranges::set_difference(a, b, std::back_inserter(found));
    return found;
}

}  // namespace

TEST_CASE("language page: the Japanese page shows the same code as the English one", "[pages]") {
    const PageCode english = code_of(text_of_page("README.md"));
    const PageCode japanese = code_of(text_of_page("README.ja.md"));
    REQUIRE(english.lines.size() > 100);
    REQUIRE(english.spans.size() > 200);
    CHECK(japanese.lines == english.lines);
    CHECK(only_in_first(english.spans, japanese.spans) == CodeLines{});
    CHECK(only_in_first(japanese.spans, english.spans) == CodeLines{"--lang ja"});
    const PageCode more = code_of(text_of_page("more.md"));
    const PageCode more_japanese = code_of(text_of_page("more.ja.md"));
    REQUIRE(more.spans.size() > 30);
    CHECK(more_japanese.lines == more.lines);
    CHECK(more_japanese.spans == more.spans);
}

TEST_CASE("language page: code that is missing on one page is found", "[pages]") {
    const PageCode code = code_of("say `a` and `b\nc`\n```\nput c in z   # why\n```\n```rules x.rules\ngame x\n```\n");
    CHECK(code.lines == CodeLines{"put c in z"});
    CHECK(code.spans == std::set<std::string>{"a", "b c"});
    CHECK(only_in_first(code.spans, {"a"}) == CodeLines{"b c"});
}
