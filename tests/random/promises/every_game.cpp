#include "tests/random/promises/every_game.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <unordered_map>

namespace houserule::random_games {

namespace {

constexpr std::uint64_t forced_steps = 20'000;
constexpr std::uint64_t most_answers = 512;  // of one node
constexpr int most_nodes = 200;              // of a game at random

// A state and the answer that led to it.
struct Visited {
    std::size_t from = 0;
    std::uint64_t answer = 0;
    std::vector<std::byte> state;
};

class Walk {
public:
    Walk(const std::shared_ptr<const Machine>& machine, std::size_t most_states) : run_(make_run(machine)), most_(most_states) {
        run_->limit_forced(forced_steps);
    }

    void walk_states();
    void play(std::uint64_t seed);

    bool is_whole() const { return found_.whole; }
    PlayedGames found() const;

private:
    void arrive(std::size_t from, std::uint64_t answer);
    void take_answers(std::size_t at);
    void note(const std::vector<std::uint64_t>& answers);
    void reckon(const std::vector<std::uint64_t>& answers);
    std::vector<std::uint64_t> answers_to(std::size_t at) const;

    std::unique_ptr<Run> run_;
    std::size_t most_;
    bool cut_ = false;
    PlayedGames found_;
    std::vector<Visited> visited_;
    std::unordered_map<std::string, std::size_t> known_;
};

std::vector<std::uint64_t> Walk::answers_to(std::size_t at) const {
    std::vector<std::uint64_t> back;
    for (; at != 0; at = visited_[at].from) back.push_back(visited_[at].answer);
    return {back.rbegin(), back.rend()};
}

void Walk::note(const std::vector<std::uint64_t>& answers) {
    const Failure& f = run_->failure();
    found_.broken.try_emplace({f.kind, f.span}, answers);
}

// Winners, scores and payoffs of a game that is over, each by itself: a promise can break in any of them.
void Walk::reckon(const std::vector<std::uint64_t>& answers) {
    found_.ended = true;
    const std::vector<std::byte> state(run_->state().begin(), run_->state().end());
    for (const int what : {0, 1, 2}) {
        run_->set_state(state);
        run_->advance();
        if (what == 0) run_->in_front();
        if (what == 1) run_->scores();
        if (what == 2) run_->payoffs();
        if (run_->failure().kind != FailureKind::none) note(answers);
    }
    run_->set_state(state);
    run_->advance();
}

// The run stands before its next node.
void Walk::arrive(std::size_t from, std::uint64_t answer) {
    if (run_->advance().kind == NodeKind::failed) {
        std::vector<std::uint64_t> answers = visited_.empty() ? std::vector<std::uint64_t>{} : answers_to(from);
        if (!visited_.empty()) answers.push_back(answer);
        return note(answers);
    }
    const auto bytes = run_->state();
    std::string key(bytes.size(), '\0');
    std::memcpy(key.data(), bytes.data(), bytes.size());
    if (!known_.try_emplace(std::move(key), visited_.size()).second) return;
    visited_.push_back({from, answer, {bytes.begin(), bytes.end()}});
}

void Walk::take_answers(std::size_t at) {
    run_->set_state(visited_[at].state);
    const Node n = run_->advance();
    if (n.kind == NodeKind::over) return reckon(answers_to(at));
    const bool window = n.kind == NodeKind::window;
    const std::uint64_t count = window ? std::uint64_t{1} << std::popcount(n.seats) : n.moves;
    if (count > most_answers) cut_ = true;
    std::uint64_t subset = 0;
    for (std::uint64_t i = 0; i < std::min(count, most_answers); ++i) {
        run_->set_state(visited_[at].state);
        run_->advance();
        run_->apply(window ? subset : i);
        arrive(at, window ? subset : i);
        subset = (subset - n.seats) & n.seats;  // the next subset, from none to all
    }
}

void Walk::walk_states() {
    run_->start();
    arrive(0, 0);
    std::size_t next = 0;
    for (; next < visited_.size() && next < most_; ++next) take_answers(next);
    found_.whole = !cut_ && next == visited_.size();
    found_.states = next;
}

PlayedGames Walk::found() const {
    PlayedGames found = found_;
    found.reached.assign(run_->reached().begin(), run_->reached().end());
    return found;
}

void Walk::play(std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint64_t> answers;
    run_->start();
    for (int i = 0; i < most_nodes; ++i) {
        const Node& n = run_->advance();
        if (n.kind == NodeKind::failed) return note(answers);
        if (n.kind == NodeKind::over) return reckon(answers);
        answers.push_back(random_move(*run_, random));
        run_->apply(answers.back());
    }
}

}  // namespace

PlayedGames every_game(const std::shared_ptr<const Machine>& machine, std::size_t most_states, int random_games, std::uint64_t seed) {
    Walk walk(machine, most_states);
    walk.walk_states();
    for (int i = 0; i < random_games && !walk.is_whole(); ++i) walk.play(seed + static_cast<std::uint64_t>(i));
    return walk.found();
}

}  // namespace houserule::random_games
