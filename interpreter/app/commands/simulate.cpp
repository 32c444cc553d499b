// `houserule simulate`: many games of random or better players, and what they came to.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/simulation/games.hpp"
#include "interpreter/app/simulation/part.hpp"
#include "interpreter/app/simulation/ranks.hpp"
#include "interpreter/app/simulation/report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <tuple>

namespace houserule::cli {

namespace {

constexpr std::uint64_t checkpoints = 256;      // parts of a run that are written one by one
constexpr std::uint64_t blocks_a_process = 64;  // of games: fewer would leave some processes without work at the end

// `K=deduce` or `K=random`; nothing, with a message, when it is neither.
std::optional<Seats> deducing_seats(const std::vector<std::string>& given, int players, const Globals& g) {
    Seats seats = 0;
    for (const std::string& pair : given) {
        const auto eq = pair.find('=');
        const std::string who = eq == std::string::npos ? "" : pair.substr(eq + 1);
        if (who != "deduce" && who != "random") {
            err(say(g, Text::expected_deducing_seats, pair));
            return std::nullopt;
        }
        const auto seat = read_seat(pair.substr(0, eq), players, g);
        if (!seat) return std::nullopt;
        const Seats bit = 1U << *seat;
        seats = who == "deduce" ? seats | bit : seats & ~bit;
    }
    return seats;
}

// Whether the file has that part already: then a run that is begun again need not play it.
bool is_there_already(const std::string& path, const Part& part, const Globals& g) {
    const auto text = read_if_there(path, g);
    const auto there = text ? read_part(*text) : std::nullopt;
    return there && difference(there->asked, part.asked).empty() && there->first == part.first && there->end == part.end;
}

// Compiled are random games without a log, and what players who deduce play on in mind.
bool can_be_compiled(const Plan& plan) { return plan.logs.empty() || plan.deducing != 0; }

SimulateEngine::Asked asked_engine(const SimulateArgs& args, const Plan& plan) {
    if (args.engine == "interpret" || !can_be_compiled(plan)) return SimulateEngine::Asked::interpret;
    return args.engine == "auto" ? SimulateEngine::Asked::automatic : SimulateEngine::Asked::compiled;
}
// False, with a message, if the games cannot be compiled.
bool compile_before(SimulateEngine& engine, const Plan& plan, const Globals& g) {
    if (can_be_compiled(plan) && engine.compile_now()) return true;
    err(can_be_compiled(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    return false;
}
void tell_engine(const SimulateEngine& engine, const Plan& plan, const Totals& totals, const Globals& g) {
    err(can_be_compiled(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    if (plan.deducing != 0) return err(say(g, Text::rollouts_by_engine, totals.compiled_rollouts, totals.rollouts));
    err(say(g, Text::games_by_engine, totals.compiled, totals.games - totals.compiled));
}

// What is asked for, in `loaded` the rules. Nothing after a message.
std::optional<Plan> plan_of(const SimulateArgs& args, std::optional<Loaded>& loaded, const Globals& g) {
    loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return std::nullopt;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return std::nullopt;
    const auto deducing = deducing_seats(args.seat, machine->game.players, g);
    if (!deducing) return std::nullopt;
    if (!args.logs.empty() && !make_folder(args.logs, g)) return std::nullopt;
    if (!args.checkpoint.empty() && !make_folder(args.checkpoint, g)) return std::nullopt;
    const auto volunteer = args.volunteer < 0 ? file_odds : static_cast<std::int64_t>(std::llround(args.volunteer * 1e6));
    Plan plan{machine, 0, args.games, args.seed, volunteer, args.logs, *deducing, {}};
    plan.limits.think_ms = args.think_ms;
    plan.limits.deduction.stop = &stop();
    return plan;
}

// Plays one part and writes it.
int play_part(Part part, Plan plan, const SimulateArgs& args, const std::string& file, SimulateEngine& engine, const Globals& g) {
    std::tie(plan.first, plan.end) = std::pair(part.first, part.end);
    const auto start = std::chrono::steady_clock::now();
    const auto totals = play_all(plan, args.threads, engine, g);
    if (!totals) return exit_cannot;
    part.seconds = std::max(1e-9, seconds_since(start));
    part.totals = *totals;
    if (args.verbose) tell_engine(engine, plan, *totals, g);
    if (interrupted()) return err(say(g, Text::part_interrupted, file)), exit_interrupted;
    return write_file(file, part_text(part), g) ? exit_fine : exit_cannot;
}

int simulate_part(const Plan& plan, const Loaded& loaded, const SimulateArgs& args, const Globals& g) {
    const auto number = read_part_number(args.part, g);
    if (!number) return exit_cannot;
    const auto [first, end] = games_of_part(args.games, number->number, number->of);
    const Part part{asked_of(plan, loaded, args.file), first, end, 0, {}};
    if (is_there_already(args.out, part, g)) return err(say(g, Text::part_is_there, args.out)), exit_fine;
    if (!may_write(args.out, args.force, g)) return exit_cannot;
    watch_interrupts();
    SimulateEngine engine(plan.machine, asked_engine(args, plan));
    if (args.engine == "compiled" && !compile_before(engine, plan, g)) return interrupted() ? exit_interrupted : exit_cannot;
    return play_part(part, plan, args, args.out, engine, g);
}

// The games in parts, each written when it is done, so that a run that was ended goes on with those that are missing.
int simulate_with_checkpoints(Plan plan, const Loaded& loaded, const SimulateArgs& args, SimulateEngine& engine, Ranks& ranks,
                              const Globals& g) {
    const std::uint64_t of = std::clamp<std::uint64_t>(args.games, 1, checkpoints);
    const Asked asked = asked_of(plan, loaded, args.file);
    std::vector<std::string> files;
    for (std::uint64_t k = 1; k <= of; ++k) files.push_back(checkpoint_file(args.checkpoint, k, of));
    plan.meanwhile = [&] { ranks.serve(); };
    for (std::uint64_t k = ranks.next(); k < of; k = ranks.next()) {
        const auto [first, end] = games_of_part(args.games, k + 1, of);
        const Part part{asked, first, end, 0, {}};
        if (is_there_already(files[k], part, g)) continue;
        if (!may_write(files[k], args.force, g)) return ranks.give_up(), exit_cannot;
        plan.still_to_come = (of - k) / ranks.size() * (end - first);
        const auto start = std::chrono::steady_clock::now();
        const int code = play_part(part, plan, args, files[k], engine, g);
        if (code != exit_fine) return ranks.give_up(), code;
        plan.played_before += end - first;
        plan.seconds_before += seconds_since(start);
    }
    ranks.wait_for_all();
    return ranks.leads() ? run_merge({files, args.file, args.json}, g) : exit_fine;
}

// What all processes come to, for who leads. False for the others.
bool add_all(Totals& totals, Ranks& ranks, const Machine& machine) {
    const std::vector<std::string> texts = ranks.gathered(totals_text(totals));
    if (!ranks.leads()) return false;
    totals = nothing_yet(machine);
    for (const std::string& text : texts) add(totals, read_totals(text).value());
    return true;
}

// Blocks of games for one process after the other, as each is ready for more.
std::function<GameRange()> blocks_for(Ranks& ranks, const Plan& plan, int threads) {
    const std::uint64_t games = plan.end;
    const std::uint64_t least = plan.deducing != 0 ? threads : std::uint64_t{32} * threads;
    const std::uint64_t block = std::max(least, plan.deducing != 0 ? 0 : games / (blocks_a_process * ranks.size()));
    return [&ranks, games, block] {
        const std::uint64_t number = ranks.next();
        if (number > games / block) return GameRange{games, games};
        return GameRange{std::min(games, number * block), std::min(games, (number + 1) * block)};
    };
}

}  // namespace

int run_simulate(const SimulateArgs& args, const Globals& g) {
    auto ranks = Ranks::join(g);
    if (!ranks) return exit_cannot;
    std::optional<Loaded> loaded;
    std::optional<Plan> plan;
    const auto prepare = [&] {
        if (!ranks->alone() && !args.part.empty()) return err(say(g, Text::part_of_one_process)), false;
        return (plan = plan_of(args, loaded, g)).has_value();
    };
    if (!ranks->all_can(prepare)) return exit_cannot;
    if (!args.part.empty()) return simulate_part(*plan, *loaded, args, g);
    watch_interrupts();
    SimulateEngine engine(plan->machine, asked_engine(args, *plan));
    if (!ranks->all_can([&] { return args.engine != "compiled" || compile_before(engine, *plan, g); }))
        return interrupted() ? exit_interrupted : exit_cannot;
    plan->processes = ranks->size();
    if (!args.checkpoint.empty()) return simulate_with_checkpoints(*plan, *loaded, args, engine, *ranks, g);
    if (!ranks->alone()) plan->ranges = blocks_for(*ranks, *plan, args.threads);
    plan->meanwhile = [&] { ranks->serve(); };
    const auto start = std::chrono::steady_clock::now();
    auto totals = play_all(*plan, args.threads, engine, g);
    if (!totals) return ranks->give_up(), exit_cannot;
    if (!ranks->alone() && !add_all(*totals, *ranks, *plan->machine)) return exit_fine;
    const double seconds = std::max(1e-9, seconds_since(start));
    if (args.verbose) tell_engine(engine, *plan, *totals, g);
    const SimulationReport report{*plan->machine, *loaded, g, *totals, plan->deducing, seconds, args.seed, args.think_ms, args.json};
    out(args.json ? json_of(report) : text_of(report));
    if (interrupted()) return exit_interrupted;
    return totals->failed.empty() ? exit_fine : exit_found;
}

}  // namespace houserule::cli
