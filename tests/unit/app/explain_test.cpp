// The pages of `explain`. That their commands print what they show is for the case runner; here, that it is what the page is about, that
// the mended game of a class has none, and that everything is said in both languages.
#include "dsl/text/diagnostics.hpp"
#include "solver/findings/finding.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace houserule;
namespace fs = std::filesystem;

namespace {

struct Explained {
    std::vector<std::string> games;     // the blocks `rules`
    std::vector<std::string> answers;   // the blocks `console`,
    std::vector<std::string> japanese;  // those that speak Japanese
    std::vector<std::string> prose;     // headings and paragraphs, in order
};

Explained page_of(const std::string& name) {
    const fs::path path = fs::path(HOUSERULE_ROOT) / "interpreter/app/explain_pages" / (name + ".md");
    std::ifstream in(path);
    INFO(path);
    REQUIRE(in);
    Explained page;
    std::vector<std::string>* to = &page.prose;
    bool open = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            open = line != "```";
            to = line.starts_with("```rules") ? &page.games : line == "```console" ? &page.answers : &page.prose;
            if (open) to->emplace_back();
        } else if (line.empty() && to == &page.prose) {
            open = false;
        } else {
            if (!open) to->emplace_back();
            open = true;
            to->back() += line + "\n";
        }
    }
    const auto ja = std::stable_partition(page.answers.begin(), page.answers.end(),
                                          [](const std::string& answer) { return answer.find("--lang ja") == std::string::npos; });
    page.japanese.assign(ja, page.answers.end());
    page.answers.erase(ja, page.answers.end());
    return page;
}

bool has_line_that_begins(const std::string& text, const std::string& words) {
    return text.starts_with(words) || text.find("\n" + words) != std::string::npos;
}

bool has_japanese(const std::string& text) {
    // Kana, U+3040 to U+30FF.
    return text.find("\xE3\x81") != std::string::npos || text.find("\xE3\x82") != std::string::npos ||
           text.find("\xE3\x83") != std::string::npos;
}

}  // namespace

TEST_CASE("the page of a class shows a game with such a finding and one without", "[explain][validate]") {
    for (int i = 0; i < finding_classes; ++i) {
        const std::string name(class_name(static_cast<FindingClass>(i)));
        CAPTURE(name);
        const Explained page = page_of(name);
        REQUIRE(page.games.size() == 2);
        REQUIRE(page.answers.size() == 2);
        CHECK(page.games[0] != page.games[1]);
        CHECK(page.answers[0].starts_with("$ houserule validate g.rules"));
        CHECK(page.answers[1].starts_with("$ houserule validate mended.rules"));
        CHECK(has_line_that_begins(page.answers[0], name + "."));
        CHECK_FALSE(has_line_that_begins(page.answers[1], name + "."));
        CHECK(page.answers[1].find("0 to mend") != std::string::npos);
        CHECK(page.answers[1].find("…") == std::string::npos);
        REQUIRE(page.japanese.size() == 2);
        CHECK(has_line_that_begins(page.japanese[0], name + "."));
        CHECK_FALSE(has_line_that_begins(page.japanese[1], name + "."));
    }
}

namespace {

// Each heading and paragraph is followed by its Japanese version.
void check_prose(const Explained& page, const std::string& name) {
    REQUIRE(page.prose.size() >= 6);
    CHECK(page.prose[0].starts_with("# " + name + ": "));
    CHECK(page.prose[1].starts_with("> " + name + ": "));
    REQUIRE(page.prose.size() % 2 == 0);
    for (std::size_t p = 0; p < page.prose.size(); p += 2) {
        CHECK_FALSE(page.prose[p].starts_with("> "));
        CHECK(page.prose[p + 1].starts_with("> "));
        CHECK_FALSE(has_japanese(page.prose[p]));
        CHECK(has_japanese(page.prose[p + 1]));
    }
}

}  // namespace

TEST_CASE("the page of a class says everything in both languages", "[explain]") {
    for (int i = 0; i < finding_classes; ++i) {
        const std::string name(class_name(static_cast<FindingClass>(i)));
        CAPTURE(name);
        check_prose(page_of(name), name);
    }
}

TEST_CASE("the page of a diagnostic shows it, in both languages", "[explain]") {
    for (std::size_t i = 0; i < code_count(); ++i) {
        const std::string id(info(static_cast<Code>(i)).id);
        CAPTURE(id);
        const Explained page = page_of(id);
        check_prose(page, id);
        REQUIRE(page.answers.size() == 1);
        REQUIRE(page.japanese.size() == 1);
        CHECK(page.answers[0].find("[" + id + "]: ") != std::string::npos);
        CHECK(page.japanese[0].find("[" + id + "]: ") != std::string::npos);
        CHECK(has_japanese(page.japanese[0]));
    }
}
