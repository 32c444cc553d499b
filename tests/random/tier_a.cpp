#include "tests/random/tier_a.hpp"

#include "dsl/check/check.hpp"
#include "dsl/syntax/format.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/plain/plain_run.hpp"
#include "interpreter/run/laid_run.hpp"
#include "tests/random/table_of.hpp"
#include "tests/support/two_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace houserule::random_games {

namespace {

constexpr std::uint64_t forced_steps = 20'000;
constexpr int most_nodes = 120;
constexpr std::size_t most_plain_nodes = 60;
constexpr int games_a_machine = 3;
constexpr int probed_nodes = 6;

struct Parsed {
    Sources sources;
    Syntax syntax;
};

std::string told(Diagnostics& all, const Sources& sources) {
    tidy(all);
    return render(all, sources, {Language::en, false});
}

Parsed parsed(const std::string& text, const char* what, const std::string& house_rule = "") {
    Parsed p;
    p.sources.emplace_back("game.rules", text);
    Diagnostics found;
    p.syntax = parse(p.sources, 0, found);
    if (!house_rule.empty()) {
        p.sources.emplace_back("house.rules", house_rule);
        p.syntax = stacked(p.syntax, parse(p.sources, 1, found));
    }
    if (has_errors(found)) throw Stop{Verdict::refused, fmt::format("{} {}", what, info(found.front().code).id), told(found, p.sources)};
    return p;
}

std::shared_ptr<const Machine> compiled(const Parsed& p, const Variant& v, const char* what) {
    Diagnostics found;
    Game game = check(p.syntax, v.players, v.settings, found);
    std::erase_if(found, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    if (!found.empty()) throw Stop{Verdict::refused, fmt::format("{} {}", what, info(found.front().code).id), told(found, p.sources)};
    auto machine = compile(std::move(game));
    if (too_large(*machine)) throw Stop{Verdict::refused, fmt::format("{} too large", what), ""};
    return machine;
}

// ---- the text ----------------------------------------------------------------------------------------------------------------

bool same_tree(const SyntaxNode& a, const SyntaxNode& b) {
    return a.kind == b.kind && a.text == b.text && a.children.size() == b.children.size() &&
           std::equal(a.children.begin(), a.children.end(), b.children.begin(),
                      [](const SyntaxNode* x, const SyntaxNode* y) { return same_tree(*x, *y); });
}

void compare_layout(const std::string& text, const Parsed& p) {
    const std::string once = format(text);
    if (format(once) != once) throw Stop{Verdict::wrong, "formatting twice", once};
    const Parsed again = parsed(once, "formatted");
    if (!same_tree(*p.syntax.root, *again.syntax.root)) throw Stop{Verdict::wrong, "the formatted tree", once};
}

// ---- two runs ----------------------------------------------------------------------------------------------------------------

std::string node_text(const Run& run) {
    const Node& n = run.node();
    return fmt::format("kind {} seat {} moves {} seats {} joint {} failure {}", static_cast<int>(n.kind), n.seat, n.moves, n.seats, n.joint,
                       n.kind == NodeKind::failed ? static_cast<int>(run.failure().kind) : 0);
}

std::string results_text(Run& run, std::uint64_t seed) {
    Random lots(seed);
    std::string text = fmt::format("end {}", run.ended().value());
    for (const auto& all : {run.winners(lots), run.scores(), run.payoffs()}) {
        text += " /";
        for (const std::int32_t n : all) text += fmt::format(" {}", n);
    }
    return text;
}

bool same_tables(const Run& a, const Run& b) {
    const Game& game = a.machine().game;
    for (PlaceId p = 0; p < game.places; ++p)
        if (a.kinds_at(p) != b.kinds_at(p) || a.parts(p) != b.parts(p)) return false;
    for (const FactId f : game.facts.ids())
        for (std::int32_t i = 0; i < game.facts[f].count; ++i)
            if (a.fact(f, i) != b.fact(f, i) || (game.facts[f].type.base == Base::set && a.fact_set(f, i) != b.fact_set(f, i)))
                return false;
    return true;
}

// Byte by byte; but examples that are not read for these options can have needed room or sets of numbers that reach further, so that
// without them a state is laid out otherwise: then the tables are compared.
bool same_states(const Run& a, const Run& b) {
    const Layout& one = a.machine().layout;
    const Layout& other = b.machine().layout;
    if (one.first_number != other.first_number || one.words != other.words || a.state().size() != b.state().size())
        return same_tables(a, b);
    return std::ranges::equal(a.state(), b.state());
}

// Plays both with the same moves; what differs first.
void compare_runs(Run& a, Run& b, std::uint64_t seed, const std::string& what) {
    Random random(seed);
    a.limit_forced(forced_steps);
    b.limit_forced(forced_steps);
    a.start();
    b.start();
    for (int i = 0; i < most_nodes; ++i) {
        a.advance();
        b.advance();
        const std::string at = fmt::format("seed {}, node {}: ", seed, i);
        if (node_text(a) != node_text(b)) throw Stop{Verdict::wrong, what + ": nodes", at + node_text(a) + " | " + node_text(b)};
        if (!same_states(a, b)) throw Stop{Verdict::wrong, what + ": states", at + node_text(a)};
        if (a.node().kind == NodeKind::failed) return;
        if (a.node().kind == NodeKind::over) {
            const std::string one = results_text(a, seed), other = results_text(b, seed);
            if (one != other) throw Stop{Verdict::wrong, what + ": results", at + one + " | " + other};
            return;
        }
        const std::uint64_t move = random_move(a, random);
        a.apply(move);
        b.apply(move);
    }
}

// ---- what the file claims ----------------------------------------------------------------------------------------------------

// Empty: it would take too long.
std::string reckoned(const Probe& probe, const Setting& setting) {
    try {
        return shown(probe.claim.means(setting));
    } catch (const BrokenPromise&) {
        return "broken";
    } catch (const Unreckoned&) {
        return "";
    }
}

// `plain`: the plain stepper at the same node, if it goes along.
void compare_claims(Run& run, Run* plain, const GeneratedGame& game, Coverage& coverage) {
    if (game.probes.empty()) return;
    const Game& g = run.machine().game;
    const TableReader reader(g, *game.words);
    const Table table = reader.table(run);
    Setting setting;
    setting.table = &table;
    setting.players = g.players;
    setting.options = reader.options();
    setting.readings = reader.readings();
    setting.sees = [&](const std::string& name, const std::string& operand) { ++coverage[name + ": " + operand]; };
    for (std::size_t i = 0; i < game.probes.size() && i < g.examples.size(); ++i) {
        const std::string own = reckoned(game.probes[i], setting);
        ++coverage[own.empty() ? "claims not reckoned" : "claims"];
        if (own.empty()) continue;
        for (Run* const each : {&run, plain}) {
            if (each == nullptr) continue;
            const std::int32_t value = each->scalar(g.examples[i].steps.front().first);
            const std::string said = value == 0 || value == 1 ? shown(truth(value == 1)) : "broken";
            const char* const who = each == plain ? "the plain stepper" : "the engine";
            if (said != own)
                throw Stop{Verdict::wrong, each == plain ? "a claim, plain" : "a claim",
                           fmt::format("{}\n{}: {}, reckoned: {}", game.probes[i].claim.text, who, said, own)};
        }
    }
}

bool is_decision(const Node& n) {
    return n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask || n.kind == NodeKind::window;
}

// By what a game ended, and how much was decided in it.
void count_end(const Run& run, int decisions, Coverage& coverage) {
    static constexpr std::array names = {
#define HOUSERULE_TEXT(name, words) #name,
#include "interpreter/run/failures.en.def"
#undef HOUSERULE_TEXT
    };
    const NodeKind kind = run.node().kind;
    const std::string end = kind == NodeKind::failed ? fmt::format("broken promise {}", names.at(index_of(run.failure().kind) - 1))
                            : kind == NodeKind::over ? "ended"
                                                     : "left off";
    ++coverage["played: " + end];
    ++coverage[fmt::format("played: {} decisions", decisions >= 10 ? "10 or more" : decisions > 0 ? "1..9" : "0")];
    ++coverage[kind == NodeKind::failed && decisions < 10 ? "played: broken off early" : "played: to the end or long"];
}

void play(const std::shared_ptr<const Machine>& machine, const GeneratedGame& game, std::uint64_t seed, bool beside_plain,
          Coverage& coverage) {
    const auto run = make_run(machine);
    run->limit_forced(forced_steps);
    std::unique_ptr<Run> plain;
    if (beside_plain && !game.probes.empty()) plain = make_plain_run(machine);
    if (plain) plain->limit_forced(forced_steps);
    if (plain) plain->start();
    Random random(seed);
    Random when(seed + 1);
    run->start();
    int looked = 0;
    int decisions = 0;
    for (int i = 0; i < most_nodes; ++i) {
        const Node& n = run->advance();
        if (plain && plain->advance().kind != n.kind) plain = nullptr;  // that they differ is seen elsewhere
        ++coverage[fmt::format("node: {}", static_cast<int>(n.kind))];
        if (is_decision(n)) ++decisions;
        if (n.kind == NodeKind::failed || n.kind == NodeKind::over || i + 1 == most_nodes) count_end(*run, decisions, coverage);
        if (looked < probed_nodes && (i == 0 || n.kind == NodeKind::over || when.below(4) == 0)) {
            ++looked;
            compare_claims(*run, plain.get(), game, coverage);
        }
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return;
        const std::uint64_t move = random_move(*run, random);
        run->apply(move);
        if (plain) plain->apply(move);
    }
}

void compare_plain(const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    const auto found = testing::first_difference(machine, seed, most_plain_nodes);
    if (!found) return;
    const std::size_t at = found->find(": ");
    const std::string what = at == std::string::npos ? *found : found->substr(at + 2, found->find(':', at + 2) - at - 2);
    throw Stop{Verdict::wrong, "plain: " + what, *found};
}

void compare_machine(const std::shared_ptr<const Machine>& machine, const GeneratedGame& game, std::uint64_t seed, Coverage& coverage) {
    for (int i = 0; i < games_a_machine; ++i) {
        play(machine, game, seed + static_cast<std::uint64_t>(i), i == 0, coverage);
        const auto plain = make_run(machine);
        const auto recording = make_run(machine);
        Events events;
        recording->record(&events);
        compare_runs(*plain, *recording, seed + static_cast<std::uint64_t>(i), "recording");
        if (i == 0) compare_plain(machine, seed);
        const auto traced = make_traced_run(machine);
        compare_runs(*plain, *traced, seed + static_cast<std::uint64_t>(i), "traced");
    }
}

// ---- the same game, written differently --------------------------------------------------------------------------------------

void compare_games(const std::shared_ptr<const Machine>& a, const std::shared_ptr<const Machine>& b, std::uint64_t seed, const char* what) {
    const auto one = make_run(a);
    const auto other = make_run(b);
    for (int i = 0; i < games_a_machine; ++i) compare_runs(*one, *other, seed + static_cast<std::uint64_t>(i), what);
}

// Without the lines that begin an example of this generator.
std::string without_examples(const std::string& text) {
    std::string kept;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
        if (text.compare(from, 9, "example \"") != 0) kept += text.substr(from, end - from);
        from = end;
    }
    return kept;
}

void compare_merged(const Parsed& p, const Variant& v, const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    Diagnostics found;
    const Merged merged = merge(p.syntax, v.settings, found);
    // Examples are read for the defaults alone, which are others in what is merged.
    const auto by_default = [&](const Offer& o) { return !v.settings.contains(o.name) || v.settings.at(o.name) == o.stated; };
    const std::vector<Offer> offered = offers(p.syntax);
    const bool defaults = std::all_of(offered.begin(), offered.end(), by_default);
    const std::string whole = listing(p.syntax, merged, p.sources);
    const std::string text = defaults ? whole : without_examples(whole);
    try {
        const Parsed again = parsed(text, "merged");
        Variant same{v.players, {}};  // readings are decided in what is merged
        for (const Offer& o : offers(again.syntax))
            if (v.settings.contains(o.name)) same.settings[o.name] = v.settings.at(o.name);
        compare_games(machine, compiled(again, same, "merged"), seed, "merged");
    } catch (const Stop& s) {
        throw Stop{Verdict::wrong, s.what, s.detail + "\n" + text};
    }
}

std::vector<Variant> some_variants(const Syntax& syntax) {
    std::vector<Variant> all = variants(syntax);
    if (all.size() <= 3) return all;
    return {all.front(), all[all.size() / 2], all.back()};
}

// The same again with a house rule on it. Its claims are those of the game that it changes, so they are not looked at.
void judge_house_rule(const GeneratedGame& game, std::uint64_t seed, Coverage& coverage) {
    const Parsed p = parsed(game.text, "house rule", game.house_rule);
    GeneratedGame unclaimed = game;
    unclaimed.probes.clear();
    const std::vector<Variant> all = some_variants(p.syntax);
    for (const Variant& v : all) {
        const auto machine = compiled(p, v, "house rule");
        compare_machine(machine, unclaimed, seed, coverage);
        compare_merged(p, v, machine, seed);
    }
    ++coverage["house rules"];
}

// Which operators and statements the checked game is made of.
void count_parts(const Game& game, Coverage& coverage) {
    for (const Expression& e : game.expressions) ++coverage[fmt::format("operator {}", operator_name(e.op))];
}

void judge_all(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed, Coverage& coverage) {
    const Parsed p = parsed(game.text, "");
    compare_layout(game.text, p);
    const Parsed other = parsed(others.text, "renamed");
    const std::vector<Variant> all = some_variants(p.syntax);
    std::vector<std::shared_ptr<const Machine>> machines;
    for (const Variant& v : all) machines.push_back(compiled(p, v, ""));
    count_parts(machines[0]->game, coverage);
    for (std::size_t i = 0; i < all.size(); ++i) {
        compare_machine(machines[i], game, seed, coverage);
        compare_merged(p, all[i], machines[i], seed);
    }
    try {
        compare_games(machines[0], compiled(other, {all[0].players, {}}, "renamed"), seed, "renamed");
    } catch (const Stop& s) {
        throw Stop{Verdict::wrong, s.what, s.detail + "\n" + others.text};
    }
    if (!game.house_rule.empty()) judge_house_rule(game, seed, coverage);
    for (const auto& [what, count] : game.written) coverage["statement: " + what] += count;
}

}  // namespace

Judged judge(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed) {
    return judged_by([&](Coverage& coverage) { judge_all(game, others, seed, coverage); });
}

}  // namespace houserule::random_games
