// The rules of a game as a page that people read: from the texts and labels of its file, and sentences made from its statements.
//
// `book_of` describes the merged syntax tree, so that what depends on the number of players is described in one place; the checked game
// is only asked how many pieces there are. The result is a `Page` without markup, which `markdown` and `html` write. It prints nothing
// and opens nothing.
#pragma once

#include "dsl/text/diagnostics.hpp"
#include "dsl/variant/variant.hpp"

#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

// A finding about the rules, printed as a footnote to the paragraph that holds `span`.
struct RulebookNote {
    std::string id;
    std::string text;
    Span span;
};

// Marks in the text of a page. They are control characters, which a file's own texts cannot contain (`shown` replaces them).
inline constexpr char code_begins = '\x0E';  // the file's own words
inline constexpr char code_ends = '\x0F';
inline constexpr char strong_begins = '\x10';
inline constexpr char strong_ends = '\x11';
inline constexpr char term_begins = '\x12';  // a name that the file gives a meaning
inline constexpr char term_ends = '\x13';
inline constexpr char note_begins = '\x14';  // the number of a footnote
inline constexpr char note_ends = '\x15';

// A sentence and what stands below it, from `span` of the file.
struct Item {
    std::string text;
    std::vector<Item> items = {};
    Span span = {};
};

enum class BlockKind : std::uint8_t { heading, paragraph, list, table };

struct Block {
    BlockKind kind = BlockKind::paragraph;
    int level = 2;                                    // of a heading, 2 or 3
    std::string text = {};                            // of a heading or paragraph
    std::vector<Item> items = {};                     // of a list
    std::vector<std::vector<std::string>> rows = {};  // of a table, its head first
    Span span = {};                                   // the declaration that it describes
    std::vector<Span> row_spans = {};                 // of a table, without its head
};

struct Page {
    std::string language;
    std::string title;
    std::vector<Block> blocks;
    std::string notes_heading;
    std::vector<std::string> notes;  // footnotes, the first is number 1
};

// The page of a game that checks without errors for every number of players.
Page book_of(const Syntax& syntax, const Settings& settings, const Sources& sources, const std::vector<RulebookNote>& notes,
             Language language);

std::string markdown(const Page& page);
// A page that needs nothing else: no script, one style sheet inside, also for print.
std::string html(const Page& page);

}  // namespace houserule::cli
