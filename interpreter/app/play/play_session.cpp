#include "interpreter/app/play/play_session.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/play/kept_games.hpp"
#include "interpreter/log/view.hpp"

#include <algorithm>
#include <chrono>

namespace houserule::cli {

namespace {

void forget_beyond(std::vector<std::size_t>& counts, std::size_t events) {
    for (std::size_t& count : counts) count = std::min(count, events);
}

// People were told no more than what is left, players who were told more begin again with it, and what was saved is another game.
void forget_what_came_after(Session& s, std::size_t events) {
    forget_beyond(s.told, events);
    forget_beyond(s.noticed, events);
    for (Thinker& thinker : s.thinkers)
        if (thinker.told > events) thinker = {};
    if (s.saved_events > events) s.saved_events = 0;
}

std::vector<std::byte> copied(std::span<const std::byte> state) { return {state.begin(), state.end()}; }

}  // namespace

std::size_t happenings(const Events& events) {
    return std::ranges::count_if(
        events, [](const Event& e) { return e.kind == EventKind::begins ? e.name != no_id : e.kind != EventKind::all_chose; });
}

Moment moment_of(const Session& s, int seat) { return {seat, copied(s.run->state()), s.events.size(), s.random, s.openings}; }

void go_back(Session& s, const Moment& m) {
    s.asked_here = no_seats;
    s.let_pass.clear();
    s.run->set_state(m.state);
    s.events.resize(m.events);
    s.random = m.random;
    s.openings = m.openings;
    for (auto& scores : s.scores_told) scores.clear();
    forget_what_came_after(s, m.events);
}

std::size_t decisions_of(const Session& s, int seat, bool deciding) {
    const auto end = s.decisions.end() - (deciding && !s.decisions.empty() ? 1 : 0);
    return std::count_if(s.decisions.begin(), end, [&](const Moment& m) { return m.seat == seat; });
}

bool undo(Session& s, int seat, bool deciding) {
    for (std::size_t i = s.decisions.size() - (deciding && !s.decisions.empty() ? 1 : 0); i-- > 0;) {
        if (s.decisions[i].seat != seat) continue;
        const Moment m = s.decisions[i];
        s.decisions.resize(i);
        go_back(s, m);
        return true;
    }
    return false;
}

void act(Session& s, const Opening& opening, Seats who) {
    const Opening o = opening;
    s.asked_here = no_seats;
    for (std::size_t p = 0; p < s.let_pass.size(); ++p)
        if ((who >> p & 1) != 0) s.let_pass[p].clear();
    s.run->set_state(o.state);
    s.events.resize(o.events);
    s.random = o.random;
    s.openings.clear();
    forget_what_came_after(s, o.events);
    s.run->advance();
    s.run->apply(who);
}

std::uint64_t answer_of(Session& s, int seat) {
    Thinker& thinker = s.thinkers[seat];
    if (!thinker.player) {
        PlayerLimits limits;
        limits.deduction.stop = &stop();
        thinker = {std::make_unique<DeducingPlayer>(s.machine, seat,
                                                    s.head.seed.value_or(0) + golden_step * (happenings(s.events) + seat + 1), limits),
                   0};
        if (!s.compiler) s.compiler = std::make_shared<GameCompiler>(s.machine, user_folder("XDG_CACHE_HOME", ".cache"), &stop());
        thinker.player->compiled_by([compiler = s.compiler] { return compiler->game(); });
        thinker.player->start();
    }
    s.compiler->look(s.thought_s);
    const auto begun = std::chrono::steady_clock::now();
    const std::uint64_t answer = thinker.player->answer(Question(*s.run, seat), noticed_since(s.events, thinker.told, seat));
    s.thought_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return answer;
}

std::string log_of(const Session& s) { return log_text(*s.machine, s.head, s.events); }

void keep(Session& s, const Globals& g) {
    if (s.log_path.empty()) return;
    const std::string log = log_of(s);
    if (!s.unsaved && log == s.logged) return;
    if (s.alone) s.logged.clear();  // it need not be looked at
    s.unsaved = !write_on(s.log_path, s.logged, log, g);
}

}  // namespace houserule::cli
