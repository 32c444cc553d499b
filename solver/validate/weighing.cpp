#include "solver/validate/weighing.hpp"

#include "dsl/game/names.hpp"
#include "solver/compare/differ.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/validate/observation.hpp"
#include "solver/validate/random_testing.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace houserule {

namespace {

constexpr std::size_t doubts_weighed = 10;
constexpr std::uint64_t games_of_each = 20;
constexpr std::size_t numbers_weighed = 2;  // of players: such games take long
constexpr double for_games = 1.0 / 3;       // of the work, for the games with one number of players
constexpr double for_one = 0.01;            // of the work, for playing those games again once

using Games = std::vector<std::vector<std::uint64_t>>;

class Weighing {
public:
    explicit Weighing(Search& search) : s_(search), doubts_(search.result.doubts), count_(std::min(doubts_weighed, doubts_.size())) {}

    void go() {
        if (!s_.limits.thinking || count_ == 0 || s_.limits.milliseconds) return;  // such games do not look at the clock
        play();
        for (std::size_t i = 0; i < count_; ++i) weigh(doubts_[i]);
        const std::span<Doubt> weighed(doubts_.data(), count_);
        std::stable_sort(weighed.begin(), weighed.end(), [](const Doubt& a, const Doubt& b) { return a.weight > b.weight; });
    }

private:
    const Finding& head(const Doubt& d) const { return s_.result.findings[d.findings.front()]; }
    bool is_reading(const Finding& f) const { return f.remark == Remark::two_ways && f.outcomes.size() == 2; }
    // Under the options and readings at hand, with the fewest players; nothing if no game says how often it matters.
    std::optional<int> players_of(const Finding& f) const {
        if (f.settings != s_.limits.settings && !f.settings.empty()) return std::nullopt;
        if (!is_reading(f) && !f.frequency) return std::nullopt;
        return f.players.empty() ? s_.low : f.players.front();
    }

    void play() {
        for (std::size_t i = 0; i < count_; ++i)
            if (const auto n = players_of(head(doubts_[i])); n && (games_.contains(*n) || games_.size() < numbers_weighed)) games_[*n];
        std::vector<std::pair<int, Games>> played;
        for (const auto& [n, games] : games_) played.emplace_back(n, Games{});
        s_.in_parallel(played.size(), FindingText::playing_with_thought, [&](std::size_t i) {
            played[i].second = s_.limits.thinking(compile(s_.game(played[i].first, s_.limits.settings)), games_of_each,
                                                  part_of_work(s_.limits.work, for_games));
        });
        for (auto& [n, games] : played) {
            if (games.empty() && !s_.by(1).over()) s_.result.limits.emplace_back(FindingText::no_game_of_thinking_ended(n));
            games_[n] = std::move(games);
        }
    }

    void weigh(Doubt& d) {
        Finding f = head(d);
        const auto n = players_of(f);
        if (!n || !games_.contains(*n) || games_.at(*n).empty()) return;
        const auto times = is_reading(f) ? changed_winners(f, *n) : times_seen(f, *n);
        if (!times || times->of == 0) return;
        d.thinking = times;
        (is_reading(f) ? f.winner_changes : f.frequency) = times;
        if (is_reading(f)) f.frequency.reset();
        d.weight = std::max(d.weight, weight_of(f));
    }

    std::optional<Frequency> changed_winners(const Finding& f, int players) const {
        const Game game = s_.game(players, s_.limits.settings);
        for (const Offer& offer : offers(s_.syntax)) {
            if (offer.name != f.rule) continue;
            for (const std::string& value : offer.values) {
                if (named(game, value).in(Language::en) != f.outcomes[1].when.in(Language::en)) continue;
                Settings other = s_.limits.settings;
                other[offer.name] = value;
                DifferLimits limits;
                limits.along = games_.at(players);
                limits.only_along = true;
                limits.seed = s_.limits.seed;
                limits.until = s_.by(1);
                limits.work = part_of_work(s_.limits.work, for_one);
                return compare(compile(game), compile(s_.game(players, other)), limits).winner_changes;
            }
        }
        return std::nullopt;
    }
    // What the same games of a watched machine come to.
    std::optional<Frequency> times_seen(const Finding& f, int players) {
        const auto [known, fresh] = seen_.try_emplace(players);
        if (fresh) {
            const Watched watched = compile_watched(s_.game(players, s_.limits.settings));
            TestLimits limits;
            limits.along = games_.at(players);
            limits.until = s_.by(1);
            limits.work = part_of_work(s_.limits.work, for_one);
            limits.seed = s_.limits.seed;
            const TestedGames tested = test_at_random(watched, limits);
            known->second.second = tested.random;
            known->second.first = findings_of({watched, tested, players, s_.limits.settings});
        }
        const auto& [findings, games] = known->second;
        const Frequency none{0, games, players};
        const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
            return other.what == f.what && other.rule == f.rule && other.title.in(Language::en) == f.title.in(Language::en) &&
                   !other.spans.empty() && !f.spans.empty() && other.spans.front() == f.spans.front();
        });
        if (same == findings.end()) return is_observed(f) ? std::optional(none) : std::nullopt;
        return same->frequency ? same->frequency : none;
    }
    // It was seen in a game that was played, not by comparing two.
    static bool is_observed(const Finding& f) { return f.frequency && !f.winner_changes; }

    Search& s_;
    std::vector<Doubt>& doubts_;
    std::size_t count_;
    std::map<int, Games> games_;                                          // by number of players
    std::map<int, std::pair<std::vector<Finding>, std::uint64_t>> seen_;  // by number of players: what came up, in how many games
};

}  // namespace

void weigh_by_thinking(Search& search) { Weighing(search).go(); }

}  // namespace houserule
