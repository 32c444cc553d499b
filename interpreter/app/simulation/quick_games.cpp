#include "interpreter/app/simulation/quick_games.hpp"

#include "interpreter/app/common/common.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/players/player.hpp"
#include "interpreter/run/run.hpp"
#include "solver/players/deducing_player.hpp"

#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::uint64_t quick_decisions = 1'500;  // in all games: some seconds
constexpr std::size_t longest = 5'000;            // answers in one game

PlayerLimits quick_limits() {
    PlayerLimits limits;
    limits.histories = 4;
    limits.nodes = 800;
    limits.deduction.work = 20'000;
    limits.deduction.states = 20'000;
    limits.deduction.paths.max_paths = 256;
    limits.deduction.paths.steps = 20'000;
    limits.deduction.z3_steps = 100'000;
    limits.deduction.samples = 0;
    limits.deduction.stop = &stop();
    return limits;
}

struct Seated {
    std::unique_ptr<DeducingPlayer> player;
    std::size_t told = 0;  // events
};

class QuickTable {
public:
    QuickTable(const std::shared_ptr<const Machine>& machine, std::uint64_t most_work) : run_(make_run(machine)), most_work_(most_work) {
        run_->record(&events_);
        run_->stop_on(&stop());
        for (int p = 0; p < machine->game.players; ++p)
            seats_.push_back({std::make_unique<DeducingPlayer>(machine, p, 0, quick_limits()), 0});
    }
    bool is_enough() const { return decisions_ >= quick_decisions || work() >= most_work_; }

    // Nothing when the game did not end.
    std::optional<std::vector<std::uint64_t>> play(std::uint64_t seed) {
        Random random(seed);
        std::vector<std::uint64_t> moves;
        events_.clear();
        run_->start();
        for (std::size_t p = 0; p < seats_.size(); ++p) {
            seats_[p].player->reseed(seed * seats_.size() + p);
            seats_[p].player->start();
            seats_[p].told = 0;
        }
        while (moves.size() < longest && work() < most_work_ && !asked(&stop())) {
            const Node node = run_->advance();
            if (node.kind == NodeKind::failed) return is_stopped(*run_) ? std::nullopt : std::optional(moves);
            if (node.kind == NodeKind::over) return moves;
            moves.push_back(answer(node, random));
            run_->apply(moves.back());
        }
        return std::nullopt;
    }

private:
    std::uint64_t work() const {
        std::uint64_t all = run_->work();
        for (const Seated& s : seats_) all += s.player->counts().work;
        return all;
    }
    std::uint64_t answer(const Node& node, Random& random) {
        switch (node.kind) {
            case NodeKind::choose:
            case NodeKind::consent:
            case NodeKind::ask:
                return ask(node.seat);
            case NodeKind::window: {
                std::uint64_t who = 0;
                for (int p = 0; p < std::ssize(seats_); ++p)
                    if ((node.seats >> p & 1) != 0) who |= ask(p) << p;
                return who;
            }
            default:
                return random_move(*run_, random);
        }
    }
    std::uint64_t ask(int seat) {
        ++decisions_;
        Seated& s = seats_[seat];
        return s.player->answer(Question(*run_, seat), noticed_since(events_, s.told, seat));
    }

    std::unique_ptr<Run> run_;
    std::uint64_t most_work_;
    Events events_;
    std::vector<Seated> seats_;
    std::uint64_t decisions_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint64_t>> quick_games(const std::shared_ptr<const Machine>& machine, std::uint64_t games,
                                                    std::uint64_t work) {
    QuickTable table(machine, work);
    std::vector<std::vector<std::uint64_t>> played;
    for (std::uint64_t i = 0; i < games && !table.is_enough() && !asked(&stop()); ++i)
        if (auto moves = table.play(i + 1)) played.push_back(std::move(*moves));
    return played;
}

}  // namespace houserule::cli
