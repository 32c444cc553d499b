#include "interpreter/app/serve/take_back.hpp"

#include "interpreter/log/view.hpp"
#include "interpreter/run/seers.hpp"

#include <algorithm>
#include <vector>

namespace houserule::cli {

namespace {

// Which steps of a machine depend on what does not lie open to all: what follows from them may tell it.
class HiddenReads {
public:
    explicit HiddenReads(const Machine& machine) : m_(machine), hidden_(machine.game.variables.size(), false) {
        while (spread()) {
        }
    }
    // Whether what happens at the step depends on it. Of cards that are moved the event says who sees them; what is only kept tells
    // nothing yet.
    bool at(StepId id) const {
        const Step& s = m_.code[id];
        if (s.op == Op::assign || s.op == Op::add_element || s.op == Op::store || s.op == Op::load || s.op == Op::claim) return false;
        const bool chosen = s.op == Op::put && is_variable(s.x);
        return (!chosen && reads(s.x)) || reads(s.y) || reads(s.z) || reads(s.w) || reads(s.fits);
    }
    // The same for a loop that is carried out as one step.
    bool at_loop(StepId id) const {
        const Step& s = m_.code[id];
        if (s.op != Op::next_player && s.op != Op::next_element) return false;
        bool any = false;
        for (StepId i = id + 1; m_.code.has(i) && i < StepId(s.c); ++i) {
            switch (m_.code[i].op) {
                case Op::assign:
                case Op::branch:
                case Op::jump:
                case Op::add_element:
                case Op::nothing:
                    any = any || at(i);
                    break;
                default:
                    return false;
            }
        }
        return any;
    }

private:
    bool is_variable(ExpressionId e) const {
        if (e == no_id) return false;
        const Expression& x = m_.game.expressions[e];
        return x.op == Operator::variable || x.op == Operator::cards_variable || (x.op == Operator::cards_single && is_variable(x.a));
    }
    bool reads(ExpressionId e) const {
        if (e == no_id) return false;
        const Expression& x = m_.game.expressions[e];
        switch (x.op) {
            case Operator::cards_at:
            case Operator::first_card:
            case Operator::last_card:
                return !is_open_place(x.a) || reads(x.a);
            case Operator::cards_of:
                return m_.game.zones[x.named()].seers != Seers::all || reads(x.a);
            case Operator::cards_unplaced:
                return true;
            case Operator::fact:
            case Operator::set_fact:
                return m_.game.facts[FactId(x.named())].seers != Seers::all || reads(x.a);
            case Operator::variable:
            case Operator::cards_variable:
            case Operator::set_variable:
                return hidden_[VariableId(x.named())];
            case Operator::size_of_cards:
                return reads_size(x.a);
            default:
                return reads(x.a) || reads(x.b) || reads(x.c);
        }
    }
    // How many cards lie at a place is open to all.
    bool reads_size(ExpressionId e) const {
        const Expression& x = m_.game.expressions[e];
        switch (x.op) {
            case Operator::cards_at:
                return reads(m_.game.expressions[x.a].op == Operator::place ? m_.game.expressions[x.a].a : x.a);
            case Operator::cards_of:
                return reads(x.a);
            case Operator::cards_join:
                return reads_size(x.a) || reads_size(x.b);
            default:
                return reads(e);
        }
    }
    bool is_open_place(ExpressionId e) const {
        const Expression& x = m_.game.expressions[e];
        return x.op == Operator::place && m_.game.zones[ZoneId(x.named())].seers == Seers::all;
    }
    bool hide(Operand variable) {
        if (variable == no_id || hidden_[VariableId(variable)]) return false;
        return hidden_[VariableId(variable)] = true;
    }
    // Variables that are set from hidden ones, or only when something hidden holds. Whether there were new ones.
    bool spread() {
        bool more = false;
        std::size_t under = 0;  // steps up to here may be passed over because of something hidden
        for (const StepId id : m_.code.ids()) {
            const Step& s = m_.code[id];
            if ((s.op == Op::branch || s.op == Op::choose) && at(id)) under = std::max(under, end_of(s));
            more |= spread_at(s, reads(s.x) || id.index() < under);
        }
        return more;
    }
    // Behind what a branch may pass over, with its other arm.
    std::size_t end_of(const Step& s) const {
        std::size_t end = StepId(s.c).index();
        if (end > 0 && end <= m_.code.size())
            if (const Step& before = m_.code[StepId(static_cast<Operand>(end - 1))]; before.op == Op::jump)
                end = std::max(end, StepId(before.c).index());
        return end;
    }
    bool spread_at(const Step& s, bool hides) {
        const auto is = [&](Operand variable) { return variable != no_id && hidden_[VariableId(variable)]; };
        switch (s.op) {
            case Op::assign:
                return hides && hide(s.a);
            case Op::choose:
                return ((s.mode & choice_aloud) == 0 || (s.mode & choice_joint) != 0) && hide(s.a);
            case Op::draw: {
                const bool drawn = hide(s.b);  // both are hidden, not only the first that was not yet
                return hide(s.a) || drawn;
            }
            case Op::report:
                return s.y != no_id && hide(s.a);
            case Op::window:
                return hide(s.b);
            case Op::next_element:
            case Op::add_element:
                return s.op == Op::next_element ? (hides || is(s.a)) && hide(s.b) : (hides || is(s.b)) && hide(s.a);
            case Op::next_player: {
                const PlayerLoop& loop = m_.loops[LoopId(s.a)];
                return loop.set != no_id && hidden_[loop.set] && hide(loop.player);
            }
            case Op::store:
            case Op::load: {
                bool any = hides || is(s.b);
                for (int p = 0; p < m_.game.players; ++p) any = any || hidden_[VariableId(s.a) + p];
                bool more = any && hide(s.b);
                for (int p = 0; any && p < m_.game.players; ++p) more = hide(VariableId(s.a) + p) || more;
                return more;
            }
            default:
                return false;
        }
    }

    const Machine& m_;
    Store<VariableId, bool> hidden_;
};

// What follows from a decision up to where somebody else decides, if nobody acts meanwhile.
struct Followed {
    Events events;
    bool reads_hidden = false;
    bool chosen_hidden = false;  // from what does not lie open to all
};

Followed followed(const std::shared_ptr<const Machine>& machine, const Moment& before, std::uint64_t move) {
    Followed f;
    const auto run = make_run(machine);
    run->start();
    run->set_state(before.state);
    run->ask_forced(true);
    run->record(&f.events);
    const HiddenReads hidden(*machine);
    const StepId at = run->advance().step;
    f.chosen_hidden = hidden.at(at);
    run->apply(move);
    while (run->advance().kind == NodeKind::window) run->apply(0);
    for (const StepId id : machine->code.ids())
        if (run->reached()[id.index()] != 0 && id != run->node().step) f.reads_hidden |= id != at && (hidden.at(id) || hidden.at_loop(id));
    return f;
}

// Whether the seat sees cards there that it did not see where they came from.
bool shows_cards(const Machine& machine, const Event& e, int seat) {
    if (e.kind == EventKind::shows) return true;
    const bool faces = (e.faces & seat_bit(seat)) != 0;
    return e.kind == EventKind::move && faces && (seers_of(machine, e.from) & seat_bit(seat)) == 0;
}

}  // namespace

TakeBack can_take_back(const std::shared_ptr<const Machine>& machine, const Moment& before, std::uint64_t move, const Events& events,
                       int seat) {
    const Followed f = followed(machine, before, move);
    bool follows = true;
    for (std::size_t i = before.events; i < settled(events); ++i) {
        const Event& e = events[i];
        const std::size_t n = i - before.events;
        follows = follows && n < f.events.size() && f.events[n] == e;
        if (!noticed(e, seat) || e.kind == EventKind::begins) continue;
        if (!follows) {
            const bool chance = e.kind == EventKind::draw || e.kind == EventKind::lot || e.kind == EventKind::report;
            return chance ? TakeBack::chance : TakeBack::others;
        }
        const bool own = n == 0 && seat == before.seat;
        const bool told = n == 0 && (e.faces & seat_bit(seat)) != 0 && f.chosen_hidden;
        if (!own && (told || (n > 0 && f.reads_hidden) || shows_cards(*machine, e, seat))) return TakeBack::seen;
    }
    return TakeBack::can;
}

}  // namespace houserule::cli
