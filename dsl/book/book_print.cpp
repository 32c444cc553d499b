// What only paper needs: a cover, set-up in steps, drawn cards, pictures of examples, what values mean, an index.
#include "dsl/book/book_words.hpp"
#include "dsl/game/names.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

// Minutes of a game: people think about a decision, and do what they must at once.
constexpr std::uint64_t seconds_a_decision = 15;
constexpr std::uint64_t seconds_forced = 5;
// More kinds than this are told in words only.
constexpr std::size_t most_drawn = 120;

std::string from_to(std::uint64_t low, std::uint64_t high) { return low == high ? std::to_string(low) : fmt::format("{}–{}", low, high); }

std::string from_to(std::pair<int, int> n) {
    return n.first == n.second ? std::to_string(n.first) : fmt::format("{}–{}", n.first, n.second);
}

// To five minutes, where nobody would know better.
std::uint64_t rounded(std::uint64_t minutes) { return minutes < 10 ? std::max<std::uint64_t>(minutes, 1) : (minutes + 2) / 5 * 5; }

void add_length(const Telling& t, const std::vector<GameLength>& lengths, Page& page) {
    std::vector<std::uint64_t> minutes;
    std::vector<std::uint64_t> decisions;
    std::uint64_t games = 0;
    for (const GameLength& l : lengths) {
        if (l.games == 0 || l.decisions == 0) continue;
        games += l.games;
        minutes.push_back(rounded((seconds_a_decision * l.decisions + seconds_forced * l.forced) / l.games / 60));
        decisions.push_back((l.decisions + l.games / 2) / l.games);
    }
    if (games == 0) return;
    const auto [short_game, long_game] = std::minmax_element(minutes.begin(), minutes.end());
    const auto [few, many] = std::minmax_element(decisions.begin(), decisions.end());
    page.cover.emplace_back(t.say(BookText::minutes),
                            t.fill(BookText::about_estimate_decisions_of_seconds_as_in, from_to(*short_game, *long_game),
                                   from_to(*few, *many), seconds_a_decision, games));
}

Face face_of(const Telling& t, const Game& game, KindId kind) {
    const PieceKind& k = game.kinds[kind];
    const Family& family = game.families[k.family];
    Face face;
    if (!k.name.empty()) face.lines.push_back(named(t, k.name));
    // Of several numbers each says what it is.
    const auto is_number = [](const Field& field) { return field.type.base == Base::number && field.value_names.empty(); };
    const bool many_numbers = std::ranges::count_if(family.fields, is_number) > 1;
    for (std::size_t i = 0; i < family.fields.size(); ++i) {
        const Field& field = family.fields[i];
        const auto name = field.value_names.find(k.values[i]);
        std::vector<std::string> values;
        if (field.type.base == Base::set) {
            const Type element{field.type.element, Base::nothing, field.type.of, field.type.low, field.type.high, 1, false};
            for (const std::int32_t value : game.sets[k.values[i]]) values.push_back(named(t, value_name(game, element, value)));
        } else {
            values.push_back(named(t, name != field.value_names.end() ? name->second : value_name(game, field.type, k.values[i])));
        }
        // A name that is the value is not said twice.
        if (many_numbers && is_number(field)) values.back() = fmt::format("{} {}", named(t, field.name), values.back());
        if (const std::string text = listed(t, values); face.lines.empty() || text != face.lines[0]) face.lines.push_back(text);
    }
    if (face.lines.empty()) face.lines.push_back(named(t, family.name));
    if (k.copies != 1) face.copies = fmt::format("×{}", k.copies);
    return face;
}

// --- set-up

const Node* rule_run_by(const Telling& t, const Node& statement) {
    return statement.kind == Kind::s_call ? meaning_of(t, statement.children[0]->text, Kind::d_rule) : nullptr;
}

void step_items(Telling& t, const Node& body, const std::set<std::string>& of_setup, std::set<std::string>& told,
                std::vector<Item>& items) {
    for (const Node* s : body.children) {
        const Node* rule = rule_run_by(t, *s);
        const std::string name = rule == nullptr ? "" : name_of(*rule)->text;
        if (rule == nullptr || !of_setup.contains(name) || !told.insert(name).second) {
            Node one = body;
            one.children = {s};
            for (Item& item : sentences(t, one)) items.push_back(std::move(item));
            continue;
        }
        const BlockScope scope(t);
        add_parameters(t, *rule);
        const std::string text = text_of(t, name);
        Item item{strong(titled(t, name)) + change_mark(t, *rule), {}, rule->span};
        if (!text.empty()) item.text += t.fill(BookText::colon_and_text, text);
        step_items(t, *child(*rule, Kind::body), of_setup, told, item.items);
        for (Item& meaning : value_meanings(t, *rule)) item.items.push_back(std::move(meaning));
        items.push_back(std::move(item));
    }
}

// --- values

// The list whose value is chosen, drawn or told there; empty if it is something else.
std::string list_chosen(const Telling& t, const Node& from) {
    return from.kind == Kind::name && meaning_of(t, from.text, Kind::d_enum) != nullptr && local(t, from.text) == nullptr ? from.text : "";
}

std::vector<std::string> lists_chosen(const Telling& t, const Node& declaration) {
    std::vector<std::string> lists;
    const auto add = [&](const Node& from) {
        const std::string list = list_chosen(t, from);
        if (!list.empty() && std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(list);
    };
    for (const Kind kind : {Kind::choice, Kind::s_chance, Kind::s_table})
        each_node(declaration, kind, [&](const Node& node) {
            for (const Node* c : node.children) add(*c);
        });
    return lists;
}

// Whether the definition says something else for each value of the list.
bool tells_apart(const Telling& t, const Node& define, const Node& list) {
    const Node* value = define.children.back();
    if (value->kind == Kind::e_reading) value = chosen_arm(t, *value)->children.back();
    if (value->kind != Kind::e_cases_of && value->kind != Kind::e_cases) return false;
    std::set<std::string> told;
    for (const Node* arm : value->children) {
        if (arm->kind != Kind::arm) continue;
        for (std::size_t i = 0; i + 1 < arm->children.size(); ++i) {
            const Node* c = arm->children[i];
            if (c->kind == Kind::e_compare) c = c->children[2];
            if (c->kind == Kind::name) told.insert(c->text);
        }
    }
    return told.size() > 1 && std::all_of(told.begin(), told.end(), [&](const std::string& name) {
               return std::any_of(list.children.begin() + 1, list.children.end(), [&](const Node* v) { return v->text == name; });
           });
}

// --- examples

std::optional<Face> drawn(Telling& t, const Node& value) {
    if (value.kind == Kind::name && meaning_of(t, value.text, Kind::row) != nullptr) return Face{{named(t, value.text)}};
    if (value.kind == Kind::e_card) {
        Face face;
        for (const Node* v : value.children) face.lines.push_back(v->kind == Kind::number ? v->text : named(t, v->text));
        return face;
    }
    return std::nullopt;
}

}  // namespace

void mark(Page& page, Where where, const std::function<void()>& f) {
    const std::size_t first = page.blocks.size();
    f();
    // What is only read is in no appendix, and has nothing that only paper has.
    const auto added = page.blocks.begin() + first;
    if (where == Where::reading)
        page.blocks.erase(std::remove_if(added, page.blocks.end(), [](const Block& b) { return b.where == Where::print; }),
                          page.blocks.end());
    for (std::size_t i = first; i < page.blocks.size(); ++i)
        if (page.blocks[i].where != Where::print) page.blocks[i].where = where;
}

void cover(const Telling& t, const PageFor& asked, const Counts& counts, Page& page) {
    page.cover.emplace_back(t.say(BookText::players_heading), t.fill(BookText::so_many_players, from_to(counts.players)));
    add_length(t, asked.lengths, page);
    page.cover.emplace_back(capital(t, piece(t, true)),
                            t.fill(t.pieces ? BookText::so_many_pieces : BookText::so_many_cards, from_to(counts.all)));
}

void drawn_cards(const Telling& t, const Game& game, const std::string& family, Page& page) {
    Block block{BlockKind::cards};
    block.where = Where::print;
    block.shelves.emplace_back();
    for (const Family& f : game.families) {
        if (f.name != family) continue;
        for (KindId k = f.first_kind; k < f.first_kind + f.kind_count; ++k) block.shelves[0].faces.push_back(face_of(t, game, k));
    }
    const std::size_t kinds = block.shelves[0].faces.size();
    if (kinds != 0 && kinds <= most_drawn) page.blocks.push_back(std::move(block));
}

void steps(Telling& t, const std::set<std::string>& of_setup, Page& page) {
    const std::vector<const Node*> all = declarations(t, Kind::d_setup);
    if (all.empty()) return;
    mark(page, Where::print, [&] {
        const std::string many = t.players == 0 ? "" : t.fill(BookText::for_players, t.players);
        add_heading(page, t.say(BookText::set_up) + many + change_mark(t, *all.back()), 2, all.back()->span);
        if (const std::string text = text_of(t, "setup"); !text.empty()) add_paragraph(page, text, all.back()->span);
        std::vector<Item> items;
        std::set<std::string> told;
        for (const Node* d : all) {
            const BlockScope scope(t);
            step_items(t, *child(*d, Kind::body), of_setup, told, items);
        }
        finish(t, items);
        page.blocks.push_back({BlockKind::steps, 0, {}, std::move(items), {}, {}});
    });
}

std::vector<Item> value_meanings(Telling& t, const Node& declaration) {
    std::vector<Item> items;
    for (const std::string& list : lists_chosen(t, declaration)) {
        const Node& values = *meaning_of(t, list, Kind::d_enum);
        for (std::size_t i = 1; i < values.children.size(); ++i) {
            const std::string text = text_of(t, values.children[i]->text);
            // A text with places is a sentence of a game that is played.
            if (!text.empty() && text.find_first_of("{[") == std::string::npos)
                items.push_back({t.fill(BookText::head_and_text, strong(titled(t, values.children[i]->text)), text), {}, values.span});
        }
        for (const Node* d : declarations(t, Kind::d_define))
            if (tells_apart(t, *d, values)) items.push_back(term_item(t, *d));
    }
    return items;
}

void picture(Telling& t, const Node& example, const Item& item, Page& page) {
    Block block{BlockKind::example};
    block.where = Where::print;
    block.span = example.span;
    block.text = item.text;
    std::size_t line = 0;
    for (const Node* c : example.children) {
        if (c->kind != Kind::given && c->kind != Kind::do_rule && c->kind != Kind::then_holds) continue;
        const Item& words = item.items[line++];
        Shelf shelf;
        bool can_draw = c->kind == Kind::given && is_zone(t, *c->children[0]);
        if (can_draw) {
            shelf.label =
                c->children[0]->kind == Kind::e_possessive ? phrase(t, *c->children[0]) : capital(t, named(t, c->children[0]->text));
            for (const Node* v : c->children[1]->children) {
                if (const auto face = drawn(t, *v))
                    shelf.faces.push_back(*face);
                else
                    can_draw = false;
            }
        }
        if (can_draw)
            block.shelves.push_back(std::move(shelf));
        else
            block.items.push_back(words);
    }
    finish(t, block.items);
    page.blocks.push_back(std::move(block));
}

void index(const Telling& t, Page& page) {
    page.index_heading = t.say(BookText::index);
    for (const Node* d : t.merged->declarations) {
        switch (d->kind) {
            case Kind::d_cards:
            case Kind::d_zone:
            case Kind::d_fact:
            case Kind::d_rule:
            case Kind::d_act:
            case Kind::d_match:
            case Kind::d_end:
            case Kind::d_define:
                page.index.push_back({titled(t, name_of(*d)->text), d->span});
                break;
            case Kind::d_ends:
                for (const Node* entry : d->children)
                    if (entry->kind == Kind::end_entry) page.index.push_back({titled(t, entry->children[0]->text), entry->span});
                break;
            default:
                break;
        }
    }
    for (const Offer& offer : t.merged->offers)
        if (!offer.reading) page.index.push_back({titled(t, offer.name), offer.span});
    // In Japanese by how the words are read, as far as the file says it.
    const auto key = [&](const IndexEntry& e) {
        const auto kana = std::ranges::find(page.read_aloud, e.name, &std::pair<std::string, std::string>::first);
        return kana == page.read_aloud.end() ? e.name : kana->second;
    };
    std::ranges::stable_sort(page.index, [&](const IndexEntry& a, const IndexEntry& b) { return key(a) < key(b); });
}

void readings_aloud(const Telling& t, Page& page) {
    for (const auto& [name, kana] : t.kana)
        if (t.labels.contains(name)) page.read_aloud.emplace_back(shown(t.labels.at(name)), shown(kana));
    std::ranges::stable_sort(page.read_aloud, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

}  // namespace houserule::cli
