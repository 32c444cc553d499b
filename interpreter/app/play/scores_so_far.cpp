#include "interpreter/app/play/scores_so_far.hpp"

#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

namespace houserule::cli {

namespace {

// On a copy of the run: a promise that breaks while the game is under way says nothing about the game.
std::vector<std::int32_t> scores_now(const Session& s) {
    const Game& game = s.game();
    if (game.score == no_id || !is_open(game, game.score)) return {};
    const auto copy = make_run(s.machine);
    copy->set_state(s.run->state());
    std::vector<std::int32_t> scores = copy->scores();
    return copy->failure().kind == FailureKind::none ? scores : std::vector<std::int32_t>{};
}

std::string told_scores(const Session& s, int seat, const std::vector<std::int32_t>& now, const std::vector<std::int32_t>& before,
                        const Globals& g) {
    const Type& type = s.game().expressions[s.game().score].type;
    const auto points = [&](std::size_t p) {
        const std::int32_t more = now[p] - before[p];
        const std::string value = value_words(s.game(), type, now[p], g);
        if (more == 0) return value;
        return say(g, Text::score_and_change, value, (more > 0 ? "+" : "") + value_words(s.game(), type, more, g));
    };
    if (s.game().common_score) return say(g, Text::score_so_far, say(g, Text::common_score), points(0));
    std::vector<std::string> all;
    for (std::size_t p = 0; p < now.size(); ++p)
        all.push_back(fmt::format("{} {}", std::cmp_equal(p, seat) ? say(g, Text::told_you) : seat_words(p), points(p)));
    return say(g, Text::score_so_far, scores_title(s.game(), g), fmt::format("{}", fmt::join(all, say(g, Text::comma))));
}

}  // namespace

std::string changed_scores(Session& s, int seat, const Globals& g) {
    const std::vector<std::int32_t> now = scores_now(s);
    const std::vector<std::int32_t> before = std::exchange(s.scores_told[seat], now);
    return now.empty() || before.empty() || now == before ? "" : told_scores(s, seat, now, before, g);
}

std::string scores_so_far(const Session& s, int seat, const Globals& g) {
    const std::vector<std::int32_t> now = scores_now(s);
    return now.empty() ? "" : told_scores(s, seat, now, now, g);
}

}  // namespace houserule::cli
