// Runs that note what they read. Apart from run.cpp, so that both compile side by side.
#include "interpreter/engine/engine.hpp"

namespace houserule {

std::unique_ptr<LaidRun> make_traced_run(std::shared_ptr<const Machine> machine) {
    switch (machine->layout.words) {
        case 1:
            return std::make_unique<Engine<1, true>>(std::move(machine));
        case 2:
            return std::make_unique<Engine<2, true>>(std::move(machine));
        default:
            return std::make_unique<Engine<4, true>>(std::move(machine));
    }
}

}  // namespace houserule
