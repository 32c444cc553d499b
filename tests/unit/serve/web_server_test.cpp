// The server with real sockets: who is let in, what malformed peers get, cut connections, and a program that is killed.
#include "interpreter/app/serve/web_server.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "tests/support/program.hpp"
#include "tests/unit/serve/client.hpp"
#include "tests/unit/serve/desk.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace houserule;
using namespace houserule::testing;
using cli::Json;

namespace {

// A server of a game on the loopback, for as long as a test.
class Served {
public:
    Served(const std::string& game, int players, const std::vector<std::string>& seats) {
        cli::Session s = session_of(game, players, 11, seats);
        s.log_path = folder_.path + "/game.log";
        REQUIRE(server.listen(false, 0) == 0);
        table_ =
            std::make_unique<cli::Table>(std::move(s), kept_for_test(folder_.path, players), std::map<std::string, std::string>{},
                                         cli::TableSettings{std::chrono::milliseconds(0), "run", cli::fresh_seed}, server, cli::Globals{});
        thread_ = std::thread([this] { server.run(*table_, {cli::names_of_this_machine(false, "table.example"), server.port()}); });
    }
    ~Served() {
        server.stop();
        thread_.join();
    }
    std::uint16_t port() const { return server.port(); }

    cli::WebServer server;

private:
    Folder folder_;
    std::unique_ptr<cli::Table> table_;
    std::thread thread_;
};

// A page that has said who it is.
std::unique_ptr<Client> page_at(std::uint16_t port, const std::string& token, std::size_t last = 0) {
    auto client = std::make_unique<Client>(port);
    REQUIRE(client->upgrade() == 101);
    client->say({{"t", "hello"}, {"token", token}, {"run", "run"}, {"last", last}});
    return client;
}

std::string get(std::uint16_t port, const std::string& host) {
    Client client(port);
    client.write(fmt::format("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host));
    return client.read();
}

void check_alive(std::uint16_t port) {
    CHECK(get(port, fmt::format("localhost:{}", port)).starts_with("HTTP/1.1 200 "));
    const auto page = page_at(port, token_of(0));
    CHECK(page->hear("you").has_value());
}

constexpr const char* upgrade_head =
    "GET /table HTTP/1.1\r\nHost: localhost:{0}\r\nOrigin: http://localhost:{0}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// A frame as a client sends it, masked with zeros.
std::string framed(unsigned char first, std::string payload, unsigned char masked = 0x80) {
    std::string frame(1, static_cast<char>(first));
    if (payload.size() < 126) {
        frame += static_cast<char>(masked | payload.size());
    } else {
        frame += static_cast<char>(masked | 127);
        for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(std::uint64_t{payload.size()} >> shift);
    }
    return frame + (masked != 0 ? std::string(4, '\0') : "") + payload;
}

}  // namespace

TEST_CASE("of tokens hashes are kept, the same for the same token", "[serve]") {
    // What `mkpasswd -m sha-256` and `openssl passwd -5` give, too.
    CHECK(cli::hash_of("host") == "$5$rounds=1000$houserule$y1pURmsjOwGqLOp4JQ4YpbFCjP1X5rJW3BZnQrp7o9D");
    CHECK(cli::hash_of("host") == cli::hash_of("host"));
    CHECK(cli::hash_of("host") != cli::hash_of("hosT"));
    CHECK(cli::hash_of(std::string(64, 'a')) != cli::hash_of(std::string(63, 'a')));
    CHECK(cli::hash_of(std::string(65, 'a')).empty());
    CHECK(cli::hash_of(std::string("host\0", 5)).empty());
    CHECK(cli::fresh_token().size() == 32);
    CHECK(cli::fresh_token() != cli::fresh_token());
}

TEST_CASE("only pages of the server itself are answered, and only with a token", "[serve]") {
    const Served served("kuhn", 2, {"1=human", "2=random"});
    const std::uint16_t port = served.port();
    const std::string ours = fmt::format("localhost:{}", port);
    const std::map<std::string, bool> hosts = {
        {ours, true},
        {fmt::format("127.0.0.1:{}", port), true},
        {fmt::format("[::1]:{}", port), true},
        {fmt::format("LOCALHOST:{}", port), true},
        {fmt::format("table.example:{}", port), true},
        {"localhost", false},
        {"localhost:1", false},
        {fmt::format("evil.example:{}", port), false},
        {fmt::format("localhost.evil.example:{}", port), false},
        {fmt::format("127.0.0.1.evil.example:{}", port), false},
        {fmt::format("localhost:{}0", port), false},
        {fmt::format("localhost:{}x", port), false},
        {fmt::format("evil@localhost:{}", port), false},
        {fmt::format(":{}", port), false},
        {"[", false},
    };
    for (const auto& [host, good] : hosts) {
        INFO(host);
        CHECK(get(port, host).starts_with(good ? "HTTP/1.1 200 " : "HTTP/1.1 403 "));
        CHECK(Client(port).upgrade({host, "", "/table"}) == (good ? 101 : 403));
    }
    for (const std::string origin : {"-", "null", "https://localhost", "http://evil.example", "http://localhost", "http://127.0.0.1"}) {
        INFO(origin);
        CHECK(Client(port).upgrade({ours, origin, "/table"}) == 403);
    }
    CHECK(Client(port).upgrade({ours, fmt::format("http://127.0.0.1:{}", port), "/table"}) == 403);
    CHECK(Client(port).upgrade({ours, "", "/other"}) == 404);
    {
        Client none(port);
        none.write("GET / HTTP/1.1\r\n\r\n");
        CHECK(none.read().starts_with("HTTP/1.1 403 "));
        Client two(port);
        two.write(fmt::format("GET / HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\n\r\n", ours));
        CHECK_FALSE(two.read().starts_with("HTTP/1.1 200 "));
    }
    for (const Json& token : {Json("no such token"), Json(""), Json(), Json(7), Json(cli::hash_of(token_of(0))),
                              Json(token_of(0) + std::string(1, '\0')), Json(std::string(60'000, 'a'))}) {
        INFO(token.dump());
        Client client(port);
        REQUIRE(client.upgrade() == 101);
        client.say({{"t", "hello"}, {"token", token}});
        CHECK(*client.hear() == Json{{"t", "refused"}, {"why", "token"}});
        CHECK_FALSE(client.hear());
    }
    for (const char* type : {"move", "start", "sit", "hint"}) {
        Client client(port);
        REQUIRE(client.upgrade() == 101);
        client.say({{"t", type}});
        CHECK(*client.hear() == Json{{"t", "refused"}, {"why", "token"}});
        CHECK_FALSE(client.hear());
    }
    // Neither a seat nor who looks on does what the host does.
    for (const std::string& token : {token_of(0), std::string("watch")}) {
        const auto page = page_at(port, token);
        for (const char* type : {"start", "seat", "relink"}) {
            page->say({{"t", type}, {"seat", 0}, {"who", "random"}});
            CHECK((*page->hear("refused"))["why"] == "malformed");
        }
    }
    const std::string answer = get(port, ours);
    CHECK(answer.find("default-src 'none'; connect-src 'self'") != std::string::npos);
    CHECK(answer.find("script-src 'sha256-") != std::string::npos);
    for (const char* never : {"unsafe", "Set-Cookie"}) CHECK(answer.find(never) == std::string::npos);
    check_alive(port);
}

TEST_CASE("of 30 combinations of Host, Origin and token one opens a seat under each good name", "[serve]") {
    const Served served("kuhn", 2, {"1=human", "2=random"});
    const std::uint16_t port = served.port();
    const auto at_port = [&](const char* name) { return fmt::format("{}:{}", name, port); };
    int opened = 0;
    int tried = 0;
    for (const std::string& host : {at_port("localhost"), at_port("table.example"), at_port("evil.example")}) {
        for (const std::string& origin : {"http://" + host, "http://" + at_port("127.0.0.1"), std::string("http://evil.example"),
                                          std::string("null"), std::string("-")}) {
            for (const std::string& token : {token_of(0), std::string("no such token")}) {
                INFO(host << ", " << origin << ", " << token);
                ++tried;
                const bool ours = host.find("evil") == std::string::npos && origin == "http://" + host;
                Client client(port);
                REQUIRE(client.upgrade({host, origin, "/table"}) == (ours ? 101 : 403));
                if (!ours) continue;
                client.say({{"t", "hello"}, {"token", token}});
                const auto first = client.hear();
                REQUIRE(first);
                CHECK((*first)["t"] == (token == token_of(0) ? "you" : "refused"));
                opened += (*first)["t"] == "you" ? 1 : 0;
            }
        }
    }
    CHECK(tried == 30);
    CHECK(opened == 2);
}

namespace {

// The bytes with some of them changed, left out, doubled or cut off.
std::string spoiled(std::string bytes, Random& random) {
    for (std::uint64_t n = 1 + random.below(4); n > 0 && !bytes.empty(); --n) {
        const std::size_t at = random.below(bytes.size());
        switch (random.below(5)) {
            case 0:
                bytes[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                bytes.erase(at, 1 + random.below(8));
                break;
            case 2:
                bytes.insert(at, bytes.substr(at / 2, 1 + random.below(40)));
                break;
            case 3:
                bytes.insert(at, std::string(1 + random.below(300), static_cast<char>(random.below(256))));
                break;
            default:
                bytes.resize(at);
        }
    }
    return bytes;
}

// Requests and frames that are almost good.
void send_spoiled(int requests, std::uint64_t seed) {
    const Served served("kuhn", 2, {"1=human", "2=random"});
    const std::uint16_t port = served.port();
    Random random(seed);
    const std::string get_head =
        fmt::format("GET /licences.txt?x=1 HTTP/1.1\r\nHost: localhost:{}\r\nAccept: */*\r\nContent-Length: 0\r\n\r\n", port);
    const std::string upgrade = fmt::format(fmt::runtime(upgrade_head), port);
    const std::string hello = framed(0x81, Json{{"t", "hello"}, {"token", token_of(0)}}.dump());
    for (int i = 0; i < requests; ++i) {
        Client client(port);
        switch (random.below(3)) {
            case 0:
                client.write(spoiled(get_head, random));
                break;
            case 1:
                client.write(spoiled(upgrade, random) + hello);
                break;
            default:
                client.write(upgrade + hello +
                             spoiled(framed(0x81, R"({"t":"sit","name":"x"})") + framed(0x89, "ping") + framed(0x88, ""), random));
        }
        if (i % 100 == 99) check_alive(port);
    }
    check_alive(port);
}

}  // namespace

TEST_CASE("requests and frames that are almost good do the server no harm", "[serve]") { send_spoiled(300, 17); }

TEST_CASE("very many requests and frames that are almost good do the server no harm", "[.long][serve]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) send_spoiled(1'000, seed);
}

TEST_CASE("a peer that answers no ping is closed", "[.long][serve]") {
    const Served served("kuhn", 2, {"1=human", "2=random"});
    Client silent(served.port());
    silent.write(fmt::format(fmt::runtime(upgrade_head), served.port()));
    CHECK(silent.read(1).starts_with("HTTP/1.1 101 "));
    const auto begun = std::chrono::steady_clock::now();
    CHECK(silent.read() == std::string("\x89\0", 2));  // a ping, and then no more
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(40));
    check_alive(served.port());
}

TEST_CASE("malformed and hostile peers are closed, and the server lives", "[serve]") {
    const Served served("kuhn", 2, {"1=human", "2=random"});
    const std::uint16_t port = served.port();
    Client slow(port);  // half a header
    slow.write("GET / HTTP/1.1\r\nHost: loc");
    const std::string huge_length = std::string("\x81\xff\x40\0\0\0\0\0\0\0", 10) + std::string(4, '\0');
    const std::map<std::string, std::string> frames = {
        {"unmasked", framed(0x81, "{}", 0)},
        {"reserved opcode", framed(0x83, "{}")},
        {"reserved bit", framed(0xC1, "{}")},
        {"fragmented control", framed(0x09, "")},
        {"long ping", framed(0x89, std::string(200, 'x'))},
        {"lone continuation", framed(0x80, "{}")},
        {"length of 2^62", huge_length},
        {"100 kB", framed(0x81, std::string(100'000, ' '))},
        {"bad UTF-8", framed(0x81, "\xff\xfe")},
        {"binary", framed(0x82, "{}")},
        {"fragments without an end", framed(0x01, std::string(40'000, ' ')) + framed(0x00, std::string(40'000, ' '))},
    };
    for (const auto& [name, bytes] : frames) {
        INFO(name);
        Client client(port);
        client.write(fmt::format(fmt::runtime(upgrade_head), port));
        CHECK(client.read(1).starts_with("HTTP/1.1 101 "));
        const auto begun = std::chrono::steady_clock::now();
        client.write(bytes);
        client.read();
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
    }
    CHECK(slow.read().empty());
    check_alive(port);
}

TEST_CASE("malformed requests and messages are refused, and the server lives", "[serve]") {
    Served served("kuhn", 2, {"1=human", "2=random"});
    const std::uint16_t port = served.port();
    const std::vector<std::string> heads = {
        "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n",
        "\r\n\r\n\r\n",
        std::string(2'000, '\0'),
        fmt::format("POST / HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: 1000000\r\n\r\n", port),
        fmt::format("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", port),
        fmt::format("GET /table.json HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", port),
    };
    for (const std::string& head : heads) {
        INFO(head.substr(0, 60));
        Client client(port);
        client.write(head);
        CHECK_FALSE(client.read().starts_with("HTTP/1.1 200 "));
    }
    for (const char* text :
         {"", "null", "[]", "7", "{", "{\"t\":7}", "{\"t\":\"move\"}", "{\"t\":\"hello\"}", "{\"t\":\"move\",\"id\":{}}"}) {
        INFO(text);
        const auto page = page_at(port, token_of(0));
        REQUIRE(page->hear("table"));
        page->write(framed(0x81, text));
        CHECK(page->hear("refused").has_value());
    }
    {
        const auto chatty = page_at(port, token_of(0));
        for (int i = 0; i < 200; ++i) chatty->say({{"t", "nothing"}});
        int answers = 0;
        while (chatty->hear()) ++answers;
        CHECK(answers < 100);
    }
    {
        const auto reader = page_at(port, token_of(0));
        REQUIRE(reader->hear("you"));
        cli::WebServer& server = served.server;
        server.work([] {},
                    [&server] {
                        for (std::uint64_t page = 1; page < 200; ++page)
                            for (int i = 0; i < 5; ++i) server.send(page, Json(std::string(cli::queue_most / 4, 'x')).dump());
                    });
        while (reader->hear()) {
        }
    }
    check_alive(port);
}

namespace {

// What a page was told, however often it was cut.
struct Heard {
    std::vector<Json> lines;
    Json ask;
    bool over = false;

    // Takes a frame in; it must go on where the last one ended.
    void take(const Json& frame) {
        if (frame["t"] == "table") over = frame["phase"] == "over";
        if (frame["t"] != "news") return;
        REQUIRE(frame["from"] == lines.size());
        for (const Json& line : frame["lines"]) lines.push_back(line);
        ask = frame["ask"];
    }
};

}  // namespace

namespace {

// A game at a page that is cut at random; how often it was.
int cuts_of_a_game(std::uint64_t seed) {
    const Served served("leduc", 2, {"1=human", "2=random"});
    Random random(seed);
    Heard told;
    auto page = page_at(served.port(), token_of(0));
    page->say({{"t", "sit"}, {"name", "Ana"}});
    int cuts = 0;
    for (int move = 0; move < 400; ++move) {
        const auto frame = page->hear();
        REQUIRE(frame);
        told.take(*frame);
        if (told.over && (*frame)["t"] == "news") break;
        Json answer;
        if (!told.ask.is_null()) {
            answer = any_answer(told.ask, random);
            answer.update({{"t", "move"}, {"q", told.ask["q"]}, {"id", fmt::format("{}", told.ask["q"].get<std::string>())}});
            page->say(answer);
        }
        if (random.below(2) != 0) continue;
        page = page_at(served.port(), token_of(0), told.lines.size());
        ++cuts;
        if (!answer.is_null()) page->say(answer);  // perhaps for the second time
    }
    REQUIRE(told.over);
    const auto fresh = page_at(served.port(), token_of(0));
    Heard whole;
    while (whole.lines.size() < told.lines.size()) whole.take(*fresh->hear());
    CHECK(whole.lines == told.lines);
    return cuts;
}

}  // namespace

TEST_CASE("a page that is cut again and again is told everything once", "[serve]") { CHECK(cuts_of_a_game(5) > 5); }

TEST_CASE("a page that is cut 1,000 times is told everything once", "[.long][serve]") {
    int cuts = 0;
    for (std::uint64_t seed = 100; cuts < 1'000; ++seed) cuts += cuts_of_a_game(seed);
    CHECK(cuts >= 1'000);
}

namespace {

// The program as a server of its own; it prints to a file.
struct OwnServer {
    OwnServer(const std::string& folder, std::uint16_t port,
              const std::vector<std::string>& game = {"leduc", "--players", "2", "--seat", "2=random", "--seed", "3", "--pace", "0"})
        : printed(fresh(folder + "/printed")),
          program(joined({"--lang", "en", "serve", "--port", std::to_string(port), "--dir", folder}, game),
                  [this] { ::dup2(::open(printed.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO); }) {
        for (int i = 0; i < 6'000 && text().find("is kept in") == std::string::npos; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    static std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    static std::string fresh(const std::string& path) {
        std::filesystem::remove(path);
        return path;
    }
    std::string text() const {
        std::ostringstream all;
        all << std::ifstream(printed).rdbuf();
        return all.str();
    }
    std::uint16_t port() const {
        const std::string all = text();
        const auto at = all.find("localhost:");
        REQUIRE(at != std::string::npos);
        return static_cast<std::uint16_t>(std::stoi(all.substr(at + 10)));
    }
    std::string token(const std::string& kind) const {
        const std::string all = text();
        const auto at = all.find("#" + kind + "=");
        return at == std::string::npos ? "" : all.substr(at + kind.size() + 2, 32);
    }

    std::string printed;
    Program program;
};

}  // namespace

namespace {

// Kills so many servers, each after some moves or, with `any_time`, at any time after one. How many lines were compared.
std::size_t killed(int rounds, std::uint64_t seed, bool any_time) {
    Random random(seed);
    std::size_t compared = 0;
    for (int round = 0; round < rounds; ++round) {
        const Folder folder;
        std::string token;
        Heard told;
        {
            OwnServer server(folder.path, 0);
            token = server.token("seat");
            Client page(server.port());
            REQUIRE(page.upgrade() == 101);
            page.say({{"t", "hello"}, {"token", token}});
            page.say({{"t", "sit"}, {"name", ""}});
            const std::uint64_t moves = random.below(5);
            for (std::uint64_t move = 0; move <= moves && !told.over;) {
                const auto frame = page.hear();
                REQUIRE(frame);
                told.take(*frame);
                if (told.ask.is_null()) continue;
                Json answer = any_answer(told.ask, random);
                answer.update({{"t", "move"}, {"q", told.ask["q"]}, {"id", std::to_string(move++)}});
                page.say(answer);
                told.ask = nullptr;
            }
            if (any_time) std::this_thread::sleep_for(std::chrono::microseconds(random.below(4'000)));
            server.program.kill_it();
            for (auto frame = page.hear(); frame; frame = page.hear()) told.take(*frame);
            server.program.wait(60);
        }
        OwnServer again(folder.path, 0);
        Client page(again.port());
        REQUIRE(page.upgrade() == 101);
        page.say({{"t", "hello"}, {"token", token}});  // the link is still good
        Heard after;
        for (bool is_told = false; !is_told;) {
            const auto frame = page.hear();
            REQUIRE(frame);
            after.take(*frame);
            is_told = (*frame)["t"] == "news" && (after.over || !after.ask.is_null());
        }
        // Deals that came one by one are one line when all is told at once: compared as one text without counts.
        CHECK(after.lines.size() + 4 >= told.lines.size());
        for (const Json& line : told.lines) {
            const bool there = std::ranges::find(after.lines, line) != after.lines.end();
            CAPTURE(line.dump(), Json(after.lines).dump());
            CHECK(there);
            ++compared;
        }
        again.program.interrupt();
        CHECK(again.program.wait(60).code == 130);
    }
    return compared;
}

}  // namespace

TEST_CASE("who was told something finds it in the log after the server was killed", "[serve]") { CHECK(killed(6, 8, false) > 20); }

TEST_CASE("who was told something finds it in the log after 200 servers were killed at any time", "[.long][serve]") {
    CHECK(killed(200, 80, true) > 600);
}

namespace {

// Says who the page is and answers until the frame `enough` says so.
void play_until(Client& page, const std::string& token, Random& random, const std::function<bool(const Json&, const Heard&)>& enough) {
    REQUIRE(page.upgrade() == 101);
    page.say({{"t", "hello"}, {"token", token}});
    page.say({{"t", "sit"}, {"name", "Ana"}});
    Heard told;
    for (int i = 0; i < 1'000; ++i) {
        const auto frame = page.hear();
        REQUIRE(frame);
        if ((*frame)["t"] == "you") told.lines.clear();
        told.take(*frame);
        if (enough(*frame, told)) return;
        if (told.ask.is_null()) continue;
        Json answer = any_answer(told.ask, random);
        answer.update({{"t", "move"}, {"q", told.ask["q"]}, {"id", told.ask["q"]}});
        page.say(answer);
        told.ask = nullptr;
    }
    FAIL("too many frames");
}

}  // namespace

TEST_CASE("after a restart the rematch goes on, and its end stays the end", "[serve]") {
    const Folder folder;
    Random random(21);
    std::string token;
    {
        OwnServer server(folder.path, 0);
        token = server.token("seat");
        Client page(server.port());
        play_until(page, token, random, [](const Json&, const Heard& h) { return h.over; });
        page.say({{"t", "again"}});
        for (bool asked = false; !asked;) {
            const auto frame = page.hear("news");
            REQUIRE(frame);
            asked = !(*frame)["ask"].is_null();
        }
        server.program.kill_it();
        server.program.wait(60);
    }
    for (int restart = 0; restart < 2; ++restart) {
        OwnServer server(folder.path, 0);
        Client page(server.port());
        bool named = false;
        play_until(page, token, random, [&](const Json& frame, const Heard& h) {
            if (frame["t"] == "table") named = frame["seats"][0]["n"] == "Ana";
            return h.over;
        });
        CHECK(named);
        server.program.interrupt();
        CHECK(server.program.wait(60).code == 130);
        CHECK(run_program({"replay", folder.path + "/game.log"}).code == 0);
        CHECK(run_program({"replay", folder.path + "/game-2.log"}).code == 0);
        CHECK_FALSE(std::filesystem::exists(folder.path + "/game-3.log"));
    }
}

TEST_CASE("a second server on a table, a port in use and other rules are refused", "[serve]") {
    const Folder folder;
    OwnServer first(folder.path, 0);
    const auto serve = [&](const std::string& game, const std::string& dir, std::uint16_t port) {
        return run_program({"--lang", "en", "serve", game, "--players", "2", "--dir", dir, "--port", std::to_string(port)});
    };
    const Ended second = serve("leduc", folder.path, 0);
    CHECK(second.code == 2);
    CHECK(second.err.find("another server has this table") != std::string::npos);
    const Folder other;
    const Ended taken = serve("leduc", other.path, first.port());
    CHECK(taken.code == 2);
    CHECK(taken.err.find("cannot be used: another program has it") != std::string::npos);
    CHECK(serve("no_such_game", other.path + "/deeper/still", 0).code == 2);
    CHECK_FALSE(std::filesystem::exists(other.path + "/deeper"));
    std::ofstream(other.path + "/mine") << "kept";
    CHECK(serve("no_such_game", other.path + "/", 0).code == 2);
    CHECK(std::filesystem::exists(other.path + "/mine"));
    const Ended rules = serve("kuhn", other.path, 0);
    CHECK(rules.code == 2);
    CHECK(rules.err.find("has other rules") != std::string::npos);
    first.program.interrupt();
    first.program.wait(60);
}

TEST_CASE("a pause lasts longer where people may act when they want to, unless it was said how long", "[serve]") {
    const std::vector<std::pair<std::vector<std::string>, int>> all = {
        {{"kuhn"}, 1'000}, {{"cogito"}, 3'000}, {{"cogito", "--pace", "0.5"}, 500}};
    for (const auto& [game, pace] : all) {
        const Folder folder;
        OwnServer server(folder.path, 0, game);
        const auto page = page_at(server.port(), server.token("seat"));
        const auto table = page->hear("table");
        REQUIRE(table);
        CHECK((*table)["pace"] == pace);
        server.program.interrupt();
        server.program.wait(60);
    }
}

TEST_CASE("a move that cannot be written is refused, and nothing is lost", "[serve]") {
    const Folder folder;
    namespace fs = std::filesystem;
    const fs::path link = folder.path + "/game.log";
    cli::Session s = session_of("leduc", 2, 3, {"1=human", "2=random"});
    s.log_path = link.string();
    Desk desk;
    cli::Table table(std::move(s), kept_for_test(folder.path, 2), {}, {std::chrono::milliseconds(0), "run", cli::fresh_seed}, desk, {});
    table.said(0, message({{"t", "hello"}, {"token", token_of(0)}}));
    table.said(0, message({{"t", "sit"}, {"name", ""}}));
    desk.run();
    Random random(4);
    int refused = 0;
    for (int number = 0; !table.is_over() && number < 50; ++number) {
        const Json news = desk.last(0, "news");
        REQUIRE_FALSE(news["ask"].is_null());
        Json move = any_answer(news["ask"], random);
        move.update({{"t", "move"}, {"q", news["ask"]["q"]}, {"id", fmt::format("{} a", number)}});
        const fs::path aside = folder.path + "/aside.log";
        fs::rename(link, aside);
        fs::create_symlink("/dev/full", link);
        const std::size_t lines = desk.lines(0).size();
        table.said(0, message(move));
        desk.run();
        CHECK(desk.last(0, "refused")["why"] == "unsaved");
        CHECK(desk.lines(0).size() == lines);
        ++refused;
        fs::remove(link);
        fs::rename(aside, link);
        const Json again = desk.last(0, "news");
        REQUIRE_FALSE(again["ask"].is_null());
        CHECK(again["ask"]["prompt"] == news["ask"]["prompt"]);
        move.update({{"q", again["ask"]["q"]}, {"id", fmt::format("{} b", number)}});
        table.said(0, message(move));
        desk.run();
        CHECK(desk.last(0, "done")["id"] == fmt::format("{} b", number));
    }
    CHECK(table.is_over());
    CHECK(refused >= 2);
    CHECK(run_program({"replay", link.string()}).code == 0);
}
