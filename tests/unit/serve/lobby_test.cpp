// Before the game: the host sets how it is played. After its rules were changed: a table that can only be looked at.
#include "interpreter/app/play/begin_session.hpp"
#include "tests/support/program.hpp"
#include "tests/support/rules.hpp"
#include "tests/unit/serve/client.hpp"
#include "tests/unit/serve/desk.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr std::uint64_t of_host = 11;

// A table of crazy eights in its lobby, which can be set up anew.
struct Lobby : TableAtDesk {
    Lobby() {
        cli::TableArgs two;
        two.file = "crazy_eights";
        two.players = 2;
        cli::Session s = cli::begun_session(two, {}).value();
        for (int seat = 0; seat < 2; ++seat) cli::seat(s, seat, "human");
        s.log_path = folder.path + "/game.log";
        cli::TableSettings settings{std::chrono::milliseconds(0), "run", [] { return 9; }};
        settings.set_up = [this](const cli::KeptTable& kept) -> std::optional<cli::Session> {
            asked.push_back(kept);
            cli::TableArgs args;
            args.file = "crazy_eights";
            args.players = kept.players;
            args.seed = 5;
            args.set = kept.set;
            return refuses ? std::nullopt : cli::begun_session(args, {});
        };
        table = std::make_unique<cli::Table>(std::move(s), kept_for_test(folder.path, 2), std::map<std::string, std::string>{}, settings,
                                             desk, cli::Globals{});
        for (const auto& [page, token] : std::map<std::uint64_t, std::string>{{0, "seat1"}, {1, "seat2"}, {10, "watch"}, {of_host, "host"}})
            say(page, {{"t", "hello"}, {"token", token}});
    }
    Json offer(std::uint64_t page, const std::string& id) const {
        const Json game = desk.last(page, "game");
        for (const Json& one : game["setup"]["offers"])
            if (one["id"] == id) return one;
        return nullptr;
    }

    bool refuses = false;
    std::vector<cli::KeptTable> asked;
};

}  // namespace

TEST_CASE("before the game the host sets how many play and how, and who sits stays", "[serve]") {
    Lobby t;
    CHECK(t.desk.last(0, "game")["setup"]["low"] == 2);
    CHECK(t.offer(10, "draws")["now"] == "1");
    CHECK(t.offer(10, "reshuffle")["values"].size() == 2);
    t.say(0, {{"t", "sit"}, {"name", "Ana"}});

    for (const Json& bad : {Json{{"players", 1}}, Json{{"players", 99}}, Json{{"players", "3"}}, Json{{"name", "draws"}}, Json(),
                            Json{{"name", "draws"}, {"value", "77"}}, Json{{"name", "nothing"}, {"value", "1"}}}) {
        Json said = bad.is_null() ? Json::object() : bad;
        said["t"] = "setup";
        CHECK(t.refusal(of_host, said) == "malformed");
    }
    CHECK(t.refusal(0, {{"t", "setup"}, {"players", 3}}) == "malformed");
    CHECK(t.asked.empty());

    t.say(of_host, {{"t", "setup"}, {"name", "draws"}, {"value", "3"}});
    CHECK(t.offer(0, "draws")["now"] == "3");
    t.say(of_host, {{"t", "setup"}, {"name", "draws"}, {"value", "4"}});
    CHECK(t.asked.back().set == std::vector<std::string>{"draws=4"});
    t.say(of_host, {{"t", "setup"}, {"players", 4}});
    CHECK(t.desk.last(10, "game")["players"] == 4);
    const Json seats = t.desk.last(10, "table")["seats"];
    REQUIRE(seats.size() == 4);
    CHECK(seats[0]["n"] == "Ana");
    CHECK(seats[0]["ready"] == true);
    const std::string third = t.desk.last(of_host, "host")["links"]["3"];
    t.say(2, {{"t", "hello"}, {"token", third}});
    CHECK(t.desk.last(2, "you")["seat"] == 2);

    // Who has a seat that is no more has no link any more.
    t.say(of_host, {{"t", "setup"}, {"players", 2}});
    CHECK(std::ranges::find(t.desk.closed, 2) != t.desk.closed.end());
    CHECK(t.refusal(2, {{"t", "hello"}, {"token", third}}) == "token");
    CHECK_FALSE(t.desk.last(of_host, "host")["links"].contains("3"));

    t.refuses = true;
    CHECK(t.refusal(of_host, {{"t", "setup"}, {"players", 3}}) == "setup");
    CHECK(t.desk.last(10, "game")["players"] == 2);
    t.say(1, {{"t", "sit"}, {"name", "Ben"}});
    CHECK(t.desk.last(0, "table")["phase"] == "playing");
    CHECK(read_text(t.folder.path + "/game.log").find("set draws = 4") != std::string::npos);
    CHECK(t.refusal(of_host, {{"t", "setup"}, {"players", 3}}) == "malformed");
    CHECK_FALSE(t.desk.last(of_host, "table")["seats"].size() == 3);
}

namespace {

// `houserule serve` of a rules file, as a program of its own.
struct RulesServer {
    RulesServer(const std::string& rules, const std::string& folder)
        : printed(fresh(folder + "/printed")),
          program({"--lang", "en", "serve", rules, "--players", "2", "--seed", "3", "--port", "0", "--dir", folder + "/table"},
                  [this] { ::dup2(::open(printed.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO); }) {
        while (text().find("is kept in") == std::string::npos) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ~RulesServer() {
        program.interrupt();
        program.wait(60);
    }
    static std::string fresh(const std::string& path) {
        std::filesystem::remove(path);
        return path;
    }
    std::string text() const { return std::filesystem::exists(printed) ? read_text(printed) : ""; }
    std::string after(const std::string& mark, std::size_t length) const { return text().substr(text().find(mark) + mark.size(), length); }
    std::unique_ptr<Client> page(const std::string& token) const {
        auto client = std::make_unique<Client>(static_cast<std::uint16_t>(std::stoi(after("localhost:", 5))));
        REQUIRE(client->upgrade() == 101);
        client->say({{"t", "hello"}, {"token", token}});
        return client;
    }

    std::string printed;
    Program program;
};

}  // namespace

TEST_CASE("a table whose rules were changed since can be looked at and nothing more, until they are as they were", "[serve]") {
    const Folder folder;
    const std::string rules = folder.path + "/own.rules";
    const std::string base = folder.path + "/base.rules";
    const std::string own = "game own changes \"base.rules\" \"Another price.\"\nset reshuffle is no\n";
    const std::string before = read_text(std::string(HOUSERULE_ROOT) + "/games/crazy_eights.rules");
    std::ofstream(base) << before;
    std::ofstream(rules) << own;
    std::string token[2];
    {
        const RulesServer server(rules, folder.path);
        const std::string all = server.text();
        const auto first = all.find("#seat=") + 6;
        token[0] = all.substr(first, 32);
        token[1] = all.substr(all.find("#seat=", first) + 6, 32);
        for (const std::string& t : token) server.page(t)->say({{"t", "sit"}, {"name", ""}});
        const auto page = server.page(token[0]);
        for (Json news = page->hear("news").value(); news["lines"].empty();) news = page->hear("news").value();
    }
    const std::string log = read_text(folder.path + "/table/game.log");
    const std::string dealt = "deal (7 if players is 2";
    REQUIRE(before.find(dealt) != std::string::npos);
    std::ofstream(base) << std::string(before).replace(before.find(dealt), dealt.size(), "deal (8 if players is 2");
    {
        const RulesServer server(rules, folder.path);
        const auto page = server.page(token[0]);
        const Json table = page->hear("table").value();
        CHECK(table.value("read_only", false));
        CHECK(table.value("end", Json()) == Json{{"changed", true}});
        const Json news = page->hear("news").value();
        CHECK(news["ask"].is_null());
        CHECK_FALSE(news["lines"].empty());
        page->say({{"t", "again"}});
        CHECK(page->hear("refused").value()["why"] == "read_only");
        page->say({{"t", "eyes"}, {"of", 1}});
        CHECK(page->hear("refused").value()["why"] == "not_shown");
        CHECK(server.text().find("it can be looked at, not played on") != std::string::npos);
    }
    CHECK(read_text(folder.path + "/table/game.log") == log);
    std::ofstream(base) << before;
    const RulesServer server(rules, folder.path);
    const auto page = server.page(token[0]);
    CHECK_FALSE(page->hear("table").value().contains("read_only"));
}
