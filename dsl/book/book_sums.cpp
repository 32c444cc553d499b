// Sums and products; of figures alone, what they come to.
#include "dsl/book/book_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

namespace {

bool is_figure(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

std::string factor(Telling& t, const Node& node) { return node.kind == Kind::e_sum ? in_brackets(number(t, node)) : number(t, node); }

}  // namespace

std::string in_brackets(const std::string& text) { return is_figure(text) ? text : "(" + text + ")"; }

std::string sum_phrase(Telling& t, const Node& node) {
    if (sort_of(t, node) != Sort::number) {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < node.children.size(); i += 2) parts.push_back(phrase(t, *node.children[i]));
        return t.ja ? fmt::format("{}", fmt::join(parts, t.say(BookText::between_sets))) : joined(t, parts);
    }
    const auto part = [&](const Node& n) {
        return n.kind == Kind::e_range ? "(" + number(t, n) + ")" : number(t, n);  // in brackets in the file, too
    };
    std::string text;
    std::optional<long> sum = 0;  // of figures alone
    for (std::size_t i = 0; i < node.children.size(); i += 2) {
        const std::string word = part(*node.children[i]);
        const bool minus = i > 0 && node.children[i - 1]->text == "-";
        if (!is_figure(word) || word.size() > 9) sum.reset();
        if (sum) *sum += minus ? -std::stol(word) : std::stol(word);
        if (i == 0 || word != "0") text += (i == 0 ? "" : minus ? " − " : " + ") + word;
    }
    return sum && *sum >= 0 ? std::to_string(*sum) : text;
}

std::string negative_phrase(Telling& t, const Node& node) { return "−" + factor(t, *node.children[0]); }

std::string product_phrase(Telling& t, const Node& node) {
    std::string text;
    for (const Node* c : node.children) text += (text.empty() ? "" : " × ") + factor(t, *c);
    return text;
}

}  // namespace houserule::cli
