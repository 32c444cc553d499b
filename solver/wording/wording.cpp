#include "solver/wording/wording.hpp"

#include "dsl/text/ascii.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

namespace {

using Numbers = std::set<std::int64_t>;

constexpr std::int64_t least_goal = 5;  // a smaller figure is often worked out

// Whether one is the other with a letter more or less, or with two neighbours exchanged, somewhere in the middle: not two words that begin
// or end otherwise, nor two that another letter makes different words.
bool nearly_coincide(const std::string& a, const std::string& b) {
    constexpr std::size_t least = 6;
    constexpr std::size_t common = 2;
    const std::string& s = a.size() < b.size() ? a : b;
    const std::string& l = a.size() < b.size() ? b : a;
    if (a == b || s.size() < least || l.size() > s.size() + 1) return false;
    std::size_t front = 0;
    while (front < s.size() && s[front] == l[front]) ++front;
    std::size_t back = 0;
    while (back < s.size() - front && s[s.size() - 1 - back] == l[l.size() - 1 - back]) ++back;
    if (front < common || back < common || ascii::is_digit(l[front])) return false;
    if (l.size() > s.size()) return front + back == s.size();
    return front + back + 2 == s.size() && s[front] == l[front + 1] && s[front + 1] == l[front];
}

class Wording {
public:
    Wording(const Syntax& syntax, const std::vector<Game>& games) : syntax_(syntax), games_(games), quotes_(syntax) {}

    std::vector<Finding> all() {
        names();
        labels();
        const std::vector<const SyntaxNode*> declared = declarations(*syntax_.root);
        for (const SyntaxNode* d : declared)
            if (d->kind == Kind::d_rule) rules_.emplace(name_of(*d), d);
        for (const SyntaxNode* d : declared) {
            duties(*d);
            deals(*d);
            directions(*d);
            shuffles(*d);
            moves(*d);
            rights(*d);
            limits(*d);
        }
        spoken_of();
        for (const auto& [name, texts] : quotes_.all()) two_languages(name, texts);
        totals();
        goals();
        starts();
        return std::move(findings_);
    }

private:
    Finding& tell(FindingClass what, const std::string& rule, std::vector<Span> spans, Sentence title, Sentence help) {
        Finding& f = findings_.emplace_back();
        f.what = what;
        f.gravity = Gravity::warning;
        f.verdict = Verdict::found;
        f.method = FoundBy::static_reading;
        f.rule = rule;
        f.spans = std::move(spans);
        f.title = std::move(title);
        f.help = std::move(help);
        return f;
    }

    // Those of the game and of what is added to it; not of examples.
    static std::vector<const SyntaxNode*> declarations(const SyntaxNode& node) {
        std::vector<const SyntaxNode*> all;
        const std::function<void(const SyntaxNode&)> walk = [&](const SyntaxNode& n) {
            if (n.kind == Kind::d_rule || n.kind == Kind::d_act || n.kind == Kind::d_setup || n.kind == Kind::d_play) all.push_back(&n);
            for (const SyntaxNode* c : n.children) walk(*c);
        };
        walk(node);
        return all;
    }

    // ---- names

    void names() {
        std::vector<const SyntaxNode*> named;
        const std::function<void(const SyntaxNode&)> walk = [&](const SyntaxNode& n) {
            if (n.kind == Kind::d_fact || n.kind == Kind::d_zone || n.kind == Kind::d_rule || n.kind == Kind::d_define)
                named.push_back(n.children[0]);
            for (const SyntaxNode* c : n.children) walk(*c);
        };
        walk(*syntax_.root);
        for (std::size_t i = 0; i < named.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const std::string& late = named[i]->text;
                const std::string& early = named[j]->text;
                if (!nearly_coincide(late, early)) continue;
                tell(FindingClass::term, late, {named[i]->span, named[j]->span},
                     FindingText::two_names_that_nearly_coincide_and(early, late), FindingText::if_they_are_one_write);
            }
        }
    }

    // One label for two places, facts, kinds of cards or ends.
    void labels() {
        const Game& game = games_.back();
        std::set<std::string> languages;
        for (const NamedText& l : game.labels) languages.insert(l.language);
        std::vector<std::vector<std::pair<std::string, Span>>> groups(4);
        for (const Zone& z : game.zones) groups[0].emplace_back(z.name, z.span);
        for (const Fact& f : game.facts) groups[1].emplace_back(f.name, f.span);
        for (const Family& f : game.families) groups[2].emplace_back(f.name, f.span);
        for (const End& e : game.ends) groups[3].emplace_back(e.name, e.span);
        std::map<std::pair<std::string, std::string>, std::vector<std::string>> alike;  // by the two names
        std::map<std::pair<std::string, std::string>, std::vector<Span>> where;
        for (const auto& group : groups) {
            for (const std::string& language : languages) {
                std::map<std::string, std::pair<std::string, Span>> known;
                for (const auto& [name, span] : group) {
                    const std::string shown = own_label(game, name, language);
                    if (shown.empty()) continue;
                    const auto [at, added] = known.try_emplace(shown, name, span);
                    if (added || at->second.first == name) continue;
                    const std::pair two(at->second.first, name);
                    alike[two].push_back(shown);
                    where[two] = {span, at->second.second};
                }
            }
        }
        for (const auto& [two, shown] : alike)
            tell(FindingClass::term, two.second, where[two], FindingText::and_have_one_label(two.first, two.second, listed(shown)),
                 FindingText::give_each_its_own_label);
    }
    static std::string own_label(const Game& game, const std::string& name, const std::string& language) {
        for (const NamedText& l : game.labels)
            if (l.language == language && l.name == name) return l.text;
        return "";
    }

    // ---- duties

    static bool has(const SyntaxNode& node, std::initializer_list<Kind> kinds) {
        if (std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end()) return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return has(*c, kinds); });
    }
    static const SyntaxNode* first_of(const SyntaxNode& node, std::initializer_list<Kind> kinds) {
        if (std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end()) return &node;
        for (const SyntaxNode* c : node.children)
            if (const SyntaxNode* found = first_of(*c, kinds)) return found;
        return nullptr;
    }
    static std::string name_of(const SyntaxNode& d) {
        return d.kind == Kind::d_setup ? "setup" : d.kind == Kind::d_play ? "play" : d.children[0]->text;
    }

    // Whether a statement calls that rule.
    static auto calls_of(const SyntaxNode& d) {
        return [name = name_of(d)](const SyntaxNode& n) { return n.kind == Kind::s_call && n.children[0]->text == name; };
    }

    // The text says that one must, and every statement that asks says that one may. (A text that says `may` often tells among what one must
    // choose.)
    void duties(const SyntaxNode& d) {
        const std::string name = name_of(d);
        if (has(d, {Kind::s_must, Kind::s_reading, Kind::e_reading, Kind::s_call})) return;
        const SyntaxNode* asks = first_of(d, {Kind::s_may, Kind::s_may_do});
        if (asks == nullptr) return;
        for (const Quote& q : quotes_.of(name)) {
            if (!says(q.text, Topic::must) || says(q.text, Topic::may)) continue;
            tell(FindingClass::modality, name, {asks->span, q.span}, FindingText::the_text_says_that_one_must,
                 FindingText::say_the_same_in_both);
            return;
        }
    }

    // ---- what is said and not done

    // f(node) of some part of it, or of a rule that it calls.
    bool any_done(const SyntaxNode& node, const std::function<bool(const SyntaxNode&)>& f, std::set<std::string>& seen) const {
        if (f(node)) return true;
        if (node.kind == Kind::s_call && seen.insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && any_done(*rule->second, f, seen))
                return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return any_done(*c, f, seen); });
    }
    bool any_done(const SyntaxNode& node, const std::function<bool(const SyntaxNode&)>& f) const {
        std::set<std::string> seen;
        return any_done(node, f, seen);
    }

    // `Everybody gets five cards`, and four are dealt.
    void deals(const SyntaxNode& d) {
        Numbers dealt;
        const SyntaxNode* deal = nullptr;
        const bool unclear = any_done(d, [&](const SyntaxNode& n) {
            if (n.kind != Kind::s_deal) return n.kind == Kind::s_reading || n.kind == Kind::e_reading || n.kind == Kind::s_draw;
            if (n.children[0]->kind != Kind::number) return true;
            if (deal == nullptr) deal = &n;
            return false;
        });
        if (unclear || deal == nullptr || !has(d, {Kind::s_deal})) return;
        any_done(d, [&](const SyntaxNode& n) {
            if (n.kind == Kind::number) dealt.merge(numbers_said(n.text, 0));
            return false;
        });
        const std::string name = name_of(d);
        for (const Quote& q : quotes_.of(name)) {
            Numbers said = cards_said(q.text);
            if (said.size() == 1 && is_number_of_all(*said.begin())) said.clear();
            const bool fits = std::any_of(said.begin(), said.end(), [&](std::int64_t n) { return dealt.contains(n); });
            if (said.empty() || fits || is_of_all(q.text, *said.rbegin())) continue;
            tell(FindingClass::count, name, {deal->span, q.span}, FindingText::the_text_has_cards_and_no(listed_numbers(said)),
                 FindingText::correct_the_text_or_the_statement);
            return;
        }
    }

    // As many as there are, of a family or in all: `shuffle all twelve cards`.
    bool is_number_of_all(std::int64_t n) const {
        return std::ranges::any_of(games_, [&](const Game& g) { return numbers_of_cards(g).contains(n); });
    }

    void directions(const SyntaxNode& d) {
        Numbers ways;  // 1: clockwise
        const SyntaxNode* first = nullptr;
        const std::function<void(const SyntaxNode&)> walk = [&](const SyntaxNode& n) {
            if (n.kind == Kind::direction) {
                ways.insert(n.children[0]->text == "clockwise" ? 1 : 0);
                if (first == nullptr) first = &n;
            }
            for (const SyntaxNode* c : n.children) walk(*c);
        };
        walk(d);
        if (ways.size() != 1) return;
        const std::string name = name_of(d);
        for (const Quote& q : quotes_.of(name)) {
            const auto has_any = [&](std::initializer_list<std::string_view> words) {
                return std::ranges::any_of(words, [&](std::string_view w) { return has_word(q.text, w); });
            };
            const bool counter =
                has_any({"counterclockwise", "counter-clockwise", "counter clockwise", "anticlockwise", "anti-clockwise", "反時計"});
            const bool clockwise = !counter && (has_word(q.text, "clockwise") || has_word(q.text, "時計回り"));
            if (!(counter && ways.contains(1)) && !(clockwise && ways.contains(0))) continue;
            tell(FindingClass::variant, name, {first->span, q.span}, FindingText::the_text_goes_round_the_other,
                 FindingText::correct_the_one_that_is_wrong);
            return;
        }
    }

    void shuffles(const SyntaxNode& d) {
        const std::string name = name_of(d);
        for (const Quote& q : quotes_.of(name)) {
            if (!has_word(q.text, "shuffle") && !has_word(q.text, "シャッフル")) continue;
            const bool done = any_done(d, [](const SyntaxNode& n) {
                if (n.kind == Kind::s_shuffle || n.kind == Kind::refill || n.kind == Kind::s_reading) return true;
                return n.kind == Kind::s_put && n.children.back()->kind == Kind::word && n.children.back()->text == "shuffled";
            });
            if (done) return;
            tell(FindingClass::variant, name, {q.span}, FindingText::the_text_speaks_of_shuffling,
                 FindingText::write_shuffle_or_shuffled_or_correct);
            return;
        }
    }

    // A sentence tells somebody to draw, lay or discard, and nothing here moves a card.
    void moves(const SyntaxNode& d) {
        if (d.kind != Kind::d_rule && d.kind != Kind::d_act) return;
        const std::string name = name_of(d);
        for (const Quote& q : quotes_.of(name)) {
            if (!std::ranges::any_of(sentences(q.text), tells_to_move) || is_moved(d)) continue;
            tell(FindingClass::variant, name, {q.span}, FindingText::the_text_has_cards_drawn,
                 FindingText::write_the_statement_put_deal_draw);
            return;
        }
    }
    // Whether something moves, or is left to a reading, in it or in a rule that calls it or that it calls.
    bool is_moved(const SyntaxNode& d) const {
        const auto moves_any = [](const SyntaxNode& n) {
            return n.kind == Kind::s_put || n.kind == Kind::s_deal || n.kind == Kind::s_draw || n.kind == Kind::s_chance ||
                   n.kind == Kind::s_table || n.kind == Kind::s_reading;
        };
        if (any_done(d, moves_any)) return true;
        const auto calls_it = calls_of(d);
        return std::ranges::any_of(declarations(*syntax_.root), [&](const SyntaxNode* other) {
            return other != &d && any_done(*other, calls_it) && other->kind != Kind::d_play &&
                   has(*other, {Kind::s_put, Kind::s_deal, Kind::s_draw});
        });
    }
    // `Draw a card.`, `カードを1枚引く。`
    static bool tells_to_move(const std::string& sentence) {
        const std::size_t begin = std::min(sentence.find_first_not_of(" \""), sentence.size());
        const std::string_view text = std::string_view(sentence).substr(begin);
        for (const std::string_view order :
             {"Draw a card", "Draw the top", "Draw one", "Draw two", "Discard a card", "Discard one", "Lay a card", "Play a card"})
            if (text.starts_with(order)) return true;
        for (const std::string_view order :
             {"枚引く", "カードを引く", "札を引く", "枚捨てる", "カードを捨てる", "札を捨てる", "枚出す", "カードを出す", "札を出す"})
            if (text.ends_with(order) || text.find(std::string(order) + "。") != std::string_view::npos) return true;
        return false;
    }

    // `Once in a game, …`, and whoever may do it may do it each time.
    void rights(const SyntaxNode& d) {
        const std::string name = name_of(d);
        const bool is_act = d.kind == Kind::d_act;
        for (const Quote& q : quotes_.of(name)) {
            if (!says(q.text, Topic::once_a_game)) continue;
            const SyntaxNode* offer = is_act ? unlimited(d) : offered_each_time(d, q);
            if (offer == nullptr) continue;
            tell(FindingClass::scope, name, {is_act ? d.children[0]->span : offer->span, q.span}, FindingText::the_text_says_once_in_a_game,
                 FindingText::keep_it_in_a_fact_or_correct);
            return;
        }
    }
    static const SyntaxNode* unlimited(const SyntaxNode& act) { return child(act, Kind::unless) == nullptr ? &act : nullptr; }
    static bool is_offer(const SyntaxNode& n) { return n.kind == Kind::s_may || n.kind == Kind::s_may_do; }
    static void collect_offers(const SyntaxNode& node, std::vector<const SyntaxNode*>& all) {
        if (is_offer(node)) return all.push_back(&node);
        for (const SyntaxNode* c : node.children) collect_offers(*c, all);
    }
    // What is offered in that rule, or where the rule is what is offered. Nothing: some of it is offered under a condition.
    const SyntaxNode* offered_each_time(const SyntaxNode& d, const Quote& text) const {
        std::vector<const SyntaxNode*> offers;
        collect_offers(d, offers);
        if (offers.empty()) return offer_of(d);
        const auto is_bare = [&](const SyntaxNode* offer) { return bare(d, [&](const SyntaxNode& n) { return &n == offer; }) != nullptr; };
        if (!comes_again(d) || !std::ranges::all_of(offers, is_bare)) return nullptr;
        // Of several the one that the sentence names.
        for (const std::string& sentence : sentences(text.text)) {
            if (!says(sentence, Topic::once_a_game)) continue;
            for (const SyntaxNode* offer : offers | std::views::reverse)
                if (names(sentence, offer->children[1]->text, text.language)) return offer;
        }
        return offers[0];
    }
    // Where somebody may come to that rule, in a rule whose own text does not say so.
    const SyntaxNode* offer_of(const SyntaxNode& d) const {
        const auto calls_it = calls_of(d);
        const auto comes_to_it = [&](const SyntaxNode& n) { return is_offer(n) && bare(*n.children.back(), calls_it) != nullptr; };
        for (const SyntaxNode* other : declarations(*syntax_.root)) {
            if (!comes_again(*other) || quotes_.say(name_of(*other), Topic::once_a_game)) continue;
            if (const SyntaxNode* found = bare(*other, comes_to_it)) return found;
        }
        return nullptr;
    }
    // Whether a sentence has the name, or its label.
    bool names(const std::string& sentence, const std::string& name, const std::string& language) const {
        const std::string label = own_label(games_.back(), name, language);
        return !name.empty() && (has_word(sentence, name) || (!label.empty() && has_word(sentence, label)));
    }
    // The first such part that stands under no condition; where `rules` is given, also in a rule that is called so, each of them once.
    const SyntaxNode* bare(const SyntaxNode& node, const std::function<bool(const SyntaxNode&)>& f,
                           std::set<std::string>* rules = nullptr) const {
        if (f(node)) return &node;
        const bool is_conditional =
            node.kind == Kind::s_if || node.kind == Kind::s_cases || node.kind == Kind::s_cases_of || child(node, Kind::where) != nullptr;
        if (is_conditional) return nullptr;
        if (rules != nullptr && node.kind == Kind::s_call && rules->insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end())
                if (const SyntaxNode* found = bare(*rule->second, f, rules)) return found;
        for (const SyntaxNode* c : node.children)
            if (const SyntaxNode* found = bare(*c, f, rules)) return found;
        return nullptr;
    }
    // Whether a loop comes to it, under no condition.
    bool comes_again(const SyntaxNode& d) const {
        const auto calls_it = calls_of(d);
        const auto repeats_it = [&](const SyntaxNode& n) {
            std::set<std::string> rules;
            return (n.kind == Kind::s_repeat || n.kind == Kind::s_times) && bare(n, calls_it, &rules) != nullptr;
        };
        return std::ranges::any_of(declarations(*syntax_.root), [&](const SyntaxNode* other) { return any_done(*other, repeats_it); });
    }

    // A text speaks of one of several values, or of one of several cards, and no statement names it, though it names others of them.
    void spoken_of() {
        std::map<std::string, std::size_t> uses;
        const std::function<void(const SyntaxNode&)> count = [&](const SyntaxNode& n) {
            if (n.kind == Kind::d_enum || n.kind == Kind::d_cards || n.kind == Kind::d_labels || n.kind == Kind::d_texts ||
                n.kind == Kind::d_example)
                return;
            if (n.kind == Kind::name) ++uses[n.text];
            for (const SyntaxNode* c : n.children) count(*c);
        };
        count(*syntax_.root);
        const Game& game = games_.back();
        for (const EnumType& e : game.enums) forgotten(e.values, uses);
        for (const FamilyId family : game.families.ids()) {
            std::vector<std::string> kinds;
            for (const PieceKind& k : game.kinds)
                if (k.family == family && !k.name.empty()) kinds.push_back(k.name);
            forgotten(kinds, uses);
        }
    }
    void forgotten(const std::vector<std::string>& all, const std::map<std::string, std::size_t>& uses) {
        constexpr std::size_t fewest = 3;  // of two the one is what the other is not
        if (all.size() < fewest || std::ranges::none_of(all, [&](const std::string& name) { return uses.contains(name); })) return;
        for (const std::string& name : all) {
            const std::optional<Span> text = uses.contains(name) ? std::nullopt : text_about(name);
            if (!text) continue;
            tell(FindingClass::dead, name, {*text}, FindingText::the_text_speaks_of(named(games_.back(), name)),
                 FindingText::say_in_a_statement_what_it_does);
            findings_.back().gravity = Gravity::note;
        }
    }
    // The first text of a rule or an act that has the name, or its label.
    std::optional<Span> text_about(const std::string& name) const {
        constexpr std::size_t shortest = 3;
        for (const SyntaxNode* d : declarations(*syntax_.root)) {
            if (d->kind != Kind::d_rule && d->kind != Kind::d_act) continue;
            for (const Quote& q : quotes_.of(name_of(*d))) {
                const std::string shown = own_label(games_.back(), name, q.language);
                const std::string& word = shown.empty() ? name : shown;
                if (word.size() >= shortest && has_word(q.text, word)) return q.span;
            }
        }
        return std::nullopt;
    }

    // ---- figures

    // `Nobody keeps more than seven`, and the statements ask for more than eight.
    void limits(const SyntaxNode& d) {
        constexpr std::int64_t least = 3;
        constexpr std::int64_t near = 2;  // what is farther away is a limit of something else
        Numbers known;
        Numbers asked;  // each the largest on the lower side
        any_done(d, [&](const SyntaxNode& n) {
            if (n.kind == Kind::number) known.merge(numbers_said(n.text, 0));
            if (n.kind != Kind::e_compare || n.children[2]->kind != Kind::number) return false;
            const std::string& by = n.children[1]->text;
            if (by == "is" || by == "is not") return false;
            for (const std::int64_t number : numbers_said(n.children[2]->text, 0))
                asked.insert(by == ">" || by == "<=" ? number : number - 1);
            return false;
        });
        for (const Quote& q : quotes_.of(name_of(d))) {
            for (const LimitSaid& said : limits_said(q.text)) {
                if (said.number < least || known.contains(said.number) || asked.contains(said.most)) continue;
                const auto other = std::ranges::find_if(asked, [&](std::int64_t n) { return std::abs(n - said.most) <= near; });
                if (other == asked.end()) continue;
                tell(FindingClass::variant, name_of(d), {q.span}, FindingText::the_text_draws_the_line_elsewhere(said.most, *other),
                     FindingText::correct_the_text_or_the_statement);
                return;
            }
        }
    }
    // `An island sinks at 25 points`, and the rules have no 25.
    void goals() {
        Numbers known;
        any_done(*syntax_.root, [&](const SyntaxNode& n) {
            if (n.kind == Kind::number) known.merge(numbers_said(n.text, 0));
            return false;
        });
        for (const Game& g : games_) known.merge(numbers_of_cards(g));
        for (const End& e : games_.back().ends) {
            for (const Quote& q : quotes_.of(e.name)) {
                const Numbers strange = without(numbers_said(q.text, least_goal), known);
                if (strange.empty()) continue;
                tell(FindingClass::variant, e.name, {q.span, e.span}, FindingText::the_text_has_a_number(listed_numbers(strange)),
                     FindingText::correct_the_text_or_the_statement);
                break;
            }
        }
    }
    // Of each family, and of all.
    static Numbers numbers_of_cards(const Game& g) {
        Numbers numbers;
        std::int64_t all = 0;
        for (const Family& family : g.families) {
            std::int64_t of_family = 0;
            for (const PieceKind& k : g.kinds)
                if (k.family == FamilyId(&family - g.families.data())) of_family += k.copies;
            numbers.insert(of_family);
            all += of_family;
        }
        numbers.insert(all);
        return numbers;
    }

    // `Everybody begins with 15 coins`, and the fact `coins` begins as 20.
    void starts() {
        if (has(*syntax_.root, {Kind::d_option})) return;
        any_done(*syntax_.root, [&](const SyntaxNode& fact) {
            const SyntaxNode* initial = fact.kind == Kind::d_fact ? child(fact, Kind::initial) : nullptr;
            if (initial == nullptr || initial->children[0]->kind != Kind::number || is_set_up(fact.children[0]->text)) return false;
            const Numbers begins = numbers_said(initial->children[0]->text, 0);
            const Numbers said = quotes_.starts_said(fact.children[0]->text);
            if (begins.size() == 1 && said.size() == 1 && said != begins)
                tell(FindingClass::variant, fact.children[0]->text, {fact.span},
                     FindingText::it_begins_otherwise(*said.begin(), *begins.begin()), FindingText::correct_the_text_or_the_statement);
            return false;
        });
    }
    bool is_set_up(const std::string& fact) const {
        return std::ranges::any_of(declarations(*syntax_.root), [&](const SyntaxNode* d) {
            return d->kind == Kind::d_setup && any_done(*d, [&](const SyntaxNode& n) {
                       return n.kind == Kind::s_becomes && any_done(*n.children[0], [&](const SyntaxNode& t) { return t.text == fact; });
                   });
        });
    }

    // `five cards`, `four new ones`, `3 shells` where the cards are shells, `5枚`.
    Numbers cards_said(const std::string& text) const {
        std::vector<std::string> nouns{"card", "new"};
        for (const Family& family : games_.back().families) nouns.push_back(family.name);
        Numbers said;
        for (const std::string& noun : nouns) said.merge(numbers_before(text, noun));
        const std::string of_cards = "枚";
        constexpr std::size_t before = 6;  // two digits, or a numeral in characters
        for (std::size_t at = text.find(of_cards); at != std::string::npos; at = text.find(of_cards, at + 1)) {
            std::size_t begin = at;
            while (begin > 0 && at - begin < before && ascii::is_digit(text[begin - 1])) --begin;
            if (begin == at && at >= 3) begin = at - 3;
            said.merge(numbers_said(text.substr(begin, at + of_cards.size() - begin)));
        }
        return said;
    }
    // In one language a figure that the other does not have, and the other way round.
    void two_languages(const std::string& name, const std::vector<Quote>& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (texts[i].language == texts[j].language) continue;
                const Numbers a = numbers_said(texts[j].text);
                const Numbers b = numbers_said(texts[i].text);
                const Numbers only_a = without(a, b);
                const Numbers only_b = without(b, a);
                if (only_a.empty() || only_b.empty()) continue;
                tell(FindingClass::variant, name, {texts[j].span, texts[i].span},
                     FindingText::figures_that_differ_between_the_languages(texts[j].language, listed_numbers(only_a), texts[i].language,
                                                                            listed_numbers(only_b)),
                     FindingText::correct_the_one_that_is_wrong_if);
            }
        }
    }
    static Numbers without(const Numbers& a, const Numbers& b) {
        Numbers left;
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(left, left.end()));
        return left;
    }

    // `The 24 cards` in the set-up, and there are twenty.
    void totals() {
        if (has(*syntax_.root, {Kind::d_option, Kind::d_change_cards})) return;  // there may be as many then
        Numbers right;
        for (const Game& g : games_) right.merge(numbers_of_cards(g));
        for (const Quote& q : quotes_.of("setup")) {
            for (const std::int64_t n : numbers_said(q.text)) {
                if (right.contains(n) || !is_of_all(q.text, n)) continue;
                tell(FindingClass::count, "setup", {q.span}, FindingText::the_text_has_cards_the_list(n, listed_numbers(right)),
                     FindingText::correct_the_text_or_the_list);
            }
        }
    }
    // The figure is of all cards there are: `the 24 cards`, `all 24 cards`, `24枚の札を`.
    static bool is_of_all(const std::string& text, std::int64_t n) {
        constexpr std::int64_t more_than_a_hand = 12;
        if (n <= more_than_a_hand) return false;
        for (const char* article :
             {"the {} cards", "all {} cards", "The {} cards", "All {} cards", "{}枚の札を", "{}枚のカードを", "全{}枚"})
            if (text.find(fmt::format(fmt::runtime(article), n)) != std::string::npos) return true;
        return false;
    }

    const Syntax& syntax_;
    const std::vector<Game>& games_;
    Quotes quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> contradicted_words(const Syntax& syntax, const std::vector<Game>& games) { return Wording(syntax, games).all(); }

}  // namespace houserule
