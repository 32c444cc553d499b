// The program under test as a process of its own: started, talked to, interrupted, and how it ended. It is over when the test is.
//
//   const Ended ended = run_program({"replay", log});          ended.code, ended.out, ended.err
//   Program play({"play", "kuhn"});   play.until_prompt();   play.type("1\n");   play.wait(10);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace houserule::testing {

// How a process ended: by itself, with a code, or by a signal.
struct Ended {
    std::optional<int> code;
    int signal = 0;
    long peak_kib = 0;  // of memory
    double cpu = 0;     // seconds of processor time; since it was interrupted if it was
    std::string out;    // what it printed and was not read before
    std::string err;    // of run_program; else its stderr goes where ours goes
};

// Whether what was printed in English ends at a prompt; else the program is over, or has been cut short.
bool is_at_prompt(const std::string& printed);

class Program {
public:
    // `arguments`: of houserule. `prepare` is called in the new process before the program takes its place: for limits, and for other
    // files at its streams.
    explicit Program(std::vector<std::string> arguments, const std::function<void()>& prepare = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void type(const std::string& line) const;
    void end_input();
    // What it prints until it waits at its next prompt, or until it is over; no more than `most` bytes.
    std::string until_prompt(std::size_t most = std::string::npos) const;
    // Ends it at once, as a closed terminal or a power cut would.
    void kill_it();
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

// Where the programs of these tests keep games; it goes when the tests do.
std::string state_folder();

// To prepare with: what goes to stderr comes with what goes to stdout.
void join_stderr();

// Runs it to its end, without input; it is killed after a minute.
Ended run_program(std::vector<std::string> arguments, const std::function<void()>& prepare = {});

}  // namespace houserule::testing
