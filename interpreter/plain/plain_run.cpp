#include "interpreter/plain/plain_run.hpp"

#include "interpreter/plain/plain_stepper.hpp"

#include <algorithm>
#include <bit>

namespace houserule {

namespace {

std::vector<std::int32_t> as_read(const std::vector<Value>& values) { return {values.begin(), values.end()}; }

class PlainRun final : public ReferenceRun {
public:
    explicit PlainRun(std::shared_ptr<const Machine> machine) : ReferenceRun(std::move(machine)), m_(*machine_), g_(m_.game), steps_(m_) {}

    void start() override { steps_.start(); }
    const Node& node() const override { return steps_.node(); }
    const Node& advance() override { return steps_.advance(); }
    void apply(std::uint64_t move) override { steps_.apply(move); }
    std::span<const std::byte> state() const override { return bytes_ = steps_.state(); }
    void set_state(std::span<const std::byte> state) override { steps_.set_state(state); }
    void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) override;
    std::span<const std::uint8_t> reached() const override { return steps_.reached(); }
    void limit_forced(std::uint64_t times) override { steps_.limit_forced(times); }
    void stop_on(const Stop* stop) override { steps_.stop_on(stop); }
    std::uint64_t work() const override { return steps_.work(); }
    void ask_forced(bool ask) override { steps_.ask_forced(ask); }
    std::uint64_t forced() const override { return steps_.forced(); }
    void record(Events* events) override { steps_.events().write_to(events); }
    const Failure& failure() const override { return values().failure(); }
    const std::vector<Failure>& failures() const override { return values().failures(); }

    Meant meaning(std::uint64_t move) const override { return steps_.meaning(move); }
    std::uint64_t move_for(const std::vector<std::int32_t>& values) const override { return steps_.move_for(values); }
    std::uint64_t outcome_weight(std::uint64_t move) const override { return steps_.outcome_weight(move); }

    // ---- reading -------------------------------------------------------------------------------------------------------------

    std::vector<KindId> kinds_at(PlaceId place) const override { return steps_.kinds(table().pieces(place)); }
    std::size_t size_at(PlaceId place) const override { return table().pieces(place).size(); }
    std::vector<std::int32_t> parts(PlaceId place) const override {
        std::vector<std::int32_t> sizes;
        for (const PieceList& part : table().parts(place)) sizes.push_back(part.size());
        return sizes;
    }
    PlaceId place_of(std::int32_t piece) const override { return table().where(piece); }
    std::int32_t fact(FactId fact, std::int32_t index) const override {
        const FactSlot<TellingNumbers>& slot = values().now().state.facts[fact][std::max(0, index)];
        const Value* const value = std::get_if<Value>(&slot.content);
        return !slot.given ? unset_value : value == nullptr ? 0 : *value;
    }
    std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const override {
        const auto& content = values().now().state.facts[fact][std::max(0, index)].content;
        return as_read(PlainValues::elements(std::get<Set<TellingNumbers>>(content)));
    }
    std::int32_t variable(VariableId variable) const override {
        if (g_.variables[variable].type.base != Base::card) return values().number(variable);
        const PieceList& named = values().now().named[variable];
        return named.empty() ? -1 : named.front();
    }
    std::vector<std::int32_t> variable_set(VariableId variable) const override {
        if (g_.variables[variable].type.base != Base::set) return values().now().named[variable];
        return as_read(PlainValues::elements(std::get<Set<TellingNumbers>>(values().now().state.variables[variable])));
    }
    std::optional<std::vector<std::int32_t>> elements(ExpressionId id) override {
        return values().probed([&] { return values().is_cards(id) ? values().cards(id) : as_read(values().set(id)); });
    }

private:
    std::optional<std::int32_t> number(ExpressionId id, BoundId bound, std::int32_t element) override {
        if (bound != no_id) values().bind(bound, element);
        return values().probed([&]() -> std::int32_t { return values().scalar(id); });
    }

    PlainValues& values() { return steps_.values(); }
    const PlainValues& values() const { return steps_.values(); }
    const PlainTable& table() const { return values().now().table; }
    void count(Tally& tally, std::uint64_t move) const;

    const Machine& m_;
    const Game& g_;
    PlainStepper steps_;
    mutable std::vector<std::byte> bytes_;
};

// ---- at random ---------------------------------------------------------------------------------------------------------------

void PlainRun::play(Random& random, Tally& tally, std::int64_t volunteer_per_million) {
    const std::uint64_t forced_before = forced();
    for (std::uint64_t nodes = 1;; ++nodes) {
        const Node& n = PlainRun::advance();
        if (nodes % steps_between_looks == 0 && houserule::over(steps_.stop())) return;
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
        const std::uint64_t move = random_move(*this, random, volunteer_per_million);
        count(tally, move);
        steps_.apply(move);
    }
    tally.forced += forced() - forced_before;
}

// What a move at the node adds to the counts.
void PlainRun::count(Tally& tally, std::uint64_t move) const {
    const Node& n = node();
    std::uint64_t taken = 0;
    switch (n.kind) {
        case NodeKind::choose:
            if ((m_.code[n.step].mode & choice_optional) == 0) taken = 1;
            break;
        case NodeKind::consent:
        case NodeKind::ask:
            taken = move;
            break;
        case NodeKind::window:
            tally.windows += std::popcount(n.seats);
            taken = std::popcount(move & n.seats);
            break;
        case NodeKind::draw:
        case NodeKind::lot:
        case NodeKind::report:
        case NodeKind::over:
        case NodeKind::failed:
            break;
    }
    if (n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask) {
        ++tally.decisions;
        tally.options += n.moves;
    } else if (n.kind != NodeKind::window) {
        ++tally.chances;
    }
    if (tally.steps.empty()) return;
    ++tally.steps[n.step];
    tally.taken[n.step] += taken;
}

}  // namespace

std::unique_ptr<ReferenceRun> make_plain_run(std::shared_ptr<const Machine> machine) {
    return std::make_unique<PlainRun>(std::move(machine));
}

}  // namespace houserule
