// Players: what they are asked and told, and that one who deduces plays by what it can know.
#include "interpreter/players/player.hpp"
#include "interpreter/compiled/compiler.hpp"
#include "interpreter/log/view.hpp"
#include "solver/players/advice.hpp"
#include "solver/players/deducing_player.hpp"
#include "solver/players/moves.hpp"
#include "solver/players/rollouts.hpp"
#include "solver/players/score_aim.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

// Plays one game with the player at `seat`, the others at random, after the same chance each time. What happened.
Events played(const MachinePtr& machine, int seat, Player& player, std::uint64_t seed) {
    const auto run = make_run(machine);
    Events events;
    run->record(&events);
    run->start();
    Random random(seed);
    const auto others = make_random_player(machine, random);
    std::vector<Player*> players(static_cast<std::size_t>(machine->game.players), others.get());
    players[seat] = &player;
    Tally tally;
    play_with(*run, players, random, events, tally);
    testing::random_samples();
    return events;
}

PlayerLimits quick() {
    PlayerLimits limits;
    limits.histories = 24;
    limits.think_ms = 3;
    return limits;
}

PlayerLimits few() {
    PlayerLimits limits;
    limits.histories = 16;
    limits.nodes = 4'000;
    return limits;
}

// Asks a player, and of what it names aloud holds that no other name would have been better in all that could be.
class Watched : public Player {
public:
    Watched(MachinePtr machine, int seat, std::uint64_t seed)
        : machine_(std::move(machine)), seat_(seat), random_(seed), player_(machine_, seat, seed, quick()) {}

    void start() override {
        player_.start();
        deduction_ = std::make_unique<Deduction>(machine_, seat_);
    }
    std::uint64_t answer(const Question& q, const Events& noticed) override {
        const Fit fit = deduction_->see(noticed);
        const std::uint64_t move = player_.answer(q, noticed);
        const Step& step = machine_->code[q.step()];
        if (fit == Fit::fits && q.kind() == NodeKind::choose && (step.mode & choice_aloud) != 0) look_at(q.meaning(move).values);
        return move;
    }
    int named = 0;

private:
    static bool brings(const MoveAdvice& m) { return m.won > 0 || (m.points && *m.points > 0); }
    void look_at(const std::vector<std::int32_t>& values) {
        const auto advice = advise(*deduction_, random_);
        if (!advice || !std::ranges::all_of(advice->moves, &MoveAdvice::exact)) return;
        bool some = false;
        bool own = false;
        for (const MoveAdvice& m : advice->moves) {
            some = some || brings(m);
            if (!m.own.empty() && m.own.back().values == values) own = brings(m);
        }
        if (!some) return;
        ++named;
        INFO(fmt::format("{}: P{} names {}", machine_->game.name, seat_ + 1, fmt::join(values, ", ")));
        CHECK(own);
    }

    MachinePtr machine_;
    int seat_;
    Random random_;
    DeducingPlayer player_;
    std::unique_ptr<Deduction> deduction_;
};

// A prompt: a decision of a person, with the calls that were open to that person since the person or anybody noticed anything.
struct PromptFound {
    int seat = -1;
    Events events;
    std::vector<std::vector<std::int32_t>> moves;  // the answers of the decision
    std::set<ActId> calls;
};

// One of the prompts of a random game, each as likely; nothing if the game has none.
std::optional<PromptFound> prompt_of(const MachinePtr& machine, std::uint64_t seed) {
    const auto run = make_run(machine);
    Random random(seed);
    Random pick(seed * 31 + 7);
    Events events;
    run->record(&events);
    run->start();
    std::optional<PromptFound> found;
    std::vector<std::set<ActId>> calls(static_cast<std::size_t>(machine->game.players));
    std::size_t known = 0;
    for (std::uint64_t prompts = 0;;) {
        const Node node = run->advance();
        for (; known < settled(events); ++known)
            for (int p = 0; p < machine->game.players; ++p)
                if (events[known].kind != EventKind::begins && (events[known].audience >> p & 1) != 0) calls[p].clear();
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) return found;
        if (node.kind == NodeKind::window)
            for (int p = 0; p < machine->game.players; ++p)
                if (asks(node, p)) calls[p].insert(machine->code[node.step].a);
        const bool decides = node.kind == NodeKind::choose || node.kind == NodeKind::ask || node.kind == NodeKind::consent;
        if (decides && pick.below(++prompts) == 0) {
            found = PromptFound{node.seat, events, {}, calls[node.seat]};
            for (std::uint64_t m = 0; m < node.moves; ++m)
                found->moves.push_back(node.kind == NodeKind::choose ? run->meaning(m).values
                                                                     : std::vector<std::int32_t>{static_cast<std::int32_t>(m)});
        }
        run->apply(random_move(*run, random));
    }
}

std::vector<std::int32_t> answer_in(const Event& e) {
    if (e.kind == EventKind::choice && e.optional_no) return {0};
    return e.values.empty() ? std::vector<std::int32_t>{e.value} : e.values;
}

// Whether the advice has all that the prompt offers; nothing where what was seen cannot be followed.
std::optional<bool> has_all(const MachinePtr& machine, const PromptFound& prompt) {
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds::max();
    limits.work = 4'000'000;
    Deduction deduction(machine, prompt.seat, limits);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), prompt.events, prompt.seat);
    INFO(view_text(*machine, view.head, prompt.events, prompt.seat));
    if (deduction.see(view.events) != Fit::fits) {
        CHECK(deduction.fit() == Fit::unknown);
        return std::nullopt;
    }
    Random random(1);
    const auto advice = advise(deduction, random);
    CHECK(advice.has_value());
    if (!advice) return false;
    // Sets of which there are very many are typed, not picked from a list: then those of what is likely are weighed.
    const bool is_list = prompt.moves.size() <= AdviceLimits{}.moves;
    CHECK((is_list || !advice->all_moves));
    std::set<ActId> calls;
    std::vector<std::vector<std::int32_t>> answers;
    for (const MoveAdvice& m : advice->moves) {
        if (m.own.empty()) continue;
        const Event& first = m.own.front();
        if (first.kind == EventKind::acts)
            calls.insert(ActId(first.name));
        else
            answers.push_back(answer_in(first));
    }
    bool all = calls == prompt.calls;
    CHECK(calls == prompt.calls);
    if (!is_list) return all && !answers.empty();
    for (std::vector<std::int32_t> move : prompt.moves) {
        std::sort(move.begin(), move.end());
        const bool there = std::any_of(answers.begin(), answers.end(), [&](std::vector<std::int32_t> a) {
            std::sort(a.begin(), a.end());
            return a == move;
        });
        INFO(fmt::format("move {}", fmt::join(move, ", ")));
        CHECK(there);
        all = all && there;
    }
    return all;
}

// At so many prompts of games where calls, simultaneous choices, sets and bets are asked for.
void advise_at_prompts(std::uint64_t each) {
    struct Game {
        const char* name;
        int players;
    };
    int beside_calls = 0;
    int prompts = 0;
    int complete = 0;
    int not_followed = 0;
    for (const Game& g : {Game{"cogito", 3}, Game{"jiji", 3}, Game{"hearts", 4}, Game{"kuhn", 2}}) {
        const MachinePtr machine = machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        for (std::uint64_t seed = 1; seed <= each; ++seed) {
            const auto prompt = prompt_of(machine, seed);
            if (!prompt) continue;
            INFO(fmt::format("{}, seed {}, P{}", g.name, seed, prompt->seat + 1));
            const auto all = has_all(machine, *prompt);
            ++prompts;
            beside_calls += all && !prompt->calls.empty() ? 1 : 0;
            complete += all == true ? 1 : 0;
            not_followed += all ? 0 : 1;
            testing::random_samples();
        }
    }
    INFO(prompts << " prompts, " << beside_calls << " beside calls, " << complete << " complete, " << not_followed << " not followed");
    CHECK(complete + not_followed == prompts);
    CHECK(beside_calls > 0);
    CHECK(not_followed * 5 <= prompts);
}

struct Both {
    std::string name;
    MachinePtr machine;
    std::shared_ptr<const CompiledGame> game;
};

std::vector<Both> compiled_games(const std::vector<std::pair<std::string, int>>& named) {
    std::vector<Both> all;
    std::vector<MachinePtr> machines;
    for (const auto& [name, players] : named) {
        const auto file = std::filesystem::path(HOUSERULE_ROOT) / (name + ".rules");
        machines.push_back(machine_of(read_rules(file), {players, {}}));
        all.push_back({name, machines.back(), nullptr});
    }
    CompilerSetting setting;
    setting.command = {HOUSERULE_COMPILER};
    setting.flags = {"-O0"};
    setting.limit_s = 600;
    const Compiled compiled = compile(emit(machines), setting, nullptr);
    INFO(compiled.detail);
    REQUIRE(compiled.games.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i].game = compiled.games[i];
    return all;
}

// Plays on from nodes of one game, and from after its answers, with both.
void compare_rollouts(const Both& both, std::uint64_t seed, Rollouts& plain, Rollouts& quicker) {
    const auto run = make_run(both.machine);
    const auto on = make_run(both.machine);
    Random random(seed);
    std::uint64_t nodes = 0;
    std::uint64_t quick_nodes = 0;
    const auto compare = [&] {
        const std::uint64_t chances = random.next();
        Random chance(chances);
        Random quick_chance(chances);
        on->set_state(run->state());
        const Result result = plain.to_the_end(*on, chance, nodes);
        on->set_state(run->state());
        const Result quick_result = quicker.to_the_end(*on, quick_chance, quick_nodes);
        CHECK(result.first == quick_result.first);
        CHECK(result.second == quick_result.second);
        CHECK(nodes == quick_nodes);
        CHECK(chance.next() == quick_chance.next());
    };
    run->start();
    for (int n = 0; n < 200; ++n) {
        const Node node = run->advance();
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
        const bool chance = is_chance(node.kind);
        if (!chance && n % 5 == 0) compare();
        run->apply(random_move(*run, random));
        if (!chance && n % 7 == 0) compare();
    }
}

}  // namespace

TEST_CASE("advice: every move that is offered at a prompt, beside the calls that are open there", "[player]") { advise_at_prompts(3); }

TEST_CASE("advice: every move that is offered, at 200 prompts", "[.long][player]") { advise_at_prompts(50); }

TEST_CASE("players: random players play as the run does", "[player]") {
    const MachinePtr machine = machine_of(read_rules(rules_file("kuhn")), {2, {}});
    const auto run = make_run(machine);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random first(seed);
        const auto player = make_random_player(machine, first);
        Events events;
        run->record(&events);
        run->start();
        Tally tally;
        play_with(*run, {player.get(), player.get()}, first, events, tally);
        Random second(seed);
        Events same;
        run->record(&same);
        run->start();
        Tally other;
        play_random(*run, second, other);
        testing::random_samples();
        CHECK(events == same);
        CHECK(tally.decisions == other.decisions);
    }
}

TEST_CASE("players: the same seed gives the same game", "[player]") {
    const MachinePtr machine = machine_of(read_rules(rules_file("leduc")), {2, {}});
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        DeducingPlayer a(machine, 1, seed, quick());
        DeducingPlayer b(machine, 1, seed, quick());
        CHECK(played(machine, 1, a, seed) == played(machine, 1, b, seed));
    }
}

TEST_CASE("players: on a busy machine the same moves are made: work ends what is deduced, and no clock", "[player]") {
    CHECK(PlayerLimits{}.deduction.time >= std::chrono::hours(1));
    CHECK(quick().deduction.time >= std::chrono::hours(1));
    CHECK(PlayerLimits{}.deduction.work == work_a_second);
}

TEST_CASE("players: what is known to be wrong is not said aloud", "[player]") {
    struct Game {
        const char* name;
        int players;
        std::uint64_t games;
    };
    int named = 0;
    for (const Game& g : {Game{"cogito", 2, 6}, Game{"cogito", 3, 3}, Game{"jiji", 3, 3}}) {
        const MachinePtr machine = machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        for (std::uint64_t seed = 1; seed <= g.games; ++seed) {
            Watched watched(machine, 0, seed);
            played(machine, 0, watched, seed);
            named += watched.named;
        }
    }
    CHECK(named > 0);
}

TEST_CASE("players: who deduces wins more often than who plays at random", "[player]") {
    const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive/tiny_cogito.rules");
    const MachinePtr machine = machine_of(rules, {2, {}});
    int wins[2] = {0, 0};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        DeducingPlayer player(machine, static_cast<int>(seed % 2), seed, quick());
        const auto run = make_run(machine);
        Events events;
        run->record(&events);
        run->start();
        Random random(seed);
        const auto other = make_random_player(machine, random);
        std::vector<Player*> players{other.get(), other.get()};
        players[seed % 2] = &player;
        Tally tally;
        play_with(*run, players, random, events, tally);
        testing::random_samples();
        for (const std::int32_t p : run->winners(random)) ++wins[p == static_cast<std::int32_t>(seed % 2) ? 0 : 1];
    }
    CHECK(wins[0] > 2 * wins[1]);
}

TEST_CASE("players: where all win or nobody does, who deduces plays for all", "[player]") {
    // Whoever plays first should hold the lower card, and each sees their own only: who goes first with 1, 2 and 3 wins 8 in 10, who does
    // so at random 5 in 10.
    const MachinePtr machine = machine_of(parse_rules("ascent", {R"(game ascent
players 2 in a circle, clockwise
cards card { rank 1..6   1 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone line            row of card     seen by all
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { P1 may go_first { put P1's hand in line   put P2's hand in line } otherwise { put P2's hand in line   put P1's hand in line } }
winner = all if (first of line)'s rank < (last of line)'s rank, otherwise nobody
)"}),
                                          {2, {}});
    int deduced = 0;
    int at_random = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        for (const bool deduces : {true, false}) {
            Random random(seed);
            DeducingPlayer player(machine, 0, seed, quick());
            const auto other = make_random_player(machine, random);
            const auto run = make_run(machine);
            Events events;
            run->record(&events);
            run->start();
            Tally tally;
            play_with(*run, {deduces ? &player : other.get(), other.get()}, random, events, tally);
            testing::random_samples();
            const std::size_t won = run->winners(random).size();
            CHECK((won == 0 || won == 2));
            (deduces ? deduced : at_random) += won == 2 ? 1 : 0;
        }
    }
    CHECK(deduced >= 42);
    CHECK(at_random <= 38);
}

TEST_CASE("players: whether many points or few are better is told by games", "[player]") {
    const auto aim = [](const std::string& rest) {
        const Rules rules =
            parse_rules("aim", {"game aim\nplayers 3 in a circle, clockwise\ncards card { rank 1..9   1 of each }\n"
                                "zone deck stack of card seen by nobody\nzone hand of player one card seen by owner\n"
                                "setup { put all cards on deck, shuffled   deal 1 from deck to every hand }\nplay { nothing }\n" +
                                rest});
        return score_aim(machine_of(rules, {3, {}}));
    };
    const std::string score = "define score(player p) = p's hand's rank\n";
    CHECK(aim(score + "winner = players with most score(it), then shared\n") == 1);
    CHECK(aim(score + "winner = players with least score(it), then shared\n") == -1);
    CHECK(aim(score + "winner = (players where score(it) < 4) or if none players with most 9 - score(it), then shared\n") == -1);
    CHECK(aim(score + "define payoff(player p) = 5 - score(p)\n") == -1);
    CHECK(aim(score + "winner = {P1}, then shared\n") == 0);
    CHECK(aim("winner = players with most its hand's rank, then shared\n") == 0);
}

TEST_CASE("rollouts: compiled and interpreted ones come to the same", "[player]") {
    // With acts at any time and without, points and shared wins, draws and hidden choices.
    for (const Both& both : compiled_games({{"tests/naive/tiny_cogito", 2},
                                            {"games/cogito", 3},
                                            {"games/jiji", 3},
                                            {"games/kuhn", 2},
                                            {"games/hearts", 4},
                                            {"games/go_fish", 3}})) {
        INFO(both.name);
        for (int seat = 0; seat < 2; ++seat) {
            Rollouts plain(both.machine, seat, {}, nullptr);
            Rollouts quicker(both.machine, seat, {}, nullptr);
            quicker.use(both.game);
            for (std::uint64_t seed = 0; seed < 6; ++seed) compare_rollouts(both, seed, plain, quicker);
            CHECK(plain.compiled() == 0);
            CHECK(quicker.compiled() == plain.interpreted());
            CHECK(quicker.interpreted() == 0);
        }
    }
}

TEST_CASE("players: who deduces makes the same moves, compiled and interpreted", "[player]") {
    for (const Both& both : compiled_games({{"tests/naive/tiny_cogito", 2}, {"games/jiji", 3}, {"games/kuhn", 2}, {"games/hearts", 4}})) {
        INFO(both.name);
        DeducingPlayer plain(both.machine, 0, 1, few());
        DeducingPlayer quicker(both.machine, 0, 1, few());
        quicker.compiled_by([&] { return both.game; });
        CHECK(played(both.machine, 0, plain, 1) == played(both.machine, 0, quicker, 1));
        CHECK(plain.rollouts().interpreted() == quicker.rollouts().compiled());
        CHECK(quicker.rollouts().compiled() > 0);
    }
}
