// Any text as a rules file: read, laid out, checked, and played for a while when nothing is wrong with it.
#include "dsl/check/check.hpp"
#include "dsl/syntax/format.hpp"
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

void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void lay_out(const std::string& text) {
    const std::string once = format(text);
    must(format(once) == once, "formatting twice is not formatting once");
}

void render_all(Diagnostics& diagnostics, const Sources& sources) {
    tidy(diagnostics);
    render(diagnostics, sources, {Language::en, false});
    render(diagnostics, sources, {Language::ja, true});
    render_json(diagnostics, sources, Language::en);
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
    if (run->node().kind != NodeKind::over) return;
    run->winners(random);
    run->scores();
    run->payoffs();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    lay_out(text);
    Sources sources;
    sources.emplace_back("input.rules", text);
    Diagnostics diagnostics;
    const Syntax syntax = parse(sources, 0, diagnostics);
    const bool readable = !has_errors(diagnostics);
    const std::vector<Variant> all = variants(syntax);
    for (const std::size_t v : {std::size_t{0}, all.size() - 1}) {
        Diagnostics here;
        Game game = check(syntax, all[v].players, all[v].settings, here);
        if (readable && !has_errors(here)) play(std::move(game));
        diagnostics.insert(diagnostics.end(), here.begin(), here.end());
        if (all.size() == 1) break;
    }
    render_all(diagnostics, sources);
    return 0;
}
