// `houserule explore`: the whole game tree, counted.
#include "interpreter/explore.hpp"

#include "interpreter/cli/commands.hpp"
#include "interpreter/log.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t branches_a_look = 1 << 16;  // between two looks at the keyboard: some hundredths of a second

struct Report {
    const Machine& machine;
    const Loaded& loaded;
    const ExploreArgs& args;
    const Globals& g;
    const Explored& found;

    const Game& game() const { return machine.game; }
    std::string name(const std::string& identifier) const { return label(game(), identifier, code_of(g.language)); }
    std::string where(const Failure& f) const {
        const Source& source = loaded.sources[f.span.source];
        return fmt::format("{}:{}", source.name(), source.line_of(f.span.begin));
    }
};

// `complete`, or why not.
const char* state_word(const Explored& found) {
    switch (found.state) {
        case ExploreState::unfinished: return "interrupted";
        case ExploreState::complete: return "complete";
        case ExploreState::at_histories: return "limit";
        case ExploreState::at_memory: return "memory";
    }
    return "";
}

// The log of the game in which a promise broke first.
std::string log_of(const Report& r, const BrokenPromise& broken) {
    const auto run = make_run(std::make_shared<const Machine>(r.machine));
    Events events;
    run->ask_forced(r.args.keep_forced);
    run->record(&events);
    run->start();
    run->advance();
    for (const std::uint64_t move : broken.moves) {
        run->apply(move);
        run->advance();
    }
    return log_text(r.machine, head_of(r.machine, std::nullopt), events);
}

std::string json_of(const Report& r) {
    const Explored& found = r.found;
    Json j;
    j["game"] = r.game().name;
    j["players"] = r.game().players;
    j["settings"] = Json::object();
    for (const OptionValue& o : r.game().options) j["settings"][o.name] = o.value;
    j["keep_forced"] = r.args.keep_forced;
    j["complete"] = found.state == ExploreState::complete;
    j["stopped"] = found.state == ExploreState::complete ? Json() : Json(state_word(found));
    j["histories"] = found.histories;
    j["decision"] = found.decision;
    j["simultaneous"] = found.simultaneous;
    j["chance"] = found.chance;
    j["terminal"] = found.terminal;
    j["broken"] = found.broken;
    j["depth"] = found.depth;
    j["information_sets"] = found.information_sets;
    j["histories_per_information_set"] = Json::object();
    for (const auto& [histories, sets] : found.histories_per_information_set) j["histories_per_information_set"][std::to_string(histories)] = sets;
    j["ev"] = found.ev.empty() ? Json() : Json(found.ev);
    j["ev_of"] = found.ev_of_payoff ? "payoff" : "win";
    j["failed"] = Json::array();
    for (const BrokenPromise& b : found.promises)
        j["failed"].push_back({{"what", b.failure.what}, {"at", r.where(b.failure)}, {"histories", b.histories}, {"log", log_of(r, b)}});
    return j.dump(2) + "\n";
}

std::string not_all(const Report& r) {
    const std::uint64_t n = r.found.histories;
    switch (r.found.state) {
        case ExploreState::complete: break;
        case ExploreState::unfinished:
            return fmt::format(fmt::runtime(say(r.g, "interrupted after {} histories: the whole tree has more, all numbers are lower bounds\n", "{} 個の履歴で中断しました。木の全体はもっと大きく、数はどれも下限です\n")), n);
        case ExploreState::at_histories:
            return fmt::format(fmt::runtime(say(r.g, "stopped after {} histories (--limit {}): the whole tree has more, all numbers are lower bounds\n", "{} 個の履歴で止まりました（--limit {}）。木の全体はもっと大きく、数はどれも下限です\n")), n, r.args.limit);
        case ExploreState::at_memory:
            return fmt::format(fmt::runtime(say(r.g, "stopped after {} histories (--memory {}): the whole tree has more, all numbers are lower bounds\n", "{} 個の履歴で止まりました（--memory {}）。木の全体はもっと大きく、数はどれも下限です\n")), n, r.args.memory);
    }
    return "";
}

std::string by_seat(const std::vector<std::string>& values) {
    std::vector<std::string> texts;
    for (std::size_t p = 0; p < values.size(); ++p) texts.push_back(fmt::format("P{} {}", p + 1, values[p]));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string text_of(const Report& r) {
    const Explored& found = r.found;
    const Globals& g = r.g;
    std::string text = fmt::format("{}, {} {}\n", r.name(r.game().name), r.game().players, say(g, "players", "人"));
    for (const OptionValue& o : r.game().options) text += fmt::format("  {} = {}\n", r.name(o.name), o.value);
    text += not_all(r);
    const auto line = [&](const char* en, const char* ja, std::uint64_t n) { text += fmt::format("{} {}\n", say(g, en, ja), n); };
    line("histories", "履歴", found.histories);
    line("  decisions", "  決定", found.decision);
    line("  simultaneous decisions", "  同時の決定", found.simultaneous);
    line("  chance", "  偶然", found.chance);
    line("  ends", "  終わり", found.terminal);
    if (found.broken != 0) line("  broken promises", "  破られた約束", found.broken);
    line("nodes on the longest history", "最も長い履歴の節点", found.depth);
    std::vector<std::string> sets;
    for (const std::uint64_t n : found.information_sets) sets.push_back(std::to_string(n));
    text += fmt::format("{} {}\n", say(g, "information sets", "情報集合"), by_seat(sets));
    for (const auto& [histories, n] : found.histories_per_information_set)
        text += fmt::format(fmt::runtime(say(g, "  {0} with {1} histories each\n", "  履歴 {1} 個のもの {0}\n")), n, histories);
    if (!found.ev.empty()) {
        const char* what = found.ev_of_payoff ? say(g, "expected payoff, all moves equally likely", "どの手も等確率のときの利得の期待値") : say(g, "expected share of the win, all moves equally likely", "どの手も等確率のときの勝ちの期待値");
        text += fmt::format("{}: {}\n", what, by_seat(found.ev));
    }
    for (const BrokenPromise& b : found.promises)
        text += fmt::format("{}: {}: {} ({} {})\n", say(g, "broken promise", "破られた約束"), r.where(b.failure), b.failure.what, b.histories, say(g, "histories", "個の履歴"));
    return text;
}

}  // namespace

int run_explore(const ExploreArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    Exploration exploration(machine, {args.limit, args.memory}, args.keep_forced);
    const bool terminal = isatty(STDERR_FILENO) != 0;
    bool shown = false;
    for (std::uint64_t looks = 1; !interrupted() && exploration.go_on(branches_a_look); ++looks) {
        if (!terminal || looks % 16 != 0) continue;
        err(fmt::format("\r{} {} ", exploration.histories(), say(g, "histories", "個の履歴")));
        shown = true;
    }
    if (shown) err("\r\x1b[K");
    const Explored found = exploration.result();
    const Report report{*machine, *loaded, args, g, found};
    out(args.json ? json_of(report) : text_of(report));
    if (found.state == ExploreState::unfinished) return exit_interrupted;
    if (!found.promises.empty()) return exit_found;
    return found.state == ExploreState::complete ? exit_fine : exit_undecided;
}

}  // namespace houserule::cli
