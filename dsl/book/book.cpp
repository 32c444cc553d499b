// The page as a whole: its parts in order, and where footnotes belong.
#include "dsl/book/book.hpp"

#include "dsl/book/book_words.hpp"
#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace houserule::cli {

void finish(const Telling& t, std::vector<Item>& items) {
    constexpr std::string_view closing[] = {".", "!", "?", ".)", "?)", "。", "！", "？", "。)", "。）", "？）"};
    for (Item& item : items) {
        item.text = capital(t, item.text);
        const bool closed =
            std::any_of(std::begin(closing), std::end(closing), [&](std::string_view mark) { return item.text.ends_with(mark); });
        if (!closed && !item.text.empty()) item.text += item.items.empty() ? t.say(BookText::full_stop) : t.say(BookText::colon_at_the_end);
        finish(t, item.items);
    }
}

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
    std::string text = many == "1" ? t.fill(BookText::for_one_player, many)
                                   : t.fill(BookText::players_sitting_in_a_circle_play_goes, many,
                                            clockwise ? t.say(BookText::clockwise_direction) : t.say(BookText::counterclockwise_direction));
    if (const Node* teams = child(d, Kind::teams)) {
        std::vector<std::string> sides;
        for (const Node* team : teams->children) {
            std::vector<std::string> seats;
            for (const Node* s : team->children) seats.push_back(s->text);
            sides.push_back(t.ja ? fmt::format("{}", fmt::join(seats, "と")) : joined(t, seats));
        }
        text += t.fill(BookText::in_teams, fmt::join(sides, t.say(BookText::against)));
    }
    add_paragraph(page, text + t.say(BookText::full_stop) + change_mark(t, d), d.span);
    if (t.players != 0) add_paragraph(page, t.fill(BookText::this_page_is_for_players, t.players));
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
        about.push_back(l.titled ? named(t, l.name) : l.numbered ? t.fill(BookText::noun_and_name, l.noun, named(t, l.name)) : l.noun);
    if (about.size() > 1 || (about.size() == 1 && t.locals[0].sort != Sort::player))
        text += t.fill(BookText::in_brackets_behind, listed(t, about));
    return text + change_mark(t, rule);
}

// Where there is a text, what the statements do need not stand below it on paper.
void paragraph_of(Telling& t, const Node& declaration, const std::string& name, Page& page) {
    const std::string text = text_of(t, name);
    if (!text.empty()) add_paragraph(page, text, declaration.span);
    if (const Node* body = child(declaration, Kind::body))
        mark(page, text.empty() ? Where::both : Where::appendix, [&] { add_list(t, page, sentences(t, *body)); });
}

void rule(Telling& t, const Node& d, Page& page) {
    const BlockScope scope(t);
    add_parameters(t, d);
    add_heading(page, rule_heading(t, d), 3, d.span);
    paragraph_of(t, d, name_of(d)->text, page);
    mark(page, Where::print, [&] { add_list(t, page, value_meanings(t, d)); });
}

void stage(Telling& t, Kind kind, const std::string& title, const char* name, Page& page) {
    for (const Node* d : declarations(t, kind)) {
        add_heading(page, title + change_mark(t, *d), 2, d->span);
        page.blocks.back().new_sheet = kind == Kind::d_play;
        paragraph_of(t, *d, name, page);
    }
}

// The rules that only examples run.
std::vector<const Node*> rules_of_examples(const Telling& t, const std::set<std::string>& of_setup, const std::set<std::string>& of_play) {
    std::set<std::string> done;
    for (const Node* d : declarations(t, Kind::d_example))
        each_node(*d, Kind::do_rule, [&](const Node& run) { done.insert(run.children[0]->text); });
    std::vector<const Node*> rules;
    for (const Node* d : declarations(t, Kind::d_rule)) {
        const std::string& name = d->children[0]->text;
        if (done.contains(name) && !of_setup.contains(name) && !of_play.contains(name)) rules.push_back(d);
    }
    return rules;
}

// Comes back with the rules that belong to the examples; what nothing runs is left out.
std::vector<const Node*> rules(Telling& t, const Syntax& syntax, Page& page) {
    std::set<std::string> of_setup;
    std::set<std::string> of_play;
    for (const Node* layer : layers(syntax))
        for (const Node* d : layer->children)
            if (d->kind == Kind::d_when) calls_in(t, *d, of_play);
    for (const Node* d : t.merged->declarations) {
        if (d->kind == Kind::d_setup)
            calls_in(t, *d, of_setup);
        else if (d->kind == Kind::d_play || d->kind == Kind::d_act || d->kind == Kind::d_match || d->kind == Kind::d_ends ||
                 d->kind == Kind::d_end)
            calls_in(t, *d, of_play);
    }
    for (auto name = of_setup.begin(); name != of_setup.end();) name = of_play.contains(*name) ? of_setup.erase(name) : std::next(name);
    mark(page, Where::reading, [&] {
        stage(t, Kind::d_setup, t.say(BookText::set_up), "setup", page);
        for (const Node* d : declarations(t, Kind::d_rule))
            if (of_setup.contains(d->children[0]->text)) rule(t, *d, page);
    });
    steps(t, of_setup, page);
    for (const Node* d : declarations(t, Kind::d_match)) {
        add_heading(page, titled(t, d->children[0]->text) + change_mark(t, *d), 2, d->span);
        paragraph_of(t, *d, d->children[0]->text, page);
    }
    stage(t, Kind::d_play, t.say(BookText::play), "play", page);
    for (const Node* d : declarations(t, Kind::d_rule))
        if (of_play.contains(d->children[0]->text)) rule(t, *d, page);
    return rules_of_examples(t, of_setup, of_play);
}

void acts(Telling& t, Page& page) {
    const std::vector<const Node*> all = declarations(t, Kind::d_act);
    if (all.empty()) return;
    const auto offered = [](const Node* d) { return child(*d, Kind::word) != nullptr && child(*d, Kind::word)->text == "offered"; };
    const bool any_time = !std::all_of(all.begin(), all.end(), offered);
    add_heading(page, any_time ? t.say(BookText::at_any_time) : t.say(BookText::when_it_is_offered), 2);
    for (const Node* d : all) {
        const BlockScope scope(t);
        add_parameters(t, *d);
        add_heading(page, titled(t, d->children[0]->text) + change_mark(t, *d), 3, d->span);
        const std::string text = text_of(t, d->children[0]->text);
        if (!text.empty()) add_paragraph(page, text, d->span);
        std::vector<Item> items;
        if (const Node* unless = child(*d, Kind::unless)) {
            const Clause can = clause(t, *unless->children[0], true);
            const auto when = offered(d) ? BookText::when_the_rules_offer_it_may_do : BookText::may_do_this_at_any_time_if;
            const Node* who = child(*d, Kind::parameters);
            const std::string player = who == nullptr ? t.say(BookText::the_player) : phrase(t, *who->children[0]->children.back());
            items.push_back({t.fill(when, player, t.ja ? can.conditional : can.plain), {}, unless->span});
        }
        for (Item& item : sentences(t, *child(*d, Kind::body))) items.push_back(std::move(item));
        mark(page, text.empty() ? Where::both : Where::appendix, [&] { add_list(t, page, std::move(items)); });
        mark(page, Where::print, [&] { add_list(t, page, value_meanings(t, *d)); });
    }
}

void readings(Telling& t, Page& page) {
    if (t.readings.empty()) return;
    std::vector<Item> items;
    for (const auto& [name, item] : t.readings) items.push_back(item);
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::pair(a.span.source, a.span.begin) < std::pair(b.span.source, b.span.begin);
    });
    add_heading(page, t.say(BookText::sentences_that_can_be_read_in_two), 2);
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

// The text that the note belongs to, passing over the blocks that stand only there.
std::string* place_of(const RulebookNote& note, Where not_there, Page& page) {
    std::string* best = nullptr;
    Span smallest;
    for (Block& b : page.blocks) {
        if (b.where == not_there) continue;
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
    return best;
}

void add_note(const Telling& t, const RulebookNote& note, Page& page) {
    std::string* read = place_of(note, Where::print, page);
    std::string* printed = place_of(note, Where::reading, page);
    // The title stands on both pages.
    if (read == nullptr || printed == nullptr) read = printed = &page.title;
    page.notes.push_back(t.fill(BookText::head_and_text, strong(shown(note.id)), shown(note.text)));
    const std::string mark = fmt::format("{}{}{}", note_begins, page.notes.size(), note_ends);
    *read += mark;
    if (printed != read) *printed += mark;
}

// --- how many there are

Counts count(const Syntax& syntax, const Settings& settings, int players) {
    Counts counts;
    const PlayerRange range = player_range(syntax);
    counts.players = players != 0 ? std::pair(players, players) : std::pair(range.low, range.high);
    bool first = true;
    for (const int n : {counts.players.first, counts.players.second}) {
        Diagnostics ignored;
        Game game = check(syntax, n, settings, ignored);
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
        counts.game = std::move(game);
    }
    return counts;
}

}  // namespace

namespace {

Page told_page(Telling& t, const Syntax& syntax, const Settings& settings, const Sources& sources, const std::vector<RulebookNote>& notes,
               Language language, const PageFor& asked) {
    Diagnostics ignored;
    const Merged merged = merge(syntax, settings, ignored);
    t.ja = language == Language::ja;
    t.language = language;
    t.code = code_of(language);
    t.sources = &sources;
    t.merged = &merged;
    t.players = asked.players;
    learn(t, syntax, merged);
    Page page;
    page.language = t.code;
    page.title = titled(t, merged.layers.back().game);
    page.notes_heading = t.say(BookText::notes);
    if (merged.layers.size() == 1) {
        if (const std::string about = text_of(t, merged.layers[0].game); !about.empty()) add_paragraph(page, about, merged.layers[0].line);
    } else {
        add_paragraph(page, t.fill(BookText::a_house_rule_on, titled(t, merged.layers[0].game)), merged.layers.back().line);
    }
    meet_terms(t);
    mark(page, Where::reading, [&] { players(t, page); });
    const Counts counts = count(syntax, settings, asked.players);
    cover(t, asked, counts, page);
    changes(t, syntax, page);
    aim(t, page);
    components(t, counts, page);
    const std::vector<const Node*> of_examples = rules(t, syntax, page);
    acts(t, page);
    ends(t, page);
    scoring(t, page);
    // What the terms explain is known when all else has been told.
    Page rest;
    Page in_words;
    examples(t, rest, in_words);
    for (const Node* d : of_examples) rule(t, *d, in_words);
    options(t, syntax, rest);
    decisions(t, rest);
    readings(t, rest);
    std::ranges::move(in_words.blocks, std::back_inserter(rest.blocks));
    for (const RulebookNote& note : notes)
        for (const Node* d : declarations(t, Kind::d_define))
            if (covers(d->span, note.span)) t.used.insert(d->children[0]->text);
    mark(page, Where::appendix, [&] { terms(t, page); });
    page.appendix_heading = t.say(BookText::step_by_step);
    readings_aloud(t, page);
    index(t, page);
    page.blocks.insert(page.blocks.end(), std::make_move_iterator(rest.blocks.begin()), std::make_move_iterator(rest.blocks.end()));
    for (const RulebookNote& note : notes) add_note(t, note, page);
    return page;
}

void each_item(const std::vector<Item>& items, const std::function<void(const Item&)>& f) {
    for (const Item& item : items) {
        f(item);
        each_item(item.items, f);
    }
}

// Without marks, and without the full stop or colon that a line on the page ends with.
std::string bare(const std::string& text) {
    std::string plain;
    for (const char c : text)
        if (c < code_begins || c > note_ends) plain += c;
    for (const std::string_view end : {".", ":", "。", "："})
        if (plain.ends_with(end)) plain.erase(plain.size() - end.size());
    return plain;
}

}  // namespace

Page book_of(const Syntax& syntax, const Settings& settings, const Sources& sources, const std::vector<RulebookNote>& notes,
             Language language, const PageFor& asked) {
    Telling t;
    return told_page(t, syntax, settings, sources, notes, language, asked);
}

Wording::Wording(const Syntax& syntax, const Settings& settings, const Sources& sources, Language language, int players) {
    Telling t;
    t.told = [&](Span span, const std::string& holds, const std::string& denied) {
        const auto same = [&](const Said& said) { return said.span == span; };
        if (std::ranges::none_of(conditions_, same)) conditions_.push_back({span, bare(holds), bare(denied)});
    };
    t.joined = [&](Span span, const std::string& sentence) { sentences_.push_back({span, bare(capital(t, sentence)), {}}); };
    const Page page = told_page(t, syntax, settings, sources, {}, language, {players, {}});
    for (const Block& block : page.blocks)
        each_item(block.items, [&](const Item& item) {
            if (item.span != Span{}) sentences_.push_back({item.span, bare(item.text), {}});
        });
}

std::string Wording::sentence(Span statement) const {
    const auto said = std::ranges::find(sentences_, statement, &Said::span);
    return said == sentences_.end() ? "" : said->holds;
}

std::string Wording::condition(Span expression, bool holds) const {
    const auto said = std::ranges::find(conditions_, expression, &Said::span);
    return said == conditions_.end() ? "" : holds ? said->holds : said->denied;
}

}  // namespace houserule::cli
