#include "interpreter/players/player.hpp"

#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"

#include <algorithm>
#include <bit>

namespace houserule {

namespace {

class RandomPlayer : public Player {
public:
    RandomPlayer(std::shared_ptr<const Machine> machine, Random& random, std::int64_t per_million)
        : machine_(std::move(machine)), random_(random), per_million_(per_million) {}

    void start() override {}
    std::uint64_t answer(const Question& question, const Events&) override {
        if (question.kind() != NodeKind::window) return random_.below(question.moves());
        const Act& act = machine_->game.acts[machine_->code[question.step()].a];
        return acts(act, random_, per_million_) ? 1 : 0;
    }

private:
    std::shared_ptr<const Machine> machine_;
    Random& random_;
    std::int64_t per_million_;
};

// Whether a move does something: a choice made, an offer taken; of a window, how many act.
std::uint64_t done(const Machine& machine, const Node& node, std::uint64_t move) {
    switch (node.kind) {
        case NodeKind::window:
            return std::popcount(move);
        case NodeKind::ask:
        case NodeKind::consent:
            return move;
        case NodeKind::choose:
            return (machine.code[node.step].mode & choice_optional) == 0 ? 1 : 0;
        default:
            return 0;
    }
}

struct Seated {
    Player& player;
    int seat;
    std::size_t told = 0;  // events

    std::uint64_t ask(const MoveNames& run, const Events& events) {
        return player.answer(Question(run, seat), noticed_since(events, told, seat));
    }
};

}  // namespace

std::unique_ptr<Player> make_random_player(std::shared_ptr<const Machine> machine, Random& random, std::int64_t volunteer_per_million) {
    return std::make_unique<RandomPlayer>(std::move(machine), random, volunteer_per_million);
}

void play_with(Run& run, const std::vector<Player*>& players, Random& random, const Events& events, Tally& tally, const Stop* stop) {
    const std::uint64_t forced_before = run.forced();
    std::vector<Seated> seated;
    for (std::size_t p = 0; p < players.size(); ++p) {
        players[p]->start();
        seated.push_back({*players[p], static_cast<int>(p)});
    }
    while (!asked(stop)) {
        const Node node = run.advance();
        std::uint64_t move = 0;
        switch (node.kind) {
            case NodeKind::over:
            case NodeKind::failed:
                tally.forced += run.forced() - forced_before;
                return;
            case NodeKind::choose:
            case NodeKind::consent:
            case NodeKind::ask:
                ++tally.decisions;
                tally.options += node.moves;
                move = seated[node.seat].ask(run, events);
                break;
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                ++tally.chances;
                move = random_move(run, random);
                break;
            case NodeKind::window:
                for (Seated& s : seated) {
                    if ((node.seats >> s.seat & 1) == 0) continue;
                    ++tally.windows;
                    move |= s.ask(run, events) << s.seat;
                }
                break;
        }
        if (!tally.steps.empty()) {
            ++tally.steps[node.step];
            tally.taken[node.step] += done(run.machine(), node, move);
        }
        run.apply(move);
    }
}

}  // namespace houserule
