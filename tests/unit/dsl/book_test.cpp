// The page of every rules file, in both languages and both formats: complete, well-formed, escaped, in the reader's words.
#include "dsl/book/book.hpp"
#include "tests/support/rules.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::cli;
using namespace houserule::testing;

namespace {

Page page_of(const Rules& rules, Language language, const Settings& settings = {}, const std::vector<RulebookNote>& notes = {}) {
    return book_of(rules.syntax, settings, rules.sources, notes, language);
}

void each_text(const std::vector<Item>& items, const std::function<void(const std::string&)>& f) {
    for (const Item& item : items) {
        f(item.text);
        each_text(item.items, f);
    }
}

// Every text on the page, before it is written in a format.
std::vector<std::string> texts_on(const Page& page) {
    std::vector<std::string> all{page.title};
    const auto add = [&](const std::string& text) { all.push_back(text); };
    for (const Block& b : page.blocks) {
        add(b.text);
        each_text(b.items, add);
        for (const auto& row : b.rows)
            for (const std::string& cell : row) add(cell);
    }
    for (const std::string& note : page.notes) add(note);
    return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}

// What a reader of the HTML sees. Every tag that opens must close, in the right order; attributes are quoted.
std::string visible(const std::string& html) {
    static const std::set<std::string> alone{"meta", "!DOCTYPE"};
    std::string text;
    std::vector<std::string> open;
    for (std::size_t i = 0; i < html.size();) {
        if (html[i] != '<') {
            REQUIRE(html[i] != '>');
            text += html[i++];
            continue;
        }
        const std::size_t end = html.find('>', i);
        REQUIRE(end != std::string::npos);
        const std::string tag = html.substr(i + 1, end - i - 1);
        REQUIRE(std::count(tag.begin(), tag.end(), '"') % 2 == 0);
        const std::string name = tag.substr(tag.starts_with('/') ? 1 : 0, tag.find(' ') - (tag.starts_with('/') ? 1 : 0));
        if (tag.starts_with('/')) {
            REQUIRE(!open.empty());
            REQUIRE(open.back() == name);
            open.pop_back();
        } else if (!alone.contains(name)) {
            open.push_back(name);
        }
        i = end + 1;
        if (name == "style" && !tag.starts_with('/')) i = html.find("</style>", i);
        if (name == "rt" && !tag.starts_with('/')) i = html.find("</rt>", i);  // stands above the text
    }
    REQUIRE(open.empty());
    for (const auto& [code, letter] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
        text = replaced(std::move(text), code, letter);
    return text;
}

// Whether the letter ends a word for CommonMark: a blank, or punctuation of ASCII or of Japanese.
bool is_punctuation(char32_t c) {
    return (c < 0x80 && std::ispunct(static_cast<int>(c)) != 0) || (c >= 0x2010 && c <= 0x2027) || c == 0x2026 ||
           (c >= 0x3001 && c <= 0x301F) || (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20);
}
bool is_blank(char32_t c) { return c == 0 || c == ' '; }

// Stars that CommonMark takes for the beginning and the end of emphasis, in turn (its rules on flanking).
void check_stars(const std::string& line) {
    std::u32string letters;
    std::vector<bool> escaped;
    for (std::size_t i = 0; i < line.size();) {
        const bool escape = line[i] == '\\';
        if (escape) ++i;
        letters += decode(std::string_view(line).substr(i));
        escaped.push_back(escape);
        i += character_length(std::string_view(line).substr(i));
    }
    bool open = false;
    for (std::size_t i = 0; i < letters.size();) {
        if (letters[i] != '*' || escaped[i]) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < letters.size() && letters[end] == '*' && !escaped[end]) ++end;
        const char32_t before = i == 0 ? 0 : letters[i - 1];
        const char32_t after = end == letters.size() ? 0 : letters[end];
        const bool left = !is_blank(after) && (!is_punctuation(after) || is_blank(before) || is_punctuation(before));
        const bool right = !is_blank(before) && (!is_punctuation(before) || is_blank(after) || is_punctuation(after));
        INFO(line);
        CHECK((open ? right : left));
        open = !open;
        i = end;
    }
    CHECK(!open);
}

// What a reader of the Markdown sees. Lists go one level deeper at a time, rows of a table are equally long, nothing is HTML.
std::string unmarked(const std::string& markdown) {
    std::string text;
    std::size_t depth = 0;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < markdown.size();) {
        const std::size_t end = markdown.find('\n', i);
        REQUIRE(end != std::string::npos);
        const std::string line = markdown.substr(i, end - i);
        i = end + 1;
        check_stars(line);
        const std::size_t indent = line.find_first_not_of(' ');
        if (line.empty()) {
            depth = columns = 0;
        } else if (line[indent] == '-') {
            REQUIRE(indent % 2 == 0);
            REQUIRE(indent / 2 <= depth);
            depth = indent / 2 + 1;
        } else {
            REQUIRE(indent == 0);
        }
        std::size_t bars = 0;
        for (std::size_t c = 0; c < line.size(); ++c) {
            if (line[c] == '\\')
                text += line[++c];
            else {
                REQUIRE(line[c] != '<');
                REQUIRE(line[c] != '&');
                bars += line[c] == '|' ? 1 : 0;
                if (line[c] != '*') text += line[c];
            }
        }
        if (bars != 0) {
            REQUIRE((columns == 0 || columns == bars));
            columns = bars;
        }
        text += '\n';
    }
    return text;
}

// The texts of rules, acts, options, ends and readings that a page in `language` must have.
std::vector<std::string> told(const Rules& rules, const std::string& language) {
    Diagnostics ignored;
    const Merged merged = merge(rules.syntax, {}, ignored);
    const Game game = check(rules.syntax, player_range(rules.syntax).low, {}, ignored);
    std::vector<std::string> all;
    for (const SyntaxNode* d : merged.declarations) {
        std::string name;
        if (d->kind == Kind::d_setup)
            name = "setup";
        else if (d->kind == Kind::d_play)
            name = "play";
        else if (d->kind == Kind::d_rule || d->kind == Kind::d_act || d->kind == Kind::d_option || d->kind == Kind::d_end)
            name = name_of(*d)->text;
        if (const std::string text = rule_text(game, name, language); !name.empty() && !text.empty()) all.push_back(text);
        if (d->kind == Kind::d_rule || d->kind == Kind::d_act) {
            const std::string words = label(game, name, language);
            if (words != name) all.push_back(words);
        }
    }
    return all;
}

Rules made(const std::string& text) {
    Rules rules = parse_rules("made", {text});
    Diagnostics all = rules.diagnostics;
    for (const Variant& v : variants(rules.syntax)) static_cast<void>(check(rules.syntax, v.players, v.settings, all));
    INFO(render(all, rules.sources, {}));
    REQUIRE(!has_errors(all));
    return rules;
}

std::size_t lines_with(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
}

// Everything has a label in both languages, no name is a word of either, and every kind of statement and most expressions occur.
const char* const labelled = R"(game zzgame "Say about."
players 2..3 in a circle, clockwise
option zzlong yes/no = no "Say option."
enum zzsuit { zzred, zzblue }
cards zzcard { zzcolour zzsuit   zznumber 1..4   2 of each }
zone zzdeck stack of zzcard seen by nobody
zone zzhand of player set of zzcard seen by owner
zone zzpile row of zzcard seen by all
zone zzshown of player one zzcard seen by all
fact zzstarter player lasts game seen by all
fact zzout of player yes/no = no lasts game seen by all
fact zzcount of player 0..90 = 0 lasts game seen by all
fact zzcolourcalled zzsuit = zzred lasts game seen by all
fact zzbusy yes/no = no lasts zzround seen by all
setup { put all cards on zzdeck, shuffled   deal 2 from zzdeck to every zzhand   chance picks zzstarter from players }
play { repeat zzround until every zzhand is empty, at most 5 times then end zztired }
rule zzround { each zzp clockwise from zzstarter where not zzp's zzout: zzturn(zzp)   zzshowdown }
rule zzturn(player zzp) "Say turn." {
  zzp must name zzs from zzsuit
  zzcolourcalled becomes zzs
  zzp must choose zzc from (zzp's zzhand where zzfits(it)) or if none zzp's zzhand
    if none: stop zzturn
  put zzc in zzpile
  if zzcheap(zzc) and not zzbusy { zzp's zzcount becomes zzp's zzcount + zzworth(zzc) } otherwise if zzlong: zzbusy becomes yes
  cases of zzc's zzcolour { zzred: zzp's zzcount becomes 1   zzblue: nothing }
  cases { zzp's zzcount > 80: zzp's zzout becomes yes   otherwise: nothing }
  zzp may zzshout: zzp says zzhurrah otherwise: nothing
  reading zzlast "Say question?" { zzone chosen: nothing   zztwo: zzp's zzout becomes no }
}
rule zzshowdown {
  simultaneously each zzq where zzq's zzhand is not empty {
    zzq must choose zzd from zzq's zzhand
    put zzd in zzq's zzshown
  }
  let zzbest = players with most its zzcount
  put every zzshown in zzpile
  show zzpile to all
}
define zzfits(zzcard zzc) = zzc's zzcolour is zzcolourcalled
define zzcheap(zzcard zzc) = zzc's zznumber < 3
define zzworth(zzcard zzc) = cases { zzcheap(zzc): 1   otherwise: 2 }
act zzcall(player zzp) "Say act." at any time unless zzp's zzout, when simulated 1 in 100 { zzp's zzout becomes yes }
ends checked after zzturn, zzcall, first of { zzallout when no zzp in players where not zzp's zzout }
end zztired "Say end."
assume zzlimit "Say decision."
define score(player zzp) = zzp's zzcount
winner = players with most score(it), then shared
)";

}  // namespace

TEST_CASE("every rules file makes a page that says all it has to say") {
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        INFO(path.filename());
        for (const Language language : {Language::en, Language::ja}) {
            const Page page = page_of(rules, language);
            const std::string html_text = html(page);
            const std::string markdown_text = markdown(page);
            const std::string seen = visible(html_text);
            const std::string read = unmarked(markdown_text);
            CHECK(html_text == html(page_of(rules, language)));
            CHECK(html_text.find(language == Language::ja ? "<html lang=\"ja\">" : "<html lang=\"en\">") != std::string::npos);
            CHECK(html_text.find("<script") == std::string::npos);
            const std::vector<std::string> wanted = told(rules, language == Language::ja ? "ja" : "en");
            for (const std::string& text : wanted) {
                std::string large = text;
                if (large[0] >= 'a' && large[0] <= 'z') large[0] = static_cast<char>(large[0] - 'a' + 'A');
                INFO(text);
                CHECK((seen.find(text) != std::string::npos || seen.find(large) != std::string::npos));
                const std::string unstarred = replaced(text, "*", "");
                CHECK((read.find(unstarred) != std::string::npos || read.find(replaced(large, "*", "")) != std::string::npos));
            }
            // Everything in the files that ship has a sentence of its own.
            for (const std::string& text : texts_on(page)) {
                INFO(text);
                CHECK(text.find(code_begins) == std::string::npos);
            }
        }
    }
}

TEST_CASE("a page in a language in which everything has a label says no name of the file") {
    const std::string names =
        "zzgame zzlong zzsuit zzred zzblue zzcard zzcolour zznumber zzdeck zzhand zzpile zzshown zzstarter zzout zzcount zzcolourcalled "
        "zzbusy zzround zzturn zzp zzq zzs zzc zzd "
        "zzshowdown zzbest zzshout zzhurrah zzlast zzone zztwo zzfits zzcheap zzworth zzcall zzallout zztired";
    std::string labels;
    std::size_t n = 0;
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(' ', at), names.size());
        labels += fmt::format("{} \"W{}\" ", names.substr(at, end - at), ++n);
        at = end + 1;
    }
    for (const Language language : {Language::en, Language::ja}) {
        const Rules rules = made(fmt::format("{}labels {} {{ {} }}\n", labelled, language == Language::ja ? "ja" : "en", labels));
        const Page page = page_of(rules, language);
        std::set<std::string> shown_labels;
        for (const std::string& text : texts_on(page)) {
            INFO(text);
            CHECK(text.find("zz") == std::string::npos);
            CHECK(text.find("Zz") == std::string::npos);
            CHECK(text.find(code_begins) == std::string::npos);
        }
        const std::string read = markdown(page);
        for (const char* text : {"Say about.", "Say turn.", "Say question?", "Say act.", "Say end.", "Say decision.", "Say option."}) {
            INFO(text);
            CHECK(lines_with(read, text) >= 1);
        }
    }
}

TEST_CASE("what a file says is shown and never taken for markup") {
    const std::string nasty = R"(<b>&amp; *a* _b_ `c` [d](e) | # $x$ ~~f~~ 'g')";
    const Rules rules = made(fmt::format(R"(game g "{0}"
players 2 in a circle, clockwise
cards card {{ rank 1..3   2 of each }}
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
setup {{ put all cards on deck, shuffled   deal 1 from deck to every hand }}
play {{ turn }}
rule turn "1. {0}" {{ nothing }}
winner = players, then shared
labels en {{ g "{0}" turn "{0}" hand "- {0}" deck "{0}" }}
)",
                                         nasty));
    const Page page = page_of(rules, Language::en);
    const std::string web = html(page);
    CHECK(web.find("<b>") == std::string::npos);
    CHECK(lines_with(visible(web), nasty) >= 5);
    const std::string text = markdown(page);
    CHECK(text.find("1\\. \\<b\\>\\&amp; \\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\| \\# \\$x\\$ \\~\\~f\\~\\~ 'g'") != std::string::npos);
    CHECK(lines_with(replaced(text, "\\", ""), nasty) >= 5);
}

TEST_CASE("statements without a sentence are quoted from the file") {
    Page page;
    page.title = "t";
    page.blocks.push_back({BlockKind::list, 0, {}, {{fmt::format("{}a `b` | c\n  d{}.", code_begins, code_ends), {}, {}}}, {}, {}});
    page.blocks.push_back({BlockKind::table, 0, {}, {}, {{"h"}, {fmt::format("{}a | b{}", code_begins, code_ends)}}, {}});
    CHECK(markdown(page) == "# t\n\n- ``a `b` | c d``.\n\n| h |\n|---|\n| `a \\| b` |\n");
    CHECK(html(page).find("<li><code>a `b` | c\n  d</code>.</li>") != std::string::npos);
}

TEST_CASE("notes stand at the smallest part of the page that says their place") {
    const Rules rules = made(labelled);
    const std::string_view text = rules.sources[0].text();
    const auto place = [&](std::string_view words) {
        const auto at = static_cast<std::uint32_t>(text.find(words));
        REQUIRE(at < text.size());
        return Span{at, static_cast<std::uint32_t>(at + words.size()), 0};
    };
    const std::vector<RulebookNote> notes{
        {"gap-1", "a <note> on putting", place("put zzc in zzpile")},
        {"gap-2", "on the whole rule", place("rule zzshowdown")},
        {"gap-3", "on nothing", Span{0, 0, 7}},
        {"gap-4", "on the question", place("zztwo: zzp's zzout becomes no")},
        {"gap-5", "on the end", place("zzallout when no zzp")},
        {"gap-6", "on a place", place("zone zzpile row of zzcard")},
        {"gap-7", "on a definition that is spelled out", place("zzc's zznumber < 3")},
    };
    const Page page = page_of(rules, Language::en, {}, notes);
    REQUIRE(page.notes.size() == notes.size());
    const std::string read = markdown(page);
    CHECK(lines_with(read, "Put the zzcard in the zzpile.[^1]\n") + lines_with(read, "Put the card in the zzpile.[^1]\n") == 1);
    CHECK(lines_with(read, "### Zzshowdown[^2]\n") == 1);
    CHECK(read.starts_with("# Zzgame[^3]\n"));
    CHECK(lines_with(read, "“zztwo”: no longer mark the player as “zzout”.[^4]\n") == 1);
    CHECK(lines_with(read, "| Zzpile[^6] |") == 1);
    CHECK(lines_with(read, "- **Zzcheap** (the zzcard): holds if the zzcard's zznumber is less than 3.[^7]\n") == 1);
    CHECK(lines_with(read, "\n[^1]: **gap-1**: a \\<note\\> on putting\n") == 1);
    const std::string web = html(page);
    CHECK(lines_with(visible(web), "gap-1: a <note> on putting") == 1);
    for (std::size_t i = 1; i <= notes.size(); ++i) {
        INFO(i);
        CHECK(lines_with(read, fmt::format("[^{}]", i)) == 2);
        CHECK(lines_with(web, fmt::format("href=\"#note-{}\"", i)) == 1);
        CHECK(lines_with(web, fmt::format("id=\"note-{}\"", i)) == 1);
        CHECK(lines_with(web, fmt::format("id=\"from-{}\"", i)) == 1);
        CHECK(lines_with(web, fmt::format("href=\"#from-{}\"", i)) == 1);
    }
    CHECK(web.find("<title>Zzgame</title>") != std::string::npos);
    const std::string without = markdown(page_of(rules, Language::en));
    CHECK(without.find("[^") == std::string::npos);
}

TEST_CASE("a page follows the options and readings that are chosen") {
    const Rules rules = made(labelled);
    const std::string as_stated = markdown(page_of(rules, Language::en));
    const std::string other = markdown(page_of(rules, Language::en, {{"zzlast", "zztwo"}, {"zzlong", "yes"}}));
    CHECK(lines_with(as_stated, "(Reading *zzlast*) nothing happens.") == 1);
    CHECK(lines_with(other, "(Reading *zzlast*) no longer mark the player as “zzout”.") == 1);
    CHECK(lines_with(as_stated, "on this page: no.") == 1);
    CHECK(lines_with(other, "on this page: yes.") == 1);
}

TEST_CASE("a page to print has what paper needs, and nothing that is only read") {
    const Rules rules = made(labelled);
    const auto place = [&](std::string_view words) {
        const auto at = static_cast<std::uint32_t>(rules.sources[0].text().find(words));
        return Span{at, static_cast<std::uint32_t>(at + words.size()), 0};
    };
    const Page page = book_of(rules.syntax, {}, rules.sources, {{"gap-1", "on a deal", place("deal 2 from zzdeck to every zzhand")}},
                              Language::en, {0, {{2, 10, 400, 0}, {3, 10, 1200, 0}}});
    const std::string printed = html(page, Paper::a5);
    const std::string seen = visible(printed);
    CHECK(printed.find("@page { size: A5;") != std::string::npos);
    CHECK(seen.find("about 10–30 (estimate: 40–120 decisions of 15 seconds, as in 20 games played at random)") != std::string::npos);
    CHECK(lines_with(printed, "<ol class=\"steps\">") == 1);
    // Each note once, also where a sentence stands in another place on paper.
    CHECK(lines_with(printed, "href=\"#note-1\"") == 1);
    CHECK(lines_with(markdown(page), "every player's zzhand.[^1]\n") == 1);
    // The sentences of a rule with a text are in the appendix, and every name leads to where it is explained.
    CHECK(seen.find("Say turn.") < seen.rfind("Step by step\n"));
    CHECK(seen.find("Put the zzcard in the zzpile") > seen.rfind("Step by step\n"));
    CHECK(seen.find("Put the card in the zzpile") > seen.rfind("Step by step\n"));
    CHECK(lines_with(seen, "Zzhand A.") == 1);
    for (const char* drawn : {"zzred", "zzblue"})
        CHECK(lines_with(printed, fmt::format("<div class=\"card\"><strong>{}</strong>", drawn)) == 4);
    CHECK(markdown(page).find("Step by step") == std::string::npos);
}

TEST_CASE("a page for one number of players settles what depends on it") {
    const Rules rules = made(R"(game g
players 2..4 in a circle, clockwise
cards card { rank 1..9   1 of each }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
define most = (3 if players is 2 or players > 3, otherwise 5)
define least = cases of players { 2: 1   otherwise: 2 }
setup {
  put all cards on deck, shuffled
  deal most from deck to every hand
  if not players is 2 and players <= 3 { shuffle deck } otherwise if players >= 4: deal least from deck to hand of P4 otherwise: nothing
}
play { nothing }
winner = players, then shared
)");
    const auto read = [&](int players) { return markdown(book_of(rules.syntax, {}, rules.sources, {}, Language::en, {players, {}})); };
    CHECK(lines_with(read(0), "If the number of players is not 2") + lines_with(read(0), "players is at most 3") >= 1);
    CHECK(lines_with(read(2), "**Most**: 3.") == 1);
    CHECK(lines_with(read(3), "**Most**: 5.") == 1);
    CHECK(lines_with(read(4), "**Most**: 3.") == 1);
    CHECK(lines_with(read(2), "Shuffle the deck.") == 0);
    CHECK(lines_with(read(2), "Nothing happens.") == 2);
    CHECK(lines_with(read(3), "\n- Shuffle the deck.") == 1);
    CHECK(lines_with(read(4), "\n- Deal ") == 2);
    CHECK(lines_with(read(4), "**Least**: 2.") == 1);
    for (const int players : {2, 3, 4}) CHECK(read(players).find("number of players") == std::string::npos);
}

TEST_CASE("a page prints how words are read above them, where the file says it") {
    const Rules rules = made(R"(game g "手札は大山札ではない。山札<>"
players 2 in a circle, clockwise
cards card { rank 1..9   1 of each }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { nothing }
winner = players, then shared
labels ja { g "g" card "配るカード" deck "山札" hand "手札" rank "札" }
labels ja_kana { card "くばるカード" deck "やまふだ" hand "てふだ" rank "ふだ" }
)");
    const std::string web = html(page_of(rules, Language::ja));
    const std::string seen = visible(web);
    // The longest word is read as one, a part of another word is not.
    CHECK(lines_with(web, "<ruby>手札<rt>てふだ</rt></ruby>は大山札ではない。<ruby>山札<rt>やまふだ</rt></ruby>&lt;&gt;") == 1);
    CHECK(lines_with(web, "<ruby>配<rt>くば</rt></ruby>るカード") >= 1);
    CHECK(lines_with(web, "大<ruby>") == 0);
    CHECK(lines_with(web, "手<ruby>") == 0);
    CHECK(seen.find("<ruby>") == std::string::npos);
    CHECK(html(page_of(rules, Language::en)).find("<ruby>") == std::string::npos);
    CHECK(markdown(page_of(rules, Language::ja)).find("やまふだ") == std::string::npos);
    Diagnostics found;
    [[maybe_unused]] const Game game = check(rules.syntax, 2, {}, found);
    for (const Diagnostic& d : found) CHECK(render({d}, rules.sources, {}).find("ja_kana") == std::string::npos);
}
