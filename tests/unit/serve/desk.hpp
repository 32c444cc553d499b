// A table without a network, a clock and threads: what is said to it and sent by it, in the order of a time that only the test moves.
#pragma once

#include "interpreter/app/serve/table.hpp"
#include "interpreter/run/random.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::testing {

struct Sent {
    std::chrono::milliseconds at{0};
    std::string frame;
};

class Desk : public cli::Outside {
public:
    void send(std::uint64_t page, std::string frame) override { sent[page].push_back({now_, std::move(frame)}); }
    void close(std::uint64_t page) override { closed.push_back(page); }
    void work(std::function<void()> job, std::function<void()> then) override {
        todo_.push_back([job = std::move(job), then = std::move(then)] { job(), then(); });
    }
    void ponder(std::function<void()> job, std::function<void()> then) override {
        (thinks_slowly ? slow_ : todo_).push_back([job = std::move(job), then = std::move(then)] { job(), then(); });
    }
    void think(std::function<void()> job, std::function<void()> then) override { work(std::move(job), std::move(then)); }
    void later(std::chrono::milliseconds time, std::function<void()> then) override { waiting_.emplace(now_ + time, std::move(then)); }

    // All that is to be done, and what waits for its time; at most `most` such waits, so that what never ends is seen.
    bool run(int most = 100'000);
    // What is to be done, as far as that takes no time.
    void run_now();
    std::chrono::milliseconds now() const { return now_; }
    // The last frame of that type that a page was sent; null when there is none.
    cli::Json last(std::uint64_t page, const std::string& type) const;
    // All lines that a page was told, each checked to come once and in order.
    std::vector<cli::Json> lines(std::uint64_t page) const;

    std::map<std::uint64_t, std::vector<Sent>> sent;
    std::vector<std::uint64_t> closed;
    // Whether players who deduce go on only when `think_once` is called.
    bool thinks_slowly = false;
    bool think_once();

private:
    std::chrono::milliseconds now_{0};
    std::deque<std::function<void()>> todo_;
    std::deque<std::function<void()>> slow_;
    std::multimap<std::chrono::milliseconds, std::function<void()>> waiting_;
};

// A folder of its own, which goes at the end.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string path;
};

// Tokens of a table for tests: `host`, `watch`, `seat1`, …
cli::KeptTable kept_for_test(const std::string& folder, int players);
std::string token_of(int seat);

// A session of a game of games/, begun; `seats` as on the command line.
cli::Session session_of(const std::string& game, int players, std::uint64_t seed, const std::vector<std::string>& seats);
// A session at a state of a run.
cli::Session session_at(const std::shared_ptr<const Machine>& machine, std::span<const std::byte> state, const Events& events);

// A table at a desk, with what is said to it.
struct TableAtDesk {
    void say(std::uint64_t page, const cli::Json& what);
    // What the page was refused for; nothing when it was not.
    std::string refusal(std::uint64_t page, const cli::Json& what);

    Folder folder;
    Desk desk;
    std::unique_ptr<cli::Table> table;
};

// What somebody answers who takes any choice: the message, but for its number and id. The same for the same question and random numbers.
cli::Json any_answer(const cli::Json& question, Random& random);

// A page for each seat; each takes its seat, which begins the game.
void sit_all(cli::Table& table, Desk& desk, int players);
std::string message(cli::Json json);

// Each seat chooses by itself: choices made together may be answered in any order.
std::vector<Random> random_for_seats(std::uint64_t seed, int players);
// The page that is asked, if one is; windows are let pass.
std::optional<int> asked_page(cli::Table& table, Desk& desk, int players);
// Answers what that page is asked with any choice, which the rules may refuse.
void answer_any(cli::Table& table, Desk& desk, int seat, Random& random, const std::string& id);
// The same at each question, until the game is over or so many have been answered.
void play_on(cli::Table& table, Desk& desk, int players, std::uint64_t seed, const std::string& name, int most = 400);
std::string read_text(const std::string& path);

}  // namespace houserule::testing
