#include "solver/deduce/deals.hpp"

#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace houserule {

namespace {

constexpr std::size_t clock_states = 256;

// Where hidden moves have led: the state at a node, how much of what was seen has happened, and what was decided together with others and
// is not heard of yet.
struct Position {
    std::vector<std::byte> state;
    std::size_t seen = 0;
    Events unheard;
};
using Positions = std::vector<Position>;

// What can come of one draw or lot, or of several.
struct Outcome {
    Rational chance = 0;
    Positions positions;
};

class Dealing {
public:
    Dealing(const std::shared_ptr<const Machine>& machine, int seat, const Events& seen, const std::vector<TableQuestion>& questions,
            DealLimits limits)
        : run_(make_run(machine)), seat_(seat), seen_(seen), questions_(questions), limits_(limits) {
        run_->stop_on(limits.until.stop());
        deals_.of.assign(questions.size(), Rational(0));
    }

    Deals weigh();

private:
    enum class Fit { no, so_far, whole };

    bool go_on(Positions positions, const Rational& weight, std::map<std::int32_t, Outcome>& outcomes);
    std::vector<std::vector<std::byte>> key_of(const Positions& positions);
    void end_here(std::vector<bool>& can_be) const;
    bool make_moves(const Position& at, const Node& node, Positions& reached);
    bool let_fall(const Position& at, const Node& node, std::map<std::int32_t, Outcome>& outcomes);
    std::optional<Position> arrive(const Position& before);
    Fit compare(const Events& happened, std::size_t& seen, std::size_t& heard) const;
    std::optional<std::size_t> matched(const Events& events, std::size_t from, std::size_t seen, bool own_only) const;
    bool is_deal(const Node& node) const;
    bool is_asked_so() const { return ends_here(*run_, seat_, limits_.question, limits_.at_lots); }
    bool stop(LimitKind kind, std::uint64_t number = 0) {
        deals_.limit = {kind, number};
        return false;
    }
    bool count_state() {
        if (++states_ > limits_.states) return stop(LimitKind::too_many_states, limits_.states);
        if (states_ % clock_states == 0 && limits_.until.over()) return stop(LimitKind::out_of_time);
        return true;
    }

    std::unique_ptr<Run> run_;
    int seat_;
    const Events& seen_;
    const std::vector<TableQuestion>& questions_;
    DealLimits limits_;
    Deals deals_;
    std::size_t states_ = 0;
    std::size_t apart_ = 0;
};

// A card off a stack, or a lot; a card that is drawn blindly from a hand is a move.
bool Dealing::is_deal(const Node& node) const {
    const Step& s = run_->machine().code[node.step];
    return node.kind == NodeKind::lot || (node.kind == NodeKind::draw && s.mode != 1);
}

std::optional<std::size_t> Dealing::matched(const Events& events, std::size_t from, std::size_t seen, bool own_only) const {
    for (std::size_t i = from; i < events.size(); ++i) {
        if (own_only && events[i].seat != seat_) continue;
        const auto e = noticed(events[i], seat_);
        if (!e) continue;
        if (seen == seen_.size() || !is_told_as(*e, seen_[seen])) return std::nullopt;
        ++seen;
    }
    return seen;
}

// What was decided together with others is heard of when all have decided; of their own each seat knows before.
Dealing::Fit Dealing::compare(const Events& happened, std::size_t& seen, std::size_t& heard) const {
    heard = settled(happened);
    const auto so_far = matched(Events(happened.begin(), happened.begin() + heard), 0, seen, false);
    if (!so_far) return Fit::no;
    seen = *so_far;
    const auto own = matched(happened, heard, seen, true);
    if (own == seen_.size()) return Fit::whole;
    return own || matched(happened, heard, seen, false) ? Fit::so_far : Fit::no;
}

// The position at the next node; nothing if what happens on the way was not seen so.
std::optional<Position> Dealing::arrive(const Position& before) {
    Events happened = before.unheard;
    run_->record(&happened);
    const Node node = run_->advance();
    run_->record(nullptr);
    Position here{{run_->state().begin(), run_->state().end()}, before.seen, {}};
    std::size_t heard = 0;
    if (node.kind == NodeKind::failed || compare(happened, here.seen, heard) == Fit::no) return std::nullopt;
    here.unheard.assign(happened.begin() + heard, happened.end());
    return here;
}

void Dealing::end_here(std::vector<bool>& can_be) const {
    for (std::size_t q = 0; q < questions_.size(); ++q) can_be[q] = can_be[q] || questions_[q](*run_);
}

// Every move, and every card that may be drawn blindly.
bool Dealing::make_moves(const Position& at, const Node& node, Positions& reached) {
    std::set<std::int32_t> drawn;
    for (std::uint64_t move = 0; move < node.moves; ++move) {
        if (node.kind == NodeKind::window && (move & ~std::uint64_t{node.seats}) != 0) continue;
        if (!count_state()) return false;
        run_->set_state(at.state);
        run_->advance();
        if (node.kind == NodeKind::draw && !drawn.insert(run_->meaning(move).values[0]).second) continue;
        Position before = at;
        run_->record(&before.unheard);
        run_->apply(move);
        if (auto p = arrive(before)) reached.push_back(std::move(*p));
    }
    return true;
}

bool Dealing::let_fall(const Position& at, const Node& node, std::map<std::int32_t, Outcome>& outcomes) {
    std::map<std::int32_t, std::pair<std::uint64_t, std::uint64_t>> falls;  // by what it is: how much of all, and a move
    std::uint64_t all = 0;
    for (std::uint64_t move = 0; move < node.moves; ++move) {
        auto& [weight, representative] = falls[run_->meaning(move).values[0]];
        weight += run_->outcome_weight(move);
        all += run_->outcome_weight(move);
        representative = move;
    }
    for (const auto& [what, fall] : falls) {
        if (fall.first == 0) continue;
        if (!count_state()) return false;
        run_->set_state(at.state);
        run_->advance();
        Position before = at;
        run_->record(&before.unheard);
        run_->apply(fall.second);
        auto p = arrive(before);
        if (!p) continue;
        Outcome& outcome = outcomes[what];
        const Rational chance(fall.first, all);
        if (!outcome.positions.empty() && outcome.chance != chance) return stop(LimitKind::deals_depend);
        outcome.chance = chance;
        outcome.positions.push_back(std::move(*p));
    }
    return true;
}

// From all positions that hidden moves lead to in a deal so far: what can fall next, or whether it ends here. False when a limit was hit.
bool Dealing::go_on(Positions positions, const Rational& weight, std::map<std::int32_t, Outcome>& outcomes) {
    std::set<std::pair<std::size_t, std::vector<std::byte>>> met;
    std::vector<bool> can_be(questions_.size(), false);
    bool ends = false;
    while (!positions.empty()) {
        const Position here = std::move(positions.back());
        positions.pop_back();
        if (here.unheard.empty() && !met.emplace(here.seen, here.state).second) continue;
        run_->set_state(here.state);
        const Node node = run_->advance();
        std::size_t seen = here.seen;
        std::size_t heard = 0;
        if (compare(here.unheard, seen, heard) == Fit::whole && is_asked_so()) {
            ends = true;
            end_here(can_be);
        } else if (node.kind == NodeKind::over) {
            continue;
        } else if (!(is_deal(node) ? let_fall(here, node, outcomes) : make_moves(here, node, positions))) {
            return false;
        }
    }
    if (!ends) return true;
    // Where it ends in some and goes on in others, what a deal is would depend on the moves.
    if (!outcomes.empty()) return stop(LimitKind::deals_depend);
    deals_.all += weight;
    for (std::size_t q = 0; q < can_be.size(); ++q)
        if (can_be[q]) deals_.of[q] += weight;
    return true;
}

// Equal for deals that have led to the same positions, in whatever order the cards came.
std::vector<std::vector<std::byte>> Dealing::key_of(const Positions& positions) {
    std::vector<std::vector<std::byte>> key;
    for (const Position& p : positions) {
        key.push_back(p.state);
        const std::size_t apart = p.unheard.empty() ? 0 : ++apart_;  // what was not heard of is not compared
        for (const std::size_t n : {p.seen, apart})
            for (unsigned byte = 0; byte < sizeof n; ++byte) key.back().push_back(static_cast<std::byte>(n >> (8 * byte) & 0xFF));
    }
    std::sort(key.begin(), key.end());
    return key;
}

Deals Dealing::weigh() {
    run_->ask_forced(true);
    run_->start();
    std::map<std::vector<std::vector<std::byte>>, Outcome> here;  // after so many draws and lots
    if (auto p = arrive({})) here[{}] = {1, {std::move(*p)}};
    while (!here.empty()) {
        std::map<std::vector<std::vector<std::byte>>, Outcome> next;
        for (auto& [key, deal] : here) {
            std::map<std::int32_t, Outcome> outcomes;
            if (!go_on(std::move(deal.positions), deal.chance, outcomes)) return std::move(deals_);
            for (auto& [what, outcome] : outcomes) {
                Outcome& same = next[key_of(outcome.positions)];
                same.chance += deal.chance * outcome.chance;
                if (same.positions.empty()) same.positions = std::move(outcome.positions);
            }
        }
        here = std::move(next);
    }
    if (deals_.all == 0) stop(LimitKind::deals_cut_short);
    return std::move(deals_);
}

}  // namespace

Deals weigh_deals(const std::shared_ptr<const Machine>& machine, int seat, const Events& seen, const std::vector<TableQuestion>& questions,
                  DealLimits limits) {
    Deals deals = Dealing(machine, seat, seen, questions, limits).weigh();
    if (limits.until.asked() && !deals.limit.hit()) deals.limit = {LimitKind::out_of_time};  // a run may have been stopped on the way
    return deals;
}

}  // namespace houserule
