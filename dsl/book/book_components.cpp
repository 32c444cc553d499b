// What lies on the table: families of cards, places, and what is kept track of.
#include "dsl/book/book_words.hpp"

#include <algorithm>
#include <set>

namespace houserule::cli {

namespace {

std::string counted(const Telling& t, std::pair<int, int> n) {
    const std::string many = n.first == n.second ? std::to_string(n.first) : fmt::format("{}–{}", n.first, n.second);
    return t.ja ? many + t.say(t.pieces ? BookText::unit_of_pieces : BookText::unit_of_cards)
                : fmt::format("{} {}", many, piece(t, n.second != 1));
}

// `rank (2–14)`; the names of numbers behind it.
std::string field_words(Telling& t, const Node& field) {
    std::string text = t.fill(BookText::with_remark, named(t, field.children[0]->text), type_words(t, *field.children[1]));
    const Node* names = child(field, Kind::with_names);
    if (names == nullptr) return text;
    std::vector<std::string> all;
    for (std::size_t i = 0; i + 1 < names->children.size(); i += 2)
        all.push_back(fmt::format("{} = {}", named(t, names->children[i]->text), names->children[i + 1]->text));
    text.pop_back();
    return fmt::format("{}; {})", text, listed(t, all));
}

std::vector<const Node*> children_of(const Node& node, Kind kind) {
    std::vector<const Node*> all;
    for (const Node* c : node.children)
        if (c->kind == kind) all.push_back(c);
    return all;
}

void combinations(Telling& t, const Node& family, const Node& row, Page& page) {
    std::vector<std::string> fields;
    for (const Node* f : children_of(family, Kind::field)) fields.push_back(field_words(t, *f));
    const std::string copies = number(t, *row.children[0]);
    std::string text;
    if (fields.empty())
        text = t.fill(BookText::of_them_all_alike, copies);
    else if (fields.size() == 1)
        text = t.fill(BookText::of_each, fields[0], copies);
    else
        text = t.fill(BookText::every_combination_of_of_each, joined(t, fields), copies);
    if (const Node* where = child(row, Kind::where))
        text += t.fill(BookText::only_those, that_hold(t, *where->children[0], "", Sort::card));
    add_paragraph(page, capital(t, text) + t.say(BookText::full_stop), family.span);
}

void table_of_rows(Telling& t, const Node& family, const std::vector<const Node*>& rows, Page& page) {
    const std::vector<const Node*> fields = children_of(family, Kind::field);
    const bool with_names = std::any_of(rows.begin(), rows.end(), [&](const Node* r) { return name_of_row(family, *r) != nullptr; });
    Block table{BlockKind::table};
    table.span = family.span;
    std::vector<std::string> head;
    if (with_names) head.push_back(capital(t, piece(t, false)));
    for (const Node* f : fields) head.push_back(titled(t, f->children[0]->text));
    head.push_back(t.say(BookText::copies));
    table.rows.push_back(std::move(head));
    for (const Node* r : rows) {
        std::vector<std::string> cells;
        const Node* name = name_of_row(family, *r);
        if (with_names) cells.push_back(name == nullptr ? "" : named(t, name->text));
        for (std::size_t i = name == nullptr ? 1 : 2; i < r->children.size(); ++i) cells.push_back(phrase(t, *r->children[i]));
        cells.resize(fields.size() + (with_names ? 1 : 0));
        cells.push_back(number(t, *r->children[0]));
        table.rows.push_back(std::move(cells));
        table.row_spans.push_back(r->span);
    }
    page.blocks.push_back(std::move(table));
}

void families(Telling& t, const Counts& counts, Page& page) {
    const std::vector<const Node*> all = declarations(t, Kind::d_cards);
    for (const Node* family : all) {
        const std::string& name = family->children[0]->text;
        const auto count = counts.of.find(name);
        const std::string many = count == counts.of.end() ? "" : t.fill(BookText::in_brackets_behind, counted(t, count->second));
        add_heading(page, titled(t, name) + many + change_mark(t, *family), 3, family->span);
        const std::vector<const Node*> rows = children_of(*family, Kind::row);
        if (!rows.empty()) table_of_rows(t, *family, rows, page);
        for (const Node* each : children_of(*family, Kind::each_row)) combinations(t, *family, *each, page);
        drawn_cards(t, counts.game, name, page);
    }
    if (all.size() > 1) add_paragraph(page, t.fill(BookText::together, counted(t, counts.all)));
}

// Lists of values that no card shows.
void lists(Telling& t, Page& page) {
    std::set<std::string> printed;
    for (const Node* family : declarations(t, Kind::d_cards))
        each_node(*family, Kind::t_named, [&](const Node& type) { printed.insert(type.children[0]->text); });
    std::vector<Item> items;
    for (const Node* e : declarations(t, Kind::d_enum)) {
        if (printed.contains(e->children[0]->text)) continue;
        std::vector<std::string> values;
        for (std::size_t i = 1; i < e->children.size(); ++i) values.push_back(named(t, e->children[i]->text));
        items.push_back({t.fill(BookText::head_and_text, titled(t, e->children[0]->text), listed(t, values)), {}, e->span});
    }
    if (items.empty()) return;
    add_heading(page, t.say(BookText::lists), 3);
    add_list(t, page, std::move(items));
}

std::string owner_words(Telling& t, const Node& declaration) {
    const Node* index = child(declaration, Kind::of_index);
    std::string whose = t.say(BookText::shared);
    if (index != nullptr && index->children[0]->kind == Kind::word)
        whose = t.say(BookText::each_player);
    else if (index != nullptr)
        whose = t.fill(BookText::each, named(t, index->children[0]->text));
    if (const Node* spots = child(declaration, Kind::spots))
        whose += t.fill(BookText::at_places_to, number(t, *spots->children[0]), number(t, *spots->children[1]));
    return whose;
}

std::string seers_words(const Telling& t, const Node& declaration) {
    const Node* seers = child(declaration, Kind::seers);
    const std::string who = seers == nullptr ? "all" : seers->children[0]->text;
    if (who == "all") return t.say(BookText::everybody);
    if (who == "owner") return t.say(BookText::only_the_owner);
    if (who == "others") return t.say(BookText::everybody_but_the_owner);
    return t.say(BookText::seen_by_nobody);
}

std::string contents_words(Telling& t, const Node& zone) {
    const Node* fit = child(zone, Kind::families);
    std::vector<std::string> names;
    if (fit != nullptr)
        for (const Node* f : fit->children) names.push_back(named(t, f->text));
    const bool one_family = declarations(t, Kind::d_cards).size() == 1;
    const bool plain = names.empty() || one_family;
    const std::string family = fmt::format("{}", fmt::join(names, t.say(BookText::between_two_alternatives)));
    const std::string what = plain ? piece(t, true) : family_words(t, family, true);
    const std::string one = plain ? piece(t, false) : family_words(t, family, false);
    const std::string shape = child(zone, Kind::word)->text;
    std::string text;
    if (shape == "one")
        text = t.fill(BookText::one, one);
    else if (shape == "stack")
        text = t.fill(BookText::a_stack_of, what);
    else if (shape == "row")
        text = t.fill(BookText::in_a_row, what);
    else
        text = t.fill(BookText::in_no_order, what);
    if (const Node* capacity = child(zone, Kind::capacity)) text += t.fill(BookText::at_most, number(t, *capacity->children[0]));
    return text;
}

void zones(Telling& t, Page& page) {
    Block table{BlockKind::table};
    table.rows.push_back(
        {t.say(BookText::place_heading), t.say(BookText::whose), t.say(BookText::what_lies_there), t.say(BookText::faces_are_seen_by)});
    for (const Node* zone : declarations(t, Kind::d_zone)) {
        table.row_spans.push_back(zone->span);
        table.rows.push_back({titled(t, zone->children[0]->text) + change_mark(t, *zone), owner_words(t, *zone), contents_words(t, *zone),
                              seers_words(t, *zone)});
    }
    if (table.rows.size() == 1) return;
    add_heading(page, t.say(BookText::places), 3);
    page.blocks.push_back(std::move(table));
}

std::string until_words(const Telling& t, const Node& fact) {
    const Node* lasts = child(fact, Kind::lasts);
    if (lasts == nullptr || lasts->children[0]->kind == Kind::word) return t.say(BookText::the_whole_game);
    return t.fill(BookText::one_act, named(t, lasts->children[0]->text));
}

void facts(Telling& t, Page& page) {
    Block table{BlockKind::table};
    table.rows.push_back({t.say(BookText::what), t.say(BookText::whose), t.say(BookText::values), t.say(BookText::at_the_start),
                          t.say(BookText::kept_for), t.say(BookText::seen_by)});
    for (const Node* fact : declarations(t, Kind::d_fact)) {
        const std::string& name = fact->children[0]->text;
        const Node* type = fact_type(t, name);
        const Node* start = child(*fact, Kind::initial);
        const Node* none = child(*fact, Kind::or_none);
        std::string values = type == nullptr ? "" : type_words(t, *type);
        table.row_spans.push_back(fact->span);
        if (none != nullptr) values += t.say(BookText::or_none);
        table.rows.push_back({titled(t, name) + change_mark(t, *fact), owner_words(t, *fact), values,
                              start == nullptr ? t.say(BookText::dash) : number(t, *start->children[0]), until_words(t, *fact),
                              seers_words(t, *fact)});
    }
    if (table.rows.size() == 1) return;
    add_heading(page, t.say(BookText::what_is_kept_track_of), 3);
    page.blocks.push_back(std::move(table));
}

}  // namespace

void components(Telling& t, const Counts& counts, Page& page) {
    add_heading(page, t.say(BookText::components), 2);
    families(t, counts, page);
    lists(t, page);
    mark(page, Where::appendix, [&] {
        zones(t, page);
        facts(t, page);
    });
}

}  // namespace houserule::cli
