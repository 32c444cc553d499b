// How the game ends and what stands behind its rules: ends, scores, terms, options, decisions, examples, and what house rules change.
#include "dsl/book/book_words.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>
#include <set>

namespace houserule::cli {

namespace {

std::string with_text(const Telling& t, const std::string& head, const std::string& text) {
    return text.empty() ? head : t.fill(BookText::head_and_text, head, text);
}

std::string stage_words(const Telling& t, const Node& declaration) {
    const Node* stage = child(declaration, Kind::of_stage);
    return stage == nullptr || stage->children[0]->kind != Kind::name ? t.say(BookText::the_game) : quoted(t, stage->children[0]->text);
}

Item end_item(Telling& t, const Node& entry) {
    const BlockScope scope(t);
    const Node* condition = nullptr;
    for (std::size_t i = 1; i < entry.children.size(); ++i)
        if (entry.children[i]->kind != Kind::text && entry.children[i]->kind != Kind::body) condition = entry.children[i];
    const std::string& name = entry.children[0]->text;
    Item item{strong(titled(t, name)), {}, entry.span};
    if (condition != nullptr)
        item.text = with_text(t, item.text, t.ja ? clause(t, *condition).plain + "とき" : "when " + clause(t, *condition).plain);
    if (const std::string text = text_of(t, name); !text.empty()) item.items.push_back({text, {}, entry.span});
    if (const Node* body = child(entry, Kind::body); body != nullptr && !body->children.empty())
        item.items.push_back(under(t, t.say(BookText::then_at_last), sentences(t, *body), body->span));
    return item;
}

// The rules, acts and so on from which `end NAME` is said.
std::vector<std::string> where_said(const Telling& t, const std::string& end) {
    std::vector<std::string> names;
    for (const Node* d : t.merged->declarations) {
        bool says = false;
        each_node(*d, Kind::s_end, [&](const Node& s) { says = says || s.children[0]->text == end; });
        if (!says) continue;
        names.push_back(d->kind == Kind::d_play    ? t.say(BookText::the_play)
                        : d->kind == Kind::d_setup ? t.say(BookText::the_set_up)
                        : name_of(*d) != nullptr   ? quoted(t, name_of(*d)->text)
                                                   : t.say(BookText::another_end));
    }
    return names;
}

Item lone_end(Telling& t, const Node& end) {
    const BlockScope scope(t);
    add_parameters(t, end);
    const std::string& name = name_of(end)->text;
    const std::vector<std::string> from = where_said(t, name);
    Item item{strong(titled(t, name)), {}, end.span};
    if (!from.empty()) item.text = with_text(t, item.text, t.fill(BookText::comes_from, joined(t, from)));
    if (const std::string text = text_of(t, name); !text.empty()) item.items.push_back({text, {}, end.span});
    if (const Node* body = child(end, Kind::body); body != nullptr && !body->children.empty())
        item.items.push_back(under(t, t.say(BookText::then_at_last), sentences(t, *body), body->span));
    return item;
}

// What is worked out for each player: `score(player p) = …`.
void result_of_players(Telling& t, const Node& define, const std::string& title, Page& page) {
    const BlockScope scope(t);
    add_parameters(t, define);
    const Node& value = *define.children.back();
    add_heading(page, title + change_mark(t, define), 3, define.span);
    std::vector<Item> cases = cases_items(t, value);
    if (cases.empty())
        cases.push_back({whole(t, value), {}, value.span});
    else if (const std::string by = depending(t, value); !by.empty())
        add_paragraph(page, t.ja ? by.substr(std::string_view("、").size()) + "：" : capital(t, by.substr(2)) + ":");
    add_list(t, page, std::move(cases));
}

}  // namespace

std::vector<const Node*> declarations(const Telling& t, Kind kind) {
    std::vector<const Node*> all;
    for (const Node* d : t.merged->declarations)
        if (d->kind == kind) all.push_back(d);
    return all;
}

void each_node(const Node& node, Kind kind, const std::function<void(const Node&)>& f) {
    if (node.kind == kind) f(node);
    for (const Node* c : node.children) each_node(*c, kind, f);
}

bool is_changed(const Telling& t, const Node& declaration) {
    if (t.merged->layers.size() < 2) return false;
    if (t.merged->layer_of(declaration.span) > 0) return true;
    return std::any_of(declaration.children.begin(), declaration.children.end(),
                       [&](const Node* c) { return c->span != Span{} && t.merged->layer_of(c->span) > 0; });
}

std::string change_mark(const Telling& t, const Node& declaration) { return is_changed(t, declaration) ? t.say(BookText::house_rule) : ""; }

void ends(Telling& t, Page& page) {
    const std::vector<const Node*> checked = declarations(t, Kind::d_ends);
    const std::vector<const Node*> lone = declarations(t, Kind::d_end);
    if (checked.empty() && lone.empty()) return;
    add_heading(page, t.say(BookText::end), 2);
    for (const Node* d : checked) {
        std::vector<std::string> after;
        for (const Node* rule : child(*d, Kind::after)->children) after.push_back(reference(t, rule->text));
        std::vector<Item> items;
        for (const Node* entry : d->children)
            if (entry->kind == Kind::end_entry) items.push_back(end_item(t, *entry));
        const bool several = items.size() > 1;
        const std::string text = several ? t.fill(BookText::this_is_checked_after_the_first_of, joined(t, after), stage_words(t, *d))
                                         : t.fill(BookText::this_is_checked_after_it_ends, joined(t, after), stage_words(t, *d));
        add_paragraph(page, text + change_mark(t, *d), d->span);
        add_list(t, page, std::move(items));
    }
    if (lone.empty()) return;
    add_paragraph(
        page, checked.empty() ? t.say(BookText::the_game_also_ends_when_the_play) : t.say(BookText::other_ends_which_a_rule_brings_about));
    std::vector<Item> items;
    for (const Node* d : lone) items.push_back(lone_end(t, *d));
    add_list(t, page, std::move(items));
}

void scoring(Telling& t, Page& page) {
    const Node* score = meaning_of(t, "score", Kind::d_define);
    const Node* payoff = meaning_of(t, "payoff", Kind::d_define);
    const std::vector<const Node*> winner = declarations(t, Kind::d_winner);
    if (score == nullptr && payoff == nullptr && winner.empty()) return;
    add_heading(page, t.say(BookText::scoring_and_winner), 2);
    const bool common = score != nullptr && child(*score, Kind::parameters) == nullptr;
    if (score != nullptr)
        result_of_players(t, *score, common ? t.say(BookText::the_score_of_all_together) : t.say(BookText::the_score_of_a_player), page);
    if (payoff != nullptr) result_of_players(t, *payoff, t.say(BookText::what_a_player_wins_or_loses), page);
    if (winner.empty()) return;
    const Node& w = *winner.back();
    add_heading(page, t.say(BookText::the_winner) + change_mark(t, w), 3, w.span);
    std::vector<Item> items;
    if (w.children[0]->kind == Kind::all_if) {
        const Clause c = clause(t, *w.children[0]->children[0]);
        items.push_back({t.ja ? c.conditional + "全員の勝ち" : fmt::format("if {}: all win together", c.plain), {}, w.children[0]->span});
        items.push_back({t.say(BookText::otherwise_all_lose_together), {}, w.children[0]->span});
    } else {
        items.push_back({t.fill(BookText::the_game_is_won_by, phrase(t, *w.children[0])), {}, w.children[0]->span});
    }
    bool broken = false;  // a tie, by something before the last word
    for (const Node* c : w.children) {
        if (c->kind != Kind::then_by) continue;
        const std::string what = compared(t, *c->children[1], Sort::players);
        const std::string most = extreme(t, *c->children[1], c->children[0]->text == "most");
        items.push_back({t.fill(BookText::if_several_tie_those_with_the_most, what, most), {}, c->span});
        broken = true;
    }
    const Node* last = w.children.back()->kind == Kind::word ? w.children.back() : nullptr;
    const std::string word = last == nullptr ? "" : last->text;
    const auto tie = [&](TextRow<0> first, TextRow<0> then) { items.push_back({t.say(broken ? then : first), {}, last->span}); };
    if (word == "shared") tie(BookText::if_several_tie_all_of_them, BookText::if_a_tie_remains_all_of_them);
    if (word == "nobody") tie(BookText::if_several_tie_nobody_wins, BookText::if_a_tie_remains_nobody_wins);
    if (word == "by lot") tie(BookText::if_several_tie_a_lot_decides, BookText::if_a_tie_remains_a_lot_decides);
    add_list(t, page, std::move(items));
}

void aim(Telling& t, Page& page) {
    Page all;
    scoring(t, all);
    std::vector<Item> items;
    for (Block& b : all.blocks)
        if (b.kind == BlockKind::list) items = std::move(b.items);  // the last one tells who wins
    if (items.empty()) return;
    for (Item& item : items) item.span = {};  // of the rules' lines the scoring speaks
    std::vector<std::string> names;
    for (const Node* d : declarations(t, Kind::d_ends))
        for (const Node* entry : d->children)
            if (entry->kind == Kind::end_entry) names.push_back(named(t, entry->children[0]->text));
    if (!names.empty())
        items.push_back({t.fill(BookText::it_is_over_with, fmt::format("{}", fmt::join(names, t.say(BookText::between_cases)))), {}, {}});
    add_heading(page, t.say(BookText::aim), 2);
    add_list(t, page, std::move(items));
}

// What the definition says; under the author's sentence about it, if there is one.
Item term_item(Telling& t, const Node& define) {
    const BlockScope scope(t);
    add_parameters(t, define);
    std::vector<std::string> of;
    if (const Node* parameters = child(define, Kind::parameters))
        for (const Node* p : parameters->children) of.push_back(phrase(t, *p->children.back()));
    const std::string& name = define.children[0]->text;
    const std::string whose = of.empty() ? "" : t.fill(BookText::in_brackets_behind, joined(t, of));
    const Node& value = *define.children.back();
    std::vector<Item> cases = cases_items(t, value);
    const std::string text = text_of(t, name);
    const std::string by = text.empty() ? depending(t, value) : "";
    const std::string head = t.fill(BookText::head_of_two, strong(titled(t, name)), whose + by + change_mark(t, define));
    if (!cases.empty() && text.empty()) return under(t, head, std::move(cases), define.span);
    const Node* counts = value.kind == Kind::e_reading ? chosen_arm(t, value)->children.back() : &value;
    const auto formal = [&]() -> std::string {
        if (!is_truth(t, value)) return whole(t, value);
        if (counts->kind == Kind::yes || counts->kind == Kind::no) return clause(t, value).plain;
        return t.fill(BookText::holds_if, clause(t, value).plain);
    };
    if (text.empty()) return {head + formal(), {}, define.span};
    if (cases.empty()) cases.push_back({capital(t, formal()), {}, value.span});
    return {head + text, std::move(cases), define.span};
}

void meet_terms(Telling& t) {
    for (const Node* d : declarations(t, Kind::d_define)) static_cast<void>(term_item(t, *d));
    t.used.clear();
}

void terms(Telling& t, Page& page) {
    std::vector<Item> items;
    // A term may be explained by others.
    for (std::size_t before = t.used.size() + 1; before != t.used.size();) {
        before = t.used.size();
        for (const Node* d : declarations(t, Kind::d_define))
            if (t.used.contains(d->children[0]->text)) static_cast<void>(term_item(t, *d));
    }
    for (const Node* d : declarations(t, Kind::d_define))
        if (t.used.contains(d->children[0]->text) && d->children[0]->text != "score" && d->children[0]->text != "payoff")
            items.push_back(term_item(t, *d));
    if (items.empty()) return;
    add_heading(page, t.say(BookText::terms), 2);
    add_list(t, page, std::move(items));
}

// --- options and readings

namespace {

// A declaration that an option or a house rule brings, in one line.
std::string thing_words(const Telling& t, const Node& d) {
    const Node* name = name_of(d);
    const std::string what = name == nullptr ? "" : quoted(t, name->text);
    switch (d.kind) {
        case Kind::d_rule:
            return t.fill(BookText::the_rule, what);
        case Kind::d_define:
            return t.fill(BookText::the_term, what);
        case Kind::d_zone:
            return t.fill(BookText::the_place, what);
        case Kind::d_fact:
            return t.fill(BookText::the_record, what);
        case Kind::d_cards:
        case Kind::d_change_cards:
            return t.fill(BookText::the_cards, what);
        case Kind::d_enum:
        case Kind::d_change_enum:
            return t.fill(BookText::the_list, what);
        case Kind::d_act:
            return t.fill(BookText::the_act, what);
        case Kind::d_match:
            return t.fill(BookText::the_match, what);
        case Kind::d_option:
            return t.fill(BookText::the_option, what);
        case Kind::end_entry:
        case Kind::d_end:
            return t.fill(BookText::the_end, what);
        case Kind::d_ends:
            return t.say(BookText::another_check_for_an_end);
        case Kind::d_setup:
            return t.say(BookText::the_set_up);
        case Kind::d_play:
            return t.say(BookText::the_play);
        case Kind::d_winner:
            return t.say(BookText::who_wins);
        case Kind::d_players:
            return t.say(BookText::who_can_play);
        default:
            return "";
    }
}

std::string removed_words(const Telling& t, const Node& d) {
    const std::string& kind = d.children[0]->text;
    const std::string what = d.children[1]->kind == Kind::name ? quoted(t, d.children[1]->text) : "";
    if (kind == "rule") return t.fill(BookText::the_rule, what);
    if (kind == "end") return t.fill(BookText::the_end, what);
    if (kind == "act") return t.fill(BookText::the_act, what);
    if (kind == "cards" || kind == "pieces") return t.fill(BookText::the_cards, what);
    if (kind == "fact") return t.fill(BookText::the_record, what);
    if (kind == "define") return t.fill(BookText::the_term, what);
    if (kind == "zone") return t.fill(BookText::the_place, what);
    return what;
}

// The same as `under` for a rule, a term, an end or a winner that an option brings.
std::vector<Item> brought(Telling& t, const Node& d) {
    const BlockScope scope(t);
    std::vector<Item> items;
    switch (d.kind) {
        case Kind::d_rule:
        case Kind::d_match:
        case Kind::d_setup:
        case Kind::d_play: {
            add_parameters(t, d);
            if (const Node* text = child(d, Kind::text); text != nullptr && (!t.ja || t.merged->layers.back().text_language == "ja"))
                items.push_back({shown(text->text), {}, d.span});
            for (Item& item : sentences(t, *child(d, Kind::body))) items.push_back(std::move(item));
            break;
        }
        case Kind::d_ends:
            for (const Node* entry : d.children)
                if (entry->kind == Kind::end_entry) items.push_back(end_item(t, *entry));
            break;
        case Kind::d_define: {
            add_parameters(t, d);
            const Node& value = *d.children.back();
            items = cases_items(t, value);
            if (items.empty()) items.push_back({is_truth(t, value) ? clause(t, value).plain : whole(t, value), {}, value.span});
            break;
        }
        case Kind::d_winner:
            items.push_back({phrase(t, *d.children[0]), {}, d.span});
            break;
        default:
            break;
    }
    return items;
}

// What a reader of the rules is told of; a printed total only checks the file.
bool is_shown(const Node& declaration) {
    const Node& d = declaration.kind == Kind::d_replace ? *declaration.children[0] : declaration;
    const bool total = d.kind == Kind::d_total ||
                       (d.kind == Kind::d_remove &&
                        (d.children[0]->text == "total" || d.children[0]->text == "assume" || d.children[0]->text == "unclear"));
    return !total && d.kind != Kind::d_labels && d.kind != Kind::d_texts && d.kind != Kind::d_example && d.kind != Kind::d_assume &&
           d.kind != Kind::d_unclear && d.kind != Kind::d_accept && d.kind != Kind::d_game && d.kind != Kind::d_when &&
           d.kind >= Kind::d_game && d.kind <= Kind::d_texts;
}

Item change_item(Telling& t, const Node& d) {
    Item item{"", {}, d.span};
    if (d.kind == Kind::d_replace) {
        const Node& by = *d.children[0];
        item.text = t.fill(BookText::is_different, thing_words(t, by));
        item.items = brought(t, by);
    } else if (d.kind == Kind::d_remove) {
        item.text = t.fill(BookText::is_left_out, removed_words(t, d));
    } else if (d.kind == Kind::d_change_cards || d.kind == Kind::d_change_enum) {
        item.text = t.fill(BookText::are_different, thing_words(t, d));
    } else if (d.kind == Kind::d_set) {
        const std::string& value = d.children[1]->text;
        item.text = t.fill(BookText::is, quoted(t, d.children[0]->text),
                           value == "yes"  ? t.say(BookText::quoted_yes)
                           : value == "no" ? t.say(BookText::quoted_no)
                                           : quoted(t, value));
    } else {
        item.text = t.fill(BookText::is_added, thing_words(t, d));
        item.items = brought(t, d);
    }
    return item;
}

std::vector<Item> change_items(Telling& t, const Node& layer) {
    std::vector<Item> items;
    for (const Node* d : layer.children) {
        if (is_shown(*d)) items.push_back(change_item(t, *d));
    }
    return items;
}

// Whether the declarations of a `when` hold on this page.
bool is_merged(const Telling& t, const Node& when) {
    std::set<const Node*> said;
    for (const Node* d : t.merged->declarations) {
        said.insert(d);
        for (const Node* c : d->children) said.insert(c);
    }
    return std::any_of(when.children.begin(), when.children.end(),
                       [&](const Node* d) { return said.contains(d) || (d->kind == Kind::d_replace && said.contains(d->children[0])); });
}

}  // namespace

void options(Telling& t, const Syntax& syntax, Page& page) {
    std::vector<Item> items;
    for (const Offer& offer : t.merged->offers) {
        if (offer.reading) continue;
        Item item{strong(titled(t, offer.name)), {}, offer.span};
        if (const std::string text = text_of(t, offer.name); !text.empty()) item.text = with_text(t, item.text, text);
        std::vector<std::string> values;
        for (const std::string& v : offer.declared)
            values.push_back(v == "yes" ? t.say(BookText::yes) : v == "no" ? t.say(BookText::no) : named(t, v));
        std::string chosen;
        for (const OptionValue& o : t.merged->options)
            if (o.name == offer.name)
                chosen = o.value == "yes" ? t.say(BookText::yes) : o.value == "no" ? t.say(BookText::no) : named(t, o.value);
        item.items.push_back({t.fill(BookText::one_of_on_this_page, listed(t, values), chosen), {}, offer.span});
        items.push_back(std::move(item));
    }
    if (items.empty()) return;
    add_heading(page, t.say(BookText::options), 2);
    add_list(t, page, std::move(items));
    for (const Node* layer : layers(syntax)) {
        for (const Node* when : layer->children) {
            if (when->kind != Kind::d_when || is_merged(t, *when)) continue;
            const Clause c = clause(t, *when->children[0]);
            add_heading(page, t.ja ? c.plain + "とき" : "If " + c.plain, 3, when->span);
            add_list(t, page, change_items(t, *when));
        }
    }
}

// --- decisions and examples

void decisions(Telling& t, Page& page) {
    std::vector<Item> decided;
    std::vector<Item> open;
    for (const Node* d : t.merged->declarations) {
        const Node* rule = name_of(*d);
        const bool inside = d->kind != Kind::d_assume && d->kind != Kind::d_unclear;
        const std::string where = !inside                    ? ""
                                  : d->kind == Kind::d_setup ? t.say(BookText::set_up)
                                  : d->kind == Kind::d_play  ? t.say(BookText::play)
                                  : rule != nullptr          ? titled(t, rule->text)
                                                             : "";
        const auto add = [&](const Node& n) {
            const auto texts = t.texts.find(n.children[0]->text);
            const bool translated = texts != t.texts.end() && texts->second.contains(t.code);
            const std::string text = translated ? shown(texts->second.at(t.code)) : shown(child(n, Kind::text)->text);
            (n.kind == Kind::d_assume ? decided : open)
                .push_back({where.empty() ? text : t.fill(BookText::head_and_text, strong(where), text), {}, n.span});
        };
        each_node(*d, Kind::d_assume, add);
        each_node(*d, Kind::d_unclear, add);
    }
    if (decided.empty() && open.empty()) return;
    add_heading(page, t.say(BookText::where_the_rulebook_is_silent), 2);
    if (!decided.empty()) {
        add_paragraph(page, t.say(BookText::decided_here));
        add_list(t, page, std::move(decided));
    }
    if (open.empty()) return;
    add_paragraph(page, t.say(BookText::left_open));
    add_list(t, page, std::move(open));
}

namespace {

Item given_item(Telling& t, const Node& given) {
    const Node& what = *given.children[0];
    const Node& values = *given.children[1];
    std::vector<std::string> all;
    for (const Node* v : values.children) all.push_back(number(t, *v));
    const std::string value = all.empty() ? t.say(BookText::nothing) : joined(t, all);
    const Node* single = values.children.size() == 1 ? values.children[0] : nullptr;
    if (single != nullptr && (single->kind == Kind::yes || single->kind == Kind::no) && sort_of(t, what) == Sort::truth)
        return {clause(t, what, single->kind == Kind::no).plain, {}, given.span};
    return {t.fill(BookText::is, phrase(t, what), value), {}, given.span};
}

Item example_item(Telling& t, const Node& example) {
    const BlockScope scope(t);
    const auto titles = t.texts.find(example.children[0]->text);
    const bool translated = titles != t.texts.end() && titles->second.contains(t.code);
    Item item{strong(shown(translated ? titles->second.at(t.code) : example.children[0]->text)), {}, example.span};
    std::vector<std::string> when;
    if (const Node* n = child(example, Kind::for_players)) when.push_back(t.fill(BookText::players, n->children[0]->text));
    for (const Node* c : example.children)
        if (c->kind == Kind::with_option)
            when.push_back(t.fill(BookText::head_and_text, quoted(t, c->children[0]->text), phrase(t, *c->children[1])));
    if (!when.empty()) item.text += t.fill(BookText::in_brackets_behind, listed(t, when));
    for (const Node* c : example.children) {
        if (c->kind == Kind::given) {
            item.items.push_back(given_item(t, *c));
        } else if (c->kind == Kind::do_rule) {
            std::vector<std::string> whom;
            if (const Node* arguments = child(*c, Kind::arguments))
                for (const Node* a : arguments->children) whom.push_back(phrase(t, *a));
            std::string name = reference(t, c->children[0]->text);
            if (const Node* choosing = child(*c, Kind::choosing)) {
                std::vector<std::string> chosen;
                for (const Node* value : choosing->children) chosen.push_back(phrase(t, *value));
                name += t.fill(BookText::with_the_choices, listed(t, chosen));
            }
            item.items.push_back(
                {whom.empty() ? t.fill(BookText::then, name) : t.fill(BookText::then_for, name, joined(t, whom)), {}, c->span});
        } else if (c->kind == Kind::then_holds) {
            item.items.push_back({t.fill(BookText::arrow, clause(t, *c->children[0]).plain), {}, c->span});
        }
    }
    return item;
}

}  // namespace

void examples(Telling& t, Page& pictures, Page& words) {
    // An example speaks of the terms by their names: what they mean for P1 is what it shows.
    t.spell = false;
    std::vector<Item> items;
    Page drawn;
    for (const Node* d : declarations(t, Kind::d_example)) {
        const Node* n = child(*d, Kind::for_players);
        if (t.players != 0 && n != nullptr && n->children[0]->text != std::to_string(t.players)) continue;
        items.push_back(example_item(t, *d));
        picture(t, *d, items.back(), drawn);
    }
    t.spell = true;
    if (items.empty()) return;
    mark(pictures, Where::print, [&] {
        add_heading(pictures, t.say(BookText::examples), 2);
        for (Block& b : drawn.blocks) pictures.blocks.push_back(std::move(b));
    });
    mark(words, Where::reading, [&] {
        add_heading(words, t.say(BookText::examples), 2);
        add_list(t, words, std::move(items));
    });
}

void changes(Telling& t, const Syntax& syntax, Page& page) {
    const std::vector<const Node*> all = layers(syntax);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Node* line = game_line(*all[i]);
        const std::string name = line == nullptr ? "" : titled(t, line->children[0]->text);
        add_heading(page, t.fill(BookText::what_the_house_rule_changes, name), 2, all[i]->span);
        if (line != nullptr)
            if (const std::string about = text_of(t, line->children[0]->text); !about.empty()) add_paragraph(page, about, line->span);
        std::vector<Item> items;
        for (const Node* d : all[i]->children) {
            if (!is_shown(*d)) continue;
            Item item = change_item(t, *d);
            item.items.clear();  // it stands where it belongs
            items.push_back(std::move(item));
        }
        if (!items.empty()) add_list(t, page, std::move(items));
    }
}

}  // namespace houserule::cli
