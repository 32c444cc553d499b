#include "solver/findings/doubts.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/ratio.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace houserule {

namespace {

// Of the games in which something comes up without breaking the rules, so many are counted.
constexpr double of_ends_and_loops = 0.5;
constexpr double of_differences = 0.1;

double share(const std::optional<Frequency>& f) { return f && f->of != 0 ? ratio(f->games, f->of) : 0; }

bool lies_within(Span inner, Span outer) { return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end; }

bool goes_on(FindingClass c) { return c == FindingClass::endless || c == FindingClass::stall; }

// What findings of one doubt share.
std::string key_of(const Finding& f, const std::map<std::string, const SyntaxNode*>& readings, const Settings& own) {
    if (f.remark == Remark::two_ways || f.what == FindingClass::example) return "reading " + f.rule;
    for (const auto& [name, value] : f.settings)
        if (readings.contains(name) && !own.contains(name)) return "reading " + name;
    for (const auto& [name, node] : readings)
        if (f.what == FindingClass::scope && lies_within(f.spans.front(), node->span)) return "reading " + name;
    if (goes_on(f.what) && f.witness && !f.spans.empty()) return fmt::format("loop {} {}", f.spans[0].source, f.spans[0].begin);
    return "finding " + f.id;
}

// Within a doubt: the question itself, then the gravest.
auto head_first(const Finding& f) { return std::tuple(f.remark == Remark::two_ways ? 0 : 1, -static_cast<int>(f.gravity)); }

bool is_paragraph(Kind kind) {
    switch (kind) {
        case Kind::d_rule:
        case Kind::d_define:
        case Kind::d_act:
        case Kind::d_end:
        case Kind::end_entry:
        case Kind::d_setup:
        case Kind::d_play:
        case Kind::d_winner:
        case Kind::d_match:
        case Kind::d_zone:
        case Kind::d_fact:
        case Kind::d_cards:
        case Kind::d_enum:
            return true;
        default:
            return false;
    }
}

// The one that the place lies in; else the last before it: remarks stand below what they are about.
const SyntaxNode* declaration_at(const SyntaxNode& node, Span span) {
    const SyntaxNode* before = nullptr;
    for (const SyntaxNode* c : node.children) {
        if (c->span.source != span.source || span.begin < c->span.begin) continue;
        if (is_paragraph(c->kind)) before = c;
        if (span.end > c->span.end) continue;
        if (is_paragraph(c->kind)) return c;
        const SyntaxNode* within = declaration_at(*c, span);
        return within == nullptr ? before : within;
    }
    return before;
}

void collect_readings(const SyntaxNode& node, std::map<std::string, const SyntaxNode*>& readings) {
    if (node.kind == Kind::s_reading || node.kind == Kind::e_reading) readings.emplace(node.children[0]->text, &node);
    for (const SyntaxNode* c : node.children) collect_readings(*c, readings);
}

}  // namespace

double weight_of(const Finding& f) {
    if (f.winner_changes) return std::max(share(f.winner_changes), of_differences * share(f.frequency));
    return share(f.frequency) * (f.gravity == Gravity::error ? 1 : of_ends_and_loops);
}

std::vector<Doubt> doubts_of(const std::vector<Finding>& findings, const Syntax& syntax, const Settings& own) {
    std::map<std::string, const SyntaxNode*> readings;
    collect_readings(*syntax.root, readings);
    std::map<std::string, std::size_t> at;
    std::vector<Doubt> doubts;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!findings[i].accepted.empty()) continue;
        const auto [known, added] = at.try_emplace(key_of(findings[i], readings, own), doubts.size());
        if (added) doubts.emplace_back();
        Doubt& d = doubts[known->second];
        d.findings.push_back(i);
        d.weight = std::max(d.weight, weight_of(findings[i]));
    }
    for (Doubt& d : doubts)
        std::stable_sort(d.findings.begin(), d.findings.end(),
                         [&](std::size_t a, std::size_t b) { return head_first(findings[a]) < head_first(findings[b]); });
    std::stable_sort(doubts.begin(), doubts.end(), [&](const Doubt& a, const Doubt& b) { return a.weight > b.weight; });
    return doubts;
}

Paragraph paragraph_at(const Syntax& syntax, const Game& game, Span span) {
    const SyntaxNode* d = declaration_at(*syntax.root, span);
    if (d == nullptr) return {};
    if (d->kind == Kind::d_setup) return {"setup", FindingText::setup};
    if (d->kind == Kind::d_play) return {"play", FindingText::play};
    if (d->kind == Kind::d_winner) return {"winner", FindingText::winner};
    const SyntaxNode* name = child(*d, Kind::name);
    if (name == nullptr) return {};
    return {name->text, named(game, name->text)};
}

}  // namespace houserule
