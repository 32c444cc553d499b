// Read access to the state of a run: what lies where, facts and variables. Reading changes nothing, so several threads may read at the
// same time. Values of expressions are asked of the Run, since computing them needs working memory.
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
    // Rows and stacks in order, bottom first; sets, and parts of a stack whose order is unknown, ascending.
    virtual std::vector<KindId> kinds_at(PlaceId place) const = 0;
    virtual std::size_t size_at(PlaceId place) const = 0;
    // The sizes of a stack's parts, bottom first (within a part the order is unknown). Of a row 1 for each card; of a set one number.
    virtual std::vector<std::int32_t> parts(PlaceId place) const = 0;
    virtual PlaceId place_of(std::int32_t piece) const = 0;
    virtual std::int32_t fact(FactId fact, std::int32_t index) const = 0;
    virtual std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const = 0;
    virtual std::int32_t variable(VariableId variable) const = 0;
    // The elements of a set variable. Of a variable of cards, or of one card, its pieces: see place_of and Game::piece_kind.
    virtual std::vector<std::int32_t> variable_set(VariableId variable) const = 0;

protected:
    explicit TableView(std::shared_ptr<const Machine> machine) : machine_(std::move(machine)) {}

    std::shared_ptr<const Machine> machine_;
};

}  // namespace houserule
