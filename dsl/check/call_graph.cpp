#include "dsl/check/call_graph.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/text/texts.hpp"

#include <algorithm>

namespace houserule {

namespace {

// Statements in each other, those of the rules and ends that they lead to counted: games have a dozen. Whoever follows calls recurses
// as deep, and must find room on the stack also in a build that checks addresses.
constexpr std::int32_t level_limit = 300;

}  // namespace

void CallGraph::leads_to(Node node) {
    if (reading_ != no_id) leads_[reading_].insert(node);
}

// Depth first with a stack of its own: a text can hold tens of thousands of rules in a chain.
bool CallGraph::find_recursion(Diagnostics& diagnostics) {
    enum State : std::uint8_t { unseen, open, done };
    struct Visit {
        Node node;
        std::set<Node>::const_iterator next;
    };
    bool found = false;
    Store<Node, State> state(leads_.size(), unseen);
    std::vector<Visit> path;
    const auto visit = [&](Node node) {
        state[node] = open;
        path.push_back({node, leads_[node].begin()});
    };
    const auto complain = [&](Node node) {
        report(diagnostics, Code::calls_itself, span_of(node),
               is_rule(node) ? game_.rules[rule_of(node)].name : game_.ends[end_of(node)].name);
        found = true;
    };
    for (const Node first : leads_.ids()) {
        if (state[first] == unseen) visit(first);
        while (!path.empty()) {
            Visit& at = path.back();
            if (at.next == leads_[at.node].end()) {
                state[at.node] = done;
                inner_first_.push_back(at.node);
                path.pop_back();
                continue;
            }
            const Node to = *at.next++;
            if (state[to] == open) complain(to);
            if (state[to] == unseen) visit(to);
        }
    }
    return found;
}

std::int32_t CallGraph::levels_in(StatementId statement, const Store<Node, std::int32_t>& of_node) const {
    const Statement& s = game_.statements[statement];
    if (const auto* call = s.as<statement::Call>()) return 1 + of_node[node_of(call->rule)];
    if (const auto* end = s.as<statement::End>()) return 1 + of_node[node_of(end->end)];
    std::int32_t inside = 0;
    any_part(s, [&](StatementId part) {
        inside = std::max(inside, levels_in(part, of_node));
        return false;
    });
    return s.kind() == StatementKind::block ? inside : 1 + inside;
}

void CallGraph::find_deep_nesting(Diagnostics& diagnostics) const {
    Store<Node, std::int32_t> levels(leads_.size(), 0);
    for (const Node node : inner_first_) {
        const StatementId statements = is_rule(node) ? game_.rules[rule_of(node)].body : game_.ends[end_of(node)].body;
        if (statements != no_id) levels[node] = levels_in(statements, levels);
        if (levels[node] <= level_limit) continue;
        report(diagnostics, Code::nested_too_deep, span_of(node), level_limit).help = Text::called_rules_count;
        return;
    }
}

bool CallGraph::asks(StatementId id) const {
    return any_within(game_, id, [&](StatementId inside) {
        const Statement& s = game_.statements[inside];
        switch (s.kind()) {
            case StatementKind::choose:
            case StatementKind::may_do:
            case StatementKind::simultaneously:
            case StatementKind::report:
            case StatementKind::draw:
            case StatementKind::deal:
            case StatementKind::offer:
            case StatementKind::play_game:
            case StatementKind::end:
            case StatementKind::stop:
                return true;
            case StatementKind::call:
                return rule_asks_.empty() || rule_asks_[s.as<statement::Call>()->rule];
            default:
                return false;
        }
    });
}

// What a rule calls is known before the rule itself is looked at, so that each is looked at once.
void CallGraph::find_what_asks() {
    rule_asks_.assign(game_.rules.size(), false);
    for (const Node node : inner_first_)
        if (is_rule(node)) rule_asks_[rule_of(node)] = asks(game_.rules[rule_of(node)].body);
}

}  // namespace houserule
