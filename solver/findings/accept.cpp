#include "solver/findings/accept.hpp"

#include "dsl/variant/variant.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace houserule {

namespace {

struct Accept {
    FindingClass what = FindingClass::gap;
    std::string about;  // a rule or other name; empty: all
    std::string reason;
    Span span;
    bool used = false;
};

void collect(const SyntaxNode& node, std::vector<Accept>& all) {
    if (node.kind == Kind::d_accept) {
        std::string name = node.children[0]->text;
        std::replace(name.begin(), name.end(), '_', '-');
        const SyntaxNode* text = child(node, Kind::text);
        const std::string about = node.children.size() > 2 ? node.children[1]->text : "";
        if (const auto c = class_of(name)) all.push_back({*c, about, text == nullptr ? "" : text->text, node.span});
    }
    for (const SyntaxNode* n : node.children) collect(*n, all);
}

// Examples of a reading are part of it, and raise nothing of their own.
bool belongs_to_reading(const Accept& a, const Syntax& syntax) {
    if (a.what != FindingClass::example) return false;
    const std::vector<Offer> all = offers(syntax);
    return std::any_of(all.begin(), all.end(), [&](const Offer& o) { return o.reading && o.name == a.about; });
}

}  // namespace

std::vector<Finding> accept(std::vector<Finding>& findings, const Syntax& syntax, const std::set<FindingClass>& only) {
    std::vector<Accept> all;
    collect(*syntax.root, all);
    std::vector<Finding> idle;
    for (Accept& a : all) {
        for (Finding& f : findings) {
            if (a.what != f.what || (!a.about.empty() && a.about != f.rule)) continue;
            f.accepted = a.reason;
            a.used = true;
        }
    }
    for (const Accept& a : all) {
        if (a.used || belongs_to_reading(a, syntax) || (!only.empty() && !only.contains(a.what))) continue;
        Finding f;
        f.what = FindingClass::term;
        f.gravity = Gravity::warning;
        f.method = FoundBy::static_reading;
        f.rule = a.about.empty() ? std::string(class_name(a.what)) : a.about;
        f.spans = {a.span};
        f.title = FindingText::accept_silences_nothing(class_name(a.what));
        f.help = FindingText::take_it_out;
        idle.push_back(std::move(f));
    }
    return idle;
}

void sort_findings(std::vector<Finding>& findings) {
    const auto measure = [](const Finding& f) {
        const Span s = f.spans.empty() ? Span{} : f.spans.front();
        return std::tuple(f.accepted.empty() ? 0 : 1, -static_cast<int>(f.gravity), f.what == FindingClass::hole ? 1 : 0, f.settings.size(),
                          s.source, s.begin, static_cast<int>(f.what), f.title.in(Language::en));
    };
    std::sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) { return measure(a) < measure(b); });
}

void give_ids(std::vector<Finding>& findings, const Settings& own) {
    std::map<std::string, int> used;
    for (Finding& f : findings) {
        std::string id = fmt::format("{}.{}", class_name(f.what), f.rule);
        if (!f.id.empty() && f.id != f.rule) id += "." + f.id;
        for (const auto& [name, value] : f.settings)
            if (!own.contains(name)) id += fmt::format("@{}={}", name, value);
        const int n = ++used[id];
        f.id = n == 1 ? id : fmt::format("{}.{}", id, n);
    }
}

}  // namespace houserule
