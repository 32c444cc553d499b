// What ends a search: a deadline, a request to stop, and limits of work. Work is counted in steps, the same on every machine, and so is
// what a search with a limit of work finds.
#pragma once

#include "interpreter/run/stop.hpp"

#include <chrono>
#include <cstdint>
#include <limits>

namespace houserule {

// A step of work is a node of a run with its answer. Other work is counted as the number of such steps that take about as long; a core
// does about this many in a second.
inline constexpr std::uint64_t work_a_second = 1'000'000;
inline constexpr std::uint64_t no_work_limit = std::numeric_limits<std::uint64_t>::max();

// A share of a limit; no share of no limit is none.
inline std::uint64_t part_of_work(std::uint64_t work, double share) {
    if (share <= 0) return 0;
    return work == no_work_limit ? work : static_cast<std::uint64_t>(static_cast<double>(work) * share);
}

// A budget of work.
class Work {
public:
    explicit Work(std::uint64_t limit) : limit_(limit) {}
    void spend(std::uint64_t steps) { spent_ += steps; }
    std::uint64_t spent() const { return spent_; }
    std::uint64_t left() const { return spent_ < limit_ ? limit_ - spent_ : 0; }
    bool gone() const { return left() == 0; }

private:
    std::uint64_t limit_;
    std::uint64_t spent_ = 0;
};

class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    Deadline() = default;
    Deadline(Clock::time_point at, const Stop* stop) : at_(at), stop_(stop) {}
    // `time` from now; without a deadline if that is beyond the range of the clock.
    static Deadline in(std::chrono::milliseconds time, const Stop* stop) {
        const auto now = Clock::now();
        return {time < std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now) ? now + time
                                                                                                             : Clock::time_point::max(),
                stop};
    }

    // No clock ends it, only whoever wants no more.
    static Deadline never(const Stop* stop) { return {Clock::time_point::max(), stop}; }

    bool over() const { return asked() || (has_time() && Clock::now() >= at_); }
    bool asked() const { return stop_ != nullptr && stop_->over(); }
    bool has_time() const { return at_ != Clock::time_point::max(); }
    Clock::time_point at() const { return at_; }
    const Stop* stop() const { return stop_; }
    // A deadline after the first `percent` of the time that is left.
    Deadline part(int percent) const {
        const auto now = Clock::now();
        return {!has_time() || at_ <= now ? at_ : now + (at_ - now) * percent / 100, stop_};
    }

private:
    Clock::time_point at_ = Clock::time_point::max();
    const Stop* stop_ = nullptr;
};

}  // namespace houserule
