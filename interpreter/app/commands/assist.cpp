// `houserule assist`: a companion for somebody who plays at a real table.
//
// Each line that is typed goes to the companion; what is kept is written to the view's file before anything is shown and the next line is
// asked for, so that a closed terminal, Ctrl-C and the end of the input leave a view that can be read. `hint`, `worlds` and `why` are the
// commands of those names, on it.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/companion/table_talk.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/app/knowing/knowledge.hpp"
#include "interpreter/app/play/deciding_moves.hpp"
#include "interpreter/app/play/kept_games.hpp"
#include "interpreter/app/play/page_words.hpp"
#include "interpreter/app/terminal/keyboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::size_t worlds_at_table = 12;  // about a screen
constexpr std::size_t shares_shown = 5;      // a line on a phone's terminal

// Where the view is kept: where the person wants it, else among the games that are kept, else where nobody will find it when this is over.
class Kept {
public:
    Kept(std::string path, const Globals& g) : path_(std::move(path)), asked_for_(!path_.empty()) {
        if (asked_for_) {
            written_ = read_if_there(path_, g).value_or("");
            return;
        }
        if (const auto kept = log_to_keep(g, kept_views)) {
            path_ = *kept;
            return;
        }
        path_ = (std::filesystem::temp_directory_path() / fmt::format("houserule-{}.view", getpid())).string();
        is_lost_ = true;
    }
    ~Kept() {
        std::error_code error;
        if (is_lost_) std::filesystem::remove(path_, error);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    const std::string& path() const { return path_; }
    bool write(const std::string& text, const Globals& g) { return write_on(path_, written_, text, g); }
    void tell(const Globals& g) const {
        if (asked_for_)
            out_folded(say(g, Text::kept_in, path_));
        else if (!is_lost_)
            out_folded(say(g, Text::view_is_kept));
    }

private:
    std::string path_;
    std::string written_ = {};  // what stands there; empty: nothing of ours yet
    bool asked_for_;
    bool is_lost_ = false;
};

struct Assisting {
    Companion& companion;
    const Loaded& rules;
    Kept& kept;
    const Globals& g;
    Keyboard* keyboard = nullptr;            // to ask once more before a line that ends the game, if at all
    std::vector<Events> offered;             // what a number stands for
    std::string behind{};                    // of a line: what comes after what is picked
    std::vector<std::string> told = {};      // what is known; what has not changed is not told again
    std::set<std::string> explained = {};    // rules whose text was shown
    std::optional<RuleAtHand> heading = {};  // that was shown last
    // Where not all could be followed: what could be, and what is known of that.
    Events followed = {};
    std::vector<std::string> known_until_there = {};

    TableTalk talk() const { return {companion, g}; }
    bool save() const { return kept.write(companion.text(), g); }
    void name_rules_in(const std::string& path) const;
    void tell_knowledge();
    void find_what_was_known();
    void tell_next();
    void tell_all(std::size_t first);
    void help() const;
    bool command(const std::string& text);
    void ask_about(TableCommand about, const std::string& rest) const;
    void undo(const std::string& rest);
    void fix(const std::string& rest);
    void save_to(const std::string& name) const;
    void took(const Typing& typing, const std::string& text);
    void read(const std::string& text);
};

// As far as what was typed could be followed. What is typed after that changes nothing of it.
void Assisting::find_what_was_known() {
    const Events& all = companion.events();
    if (!followed.empty() && followed.size() <= all.size() && std::equal(followed.begin(), followed.end(), all.begin())) return;
    Seen seen = seen_at_table(companion.deduction().shared_machine(),
                              View{head_of(companion.machine(), std::nullopt), companion.seat(), all, {}, {}});
    DeductionLimits limits;
    limits.stop = &stop();
    const Deduced deduced = deduced_from(seen, limits, Deadline::in(limits.time, &stop()), g);
    followed = seen.view.events;
    known_until_there.clear();
    if (deduced.fit != Fit::fits || !seen.cut) return;
    known_until_there = short_knowledge(*deduced.deduction, shares_shown, g);
    known_until_there.insert(known_until_there.begin(), seen.until_words(g, true));
}

void Assisting::tell_knowledge() {
    if (companion.blind()) {
        out_folded(say(g, Text::cannot_follow_any_more, text(companion.deduction().limit(), g.language)));
        find_what_was_known();
    }
    const std::vector<std::string> known = companion.blind() ? known_until_there : short_knowledge(companion.deduction(), shares_shown, g);
    for (const std::string& line : known)
        if (std::ranges::find(told, line) == told.end()) out("  = " + folded(line, terminal_width() - 4, 4) + "\n");
    told = known;
}

// Under the heading of the rule in which somebody is asked, when that is a new one.
void Assisting::tell_next() {
    const std::set<RuleAtHand>& asked_by = companion.next().asked_by;
    const auto rule = asked_by.size() == 1 ? std::optional(*asked_by.begin()) : std::nullopt;
    if (rule && rule != heading) {
        const std::string title = rule_words(companion.machine(), rule->rule, rule->player == companion.seat() ? -1 : rule->player, g);
        out_folded("  " + with_text_once(companion.machine().game, rule->rule, title, explained, g) + "\n");
    }
    heading = rule;
    out_folded(talk().what_is_next(offered));
}

// The lines that were kept, what was filled in after them, what is known then, and what can come next.
void Assisting::tell_all(std::size_t first) {
    out_folded(talk().sentences(first));
    tell_knowledge();
    tell_next();
}

// Has a view that is written there say where its rules are, if they would not be found without that.
void Assisting::name_rules_in(const std::string& path) const {
    LogHead head = head_of(companion.machine(), std::nullopt);
    name_rules(head, path, rules.path);
    companion.file = head.file;
}

// The commands of these names, on what is kept.
void Assisting::ask_about(TableCommand about, const std::string& rest) const {
    if (!save()) return;
    if (about == TableCommand::hint) {
        HintArgs args;
        if (!read_detail(rest, args)) return out_folded(say(g, Text::hint_how));
        args.text = kept.path();
        args.rules = rules.path;
        run_hint(args, g);
    } else if (about == TableCommand::worlds) {
        WorldsArgs args;
        args.text = kept.path();
        args.rules = rules.path;
        args.each = is_among_words(plain_form(rest), Text::typed_for_all);
        if (!args.each) args.of = rest;
        args.at_table = true;
        args.limit = worlds_at_table;
        run_worlds(args, g);
    } else if (rest.empty()) {
        out_folded(say(g, Text::why_what, example_card(companion.machine().game, g)));
    } else {
        WhyArgs args;
        args.text = kept.path();
        args.rules = rules.path;
        args.claim = rest;
        args.at_table = true;
        run_why(args, g);
    }
}

// One line, or so many.
void Assisting::undo(const std::string& rest) {
    std::size_t lines = 1;
    if (!rest.empty()) {
        const auto how_many = count_in(rest);
        if (!how_many) return out_folded(say(g, Text::undo_how_many));
        lines = *how_many;
        // A slip of a key is not to take back a whole game.
        if (lines > 1 && lines > companion.typed().size()) return out_folded(say(g, Text::undo_too_many, companion.typed().size()));
    }
    std::string back;
    for (; lines > 0; --lines) {
        if (companion.undo_nothing_more()) {
            back = "         " + std::string(say(g, Text::nothing_more_happened)) + "\n" + back;
            continue;
        }
        if (companion.typed().empty()) break;
        back = talk().line(companion.typed().size() - 1) + back;
        companion.undo();
    }
    if (back.empty()) return out_folded(say(g, Text::nothing_to_take_back));
    save();
    out_folded(say(g, Text::taken_back) + back);
    tell_knowledge();
    tell_next();
}

// `5 TEXT`, `5 -`, `5 + TEXT`; several with `;`.
void Assisting::fix(const std::string& rest) {
    if (rest.empty()) return out_folded(talk().numbered() + say(g, Text::fix_how));
    const std::size_t lines = companion.typed().size();
    const auto edits = read_edits(rest, lines);
    const auto first = count_in(rest.substr(0, rest.find(' ')));
    if (!edits && first && *first > lines) return out_folded(say(g, Text::no_such_line, *first, lines));
    if (!edits) return out_folded(say(g, Text::fix_how));
    const EditedLines edited = edited_lines(companion.typed(), *edits);
    if (const auto clash = companion.replace(edited.first, edited.lines, g.language)) {
        const std::size_t number = edited.numbers[clash->line - edited.first];
        return out_folded(talk().clash(number, edited.lines[clash->line - edited.first], clash->typing));
    }
    save();
    tell_all(edited.first < companion.typed().size() ? companion.typed()[edited.first].before : companion.events().size());
}

void Assisting::save_to(const std::string& name) const {
    std::error_code error;
    if (name.empty()) return out_folded(say(g, Text::save_where));
    if (std::filesystem::exists(name, error)) return out_folded(say(g, Text::save_name_taken, name));
    name_rules_in(name);
    if (write_file(name, companion.text(), g)) out_folded(say(g, Text::saved, name));
    name_rules_in(kept.path());
}

// With two cards of the game as examples.
void Assisting::help() const {
    const Game& game = companion.machine().game;
    const std::string text = say(g, Text::assist_help, example_card(game, g), example_card(game, g, game.kind_count() / 2));
    out(folded_commands(text, terminal_width()));
}

// Whether it was a command.
bool Assisting::command(const std::string& text) {
    const auto [command, rest] = command_in(text);
    if (!command) return false;
    switch (*command) {
        case TableCommand::help:
            return help(), true;
        case TableCommand::next:
            return out_folded(talk().all_that_is_next(offered)), true;
        case TableCommand::log:
            return out_folded(talk().numbered()), true;
        case TableCommand::table:
            return out(talk().table()), true;
        case TableCommand::hint:
        case TableCommand::worlds:
        case TableCommand::why:
            return ask_about(*command, rest), true;
        case TableCommand::undo:
            return undo(rest), true;
        case TableCommand::fix:
            return fix(rest), true;
        case TableCommand::save:
            return save_to(rest), true;
        case TableCommand::rules:
            if (!rest.empty()) return false;
            return out(rules_told(rules, head_of(companion.machine(), std::nullopt).settings, companion.machine().game, g)), true;
        case TableCommand::points:
            return false;
        case TableCommand::quit:  // only alone: see assist
            return false;
    }
    return false;
}

// After a line was typed, with what became of it.
void Assisting::took(const Typing& typing, const std::string& text) {
    if (typing.what == Typing::kept) {
        if (talk().is_over() && keyboard != nullptr && !asked_again(*keyboard, say(g, Text::sure_of_end), g)) {
            companion.undo();
            out_folded(say(g, Text::nothing_was_changed));
            return tell_next();
        }
        save();
        return tell_all(companion.last_typed());
    }
    if (typing.what == Typing::known) return out_folded(say(g, Text::line_there_already));
    if (typing.what == Typing::several) {
        behind = typing.rest;
        return out_folded(talk().which(typing.fitting, offered));
    }
    out_folded(talk().why_not(text, typing));
    // Whoever is elsewhere in the game reads what it is about now.
    if (typing.what == Typing::out_of_turn) explained.clear();
    heading.reset();
    tell_next();
}

void Assisting::read(const std::string& text) {
    const std::string then = std::exchange(behind, "");
    const std::string plain = plain_form(text);
    const bool number = !plain.empty() && plain.size() < 3 && plain.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t picked = number ? std::stoul(plain) : 0;
    if (picked >= 1 && picked <= offered.size()) {
        const Events events = offered[picked - 1];
        const bool is_kept = companion.take(events);
        took({is_kept ? Typing::kept : Typing::does_not_fit, {}, events, {}}, text);
        if (is_kept && !then.empty()) read(then);
        return;
    }
    if (!plain.empty()) {
        const Typing typing = companion.type(text, g.language);
        std::string joined = plain;  // `no one`, too
        std::erase(joined, ' ');
        if (!typing.is_refused() || !is_among_words(joined, Text::typed_for_nobody)) return took(typing, text);
        // That nobody did more is said; where it goes without saying, too.
        if (!companion.usual() && !companion.may_go_on_without()) return out_folded(say(g, Text::nobody_is_noted));
    }
    // Enter: what happens when nobody does what they need not do.
    if (const auto usual = companion.usual()) {
        took({companion.take({*usual}) ? Typing::kept : Typing::does_not_fit, {}, {*usual}, {}}, text);
    } else if (const std::size_t before = companion.events().size(); companion.may_go_on_without() && companion.nothing_more()) {
        out_folded("         " + std::string(say(g, Text::nothing_more_happened)) + "\n");
        save();
        tell_all(before);
    }
}

// ---------------------------------------------------------------- before the game

struct Begun {
    Loaded rules;
    std::shared_ptr<const Machine> machine;
    int seat = 0;
    std::string log;
    std::map<int, std::string> names;
};

// What the file at `path` says, if it is there; false, with a message, when it is something else.
bool resume(Companion& companion, const std::string& path, const Globals& g) {
    std::error_code error;
    if (path.empty() || !std::filesystem::exists(path, error)) return true;
    auto text = read_file(path, g);
    if (!text) return false;
    Sources sources{Source(path, std::move(*text))};
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    const LogHead own = head_of(companion.machine(), std::nullopt);
    if (head && (head->game != own.game || head->rules != own.rules || head->players != own.players || head->settings != own.settings ||
                 head->view != companion.seat())) {
        err(say(g, Text::view_of_another_game, path, seat_words(companion.seat())));
        return false;
    }
    const auto view = head ? read_view(sources, 0, *head, companion.machine(), diagnostics) : std::nullopt;
    if (!view) return err(render(diagnostics, sources, {g.language, g.color})), false;
    companion.names.insert(head->names.begin(), head->names.end());
    if (companion.resume(*view)) return true;
    err(say(g, Text::no_world_fits_view, path));
    return false;
}

// Asks for a number from `low` to `high`; nothing when the input ends.
std::optional<int> ask_number(Keyboard& keyboard, const std::string& question, int low, int high) {
    for (;;) {
        const Typed typed = keyboard.ask(question);
        if (typed.what != Typed::line || command_in(typed.text).command == TableCommand::quit) return std::nullopt;
        std::string plain = plain_form(typed.text);
        if (plain.starts_with("p ")) plain.erase(0, 2);
        const auto number = count_in(plain);
        if (number && std::cmp_greater_equal(*number, low) && std::cmp_less_equal(*number, high)) return *number;
    }
}

// A view that goes on.
std::optional<Begun> gone_on(const std::string& path, const AssistArgs& args, const Globals& g, int& exit_code) {
    auto text = open_text(path, "", g, exit_code);
    if (!text) return std::nullopt;
    exit_code = exit_cannot;
    if (text->head.view < 0 || text->head.view >= text->machine->game.players) {
        err(say(g, Text::log_of_no_seat, path));
        return std::nullopt;
    }
    if (args.players != 0 || !args.set.empty() || !args.reading.empty()) return err(say(g, Text::settings_of_the_log)), std::nullopt;
    return Begun{std::move(text->rules), text->machine, text->head.view, args.log.empty() ? path : args.log, text->head.names};
}

// The number of players of a view that is there already, so that it need not be said again.
int players_in(const std::string& path, const Globals& g) {
    std::error_code error;
    if (path.empty() || !std::filesystem::is_regular_file(path, error)) return 0;
    auto text = read_file(path, g);
    Diagnostics ignored;
    const Sources sources{Source(path, text ? std::move(*text) : "")};
    const auto head = read_head(sources, 0, ignored);
    return head ? head->players : 0;
}

std::optional<Begun> begun(const AssistArgs& args, Keyboard& keyboard, const Globals& g) {
    Begun begun{};
    auto rules = load(args.file, g);
    Settings settings;
    if (!rules || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return std::nullopt;
    TableNames table;
    if (!args.names.empty()) {
        const auto names = read_names(args.names, g);
        if (!names) return std::nullopt;
        table = *names;
    }
    begun.rules = std::move(*rules);
    begun.names = table.names;
    begun.log = args.log;
    const PlayerRange range = player_range(begun.rules.syntax);
    int players = args.players != 0 ? args.players : table.players != 0 ? table.players : players_in(args.log, g);
    if (players == 0 && range.low >= 1 && range.low < range.high) {
        const auto asked = ask_number(keyboard, say(g, Text::how_many_players, range.low, range.high), range.low, range.high);
        if (!asked) return std::nullopt;
        players = *asked;
    }
    begun.machine = machine_for(begun.rules, players, settings, g);
    if (!begun.machine) return std::nullopt;
    const int seats = begun.machine->game.players;
    if (table.players > seats) return err(say(g, Text::no_names_of_seats, args.names)), std::nullopt;
    call_seats(begun.names);
    std::optional<int> seat = table.me >= 0 && args.as.empty() ? std::optional(table.me) : std::nullopt;
    if (!args.as.empty()) seat = read_seat(args.as, seats, g);
    if (!seat && args.as.empty()) {
        seat = ask_number(keyboard, say(g, Text::which_seat_is_yours, seats), 1, seats);
        if (seat) --*seat;
    }
    if (!seat) return std::nullopt;
    begun.seat = *seat;
    return begun;
}

// What can stand in a line: commands, seats, and all that the game has names for.
std::vector<std::string> names_to_type(const Machine& machine, const Globals& g) {
    const Game& game = machine.game;
    std::vector<std::string> names = words_of_commands(
        {TableCommand::next, TableCommand::log, TableCommand::table, TableCommand::hint, TableCommand::worlds, TableCommand::why,
         TableCommand::rules, TableCommand::undo, TableCommand::fix, TableCommand::save, TableCommand::help, TableCommand::quit},
        g.language);
    for (int seat = 0; seat < game.players; ++seat) names.push_back(seat_words(seat));
    for (PlaceId place = 0; place < game.places; ++place) names.push_back(place_words(game, place, g));
    for (KindId kind = 0; kind < static_cast<KindId>(game.kinds.size()); ++kind) names.push_back(kind_words(game, kind, g));
    for (const std::string& word : game.words) names.push_back(name_words(game, word, g));
    for (const auto& variable : game.variables) names.push_back(name_words(game, variable.name, g));
    return names;
}

int assist(Assisting assisting, Keyboard& keyboard, const Globals& g) {
    const std::vector<std::string> names = names_to_type(assisting.companion.machine(), g);
    for (;;) {
        const Typed typed = keyboard.ask("> ", names);
        const auto first = typed.text.find_first_not_of(" \t");
        const std::string text = first == std::string::npos ? "" : typed.text.substr(first);
        const TypedCommand command = command_in(text);
        const bool done = typed.what != Typed::line || (command.command == TableCommand::quit && command.rest.empty());
        if (done) assisting.kept.tell(g);
        if (typed.what == Typed::interrupted) return exit_interrupted;
        if (done) return exit_fine;
        if (!assisting.command(text)) assisting.read(text);
    }
}

}  // namespace

int run_assist(const AssistArgs& args, const Globals& g) {
    if (args.resume && !args.file.empty()) return err(say(g, Text::not_together, verbatim("--resume"), verbatim("FILE"))), exit_cannot;
    const auto last = args.resume ? last_kept(kept_views) : std::optional(args.file);
    if (!last) return err(say(g, Text::no_game_is_kept)), exit_cannot;
    watch_interrupts();
    Keyboard keyboard(true);
    int exit_code = exit_cannot;
    auto begin = args.resume || file_is_log(*last, g) ? gone_on(*last, args, g, exit_code) : begun(args, keyboard, g);
    if (!begin) return interrupted() ? exit_interrupted : exit_code;
    call_seats(begin->names);
    Companion companion(begin->machine, begin->seat);
    companion.names = begin->names;
    if (!resume(companion, begin->log, g)) return exit_cannot;
    call_seats(companion.names);
    Kept kept(begin->log, g);
    const bool asks_again = is_on(args.questions, "always");
    Assisting assisting{companion, begin->rules, kept, g, asks_again ? &keyboard : nullptr, {}};
    assisting.name_rules_in(kept.path());
    if (!assisting.save()) return exit_cannot;
    const Game& game = companion.machine().game;
    out_folded(say(g, Text::assist_begins, name_words(game, game.name, g), game.players, seat_words(begin->seat)));
    assisting.tell_all(0);
    return assist(assisting, keyboard, g);
}

}  // namespace houserule::cli
