// `houserule merge`: adds up the parts of a simulation, a game tree or a validation, and says what one run would have said.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/commands/joined_validation.hpp"
#include "interpreter/app/simulation/explore_part.hpp"
#include "interpreter/app/simulation/explore_report.hpp"
#include "interpreter/app/simulation/part.hpp"
#include "interpreter/app/simulation/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace houserule::cli {

namespace {

constexpr std::size_t missing_named = 8;  // parts

std::optional<std::vector<Part>> read_parts(const std::vector<std::string>& files, const Globals& g) {
    std::vector<Part> parts;
    for (const std::string& file : files) {
        const auto text = read_file(file, g);
        if (!text) return std::nullopt;
        auto part = read_part(*text);
        if (!part) return err(say(g, Text::no_part, file)), std::nullopt;
        parts.push_back(std::move(*part));
    }
    return parts;
}

// Whether the parts are of the same games, each game is in one of them, and none is missing; if not, it says why.
bool belong_together(const std::vector<Part>& parts, const std::vector<std::string>& files, const Globals& g) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string differs = difference(parts[0].asked, parts[i].asked);
        if (!differs.empty()) return err(say(g, Text::part_differs, files[0], files[i], differs)), false;
        for (std::size_t k = 0; k < i; ++k) {
            const std::uint64_t first = std::max(parts[i].first, parts[k].first);
            const std::uint64_t end = std::min(parts[i].end, parts[k].end);
            if (first < end) return err(say(g, Text::parts_overlap, files[k], files[i], first, end - 1)), false;
        }
    }
    const std::uint64_t games = parts[0].asked.games;
    const auto missing = missing_games(parts, games);
    for (const auto& [first, end] : missing) err(say(g, Text::parts_missing, first, end - 1, games));
    return missing.empty();
}

bool is_in(const std::pair<FailureKind, Spot>& what, const Sources& sources) {
    return what.second.first < sources.size() && what.second.second < sources[what.second.first].text().size();
}

int merge_games(const MergeArgs& args, const Globals& g) {
    const auto parts = read_parts(args.files, g);
    if (!parts || !belong_together(*parts, args.files, g)) return exit_cannot;
    const Asked& asked = parts->front().asked;
    const std::string& path = args.rules.empty() ? asked.path : args.rules;
    const auto loaded = load(path, g);
    const auto machine = loaded ? machine_for(*loaded, asked.players, {asked.settings.begin(), asked.settings.end()}, g) : nullptr;
    if (machine == nullptr) return exit_cannot;
    Plan plan{machine, 0, asked.games, asked.seed, asked.volunteer, "", asked.deducing, {}};
    plan.limits.think_ms = asked.think_ms;
    const bool same_rules = difference(asked_of(plan, *loaded, path), asked).empty();  // of one part, so of all
    Totals all = nothing_yet(*machine);
    double seconds = 0;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        const Part& part = (*parts)[i];
        const bool known = std::ranges::all_of(part.totals.failed, [&](const auto& f) { return is_in(f.first, loaded->sources); });
        if (!same_rules || !known || !is_of(part.totals, *machine))
            return err(say(g, Text::part_of_other_rules, args.files[i], path)), exit_cannot;
        add(all, part.totals);
        seconds += part.seconds;
    }
    const SimulationReport report{*machine,   *loaded,        g,        all, asked.deducing, std::max(1e-9, seconds),
                                  asked.seed, asked.think_ms, args.json};
    out(args.json ? json_of(report) : text_of(report));
    return all.failed.empty() ? exit_fine : exit_found;
}

// ---- a tree

std::optional<std::vector<ExplorePartFile>> open_parts(const std::vector<std::string>& files, const Globals& g) {
    std::vector<ExplorePartFile> parts;
    for (const std::string& file : files) {
        auto part = ExplorePartFile::open(file);
        if (!part) return err(say(g, Text::no_part, file)), std::nullopt;
        parts.push_back(std::move(*part));
    }
    return parts;
}

// Part `number` of so many, and what was asked for.
template <class Asked>
struct NumberedPart {
    const Asked& asked;
    std::uint64_t number = 1;
};

// Whether all parts are of the same, each is there once, and none is missing; if not, it says why.
template <class Asked>
bool belong_together(const std::vector<NumberedPart<Asked>>& parts, const std::vector<std::string>& files, const Globals& g) {
    std::map<std::uint64_t, std::size_t> numbers;
    const std::uint64_t of = parts[0].asked.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string differs = difference(parts[0].asked, parts[i].asked);
        if (!differs.empty()) return err(say(g, Text::part_differs, files[0], files[i], differs)), false;
        const auto [there, added] = numbers.try_emplace(parts[i].number, i);
        if (!added) return err(say(g, Text::same_part, files[there->second], files[i], parts[i].number, of)), false;
    }
    std::vector<std::string> missing;
    for (std::uint64_t k = 1; k <= of && missing.size() < missing_named; ++k)
        if (!numbers.contains(k)) missing.push_back(std::to_string(k));
    const std::uint64_t lacking = of - numbers.size();
    if (lacking == 0) return true;
    const std::string names = fmt::format("{}", fmt::join(missing, ", "));
    return err(say(g, Text::parts_of_tree_missing, lacking, of, lacking > missing.size() ? names + ", …" : names)), false;
}

int merge_trees(const MergeArgs& args, const Globals& g) {
    auto parts = open_parts(args.files, g);
    if (!parts) return exit_cannot;
    std::vector<NumberedPart<AskedTree>> numbered;
    for (const ExplorePartFile& file : *parts) numbered.push_back({file.part().asked, file.part().number});
    if (!belong_together(numbered, args.files, g)) return exit_cannot;
    const AskedTree& asked = parts->front().part().asked;
    const std::string& path = args.rules.empty() ? asked.path : args.rules;
    const auto loaded = load(path, g);
    const auto machine = loaded ? machine_for(*loaded, asked.players, {asked.settings.begin(), asked.settings.end()}, g) : nullptr;
    if (machine == nullptr) return exit_cannot;
    const bool same_rules = rules_difference(rules_asked(*machine, *loaded, path), asked).empty();
    SumOfShares sum(machine, asked.keep_forced);
    std::vector<SetsInOrder> lists;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        ExplorePartFile& file = (*parts)[i];
        if (!same_rules || !sum.add(file.part().counts, file.part().value))
            return err(say(g, Text::part_of_other_rules, args.files[i], path)), exit_cannot;
        lists.push_back([&file] { return file.next(); });
    }
    const auto sets = counted_together(std::move(lists), machine->game.players);
    for (std::size_t i = 0; i < parts->size(); ++i)
        if (!(*parts)[i].was_whole()) return err(say(g, Text::no_part, args.files[i])), exit_cannot;
    if (!sets) return err(say(g, Text::no_part, args.files.front())), exit_cannot;
    const Explored found = sum.result(*sets);
    const ExploreReport report{machine, *loaded, g, found, asked.keep_forced, 0, 0, args.json};
    out(args.json ? json_of(report) : text_of(report));
    return exit_code_of(found);
}

// ---- a validation

int merge_validations(const MergeArgs& args, const Globals& g) {
    std::vector<ValidatePart> parts;
    for (const std::string& file : args.files) {
        const auto text = read_file(file, g);
        if (!text) return exit_cannot;
        auto part = read_validate_part(*text);
        if (!part) return err(say(g, Text::no_part, file)), exit_cannot;
        parts.push_back(std::move(*part));
    }
    std::vector<NumberedPart<AskedValidation>> numbered;
    for (const ValidatePart& part : parts) numbered.push_back({part.asked, part.number});
    return belong_together(numbered, args.files, g) ? tell_joined(std::move(parts), args, g) : exit_cannot;
}

}  // namespace

int run_merge(const MergeArgs& args, const Globals& g) {
    if (is_part_of_validation(args.files.front())) return merge_validations(args, g);
    const bool tree = ExplorePartFile::open(args.files.front()).has_value();
    return tree ? merge_trees(args, g) : merge_games(args, g);
}

}  // namespace houserule::cli
