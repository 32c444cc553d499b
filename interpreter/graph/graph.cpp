#include "interpreter/graph/graph.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"
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
    const std::string& language;
    bool ja = false;
    std::set<VariableId> asking;                        // return variables of rules that wait somewhere
    std::map<VariableId, std::vector<StepId>> returns;  // by return variable: where it goes on
    std::vector<StepId> act_entries;
    std::map<StepId, std::size_t> node_at;  // by step
    MachineGraph graph;

    const Step& code(StepId i) const { return m.code[i]; }
    StepId size() const { return m.code.next(); }
};

bool waits(Op op) {
    switch (op) {
        case Op::choose:
        case Op::ask:
        case Op::draw:
        case Op::report:
        case Op::window:
        case Op::ended:
        case Op::halt:
            return true;
        case Op::nothing:
        case Op::reset:
        case Op::gather:
        case Op::assign:
        case Op::set_fact:
        case Op::put:
        case Op::shuffle:
        case Op::says:
        case Op::show:
        case Op::judged:
        case Op::jump:
        case Op::branch:
        case Op::call:
        case Op::enter:
        case Op::leave:
        case Op::next_player:
        case Op::next_element:
        case Op::add_element:
        case Op::store:
        case Op::load:
        case Op::joint_end:
        case Op::effects_begin:
        case Op::effects_end:
        case Op::promise:
        case Op::agree:
            return false;
    }
    return false;
}

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

std::vector<Way> ways_on(const Drawing& d, StepId i) {
    const Step& s = d.code(i);
    const auto say = [&](const char* en, const char* ja) { return std::string(d.ja ? ja : en); };
    std::vector<Way> ways;
    if (s.op == Op::leave) {
        if (const auto found = d.returns.find(s.a); found != d.returns.end())
            for (const StepId to : found->second) ways.push_back({to, ""});
        return ways;
    }
    if (s.op == Op::call && d.asking.contains(s.a)) return {{s.c, ""}};
    for (const StepId to : steps_after(d.m, i)) ways.push_back({to, ""});
    if (ways.size() < 2) return ways;
    switch (s.op) {
        case Op::branch: {
            const std::string condition = words_of(d, s.x);
            ways[0].label = condition;
            ways[1].label = condition.empty() ? "" : say("not ", "否: ") + condition;
            break;
        }
        case Op::ask:
            ways[0].label = say("yes", "はい");
            ways[1].label = say("no", "いいえ");
            break;
        case Op::choose:
            ways[1].label = (s.mode & choice_optional) != 0 ? say("no", "いいえ") : say("none", "なし");
            break;
        case Op::draw:
            ways[1].label = say("empty", "空");
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
                found = s.op != Op::ended && waits(s.op);
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

std::string node_label(const Drawing& d, const Step& s) {
    const Game& g = d.m.game;
    const auto named = [&](const std::string& name) { return label(g, name, d.language); };
    const auto variable = [&](VariableId v) { return v == no_id ? std::string() : g.variables[v].name; };
    const auto or_some = [&](std::string text, const char* en, const char* ja) {
        return text.empty() ? std::string(d.ja ? ja : en) : text;
    };
    switch (s.op) {
        case Op::choose: {
            const std::string who = or_some(words_of(d, s.x), "a player", "プレイヤー");
            const std::string from = (s.mode & choice_range) != 0 ? "" : words_of(d, s.y);
            if (d.ja)
                return from.empty() ? fmt::format("{}: {}を選ぶ", who, variable(s.a))
                                    : fmt::format("{}: {}から{}を選ぶ", who, from, variable(s.a));
            return from.empty() ? fmt::format("{} chooses {}", who, variable(s.a))
                                : fmt::format("{} chooses {} from {}", who, variable(s.a), from);
        }
        case Op::ask:
            return fmt::format("{}: {}?", or_some(words_of(d, s.x), "a player", "プレイヤー"), named(g.words[s.a]));
        case Op::draw: {
            const std::string from = or_some(words_of(d, s.x), "a zone", "置き場");
            const std::string to = words_of(d, s.y);
            if (d.ja) return to.empty() ? fmt::format("{}から引く", from) : fmt::format("{}から{}へ引く", from, to);
            return to.empty() ? fmt::format("draw from {}", from) : fmt::format("draw from {} to {}", from, to);
        }
        case Op::report:
            return fmt::format(
                fmt::runtime(s.mode == 1 ? (d.ja ? "くじ: {}" : "a lot: {}") : (d.ja ? "テーブルが告げる: {}" : "the table tells {}")),
                variable(s.a));
        case Op::window:
            return fmt::format(fmt::runtime(d.ja ? "誰かが{}?" : "anybody: {}?"), named(g.acts[s.a].name));
        case Op::ended:
            return fmt::format(fmt::runtime(d.ja ? "終わり: {}" : "end: {}"), named(g.ends[s.a].name));
        case Op::halt:
            return d.ja ? "終了" : "over";
        default:
            return "";
    }
}

std::string group_of(const Drawing& d, StepId i, const std::map<StepId, ActId>& act_of) {
    const Step& s = d.code(i);
    const Game& g = d.m.game;
    if (s.rule != no_id) return label(g, g.rules[s.rule].name, d.language);
    const auto act = act_of.upper_bound(i);
    if (act != act_of.begin()) {
        const auto& [entry, id] = *std::prev(act);
        if (entry <= i && s.op != Op::halt) return label(g, g.acts[id].name, d.language);
    }
    return "";
}

// The waiting points that come first from step `start` on, itself if it is one.
std::set<StepId> first_nodes(const Drawing& d, StepId start) {
    std::set<StepId> found;
    std::set<StepId> seen;
    std::vector<StepId> queue{start};
    while (!queue.empty()) {
        const StepId at = queue.back();
        queue.pop_back();
        if (!d.m.code.has(at) || !seen.insert(at).second) continue;
        if (waits(d.code(at).op)) {
            found.insert(at);
            continue;
        }
        for (const Way& way : ways_on(d, at)) queue.push_back(way.to);
    }
    return found;
}

// The nodes after step `from`. Where the ways part first decides the label; what all of them lead to has none.
std::vector<Way> next_nodes(const Drawing& d, StepId from) {
    std::vector<Way> ways = ways_on(d, from);
    std::set<StepId> passed;
    while (ways.size() == 1 && !waits(d.code(ways[0].to).op) && passed.insert(ways[0].to).second) ways = ways_on(d, ways[0].to);
    std::map<StepId, std::pair<std::size_t, std::string>> found;  // by node: in how many ways, and the label of the last
    for (const Way& way : ways) {
        for (const StepId node : first_nodes(d, way.to)) {
            auto& [count, text] = found[node];
            ++count;
            text = way.label;
        }
    }
    std::vector<Way> next;
    for (const auto& [node, how] : found) next.push_back({node, how.first == 1 && ways.size() > 1 ? how.second : ""});
    return next;
}

void connect(Drawing& d) {
    for (std::size_t from = 0; from < d.graph.nodes.size(); ++from) {
        for (const Way& way : next_nodes(d, d.graph.nodes[from].step)) {
            const std::size_t to = d.node_at.at(way.to);
            d.graph.edges.push_back({from, to, way.label});
        }
    }
}

// What can be reached from the start (and from acts, which may always come), and the loops.
void analyse(Drawing& d) {
    const std::size_t n = d.graph.nodes.size();
    Graph graph(n + 1);  // the last one stands for the start
    for (const GraphEdge& e : d.graph.edges) add_edge(e.from, e.to, graph);
    std::vector<StepId> starts = d.act_entries;
    starts.push_back(d.m.start);
    for (const StepId start : starts) {
        if (waits(d.code(start).op))
            add_edge(n, d.node_at.at(start), graph);
        else
            for (const Way& way : next_nodes(d, start)) add_edge(n, d.node_at.at(way.to), graph);
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

MachineGraph graph_of(const Machine& machine, const Sources& sources, const std::string& language) {
    Drawing d{machine, sources, language, language == "ja", {}, {}, {}, {}, {}};
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
        if (!waits(d.code(i).op)) continue;
        const Op op = d.code(i).op;
        d.graph.nodes.push_back({i, node_label(d, d.code(i)), group_of(d, i, act_of), op == Op::draw || op == Op::report,
                                 op == Op::ended || op == Op::halt, false, 0});
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
    return std::move(d.graph);
}

std::string dot_text(const MachineGraph& g) {
    std::string text = "digraph machine {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
    std::size_t cluster = 0;
    for (const auto& [first, end] : groups_of(g)) {
        const bool named = !g.nodes[first].group.empty();
        if (named) text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", ++cluster, quoted(g.nodes[first].group));
        for (std::size_t i = first; i < end; ++i) {
            const GraphNode& n = g.nodes[i];
            text += fmt::format("  {}n{} [label=\"{}\"{}{}];\n", named ? "  " : "", i, quoted(n.label),
                                n.chance ? ", shape=ellipse"
                                : n.over ? ", shape=doubleoctagon"
                                         : "",
                                n.dead ? ", style=dashed, color=red" : "");
        }
        if (named) text += "  }\n";
    }
    for (const GraphEdge& e : g.edges)
        text += fmt::format("  n{} -> n{}{};\n", e.from, e.to, e.label.empty() ? "" : fmt::format(" [label=\"{}\"]", quoted(e.label)));
    return text + "}\n";
}

std::string mermaid_text(const MachineGraph& g) {
    std::string text = "flowchart TD\n";
    std::size_t cluster = 0;
    for (const auto& [first, end] : groups_of(g)) {
        const bool named = !g.nodes[first].group.empty();
        if (named) text += fmt::format("  subgraph g{}[\"{}\"]\n", ++cluster, escaped(g.nodes[first].group));
        for (std::size_t i = first; i < end; ++i) {
            const GraphNode& n = g.nodes[i];
            const auto [open, close] = n.chance ? std::pair("([", "])") : n.over ? std::pair("[[", "]]") : std::pair("[", "]");
            text += fmt::format("  {}n{}{}\"{}\"{}{}\n", named ? "  " : "", i, open, escaped(n.label), close, n.dead ? ":::dead" : "");
        }
        if (named) text += "  end\n";
    }
    for (const GraphEdge& e : g.edges)
        text += e.label.empty() ? fmt::format("  n{} --> n{}\n", e.from, e.to)
                                : fmt::format("  n{} -->|\"{}\"| n{}\n", e.from, escaped(e.label), e.to);
    return text + "  classDef dead stroke:#c00,stroke-dasharray:4\n";
}

namespace {

// One node a row, top to bottom. Every edge leaves at the right on a line of its own, goes up or down in a lane, and comes back to the
// right side of its target: nothing lies on top of anything else.
struct Page {
    static constexpr int row = 18;  // an edge's line
    static constexpr int left = 24;
    static constexpr int title = 26;
    static constexpr int lane = 10;
    int box = 0;           // width of boxes
    int labels = 0;        // width of the column of edge labels
    std::vector<int> top;  // by node
    std::vector<int> height;
    std::vector<int> out_y;    // by edge
    std::vector<int> lane_of;  // by edge
    int lanes = 0;
    int bottom = 0;
};

// Pixels of a text: 7 for a narrow character, 13 for a wide one.
int text_width(const std::string& text) {
    int width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        width += byte < 0x80 ? 7 : byte >= 0xe0 ? 13 : byte >= 0xc0 ? 8 : 0;
    }
    return width;
}

void place_rows(const MachineGraph& g, Page& page) {
    std::vector<int> outs(g.nodes.size(), 0);
    for (const GraphEdge& e : g.edges) ++outs[e.from];
    int y = 10;
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        if (i > 0 && g.nodes[i].group != g.nodes[i - 1].group) y += 14;
        if (!g.nodes[i].group.empty() && (i == 0 || g.nodes[i].group != g.nodes[i - 1].group)) y += Page::title;
        page.top.push_back(y);
        page.height.push_back(Page::row * (outs[i] + 1) + 4);
        y += page.height.back() + 10;
        page.box = std::max(page.box, text_width(g.nodes[i].label) + 20);
    }
    page.bottom = y;
    std::vector<int> next(g.nodes.size(), 0);
    for (const GraphEdge& e : g.edges) {
        page.out_y.push_back(page.top[e.from] + Page::row * ++next[e.from] + 8);
        page.labels = std::max(page.labels, text_width(e.label) + 16);
    }
}

// Short edges get the inner lanes; two edges share a lane when their spans do not meet.
void choose_lanes(const MachineGraph& g, Page& page) {
    std::vector<std::size_t> order(g.edges.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto span = [&](std::size_t e) {
        const int in = page.top[g.edges[e].to] + 9;
        return std::pair(std::min(in, page.out_y[e]), std::max(in, page.out_y[e]));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return span(a).second - span(a).first < span(b).second - span(b).first; });
    std::vector<std::vector<std::size_t>> lanes;
    page.lane_of.assign(g.edges.size(), 0);
    for (const std::size_t e : order) {
        const auto free = [&](const std::vector<std::size_t>& lane) {
            return std::none_of(lane.begin(), lane.end(), [&](std::size_t other) {
                return g.edges[other].to != g.edges[e].to && span(other).first <= span(e).second + 2 &&
                       span(e).first <= span(other).second + 2;
            });
        };
        std::size_t lane = 0;
        while (lane < lanes.size() && !free(lanes[lane])) ++lane;
        if (lane == lanes.size()) lanes.emplace_back();
        lanes[lane].push_back(e);
        page.lane_of[e] = lane;
    }
    page.lanes = lanes.size();
}

std::string box_text(const GraphNode& n, const Page& page, std::size_t i) {
    const char* fill = n.dead ? "#fdd" : n.chance ? "#eef6e8" : n.over ? "#eee" : "#eaf1fb";
    return fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" stroke=\"#345\"{}/>\n<text x=\"{}\" y=\"{}\">{}</text>\n",
        Page::left, page.top[i], page.box, page.height[i], n.chance ? 12 : 4, fill, n.dead ? " stroke-dasharray=\"4\"" : "",
        Page::left + 10, page.top[i] + page.height[i] / 2 + 4, escaped(n.label));
}

}  // namespace

std::string svg_text(const MachineGraph& g) {
    Page page;
    place_rows(g, page);
    choose_lanes(g, page);
    const int right = Page::left + page.box;
    const int first_lane = right + 14 + page.labels;
    const int width = first_lane + Page::lane * page.lanes + 14;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        width, page.bottom);
    text +=
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path "
        "d=\"M0 0L8 4L0 8z\" fill=\"#345\"/></marker></defs>\n";
    text += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    for (const auto& [first, end] : groups_of(g)) {
        if (g.nodes[first].group.empty()) continue;
        const int y = page.top[first] - Page::title;
        text += fmt::format(
            "<rect x=\"10\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"none\" stroke=\"#aab\"/>\n<text x=\"18\" y=\"{}\" "
            "font-weight=\"bold\">{}</text>\n",
            y, page.box + 28, page.top[end - 1] + page.height[end - 1] + 6 - y, y + 17, escaped(g.nodes[first].group));
    }
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
        const int x = first_lane + Page::lane * page.lane_of[e];
        const int in = page.top[g.edges[e].to] + 9;
        text += fmt::format("<polyline points=\"{0},{1} {2},{1} {2},{3} {0},{3}\" fill=\"none\" stroke=\"#345\" marker-end=\"url(#a)\"/>\n",
                            right, page.out_y[e], x, in);
        if (!g.edges[e].label.empty())
            text += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#234\">{}</text>\n", right + 18, page.out_y[e] - 3,
                                escaped(g.edges[e].label));
    }
    for (std::size_t i = 0; i < g.nodes.size(); ++i) text += box_text(g.nodes[i], page, i);
    return text + "</svg>\n";
}

}  // namespace houserule
