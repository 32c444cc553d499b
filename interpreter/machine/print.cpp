// The printed form of a machine: where things lie in the state, then the steps, each with its number, its rule and its expressions.
#include "dsl/check/check.hpp"
#include "dsl/text/index_of.hpp"
#include "interpreter/machine/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace houserule {

namespace {

struct MachinePrinter {
    const Machine& m;
    const Game& game = m.game;
    std::string out;

    std::string e(ExpressionId id) const { return print(game, id); }
    std::string variable(VariableId v) const { return v == no_id ? "-" : fmt::format("{}#{}", game.variables[v].name, v.value()); }
    void line(const std::string& text) { out += text + "\n"; }

    void layout() {
        const Layout& l = m.layout;
        line(fmt::format("machine of {} for {} players: {} bytes, sets of {} bits, {} steps, begins at {}", game.name, game.players,
                         l.bytes, 64 * l.words, m.code.size(), m.start.value()));
        line(fmt::format("{:6} step to run", l.pc));
        for (std::size_t p = 0; p < l.place.size(); ++p) {
            std::string text = fmt::format("{:6} place {} {}", l.place[p], p, place_name(game, PlaceId(p)));
            if (l.order[p] != 0) text += fmt::format(", order at {}", l.order[p]);
            if (l.marks[p] != 0) text += fmt::format(", parts at {}", l.marks[p]);
            line(text);
        }
        line(fmt::format("{:6} where each of {} pieces lies", l.where, game.piece_kind.size()));
        for (std::size_t f = 0; f < l.fact.size(); ++f)
            line(fmt::format("{:6} fact {} ({} of {})", l.fact[f], game.facts[f].name, game.facts[f].count,
                             type_text(game, game.facts[f].type)));
        for (std::size_t v = 0; v < l.variable.size(); ++v)
            line(fmt::format("{:6} variable {} {}", l.variable[v], variable(VariableId(v)), type_text(game, game.variables[v].type)));
    }

    // Where control comes to from elsewhere under a name.
    std::string entry(StepId at) const {
        for (std::size_t r = 0; r < m.rule_entry.size(); ++r)
            if (m.rule_entry[r] == at) return fmt::format("rule {}\n", game.rules[r].name);
        return at == m.start ? "start\n" : "";
    }

    std::string put(const Step& s) const {
        const char* word = (s.mode & put_under) != 0 ? "under" : (s.mode & put_on) != 0 ? "on" : "in";
        std::string text = fmt::format("put {} {} {}", e(s.z != no_id ? s.z : s.x), word, e(s.y));
        if ((s.mode & put_shuffled) != 0) text += ", shuffled";
        if ((s.mode & put_in_order) != 0) text += ", in order";
        return text;
    }
    std::string choice(const Step& s) const {
        std::string text = fmt::format("{} chooses {} from {}", e(s.x), variable(s.a), e(s.y));
        if ((s.mode & choice_range) != 0) text += fmt::format("..{}", e(s.w));
        if ((s.mode & choice_many) != 0) text += fmt::format(", {}..{} of them", e(s.z), e(s.w));
        if (s.fits != no_id) text += fmt::format(", where {}", e(s.fits));
        if ((s.mode & choice_aloud) != 0) text += ", aloud";
        if ((s.mode & choice_optional) != 0) text += ", if wanted";
        if ((s.mode & choice_joint) != 0) text += ", together";
        return text;
    }
    std::string report(const Step& s) const {
        std::vector<std::string> texts;
        const Type element = s.x == no_id ? Type{} : game.expressions[s.x].type;
        if (s.b != no_id)
            for (const auto& [value, weight] : m.weights[s.b]) {
                Type t = element;
                t.base = element.element;
                texts.push_back(fmt::format("{}: {}", value_name(game, t, value), e(weight)));
            }
        const std::string weights = texts.empty() ? "" : fmt::format(" {{{}}}", fmt::join(texts, ", "));
        const std::string seer = s.y == no_id ? "" : " for " + e(s.y);
        return fmt::format("{} {} from {}{}{}", s.mode == 1 ? "chance picks" : "table tells", variable(s.a), e(s.x), seer, weights);
    }
    std::string loop(const Step& s) const {
        const PlayerLoop& l = m.loops[s.a];
        return fmt::format("next player {}{} {} {} {}, counted by {}", variable(l.player), l.set == no_id ? "" : " in " + variable(l.set),
                           l.clockwise ? "clockwise" : "counterclockwise", l.after ? "after" : "from", variable(l.first),
                           variable(l.counter));
    }
    std::string reset(const Step& s) const {
        std::vector<std::string> names;
        for (const FactId f : m.resets[s.a]) names.push_back(game.facts[f].name);
        return fmt::format("reset {}", fmt::join(names, ", "));
    }

    std::string step(const Step& s) const {
        switch (s.op) {
            case Op::nothing:
                return "nothing";
            case Op::reset:
                return reset(s);
            case Op::gather:
                return "gather all pieces";
            case Op::assign:
                return fmt::format("{} = {}", variable(s.a), e(s.x));
            case Op::set_fact:
                return fmt::format("fact {}{} = {}", game.facts[s.a].name, s.y == no_id ? "" : fmt::format("[{}]", e(s.y)), e(s.x));
            case Op::put:
                return put(s);
            case Op::shuffle:
                return fmt::format("shuffle {}", e(s.x));
            case Op::says:
                return fmt::format("{} says {}", e(s.x), game.words[s.a]);
            case Op::show:
                return fmt::format("show {} to {}", e(s.x), s.y == no_id ? "all" : e(s.y));
            case Op::judged:
                return fmt::format("judged by {}", e(s.x));
            case Op::jump:
                return "jump";
            case Op::branch:
                return fmt::format("unless {}", e(s.x));
            case Op::call:
                return fmt::format("call, back by {}", variable(s.a));
            case Op::enter:
                return fmt::format("enter {}", game.rules[s.a].name);
            case Op::leave:
                return fmt::format("leave by {}", variable(s.a));
            case Op::next_player:
                return loop(s);
            case Op::next_element:
                return fmt::format("next {} of {}", variable(s.b), variable(s.a));
            case Op::add_element:
                return fmt::format("{} gains {}", variable(s.a), variable(s.b));
            case Op::store:
                return fmt::format("{} of {} = {}", variable(s.a), variable(s.c), variable(s.b));
            case Op::load:
                return fmt::format("{} = {} of {}", variable(s.b), variable(s.a), variable(s.c));
            case Op::choose:
                return choice(s);
            case Op::ask:
                return fmt::format("ask {} {}", e(s.x), game.words[s.a]);
            case Op::draw:
                return fmt::format("draw {} from {} to {}{}", variable(s.a), e(s.x), e(s.y), s.mode == 1 ? ", blindly" : "");
            case Op::report:
                return report(s);
            case Op::window:
                return fmt::format("window {} for {}", game.acts[s.a].name, variable(s.b));
            case Op::joint_end:
                return "what was chosen together is known";
            case Op::effects_begin:
            case Op::effects_end:
                return s.op == Op::effects_begin ? "effects begin" : "effects end";
            case Op::claim:
                return fmt::format("{} = {}, others than {}", variable(s.a), e(s.x), variable(s.b));
            case Op::ended:
                return fmt::format("end {}", game.ends[s.a].name);
            case Op::promise:
                return fmt::format("promise {}", e(s.x));
            case Op::agree:
                return agree(m.overlaps[s.a]);
            case Op::halt:
                return "halt";
        }
        return "";
    }
    static std::string agree(const Overlap& o) {
        if (!o.compared) return "never both";
        return fmt::format("{} and {} come to the same", o.first.entry.value(), o.other.entry.value());
    }
    // What may stand in `c` besides a jump target: `store` and `load` have a variable there.
    static bool jumps(const Step& s) { return s.c != no_id && s.op != Op::store && s.op != Op::load; }

    void steps() {
        for (std::size_t i = 0; i < m.code.size(); ++i) {
            const Step& s = m.code[i];
            out += entry(StepId(i));
            line(fmt::format("{:6} {}{}", i, step(s), jumps(s) ? fmt::format(" -> {}", s.c.value()) : ""));
        }
    }
};

}  // namespace

std::string print(const Machine& machine) {
    MachinePrinter printer{machine, machine.game, {}};
    printer.layout();
    printer.steps();
    return std::move(printer.out);
}

std::string_view step_name(Op op) {
    static constexpr std::array names = {
#define HOUSERULE_STEP(row) std::string_view(#row),
#include "interpreter/machine/steps.def"
#undef HOUSERULE_STEP
    };
    return names[index_of(op)];
}

}  // namespace houserule
