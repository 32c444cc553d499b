// What is said is true, however little time or work there is: at moments of random games of all files, where somebody is asked and between
// two lines. What is so is possible, card by card and as a claim about a whole place; where trying everything ends, what is decided and
// counted is what that says.
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/naive/deduce.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/unit/solver/contents.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

constexpr std::uint64_t tried_nodes = 2'000;
constexpr std::size_t claimed_cards = 12;  // of a place, at most

// How much there may be of what ends a deduction.
struct Budget {
    std::string name;
    DeductionLimits limits;
};

Budget in_ms(int ms) {
    Budget b{fmt::format("{} ms", ms), {}};
    b.limits.time = std::chrono::milliseconds(ms);
    b.limits.work = no_work_limit;
    return b;
}

Budget by_work(std::uint64_t work) {
    Budget b{fmt::format("work {}", work), {}};
    b.limits.time = std::chrono::milliseconds(500);  // following is bounded by time alone
    b.limits.work = work;
    return b;
}

struct Truths {
    int positions = 0;
    int between = 0;  // of those, between two lines
    int known = 0;    // of those, something was found out
    int claims = 0;   // that were not left open
    int tried = 0;    // positions compared with trying everything
    int decided = 0;  // values compared with it
};

// `P2's hand is {[a], [b]}`: of a place that the seat does not see.
std::string claim_of(const Game& game, const Contents& truth, const std::vector<PlaceId>& places, Random& random) {
    std::vector<std::string> claims;
    for (const PlaceId p : places) {
        std::vector<KindId> kinds = at(truth, p);
        if (kinds.empty() || kinds.size() > claimed_cards) continue;
        kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
        std::vector<std::string> names;
        names.reserve(kinds.size());
        for (const KindId k : kinds) names.push_back("[" + kind_text(game, k) + "]");
        claims.push_back(fmt::format("kinds of {} is {{{}}}", place_name(game, p), fmt::join(names, ", ")));
    }
    return claims.empty() ? "" : claims[random.below(claims.size())];
}

std::vector<PlaceId> hidden_places(const Game& game, int seat) {
    std::vector<PlaceId> places;
    for (const houserule::Zone& zone : game.zones)
        for (std::int32_t i = 0; i < zone.places; ++i)
            if (!houserule::seen_by(zone.seers, zone.by, i, seat)) places.push_back(zone.first_place + i);
    return places;
}

// A game with a claim that is so.
struct Claimed {
    MachinePtr machine;
    ClaimedGame::Claim claim;
};
std::optional<Claimed> with_claim(const Rules& rules, int players, const std::string& claim) {
    if (claim.empty()) return std::nullopt;
    Diagnostics found;
    const Sources sources{Source("claim", claim)};
    const Syntax syntax = parse_expression(sources, 0, found);
    if (has_errors(found)) return std::nullopt;
    ClaimedGame claimed = check_claims(rules.syntax, players, {}, {syntax}, found);
    if (has_errors(found)) return std::nullopt;
    const ClaimedGame::Claim only = claimed.claims.front();
    return Claimed{compile(std::move(claimed.game)), only};
}

struct Moment {
    const Rules& rules;
    int players;
    View view;
    Told told = Told::up_to_question;
    std::vector<Contents> truths{};       // one of which it was when the seat had noticed what it had
    const TableView* run = nullptr;       // which waits there; of a view up to a question
    const Deduced* everything = nullptr;  // tried, and complete
};

void look_at_claim(const Moment& p, const Game& game, const Budget& budget, Random& random, Truths& all) {
    const std::string text = claim_of(game, p.truths.front(), hidden_places(game, p.view.seat), random);
    const auto claimed = with_claim(p.rules, p.players, text);
    if (!claimed) return;
    INFO("claim: " << text);
    Deduction deduction(claimed->machine, p.view.seat, budget.limits);
    REQUIRE(deduction.see(p.view.events, p.told) != Fit::impossible);
    if (deduction.fit() == Fit::unknown) return;
    const WhyNot holds = deduction.why_not(claimed->claim.holds);
    CHECK(holds.answer != Answer::no);
    if (const auto share = deduction.share_of(claimed->claim.holds)) CHECK(*share > 0);
    all.claims += holds.answer == Answer::yes ? 1 : 0;
}

// What was decided and counted, against trying everything.
void compare(const Moment& p, const Game& game, const Knowledge& known, Truths& all) {
    ++all.tried;
    if (known.method == Method::exact) {
        CHECK(known.weight == p.everything->all.weight);
        if (known.histories) CHECK(*known.histories == p.everything->all.histories);
    }
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;
        for (const Possibility& value : thing.values) {
            INFO(place_name(game, thing.place) << ": " << kind_text(game, value.value));
            bool can_be = false;
            bool must_be = true;
            for (const auto& [copies, share] : copies_at(*p.everything, thing.place, value.value)) {
                (copies > 0 ? can_be : must_be) = copies > 0;
                if (known.method == Method::exact) CHECK((copies < value.weights.size() && value.weights[copies] == share.sum.weight));
            }
            if (value.is_decided()) CHECK((value.possible == Answer::yes) == can_be);
            if (value.certain != Answer::unknown) CHECK((value.certain == Answer::yes) == must_be);
            all.decided += value.is_decided() ? 1 : 0;
        }
    }
}

void look(const MachinePtr& machine, const Moment& p, const Budget& budget, Random& random, Truths& all) {
    ++all.positions;
    all.between += p.told == Told::so_far ? 1 : 0;
    INFO(budget.name << '\n' << view_text(*machine, p.view.head, p.view.events, p.view.seat));
    Deduction deduction(machine, p.view.seat, budget.limits);
    REQUIRE(deduction.see(p.view.events, p.told) != Fit::impossible);
    if (deduction.fit() == Fit::unknown) {
        CHECK(deduction.limit().hit());
        return;
    }
    ++all.known;
    const Knowledge& known = deduction.knowledge();
    REQUIRE(deduction.fit() != Fit::impossible);
    std::vector<std::string> wrong;  // by what may be so: what is right of one is enough
    for (const Contents& truth : p.truths) wrong.push_back(wrong_of_cards(machine->game, known, truth));
    CAPTURE(wrong);
    CHECK(std::count(wrong.begin(), wrong.end(), "") > 0);
    if (p.run != nullptr)
        for (const HiddenThing& thing : known.things)
            for (const Possibility& v : thing.values)
                if (thing.is_fact && p.run->fact(thing.fact, thing.index) == v.value) CHECK(v.possible != Answer::no);
    if (p.everything != nullptr) compare(p, machine->game, known, all);
    if (p.truths.size() == 1) look_at_claim(p, machine->game, budget, random, all);
}

// A random game, left after so many answers.
struct Played {
    const Rules& rules;
    int players;
    MachinePtr machine;
    std::uint64_t seed;
    std::uint64_t answers;
};

// Where somebody is asked.
void look_at_node(const Played& game, const std::vector<Budget>& budgets, Random& random, Truths& all) {
    const MachinePtr& machine = game.machine;
    const auto run = make_run(machine);
    const Events events = played_at_random(*run, game.seed, game.answers);
    const int seat = static_cast<int>(random.below(static_cast<std::uint64_t>(game.players)));
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, seat);
    if (is_unseen_lot(*run, seat)) return;  // nobody waits for that
    Moment p{game.rules, game.players, view, Told::up_to_question, {contents_of(*run)}, run.get()};
    Following following;
    for (const Event& e : events) following.add(e);
    for (PlaceId place = 1; place < machine->game.places; ++place) REQUIRE(at(following.contents(), place) == at(p.truths.front(), place));
    Deduced everything;
    const bool acts = std::any_of(machine->code.begin(), machine->code.end(), [](const Step& s) { return s.op == Op::window; });
    if (!acts) {
        everything = deduce(*make_run(machine), p.view, Cut::last_seen, tried_nodes);
        if (everything.complete) p.everything = &everything;
    }
    for (const Budget& b : budgets) look(machine, p, b, random, all);
}

// After so many events: what is so is any of what it was from the last line that the seat noticed to the next.
void look_between(const Played& game, std::size_t happened, int seat, const std::vector<Budget>& budgets, Random& random, Truths& all) {
    const Events events = played_at_random(*make_run(game.machine), game.seed, game.answers);
    const auto told = [&](std::size_t n) {
        const Events some(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(n));
        return view_of(*game.machine, head_of(*game.machine, std::nullopt), some, seat);
    };
    Moment p{game.rules, game.players, told(happened), Told::so_far, {}};
    Following following;
    for (std::size_t n = 0; n <= events.size(); ++n) {
        const std::size_t noticed_so_far = told(n).events.size();
        if (noticed_so_far == p.view.events.size() && (p.truths.empty() || p.truths.back() != following.contents()))
            p.truths.push_back(following.contents());
        if (noticed_so_far > p.view.events.size()) break;
        if (n < events.size()) following.add(events[n]);
    }
    for (const Budget& b : budgets) look(game.machine, p, b, random, all);
}

// In a random game of the file for so many players: twice so many moments.
void look_at_game(const Rules& rules, int players, std::uint64_t seed, int moments, const std::vector<Budget>& budgets, Truths& all) {
    const MachinePtr machine = machine_of(rules, {players, {}});
    const auto run = make_run(machine);
    std::uint64_t answers = 0;
    Random random(seed);
    run->start();
    for (; run->advance().kind != NodeKind::over && run->node().kind != NodeKind::failed; ++answers) run->apply(random_move(*run, random));
    for (int m = 0; m < moments; ++m) {
        const Played game{rules, players, machine, seed, random.below(answers + 1)};
        INFO(rules.name << ", " << players << " players, seed " << seed << ", " << game.answers << " answers");
        look_at_node(game, budgets, random, all);
        const std::size_t events = played_at_random(*run, seed, game.answers).size();
        const int seat = static_cast<int>(random.below(static_cast<std::uint64_t>(players)));
        look_between(game, random.below(events + 1), seat, budgets, random, all);
    }
    random_samples();
}

std::vector<std::filesystem::path> every_file() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"games", "tests/naive", "tests/strangers"})
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HOUSERULE_ROOT) / folder))
            if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

// Cards that all lay at once: each line of it tells of cards that have left a hand by now.
TEST_CASE("truth: between the lines of what happens at once, things lie where they have come to", "[deduction][truth]") {
    const auto game = [](const std::string& taken, const std::string& all_go) {
        return parse_rules("rules", {R"(game g
players 3 in a circle, clockwise
cards card { rank 1..9 1 of each }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
zone played of player set of card seen by all
)" + taken + R"(
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { repeat 2 times { simultaneously each p { p must choose c from p's hand   put c in p's played }   )" +
                                     all_go + R"( } }
winner = players where it is P1, then shared
)"});
    };
    const std::vector<Rules> games{
        game("", "simultaneously each p: put p's played in p's left's hand"),
        game("zone taken of player set of card seen by owner", "put every played in P2's taken"),
    };
    for (const Rules& rules : games) {
        Truths all;
        const MachinePtr machine = machine_of(rules, {3, {}});
        const std::size_t events = played_at_random(*make_run(machine), 1, 100).size();
        Random random(1);
        for (std::size_t told = 0; told <= events; ++told)
            for (int seat = 0; seat < 3; ++seat) look_between({rules, 3, machine, 1, 100}, told, seat, {by_work(1'000'000)}, random, all);
        CHECK(all.known == all.positions);
        CHECK(all.claims > 10);
    }
}

TEST_CASE("truth: at work and time cut short, what is said is true in every file's games", "[deduction][truth]") {
    Truths all;
    std::uint64_t seed = 1;
    for (const auto& file : every_file()) {
        const Rules rules = read_rules(file);
        const PlayerRange range = player_range(rules.syntax);
        const int players = range.low + static_cast<int>(seed % static_cast<std::uint64_t>(range.high - range.low + 1));
        look_at_game(rules, players, ++seed, 1, {in_ms(50), by_work(20'000)}, all);
    }
    CAPTURE(all.positions, all.between, all.known, all.claims, all.tried, all.decided);
    CHECK(all.positions > 200);
    CHECK(all.known * 2 > all.positions);
    CHECK(all.claims > 30);
    CHECK(all.tried > 30);
    CHECK(all.decided > 300);
}

TEST_CASE("truth: with little time and with much, at more moments, with a report", "[.long][deduction]") {
    for (const auto& file : every_file()) {
        const Rules rules = read_rules(file);
        const PlayerRange range = player_range(rules.syntax);
        for (int players = range.low; players <= range.high; ++players) {
            Truths all;
            look_at_game(rules, players, Catch::rngSeed() + static_cast<std::uint64_t>(players), 2,
                         {in_ms(50), in_ms(500), in_ms(5'000), by_work(10 * work_a_second)}, all);
            fmt::print("{:<24} {} players: {:>3} positions, {:>3} known, {:>3} claims, {:>2} tried, {:>5} values\n", rules.name, players,
                       all.positions, all.known, all.claims, all.tried, all.decided);
            std::fflush(stdout);
        }
    }
}
