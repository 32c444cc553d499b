#include "tests/random/promises/proofs.hpp"

#include "dsl/game/parts.hpp"
#include "solver/prove/prove.hpp"
#include "tests/support/broken_promise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <tuple>
#include <vector>

namespace houserule::random_games {

namespace {

constexpr const char* proved_and_reached = "promises that hold, proved";
constexpr const char* open_and_reached = "promises that hold, not proved";
constexpr const char* proved_and_unreached = "promises that no game comes to, proved";
constexpr const char* open_and_unreached = "promises that no game comes to, not proved";
constexpr double least_percent = 60;
constexpr double enough_promises = 50;  // that a share says something

// What a run can take, of rounds, calls and sets to try, is no promise of the text.
bool is_of_the_text(FailureKind f) {
    switch (f) {
        case FailureKind::goes_on_for_ever:
        case FailureKind::acts_do_not_end:
        case FailureKind::too_many_choices:
        case FailureKind::too_many_to_try:
        case FailureKind::too_many_to_split:
        case FailureKind::stopped:
            return false;
        default:
            return true;
    }
}

std::string told(const Machine& machine, const Broken& b, const std::vector<std::uint64_t>& answers) {
    Failure f;
    f.kind = b.kind;
    return fmt::format("{} at {}-{} (failure {}), after the answers {}", text(machine.game, f), b.span.begin, b.span.end,
                       static_cast<int>(b.kind), fmt::join(answers, " "));
}

// The promises of the text that some game came to, by where they stand.
using TextPlace = std::tuple<Promise, std::uint16_t, std::uint32_t, std::uint32_t>;
TextPlace place_of(Promise promise, Span span) { return {promise, span.source, span.begin, span.end}; }

std::set<TextPlace> reached_promises(const Machine& machine, const PlayedGames& played) {
    const Game& game = machine.game;
    Store<StatementId, bool> done(game.statements.size(), false);
    Store<ExpressionId, bool> read(game.expressions.size(), false);
    const auto reads = [&](ExpressionId e) {
        any_operand(game, e, [&](ExpressionId part) {
            read[part] = true;
            return false;
        });
    };
    for (std::size_t i = 0; i < machine.code.size(); ++i) {
        const Step& step = machine.code[i];
        if (played.reached[i] == 0) continue;
        if (step.statement != no_id) done[step.statement] = true;
        for (const ExpressionId e : {step.x, step.y, step.z, step.w, step.fits}) reads(e);
    }
    for (const ExpressionId e : {game.winner.set, game.score, game.payoff})
        if (played.ended) reads(e);
    for (const WinnerKey& key : game.winner.keys)
        if (played.ended) reads(key.expression);
    std::set<TextPlace> reached;
    for (const PromiseSite& site : promise_sites(game))
        if (site.expression != no_id ? read[site.expression] : done[site.statement]) reached.insert(place_of(site.promise, site.span));
    return reached;
}

}  // namespace

std::optional<FalseProof> false_proof(const Machine& machine, const PlayedGames& played, std::uint64_t work, Coverage& coverage) {
    ProveLimits limits;
    limits.work = work;
    const std::vector<Obligation> all = prove(machine.game, limits);
    std::vector<bool> broke(all.size(), false);
    for (const auto& [b, answers] : played.broken) {
        if (!is_of_the_text(b.kind) || is_about_order(b.kind)) continue;  // of an order nothing is proved
        bool open = false;
        const std::vector<std::size_t> those = broken_among(all, b.kind, b.span);
        for (const std::size_t i : those) {
            broke[i] = true;
            open = open || !all[i].proved;
        }
        if (those.empty())
            return FalseProof{fmt::format("a promise that is not listed: {}", text(machine.game, {b.kind, {}, no_id, no_id, 0})),
                              told(machine, b, answers)};
        if (!open)
            return FalseProof{"proved and broken: " + promise_words(all[those.back()].promise).in(Language::en), told(machine, b, answers)};
    }
    if (!played.whole) return std::nullopt;
    const std::set<TextPlace> reached = reached_promises(machine, played);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (broke[i]) continue;
        const bool came = reached.contains(place_of(all[i].promise, all[i].span));
        const char* what =
            came ? (all[i].proved ? proved_and_reached : open_and_reached) : (all[i].proved ? proved_and_unreached : open_and_unreached);
        ++coverage[what];
        ++coverage[fmt::format("{}: {}", what, promise_words(all[i].promise).in(Language::en))];
    }
    return std::nullopt;
}

ProvedShare proved_share(const Coverage& coverage) {
    const auto of = [&](const char* what) {
        const auto it = coverage.find(what);
        return it == coverage.end() ? 0.0 : static_cast<double>(it->second);
    };
    const double come_to = of(proved_and_reached);
    const double held = come_to + of(open_and_reached);
    const double proved = come_to + of(proved_and_unreached);
    const double all = held + of(proved_and_unreached) + of(open_and_unreached);
    const auto percent = [](double part, double whole) { return whole == 0 ? 100.0 : 100.0 * part / whole; };
    return {fmt::format("of {} promises that hold in all games, {:.1f} % are proved; of {} that some game comes to, {:.1f} %", all,
                        percent(proved, all), held, percent(come_to, held)),
            held < enough_promises || (percent(proved, all) >= least_percent && percent(come_to, held) >= least_percent)};
}

}  // namespace houserule::random_games
