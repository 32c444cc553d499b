#include "solver/compare/differences.hpp"

#include "solver/findings/texts.hpp"
#include "solver/findings/witness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace houserule {

namespace {

// Where they ask other things, the place that asks is what it is about. Elsewhere they only happen to wait there, and a chance for anybody
// to act is met everywhere.
void add_places(Finding& f, const Parting& p, const Game& game) {
    if (p.how != Parting::How::asked && p.how != Parting::How::offered && p.how != Parting::How::broken) return;
    const auto is_of = [&](const Act& a, Span s) { return a.span == s || (a.body != no_id && game.statements[a.body].span == s); };
    for (const Span s : p.spans) {
        const bool act = std::any_of(game.acts.begin(), game.acts.end(), [&](const Act& a) { return a.any_time && is_of(a, s); });
        if (!act && std::find(f.spans.begin(), f.spans.end(), s) == f.spans.end()) f.spans.push_back(s);
    }
}

// The kind of node, and who is asked, after those answers.
std::pair<NodeKind, std::int32_t> asked_after(const Machine& m, const std::vector<std::uint64_t>& moves) {
    const auto run = make_run(std::shared_ptr<const Machine>(&m, [](const Machine*) {}));
    run->start();
    for (const std::uint64_t move : moves) {
        run->advance();
        run->apply(move);
    }
    const Node& n = run->advance();
    return {n.kind, n.seat};
}

}  // namespace

void add_difference(Finding& f, const Difference& d, int players, const Machine& first, const Settings& settings, const Ways& ways) {
    if (d.verdict != Verdict::found || !d.parting) {
        if (f.verdict == Verdict::found) return;
        f.players.push_back(players);
        if (d.verdict == Verdict::proved_absent) return;
        f.verdict = d.verdict;
        f.method = d.method;
        f.bound = d.bound;
        return;
    }
    const bool known = std::exchange(f.verdict, Verdict::found) == Verdict::found;
    if (!known) f.players.clear();  // those for whom it makes no difference
    f.players.push_back(players);
    const auto of_so_many = [&](Frequency times) { return times.players = players, times; };
    f.frequency = more_often(f.frequency, of_so_many(d.parts));
    f.winner_changes = more_often(f.winner_changes, of_so_many(d.winner_changes));
    if (known) return;
    f.method = d.method;
    f.bound = d.bound;
    Witness w;
    w.players = players;
    w.settings = settings;
    w.moves = d.parting->moves;
    w.decisions = d.parting->decisions;
    if (const auto log = replayed(first, w)) {
        w.log = *log;
        f.witness = std::move(w);
    }
    f.outcomes = {{ways.first, d.parting->first}, {ways.second, d.parting->second}};
    add_places(f, *d.parting, first.game);
}

void add_who_is_not_concerned(Finding& f, const std::vector<int>& alike, const std::vector<int>& unseen) {
    if (f.verdict != Verdict::found) return;
    const auto add = [&](const std::vector<int>& players, TextRow<1> row) {
        if (players.empty()) return;
        const Phrase said = row(listed_numbers(players));
        f.text = f.text.empty() ? said : FindingText::two_sentences(f.text, said);
    };
    add(alike, FindingText::with_players_they_do_not_differ);
    add(unseen, FindingText::with_players_no_difference_was_seen);
}

bool is_modality(const Machine& first, const Machine& second, const Parting& parting) {
    const auto [x, seat] = asked_after(first, parting.moves);
    const auto [y, other] = asked_after(second, parting.other);
    return seat == other && x != y && (x == NodeKind::consent || y == NodeKind::consent) &&
           (x == NodeKind::choose || y == NodeKind::choose);
}

std::optional<Frequency> more_often(const std::optional<Frequency>& a, const std::optional<Frequency>& b) {
    if (!a || !b) return a ? a : b;
    return a->games * b->of >= b->games * a->of ? a : b;
}

}  // namespace houserule
