// A run whose table can be laid out by hand and whose rules can be run one by one: for the examples in rules files, and for tests. All
// other code has a Run, which cannot do that.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <set>
#include <utility>

namespace houserule {

// What expressions have read since this was last cleared. Facts that are not sets are not listed: reading one without a value fails.
struct Reads {
    std::set<PlaceId> places;
    std::set<std::pair<FactId, std::int32_t>> set_facts;  // fact and index
};

class LaidRun : public Run {
public:
    using Run::Run;

    virtual void set_fact(FactId fact, std::int32_t index, std::int32_t value) = 0;
    virtual bool put_kind(KindId kind, PlaceId place) = 0;  // a copy that is in no zone; false when there is none left
    // Exchanges a piece of each kind at these places; for tests of what a seat can know.
    virtual void exchange_kinds(PlaceId place_a, KindId kind_a, PlaceId place_b, KindId kind_b) = 0;
    // Runs one rule from its first step to its end, or to where it asks somebody: then false, and it goes on with `apply` and `advance`.
    virtual bool run_rule(StatementId statement) = 0;
    virtual Reads* reads() = 0;  // null but for a traced run
};

std::unique_ptr<LaidRun> make_laid_run(std::shared_ptr<const Machine> machine);
// The same, but slower: it records what expressions read.
std::unique_ptr<LaidRun> make_traced_run(std::shared_ptr<const Machine> machine);

}  // namespace houserule
