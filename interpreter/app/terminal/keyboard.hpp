// Lines that people type, from a terminal or a pipe.
#pragma once

#include <string>

namespace houserule::cli {

struct Typed {
    enum What { line, end, interrupted } what = line;
    std::string text;
};

class Keyboard {
public:
    Keyboard();
    // Prints the prompt and waits. What comes out of a pipe is printed behind the prompt, as it would stand on a terminal.
    Typed ask(const std::string& prompt);

private:
    std::string rest_;
    bool echoes_ = false;
};

}  // namespace houserule::cli
