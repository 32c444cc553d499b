#include "solver/compare/name_mapping.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/index_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

namespace houserule {

namespace {

constexpr std::uint64_t listed_moves = 4'096;  // compared one by one; the largest choice in the shipped games has 286
constexpr std::uint64_t sampled_moves = 64;    // of more than that

// A kind by its text; those of another family are other things.
std::string kind_name(const Game& game, KindId kind) { return game.families[game.kinds[kind].family].name + " " + kind_text(game, kind); }

std::string index_name(const Game& game, IndexBy by, EnumId index_enum, std::int32_t index) {
    switch (by) {
        case IndexBy::nothing:
            return "";
        case IndexBy::player:
            return fmt::format("P{}", index + 1);
        case IndexBy::enumeration:
            return game.enums[index_enum].values[index];
    }
    return "";
}

// Where a place or fact is found by its name and index.
struct Slot {
    Operand id = no_id;
    std::int32_t index = no_id;
};
using Slots = std::map<std::string, Slot>;

Slots place_slots(const Game& game) {
    Slots slots;
    for (const Zone& z : game.zones)
        for (std::int32_t i = 0; i < z.places; ++i)
            slots[z.name + " " + index_name(game, z.by, z.index_enum, i)] = {Operand(z.first_place + i), no_id};
    return slots;
}

Slots fact_slots(const Game& game) {
    Slots slots;
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i)
            slots[fact.name + " " + index_name(game, fact.by, fact.index_enum, i)] = {f, fact.by == IndexBy::nothing ? no_id : i};
    }
    return slots;
}

Type element_of(Type t) {
    if (t.base == Base::set) {
        t.base = t.element;
        t.element = Base::nothing;
    }
    if (t.base == Base::cards || t.base == Base::card) t.base = Base::kind;
    return t;
}

bool is_tagged(const Run& run) {
    if (meant_type(run).base != Base::kind || run.node().kind != NodeKind::choose) return false;
    for (std::uint64_t m = 0; m < run.node().moves; ++m)
        if (const Meant meant = run.meaning(m); !meant.values.empty()) return PlacedKind::of_value(meant.values.front()).place != no_id;
    return false;
}

// Where the cards lie that this choice offers, when they all lie at one place.
PlaceId place_offered(Run& run) {
    const Variable& v = run.machine().game.variables[step_of(run).a];
    const VariableId variable = step_of(run).a;
    const std::vector<std::byte> kept(run.state().begin(), run.state().end());
    PlaceId place = no_id;
    for (std::uint64_t m = 0; m < run.node().moves && place == no_id; ++m) {
        run.apply(m);
        if (v.type.base == Base::card)
            place = run.place_of(run.variable(variable));
        else if (const auto pieces = run.variable_set(variable); v.type.base == Base::cards && !pieces.empty())
            place = run.place_of(pieces.front());
        run.set_state(kept);
        run.advance();
        if (v.type.base != Base::card && v.type.base != Base::cards) break;
    }
    return place;
}

// `q says have_not` of `q#3 says have_not`: which of the names called so it is.
std::string without_numbers(std::string text) {
    for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
        text.erase(at, end - at);
    }
    return text;
}

}  // namespace

Type meant_type(const Run& run) {
    const Node& n = run.node();
    Type t;
    switch (n.kind) {
        case NodeKind::choose:
        case NodeKind::lot:
        case NodeKind::report:
            return element_of(run.machine().game.variables[step_of(run).a].type);
        case NodeKind::draw:
            t.base = Base::kind;
            return t;
        case NodeKind::window:
            t.base = Base::player;
            return t;
        case NodeKind::consent:
        case NodeKind::ask:
            t.base = Base::truth;
            return t;
        case NodeKind::over:
        case NodeKind::failed:
            break;
    }
    return t;
}

GameResult outcome_of(Run& run) {
    const Game& game = run.machine().game;
    GameResult o;
    if (run.ended() != no_id) o.end = game.ends[run.ended()].name;
    if (const auto front = run.seats_in_front()) {
        o.winners.emplace();
        for (std::int32_t p = 0; p < game.players; ++p)
            if ((*front & seat_bit(p)) != 0) o.winners->push_back(p);
        o.by_lot = run.decides_by_lot(*front);
    }
    const auto numbers = [&](ExpressionId expression, const std::vector<std::int32_t>& values) {
        std::vector<double> all;
        if (expression == no_id) return all;
        const double scale = std::max(1, game.expressions[expression].type.scale);
        for (const std::int32_t v : values) all.push_back(v / scale);
        return all;
    };
    if (game.score != no_id) o.scores = numbers(game.score, run.scores());
    if (game.payoff != no_id) o.payoffs = numbers(game.payoff, run.payoffs());
    return o;
}

// ---- what goes by the same name

NameMapping::NameMapping(const Machine& first, const Machine& second) : first_(first), second_(second) {
    const auto match = [](const Slots& a, const Slots& b, auto f) {
        for (const auto& [name, slot] : a)
            if (const auto other = b.find(name); other != b.end()) f(slot, other->second);
    };
    places_[0].assign(first.game.places, no_id);
    places_[1].assign(second.game.places, no_id);
    places_[0][0] = places_[1][0] = 0;
    match(place_slots(first.game), place_slots(second.game), [&](Slot a, Slot b) {
        spots_.push_back({false, a.id, no_id, b.id, no_id});
        places_[0][a.id.value()] = b.id.value();
        places_[1][b.id.value()] = a.id.value();
    });
    match(fact_slots(first.game), fact_slots(second.game), [&](Slot a, Slot b) { spots_.push_back({true, a.id, a.index, b.id, b.index}); });
    std::sort(spots_.begin(), spots_.end(), [](const Spot& a, const Spot& b) {
        return std::tuple(a.is_fact, a.first, a.first_index) < std::tuple(b.is_fact, b.first, b.first_index);
    });

    const auto kinds_of = [](const Game& game) {
        std::map<std::string, KindId> kinds;
        for (std::size_t k = 0; k < game.kinds.size(); ++k) kinds[kind_name(game, KindId(k))] = KindId(k);
        return kinds;
    };
    const auto a = kinds_of(first.game);
    const auto b = kinds_of(second.game);
    kinds_[0].assign(first.game.kinds.size(), no_id);
    kinds_[1].assign(second.game.kinds.size(), no_id);
    for (const auto& [name, kind] : a) {
        const auto other = b.find(name);
        if (other == b.end()) continue;
        kinds_[0][kind] = other->second;
        kinds_[1][other->second] = kind;
    }
    std::map<std::string, std::int32_t> names;
    for (const Side side : {Side::first, Side::second}) {
        for (const EnumType& e : machine(side).game.enums) {
            auto& numbers = values_[index_of(side)].emplace_back();
            for (const std::string& value : e.values)
                numbers.push_back(names.emplace(value, static_cast<std::int32_t>(names.size())).first->second);
        }
    }
    same_pieces_ = first.layout.words == second.layout.words && first.game.piece_kind == second.game.piece_kind;
    for (std::size_t k = 0; k < kinds_[0].size(); ++k) same_pieces_ = same_pieces_ && kinds_[0][k] == KindId(k);
}

std::optional<std::int32_t> NameMapping::translated(Side from, const Type& type, const Type& other, std::int32_t value) const {
    const Type a = element_of(type);
    const Type b = element_of(other);
    if (a.base != b.base) return std::nullopt;
    const auto side = index_of(from);
    switch (a.base) {
        case Base::number: {
            if (value == no_number) return value;
            const std::int64_t scaled = std::int64_t{value} * std::max(1, b.scale);
            if (scaled % std::max(1, a.scale) != 0) return std::nullopt;
            return static_cast<std::int32_t>(scaled / std::max(1, a.scale));
        }
        case Base::enumeration: {
            if (value < 0) return value;
            if (a.of == no_id || b.of == no_id) return std::nullopt;
            const std::int32_t name = values_[side][a.of][value];
            const auto& others = values_[1 - side][b.of];
            const auto found = std::find(others.begin(), others.end(), name);
            return found == others.end() ? std::nullopt : std::optional(static_cast<std::int32_t>(found - others.begin()));
        }
        case Base::kind: {
            if (value < 0) return value;
            const PlacedKind card = PlacedKind::of_value(value);
            const KindId kind = kinds_[side][card.kind];
            if (kind == no_id) return std::nullopt;
            if (card.place == no_id) return PlacedKind{kind, no_id}.value();
            const PlaceId place = places_[side][card.place];
            return place == no_id ? std::nullopt : std::optional(PlacedKind{kind, place}.value());
        }
        case Base::place: {
            const PlaceId place = value < 0 ? no_id : places_[side][value];
            return place == no_id ? std::nullopt : std::optional(place);
        }
        case Base::truth:
        case Base::player:
        case Base::nothing:
        case Base::card:
        case Base::cards:
        case Base::set:
            break;
    }
    return value;
}

std::vector<NameMapping::Own> NameMapping::own(Side side) const {
    std::vector<Own> found;
    const Game& game = machine(side).game;
    const Game& other = machine(side == Side::first ? Side::second : Side::first).game;
    const auto compare = [&](const char* what, const auto& mine, const auto& theirs, auto name) {
        for (const auto& m : mine)
            if (std::none_of(theirs.begin(), theirs.end(), [&](const auto& t) { return name(t) == name(m); }))
                found.push_back({what, name(m)});
    };
    const auto named = [](const auto& x) { return x.name; };
    compare("zone", game.zones, other.zones, named);
    compare("fact", game.facts, other.facts, named);
    compare("rule", game.rules, other.rules, named);
    compare("act", game.acts, other.acts, named);
    compare("end", game.ends, other.ends, named);
    compare("word", game.words, other.words, [](const std::string& w) { return w; });
    return found;
}

std::vector<NameMapping::Own> NameMapping::seen_otherwise() const {
    std::vector<Own> found;
    const auto compare = [&](const char* what, const auto& mine, const auto& theirs) {
        for (const auto& m : mine)
            for (const auto& t : theirs)
                if (m.name == t.name && m.seers != t.seers) found.push_back({what, m.name});
    };
    compare("zone", first_.game.zones, second_.game.zones);
    compare("fact", first_.game.facts, second_.game.facts);
    return found;
}

// ---- the table

bool NameMapping::table_alike(const TableView& first, const TableView& second) const {
    return std::all_of(spots_.begin(), spots_.end(), [&](const Spot& s) { return alike(first, second, s); });
}

std::vector<Spot> NameMapping::apart(const TableView& first, const TableView& second, std::size_t limit) const {
    std::vector<Spot> found;
    for (const Spot& s : spots_)
        if (found.size() < limit && !alike(first, second, s)) found.push_back(s);
    return found;
}

bool NameMapping::alike(const TableView& first, const TableView& second, const Spot& spot) const {
    if (same_pieces_ && !spot.is_fact && bytes_alike(first, second, spot)) return true;
    return spot.is_fact ? facts_alike(first, second, spot) : places_alike(first, second, spot.first.value(), spot.second.value());
}

// Whether the states say so at once; most often they do.
bool NameMapping::bytes_alike(const TableView& first, const TableView& second, const Spot& spot) const {
    const Layout& a = first_.layout;
    const Layout& b = second_.layout;
    const std::size_t wide = std::size_t{8} * a.words;
    const std::byte* s = first.state().data();
    const std::byte* t = second.state().data();
    const PlaceId p = spot.first.value();
    const PlaceId q = spot.second.value();
    if (std::memcmp(s + a.place[p], t + b.place[q], wide) != 0) return false;
    if ((a.order[p] == 0) != (b.order[q] == 0) || (a.marks[p] == 0) != (b.marks[q] == 0)) return false;
    if (a.order[p] == 0) return true;
    if (a.marks[p] != 0 && std::memcmp(s + a.marks[p], t + b.marks[q], wide) != 0) return false;
    return std::memcmp(s + a.order[p], t + b.order[q], first.size_at(p)) == 0;
}

// As numbers of the second side; in an order only where there is one that is known.
std::vector<KindId> NameMapping::known_kinds(Side side, const TableView& run, PlaceId place, bool ordered) const {
    std::vector<KindId> kinds = run.kinds_at(place);
    if (side == Side::first)
        for (KindId& k : kinds) k = kinds_[0][k];
    auto from = kinds.begin();
    if (!ordered)
        std::sort(from, kinds.end());
    else
        for (const std::int32_t part : run.parts(place)) {
            std::sort(from, from + part);
            from += part;
        }
    return kinds;
}

bool NameMapping::places_alike(const TableView& first, const TableView& second, PlaceId a, PlaceId b) const {
    if (first.size_at(a) != second.size_at(b)) return false;
    const auto has_order = [](const Machine& m, PlaceId place) { return m.layout.order[place] != 0; };
    const bool ordered = has_order(first_, a) && has_order(second_, b);
    if (ordered && first.parts(a) != second.parts(b)) return false;
    const std::vector<KindId> kinds = known_kinds(Side::first, first, a, ordered);
    return std::find(kinds.begin(), kinds.end(), no_id) == kinds.end() && kinds == known_kinds(Side::second, second, b, ordered);
}

bool NameMapping::facts_alike(const TableView& first, const TableView& second, const Spot& s) const {
    const Type& a = first_.game.facts[s.first].type;
    const Type& b = second_.game.facts[s.second].type;
    if ((a.base == Base::set) != (b.base == Base::set)) return false;
    const std::int32_t x = first.fact(s.first, s.first_index);
    const std::int32_t y = second.fact(s.second, s.second_index);
    if (x == unset_value || y == unset_value) return x == y;
    if (a.base != Base::set) return translated(Side::first, a, b, x) == y;
    std::vector<std::int32_t> mine;
    for (const std::int32_t v : first.fact_set(s.first, s.first_index)) {
        const auto other = translated(Side::first, a, b, v);
        if (!other) return false;
        mine.push_back(*other);
    }
    std::vector<std::int32_t> theirs = second.fact_set(s.second, s.second_index);
    std::sort(mine.begin(), mine.end());
    std::sort(theirs.begin(), theirs.end());
    return mine == theirs;
}

// ---- what is asked and offered

bool NameMapping::ask_alike(const Run& first, const Run& second) const {
    const Node& a = first.node();
    const Node& b = second.node();
    if (a.kind != b.kind || a.seat != b.seat) return false;
    if (a.kind == NodeKind::ask) return first_.game.words[step_of(first).a] == second_.game.words[step_of(second).a];
    if (a.kind == NodeKind::window) return first_.game.acts[step_of(first).a].name == second_.game.acts[step_of(second).a].name;
    return true;
}

std::optional<std::vector<std::int32_t>> NameMapping::meant(Side side, const Run& from, std::uint64_t move, const Run& to,
                                                            PlaceId from_place, PlaceId to_place) const {
    const Type type = meant_type(from);
    const Type other = meant_type(to);
    std::vector<std::int32_t> values = from.meaning(move).values;
    for (std::int32_t& v : values) {
        if (from_place != no_id) v = PlacedKind{PlacedKind::of_value(v).kind, from_place}.value();
        const auto same = translated(side, type, other, v);
        if (!same) return std::nullopt;
        v = *same;
        if (to_place == no_id) continue;
        const PlacedKind card = PlacedKind::of_value(v);
        if (card.place != to_place) return std::nullopt;
        v = PlacedKind{card.kind, no_id}.value();
    }
    return values;
}

// A card says where it lies only where cards of several places are on offer; where one side says so, the other's place is looked up.
void NameMapping::where_offered(Side, Run& from, Run& to, PlaceId& from_place, PlaceId& to_place) const {
    const bool tagged = is_tagged(from);
    const bool other_tagged = is_tagged(to);
    if (tagged == other_tagged) return;
    if (tagged)
        to_place = place_offered(to);
    else
        from_place = place_offered(from);
}

std::optional<std::uint64_t> NameMapping::counterpart(Side side, const Run& from, std::uint64_t move, const Run& to, PlaceId from_place,
                                                      PlaceId to_place) const {
    const auto values = meant(side, from, move, to, from_place, to_place);
    if (!values) return std::nullopt;
    const std::uint64_t other = to.move_for(*values);
    if (to.node().kind == NodeKind::window)
        return other < to.node().moves && (other & ~std::uint64_t{to.node().seats}) == 0 ? std::optional(other) : std::nullopt;
    return other < to.node().moves ? std::optional(other) : std::nullopt;
}

std::optional<std::uint64_t> NameMapping::counterpart(Side side, Run& from, std::uint64_t move, Run& to) const {
    PlaceId from_place = no_id;
    PlaceId to_place = no_id;
    if (from.node().kind == NodeKind::choose && to.node().kind == NodeKind::choose) where_offered(side, from, to, from_place, to_place);
    return counterpart(side, from, move, to, from_place, to_place);
}

void NameMapping::missing(Side side, Run& from, Run& to, std::vector<std::uint64_t>& moves) const {
    PlaceId from_place = no_id;
    PlaceId to_place = no_id;
    where_offered(side, from, to, from_place, to_place);
    const std::uint64_t n = from.node().moves;
    const std::uint64_t stride = n <= listed_moves ? 1 : n / sampled_moves;
    for (std::uint64_t m = 0; m < n; m += stride)
        if (!counterpart(side, from, m, to, from_place, to_place)) moves.push_back(m);
}

// What there is to choose from, by what the second side calls it, with the place where it lies; none where it has no name for it.
std::vector<std::pair<std::int32_t, PlaceId>> NameMapping::options(Side side, Run& run, const Type& other) const {
    const Step& s = step_of(run);
    const Type& type = run.machine().game.expressions[s.y].type;
    const bool cards = type.base == Base::cards;
    const Type element = element_of(type);
    const auto pieces = run.elements(s.y);
    std::vector<std::pair<std::int32_t, PlaceId>> all;
    if (!pieces) return all;
    for (const std::int32_t v : *pieces) {
        std::int32_t value = cards ? run.machine().game.piece_kind[v] : v;
        PlaceId place = cards ? run.place_of(v) : no_id;
        if (side == Side::first) {
            value = translated(Side::first, element, other, value).value_or(unset_value);
            if (cards) place = places_[0][place];
        }
        all.emplace_back(value, place);
    }
    std::sort(all.begin(), all.end());
    if ((s.mode & choice_many) == 0) all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// Several at once are compared by what they are taken from, and how many: all sets of that size are on offer, unless there is a condition
// on the whole; then sets are compared one by one.
bool NameMapping::choices_alike(Run& first, Run& second) const {
    const Step& a = step_of(first);
    const Step& b = step_of(second);
    if ((a.mode & choice_range) != 0 || (b.mode & choice_range) != 0 || a.fits != no_id || b.fits != no_id) return false;
    const Type of_first = element_of(first_.game.expressions[a.y].type);
    const Type of_second = element_of(second_.game.expressions[b.y].type);
    if (of_first.base != of_second.base || first.node().moves != second.node().moves) return false;
    const auto mine = options(Side::first, first, of_second);
    if (mine != options(Side::second, second, of_second)) return false;
    if (std::any_of(mine.begin(), mine.end(), [](const auto& o) { return o.first == unset_value; })) return false;
    const auto many = [&](Run& run, const Step& s) {
        if ((s.mode & choice_many) == 0) return std::pair(1, 1);
        return std::pair(std::max(0, run.scalar(s.z)), std::min(static_cast<std::int32_t>(mine.size()), run.scalar(s.w)));
    };
    return many(first, a) == many(second, b);
}

bool NameMapping::draws_alike(const Run& first, const Run& second) const {
    const std::uint64_t n = first.node().moves;
    if (second.node().moves != n) return false;
    std::vector<KindId> mine;
    std::vector<KindId> theirs;
    for (std::uint64_t m = 0; m < n; ++m) {
        mine.push_back(kinds_[0][first.meaning(m).values.front()]);
        theirs.push_back(second.meaning(m).values.front());
    }
    std::sort(mine.begin(), mine.end());
    std::sort(theirs.begin(), theirs.end());
    return mine == theirs;
}

// By kind or value: how many, or how heavy, in parts of the whole.
void NameMapping::offers_of_chance(const Run& first, const Run& second, Offers& found) const {
    const bool weighed = first.node().kind == NodeKind::lot;
    const Type a = meant_type(first);
    const Type b = meant_type(second);
    if (first.node().kind == NodeKind::draw && draws_alike(first, second)) return;
    std::map<std::int32_t, std::uint64_t> mine;  // by value of the second side
    std::map<std::int32_t, std::uint64_t> theirs;
    std::map<std::int32_t, std::uint64_t> my_move;
    std::map<std::int32_t, std::uint64_t> their_move;
    std::uint64_t my_sum = 0;
    std::uint64_t their_sum = 0;
    for (std::uint64_t m = 0; m < first.node().moves; ++m) {
        const auto value = translated(Side::first, a, b, first.meaning(m).values.front());
        if (!value) {
            found.only_first.push_back(m);
            continue;
        }
        const std::uint64_t weight = weighed ? first.outcome_weight(m) : 1;
        mine[*value] += weight;
        my_sum += weight;
        my_move.emplace(*value, m);
    }
    for (std::uint64_t m = 0; m < second.node().moves; ++m) {
        const std::uint64_t weight = weighed ? second.outcome_weight(m) : 1;
        const std::int32_t value = second.meaning(m).values.front();
        theirs[value] += weight;
        their_sum += weight;
        their_move.emplace(value, m);
    }
    const bool odds = first.node().kind != NodeKind::report;  // the odds of a report are for simulations only
    const auto share = [](const auto& weights, std::int32_t value) {
        return weights.count(value) == 0 ? std::uint64_t{0} : weights.at(value);
    };
    for (const auto& [value, weight] : mine) {
        const std::uint64_t other = share(theirs, value);
        if (other == 0 || (odds && weight * their_sum > other * my_sum)) found.only_first.push_back(my_move[value]);
    }
    for (const auto& [value, weight] : theirs) {
        const std::uint64_t other = share(mine, value);
        if (other == 0 || (odds && weight * my_sum > other * their_sum)) found.only_second.push_back(their_move[value]);
    }
}

Offers NameMapping::offers(Run& first, Run& second) const {
    Offers found;
    const Node& a = first.node();
    const Node& b = second.node();
    switch (a.kind) {
        case NodeKind::consent:
        case NodeKind::ask:
        case NodeKind::over:
        case NodeKind::failed:
            break;
        case NodeKind::window:
            for (Seats rest = a.seats & static_cast<Seats>(~b.seats); rest != 0; rest &= rest - 1) found.only_first.push_back(rest & -rest);
            for (Seats rest = b.seats & static_cast<Seats>(~a.seats); rest != 0; rest &= rest - 1)
                found.only_second.push_back(rest & -rest);
            break;
        case NodeKind::draw:
        case NodeKind::lot:
        case NodeKind::report:
            offers_of_chance(first, second, found);
            break;
        case NodeKind::choose:
            if (choices_alike(first, second)) break;
            found.listed = a.moves <= listed_moves && b.moves <= listed_moves;
            missing(Side::first, first, second, found.only_first);
            missing(Side::second, second, first, found.only_second);
            if (first.node().moves != second.node().moves) found.alike = false;
            break;
    }
    found.alike = found.alike && found.only_first.empty() && found.only_second.empty();
    return found;
}

bool NameMapping::outcomes_alike(const GameResult& first, const GameResult& second) const {
    const auto both = [](const std::vector<double>& a, const std::vector<double>& b) { return a.empty() || b.empty() || a == b; };
    return first.end == second.end && first.won_alike(second) && both(first.scores, second.scores) && both(first.payoffs, second.payoffs);
}

std::string printed_rules(Game game) {
    game.name.clear();
    game.text_language.clear();
    game.hash = 0;
    game.options.clear();
    game.examples.clear();
    game.labels.clear();
    game.texts.clear();
    game.assumptions.clear();
    return print(game);
}

std::vector<std::string> tellings(const Game& game, bool with_conditions) {
    std::vector<std::string> all;
    std::vector<std::pair<std::size_t, std::string>> within;  // the lines that the one at hand stands under, each with its indentation
    std::istringstream lines(printed_rules(game));
    for (std::string line; std::getline(lines, line);) {
        const auto begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        const std::string text = line.substr(begin);
        while (!within.empty() && within.back().first >= begin) within.pop_back();
        const bool tells = text.find(" says ") != std::string::npos || text.starts_with("show ") || text.starts_with("chance ");
        std::string when;
        for (const auto& [indentation, above] : within)
            if (with_conditions && above.ends_with(':')) when += above + " ";
        if (tells) all.push_back(without_numbers(when + text));
        within.emplace_back(begin, text);
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace houserule
