// The abstract interpreter of `prove`: takes every statement on all states at once and collects how each promise could break.
//
// Statements mean what `compile` makes of them, with rule calls in line. A loop begins in any state that its `Invariant` covers, so that
// one round stands for all. Acts at any time may come in between: what they change is unknown from then on. Expressions are evaluated
// by the one `Evaluator`, over terms.
#pragma once

#include "solver/prove/loop_invariant.hpp"
#include "solver/prove/promise_sites.hpp"
#include "solver/terms/solver_context.hpp"

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
    bool rough = false;         // a loop over players takes any player in any round, instead of one after the other
    unsigned z3_steps = 0;      // for each question
    bool keeps_states = false;  // the walk keeps the states in which each statement begins
};

// A state in which a statement begins: of what is named there, only what is in scope is known.
struct StateBefore {
    AbstractState state;
    Store<VariableId, bool> in_scope;
};

class Walk {
public:
    Walk(const Game& game, const std::vector<PromiseSite>& sites, const WalkLimits& limits);

    // The whole game; throws `OutOfTime`.
    void take_game();

    // The conditions under which the promise breaks. If none of them is possible, it is proved, also where no game comes to it.
    const std::vector<Truth>& broken(std::size_t site) const { return gathered_.broken[site]; }
    // All states in which the statement begins, if `keeps_states`. Decisions and effects that are made at once are not among them.
    const std::vector<std::shared_ptr<const StateBefore>>& states_before(StatementId s) const { return gathered_.before[s]; }
    // Only where they are read, the ends of rows and stacks are kept.
    bool keeps_ends(PlaceId place) const { return place != 0 && table_.ends_read[table_.zone_of(place)]; }
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
        Store<RuleId, AbstractState> stopped;
        Store<EndId, std::vector<std::shared_ptr<const AbstractState>>> ended;
        Store<ActId, std::vector<std::shared_ptr<const AbstractState>>> offered;  // before somebody may act
        Store<StatementId, std::vector<std::shared_ptr<const StateBefore>>> before;
    };
    using Body = std::function<AbstractState(AbstractState, AbstractState&)>;

    const Statement& statement(StatementId s) const { return game.statements[s]; }
    const Expression& expression(ExpressionId e) const { return game.expressions[e]; }

    bool is_building_late();
    void check_time() {
        if (is_late()) throw OutOfTime();
    }
    bool invariants_are_late() const { return limits_.work->spent() >= limits_.invariants_work || limits_.invariants_until.over(); }

    // ---- expressions
    // The value of an expression. In a dead state nothing is read and no promise is made: the value is `unread`.
    template <class T, class F>
    T read(AbstractState& f, T unread, F get);
    Terms::Int scalar(AbstractState& f, ExpressionId e);
    Truth truth(AbstractState& f, ExpressionId e);
    Cards<Terms> cards(AbstractState& f, ExpressionId e);
    Set<Terms> set(AbstractState& f, ExpressionId e);
    Content<Terms> content(AbstractState& f, ExpressionId e);
    void demand(AbstractState& f, int site, const Truth& holds);
    void demand(AbstractState& f, Promise promise, Operand id, const Truth& holds);
    void demand_count(AbstractState& f, StatementId id, ExpressionId e, const Terms::Int& count, const Truth& enough = Formulas::no);
    void assign(AbstractState& f, VariableId variable, Content<Terms> value);
    void drop_variables(AbstractState& f, const Store<VariableId, bool>& but);
    Truth any_card_at(const AbstractState& f, const Terms::Int& place);
    void count_round(AbstractState& f, Value most);

    // ---- statements
    AbstractState take(StatementId id, AbstractState f);
    AbstractState take(StatementId id, const statement::Block& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Becomes& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Let& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Says& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Show& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Stop& s, AbstractState f);
    AbstractState take(StatementId id, const statement::End& s, AbstractState f);
    AbstractState take(StatementId id, const statement::PlayGame& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Put& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Deal& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Draw& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Shuffle& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Choose& s, AbstractState f);
    AbstractState take(StatementId id, const statement::MayDo& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Simultaneously& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Report& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Offer& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Each& s, AbstractState f);
    AbstractState take(StatementId id, const statement::EachNumber& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Repeat& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Cases& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Call& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Judged& s, AbstractState f);
    AbstractState take(StatementId id, const statement::Nothing& s, AbstractState f);
    bool deal_changes_what_it_reads(const statement::Deal& s) const;
    AbstractState deal_anyhow(StatementId id, const statement::Deal& s, AbstractState f);
    AbstractState deal_to(StatementId id, const statement::Deal& s, AbstractState f, PlaceId target);
    AbstractState deal_one(StatementId id, const statement::Deal& s, AbstractState f, const std::optional<Terms::Int>& target);
    AbstractState deal_one_by_one(StatementId id, const statement::Deal& s, AbstractState f, const Terms::Int& wanted, PlaceId target);
    AbstractState deal_some(StatementId id, AbstractState f, const Terms::Int& from, const Terms::Int& wanted, PlaceId target);
    AbstractState deal_all(StatementId id, const statement::Deal& s, AbstractState f);
    AbstractState draw_one(StatementId id, AbstractState f, const Terms::Int& from, const Terms::Int& to, bool blindly,
                           VariableId variable);
    AbstractState cases(StatementId id, const statement::Cases& s, std::size_t arm, AbstractState f);
    void agree(StatementId id, const statement::Cases& s, AbstractState f);
    bool makes_promise(ExpressionId e) const;
    bool is_plain(StatementId id) const;
    bool is_ordered(ZoneId zone) const;
    Truth differ(const AbstractState& before, const AbstractState& a, const AbstractState& b);
    AbstractState each_player(StatementId id, const statement::Each& s, AbstractState f);
    AbstractState each_element(StatementId id, const statement::Each& s, AbstractState f);
    AbstractState each_card(StatementId id, const statement::Each& s, AbstractState f);
    template <class Loop>
    AbstractState one_round(const Loop& s, const Truth& when, Content<Terms> element, AbstractState f);
    AbstractState loop(StatementId id, AbstractState f, Value most, const Body& body);
    bool cover(Invariant& invariant, const AbstractState& f);
    AbstractState together(StatementId room, VariableId variable, StatementId body, const std::vector<Truth>& who, AbstractState f);
    AbstractState split_by(AbstractState f, const Terms::Int& number, Value count,
                           const std::function<AbstractState(AbstractState, Value)>& part);

    // ---- rules and ends
    AbstractState checks(const std::vector<CheckId>& list, AbstractState f);
    void end(EndId end, AbstractState f);
    AbstractState seen(AbstractState f);
    AbstractState offer(ActId act, AbstractState f);
    void take_acts();
    AbstractState game_once(AbstractState f);
    AbstractState take_ends(bool of_match, AbstractState f);
    void results(AbstractState f);
    void find_act_changes();
    AbstractState nowhere() const { return AbstractState(); }

    const Game& game;
    const std::vector<PromiseSite>& sites_;
    WalkLimits limits_;
    std::uint64_t terms_counted_ = 0;
    std::uint64_t built_counted_ = 0;
    SolverContext context_;
    Terms d;
    Unknowns unknowns_;
    TransferFunctions table_;
    Gathered gathered_;
    Store<ExpressionId, int> site_of_;
    std::map<std::pair<Promise, Operand>, int> site_at_;                          // by statement
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
