#include "interpreter/app/play/play_prompt.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/app/knowing/knowledge.hpp"
#include "interpreter/app/knowing/why_words.hpp"
#include "interpreter/app/play/choices.hpp"
#include "interpreter/app/play/deciding_moves.hpp"
#include "interpreter/app/play/go_on.hpp"
#include "interpreter/app/play/page_words.hpp"
#include "interpreter/app/play/play_why.hpp"
#include "interpreter/app/play/scores_so_far.hpp"
#include "interpreter/log/line.hpp"
#include "interpreter/log/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <sstream>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::uint64_t hint_work = 3 * work_a_second;  // longer than anybody wants to wait at a prompt
constexpr std::size_t hint_values = 5;                  // a line
constexpr std::size_t hint_indent = 10;
constexpr std::size_t news_most = 40;    // lines; a screen. The rest is in `log`
constexpr std::size_t paced_lines = 16;  // between two pauses

Seats only(int seat) { return 1U << seat; }

// The one seat among these, or -1.
int alone(Seats seats) {
    int seat = -1;
    while (seats != 0 && seat < 16 && (seats & only(++seat)) == 0) continue;
    return seat >= 0 && seats == only(seat) ? seat : -1;
}

std::vector<ToldLine> told_since(const Session& s, std::size_t from, Seats viewers, const Globals& g) {
    return told_lines(*s.machine, s.events, from, {viewers, alone(viewers)}, g);
}

void show_log(const Session& s, Seats viewers, const Globals& g) {
    for (const ToldLine& line : told_since(s, 0, viewers, g)) out(printed(line, s.game(), terminal_width(), g));
}

// At a terminal, people look before it goes on. Who calls an act there has called it.
void wait(Session& s, Keyboard* keyboard, const Globals& g) {
    if (keyboard == nullptr) return;
    const Typed typed = keyboard->ask(say(g, Text::enter_to_go_on));
    if (typed.what == Typed::line && !plain_form(typed.text).empty()) s.typed_ahead = typed.text;
}

std::string act_heading(const Session& s, ActId act, const Globals& g, std::size_t margin = 0) {
    return text_told(s.game(), s.game().acts[act].name, margin, g);
}

// The rule that is being carried out, whose it is unless that is who reads it alone, and what it says; that is said once.
std::string rule_heading(Session& s, int reader, const Globals& g) {
    const RuleAtHand here = rule_at_hand(*s.run, s.run->node());
    if (here.rule == no_id) {
        // Inside an act, which is no rule: the one that was done last.
        const auto last =
            std::find_if(s.events.rbegin(), s.events.rend(), [](const Event& e) { return !e.joint && e.kind != EventKind::all_chose; });
        return last != s.events.rend() && last->kind == EventKind::acts ? act_heading(s, last->name, g) : "";
    }
    const bool is_readers = here.player == reader && !s.several_people();
    const std::string heading = rule_words(*s.machine, here.rule, is_readers ? -1 : here.player, g);
    return folded(with_text_once(s.game(), here.rule, heading, s.explained, g), terminal_width(), 2) + "\n";
}

// With two cards of the game as examples.
std::string commands_text(const Game& game, const Globals& g) {
    return folded_commands(say(g, Text::play_help, example_card(game, g), example_card(game, g, game.kind_count() / 2)), terminal_width());
}

std::vector<std::string> command_words(const Globals& g) {
    return words_of_commands({TableCommand::table, TableCommand::hint, TableCommand::why, TableCommand::log, TableCommand::rules,
                              TableCommand::points, TableCommand::undo, TableCommand::save, TableCommand::quit},
                             g.language);
}

// Hands the screen to another person.
bool hand_over(Session& s, Keyboard& keyboard, int seat, const Globals& g, Prompted& asked) {
    if (!s.several_people() || s.at_screen == seat) return true;
    s.at_screen = seat;
    keyboard.forget();
    if (is_terminal())
        clear_screen();
    else
        out("\n----------------------------------------\n");
    const Typed typed = keyboard.ask(say(g, Text::press_enter, seat_words(seat)));
    asked = typed.what == Typed::interrupted ? Prompted::interrupted : Prompted::finished;
    return typed.what == Typed::line;
}

// Whether there is anything on it.
bool shows_something(const std::string& table) {
    std::istringstream in(table);
    for (std::string line; std::getline(in, line);)
        if (!line.ends_with("–")) return true;
    return false;
}

std::string table_seen_by(const Session& s, Seats viewers, const Globals& g) {
    int you = -1;
    for (int p = 0; p < s.game().players; ++p)
        if (viewers == only(p)) you = p;
    return table_text(*s.run, viewers, you, terminal_width(), g);
}

// What this person saw, and nothing else, with what follows from it; none, after a message, where that came to no end.
struct KnownHere {
    Seen seen;
    Deduced deduced{};
    Deduction& deduction() const { return *deduced.deduction; }
};
std::optional<KnownHere> known_to(const Session& s, int seat, const Globals& g) {
    View view = view_of(*s.machine, s.head, s.events, seat);
    view.head.question = question_at_once_to(s.machine, *s.run, seat);
    KnownHere known{seen_at_table(s.machine, std::move(view))};
    KnowingArgs args;  // no clock: the same is known however busy the machine is
    args.work = hint_work;
    known.deduced = deduced_from(known.seen, limits_of(args), Deadline::never(&stop()), g);
    known.deduction().finish_by(std::nullopt);
    if (known.deduced.fit == Fit::fits) return known;
    out_folded(say(g, Text::no_hint, text(known.deduction().limit(), g.language)));
    return std::nullopt;
}

void show_whole_hint(const Session& s, int seat, const std::string& rest, const Globals& g) {
    HintArgs args;
    if (!read_detail(rest, args)) return out_folded(say(g, Text::hint_how));
    const auto known = known_to(s, seat, g);
    if (!known) return;
    std::vector<std::string> hit = not_found_out(known->deduction(), args.numbers, g);
    if (known->seen.cut) hit.insert(hit.begin(), known->seen.not_followed(g));
    const Deadline no_clock = Deadline::never(&stop());
    out(text_of(hint_of(known->seen, known->deduction(), args, std::move(hit), no_clock, no_clock, g), terminal_width()));
}

// Whether the text says that something is not so: `not pine`, `マツでない`.
bool says_not(const std::string& text) {
    const std::string plain = plain_form(text);
    return is_among_words(plain.substr(0, plain.find(' ')), Text::typed_for_not) ||
           std::ranges::any_of(all_languages, [&](Language language) {
               const std::vector<std::string> words = split(std::string(Text::typed_for_not.in(language)), ' ');
               return language != Language::en &&
                      std::ranges::any_of(words, [&](const std::string& word) { return plain.ends_with(word); });
           });
}

// Whether something hidden was asked for: `why not pine`, `why P2 has pine`.
bool show_why(const Session& s, int seat, const std::string& rest, const Globals& g) {
    const auto claim = claim_in(*s.machine, seat, rest);
    if (!claim && says_not(rest)) return out_folded(say(g, Text::why_in_words, example_card(s.game(), g))), true;
    if (!claim || (!claim->denied && !claim->names_place)) return false;
    KnowingArgs args;
    args.work = hint_work;
    const auto known = known_to(s, seat, g);
    if (!known) return true;
    if (known->seen.cut) out_folded(known->seen.until_words(g, true) + "\n");
    out(why_words(known->seen, known->deduction(), *claim, args, terminal_width(), g));
    return true;
}

// What this person can know, in a line.
void show_hint(const Session& s, int seat, const Globals& g) {
    const auto known = known_to(s, seat, g);
    if (!known) return;
    std::vector<std::string> lines = short_knowledge(known->deduction(), hint_values, g);
    if (known->seen.cut) lines.insert(lines.begin(), known->seen.until_words(g, true));
    for (const std::string& line : lines) out(folded(say(g, Text::this_hint, line), terminal_width(), hint_indent) + "\n");
}

// The act that is called so; `!` is the only one there is, or the first that is open.
ActId act_called(const Session& s, const std::string& name) {
    const std::string plain = plain_form(name);
    if (plain.empty()) return no_id;
    const Game& game = s.game();
    for (std::size_t i = 0; i < game.acts.size(); ++i) {
        const ActId act(i);
        const auto is_label = [&](const NamedText& l) { return l.name == game.acts[act].name && plain_form(l.text).starts_with(plain); };
        if (plain_form(game.acts[act].name) == plain || std::ranges::any_of(game.labels, is_label)) return act;
    }
    if (plain != "!") return no_id;
    if (!s.openings.empty()) return s.openings.front().act;
    return game.acts.size() == 1 ? ActId(0) : ActId(no_id);
}

// `CALL crow`: what is said with the act; nothing without the act, or if there is no more.
std::optional<std::string> behind_act(const std::string& shown, const std::string& text) {
    std::string name = plain_form(shown);
    while (!name.empty() && name.back() == '!') name.pop_back();
    const std::string plain = plain_form(text);
    if (name.empty() || !plain.starts_with(name)) return std::nullopt;
    const std::size_t said = plain.find_first_not_of("! ", name.size());
    return said == std::string::npos || said == name.size() ? std::nullopt : std::optional(plain.substr(said));
}

// The acts that this person may still do here, one row an act, the last opening of each.
std::vector<std::size_t> openings_of(const Session& s, int seat) {
    std::vector<std::size_t> found;
    for (std::size_t i = s.openings.size(); i-- > 0;) {
        const Opening& o = s.openings[i];
        const bool there = std::any_of(found.begin(), found.end(), [&](std::size_t f) { return s.openings[f].act == o.act; });
        if ((o.people & only(seat)) != 0 && !there) found.push_back(i);
    }
    return found;
}

// What everybody has, where that is told at all, and how it is counted.
void tell_points(const Session& s, int seat, const Globals& g) {
    if (const std::string now = scores_so_far(s, seat, g); !now.empty()) out("  " + folded(now, terminal_width() - 2, 4) + "\n");
    out(scoring_told(s.rules, s.head.settings, g));
}

// `how_many`: as it is typed behind `undo`, nothing for one.
bool take_back(Session& s, int seat, bool deciding, const std::string& how_many, const Globals& g) {
    const std::optional<std::size_t> decisions = how_many.empty() ? 1 : count_in(how_many);
    if (!decisions) return out_folded(say(g, Text::undo_how_many)), false;
    const std::size_t made = decisions_of(s, seat, deciding);
    if (made == 0) return out_folded(say(g, Text::nothing_decided_yet)), false;
    if (*decisions > made) return out_folded(say(g, Text::undo_too_many_decisions, made)), false;
    for (std::size_t n = 0; n < *decisions; ++n) undo(s, seat, deciding && n == 0);
    out_folded(say(g, *decisions == 1 ? Text::back_at_last_decision : Text::back_at_earlier_decision));
    return true;
}

void save_to(Session& s, const std::string& name, const Globals& g) {
    const std::string path = name.empty() ? s.log_path : name;
    std::error_code error;
    if (path.empty()) return out_folded(say(g, Text::save_where));
    if (path != s.log_path && std::filesystem::exists(path, error)) return out_folded(say(g, Text::save_name_taken, path));
    const std::string named = s.head.file;
    if (path != s.log_path) name_rules(s.head, path, s.rules.path);
    if (write_file(path, log_of(s), g)) {
        out_folded(say(g, Text::saved, path));
        s.saved_events = s.events.size();
    }
    s.head.file = named;
}

// Whether a person, asked once more if need be, wants what may decide the game.
bool is_sure_of(const Session& s, bool decides, Keyboard& keyboard, const Globals& g) {
    return !s.asks_again || !decides || asked_again(keyboard, say(g, Text::sure_of_move), g);
}

// What stands behind a question mark of either width; nothing without one.
std::optional<std::string> behind_question_mark(const std::string& text) {
    for (const std::string_view mark : {"?", "？"})
        if (text.starts_with(mark)) return std::string(trim(text.substr(mark.size())));
    return std::nullopt;
}

// How many are chosen together: `3`, or `0–2`.
std::string so_many(const Choices& choices) {
    return choices.low == choices.high ? std::to_string(choices.low) : fmt::format("{}–{}", choices.low, choices.high);
}

struct Prompt {
    Session& s;
    int seat;
    Seats viewers;  // the person who is asked; all people, where it concerns all
    const Globals& g;
    Choices choices;
    std::vector<std::size_t> openings;

    // Whether it was a command, and what it led to.
    bool command(const std::string& text, std::optional<Prompted>& asked) const {
        const std::string plain = text.starts_with('/') ? text.substr(1) : text;
        if (const auto about = behind_question_mark(plain)) return help(*about), true;
        const auto [command, rest] = command_in(plain);
        if (!command) return false;
        switch (*command) {
            case TableCommand::table:
                out(table_seen_by(s, viewers, g));
                return true;
            case TableCommand::log:
                show_log(s, viewers, g);
                return true;
            case TableCommand::help:
                help("");
                return true;
            case TableCommand::why:
                if (const int p = alone(viewers); p >= 0 && show_why(s, p, rest, g)) return true;
                rest.empty() ? out(rule_in_words(s, g)) : help(rest);
                return true;
            case TableCommand::hint:
                if (const int p = alone(viewers); p >= 0) show_whole_hint(s, p, rest, g);
                return true;
            case TableCommand::save:
                save_to(s, rest, g);
                return true;
            case TableCommand::undo:
                if (take_back(s, seat, true, rest, g)) asked = Prompted::answered;
                return true;
            case TableCommand::quit:
                asked = Prompted::finished;
                return true;
            case TableCommand::rules:
                if (!rest.empty()) return false;
                out(rules_told(s.rules, s.head.settings, s.game(), g));
                return true;
            case TableCommand::points:
                if (!rest.empty()) return false;
                tell_points(s, seat, g);
                return true;
            case TableCommand::next:
            case TableCommand::worlds:
            case TableCommand::fix:
                return false;
        }
        return false;
    }
    void help(const std::string& about) const {
        const auto in_own_words = behind_question_mark(about);  // `??`: those of the file
        const std::string name = in_own_words.value_or(about);
        if (const ActId called = act_called(s, name); called != no_id) {
            const bool is_open = std::ranges::any_of(openings, [&](std::size_t o) { return s.openings[o].act == called; });
            return out(act_heading(s, called, g, 2) + (is_open ? "" : folded_lines(say(g, Text::no_call_now), terminal_width())));
        }
        if (!name.empty()) return out(why_not(s, name, in_own_words.has_value(), g));
        if (in_own_words) return out(source_of_rule(s, g));
        out(commands_text(s.game(), g));
        for (const std::size_t o : openings) out(act_heading(s, s.openings[o].act, g, 2));
        out(rule_in_words(s, g));
    }
    void not_understood(const Meaning& m, const std::string& text) const {
        const std::size_t parts = typed_parts(text).size();
        const std::string part = m.part.empty() ? text : m.part;
        if (m.what == Meaning::several)
            out_folded(say(g, Text::several_fit_these, fmt::format("{}", fmt::join(m.fitting, " / "))));
        else if (parts > 1 && !choices.many)
            out_folded(say(g, Text::one_is_chosen));
        else if (choices.high > 0 && m.part.empty() && (std::cmp_less(parts, choices.low) || std::cmp_greater(parts, choices.high)))
            out_folded(say(g, Text::so_many_are_chosen, choices.example, so_many(choices), parts));
        else if (!names_something(*s.run, part))
            out_folded(say(g, Text::nothing_is_called, shown(part)));
        else
            out_folded(say(g, Text::cannot_be_chosen, shown(part), shown(part)));
    }
    bool is_sure(const Meaning& m, Keyboard& keyboard) const {
        const bool decides = m.what == Meaning::act ? may_decide(s.game(), ActId(m.value)) : may_decide(*s.run, m.value);
        return is_sure_of(s, decides, keyboard, g);
    }
    // Where it is asked whether somebody chooses, what is typed may be what is chosen: the move behind the yes.
    std::optional<std::uint64_t> behind_yes(const std::string& text) const {
        if (s.run->node().kind != NodeKind::consent || plain_form(text).find_first_not_of("0123456789") == std::string::npos) return {};
        const auto run = make_run(s.machine);
        run->set_state(s.run->state());
        run->advance();
        run->apply(1);
        const Node node = run->advance();
        if (node.kind != NodeKind::choose || node.seat != seat) return {};
        const Meaning m = meant_by(text, *run, choices_at(*run, {}, g, alone(viewers)), g);
        return m.what == Meaning::move ? std::optional(m.value) : std::nullopt;
    }
    // An act with what is said then: that is kept for the question that comes.
    Meaning with_act(const std::string& text) const {
        for (const std::size_t o : openings) {
            const ActId act = s.openings[o].act;
            const auto said = behind_act(name_words(s.game(), s.game().acts[act].name, g), text);
            if (!said) continue;
            s.said_with_act = {seat, *said};
            Meaning meaning;
            meaning.what = Meaning::act;
            meaning.value = act.value();
            meaning.exact = true;
            return meaning;
        }
        return {};
    }
    bool take(const Meaning& m) const {
        if (m.what == Meaning::act) {
            for (const std::size_t o : openings)
                if (s.openings[o].act == ActId(m.value)) return act(s, s.openings[o], only(seat)), true;
        }
        decide(s, m.value);
        return true;
    }
    Prompted ask(Keyboard& keyboard) const {
        std::vector<std::string> names = names_to_type(*s.run, choices, g);
        const std::vector<std::string> words = command_words(g);
        names.insert(names.end(), words.begin(), words.end());
        if (const auto said = std::exchange(s.said_with_act, std::nullopt); said && said->first == seat)
            if (const Meaning m = meant_by(said->second, *s.run, choices, g); m.what == Meaning::move) {
                take(m);
                keep(s, g);
                return Prompted::answered;
            }
        const std::string ahead = std::exchange(s.typed_ahead, "");
        if (const Meaning m = meant_by(ahead, *s.run, choices, g); !ahead.empty() && m.what == Meaning::act && is_sure(m, keyboard)) {
            take(m);
            keep(s, g);
            return Prompted::answered;
        }
        if (std::optional<Prompted> asked; !ahead.empty()) {
            if (!command(ahead, asked)) out_folded(say(g, Text::typed_too_early, ahead));
            if (asked) return *asked;
        }
        for (;;) {
            const Typed typed = keyboard.ask(s.several_people() && viewers == only(seat) ? seat_words(seat) + "> " : "> ", names);
            if (typed.what != Typed::line) return typed.what == Typed::end ? Prompted::finished : Prompted::interrupted;
            if (typed.text.find_first_not_of(" \t") == std::string::npos) {
                out_folded(say(g, Text::nothing_typed));
                continue;
            }
            Meaning m = meant_by(typed.text, *s.run, choices, g);
            if (m.what == Meaning::nothing)
                if (const Meaning called = with_act(typed.text); called.what == Meaning::act) m = called;
            std::optional<Prompted> asked;
            const bool is_command = !m.exact && command(typed.text, asked);
            if (asked) return *asked;
            if (is_command) continue;
            if (const auto chosen = m.what == Meaning::nothing ? behind_yes(typed.text) : std::nullopt) {
                decide(s, 1);
                s.run->advance();
                if (!is_sure({Meaning::move, *chosen, {}}, keyboard)) return Prompted::answered;  // it is asked what to choose
                decide(s, *chosen);
                keep(s, g);
                return Prompted::answered;
            }
            if (m.what != Meaning::move && m.what != Meaning::act) {
                not_understood(m, typed.text);
                continue;
            }
            if (!is_sure(m, keyboard)) {
                s.said_with_act.reset();
                continue;
            }
            take(m);
            keep(s, g);
            return Prompted::answered;
        }
    }
};

}  // namespace

namespace {

// How the game ended, if that was the last that happened: it stands below the last table, too.
std::string told_end(const Session& s, Seats viewers, const Globals& g) {
    const bool is_last = !s.events.empty() && s.events.back().kind == EventKind::ended;
    return is_last ? told_event(*s.machine, s.events.back(), {viewers, alone(viewers)}, g) : "";
}

}  // namespace

bool tell_news(Session& s, Seats viewers, const Globals& g, Keyboard* keyboard) {
    const bool together = (viewers & (viewers - 1)) != 0;
    std::size_t from = 0;
    for (int seat = 0; seat < s.game().players; ++seat) {
        const std::size_t p = seat;
        if ((viewers >> seat & 1) != 0) from = std::max(from, together ? std::max(s.told[p], s.noticed[p]) : s.told[p]);
    }
    std::vector<ToldLine> lines = told_since(s, from, viewers, g);
    // It stands below the last table; where it has a last step of its own, the game is not over yet.
    if (!lines.empty() && lines.back().text == told_end(s, viewers, g)) lines.pop_back();
    s.typed_ahead.clear();
    Keyboard* const pauses = s.paced ? keyboard : nullptr;
    const std::size_t skipped = pauses == nullptr && lines.size() > news_most ? lines.size() - news_most : 0;
    if (skipped != 0) out_folded(say(g, Text::more_before_this, skipped));
    std::size_t since = 0;  // lines since the last pause
    for (std::size_t i = skipped; i < lines.size(); ++i) {
        const bool is_round = lines[i].what == ToldLine::round && since > 1;  // not for one line more behind a pause
        if (is_round || since >= paced_lines) wait(s, pauses, g), since = 0;
        out(printed(lines[i], s.game(), terminal_width(), g));
        since += lines[i].what == ToldLine::sentence ? 1 : 0;
        if (lines[i].is_reveal && i + 1 < lines.size()) wait(s, pauses, g), since = 0;
    }
    for (int seat = 0; seat < s.game().players; ++seat)
        if ((viewers >> seat & 1) != 0) (together ? s.noticed : s.told)[seat] = s.events.size();
    return !lines.empty();
}

Prompted ask_decision(Session& s, Keyboard& keyboard, int seat, const Globals& g) {
    Prompted asked = Prompted::answered;
    keep(s, g);
    const bool report = s.run->node().kind == NodeKind::report;
    if (!report && !hand_over(s, keyboard, seat, g, asked)) return asked;
    s.decisions.push_back(moment_of(s, seat));
    const Seats viewers = report ? s.people : only(seat);
    out("\n");
    const std::string scores = report ? "" : changed_scores(s, seat, g);
    const bool is_news = tell_news(s, viewers, g, &keyboard);
    if (!scores.empty()) out("  " + folded(scores, terminal_width() - 2, 4) + "\n");
    if (is_news || !scores.empty()) out("\n");
    const std::string table = table_seen_by(s, viewers, g);
    if (shows_something(table)) out(table);
    if (s.hints && !report) show_hint(s, seat, g);
    out("\n" + rule_heading(s, seat, g));
    const std::vector<std::size_t> openings = report ? std::vector<std::size_t>{} : openings_of(s, seat);
    std::vector<ActId> acts;
    for (const std::size_t o : openings) acts.push_back(s.openings[o].act);
    const int you = alone(viewers);
    const Prompt prompt{s, seat, viewers, g, choices_at(*s.run, acts, g, you), openings};
    out(folded(prompt.choices.question, terminal_width(), 2) + "\n");
    out(with_glyphs(print(prompt.choices, terminal_width(), g), s.game(), is_colored(g)));
    if (s.explained.insert(prompt.choices.question).second) out(what_values_mean(s, g));
    return prompt.ask(keyboard);
}

namespace {

// One answer a person and act.
struct ActAnswer {
    int seat;
    std::size_t opening;
    std::string shown;
};

std::vector<ActAnswer> act_answers(const Session& s, Seats who, const Globals& g) {
    std::vector<ActAnswer> answers;
    for (int p = 0; p < s.game().players; ++p) {
        if ((who >> p & 1) == 0) continue;
        for (const std::size_t o : openings_of(s, p)) {
            const std::string name = name_words(s.game(), s.game().acts[s.openings[o].act].name, g);
            answers.push_back({p, o, std::has_single_bit(who) ? name : seat_words(p) + " " + name});
        }
    }
    return answers;
}

// Several may speak at once: `1, 2`, for one act. Who is alone says the act. Null: nobody acts.
std::pair<const Opening*, Seats> spoken(const Session& s, const std::vector<ActAnswer>& answers, const std::string& text, bool is_one) {
    const std::string plain = plain_form(text);
    std::string numbers = "," + plain + ",";
    std::erase(numbers, ' ');
    Seats acting = 0;
    const Opening* opening = nullptr;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const bool is_number = !is_one && numbers.find(fmt::format(",{},", i + 1)) != std::string::npos;
        const bool is_word = plain_form(answers[i].shown).starts_with(plain) || (plain == "!" && i == 0);
        const bool is_other = opening != nullptr && opening != &s.openings[answers[i].opening];
        if (is_other || (!is_number && (!is_word || command_in(text).command))) continue;
        opening = &s.openings[answers[i].opening];
        acting |= only(answers[i].seat);
    }
    return {opening, acting};
}

}  // namespace

Prompted ask_acts(Session& s, Keyboard& keyboard, Seats who, const Globals& g) {
    keep(s, g);
    if (s.several_people()) keyboard.forget();  // whoever is at the keyboard now
    out("\n");
    tell_news(s, who, g, &keyboard);
    const std::vector<ActAnswer> answers = act_answers(s, who, g);
    std::vector<std::string> names;
    const bool is_one = std::has_single_bit(who);
    for (std::size_t i = 0; i < answers.size(); ++i)
        names.push_back(is_one ? answers[i].shown : fmt::format("{}: {}", i + 1, answers[i].shown));
    const std::string question = say(g, Text::enter_or_act, fmt::format("{}", fmt::join(names, say(g, Text::comma))));
    std::string ahead = std::exchange(s.typed_ahead, "");
    const bool is_call =
        std::ranges::any_of(answers, [&](const ActAnswer& a) { return plain_form(a.shown).starts_with(plain_form(ahead)); });
    const bool is_command = command_in(ahead).command || behind_question_mark(ahead);
    if (!ahead.empty() && !is_call && !is_command) out_folded(say(g, Text::typed_too_early, std::exchange(ahead, "")));
    for (;;) {
        Typed typed{Typed::line, std::exchange(ahead, "")};
        if (typed.text.empty()) typed = keyboard.ask(folded(question, terminal_width() - 1, 2) + " ");
        if (typed.what != Typed::line) return typed.what == Typed::end ? Prompted::finished : Prompted::interrupted;
        if (plain_form(typed.text).empty()) return Prompted::answered;
        if (const auto told = command_in(typed.text); told.command == TableCommand::quit && told.rest.empty()) return Prompted::finished;
        for (const ActAnswer& a : answers)
            if (const auto said = is_one ? behind_act(a.shown, typed.text) : std::nullopt) {
                typed.text = a.shown;
                s.said_with_act = {a.seat, *said};
            }
        if (const auto [opening, acting] = spoken(s, answers, typed.text, is_one); opening != nullptr) {
            if (!is_sure_of(s, may_decide(s.game(), opening->act), keyboard, g)) {
                s.said_with_act.reset();
                continue;
            }
            act(s, *opening, acting);
            keep(s, g);
            return Prompted::answered;
        }
        const auto [command, rest] = command_in(typed.text);
        if (const bool is_whole = rest.empty(); command == TableCommand::table && is_whole) {
            out(table_seen_by(s, who, g));
        } else if (command == TableCommand::undo && is_one) {
            if (take_back(s, answers.front().seat, false, rest, g)) return Prompted::answered;
        } else if (command == TableCommand::rules && is_whole) {
            out(rules_told(s.rules, s.head.settings, s.game(), g));
        } else if (command == TableCommand::points && is_whole && is_one) {
            tell_points(s, answers.front().seat, g);
        } else if (command == TableCommand::log && is_whole) {
            show_log(s, who, g);
        } else if (command == TableCommand::hint && is_one) {
            show_whole_hint(s, answers.front().seat, rest, g);
        } else if (command == TableCommand::why && is_one && show_why(s, answers.front().seat, rest, g)) {
            continue;
        } else if (command == TableCommand::save) {
            save_to(s, rest, g);
        } else if ((command == TableCommand::help || command == TableCommand::why) && is_whole) {
            for (const ActAnswer& a : answers) out(act_heading(s, s.openings[a.opening].act, g, 2));
        } else if (const auto about = behind_question_mark(typed.text); about && !about->empty()) {
            const ActId called = act_called(s, *about);
            out(called != no_id ? act_heading(s, called, g, 2) : about_name(s, *about, g));
        } else {
            out_folded(say(g, Text::keys_at_window));
        }
    }
}

}  // namespace houserule::cli
