// Any text as what pages say at a table, a line each: who says it (0 the host, 1 and 2 the seats, 3 who looks on, others have no token),
// then the message, in which $q is the question that page was asked last. A line that begins with h is the Host and the Origin of a
// request. What each page is sent can be read, and its lines come once each and in order.
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/serve/guard.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "interpreter/app/serve/table.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <unistd.h>

namespace {

using namespace houserule;
using cli::Json;

constexpr const char* rules = R"(
game small
players 2 in a circle, clockwise
enum Colour { red, blue }
cards card { colour Colour  number 1..4  1 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone laid of player  row of card     seen by all
zone out             set of card     seen by nobody
fact score of player  0..40 = 0      lasts game  seen by all
setup { put all cards on deck, shuffled  deal 2 from deck to every hand }
play { repeat round until size of deck < 2, at most 3 times }
rule round {
  simultaneously each p {
    p must choose c from p's hand
    put c in p's laid
  }
  each p clockwise from P1: turn(p)
}
rule turn(player p) {
  draw d from deck to p's hand
  p must name b from Colour
  p must choose 0..2 from p's hand as many: put many in out
}
act shout(player p) at any time unless p's score > 2 { p's score becomes p's score + 1 }
ends checked after turn, shout, first of { rich when some p in players where p's score > 2 }
winner = players with most its score, then shared
)";
constexpr std::size_t messages_most = 60;

void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// No network, no clock and no threads: what is to be done is done in the order in which it came.
class Still : public cli::Outside {
public:
    void send(std::uint64_t page, std::string frame) override {
        must(frame.size() <= (std::size_t{1} << 20), "a frame of more than a megabyte");
        const Json read = Json::parse(frame, nullptr, false);
        must(read.is_object() && read.value("t", Json()).is_string(), "a frame that cannot be read");
        if (read["t"] == "you") told[page] = read.at("last");
        if (read["t"] != "news") return;
        must(read.at("from") == told[page], "a line came twice, or was left out");
        told[page] += read.at("lines").size();
        if (read.contains("ask") && read["ask"].is_object()) questions[page] = read["ask"].value("q", "");
    }
    void close(std::uint64_t page) override { closed.push_back(page); }
    void work(std::function<void()> job, std::function<void()> then) override {
        todo_.push_back([job = std::move(job), then = std::move(then)] { job(), then(); });
    }
    void ponder(std::function<void()> job, std::function<void()> then) override { work(std::move(job), std::move(then)); }
    void think(std::function<void()> job, std::function<void()> then) override { work(std::move(job), std::move(then)); }
    void later(std::chrono::milliseconds, std::function<void()> then) override { todo_.push_back(std::move(then)); }

    void run() {
        for (int i = 0; i < 1000 && !todo_.empty(); ++i) {
            const auto next = std::move(todo_.front());
            todo_.pop_front();
            next();
        }
    }

    std::map<std::uint64_t, std::size_t> told;  // lines, by page
    std::map<std::uint64_t, std::string> questions;
    std::deque<std::uint64_t> closed;

private:
    std::deque<std::function<void()>> todo_;
};

// A folder with the rules, gone at the end: in memory where that can be, since a table writes before it tells.
struct Folder {
    Folder() {
        namespace fs = std::filesystem;
        const fs::path base = fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
        path = (base / ("houserule_fuzz_" + std::to_string(getpid()))).string();
        fs::create_directories(path);
        std::ofstream(path + "/small.rules") << rules;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string path;
};

const std::string& folder() {
    static const Folder folder;
    return folder.path;
}

cli::Session session() {
    cli::TableArgs args;
    args.file = folder() + "/small.rules";
    args.players = 2;
    args.seed = 1;
    auto s = cli::begun_session(args, {});
    must(s && cli::seat_people({"1=human", "2=human"}, *s, {}), "the game of the fuzz target cannot be begun");
    s->log_path = folder() + "/game.log";
    return std::move(*s);
}

void ask_guard(std::string_view line) {
    static const cli::Hosts hosts{cli::names_of_this_machine(false, "table.example"), 8080};
    const std::size_t blank = line.find(' ');
    const std::string_view host = line.substr(0, blank);
    const std::string_view origin = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    must(!cli::is_own_page(origin, host, hosts) || cli::is_ours(host, hosts), "a page of another host is let in");
}

void say(cli::Table& table, Still& outside, std::string line) {
    const std::uint64_t page = static_cast<std::uint8_t>(line[0]) - std::uint64_t{'0'};
    line.erase(0, 1);
    if (const std::size_t at = line.find("$q"); at != std::string::npos) line.replace(at, 2, outside.questions[page]);
    table.said(page, line);
    outside.run();
    while (!outside.closed.empty()) {
        table.left(outside.closed.front());
        outside.told.erase(outside.closed.front());
        outside.closed.pop_front();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::map<std::string, std::string> tokens{
        {cli::hash_of("host"), "host"}, {cli::hash_of("seat1"), "1"}, {cli::hash_of("seat2"), "2"}, {cli::hash_of("watch"), "watch"}};
    cli::KeptTable kept;
    kept.folder = folder();
    kept.players = 2;
    kept.names.resize(2);
    kept.tokens = tokens;
    Still outside;
    cli::Table table(session(), kept, {}, cli::TableSettings{{}, "run", [] { return 9; }}, outside, cli::Globals{});
    for (const char* hello : {"0host", "1seat1", "2seat2", "3watch"})
        say(table, outside, std::string(1, *hello) + R"({"t":"hello","token":")" + (hello + 1) + R"("})");
    std::string_view text(reinterpret_cast<const char*>(data), size);
    for (std::size_t i = 0; i < messages_most && !text.empty(); ++i) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.empty()) continue;
        if (line[0] == 'h')
            ask_guard(line.substr(1));
        else
            say(table, outside, std::string(line));
    }
    return 0;
}
