// A page as Markdown: CommonMark with the tables and footnotes of GitHub.
#include "dsl/book/book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace houserule::cli {

namespace {

// The file's own words on one line, in enough backticks.
std::string code(std::string_view source) {
    std::string text;
    for (const char c : source) {
        const bool space = c == ' ' || c == '\n' || c == '\t';
        if (!space)
            text += c;
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    const std::string fence(longest + 1, '`');
    const char* pad = text.starts_with('`') || text.ends_with('`') ? " " : "";
    return fence + pad + text + pad + fence;
}

// A number and a dot, a dash or a plus would begin a list there.
std::size_t list_mark(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) return 0;
    const std::size_t digits = text.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string_view::npos && (text[digits] == '.' || text[digits] == ')') ? digits
                                                                                                           : std::string_view::npos;
}

std::string inline_text(std::string_view text) {
    std::string result;
    const std::size_t mark = list_mark(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == code_begins) {
            const std::size_t end = text.find(code_ends, i);
            result += code(text.substr(i + 1, end - i - 1));
            i = end;
        } else if (c == strong_begins || c == strong_ends) {
            result += "**";
        } else if (c == term_begins || c == term_ends) {
            result += '*';
        } else if (c == note_begins) {
            result += "[^";
        } else if (c == note_ends) {
            result += ']';
        } else {
            if (i == mark || std::string_view("\\`*_[]<>#|~&$").find(c) != std::string_view::npos) result += '\\';
            result += c;
        }
    }
    return result;
}

void list(const std::vector<Item>& items, std::size_t depth, std::string& out) {
    for (const Item& item : items) {
        out += fmt::format("{}- {}\n", std::string(depth * 2, ' '), inline_text(item.text));
        list(item.items, depth + 1, out);
    }
}

// A bar ends a cell, even in code.
std::string cell(const std::string& text) {
    const std::string written = inline_text(text);
    std::string safe;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] == '|' && (i == 0 || written[i - 1] != '\\')) safe += '\\';
        safe += written[i];
    }
    return safe;
}

void table(const std::vector<std::vector<std::string>>& rows, std::string& out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::string& text : rows[i]) out += "| " + cell(text) + " ";
        out += "|\n";
        if (i != 0) continue;
        for (std::size_t c = 0; c < rows[0].size(); ++c) out += "|---";
        out += "|\n";
    }
}

}  // namespace

std::string markdown(const Page& page) {
    std::string out = fmt::format("# {}\n", inline_text(page.title));
    for (const Block& b : page.blocks) {
        if (b.where == Where::print) continue;
        out += '\n';
        switch (b.kind) {
            case BlockKind::heading:
                out += fmt::format("{} {}\n", std::string(static_cast<std::size_t>(b.level), '#'), inline_text(b.text));
                break;
            case BlockKind::paragraph:
                out += inline_text(b.text) + "\n";
                break;
            case BlockKind::list:
            case BlockKind::steps:
                list(b.items, 0, out);
                break;
            case BlockKind::cards:
            case BlockKind::example:
                break;  // drawn on paper only
            case BlockKind::table:
                table(b.rows, out);
                break;
        }
    }
    if (page.notes.empty()) return out;
    out += fmt::format("\n## {}\n", inline_text(page.notes_heading));
    for (std::size_t i = 0; i < page.notes.size(); ++i) out += fmt::format("\n[^{}]: {}\n", i + 1, inline_text(page.notes[i]));
    return out;
}

}  // namespace houserule::cli
