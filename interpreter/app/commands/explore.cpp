// `houserule explore`: the whole game tree, counted.
#include "interpreter/tree/explore.hpp"

#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/simulation/explore_part.hpp"
#include "interpreter/app/simulation/explore_report.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::uint64_t branches_a_look = 1 << 16;  // between two looks at the keyboard: some hundredths of a second

void walk(Exploration& exploration, const Globals& g) {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    bool shown = false;
    for (std::uint64_t looks = 1; !interrupted() && exploration.go_on(branches_a_look); ++looks) {
        if (!terminal || looks % 16 != 0) continue;
        err(fmt::format("\r{} {} ", exploration.walked(), say(g, Text::nodes)));
        shown = true;
    }
    if (shown) err("\r\x1b[K");
}

ExploreLimits limits_of(const ExploreArgs& args) { return {.nodes = args.limit, .memory_mib = args.memory, .stop = &stop()}; }

// Why a part is not whole, as a limit of the command line.
std::string limit_of(const Explored& found, const ExploreArgs& args, const Globals& g) {
    if (found.state == ExploreState::at_nodes) return fmt::format("--limit {}", args.limit);
    if (found.state == ExploreState::at_memory) return fmt::format("--memory {}", args.memory);
    return say(g, Text::stopped_at_histories);
}

int explore_part(const ExploreArgs& args, const Loaded& loaded, const std::shared_ptr<const Machine>& machine, const Globals& g) {
    const auto number = read_part_number(args.part, g);
    if (!number) return exit_cannot;
    ExplorePart part;
    part.asked = {rules_asked(*machine, loaded, args.file), args.keep_forced, number->of};
    part.number = number->number;
    if (const auto there = ExplorePartFile::open(args.out);
        there && difference(there->part().asked, part.asked).empty() && there->part().number == part.number)
        return err(say(g, Text::part_is_there, args.out)), exit_fine;
    if (!may_write(args.out, args.force, g)) return exit_cannot;
    watch_interrupts();
    Exploration exploration(machine, limits_of(args), args.keep_forced, share_of_part(machine, args.keep_forced, *number, &stop()));
    walk(exploration, g);
    const ExploreState state = exploration.result().state;
    if (interrupted() || state == ExploreState::unfinished) return err(say(g, Text::part_interrupted, args.out)), exit_interrupted;
    if (state != ExploreState::complete)
        return err(say(g, Text::part_at_limit, limit_of(exploration.result(), args, g), args.out)), exit_undecided;
    return write_file(args.out, part_text(std::move(part), exploration.take_share()), g) ? exit_fine : exit_cannot;
}

}  // namespace

int run_explore(const ExploreArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    if (!args.part.empty()) return explore_part(args, *loaded, machine, g);
    watch_interrupts();
    Exploration exploration(machine, limits_of(args), args.keep_forced);
    walk(exploration, g);
    const Explored found = exploration.result();
    const ExploreReport report{machine, *loaded, g, found, args.keep_forced, args.limit, args.memory, args.json};
    out(args.json ? json_of(report) : text_of(report));
    return exit_code_of(found);
}

}  // namespace houserule::cli
