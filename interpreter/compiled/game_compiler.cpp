#include "interpreter/compiled/game_compiler.hpp"

#include <new>
#include <system_error>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace houserule {

namespace {

// Ten times what the largest game has: beyond, a compiler takes too long.
constexpr std::size_t most_expressions = 50'000;
// Seconds of playing on in mind after which a compiler is started: as long again it will surely be played.
constexpr double worth_compiling = 2;
constexpr int lazy = 10;  // steps of niceness

}  // namespace

GameCompiler::GameCompiler(std::shared_ptr<const Machine> machine, std::filesystem::path folder, const Stop* stop)
    : machine_(std::move(machine)), folder_(std::move(folder)), stop_(stop, {}) {}

GameCompiler::~GameCompiler() {
    stop_.ask();
    if (maker_.joinable()) maker_.join();
}

bool GameCompiler::is_too_large() const { return machine_->game.expressions.size() > most_expressions; }

void GameCompiler::make(bool only_if_kept) {
    Compiled made;
    try {
        const Emitted emitted = emit(machine_);
        CompilerSetting setting = compiler_setting();
        if (!folder_.empty()) setting.folder = folder_;
        if (only_if_kept && !is_kept(emitted, setting)) return;
        made = compile(emitted, setting, &stop_);
    } catch (const std::bad_alloc&) {
        return;  // what is short of memory had better go on interpreting
    }
    const std::lock_guard lock(mutex_);
    made_ = std::move(made);
    ready_ = !made_.games.empty();
}

void GameCompiler::begin(bool only_if_kept, bool lazily) {
    if (maker_.joinable()) maker_.join();
    try {
        maker_ = std::thread([this, only_if_kept, lazily] {
            // Of a thread, on Linux, and of the compiler that it starts.
            if (lazily) ::setpriority(PRIO_PROCESS, ::gettid(), ::getpriority(PRIO_PROCESS, ::gettid()) + lazy);
            make(only_if_kept);
        });
    } catch (const std::system_error&) {
        return;  // no thread is to be had: the interpreter plays on
    }
}

void GameCompiler::look(double seconds) {
    const Looked next = seconds < worth_compiling ? Looked::for_kept : Looked::all;
    if (ready_ || looked_ >= next || is_too_large()) return;
    looked_ = next;
    begin(next == Looked::for_kept, true);
}

std::shared_ptr<const CompiledGame> GameCompiler::game() const {
    if (!ready_) return nullptr;
    const std::lock_guard lock(mutex_);
    return made_.game();
}

Compiled GameCompiler::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

}  // namespace houserule
