// One side of a duel: plays games of which some seats are its own players, who deduce, and the others those of another program.
//
//   houserule_duel FILE PLAYERS SEATS GAMES THINK [--compiled]
//
// Both sides play the same games with the same numbers of chance. SEATS has a letter for each seat, `m` (mine) or `o` (the other's); after
// each game both exchange their seats. What its players answer is written to standard output, what the others answer read from
// standard input; with each goes a number of all that happened, so that two games that part are noticed. At the end it says on standard
// error how it came out.
// HOUSERULE_INTERPRETED: in a tree whose games are not compiled.
#ifndef HOUSERULE_INTERPRETED
#include "interpreter/compiled/compiler.hpp"
#endif
#include "solver/players/deducing_player.hpp"
#include "tests/bench/positions.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

using namespace houserule;

namespace {

[[noreturn]] void give_up(const char* why) {
    std::fprintf(stderr, "duel: %s\n", why);
    std::exit(2);
}

struct Wire {
    std::uint64_t happened = 1;

    void note(std::uint64_t value) { happened = (happened ^ value) * 0x9e3779b97f4a7c15ULL ^ happened >> 29; }
    void tell(std::uint64_t move) {
        note(move);
        std::printf("%" PRIu64 " %" PRIu64 "\n", happened, move);
        std::fflush(stdout);
    }
    std::uint64_t hear() {
        std::uint64_t other = 0;
        std::uint64_t move = 0;
        if (std::scanf("%" SCNu64 " %" SCNu64, &other, &move) != 2) give_up("the other side ended");
        note(move);
        if (other != happened) give_up("the two games part");
        return move;
    }
};

// A seat of the one or the other side.
class Seat : public Player {
public:
    Seat(Wire& wire, DeducingPlayer& mine) : wire_(wire), mine_(mine) {}
    void belongs_to_me(bool is_mine) { is_mine_ = is_mine; }
    double used_s() const { return used_s_; }
    std::uint64_t decisions() const { return decisions_; }

    void start() override {
        if (is_mine_) mine_.start();
    }
    std::uint64_t answer(const Question& question, const Events& noticed) override {
        wire_.note(static_cast<std::uint64_t>(question.kind()) << 40 ^ question.moves() << 8 ^ static_cast<std::uint64_t>(question.seat()));
        if (!is_mine_) return wire_.hear();
        const std::clock_t start = std::clock();
        const std::uint64_t move = mine_.answer(question, noticed);
        used_s_ += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        ++decisions_;
        wire_.tell(move);
        return move;
    }

private:
    Wire& wire_;
    DeducingPlayer& mine_;
    bool is_mine_ = true;
    double used_s_ = 0;
    std::uint64_t decisions_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6) give_up("FILE PLAYERS SEATS GAMES THINK [--compiled]");
    const int players = std::atoi(argv[2]);
    const std::string seats = argv[3];
    const std::shared_ptr<const Machine> machine = bench::machine_of(argv[1], players);
    if (!machine) give_up("not a game for so many players");
    if (seats.size() != static_cast<std::size_t>(players) || seats.find_first_not_of("mo") != std::string::npos) give_up("SEATS");
    PlayerLimits limits;
    limits.think_ms = std::strtoull(argv[5], nullptr, 10);
#ifndef HOUSERULE_INTERPRETED
    Compiled made;
    if (argc > 6) made = compile(emit(machine), compiler_setting(), nullptr);
#endif
    Wire wire;
    std::vector<std::unique_ptr<DeducingPlayer>> deducing;
    std::vector<std::unique_ptr<Seat>> all;
    std::vector<Player*> table;
    for (int p = 0; p < players; ++p) {
        deducing.push_back(std::make_unique<DeducingPlayer>(machine, p, 0, limits));
#ifndef HOUSERULE_INTERPRETED
        if (!made.games.empty()) deducing.back()->compiled_by([&] { return made.game(); });
#endif
        all.push_back(std::make_unique<Seat>(wire, *deducing.back()));
        table.push_back(all.back().get());
    }
    const auto run = make_run(machine);
    Events events;
    run->record(&events);
    double won = 0;      // shares of the games that my side won
    double squares = 0;  // of what each pair of games with the same deal brought
    const int games = std::atoi(argv[4]);
    for (int game = 0; game < 2 * games; ++game) {
        const auto deal = static_cast<std::uint64_t>(game / 2);
        Random random(deal);
        for (int p = 0; p < players; ++p) {
            all[p]->belongs_to_me((seats[p] == 'm') == (game % 2 == 0));
            deducing[p]->reseed(deal * 64 + static_cast<std::uint64_t>(p));
        }
        events.clear();
        run->start();
        Tally tally;
        play_with(*run, table, random, events, tally);
        const auto winners = run->winners(random);
        double share = 0;
        for (const auto p : winners) share += ((seats[p] == 'm') == (game % 2 == 0) ? 1.0 : 0.0) / static_cast<double>(winners.size());
        static double first = 0;
        if (winners.empty()) share = 0.5;
        won += share;
        if (game % 2 == 0)
            first = share;
        else
            squares += (first + share) * (first + share) / 4;
    }
    double used_s = 0;
    std::uint64_t decisions = 0;
    for (const auto& seat : all) used_s += seat->used_s(), decisions += seat->decisions();
    std::fprintf(stderr, "%d %.6f %.6f %.3f\n", 2 * games, won / (2 * games), squares / games,
                 1000 * used_s / std::max<double>(1, decisions));
}
