// What people type at a terminal: keys, names that Tab completes, and what is forgotten when somebody else sits down.
#include "interpreter/app/terminal/completion.hpp"

#include "tests/support/program.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace {

using namespace houserule::cli;
using Names = std::vector<std::string>;

void check(const std::string& line, const Names& names, const std::string& instead, const Names& fitting) {
    CAPTURE(line);
    const Completion c = complete(line, names);
    CHECK(c.names == fitting);
    CHECK(line.substr(0, line.size() - c.typed) + c.instead == instead);
}

constexpr int patience_ms = 60'000;

// The program at a terminal of its own; it is over when the test is.
class Terminal {
public:
    explicit Terminal(Names arguments) {
        arguments.insert(arguments.begin(), HOUSERULE_PROGRAM);
        std::vector<char*> words;
        for (std::string& a : arguments) words.push_back(a.data());
        words.push_back(nullptr);
        winsize size{40, 120, 0, 0};
        const std::string state = houserule::testing::state_folder();
        child_ = forkpty(&keys_, nullptr, nullptr, &size);
        REQUIRE(child_ >= 0);
        if (child_ != 0) return;
        setenv("TERM", "xterm", 1);
        setenv("HOME", "/nonexistent", 1);
        setenv("XDG_STATE_HOME", state.c_str(), 1);
        setenv("LC_ALL", "C", 1);  // text is UTF-8 all the same
        execv(words.front(), words.data());
        _exit(127);
    }
    ~Terminal() {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
        close(keys_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const std::string& keys) const { REQUIRE(write(keys_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size())); }
    // Whether `text` comes to the screen; what came before it is gone past.
    bool shows(const std::string& text) {
        for (;;) {
            if (const auto at = seen_.find(text); at != std::string::npos) {
                seen_.erase(0, at + text.size());
                return true;
            }
            pollfd in{keys_, POLLIN, 0};
            std::array<char, 4096> buffer{};
            const ssize_t n = poll(&in, 1, patience_ms) > 0 ? read(keys_, buffer.data(), buffer.size()) : 0;
            if (n <= 0) {
                UNSCOPED_INFO("not shown: " << text << "; on the screen: " << seen_);
                return false;
            }
            seen_.append(buffer.data(), static_cast<std::size_t>(n));
        }
    }
    // Whether the prompt comes, and after it the time when keys are the editor's: it prints the prompt just before it takes them over,
    // and what is typed in between is edited by the terminal's driver.
    bool prompts(const std::string& prompt) {
        if (!shows(prompt)) return false;
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
        while (std::chrono::steady_clock::now() < until) {
            termios modes{};
            if (tcgetattr(keys_, &modes) == 0 && (modes.c_lflag & ICANON) == 0) return true;
            poll(nullptr, 0, 1);
        }
        UNSCOPED_INFO("the driver still edits lines");
        return false;
    }
    // What comes until the program is over.
    std::string rest() {
        std::string all = std::move(seen_);
        std::array<char, 4096> buffer{};
        for (pollfd in{keys_, POLLIN, 0}; poll(&in, 1, patience_ms) > 0;) {
            const ssize_t n = read(keys_, buffer.data(), buffer.size());
            if (n <= 0) break;
            all.append(buffer.data(), static_cast<std::size_t>(n));
        }
        return all;
    }
    int exit_code() {
        rest();
        if (waitpid(child_, nullptr, WNOHANG | WNOWAIT) == 0) kill(child_, SIGKILL);  // it goes on, and would for ever
        int status = 0;
        waitpid(child_, &status, 0);
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    int keys_ = -1;
    pid_t child_ = 0;
    std::string seen_;
};

const std::string at_prompt = "\n> ";
const std::string key_up = "\033[A", key_left = "\033[D";

}  // namespace

TEST_CASE("Tab completes the longest end of a line that begins a name", "[terminal]") {
    const Names names{"white 3", "white 30", "wolf", "P1's hand", "P1's heap", "クロマツ", "クロネコ", "バラ"};
    check("wo", names, "wolf", {"wolf"});
    check("WO", names, "wolf", {"wolf"});
    check("w", names, "w", {"white 3", "white 30", "wolf"});
    check("wh", names, "white 3", {"white 3", "white 30"});
    check("white 3, white", names, "white 3, white 3", {"white 3", "white 30"});
    check("deal deck -> P1's ha", names, "deal deck -> P1's hand", {"P1's hand"});
    check("deal deck ->P1's h", names, "deal deck ->P1's h", {"P1's hand", "P1's heap"});
    check("P1: c = wo", names, "P1: c = wolf", {"wolf"});
    check("ク", names, "クロ", {"クロネコ", "クロマツ"});
    check("バラ、クロネ", names, "バラ、クロネコ", {"クロネコ"});
    check("xy", names, "xy", {});
    check("", {}, "", {});
    // The beginnings of these two characters are the same bytes.
    check("", {"ク", "グ"}, "", {"ク", "グ"});
}

TEST_CASE("lines at a terminal are edited, completed and called back", "[terminal]") {
    Terminal t({"--lang", "en", "play", "cogito", "-n", "2", "--seed", "3"});
    REQUIRE(t.prompts(at_prompt));
    t.type("tabel" + key_left + key_left + "\x7f" + "b\x0b" + "le\n");  // the third letter again, and what is behind it
    CHECK(t.shows("pile: 14 cards"));
    REQUIRE(t.prompts(at_prompt));
    t.type(key_up);
    CHECK(t.shows("table"));
    t.type(
        "\x15"
        "tab\t\n");
    CHECK(t.shows("pile: 14 cards"));
    REQUIRE(t.prompts(at_prompt));
    t.type("\x04");
    CHECK(t.shows("is kept"));
    CHECK(t.exit_code() == 0);
}

TEST_CASE("Japanese names are typed and completed", "[terminal]") {
    Terminal t({"--lang", "ja", "assist", "cogito", "-n", "2", "--as", "P1"});
    REQUIRE(t.prompts(at_prompt));
    t.type("説\t\n");
    CHECK(t.shows("の短い言葉で打ちます"));
    REQUIRE(t.prompts(at_prompt));
    t.type("やめる\n");
    CHECK(t.exit_code() == 0);
}

TEST_CASE("Ctrl-C in the middle of a line ends the game", "[terminal]") {
    Terminal t({"--lang", "en", "play", "cogito", "-n", "2", "--seed", "3"});
    REQUIRE(t.prompts(at_prompt));
    t.type("ta\x03");
    CHECK(t.shows("is kept"));
    CHECK(t.exit_code() == 130);
}

TEST_CASE("who sits down next cannot call back what was typed before", "[terminal]") {
    Terminal t({"--lang", "en", "play", "cogito", "-n", "2", "--seed", "3", "--seat", "2=human", "--pace", "none"});
    REQUIRE(t.prompts(at_prompt));
    t.type("1\n");  // who begins
    REQUIRE(t.shows("press Enter "));
    t.type("\n");
    REQUIRE(t.prompts("P1> "));
    t.type("? secret\n");
    REQUIRE(t.prompts("P1> "));
    t.type(key_up);
    CHECK(t.shows("secret"));
    t.type(
        "\x15"
        "1\n");  // cut out what was called back
    REQUIRE(t.shows("press Enter "));
    t.type("\n");
    REQUIRE(t.prompts("P2> "));
    t.type(key_up + key_up + "table\n");
    REQUIRE(t.prompts("P2> "));
    t.type("\x19\n");  // what was cut out, either
    REQUIRE(t.prompts("P2> "));
    t.type("\x04");
    CHECK(t.rest().find("secret") == std::string::npos);
}
