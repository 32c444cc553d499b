// What people do at a table besides moving: see a game again, take back, choose together, ask why not, and what the host does.
#include "tests/unit/serve/desk.hpp"

#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/serve/replay.hpp"
#include "interpreter/app/serve/take_back.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr std::uint64_t watch_page = 10;
constexpr std::uint64_t host_page = 11;

// A table of people, with who looks on and the host.
struct Seated : TableAtDesk {
    Seated(const std::string& game, int seats, std::uint64_t seed, std::chrono::milliseconds pace = {}) : players(seats) {
        std::vector<std::string> people;
        for (int p = 1; p <= players; ++p) people.push_back(fmt::format("{}=human", p));
        cli::Session s = session_of(game, players, seed, people);
        s.log_path = folder.path + "/game.log";
        table = std::make_unique<cli::Table>(std::move(s), kept_for_test(folder.path, players), std::map<std::string, std::string>{},
                                             cli::TableSettings{pace, "run", [] { return 9; }}, desk, cli::Globals{});
        say(watch_page, {{"t", "hello"}, {"token", "watch"}});
        say(host_page, {{"t", "hello"}, {"token", "host"}});
        sit_all(*table, desk, players);
    }
    // As another server goes on with it.
    void restart() {
        auto kept = cli::read_table(folder.path, {});
        REQUIRE(kept);
        cli::TableArgs args;
        args.file = kept->log();
        int code = 0;
        auto s = cli::resumed_session(args, {}, code);
        REQUIRE(s);
        for (int p = 0; p < players; ++p) cli::seat(*s, p, kept->seats[static_cast<std::size_t>(p)]);
        s->log_path = kept->log();
        table = nullptr;
        desk.sent.clear();
        table =
            std::make_unique<cli::Table>(std::move(*s), std::move(*kept), std::map<std::string, std::string>{},
                                         cli::TableSettings{std::chrono::milliseconds(0), "again", [] { return 9; }}, desk, cli::Globals{});
        table->resume();
        for (int p = 0; p < players; ++p) say(static_cast<std::uint64_t>(p), {{"t", "hello"}, {"token", token_of(p)}});
        say(watch_page, {{"t", "hello"}, {"token", "watch"}});
        say(host_page, {{"t", "hello"}, {"token", "host"}});
    }
    std::string log() const { return read_text(folder.path + "/game.log"); }
    Json news(int seat) const { return desk.last(static_cast<std::uint64_t>(seat), "news"); }
    bool is_asked(int seat) const { return !news(seat)["ask"].is_null() && !news(seat)["ask"].contains("chosen"); }
    void answer(int seat, const Json& move) {
        Json m = move;
        m.update({{"t", "move"}, {"q", news(seat)["ask"]["q"]}, {"id", fmt::format("m{}", ++moves)}});
        say(static_cast<std::uint64_t>(seat), m);
    }

    int players;
    int moves = 0;
};

// All that is shown of a game that is over, through the eyes of each.
std::string seen_again(Seated& t) {
    std::string all;
    for (int viewer = cli::spectator; viewer < t.players; ++viewer) {
        t.say(0, {{"t", "eyes"}, {"of", viewer}});
        const Json first = t.desk.last(0, "eyes");
        all += first.dump() + "\n";
        for (std::size_t step = 0; step < first["steps"].size(); ++step) {
            t.say(0, {{"t", "eyes"}, {"of", viewer}, {"step", step}});
            all += t.desk.last(0, "eyes").dump() + "\n";
        }
    }
    return all;
}

}  // namespace

TEST_CASE("after the end a game is seen again through the eyes of any seat, also after a restart", "[serve]") {
    Seated t("leduc", 2, 5);
    CHECK(t.refusal(0, {{"t", "eyes"}, {"of", 0}}) == "not_shown");
    play_on(*t.table, t.desk, 2, 3, "a");
    REQUIRE(t.table->is_over());
    for (int viewer = cli::spectator; viewer < 2; ++viewer) {
        const std::uint64_t page = viewer == cli::spectator ? watch_page : static_cast<std::uint64_t>(viewer);
        t.say(1, {{"t", "eyes"}, {"of", viewer}});
        const Json eyes = t.desk.last(1, "eyes");
        CHECK(eyes["lines"] == Json(t.desk.lines(page)));
        const std::size_t steps = eyes["steps"].size();
        REQUIRE(steps > 4);
        CHECK(eyes["steps"][steps - 1] == eyes["lines"].size());
        t.say(1, {{"t", "eyes"}, {"of", viewer}, {"step", steps - 1}});
        const Json last = t.desk.last(1, "eyes");
        CHECK(last["places"] == t.desk.last(page, "news")["places"]);
        CHECK(last["facts"] == t.desk.last(page, "news")["facts"]);
        CHECK(t.refusal(1, {{"t", "eyes"}, {"of", viewer}, {"step", steps}}) == "malformed");
    }
    CHECK(t.refusal(watch_page, {{"t", "eyes"}, {"of", 0}}) == "not_shown");
    CHECK(t.refusal(watch_page, {{"t", "eyes"}, {"of", -1}}).empty());
    for (const Json& of : {Json(2), Json(-2), Json("all"), Json(), Json(0.5)})
        CHECK(t.refusal(0, {{"t", "eyes"}, {"of", of}}) == "malformed");
    const std::string before = seen_again(t);
    t.restart();
    CHECK(seen_again(t) == before);
}

TEST_CASE("every recorded game can be followed, and is told again as it was", "[serve]") {
    std::size_t steps = 0;
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        INFO(name);
        Events events;
        const auto run = make_run(machine);
        Random random(seed_of(name) + 1);
        run->start();
        run->record(&events);
        std::vector<std::size_t> told(static_cast<std::size_t>(machine->game.players) + 1, 0);
        for (int step = 0; step < 80; ++step) {
            const Node n = run->advance();
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
            run->apply(random_move(*run, random));
        }
        run->advance();
        cli::Replay replay(machine, events);
        CHECK(replay.followed() == events.size());
        for (int viewer = cli::spectator; viewer < machine->game.players; ++viewer) {
            const Json again = replay.told_to(viewer);
            const std::size_t count = again["steps"].size();
            steps += count;
            if (count == 0) continue;
            CHECK(again["steps"][count - 1] == again["lines"].size());
            CHECK(replay.table_at(viewer, count).is_null());
            cli::SeatTable table(machine, viewer);
            for (const Event& e : events) table.see(e);
            if (settled(events) == events.size()) CHECK(replay.table_at(viewer, count - 1) == cli::table_frame(*machine, table));
        }
        testing::random_samples();
    });
    CHECK(steps > 5'000);
}

TEST_CASE("a decision is taken back when all people agree and nobody has seen anything since", "[serve]") {
    Seated t("kuhn", 2, 5);
    REQUIRE(t.is_asked(0));
    CHECK(t.refusal(0, {{"t", "undo"}}) == "back_nothing");
    const std::string log = t.log();
    const Json asked = t.news(0)["ask"];
    t.answer(0, {{"m", 1}});
    REQUIRE(t.is_asked(1));
    CHECK(t.log() != log);
    // Declined, and not asked for again.
    CHECK(t.refusal(0, {{"t", "undo"}}).empty());
    CHECK(t.desk.last(watch_page, "table")["back"]["by"] == 0);
    CHECK(t.refusal(0, {{"t", "undo"}}) == "busy");
    CHECK(t.refusal(0, {{"t", "agree"}}) == "stale");
    t.say(1, {{"t", "agree"}, {"on", false}});
    CHECK(t.desk.last(0, "refused")["why"] == "back_declined");
    CHECK(t.desk.last(1, "table")["back"].is_null());
    CHECK(t.refusal(0, {{"t", "undo"}}) == "back_declined");
    CHECK(t.refusal(1, {{"t", "undo"}}) == "back_nothing");
    t.answer(1, {{"m", 1}});
    CHECK(t.refusal(0, {{"t", "undo"}}) != "");

    Seated u("kuhn", 2, 5);
    u.answer(0, {{"m", 1}});
    u.say(0, {{"t", "undo"}});
    u.say(1, {{"t", "agree"}, {"on", true}});
    CHECK(u.log() == log);
    CHECK_FALSE(u.is_asked(1));
    REQUIRE(u.is_asked(0));
    Json again = u.news(0)["ask"];
    CHECK(again["q"] != asked["q"]);
    again["q"] = asked["q"];
    CHECK(again == asked);
    for (const std::uint64_t page : {std::uint64_t{0}, std::uint64_t{1}, watch_page}) CHECK(u.desk.lines(page).back() == Json{{"back", 0}});
    // The next server knows it, too.
    const Json lines = u.desk.lines(1);
    u.restart();
    CHECK(u.desk.lines(1).back() == Json{{"back", 0}});
    REQUIRE(u.is_asked(0));
    u.answer(0, {{"m", 0}});
    play_on(*u.table, u.desk, 2, 3, "rest");
    CHECK(u.table->is_over());
}

namespace {

// The last decision of the seat in a game that was recorded, and what it was.
std::optional<std::pair<cli::Moment, std::uint64_t>> last_decision(const std::shared_ptr<const Machine>& machine, const Events& events,
                                                                   int seat) {
    std::optional<std::pair<cli::Moment, std::uint64_t>> last;
    Events again;
    const auto run = make_run(machine);
    run->start();
    run->record(&again);
    for (;;) {
        const Node n = run->advance();
        const std::size_t done = again.size();
        const auto move = cli::answer_before(*run, done < events.size() ? &events[done] : nullptr);
        if (done >= events.size() || !move) return last;
        const bool decides = n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask;
        if (decides && n.seat == seat && !n.joint) {
            cli::Moment moment;
            moment.seat = seat;
            moment.state.assign(run->state().begin(), run->state().end());
            moment.events = done;
            last = {std::move(moment), *move};
        }
        run->apply(*move);
    }
}

}  // namespace

TEST_CASE("whether something can be taken back tells nothing: in every world that fits the view it is the same", "[serve]") {
    std::size_t compared = 0;
    std::size_t can = 0;
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const auto machine = machine_of(rules, variants(rules.syntax).front());
        Random random(seed_of(rules.name) + 5);
        for (int round = 0; round < 3; ++round) {
            const int seat = static_cast<int>(random.below(static_cast<std::uint64_t>(machine->game.players)));
            Events events;
            const auto run = make_run(machine);
            run->start();
            run->record(&events);
            // Up to some decision of the seat, and what follows from it.
            std::uint64_t decisions = 1 + random.below(4);
            for (int step = 0; step < 400 && decisions > 0; ++step) {
                const Node n = run->advance();
                if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
                if (n.seat == seat && !n.joint && n.kind != NodeKind::draw && n.kind != NodeKind::lot) --decisions;
                run->apply(random_move(*run, random));
            }
            if (run->advance().kind == NodeKind::failed) continue;
            const auto here = last_decision(machine, events, seat);
            if (!here) continue;
            const cli::TakeBack verdict = cli::can_take_back(machine, here->first, here->second, events, seat);
            can += verdict == cli::TakeBack::can ? 1 : 0;
            const Events noticed = view_of(*machine, {}, events, seat).events;
            DeductionLimits limits;
            limits.work = 300'000;
            limits.time = std::chrono::milliseconds(1'000);
            Deduction deduction(machine, seat, limits);
            if (deduction.see(noticed) != Fit::fits) continue;
            for (int i = 0; i < 3; ++i) {
                const auto history = deduction.sample(random);
                const auto other = make_run(machine);
                Events there;
                std::string problem;
                if (!history || !play_history(*other, *history, there, problem)) continue;
                if (view_of(*machine, {}, there, seat).events != noticed) continue;
                const auto decision = last_decision(machine, there, seat);
                if (!decision) continue;
                INFO(rules.name << ", seat " << seat << "\n" << log_text(*machine, {}, events) << "\n" << log_text(*machine, {}, there));
                const bool same = cli::can_take_back(machine, decision->first, decision->second, there, seat) == verdict;
                CHECK(same);
                ++compared;
            }
        }
        testing::random_samples();
    }
    CAPTURE(compared, can);
    CHECK(compared > 60);
    CHECK(can > 10);
}

TEST_CASE("what is chosen together is asked at once, and nobody is shown who has chosen", "[serve]") {
    Seated t("goofspiel", 2, 4);
    REQUIRE(t.is_asked(0));
    REQUIRE(t.is_asked(1));
    // In either order; before all have chosen there is nothing for the others.
    for (const int first : {0, 1}) {
        const int second = 1 - first;
        const std::size_t sent = t.desk.sent[static_cast<std::uint64_t>(second)].size();
        const std::size_t watched = t.desk.sent[watch_page].size();
        const std::string log = t.log();
        t.answer(first, {{"m", 0}});
        CHECK(t.news(first)["ask"]["chosen"] == true);
        CHECK(t.refusal(static_cast<std::uint64_t>(first), {{"t", "rethink"}}).empty());
        CHECK(t.is_asked(first));
        t.answer(first, {{"m", 1}});
        CHECK(t.desk.sent[static_cast<std::uint64_t>(second)].size() == sent);
        CHECK(t.desk.sent[watch_page].size() == watched);
        CHECK(t.log() == log);
        t.answer(second, {{"m", 0}});
        CHECK(t.log() != log);
        CHECK(t.refusal(static_cast<std::uint64_t>(first), {{"t", "rethink"}}) != "");
        REQUIRE(t.is_asked(0));
        REQUIRE(t.is_asked(1));
    }
    // A seat that is left is played on, and the others do not wait for it.
    t.answer(0, {{"m", 0}});
    t.say(host_page, {{"t", "seat"}, {"seat", 1}, {"who", "random"}});
    CHECK(t.is_asked(0));
    play_on(*t.table, t.desk, 2, 3, "rest");
    CHECK(t.table->is_over());
}

TEST_CASE("the host sets pace and hints, ends the game, hands over, and gives away seats that were left", "[serve]") {
    Seated t("leduc", 2, 5);
    CHECK(t.refusal(0, {{"t", "set"}, {"pace", 100}}) == "malformed");
    for (const Json& bad : {Json{{"pace", -1}}, Json{{"pace", 1e9}}, Json{{"hints", 1}}, Json{{"hints_shown", "yes"}}}) {
        Json said = bad;
        said["t"] = "set";
        CHECK(t.refusal(host_page, said) == "malformed");
    }
    CHECK(t.refusal(0, {{"t", "hint"}}) == "no_hints");
    t.say(host_page, {{"t", "set"}, {"pace", 300}, {"hints", true}, {"hints_shown", true}});
    CHECK(t.desk.last(1, "table")["pace"] == 300);
    CHECK(t.news(0)["hints"] == true);
    t.say(0, {{"t", "hint"}});
    CHECK(t.desk.last(1, "table")["seats"][0]["hinted"] == 1);
    t.say(host_page, {{"t", "set"}, {"hints_shown", false}});
    const std::size_t before = t.desk.sent[1].size();
    t.say(0, {{"t", "hint"}});
    CHECK(t.desk.sent[1].size() == before);

    // Away, played on, and taken back.
    t.table->left(1);
    CHECK(t.desk.last(0, "table")["seats"][1]["here"] == false);
    t.say(host_page, {{"t", "seat"}, {"seat", 1}, {"who", "random"}});
    CHECK(t.desk.last(0, "table")["seats"][1]["left"] == true);
    t.say(1, {{"t", "hello"}, {"token", token_of(1)}});
    CHECK(t.refusal(0, {{"t", "back"}}) == "malformed");
    t.restart();
    CHECK(t.desk.last(0, "table")["pace"] == 300);
    CHECK(t.desk.last(0, "table")["seats"][1]["left"] == true);
    CHECK(t.refusal(1, {{"t", "back"}}).empty());
    CHECK(t.desk.last(0, "table")["seats"][1]["who"] == "human");
    CHECK_FALSE(t.desk.last(0, "table")["seats"][1].contains("left"));

    // Handed over: the old link opens nothing any more.
    CHECK(t.refusal(host_page, {{"t", "hand"}, {"seat", 7}}) == "malformed");
    t.say(host_page, {{"t", "hand"}, {"seat", 1}});
    const std::string token = t.desk.last(1, "handed")["token"];
    CHECK(t.desk.last(0, "handed").is_null());
    CHECK(t.refusal(12, {{"t", "hello"}, {"token", "host"}}) == "token");
    t.say(13, {{"t", "hello"}, {"token", token}});
    CHECK(t.desk.last(13, "you")["role"] == "host");

    // The end, which stays the end.
    t.say(13, {{"t", "end"}});
    CHECK(t.table->is_over());
    CHECK(t.desk.last(0, "table")["end"]["stopped"] == true);
    CHECK(t.news(0)["ask"].is_null());
    t.restart();
    CHECK(t.table->is_over());
    t.say(0, {{"t", "again"}});
    t.say(1, {{"t", "again"}});
    CHECK(t.desk.last(0, "table")["phase"] == "playing");
    t.restart();
    CHECK_FALSE(t.table->is_over());
}

TEST_CASE("who comes back while the program thinks has the seat as soon as that is done", "[serve]") {
    Seated t("kuhn", 3, 5);
    t.desk.thinks_slowly = true;
    t.say(host_page, {{"t", "seat"}, {"seat", 2}, {"who", "deduce"}});
    for (const int seat : {0, 1}) {
        REQUIRE(t.is_asked(seat));
        t.answer(seat, {{"m", 0}});
    }
    CHECK(t.refusal(2, {{"t", "back"}}).empty());
    CHECK(cli::read_table(t.folder.path, {})->seats[2] == "deduce");
    CHECK(t.desk.think_once());
    CHECK(cli::read_table(t.folder.path, {})->seats[2] == "human");
}

TEST_CASE("what cannot be chosen says why not, and the rules are there in every language", "[serve]") {
    Seated t("hearts", 4, 7);
    play_on(*t.table, t.desk, 4, 3, "a", 6);
    const auto seat = asked_page(*t.table, t.desk, 4);
    REQUIRE(seat);
    const auto page = static_cast<std::uint64_t>(*seat);
    const Json ask = t.news(*seat)["ask"];
    std::vector<int> offered;
    for (const Json& option : ask["options"]) offered.push_back(option["k"]);
    std::size_t other = 0;
    for (int k = 0; k < 52; ++k) {
        const std::size_t others = t.desk.sent[(page + 1) % 4].size();
        CHECK(t.refusal(page, {{"t", "why"}, {"k", k}}).empty());
        const Json why = t.desk.last(page, "why");
        CHECK(why["k"] == k);
        REQUIRE(why["text"].size() == 2);
        CHECK(why["text"][0] != why["text"][1]);
        const bool can = why["text"][0].get<std::string>().find("can be chosen") != std::string::npos;
        CHECK(can == (std::ranges::find(offered, k) != offered.end()));
        other += can ? 0 : 1;
        CHECK(t.desk.sent[(page + 1) % 4].size() == others);
    }
    CHECK(other > 30);
    CHECK(t.refusal(page, {{"t", "why"}, {"k", 52}}) == "malformed");
    CHECK(t.refusal((page + 1) % 4, {{"t", "why"}, {"k", 0}}) == "stale");
    for (const std::uint64_t who : {std::uint64_t{0}, watch_page, host_page}) {
        t.say(who, {{"t", "book"}});
        const Json book = t.desk.last(who, "book")["book"];
        REQUIRE(book.size() == 2);
        CHECK(book[0]["blocks"].size() > 8);
        CHECK(book[0]["title"] != book[1]["title"]);
    }
}

namespace {

// Something that a page might say, more or less.
std::string any_message(Random& random, const Json& asked) {
    static const std::vector<std::string> types = {"hello",   "sit",     "move", "act",   "go",   "again",  "hint", "unhint",
                                                   "machine", "rethink", "undo", "agree", "back", "why",    "book", "eyes",
                                                   "start",   "seat",    "set",  "end",   "hand", "relink", ""};
    static const std::vector<std::string> keys = {"t",    "token", "name", "q",           "id", "m",  "values", "a",    "on",
                                                  "seat", "who",   "pace", "hints_shown", "k",  "of", "step",   "last", "run"};
    const std::vector<Json> values = {0,
                                      1,
                                      2,
                                      -1,
                                      7,
                                      1e300,
                                      18446744073709551615ULL,
                                      true,
                                      false,
                                      nullptr,
                                      "",
                                      "human",
                                      "random",
                                      "x",
                                      std::string(300, 'y'),
                                      "\xF0\x9F\x83\x8F",
                                      Json::array({0, 1}),
                                      Json::object(),
                                      asked,
                                      0.5};
    Json m{{"t", types[random.below(types.size())]}};
    for (std::uint64_t n = random.below(5); n > 0; --n) m[keys[random.below(keys.size())]] = values[random.below(values.size())];
    if (random.below(3) == 0 && asked.is_object()) m["q"] = asked["q"];
    std::string text = m.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::uint64_t n = random.below(4) == 0 ? random.below(6) : 0; n > 0 && !text.empty(); --n)
        text[random.below(text.size())] = static_cast<char>(random.below(256));
    return text;
}

}  // namespace

TEST_CASE("whatever pages say, the table goes on", "[serve]") {
    for (const char* game : {"kuhn", "goofspiel", "leduc"}) {
        INFO(game);
        Seated t(game, 2, 5);
        Random random(seed_of(game));
        for (int i = 0; i < 4'000; ++i) {
            const std::uint64_t page = std::vector<std::uint64_t>{0, 1, watch_page, host_page, 20 + random.below(3)}[random.below(5)];
            const Json asked = page < 2 ? t.news(static_cast<int>(page))["ask"] : Json();
            t.table->said(page, any_message(random, asked));
            if (random.below(8) == 0) t.table->left(page);
            if (random.below(3) == 0) t.desk.run();
        }
        t.desk.run();
        testing::random_samples(4'000);
        t.restart();
        CHECK_FALSE(t.desk.sent.empty());
    }
}
