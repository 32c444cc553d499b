// usage FILE COMMAND…: runs a command and adds a line to FILE: `USER SYSTEM PEAK WALL`, the seconds of CPU that it and all that it
// started and waited for took, the memory in MB of the largest of these processes, and the seconds that went by. Its exit code is
// the command's.
//
// It is compiled by build.sh, without the project: it measures how long that takes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>

namespace {

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

}  // namespace

int main(int count, char** words) {
    if (count < 3) return 2;
    const auto begun = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        execvp(words[2], words + 2);
        std::perror(words[2]);
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    std::FILE* out = std::fopen(words[1], "a");
    if (out == nullptr) return 2;
    std::fprintf(out, "%.2f %.2f %ld %.2f\n", seconds(used.ru_utime), seconds(used.ru_stime), used.ru_maxrss / 1024, wall.count());
    std::fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
