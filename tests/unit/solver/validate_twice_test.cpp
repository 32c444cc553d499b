// Whether validation finds the same again, on a machine that has much else to do.
#include "solver/validate/validate.hpp"

#include "interpreter/run/run.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::string text(const std::vector<int>& numbers) {
    std::string all;
    for (const int n : numbers) all += fmt::format(" {}", n);
    return all;
}
std::string text(const Settings& settings) {
    std::string all;
    for (const auto& [name, value] : settings) all += fmt::format(" {}={}", name, value);
    return all;
}
std::string text(const std::optional<Frequency>& f) { return f ? fmt::format(" {}/{}", f->games, f->of) : " -"; }

std::string text(const Finding& f) {
    std::string all = fmt::format("{} {} {} {} {}{}{}{}{}\n{}\n{}\n{}\n", f.id, class_name(f.what), verdict_name(f.verdict),
                                  method_name(f.method), f.bound.in(Language::en), text(f.players), text(f.settings), text(f.frequency),
                                  text(f.winner_changes), f.title.in(Language::en), f.title.in(Language::ja), f.text.in(Language::en));
    for (const Span s : f.spans) all += fmt::format(" {}-{}", s.begin, s.end);
    for (const OutcomeText& o : f.outcomes) all += fmt::format(" {}: {}\n", o.when.in(Language::en), o.then.in(Language::en));
    if (f.witness) all += f.witness->log;
    return all;
}

// All that is told.
std::string text(const Validation& found) {
    std::string all;
    for (const Finding& f : found.findings) all += text(f);
    for (const Finding& f : found.passed) all += text(f);
    for (const Sentence& s : found.limits) all += s.in(Language::en) + "\n";
    for (const NotLookedAt& n : found.not_looked_at)
        all += fmt::format("{} {} {}{} {}\n", n.what, n.name, n.players, text(n.settings), n.begun);
    for (const Doubt& d : found.doubts) {
        all += fmt::format("{:.17g}", d.weight);
        for (const std::size_t i : d.findings) all += fmt::format(" {}", i);
    }
    return all;
}

// Threads that take what they get of all cores, while it lives.
class Others {
public:
    explicit Others(int count) {
        for (int i = 0; i < count; ++i)
            threads_.emplace_back([this] {
                while (!over_) ++turns_;
            });
    }
    ~Others() { over_ = true; }
    Others(const Others&) = delete;
    Others& operator=(const Others&) = delete;

private:
    std::atomic<bool> over_{false};
    std::atomic<std::uint64_t> turns_{0};
    std::vector<std::jthread> threads_;
};

void find_twice(const Rules& rules, ValidateLimits limits) {
    const Validation quiet = validate(rules.syntax, limits);
    const Others others(3);
    limits.threads = 3;
    const Validation busy = validate(rules.syntax, limits);
    CHECK(!quiet.cut_by_time);
    CHECK(text(quiet) == text(busy));
}

}  // namespace

TEST_CASE("validation finds the same again while others work", "[validate]") {
    ValidateLimits limits;
    limits.games = 200;
    limits.work = 2 * work_a_second;
    for (const bool blind : {false, true}) {
        limits.blind = blind;
        for (const char* name : {"leduc", "old_maid", "cogito"}) {
            CAPTURE(name, blind);
            find_twice(read_rules(rules_file(name)), limits);
        }
    }
}

TEST_CASE("validation of every game that ships finds the same again while others work", "[.long]") {
    for (const auto& path : rules_files()) {
        CAPTURE(path.string());
        find_twice(read_rules(path), {});
    }
}

TEST_CASE("the heaviest doubts are weighed by games of players who think", "[validate]") {
    const Rules rules = read_rules(rules_file("cogito"));
    ValidateLimits limits;
    limits.games = 100;
    limits.low = limits.high = 2;
    limits.proofs = false;
    limits.others = false;
    // They all play alike, so that what comes up does so in all games or in none.
    limits.thinking = [](const std::shared_ptr<const Machine>& machine, std::uint64_t games, std::uint64_t) {
        const auto run = make_run(machine);
        Random random(1);
        std::vector<std::uint64_t> moves;
        run->start();
        for (Node n = run->advance(); n.kind != NodeKind::over && n.kind != NodeKind::failed; n = run->advance()) {
            moves.push_back(random_move(*run, random));
            run->apply(moves.back());
        }
        return std::vector<std::vector<std::uint64_t>>(games, moves);
    };
    const Validation found = validate(rules.syntax, limits);
    const auto weighed = [](const Doubt& d) { return d.thinking.has_value(); };
    CHECK(std::count_if(found.doubts.begin(), found.doubts.end(), weighed) > 2);
    CHECK(std::count_if(found.doubts.begin(), found.doubts.end(), weighed) <= 10);
    for (std::size_t i = 0; i < found.doubts.size(); ++i) {
        const Doubt& d = found.doubts[i];
        const Finding& f = found.findings[d.findings.front()];
        CAPTURE(f.id);
        if (i > 0 && i < 10) CHECK(d.weight <= found.doubts[i - 1].weight);
        if (!d.thinking) continue;
        CHECK(d.thinking->of == 20);
        CHECK((d.thinking->games == 0 || d.thinking->games == 20));
        CHECK((d.thinking->games == 0 || d.weight >= 0.5));
    }
}

TEST_CASE("where no game of players who think comes to its end, that is said", "[validate]") {
    const Rules rules = read_rules(rules_file("cogito"));
    ValidateLimits limits;
    limits.games = 100;
    limits.low = limits.high = 2;
    limits.proofs = false;
    limits.others = false;
    const auto says_so = [](const Validation& found) {
        return std::ranges::any_of(found.limits, [](const Sentence& s) {
            return s.in(Language::en).starts_with("With 2 players no game of players who deduce") &&
                   s.in(Language::ja).starts_with("2人では");
        });
    };
    limits.thinking = [](const std::shared_ptr<const Machine>&, std::uint64_t, std::uint64_t) {
        return std::vector<std::vector<std::uint64_t>>{};
    };
    const Validation found = validate(rules.syntax, limits);
    CHECK(says_so(found));
    CHECK_FALSE(found.cut_by_time);
    for (const Doubt& d : found.doubts) CHECK_FALSE(d.thinking);
    limits.thinking = nullptr;
    CHECK_FALSE(says_so(validate(rules.syntax, limits)));
}
