// The rules of a game as a page that people read: from the texts and labels of its file, and sentences made from its statements.
//
// `book_of` describes the merged syntax tree, so that what depends on the number of players is described in one place; the checked game
// is only asked how many pieces there are. The result is a `Page` without markup, which `markdown` and `html` write. It prints nothing
// and opens nothing.
#pragma once

#include "dsl/text/diagnostics.hpp"
#include "dsl/variant/variant.hpp"

#include <cstdint>
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

enum class BlockKind : std::uint8_t { heading, paragraph, list, table, steps, cards, example };

// Markdown is read beside the file: each text with what its statements do below it. HTML is printed: what the statements do stands in an
// appendix, and what only paper needs is added.
enum class Where : std::uint8_t { both, appendix, reading, print };

// A card as it is drawn: its name or values, and how many there are of it.
struct Face {
    std::vector<std::string> lines;
    std::string copies = {};
};

// Cards side by side: those of a family, or what lies in one place.
struct Shelf {
    std::string label;
    std::vector<Face> faces;
};

struct Block {
    BlockKind kind = BlockKind::paragraph;
    int level = 2;                                    // of a heading, 2 or 3
    std::string text = {};                            // of a heading or paragraph, or the title of an example
    std::vector<Item> items = {};                     // of a list, of numbered steps, or below the picture of an example
    std::vector<std::vector<std::string>> rows = {};  // of a table, its head first
    Span span = {};                                   // the declaration that it describes
    std::vector<Span> row_spans = {};                 // of a table, without its head
    Where where = Where::both;
    std::vector<Shelf> shelves = {};  // of drawn cards, or of an example
    bool new_sheet = false;           // a heading that begins on a sheet of its own
};

// A name and where it is explained.
struct IndexEntry {
    std::string name;
    Span span;
};

// How long random games were for so many players: the decisions of all of them, and what they had to do without a choice.
struct GameLength {
    int players = 0;
    std::uint64_t games = 0;
    std::uint64_t decisions = 0;
    std::uint64_t forced = 0;
};

// What is asked of a page besides the rules.
struct PageFor {
    int players = 0;  // for so many players only; 0: for every number
    std::vector<GameLength> lengths = {};
};

struct Page {
    std::string language;
    std::string title;
    std::vector<Block> blocks;
    std::string notes_heading;
    std::vector<std::string> notes;                               // footnotes, the first is number 1
    std::vector<std::pair<std::string, std::string>> cover = {};  // what it is, and how much or many
    std::string appendix_heading = {};
    std::string index_heading = {};
    std::vector<IndexEntry> index = {};  // in order
    // Words and how they are read, the longest first: printed above them in HTML.
    std::vector<std::pair<std::string, std::string>> read_aloud = {};
};

// The page of a game that checks without errors for the numbers of players that are asked for.
Page book_of(const Syntax& syntax, const Settings& settings, const Sources& sources, const std::vector<RulebookNote>& notes,
             Language language, const PageFor& asked = {});

// What the page says of parts of the file: of a statement its sentence, of a condition how it is said when it holds and when it does not.
class Wording {
public:
    Wording(const Syntax& syntax, const Settings& settings, const Sources& sources, Language language, int players);

    // Empty where nothing is said of just that part.
    std::string sentence(Span statement) const;
    std::string condition(Span expression, bool holds) const;

private:
    struct Said {
        Span span;
        std::string holds;
        std::string denied;
    };
    std::vector<Said> sentences_;
    std::vector<Said> conditions_;
};

std::string markdown(const Page& page);
enum class Paper : std::uint8_t { a4, a5 };
// A page that needs nothing else: no script, one style sheet inside, also for print.
std::string html(const Page& page, Paper paper = Paper::a4);

}  // namespace houserule::cli
