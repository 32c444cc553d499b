// The call graph of a game: which rules and ends are reached from the statements of each rule and end. It finds recursion, which is an
// error, nesting that is too deep, and which rules ask a player or draw.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"

#include <set>
#include <vector>

namespace houserule {

class CallGraph {
public:
    explicit CallGraph(const Game& game) : game_(game) {}

    // Called once all rules and ends have been declared.
    void begin() {
        declared_ = game_.rules.size();
        grow();
    }
    // Makes room for rules that the checker has added: see `with_zones`.
    void grow() { leads_.resize(game_.rules.size() + game_.ends.size()); }
    // Sets the caller: whose statements are read next. Those of others (setup, play, acts) add no edges.
    void read(RuleId rule) { reading_ = node_of(rule); }
    void read(EndId end) { reading_ = node_of(end); }
    void read_others() { reading_ = no_id; }
    // Adds an edge from the caller: it calls that rule, or has a statement `end` for that end.
    void leads_to(RuleId rule) { leads_to(node_of(rule)); }
    void leads_to(EndId end) { leads_to(node_of(end)); }

    // Called in this order once all statements have been read; the last two only if the first one finds nothing. The first two report; the
    // first tells whether it did. The second limits how deep statements are nested, those of called rules included.
    bool find_recursion(Diagnostics& diagnostics);
    void find_deep_nesting(Diagnostics& diagnostics) const;
    void find_what_asks();

    // Whether the statement can ask a player, the table or chance, deal or draw, or leave the rule (`stop`, `end`, `play game`). Until
    // `find_what_asks`, any call counts.
    bool asks(StatementId statement) const;

private:
    using Node = Id<struct CallNodeTag>;
    // Rules of the file, ends, rules that were added.
    Node node_of(RuleId rule) const { return Node(rule.index() < declared_ ? rule.index() : rule.index() + game_.ends.size()); }
    Node node_of(EndId end) const { return Node(declared_ + end.index()); }
    bool is_rule(Node node) const { return node.index() < declared_ || node.index() >= declared_ + game_.ends.size(); }
    RuleId rule_of(Node node) const { return RuleId(node.index() < declared_ ? node.index() : node.index() - game_.ends.size()); }
    EndId end_of(Node node) const { return EndId(node.index() - declared_); }
    Span span_of(Node node) const { return is_rule(node) ? game_.rules[rule_of(node)].span : game_.ends[end_of(node)].span; }
    void leads_to(Node node);
    std::int32_t levels_in(StatementId statement, const Store<Node, std::int32_t>& of_node) const;

    const Game& game_;
    std::size_t declared_ = 0;  // rules of the file
    Node reading_;
    Store<Node, std::set<Node>> leads_;
    std::vector<Node> inner_first_;  // topologically sorted: each after all that it leads to
    Store<RuleId, bool> rule_asks_;  // empty until all rules have been read
};

}  // namespace houserule
