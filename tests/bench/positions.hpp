// Positions to measure on: what one seat saw of a random game up to some moment of it.
#pragma once

#include "interpreter/log/view.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace houserule::bench {

std::filesystem::path games_folder();
// The rules files of the games that ship, by name.
std::vector<std::filesystem::path> shipped_games();
// Null: not a game for so many players.
std::shared_ptr<const Machine> machine_of(const std::filesystem::path& path, int players);
// The least and the largest number of players.
std::pair<int, int> player_counts(const std::filesystem::path& path);
// Each moment of the game is as likely, and each seat; the same seed gives the same position.
View position(const std::shared_ptr<const Machine>& machine, std::uint64_t seed);

}  // namespace houserule::bench
