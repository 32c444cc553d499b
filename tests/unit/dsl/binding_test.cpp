// How far words reach: each row of the table on the language page (dsl/README.md) is read as its second column says.
#include "dsl/syntax/parse.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;

namespace {

// The rows `| written | means |` with their code.
std::vector<std::pair<std::string, std::string>> rows_of_table() {
    std::ifstream page(HOUSERULE_ROOT "/dsl/README.md");
    std::vector<std::pair<std::string, std::string>> rows;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line == "| written | means |") inside = true;
        if (!line.starts_with("|")) inside = false;
        if (!inside || !line.starts_with("| `")) continue;
        std::vector<std::string> codes;
        for (std::size_t at = line.find('`'); at != std::string::npos; at = line.find('`', at)) {
            const std::size_t end = line.find('`', at + 1);
            REQUIRE(end != std::string::npos);
            codes.push_back(line.substr(at + 1, end - at - 1));
            at = end + 1;
        }
        INFO(line);
        REQUIRE(codes.size() == 2);
        rows.emplace_back(codes[0], codes[1]);
    }
    return rows;
}

// Without the nodes of brackets.
std::string bare(const SyntaxNode& node) {
    if (node.kind == Kind::e_if && node.children.size() == 1) return bare(*node.children.front());
    std::string text = std::string(kind_name(node.kind)) + " " + node.text + "(";
    for (const SyntaxNode* c : node.children) text += bare(*c) + " ";
    return text + ")";
}

std::string tree_of(const std::string& text) {
    const Sources sources = {Source("expression", text)};
    Diagnostics diagnostics;
    const Syntax syntax = parse_expression(sources, 0, diagnostics);
    INFO(text);
    REQUIRE(diagnostics.empty());
    return bare(*syntax.root);
}

}  // namespace

TEST_CASE("binding: words reach as far as the language page says", "[binding]") {
    const auto rows = rows_of_table();
    REQUIRE(rows.size() >= 8);
    for (const auto& [written, means] : rows) {
        INFO(written << " means " << means);
        CHECK(tree_of(written) == tree_of(means));
    }
}

TEST_CASE("binding: brackets that join something else are told apart", "[binding]") {
    CHECK(tree_of("size of p's hand + 1") != tree_of("size of (p's hand + 1)"));
    CHECK(tree_of("players where its out and its total > 3") != tree_of("(players where its out) and its total > 3"));
}
