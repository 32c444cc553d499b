#include "interpreter/cli/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t read_limit = 64U << 20;  // logs of long matches are a few megabytes; rules have a limit of their own

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
        done += static_cast<std::size_t>(n);
    }
    return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

fs::path executable_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : self.parent_path();
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
    std::error_code error;
    if (fs::is_directory(path, error)) {
        complain(g, path, "cannot be read", "読めません", EISDIR);
        return std::nullopt;
    }
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        complain(g, path, "cannot be read", "読めません", errno);
        return std::nullopt;
    }
    std::string content;
    std::array<char, 65536> buffer{};
    std::size_t n = 0;
    while (content.size() <= read_limit && (n = std::fread(buffer.data(), 1, buffer.size(), file)) > 0) content.append(buffer.data(), n);
    const bool bad = std::ferror(file) != 0;
    std::fclose(file);
    if (bad || content.size() > read_limit) {
        complain(g, path, "cannot be read", "読めません", bad ? EIO : EFBIG);
        return std::nullopt;
    }
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

std::vector<std::string> game_folders() {
    std::vector<std::string> folders;
    if (const char* given = std::getenv("HOUSERULE_GAMES"); given != nullptr && *given != '\0') folders.emplace_back(given);
    const fs::path self = executable_folder();
    if (!self.empty()) folders.push_back((self / "../share/houserule/games").lexically_normal().string());
    folders.emplace_back(std::string(HOUSERULE_SOURCE_DIR) + "/games");
    folders.emplace_back(HOUSERULE_GAMES_DIR);
    return folders;
}

std::vector<Shipped> shipped_games() {
    std::vector<Shipped> games;
    std::error_code error;
    for (const std::string& folder : game_folders()) {
        if (!fs::is_directory(folder, error)) continue;
        for (const auto& entry : fs::directory_iterator(folder, error))
            if (entry.path().extension() == ".rules") games.push_back({entry.path().stem().string(), entry.path().string()});
        break;  // the first folder that is there
    }
    std::sort(games.begin(), games.end(), [](const Shipped& a, const Shipped& b) { return a.name < b.name; });
    return games;
}

std::string find_game(const std::string& name) {
    std::error_code error;
    if (fs::exists(name, error)) return name;
    std::string stem = name.starts_with("games/") ? name.substr(6) : name;
    if (stem.ends_with(".rules")) stem.resize(stem.size() - 6);
    if (stem.find('/') != std::string::npos) return "";
    for (const Shipped& game : shipped_games())
        if (game.name == stem) return game.path;
    return "";
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
    loaded.syntax = parse(loaded.sources, 0, loaded.diagnostics);
    return loaded;
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
    if (has_errors(all)) {
        std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
        tidy(all);
        err(render(all, loaded.sources, {g.language, g.color}));
        return nullptr;
    }
    return compile(std::move(game));
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
