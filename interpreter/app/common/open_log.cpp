#include "interpreter/app/common/open_log.hpp"

#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

void print(const Diagnostics& diagnostics, const Sources& sources, const Globals& g) {
    err(render(diagnostics, sources, {g.language, g.color}));
}

// Whether a text begins like rules.
bool is_rules(std::string_view text) {
    const Sources sources{Source("", std::string(text))};
    Diagnostics ignored;
    const Syntax syntax = parse(sources, 0, ignored);
    return !has_errors(ignored) && game_line(*layers(syntax).back()) != nullptr;
}

// The line of the head that says it.
Span head_line(const OpenText& log, std::string_view word) {
    const std::string_view text = log.rules.sources[log.source].text();
    const auto at = text.find("\n" + std::string(word) + " ");
    const std::uint32_t begin = at == std::string_view::npos ? 0 : at + 1;
    const std::uint32_t end = std::min(text.find('\n', begin), text.size());
    return span_of(begin, end, log.source);
}

// Where the rules of the log's game are; empty when nowhere.
std::string rules_path(const std::string& log_path, const LogHead& head) {
    std::error_code error;
    if (!head.file.empty() && fs::is_regular_file(head.file, error)) return head.file;
    const std::string& game = head.game;
    const bool plain = game.find('/') == std::string::npos;
    const fs::path beside = fs::path(log_path).parent_path() / (game + ".rules");
    if (plain && fs::is_regular_file(beside, error)) return beside.string();
    for (const Shipped& shipped : shipped_games())
        if (shipped.name == game) return shipped.path;
    return "";
}

// The same, or in the folder above the log's, as a folder of logs is written beside the rules, or in the one of the command.
std::string rules_near(const std::string& log_path, const LogHead& head) {
    if (std::string found = rules_path(log_path, head); !found.empty() || head.game.find('/') != std::string::npos) return found;
    std::error_code error;
    for (const fs::path& folder : {fs::path(log_path).parent_path() / "..", fs::path(".")})
        if (const fs::path file = folder / (head.game + ".rules"); fs::is_regular_file(file, error))
            return file.lexically_normal().string();
    return "";
}

}  // namespace

std::optional<int> seat_called(const std::string& text, int players) {
    for (int seat = 0; seat < players; ++seat)
        if (plain_form(seat_words(seat)) == plain_form(text)) return seat;
    const std::string digits = text.starts_with('P') || text.starts_with('p') ? text.substr(1) : text;
    int seat = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seat);
    if (error == std::errc() && end == digits.data() + digits.size() && seat >= 1 && seat <= players) return seat - 1;
    return std::nullopt;
}

std::optional<int> read_seat(const std::string& text, int players, const Globals& g) {
    if (const auto seat = seat_called(text, players)) return seat;
    err(fmt::format("houserule: {}: `{}`\n", say(g, Text::no_such_seat, players), text));
    return std::nullopt;
}

bool file_is_log(const std::string& path, const Globals& g) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    const auto text = read_file(path, g);
    return text && is_log(*text);
}

void name_rules(LogHead& head, const std::string& log_path, const std::string& rules) {
    std::error_code error;
    LogHead without = head;
    without.file.clear();
    const std::string found = rules_path(log_path, without);
    if (found.empty() || !fs::equivalent(found, rules, error)) head.file = fs::absolute(rules, error).string();
}

std::optional<OpenText> open_text(const std::string& path, const std::string& rules, const Globals& g, int& exit_code) {
    exit_code = exit_cannot;
    std::error_code error;
    if (!fs::exists(path, error) && !find_game(path).empty()) return err(say(g, Text::rules_where_log_stands, path)), std::nullopt;
    auto text = read_file(path, g);
    if (!text) return std::nullopt;
    if (!is_log(*text) && is_rules(*text)) return err(say(g, Text::rules_where_log_stands, path)), std::nullopt;
    OpenText log;
    Diagnostics diagnostics;
    Sources alone{Source(path, *text)};
    const auto head = read_head(alone, 0, diagnostics);
    if (!head) {
        exit_code = exit_found;
        print(diagnostics, alone, g);
        return std::nullopt;
    }
    const std::string found = rules.empty() ? rules_near(path, *head) : rules;
    if (found.empty()) {
        err(fmt::format("houserule: {}: {}\n", path, say(g, Text::no_rules_for_log, head->game)));
        return std::nullopt;
    }
    auto loaded = load(found, g);
    if (!loaded) return std::nullopt;
    log.rules = std::move(*loaded);
    log.source = log.rules.sources.size();
    log.rules.sources.emplace_back(path, std::move(*text));
    log.head = *head;
    call_seats(head->names);
    log.settings = head->settings;
    // What the log says of its rules is compared before the rules are asked whether they can be played so.
    Diagnostics ignored;
    const Game own = has_errors(log.rules.diagnostics) ? Game{} : check(log.rules.syntax, head->players, log.settings, ignored);
    exit_code = exit_found;
    if (!own.name.empty() && own.name != head->game)
        return print({make_diagnostic(Code::other_game, head_line(log, "game"), head->game, own.name)}, log.rules.sources, g), std::nullopt;
    exit_code = exit_cannot;
    log.machine = machine_for(log.rules, head->players, log.settings, g);
    if (!log.machine) return std::nullopt;
    exit_code = exit_found;
    if (head->rules && *head->rules != log.machine->game.hash)
        return print({make_diagnostic(Code::other_rules, head_line(log, "rules"), fmt::format("{:016x}", *head->rules),
                                      fmt::format("{:016x}", log.machine->game.hash), shown(log.rules.sources.front().name()))},
                     log.rules.sources, g),
               std::nullopt;
    for (Diagnostic& d : diagnostics) d.span.source = log.source;
    if (!diagnostics.empty()) print(diagnostics, log.rules.sources, g);
    exit_code = exit_fine;
    return log;
}

OpenLog replayed(OpenText text, const Globals& g, int& exit_code, const Stop* stop) {
    OpenLog log{std::move(text), nullptr, {}, {}, false, false};
    Diagnostics diagnostics;
    log.run = make_run(log.machine);
    log.fits = replay(log.rules.sources, log.source, log.head, *log.run, log.events, diagnostics, &log.lines, stop);
    log.left_off = !log.fits && diagnostics.empty() && over(stop);
    log.run->record(nullptr);
    if (!diagnostics.empty()) print(diagnostics, log.rules.sources, g);
    exit_code = log.fits ? exit_fine : exit_found;
    return log;
}

std::optional<OpenLog> open_log(const std::string& path, const std::string& rules, const Globals& g, int& exit_code) {
    auto text = open_text(path, rules, g, exit_code);
    if (!text) return std::nullopt;
    return replayed(std::move(*text), g, exit_code);
}

}  // namespace houserule::cli
