// Rules files for tests: read, checked and compiled.
#pragma once

#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "interpreter/log.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace houserule::test {

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::filesystem::path root() { return HOUSERULE_ROOT; }

// All rules files below a folder of the tree, by name.
inline std::vector<std::filesystem::path> rules_in(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(root() / folder)) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root() / folder))
        if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

struct Rules {
    Sources sources;
    Syntax syntax;
    Diagnostics diagnostics;
};

inline Rules rules_from(const std::string& text, const std::string& name = "game.rules") {
    Rules r;
    r.sources.emplace_back(name, text);
    r.syntax = parse(r.sources, 0, r.diagnostics);
    return r;
}

// Throws with the rendered diagnostics when the rules have errors.
inline std::shared_ptr<const Machine> machine_of(const Rules& rules, int players, const Settings& settings = {}) {
    Diagnostics all = rules.diagnostics;
    Game game = check(rules.syntax, players, settings, all);
    if (has_errors(all)) throw std::runtime_error(render(all, rules.sources, {}));
    return compile(std::move(game));
}

// The events of a log, `run` being left where the log ends. Throws with the rendered diagnostics when it does not fit.
inline Events replayed(const std::string& log, Run& run) {
    Sources sources;
    sources.emplace_back("game.log", log);
    Diagnostics diagnostics;
    Events events;
    const auto head = read_head(sources, 0, diagnostics);
    if (!head || !replay(sources, 0, *head, run, events, diagnostics)) throw std::runtime_error(render(diagnostics, sources, {}));
    return events;
}

}  // namespace houserule::test
