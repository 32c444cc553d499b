// What a seat is shown: made of the events that it noticed, and whatever lies where it does not look the same bytes.
#include "tests/unit/serve/desk.hpp"

#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/run/seers.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/unit/serve/worlds.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

bool is_ordered(const Zone& zone) { return zone.shape == Shape::row || zone.shape == Shape::stack; }

// What a seat takes to lie there and to be, from events alone, beside what is so and open to it: how much is the same, and what is not.
struct Compared {
    std::size_t same = 0;
    std::map<std::string, std::size_t> other;

    void add(const Run& run, const cli::SeatTable& table) {
        const Game& game = run.machine().game;
        for (PlaceId p = 1; p < game.places; ++p) {
            const cli::SeatTable::Place& place = table.at(p);
            std::vector<std::int32_t> there(run.size_at(p), cli::hidden_card);
            if (place.seen) std::ranges::copy(run.kinds_at(p), there.begin());
            const Zone& zone = *zone_of(game, p);
            if (!is_ordered(zone)) std::ranges::sort(there);
            count(place.kinds == there, zone.name);
        }
        for (const FactId f : game.facts.ids()) {
            const Fact& fact = game.facts[f];
            for (std::int32_t i = 0; i < fact.count; ++i)
                if (const cli::SeatTable::Value& value = table.fact(f, i); value.seen)
                    count(value.values == (fact.type.base == Base::set ? run.fact_set(f, i) : std::vector{run.fact(f, i)}), fact.name);
        }
    }
    void count(bool is_same, const std::string& what) { is_same ? ++same : ++other[what]; }
};

}  // namespace

TEST_CASE("the table that a seat makes of what it noticed is the table as it sees it", "[serve]") {
    std::size_t same = 0;
    std::size_t reordered = 0;
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        INFO(name);
        const Game& game = machine->game;
        Compared compared;
        Events events;
        const auto run = make_run(machine);
        Random random(seed_of(name));
        run->start();
        run->record(&events);
        std::vector<cli::SeatTable> tables;
        std::size_t told = 0;
        for (int viewer = cli::spectator; viewer < game.players; ++viewer) tables.emplace_back(machine, viewer);
        for (int step = 0; step < 240; ++step) {
            const Node n = run->advance();
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
            if (step % 5 == 0 && settled(events) == events.size()) {
                for (; told < events.size(); ++told)
                    for (cli::SeatTable& table : tables) table.see(events[told]);
                for (const cli::SeatTable& table : tables) compared.add(*run, table);
            }
            run->apply(random_move(*run, random));
        }
        same += compared.same;
        // Which of equal cards in a row is taken no event tells.
        for (const auto& [what, count] : compared.other) {
            const bool is_row = std::ranges::any_of(game.zones, [&](const Zone& z) { return z.name == what && z.shape == Shape::row; });
            CAPTURE(what, count);
            CHECK(is_row);
            reordered += count;
        }
        testing::random_samples();
    });
    CAPTURE(same, reordered);
    CHECK(same > 100'000);
    CHECK(reordered * 1'000 < same);
}

namespace {

// All that a page of the seat is sent when it comes to a table where this has happened; with `rules`, the path of the file, also what it
// is answered to whatever else it may say.
std::string frames_at(const std::shared_ptr<const Machine>& machine, const Run& run, const Events& events, int seat,
                      const std::string& rules = "") {
    const Folder folder;
    Desk desk;
    cli::Session session = session_at(machine, run.state(), events);
    if (!rules.empty()) session.rules = std::move(*cli::load(rules, {}));
    cli::Table table(std::move(session), kept_for_test(folder.path, machine->game.players), {}, {std::chrono::milliseconds(0), "run", {}},
                     desk, {});
    table.resume();
    desk.run();
    const std::string token = seat == cli::spectator ? "watch" : token_of(seat);
    table.said(1, message({{"t", "hello"}, {"token", token}}));
    desk.run();
    // Comes back after a cut, and twice.
    table.left(1);
    table.said(1, message({{"t", "hello"}, {"token", token}, {"run", "run"}, {"last", std::min<std::size_t>(2, desk.lines(1).size())}}));
    table.said(2, message({{"t", "hello"}, {"token", token}, {"run", "another"}, {"last", 1}}));
    desk.run();
    std::vector<Json> more;
    for (int k = 0; k < std::min(machine->game.kind_count(), 12); ++k) more.push_back({{"t", "why"}, {"k", k}});
    for (const char* type : {"undo", "agree", "rethink", "go", "hint", "back", "again", "eyes", "nothing"})
        more.push_back({{"t", type}, {"of", 0}});
    for (std::size_t i = 0; i < more.size() && !rules.empty() && seat != cli::spectator; ++i) {
        table.said(1, message(more[i]));
        desk.run();
    }
    std::string all;
    for (const std::uint64_t page : {1, 2})
        for (const Sent& s : desk.sent[page]) all += fmt::format("{} {} {}\n", page, s.at.count(), s.frame);
    return all;
}

}  // namespace

namespace {

constexpr int worlds_wanted = 5;
constexpr int tries_most = 30;

// What came of swapping in other worlds.
struct Swapped {
    std::size_t positions = 0;  // at which something lies where the seat does not look
    std::size_t with_all = 0;   // of those: with five other worlds
    std::size_t others = 0;     // worlds with another state
    std::size_t known = 0;      // positions at which only chance has still to decide what lies there: they are none of those
    std::size_t unknown = 0;    // positions that the deduction gave up
    std::size_t watched = 0;    // worlds that are also the same for who looks on
};

bool hides_something(const Run& run, int seat) {
    const Machine& machine = run.machine();
    for (PlaceId p = 1; p < machine.game.places; ++p)
        if (run.size_at(p) > 0 && (seers_of(machine, p) & seat_bit(seat)) == 0) return true;
    return false;
}

Events public_events(const Game& game, const Events& events) {
    std::size_t told = 0;
    return cli::noticed_up_to(game, events, told, events.size(), cli::spectator);
}

// The frames of the seat at its n-th question of a random game, and those in other worlds; `path`: also what it is answered there.
void swap_worlds(const std::shared_ptr<const Machine>& machine, Random& random, int n, bool patient, const std::string& path,
                 Swapped& found) {
    const int seat = static_cast<int>(random.below(static_cast<std::uint64_t>(machine->game.players)));
    const auto here = at_question(machine, random, seat, n);
    if (!here || !hides_something(*here->run, seat)) return;
    ++found.positions;
    const Events noticed = view_of(*machine, {}, here->events, seat).events;
    Deduction deduction(machine, seat, limits_of_tests(patient));
    if (deduction.see(noticed) != Fit::fits) {
        ++found.unknown;
        return;
    }
    const std::string own = frames_at(machine, *here->run, here->events, seat);
    const std::string answers = path.empty() ? "" : frames_at(machine, *here->run, here->events, seat, path);
    const Events seen_by_all = public_events(machine->game, here->events);
    const std::string public_frames = frames_at(machine, *here->run, here->events, cli::spectator);
    int other_worlds = 0;
    int same_worlds = 0;
    for (int i = 0; i < tries_most && other_worlds < worlds_wanted; ++i) {
        const auto other = another_world(deduction, noticed, machine, random, seat);
        if (other && std::ranges::equal(other->run->state(), here->run->state())) ++same_worlds;
        if (!other || std::ranges::equal(other->run->state(), here->run->state())) continue;
        ++other_worlds;
        INFO("question " << n << " of seat " << seat << "\n"
                         << log_text(*machine, {}, here->events) << "\n"
                         << log_text(*machine, {}, other->events));
        REQUIRE(frames_at(machine, *other->run, other->events, seat) == own);
        if (!path.empty() && other_worlds <= 2) REQUIRE(frames_at(machine, *other->run, other->events, seat, path) == answers);
        // Who looks on has noticed no more than the seat has.
        if (public_events(machine->game, other->events) != seen_by_all) continue;
        ++found.watched;
        REQUIRE(frames_at(machine, *other->run, other->events, cli::spectator) == public_frames);
    }
    // Nothing but what chance is still to decide: cards that nobody has drawn are in no order yet.
    if (other_worlds == 0 && same_worlds > 0) {
        --found.positions;
        ++found.known;
    }
    found.others += static_cast<std::size_t>(other_worlds);
    found.with_all += other_worlds == worlds_wanted ? 1 : 0;
}

std::string text_of(const Swapped& s) {
    return fmt::format(
        "{} positions with hidden cards, {} with {} other worlds, {} not reckoned, and {} with nothing but undrawn cards; {} worlds, {} "
        "for "
        "who looks on",
        s.positions, s.with_all, worlds_wanted, s.unknown, s.known, s.others, s.watched);
}

// Every file, some or all of its numbers of players, so many games each; of each a position early and one later.
Swapped swap_everywhere(int games, bool all_players) {
    Swapped found;
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const auto all = variants(rules.syntax);
        for (std::size_t v = 0; v < all.size() && (v == 0 || all[v].players > all[v - 1].players); ++v) {
            const bool is_last = v + 1 == all.size() || all[v + 1].players <= all[v].players;
            if (!all_players && v != 0 && !is_last) continue;
            INFO(variant_name(rules, all[v]));
            const auto machine = machine_of(rules, all[v]);
            Random random(seed_of(variant_name(rules, all[v])));
            Swapped here;
            for (int game = 0; game < games; ++game) {
                swap_worlds(machine, random, static_cast<int>(random.below(3)), all_players, game == 0 && v == 0 ? path.string() : "",
                            here);
                swap_worlds(machine, random, static_cast<int>(3 + random.below(6)), all_players, "", here);
            }
            if (all_players) WARN(variant_name(rules, all[v]) << ": " << text_of(here));
            found.positions += here.positions;
            found.with_all += here.with_all;
            found.others += here.others;
            found.known += here.known;
            found.unknown += here.unknown;
            found.watched += here.watched;
        }
    }
    WARN(text_of(found));
    return found;
}

}  // namespace

TEST_CASE("with other cards where a seat does not look its frames are the same bytes", "[serve]") {
    const Swapped found = swap_everywhere(1, false);
    CHECK(found.positions > 60);
    CHECK(found.others > 200);
}

TEST_CASE("in 20 games for every number of players other hidden cards change no byte of a seat's frames", "[.long][serve]") {
    const Swapped found = swap_everywhere(20, true);
    CHECK(found.with_all * 10 > found.positions * 9);
}
