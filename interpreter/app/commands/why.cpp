// `houserule why`: whether a claim about what is hidden must hold for a seat, and why; or a world in which it does not.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/app/knowing/why_words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int worlds_drawn = 1000;                // for one in which the claim is false: enough for shares down to a hundredth
constexpr std::size_t histories_walked = 20'000;  // where drawing finds none

// The claim as an expression of the game. Nothing, with what is wrong, when it is none.
std::optional<ClaimedGame::Claim> read_claim(OpenText& text, const std::string& claim, std::string& problems, const Globals& g) {
    Sources& sources = text.rules.sources;
    sources.emplace_back(say(g, Text::claim), claim);
    Diagnostics diagnostics;
    const Syntax syntax = parse_expression(sources, sources.size() - 1, diagnostics);
    ClaimedGame claimed;
    if (!has_errors(diagnostics))
        claimed = check_claims(text.rules.syntax, text.machine->game.players, text.settings, {syntax}, diagnostics);
    std::erase_if(diagnostics, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    if (!diagnostics.empty()) {
        tidy(diagnostics);
        problems = render(diagnostics, sources, {g.language, g.color});
        sources.pop_back();
        return std::nullopt;
    }
    text.machine = compile(std::move(claimed.game));
    return claimed.claims.front();
}

// What lies in the places that the seat does not see, and the facts that it does not.
struct WhyTable {
    std::vector<std::pair<const HiddenThing*, std::vector<std::int32_t>>> contents;
};

WhyTable table_of(const TableView& run, const Knowledge& known) {
    WhyTable table;
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact)
            table.contents.push_back({&thing, {run.fact(thing.fact, thing.index == no_id ? 0 : thing.index)}});
        else
            table.contents.emplace_back(&thing, run.kinds_at(thing.place));
    }
    return table;
}

// A table that fits and in which `claim` holds.
std::optional<WhyTable> table_where(const Seen& seen, Deduction& deduction, ExpressionId claim) {
    const Knowledge& known = deduction.knowledge();
    const auto run = make_run(seen.text.machine);
    run->stop_on(&stop());
    std::optional<WhyTable> found;
    const auto holds = [&](const History& history) {
        Events events;
        std::string problem;
        if (!play_history(*run, history, events, problem)) return false;
        run->record(nullptr);
        if (run->truth(claim)) found = table_of(*run, known);
        return found.has_value();
    };
    Random random(1);
    for (int i = 0; i < worlds_drawn && !interrupted(); ++i) {
        const auto history = deduction.sample(random);
        if (!history || holds(*history)) break;
    }
    if (found || interrupted()) return found;
    if (const auto all = deduction.all_histories(histories_walked))
        for (const auto& [history, weight] : *all)
            if (holds(history)) break;
    return found;
}

struct Answered {
    std::string verdict;             // `true`, `false`, `open` or `unknown`: of all worlds
    std::optional<Rational> share;   // of the claim's being true
    std::optional<Rational> denied;  // of its being false: by deals both can be so
    std::vector<Ground> grounds;
    bool found = true;  // false: it is certain, but the search for reasons was cut
    bool irreducible = true;
    std::optional<WhyTable> counter;  // in which it is false
    std::vector<std::string> limits;
};

Answered answer(const Known& asked, const ClaimedGame::Claim& claim, const KnowingArgs& args, const Globals& g) {
    const Seen& seen = asked.seen;
    Deduction& deduction = asked.deduction();
    Answered a;
    const WhyNot can_hold = deduction.why_not(claim.holds);
    const WhyNot can_fail = deduction.why_not(claim.denied);
    const auto known = [](const WhyNot& w) { return w.answer != Answer::unknown; };
    a.share = deduction.share_of(claim.holds);
    // Shares are exact: they decide what Z3 leaves open.
    const bool always = a.share ? *a.share == 1 : can_fail.answer == Answer::no;
    const bool never = a.share ? *a.share == 0 : can_hold.answer == Answer::no;
    a.verdict = always ? "true" : never ? "false" : a.share || (known(can_hold) && known(can_fail)) ? "open" : "unknown";
    if (always || never) {
        const WhyNot& why = always ? can_fail : can_hold;
        a.found = why.answer == Answer::no && why.found;
        a.irreducible = a.found && why.irreducible;
        a.grounds = grounds(seen, deduction, why.reasons);
    }
    if (a.share) a.denied = 1 - *a.share;
    if (a.verdict == "open" && is_by_deals(args)) {
        const Deals deals =
            deduction.deals({[&](Run& run) { return run.truth(claim.holds); }, [&](Run& run) { return run.truth(claim.denied); }});
        const bool counted = !deals.limit.hit() && deals.all != 0;
        a.share = counted ? std::optional(Rational(deals.of[0] / deals.all)) : std::nullopt;
        a.denied = counted ? std::optional(Rational(deals.of[1] / deals.all)) : std::nullopt;
    }
    if (a.verdict == "open" && a.share) a.counter = table_where(seen, deduction, claim.denied);
    a.limits = asked.limits(g);
    const Deduction::Breaks breaks = deduction.breaks(claim.holds);
    if (breaks == Deduction::Breaks::in_some_world) a.limits.emplace_back(say(g, Text::claim_breaks_somewhere));
    if (breaks == Deduction::Breaks::in_every_world) {
        a = {"unknown", {}, {}, {}, true, true, {}, std::move(a.limits)};
        a.limits.emplace_back(say(g, Text::claim_breaks_everywhere));
        return a;
    }
    if (!a.found) a.limits.emplace_back(say(g, Text::no_reasons_found));
    return a;
}

std::string contents_words(const Game& game, const HiddenThing& thing, const std::vector<std::int32_t>& values, const Globals& g) {
    return thing.is_fact ? possibility_words(game, thing, values.front(), g) : shown_cards(game, {values.begin(), values.end()}, g);
}

std::string text_of(const Seen& seen, const Answered& a, const WhyArgs& args, const Globals& g) {
    const std::string& claim = args.claim;
    const std::string seat = seat_words(seen.view.seat);
    std::string text;
    const std::string until = seen.until_words(g, args.at_table);
    const std::string begin = until.empty() ? "" : until + "\n";
    const auto reasons = [&] {
        if (a.found && a.grounds.empty()) text += say(g, Text::follows_at_once);
        for (const std::string& line : ground_lines(seen, a.grounds, g)) text += fmt::format("  {}\n", line);
        if (a.found && !a.irreducible) text += fmt::format("  {}\n", say(g, Text::reasons_reducible));
    };
    if (a.verdict == "true") {
        text = say(g, seen.cut ? Text::was_true_in_every_world : Text::true_in_every_world, seat, claim);
        reasons();
    } else if (a.verdict == "false") {
        text = say(g, seen.cut ? Text::was_false_in_every_world : Text::false_in_every_world, seat, claim);
        reasons();
    } else if (a.verdict == "open") {
        text = say(g, Text::not_certain, seat, claim);
        if (a.share && is_by_deals(args))
            text += say(g, Text::true_in_some_deals, percent(*a.share, g), percent(*a.denied, g));
        else if (a.share)
            text += say(g, Text::shares_true_and_false, percent(*a.share, g), percent(*a.denied, g),
                        args.assume.empty() ? say(g, Text::by_histories) : say(g, Text::by_histories_uniform));
        if (a.counter) {
            text += say(g, Text::a_world_against_it);
            for (const auto& [thing, values] : a.counter->contents)
                text += fmt::format("    {}: {}\n", thing_words(seen.game(), *thing, g), contents_words(seen.game(), *thing, values, g));
        }
    } else {
        text = say(g, Text::claim_not_decided, seat, claim);
    }
    for (const std::string& limit : a.limits) text += fmt::format("  ({})\n", limit);
    return begin + text;
}

std::string json_of(const Seen& seen, const Answered& a, const WhyArgs& args) {
    Json j;
    j["schema"] = "houserule-why-2";
    j["fits"] = seen.cut ? Json() : Json(true);
    if (seen.cut) j["until"] = seen.until_json();
    j["claim"] = args.claim;
    j["seat"] = fmt::format("P{}", seen.view.seat + 1);
    j["answer"] = a.verdict;
    j["measure"] = args.weight;
    j["assume"] = args.assume.empty() ? Json() : Json(args.assume);
    j["share"] = a.share ? Json(a.share->str()) : Json();
    j["reasons"] = a.found ? Json(ground_json(seen, a.grounds)) : Json();
    const bool is_certain = a.verdict == "true" || a.verdict == "false";
    j["irreducible"] = is_certain && a.found ? Json(a.irreducible) : Json();
    j["false_in"] = Json();
    if (a.counter) {
        j["false_in"] = Json::array();
        for (const auto& [thing, values] : a.counter->contents) {
            Json names = Json::array();
            for (const std::int32_t v : values) names.push_back(possibility_name(seen.game(), *thing, v));
            j["false_in"].push_back({{"what", thing_name(seen.game(), *thing)}, {"contents", std::move(names)}});
        }
    }
    j["limits"] = a.limits;
    return j.dump(2) + "\n";
}

}  // namespace

int run_why(const WhyArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    std::optional<ClaimedGame::Claim> claim;
    std::optional<WordClaim> in_words;
    const auto asked = known_from(args, g, exit_code, [&](OpenText& text) {
        std::string problems;
        claim = read_claim(text, args.claim, problems, g);
        if (claim) return true;
        const auto seat = text.head.view >= 0 ? std::optional(text.head.view) : read_seat(args.as, text.machine->game.players, g);
        in_words = claim_in(*text.machine, seat.value_or(-1), args.claim);
        if (in_words && args.json && in_words->place() != no_id)
            claim = read_claim(text, in_rules_words(text.machine->game, *in_words), problems, g);
        if (!in_words && !args.at_table && !names_cards(text.machine->game, args.claim)) err(problems);
        const bool is_understood = in_words && (!args.json || claim);
        if (!is_understood)
            err_folded((args.at_table ? say(g, Text::claim_not_understood) : "") +
                       say(g, Text::why_in_words, example_card(text.machine->game, g)));
        return is_understood;
    });
    if (!asked) return exit_code;
    if (!claim) {
        if (asked->seen.cut) out_folded(asked->seen.until_words(g, args.at_table) + "\n");
        out(why_words(asked->seen, asked->deduction(), *in_words, args, terminal_width(), g));
        const bool is_exact = asked->deduction().knowledge().method == Method::exact && !asked->seen.cut;
        return interrupted() ? exit_interrupted : is_exact ? exit_fine : exit_undecided;
    }
    const Answered answered = answer(*asked, *claim, args, g);
    if (args.json)
        out(json_of(asked->seen, answered, args));
    else
        out_folded(text_of(asked->seen, answered, args, g));
    if (interrupted()) return exit_interrupted;
    return answered.verdict == "unknown" || asked->seen.cut ? exit_undecided : exit_fine;
}

}  // namespace houserule::cli
