// A 128-bit hash of what one seat saw and did so far, extended with each event.
//
// Two histories have the same fingerprint if the seat's views of them are the same text, up to line breaks. Different views collide only
// by accident: among a thousand million views with a probability of about 10^-20.
#pragma once

#include "dsl/text/hash.hpp"
#include "interpreter/run/event.hpp"

#include <span>

namespace houserule {

struct Fingerprint {
    std::uint64_t a = 0;
    std::uint64_t b = 0;

    void add(std::uint64_t word) {
        a = splitmix((a ^ word) + golden_step);
        b = splitmix((b << 29 | b >> 35) + word * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL);
    }
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Adds an event to the fingerprints of all seats that notice it; `views`: one a seat.
void note(const Event& event, std::span<Fingerprint> views);

}  // namespace houserule
