#include "tests/support/program.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace houserule::testing {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File scratch() {
    File file(std::tmpfile(), &std::fclose);
    if (!file) throw std::runtime_error("no temporary file can be made");
    return file;
}

std::string content(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    return text;
}

}  // namespace

ProgramRun run_program(std::vector<std::string> arguments, const std::function<void()>& prepare) {
    arguments.insert(arguments.begin(), HOUSERULE_PROGRAM);
    std::vector<char*> words;
    for (std::string& a : arguments) words.push_back(a.data());
    words.push_back(nullptr);
    const File out = scratch();
    const File err = scratch();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process can be started");
    if (child == 0) {
        dup2(fileno(out.get()), STDOUT_FILENO);
        dup2(fileno(err.get()), STDERR_FILENO);
        if (prepare) prepare();
        execv(words.front(), words.data());
        _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    ProgramRun finished;
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
    finished.peak_kib = used.ru_maxrss;
    finished.out = content(out.get());
    finished.err = content(err.get());
    return finished;
}

}  // namespace houserule::testing
