// A compiled game as it is loaded, and runs of it. A run plays random games, or what is left of one: what Run::play does, with the same
// totals.
#pragma once

#include "interpreter/compiled/interface.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace houserule {

class CompiledGame {
public:
    // Those of a shared library that was compiled from the text with this key. Empty, and `why`, when it is none.
    static std::vector<std::shared_ptr<const CompiledGame>> load(const std::string& path, std::uint64_t key, std::size_t games,
                                                                 std::string& why);
    CompiledGame(const CompiledGame&) = delete;
    CompiledGame& operator=(const CompiledGame&) = delete;

    // Plays one game, and adds to `tally`, whose entries by step it is given. Without `is_over` nobody stops it.
    CompiledEnd play(CompiledPlay& play, Tally& tally) const;
    bool result(std::span<const std::byte> state, std::byte* work, CompiledResult& result) const {
        return result_(state.data(), work, &result) != 0;
    }
    std::size_t work() const { return work_; }
    StepId first() const { return first_; }  // where whole games begin

private:
    CompiledGame() = default;

    std::shared_ptr<void> library_;  // stays while a game of it does
    CompiledEnd (*play_)(CompiledPlay*) = nullptr;
    std::int32_t (*result_)(const std::byte*, std::byte*, CompiledResult*) = nullptr;
    std::size_t work_ = 0;
    StepId first_ = no_id;
};

// What was played on at random, from a state up to an end.
struct PlayedOn {
    CompiledEnd end = compiled_handed;
    // As in Tally and CompiledPlay.
    std::uint64_t decisions = 0;
    std::uint64_t options = 0;
    std::uint64_t forced = 0;
    std::uint64_t chances = 0;
    std::uint64_t windows = 0;
    std::uint64_t opened = 0;
    std::uint64_t acting = 0;
};

// For one thread.
class CompiledRun {
public:
    CompiledRun(std::shared_ptr<const CompiledGame> game, std::shared_ptr<const Machine> machine);

    // Plays one game and adds to `tally`. When the interpreter is to play it instead (compiled_handed), nothing has been added and
    // `random` is as it was; when it is stopped, the game is not over.
    CompiledEnd play(Random& random, Tally& tally, std::int64_t volunteer_per_million, const Stop* stop);

    // Plays on from a state of a run of the same machine where a seat is asked or has just answered, up to the end, or with compiled_acts
    // to the first window at which the seat `watched` (-1: none) acts: `state` is at that window then. When the interpreter is to do it
    // instead (compiled_handed), `random` is as it was.
    PlayedOn play_on(std::span<const std::byte> from, Random& random, int watched, const Stop* stop);

    // Of the game that is over: variables that are not read then keep any value.
    std::span<const std::byte> state() const { return state_; }
    EndId ended() const;
    // The winners before a tie is broken by lot, the scores and the payoffs, until it is asked again. Null where a promise broke: Run says
    // what there is then.
    const CompiledResult* result();
    // At least the steps that never_reached asks for, of all games so far.
    std::span<const std::uint8_t> reached() const { return reached_; }
    // The step at which a game was handed back.
    StepId handed_at() const { return StepId(at_); }

private:
    CompiledEnd play_with(std::uint64_t sign, Random& random, Tally& tally, std::int64_t volunteer, const Stop* stop);
    CompiledPlay& prepared(std::span<const std::byte> from, Random& random, const Stop* stop);

    std::shared_ptr<const CompiledGame> game_;
    std::shared_ptr<const Machine> machine_;
    std::vector<std::byte> initial_;  // where all games are still alike
    std::uint64_t forced_ = 0;        // choices with one possibility up to there
    std::vector<std::byte> state_;
    std::unique_ptr<std::byte, void (*)(void*)> work_;
    std::vector<std::uint8_t> reached_;
    Tally unread_;       // entries by step that nobody asks for
    CompiledPlay play_;  // of the game that is played
    CompiledResult result_;
    std::int32_t at_ = -1;
};

}  // namespace houserule
