// A disk that is full: what cannot be written has not happened, for whoever wanted it and for all others, and is done once there is room.
#include "interpreter/app/play/begin_session.hpp"
#include "tests/unit/serve/desk.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/resource.h>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

constexpr std::uint64_t the_host = 11;
constexpr int offsets = 20;

// While it lives no file can become longer than that.
class FullDisk {
public:
    explicit FullDisk(rlim_t most) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{most, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signal_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit before_{};
    void (*signal_)(int);
};

struct Kuhn : TableAtDesk {
    Kuhn() {
        cli::Session s = session_of("kuhn", 2, 5, {"1=human", "2=human"});
        s.log_path = folder.path + "/game.log";
        cli::KeptTable kept = kept_for_test(folder.path, 2);
        REQUIRE(cli::write_table(kept, {}));
        table =
            std::make_unique<cli::Table>(std::move(s), std::move(kept), std::map<std::string, std::string>{},
                                         cli::TableSettings{std::chrono::milliseconds(0), "run", [] { return 9; }}, desk, cli::Globals{});
        for (const auto& [page, token] : std::map<std::uint64_t, std::string>{{0, token_of(0)}, {1, token_of(1)}, {the_host, "host"}})
            say(page, {{"t", "hello"}, {"token", token}});
    }
    // What all pages last heard of the table and of the game, but for the numbers of questions.
    std::string told() const {
        std::string all;
        for (const std::uint64_t page : {std::uint64_t{0}, std::uint64_t{1}, the_host}) {
            Json table_now = desk.last(page, "table");
            Json news = desk.last(page, "news");
            if (!news.is_null() && !news["ask"].is_null()) news["ask"].erase("q");
            if (!news.is_null()) news.erase("from"), news.erase("lines");
            all += table_now.dump() + news.dump() + desk.last(page, "host").dump() + "\n";
        }
        return all;
    }
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto& file : std::filesystem::directory_iterator(folder.path))
            all[file.path().filename().string()] = read_text(file.path().string());
        return all;
    }
    // What is wanted with a disk that is full after so many bytes, then with one that is not.
    void want(std::uint64_t page, const std::function<Json()>& what, const std::string& file = "/table.json") {
        const auto length = std::filesystem::file_size(folder.path + file);
        for (int i = 0; i < offsets; ++i) {
            const std::string before = told();
            const auto kept = files();
            const Json wanted = what();
            CAPTURE(wanted.dump(), i);
            const std::size_t heard = desk.sent[page].size();
            {
                const FullDisk full(length * i / offsets);
                say(page, wanted);
            }
            std::string refused;
            for (std::size_t at = heard; at < desk.sent[page].size(); ++at)
                if (const Json frame = Json::parse(desk.sent[page][at].frame); frame["t"] == "refused") refused = frame["why"];
            CHECK(refused == "unsaved");
            CHECK(told() == before);
            // The log of a game that was not begun may be there: nothing knows of it.
            auto now = files();
            for (const auto& [name, text] : kept) CHECK(now[name] == text);
        }
        const auto kept = files();
        say(page, what());
        CHECK(files() != kept);
    }
    Json move() const {
        const Json ask = desk.last(mover(), "news")["ask"];
        return {{"t", "move"}, {"q", ask["q"]}, {"id", fmt::format("{}", ask["q"].get<std::string>())}, {"m", ask["options"][0]["m"]}};
    }
    std::uint64_t mover() const { return desk.last(0, "news")["ask"].is_null() ? 1 : 0; }
};

}  // namespace

TEST_CASE("on a full disk nobody sits, moves, takes back, and no host changes anything", "[serve]") {
    Kuhn t;
    t.want(the_host, [] { return Json{{"t", "set"}, {"hints", true}, {"hints_shown", true}}; });
    t.want(0, [] { return Json{{"t", "sit"}, {"name", "Ana"}}; });
    t.want(the_host, [] { return Json{{"t", "seat"}, {"seat", 1}, {"who", "random"}}; });
    t.want(the_host, [] { return Json{{"t", "seat"}, {"seat", 1}, {"who", "human"}}; });
    // The last who sits down begins the game.
    t.want(1, [] { return Json{{"t", "sit"}, {"name", "Ben"}}; });
    REQUIRE(t.desk.last(0, "table")["phase"] == "playing");
    const std::uint64_t first = t.mover();
    t.want(
        first, [&] { return t.move(); }, "/game.log");
    REQUIRE(t.mover() != first);
    // Taken back: the first agrees by wanting it.
    t.say(first, {{"t", "undo"}});
    REQUIRE_FALSE(t.desk.last(0, "table")["back"].is_null());
    {
        const auto kept = t.files();
        for (int i = 0; i < offsets; ++i) {
            const std::string before = t.told();
            {
                const FullDisk full(kept.at("table.json").size() * i / offsets);
                t.say(1 - first, {{"t", "agree"}, {"on", true}});
            }
            CHECK(t.desk.last(1 - first, "refused")["why"] == "unsaved");
            CHECK(t.files() == kept);
            // It is wanted anew.
            t.say(first, {{"t", "undo"}});
            CHECK(t.told() == before);
        }
        t.say(1 - first, {{"t", "agree"}, {"on", true}});
        CHECK(t.files() != kept);
        CHECK(t.mover() == first);
    }
    t.say(first, t.move());
    // Away, played on, and back.
    t.table->left(1 - first);
    t.say(1 - first, {{"t", "hello"}, {"token", token_of(static_cast<int>(1 - first))}});
    t.want(the_host, [&] { return Json{{"t", "relink"}, {"seat", first}}; });
    t.want(the_host, [&] { return Json{{"t", "end"}}; });
    REQUIRE(t.table->is_over());
    t.want(the_host, [] { return Json{{"t", "start"}}; });
    CHECK(t.desk.last(1 - first, "table")["phase"] == "playing");
    t.want(the_host, [&] { return Json{{"t", "seat"}, {"seat", first}, {"who", "random"}}; });
    t.want(the_host, [&] { return Json{{"t", "hand"}, {"seat", 1 - first}}; });
    CHECK_FALSE(t.desk.last(1 - first, "handed").is_null());
}
