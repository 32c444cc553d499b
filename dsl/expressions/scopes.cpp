#include "dsl/expressions/scopes.hpp"

namespace houserule {

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
