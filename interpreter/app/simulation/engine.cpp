#include "interpreter/app/simulation/engine.hpp"

#include "dsl/text/ratio.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/words.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace houserule::cli {

namespace {

// Seconds: so long the interpreter plays before anybody asks how long it will take.
constexpr double first_stretch = 0.25;
// So long the rest must take for it to be worth a look at what is kept, and for a compiler to be started.
constexpr double worth_loading = 0.25;
constexpr double worth_compiling = 2;
// Ten times what the largest game has: beyond, a compiler takes too long.
constexpr std::size_t most_expressions = 50'000;

}  // namespace

SimulateEngine::SimulateEngine(std::shared_ptr<const Machine> machine, Asked asked)
    : machine_(std::move(machine)), asked_(asked), stop_(&houserule::cli::stop(), {}) {}

SimulateEngine::~SimulateEngine() {
    stop_.ask();
    if (maker_.joinable()) maker_.join();
}

bool SimulateEngine::compile_now() {
    tried_ = true;
    make(false);
    return ready_;
}

void SimulateEngine::look(std::uint64_t done, std::uint64_t games, double seconds) {
    if (asked_ != Asked::automatic || tried_ || seconds < first_stretch) return;
    // Of a first game that goes on, who knows: as long again.
    const double rest = done == 0 ? seconds : seconds * ratio(games - done, done);
    if (rest < worth_loading || machine_->game.expressions.size() > most_expressions) return;
    tried_ = true;
    try {
        maker_ = std::thread([this, rest] { make(rest < worth_compiling); });
    } catch (const std::system_error&) {
        return;  // no thread is to be had: the interpreter plays on
    }
}

void SimulateEngine::make(bool only_if_kept) {
    Compiled made;
    try {
        const Emitted emitted = emit(machine_);
        CompilerSetting setting = compiler_setting();
        if (const auto kept = user_folder("XDG_CACHE_HOME", ".cache"); !kept.empty()) setting.folder = kept;
        if (only_if_kept && !is_kept(emitted, setting)) return;
        made = compile(emitted, setting, &stop_);
    } catch (const std::bad_alloc&) {
        return;  // what is short of memory had better go on interpreting
    }
    const std::lock_guard lock(mutex_);
    made_ = std::move(made);
    ready_ = !made_.games.empty();
}

std::shared_ptr<const CompiledGame> SimulateEngine::game() const {
    if (!ready_) return nullptr;
    const std::lock_guard lock(mutex_);
    return made_.game();
}

std::string SimulateEngine::why_not(const Globals& g) const {
    const std::lock_guard lock(mutex_);
    switch (made_.why) {
        case NotCompiled::no:
        case NotCompiled::stopped:
            return "";
        case NotCompiled::form:
            return say(g, Text::not_compiled_form, made_.detail);
        case NotCompiled::no_compiler:
            return say(g, Text::not_compiled_no_compiler);
        case NotCompiled::failed:
            if (made_.detail.empty()) return say(g, Text::not_compiled_silently, made_.compiler);
            return say(g, Text::not_compiled_failed, made_.compiler, made_.detail);
        case NotCompiled::late:
            return say(g, Text::not_compiled_late, made_.compiler, made_.detail);
        case NotCompiled::no_folder:
            return say(g, Text::not_compiled_no_folder, made_.detail);
        case NotCompiled::unloaded:
            return say(g, Text::not_compiled_unloaded, made_.compiler, made_.detail);
    }
    return "";
}

}  // namespace houserule::cli
