// `houserule explore`: the whole game tree, counted.
#include "interpreter/tree/explore.hpp"

#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/simulation/explore_part.hpp"
#include "interpreter/app/simulation/explore_report.hpp"
#include "interpreter/app/simulation/ranks.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace houserule::cli {

namespace {

constexpr std::uint64_t checkpoints = 256;          // parts of a run that are written one by one
constexpr std::uint64_t branches_a_look = 1 << 16;  // between two looks at the keyboard: some hundredths of a second

void walk(Exploration& exploration, Ranks& ranks, const Globals& g) {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    bool shown = false;
    for (std::uint64_t looks = 1; !interrupted() && exploration.go_on(branches_a_look); ++looks) {
        if (ranks.leads()) ranks.serve();
        if (!terminal || looks % 16 != 0) continue;
        show_progress(fmt::format("{} {} ", exploration.walked(), say(g, Text::nodes)));
        shown = true;
    }
    if (shown) show_progress("");
}

// A tree that is to be walked, by this process or with others.
struct Asking {
    const ExploreArgs& args;
    const Globals& g;
    Ranks& ranks;
    std::optional<Loaded> loaded{};
    std::shared_ptr<const Machine> machine{};

    ExploreLimits limits() const { return {.nodes = args.limit, .memory_mib = args.memory, .stop = &stop()}; }
};

// False after a message.
bool prepare(Asking& a) {
    if (!a.ranks.alone() && !a.args.part.empty()) return err(say(a.g, Text::part_of_one_process)), false;
    a.loaded = load(a.args.file, a.g);
    Settings settings;
    if (!a.loaded || !read_settings(a.args.set, settings, a.g) || !read_settings(a.args.reading, settings, a.g)) return false;
    a.machine = machine_for(*a.loaded, a.args.players, settings, a.g);
    return a.machine != nullptr && (a.args.checkpoint.empty() || make_folder(a.args.checkpoint, a.g));
}

// Why a part is not whole, as a limit of the command line.
std::string limit_of(const Explored& found, const Asking& a) {
    if (found.state == ExploreState::at_nodes) return fmt::format("--limit {}", a.args.limit);
    if (found.state == ExploreState::at_memory) return fmt::format("--memory {}", a.args.memory);
    return say(a.g, Text::stopped_at_histories);
}

bool is_there_already(const std::string& file, const ExplorePart& part) {
    const auto there = ExplorePartFile::open(file);
    return there && difference(there->part().asked, part.asked).empty() && there->part().number == part.number;
}

ExplorePart part_of(const Asking& a, PartNumber number) {
    ExplorePart part;
    part.asked = {rules_asked(*a.machine, *a.loaded, a.args.file), a.args.keep_forced, number.of};
    part.number = number.number;
    return part;
}

// Walks one part and writes it.
int walk_part(const Asking& a, ExplorePart part, std::uint64_t depth, const std::string& file) {
    Exploration exploration(a.machine, a.limits(), a.args.keep_forced, share_of_part(depth, {part.number, part.asked.parts}));
    walk(exploration, a.ranks, a.g);
    const Explored found = exploration.result();
    if (interrupted() || found.state == ExploreState::unfinished) return err(say(a.g, Text::part_interrupted, file)), exit_interrupted;
    if (found.state != ExploreState::complete) return err(say(a.g, Text::part_at_limit, limit_of(found, a), file)), exit_undecided;
    return write_file(file, part_text(std::move(part), exploration.take_share()), a.g) ? exit_fine : exit_cannot;
}

int explore_part(const Asking& a) {
    const auto number = read_part_number(a.args.part, a.g);
    if (!number) return exit_cannot;
    const ExplorePart part = part_of(a, *number);
    if (is_there_already(a.args.out, part)) return err(say(a.g, Text::part_is_there, a.args.out)), exit_fine;
    if (!may_write(a.args.out, a.args.force, a.g)) return exit_cannot;
    return walk_part(a, part, depth_for_parts(a.machine, a.args.keep_forced, number->of, &stop()), a.args.out);
}

// The tree in parts, each written when it is done, so that a run that was ended goes on with those that are missing.
int explore_with_checkpoints(const Asking& a) {
    std::vector<std::string> files;
    for (std::uint64_t k = 1; k <= checkpoints; ++k) files.push_back(checkpoint_file(a.args.checkpoint, k, checkpoints));
    const std::uint64_t depth = depth_for_parts(a.machine, a.args.keep_forced, checkpoints, &stop());
    for (std::uint64_t k = a.ranks.next(); k < checkpoints; k = a.ranks.next()) {
        const ExplorePart part = part_of(a, {k + 1, checkpoints});
        if (is_there_already(files[k], part)) continue;
        const int code = may_write(files[k], a.args.force, a.g) ? walk_part(a, part, depth, files[k]) : exit_cannot;
        if (code != exit_fine) return a.ranks.give_up(), code;
    }
    a.ranks.wait_for_all();
    return a.ranks.leads() ? run_merge({files, a.args.file, a.args.json}, a.g) : exit_fine;
}

// Each process gets the information sets whose fingerprints fall to it, and counts those.
std::optional<CountedSets> count_own(std::vector<SetOfHistories> sets, Ranks& ranks, std::size_t seats) {
    std::vector<std::vector<std::uint64_t>> to(ranks.size());
    for (const SetOfHistories& s : sets)
        to[s.set.a % ranks.size()].insert(to[s.set.a % ranks.size()].end(), {s.set.a, s.set.b, s.histories});
    sets = {};
    const std::vector<std::vector<std::uint64_t>> own = ranks.exchanged(std::move(to));
    std::vector<SetsInOrder> lists;
    for (const std::vector<std::uint64_t>& words : own)
        lists.push_back([&words, at = std::size_t{0}]() mutable -> std::optional<SetOfHistories> {
            if (at == words.size()) return std::nullopt;
            at += 3;
            return SetOfHistories{{words[at - 3], words[at - 2]}, words[at - 1]};
        });
    return counted_together(std::move(lists), seats);
}

// What all processes come to, for who leads.
std::optional<Explored> explore_together(const Asking& a) {
    const std::size_t seats = a.machine->game.players;
    TreeShare share{depth_for_parts(a.machine, a.args.keep_forced, a.ranks.size(), &stop()), a.ranks.leads()};
    // Numbers are handed out in order, so no subtree is passed by that another process does not have.
    share.takes = [&, mine = std::optional<std::uint64_t>()](std::uint64_t subtree) mutable {
        if (!mine) mine = a.ranks.next();
        if (*mine != subtree) return false;
        mine.reset();
        return true;
    };
    Exploration exploration(a.machine, a.limits(), a.args.keep_forced, share);
    walk(exploration, a.ranks, a.g);
    ExploredShare found = exploration.take_share();
    const std::vector<std::string> counts = a.ranks.gathered(counts_text(found.counts, found.value));
    const std::vector<std::string> sets = a.ranks.gathered(sets_text(count_own(std::move(found.sets), a.ranks, seats).value()));
    if (!a.ranks.leads()) return std::nullopt;
    SumOfShares sum(a.machine, a.args.keep_forced);
    for (const std::string& text : counts) {
        const ReadCounts read = read_counts(text).value();
        if (!sum.add(read.counts, read.value)) a.ranks.give_up();
    }
    CountedSets all(seats);
    for (const std::string& text : sets) all.add(read_sets(text, seats).value());
    return sum.result(all);
}

Explored explore_alone(const Asking& a) {
    Exploration exploration(a.machine, a.limits(), a.args.keep_forced);
    walk(exploration, a.ranks, a.g);
    return exploration.result();
}

}  // namespace

int run_explore(const ExploreArgs& args, const Globals& g) {
    auto ranks = Ranks::join(g);
    if (!ranks) return exit_cannot;
    Asking a{args, g, *ranks};
    if (!ranks->all_can([&] { return prepare(a); })) return exit_cannot;
    watch_interrupts();
    if (!args.part.empty()) return explore_part(a);
    if (!args.checkpoint.empty()) return explore_with_checkpoints(a);
    const std::optional<Explored> found = ranks->alone() ? explore_alone(a) : explore_together(a);
    if (!found) return exit_fine;
    const ExploreReport report{a.machine, *a.loaded, g, *found, args.keep_forced, args.limit, args.memory, args.json};
    out(args.json ? json_of(report) : text_of(report));
    return exit_code_of(*found);
}

}  // namespace houserule::cli
