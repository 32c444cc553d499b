// Each step and condition that cannot be handled on unknowns, in a game in which `hint` meets it: that it says so, until which line it got,
// and that what it says of the table there is true. Without time or work nothing is said that is not known.
#include "solver/terms/limits.hpp"
#include "interpreter/log/view.hpp"
#include "tests/support/program.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/schema.hpp"
#include "tests/unit/solver/contents.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

namespace fs = std::filesystem;

constexpr std::uint64_t seeds_tried = 16;
constexpr int times_met = 3;

const std::string copies = "cards card { rank 1..3   2 of each }\n";
const std::string two_each = "setup { put all cards on deck, shuffled   deal 2 from deck to every hand }\n";

// A game in which P1 meets a limit.
struct Meeting {
    LimitKind limit;
    std::string play;
    std::string cards = copies;
    std::string setup = two_each;
    std::vector<std::string> also{};  // options of `hint`
    bool ends_following = true;       // at a line; else something is not counted
};

std::vector<Meeting> meetings() {
    const std::string forty = "cards card { rank 1..40   1 of each }\n";
    const std::string twenty_each = "setup { put all cards on deck, shuffled   deal 20 from deck to every hand }\n";
    const std::string some_left = "setup { put (all cards where its rank > 1) on deck, shuffled   deal 2 from deck to every hand }\n";
    const std::string one_open = "setup { put all cards on deck, shuffled   deal 2 from deck to every hand   deal 1 from deck to open }\n";
    return {
        // The first of two cards in a row, of which nobody knows which came first.
        {LimitKind::order_not_known, "put P2's hand in line, shuffled   put first of line in open"},
        // All cards of a kind leave a pile, wherever in it they lie.
        {LimitKind::order_not_known, "deal 2 from deck to heap   put heap where its rank is 1 in open"},
        // The pairs that P2 had when the moment began move twice.
        {LimitKind::moment_twice,
         "simultaneously each p in {P2} { put groups of 2 from P2's hand in line   put groups of 2 from P2's hand in kept }   P1 says "
         "hello"},
        // Each of two puts a card of one name, and has a copy of it.
        {LimitKind::moment_twice,
         "draw c from deck to kept   put P2's hand in kept   simultaneously each p in players { put c in line }   P1 says hello"},
        // Two cards that may be alike are named, and one moves.
        {LimitKind::which_card,
         "P2 must choose c from P2's hand   P2 must choose d from P2's hand   put c in kept   if d's rank is 1: P2 says low   put d in "
         "kept"},
        // What is put behind a row in an unknown order.
        {LimitKind::cases_compared,
         "put P2's hand in line, shuffled   cases { deck is not empty: put open in line   P1's hand is not empty: { put open in line   "
         "nothing } }",
         copies, one_open},
        {LimitKind::too_many_values, "P2 must choose m from 0..5000   if m > 50: P2 says low"},
        // Out of the box to where nobody looks, as many as there are of a kind that is chosen in secret.
        {LimitKind::number_not_known, "P2 must choose m from 1..3   put (all cards where its rank is m) in kept", copies, some_left},
        // Of so many cards so many moves, if some of them are alike.
        {LimitKind::number_not_known,
         "P2 must choose 2 from P2's hand as taken   put taken in kept",
         copies,
         two_each,
         {"--assume", "uniform-play"},
         false},
        // How many sets of four fit.
        {LimitKind::too_many_sets,
         "P2 must choose 4 from P2's hand as taken where sum of its rank over taken > 20 { put taken in kept } if none: P2 says low",
         forty,
         twenty_each,
         {"--assume", "uniform-play"},
         false},
        // After one move there is a lot, after the other there is none.
        {LimitKind::deals_depend,
         "P2 must choose m from 1..2   if m is 1 { chance picks x from 1..2 for P2 }",
         copies,
         two_each,
         {"--weight", "deals"},
         false},
    };
}

std::string rules_of(const Meeting& m) {
    return "game limits\nplayers 2 in a circle, clockwise\nzone deck stack of card seen by nobody\nzone kept set of card seen by nobody\n"
           "zone line row of card seen by nobody\nzone heap stack of card seen by nobody\nzone open set of card seen by all\n"
           "zone hand of player set of card seen by owner\n" +
           m.cards + m.setup + "play { " + m.play +
           "   P1 must name n from 0..1 }\nwinner = players with most size of its hand, then shared\n";
}

// Whether it is the sentence of the limit, whatever its number.
bool tells(const std::string& sentence, LimitKind kind) {
    constexpr std::uint64_t any = 987654;
    const std::string words = text({kind, any});
    const std::size_t number = words.find(std::to_string(any));
    if (number == std::string::npos) return sentence.find(words) != std::string::npos;
    const std::size_t begin = sentence.find(words.substr(0, number));
    return begin != std::string::npos && sentence.find(words.substr(number + 6), begin) != std::string::npos;
}

// The names of the rows under this heading.
std::set<std::string> rows_under(const std::string& heading) {
    std::ifstream table(fs::path(HOUSERULE_ROOT) / "solver/terms/limits.en.def");
    std::set<std::string> names;
    bool is_here = false;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with("//")) is_here = line == heading;
        const std::size_t begin = line.find('(');
        if (is_here && line.starts_with("HOUSERULE_TEXT(")) names.insert(line.substr(begin + 1, line.find(',') - begin - 1));
    }
    return names;
}

constexpr const char* kind_names[] = {
    "none",
#define HOUSERULE_TEXT(name, words) #name,
#include "solver/terms/limits.en.def"
#undef HOUSERULE_TEXT
};

// What lay where when the seat had noticed so many events.
Contents contents_after(const Events& events, int seat, std::size_t seen) {
    Following following;
    std::size_t so_far = 0;
    for (const Event& e : events) {
        if (so_far == seen) break;
        following.add(e);
        so_far += noticed(e, seat) ? 1 : 0;
    }
    return following.contents();
}

// Whether it was met in that game.
bool is_met(const Meeting& m, const fs::path& folder, std::uint64_t seed, bool is_first) {
    const std::string rules = (folder / "limits.rules").string();
    std::ofstream(rules) << rules_of(m);
    const auto machine = machine_of(read_rules(rules), {2, {}});
    const auto run = make_run(machine);
    const Events events = played_at_random(*run, seed, 100);
    if (run->node().kind == NodeKind::failed) return false;
    const std::string log = (folder / "limits.log").string();
    std::ofstream(log) << log_text(*machine, head_of(*machine, std::nullopt), events);
    std::vector<std::string> command{"hint", "--json", "--as", "P1", "--rules", rules, log};
    command.insert(command.end(), m.also.begin(), m.also.end());
    const Ended ended = run_program(command);
    INFO(ended.out << ended.err);
    const Json hint = Json::parse(ended.out);
    const Json schema = read_schema("hint");
    CHECK(conforms(hint, schema, schema));
    const Json& limits = hint["limits"];
    if (std::none_of(limits.begin(), limits.end(), [&](const auto& l) { return tells(l, m.limit); })) {
        CHECK_FALSE(hint.contains("until"));
        return false;
    }
    CHECK(ended.code == 3);
    REQUIRE(hint.contains("until") == m.ends_following);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, 0);
    const std::size_t seen = m.ends_following ? hint["until"]["events"].get<std::size_t>() : view.events.size();
    Deduction deduction(machine, 0);
    const Events followed(view.events.begin(), view.events.begin() + static_cast<std::ptrdiff_t>(seen));
    REQUIRE(deduction.see(followed, m.ends_following ? Told::as_far_as_followed : Told::up_to_question) == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    CHECK_FALSE(known.things.empty());
    CHECK(hint["unknowns"].size() == known.things.size());
    CHECK(wrong_of_cards(machine->game, known, contents_after(events, 0, seen)).empty());
    if (!m.ends_following) return true;
    CHECK(hint["fits"].is_null());
    CHECK(hint["moves"].empty());
    CHECK(hint["until"]["of"] == view.events.size());
    REQUIRE(seen < view.events.size());
    // In words the line is the one on which the last event that was followed stands, and what could not be followed stands behind it.
    const auto line = hint["until"]["line"].get<std::size_t>();
    std::vector<std::vector<std::string>> all{{"hint", log, "--numbers"}, {"why", log, "size of deck >= 0"}, {"worlds", log}};
    if (!is_first) all.resize(1);
    for (const std::vector<std::string>& asked : all) {
        std::vector<std::string> in_words = asked;
        in_words.insert(in_words.end(), {"--as", "P1", "--rules", rules});
        in_words.insert(in_words.end(), m.also.begin(), m.also.end());
        const Ended words = run_program(in_words);
        CAPTURE(asked.front());
        CHECK(words.code == 3);
        CHECK(words.out.starts_with(fmt::format("Until line {}; from there only what is seen.\n", line)));
    }
    std::ifstream lines(log);
    std::string last;
    for (std::size_t n = 0; n < line; ++n) REQUIRE(std::getline(lines, last));
    std::string next;
    CHECK(std::getline(lines, next));
    return true;
}

}  // namespace

TEST_CASE("limits: what cannot be handled on unknowns is told, and what is said until there holds", "[limits]") {
    const fs::path folder = fs::temp_directory_path() / fmt::format("houserule_limits_{}", Catch::rngSeed());
    fs::create_directories(folder);
    for (const Meeting& m : meetings()) {
        int met = 0;
        for (std::uint64_t seed = 1; seed <= seeds_tried && met < times_met; ++seed) {
            INFO(kind_names[static_cast<int>(m.limit)] << ", seed " << seed << ":\n" << rules_of(m));
            met += is_met(m, folder, seed, met == 0) ? 1 : 0;
        }
        INFO(kind_names[static_cast<int>(m.limit)] << ": " << m.play);
        CHECK(met == times_met);
    }
    fs::remove_all(folder);
}

TEST_CASE("limits: of what cannot be handled on unknowns each has a game in which it is met, and they are few", "[limits]") {
    std::set<std::string> met;
    for (const Meeting& m : meetings()) met.insert(kind_names[static_cast<int>(m.limit)]);
    CHECK(rows_under("// Steps and conditions that cannot be handled on unknowns.") == met);
    CHECK(met.size() <= 8);
}

TEST_CASE("limits: each has a sentence in each language", "[limits]") {
    for (auto kind = static_cast<int>(LimitKind::none) + 1; kind < static_cast<int>(limit_kinds); ++kind) {
        const Limit limit{static_cast<LimitKind>(kind), 7};
        CHECK(!text(limit, Language::en).empty());
        CHECK(text(limit, Language::ja) != text(limit, Language::en));
    }
    CHECK(text({LimitKind::too_many_states, 7}) == "more than 7 states");
    CHECK(text(because(LimitKind::not_counted, {LimitKind::out_of_time})) == "not counted: out of time");
    CHECK(text(because(LimitKind::not_counted, {LimitKind::out_of_time}), Language::ja) == "数えきれませんでした（時間が足りません）");
}

TEST_CASE("deduction: without time it says so and gives no numbers", "[deduction]") {
    const MachinePtr machine = machine_of(read_rules(rules_file("jiji")), {4, {}});
    const auto run = make_run(machine);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), played_at_random(*run, 3, 30), 1);
    Deduction late(machine, 1);
    late.finish_by(Deadline(Deadline::Clock::now() - std::chrono::seconds(1), nullptr));
    CHECK(late.see(view.events) == Fit::unknown);
    CHECK(late.limit() == Limit{LimitKind::out_of_time});
    CHECK(late.knowledge().method == Method::unknown);
    CHECK(late.knowledge().things.empty());
    // Followed in time, but not counted.
    Deduction deduction(machine, 1);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    deduction.finish_by(Deadline(Deadline::Clock::now() - std::chrono::seconds(1), nullptr));
    const Knowledge& known = deduction.knowledge();
    CHECK(known.method == Method::possible_only);
    REQUIRE(!known.limits.empty());
    CHECK(known.limits.front() == Limit{LimitKind::not_counted, 0, LimitKind::out_of_time});
    for (const HiddenThing& thing : known.things)
        for (const Possibility& p : thing.values)
            CHECK((p.weights.empty() && !p.worlds && p.possible != Answer::yes && p.certain != Answer::yes));
}

TEST_CASE("deduction: without work nothing is called possible or impossible", "[deduction]") {
    const MachinePtr machine = machine_of(read_rules(rules_file("jiji")), {4, {}});
    const auto run = make_run(machine);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), played_at_random(*run, 3, 30), 1);
    DeductionLimits limits;
    limits.work = 1;
    Deduction deduction(machine, 1, limits);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    CHECK(known.method == Method::possible_only);
    REQUIRE(known.limits.size() > 1);
    CHECK(known.limits.front() == Limit{LimitKind::not_counted, 0, LimitKind::out_of_work});
    CHECK(known.limits.back().kind == LimitKind::possible_not_decided);
    REQUIRE(!known.things.empty());
    for (const HiddenThing& thing : known.things)
        for (const Possibility& p : thing.values) CHECK((p.possible != Answer::yes && p.certain != Answer::yes));
    // What is impossible as it stands, as a kind that lies in sight, takes no work.
    const HiddenThing& thing = known.things.front();
    const auto open = std::find_if(thing.values.begin(), thing.values.end(), [](const Possibility& p) { return !p.is_decided(); });
    REQUIRE(open != thing.values.end());
    CHECK(deduction.why_not(thing.place, KindId(open->value)).answer == Answer::unknown);
}
