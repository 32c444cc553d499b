#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include "dsl/text/hash.hpp"
#include "dsl/variant/variant.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace houserule::testing {

namespace fs = std::filesystem;

std::vector<fs::path> rules_files() {
    std::vector<fs::path> files;
    for (const char* folder : {"games", "tests/language", "examples"}) {
        const fs::path root = fs::path(HOUSERULE_ROOT) / folder;
        if (!fs::exists(root)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root))
            if (entry.path().extension() == ".rules") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

fs::path rules_file(const std::string& name) {
    for (const fs::path& path : rules_files())
        if (path.stem() == name) return path;
    FAIL("there is no " << name << ".rules");
    return {};
}

Rules parse_rules(std::string name, const std::vector<std::string>& texts) {
    Rules rules;
    rules.name = std::move(name);
    std::vector<Syntax> stack;
    for (const std::string& text : texts) {
        rules.sources.emplace_back(fmt::format("{} {}", rules.name, stack.size()), text);
        stack.push_back(parse(rules.sources, stack.size(), rules.diagnostics));
    }
    rules.syntax = stack.back();
    for (std::size_t i = stack.size() - 1; i > 0; --i) {
        rules.base = rules.syntax;
        rules.syntax = stacked(*rules.base, stack[i - 1]);
    }
    return rules;
}

Rules read_rules(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    Rules rules;
    rules.name = path.filename().string();
    rules.sources.emplace_back(rules.name, std::string(std::istreambuf_iterator<char>(file), {}));
    static_cast<cli::RulesFile&>(rules) = cli::read_rules(rules.sources, 0, path.string());
    return rules;
}

std::string variant_name(const Rules& rules, const Variant& variant) {
    std::string name = fmt::format("{}, {} players", rules.name, variant.players);
    for (const auto& [option, value] : variant.settings) name += fmt::format(", {} = {}", option, value);
    return name;
}

std::shared_ptr<const Machine> machine_of(const Rules& rules, const Variant& variant) {
    Diagnostics found = rules.diagnostics;
    Game game = check(rules.syntax, variant.players, variant.settings, found);
    tidy(found);
    INFO(render(found, rules.sources, {}));
    REQUIRE_FALSE(has_errors(found));
    return compile(std::move(game));
}

bool as_printed(const Machine& machine) {
    const auto& options = machine.game.options;
    return std::any_of(options.begin(), options.end(), [](const OptionValue& o) { return o.reading && o.value == "as_printed"; });
}

// Of a long range of numbers: the two lowest and the highest; those between play much as they do.
std::vector<Variant> tested_variants(const Syntax& syntax) {
    std::set<std::pair<std::string, std::string>> between;
    for (const Offer& offer : offers(syntax)) {
        const auto is_number = [](const std::string& value) { return value.find_first_not_of("0123456789") == std::string::npos; };
        if (offer.values.size() < 4 || !std::all_of(offer.values.begin(), offer.values.end(), is_number)) continue;
        const auto less = [](const std::string& a, const std::string& b) { return std::stoi(a) < std::stoi(b); };
        const auto [low, high] = std::minmax_element(offer.values.begin(), offer.values.end(), less);
        for (const std::string& value : offer.values)
            if (std::stoi(value) > std::stoi(*low) + 1 && value != *high) between.emplace(offer.name, value);
    }
    std::vector<Variant> all = variants(syntax);
    std::erase_if(all, [&](const Variant& v) { return !v.settings.empty() && between.contains(*v.settings.begin()); });
    return all;
}

void each_machine(const std::function<void(const std::string&, const std::shared_ptr<const Machine>&)>& f) {
    for (const fs::path& path : rules_files()) {
        const Rules rules = read_rules(path);
        for (const Variant& variant : tested_variants(rules.syntax)) {
            const std::string name = variant_name(rules, variant);
            INFO(name);
            f(name, machine_of(rules, variant));
        }
    }
}

std::uint64_t seed_of(const std::string& name) { return fnv1a(name); }

std::string failure_text(const Run& run) {
    const Failure& f = run.failure();
    return fmt::format("{} (bytes {}-{})", text(run.machine().game, f), f.span.begin, f.span.end);
}

bool play_through(Run& run, Random& random, const std::function<void(const Node&)>& visit) {
    random_samples();
    for (std::uint64_t i = 0; i < node_limit; ++i) {
        const Node& n = run.advance();
        if (visit) visit(n);
        if (n.kind == NodeKind::over) return true;
        if (n.kind == NodeKind::failed) return false;
        run.apply(random_move(run, random));
    }
    return false;
}

Diagnostics all_diagnostics(const Rules& rules) {
    Diagnostics all = rules.diagnostics;
    const Diagnostics checked = check_all(rules.syntax);
    all.insert(all.end(), checked.begin(), checked.end());
    tidy(all);
    return all;
}

Events played_at_random(Run& run, std::uint64_t seed, std::uint64_t answers) {
    Events events;
    Random random(seed);
    run.record(&events);
    run.start();
    for (std::uint64_t n = 0;; ++n) {
        const Node& node = run.advance();
        if (n == answers || node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
        run.apply(random_move(run, random));
    }
    run.record(nullptr);
    random_samples();
    return events;
}

}  // namespace houserule::testing
