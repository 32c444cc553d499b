// A pause after what everybody notices: it ends when it is over, or when all people have seen enough, and nobody is told who waited.
#include "tests/unit/serve/desk.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds long_pause{3'000};
constexpr std::uint64_t looking_on = 10;
constexpr std::uint64_t hosting = 11;

// Two people and somebody random, in the pause after the first deal.
struct Paused : TableAtDesk {
    explicit Paused(const std::string& game = "cogito") {
        cli::Session s = session_of(game, 3, 7, {"1=human", "2=human", "3=random"});
        s.log_path = folder.path + "/game.log";
        table = std::make_unique<cli::Table>(std::move(s), kept_for_test(folder.path, 3), std::map<std::string, std::string>{},
                                             cli::TableSettings{long_pause, "run", [] { return 9; }}, desk, cli::Globals{});
        say_now(looking_on, {{"t", "hello"}, {"token", "watch"}});
        say_now(hosting, {{"t", "hello"}, {"token", "host"}});
        for (const int seat : {0, 1}) say_now(static_cast<std::uint64_t>(seat), {{"t", "hello"}, {"token", token_of(seat)}});
        for (const int seat : {0, 1}) say_now(static_cast<std::uint64_t>(seat), {{"t", "sit"}, {"name", ""}});
    }
    // Without time passing.
    void say_now(std::uint64_t page, const Json& what) {
        table->said(page, message(what));
        desk.run_now();
    }
    bool may_pass(std::uint64_t page) const {
        const Json news = desk.last(page, "news");
        return !news.is_null() && news["go"] == true;
    }
    std::size_t heard(std::uint64_t page) const { return desk.sent.at(page).size(); }
};

}  // namespace

TEST_CASE("a pause ends when all people have seen enough, and only then before its time", "[serve]") {
    Paused t;
    REQUIRE(t.may_pass(0));
    REQUIRE(t.may_pass(1));
    CHECK_FALSE(t.may_pass(looking_on));
    const std::size_t others = t.heard(1);
    const std::size_t looking = t.heard(looking_on);
    const std::size_t lines = t.desk.lines(0).size();
    t.say_now(0, {{"t", "go"}});
    CHECK_FALSE(t.may_pass(0));
    // Nobody else is told.
    CHECK(t.heard(1) == others);
    CHECK(t.heard(looking_on) == looking);
    t.say_now(0, {{"t", "go"}});
    CHECK(t.may_pass(1));
    t.say_now(1, {{"t", "go"}});
    CHECK(t.desk.now() == milliseconds(0));
    const bool goes_on =
        t.desk.lines(0).size() > lines || !t.desk.last(0, "news")["ask"].is_null() || !t.desk.last(1, "news")["ask"].is_null();
    CHECK(goes_on);
}

TEST_CASE("without a word a pause lasts as long as the host has set", "[serve]") {
    Paused t;
    t.say_now(0, {{"t", "go"}});
    const Json before = t.desk.last(1, "news");
    t.desk.run(1);
    t.desk.run_now();
    CHECK(t.desk.now() == long_pause);
    CHECK(t.desk.last(1, "news") != before);
}

TEST_CASE("a pause that was ended early ends no later one", "[serve]") {
    Paused t;
    for (const std::uint64_t page : {0, 1}) t.say_now(page, {{"t", "go"}});
    // In the next pause the time of the first runs out: nothing is told by that.
    for (int i = 0; i < 20 && !(t.may_pass(0) && t.may_pass(1)); ++i) {
        for (const std::uint64_t page : {0, 1}) {
            const Json ask = t.desk.last(page, "news")["ask"];
            if (ask.is_null()) continue;
            Random random(1);
            Json move = any_answer(ask, random);
            move.update({{"t", "move"}, {"q", ask["q"]}, {"id", fmt::format("{}{}", page, i)}});
            t.say_now(page, move);
        }
    }
    REQUIRE(t.may_pass(0));
    const std::size_t told = t.heard(0);
    // Both end at the same moment here; the first, which is late, does nothing.
    t.desk.run(1);
    t.desk.run_now();
    CHECK(t.desk.now() == long_pause);
    CHECK(t.heard(0) == told);
}

TEST_CASE("who is given to the program is not waited for, and an end in a pause is the end", "[serve]") {
    Paused t;
    t.say_now(0, {{"t", "go"}});
    t.say_now(hosting, {{"t", "seat"}, {"seat", 1}, {"who", "random"}});
    CHECK(t.desk.now() == milliseconds(0));
    CHECK((t.may_pass(0) || !t.desk.last(0, "news")["ask"].is_null()));

    Paused other;
    other.say_now(hosting, {{"t", "end"}});
    REQUIRE(other.table->is_over());
    other.desk.run();
    for (const std::uint64_t page : {0, 1}) {
        CHECK(other.desk.last(page, "news")["ask"].is_null());
        CHECK_FALSE(other.may_pass(page));
    }
    other.say_now(hosting, {{"t", "start"}});
    CHECK(other.desk.last(0, "table")["phase"] == "playing");
}

TEST_CASE("whether somebody can act or not, all people are offered to go on", "[serve]") {
    // A game without acts, and one with: after each thing that all notice.
    for (const std::string game : {"crazy_eights", "cogito"}) {
        Paused t(game);
        CHECK(t.may_pass(0));
        CHECK(t.may_pass(1));
    }
}
