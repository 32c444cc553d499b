// How the rules of a file become sentences: names, expressions, conditions and statements in English and Japanese.
//
// Shared by the files book*.cpp; nobody else includes it. Everything is read from the syntax tree; what has no plain sentence is
// quoted as the file has it.
#pragma once

#include "dsl/book/book.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

using Node = SyntaxNode;

// What a name of the file, or an expression, stands for; as far as a sentence depends on it.
enum class Sort : std::uint8_t { other, truth, number, player, players, card, cards, kinds, value };

struct Meaning {
    const Node* node = nullptr;   // the declaration
    const Node* owner = nullptr;  // of a value, row or field: the enum or family
};

// A name inside a declaration: a parameter, a chosen card, who a loop is at.
struct Local {
    std::string name;
    Sort sort = Sort::other;
    std::string noun;         // `card`, `player`: what it is called while there is no other like it
    bool numbered = false;    // there is another like it, so its own name is told too
    bool titled = false;      // it is called by its own name alone
    bool it = false;          // a condition goes through it, so it is told as `it`
    std::string called = {};  // the name that is told, where it is another: a parameter stands for what it was given
    std::string text = {};    // or the words it stands for
};

// What the sentences of one page share.
struct Telling {
    bool ja = false;
    std::string language;
    const Sources* sources = nullptr;
    const Merged* merged = nullptr;
    std::map<std::string, std::string> labels;
    std::map<std::string, std::vector<Meaning>> meanings;
    std::map<std::string, std::map<std::string, std::string>> texts;  // by name, by language
    bool pieces = false;                                              // the file says `pieces`, not `cards`

    std::vector<Local> locals;
    std::vector<std::pair<std::string, Item>> readings;  // every reading met so far
    std::string subject;                                 // the local name that the sentence is about: its things are `their` things
    bool people = false;                                 // `it` is a player
    bool spell = true;                                   // short definitions may be told in their own words
    int depth = 0;                                       // of definitions in definitions
    std::set<std::string> used;                          // definitions told by their names

    template <typename... Arguments>
    std::string fill(const char* en, const char* japanese, Arguments&&... arguments) const {
        return fmt::format(fmt::runtime(ja ? japanese : en), std::forward<Arguments>(arguments)...);
    }
    const char* say(const char* en, const char* japanese) const { return ja ? japanese : en; }
};

// A condition. Japanese endings: alone or before a noun, before a further condition, before what follows from it, before 「まで」.
struct Clause {
    std::string plain;
    std::string joined = {};
    std::string conditional = {};
    std::string becoming = {};
    Kind group = Kind::file;  // e_and or e_or when it is made of several: inside another group it stands in brackets
};

// --- names (book_names.cpp)

void learn(Telling& t, const Syntax& syntax, const Merged& merged);
// The declaration of that kind that the name stands for, or null.
const Node* meaning_of(const Telling& t, const std::string& name, Kind kind);
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
Sort sort_of(Telling& t, const Node& node);
Sort sort_of_type(const Telling& t, const Node& type);
const Node* fact_type(const Telling& t, const std::string& name);
bool is_truth(Telling& t, const Node& node);

const Local* local(const Telling& t, const std::string& name);
// Adds a local name; `noun` may be empty.
void add_local(Telling& t, const std::string& name, Sort sort, const std::string& noun = "");
void add_parameters(Telling& t, const Node& declaration);
// Local names end with the block that has them.
class BlockScope {
public:
    explicit BlockScope(Telling& t) : t_(t), locals_(t.locals), subject_(t.subject), people_(t.people) {}
    ~BlockScope() {
        t_.locals = std::move(locals_);
        t_.subject = std::move(subject_);
        t_.people = people_;
    }
    BlockScope(const BlockScope&) = delete;
    BlockScope& operator=(const BlockScope&) = delete;

private:
    Telling& t_;
    std::vector<Local> locals_;
    std::string subject_;
    bool people_;
};
// A short definition without a label says more than its name: its expression, with the arguments as its parameters in `t`; else null.
const Node* spelled_out(Telling& t, const std::string& name, const std::vector<const Node*>& arguments);
// The name of a definition that the terms explain.
std::string defined(Telling& t, const std::string& name);

// --- expressions (book_phrases.cpp, book_clauses.cpp)

std::string phrase(Telling& t, const Node& node);
// `their hand`, `the player's hand`, `its hand`: what belongs to `owner`, which `name` says in the reader's words.
std::string of_owner(Telling& t, const Node& owner, const std::string& name);
// Whether it is what a condition goes through, which is told as `it`.
bool is_it(const Telling& t, const Node& node);
// Whether the words name a zone, one or several, so that pieces are in it.
bool is_zone(const Telling& t, const Node& node);
// The things a choice or a loop goes through: `the cards in the pile`, `the values of Suit`.
std::string members(Telling& t, const Node& set);
std::string whole(Telling& t, const Node& node);     // alone on its line
std::string compared(Telling& t, const Node& node);  // without the article: the highest …
std::string number(Telling& t, const Node& node);    // where a number is meant: `players` is how many
Clause clause(Telling& t, const Node& node, bool denied = false);
// `the cards of … whose rank is 3`; with `x`, what the condition calls each of them.
std::string those(Telling& t, const Node& set, const Node& condition, const std::string& x);
// The condition behind a noun: `who are marked “out”`, 「脱落」である; `x` is what it calls each of them, if not `it`.
std::string that_hold(Telling& t, const Node& condition, const std::string& x, Sort one);
// Whether an expression goes through things of its own: then what goes through it needs a name.
bool goes_through(const Node& expression);
// Whether the name stands anywhere in it.
bool mentions(const Node& node, const std::string& name);
std::string type_words(Telling& t, const Node& type);
std::string sequence_words(Telling& t, const Node& direction);  // clockwise from the starting player
// A definition by cases, one below the other; empty for others.
std::vector<Item> cases_items(Telling& t, const Node& expression);
// `, depending on …` for cases of a value; else empty.
std::string depending(Telling& t, const Node& expression);

// The arm of a reading that counts on this page.
const Node* chosen_arm(const Telling& t, const Node& reading);
// Keeps its question and its arms for the section of the readings, in the words of the place where it stands.
void keep_reading(Telling& t, const Node& reading);

// --- statements (book_statements.cpp)

// What a body, or a single statement, says.
std::vector<Item> sentences(Telling& t, const Node& body);
// `head` and what follows from it: on one line when it is one sentence, else below it.
Item under(const Telling& t, const std::string& head, std::vector<Item> items, Span span);
// The first letter large, a full stop or a colon at the end.
void finish(const Telling& t, std::vector<Item>& items);

// --- the parts of the page (book_components.cpp, book_results.cpp)

void add_heading(Page& page, const std::string& text, int level, Span span = {});
void add_paragraph(Page& page, const std::string& text, Span span = {});
void add_list(const Telling& t, Page& page, std::vector<Item> items);
// Whether a house rule says the declaration, or a part of it.
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
};
void components(Telling& t, const Counts& counts, Page& page);
void ends(Telling& t, Page& page);
void scoring(Telling& t, Page& page);
// The readings inside definitions, in the words of the definitions.
void meet_terms(Telling& t);
// The definitions that were told by name so far.
void terms(Telling& t, Page& page);
void options(Telling& t, const Syntax& syntax, Page& page);
void decisions(Telling& t, Page& page);
void examples(Telling& t, Page& page);
// What the house rules on the game say.
void changes(Telling& t, const Syntax& syntax, Page& page);

}  // namespace houserule::cli
