#include "interpreter/machine/post_dominators.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dominator_tree.hpp>

namespace houserule {

std::vector<StepId> steps_after(const Machine& machine, StepId step) {
    const Step& s = machine.code[step];
    switch (s.op) {
        case Op::halt:
        case Op::leave:
            return {};
        case Op::jump:
            return {s.c};
        case Op::call:
        case Op::store:
        case Op::load:
            return {step + 1};
        default:
            return s.c == no_id ? std::vector<StepId>{step + 1} : std::vector<StepId>{step + 1, s.c};
    }
}

std::vector<StepId> all_after(const Machine& machine, StepId step) {
    const Step& s = machine.code[step];
    if (s.op == Op::call) return {s.c};
    if (s.op != Op::leave) return steps_after(machine, step);
    std::vector<StepId> after;
    for (const StepId i : machine.code.ids())
        if (machine.code[i].op == Op::call && machine.code[i].a == s.a) after.push_back(i + 1);
    return after;
}

Store<StepId, StepId> immediate_post_dominators(const Machine& machine) {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
    const std::size_t steps = machine.code.size();
    // Backwards, from one vertex behind all that leave.
    Graph back(steps + 1);
    for (std::size_t i = 0; i < steps; ++i) {
        const std::vector<StepId> after = steps_after(machine, StepId(i));
        if (after.empty()) add_edge(steps, i, back);
        for (const StepId to : after)
            if (machine.code[to].op != Op::ended) add_edge(to.index(), i, back);
    }
    // Steps that never leave are no way on: without them, as the algorithm takes every edge for one that can be reached.
    std::vector<boost::default_color_type> colors(steps + 1, boost::white_color);
    const auto color = boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, back));
    boost::queue<std::size_t> waiting;
    boost::breadth_first_visit(back, steps, waiting, boost::default_bfs_visitor(), color);
    for (std::size_t i = 0; i < steps; ++i)
        if (colors[i] == boost::white_color) clear_vertex(i, back);
    std::vector<std::size_t> next(steps + 1, Graph::null_vertex());
    boost::lengauer_tarjan_dominator_tree(back, steps, boost::make_iterator_property_map(next.begin(), get(boost::vertex_index, back)));
    Store<StepId, StepId> joins;
    for (std::size_t i = 0; i < steps; ++i) joins.push_back(next[i] < steps ? StepId(next[i]) : StepId());
    return joins;
}

}  // namespace houserule
