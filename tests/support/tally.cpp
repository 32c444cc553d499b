#include "tests/support/tally.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>

namespace houserule::testing {
namespace {

class Tallies {
public:
    ~Tallies() {
        const char* path = std::getenv("HOUSERULE_TALLY");
        if (path == nullptr || counts_.empty()) return;
        std::string lines;
        for (const auto& [what, count] : counts_) lines += std::to_string(count) + " " + what + "\n";
        // One write at the end of the file: tests that run side by side do not cut each other's lines.
        std::ofstream(path, std::ios::app | std::ios::binary) << lines << std::flush;
    }

    void add(const std::string& what, std::uint64_t count) {
        const std::lock_guard lock(mutex_);
        counts_[what] += count;
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::uint64_t> counts_;
};

}  // namespace

void tally(const std::string& what, std::uint64_t count) {
    static Tallies tallies;
    tallies.add(what, count);
}

}  // namespace houserule::testing
