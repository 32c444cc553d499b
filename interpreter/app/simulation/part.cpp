#include "interpreter/app/simulation/part.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(Span span) { return {span.source, span.begin, span.end}; }
Span span_in(const Json& json) { return span_of(json.at(1).get<std::uint32_t>(), json.at(2), json.at(0).get<std::uint16_t>()); }

Json json_of(const FailureCount& f) {
    return {{"count", f.count},
            {"first", f.first},
            {"kind", static_cast<int>(f.failure.kind)},
            {"span", json_of(f.failure.span)},
            {"place", f.failure.place},
            {"fact", f.failure.fact.value()},
            {"number", f.failure.number},
            {"other", json_of(f.failure.other)}};
}

FailureCount failure_in(const Json& json) {
    FailureCount f;
    f.count = json.at("count");
    f.first = json.at("first");
    f.failure.kind = static_cast<FailureKind>(json.at("kind").get<std::uint8_t>());
    f.failure.span = span_in(json.at("span"));
    f.failure.place = PlaceId(json.at("place").get<std::int32_t>());
    f.failure.fact = FactId(json.at("fact").get<std::int32_t>());
    f.failure.number = json.at("number");
    f.failure.other = span_in(json.at("other"));
    return f;
}

Json json_of(const Totals& t) {
    Json json{{"games", t.games},
              {"compiled", t.compiled},
              {"rollouts", {t.rollouts, t.compiled_rollouts}},
              {"decisions", t.tally.decisions},
              {"options", t.tally.options},
              {"forced", t.tally.forced},
              {"chances", t.tally.chances},
              {"windows", t.tally.windows},
              {"wins", t.wins},
              {"by_teams", t.by_teams},
              {"scores", t.scores},
              {"ends", Json::array()},
              {"failed", Json::array()},
              {"kinds", t.kinds},
              {"deducing", Json::array()},
              {"reached", std::vector(t.reached.begin(), t.reached.end())},
              {"steps", std::vector(t.tally.steps.begin(), t.tally.steps.end())},
              {"taken", std::vector(t.tally.taken.begin(), t.tally.taken.end())}};
    for (const auto& [end, count] : t.ends) json["ends"].push_back({end.value(), count});
    for (const auto& [what, f] : t.failed) json["failed"].push_back(json_of(f));
    for (const PlayerCounts& c : t.deducing) json["deducing"].push_back({c.decisions, c.at_random});
    return json;
}

template <typename T, typename To>
void read_all(const Json& json, To& to) {
    for (const Json& value : json) to.push_back(value.get<T>());
}

Totals totals_in(const Json& json) {
    Totals t;
    t.games = json.at("games");
    t.compiled = json.at("compiled");
    t.rollouts = json.at("rollouts").at(0);
    t.compiled_rollouts = json.at("rollouts").at(1);
    t.tally.decisions = json.at("decisions");
    t.tally.options = json.at("options");
    t.tally.forced = json.at("forced");
    t.tally.chances = json.at("chances");
    t.tally.windows = json.at("windows");
    read_all<std::uint64_t>(json.at("steps"), t.tally.steps);
    read_all<std::uint64_t>(json.at("taken"), t.tally.taken);
    read_all<std::uint64_t>(json.at("wins"), t.wins);
    t.by_teams = json.value("by_teams", std::uint64_t{0});
    read_all<std::int64_t>(json.at("scores"), t.scores);
    read_all<std::uint8_t>(json.at("reached"), t.reached);
    read_all<std::uint8_t>(json.at("kinds"), t.kinds);
    for (const Json& end : json.at("ends")) t.ends[EndId(end.at(0).get<std::int32_t>())] = end.at(1);
    for (const Json& failed : json.at("failed")) {
        const FailureCount f = failure_in(failed);
        t.failed[{f.failure.kind, spot(f.failure.span)}] = f;
    }
    for (const Json& c : json.at("deducing")) t.deducing.push_back({c.at(0), c.at(1)});
    return t;
}

}  // namespace

Asked asked_of(const Plan& plan, const Loaded& loaded, const std::string& path) {
    return {
        rules_asked(*plan.machine, loaded, path), plan.end - plan.first, plan.seed, plan.volunteer, plan.deducing, plan.limits.think_ms};
}

std::string difference(const Asked& a, const Asked& b) {
    if (const std::string rules = rules_difference(a, b); !rules.empty()) return rules;
    if (a.games != b.games) return "--games";
    if (a.seed != b.seed) return "--seed";
    if (a.volunteer != b.volunteer) return "--volunteer";
    if (a.deducing != b.deducing) return "--seat";
    return a.deducing != 0 && a.think_ms != b.think_ms ? "--think" : "";
}

std::pair<std::uint64_t, std::uint64_t> games_of_part(std::uint64_t games, std::uint64_t number, std::uint64_t of) {
    // Without the product of all of them, which need not fit.
    const auto begin = [&](std::uint64_t k) { return games / of * k + games % of * k / of; };
    return {begin(number - 1), begin(number)};
}

std::string part_text(const Part& part) {
    const Asked& a = part.asked;
    Json json{{"schema", part_schema}};
    write_rules(a, json);
    json.update({{"games", a.games},
                 {"seed", a.seed},
                 {"volunteer", a.volunteer},
                 {"deducing", a.deducing},
                 {"think_ms", a.think_ms},
                 {"first", part.first},
                 {"end", part.end},
                 {"seconds", part.seconds},
                 {"totals", json_of(part.totals)}});
    return json.dump() + "\n";
}

std::optional<Part> read_part(const std::string& text) try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("schema", "") != part_schema) return std::nullopt;
    Part part;
    Asked& a = part.asked;
    read_rules(json, a);
    a.games = json.at("games");
    a.seed = json.at("seed");
    a.volunteer = json.at("volunteer");
    a.deducing = json.at("deducing");
    a.think_ms = json.at("think_ms");
    part.first = json.at("first");
    part.end = json.at("end");
    part.seconds = json.at("seconds");
    part.totals = totals_in(json.at("totals"));
    const bool whole = part.first <= part.end && part.end <= a.games && part.totals.games == part.end - part.first;
    return whole ? std::optional(std::move(part)) : std::nullopt;
} catch (const Json::exception&) {
    return std::nullopt;
}

std::string totals_text(const Totals& totals) { return json_of(totals).dump(); }

std::optional<Totals> read_totals(const std::string& text) try { return totals_in(Json::parse(text)); } catch (const Json::exception&) {
    return std::nullopt;
}

bool is_of(const Totals& totals, const Machine& machine) {
    const Totals own = nothing_yet(machine);
    const auto end_exists = [&](const auto& end) { return end.first == no_id || machine.game.ends.has(end.first); };
    return totals.tally.steps.size() == own.tally.steps.size() && totals.tally.taken.size() == own.tally.taken.size() &&
           totals.wins.size() == own.wins.size() && totals.scores.size() == own.scores.size() &&
           totals.reached.size() == own.reached.size() && totals.kinds.size() == own.kinds.size() &&
           totals.deducing.size() == own.deducing.size() && std::ranges::all_of(totals.ends, end_exists);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> missing_games(const std::vector<Part>& parts, std::uint64_t games) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> there;
    for (const Part& part : parts) there.emplace_back(part.first, part.end);
    there.emplace_back(games, games);
    std::ranges::sort(there);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> missing;
    std::uint64_t next = 0;
    for (const auto& [first, end] : there) {
        if (first > next) missing.emplace_back(next, first);
        next = std::max(next, end);
    }
    return missing;
}

}  // namespace houserule::cli
