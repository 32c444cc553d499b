#include "tests/random/table_of.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace houserule::random_games {

namespace {

template <typename All>
const typename All::value_type& named(const All& all, const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.name == name; });
}

// The names that the places of a zone or fact have in the game: its own, or `NAME_n` each.
template <typename Numbered>
std::vector<std::string> spots_of(const Numbered& of) {
    if (!of.spots.numbered()) return {of.name};
    std::vector<std::string> all;
    for (int n = of.spots.first; n <= of.spots.last; ++n) all.push_back(of.name + "_" + std::to_string(n));
    return all;
}

// Whether kind `theirs` has the values of `ours`.
bool same_values(const Game& game, const PieceKind& theirs, const Kind& ours) {
    const auto& fields = game.families[theirs.family].fields;
    for (std::size_t f = 0; f < fields.size(); ++f)
        if (!ours.values[f].one || Fraction(theirs.values[f], fields[f].type.scale) != *ours.values[f].one) return false;
    return true;
}

int own_kind(const Game& game, const Vocabulary& words, const PieceKind& theirs) {
    for (std::size_t k = 0; k < words.kinds.size(); ++k) {
        const Kind& ours = words.kinds[k];
        if (words.families[static_cast<std::size_t>(ours.family)].name != game.families[theirs.family].name) continue;
        if (ours.name != theirs.name || (ours.name.empty() && !same_values(game, theirs, ours))) continue;
        return static_cast<int>(k);
    }
    throw std::logic_error("a kind of " + game.families[theirs.family].name + " that the generator does not know");
}

}  // namespace

TableReader::TableReader(const Game& game, const Vocabulary& words) : game_(game), words_(words) {
    for (const PieceKind& k : game.kinds) kinds_.push_back(own_kind(game, words, k));
}

Fraction TableReader::element(std::int32_t value, const Type& type, std::int32_t scale) const {
    const Sort sort = type.sort == Sort::set ? type.element : type.sort;
    if (sort == Sort::kind) return kinds_.at(static_cast<std::size_t>(value));
    return sort == Sort::number ? Fraction(value, scale) : Fraction(value);
}

std::optional<Value> TableReader::fact(const TableView& run, FactId id, std::int32_t index, const Type& type) const {
    const houserule::Type& theirs = game_.facts[id].type;
    const std::int32_t value = run.fact(id, index);
    if (value == std::numeric_limits<std::int32_t>::min()) return std::nullopt;
    if (type.sort == Sort::set) {
        Elements all;
        for (const std::int32_t e : run.fact_set(id, index)) all.insert(element(e, type, theirs.scale));
        return elements(all);
    }
    if (is_none(theirs, value)) return none();
    return scalar(element(value, type, theirs.scale));
}

Table TableReader::table(const TableView& run) const {
    Table t;
    t.unplaced.assign(words_.kinds.size(), 0);
    for (const KindId k : run.kinds_at(0)) ++t.unplaced[static_cast<std::size_t>(kinds_[static_cast<std::size_t>(k)])];
    for (const Zone& zone : words_.zones)
        for (const std::string& name : spots_of(zone)) {
            const PlaceId first = named(game_.zones, name).first_place;
            for (int i = 0; i < words_.indices(zone.by, zone.of, game_.players); ++i) pile(run, first + i, zone.shape, t);
        }
    for (const Fact& f : words_.facts) {
        t.facts.emplace_back();
        for (const std::string& name : spots_of(f))
            for (const FactId id : game_.facts.ids())
                if (game_.facts[id].name == name)
                    for (int i = 0; i < words_.indices(f.by, f.of, game_.players); ++i) t.facts.back().push_back(fact(run, id, i, f.type));
    }
    return t;
}

void TableReader::pile(const TableView& run, PlaceId place, Shape shape, Table& t) const {
    t.piles.emplace_back();
    t.orders.emplace_back();
    for (const KindId k : run.kinds_at(place)) t.piles.back().push_back(kinds_[static_cast<std::size_t>(k)]);
    if (shape != Shape::row && shape != Shape::stack) return;
    const std::vector<int>& kinds = t.piles.back();
    std::size_t at = 0;
    for (const std::int32_t part : run.parts(place)) {
        const std::size_t end = at + static_cast<std::size_t>(part);
        const bool alike = std::all_of(kinds.begin() + at, kinds.begin() + end, [&](int k) { return k == kinds[at]; });
        for (; at < end; ++at) t.orders.back().push_back(alike ? kinds[at] : -1);
    }
}

std::map<std::string, std::string> TableReader::readings() const {
    std::map<std::string, std::string> all;
    for (const OptionValue& o : game_.options)
        if (o.reading) all[o.name] = o.value;
    return all;
}

std::map<std::string, Value> TableReader::options() const {
    std::map<std::string, Value> all;
    for (const Option& o : words_.options) {
        const std::string& value = named(game_.options, o.name).value;
        if (!o.values.empty()) {
            all[o.name] = scalar(std::find(o.values.begin(), o.values.end(), value) - o.values.begin());
        } else {
            all[o.name] = value == "yes" ? truth(true) : value == "no" ? truth(false) : scalar(std::stoi(value));
        }
    }
    return all;
}

}  // namespace houserule::random_games
