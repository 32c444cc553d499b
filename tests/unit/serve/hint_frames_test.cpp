// What pages are told on demand: what a seat can know, with why, how it was found out and what moves bring; and the turn, which is the same
// for all.
#include "interpreter/app/drawing/drawing.hpp"
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/log/view.hpp"
#include "tests/support/rules.hpp"
#include "tests/unit/serve/desk.hpp"
#include "tests/unit/serve/worlds.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr std::uint64_t who_looks_on = 10;

// People at a game, with hints.
struct Hinted : TableAtDesk {
    Hinted(const std::string& game, int players, std::uint64_t seed) {
        std::vector<std::string> people;
        for (int p = 1; p <= players; ++p) people.push_back(fmt::format("{}=human", p));
        cli::Session s = session_of(game, players, seed, people);
        s.hints = true;
        s.log_path = folder.path + "/game.log";
        table = std::make_unique<cli::Table>(std::move(s), kept_for_test(folder.path, players), std::map<std::string, std::string>{},
                                             cli::TableSettings{{}, "run", [] { return 9; }}, desk, cli::Globals{});
        say(who_looks_on, {{"t", "hello"}, {"token", "watch"}});
        sit_all(*table, desk, players);
    }
    Json hint(std::uint64_t page, bool whole) {
        say(page, {{"t", "hint"}, {"all", whole}});
        return desk.last(page, "hint");
    }
};

}  // namespace

TEST_CASE("a hint says how it was found out, why the rest is ruled out and what moves tell, give away and bring", "[serve]") {
    Hinted t("kuhn", 2, 5);
    const int asked = asked_page(*t.table, t.desk, 2).value();
    const Json hint = t.hint(static_cast<std::uint64_t>(asked), false);
    REQUIRE(hint["in"].size() == 2);
    CHECK(hint["all"] == false);
    CHECK(hint["in"][0]["method"].get<std::string>().starts_with("What you can know, exactly"));
    CHECK(hint["in"][1]["method"].get<std::string>().starts_with("正確に分かること"));
    for (const Json& words : hint["in"]) {
        CHECK(words["known"].size() == 1);
        REQUIRE(words["out"]["rows"].size() == 1);
        for (const Json& part : {words["out"]["rows"][0][1], words["out"]["rows"][0][2]}) CHECK_FALSE(part.get<std::string>().empty());
        REQUIRE(words["moves"]["rows"].size() == 2);
        CHECK(words["moves"]["heads"].size() == 3);
        for (const Json& row : words["moves"]["rows"])
            for (const Json& cell : row) CHECK_FALSE(cell.get<std::string>().empty());
        CHECK_FALSE(words["moves"]["advice"].get<std::string>().empty());
        CHECK_FALSE(words.contains("open"));
    }
    // What a move gives away: betting or not tells the others something of the card.
    CHECK(hint["in"][0]["moves"]["rows"][0][2] != "?");
    CHECK(t.hint(static_cast<std::uint64_t>(asked), true)["all"] == true);
}

TEST_CASE("the words of a hint are those of the command", "[serve]") {
    Hinted t("leduc", 2, 7);
    const int asked = asked_page(*t.table, t.desk, 2).value();
    const Json words = t.hint(static_cast<std::uint64_t>(asked), false)["in"][0];
    cli::HintArgs args;
    args.text = t.folder.path + "/game.log";
    args.as = fmt::format("P{}", asked + 1);
    int code = 0;
    const cli::Globals g;
    const auto known = cli::known_from(args, g, code);
    REQUIRE(known);
    const cli::Hint hint = cli::hint_of(known->seen, known->deduction(), args, {}, known->until(100), known->until(100), g);
    const std::string told = cli::text_of(hint, 10'000);
    CAPTURE(told);
    const auto is_told = [&](const Json& part) { return told.find(part.get<std::string>()) != std::string::npos; };
    CHECK(is_told(words["method"]));
    CHECK_FALSE(words["known"].empty());
    for (const Json& line : words["known"]) CHECK(is_told(line));
    REQUIRE(words.contains("out"));
    for (const Json& row : words["out"]["rows"])
        for (const Json& part : row) CHECK(is_told(part));
    REQUIRE(words.contains("moves"));
    for (const Json& row : words["moves"]["rows"]) CHECK((is_told(row[0]) && is_told(row[1]) && is_told(row[3])));
    CHECK(is_told(words["moves"]["advice"]));
}

TEST_CASE("whatever lies where a seat does not look, it is told the same hint", "[serve]") {
    std::size_t compared = 0;
    for (const std::string name : {"kuhn", "leduc", "cheat", "cogito"}) {
        const Rules rules = read_rules(rules_file(name));
        const auto machine = machine_of(rules, variants(rules.syntax).front());
        Random random(seed_of(name) + 3);
        for (int attempt = 0; attempt < 3; ++attempt) {
            const int seat = attempt % machine->game.players;
            const auto here = at_question(machine, random, seat, attempt);
            if (!here) continue;
            const Events noticed = view_of(*machine, {}, here->events, seat).events;
            Deduction deduction(machine, seat, limits_of_tests());
            if (deduction.see(noticed) != Fit::fits) continue;
            const auto there = another_world(deduction, noticed, machine, random, seat);
            if (!there) continue;
            const Stop never;
            const auto told = [&](const Position& p) {
                std::size_t from = 0;
                return cli::hint_frame(machine, seat, cli::noticed_up_to(machine->game, p.events, from, p.events.size(), seat),
                                       std::nullopt, false, never, std::chrono::minutes(10));  // else how far it comes is up to the machine
            };
            const Json one = told(*here);
            const Json other = told(*there);
            CHECK(one == other);
            ++compared;
        }
    }
    CHECK(compared > 4);
}

TEST_CASE("the turn is told to whoever asks, the same bytes to all, in every language, drawn or in steps", "[serve]") {
    Hinted t("kuhn", 2, 5);
    t.table->said(0, message({{"t", "machine"}}));
    t.table->said(0, message({{"t", "machine"}}));
    t.table->said(who_looks_on, message({{"t", "machine"}}));
    t.desk.run();
    const auto frames = [&](std::uint64_t page) {
        std::vector<std::string> all;
        for (const Sent& sent : t.desk.sent[page])
            if (Json::parse(sent.frame)["t"] == "machine") all.push_back(sent.frame);
        return all;
    };
    REQUIRE(frames(0).size() == 1);
    const std::string before = frames(0).front();
    CHECK(frames(who_looks_on) == std::vector{before});
    const Json machine = Json::parse(before)["machine"];
    REQUIRE(machine.size() == 2);
    for (const Json& turn : machine) {
        CHECK(turn["nodes"].size() > 3);
        for (const Json& edge : turn["edges"]) CHECK(edge[1] < turn["nodes"].size());
        // Drawn where that can be, else it is said what for.
        CHECK(turn.contains("svg") == cli::can_draw());
        CHECK(turn.contains("note") != cli::can_draw());
    }
    CHECK(machine[0]["nodes"] != machine[1]["nodes"]);
    // Nothing of the game is in it.
    play_on(*t.table, t.desk, 2, 3, "m", 3);
    t.say(1, {{"t", "machine"}});
    CHECK(frames(1) == std::vector{before});
}
