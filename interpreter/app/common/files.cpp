#include "interpreter/app/common/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

constexpr int links_most = 40;  // in a row: as many as the system follows

// An open file; closed at the end.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;

    bool good() const { return number_ >= 0; }
    int number() const { return number_; }
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Where links lead in the end, even if nothing is there yet; empty when they lead nowhere.
fs::path behind_links(fs::path path) {
    for (int i = 0; i < links_most; ++i) {
        std::error_code error;
        const fs::path to = fs::read_symlink(path, error);
        if (error) return path;
        path = to.is_absolute() ? to : path.parent_path() / to;
    }
    return {};
}

bool to_disk(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS; }

bool write_straight(const std::string& path, const std::string& content) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    return file.good() && write_all(file.number(), content) && file.close();
}

// Opens the file that is written aside: alone, empty, and nobody else's. Its name is always the same, so that what a killed program
// leaves is taken up by the next one; who comes while another writes waits.
Descriptor open_aside(const std::string& aside) {
    for (bool removed = false;;) {
        Descriptor file(::open(aside.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
        int error = errno;
        struct stat mine {};
        struct stat there {};
        if (file.good()) {
            while (::flock(file.number(), LOCK_EX) != 0 && errno == EINTR) {
            }
            if (::fstat(file.number(), &mine) != 0) return Descriptor(-1);
            // Whoever held it may have given it its name: then another is to be made.
            if (::lstat(aside.c_str(), &there) != 0 || !same_file(mine, there)) continue;
            const bool ours = S_ISREG(mine.st_mode) && mine.st_nlink == 1 && mine.st_uid == ::geteuid();
            if (ours) return ::ftruncate(file.number(), 0) == 0 ? std::move(file) : Descriptor(-1);
            error = EEXIST;
        }
        if (removed || ::unlink(aside.c_str()) != 0) {
            errno = error;
            return Descriptor(-1);
        }
        removed = true;
    }
}

// With the owner and the permissions of the file that it replaces, as far as we may.
bool take_over(int file, const std::string& target) {
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const bool there = ::stat(target.c_str(), &old) == 0;
    if (there && (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) && ::fchown(file, old.st_uid, old.st_gid) != 0) errno = 0;
    return ::fchmod(file, there ? old.st_mode & 07777 : 0666 & ~mask) == 0;
}

// Ctrl-C waits meanwhile.
class Undisturbed {
public:
    Undisturbed() {
        sigset_t interrupt;
        ::sigemptyset(&interrupt);
        ::sigaddset(&interrupt, SIGINT);
        ::pthread_sigmask(SIG_BLOCK, &interrupt, &before_);
    }
    ~Undisturbed() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

private:
    sigset_t before_{};
};

// What is to stand in a file, written aside until it takes its name; taken away again when it does not.
class Aside {
public:
    explicit Aside(const fs::path& target)
        : target_(target.string()), path_(aside_of(target).string()), file_(open_aside(path_)), is_there_(file_.good()) {}
    ~Aside() {
        const int error = errno;
        if (is_there_) ::unlink(path_.c_str());
        errno = error;
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;
    bool write(const std::string& content) {
        return is_there_ && write_all(file_.number(), content) && take_over(file_.number(), target_) && to_disk(file_.number());
    }
    // Named while it is still open and locked: nobody else writes into it in between.
    bool take_name() {
        if (::rename(path_.c_str(), target_.c_str()) != 0) return false;
        is_there_ = false;
        return true;
    }

private:
    std::string target_;
    std::string path_;
    Descriptor file_;
    bool is_there_;
};

bool replace_file(const fs::path& target, const std::string& content) {
    const Undisturbed to_the_end;
    Aside file(target);
    return file.write(content) && file.take_name();
}

// Sets errno when it fails.
bool write_any(const std::string& path, const std::string& content) {
    const fs::path target = behind_links(path);
    struct stat there {};
    struct stat behind {};
    errno = ELOOP;
    if (target.empty()) return false;
    if (::stat(path.c_str(), &there) != 0) return (errno == ENOENT || errno == ENOTDIR) && replace_file(target, content);
    errno = S_ISDIR(there.st_mode) ? EISDIR : ENOTSUP;
    if (S_ISDIR(there.st_mode) || S_ISBLK(there.st_mode)) return false;
    // Links of the system, such as /dev/stdout, do not always say where they lead.
    const bool found = ::lstat(target.c_str(), &behind) == 0 && same_file(there, behind);
    return S_ISREG(there.st_mode) && found ? replace_file(target, content) : write_straight(path, content);
}

}  // namespace

bool write_all(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR && !interrupted()) continue;
        if (n < 0 && errno == EAGAIN) {
            pollfd room{file, POLLOUT, 0};
            if (::poll(&room, 1, -1) >= 0 || (errno == EINTR && !interrupted())) continue;
        }
        if (n < 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

Phrase reason_of(int error) {
    static constexpr std::pair<int, TextRow<0>> known[] = {
        {ENOENT, Text::no_such_file},        {EACCES, Text::permission_denied},  {EPERM, Text::not_permitted},
        {EISDIR, Text::is_a_folder},         {ENOTDIR, Text::is_no_folder},      {EEXIST, Text::file_exists},
        {ENOSPC, Text::no_space_left},       {EROFS, Text::read_only},           {EFBIG, Text::file_too_large},
        {ELOOP, Text::too_many_links},       {EIO, Text::input_output},          {EBUSY, Text::file_is_busy},
        {ENAMETOOLONG, Text::name_too_long}, {EBADF, Text::bad_descriptor},      {ENXIO, Text::no_such_device},
        {EINVAL, Text::invalid_argument},    {EADDRINUSE, Text::address_in_use},
    };
    for (const auto& [number, row] : known)
        if (number == error) return row;
    return std::string(std::strerror(error));
}

void complain_of(const std::string& path, const TextRow<2>& what, int error, const Globals& g) {
    err(say(g, what, path, reason_of(error)));
}

std::filesystem::path user_folder(const char* variable, const char* in_home) {
    const auto named = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    if (const auto folder = named(variable); folder.is_absolute()) return folder / "houserule";
    const auto home = named("HOME");
    return home.is_absolute() ? home / in_home / "houserule" : std::filesystem::path();
}

bool is_special(const std::string& path) {
    struct stat there {};
    return ::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

std::filesystem::path aside_of(const fs::path& target) { return target.parent_path() / ("." + target.filename().string() + ".part"); }

std::optional<std::string> read_file(const std::string& path, const Globals& g) {
    int error = 0;
    auto content = read_bytes(path, error);
    if (!content) complain_of(path, Text::cannot_be_read_because, error, g);
    return content;
}

std::optional<std::string> read_if_there(const std::string& path, const Globals& g) {
    std::error_code error;
    return fs::is_regular_file(path, error) ? read_file(path, g) : std::nullopt;
}

bool write_file(const std::string& path, const std::string& content, const Globals& g) {
    if (write_any(path, content)) return true;
    complain_of(path, Text::cannot_be_written_because, errno, g);
    return false;
}

bool write_files(const std::map<std::string, std::string>& contents, const Globals& g) {
    const Undisturbed to_the_end;
    std::deque<Aside> all;
    for (const auto& [path, content] : contents) {
        const fs::path target = behind_links(path);
        if (!is_special(path) && !target.empty() && all.emplace_back(target).write(content)) continue;
        complain_of(path, Text::cannot_be_written_because, is_special(path) ? ENOTSUP : target.empty() ? ELOOP : errno, g);
        return false;
    }
    for (Aside& file : all)
        if (!file.take_name()) return complain_of(contents.begin()->first, Text::cannot_be_written_because, errno, g), false;
    return true;
}

bool may_write(const std::string& path, bool force, const Globals& g) {
    std::error_code error;
    if (path.empty() || force || !fs::exists(path, error) || is_special(path)) return true;
    err(say(g, Text::file_there_already, path));
    return false;
}

bool make_folder(const std::string& path, const Globals& g) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) complain_of(path, Text::file_and_reason, error.value(), g);
    return !error;
}

}  // namespace houserule::cli
