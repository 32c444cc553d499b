#include "tests/random/tier_b.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/naive/deduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace houserule::random_games {

namespace {

namespace naive = houserule::testing;

constexpr std::uint64_t forced_steps = 20'000;
constexpr std::uint64_t tried_at_a_position = 20'000;  // nodes of histories
constexpr std::uint64_t tried_in_a_game = 150'000;
constexpr int most_nodes = 40;
constexpr int games_a_machine = 3;
constexpr int positions_a_game = 8;
constexpr int samples = 2;

using MachinePtr = std::shared_ptr<const Machine>;

std::vector<MachinePtr> machines_of(const std::string& text) {
    Sources sources;
    sources.emplace_back("game.rules", text);
    Diagnostics found;
    const Syntax syntax = parse(sources, 0, found);
    const auto refuse = [&] {
        tidy(found);
        throw Stop{Verdict::refused, std::string(info(found.front().code).id), render(found, sources, {Language::en, false})};
    };
    if (has_errors(found)) refuse();
    std::vector<MachinePtr> all;
    for (const Variant& v : variants(syntax)) {
        Game game = check(syntax, v.players, v.settings, found);
        if (has_errors(found)) refuse();
        all.push_back(compile(std::move(game)));
        if (too_large(*all.back())) throw Stop{Verdict::refused, "too large", ""};
    }
    if (all.size() > 2) all = {all.front(), all.back()};
    return all;
}

DeductionLimits by_work(bool uniform_play) {
    DeductionLimits limits;
    limits.time = std::chrono::hours(1);
    limits.states = 20'000;
    limits.paths = {512, 20'000, uniform_play};
    limits.z3_steps = 2'000'000;
    limits.samples = 0;
    return limits;
}

// ---- one position ------------------------------------------------------------------------------------------------------------

// What a seat sees of a table, and what it is offered where it is asked.
struct Seen {
    std::string table;
    StepId asked = no_id;
    std::string offers;
};

Seen seen_by_seat(const Run& run, int seat) {
    const Game& game = run.machine().game;
    Seen seen;
    for (const houserule::Zone& zone : game.zones) {
        for (std::int32_t i = 0; i < zone.places; ++i) {
            seen.table += fmt::format("{}: {}", place_name(game, zone.first_place + i), run.size_at(zone.first_place + i));
            if (houserule::seen_by(zone.seers, zone.by, i, seat))
                for (const KindId k : run.kinds_at(zone.first_place + i)) seen.table += " " + kind_text(game, k);
            seen.table += "\n";
        }
    }
    for (const FactId f : game.facts.ids())
        for (std::int32_t i = 0; i < game.facts[f].count; ++i) {
            if (!houserule::seen_by(game.facts[f].seers, game.facts[f].by, i, seat)) continue;
            seen.table += fmt::format("{} {}:", game.facts[f].name, i);
            if (game.facts[f].type.base == Base::set)
                for (const std::int32_t e : run.fact_set(f, i)) seen.table += fmt::format(" {}", e);
            else
                seen.table += fmt::format(" {}", run.fact(f, i));
            seen.table += "\n";
        }
    const Node& node = run.node();
    const bool own = node.seat == seat && (node.kind == NodeKind::choose || node.kind == NodeKind::consent || node.kind == NodeKind::ask);
    if (!own) return seen;
    seen.asked = node.step;
    for (std::uint64_t move = 0; move < node.moves; ++move) {
        for (const std::int32_t v : run.meaning(move).values) seen.offers += fmt::format(" {}", v);
        seen.offers += ";";
    }
    return seen;
}

// A claim of the file's examples, over all histories.
struct Claimed {
    ExpressionId claim;
    naive::Weight in;     // of the histories in which it holds
    bool broken = false;  // in one of them a promise breaks
};

class Position {
public:
    Position(MachinePtr machine, const Run& truth, const View& view, Coverage& coverage)
        : machine_(std::move(machine)), game_(machine_->game), truth_(truth), view_(view), coverage_(coverage) {}
    // How many nodes were tried.
    std::uint64_t judge(bool at_cut, std::uint64_t salt);

private:
    [[noreturn]] void wrong(const std::string& what, const std::string& detail) const {
        throw Stop{Verdict::wrong, what,
                   fmt::format("{}\nas {} sees it:\n{}", detail, player_name(view_.seat),
                               view_text(*machine_, view_.head, view_.events, view_.seat))};
    }
    static std::string player_name(int seat) { return fmt::format("P{}", seat + 1); }
    void count(const std::string& what) { ++coverage_[what]; }
    void look_at(Run& run, const naive::Sum& sum, const std::vector<std::size_t>& games);
    void compare_truth(const Knowledge& known);
    void compare_possible(Deduction& deduction, const Knowledge& known);
    void compare_exact(const Knowledge& known, bool uniform);
    void compare_things(const Knowledge& known, bool uniform);
    void compare_fact(const HiddenThing& thing, bool uniform);
    void compare_listed(const Knowledge& known);
    void compare_claims(Deduction& deduction);
    void compare_samples(Deduction& deduction, std::uint64_t salt);
    void compare_deals(Deduction& deduction);
    void compare_uniform();
    std::set<naive::World> without_sets() const;
    std::map<std::int32_t, naive::Sum> fact_values(FactId fact, std::int32_t index) const;
    std::string named(const HiddenThing& thing) const {
        return thing.is_fact ? fmt::format("{} {}", game_.facts[thing.fact].name, thing.index) : place_name(game_, thing.place);
    }
    naive::Weight weight(const naive::Sum& sum, bool uniform) const { return uniform ? sum.uniform : sum.weight; }

    MachinePtr machine_;
    const Game& game_;
    const Run& truth_;
    const View& view_;
    Coverage& coverage_;
    naive::Deduced oracle_;
    std::set<naive::World> worlds_;  // as the deduction tells them apart
    std::vector<Claimed> claims_;
    // By when the games of a match began: whoever sits there sees that, and no line of a view tells it.
    std::map<std::vector<std::size_t>, Seen> first_;
    std::map<StepId, Seen> first_asked_;  // by the step at which the seat is asked
};

// At the cut of a history: all that the seat sees must be what it sees in every other.
void Position::look_at(Run& run, const naive::Sum& sum, const std::vector<std::size_t>& games) {
    const Seen seen = seen_by_seat(run, view_.seat);
    const Seen& first = first_.try_emplace(games, seen).first->second;
    if (seen.table != first.table) wrong("what is seen differs", first.table + "----\n" + seen.table);
    if (seen.asked != no_id) {
        const auto [own, fresh] = first_asked_.try_emplace(seen.asked, seen);
        if (own->second.offers != seen.offers) wrong("offers differ", own->second.offers + " | " + seen.offers);
    }
    for (Claimed& c : claims_) {
        const std::int32_t value = run.scalar(c.claim);
        if (value == 1) c.in += sum.weight;
        c.broken = c.broken || (value != 0 && value != 1);
    }
}

std::uint64_t Position::judge(bool at_cut, std::uint64_t salt) {
    for (const Example& e : game_.examples) claims_.push_back({e.steps.front().first, 0, false});
    const auto run = make_run(machine_);
    run->limit_forced(forced_steps);
    // Who may act when is not tried.
    const bool acts = std::any_of(machine_->code.begin(), machine_->code.end(), [](const Step& s) { return s.op == Op::window; });
    if (!acts)
        oracle_ = naive::deduce(*run, view_, naive::Cut::last_seen, tried_at_a_position,
                                [&](Run& at, const naive::Sum& sum, const std::vector<std::size_t>& games) { look_at(at, sum, games); });
    const bool tried = !acts && oracle_.complete;
    worlds_ = without_sets();
    count(tried ? "position: tried" : acts ? "position: acts at any time" : "position: too many histories");
    if (tried && oracle_.all.histories == 0) wrong("trying everything finds no history", "");
    if (tried && at_cut && !oracle_.worlds.contains(naive::world_of(truth_, view_.seat))) wrong("trying everything misses the truth", "");
    if (tried) count(oracle_.worlds.size() > 1 ? "position: several worlds" : "position: one world");

    Deduction deduction(machine_, view_.seat, by_work(false));
    const Fit fit = deduction.see(view_.events, {Told::up_to_question, view_.head.question});
    if (view_.head.question && fit == Fit::fits && !deduction.is_at_question()) {
        count("position: not followed to the seat's question");
        return oracle_.nodes;
    }
    if (view_.head.question) count("position: at a question of the seat");
    if (fit == Fit::impossible) {
        const bool told = deduction.blocked() < deduction.noticed();
        const std::string line = told ? event_line(*machine_, deduction.noticed(deduction.blocked()), view_.seat) : "";
        const std::string kind = told ? fmt::format("{}", static_cast<int>(deduction.noticed(deduction.blocked()).kind)) : "at the end";
        wrong("the truth is excluded, event " + kind, "blocked: " + line);
    }
    if (fit == Fit::unknown) {
        count("position: not followed");
        count("limit: " + deduction.problem());
        return oracle_.nodes;
    }
    const Knowledge& known = deduction.knowledge();
    count(known.method == Method::exact ? "position: exact" : "position: possible only");
    for (const Limit& l : known.limits) count("limit: " + text(l));
    if (deduction.fit() == Fit::impossible) wrong("the truth is excluded, by counting", "");
    if (at_cut) compare_truth(known);
    if (!tried) return oracle_.nodes;
    compare_possible(deduction, known);
    if (known.method != Method::exact) return oracle_.nodes;
    compare_exact(known, false);
    compare_listed(known);
    if (salt % 4 == 0) compare_uniform();
    if (salt % 4 == 1) compare_deals(deduction);
    compare_samples(deduction, salt);
    compare_claims(deduction);
    return oracle_.nodes;
}

// What is so is possible, and what is certain is so.
void Position::compare_truth(const Knowledge& known) {
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;  // compare_fact
        const std::vector<KindId> kinds = truth_.kinds_at(thing.place);
        for (const Possibility& p : thing.values) {
            const auto copies = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), p.value));
            const std::string at = named(thing) + ": " + kind_text(game_, p.value);
            if (copies > 0 && p.possible == Answer::no) wrong("the truth is called impossible", at);
            if (copies == 0 && p.certain == Answer::yes) wrong("what is not so is called certain", at);
        }
    }
}

void Position::compare_possible(Deduction& deduction, const Knowledge& known) {
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;
        for (const Possibility& p : thing.values) {
            const std::string at = named(thing) + ": " + kind_text(game_, p.value);
            bool can_be = false;
            bool must_be = true;
            for (const auto& [copies, share] : naive::copies_at(oracle_, thing.place, p.value))
                (copies > 0 ? can_be : must_be) = copies > 0;
            if (can_be && p.possible == Answer::no) wrong("what is possible is called impossible", at);
            if (!can_be && p.possible == Answer::yes) wrong("what is impossible is called possible", at);
            if (p.certain == Answer::yes && !must_be) wrong("what need not be is called certain", at);
            if (known.method == Method::exact && must_be && p.certain != Answer::yes) wrong("what must be is not called certain", at);
            const Answer own = deduction.possible(thing.place, p.value);
            if (own != Answer::unknown && (own == Answer::yes) != can_be) wrong("possible(…) is wrong", at);
            if (p.possible == Answer::unknown) count("value: not decided");
            if (p.possible == Answer::yes || can_be) continue;
            const WhyNot why = deduction.why_not(thing.place, p.value);
            count(why.answer == Answer::no ? "reason: given" : "reason: not decided");
            if (why.answer == Answer::yes) wrong("no reason for what is impossible", at);
            for (const Reason& r : why.reasons)
                if (r.event > view_.events.size()) wrong("a reason after the end", at);
        }
    }
}

std::map<std::int32_t, naive::Sum> Position::fact_values(FactId fact, std::int32_t index) const {
    std::map<std::int32_t, naive::Sum> values;
    for (const auto& [world, sum] : oracle_.worlds) {
        const auto found = world.facts.find({fact, index});
        if (found == world.facts.end() || game_.facts[fact].type.base == Base::set) continue;
        naive::Sum& all = values[found->second.front()];
        all.weight += sum.weight;
        all.uniform += sum.uniform;
        all.histories += sum.histories;
    }
    return values;
}

// Sets are no part of a world that the deduction counts.
std::set<naive::World> Position::without_sets() const {
    std::set<naive::World> all;
    for (const auto& [tried, sum] : oracle_.worlds) {
        naive::World world = tried;
        std::erase_if(world.facts, [&](const auto& fact) { return game_.facts[fact.first.first].type.base == Base::set; });
        all.insert(std::move(world));
    }
    return all;
}

void Position::compare_exact(const Knowledge& known, bool uniform) {
    const std::string how = uniform ? ", uniform play" : "";
    if (known.weight != weight(oracle_.all, uniform))
        wrong("weight" + how, fmt::format("{}, tried {}", known.weight.str(), weight(oracle_.all, uniform).str()));
    if (known.histories && *known.histories != oracle_.all.histories)
        wrong("histories" + how, fmt::format("{}, tried {}", known.histories->str(), oracle_.all.histories.str()));
    compare_things(known, uniform);
    if (known.worlds && *known.worlds != worlds_.size())
        wrong("worlds" + how, fmt::format("{}, tried {}", known.worlds->str(), worlds_.size()));
}

void Position::compare_things(const Knowledge& known, bool uniform) {
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) {
            compare_fact(thing, uniform);
            continue;
        }
        for (const Possibility& p : thing.values) {
            const std::string at = named(thing) + ": " + kind_text(game_, p.value);
            const auto worlds = static_cast<std::uint64_t>(std::count_if(worlds_.begin(), worlds_.end(), [&](const naive::World& world) {
                const auto& parts = world.places.at(thing.place);
                return std::any_of(parts.begin(), parts.end(),
                                   [&](const auto& part) { return std::find(part.begin(), part.end(), p.value) != part.end(); });
            }));
            std::vector<naive::Weight> expected(p.weights.size(), 0);
            for (const auto& [copies, share] : naive::copies_at(oracle_, thing.place, p.value)) {
                if (copies >= expected.size()) wrong("more copies than there are weights", at);
                expected[copies] = weight(share.sum, uniform);
            }
            if (p.weights != expected) wrong(uniform ? "a share, uniform play" : "a share", at);
            if (p.worlds && *p.worlds != worlds) wrong("worlds with a card", fmt::format("{}: {}, tried {}", at, p.worlds->str(), worlds));
        }
    }
}

void Position::compare_fact(const HiddenThing& thing, bool uniform) {
    const auto values = fact_values(thing.fact, thing.index);
    if (values.contains(unset_value)) return;  // without a value so far: nothing is said of that
    std::map<std::int32_t, naive::Weight> listed;
    for (const Possibility& p : thing.values)
        if (p.weight() != 0) listed[p.value] = p.weight();
    std::map<std::int32_t, naive::Weight> expected;
    for (const auto& [value, sum] : values) expected[value] = weight(sum, uniform);
    if (listed != expected) wrong(uniform ? "a fact's shares, uniform play" : "a fact's shares", named(thing));
}

// A fact that can have several values is open.
void Position::compare_listed(const Knowledge& known) {
    for (const FactId f : game_.facts.ids()) {
        for (std::int32_t i = 0; i < game_.facts[f].count; ++i) {
            const auto values = fact_values(f, i);
            if (values.size() < 2 || values.contains(unset_value)) continue;
            const bool listed = std::any_of(known.things.begin(), known.things.end(),
                                            [&](const HiddenThing& t) { return t.is_fact && t.fact == f && t.index == i; });
            if (!listed) wrong("an open fact is not listed", fmt::format("{} {}", game_.facts[f].name, i));
        }
    }
}

void Position::compare_claims(Deduction& deduction) {
    for (const Claimed& c : claims_) {
        if (c.broken) continue;
        const auto share = deduction.share_of(c.claim);
        count(share ? "claim: share" : "claim: no share");
        if (share && *share * oracle_.all.weight != c.in)
            wrong("a claim's share", fmt::format("{}, tried {}", share->str(), naive::Weight(c.in / oracle_.all.weight).str()));
        const WhyNot why = deduction.why_not(c.claim);
        if (why.answer == Answer::unknown) continue;
        if ((why.answer == Answer::yes) != (c.in > 0))
            wrong(c.in > 0 ? "a possible claim is excluded" : "an impossible claim is possible", "");
    }
}

void Position::compare_uniform() {
    Deduction uniform(machine_, view_.seat, by_work(true));
    const Fit fit = uniform.see(view_.events, {Told::up_to_question, view_.head.question});
    if (fit == Fit::impossible) wrong("the truth is excluded, uniform play", "");
    const bool elsewhere = view_.head.question && !uniform.is_at_question();
    if (fit == Fit::unknown || elsewhere || uniform.knowledge().method != Method::exact) {
        count("position: uniform play not exact");
        return;
    }
    count("position: uniform play");
    compare_exact(uniform.knowledge(), true);
}

void Position::compare_deals(Deduction& deduction) {
    if (!deduction.weigh_deals()) {
        count("position: deals not weighed");
        return;
    }
    const Knowledge& known = deduction.knowledge();
    count("position: deals");
    if (known.deals != naive::all_deals(oracle_))
        wrong("deals", fmt::format("{}, tried {}", known.deals->str(), naive::all_deals(oracle_).str()));
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;
        for (const Possibility& p : thing.values)
            if (p.deals != naive::deals_with(oracle_, thing.place, p.value))
                wrong("deals with a card", named(thing) + ": " + kind_text(game_, p.value));
    }
}

// A history that is offered replays to the same view.
void Position::compare_samples(Deduction& deduction, std::uint64_t salt) {
    Random random(salt);
    const auto run = make_run(machine_);
    run->limit_forced(forced_steps);
    for (int i = 0; i < samples; ++i) {
        const auto history = deduction.sample(random);
        if (!history) wrong("no history is offered", "");
        Events events;
        std::string problem;
        if (!play_history(*run, *history, events, problem)) wrong("an offered history does not replay", problem);
        // Line by line: of what is told in one line and what in several, a view knows nothing.
        const View same = view_of(*machine_, view_.head, events, view_.seat);
        bool fits = same.events.size() == view_.events.size();
        for (std::size_t e = 0; fits && e < same.events.size(); ++e) fits = can_mean(view_, e, same.events[e]);
        if (!fits) wrong("an offered history has another view", view_text(*machine_, view_.head, events, view_.seat));
    }
}

// ---- games -------------------------------------------------------------------------------------------------------------------

// What took part where something was unknown.
void note_parts(const Run& run, Coverage& coverage) {
    const Machine& machine = run.machine();
    std::set<std::string> parts;
    const auto reached = run.reached();
    for (const StepId i : machine.code.ids()) {
        if (reached[i.index()] == 0) continue;
        const Step& s = machine.code[i];
        parts.insert(fmt::format("unknowns, step: {}", step_name(s.op)));
        for (const ExpressionId read : {s.x, s.y, s.z, s.w, s.fits})
            any_read(machine.game, read, [&](const Expression& x) {
                parts.insert(fmt::format("unknowns, operator: {}", operator_name(x.op)));
                return false;
            });
    }
    for (const std::string& part : parts) ++coverage[part];
}

// Plays one game and looks at some of the moments at which a seat has noticed something.
void play_and_judge(const MachinePtr& machine, std::uint64_t seed, std::uint64_t& work, Coverage& coverage) {
    const auto run = make_run(machine);
    run->limit_forced(forced_steps);
    Events events;
    run->record(&events);
    Random random(seed);
    Random when(seed + 1);
    run->ask_forced(true);  // as trying everything does: a choice of one thing alone is where somebody is asked, too
    run->start();
    const LogHead head = head_of(*machine, std::nullopt);
    std::vector<std::size_t> before(machine->game.players, std::numeric_limits<std::size_t>::max());
    int positions = 0;
    for (int i = 0; i < most_nodes && positions < positions_a_game; ++i) {
        const Node node = run->advance();
        if (node.kind == NodeKind::failed) return;
        for (int seat = 0; seat < machine->game.players; ++seat) {
            if (is_unseen_lot(*run, seat)) continue;  // nobody waits for that
            View view = view_of(*machine, head, events, seat);
            const bool fresh = view.events.size() != before[seat];
            before[seat] = view.events.size();
            // What others decided unseen before the seat is asked is part of what fits then.
            if (!fresh || when.below(2) == 0) view.head.question = question_at_once_to(machine, *run, seat, true);
            if ((!fresh && !view.head.question) || positions >= positions_a_game || work >= tried_in_a_game || when.below(3) == 0) continue;
            ++positions;
            const std::uint64_t several = coverage["position: several worlds"];
            const std::uint64_t salt = when.below(1'000'000);
            work += Position(machine, *run, view, coverage).judge(true, salt);
            if (coverage["position: several worlds"] > several) note_parts(*run, coverage);
        }
        if (node.kind == NodeKind::over) return;
        run->apply(random_move(*run, random));
    }
}

void judge_all(const GeneratedGame& game, std::uint64_t seed, Coverage& coverage) {
    std::uint64_t work = 0;
    for (const MachinePtr& machine : machines_of(game.text))
        for (int i = 0; i < games_a_machine; ++i) play_and_judge(machine, seed + static_cast<std::uint64_t>(i), work, coverage);
    if (work >= tried_in_a_game) ++coverage["game: cut short"];
    for (const auto& [what, count] : game.written) coverage["statement: " + what] += count;
}

}  // namespace

Judged judge_knowledge(const GeneratedGame& game, const GeneratedGame&, std::uint64_t seed) {
    return judged_by([&](Coverage& coverage) { judge_all(game, seed, coverage); });
}

}  // namespace houserule::random_games
