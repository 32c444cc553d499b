// Any text as a log, and as a view, of one small game that has every kind of line.
#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/run.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace houserule;

constexpr const char* rules = R"(
game small
players 2..3 in a circle, clockwise
enum Colour { red, blue }
cards card { colour Colour  number 1..3  1 of each }
cards joker { 1 of each }
zone deck            stack of any card  seen by nobody
zone hand of player  set of any card    seen by owner
zone row  of player  row of card        seen by all
zone out             set of any card    seen by all
zone me of player    one card           seen by others
fact starter          player               lasts game  seen by all
fact score of player  0..40 = 0            lasts game  seen by all
fact half of player   0..4 by 0.5 = 0      lasts game  seen by owner
fact named of player  set of Colour = {}   lasts turn  seen by all
setup {
  put all cards on deck, shuffled
  table tells starter from players, when simulated any
  deal 1 from deck to every hand
}
play { repeat round until size of deck < 3, at most 4 times }
rule round { each p clockwise from starter: turn(p) }
rule turn(player p) {
  draw c from deck to p's hand if none: p says dry
  p must name b from Colour
  p's named becomes {b}
  p may swap {
    draw d blindly from p's left's hand to p's hand
    show p's hand to p's left
    put d in out
  }
  p may choose e from p's hand where it is a card { put e in p's row  p's score becomes p's score + 1 } otherwise: p says keep
  p must choose 0..2 from p's hand as many: put many in out
  put out on deck, shuffled
  chance picks low from Colour
}
act shout(player p) at any time unless p's score > 2 when simulated 1 in 10 { p's score becomes p's score + 1 }
ends checked after turn, shout, first of { rich when some p in players where p's score > 3 }
winner = players with most its score, then shared
labels ja { hand "手札" red "赤" deck "山札" }
)";

std::shared_ptr<const Machine> small_game() {
    Sources sources;
    sources.emplace_back("small.rules", rules);
    Diagnostics diagnostics;
    const Syntax syntax = parse(sources, 0, diagnostics);
    Game game;
    if (!has_errors(diagnostics)) game = check(syntax, 2, {}, diagnostics);
    if (has_errors(diagnostics)) {
        std::fprintf(stderr, "%s", render(diagnostics, sources, {}).c_str());
        std::abort();
    }
    return compile(std::move(game));
}

// What a seat saw, written down and read again.
void views_agree(const Machine& machine, const Events& events) {
    for (int seat = 0; seat < machine.game.players; ++seat) {
        const View seen = view_of(machine, head_of(machine, std::nullopt), events, seat);
        Sources sources;
        sources.emplace_back("view.log", view_text(machine, seen.head, events, seat));
        Diagnostics none;
        const auto head = read_head(sources, 0, none);
        const auto view = head ? read_view(sources, 0, *head, machine, none) : std::nullopt;
        bool same = view && view->events.size() == seen.events.size();
        for (std::size_t i = 0; same && i < seen.events.size(); ++i) same = can_mean(*view, i, seen.events[i]);
        if (same) continue;
        std::fprintf(stderr, "%s\n%s\na view is not read as what was seen\n", std::string(sources[0].text()).c_str(),
                     render(none, sources, {}).c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto machine = small_game();
    static const auto run = make_run(machine);
    Sources sources;
    sources.emplace_back("input.log", std::string(reinterpret_cast<const char*>(data), size));
    is_log(sources[0].text());
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    Diagnostics of_view;
    if (head) {
        read_view(sources, 0, *head, *machine, of_view);
        Events events;
        const bool whole = replay(sources, 0, *head, *run, events, diagnostics);
        // What was replayed is a log again, and a view for each seat.
        for (int seat = -1; seat < machine->game.players; ++seat)
            for (const Event& e : events) event_line(*machine, e, seat, seat == 0 ? "ja" : "");
        views_agree(*machine, events);
        if (whole) {
            const std::string text = log_text(*machine, head_of(*machine, head->seed), events);
            Sources again;
            again.emplace_back("again.log", text);
            Diagnostics none;
            Events same;
            const auto second = read_head(again, 0, none);
            if (!second || !replay(again, 0, *second, *run, same, none) ||
                log_text(*machine, head_of(*machine, head->seed), same) != text) {
                std::fprintf(stderr, "%s\n%s\na log does not replay to itself\n", text.c_str(), render(none, again, {}).c_str());
                std::abort();
            }
        }
    }
    diagnostics.insert(diagnostics.end(), of_view.begin(), of_view.end());
    tidy(diagnostics);
    render(diagnostics, sources, {Language::en, false});
    render(diagnostics, sources, {Language::ja, true});
    return 0;
}
