// Lines that people type, from a terminal or a pipe.
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
    // `edits`: at a terminal, lines can be edited and called back.
    explicit Keyboard(bool edits);
    ~Keyboard();
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    // Prints the prompt and waits. What comes out of a pipe is printed behind the prompt, as it would stand on a terminal. `names`:
    // what can be completed, where lines are edited.
    Typed ask(const std::string& prompt, const std::vector<std::string>& names = {});
    // Somebody else sits down, who must not call back what was typed so far.
    void forget();

private:
    std::unique_ptr<LineEditor> editor_;
    std::string rest_;
    bool echoes_ = false;
};

// Until something can be read from stdin; false when it was interrupted.
bool wait_for_input();

}  // namespace houserule::cli
