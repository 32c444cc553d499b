// The state machine of a checked game: flat code whose waiting points are the nodes of a graph.
//
// `compile` lowers the rules' statements to steps. Between two waiting points (a choice, a draw, a report, a window for acts, the end)
// everything is forced. A rule is a subroutine with fixed slots for its parameters, local names and return point: rules never call
// themselves, so there is no stack. The same steps are run on numbers (interpreter/engine) and on unknowns (solver/coexecute).
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"
#include "interpreter/machine/repeated.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

enum class Op : std::uint8_t {
#define HOUSERULE_STEP(name) name,
#include "interpreter/machine/steps.def"
#undef HOUSERULE_STEP
};
std::string_view step_name(Op op);

// Whether a run waits there for an answer, or for ever.
constexpr bool waits(Op op) {
    switch (op) {
        case Op::choose:
        case Op::ask:
        case Op::draw:
        case Op::report:
        case Op::window:
        case Op::halt:
            return true;
        default:
            return false;
    }
}

// x, y, z, w are expressions; a, b, c as steps.def says. Jump targets are indices into `code`.
struct Step {
    Op op = Op::nothing;
    std::uint8_t mode = 0;
    Operand a = no_id;
    Operand b = no_id;
    Operand c = no_id;
    ExpressionId x = no_id;
    ExpressionId y = no_id;
    ExpressionId z = no_id;
    ExpressionId w = no_id;
    ExpressionId fits = no_id;      // choose: a condition on all that is chosen, in variable a
    StatementId statement = no_id;  // the statement it comes from
    RuleId rule = no_id;            // the rule, or none for setup, play, match and ends
};

enum ChoiceMode : std::uint8_t {
    choice_aloud = 1,
    choice_range = 2,     // from the number y to the number w
    choice_optional = 4,  // asked yes or no first
    choice_joint = 8,     // together with others: nobody sees anything before all have chosen
    choice_many = 16,     // z..w elements, into a set
};

enum LoadMode : std::uint8_t { load_again = 1 };  // what was kept of a player's choice is read once more later
enum PromiseMode : std::uint8_t { promise_count = 1 };
enum BranchMode : std::uint8_t { branch_besides = 1 };  // the arm of another condition has been taken: whether this one holds, too

// A loop over players, by the variables it uses: it began at `first` and has passed `counter` seats.
struct PlayerLoop {
    VariableId counter = no_id;
    VariableId first = no_id;
    VariableId player = no_id;
    VariableId set = no_id;  // the players it visits; none: all
    bool clockwise = true;
    bool after = false;  // it skips the player it begins at
};

// Two arms of `cases` of one rank whose conditions hold at once. If neither asks, draws, says or shows, each is carried out on a copy of
// the state, and what they leave is compared (by kinds: which copy lies where makes no difference); nobody acts in between.
struct Overlap {
    // It begins at `entry`, and is left when play comes to one of `exits` or to an end.
    struct Way {
        ExpressionId condition = no_id;
        StepId entry = no_id;
        std::vector<StepId> exits;
    };
    Way first;
    Way other;
    bool compared = true;  // false: both must not hold
};

// Where each thing lies in the state, counted in bytes.
struct Layout {
    std::uint32_t bytes = 0;
    std::uint32_t words = 1;        // 64-bit words of a set of pieces (and of any set)
    std::int32_t first_number = 0;  // the number that the lowest bit of a set of numbers stands for
    std::uint32_t pc = 0;
    Store<FactId, std::uint32_t> fact;   // first element of each fact; 4 bytes a scalar, `words` * 8 a set
    Store<FactId, std::uint32_t> given;  // sets without a start value: 4 bytes each, 1 once it has one; 0 for all others, which need none
    Store<VariableId, std::uint32_t> variable;
    std::vector<std::uint32_t> place;  // by place: the set of pieces there
    std::vector<std::uint32_t> order;  // rows and stacks: one byte a piece, bottom first; 0 for other shapes
    std::vector<std::uint32_t> marks;  // stacks: bit i set when piece i begins a part whose order is unknown
    std::uint32_t where = 0;           // two bytes a piece: its place
};

struct Machine {
    Game game;  // with what compiling added: temporaries and their expressions
    Store<StepId, Step> code;
    Store<LoopId, PlayerLoop> loops;
    Store<WeightsId, std::vector<std::pair<std::int32_t, ExpressionId>>> weights;  // (value, expression), for reports and lots
    Store<ResetId, std::vector<FactId>> resets;                                    // facts that go back to their start together
    Store<OverlapId, Overlap> overlaps;
    Layout layout;
    Repeated repeated;  // what is worth keeping once it is computed
    StepId start{0};
    VariableId ended_game = no_id;  // the variable that holds the end that came, or -1
    VariableId ended_match = no_id;
    VariableId running_end = no_id;  // truth variables: the statements of an end of the game, of the match are being carried out
    VariableId running_match_end = no_id;
    std::vector<ZoneId> place_zone;             // by place: its zone, none for place 0
    Store<RuleId, VariableId> return_variable;  // by rule
    Store<RuleId, StepId> rule_entry;           // by rule: its first step
    Store<VariableId, VariableId> told_as;  // by variable: the first of its name and type, ranges aside: nobody hears which of them it is
};

// What an event says of the step: of what is chosen, or told by the table or chance, the variable.
inline Operand told_name(const Machine& machine, const Step& s) {
    const bool is_variable = s.op == Op::choose || s.op == Op::report;
    return is_variable ? Operand(machine.told_as[VariableId(s.a)]) : s.a;
}

inline constexpr std::uint32_t state_limit = 64 * 1024;  // bytes: 256 pieces and 10 players with a dozen ordered zones each

std::shared_ptr<const Machine> compile(Game game);  // of a game that was checked without errors

// The error of a machine whose states are larger than `state_limit`, else nothing. To be asked before a machine is run.
std::optional<Diagnostic> too_large(const Machine& machine);

std::string print(const Machine& machine);

}  // namespace houserule
