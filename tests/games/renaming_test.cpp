// The core knows no game: with every name and quoted text of a file replaced, everything stays as it was but for the names.
//
// The new names sort in another order than the old ones, so that nothing can depend on it unnoticed.
#include "interpreter/log/log.hpp"
#include "solver/compare/differ.hpp"
#include "solver/prove/prove.hpp"
#include "solver/validate/validate.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

// Names that have a meaning of their own (dsl/README.md: expressions; ends, scores, winners; house rules; labels; accept).
const std::set<std::string> known_names{"setup",   "play",      "yes",        "no",      "left",    "right",    "across",
                                        "partner", "team",      "score",      "payoff",  "en",      "ja",       "ja_kana",
                                        "glyph",   "glyph_red", "distance",   "larger",  "smaller", "quotient", "remainder",
                                        "dead",    "masked",    "degenerate", "endless", "view"};

void leaves(const SyntaxNode& node, std::vector<const SyntaxNode*>& out) {
    if (node.kind == Kind::base) return;  // the tree has what it names
    if (node.kind == Kind::name || node.kind == Kind::text) out.push_back(&node);
    for (const SyntaxNode* c : node.children) leaves(*c, out);
}

struct Renaming {
    std::vector<std::string> texts;         // of each source
    std::map<std::string, std::string> to;  // names
    std::map<std::string, std::string> to_texts;
    std::map<std::string, std::string> back;  // names and quoted texts
};

std::map<std::string, std::string> new_names(const std::vector<const SyntaxNode*>& all) {
    std::set<std::string> old;
    for (const SyntaxNode* n : all)
        if (n->kind == Kind::name && !known_names.contains(n->text)) old.insert(n->text);
    std::map<std::string, std::string> names;
    std::size_t i = 0;
    // A stride that shares no factor with 1009 scatters the order.
    for (const std::string& name : old) names[name] = fmt::format("zz{:04}", (++i * 617) % 1009);
    REQUIRE(names.size() < 1009);
    return names;
}

// Six letters, no figure: what a text counts is compared between languages.
std::string renamed_quote(std::size_t number) {
    std::string letters(4, 'a');
    for (char& c : letters) {
        c = static_cast<char>('a' + number % 26);
        number /= 26;
    }
    return "tt" + letters;
}

// Source number `index` with new names; what its quoted texts become is added to `r.back`.
std::string renamed_text(std::string_view text, std::size_t index, const std::vector<const SyntaxNode*>& all, Renaming& r) {
    std::string renamed;
    std::size_t done = 0;
    for (const SyntaxNode* n : all) {
        if (n->span.source != index || n->span.begin < done) continue;  // one piece of text read as two things
        std::string replacement;
        if (n->kind == Kind::text) {
            // The title of an example stands beside its translation, too.
            const auto known = r.to_texts.find(n->text);
            const std::string quoted = known != r.to_texts.end() ? known->second : renamed_quote(r.back.size());
            r.to_texts[n->text] = quoted;
            r.back[quoted] = n->text;
            replacement = '"' + quoted + '"';
        } else {
            const auto found = r.to.find(n->text);
            if (found == r.to.end()) continue;
            replacement = found->second;
        }
        renamed += text.substr(done, n->span.begin - done);
        renamed += replacement;
        done = n->span.end;
    }
    renamed += text.substr(done);
    return renamed;
}

Renaming rename(const Rules& rules) {
    std::vector<const SyntaxNode*> all;
    leaves(*rules.syntax.root, all);
    std::sort(all.begin(), all.end(), [](const SyntaxNode* a, const SyntaxNode* b) { return a->span.begin < b->span.begin; });
    Renaming r;
    r.to = new_names(all);
    for (const auto& [from, to] : r.to) r.back[to] = from;
    for (std::size_t i = 0; i < rules.sources.size(); ++i) r.texts.push_back(renamed_text(rules.sources[i].text(), i, all, r));
    return r;
}

// Old names for the new ones, wherever they stand in a text.
std::string with_old_names(const std::string& text, const Renaming& r) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto found = i + 6 <= text.size() && (text.compare(i, 2, "zz") == 0 || text.compare(i, 2, "tt") == 0)
                               ? r.back.find(text.substr(i, 6))
                               : r.back.end();
        if (found == r.back.end()) {
            result += text[i++];
        } else {
            result += found->second;
            i += 6;
        }
    }
    return result;
}

// Without the hash of the rules, which is one of their text.
std::string without_hash(std::string text, const Game& game) {
    const std::string hash = fmt::format("{:016x}", game.hash);
    const auto at = text.find(hash);
    return at == std::string::npos ? text : text.replace(at, hash.size(), "");
}

Variant renamed(const Variant& variant, const Renaming& r) {
    const auto now = [&](const std::string& name) {
        const auto found = r.to.find(name);
        return found == r.to.end() ? name : found->second;
    };
    Variant v{variant.players, {}};
    for (const auto& [option, value] : variant.settings) v.settings[now(option)] = now(value);
    return v;
}

// Code, line and message of each diagnostic.
std::string listed(const Rules& rules, const std::function<std::string(std::string)>& names) {
    std::string text;
    for (const Diagnostic& d : all_diagnostics(rules))
        text += fmt::format("{} line {}: {}\n", info(d.code).id, rules.sources[d.span.source].line_of(d.span.begin),
                            names(message(d, Language::en)));
    return text;
}

// The bytes of the state where each of some random games ended.
std::vector<std::vector<std::byte>> last_states(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, int games) {
    const auto run = make_run(machine);
    std::vector<std::vector<std::byte>> states;
    for (int game = 0; game < games; ++game) {
        Random random(seed + static_cast<std::uint64_t>(game));
        run->start();
        play_through(*run, random);
        states.emplace_back(run->state().begin(), run->state().end());
    }
    return states;
}

// A log of a random game, after so many answers.
std::string log_of(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, int answers) {
    const auto run = make_run(machine);
    Events events;
    Random random(seed);
    run->record(&events);
    run->start();
    for (int n = 0; n < answers && run->advance().kind != NodeKind::over; ++n) run->apply(random_move(*run, random));
    run->advance();
    testing::random_samples();
    return log_text(*machine, head_of(*machine, std::nullopt), events);
}

// What the program says about a log of a game: a document with its commands, as they were answered. Nothing in it depends on how
// wide names are: only JSON is asked for.
std::string answered(const std::string& rules, const std::string& game, const std::string& log, const std::string& zone) {
    std::string document = fmt::format("```rules {}.rules\n{}\n```\n\n```log game.log\n{}```\n\n```console\n", game, rules, log);
    document += "$ houserule hint game.log --as P1 --json\n$ houserule worlds game.log --as P2 --limit 20 --json\n";
    document += fmt::format("$ houserule why game.log --as P1 \"P2's {} is empty\" --json\n```\n", zone);
    return cases::run(document, {HOUSERULE_ROOT, std::filesystem::path(HOUSERULE_PROGRAM).parent_path()}).rewritten;
}

// How a house rule differs from its game; `_` in a name that has no label is a space there.
std::string differs(const Rules& rules, int players) {
    Diagnostics diagnostics;
    Game base = check(*rules.base, players, {}, diagnostics);
    REQUIRE_FALSE(has_errors(diagnostics));
    DifferLimits limits;
    limits.games = 100;
    limits.states = 2'000;
    const Difference d = compare(compile(std::move(base)), machine_of(rules, {players, {}}), limits);
    std::string text = fmt::format("{} {} {}, {} states, {} of {} part, in {} others win\n", verdict_name(d.verdict), method_name(d.method),
                                   d.shortest, d.states, d.parts.games, d.parts.of, d.winner_changes.games);
    for (const GameNumbers* n : {&d.first, &d.second}) {
        text += fmt::format("{} {}", n->decisions, n->broken);
        for (const double w : n->wins) text += fmt::format(" {}", w);
        for (const auto& [end, games] : n->ends) text += fmt::format(" {} {}", end, games);
        text += "\n";
    }
    if (!d.parting) return text;
    for (const auto* moves : {&d.parting->moves, &d.parting->other})
        for (const std::uint64_t move : *moves) text += fmt::format("{} ", move);
    for (const Sentence* s : {&d.parting->first, &d.parting->second})
        for (const Language language : all_languages) text += "\n" + s->of(language);
    return text;
}

// What validation finds, a line each, without its sentences.
std::vector<std::string> validated(const Rules& rules, int players, const std::function<std::string(std::string)>& names) {
    ValidateLimits limits;
    limits.games = 200;
    limits.work = no_work_limit;  // games and states limit it
    limits.proofs = false;        // as for these: see below
    limits.low = limits.high = players;
    const Validation found = validate(rules.syntax, limits);
    std::vector<std::string> lines;
    for (const auto* list : {&found.findings, &found.passed}) {
        for (const Finding& f : *list) {
            std::string line =
                fmt::format("{} {} {} {} {}, {} spans, {} outcomes,", names(f.id), class_name(f.what), gravity_name(f.gravity),
                            verdict_name(f.verdict), method_name(f.method), f.spans.size(), f.outcomes.size());
            for (const int n : f.players) line += fmt::format(" {}", n);
            if (f.witness) line += fmt::format(", {} decisions, {} moves", f.witness->decisions, f.witness->moves.size());
            if (f.frequency) line += fmt::format(", {} of {}", f.frequency->games, f.frequency->of);
            lines.push_back(std::move(line));
        }
    }
    std::sort(lines.begin(), lines.end());  // what stands at one place is told in the order of its sentences
    return lines;
}

std::string spaced(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

}  // namespace

TEST_CASE("a renamed house rule differs from its game in the same way", "[renaming][differ]") {
    for (const char* name : {"no_dream", "aquarium", "open_direction", "patient_hunt", "turnabout", "market_day"}) {
        const Rules rules = read_rules(rules_file(name));
        const Renaming r = rename(rules);
        const Rules other = parse_rules(rules.name, r.texts);
        REQUIRE(rules.base.has_value());
        REQUIRE(other.base.has_value());
        INFO(name);
        CHECK(spaced(with_old_names(differs(other, 3), r)) == spaced(differs(rules, 3)));
    }
}

TEST_CASE("validation finds the same in a renamed game", "[renaming][validate]") {
    for (const char* name : {"cogito", "nekokan_duel"}) {
        const Rules rules = read_rules(rules_file(name));
        const Renaming r = rename(rules);
        const Rules other = parse_rules(rules.name, r.texts);
        INFO(name);
        const auto own = validated(rules, 2, [](std::string s) { return s; });
        const auto others = validated(other, 2, [&](const std::string& s) { return with_old_names(s, r); });
        CHECK(std::count_if(own.begin(), own.end(), [](const std::string& line) { return line.find(" found ") != std::string::npos; }) >=
              5);
        CHECK(others == own);
    }
}

TEST_CASE("a renamed game is the same game", "[renaming]") {
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const Renaming r = rename(rules);
        INFO(rules.name);
        REQUIRE(r.to.size() >= 10);
        const Rules other = parse_rules(rules.name, r.texts);
        CHECK(listed(other, [&](const std::string& s) { return with_old_names(s, r); }) == listed(rules, [](std::string s) { return s; }));
        const std::vector<Variant> all = tested_variants(rules.syntax);
        REQUIRE(tested_variants(other.syntax).size() == all.size());
        for (const Variant& variant : all) {
            const std::string name = variant_name(rules, variant);
            INFO(name);
            const auto machine = machine_of(rules, variant);
            const auto twin = machine_of(other, renamed(variant, r));
            CHECK(with_old_names(without_hash(print(twin->game), twin->game), r) == without_hash(print(machine->game), machine->game));
            CHECK(with_old_names(without_hash(print(*twin), twin->game), r) == without_hash(print(*machine), machine->game));
            CHECK((last_states(twin, seed_of(name), 200) == last_states(machine, seed_of(name), 200)));
        }
    }
}

TEST_CASE("what a seat can know of a renamed game is the same", "[renaming][hint]") {
    for (const char* name : {"kuhn", "cogito", "majika_mini"}) {
        const Rules rules = read_rules(rules_file(name));
        const Renaming r = rename(rules);
        const Rules other = parse_rules(rules.name, r.texts);
        const Variant variant = variants(rules.syntax).front();
        const auto machine = machine_of(rules, variant);
        const auto twin = machine_of(other, renamed(variant, r));
        const auto zone = std::find_if(machine->game.zones.begin(), machine->game.zones.end(),
                                       [](const Zone& z) { return z.by == IndexBy::player && z.seers != Seers::all; });
        REQUIRE(zone != machine->game.zones.end());
        for (const int answers : {4, 9, 14}) {
            INFO(rules.name << ", " << answers << " answers");
            const std::string own =
                answered(std::string(rules.sources[0].text()), machine->game.name, log_of(machine, 5, answers), zone->name);
            const std::string others = answered(r.texts[0], twin->game.name, log_of(twin, 5, answers), r.to.at(zone->name));
            const auto asked = own.find("```console");
            REQUIRE(asked != std::string::npos);
            CHECK(own.find("\"fits\": true", asked) != std::string::npos);
            CHECK(own.find("\"answer\": ", asked) != std::string::npos);
            CHECK(with_old_names(others.substr(others.find("```console")), r) == own.substr(asked));
        }
    }
}

TEST_CASE("the promises of a renamed game are proved alike", "[renaming][prove]") {
    for (const char* name : {"kuhn", "leduc", "old_maid"}) {
        const Rules rules = read_rules(rules_file(name));
        const Renaming r = rename(rules);
        const Rules other = parse_rules(rules.name, r.texts);
        INFO(name);
        const auto shown = [](const Rules& of) {
            std::vector<std::string> lines;
            for (const Obligation& o : prove(machine_of(of, {3, {}})->game, {no_work_limit}))
                lines.push_back(fmt::format("{} {} {}", o.title.in(Language::en), o.proved, method_name(o.method)));
            return lines;
        };
        CHECK(shown(other) == shown(rules));
    }
}
