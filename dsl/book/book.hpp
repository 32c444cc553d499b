// The rules of a game as a page that people read: from the texts and labels of its file, and sentences made from its statements.
//
// `book_of` tells the merged syntax tree, so that what depends on the number of players is told once; a checked game only says how many
// pieces there are. What comes out is a `Page`, without any markup; `markdown` and `html` write it. Part of the program that tests use
// as well, so it prints nothing and opens nothing.
#pragma once

#include "dsl/text/diagnostics.hpp"
#include "dsl/variant/variant.hpp"

#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

// Something found in the rules, to stand as a footnote where it belongs.
struct RulebookNote {
    std::string id;
    std::string text;
    Span span;
};

// Text on a page carries marks, control characters that no text of a file can bring along (they are shown as pictures).
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
    Span span = {};                                   // the declaration it tells
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
