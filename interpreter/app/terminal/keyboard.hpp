// Reads lines that people type, from a terminal or a pipe.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace houserule::cli {

class LineEditor;

struct Typed {
    enum What { line, end, interrupted } what = line;
    std::string text;
};

class Keyboard {
public:
    // `edits`: at a terminal, offer line editing and history.
    explicit Keyboard(bool edits);
    ~Keyboard();
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    // Prints the prompt and waits for a line. A line from a pipe is echoed after the prompt, as it would stand on a terminal. `names`: for
    // completion, if lines are edited.
    Typed ask(const std::string& prompt, const std::vector<std::string>& names = {});
    // Clears the history, so that another person cannot call back what was typed so far.
    void forget();

private:
    std::unique_ptr<LineEditor> editor_;
    std::string rest_;
    bool echoes_ = false;
};

// Waits until something can be read from stdin; false if interrupted.
bool wait_for_input();

}  // namespace houserule::cli
