// The steps at which somebody answers, with the random answer.
#include "interpreter/compiled/steps.hpp"

#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/run/node.hpp"

#include <algorithm>

namespace houserule {

namespace {

constexpr int most_shifted = 4;  // copies of a kind: with more, a loop over the kinds is as fast

std::string to_label(StepId c) { return fmt::format("goto L{};", c.value()); }

}  // namespace

// Of cards, one for each kind at each place. At one place a shift finds other copies, which follow each other.
std::string StepText::representatives(ExpressionId cards, const std::string& from) {
    const auto most =
        std::max_element(g_.kinds.begin(), g_.kinds.end(), [](const PieceKind& a, const PieceKind& b) { return a.copies < b.copies; });
    if (most->copies > most_shifted || !x_.in_one_place(cards)) return fmt::format("pieces.representatives({}, {})", from, where_of(cards));
    std::vector<MaskWords> same_below;
    for (int less = 1; less < most->copies; ++less) {
        same_below.push_back(text_.no_words());
        for (const PieceKind& kind : g_.kinds)
            for (int i = less; i < kind.copies; ++i) add_bit(same_below.back(), kind.first_piece + i);
    }
    return fmt::format("one_of_each({}, {})", from, text_.masks(same_below));
}

// The number of moves. `options`: the set that is chosen from, empty for numbers; `several`: what ranks a choice of several.
std::string StepText::moves_of(const Step& s, std::string& options, std::string& several) {
    if ((s.mode & choice_range) != 0) {
        options = text_.number(x_.number(s.y));
        const std::string high = text_.number(x_.number(s.w));
        return fmt::format("{1} < {0} ? 0 : std::uint64_t({1} - {0}) + 1", options, high);
    }
    const bool cards = x_.is_cards(s.y);
    const std::string from = text_.mask(x_.mask(s.y));
    if ((s.mode & choice_many) == 0) {
        options = cards && !single_copies_ ? text_.mask(representatives(s.y, from)) : from;
        return options + ".size()";
    }
    options = from;
    const std::string low = text_.number(x_.number(s.z));
    const std::string high = text_.number(x_.number(s.w));
    several = fmt::format("w.several[{}]", several_++);
    return fmt::format("{}.set(pieces, {}, {}, {}, {}, {})", several, from, cards, low, high, where_of(s.y));
}

void StepText::choose(const Step& s) {
    x_.promises(s.x);
    std::string options;
    std::string several;
    const std::string sets = text_.fresh("n");
    const std::string count = moves_of(s, options, several);
    text_.line(fmt::format("const std::uint64_t {} = {};", sets, count));
    if (!several.empty()) x_.fail_if(fmt::format("{} > {}", sets, s.fits == no_id ? "subsets_limit - 1" : std::to_string(tried_limit)));
    const auto set_of = [&](const char* rank) {
        return fmt::format("{}.taken(pieces, {}, {}, {})", several, options, rank, where_of(s.y));
    };
    const std::string moves = s.fits == no_id ? sets : fitting(s, sets, set_of("rank"));
    if (s.c == no_id)
        x_.fail_if(moves + " == 0");
    else
        text_.line(fmt::format("if ({} == 0) {}", moves, to_label(s.c)));
    const bool optional = (s.mode & choice_optional) != 0;
    if (optional) {
        // Play may begin between the two answers.
        text_.open(fmt::format("if (number_at(s, {}) == 0)", m_.layout.pc + 4));
        node();
        text_.line("++decisions; options += 2;");
        text_.line(fmt::format("if (random.below(2) == 0) {}", to_label(s.c)));
        text_.line(fmt::format("taken[{}] += sign;", pc_.value()));
        text_.close();
        text_.line(fmt::format("else put(s, {}, 0);", m_.layout.pc + 4));
    }
    text_.line("std::uint64_t move = 0;");
    text_.open(fmt::format("if ({} > 1)", moves));
    node();
    text_.line(fmt::format("++decisions; options += {};", moves));
    if (!optional) text_.line(fmt::format("taken[{}] += sign;", pc_.value()));
    text_.line(fmt::format("move = random.below({});", moves));
    text_.close("} else ++forced;");
    if ((s.mode & choice_range) != 0)
        set_variable(s.a, fmt::format("{} + int(move)", options));
    else if (s.fits != no_id)
        take_fitting(s, sets, set_of("rank"));
    else if (!several.empty())
        set_variable(s.a, set_of("move"));
    else
        set_variable(s.a, fmt::format("nth({}, int(move)) + {}", options, x_.is_cards(s.y) ? 0 : x_.first_of(s.y)));
}

// How many of the sets fit the condition on the whole: each is tried.
std::string StepText::fitting(const Step& s, const std::string& sets, const std::string& set) {
    const std::string fit = text_.fresh("n");
    text_.line(fmt::format("std::uint64_t {} = 0;", fit));
    const std::string before = text_.mask(storage_.variable(s.a));
    text_.open(fmt::format("for (std::uint64_t rank = 0; rank < {}; ++rank)", sets));
    text_.forget_all();  // what was computed of another set is not so of this one
    set_variable(s.a, set);
    text_.line(fmt::format("if ({}) ++{};", x_.number(s.fits), fit));
    text_.close();
    text_.forget_all();
    set_variable(s.a, before);
    return fit;
}

// Of the sets that fit, the one that is the move.
void StepText::take_fitting(const Step& s, const std::string& sets, const std::string& set) {
    text_.line("std::uint64_t passed = 0;");
    text_.open(fmt::format("for (std::uint64_t rank = 0; rank < {}; ++rank)", sets));
    text_.forget_all();
    set_variable(s.a, set);
    text_.line(fmt::format("if ({} && passed++ == move) break;", "(" + x_.number(s.fits) + ")"));
    text_.close();
    text_.forget_all();
}

void StepText::ask(const Step& s) {
    x_.promises(s.x);
    node();
    text_.line("++decisions; options += 2;");
    text_.line(fmt::format("if (random.below(2) == 0) {}", to_label(s.c)));
    text_.line(fmt::format("taken[{}] += sign;", pc_.value()));
}

void StepText::draw(const Step& s) {
    const std::string from = text_.number(x_.number(s.x));
    const std::string options = text_.mask(fmt::format("piles.drawable({}, {})", from, s.mode == 1));
    const std::string n = text_.number(options + ".size()");
    if (s.c == no_id)
        x_.fail_if(n + " == 0");
    else
        text_.line(fmt::format("if ({} == 0) {}", n, to_label(s.c)));
    const std::string to = text_.number(x_.number(s.y));
    deal(s, from, to, options, n);
    text_.line(fmt::format("int drawn = {}.lowest();", options));
    text_.open(fmt::format("if ({} > 1)", n));
    node();
    text_.line("++chances;");
    text_.line(fmt::format("drawn = nth({}, int(random.below(unsigned({}))));", options, n));
    text_.close();
    if (!single_copies_) text_.line(fmt::format("drawn = ({} & pieces.like(drawn)).lowest();", options));
    const Zone* const zone = zone_of(s.y);
    if (zone != nullptr && !has_order(*zone))
        text_.line(fmt::format("piles.lift_from(drawn, {}); piles.lay(drawn, {});", from, to));
    else
        text_.line(fmt::format("piles.move(drawn, {}, false);", to));
    if (s.a != no_id) set_variable(s.a, "drawn");
    if (!has_room(zone)) fail_beyond(to, fmt::format("piles.size({})", to));
}

// A loop that deals: its draws as long as there are two pieces to draw from, moved together. The last is drawn as any other.
void StepText::deal(const Step& s, const std::string& from, const std::string& to, const std::string& options, const std::string& n) {
    if (!quick_.steps[pc_].wide || s.a != no_id) return;
    const VariableId wanted = m_.code[pc_ + 1].a;
    const Zone* const source = zone_of(s.x);
    const Zone* const target = zone_of(s.y);
    if (target != nullptr && has_order(*target)) return;
    std::string fits = n + " > 1";
    if (source == nullptr || source == target) fits += fmt::format(" && {} != {}", from, to);
    if (target == nullptr) fits += fmt::format(" && !piles.is_ordered({})", to);
    if (source == nullptr || has_order(*source)) fits += fmt::format(" && (!piles.is_ordered({0}) || piles.is_one_part({0}))", from);
    if (!has_room(target)) fits += fmt::format(" && {0} <= capacity[{1}] - piles.size({1})", storage_.variable(wanted), to);
    text_.open(fmt::format("if ({})", fits));
    text_.line(fmt::format("M rest = {}, dealt;", options));
    text_.line(fmt::format("int there = {}, wanted = {};", n, storage_.variable(wanted)));
    text_.open("for (; wanted > 0 && there > 1; --wanted, --there)");
    node();
    text_.line("++chances;");
    text_.line("int piece = nth(rest, int(random.below(unsigned(there))));");
    if (!single_copies_) text_.line("piece = (rest & pieces.like(piece)).lowest();");
    text_.line(fmt::format("rest.remove(piece), dealt.add(piece), piles.put_where(piece, {});", to));
    text_.close();
    text_.line(fmt::format("piles.move_unordered(dealt, {}, {});", from, to));
    set_variable(wanted, "wanted");
    go(pc_ - 1);
    text_.close();
}

// The options with their weights; the result is the sum of these, in `weight` by option.
std::string StepText::weighted(const Step& s, const std::string& all) {
    const std::int32_t first = x_.first_of(s.x);
    auto weights = m_.weights[s.b];
    const std::string options = text_.fresh("m");
    text_.line(fmt::format("M {};", options));
    std::vector<std::pair<std::int32_t, std::string>> names;
    for (const auto& [value, weight] : weights) {
        names.emplace_back(value, text_.number(x_.number(weight)));
        text_.line(fmt::format("if ({0} > 0 && {1}.has({2})) {3}.add({2});", names.back().second, all, value - first, options));
    }
    std::sort(names.begin(), names.end());
    text_.line("std::uint64_t total = 0;");
    for (const auto& [value, name] : names)
        text_.line(fmt::format("if ({}.has({})) total += std::uint64_t({});", options, value - first, name));
    text_.line("std::uint64_t below = 0; int picked = -1;");
    x_.fail_if(options + ".empty()");
    text_.line(fmt::format("if ({}.single()) picked = {}.lowest();", options, options));
    text_.open("else");
    node();
    text_.line("++chances; below = random.below(total);");
    for (const auto& [value, name] : names)
        text_.line(fmt::format("if (picked < 0 && {0}.has({1})) {{ if (below < std::uint64_t({2})) picked = {1}; else below -= {2}; }}",
                               options, value - first, name));
    text_.close();
    return options;
}
void StepText::report(const Step& s) {
    if (s.y != no_id) x_.promises(s.y);
    const bool cards = x_.is_cards(s.x);
    const std::string all = text_.mask(x_.mask(s.x));
    std::string options = all;
    if (s.b != no_id) {
        options = weighted(s, all);
    } else {
        x_.fail_if(all + ".empty()");
        text_.line(fmt::format("int picked = {}.lowest();", all));
        text_.open(fmt::format("if (!{}.single())", all));
        node();
        text_.line(fmt::format("++chances; picked = nth({0}, int(random.below(unsigned({0}.size()))));", all));
        text_.close();
    }
    if (cards && !single_copies_) text_.line(fmt::format("picked = pieces.copies_like({}, picked, {}).lowest();", options, where_of(s.x)));
    set_variable(s.a, fmt::format("picked + {}", cards ? 0 : x_.first_of(s.x)));
}

void StepText::window(const Step& s) {
    const Act& act = g_.acts[s.a];
    const std::string may = text_.mask(storage_.variable(s.b));
    text_.line(fmt::format("M who = {};", may));
    text_.open(fmt::format("if (!{}.empty())", may));
    node();
    text_.line(fmt::format("++opened; windows += unsigned({}.size());", may));
    text_.open(fmt::format("for (M rest = {}; !rest.empty();)", may));
    text_.line("const int p = rest.pop();");
    text_.line(fmt::format("const std::uint64_t roll = random.below(volunteer < 0 ? {} : 1000000u);", act.odds_of));
    text_.line(fmt::format("if (std::int64_t(roll) < (volunteer < 0 ? {} : volunteer)) taken[{}] += sign; else who.remove(p);", act.odds,
                           pc_.value()));
    text_.close();
    // The seat that is watched acts.
    const char* const to = storage_.reads(pc_) == reads_present ? "acts" : "handed";
    text_.line(fmt::format("if (watched >= 0 && who.has(watched)) {{ g->acting = who.w[0]; at = {}; goto {}; }}", pc_.value(), to));
    text_.close();
    set_variable(s.b, "who");
}

}  // namespace houserule
