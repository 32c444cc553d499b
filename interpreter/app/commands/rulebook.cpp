// `houserule rulebook`: the rules of a file as a page to read and print.
#include "dsl/book/book.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/run/run.hpp"
#include "solver/validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

// The numbers of players that the page is for.
PlayerRange players_of(const Loaded& loaded, const RulebookArgs& args) {
    return args.players != 0 ? PlayerRange{args.players, args.players} : playable_range(loaded.syntax);
}

// Everything that is wrong with the game under these settings, for any of these numbers of players.
Diagnostics errors_in(const Loaded& loaded, const Settings& settings, PlayerRange range) {
    Diagnostics all = loaded.diagnostics;
    if (!has_errors(all))
        for (int n = range.low; n <= range.high; ++n) [[maybe_unused]] const auto game = check(loaded.syntax, n, settings, all);
    if (!has_errors(all)) return {};
    if (Diagnostics below = errors_below(loaded); !below.empty()) all = std::move(below);
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    tidy(all);
    return all;
}

// A footnote must not take longer than reading the page: what comes up in fewer games is for `houserule validate`.
constexpr std::uint64_t games_for_notes = 400;
constexpr std::uint64_t work_for_notes = 10 * work_a_second;

std::string joined(const std::string& title, const std::string& text, Language language) {
    if (text.empty()) return title;
    const bool closed = title.ends_with('.') || title.ends_with('?') || title.ends_with('!') || title.ends_with("。");
    return (closed ? Text::closed_title_then_text : Text::title_then_text)(title, text).in(language);
}

RulebookNote note_of(const Finding& f, const Globals& g) {
    const Language language = f.title.of(g.language).empty() ? Language::en : g.language;
    std::string text = joined(f.title.in(language), f.text.in(language), language);
    if (!f.accepted.empty()) text += say(g, Text::accepted_because, f.accepted);
    return {f.id, std::move(text), f.spans.front()};
}

std::vector<RulebookNote> notes_of(const Loaded& loaded, const Settings& settings, const RulebookArgs& args, const Globals& g) {
    ValidateLimits limits;
    limits.games = games_for_notes;
    limits.work = args.time_s ? no_work_limit : work_for_notes;
    if (args.time_s) limits.milliseconds = static_cast<std::uint64_t>(*args.time_s * 1000);
    limits.stop = &stop();
    limits.settings = settings;
    limits.proofs = false;  // what cannot happen needs no footnote
    watch_interrupts();
    const Validation found = validate(loaded.syntax, limits);
    if (interrupted())
        err(say(g, Text::findings_interrupted));
    else if (found.cut_off && args.time_s)
        err(say(g, Text::findings_cut_short, fmt::format("{}", *args.time_s)));
    else if (found.cut_off)
        err(say(g, Text::findings_out_of_work));
    std::vector<RulebookNote> notes;
    for (const Finding& f : found.findings)
        if (!f.spans.empty() && f.what != FindingClass::hole) notes.push_back(note_of(f, g));  // holes have a part of the page
    return notes;
}

// The games behind the minutes on the cover, for each number of players: a page is not kept waiting for them.
constexpr std::uint64_t games_for_length = 60;
constexpr std::uint64_t work_for_length = work_a_second / 4;

std::vector<GameLength> lengths_of(const Loaded& loaded, const Settings& settings, PlayerRange range, const Globals& g) {
    std::vector<GameLength> all;
    for (int n = range.low; n <= range.high && !interrupted(); ++n) {
        const auto machine = machine_for(loaded, n, settings, g);
        if (machine == nullptr) return {};
        const auto run = make_run(machine);
        const Stop late(&stop(), [&] { return run->work() > work_for_length; });
        run->stop_on(&late);
        Random random(1);
        GameLength length{n};
        for (std::uint64_t i = 0; i < games_for_length && !late.over(); ++i) {
            Tally tally;
            run->start();
            play_random(*run, random, tally);
            if (run->node().kind != NodeKind::over) continue;  // cut off, or against the rules: no game
            ++length.games;
            length.decisions += tally.decisions;
            length.forced += tally.forced;
        }
        all.push_back(length);
    }
    return all;
}

}  // namespace

int run_rulebook(const RulebookArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const PlayerRange players = players_of(*loaded, args);
    if (const Diagnostics errors = errors_in(*loaded, settings, players); !errors.empty()) {
        err(render(errors, loaded->sources, {g.language, g.color}));
        return exit_cannot;
    }
    if (!may_write(args.output, args.force, g)) return exit_cannot;
    std::vector<RulebookNote> notes;
    if (args.findings) notes = notes_of(*loaded, settings, args, g);
    const bool printed = args.format == "html";
    PageFor asked{args.players, {}};
    if (printed) asked.lengths = lengths_of(*loaded, settings, players, g);
    const Page page = book_of(loaded->syntax, settings, loaded->sources, notes, g.language, asked);
    const std::string text = printed ? html(page, args.paper == "a5" ? Paper::a5 : Paper::a4) : markdown(page);
    const int ended = interrupted() ? exit_interrupted : exit_fine;
    if (args.output.empty()) {
        out(text);
        return ended;
    }
    if (!write_file(args.output, text, g)) return exit_cannot;
    out(fmt::format("{}: {}\n", args.output, say(g, Text::written)));
    return ended;
}

}  // namespace houserule::cli
