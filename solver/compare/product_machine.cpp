#include "solver/compare/product_machine.hpp"

#include <algorithm>
#include <bit>

namespace houserule {

namespace {

// Whether nothing need be done here, if nobody wants.
bool can_decline(const Run& run) {
    return run.node().kind == NodeKind::consent || run.node().kind == NodeKind::ask || run.node().kind == NodeKind::window;
}

JointState apart(Parting::How how) { return {Standing::apart, how, {}}; }

}  // namespace

bool is_forced(const Run& run) { return run.node().kind == NodeKind::choose && run.node().moves == 1; }

bool is_of_players(NodeKind kind) { return kind == NodeKind::choose || kind == NodeKind::consent || kind == NodeKind::ask; }

std::size_t decisions_of(const Run& run, std::uint64_t move) {
    switch (run.node().kind) {
        case NodeKind::choose:
            return (step_of(run).mode & choice_optional) == 0 ? 1 : 0;
        case NodeKind::consent:
        case NodeKind::ask:
            return 1;
        case NodeKind::window:
            return std::popcount(move);
        case NodeKind::draw:
        case NodeKind::lot:
        case NodeKind::report:
        case NodeKind::over:
        case NodeKind::failed:
            break;
    }
    return 0;
}

SideBySide::SideBySide(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, std::uint64_t forced)
    : first_(make_run(first)), second_(make_run(second)), mapping_(first_->machine(), second_->machine()) {
    first_->limit_forced(forced);
    second_->limit_forced(forced);
}

void SideBySide::stop_on(const Stop* stop) {
    first_->stop_on(stop);
    second_->stop_on(stop);
}

void SideBySide::start() {
    first_->ask_forced(false);
    second_->ask_forced(false);
    first_->start();
    second_->start();
}

void SideBySide::save(Both& both) const {
    both.first.assign(first_->state().begin(), first_->state().end());
    both.second.assign(second_->state().begin(), second_->state().end());
}

void SideBySide::go_to(const Both& both) { return_to(both, false); }

void SideBySide::return_to(const Both& both, bool ask_forced) {
    first_->ask_forced(ask_forced);
    second_->ask_forced(ask_forced);
    first_->set_state(both.first);
    second_->set_state(both.second);
    first_->advance();
    second_->advance();
}

void SideBySide::apply(Answers answers) {
    first_->apply(answers.first);
    second_->apply(answers.second);
    first_->ask_forced(false);
    second_->ask_forced(false);
}

std::optional<Answers> SideBySide::together(std::uint64_t move) {
    const auto other = mapping_.counterpart(Side::first, *first_, move, *second_);
    return other ? std::optional(Answers{move, *other}) : std::nullopt;
}

// To the next node but windows inside the steps, at which nobody acts: how many there were.
std::uint64_t SideBySide::go_on(Run& run, const Inside* steps) {
    std::uint64_t passed = 0;
    for (run.advance(); steps != nullptr && steps->holds(run); run.advance()) {
        run.apply(0);
        ++passed;
    }
    return passed;
}

JointState SideBySide::meet() {
    passed_.first = go_on(*first_, inside_.first.get());
    passed_.second = go_on(*second_, inside_.second.get());
    return compared();
}

JointState SideBySide::compared() {
    const NodeKind a = first_->node().kind;
    const NodeKind b = second_->node().kind;
    if (is_stopped(*first_) || is_stopped(*second_)) {
        was_stopped_ = true;
        return {Standing::broken, {}, {}};
    }
    if (a == NodeKind::failed || b == NodeKind::failed) return a == b ? JointState{Standing::broken, {}, {}} : apart(Parting::How::broken);
    if (a == NodeKind::over && b == NodeKind::over) {
        const GameResult x = outcome_of(*first_);
        const GameResult y = outcome_of(*second_);
        if (!x.winners && !y.winners) return {Standing::broken, {}, {}};
        if (!x.winners || !y.winners) return apart(Parting::How::broken);
        if (x.end != y.end) return apart(Parting::How::over);
        return mapping_.outcomes_alike(x, y) ? JointState{Standing::over, {}, {}} : apart(Parting::How::result);
    }
    if (a == NodeKind::over || b == NodeKind::over) return apart(Parting::How::over);
    if (!mapping_.ask_alike(*first_, *second_)) return apart(Parting::How::asked);
    if (!mapping_.table_alike(*first_, *second_)) return apart(Parting::How::table);
    JointState m;
    m.offers = mapping_.offers(*first_, *second_);
    if (m.offers.alike) return m;
    m.standing = Standing::apart;
    m.how = Parting::How::offered;
    return m;
}

JointState SideBySide::realigned(const JointState& found, const Both& before, std::optional<Answers> last) {
    if (found.standing != Standing::apart || (found.how != Parting::How::asked && found.how != Parting::How::over)) return found;
    Both here;
    save(here);
    if (last) {
        return_to(before, true);
        first_->apply(last->first);
        second_->apply(last->second);
    } else {
        start();
        first_->ask_forced(true);
        second_->ask_forced(true);
    }
    // The choices with one possibility that each takes before it really waits; each loop is one of them. Rules that take them for ever
    // would not be left.
    constexpr int forced_choices = 1'000;
    for (int i = 0; i < forced_choices; ++i) {
        first_->advance();
        second_->advance();
        const bool a = is_forced(*first_);
        const bool b = is_forced(*second_);
        if (!a && !b) break;
        const bool asks_same =
            first_->node().seat == second_->node().seat && is_of_players(first_->node().kind) && is_of_players(second_->node().kind);
        if (asks_same) {
            const JointState m = compared();
            if (m.standing == Standing::apart) return m;
        }
        if (a) first_->apply(0);
        if (b && (!a || asks_same)) second_->apply(0);
    }
    go_to(here);
    return found;
}

std::optional<Answers> SideBySide::any_common(Random& random) {
    const Node& n = first_->node();
    if (n.kind == NodeKind::window) return together(random_move(*first_, random)).value_or(Answers{0, 0});
    const std::uint64_t from = random.below(n.moves);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n.moves, 256); ++i)
        if (const auto answers = together((from + i) % n.moves)) return answers;
    return std::nullopt;
}

bool SideBySide::may_for_must(More& more, JointState& found) {
    const NodeKind a = first_->node().kind;
    const NodeKind b = second_->node().kind;
    const bool first_may = a == NodeKind::consent && b == NodeKind::choose;
    const bool second_may = b == NodeKind::consent && a == NodeKind::choose;
    if ((!first_may && !second_may) || first_->node().seat != second_->node().seat) return false;
    Run& may = first_may ? *first_ : *second_;
    (first_may ? more.first : more.second) = true;
    may.ask_forced(true);
    may.apply(1);
    may.advance();
    found = compared();
    return true;
}

bool SideBySide::decline(More& more, JointState& found) {
    constexpr int in_a_row = 16;  // something offered to each of ten players, one after the other
    Both here;
    save(here);
    for (const Side side : {Side::first, Side::second}) {
        Run& run = side == Side::first ? *first_ : *second_;
        for (int i = 0; i < in_a_row && can_decline(run); ++i) {
            run.apply(0);
            const JointState m = meet();
            if (m.standing == Standing::apart && m.how != Parting::How::offered) continue;
            (side == Side::first ? more.first : more.second) = true;
            found = m;
            return true;
        }
        go_to(here);
    }
    return false;
}

void SideBySide::look_on(JointState found, Random& random, int nodes, More& more) {
    Both before;
    for (; nodes > 0 && !(more.other || (more.first && more.second)); --nodes) {
        if (found.standing == Standing::over || found.standing == Standing::broken) return;
        if (found.standing == Standing::apart && found.how == Parting::How::asked) {
            if (may_for_must(more, found) || decline(more, found)) continue;
            more.other = true;
            return;
        }
        if (found.standing == Standing::apart && found.how != Parting::How::offered) {
            more.other = true;
            return;
        }
        if (found.standing == Standing::apart) {
            more.first = more.first || !found.offers.only_first.empty();
            more.second = more.second || !found.offers.only_second.empty();
            // Fewer ways to draw, or the same at other odds, are no offer.
            more.other =
                more.other || !found.offers.listed || !(is_of_players(first_->node().kind) || first_->node().kind == NodeKind::window);
        }
        const auto answers = any_common(random);
        if (!answers) return;
        save(before);
        apply(*answers);
        found = realigned(meet(), before, answers);
    }
}

}  // namespace houserule
