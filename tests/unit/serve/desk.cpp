#include "tests/unit/serve/desk.hpp"

#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace houserule::testing {

using cli::Json;

void Desk::run_now() {
    while (!todo_.empty()) {
        const auto next = std::move(todo_.front());
        todo_.pop_front();
        next();
    }
}

bool Desk::run(int most) {
    for (int i = 0; i < most; ++i) {
        run_now();
        if (waiting_.empty()) return true;
        const auto first = waiting_.begin();
        now_ = first->first;
        todo_.push_back(std::move(first->second));
        waiting_.erase(first);
    }
    return false;
}

bool Desk::think_once() {
    if (slow_.empty()) return false;
    todo_.push_back(std::move(slow_.front()));
    slow_.pop_front();
    return run();
}

Json Desk::last(std::uint64_t page, const std::string& type) const {
    const auto found = sent.find(page);
    if (found == sent.end()) return nullptr;
    for (auto at = found->second.rbegin(); at != found->second.rend(); ++at)
        if (Json frame = Json::parse(at->frame); frame["t"] == type) return frame;
    return nullptr;
}

std::vector<Json> Desk::lines(std::uint64_t page) const {
    std::vector<Json> all;
    for (const Sent& s : sent.at(page)) {
        const Json frame = Json::parse(s.frame);
        if (frame["t"] != "news") continue;
        REQUIRE(frame["from"] == all.size());
        for (const Json& line : frame["lines"]) all.push_back(line);
    }
    return all;
}

Folder::Folder() {
    static int count = 0;
    path = (std::filesystem::temp_directory_path() / fmt::format("houserule_table_{}_{}", getpid(), ++count)).string();
    std::filesystem::create_directories(path);
}
Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

std::string token_of(int seat) { return fmt::format("seat{}", seat + 1); }

cli::KeptTable kept_for_test(const std::string& folder, int players) {
    cli::KeptTable kept;
    kept.folder = folder;
    kept.players = players;
    kept.names.resize(static_cast<std::size_t>(players));
    for (int seat = 0; seat < players; ++seat) kept.tokens[cli::hash_of(token_of(seat))] = std::to_string(seat + 1);
    kept.tokens[cli::hash_of("host")] = "host";
    kept.tokens[cli::hash_of("watch")] = "watch";
    return kept;
}

cli::Session session_of(const std::string& game, int players, std::uint64_t seed, const std::vector<std::string>& seats) {
    cli::TableArgs args;
    args.file = rules_file(game).string();
    args.players = players;
    args.seed = seed;
    auto session = cli::begun_session(args, {});
    REQUIRE(session);
    REQUIRE(cli::seat_people(seats, *session, {}));
    return std::move(*session);
}

cli::Session session_at(const std::shared_ptr<const Machine>& machine, std::span<const std::byte> state, const Events& events) {
    cli::Session s;
    s.machine = machine;
    s.run = make_run(machine);
    s.run->start();
    s.run->set_state(state);
    s.events = events;
    s.head = head_of(*machine, 1);
    for (int seat = 0; seat < machine->game.players; ++seat) cli::seat(s, seat, "human");
    return s;
}

void TableAtDesk::say(std::uint64_t page, const Json& what) {
    table->said(page, message(what));
    desk.run();
}

std::string TableAtDesk::refusal(std::uint64_t page, const Json& what) {
    const std::size_t before = desk.sent[page].size();
    say(page, what);
    for (std::size_t i = before; i < desk.sent[page].size(); ++i)
        if (const Json frame = Json::parse(desk.sent[page][i].frame); frame["t"] == "refused") return frame["why"];
    return "";
}

Json any_answer(const Json& question, Random& random) {
    if (question.contains("options")) {
        const Json& options = question["options"];
        return {{"m", options[random.below(options.size())]["m"]}};
    }
    const Json& several = question["several"];
    std::vector<std::int32_t> copies;
    for (const Json& value : several["values"])
        for (std::size_t i = 0; i < value["most"].get<std::size_t>(); ++i) copies.push_back(value["v"]);
    const auto low = several["low"].get<std::uint64_t>();
    const auto high = std::min<std::uint64_t>(several["high"].get<std::uint64_t>(), copies.size());
    std::uint64_t count = low + random.below(high - low + 1);
    Json values = Json::array();
    for (; count > 0; --count) {
        const auto at = copies.begin() + static_cast<std::ptrdiff_t>(random.below(copies.size()));
        values.push_back(*at);
        copies.erase(at);
    }
    return {{"values", values}};
}

std::string message(Json json) { return json.dump(); }

void sit_all(cli::Table& table, Desk& desk, int players) {
    for (int seat = 0; seat < players; ++seat)
        table.said(static_cast<std::uint64_t>(seat), message({{"t", "hello"}, {"token", token_of(seat)}}));
    for (int seat = 0; seat < players; ++seat) table.said(static_cast<std::uint64_t>(seat), message({{"t", "sit"}, {"name", ""}}));
    desk.run();
}

std::vector<Random> random_for_seats(std::uint64_t seed, int players) {
    std::vector<Random> all;
    for (int seat = 0; seat < players; ++seat) all.emplace_back(seed * 64 + static_cast<std::uint64_t>(seat));
    return all;
}

std::optional<int> asked_page(cli::Table& table, Desk& desk, int players) {
    for (;;) {
        bool passed = false;
        for (int seat = 0; seat < players; ++seat) {
            const Json news = desk.last(static_cast<std::uint64_t>(seat), "news");
            if (news.is_null()) continue;
            if (!news["ask"].is_null() && !news["ask"].contains("chosen")) return seat;
            if (news["go"] != true) continue;
            table.said(static_cast<std::uint64_t>(seat), message({{"t", "go"}}));
            desk.run();
            passed = true;
        }
        if (!passed) return std::nullopt;
    }
}

void play_on(cli::Table& table, Desk& desk, int players, std::uint64_t seed, const std::string& name, int most) {
    std::vector<Random> random = random_for_seats(seed, players);
    for (int i = 0; i < most && !table.is_over(); ++i) {
        const auto seat = asked_page(table, desk, players);
        if (!seat) break;
        answer_any(table, desk, *seat, random[static_cast<std::size_t>(*seat)], fmt::format("{}{}", name, i));
    }
}

void answer_any(cli::Table& table, Desk& desk, int seat, Random& random, const std::string& id) {
    const auto page = static_cast<std::uint64_t>(seat);
    const Json question = desk.last(page, "news")["ask"];
    Json move = any_answer(question, random);
    move.update({{"t", "move"}, {"q", question["q"]}, {"id", id}});
    table.said(page, message(move));
    desk.run();
}

std::string read_text(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace houserule::testing
