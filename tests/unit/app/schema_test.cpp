// What the program prints with --json is as its schema says, and the schema says no less than that.
#include "tests/support/schema.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace houserule::testing;

namespace {

struct Printed {
    Json json;
    int exit_code = 0;
};

Printed printed(const std::string& arguments) {
    const std::string command = std::string(HOUSERULE_PROGRAM) + " " + arguments + " 2>/dev/null";
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), n);
    const int status = pclose(pipe);
    INFO(command);
    REQUIRE(WIFEXITED(status));
    return {Json::parse(text), WEXITSTATUS(status)};
}

// A file that is there while the test runs.
class Written {
public:
    Written(const std::string& name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() / ("houserule_schema_" + std::to_string(getpid()) + name)) {
        std::ofstream(path_) << text;
    }
    ~Written() {
        std::error_code error;
        std::filesystem::remove(path_, error);
    }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

const std::string table =
    "houserule log 1\ngame cogito\nplayers 2\nview P1\n"
    "deal selves -> P1's me: ?\ndeal selves -> P2's me: rose\nmove selves -> pile: ?, ?, ?, ?, ?, ?, ?\n"
    "deal pile -> P1's hand: beast, bird\ndeal pile -> P2's hand: ?, ?\ntable: starter = P1\nstarter = P1\n";

void check(const Json& schema, const Json& document) {
    std::string where;
    const bool good = conforms(document, schema, schema, &where);
    INFO(where);
    CHECK(good);
}

}  // namespace

TEST_CASE("hint --json is of its schema", "[schema]") {
    const Json schema = read_schema("hint");
    const Written fits("a.view", table + "P1: c = beast\nmove P1's hand -> P1's red: beast\nmove P2's hand -> P2's blue: crow\n");
    const Written misfit("b.view", table + "P1: c = tree\n");
    const auto check_known = [&](const std::string& options, const std::string& measure) {
        const Printed p = printed("hint " + fits.path() + " --json " + options);
        CAPTURE(options);
        CHECK(p.exit_code == 0);
        check(schema, p.json);
        CHECK(p.json["fits"] == true);
        CHECK(p.json["measure"] == measure);
        CHECK(p.json["method"] == "exact");
        CHECK(!p.json["unknowns"].empty());
        CHECK(!p.json["excluded"].empty());
        CHECK(!p.json["moves"].empty());
    };
    check_known("", "histories");
    check_known("--weight deals --lang ja", "deals");
    check_known("--assume uniform-play", "histories");
    const Printed none = printed("hint " + misfit.path() + " --json");
    CHECK(none.exit_code == 1);
    check(schema, none.json);
    CHECK(none.json["fits"] == false);
    const Printed cut = printed("hint " + fits.path() + " --json --work 1");
    CHECK(cut.exit_code == 3);
    check(schema, cut.json);
    for (const Json& value : cut.json["unknowns"][0]["values"]) CHECK(value["possible"] != true);  // some are ruled out without work
    const Printed late = printed("hint " + fits.path() + " --json --time 0");
    CHECK(late.exit_code == 3);
    check(schema, late.json);
    CHECK(late.json["fits"].is_null());
}

TEST_CASE("why --json is of its schema", "[schema]") {
    const Json schema = read_schema("why");
    const Written fits("d.view", table + "P1: c = beast\nmove P1's hand -> P1's red: beast\nmove P2's hand -> P2's blue: crow\n");
    const auto answer = [&](const std::string& claim, const std::string& options) {
        const Json json = printed("why " + fits.path() + " \"P1's me is " + claim + "\" --json " + options).json;
        CAPTURE(claim, options);
        check(schema, json);
        return json;
    };
    CHECK(answer("cat", "")["answer"] == "open");
    CHECK(answer("cat", "")["irreducible"].is_null());
    const Json owl = answer("owl", "");
    CHECK(owl["answer"] == "false");
    CHECK(owl["reasons"].size() == 1);
    CHECK(owl["irreducible"] == true);
    CHECK(answer("owl", "--work 1")["answer"] == "unknown");
    Json old = owl;
    old["schema"] = "houserule-why-1";
    CHECK_FALSE(conforms(old, schema, schema));
}

TEST_CASE("worlds --json is of its schema", "[schema]") {
    const Json schema = read_schema("worlds");
    const Written fits("e.view", table + "P1: c = beast\nmove P1's hand -> P1's red: beast\nmove P2's hand -> P2's blue: crow\n");
    const auto listed = [&](const std::string& options, const char* key) {
        const Json json = printed("worlds " + fits.path() + " --json " + options).json;
        CAPTURE(options);
        check(schema, json);
        CHECK(!json[key].empty());
        return json;
    };
    const Json good = listed("--limit 3", "worlds");
    listed("--of me", "contents");
    listed("--of me --weight deals --lang ja", "contents");
    listed("--of pile --limit 2", "contents");
    CHECK_FALSE(conforms(good["worlds"], schema, schema));  // as it was before it had a version
    Json other = good;
    other["schema"] = "houserule-worlds-1";
    CHECK_FALSE(conforms(other, schema, schema));
    other = good;
    other["worlds"][0]["places"][0].erase("parts");
    CHECK_FALSE(conforms(other, schema, schema));
}

TEST_CASE("what hint, why and worlds print where not all could be followed is of their schemas, which ask until where it was", "[schema]") {
    const Written rules(
        "moment.rules",
        "game moment\nplayers 2 in a circle, clockwise\ncards card { rank 1..2   2 of each }\nzone deck stack of card seen "
        "by nobody\nzone line row of card seen by nobody\nsetup { put all cards on deck, shuffled }\nplay { P1 says hello   "
        "simultaneously each p in {P1} { put groups of 2 from deck in line   put groups of 2 from deck in line }   P1 says done   P1 must "
        "name n from 0..1 }\n"
        "winner = players where it is P1, then shared\n");
    const Written log("moment.log",
                      "houserule log 1\ngame moment\nplayers 2\n\nP1 says hello\nmove deck -> line: 1, 1, 2, 2\nP1 says done\n");
    const std::string of = log.path() + " --rules " + rules.path() + " --as P1 --json";
    const auto cut = [](const Printed& p, const Json& schema, std::size_t line) {
        CHECK(p.exit_code == 3);
        check(schema, p.json);
        CHECK(p.json["fits"].is_null());
        REQUIRE(p.json.contains("until"));
        CHECK(p.json["until"]["line"] == line);
        CHECK(p.json["until"]["events"] < p.json["until"]["of"]);
        Json silent = p.json;
        silent.erase("until");
        CHECK_FALSE(conforms(silent, schema, schema));
        silent["fits"] = true;
        CHECK(conforms(silent, schema, schema));
        silent.erase("fits");
        CHECK_FALSE(conforms(silent, schema, schema));
    };
    cut(printed("hint " + of), read_schema("hint"), 6);
    cut(printed("why " + of + " \"size of line is 4\""), read_schema("why"), 6);
    cut(printed("worlds " + of), read_schema("worlds"), 6);
    cut(printed("worlds " + of + " --of line"), read_schema("worlds"), 6);
}

TEST_CASE("where not all readings of a view were tried, it is not said that nothing fits", "[schema]") {
    // Which of the two it was P1 does not see, so that seven of them have more readings than are tried.
    const Written rules(
        "either.rules",
        "game either\nplayers 2 in a circle, clockwise\nplay { repeat 7 times { P2 must choose m from 0..1   if m is 1: one() "
        "  otherwise: other() }   P1 says done   P2 says done   P1 must name n from 0..1 }\n"
        "rule one() { P1 must name q from 0..1 }\nrule other() { P1 must name q from {0, 0.5} }\n"
        "winner = players where it is P1, then shared\n");
    std::string lines = "houserule log 1\ngame either\nplayers 2\nview P1\n\n";
    for (int i = 0; i < 7; ++i) lines += "P1 names q = 0\n";
    const Written view("either.view", lines + "P2 says done\nP1 says done\n");
    const Printed p = printed("hint " + view.path() + " --rules " + rules.path() + " --json");
    CHECK(p.exit_code == 3);
    check(read_schema("hint"), p.json);
    CHECK(p.json["fits"].is_null());
    CHECK(p.json["method"] == "unknown");
}

TEST_CASE("the schema of hints refuses what is not of it", "[schema]") {
    const Json schema = read_schema("hint");
    const Written fits("c.view", table + "P1: c = beast\nmove P1's hand -> P1's red: beast\nmove P2's hand -> P2's blue: crow\n");
    const Json good = printed("hint " + fits.path() + " --json").json;
    REQUIRE(conforms(good, schema, schema));
    const auto refused = [&](const char* pointer, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = value;
        CAPTURE(pointer);
        CHECK_FALSE(conforms(bad, schema, schema));
    };
    refused("/schema", "houserule-hint-2");
    refused("/unknowns/0/values/0/possible", "maybe");
    refused("/excluded/0/irreducible", 1);
    refused("/extra", 1);
    refused("/measure", "worlds");
    refused("/assume", "clever-play");
    refused("/worlds", 26);
    refused("/seat", "1");
    refused("/weight", "0.5");
    refused("/unknowns/0/is", "zone");
    refused("/unknowns/0/values/0/share", "50 %");
    refused("/excluded/0/reasons/0/line", 0);
    refused("/moves/0/gives_away", "much");
    refused("/moves/0/over", 2);
    refused("/moves_from/histories", 0);
    for (const auto& item : good.items()) {
        Json missing = good;
        missing.erase(item.key());
        CAPTURE(item.key());
        CHECK_FALSE(conforms(missing, schema, schema));
    }
}

namespace {

// A game in which the rules break off, and what it is without that; and a house rule of it.
const std::string holed =
    "game holed\nplayers 2 in a circle, clockwise\ncards card { rank 1..2   2 of each }\nzone deck stack of card seen by nobody\nzone hand "
    "of player set of card seen by owner\n"
    "setup { put all cards on deck, shuffled   deal 1 from deck to every hand }\n"
    "play { P1 must choose c from P1's hand where its rank is 2: put c on deck, shuffled }\nwinner = players with most size of its hand, "
    "then shared\n";

}  // namespace

TEST_CASE("validate --json is of its schema", "[schema]") {
    const Json schema = read_schema("validate");
    const Written rules("holed.rules", holed);
    const Printed p = printed("validate " + rules.path() + " --json --games 40");
    CHECK(p.exit_code == 1);
    check(schema, p.json);
    REQUIRE(!p.json["findings"].empty());
    CHECK(p.json["findings"][0]["witness"].is_object());
    CHECK(!p.json["proved"].empty());
    for (const char* pointer : {"/findings/0/class", "/findings/0/verdict", "/findings/0/severity", "/findings/0/spans/0/line",
                                "/findings/0/title", "/findings/0/witness/log", "/cut_off", "/schema"}) {
        Json bad = p.json;
        bad[Json::json_pointer(pointer)] = Json::array({1});
        CAPTURE(pointer);
        CHECK_FALSE(conforms(bad, schema, schema));
    }
}

TEST_CASE("diff --json is of its schema", "[schema]") {
    const Json schema = read_schema("diff");
    const Written rules("base.rules", holed);
    const Written house("house.rules",
                        "game unholed changes \"" + std::filesystem::path(rules.path()).filename().string() +
                            "\" \"Any card goes.\"\nreplace play { P1 must choose c from P1's hand: put c on deck, shuffled }\n");
    const Printed p = printed("diff " + house.path() + " --json --games 40");
    CHECK(p.exit_code == 1);
    check(schema, p.json);
    REQUIRE(p.json["players"].size() == 1);
    REQUIRE(p.json["players"][0]["parting"].is_object());
    for (const char* pointer : {"/A/rules", "/players/0/verdict", "/players/0/parting/how", "/players/0/parting/logs",
                                "/players/0/numbers/A/games", "/players/0/parts", "/schema"}) {
        Json bad = p.json;
        bad[Json::json_pointer(pointer)] = "else";
        CAPTURE(pointer);
        CHECK_FALSE(conforms(bad, schema, schema));
    }
    const Printed same = printed("diff " + rules.path() + " " + rules.path() + " --json --games 40");
    CHECK(same.exit_code == 0);
    check(schema, same.json);
    CHECK(same.json["players"][0]["verdict"] == "alike");
}
