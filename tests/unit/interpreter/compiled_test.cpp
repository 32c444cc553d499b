// Compiled games against the interpreter, what their text holds, and a folder of compiled games to which everything happens.
#include "interpreter/compiled/cache.hpp"
#include "interpreter/compiled/compiler.hpp"
#include "tests/support/compiled_sides.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <thread>

#include <unistd.h>

using namespace houserule;
using namespace houserule::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t games_a_text = 24;
constexpr std::uint64_t games_a_machine = 40;

// A folder of its own that goes when the test does.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "compiled_test.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const fs::path& path() const { return path_; }
    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        for (const auto& entry : fs::directory_iterator(path_)) all.push_back(entry.path());
        return all;
    }
    // A program that does as the shell says; the library is to be made at $out.
    std::string compiler(const std::string& shell) const {
        const fs::path script = path_ / "compiler";
        std::ofstream(script) << "#!/bin/sh\nwhile [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then out=$2; fi; shift; done\n" << shell << "\n";
        fs::permissions(script, fs::perms::owner_all);
        return script.string();
    }

private:
    fs::path path_;
};

CompilerSetting quick_setting(const fs::path& folder) {
    CompilerSetting setting;
    setting.command = {HOUSERULE_COMPILER};
    setting.flags = {"-O0"};
    setting.folder = folder;
    return setting;
}

std::shared_ptr<const Machine> kuhn() { return machine_of(read_rules(rules_file("kuhn")), {2, {}}); }

void require_plays(const Compiled& compiled) {
    INFO(compiled.detail);
    REQUIRE(compiled.why == NotCompiled::no);
    CHECK(compare_sides(kuhn(), compiled.game(), 20, 1).difference.empty());
}

// A game whose names are these.
std::string text_with(const std::vector<std::string>& names) {
    std::string rules =
        "game $0\nplayers 2 in a circle, clockwise\nenum $9 { $5, $6 }\ncards $1 { $2 1..2   1 of each }\n"
        "zone $3 stack of $1 seen by nobody\nzone $4 of $9 set of $1 seen by all\n"
        "fact $7 0..3 = 0 lasts game seen by all\nsetup { put all $1 on $3, shuffled   deal 1 from $3 to every $4 }\n"
        "play { $8(P1) }\nrule $8(player p) { p must choose n from 1..3\n  $7 becomes n\n  p may do_$0 { show $5's $4 to all   end over_$0 "
        "} }\n"
        "end over_$0 { $7 becomes 1 }\nwinner = players where some c in $5's $4 where c's $2 is 1, then shared\n";
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t at = 0; (at = rules.find("$" + std::to_string(i))) != std::string::npos;) rules.replace(at, 2, names[i]);
    return emit(machine_of(parse_rules("odd", {rules}), {2, {}})).text;
}

// Of a file: with every number of players the first options and readings, and with the smallest all of them.
bool is_in_share(const Machine& machine, std::set<std::string>& seen) {
    std::string options;
    for (const OptionValue& o : machine.game.options) options += o.name + "=" + o.value + " ";
    const bool first_with_players = seen.insert(machine.game.name + std::to_string(machine.game.players)).second;
    return seen.insert(machine.game.name + " " + options).second || first_with_players;
}

// Plays games of every machine that `takes` takes, compiled and interpreted.
void compare_all(const std::function<bool(const Machine&)>& takes) {
    const Folder folder;
    CompilerSetting setting = quick_setting(folder.path() / "kept");
    setting.limit_s = 600;
    std::vector<std::shared_ptr<const Machine>> machines;
    std::vector<std::string> names;
    std::uint64_t compared = 0;
    std::uint64_t rests = 0;
    const auto compare = [&] {
        const Emitted emitted = emit(machines);
        INFO(emitted.unknown);
        REQUIRE_FALSE(emitted.text.empty());
        const Compiled compiled = compile(emitted, setting, nullptr);
        INFO(compiled.detail);
        REQUIRE(compiled.games.size() == machines.size());
        for (std::size_t i = 0; i < machines.size(); ++i) {
            INFO(names[i]);
            const CompiledSides sides = compare_sides(machines[i], compiled.games[i], games_a_machine, seed_of(names[i]));
            CHECK(sides.difference.empty());
            CHECK(sides.games > 0);
            if (!as_printed(*machines[i])) CHECK(sides.handed == 0);
            compared += sides.games;
            rests += sides.rests;
        }
        machines.clear();
        names.clear();
    };
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        if (!takes(*machine)) return;
        machines.push_back(machine);
        names.push_back(name);
        if (machines.size() == games_a_text) compare();
    });
    if (!machines.empty()) compare();
    CHECK(compared > 2'000);
    CHECK(rests > 10'000);  // in a game in which nobody is asked there are none
}

}  // namespace

TEST_CASE("compiled games come to what interpreted ones come to", "[compiled]") {
    std::set<std::string> seen;
    compare_all([&](const Machine& machine) { return is_in_share(machine, seen); });
}

// Copies lie at several places, sets are split again, and who has won depends on it.
TEST_CASE("compiled games split cards into sets", "[compiled]") {
    const auto machine = machine_of(parse_rules("melds", {R"(
game melds
players 2 in a circle, clockwise
cards card { rank 1..4   3 of each }
zone stock stack of card seen by nobody
zone hand of player set of card seen by owner
zone heap of player set of card seen by all
fact best of player 0..100 = 0 lasts game seen by all
define alike(several card m) = size of m >= 2 and largest of its rank over m is smallest of its rank over m
define pair(several card n) = size of n is 2 and alike(n)
define pairs(several card m) = size of m is 4 and m splits into sets n where pair(n)
define left_of(several card h) = smallest sum of its rank left of h after sets m where alike(m) or pairs(m)
setup { put all card on stock, shuffled   deal 5 from stock to every hand }
play { repeat 2 times { each p clockwise from P1: turn(p) } }
rule turn(player p) {
  p may choose c from p's hand where left_of(p's hand but it) <= left_of(p's hand) { put c in p's heap }
  p's best becomes larger(p's best, left_of(p's hand but p's heap))
}
define score(player p) = left_of(p's hand) + p's best - left_of((every hand) but p's heap)
winner = players with most score(it), then shared
)"}),
                                    {2, {}});
    const Folder folder;
    const Compiled compiled = compile(emit(machine), quick_setting(folder.path() / "kept"), nullptr);
    INFO(compiled.detail);
    REQUIRE(compiled.why == NotCompiled::no);
    const CompiledSides sides = compare_sides(machine, compiled.game(), 100, 1);
    CHECK(sides.difference.empty());
    CHECK(sides.handed == 0);
    CHECK(sides.rests > 100);
}

// What trump is may not be known yet, and whoever has no jack does not ask.
TEST_CASE("compiled games look up what depends on a card, on what is trump and on what was led", "[compiled]") {
    const auto machine = machine_of(parse_rules("jacks", {R"(
game jacks
players 3 in a circle, clockwise
enum Suit { clubs, hearts, spades }
cards card { suit Suit   rank 1..4   1 of each }
zone stock stack of card seen by nobody
zone hand of player set of card seen by owner
zone trick of player one card seen by all
zone away set of card seen by all
fact trump Suit lasts game seen by all
fact leader player = P1 lasts game seen by all
fact taken of player 0..20 = 0 lasts game seen by all
define next_suit(Suit s) = cases of s { clubs: hearts   hearts: spades   spades: clubs }
define is_bower(card c) = c's rank is 4 and c's suit is next_suit(trump)
define suit_of(card c) = (trump if is_bower(c), otherwise c's suit)
define power(card c) = cases {
  is_bower(c): 40
  c's rank is 4 and c's suit is trump: 39
  suit_of(c) is suit_of(leader's trick): c's rank
  otherwise: 0
}
setup { put all card on stock, shuffled   deal 3 from stock to every hand }
play { repeat 3 times: round }
rule round {
  each p clockwise from leader: turn(p)
  let t = the (players with most power(its trick))
  t's taken becomes t's taken + 1 + size of (every hand where power(it) > 30)
  leader becomes t
  put every trick in away
}
rule turn(player p) {
  p may name s from Suit { trump becomes s }
  p must choose c from (p's hand if p is leader, otherwise (p's hand where suit_of(it) is suit_of(leader's trick)) or if none p's hand)
  put c in p's trick
}
define score(player p) = p's taken + sum of power(it) over p's hand
winner = players with most score(it), then shared
)"}),
                                    {3, {}});
    const Emitted emitted = emit(machine);
    CHECK(emitted.text.find("Cells<") != std::string::npos);
    CHECK(emitted.text.find("const FittingCards<") != std::string::npos);
    const Folder folder;
    const Compiled compiled = compile(emitted, quick_setting(folder.path() / "kept"), nullptr);
    INFO(compiled.detail);
    REQUIRE(compiled.why == NotCompiled::no);
    const CompiledSides sides = compare_sides(machine, compiled.game(), 400, 1);
    CHECK(sides.difference.empty());
    CHECK(sides.handed > 40);  // a promise breaks
    CHECK(sides.games > sides.handed + 40);
    CHECK(sides.rests > 400);
}

TEST_CASE("compiled games come to what interpreted ones come to, with all options", "[.long]") {
    compare_all([](const Machine&) { return true; });
}

TEST_CASE("the text of a compiled game holds no word of the rules", "[compiled]") {
    const std::vector<std::string> names{"zebra", "yak", "gnu", "lemur", "ibex", "tapir", "okapi", "dingo", "quokka", "Numbat"};
    const std::string text = text_with(names);
    CHECK(text.size() > 10'000);
    for (const std::string& name : names) CHECK(text.find(name) == std::string::npos);
    // Words that mean something in C++, and a name that is one of ours.
    CHECK(text_with({"main", "int_", "goto_", "return_", "system", "lefty", "told", "switch_", "std_", "M"}) == text);
}

TEST_CASE("kept libraries that are not what was kept are made again", "[compiled]") {
    const Folder folder;
    const CompilerSetting setting = quick_setting(folder.path() / "kept");
    const Emitted emitted = emit(kuhn());
    CHECK_FALSE(is_kept(emitted, setting));
    require_plays(compile(emitted, setting, nullptr));
    REQUIRE(is_kept(emitted, setting));
    const auto files = [&] { return std::vector(fs::directory_iterator(folder.path() / "kept"), {}); };
    REQUIRE(files().size() == 1);
    const fs::path kept = files()[0].path();
    SECTION("it is used") {
        CompilerSetting idle = setting;
        idle.limit_s = 0;
        require_plays(compile(emitted, idle, nullptr));
    }
    SECTION("cut short") { fs::resize_file(kept, fs::file_size(kept) / 2); }
    SECTION("empty") { fs::resize_file(kept, 0); }
    SECTION("a byte is another one") {
        std::fstream file(kept, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(5'000);
        file.put('\x7f');
    }
    SECTION("others may write to it") { fs::permissions(kept, fs::perms::others_write, fs::perm_options::add); }
    SECTION("a link to one") {
        fs::rename(kept, folder.path() / "elsewhere.so");
        fs::create_symlink(folder.path() / "elsewhere.so", kept);
    }
    if (geteuid() == 0) {
        SECTION("somebody else's") { REQUIRE(chown(kept.c_str(), 12'345, 12'345) == 0); }
    }
    require_plays(compile(emitted, setting, nullptr));
    CHECK(is_kept(emitted, setting));
    CHECK(files().size() == 1);
}

TEST_CASE("where nothing can be kept, games are compiled for once", "[compiled]") {
    const Folder folder;
    CompilerSetting setting = quick_setting(folder.path() / "kept");
    SECTION("the folder cannot be made") { setting.folder = "/proc/houserule"; }
    SECTION("no folder is named") { setting.folder.reset(); }
    SECTION("it is a file") { std::ofstream(folder.path() / "kept") << "a file"; }
    SECTION("it is a link") {
        fs::create_directory(folder.path() / "other");
        fs::create_symlink(folder.path() / "other", folder.path() / "kept");
    }
    SECTION("others may write there") {
        fs::create_directory(folder.path() / "kept");
        fs::permissions(folder.path() / "kept", fs::perms::all);
    }
    require_plays(compile(emit(kuhn()), setting, nullptr));
    CHECK_FALSE(is_kept(emit(kuhn()), setting));
}

TEST_CASE("compilers that do not compile", "[compiled]") {
    const Folder folder;
    CompilerSetting setting = quick_setting(folder.path() / "kept");
    setting.flags = {};
    const auto compiled_by = [&](const std::string& shell) {
        setting.command = {folder.compiler(shell)};
        return compile(emit(kuhn()), setting, nullptr);
    };
    SECTION("there is none") {
        setting.command.clear();
        CHECK(compile(emit(kuhn()), setting, nullptr).why == NotCompiled::no_compiler);
    }
    SECTION("it fails") {
        const Compiled compiled = compiled_by("echo 'game.cpp:3: error: no' >&2; exit 1");
        CHECK(compiled.why == NotCompiled::failed);
        CHECK(compiled.detail == "error: no");
    }
    SECTION("it makes nothing") { CHECK(compiled_by("exit 0").games.empty()); }
    SECTION("it makes something else") { CHECK(compiled_by("echo hello > \"$out\"").why == NotCompiled::unloaded); }
    SECTION("it hangs, with a process of its own") {
        setting.limit_s = 1;
        const auto start = std::chrono::steady_clock::now();
        CHECK(compiled_by("sleep 60 & sleep 60").why == NotCompiled::late);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    }
    SECTION("somebody wants no more") {
        Stop stop;
        stop.ask();
        setting.command = {folder.compiler("sleep 60")};
        CHECK(compile(emit(kuhn()), setting, &stop).why == NotCompiled::stopped);
    }
    // Nothing is left lying.
    if (fs::exists(folder.path() / "kept"))
        for (const auto& entry : fs::directory_iterator(folder.path() / "kept")) CHECK(entry.path().extension() == ".so");
}

TEST_CASE("two may compile a game at once", "[compiled]") {
    const Folder folder;
    const CompilerSetting setting = quick_setting(folder.path() / "kept");
    const Emitted emitted = emit(kuhn());
    Compiled other;
    std::thread thread([&] { other = compile(emitted, setting, nullptr); });
    const Compiled one = compile(emitted, setting, nullptr);
    thread.join();
    require_plays(one);
    require_plays(other);
    CHECK(std::distance(fs::directory_iterator(folder.path() / "kept"), {}) == 1);
}

TEST_CASE("of compiled games, those used longest ago go", "[compiled]") {
    const Folder folder;
    const auto now = fs::file_time_type::clock::now();
    const auto put = [&](const char* name, std::size_t bytes, std::chrono::hours ago) {
        std::ofstream(folder.path() / name) << std::string(bytes, 'x');
        fs::last_write_time(folder.path() / name, now - ago);
    };
    put("old.so", 1'000, std::chrono::hours(30));
    put("middle.so", 1'000, std::chrono::hours(20));
    put("new.so", 1'000, std::chrono::hours(10));
    put("half_made", 1'000, std::chrono::hours(2));
    put("being_made", 1'000, std::chrono::hours(0));
    tidy_folder(folder.path(), 2'500);
    std::set<std::string> left;
    for (const fs::path& file : folder.files()) left.insert(file.filename().string());
    CHECK(left == std::set<std::string>{"middle.so", "new.so", "being_made"});
}

TEST_CASE("compiled: conditions on all that is chosen, and lots that few see", "[compiled]") {
    const Folder folder;
    for (const char* name : {"tiny_melds", "tiny_lots"}) {
        INFO(name);
        const auto machine = machine_of(read_rules(fs::path(HOUSERULE_ROOT) / "tests/naive" / (std::string(name) + ".rules")), {2, {}});
        const Emitted emitted = emit(std::vector{machine});
        INFO(emitted.unknown);
        REQUIRE_FALSE(emitted.text.empty());
        const Compiled compiled = compile(emitted, quick_setting(folder.path() / "kept"), nullptr);
        INFO(compiled.detail);
        REQUIRE(compiled.games.size() == 1);
        const CompiledSides sides = compare_sides(machine, compiled.games[0], 300, 1);
        CHECK(sides.difference.empty());
        CHECK(sides.handed == 0);
    }
}

// The interpreter plays up to the first node, arms that must agree included; the promise breaks in what is compiled.
TEST_CASE("compiled: what comes before the first answer may need the interpreter", "[compiled]") {
    const auto machine = machine_of(parse_rules("early", {R"(
game early
players 2 in a circle, clockwise
cards card { rank 1..4   2 of each }
zone stock stack of card seen by nobody
zone hand of player row of card, at most 5, seen by owner
fact stake 0..9 = 1 lasts game seen by all
setup { put all card on stock, shuffled }
play {
  cases {
    stake is 1: { stake becomes 2 }
    stake < 3: { stake becomes 2 }
    otherwise: { stake becomes 3 }
  }
  repeat { draw c from stock to P2's hand } until stock is empty, running down size of stock
}
winner = players with most size of its hand, then shared
)"}),
                                    {2, {}});
    const Folder folder;
    const Compiled compiled = compile(emit(machine), quick_setting(folder.path() / "kept"), nullptr);
    INFO(compiled.detail);
    REQUIRE(compiled.why == NotCompiled::no);
    CHECK(compiled.game()->first() != machine->start);
    const CompiledSides sides = compare_sides(machine, compiled.game(), 20, 1);
    CHECK(sides.difference.empty());
    CHECK(sides.handed == sides.games);
}
