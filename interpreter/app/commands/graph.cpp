// `houserule graph`: the state machine as a picture.
#include "interpreter/graph/graph.hpp"
#include "interpreter/app/commands/commands.hpp"

namespace houserule::cli {

int run_graph(const GraphArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    const MachineGraph graph = graph_of(*machine, loaded->sources, code_of(g.language));
    out(args.format == "svg" ? svg_text(graph) : args.format == "mermaid" ? mermaid_text(graph) : dot_text(graph));
    return exit_fine;
}

}  // namespace houserule::cli
