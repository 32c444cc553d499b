#include "interpreter/app/play/begin_session.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <random>

namespace houserule::cli {

namespace {

std::uint64_t any_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) % 1'000'000'000;  // short enough to be typed again
}

std::string_view trimmed(std::string_view text) { return text.substr(0, text.find_last_not_of("\r\n") + 1); }

}  // namespace

const char* sitting(const Session& s, int seat) { return s.is_person(seat) ? "human" : s.deduces(seat) ? "deduce" : "random"; }

void seat(Session& s, int seat, std::string_view who) {
    const Seats bit = seat_bit(seat);
    s.people = who == "human" ? s.people | bit : s.people & ~bit;
    s.deducing = who == "deduce" ? s.deducing | bit : s.deducing & ~bit;
    s.thinkers.resize(s.game().players);
    s.head.seats.clear();
    for (int p = 0; p < s.game().players; ++p)
        if (const std::string sits = sitting(s, p); sits != (p == 0 ? "human" : "random")) s.head.seats[p] = sits;
}

bool seat_people(std::vector<std::string> given, Session& s, const Globals& g) {
    if (s.people == 0) s.people = 1;
    std::vector<std::string> logged;
    for (const auto& [p, who] : s.head.seats) logged.push_back(fmt::format("P{}={}", p + 1, who));
    given.insert(given.begin(), logged.begin(), logged.end());
    s.thinkers.resize(s.game().players);
    for (const std::string& pair : given) {
        const auto eq = pair.find('=');
        const std::string who = eq == std::string::npos ? "" : pair.substr(eq + 1);
        if (who != "human" && who != "random" && who != "deduce") return err(say(g, Text::expected_human_seats, pair)), false;
        const auto p = read_seat(pair.substr(0, eq), s.game().players, g);
        if (!p) return false;
        seat(s, *p, who);
    }
    return true;
}

std::int64_t volunteers_per_million(double volunteer) {
    return volunteer < 0 ? file_odds : static_cast<std::int64_t>(volunteer * 1'000'000 + 0.5);
}

std::optional<Session> resumed_session(const TableArgs& args, const Globals& g, int& exit_code) {
    auto log = open_log(args.file, args.rules, g, exit_code);
    if (!log || !log->fits) return std::nullopt;
    exit_code = exit_cannot;
    if ((args.players != 0 && args.players != log->head.players) || !args.set.empty() || !args.reading.empty()) {
        err(say(g, Text::settings_of_the_log));
        return std::nullopt;
    }
    Session s;
    s.rules = std::move(log->rules);
    s.machine = log->machine;
    s.run = std::move(log->run);
    s.events = std::move(log->events);
    const std::uint64_t seed = args.seed ? *args.seed : log->head.seed.value_or(0);
    s.head = head_of(*s.machine, log->head.seed ? log->head.seed : std::optional(seed));
    s.head.seats = log->head.seats;
    s.head.hints = log->head.hints;
    s.head.file = log->head.file;
    s.head.names = log->head.names;
    // Chance goes on from another point than the one where it began.
    s.random = Random(seed + golden_step * (happenings(s.events) + 1));
    s.written_whole = log_of(s).starts_with(trimmed(s.rules.sources[log->source].text()));
    return s;
}

Session next_game(const Session& over, std::uint64_t seed) {
    Session s;
    s.machine = over.machine;
    s.run = make_run(s.machine);
    s.head = over.head;
    s.head.seed = seed;
    s.random = Random(seed);
    s.volunteer_per_million = over.volunteer_per_million;
    s.people = over.people;
    s.deducing = over.deducing;
    s.thinkers.resize(s.game().players);
    s.thought_s = over.thought_s;
    s.compiler = over.compiler;
    s.hints = over.hints;
    s.run->start();
    return s;
}

std::optional<Session> begun_session(const TableArgs& args, const Globals& g) {
    Session s;
    auto loaded = load(args.file, g);
    if (!loaded) return std::nullopt;
    s.rules = std::move(*loaded);
    Settings settings;
    if (!read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return std::nullopt;
    const auto names = args.names.empty() ? TableNames{} : read_names(args.names, g);
    if (!names) return std::nullopt;
    s.machine = machine_for(s.rules, args.players != 0 ? args.players : names->players, settings, g);
    if (!s.machine) return std::nullopt;
    if (names->players > s.game().players) return err(say(g, Text::no_names_of_seats, args.names)), std::nullopt;
    if (names->me >= 0) s.people = seat_bit(names->me);
    s.run = make_run(s.machine);
    const std::uint64_t seed = args.seed ? *args.seed : any_seed();
    s.head = head_of(*s.machine, seed);
    s.head.names = names->names;
    call_seats(s.head.names);
    s.random = Random(seed);
    s.run->start();
    return s;
}

}  // namespace houserule::cli
