// Conditions.
#include "dsl/book/book_words.hpp"

#include <algorithm>
#include <utility>

namespace houserule::cli {

namespace {

// 「Xである」, 「Xでない」.
Clause copula(const std::string& body, bool denied) {
    if (denied) return {body + "でない", body + "でなく", body + "でなければ、", body + "でなくなる"};
    return {body + "である", body + "であり", body + "なら、", body + "になる"};
}

// 「Xがある」, 「Xがいない」.
Clause there_is(const std::string& body, bool people, bool denied) {
    if (denied)
        return {body + (people ? "いない" : "ない"), body + (people ? "おらず" : "なく"), body + (people ? "いなければ、" : "なければ、"),
                body + (people ? "いなくなる" : "なくなる")};
    return {body + (people ? "いる" : "ある"), body + (people ? "いて" : "あり"), body + (people ? "いれば、" : "あれば、"), body + "出る"};
}

Clause holds(const std::string& body, bool denied) {
    if (denied) return {body + "成り立たない", body + "成り立たず", body + "成り立たなければ、", body + "成り立たなくなる"};
    return {body + "成り立つ", body + "成り立ち", body + "成り立てば、", body + "成り立つ"};
}

Clause english(std::string text) { return {std::move(text)}; }

// The one a condition goes through is not named again: 「ハートである」.
std::string about(Telling& t, const Node& node) {
    if (is_it(t, node)) return "";
    return number(t, node) + "が";
}

const char* is_or_are(Telling& t, const Node& left, bool denied) {
    const Sort sort = sort_of(t, left);
    if (is_it(t, left)) return t.people ? (denied ? "are not" : "are") : denied ? "is not" : "is";
    const bool many = (sort == Sort::players || sort == Sort::cards || sort == Sort::kinds) && !is_zone(t, left) &&
                      left.kind != Kind::players && left.kind != Kind::e_card;
    return many ? (denied ? "are not" : "are") : (denied ? "is not" : "is");
}

Clause compare(Telling& t, const Node& node, bool denied) {
    const Node& left = *node.children[0];
    const Node& right = *node.children[2];
    std::string word = node.children[1]->text;
    if (word == "is not") {
        word = "is";
        denied = !denied;
    }
    if (word == "is" && (right.kind == Kind::yes || right.kind == Kind::no)) return clause(t, left, denied != (right.kind == Kind::no));
    if (word == "is" && (right.kind == Kind::nobody || right.kind == Kind::none) && t.ja)
        return there_is(about(t, left), right.kind == Kind::nobody, !denied);
    if (word == "is" && is_truth(t, left) && is_truth(t, right)) {
        const std::string x = clause(t, left).plain;
        const std::string y = clause(t, right).plain;
        if (t.ja)
            return {fmt::format("{}かどうかと{}かどうかが一致{}", x, y, denied ? "しない" : "する"),
                    fmt::format("{}かどうかと{}かどうかが一致{}", x, y, denied ? "せず" : "し"),
                    fmt::format("{}かどうかと{}かどうかが一致{}", x, y, denied ? "しなければ、" : "すれば、"),
                    fmt::format("{}かどうかと{}かどうかが一致{}", x, y, denied ? "しなくなる" : "する")};
        return english(denied ? fmt::format("only one of these holds: {}; {}", x, y) : fmt::format("{} exactly if {}", x, y));
    }
    const std::string right_words =
        sort_of(t, left) == Sort::number || word != "is" || left.kind == Kind::players ? number(t, right) : phrase(t, right);
    if (word == "is") {
        // Two cards are the same when they are of one kind.
        const bool alike = sort_of(t, right) == Sort::card && right.kind != Kind::e_card && !meaning_of(t, right.text, Kind::row);
        // A further subject stands apart.
        const bool apart = right_words.find("が") != std::string::npos && !right_words.starts_with("(");
        const std::string right_apart = apart ? "(" + right_words + ")" : right_words;
        if (t.ja) return copula(fmt::format("{}{}{}", about(t, left), right_apart, alike ? "と同じ" : ""), denied);
        if (alike) return english(fmt::format("{} {} the same as {}", phrase(t, left), is_or_are(t, left, denied), right_words));
        return english(fmt::format("{} {} {}", number(t, left), is_or_are(t, left, denied), right_words));
    }
    if (denied) word = word == "<" ? ">=" : word == "<=" ? ">" : word == ">" ? "<=" : "<";
    const std::string left_words = number(t, left);
    if (!t.ja)
        return english(fmt::format("{} is {} {}", left_words,
                                   word == "<"    ? "less than"
                                   : word == "<=" ? "at most"
                                   : word == ">"  ? "more than"
                                                  : "at least",
                                   right_words));
    const std::string body = about(t, left) + right_words;
    if (word == ">") return {body + "より大きい", body + "より大きく", body + "より大きければ、", body + "より大きくなる"};
    return copula(body + (word == "<" ? "未満" : word == "<=" ? "以下" : "以上"), false);
}

Clause in(Telling& t, const Node& node, bool denied) {
    const Node& left = *node.children[0];
    const Node& right = *node.children[1];
    const std::string subject = t.ja ? about(t, left) : phrase(t, left);
    if (right.kind == Kind::e_range) {
        if (t.ja) return copula(subject + phrase(t, right), denied);
        return english(fmt::format("{} {} from {}", subject, is_or_are(t, left, denied), phrase(t, right)));
    }
    if (right.kind == Kind::e_set) {
        if (t.ja) return copula(fmt::format("{}{}のどれか", subject, phrase(t, right)), denied);
        return english(fmt::format("{} {} one of {}", subject, is_or_are(t, left, denied), phrase(t, right)));
    }
    if (is_zone(t, right)) {
        if (t.ja) return there_is(fmt::format("{}に{}", phrase(t, right), subject), false, denied);
        return english(fmt::format("{} {} in {}", subject, is_or_are(t, left, denied), phrase(t, right)));
    }
    if (!t.ja) return english(fmt::format("{} {} among {}", subject, is_or_are(t, left, denied), phrase(t, right)));
    const std::string body = fmt::format("{}{}に", subject, phrase(t, right));
    if (denied) return {body + "含まれない", body + "含まれず", body + "含まれなければ、", body + "含まれなくなる"};
    return {body + "含まれる", body + "含まれ", body + "含まれれば、", body + "含まれる"};
}

Clause empty(Telling& t, const Node& node, bool denied) {
    const Node& set = *node.children[0];
    if (is_zone(t, set)) {
        if (set.kind == Kind::e_every && denied)
            return t.ja ? there_is("空でない" + named(t, set.children[0]->text) + "が", false, false)
                        : english(fmt::format("not {} is empty", phrase(t, set)));
        if (t.ja) return copula((is_it(t, set) ? "" : phrase(t, set) + "が") + std::string("空"), denied);
        return english(fmt::format("{} {} empty", phrase(t, set), denied ? "is not" : "is"));
    }
    const Sort sort = sort_of(t, set);
    if (t.ja) return there_is(phrase(t, set) + "が", sort == Sort::players, !denied);
    const char* some = sort == Sort::players ? (denied ? "somebody" : "nobody") : denied ? "something" : "nothing";
    return english(fmt::format("there is {} in {}", some, members(t, set)));
}

Clause is_a(Telling& t, const Node& node, bool denied) {
    const std::string family = named(t, node.children[1]->text);
    if (t.ja) return copula(about(t, *node.children[0]) + family, denied);
    const bool vowel = !family.empty() && std::string_view("aeiouAEIOU").find(family[0]) != std::string_view::npos;
    return english(fmt::format("{} {} {} {}", phrase(t, *node.children[0]), denied ? "is not" : "is", vowel ? "an" : "a", family));
}

// Inside a condition `it` is what that condition goes through, and nothing around it.
void no_its(Telling& t) {
    for (Local& l : t.locals) l.it = false;
}

Clause open(const std::string& text) {
    Clause c = english(text);
    c.is_open = true;
    return c;
}

// It has a name of its own, because the condition speaks of other things as `it`.
Clause some_named(Telling& t, const Node& node, bool people, bool denied) {
    const std::string of = members(t, *node.children[1]);
    const BlockScope scope(t);
    no_its(t);
    add_local(t, node.children[0]->text, people ? Sort::player : Sort::card);
    const std::string x = term(t, node.children[0]->text);
    const std::string which = clause(t, *node.children[2]).plain;
    if (t.ja) return there_is(fmt::format("{}のうち、{}となる{}が", of, which, x), people, denied);
    return open(fmt::format("there is {} {} among {} for {} {}", denied ? "no" : "some", x, of, people ? "whom" : "which", which));
}

Clause some(Telling& t, const Node& node, bool denied) {
    const Node& set = *node.children[1];
    const Node& condition = *node.children[2];
    const bool people = sort_of(t, set) == Sort::players;
    if (goes_through(condition)) return some_named(t, node, people, denied);
    if (t.ja) return there_is(those(t, set, condition, node.children[0]->text) + "が", people, denied);
    const std::string of = members(t, set);
    std::string one = that_hold(t, condition, node.children[0]->text, people ? Sort::player : Sort::card);
    for (const std::string_view many : {"who are ", "that are "})
        if (one.starts_with(many)) one.replace(many.size() - 4, 3, "is");
    if (set.kind == Kind::players) return open(fmt::format("there is {} player {}", denied ? "no" : "a", one));
    return open(fmt::format("among {} there is {} {}", of, denied ? "none" : "one", one));
}

// That cards can be split into sets that fulfil a condition.
Clause splits(Telling& t, const Node& node, bool denied) {
    const std::string of = number(t, *node.children[0]);
    const std::string which = sets_that(t, *node.children[1], *node.children[2]);
    if (!t.ja) return english(fmt::format("{} {} be split into {}", of, denied ? "cannot" : "can", which));
    const std::string body = fmt::format("{}を{}に分け", of, which);
    if (denied) return {body + "られない", body + "られず", body + "られなければ、", body + "られなくなる"};
    return {body + "られる", body + "られ", body + "られれば、", body + "られるようになる"};
}

// A definition in its own words.
Clause spelled(Telling& t, const Node& value, bool denied) {
    ++t.depth;
    Clause c = clause(t, value, denied);
    --t.depth;
    return c;
}

// 「脱落」である, and until then: it is set like any other value.
Clause marked_so(const std::string& whose, const std::string& what, bool denied) {
    Clause c = copula((whose.empty() ? "" : whose + "が") + what, denied);
    c.becoming = fmt::format("{}{}{}が「{}」になる", whose, whose.empty() ? "" : "の", what, denied ? "いいえ" : "はい");
    return c;
}

// A yes or no of the table, of a player, or of a card.
Clause fact_holds(Telling& t, const std::string& name, bool denied) {
    if (t.ja) return marked_so("", quoted(t, name), denied);
    return english(fmt::format("{} {}", quoted(t, name), denied ? "does not hold" : "holds"));
}

Clause truth_name(Telling& t, const Node& node, bool denied) {
    if (const Local* l = local(t, node.text))
        return t.ja ? holds(term(t, l->name) + "が", denied)
                    : english(fmt::format("{} {}", term(t, l->name), denied ? "does not hold" : "holds"));
    if (meaning_of(t, node.text, Kind::d_define) == nullptr) return fact_holds(t, node.text, denied);
    {
        const BlockScope scope(t);
        if (const Node* value = spelled_out(t, node.text, {})) return spelled(t, *value, denied);
    }
    return t.ja ? holds(defined(t, node.text) + "が", denied)
                : english(fmt::format("{} {}", defined(t, node.text), denied ? "does not hold" : "holds"));
}

Clause truth_member(Telling& t, const Node& node, bool denied) {
    const std::string& name = node.children[1]->text;
    const Node& owner = *node.children[0];
    const bool marked = fact_type(t, name) != nullptr;
    if (t.ja) return marked_so(is_it(t, owner) ? "" : number(t, owner), quoted(t, name), denied);
    if (marked) return english(fmt::format("{} {} marked {}", phrase(t, owner), is_or_are(t, owner, denied), quoted(t, name)));
    return english(fmt::format("{} {}", of_owner(t, owner, quoted(t, name)), denied ? "does not hold" : "holds"));
}

Clause truth_call(Telling& t, const Node& node, bool denied) {
    const std::string& name = node.children[0]->text;
    std::vector<std::string> whom;
    const std::vector<const Node*>& arguments = node.children.back()->children;
    {
        const BlockScope scope(t);
        if (const Node* value = spelled_out(t, name, arguments)) return spelled(t, *value, denied);
    }
    const std::string what = defined(t, name);
    const bool only_it = arguments.size() == 1 && is_it(t, *arguments[0]);
    for (const Node* a : arguments)
        if (!only_it && !goes_without_saying(t, *a, arguments)) whom.push_back(is_it(t, *a) && t.people && !t.ja ? "them" : phrase(t, *a));
    if (t.ja) return holds(fmt::format("{}{}{}が", fmt::join(whom, "と"), whom.empty() ? "" : "について", what), denied);
    const char* verb = denied ? "does not hold" : "holds";
    return english(whom.empty() ? fmt::format("{} {}", what, verb) : fmt::format("{} {} for {}", what, verb, joined(t, whom)));
}

// All of them, or one of them; a group inside another stands in brackets.
Clause together(const Telling& t, std::vector<Clause> parts, bool all) {
    for (Clause& c : parts) {
        if (c.group == (all ? Kind::e_or : Kind::e_and)) {
            c.plain = "(" + c.plain + ")";
            c.joined = c.plain;
            c.conditional = c.plain + "なら、";
            c.becoming = c.plain + "ようになる";
        }
    }
    if (!t.ja) {
        std::vector<std::string> texts;
        for (const Clause& c : parts) {
            const bool in_brackets = c.is_open && c.group == Kind::file && &c != &parts.back();
            texts.push_back(in_brackets ? "(" + c.plain + ")" : c.plain);
        }
        Clause all_parts = english(fmt::format("{}", fmt::join(texts, all ? " and " : " or ")));
        all_parts.group = all ? Kind::e_and : Kind::e_or;
        all_parts.is_open = parts.back().is_open;
        return all_parts;
    }
    std::string before;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) before += all ? parts[i].joined + "、" : parts[i].plain + "か、または";
    return {before + parts.back().plain, before + parts.back().joined, before + parts.back().conditional, before + parts.back().becoming,
            all ? Kind::e_and : Kind::e_or};
}

Clause group(Telling& t, const Node& node, bool denied) {
    std::vector<Clause> parts;
    for (const Node* part : node.children) parts.push_back(clause(t, *part, denied));
    return together(t, std::move(parts), (node.kind == Kind::e_and) != denied);
}

bool is_plain(const Node& node) { return node.kind == Kind::yes || node.kind == Kind::no; }

// `(yes if A, otherwise B)` is A or B.
Clause either(Telling& t, const Node& node, bool denied) {
    const Node& value = *node.children[0];
    const Node& condition = *node.children[1];
    const Node& other = *node.children[2];
    if (is_plain(value) && is_plain(other) && value.kind != other.kind) return clause(t, condition, (value.kind == Kind::no) != denied);
    if (is_plain(value)) {
        const bool yes = (value.kind == Kind::yes) != denied;
        return together(t, {clause(t, condition, !yes), clause(t, other, denied)}, !yes);
    }
    if (is_plain(other)) {
        const bool yes = (other.kind == Kind::yes) != denied;
        return together(t, {clause(t, condition, yes), clause(t, value, denied)}, !yes);
    }
    // Both ways: if so, this; if not so, that.
    const Clause yes = together(t, {clause(t, condition), clause(t, value, denied)}, true);
    const Clause no = together(t, {clause(t, condition, true), clause(t, other, denied)}, true);
    return together(t, {yes, no}, false);
}

std::string relative(Telling& t, const Node& condition, bool people) {
    if (t.ja) {
        // Several conditions before a noun stay together.
        const Clause c = clause(t, condition);
        return c.group == Kind::file ? c.plain : "(" + c.plain + ")";
    }
    const auto one = [&](const Node& node) {
        const Clause c = clause(t, node);
        const std::string text = c.group == Kind::file || &node == &condition ? c.plain : "(" + c.plain + ")";
        if (text.starts_with("it is ")) return "that are " + text.substr(6);
        if (text.starts_with("they are ")) return "who are " + text.substr(9);
        if (text.starts_with("its ")) return "whose " + text.substr(4);
        if (people && text.starts_with("their ")) return "whose " + text.substr(6);
        return (people ? "for whom " : "for which ") + text;
    };
    if (condition.kind != Kind::e_and && condition.kind != Kind::e_or) return one(condition);
    std::string text;
    for (const Node* part : condition.children) text += (text.empty() ? "" : condition.kind == Kind::e_and ? " and " : " or ") + one(*part);
    return text;
}

// Any other expression that is yes or no.
Clause other(Telling& t, const Node& node, bool denied) {
    const std::string text = phrase(t, node);
    if (t.ja) return copula(fmt::format("「{}」が「はい」", text), denied);
    return english(fmt::format("({}) is {}", text, denied ? "no" : "yes"));
}

}  // namespace

std::string sets_that(Telling& t, const Node& name, const Node& condition) {
    const BlockScope scope(t);
    no_its(t);
    add_local(t, name.text, Sort::cards);
    return t.fill(BookText::sets_for_which, term(t, name.text), clause(t, condition).plain);
}

bool goes_through(const Node& node) {
    const bool here = node.kind == Kind::it || node.kind == Kind::e_some || node.kind == Kind::e_no || node.kind == Kind::e_where;
    return here || std::any_of(node.children.begin(), node.children.end(), [](const Node* c) { return goes_through(*c); });
}

bool mentions(const Node& node, const std::string& name) {
    return (node.kind == Kind::name && node.text == name) ||
           std::any_of(node.children.begin(), node.children.end(), [&](const Node* c) { return mentions(*c, name); });
}

std::string that_hold(Telling& t, const Node& condition, const std::string& x, Sort one) {
    const BlockScope scope(t);
    t.subject.clear();
    t.people = one == Sort::player;
    t.element = one;
    no_its(t);
    if (!x.empty()) {
        add_local(t, x, one);
        t.locals.back().it = true;
    }
    return relative(t, condition, one == Sort::player);
}

namespace {

// The condition of one card alone.
std::string as_it_holds(Telling& t, const Node& condition, const std::string& x) {
    const BlockScope scope(t);
    t.subject.clear();
    t.people = false;
    t.element = Sort::card;
    no_its(t);
    if (!x.empty()) {
        add_local(t, x, Sort::card);
        t.locals.back().it = true;
    }
    return clause(t, condition).plain;
}

}  // namespace

std::string those(Telling& t, const Node& set, const Node& condition, const std::string& x) {
    const Sort sort = sort_of(t, set);
    const Sort one = sort == Sort::players ? Sort::player : sort == Sort::cards || sort == Sort::kinds ? Sort::card : sort;
    // 「自分以外の全員のうち、手札が空でない人」 is 「自分以外で手札が空でない人」.
    if (t.ja && set.kind == Kind::e_but && set.children[0]->kind == Kind::players) {
        const std::string others = phrase(t, set);
        if (const std::string_view all = "の全員"; others.ends_with(all))
            return fmt::format("{}で{}人", others.substr(0, others.size() - all.size()), that_hold(t, condition, x, one));
    }
    const std::string of = members(t, set);
    // One card at most: it cannot be counted among others.
    if (!t.ja && sort == Sort::card && is_zone(t, set)) return fmt::format("{} (if {})", of, as_it_holds(t, condition, x));
    const std::string which = that_hold(t, condition, x, one);
    if (!t.ja) return fmt::format("{} {}", of, which);
    return set.kind == Kind::players ? which + "人" : fmt::format("{}のうち、{}{}", of, which, sort == Sort::players ? "人" : "もの");
}

namespace {

Clause clause_of(Telling& t, const Node& node, bool denied) {
    switch (node.kind) {
        case Kind::e_and:
        case Kind::e_or:
            return group(t, node, denied);
        case Kind::e_not:
            return clause(t, *node.children[0], !denied);
        case Kind::e_compare:
            return compare(t, node, denied);
        case Kind::e_in:
            return in(t, node, denied);
        case Kind::e_not_in:
            return in(t, node, !denied);
        case Kind::e_empty:
            return empty(t, node, denied);
        case Kind::e_not_empty:
            return empty(t, node, !denied);
        case Kind::e_is_a:
            return is_a(t, node, denied);
        case Kind::e_is_not_a:
            return is_a(t, node, !denied);
        case Kind::e_splits:
            return splits(t, node, denied);
        case Kind::e_some:
            return some(t, node, denied);
        case Kind::e_no:
            return some(t, node, !denied);
        case Kind::name:
            return truth_name(t, node, denied);
        case Kind::e_possessive:
            return truth_member(t, node, denied);
        case Kind::e_call:
            return truth_call(t, node, denied);
        case Kind::yes:
        case Kind::no: {
            const bool never = (node.kind == Kind::no) != denied;
            return t.ja ? holds(never ? "決して" : "常に", never) : english(never ? "never" : "always");
        }
        case Kind::e_if:
            return node.children.size() == 1 ? clause(t, *node.children[0], denied) : either(t, node, denied);
        case Kind::e_reading:
            keep_reading(t, node);
            return clause(t, *chosen_arm(t, node)->children.back(), denied);
        default:
            return other(t, node, denied);
    }
}

}  // namespace

Clause clause(Telling& t, const Node& whole_node, bool denied) {
    const Node& node = counted_part(t, whole_node);
    Clause said = clause_of(t, node, denied);
    if (!t.told) return said;
    // The other way round it is not said, only told of.
    const auto told = std::exchange(t.told, nullptr);
    const std::string other = clause_of(t, node, !denied).plain;
    t.told = told;
    t.told(whole_node.span, denied ? other : said.plain, denied ? said.plain : other);
    return said;
}

}  // namespace houserule::cli
