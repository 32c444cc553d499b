#include "interpreter/tree/explore.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/tree/expected.hpp"
#include "interpreter/tree/fingerprint.hpp"
#include "interpreter/tree/information_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace houserule {

namespace {

// A win shared by up to ten players is a whole number of parts.
constexpr std::int32_t win_parts = 2520;

// Where the machine waits on the path to the history at hand. Several of them may be one node of the tree.
struct Level {
    NodeKind kind = NodeKind::choose;
    bool joint = false;
    bool first = true;  // none of its moves was made yet
    Seats seats = 0;    // of a window
    StepId step = no_id;
    std::uint64_t moves = 0;  // of a window: subsets of its seats, counted up
    std::uint64_t next = 0;
    std::uint64_t taken = 0;  // the move that was made last
    std::uint64_t times = 1;  // so many histories, alike but for the copies that were drawn, are walked as this one
    bool opens = true;        // a node of the tree
};

// A node of the tree on that path.
struct Branching {
    explicit Branching(std::size_t seats) : sum(seats) {}

    std::size_t level = 0;      // where it begins
    Seats asked = 0;            // whose information sets have been noted
    std::uint64_t weight = 1;   // of this node among its siblings
    std::uint64_t weights = 0;  // of its branches so far
    Expected sum;               // over them
};

// The lowest bits of `move` spread over the bits of `seats`.
std::uint64_t subset(Seats seats, std::uint64_t move) {
    std::uint64_t who = 0;
    for (std::uint64_t rest = seats; rest != 0; rest &= rest - 1, move >>= 1)
        if ((move & 1) != 0) who |= rest & (0 - rest);
    return who;
}

}  // namespace

class Exploration::Walk {
public:
    Walk(std::shared_ptr<const Machine> machine, ExploreLimits limits, bool keep_forced, TreeShare share)
        : run_(make_run(std::move(machine))),
          limits_(limits),
          share_(std::move(share)),
          players_(game().players),
          sets_(players_),
          value_(players_) {
        copies_ = has_copies(game());
        state_bytes_ = run_->state().size();
        views_.resize(players_);
        run_->ask_forced(keep_forced);
        run_->stop_on(limits.stop);
        run_->record(&events_);
        run_->start();
    }

    bool go_on(std::uint64_t branches) {
        if (found_.state != ExploreState::unfinished || stopped_) return false;
        if (!begun_) {
            begun_ = true;
            arrive(1, 1);
        }
        for (; branches != 0 && found_.state == ExploreState::unfinished && !stopped_; --branches) {
            look();
            if (levels_.empty())
                found_.state = ExploreState::complete;
            else if (levels_.back().next == levels_.back().moves)
                go_back();
            else
                take_next();
        }
        return found_.state == ExploreState::unfinished && !stopped_;
    }
    std::uint64_t walked() const { return found_.walked; }

    Explored result() const {
        Explored found = found_;
        found.information_sets = sets_.by_seat();
        found.ev_of_payoff = game().payoff != no_id;
        if (found.state == ExploreState::complete) conclude(found, game(), sets_.by_histories(), value_);
        return found;
    }
    ExploredShare take_share() {
        found_.information_sets = sets_.by_seat();
        return {std::move(found_), std::move(value_), sets_.take()};
    }

private:
    const Game& game() const { return run_->machine().game; }
    const Step& step(StepId i) const { return run_->machine().code[i]; }
    std::byte* state_of(std::size_t level) { return states_.data() + level * state_bytes_; }
    Fingerprint* views_of(std::size_t level) { return kept_views_.data() + level * players_; }

    // Whether somebody wants no more, now and then.
    void look() {
        const std::uint64_t work = run_->work();
        if (work < next_look_) return;
        next_look_ = work + steps_between_looks;
        stopped_ = work >= limits_.work || over(limits_.stop);
    }

    // ---- down

    void take_next() {
        const std::size_t at = levels_.size() - 1;
        Level& l = levels_[at];
        if (!std::exchange(l.first, false)) {
            run_->set_state({state_of(at), state_bytes_});
            run_->advance();
            std::copy_n(views_of(at), players_, views_.begin());
        }
        l.taken = l.kind == NodeKind::window ? subset(l.seats, l.next) : l.next;
        ++l.next;
        std::uint64_t weight = 1;
        std::uint64_t copies = 1;
        if (l.kind == NodeKind::lot || l.kind == NodeKind::report) weight = run_->outcome_weight(l.taken);
        if (l.kind == NodeKind::draw && copies_) weight = copies = draw_copies(l);
        if (l.kind == NodeKind::window) note_passes(l);
        events_.clear();
        std::uint64_t times = 0;
        if (__builtin_mul_overflow(l.times, copies, &times)) return stop(ExploreState::at_count);
        run_->apply(l.taken);
        arrive(times, weight);
    }
    // Copies of a kind stand side by side among what can be drawn, and it makes no difference which is.
    std::uint64_t draw_copies(Level& l) {
        const std::int32_t kind = run_->meaning(l.taken).values[0];
        std::uint64_t n = 1;
        for (; l.next != l.moves && run_->meaning(l.next).values[0] == kind; ++l.next) ++n;
        return n;
    }
    // Nobody else notices, but who lets a moment pass knows it.
    void note_passes(const Level& l) {
        const std::uint64_t act = step(l.step).a.value();
        for (std::size_t p = 0; p < players_; ++p)
            if ((l.seats >> p & 1) != 0 && (l.taken >> p & 1) == 0) views_[p].add(~act);
    }

    // At the next node of the machine, `times` histories that came by a branch of that weight.
    void arrive(std::uint64_t times, std::uint64_t weight) {
        const Node& n = run_->advance();
        if (is_stopped(*run_)) {
            stopped_ = true;
            return;
        }
        if (!levels_.empty() && goes_on(levels_.back(), n)) return wait_at(n, times, false);
        if (is_shared() && open_ == share_.depth && !share_.takes(subtrees_++)) return pass_by(weight);
        if (!counts(open_)) return n.kind == NodeKind::over || n.kind == NodeKind::failed ? pass_by(weight) : open(n, times, weight);
        if (found_.walked == limits_.nodes) return stop(ExploreState::at_nodes);
        if (times > std::numeric_limits<std::uint64_t>::max() - found_.histories) return stop(ExploreState::at_count);
        ++found_.walked;
        found_.histories += times;
        switch (n.kind) {
            case NodeKind::over:
                return end(times, weight);
            case NodeKind::failed:
                return break_off(times);
            case NodeKind::choose:
            case NodeKind::consent:
            case NodeKind::ask:
                (n.joint ? found_.simultaneous : found_.decision) += times;
                break;
            case NodeKind::window:
                found_.simultaneous += times;
                break;
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                found_.chance += times;
                break;
        }
        open(n, times, weight);
    }
    void open(const Node& n, std::uint64_t times, std::uint64_t weight) {
        if (open_ == branchings_.size()) branchings_.emplace_back(players_);
        Branching& b = branchings_[open_++];
        found_.depth = std::max<std::uint64_t>(found_.depth, open_);
        b.level = levels_.size();
        b.asked = 0;
        b.weight = weight;
        b.weights = 0;
        b.sum.clear();
        wait_at(n, times, true);
    }
    // ---- a share of the tree

    bool is_shared() const { return share_.takes != nullptr; }
    // Whether a node with so many above it is counted here.
    bool counts(std::uint64_t above) const { return !is_shared() || share_.top || above >= share_.depth; }
    // What is expected of such a node, another walk adds.
    void pass_by(std::uint64_t weight) {
        if (open_ != 0) branchings_[open_ - 1].weights += weight;
    }

    // Whether a node of the machine is a further part of the node of the tree at which `l` waits: what, after `may`; what another
    // decides at the same time.
    static bool goes_on(const Level& l, const Node& n) {
        if (n.kind != NodeKind::choose) return false;
        if (l.kind == NodeKind::consent) return l.taken != 0 && n.step == l.step;
        return n.joint && !n.settled && (l.joint || (l.kind == NodeKind::window && l.taken != 0));
    }
    void wait_at(const Node& n, std::uint64_t times, bool opens) {
        for (const Event& e : events_) note(e, views_);
        events_.clear();
        if (!make_room()) return;
        const std::size_t at = levels_.size();
        levels_.push_back({n.kind, n.joint, true, n.seats, n.step,
                           n.kind == NodeKind::window ? std::uint64_t{1} << std::popcount(n.seats) : n.moves, 0, 0, times, opens});
        std::memcpy(state_of(at), run_->state().data(), state_bytes_);
        std::copy(views_.begin(), views_.end(), views_of(at));
        const Seats seats = n.kind == NodeKind::window ? n.seats : n.seat >= 0 ? seat_bit(n.seat) : no_seats;
        if (seats != no_seats) note_asked(n, seats, times);
    }
    void note_asked(const Node& n, Seats seats, std::uint64_t times) {
        if (!counts(open_ - 1)) return;
        Branching& b = branchings_[open_ - 1];
        for (std::size_t p = 0; p < players_; ++p) {
            if (((seats & ~b.asked) >> p & 1) == 0) continue;
            Fingerprint set = views_of(b.level)[p];
            set.add(question(n));
            if (!sets_.add(p, set, times, table_room())) return stop(ExploreState::at_memory);
        }
        b.asked |= seats;
    }
    // Which sentence of the rules asks; an act asks in the same words wherever it is offered.
    std::uint64_t question(const Node& n) const {
        const Step& s = step(n.step);
        if (n.kind == NodeKind::window) return static_cast<std::uint64_t>(s.a.value()) << 2;
        return s.statement != no_id ? static_cast<std::uint64_t>(s.statement.value()) << 2 | 1
                                    : static_cast<std::uint64_t>(n.step.value()) << 2 | 2;
    }

    // ---- the end of a history, and back

    void end(std::uint64_t times, std::uint64_t weight) {
        found_.terminal += times;
        std::vector<std::int32_t> paid(players_, 0);
        if (game().payoff != no_id) {
            paid = run_->payoffs();
            if (std::find(paid.begin(), paid.end(), std::numeric_limits<std::int32_t>::min()) != paid.end()) return break_at_end(times);
        } else if (const auto winners = run_->in_front()) {
            for (const std::int32_t p : *winners) paid[p] = win_parts / static_cast<std::int32_t>(winners->size());
        } else {
            return break_at_end(times);
        }
        if (open_ == 0) return value_.add(paid, 1);
        Branching& b = branchings_[open_ - 1];
        b.sum.add(paid, weight);
        b.weights += weight;
    }
    void break_at_end(std::uint64_t times) {
        found_.terminal -= times;
        break_off(times);
    }
    void break_off(std::uint64_t times) {
        found_.broken += times;
        const Failure& f = run_->failure();
        const auto same = [&](const BrokenPromise& b) { return b.failure.kind == f.kind && b.failure.span == f.span; };
        const auto known = std::find_if(found_.promises.begin(), found_.promises.end(), same);
        if (known != found_.promises.end()) {
            known->histories += times;
            return;
        }
        std::vector<std::uint64_t> moves;
        for (const Level& l : levels_) moves.push_back(l.taken);
        found_.promises.push_back({f, times, std::move(moves)});
    }
    void go_back() {
        const bool opened = levels_.back().opens;
        levels_.pop_back();
        if (!opened) return;
        Branching& b = branchings_[--open_];
        // Nothing can be expected of a node all of whose branches broke.
        if (b.weights != 0) b.sum.divide(b.weights);
        if (open_ == 0) return value_.add(b.sum, 1);
        Branching& above = branchings_[open_ - 1];
        above.sum.add(b.sum, b.weight);
        above.weights += b.weight;
    }
    void stop(ExploreState why) { found_.state = why; }

    // ---- memory

    std::uint64_t memory_limit() const { return limits_.memory_mib << 20; }
    std::uint64_t path_bytes(std::size_t levels) const {
        return levels * (sizeof(Level) + sizeof(Branching) + state_bytes_ + players_ * sizeof(Fingerprint));
    }
    std::uint64_t table_room() const {
        const std::uint64_t path = path_bytes(room_);
        const std::uint64_t room = memory_limit() > path ? memory_limit() - path : 0;
        return is_shared() ? room / 4 * 3 : room;  // the sets of a share are ordered beside the table
    }
    // For one level more. False when that would be too much.
    bool make_room() {
        if (levels_.size() < room_) return true;
        const std::size_t more = std::max<std::size_t>(64, 2 * room_);
        if (sets_.bytes() + path_bytes(room_) + path_bytes(more) > memory_limit()) {
            stop(ExploreState::at_memory);
            return false;
        }
        room_ = more;
        levels_.reserve(room_);
        branchings_.reserve(room_);
        states_.resize(room_ * state_bytes_);
        kept_views_.resize(room_ * players_);
        return true;
    }

    std::unique_ptr<Run> run_;
    ExploreLimits limits_;
    TreeShare share_;
    std::uint64_t subtrees_ = 0;  // met so far
    std::size_t players_;
    InformationSets sets_;
    Explored found_;
    Expected value_;
    bool begun_ = false;
    bool stopped_ = false;            // somebody wanted no more, or it was too much work
    std::uint64_t next_look_ = 0;     // at so much work
    bool copies_ = false;             // some kind has several
    Events events_;                   // since the last answer
    std::vector<Fingerprint> views_;  // what each seat saw, at the history at hand

    // The path, by level: where the machine waits, the state there and the views.
    std::vector<Level> levels_;
    std::size_t state_bytes_ = 0;
    std::size_t room_ = 0;
    std::vector<std::byte> states_;
    std::vector<Fingerprint> kept_views_;
    std::vector<Branching> branchings_;  // the first `open_` are on the path; the others are kept for use
    std::size_t open_ = 0;
};

Exploration::Exploration(std::shared_ptr<const Machine> machine, ExploreLimits limits, bool keep_forced, TreeShare share)
    : walk_(std::make_unique<Walk>(std::move(machine), limits, keep_forced, std::move(share))) {}
Exploration::~Exploration() = default;
bool Exploration::go_on(std::uint64_t branches) { return walk_->go_on(branches); }
std::uint64_t Exploration::walked() const { return walk_->walked(); }
Explored Exploration::result() const { return walk_->result(); }
ExploredShare Exploration::take_share() { return walk_->take_share(); }

void conclude(Explored& found, const Game& game, std::map<std::uint64_t, std::uint64_t> histories_per_set, const Expected& value) {
    found.histories_per_information_set = std::move(histories_per_set);
    found.ev_of_payoff = game.payoff != no_id;
    const bool expects = found.ev_of_payoff || (game.winner.present && game.winner.set != no_id);
    if (found.broken != 0 || !expects) return;
    found.ev = value.fractions(found.ev_of_payoff ? std::max(1, game.expressions[game.payoff].type.scale) : win_parts);
}

}  // namespace houserule
