// Text from elsewhere costs memory in proportion to its length.
#include "tests/support/program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace {

using namespace houserule::testing;
namespace fs = std::filesystem;

constexpr int names_in_line = 20'000;  // 100 kB; as many copies of as many names were over 10 GB
constexpr long most_kib = 400 * 1024;  // with room for a sanitized build, which has some 200 MB to begin with

class LongDeal {
public:
    explicit LongDeal(const std::string& head) : path_(fs::temp_directory_path() / ("houserule_memory_" + std::to_string(getpid()))) {
        std::ofstream file(path_);
        file << "houserule log 1\ngame cogito\nplayers 2\n" << head << "\ndeal selves -> P1's me: owl";
        for (int i = 1; i < names_in_line; ++i) file << ", cat";
        file << "\n";
    }
    ~LongDeal() {
        std::error_code error;
        fs::remove(path_, error);
    }
    LongDeal(const LongDeal&) = delete;
    LongDeal& operator=(const LongDeal&) = delete;
    std::string path() const { return path_.string(); }

private:
    fs::path path_;
};

}  // namespace

TEST_CASE("a deal of many cards in one line of a log takes no memory to speak of", "[alone][memory]") {
    const LongDeal log("seed 1\n");
    const Ended finished = run_program({"replay", log.path(), "--lang", "en"});
    CHECK(finished.code == 1);  // it does not fit: nobody gets so many
    CHECK(finished.err.find("deal selves -> P1's me: owl") != std::string::npos);
    CHECK(finished.peak_kib < most_kib);
}

TEST_CASE("a deal of many cards in one line of a view takes no memory to speak of", "[memory]") {
    const LongDeal view("view P2\n");
    const Ended finished = run_program({"hint", view.path(), "--lang", "en"});
    CHECK(finished.code == 1);  // no world fits
    CHECK(finished.peak_kib < most_kib);
}
