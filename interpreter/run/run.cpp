#include "interpreter/run/run.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/run/engine.hpp"

namespace houserule {

__extension__ typedef unsigned __int128 Wide;

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& s : s_) {
        seed += golden_step;
        s = splitmix(seed);
    }
}

std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = std::rotl(s_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t n) {
    Wide product = static_cast<Wide>(next()) * n;
    std::uint64_t low = product;
    if (low < n) {
        const std::uint64_t threshold = (0 - n) % n;
        while (low < threshold) {
            product = static_cast<Wide>(next()) * n;
            low = product;
        }
    }
    return product >> 64;
}

std::unique_ptr<Run> make_run(std::shared_ptr<const Machine> machine) {
    switch (machine->layout.words) {
        case 1:
            return std::make_unique<Engine<1>>(std::move(machine));
        case 2:
            return std::make_unique<Engine<2>>(std::move(machine));
        default:
            return std::make_unique<Engine<4>>(std::move(machine));
    }
}

namespace {

std::uint64_t weighted_move(const Run& run, Random& random) {
    const Node& n = run.node();
    std::uint64_t total = 0;
    for (std::uint64_t m = 0; m < n.moves; ++m) total += run.weight(m);
    std::uint64_t at = random.below(total);
    for (std::uint64_t m = 0; m < n.moves; ++m) {
        const std::uint64_t w = run.weight(m);
        if (at < w) return m;
        at -= w;
    }
    return 0;
}

std::uint64_t volunteers(const Run& run, Random& random, std::int64_t per_million) {
    const Machine& m = run.machine();
    const Act& act = m.game.acts[m.code[run.node().step].a];
    std::uint64_t who = 0;
    for (Seats rest = run.node().seats; rest != 0; rest &= rest - 1) {
        const bool acts = per_million >= 0 ? random.below(1'000'000) < static_cast<std::uint64_t>(per_million)
                                           : random.below(act.odds_of) < static_cast<std::uint64_t>(act.odds);
        if (acts) who |= rest & -rest;
    }
    return who;
}

}  // namespace

std::uint64_t random_move(const Run& run, Random& random, std::int64_t volunteer_per_million) {
    const Node& n = run.node();
    switch (n.kind) {
        case NodeKind::choose:
        case NodeKind::consent:
        case NodeKind::ask:
        case NodeKind::draw:
            return random.below(n.moves);
        case NodeKind::lot:
        case NodeKind::report:
            return weighted_move(run, random);
        case NodeKind::window:
            return volunteers(run, random, volunteer_per_million);
        case NodeKind::over:
        case NodeKind::failed:
            return 0;
    }
    return 0;
}

void play_random(Run& run, Random& random, Tally& tally, std::int64_t volunteer_per_million) {
    run.play(random, tally, volunteer_per_million);
}

}  // namespace houserule
