// Reads the statements of rules: who decides what, what moves, and who can know what is chosen from.
#pragma once

#include "dsl/check/call_graph.hpp"
#include "dsl/check/knowledge.hpp"
#include "dsl/expressions/expression_reader.hpp"

#include <string>
#include <vector>

namespace houserule {

class StatementReader : public ExpressionReader {
protected:
    explicit StatementReader(Diagnostics& diagnostics) : ExpressionReader(diagnostics), knowledge_(*this, game_), calls_(game_) {}

    StatementId body(const Node* node);
    StatementId call(const Node& node);
    VariableId new_variable(const std::string& name, Type type, Knower knower);
    void must_know(ExpressionId player, ExpressionId e);
    void no_decision_inside(StatementId statement);
    // Loops over players in no stated order that ask somebody; once it is known which rules ask.
    void ask_for_orders();

    Knowledge knowledge_;
    CallGraph calls_;
    RuleId rule_ = no_id;  // the rule being read
    bool in_match_ = false;

private:
    StatementId statement(const Node& node);
    StatementId add(Statement s);
    Statement base(StatementKind kind, const Node& node);
    StatementId becomes(const Node& node);
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
    StatementId simultaneously(const Node& node);
    StatementId outside(const Node& node, StatementKind kind);
    StatementId each(const Node& node);
    StatementId repeat(const Node& node);
    StatementId if_(const Node& node);
    StatementId cases(const Node& node, bool of);
    StatementId show(const Node& node);
    StatementId end(const Node& node);
    StatementId reading(const Node& node);
    StatementId stop(const Node& node);
    StatementId offer(const Node& node);
    void read_sizes(const Node& sizes, const Phrase& word, Statement& s);
    void read_choice(const Node& choice, Statement& s);
    void read_direction(const Node& direction, Statement& s);
    void read_weights(const Node& weights, Statement& s, const Type& element);
    std::vector<ExpressionId> arguments(const Node* node, const std::vector<VariableId>& parameters, const std::string& name, Span span);
    WordId word(const std::string& text);

    std::vector<StatementId> unordered_;  // `each p` without a direction
};

}  // namespace houserule
