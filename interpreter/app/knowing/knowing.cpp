#include "interpreter/app/knowing/knowing.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowledge.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace houserule::cli {

namespace {

// Readings that are tried for lines that can mean several things: each follows the log from the beginning.
constexpr std::size_t readings_tried = 64;
// Places to cut off what was seen that are tried: where one path cannot go on another may not have come so far.
constexpr std::size_t cuts_tried = 16;

// Parts of `--time`: the rest is for reasons and for what moves tell.
constexpr int follow_percent = 80;
constexpr int knowledge_percent = 75;

Fit follow(Deduced& deduced, const Seen& seen, const Events& events, const DeductionLimits& limits, const Deadline& until) {
    deduced.deduction = std::make_unique<Deduction>(seen.text.machine, seen.view.seat, limits);
    deduced.deduction->finish_by(until);
    return deduced.fit = deduced.deduction->see(events, seen.told());
}

// Whether what could be followed also fits a world: following alone does not find every contradiction.
Answer has_world(Deduced& deduced) {
    if (deduced.fit == Fit::unknown) return Answer::unknown;
    if (deduced.deduction->witness()) return Answer::yes;
    return deduced.deduction->fit() == Fit::impossible ? Answer::no : Answer::unknown;
}

// Which of its readings each event has: 0 is the view's own, then `others`.
struct Readings {
    const View& view;
    Events events = view.events;
    std::vector<std::size_t> chosen = std::vector<std::size_t>(view.events.size(), 0);

    void choose(std::size_t i, std::size_t reading) {
        chosen[i] = reading;
        events[i] = reading == 0 ? view.events[i] : view.others[i][reading - 1];
    }
    // The next combination that differs at `last` or before it; false when there is none.
    bool next(std::size_t last) {
        for (std::size_t i = last + 1; i-- > 0;) {
            if (chosen[i] >= view.others[i].size()) continue;
            choose(i, chosen[i] + 1);
            for (std::size_t after = i + 1; after < chosen.size(); ++after) choose(after, 0);
            return true;
        }
        return false;
    }
};

// The paragraph that a step was compiled from.
std::string paragraph_of(const Machine& machine, StepId step) {
    if (step == no_id) return "";
    const Step& s = machine.code[step];
    if (s.rule != no_id) return machine.game.rules[s.rule].name;
    return s.statement == no_id ? "" : paragraph_of(machine.game, s.statement);
}

std::string quoted(const std::string& text, const Globals& g) { return say(g, Text::quoted, text); }

std::optional<std::chrono::milliseconds> time_of(const KnowingArgs& args) {
    return args.time_s ? std::optional(std::chrono::milliseconds(static_cast<std::int64_t>(*args.time_s * 1000))) : std::nullopt;
}

bool is_of_text(const Span& line) { return line.begin != line.end; }

// False, with a message, when what is asked for does not go together.
bool can_be_asked(const KnowingArgs& args, const Globals& g) {
    if (args.assume.empty() || args.weight == "histories") return true;
    err(fmt::format("houserule: `--assume {}`: {}\n", args.assume, say(g, Text::deals_need_weight_histories)));
    return false;
}

// Lines that no view of the seat has: what it does not notice, or faces that it does not see. Faces that it saw may be forgotten.
Diagnostics lines_not_in_view(const Machine& machine, const View& view) {
    Diagnostics found;
    const std::string who = seat_words(view.seat);
    for (std::size_t i = 0; i < view.events.size(); ++i) {
        const auto is_hidden = [&](const Event& e) {
            const NotInView why = not_in_view(machine, e, view.seat);
            return why == NotInView::unnoticed || why == NotInView::faces_unseen;
        };
        if (!is_hidden(view.events[i]) || !std::all_of(view.others[i].begin(), view.others[i].end(), is_hidden)) continue;
        Diagnostic& d = report(found, Code::line_does_not_fit, view.lines[i], event_line(machine, view.events[i], view.seat));
        d.help = not_in_view(machine, view.events[i], view.seat) == NotInView::unnoticed ? houserule::Text::not_in_view(who)
                                                                                         : houserule::Text::faces_not_in_view(who);
    }
    return found;
}

// The number of events up to the last line of a log.
std::size_t told_by_lines(const OpenLog& log) {
    std::size_t last = log.lines.size();
    while (last > 0 && !log.lines[last - 1]) --last;
    return last;
}

// Whether behind the last line of a log a game of the match was over and the next was set up: then nothing lies where it lay there.
bool next_was_set_up(const OpenLog& log) {
    const auto is_game = [](const Event& e) { return e.kind == EventKind::begins && e.name == no_id && e.to == no_id; };
    const std::size_t last = told_by_lines(log);
    return last > 0 && std::any_of(log.events.begin() + static_cast<std::ptrdiff_t>(last), log.events.end(), is_game);
}

// The forced decisions behind the last line of a log, as far as the seat noticed them.
std::string played_on(const OpenLog& log, int seat, const Globals& g) {
    const std::size_t last = told_by_lines(log);
    std::vector<std::string> played;
    for (std::size_t i = last; last > 0 && i < settled(log.events); ++i) {
        const auto own = noticed(log.events[i], seat);
        if (own && (own->kind == EventKind::choice || own->kind == EventKind::answer))
            played.push_back(event_line(*log.machine, *own, seat, code_of(g.language)));
    }
    return fmt::format("{}", fmt::join(played, "; "));
}

// What the seat of `args` saw. Nothing, with a message: `exit_code` says what that means.
std::optional<Seen> seen_by(OpenText text, const KnowingArgs& args, const Stop& reading, const Globals& g, int& exit_code) {
    exit_code = exit_cannot;
    const bool is_view = text.head.view >= 0;
    std::optional<int> seat = is_view ? std::optional(text.head.view) : std::nullopt;
    if (!args.as.empty()) {
        seat = read_seat(args.as, text.machine->game.players, g);
        if (!seat) return std::nullopt;
        if (is_view && *seat != text.head.view) {
            err(fmt::format("houserule: {}: {}\n", args.text,
                            say(g, Text::view_of_another_seat, seat_words(text.head.view), seat_words(*seat))));
            return std::nullopt;
        }
    }
    if (!seat) {
        err(fmt::format("houserule: {}: {}\n", args.text, say(g, Text::whose_view)));
        return std::nullopt;
    }
    if (is_view) {
        Diagnostics diagnostics;
        auto view = read_view(text.rules.sources, text.source, text.head, *text.machine, diagnostics, &reading);
        if (!view && diagnostics.empty() && reading.over()) return exit_code = tell_unread(args, g), std::nullopt;
        if (!diagnostics.empty()) err(render(diagnostics, text.rules.sources, {g.language, g.color}));
        exit_code = view ? exit_fine : exit_found;
        if (!view) return std::nullopt;
        if (const Diagnostics hidden = lines_not_in_view(*text.machine, *view); !hidden.empty()) {
            err(render(hidden, text.rules.sources, {g.language, g.color}));
            return exit_code = exit_found, std::nullopt;
        }
        return Seen{std::move(text), std::move(*view)};
    }
    OpenLog log = replayed(std::move(text), g, exit_code, &reading);
    if (log.left_off) return exit_code = tell_unread(args, g), std::nullopt;
    if (!log.fits) return std::nullopt;
    View view = view_of(*log.machine, log.head, log.events, *seat);
    log.run->advance();
    view.head.question = question_at_once_to(log.machine, *log.run, *seat);
    if (const std::string played = played_on(log, *seat, g); !played.empty())
        err(fmt::format("houserule: {}: {}\n", args.text, say(g, Text::log_played_on, played)));
    if (next_was_set_up(log)) err(fmt::format("houserule: {}: {}\n", args.text, say(g, Text::log_next_set_up)));
    // `view_of` leaves out what the seat did not notice; what is left keeps its order.
    const std::size_t known = settled(log.events);
    for (std::size_t i = 0, of_view = 0; i < log.events.size() && of_view < view.lines.size(); ++i) {
        if ((i >= known && log.events[i].seat != *seat) || !noticed(log.events[i], *seat)) continue;
        view.lines[of_view++] = log.lines[i].value_or(Span{});
    }
    Seen seen{std::move(log), std::move(view)};
    seen.is_not_asked = !seen.view.head.question;
    return seen;
}

// Follows what was seen. Where a line can mean several things, `seen.view.events` becomes what fits.
Deduced deduce(Seen& seen, const DeductionLimits& limits, const Deadline& until, const Globals& g) {
    Deduced deduced;
    Readings readings{seen.view};
    std::size_t tried = 0;
    // The reading that came furthest is the one to be told when none fits.
    Events best;
    std::size_t furthest = 0;
    for (;;) {
        if (follow(deduced, seen, readings.events, limits, until) != Fit::impossible) break;
        const std::size_t blocked = deduced.deduction->blocked();
        if (best.empty() || blocked > furthest) best = readings.events, furthest = blocked;
        const bool are_more = !readings.events.empty() && readings.next(std::min(blocked, readings.events.size() - 1));
        if (++tried < readings_tried && are_more) continue;
        if (best != readings.events) follow(deduced, seen, best, limits, until);
        if (are_more) {
            deduced.limits.push_back(say(g, Text::readings_tried, tried));
            deduced.all_read = false;
            deduced.fit = Fit::unknown;
        }
        seen.view.events = std::move(best);
        return deduced;
    }
    // Another reading of a single line that fits as well would be counted, too.
    for (std::size_t i = 0; deduced.fit == Fit::fits && i < readings.events.size(); ++i) {
        const std::size_t chosen = readings.chosen[i];
        for (std::size_t other = 0; other <= seen.view.others[i].size(); ++other) {
            if (other == chosen) continue;
            const std::string where = seen.line(i) ? say(g, Text::line_numbered, *seen.line(i)) : std::string(say(g, Text::some_line));
            if (++tried > readings_tried) {
                deduced.limits.push_back(say(g, Text::line_readings_not_all_tried, where));
                break;
            }
            readings.choose(i, other);
            Deduced again;
            const Events so_far(readings.events.begin(), readings.events.begin() + i + 1);
            if (follow(again, seen, so_far, limits, until) != Fit::impossible &&
                follow(again, seen, readings.events, limits, until) != Fit::impossible) {
                const Answer fits = has_world(again);
                if (fits == Answer::yes) deduced.limits.push_back(say(g, Text::line_readings_that_fit, where));
                if (fits == Answer::unknown) deduced.limits.push_back(say(g, Text::line_readings_not_all_tried, where));
            }
            readings.choose(i, chosen);
        }
        if (tried > readings_tried) break;
    }
    seen.view.events = std::move(readings.events);
    return deduced;
}

// Whether what was seen ends where somebody is asked, and following it, though all of it fits, did not come to that.
bool misses_the_question(const Seen& seen, const Deduced& deduced) {
    return deduced.fit == Fit::fits && seen.told().told == Told::up_to_question && !deduced.deduction->is_at_question();
}

// Whether it could not be followed to where the seat saw that it is asked, or not even that far.
bool is_cut_short(const Seen& seen, const Deduced& deduced) {
    return deduced.fit == Fit::unknown || (seen.view.head.question && misses_the_question(seen, deduced));
}

// How likely moves are decides nothing about what is possible: where that cannot be followed, the rest can perhaps.
void go_on_unweighed(Seen& seen, Deduced& deduced, DeductionLimits limits, const Deadline& until, const Globals& g) {
    limits.unweighed = deduced.deduction->limit();
    limits.paths.uniform_play = false;
    Deduced other = deduce(seen, limits, until, g);
    if (!is_cut_short(seen, other)) deduced = std::move(other);
}

// Whether more lies somewhere than has room there: in the middle of what happens at once.
bool is_in_the_middle(const Game& game, const Events& events) {
    std::map<PlaceId, std::size_t> sizes;
    for (const Event& e : events) {
        if (e.kind != EventKind::draw && e.kind != EventKind::move) continue;
        if (const auto from = sizes.find(e.from); from != sizes.end()) from->second -= std::min(from->second, e.pieces.size());
        sizes[e.to] += e.pieces.size();
    }
    return std::ranges::any_of(sizes, [&](const auto& there) {
        const Zone* const zone = zone_of(game, there.first);
        return zone != nullptr && zone->capacity > 0 && std::cmp_greater(there.second, zone->capacity);
    });
}

// Where following ended at a step that cannot be taken, what was seen before it takes the place of all that was seen, if something can be
// deduced from that alone, in time.
void follow_as_far(Seen& seen, Deduced& deduced, const DeductionLimits& limits, const Deadline& until) {
    const View whole = seen.view;
    Deduced part;
    seen.cut = {deduced.deduction->limit(), seen.view.events.size(), std::nullopt};
    std::size_t left = deduced.deduction->stopped_at();
    for (std::size_t tried = 0; tried < cuts_tried && left > 0 && !until.over(); ++tried) {
        seen.view.events.resize(left);
        while (left > 0 && is_in_the_middle(seen.game(), seen.view.events)) seen.view.events.resize(--left);
        if (left == 0) break;
        if (follow(part, seen, seen.view.events, limits, until) != Fit::unknown) {
            for (std::size_t i = left; i-- > 0 && !seen.cut->line;) seen.cut->line = seen.line(i);
            part.limits = deduced.limits;
            deduced = std::move(part);
            return;
        }
        left = std::min(part.deduction->stopped_at(), left - 1);
    }
    seen.cut.reset();
    seen.view = whole;
}

}  // namespace

std::optional<std::uint32_t> Seen::line(std::size_t i) const {
    if (i >= view.lines.size() || !is_of_text(view.lines[i])) return std::nullopt;
    return text.rules.sources[text.source].line_of(view.lines[i].begin);
}

std::string Seen::until_words(const Globals& g, bool at_table) const {
    if (!cut) return "";
    if (cut->line && !at_table) return say(g, Text::followed_until_line, *cut->line);
    const Listener listener{seat_bit(view.seat), view.seat};
    for (std::size_t i = view.events.size(); i-- > 0;)
        if (const std::string told = told_event(machine(), view.events[i], listener, g); !told.empty())
            return say(g, Text::followed_until_event, told);
    return say(g, Text::followed_until_begun);
}

nlohmann::ordered_json Seen::until_json() const {
    return {{"line", cut->line ? nlohmann::ordered_json(*cut->line) : nlohmann::ordered_json()},
            {"events", view.events.size()},
            {"of", cut->all}};
}

std::string Seen::not_followed(const Globals& g) const { return houserule::text(because(LimitKind::not_followed, cut->why), g.language); }

DeductionLimits limits_of(const KnowingArgs& args) {
    DeductionLimits limits;
    limits.time = time_of(args).value_or(std::chrono::milliseconds::max());
    limits.work = args.time_s ? no_work_limit : args.work;
    limits.paths.uniform_play = args.assume == "uniform-play";
    limits.stop = &stop();
    return limits;
}

std::vector<std::string> Known::limits(const Globals& g) const {
    std::vector<std::string> all = deduced.limits;
    if (seen.cut) all.insert(all.begin(), seen.not_followed(g));
    if (deduction().may_be_told_more()) all.push_back(say(g, Text::more_may_have_happened));
    if (seen.leaves_out_since) all.push_back(say(g, Text::decided_since_is_left_out));
    for (std::string& limit : not_found_out(deduction(), true, g)) all.push_back(std::move(limit));
    return all;
}

Seen seen_at_table(std::shared_ptr<const Machine> machine, View view) {
    LogHead head = view.head;
    return {OpenText{{}, 0, std::move(head), {}, std::move(machine)}, std::move(view)};
}

Deduced deduced_from(Seen& seen, const DeductionLimits& limits, const Deadline& until, const Globals& g) {
    seen.view.others.resize(seen.view.events.size());
    Deduced deduced = deduce(seen, limits, until, g);
    if (limits.paths.uniform_play && deduced.all_read && is_cut_short(seen, deduced)) go_on_unweighed(seen, deduced, limits, until, g);
    if (deduced.fit == Fit::unknown && deduced.all_read) follow_as_far(seen, deduced, limits, until);
    seen.leaves_out_since = misses_the_question(seen, deduced) && (seen.view.head.question || deduced.deduction->may_have_gone_on());
    if (!deduced.deduction->is_at_question()) seen.view.head.question.reset();
    return deduced;
}

std::optional<Seen> seen_from(const KnowingArgs& args, const Globals& g, int& exit_code, const std::function<bool(OpenText&)>& prepare) {
    exit_code = exit_cannot;
    auto text = open_text(args.text, args.rules, g, exit_code);
    if (!text) return std::nullopt;
    exit_code = exit_cannot;
    if (!args.names.empty()) {
        const auto table = read_names(args.names, g);
        if (!table) return std::nullopt;
        call_seats(table->names);
    }
    if (prepare && !prepare(*text)) return std::nullopt;
    const Stop reading(&stop(), [end = Deadline::in(limits_of(args).time, nullptr)] { return end.over(); });
    return seen_by(std::move(*text), args, reading, g, exit_code);
}

std::optional<Known> known_from(const KnowingArgs& args, const Globals& g, int& exit_code, const std::function<bool(OpenText&)>& prepare) {
    const auto begun = Deadline::Clock::now();
    const DeductionLimits limits = limits_of(args);
    exit_code = exit_cannot;
    if (!can_be_asked(args, g)) return std::nullopt;
    auto seen = seen_from(args, g, exit_code, prepare);
    if (!seen) return std::nullopt;
    watch_interrupts();
    Known known{std::move(*seen), {}, begun, time_of(args)};
    known.deduced = deduced_from(known.seen, limits, known.until(follow_percent), g);
    exit_code = exit_fine;
    if (known.deduced.fit == Fit::impossible)
        exit_code = tell_misfit(known.seen, known.deduced, args, g);
    else if (known.deduced.fit == Fit::unknown)
        exit_code = tell_unknown(known.deduced, args, g);
    if (known.deduced.fit != Fit::fits) return std::nullopt;
    // What was quickly followed leaves time for counting; what was not, at least some.
    const auto at_least = Deadline::in(known.time.value_or(limits.time) / 20, &stop());
    known.deduction().finish_by(Deadline(std::max(known.until(knowledge_percent).at(), at_least.at()), &stop()));
    known.deduction().knowledge();
    if (known.deduction().fit() == Fit::impossible) {
        exit_code = tell_misfit(known.seen, known.deduced, args, g);
        return std::nullopt;
    }
    if (is_by_deals(args)) known.deduction().weigh_deals();
    known.deduction().finish_by(known.until(100));
    return known;
}

std::string end_words(const Seen& seen, const Globals& g) {
    if (!seen.view.head.question) return say(g, Text::nothing_more_was_seen);
    return say(g, seen.view.head.question->kind == NodeKind::over ? Text::the_game_is_over : Text::you_are_asked_this);
}

std::string known_result(Deduction& deduction, int seat, const Globals& g) {
    const auto run = run_at_witness(deduction);
    if (!run || run->advance().kind != NodeKind::over || !is_result_open(run->machine().game)) return "";
    const auto in_front = run->in_front();
    const bool is_lot = run->machine().game.winner.last == LastWord::by_lot && in_front && in_front->size() > 1;
    Random lots(0);
    return is_lot ? "" : result_words(*run, lots, g, seat);
}

std::vector<Ground> grounds(const Seen& seen, const Deduction& deduction, const std::vector<Reason>& reasons) {
    std::vector<Ground> all;
    for (const Reason& r : reasons) {
        Ground ground{seen.line(r.event), std::nullopt, std::nullopt, paragraph_of(seen.machine(), r.step)};
        for (std::size_t i = std::min(r.event, seen.view.lines.size()); !ground.line && !ground.after && i-- > 0;)
            ground.after = seen.line(i);
        if (r.event < deduction.noticed()) ground.event = deduction.noticed(r.event);
        if (!all.empty() && all.back().paragraph == ground.paragraph && all.back().event && ground.event) {
            Event& last = *all.back().event;
            if (last == *ground.event && all.back().line == ground.line) continue;
            // Cards of one line that were dealt one after the other.
            if (ground.line && all.back().line == ground.line && last.kind == EventKind::draw && ground.event->kind == EventKind::draw) {
                last.pieces.insert(last.pieces.end(), ground.event->pieces.begin(), ground.event->pieces.end());
                continue;
            }
        }
        all.push_back(std::move(ground));
    }
    return all;
}

std::vector<std::string> ground_lines(const Seen& seen, const std::vector<Ground>& grounds, const Globals& g, bool at_table) {
    std::vector<std::string> lines;
    for (const Ground& ground : grounds) {
        std::string text;
        if (!at_table)  // where there is no file with lines
            text = ground.line ? say(g, Text::at_line, *ground.line) : ground.after ? say(g, Text::after_line, *ground.after) : "";
        text +=
            ground.event ? told_event(seen.machine(), *ground.event, {seat_bit(seen.view.seat), seen.view.seat}, g) : end_words(seen, g);
        if (!ground.paragraph.empty()) {
            text += fmt::format(" — {}", name_words(seen.game(), ground.paragraph, g));
            if (const std::string about = rule_text(seen.game(), ground.paragraph, code_of(g.language)); !about.empty())
                text += say(g, Text::said_by_rule, quoted(about, g));
        }
        lines.push_back(std::move(text));
    }
    return lines;
}

nlohmann::ordered_json ground_json(const Seen& seen, const std::vector<Ground>& grounds) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Ground& ground : grounds) {
        nlohmann::ordered_json j;
        j["line"] = ground.line ? nlohmann::ordered_json(*ground.line) : nlohmann::ordered_json();
        j["event"] =
            ground.event ? nlohmann::ordered_json(event_line(seen.machine(), *ground.event, seen.view.seat)) : nlohmann::ordered_json();
        j["rule"] = ground.paragraph.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(ground.paragraph);
        all.push_back(std::move(j));
    }
    return all;
}

std::string percent(const Rational& share, const Globals& g) {
    if (share == 0) return "0 %";
    if (share == 1) return "100 %";
    const Rational thousandths = share * 1000 + Rational(1, 2);
    const long rounded = Integer(numerator(thousandths) / denominator(thousandths)).convert_to<long>();
    if (rounded == 0) return say(g, Text::below_a_thousandth);
    if (rounded == 1000) return say(g, Text::above_all_but_a_thousandth);
    return fmt::format("{}.{} %", rounded / 10, rounded % 10);
}

std::string share_words(const Knowledge& known, const Possibility& p, const Globals& g) {
    if (known.method != Method::sampled || p.error == 0) return percent(p.share(), g);
    return fmt::format("{:.1f} % ± {:.1f} %", 100 * static_cast<double>(p.share()), 100 * p.error);
}

bool is_by_deals(const KnowingArgs& args) { return args.weight == "deals"; }

std::optional<Rational> weight_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args) {
    if (is_by_deals(args)) return known.deals ? p.deals : std::nullopt;
    return p.weights.empty() ? std::nullopt : std::optional(p.weight());
}

std::optional<Rational> share_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args) {
    if (is_by_deals(args)) return known.deals && *known.deals != 0 ? std::optional(Rational(*p.deals / *known.deals)) : std::nullopt;
    return p.weights.empty() ? std::nullopt : std::optional(p.share());
}

std::string measure_words(const KnowingArgs& args, const Globals& g) {
    if (is_by_deals(args)) return say(g, Text::weight_by_deals);
    if (!args.assume.empty()) return say(g, Text::weight_by_uniform_play);
    return say(g, Text::weight_by_histories);
}

std::string about(const Integer& n) {
    const std::string digits = n.str();
    if (digits.size() <= 15) return digits;
    return fmt::format("{}.{} × 10^{}", digits[0], digits.substr(1, 2), digits.size() - 1);
}

std::string thing_words(const Game& game, const HiddenThing& thing, const Globals& g) {
    return thing.is_fact ? fact_words(game, thing.fact, thing.index, g) : place_words(game, thing.place, g);
}

std::string thing_name(const Game& game, const HiddenThing& thing) {
    if (!thing.is_fact) return place_name(game, thing.place);
    const Fact& fact = game.facts[thing.fact];
    if (fact.by == IndexBy::player) return fmt::format("P{}'s {}", thing.index + 1, fact.name);
    if (fact.by == IndexBy::enumeration) return fmt::format("{} of {}", fact.name, game.enums[fact.index_enum].values[thing.index]);
    return fact.name;
}

std::string possibility_words(const Game& game, const HiddenThing& thing, std::int32_t value, const Globals& g) {
    return thing.is_fact ? value_words(game, game.facts[thing.fact].type, value, g) : shown_cards(game, {KindId(value)}, g);
}

std::string possibility_name(const Game& game, const HiddenThing& thing, std::int32_t value) {
    return thing.is_fact ? value_name(game, game.facts[thing.fact].type, value) : kind_text(game, value);
}

std::string undecided_words(const Game& game, const HiddenThing& thing, const Globals& g) {
    std::vector<std::string> values;
    for (const Possibility& p : thing.values)
        if (!p.is_decided()) values.push_back(possibility_words(game, thing, p.value, g));
    return values.empty() ? "" : say(g, Text::undecided_values, fmt::format("{}", fmt::join(values, say(g, Text::comma))));
}

std::vector<KindId> kinds_of(const std::vector<Value>& counts) {
    std::vector<KindId> kinds;
    for (std::size_t kind = 0; kind < counts.size(); ++kind) kinds.insert(kinds.end(), counts[kind], KindId(kind));
    return kinds;
}

}  // namespace houserule::cli
