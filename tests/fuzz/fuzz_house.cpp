// Any text as a house rule on a small game, and on itself: merged, checked, listed, and played for a while when nothing is wrong.
#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/run.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace houserule;

constexpr std::uint64_t forced_steps = 20'000;  // between two answers: enough for any deal, quick when instrumented
constexpr int answers = 200;

// One of each thing that a house rule can change.
const std::string base_text = R"(
game small
players 2..3 in a circle, clockwise
option quick yes/no = no "Two cards a turn."
enum Hue { red, blue }
cards card { hue Hue   rank 1..3   1 of each }
cards token { worth 1..9   2 of little: 1   1 of big: 5 }
total token is 3
zone deck            stack of card   seen by nobody
zone bank            set of token    seen by all
zone hand of player  set of card     seen by owner
fact wins of player  0..9 = 0   lasts game   seen by all
setup { put all card on deck, shuffled   put all token in bank }
play { repeat round, at most 3 times, then end tired }
rule round { each p clockwise from P1: turn(p) }
rule turn(player p) "Draw a card." {
  draw c from deck to p's hand
    if none: stop turn
  reading high { later chosen: nothing   now: if c's rank is 3: p's wins becomes p's wins + 1 }
  p must choose d from p's hand { put d under deck }
}
act shout(player p) at any time unless p's wins is 3, when simulated 1 in 100 { p's wins becomes 3 }
ends checked after turn, first of { full when some p in players where size of p's hand is 3   early when deck is empty }
end tired
define score(player p) = size of p's hand + p's wins
winner = players with most score(it), then shared
when quick { replace rule turn(player p) { if size of deck >= 2: deal 2 from deck to p's hand } }
example "a card is a point" for 2 players { given P1's hand is [red 1]   then score(P1) is 1 }
labels ja { small "小さなゲーム" hand "手札" }
texts ja { turn "1枚引く。" }
)";

void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void play(Game game) {
    const auto machine = compile(std::move(game));
    const auto run = make_run(machine);
    run->limit_forced(forced_steps);
    Random random(machine->game.hash);
    for (int i = 0; i < answers; ++i) {
        const Node& node = run->advance();
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
        run->apply(random_move(*run, random, 300'000));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Sources sources;
    sources.emplace_back("house.rules", text);
    sources.emplace_back("again.rules", text);
    sources.emplace_back("small.rules", base_text);
    Diagnostics diagnostics;
    const Syntax house = parse(sources, 0, diagnostics);
    const Syntax again = parse(sources, 1, diagnostics);
    Diagnostics none;
    const Syntax base = parse(sources, 2, none);
    must(none.empty() && !has_errors(check_all(base)), "the game itself is wrong");
    const bool readable = !has_errors(diagnostics);
    for (const Syntax& syntax : {stacked(base, house), stacked(stacked(base, house), again)}) {
        const std::vector<Variant> all = variants(syntax);
        for (const std::size_t v : {std::size_t{0}, all.size() - 1}) {
            Diagnostics here;
            Game game = check(syntax, all[v].players, all[v].settings, here);
            if (readable && !has_errors(here)) {
                listing(syntax, merge(syntax, all[v].settings, here), sources);
                play(std::move(game));
            }
            for (const Diagnostic& d : here) must(d.span.source < sources.size(), "a place in no file");
            diagnostics.insert(diagnostics.end(), here.begin(), here.end());
        }
    }
    tidy(diagnostics);
    render(diagnostics, sources, {Language::ja, true});
    render_json(diagnostics, sources, Language::en);
    return 0;
}
