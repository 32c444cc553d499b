// From a run to the generator's own table: what lies where and what the facts are.
#pragma once

#include "interpreter/run/run.hpp"
#include "tests/random/generator/vocabulary.hpp"

#include <map>
#include <string>
#include <vector>

namespace houserule::random_games {

class TableReader {
public:
    TableReader(const Game& game, const Vocabulary& words);
    Table table(const TableView& run) const;
    std::map<std::string, Value> options() const;
    std::map<std::string, std::string> readings() const;

private:
    void pile(const TableView& run, PlaceId place, Shape shape, Table& t) const;
    std::optional<Value> fact(const TableView& run, FactId id, std::int32_t index, const Type& type) const;
    Fraction element(std::int32_t value, const Type& type, std::int32_t scale) const;

    const Game& game_;
    const Vocabulary& words_;
    std::vector<int> kinds_;  // by kind of the game: our own
};

}  // namespace houserule::random_games
