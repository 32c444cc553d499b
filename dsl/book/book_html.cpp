// A page as HTML that stands alone.
#include "dsl/book/book.hpp"

#include <fmt/format.h>

#include <string_view>

namespace houserule::cli {

namespace {

constexpr std::string_view style = R"(  :root { color-scheme: light; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; line-height: 1.55;
         font-family: "Noto Sans", "Noto Sans JP", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", Meiryo, sans-serif; }
  h1 { margin-bottom: 0.3rem; }
  h2 { margin-top: 2rem; padding-bottom: 0.15rem; border-bottom: 1px solid #999; }
  h3 { margin: 1.4rem 0 0.3rem; }
  p { margin: 0.4rem 0; }
  ul { margin: 0.3rem 0; padding-left: 1.4rem; }
  li { margin: 0.15rem 0; }
  table { margin: 0.6rem 0; border-collapse: collapse; font-size: 0.95em; }
  th, td { padding: 0.2rem 0.6rem; border: 1px solid #bbb; text-align: left; vertical-align: top; }
  th { background: #f0f0f0; }
  code { font-family: "Noto Sans Mono", "Noto Sans Mono CJK JP", monospace; font-size: 0.9em; }
  .notes { font-size: 0.9em; }
  @media print {
    @page { margin: 18mm; }
    body { max-width: none; margin: 0; padding: 0; font-size: 10pt; }
    h2, h3 { break-after: avoid; }
    li, tr { break-inside: avoid; }
    a { color: inherit; text-decoration: none; }
  }
)";

void escape(char c, std::string& out) {
    switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
    }
}

std::string html_text(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
            case code_begins:
                out += "<code>";
                break;
            case code_ends:
                out += "</code>";
                break;
            case strong_begins:
                out += "<strong>";
                break;
            case strong_ends:
                out += "</strong>";
                break;
            case term_begins:
                out += "<em>";
                break;
            case term_ends:
                out += "</em>";
                break;
            case note_begins: {
                const std::size_t end = text.find(note_ends, i);
                out += fmt::format(R"(<sup><a id="from-{0}" href="#note-{0}">{0}</a></sup>)", text.substr(i + 1, end - i - 1));
                i = end;
                break;
            }
            default:
                escape(text[i], out);
        }
    }
    return out;
}

void html_list(const std::vector<Item>& items, std::size_t depth, std::string& out) {
    const std::string indent(depth * 2, ' ');
    out += indent + "<ul>\n";
    for (const Item& item : items) {
        out += fmt::format("{}<li>{}", indent, html_text(item.text));
        if (!item.items.empty()) {
            out += '\n';
            html_list(item.items, depth + 1, out);
            out += indent;
        }
        out += "</li>\n";
    }
    out += indent + "</ul>\n";
}

void html_table(const std::vector<std::vector<std::string>>& rows, std::string& out) {
    out += "<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const char* tag = i == 0 ? "th" : "td";
        out += "<tr>";
        for (const std::string& text : rows[i]) out += fmt::format("<{0}>{1}</{0}>", tag, html_text(text));
        out += "</tr>\n";
    }
    out += "</table>\n";
}

}  // namespace

std::string html(const Page& page) {
    std::string out = fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", page.language);
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
                       html_text(page.title.substr(0, page.title.find(note_begins))), style, html_text(page.title));
    for (const Block& b : page.blocks) {
        switch (b.kind) {
            case BlockKind::heading:
                out += fmt::format("<h{0}>{1}</h{0}>\n", b.level, html_text(b.text));
                break;
            case BlockKind::paragraph:
                out += fmt::format("<p>{}</p>\n", html_text(b.text));
                break;
            case BlockKind::list:
                html_list(b.items, 0, out);
                break;
            case BlockKind::table:
                html_table(b.rows, out);
                break;
        }
    }
    if (!page.notes.empty()) {
        out += fmt::format("<h2>{}</h2>\n<ol class=\"notes\">\n", html_text(page.notes_heading));
        for (std::size_t i = 0; i < page.notes.size(); ++i)
            out += fmt::format("<li id=\"note-{0}\">{1} <a href=\"#from-{0}\">↩</a></li>\n", i + 1, html_text(page.notes[i]));
        out += "</ol>\n";
    }
    return out + "</body>\n</html>\n";
}

}  // namespace houserule::cli
