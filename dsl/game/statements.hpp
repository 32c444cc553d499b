// The statements of a checked game: a variant of one struct a kind (statements.def).
//
// Operands are expressions of the game. What was not written is `no_id`; where that means something, it says so.
#pragma once

#include "dsl/game/ids.hpp"
#include "dsl/text/source.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

namespace houserule {

enum PutMode : std::uint8_t { put_in = 0, put_on = 1, put_under = 2, put_shuffled = 4, put_in_order = 8 };

// In which order players are taken: from a first one on, or from the one after that.
enum EachMode : std::uint8_t { each_any_order = 0, each_clockwise = 1, each_counterclockwise = 2, each_after = 4 };

// A case of `cases`.
struct Arm {
    ExpressionId condition = no_id;
    StatementId body = no_id;
    bool except = false;
};

namespace statement {

struct Block {
    std::vector<StatementId> items;
};

struct Becomes {
    FactId fact = no_id;
    ExpressionId index = no_id;
    ExpressionId value = no_id;
};

struct Let {
    VariableId variable = no_id;
    ExpressionId value = no_id;
};

struct Says {
    ExpressionId player = no_id;
    WordId word = no_id;
};

struct Show {
    ExpressionId cards = no_id;
    ExpressionId seers = no_id;  // none: all
};

struct Stop {
    RuleId rule = no_id;
};

struct End {
    EndId end = no_id;
    std::vector<ExpressionId> arguments;
};

struct PlayGame {};

struct Put {
    ExpressionId cards = no_id;
    ExpressionId place = no_id;
    std::uint8_t mode = put_in;  // PutMode
};

struct Deal {
    ExpressionId count = no_id;  // to each of the places; none: all there are, one a place, round and round
    ExpressionId source = no_id;
    ExpressionId target = no_id;  // a place; none: the places of `owners` in `zone`
    ZoneId zone = no_id;
    ExpressionId owners = no_id;
    ExpressionId first = no_id;  // of the owners
    std::uint8_t direction = each_any_order;
    StatementId if_short = no_id;
};

struct Draw {
    VariableId variable = no_id;
    ExpressionId source = no_id;
    ExpressionId target = no_id;
    bool blindly = false;
    StatementId if_none = no_id;
};

struct Shuffle {
    ExpressionId place = no_id;
};

// Somebody is asked.
struct Decision {
    ExpressionId player = no_id;
    QuestionId question = no_id;
    StatementId body = no_id;
    StatementId otherwise = no_id;  // when there is nothing to choose from, or it was declined
};

// `p must choose c from S`, `p may choose …`: an element of a set, a number of a range, or several elements.
struct Choose : Decision {
    bool optional = false;
    bool aloud = false;
    VariableId variable = no_id;
    ExpressionId set = no_id;  // none: the numbers from `low` to `high`
    ExpressionId low = no_id;
    ExpressionId high = no_id;
    ExpressionId least = no_id;  // how many elements; none: one, not as a set
    ExpressionId most = no_id;
    ExpressionId fits = no_id;  // of several: a condition on the set in `variable`
};

struct MayDo : Decision {
    WordId word = no_id;
};

struct Simultaneously {
    VariableId variable = no_id;
    ExpressionId set = no_id;  // none: all players
    ExpressionId condition = no_id;
    StatementId body = no_id;  // a block: decisions, effects, deals (`at_once`)
};

// Of a value of a lot, or of what a table tells when it is simulated.
struct Weight {
    ExpressionId value = no_id;   // a constant
    ExpressionId weight = no_id;  // its relative frequency
};

// What comes from outside: what the table tells, or a lot that chance draws.
struct Report {
    bool by_chance = false;
    VariableId variable = no_id;
    ExpressionId set = no_id;
    ExpressionId seer = no_id;    // of a lot that one player alone sees, or nobody; none: all see it
    std::vector<Weight> weights;  // none: all alike
};

struct Offer {
    ActId act = no_id;
};

// Each element of a set; of players, in the order that `direction` says.
struct Each {
    VariableId variable = no_id;
    ExpressionId set = no_id;  // none: all players
    ExpressionId first = no_id;
    std::uint8_t direction = each_any_order;
    ExpressionId condition = no_id;
    StatementId body = no_id;
};

struct EachNumber {
    VariableId variable = no_id;
    ExpressionId low = no_id;
    ExpressionId high = no_id;
    ExpressionId condition = no_id;
    StatementId body = no_id;
};

struct Repeat {
    ExpressionId while_true = no_id;
    ExpressionId until = no_id;
    ExpressionId times = no_id;  // at most so often
    bool exactly = false;        // just so often
    ExpressionId decreases = no_id;
    StatementId body = no_id;
    StatementId at_bound = no_id;  // none: a promise that the bound is not reached, unless `exactly`
};

struct Cases {
    std::vector<Arm> arms;          // those with `except` first
    StatementId otherwise = no_id;  // none: a promise that some arm applies
};

struct Call {
    RuleId rule = no_id;
    std::vector<ExpressionId> arguments;
};

struct Judged {
    ExpressionId players = no_id;
};

struct Nothing {};

}  // namespace statement

enum class StatementKind : std::uint8_t {
#define HOUSERULE_STATEMENT(kind, Struct) kind,
#include "dsl/game/statements.def"
#undef HOUSERULE_STATEMENT
};

struct Statement {
    using Form =
        std::variant<statement::Block, statement::Becomes, statement::Let, statement::Says, statement::Show, statement::Stop,
                     statement::End, statement::PlayGame, statement::Put, statement::Deal, statement::Draw, statement::Shuffle,
                     statement::Choose, statement::MayDo, statement::Simultaneously, statement::Report, statement::Offer, statement::Each,
                     statement::EachNumber, statement::Repeat, statement::Cases, statement::Call, statement::Judged, statement::Nothing>;

    Span span;
    Form form = statement::Nothing();

    StatementKind kind() const { return static_cast<StatementKind>(form.index()); }
    // What it is, if it is one of these; else null.
    template <class Struct>
    const Struct* as() const {
        return std::get_if<Struct>(&form);
    }
    template <class Struct>
    Struct* as() {
        return std::get_if<Struct>(&form);
    }
};

#define HOUSERULE_STATEMENT(kind, Struct) \
    static_assert(std::is_same_v<std::variant_alternative_t<std::size_t(StatementKind::kind), Statement::Form>, statement::Struct>);
#include "dsl/game/statements.def"
#undef HOUSERULE_STATEMENT

// Several functions as one, for std::visit.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace houserule
