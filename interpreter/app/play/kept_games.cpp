#include "interpreter/app/play/kept_games.hpp"

#include "interpreter/app/common/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <vector>

#include <unistd.h>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

// Empty when the system does not say where the user's files are.
fs::path kept_folder() {
    const fs::path folder = user_folder("XDG_STATE_HOME", ".local/state");
    return folder.empty() ? folder : folder / "games";
}

// The oldest first.
std::vector<fs::path> kept(const std::string& ending) {
    std::vector<fs::path> logs;
    std::error_code error;
    for (fs::directory_iterator at(kept_folder(), error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ending && at->is_regular_file(error)) logs.push_back(at->path());
    std::sort(logs.begin(), logs.end());
    return logs;
}

// UTC to the millisecond, so that the order of names is that of times.
std::string now_in_digits() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}-{:03}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                       utc.tm_sec, milliseconds);
}

bool make_private(const fs::path& folder, const Globals& g) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) fs::permissions(folder, fs::perms::owner_all, error);
    if (error) complain_of(folder.string(), Text::games_cannot_be_kept, error.value(), g);
    return !error;
}

}  // namespace

std::optional<std::string> log_to_keep(const Globals& g, const std::string& ending) {
    const fs::path folder = kept_folder();
    if (folder.empty() || !make_private(folder, g)) return std::nullopt;
    const std::vector<fs::path> older = kept(ending);
    std::error_code error;
    for (std::size_t i = 0; i + games_kept <= older.size(); ++i) fs::remove(older[i], error);
    return (folder / fmt::format("{}-{}{}", now_in_digits(), getpid(), ending)).string();
}

std::optional<std::string> last_kept(const std::string& ending) {
    const std::vector<fs::path> logs = kept(ending);
    return logs.empty() ? std::nullopt : std::optional(logs.back().string());
}

bool is_kept(const std::string& log) {
    const std::vector<fs::path> logs = kept(fs::path(log).extension().string());
    return std::find(logs.begin(), logs.end(), fs::path(log)) != logs.end();
}

namespace {

// Where it goes on: there, unless another program has changed the file.
std::optional<std::string> path_to_go_on(const std::string& path, const std::string& written, const Globals& g) {
    constexpr int names_tried = 1000;
    const auto there = read_if_there(path, g);
    if (!there || *there == written) return path;
    const fs::path old = path;
    std::optional<std::string> other;
    if (is_kept(path)) other = log_to_keep(g, old.extension().string());
    for (int i = 2; !other && i <= names_tried; ++i) {
        const fs::path name = old.parent_path() / fmt::format("{}-{}{}", old.stem().string(), i, old.extension().string());
        std::error_code error;
        if (!fs::exists(fs::symlink_status(name, error))) other = name.string();
    }
    if (!other) return complain_of(path, Text::file_and_reason, EEXIST, g), std::nullopt;
    err(say(g, Text::written_by_another, path, *other));
    return other;
}

}  // namespace

bool write_on(std::string& path, std::string& written, const std::string& text, const Globals& g) {
    const auto to = written.empty() ? path : path_to_go_on(path, written, g);
    if (!to) return false;
    path = *to;
    if (!write_file(path, text, g)) return false;
    written = text;
    return true;
}

}  // namespace houserule::cli
