// What is offered at a node: the possibilities and their ranks, listed or counted.
#pragma once

#include "dsl/meaning/domain.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace houserule {

class PlainOffer {
public:
    // How many moves there may be at most: more are reported as this many.
    static constexpr std::uint64_t limit = std::uint64_t{1} << 62;

    static PlainOffer range(Value low, Value high);
    static PlainOffer one_of(std::vector<Value> things);
    // `low` to `high` in all, of each thing at most so many.
    static PlainOffer several_of(std::vector<Value> things, std::vector<Value> copies, Value low, Value high);

    // Of several: only the sets of these ranks, which are ascending, from now on.
    void keep(std::vector<std::uint64_t> ranks);

    std::uint64_t moves() const { return moves_; }
    bool is_of_several() const { return several_; }
    const std::vector<Value>& things() const { return things_; }
    const std::vector<Value>& copies() const { return copies_; }
    Value thing(std::uint64_t move) const { return range_ ? low_ + move : things_[move]; }  // of one at a time
    std::vector<Value> taken(std::uint64_t move) const;                                     // of several: how many of each thing
    std::uint64_t rank(const std::vector<Value>& taken) const;  // the other way round; moves() if it is not offered

private:
    std::uint64_t ways(std::size_t from, Value size) const;

    bool range_ = false;
    bool several_ = false;
    Value low_ = 0;
    Value high_ = 0;
    std::vector<Value> things_;
    std::vector<Value> copies_;
    std::optional<std::vector<std::uint64_t>> kept_;
    std::vector<std::vector<std::uint64_t>> ways_;  // of the things from the i-th on, to take exactly so many
    std::uint64_t moves_ = 0;
};

}  // namespace houserule
