#include "interpreter/compiled/cache.hpp"

#include "dsl/text/hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace houserule {

namespace fs = std::filesystem;

namespace {

constexpr auto half_made_for = std::chrono::hours(1);  // longer than any compiler may take
constexpr std::string_view seal_word = "houserule sealed";
constexpr std::size_t seal_bytes = seal_word.size() + sizeof(std::uint64_t);

bool is_own(const struct stat& s) { return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

std::string seal_of(std::string_view content) {
    const std::uint64_t sum = fnv1a(content);
    std::array<char, sizeof sum> bytes;
    std::memcpy(bytes.data(), &sum, sizeof sum);
    return std::string(seal_word) + std::string(bytes.data(), bytes.size());
}

std::optional<std::string> content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
};

}  // namespace

std::optional<fs::path> own_folder(const fs::path& folder, std::string& why) {
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        why = folder.string() + ": " + std::strerror(errno);
        return std::nullopt;
    }
    struct stat s {};
    why = folder.string();
    if (lstat(folder.c_str(), &s) != 0 || !S_ISDIR(s.st_mode) || !is_own(s)) return std::nullopt;
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        why += std::string(": ") + std::strerror(errno);
        return std::nullopt;
    }
    why.clear();
    return folder;
}

bool is_sealed(const fs::path& file) {
    struct stat s {};
    if (lstat(file.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || !is_own(s)) return false;
    const auto content = content_of(file);
    if (!content || content->size() < seal_bytes) return false;
    const std::string_view all = *content;
    return all.substr(all.size() - seal_bytes) == seal_of(all.substr(0, all.size() - seal_bytes));
}
bool seal(const fs::path& file) {
    const auto content = content_of(file);
    if (!content) return false;
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out << seal_of(*content);
    out.close();
    return !out.fail();
}

void tidy_folder(const fs::path& folder, std::uint64_t most) {
    std::error_code error;
    std::vector<Kept> games;
    std::uint64_t all = 0;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
        std::error_code unknown;
        Kept kept{i->path(), i->last_write_time(unknown), 0};
        if (kept.path.extension() == ".so" && i->is_regular_file(unknown)) {
            kept.bytes = i->file_size(unknown);
            all += kept.bytes;
            games.push_back(std::move(kept));
        } else if (now - kept.used > half_made_for) {
            fs::remove_all(kept.path, unknown);
        }
    }
    std::sort(games.begin(), games.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& oldest : games) {
        if (all <= most) return;
        fs::remove(oldest.path, error);
        all -= oldest.bytes;
    }
}

void touch(const fs::path& file) { utimensat(AT_FDCWD, file.c_str(), nullptr, 0); }

}  // namespace houserule
