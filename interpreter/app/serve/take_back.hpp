// Whether a decision can be taken back without anybody having learned anything by it.
#pragma once

#include "interpreter/app/play/play_session.hpp"

#include <cstdint>
#include <memory>

namespace houserule::cli {

enum class TakeBack : std::uint8_t {
    can,
    chance,  // a card was drawn since, a lot or a report came
    others,  // another's decision was shown since
    seen,    // something hidden was seen since, or may be told from what happened
};

// From what the seat noticed since `before`, and from nothing else: in every world that fits what it noticed the answer is the same.
// `move`: what was decided there. `events`: all that has happened.
TakeBack can_take_back(const std::shared_ptr<const Machine>& machine, const Moment& before, std::uint64_t move, const Events& events,
                       int seat);

}  // namespace houserule::cli
