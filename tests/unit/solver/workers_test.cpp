// Several threads at one task: all of it is done, and what one of them throws reaches whoever asked.
#include "solver/validate/workers.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

using namespace houserule;

TEST_CASE("each thread does its part", "[workers]") {
    const unsigned threads = GENERATE(1U, 2U, 7U);
    std::vector<int> done(threads, 0);
    work_together(
        threads, [&](unsigned k, const std::stop_token&) { ++done[k]; }, [] { return true; });
    CHECK(done == std::vector<int>(threads, 1));
}

TEST_CASE("nobody at work is over at once", "[workers]") {
    bool asked = false;
    work_together(
        0, [&](unsigned, const std::stop_token&) { asked = true; }, [] { return true; });
    CHECK_FALSE(asked);
}

TEST_CASE("what a thread throws ends the others and reaches the caller", "[workers]") {
    const unsigned threads = GENERATE(1U, 3U);
    std::atomic<unsigned> ended{0};
    const auto task = [&](unsigned k, const std::stop_token& halt) {
        if (k + 1 == threads) throw std::runtime_error("no card left");
        while (!halt.stop_requested()) {
        }
        ++ended;
    };
    CHECK_THROWS_WITH(work_together(threads, task, [] { return true; }), "no card left");
    CHECK(ended == threads - 1);
}

TEST_CASE("the caller can end the work", "[workers]") {
    std::atomic<int> ended{0};
    const auto task = [&](unsigned, const std::stop_token& halt) {
        while (!halt.stop_requested()) {
        }
        ++ended;
    };
    work_together(2, task, [] { return false; });
    CHECK(ended == 2);
}

TEST_CASE("what the caller throws ends the work", "[workers]") {
    std::atomic<int> ended{0};
    const auto task = [&](unsigned, const std::stop_token& halt) {
        while (!halt.stop_requested()) {
        }
        ++ended;
    };
    const auto throws = []() -> bool { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH(work_together(2, task, throws), "enough");
    CHECK(ended == 2);
}
