// Statements as sentences.
#include "dsl/book/book_words.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace houserule::cli {

namespace {

void tell(Telling& t, const Node& s, std::vector<Item>& out);

const Node* body_of(const Node& node) { return child(node, Kind::body); }

std::vector<Item> body_sentences(Telling& t, const Node& node) {
    const Node* body = body_of(node);
    return body == nullptr ? std::vector<Item>{} : sentences(t, *body);
}

Item leaf(const Node& s, std::string text) { return {std::move(text), {}, s.span}; }

// --- names that a statement brings along

std::string noun_of(Telling& t, const Node& set) {
    const Sort sort = sort_of(t, set);
    if (sort == Sort::players || sort == Sort::player) return t.say(BookText::player);
    if (sort == Sort::cards || sort == Sort::card || sort == Sort::kinds) return piece(t, false);
    if (sort == Sort::number) return t.say(BookText::number);
    if (set.kind == Kind::name && meaning_of(t, set.text, Kind::d_enum) != nullptr) return named(t, set.text);
    return "";
}

Sort one_of(Telling& t, const Node& set) {
    const Sort sort = sort_of(t, set);
    return sort == Sort::players ? Sort::player : sort == Sort::cards || sort == Sort::kinds ? Sort::card : sort;
}

// Its own name behind the noun, where there are several like it.
std::string own_name(const Telling& t, const std::string& name) {
    const Local* l = local(t, name);
    if (l == nullptr || (!l->numbered && !l->titled)) return "";
    return l->titled || t.labels.contains(name) ? t.say(BookText::space_between_words) + term(t, name)
                                                : t.say(BookText::space_between_words) + named(t, name);
}

// --- moving

std::string put(Telling& t, const Node& s, const Node& target) {
    const std::string what = members(t, *s.children[0]);
    const std::string& place = s.children[1]->text;
    const std::string where = phrase(t, target);
    const std::string order = s.children.size() > 3 ? s.children[3]->text : "";
    if (t.ja) {
        const char* verb = place == "under" ? "の下に入れる" : place == "on" ? "の上に置く" : "に置く";
        return fmt::format("{}を{}{}{}", what, order == "shuffled" ? "よく混ぜて" : order.empty() ? "" : "順番のまま", where, verb);
    }
    return fmt::format("put {} {} {}{}{}", what, place == "on" ? "on top of" : place, where, order.empty() ? "" : ", ", order);
}

// `(A if C, otherwise B)` as a place is told as two sentences.
void put_somewhere(Telling& t, const Node& s, std::vector<Item>& out) {
    const Node& target = *s.children[2];
    if (target.kind != Kind::e_if || target.children.size() < 3) {
        out.push_back(leaf(s, put(t, s, target)));
        return;
    }
    const Clause c = clause(t, *target.children[1]);
    out.push_back(
        leaf(s, t.ja ? c.conditional + put(t, s, *target.children[0]) : fmt::format("if {}: {}", c.plain, put(t, s, *target.children[0]))));
    out.push_back(leaf(s, t.say(BookText::otherwise_head) + put(t, s, *target.children[2])));
}

bool is_several(Telling& t, const Node& target) {
    return target.kind == Kind::e_every || (target.kind == Kind::e_of && sort_of(t, *target.children[1]) == Sort::players);
}

Item deal(Telling& t, const Node& s) {
    const Node& count = counted_part(t, *s.children[0]);
    const bool all = count.kind == Kind::word;
    const std::string from = phrase(t, *s.children[1]);
    const std::string to = phrase(t, *s.children[2]);
    const bool several = is_several(t, *s.children[2]);
    const Node* direction = child(s, Kind::direction);
    const std::string sequence = direction == nullptr ? "" : sequence_words(t, *direction);
    Item item = leaf(s, "");
    const char* unit = t.pieces ? "個" : "枚";
    if (t.ja) {
        const std::string many = all ? (several ? "1" + std::string(unit) + "ずつすべて" : "すべて")
                                     : fmt::format("{}{}{}", number(t, count), unit, several ? "ずつ" : "");
        const bool plain = all || count.kind == Kind::number || count.kind == Kind::name || count.kind == Kind::players;
        const std::string how = plain ? many : fmt::format("、{}{}だけ", several ? "それぞれ" : "", phrase(t, count));
        item.text = fmt::format("{}{}{}から{}に{}配る", sequence, sequence.empty() ? "" : "、", from, to, how);
    } else {
        const std::string many = all ? "all " + piece(t, true) : fmt::format("{} {}", number(t, count), piece(t, count.text != "1"));
        const bool plain = all || count.kind == Kind::number || count.kind == Kind::name;
        item.text = plain ? fmt::format("deal {} from {} to {}", many, from, to)
                          : fmt::format("deal {} from {} to {}, as many as {}", piece(t, true), from, to, number(t, count));
        if (!sequence.empty()) item.text += ", " + sequence;
    }
    if (const Node* shorter = child(s, Kind::if_none))
        item.items.push_back(under(t, t.say(BookText::when_there_are_not_enough), body_sentences(t, *shorter), shorter->span));
    return item;
}

Item draw(Telling& t, const Node& s) {
    const bool blindly = child(s, Kind::word) != nullptr;
    const std::size_t at = blindly ? 2 : 1;
    const std::string& name = s.children[0]->text;
    const std::string from = phrase(t, *s.children[at]);
    const std::string to = phrase(t, *s.children[at + 1]);
    const bool one_place = sort_of(t, *s.children[at + 1]) == Sort::card;
    add_local(t, name, Sort::card, t.fill(BookText::drawn, piece(t, false)));
    const std::string own = own_name(t, name);
    Item item = leaf(s, t.fill(BookText::draw_a_from_into, from, to, piece(t, false), own,
                               blindly ? t.say(BookText::without_looking) : t.say(BookText::one_card_unsaid),
                               one_place ? t.say(BookText::is_laid) : t.say(BookText::is_added_there)));
    if (const Node* none = child(s, Kind::if_none))
        item.items.push_back(under(t, t.say(BookText::if_there_is_none), body_sentences(t, *none), none->span));
    if (const Node* more = child(s, Kind::refill))
        item.items.push_back(under(t, t.say(BookText::if_there_is_none_before_that), body_sentences(t, *more), more->span));
    return item;
}

// --- facts

std::string becomes_truth(Telling& t, const Node& fact, const Node& value) {
    const bool plain = value.kind == Kind::yes || value.kind == Kind::no;
    const bool yes = value.kind == Kind::yes;
    const std::string& name = fact.kind == Kind::e_possessive ? fact.children[1]->text
                              : fact.kind == Kind::e_of       ? fact.children[0]->text
                                                              : fact.text;
    const Node* owner = fact.kind == Kind::e_possessive ? fact.children[0] : fact.kind == Kind::e_of ? fact.children[1] : nullptr;
    const std::string mark = quoted(t, name);
    const std::string whose = owner == nullptr ? "" : phrase(t, *owner);
    if (!plain) {
        const std::string condition = clause(t, value).plain;
        if (t.ja) return fmt::format("{}{}{}かどうかは、{}かどうかで決まる", whose, whose.empty() ? "" : "が", mark, condition);
        return owner == nullptr ? fmt::format("from here on {} holds exactly if {}", mark, condition)
                                : fmt::format("mark {} as {} exactly if {}", whose, mark, condition);
    }
    if (t.ja) return fmt::format("{}{}{}を「{}」にする", whose, whose.empty() ? "" : "の", mark, yes ? "はい" : "いいえ");
    if (owner == nullptr) return fmt::format("{} {}", mark, yes ? "holds from here on" : "no longer holds");
    return fmt::format("{} {} as {}", yes ? "mark" : "no longer mark", whose, mark);
}

std::string becomes(Telling& t, const Node& s) {
    const Node& fact = *s.children[0];
    const Node& value = *s.children[1];
    const std::string* name = fact_of(fact);
    const Node* type = name == nullptr ? nullptr : fact_type(t, *name);
    if (type != nullptr && type->kind == Kind::t_yes_no) return becomes_truth(t, fact, value);
    const std::string what = phrase(t, fact);
    if (!changed_by(t, s).empty() && sort_of(t, fact) == Sort::number) {
        const std::string change = number(t, *value.children[2]);
        if (value.children[1]->text == "-") return t.fill(BookText::take_from, change, what);
        return t.fill(BookText::add_to, change, what);
    }
    return t.fill(BookText::becomes, what, number(t, value));
}

// A chosen value that is called like the fact: not “the suit becomes the suit”.
void tell_apart(Telling& t, const Node& target, const Node& value) {
    const Node& fact = target.kind == Kind::e_possessive ? *target.children[1] : target;
    const Local* chosen = value.kind == Kind::name ? local(t, value.text) : nullptr;
    if (chosen == nullptr || chosen->titled || chosen->numbered || !chosen->text.empty() || chosen->noun != named(t, fact.text)) return;
    Local told = *chosen;
    told.text = t.say(BookText::the_one_chosen);
    t.locals.push_back(std::move(told));
}

// What it becomes by cases stands below.
void become(Telling& t, const Node& s, std::vector<Item>& out) {
    const BlockScope scope(t);
    const Node& value = *s.children[1];
    tell_apart(t, *s.children[0], value);
    const bool brackets = value.kind == Kind::e_if && value.children.size() == 1;
    const Node& told = brackets ? *value.children[0] : value;
    std::vector<Item> cases = is_truth(t, told) ? std::vector<Item>{} : cases_items(t, told);
    if (cases.empty()) {
        out.push_back(leaf(s, becomes(t, s)));
        return;
    }
    out.push_back({t.fill(BookText::becomes_one_of, phrase(t, *s.children[0]), depending(t, told)), std::move(cases), s.span});
}

// --- decisions

struct Chosen {
    const Node* count = nullptr;
    const Node* set = nullptr;
    const Node* whole = nullptr;  // a condition on all that is chosen
    std::string name;
    bool aloud = false;
};

Chosen read_choice(const Node& choice) {
    Chosen c;
    c.aloud = choice.children[0]->text == "name";
    c.count = child(choice, Kind::count);
    c.set = choice.children[2];
    c.whole = child(choice, Kind::where);
    c.name = choice.children[c.count != nullptr ? 3 : 1]->text;
    return c;
}

// What can be chosen. The condition of the set may speak of the thing by its name.
std::string choices(Telling& t, const Chosen& c, Sort one, const std::string& noun) {
    const bool own = c.set->kind == Kind::e_where && mentions(*c.set->children[1], c.name);
    if (own && !goes_through(*c.set->children[1])) return those(t, *c.set->children[0], *c.set->children[1], c.name);
    const BlockScope scope(t);
    if (own) {
        add_local(t, c.name, one, noun);
        t.locals.back().numbered = !noun.empty();
    }
    return members(t, *c.set);
}

// `3 cards from their hand`, 「自分の手札からカードを3枚」
std::string choice_words(Telling& t, const Chosen& c) {
    const Sort sort = sort_of(t, *c.set);
    std::string many = "1";
    if (c.count != nullptr) {
        many = number(t, *c.count->children[0]);
        if (c.count->children.size() > 1) many += t.say(BookText::between_bounds) + number(t, *c.count->children[1]);
    }
    const bool several = c.count != nullptr && many != "1";
    const bool everybody = c.set->kind == Kind::players;
    const bool things = sort == Sort::cards || sort == Sort::card;
    const bool people = sort == Sort::players || sort == Sort::player;
    const std::string noun = noun_of(t, *c.set);
    const std::string set = choices(t, c, one_of(t, *c.set), noun);
    const std::string called = several  ? (noun.empty() ? "" : t.fill(BookText::chosen_several, noun))
                               : people ? t.say(c.aloud ? BookText::named_player : BookText::chosen_player)
                                        : noun;
    add_local(t, c.name, several ? (things ? Sort::cards : sort) : one_of(t, *c.set), called);
    if (c.set->kind == Kind::e_where && mentions(*c.set->children[1], c.name) && goes_through(*c.set->children[1]) && !noun.empty())
        t.locals.back().numbered = true;
    const std::string own = own_name(t, c.name);
    const bool is_filtered = c.set->kind == Kind::e_where;
    if (t.ja) {
        const char* unit = people ? "人" : things ? (t.pieces ? "個" : "枚") : "つ";
        if (sort == Sort::number) return fmt::format("{}{}{}を{}つ", set, is_filtered ? "" : "の数", own, many);
        if (c.count != nullptr && c.count->children.size() > 1 && c.count->children[1]->kind != Kind::number)
            return fmt::format("{}から{}{}以上、{}まで", set, number(t, *c.count->children[0]), unit, number(t, *c.count->children[1]));
        if (everybody) return fmt::format("プレイヤー{}を{}人", own, many);
        return fmt::format("{}から{}{}{}{}", set, own, own.empty() ? "" : "として", many, unit);
    }
    if (c.count == nullptr && everybody) return "a player" + own;
    if (c.count != nullptr && c.count->children.size() > 1 && c.count->children[1]->kind != Kind::number && !noun.empty())
        return fmt::format("{}s from {}, at least {} and at most {}", noun, set, number(t, *c.count->children[0]),
                           number(t, *c.count->children[1]));
    if (sort == Sort::number) {
        if (c.count != nullptr) return fmt::format("{} numbers from {}", many, set);
        return fmt::format("{}{} from {}", is_filtered ? "one of the numbers" : "a number", own, set);
    }
    const bool list = c.set->kind == Kind::name && meaning_of(t, c.set->text, Kind::d_enum) != nullptr;
    if (list && !several) return fmt::format("one {}{}", noun, own);
    if (!things && !people) return fmt::format("{} of {}", c.count == nullptr ? "one" : many, set) + (own.empty() ? "" : "," + own);
    const std::string what =
        c.count == nullptr
            ? fmt::format("{} {}{}", std::string_view("aeiou").find(noun[0]) != std::string_view::npos ? "an" : "a", noun, own)
            : fmt::format("{} {}{}", many, noun, several ? "s" : "");
    // `a card from the cards in their hand` is `a card from their hand`.
    const std::string in = "the " + piece(t, true) + " in ";
    return fmt::format("{} from {}", what, set.starts_with(in) ? set.substr(in.size()) : set);
}

Item must_or_may(Telling& t, const Node& s) {
    const Node& who = *s.children[0];
    const Chosen c = read_choice(*child(s, Kind::choice));
    const bool must = s.kind == Kind::s_must;
    const std::string player = phrase(t, who);
    const std::string outer = t.subject;
    t.subject = who.kind == Kind::name ? who.text : "";
    const std::string what = choice_words(t, c);
    t.subject = outer;
    Item item = leaf(s, "");
    if (t.ja) {
        const Sort sort = sort_of(t, *c.set);
        const bool people = sort == Sort::players || sort == Sort::player;
        const char* verb = c.aloud ? (must     ? (people ? "指名しなければならない" : "宣言しなければならない")
                                      : people ? "指名してもよい"
                                               : "宣言してもよい")
                           : must  ? "選ばなければならない"
                                   : "選んでもよい";
        item.text = fmt::format("{}は{}{}", player, what, verb);
    } else {
        item.text = fmt::format("{} {} {} {}", player, must ? "must" : "may", c.aloud ? "name" : "choose", what);
    }
    if (c.whole != nullptr) item.text += t.fill(BookText::such_that, clause(t, *c.whole->children[0]).plain);
    item.items = body_sentences(t, s);
    return item;
}

// What happens otherwise, unless it is said to be nothing.
void otherwise(Telling& t, const Node& s, std::vector<Item>& out) {
    const Node* other = child(s, Kind::otherwise);
    if (other == nullptr) return;
    const Node* body = body_of(*other);
    if (body != nullptr && body->children.size() == 1 && body->children[0]->kind == Kind::s_nothing) return;
    out.push_back(under(t, t.say(BookText::otherwise_if_not_done), body_sentences(t, *other), other->span));
}

void choose(Telling& t, const Node& s, std::vector<Item>& out) {
    const bool own_body = body_of(s) != nullptr;
    const std::size_t before = t.locals.size();
    out.push_back(must_or_may(t, s));
    if (own_body) t.locals.resize(before);
    if (const Node* none = child(s, Kind::if_none))
        out.push_back(under(t, t.say(BookText::if_there_is_none), body_sentences(t, *none), none->span));
    otherwise(t, s, out);
}

void may_do(Telling& t, const Node& s, std::vector<Item>& out) {
    const std::string what = quoted(t, s.children[1]->text);
    const std::string head = t.fill(BookText::may_choose, phrase(t, *s.children[0]), what);
    Item item = leaf(s, head);
    item.items = body_sentences(t, s);
    out.push_back(std::move(item));
    otherwise(t, s, out);
}

// Who alone sees what a lot picks.
std::string seen_by(Telling& t, const Node& s) {
    const Node* whom = child(s, Kind::lot_for);
    if (whom == nullptr) return "";
    const Node& seer = *whom->children[0];
    if (seer.kind == Kind::nobody) return t.say(BookText::nobody_sees_it);
    return t.fill(BookText::only_sees_it, phrase(t, seer));
}

// What the table or a lot tells: a fact, or a name for the rest of the block.
std::string told(Telling& t, const Node& s) {
    const std::string& name = s.children[0]->text;
    const Node* values = s.children[1]->kind == Kind::name ? meaning_of(t, s.children[1]->text, Kind::d_enum) : nullptr;
    const std::string set = values == nullptr ? members(t, *s.children[1]) : values_of(t, *values, true);
    const bool fact = s.children[0]->kind == Kind::lot_target;
    if (!fact && fact_type(t, name) == nullptr) add_local(t, name, one_of(t, *s.children[1]));
    const std::string what = phrase(t, fact ? *s.children[0]->children[0] : *s.children[0]);
    if (s.kind == Kind::s_table && s.children[1]->kind == Kind::players) return t.fill(BookText::is_settled_at_the_table, what);
    if (s.kind == Kind::s_table) return t.fill(BookText::is_settled_at_the_table_one_of, what, set);
    const Node* weights = child(s, Kind::weights);
    if (weights == nullptr && t.ja && s.children[1]->kind == Kind::players) return what + "をくじで決める" + seen_by(t, s);
    if (weights == nullptr) return t.fill(BookText::is_drawn_by_lot_from, what, set, seen_by(t, s));
    std::vector<std::string> odds;
    for (std::size_t i = 0; i + 1 < weights->children.size(); i += 2)
        odds.push_back(fmt::format("{} {}", phrase(t, *weights->children[i]), number(t, *weights->children[i + 1])));
    return t.fill(BookText::is_drawn_by_lot_with_the_weights, what, listed(t, odds), seen_by(t, s));
}

// --- loops and cases

std::string everyone(Telling& t, const Node* where, const Node* in, const std::string& name, bool in_turn) {
    const Node* set = in == nullptr ? nullptr : in->children[0];
    const bool people = set == nullptr || sort_of(t, *set) == Sort::players;
    const std::string of = set == nullptr ? t.say(BookText::the_players_unsaid) : members(t, *set);
    const std::string noun = set == nullptr ? t.say(BookText::player) : noun_of(t, *set);
    const Sort sort = set == nullptr ? Sort::player : one_of(t, *set);
    const bool about = where != nullptr && mentions(*where->children[0], name);
    const bool alone = about && !goes_through(*where->children[0]);
    const std::string plain = alone ? that_hold(t, *where->children[0], name, sort) : "";
    add_local(t, name, sort, noun);
    if (about && !alone) t.locals.back().numbered = !noun.empty();
    // A condition that needs its name, or is about something else.
    const std::string condition = about && !alone ? that_hold(t, *where->children[0], "", sort) : plain;
    const std::string during = where == nullptr || about ? "" : clause(t, *where->children[0]).plain;
    const std::string own = own_name(t, name);
    if (t.ja) {
        const std::string which = of + (of.empty() || condition.empty() ? "" : "のうち、") + condition;
        if (!people)
            return fmt::format("{}{}それぞれ{}について", which, condition.empty() ? "の" : "もの", own.empty() ? "" : "(" + own + ")");
        const std::string as_long = during.empty() ? "" : during + "あいだ、";
        const std::string who = which.empty() ? "全員" : condition.empty() ? which : which + "人";
        return fmt::format("{}{}{}が{}", as_long, who, own.empty() ? "" : "(プレイヤー" + own + ")", in_turn ? "順に" : "それぞれ");
    }
    const bool values = sort == Sort::value || sort == Sort::other || sort == Sort::number;
    std::string text =
        set == nullptr && condition.empty() ? "each player" + own : fmt::format("each{} of {}", own.empty() ? "" : " " + noun + own, of);
    if (!condition.empty()) text += " " + condition;
    if (!during.empty()) text += ", as long as " + during;
    return values || !people ? "for " + text : text;
}

Item each(Telling& t, const Node& s) {
    const BlockScope scope(t);
    const std::string& name = s.children[0]->text;
    if (const Node* numbers = child(s, Kind::from_to)) {
        add_local(t, name, Sort::number);
        const bool down = child(*numbers, Kind::down) != nullptr;
        const std::string first = number(t, *numbers->children.front());
        const std::string last = number(t, *numbers->children.back());
        const std::string each = down ? t.fill(BookText::for_from_down_to, term(t, name), first, last)
                                      : t.fill(BookText::for_from_to, term(t, name), first, last);
        const Node* where = child(s, Kind::where);
        const std::string held = where == nullptr ? "" : t.fill(BookText::if_behind, clause(t, *where->children[0]).plain);
        return under(t, each + held + t.say(BookText::then_head), body_sentences(t, s), s.span);
    }
    const Node* direction = child(s, Kind::direction);
    const std::string sequence = direction == nullptr ? "" : sequence_words(t, *direction) + t.say(BookText::between_items);
    const std::string who = everyone(t, child(s, Kind::where), child(s, Kind::in_set), name, direction != nullptr);
    return under(t, sequence + who + t.say(BookText::then_head), body_sentences(t, s), s.span);
}

// Whoever wants to, all asked together; the first one counts.
void whoever_wants(Telling& t, const Node& s, std::vector<Item>& out) {
    const Node& wish = **std::find_if(s.children.begin() + 1, s.children.end(), [](const Node* c) { return c->kind == Kind::name; });
    {
        const BlockScope scope(t);
        const std::string sequence = sequence_words(t, *child(s, Kind::direction));
        const std::string who = everyone(t, child(s, Kind::where), child(s, Kind::in_set), s.children[0]->text, false);
        const std::string head = t.fill(BookText::may_choose_all_at_the_same_time, sequence, who, quoted(t, wish.text));
        out.push_back(under(t, head, body_sentences(t, s), s.span));
    }
    if (const Node* other = child(s, Kind::otherwise); other != nullptr && body_of(*other) != nullptr)
        out.push_back(under(t, t.say(BookText::if_nobody_does), body_sentences(t, *other), other->span));
}

Item at_once(Telling& t, const Node& s) {
    const BlockScope scope(t);
    const std::string who = everyone(t, child(s, Kind::where), child(s, Kind::in_set), s.children[0]->text, false);
    return under(t, t.fill(BookText::at_the_same_time, who), body_sentences(t, s), s.span);
}

void repeat(Telling& t, const Node& s, std::vector<Item>& out) {
    const Node* during = child(s, Kind::while_true);
    const Node* until = child(s, Kind::until_true);
    const Node* bound = child(s, Kind::bound);
    std::string most = bound == nullptr ? "" : t.fill(BookText::at_most_times, number(t, *bound->children[0]));
    std::string head;
    if (t.ja) {
        head = during != nullptr  ? clause(t, *during->children[0]).plain + "あいだ"
               : until != nullptr ? clause(t, *until->children[0]).becoming + "まで"
                                  : "";
        if (!most.empty()) head += head.empty() ? most : "(" + most + ")";
        head += "繰り返す、";
    } else {
        head = during != nullptr  ? "repeat as long as " + clause(t, *during->children[0]).plain
               : until != nullptr ? "repeat until " + clause(t, *until->children[0]).plain
                                  : "repeat";
        if (!most.empty()) head += (during != nullptr || until != nullptr ? ", " : " ") + most;
        head += ": ";
    }
    std::vector<Item> body = body_sentences(t, s);
    if (body_of(s) == nullptr) {
        for (const Node* c : s.children)
            if (kind_name(c->kind).starts_with("s_")) tell(t, *c, body);
    }
    Item item{head.substr(0, head.size() - (t.ja ? std::string_view("、").size() : 2)), std::move(body), s.span};
    if (item.items.size() == 1 && item.items[0].items.empty() && !t.ja) item = under(t, head, item.items, s.span);
    out.push_back(std::move(item));
    const Node* then = child(s, Kind::bound_then);
    if (then == nullptr) return;
    std::vector<Item> after;
    for (const Node* c : then->children)
        for (Item& i : sentences(t, *c)) after.push_back(std::move(i));
    const Node* only = then->children.empty() ? nullptr : then->children[0];
    while (only != nullptr && only->kind == Kind::body && only->children.size() == 1) only = only->children[0];
    if (only != nullptr && only->kind == Kind::s_nothing) return;
    out.push_back(under(t, t.say(BookText::if_that_was_not_enough), std::move(after), then->span));
}

void if_chain(Telling& t, const Node& s, bool first, std::vector<Item>& out) {
    if (const auto holds = settled(t, *s.children[0])) {
        const Node* counts = *holds ? child(s, Kind::body) : child(s, Kind::otherwise);
        if (counts == nullptr) return;
        const Node* next = *holds ? nullptr : child(*counts, Kind::s_if);
        if (next != nullptr) return if_chain(t, *next, first, out);
        std::vector<Item> items = *holds ? sentences(t, *counts) : body_sentences(t, *counts);
        if (!first) items = {under(t, t.say(BookText::otherwise_head), std::move(items), s.span)};
        out.insert(out.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
        return;
    }
    const Clause c = clause(t, *s.children[0]);
    const std::string head =
        t.ja ? (first ? "" : "そうでなく、") + c.conditional : fmt::format("{} {}: ", first ? "if" : "otherwise, if", c.plain);
    out.push_back(under(t, head, body_sentences(t, s), s.span));
    const Node* other = child(s, Kind::otherwise);
    if (other == nullptr) return;
    if (const Node* next = child(*other, Kind::s_if))
        if_chain(t, *next, false, out);
    else
        out.push_back(under(t, t.say(BookText::otherwise_head), body_sentences(t, *other), other->span));
}

Item case_item(Telling& t, const Node& arm, const Node* of) {
    if (arm.kind == Kind::arm_otherwise) return under(t, t.say(BookText::otherwise_of_cases), body_sentences(t, arm), arm.span);
    if (of != nullptr) {
        std::vector<std::string> values;
        for (std::size_t i = 0; i + 1 < arm.children.size(); ++i) values.push_back(phrase(t, *arm.children[i]));
        const std::string which = fmt::format("{}", fmt::join(values, t.say(BookText::between_two_alternatives)));
        const std::string head =
            of->kind == Kind::players ? t.fill(BookText::with_players_head, which) : t.fill(BookText::value_head, which);
        return under(t, head, body_sentences(t, arm), arm.span);
    }
    std::string condition;
    for (std::size_t i = 0; i + 1 < arm.children.size(); ++i) {
        const Clause c = clause(t, *arm.children[i]);
        const bool last = i + 2 == arm.children.size();
        condition += t.ja ? (last ? c.conditional : c.plain + "か、または") : c.plain + (last ? "" : " or ");
    }
    const bool first = arm.kind == Kind::arm_except;
    return under(t, t.fill(first ? BookText::before_all_else_head : BookText::if_head, condition), body_sentences(t, arm), arm.span);
}

Item cases(Telling& t, const Node& s) {
    const Node* of = s.kind == Kind::s_cases_of ? s.children[0] : nullptr;
    Item item = leaf(s, of == nullptr ? t.say(BookText::whichever_of_these_fits) : t.fill(BookText::depending_on, number(t, *of)));
    for (const Node* arm : s.children)
        if (arm->kind == Kind::arm || arm->kind == Kind::arm_except || arm->kind == Kind::arm_otherwise)
            item.items.push_back(case_item(t, *arm, of));
    return item;
}

// --- the rest

std::string call(Telling& t, const Node& s) {
    std::vector<std::string> whom;
    if (const Node* arguments = child(s, Kind::arguments)) {
        const auto players = std::count_if(arguments->children.begin(), arguments->children.end(),
                                           [&](const Node* a) { return sort_of(t, *a) == Sort::player; });
        for (const Node* a : arguments->children) {
            const Local* l = a->kind == Kind::name ? local(t, a->text) : nullptr;
            // Who the sentences are about all along needs no word, unless it is one of two.
            const bool plain = players < 2 && l != nullptr && !l->numbered && !l->titled && l->sort == Sort::player;
            if (!plain || l->noun != t.say(BookText::player)) whom.push_back(phrase(t, *a));
        }
    }
    const std::string name = reference(t, s.children[0]->text);
    if (whom.empty()) return t.fill(BookText::do_rule, name);
    return t.fill(BookText::do_rule_for, name, joined(t, whom));
}

std::string end(Telling& t, const Node& s) {
    const std::string& name = s.children[0]->text;
    std::vector<std::string> whom;
    if (const Node* arguments = child(s, Kind::arguments))
        for (const Node* a : arguments->children) whom.push_back(phrase(t, *a));
    const std::string about = whom.empty() ? "" : t.fill(BookText::in_brackets_behind, joined(t, whom));
    return t.fill(BookText::the_game_ends, reference(t, name), about);
}

std::string let(Telling& t, const Node& s) {
    const std::string value = number(t, *s.children[1]);
    add_local(t, s.children[0]->text, sort_of(t, *s.children[1]));
    return t.fill(BookText::let_be, term(t, s.children[0]->text), value);
}

std::string show(Telling& t, const Node& s) {
    const bool all = s.children[1]->kind == Kind::word;
    return t.fill(BookText::show_to, members(t, *s.children[0]), all ? t.say(BookText::everybody) : phrase(t, *s.children[1]));
}

std::string judged(Telling& t, const Node& s) { return t.fill(BookText::whether_this_was_right_is_judged_by, phrase(t, *s.children[0])); }

void reading(Telling& t, const Node& s, std::vector<Item>& out) {
    const Node* arm = chosen_arm(t, s);
    keep_reading(t, s);
    if (arm == nullptr) return;
    out.push_back(under(t, t.fill(BookText::reading, term(t, s.children[0]->text)), body_sentences(t, *arm), s.span));
}

// A word, or a value.
std::string says(Telling& t, const Node& s) {
    const Node& what = *s.children[1];
    const bool is_word = what.kind == Kind::name && local(t, what.text) == nullptr;
    const std::string who = phrase(t, *s.children[0]);
    return is_word ? t.fill(BookText::says, who, quoted(t, what.text)) : t.fill(BookText::says_value, who, phrase(t, what));
}

// What is told in one sentence; nothing for the others.
std::optional<std::string> sentence(Telling& t, const Node& s) {
    switch (s.kind) {
        case Kind::s_let:
            return let(t, s);
        case Kind::s_says:
            return says(t, s);
        case Kind::s_show:
            return show(t, s);
        case Kind::s_stop:
            return t.fill(BookText::is_over_at_once, reference(t, s.children[0]->text));
        case Kind::s_end:
            return end(t, s);
        case Kind::s_play_game:
            return t.say(BookText::play_a_whole_game_set_up_and);
        case Kind::s_nothing:
            return t.say(BookText::nothing_happens);
        case Kind::s_judged:
            return judged(t, s);
        case Kind::s_shuffle:
            return t.fill(BookText::shuffle, phrase(t, *s.children[0]));
        case Kind::s_table:
        case Kind::s_chance:
            return told(t, s);
        case Kind::s_offer:
            return t.fill(BookText::whoever_wants_may_do_this, reference(t, s.children[0]->text));
        case Kind::s_call:
            return call(t, s);
        default:
            return std::nullopt;
    }
}

void tell(Telling& t, const Node& s, std::vector<Item>& out) {
    if (child(s, Kind::more_lots) != nullptr) {
        for (const Node& lot : single_lots(s)) out.push_back(leaf(s, told(t, lot)));
        return;
    }
    if (std::optional<std::string> text = sentence(t, s)) return out.push_back(leaf(s, std::move(*text)));
    switch (s.kind) {
        case Kind::body:
            for (Item& item : sentences(t, s)) out.push_back(std::move(item));
            return;
        case Kind::s_becomes:
            become(t, s, out);
            return;
        case Kind::s_put:
            put_somewhere(t, s, out);
            return;
        case Kind::s_deal:
            out.push_back(deal(t, s));
            return;
        case Kind::s_draw:
            out.push_back(draw(t, s));
            return;
        case Kind::s_must:
        case Kind::s_may:
            choose(t, s, out);
            return;
        case Kind::s_may_do:
            may_do(t, s, out);
            return;
        case Kind::s_simultaneously:
            out.push_back(at_once(t, s));
            return;
        case Kind::s_any:
            whoever_wants(t, s, out);
            return;
        case Kind::s_each:
            out.push_back(each(t, s));
            return;
        case Kind::s_repeat:
            repeat(t, s, out);
            return;
        case Kind::s_times:
            out.push_back(under(t, t.fill(BookText::times, number(t, *s.children[0])), body_sentences(t, s), s.span));
            return;
        case Kind::s_if:
            if_chain(t, s, true, out);
            return;
        case Kind::s_cases:
        case Kind::s_cases_of:
            if (const Node* arm = settled_arm(t, s))
                for (Item& item : body_sentences(t, *arm)) out.push_back(std::move(item));
            else
                out.push_back(cases(t, s));
            return;
        case Kind::s_reading:
            reading(t, s, out);
            return;
        case Kind::d_assume:
        case Kind::d_unclear:
            return;  // told with the other decisions
        default:
            out.push_back(leaf(s, source_code(t, s)));
    }
}

}  // namespace

Item under(const Telling& t, const std::string& head, std::vector<Item> items, Span span) {
    if (items.size() == 1 && items[0].items.empty()) {
        if (t.joined) t.joined(items[0].span, items[0].text);
        return {head + items[0].text, {}, span};
    }
    std::string text = head;
    for (const std::string_view tail : {std::string_view(": "), std::string_view("、"), std::string_view("："), std::string_view(" ")})
        if (text.ends_with(tail)) text.resize(text.size() - tail.size());
    if (items.empty()) items.push_back({t.say(BookText::nothing_happens), {}, span});
    return {std::move(text), std::move(items), span};
}

std::vector<Item> sentences(Telling& t, const Node& body) {
    const BlockScope scope(t);
    std::vector<Item> items;
    if (body.kind != Kind::body) {
        tell(t, body, items);
        return items;
    }
    for (const Node* s : body.children) tell(t, *s, items);
    return items;
}

}  // namespace houserule::cli
