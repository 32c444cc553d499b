#include "solver/validate/workers.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace houserule {

namespace {

constexpr std::chrono::milliseconds look_every{50};  // often enough for Ctrl-C and for a line of progress

// However we leave: nobody goes on.
class HaltAtEnd {
public:
    explicit HaltAtEnd(std::stop_source& source) : source_(source) {}
    ~HaltAtEnd() { source_.request_stop(); }
    HaltAtEnd(const HaltAtEnd&) = delete;
    HaltAtEnd& operator=(const HaltAtEnd&) = delete;

private:
    std::stop_source& source_;
};

}  // namespace

void work_together(unsigned threads, const std::function<void(unsigned, const std::stop_token&)>& task,
                   const std::function<bool()>& go_on) {
    std::mutex mutex;
    std::condition_variable over;
    unsigned running = 0;
    std::exception_ptr thrown;
    std::stop_source halt;
    const auto work = [&](unsigned k) {
        std::exception_ptr caught;
        try {
            task(k, halt.get_token());
        } catch (...) {
            caught = std::current_exception();
            halt.request_stop();
        }
        const std::lock_guard lock(mutex);
        if (caught && !thrown) thrown = caught;
        if (--running == 0) over.notify_one();
    };
    std::vector<std::jthread> pool;
    const HaltAtEnd at_end(halt);
    pool.reserve(threads);
    std::unique_lock lock(mutex);
    for (unsigned k = 0; k < threads; ++k) {
        try {
            pool.emplace_back(work, k);
            ++running;
        } catch (const std::system_error&) {
            if (pool.empty()) throw;
            break;
        }
    }
    while (!over.wait_for(lock, look_every, [&] { return running == 0; })) {
        lock.unlock();
        if (!halt.stop_requested() && !go_on()) halt.request_stop();
        lock.lock();
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace houserule
