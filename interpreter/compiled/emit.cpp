#include "interpreter/compiled/emit.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/text/hash.hpp"
#include "interpreter/compiled/expressions.hpp"
#include "interpreter/compiled/fast_forms.hpp"
#include "interpreter/compiled/interface.hpp"
#include "interpreter/compiled/steps.hpp"
#include "interpreter/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace houserule {

namespace {

// Rounds without an answer after which the interpreter plays the game: it looks whether play goes round in circles.
constexpr std::uint64_t compiled_rounds = forced_limit / 10;
static_assert(compiled_rounds <= forced_limit && told_limit <= std::numeric_limits<std::int32_t>::max());

class Printer {
public:
    Printer(const std::shared_ptr<const Machine>& machine, std::size_t index)
        : m_(*machine), g_(machine->game), index_(index), known_(known_of(machine)), text_(machine->layout.words) {}

    std::string all() {
        std::set<VariableId> read{m_.ended_match, m_.ended_game};
        const std::string result = this->result(read);
        const std::string play = this->play(read);
        return fmt::format("namespace game{} {{\n{}{}{}}}\n", index_, head(), play, result);
    }
    const std::string& unknown() const { return unknown_; }

private:
    template <class Values>
    static std::string list(const Values& values) {
        std::string text;
        for (const auto v : values) text += fmt::format("{},", v);
        return text;
    }

    // What both functions read: sizes, tables of places and pieces, and the tables that the steps need.
    std::string head() const {
        const Layout& l = m_.layout;
        std::string text = fmt::format("namespace {{\nusing M = Mask<{}>;\n", l.words);
        text += fmt::format("constexpr int P = {};\nconstexpr std::size_t state_bytes = {};\n", g_.players, l.bytes);
        text += fmt::format("struct Places {{ std::uint32_t place[{0}], order[{0}], marks[{0}], where; }};\n", l.place.size());
        text += fmt::format("constexpr Places places = {{{{{}}}, {{{}}}, {{{}}}, {}}};\n", list(l.place), list(l.order), list(l.marks),
                            l.where);
        std::vector<std::int32_t> capacity(l.place.size(), std::numeric_limits<std::int32_t>::max());
        for (std::size_t p = 1; p < capacity.size(); ++p) capacity[p] = g_.zones[m_.place_zone[p]].capacity;
        text += fmt::format("constexpr int capacity[] = {{{}}};\n", list(capacity));
        text += fmt::format("constexpr std::int32_t kind_of[] = {{{}0}};\nconstexpr M of_kind[] = {{", list(g_.piece_kind));
        for (const PieceKind& kind : g_.kinds) {
            MaskWords words = text_.no_words();
            for (std::int32_t i = kind.first_piece; i < kind.first_piece + kind.copies; ++i) add_bit(words, i);
            text += mask_text(words) + ",";
        }
        text += fmt::format("M{{}}}};\nconstexpr PieceForms<{}> pieces(kind_of, of_kind, {});\n", l.words, !has_copies(g_));
        text +=
            "inline int number_at(const std::byte* s, std::uint32_t at) { return read_bytes<std::int32_t>(s, at); }\n"
            "inline M mask_at(const std::byte* s, std::uint32_t at) { return read_bytes<M>(s, at); }\n"
            "template <class T> void put(std::byte* s, std::uint32_t at, const T& v) { write_bytes(s, at, v); }\n"
            "struct Where { const std::byte* s; int operator()(int piece) const {"
            " return read_bytes<std::uint16_t>(s, places.where + 2 * piece); } };\n"
            "struct OnePlace { int operator()(int) const { return 0; } };\n";
        const std::size_t things = std::max({g_.piece_kind.size(), std::size_t{64} * l.words});
        text += fmt::format("struct Work {{ std::byte before[state_bytes]; Several<{0}, {1}> several[{2}]; ", l.words, things,
                            std::max(1, several_));
        text += splits_ == 0 ? "};\n" : fmt::format("SplitForms<{}> splits[{}]; }};\n", l.words, splits_);
        return text + text_.tables() + fmt::format("}}\nextern \"C\" const std::uint64_t houserule_work_{} = sizeof(Work);\n", index_);
    }

    // `read`: the variables that are read when a game is over.
    std::string play(const std::set<VariableId>& read) {
        const Storage storage(m_, true);
        ExpressionText expressions(m_, *known_, text_, storage);
        StepText steps(m_, *known_, text_, storage, expressions);
        std::string body;
        for (const auto& line : text_.apart([&] { steps.all(); })) body += line + "\n";
        several_ = steps.choices_of_several();
        splits_ = std::max(splits_, expressions.splits());
        note(steps.unknown());
        note(expressions.unknown());
        std::string text = fmt::format(
            "#define NODE(pc) do {{ left = {}; told = {}; steps[pc] += sign; if (--look == 0) {{ look = {}; "
            "if (g->is_over(g->asked)) {{ at = pc; goto stopped; }} }} }} while (false)\n"
            "#define KEEP_BEFORE {}\nextern \"C\" CompiledEnd houserule_play_{}(CompiledPlay* g) {{\n"
            "std::byte* __restrict const s = g->state;\nif (g->from != nullptr) std::memcpy(s, g->from, state_bytes);\nWork& w = "
            "*reinterpret_cast<Work*>(g->work);\nstd::byte* const b = w.before;\n"
            "const std::byte* r = s;\nPileForms<{}, Places> piles(s, places);\nRandom random = *g->random;\n"
            "std::uint64_t* const steps = g->steps;\nstd::uint64_t* const taken = g->taken;\nstd::uint8_t* const reached = g->reached;\n"
            "const std::uint64_t sign = g->sign;\nconst std::int64_t volunteer = g->volunteer;\nconst std::int32_t watched = g->watched;\n"
            "std::uint64_t decisions = 0, options = 0, forced = 0, chances = 0, windows = 0, opened = 0;\n"
            "int left = {}, told = {}, look = {}, at = -1;\nCompiledEnd end = compiled_over;\n(void)w, (void)b, (void)r, "
            "(void)volunteer, (void)watched;\n",
            compiled_rounds, told_limit, steps_between_looks, storage.copied_before(), index_, m_.layout.words, compiled_rounds, told_limit,
            steps_between_looks);
        for (const std::string& line : storage.declared()) text += line + "\n";
        text += fmt::format("const int from = number_at(s, {0});\nif (from == {1}) goto L{1};\nswitch (from) {{\n", m_.layout.pc,
                            steps.first().value());
        for (const StepId entry : steps.entries()) text += fmt::format("case {0}: goto L{0};\n", entry.value());
        text += fmt::format("}}\ngoto handed;\n{}goto handed;\nacts: end = compiled_acts;\n", body);
        for (const bool at_end : {false, true}) {
            if (at_end) text += "goto leave;\nover:\n";
            for (const std::string& line : storage.written_back(at_end, read)) text += line + "\n";
            text += fmt::format("put(s, {}, at);\n", m_.layout.pc);
        }
        return text +
               "goto leave;\nhanded: end = compiled_handed; goto leave;\nstopped: end = compiled_stopped;\nleave:\n"
               "*g->random = random;\ng->decisions += decisions * sign;\ng->options += options * sign;\ng->forced += forced * sign;\n"
               "g->chances += chances * sign;\ng->windows += windows * sign;\ng->opened += opened * sign;\ng->at = at;\nreturn "
               "end;\n}\n#undef NODE\n#undef KEEP_BEFORE\n" +
               fmt::format("extern \"C\" const std::int32_t houserule_first_{} = {};\n", index_, steps.first().value());
    }

    // Who won, the scores and the payoffs, as Run::in_front, Run::scores and Run::payoffs say it.
    // Adds to `read` what it reads.
    std::string result(std::set<VariableId>& read) {
        const Storage storage(m_, false);
        ExpressionText x(m_, *known_, text_, storage);
        x.set(reads_present, "return 0;");
        std::string body;
        for (const auto& line : text_.apart([&] { result_lines(x); })) body += line + "\n";
        note(x.unknown());
        splits_ = std::max(splits_, x.splits());
        read.insert(storage.read_variables().begin(), storage.read_variables().end());
        return fmt::format(
            "extern \"C\" std::int32_t houserule_result_{}(const std::byte* s, std::byte* work, CompiledResult* out) {{\n"
            "Work& w = *reinterpret_cast<Work*>(work);\n(void)s, (void)w;\n{}return 1;\n}}\n",
            index_, body);
    }
    void result_lines(ExpressionText& x) {
        const bool by_pay = !g_.winner.present || g_.winner.set == no_id;
        if (g_.score != no_id) by_player(x, g_.score, "score");
        if (g_.payoff != no_id) by_player(x, g_.payoff, "pay");
        if (g_.score != no_id) text_.line("for (int p = 0; p < P; ++p) out->scores[p] = score[p];");
        if (g_.payoff != no_id) text_.line("for (int p = 0; p < P; ++p) out->payoffs[p] = pay[p];");
        text_.line("M left;");
        if (by_pay) {
            if (g_.payoff == no_id) return;
            text_.line("for (int p = 0; p < P; ++p) left.add(p);");
            keep_best("left", "pay[p]", true);
        } else {
            text_.line(fmt::format("left = {};", x.mask(g_.winner.set)));
            for (const WinnerKey& key : g_.winner.keys) keep_by_key(x, key);
            if (g_.winner.last == LastWord::nobody) text_.line("if (left.size() > 1) left = M{};");
        }
        text_.line("out->winners = left.w[0];");
    }
    void by_player(ExpressionText& x, ExpressionId e, const char* name) {
        text_.line(fmt::format("int {}[P];", name));
        x.hoist_always(e, g_.score_bound);
        x.hoist(e, g_.score_bound);
        text_.open(fmt::format("for (int {0} = 0; {0} < P; ++{0})", x.bound(g_.score_bound)));
        text_.line(fmt::format("{}[{}] = {};", name, x.bound(g_.score_bound), x.number(e)));
        text_.close();
    }
    void keep_best(const std::string& left, const std::string& value, bool most) {
        text_.line(
            fmt::format("{{ M best; int best_value = {2}; for (int p = 0; p < P; ++p) if ({0}.has(p)) "
                        "keep_best<{3}>(best, best_value, M::bit(p), {1}); {0} = best; }}",
                        left, value, most ? "worst_of_most" : "worst_of_least", most));
    }
    void keep_by_key(ExpressionText& x, const WinnerKey& key) {
        // Most games are won by the score, which is known by now.
        if (g_.score != no_id && x.key(key.expression, g_.winner.bound, "p") == x.key(g_.score, g_.score_bound, "p"))
            return keep_best("left", "score[p]", key.most);
        const std::string value = text_.fresh("k");
        text_.line(fmt::format("int {}[P] = {{}};", value));
        x.hoist(key.expression, g_.winner.bound);
        text_.open("for (M rest = left; !rest.empty();)");
        text_.line(fmt::format("const int {} = rest.pop();", x.bound(g_.winner.bound)));
        text_.line(fmt::format("{}[{}] = {};", value, x.bound(g_.winner.bound), x.number(key.expression)));
        text_.close();
        keep_best("left", value + "[p]", key.most);
    }
    void note(const std::string& unknown) {
        if (unknown_.empty()) unknown_ = unknown;
    }

    const Machine& m_;
    const Game& g_;
    std::size_t index_;
    std::unique_ptr<Known> known_;
    CompiledText text_;
    int several_ = 0;
    int splits_ = 0;
    std::string unknown_;
};

}  // namespace

Emitted emit(const std::shared_ptr<const Machine>& machine) { return emit(std::vector{machine}); }

Emitted emit(const std::vector<std::shared_ptr<const Machine>>& machines) {
    Emitted made;
    made.games = machines.size();
    std::string text = fmt::format("{}\nusing namespace houserule;\nusing namespace houserule::compiled;\n", fast_forms());
    for (std::size_t i = 0; i < machines.size(); ++i) {
        Printer printer(machines[i], i);
        text += printer.all();
        if (made.unknown.empty()) made.unknown = printer.unknown();
    }
    if (!made.unknown.empty()) return made;
    made.key = fnv1a(text);
    made.text = text + fmt::format("extern \"C\" const std::uint64_t houserule_key = {:#x}u;\n", made.key);
    return made;
}

}  // namespace houserule
