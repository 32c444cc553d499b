#include "interpreter/compiled/known.hpp"

#include "interpreter/engine/expressions.hpp"

namespace houserule {

// In interpreter/engine/make_run.cpp.
extern template class Expressions<1, false>;
extern template class Expressions<2, false>;
extern template class Expressions<4, false>;

namespace {

template <int W>
MaskWords words_of(const Mask<W>& mask) {
    return MaskWords(std::begin(mask.w), std::end(mask.w));
}

template <int W>
class KnownOf final : public Known {
public:
    explicit KnownOf(const std::shared_ptr<const Machine>& machine) {
        const auto run = make_run(machine);
        run->start();
        initial_.assign(run->state().begin(), run->state().end());
        if (reaches_first_node(*run)) first_ = run->node().step;
        values_ = std::make_unique<Expressions<W, false>>(*machine, initial_.data());
        for (const Filter<W>& f : values_->filters()) {
            KnownFilter known{f.what, f.invariant, f.low, {}, f.a, f.b};
            for (const Mask<W>& mask : f.masks) known.masks.push_back(words_of(mask));
            filters_.push_back(std::move(known));
        }
    }
    std::int32_t filter_of(ExpressionId e) const override { return values_->filter_of(e); }
    std::optional<std::int32_t> value(ExpressionId e, BoundId bound, std::int32_t piece) override {
        return values_->probe(e, bound, piece);
    }

private:
    std::unique_ptr<Expressions<W, false>> values_;
};

}  // namespace

bool reaches_first_node(Run& run) {
    run.limit_forced(unwatched_rounds);
    const NodeKind kind = run.advance().kind;
    return kind != NodeKind::over && kind != NodeKind::failed;
}

std::unique_ptr<Known> known_of(const std::shared_ptr<const Machine>& machine) {
    switch (machine->layout.words) {
        case 1:
            return std::make_unique<KnownOf<1>>(machine);
        case 2:
            return std::make_unique<KnownOf<2>>(machine);
        default:
            return std::make_unique<KnownOf<4>>(machine);
    }
}

}  // namespace houserule
