// The names inside rules: nested scopes, searched from the innermost outwards.
#pragma once

#include "dsl/game/game.hpp"

#include <map>
#include <string>
#include <vector>

namespace houserule {

// What a local name stands for: an expression (variable, bound element, argument of a define).
struct Local {
    ExpressionId expression = no_id;
    VariableId variable = no_id;
    bool perhaps = false;  // it may have no value: `if none` does not leave the rule (E0108 where it is read)
    bool zone = false;     // it is a zone, and stands for the place wherever it is used
};

class Scopes {
public:
    void open() { scopes_.emplace_back(); }
    // The body of a define: the search for names stops here.
    void open_fenced() { scopes_.push_back({{}, true}); }
    void close();

    // In the innermost scope.
    void set(const std::string& name, const Local& local) { scopes_.back().names[name] = local; }
    void set_perhaps(const std::string& name) { scopes_.back().names[name].perhaps = true; }

    const Local* find(const std::string& name) const;
    // What a name stood for in a scope of the same rule or definition that is closed by now.
    const Local* find_closed(const std::string& name) const;
    void add_names(std::vector<std::string>& names) const;

private:
    struct Scope {
        std::map<std::string, Local> names;
        bool fence = false;
    };
    std::vector<Scope> scopes_;
    std::map<std::string, Local> closed_;
};

}  // namespace houserule
