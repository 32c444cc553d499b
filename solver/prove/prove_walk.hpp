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
        std::vector<std::vector<Truth>> broken;                         // by site
        std::vector<Flow> stopped;                                      // by rule
        std::vector<std::vector<std::shared_ptr<const Flow>>> ended;    // by end
        std::vector<std::vector<std::shared_ptr<const Flow>>> offered;  // by act: before somebody may act
    };
    using Body = std::function<Flow(Flow, Flow&)>;

    const Statement& statement(Id s) const { return game.statements[static_cast<std::size_t>(s)]; }
    const Expression& expression(Id e) const { return game.expressions[static_cast<std::size_t>(e)]; }

    void check_time() const {
        if (is_late()) throw OutOfTime();
    }

    // ---- expressions
    void note(Id e);
    template <class F>
    auto read(Flow& f, Id e, F get);
    Terms::Int scalar(Flow& f, Id e);
    Truth truth(Flow& f, Id e);
    Cards<Terms> cards(Flow& f, Id e);
    Set<Terms> set(Flow& f, Id e);
    Content<Terms> content(Flow& f, Id e);
    void demand(Flow& f, int site, const Truth& holds);
    void demand(Flow& f, Promise promise, Id id, const Truth& holds);
    void assign(Flow& f, Id variable, Content<Terms> value);
    void drop_variables(Flow& f, const std::vector<bool>& but);

    // ---- statements
    Flow take(Id id, Flow f);
    Flow take_plain(Id statement, const Statement& s, Flow f);
    Flow block(const Statement& s, Flow f);
    Flow becomes(Id id, const Statement& s, Flow f);
    Flow put(Id id, const Statement& s, Flow f);
    Flow deal(Id id, const Statement& s, Flow f);
    Flow deal_to(Id id, const Statement& s, Flow f, Id target);
    Flow deal_some(Id id, const Statement& s, Flow f, const Terms::Int& from, Id target);
    Flow deal_all(Id id, const Statement& s, Flow f);
    Flow draw(Id id, const Statement& s, Flow f);
    Flow draw_one(Id id, Flow f, const Terms::Int& from, const Terms::Int& to, bool blindly, Id variable);
    Flow choice(Id id, const Statement& s, Flow f);
    Flow report(Id id, const Statement& s, Flow f);
    Flow cases(Id id, const Statement& s, std::size_t arm, Flow f);
    void agree(Id id, const Statement& s, Flow f);
    bool is_plain(Id id) const;
    bool equal_statements(Id a, Id b) const;
    bool equal_expressions(Id a, Id b) const;
    Truth differ(const Flow& a, const Flow& b);
    Flow each(Id id, const Statement& s, Flow f);
    Flow each_player(Id id, const Statement& s, Flow f);
    Flow each_element(Id id, const Statement& s, Flow f);
    Flow each_number(Id id, const Statement& s, Flow f);
    Flow one_round(const Statement& s, const Truth& when, Content<Terms> element, Flow f);
    Flow repeat(Id id, const Statement& s, Flow f);
    Flow loop(Id id, Flow f, Value most, const Body& body);
    bool cover(Invariant& invariant, const Flow& f);
    Flow together(Id id, const Statement& s, Flow f);
    Flow together(Id room, Id variable, Id body, const std::vector<Truth>& who, Flow f);
    Flow fork(Flow f, const Terms::Int& number, Value count, const std::function<Flow(Flow, Value)>& part);

    // ---- rules and ends
    Flow call(const Statement& s, Flow f);
    Flow checks(const std::vector<Id>& list, Flow f);
    void end(Id end, Flow f);
    Flow seen(Flow f);
    Flow offer(Id act, Flow f);
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
    std::vector<bool> reached_;                                         // by site
    std::vector<int> site_of_;                                          // by expression
    std::map<std::pair<Promise, Id>, int> site_at_;                     // by statement
    std::vector<bool> noted_;                                           // by expression
    std::map<std::vector<Id>, std::unique_ptr<Invariant>> invariants_;  // by the way to the loop
    std::vector<Id> trail_;
    std::vector<bool> live_;                      // by variable
    std::vector<std::vector<bool>> live_before_;  // by rule: when it was called
    std::vector<std::size_t> depth_before_;       // by rule: loops around its call
    std::size_t game_depth_ = 0;
    std::vector<bool> played_;  // by rule: reachable from `play`
    bool windows_ = false;
    bool running_ = false;
    bool running_match_ = false;
    bool quiet_ = false;
    std::vector<std::map<Id, std::set<Id>>> act_facts_;  // by act: facts, and the constants they become; none: anything
    std::vector<bool> act_moves_;
};

}  // namespace houserule
