// A hint with all its figures.
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/app/knowing/hint_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace houserule::cli {

namespace {

constexpr std::size_t bar_width = 20;
constexpr std::size_t no_width = -1;

std::string header(const Hint& h) {
    const Globals& g = h.g;
    std::string text = say(g, Text::hint_begins, name_words(h.game(), h.game().name, g), h.game().players, seat_words(h.seen.view.seat));
    if (h.known.method == Method::sampled) return text + say(g, Text::shares_are_estimated, h.known.samples);
    if (!h.exact()) return text + say(g, Text::shares_left_out);
    const std::string histories = h.known.histories ? about(*h.known.histories) : "?";
    if (h.known.worlds)
        text += say(g, Text::worlds_and_histories, about(*h.known.worlds), histories);
    else
        text += say(g, Text::histories_that_fit, histories);
    return text;
}

std::string certain_text(const Hint& h) {
    std::string text;
    bool all_decided = true;
    for (const HiddenThing& thing : h.known.things) {
        std::vector<std::string> values;
        for (const Possibility& p : thing.values) {
            all_decided = all_decided && p.certain != Answer::unknown;
            const std::size_t copies = surely(p);
            if (copies > 0)
                values.push_back(possibility_words(h.game(), thing, p.value, h.g) + (copies > 1 ? fmt::format(" ×{}", copies) : ""));
        }
        if (!values.empty())
            text += fmt::format("  {}: {}{}\n", thing_words(h.game(), thing, h.g), fmt::join(values, say(h.g, Text::comma)),
                                is_settled(thing) ? "" : say(h.g, Text::comma_and_more));
    }
    if (text.empty()) text = fmt::format("  {}\n", say(h.g, all_decided ? Text::nothing_hidden : Text::some_not_decided));
    return "\n" + bold(say(h.g, Text::certain_things), h.g) + "\n" + text;
}

std::string share_row(const Hint& h, const HiddenThing& thing, const Possibility& p, std::size_t width) {
    std::string row = "    " + pad_right(possibility_words(h.game(), thing, p.value, h.g), width);
    if (!h.has_shares()) return row + "\n";
    const Rational share = *share_of(h.known, p, h.args);
    const auto cells = Integer(numerator(share) * bar_width / denominator(share)).convert_to<std::size_t>();
    std::string bar;
    for (std::size_t i = 0; i < std::max<std::size_t>(cells, 1); ++i) bar += "█";
    row += "  " + pad_left(is_by_deals(h.args) ? percent(share, h.g) : share_words(h.known, p, h.g), 14);
    const std::string worlds = p.worlds ? say(h.g, Text::worlds_so_far, about(*p.worlds)) : "";
    const std::string with_bar = row + "  " + pad_right(bar, bar_width) + worlds;
    return (display_width(with_bar) <= known_width().value_or(no_width) ? with_bar : row + worlds) + "\n";
}

std::string shares_of(const Hint& h, const HiddenThing& thing) {
    std::vector<const Possibility*> rows;
    for (const Possibility& p : thing.values)
        if (p.possible == Answer::yes && !is_fixed(p)) rows.push_back(&p);
    if (h.has_shares())
        std::stable_sort(rows.begin(), rows.end(), [&](const Possibility* a, const Possibility* b) {
            return weight_of(h.known, *a, h.args) > weight_of(h.known, *b, h.args);
        });
    std::string title = thing_words(h.game(), thing, h.g);
    if (!thing.is_fact && thing.size > 1) title += say(h.g, Text::at_least_one, count_words(h.game(), thing.size, thing.place, h.g));
    const std::size_t shown = std::min(rows.size(), h.args.top);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, display_width(possibility_words(h.game(), thing, rows[i]->value, h.g)));
    std::string text = fmt::format("  {}\n", title);
    for (std::size_t i = 0; i < shown; ++i) text += share_row(h, thing, *rows[i], width);
    if (shown < rows.size()) text += "    " + say(h.g, h.args.at_table ? Text::more_by_all : Text::more_by_top, rows.size() - shown);
    if (const std::string undecided = undecided_words(h.game(), thing, h.g); !undecided.empty()) text += fmt::format("    {}\n", undecided);
    return text;
}

std::string shares_text(const Hint& h) {
    std::string text;
    for (const HiddenThing& thing : h.known.things)
        if (!is_settled(thing)) text += shares_of(h, thing);
    if (text.empty()) return "";
    const std::string title = h.has_shares() ? say(h.g, Text::shares_of) + measure_words(h.args, h.g) : say(h.g, Text::possible_things);
    return "\n" + bold(title, h.g) + "\n" + text;
}

std::string excluded_text(const Hint& h) {
    std::string text;
    const HiddenThing* before = nullptr;
    for (const Excluded& e : h.excluded) {
        if (e.thing != before) text += fmt::format("  {}\n", thing_words(h.game(), *e.thing, h.g));
        before = e.thing;
        std::vector<std::string> values;
        for (const std::int32_t v : e.values) values.push_back(possibility_words(h.game(), *e.thing, v, h.g));
        text += fmt::format("    {}\n", fmt::join(values, say(h.g, Text::comma)));
        if (e.all_seen)
            text += fmt::format("      {}\n", say(h.g, Text::copies_in_sight));
        else if (!e.found)
            text += fmt::format("      {}\n", say(h.g, Text::reasons_cut));
        else if (e.reasons.empty() && e.all_known)
            text += fmt::format("      {}\n", say(h.g, Text::copies_known_elsewhere));
        else if (e.reasons.empty())
            text += fmt::format("      {}\n", say(h.g, Text::excluded_by_rules));
        for (const std::string& line : ground_lines(h.seen, grounds(h.seen, h.deduction, e.reasons), h.g, h.args.at_table))
            text += fmt::format("      {}\n", line);
        if (e.found && !e.irreducible) text += fmt::format("      {}\n", say(h.g, Text::reasons_reducible));
    }
    return text.empty() ? "" : "\n" + bold(say(h.g, Text::ruled_out_things), h.g) + "\n" + text;
}

std::string limits_text(const Hint& h) {
    if (h.limits.empty()) return "";
    std::string text = "\n" + bold(say(h.g, Text::not_found_out), h.g) + "\n";
    for (const std::string& limit : h.limits) text += fmt::format("  {}\n", limit);
    return text;
}

}  // namespace

std::string numbers_text(const Hint& h) {
    std::string text = header(h) + certain_text(h) + shares_text(h) + excluded_text(h);
    const std::size_t top = h.args.at_table ? std::numeric_limits<std::size_t>::max() : h.args.top;
    if (h.advice) text += moves_text(h.seen, *h.advice, top, h.g) + given_away_text(h.seen, *h.advice, top, h.g);
    text += limits_text(h);
    // What is no screen gets each row on one line, for what reads lines.
    const auto width = known_width();
    return width ? folded_lines(text, *width) : text;
}

}  // namespace houserule::cli
