#include "interpreter/app/serve/kept_table.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/app/common/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

constexpr int format = 1;  // of table.json
// The hash of the log that was written together with it.
constexpr const char* with_log = "with_log";

std::string file_of(const std::string& folder) { return folder + "/table.json"; }

// The folder and those around it that do not exist, innermost first.
std::vector<std::string> missing_folders(const std::string& folder) {
    std::vector<std::string> missing;
    std::error_code error;
    for (fs::path at = fs::absolute(folder, error).lexically_normal(); !error && !fs::exists(at, error); at = at.parent_path())
        missing.push_back(at.string());
    return missing;
}

bool make_private_folder(const std::string& folder, const Globals& g) {
    std::error_code error;
    const bool made = fs::create_directories(folder, error);
    if (made && !error) fs::permissions(folder, fs::perms::owner_all, error);
    if (error) complain_of(folder, Text::file_and_reason, error.value(), g);
    return !error;
}

}  // namespace

std::string KeptTable::rules_copy() const { return folder + "/rules/" + fs::path(rules).filename().string(); }

HeldFolder::~HeldFolder() {
    std::error_code ignored;
    const bool unused = file_ >= 0 && !is_kept_table(folder_);
    if (unused && made_lock_) fs::remove(folder_ + "/lock", ignored);
    if (file_ >= 0) ::close(file_);
    // A folder that has something in it stays.
    if (unused)
        for (const std::string& folder : made_) fs::remove(folder, ignored);
}

bool HeldFolder::hold(const std::string& folder, const Globals& g) {
    folder_ = folder;
    made_ = missing_folders(folder);
    if (!make_private_folder(folder, g)) return false;
    const std::string path = folder + "/lock";
    std::error_code ignored;
    made_lock_ = !fs::exists(path, ignored);
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file_ < 0) return complain_of(path, Text::cannot_be_written_because, errno, g), false;
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    const int reason = errno;
    ::close(std::exchange(file_, -1));  // it is another server's
    if (reason == EWOULDBLOCK)
        err(say(g, Text::table_is_held, folder));
    else
        complain_of(path, Text::file_and_reason, reason, g);
    return false;
}

std::optional<std::string> folder_for_table(const Globals& g) {
    const fs::path state = user_folder("XDG_STATE_HOME", ".local/state");
    if (state.empty()) return err(say(g, Text::no_folder_for_table)), std::nullopt;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return (state / "tables" / fmt::format("{}-{}", std::chrono::duration_cast<std::chrono::milliseconds>(now).count(), getpid())).string();
}

bool is_kept_table(const std::string& folder) {
    std::error_code error;
    return fs::exists(file_of(folder), error);
}

namespace {

nlohmann::json parsed(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return nullptr;
    const auto text = read_file(path, {});
    return text ? nlohmann::json::parse(*text, nullptr, false) : nullptr;
}

// A server that was killed when the log had its name already and the table not yet: what belongs to that log lies aside, whole.
// Whether there was one.
bool finish_writing(const KeptTable& table) {
    const std::string file = file_of(table.folder);
    const std::string aside = aside_of(file).string();
    const auto left = parsed(aside);
    if (!left.is_object() || !left.contains(with_log)) return false;
    std::error_code error;
    const auto log = fs::is_regular_file(table.log(), error) ? read_file(table.log(), {}) : std::nullopt;
    if (!log || left[with_log] != fnv1a(*log)) return false;
    fs::rename(aside, file, error);
    return !error;
}

std::optional<KeptTable> read_as_it_is(const std::string& folder, const Globals& g) {
    const auto text = read_file(file_of(folder), g);
    if (!text) return std::nullopt;
    try {
        const auto json = nlohmann::json::parse(*text);
        if (json.at("houserule table") != format) return err(say(g, Text::no_kept_table, file_of(folder))), std::nullopt;
        KeptTable t;
        t.folder = folder;
        t.rules = json.at("rules");
        t.players = json.at("players");
        t.seed = json.at("seed");
        t.begun = json.at("begun");
        t.game = json.at("game");
        json.at("set").get_to(t.set);
        json.at("reading").get_to(t.reading);
        json.at("seats").get_to(t.seats);
        json.at("names").get_to(t.names);
        json.at("tokens").get_to(t.tokens);
        t.stopped = json.value("stopped", false);
        if (json.contains("pace")) t.pace = json["pace"].get<int>();
        if (json.contains("hints")) t.hints = json["hints"].get<bool>();
        t.hints_shown = json.value("hints_shown", false);
        t.stands_in = json.value("stands_in", std::vector<bool>(t.seats.size(), false));
        t.taken_back = json.value("taken_back", t.taken_back);
        const auto seat = [&](const std::string& opens) {
            for (int p = 1; p <= t.players; ++p)
                if (opens == std::to_string(p)) return true;
            return false;
        };
        for (const auto& [hash, opens] : t.tokens)
            if (opens != "host" && opens != "watch" && !seat(opens)) return err(say(g, Text::no_kept_table, file_of(folder))), std::nullopt;
        const bool whole = t.game > 0 && std::cmp_equal(t.seats.size(), t.players) && t.names.size() == t.seats.size() &&
                           t.stands_in.size() == t.seats.size() && t.pace.value_or(0) >= 0;
        if (whole) return t;
        return err(say(g, Text::no_kept_table, file_of(folder))), std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return err(say(g, Text::no_kept_table, file_of(folder))), std::nullopt;
    }
}

std::string text_of(const KeptTable& t, const std::string* log = nullptr) {
    nlohmann::json json{{"houserule table", format}, {"rules", t.rules}, {"players", t.players}, {"set", t.set},
                        {"reading", t.reading},      {"seed", t.seed},   {"seats", t.seats},     {"names", t.names},
                        {"tokens", t.tokens},        {"begun", t.begun}, {"game", t.game}};
    json.update({{"stopped", t.stopped}, {"hints_shown", t.hints_shown}, {"stands_in", t.stands_in}, {"taken_back", t.taken_back}});
    if (t.pace) json["pace"] = *t.pace;
    if (t.hints) json["hints"] = *t.hints;
    if (log != nullptr) json[with_log] = fnv1a(*log);
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::optional<KeptTable> read_table(const std::string& folder, const Globals& g) {
    auto table = read_as_it_is(folder, g);
    return table && finish_writing(*table) ? read_as_it_is(folder, g) : table;
}

bool write_table(const KeptTable& table, const Globals& g) { return write_file(file_of(table.folder), text_of(table), g); }

bool write_table(const KeptTable& table, const std::string& log, const Globals& g) {
    return write_files({{file_of(table.folder), text_of(table, &log)}, {table.log(), log}}, g);
}

}  // namespace houserule::cli
