// `houserule simulate`: many games of random or better players, and what they came to.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/simulation/games.hpp"
#include "interpreter/app/simulation/part.hpp"
#include "interpreter/app/simulation/report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <tuple>

namespace houserule::cli {

namespace {

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
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    const auto text = read_file(path, g);
    const auto there = text ? read_part(*text) : std::nullopt;
    if (!there || !difference(there->asked, part.asked).empty() || there->first != part.first || there->end != part.end) return false;
    err(say(g, Text::part_is_there, path));
    return true;
}

// Only random games without a log are compiled.
bool is_at_random(const Plan& plan) { return plan.logs.empty() && plan.deducing == 0; }

SimulateEngine::Asked asked_engine(const SimulateArgs& args, const Plan& plan) {
    if (args.engine == "interpret" || !is_at_random(plan)) return SimulateEngine::Asked::interpret;
    return args.engine == "auto" ? SimulateEngine::Asked::automatic : SimulateEngine::Asked::compiled;
}
// False, with a message, if the games cannot be compiled.
bool compile_before(SimulateEngine& engine, const Plan& plan, const Globals& g) {
    if (is_at_random(plan) && engine.compile_now()) return true;
    err(is_at_random(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    return false;
}
void tell_engine(const SimulateEngine& engine, const Plan& plan, const Totals& totals, const Globals& g) {
    err(is_at_random(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    err(say(g, Text::games_by_engine, totals.compiled, totals.games - totals.compiled));
}

}  // namespace

int run_simulate(const SimulateArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    const auto deducing = deducing_seats(args.seat, machine->game.players, g);
    if (!deducing) return exit_cannot;
    if (!args.logs.empty() && !make_folder(args.logs, g)) return exit_cannot;
    const auto volunteer = args.volunteer < 0 ? file_odds : static_cast<std::int64_t>(std::llround(args.volunteer * 1e6));
    Plan plan{machine, 0, args.games, args.seed, volunteer, args.logs, *deducing, {}};
    plan.limits.think_ms = args.think_ms;
    plan.limits.deduction.stop = &stop();
    Part part{asked_of(plan, *loaded, args.file), 0, args.games, 0, {}};
    if (!args.part.empty()) {
        const auto number = read_part_number(args.part, g);
        if (!number) return exit_cannot;
        std::tie(part.first, part.end) = games_of_part(args.games, number->number, number->of);
        if (is_there_already(args.out, part, g)) return exit_fine;
        if (!may_write(args.out, args.force, g)) return exit_cannot;
        std::tie(plan.first, plan.end) = std::pair(part.first, part.end);
    }
    watch_interrupts();
    SimulateEngine engine(machine, asked_engine(args, plan));
    if (args.engine == "compiled" && !compile_before(engine, plan, g)) return interrupted() ? exit_interrupted : exit_cannot;
    const auto start = std::chrono::steady_clock::now();
    const auto totals = play_all(plan, args.threads, engine, g);
    if (!totals) return exit_cannot;
    const double seconds = std::max(1e-9, seconds_since(start));
    if (args.verbose) tell_engine(engine, plan, *totals, g);
    if (!args.part.empty()) {
        part.seconds = seconds;
        part.totals = *totals;
        if (interrupted()) return err(say(g, Text::part_interrupted, args.out)), exit_interrupted;
        return write_file(args.out, part_text(part), g) ? exit_fine : exit_cannot;
    }
    const SimulationReport report{*machine, *loaded, g, *totals, *deducing, seconds, args.seed, args.think_ms, args.json};
    out(args.json ? json_of(report) : text_of(report));
    if (interrupted()) return exit_interrupted;
    return totals->failed.empty() ? exit_fine : exit_found;
}

}  // namespace houserule::cli
