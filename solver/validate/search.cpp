#include "solver/validate/search.hpp"

#include "dsl/check/check.hpp"
#include "solver/findings/texts.hpp"
#include "solver/validate/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace houserule {

namespace {

constexpr std::size_t values_tried = 4;  // of an option or reading

}  // namespace

bool Search::any_wanted(std::initializer_list<FindingClass> classes) const {
    return std::any_of(classes.begin(), classes.end(), [&](FindingClass c) { return wanted(c); });
}

Game Search::game(int players, const Settings& settings) const {
    Diagnostics ignored;
    return check(syntax, players, settings, ignored);
}

std::vector<Settings> Search::with_one_other(const std::function<bool(const Offer&)>& is_meant) const {
    std::vector<Settings> all;
    for (const Offer& offer : offers(syntax)) {
        if (limits.settings.contains(offer.name) || !is_meant(offer)) continue;
        for (std::size_t v = 1; v < offer.values.size() && v < values_tried; ++v) {
            all.push_back(limits.settings);
            all.back()[offer.name] = offer.values[v];
        }
    }
    return all;
}

Deadline Search::by(double share) const {
    if (!limits.milliseconds) return Deadline::never(limits.stop);
    return {begin + std::chrono::milliseconds(part_of_work(*limits.milliseconds, share)), limits.stop};
}

Sentence Search::out_of_time() const { return asked(limits.stop) ? Sentence{FindingText::interrupted} : Sentence{FindingText::time}; }

void Search::tell(Sentence doing, std::size_t done, std::size_t of) const {
    if (progress) progress({std::move(doing), done, of});
}

void Search::in_parallel(std::size_t tasks, const Sentence& doing, const std::function<void(std::size_t)>& task) const {
    const Deadline until = by(1);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const auto work = [&](unsigned, const std::stop_token& halt) {
        for (std::size_t i = next++; i < tasks && !halt.stop_requested() && !until.over(); i = next++) {
            task(i);
            ++done;
        }
    };
    work_together(std::max(1U, limits.threads), work, [&] {
        tell(doing, done, tasks);
        return !until.over();
    });
}

void Search::not_looked_at(NotLookedAt what) {
    result.cut_off = true;
    result.not_looked_at.push_back(std::move(what));
}

void Search::missed(std::size_t count, std::size_t of, const Sentence& what) {
    if (count == 0) return;
    const Sentence why = out_of_time();
    result.limits.emplace_back(FindingText::not_reached(count, of, what, why));
}

void Search::cut_short(std::size_t count, std::size_t of, const Sentence& what) {
    if (count == 0) return;
    const Sentence why = FindingText::limit_of_work;
    result.limits.emplace_back(FindingText::not_reached(count, of, what, why));
}

}  // namespace houserule
