// Ctrl-C at a prompt: what was typed is on disk, and the program says 130.
#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

// The program with a pipe at each end; it is over when the test is.
class Child {
public:
    explicit Child(std::vector<std::string> arguments) {
        std::array<int, 2> in{};
        std::array<int, 2> out{};
        REQUIRE((pipe(in.data()) == 0 && pipe(out.data()) == 0));
        arguments.insert(arguments.begin(), HOUSERULE_PROGRAM);
        std::vector<char*> words;
        for (std::string& a : arguments) words.push_back(a.data());
        words.push_back(nullptr);
        pid_ = fork();
        REQUIRE(pid_ >= 0);
        if (pid_ == 0) {
            dup2(in[0], STDIN_FILENO);
            dup2(out[1], STDOUT_FILENO);
            for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
            execv(words.front(), words.data());
            _exit(127);
        }
        close(in[0]);
        close(out[1]);
        to_ = in[1];
        from_ = out[0];
    }
    ~Child() {
        close(to_);
        close(from_);
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void type(const std::string& line) const { REQUIRE(write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size())); }
    // What it prints until it waits at its next prompt, or until it is over.
    std::string until_prompt() const {
        std::string text;
        for (char c = 0; !text.ends_with("\n> ") && read(from_, &c, 1) == 1;) text += c;
        return text;
    }
    int interrupt() {
        kill(pid_, SIGINT);
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t pid_ = 0;
    int to_ = -1;
    int from_ = -1;
};

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
    CHECK(child.interrupt() == 130);
    CHECK(log.text().find("deal deck -> P1's hand: 2") != std::string::npos);
}

TEST_CASE("Ctrl-C ends a game and leaves its log", "[interrupt]") {
    const Log log("play.log");
    Child child({"play", "kuhn", "--players", "2", "--seed", "1", "--log", log.path(), "--lang", "en"});
    REQUIRE(child.until_prompt().ends_with("> "));
    CHECK(child.interrupt() == 130);
    CHECK(log.text().find("P1's hand") != std::string::npos);
}
