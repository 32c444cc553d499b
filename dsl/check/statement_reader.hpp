// Reads the syntax of statements into `Game::statements`, and checks that a choice depends only on what the chooser can see.
#pragma once

#include "dsl/check/call_graph.hpp"
#include "dsl/check/knowledge.hpp"
#include "dsl/expressions/expression_reader.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

class StatementReader : public ExpressionReader {
protected:
    explicit StatementReader(Diagnostics& diagnostics) : ExpressionReader(diagnostics), knowledge_(*this, game_), calls_(game_) {}

    // Reads a block in a new scope; of null an empty block.
    StatementId body(const Node* node);
    // The statement of a call; `no_id`, and a report, if no rule has that name.
    StatementId call(const Node& node);
    // `knower`: who knows its value.
    VariableId new_variable(const std::string& name, Type type, Knower knower);
    VariableId judged_set(const std::string& name, const Type& cards) override;
    // Reports E0301 if `player` may not know `e`. What cannot be shown yet is decided in `report_unknown`, when all calls are known.
    // `said`: `e` is announced, and not chosen from.
    void must_know(ExpressionId player, ExpressionId e, bool said = false);
    void report_unknown();
    // The block of an act or of `simultaneously`: decisions, then effects. The yes or no of a `may` is decided with the others, and its
    // branches are effects. Reports a question after the first effect.
    StatementId decided_together(const Node* body);
    // Reports loops over players without a stated order whose bodies ask somebody. Called after `CallGraph::find_what_asks`.
    void ask_for_orders();

    // --- rules that take zones: one specialised rule for each choice of zones that they are called with (check_calls.cpp)
    bool takes_zones(RuleId rule) const { return zone_rules_.contains(rule); }
    void declare_zone_rule(RuleId rule, const Node& declaration);
    // The type of the zone's index: a player, or a value of an enumeration.
    Type owner_type(ZoneId zone);
    // The type of a parameter that is no zone.
    Type parameter_type(const Node& parameter);
    // The rule that is called, and what it is given; `no_id`, and a report, if it cannot be.
    RuleId with_zones(RuleId rule, const Node& call, std::vector<ExpressionId>& given);
    // Reads all specialised rules that were called so far, and those that they call.
    void read_zone_rules();
    // Then reads the rules that nothing calls, for some zone without an error. All specialised rules get the ends that are checked after
    // the rule.
    void finish_zone_rules();

    PlayerKnowledge knowledge_;
    CallGraph calls_;
    RuleId rule_ = no_id;  // the rule being read
    bool in_match_ = false;

private:
    void no_decision_inside(StatementId statement);
    bool deals_ask(StatementId id) const;
    StatementId statement(const Node& node);
    // Reads the statements of a block, or the one that stands without braces.
    void each_statement(const Node& body, const std::function<void(const Node&)>& read) const;
    // Reads the next statement of the block; the next moment begins after it.
    StatementId next_statement(const Node& node);
    StatementId add(const Node& node, Statement::Form form);
    // Reads a body, taking it that the condition holds in it, or does not.
    StatementId body_where(ExpressionId condition, bool holds, const Node* node);
    void note_left(StatementId statement);
    StatementId becomes(const Node& node);
    // An assignment to `NAME at n`: `cases` over n where it is no constant.
    StatementId becomes_at(const AtPlace& of, ExpressionId number, const Node& node, const std::function<ExpressionId(const Fact&)>& value);
    StatementId lot_to_fact(const Node& node);
    StatementId lot_of(const Node& node, const Fact& fact, ExpressionId owner, VariableId& picked);
    StatementId deal_to_each(const Node& node, const std::string& name);
    StatementId let(const Node& node);
    StatementId says(const Node& node);
    StatementId play_game(const Node& node);
    StatementId judged(const Node& node);
    StatementId shuffle(const Node& node);
    StatementId put(const Node& node);
    bool holds_one(ExpressionId cards) const;
    StatementId deal(const Node& node);
    StatementId draw(const Node& node);
    StatementId must(const Node& node, bool may);
    bool leaves(StatementId statement) const;
    static const Node& name_of_choice(const Node& choice);
    StatementId may_do(const Node& node);
    void put_apart(StatementId then, std::vector<StatementId>& effects);
    StatementId asked_yes_or_no(ExpressionId seat, const Node& name, const Node& asked);
    VariableId chosen_in(StatementId choice) const;
    void warn_of_told_lot(const Fact& fact, ExpressionId value);
    QuestionId question(const Node& asked, ExpressionId seat);
    const Node* place_in_text(const std::string& place, Span span);
    StatementId says_value(const Node& node, ExpressionId value, const std::string& name);
    StatementId simultaneously(const Node& node);
    StatementId outside(const Node& node, bool by_chance);
    StatementId lots(const Node& node);
    ExpressionId counted_end(const Node& node);
    StatementId each(const Node& node);
    StatementId each_number(const Node& node, const Node& range);
    std::pair<ExpressionId, StatementId> round(const Node& node, VariableId element);
    StatementId whoever_wants(const Node& node);
    StatementId first_who_wants(const Node& node, const Node& wish, ExpressionId those, ExpressionId asked);
    StatementId each_down(const Node& node, const Node& range);
    StatementId repeat(const Node& node);
    StatementId if_(const Node& node);
    StatementId cases(const Node& node, bool of);
    StatementId show(const Node& node);
    StatementId end(const Node& node);
    StatementId reading(const Node& node);
    StatementId stop(const Node& node);
    StatementId offer(const Node& node);
    void read_sizes(const Node& sizes, const Phrase& word, statement::Choose& s);
    bool is_one_with_two_names(const Node& choice);
    void read_choice(const Node& choice, statement::Choose& s);
    void choose_number(const Node& range, const Node& name, const Knower& knower, statement::Choose& s);
    std::pair<std::uint8_t, ExpressionId> direction(const Node& node);
    void read_weights(const Node& weights, statement::Report& s, const Type& element);
    ExpressionId argument(const Node& node, const Type& wanted, const std::string& name);
    std::vector<ExpressionId> arguments(const Node* node, const std::vector<VariableId>& parameters, const std::string& name, Span span);
    WordId word(const std::string& text);

    struct Question {
        ExpressionId player;
        ExpressionId about;
        MomentId moment;
        bool said = false;  // and not chosen
        Span called;        // of a rule that takes zones: where it is called with these
    };
    struct ZoneRule {
        const Node* declaration = nullptr;
        std::vector<Type> types;                 // by parameter; of a zone, nothing
        std::map<std::string, RuleId> read_for;  // by the zones and their owners: see `owners_of_zones`
    };
    struct ZoneReading {
        RuleId rule;
        const Node* declaration = nullptr;
        std::vector<Local> locals;  // by parameter
        Span called;
    };
    struct ZoneParameter {
        ZoneId id = no_id;                 // none: a parameter that is no zone
        ExpressionId owner = no_id;        // none: a zone of the table
        std::optional<std::size_t> given;  // the owner is what is given there; else the owner is a constant
    };
    using Wanted = std::vector<std::pair<std::string, Type>>;  // names and types of what is given
    RuleId stopped_rule(RuleId rule, const Node& name);
    ExpressionId given_zone(const Node& node);
    // By parameter. Appends the arguments that are no zones to `given`, their names and types to `wanted`; nothing after an error.
    std::optional<std::vector<ZoneParameter>> zones_given(const ZoneRule& of, const Node& call, std::vector<ExpressionId>& given,
                                                          Wanted& wanted);
    // Finds whose each zone is, and appends the owners that are not given yet. Returns the key of the specialised rule.
    std::string owners_of_zones(const ZoneRule& of, std::vector<ZoneParameter>& zones, std::vector<ExpressionId>& given, Wanted& wanted);
    ZoneReading zone_reading(RuleId id, const ZoneRule& of, const std::vector<ZoneParameter>& zones, const Wanted& wanted, Span called);
    void read_zone_rule(const ZoneReading& reading);
    bool reads_without_error(RuleId rule, const ZoneRule& of, ZoneId zone);
    void read_uncalled(RuleId rule, const ZoneRule& of);
    std::vector<Question> unknown_;         // what the player did not surely know when it was read
    std::vector<StatementId> unordered_;    // `each p` without a direction
    std::map<VariableId, Span> told_lots_;  // what chance picks and all players see, by variable
    std::map<RuleId, ZoneRule> zone_rules_;
    std::deque<ZoneReading> zone_readings_;  // still to be read
    Span called_;                            // while one is read: where it is called
    std::deque<Node> made_;                  // nodes that stand in no file: values in texts, what short forms stand for
};

}  // namespace houserule
