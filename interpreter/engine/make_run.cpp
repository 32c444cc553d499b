#include "interpreter/engine/engine.hpp"

namespace houserule {

// Others use them as they stand here: compiled once, for speed.
template class Expressions<1, false>;
template class Expressions<2, false>;
template class Expressions<4, false>;

std::unique_ptr<Run> make_run(std::shared_ptr<const Machine> machine) { return make_laid_run(std::move(machine)); }

std::unique_ptr<LaidRun> make_laid_run(std::shared_ptr<const Machine> machine) {
    switch (machine->layout.words) {
        case 1:
            return std::make_unique<Engine<1>>(std::move(machine));
        case 2:
            return std::make_unique<Engine<2>>(std::move(machine));
        default:
            return std::make_unique<Engine<4>>(std::move(machine));
    }
}

}  // namespace houserule
