#include "interpreter/app/simulation/engine.hpp"

#include "dsl/text/ratio.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/words.hpp"

#include <utility>

namespace houserule::cli {

namespace {

// Seconds: so long the interpreter plays before anybody asks how long it will take.
constexpr double first_stretch = 0.25;
// So long the rest must take for it to be worth a look at what is kept, and for a compiler to be started.
constexpr double worth_loading = 0.25;
constexpr double worth_compiling = 2;

}  // namespace

SimulateEngine::SimulateEngine(std::shared_ptr<const Machine> machine, Asked asked)
    : compiler_(std::move(machine), user_folder("XDG_CACHE_HOME", ".cache"), &stop()), asked_(asked) {}

bool SimulateEngine::compile_now() {
    tried_ = true;
    compiler_.make(false);
    return game() != nullptr;
}

void SimulateEngine::look(std::uint64_t done, std::uint64_t games, double seconds) {
    if (asked_ != Asked::automatic || tried_ || seconds < first_stretch) return;
    // Of a first game that goes on, who knows: as long again.
    const double rest = done == 0 ? seconds : seconds * ratio(games - done, done);
    if (rest < worth_loading || compiler_.is_too_large()) return;
    tried_ = true;
    compiler_.begin(rest < worth_compiling, false);
}

std::string SimulateEngine::why_not(const Globals& g) const {
    const Compiled made = compiler_.made();
    switch (made.why) {
        case NotCompiled::no:
        case NotCompiled::stopped:
            return "";
        case NotCompiled::form:
            return say(g, Text::not_compiled_form, made.detail);
        case NotCompiled::no_compiler:
            return say(g, Text::not_compiled_no_compiler);
        case NotCompiled::failed:
            if (made.detail.empty()) return say(g, Text::not_compiled_silently, made.compiler);
            return say(g, Text::not_compiled_failed, made.compiler, made.detail);
        case NotCompiled::late:
            return say(g, Text::not_compiled_late, made.compiler, made.detail);
        case NotCompiled::no_folder:
            return say(g, Text::not_compiled_no_folder, made.detail);
        case NotCompiled::unloaded:
            return say(g, Text::not_compiled_unloaded, made.compiler, made.detail);
    }
    return "";
}

}  // namespace houserule::cli
