#include "interpreter/compiled/compiled_game.hpp"

#include "interpreter/compiled/known.hpp"
#include "interpreter/engine/state_bytes.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <dlfcn.h>

namespace houserule {

namespace {

template <class T>
bool find(void* library, const std::string& name, T*& symbol) {
    symbol = reinterpret_cast<T*>(dlsym(library, name.c_str()));
    return symbol != nullptr;
}

bool is_over(const void* stop) { return over(static_cast<const Stop*>(stop)); }
bool goes_on(const void*) { return false; }

}  // namespace

std::vector<std::shared_ptr<const CompiledGame>> CompiledGame::load(const std::string& path, std::uint64_t key, std::size_t games,
                                                                    std::string& why) {
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
        const char* const error = dlerror();
        why = error == nullptr ? "" : error;
        return {};
    }
    const std::shared_ptr<void> library(opened, [](void* it) { dlclose(it); });
    why = path;  // it is something else
    const std::uint64_t* its_key = nullptr;
    if (!find(opened, "houserule_key", its_key) || *its_key != key) return {};
    std::vector<std::shared_ptr<const CompiledGame>> all;
    for (std::size_t i = 0; i < games; ++i) {
        const std::shared_ptr<CompiledGame> game(new CompiledGame);
        const std::uint64_t* work = nullptr;
        const std::int32_t* first = nullptr;
        const auto name = [&](const char* what) { return std::string("houserule_") + what + "_" + std::to_string(i); };
        if (!find(opened, name("play"), game->play_) || !find(opened, name("result"), game->result_) || !find(opened, name("work"), work) ||
            !find(opened, name("first"), first))
            return {};
        game->first_ = StepId(*first);
        game->work_ = *work;
        game->library_ = library;
        all.push_back(game);
    }
    why.clear();
    return all;
}

CompiledEnd CompiledGame::play(CompiledPlay& play, Tally& tally) const {
    play.steps = tally.steps.data();
    play.taken = tally.taken.data();
    if (play.is_over == nullptr) play.is_over = &goes_on;
    const CompiledEnd end = play_(&play);
    tally.decisions += play.decisions;
    tally.options += play.options;
    tally.forced += play.forced;
    tally.chances += play.chances;
    tally.windows += play.windows;
    return end;
}

CompiledRun::CompiledRun(std::shared_ptr<const CompiledGame> game, std::shared_ptr<const Machine> machine)
    : game_(std::move(game)), machine_(std::move(machine)), work_(nullptr, &std::free), reached_(machine_->code.size(), 0) {
    const auto run = make_run(machine_);
    run->start();
    if (game_->first() != machine_->start && reaches_first_node(*run) && run->node().step == game_->first()) {
        forced_ = run->forced();
        std::copy(run->reached().begin(), run->reached().end(), reached_.begin());
    } else {
        run->start();
    }
    initial_.assign(run->state().begin(), run->state().end());
    state_ = initial_;
    unread_.steps.assign(machine_->code.size(), 0);
    unread_.taken.assign(machine_->code.size(), 0);
    // Much of it is seldom touched: zeros that the system gives when they are.
    work_.reset(static_cast<std::byte*>(std::calloc(1, std::max<std::size_t>(1, game_->work()))));
    if (work_ == nullptr) throw std::bad_alloc();
    play_.state = state_.data();
    play_.work = work_.get();
    play_.reached = reached_.data();
}

CompiledEnd CompiledRun::play(Random& random, Tally& tally, std::int64_t volunteer, const Stop* stop) {
    const Random before = random;
    const CompiledEnd end = play_with(1, random, tally, volunteer, stop);
    if (end == compiled_handed) {
        // The same game once more takes back what was added.
        random = before;
        play_with(~std::uint64_t{0}, random, tally, volunteer, nullptr);
        random = before;
    }
    return end;
}

CompiledEnd CompiledRun::play_with(std::uint64_t sign, Random& random, Tally& tally, std::int64_t volunteer, const Stop* stop) {
    CompiledPlay& play = prepared(initial_, random, stop);
    play.sign = sign;
    play.volunteer = volunteer;
    play.forced = sign * forced_;
    const CompiledEnd end = game_->play(play, tally);
    at_ = play.at;
    return end;
}

PlayedOn CompiledRun::play_on(std::span<const std::byte> from, Random& random, int watched, const Stop* stop) {
    const Random before = random;
    CompiledPlay& play = prepared(from, random, stop);
    play.watched = watched;
    const CompiledEnd end = game_->play(play, unread_);
    at_ = play.at;
    if (end == compiled_handed) random = before;
    return {end, play.decisions, play.options, play.forced, play.chances, play.windows, play.opened, play.acting};
}

// Small games take less time than it takes to make all of it anew.
CompiledPlay& CompiledRun::prepared(std::span<const std::byte> from, Random& random, const Stop* stop) {
    play_.from = from.data();
    play_.random = &random;
    play_.is_over = stop == nullptr ? &goes_on : &is_over;
    play_.asked = stop;
    play_.sign = 1;
    play_.volunteer = file_odds;
    play_.watched = -1;
    play_.decisions = play_.options = play_.forced = play_.chances = play_.windows = play_.opened = play_.acting = 0;
    return play_;
}

EndId CompiledRun::ended() const {
    const auto variable = [&](VariableId v) { return EndId(read_bytes<std::int32_t>(state_.data(), machine_->layout.variable[v])); };
    const EndId of_match = variable(machine_->ended_match);
    return of_match != no_id ? of_match : variable(machine_->ended_game);
}

// What the game does not say stays nothing, so that small games need not clear it each time.
const CompiledResult* CompiledRun::result() { return game_->result(state_, work_.get(), result_) ? &result_ : nullptr; }

}  // namespace houserule
