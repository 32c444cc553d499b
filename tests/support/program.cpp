#include "tests/support/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace houserule::testing {

namespace {

constexpr double longest_run_s = 60;

std::string content(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    return text;
}

}  // namespace

std::string state_folder() {
    static const struct Folder {
        std::filesystem::path path = std::filesystem::temp_directory_path() / ("houserule_tests_" + std::to_string(getpid()));
        ~Folder() {
            std::error_code error;
            std::filesystem::remove_all(path, error);
        }
    } folder;
    return folder.path.string();
}

bool is_at_prompt(const std::string& printed) {
    const std::size_t line = printed.rfind('\n') + 1;
    return printed.compare(line, printed.npos, "> ") == 0 || (printed.ends_with(") ") && printed.compare(line, 6, "(Enter") == 0);
}

Program::Program(std::vector<std::string> arguments, const std::function<void()>& prepare) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE((pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0));
    arguments.insert(arguments.begin(), HOUSERULE_PROGRAM);
    std::vector<char*> words;
    for (std::string& a : arguments) words.push_back(a.data());
    words.push_back(nullptr);
    const std::string state = state_folder();
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        setenv("XDG_STATE_HOME", state.c_str(), 1);
        if (prepare) prepare();
        execv(words.front(), words.data());
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
}

Program::~Program() {
    end_input();
    close(from_);
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Program::type(const std::string& line) const { REQUIRE(write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size())); }

void Program::end_input() {
    if (to_ != -1) close(std::exchange(to_, -1));
}

std::string Program::until_prompt(std::size_t most) const {
    std::string text;
    for (char c = 0; text.size() < most && !is_at_prompt(text) && read(from_, &c, 1) == 1;) text += c;
    return text;
}

void Program::kill_it() { kill(pid_, SIGKILL); }

// So far, in all its threads.
double Program::cpu() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::istringstream after(text.substr(std::min(text.size(), text.rfind(')') + 2)));  // the name may have blanks
    std::string field;
    double ticks = 0;
    for (int i = 3; i <= 15 && after >> field; ++i)
        if (i >= 14) ticks += std::stod(field);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

bool Program::work_for(double seconds) const {
    for (;;) {
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) return false;
        if (cpu() >= seconds) return true;
        poll(nullptr, 0, 10);
    }
}

void Program::interrupt() {
    cpu_before_ = cpu();
    kill(pid_, SIGINT);
}

Ended Program::wait(double most_seconds) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    Ended ended;
    std::array<char, 4096> part{};
    for (;;) {
        const auto left = static_cast<int>((most_seconds - since()) * 1000);
        if (left <= 0) {
            kill(pid_, SIGKILL);
            break;
        }
        pollfd output{from_, POLLIN, 0};
        if (poll(&output, 1, left) <= 0) continue;
        const ssize_t n = read(from_, part.data(), part.size());
        if (n <= 0) break;
        ended.out.append(part.data(), static_cast<std::size_t>(n));
    }
    int status = 0;
    rusage used{};
    wait4(pid_, &status, 0, &used);
    pid_ = 0;
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    ended.cpu = seconds(used.ru_utime) + seconds(used.ru_stime) - cpu_before_;
    ended.peak_kib = used.ru_maxrss;
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    return ended;
}

void join_stderr() { dup2(STDOUT_FILENO, STDERR_FILENO); }

Ended run_program(std::vector<std::string> arguments, const std::function<void()>& prepare) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> err(std::tmpfile(), &std::fclose);
    REQUIRE(err != nullptr);
    Program program(std::move(arguments), [&] {
        dup2(fileno(err.get()), STDERR_FILENO);
        if (prepare) prepare();
    });
    program.end_input();
    Ended ended = program.wait(longest_run_s);
    ended.err = content(err.get());
    return ended;
}

}  // namespace houserule::testing
