#include "dsl/expressions/scopes.hpp"

namespace houserule {

void Scopes::close() {
    if (!scopes_.back().fence)
        for (const auto& [name, local] : scopes_.back().names) closed_.insert_or_assign(name, local);
    scopes_.pop_back();
    const bool in_a_rule = scopes_.size() > 1;  // the first is the file's
    if (!in_a_rule) closed_.clear();
}

const Local* Scopes::find_closed(const std::string& name) const {
    const auto found = closed_.find(name);
    return found == closed_.end() ? nullptr : &found->second;
}

const Local* Scopes::find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->names.find(name);
        if (found != scope->names.end()) return &found->second;
        if (scope->fence) return nullptr;
    }
    return nullptr;
}

void Scopes::add_names(std::vector<std::string>& names) const {
    for (const Scope& scope : scopes_)
        for (const auto& [name, local] : scope.names) names.push_back(name);
}

}  // namespace houserule
