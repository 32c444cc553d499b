#include "tests/naive/explore.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace houserule::testing {

namespace {

// What the seat noticed of the events, as text.
std::string seen_by(const Events& events, std::int32_t seat) {
    std::ostringstream text;
    for (const Event& e : events) {
        if (e.kind == EventKind::begins || (e.audience >> seat & 1) == 0) continue;
        text << static_cast<int>(e.kind) << ' ' << e.seat << ' ' << e.name.value() << ' ' << e.index << ' ' << e.from << ' ' << e.to;
        if ((e.faces >> seat & 1) != 0) {
            text << ' ' << e.value << " [";
            for (const std::int32_t v : e.values) text << v << ' ';
            for (const std::int32_t k : e.pieces) text << 'k' << k << ' ';
            text << ']';
        } else {
            text << " ?" << e.pieces.size();
        }
        text << '\n';
    }
    return text.str();
}

class Walk {
public:
    explicit Walk(Run& run) : run_(run), players_(static_cast<std::size_t>(run.machine().game.players)) {
        tree_.information_sets.resize(players_);
        tree_.joint.resize(players_);
    }
    Tree all() {
        run_.start();
        run_.record(&events_);
        tree_.value = below();
        run_.record(nullptr);
        return std::move(tree_);
    }

private:
    // The expected payoffs below the node that comes next.
    std::vector<double> below() {
        const Node node = run_.advance();
        switch (node.kind) {
            case NodeKind::over: {
                ++tree_.ends;
                const std::vector<std::int32_t> paid = run_.payoffs();
                return {paid.begin(), paid.end()};
            }
            case NodeKind::choose:
            case NodeKind::consent:
            case NodeKind::ask:
                ++tree_.decisions;
                if (node.kind == NodeKind::consent) ++tree_.consents;
                if (node.joint) ++tree_.joint[node.seat];
                ++tree_.information_sets[node.seat][std::to_string(node.step.value()) + "\n" + seen_by(events_, node.seat)];
                return average(node);
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                ++tree_.chances;
                return average(node);
            case NodeKind::window:
            case NodeKind::failed:
                break;
        }
        FAIL("a node that cannot be explored: " << text(run_.machine().game, run_.failure()));
        return {};
    }
    std::vector<double> average(const Node& node) {
        const std::span<const std::byte> here = run_.state();
        const std::vector<std::byte> state(here.begin(), here.end());
        const std::size_t happened = events_.size();
        std::vector<double> sum(players_, 0.0);
        double weights = 0;
        for (std::uint64_t move = 0; move < node.moves; ++move) {
            run_.set_state(state);
            run_.advance();
            events_.resize(happened);
            const auto weight = static_cast<double>(run_.outcome_weight(move));
            run_.apply(move);
            const std::vector<double> value = below();
            for (std::size_t p = 0; p < players_ && p < value.size(); ++p) sum[p] += weight * value[p];
            weights += weight;
        }
        for (double& v : sum) v /= weights;
        return sum;
    }

    Run& run_;
    std::size_t players_;
    Events events_;
    Tree tree_;
};

}  // namespace

Tree explore(Run& run) { return Walk(run).all(); }

}  // namespace houserule::testing
