// `houserule explain`: the page about a diagnostic, found by its code or its name, or about a class of findings.
#include "dsl/text/ascii.hpp"
#include "interpreter/app/explain_pages/explain_pages.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/table.hpp"
#include "solver/findings/finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

// `end-race`, also as it is written in a file: `end_race`, and as a finding is called: `end-race.play`.
std::optional<FindingClass> class_in(std::string word) {
    word = word.substr(0, word.find('.'));
    std::replace(word.begin(), word.end(), '_', '-');
    return class_of(word);
}

std::vector<std::string> class_names() {
    std::vector<std::string> names;
    for (int i = 0; i < finding_classes; ++i) names.emplace_back(class_name(static_cast<FindingClass>(i)));
    return names;
}

// A paragraph, heading or block of a page.
struct Part {
    std::string text;
    bool fenced = false;
    bool japanese = false;  // the Japanese version of the part before: a quotation, or what `--lang ja` prints
};

std::vector<Part> parts_of(std::string_view page) {
    std::vector<Part> parts;
    bool open = false;  // the last part goes on
    while (!page.empty()) {
        const std::string line(page.substr(0, page.find('\n')));
        page.remove_prefix(std::min(page.size(), line.size() + 1));
        const bool in_fence = open && parts.back().fenced;
        if (line.starts_with("```")) {
            open = !in_fence;
            if (open) parts.push_back({"", true, false});
        } else if (in_fence) {
            parts.back().text += line.empty() ? "\n" : "    " + line + "\n";
            parts.back().japanese |= line.starts_with("$ ") && line.find("--lang ja") != std::string::npos;
        } else if (line.empty()) {
            open = false;
        } else {
            const bool quoted = line.starts_with("> ");
            if (!open) parts.push_back({"", false, quoted});
            open = true;
            parts.back().text += (quoted ? line.substr(2) : line) + "\n";
        }
    }
    return parts;
}

// Markdown as a terminal shows it, in one language: without fences, blocks indented, titles bold.
std::string laid_out(std::string_view page, const Globals& g) {
    const std::vector<Part> parts = parts_of(page);
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const bool has_japanese = i + 1 < parts.size() && parts[i + 1].japanese && parts[i + 1].fenced == part.fenced;
        if (g.language == Language::ja ? has_japanese : part.japanese) continue;
        if (!text.empty()) text += "\n";
        const bool marked = part.text.starts_with("# ");
        const bool title = marked || (part.japanese && i == 1);
        const std::size_t begin = marked ? 2 : 0;
        text += title ? bold(part.text.substr(begin, part.text.size() - begin - 1), g) + "\n" : part.text;
    }
    return text;
}

void show_page(std::string_view name, const Globals& g) {
    for (const ExplainPage& page : explain_pages())
        if (page.name == name) out(laid_out(page.text, g));
}

int unknown(const std::string& word, const Globals& g) {
    std::vector<std::string> known = class_names();
    for (std::size_t i = 0; i < code_count(); ++i) {
        known.emplace_back(row(i).id);
        known.emplace_back(row(i).name);
    }
    std::string upper = word;
    std::ranges::transform(upper, upper.begin(), ascii::capital);
    const bool digits = !word.empty() && word.find_first_of("0123456789") != std::string::npos;
    const std::string near = closest(digits ? upper : word, known);
    std::string text = fmt::format("houserule: {}: `{}`", say(g, Text::no_such_page), word);
    if (!near.empty()) text += say(g, Text::or_did_you_mean, near);
    text += fmt::format("\n{}: {}\n", say(g, Text::classes_of_findings), fmt::join(class_names(), ", "));
    err(text);
    return exit_cannot;
}

}  // namespace

int run_explain(const ExplainArgs& args, const Globals& g) {
    if (const auto what = class_in(args.code)) {
        show_page(class_name(*what), g);
        return exit_fine;
    }
    const auto code = code_or_name(args.code);
    if (!code) return unknown(args.code, g);
    show_page(info(*code).id, g);
    return exit_fine;
}

}  // namespace houserule::cli
