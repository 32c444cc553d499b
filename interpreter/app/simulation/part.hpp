// A part of many games, played by itself, as a file: so that several machines can share the work, and a part that was lost is played again.
//
// The file is JSON (schema houserule-part-1). It holds what was asked for and the totals, whole numbers only, so that the sum of all parts
// is what one run comes to. It does not hold the rules: their file is named, with a hash of its text.
#pragma once

#include "interpreter/app/simulation/asked.hpp"
#include "interpreter/app/simulation/games.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

inline constexpr const char* part_schema = "houserule-part-1";

// What must be equal for parts to be added up.
struct Asked : AskedRules {
    std::uint64_t games = 0;  // of all parts
    std::uint64_t seed = 0;
    std::int64_t volunteer = 0;
    Seats deducing = 0;
    std::uint64_t think_ms = 0;
};
Asked asked_of(const Plan& plan, const Loaded& loaded, const std::string& path);
// The first thing in which two differ, in the words of the command line: `--seed`; empty: nothing.
std::string difference(const Asked& a, const Asked& b);

struct Part {
    Asked asked;
    std::uint64_t first = 0;  // game, and the one behind the last
    std::uint64_t end = 0;
    double seconds = 0;
    Totals totals;
};

// The games of part `number`, from 1, of `of`: first, and the one behind the last.
std::pair<std::uint64_t, std::uint64_t> games_of_part(std::uint64_t games, std::uint64_t number, std::uint64_t of);

std::string part_text(const Part& part);
// Nothing if the text is not the whole of a part.
std::optional<Part> read_part(const std::string& text);
// The totals alone, for who adds them up at once. Nothing if the text is none.
std::string totals_text(const Totals& totals);
std::optional<Totals> read_totals(const std::string& text);
// Whether the totals are such as that machine comes to.
bool is_of(const Totals& totals, const Machine& machine);

// Ranges of games that no part has, of `games` in all.
std::vector<std::pair<std::uint64_t, std::uint64_t>> missing_games(const std::vector<Part>& parts, std::uint64_t games);

}  // namespace houserule::cli
