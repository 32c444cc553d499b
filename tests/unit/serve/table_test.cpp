// Tables without a network: the same game as at the terminal, and of what is hidden nothing in any frame.
#include "tests/unit/serve/desk.hpp"

#include "dsl/game/names.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/play/go_on.hpp"
#include "interpreter/app/serve/frames.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"
#include "solver/players/rollouts.hpp"
#include "tests/support/program.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/unit/serve/worlds.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr int decisions_most = 400;

// The session of a terminal, its people taking any choice; the log.
std::string played_at_terminal(cli::Session s, std::uint64_t seed) {
    std::vector<Random> random = random_for_seats(seed, s.game().players);
    s.told.assign(static_cast<std::size_t>(s.game().players), 0);
    s.noticed = s.told;
    s.run->record(&s.events);
    for (int i = 0; i < decisions_most;) {
        const cli::Waiting w = cli::go_on(s);
        if (w.what == cli::Waiting::acts) {
            for (int p = 0; p < s.game().players; ++p)
                if ((w.who & seat_bit(p)) != 0)
                    s.told[static_cast<std::size_t>(p)] = s.noticed[static_cast<std::size_t>(p)] = s.events.size();
            continue;
        }
        if (w.what != cli::Waiting::decision) break;
        s.told[static_cast<std::size_t>(w.seat)] = s.events.size();
        const Json question = cli::question_frame(*s.run);
        std::optional<std::uint64_t> move;
        for (int attempt = 0; !move; ++attempt) {
            REQUIRE(attempt < 1'000);
            move = cli::move_in(any_answer(question, random[static_cast<std::size_t>(w.seat)]), *s.run);
        }
        cli::decide(s, *move);
        ++i;
    }
    cli::go_on(s);
    return cli::log_of(s);
}

// Answers the question of that page until the rules take it.
void answer(cli::Table& table, Desk& desk, int seat, Random& random, int number) {
    const auto page = static_cast<std::uint64_t>(seat);
    const Json question = desk.last(page, "news")["ask"];
    for (int attempt = 0;; ++attempt) {
        REQUIRE(attempt < 1'000);
        Json move = any_answer(question, random);
        move["t"] = "move";
        move["q"] = question["q"];
        move["id"] = fmt::format("{}-{}", number, attempt);
        const std::size_t before = desk.sent[page].size();
        table.said(page, message(move));
        desk.run();
        const Json first = Json::parse(desk.sent[page][before].frame);
        if (first["t"] != "refused") return;
        REQUIRE(first["why"] == "not_offered");
    }
}

// The same game with pages; its log as it was written.
std::string played_at_pages(cli::Session s, std::uint64_t seed, std::chrono::milliseconds pace) {
    const int players = s.game().players;
    std::vector<Random> random = random_for_seats(seed, players);
    const Folder folder;
    s.log_path = folder.path + "/game.log";
    const std::string path = s.log_path;
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, players), {}, {pace, "run", {}}, desk, {});
    sit_all(table, desk, players);
    for (int i = 0; i < decisions_most; ++i) {
        const auto seat = asked_page(table, desk, players);
        if (!seat) break;
        answer(table, desk, *seat, random[static_cast<std::size_t>(*seat)], i);
    }
    asked_page(table, desk, players);
    for (int seat = 0; seat < players; ++seat) desk.lines(static_cast<std::uint64_t>(seat));
    return read_text(path);
}

}  // namespace

TEST_CASE("a game in the browser writes the log that the terminal writes", "[serve]") {
    std::size_t lines = 0;
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const int players = variants(rules.syntax).front().players;
        const std::string name = path.stem().string();
        const std::vector<std::string> seats{"1=human", "2=human"};
        const std::uint64_t seed = seed_of(name) % 1'000;
        INFO(name << ", " << players << " players, seed " << seed);
        const std::string terminal = played_at_terminal(session_of(name, players, seed, seats), seed);
        CHECK(played_at_pages(session_of(name, players, seed, seats), seed, std::chrono::milliseconds(0)) == terminal);
        CHECK(played_at_pages(session_of(name, players, seed, seats), seed, std::chrono::milliseconds(700)) == terminal);
        lines += static_cast<std::size_t>(std::count(terminal.begin(), terminal.end(), '\n'));
        testing::random_samples();
    }
    CHECK(lines > 1'000);
}

TEST_CASE("what is typed at the terminal and tapped in the browser is the same game", "[serve]") {
    const std::string log = (std::filesystem::temp_directory_path() / fmt::format("houserule_typed_{}.log", getpid())).string();
    Program play({"play", "kuhn", "--players", "2", "--seed", "5", "--seat", "1=human", "--seat", "2=human", "--log", log, "--force"});
    play.type("\n2\n\n1\n\n2\n\n");  // a line for each change of who sits at the screen, and one an answer
    play.end_input();
    play.wait(60);
    cli::Session s = session_of("kuhn", 2, 5, {"1=human", "2=human"});
    const Folder folder;
    s.log_path = folder.path + "/game.log";
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, 2), {}, {std::chrono::milliseconds(0), "run", {}}, desk, {});
    sit_all(table, desk, 2);
    int number = 0;
    for (const int move : {0, 1, 0}) {
        const auto seat = asked_page(table, desk, 2);
        REQUIRE(seat);
        const auto page = static_cast<std::uint64_t>(*seat);
        const Json question = desk.last(page, "news")["ask"];
        table.said(page, message({{"t", "move"}, {"q", question["q"]}, {"id", std::to_string(++number)}, {"m", move}}));
        desk.run();
    }
    CHECK(table.is_over());
    CHECK(read_text(folder.path + "/game.log") == read_text(log));
    std::filesystem::remove(log);
}

TEST_CASE("cards have the glyphs of their suits, with their colours", "[serve]") {
    const cli::Session s = session_of("hearts", 4, 1, {"1=human", "2=human", "3=human", "4=human"});
    std::size_t red = 0;
    std::size_t plain = 0;
    const Json names = cli::names_frame(s.game());
    for (const Json& kind : names["kinds"]) {
        const bool is_red = kind["g"] == "♥" || kind["g"] == "♦";
        CHECK(kind.value("c", "") == (is_red ? "red" : ""));
        ++(is_red ? red : plain);
    }
    CHECK(red == 26);
    CHECK(plain == 26);
}

TEST_CASE("what the rules do not call cards is counted as pieces, place by place", "[serve]") {
    const cli::Session s = session_of("nekokan", 3, 1, {"1=random", "2=random", "3=random"});
    const Game& game = s.game();
    const Json places = cli::names_frame(game)["places"];
    const std::set<std::string> pieces{"can", "plate", "cat"};
    std::size_t of_pieces = 0;
    std::size_t of_cards = 0;
    for (PlaceId p = 1; p < game.places; ++p) {
        const Zone& zone = *zone_of(game, p);
        bool are_pieces = true;
        for (const FamilyId f : game.families.ids())
            are_pieces = are_pieces && (!zone.families[f] || pieces.contains(game.families[f].name));
        INFO(zone.name);
        CHECK(places[static_cast<std::size_t>(p)].value("pieces", false) == are_pieces);
        CHECK(cli::count_words(game, 2, p, {}) == (are_pieces ? "2 pieces" : "2 cards"));
        ++(are_pieces ? of_pieces : of_cards);
    }
    CHECK(of_pieces > 3);
    CHECK(of_cards > 3);
}

TEST_CASE("of a card that is nothing but several numbers none stands for it", "[serve]") {
    const cli::Session s = session_of("nekokan", 3, 1, {"1=random", "2=random", "3=random"});
    const Json kinds = cli::names_frame(s.game())["kinds"];
    std::size_t found = 0;
    for (KindId k = 0; k < s.game().kind_count(); ++k) {
        if (s.game().families[s.game().kinds[k].family].name != "bonus") continue;
        CHECK_FALSE(kinds[static_cast<std::size_t>(k)].contains("i"));
        ++found;
    }
    CHECK(found == 9);
    const Json ranks = cli::names_frame(session_of("hearts", 4, 1, {"1=human"}).game())["kinds"];
    for (const Json& kind : ranks) CHECK(kind.contains("i"));
}

TEST_CASE("yes stands before no, however it is asked", "[serve]") {
    std::map<NodeKind, std::size_t> asked;
    auto files = rules_files();
    files.push_back(std::filesystem::path(HOUSERULE_ROOT) / "tests/strangers/coup.rules");  // where several are asked at once
    for (const auto& path : files) {
        const Rules rules = read_rules(path);
        const auto machine = machine_of(rules, variants(rules.syntax).front());
        const auto run = make_run(machine);
        Random random(seed_of(path.stem().string()));
        run->start();
        for (int i = 0; i < 60; ++i) {
            const Node node = run->advance();
            if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
            const bool is_question = node.kind == NodeKind::consent || node.kind == NodeKind::ask || node.kind == NodeKind::choose;
            const Json options = is_question && node.moves == 2 ? cli::question_frame(*run).value("options", Json::array()) : Json::array();
            if (options.size() == 2 && (options[0]["n"][0] == "yes" || options[1]["n"][0] == "yes")) {
                INFO(path);
                CHECK(options[0]["n"][0] == "yes");
                ++asked[node.kind];
            }
            run->apply(random_move(*run, random));
        }
    }
    CHECK(asked[NodeKind::consent] > 0);
    CHECK(asked[NodeKind::choose] > 0);
    testing::random_samples();
}

TEST_CASE("what a person does is told before players of the program have thought, and then what each of them does", "[serve]") {
    const std::vector<std::string> seats{"1=human", "2=deduce", "3=deduce", "4=deduce"};
    const auto play = [&](bool slowly, std::string& log) {
        const Folder folder;
        cli::Session s = session_of("kuhn", 4, 3, seats);
        s.log_path = folder.path + "/game.log";
        Desk desk;
        desk.thinks_slowly = slowly;
        cli::Table table(std::move(s), kept_for_test(folder.path, 4), {}, {std::chrono::milliseconds(0), "run", {}}, desk, {});
        table.said(0, message({{"t", "hello"}, {"token", token_of(0)}}));
        table.said(0, message({{"t", "sit"}, {"name", ""}}));
        desk.run();
        const std::size_t before = desk.lines(0).size();
        const Json question = desk.last(0, "news")["ask"];
        REQUIRE_FALSE(question.is_null());
        table.said(0, message({{"t", "move"}, {"q", question["q"]}, {"id", "1"}, {"m", question["options"][0]["m"]}}));
        desk.run();
        CHECK(desk.last(0, "done")["id"] == "1");
        std::size_t told = desk.lines(0).size();
        CHECK(told > before);
        int thoughts = 0;
        for (; slowly && desk.think_once(); ++thoughts) {
            CHECK(desk.lines(0).size() > told);
            told = desk.lines(0).size();
        }
        CHECK(thoughts == (slowly ? 3 : 0));
        log = read_text(folder.path + "/game.log");
        std::string frames;
        for (const Sent& sent : desk.sent[0]) frames += sent.frame + "\n";
        return frames;
    };
    std::string log;
    std::string log_at_once;
    CHECK(play(true, log) == play(false, log_at_once));
    CHECK(log == log_at_once);
}

TEST_CASE("of those who choose together people are asked before anybody deduces, and nothing tells who has chosen", "[serve]") {
    for (const std::vector<std::string>& seats :
         {std::vector<std::string>{"1=deduce", "2=human", "3=human"}, std::vector<std::string>{"1=human", "2=deduce", "3=human"},
          std::vector<std::string>{"1=human", "2=human", "3=deduce"}}) {
        const Folder folder;
        cli::Session s = session_of("goofspiel", 3, 6, seats);
        s.log_path = folder.path + "/game.log";
        std::vector<std::uint64_t> people;
        for (std::uint64_t p = 0; p < 3; ++p)
            if (seats[p].ends_with("human")) people.push_back(p);
        Desk desk;
        desk.thinks_slowly = true;
        cli::Table table(std::move(s), kept_for_test(folder.path, 3), {}, {std::chrono::milliseconds(0), "run", {}}, desk, {});
        sit_all(table, desk, 3);
        for (int round = 0; round < 3; ++round) {
            INFO(seats[0] << " " << seats[1] << ", round " << round);
            const std::string log = read_text(folder.path + "/game.log");
            std::vector<std::size_t> sent;
            for (const std::uint64_t p : people) {
                const Json question = desk.last(p, "news")["ask"];
                REQUIRE_FALSE(question.is_null());
                table.said(p, message({{"t", "move"}, {"q", question["q"]}, {"id", fmt::format("{}", round)}, {"m", 0}}));
                desk.run();
                CHECK(desk.last(p, "done")["id"] == fmt::format("{}", round));  // at once, also for the last
                sent.push_back(desk.lines(p).size());
            }
            // All have answered; who deduces begins only now, and then everybody is told all at once.
            for (std::size_t i = 0; i < people.size(); ++i) CHECK(desk.lines(people[i]).size() == sent[i]);
            CHECK(read_text(folder.path + "/game.log") == log);
            CHECK(desk.think_once());
            for (std::size_t i = 0; i < people.size(); ++i) {
                CHECK(desk.lines(people[i]).size() > sent[i]);
            }
            CHECK_FALSE(desk.think_once());
        }
    }
}

namespace {

// A short game in which two bid at the same time.
cli::Session bidding(const std::vector<std::string>& seats) {
    const Rules rules = read_rules(rules_file("goofspiel"));
    for (const Variant& variant : tested_variants(rules.syntax)) {
        if (variant_name(rules, variant).find("2 players, cards = 3") == std::string::npos) continue;
        const auto machine = machine_of(rules, variant);
        const auto run = make_run(machine);
        run->start();
        cli::Session s = session_at(machine, run->state(), {});
        for (int seat = 0; seat < 2; ++seat) cli::seat(s, seat, seats[static_cast<std::size_t>(seat)]);
        s.thinkers.resize(2);
        return s;
    }
    FAIL("there is no such variant");
    return {};
}

}  // namespace

TEST_CASE("a game of people and players who deduce, who choose together, is the same at pages and at the terminal", "[serve]") {
    for (const std::vector<std::string>& seats :
         {std::vector<std::string>{"deduce", "human"}, std::vector<std::string>{"human", "deduce"}}) {
        const std::string terminal = played_at_terminal(bidding(seats), 5);
        CHECK(played_at_pages(bidding(seats), 5, std::chrono::milliseconds(0)) == terminal);
        CHECK(played_at_pages(bidding(seats), 5, std::chrono::milliseconds(700)) == terminal);
        CHECK(terminal.find("P2: c = P2") != std::string::npos);
    }
}

TEST_CASE("players who deduce make the same moves once the game is compiled beside them", "[serve]") {
    std::vector<std::string> logs;
    for (const bool compiled : {false, true}) {
        cli::Session s = bidding({"deduce", "deduce"});
        s.run->record(&s.events);
        s.compiler = std::make_shared<GameCompiler>(s.machine, std::filesystem::path(), nullptr);
        if (compiled) s.compiler->make(false);
        if (compiled && s.compiler->game() == nullptr) return;  // no compiler here
        CHECK(cli::go_on(s).what == cli::Waiting::over);
        logs.push_back(cli::log_of(s));
        const Rollouts& played = s.thinkers[1].player->rollouts();
        CHECK((compiled ? played.interpreted() : played.compiled()) == 0);
        CHECK((compiled ? played.compiled() : played.interpreted()) > 100);
    }
    CHECK(logs[0] == logs[1]);
}

TEST_CASE("a page is told by which calls and answers the game may be decided", "[serve]") {
    const auto frame_of = [](const std::string& game, const std::string& type) {
        const Folder folder;
        Desk desk;
        cli::Table table(session_of(game, 2, 5, {"1=human", "2=human"}), kept_for_test(folder.path, 2), {},
                         {std::chrono::milliseconds(0), "run", {}}, desk, {});
        sit_all(table, desk, 2);
        return desk.last(0, type);
    };
    const Json acts = frame_of("cogito", "game")["acts"];
    REQUIRE_FALSE(acts.empty());
    CHECK(acts[0]["decides"] == true);
    const Json bets = frame_of("kuhn", "news")["ask"]["options"];
    REQUIRE(bets.size() == 2);
    for (const Json& bet : bets) CHECK_FALSE(bet.contains("decides"));
}

TEST_CASE("who comes and goes to look on is no news for others, and the end is told once", "[serve]") {
    const Folder folder;
    cli::Session s = session_of("kuhn", 2, 5, {"1=human", "2=human"});
    s.log_path = folder.path + "/game.log";
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, 2), {}, {std::chrono::milliseconds(0), "run", {}}, desk, {});
    sit_all(table, desk, 2);
    const std::size_t before = desk.sent[0].size();
    for (std::uint64_t page = 10; page < 20; ++page) {
        table.said(page, message({{"t", "hello"}, {"token", "watch"}}));
        CHECK(desk.last(page, "table")["phase"] == "playing");
        table.left(page);
    }
    CHECK(desk.sent[0].size() == before);
    table.left(1);
    CHECK(desk.last(0, "table")["seats"][1]["here"] == false);
    table.said(1, message({{"t", "hello"}, {"token", token_of(1)}, {"run", "run"}, {"last", desk.lines(1).size()}}));
    CHECK(desk.last(0, "table")["seats"][1]["here"] == true);
    play_on(table, desk, 2, 3, "a");
    REQUIRE(table.is_over());
    CHECK_FALSE(desk.last(0, "table")["end"]["log"].is_null());
    table.said(1, message({{"t", "again"}}));
    CHECK(desk.last(0, "table")["seats"][1]["ready"] == true);
    CHECK(desk.last(0, "table")["end"].is_null());
    // Who comes back is told it.
    table.said(3, message({{"t", "hello"}, {"token", token_of(0)}}));
    CHECK_FALSE(desk.last(3, "table")["end"]["log"].is_null());
}

TEST_CASE("a hint can be cancelled, and goes with the page that asked for it", "[serve]") {
    const Folder folder;
    cli::Session s = session_of("kuhn", 2, 5, {"1=human", "2=human"});
    s.hints = true;
    s.log_path = folder.path + "/game.log";
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, 2), {}, {std::chrono::milliseconds(0), "run", {}}, desk, {});
    sit_all(table, desk, 2);
    const auto say = [&](const char* type) { table.said(0, message({{"t", type}})); };
    const std::size_t others = desk.sent[1].size();
    say("hint");
    say("hint");
    CHECK(desk.last(0, "refused")["why"] == "busy");
    say("unhint");
    desk.run();
    CHECK(desk.last(0, "hint").is_null());
    // Cancelled and asked for again: only the second is told.
    say("hint");
    say("unhint");
    say("hint");
    desk.run();
    CHECK(std::ranges::count_if(desk.sent[0], [](const Sent& f) { return Json::parse(f.frame)["t"] == "hint"; }) == 1);
    CHECK_FALSE(desk.last(0, "hint")["in"][1]["known"].empty());
    CHECK(desk.sent[1].size() == others);
    say("hint");
    table.left(0);
    table.said(2, message({{"t", "hello"}, {"token", token_of(0)}}));
    desk.run();
    CHECK(desk.last(2, "hint").is_null());
    table.said(2, message({{"t", "hint"}}));
    desk.run();
    CHECK_FALSE(desk.last(2, "hint")["in"][1]["known"].empty());
}

namespace {

// What a seat is sent in a second game of this seed, after a first one of another.
std::string frames_of_second(std::uint64_t first_seed, std::string& log) {
    const Folder folder;
    cli::Session s = session_of("leduc", 2, first_seed, {"1=human", "2=human"});
    s.log_path = folder.path + "/game.log";
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, 2), {}, {std::chrono::milliseconds(0), "run", [] { return 77; }}, desk, {});
    sit_all(table, desk, 2);
    play_on(table, desk, 2, 3, "first");
    REQUIRE(table.is_over());
    const std::string first_log = read_text(folder.path + "/game.log");
    table.said(0, message({{"t", "again"}}));
    CHECK(desk.last(1, "table")["phase"] == "over");
    CHECK(desk.last(1, "table")["seats"][0]["ready"] == true);
    table.said(0, message({{"t", "again"}, {"on", false}}));
    table.said(1, message({{"t", "again"}}));
    CHECK(desk.last(1, "table")["phase"] == "over");
    desk.sent.clear();
    table.said(0, message({{"t", "again"}}));
    desk.run();
    CHECK(desk.last(0, "table")["phase"] == "playing");
    CHECK(desk.last(0, "table")["end"].is_null());
    play_on(table, desk, 2, 4, "second");
    REQUIRE(table.is_over());
    log = read_text(folder.path + "/game-2.log");
    CHECK(read_text(folder.path + "/game.log") == first_log);
    const auto kept = cli::read_table(folder.path, {});
    REQUIRE(kept);
    CHECK(kept->game == 2);
    CHECK(kept->seed == 77);
    std::string all;
    for (const Sent& sent : desk.sent[0]) all += sent.frame + "\n";
    return all;
}

}  // namespace

TEST_CASE("a rematch keeps people in their seats, and nothing of the game before", "[serve]") {
    std::string log;
    std::string log_after_another;
    const std::string frames = frames_of_second(5, log);
    CHECK(frames == frames_of_second(6, log_after_another));
    CHECK(log == log_after_another);
    CHECK(log.find("seed 77") != std::string::npos);
    CHECK(log == played_at_terminal(session_of("leduc", 2, 77, {"1=human", "2=human"}), 4));
}

TEST_CASE("a page tells what happened in the sentences of the rules, as the terminal does", "[serve]") {
    const Rules rules = read_rules(rules_file("cogito"));
    const auto machine = machine_of(rules, variants(rules.syntax).front());
    Random random(3);
    const auto p = at_question(machine, random, 0, 3);
    REQUIRE(p);
    std::string english;
    std::string japanese;
    for (const Json& line : cli::lines_of(*machine, view_of(*machine, {}, p->events, 0).events, 0)) {
        english += line[0].get<std::string>() + "\n";
        japanese += line[1].get<std::string>() + "\n";
    }
    INFO(english << japanese);
    CHECK(english.find(" said “I am not ") != std::string::npos);
    CHECK(japanese.find("ではない」") != std::string::npos);
    CHECK(english.find("hand → blue side") == std::string::npos);
}
