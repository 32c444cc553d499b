#include "interpreter/app/simulation/explore_report.hpp"

#include "interpreter/log/log.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t sizes_shown = 12;  // of information sets: a line or two

const Game& game_of(const ExploreReport& r) { return r.machine->game; }
std::string name(const ExploreReport& r, const std::string& identifier) { return label(game_of(r), identifier, code_of(r.g.language)); }
std::string where(const ExploreReport& r, const Failure& f) {
    const Source& source = r.loaded.sources[f.span.source];
    return fmt::format("{}:{}", source.name(), lines_of(f, source));
}

// `complete`, or why not.
const char* state_word(const Explored& found) {
    switch (found.state) {
        case ExploreState::unfinished:
            return "interrupted";
        case ExploreState::complete:
            return "complete";
        case ExploreState::at_nodes:
            return "limit";
        case ExploreState::at_memory:
            return "memory";
        case ExploreState::at_count:
            return "count";
    }
    return "";
}

// The log of the game in which a promise broke first.
std::string log_of(const ExploreReport& r, const BrokenPromise& broken) {
    const auto run = make_run(r.machine);
    Events events;
    run->ask_forced(r.keep_forced);
    run->record(&events);
    run->start();
    run->advance();
    for (const std::uint64_t move : broken.moves) {
        run->apply(move);
        run->advance();
    }
    return log_text(*r.machine, head_of(*r.machine, std::nullopt), events);
}

}  // namespace

std::string json_of(const ExploreReport& r) {
    const Explored& found = r.found;
    Json j;
    j["game"] = game_of(r).name;
    j["players"] = game_of(r).players;
    j["settings"] = Json::object();
    for (const OptionValue& o : game_of(r).options) j["settings"][o.name] = o.value;
    j["keep_forced"] = r.keep_forced;
    j["complete"] = found.state == ExploreState::complete;
    j["stopped"] = found.state == ExploreState::complete ? Json() : Json(state_word(found));
    j["walked"] = found.walked;
    j["histories"] = found.histories;
    j["decision"] = found.decision;
    j["simultaneous"] = found.simultaneous;
    j["chance"] = found.chance;
    j["terminal"] = found.terminal;
    j["broken"] = found.broken;
    j["depth"] = found.depth;
    j["information_sets"] = found.information_sets;
    j["histories_per_information_set"] = found.state == ExploreState::complete ? Json::object() : Json();
    for (const auto& [histories, sets] : found.histories_per_information_set)
        j["histories_per_information_set"][std::to_string(histories)] = sets;
    j["ev"] = found.ev.empty() ? Json() : Json(found.ev);
    j["ev_of"] = found.ev_of_payoff ? "payoff" : "win";
    j["failed"] = Json::array();
    for (const BrokenPromise& b : found.promises)
        j["failed"].push_back(
            {{"what", text(game_of(r), b.failure)}, {"at", where(r, b.failure)}, {"histories", b.histories}, {"log", log_of(r, b)}});
    return j.dump(2) + "\n";
}

namespace {

// Why these are not the numbers of the whole tree; empty when they are.
std::string not_all(const ExploreReport& r) {
    const Globals& g = r.g;
    std::string why;
    switch (r.found.state) {
        case ExploreState::complete:
            return "";
        case ExploreState::unfinished:
            why = say(g, Text::was_interrupted);
            break;
        case ExploreState::at_nodes:
            why = fmt::format("{} (--limit {})", say(g, Text::stopped_at_nodes), r.limit);
            break;
        case ExploreState::at_memory:
            why = fmt::format("{} (--memory {})", say(g, Text::stopped_at_memory), r.memory);
            break;
        case ExploreState::at_count:
            why = say(g, Text::stopped_at_histories);
            break;
    }
    return why + say(g, Text::these_are_lower_bounds);
}

std::string by_seat(const std::vector<std::string>& values) {
    std::vector<std::string> texts;
    for (std::size_t p = 0; p < values.size(); ++p) texts.push_back(fmt::format("P{} {}", p + 1, values[p]));
    return fmt::format("{}", fmt::join(texts, ", "));
}

// The smallest ones when there are many.
std::string sizes_of_sets(const ExploreReport& r) {
    const auto& all = r.found.histories_per_information_set;
    std::vector<std::string> sizes;
    for (const auto& [histories, sets] : all) {
        if (sizes.size() == sizes_shown) break;
        sizes.push_back(fmt::format("{} ({})", histories, sets));
    }
    std::string text = fmt::format("{}: {}", say(r.g, Text::histories_in_each_set), fmt::join(sizes, ", "));
    if (all.size() > sizes_shown) text += say(r.g, Text::more_sizes, all.size() - sizes_shown, all.rbegin()->first);
    return text + "\n";
}

}  // namespace

std::string text_of(const ExploreReport& r) {
    const Explored& found = r.found;
    const Globals& g = r.g;
    std::string text = fmt::format("{}, {} {}\n", name(r, game_of(r).name), game_of(r).players, say(g, Text::players));
    for (const OptionValue& o : game_of(r).options) text += fmt::format("  {} = {}\n", name(r, o.name), o.value);
    text += not_all(r);
    const auto line = [&](const TextRow<1>& row, std::uint64_t n) { text += say(g, row, n) + "\n"; };
    line(Text::count_of_histories, found.histories);
    line(Text::count_of_decisions, found.decision);
    line(Text::count_of_simultaneous, found.simultaneous);
    line(Text::count_of_chance, found.chance);
    line(Text::count_of_ends, found.terminal);
    if (found.broken != 0) line(Text::count_of_broken, found.broken);
    if (found.walked != found.histories) line(Text::count_of_walked, found.walked);
    line(Text::depth_of_longest, found.depth);
    std::vector<std::string> sets;
    for (const std::uint64_t n : found.information_sets) sets.push_back(std::to_string(n));
    text += fmt::format("{} {}\n", say(g, Text::information_sets), by_seat(sets));
    if (!found.histories_per_information_set.empty()) text += sizes_of_sets(r);
    if (!found.ev.empty()) {
        const std::string what = found.ev_of_payoff ? say(g, Text::expected_payoff) : say(g, Text::expected_share_of_win);
        text += fmt::format("{}: {}\n", what, by_seat(found.ev));
    }
    for (const BrokenPromise& b : found.promises) {
        text += fmt::format("{}: {}: {} ({})\n", say(g, Text::broken_promise), where(r, b.failure),
                            houserule::text(game_of(r), b.failure, g.language), say(g, Text::histories_of_failure, b.histories));
        std::istringstream log(log_of(r, b));
        for (std::string row; std::getline(log, row);) text += row.empty() ? "\n" : "  " + row + "\n";
    }
    return text;
}

int exit_code_of(const Explored& found) {
    if (found.state == ExploreState::unfinished) return exit_interrupted;
    if (!found.promises.empty()) return exit_found;
    return found.state == ExploreState::complete ? exit_fine : exit_undecided;
}

}  // namespace houserule::cli
