// The control-flow graph of a machine for people: a picture of the turn, contracted to its waiting points and ends, as DOT or Mermaid.
//
// Forced steps are contracted into edges, and so are rules that ask nobody; draws of one rule that follow each other are one node. A rule
// that is called from several places returns to each of them. Acts at any time stand apart: they can come after every visible event.
// Nothing runs on this graph.
#pragma once

#include "dsl/text/phrase.hpp"
#include "dsl/text/source.hpp"
#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace houserule {

struct GraphNode {
    StepId step = no_id;
    std::string label;
    std::string group;  // the rule, act or end it belongs to; empty: setup and play
    std::string place;  // of what it shows: line, column and the end of it, `12:3-12:40`; empty: of nothing in the file
    bool chance = false;
    bool over = false;     // an end of the rules, or the end of the game
    bool ear = false;      // of an act, which can come at any time
    bool dead = false;     // not reachable from the start
    std::size_t loop = 0;  // its strongly connected component, numbered from 1; 0: no path leads back to it
};

struct GraphEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label;  // what was chosen, and the conditions that hold on every way there
};

struct MachineGraph {
    std::vector<GraphNode> nodes;    // group by group, in the order in which they are reached
    std::vector<GraphEdge> edges;    // no two between the same nodes
    std::vector<std::size_t> first;  // the nodes that a game can begin with
};

// The rules in words: the sentence of a statement, and a condition as it holds or does not. Where one is empty the file is quoted.
struct GraphWords {
    std::function<std::string(Span)> sentence;
    std::function<std::string(Span, bool holds)> condition;
    std::function<std::string(const std::string&)> in_lines;  // a label, with line ends where it is too long for one
};

// `sources`: those the game was read from. `language`: of labels.
MachineGraph graph_of(const Machine& machine, const Sources& sources, Language language, const GraphWords& words);

std::string dot_text(const MachineGraph& graph);
std::string mermaid_text(const MachineGraph& graph);

}  // namespace houserule
