#include "dsl/game/game.hpp"

namespace houserule {

Game::Game() = default;
Game::Game(const Game&) = default;
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(const Game&) = default;
Game& Game::operator=(Game&&) noexcept = default;
Game::~Game() = default;

}  // namespace houserule
