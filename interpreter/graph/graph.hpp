// The control-flow graph of a machine for people, contracted to its waiting points and ends, as DOT, Mermaid or SVG.
//
// Forced steps are contracted into edges, and so are rules that ask nobody. A rule that is called from several places returns to each of
// them. Acts at any time stand apart: they can come after every visible event. Nothing runs on this graph.
#pragma once

#include "dsl/text/source.hpp"
#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace houserule {

struct GraphNode {
    StepId step = no_id;
    std::string label;
    std::string group;  // the rule, act or end it belongs to; empty: setup and play
    bool chance = false;
    bool over = false;     // an end of the rules, or the end of the game
    bool dead = false;     // not reachable from the start
    std::size_t loop = 0;  // its strongly connected component, numbered from 1; 0: no path leads back to it
};

struct GraphEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label;  // the move or the condition, where it is short
};

struct MachineGraph {
    std::vector<GraphNode> nodes;  // group by group, in the order in which they are reached
    std::vector<GraphEdge> edges;  // no two between the same nodes
};

// `sources`: those the game was read from, for the words of the rules. `language`: of labels.
MachineGraph graph_of(const Machine& machine, const Sources& sources, const std::string& language);

std::string dot_text(const MachineGraph& graph);
std::string mermaid_text(const MachineGraph& graph);
std::string svg_text(const MachineGraph& graph);

}  // namespace houserule
