// Validation against the ambiguities of the rulebooks that are known: what shows each of them, and what must not be raised.
#include "solver/validate/validate.hpp"
#include "interpreter/log/log.hpp"
#include "solver/findings/outcome.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

using namespace houserule;
using namespace houserule::testing;

namespace {

// Games and states limit these runs.
ValidateLimits limits_of(std::uint64_t games, int players, const std::set<FindingClass>& only) {
    ValidateLimits limits;
    limits.games = games;
    limits.work = 3'600 * work_a_second;
    limits.low = limits.high = players;
    limits.only = only;
    return limits;
}

Rules rules_named(const std::string& name) {
    const std::filesystem::path own = std::filesystem::path(HOUSERULE_ROOT) / "tests/ambiguity" / (name + ".rules");
    return read_rules(std::filesystem::exists(own) ? own : rules_file(name));
}

// One of the known ambiguities: in which file, for how many players, beginning from which readings, as which finding it is told.
struct Known {
    std::string id;
    std::string file;
    int players;
    Settings from;
    FindingClass what;
    std::string rule;
    Settings under;  // options and readings of the finding, beside `from`
};

const std::vector<Known> known_ones{
    {"J2", "jiji", 3, {{"at_most", "players_only"}, {"long_day", "yes"}, {"twins", "one"}}, FindingClass::masked, "everything", {}},
    {"J3", "jiji", 4, {{"twins", "as_printed"}}, FindingClass::unresolved, "settle", {}},
    {"J5", "jiji", 4, {}, FindingClass::variant, "discovered_as", {}},
    {"J7", "jiji", 4, {{"no_cards", "as_printed"}}, FindingClass::gap, "investigate", {}},
    {"J11", "jiji", 3, {}, FindingClass::end_race, "attempt", {}},
    {"J13", "jiji", 4, {{"nothing_left", "as_printed"}}, FindingClass::void_duty, "attempt", {}},
    {"J14", "jiji", 4, {}, FindingClass::variant, "all_but", {}},
    {"J15", "jiji", 3, {}, FindingClass::masked, "all_found", {}},
    {"J20", "jiji", 3, {}, FindingClass::modality, "sharing", {}},
    {"J27", "jiji", 5, {}, FindingClass::degenerate, "play", {}},
    {"J28", "jiji", 4, {}, FindingClass::stall, "play", {}},
    {"J29", "jiji", 3, {}, FindingClass::view, "share", {}},
    {"J31", "jiji", 3, {}, FindingClass::hole, "seen_last", {}},
    {"N1", "nekokan", 4, {}, FindingClass::variant, "nyan_number", {}},
    {"N5", "nekokan", 3, {}, FindingClass::variant, "kitchen_means", {}},
    {"N17", "nekokan_unordered", 4, {}, FindingClass::order, "clash", {}},
    {"N29", "nekokan_orders", 2, {{"golden_order", "missing"}}, FindingClass::endless, "play", {}},
    {"M2", "majika_mini", 3, {}, FindingClass::hole, "card_values", {}},
    {"M5", "majika_mini", 5, {}, FindingClass::variant, "several_winners", {}},
    {"M9", "majika_mini", 4, {{"nobody_alone", "as_printed"}}, FindingClass::unresolved, "award", {}},
    {"M10", "majika_mini", 4, {}, FindingClass::endless, "play", {}},
    {"C4", "cogito", 4, {}, FindingClass::end_race, "play", {}},
    {"C6", "cogito", 4, {}, FindingClass::gap, "play", {{"whose_hands", "everybody"}}},
    {"C7", "cogito", 3, {}, FindingClass::scope, "counted", {}},
    {"C10", "cogito", 2, {}, FindingClass::window, "declare", {}},
    {"C11", "cogito", 2, {}, FindingClass::order, "declare", {}},
    {"C17", "cogito", 3, {}, FindingClass::endless, "play", {}},
};

// What looks ambiguous and is not: no finding of these classes may be about that rule.
struct Decoy {
    std::string id;
    std::string file;
    int players;
    std::set<FindingClass> classes;
    std::string rule;
};

const std::vector<Decoy> decoys{
    {"J-OK1", "jiji", 4, {FindingClass::conflict, FindingClass::gap}, "prove"},
    {"J-OK2", "jiji", 3, {FindingClass::void_duty, FindingClass::count}, "deal_out"},
    {"J-OK2", "jiji", 4, {FindingClass::void_duty, FindingClass::count}, "deal_out"},
    {"J-OK2", "jiji", 5, {FindingClass::void_duty, FindingClass::count}, "deal_out"},
    {"N-OK3", "nekokan", 5, {FindingClass::void_duty, FindingClass::count}, "secret_taste"},
    {"M-OK1", "majika_mini", 5, {FindingClass::count, FindingClass::void_duty}, "award"},
    {"M-OK4", "majika_mini", 4, {FindingClass::order}, "pass_hands"},
    {"M-OK4", "majika_mini", 4, {FindingClass::order}, "round"},
    {"C-OK2", "cogito", 4, {FindingClass::void_duty}, "setup"},
    {"C-OK2", "cogito", 3, {FindingClass::void_duty}, "refill"},
};

// The log as `houserule replay` takes it: where it leads, as `Witness::state` says it. Empty when it does not replay.
std::string replayed_state(const Rules& rules, const Finding& f) {
    const auto machine = machine_of(rules, {f.witness->players, f.witness->settings});
    Sources sources;
    sources.emplace_back("witness", f.witness->log);
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    if (!head) return "";
    const auto run = make_run(machine);
    Events events;
    if (!replay(sources, 0, *head, *run, events, diagnostics)) return "";
    run->advance();
    return waits_for(*run).in(Language::en);
}

}  // namespace

namespace {

// What is looked for in one file, with so many players and from the same readings, is looked for at once.
using Looked = std::tuple<std::string, int, Settings>;
std::map<Looked, std::vector<Known>> by_run() {
    std::map<Looked, std::vector<Known>> runs;
    for (const Known& k : known_ones) runs[{k.file, k.players, k.from}].push_back(k);
    return runs;
}

bool shows(const Finding& f, const Known& k, const Settings& settings) {
    if (f.what != k.what || f.rule != k.rule || f.verdict == Verdict::proved_absent) return false;
    // What stands in the text, and what compares readings, is about the text as it is.
    const bool of_text = f.method == FoundBy::static_reading || f.what == FindingClass::variant || f.what == FindingClass::modality;
    return of_text || f.settings == settings;
}

}  // namespace

TEST_CASE("every known ambiguity is shown by a finding", "[validate]") {
    for (const auto& [run, known] : by_run()) {
        const auto& [file, players, from] = run;
        const Rules rules = rules_named(file);
        std::set<FindingClass> classes;
        for (const Known& k : known) classes.insert(k.what);
        ValidateLimits limits = limits_of(file == "jiji" ? 4'000 : 1'000, players, classes);
        limits.settings = from;
        limits.proofs = false;
        limits.others = std::any_of(known.begin(), known.end(), [](const Known& k) { return !k.under.empty(); });
        const Validation found = validate(rules.syntax, limits);
        std::vector<std::string> ids;
        for (const Finding& f : found.findings) ids.push_back(f.id);
        for (const Known& k : known) {
            CAPTURE(k.id, file, players, k.rule, ids);
            Settings settings = from;
            settings.insert(k.under.begin(), k.under.end());
            const auto shown =
                std::find_if(found.findings.begin(), found.findings.end(), [&](const Finding& f) { return shows(f, k, settings); });
            CHECK(shown != found.findings.end());
            if (shown != found.findings.end() && shown->witness)
                CHECK(replayed_state(rules, *shown) == shown->witness->state.in(Language::en));
        }
    }
}

namespace {

// What is found without a word of the author about it: no remark, no reading but those that are chosen, no example.
const std::vector<Known> found_blind{
    {"J3", "jiji", 4, {}, FindingClass::conflict, "settle", {}},
    {"J5", "jiji", 4, {}, FindingClass::scope, "settle", {}},
    {"J7", "jiji", 4, {}, FindingClass::scope, "investigate", {}},
    {"J11", "jiji", 4, {}, FindingClass::end_race, "attempt", {}},
    {"J13", "jiji", 3, {}, FindingClass::void_duty, "attempt", {}},
    {"J15", "jiji", 3, {}, FindingClass::masked, "all_found", {}},
    {"J27", "jiji", 4, {}, FindingClass::degenerate, "play", {}},
    {"J28", "jiji", 4, {}, FindingClass::stall, "play", {}},
    {"J29", "jiji", 4, {}, FindingClass::view, "share", {}},
    {"J31", "jiji", 4, {}, FindingClass::chooser, "choose_starter", {}},
    {"N1", "nekokan", 4, {}, FindingClass::hole, "draw_nyan", {}},
    {"N17", "nekokan", 4, {}, FindingClass::order, "clash", {}},
    {"N29", "nekokan_orders", 2, {}, FindingClass::endless, "play", {}},
    {"M9", "majika_mini", 3, {}, FindingClass::unresolved, "award", {}},
    {"M10", "majika_mini", 3, {}, FindingClass::endless, "play", {}},
    {"C1", "cogito", 4, {}, FindingClass::count, "group", {}},
    {"C4", "cogito", 4, {}, FindingClass::end_race, "play", {}},
    {"C6", "cogito", 4, {}, FindingClass::scope, "hands_are_empty", {}},
    {"C7", "cogito", 4, {}, FindingClass::scope, "counted", {}},
    {"C10", "cogito", 4, {}, FindingClass::window, "declare", {}},
    {"C11", "cogito", 4, {}, FindingClass::order, "declare", {}},
    {"C17", "cogito", 4, {}, FindingClass::endless, "play", {}},
};

ValidateLimits blind_limits(int players, const std::set<FindingClass>& only) {
    ValidateLimits limits;
    limits.low = limits.high = players;
    limits.only = only;
    limits.proofs = false;
    limits.others = false;
    limits.blind = true;
    return limits;
}

}  // namespace

TEST_CASE("many known ambiguities are found without a word of the author", "[validate]") {
    std::map<std::pair<std::string, int>, std::vector<Known>> runs;
    for (const Known& k : found_blind) runs[{k.file, k.players}].push_back(k);
    for (const auto& [run, known] : runs) {
        const Rules rules = rules_named(run.first);
        std::set<FindingClass> classes;
        for (const Known& k : known) classes.insert(k.what);
        const Validation found = validate(rules.syntax, blind_limits(run.second, classes));
        for (const Known& k : known) {
            CAPTURE(k.id, k.file, k.players, k.rule);
            CHECK(std::any_of(found.findings.begin(), found.findings.end(),
                              [&](const Finding& f) { return f.what == k.what && f.rule == k.rule; }));
        }
        for (const Finding& f : found.findings) CHECK(f.remark == Remark::none);
    }
}

TEST_CASE("what only looks ambiguous raises nothing blind", "[validate]") {
    for (const Decoy& d : decoys) {
        const Rules rules = rules_named(d.file);
        ValidateLimits limits = blind_limits(d.players, d.classes);
        limits.games = 1'000;
        for (const Finding& f : validate(rules.syntax, limits).findings) {
            CAPTURE(d.id, d.file, d.players, f.id, f.title.in(Language::en));
            CHECK(f.rule != d.rule);
        }
    }
}

TEST_CASE("what only looks ambiguous raises nothing", "[validate]") {
    for (const Decoy& d : decoys) {
        CAPTURE(d.id, d.file, d.players, d.rule);
        const Rules rules = rules_named(d.file);
        ValidateLimits limits = limits_of(1'000, d.players, d.classes);
        limits.others = false;
        limits.proofs = false;
        const Validation found = validate(rules.syntax, limits);
        for (const Finding& f : found.findings) {
            CAPTURE(f.id, f.title.in(Language::en));
            CHECK((f.rule != d.rule || !f.settings.empty()));
        }
    }
}

void require_no_conflict_proved(std::optional<int> players) {
    const Rules rules = rules_named("jiji");
    ValidateLimits limits = limits_of(200, 4, {FindingClass::conflict});
    limits.others = false;
    limits.proof_work = 120 * work_a_second;
    if (players) limits.low = limits.high = *players;
    const Validation found = validate(rules.syntax, limits);
    const auto proved = std::find_if(found.passed.begin(), found.passed.end(),
                                     [](const Finding& f) { return f.what == FindingClass::conflict && f.rule == "prove"; });
    REQUIRE(proved != found.passed.end());
    CHECK(proved->verdict == Verdict::proved_absent);
}

TEST_CASE("what can be proved of the decoys is proved", "[validate][prove]") { require_no_conflict_proved(3); }

TEST_CASE("what can be proved of the decoys is proved, for all numbers of players", "[.long]") { require_no_conflict_proved({}); }

TEST_CASE("games without a hole validate clean", "[validate]") {
    for (const std::string name : {"kuhn", "leduc", "goofspiel", "hearts"}) {
        const Rules rules = rules_named(name);
        ValidateLimits limits = limits_of(500, 0, {});
        const Validation found = validate(rules.syntax, limits);
        for (const Finding& f : found.findings) {
            CAPTURE(name, f.id, f.title.in(Language::en));
            CHECK((f.gravity == Gravity::note && f.method == FoundBy::static_reading));
        }
        CAPTURE(name);
        CHECK(!found.passed.empty());
    }
}

TEST_CASE("every game that shows a finding replays to what it claims", "[validate]") {
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        ValidateLimits limits = limits_of(64, 0, {});
        limits.low = limits.high = player_range(rules.syntax).low;
        limits.proofs = false;
        const Validation found = validate(rules.syntax, limits);
        CHECK(found.limits.empty());
        std::set<std::string> ids;
        for (const Finding& f : found.findings) {
            CAPTURE(path.string(), f.id);
            CHECK(ids.insert(f.id).second);
            CHECK(!f.title.in(Language::en).empty());
            CHECK(!f.title.in(Language::ja).empty());
            if (f.witness) CHECK(replayed_state(rules, f) == f.witness->state.in(Language::en));
        }
    }
}

TEST_CASE("a finding is told alike each time", "[validate]") {
    const Rules rules = rules_named("leduc");
    const auto ids = [&] {
        std::vector<std::string> all;
        const Validation found = validate(rules.syntax, limits_of(200, 2, {}));
        for (const Finding& f : found.findings) all.push_back(f.id + f.title.in(Language::en) + (f.witness ? f.witness->log : ""));
        for (const Finding& f : found.passed) all.push_back(std::string(verdict_name(f.verdict)) + f.rule + f.title.in(Language::en));
        return all;
    };
    CHECK(ids() == ids());
}

TEST_CASE("cases whose values are sets cover everything, or it is told", "[validate]") {
    const Rules rules = parse_rules("sets", {R"(game sets
players 2 in a circle, clockwise
cards card { rank 1..3   1 of each }
zone box stack of card seen by nobody
zone table row of card seen by all
define ahead = cases { (first of table)'s rank is 1: {P1}  (first of table)'s rank is 2: players }
setup { put all cards on box, shuffled }
play { draw c from box to table }
winner = ahead, then shared
)"});
    ValidateLimits limits = limits_of(64, 2, {FindingClass::gap});
    const Validation found = validate(rules.syntax, limits);
    REQUIRE(found.findings.size() == 1);
    CHECK(found.findings[0].title.in(Language::en) == "No case applies");
    CHECK(replayed_state(rules, found.findings[0]) == found.findings[0].witness->state.in(Language::en));
}

namespace {

// Declarations beside what all of these share, with a fault and mended: the finding is told of the first and not of the second.
struct Fault {
    FindingClass what;
    std::string rule;
    std::string title;
    std::string faulty;
    std::string mended;
};

const std::string two_cards_each = "setup { put all cards on deck, shuffled   deal 2 from deck to every hand }\n";
const std::string once_each = "play { round }\nrule round { each p clockwise from P1: turn(p) }\n";
const std::string most_cards = "winner = players with most size of its hand, then shared\n";
const std::string play_a_card = "rule turn(player p) { p must choose c from p's hand   put c in table }\n";

const std::vector<Fault> faults{
    {FindingClass::dead, "turn", "Nothing is done with what is chosen: c",
     two_cards_each + once_each + most_cards + "rule turn(player p) { p must choose c from p's hand   draw d from deck to table }",
     two_cards_each + once_each + most_cards + play_a_card},
    {FindingClass::dead, "turn", "This parameter is not used here: n",
     two_cards_each + most_cards +
         "play { each p clockwise from P1: turn(p, 2) }\nrule turn(player p, 1..2 n) { p must choose c from p's hand   put c in table }",
     two_cards_each + most_cards +
         "play { each p clockwise from P1: turn(p, 2) }\nrule turn(player p, 1..2 n) { p must choose n from p's hand as laid   put laid in "
         "table }"},
    {FindingClass::gap, "turn", "This case does not say where it goes, as others do: c",
     two_cards_each + once_each + most_cards +
         "rule turn(player p) { p must choose c from p's hand   cases { c's rank is 1: put c in table   otherwise: draw d from deck to "
         "table } }",
     two_cards_each + once_each + most_cards +
         "rule turn(player p) { p must choose c from p's hand   cases { c's rank is 1: put c in table   otherwise { nothing   draw d from "
         "deck to table } } }"},
    {FindingClass::endless, "play", "In all games that were played it took 2 rounds, but as many as 3 are allowed",
     two_cards_each + most_cards + play_a_card +
         "rule round { each p clockwise from P1: turn(p) }\nplay { repeat round until every hand is empty, at most 3 times }",
     two_cards_each + most_cards + play_a_card +
         "rule round { each p clockwise from P1: turn(p) }\nplay { repeat round until every hand is empty, at most 2 times }"},
    {FindingClass::dead, "open", "Nothing ever changes it: open",
     two_cards_each + once_each + most_cards +
         "fact open yes/no = no lasts game seen by all\nrule turn(player p) { p must choose c from p's hand   if not open: put c in table "
         "}",
     two_cards_each + once_each + most_cards +
         "fact open yes/no = no lasts game seen by all\nrule turn(player p) { p must choose c from p's hand   if not open: put c in table  "
         " open becomes yes }"},
    {FindingClass::dead, "laid", "It is changed, but nothing depends on it: laid",
     two_cards_each + once_each + most_cards +
         "fact laid 0..9 = 0 lasts game seen by nobody\nrule turn(player p) { laid becomes 3   p must choose c from p's hand   put c in "
         "table }",
     two_cards_each + once_each + most_cards +
         "fact laid 0..9 = 0 lasts game seen by all\nrule turn(player p) { laid becomes 3   p must choose c from p's hand   put c in table "
         "}"},
    {FindingClass::dead, "pile", "Nothing is ever put there: pile",
     two_cards_each + once_each + play_a_card + "zone pile set of card seen by all\nwinner = players where pile is empty, then shared",
     two_cards_each + once_each +
         "zone pile set of card seen by all\nwinner = players where pile is empty, then shared\nrule turn(player p) { p must choose c from "
         "p's hand   put c in pile }"},
    {FindingClass::endless, "play", "`at most` so many times, but nothing ends it sooner",
     two_cards_each + most_cards + play_a_card +
         "rule round { each p clockwise from P1: turn(p) }\nplay { repeat round at most 2 times, then nothing }",
     two_cards_each + most_cards + play_a_card + "rule round { each p clockwise from P1: turn(p) }\nplay { repeat 2 times: round }"},
    {FindingClass::endless, "play", "This waits for something to change back, and nothing does that",
     two_cards_each + most_cards + play_a_card +
         "fact moved yes/no = no lasts game seen by all\nrule round { each p clockwise from P1: turn(p)   moved becomes yes }\nplay { "
         "repeat round until not moved, at most 2 times, then nothing }",
     two_cards_each + most_cards + play_a_card +
         "fact moved yes/no = no lasts round seen by all\nrule round { each p clockwise from P1: turn(p)   moved becomes yes }\nplay { "
         "repeat round until not moved, at most 2 times, then nothing }"},
    {FindingClass::endless, "play", "So many times are not enough",
     most_cards + play_a_card +
         "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\nrule round { each p clockwise from P1: turn(p) "
         "}\nplay { repeat round until every hand is empty, at most 2 times }",
     most_cards + play_a_card +
         "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\nrule round { each p clockwise from P1: turn(p) "
         "}\nplay { repeat round until every hand is empty, at most 3 times }"},
    {FindingClass::end_race, "round", "What ends it holds already, and somebody still has to decide before it is checked",
     two_cards_each + once_each + most_cards + play_a_card + "ends checked after round, first of { laid when table is not empty }",
     two_cards_each + once_each + most_cards + play_a_card + "ends checked after turn, first of { laid when table is not empty }"},
    {FindingClass::dead, "coin", "These pieces came into play in no game that was played: coin",
     once_each + most_cards + play_a_card +
         "cards coin { 2 of each }\nzone purse set of coin seen by all\nsetup { put all card on deck, shuffled   deal 2 from deck to every "
         "hand }",
     once_each + most_cards + play_a_card +
         "cards coin { 2 of each }\nzone purse set of coin seen by all\nsetup { put all card on deck, shuffled   put all coin in purse   "
         "deal 2 from deck to every hand }"},
    {FindingClass::count, "deck", "Some get more than others, and still a few pieces were left over in every game: deck",
     once_each + most_cards + play_a_card +
         "setup { put all cards on deck, shuffled   deal 3 from deck to P1's hand   deal 2 from deck to P2's hand }",
     once_each + most_cards + play_a_card +
         "setup { put all cards on deck, shuffled   deal 4 from deck to P1's hand   deal 2 from deck to P2's hand }"},
    {FindingClass::degenerate, "turn", "In no game that was played had anybody a choice here: there was one possibility, or none",
     once_each + most_cards + play_a_card + "setup { put all cards on deck, shuffled   deal 1 from deck to every hand }",
     two_cards_each + once_each + most_cards + play_a_card},
    {FindingClass::dead, "turn", "`otherwise` came up in no game that was played",
     two_cards_each + once_each + most_cards +
         "rule turn(player p) { if p's hand is not empty { p must choose c from p's hand   put c in table }   otherwise: draw d from deck "
         "to table }",
     two_cards_each + most_cards +
         "play { repeat 3 times: round }\nrule round { each p clockwise from P1: turn(p) }\nrule turn(player p) { if p's hand is not empty "
         "{ p must choose c from p's hand   put c in table }   otherwise: draw d from deck to table }"},
    {FindingClass::example, "fails", "The example does not come out: two",
     two_cards_each + once_each + most_cards + play_a_card + "example \"two\" { then size of players is 3 }",
     two_cards_each + once_each + most_cards + play_a_card + "example \"two\" { then size of players is 2 }"},
};

Rules with_declarations(const std::string& declarations) {
    Rules rules = parse_rules("fault", {R"(game fault
players 2 in a circle, clockwise
cards card { rank 1..3   2 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone table           row of card     seen by all
)" + declarations});
    rules.diagnostics = check_all(rules.syntax);
    return rules;
}

}  // namespace

TEST_CASE("what is left unfinished is told, and not when it is mended", "[validate]") {
    for (const Fault& fault : faults) {
        CAPTURE(fault.title);
        const auto told = [&](const std::string& declarations) {
            const Rules rules = with_declarations(declarations);
            CAPTURE(declarations);
            REQUIRE(!has_errors(rules.diagnostics));
            const std::vector<Finding> findings = validate(rules.syntax, limits_of(64, 2, {fault.what})).findings;
            return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
                return f.what == fault.what && f.rule == fault.rule && f.title.in(Language::en) == fault.title;
            });
        };
        CHECK(told(fault.faulty));
        CHECK(!told(fault.mended));
    }
}
