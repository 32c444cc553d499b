// A run whose table is laid out by hand, to see what a rule makes of it: for worked examples and tests. What plays, deduces or compares
// has a Run, which cannot do that.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <set>
#include <utility>

namespace houserule {

// What was read since it was last cleared. Facts that are no sets tell by themselves when they have no value.
struct Reads {
    std::set<PlaceId> places;
    std::set<std::pair<FactId, std::int32_t>> set_facts;  // and the index
};

class LaidRun : public Run {
public:
    using Run::Run;

    virtual void set_fact(FactId fact, std::int32_t index, std::int32_t value) = 0;
    virtual bool put_kind(KindId kind, PlaceId place) = 0;  // a copy that is in no zone; false when there is none left
    // Exchanges where two pieces lie. A test of what can be known.
    virtual void exchange_kinds(PlaceId place_a, KindId kind_a, PlaceId place_b, KindId kind_b) = 0;
    // Runs one rule from its first step to its end; false when it asked somebody.
    virtual bool run_rule(StatementId statement) = 0;
    virtual Reads* reads() = 0;  // null but for a traced run
};

std::unique_ptr<LaidRun> make_laid_run(std::shared_ptr<const Machine> machine);
// The same, slower: it notes what is read.
std::unique_ptr<LaidRun> make_traced_run(std::shared_ptr<const Machine> machine);

}  // namespace houserule
