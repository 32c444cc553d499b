// Where a compiled game keeps variables and facts: those that are found by their name alone in locals, all others in the bytes of the
// state; and which state an expression reads.
//
// During simultaneous effects, facts and places are read as they were before them: from a copy of the state, and of the locals.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <set>
#include <string>
#include <vector>

namespace houserule {

enum ReadFrom : std::uint8_t { reads_none = 0, reads_present = 1, reads_before = 2, reads_either = 3 };

class Storage {
public:
    // `locals`: else everything stays in the state.
    Storage(const Machine& machine, bool locals);

    // By step: which state its expressions may read.
    ReadFrom reads(StepId step) const { return reads_[step]; }
    bool ever_reads_before() const { return ever_before_; }

    std::string variable(VariableId v) const;
    std::string put_variable(VariableId v, const std::string& value) const;
    // `index` as text, or empty for a fact without one.
    std::string fact(FactId f, const std::string& index, ReadFrom reads) const;
    std::string put_fact(FactId f, const std::string& index, const std::string& value) const;
    std::string given(FactId f, const std::string& index, ReadFrom reads) const;
    // Something in the bytes of the state; with an index, of so many that follow each other.
    std::string number_at(std::uint32_t at, const std::string& index, ReadFrom reads, std::uint32_t count = 1) const;
    std::string mask_at(std::uint32_t at, const std::string& index, ReadFrom reads, std::uint32_t count = 1) const;
    // The bytes of the state that is read: any of them, or only those from `at` on.
    std::string state_read(ReadFrom reads) const;
    std::string state_read(ReadFrom reads, std::uint32_t at, std::uint32_t bytes) const;

    std::vector<std::string> declared() const;     // the locals, as they are in the state
    std::vector<std::string> kept_before() const;  // where effects begin: the locals as they are
    std::string copied_before() const;             // the bytes of the state that have been read so up to now
    // All locals go to the state; `at_end`: only those that are read when the game is over, facts and the variables that are `read`.
    std::vector<std::string> written_back(bool at_end, const std::set<VariableId>& read) const;
    // The variables that were asked for in the bytes of the state.
    const std::set<VariableId>& read_variables() const { return read_variables_; }
    // Variables that a `store` or `load` finds by a player follow each other; else a reason.
    bool slots_follow() const { return slots_follow_; }

private:
    void find_reads();
    void find_slots();

    const Machine& m_;
    Store<VariableId, bool> is_local_;
    Store<FactId, bool> is_local_fact_;
    Store<StepId, ReadFrom> reads_;
    bool ever_before_ = false;
    mutable std::set<VariableId> read_variables_;
    mutable std::set<std::uint32_t> read_before_;  // words of four bytes, from the beginning of the state
    bool slots_follow_ = true;
};

}  // namespace houserule
