// `houserule graph`: the turn as a picture.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/drawing/drawing.hpp"

namespace houserule::cli {

int run_graph(const GraphArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    const bool picture = args.format == "svg" || args.format == "png";
    if (picture && !can_draw()) {
        err(say(g, Text::graph_needs_graphviz));
        return exit_cannot;
    }
    const MachineGraph graph = graph_in_words(*machine, *loaded, settings, g.language);
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
