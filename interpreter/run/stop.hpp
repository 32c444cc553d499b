// A request to stop, asked by every loop that can take long: Ctrl-C ends each of them within a moment, and the command prints what it
// has.
//
// There is one object for all that a command does; parts of it with a time limit of their own have further ones beneath it. `ask` may be
// called by a signal handler or from another thread; `asked` costs a read of memory. There is no clock here: whoever has one passes a
// function that says whether time is over.
//
//   const Stop part(&stop, [&] { return Clock::now() >= end; });
//   run->stop_on(&part);
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <mutex>

namespace houserule {

class Stop {
public:
    Stop() = default;
    // Beneath another one, or null: over when that one is, or when `is_late` returns true.
    Stop(const Stop* outer, std::function<bool()> is_late) : outer_(outer), is_late_(std::move(is_late)) {}
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    void ask() noexcept { asked_.store(true, std::memory_order_relaxed); }
    bool asked() const noexcept { return asked_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->asked()); }
    bool over() const { return asked() || (is_late_ && is_late_()) || (outer_ != nullptr && outer_->over()); }

    // While it lives, `wake` calls `rouse` on another thread: for work inside a library that cannot ask by itself.
    class Alarm {
    public:
        Alarm(const Stop& stop, std::function<void()> rouse);
        ~Alarm();
        Alarm(const Alarm&) = delete;
        Alarm& operator=(const Alarm&) = delete;

    private:
        const Stop& stop_;
        std::list<std::function<void()>>::iterator at_;
    };
    // To be called after `ask`; not by a signal handler.
    void wake() const;

private:
    const Stop& top() const { return outer_ == nullptr ? *this : outer_->top(); }

    std::atomic<bool> asked_{false};
    static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler asks");
    const Stop* outer_ = nullptr;
    std::function<bool()> is_late_;
    mutable std::mutex mutex_;  // of the alarms
    mutable std::list<std::function<void()>> alarms_;
};

// The same for a pointer that may be null.
inline bool asked(const Stop* stop) { return stop != nullptr && stop->asked(); }
inline bool over(const Stop* stop) { return stop != nullptr && stop->over(); }

}  // namespace houserule
