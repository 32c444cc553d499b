#include "solver/players/score_aim.hpp"
#include "interpreter/run/stop.hpp"
#include "solver/players/rollouts.hpp"

#include <algorithm>
#include <cmath>

namespace houserule {

namespace {

constexpr int games_most = 60;
constexpr std::uint64_t work_most = 200'000;
constexpr double clear = 3;  // standard errors from no correlation

// Pairs of a score and of how well its player did.
class Correlation {
public:
    void add(double score, double result) {
        ++n_;
        x_ += score;
        y_ += result;
        xx_ += score * score;
        yy_ += result * result;
        xy_ += score * result;
    }
    // Of the correlation, where it is clear.
    int sign() const {
        const double covariance = n_ * xy_ - x_ * y_;
        const double spread = std::sqrt(std::max(0.0, (n_ * xx_ - x_ * x_) * (n_ * yy_ - y_ * y_)));
        if (spread == 0 || std::abs(covariance) * std::sqrt(n_) < clear * spread) return 0;
        return covariance > 0 ? 1 : -1;
    }

private:
    double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

}  // namespace

int score_aim(const std::shared_ptr<const Machine>& machine) {
    if (machine->game.score == no_id) return 0;
    const auto run = make_run(machine);
    const Stop late(nullptr, [&] { return run->work() > work_most; });
    run->stop_on(&late);
    Random random(1);
    Correlation all;
    for (int game = 0; game < games_most && !late.over(); ++game) {
        Tally tally;
        run->start();
        play_random(*run, random, tally);
        if (run->node().kind != NodeKind::over) continue;
        for (const Result& r : results_of(*run)) all.add(r.second, r.first);
    }
    return all.sign();
}

}  // namespace houserule
