// A line of input at a terminal, with the keys that people are used to: arrows, history, Tab for names. On top of libedit.
#pragma once

#include "interpreter/app/terminal/keyboard.hpp"

#include <memory>
#include <string>
#include <vector>

namespace houserule::cli {

class LineEditor {
public:
    // Whether somebody types at a terminal that can move its cursor, and sees there what comes out.
    static bool usable();

    LineEditor();
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    // `names`: what Tab can complete.
    Typed ask(const std::string& prompt, const std::vector<std::string>& names);

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace houserule::cli
