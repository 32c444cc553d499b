// Ctrl-C at a prompt: what was typed is on disk, and the program says 130.
#include "tests/support/child.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using houserule::testing::Child;

// A file name of its own, which nothing has yet and nothing has afterwards.
class Log {
public:
    explicit Log(const std::string& name) : path_(fs::temp_directory_path() / ("houserule_interrupt_" + std::to_string(getpid()) + name)) {
        remove();
    }
    ~Log() { remove(); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    std::string path() const { return path_.string(); }
    std::string text() const {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    void remove() const {
        std::error_code error;
        fs::remove(path_, error);
    }
    fs::path path_;
};

}  // namespace

TEST_CASE("Ctrl-C ends a companion and leaves what was typed", "[interrupt]") {
    const Log log("assist.view");
    Child child({"assist", "kuhn", "--players", "2", "--as", "P1", "--log", log.path(), "--lang", "en"});
    REQUIRE(child.until_prompt().ends_with("> "));
    child.type("deal deck -> P1's hand: 2\n");
    REQUIRE(child.until_prompt().ends_with("> "));
    child.interrupt();
    CHECK(child.wait(60).code == 130);
    CHECK(log.text().find("deal deck -> P1's hand: 2") != std::string::npos);
}

TEST_CASE("Ctrl-C ends a game and leaves its log", "[interrupt]") {
    const Log log("play.log");
    Child child({"play", "kuhn", "--players", "2", "--seed", "1", "--log", log.path(), "--lang", "en"});
    REQUIRE(child.until_prompt().ends_with("> "));
    child.interrupt();
    CHECK(child.wait(60).code == 130);
    CHECK(log.text().find("P1's hand") != std::string::npos);
}
