// `houserule validate`: findings as a person reads them, or as JSON, with the games that show them.
#include "solver/validate/validate.hpp"
#include "solver/findings/texts.hpp"

#include "dsl/text/index_of.hpp"
#include "dsl/text/ratio.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/commands/joined_validation.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/simulation/quick_games.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema_name = "houserule-validate-1";
constexpr std::size_t line_width = 120;  // of a line of the rules that is quoted

struct ValidateReport {
    const Loaded& loaded;
    const ValidateArgs& args;
    const Globals& g;
    const Validation& found;
    std::map<std::string, std::string> logs;  // by finding: the file its game was written to
    Game game;                                // for labels

    // As it is typed, and what people call it.
    std::string named(const std::string& name) const {
        const std::string label = g.language == Language::en ? name : houserule::label(game, name, code_of(g.language));
        return label == name ? name : fmt::format("{} ({})", label, name);
    }

    const std::string& in(const Sentence& s) const { return s.in(g.language); }
    std::string where(Span span) const {
        const Source& source = loaded.sources[span.source];
        return fmt::format("{}:{}", source.name(), source.line_of(span.begin));
    }
    std::string line_at(Span span) const {
        const Source& source = loaded.sources[span.source];
        std::string line(source.line(source.line_of(span.begin)));
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        return shown(line);
    }
};

std::string numbers_text(const std::vector<int>& numbers) {
    const bool run = numbers.back() - numbers.front() + 1 == static_cast<int>(numbers.size());
    return numbers.size() == 1 ? std::to_string(numbers.front())
           : run               ? fmt::format("{}-{}", numbers.front(), numbers.back())
                               : fmt::format("{}", fmt::join(numbers, ", "));
}

// For how many players it holds, and of how many nothing is known.
std::string players_text(const Finding& f, const Globals& g) {
    if (f.players.empty()) return "";
    const std::string text =
        say(g, f.players == std::vector<int>{1} ? Text::for_one_player : Text::for_several_players, numbers_text(f.players));
    return f.untried.empty() ? text : text + say(g, Text::untried_players, numbers_text(f.untried));
}

std::string verdict_text(Verdict v, const Globals& g) {
    switch (v) {
        case Verdict::found:
            return say(g, Text::found);
        case Verdict::proved_absent:
            return say(g, Text::proved_absent);
        case Verdict::not_found:
            return say(g, Text::not_found);
        case Verdict::unknown:
            return say(g, Text::unknown);
    }
    return "";
}

std::string method_text(const Finding& f, const Globals& g) {
    std::string text;
    switch (f.method) {
        case FoundBy::none:
            break;
        case FoundBy::static_reading:
            text = say(g, Text::by_reading);
            break;
        case FoundBy::smt:
            text = say(g, Text::by_proof);
            break;
        case FoundBy::exhaustive:
            text = say(g, f.verdict == Verdict::found ? Text::by_every_game_so_far : Text::by_every_game);
            break;
        case FoundBy::bounded:
            text = say(g, Text::by_all_that_follows);
            break;
        case FoundBy::simulated:
            text = say(g, Text::by_playing);
            break;
    }
    if (!f.bound.empty()) text += say(g, Text::as_far_as, f.bound.in(g.language));
    return text;
}

std::string percent(const Frequency& often) {
    const double share = often.of == 0 ? 0 : ratio(100.0 * often.games, often.of);
    return share >= 0.1 || often.games == 0 ? fmt::format("{:.1f} %", share) : fmt::format("{:.2g} %", share);
}

std::string settings_text(const ValidateReport& r, const Settings& settings) {
    std::vector<std::string> pairs;
    for (const auto& [name, value] : settings) pairs.push_back(fmt::format("{} = {}", r.named(name), r.named(value)));
    return fmt::format("{}", fmt::join(pairs, ", "));
}

void add_line(std::string& text, const std::string& line) {
    if (!line.empty()) text += "    " + line + "\n";
}

std::string game_text(const ValidateReport& r, const Finding& f) {
    const Witness& w = *f.witness;
    const Globals& g = r.g;
    std::string text = w.decisions == 1 ? say(g, Text::witness_game_of_one, w.players, r.in(w.state))
                                        : say(g, Text::witness_game, w.players, w.decisions, r.in(w.state));
    if (const auto log = r.logs.find(f.id); log != r.logs.end()) {
        // A game that ships is found by the name in the log.
        const std::string rules = std::filesystem::exists(r.args.file) ? " --rules " + r.args.file : "";
        text += fmt::format(" (houserule replay {}{})", log->second, rules);
    }
    return text;
}

// Of so many players, where it is about several numbers of them.
std::string share_of(const Finding& f, const Frequency& times, const Globals& g) {
    return f.players.size() > 1 ? say(g, Text::share_with_players, percent(times), times.players)
                                : say(g, Text::share_of_random_games, percent(times));
}

std::string text_of(const ValidateReport& r, const Finding& f) {
    const Globals& g = r.g;
    std::string text = fmt::format("{} {}", bold(f.id, g), r.in(f.title));
    if (const std::string players = players_text(f, g); !players.empty()) text += fmt::format("  [{}]", players);
    if (f.gravity == Gravity::note && f.accepted.empty()) text += "  " + faint(say(g, Text::is_a_note), g);
    text += "\n";
    // What the title quotes need not be shown twice.
    const bool quoted = f.what == FindingClass::hole || f.what == FindingClass::variant || f.what == FindingClass::modality;
    for (std::size_t i = 0; i < f.spans.size(); ++i) {
        const bool repeated = std::any_of(f.spans.begin(), f.spans.begin() + i, [&](Span s) { return r.where(s) == r.where(f.spans[i]); });
        if (repeated) continue;
        const std::string line = quoted && i == 0 ? "" : "  " + faint(clipped(r.line_at(f.spans[i]), line_width), g);
        add_line(text, r.where(f.spans[i]) + line);
    }
    if (!f.settings.empty()) add_line(text, fmt::format("{} {}", say(g, Text::under_options), settings_text(r, f.settings)));
    add_line(text, r.in(f.text));
    for (const OutcomeText& o : f.outcomes) add_line(text, fmt::format("- {}: {}", r.in(o.when), r.in(o.then)));
    if (f.witness) add_line(text, game_text(r, f));
    std::string verdict = verdict_text(f.verdict, g) + say(g, Text::comma) + method_text(f, g);
    if (f.frequency && f.frequency->of != 0) verdict += say(g, Text::share_of_games, share_of(f, *f.frequency, g));
    if (f.method != FoundBy::static_reading) add_line(text, verdict);
    if (!f.accepted.empty())
        add_line(text, fmt::format("{}: {}", say(g, Text::accepted), f.accepted));
    else
        add_line(text, fmt::format("{}: {}", say(g, Text::remedy), r.in(f.help)));
    return text;
}

// In the order of the classes.
constexpr std::array class_words{
    Text::class_gap,     Text::class_void,       Text::class_unresolved, Text::class_conflict, Text::class_modality, Text::class_end_race,
    Text::class_order,   Text::class_window,     Text::class_endless,    Text::class_stall,    Text::class_dead,     Text::class_masked,
    Text::class_hole,    Text::class_chooser,    Text::class_scope,      Text::class_view,     Text::class_variant,  Text::class_count,
    Text::class_example, Text::class_degenerate, Text::class_term};
static_assert(class_words.size() == finding_classes);

const auto& passed_words(Verdict v) {
    if (v == Verdict::proved_absent) return Text::passed_by_proof;
    return v == Verdict::not_found ? Text::passed_in_games : Text::passed_or_not;
}

// One line a class and verdict; every promise when asked for.
std::string passed_text(const ValidateReport& r) {
    const Globals& g = r.g;
    std::map<std::pair<Verdict, FindingClass>, std::size_t> counts;
    for (const Finding& f : r.found.passed) ++counts[{f.verdict, f.what}];
    std::string text;
    for (const Verdict v : {Verdict::proved_absent, Verdict::not_found, Verdict::unknown}) {
        std::vector<std::string> parts;
        for (const auto& [key, n] : counts) {
            if (key.first != v) continue;
            const std::string word = say(g, class_words[index_of(key.second)]);
            const bool is_found = std::ranges::any_of(
                r.found.findings, [&](const Finding& f) { return f.what == key.second && f.verdict == Verdict::found; });
            parts.push_back(is_found ? say(g, Text::at_other_places, word, n) : n == 1 ? word : fmt::format("{} ({})", word, n));
        }
        if (!parts.empty()) text += say(g, passed_words(v), fmt::format("{}", fmt::join(parts, say(g, Text::between_ids))));
        if (!r.args.proofs) continue;
        for (const Finding& f : r.found.passed) {
            if (f.verdict != v || f.spans.empty()) continue;
            text += fmt::format("    {} {}  {}  [{}] {}\n", say(g, class_words[index_of(f.what)]), r.where(f.spans.front()), r.in(f.title),
                                players_text(f, g), method_text(f, g));
        }
    }
    return text;
}

bool counts(const Finding& f) { return f.accepted.empty() && f.gravity != Gravity::note && f.verdict == Verdict::found; }

// ---- one screen

constexpr std::size_t settled_first = 7;  // doubts: as many as one keeps in mind
constexpr std::size_t screen_lines = 60;  // more than that is not read to the end
constexpr std::size_t lines_below = 10;   // about the rules that a house rule changes

// The first sentence; the rest is for whoever wants to know more.
std::string first_sentence(const std::string& text) {
    const std::size_t en = text.find(". ");
    const std::size_t ja = text.find("。");
    if (en == std::string::npos && ja == std::string::npos) return text;
    return en < ja ? text.substr(0, en + 1) : text.substr(0, ja + std::string("。").size());
}

std::string paragraph_text(const ValidateReport& r, const Finding& f) {
    const std::string& label = r.in(f.paragraph.label);
    if (f.paragraph.name.empty()) return "";
    return label.empty() || label == f.paragraph.name ? f.paragraph.name : fmt::format("{} ({})", label, f.paragraph.name);
}

// All that may be chosen of a reading, what the file chooses first.
std::vector<std::string> choices_of(const ValidateReport& r, const Doubt& d) {
    std::vector<std::string> choices;
    for (const std::size_t i : d.findings) {
        const Finding& f = r.found.findings[i];
        if (f.remark != Remark::two_ways || f.outcomes.size() != 2 || f.rule != r.found.findings[d.findings.front()].rule) continue;
        const std::string& own = r.in(f.outcomes[0].when);
        if (choices.empty()) choices.push_back(say(r.g, Text::as_in_the_file, own));
        choices.push_back(r.in(f.outcomes[1].when));
    }
    return choices;
}

// What is to be decided, where, and how much depends on it.
std::string head_text(const ValidateReport& r, const Doubt& d, std::size_t number) {
    const Globals& g = r.g;
    const Finding& f = r.found.findings[d.findings.front()];
    std::string text = fmt::format("{}. {}", number, bold(first_sentence(r.in(f.title)), g));
    if (const std::string players = players_text(f, g); !players.empty()) text += fmt::format("  [{}]", players);
    text += "\n";
    const std::string paragraph = paragraph_text(r, f);
    add_line(text, paragraph.empty() ? r.where(f.spans.front()) : say(g, Text::doubt_at, paragraph, r.where(f.spans.front())));
    if (const std::vector<std::string> choices = choices_of(r, d); choices.size() > 1)
        add_line(text, say(g, Text::choices_are, fmt::format("{}", fmt::join(choices, say(g, Text::between_choices)))));
    else if (!f.help.empty())  // a heading that asks nothing: what there is to decide
        add_line(text, fmt::format("{}: {}", say(g, Text::remedy), r.in(f.help)));
    const bool winner = f.winner_changes && f.winner_changes->games != 0;
    if (winner || (f.frequency && f.frequency->of != 0))
        add_line(text, winner ? say(g, Text::changes_winner, share_of(f, *f.winner_changes, g))
                              : say(g, Text::comes_up, share_of(f, *f.frequency, g)));
    if (d.thinking)
        add_line(text, say(g, f.remark == Remark::two_ways ? Text::changes_winner_thinking : Text::comes_up_thinking, d.thinking->games,
                           d.thinking->of));
    std::vector<std::string> ids;
    for (const std::size_t i : d.findings) ids.push_back(r.found.findings[i].id);
    add_line(text, fmt::format("{}", fmt::join(ids, say(g, Text::between_ids))));
    return text;
}

using Doubts = std::vector<const Doubt*>;

// The ids of doubts by paragraph, in the order of the first of each; no more than so many lines.
std::string ids_text(const ValidateReport& r, const Doubts& doubts, std::size_t lines) {
    const Globals& g = r.g;
    std::vector<std::string> paragraphs;
    std::map<std::string, std::vector<std::string>> ids;
    for (const Doubt* d : doubts) {
        for (const std::size_t k : d->findings) {
            const Finding& f = r.found.findings[k];
            std::string paragraph = paragraph_text(r, f);
            if (paragraph.empty()) paragraph = r.where(f.spans.front());
            if (!ids.contains(paragraph)) paragraphs.push_back(paragraph);
            std::string id = f.id;
            if (f.remark == Remark::silent) id += fmt::format(" ({})", say(g, Text::remark_silent));
            ids[paragraph].push_back(std::move(id));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(lines, paragraphs.size()); ++i)
        text += fmt::format("    {}: {}\n", paragraphs[i], fmt::join(ids[paragraphs[i]], say(g, Text::between_ids)));
    return paragraphs.size() > lines ? text + "    …\n" : text;
}

std::string screen_of(const ValidateReport& r, const Doubts& doubts) {
    std::string text = say(r.g, Text::settle_first);
    const std::size_t first = std::min(settled_first, doubts.size());
    for (std::size_t i = 0; i < first; ++i) text += head_text(r, *doubts[i], i + 1) + "\n";
    const std::string others = ids_text(r, {doubts.begin() + first, doubts.end()}, screen_lines);
    return others.empty() ? text : text + say(r.g, Text::the_others) + others + "\n";
}

// In the file itself, not in the rules that it changes.
bool is_own(const Finding& f) {
    return f.spans.empty() || std::ranges::any_of(f.spans, [](Span span) { return span.source == 0; });
}

std::string whole_of(const ValidateReport& r) {
    std::string text;
    std::size_t shown = 0;
    for (const Finding& f : r.found.findings) {
        if (shown++ == r.args.limit) break;
        text += text_of(r, f) + "\n";
    }
    if (r.found.findings.size() > r.args.limit) text += say(r.g, Text::findings_shown, r.args.limit, r.found.findings.size());
    return text;
}

bool fits_a_screen(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')) <= screen_lines; }

// Of a house rule: what it says itself, and in short what lies in the rules that stay.
std::string house_rule_text(const ValidateReport& r) {
    Doubts own;
    Doubts below;
    for (const Doubt& d : r.found.doubts)
        (std::ranges::any_of(d.findings, [&](std::size_t i) { return is_own(r.found.findings[i]); }) ? own : below).push_back(&d);
    std::string text;
    for (const Finding& f : r.found.findings)
        if (is_own(f)) text += text_of(r, f) + "\n";
    if (text.empty())
        text = say(r.g, Text::nothing_own);
    else if (!fits_a_screen(text) && !own.empty())
        text = screen_of(r, own);
    const std::string ids = ids_text(r, below, lines_below);
    return ids.empty()
               ? text
               : text + say(r.g, Text::findings_below, std::filesystem::path(r.loaded.sources[1].name()).stem().string()) + ids + "\n";
}

// Everything, if it can be read at one glance or is asked for; else what comes first.
std::string findings_text(const ValidateReport& r) {
    std::string whole = whole_of(r);
    if (r.args.all || !r.args.logs.empty() || r.args.limit < r.found.findings.size()) return whole;
    if (r.loaded.base) return house_rule_text(r);
    Doubts doubts;
    for (const Doubt& d : r.found.doubts) doubts.push_back(&d);
    return fits_a_screen(whole) ? whole : screen_of(r, doubts);
}

std::string text_of(const ValidateReport& r) {
    const Globals& g = r.g;
    std::string text = findings_text(r);
    text += passed_text(r);
    const std::size_t n = std::count_if(r.found.findings.begin(), r.found.findings.end(), counts);
    const std::size_t accepted =
        std::count_if(r.found.findings.begin(), r.found.findings.end(), [](const Finding& f) { return !f.accepted.empty(); });
    const std::size_t notes = r.found.findings.size() - n - accepted;
    text += notes == 1 ? say(g, Text::findings_with_one_note, n, accepted) : say(g, Text::findings_counted, n, notes, accepted);
    for (const Sentence& s : r.found.limits) text += fmt::format("{}: {}\n", say(g, Text::limit), r.in(s));
    if (!r.found.not_looked_at.empty()) text += say(g, Text::not_looked_at, r.found.not_looked_at.size());
    return text;
}

Json json_of(const Sentence& s) {
    Json all;
    for (const Language language : all_languages) all[code_of(language)] = s.of(language);
    return all;
}

Json json_of(const Frequency& times) { return {{"games", times.games}, {"of", times.of}, {"players", times.players}}; }

Json json_of(const ValidateReport& r, const Finding& f) {
    Json j;
    j["id"] = f.id;
    j["class"] = class_name(f.what);
    j["severity"] = gravity_name(f.gravity);
    j["verdict"] = verdict_name(f.verdict);
    j["method"] = method_name(f.method);
    j["bound"] = f.bound.in(Language::en);
    j["remark"] = remark_name(f.remark);
    j["rule"] = f.rule;
    j["paragraph"] = f.paragraph.name;
    j["spans"] = Json::array();
    for (const Span span : f.spans) {
        const Source& source = r.loaded.sources[span.source];
        j["spans"].push_back({{"file", source.name()},
                              {"line", source.line_of(span.begin)},
                              {"begin", source.file_offset(span.begin)},
                              {"end", source.file_offset(span.end)}});
    }
    j["players"] = f.players;
    j["players_untried"] = f.untried;
    j["settings"] = Json::object();
    for (const auto& [name, value] : f.settings) j["settings"][name] = value;
    j["title"] = json_of(f.title);
    j["text"] = json_of(f.text);
    j["witness"] = nullptr;
    if (f.witness)
        j["witness"] = {{"players", f.witness->players},
                        {"decisions", f.witness->decisions},
                        {"state", json_of(f.witness->state)},
                        {"log", f.witness->log}};
    j["outcomes"] = Json::array();
    for (const OutcomeText& o : f.outcomes) j["outcomes"].push_back({{"when", json_of(o.when)}, {"then", json_of(o.then)}});
    j["frequency"] = nullptr;
    if (f.frequency) j["frequency"] = json_of(*f.frequency);
    j["winner_changes"] = nullptr;
    if (f.winner_changes) j["winner_changes"] = json_of(*f.winner_changes);
    j["help"] = json_of(f.help);
    j["accepted"] = f.accepted.empty() ? Json(nullptr) : Json(f.accepted);
    return j;
}

std::string json_of(const ValidateReport& r) {
    Json j;
    j["schema"] = schema_name;
    j["findings"] = Json::array();
    for (const Finding& f : r.found.findings) j["findings"].push_back(json_of(r, f));
    j["proved"] = Json::array();
    j["not_found"] = Json::array();
    for (const Finding& f : r.found.passed) j[f.verdict == Verdict::proved_absent ? "proved" : "not_found"].push_back(json_of(r, f));
    j["limits"] = Json::array();
    for (const Sentence& s : r.found.limits) j["limits"].push_back(json_of(s));
    j["doubts"] = Json::array();
    for (const Doubt& d : r.found.doubts) {
        Json ids = Json::array();
        for (const std::size_t i : d.findings) ids.push_back(r.found.findings[i].id);
        Json thinking = nullptr;
        if (d.thinking) thinking = json_of(*d.thinking);
        j["doubts"].push_back({{"weight", d.weight}, {"thinking", std::move(thinking)}, {"findings", std::move(ids)}});
    }
    j["not_looked_at"] = Json::array();
    for (const NotLookedAt& n : r.found.not_looked_at) {
        Json settings = Json::object();
        for (const auto& [name, value] : n.settings) settings[name] = value;
        j["not_looked_at"].push_back(
            {{"what", n.what}, {"name", n.name}, {"players", n.players}, {"settings", std::move(settings)}, {"begun", n.begun}});
    }
    j["cut_by_time"] = r.found.cut_by_time;
    j["cut_off"] = r.found.cut_off;
    j["interrupted"] = interrupted();
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool read_classes(const std::vector<std::string>& names, ValidateLimits& limits, const Globals& g) {
    for (const std::string& name : names) {
        const auto c = class_of(name);
        if (c) {
            limits.only.insert(*c);
            continue;
        }
        std::vector<std::string_view> known;
        for (int i = 0; i < finding_classes; ++i) known.push_back(class_name(static_cast<FindingClass>(i)));
        err(say(g, Text::no_such_class, name, fmt::format("{}", fmt::join(known, ", "))));
        return false;
    }
    return true;
}

// Every game that shows something, as a log of its own; false, with a message, when one cannot be written.
bool write_logs(ValidateReport& r) {
    if (r.args.logs.empty()) return true;
    if (!make_folder(r.args.logs, r.g)) return false;
    for (const Finding& f : r.found.findings) {
        if (!f.witness) continue;
        std::string name = f.id;
        std::replace(name.begin(), name.end(), '/', '-');
        const std::string path = (std::filesystem::path(r.args.logs) / (name + ".log")).string();
        if (!write_file(path, f.witness->log, r.g)) return false;
        r.logs[f.id] = path;
    }
    return true;
}

// Pieces that do not add up, in a file that is otherwise in order: findings, not a reason to give up.
bool only_counts_differ(const Diagnostics& found) {
    bool any = false;
    for (const Diagnostic& d : found) {
        if (info(d.code).severity != Severity::error) continue;
        if (d.code != Code::total_differs) return false;
        any = true;
    }
    return any;
}

Finding count_finding(const Diagnostic& d) {
    Finding f;
    f.what = FindingClass::count;
    f.gravity = Gravity::error;
    f.method = FoundBy::static_reading;
    f.rule = "total";
    f.id = "count.total";
    f.spans = {d.span};
    f.title = Sentence::each([&](Language language) { return message(d, language); });
    f.help = FindingText::say_which_pieces_are_missing;
    return f;
}

// What is asked for, of rules that were read. Nothing after a message.
std::optional<ValidateLimits> limits_of(const ValidateArgs& args, const Globals& g) {
    ValidateLimits limits;
    if (!read_settings(args.set, limits.settings, g) || !read_settings(args.reading, limits.settings, g)) return std::nullopt;
    if (!args.players.empty()) {
        const auto players = read_players(args.players, g);
        if (!players) return std::nullopt;
        limits.low = players->low;
        limits.high = players->high;
    }
    if (!read_classes(args.only, limits, g)) return std::nullopt;
    limits.games = args.games;
    limits.others = !args.chosen;
    limits.blind = args.blind;
    limits.work = args.work.value_or(limits.work);
    if (args.time_s) {  // then the clock decides, not work
        limits.milliseconds = static_cast<std::uint64_t>(*args.time_s * 1000);
        limits.work = no_work_limit;
    }
    limits.seed = args.seed;
    return limits;
}

// The machine for the smallest number of players. Nothing, after a message, when the rules cannot be played so, or have errors.
std::shared_ptr<const Machine> playable(const Loaded& loaded, const ValidateLimits& limits, const Diagnostics& diagnostics,
                                        const Globals& g) {
    const int players = limits.low == 0 ? player_range(loaded.syntax).low : limits.low;
    const auto machine = machine_for(loaded, players, limits.settings, g);
    if (machine == nullptr || !has_errors(diagnostics)) return machine;
    err(render(diagnostics, loaded.sources, {g.language, g.color}));
    return nullptr;
}

// A line of progress, where somebody sees it.
class Progress {
public:
    explicit Progress(const Globals& g) : g_(g) {}
    ~Progress() {
        if (terminal_) show_progress("");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    std::function<void(const ValidateProgress&)> told() const {
        if (!terminal_) return nullptr;
        return [this](const ValidateProgress& p) { show_progress(fmt::format("{} {}/{} ", p.doing.in(g_.language), p.done, p.of)); };
    }

private:
    const Globals& g_;
    bool terminal_ = isatty(STDERR_FILENO) != 0;
};

Validation found_with(TaskResults known, const Loaded& loaded, ValidateLimits limits, const Globals& g) {
    limits.stop = &stop();
    limits.thinking = quick_games;
    watch_interrupts();
    const Progress progress(g);
    return validate_joined(loaded.syntax, limits, std::move(known), progress.told());
}

int tell(const Validation& found, const Loaded& loaded, const ValidateArgs& args, const ValidateLimits& limits, const Globals& g) {
    Diagnostics ignored;
    const int players = limits.low == 0 ? player_range(loaded.syntax).low : limits.low;
    ValidateReport report{loaded, args, g, found, {}, check(loaded.syntax, players, limits.settings, ignored)};
    if (!write_logs(report)) return exit_cannot;
    out(args.json ? json_of(report) : text_of(report));
    if (interrupted()) return exit_interrupted;
    if (std::any_of(found.findings.begin(), found.findings.end(), counts)) return exit_found;
    return found.cut_off ? exit_undecided : exit_fine;
}

// ---- parts

bool is_there_already(const std::string& path, const ValidatePart& part, const Globals& g) {
    const auto text = read_if_there(path, g);
    const auto there = text ? read_validate_part(*text) : std::nullopt;
    return there && difference(there->asked, part.asked).empty() && there->number == part.number;
}

int validate_part(const ValidateArgs& args, ValidateLimits limits, const Loaded& loaded, const Machine& machine, const Globals& g) {
    const auto number = read_part_number(args.part, g);
    if (!number) return exit_cannot;
    ValidatePart part{asked_of(limits, rules_asked(machine, loaded, args.file), number->of), number->number, {}};
    if (is_there_already(args.out, part, g)) return err(say(g, Text::part_is_there, args.out)), exit_fine;
    if (!may_write(args.out, args.force, g)) return exit_cannot;
    limits.stop = &stop();
    watch_interrupts();
    {
        const Progress progress(g);
        part.results = validate_share(loaded.syntax, limits, {number->number, number->of}, progress.told());
    }
    if (interrupted()) return err(say(g, Text::part_interrupted, args.out)), exit_interrupted;
    return write_file(args.out, part_text(part), g) ? exit_fine : exit_cannot;
}

}  // namespace

int tell_joined(std::vector<ValidatePart> parts, const MergeArgs& args, const Globals& g) {
    const AskedValidation asked = parts.front().asked;
    ValidateArgs validation;
    validation.file = args.rules.empty() ? asked.path : args.rules;
    validation.json = args.json;
    validation.all = args.all;
    const ValidateLimits limits = limits_of(asked);
    const auto loaded = load(validation.file, g);
    const auto machine = loaded ? playable(*loaded, limits, check_all(loaded->syntax), g) : nullptr;
    if (machine == nullptr) return exit_cannot;
    if (!rules_difference(rules_asked(*machine, *loaded, validation.file), asked).empty())
        return err(say(g, Text::part_of_other_rules, args.files.front(), validation.file)), exit_cannot;
    return tell(found_with(joined(std::move(parts)), *loaded, limits, g), *loaded, validation, limits, g);
}

int run_validate(const ValidateArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    const auto limits = loaded ? limits_of(args, g) : std::nullopt;
    if (!limits) return exit_cannot;
    const Diagnostics diagnostics = check_all(loaded->syntax);
    if (only_counts_differ(diagnostics) && args.part.empty()) {
        Validation found;
        for (const Diagnostic& d : diagnostics)
            if (d.code == Code::total_differs && (limits->only.empty() || limits->only.contains(FindingClass::count)))
                found.findings.push_back(count_finding(d));
        found.cut_off = true;
        found.limits.emplace_back(FindingText::nothing_was_played);
        return tell(found, *loaded, args, *limits, g);
    }
    const auto machine = playable(*loaded, *limits, diagnostics, g);
    if (machine == nullptr) return exit_cannot;
    if (!args.part.empty()) return validate_part(args, *limits, *loaded, *machine, g);
    return tell(found_with({}, *loaded, *limits, g), *loaded, args, *limits, g);
}

}  // namespace houserule::cli
