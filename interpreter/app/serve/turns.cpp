#include "interpreter/app/serve/turns.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Between two looks: longer and longer, so that the many who wait cost nothing.
constexpr std::chrono::milliseconds look_first{2};
constexpr std::chrono::milliseconds look_last{40};
// Who has a turn and was halted does not keep others from thinking for ever.
constexpr std::chrono::seconds wait_most{30};

}  // namespace

Turn::Turn(const std::filesystem::path& folder, unsigned turns, const Stop& stop) {
    std::error_code error;
    if (folder.empty() || (std::filesystem::create_directories(folder, error), error)) return;
    std::vector<int> files;
    for (unsigned i = 0; i < turns; ++i) {
        const int file = ::open((folder / ("turn-" + std::to_string(i))).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0) files.push_back(file);
    }
    auto wait = look_first;
    for (const auto begun = Clock::now(); !files.empty() && !stop.asked() && Clock::now() - begun < wait_most;) {
        const auto found = std::ranges::find_if(files, [](int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; });
        if (found != files.end()) {
            file_ = *found;
            files.erase(found);
            break;
        }
        std::this_thread::sleep_for(wait);
        wait = std::min(look_last, 2 * wait);
    }
    for (const int file : files) ::close(file);
}

Turn::~Turn() {
    if (file_ >= 0) ::close(file_);
}

}  // namespace houserule::cli
