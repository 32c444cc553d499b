// Who thinks takes turns, also with other processes.
#include "interpreter/app/serve/turns.hpp"
#include "tests/unit/serve/desk.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <optional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace houserule;
using namespace houserule::testing;

TEST_CASE("no more think at once than there are turns", "[serve]") {
    const Folder folder;
    const Stop stop;
    std::atomic<int> thinking = 0;
    std::atomic<int> most = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < 6; ++i)
        all.emplace_back([&] {
            for (int k = 0; k < 5; ++k) {
                const cli::Turn turn(folder.path, 2, stop);
                const int now = ++thinking;
                for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                --thinking;
            }
        });
    for (std::thread& thread : all) thread.join();
    CHECK(most == 2);
}

TEST_CASE("who is to stop waits for no turn, and a process that is killed has none", "[serve]") {
    const Folder folder;
    Stop stop;
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const cli::Turn turn(folder.path, 1, stop);
        char done = 1;
        if (::write(ready[1], &done, 1) == 1)
            while (true) ::pause();
        ::_exit(1);
    }
    char done = 0;
    REQUIRE(::read(ready[0], &done, 1) == 1);
    std::optional<cli::Turn> turn;
    std::atomic<bool> has_turn = false;
    std::thread waiting([&] {
        turn.emplace(folder.path, 1, stop);
        has_turn = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    CHECK_FALSE(has_turn);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    waiting.join();
    CHECK(has_turn);
    stop.ask();
    const cli::Turn none(folder.path, 1, stop);
    for (const int end : ready) ::close(end);
}
