#include "interpreter/app/knowing/ruled_out.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace houserule::cli {

namespace {

// By kind: how many copies are in the hidden places in every world.
std::vector<std::size_t> surely_hidden(const Game& game, const Knowledge& known) {
    std::vector<std::size_t> copies(game.kinds.size(), 0);
    for (const HiddenThing& thing : known.things)
        for (const Possibility& p : thing.values)
            if (!thing.is_fact) copies[p.value] += surely(p);
    return copies;
}

struct Excluding {
    Deduction& deduction;
    const Knowledge& known;
    Deadline until;
    const Game& game = deduction.machine().game;
    std::vector<Value> in_sight = copies_in_sight(deduction);
    std::vector<std::size_t> hidden = surely_hidden(game, known);
    std::vector<Excluded> all{};

    WhyNot why_not(const HiddenThing& thing, KindId kind);
    void at(const HiddenThing& thing);
};

// Reasons of a value that is impossible there.
WhyNot Excluding::why_not(const HiddenThing& thing, KindId kind) {
    WhyNot why;
    if (!until.over()) why = deduction.why_not(thing.place, kind);
    if (why.answer == Answer::no) return why;
    return {Answer::no, {}, false, false};
}

void Excluding::at(const HiddenThing& thing) {
    using Reasons = std::vector<std::pair<std::size_t, StepId>>;
    std::map<std::tuple<bool, bool, bool, bool, Reasons>, std::size_t> groups;
    for (const Possibility& p : thing.values) {
        if (p.possible != Answer::no) continue;
        const std::size_t kind = p.value;
        const Value copies = game.kinds[kind].copies;
        const bool all_seen = in_sight[kind] == copies;
        const WhyNot why = all_seen ? WhyNot{Answer::no, {}} : why_not(thing, KindId(p.value));
        const bool all_known =
            why.found && why.reasons.empty() && static_cast<std::size_t>(in_sight[kind]) + hidden[kind] == static_cast<std::size_t>(copies);
        Reasons reasons;
        for (const Reason& r : why.reasons) reasons.emplace_back(r.event, r.step);
        const auto [group, is_first] =
            groups.emplace(std::tuple(all_seen, all_known, why.found, why.irreducible, std::move(reasons)), all.size());
        if (is_first) all.push_back({&thing, {}, why.reasons, all_seen, all_known, why.found, why.irreducible});
        all[group->second].values.push_back(p.value);
    }
}

}  // namespace

std::vector<Excluded> find_excluded(Deduction& deduction, const Deadline& until) {
    deduction.finish_by(until);
    Excluding excluding{deduction, deduction.knowledge(), until};
    for (const HiddenThing& thing : excluding.known.things)
        if (!thing.is_fact && thing.size == 1) excluding.at(thing);
    return std::move(excluding.all);
}

std::vector<Value> copies_in_sight(Deduction& deduction) {
    const Game& game = deduction.machine().game;
    std::vector<Value> copies(game.kinds.size(), 0);
    const auto run = run_at_witness(deduction);
    if (!run) return copies;
    const Knowledge& known = deduction.knowledge();
    for (PlaceId place = 1; place < game.places; ++place) {
        if (std::any_of(known.things.begin(), known.things.end(), [&](const HiddenThing& thing) { return thing.place == place; })) continue;
        for (const KindId kind : run->kinds_at(place)) ++copies[kind];
    }
    return copies;
}

std::size_t surely(const Possibility& p) {
    const auto first = std::find_if(p.weights.begin(), p.weights.end(), [](const Rational& w) { return w != 0; });
    if (p.certain != Answer::yes) return 0;
    return first != p.weights.end() ? static_cast<std::size_t>(first - p.weights.begin()) : 1;
}

bool is_fixed(const Possibility& p) {
    return p.certain == Answer::yes && std::count_if(p.weights.begin(), p.weights.end(), [](const Rational& w) { return w != 0; }) == 1;
}

bool is_settled(const HiddenThing& thing) {
    std::size_t sure = 0;
    for (const Possibility& p : thing.values) sure += surely(p);
    return thing.is_fact ? sure > 0 : std::cmp_equal(sure, thing.size);
}

}  // namespace houserule::cli
