// `houserule graph`: the turn as a picture.
#include "interpreter/graph/graph.hpp"
#include "dsl/book/book.hpp"
#include "interpreter/app/commands/commands.hpp"
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

// What Graphviz makes of a graph that is written in a file beside nobody else's; nothing when it cannot.
std::optional<std::string> drawn(const std::string& dot, const std::string& format) {
    std::error_code error;
    std::string file = (std::filesystem::temp_directory_path(error) / "houserule-graph-XXXXXX").string();
    const int made = mkstemp(file.data());
    if (made < 0) return std::nullopt;
    std::FILE* const in = fdopen(made, "w");
    const bool written = in != nullptr && std::fwrite(dot.data(), 1, dot.size(), in) == dot.size();
    const bool closed = in != nullptr && std::fclose(in) == 0;
    std::string picture;
    int ended = -1;
    if (std::FILE* const out =
            written && closed ? popen(fmt::format("dot -T{} {} 2>/dev/null", format, for_shell(file)).c_str(), "r") : nullptr) {
        char buffer[1 << 14];
        for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, out)) > 0;) picture.append(buffer, n);
        ended = pclose(out);
    }
    std::filesystem::remove(file, error);
    return ended == 0 ? std::optional(std::move(picture)) : std::nullopt;
}

}  // namespace

int run_graph(const GraphArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    const bool picture = args.format == "svg" || args.format == "png";
    if (picture && !is_installed("dot")) {
        err(say(g, Text::graph_needs_graphviz));
        return exit_cannot;
    }
    const Wording wording(loaded->syntax, settings, loaded->sources, g.language, machine->game.players);
    const MachineGraph graph = graph_of(*machine, loaded->sources, g.language,
                                        {[&](Span span) { return wording.sentence(span); },
                                         [&](Span span, bool holds) { return wording.condition(span, holds); }, in_lines});
    if (!picture) {
        out(args.format == "mermaid" ? mermaid_text(graph) : dot_text(graph));
        return exit_fine;
    }
    const auto made = drawn(dot_text(graph), args.format);
    if (!made) {
        err(say(g, Text::graphviz_failed));
        return exit_cannot;
    }
    out_bytes(*made);
    return exit_fine;
}

}  // namespace houserule::cli
