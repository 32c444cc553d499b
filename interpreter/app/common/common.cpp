#include "interpreter/app/common/common.hpp"

#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t stop_requested = 0;

void complain(const Globals& g, const std::string& path, const char* what_en, const char* what_ja, int error) {
    err(fmt::format("houserule: {}: {}: {}\n", path, say(g, what_en, what_ja), std::strerror(error)));
}

bool write_all(int file, const std::string& content) {
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t n = ::write(file, content.data() + done, content.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        done += n;
    }
    return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

void out(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void err(const std::string& text) {
    std::fflush(stdout);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::optional<std::string> read_file(const std::string& path, const Globals& g) {
    int error = 0;
    auto content = read_bytes(path, error);
    if (!content) complain(g, path, "cannot be read", "読めません", error);
    return content;
}

bool write_file(const std::string& path, const std::string& content, const Globals& g) {
    // A link stays a link: what it points to is replaced.
    std::error_code ignored;
    const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
    std::string aside = target.string() + ".XXXXXX";
    const int file = ::mkstemp(aside.data());
    if (file < 0) {
        complain(g, path, "cannot be written", "書けません", errno);
        return false;
    }
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(file, ::stat(target.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask);
    const bool written = write_all(file, content);
    const int error = errno;
    const bool closed = ::close(file) == 0;
    if (written && closed && ::rename(aside.c_str(), target.c_str()) == 0) return true;
    complain(g, path, "cannot be written", "書けません", written && closed ? errno : error);
    ::unlink(aside.c_str());
    return false;
}

bool may_write(const std::string& path, bool force, const Globals& g) {
    std::error_code error;
    if (path.empty() || force || !fs::exists(path, error)) return true;
    err(fmt::format(fmt::runtime(say(g, "houserule: {} is there already; `--force` overwrites it\n",
                                     "houserule: {} はもうあります。上書きするには `--force`\n")),
                    path));
    return false;
}

std::optional<Loaded> load(const std::string& name, const Globals& g) {
    Loaded loaded;
    loaded.path = find_game(name);
    if (loaded.path.empty()) {
        complain(g, name, "cannot be read", "読めません", ENOENT);
        return std::nullopt;
    }
    auto text = read_file(loaded.path, g);
    if (!text) return std::nullopt;
    loaded.sources.emplace_back(name, std::move(*text));
    static_cast<RulesFile&>(loaded) = read_rules(loaded.sources, 0, loaded.path);
    return loaded;
}

bool make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) err(fmt::format("houserule: {}: {}\n", path, error.message()));
    return !error;
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
    err(fill(g, "houserule: `{}`: expected a number of players, `3` or `2..4`\n",
             "houserule: `{}`: 人数を `3` か `2..4` の形で書いてください\n", text));
    return std::nullopt;
}

bool read_settings(const std::vector<std::string>& pairs, Settings& settings, const Globals& g) {
    for (const std::string& pair : pairs) {
        const auto eq = pair.find('=');
        if (eq == std::string::npos || eq == 0 || eq + 1 == pair.size()) {
            err(fmt::format("houserule: `{}`: {}\n", pair, say(g, "expected NAME=VALUE", "名前=値 の形で書いてください")));
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
    std::shared_ptr<const Machine> machine;
    if (!has_errors(all)) {
        machine = compile(std::move(game));
        if (auto large = too_large(*machine)) all.push_back(std::move(*large));
    }
    if (!has_errors(all)) return machine;
    if (const Diagnostics below = errors_below(loaded); !below.empty()) all = below;
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(all);
    err(render(all, loaded.sources, {g.language, g.color}));
    return nullptr;
}

bool interrupted() { return stop_requested != 0; }

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested = 1; };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);  // without SA_RESTART: a read that waits for a person comes back
    std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace houserule::cli
