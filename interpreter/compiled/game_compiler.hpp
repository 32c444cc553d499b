// Compiles a game, here or in a thread of its own while it is played, for those who play it on at random.
#pragma once

#include "interpreter/compiled/compiler.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

namespace houserule {

class GameCompiler {
public:
    // `folder`: where compiled games are kept; empty: nowhere. `stop` ends what goes on beside.
    GameCompiler(std::shared_ptr<const Machine> machine, std::filesystem::path folder, const Stop* stop);
    ~GameCompiler();  // what goes on beside is stopped
    GameCompiler(const GameCompiler&) = delete;
    GameCompiler& operator=(const GameCompiler&) = delete;

    // `only_if_kept`: only if it was compiled before and lies in the user's folder, which takes a moment.
    void make(bool only_if_kept);
    // The same beside. To be called by one thread; `lazily`: when nobody else has anything to do.
    void begin(bool only_if_kept, bool lazily);
    // For who plays on in mind, after so many seconds of it in all: looks for it at first, and compiles when it may pay.
    void look(double seconds);

    // Once it is compiled; null before, and if it cannot be.
    std::shared_ptr<const CompiledGame> game() const;
    // What came of it so far.
    Compiled made() const;
    bool is_too_large() const;

private:
    std::shared_ptr<const Machine> machine_;
    std::filesystem::path folder_;
    Stop stop_;
    std::atomic<bool> ready_{false};
    mutable std::mutex mutex_;  // of what was made
    Compiled made_;
    enum class Looked : std::uint8_t { no, for_kept, all } looked_ = Looked::no;
    std::thread maker_;
};

}  // namespace houserule
