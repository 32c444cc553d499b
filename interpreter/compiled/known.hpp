// What the interpreter's fast forms know of a game before it is played, for whoever prints it: filters, and values that depend on a card
// alone. Sets are lists of 64-bit words here, whatever their width.
#pragma once

#include "interpreter/engine/filters.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace houserule {

using MaskWords = std::vector<std::uint64_t>;

// A Filter (interpreter/engine/filters.hpp).
struct KnownFilter {
    FilterForm what = FilterForm::all;
    ExpressionId invariant = no_id;
    std::int32_t low = 0;
    std::vector<MaskWords> masks;
    std::int32_t a = -1;
    std::int32_t b = -1;
};

class Known {
public:
    virtual ~Known() = default;
    // Of `cards where` and of `some` over cards: its filter, or -1.
    virtual std::int32_t filter_of(ExpressionId e) const = 0;
    // The value with `bound` set to `piece`, of an expression that reads nothing else; nothing when a promise breaks.
    virtual std::optional<std::int32_t> value(ExpressionId e, BoundId bound, std::int32_t piece) = 0;

    const std::vector<KnownFilter>& filters() const { return filters_; }
    const std::vector<std::byte>& initial() const { return initial_; }  // the state of a fresh game
    StepId first() const { return first_; }  // where the first node is, up to which all games are alike; no_id: there is none

protected:
    std::vector<KnownFilter> filters_;
    std::vector<std::byte> initial_;
    StepId first_ = no_id;
};

// Whether a run that was started has come to its first node, which it waits at then.
bool reaches_first_node(Run& run);

std::unique_ptr<Known> known_of(const std::shared_ptr<const Machine>& machine);

}  // namespace houserule
