// What follows from what was seen, worked out: counts and shares, what is possible, how many worlds. See deduction.hpp.
#include "solver/count/simplify.hpp"
#include "solver/deduce/deduction_impl.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace houserule {

namespace {

// Parts of the time: deciding what is possible ends after the first, counting after the second of what is left then, estimating after
// the third; the rest is for worlds, and for values that were not decided at first. Of work they have the same parts.
constexpr int deciding_percent = 25;
constexpr int counting_percent = 50;
constexpr int estimating_percent = 92;
constexpr double estimating_least = 1.0 / 3;  // of all work

// Paths whose conditions decide the order of kinds, at most.
constexpr std::size_t models_most = 8;

// Orders of kinds by what is written on them, field by field: conditions that compare cards of several families are then soon decided.
// Kinds without that field come first.
std::vector<KindPlaces> places_by_field(const Game& game) {
    std::size_t fields = 0;
    for (const PieceKind& kind : game.kinds) fields = std::max(fields, kind.values.size());
    std::vector<KindPlaces> all;
    for (std::size_t field = 0; field < fields; ++field) {
        std::vector<std::size_t> sorted(game.kinds.size());
        std::iota(sorted.begin(), sorted.end(), std::size_t{0});
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            const auto value = [&](std::size_t kind) {
                const auto& values = game.kinds[kind].values;
                return field < values.size() ? std::optional(-values[field]) : std::nullopt;
            };
            return value(a) < value(b);
        });
        KindPlaces places(sorted.size() + 1, 0);
        for (std::size_t p = 0; p < sorted.size(); ++p) places[sorted[p] + 1] = p + 1;
        if (std::find(all.begin(), all.end(), places) == all.end()) all.push_back(std::move(places));
    }
    return all;
}

// A tenth of a second: enough for most positions.
constexpr std::size_t few_states = 20'000;
constexpr std::size_t few_formulas = 50'000;

CountLimits few(const CountLimits& most) { return {std::min(most.states, few_states), most.until, std::min(most.formulas, few_formulas)}; }

// Of the work and of the time, for a count that decides everything before anything else is asked; and so much work at most.
constexpr double quick_part = 0.25;
constexpr int quick_percent = 20;
constexpr std::uint64_t quick_most = 60'000;  // what it does not decide soon, Z3 does

}  // namespace

Rational Possibility::weight() const {
    Rational sum = 0;
    for (std::size_t n = 1; n < weights.size(); ++n) sum += weights[n];
    return sum;
}

Rational Possibility::share() const {
    Rational all = weights.empty() ? Rational(0) : weights.front();
    const Rational some = weight();
    all += some;
    return all == 0 ? Rational(0) : Rational(some / all);
}

const Knowledge& Deduction::knowledge() {
    Impl& i = *impl_;
    if (i.known) return *i.known;
    const auto until = i.until();
    Knowledge& k = i.known.emplace(i.possibilities(until.part(deciding_percent)));
    if (i.fit == Fit::unknown) return k;
    if (k.method == Method::exact) return i.count_worlds(k, until), k;
    if (i.limits.unweighed) {
        i.decide(k, i.work.left(), true, until);
        i.tell_undecided(k);
        if (i.is_loose()) k.limits.push_back({LimitKind::conditions_open});
        k.limits.push_back(because(LimitKind::shares_not_counted, *i.limits.unweighed));
        return k;
    }
    const auto count_until = until.part(counting_percent);
    const auto estimate_until = until.part(estimating_percent);
    const bool counted = !i.is_loose() && i.count_paths(k, part_of_work(i.work.left(), counting_percent / 100.0), count_until);
    if (counted && i.share(k)) k.method = Method::exact;
    // A count may have taken more than its part.
    const std::uint64_t estimate_work =
        std::max(part_of_work(i.work.left(), estimating_percent / 100.0), part_of_work(i.limits.work, estimating_least));
    if (k.method != Method::exact && i.estimate(k, estimate_work, estimate_until)) k.method = Method::sampled;
    // What following left undecided, counting decides.
    if (counted && k.weight == 0) i.fit = Fit::impossible;
    i.take_from_counts(k);
    if (k.method != Method::exact) i.decide(k, i.work.left(), true, until);
    i.tell_undecided(k);
    if (i.is_loose()) k.limits.push_back({LimitKind::conditions_open});
    if (k.method == Method::exact) i.count_worlds(k, until);
    return k;
}

// ---------------------------------------------------------------- counts and shares

// What has to be counted, made as small as it can be, once for all orders. `weighed`: as likely as histories are; else as many as there
// are, which differs under uniform play alone.
const CountModel& Deduction::Impl::simple_model(Path& path, bool weighed) {
    Path::Simple& simple = weighed ? path.weighed : path.unweighed;
    const UnknownTable& t = path.table;
    const std::size_t made_of = t.conditions.size() + t.sums.size() + t.unknowns.size() + t.factors.size() + t.odds_factors.size() + 1;
    if (simple.made_of == made_of) return simple.model;
    simple = {made_of, {}};
    CountModel& model = simple.model;
    model.conditions = coexecution.always();
    for (const Condition& c : t.conditions) model.conditions.push_back(c.holds);
    model.sums = t.sums;
    model.factors = t.factors;
    if (weighed) model.factors.insert(model.factors.end(), t.odds_factors.begin(), t.odds_factors.end());
    model.unknowns = t.unknowns;
    simplify(terms().formulas(), model);
    return model;
}

CountModel Deduction::Impl::model_of(Path& path, CountOrder order, bool weighed) {
    CountModel model = simple_model(path, weighed);
    arrange(model, terms().formulas(), order, kind_places);
    if (order == CountOrder::alike_last) {
        std::stable_partition(model.unknowns.begin(), model.unknowns.end(), [&](const auto& u) { return !path.is_last(u.first); });
        model.alike = path.alike.size();
    }
    return model;
}

// Which order keeps few states at a time depends on the game and on how long it has gone on. Each is tried with few states; the one that
// came furthest gets as many as there may be, another one only after it.
void Deduction::Impl::count(Path& path, std::uint64_t most, const Deadline& until) {
    Work own(std::min(most, work.left()));
    std::uint64_t each = work_a_state;  // what a state took so far
    const auto counted = [&](CountOrder order, std::size_t states) {
        const std::size_t before = terms().formulas().size();
        const CountLimits allowed{std::min(states, own.left() / each), until, own.left() / work_a_formula};
        const bool finished = count_with(path, order, states == few_states ? few(allowed) : allowed);
        const std::uint64_t took = work_of(*path.counter, terms().formulas().size() - before);
        each = std::max(each, (took - path.counter->listed() / listed_a_work) / (path.counter->states() + 1));
        own.spend(took);
        return finished;
    };
    std::vector<std::pair<double, CountOrder>> tried;
    for (const CountOrder order : {CountOrder::by_kind, CountOrder::alike_last, CountOrder::as_happened, CountOrder::apart}) {
        if (order == CountOrder::alike_last && !note_alike(path)) continue;
        if (order == CountOrder::apart && model_of(path, order).unknowns == model_of(path, CountOrder::by_kind).unknowns)
            continue;  // all is tied together
        if (counted(order, few_states)) return work.spend(own.spent());
        tried.emplace_back(path.counter->decided(), order);
    }
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    bool finished = false;
    for (std::size_t n = 0; n < tried.size() && !finished && !until.over() && !own.gone(); ++n)
        finished = counted(tried[n].second, limits.states);
    work.spend(own.spent());
    if (!finished) path.order = tried.front().second;
}

// Whether some kinds, as far as the last count went, can be decided together.
bool Deduction::Impl::note_alike(Path& path) const {
    path.alike = path.counter->alike_keys();
    return !path.alike.empty();
}

// Where the order of kinds that conditions suggest is not enough for few states, others are tried on the widest path; what comes furthest
// with few states is the order of all paths.
void Deduction::Impl::order_kinds(std::uint64_t most, const Deadline& until) {
    if (paths.empty()) return;
    Path& widest = *std::max_element(paths.begin(), paths.end(),
                                     [](const Path& a, const Path& b) { return a.table.unknowns.size() < b.table.unknowns.size(); });
    Work own(std::min(most, work.left()));
    KindPlaces best = kind_places;
    double furthest = -1;
    const auto try_order = [&](const KindPlaces& places, CountOrder order = CountOrder::by_kind) {
        if (furthest >= 1 || own.gone() || until.over()) return;
        const std::size_t before = terms().formulas().size();
        kind_places = places;
        const bool finished = count_with(widest, order, few({few_states, until, own.left() / work_a_formula}));
        own.spend(work_of(*widest.counter, terms().formulas().size() - before));
        const double now = finished ? 1 : widest.counter->decided();
        if (now <= furthest || (order == CountOrder::alike_last && !finished)) return;
        furthest = now;
        best = places;
    };
    try_order(KindPlaces(best));
    if (widest.counter && furthest < 1 && note_alike(widest)) try_order(KindPlaces(best), CountOrder::alike_last);
    const CountModel model = model_of(widest, CountOrder::as_happened);
    if (widest.counter && furthest < 1) try_order(places_of_sums(terms().formulas(), model, widest.counter->kinds_of_sums(), best));
    for (const KindPlaces& places : places_by_field(game())) try_order(places);
    kind_places = std::move(best);
    work.spend(own.spent());
}

bool Deduction::Impl::count_with(Path& path, CountOrder order, CountLimits most) {
    most.states = std::min(most.states, limits.states);
    path.counter = std::make_unique<Counter>(terms().formulas(), model_of(path, order), most);
    path.order = order;
    return path.counter->finished();
}

Limit Deduction::Impl::not_counted_because(const Counter& counter) const {
    const Limit& why = counter.problem();
    const bool of_work = why.kind == LimitKind::too_many_states && why.number < limits.states;
    return of_work || why.kind == LimitKind::too_many_formulas ? Limit{LimitKind::out_of_work} : why;
}

bool Deduction::Impl::count_quickly(Knowledge& k, const Deadline& until) {
    Knowledge counted = k;
    const auto quick = until.part(quick_percent);
    if (!count_paths(counted, std::min(quick_most, part_of_work(work.left(), quick_part)), quick) || !share(counted)) return false;
    k = std::move(counted);
    k.method = Method::exact;
    if (k.weight == 0) fit = Fit::impossible;
    take_from_counts(k);
    return true;
}

bool Deduction::Impl::count_paths(Knowledge& k, std::uint64_t most, const Deadline& until) {
    const std::uint64_t end = work.spent() + most;
    Rational histories = 0;
    bool all_counted = true;
    // One order for all paths: worlds are listed kind by kind over all of them.
    std::vector<CountModel> models;
    for (std::size_t w = 0; w < std::min(paths.size(), models_most); ++w) models.push_back(model_of(paths[w], CountOrder::as_happened));
    kind_places = places_of_kinds(terms().formulas(), models, game().kinds.size());
    for (Path& path : paths) path.counter.reset();
    order_kinds(most, until);
    for (Path& path : paths) {
        if (!path.counter || !path.counter->finished()) count(path, end - std::min(end, work.spent()), until);
        if (!path.counter->finished()) {
            k.limits.push_back(because(LimitKind::not_counted, not_counted_because(*path.counter)));
            k.weight = 0;
            for (Path& other : paths) other.order = path.order;  // as good a guess as any
            return false;
        }
        k.weight += path.each * Rational(path.counter->total());
        if (path.table.odds_factors.empty()) {
            histories += path.histories_each * Rational(path.counter->total());
            continue;
        }
        const Counter plain(terms().formulas(), model_of(path, path.order, false), CountLimits{limits.states, until, std::size_t(-1)});
        all_counted = all_counted && plain.finished();
        histories += path.histories_each * Rational(plain.total());
    }
    std::erase_if(paths, [](const Path& path) { return path.counter->total() == 0; });
    if (all_counted) k.histories = numerator(histories);
    return true;
}

// Places in which something lies and facts that are open, with all that may be there by the declarations.
void Deduction::Impl::list_things(Knowledge& k) {
    if (paths.empty()) return;
    for (const PlaceId p : hidden_places()) {
        if (paths.front().table.sizes[p] == 0) continue;
        HiddenThing thing;
        thing.place = p;
        thing.size = paths.front().table.sizes[p];
        const Zone& zone = game().zones[machine->place_zone[p]];
        for (std::size_t kind = 0; kind < game().kinds.size(); ++kind) {
            if (!zone.families[game().kinds[kind].family]) continue;
            thing.values.emplace_back();
            thing.values.back().value = kind;
        }
        k.things.push_back(std::move(thing));
    }
    for (const auto& [fact, index] : open_facts()) {
        std::map<Value, bool> values;
        for (const Path& path : paths) terms().each_case(*value_of(path, fact, index), [&](Value v, Truth) { values[v] = true; });
        if (values.contains(unset_value)) continue;  // without a value, perhaps: there is no word for that
        HiddenThing thing;
        thing.is_fact = true;
        thing.fact = fact;
        thing.index = index;
        for (const auto& [value, there] : values) {
            thing.values.emplace_back();
            thing.values.back().value = value;
        }
        k.things.push_back(std::move(thing));
    }
}

// What a fact is on a path; nothing of a set.
std::optional<Terms::Int> Deduction::Impl::value_of(const Path& path, FactId fact, std::int32_t index) const {
    const FactSlot<Terms>& slot = path.table.state.facts[fact][index];
    const auto* number = std::get_if<Terms::Int>(&slot.content);
    if (number == nullptr) return std::nullopt;
    return slot.given == Formulas::no ? no_value : *number;
}

// Those that can have several values: on one path, or one on each of several that are not the same.
std::vector<std::pair<FactId, std::int32_t>> Deduction::Impl::open_facts() const {
    std::vector<std::pair<FactId, std::int32_t>> open;
    for (const FactId f : game().facts.ids())
        for (std::int32_t index = 0; index < game().facts[f].count; ++index) {
            const auto first = value_of(paths.front(), f, index);
            if (!first) continue;
            const bool same = std::all_of(paths.begin(), paths.end(), [&](const Path& path) {
                const Terms::Int own = *value_of(path, f, index);
                return own.is_constant() && own.low() == first->low();
            });
            if (!same) open.emplace_back(f, index);
        }
    return open;
}

// What a share is about: of each kind all places at once, as their counts depend on the same unknowns; each fact alone.
std::vector<Deduction::Impl::Asked> Deduction::Impl::asked_of(Knowledge& k) {
    std::vector<Asked> all;
    for (std::size_t kind = 0; kind < game().kinds.size(); ++kind) {
        Asked asked;
        for (std::size_t t = 0; t < k.things.size(); ++t) {
            HiddenThing& thing = k.things[t];
            if (thing.is_fact) continue;
            for (std::size_t v = 0; v < thing.values.size(); ++v)
                if (thing.values[v].value == static_cast<std::int32_t>(kind)) asked.of.emplace_back(t, v);
        }
        if (!asked.of.empty()) all.push_back(std::move(asked));
    }
    for (std::size_t t = 0; t < k.things.size(); ++t)
        if (k.things[t].is_fact) all.push_back({{{t, 0}}});
    return all;
}

std::vector<Terms::Int> Deduction::Impl::numbers_of(const Knowledge& k, const Path& path, const Asked& asked) const {
    std::vector<Terms::Int> numbers;
    for (const auto& [t, v] : asked.of) {
        const HiddenThing& thing = k.things[t];
        if (thing.is_fact)
            numbers.push_back(*value_of(path, thing.fact, thing.index));
        else
            numbers.push_back(path.table.state.piles[thing.place].counts[thing.values[v].value]);
    }
    return numbers;
}

// By copies at places; of a fact by value: not, is.
void Deduction::Impl::add_share(Knowledge& k, const Asked& asked, const std::vector<Value>& combination, const Rational& weight) const {
    for (std::size_t n = 0; n < asked.of.size(); ++n) {
        HiddenThing& thing = k.things[asked.of[n].first];
        if (!thing.is_fact) {
            thing.values[asked.of[n].second].weights[combination[n]] += weight;
            continue;
        }
        for (Possibility& p : thing.values) p.weights[p.value == combination[n] ? 1 : 0] += weight;
    }
}

void Deduction::Impl::clear_shares(Knowledge& k, bool wanted) const {
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            const std::size_t most = thing.is_fact ? 1 : game().kinds[p.value].copies;
            p.weights.assign(wanted ? most + 1 : 0, Rational(0));
        }
    }
}

bool Deduction::Impl::share(Knowledge& k) {
    clear_shares(k, true);
    for (const Asked& asked : asked_of(k)) {
        for (Path& path : paths) {
            const auto shares = path.counter->shares(terms(), numbers_of(k, path, asked));
            if (!shares) {
                k.limits.push_back(because(LimitKind::shares_not_counted, path.counter->share_problem()));
                clear_shares(k, false);
                return false;
            }
            for (const auto& [combination, weight] : *shares) add_share(k, asked, combination, path.each * Rational(weight));
        }
    }
    return true;
}

std::optional<std::vector<std::pair<Deduction::Contents, Rational>>> Deduction::together(const std::vector<PlaceId>& places) {
    Impl& i = *impl_;
    const bool has_no_shares = i.known ? i.known->method != Method::exact : i.limits.unweighed.has_value();
    if (i.fit == Fit::unknown || i.is_loose() || has_no_shares) return std::nullopt;
    // Counting is enough: what else is known need not be worked out for this.
    Knowledge counted;
    if (!i.known && !i.count_paths(counted, i.work.left(), i.until())) {
        i.limit = counted.limits.back();
        return std::nullopt;
    }
    const Knowledge& k = i.known ? *i.known : counted;
    if (k.weight == 0) return std::nullopt;
    std::map<Contents, Rational> shares;
    const auto add = [&](Path& path, const std::vector<Terms::Int>& numbers,
                         const std::function<std::optional<Contents>(const std::vector<Value>&)>& contents) {
        const auto found = path.counter->shares(i.terms(), numbers);
        if (!found) return i.limit = because(LimitKind::shares_not_counted, path.counter->share_problem()), false;
        for (const auto& [counts, weight] : *found)
            if (const auto own = contents(counts)) shares[*own] += path.each * Rational(weight) / k.weight;
        return true;
    };
    for (Path& path : i.paths) {
        const auto& piles = path.table.state.piles;
        if (places.size() == 1 && path.table.sizes[places.front()] == 1) {
            // One card: kind by kind, which is less to keep apart.
            const auto& counts = piles[places.front()].counts;
            for (std::size_t kind = 0; kind < counts.size(); ++kind) {
                const Contents only{{KindId(kind)}};
                if (!add(path, {counts[kind]}, [&](const std::vector<Value>& n) { return n[0] == 1 ? std::optional(only) : std::nullopt; }))
                    return std::nullopt;
            }
            continue;
        }
        std::vector<Terms::Int> numbers;
        for (const PlaceId place : places) numbers.insert(numbers.end(), piles[place].counts.begin(), piles[place].counts.end());
        const std::size_t kinds = i.game().kinds.size();
        const auto all = [&](const std::vector<Value>& counts) {
            Contents contents(places.size());
            for (std::size_t n = 0; n < counts.size(); ++n)
                contents[n / kinds].insert(contents[n / kinds].end(), counts[n], KindId(n % kinds));
            return std::optional(contents);
        };
        if (!add(path, numbers, all)) return std::nullopt;
    }
    return std::vector<std::pair<Contents, Rational>>(shares.begin(), shares.end());
}

// ---------------------------------------------------------------- deals

Deals Deduction::deals(const std::vector<TableQuestion>& questions) {
    Impl& i = *impl_;
    Events seen;
    for (std::size_t e = 0; e < noticed(); ++e) seen.push_back(noticed(e));
    return houserule::weigh_deals(i.machine, seat(), seen, questions, {i.limits.states, i.until(), i.question, i.ends_at_lots});
}

bool Deduction::weigh_deals() {
    knowledge();
    Knowledge& k = *impl_->known;
    std::vector<TableQuestion> questions;
    std::vector<Possibility*> asked;
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            asked.push_back(&p);
            questions.push_back([place = thing.place, fact = thing.fact, index = thing.index, value = p.value](const TableView& run) {
                if (fact != no_id) return run.fact(fact, index) == value;
                const std::vector<KindId> kinds = run.kinds_at(place);
                return std::find(kinds.begin(), kinds.end(), value) != kinds.end();
            });
        }
    }
    const Deals found = deals(questions);
    if (found.limit.hit()) {
        k.limits.push_back(because(LimitKind::deals_not_counted, found.limit));
        return false;
    }
    k.deals = found.all;
    for (std::size_t p = 0; p < asked.size(); ++p) asked[p]->deals = found.of[p];
    return true;
}

// ---------------------------------------------------------------- what is possible

// What was counted is decided, and so is what was met in an estimate.
void Deduction::Impl::take_from_counts(Knowledge& k) const {
    const auto answer = [](bool yes) { return yes ? Answer::yes : Answer::no; };
    for (HiddenThing& thing : k.things) {
        if (thing.is_fact && k.method == Method::exact) std::erase_if(thing.values, [](const Possibility& p) { return p.weight() == 0; });
        for (Possibility& p : thing.values) {
            if (k.method == Method::exact) {
                p.possible = answer(p.weight() > 0);
                p.certain = answer(p.weights[0] == 0 && p.weight() > 0);
            } else if (k.method == Method::sampled) {
                if (p.weight() > 0) p.possible = Answer::yes;
                if (p.weights[0] > 0) p.certain = Answer::no;
            }
        }
    }
}

void Deduction::Impl::tell_undecided(Knowledge& k) const {
    bool undecided = false;
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            undecided = undecided || !p.is_decided();
            if (p.certain == Answer::yes || p.possible == Answer::no) p.error = 0;
        }
    }
    if (undecided) k.limits.push_back({LimitKind::possible_not_decided});
}

// ---------------------------------------------------------------- worlds

bool Deduction::Impl::is_row(PlaceId place) const { return place != 0 && game().zones[machine->place_zone[place]].shape == Shape::row; }

// Whether it is known on every path which card lies where in a row.
bool Deduction::Impl::has_order(PlaceId row) const {
    return std::all_of(paths.begin(), paths.end(),
                       [&](const Path& path) { return std::cmp_equal(path.table.state.piles[row].order.size(), path.table.sizes[row]); });
}

// The parts of a hidden place whose contents a world tells: of a stack each one, as many as it has on the path where it has most; of a row
// each card.
std::vector<Deduction::Impl::Spot> Deduction::Impl::spots() const {
    std::vector<Spot> spots;
    for (const PlaceId p : hidden_places()) {
        const Value size = paths.front().table.sizes[p];
        if (size == 0) continue;
        const bool in_row = size > 1 && is_row(p) && has_order(p);
        std::size_t most = in_row ? size : 1;
        for (const Path& path : paths) most = std::max(most, path.table.parts[p].size());
        for (std::size_t part = 0; part < most; ++part) spots.push_back({p, most > 1 ? part : all_parts, in_row});
    }
    return spots;
}

// How many of a kind lie in a part; in none that the path does not have.
Terms::Int Deduction::Impl::count_at(const Path& path, const Spot& spot, KindId kind) {
    const Pile<Terms>& pile = path.table.state.piles[spot.place];
    if (spot.part == all_parts) return pile.counts[kind];
    if (spot.in_row) return arithmetic::count(terms(), terms().equal(pile.order[spot.part], terms().constant(kind)));
    const auto& parts = path.table.parts[spot.place];
    return spot.part < parts.size() ? parts[spot.part].counts[kind] : terms().constant(0);
}

// Whether worlds can be told apart: cards of several kinds lie in no hidden row of which the order is not known.
bool Deduction::Impl::rows_have_orders() const {
    const auto one_kind = [](const UnknownTable& t, PlaceId p) {
        const auto may_lie = [](const Terms::Int& count) { return count.high() > 0; };
        const std::vector<Terms::Int>& counts = t.state.piles[p].counts;
        return t.sizes[p] <= 1 || std::count_if(counts.begin(), counts.end(), may_lie) <= 1;
    };
    for (const PlaceId p : hidden_places()) {
        if (!is_row(p) || has_order(p)) continue;
        if (!std::all_of(paths.begin(), paths.end(), [&](const Path& path) { return one_kind(path.table, p); })) return false;
    }
    return true;
}

// Worlds are told kind by kind, in one order for all paths.
Limit Deduction::Impl::orders_differ() const {
    const bool alike = std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.order == CountOrder::alike_last; });
    const bool same = std::all_of(paths.begin(), paths.end(), [&](const Path& path) {
        return alike ? path.order == CountOrder::alike_last && path.alike == paths.front().alike : path.order == CountOrder::by_kind;
    });
    return same ? Limit{} : Limit{alike ? LimitKind::worlds_alike : LimitKind::worlds_by_moves};
}

Worlds& Deduction::Impl::worlds(const Deadline& until) {
    if (told_apart) return *told_apart;
    std::vector<KindId> keys(kind_places.size());
    for (std::size_t k = 0; k < keys.size(); ++k) keys[kind_places[k]] = KindId(k) - 1;
    if (!paths.empty() && paths.front().order == CountOrder::alike_last && paths.front().counter->lifted() > 0)
        std::stable_partition(keys.begin(), keys.end(), [&](KindId key) { return !paths.front().is_last(key); });
    const auto where = spots();
    const auto open = open_facts();
    std::vector<Worlds::Source> sources;
    for (Path& path : paths) {
        sources.push_back({path.counter.get(), [this, &path, where, open](KindId key) {
                               std::vector<Terms::Int> letter;
                               if (key == no_id) {
                                   for (const auto& [fact, index] : open) letter.push_back(*value_of(path, fact, index));
                                   return letter;
                               }
                               for (const Spot& spot : where) letter.push_back(count_at(path, spot, key));
                               return letter;
                           }});
    }
    told_apart = std::make_unique<Worlds>(terms(), std::move(sources), std::move(keys), CountLimits{limits.states, until});
    return *told_apart;
}

void Deduction::Impl::count_worlds(Knowledge& k, const Deadline& until) {
    if (paths.empty()) {
        k.worlds = 0;
        return;
    }
    if (const Limit why = orders_differ(); why.hit()) {
        k.limits.push_back(because(LimitKind::worlds_not_counted, why));
        return;
    }
    if (!rows_have_orders()) {
        k.limits.push_back(because(LimitKind::worlds_not_counted, {LimitKind::order_not_known}));
        return;
    }
    const Worlds& w = worlds(until);
    if (!w.finished()) {
        k.limits.push_back(because(LimitKind::worlds_not_counted, w.problem()));
        return;
    }
    k.worlds = w.count();
    const auto where = spots();
    for (HiddenThing& thing : k.things) {
        if (thing.is_fact) continue;
        for (Possibility& p : thing.values) {
            if (p.possible == Answer::no) {
                p.worlds = 0;
                continue;
            }
            std::vector<std::size_t> own;
            for (std::size_t s = 0; s < where.size(); ++s)
                if (where[s].place == thing.place) own.push_back(s);
            p.worlds = w.count(p.value, own);
        }
    }
}

bool Deduction::each_world(const std::function<bool(const World&)>& f) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || i.paths.empty()) return k.method == Method::exact;
    if (i.orders_differ().hit()) return false;
    if (!i.rows_have_orders()) return false;
    const Worlds& w = i.worlds(i.until());
    if (!w.finished()) return false;
    const auto where = i.spots();
    std::vector<const HiddenThing*> things;  // of the open facts, in their order; none of one that may be without a value
    for (const auto& open : i.open_facts()) {
        const auto is = [&](const HiddenThing& t) { return t.is_fact && std::pair(t.fact, t.index) == open; };
        const auto thing = std::ranges::find_if(k.things, is);
        things.push_back(thing == k.things.end() ? nullptr : &*thing);
    }
    std::vector<std::size_t> place_of(w.keys().size());
    for (std::size_t p = 0; p < place_of.size(); ++p) place_of[w.keys()[p] + 1] = p;
    w.each([&](const std::vector<std::vector<Value>>& letters) {
        World world;
        for (std::size_t s = 0; s < where.size(); ++s) {
            std::vector<Value> counts;
            for (std::size_t kind = 0; kind + 1 < letters.size(); ++kind) counts.push_back(letters[place_of[kind + 1]][s]);
            const bool there = where[s].part == Impl::all_parts || std::ranges::any_of(counts, [](Value n) { return n > 0; });
            if (!there) continue;  // a part that other worlds have
            world.places.emplace_back(where[s].place, std::move(counts));
        }
        for (std::size_t t = 0; t < things.size(); ++t)
            if (things[t] != nullptr) world.facts.emplace_back(things[t], letters[place_of[0]][t]);
        return f(world);
    });
    return true;
}

}  // namespace houserule
