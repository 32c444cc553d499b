#include "dsl/text/diagnostics.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <tuple>

namespace houserule {

namespace {

constexpr CodeInfo table[] = {
#define HOUSERULE_DIAGNOSTIC(code, severity, name, en, ja) {code, Severity::severity, #name, en, ja},
#include "dsl/text/diagnostics.def"
#undef HOUSERULE_DIAGNOSTIC
};

struct Words {
    std::string_view error, warning, question, note, help;
    std::string_view replace, insert, remove;  // the help that an edit is
};

constexpr Words english = {"error", "warning", "question", "note", "help", "write `{0}`", "insert `{0}`", "remove `{0}`"};
constexpr Words japanese = {"エラー", "警告", "問い", "補足", "対処", "`{0}` と書く", "`{0}` を入れる", "`{0}` を取り除く"};

const Words& words(Language language) { return language == Language::ja ? japanese : english; }

std::string_view word(Severity severity, const Words& in) {
    switch (severity) {
        case Severity::error:
            return in.error;
        case Severity::warning:
            return in.warning;
        case Severity::question:
            return in.question;
    }
    return in.error;
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

// A `{3}` at the beginning of a pattern.
struct Hole {
    std::size_t index;
    std::size_t length;
};

std::optional<Hole> hole_at(std::string_view pattern) {
    if (!pattern.starts_with('{')) return std::nullopt;
    const char* const end = pattern.data() + pattern.size();
    std::size_t index = 0;
    const auto [close, error] = std::from_chars(pattern.data() + 1, end, index);
    if (error != std::errc() || close == end || *close != '}') return std::nullopt;
    return Hole{index, static_cast<std::size_t>(close + 1 - pattern.data())};
}

std::string fill(std::string_view pattern, const std::vector<std::string>& arguments) {
    std::string out;
    while (!pattern.empty()) {
        const auto hole = hole_at(pattern);
        const bool filled = hole && hole->index < arguments.size();
        const std::size_t taken = filled ? hole->length : 1;
        out += filled ? std::string_view(arguments[hole->index]) : pattern.substr(0, taken);
        pattern.remove_prefix(taken);
    }
    return out;
}

// Null for a place in no source, such as of a diagnostic about the command line.
const Source* source_of(Span span, const Sources& sources) { return span.source < sources.size() ? &sources[span.source] : nullptr; }

Span clamped(Span span, const Source& source) {
    const std::uint32_t size = source.text().size();
    const auto end = std::min(span.end, size);
    return {std::min(span.begin, end), end, span.source};
}

// The end of the file is shown after its last character: the empty line below it tells a reader nothing.
Span anchored(Span span, const Source& source) {
    Span at = clamped(span, source);
    if (at.begin < source.text().size()) return at;
    while (at.begin > 0 && source.text()[at.begin - 1] == '\n') --at.begin;
    return {at.begin, at.begin, at.source};
}

std::string help_text(const Diagnostic& d, const Sources& sources, const Words& in) {
    if (!d.help.empty() || !d.edit) return d.help;
    const Source* source = source_of(d.edit->span, sources);
    const std::string old = source ? std::string(source->text(clamped(d.edit->span, *source))) : std::string();
    if (d.edit->replacement.empty()) return fill(in.remove, {old});
    return fill(old.empty() ? in.insert : in.replace, {d.edit->replacement});
}

std::string_view without_trailing_blanks(std::string_view text) {
    const std::size_t last = text.find_last_not_of(' ');
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// ---- or ^^^^ under a line, with what is said beside it.
struct Mark {
    std::uint32_t line;
    std::size_t column;  // cells before it
    std::size_t width;   // cells underlined
    std::string text;    // all that follows the underline, shown
    bool primary;
};

Mark mark(const Source& source, Span span, std::string_view text, bool primary) {
    const Place place = source.place(span.begin);
    std::string_view covered = source.text(span);
    while (covered.ends_with('\n')) covered.remove_suffix(1);
    const std::string_view on_line = covered.substr(0, covered.find('\n'));
    std::string beside = on_line.size() < covered.size() ? "…" : "";
    if (!text.empty()) beside += " " + shown(text);
    const std::size_t width = std::max<std::size_t>(1, display_width(on_line));
    return {place.line, place.column - 1, width, std::string(without_trailing_blanks(beside)), primary};
}

// What is shown of one source, its marks in the order of lines; on a line the primary first, then from left to right.
struct Block {
    const Source* source;
    Place place;
    bool primary;
    std::vector<Mark> marks;
};

void add_mark(std::vector<Block>& blocks, const Sources& sources, Span span, std::string_view text, bool primary) {
    const Source* source = source_of(span, sources);
    if (!source) return;
    auto block = std::ranges::find(blocks, source, &Block::source);
    if (block == blocks.end()) block = blocks.insert(block, Block{source, {}, primary, {}});
    block->marks.push_back(mark(*source, anchored(span, *source), text, primary));
}

void order(Block& block) {
    const auto key = [](const Mark& m) { return std::tuple(m.line, !m.primary, m.column); };
    std::ranges::stable_sort(block.marks, {}, key);
    const auto primary = std::ranges::find(block.marks, true, &Mark::primary);
    const Mark& named = primary == block.marks.end() ? block.marks.front() : *primary;
    block.place = {named.line, static_cast<std::uint32_t>(named.column + 1)};
}

std::vector<Block> blocks_of(const Diagnostic& d, const Sources& sources) {
    std::vector<Block> blocks;
    add_mark(blocks, sources, d.span, d.span_text, true);
    for (const Label& label : d.labels) add_mark(blocks, sources, label.span, label.text, false);
    std::ranges::for_each(blocks, order);
    return blocks;
}

// Marks that stand under a line side by side, from left to right.
using Row = std::vector<Mark>;

// The first column at which the next mark may begin: texts need a gap to be told apart, bare underlines do not.
std::size_t reach(const Mark& m) {
    const std::size_t end = m.column + m.width;
    return m.text.empty() ? end : end + display_width(m.text) + 2;
}

bool fits(const Row& row, const Mark& m) {
    return std::ranges::all_of(row, [&](const Mark& other) { return reach(other) <= m.column || reach(m) <= other.column; });
}

std::vector<Row> rows_under(std::uint32_t line, const std::vector<Mark>& marks) {
    std::vector<Row> rows;
    for (const Mark& m : marks) {
        if (m.line != line) continue;
        auto row = std::ranges::find_if(rows, [&](const Row& r) { return fits(r, m); });
        if (row == rows.end()) row = rows.insert(row, Row());
        row->insert(std::ranges::upper_bound(*row, m.column, {}, &Mark::column), m);
    }
    return rows;
}

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view blue = "\x1b[1;34m";

std::string_view color_of(Severity severity) {
    switch (severity) {
        case Severity::error:
            return "\x1b[1;31m";
        case Severity::warning:
            return "\x1b[1;33m";
        case Severity::question:
            return "\x1b[1;36m";
    }
    return bold;
}

// One diagnostic as it is written down.
struct Page {
    std::string out;
    std::size_t gutter;  // cells of the widest line number
    std::string_view primary_color;
    bool color;
};

std::string painted(const Page& page, std::string_view color, std::string_view text) {
    return page.color && !text.empty() ? fmt::format("{}{}\x1b[0m", color, text) : std::string(text);
}

void add_row(Page& page, std::string_view margin, std::string_view body) {
    page.out += painted(page, blue, pad_left(margin, page.gutter) + " |");
    if (!body.empty()) page.out += fmt::format(" {}", body);
    page.out += '\n';
}

std::string underlines(const Page& page, const Row& row) {
    std::string out;
    std::size_t at = 0;
    for (const Mark& m : row) {
        const std::string drawn = std::string(m.width, m.primary ? '^' : '-') + m.text;
        out += std::string(m.column - at, ' ') + painted(page, m.primary ? page.primary_color : blue, drawn);
        at = m.column + m.width + display_width(m.text);
    }
    return out;
}

void add_line(Page& page, const Block& block, std::uint32_t line) {
    add_row(page, std::to_string(line), without_trailing_blanks(shown(block.source->line(line))));
    for (const Row& row : rows_under(line, block.marks)) add_row(page, "", underlines(page, row));
}

// `before` is the last line written. A single line between two is shown, it costs no more than the dots.
void add_gap(Page& page, const Block& block, std::uint32_t before, std::uint32_t line) {
    if (line == before + 2) add_line(page, block, before + 1);
    if (line > before + 2) page.out += painted(page, blue, "...") + "\n";
}

void add_block(Page& page, const Block& block) {
    const std::string arrow = std::string(page.gutter, ' ') + (block.primary ? "-->" : ":::");
    const std::string name = shown(block.source->name());
    page.out += fmt::format("{} {}:{}:{}\n", painted(page, blue, arrow), name, block.place.line, block.place.column);
    add_row(page, "", "");
    std::uint32_t before = 0;
    for (const Mark& m : block.marks) {
        if (m.line == before) continue;
        if (before > 0) add_gap(page, block, before, m.line);
        add_line(page, block, m.line);
        before = m.line;
    }
}

// Every further line of `text` stands under its first one.
void add_remark(Page& page, std::string_view title, std::string_view text) {
    const std::string head = fmt::format("{}= ", std::string(page.gutter + 1, ' '));
    const std::string indent(head.size() + display_width(title) + 2, ' ');
    page.out += painted(page, blue, head) + painted(page, bold, title) + ":";
    for (bool first = true; first || !text.empty(); first = false) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::string body = shown(line);
        if (!first && !body.empty()) page.out += indent;
        if (first && !body.empty()) page.out += ' ';
        page.out += fmt::format("{}\n", without_trailing_blanks(body));
    }
}

std::size_t gutter_of(const std::vector<Block>& blocks) {
    std::uint32_t last = 1;
    for (const Block& block : blocks) last = std::max(last, block.marks.back().line);
    return std::to_string(last).size();
}

void add_title(Page& page, const Diagnostic& d, Language language) {
    const CodeInfo& about = info(d.code);
    const std::string head = fmt::format("{}[{}]", word(about.severity, words(language)), about.id);
    const std::string body = ": " + shown(message(d, language));
    page.out += painted(page, page.primary_color, head) + painted(page, bold, without_trailing_blanks(body)) + "\n";
}

std::string render_one(const Diagnostic& d, const Sources& sources, const RenderOptions& options) {
    const std::vector<Block> blocks = blocks_of(d, sources);
    const Words& in = words(options.language);
    Page page{{}, gutter_of(blocks), color_of(info(d.code).severity), options.color};
    add_title(page, d, options.language);
    for (const Block& block : blocks) {
        if (&block != &blocks.front()) add_row(page, "", "");
        add_block(page, block);
    }
    const std::string help = help_text(d, sources, in);
    if (!blocks.empty() && (!d.notes.empty() || !help.empty())) add_row(page, "", "");
    for (const std::string& note : d.notes) add_remark(page, in.note, note);
    if (!help.empty()) add_remark(page, in.help, help);
    return page.out;
}

using Json = nlohmann::ordered_json;

Json place_json(const Source& source, std::uint32_t offset) {
    const Place place = source.place(offset);
    return {{"line", place.line}, {"column", place.column}, {"offset", source.file_offset(offset)}};
}

// {"file", "span"}, both null for a place in no source.
Json located(const Source* source, Span span) {
    if (!source) return {{"file", nullptr}, {"span", nullptr}};
    const Json both = {{"begin", place_json(*source, span.begin)}, {"end", place_json(*source, span.end)}};
    return {{"file", source->name()}, {"span", both}};
}

Json shown_place(Span span, const Sources& sources) {
    const Source* source = source_of(span, sources);
    return located(source, source ? anchored(span, *source) : span);
}

Json label_json(const Label& label, const Sources& sources) {
    Json out = shown_place(label.span, sources);
    out["text"] = label.text;
    return out;
}

// Not moved to the last character as the other places are: an edit has to be done exactly where it says.
Json edit_json(const std::optional<Edit>& edit, const Sources& sources) {
    if (!edit) return nullptr;
    const Source* source = source_of(edit->span, sources);
    Json out = located(source, source ? clamped(edit->span, *source) : edit->span);
    out["replacement"] = edit->replacement;
    return out;
}

Json diagnostic_json(const Diagnostic& d, const Sources& sources, Language language) {
    const CodeInfo& about = info(d.code);
    Json out = {{"code", about.id}, {"name", about.name}, {"severity", word(about.severity, english)}};
    out["message"] = message(d, language);
    out.update(shown_place(d.span, sources));
    out["span_text"] = d.span_text;
    out["labels"] = Json::array();
    for (const Label& label : d.labels) out["labels"].push_back(label_json(label, sources));
    out["notes"] = d.notes;
    out["help"] = help_text(d, sources, words(language));
    out["edit"] = edit_json(d.edit, sources);
    return out;
}

// By place; what stands at one place by code and arguments, so that repetitions meet.
auto rank(const Diagnostic& d) { return std::tie(d.span.source, d.span.begin, d.span.end, d.code, d.arguments); }

}  // namespace

const CodeInfo& info(Code code) { return table[static_cast<std::size_t>(code)]; }

std::optional<Code> code_named(std::string_view id) {
    for (std::size_t i = 0; i < code_count(); ++i) {
        if (equal_but_for_case(table[i].id, id)) return static_cast<Code>(i);
    }
    return std::nullopt;
}

std::size_t code_count() { return std::size(table); }

std::string message(const Diagnostic& d, Language language) {
    const CodeInfo& about = info(d.code);
    return fill(language == Language::ja ? about.ja : about.en, d.arguments);
}

bool has_errors(const Diagnostics& all) {
    return std::ranges::any_of(all, [](const Diagnostic& d) { return info(d.code).severity == Severity::error; });
}

void tidy(Diagnostics& all) {
    const auto by_rank = [](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); };
    const auto same = [](const Diagnostic& a, const Diagnostic& b) { return rank(a) == rank(b); };
    std::stable_sort(all.begin(), all.end(), by_rank);
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
}

std::string render(const Diagnostics& all, const Sources& sources, const RenderOptions& options) {
    std::string out;
    for (const Diagnostic& d : all) {
        if (!out.empty()) out += '\n';
        out += render_one(d, sources, options);
    }
    return out;
}

std::string render_json(const Diagnostics& all, const Sources& sources, Language language) {
    Json document = {{"schema", "houserule-diagnostics-1"}, {"diagnostics", Json::array()}};
    for (const Diagnostic& d : all) document["diagnostics"].push_back(diagnostic_json(d, sources, language));
    // A text that is not UTF-8 can be quoted in a diagnostic, and must not stop the report of it.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace houserule
