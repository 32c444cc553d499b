// What a generated game has declared, and what an expression of it is: its text, its type and its value on a table.
#pragma once

#include "tests/random/generator/choices.hpp"
#include "tests/random/generator/values.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace houserule::random_games {

enum class Sort : std::uint8_t { truth, number, enumeration, player, kind, card, set, cards };

// `element`: of a set. `of`: the enum. `families`: as bits, those that a kind, a card or cards may be of.
struct Type {
    Sort sort = Sort::truth;
    Sort element = Sort::truth;
    int of = -1;
    std::uint32_t families = 0;
    Fraction low, high;
    int parts = 1;  // a number is a multiple of 1 / parts
    bool or_none = false;
    bool spot = false;  // a card that may be taken for the cards of its place
};
inline Type truth_type() { return {}; }
inline Type number_type(Fraction low = 0, Fraction high = 0, int parts = 1) {
    return {Sort::number, Sort::truth, -1, 0, low, high, parts, false, false};
}
inline Type of_sort(Sort sort, int of = -1, std::uint32_t families = 0) { return {sort, Sort::truth, of, families, 0, 0, 1, false, false}; }
inline Type set_of(const Type& element) {
    Type t = element;
    t.sort = Sort::set;
    t.element = element.sort;
    t.or_none = false;
    return t;
}
inline Type element_of(const Type& set) {
    Type t = set;
    t.sort = set.sort == Sort::cards ? Sort::card : set.element;
    return t;
}
// Whether a value of `actual` may stand where `wanted` does.
bool fits(const Type& actual, const Type& wanted);

struct Enum {
    std::string name;
    std::vector<std::string> values;
};
struct Field {
    std::string name;
    Type type;
    std::vector<std::pair<std::string, Fraction>> names;  // J for 11
};
struct Kind {
    int family = 0;
    std::string name;           // empty: written by its values
    std::vector<Value> values;  // a field each
    int copies = 1;
};
struct Family {
    std::string name;
    std::vector<Field> fields;
    std::vector<int> kinds;
    bool by_each = true;  // every combination, not row by row
};

enum class Shape : std::uint8_t { set, row, stack, one };
enum class Index : std::uint8_t { table, player, enumeration };
enum class Seen : std::uint8_t { all, owner, others, nobody };

// `at 1..5`: numbered places of a zone or fact; without, there is one.
struct Spots {
    int first = 1;
    int last = 0;

    bool numbered() const { return first <= last; }
    int count() const { return numbered() ? last - first + 1 : 1; }
};
struct Zone {
    std::string name;
    Index by = Index::table;
    int of = -1;  // the enum
    Shape shape = Shape::set;
    std::uint32_t families = 0;
    int at_most = 0;  // 0: no limit
    Seen seen = Seen::all;
    Spots spots{};
};
struct Fact {
    std::string name;
    Index by = Index::table;
    int of = -1;
    Type type;
    bool starts = true;
    std::string lasts = "game";
    Seen seen = Seen::all;
    Spots spots{};
};
struct Option {
    std::string name;
    Type type;
    std::vector<std::string> values;  // of a list of its own: `{up, down}`; empty for others
};

// Levels of the grammar: what stands at a higher one needs no brackets.
enum Level : std::uint8_t {
    whole,
    conjoined,
    negated,
    compared,
    grouped,
    ranged,
    summed,
    multiplied,
    prefixed,
    without_parts,
    owned,
    atom
};

struct Written {
    std::string text;
    Level level = atom;
    Type type;
    Meaning means;
};
std::string at_least(const Written& w, Level level);  // in brackets if need be

// A name inside a rule. `seer`: the name of the player who alone knows it; empty: everybody does.
struct Local {
    std::string name;
    Type type;
    std::string seer;
    bool readable = true;  // the meaning of an expression can be told: false for names of statements
};

struct Defined {
    std::string name;
    std::vector<Local> parameters;
    Written body;
    bool table = false;    // it reads the table
    bool in_reach = true;  // it may be called
};

struct Vocabulary {
    int low = 2;  // players
    int high = 2;
    bool clockwise = true;
    std::vector<int> teams;  // by player, from 1; empty without
    std::vector<Enum> enums;
    std::vector<Family> families;
    std::vector<Kind> kinds;
    std::vector<Zone> zones;
    std::vector<Fact> facts;
    std::vector<Option> options;
    std::deque<Defined> defines;  // meanings refer to them
    mutable int readings = 0;     // of expressions, written so far

    int indices(Index by, int of, int players) const;  // how many own a zone or fact, 1 for the table
    // Places count on from zone to zone; in one, from spot to spot, and there from owner to owner.
    int place(std::size_t zone, int index, int players) const;
    std::string type_text(const Type& type) const;  // as it is declared
    std::string families_text(std::uint32_t wanted) const;
};

}  // namespace houserule::random_games
