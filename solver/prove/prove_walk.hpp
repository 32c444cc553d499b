// Takes every statement of a game on all states at once and gathers how each promise could break.
//
// Statements are taken as `compile` lowers them, rule calls in line; loops begin in any state that their `Invariant` covers, which is
// what makes one round stand for all. Acts at any time may come between: what they change is unknown from then on. Operators have no
// other meaning here than anywhere: expressions go to the `Evaluator`.
#pragma once

#include "solver/prove/loop_invariant.hpp"
#include "solver/prove/promise.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace houserule {

struct WalkLimits {
    std::chrono::steady_clock::time_point until;
    std::chrono::steady_clock::time_point no_more_invariants;  // from then on loops begin in any state
    bool rough = false;     // of a loop over players, any player at any time instead of one after the other
    unsigned z3_steps = 0;  // for each question
};

class Walk {
public:
    Walk(const Game& game, const std::vector<PromiseSite>& sites, const WalkLimits& limits, const std::function<bool()>& stop);

    // The whole game; throws `OutOfTime`.
    void take_game();

    bool reached(std::size_t site) const { return reached_[site]; }
    // Under which conditions it breaks; it cannot if none of them is possible.
    const std::vector<Truth>& broken(std::size_t site) const { return gathered_.broken[site]; }
    // A solver that knows all that was assumed; each question may take a share (1 in so many) of the limits.
    std::unique_ptr<Z3Session> session(unsigned share = 1);
    // One that knows what was assumed of the unknowns in the condition, and of those in that, and so on.
    std::unique_ptr<Z3Session> session_about(const Truth& condition, unsigned share);
    Terms& terms() { return d; }
    bool is_late() const { return std::chrono::steady_clock::now() >= limits_.until || (stop_ && stop_()); }

private:
    // What statements leave behind beside the flow that goes on; put back when a loop is taken again.
    struct Gathered {
        std::vector<std::vector<Truth>> broken;  // by site
        Store<RuleId, Flow> stopped;
        Store<EndId, std::vector<std::shared_ptr<const Flow>>> ended;
        Store<ActId, std::vector<std::shared_ptr<const Flow>>> offered;  // before somebody may act
    };
    using Body = std::function<Flow(Flow, Flow&)>;

    const Statement& statement(StatementId s) const { return game.statements[s]; }
    const Expression& expression(ExpressionId e) const { return game.expressions[e]; }

    void check_time() const {
        if (is_late()) throw OutOfTime();
    }

    // ---- expressions
    void note(ExpressionId e);
    // What an expression comes to. Nobody is in a dead flow, so nothing is read there and no promise is made: it comes to `unread`.
    template <class T, class F>
    T read(Flow& f, ExpressionId e, T unread, F get);
    Terms::Int scalar(Flow& f, ExpressionId e);
    Truth truth(Flow& f, ExpressionId e);
    Cards<Terms> cards(Flow& f, ExpressionId e);
    Set<Terms> set(Flow& f, ExpressionId e);
    Content<Terms> content(Flow& f, ExpressionId e);
    void demand(Flow& f, int site, const Truth& holds);
    void demand(Flow& f, Promise promise, Operand id, const Truth& holds);
    void assign(Flow& f, VariableId variable, Content<Terms> value);
    void drop_variables(Flow& f, const Store<VariableId, bool>& but);
    Truth any_card_at(const Flow& f, const Terms::Int& place);
    void count_round(Flow& f, Value most);

    // ---- statements
    Flow take(StatementId id, Flow f);
    Flow take_plain(StatementId statement, const Statement& s, Flow f);
    Flow block(const Statement& s, Flow f);
    Flow becomes(StatementId id, const Statement& s, Flow f);
    Flow put(StatementId id, const Statement& s, Flow f);
    Flow deal(StatementId id, const Statement& s, Flow f);
    Flow deal_to(StatementId id, const Statement& s, Flow f, PlaceId target);
    Flow deal_some(StatementId id, const Statement& s, Flow f, const Terms::Int& from, PlaceId target);
    Flow deal_all(StatementId id, const Statement& s, Flow f);
    Flow draw(StatementId id, const Statement& s, Flow f);
    Flow draw_one(StatementId id, Flow f, const Terms::Int& from, const Terms::Int& to, bool blindly, VariableId variable);
    Flow choice(StatementId id, const Statement& s, Flow f);
    Flow report(StatementId id, const Statement& s, Flow f);
    Flow cases(StatementId id, const Statement& s, std::size_t arm, Flow f);
    void agree(StatementId id, const Statement& s, Flow f);
    bool is_plain(StatementId id) const;
    bool equal_statements(StatementId a, StatementId b) const;
    bool equal_expressions(ExpressionId a, ExpressionId b) const;
    Truth differ(const Flow& a, const Flow& b);
    Flow each(StatementId id, const Statement& s, Flow f);
    Flow each_player(StatementId id, const Statement& s, Flow f);
    Flow each_element(StatementId id, const Statement& s, Flow f);
    Flow each_number(StatementId id, const Statement& s, Flow f);
    Flow one_round(const Statement& s, const Truth& when, Content<Terms> element, Flow f);
    Flow repeat(StatementId id, const Statement& s, Flow f);
    Flow loop(StatementId id, Flow f, Value most, const Body& body);
    bool cover(Invariant& invariant, const Flow& f);
    Flow together(StatementId id, const Statement& s, Flow f);
    Flow together(StatementId room, VariableId variable, StatementId body, const std::vector<Truth>& who, Flow f);
    Flow fork(Flow f, const Terms::Int& number, Value count, const std::function<Flow(Flow, Value)>& part);

    // ---- rules and ends
    Flow call(const Statement& s, Flow f);
    Flow checks(const std::vector<CheckId>& list, Flow f);
    void end(EndId end, Flow f);
    Flow seen(Flow f);
    Flow offer(ActId act, Flow f);
    void take_acts();
    Flow game_once(Flow f);
    Flow take_ends(bool of_match, Flow f);
    void results(Flow f);
    void find_act_changes();
    Flow nowhere() const { return Flow(); }

    const Game& game;
    const std::vector<PromiseSite>& sites_;
    WalkLimits limits_;
    std::function<bool()> stop_;
    z3::context context_;
    Terms d;
    Unknowns unknowns_;
    Arrangement table_;
    Gathered gathered_;
    std::vector<bool> reached_;  // by site
    Store<ExpressionId, int> site_of_;
    std::map<std::pair<Promise, Operand>, int> site_at_;  // by statement
    Store<ExpressionId, bool> noted_;
    std::map<std::vector<std::int32_t>, std::unique_ptr<Invariant>> invariants_;  // by the way to the loop
    std::vector<std::int32_t> trail_;
    Store<VariableId, bool> live_;
    Store<RuleId, Store<VariableId, bool>> live_before_;  // when it was called
    Store<RuleId, std::size_t> depth_before_;             // loops around its call
    std::size_t game_depth_ = 0;
    Store<RuleId, bool> played_;  // reachable from `play`
    bool windows_ = false;
    bool running_ = false;
    bool running_match_ = false;
    bool quiet_ = false;
    Store<ActId, std::map<FactId, std::set<std::int32_t>>> act_facts_;  // facts, and the constants they become; none: anything
    Store<ActId, bool> act_moves_;
};

}  // namespace houserule
