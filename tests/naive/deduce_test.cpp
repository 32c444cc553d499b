// The oracle of deduction against what is known, and what can be counted by hand.
#include "tests/naive/deduce.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <tuple>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

MachinePtr tiny(const std::string& name, const Settings& settings = {}) {
    const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive" / (name + ".rules"));
    return machine_of(rules, {player_range(rules.syntax).low, settings});
}

// A game for two; `rest` declares what is played.
MachinePtr for_two(const std::string& rest) {
    return machine_of(parse_rules("two.rules", {"game two\nplayers 2 in a circle, clockwise\nzone deck stack of card seen by nobody\nzone "
                                                "hand of player set of card seen by owner\n" +
                                                rest + "\nwinner = players with most size of its hand, then shared\n"}),
                      {2, {}});
}

View view_from(const Machine& machine, int seat, const std::string& lines) {
    Sources sources;
    sources.emplace_back("a.log", fmt::format("houserule log 1\ngame {}\nplayers {}\nview P{}\n{}", machine.game.name, machine.game.players,
                                              seat + 1, lines));
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    REQUIRE(head);
    auto view = read_view(sources, 0, *head, machine, diagnostics);
    INFO(render(diagnostics, sources, {}));
    REQUIRE(view);
    return *view;
}

Deduced deduced(const MachinePtr& machine, int seat, const std::string& lines, Cut cut = Cut::last_seen) {
    return deduce(*make_run(machine), view_from(*machine, seat, lines), cut);
}

PlaceId place(const Machine& machine, const std::string& name) {
    for (PlaceId p = 1; p < machine.game.places; ++p)
        if (place_name(machine.game, p) == name) return p;
    FAIL("there is no place " << name);
    return no_id;
}
KindId kind(const Machine& machine, const std::string& name) {
    for (KindId k = 0; k < KindId(machine.game.kinds.size()); ++k)
        if (kind_text(machine.game, k) == name) return k;
    FAIL("there is no kind " << name);
    return no_id;
}

// Every decision node of a game without acts at any time: what its seat had seen there, and how many histories led to it.
struct InformationSets {
    std::vector<View> views;
    std::map<std::string, std::pair<std::size_t, std::uint64_t>> histories;  // by step and view

    explicit InformationSets(Run& run) {
        run.start();
        run.record(&events_);
        below(run);
        run.record(nullptr);
    }

private:
    void below(Run& run) {
        const Node node = run.advance();
        const Machine& machine = run.machine();
        REQUIRE(node.kind != NodeKind::failed);
        REQUIRE(node.kind != NodeKind::window);
        if (node.seat >= 0) {
            const LogHead head = head_of(machine, std::nullopt);
            const auto [at, fresh] = histories.try_emplace(
                fmt::format("{}\n{}", node.step.value(), view_text(machine, head, events_, node.seat)), views.size(), 0);
            if (fresh) views.push_back(view_of(machine, head, events_, node.seat));
            ++at->second.second;
        }
        const auto here = run.state();
        const std::vector<std::byte> state(here.begin(), here.end());
        const std::size_t happened = events_.size();
        for (std::uint64_t move = 0; node.kind != NodeKind::over && move < node.moves; ++move) {
            run.set_state(state);
            events_.resize(happened);
            run.advance();
            run.apply(move);
            below(run);
        }
    }
    Events events_;
};

}  // namespace

TEST_CASE("Kuhn and Leduc: what a player can think of are the histories of the information set", "[naive]") {
    for (const auto& [name, expected] : {std::pair{"kuhn", std::map<std::uint64_t, std::uint64_t>{{2, 12}}},
                                         std::pair{"leduc", std::map<std::uint64_t, std::uint64_t>{{4, 900}, {5, 36}}}}) {
        INFO(name);
        const auto machine = machine_of(read_rules(rules_file(name)), {2, {}});
        const auto run = make_run(machine);
        const InformationSets sets(*run);
        std::map<std::uint64_t, std::uint64_t> histogram;
        for (const auto& [text, set] : sets.histories) {
            INFO(text);
            const Deduced found = deduce(*run, sets.views[set.first]);
            CHECK(found.complete);
            CHECK(found.broken == 0);
            CHECK(found.all.histories == set.second);
            CHECK(found.worlds.size() == set.second);  // each is another card in the other hand
            ++histogram[set.second];
        }
        CHECK(histogram == expected);
    }
}

TEST_CASE("what all views of one moment weigh is 1", "[naive]") {
    const auto machine = machine_of(read_rules(rules_file("kuhn")), {3, {}});
    Weight total = 0;
    for (int rank = 1; rank <= 4; ++rank) {
        const Deduced found =
            deduced(machine, 1, fmt::format("deal deck -> P1's hand: ?\ndeal deck -> P2's hand: {}\ndeal deck -> P3's hand: ?\n", rank));
        CHECK(found.all.histories == 6);
        CHECK(found.all.weight == Weight(1, 4));
        total += found.all.weight;
    }
    CHECK(total == 1);
}

TEST_CASE("equal copies are different cards in histories and the same in worlds", "[naive]") {
    const auto machine = for_two(
        "cards card { rank 1..2   2 of each }\nsetup { put all cards on deck, shuffled   deal 1 from deck to every hand }\nplay { P1 must "
        "name n from 0..1 }");
    const Deduced found = deduced(machine, 0, "deal deck -> P1's hand: 1\ndeal deck -> P2's hand: ?\n");
    CHECK(found.all.histories == 6);
    CHECK(found.all.weight == Weight(1, 2));
    REQUIRE(found.worlds.size() == 2);
    const auto shares = copies_at(found, place(*machine, "P2's hand"), kind(*machine, "2"));
    REQUIRE(shares.size() == 2);
    CHECK(shares.at(1).sum.histories == 4);
    CHECK(shares.at(1).sum.weight == Weight(1, 3));
    CHECK(shares.at(0).sum.weight == Weight(1, 6));
    CHECK(shares.at(0).worlds == 1);
    // Two copies of 2 are left in the deck, or one of each.
    CHECK(copies_at(found, place(*machine, "deck"), kind(*machine, "2")).at(2).sum.histories == 2);
    // What cannot have been seen has no history.
    CHECK(deduced(machine, 0, "deal deck -> P1's hand: 1\ndeal deck -> P1's hand: 2\n").all.histories == 0);
    CHECK(deduced(machine, 0, "deal deck -> P1's hand: 1\ndeal deck -> P2's hand: 1\n").worlds.empty());
    // At the beginning everything is open.
    const Deduced begun = deduced(machine, 0, "");
    CHECK(begun.all.histories == 1);
    CHECK(begun.all.weight == 1);
    CHECK(begun.worlds.size() == 1);
}

TEST_CASE("lots have their weights, what is decided and told weighs 1", "[naive]") {
    const auto machine = for_two(
        "cards card { rank 1..2   1 of each }\nfact dark 0..9 = 0 lasts game seen by nobody\nenum Fate { a, b }\n"
        "play { P2 must choose n from 1..2   chance picks x from Fate { a: n, b: 3 }   table tells y from Fate, when simulated { a: 1, b: "
        "5 }\n"
        "  dark becomes n   P1 must name m from 0..1 }");
    const Deduced found = deduced(machine, 0, "lot: x = a\ntable: y = b\n");
    CHECK(found.all.histories == 2);
    CHECK(found.all.weight == Weight(1, 4) + Weight(2, 5));
    CHECK(found.worlds.size() == 2);  // the hidden fact tells them apart
    CHECK(found.worlds.begin()->first.facts.begin()->second == std::vector<std::int32_t>{1});
}

// Of an a and two bs P2 is dealt two and keeps one of them. Six deals, each of 1/6, in two of which there are two bs: then nobody is
// asked, but it may be either card. A b is kept in 4 × 1 + 2 × 2 of the 12 histories. Under uniform play it is kept in half of the four
// deals with an a and in both others, 2/3; copies are one move. By deals it may be the a in four of six, and a b in all.
TEST_CASE("a choice among copies alone is made, too", "[naive]") {
    const auto machine = for_two(
        "cards card { rank 1..2   1 of a: 1   2 of b: 2 }\nzone kept set of card seen by nobody\n"
        "setup { put all cards on deck, shuffled   deal 2 from deck to P2's hand }\n"
        "play { P2 must choose c from P2's hand: put c in kept   P1 must name n from 0..1 }");
    const Deduced found = deduced(machine, 0, "deal deck -> P2's hand: ?, ?\nmove P2's hand -> kept: ?\n");
    CHECK(found.all.histories == 12);
    CHECK(found.all.weight == 2);
    CHECK(found.all.uniform == 1);
    const PlaceId kept = place(*machine, "kept");
    const auto shares = copies_at(found, kept, kind(*machine, "b"));
    CHECK(shares.at(1).sum.histories == 8);
    CHECK(shares.at(1).sum.weight == Weight(4, 3));
    CHECK(shares.at(1).sum.uniform == Weight(2, 3));
    CHECK(all_deals(found) == 1);
    CHECK(deals_with(found, kept, kind(*machine, "a")) == Weight(2, 3));
    CHECK(deals_with(found, kept, kind(*machine, "b")) == 1);
}

// Of two bs one was chosen beside the a: b is then the one that was.
TEST_CASE("copies are told apart among those that are offered", "[naive]") {
    const auto machine = for_two(
        "cards card { rank 1..2   1 of a: 1   2 of b: 2 }\nzone line row of card seen by all\n"
        "setup { put all cards on deck, shuffled   put all cards in line }\n"
        "play { P1 must choose 2 from line as s   P1 must name c from s   P2 must name n from 0..1 }");
    const Deduced found = deduced(machine, 0, "move deck -> line: a, b, b\nP1: s = a, b\nP1 names c = b\n");
    CHECK(found.all.histories == 2);
    CHECK(found.all.uniform == Weight(1, 4));
}

TEST_CASE("where histories are cut", "[naive]") {
    const std::string cards =
        "cards card { rank 1..3   1 of each }\nsetup { put all cards on deck, shuffled   deal 1 from deck to every hand }\n";
    const std::string lines = "deal deck -> P1's hand: 1\ndeal deck -> P2's hand: ?\n";
    const auto histories = [&](const std::string& play, Cut cut) {
        return deduced(for_two(cards + "play { " + play + " }"), 0, lines, cut).all.histories;
    };
    // P2 has chosen three times in secret by the time P1 is asked.
    CHECK(histories("P2 must choose n from 1..3   P1 must name m from 0..1", Cut::last_seen) == 2);
    CHECK(histories("P2 must choose n from 1..3   P1 must name m from 0..1", Cut::next_noticed) == 6);
    // The answer to the second question is heard of: histories end before it.
    CHECK(histories("P2 must choose n from 1..3   P2 must name m from 0..1", Cut::next_noticed) == 6);
    CHECK(histories("P2 must choose n from 1..3   P2 must choose m from 0..1   P2 says done", Cut::next_noticed) == 6);
    // One of two answers is: the game may have stopped here.
    CHECK(histories("P2 may shout: P2 says hey   P1 must name m from 0..1", Cut::next_noticed) == 2);
    // Nothing more is seen of the game: on to its end.
    CHECK(histories("P2 must choose n from 1..3   P2 may swap { let x = 1 }", Cut::next_noticed) == 12);
}

TEST_CASE("of what is chosen together each knows their own at first", "[naive]") {
    const std::string cards = "cards card { rank 1..2   1 of each }\n";
    const auto machine =
        for_two(cards + "play { simultaneously each p { p must name n from 1..2 }   P1 must choose m from 0..1   P1 says done }");
    const auto histories = [&](int seat, const std::string& lines) { return deduced(machine, seat, lines).all.histories; };
    CHECK(histories(0, "P1 names n = 1\n") == 1);
    CHECK(histories(1, "P2 names n = 2\n") == 0);  // all have chosen: P1 would have been heard
    CHECK(histories(1, "P1 names n = 1\nP2 names n = 2\nP1 says done\n") == 2);
    CHECK(histories(1, "P1 names n = 1\nP2 names n = 2\n") == 1);
    CHECK(histories(1, "P2 names n = 2\nP1 says done\n") == 0);
}

TEST_CASE("a world has the parts of a stack in their order", "[naive]") {
    const auto machine = for_two(
        "cards card { rank 1..4   1 of each }\nzone pile stack of card seen by nobody\n"
        "play { put all cards on deck, shuffled   deal 1 from deck to every hand   each p clockwise from P1: put p's hand on pile, in "
        "order   shuffle pile   deal 1 from deck to P1's hand\n"
        "  put P1's hand on pile, in order   P1 must name n from 0..1 }");
    const Deduced found =
        deduced(machine, 0,
                "deal deck -> P1's hand: 1\ndeal deck -> P2's hand: ?\nmove P1's hand -> pile: 1\nmove P2's hand -> pile: ?\nshuffle pile\n"
                "deal deck -> P1's hand: 2\nmove P1's hand -> pile: 2\n");
    CHECK(found.all.histories == 2);
    REQUIRE(found.worlds.size() == 2);
    const PlaceId pile = place(*machine, "pile");
    const auto k = [&](const char* name) { return kind(*machine, name); };
    std::set<std::vector<std::vector<KindId>>> piles;
    for (const auto& [world, sum] : found.worlds) {
        piles.insert(world.places.at(pile));
        CHECK_FALSE(world.places.contains(place(*machine, "P1's hand")));
    }
    CHECK(piles == std::set<std::vector<std::vector<KindId>>>{{{k("1"), k("3")}, {k("2")}}, {{k("1"), k("4")}, {k("2")}}});
}

TEST_CASE("tiny Cogito, counted by hand", "[naive]") {
    const auto machine = tiny("tiny_cogito");
    const std::string dealt =
        "deal selves -> P1's me: ?\ndeal selves -> P2's me: ego\nmove selves -> pile: ?, ?, ?\ndeal pile -> P1's hand: flower, dream\ndeal "
        "pile -> P2's hand: ?, ?\n";
    // Four selves for P1; of the three others and the beast, two for P2, one after the other.
    const Deduced found = deduced(machine, 0, dealt);
    CHECK(found.all.histories == 4 * 4 * 3);
    CHECK(found.all.weight == Weight(48, 5 * 4 * 6 * 5 * 4 * 3));
    CHECK(found.worlds.size() == 4 * 6);
    const PlaceId me = place(*machine, "P1's me");
    const auto rose = copies_at(found, me, kind(*machine, "rose"));
    CHECK(rose.at(1).worlds == 6);
    CHECK(rose.at(1).sum.weight * 4 == found.all.weight);
    CHECK(copies_at(found, me, kind(*machine, "ego")).size() == 1);
    CHECK(copies_at(found, place(*machine, "P2's hand"), kind(*machine, "beast")).at(1).sum.weight * 2 == found.all.weight);
    // A flower that turns red is a casablanca or a rose; one that stays blue is a wolf or a cat.
    const std::string played = dealt + "table: starter = P1\nstarter = P1\nP1: c = flower\n";
    for (const auto& [side, one, other] : {std::tuple{"red", "casablanca", "rose"}, std::tuple{"blue", "wolf", "cat"}}) {
        const Deduced after = deduced(machine, 0, played + fmt::format("move P1's hand -> P1's {}: flower\n", side));
        CHECK(after.all.histories == 24);
        CHECK(after.all.weight * 2 == found.all.weight);
        for (const char* being : {one, other}) CHECK(copies_at(after, me, kind(*machine, being)).at(1).sum.weight * 2 == after.all.weight);
    }
}

TEST_CASE("tiny games: what is the case is always possible", "[naive]") {
    // The more has been seen of Jiji, the more ways there are in which it can have come about.
    for (const auto& [name, most] : {std::pair{"tiny_cogito", 24}, std::pair{"tiny_jiji", 12}}) {
        const auto machine = tiny(name);
        const auto run = make_run(machine);
        const auto oracle = make_run(machine);
        const LogHead head = head_of(*machine, std::nullopt);
        std::uint64_t compared = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const int seat = static_cast<int>(seed) % machine->game.players;
            Random random(seed);
            const std::uint64_t enough = 4 + random.below(static_cast<std::uint64_t>(most));  // events seen
            Events events;
            run->record(&events);
            run->start();
            std::size_t before = 0;
            for (Node node = run->advance();; node = run->advance()) {
                REQUIRE(node.kind != NodeKind::failed);
                const View view = view_of(*machine, head, events, seat);
                if (view.events.size() > before && (view.events.size() >= enough || node.kind == NodeKind::over)) {
                    INFO(name << ", seed " << seed << "\n" << view_text(*machine, head, events, seat));
                    const Deduced found = deduce(*oracle, view);
                    REQUIRE(found.complete);
                    CHECK(found.broken == 0);
                    CHECK(found.worlds.contains(world_of(*run, seat)));
                    Sum sum;
                    for (const auto& [world, part] : found.worlds) {
                        CHECK(part.weight > 0);
                        sum.histories += part.histories;
                        sum.weight += part.weight;
                    }
                    CHECK(sum.histories == found.all.histories);
                    CHECK(sum.weight == found.all.weight);
                    ++compared;
                    testing::random_samples();
                    break;
                }
                if (node.kind == NodeKind::over) break;
                before = view.events.size();
                run->apply(random_move(*run, random));
            }
        }
        CHECK(compared >= 8);
    }
}

TEST_CASE("the oracle says when it gave up", "[naive]") {
    const auto machine = tiny("tiny_cogito");
    const View view = view_from(*machine, 0, "deal selves -> P1's me: ?\n");
    const auto run = make_run(machine);
    const Deduced whole = deduce(*run, view);
    CHECK(whole.complete);
    CHECK(whole.all.histories == 5);
    CHECK(deduce(*run, view, Cut::last_seen, whole.nodes).complete);
    const Deduced part = deduce(*run, view, Cut::last_seen, whole.nodes - 1);
    CHECK_FALSE(part.complete);
    CHECK(part.nodes == whole.nodes - 1);
    CHECK(part.all.histories < whole.all.histories);
}

TEST_CASE("tiny games play to their ends", "[naive]") {
    for (const char* name : {"tiny_cogito", "tiny_jiji"}) {
        const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive" / (std::string(name) + ".rules"));
        CHECK(rules.diagnostics.empty());
        for (const Variant& variant : variants(rules.syntax)) {
            INFO(variant_name(rules, variant));
            const auto machine = machine_of(rules, variant);
            const auto run = make_run(machine);
            Random random(seed_of(name));
            for (int i = 0; i < 100; ++i) {
                run->start();
                const bool over = play_through(*run, random);
                INFO(failure_text(*run));
                REQUIRE((over || as_printed(*machine)));
            }
        }
    }
}
