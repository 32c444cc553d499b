// Line editing at a terminal, over libedit: arrow keys, history, Tab for names.
#pragma once

#include "interpreter/app/terminal/keyboard.hpp"

#include <memory>
#include <string>
#include <vector>

namespace houserule::cli {

class LineEditor {
public:
    // Whether stdin and stdout are a terminal that can move its cursor.
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
