// What lies on the table of a run, and what its facts and variables are now. Reading changes nothing: several may read one view at the
// same time. What rules compute from the table is asked of the Run, since computing needs room of its own.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace houserule {

class TableView {
public:
    virtual ~TableView() = default;

    const Machine& machine() const { return *machine_; }
    // The whole state, to be copied and compared. A copy fits every run of the same machine: see Run::set_state.
    virtual std::span<const std::byte> state() const = 0;
    // Rows and stacks in order, bottom first; of a part whose order is unknown, and of sets, in order of the deck.
    virtual std::vector<KindId> kinds_at(PlaceId place) const = 0;
    virtual std::size_t size_at(PlaceId place) const = 0;
    // Of a stack: how many cards each part has whose order is unknown, bottom first. Else one part a card, or one for a set.
    virtual std::vector<std::int32_t> parts(PlaceId place) const = 0;
    virtual PlaceId place_of(std::int32_t piece) const = 0;
    virtual std::int32_t fact(FactId fact, std::int32_t index) const = 0;
    virtual std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const = 0;
    virtual std::int32_t variable(VariableId variable) const = 0;
    // Elements of a set variable; for cards, and for the one card of a card variable, pieces: see place_of and Game::piece_kind.
    virtual std::vector<std::int32_t> variable_set(VariableId variable) const = 0;

protected:
    explicit TableView(std::shared_ptr<const Machine> machine) : machine_(std::move(machine)) {}

    std::shared_ptr<const Machine> machine_;
};

}  // namespace houserule
