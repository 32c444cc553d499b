// Who wins, what is scored, which findings are accepted.
#include "dsl/check/checker.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule {

void Checker::check_winner(const Node& d) {
    Winner& w = game_.winner;
    w.present = true;
    if (d.children[0]->kind == Kind::all_if) return check_together(*d.children[0]);
    ExpressionId set = players(*d.children[0]);
    if (is_broken(set)) return;
    w.set = set;
    w.last = LastWord::shared;
    const Node* last = d.children.back()->kind == Kind::word ? d.children.back() : nullptr;
    if (last == nullptr) {
        const bool single =
            at(set).op == Operator::set_single || (at(set).op == Operator::set_constant && game_.sets[at(set).set()].size() == 1);
        if (!single) report(Code::no_last_word, d.span).help = Text::say_last_word;
    } else {
        w.last = last->text == "shared" ? LastWord::shared : last->text == "nobody" ? LastWord::nobody : LastWord::by_lot;
    }
    Winner result = w;
    result.bound = comprehend(set, nullptr, true, [&] {
        for (const Node* c : d.children) {
            if (c->kind != Kind::then_by) continue;
            result.keys.push_back({c->children[0]->text == "most", number(*c->children[1])});
        }
    });
    game_.winner = result;
}

// `winner = all if C, otherwise nobody`
void Checker::check_together(const Node& condition) {
    const ExpressionId c = truth(*condition.children[0]);
    if (is_broken(c)) return;
    const ExpressionId all = expression(Node{Kind::players, condition.span, "", {}});
    Winner& w = game_.winner;
    w.set = conditional(c, all, empty_set_of(type(all), condition.span), condition.span);
    w.last = LastWord::shared;
    w.together = true;
    w.bound = comprehend(all, nullptr, true, [] {});
}

// `define score = …`, without a player: one for all.
void Checker::check_common_score(const Node& define) {
    used_.insert("score");
    const ExpressionId all = expression(Node{Kind::players, define.span, "", {}});
    game_.score_bound = comprehend(all, nullptr, true, [] {});
    const ExpressionId value = as_number(call_define(define, {}, define));
    if (is_broken(value)) return;
    game_.score = value;
    game_.common_score = true;
}

void Checker::check_scores() {
    for (const char* name : {"score", "payoff"}) {
        const auto m = globals_.find(name);
        if (m == globals_.end() || m->second.what != Meaning::define) continue;
        const Node* parameters = child(*m->second.node, Kind::parameters);
        if (parameters == nullptr && std::string_view(name) == "score") {
            check_common_score(*m->second.node);
            continue;
        }
        if (parameters == nullptr || parameters->children.size() != 1 || parameters->children[0]->children[0]->kind != Kind::t_player)
            continue;
        used_.insert(name);
        const ExpressionId all = expression(Node{Kind::players, m->second.node->span, "", {}});
        ExpressionId value = no_id;
        const BoundId bound = comprehend(all, nullptr, true, [&] {
            const Node it{Kind::it, m->second.node->span, "", {}};
            const ExpressionId e = expression(it);
            value = as_number(call_define(*m->second.node, {e}, *m->second.node));
        });
        if (is_broken(value)) continue;
        // Both stand under the same bound, so that one loop over the players reads them.
        if (game_.score_bound == no_id) game_.score_bound = bound;
        if (bound != game_.score_bound) {
            for (Expression& x : game_.expressions)
                if (x.op == Operator::bound && x.bound() == bound) x.immediate = game_.score_bound;
        }
        (std::string_view(name) == "score" ? game_.score : game_.payoff) = value;
    }
}

void Checker::check_accept(const Node& d) {
    std::vector<std::string> classes{
#define HOUSERULE_FINDING_CLASS(name, text) text,
#include "dsl/game/finding_classes.def"
#undef HOUSERULE_FINDING_CLASS
    };
    for (std::string& c : classes) std::replace(c.begin(), c.end(), '-', '_');
    const Node& name = *d.children[0];
    if (std::find(classes.begin(), classes.end(), name.text) != classes.end()) return;
    const std::string near = closest(name.text, classes);
    Diagnostic& found = report(Code::unknown_name, name.span, name.text);
    found.help = near.empty() ? Text::classes_of_findings(listed(classes)) : Text::did_you_mean(near);
    if (!near.empty()) found.edit = Edit{name.span, near};
}

}  // namespace houserule
