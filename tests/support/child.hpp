// The program under test as a process of its own, with a pipe at each end; it is over when the test is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace houserule::testing {

// How a process ended: by itself, with a code, or by a signal.
struct Ended {
    std::optional<int> code;
    int signal = 0;
    std::string printed;  // on stdout, and on stderr
    double cpu = 0;       // seconds of processor time, since it was interrupted if it was
};

class Child {
public:
    // `arguments`: of houserule. Its stderr goes where its stdout goes if `with_stderr`, else where ours goes.
    explicit Child(std::vector<std::string> arguments, bool with_stderr = false);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void type(const std::string& line) const;
    // What it prints until it waits at its next prompt, or until it is over.
    std::string until_prompt() const;
    // Waits until it has worked for so many seconds of processor time. False when it was over before.
    bool work_for(double seconds) const;
    void interrupt();
    // Waits for its end, at most so long; then it is killed, which is told as its signal.
    Ended wait(double most_seconds);

private:
    double cpu() const;

    pid_t pid_ = 0;
    double cpu_before_ = 0;  // it was interrupted
    int to_ = -1;
    int from_ = -1;
};

}  // namespace houserule::testing
