#include "solver/validate/scope.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/rewrite.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace houserule {

namespace {

constexpr std::size_t moves_limit = 5'000;
constexpr std::size_t moves_between_looks = 64;  // at time and work

bool is_parting_candidate(const Fact& f) { return f.by == IndexBy::player && f.type.base == Base::truth && f.lasts == lasts_game; }

// `not p's out`
bool is_that_it_lacks(const SyntaxNode& e, const std::string& fact) {
    return e.kind == Kind::e_not && e.children[0]->kind == Kind::e_possessive && e.children[0]->children.back()->text == fact;
}

// A loop passes over those for whom it is set, for good: that they are asked by others may be what the rules leave open.
bool is_passed_over(const SyntaxNode& node, const std::string& fact) {
    const SyntaxNode* where = node.kind == Kind::s_each ? child(node, Kind::where) : nullptr;
    if (where != nullptr && is_that_it_lacks(*where->children[0], fact)) return true;
    return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return is_passed_over(*c, fact); });
}

class Places {
public:
    Places(const Syntax& syntax, const std::string& fact, bool everywhere)
        : syntax_(syntax), quotes_(syntax), among_(fmt::format("players where not its {}", fact)), fact_(fact), everywhere_(everywhere) {
        find_name(*syntax.root, fact);
    }

    std::vector<ScopeReading> all() {
        if (!keeps_out(*syntax_.root)) return {};  // it may as well be a right that was used
        walk(*syntax_.root, "");
        return std::move(found_);
    }

private:
    // `define active = players where not its out`: then its name is what the author would write.
    void find_name(const SyntaxNode& node, const std::string& fact) {
        if (node.kind == Kind::d_define && node.children.size() == 2) {
            const SyntaxNode& e = *node.children[1];
            const bool fits = e.kind == Kind::e_where && e.children[0]->kind == Kind::players && is_that_it_lacks(*e.children[1], fact);
            if (fits) {
                among_ = node.children[0]->text;
                defined_ = &node;
            }
        }
        for (const SyntaxNode* c : node.children) find_name(*c, fact);
    }

    bool mentions(const SyntaxNode& node) const {
        if (node.kind == Kind::name && node.text == fact_) return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return mentions(*c); });
    }
    // Whether some loop, act or set of players leaves out those for whom it is set.
    bool keeps_out(const SyntaxNode& node) const {
        const bool picks = node.kind == Kind::where || node.kind == Kind::unless ||
                           (node.kind == Kind::e_where && node.children[0]->kind == Kind::players);
        if (picks && mentions(*node.children.back())) return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return keeps_out(*c); });
    }

    static bool is_elsewhere(Kind kind) {
        switch (kind) {
            case Kind::d_example:
            case Kind::d_labels:
            case Kind::d_texts:
            case Kind::d_winner:
            case Kind::s_judged:
            case Kind::s_table:
                return true;
            default:
                return false;
        }
    }

    void walk(const SyntaxNode& node, const std::string& within) {
        if (is_elsewhere(node.kind) || &node == defined_) return;
        const bool names = (node.kind == Kind::d_rule || node.kind == Kind::d_define || node.kind == Kind::d_act) && !node.children.empty();
        const std::string rule = names ? node.children[0]->text : node.kind == Kind::d_setup ? "setup" : within;
        if (node.kind == Kind::e_where && !node.children.empty() && node.children[0]->kind == Kind::players) {
            // Players of some sort are meant already.
            for (std::size_t i = 1; i < node.children.size(); ++i) walk(*node.children[i], rule);
            return;
        }
        if (everywhere_) look_everywhere(node, rule);
        // How many there are is a threshold that may or may not count those who are out; what is done to all is done to all.
        if (node.kind == Kind::e_size && node.children.size() == 1 && node.children[0]->kind == Kind::players)
            add(*node.children[0], rule, "players", among_, nullptr);
        if (node.kind == Kind::e_possessive && node.children.size() == 2 && node.children[1]->kind == Kind::name) {
            const std::string& side = node.children[1]->text;
            if (side == "left" || side == "right")
                add(node, rule, side, fmt::format("next {} somebody in {}", (side == "left") ? "after" : "before", among_),
                    node.children[0]);
        }
        for (const SyntaxNode* c : node.children) walk(*c, rule);
    }

    // Also where some are chosen, dealt to or asked; and where only those still playing are meant, read as everybody.
    void look_everywhere(const SyntaxNode& node, const std::string& rule) {
        const bool counted = node.kind == Kind::e_size || node.kind == Kind::e_of;
        if (rule != "setup" && (node.kind == Kind::e_every || node.kind == Kind::e_sum)) look_at_every(node, rule);
        for (const SyntaxNode* c : node.children) {
            if (c->kind == Kind::players && node.kind != Kind::e_size) add(*c, rule, "players", among_, nullptr);
            const bool value = counted || node.kind == Kind::in_set || node.kind == Kind::e_but || node.kind == Kind::choice ||
                               node.kind == Kind::e_empty || node.kind == Kind::e_next || node.kind == Kind::e_with;
            if (defined_ != nullptr && value && c == node.children.back() && c->kind == Kind::name && c->text == among_)
                add(*c, rule, among_, "players", nullptr);
            if (c->kind == Kind::where && is_that_it_lacks(*c->children[0], fact_) && !quotes_.say(rule, Topic::still))
                add(*c->children[0], rule, fmt::format("not {}", fact_), "yes", nullptr);
        }
    }
    // `every blue + every red`: one question.
    void look_at_every(const SyntaxNode& node, const std::string& rule) {
        std::vector<const SyntaxNode*> parts;
        if (node.kind == Kind::e_every) parts = {&node};
        for (const SyntaxNode* c : node.children)
            if (c->kind == Kind::e_every) parts.push_back(c);
        if (parts.empty() || joined_.contains(parts[0])) return;
        std::string printed;
        std::string instead;
        for (const SyntaxNode* part : parts) {
            const std::string& zone = part->children[0]->text;
            printed += fmt::format("{}every {}", printed.empty() ? "" : " + ", zone);
            instead += fmt::format("{}{} of {}", instead.empty() ? "" : " + ", zone, defined_ ? among_ : "(" + among_ + ")");
            joined_.insert(part);
        }
        if (parts.size() == 1 || parts.size() * 2 == node.children.size() + 1)
            add(parts.size() == 1 ? *parts[0] : node, rule, printed, instead, nullptr);
    }

    // `somebody` stands for the player whose neighbour is meant.
    void add(const SyntaxNode& node, const std::string& rule, const std::string& printed, const std::string& instead,
             const SyntaxNode* player) {
        Sources sources;
        sources.emplace_back("reading", instead);
        Diagnostics diagnostics;
        Syntax part = parse_expression(sources, 0, diagnostics);
        if (part.root == nullptr || has_errors(diagnostics)) return;
        const SyntaxNode* root = part.root;
        if (player != nullptr) {
            const SyntaxNode* somebody = find(*root, "somebody");
            if (somebody == nullptr) return;
            part = replaced(part, somebody, player, {});
            root = part.root;
        }
        if (root->kind == Kind::file && root->children.size() == 1) root = root->children[0];
        ScopeReading reading;
        reading.syntax = replaced(syntax_, &node, root, part.storage);
        reading.span = node.span;
        reading.rule = rule.empty() ? "play" : rule;
        reading.printed = printed;
        reading.instead = player == nullptr ? instead : fmt::format("next in {}", among_);
        found_.push_back(std::move(reading));
    }
    static const SyntaxNode* find(const SyntaxNode& node, const std::string& text) {
        if (node.kind == Kind::name && node.text == text) return &node;
        for (const SyntaxNode* c : node.children)
            if (const SyntaxNode* found = find(*c, text)) return found;
        return nullptr;
    }

    const Syntax& syntax_;
    Quotes quotes_;
    std::string among_;
    std::string fact_;
    bool everywhere_;
    const SyntaxNode* defined_ = nullptr;
    std::set<const SyntaxNode*> joined_;  // that are asked about already
    std::vector<ScopeReading> found_;
};

}  // namespace

bool is_taken_back(const Game& game, FactId fact) {
    const auto takes_back = [&](StatementId s) {
        const auto* becomes = game.statements[s].as<statement::Becomes>();
        if (becomes == nullptr || becomes->fact != fact) return false;
        const Expression& value = game.expressions[becomes->value];
        return value.op != Operator::constant || value.value() == 0;
    };
    const Store<RuleId, bool> played = reachable_rules(game, game.play);
    for (const RuleId r : game.rules.ids())
        if (played[r] && any_within(game, game.rules[r].body, takes_back)) return true;
    return any_within(game, game.play, takes_back);
}

PartingFacts facts_that_end_a_part(const std::shared_ptr<const Machine>& machine, const Syntax& syntax, std::uint64_t games,
                                   std::uint64_t seed, std::uint64_t work, const Deadline& until) {
    const Game& game = machine->game;
    PartingFacts parting;
    std::vector<FactId>& candidates = parting.all;
    for (const FactId f : game.facts.ids())
        if (is_parting_candidate(game.facts[f])) candidates.push_back(f);
    std::set<FactId> passed_over;
    for (const FactId f : candidates)
        if (is_passed_over(*syntax.root, game.facts[f].name) && !is_taken_back(game, f)) passed_over.insert(f);
    Store<FactId, std::uint64_t> others(game.facts.size(), 0);  // answers of others while somebody has it
    const auto run = make_run(machine);
    const Stop late(until.stop(), [&] { return until.over(); });
    run->stop_on(&late);
    Random random(seed);
    const auto is_late = [&] { return run->work() >= work || until.over(); };
    for (std::uint64_t i = 0; i < games && !candidates.empty() && !is_late(); ++i) {
        run->start();
        std::set<std::pair<FactId, std::int32_t>> had;  // and who
        for (std::size_t moves = 0; moves < moves_limit && (moves % moves_between_looks != 0 || !is_late()); ++moves) {
            const Node& n = run->advance();
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
            if (n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask) {
                std::erase_if(candidates, [&](FactId f) { return run->fact(f, n.seat) == 1 && !passed_over.contains(f); });
                for (const FactId f : candidates) {
                    if (had.contains({f, n.seat})) parting.undone.insert(f);
                    for (std::int32_t p = 0; p < game.players; ++p) {
                        if (p == n.seat || run->fact(f, p) != 1) continue;
                        ++others[f];
                        had.emplace(f, p);
                    }
                }
            }
            run->apply(random_move(*run, random));
        }
    }
    std::erase_if(candidates, [&](FactId f) { return others[f] == 0; });
    return parting;
}

std::vector<ScopeReading> scope_readings(const Syntax& syntax, const Game& game, FactId fact, bool everywhere) {
    return Places(syntax, game.facts[fact].name, everywhere).all();
}

}  // namespace houserule
