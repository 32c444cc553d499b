// The state of a plain run, and the values of expressions in it: those of dsl/meaning over numbers, with the pieces that cards stand for
// and the first promise that broke.
//
// dsl/meaning knows how many copies of each kind lie where; a plain run also knows which pieces those are, since a name goes with a piece.
#pragma once

#include "dsl/meaning/numbers.hpp"
#include "dsl/meaning/operators.hpp"
#include "interpreter/plain/plain_table.hpp"
#include "interpreter/run/failure.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

// Numbers that tell of a broken promise when it breaks, where comprehension variables still stand at what broke it.
class TellingNumbers : public Numbers {
public:
    explicit TellingNumbers(std::function<void(ExpressionId)> tell) : tell_(std::move(tell)) {}

    void promise(Bool holds, ExpressionId expression) {
        if (!holds && read_) tell_(expression);
    }
    template <class F>
    decltype(auto) guarded(Bool condition, F&& f) {
        const Guard guard(read_, condition);
        return std::forward<F>(f)();
    }

private:
    // One more guard, for as long as it lives.
    class Guard {
    public:
        Guard(bool& read, bool holds) : read_(read), before_(std::exchange(read, read && holds)) {}
        ~Guard() { read_ = before_; }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        bool& read_;
        bool before_;
    };

    std::function<void(ExpressionId)> tell_;
    bool read_ = true;  // all guards in force hold
};

// What a rule may read.
struct PlainGame {
    PlainTable table;
    PlainState<TellingNumbers> state;      // its piles and variables of cards follow `table` and `named`: see PlainValues::settle
    Store<VariableId, PieceList> named{};  // of a variable of cards, or of one card: the pieces, ascending
};

class PlainValues {
public:
    explicit PlainValues(const Machine& machine);
    PlainValues(const PlainValues&) = delete;
    PlainValues& operator=(const PlainValues&) = delete;

    PlainGame& now() { return now_; }
    const PlainGame& now() const { return now_; }
    // From `begin_effects` on, facts and cards are read as they were then; names are read as they are.
    void begin_effects() { then_ = now_; }
    void end_effects() { then_.reset(); }
    bool in_effects() const { return then_.has_value(); }
    PlaceId place_then(std::int32_t piece) const { return (then_ ? *then_ : now_).table.where(piece); }
    void start();   // the state before the setup
    void settle();  // to be called when pieces or names of cards have changed

    Value scalar(ExpressionId id);
    bool truth(ExpressionId id) { return scalar(id) == 1; }
    std::vector<Value> set(ExpressionId id);  // ascending
    PieceList cards(ExpressionId id);         // ascending
    std::int32_t card(ExpressionId id);       // a piece, or -1 for no card
    bool is_cards(ExpressionId id) const { return game_.expressions[id].type.base == Base::cards; }
    void bind(BoundId bound, Value element);

    void start_fact(FactId fact);
    void assign(VariableId variable, ExpressionId id);
    Value& number(VariableId variable) { return std::get<Value>(now_.state.variables[variable]); }
    Value number(VariableId variable) const { return std::get<Value>(now_.state.variables[variable]); }
    Set<TellingNumbers>& set_variable(VariableId variable) { return std::get<Set<TellingNumbers>>(now_.state.variables[variable]); }
    void put_elements(VariableId variable, const std::vector<Value>& elements);
    static std::vector<Value> elements(const Set<TellingNumbers>& set);

    bool failed() const { return failed_; }
    const Failure& failure() const { return failure_; }                 // the first one
    const std::vector<Failure>& failures() const { return failures_; }  // those that came together
    void fail(const Failure& failure);
    void forget_failure() {
        failed_ = false;
        failures_.clear();
    }
    void place_failure(Span span);  // those that are nowhere yet
    // f() with no failure so far; nothing, and the failure, if one came. Else an earlier failure is kept.
    template <class F>
    auto probed(F f) -> std::optional<decltype(f())> {
        const bool failed = std::exchange(failed_, false);
        const Failure kept = failure_;
        auto value = f();
        if (std::exchange(failed_, failed)) return std::nullopt;
        failure_ = kept;
        return value;
    }

private:
    Evaluator<TellingNumbers> evaluator() { return {numbers_, game_, read().state}; }
    PlainGame& read();
    void bring_names(PlainGame& game) const;
    bool are_alike(const PieceList& pieces) const;  // all of one kind
    Value size_at(PlaceId place);                   // 0 if there is no such place
    PieceList preferred(ExpressionId id);
    void broke(ExpressionId id);
    FailureKind reason(ExpressionId id);
    Set<TellingNumbers> set_of(ExpressionId id) { return evaluator().set(id); }

    const Machine& m_;
    const Game& game_;
    TellingNumbers numbers_;
    PlainGame now_;
    std::optional<PlainGame> then_;
    bool failed_ = false;
    bool explaining_ = false;  // what is read to find a reason breaks promises, too
    Failure failure_;
    std::vector<Failure> failures_;
};

}  // namespace houserule
