// How the rules of a file become sentences: names, expressions, conditions and statements in English and Japanese.
//
// For the files book*.cpp only. Everything is read from the syntax tree; what has no plain sentence is quoted as the file has it.
#pragma once

#include "dsl/book/book.hpp"
#include "dsl/book/texts.hpp"
#include "dsl/game/game.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

using Node = SyntaxNode;

// The sort of thing that a name or an expression stands for, as far as the wording of a sentence depends on it.
enum class Sort : std::uint8_t { other, truth, number, player, players, card, cards, kinds, value };

struct NameMeaning {
    const Node* node = nullptr;   // the declaration
    const Node* owner = nullptr;  // of a value, row or field: the enum or family
};

// A name inside a declaration: a parameter, a chosen card, the variable of a loop.
struct Local {
    std::string name;
    Sort sort = Sort::other;
    std::string noun;         // `card`, `player`: what it is called while there is no other like it
    bool numbered = false;    // another local has the same noun, so the name is printed after it
    bool titled = false;      // only its name is printed
    bool it = false;          // the element of a condition: printed as `it`
    std::string called = {};  // the name to print, if it is another one: of a parameter, that of its argument
    std::string text = {};    // the words to print instead of a name
    bool zone = false;        // a place, so that pieces are `in` it
};

// What the sentences of one page share.
struct Telling {
    Language language = Language::en;
    std::string code;  // of the language
    bool ja = false;   // the grammar is that of Japanese
    const Sources* sources = nullptr;
    const Merged* merged = nullptr;
    std::map<std::string, std::string> labels;
    std::map<std::string, std::string> kana;  // how labels are read, by name
    std::map<std::string, std::vector<NameMeaning>> meanings;
    std::map<std::string, std::map<std::string, std::string>> texts;  // by name, by language
    int players = 0;                                                  // how many play on this page; 0: it speaks of every number
    bool pieces = false;                                              // the file says `pieces`, not `cards`

    std::vector<Local> locals;
    std::vector<std::pair<std::string, Item>> readings;  // every reading met so far
    std::string subject;                                 // the local name that the sentence is about: what it owns is `their …`
    bool people = false;                                 // `it` is a player
    Sort element = Sort::other;                          // what `it` is
    bool spell = true;                                   // short definitions may be replaced by their expressions
    int depth = 0;                                       // of definitions in definitions
    std::set<std::string> used;                          // definitions that the page mentions by name
    // Called with each condition that the page says, as it holds and as it does not; may be empty.
    std::function<void(Span, const std::string& holds, const std::string& denied)> told;
    // Hears of each sentence that is no line of its own: it stands behind its condition.
    std::function<void(Span, const std::string& sentence)> joined;

    template <int places, typename... Arguments>
    requires(sizeof...(Arguments) == places) std::string fill(TextRow<places> row, Arguments&&... arguments)
    const { return houserule::fill(houserule::told(*row.words, language), {fmt::format("{}", std::forward<Arguments>(arguments))...}); }
    std::string say(TextRow<0> row) const { return std::string(row.in(language)); }
};

// The wording of a condition. Japanese has four endings: `plain` alone or before a noun, `joined` before a further condition,
// `conditional` before its consequence, `becoming` before 「まで」. English uses `plain`.
struct Clause {
    std::string plain;
    std::string joined = {};
    std::string conditional = {};
    std::string becoming = {};
    Kind group = Kind::file;  // e_and or e_or when it is made of several: inside another group it stands in brackets
    bool is_open = false;     // it ends with a condition: what stands behind it would be read as part of that
};

// --- names (book_names.cpp)

void learn(Telling& t, const Syntax& syntax, const Merged& merged);
// The declaration of that kind that the name stands for, or null.
const Node* meaning_of(const Telling& t, const std::string& name, Kind kind);
// Of a row of a family: `carrot` in `6 of carrot: 1`, and in `6 of carrot` where the family has no fields. Null: it has none.
const Node* name_of_row(const Node& family, const Node& row);
std::string named(const Telling& t, const std::string& name);      // its label, else its own words
std::string titled(const Telling& t, const std::string& name);     // the same, at the beginning of a line
std::string quoted(const Telling& t, const std::string& name);     // “label”
std::string term(const Telling& t, const std::string& name);       // marked as a word that the file defines
std::string reference(const Telling& t, const std::string& name);  // a rule, act or end
// The text of a rule, act, option, reading or end in the language of the page, else in that of the file; empty without one.
std::string text_of(const Telling& t, const std::string& name);
std::string strong(const std::string& text);
std::string source_code(const Telling& t, const Node& node);
std::string capital(const Telling& t, std::string text);
std::string piece(const Telling& t, bool many);                                    // card, cards
std::string family_words(const Telling& t, const std::string& family, bool many);  // cat cards
std::string joined(const Telling& t, const std::vector<std::string>& texts);       // a, b and c
std::string listed(const Telling& t, const std::vector<std::string>& texts);       // a, b, c
// Sets of cards that fulfil a condition in which they have this name.
std::string sets_that(Telling& t, const Node& name, const Node& condition);
// Whether it is built of conditions: `and`, `is in` and so on; not a name that stands for one.
bool is_condition(const Node& node);
Sort sort_of(Telling& t, const Node& node);
Sort sort_of_type(const Telling& t, const Node& type);
bool is_zone_type(const Telling& t, const Node& type);  // of a parameter that is a zone
const Node* fact_type(const Telling& t, const std::string& name);
bool is_truth(Telling& t, const Node& node);
// The name of what gets a value; null where it is none.
const std::string* fact_of(const Node& target);
// The fact that `becomes` makes more or less than it was; empty where it gets another value.
std::string changed_by(const Telling& t, const Node& becomes);

const Local* local(const Telling& t, const std::string& name);
// Adds a local name; `noun` may be empty.
void add_local(Telling& t, const std::string& name, Sort sort, const std::string& noun = "");
void add_parameters(Telling& t, const Node& declaration);
// Local names end with the block that has them.
class BlockScope {
public:
    explicit BlockScope(Telling& t) : t_(t), locals_(t.locals), subject_(t.subject), people_(t.people), element_(t.element) {}
    ~BlockScope() {
        t_.locals = std::move(locals_);
        t_.subject = std::move(subject_);
        t_.people = people_;
        t_.element = element_;
    }
    BlockScope(const BlockScope&) = delete;
    BlockScope& operator=(const BlockScope&) = delete;

private:
    Telling& t_;
    std::vector<Local> locals_;
    std::string subject_;
    bool people_;
    Sort element_;
};
// The expression of a short definition without a label or a text, which says more than its name; adds the arguments as its parameters to
// `t`. Null for other definitions.
const Node* spelled_out(Telling& t, const std::string& name, const std::vector<const Node*>& arguments);
// The name of a definition, marked to be explained under the terms of the page.
std::string defined(Telling& t, const std::string& name);

// --- expressions (book_phrases.cpp, book_clauses.cpp)

std::string phrase(Telling& t, const Node& node);
// `their hand`, `the player's hand`, `its hand`: what belongs to `owner`; `name` is what is owned, in the reader's words.
std::string of_owner(Telling& t, const Node& owner, const std::string& name);
// Of an argument in Japanese: that it is the element of the condition, and no other argument could be taken for it.
bool goes_without_saying(Telling& t, const Node& argument, const std::vector<const Node*>& arguments);
// Whether it is the element of the condition at hand, which is printed as `it`.
bool is_it(const Telling& t, const Node& node);
// Whether the expression names zones, so that pieces are `in` it.
bool is_zone(const Telling& t, const Node& node);
// The elements of a set that a choice or a loop runs over: `the cards in the pile`, `the values of Suit`.
std::string members(Telling& t, const Node& set);
std::string whole(Telling& t, const Node& node);                               // alone on its line
std::string values_of(const Telling& t, const Node& enumeration, bool apart);  // of several words each in quotes
std::string compared(Telling& t, const Node& node, Sort of);                   // without the article, of such things: the highest …
std::string extreme(Telling& t, const Node& node, bool most);                  // how such a number is at its most or least
std::string number(Telling& t, const Node& node);                              // where a number is meant: `players` is how many
std::string in_brackets(const std::string& text);                              // figures stand without
std::string sum_phrase(Telling& t, const Node& node);
std::string product_phrase(Telling& t, const Node& node);
std::string negative_phrase(Telling& t, const Node& node);
Clause clause(Telling& t, const Node& node, bool denied = false);
// `the cards of … whose rank is 3`; `x`: the name of an element in the condition.
std::string those(Telling& t, const Node& set, const Node& condition, const std::string& x);
// The condition after a noun: `who are marked “out”`, 「脱落」である; `x`: the name of an element in it, if not `it`.
std::string that_hold(Telling& t, const Node& condition, const std::string& x, Sort one);
// Whether the expression has a comprehension of its own: then the variable of one around it needs a name.
bool goes_through(const Node& expression);
// Whether the name occurs anywhere below the node.
bool mentions(const Node& node, const std::string& name);
std::string type_words(Telling& t, const Node& type);
std::string sequence_words(Telling& t, const Node& direction);  // clockwise from the starting player
// The cases of a definition, one item each; empty for definitions without cases.
std::vector<Item> cases_items(Telling& t, const Node& expression);
// `, depending on …` for cases of a value; else empty.
std::string depending(Telling& t, const Node& expression);

// The arm of a reading that is chosen on this page.
const Node* chosen_arm(const Telling& t, const Node& reading);
// --- readings (book_readings.cpp)

// Keeps the reading's question and arms, in the words of the sentence at hand, for the section on readings.
void keep_reading(Telling& t, const Node& reading);

// Whether a condition on the number of players holds on this page; nothing where the page speaks of every number, or of another condition.
std::optional<bool> settled(const Telling& t, const Node& condition);
// The arm of cases by the number of players that this page follows; null for other cases.
const Node* settled_arm(const Telling& t, const Node& cases);
// The part of an expression that counts for the number of players on this page, itself if there is no such part.
const Node& counted_part(const Telling& t, const Node& node);

// --- statements (book_statements.cpp)

// What a body, or a single statement, says.
std::vector<Item> sentences(Telling& t, const Node& body);
// `head` and its consequences: one line if there is one consequence, else a list below it.
Item under(const Telling& t, const std::string& head, std::vector<Item> items, Span span);
// Gives each item a capital letter at the beginning and a full stop or a colon at the end.
void finish(const Telling& t, std::vector<Item>& items);

// --- the parts of the page (book_components.cpp, book_results.cpp)

void add_heading(Page& page, const std::string& text, int level, Span span = {});
void add_paragraph(Page& page, const std::string& text, Span span = {});
void add_list(const Telling& t, Page& page, std::vector<Item> items);
// Whether the declaration, or a part of it, comes from a house rule.
bool is_changed(const Telling& t, const Node& declaration);
std::string change_mark(const Telling& t, const Node& declaration);

// The declarations of a kind, in the order of the file.
std::vector<const Node*> declarations(const Telling& t, Kind kind);
// Every place below `node` with a node of that kind.
void each_node(const Node& node, Kind kind, const std::function<void(const Node&)>& f);

// Copies of each family, by the fewest and the most players.
struct Counts {
    std::map<std::string, std::pair<int, int>> of;
    std::pair<int, int> all;
    std::pair<int, int> players;
    Game game;  // for the most players
};
void components(Telling& t, const Counts& counts, Page& page);
void ends(Telling& t, Page& page);
void scoring(Telling& t, Page& page);
// In a few lines: who wins, and how the game can end.
void aim(Telling& t, Page& page);
// Keeps the readings that stand inside definitions (see keep_reading).
void meet_terms(Telling& t);
// Explains the definitions that the page has mentioned by name so far.
void terms(Telling& t, Page& page);
void options(Telling& t, const Syntax& syntax, Page& page);
void decisions(Telling& t, Page& page);
// As pictures, and in words.
void examples(Telling& t, Page& pictures, Page& words);
// The section on house rules: what each of them changes.
void changes(Telling& t, const Syntax& syntax, Page& page);
// A definition and what it means.
Item term_item(Telling& t, const Node& define);

// --- what only paper needs (book_print.cpp)

// The blocks that are added by `f` belong there.
void mark(Page& page, Where where, const std::function<void()>& f);
void cover(const Telling& t, const PageFor& asked, const Counts& counts, Page& page);
void drawn_cards(const Telling& t, const Game& game, const std::string& family, Page& page);
// The set-up as numbered steps, with the rules that it runs in their places.
void steps(Telling& t, const std::set<std::string>& of_setup, Page& page);
// Of a rule that chooses one value of a list: what is different with each of them.
std::vector<Item> value_meanings(Telling& t, const Node& declaration);
// An example as a small table with what lies on it; `items`: what is said of it in words.
void picture(Telling& t, const Node& example, const Item& item, Page& page);
void readings_aloud(const Telling& t, Page& page);
void index(const Telling& t, Page& page);

}  // namespace houserule::cli
