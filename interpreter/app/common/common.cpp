#include "interpreter/app/common/common.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include <semaphore.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

int output_error = 0;  // why stdout could not be written
bool colors_pass = false;

// How long the sequence is that sets a colour or a weight and begins the text; 0: it begins with none.
std::size_t color_length(std::string_view text) {
    if (!text.starts_with("\033[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

void err_bytes(const std::string& bytes) {
    std::fflush(stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stderr);
}

// Never destroyed: a thread waits on them to the end.
Stop& the_stop() {
    static Stop& stop = *new Stop;
    return stop;
}
sem_t pressed;
constexpr std::chrono::milliseconds wake_every{50};

void note_interrupt(int) {
    if (the_stop().asked()) _exit(exit_interrupted);
    the_stop().ask();
    sem_post(&pressed);
}

void handle_interrupt(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);  // without SA_RESTART: a read that waits for a person comes back
}

// What cannot be done in a signal handler is done here; again and again, for who has looked just before and begins to wait now.
void wake_when_pressed() {
    while (sem_wait(&pressed) != 0) {
    }
    for (;;) {
        the_stop().wake();
        std::this_thread::sleep_for(wake_every);
    }
}

}  // namespace

std::string harmless(std::string_view text, bool colors) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(colors ? "\n\t\033" : "\n\t"), text.size());
        clean += shown(text.substr(0, end));
        text.remove_prefix(end);
        if (text.empty()) break;
        const std::size_t color = text.front() == '\033' ? color_length(text) : 1;
        clean += color == 0 ? shown(text.substr(0, 1)) : text.substr(0, color);
        text.remove_prefix(std::max<std::size_t>(color, 1));
    }
    return clean;
}

void out(const std::string& text) { out_bytes(harmless(text, colors_pass)); }

void out_bytes(const std::string& bytes) {
    if (output_error != 0) return;
    // Without a buffer of ours, and with what others left in that of `stdout` before it.
    if (std::fflush(stdout) == 0 && write_all(STDOUT_FILENO, bytes)) return;
    output_error = errno;
    the_stop().ask();
}

void err(const std::string& text) { err_bytes(harmless(text, colors_pass)); }

void let_colors_pass(bool pass) { colors_pass = pass; }

void clear_screen() { out_bytes("\033[2J\033[3J\033[H"); }

void show_progress(const std::string& text) { err_bytes("\r\033[K" + harmless(text)); }

int unwritten_output() {
    if (output_error == 0 && std::fflush(stdout) != 0) output_error = errno;
    return output_error;
}

namespace {

void complain_of_no_game(const std::string& name, const Globals& g) {
    const std::string near = closest_game(name);
    if (!near.empty()) return err(say(g, Text::no_such_game_but, name, near));
    if (name.find_first_of("./") != std::string::npos) return complain_of(name, Text::cannot_be_read_because, ENOENT, g);
    err(say(g, Text::no_such_game, name));
}

}  // namespace

std::optional<std::string> read_rules_text(const std::string& name, std::string& path, const Globals& g) {
    path = find_game(name);
    if (path.empty()) return complain_of_no_game(name, g), std::nullopt;
    auto text = read_file(path, g);
    if (text && is_log(*text)) return err(say(g, Text::log_where_rules_stand, name)), std::nullopt;
    return text;
}

std::optional<Loaded> load(const std::string& name, const Globals& g) {
    Loaded loaded;
    auto text = read_rules_text(name, loaded.path, g);
    if (!text) return std::nullopt;
    loaded.sources.emplace_back(name, std::move(*text));
    static_cast<RulesFile&>(loaded) = read_rules(loaded.sources, 0, loaded.path);
    return loaded;
}

std::optional<PlayerRange> read_players(const std::string& text, const Globals& g) {
    PlayerRange range;
    const char* const end = text.data() + text.size();
    const auto low = std::from_chars(text.data(), end, range.low);
    range.high = range.low;
    const char* at = low.ptr;
    for (const std::string_view between : {"..", "-"})
        if (low.ec == std::errc() && std::string_view(at, end - at).starts_with(between)) {
            const auto high = std::from_chars(at + between.size(), end, range.high);
            at = high.ec == std::errc() ? high.ptr : at;
            break;
        }
    if (low.ec == std::errc() && at == end && range.low >= 1 && range.low <= range.high) return range;
    err(say(g, Text::expected_player_count, text));
    return std::nullopt;
}

bool read_settings(const std::vector<std::string>& pairs, Settings& settings, const Globals& g) {
    for (const std::string& pair : pairs) {
        const auto eq = pair.find('=');
        if (eq == std::string::npos || eq == 0 || eq + 1 == pair.size()) {
            err(fmt::format("houserule: `{}`: {}\n", pair, say(g, Text::expected_assignment)));
            return false;
        }
        settings[pair.substr(0, eq)] = pair.substr(eq + 1);
    }
    return true;
}

std::shared_ptr<const Machine> machine_for(const Loaded& loaded, int players, const Settings& settings, const Globals& g) {
    Diagnostics all = loaded.diagnostics;
    if (players == 0) players = std::max(1, player_range(loaded.syntax).low);
    Game game;
    if (!has_errors(all)) game = check(loaded.syntax, players, settings, all);
    for (Family& family : game.families) family.of_pieces = loaded.sources[family.span.source].text(family.span).starts_with("pieces");
    std::shared_ptr<const Machine> machine;
    if (!has_errors(all)) {
        machine = compile(std::move(game));
        if (auto large = too_large(*machine)) all.push_back(std::move(*large));
    }
    if (!has_errors(all)) return machine;
    if (const Diagnostics below = errors_below(loaded); !below.empty()) all = below;
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(all);
    const Span first = all.front().span;
    const auto is_before = [&](const SyntaxNode* d) { return d->span.source == first.source && d->span.begin <= first.begin; };
    const bool is_no_rules_file = all.front().code == Code::unexpected && std::ranges::none_of(loaded.syntax.root->children, is_before);
    if (is_no_rules_file) all.resize(1);
    err(render(all, loaded.sources, {g.language, g.color}));
    if (is_no_rules_file) err(say(g, Text::no_rules_file, loaded.sources[first.source].name()));
    return nullptr;
}

void leave_when_interrupted() {
    handle_interrupt([](int) { _exit(exit_interrupted); });
    // These are told by the write that fails.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void watch_interrupts() {
    if (static bool watched = false; std::exchange(watched, true)) return;
    the_stop();
    sem_init(&pressed, 0, 0);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);  // signals are for the threads that work
    std::thread(wake_when_pressed).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    handle_interrupt(note_interrupt);
}

const Stop& stop() { return the_stop(); }
bool interrupted() { return the_stop().asked(); }

}  // namespace houserule::cli
