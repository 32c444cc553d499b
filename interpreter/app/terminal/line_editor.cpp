#include "interpreter/app/terminal/line_editor.hpp"

#include "dsl/text/ascii.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/common.hpp"
#include "interpreter/app/terminal/completion.hpp"

#include <histedit.h>

#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr int lines_remembered = 500;
constexpr std::size_t names_shown = 60;  // of those that fit; a screen

}  // namespace

struct LineEditor::Inside {
    EditLine* line = nullptr;
    ::History* history = nullptr;
    std::string prompt;
    std::vector<std::string> names;

    static Inside& of(EditLine* line) {
        void* data = nullptr;
        el_get(line, EL_CLIENTDATA, &data);
        return *static_cast<Inside*>(data);
    }
    static char* show_prompt(EditLine* line) { return of(line).prompt.data(); }
    static int read_character(EditLine* line, wchar_t* to);
    static unsigned char complete_name(EditLine* line, int key);
};

// One character of UTF-8; 0 at the end of the input, -1 when it was interrupted. libedit's own would go on reading after Ctrl-C.
int LineEditor::Inside::read_character(EditLine*, wchar_t* to) {
    std::string bytes;
    do {
        char byte = 0;
        if (!wait_for_input()) {
            errno = EINTR;
            return -1;
        }
        const ssize_t n = ::read(STDIN_FILENO, &byte, 1);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return static_cast<int>(n);
        bytes += byte;
    } while (bytes.empty() || bytes.size() < length_from_first(bytes.front()));
    *to = static_cast<wchar_t>(decode(bytes));
    return 1;
}

// Bound to Tab: what all names that fit have in common, or a list of them.
unsigned char LineEditor::Inside::complete_name(EditLine* line, int) {
    const LineInfo* info = el_line(line);
    const std::string_view before(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
    const Completion found = complete(before, of(line).names);
    if (found.names.empty()) return CC_REFRESH_BEEP;
    const std::string typed(before.substr(before.size() - found.typed));
    if (found.instead != typed) {
        int characters = 0;
        for (const char c : typed) characters += ascii::continues_character(c) ? 0 : 1;
        el_deletestr(line, characters);
        return el_insertstr(line, found.instead.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (found.names.size() < 2) return CC_REFRESH;
    std::string list = "\n";
    for (std::size_t i = 0; i < found.names.size() && i < names_shown; ++i) list += (i == 0 ? "  " : " / ") + found.names[i];
    out(list + (found.names.size() > names_shown ? " / …\n" : "\n"));
    return CC_REDISPLAY;
}

bool LineEditor::usable() {
    const char* terminal = std::getenv("TERM");
    return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb" && ::isatty(STDIN_FILENO) != 0 &&
           ::isatty(STDOUT_FILENO) != 0;
}

LineEditor::LineEditor() : inside_(std::make_unique<Inside>()) {
    // All text here is UTF-8, whatever the environment says of it.
    if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) std::setlocale(LC_CTYPE, "");
    Inside& in = *inside_;
    in.line = el_init("houserule", stdin, stdout, stderr);
    in.history = history_init();
    HistEvent event{};
    history(in.history, &event, H_SETSIZE, lines_remembered);
    history(in.history, &event, H_SETUNIQUE, 1);
    el_set(in.line, EL_CLIENTDATA, &in);
    el_set(in.line, EL_PROMPT, &Inside::show_prompt);
    el_set(in.line, EL_EDITOR, "emacs");
    el_set(in.line, EL_HIST, &history, in.history);
    el_wset(in.line, EL_GETCFN, &Inside::read_character);
    el_set(in.line, EL_ADDFN, "complete-name", "Complete a name", &Inside::complete_name);
    el_set(in.line, EL_BIND, "^I", "complete-name", nullptr);
    el_source(in.line, nullptr);  // what people have in their ~/.editrc
}

LineEditor::~LineEditor() {
    el_end(inside_->line);
    history_end(inside_->history);
}

Typed LineEditor::ask(const std::string& prompt, const std::vector<std::string>& names) {
    Inside& in = *inside_;
    in.prompt = prompt;
    in.names = names;
    el_resize(in.line);
    int length = 0;
    const char* typed = el_gets(in.line, &length);
    if (typed == nullptr) {
        out("\n");
        return {interrupted() ? Typed::interrupted : Typed::end, ""};
    }
    std::string text(typed);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    HistEvent event{};
    if (text.find_first_not_of(" \t") != std::string::npos) history(in.history, &event, H_ENTER, text.c_str());
    return {Typed::line, std::move(text)};
}

}  // namespace houserule::cli
