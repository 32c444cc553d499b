// A checked game: names resolved, types known, sizes fixed, for one number of players and one value of every option and reading.
//
// `check` makes it from a merged syntax tree; the interpreter compiles it to a machine. Everything is in flat stores and referred to
// by index. Expressions are pure, total (a value and a promise) and finite. Nothing here knows how a game is run.
#pragma once

#include "dsl/game/statements.hpp"
#include "dsl/text/source.hpp"

#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

enum class Operator : std::uint8_t {
#define HOUSERULE_OPERATOR(name, immediate) name,
#include "dsl/game/operators.def"
#undef HOUSERULE_OPERATOR
};
std::string_view operator_name(Operator op);

// What an expression says beside its operands: a value, something by its id, or how it is meant; by operator (operators.def).
enum class Immediate : std::uint8_t { nothing, value, set, bound, variable, fact, zone, family, table, seats, direction, cause };
Immediate immediate_of(Operator op);

enum class Base : std::uint8_t { nothing, truth, number, enumeration, player, kind, card, place, cards, set };

// The type of an expression, a fact or a variable. `of`: the enum of an enumeration, or the family of a kind or card (none: any). The
// elements of a set have the base `element` and the same `of`. A number n has low <= n <= high and stands for n / scale.
struct Type {
    Base base = Base::nothing;
    Base element = Base::nothing;
    Operand of = no_id;
    std::int32_t low = 0;
    std::int32_t high = 0;
    std::int32_t scale = 1;
    bool or_none = false;

    friend bool operator==(const Type&, const Type&) = default;
};

// Whether its values are sets: of cards, or of elements.
inline bool is_of_many(const Type& t) { return t.base == Base::set || t.base == Base::cards; }

// Numbers up to here, with either sign, are exact: sums and products of them are checked to stay within it, and so is each range.
inline constexpr std::int32_t number_limit = 999'999'999;

// What stands for *none*: of a number, which may be negative, a value below all numbers; of anything else, which counts from 0, -1.
inline constexpr std::int32_t no_number = -number_limit - 1;
inline std::int32_t none_of(const Type& type) { return type.base == Base::number ? no_number : -1; }
inline bool is_none(const Type& type, std::int32_t value) { return type.or_none && value == none_of(type); }

// Not even none: a fact before it has a value, a field that a kind of card does not have.
inline constexpr std::int32_t unset_value = std::numeric_limits<std::int32_t>::min();

// The cause of `fail` where a value is none; else no case applies.
inline constexpr std::int32_t fail_none = 1;

struct Expression {
    Operator op = Operator::constant;
    Type type;
    ExpressionId a = no_id;
    ExpressionId b = no_id;
    ExpressionId c = no_id;
    std::int32_t immediate = 0;  // to be compared and copied; what it is is asked for below, by name
    Span span;

    std::int32_t value() const { return of(Immediate::value); }
    std::int32_t set() const { return of(Immediate::set); }  // a row of the table of sets
    BoundId bound() const { return of(Immediate::bound); }   // that it reads, or that its body or key reads
    std::int32_t seats() const { return of(Immediate::seats); }
    bool is_clockwise() const { return of(Immediate::direction) > 0; }
    std::int32_t direction() const { return of(Immediate::direction); }  // 1 clockwise, -1 against
    bool is_of_none() const { return of(Immediate::cause) == fail_none; }
    Operand named() const { return Operand(immediate); }  // a variable, fact, zone, family or table

private:
    std::int32_t of([[maybe_unused]] Immediate what) const {
#ifdef HOUSERULE_SANITIZED
        assert(immediate_of(op) == what);
#endif
        return immediate;
    }
};

struct EnumType {
    std::string name;
    std::vector<std::string> values;

    std::int32_t size() const { return static_cast<std::int32_t>(values.size()); }
};

struct Field {
    std::string name;
    Type type;
    std::map<std::int32_t, std::string> value_names;  // J for 11
    TableId table = no_id;                            // by kind: the value; of a set field, its row in the set table
};

struct Family {
    std::string name;
    std::vector<Field> fields;
    KindId first_kind = 0;
    std::int32_t kind_count = 0;
    Span span;
    bool of_pieces = false;  // its things are called pieces, not cards; said by who has the text of the rules
};

// A kind of piece. Its copies, which nothing tells apart, are the pieces first_piece … first_piece + copies - 1.
struct PieceKind {
    std::string name;                  // as the rules declare it; empty for kinds that are written by their values (`white 8`)
    std::vector<std::int32_t> values;  // one value per field; of a set field, a row of the set table
    FamilyId family = no_id;
    std::int32_t copies = 1;
    std::int32_t first_piece = 0;
};

enum class Shape : std::uint8_t { set, row, stack, one };
constexpr bool has_order(Shape shape) { return shape == Shape::row || shape == Shape::stack; }
enum class Seers : std::uint8_t { all, owner, others, nobody };
// Whether people are shown a fact beside the table: once it differs from its first value, always, or never (they can still ask for it).
enum class Shown : std::uint8_t { changed, always, never };
enum class IndexBy : std::uint8_t { nothing, player, enumeration };

struct Zone {
    std::string name;
    IndexBy by = IndexBy::nothing;
    EnumId index_enum = no_id;
    Shape shape = Shape::set;
    Store<FamilyId, bool> families;  // by family: may it lie here
    std::int32_t capacity = 0;       // pieces at most
    Seers seers = Seers::all;
    PlaceId first_place = 0;  // place 0 is "in no zone"
    std::int32_t places = 1;
    Span span;
};

struct Fact {
    std::string name;
    IndexBy by = IndexBy::nothing;
    EnumId index_enum = no_id;
    std::int32_t count = 1;
    Type type;
    ExpressionId initial = no_id;  // a constant; none: the fact has no value until it becomes one
    RuleId lasts = no_id;          // the rule whose start resets it, or `lasts_game` or `lasts_match`
    Seers seers = Seers::all;
    Shown shown = Shown::changed;
    Span span;
};
inline constexpr RuleId lasts_game = no_id;
inline constexpr RuleId lasts_match{-2};

// A local name: parameter, `let`, chosen or drawn thing, loop variable.
struct Variable {
    std::string name;
    Type type;
    RuleId rule = no_id;
};

// How somebody is asked. The text has placeholders, `{p}` or `{p's claim}`, for values that who is asked can see.
struct QuestionText {
    std::string text;  // in the language of the file's texts; for others it is the key in `texts`
    std::vector<std::pair<std::string, ExpressionId>> places;
};

struct Rule {
    std::string name;
    std::vector<VariableId> parameters;
    StatementId body = no_id;
    std::vector<CheckId> ends;  // lists of ends that are checked after it
    Span span;
};

struct Act {
    std::string name;
    VariableId parameter = no_id;  // the player who acts
    ExpressionId unless = no_id;   // of the parameter: where it holds, that player may not act
    std::int32_t odds = 0;         // when simulated, a seat acts with probability odds / odds_of, each time it may
    std::int32_t odds_of = 1;
    bool any_time = false;
    StatementId body = no_id;  // first decisions, then effects, as in `simultaneously`
    std::vector<CheckId> ends;
    Span span;
};

struct End {
    std::string name;
    bool of_match = false;
    std::vector<VariableId> parameters;
    StatementId body = no_id;
    Span span;
};

// `ends checked after …`: the first that holds.
struct EndCheck {
    bool of_match = false;
    std::vector<std::pair<EndId, ExpressionId>> ends;  // end, condition
    Span span;
};

struct WinnerKey {
    bool most = true;
    ExpressionId expression = no_id;  // in which `Winner::bound` is the candidate
};
enum class LastWord : std::uint8_t { shared, nobody, by_lot };
struct Winner {
    ExpressionId set = no_id;  // the candidates
    BoundId bound = no_id;
    std::vector<WinnerKey> keys;
    LastWord last = LastWord::shared;
    bool present = false;   // the rules name a winner
    bool together = false;  // all win or nobody does, as `set` says
};

struct Given {            // a line of an example
    ZoneId zone = no_id;  // the zone; none if `fact` is given
    FactId fact = no_id;
    ExpressionId index = no_id;  // constant: whose zone or fact
    ExpressionId value = no_id;  // constant: of a fact
    std::vector<KindId> kinds;   // the cards in a zone
    Span span;
};
struct Example {
    std::string title;
    std::vector<Given> given;
    std::vector<std::pair<Operand, bool>> steps;  // a statement to do (true) or an expression that must hold (false), in order
    Span span;
    std::vector<std::size_t> given_before;           // per step: how many `given` lines stand before it
    std::vector<std::vector<ExpressionId>> choices;  // per step: what is answered in it, constants, in order
};

struct NamedText {
    std::string language;
    std::string name;
    std::string text;
};

struct OptionValue {
    std::string name;
    std::string value;  // as it is written: `yes`, `13`, `random`
    bool reading = false;
};

struct Game {
    Game();
    Game(const Game&);
    Game(Game&&) noexcept;
    Game& operator=(const Game&);
    Game& operator=(Game&&) noexcept;
    ~Game();

    std::string name;
    std::string text_language = "en";
    std::int32_t players = 0;
    bool clockwise = true;
    std::vector<std::int32_t> team;    // by player; empty without teams
    std::vector<OptionValue> options;  // and readings, in file order

    Store<EnumId, EnumType> enums;
    Store<FamilyId, Family> families;
    std::vector<PieceKind> kinds;
    std::vector<KindId> piece_kind;  // by piece
    Store<ZoneId, Zone> zones;
    std::int32_t places = 1;
    Store<FactId, Fact> facts;
    Store<VariableId, Variable> variables;
    std::int32_t bounds = 0;  // how many comprehension variables there are
    Store<TableId, std::vector<std::int32_t>> tables;
    std::vector<std::vector<std::int32_t>> sets;  // the set table: elements, ascending
    Store<WordId, std::string> words;             // said or offered: `cannot_share`, `redeal`

    Store<ExpressionId, Expression> expressions;
    Store<StatementId, Statement> statements;
    Store<QuestionId, QuestionText> questions;
    Store<RuleId, Rule> rules;
    Store<ActId, Act> acts;
    Store<EndId, End> ends;
    Store<CheckId, EndCheck> checks;
    StatementId setup = no_id;  // statements
    StatementId play = no_id;
    StatementId match = no_id;
    std::string match_name;
    Winner winner;
    ExpressionId score = no_id;  // expressions of the bound `score_bound`
    ExpressionId payoff = no_id;
    BoundId score_bound = no_id;
    bool common_score = false;  // one score for all
    std::vector<Example> examples;
    std::vector<NamedText> labels;
    std::vector<NamedText> texts;
    std::vector<std::pair<std::string, Span>> assumptions;  // `assume` and `unclear`
    std::uint64_t hash = 0;                                 // of what decides the play: no texts, labels, examples, assumptions

    std::int32_t kind_count() const { return static_cast<std::int32_t>(kinds.size()); }
};

}  // namespace houserule
