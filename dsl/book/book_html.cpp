// A page as HTML that stands alone.
#include "dsl/book/book.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace houserule::cli {

namespace {

// Everything for screen and print but the size of the paper and what stands at the top of each sheet.
constexpr std::string_view style = R"(  :root { color-scheme: light; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; line-height: 1.55;
         font-family: "Noto Sans", "Noto Sans JP", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", Meiryo, sans-serif;
         overflow-wrap: break-word; }
  h1 { margin-bottom: 0.3rem; line-height: 1.2; }
  h2 { margin-top: 2rem; padding-bottom: 0.15rem; border-bottom: 1px solid #999; }
  h3 { margin: 1.4rem 0 0.3rem; }
  h4 { margin: 0 0 0.4rem; font-size: 1em; }
  h2 .number, h3 .number { margin-right: 0.6em; color: #666; font-weight: normal; }
  p { margin: 0.4rem 0; }
  ul, ol { margin: 0.3rem 0; padding-left: 1.4rem; }
  li { margin: 0.15rem 0; }
  ol.steps > li { margin: 0.4rem 0; }
  table { margin: 0.6rem 0; border-collapse: collapse; font-size: 0.95em; }
  th, td { padding: 0.2rem 0.6rem; border: 1px solid #bbb; text-align: left; vertical-align: top; }
  th { background: #f0f0f0; }
  code { font-family: "Noto Sans Mono", "Noto Sans Mono CJK JP", monospace; font-size: 0.9em; }
  a { color: #234e8a; }
  .cover .facts { margin: 1.2rem 0; }
  .cover .facts th { white-space: nowrap; }
  .cover nav { columns: 2; font-size: 0.95em; }
  .cover nav ul { list-style: none; margin: 0; padding: 0; }
  .more { float: right; font-size: 0.85rem; font-weight: normal; }
  .cards { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0.5rem 0; }
  .card { box-sizing: border-box; display: flex; flex-direction: column; justify-content: center; min-width: 3.1rem; max-width: 9rem;
          min-height: 4.2rem; padding: 0.25rem 0.35rem; border: 1px solid #555; border-radius: 0.35rem; background: #fff;
          text-align: center; font-size: 0.8rem; line-height: 1.25; }
  .card strong { font-size: 0.95rem; }
  .card small { color: #555; }
  .card.none { border-style: dashed; color: #888; }
  .example { margin: 0.9rem 0; padding: 0.6rem 0.8rem; border: 1px solid #bbb; border-radius: 0.4rem; background: #f7f8f5; }
  .example ul { margin: 0.4rem 0 0; }
  .table { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; }
  .place .cards { margin: 0.2rem 0; }
  .place p { margin: 0; font-size: 0.85em; color: #444; }
  .index { columns: 2; list-style: none; padding: 0; break-inside: avoid; }
  .notes { font-size: 0.9em; }
  rt { font-size: 0.5em; }
  @media print {
    body { max-width: none; margin: 0; padding: 0; font-size: 10pt; line-height: 1.45; }
    h1 { font-size: 24pt; }
    h2 { font-size: 14pt; margin-top: 1.2rem; }
    h3 { font-size: 11pt; margin: 0.7rem 0 0.2rem; }
    h2, h3, h4, p:has(+ ul), p:has(+ ol), p:has(+ table) { break-after: avoid; }
    li, tr, .card, .cards, .place, .example { break-inside: avoid; }
    li > ul, li > ol { break-before: avoid; }
    p, li { orphans: 2; widows: 2; }
    thead { display: table-header-group; }
    .cover { break-after: page; padding-top: 18%; }
    ol.steps { break-inside: avoid; }
    .new-sheet { break-before: page; }
    a { color: inherit; text-decoration: none; }
  }
)";

// A text inside a style sheet: all but letters and digits as their numbers, so that nothing in it can end the text or the sheet.
std::string css_text(std::string_view text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); i += character_length(text.substr(i)))
        out += fmt::format("\\{:06x}", static_cast<std::uint32_t>(decode(text.substr(i))));
    return out + '"';
}

std::string paper_style(Paper paper, std::string_view title) {
    return fmt::format(
        "  @page {{ size: {}; margin: {}; @top-center {{ content: {}; font: 8pt sans-serif; color: #666; }}\n"
        "          @bottom-center {{ content: counter(page); font: 8pt sans-serif; }} }}\n"
        "  @page :first {{ @top-center {{ content: none; }} @bottom-center {{ content: none; }} }}\n{}",
        paper == Paper::a4 ? "A4" : "A5", paper == Paper::a4 ? "20mm 18mm" : "16mm 12mm", css_text(title),
        paper == Paper::a4 ? "" : "  @media print { html { font-size: 13px; } body { font-size: 9pt !important; } }\n");
}

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

void html_list(const std::vector<Item>& items, std::size_t depth, std::string& out, bool steps = false) {
    const std::string indent(depth * 2, ' ');
    out += indent + (steps ? "<ol class=\"steps\">\n" : "<ul>\n");
    for (const Item& item : items) {
        out += fmt::format("{}<li>{}", indent, html_text(item.text));
        if (!item.items.empty()) {
            out += '\n';
            html_list(item.items, depth + 1, out);
            out += indent;
        }
        out += "</li>\n";
    }
    out += indent + (steps ? "</ol>\n" : "</ul>\n");
}

void html_table(const std::vector<std::vector<std::string>>& rows, std::string& out) {
    out += "<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const char* tag = i == 0 ? "th" : "td";
        out += i == 0 ? "<thead><tr>" : "<tr>";
        for (const std::string& text : rows[i]) out += fmt::format("<{0}>{1}</{0}>", tag, html_text(text));
        out += i == 0 ? "</tr></thead>\n" : "</tr>\n";
    }
    out += "</table>\n";
}

void html_cards(const std::vector<Face>& faces, std::string& out) {
    out += "<div class=\"cards\">";
    for (const Face& face : faces) {
        out += "<div class=\"card\">";
        for (std::size_t i = 0; i < face.lines.size(); ++i)
            out += fmt::format("<{0}>{1}</{0}>", i == 0 ? "strong" : "span", html_text(face.lines[i]));
        if (!face.copies.empty()) out += fmt::format("<small>{}</small>", html_text(face.copies));
        out += "</div>";
    }
    if (faces.empty()) out += "<div class=\"card none\">–</div>";
    out += "</div>\n";
}

void html_example(const Block& b, std::string& out) {
    out += fmt::format("<div class=\"example\">\n<h4>{}</h4>\n<div class=\"table\">\n", html_text(b.text));
    for (const Shelf& shelf : b.shelves) {
        out += "<div class=\"place\">\n";
        html_cards(shelf.faces, out);
        out += fmt::format("<p>{}</p>\n</div>\n", html_text(shelf.label));
    }
    out += "</div>\n";
    if (!b.items.empty()) html_list(b.items, 0, out);
    out += "</div>\n";
}

void html_block(const Block& b, std::string& out) {
    switch (b.kind) {
        case BlockKind::heading:
            break;
        case BlockKind::paragraph:
            out += fmt::format("<p>{}</p>\n", html_text(b.text));
            break;
        case BlockKind::list:
            html_list(b.items, 0, out);
            break;
        case BlockKind::steps:
            html_list(b.items, 0, out, true);
            break;
        case BlockKind::table:
            html_table(b.rows, out);
            break;
        case BlockKind::cards:
            for (const Shelf& shelf : b.shelves) html_cards(shelf.faces, out);
            break;
        case BlockKind::example:
            html_example(b, out);
            break;
    }
}

// A heading with what stands below it. The appendix has sections of its own.
struct Section {
    std::string number;  // 2.1, A.3
    std::string title;
    int level = 2;
    bool new_sheet = false;
    std::vector<const Block*> blocks;
    std::string more;  // the number of the section in the appendix that goes on with it
    std::vector<Span> spans;
};

struct Sections {
    std::vector<const Block*> head;  // before the first heading
    std::vector<Section> sections;
};

void add_spans(const std::vector<Item>& items, std::vector<Span>& spans) {
    for (const Item& item : items) {
        spans.push_back(item.span);
        add_spans(item.items, spans);
    }
}

void add_spans(const Block& b, std::vector<Span>& spans) {
    spans.push_back(b.span);
    add_spans(b.items, spans);
    spans.insert(spans.end(), b.row_spans.begin(), b.row_spans.end());
}

// Headings get their numbers; what belongs into the appendix goes there, under the heading that it stood below.
Sections sections_of(const Page& page) {
    Sections all;
    std::vector<Section> appendix;
    std::size_t large = 0;
    std::size_t small = 0;
    const Block* heading = nullptr;
    const Block* gone_on = nullptr;  // the heading whose appendix is the last of the appendix
    const auto next_of_appendix = [&](const Block& h) {
        appendix.push_back({fmt::format("A.{}", appendix.size() + 1), h.text.substr(0, h.text.find(note_begins)), 3, false, {}, {}, {}});
        gone_on = &h;
    };
    for (const Block& b : page.blocks) {
        if (b.where == Where::reading) continue;
        if (b.kind == BlockKind::heading) {
            heading = &b;
            if (b.where == Where::appendix) {
                next_of_appendix(b);
                appendix.back().title = b.text;
                appendix.back().spans.push_back(b.span);
                continue;
            }
            small = b.level == 2 ? 0 : small + 1;
            large += b.level == 2 ? 1 : 0;
            const std::string number = b.level == 2 ? std::to_string(large) : fmt::format("{}.{}", large, small);
            all.sections.push_back({number, b.text, b.level, b.new_sheet, {}, {}, {b.span}});
            continue;
        }
        if (heading == nullptr) {
            all.head.push_back(&b);
            continue;
        }
        const bool later = b.where == Where::appendix;
        if (later && gone_on != heading) {
            next_of_appendix(*heading);
            if (heading->where != Where::appendix) all.sections.back().more = appendix.back().number;
        }
        Section& section = later ? appendix.back() : all.sections.back();
        section.blocks.push_back(&b);
        add_spans(b, section.spans);
    }
    if (appendix.empty()) return all;
    all.sections.push_back({"A", page.appendix_heading, 2, true, {}, {}, {}});
    all.sections.insert(all.sections.end(), appendix.begin(), appendix.end());
    return all;
}

std::string anchor(std::string number) {
    std::replace(number.begin(), number.end(), '.', '-');
    return "s-" + number;
}

void html_section(const Section& s, std::string& out) {
    const std::string more = s.more.empty() ? "" : fmt::format("<a class=\"more\" href=\"#{}\">→ {}</a>", anchor(s.more), s.more);
    out += fmt::format("<h{0} id=\"{1}\"{2}><span class=\"number\">{3}</span>{4}{5}</h{0}>\n", s.level, anchor(s.number),
                       s.new_sheet ? " class=\"new-sheet\"" : "", s.number, html_text(s.title), more);
    for (const Block* b : s.blocks) html_block(*b, out);
}

void html_cover(const Page& page, const Sections& all, std::string& out) {
    out += fmt::format("<header class=\"cover\">\n<h1>{}</h1>\n", html_text(page.title));
    for (const Block* b : all.head) html_block(*b, out);
    out += "<table class=\"facts\">\n";
    for (const auto& [what, how_many] : page.cover)
        out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", html_text(what), html_text(how_many));
    out += "</table>\n<nav><ul>\n";
    for (const Section& s : all.sections)
        if (s.level == 2)
            out += fmt::format("<li><a href=\"#{}\">{} {}</a></li>\n", anchor(s.number), s.number,
                               html_text(s.title.substr(0, s.title.find(note_begins))));
    out += "</ul></nav>\n</header>\n";
}

void html_index(const Page& page, const Sections& all, std::string& out) {
    std::string lines;
    for (const IndexEntry& entry : page.index) {
        std::string at;
        for (const Section& s : all.sections)
            if (std::find(s.spans.begin(), s.spans.end(), entry.span) != s.spans.end())
                at += fmt::format("{}<a href=\"#{}\">{}</a>", at.empty() ? "" : ", ", anchor(s.number), s.number);
        if (!at.empty()) lines += fmt::format("<li>{} {}</li>\n", html_text(entry.name), at);
    }
    if (!lines.empty()) out += fmt::format("<h2>{}</h2>\n<ul class=\"index\">\n{}</ul>\n", html_text(page.index_heading), lines);
}

bool is_kanji(std::string_view text) {
    const char32_t c = decode(text);
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || c == 0x3005;
}

// Whether the word stands there by itself, not as a part of a longer one.
bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
    if (!text.substr(at).starts_with(word)) return false;
    const std::size_t end = at + word.size();
    if (is_kanji(word) && at >= 3 && is_kanji(text.substr(at - 3))) return false;
    return end + 3 > text.size() || !is_kanji(word.substr(word.size() - std::min<std::size_t>(3, word.size()))) ||
           !is_kanji(text.substr(end));
}

// How a word is read, above the part of it that is not written as it is read.
std::string ruby(std::string_view word, std::string_view kana) {
    std::size_t before = 0;
    while (before < std::min(word.size(), kana.size()) && word[before] == kana[before]) ++before;
    while (before > 0 && before < word.size() && (word[before] & 0xC0) == 0x80) --before;
    std::size_t behind = 0;
    const std::size_t most = std::min(word.size(), kana.size()) - before;
    while (behind < most && word[word.size() - 1 - behind] == kana[kana.size() - 1 - behind]) ++behind;
    while (behind > 0 && (word[word.size() - behind] & 0xC0) == 0x80) --behind;
    const std::string_view base = word.substr(before, word.size() - before - behind);
    const std::string_view above = kana.substr(before, kana.size() - before - behind);
    if (base.empty() || above.empty()) return html_text(word);
    return fmt::format("{}<ruby>{}<rt>{}</rt></ruby>{}", html_text(word.substr(0, before)), html_text(base), html_text(above),
                       html_text(word.substr(word.size() - behind)));
}

// Puts how words are read above them, in what a reader sees.
std::string with_readings(const std::string& body, const Page& page) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const auto& [word, kana] : page.read_aloud) words.emplace_back(html_text(word), ruby(word, kana));
    std::string out;
    for (std::size_t i = 0; i < body.size();) {
        const auto word = std::ranges::find_if(words, [&](const auto& w) { return stands_at(body, i, w.first); });
        std::size_t end = i + character_length(std::string_view(body).substr(i));
        if (body[i] == '<')
            end = std::min(body.find('>', i), body.size() - 1) + 1;
        else if (word != words.end())
            end = i + word->first.size();
        out += body[i] != '<' && word != words.end() ? word->second : body.substr(i, end - i);
        i = end;
    }
    return out;
}

}  // namespace

std::string html(const Page& page, Paper paper) {
    const std::string title = page.title.substr(0, page.title.find(note_begins));
    std::string out = fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", page.language);
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += fmt::format("<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n", html_text(title), paper_style(paper, title), style);
    const Sections all = sections_of(page);
    std::string body;
    html_cover(page, all, body);
    for (const Section& s : all.sections) html_section(s, body);
    if (!page.notes.empty()) {
        body += fmt::format("<h2>{}</h2>\n<ol class=\"notes\">\n", html_text(page.notes_heading));
        for (std::size_t i = 0; i < page.notes.size(); ++i)
            body += fmt::format("<li id=\"note-{0}\">{1} <a href=\"#from-{0}\">↩</a></li>\n", i + 1, html_text(page.notes[i]));
        body += "</ol>\n";
    }
    html_index(page, all, body);
    return out + (page.read_aloud.empty() ? body : with_readings(body, page)) + "</body>\n</html>\n";
}

}  // namespace houserule::cli
