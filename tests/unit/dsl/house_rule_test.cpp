// House rules: how layers add up, and what is said when they do not fit. The program's own words stand in tests/cases/house_rules.md.
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

namespace fs = std::filesystem;

const std::string base_text = R"(
game base
players 2..3 in a circle, clockwise
option quick yes/no = no
option hand_size 2..4 = 3
enum Hue { red, blue }
cards card { hue Hue   rank 1..3   1 of each }
cards token { worth 1..9   2 of small: 1   1 of large: 5 }
total token is 3
zone deck            stack of any card  seen by nobody
zone hand of player  set of any card    seen by owner
fact wins of player  0..9 = 0   lasts game   seen by all
setup { put all cards on deck, shuffled }
play { repeat 2 times: turn(P1) }
rule turn(player p) "Draw a card." { deal 1 from deck to p's hand }
define doubled(1..9 n) = reading how { plus chosen: n + n   times: n * 2 }
ends checked after turn, first of { full when size of P1's hand is 2   never when size of deck is 0 }
winner = players with most its wins, then shared
when quick {
  replace rule turn(player p) { deal 2 from deck to p's hand }
  rule extra { nothing }
}
texts ja { turn "1枚引く。" }
labels ja { base "元"   red "赤"   blue "青" }
)";

// The house rule first, then what it changes.
Rules stack(const std::vector<std::string>& house_rules) {
    std::vector<std::string> texts = house_rules;
    texts.push_back(base_text);
    Rules rules = parse_rules("rules", texts);
    INFO(render(rules.diagnostics, rules.sources, {}));
    REQUIRE(rules.diagnostics.empty());
    return rules;
}

Game game_of(const std::vector<std::string>& house_rules, const Settings& settings = {}, int players = 2) {
    const Rules rules = stack(house_rules);
    Diagnostics found;
    Game game = check(rules.syntax, players, settings, found);
    tidy(found);
    INFO(render(found, rules.sources, {}));
    REQUIRE_FALSE(has_errors(found));
    return game;
}

std::string printed(const std::vector<std::string>& house_rules, const Settings& settings = {}) {
    return print(game_of(house_rules, settings));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The codes, each with the files that its places are in: `E0403 0 1`.
std::set<std::string> complaints(const std::vector<std::string>& house_rules) {
    std::set<std::string> all;
    for (const Diagnostic& d : check_all(stack(house_rules).syntax)) {
        std::set<int> files{d.span.source};
        for (const Label& l : d.labels) files.insert(l.span.source);
        std::string text(info(d.code).id);
        for (const int f : files) text += fmt::format(" {}", f);
        all.insert(text);
    }
    return all;
}

// A folder that is gone with the test.
struct Folder {
    fs::path path = fs::temp_directory_path() / fmt::format("houserule-{}", std::random_device{}());
    Folder() { fs::create_directory(path); }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
    std::vector<Code> codes(const std::string& name) const {
        Rules rules = read_rules(path / name);
        std::vector<Code> all;
        for (const Diagnostic& d : rules.diagnostics) all.push_back(d.code);
        return all;
    }
};

}  // namespace

TEST_CASE("a house rule replaces, removes and adds", "[house]") {
    const std::string game =
        printed({"game house changes base\n"
                 "replace rule turn(player p) { deal 1 from deck to p's hand   p's wins becomes 1 }\n"
                 "remove end full\n"
                 "rule shout { P1 says hey }\nreplace play { turn(P1) shout }\n"});
    CHECK(has(game, "game house"));
    CHECK(has(game, "P1 says hey"));
    CHECK_FALSE(has(game, "full"));
    CHECK(has(game, "never"));
}

TEST_CASE("a house rule outranks the options of its base, and may have conditions of its own", "[house]") {
    const std::string rule = "replace rule turn(player p) { P1 says mine }\n";
    for (const char* quick : {"no", "yes"}) CHECK(has(printed({"game house changes base\n" + rule}, {{"quick", quick}}), "says mine"));
    const std::string only_quick = "game house changes base\nwhen quick { " + rule + " }\n";
    CHECK(has(printed({only_quick}, {{"quick", "yes"}}), "says mine"));
    CHECK_FALSE(has(printed({only_quick}, {{"quick", "no"}}), "says mine"));
    // What only one variant of the base has can be changed; in the others there is nothing to do.
    CHECK(complaints({"game house changes base\nreplace rule extra { P1 says mine }\n"}).count("E0403 0 1") == 0);
    CHECK(has(printed({"game house changes base\nremove rule extra\n"}), "game house"));
}

TEST_CASE("cards, values, ends and the number of players", "[house]") {
    const std::string game =
        printed({"game house changes base\n"
                 "replace players 2..5 in a circle, counterclockwise\n"
                 "change enum Hue { green   remove blue }\n"
                 "change cards card { rank 1..2   2 of each }\n"
                 "change cards token { 3 of small   remove large   1 of huge: 9 }\n"
                 "replace total token is 4\n"
                 "replace end full when size of P1's hand is 1\n"});
    CHECK(has(game, "counterclockwise"));
    CHECK(has(game, "enum Hue {red, green}"));
    CHECK(has(game, "2 of green 2"));
    CHECK_FALSE(has(game, "3 of red"));
    CHECK(has(game, "3 of small:"));
    CHECK(has(game, "1 of huge:"));
    CHECK_FALSE(has(game, "large"));
    CHECK(player_range(stack({"game house changes base\nreplace players 2..5 in a circle, clockwise\n"}).syntax).high == 5);
}

TEST_CASE("options and readings get another default, or none but one", "[house]") {
    const std::vector<std::string> rules{"game house changes base\nset quick is yes\nset hand_size is 4, always\nset how is times\n"};
    const auto options = game_of(rules).options;
    const auto value = [](const std::vector<OptionValue>& all, const std::string& name) {
        return std::find_if(all.begin(), all.end(), [&](const OptionValue& o) { return o.name == name; })->value;
    };
    CHECK(value(options, "quick") == "yes");
    CHECK(value(options, "hand_size") == "4");
    CHECK(value(options, "how") == "times");
    CHECK(value(game_of(rules, {{"quick", "no"}}).options, "quick") == "no");
    Diagnostics found;
    check(stack(rules).syntax, 2, {{"hand_size", "2"}}, found);
    CHECK(has_errors(found));
    // One house rule on another may set it again, but not what is settled.
    CHECK(value(game_of({"game second changes house\nset quick is no\n", rules[0]}).options, "quick") == "no");
    CHECK(complaints({"game second changes house\nset hand_size is 3\n", rules[0]}) == std::set<std::string>{"E0402 0 1"});
    CHECK(complaints({"game second changes house\nset how is plus, always\n", rules[0]}).empty());
    CHECK(value(game_of({"game house changes base\nreplace option hand_size 2..9 = 9\n"}).options, "hand_size") == "9");
    // The ways of a reading go with the rule that they are in.
    CHECK(offers(stack({"game house changes base\nreplace define doubled(1..9 n) = n\n"}).syntax).size() == 2);
}

TEST_CASE("later labels win, and texts about a replaced rule go with it", "[house]") {
    const Game game =
        game_of({"game house changes base\nlabels ja { red \"紅\"   house \"家\" }\n"
                 "replace rule turn(player p) \"Do nothing.\" { nothing }\n"});
    CHECK(label(game, "red", "ja") == "紅");
    CHECK(label(game, "blue", "ja") == "青");
    CHECK(rule_text(game, "turn", "ja") == "Do nothing.");
    CHECK(rule_text(game_of({"game house changes base\n"}), "turn", "ja") == "1枚引く。");
}

TEST_CASE("labels and texts do not count for the hash of the rules, changes do", "[house]") {
    const std::uint64_t plain = game_of({"game house changes base\n"}).hash;
    CHECK(game_of({"game house changes base \"A text.\"\nlabels ja { red \"紅\" }\nexample \"none\" { then yes }\n"}).hash == plain);
    CHECK(game_of({"game house changes base\nremove end never\n"}).hash != plain);
    CHECK(game_of({"game other changes base\n"}).hash != plain);
}

TEST_CASE("what does not fit names both files", "[house]") {
    const auto one = [](const std::string& line) { return complaints({"game house changes base\n" + line + "\n"}); };
    using Set = std::set<std::string>;
    CHECK(one("replace rule trun { nothing }") == Set{"E0403 0 1"});
    CHECK(one("replace end fulll when yes") == Set{"E0403 0 1"});
    CHECK(one("remove zone heap") == Set{"E0404 0 1"});
    CHECK(one("remove rule doubled") == Set{"E0404 0 1"});
    CHECK(one("change cards crad { 2 of each }") == Set{"E0407 0 1"});
    CHECK(one("change enum Shade { red }") == Set{"E0407 0 1"});
    CHECK(one("change cards token { remove middle }") == Set{"E0404 0 1"});
    CHECK(one("change enum Hue { remove pink }") == Set{"E0404 0 1"});
    CHECK(one("change enum Hue { red }") == Set{"E0102 0 1"});
    CHECK(one("change cards token { 2 of large }") == Set{"E0211 0 1"});
    CHECK(one("rule turn(player p) { nothing }") == Set{"E0102 0 1"});
    CHECK(one("play { nothing }") == Set{"E0408 0 1"});
    CHECK(one("remove zone deck").contains("E0409 0 1"));
    CHECK(one("replace rule turn { nothing }") == Set{"E0106 0 1"});
    CHECK(one("set slow is yes") == Set{"E0401 0 1"});
    CHECK(one("set quick is perhaps") == Set{"E0402 0 1"});
    CHECK(one("option quick yes/no = no") == Set{"E0102 0 1"});
    CHECK(one("replace play { put heap on deck }") == Set{"E0101 0 1"});
    CHECK(one("when quick { set hand_size is 2 }") == Set{"E0213 0"});
    CHECK(one("game twice") == Set{"E0408 0"});
}

TEST_CASE("warnings and questions of the base are not those of the house rule", "[house]") {
    CHECK(complaints({"game house changes base\nreplace play { nothing }\n"}).empty());
    CHECK(complaints({"game house changes base\nlabels ja { house \"家\" }\nrule idle { P1 says hey }\n"}) ==
          std::set<std::string>{"W0001 0", "W0002 0"});
}

TEST_CASE("`set` belongs to house rules", "[house]") {
    const Rules rules = parse_rules("rules", {base_text + "set quick is yes\n"});
    const Diagnostics found = check_all(rules.syntax);
    REQUIRE(found.size() == 1);
    CHECK(found[0].code == Code::only_in);
}

TEST_CASE("bases are found, circles and towers of house rules are not followed", "[house]") {
    const Folder folder;
    folder.write("base.rules", base_text);
    folder.write("h1.rules", "game h1 changes base\n");
    for (int i = 2; i <= 9; ++i) folder.write(fmt::format("h{}.rules", i), fmt::format("game h{} changes \"h{}.rules\"\n", i, i - 1));
    CHECK(folder.codes("h8.rules").empty());
    CHECK(layers(read_rules(folder.path / "h8.rules").syntax).size() == 1 + house_rule_limit);
    CHECK(folder.codes("h9.rules") == std::vector{Code::stacked_too_deep});
    folder.write("lost.rules", "game lost changes nowhere\n");
    CHECK(folder.codes("lost.rules") == std::vector{Code::no_base});
    folder.write("self.rules", "game self changes self\n");
    CHECK(folder.codes("self.rules") == std::vector{Code::base_circle});
    folder.write("a.rules", "game a changes \"b.rules\"\n");
    folder.write("b.rules", "game b changes \"./a.rules\"\n");
    CHECK(folder.codes("a.rules") == std::vector{Code::base_circle});
    fs::create_directory(folder.path / "sub");
    folder.write("sub/up.rules", "game up changes \"../base.rules\"\n");
    CHECK(folder.codes("sub/up.rules").empty());
}

TEST_CASE("who checks files of others keeps them in a folder", "[house]") {
    const Folder folder;
    folder.write("base.rules", base_text);
    folder.write("secret", "first line\n");
    fs::create_directories(folder.path / "room" / "inner");
    folder.write("room/base.rules", base_text);
    const cli::FilesInside room((folder.path / "room").string());
    // What is said of a house rule in room/inner, on the command line and to the server, and all that they read.
    struct Answer {
        std::vector<Code> codes;
        std::string read;
    };
    const auto ask = [&](const std::string& base, const cli::BaseFiles& files) {
        const fs::path path = folder.path / "room/inner/h.rules";
        Sources sources{Source("h.rules", "game h changes " + base + "\n")};
        const cli::RulesFile file = cli::read_rules(sources, 0, path.string(), files);
        Answer answer;
        for (const Diagnostic& d : file.diagnostics) answer.codes.push_back(d.code);
        for (std::size_t i = 1; i < sources.size(); ++i) answer.read += sources[i].text();
        answer.read += render(file.diagnostics, sources, {});
        return answer;
    };
    const auto closed = [&](const std::string& base) {
        INFO(base);
        const Answer answer = ask(base, room);
        CHECK(answer.codes == std::vector{Code::no_base});
        CHECK(answer.read.find("first line") == std::string::npos);
        CHECK(answer.read.find("deal 2 from deck") == std::string::npos);
    };
    const std::string far = fmt::format("\"{}\"", (folder.path / "base.rules").string());
    const std::string secret = fmt::format("\"{}\"", (folder.path / "secret").string());
    fs::create_symlink(folder.path / "base.rules", folder.path / "room/inner/link.rules");
    fs::create_symlink(folder.path, folder.path / "room/inner/out");
    for (const std::string& base : {far, std::string("\"../../base.rules\""), std::string("\"link.rules\""), std::string("link"),
                                    std::string("\"out/base.rules\""), std::string("\"x/../../../base.rules\"")}) {
        INFO(base);
        if (base.find("x/") == std::string::npos) CHECK(ask(base, cli::any_file()).codes.empty());
        closed(base);
    }
    CHECK(ask(secret, cli::any_file()).read.find("first line") != std::string::npos);
    closed(secret);
    closed("\"../../secret\"");
    closed("\"../../not_there.rules\"");
    // Inside nothing is refused, and what ships is there for everybody.
    CHECK(ask("\"../base.rules\"", room).codes.empty());
    CHECK(ask("\"../../room/base.rules\"", room).codes.empty());
    CHECK(ask("kuhn", room).codes.empty());
    // The advice names no file of another folder, either.
    fs::create_directory(folder.path / "nowhere");
    const cli::FilesInside nothing((folder.path / "not_there").string());
    CHECK(ask("\"../base.rules\"", nothing).codes == std::vector{Code::no_base});
    CHECK(nothing.beside({"h.rules", (folder.path / "room/inner/h.rules").string()}).empty());
    CHECK(room.beside({"base.rules", (folder.path / "base.rules").string()}).empty());
}

namespace {

void check_listing(const Rules& rules) {
    for (const Variant& variant : variants(rules.syntax)) {
        Diagnostics found;
        const Merged merged = merge(rules.syntax, variant.settings, found);
        const Rules alone = parse_rules(rules.name, {listing(rules.syntax, merged, rules.sources)});
        Settings readings;  // stand in a comment, if they are not those of an option that is off
        const std::vector<Offer> left = offers(alone.syntax);
        for (const OptionValue& o : merged.options)
            if (o.reading && std::any_of(left.begin(), left.end(), [&](const Offer& l) { return l.name == o.name; }))
                readings[o.name] = o.value;
        INFO(variant_name(rules, variant) << '\n' << alone.sources[0].text());
        const auto machine_text = [&](const Rules& r, const Settings& settings) {
            return print(*machine_of(r, {variant.players, settings}));
        };
        CHECK(machine_text(alone, readings) == machine_text(rules, variant.settings));
        const auto game_text = [&](const Rules& r, const Settings& settings) {
            return print(machine_of(r, {variant.players, settings})->game);
        };
        CHECK(game_text(alone, readings).substr(0, 200) ==
              game_text(rules, variant.settings).substr(0, 200));  // with the hash of the rules
    }
}

// In labels, texts or examples, not in the rules themselves: those may name in an `if` what options have left out.
bool is_beside(const Rules& rules, Span span) {
    return std::ranges::any_of(rules.syntax.root->children, [&](const SyntaxNode* d) {
        const bool beside = d->kind == Kind::d_labels || d->kind == Kind::d_texts || d->kind == Kind::d_example;
        return beside && d->span.begin <= span.begin && span.end <= d->span.end;
    });
}

}  // namespace

TEST_CASE("what is listed has labels, texts and examples of what is listed", "[house]") {
    for (const fs::path& path : rules_files()) {
        const Rules rules = read_rules(path);
        Diagnostics found;
        const Merged merged = merge(rules.syntax, {}, found);
        const Rules alone = parse_rules(rules.name, {listing(rules.syntax, merged, rules.sources)});
        INFO(alone.sources[0].text());
        for (const Diagnostic& d : check_all(alone.syntax))
            CHECK_FALSE((info(d.code).severity == Severity::error && is_beside(alone, d.span)));
    }
}

TEST_CASE("the listing of a merged game is that game", "[house]") {
    check_listing(
        stack({"game house changes base \"Everything at once.\"\n"
               "change enum Hue { green   remove blue }\n"
               "change cards token { 3 of small   remove large   1 of huge: 9 }\n"
               "replace total token is 4\nset quick is yes\nset how is times\n"
               "replace end full when size of P1's hand is 1 { nothing }\n"
               "replace rule turn(player p) \"Draw.\" { deal 1 from deck to p's hand }\n"}));
    std::size_t house_rules = 0;
    for (const fs::path& path : rules_files()) {
        const Rules rules = read_rules(path);
        if (layers(rules.syntax).size() == 1) continue;
        ++house_rules;
        check_listing(rules);
    }
    CHECK(house_rules >= 6);
}
