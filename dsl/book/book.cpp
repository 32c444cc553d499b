// The page as a whole: its parts in order, and where footnotes belong.
#include "dsl/book/book.hpp"

#include "dsl/book/book_words.hpp"
#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <set>

namespace houserule::cli {

void add_heading(Page& page, const std::string& text, int level, Span span) {
    page.blocks.push_back({BlockKind::heading, level, text, {}, {}, span});
}

void add_paragraph(Page& page, const std::string& text, Span span) { page.blocks.push_back({BlockKind::paragraph, 0, text, {}, {}, span}); }

void add_list(const Telling& t, Page& page, std::vector<Item> items) {
    if (items.empty()) return;
    finish(t, items);
    page.blocks.push_back({BlockKind::list, 0, {}, std::move(items), {}, {}});
}

namespace {

// --- the head of the page

void players(const Telling& t, Page& page) {
    const std::vector<const Node*> all = declarations(t, Kind::d_players);
    if (all.empty()) return;
    const Node& d = *all.back();
    std::vector<std::string> numbers;
    for (const Node* c : d.children)
        if (c->kind == Kind::number) numbers.push_back(c->text);
    const bool clockwise = child(d, Kind::word)->text == "clockwise";
    const std::string many = fmt::format("{}", fmt::join(numbers, "–"));
    std::string text = t.fill(many == "1" ? "{} player" : "{} players, sitting in a circle; play goes {}",
                              many == "1" ? "{}人用" : "{}人用。円になって座り、{}に進む", many,
                              clockwise ? t.say("clockwise", "時計回り") : t.say("counterclockwise", "反時計回り"));
    if (const Node* teams = child(d, Kind::teams)) {
        std::vector<std::string> sides;
        for (const Node* team : teams->children) {
            std::vector<std::string> seats;
            for (const Node* s : team->children) seats.push_back(s->text);
            sides.push_back(t.ja ? fmt::format("{}", fmt::join(seats, "と")) : joined(t, seats));
        }
        text += t.fill("; in teams: {}", "。チーム：{}", fmt::join(sides, t.say(" against ", " 対 ")));
    }
    add_paragraph(page, text + t.say(".", "。") + change_mark(t, d), d.span);
}

// --- rules

void calls_in(const Telling& t, const Node& node, std::set<std::string>& called) {
    each_node(node, Kind::s_call, [&](const Node& call) {
        const std::string& name = call.children[0]->text;
        const Node* rule = meaning_of(t, name, Kind::d_rule);
        if (rule != nullptr && called.insert(name).second) calls_in(t, *rule, called);
    });
}

// `Settle (the player, the cats named)`: what the rule is about, when it is more than the player whose rule it is.
std::string rule_heading(const Telling& t, const Node& rule) {
    std::string text = titled(t, name_of(rule)->text);
    std::vector<std::string> about;
    for (const Local& l : t.locals)
        about.push_back(l.titled ? named(t, l.name) : l.numbered ? t.fill("{} {}", "{}{}", l.noun, named(t, l.name)) : l.noun);
    if (about.size() > 1 || (about.size() == 1 && t.locals[0].sort != Sort::player)) text += t.fill(" ({})", "({})", listed(t, about));
    return text + change_mark(t, rule);
}

void paragraph_of(Telling& t, const Node& declaration, const std::string& name, Page& page) {
    if (const std::string text = text_of(t, name); !text.empty()) add_paragraph(page, text, declaration.span);
    if (const Node* body = child(declaration, Kind::body)) add_list(t, page, sentences(t, *body));
}

void rule(Telling& t, const Node& d, Page& page) {
    const BlockScope scope(t);
    add_parameters(t, d);
    add_heading(page, rule_heading(t, d), 3, d.span);
    paragraph_of(t, d, name_of(d)->text, page);
}

void stage(Telling& t, Kind kind, const char* title, const char* name, Page& page) {
    for (const Node* d : declarations(t, kind)) {
        add_heading(page, title + change_mark(t, *d), 2, d->span);
        paragraph_of(t, *d, name, page);
    }
}

void rules(Telling& t, Page& page) {
    std::set<std::string> of_setup;
    std::set<std::string> of_play;
    for (const Node* d : t.merged->declarations) {
        if (d->kind == Kind::d_setup)
            calls_in(t, *d, of_setup);
        else if (d->kind == Kind::d_play || d->kind == Kind::d_act || d->kind == Kind::d_match || d->kind == Kind::d_ends ||
                 d->kind == Kind::d_end)
            calls_in(t, *d, of_play);
    }
    stage(t, Kind::d_setup, t.say("Set-up", "準備"), "setup", page);
    for (const Node* d : declarations(t, Kind::d_rule))
        if (of_setup.contains(d->children[0]->text) && !of_play.contains(d->children[0]->text)) rule(t, *d, page);
    for (const Node* d : declarations(t, Kind::d_match)) {
        add_heading(page, titled(t, d->children[0]->text) + change_mark(t, *d), 2, d->span);
        paragraph_of(t, *d, d->children[0]->text, page);
    }
    stage(t, Kind::d_play, t.say("Play", "ゲームの進行"), "play", page);
    for (const Node* d : declarations(t, Kind::d_rule))
        if (!of_setup.contains(d->children[0]->text) || of_play.contains(d->children[0]->text)) rule(t, *d, page);
}

void acts(Telling& t, Page& page) {
    const std::vector<const Node*> all = declarations(t, Kind::d_act);
    if (all.empty()) return;
    const auto offered = [](const Node* d) { return child(*d, Kind::word) != nullptr && child(*d, Kind::word)->text == "offered"; };
    const bool any_time = !std::all_of(all.begin(), all.end(), offered);
    add_heading(page, any_time ? t.say("At any time", "いつでもできること") : t.say("When it is offered", "望めばできること"), 2);
    for (const Node* d : all) {
        const BlockScope scope(t);
        add_parameters(t, *d);
        add_heading(page, titled(t, d->children[0]->text) + change_mark(t, *d), 3, d->span);
        if (const std::string text = text_of(t, d->children[0]->text); !text.empty()) add_paragraph(page, text, d->span);
        std::vector<Item> items;
        if (const Node* unless = child(*d, Kind::unless)) {
            const Clause can = clause(t, *unless->children[0], true);
            const char* when =
                offered(d) ? t.say("when the rules offer it, {} may do this if {}", "ルールがうながしたとき、{1}{0}はこれを行ってもよい")
                           : t.say("{} may do this at any time if {}", "{1}{0}はいつでもこれを行ってもよい");
            const Node* who = child(*d, Kind::parameters);
            const std::string player = who == nullptr ? t.say("the player", "その人") : phrase(t, *who->children[0]->children.back());
            items.push_back({fmt::format(fmt::runtime(when), player, t.ja ? can.conditional : can.plain), {}, unless->span});
        }
        for (Item& item : sentences(t, *child(*d, Kind::body))) items.push_back(std::move(item));
        add_list(t, page, std::move(items));
    }
}

void readings(Telling& t, Page& page) {
    if (t.readings.empty()) return;
    std::vector<Item> items;
    for (const auto& [name, item] : t.readings) items.push_back(item);
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::pair(a.span.source, a.span.begin) < std::pair(b.span.source, b.span.begin);
    });
    add_heading(page, t.say("Sentences that can be read in two ways", "読み方が分かれるところ"), 2);
    add_list(t, page, std::move(items));
}

// --- footnotes

bool covers(Span outer, Span inner) {
    return outer != Span{} && outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end;
}

// The text that says the smallest part of the file around `span`.
void find_place(std::vector<Item>& items, Span span, std::string*& best, Span& smallest) {
    for (Item& item : items) {
        if (covers(item.span, span) && (best == nullptr || item.span.end - item.span.begin <= smallest.end - smallest.begin)) {
            best = &item.text;
            smallest = item.span;
        }
        find_place(item.items, span, best, smallest);
    }
}

void add_note(const Telling& t, const RulebookNote& note, Page& page) {
    std::string* best = nullptr;
    Span smallest;
    for (Block& b : page.blocks) {
        const bool text = b.kind == BlockKind::heading || b.kind == BlockKind::paragraph;
        if (text && covers(b.span, note.span) && (best == nullptr || b.span.end - b.span.begin < smallest.end - smallest.begin)) {
            best = &b.text;
            smallest = b.span;
        }
        find_place(b.items, note.span, best, smallest);
        for (std::size_t i = 0; i < b.row_spans.size(); ++i) {
            if (!covers(b.row_spans[i], note.span)) continue;
            best = &b.rows[i + 1].front();
            smallest = b.row_spans[i];
        }
    }
    if (best == nullptr) best = &page.title;
    page.notes.push_back(t.fill("{}: {}", "{}：{}", strong(shown(note.id)), shown(note.text)));
    *best += fmt::format("{}{}{}", note_begins, page.notes.size(), note_ends);
}

// --- how many there are

Counts count(const Syntax& syntax, const Settings& settings) {
    Counts counts;
    const PlayerRange range = player_range(syntax);
    bool first = true;
    for (const int n : {range.low, range.high}) {
        Diagnostics ignored;
        const Game game = check(syntax, n, settings, ignored);
        int all = 0;
        for (const Family& f : game.families) {
            int of = 0;
            for (KindId k = f.first_kind; k < f.first_kind + f.kind_count; ++k) of += game.kinds[k].copies;
            counts.of[f.name].second = of;
            if (first) counts.of[f.name].first = of;
            all += of;
        }
        counts.all.second = all;
        if (first) counts.all.first = all;
        first = false;
    }
    return counts;
}

}  // namespace

Page book_of(const Syntax& syntax, const Settings& settings, const Sources& sources, const std::vector<RulebookNote>& notes,
             Language language) {
    Diagnostics ignored;
    const Merged merged = merge(syntax, settings, ignored);
    Telling t;
    t.ja = language == Language::ja;
    t.language = t.ja ? "ja" : "en";
    t.sources = &sources;
    t.merged = &merged;
    learn(t, syntax, merged);
    Page page;
    page.language = t.language;
    page.title = titled(t, merged.layers.back().game);
    page.notes_heading = t.say("Notes", "注");
    if (merged.layers.size() == 1) {
        if (const std::string about = text_of(t, merged.layers[0].game); !about.empty()) add_paragraph(page, about, merged.layers[0].line);
    } else {
        add_paragraph(page, t.fill("A house rule on {}.", "「{}」のハウスルール。", titled(t, merged.layers[0].game)),
                      merged.layers.back().line);
    }
    meet_terms(t);
    players(t, page);
    changes(t, syntax, page);
    components(t, count(syntax, settings), page);
    rules(t, page);
    acts(t, page);
    ends(t, page);
    scoring(t, page);
    // What the terms explain is known when all else has been told.
    Page rest;
    options(t, syntax, rest);
    decisions(t, rest);
    readings(t, rest);
    examples(t, rest);
    for (const RulebookNote& note : notes)
        for (const Node* d : declarations(t, Kind::d_define))
            if (covers(d->span, note.span)) t.used.insert(d->children[0]->text);
    terms(t, page);
    page.blocks.insert(page.blocks.end(), std::make_move_iterator(rest.blocks.begin()), std::make_move_iterator(rest.blocks.end()));
    for (const RulebookNote& note : notes) add_note(t, note, page);
    return page;
}

}  // namespace houserule::cli
