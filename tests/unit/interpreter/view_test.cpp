// Views as they are read: the text of what a seat saw, read again, is what that seat saw.
#include "interpreter/log/view.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

struct Read {
    std::optional<View> view;
    Diagnostics diagnostics;
    std::string rendered;
};

Read read(const Machine& machine, const std::string& text, Language language = Language::en) {
    Sources sources;
    sources.emplace_back("a.log", text);
    Read r;
    const auto head = read_head(sources, 0, r.diagnostics);
    if (head) r.view = read_view(sources, 0, *head, machine, r.diagnostics);
    r.rendered = render(r.diagnostics, sources, {language, false});
    return r;
}

// Every part of a masked event that text can show.
void check_same(const Machine& machine, const View& read, const View& seen, const std::string& text) {
    REQUIRE(read.seat == seen.seat);
    REQUIRE(read.events.size() == seen.events.size());
    REQUIRE(read.others.size() == seen.events.size());
    REQUIRE(read.lines.size() == seen.events.size());
    for (std::size_t i = 0; i < seen.events.size(); ++i) {
        INFO(event_line(machine, seen.events[i], seen.seat) << "\n" << event_line(machine, read.events[i], seen.seat));
        REQUIRE(can_mean(read, i, seen.events[i]));
        if (read.others[i].empty()) REQUIRE(read.events[i] == seen.events[i]);
        const std::string line = text.substr(read.lines[i].begin, read.lines[i].end - read.lines[i].begin);
        if (seen.events[i].kind != EventKind::draw)
            REQUIRE(line == event_line(machine, seen.events[i], seen.seat));
        else
            REQUIRE(line.starts_with("deal "));
    }
}

}  // namespace

TEST_CASE("a view that is read is what its seat saw", "[view]") {
    std::set<EventKind> kinds;
    std::uint64_t hidden = 0;
    std::uint64_t ambiguous = 0;
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        Random random(seed_of(name));
        for (const std::uint64_t answers : {random.below(60), 60 + random.below(240)}) {
            const std::uint64_t seed = random.next();
            INFO("seed " << seed << ", " << answers << " answers");
            const Events events = played_at_random(*make_run(machine), seed, answers);
            for (int seat = 0; seat < machine->game.players; ++seat) {
                const LogHead head = head_of(*machine, seed);
                const std::string text = view_text(*machine, head, events, seat);
                const Read r = read(*machine, text);
                INFO(text << r.rendered);
                REQUIRE(r.view);
                REQUIRE(r.diagnostics.empty());
                const View seen = view_of(*machine, head, events, seat);
                for (const Event& e : seen.events) REQUIRE(not_in_view(*machine, e, seat) == NotInView::fits);
                check_same(*machine, *r.view, seen, text);
                for (std::size_t i = 0; i < r.view->events.size(); ++i) {
                    kinds.insert(r.view->events[i].kind);
                    hidden += r.view->events[i].faces == 0 ? 1 : 0;
                    ambiguous += r.view->others[i].empty() ? 0 : 1;
                }
            }
        }
    });
    for (int k = 0; k < static_cast<int>(EventKind::begins); ++k) {
        INFO("kind of event " << k);
        CHECK(kinds.contains(static_cast<EventKind>(k)));
    }
    CHECK(hidden > 1000);
    CHECK(ambiguous == 0);  // no two variables of one name and type are told apart
}

namespace {

const std::string small_rules = R"(
game small
players 2 in a circle, clockwise
enum Colour { red, blue }
enum Sheet { north, south }
cards card  { number 1..3  2 of each }
cards token { worth 2..3   1 of each }
zone deck             stack of card   seen by nobody
zone tokens           stack of token  seen by nobody
zone hand of player   set of any card seen by owner
zone heap of Sheet    set of card     seen by all
fact half of player   0..4 by 0.5 = 0         lasts game seen by all
fact secret of player 0..4 = 0                lasts game seen by others
fact move             0..9 = 0                lasts game seen by all
fact best of Sheet    player or nobody = nobody lasts game seen by all
fact liked of player  set of Colour = {}      lasts game seen by all
setup { put all card on deck, shuffled   put all token on tokens, shuffled   deal 2 from deck to every hand   deal 1 from tokens to every hand }
play { each p: first_one(p)   each p: second_one(p) }
rule first_one(player p) {
  p must choose c from p's hand where it is a card: put c in heap of north
  p must name n from Colour
  p may swap: p says swapped
  move becomes move + 1
  p's half becomes 1.5
  p's secret becomes 3
  best of south becomes p
  p's liked becomes {red, blue}
}
rule second_one(player p) {
  p must choose c from Colour
  p must name n from 0..2
  p must choose 0..2 from p's hand as kept
  show kept to all
  chance picks low from Colour
}
winner = players with most its half, then shared
labels ja { red "赤"  blue "青"  deck "山札"  hand "手札"  half "半分"  c "選ぶ"  swap "交換" }
)";

std::shared_ptr<const Machine> small_machine() {
    static const std::shared_ptr<const Machine> machine = machine_of(parse_rules("small.rules", {small_rules}), {2, {}});
    return machine;
}

// The lines as the body of a view of P1.
Read read_lines_of(const std::string& lines, Language language = Language::en) {
    return read(*small_machine(), "houserule log 1\ngame small\nplayers 2\nview P1\n\n" + lines, language);
}

// What a line can mean, as lines without labels, each with its variable's type where names are shared.
std::vector<std::string> meanings(const std::string& line) {
    const Read r = read_lines_of(line + "\n");
    INFO(r.rendered);
    REQUIRE(r.view);
    REQUIRE(r.view->events.size() == 1);
    std::vector<std::string> all{event_line(*small_machine(), r.view->events[0], 0)};
    for (const Event& e : r.view->others[0]) all.push_back(event_line(*small_machine(), e, 0));
    return all;
}

std::string complaint(const std::string& line, Language language = Language::en) {
    const Read r = read_lines_of(line + "\n", language);
    CHECK_FALSE(r.view);
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].span.begin >= 45);
    return r.rendered;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("lines of a view mean what fits their names", "[view]") {
    // One name, two variables: what is chosen decides, and what is hidden or fits both does not.
    CHECK(meanings("P1: c = red") == Texts{"P1: c = red"});
    CHECK(meanings("P1: c = 2") == Texts{"P1: c = 2", "P1: c = 2"});  // a card or a token: both lie in hands
    CHECK(meanings("P1: c = ?").size() == 2);
    CHECK(meanings("P1 names n = blue").size() == 1);
    CHECK(meanings("P1 names n = 2").size() == 1);
    // Two cards are written alike; only one of them goes on the deck.
    CHECK(meanings("deal tokens -> P1's hand: 2").size() == 2);
    CHECK(meanings("deal tokens -> P1's hand: 1").size() == 1);
    CHECK(meanings("move P1's hand -> heap of north: 2, 3").size() == 1);
    CHECK(meanings("P1: kept = 2, 3").size() == 4);
    CHECK(meanings("P1: kept = nothing").size() == 1);
    // Labels and identifiers, in any mixture.
    CHECK(meanings("P1: 選ぶ = 赤") == Texts{"P1: c = red"});
    CHECK(meanings("deal 山札 -> P1's 手札: 1") == Texts{"deal deck -> P1's hand: 1"});
    CHECK(meanings("P1: 交換 = yes") == Texts{"P1: swap = yes"});
    CHECK(meanings("P2's 半分 = 1.5") == Texts{"P2's half = 1.5"});
    for (const char* line : {"move = 3", "best of south = P2", "best of north = nobody", "P1's liked = red, blue", "P2's liked = nothing",
                             "P2's secret = 4", "P2 says swapped", "show P2's hand to all: ?, ?", "show P2's hand to P1: 1",
                             "lot: low = red", "shuffle deck", "move P2's hand -> heap of south: ?"})
        CHECK(meanings(line) == Texts{line});
    // What is hidden counts as many.
    const Read two = read_lines_of("deal deck -> P2's hand: ?, ?\nmove P2's hand -> heap of north: ?, ?  # a remark\n");
    REQUIRE(two.view);
    REQUIRE(two.view->events.size() == 3);
    CHECK(two.view->events[1].pieces == std::vector<std::int32_t>{no_id});
    CHECK(two.view->events[2].pieces == std::vector<std::int32_t>{no_id, no_id});
    CHECK(two.view->events[2].faces == 0);
    CHECK(two.view->lines[0] == two.view->lines[1]);
}

TEST_CASE("a line of a view that says nothing about the game is pointed at", "[view]") {
    CHECK(has(complaint("deal deck -> P1's hnad: 1"), "did you mean `P1's hand`?"));
    CHECK(has(complaint("deal deck -> P1's hnad: 1"), "   ^^^^^^^^^"));
    CHECK(has(complaint("deal deck -> P1's hnad: 1", Language::ja), "`P1's hnad` という名前のものはありません"));
    CHECK(has(complaint("deal deck -> P1's hand: 4"), "nothing is called `4`"));
    CHECK(has(complaint("P1 names n = bleu"), "`n` has nothing called `bleu`"));
    CHECK(has(complaint("P1 names n = bleu"), "did you mean `blue`?"));
    CHECK(has(complaint("P1: d = red"), "nothing is called `d`"));
    CHECK(has(complaint("P1: swpa = yes"), "did you mean `swap`?"));
    CHECK(has(complaint("P1: swap = maybe"), "`swap` has nothing called `maybe`"));
    CHECK(has(complaint("P1 says swaped"), "did you mean `swapped`?"));
    CHECK(has(complaint("P3 says swapped"), "nothing is called `P3`"));
    CHECK(has(complaint("show P1's hand to P4: 1"), "nothing is called `P4`"));
    CHECK(has(complaint("P1's half = 1.3"), "`P1's half` has nothing called `1.3`"));
    CHECK(has(complaint("P1's half = 1, 2"), "`P1's half` has one value"));
    CHECK(has(complaint("P1's halve = 1"), "did you mean `P1's half`?"));
    CHECK(has(complaint("P1: no c"), "nothing is called `c`"));
    CHECK(has(complaint("end over"), "nothing is called `over`"));
    CHECK(has(complaint("move P1's hand -> deck: 1, ?"), "sees all of them"));
    CHECK(has(complaint("P1 thinks"), "this line cannot be read"));
    // Of every line what is wrong with it, and of a log that it is no view.
    CHECK(read_lines_of("P1 says swaped\nmove = 3\nP1's halve = 1\n").diagnostics.size() == 2);
    const Read log = read(*small_machine(), "houserule log 1\ngame small\nplayers 2\n\nmove = 3\n");
    CHECK_FALSE(log.view);
    CHECK(has(log.rendered, "the file has no `view`"));
}

TEST_CASE("a line that can mean too much is not read", "[view]") {
    const auto line = [](int n) {
        std::string text = "P1: kept = 2";
        for (int i = 1; i < n; ++i) text += ", 2";
        return text;
    };
    // Two kinds are written `2`: n of them are n + 1 sets.
    CHECK(meanings(line(static_cast<int>(reading_limit) - 1)).size() == reading_limit);
    CHECK(has(complaint(line(static_cast<int>(reading_limit))), "it can mean more than 256 things"));
}

TEST_CASE("a replay says which line an event came from", "[view]") {
    for (const char* name : {"cogito", "jiji", "whist", "small"}) {
        const bool small = name == std::string("small");
        const Rules rules = small ? parse_rules("small.rules", {small_rules}) : read_rules(rules_file(name));
        const auto machine = machine_of(rules, variants(rules.syntax).back());
        const Events events = played_at_random(*make_run(machine), 7, 60);
        const std::string text = log_text(*machine, head_of(*machine, 7), events);
        Sources sources;
        sources.emplace_back("a.log", text);
        Diagnostics diagnostics;
        const auto head = read_head(sources, 0, diagnostics);
        REQUIRE(head);
        const auto run = make_run(machine);
        Events again;
        std::vector<std::optional<Span>> lines;
        REQUIRE(replay(sources, 0, *head, *run, again, diagnostics, &lines));
        REQUIRE(lines.size() == again.size());
        std::size_t stated = 0;
        for (std::size_t i = 0; i < again.size(); ++i) {
            if (event_line(*machine, again[i], -1).empty()) {
                CHECK_FALSE(lines[i]);
                continue;
            }
            REQUIRE(lines[i]);
            const std::string line = text.substr(lines[i]->begin, lines[i]->end - lines[i]->begin);
            ++stated;
            if (again[i].kind == EventKind::draw)
                CHECK(line.starts_with("deal "));
            else
                CHECK(line == event_line(*machine, again[i], -1));
        }
        CHECK(stated > 20);
    }
}
