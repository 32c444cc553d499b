// Every game that ships says all that players are shown in English and in Japanese.
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

bool has_text(const Game& game, const std::string& name, const std::string& language) {
    return std::ranges::any_of(game.texts, [&](const NamedText& t) { return t.name == name && t.language == language; });
}

// What an author has to find a sentence for, or none on purpose: a place that cards were put in, or a fact that became so.
std::string told_name(const Game& game, const Event& e) {
    if (e.kind == EventKind::becomes) return game.facts[e.name].name;
    if (e.kind != EventKind::move) return "";
    const Zone* const zone = zone_of(game, e.to);
    return zone == nullptr ? "" : zone->name;
}

void find_untold(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, std::set<std::string>& untold) {
    const auto run = make_run(machine);
    Events events;
    Random random(seed);
    run->record(&events);
    run->start();
    play_through(*run, random);
    for (const Event& e : events) {
        const std::string name = e.audience == 0 ? "" : told_name(machine->game, e);
        for (const char* language : {"en", "ja"})
            if (!name.empty() && !has_text(machine->game, name, language)) untold.insert(name + " " + language);
    }
}

}  // namespace

TEST_CASE("the games that ship leave nothing without a label or a text in a language they have", "[words]") {
    for (const auto& path : rules_files()) {
        if (path.parent_path().filename() != "games") continue;
        const Rules rules = read_rules(path);
        std::vector<std::string> missing;
        for (const Diagnostic& d : check_all(rules.syntax))
            if (d.code == Code::not_translated) missing.push_back(message(d, Language::en));
        INFO(path.string() << "\n" << fmt::format("{}", fmt::join(missing, "\n")));
        CHECK(missing.empty());
    }
}

TEST_CASE("what happens in the games that ship is told in the author's sentences", "[words]") {
    for (const auto& path : rules_files()) {
        if (path.parent_path().filename() != "games") continue;
        const Rules rules = read_rules(path);
        std::set<std::string> untold;
        for (const Variant& variant : variants(rules.syntax)) {
            const auto machine = machine_of(rules, variant);
            for (std::uint64_t game = 0; game < 5; ++game) find_untold(machine, seed_of(path.string()) + game, untold);
        }
        INFO(path.string() << ": " << fmt::format("{}", fmt::join(untold, ", ")));
        CHECK(untold.empty());
    }
}
