// The abstract interpreter of `prove`: takes every statement on all states at once and collects how each promise could break.
//
// Statements mean what `compile` makes of them, with rule calls in line. A loop begins in any state that its `Invariant` covers, so that
// one round stands for all. Acts at any time may come in between: what they change is unknown from then on. Expressions are evaluated
// by the one `Evaluator`, over terms.
#pragma once

#include "solver/prove/loop_invariant.hpp"
#include "solver/prove/promise.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace houserule {

struct WalkLimits {
    Deadline until;
    Work* work = nullptr;  // spent by this walk; when it is gone, the walk is late
    // From then on, by time or by work spent, a loop may begin in any state at all.
    Deadline invariants_until;
    std::uint64_t invariants_work = 0;
    bool rough = false;     // a loop over players takes any player in any round, instead of one after the other
    unsigned z3_steps = 0;  // for each question
};

class Walk {
public:
    Walk(const Game& game, const std::vector<PromiseSite>& sites, const WalkLimits& limits);

    // The whole game; throws `OutOfTime`.
    void take_game();

    bool reached(std::size_t site) const { return reached_[site]; }
    // The conditions under which the promise breaks. If none of them is possible, it is proved.
    const std::vector<Truth>& broken(std::size_t site) const { return gathered_.broken[site]; }
    // A solver with all assumptions; each question may take one `share`-th of the limit.
    std::unique_ptr<Z3Session> session(unsigned share = 1);
    // A solver with the assumptions that concern the unknowns of the condition, directly or through other assumptions.
    std::unique_ptr<Z3Session> session_about(const Truth& condition, unsigned share);
    Terms& terms() { return d; }
    // Counts what was done since it was asked last.
    bool is_late();

private:
    // What statements leave behind besides the state that goes on; restored before a loop is taken again.
    struct Gathered {
        std::vector<std::vector<Truth>> broken;  // by site
        Store<RuleId, Flow> stopped;
        Store<EndId, std::vector<std::shared_ptr<const Flow>>> ended;
        Store<ActId, std::vector<std::shared_ptr<const Flow>>> offered;  // before somebody may act
    };
    using Body = std::function<Flow(Flow, Flow&)>;

    const Statement& statement(StatementId s) const { return game.statements[s]; }
    const Expression& expression(ExpressionId e) const { return game.expressions[e]; }

    void check_time() {
        if (is_late()) throw OutOfTime();
    }
    bool invariants_are_late() const { return limits_.work->spent() >= limits_.invariants_work || limits_.invariants_until.over(); }

    // ---- expressions
    void note(ExpressionId e);
    // The value of an expression. In a dead state nothing is read and no promise is made: the value is `unread`.
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
    Flow leave(const Statement& s, Flow f);
    Flow may_do(const Statement& s, Flow f);
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
    std::size_t terms_counted_ = 0;
    z3::context context_;
    Terms d;
    Unknowns unknowns_;
    Arrangement table_;
    Gathered gathered_;
    std::vector<bool> reached_;  // by site
    Store<ExpressionId, int> site_of_;
    std::map<std::pair<Promise, Operand>, int> site_at_;  // by statement
    Store<ExpressionId, bool> noted_;
    std::map<std::vector<std::int32_t>, std::unique_ptr<Invariant>> invariants_;  // by the calls and loops that lead to the loop
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
