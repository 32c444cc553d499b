// What happens at once. Two arms of `cases` that hold at once must come to the same: each is carried out on a copy of the state, and what
// they leave is compared by kinds; nothing of it is told or counted as reached. Of what several put at one moment each has its own cards.
// For stepper.hpp only.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piles.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/failure.hpp"
#include "interpreter/run/stop.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace houserule {

template <class Steps>
using PilesOf = std::remove_cvref_t<decltype(std::declval<Steps&>().piles())>;
template <class Steps>
using SetOf = decltype(std::declval<PilesOf<Steps>&>().at(0));

class ArmCopies {
public:
    // Breaks the promise of `steps`, a Stepper, unless the arms agree. Its state stays what it was.
    template <class Steps>
    void agree(Steps& steps, const Overlap& overlap) {
        if (!overlap.compared) return steps.fail(failure_of(steps.g_, overlap));
        const Bytes before(steps.s_, steps.s_ + steps.l_.bytes);
        Events* const told = steps.recorder_.write_to(nullptr);
        const std::uint64_t told_left = steps.run_.told_left();
        const auto reads = steps.values_.reads();
        const auto carried_out = [&](const Overlap::Way& way) {
            Result result = run(steps, way);
            result.state.assign(steps.s_, steps.s_ + steps.l_.bytes);
            std::memcpy(steps.s_, before.data(), before.size());
            steps.values_.table_changed();
            steps.run_.set_told_left(told_left);
            return result;
        };
        Result first = carried_out(overlap.first);
        Result other;
        if (!steps.failed()) other = carried_out(overlap.other);
        steps.values_.reads() = reads;
        steps.recorder_.write_to(told);
        if (!steps.failed() && !are_same(steps, first, other)) steps.fail(failure_of(steps.g_, overlap));
    }

private:
    using Bytes = std::vector<std::byte>;
    struct Result {
        bool broke = false;  // a promise, on the way
        StepId at = no_id;   // where play goes on
        Bytes state;
    };

    // Up to a step outside the arm. What stops or never ends stays a failure of the run.
    template <class Steps>
    Result run(Steps& steps, const Overlap::Way& way) {
        std::uint64_t rounds = 0;
        StepId pc = way.entry;
        while (steps.m_.code[pc].op != Op::ended && std::find(way.exits.begin(), way.exits.end(), pc) == way.exits.end()) {
            pc = next(steps, pc);
            steps.rounds_ += 1;
            if (++rounds > steps.forced_limit_) steps.fail(FailureKind::goes_on_for_ever);
            if (rounds % steps_between_looks == 0 && over(steps.stop_)) steps.fail(FailureKind::stopped);
            if (!steps.failed()) continue;
            const FailureKind kind = steps.values_.failure().kind;
            if (kind != FailureKind::goes_on_for_ever && kind != FailureKind::stopped) steps.values_.forget_failure();
            return {true, pc, {}};
        }
        return {false, pc, {}};
    }
    // Carries out a step; no jump of it is threaded, so that no exit is passed over.
    template <class Steps>
    StepId next(Steps& steps, StepId pc) {
        const Step& s = steps.m_.code[pc];
        StepId next = pc + 1;
        switch (s.op) {
            case Op::jump:
                return s.c;
            case Op::call:
                steps.put(steps.var(s.a), next);
                return s.c;
            case Op::leave:
                return steps.template get<StepId>(steps.var(s.a));
            case Op::branch:
                return steps.scalar(s.x) != 0 ? next : StepId(s.c);
            case Op::next_player:
                return steps.next_player(steps.quick_.loops[s.a]) ? next : StepId(s.c);
            case Op::next_element:
                return steps.next_element(s) ? next : StepId(s.c);
            case Op::assign:
                steps.assign(s.a, s.x);
                return next;
            case Op::window:  // nobody acts
                steps.put(steps.var(s.b), SetOf<Steps>{});
                return next;
            case Op::enter:
            case Op::ask:  // a point to watch: see watch.hpp
                return next;
            default:
                steps.do_step(s.op, s, steps.quick(pc), pc);
                return next;
        }
    }

    template <class Steps>
    static bool are_same(Steps& steps, Result& a, Result& b) {
        if (a.broke || b.broke) return a.broke == b.broke;
        const Layout& l = steps.l_;
        const Game& g = steps.g_;
        if (a.at != b.at) return false;
        for (const FactId id : g.facts.ids()) {
            const std::size_t bytes = static_cast<std::size_t>(g.facts[id].count) * (is_of_many(g.facts[id].type) ? 8 * l.words : 4);
            if (std::memcmp(a.state.data() + l.fact[id], b.state.data() + l.fact[id], bytes) != 0) return false;
        }
        for (PlaceId place = 0; place < g.places; ++place)
            if (!is_same_place(steps, a, b, place)) return false;
        const Step& s = steps.m_.code[a.at];
        if (s.op != Op::ended) return true;
        const auto& named = g.ends[s.a].parameters;
        return std::all_of(named.begin(), named.end(), [&](VariableId v) { return is_same_name(steps, a, b, v); });
    }
    template <class Steps>
    static bool is_same_place(const Steps& steps, Result& a, Result& b, PlaceId place) {
        const PilesOf<Steps> x(a.state.data(), steps.l_);
        const PilesOf<Steps> y(b.state.data(), steps.l_);
        if (x.parts(place) != y.parts(place)) return false;
        const std::vector<int> one = x.pieces(place);
        const std::vector<int> other = y.pieces(place);
        return std::equal(one.begin(), one.end(), other.begin(), other.end(), [&](int p, int q) { return steps.kind(p) == steps.kind(q); });
    }
    // What an end is told: a card by its kind and where it lies.
    template <class Steps>
    static bool is_same_name(const Steps& steps, Result& a, Result& b, VariableId variable) {
        const Type& type = steps.g_.variables[variable].type;
        const std::uint32_t at = steps.var(variable);
        if (type.base != Base::card && type.base != Base::cards) {
            const std::size_t bytes = is_of_many(type) ? 8 * steps.l_.words : 4;
            return std::memcmp(a.state.data() + at, b.state.data() + at, bytes) == 0;
        }
        const auto cards = [&](Result& r) {
            const PilesOf<Steps> piles(r.state.data(), steps.l_);
            SetOf<Steps> pieces;
            if (type.base == Base::cards)
                pieces = read_bytes<SetOf<Steps>>(r.state.data(), at);
            else if (const auto piece = read_bytes<std::int32_t>(r.state.data(), at); piece >= 0)
                pieces.add(piece);
            std::vector<std::pair<PlaceId, KindId>> all;
            while (!pieces.empty()) {
                const int piece = pieces.pop();
                all.emplace_back(piles.where(piece), steps.kind(piece));
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        return cards(a) == cards(b);
    }
};

// What several put at one moment: they all see where it lay before, and of cards alike each has its own, as far as there are some.
class Claims {
public:
    // The step `claim`.
    template <class Stepper>
    static void carry_out(Stepper& steps, const Step& s) {
        using M = typename Stepper::M;
        const M wanted = steps.values_.cards(s.x);
        if (steps.failed()) return;
        const std::uint32_t own = steps.var(VariableId(s.b) + 1);
        const auto is_ordered = [&](PlaceId place) { return steps.piles_.is_ordered(place); };
        const M claimed = steps.values_.claimed(wanted, steps.template get<M>(steps.var(s.b)), is_ordered);
        if (claimed.size() != wanted.size()) return steps.fail(FailureKind::put_by_several);
        steps.template put<M>(own, steps.template get<M>(own) | claimed);
        if (steps.g_.variables[s.a].type.base == Base::cards)
            steps.template put<M>(steps.var(s.a), claimed);
        else if (!claimed.empty())
            steps.template put<std::int32_t>(steps.var(s.a), claimed.lowest());
    }
};

}  // namespace houserule
