#include "tests/support/broken_promise.hpp"

namespace houserule {

namespace {

bool is_of_two_cases(FailureKind f) { return f == FailureKind::cases_differ || f == FailureKind::cases_overlap; }

bool holds(Span outer, Span inner) { return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end; }

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
            return p == Promise::owner;
        case no_owner:
            return p == Promise::owner || p == Promise::next;  // nobody comes after nobody
        case did_not_run_down:
            return p == Promise::runs_down;
        case not_enough_times:
            return p == Promise::times;
        case below_nothing:
            return p == Promise::counted || p == Promise::any_of || p == Promise::any_group || p == Promise::first_or_last;
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
            return p == Promise::any_of || p == Promise::first_or_last;
        case which_undecided:
            return p == Promise::any_of;
        case cases_differ:
        case cases_overlap:
            return p == Promise::agree;
        default:
            return true;
    }
}

std::vector<std::size_t> broken_among(const std::vector<Obligation>& all, FailureKind failure, Span where) {
    std::vector<std::size_t> found;
    const auto length = [&](std::size_t i) { return all[i].span.end - all[i].span.begin; };
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!may_have_broken(all[i].promise, failure)) continue;
        if (!is_of_two_cases(failure)) {
            if (all[i].span == where) found.push_back(i);
            continue;
        }
        if (!holds(all[i].span, where) || (!found.empty() && length(found.front()) < length(i))) continue;
        if (!found.empty() && length(i) < length(found.front())) found.clear();
        found.push_back(i);
    }
    return found;
}

}  // namespace houserule
