#include "tests/random/proofs.hpp"

#include "solver/prove/prove.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace houserule::random_games {

namespace {

// That of a number of rounds and calls is no promise of the text.
bool is_of_the_text(FailureKind f) {
    return f != FailureKind::goes_on_for_ever && f != FailureKind::acts_do_not_end && f != FailureKind::too_many_choices &&
           f != FailureKind::stopped;
}

std::string told(const Machine& machine, const Broken& b, const std::vector<std::uint64_t>& answers) {
    Failure f;
    f.kind = b.kind;
    return fmt::format("{} at {}-{} (failure {}), after the answers {}", text(machine.game, f), b.span.begin, b.span.end,
                       static_cast<int>(b.kind), fmt::join(answers, " "));
}

}  // namespace

bool may_have_broken(Promise p, FailureKind failure) {
    using enum FailureKind;
    switch (failure) {
        case does_not_fit:
        case takes_only:
            return p == Promise::room;
        case cannot_become:
            return p == Promise::fits;
        case no_case:
            return p == Promise::covered;
        case none_as_number:
            return p == Promise::number;
        case nobody_here:
        case none_here:
        case no_owner:
            return p == Promise::owner;
        case did_not_run_down:
            return p == Promise::runs_down;
        case not_enough_times:
            return p == Promise::times;
        case below_nothing:
            return p == Promise::counted || p == Promise::any_of || p == Promise::any_group;
        case nothing_to_choose:
            return p == Promise::something;
        case no_card_to_deal:
            return p == Promise::enough;
        case nothing_to_report:
            return p == Promise::reported;
        case read_before_set:
            return p == Promise::given;
        case nothing_to_read:
        case no_such_value:
            return p == Promise::field;
        case no_card:
            return p == Promise::first_or_last || p == Promise::room_for_one;
        case no_card_fits:
        case several_cards_fit:
        case nothing_fits:
        case several_fit:
            return p == Promise::the || p == Promise::room_for_one;
        case division_by_nothing:
            return p == Promise::division;
        case nobody_next:
            return p == Promise::next;
        case nothing_to_compare:
            return p == Promise::extreme;
        case group_undecided:
            return p == Promise::any_group;
        case not_so_many:
        case which_undecided:
            return p == Promise::any_of;
        default:
            return true;
    }
}

std::optional<FalseProof> false_proof(const Machine& machine, const PlayedGames& played, std::uint64_t work, Coverage& coverage) {
    ProveLimits limits;
    limits.work = work;
    const std::vector<Obligation> all = prove(machine.game, limits);
    std::vector<bool> broke(all.size(), false);
    for (const auto& [b, answers] : played.broken) {
        if (!is_of_the_text(b.kind)) continue;
        bool any = false;
        bool open = false;
        Promise promise = Promise::the;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!(all[i].span == b.span) || !may_have_broken(all[i].promise, b.kind)) continue;
            broke[i] = any = true;
            open = open || !all[i].proved;
            promise = all[i].promise;
        }
        if (!any)
            return FalseProof{fmt::format("a promise that is not listed: {}", text(machine.game, {b.kind, {}, no_id, no_id, 0})),
                              told(machine, b, answers)};
        if (!open) return FalseProof{"proved and broken: " + promise_words(promise).en, told(machine, b, answers)};
    }
    if (!played.whole) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (broke[i]) continue;
        ++coverage["promises that hold"];
        if (all[i].proved) ++coverage["promises that hold, proved"];
        ++coverage[fmt::format("promises that hold, {}: {}", all[i].proved ? "proved" : "not proved", promise_words(all[i].promise).en)];
    }
    return std::nullopt;
}

}  // namespace houserule::random_games
