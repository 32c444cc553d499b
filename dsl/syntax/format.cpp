#include "dsl/syntax/format.hpp"

#include "dsl/syntax/format_tokens.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace houserule {

namespace formatting {

namespace {

constexpr std::size_t step = 2;  // blanks an indentation level takes
// The widest gap between columns that authors are left.
constexpr std::size_t widest_gap = 3;
// These bound the size of the output, which would grow with the square of a hostile input; no line that people read comes near.
constexpr std::size_t deepest_indent = 100;
constexpr std::size_t widest_aligned = 200;
// Beyond this column the lines of a brace go back to the left instead of standing under what follows the brace.
constexpr std::size_t deepest_hang = 60;

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

// ---- Blanks between the tokens of a line

// What may stand in a set of values; anything else in braces makes them a body or a list of declarations.
bool may_be_in_set(const Token& token) {
    if (token.kind == TokenKind::name || token.kind == TokenKind::number) return true;
    if (token.kind != TokenKind::symbol) return false;
    return !is(token, ":") && !is(token, ";") && !is(token, "=") && !is(token, "<") && !is(token, ">") && !is(token, "<=") &&
           !is(token, ">=");
}

bool leans_left(const Token& token) {
    for (const char* text : {",", ";", ":", ")", "]", "'s", ".."}) {
        if (is(token, text)) return true;
    }
    return false;
}

// For each token, whether it is a brace without a blank on its inner side.
std::vector<bool> tight_braces(const std::vector<Token>& tokens) {
    std::vector<bool> tight(tokens.size());
    std::vector<std::size_t> open, strangers(tokens.size() + 1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        strangers[i + 1] = strangers[i] + (may_be_in_set(tokens[i]) ? 0 : 1);
        if (is_open(tokens[i])) open.push_back(i);
        if (!is_close(tokens[i]) || open.empty()) continue;
        const std::size_t begin = open.back();
        open.pop_back();
        const bool set = is(tokens[begin], "{") && strangers[begin] == strangers[i + 1];
        if (set && (tokens[begin + 1].blanks == 0 || leans_left(tokens[begin + 1]))) tight[begin] = tight[i] = true;
    }
    return tight;
}

// Whether the minus at `i` belongs to what is after it. After a name only the author knows: `lowest -1`, `limit - 1`.
bool is_sign(const std::vector<Token>& tokens, std::size_t i) {
    if (!is(tokens[i], "-") || i + 1 == tokens.size()) return false;
    const bool leans_right = tokens[i + 1].blanks == 0;
    if (i == 0) return leans_right;
    const Token& before = tokens[i - 1];
    for (const char* word : {"becomes", "is", "in", "from", "to", "by", "of", "over", "if", "and", "or", "not"}) {
        if (is(before, word)) return true;
    }
    if (before.kind == TokenKind::name) return tokens[i].blanks > 0 && leans_right;
    return before.kind == TokenKind::symbol && !is_close(before) && !is(before, "'s");
}

bool is_yes_no(const std::vector<Token>& tokens, std::size_t slash) {
    return slash > 0 && slash + 1 < tokens.size() && is(tokens[slash - 1], "yes") && is(tokens[slash + 1], "no");
}

// The blanks wanted before `tokens[i]`, not the first; two or more where the author made a column.
std::size_t wanted_blanks(const std::vector<Token>& tokens, std::size_t i, const std::vector<bool>& tight) {
    const Token &left = tokens[i - 1], &right = tokens[i];
    if (left.kind == TokenKind::other || right.kind == TokenKind::other) return right.blanks;
    if (leans_left(right)) return 0;
    for (const char* text : {"(", "[", ".."}) {
        if (is(left, text)) return 0;
    }
    if (is(left, "{")) return is(right, "}") || tight[i - 1] ? 0 : 1;
    if (is(right, "}")) return tight[i] ? 0 : 1;
    if (is(left, "/")) return is_yes_no(tokens, i - 1) ? 0 : right.blanks;
    if (is(right, "/")) return is_yes_no(tokens, i) ? 0 : right.blanks;
    if (is_sign(tokens, i - 1)) return 0;
    if (is(right, "(") && left.kind == TokenKind::name) return right.blanks;
    return std::max<std::size_t>(right.blanks, 1);
}

void settle_blanks(std::vector<Token>& tokens) {
    const std::vector<bool> tight = tight_braces(tokens);
    std::vector<std::size_t> blanks(tokens.size());
    for (std::size_t i = 1; i < tokens.size(); ++i) blanks[i] = wanted_blanks(tokens, i, tight);
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        tokens[i].inside = depth > 0;
        tokens[i].blanks = depth > 0 ? std::min(blanks[i], widest_gap) : blanks[i];
        if (is_open(tokens[i])) ++depth;
        if (is_close(tokens[i]) && depth > 0) --depth;
    }
}

// ---- Columns

using Run = std::vector<Line*>;  // lines without a blank or a comment line between them, all of one indentation

std::size_t width_between(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    std::size_t width = 0;
    for (std::size_t i = begin; i < end; ++i) width += (i == begin ? 0 : tokens[i].blanks) + tokens[i].width;
    return width;
}

std::size_t natural_width(const Line& line) {
    std::size_t width = 0;
    for (const Token& token : line.tokens) width += std::min<std::size_t>(token.blanks, 1) + token.width;
    return width;
}

// The tokens of a declaration that begin columns even after a single blank; 0 where there is none.
struct Head {
    std::size_t name = 0;
    std::size_t owner = 0;  // the `of` in `zone hand of player`, the `at` in `zone spot at 1..5`
    std::size_t last = 0;   // of the owner and the places
    std::size_t type = 0;   // what follows them
};

Head head_of(const std::vector<Token>& tokens) {
    const std::size_t first = is(tokens[0], "replace") || is(tokens[0], "change") ? 1 : 0;
    if (first + 1 >= tokens.size() || tokens[first + 1].kind != TokenKind::name) return {};
    const bool may_be_owned = is(tokens[first], "zone") || is(tokens[first], "fact");
    const bool declares = may_be_owned || is(tokens[first], "option") || is(tokens[first], "cards") || is(tokens[first], "pieces");
    if (!declares) return {};
    Head head{first + 1, 0, first + 1, first + 2};
    if (may_be_owned && head.type < tokens.size() && is(tokens[head.type], "of")) {
        head.owner = head.type;
        head.type += 2;
    }
    const bool places = may_be_owned && head.type + 2 < tokens.size() && is(tokens[head.type], "at") && !is(tokens[head.type + 1], "most");
    if (places) {
        if (head.owner == 0) head.owner = head.type;
        head.type += 2;
        while (head.type < tokens.size() && tokens[head.type].blanks == 0) ++head.type;
    }
    if (head.owner != 0) head.last = head.type - 1;
    if (head.type >= tokens.size() || tokens[head.type].blanks == 0 || tokens[head.type].inside) head.type = 0;
    return head;
}

// Aligns what stands at `part` of the heads, if an author did so. At most `gap` blanks follow the longest text before it.
void align_part(const Run& run, std::size_t Head::*part, std::size_t gap) {
    std::size_t widest = 0;
    bool wanted = false;
    for (const Line* line : run) {
        const std::size_t i = head_of(line->tokens).*part;
        if (i == 0) continue;
        widest = std::max(widest, width_between(line->tokens, 0, i));
        gap = std::min(gap, line->tokens[i].blanks);
        wanted |= line->tokens[i].blanks >= narrowest_gap;
    }
    if (!wanted) return;
    for (Line* line : run) {
        const std::size_t i = head_of(line->tokens).*part;
        if (i != 0) line->tokens[i].blanks = widest + gap - width_between(line->tokens, 0, i);
    }
}

// Names and owners stand below each other inside the first cell; a zone of nobody lets that cell reach over the owners.
void align_heads(const Run& run) {
    for (Line* line : run) {
        std::vector<Token>& tokens = line->tokens;
        const Head head = head_of(tokens);
        for (std::size_t i = 1; i <= head.last && i < tokens.size() && head.name != 0; ++i) {
            const bool in_column = i == head.name || i == head.owner || i == head.type;
            if (!in_column) tokens[i].blanks = std::min<std::size_t>(tokens[i].blanks, 1);
        }
    }
    align_part(run, &Head::name, 1);
    align_part(run, &Head::owner, narrowest_gap);
}

using Cells = std::vector<std::size_t>;  // the tokens of one line that begin a cell, but for the first cell

// What is inside brackets of the line (`{ rank 1..9   2 of each }`) keeps its gaps and is aligned with nothing.
Cells cells_of(const std::vector<Token>& tokens) {
    const Head head = head_of(tokens);
    Cells cells;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i].blanks >= narrowest_gap && !tokens[i].inside && i != head.name && i != head.owner) cells.push_back(i);
    }
    return cells;
}

// Where the author had a cell, and what it is known by: the colon before it or its first word.
using Anchor = std::pair<std::size_t, std::string_view>;

std::string_view key(const std::vector<Token>& tokens, std::size_t i) {
    return is(tokens[i - 1], ":") ? ":" : std::string_view(tokens[i].text);
}

Anchor anchor(const std::vector<Token>& tokens, std::size_t i) { return {tokens[i].column - tokens[0].column, key(tokens, i)}; }

// A line with the cells that it has so far.
struct Row {
    std::vector<Token>* line;
    Cells cells;

    std::vector<Token>& tokens() const { return *line; }
};

// Makes a cell number `column` of a word after a single blank that stands just where such a cell begins in another line.
bool join(Row& row, std::size_t column, const std::set<Anchor>& anchors) {
    const Head head = head_of(row.tokens());
    const std::size_t begin = column == 0 ? 0 : row.cells[column - 1];
    const std::size_t end = column < row.cells.size() ? row.cells[column] : row.tokens().size();
    for (std::size_t i = begin + 1; i < end && !anchors.empty(); ++i) {
        const Token& token = row.tokens()[i];
        if (token.blanks != 1 || token.inside || i == head.name || i == head.owner || i == head.type) continue;
        if (!anchors.contains(anchor(row.tokens(), i))) continue;
        row.cells.insert(row.cells.begin() + column, i);
        return true;
    }
    return false;
}

// In the longest line of a column one blank is enough for authors. From the left, so that nothing joins a cell that is itself
// pushed to the next column by a join.
void join_column(std::vector<Row>& rows, std::size_t column) {
    std::vector<Row*> reaching;
    for (Row& row : rows) {
        if (row.cells.size() > column) reaching.push_back(&row);
    }
    const auto position = [&](const Row* row) { return row->tokens()[row->cells[column]].column - row->tokens()[0].column; };
    std::sort(reaching.begin(), reaching.end(), [&](const Row* a, const Row* b) { return position(a) < position(b); });
    std::set<Anchor> anchors;
    for (Row* row : reaching) {
        if (join(*row, column, anchors)) continue;
        const std::size_t cell = row->cells[column];
        if (row->tokens()[cell].blanks >= narrowest_gap) anchors.insert(anchor(row->tokens(), cell));
    }
    for (Row& row : rows) {
        if (row.cells.size() == column) join(row, column, anchors);
    }
}

// Types are cells in all declarations if they are in one.
void join_types(std::vector<Row>& rows) {
    const bool wanted = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
        const std::size_t type = head_of(row.tokens()).type;
        return type != 0 && row.tokens()[type].blanks >= narrowest_gap;
    });
    for (Row& row : rows) {
        const std::size_t type = head_of(row.tokens()).type;
        if (wanted && type != 0 && row.tokens()[type].blanks == 1) row.cells.insert(row.cells.begin(), type);
    }
}

void align_block(const Run& run) {
    std::vector<Row> rows;
    for (Line* line : run) rows.push_back({&line->tokens, cells_of(line->tokens)});
    join_types(rows);
    std::size_t begin = 0;  // of the current column, the same in all lines
    for (std::size_t column = 0;; ++column) {
        join_column(rows, column);
        std::erase_if(rows, [&](const Row& row) { return row.cells.size() <= column; });
        if (rows.empty()) return;
        const auto end = [&](const Row& row) {
            return begin + width_between(row.tokens(), column == 0 ? 0 : row.cells[column - 1], row.cells[column]);
        };
        std::size_t gap = widest_gap, widest = 0, next = 0;
        for (const Row& row : rows) {
            const std::size_t blanks = row.tokens()[row.cells[column]].blanks;
            if (blanks == 1) {
                next = std::max(next, end(row) + 1);
                gap = narrowest_gap;
            } else {
                gap = std::min(gap, blanks);
                widest = std::max(widest, end(row));
            }
        }
        next = std::max(next, widest + gap);
        for (const Row& row : rows) row.tokens()[row.cells[column]].blanks = next - end(row);
        begin = next;
    }
}

// A line without columns parts a run, unless it looks like one that may join a column. That must not depend on where words stand,
// or formatting would not settle.
bool parts_run(const std::vector<Token>& tokens) {
    if (head_of(tokens).name != 0 || !cells_of(tokens).empty()) return false;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i].blanks == 1 && !tokens[i].inside && (key(tokens, i) == ":" || is(tokens[i], "when"))) return false;
    }
    return true;
}

void align_cells(const Run& run) {
    Run block;
    for (Line* line : run) {
        if (!parts_run(line->tokens)) {
            block.push_back(line);
            continue;
        }
        align_block(block);
        block.clear();
    }
    align_block(block);
}

void align_comments(const Run& run) {
    std::size_t widest = 0;
    for (const Line* line : run) {
        if (!line->comment.empty()) widest = std::max(widest, width_between(line->tokens, 0, line->tokens.size()));
    }
    for (Line* line : run) {
        if (line->comment.empty()) continue;
        line->comment_blanks = widest + narrowest_gap - width_between(line->tokens, 0, line->tokens.size());
    }
}

void align(const Run& run) {
    Run taking_part;
    for (Line* line : run) {
        if (natural_width(*line) <= widest_aligned) {
            taking_part.push_back(line);
            continue;
        }
        for (Token& token : line->tokens) token.blanks = std::min(token.blanks, widest_gap);
        if (!line->comment.empty()) line->comment_blanks = narrowest_gap;
    }
    align_heads(taking_part);
    align_cells(taking_part);
    align_comments(taking_part);
}

// ---- Indentation

// What the first tokens of a statement tell about the lines below it.
struct Statement {
    bool known = false;
    std::size_t column = nowhere;  // where the author had it; nowhere if no line can be deeper
    bool ended_block = false;      // its last line so far begins with a bracket that closes
    bool begins_if = false;
    bool has_if = false;  // not at its beginning
    bool has_may = false;
};

struct Level {                // an open bracket, or the file
    std::size_t closing = 0;  // where a line stands that begins with its end
    std::size_t inner = 0;
    std::size_t content = nowhere;  // the token on its line under which the next lines stand, until that is known
    bool cases = false;
    bool deeper = false;  // opened on a line that stands deeper than its statement
    Statement statement;
};

std::size_t leading_closers(const Line& line) {
    std::size_t n = 0;
    while (n < line.tokens.size() && is_close(line.tokens[n])) ++n;
    return n;
}

// For each line, the braces whose lines may stand under what follows the brace: something follows, and no line begins with their end.
std::vector<std::set<std::size_t>> hanging_braces(const std::vector<Line>& lines) {
    std::vector<std::set<std::size_t>> hanging(lines.size());
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const std::vector<Token>& tokens = lines[l].tokens;
        const std::size_t leading = leading_closers(lines[l]);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (is_open(tokens[i])) open.emplace_back(l, i);
            if (!is_close(tokens[i]) || open.empty()) continue;
            const auto [begin_line, begin] = open.back();
            open.pop_back();
            const std::vector<Token>& first = lines[begin_line].tokens;
            if (begin_line == l || i < leading || begin + 1 == first.size() || !is(first[begin], "{")) continue;
            hanging[begin_line].insert(begin);
        }
    }
    return hanging;
}

void read(Statement& statement, const std::vector<Token>& tokens, std::size_t i, std::size_t column) {
    const bool first = !statement.known;
    if (first) {
        statement.known = true;
        statement.column = column;
    }
    if (is(tokens[i], "if")) (first ? statement.begins_if : statement.has_if) = true;
    if (first && is(tokens[i], "otherwise")) statement.begins_if = true;
    // `may:` is a name for one of several readings.
    if (is(tokens[i], "may") && !first && !(i + 1 < tokens.size() && is(tokens[i + 1], ":"))) statement.has_may = true;
}

// Whether the line, which begins with no closing bracket, stands deeper than the statement before it.
bool stands_deeper(const Level& level, const std::vector<Token>& tokens) {
    const Statement& before = level.statement;
    if (!before.known) return false;
    const bool asks_none = tokens.size() > 1 && is(tokens[0], "if") && (is(tokens[1], "none") || is(tokens[1], "short"));
    if (asks_none) return !before.ended_block;
    if (is(tokens[0], "otherwise")) {
        if (before.ended_block || (before.begins_if && !before.has_may)) return false;
        if (before.has_may && !before.begins_if && !before.has_if && !level.cases) return true;
    }
    return tokens[0].column > before.column;
}

bool opens_cases(const std::vector<Token>& tokens, std::size_t brace) {
    for (std::size_t i = brace; i-- > 0 && !is_open(tokens[i]) && !is_close(tokens[i]);) {
        if (is(tokens[i], "cases")) return true;
    }
    return false;
}

// The brackets that are open at some place of the text.
class Nesting {
public:
    Nesting() : levels_(1) {}

    const Level& level() const { return levels_.back(); }

    // Reads one line and gives it its indentation. `hanging` names its braces that hang.
    void read_line(Line& line, const std::set<std::size_t>& hanging) {
        const std::vector<Token>& tokens = line.tokens;
        const std::size_t leading = leading_closers(line);
        deeper_ = false;
        if (leading > 0) {
            line.indent = close_leading(leading, tokens[0].column);
        } else {
            deeper_ = stands_deeper(level(), tokens);
            line.indent = std::min(level().inner + (deeper_ ? step : 0), deepest_indent);
            if (!deeper_) levels_.back().statement = Statement();
        }
        const std::size_t start = levels_.size();
        bool goes_on = deeper_;  // with the statement above: what comes now does not begin it
        base_ = line.indent;
        here_ = 0;
        for (std::size_t i = leading; i < tokens.size(); ++i) {
            if (is_close(tokens[i])) {
                close();
                goes_on = goes_on && levels_.size() >= start;
                continue;
            }
            if (!goes_on || levels_.size() > start) {
                const bool told = i == 0 || level().content == i;
                read(levels_.back().statement, tokens, i, told ? tokens[i].column : nowhere);
            }
            if (is_open(tokens[i])) open(tokens, i, hanging.contains(i));
        }
    }

    // Whether lines are to stand under a token of the last line read, whose columns must be known then.
    bool waits_for_columns() const {
        return std::any_of(levels_.end() - here_, levels_.end(), [](const Level& l) { return l.content != nowhere; });
    }
    // `next_column` is where the author had the next line of code.
    void take_columns(const Line& line, std::size_t next_column) {
        const auto& tokens = line.tokens;
        for (auto level = levels_.end() - here_; level != levels_.end(); ++level) {
            const std::size_t content = std::exchange(level->content, nowhere);
            if (content == nowhere) continue;
            const std::size_t column = line.indent + width_between(tokens, 0, content) + tokens[content].blanks;
            const bool near = column <= level->inner + step;
            const bool wanted = level + 1 == levels_.end() && next_column >= tokens[content].column;
            if ((near || wanted) && column <= deepest_hang) {
                level->inner = column;
            } else {
                level->statement.column = nowhere;
            }
        }
    }

private:
    std::size_t close_leading(std::size_t count, std::size_t column) {
        Level closed;
        for (; count > 0 && levels_.size() > 1; --count) {
            closed = std::move(levels_.back());
            levels_.pop_back();
        }
        deeper_ = closed.deeper;
        Statement& statement = levels_.back().statement;
        if (!deeper_) {
            // An end that the author had further left does not make the next line a deeper one.
            statement.column = statement.known ? std::max(statement.column, column) : column;
            statement.known = statement.ended_block = true;
        }
        return closed.closing;
    }

    void open(const std::vector<Token>& tokens, std::size_t i, bool hangs) {
        Level level;
        level.closing = std::min(base_ + step * static_cast<std::size_t>(here_), deepest_indent);
        level.inner = std::min(level.closing + step, deepest_indent);
        level.cases = is(tokens[i], "{") && opens_cases(tokens, i);
        level.deeper = here_ == 0 && deeper_;
        if (hangs) level.content = i + 1;
        levels_.push_back(level);
        ++here_;
    }

    void close() {
        if (levels_.size() == 1) return;
        if (here_ > 0) {
            --here_;
        } else {
            base_ = level().closing;
            deeper_ = level().deeper;
        }
        levels_.pop_back();
    }

    std::vector<Level> levels_;
    std::ptrdiff_t here_ = 0;  // how many of the levels the current line opened
    std::size_t base_ = 0;     // where the statement stands that the current place of the line belongs to
    bool deeper_ = false;
};

// ---- Output

void append_line(std::string& out, const Line& line) {
    out.append(line.indent, ' ');
    for (std::size_t i = 0; i < line.tokens.size(); ++i) {
        out.append(i == 0 ? 0 : line.tokens[i].blanks, ' ');
        out += line.tokens[i].text;
    }
    out.append(line.comment_blanks, ' ');
    out += line.comment;
    out += '\n';
}

// Lines on their way out, in order: runs are held back until their columns are known.
class Output {
public:
    void code(Line& line) {
        const bool closes = is_close(line.tokens.front());
        if (!run_.empty() && run_.back()->indent != line.indent) end_run();
        separate(!closes);
        run_.push_back(&line);
        opened_ = is_open(line.tokens.back());
    }
    void comment(Line& line) {
        end_run();
        separate(true);
        append_line(text_, line);
        opened_ = false;
    }
    void blank() { blank_ = true; }
    void end_run() {
        align(run_);
        for (const Line* line : run_) append_line(text_, *line);
        run_.clear();
    }
    std::string text() && {
        end_run();
        return std::move(text_);
    }

private:
    void separate(bool allowed) {
        const bool first = text_.empty() && run_.empty();
        if (!std::exchange(blank_, false) || !allowed || opened_ || first) return;
        end_run();
        text_ += '\n';
    }

    std::string text_;
    Run run_;
    bool blank_ = false;
    bool opened_ = false;  // the last line ends with an opening bracket
};

}  // namespace

}  // namespace formatting

std::string format(std::string_view text) {
    using namespace formatting;
    std::vector<Line> lines = scan(text);
    const std::vector<std::set<std::size_t>> hanging = hanging_braces(lines);
    Nesting nesting;
    Output output;
    std::size_t waiting = 0;  // the first of the comment and blank lines before the current one
    const auto column_after = [&](std::size_t i) {
        for (++i; i < lines.size(); ++i) {
            if (!lines[i].tokens.empty()) return lines[i].tokens[0].column;
        }
        return std::size_t{0};
    };
    const auto release = [&](std::size_t end, std::size_t indent) {
        for (; waiting < end; ++waiting) {
            if (lines[waiting].comment.empty()) {
                output.blank();
            } else {
                lines[waiting].indent = indent;
                output.comment(lines[waiting]);
            }
        }
        waiting = end + 1;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Line& line = lines[i];
        if (line.tokens.empty()) continue;
        settle_blanks(line.tokens);
        const std::size_t inner = nesting.level().inner;
        nesting.read_line(line, hanging[i]);
        release(i, leading_closers(line) > 0 ? inner : line.indent);
        output.code(line);
        if (!nesting.waits_for_columns()) continue;
        output.end_run();
        nesting.take_columns(line, column_after(i));
    }
    release(lines.size(), nesting.level().inner);
    return std::move(output).text();
}

}  // namespace houserule
