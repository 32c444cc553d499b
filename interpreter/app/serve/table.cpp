#include "interpreter/app/serve/table.hpp"

#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::chrono::milliseconds before_next_try{2'000};  // of what could not be written

// Whether more of this is often told in a row: a deal, dice, and where there are pauses also scores.
bool goes_on_alike(const Game& game, const Event& e, bool pauses) {
    switch (e.kind) {
        case EventKind::draw:
        case EventKind::shuffle:
        case EventKind::lot:
            return true;
        case EventKind::becomes:
            return pauses;
        case EventKind::move:
            return owner_of(game, e.from) < 0;
        default:
            return false;
    }
}

bool go_together(const Game& game, const Event& a, const Event& b, bool pauses) {
    const auto zone = [&](PlaceId place) { return place > 0 ? zone_of(game, place) : nullptr; };
    return a.kind == b.kind && a.name == b.name && zone(a.from) == zone(b.from) && zone(a.to) == zone(b.to) &&
           goes_on_alike(game, b, pauses);
}

}  // namespace

Table::Table(Session session, KeptTable kept, std::map<std::string, std::string> tokens, TableSettings settings, Outside& outside,
             const Globals& g)
    : session_(std::move(session)),
      rules_(std::make_shared<Loaded>(std::move(session_.rules))),
      machine_(session_.machine),
      kept_(std::move(kept)),
      tokens_(std::move(tokens)),
      settings_(std::move(settings)),
      outside_(outside),
      g_(g),
      names_(),
      ready_(machine_->game.players, false),
      run_(settings_.run) {
    kept_.names.resize(machine_->game.players);
    kept_.stands_in.resize(machine_->game.players, false);
    hinted_.assign(machine_->game.players, 0);
    if (kept_.pace) settings_.pace = std::chrono::milliseconds(*kept_.pace);
    if (kept_.hints) session_.head.hints = session_.hints = *kept_.hints;
    sit_down(std::move(session_));
    kept_.seats.clear();
    for (int seat = 0; seat < machine_->game.players; ++seat) kept_.seats.emplace_back(sitting(session_, seat));
    add_viewers();
}

void Table::add_viewers() {
    for (int seat = 0; seat <= machine_->game.players; ++seat) {
        const int viewer = seat == machine_->game.players ? spectator : seat;
        viewers_.push_back({viewer, SeatTable(machine_, viewer), 0, {}, {}, 1, nullptr, {}, 0});
    }
}

void Table::sit_down(Session session) {
    session_ = std::move(session);
    session_.asks_at_windows = session_.asks_people_first = true;
    session_.run->record(&session_.events);
    session_.thinkers.resize(machine_->game.players);
    session_.told.assign(ready_.size(), session_.events.size());
    session_.noticed = session_.told;
    wishes_.assign(machine_->game.acts.size(), no_seats);
    decided_.clear();
    declined_ = {-1, 0};
    taking_back_.reset();
    ask_no_more();
}

// ---------------------------------------------------------------- the game

void Table::resume() {
    phase_ = Phase::playing;
    names_ = text_of(names_frame(machine_->game));
    for (const auto& [events, seat] : kept_.taken_back) {
        tell_up_to(std::min(events, session_.events.size()));
        for (Viewer& v : viewers_) v.lines.push_back({{"back", seat}});
    }
    tell_up_to(session_.events.size());
    if (kept_.stopped) return end_with({{"stopped", true}});
    // Unless it was over it may go on once the rules are again as they were: then nobody is shown what is hidden.
    if (settings_.read_only && session_.run->node().kind != NodeKind::over) return end_with({{"changed", true}});
    advance();
}

void Table::start(std::uint64_t id) {
    if (phase_ != Phase::lobby) return;
    session_.head.names.clear();
    for (std::size_t seat = 0; seat < kept_.names.size(); ++seat)
        if (!kept_.names[seat].empty()) session_.head.names[seat] = kept_.names[seat];
    call_seats(session_.head.names);
    names_ = text_of(names_frame(machine_->game));
    // The log before all else: a table that has begun can always be gone on with.
    keep(session_, g_);
    KeptTable kept = kept_;
    kept.begun = true;
    if (session_.unsaved || !keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    phase_ = Phase::playing;
    for (auto& [page, at] : pages_)
        if (at.role != Role::nobody) outside_.send(page, names_);
    changed();
    advance();
    tell();
}

// After the end: when all people want another game, it begins.
void Table::again(std::uint64_t id, int seat, const Json& message) {
    if (phase_ != Phase::over) return refuse(id, "malformed", nullptr);
    ready_[seat] = message.value("on", Json(true)) != Json(false);
    changed();
    if (is_ready()) return begin_again(id);
    tell();
}

// Another game for those who sit here. Its log is there before the table is said to have gone over to it: a server that is killed in
// between goes on with the old one.
void Table::begin_again(std::uint64_t id) {
    const std::uint64_t seed = settings_.next_seed();
    Session next = next_game(session_, seed);
    KeptTable kept = kept_;
    kept.seed = seed;
    ++kept.game;
    kept.stopped = false;
    kept.taken_back.clear();
    next.log_path = kept.log();
    next.alone = true;
    keep(next, g_);
    if (next.unsaved || !keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    next.run->stop_on(&stop());
    sit_down(std::move(next));
    run_ = fmt::format("{}.{}", settings_.run, kept_.game);
    for (Viewer& v : viewers_) {
        cancel_hint(v);
        v = {v.seat, SeatTable(machine_, v.seat), 0, {}, {}, 1, nullptr, {}, 0};
    }
    end_ = nullptr;
    replay_ = nullptr;
    to_be_shown_.clear();
    released_ = 0;
    passing_ = no_seats;
    ready_.assign(ready_.size(), false);
    phase_ = Phase::playing;
    for (auto& [page, at] : pages_) {
        at.lines = at.version = 0;
        at.end_told = false;
        if (at.role != Role::nobody) send(page, you(at));
    }
    changed();
    advance();
    tell();
}

// Goes on elsewhere, and is written before it is told. Without a pace what has happened is told before somebody deduces.
void Table::advance(std::optional<Moment> before, Thoughts thoughts) {
    busy_ = true;
    answering_ = answers_;
    if (taking_back_) {
        // The game goes on: what was to be taken back is no more the last.
        taking_back_.reset();
        changed();
    }
    // How long somebody thinks who deduces depends on the cards: with a pace it is the same for all.
    is_done_ = false;
    is_due_ = session_.deducing == no_seats || settings_.pace.count() == 0;
    if (!is_due_) thoughts = Thoughts::all;
    before_ = before ? std::move(before) : moment_of(session_, -1);
    session_.wishes = wishes_before_ = wishes_;
    decided_before_ = decided_.size();
    const auto job = [this, thoughts] {
        answer_all(thoughts);
        keep(session_, g_);
    };
    const auto then = [this] {
        is_done_ = true;
        if (is_due_) advanced();
    };
    thoughts == Thoughts::none ? outside_.work(job, then) : outside_.ponder(job, then);
    if (is_due_) return;
    outside_.later(settings_.pace, [this] {
        is_due_ = true;
        if (is_done_) advanced();
    });
}

void Table::advanced() {
    busy_ = false;
    if (session_.unsaved) return take_back();
    for (std::size_t a = 0; a < wishes_.size(); ++a) wishes_[a] &= ~(wishes_before_[a] & ~session_.wishes[a]);
    if (acted_.second >= 0) wishes_[acted_.first] &= ~seat_bit(acted_.second);
    acted_ = {0, -1};
    if (moving_ >= 0 && !moved_told_) send(mover_, {{"t", "done"}, {"id", moved_}});
    moving_ = -1;
    ask_no_more();
    for (const auto& [seat, page] : std::exchange(coming_back_, {})) take_seat_back(page, seat);
    release();
}

// As if nobody had answered: what could not be written has not happened.
void Table::take_back() {
    go_back(session_, *before_);
    session_.run->advance();
    decided_.resize(std::min(decided_.size(), decided_before_));
    ask_no_more();
    acted_ = {0, -1};
    if (moving_ < 0) {
        // What went on by itself is tried again.
        return outside_.later(before_next_try, [this] { advance(); });
    }
    Viewer& viewer = viewer_of(moving_);
    if (!viewer.done.empty()) viewer.done.pop_back();
    refuse(mover_, "unsaved", moved_);
    moving_ = -1;
    waiting_ = waiting_before_;
    open();
}

bool Table::do_all_notice(const Event& e) const { return e.kind != EventKind::begins && e.audience == all_seats(machine_->game); }

// The events up to here are told at once: those up to one that all notice, with what is like it and follows. Only what all notice decides
// that: what others see or are asked in between would be told by the time else. Nothing where somebody deduces next and all that is left
// may still be followed by its like.
std::optional<std::size_t> Table::next_stop() const {
    const Game& game = machine_->game;
    const Events& events = session_.events;
    if (!tells_by_and_by()) return events.size();
    const bool pauses = settings_.pace.count() > 0;
    const Event* last = nullptr;
    std::size_t end = events.size();
    for (std::size_t i = released_; i < settled(events); ++i) {
        if (!do_all_notice(events[i])) continue;
        if (last != nullptr && !go_together(game, *last, events[i], pauses)) return end;
        last = &events[i];
        end = i + 1;
    }
    if (waiting_.what == Waiting::thinking && (last == nullptr || goes_on_alike(game, *last, pauses))) return std::nullopt;
    return end;
}

void Table::tell_up_to(std::size_t end) {
    all_noticed_ = false;
    for (std::size_t i = released_; i < std::min(end, settled(session_.events)); ++i)
        all_noticed_ = all_noticed_ || do_all_notice(session_.events[i]);
    released_ = end;
    for (Viewer& v : viewers_) {
        for (std::size_t i = v.told; i < std::min(end, settled(session_.events)); ++i) v.table.see(session_.events[i]);
        const Events noticed = noticed_up_to(machine_->game, session_.events, v.told, end, v.seat);
        if (noticed.empty()) continue;
        for (Json& line : lines_of(*machine_, noticed, v.seat)) v.lines.push_back(std::move(line));
        v.noticed.insert(v.noticed.end(), noticed.begin(), noticed.end());
        ++v.version;
    }
}

void Table::release() {
    const bool has_pace = settings_.pace.count() > 0;
    for (auto stop = next_stop(); stop; stop = next_stop()) {
        tell_up_to(*stop);
        if (has_pace && (all_noticed_ || released_ < session_.events.size())) pause();
        tell();
        if (has_pace || released_ == session_.events.size()) break;
    }
    if (!paused_) open();
}

// All wait equally long, or until all people have seen enough: whoever can act there, everybody is asked that.
void Table::pause() {
    paused_ = true;
    ask_to_pass(session_.people);
    outside_.later(settings_.pace, [this, begun = ++pauses_] {
        if (begun != pauses_) return;
        end_pause();
        tell();
    });
}

void Table::end_pause() {
    ++pauses_;
    paused_ = false;
    ask_to_pass(no_seats);
    released_ < session_.events.size() ? release() : open();
}

void Table::ask_to_pass(Seats who) {
    for (int seat = 0; seat < machine_->game.players; ++seat)
        if (((passing_ ^ who) & seat_bit(seat)) != 0) ++viewer_of(seat).version;
    passing_ = who;
}

// All is told: now who is to answer is asked.
void Table::open() {
    switch (waiting_.what) {
        case Waiting::acts:
            return open_window();
        case Waiting::decision:
            ask();
            break;
        case Waiting::over:
            finish();
            break;
        case Waiting::failed: {
            phase_ = Phase::broken;
            const Failure failure = session_.run->failure();
            end_ = {{"broken", in_each([&](const Globals& g) { return text(machine_->game, failure, g.language); })}};
            end_["line"] = lines_of(failure, rules_->sources[failure.span.source]);
            changed();
            break;
        }
        case Waiting::together:
            ask_together();
            break;
        case Waiting::thinking:
            return advance(std::nullopt, session_.run->node().joint ? Thoughts::together : Thoughts::one);
        case Waiting::interrupted:
            break;
    }
    tell();
}

void Table::open_window() {
    for (int seat = 0; seat < machine_->game.players; ++seat)
        if ((waiting_.who & seat_bit(seat)) != 0) session_.told[seat] = session_.events.size();
    // With a pace everybody has had the same time.
    if (settings_.pace.count() > 0) return advance();
    ask_to_pass(waiting_.who & session_.people);
    if (passing_ == 0) return advance();
    tell();
}

void Table::finish() {
    end_with({{"result", in_each([&](const Globals& g) {
                   Random lots = session_.random;
                   return result_words(*session_.run, lots, g);
               })}});
}

void Table::end_with(Json end) {
    phase_ = Phase::over;
    ready_.assign(ready_.size(), false);
    ask_no_more();
    passing_ = no_seats;
    paused_ = false;
    ++pauses_;
    taking_back_.reset();
    end_ = std::move(end);
    if (!end_.contains("changed")) {
        end_["log"] = log_of(session_);
        end_["name"] = machine_->game.name + ".log";
    }
    changed();
    for (Viewer& v : viewers_) ++v.version;
}

// ---------------------------------------------------------------- what people do

// Whether the person may still act there: nobody has been told anything since.
bool Table::goes_back(const Opening& opening, int seat) const {
    if ((opening.people & seat_bit(seat)) == 0 || released_ < session_.events.size()) return false;
    return std::all_of(session_.events.begin() + opening.events, session_.events.end(),
                       [](const Event& e) { return e.audience == no_seats; });
}

// An act that is open at any time: at once if it may be done here, else as soon as it may.
void Table::want(int seat, const Json& message) {
    const Json which = message.value("a", Json());
    if (phase_ != Phase::playing || !which.is_number_unsigned() || which >= wishes_.size()) return;
    const auto act = which.get<std::size_t>();
    const bool on = message.value("on", Json(true)) != Json(false);
    wishes_[act] = on ? wishes_[act] | seat_bit(seat) : wishes_[act] & ~seat_bit(seat);
    ++viewer_of(seat).version;
    if (on && !open_.empty() && !busy_) act_now(act, seat);
    if (on) pass(seat);
    tell();
}

void Table::act_now(std::size_t act, int seat) {
    const auto found = std::find_if(session_.openings.rbegin(), session_.openings.rend(),
                                    [&](const Opening& o) { return o.act.index() == act && goes_back(o, seat); });
    if (found == session_.openings.rend()) return;
    const Opening opening = *found;
    Moment before = moment_of(session_, -1);
    ask_no_more();
    decided_.clear();
    acted_ = {act, seat};
    houserule::cli::act(session_, opening, seat_bit(seat));
    released_ = std::min(released_, opening.events);
    for (Viewer& v : viewers_) v.told = std::min(v.told, opening.events);
    advance(std::move(before));
}

// Enough time for acts, says this person, or has seen what happened. Nobody else is told.
void Table::pass(int seat) {
    if (busy_ || phase_ != Phase::playing || (passing_ & seat_bit(seat)) == 0) return;
    ask_to_pass(passing_ & ~seat_bit(seat));
    if (passing_ == 0) paused_ ? end_pause() : advance();
    tell();
}

}  // namespace houserule::cli
