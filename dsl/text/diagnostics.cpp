#include "dsl/text/diagnostics.hpp"

#include "dsl/text/ascii.hpp"
#include "dsl/text/index_of.hpp"
#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <tuple>

template class std::vector<houserule::Diagnostic>;

namespace houserule {

namespace {

constexpr CodeInfo table[] = {
#define HOUSERULE_DIAGNOSTIC(code, severity, name) {code, Severity::severity, #name, Text::name.words},
#include "dsl/text/diagnostics.def"
#undef HOUSERULE_DIAGNOSTIC
};

std::string_view word(Severity severity, Language language) {
    switch (severity) {
        case Severity::error:
            return Text::error.in(language);
        case Severity::warning:
            return Text::warning.in(language);
        case Severity::question:
            return Text::question.in(language);
    }
    return Text::error.in(language);
}

bool equal_but_for_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, ascii::small, ascii::small); }

// What a file says can be as long as the file: of each line only so much is quoted.
std::string measured(std::string_view text) {
    std::string out;
    for (bool first = true; first || !text.empty(); first = false) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!first) out += '\n';
        out += line.size() > quote_width && display_width(line) > quote_width ? clipped(line, quote_width) : std::string(line);
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

Phrase help_of(const Diagnostic& d, const Sources& sources) {
    if (!d.help.empty() || !d.edit) return d.help;
    const Source* source = source_of(d.edit->span, sources);
    const std::string old = source ? std::string(source->text(clamped(d.edit->span, *source))) : std::string();
    if (d.edit->replacement.empty()) return Text::remove_this(old);
    return old.empty() ? Text::insert_this(d.edit->replacement) : Text::write_this(d.edit->replacement);
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
    if (!text.empty()) beside += " " + clipped(text, quote_width);
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

std::vector<Block> blocks_of(const Diagnostic& d, const Sources& sources, Language language) {
    std::vector<Block> blocks;
    add_mark(blocks, sources, d.span, d.span_text.in(language), true);
    for (const Label& label : d.labels) add_mark(blocks, sources, label.span, label.text.in(language), false);
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

std::vector<Row> rows_under(const std::vector<Mark>& marks) {
    std::vector<Row> rows;
    for (const Mark& m : marks) {
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

// Where an excerpt of a long line begins so that the mark stands in its middle, or near its left end when it is long itself.
std::size_t excerpt_begin(const Mark& m, std::size_t line_width) {
    constexpr std::size_t least_before = 10;
    const std::size_t before = std::max(least_before, (excerpt_width - std::min(m.width, excerpt_width)) / 2);
    const std::size_t last = line_width + 1 - excerpt_width;
    return std::min(m.column > before ? m.column - before : 0, last);
}

// A line and what is marked on it. Of a line that is too long the part around the first mark, then those around the marks beyond it.
void add_line(Page& page, const Block& block, std::uint32_t line) {
    const std::string_view text = block.source->line(line);
    const std::size_t width = display_width(text);
    std::vector<Mark> left;
    std::ranges::copy_if(block.marks, std::back_inserter(left), [&](const Mark& m) { return m.line == line; });
    do {
        std::size_t from = width <= excerpt_width || left.empty() ? 0 : excerpt_begin(left.front(), width);
        const std::string part = window(text, from, excerpt_width);
        std::vector<Mark> here, beyond;
        for (Mark& m : left) {
            const bool inside = width <= excerpt_width || (m.column >= from && m.column < from + excerpt_width);
            if (inside) {
                m.column -= from;
                if (width > excerpt_width) m.width = std::min(m.width, excerpt_width - m.column);
            }
            (inside ? here : beyond).push_back(std::move(m));
        }
        add_row(page, std::to_string(line), without_trailing_blanks(part));
        for (const Row& row : rows_under(here)) add_row(page, "", underlines(page, row));
        left = std::move(beyond);
    } while (!left.empty());
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
        const std::string body = clipped(line, quote_width);
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
    const std::string head = fmt::format("{}[{}]", word(about.severity, language), about.id);
    const std::string body = ": " + shown(message(d, language));
    page.out += painted(page, page.primary_color, head) + painted(page, bold, without_trailing_blanks(body)) + "\n";
}

std::string render_one(const Diagnostic& d, const Sources& sources, const RenderOptions& options) {
    const std::vector<Block> blocks = blocks_of(d, sources, options.language);
    Page page{{}, gutter_of(blocks), color_of(info(d.code).severity), options.color};
    add_title(page, d, options.language);
    for (const Block& block : blocks) {
        if (&block != &blocks.front()) add_row(page, "", "");
        add_block(page, block);
    }
    const std::string help = help_of(d, sources).in(options.language);
    if (!blocks.empty() && (!d.notes.empty() || !help.empty())) add_row(page, "", "");
    for (const Phrase& note : d.notes) add_remark(page, Text::note.in(options.language), note.in(options.language));
    if (!help.empty()) add_remark(page, Text::help.in(options.language), help);
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

Json label_json(const Label& label, const Sources& sources, Language language) {
    Json out = shown_place(label.span, sources);
    out["text"] = measured(label.text.in(language));
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
    Json out = {{"code", about.id}, {"name", about.name}, {"severity", word(about.severity, Language::en)}};
    out["message"] = message(d, language);
    out.update(shown_place(d.span, sources));
    out["span_text"] = d.span_text.in(language);
    out["labels"] = Json::array();
    for (const Label& label : d.labels) out["labels"].push_back(label_json(label, sources, language));
    out["notes"] = Json::array();
    for (const Phrase& note : d.notes) out["notes"].push_back(measured(note.in(language)));
    out["help"] = measured(help_of(d, sources).in(language));
    out["edit"] = edit_json(d.edit, sources);
    return out;
}

// What is shown of a list, in its order, and how many are not, by source.
struct Selected {
    std::vector<const Diagnostic*> shown;
    std::map<std::uint16_t, std::size_t> left_out;
};

std::size_t grade(const Diagnostic& d) { return index_of(info(d.code).severity); }

Selected select(const Diagnostics& all) {
    std::map<std::uint16_t, std::array<std::size_t, 3>> room;  // how many are still to be shown, by severity
    for (const Diagnostic& d : all) ++room[d.span.source][grade(d)];
    for (auto& [source, of_grade] : room) {
        std::size_t left = shown_per_file;
        for (std::size_t& n : of_grade) {
            n = std::min(n, left);
            left -= n;
        }
    }
    Selected selected;
    for (const Diagnostic& d : all) {
        std::size_t& left = room[d.span.source][grade(d)];
        std::size_t not_told = d.more;
        if (left > 0) {
            --left;
            selected.shown.push_back(&d);
        } else {
            ++not_told;
        }
        if (not_told > 0) selected.left_out[d.span.source] += not_told;
    }
    return selected;
}

// By place; what stands at one place by code and arguments, so that repetitions meet.
auto rank(const Diagnostic& d) { return std::tie(d.span.source, d.span.begin, d.span.end, d.code, d.arguments); }

}  // namespace

Diagnostic::Diagnostic(Code about, Span at, std::span<Phrase> of)
    : code(about), span(at), arguments(std::make_move_iterator(of.begin()), std::make_move_iterator(of.end())) {}
Diagnostic::Diagnostic() = default;
Diagnostic::Diagnostic(const Diagnostic&) = default;
Diagnostic::Diagnostic(Diagnostic&&) noexcept = default;
Diagnostic& Diagnostic::operator=(const Diagnostic&) = default;
Diagnostic& Diagnostic::operator=(Diagnostic&&) noexcept = default;
Diagnostic::~Diagnostic() = default;

const CodeInfo& info(Code code) { return table[index_of(code)]; }

std::optional<Code> code_named(std::string_view id) {
    for (std::size_t i = 0; i < code_count(); ++i) {
        if (equal_but_for_case(table[i].id, id)) return static_cast<Code>(i);
    }
    return std::nullopt;
}

std::size_t code_count() { return std::size(table); }

std::string message(const Diagnostic& d, Language language) {
    std::vector<std::string> arguments;
    for (const Phrase& argument : d.arguments) arguments.push_back(measured(argument.in(language)));
    return fill_apart(told(*info(d.code).title, language), arguments);
}

Phrase did_you_mean(const std::string& near) { return near.empty() ? Phrase() : Text::did_you_mean(near); }

bool has_errors(const Diagnostics& all) {
    return std::ranges::any_of(all, [](const Diagnostic& d) { return info(d.code).severity == Severity::error; });
}

void tidy(Diagnostics& all) {
    const auto by_rank = [](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); };
    const auto same = [](const Diagnostic& a, const Diagnostic& b) { return rank(a) == rank(b); };
    std::stable_sort(all.begin(), all.end(), by_rank);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (kept > 0 && same(all[kept - 1], all[i])) {
            all[kept - 1].more += all[i].more;
            continue;
        }
        if (kept != i) all[kept] = std::move(all[i]);
        ++kept;
    }
    all.resize(kept);
}

Diagnostic& add(Diagnostics& all, Diagnostic d) {
    const std::size_t before = all.size();
    collect(all, std::move(d));
    if (all.size() > before) return all.back();
    thread_local Diagnostic nowhere;
    return nowhere = {};
}

void collect(Diagnostics& all, Diagnostic d) {
    const bool gravest = all.empty() || info(d.code).severity < info(all.back().code).severity;  // an error is never only counted
    if (all.size() >= collected_limit && !gravest)
        all.back().more += 1 + d.more;
    else
        all.push_back(std::move(d));
}

std::string render(const Diagnostics& all, const Sources& sources, const RenderOptions& options) {
    const Selected selected = select(all);
    std::string out;
    for (const Diagnostic* d : selected.shown) {
        if (!out.empty()) out += '\n';
        out += render_one(*d, sources, options);
    }
    if (!selected.left_out.empty()) out += '\n';
    for (const auto& [index, n] : selected.left_out) {
        const Source* source = selected.left_out.size() > 1 ? source_of({0, 0, index}, sources) : nullptr;
        if (source) out += shown(source->name()) + ": ";
        out += Text::and_more(n).in(options.language) + "\n";
    }
    return out;
}

std::string render_json(const Diagnostics& all, const Sources& sources, Language language) {
    const Selected selected = select(all);
    Json document = {{"schema", "houserule-diagnostics-1"}, {"diagnostics", Json::array()}};
    for (const Diagnostic* d : selected.shown) document["diagnostics"].push_back(diagnostic_json(*d, sources, language));
    for (const auto& [index, n] : selected.left_out) {
        const Source* source = source_of({0, 0, index}, sources);
        document["left_out"].push_back({{"file", source ? Json(source->name()) : Json()}, {"count", n}});
    }
    // A text that is not UTF-8 can be quoted in a diagnostic, and must not stop the report of it.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace houserule
