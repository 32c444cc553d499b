// What all parts of one validation share: the rules, the limits, and where what is found goes. For solver/validate only.
#pragma once

#include "solver/validate/tasks.hpp"
#include "solver/validate/validate.hpp"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <vector>

namespace houserule {

struct Search {
    const Syntax& syntax;
    ValidateLimits limits;
    const std::function<void(const ValidateProgress&)>& progress;
    Deadline::Clock::time_point begin = Deadline::Clock::now();
    int low = 0;  // numbers of players
    int high = 0;
    Validation result;
    std::optional<ShareOfTasks> own_tasks;  // nothing but these tasks is done, and what they come to is kept
    TaskResults known;                      // of tasks that are done already

    std::size_t numbers() const { return high - low + 1; }
    bool wanted(FindingClass c) const { return limits.only.empty() || limits.only.contains(c); }
    bool any_wanted(std::initializer_list<FindingClass> classes) const;
    Game game(int players, const Settings& settings) const;
    // The settings at hand with one option or reading otherwise; not all values of a long range.
    std::vector<Settings> with_one_other(const std::function<bool(const Offer&)>& is_meant) const;

    // The end of that share of the time, if there is one.
    Deadline by(double share) const;
    Sentence out_of_time() const;
    void tell(Sentence doing, std::size_t done, std::size_t of) const;
    // Tasks that do not depend on each other, each once, in any order, until there is no more time.
    void in_parallel(std::size_t tasks, const Sentence& doing, const std::function<void(std::size_t)>& task) const;

    void not_looked_at(NotLookedAt what);
    // Says that so many of all were not reached in time, or did not get far enough within the limit of work to say anything, if any.
    // `what`: in words, after the numbers.
    void missed(std::size_t count, std::size_t of, const Sentence& what);
    void cut_short(std::size_t count, std::size_t of, const Sentence& what);
};

}  // namespace houserule
