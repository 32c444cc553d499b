// A server that is killed before each of its steps in turn: between writing a file, bringing it to disk, naming it and telling each page.
// Nobody was told what is not on disk, and the table goes on.
//
// The calls of the system that make those steps are counted here: what this program defines itself is called in their place.
#include "interpreter/app/play/begin_session.hpp"
#include "tests/support/rules.hpp"
#include "tests/unit/serve/desk.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

long steps_left = 0;  // until this process is killed; 0: it lives

bool is_last_step() { return steps_left > 0 && --steps_left == 0; }
void die() { ::kill(::getpid(), SIGKILL); }

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count) {
    if (is_last_step()) {
        ::syscall(SYS_write, file, bytes, count / 2);
        die();
    }
    return ::syscall(SYS_write, file, bytes, count);
}

int fsync(int file) {
    if (is_last_step()) die();
    return static_cast<int>(::syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) noexcept {
    if (is_last_step()) die();
    return ::renameat(AT_FDCWD, from, AT_FDCWD, to);
}

}  // extern "C"

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr int both_seats = 2;
constexpr std::size_t lines_of_decision = 2;  // what is chosen, and what is said of it

// Pages far away: what they are told goes into a pipe, a step each.
class FarDesk : public Desk {
public:
    explicit FarDesk(int pipe) : pipe_(pipe) {}
    void send(std::uint64_t page, std::string frame) override {
        const std::string line = fmt::format("{} {}\n", page, frame);
        ::write(pipe_, line.data(), line.size());
        Desk::send(page, std::move(frame));
    }

private:
    int pipe_;
};

// What the pages heard, whole frames alone.
struct HeardSoFar {
    std::map<std::uint64_t, std::vector<Json>> lines;
    std::map<std::uint64_t, std::string> run;
    std::vector<std::string> names;
    bool is_over = false;

    void take(const std::string& text) {
        const std::size_t space = text.find(' ');
        const std::uint64_t page = std::stoul(text);
        const Json frame = Json::parse(text.substr(space + 1));
        if (frame["t"] == "you") {
            if (run[page] != frame["run"].get<std::string>()) lines[page].clear(), is_over = false;
            run[page] = frame["run"];
        }
        if (frame["t"] == "news") {
            lines[page].resize(frame["from"].get<std::size_t>());
            for (const Json& line : frame["lines"]) lines[page].push_back(line);
        }
        if (frame["t"] != "table") return;
        is_over = is_over || frame["phase"] == "over";
        names.clear();
        for (const Json& seat : frame["seats"]) names.push_back(seat["n"]);
    }
};

cli::KeptTable new_table(const std::string& folder) {
    cli::KeptTable kept = kept_for_test(folder, both_seats);
    kept.rules = rules_file("kuhn").string();
    kept.seed = 5;
    kept.seats = {"human", "human"};
    kept.stands_in = {false, false};
    return kept;
}

const cli::TableSettings plain_settings{std::chrono::milliseconds(0), "run", [] { return 9; }};

// What the server does until it is killed: people sit down, play a game, take a decision back if that is wanted, and play another.
void serve(const std::string& folder, int pipe, bool takes_back) {
    FarDesk desk(pipe);
    cli::Session s = session_of("kuhn", both_seats, 5, {"1=human", "2=human"});
    cli::KeptTable kept = new_table(folder);
    s.log_path = kept.log();
    cli::Table table(std::move(s), std::move(kept), {}, plain_settings, desk, {});
    const auto say = [&](int page, const Json& what) {
        table.said(static_cast<std::uint64_t>(page), message(what));
        desk.run();
    };
    for (int page = 0; page < both_seats; ++page) say(page, {{"t", "hello"}, {"token", token_of(page)}});
    for (int page = 0; page < both_seats; ++page) say(page, {{"t", "sit"}, {"name", page == 0 ? "Ana" : "Ben"}});
    play_on(table, desk, both_seats, 3, "first", 1);
    if (takes_back) {
        const int last = desk.last(0, "news")["ask"].is_null() ? 0 : 1;
        say(last, {{"t", "undo"}});
        say(1 - last, {{"t", "agree"}});
    }
    play_on(table, desk, both_seats, 4, "more");
    for (int page = 0; page < both_seats; ++page) say(page, {{"t", "again"}});
    play_on(table, desk, both_seats, 6, "again", 1);
}

// Forks a server that dies before that step. What was told, and whether it died.
bool killed_before(long step, const std::string& folder, bool takes_back, HeardSoFar& told) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t server = ::fork();
    REQUIRE(server >= 0);
    if (server == 0) {
        ::close(ends[0]);
        steps_left = step;
        try {
            serve(folder, ends[1], takes_back);
        } catch (...) {
            ::_exit(3);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string all;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;) all.append(buffer.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(server, &status, 0) == server);
    const bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    CHECK((is_killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0)));
    for (std::size_t at = 0, end = 0; (end = all.find('\n', at)) != std::string::npos; at = end + 1) told.take(all.substr(at, end - at));
    return is_killed;
}

// Goes on with what stands on disk: all that was told is there, and the game comes to its end.
void check_goes_on(const std::string& folder, const HeardSoFar& told) {
    const auto kept = cli::read_table(folder, {});
    REQUIRE(kept);
    for (std::size_t seat = 0; seat < told.names.size(); ++seat)
        if (!told.names[seat].empty()) CHECK(kept->names[seat] == told.names[seat]);
    cli::TableArgs args;
    args.file = kept->begun ? kept->log() : kept->rules;
    args.rules = kept->begun ? kept->rules : "";
    args.players = both_seats;
    args.seed = kept->seed;
    int code = 0;
    auto session = kept->begun ? cli::resumed_session(args, {}, code) : cli::begun_session(args, {});
    REQUIRE(session);
    for (int seat = 0; seat < both_seats; ++seat) cli::seat(*session, seat, "human");
    session->log_path = kept->log();
    const int game = kept->game;
    const bool begun = kept->begun;
    Desk desk;
    cli::Table table(std::move(*session), *kept, {}, {std::chrono::milliseconds(0), "after", [] { return 9; }}, desk, {});
    if (begun) table.resume();
    sit_all(table, desk, both_seats);
    for (const auto& [page, lines] : told.lines) {
        // Who heard of the next game, finds it; who has not, saw the one before.
        const int heard = told.run.at(page) == "run" ? 1 : 2;
        CHECK(heard <= game);
        if (heard < game || lines.empty()) continue;
        REQUIRE(begun);
        const std::vector<Json> now = desk.lines(page);
        const auto is_back = [](const Json& line) { return line.contains("back"); };
        const bool was_taken_back = std::ranges::any_of(now, is_back);
        if (std::ranges::any_of(lines, is_back)) CHECK(was_taken_back);
        std::size_t missing = 0;
        for (const Json& line : lines) missing += std::ranges::find(now, line) == now.end() ? 1 : 0;
        CAPTURE(Json(lines).dump(), Json(now).dump());
        // What all agreed to take back alone is no more there.
        CHECK(missing <= (was_taken_back ? lines_of_decision : 0U));
    }
    if (told.is_over && game == 1) CHECK(table.is_over());
    play_on(table, desk, both_seats, 8, "on");
    CHECK(table.is_over());
}

// Kills it before each step until none is left. How many steps there were.
long kill_before_each(bool takes_back) {
    long step = 1;
    for (bool is_killed = true; is_killed && step < 2'000; ++step) {
        CAPTURE(step, takes_back);
        const Folder folder;
        REQUIRE(cli::write_table(new_table(folder.path), {}));
        HeardSoFar told;
        is_killed = killed_before(step, folder.path, takes_back, told);
        check_goes_on(folder.path, told);
    }
    return step - 2;
}

}  // namespace

TEST_CASE("whenever a server is killed, nobody was told what is not on disk, and the table goes on", "[serve]") {
    const long plain = kill_before_each(false);
    const long with_one_back = kill_before_each(true);
    CHECK(plain > 60);
    CHECK(with_one_back > plain);
}
