// Expressions as phrases.
#include "dsl/book/book_words.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

std::string local_phrase(const Telling& t, const Local& l) {
    const std::string& name = l.called.empty() ? l.name : l.called;
    if (!l.text.empty()) return l.text;
    if (l.titled) return term(t, name);
    if (l.numbered && t.labels.contains(name)) return term(t, name);
    const bool japanese = std::ranges::any_of(name, [](char c) { return (c & 0x80) != 0; });
    if (l.numbered && t.ja && l.sort == Sort::player && japanese) return named(t, name);  // it says who that is
    if (l.numbered) return t.fill(BookText::noun_and_name, l.noun, named(t, name));
    if (t.ja && l.sort == Sort::player) return l.noun == "プレイヤー" ? "その人" : l.noun;
    if (t.ja && l.sort == Sort::cards) return l.noun;
    return t.fill(BookText::the_noun, l.noun);
}

// In English a number of several words is quoted: it may be anything, `declared as`.
std::string fact_words(const Telling& t, const std::string& name) {
    const Node* type = fact_type(t, name);
    const std::string words = named(t, name);
    return !t.ja && type != nullptr && type->kind == Kind::t_range && words.find(' ') != std::string::npos ? quoted(t, name) : words;
}

// A value such as 「渡さない」 would run into the words behind it.
bool ends_in_hiragana(const std::string& text) {
    if (text.size() < 3) return false;
    const char32_t last = decode(std::string_view(text).substr(text.size() - 3));
    return last >= 0x3041 && last <= 0x3096;
}

// A definition in its own words.
std::string spelled(Telling& t, const Node& value) {
    ++t.depth;
    const std::string text = number(t, value);
    --t.depth;
    const bool has_parts = value.kind == Kind::e_sum || value.kind == Kind::e_product || value.kind == Kind::e_or_if_none;
    return has_parts ? in_brackets(text) : text;
}

// A zone, fact, family, value or what else has a name.
std::string name_phrase(Telling& t, const std::string& name) {
    if (const Local* l = local(t, name)) return local_phrase(t, *l);
    if (meaning_of(t, name, Kind::d_zone) != nullptr) return t.fill(BookText::the_named, named(t, name));
    if (const Node* type = fact_type(t, name))
        return type->kind == Kind::t_yes_no ? quoted(t, name) : t.fill(BookText::the_named, fact_words(t, name));
    if (meaning_of(t, name, Kind::d_define) != nullptr) {
        const BlockScope scope(t);
        const Node* value = spelled_out(t, name, {});
        return value == nullptr ? defined(t, name) : spelled(t, *value);
    }
    if (meaning_of(t, name, Kind::d_option) != nullptr) return quoted(t, name);
    return t.ja && ends_in_hiragana(named(t, name)) ? quoted(t, name) : named(t, name);
}

std::string member_words(Telling& t, const std::string& name) {
    if (fact_type(t, name) != nullptr) return fact_words(t, name);  // one that is called like a neighbour, too
    if (name == "left") return t.say(BookText::left_neighbour);
    if (name == "right") return t.say(BookText::right_neighbour);
    if (name == "across") return t.say(BookText::opposite_player);
    if (name == "partner") return t.say(BookText::partner);
    if (name == "team") return t.say(BookText::team_number);
    return fact_words(t, name);
}

std::string arguments_words(Telling& t, const Node& call) {
    std::vector<std::string> all;
    const auto& arguments = call.children.back()->children;
    for (const Node* a : arguments)
        if (arguments.size() == 1 || !goes_without_saying(t, *a, arguments))
            all.push_back(is_it(t, *a) && t.people && !t.ja ? "them" : phrase(t, *a));
    return joined(t, all);
}

// What is one of two, or is divided: in brackets if it is reckoned out of two itself.
std::string compound(Telling& t, const Node& whole_node) {
    const Node& node = counted_part(t, whole_node);
    const std::string text = number(t, node);
    const bool of_two = node.kind == Kind::e_call && node.children.back()->children.size() == 2 &&
                        meaning_of(t, node.children[0]->text, Kind::d_define) == nullptr;
    return of_two || node.kind == Kind::e_sum || node.kind == Kind::e_product ? "(" + text + ")" : text;
}

std::string call_phrase(Telling& t, const Node& node) {
    const std::string& name = node.children[0]->text;
    const std::vector<const Node*>& a = node.children.back()->children;
    if (meaning_of(t, name, Kind::d_define) == nullptr && a.size() == 2) {
        const std::string x = compound(t, *a[0]);
        const std::string y = compound(t, *a[1]);
        if (name == "distance") return t.fill(BookText::the_difference_between_and, x, y);
        if (name == "larger") return t.fill(BookText::the_larger_of_and, x, y);
        if (name == "smaller") return t.fill(BookText::the_smaller_of_and, x, y);
        if (name == "quotient") return t.fill(BookText::divided_by_rounded_down, x, y);
        if (name == "remainder") return t.fill(BookText::the_remainder_of_divided_by, x, y);
    }
    {
        const BlockScope scope(t);
        if (const Node* value = spelled_out(t, name, a)) return spelled(t, *value);
    }
    if (a.empty()) return t.fill(BookText::the_named, defined(t, name));
    if (a.size() == 1 && (is_it(t, *a[0]) || sort_of(t, *a[0]) == Sort::player || sort_of(t, *a[0]) == Sort::card))
        return of_owner(t, *a[0], defined(t, name));
    if (t.ja && a.size() > 1) return defined(t, name) + t.fill(BookText::in_brackets_behind, arguments_words(t, node));
    return t.fill(BookText::the_for, defined(t, name), arguments_words(t, node));
}

// Of `its table's rank` and `power(its table)`: whose that is, where it is not the thing itself that is compared.
const Node* inner_owner(Telling& t, const Node& node) {
    const Node* owner = nullptr;
    if (node.kind == Kind::e_possessive) owner = node.children[0];
    if (node.kind == Kind::e_call && meaning_of(t, node.children[0]->text, Kind::d_define) != nullptr) {
        const std::vector<const Node*>& arguments = node.children.back()->children;
        const Sort sort = arguments.size() == 1 ? sort_of(t, *arguments[0]) : Sort::other;
        if (sort == Sort::card || sort == Sort::player) owner = arguments[0];
    }
    const bool inner = owner != nullptr && owner->kind == Kind::e_possessive && is_it(t, *owner->children[0]);
    return inner ? owner : nullptr;
}

}  // namespace

// `its` before what is compared among many is not said: the highest rank.
std::string compared(Telling& t, const Node& node, Sort of) {
    const BlockScope scope(t);
    t.people = of == Sort::players || of == Sort::player;
    t.element = t.people ? Sort::player : of == Sort::cards || of == Sort::kinds ? Sort::card : of;
    if (const Node* owner = t.ja ? nullptr : inner_owner(t, node)) {
        const std::string what = node.kind == Kind::e_call ? defined(t, node.children[0]->text) : member_words(t, node.children[1]->text);
        const std::string where = phrase(t, *owner);
        return is_zone(t, *owner) ? fmt::format("{} of the {} in {}", what, piece(t, false), where) : fmt::format("{} of {}", what, where);
    }
    std::string text = number(t, node);
    for (const std::string_view article : {"its ", "their ", "the "})
        if (!t.ja && text.starts_with(article)) text.erase(0, article.size());
    return text;
}

namespace {

std::string but_phrase(Telling& t, const Node& node) {
    std::vector<std::string> gone;
    for (std::size_t i = 1; i < node.children.size(); ++i) gone.push_back(phrase(t, *node.children[i]));
    const Local* only = node.children.size() == 2 && node.children[1]->kind == Kind::name ? local(t, node.children[1]->text) : nullptr;
    if (!t.ja && node.children[0]->kind == Kind::players && only != nullptr && !only->titled && !only->numbered) return "all other players";
    const bool self = node.children.size() == 2 && node.children[1]->kind == Kind::name && node.children[1]->text == t.subject;
    if (t.ja && self && !t.subject.empty()) gone = {"自分"};
    if (node.children[0]->kind == Kind::players) return t.fill(BookText::all_players_but, joined(t, gone));
    return t.fill(BookText::other_than, members(t, *node.children[0]), joined(t, gone));
}

// The unit in which things are counted.
std::string unit(const Telling& t, Sort sort) {
    if (sort == Sort::players || sort == Sort::player) return t.say(BookText::unit_of_players);
    if (sort == Sort::cards || sort == Sort::card) return t.say(t.pieces ? BookText::unit_of_pieces : BookText::unit_of_cards);
    return t.say(BookText::unit_of_things);
}

std::string of_zones(Telling& t, const Node& node) {
    const std::string& name = node.children[0]->text;
    const Node& whose = *node.children[1];
    if (t.ja) return fmt::format("{}{}", !is_it(t, whose) ? phrase(t, whose) + "の" : t.people ? "" : "その", named(t, name));
    const bool many = sort_of(t, whose) == Sort::players;
    std::string of = phrase(t, whose);
    // Each of all players is each player.
    const std::string_view all = "all players but ";
    if (of == "all other players")
        of = "each other player";
    else if (of.starts_with(all))
        of = "each player but " + of.substr(all.size());
    else if (many)
        of = "each of " + of;
    return fmt::format("the {} of {}", named(t, name), of);
}

std::string every_zone(Telling& t, const Node& node) {
    const std::string& name = node.children[0]->text;
    const Node* zone = meaning_of(t, name, Kind::d_zone);
    const Node* index = zone == nullptr ? nullptr : child(*zone, Kind::of_index);
    const bool of_players = index != nullptr && index->children[0]->kind == Kind::word;
    return t.fill(of_players ? BookText::every_players : BookText::every_one_of,
                  of_players && !t.ja ? "player's " + named(t, name) : named(t, name));
}

std::string groups_phrase(Telling& t, const Node& node) {
    const std::string size = number(t, *node.children[0]);
    const std::string from = phrase(t, *node.children[1]);
    if (node.children.size() > 2)
        return t.fill(BookText::all_sets_of_from_with_the_same, size, from, compared(t, *node.children[2], sort_of(t, *node.children[1])));
    if (size == "2") return t.fill(BookText::all_pairs_from, from);
    return t.fill(BookText::all_sets_of_alike_from, size, from);
}

std::string total_phrase(Telling& t, const Node& node) {
    const std::string& word = node.children[0]->text;
    const std::string what = compared(t, *node.children[1], sort_of(t, *node.children[2]));
    const std::string over = members(t, *node.children[2]);
    if (node.children[1]->kind == Kind::it) {  // of numbers themselves
        if (word == "sum") return t.fill(BookText::the_sum_of, over);
        return t.fill(word == "largest" ? BookText::the_highest_of : BookText::the_lowest_of, over);
    }
    if (word == "sum") return t.fill(BookText::the_sum_of_over, what, over);
    if (word == "largest") return t.fill(BookText::the_highest_among, what, over);
    return t.fill(BookText::the_lowest_among, what, over);
}

// The sum that is left when sets that fulfil a condition are taken out.
std::string least_left_phrase(Telling& t, const Node& node) {
    const std::string what = compared(t, *node.children[0], sort_of(t, *node.children[1]));
    const std::string of = members(t, *node.children[1]);
    const std::string which = sets_that(t, *node.children[2], *node.children[3]);
    return t.fill(BookText::the_smallest_sum_of_that_is_left, what, of, which);
}

// A number before its unit: in brackets if it is more than a number or a name.
std::string reckoned(Telling& t, const Node& node) {
    const std::string text = number(t, node);
    const bool plain = node.kind == Kind::number || node.kind == Kind::name || node.kind == Kind::players || text.starts_with("(");
    return plain ? text : "(" + text + ")";
}

std::string at_phrase(Telling& t, const Node& node) {
    if (t.ja && is_it(t, *node.children[1])) return phrase(t, *node.children[0]) + "のその番号の所";
    return t.fill(BookText::place_of, reckoned(t, *node.children[1]), phrase(t, *node.children[0]));
}

bool is_stack(const Telling& t, const Node& node) {
    const Node* name = node.kind == Kind::name           ? &node
                       : node.kind == Kind::e_possessive ? node.children[1]
                       : node.kind == Kind::e_of         ? node.children[0]
                                                         : nullptr;
    const Node* zone = name == nullptr ? nullptr : meaning_of(t, name->text, Kind::d_zone);
    const Node* shape = zone == nullptr ? nullptr : child(*zone, Kind::word);
    return shape != nullptr && shape->text == "stack";
}

// As many from one end as are wanted.
std::string end_cards(Telling& t, const Node& node, const std::string& where, bool stack) {
    const std::string n = reckoned(t, *node.children[0]);
    if (node.kind == Kind::e_first)
        return t.fill(stack ? BookText::the_bottom_few_of : BookText::the_first_few_of, where, n,
                      t.ja ? unit(t, Sort::cards) : piece(t, n != "1"));
    return t.fill(stack ? BookText::the_top_few_of : BookText::the_last_few_of, where, n, t.ja ? unit(t, Sort::cards) : piece(t, n != "1"));
}

std::string end_card(Telling& t, const Node& node) {
    const Node& of = *node.children.back();
    const std::string where = phrase(t, of);
    const bool stack = is_stack(t, of);
    if (node.children.size() > 1) return end_cards(t, node, where, stack);
    if (node.kind == Kind::e_first) return t.fill(stack ? BookText::the_bottom_of : BookText::the_first_of, where, piece(t, false));
    return t.fill(stack ? BookText::the_top_of : BookText::the_last_of, where, piece(t, false));
}

std::string the_phrase(Telling& t, const Node& node) {
    const Node& set = *node.children[0];
    if (set.kind == Kind::e_with && !t.ja)
        return fmt::format("the one among {} that has the {} {}", members(t, *set.children[0]),
                           set.children[1]->text == "most" ? "highest" : "lowest",
                           compared(t, *set.children[2], sort_of(t, *set.children[0])));
    const std::string of = phrase(t, set);
    if (t.ja) return fmt::format("{}(ただ1{})", of, unit(t, sort_of(t, set)));
    return fmt::format("the only one of {}", of);
}

}  // namespace

std::string family_words(const Telling& t, const std::string& family, bool many) {
    if (t.ja) return family;
    const std::string one = piece(t, false);
    return family.ends_with(one) ? family + (many ? "s" : "") : fmt::format("{} {}", family, piece(t, many));
}

namespace {

std::string all_phrase(Telling& t, const Node& node) {
    const bool other = node.children.size() > 2;
    const Node& what = *node.children.back();
    const std::string noun = what.kind == Kind::name ? family_words(t, named(t, what.text), true) : piece(t, true);
    return t.fill(other ? BookText::all_other : BookText::all, noun);
}

std::string card_phrase(const Telling& t, const Node& node) {
    std::string text;
    for (const Node* c : node.children) {
        const std::string word = c->kind == Kind::yes  ? t.say(BookText::yes)
                                 : c->kind == Kind::no ? t.say(BookText::no)
                                                       : named(t, c->text);
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

std::string set_phrase(Telling& t, const Node& node) {
    std::vector<std::string> all;
    for (const Node* c : node.children) all.push_back(phrase(t, *c));
    if (t.ja && !all.empty()) return fmt::format("{}", fmt::join(all, "と"));
    return all.empty() ? t.say(BookText::nothing) : joined(t, all);
}

std::string next_phrase(Telling& t, const Node& node) {
    const bool after = node.children[0]->text == "after";
    const std::string from = phrase(t, *node.children[1]);
    const std::string in = phrase(t, *node.children[2]);
    return t.fill(after ? BookText::the_next_after_among : BookText::the_one_before_among, from, in);
}

std::string if_phrase(Telling& t, const Node& node) {
    if (node.children.size() < 3) return phrase(t, *node.children[0]);
    const std::string value = phrase(t, *node.children[0]);
    const Clause c = clause(t, *node.children[1]);
    const std::string other = phrase(t, *node.children[2]);
    return t.ja ? fmt::format("{}{}、そうでなければ{}", c.conditional, value, other)
                : fmt::format("{} if {}, otherwise {}", value, c.plain, other);
}

std::string inline_cases(Telling& t, const Node& node) {
    std::string text = depending(t, node);
    if (!text.empty()) text = t.ja ? text : text.substr(2) + ": ";
    for (const Item& item : cases_items(t, node))
        text += text.ends_with(": ") ? item.text : (text.empty() ? "" : t.say(BookText::between_cases)) + item.text;
    return text;
}

Item arm_item(Telling& t, const Node& arm, const Node* of) {
    const Node& value = *arm.children.back();
    Item item{"", {}, arm.span};
    const bool deeper = value.kind == Kind::e_cases || value.kind == Kind::e_cases_of;
    if (deeper) item.items = cases_items(t, value);
    const std::string what = deeper ? "" : is_truth(t, value) ? clause(t, value).plain : phrase(t, value);
    if (arm.kind == Kind::arm_otherwise) {
        item.text = t.fill(BookText::otherwise_value, what);
    } else if (of != nullptr) {
        std::vector<std::string> values;
        for (std::size_t i = 0; i + 1 < arm.children.size(); ++i) values.push_back(phrase(t, *arm.children[i]));
        const bool players = of->kind == Kind::players;
        item.text = players ? t.fill(BookText::with_players, fmt::join(values, t.say(BookText::between_alternatives)), what)
                            : t.fill(BookText::value_then, fmt::join(values, t.say(BookText::between_alternatives)), what);
    } else {
        std::vector<Clause> conditions;
        std::string all;
        for (std::size_t i = 0; i + 1 < arm.children.size(); ++i) conditions.push_back(clause(t, *arm.children[i]));
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            const bool last = i + 1 == conditions.size();
            all +=
                t.ja ? (last ? conditions[i].conditional : conditions[i].plain + "か、または") : conditions[i].plain + (last ? "" : " or ");
        }
        const bool first = arm.kind == Kind::arm_except;
        item.text = t.fill(first ? BookText::before_all_else_if : BookText::if_then, all, what);
    }
    return item;
}

std::string size_phrase(Telling& t, const Node& of) {
    if (of.kind == Kind::players) return number(t, of);
    if (t.ja) {
        const Sort sort = sort_of(t, of);
        const char* size = sort == Sort::players ? "人数" : sort == Sort::cards ? (t.pieces ? "個数" : "枚数") : "数";
        return fmt::format("{}の{}", phrase(t, of), size);
    }
    if (of.kind == Kind::e_groups) return "the number of " + piece(t, true) + " in " + phrase(t, of);
    return is_zone(t, of) ? fmt::format("the number of {} in {}", piece(t, true), phrase(t, of))
                          : fmt::format("the number of {}", phrase(t, of));
}

std::string kinds_phrase(Telling& t, const Node& of) {
    if (of.kind == Kind::name && meaning_of(t, of.text, Kind::d_cards) != nullptr) return t.fill(BookText::the_kinds_of, named(t, of.text));
    return t.fill(BookText::the_kinds_in, phrase(t, of));
}

std::string with_phrase(Telling& t, const Node& node) {
    const auto& c = node.children;
    const Sort sort = sort_of(t, *c[0]);
    const std::string what = compared(t, *c[2], sort);
    const std::string those = t.say(sort == Sort::players ? BookText::those_players : BookText::those_things);
    return t.fill(BookText::those_with_the_most, members(t, *c[0]), what, those, extreme(t, *c[2], c[1]->text == "most"));
}

// Of cards and players, one or several.
std::string things_phrase(Telling& t, const Node& node) {
    const auto& c = node.children;
    switch (node.kind) {
        case Kind::e_where:
            return those(t, *c[0], *c[1], "");
        case Kind::e_with:
            return with_phrase(t, node);
        case Kind::e_or_if_none:
            return t.fill(BookText::if_there_are_none, phrase(t, *c[0]), phrase(t, *c[1]));
        case Kind::e_but:
            return but_phrase(t, node);
        case Kind::e_of:
            return of_zones(t, node);
        case Kind::e_every:
            return every_zone(t, node);
        case Kind::e_the:
            return the_phrase(t, node);
        case Kind::e_groups:
            return groups_phrase(t, node);
        case Kind::e_kinds:
            return kinds_phrase(t, *c[0]);
        case Kind::e_first:
        case Kind::e_last:
            return end_card(t, node);
        case Kind::e_at:
            return at_phrase(t, node);
        case Kind::e_any:
            return t.fill(BookText::any_so_many_of, number(t, *c[0]), phrase(t, *c[1]), unit(t, sort_of(t, *c[1])));
        case Kind::e_all:
            return all_phrase(t, node);
        case Kind::e_card:
            return card_phrase(t, node);
        case Kind::e_set:
            return set_phrase(t, node);
        default:
            return source_code(t, node);
    }
}

// Below, at or above 0 as `a` is less than, equal to or more than `b`; both are digits without leading zeros.
int compared_numbers(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
}

}  // namespace

const Node* chosen_arm(const Telling& t, const Node& reading) {
    for (const OptionValue& o : t.merged->options)
        for (const Node* c : reading.children)
            if (o.name == reading.children[0]->text && c->kind == Kind::reading_choice && c->children[0]->text == o.value) return c;
    return child(reading, Kind::reading_choice);
}

std::optional<bool> settled(const Telling& t, const Node& condition) {
    const auto& c = condition.children;
    if (t.players == 0) return std::nullopt;
    if (condition.kind == Kind::e_not) {
        const auto inner = settled(t, *c[0]);
        return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (condition.kind == Kind::e_and || condition.kind == Kind::e_or) {
        // One part settles the whole if it is false, or true.
        const bool one = condition.kind == Kind::e_or;
        bool all = true;
        for (const Node* part : c) {
            const auto holds = settled(t, *part);
            if (holds == one) return one;
            all = all && holds.has_value();
        }
        return all ? std::optional(!one) : std::nullopt;
    }
    if (condition.kind != Kind::e_compare || c[0]->kind != Kind::players || c[2]->kind != Kind::number) return std::nullopt;
    const std::string& word = c[1]->text;
    const int order = compared_numbers(std::to_string(t.players), c[2]->text);
    if (word == "is") return order == 0;
    if (word == "is not") return order != 0;
    if (word == "<") return order < 0;
    if (word == "<=") return order <= 0;
    return word == ">" ? order > 0 : order >= 0;
}

const Node* settled_arm(const Telling& t, const Node& cases) {
    const bool by_players = cases.kind == Kind::e_cases_of || cases.kind == Kind::s_cases_of;
    if (t.players == 0 || !by_players || cases.children[0]->kind != Kind::players) return nullptr;
    const std::string wanted = std::to_string(t.players);
    const Node* otherwise = nullptr;
    for (const Node* arm : cases.children) {
        if (arm->kind == Kind::arm_otherwise) otherwise = arm;
        if (arm->kind != Kind::arm) continue;
        for (std::size_t i = 0; i + 1 < arm->children.size(); ++i)
            if (arm->children[i]->kind == Kind::number && arm->children[i]->text == wanted) return arm;
    }
    return otherwise;
}

const Node& counted_part(const Telling& t, const Node& node) {
    if (const Node* arm = settled_arm(t, node); arm != nullptr && node.kind == Kind::e_cases_of)
        return counted_part(t, *arm->children.back());
    if (node.kind != Kind::e_if || node.children.size() != 3) return node;
    const auto holds = settled(t, *node.children[1]);
    return holds ? counted_part(t, *node.children[*holds ? 0 : 2]) : node;
}

std::vector<Item> cases_items(Telling& t, const Node& whole_node) {
    const Node& node = counted_part(t, whole_node);
    std::vector<Item> items;
    if (node.kind == Kind::e_reading) {
        keep_reading(t, node);
        return cases_items(t, *chosen_arm(t, node)->children.back());
    }
    if (node.kind != Kind::e_cases && node.kind != Kind::e_cases_of) return items;
    const Node* of = node.kind == Kind::e_cases_of ? node.children[0] : nullptr;
    for (const Node* arm : node.children)
        if (arm->kind == Kind::arm || arm->kind == Kind::arm_except || arm->kind == Kind::arm_otherwise)
            items.push_back(arm_item(t, *arm, of));
    return items;
}

bool is_it(const Telling& t, const Node& node) {
    if (node.kind == Kind::it) return true;
    const Local* l = node.kind == Kind::name ? local(t, node.text) : nullptr;
    return l != nullptr && l->it;
}

std::string of_owner(Telling& t, const Node& owner, const std::string& name) {
    if (is_it(t, owner)) return t.fill(t.people ? BookText::their : BookText::its, name);
    if (owner.kind == Kind::name && owner.text == t.subject && !t.subject.empty()) return t.fill(BookText::their_own, name);
    const std::string whose = number(t, owner);
    // The being of a card in the place called 「私」 is 「私」 too.
    if (t.ja) return owner.kind == Kind::e_possessive && whose.ends_with("の" + name) ? whose : fmt::format("{}の{}", whose, name);
    const Local* given = owner.kind == Kind::name ? local(t, owner.text) : nullptr;
    const bool is_short = (owner.kind == Kind::name && (given == nullptr || given->text.size() < 30)) || owner.kind == Kind::seat ||
                          owner.kind == Kind::e_possessive || owner.kind == Kind::e_card;
    return is_short ? fmt::format("{}'s {}", whose, name) : fmt::format("the {} of {}", name, whose);
}

bool is_zone(const Telling& t, const Node& node) {
    const auto zone = [&](const Node& n) {
        if (const Local* l = n.kind == Kind::name ? local(t, n.text) : nullptr) return l->zone;
        return n.kind == Kind::name && meaning_of(t, n.text, Kind::d_zone) != nullptr;
    };
    switch (node.kind) {
        case Kind::name:
            return zone(node);
        case Kind::e_possessive:
            return meaning_of(t, node.children[1]->text, Kind::d_zone) != nullptr;
        case Kind::e_of:
        case Kind::e_every:
            return meaning_of(t, node.children[0]->text, Kind::d_zone) != nullptr;
        case Kind::e_sum:
            return std::all_of(node.children.begin(), node.children.end(),
                               [&](const Node* c) { return c->kind == Kind::word || is_zone(t, *c); });
        case Kind::e_if:
            return node.children.size() == 1 && is_zone(t, *node.children[0]);
        default:
            return false;
    }
}

std::string members(Telling& t, const Node& set) {
    if (t.ja) return set.kind == Kind::name && meaning_of(t, set.text, Kind::d_enum) != nullptr ? quoted(t, set.text) : phrase(t, set);
    if (is_zone(t, set) && sort_of(t, set) == Sort::cards) return fmt::format("the {} in {}", piece(t, true), phrase(t, set));
    if (set.kind == Kind::name && meaning_of(t, set.text, Kind::d_enum) != nullptr) return "the values of " + named(t, set.text);
    return phrase(t, set);
}

std::string whole(Telling& t, const Node& node) { return node.kind == Kind::players ? number(t, node) : phrase(t, node); }

std::string depending(Telling& t, const Node& node) {
    if (node.kind == Kind::e_reading) return depending(t, *chosen_arm(t, node)->children.back());
    const auto conditions = std::count_if(node.children.begin(), node.children.end(), [](const Node* c) { return c->kind == Kind::arm; });
    if (node.kind == Kind::e_cases && conditions > 1) return t.say(BookText::the_first_that_fits);
    if (node.kind != Kind::e_cases_of || node.children[0]->kind == Kind::players) return "";
    return t.fill(BookText::depending_on_behind, number(t, *node.children[0]));
}

std::string number(Telling& t, const Node& whole_node) {
    const Node& node = counted_part(t, whole_node);
    if (node.kind == Kind::players) return t.players != 0 ? std::to_string(t.players) : t.say(BookText::the_number_of_players);
    if (node.kind == Kind::e_if && node.children.size() == 3) return "(" + if_phrase(t, node) + ")";
    return phrase(t, node);
}

std::string sequence_words(Telling& t, const Node& direction) {
    const bool clockwise = direction.children[0]->text == "clockwise";
    const bool from = direction.children[1]->text == "from";
    const std::string who = phrase(t, *direction.children[2]);
    return t.fill(from ? BookText::from : BookText::after_who_is_left_out,
                  clockwise ? t.say(BookText::clockwise) : t.say(BookText::counterclockwise), who);
}

std::string phrase(Telling& t, const Node& whole_node) {
    const Node& node = counted_part(t, whole_node);
    const auto& c = node.children;
    if (is_condition(node)) return t.fill(BookText::whether, clause(t, node).plain);
    switch (node.kind) {
        case Kind::name:
            return is_it(t, node) ? t.say(t.people ? BookText::they : BookText::it) : name_phrase(t, node.text);
        case Kind::number:
        case Kind::seat:
            return node.text;
        case Kind::yes:
            return t.say(BookText::yes);
        case Kind::no:
            return t.say(BookText::no);
        case Kind::nobody:
            return t.say(BookText::nobody_as_value);
        case Kind::none:
            return t.say(BookText::none);
        case Kind::players:
            return t.say(BookText::the_players);
        case Kind::it:
            return t.say(t.people ? BookText::they : BookText::it);
        case Kind::e_range:
            return t.fill(BookText::range, t.ja ? compound(t, *c[0]) : number(t, *c[0]), t.ja ? compound(t, *c[1]) : number(t, *c[1])) +
                   (c.size() < 3 ? "" : t.fill(BookText::in_steps_of, c[2]->children[0]->text));
        case Kind::e_sum:
            return sum_phrase(t, node);
        case Kind::e_product:
            return product_phrase(t, node);
        case Kind::e_minus:
            return negative_phrase(t, node);
        case Kind::e_possessive:
            return of_owner(t, *c[0], member_words(t, c[1]->text));
        case Kind::e_call:
            return call_phrase(t, node);
        case Kind::e_size:
            return size_phrase(t, *c[0]);
        case Kind::e_total:
            return total_phrase(t, node);
        case Kind::e_least_left:
            return least_left_phrase(t, node);
        case Kind::e_next:
            return next_phrase(t, node);
        case Kind::e_if:
            return if_phrase(t, node);
        case Kind::e_cases:
        case Kind::e_cases_of:
            return inline_cases(t, node);
        case Kind::e_reading:
            keep_reading(t, node);
            return phrase(t, *chosen_arm(t, node)->children.back());
        case Kind::e_yes_no:
            return t.say(BookText::yes_or_no);
        default:
            return things_phrase(t, node);
    }
}

std::string values_of(const Telling& t, const Node& enumeration, bool apart) {
    std::vector<std::string> values;
    for (std::size_t i = 1; i < enumeration.children.size(); ++i) {
        const std::string& value = enumeration.children[i]->text;
        values.push_back(apart && named(t, value).find(' ') != std::string::npos ? quoted(t, value) : named(t, value));
    }
    return listed(t, values);
}

std::string type_words(Telling& t, const Node& type) {
    switch (type.kind) {
        case Kind::t_kind:
            return t.fill(BookText::a_kind_of, named(t, type.children[0]->text));
        case Kind::t_several:
            return t.fill(BookText::several, family_words(t, named(t, type.children[0]->text), true));
        case Kind::t_zone:
            return t.say(BookText::a_place);
        case Kind::t_yes_no:
            return t.say(BookText::yes_or_no_type);
        case Kind::t_range:
            return fmt::format("{}–{}", number(t, *type.children[0]), number(t, *type.children[1])) +
                   (type.children.size() < 3 ? "" : t.fill(BookText::in_steps_of, type.children[2]->children[0]->text));
        case Kind::t_player:
            return t.say(BookText::a_player);
        case Kind::t_set:
            return t.fill(BookText::any_of, type_words(t, *type.children[0]));
        case Kind::t_list: {
            std::vector<std::string> values;
            for (const Node* v : type.children) values.push_back(named(t, v->text));
            return listed(t, values);
        }
        case Kind::t_named: {
            const Node* of = meaning_of(t, type.children[0]->text, Kind::d_enum);
            return of == nullptr ? t.fill(BookText::a_kind_of, named(t, type.children[0]->text)) : values_of(t, *of, false);
        }
        default:
            return source_code(t, type);
    }
}

}  // namespace houserule::cli
