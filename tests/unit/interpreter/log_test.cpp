// Logs and views of random games: a log replays to the byte, a view shows only what its seat saw.
#include "interpreter/log/log.hpp"
#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/log/grammar.hpp"
#include "interpreter/log/line.hpp"
#include "interpreter/log/view.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>
#include <tao/pegtl/contrib/analyze.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace {

using namespace houserule;

std::shared_ptr<const Machine> machine_of(const std::filesystem::path& path, int players) {
    std::ifstream in(path, std::ios::binary);
    Sources sources;
    sources.emplace_back(path.string(), std::string(std::istreambuf_iterator<char>(in), {}));
    Diagnostics diagnostics;
    const Syntax syntax = parse(sources, 0, diagnostics);
    Game game = check(syntax, players, {}, diagnostics);
    REQUIRE_FALSE(has_errors(diagnostics));
    return compile(std::move(game));
}

struct Played {
    Events events;
    std::string log;
};

// A game at random, stopped after `answers` answers (or at its end).
Played played(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, std::uint64_t answers, std::int64_t volunteers = 20'000) {
    Played p;
    const auto run = make_run(machine);
    Random random(seed);
    run->record(&p.events);
    run->start();
    for (Node n = run->advance(); n.kind != NodeKind::over && answers > 0; n = run->advance(), --answers) {
        REQUIRE(n.kind != NodeKind::failed);
        run->apply(random_move(*run, random, volunteers));
    }
    testing::random_samples();
    p.log = log_text(*machine, head_of(*machine, seed), p.events);
    return p;
}

// The log of the run that replays this log.
std::string replayed(const std::shared_ptr<const Machine>& machine, const std::string& log) {
    Sources sources;
    sources.emplace_back("log", log);
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    REQUIRE(head);
    const auto run = make_run(machine);
    Events events;
    const bool fits = replay(sources, 0, *head, *run, events, diagnostics);
    INFO(render(diagnostics, sources, {}));
    REQUIRE(fits);
    return log_text(*machine, *head, events);
}

// The inputs alone, as somebody would write them by hand.
std::string inputs_only(const Machine& machine, const LogHead& head, const Events& events) {
    Events inputs;
    // The last line stays: where acts are open at any time, nothing else tells that nobody acted before it.
    const auto last = std::find_if(events.rbegin(), events.rend(),
                                   [](const Event& e) { return e.kind != EventKind::begins && e.kind != EventKind::all_chose; });
    for (const Event& e : events) {
        if (&e == &*last) {
            inputs.push_back(e);
            continue;
        }
        switch (e.kind) {
            case EventKind::choice:
            case EventKind::answer:
            case EventKind::draw:
            case EventKind::report:
            case EventKind::lot:
            case EventKind::acts:
                inputs.push_back(e);
                break;
            case EventKind::move:
            case EventKind::becomes:
            case EventKind::says:
            case EventKind::shows:
            case EventKind::shuffle:
            case EventKind::ended:
            case EventKind::begins:
            case EventKind::all_chose:
                break;
        }
    }
    return log_text(machine, head, inputs);
}

// A place's seers, asked of the declaration and not of the event.
bool may_see(const Game& game, PlaceId place, int seat) {
    for (const Zone& z : game.zones) {
        if (place < z.first_place || place >= z.first_place + z.places) continue;
        const bool owner = z.by == IndexBy::player && place - z.first_place == seat;
        return z.seers == Seers::all || (z.seers == Seers::owner && owner) || (z.seers == Seers::others && !owner);
    }
    return false;
}

// Whether the seat may know the values of this event, by the declarations alone.
bool may_know(const Game& game, const Event& e, int seat) {
    switch (e.kind) {
        case EventKind::draw:
        case EventKind::move:
            return may_see(game, e.from, seat) || may_see(game, e.to, seat);
        case EventKind::shows:
            return may_see(game, e.from, seat) || (e.value >> seat & 1) != 0;
        case EventKind::choice:
            return e.aloud || e.seat == seat;
        case EventKind::answer:
            return e.seat == seat;
        case EventKind::becomes: {
            const Fact& f = game.facts[e.name];
            const bool owner = f.by == IndexBy::player && e.index == seat;
            return f.seers == Seers::all || (f.seers == Seers::owner && owner) || (f.seers == Seers::others && !owner);
        }
        case EventKind::report:
        case EventKind::lot:
        case EventKind::acts:
        case EventKind::says:
        case EventKind::shuffle:
        case EventKind::ended:
        case EventKind::begins:
        case EventKind::all_chose:
            return true;
    }
    return false;
}

// What the seat reads must not change when everything it may not know is another card.
void view_hides(const std::shared_ptr<const Machine>& machine, const Played& p) {
    const LogHead head = head_of(*machine, 1);
    for (int seat = 0; seat < machine->game.players; ++seat) {
        Events other = p.events;
        std::set<EventKind> kinds;
        for (Event& e : other) {
            if (may_know(machine->game, e, seat)) continue;
            kinds.insert(e.kind);
            for (std::int32_t& k : e.pieces) k = (k + 1) % static_cast<std::int32_t>(machine->game.kinds.size());
            for (std::int32_t& v : e.values) v = v == 0 ? 1 : 0;
            if (e.kind != EventKind::shows) e.value = e.value == 0 ? 1 : 0;  // whom it is shown to is seen by all
        }
        REQUIRE_FALSE(kinds.empty());
        CHECK(view_text(*machine, head, p.events, seat) == view_text(*machine, head, other, seat));
    }
}

struct Case {
    const char* path;
    int low;
    int high;
};

}  // namespace

TEST_CASE("lines of a log: what stands between the signs is a name, whatever it holds") {
    const auto read = [](const std::string& text) {
        Sources sources;
        sources.emplace_back("log", text);
        Diagnostics diagnostics;
        const std::vector<Line> lines = read_lines(sources, 0, 0, diagnostics);
        if (lines.empty()) return diagnostics.empty() ? "nothing" : diagnostics.front().arguments.front().in(Language::en);
        const Line& l = lines.front();
        return fmt::format("{} {} <{}> <{}> <{}> {}", index_of(l.kind), l.seat, l.name, l.from, l.to, fmt::join(l.values, "|"));
    };
    const auto kind = [](LineKind k) { return std::to_string(index_of(k)); };
    CHECK(read("deal a : b ->P1's c: d: x ,, y z") == kind(LineKind::draw) + " -1 <> <a : b> <P1's c: d> x||y z");
    CHECK(read("show 手札 to P2: all: 7") == kind(LineKind::show) + " -1 <> <手札> <P2: all> 7");
    CHECK(read("move a -> b, in order: 7, 3") == kind(LineKind::move) + " -1 <> <a> <b> 7|3");
    CHECK(read("deal a -> b, in order: 7, 3") == kind(LineKind::draw) + " -1 <> <a> <b, in order> 7|3");
    CHECK(read("move = 3") == kind(LineKind::fact) + " -1 <move> <> <> 3");
    CHECK(read("move of x = 3") == kind(LineKind::fact) + " -1 <move of x> <> <> 3");
    CHECK(read("P2's points = 4") == kind(LineKind::fact) + " -1 <P2's points> <> <> 4");
    CHECK(read("lot: n = 4") == kind(LineKind::lot) + fmt::format(" {} <n> <> <> 4", seen_by_all));
    CHECK(read("lot for P10 : n = 4") == kind(LineKind::lot) + " 9 <n> <> <> 4");
    CHECK(read("lot for nobody: n = 4") == kind(LineKind::lot) + " -1 <n> <> <> 4");
    CHECK(read("act a: b: P1, P2") == kind(LineKind::acts) + " -1 <a: b> <> <> P1|P2");
    CHECK(read("P3:no card") == kind(LineKind::no) + " 2 <card> <> <> ");
    CHECK(read("P3: n=a=b") == kind(LineKind::choice) + " 2 <n> <> <> a=b");
    CHECK(read("P3 names  n = a") == kind(LineKind::names) + " 2 <n> <> <> a");
    CHECK(read("P3 says no = no") == kind(LineKind::says) + " 2 <no = no> <> <> ");

    const std::string cards = "expected `ZONE -> ZONE: CARDS`";
    const std::string assignment = "expected `NAME = VALUE`";
    const std::string seat = "expected `P1: …`, `P1 names …` or `P1 says …`";
    CHECK(read("deal a b: x") == cards);
    CHECK(read("deal a: b -> c") == cards);
    CHECK(read("move a") == cards);
    CHECK(read("show a -> P2: x") == cards);
    CHECK(read("act a") == "expected `act NAME: P1, P2`");
    CHECK(read("lot for P11: n = 4") == assignment);
    CHECK(read("lot for P1 n = 4") == assignment);
    CHECK(read("deal") == assignment);
    CHECK(read("P3: n") == assignment);
    CHECK(read("P11 says n") == assignment);
    CHECK(read("P3 n") == seat);

    // No rule comes back to itself without reading on.
    CHECK(tao::pegtl::analyze<log_grammar::line>(-1) == 0);
}

TEST_CASE("random games: the log replays to the same bytes, whole and from its inputs alone") {
    for (const Case& c : {Case{"games/cogito.rules", 2, 4}, Case{"games/jiji.rules", 3, 5}}) {
        for (int players = c.low; players <= c.high; ++players) {
            const auto machine = machine_of(std::filesystem::path(HOUSERULE_ROOT) / c.path, players);
            for (std::uint64_t seed = 1; seed <= 200; ++seed) {
                INFO(c.path << " " << players << " players, seed " << seed);
                const Played p = played(machine, seed, ~std::uint64_t{0});
                REQUIRE(replayed(machine, p.log) == p.log);
                // Without the lines that tell its moment, an act that is open at any time would come as early as it can: here nobody acts.
                const Played q = played(machine, seed, ~std::uint64_t{0}, 0);
                REQUIRE(replayed(machine, inputs_only(*machine, head_of(*machine, seed), q.events)) == q.log);
            }
        }
    }
}

TEST_CASE("random games that were left: the log replays to where it stops") {
    for (const Case& c : {Case{"games/cogito.rules", 2, 4}, Case{"games/jiji.rules", 3, 5}}) {
        for (int players = c.low; players <= c.high; ++players) {
            const auto machine = machine_of(std::filesystem::path(HOUSERULE_ROOT) / c.path, players);
            for (std::uint64_t seed = 1; seed <= 100; ++seed) {
                INFO(c.path << " " << players << " players, seed " << seed);
                const Played p = played(machine, seed, seed);
                REQUIRE(replayed(machine, p.log) == p.log);
            }
        }
    }
}

TEST_CASE("random games: a view does not depend on what its seat may not know") {
    for (const Case& c : {Case{"games/cogito.rules", 2, 4}, Case{"games/jiji.rules", 3, 5}}) {
        for (int players = c.low; players <= c.high; ++players) {
            const auto machine = machine_of(std::filesystem::path(HOUSERULE_ROOT) / c.path, players);
            for (std::uint64_t seed = 1; seed <= 50; ++seed) {
                INFO(c.path << " " << players << " players, seed " << seed);
                view_hides(machine, played(machine, seed, ~std::uint64_t{0}));
            }
        }
    }
}

namespace {

// What becomes of a text that may be a log, or what is left of one: it is replayed, or there are words about why not.
bool replays_or_says_why(const std::shared_ptr<const Machine>& machine, Run& run, const std::string& log) {
    Sources sources;
    sources.emplace_back("log", log);
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    Events events;
    const bool fits = head && replay(sources, 0, *head, run, events, diagnostics);
    INFO(log);
    CHECK(fits != has_errors(diagnostics));
    CHECK(render(diagnostics, sources, {}).empty() == diagnostics.empty());
    Diagnostics of_view;
    if (head) CHECK((read_view(sources, 0, *head, *machine, of_view) || has_errors(of_view)));
    return fits;
}

}  // namespace

TEST_CASE("a log that is cut at any byte is replayed, or there are words about why not") {
    const auto machine = machine_of(std::filesystem::path(HOUSERULE_ROOT) / "games/cogito.rules", 2);
    const auto run = make_run(machine);
    const Played p = played(machine, 3, ~std::uint64_t{0});
    std::size_t fit = 0;
    for (std::size_t at = 0; at <= p.log.size(); ++at)
        if (replays_or_says_why(machine, *run, p.log.substr(0, at))) ++fit;
    CHECK(fit > 10);
    CHECK(fit < p.log.size() / 2);
}

TEST_CASE("a log that is changed anywhere is replayed, or there are words about why not") {
    const auto machine = machine_of(std::filesystem::path(HOUSERULE_ROOT) / "games/jiji.rules", 3);
    const auto run = make_run(machine);
    const Played p = played(machine, 3, ~std::uint64_t{0});
    Random random(17);
    std::size_t fit = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string log = p.log;
        for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
            const std::size_t at = random.below(log.size());
            if (random.below(2) == 0)
                log[at] = static_cast<char>(random.below(256));
            else if (random.below(2) == 0)
                log.erase(at, 1 + random.below(20));
            else
                log.insert(at, log.substr(random.below(log.size()), random.below(60)));
        }
        testing::random_samples();
        if (replays_or_says_why(machine, *run, log)) ++fit;
    }
    CHECK(fit < 900);
}
