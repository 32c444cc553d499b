#include "tests/support/child.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace houserule::testing {

Child::Child(std::vector<std::string> arguments, bool with_stderr) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE((pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0));
    arguments.insert(arguments.begin(), HOUSERULE_PROGRAM);
    std::vector<char*> words;
    for (std::string& a : arguments) words.push_back(a.data());
    words.push_back(nullptr);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        if (with_stderr) dup2(out[1], STDERR_FILENO);
        execv(words.front(), words.data());
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
}

Child::~Child() {
    close(to_);
    close(from_);
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Child::type(const std::string& line) const { REQUIRE(write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size())); }

std::string Child::until_prompt() const {
    std::string text;
    for (char c = 0; !text.ends_with("\n> ") && read(from_, &c, 1) == 1;) text += c;
    return text;
}

// So far, in all its threads.
double Child::cpu() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::istringstream after(text.substr(std::min(text.size(), text.rfind(')') + 2)));  // the name may have blanks
    std::string field;
    double ticks = 0;
    for (int i = 3; i <= 15 && after >> field; ++i)
        if (i >= 14) ticks += std::stod(field);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

bool Child::work_for(double seconds) const {
    for (;;) {
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) return false;
        if (cpu() >= seconds) return true;
        poll(nullptr, 0, 10);
    }
}

void Child::interrupt() {
    cpu_before_ = cpu();
    kill(pid_, SIGINT);
}

Ended Child::wait(double most_seconds) {
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
        ended.printed.append(part.data(), static_cast<std::size_t>(n));
    }
    int status = 0;
    rusage used{};
    wait4(pid_, &status, 0, &used);
    pid_ = 0;
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    ended.cpu = seconds(used.ru_utime) + seconds(used.ru_stime) - cpu_before_;
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    return ended;
}

}  // namespace houserule::testing
