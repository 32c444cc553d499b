// Faults put into correct games one by one, as a hurried author makes them: does validation tell of them?
//
// A mutant that behaves as the game does (differ) is none. One that no longer checks is none either. Of the others it counts whether
// the checker asks a question that it did not ask before, or validation has a finding that the game itself does not have.
#include "solver/differ.hpp"
#include "solver/rewrite.hpp"
#include "solver/validate.hpp"
#include "tests/rules.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

struct Mutant {
    std::string fault;
    Syntax syntax;
    Span span;
};

// The faults of one tree.
class Faults {
public:
    explicit Faults(const Syntax& syntax) : syntax_(syntax) {}

    std::vector<Mutant> all() {
        walk(*syntax_.root);
        return std::move(mutants_);
    }

private:
    void put(const std::string& fault, const SyntaxNode& target, SyntaxNode by) {
        auto made = std::make_shared<std::deque<SyntaxNode>>();
        const SyntaxNode* node = &made->emplace_back(std::move(by));
        mutants_.push_back({fault, replaced(syntax_, &target, node, {made}), target.span});
    }
    // Each child of that kind left out, one at a time.
    void drop(const std::string& fault, const SyntaxNode& node, Kind kind) {
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            if (node.children[i]->kind != kind) continue;
            SyntaxNode less = node;
            less.children.erase(less.children.begin() + static_cast<std::ptrdiff_t>(i));
            put(fault, node, std::move(less));
        }
    }
    void deal_one_more(const SyntaxNode& node) {
        if (node.children[0]->kind != Kind::number) return;
        SyntaxNode more = *node.children[0];
        more.text = std::to_string(std::stol(more.text) + 1);
        put("one card more", *node.children[0], std::move(more));
    }
    // The second arm applies where the first one does, too.
    void overlap(const SyntaxNode& node) {
        std::vector<const SyntaxNode*> arms;
        for (const SyntaxNode* c : node.children)
            if (c->kind == Kind::arm && c->children.size() == 2) arms.push_back(c);
        if (arms.size() < 2) return;
        auto made = std::make_shared<std::deque<SyntaxNode>>();
        SyntaxNode& either = made->emplace_back();
        either.kind = Kind::e_or;
        either.span = arms[1]->children[0]->span;
        either.children = {arms[1]->children[0], arms[0]->children[0]};
        mutants_.push_back({"cases overlap", replaced(syntax_, arms[1]->children[0], &either, {made}), either.span});
    }
    void must_for_may(const SyntaxNode& node) {
        SyntaxNode must = node;
        must.kind = Kind::s_must;
        std::erase_if(must.children, [](const SyntaxNode* c) { return c->kind == Kind::otherwise; });
        put("must for may", node, std::move(must));
    }

    void walk(const SyntaxNode& node) {
        switch (node.kind) {
            case Kind::d_example:
            case Kind::d_labels:
            case Kind::d_texts:
            case Kind::d_when: return;
            case Kind::s_must:
            case Kind::s_draw: drop("no `if none`", node, Kind::if_none); break;
            case Kind::s_deal:
                drop("no `if short`", node, Kind::if_none);
                deal_one_more(node);
                break;
            case Kind::s_cases:
            case Kind::s_cases_of:
                drop("no `otherwise`", node, Kind::arm_otherwise);
                drop("no exception", node, Kind::arm_except);
                drop("a case is missing", node, Kind::arm);
                if (node.kind == Kind::s_cases) overlap(node);
                break;
            case Kind::e_cases:
            case Kind::e_cases_of:
                drop("no `otherwise`", node, Kind::arm_otherwise);
                drop("no exception", node, Kind::arm_except);
                drop("a case is missing", node, Kind::arm);
                break;
            case Kind::d_winner: drop("no tie-break", node, Kind::then_by); break;
            case Kind::d_ends: drop("no end", node, Kind::end_entry); break;
            case Kind::s_each: drop("no direction", node, Kind::direction); break;
            case Kind::s_may: must_for_may(node); break;
            case Kind::s_repeat: drop("no `until`", node, Kind::until_true); break;
            default: break;
        }
        for (const SyntaxNode* c : node.children) walk(*c);
    }

    const Syntax& syntax_;
    std::vector<Mutant> mutants_;
};

using Said = std::set<std::tuple<FindingClass, std::string, std::string>>;

Said said_of(const Syntax& syntax, int players) {
    using enum FindingClass;
    ValidateLimits limits;
    limits.games = 480;
    limits.milliseconds = 30'000;
    limits.low = limits.high = players;
    limits.threads = 1;
    limits.others = false;
    limits.proofs = false;
    limits.only = {gap, void_duty, unresolved, conflict, end_race, order, endless, stall, dead, masked, chooser, view, count, degenerate};
    Said said;
    for (const Finding& f : validate(syntax, limits).findings) said.emplace(f.what, f.rule, f.title.en);
    return said;
}

std::size_t questions(const Diagnostics& all) {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return info(d.code).severity == Severity::question; }));
}

struct Score {
    int found = 0;
    int missed = 0;
};

}  // namespace

TEST_CASE("faults that are put into games are told", "[.long][mutants]") {
    std::map<std::string, Score> by_fault;
    int same = 0;
    int refused = 0;
    std::string survivors;
    for (const std::string name : {"agram", "cogito", "crazy_eights", "euchre", "go_fish", "goofspiel", "hearts", "jiji", "kuhn", "leduc", "majika_mini", "nekokan", "nekokan_orders", "old_maid"}) {
        const Rules rules = read_rules(rules_file(name));
        const int players = player_range(rules.syntax).low;
        Diagnostics before;
        const auto original = compile(check(rules.syntax, players, {}, before));
        const Said known = said_of(rules.syntax, players);
        for (const Mutant& mutant : Faults(rules.syntax).all()) {
            Diagnostics found;
            Game game = check(mutant.syntax, players, {}, found);
            if (has_errors(found)) {
                ++refused;
                continue;
            }
            bool told = questions(found) > questions(before);
            if (!told) {
                DifferLimits limits;
                limits.games = 400;
                limits.states = 3'000;
                if (compare(original, compile(std::move(game)), limits).verdict != Verdict::found) {
                    ++same;
                    continue;
                }
                const Said now = said_of(mutant.syntax, players);
                told = std::any_of(now.begin(), now.end(), [&](const auto& s) { return !known.contains(s); });
            }
            Score& score = by_fault[mutant.fault];
            ++(told ? score.found : score.missed);
            if (!told) survivors += fmt::format("  {}: line {}: {}\n", name, rules.sources[mutant.span.source].line_of(mutant.span.begin), mutant.fault);
        }
    }
    int found = 0;
    int all = 0;
    std::string report;
    for (const auto& [fault, score] : by_fault) {
        report += fmt::format("  {}: {} of {}\n", fault, score.found, score.found + score.missed);
        found += score.found;
        all += score.found + score.missed;
    }
    WARN(fmt::format("{} of {} mutants told; {} behave as before, {} no longer check\n{}survivors:\n{}", found, all, same, refused, report, survivors));
    CHECK(all >= 50);
    CHECK(found * 2 >= all);
}
