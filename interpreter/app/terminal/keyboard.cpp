#include "interpreter/app/terminal/keyboard.hpp"

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/terminal/line_editor.hpp"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::size_t longest_line = 1U << 16;  // nobody types more; a pipe without line ends is cut there

}  // namespace

// The signal is held back but for while we wait, so that it cannot come between looking and waiting.
bool wait_for_input() {
    sigset_t interrupt;
    sigset_t before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!interrupted() && ppoll(&input, 1, nullptr, &before) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return !interrupted();
}

Keyboard::Keyboard(bool edits)
    : editor_(edits && LineEditor::usable() ? std::make_unique<LineEditor>() : nullptr), echoes_(::isatty(STDIN_FILENO) == 0) {}

Keyboard::~Keyboard() = default;

void Keyboard::forget() {
    // With all that it keeps: history, what was cut out, what can be undone.
    if (editor_) editor_ = std::make_unique<LineEditor>();
}

Typed Keyboard::ask(const std::string& prompt, const std::vector<std::string>& names) {
    if (editor_) {  // which has room for one line
        const std::size_t last = prompt.rfind('\n') + 1;
        out(prompt.substr(0, last));
        return editor_->ask(prompt.substr(last), names);
    }
    out(prompt);
    for (;;) {
        const auto end = rest_.find('\n');
        if (end != std::string::npos || rest_.size() >= longest_line) {
            Typed typed{Typed::line, rest_.substr(0, end)};
            rest_.erase(0, end == std::string::npos ? end : end + 1);
            if (typed.text.ends_with('\r')) typed.text.pop_back();
            if (echoes_) out(typed.text + "\n");
            return typed;
        }
        if (!wait_for_input()) return out("\n"), Typed{Typed::interrupted, ""};
        std::array<char, 4096> buffer{};
        const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) {
            rest_.append(buffer.data(), n);
        } else if (!rest_.empty()) {
            rest_ += '\n';  // a last line without its line end
        } else {
            return out("\n"), Typed{Typed::end, ""};
        }
    }
}

}  // namespace houserule::cli
