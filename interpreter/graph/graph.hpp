// The graph of a machine, for people: its waiting points and ends, and how the game goes from one to the next.
//
// Forced steps are contracted into edges. Rules that ask nobody are part of the edges; a rule that is run from several places goes on
// to each of them. Acts at any time stand apart: they can come after every visible event. Nothing runs on this graph.
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
    bool over = false;     // an end, or the end of it all
    bool dead = false;     // cannot be reached from the start
    std::size_t loop = 0;  // the same number: each reaches the other; 0: no way back
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
