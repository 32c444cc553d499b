// Names inside rules, and names that nothing has.
#include "dsl/expressions/expression_reader.hpp"
#include "dsl/text/other_languages.hpp"
#include "dsl/text/text.hpp"

#include <iterator>

namespace houserule {

Diagnostic& ExpressionReader::unknown_name(const Node& name, const std::vector<std::string>& also) {
    Diagnostic& d = report(Code::unknown_name, name.span, name.text);
    if (diagnostics_.size() > 200) return d;  // guessing takes time
    std::vector<std::string> names = also;
    for (const auto& [n, m] : globals_) names.push_back(n);
    scopes_.add_names(names);
    const std::string near = closest(name.text, names);
    if (const Local* closed = scopes_.find_closed(name.text); closed != nullptr && name.text != "it") {
        d.labels.push_back({at(closed->expression).span, Text::here});
        d.help = Text::known_inside;
        return d;
    }
    d.help = said_otherwise(name.text);
    if (!d.help.empty()) return d;
    // 「pの点」 is `p's 点`.
    const std::string_view of = "\u306E";
    if (name.text == of) {
        d.help = Text::apostrophe_says_whose;
        return d;
    }
    if (const auto at = name.text.find(of); at != std::string::npos && at > 0 && near.empty()) {
        const std::string owner = name.text.substr(0, at);
        if (scopes_.find(owner) != nullptr || globals_.contains(owner)) {
            const std::string meant = owner + "'s " + name.text.substr(at + of.size());
            d.help = Text::did_you_mean(meant);
            d.edit = Edit{name.span, meant};
            return d;
        }
    }
    const bool variable = name.text.size() == 1 && name.text[0] >= 'a' && name.text[0] <= 'z';
    if (variable && scopes_.find("it") != nullptr) {
        d.help = Text::its_instead(name.text);
        return d;
    }
    for (const Family& family : game_.families)
        for (const Field& field : family.fields)
            if (field.name == name.text) d.help = Text::whose_field(name.text);
    if (!d.help.empty()) return d;
    const std::vector<std::string> declared(names.begin() + std::ssize(also), names.end());
    if (closest(name.text, declared).empty()) d.help = said_in_rulebooks(name.text);
    if (!d.help.empty()) return d;
    d.help = did_you_mean(near);
    const auto meant = globals_.find(near);
    if (near.empty() || meant == globals_.end()) return d;
    d.edit = Edit{name.span, near};
    const Node* node = meant->second.node;
    if (node != nullptr && node->span.source != name.span.source)
        d.labels.push_back({node->kind == Kind::d_define ? node->children[0]->span : node->span, Text::declared_here});
    return d;
}

void ExpressionReader::must_be_free(const Node& name) {
    const auto taken = globals_.find(name.text);
    if (taken == globals_.end()) return;
    Diagnostic& d = report(Code::name_taken, name.span, name.text);
    d.help = Text::names_inside_differ;
    if (taken->second.node != nullptr) d.labels.push_back({taken->second.node->span, Text::here});
}

void ExpressionReader::bind(const Node& name, Local local) {
    must_be_free(name);
    scopes_.set(name.text, local);
}

}  // namespace houserule
