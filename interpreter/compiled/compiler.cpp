#include "interpreter/compiled/compiler.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/compiled/cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace houserule {

namespace fs = std::filesystem;

namespace {

constexpr auto between_looks = std::chrono::milliseconds(5);

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// The program of that name in PATH; empty if there is none.
std::string found_in_path(const std::string& name) {
    const auto is_program = [](const fs::path& path) {
        std::error_code error;
        return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
    std::istringstream folders(environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path path = fs::path(folder.empty() ? "." : folder) / name; is_program(path)) return path.string();
    return "";
}

std::vector<std::string> fast_flags() {
    std::vector<std::string> all{"-O2"};
#if defined(__x86_64__)
    // Counting bits is one instruction there.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        all.insert(all.end(), {"-mavx2", "-mbmi", "-mbmi2", "-mpopcnt", "-mlzcnt"});
    // So is finding the n-th of them, but for processors that have bmi2 and are slow at it.
    if (__builtin_cpu_supports("bmi2") && (__builtin_cpu_is("intel") || __builtin_cpu_supports("avx512f")))
        all.push_back("-DHOUSERULE_PDEP");
#endif
    return all;
}

std::vector<std::string> flags(const CompilerSetting& setting) {
    std::vector<std::string> all{"-std=c++20", "-fPIC", "-shared", "-fno-exceptions", "-fno-rtti", "-w"};
    all.insert(all.end(), setting.flags.begin(), setting.flags.end());
    return all;
}

// Of the text, and of what makes a library of it.
std::string file_name(const Emitted& emitted, const CompilerSetting& setting) {
    std::string how;
    for (const std::string& word : setting.command) how += word + "\n";
    for (const std::string& flag : flags(setting)) how += flag + "\n";
    std::error_code error;
    const auto size = setting.command.empty() ? 0 : fs::file_size(setting.command[0], error);
    const auto time = setting.command.empty() ? fs::file_time_type() : fs::last_write_time(setting.command[0], error);
    how += fmt::format("{} {}", size, time.time_since_epoch().count());
    return fmt::format("{:016x}{:016x}.so", fnv1a(emitted.text), fnv1a(how));
}

enum class Ran : std::uint8_t { well, failed, late, stopped };

// A process of its own group, without input, its errors in a file. It is killed when time is over or somebody wants no more.
Ran run_process(const std::vector<std::string>& command, const fs::path& errors, int limit_s, const Stop* stop) {
    std::vector<char*> arguments;
    std::vector<std::string> words = command;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int error = posix_spawn(&child, arguments[0], &files, &how, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (error != 0) return Ran::failed;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limit_s);
    int status = 0;
    for (Ran ran = Ran::well;;) {
        const pid_t ended = waitpid(child, &status, ran == Ran::well ? WNOHANG : 0);
        if (ended == child && ran == Ran::well) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Ran::well : Ran::failed;
        if (ended == child || (ended < 0 && errno != EINTR)) return ran == Ran::well ? Ran::failed : ran;
        if (ran != Ran::well) continue;
        std::this_thread::sleep_for(between_looks);
        if (over(stop)) ran = Ran::stopped;
        if (std::chrono::steady_clock::now() > end) ran = Ran::late;
        if (ran != Ran::well) kill(-child, SIGKILL);
    }
}

std::string first_line(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    // What follows the place in the text, which is nobody's but ours.
    while (std::getline(in, line) && line.find("error") == std::string::npos) {
    }
    return line.substr(std::min(line.size(), line.find("error")));
}

// A folder with nothing but one compilation in it, which goes when that is over.
class Workplace {
public:
    explicit Workplace(const fs::path& within) {
        std::string name = (within / "making.XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) folder_ = name;
    }
    ~Workplace() {
        std::error_code error;
        if (!folder_.empty()) fs::remove_all(folder_, error);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    const fs::path& folder() const { return folder_; }

private:
    fs::path folder_;
};

// In `place`: the library, sealed. Not made: `made.why` says why.
std::optional<fs::path> make_library(const Emitted& emitted, const CompilerSetting& setting, const fs::path& place, const Stop* stop,
                                     Compiled& made) {
    const fs::path source = place / "game.cpp";
    const fs::path library = place / "game.so";
    const fs::path errors = place / "errors";
    std::ofstream(source, std::ios::binary) << emitted.text;
    std::vector<std::string> command = setting.command;
    for (const std::string& flag : flags(setting)) command.push_back(flag);
    for (const std::string& word : {std::string("-o"), library.string(), source.string()}) command.push_back(word);
    switch (run_process(command, errors, setting.limit_s, stop)) {
        case Ran::well:
            break;
        case Ran::failed:
            made.why = NotCompiled::failed;
            made.detail = first_line(errors);
            return std::nullopt;
        case Ran::late:
            made.why = NotCompiled::late;
            made.detail = std::to_string(setting.limit_s);
            return std::nullopt;
        case Ran::stopped:
            made.why = NotCompiled::stopped;
            return std::nullopt;
    }
    std::error_code error;
    fs::permissions(library, fs::perms::owner_all, error);
    if (!seal(library)) {
        made.why = NotCompiled::no_folder;
        made.detail = place.string();
        return std::nullopt;
    }
    return library;
}

bool load(const fs::path& library, const Emitted& emitted, Compiled& made) {
    made.games = CompiledGame::load(library.string(), emitted.key, emitted.games, made.detail);
    made.why = made.games.empty() ? NotCompiled::unloaded : NotCompiled::no;
    return !made.games.empty();
}

// Nothing is kept: for once, in a folder for temporary files.
void compile_for_once(const Emitted& emitted, const CompilerSetting& setting, const Stop* stop, Compiled& made) {
    std::error_code error;
    const fs::path within = fs::temp_directory_path(error);
    const Workplace place(error ? fs::path("/tmp") : within);
    if (place.folder().empty()) {
        made.why = NotCompiled::no_folder;
        return;
    }
    if (const auto library = make_library(emitted, setting, place.folder(), stop, made)) load(*library, emitted, made);
}

}  // namespace

CompilerSetting compiler_setting() {
    CompilerSetting setting;
    setting.flags = fast_flags();
    std::istringstream asked(environment("CXX"));
    for (std::string word; asked >> word;) setting.command.push_back(word);
    if (setting.command.empty()) setting.command = {"c++"};
    setting.command[0] = found_in_path(setting.command[0]);
    if (setting.command[0].empty()) setting.command.clear();
    return setting;
}

bool is_kept(const Emitted& emitted, const CompilerSetting& setting) {
    std::string why;
    if (emitted.text.empty() || !setting.folder) return false;
    std::error_code error;
    return fs::exists(*setting.folder, error) && own_folder(*setting.folder, why) &&
           is_sealed(*setting.folder / file_name(emitted, setting));
}

Compiled compile(const Emitted& emitted, const CompilerSetting& setting, const Stop* stop) {
    Compiled made;
    made.why = NotCompiled::form;
    made.detail = emitted.unknown;
    if (emitted.text.empty()) return made;
    made.why = NotCompiled::no_compiler;
    if (setting.command.empty()) return made;
    made.compiler = fmt::format("{}", fmt::join(setting.command, " "));
    const auto folder = setting.folder ? own_folder(*setting.folder, made.detail) : std::nullopt;
    if (!folder) return compile_for_once(emitted, setting, stop, made), made;
    const fs::path kept = *folder / file_name(emitted, setting);
    if (is_sealed(kept) && load(kept, emitted, made)) return touch(kept), made;
    {
        const Workplace place(*folder);
        if (place.folder().empty()) return compile_for_once(emitted, setting, stop, made), made;
        const auto library = make_library(emitted, setting, place.folder(), stop, made);
        if (!library) return made.why == NotCompiled::no_folder ? (compile_for_once(emitted, setting, stop, made), made) : made;
        std::error_code error;
        fs::rename(*library, kept, error);
        if (error) return compile_for_once(emitted, setting, stop, made), made;
    }
    // A home may be mounted so that nothing can be run from it.
    if (!load(kept, emitted, made)) compile_for_once(emitted, setting, stop, made);
    tidy_folder(*folder, setting.kept_bytes);
    return made;
}

}  // namespace houserule
