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
    if (companion.blind())
        return out(fill(g, "  (what follows cannot be found out any more: {}; lines are kept as you type them)\n",
                        "  （ここから先は推理できません: {}。行は打ったまま残します）\n", text(companion.deduction().limit(), g.language)));
    for (const std::string& known : short_knowledge(companion.deduction(), shares_shown, g)) out("  = " + known + "\n");
}

void Assisting::tell_next(std::size_t most) const {
    const NextEvents& next = companion.next();
    if (companion.blind()) return;
    if (next.events.empty() && next.over) return out(say(g, "  The game is over.\n", "  ゲームは終わりです。\n"));
    if (next.events.empty()) return;
    out(say(g, "  next:\n", "  次に起こりうること:\n"));
    for (std::size_t i = 0; i < std::min(most, next.events.size()); ++i)
        out(fmt::format("  {:>3}  {}\n", i + 1, line(next.events[i].event)));
    if (next.events.size() > most) out(fill(g, "       … {} more: `next`\n", "       … ほか {} 通り: `next`\n", next.events.size() - most));
}

// The line that was kept, and what was filled in after it.
void Assisting::tell_from(std::size_t first) const {
    for (const std::string& told : companion.lines(first, code_of(g.language))) out("  " + told + "\n");
}

void Assisting::tell_help() const {
    out(say(
        g,
        "  Type what happened, as in a view: `P2: c = rose`, `deal pile -> P1's hand: cat, dream`; `?` for faces that you did not see.\n"
        "  Shorter is enough when only one thing that can come next fits: `p2 rose`, `cat, dream`; or its number in the list.\n"
        "  What can only happen in one way is filled in.\n"
        "  next     what came next in histories that were drawn; other lines may fit, too\n"
        "  log      what you have seen\n"
        "  hint     what you can know               worlds  what may lie hidden\n"
        "  why CLAIM   whether it must be so, and why: `why P1's me is not rose`, in the words of the rules\n"
        "  undo     takes back the last line        quit    ends; what is kept goes on with the same --log\n",
        "  起こったことを視点記録の書き方で打ちます: `P2: c = バラ`、`deal 山札 -> P1's 手札: ネコ, 夢`。見ていない面は `?`。\n"
        "  次に起こりうることのうち一つに決まるなら短くてもかまいません: `p2 バラ`、`ネコ、夢`。一覧の番号でも選べます。\n"
        "  一通りしかありえないことは自動で書き足します。\n"
        "  next  引いた履歴で次に起こったこと。ほかにも当てはまる行がありえます\n"
        "  log   これまでに見たこと\n"
        "  hint  分かること                      worlds  隠れているものの可能性\n"
        "  why 主張   必ずそうか、その理由: `why P1's me is not rose`（ルールの言葉で）\n"
        "  undo  最後の行を取り消す              quit    終わる。同じ --log で続けられます\n"));
}

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
        out(say(g, "  why what? `why P1's me is not rose`\n", "  何の理由ですか。`why P1's me is not rose`\n"));
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
        if (!companion.undo()) return out(say(g, "  there is nothing to take back\n", "  取り消すものはありません\n")), true;
        save();
        out(say(g, "  taken back\n", "  取り消しました\n"));
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
            return out(say(g, "  that is there already\n", "  もう書いてあります\n"));
        case Typing::several:
            out(say(g, "  several fit:\n", "  いくつか当てはまります:\n"));
            break;
        case Typing::does_not_fit:
            out(say(g, "  no world fits that; nothing was changed\n", "  合う世界がありません。何も変えていません\n"));
            break;
        case Typing::not_read:
            out(say(g, "  not understood; nothing was changed\n", "  読み取れません。何も変えていません\n"));
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
        err(fill(g, "houserule: {}: this is no view of {} in this game with these rules\n",
                 "houserule: {}: このゲーム・このルールでの {} の視点の記録ではありません\n", path, seat_words(companion.seat())));
        return false;
    }
    const auto view = head ? read_view(sources, 0, *head, companion.machine(), diagnostics) : std::nullopt;
    if (!view) return err(render(diagnostics, sources, {g.language, g.color})), false;
    if (companion.resume(*view)) return true;
    err(fill(g, "houserule: {0}: no world fits this view; `houserule hint {0}` says more\n",
             "houserule: {0}: この記録に合う世界がありません。`houserule hint {0}` で詳しく分かります\n", path));
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
    const Kept kept(args.log);
    const Assisting assisting{companion, *rules, kept, g};
    if (!assisting.save()) return exit_cannot;
    out(fill(g, "{}, {} players; you are {}. `help` says what can be typed.\n", "{}、{} 人。あなたは {} です。`help` で打ち方が出ます。\n",
             name_words(machine->game, machine->game.name, g), machine->game.players, seat_words(*seat)));
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
        if (done && kept.for_good()) out(fill(g, "Kept in {}\n", "{} に残しました\n", kept.path()));
        if (typed.what == Typed::interrupted) return exit_interrupted;
        if (done) return exit_fine;
        if (!assisting.command(text)) assisting.read(text);
    }
}

}  // namespace houserule::cli
