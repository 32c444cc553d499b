// When a seat is sent something: whatever lies where it does not look, at the same time.
#include "interpreter/app/serve/web_server.hpp"
#include "interpreter/log/view.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/unit/serve/client.hpp"
#include "tests/unit/serve/desk.hpp"
#include "tests/unit/serve/worlds.hpp"

#include "interpreter/app/play/begin_session.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;
using std::chrono::milliseconds;

namespace {

// A game at that position, where the seat is a person's, and players of the program sit at the others.
cli::Session session_with(const std::shared_ptr<const Machine>& machine, const Position& p, int seat, const std::string& others) {
    cli::Session session = session_at(machine, p.run->state(), p.events);
    for (int other = 0; other < machine->game.players; ++other)
        if (other != seat) cli::seat(session, other, others);
    return session;
}

// A choice that the rules take, the same for the same question.
Json allowed_answer(const Json& question, const Run& run) {
    Random random(1);
    for (int attempt = 0; attempt < 1'000; ++attempt) {
        Json answer = any_answer(question, random);
        if (!cli::move_in(answer, run)) continue;
        answer.update({{"t", "move"}, {"q", question["q"]}, {"id", "1"}});
        return answer;
    }
    FAIL("the rules refuse every choice");
    return {};
}

// What the seat is sent once it has answered, and when, by a clock that only waiting moves.
std::vector<Sent> sent_after_answer(const std::shared_ptr<const Machine>& machine, const Position& p, int seat, const std::string& others,
                                    milliseconds pace) {
    const Folder folder;
    Desk desk;
    cli::Table table(session_with(machine, p, seat, others), kept_for_test(folder.path, machine->game.players), {}, {pace, "run", {}}, desk,
                     {});
    table.resume();
    desk.run();
    table.said(1, message({{"t", "hello"}, {"token", token_of(seat)}}));
    desk.run();
    const Json question = desk.last(1, "news")["ask"];
    REQUIRE_FALSE(question.is_null());
    const Json answer = allowed_answer(question, *p.run);
    const std::size_t before = desk.sent[1].size();
    const milliseconds begun = desk.now();
    table.said(1, message(answer));
    desk.run(2'000);
    std::vector<Sent> sent(desk.sent[1].begin() + static_cast<std::ptrdiff_t>(before), desk.sent[1].end());
    for (Sent& s : sent) s.at -= begun;
    return sent;
}

struct Pair {
    Position here;
    Position there;
    int seat = 0;
};

// Two worlds that a seat cannot tell apart, at some question of it.
std::optional<Pair> two_worlds(const std::shared_ptr<const Machine>& machine, Random& random, int n) {
    const int seat = static_cast<int>(random.below(static_cast<std::uint64_t>(machine->game.players)));
    auto here = at_question(machine, random, seat, n);
    if (!here) return std::nullopt;
    const Events noticed = view_of(*machine, {}, here->events, seat).events;
    Deduction deduction(machine, seat, limits_of_tests());
    if (deduction.see(noticed) != Fit::fits) return std::nullopt;
    for (int i = 0; i < 10; ++i)
        if (auto there = another_world(deduction, noticed, machine, random, seat);
            there && !std::ranges::equal(there->run->state(), here->run->state()))
            return Pair{std::move(*here), std::move(*there), seat};
    return std::nullopt;
}

// Compares up to what first tells the worlds apart, which also comes at the same time. How many frames that were.
std::size_t compare_times(const std::shared_ptr<const Machine>& machine, const Pair& pair, const std::string& others) {
    const auto a = sent_after_answer(machine, pair.here, pair.seat, others, milliseconds(700));
    const auto b = sent_after_answer(machine, pair.there, pair.seat, others, milliseconds(700));
    std::size_t compared = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        INFO(a[i].frame << "\n"
                        << b[i].frame << "\n"
                        << log_text(*machine, {}, pair.here.events) << log_text(*machine, {}, pair.there.events));
        REQUIRE(a[i].at == b[i].at);
        ++compared;
        if (a[i].frame != b[i].frame) break;
    }
    return compared;
}

}  // namespace

TEST_CASE("with other cards where a seat does not look its frames come at the same times", "[serve]") {
    std::size_t pairs = 0;
    std::size_t frames = 0;
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const auto machine = machine_of(rules, variants(rules.syntax).front());
        INFO(rules.name);
        Random random(seed_of(rules.name) + 9);
        for (const int n : {0, 2}) {
            const auto pair = two_worlds(machine, random, n);
            if (!pair) continue;
            ++pairs;
            frames += compare_times(machine, *pair, "random");
            if (rules.name == "kuhn" || rules.name == "leduc") frames += compare_times(machine, *pair, "deduce");
        }
        testing::random_samples();
    }
    CAPTURE(pairs, frames);
    CHECK(pairs > 40);
    CHECK(frames > 100);
}

namespace {

// Who has a low card notes it in secret; then all say the same.
constexpr const char* noting_in_secret = R"(game noting
players 3 in a circle, clockwise
cards card { rank 1..12   1 of each }
zone deck             stack of card   seen by nobody
zone hand of player   set of card     seen by owner
zone pile             stack of card   seen by nobody
fact low of player    yes/no = no     lasts game   seen by owner
setup "" { put all cards on deck, shuffled   deal 2 from deck to every hand }
play {
  rule_of_last
  each p clockwise from P1 {
    if size of (p's hand where its rank <= 3) > 0: p's low becomes yes
    p says done
  }
  each p clockwise from P1: deal 1 from deck to p's hand
}
rule rule_of_last "" { P3 must choose c from P3's hand: put c on pile }
define payoff(player p) = 0
)";

}  // namespace

TEST_CASE("where it pauses is told by what everybody notices alone", "[serve]") {
    const Rules rules = parse_rules("noting", {noting_in_secret});
    const auto machine = machine_of(rules, variants(rules.syntax).front());
    std::vector<std::vector<milliseconds>> all;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        Random random(seed);
        const auto p = at_question(machine, random, 2, 0);
        REQUIRE(p);
        std::vector<milliseconds> times;
        for (const Sent& s : sent_after_answer(machine, *p, 2, "random", milliseconds(700)))
            if (Json::parse(s.frame)["t"] == "news") times.push_back(s.at);
        CHECK(times.size() > 4);
        all.push_back(std::move(times));
    }
    for (const auto& times : all) CHECK(times == all.front());
}

namespace {

// Whether the two worlds also tell the same until the seat is asked again.
bool stay_the_same(const std::shared_ptr<const Machine>& machine, const Pair& pair, const std::string& others) {
    const auto a = sent_after_answer(machine, pair.here, pair.seat, others, milliseconds(1));
    const auto b = sent_after_answer(machine, pair.there, pair.seat, others, milliseconds(1));
    return std::ranges::equal(a, b, [](const Sent& x, const Sent& y) { return x.frame == y.frame; });
}

// How long a page waits from its answer to the next question or the end, over a real socket.
double seconds_to_next(const std::shared_ptr<const Machine>& machine, const Position& p, int seat, const std::string& others,
                       milliseconds pace) {
    const Folder folder;
    cli::WebServer server;
    REQUIRE(server.listen(false, 0) == 0);
    cli::Session session = session_with(machine, p, seat, others);
    session.log_path = folder.path + "/game.log";
    cli::Table table(std::move(session), kept_for_test(folder.path, machine->game.players), {}, {pace, "run", {}}, server, {});
    table.resume();
    std::thread serving([&] { server.run(table, {cli::names_of_this_machine(false, ""), server.port()}); });
    double seconds = 0;
    {
        Client page(server.port());
        REQUIRE(page.upgrade() == 101);
        page.say({{"t", "hello"}, {"token", token_of(seat)}});
        Json question;
        while (question.is_null()) {
            const auto news = page.hear("news");
            REQUIRE(news);
            question = (*news)["ask"];
        }
        const Json answer = allowed_answer(question, *p.run);
        const auto begun = std::chrono::steady_clock::now();
        page.say(answer);
        for (bool more = true; more;) {
            const auto frame = page.hear();
            REQUIRE(frame);
            const bool asks = (*frame)["t"] == "news" && !(*frame)["ask"].is_null() && (*frame)["ask"]["q"] != question["q"];
            more = !asks && !((*frame)["t"] == "table" && (*frame)["phase"] != "playing");
        }
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }
    server.stop();
    serving.join();
    return seconds;
}

// Kolmogorov and Smirnov's: the largest distance of the two distributions, of ascending values.
double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    std::size_t j = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        while (j < b.size() && b[j] <= a[i]) ++j;
        most = std::max(most, std::abs(static_cast<double>(i + 1) / static_cast<double>(a.size()) -
                                       static_cast<double>(j) / static_cast<double>(b.size())));
    }
    return most;
}

}  // namespace

namespace {

struct Timed {
    std::string name;
    std::string others;
    milliseconds pace{0};
};

}  // namespace

TEST_CASE("500 runs in each of two worlds take equally long", "[.long][serve]") {
    constexpr int runs = 500;
    const double least_suspicious = 1.95 * std::sqrt(2.0 / runs);  // one in a thousand by chance
    std::size_t tried = 0;
    // A pace that is longer than the players think.
    const std::vector<Timed> all{
        {"cogito", "random", milliseconds(20)}, {"agram", "random", milliseconds(20)}, {"kuhn", "deduce", milliseconds(100)}};
    for (const auto& [name, others, pace] : all) {
        const Rules rules = read_rules(rules_file(name));
        const auto machine = machine_of(rules, variants(rules.syntax).front());
        Random random(seed_of(name) + 21);
        std::optional<Pair> pair;
        for (int i = 0; i < 200 && !pair; ++i) {
            pair = two_worlds(machine, random, i % 3);
            if (pair && !stay_the_same(machine, *pair, others)) pair.reset();
        }
        INFO(name << ", others " << others);
        CHECK(pair);
        if (!pair) continue;
        std::vector<double> here;
        std::vector<double> there;
        for (int i = 0; i < runs; ++i) {
            const bool first = random.below(2) == 0;
            for (const bool is_here : {first, !first})
                (is_here ? here : there).push_back(seconds_to_next(machine, is_here ? pair->here : pair->there, pair->seat, others, pace));
        }
        std::ranges::sort(here);
        std::ranges::sort(there);
        const double distance = distance_of(here, there);
        WARN(fmt::format("{}, others {}: distance {:.3f}, suspicious from {:.3f} on; median {:.2f} and {:.2f} ms", name, others, distance,
                         least_suspicious, 1'000 * here[runs / 2], 1'000 * there[runs / 2]));
        CHECK(distance < least_suspicious);
        ++tried;
    }
    CHECK(tried == all.size());
}
