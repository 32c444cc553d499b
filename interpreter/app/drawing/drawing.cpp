#include "interpreter/app/drawing/drawing.hpp"

#include "dsl/book/book.hpp"
#include "interpreter/app/common/fold.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::size_t label_width = 36;

// Each line by itself: the parts of a label are lines already.
std::string in_lines(const std::string& label) {
    std::istringstream lines(label);
    std::string all;
    for (std::string line; std::getline(lines, line);) all += (all.empty() ? "" : "\n") + folded(line, label_width);
    return all;
}

bool is_installed(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

std::string for_shell(const std::string& word) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

}  // namespace

MachineGraph graph_in_words(const Machine& machine, const Loaded& rules, const Settings& settings, Language language) {
    const Wording wording(rules.syntax, settings, rules.sources, language, machine.game.players);
    return graph_of(machine, rules.sources, language,
                    {[&](Span span) { return wording.sentence(span); },
                     [&](Span span, bool holds) { return wording.condition(span, holds); }, in_lines});
}

bool can_draw() { return is_installed("dot"); }

// The graph is written in a file beside nobody else's.
std::optional<std::string> drawn(const std::string& dot, const std::string& format, int seconds) {
    std::error_code error;
    std::string file = (std::filesystem::temp_directory_path(error) / "houserule-graph-XXXXXX").string();
    const int made = mkstemp(file.data());
    if (made < 0) return std::nullopt;
    std::FILE* const in = fdopen(made, "w");
    const bool written = in != nullptr && std::fwrite(dot.data(), 1, dot.size(), in) == dot.size();
    const bool closed = in != nullptr && std::fclose(in) == 0;
    std::string picture;
    const std::string limit = seconds > 0 ? fmt::format("timeout {} ", seconds) : "";
    int ended = -1;
    if (std::FILE* const out =
            written && closed ? popen(fmt::format("{}dot -T{} {} 2>/dev/null", limit, format, for_shell(file)).c_str(), "re") : nullptr) {
        char buffer[1 << 14];
        for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, out)) > 0;) picture.append(buffer, n);
        ended = pclose(out);
    }
    std::filesystem::remove(file, error);
    return ended == 0 ? std::optional(std::move(picture)) : std::nullopt;
}

}  // namespace houserule::cli
