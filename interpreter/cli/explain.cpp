// `houserule explain`: the page about a diagnostic, found by its code or its name.
#include "interpreter/cli/explain.hpp"

#include "dsl/text.hpp"
#include "interpreter/cli/commands.hpp"
#include "interpreter/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

const CodeInfo& row(std::size_t i) { return info(static_cast<Code>(i)); }

std::optional<Code> code_or_name(const std::string& word) {
    if (const auto code = code_named(word)) return code;
    for (std::size_t i = 0; i < code_count(); ++i)
        if (row(i).name == word) return static_cast<Code>(i);
    return std::nullopt;
}

// Markdown as a terminal shows it: without fences, blocks indented, titles bold.
std::string laid_out(std::string_view page, const Globals& g) {
    std::string text;
    bool fenced = false;
    while (!page.empty()) {
        const std::string line(page.substr(0, page.find('\n')));
        page.remove_prefix(std::min(page.size(), line.size() + 1));
        if (line.starts_with("```")) {
            fenced = !fenced;
        } else if (fenced) {
            text += line.empty() ? "\n" : "    " + line + "\n";
        } else if (line.starts_with("# ")) {
            text += bold(line.substr(2), g) + "\n";
        } else {
            text += line + "\n";
        }
    }
    return text;
}

// The places for arguments left open.
std::string without_places(std::string_view message) {
    std::string text;
    for (std::size_t i = 0; i < message.size(); ++i) {
        if (message[i] == '{') {
            text += "…";
            i = message.find('}', i);
        } else {
            text += message[i];
        }
    }
    return text;
}

int unknown(const std::string& word, const Globals& g) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < code_count(); ++i) {
        known.emplace_back(row(i).id);
        known.emplace_back(row(i).name);
    }
    std::string upper = word;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
    const bool digits = !word.empty() && word.find_first_of("0123456789") != std::string::npos;
    const std::string near = closest(digits ? upper : word, known);
    std::string text = fmt::format("houserule: {}: `{}`", say(g, "there is no such diagnostic", "そのような診断はありません"), word);
    if (!near.empty()) text += g.language == Language::ja ? fmt::format("。`{}` のことですか?", near) : fmt::format("; did you mean `{}`?", near);
    err(text + "\n");
    return exit_cannot;
}

}  // namespace

int run_explain(const ExplainArgs& args, const Globals& g) {
    const auto code = code_or_name(args.code);
    if (!code) return unknown(args.code, g);
    const std::string_view id = info(*code).id;
    if (g.language == Language::ja) out(fmt::format("{}: {}\n\n", id, without_places(info(*code).ja)));
    for (const Page& page : pages())
        if (page.code == id) out(laid_out(page.text, g));
    return exit_fine;
}

}  // namespace houserule::cli
