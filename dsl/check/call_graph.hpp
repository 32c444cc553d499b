// What leads where: rules, and behind them the ends. A rule calls rules and comes to ends, and so do the statements of an end. None leads
// back to itself, and none too far; and which rules ask somebody is known once all have been read.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"

#include <set>
#include <vector>

namespace houserule {

class CallGraph {
public:
    explicit CallGraph(const Game& game) : game_(game) {}

    // Once all rules and ends have been declared.
    void begin() { leads_.resize(game_.rules.size() + game_.ends.size()); }
    // Whose statements are being read.
    void read(RuleId rule) { reading_ = node_of(rule); }
    void read(EndId end) { reading_ = node_of(end); }
    void read_others() { reading_ = no_id; }
    // What is being read leads there.
    void leads_to(RuleId rule) { leads_to(node_of(rule)); }
    void leads_to(EndId end) { leads_to(node_of(end)); }

    // Once all statements have been read. Reported; without recursion, rules and ends are in order from then on.
    bool find_recursion(Diagnostics& diagnostics);
    void find_long_chain(Diagnostics& diagnostics) const;
    void find_what_asks();

    // Whether somebody outside is asked, or chance. Until `find_what_asks`, a call counts as if it asked.
    bool asks(StatementId statement) const;

private:
    using Node = Id<struct CallNodeTag>;
    Node node_of(RuleId rule) const { return Node(rule.value()); }
    Node node_of(EndId end) const { return Node(game_.rules.size() + end.index()); }
    bool is_rule(Node node) const { return node.index() < game_.rules.size(); }
    RuleId rule_of(Node node) const { return RuleId(node.value()); }
    EndId end_of(Node node) const { return EndId(node.index() - game_.rules.size()); }
    Span span_of(Node node) const { return is_rule(node) ? game_.rules[rule_of(node)].span : game_.ends[end_of(node)].span; }
    void leads_to(Node node);
    std::int32_t levels_in(StatementId statement, const Store<Node, std::int32_t>& of_node) const;

    const Game& game_;
    Node reading_;
    Store<Node, std::set<Node>> leads_;
    std::vector<Node> inner_first_;  // each behind all that it leads to
    Store<RuleId, bool> rule_asks_;  // empty until all rules have been read
};

}  // namespace houserule
