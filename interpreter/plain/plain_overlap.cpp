// Cases that hold at once: see plain_stepper.hpp.
#include "interpreter/plain/plain_stepper.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

bool is_same_content(const Content<TellingNumbers>& a, const Content<TellingNumbers>& b) {
    if (const Value* const number = std::get_if<Value>(&a)) return *number == std::get<Value>(b);
    return PlainValues::elements(std::get<Set<TellingNumbers>>(a)) == PlainValues::elements(std::get<Set<TellingNumbers>>(b));
}

}  // namespace

// Each arm is carried out on a copy, untold, and what they leave is compared.
void PlainStepper::agree(const Overlap& overlap) {
    if (!overlap.compared) return values_.fail(failure_of(g_, overlap));
    Events* const told = events_.write_to(nullptr);
    const Left first = try_out(overlap.first);
    const Left other = failed() ? first : try_out(overlap.other);
    events_.write_to(told);
    if (!failed() && !come_to_the_same(first, other)) values_.fail(failure_of(g_, overlap));
}

PlainStepper::Left PlainStepper::try_out(const Overlap::Way& way) {
    const PlainGame before = values_.now();
    const StepId at = std::exchange(pc_, way.entry);
    const std::uint64_t rounds = std::exchange(rounds_, 0);
    const std::uint64_t told_left = told_left_;
    const std::uint64_t begun_left = begun_left_;
    bool broke = false;
    run_to(way, broke);
    rounds_ = rounds;
    told_left_ = told_left;
    begun_left_ = begun_left;
    return {broke, std::exchange(pc_, at), std::exchange(values_.now(), before)};
}

// Until play leaves the arm, or a promise breaks. What stops or never ends stays a failure of the run.
void PlainStepper::run_to(const Overlap::Way& way, bool& broke) {
    std::uint64_t steps = 0;
    while (m_.code[pc_].op != Op::ended && std::find(way.exits.begin(), way.exits.end(), pc_) == way.exits.end()) {
        const Step& s = m_.code[pc_];
        ++work_;
        if (s.op == Op::window) {  // nobody acts
            values_.put_elements(s.b, {});
            ++pc_;
        } else if (s.op == Op::ask) {  // a point to watch
            ++pc_;
        } else {
            carry_out(s);
        }
        if (++steps > forced_limit_) fail(FailureKind::goes_on_for_ever);
        if (steps % steps_between_looks == 0 && houserule::over(stop_)) fail(FailureKind::stopped);
        if (!failed()) continue;
        broke = true;
        const FailureKind kind = values_.failure().kind;
        if (kind != FailureKind::goes_on_for_ever && kind != FailureKind::stopped) values_.forget_failure();
        return;
    }
}

bool PlainStepper::come_to_the_same(const Left& a, const Left& b) const {
    if (a.broke || b.broke) return a.broke == b.broke;
    if (a.at != b.at) return false;
    for (PlaceId place = 0; place < g_.places; ++place) {
        const std::vector<PieceList>& x = a.game.table.parts(place);
        const std::vector<PieceList>& y = b.game.table.parts(place);
        if (!std::equal(x.begin(), x.end(), y.begin(), y.end(),
                        [&](const PieceList& p, const PieceList& q) { return kinds(p) == kinds(q); }))
            return false;
    }
    for (const FactId f : g_.facts.ids()) {
        for (std::int32_t i = 0; i < g_.facts[f].count; ++i) {
            const FactSlot<TellingNumbers>& x = a.game.state.facts[f][i];
            const FactSlot<TellingNumbers>& y = b.game.state.facts[f][i];
            if (x.given != y.given || (x.given && !is_same_content(x.content, y.content))) return false;
        }
    }
    const Step& s = m_.code[a.at];
    if (s.op != Op::ended) return true;
    const auto& named = g_.ends[s.a].parameters;
    return std::all_of(named.begin(), named.end(), [&](VariableId v) {
        const Base base = g_.variables[v].type.base;
        if (base == Base::card || base == Base::cards) return shown_cards(a.game, v) == shown_cards(b.game, v);
        return is_same_content(a.game.state.variables[v], b.game.state.variables[v]);
    });
}

// Those that a name stands for: where they lie, and their kinds.
std::vector<std::pair<PlaceId, KindId>> PlainStepper::shown_cards(const PlainGame& game, VariableId variable) const {
    std::vector<std::pair<PlaceId, KindId>> all;
    for (const std::int32_t piece : game.named[variable]) all.emplace_back(game.table.where(piece), kind(piece));
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace houserule
