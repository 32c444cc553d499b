#include "interpreter/graph/graph.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/spaced.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/graph/texts.hpp"
#include "interpreter/machine/post_dominators.hpp"

#include <fmt/format.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace houserule {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

constexpr std::size_t short_text = 36;  // characters of the rules that a label may quote

struct Drawing {
    const Machine& m;
    const Sources& sources;
    Language language = Language::en;
    const GraphWords& in_words;
    std::set<VariableId> asking;                        // return variables of rules that wait somewhere
    std::map<VariableId, std::vector<StepId>> returns;  // by return variable: where it goes on
    std::vector<StepId> act_entries;
    std::map<StepId, std::size_t> node_at;  // by step
    MachineGraph graph;

    const Step& code(StepId i) const { return m.code[i]; }
    StepId size() const { return m.code.next(); }
};

template <int places, typename... Arguments>
std::string say(const Drawing& d, TextRow<places> row, Arguments&&... arguments) {
    if constexpr (places == 0)
        return std::string(row.in(d.language));
    else
        return row(std::forward<Arguments>(arguments)...).in(d.language);
}

// Ends are drawn, too.
bool is_drawn(Op op) { return waits(op) || op == Op::ended; }

// An act's code begins with finding out who may act, and its window; a rule's with `enter`.
bool is_act(const Drawing& d, StepId entry) {
    for (StepId i = entry; i < d.size(); ++i) {
        const Op op = d.code(i).op;
        if (op == Op::window) return true;
        if (op != Op::assign && op != Op::next_player && op != Op::branch && op != Op::add_element && op != Op::jump) return false;
    }
    return false;
}

struct Way {
    StepId to = no_id;
    std::string label;
    bool chosen = false;  // it says what somebody chose
};

// The words of the rules, when they are few and on one line.
std::string words(const Drawing& d, Span span) {
    if (span == Span{} || span.source >= d.sources.size()) return "";
    const std::string text(d.sources[span.source].text(span));
    const bool number = text.find_first_not_of("0123456789") == std::string::npos;
    return number || text.size() > short_text || text.find('\n') != std::string::npos ? "" : shown(text);
}
std::string words_of(const Drawing& d, ExpressionId expression) {
    return expression == no_id ? "" : words(d, d.m.game.expressions[expression].span);
}

// Its label; without one its own words.
std::string called(const Drawing& d, const std::string& name) {
    const std::string text = label(d.m.game, name, code_of(d.language));
    return text == name ? spaced(text) : text;
}

std::string condition_words(const Drawing& d, ExpressionId expression, bool holds) {
    if (expression == no_id) return "";
    if (std::string text = d.in_words.condition(d.m.game.expressions[expression].span, holds); !text.empty()) return text;
    std::string text = words_of(d, expression);
    if (text.find_first_of(" ()[]{}<>=+-'") == std::string::npos) text = called(d, text);  // one word: an arm of cases
    if (text.empty() || holds) return text;
    return say(d, GraphText::not_so, text);
}

// The constant that the expression is, if it is one.
std::optional<std::int32_t> constant(const Drawing& d, ExpressionId x) {
    const bool is = x != no_id && d.m.game.expressions[x].op == Operator::constant;
    return is ? std::optional(d.m.game.expressions[x].value()) : std::nullopt;
}

// Whether the step sets the count of a loop, and the next one asks whether it goes on, which it does the first time.
bool begins_loop(const Drawing& d, StepId i) {
    const Step& s = d.code(i);
    if (s.op != Op::assign || !d.m.code.has(i + 1) || d.code(i + 1).op != Op::branch) return false;
    const Expression& asked = d.m.game.expressions[d.code(i + 1).x];
    const auto start = constant(d, s.x);
    if (asked.op != Operator::less || !start || !constant(d, asked.b)) return false;
    const Expression& counted = d.m.game.expressions[asked.a];
    return counted.op == Operator::variable && VariableId(counted.named()) == s.a && *start < *constant(d, asked.b);
}

std::vector<Way> ways_on(const Drawing& d, StepId i) {
    const Step& s = d.code(i);
    std::vector<Way> ways;
    if (s.op == Op::promise && constant(d, s.x) == 0) return ways;  // broken by whoever comes there
    if (begins_loop(d, i)) return {{steps_after(d.m, i + 1).front(), ""}};
    if (s.op == Op::leave) {
        if (const auto found = d.returns.find(s.a); found != d.returns.end())
            for (const StepId to : found->second) ways.push_back({to, ""});
        return ways;
    }
    if (s.op == Op::call && d.asking.contains(s.a)) return {{s.c, ""}};
    for (const StepId to : steps_after(d.m, i)) ways.push_back({to, ""});
    if (ways.size() < 2) return ways;
    switch (s.op) {
        case Op::branch:
            ways[0].label = condition_words(d, s.x, true);
            ways[1].label = condition_words(d, s.x, false);
            break;
        case Op::ask:
            ways[0] = {ways[0].to, say(d, GraphText::yes), true};
            ways[1] = {ways[1].to, say(d, GraphText::no), true};
            break;
        case Op::choose:
            ways[1] = {ways[1].to, (s.mode & choice_optional) != 0 ? say(d, GraphText::no) : say(d, GraphText::none), true};
            break;
        case Op::draw:
            ways[1].label = say(d, GraphText::empty);
            break;
        default:
            break;
    }
    return ways;
}

// Rules that wait somewhere, by the rules that run them too.
void find_asking(Drawing& d) {
    const auto& entries = d.m.rule_entry;
    std::map<StepId, VariableId> act_or_rule;  // by entry: return variable
    for (StepId i{0}; i < d.size(); ++i)
        if (d.code(i).op == Op::call && !is_act(d, d.code(i).c)) act_or_rule[d.code(i).c] = d.code(i).a;
    for (bool more = true; more;) {
        more = false;
        for (const auto& [entry, variable] : act_or_rule) {
            if (d.asking.contains(variable)) continue;
            const auto rule = std::find(entries.begin(), entries.end(), entry);
            bool found = rule == entries.end();  // the whole game, in a match
            for (StepId i = entry; i < d.size() && !found; ++i) {
                const Step& s = d.code(i);
                found = waits(s.op);
                found = found || (s.op == Op::call && d.asking.contains(s.a)) ||
                        (s.op == Op::jump && s.c != no_id && d.code(s.c).op == Op::ended);
                if (s.op == Op::leave && s.a == variable) break;
            }
            if (found) more = d.asking.insert(variable).second;
        }
    }
    for (StepId i{0}; i < d.size(); ++i) {
        const Step& s = d.code(i);
        if (s.op != Op::call) continue;
        if (is_act(d, s.c)) {
            if (std::find(d.act_entries.begin(), d.act_entries.end(), s.c) == d.act_entries.end()) d.act_entries.push_back(s.c);
        } else {
            d.returns[s.a].push_back(i + 1);
        }
    }
}

// The sentence of the statement that waits there, if that says it: a question is the statement's, an end has a name.
std::string sentence_of(const Drawing& d, const Step& s) {
    if (s.statement == no_id || s.op == Op::window || s.op == Op::ended || s.op == Op::halt) return "";
    return d.in_words.sentence(d.m.game.statements[s.statement].span);
}

std::string node_label(const Drawing& d, const Step& s) {
    const Game& g = d.m.game;
    if (std::string text = sentence_of(d, s); !text.empty()) return text;
    const auto named = [&](const std::string& name) { return called(d, name); };
    const auto variable = [&](VariableId v) { return v == no_id ? std::string() : g.variables[v].name; };
    const auto or_some = [&](std::string text, TextRow<0> some) { return text.empty() ? say(d, some) : text; };
    switch (s.op) {
        case Op::choose: {
            const std::string who = or_some(words_of(d, s.x), GraphText::a_player);
            const std::string from = (s.mode & choice_range) != 0 ? "" : words_of(d, s.y);
            return from.empty() ? say(d, GraphText::chooses, who, variable(s.a))
                                : say(d, GraphText::chooses_from, who, variable(s.a), from);
        }
        case Op::ask:
            return fmt::format("{}: {}?", or_some(words_of(d, s.x), GraphText::a_player), named(g.words[s.a]));
        case Op::draw: {
            const std::string from = or_some(words_of(d, s.x), GraphText::a_zone);
            const std::string to = words_of(d, s.y);
            return to.empty() ? say(d, GraphText::draw_from, from) : say(d, GraphText::draw_from_to, from, to);
        }
        case Op::report:
            return say(d, s.mode == 1 ? GraphText::a_lot : GraphText::the_table_tells, variable(s.a));
        case Op::window:
            return say(d, GraphText::anybody, named(g.acts[s.a].name));
        case Op::ended:
            return say(d, GraphText::end, named(g.ends[s.a].name));
        case Op::halt:
            return say(d, GraphText::over);
        default:
            return "";
    }
}

// Whether the step belongs to an act: their code stands behind that of the rules, one after the other.
bool is_within(const std::map<StepId, ActId>& act_of, StepId i) { return act_of.upper_bound(i) != act_of.begin(); }

std::string group_of(const Drawing& d, StepId i, const std::map<StepId, ActId>& act_of) {
    const Step& s = d.code(i);
    const Game& g = d.m.game;
    if (s.rule != no_id) return called(d, g.rules[s.rule].name);
    if (s.op == Op::halt || !is_within(act_of, i)) return "";
    return called(d, g.acts[std::prev(act_of.upper_bound(i))->second].name);
}

// Where the file says what happens there: line and column, from and to.
std::string place_of(const Drawing& d, const Step& s) {
    Span span = s.statement == no_id ? Span{} : d.m.game.statements[s.statement].span;
    if (s.op == Op::ended) span = d.m.game.ends[s.a].span;
    if (s.op == Op::window) span = d.m.game.acts[s.a].span;
    if (span == Span{} || span.source >= d.sources.size()) return "";
    const Source& source = d.sources[span.source];
    const auto at = [&](std::uint32_t byte) {
        const Place place = source.place(byte);
        return fmt::format("{}:{}", place.line, place.column);
    };
    const std::string file = span.source == 0 ? "" : source.name() + ":";
    return fmt::format("{}{}-{}", file, at(span.begin), at(span.end));
}

// What holds on every way to a step, in the order in which it was met.
using Conditions = std::vector<Way>;

// Keeps what both have. Whether anything went.
bool keep_common(Conditions& kept, const Conditions& other) {
    return std::erase_if(kept, [&](const Way& a) {
               return std::ranges::none_of(other, [&](const Way& b) { return a.to == b.to && a.label == b.label; });
           }) != 0;
}

// The deal that the step is a part of, if it is.
StatementId deal_of(const Drawing& d, StepId i) {
    const StatementId statement = d.code(i).statement;
    return statement != no_id && d.m.game.statements[statement].kind() == StatementKind::deal ? statement : StatementId(no_id);
}

// The ways on for somebody who comes from `before`: a deal is drawn as if there were always somebody to deal to.
std::vector<Way> ways_into(const Drawing& d, StepId i, StatementId before) {
    std::vector<Way> ways = ways_on(d, i);
    const StatementId deal = deal_of(d, i);
    const auto leaves = [&](const Way& way) { return !d.m.code.has(way.to) || d.code(way.to).statement != deal; };
    if (deal != no_id && deal != before && !std::ranges::all_of(ways, leaves)) std::erase_if(ways, leaves);
    return ways;
}

// The nodes that come first after `ways` from the statement `before`, and what holds on every way there.
std::map<StepId, Conditions> first_nodes(const Drawing& d, const std::vector<Way>& ways, StatementId before) {
    std::map<StepId, Conditions> reached;
    std::vector<StepId> queue;
    const auto come = [&](const Way& way, Conditions held) {
        if (!d.m.code.has(way.to)) return;
        if (!way.label.empty()) held.push_back(way);
        const auto [at, fresh] = reached.emplace(way.to, held);
        if (fresh || keep_common(at->second, held)) queue.push_back(way.to);
    };
    for (const Way& way : ways) come(way, {});
    while (!queue.empty()) {
        const StepId at = queue.back();
        queue.pop_back();
        if (is_drawn(d.code(at).op)) continue;
        const Conditions here = reached.at(at);
        for (const Way& way : ways_into(d, at, before)) come(way, here);
    }
    std::erase_if(reached, [&](const auto& r) { return !is_drawn(d.code(r.first).op); });
    return reached;
}

// What was chosen, and then the conditions, the last of them first to go when there are many.
std::string label_of(const Drawing& d, const Conditions& conditions) {
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t told = 0;
    for (const Way& c : conditions) {
        if (text.find(c.label) != std::string::npos) continue;
        if (!c.chosen && ++told > most) return text + " …";
        text = text.empty() ? c.label : say(d, GraphText::both_hold, text, c.label);
    }
    return text;
}

// The nodes after step `from`.
std::vector<Way> next_nodes(const Drawing& d, StepId from) {
    std::vector<Way> next;
    for (const auto& [node, conditions] : first_nodes(d, ways_on(d, from), d.code(from).statement))
        next.push_back({node, label_of(d, conditions)});
    return next;
}

void connect(Drawing& d) {
    for (std::size_t from = 0; from < d.graph.nodes.size(); ++from) {
        for (const Way& way : next_nodes(d, d.graph.nodes[from].step)) {
            const std::size_t to = d.node_at.at(way.to);
            d.graph.edges.push_back({from, to, way.label});
        }
    }
    for (const auto& [step, conditions] : first_nodes(d, {{d.m.start, ""}}, no_id)) d.graph.first.push_back(d.node_at.at(step));
}

// An end is an exit: that the game is over then need not be drawn. Where the game ends without one, it is.
void leave_at_ends(const Drawing& d, MachineGraph& g) {
    const auto halts = [&](std::size_t i) { return d.code(g.nodes[i].step).op == Op::halt; };
    std::erase_if(g.edges, [&](const GraphEdge& e) { return g.nodes[e.from].over && halts(e.to); });
    for (std::size_t i = g.nodes.size(); i-- > 0;) {
        const bool needed =
            std::ranges::find(g.edges, i, &GraphEdge::to) != g.edges.end() || std::ranges::find(g.first, i) != g.first.end();
        if (!halts(i) || needed) continue;
        g.nodes.erase(g.nodes.begin() + i);
        for (GraphEdge& e : g.edges) {
            e.from -= e.from > i ? 1 : 0;
            e.to -= e.to > i ? 1 : 0;
        }
        for (std::size_t& f : g.first) f -= f > i ? 1 : 0;
    }
}

// Draws of one rule that lead to each other are one node: a deal is no picture of the turn. A node that leads to itself says so by being
// there.
void merge_draws(MachineGraph& g) {
    std::vector<std::size_t> to(g.nodes.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = i;
    const auto draws = [&](std::size_t i) { return g.nodes[i].chance && !g.nodes[i].dead; };
    for (const GraphEdge& e : g.edges) {
        if (!draws(e.from) || !draws(e.to) || g.nodes[e.from].group != g.nodes[e.to].group) continue;
        const std::size_t kept = std::min(to[e.from], to[e.to]);
        const std::size_t gone = std::max(to[e.from], to[e.to]);
        std::replace(to.begin(), to.end(), gone, kept);
    }
    MachineGraph merged;
    std::vector<std::size_t> number(g.nodes.size());
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        if (to[i] == i) {
            number[i] = merged.nodes.size();
            merged.nodes.push_back(g.nodes[i]);
            continue;
        }
        number[i] = number[to[i]];
        std::string& label = merged.nodes[number[i]].label;
        if (("\n" + label + "\n").find("\n" + g.nodes[i].label + "\n") == std::string::npos) label += "\n" + g.nodes[i].label;
    }
    for (const GraphEdge& e : g.edges) {
        const GraphEdge moved{number[e.from], number[e.to], e.label};
        if (moved.from == moved.to && merged.nodes[moved.from].chance) continue;
        const auto same = std::ranges::find_if(merged.edges, [&](const GraphEdge& x) { return x.from == moved.from && x.to == moved.to; });
        if (same == merged.edges.end())
            merged.edges.push_back(moved);
        else if (same->label != moved.label)
            same->label.clear();
    }
    for (const std::size_t i : g.first)
        if (std::ranges::find(merged.first, number[i]) == merged.first.end()) merged.first.push_back(number[i]);
    g = std::move(merged);
}

// What can be reached from the start (and from acts, which may always come), and the loops.
void analyse(Drawing& d) {
    const std::size_t n = d.graph.nodes.size();
    Graph graph(n + 1);  // the last one stands for the start
    for (const GraphEdge& e : d.graph.edges) add_edge(e.from, e.to, graph);
    std::vector<StepId> starts = d.act_entries;
    starts.push_back(d.m.start);
    for (const StepId start : starts) {
        for (const auto& [step, conditions] : first_nodes(d, {{start, ""}}, no_id)) add_edge(n, d.node_at.at(step), graph);
    }
    std::vector<boost::default_color_type> colors(n + 1, boost::white_color);
    const auto color = boost::make_iterator_property_map(colors.begin(), get(boost::vertex_index, graph));
    boost::breadth_first_search(graph, n, boost::color_map(color));
    std::vector<std::size_t> component(n + 1);
    const std::size_t components =
        boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
    std::vector<std::size_t> members(components, 0);
    for (const std::size_t c : component) ++members[c];
    std::vector<std::size_t> number(components, 0);
    std::size_t loops = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const bool itself = edge(i, i, graph).second;
        std::size_t& loop = number[component[i]];
        if (loop == 0 && (members[component[i]] > 1 || itself)) loop = ++loops;
        d.graph.nodes[i].loop = loop;
        d.graph.nodes[i].dead = colors[i] == boost::white_color;
    }
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

// Runs of nodes of one group.
std::vector<std::pair<std::size_t, std::size_t>> groups_of(const MachineGraph& g) {
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        if (i == 0 || g.nodes[i].group != g.nodes[i - 1].group) groups.emplace_back(i, i);
        groups.back().second = i + 1;
    }
    return groups;
}

}  // namespace

MachineGraph graph_of(const Machine& machine, const Sources& sources, Language language, const GraphWords& words) {
    Drawing d{machine, sources, language, words, {}, {}, {}, {}, {}};
    find_asking(d);
    std::map<StepId, ActId> act_of;
    for (const StepId entry : d.act_entries)
        for (StepId i = entry; i < d.size(); ++i)
            if (d.code(i).op == Op::window) {
                act_of[entry] = d.code(i).a;
                break;
            }
    std::vector<std::string> order;
    for (StepId i{0}; i < d.size(); ++i) {
        if (!is_drawn(d.code(i).op)) continue;
        const Op op = d.code(i).op;
        GraphNode node{i, node_label(d, d.code(i)), group_of(d, i, act_of), place_of(d, d.code(i))};
        node.chance = op == Op::draw || op == Op::report;
        node.over = op == Op::ended || op == Op::halt;
        node.ear = !node.over && d.code(i).rule == no_id && is_within(act_of, i);
        d.graph.nodes.push_back(std::move(node));
        if (std::find(order.begin(), order.end(), d.graph.nodes.back().group) == order.end()) order.push_back(d.graph.nodes.back().group);
    }
    const auto rank = [&](const GraphNode& n) {
        return n.over ? order.size() : static_cast<std::size_t>(std::find(order.begin(), order.end(), n.group) - order.begin());
    };
    std::stable_sort(d.graph.nodes.begin(), d.graph.nodes.end(), [&](const GraphNode& a, const GraphNode& b) { return rank(a) < rank(b); });
    for (GraphNode& n : d.graph.nodes)
        if (n.over) n.group.clear();
    for (std::size_t i = 0; i < d.graph.nodes.size(); ++i) d.node_at[d.graph.nodes[i].step] = i;
    connect(d);
    analyse(d);
    merge_draws(d.graph);
    leave_at_ends(d, d.graph);
    for (GraphNode& n : d.graph.nodes) n.label = words.in_lines(n.label);
    for (GraphEdge& e : d.graph.edges) e.label = words.in_lines(e.label);
    return std::move(d.graph);
}

namespace {

std::string with_breaks(const std::string& text, const char* line_end) {
    std::string out;
    for (const char c : text) out += c == '\n' ? std::string(line_end) : std::string(1, c);
    return out;
}

// A place can be that of several nodes; an id is one's own.
std::vector<std::string> ids_of(const MachineGraph& g) {
    std::vector<std::string> ids;
    std::map<std::string, std::size_t> times;
    for (const GraphNode& n : g.nodes) {
        const std::string place = n.place.empty() ? "over" : n.place;
        const std::size_t time = ++times[place];
        ids.push_back(time == 1 ? place : fmt::format("{} ({})", place, time));
    }
    return ids;
}

std::string dot_node(const GraphNode& n, std::size_t i, const std::string& id, bool indented) {
    const char* shape = n.chance ? ", shape=ellipse, style=filled, fillcolor=\"#eef6e8\""
                        : n.over ? ", shape=cds, style=filled, fillcolor=\"#eeeeee\""
                        : n.ear  ? ", shape=note, style=filled, fillcolor=\"#fdf3dc\""
                                 : "";
    return fmt::format("  {}n{} [id=\"{}\", label=\"{}\"{}{}];\n", indented ? "  " : "", i, quoted(id), with_breaks(quoted(n.label), "\\n"),
                       shape, n.dead ? ", style=dashed, color=red" : "");
}

}  // namespace

std::string dot_text(const MachineGraph& g) {
    std::string text =
        "digraph turn {\n"
        "  graph [rankdir=TB, newrank=true, nodesep=0.35, ranksep=0.5, fontname=\"sans-serif\", fontsize=12];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eaf1fb\", fontname=\"sans-serif\", fontsize=11, margin=\"0.15,0.08\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#334455\"];\n"
        "  start [id=\"start\", label=\"\", shape=circle, width=0.2, style=filled, fillcolor=black];\n"
        "  { rank=source; start; }\n";
    const std::vector<std::string> ids = ids_of(g);
    std::size_t cluster = 0;
    std::string ends;
    for (const auto& [first, end] : groups_of(g)) {
        const bool named = !g.nodes[first].group.empty();
        if (named)
            text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\"; style=\"rounded{}\"; color=\"#99aabb\";\n", ++cluster,
                                quoted(g.nodes[first].group), g.nodes[first].ear ? ",dashed" : "");
        for (std::size_t i = first; i < end; ++i) {
            text += dot_node(g.nodes[i], i, ids[i], named);
            if (g.nodes[i].over) ends += fmt::format(" n{};", i);
        }
        if (named) text += "  }\n";
    }
    if (!ends.empty()) text += fmt::format("  {{ rank=sink;{} }}\n", ends);
    for (const std::size_t i : g.first) text += fmt::format("  start -> n{};\n", i);
    for (const GraphEdge& e : g.edges) {
        std::string how = e.label.empty() ? "" : fmt::format("label=\"{}\"", with_breaks(quoted(e.label), "\\n"));
        // What comes from the side pulls nothing out of its order; ends stand below all else anyhow.
        if (g.nodes[e.from].ear)
            how += fmt::format("{}style=dashed{}", how.empty() ? "" : ", ", g.nodes[e.to].over ? "" : ", constraint=false");
        text += fmt::format("  n{} -> n{}{};\n", e.from, e.to, how.empty() ? "" : " [" + how + "]");
    }
    return text + "}\n";
}

std::string mermaid_text(const MachineGraph& g) {
    std::string text = "flowchart TD\n  start((\" \"))\n";
    std::size_t cluster = 0;
    for (const auto& [first, end] : groups_of(g)) {
        const bool named = !g.nodes[first].group.empty();
        if (named) text += fmt::format("  subgraph g{}[\"{}\"]\n", ++cluster, escaped(g.nodes[first].group));
        for (std::size_t i = first; i < end; ++i) {
            const GraphNode& n = g.nodes[i];
            const auto [open, close] = n.chance ? std::pair("([", "])") : n.over ? std::pair(">", "]") : std::pair("[", "]");
            const char* look = n.dead ? ":::dead" : n.ear ? ":::ear" : "";
            text += fmt::format("  {}n{}{}\"{}\"{}{}\n", named ? "  " : "", i, open, with_breaks(escaped(n.label), "<br>"), close, look);
        }
        if (named) text += "  end\n";
    }
    for (const std::size_t i : g.first) text += fmt::format("  start --> n{}\n", i);
    for (const GraphEdge& e : g.edges) {
        const char* arrow = g.nodes[e.from].ear ? "-.->" : "-->";
        text += e.label.empty() ? fmt::format("  n{} {} n{}\n", e.from, arrow, e.to)
                                : fmt::format("  n{} {}|\"{}\"| n{}\n", e.from, arrow, with_breaks(escaped(e.label), "<br>"), e.to);
    }
    return text + "  classDef dead stroke:#c00,stroke-dasharray:4\n  classDef ear fill:#fdf3dc\n";
}

}  // namespace houserule
