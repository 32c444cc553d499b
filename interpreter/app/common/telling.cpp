#include "interpreter/app/common/telling.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/ascii.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/run/arrival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t hand_least = 7;  // so many cards stand by suit

std::string comma(const Globals& g) { return say(g, Text::comma); }

bool is_you(int seat, const Listener& l) { return seat >= 0 && seat == l.you; }

int seat_of_place(const Game& game, PlaceId place) { return place == no_id ? -1 : owner_of(game, place); }

const std::string& zone_name(const Game& game, PlaceId place) {
    static const std::string none;
    const Zone* const z = zone_of(game, place);
    return z == nullptr ? none : z->name;
}

bool has_places(const std::string& text) { return text.find_first_of("{[") != std::string::npos; }

// The author's text for a name, in the listener's language if there is one: empty when the author wants nothing told, absent when the
// author says nothing. What the game is about is no sentence for what is called like the game.
std::optional<std::string> text_for(const Game& game, const std::string& name, const Listener& l, const Globals& g) {
    if (l.plain || std::ranges::find(game.texts, name, &NamedText::name) == game.texts.end()) return std::nullopt;
    std::string text = rule_text(game, name, code_of(g.language));
    if (name == game.name && !text.empty() && !has_places(text)) return std::nullopt;
    return text;
}

// The same for what is chosen, which may be called like something that is explained but not told: only a text with places is a sentence.
std::optional<std::string> sentence_for(const Game& game, const std::string& name, const Listener& l, const Globals& g) {
    std::optional<std::string> text = text_for(game, name, l, g);
    if (text && !text->empty() && !has_places(*text)) text.reset();
    return text;
}

std::string name_of_kind(const Game& game, KindId k) { return game.kinds[k].name.empty() ? kind_text(game, k) : game.kinds[k].name; }

// A text for such a name is about the card that lies there, not about a value that is called like it.
bool is_name_of_a_kind(const Game& game, const std::string& name) {
    for (KindId k = 0; k < game.kind_count(); ++k)
        if (name_of_kind(game, k) == name) return true;
    return false;
}

// What the author says of these cards' coming there.
std::optional<std::string> arrival_text(const Game& game, const Event& e, bool seen, const Listener& l, const Globals& g) {
    std::optional<std::string> text = text_for(game, zone_name(game, e.to), l, g);
    const Zone* const zone = zone_of(game, e.to);
    const bool for_all_to_see = zone != nullptr && zone->seers == Seers::all;  // what is said of a card is said where it is laid
    if (!text || text->empty() || !seen || e.pieces.empty() || !for_all_to_see) return text;
    const std::string language = code_of(g.language);
    const KindId first(e.pieces.front());
    const PieceKind& kind = game.kinds[first];
    const bool alike = std::ranges::all_of(e.pieces, [&](std::int32_t k) { return game.kinds[k].family == kind.family; });
    if (const std::string own = alike ? rule_text(game, game.families[kind.family].name, language) : ""; !own.empty()) text = own;
    if (const std::string own = e.pieces.size() == 1 ? rule_text(game, name_of_kind(game, first), language) : ""; !own.empty()) text = own;
    return text;
}

std::string told_value(const Game& game, const Type& type, std::int32_t value, const Listener& l, const Globals& g) {
    if (type.base == Base::player && is_you(value, l)) return say(g, Text::told_you);
    return value_words(game, type, value, g);
}

// A few cards, each from a place of its own: see `put_in_order_of_arrival`.
bool is_gathered(const Game& game, const Event& e) {
    return e.kind == EventKind::move && e.from == no_id && std::cmp_less_equal(e.pieces.size(), game.players);
}

std::string one_by_one(const Game& game, const std::vector<std::int32_t>& kinds, const Globals& g) {
    std::vector<std::string> cards;
    for (const std::int32_t kind : kinds) cards.push_back(told_cards(game, {kind}, g));
    return fmt::format("{}", fmt::join(cards, comma(g)));
}

std::string told_arrival(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    const bool seen = all_see(e.faces, l.viewers);
    const std::vector<KindId> kinds = told_kinds(game, e);
    const std::string cards = !seen                     ? count_words(game, e, g)
                              : comes_in_order(game, e) ? cards_words(game, kinds, true, g)
                              : is_gathered(game, e)    ? one_by_one(game, e.pieces, g)
                                                        : told_cards(game, kinds, g);
    const int to = seat_of_place(game, e.to);
    const int from = seat_of_place(game, e.from);
    if (const auto text = e.kind == EventKind::move ? arrival_text(game, e, seen, l, g) : std::nullopt) {
        const int who = to >= 0 ? to : from;
        return filled_in(*text, {person_words(who, l, g), cards, "", person_words(from, l, g), place_words(game, e.to, l, g)},
                         is_you(who, l), g);
    }
    if (e.from == e.to) return say(g, Text::moves_within, place_words(game, e.to, l, g), cards);
    if (e.from == no_id) return say(g, Text::told_gathered, capital(place_words(game, e.to, l, g), g), told_cards(game, e.pieces, g));
    if (to >= 0 && to == from)
        return say(g, Text::told_puts, capital(person_words(to, l, g), g), cards, name_words(game, zone_name(game, e.to), g));
    if (to >= 0 && from >= 0 && zone_name(game, e.to) == zone_name(game, e.from)) {
        // Drawn by chance, or taken: nobody gave it.
        if (e.kind == EventKind::draw && is_you(to, l)) return say(g, Text::told_you_draw, person_words(from, l, g), cards);
        if (e.kind == EventKind::draw) return say(g, Text::told_draws, capital(person_words(to, l, g), g), person_words(from, l, g), cards);
        if (is_you(to, l)) return say(g, Text::told_you_get, person_words(from, l, g), cards);
        if (is_you(from, l)) return say(g, Text::told_you_give, person_words(to, l, g), cards);
        return say(g, Text::told_gets, capital(person_words(to, l, g), g), person_words(from, l, g), cards);
    }
    return say(g, Text::told_goes, capital(place_words(game, e.from, l, g), g), place_words(game, e.to, l, g), cards);
}

std::string told_becomes(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    const Fact& f = game.facts[e.name];
    if (f.shown == Shown::never) return "";
    const bool many = f.type.base == Base::set;
    const std::string value = many ? told_values(game, f.type, e.values, l, g) : told_value(game, f.type, e.value, l, g);
    const int who = f.by == IndexBy::player ? e.index : f.type.base == Base::player ? e.value : -1;
    const bool is_truth = f.type.base == Base::truth;
    if (const auto text = text_for(game, f.name, l, g); text && (text->empty() || !is_truth || e.value != 0))
        return filled_in(*text, {person_words(who, l, g), "", value, ""}, is_you(who, l), g);
    const std::string name = name_words(game, f.name, g);
    if (is_truth && f.by == IndexBy::player)
        return say(g, Text::told_of, capital(person_words(who, l, g), g), e.value != 0 ? name : say(g, Text::told_no_longer, name));
    return say(g, Text::told_of, capital(fact_words(game, e.name, e.index, l, g), g), value);
}

// A yes or no to `name`; a sentence about it is one for a yes.
std::string answered(const Game& game, const std::string& name, const Event& e, bool yes, const Listener& l, const Globals& g) {
    if (const auto text = yes ? sentence_for(game, name, l, g) : std::nullopt)
        return filled_in(*text, {person_words(e.seat, l, g), "", "", ""}, is_you(e.seat, l), g);
    return say(g, Text::told_answers, capital(person_words(e.seat, l, g), g), name_words(game, name, g),
               yes ? say(g, Text::yes) : say(g, Text::no));
}

std::string told_answer(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    return answered(game, game.words[e.name], e, e.value != 0, l, g);
}

std::string told_choice(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    const bool you = is_you(e.seat, l);
    const std::string who = capital(person_words(e.seat, l, g), g);
    if (e.optional_no) return you ? say(g, Text::told_you_choose_nothing) : who + say(g, Text::chooses_nothing);
    const Type& type = game.variables[e.name].type;
    const bool seen = all_see(e.faces, l.viewers);
    const std::string what = seen ? told_values(game, type, e.values, l, g) : "?";
    const Type one = element_of(type);
    if (type.base == Base::truth && seen) return answered(game, game.variables[e.name].name, e, e.values == std::vector{1}, l, g);
    const bool is_name = seen && e.values.size() == 1 && e.values[0] >= 0 && one.base == Base::enumeration && one.of != no_id;
    std::optional<std::string> text = sentence_for(game, game.variables[e.name].name, l, g);
    if (is_name && !text)
        if (const std::string& value = game.enums[one.of].values[e.values[0]]; !is_name_of_a_kind(game, value))
            text = sentence_for(game, value, l, g);
    if (text) return filled_in(*text, {person_words(e.seat, l, g), what, what, ""}, you, g);
    const bool is_said = e.aloud && one.base != Base::player;  // nobody says a person as a word
    if (you) return is_said ? say(g, Text::told_you_name, what) : say(g, Text::told_you_choose, what);
    return is_said ? say(g, Text::chooses_aloud, who, what) : say(g, Text::chooses, who, what);
}

std::string told_says(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    const std::string& word = game.words[e.name];
    const bool you = is_you(e.seat, l);
    if (const auto text = text_for(game, word, l, g)) return filled_in(*text, {person_words(e.seat, l, g), "", "", ""}, you, g);
    return you ? say(g, Text::told_you_say, name_words(game, word, g))
               : say(g, Text::says_word, person_words(e.seat, l, g), name_words(game, word, g));
}

// What the table or a lot tells.
std::string told_report(const Machine& machine, const Event& e, const Listener& l, const Globals& g) {
    const Variable& variable = machine.game.variables[e.name];
    const bool of_fact = std::ranges::find(machine.game.facts, variable.name, &Fact::name) != machine.game.facts.end();
    const auto text = of_fact ? std::nullopt : sentence_for(machine.game, variable.name, l, g);  // the fact is told itself
    const std::string what = told_values(machine.game, variable.type, e.values, l, g);
    if (!text) return told_words(machine.game, e, what, g);
    const bool one = e.values.size() == 1 && element_of(variable.type).base == Base::player;
    const int who = one ? e.values[0] : -1;
    return filled_in(*text, {person_words(who, l, g), what, what, ""}, is_you(who, l), g);
}

std::string told_shows(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    const Seats to = e.value;
    std::vector<std::string> whom;
    for (int p = 0; p < game.players; ++p)
        if ((to & seat_bit(p)) != 0) whom.push_back(person_words(p, l, g));
    const bool to_all = to == (1U << game.players) - 1;
    const bool seen = all_see(e.faces, l.viewers);
    return say(g, Text::is_shown, capital(place_words(game, e.from, l, g), g),
               to_all ? say(g, Text::all_seats) : fmt::format("{}", fmt::join(whom, comma(g))),
               seen ? told_cards(game, e.pieces, g) : count_words(game, e, g));
}

std::string told_acts(const Game& game, const Event& e, const Listener& l, const Globals& g) {
    std::vector<std::string> who;
    for (const std::int32_t p : e.values) who.push_back(person_words(p, l, g));
    return say(g, Text::told_of, capital(fmt::format("{}", fmt::join(who, comma(g))), g), name_words(game, game.acts[e.name].name, g));
}

// Empty also where the author wants nothing told.
std::string told_or_silent(const Machine& machine, const Event& e, const Listener& l, const Globals& g) {
    if (!all_see(e.audience, l.viewers)) return "";
    const Game& game = machine.game;
    switch (e.kind) {
        case EventKind::choice:
            return told_choice(game, e, l, g);
        case EventKind::draw:
        case EventKind::move:
            return told_arrival(game, e, l, g);
        case EventKind::becomes:
            return told_becomes(game, e, l, g);
        case EventKind::says:
            return told_says(game, e, l, g);
        case EventKind::shows:
            return told_shows(game, e, l, g);
        case EventKind::acts:
            return told_acts(game, e, l, g);
        case EventKind::answer:
            return told_answer(game, e, l, g);
        case EventKind::report:
        case EventKind::lot:
            return told_report(machine, e, l, g);
        default:
            return event_words(machine, e, l.viewers, g);
    }
}

// ---------------------------------------------------------------- several events as one line

bool is_silent_choice_of_cards(const Game& game, const Event& e) {
    return e.kind == EventKind::choice && !e.aloud && !e.optional_no && element_of(game.variables[e.name].type).base == Base::kind;
}

// Whether the move is of the cards that were chosen; of cards that the listener does not see, whether it may be.
bool is_of_chosen(const Game& game, const Event& choice, const Event& move, const Listener& l) {
    if (move.kind != EventKind::move || seat_of_place(game, move.from) != choice.seat) return false;
    if (!all_see(choice.faces, l.viewers) || !all_see(move.faces, l.viewers)) return true;
    std::vector<std::int32_t> kinds;
    for (const std::int32_t v : choice.values) kinds.push_back(PlacedKind::of_value(v).kind);
    return std::ranges::is_permutation(move.pieces, kinds);
}

// Whether the fact becomes the value that was told or named: of another type it only happens to be the same number.
bool becomes_what_was_told(const Game& game, const Event& told, const Event& becomes) {
    const Type a = element_of(game.variables[VariableId(told.name)].type);
    const Type b = element_of(game.facts[FactId(becomes.name)].type);
    return a.base == b.base && a.of == b.of && (becomes.values == told.values || told.values == std::vector{becomes.value});
}

// Whether what was decided is seen in what follows at once, so that it need not be told.
bool shows_in_what_follows(const Game& game, const Events& events, std::size_t i, const Listener& l) {
    const Event& e = events[i];
    const bool is_silent = is_silent_choice_of_cards(game, e);
    const bool is_told = e.kind == EventKind::report || e.kind == EventKind::lot;
    for (std::size_t n = i + 1; n < events.size(); ++n) {
        const Event& next = events[n];
        if (e.kind == EventKind::answer && next.kind == EventKind::says && next.seat == e.seat) return true;
        if (is_told && next.kind == EventKind::becomes && game.facts[next.name].shown == Shown::never) continue;
        if (is_told && next.kind == EventKind::becomes) return becomes_what_was_told(game, e, next);
        if (is_silent && is_of_chosen(game, e, next, l)) return true;
        const bool goes_on = next.kind == EventKind::choice || next.kind == EventKind::move || next.kind == EventKind::begins;
        if (!goes_on || is_told || e.kind == EventKind::answer) return false;
    }
    return false;
}

// Whether the event makes a fact of what was said aloud just before.
bool repeats_what_was_said(const Game& game, const Events& events, std::size_t i) {
    if (i == 0 || events[i].kind != EventKind::becomes) return false;
    const Event& before = events[i - 1];
    return before.kind == EventKind::choice && before.aloud && events[i].values.empty() && becomes_what_was_told(game, before, events[i]);
}

// Whether an end has a last step of its own, as of somebody who may still try: the game is not over yet.
bool goes_on_after(const Events& events, std::size_t i) {
    return events[i].kind == EventKind::ended &&
           std::any_of(events.begin() + i + 1, events.end(), [](const Event& e) { return e.kind != EventKind::begins; });
}

// Joins cards that one statement deals to a place in several rounds; where people may act in between, each round is told by itself.
bool joins_deal(const Game& game, Events& told, const Event& next) {
    if (next.kind != EventKind::draw) return false;
    const bool may_act = std::ranges::any_of(game.acts, [](const Act& act) { return act.any_time; });
    if (may_act && next.rule != no_id) return false;
    for (auto before = told.rbegin(); before != told.rend(); ++before) {
        if (before->kind != EventKind::draw || before->step != next.step || before->from != next.from) return false;
        if (before->to != next.to) continue;
        if (before->faces != next.faces || before->audience != next.audience) return false;
        before->pieces.insert(before->pieces.end(), next.pieces.begin(), next.pieces.end());
        return true;
    }
    return false;
}

// Joins cards that one statement takes from several places to one.
bool joins(Event& last, const Event& next) {
    if (last.kind != EventKind::move || next.kind != EventKind::move || last.step != next.step || last.to != next.to) return false;
    if (last.faces != next.faces || last.audience != next.audience) return false;
    last.pieces.insert(last.pieces.end(), next.pieces.begin(), next.pieces.end());
    last.from = last.from == next.from ? last.from : no_id;
    return true;
}

// Cards that one statement takes from several places stand in the order in which the viewers saw them come there: a trick as it was
// played.
void put_in_order_of_arrival(const Events& all, std::size_t from, Seats viewers, Events& told) {
    std::size_t at = from;
    for (auto first = told.begin(), last = first; first != told.end(); first = last) {
        last = std::next(first);
        if (first->kind != EventKind::move) continue;
        last = std::find_if(first, told.end(),
                            [&](const Event& e) { return e.kind != EventKind::move || e.step != first->step || e.to != first->to; });
        while (at < all.size() && !(all[at].kind == EventKind::move && all[at].step == first->step && all[at].from == first->from)) ++at;
        if (last - first < 2) continue;
        const auto arrival = [&](const Event& e) {
            std::size_t i = std::min(at, all.size());
            while (i > 0 && (all[i - 1].to != e.from || !all_see(all[i - 1].audience, viewers))) --i;
            return i;
        };
        std::stable_sort(first, last, [&](const Event& a, const Event& b) { return arrival(a) < arrival(b); });
        at += last - first;
    }
}

// To how many places in a row one statement deals as many cards, none of them seen. Where people may act between two of them, each is told
// by itself, so that the same is told whenever it is asked for.
std::size_t dealt_alike(const Game& game, const Events& events, std::size_t i, const Listener& l) {
    const Event& first = events[i];
    const bool may_act = std::ranges::any_of(game.acts, [](const Act& act) { return act.any_time; });
    if (may_act && first.rule != no_id) return 1;
    std::size_t n = i;
    while (n < events.size() && first.kind == EventKind::draw && events[n].kind == EventKind::draw && events[n].step == first.step &&
           events[n].from == first.from && events[n].pieces.size() == first.pieces.size() && !all_see(events[n].faces, l.viewers))
        ++n;
    return n - i;
}

// What facts were before, for all who see them: whoever sees one sees all that it becomes.
class KnownFacts {
public:
    explicit KnownFacts(const Game& game) : game_(game) {
        for (const FactId f : game.facts.ids()) forget(f);
    }

    // Whether a fact becomes what it was. What facts are from their start on is known where it is written as a value.
    bool stays(const Event& e) {
        if (e.kind == EventKind::begins) return begin(e), false;
        if (e.kind != EventKind::becomes) return false;
        const bool many = game_.facts[FactId(e.name)].type.base == Base::set;
        const std::pair key(FactId(e.name), std::max<std::int32_t>(0, e.index));
        std::optional<std::vector<std::int32_t>> value = many ? e.values : std::vector{e.value};
        std::optional<std::vector<std::int32_t>>& known = known_[key];
        return std::exchange(known, value) == value;
    }

private:
    // A rule or a game: facts that last no longer begin anew.
    void begin(const Event& e) {
        for (const FactId f : game_.facts.ids())
            if (game_.facts[f].lasts == (e.name == no_id ? lasts_game : RuleId(e.name))) forget(f);
    }
    void forget(FactId f) {
        const Fact& fact = game_.facts[f];
        std::optional<std::vector<std::int32_t>> first;
        if (fact.initial != no_id) {
            const Expression& e = game_.expressions[fact.initial];
            if (e.op == Operator::constant) first = {e.value()};
        }
        for (std::int32_t i = 0; i < fact.count; ++i) known_[{f, i}] = first;
    }

    const Game& game_;
    std::map<std::pair<FactId, std::int32_t>, std::optional<std::vector<std::int32_t>>> known_;
};

// Whether what came just before event `i` is told only by what the fact becomes: a lot, a report, what was named.
bool stands_for_what_came(const Game& game, const Events& events, std::size_t i) {
    std::size_t k = i;
    while (k > 0 && events[k - 1].kind == EventKind::becomes && game.facts[FactId(events[k - 1].name)].shown == Shown::never) --k;
    if (k == 0) return false;
    const Event& e = events[k - 1];
    return e.kind == EventKind::lot || e.kind == EventKind::report || (e.kind == EventKind::choice && e.aloud);
}

// Without the facts that become what they were, unless their author has a sentence for that.
Events without_what_stays(const Game& game, const Events& events, std::size_t from, const Listener& l, const Globals& g) {
    KnownFacts facts(game);
    Events heard = events;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!facts.stays(events[i]) || i < from || stands_for_what_came(game, events, i)) continue;
        const Fact& fact = game.facts[FactId(events[i].name)];
        const bool is_no = fact.type.base == Base::truth && events[i].value == 0;
        if (text_for(game, fact.name, l, g) && !is_no) continue;
        heard[i] = {};
        heard[i].kind = EventKind::begins;  // without a name: nobody is told
        heard[i].audience = events[i].audience;
    }
    return heard;
}

struct Rounds {
    std::set<RuleId> turns;   // rules that are carried out for one player after another
    std::set<RuleId> rounds;  // rules that are repeated
};

Rounds rounds_of(const Game& game) {
    Rounds found;
    const auto calls = [&](StatementId body, auto f) {
        any_within(game, body, [&](StatementId id) {
            if (const auto* call = game.statements[id].as<statement::Call>()) f(call->rule);
            return false;
        });
    };
    for (const Statement& s : game.statements) {
        const auto has_player = [&](RuleId rule) {
            const Rule& r = game.rules[rule];
            return !r.parameters.empty() && game.variables[r.parameters[0]].type.base == Base::player;
        };
        const auto note_turn = [&](RuleId r) {
            if (has_player(r)) found.turns.insert(r);
        };
        if (const auto* each = s.as<statement::Each>()) calls(each->body, note_turn);
        if (const auto* each = s.as<statement::EachNumber>()) calls(each->body, note_turn);
        if (const auto* repeat = s.as<statement::Repeat>())
            calls(repeat->body, [&](RuleId r) {
                if (!has_player(r)) found.rounds.insert(r);
            });
    }
    return found;
}

class Lines {
public:
    Lines(const Machine& machine, const Listener& listener, const Globals& g)
        : machine_(machine), listener_(listener), g_(g), rounds_(rounds_of(machine.game)) {}

    // A round begins; those within it are counted anew.
    void count(const Event& e) {
        if (e.kind != EventKind::begins || e.name == no_id || !rounds_.rounds.contains(RuleId(e.name))) return;
        const auto within = reachable_rules(machine_.game, machine_.game.rules[RuleId(e.name)].body);
        std::erase_if(begun_, [&](const auto& known) { return known.first != RuleId(e.name) && within[known.first]; });
        ++begun_[RuleId(e.name)];
    }
    void begins(const Event& e);
    void tell(const Event& e);
    void tell_deal(const Events& events, std::size_t first, std::size_t number);
    std::vector<ToldLine> done() {
        close_turn();
        return std::move(lines_);
    }

private:
    void close_turn();

    const Machine& machine_;
    const Listener& listener_;
    const Globals& g_;
    Rounds rounds_;
    std::map<RuleId, int> begun_;
    std::vector<ToldLine> lines_;
    std::string turn_;  // the heading of the turn that runs
    RuleId turn_rule_ = no_id;
    StepId moved_by_ = no_id;  // what moved the cards that the last line tells of
    std::vector<ToldLine> of_turn_;
};

// A turn of one line needs no heading.
void Lines::close_turn() {
    if (of_turn_.size() > 1 && !turn_.empty()) lines_.push_back({ToldLine::turn, turn_, false});
    for (ToldLine& line : of_turn_) lines_.push_back(std::move(line));
    of_turn_.clear();
    turn_.clear();
    turn_rule_ = no_id;
}

void Lines::begins(const Event& e) {
    const RuleId rule(e.name);
    const std::string name = name_words(machine_.game, machine_.game.rules[rule].name, g_);
    if (turn_rule_ != no_id && !reachable_rules(machine_.game, machine_.game.rules[turn_rule_].body)[rule]) close_turn();
    if (rounds_.rounds.contains(rule)) {
        close_turn();
        count(e);
        const std::string text = say(g_, Text::told_round, name, begun_[rule]);
        while (!lines_.empty() && lines_.back().what == ToldLine::round && lines_.back().text.starts_with(name)) lines_.pop_back();
        lines_.push_back({ToldLine::round, text, false});
    } else if (rounds_.turns.contains(rule) && e.seat >= 0) {
        close_turn();
        turn_rule_ = rule;
        turn_ = say(g_, Text::told_of, name, person_words(e.seat, listener_, g_));
    }
}

void Lines::tell(const Event& e) {
    std::string text = told_or_silent(machine_, e, listener_, g_);
    if (text.empty()) return;
    // What one statement moves, in a sentence of the author's that names nothing, is told once.
    const bool is_move = e.kind == EventKind::move;
    const auto own = is_move ? text_for(machine_.game, zone_name(machine_.game, e.to), listener_, g_) : std::nullopt;
    const bool names_nothing = own && !has_places(*own);
    if (names_nothing && moved_by_ == e.step && !of_turn_.empty() && of_turn_.back().text == text) return;
    moved_by_ = is_move ? e.step : StepId(no_id);
    const bool is_seen = listener_.viewers == no_seats || (e.faces & listener_.viewers) != 0;
    const bool is_reveal = (e.kind == EventKind::shows && is_seen) || (e.kind == EventKind::move && e.from == no_id);
    of_turn_.push_back({ToldLine::sentence, std::move(text), is_reveal});
}

void Lines::tell_deal(const Events& events, std::size_t first, std::size_t number) {
    std::vector<std::string> places;
    for (std::size_t i = first; i < first + number; ++i) places.push_back(place_words(machine_.game, events[i].to, listener_, g_));
    of_turn_.push_back({ToldLine::sentence,
                        say(g_, Text::told_deals, capital(place_words(machine_.game, events[first].from, listener_, g_), g_),
                            fmt::format("{}", fmt::join(places, comma(g_))), count_words(machine_.game, events[first], g_)),
                        false});
}

}  // namespace

std::string capital(std::string text, const Globals& g) {
    if (!text.empty() && g.language == Language::en) text[0] = ascii::capital(text[0]);
    return text;
}

std::string person_words(int seat, const Listener& l, const Globals& g) {
    if (seat < 0) return say(g, Text::nobody);
    return is_you(seat, l) ? say(g, Text::told_you) : seat_words(seat);
}

std::string place_words(const Game& game, PlaceId place, const Listener& l, const Globals& g) {
    if (!is_you(seat_of_place(game, place), l)) return place_words(game, place, g);
    return say(g, Text::told_your, name_words(game, zone_name(game, place), g));
}

std::string fact_words(const Game& game, FactId fact, std::int32_t index, const Listener& l, const Globals& g) {
    const Fact& f = game.facts[fact];
    if (f.by != IndexBy::player || !is_you(index, l)) return fact_words(game, fact, index, g);
    return say(g, Text::told_your, name_words(game, f.name, g));
}

std::string told_cards(const Game& game, const std::vector<std::int32_t>& kinds, const Globals& g) {
    const auto has_glyph = [&](KindId kind) { return hand_words(game, {kind}, g) != kind_words(game, kind, g); };
    const bool as_hand = kinds.size() >= hand_least || std::ranges::all_of(kinds, has_glyph);
    return as_hand ? hand_words(game, kinds, g) : cards_words(game, kinds, false, g);
}

std::string told_values(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Listener& l, const Globals& g) {
    const Type element = element_of(type);
    if (element.base == Base::kind) {
        const std::string offered = offered_words(game, type, values, g);
        if (!values.empty() && offered != values_words(game, type, values, g)) return offered;
    }
    std::vector<std::string> texts;
    for (const std::int32_t v : values) texts.push_back(told_value(game, element, v, l, g));
    return texts.empty() ? say(g, Text::nothing) : fmt::format("{}", fmt::join(texts, comma(g)));
}

std::string filled_in(const std::string& text, const ToldPlaces& places, bool you, const Globals& g) {
    std::string chosen;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = text[i] == '[' ? text.find(']', i) : std::string::npos;
        const std::size_t bar = end == std::string::npos ? std::string::npos : text.find('|', i);
        if (bar < end) {
            chosen += you ? text.substr(i + 1, bar - i - 1) : text.substr(bar + 1, end - bar - 1);
            i = end + 1;
        } else {
            chosen += text[i++];
        }
    }
    std::string result;
    const std::pair<std::string_view, const std::string*> names[] = {{"{who}", &places.who},
                                                                     {"{cards}", &places.cards},
                                                                     {"{value}", &places.value},
                                                                     {"{from}", &places.from},
                                                                     {"{place}", &places.place}};
    for (std::size_t i = 0; i < chosen.size();) {
        const auto* const name =
            std::ranges::find_if(names, [&](const auto& n) { return chosen.compare(i, n.first.size(), n.first) == 0; });
        if (name == std::end(names)) {
            result += chosen[i++];
        } else {
            result += *name->second;
            i += name->first.size();
        }
    }
    return capital(result, g);
}

std::string printed(const ToldLine& line, const Game& game, std::size_t width, const Globals& g) {
    if (line.what == ToldLine::round) return bold(folded("— " + line.text + " —", width), g) + "\n";
    if (line.what == ToldLine::turn) return "  " + bold(folded(line.text, width - 2, 2), g) + "\n";
    return with_glyphs("  " + folded(line.text, width - 2, 4) + "\n", game, is_colored(g));
}

std::string told_event(const Machine& machine, const Event& e, const Listener& l, const Globals& g) {
    const std::string text = told_or_silent(machine, e, l, g);
    return with_glyphs(text.empty() ? told_or_silent(machine, e, {l.viewers, l.you, true}, g) : text, machine.game, false);
}

std::vector<ToldLine> told_lines(const Machine& machine, const Events& all, std::size_t from, const Listener& l, const Globals& g) {
    const Events events = without_what_stays(machine.game, all, from, l, g);
    Lines lines(machine, l, g);
    for (std::size_t i = 0; i < from && i < events.size(); ++i) lines.count(events[i]);
    Events told;
    Events heard = as_told(events, from, l.viewers);
    put_in_order_of_arrival(events, from, l.viewers, heard);
    for (const Event& e : heard) {
        const bool noticed = e.kind == EventKind::begins ? e.name != no_id : all_see(e.audience, l.viewers);
        if (noticed && !joins_deal(machine.game, told, e) && (told.empty() || !joins(told.back(), e))) told.push_back(e);
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (const std::size_t alike = dealt_alike(machine.game, told, i, l); alike > 1) {
            lines.tell_deal(told, i, alike);
            i += alike - 1;
        } else if (told[i].kind == EventKind::begins)
            lines.begins(told[i]);
        else if (!shows_in_what_follows(machine.game, told, i, l) && !repeats_what_was_said(machine.game, told, i) &&
                 !goes_on_after(told, i))
            lines.tell(told[i]);
    }
    return lines.done();
}

}  // namespace houserule::cli
