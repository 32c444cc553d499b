// `houserule assist`: a companion for somebody who plays at a real table.
//
// Each line that is typed goes to the companion; what is kept is written to the view's file before the next line is asked for, so that
// Ctrl-C and the end of the input leave a view that can be read. `hint`, `worlds` and `why` are the commands of those names, on it.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowledge.hpp"
#include "interpreter/app/play/choices.hpp"
#include "interpreter/app/play/companion.hpp"
#include "interpreter/app/terminal/keyboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::size_t listed_most = 9;   // of what can come next, after each line; `next` lists all
constexpr std::size_t shares_shown = 5;  // a line on a phone's terminal

// Where the view is kept: where the person wants it, or else where nobody will find it when this is over.
class Kept {
public:
    explicit Kept(std::string path) : path_(std::move(path)), for_good_(!path_.empty()) {
        if (!for_good_) path_ = (std::filesystem::temp_directory_path() / fmt::format("houserule-{}.view", getpid())).string();
    }
    ~Kept() {
        std::error_code error;
        if (!for_good_) std::filesystem::remove(path_, error);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    const std::string& path() const { return path_; }
    bool for_good() const { return for_good_; }

private:
    std::string path_;
    bool for_good_;
};

struct Assisting {
    Companion& companion;
    const Loaded& rules;
    const Kept& kept;
    const Globals& g;

    std::string line(const Event& e) const { return companion.line(e, code_of(g.language)); }
    bool save() const { return write_file(kept.path(), companion.text(), g); }
    void tell_knowledge() const;
    void tell_next(std::size_t most) const;
    void tell_help() const;
    void tell_from(std::size_t first) const;
    bool command(const std::string& text) const;
    void ask_about(const std::string& word, const std::string& rest) const;
    void read(const std::string& text) const;
};

void Assisting::tell_knowledge() const {
    if (companion.blind()) return out(say(g, Text::cannot_follow_any_more, text(companion.deduction().limit(), g.language)));
    for (const std::string& known : short_knowledge(companion.deduction(), shares_shown, g)) out("  = " + known + "\n");
}

void Assisting::tell_next(std::size_t most) const {
    const NextEvents& next = companion.next();
    if (companion.blind()) return;
    if (next.events.empty() && next.over) return out(say(g, Text::game_is_over));
    if (next.events.empty()) return;
    out(say(g, Text::what_comes_next));
    for (std::size_t i = 0; i < std::min(most, next.events.size()); ++i)
        out(fmt::format("  {:>3}  {}\n", i + 1, line(next.events[i].event)));
    if (next.events.size() > most) out(say(g, Text::more_to_come_next, next.events.size() - most));
}

// The line that was kept, and what was filled in after it.
void Assisting::tell_from(std::size_t first) const {
    for (const std::string& told : companion.lines(first, code_of(g.language))) out("  " + told + "\n");
}

void Assisting::tell_help() const { out(say(g, Text::assist_help)); }

// The commands of these names, on what is kept.
void Assisting::ask_about(const std::string& word, const std::string& rest) const {
    if (!save()) return;
    if (word == "hint") {
        HintArgs args;
        args.text = kept.path();
        args.rules = rules.path;
        run_hint(args, g);
    } else if (word == "worlds") {
        WorldsArgs args;
        args.text = kept.path();
        args.rules = rules.path;
        args.of = rest;
        run_worlds(args, g);
    } else if (rest.empty()) {
        out(say(g, Text::why_what));
    } else {
        WhyArgs args;
        args.text = kept.path();
        args.rules = rules.path;
        args.claim = rest;
        run_why(args, g);
    }
}

// Whether it was a command.
bool Assisting::command(const std::string& text) const {
    const auto space = text.find(' ');
    const std::string word = plain_form(text.substr(0, space));
    const std::string rest = space == std::string::npos ? "" : text.substr(std::min(text.size(), text.find_first_not_of(' ', space)));
    if (word == "help" || word == "?" || word == "説明")
        tell_help();
    else if (word == "next" || word == "次")
        tell_next(companion.next().events.size());
    else if (word == "log" || word == "記録")
        tell_from(0);
    else if (word == "hint" || word == "ヒント")
        ask_about("hint", rest);
    else if (word == "worlds" || word == "世界")
        ask_about("worlds", rest);
    else if (word == "why" || word == "なぜ")
        ask_about("why", rest);
    else if (word == "undo" || word == "戻す") {
        if (!companion.undo()) return out(say(g, Text::nothing_to_take_back)), true;
        save();
        out(say(g, Text::taken_back));
        tell_knowledge();
        tell_next(listed_most);
    } else {
        return false;
    }
    return true;
}

void Assisting::read(const std::string& text) const {
    const std::string plain = plain_form(text);
    const bool number = !plain.empty() && plain.size() < 5 && plain.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t picked = number ? std::stoul(plain) : 0;
    const bool from_list = picked >= 1 && picked <= companion.next().events.size();
    const Typing typing = from_list ? companion.choose(picked - 1) : companion.type(text, g.language);
    switch (typing.what) {
        case Typing::kept:
            save();
            tell_from(companion.last_typed());
            tell_knowledge();
            tell_next(listed_most);
            return;
        case Typing::known:
            return out(say(g, Text::line_there_already));
        case Typing::several:
            out(say(g, Text::several_fit));
            break;
        case Typing::does_not_fit:
            out(say(g, Text::no_world_fits_line));
            break;
        case Typing::not_read:
            out(say(g, Text::line_not_understood));
            break;
    }
    for (const std::string& l : typing.lines) out("    " + l + "\n");
    if (typing.what != Typing::several) tell_next(listed_most);
}

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
    if (companion.resume(*view)) return true;
    err(say(g, Text::no_world_fits_view, path));
    return false;
}

// What can stand in a line: commands, seats, and all that the game has names for.
std::vector<std::string> names_to_type(const Machine& machine, const Globals& g) {
    const Game& game = machine.game;
    std::vector<std::string> names{"next", "log", "hint", "worlds", "why ", "undo", "help", "quit", "deal ", "move ", "show ", "shuffle "};
    if (g.language == Language::ja) names.insert(names.end(), {"次", "記録", "ヒント", "世界", "なぜ ", "戻す", "説明", "やめる"});
    for (int seat = 0; seat < game.players; ++seat) names.push_back(seat_words(seat));
    for (PlaceId place = 0; place < game.places; ++place) names.push_back(place_words(game, place, g));
    for (KindId kind = 0; kind < static_cast<KindId>(game.kinds.size()); ++kind) names.push_back(kind_words(game, kind, g));
    for (const std::string& word : game.words) names.push_back(name_words(game, word, g));
    for (const auto& variable : game.variables) names.push_back(name_words(game, variable.name, g));
    return names;
}

}  // namespace

int run_assist(const AssistArgs& args, const Globals& g) {
    const auto rules = load(args.file, g);
    Settings settings;
    if (!rules || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto machine = machine_for(*rules, args.players, settings, g);
    if (!machine) return exit_cannot;
    const auto seat = read_seat(args.as, machine->game.players, g);
    if (!seat) return exit_cannot;
    Companion companion(machine, *seat);
    if (!resume(companion, args.log, g)) return exit_cannot;
    watch_interrupts();
    const Kept kept(args.log);
    const Assisting assisting{companion, *rules, kept, g};
    if (!assisting.save()) return exit_cannot;
    out(say(g, Text::assist_begins, name_words(machine->game, machine->game.name, g), machine->game.players, seat_words(*seat)));
    assisting.tell_from(0);
    assisting.tell_knowledge();
    assisting.tell_next(listed_most);
    Keyboard keyboard(true);
    const std::vector<std::string> names = names_to_type(*machine, g);
    for (;;) {
        const Typed typed = keyboard.ask("> ", names);
        const auto first = typed.text.find_first_not_of(" \t");
        if (typed.what == Typed::line && first == std::string::npos) continue;
        const std::string text = first == std::string::npos ? "" : typed.text.substr(first);
        const std::string word = plain_form(text);
        const bool done = typed.what != Typed::line || word == "quit" || word == "やめる";
        if (done && kept.for_good()) out(say(g, Text::kept_in, kept.path()));
        if (typed.what == Typed::interrupted) return exit_interrupted;
        if (done) return exit_fine;
        if (!assisting.command(text)) assisting.read(text);
    }
}

}  // namespace houserule::cli
