// A hint in words: what can be known of what the game asks for, what is ruled out by what happened, and what can be done now.
#include "dsl/game/names.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/asked_for.hpp"
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/app/knowing/hint_advice.hpp"
#include "interpreter/app/knowing/hint_moves.hpp"
#include "interpreter/app/knowing/knowledge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t screen_lines = 24;
constexpr std::size_t things_shown = 5;   // on the first screen
constexpr std::size_t reasons_shown = 2;  // of one group
constexpr std::size_t moves_shown = 7;
constexpr std::size_t limits_shown = 1;
constexpr std::size_t in_a_ratio = 3;  // so many shares can be read as `2 : 1 : 1`
constexpr int ratio_most = 12;

// How much is told, so that it fits one screen.
struct HintLength {
    std::size_t values;    // of one thing, where shares differ
    std::size_t groups;    // of what is ruled out
    std::size_t excluded;  // values of such a group
};
constexpr HintLength hint_lengths[] = {{6, 5, 40}, {5, 4, 6}, {4, 3, 4}, {3, 2, 3}, {2, 1, 2}};

struct HintWords {
    const Hint& h;
    std::size_t width;
    bool is_whole;  // all of it, not one screen
    HintLength length = hint_lengths[0];
    const Globals& g = h.g;
    const Game& game = h.game();
    Listener listener{seat_bit(h.seen.view.seat), h.seen.view.seat};

    std::string comma() const { return say(g, Text::comma); }
    std::string list(const std::vector<std::string>& items) const { return fmt::format("{}", fmt::join(items, comma())); }
    std::string value(const HiddenThing& thing, std::int32_t v) const { return possibility_words(game, thing, v, g); }
    std::string name(const HiddenThing& thing) const {
        return thing.is_fact ? fact_words(game, thing.fact, thing.index, listener, g) : place_words(game, thing.place, listener, g);
    }
    std::string either(const std::vector<std::string>& names) const {
        if (names.size() == 1) return names.front();
        return list({names.begin(), names.end() - 1}) + say(g, Text::hint_or) + names.back();
    }
    std::string share(const Possibility& p) const {
        return is_by_deals(h.args) ? percent(*share_of(h.known, p, h.args), g) : share_words(h.known, p, g);
    }
    std::vector<const Possibility*> open(const HiddenThing& thing) const;
    std::optional<std::string> ratio(const std::vector<const Possibility*>& values) const;
    std::string single(const HiddenThing& thing) const;
    std::string by_field(const HiddenThing& thing, const std::vector<const Possibility*>& values) const;
    std::string several(const HiddenThing& thing) const;
    std::string method() const;
    std::string known(const HiddenThing& thing) const;
    std::vector<std::string> known_lines(std::size_t& left_out) const;
    std::string known() const;
    std::string reason(const Excluded& e) const;
    std::vector<HintParts::RuledOut> ruled_out_parts(std::size_t& left_out) const;
    std::string ruled_out() const;
    std::size_t limits_told() const { return is_whole ? h.limits.size() : std::min(h.limits.size(), limits_shown); }
    std::string not_found_out() const;
    std::string as_asked(const HiddenThing& thing, std::int32_t is) const;
    std::string more() const;
};

// What is possible, likeliest first.
std::vector<const Possibility*> HintWords::open(const HiddenThing& thing) const {
    std::vector<const Possibility*> rows;
    for (const Possibility& p : thing.values)
        if (p.possible == Answer::yes) rows.push_back(&p);
    if (h.has_shares())
        std::ranges::stable_sort(rows, [&](const Possibility* a, const Possibility* b) {
            return weight_of(h.known, *a, h.args) > weight_of(h.known, *b, h.args);
        });
    return rows;
}

// `2 : 1`, where the numbers are small and exact.
std::optional<std::string> HintWords::ratio(const std::vector<const Possibility*>& values) const {
    if (values.size() > in_a_ratio || (h.known.method == Method::sampled && !is_by_deals(h.args))) return std::nullopt;
    const Rational least = *weight_of(h.known, *values.back(), h.args);
    std::vector<std::string> parts;
    for (int factor = 1; factor <= ratio_most; ++factor) {
        parts.clear();
        for (const Possibility* p : values) {
            const Rational part = *weight_of(h.known, *p, h.args) / least * factor;
            if (denominator(part) != 1 || part > ratio_most) break;
            parts.push_back(numerator(part).str());
        }
        if (parts.size() == values.size()) return fmt::format("{}", fmt::join(parts, " : "));
    }
    return std::nullopt;
}

// What all the cards that are left have in common, though it is not known which it is.
std::string HintWords::by_field(const HiddenThing& thing, const std::vector<const Possibility*>& values) const {
    if (thing.is_fact || values.size() < 2) return "";
    const Family& family = game.families[game.kinds[values.front()->value].family];
    std::string text;
    for (std::size_t f = 0; f < family.fields.size() && family.fields.size() > 1; ++f) {
        const Field& field = family.fields[f];
        if (field.type.base == Base::set) continue;
        const auto value_of = [&](const Possibility* p) { return game.kinds[p->value].values[f]; };
        const bool alike = std::ranges::all_of(values, [&](const Possibility* p) {
            return &game.families[game.kinds[p->value].family] == &family && value_of(p) == value_of(values.front());
        });
        if (alike)
            text +=
                say(g, Text::hint_its_field, name_words(game, field.name, g), field_value_words(game, field, value_of(values.front()), g));
    }
    return text;
}

std::string HintWords::single(const HiddenThing& thing) const {
    const std::vector<const Possibility*> rows = open(thing);
    std::vector<std::string> names;
    for (const Possibility* p : rows) names.push_back(value(thing, p->value));
    const std::string undecided = undecided_words(game, thing, g);
    std::string text;
    if (rows.size() == 1 && undecided.empty()) {
        text = say(g, Text::hint_certainly, names.front());
    } else if (!h.has_shares() || rows.empty()) {
        text = rows.empty() ? "" : say(g, Text::hint_one_of, rows.size(), list(names));
    } else if (const bool equal = weight_of(h.known, *rows.front(), h.args) == weight_of(h.known, *rows.back(), h.args);
               equal && rows.size() > 2) {
        text = say(g, Text::hint_equally_likely, rows.size(), list(names));
    } else if (const auto parts = ratio(rows)) {
        text = say(g, Text::hint_in_ratio, either(names), *parts);
    } else {
        const std::size_t most = is_whole ? rows.size() : std::min(rows.size(), length.values);
        std::vector<std::string> shares;
        for (std::size_t i = 0; i < most; ++i) shares.push_back(names[i] + " " + share(*rows[i]));
        text = list(shares) + (most < rows.size() ? say(g, Text::and_more, rows.size() - most) : "");
    }
    if (!undecided.empty()) text += (text.empty() ? "" : say(g, Text::semicolon)) + undecided;
    return text + by_field(thing, rows);
}

// Of several cards: which are there for certain, what is not among them at all, and what is likeliest.
std::string HintWords::several(const HiddenThing& thing) const {
    std::vector<std::string> parts, sure, likely;
    for (const Possibility& p : thing.values)
        if (const std::size_t copies = surely(p); copies > 0)
            sure.push_back(value(thing, p.value) + (copies > 1 ? fmt::format(" ×{}", copies) : ""));
    if (!sure.empty()) parts.push_back(say(g, is_settled(thing) ? Text::hint_certainly : Text::hint_surely, list(sure)));
    if (is_settled(thing)) return list(parts);
    const std::vector<std::string> absent = absent_fields(game, thing, h.deduction, g);
    if (!absent.empty()) parts.push_back(say(g, Text::hint_holds_no, list(absent)));
    const std::vector<const Possibility*> rows = open(thing);
    std::size_t left = 0;
    std::set<std::string> shares;
    for (const Possibility* p : rows) {
        if (surely(*p) > 0) continue;
        if (h.has_shares()) shares.insert(share(*p));
        if (++left <= length.values || is_whole) likely.push_back(value(thing, p->value) + (h.has_shares() ? " " + share(*p) : ""));
    }
    if (likely.size() < left && shares.size() == 1)
        parts.push_back(say(g, Text::any_of_so_many, left, *shares.begin()));
    else if (!likely.empty())
        parts.push_back(
            say(g, Text::hint_perhaps, list(likely) + (likely.size() < left ? say(g, Text::and_more, left - likely.size()) : "")));
    if (const std::string undecided = undecided_words(game, thing, g); !undecided.empty()) parts.push_back(undecided);
    return fmt::format("{}", fmt::join(parts, say(g, Text::semicolon)));
}

// How it was found out: exactly, and of how many cases, or how it was estimated.
std::string HintWords::method() const {
    if (h.exact() && h.known.worlds && h.seen.cut) return say(g, Text::hint_cases_then, about(*h.known.worlds));
    if (h.exact() && h.known.worlds && !hidden_sets(h.deduction, g).empty())
        return say(g, Text::hint_cases_but_sets, about(*h.known.worlds));
    if (h.exact() && h.known.worlds)
        return *h.known.worlds == 1 ? say(g, Text::hint_one_case) : say(g, Text::hint_cases, about(*h.known.worlds));
    if (h.known.method == Method::sampled) return say(g, Text::hint_estimated, h.known.samples);
    return h.is_weighed() ? "" : say(g, Text::hint_without_shares);
}

std::string HintWords::known(const HiddenThing& thing) const {
    const bool one = thing.is_fact || thing.size == 1;
    const std::string about = capital(name(thing), g) + (one ? "" : " (" + count_words(game, thing.size, thing.place, g) + ")");
    return about + say(g, Text::colon) + (one ? single(thing) : several(thing));
}

// A place each; `left_out` places are not told.
std::vector<std::string> HintWords::known_lines(std::size_t& left_out) const {
    std::vector<const HiddenThing*> things;
    if (is_whole)
        for (const HiddenThing& thing : h.known.things) things.push_back(&thing);
    else
        things = things_asked_for(h.deduction);
    std::vector<std::string> lines;
    const std::size_t most = is_whole ? things.size() : std::min(things.size(), things_shown);
    for (std::size_t i = 0; i < most; ++i) lines.push_back(known(*things[i]));
    left_out = things.size() - most;
    if (things.empty() && hidden_sets(h.deduction, g).empty()) lines.push_back(say(g, Text::nothing_hidden));
    return lines;
}

std::string HintWords::known() const {
    const std::string how = method();
    std::string text = how.empty() ? "" : folded(how, width) + "\n";
    std::size_t left_out = 0;
    for (const std::string& line : known_lines(left_out)) text += folded(line, width, 2) + "\n";
    if (left_out > 0) text += "  " + folded(say(g, Text::hint_more_places, left_out), width - 2, 2) + "\n";
    return text;
}

// What happened, that it cannot be so.
std::string HintWords::reason(const Excluded& e) const {
    if (e.all_seen) return say(g, Text::hint_seen);
    if (!e.found) return say(g, Text::reasons_cut);
    if (e.reasons.empty()) return say(g, e.all_known ? Text::copies_known_elsewhere : Text::excluded_by_rules);
    std::vector<std::string> told;
    bool no_more = false;
    for (const Reason& r : e.reasons) {
        no_more = no_more || r.event >= h.deduction.noticed();
        const std::string text =
            r.event < h.deduction.noticed() ? told_event(h.seen.machine(), h.deduction.noticed(r.event), listener, g) : "";
        if (!text.empty() && std::ranges::find(told, text) == told.end()) told.push_back(text);
    }
    if (told.empty()) return no_more ? end_words(h.seen, g) : std::string(say(g, Text::excluded_by_rules));
    const std::size_t all = told.size();
    if (!is_whole && all > reasons_shown) told.resize(reasons_shown);
    return fmt::format("{}", fmt::join(told, say(g, Text::semicolon))) +
           (told.size() < all ? say(g, Text::and_more, all - told.size()) : "");
}

// What is ruled out, values with equal reasons together; `left_out` groups of it are not told. `of` is empty where it is one place.
std::vector<HintParts::RuledOut> HintWords::ruled_out_parts(std::size_t& left_out) const {
    std::vector<const HiddenThing*> asked = things_asked_for(h.deduction);
    std::vector<HintParts::RuledOut> parts;
    std::size_t groups = 0;
    // Of a thing that is known for certain one reason may be enough: then it rules out all others.
    const auto is_only = [&](const Excluded& e) {
        return std::ranges::count_if(h.excluded, [&](const Excluded& other) { return other.thing == e.thing; }) == 1;
    };
    const bool several_places =
        std::ranges::count_if(asked, [](const HiddenThing* t) { return !t->is_fact && t->size == 1; }) > 1 || is_whole;
    for (const Excluded& e : h.excluded) {
        if (!is_whole && std::ranges::find(asked, e.thing) == asked.end()) continue;
        if (!is_whole && is_settled(*e.thing) && e.all_seen && is_only(e)) continue;  // that goes without saying
        if (++groups > length.groups && !is_whole) continue;
        std::vector<std::string> values;
        for (const std::int32_t v : e.values) values.push_back(value(*e.thing, v));
        if (!is_whole && is_settled(*e.thing) && is_only(e)) values = {say(g, Text::hint_all_others)};
        std::string more;
        if (!is_whole && values.size() > length.excluded) {
            more = say(g, Text::and_more, values.size() - length.excluded);
            values.resize(length.excluded);
        }
        parts.push_back({several_places ? capital(name(*e.thing), g) : "", list(values) + more, reason(e)});
    }
    left_out = groups > length.groups && !is_whole ? groups - length.groups : 0;
    return parts;
}

std::string HintWords::ruled_out() const {
    std::string text;
    std::string before;
    std::size_t left_out = 0;
    for (const HintParts::RuledOut& part : ruled_out_parts(left_out)) {
        if (part.of != before) text += folded("  " + part.of, width, 2) + "\n";
        before = part.of;
        const std::string margin = part.of.empty() ? "  " : "    ";
        text += folded(margin + part.values + say(g, Text::colon) + part.why, width, margin.size() + 2) + "\n";
    }
    if (left_out > 0) text += "  " + say(g, Text::hint_more_reasons, left_out);
    return text.empty() ? "" : bold(say(g, Text::ruled_out_things), g) + "\n" + text;
}

std::string HintWords::not_found_out() const {
    std::string text;
    const std::size_t most = limits_told();
    for (std::size_t i = 0; i < most; ++i) text += folded("  " + h.limits[i], width, 2) + "\n";
    if (most < h.limits.size()) text += "  " + say(g, Text::hint_more_limits, h.limits.size() - most);
    return text.empty() ? "" : bold(say(g, Text::not_found_out), g) + "\n" + text;
}

// As `why not` takes it: with whose it is, where that does not go without saying.
std::string HintWords::as_asked(const HiddenThing& thing, std::int32_t is) const {
    const std::string what = value(thing, is);
    const Zone* const zone = thing.is_fact ? nullptr : zone_of(h.game(), thing.place);
    const int owner = zone == nullptr ? -1 : owner_of(h.game(), thing.place);
    return owner < 0 || owner == h.seen.view.seat || h.game().players == 2 ? what : seat_words(owner) + " " + what;
}

std::string HintWords::more() const {
    std::string example;
    for (const Excluded& e : h.excluded)
        if (example.empty() && !e.values.empty()) example = as_asked(*e.thing, e.values.front());
    if (h.args.at_table)
        return folded(example.empty() ? say(g, Text::hint_more_at_table) : say(g, Text::hint_more_and_why, example), width, 2) + "\n";
    return folded(say(g, Text::hint_more_of_command), width, 2) + "\n";
}

}  // namespace

bool read_detail(const std::string& rest, HintArgs& args) {
    std::string word = plain_form(rest);
    if (const auto space = word.find(' '); space != std::string::npos && is_among_words(word.substr(space + 1), Text::typed_for_all)) {
        word.resize(space);
        args.top = std::numeric_limits<std::size_t>::max();
    }
    const auto is = [&](TextRow<0> row) { return is_among_words(word, row); };
    args.at_table = true;
    args.cards = is(Text::typed_for_cards);
    args.all = is(Text::typed_for_all);
    args.numbers = is(Text::typed_for_numbers);
    return rest.empty() || args.cards || args.all || args.numbers;
}

namespace {

// Those that were hit, after the ones before.
void say_limits(Hint& h, std::vector<std::string> before) {
    h.limits = std::move(before);
    if (std::ranges::any_of(h.excluded, [](const Excluded& e) { return !e.found; })) h.limits.emplace_back(say(h.g, Text::not_all_reasons));
    if (h.moves_untried) h.limits.emplace_back(say(h.g, Text::not_all_moves_tried));
    if (h.advice && h.advice->given_away_limit.hit())
        h.limits.push_back(houserule::text(because(LimitKind::given_away_not_known, h.advice->given_away_limit), h.g.language));
}

}  // namespace

Hint hint_of(const Seen& seen, Deduction& deduction, const HintArgs& args, std::vector<std::string> limits, const Deadline& reasons,
             const Deadline& all, const Globals& g) {
    Hint h{seen, args, g, deduction, deduction.knowledge()};
    h.excluded = find_excluded(deduction, reasons);
    deduction.finish_by(all);
    const bool asks_for_moves = h.is_weighed() && !seen.cut;  // what can be done now is not known where the rest was cut off
    if (asks_for_moves) h.advice = moves_of(deduction, all, args.give_away ? std::optional(limits_of(args)) : std::nullopt);
    if (h.advice && seen.is_not_asked && !h.advice->always_asked) h.advice.reset();
    h.moves_untried = (h.advice && !h.advice->in_time) || (asks_for_moves && !h.advice && all.over());
    say_limits(h, std::move(limits));
    return h;
}

Hint in_language(const Hint& hint, std::vector<std::string> limits, const Globals& g) {
    Hint h{hint.seen, hint.args, g, hint.deduction, hint.known, hint.excluded, {}, hint.advice, hint.moves_untried};
    say_limits(h, std::move(limits));
    return h;
}

HintParts parts_of(const Hint& h) {
    const HintWords words{h, 0, h.args.all};
    HintParts parts;
    parts.until = h.seen.until_words(h.g, h.args.at_table);
    parts.method = words.method();
    std::size_t left_out = 0;
    parts.known = words.known_lines(left_out);
    if (left_out > 0) parts.known.push_back(say(h.g, Text::hint_more_places, left_out));
    parts.ruled_out = words.ruled_out_parts(left_out);
    if (left_out > 0) parts.more_ruled_out = say(h.g, Text::hint_more_reasons, left_out);
    if (h.advice) add_advice(h, words.is_whole ? h.advice->moves.size() : moves_shown, parts);
    parts.not_found_out = h.limits;
    parts.not_found_out.resize(words.limits_told());
    if (words.limits_told() < h.limits.size())
        parts.not_found_out.push_back(say(h.g, Text::hint_more_limits, h.limits.size() - words.limits_told()));
    return parts;
}

std::string words_text(const Hint& h, std::size_t width) {
    HintWords words{h, width, h.args.detail() == HintDetail::all};
    std::string text;
    for (const HintLength& length : hint_lengths) {
        words.length = length;
        text = words.known() + words.ruled_out();
        if (h.advice) text += advice_text(h, width, words.is_whole ? h.advice->moves.size() : moves_shown);
        text += words.not_found_out() + (words.is_whole ? "" : words.more());
        if (words.is_whole || std::cmp_less_equal(std::ranges::count(text, '\n'), screen_lines)) break;
    }
    return text;
}

std::string text_of(const Hint& h, std::size_t width) {
    const std::string until = h.seen.until_words(h.g, h.args.at_table);
    const std::string begin = until.empty() ? "" : folded(until, width) + "\n";
    switch (h.args.detail()) {
        case HintDetail::numbers:
            return begin + numbers_text(h);
        case HintDetail::cards:
            return begin + cards_text(h, width);
        case HintDetail::all:
        case HintDetail::first:
            break;
    }
    return begin + words_text(h, width);
}

}  // namespace houserule::cli
