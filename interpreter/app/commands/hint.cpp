// `houserule hint`: what a seat can know, in the order in which it helps: what is certain, what is likely, what is out and why.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/hint_moves.hpp"
#include "interpreter/app/knowing/knowing.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t bar_width = 20;
constexpr int reasons_percent = 88;  // of `--time`, until reasons are found; the rest is for moves

// What cannot be at a place, and why: values with equal reasons together.
struct Excluded {
    const HiddenThing* thing = nullptr;
    std::vector<std::int32_t> values;
    std::vector<Ground> grounds;
    bool all_seen = false;   // every copy lies where the seat sees it
    bool all_known = false;  // or is known to lie in another hidden place
    bool found = true;       // false: the search for reasons was cut
    bool irreducible = true;
};

struct Hint {
    const Seen& seen;
    const HintArgs& args;
    const Globals& g;
    const Knowledge& known;
    std::vector<Excluded> excluded;
    std::vector<std::string> limits;
    std::optional<Advice> advice;  // none: the seat is not asked, or no history can be drawn

    const Game& game() const { return seen.game(); }
    bool exact() const { return known.method == Method::exact; }
    // Whether anything was counted or estimated; whether there are shares by the measure that is asked for.
    bool is_weighed() const { return exact() || known.method == Method::sampled; }
    bool has_shares() const { return is_by_deals(args) ? known.deals.has_value() : is_weighed(); }
};

// The copies that are there in every world.
std::size_t surely(const Possibility& p) {
    const auto first = std::find_if(p.weights.begin(), p.weights.end(), [](const Rational& w) { return w != 0; });
    if (p.certain != Answer::yes) return 0;
    return first != p.weights.end() ? static_cast<std::size_t>(first - p.weights.begin()) : 1;
}

// Whether it is known how many there are.
bool is_fixed(const Possibility& p) {
    return p.certain == Answer::yes && std::count_if(p.weights.begin(), p.weights.end(), [](const Rational& w) { return w != 0; }) == 1;
}

bool is_settled(const HiddenThing& thing) {
    std::size_t sure = 0;
    for (const Possibility& p : thing.values) sure += surely(p);
    return thing.is_fact ? sure > 0 : std::cmp_equal(sure, thing.size);
}

// By kind: how many copies are in the hidden places in every world.
std::vector<std::size_t> surely_hidden(const Game& game, const Knowledge& known) {
    std::vector<std::size_t> copies(game.kinds.size(), 0);
    for (const HiddenThing& thing : known.things)
        for (const Possibility& p : thing.values)
            if (!thing.is_fact) copies[p.value] += surely(p);
    return copies;
}

// What is at none of the places with a single card: of others hardly anything is excluded.
struct Excluding {
    const Seen& seen;
    Deduction& deduction;
    const Knowledge& known;
    Deadline until;
    std::vector<Value> in_sight = copies_in_sight(seen, deduction);
    std::vector<std::size_t> hidden = surely_hidden(seen.game(), known);
    std::vector<Excluded> all{};

    WhyNot why_not(const HiddenThing& thing, KindId kind);
    void at(const HiddenThing& thing);
};

// Reasons of a value that is impossible there.
WhyNot Excluding::why_not(const HiddenThing& thing, KindId kind) {
    WhyNot why;
    if (!until.over()) why = deduction.why_not(thing.place, kind);
    if (why.answer == Answer::no) return why;
    return {Answer::no, {}, false, false};
}

void Excluding::at(const HiddenThing& thing) {
    using Reasons = std::vector<std::pair<std::size_t, StepId>>;
    std::map<std::tuple<bool, bool, bool, bool, Reasons>, std::size_t> groups;
    for (const Possibility& p : thing.values) {
        if (p.possible != Answer::no) continue;
        const std::size_t kind = p.value;
        const Value copies = seen.game().kinds[kind].copies;
        const bool all_seen = in_sight[kind] == copies;
        const WhyNot why = all_seen ? WhyNot{Answer::no, {}} : why_not(thing, KindId(p.value));
        const bool all_known =
            why.found && why.reasons.empty() && static_cast<std::size_t>(in_sight[kind]) + hidden[kind] == static_cast<std::size_t>(copies);
        Reasons reasons;
        for (const Reason& r : why.reasons) reasons.emplace_back(r.event, r.step);
        const auto [group, is_first] =
            groups.emplace(std::tuple(all_seen, all_known, why.found, why.irreducible, std::move(reasons)), all.size());
        if (is_first) all.push_back({&thing, {}, grounds(seen, deduction, why.reasons), all_seen, all_known, why.found, why.irreducible});
        all[group->second].values.push_back(p.value);
    }
}

std::vector<Excluded> find_excluded(Hint& h, Deduction& deduction, const Deadline& until) {
    deduction.finish_by(until);
    Excluding excluding{h.seen, deduction, h.known, until};
    for (const HiddenThing& thing : h.known.things)
        if (!thing.is_fact && thing.size == 1) excluding.at(thing);
    if (std::any_of(excluding.all.begin(), excluding.all.end(), [](const Excluded& e) { return !e.found; }))
        h.limits.emplace_back(say(h.g, Text::not_all_reasons));
    return std::move(excluding.all);
}

// ---------------------------------------------------------------- for people

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
    row += "  " + pad_left(is_by_deals(h.args) ? percent(share, h.g) : share_words(h.known, p, h.g), 14) + "  " + pad_right(bar, bar_width);
    if (p.worlds) row += say(h.g, Text::worlds_so_far, about(*p.worlds));
    return row + "\n";
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
    if (!thing.is_fact && thing.size > 1) title += say(h.g, Text::at_least_one, count_words(thing.size, h.g));
    const std::size_t shown = std::min(rows.size(), h.args.top);
    std::size_t width = 0;
    for (std::size_t i = 0; i < shown; ++i) width = std::max(width, display_width(possibility_words(h.game(), thing, rows[i]->value, h.g)));
    std::string text = fmt::format("  {}\n", title);
    for (std::size_t i = 0; i < shown; ++i) text += share_row(h, thing, *rows[i], width);
    if (shown < rows.size()) text += "    " + say(h.g, Text::more_by_top, rows.size() - shown);
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
        else if (e.grounds.empty() && e.all_known)
            text += fmt::format("      {}\n", say(h.g, Text::copies_known_elsewhere));
        else if (e.grounds.empty())
            text += fmt::format("      {}\n", say(h.g, Text::excluded_by_rules));
        for (const std::string& line : ground_lines(h.seen, e.grounds, h.g)) text += fmt::format("      {}\n", line);
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

// ---------------------------------------------------------------- for tools

Json number(const std::optional<Integer>& n) { return n ? Json(n->str()) : Json(); }

Json json_of(const Hint& h, const HiddenThing& thing) {
    Json values = Json::array();
    for (const Possibility& p : thing.values) {
        Json v;
        v["value"] = possibility_name(h.game(), thing, p.value);
        v["label"] = possibility_words(h.game(), thing, p.value, h.g);
        v["possible"] = p.is_decided() ? Json(p.possible == Answer::yes) : Json();
        v["worlds"] = number(p.worlds);
        const bool is_exact = h.exact() || is_by_deals(h.args);
        const auto share = share_of(h.known, p, h.args);
        v["weight"] = is_exact && share ? Json(weight_of(h.known, p, h.args)->str()) : Json();
        v["share"] = !share ? Json() : is_exact ? Json(share->str()) : Json(static_cast<double>(*share));
        if (!is_exact && share) v["error"] = p.error;
        v["copies"] = Json::array();
        for (const Rational& w : h.exact() && !is_by_deals(h.args) ? p.weights : std::vector<Rational>{})
            v["copies"].push_back(h.known.weight == 0 ? Rational(0).str() : Rational(w / h.known.weight).str());
        values.push_back(std::move(v));
    }
    Json j;
    j["what"] = thing_name(h.game(), thing);
    j["label"] = thing_words(h.game(), thing, h.g);
    j["is"] = thing.is_fact ? "fact" : "place";
    j["cards"] = thing.is_fact ? Json() : Json(thing.size);
    j["values"] = std::move(values);
    return j;
}

Json certain_json(const Hint& h) {
    Json all = Json::array();
    for (const HiddenThing& thing : h.known.things)
        for (const Possibility& p : thing.values)
            if (surely(p) > 0)
                all.push_back(
                    {{"what", thing_name(h.game(), thing)}, {"value", possibility_name(h.game(), thing, p.value)}, {"copies", surely(p)}});
    return all;
}

Json excluded_json(const Hint& h) {
    Json all = Json::array();
    for (const Excluded& e : h.excluded) {
        Json j;
        j["what"] = thing_name(h.game(), *e.thing);
        j["values"] = Json::array();
        for (const std::int32_t v : e.values) j["values"].push_back(possibility_name(h.game(), *e.thing, v));
        j["all_copies_seen"] = e.all_seen;
        j["reasons"] = e.found ? Json(ground_json(h.seen, e.grounds)) : Json();
        j["irreducible"] = e.found ? Json(e.irreducible) : Json();
        all.push_back(std::move(j));
    }
    return all;
}

std::string method_name(Method method) {
    switch (method) {
        case Method::exact:
            return "exact";
        case Method::sampled:
            return "sampled";
        case Method::possible_only:
            return "possible_only";
        case Method::unknown:
            return "unknown";
    }
    return "";
}

std::string json_of(const Hint& h) {
    Json j;
    j["schema"] = hint_schema;
    j["fits"] = true;
    j["game"] = h.game().name;
    j["players"] = h.game().players;
    j["seat"] = fmt::format("P{}", h.seen.view.seat + 1);
    j["method"] = method_name(h.known.method);
    if (h.known.method == Method::sampled) j["samples"] = h.known.samples;
    j["measure"] = h.args.weight;
    j["assume"] = h.args.assume.empty() ? Json() : Json(h.args.assume);
    j["worlds"] = number(h.known.worlds);
    j["histories"] = h.exact() ? number(h.known.histories) : Json();
    const std::optional<Rational> weight = is_by_deals(h.args) ? h.known.deals : h.exact() ? std::optional(h.known.weight) : std::nullopt;
    j["weight"] = weight ? Json(weight->str()) : Json();
    j["certain"] = certain_json(h);
    j["unknowns"] = Json::array();
    for (const HiddenThing& thing : h.known.things) j["unknowns"].push_back(json_of(h, thing));
    j["excluded"] = excluded_json(h);
    j["moves"] = h.advice ? moves_json(h.seen, *h.advice) : Json::array();
    j["moves_from"] = h.advice ? moves_from_json(h.seen, *h.advice) : Json();
    j["limits"] = h.limits;
    return j.dump(2) + "\n";
}

}  // namespace

int run_hint(const HintArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    const auto asked = known_from(args, g, exit_code);
    if (!asked) return exit_code;
    Deduction& deduction = asked->deduction();
    Hint hint{asked->seen, args, g, deduction.knowledge(), {}, asked->limits(g), std::nullopt};
    hint.excluded = find_excluded(hint, deduction, asked->until(reasons_percent));
    deduction.finish_by(asked->until(100));
    if (hint.is_weighed())
        hint.advice = moves_of(deduction, asked->until(100), args.give_away ? std::optional(limits_of(args)) : std::nullopt);
    if ((hint.advice && !hint.advice->in_time) || (hint.is_weighed() && !hint.advice && asked->until(100).over()))
        hint.limits.emplace_back(say(g, Text::not_all_moves_tried));
    if (hint.advice && hint.advice->given_away_limit.hit())
        hint.limits.push_back(text(because(LimitKind::given_away_not_known, hint.advice->given_away_limit), g.language));
    if (args.json)
        out(json_of(hint));
    else
        out(header(hint) + certain_text(hint) + shares_text(hint) + excluded_text(hint) +
            (hint.advice ? moves_text(hint.seen, *hint.advice, args.top, g) + given_away_text(hint.seen, *hint.advice, args.top, g) : "") +
            limits_text(hint));
    if (interrupted()) return exit_interrupted;
    return hint.exact() && hint.has_shares() ? exit_fine : exit_undecided;
}

}  // namespace houserule::cli
