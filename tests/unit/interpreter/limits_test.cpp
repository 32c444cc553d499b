// Limits of a machine that is run: rounds in which nobody is asked, what is told meanwhile, and the size of a state.
#include "interpreter/run/stop.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::string game_with(const std::string& play, const std::string& more = "") {
    return "game g\nplayers 2 in a circle, clockwise\ncards card { rank 1..4   1 of each }\nzone pile row of card seen by all\n"
           "setup { put all cards in pile }\nwinner = players where it is P1, then shared\nplay { " +
           play + " }\n" + more;
}

std::shared_ptr<const Machine> machine_of(const std::string& text) { return machine_of(parse_rules("rules", {text}), {2, {}}); }

// What was told until the machine stopped, and why it did: `over`, or a failure.
struct Ran {
    std::size_t told = 0;
    NodeKind how = NodeKind::over;
};
Ran run_to_stop(const std::string& text, std::uint64_t rounds = forced_limit) {
    const auto run = make_run(machine_of(text));
    Events events;
    run->record(&events);
    run->limit_forced(rounds);
    run->start();
    Random random(1);
    play_through(*run, random);
    if (run->node().kind == NodeKind::failed) CHECK(run->failure().kind == FailureKind::goes_on_for_ever);
    return {events.size(), run->node().kind};
}

std::vector<std::string> in_words(const Diagnostic& diagnostic) {
    std::vector<std::string> words;
    for (const Phrase& argument : diagnostic.arguments) words.push_back(argument.in(Language::en));
    return words;
}

std::string facts(std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += fmt::format("fact f{} 0..9 = 0 lasts game seen by all\n", i);
    return text;
}

}  // namespace

TEST_CASE("a machine that comes back to a state without asking anybody is stopped early", "[limits]") {
    const Ran ran = run_to_stop(game_with("deal all from pile to pile"));
    CHECK(ran.how == NodeKind::failed);
    CHECK(ran.told < 2 * unwatched_rounds);
}

TEST_CASE("rounds that change something may be many", "[limits]") {
    CHECK(run_to_stop(game_with("repeat 100000 times { nothing }")).how == NodeKind::over);
    CHECK(run_to_stop(game_with("repeat 1000 times { repeat 1000 times { nothing } }")).how == NodeKind::over);
}

TEST_CASE("the limit of rounds holds to the round", "[limits]") {
    // `repeat` goes back once a time.
    for (const std::uint64_t rounds : {std::uint64_t{500}, unwatched_rounds, unwatched_rounds + 500}) {
        const std::string text = game_with(fmt::format("repeat {} times {{ nothing }}", rounds));
        const auto most = [&](std::uint64_t limit) { return run_to_stop(text, limit).how; };
        std::uint64_t needed = rounds;
        while (most(needed) == NodeKind::failed && needed < rounds + 5) ++needed;
        CHECK(most(needed) == NodeKind::over);
        CHECK(most(needed - 1) == NodeKind::failed);
    }
}

TEST_CASE("a long forced run is stopped when somebody wants no more, and that is no fault of the rules", "[limits]") {
    const auto machine = machine_of(game_with("repeat 1000 times { repeat 1000 times { nothing } }"));
    const auto run = make_run(machine);
    Stop all;
    int looks = 0;
    const Stop part(&all, [&] { return ++looks == 3; });
    run->stop_on(&part);
    run->start();
    run->advance();
    CHECK(is_stopped(*run));
    CHECK(looks == 3);
    CHECK(run->work() * rounds_a_node > unwatched_rounds);
    CHECK(run->work() * rounds_a_node < unwatched_rounds + 5 * steps_between_looks);
    // Nobody asked, and from the start it is the same game.
    CHECK_FALSE(all.asked());
    run->stop_on(&all);
    run->start();
    CHECK(run->advance().kind == NodeKind::over);
    all.ask();
    run->start();
    run->advance();
    CHECK(is_stopped(*run));
    // As much work on every machine.
    const auto other = make_run(machine);
    other->start();
    other->advance();
    CHECK(other->work() > 1'000'000 / rounds_a_node);
    const std::uint64_t once = other->work();
    other->start();
    other->advance();
    CHECK(other->work() - 2 * once <= 1);  // parts of a node add up
}

TEST_CASE("what is looked at one by one is work", "[limits]") {
    // Two facts, so that no table of the cards that fit stands ready.
    const std::string facts = "fact x 0..9 = 1 lasts game seen by all\nfact y 0..9 = 9 lasts game seen by all\n";
    const auto work = [&](const std::string& condition) {
        const auto run = make_run(machine_of(game_with("repeat 160 times { if " + condition + ": x becomes 2 }", facts)));
        run->start();
        REQUIRE(run->advance().kind == NodeKind::over);
        return run->work();
    };
    const std::uint64_t nothing = work("y is 0");
    const auto judged = [&](const std::string& condition) { return (work(condition) - nothing) * rounds_a_node / 160; };
    CHECK(judged("y is 1") == 0);
    CHECK(judged("some c in pile where c's rank + x > y") == 4);
    CHECK(judged("(pile where its rank + x > y) is not empty") == 4);
    CHECK(judged("some n in 1..8 where n + x > y + 1") == 8);
    CHECK(judged("size of (1..8 where it + x > y) is 9") == 8);
    CHECK(judged("(sum of (its rank + x - y) over pile) > 9") == 4);
    CHECK(judged("(largest of (its rank + x - y) over pile) > 9") == 4);
    CHECK(judged("(pile with most (its rank + x - y)) is empty") == 4);
    CHECK(judged("size of (players with least (x + y)) is 9") == 2);
    CHECK(judged("some n in 1..8 where some m in 1..8 where n + m + x > y + 8") == 8 + 64);
}

TEST_CASE("random games that take long are left when somebody wants no more", "[limits]") {
    const auto run = make_run(machine_of(game_with("repeat 1000000 times { P1 must choose 1 from pile as c }")));
    Stop stop;
    stop.ask();
    run->stop_on(&stop);
    run->start();
    Random random(1);
    Tally tally;
    play_random(*run, random, tally);
    CHECK(run->node().kind == NodeKind::choose);
    CHECK(tally.decisions < steps_between_looks);
}

TEST_CASE("so much may be told between two answers and no more", "[limits]") {
    const auto says = [](std::uint64_t n) { return run_to_stop(game_with(fmt::format("repeat {} times {{ P1 says hi }}", n))); };
    // Laying the four cards is told, too.
    const Ran most = says(told_limit - 1);
    CHECK(most.how == NodeKind::over);
    const Ran more = says(told_limit);
    CHECK(more.how == NodeKind::failed);
    CHECK(more.told < told_limit + 10);
}

TEST_CASE("of rules that begin so many are recorded between two answers and no more", "[limits]") {
    const auto begins = [](std::uint64_t n) {
        return run_to_stop(game_with(fmt::format("repeat {} times {{ r }}", n), "rule r { nothing }"));
    };
    const Ran few = begins(1000);
    const Ran many = begins(told_limit + 5000);
    CHECK(few.how == NodeKind::over);
    CHECK(few.told > 1000);
    CHECK(many.how == NodeKind::over);
    CHECK(many.told == few.told - 1000 + told_limit);
}

TEST_CASE("a state has a largest size", "[limits]") {
    std::size_t n = (state_limit - machine_of(game_with("nothing"))->layout.bytes) / 4;
    const auto bytes = [&](std::size_t of) { return machine_of(game_with("nothing", facts(of)))->layout.bytes; };
    while (bytes(n) > state_limit) --n;
    while (bytes(n + 1) <= state_limit) ++n;
    const auto most = machine_of(game_with("nothing", facts(n)));
    CHECK(most->layout.bytes == state_limit);
    CHECK_FALSE(too_large(*most));
    const auto more = machine_of(game_with("nothing", facts(n + 1)));
    REQUIRE(too_large(*more));
    CHECK(too_large(*more)->code == Code::limit_passed);
    CHECK(in_words(*too_large(*more)) ==
          std::vector<std::string>{std::to_string(more->layout.bytes), "bytes for one state of the game", "65536"});
}
