// What people do at a table: what seats are asked and answer, choices that are made together, decisions that are taken back; and what
// the host does.
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "interpreter/app/serve/table.hpp"
#include "interpreter/app/serve/take_back.hpp"
#include "interpreter/log/log.hpp"

#include <algorithm>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t decisions_kept = 32;    // that can be taken back
constexpr std::size_t moves_remembered = 64;  // of a seat: said twice, they are done once
constexpr int longest_pace = 60'000;          // milliseconds
constexpr int together_most = 64;             // nodes that are looked through for who chooses at the same time

std::vector<std::byte> copied(std::span<const std::byte> state) { return {state.begin(), state.end()}; }

}  // namespace

// ---------------------------------------------------------------- asking

void Table::ask() {
    open_question(waiting_.seat, {question_frame(*session_.run), copied(session_.run->state())});
    if (session_.run->node().joint) ask_together();
}

void Table::open_question(int seat, Asked asked) {
    session_.told[seat] = session_.events.size();
    Viewer& viewer = viewer_of(seat);
    // Numbered for this seat: how often others were asked is theirs.
    asked.question["q"] = run_ + "-" + std::to_string(++viewer.questions);
    open_[seat] = std::move(asked);
    ++viewer.version;
}

// Who else chooses at the same time, whatever those before them choose, is asked now: nobody waits for another, and who was asked later
// would know that others have answered.
void Table::ask_together() {
    for (auto& [seat, asked] : asked_together())
        if (!open_.contains(seat)) open_question(seat, std::move(asked));
}

// The people who choose here together, whatever the others choose.
std::map<int, Table::Asked> Table::asked_together() const {
    std::map<int, Asked> all;
    const auto first = make_run(machine_);
    const auto last = make_run(machine_);
    for (Run* run : {first.get(), last.get()}) {
        run->start();
        run->set_state(session_.run->state());
        run->advance();
    }
    for (int i = 0; i < together_most; ++i) {
        const Node a = first->node();
        const Node b = last->node();
        if (!a.joint || a.moves == 0 || a.step != b.step || a.seat != b.seat || a.kind != b.kind) break;
        if (session_.is_person(a.seat)) {
            Json question = question_frame(*first);
            if (question != question_frame(*last)) break;
            all.try_emplace(a.seat, Asked{std::move(question), copied(first->state())});
        }
        first->apply(0);
        last->apply(b.moves - 1);
        first->advance();
        last->advance();
        if (first->node().settled || last->node().settled) break;
    }
    return all;
}

void Table::ask_no_more() {
    for (const auto& [seat, asked] : open_) ++viewer_of(seat).version;
    open_.clear();
    answers_.clear();
}

bool Table::is_answered() const {
    return !open_.empty() && std::ranges::all_of(open_, [&](const auto& o) { return answers_.contains(o.first); });
}

// ---------------------------------------------------------------- answering

void Table::move(std::uint64_t id, int seat, const Json& message) {
    Viewer& viewer = viewer_of(seat);
    const Json name = message.value("id", Json());
    if (!name.is_string() || name.get_ref<const std::string&>().size() > 64) return refuse(id, "malformed", nullptr);
    if (std::ranges::find(viewer.done, name.get<std::string>()) != viewer.done.end()) return send(id, {{"t", "done"}, {"id", name}});
    if (!is_asked(seat) || answers_.contains(seat) || message.value("q", Json()) != open_[seat].question["q"])
        return refuse(id, "stale", name);
    const auto run = make_run(machine_);
    run->start();
    run->set_state(open_[seat].state);
    run->advance();
    const auto chosen = move_in(message, *run);
    if (!chosen) return refuse(id, "not_offered", name);
    const Node& n = run->node();
    answers_[seat] = {n.step, n.kind, *chosen, n.kind == NodeKind::choose ? run->meaning(*chosen).values : std::vector<std::int32_t>{}};
    viewer.done.push_back(name);
    if (viewer.done.size() > moves_remembered) viewer.done.pop_front();
    ++viewer.version;
    // Who chooses together with others is told at once that this was heard, the last one, too: how long somebody thinks then tells nothing.
    const Thoughts thoughts = thoughts_after_answers();
    moved_told_ = !is_answered() || thoughts == Thoughts::together;
    if (moved_told_) send(id, {{"t", "done"}, {"id", name}});
    if (!is_answered()) return tell();
    mover_ = id;
    moving_ = seat;
    moved_ = name;
    waiting_before_ = waiting_;
    advance(std::nullopt, thoughts);
    tell();
}

// Who has chosen together with others may choose anew until all have: nobody has been told.
void Table::rethink(std::uint64_t id, int seat) {
    if (!is_asked(seat) || answers_.erase(seat) == 0) return refuse(id, "stale", nullptr);
    ++viewer_of(seat).version;
    tell();
}

// Who chooses together with people and deduces thinks when these have answered, and is not told of apart.
Thoughts Table::thoughts_after_answers() const {
    return session_.deducing != no_seats && !answers_.empty() && session_.run->node().joint ? Thoughts::together : Thoughts::none;
}

// On, with the answers that are there, to where others are asked. Of those who choose together people are asked first, so that nothing
// tells who has chosen already; then all others think in one go.
void Table::answer_all(Thoughts thoughts) {
    bool has_thought = false;
    for (;;) {
        const bool may_think = thoughts == Thoughts::all || (thoughts == Thoughts::one && !has_thought);
        waiting_ = go_on(session_, may_think ? thoughts : Thoughts::none);
        if (waiting_.what == Waiting::thinking && session_.run->node().joint) {
            const auto people = asked_together();
            if (std::ranges::any_of(people, [&](const auto& p) { return !answering_.contains(p.first); })) {
                waiting_ = {Waiting::together};
                return;
            }
            const bool are_others = has_thought && session_.run->node().settled;
            if (thoughts == Thoughts::none || (are_others && thoughts != Thoughts::all)) return;
            has_thought = true;
            waiting_ = go_on(session_, Thoughts::together);
            if (waiting_.what == Waiting::thinking && thoughts == Thoughts::all) continue;
        }
        if (waiting_.what != Waiting::decision || !answer_one()) return;
    }
}

// False when the one who is asked has not answered that.
bool Table::answer_one() {
    const auto found = answering_.find(waiting_.seat);
    if (found == answering_.end()) return false;
    const Answered answer = std::move(found->second);
    answering_.erase(found);
    const Node n = session_.run->node();
    if (n.step != answer.step || n.kind != answer.kind || answer.move >= n.moves) return false;
    if (n.kind == NodeKind::choose && session_.run->meaning(answer.move).values != answer.values) return false;
    // What was chosen together is shown together, and nobody can go back between.
    if (n.joint)
        decided_.clear();
    else
        decided_.push_back({moment_of(session_, waiting_.seat), answer.move});
    if (decided_.size() > decisions_kept) decided_.erase(decided_.begin());
    decide(session_, answer.move);
    return true;
}

// ---------------------------------------------------------------- taking back

namespace {

const char* why_not_back(TakeBack verdict) {
    switch (verdict) {
        case TakeBack::can:
            return "";
        case TakeBack::chance:
            return "back_chance";
        case TakeBack::others:
            return "back_others";
        case TakeBack::seen:
            return "back_seen";
    }
    return "";
}

}  // namespace

// The person wants to take back what they decided last. Whether that can be, is told from what they noticed since, so that a refusal
// tells nothing; each of the others agrees for themselves.
void Table::want_back(std::uint64_t id, int seat) {
    if (busy_ || paused_ || phase_ != Phase::playing || taking_back_) return refuse(id, "busy", nullptr);
    const auto last = std::find_if(decided_.rbegin(), decided_.rend(), [&](const Decided& d) { return d.before.seat == seat; });
    if (last == decided_.rend()) return refuse(id, "back_nothing", nullptr);
    if (declined_ == std::pair(seat, last->before.events)) return refuse(id, "back_declined", nullptr);
    const TakeBack verdict = can_take_back(machine_, last->before, last->move, session_.events, seat);
    if (verdict != TakeBack::can) return refuse(id, why_not_back(verdict), nullptr);
    taking_back_ = TakingBack{seat, seat_bit(seat)};
    changed();
    if ((session_.people & ~taking_back_->agreed) == 0) return go_back_to(&*last - decided_.data(), id);
    tell();
}

void Table::agree(std::uint64_t id, int seat, const Json& message) {
    if (busy_ || !taking_back_ || taking_back_->by == seat) return refuse(id, "stale", nullptr);
    const int by = taking_back_->by;
    const auto last = std::find_if(decided_.rbegin(), decided_.rend(), [&](const Decided& d) { return d.before.seat == by; });
    if (last == decided_.rend()) return refuse(id, "stale", nullptr);
    if (message.value("on", Json(true)) == Json(false)) {
        declined_ = {by, last->before.events};
        taking_back_.reset();
        changed();
        for (const auto& [page, at] : pages_)
            if (at.role == Role::seat && std::cmp_equal(at.viewer, by)) refuse(page, "back_declined", nullptr);
        return tell();
    }
    // Who has seen something since cannot agree.
    const TakeBack verdict = can_take_back(machine_, last->before, last->move, session_.events, seat);
    if (verdict != TakeBack::can) return refuse(id, why_not_back(verdict), nullptr);
    taking_back_->agreed |= seat_bit(seat);
    changed();
    if ((session_.people & ~taking_back_->agreed) == 0) return go_back_to(&*last - decided_.data(), id);
    tell();
}

// All have agreed. The log loses what was taken back before anybody is told.
void Table::go_back_to(std::size_t decision, std::uint64_t id) {
    const int by = taking_back_->by;
    const Moment to = decided_[decision].before;
    const Moment now = moment_of(session_, -1);
    Events events = session_.events;
    taking_back_.reset();
    changed();
    go_back(session_, to);
    session_.run->advance();
    KeptTable kept = kept_;
    for (auto& [count, seat] : kept.taken_back) count = std::min(count, to.events);
    kept.taken_back.emplace_back(to.events, by);
    std::string log = log_of(session_);
    if (!write_table(kept, log, g_)) {
        session_.events = std::move(events);
        go_back(session_, now);
        session_.run->advance();
        refuse(id, "unsaved", nullptr);
        return tell();
    }
    session_.logged = std::move(log);
    session_.unsaved = false;
    kept_ = std::move(kept);
    ask_no_more();
    decided_.resize(decision);
    passing_ = no_seats;
    waiting_ = {Waiting::decision, by};
    released_ = session_.events.size();
    for (Viewer& v : viewers_) {
        v.table = SeatTable(machine_, v.seat);
        v.told = 0;
        for (std::size_t i = 0; i < std::min(released_, settled(session_.events)); ++i) v.table.see(session_.events[i]);
        v.noticed = noticed_up_to(machine_->game, session_.events, v.told, released_, v.seat);
        v.lines.push_back({{"back", by}});
        ++v.version;
    }
    open();
}

// ---------------------------------------------------------------- the host

void Table::of_host(std::uint64_t id, const std::string& type, const Json& message) {
    if (type == "start") return phase_ == Phase::over ? begin_again(id) : start(id);
    if (type == "seat") return reseat(id, message);
    if (type == "set") return set(id, message);
    if (type == "setup") return set_up(id, message);
    if (type == "end") return end_game(id);
    if (type == "hand") return hand_over(id, message);
    if (type == "relink") return relink(id, message);
    refuse(id, "malformed", nullptr);
}

// The host has somebody else play a seat: a person, or one of the players of the program.
void Table::reseat(std::uint64_t id, const Json& message) {
    const Json which = message.value("seat", Json());
    const Json who = message.value("who", Json());
    const bool known = who == "human" || who == "random" || who == "deduce";
    if (busy_ || phase_ > Phase::playing || !known || !which.is_number_unsigned() || which >= ready_.size())
        return refuse(id, busy_ ? "busy" : "malformed", nullptr);
    const int seat = which.get<int>();
    KeptTable kept = kept_;
    kept.seats[seat] = who.get<std::string>();
    kept.stands_in[seat] = who != "human" && phase_ == Phase::playing && (session_.is_person(seat) || kept_.stands_in[seat]);
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    houserule::cli::seat(session_, seat, kept_.seats[seat]);
    changed();
    if (phase_ == Phase::playing && !session_.is_person(seat)) {
        ++viewer_of(seat).version;
        answers_.erase(seat);
        const bool was_asked = open_.erase(seat) > 0;
        if (was_asked && (open_.empty() || is_answered())) advance(std::nullopt, thoughts_after_answers());
        pass(seat);
    }
    tell();
}

// Who comes back takes the seat that was played on meanwhile; while somebody thinks, as soon as that is done.
void Table::take_seat_back(std::uint64_t id, int seat) {
    if (phase_ != Phase::playing || !kept_.stands_in[seat]) return refuse(id, "malformed", nullptr);
    if (busy_) {
        coming_back_[seat] = id;
        return;
    }
    KeptTable kept = kept_;
    kept.seats[seat] = "human";
    kept.stands_in[seat] = false;
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    houserule::cli::seat(session_, seat, "human");
    ++viewer_of(seat).version;
    changed();
    tell();
}

// The table is this one from here on; what cannot be written has not happened.
bool Table::keep_table(KeptTable kept) {
    if (!write_table(kept, g_)) return false;
    kept_ = std::move(kept);
    return true;
}

// Pace, and hints: whether there are any, and whether everybody sees that one was asked for.
void Table::set(std::uint64_t id, const Json& message) {
    const Json pace = message.value("pace", Json());
    const Json hints = message.value("hints", Json());
    const Json shown = message.value("hints_shown", Json());
    const bool good = (pace.is_null() || (pace.is_number_unsigned() && pace <= longest_pace)) && (hints.is_null() || hints.is_boolean()) &&
                      (shown.is_null() || shown.is_boolean());
    if (!good) return refuse(id, "malformed", nullptr);
    if (busy_) return refuse(id, "busy", nullptr);
    KeptTable kept = kept_;
    if (!pace.is_null()) kept.pace = pace.get<int>();
    if (!hints.is_null()) kept.hints = hints.get<bool>();
    if (!shown.is_null()) kept.hints_shown = shown.get<bool>();
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    if (kept_.pace) settings_.pace = std::chrono::milliseconds(*kept_.pace);
    if (kept_.hints) session_.head.hints = session_.hints = *kept_.hints;
    for (Viewer& v : viewers_) {
        if (!session_.hints) cancel_hint(v);
        ++v.version;
    }
    changed();
    tell();
}

// How many play, or one option or reading. False for what is not offered.
bool Table::set_up_as(const Json& message, KeptTable& kept) const {
    const Json players = message.value("players", Json());
    const Json name = message.value("name", Json());
    const Json value = message.value("value", Json());
    if (!players.is_null()) {
        const PlayerRange range = player_range(rules_->syntax);
        if (!players.is_number_unsigned() || players < range.low || players > range.high) return false;
        kept.players = players.get<int>();
        return true;
    }
    if (!name.is_string() || !value.is_string()) return false;
    const std::vector<Offer> all = offers(rules_->syntax);
    const auto offer = std::ranges::find(all, name.get<std::string>(), &Offer::name);
    if (offer == all.end() || std::ranges::find(offer->values, value.get<std::string>()) == offer->values.end()) return false;
    for (auto* pairs : {&kept.set, &kept.reading})
        std::erase_if(*pairs, [&](const std::string& pair) { return pair.starts_with(offer->name + "="); });
    (offer->reading ? kept.reading : kept.set).push_back(offer->name + "=" + value.get<std::string>());
    return true;
}

// The game is another one, before it begins. Who sits already stays; seats that are no more lose their link, new ones have one.
void Table::set_up(std::uint64_t id, const Json& message) {
    KeptTable kept = kept_;
    if (phase_ != Phase::lobby || !settings_.set_up || !set_up_as(message, kept)) return refuse(id, "malformed", nullptr);
    auto session = settings_.set_up(kept);
    if (!session) return refuse(id, "setup", nullptr);
    const std::size_t players = kept.players;
    std::map<std::string, std::string> tokens = tokens_;
    for (std::size_t seat = players; seat < kept.seats.size(); ++seat) {
        const std::string opens = std::to_string(seat + 1);
        std::erase_if(kept.tokens, [&](const auto& t) { return t.second == opens; });
        tokens.erase(opens);
    }
    for (std::size_t seat = kept.seats.size(); seat < players; ++seat) {
        const std::string token = fresh_token();
        const std::string opens = std::to_string(seat + 1);
        kept.tokens[hash_of(token)] = opens;
        tokens[opens] = token;
    }
    kept.seats.resize(players, "human");
    kept.names.resize(players);
    kept.stands_in.resize(players, false);
    if (!write_table(kept, g_)) return refuse(id, "unsaved", nullptr);
    tokens_ = std::move(tokens);
    // Those who are put out still see the table that they sat at.
    for (std::size_t seat = players; seat < ready_.size(); ++seat) put_pages_out(Role::seat, seat);
    kept_ = std::move(kept);
    seat_anew(std::move(*session));
    tell();
}

void Table::seat_anew(Session session) {
    rules_ = std::make_shared<Loaded>(std::move(session.rules));
    machine_ = session.machine;
    session.log_path = kept_.log();
    session.alone = true;
    session.hints = session.head.hints = session_.hints;
    session.run->stop_on(&stop());
    for (int seat = 0; seat < kept_.players; ++seat) houserule::cli::seat(session, seat, kept_.seats[seat]);
    ready_.resize(kept_.players, false);
    hinted_.assign(kept_.players, 0);
    sit_down(std::move(session));
    viewers_.clear();
    add_viewers();
    book_.frame = turn_.frame = nullptr;
    for (auto& [id, page] : pages_) {
        if (page.role == Role::nobody) continue;
        if (page.role != Role::seat) page.viewer = viewers_.size() - 1;
        outside_.send(id, names());
    }
    changed();
}

void Table::end_game(std::uint64_t id) {
    if (busy_ || phase_ != Phase::playing) return refuse(id, busy_ ? "busy" : "malformed", nullptr);
    KeptTable kept = kept_;
    kept.stopped = true;
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    for (Viewer& v : viewers_) cancel_hint(v);
    tell_up_to(session_.events.size());
    end_with({{"stopped", true}});
    tell();
}

// The role of the host goes to who sits on a seat: a fresh link, and the old one opens nothing any more.
void Table::hand_over(std::uint64_t id, const Json& message) {
    const Json which = message.value("seat", Json());
    if (!which.is_number_unsigned() || which >= ready_.size()) return refuse(id, "malformed", nullptr);
    const int seat = which.get<int>();
    if (!session_.is_person(seat) || !is_here(seat)) return refuse(id, "not_here", nullptr);
    KeptTable kept = kept_;
    std::erase_if(kept.tokens, [](const auto& t) { return t.second == "host"; });
    const std::string token = fresh_token();
    kept.tokens[hash_of(token)] = "host";
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    tokens_["host"] = token;
    handed_.emplace(seat, token);
    put_pages_out(Role::host, viewers_.size() - 1);
    for (const auto& [page, at] : pages_)
        if (at.role == Role::seat && std::cmp_equal(at.viewer, seat)) send(page, {{"t", "handed"}, {"token", token}});
    changed();
    tell();
}

// A new link for a seat; whoever has the old one loses it.
void Table::relink(std::uint64_t id, const Json& message) {
    const Json which = message.value("seat", Json());
    if (!which.is_number_unsigned() || which >= ready_.size()) return refuse(id, "malformed", nullptr);
    const std::string opens = std::to_string(which.get<int>() + 1);
    KeptTable kept = kept_;
    std::erase_if(kept.tokens, [&](const auto& t) { return t.second == opens; });
    const std::string token = fresh_token();
    kept.tokens[hash_of(token)] = opens;
    if (!keep_table(std::move(kept))) return refuse(id, "unsaved", nullptr);
    tokens_[opens] = token;
    put_pages_out(Role::seat, which.get<std::size_t>());
    changed();
    tell();
}

// Pages whose link opens nothing any more.
void Table::put_pages_out(Role role, std::size_t viewer) {
    std::vector<std::uint64_t> out_of_it;
    for (const auto& [page, at] : pages_)
        if (at.role == role && at.viewer == viewer) out_of_it.push_back(page);
    for (const std::uint64_t page : out_of_it) {
        refuse(page, "token", nullptr);
        left(page);
        outside_.close(page);
    }
}

}  // namespace houserule::cli
