// Rules and ends that lead to each other: none back to itself, none by a long chain; and which rules ask somebody.
#include "dsl/check/checker.hpp"
#include "dsl/game/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

// Statements in each other, those of the rules and ends that they lead to counted: games have a dozen. Whoever follows calls recurses
// as deep, and must find room on the stack also in a build that checks addresses.
constexpr std::int32_t level_limit = 300;

}  // namespace

void Checker::leads_to(CallNode node) {
    if (reading_node_ != no_id) leads_[reading_node_].insert(node);
}

// Depth first with a stack of its own: a text can hold tens of thousands of rules in a chain.
bool Checker::find_recursion() {
    enum State : std::uint8_t { unseen, open, done };
    struct Visit {
        CallNode node;
        std::set<CallNode>::const_iterator next;
    };
    bool found = false;
    Store<CallNode, State> state(leads_.size(), unseen);
    std::vector<Visit> path;
    const auto visit = [&](CallNode node) {
        state[node] = open;
        path.push_back({node, leads_[node].begin()});
    };
    const auto complain = [&](CallNode node) {
        report(Code::calls_itself, span_of(node), is_rule(node) ? game_.rules[rule_of(node)].name : game_.ends[end_of(node)].name);
        found = true;
    };
    for (const CallNode first : leads_.ids()) {
        if (state[first] == unseen) visit(first);
        while (!path.empty()) {
            Visit& at = path.back();
            if (at.next == leads_[at.node].end()) {
                state[at.node] = done;
                inner_first_.push_back(at.node);
                path.pop_back();
                continue;
            }
            const CallNode to = *at.next++;
            if (state[to] == open) complain(to);
            if (state[to] == unseen) visit(to);
        }
    }
    return found;
}

std::int32_t Checker::levels_in(StatementId statement, const Store<CallNode, std::int32_t>& of_node) const {
    const Statement& s = game_.statements[statement];
    if (s.kind == StatementKind::call) return 1 + of_node[node_of_rule(s.name)];
    if (s.kind == StatementKind::end) return 1 + of_node[node_of_end(s.name)];
    std::int32_t inside = 0;
    any_part(s, [&](StatementId part) {
        inside = std::max(inside, levels_in(part, of_node));
        return false;
    });
    return s.kind == StatementKind::block ? inside : 1 + inside;
}

void Checker::find_long_chain() {
    Store<CallNode, std::int32_t> levels(leads_.size(), 0);
    for (const CallNode node : inner_first_) {
        const StatementId statements = is_rule(node) ? game_.rules[rule_of(node)].body : game_.ends[end_of(node)].body;
        if (statements != no_id) levels[node] = levels_in(statements, levels);
        if (levels[node] <= level_limit) continue;
        report(Code::nested_too_deep, span_of(node), level_limit).help = Text::called_rules_count;
        return;
    }
}

bool Checker::asks(StatementId id) const {
    return any_within(game_, id, [&](StatementId inside) {
        const Statement& s = game_.statements[inside];
        switch (s.kind) {
            case StatementKind::must:
            case StatementKind::may:
            case StatementKind::may_do:
            case StatementKind::simultaneously:
            case StatementKind::table:
            case StatementKind::chance:
            case StatementKind::draw:
            case StatementKind::deal:
            case StatementKind::offer:
            case StatementKind::play_game:
            case StatementKind::end:
            case StatementKind::stop:
                return true;
            case StatementKind::call:
                return rule_asks_.empty() || rule_asks_[s.name];
            default:
                return false;
        }
    });
}

// What a rule calls is known before the rule itself is looked at, so that each is looked at once.
void Checker::find_what_asks() {
    rule_asks_.assign(game_.rules.size(), false);
    for (const CallNode node : inner_first_)
        if (is_rule(node)) rule_asks_[rule_of(node)] = asks(game_.rules[rule_of(node)].body);
}

void Checker::ask_for_orders() {
    for (const StatementId id : unordered_) {
        const Statement& s = game_.statements[id];
        const std::string& name = game_.variables[s.variable].name;
        if (asks(s.body)) report(Code::no_order, s.span, name).help = Text::each_in_order(name);
    }
}

}  // namespace houserule
