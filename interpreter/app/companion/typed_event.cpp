#include "interpreter/app/companion/typed_event.hpp"

#include "dsl/game/placed_kind.hpp"
#include "dsl/text/ascii.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/companion/typed_words.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t steps_most = 20'000;  // of one form: a line of a few words takes some hundred
constexpr std::size_t suggested_least = 3;  // letters: anything is close to fewer
constexpr int cost_of_number = 4;           // of more or fewer cards than were met
constexpr int cost_of_gap = 3;              // of what is not typed at all, because it can be but one
constexpr int cost_of_shortened_word = 2;   // such as a place: what is told is shortened more often
constexpr int cost_of_copies = 1;           // of a card named once where such cards come in twos
constexpr int cost_of_told_word = 1;        // that stands in a sentence told of it, and may be a name of something else
constexpr int cost_of_person = 2;           // of taking for a mere word what somebody's name begins with

// All but what is told.
auto form_key(const Event& e) {
    const bool which = e.kind == EventKind::shows;
    return std::tuple(e.kind, e.seat, e.name, e.index, e.from, e.to, e.aloud, e.optional_no, e.faces != 0, which ? e.value : 0);
}

bool has_cards(const Event& e) { return e.kind == EventKind::draw || e.kind == EventKind::move || e.kind == EventKind::shows; }

// The seats that a form is about, which may be typed with it.
Seats seats_about(const Game& game, const Event& e) {
    Seats seats = e.seat >= 0 ? seat_bit(e.seat) : no_seats;
    for (const PlaceId place : {e.from, e.to})
        if (const int owner = owner_of(game, place); owner >= 0) seats |= seat_bit(owner);
    if (e.kind == EventKind::becomes && game.facts[e.name].by == IndexBy::player) seats |= seat_bit(e.index);
    return seats;
}

Type truth_type() {
    Type truth;
    truth.base = Base::truth;
    return truth;
}

Type player_type(const Game& game) {
    Type player;
    player.base = Base::player;
    player.low = 0;
    player.high = game.players - 1;
    return player;
}

// The type of what is told in the form.
Type told_type(const Game& game, const Event& e) {
    if (e.kind == EventKind::answer) return truth_type();
    if (e.kind == EventKind::acts) return player_type(game);
    if (e.kind == EventKind::becomes) return game.facts[e.name].type;
    return game.variables[e.name].type;
}

// Whether values or faces are told in the form.
bool is_told(const Event& e) {
    if (has_cards(e)) return e.faces != 0;
    if (e.kind == EventKind::choice) return !e.optional_no && e.values != std::vector<std::int32_t>{no_id};
    return e.kind == EventKind::answer || e.kind == EventKind::report || e.kind == EventKind::lot || e.kind == EventKind::acts ||
           e.kind == EventKind::becomes;
}

}  // namespace

int doer(const Game& game, const Event& e) {
    if (e.seat >= 0) return e.seat;
    const int to = owner_of(game, e.to);
    return to >= 0 ? to : owner_of(game, e.from);
}

bool are_of_one_form(const Events& a, const Events& b) {
    return std::ranges::equal(a, b, [](const Event& x, const Event& y) { return form_key(x) == form_key(y); });
}

std::vector<Form> forms_of(const Events& events) {
    std::vector<Form> forms;
    for (const Event& e : events) {
        const auto found = std::ranges::find_if(forms, [&](const Form& f) { return form_key(f.like) == form_key(e); });
        if (found == forms.end())
            forms.push_back({e, {e}});
        else
            found->met.push_back(e);
    }
    return forms;
}

// ---------------------------------------------------------------- names

TypedEvents::TypedEvents(const Machine& machine, int seat) : machine_(machine), game_(machine.game), seat_(seat) {
    std::set<std::string> languages{""};
    for (const NamedText& l : game_.labels) languages.insert(l.language);
    languages_.assign(languages.begin(), languages.end());
    for (int p = 0; p < game_.players; ++p) {
        Names names{name(fmt::format("P{}", p + 1)), name(seat_words(p))};
        if (p == seat_)
            for (const Language l : all_languages)
                for (const TextRow<0>& row : {Text::typed_for_me, Text::typed_for_you})
                    for (const std::string& word : words_of(std::string(row.in(l)))) names.push_back({{word}, word});
        seats_.push_back(std::move(names));
    }
}

std::vector<std::string> TypedEvents::words_of(const std::string& text) const {
    std::vector<std::string> words;
    std::string word;
    std::string apart = text;
    const auto replace = [&](std::string_view sign, std::string_view by) {
        for (std::size_t at = 0; (at = apart.find(sign, at)) != std::string::npos;) apart.replace(at, sign.size(), by);
    };
    for (const std::string_view sign : {"、", "。", "・", "→", "：", "「", "」", "“", "”"}) replace(sign, " ");
    for (const std::string_view shortened : {"can't", "can’t"}) replace(shortened, "cannot");
    for (const char c : plain_form(apart) + " ") {
        const bool sign = ascii::is_ascii(c) && !ascii::is_letter(c) && !ascii::is_digit(c);
        if (!sign) {
            word += c;
            continue;
        }
        if (!word.empty()) words.push_back(std::exchange(word, ""));
        if (c == '?') words.emplace_back("?");
    }
    // `P2の手札`: what belongs to a seat stands right behind it. `1枚` is a number.
    constexpr std::string_view of = "の";
    constexpr std::string_view cards = "枚";
    std::vector<std::string> apart_from_seats;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string& w = words[i];
        if (i > 0 && is_number(words[i - 1]) && w.starts_with(of)) w.erase(0, of.size());
        if (is_number(w) && w.ends_with(cards)) w.erase(w.size() - cards.size());
        for (const Names& names : seats_)
            for (const Name& seat : names) {
                const bool is_owner =
                    seat.words.size() == 1 && w.starts_with(seat.words[0]) && w.substr(seat.words[0].size()).starts_with(of);
                if (!is_owner) continue;
                apart_from_seats.push_back(seat.words[0]);
                w.erase(0, seat.words[0].size() + of.size());
            }
        if (!w.empty()) apart_from_seats.push_back(std::move(w));
    }
    return apart_from_seats;
}

bool TypedEvents::begins_a_person(const std::string& word) const {
    const auto begins = [&](const Name& name) { return !name.words.empty() && name.words.front().starts_with(word); };
    return std::ranges::any_of(seats_, [&](const Names& names) { return std::ranges::any_of(names, begins); });
}

TypedEvents::Name TypedEvents::name(const std::string& shown) const { return {words_of(shown), shown}; }

template <typename F>
TypedEvents::Names TypedEvents::in_all_languages(F shown) const {
    Names names;
    for (const std::string& language : languages_) {
        Name one = name(shown(language));
        const bool there = std::ranges::any_of(names, [&](const Name& n) { return n.words == one.words; });
        if (!there && !one.words.empty()) names.push_back(std::move(one));
    }
    return names;
}

TypedEvents::Names TypedEvents::value_names(const Type& type, std::int32_t value) const {
    const Type t = element_of(type);
    if (t.base == Base::player && value >= 0) return seats_[value];
    const std::int32_t plain = t.base == Base::kind && value >= 0 ? PlacedKind::of_value(value).kind : value;
    Names names = in_all_languages([&](const std::string& l) { return value_name(game_, t, plain, l); });
    if (t.base == Base::truth) names.push_back(name(std::string((value != 0 ? Text::yes : Text::no).in(Language::ja))));
    return names;
}

// The words of what is told when something comes there: `right`, where that is said.
TypedEvents::Names TypedEvents::words_told(const std::string& name) const {
    Names names;
    for (const std::string& language : languages_) {
        std::string text = rule_text(game_, name, language);
        for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos;) {
            const std::size_t close = text.find('}', open);
            text.replace(open, close == std::string::npos ? close : close + 1 - open, " ");
        }
        for (const std::string& word : words_of(text)) names.push_back({{word}, word, true, cost_of_told_word});
    }
    return names;
}

// The words that may stand in such a line besides seats and what is told.
TypedEvents::Names TypedEvents::fixed_words(const Event& like) const {
    Names names;
    const auto add = [&](const std::string& id) {
        for (Name& n : in_all_languages([&](const std::string& l) { return label(game_, id, l); })) names.push_back(std::move(n));
    };
    for (const PlaceId place : {like.from, like.to})
        if (const Zone* const zone = place == no_id ? nullptr : zone_of(game_, place); zone != nullptr) add(zone->name);
    if (const Zone* const zone = like.to == no_id ? nullptr : zone_of(game_, like.to); zone != nullptr) {
        Names told = words_told(zone->name);
        names.insert(names.end(), told.begin(), told.end());
    }
    if (like.kind == EventKind::answer || like.kind == EventKind::says) add(game_.words[like.name]);
    if (like.kind == EventKind::acts) add(game_.acts[like.name].name);
    if (like.kind == EventKind::ended) add(game_.ends[like.name].name);
    if (like.kind == EventKind::becomes) add(game_.facts[like.name].name);
    if (like.kind == EventKind::choice || like.kind == EventKind::report || like.kind == EventKind::lot)
        add(game_.variables[like.name].name);
    // What somebody chooses is named by what they are doing, too: `share 3`.
    const RuleId doing = like.kind == EventKind::choice ? game_.variables[like.name].rule : RuleId(no_id);
    if (doing != no_id) add(game_.rules[doing].name);
    for (const Language l : all_languages)
        for (const std::string& word : words_of(std::string(verbs_of(like).in(l)))) names.push_back({{word}, word, true});
    return names;
}

// What may be told in the form.
std::vector<std::int32_t> TypedEvents::universe(const Event& like) const {
    std::vector<std::int32_t> all;
    if (!is_told(like)) return all;
    const bool cards = has_cards(like);
    const Type t = cards ? Type{} : element_of(told_type(game_, like));
    const auto can_lie = [&](KindId kind, PlaceId place) {
        const ZoneId zone = place == no_id ? ZoneId(no_id) : machine_.place_zone[place];
        return zone == no_id || game_.zones[zone].families[game_.kinds[kind].family];
    };
    if (cards || t.base == Base::kind) {
        for (KindId k = 0; k < KindId(game_.kinds.size()); ++k) {
            const bool fits = cards ? can_lie(k, like.from) && can_lie(k, like.to) : t.of == no_id || game_.kinds[k].family == t.of;
            if (fits) all.push_back(k);
        }
    } else if (t.base == Base::enumeration && t.of != no_id) {
        for (std::int32_t v = 0; v < game_.enums[t.of].size(); ++v) all.push_back(v);
    } else {
        const bool truth = t.base == Base::truth;
        const std::int32_t high = truth ? 1 : t.base == Base::player ? game_.players - 1 : std::min(t.high, t.low + 4'000);
        for (std::int32_t v = truth || t.base == Base::player ? 0 : t.low; v <= high; ++v) all.push_back(v);
    }
    if (!cards && t.or_none) all.push_back(none_of(t));
    return all;
}

// ---------------------------------------------------------------- matching

class TypedEvents::Matching {
public:
    Matching(const TypedEvents& all, const Form& form, const std::vector<std::string>& typed)
        : all_(all), form_(form), typed_(typed), fixed_(all.fixed_words(form.like)), about_(seats_about(all.game_, form.like)) {
        const Type type = is_told(form.like) && !has_cards(form.like) ? told_type(all.game_, form.like) : kind_type();
        for (const std::int32_t value : all.universe(form.like)) values_.emplace_back(value, all.value_names(type, value));
        for (const auto& [value, names] : values_)
            for (const Name& name : names)
                if (name.words.size() == 2) suits_[name.words[0]].emplace(name.words[1], value);
        for (const Language l : all_languages)
            for (const std::string& word : all.words_of(std::string(Text::typed_between.in(l)))) between_.insert(word);
        from(0, {});
    }
    std::vector<Reading> found;

private:
    struct State {
        std::vector<std::int32_t> told;
        int cost = 0;
        bool mentioned = false;  // something but a seat
        bool seat = false;
    };
    static Type kind_type() {
        Type kind;
        kind.base = Base::kind;
        return kind;
    }

    // How many of the typed words stand for the name, as many as can; 0: it is not there, or must not be shortened and is.
    std::size_t taken(const Name& name, std::size_t at, int& cost, bool whole = false) const;
    void from(std::size_t at, const State& state);
    void seats(std::size_t at, const State& state);
    void values(std::size_t at, const State& state);
    // By the last word of their names.
    using Ranks = std::map<std::string, std::int32_t>;
    static bool ranks_in(const std::string& text, const Ranks& ranks, std::vector<std::int32_t>& told);
    void suit_and_ranks(std::size_t at, const State& state);
    void glued(std::size_t at, const State& state);
    void rank_first(std::size_t at, const State& state);
    void unseen(std::size_t at, const State& state);
    void end(const State& state);
    void end_told(const State& state);
    void add(Events events, const State& state, int more = 0);
    int number_cost(const Events& events) const;
    std::size_t copies_met() const;
    Event with(const std::vector<std::int32_t>& told) const;

    const TypedEvents& all_;
    const Form& form_;
    const std::vector<std::string>& typed_;
    Names fixed_;
    Seats about_;
    std::vector<std::pair<std::int32_t, Names>> values_;
    std::map<std::string, Ranks> suits_;
    std::set<std::string> between_;
    std::size_t steps_ = 0;
};

std::size_t TypedEvents::Matching::taken(const Name& name, std::size_t at, int& cost, bool whole) const {
    std::size_t n = 0;
    cost = 0;
    for (; n < name.words.size() && at + n < typed_.size(); ++n) {
        const std::string& a = typed_[at + n];
        const std::string& b = name.words[n];
        if (a == b) continue;
        if (is_number(a) || (!is_with_ending(a, b) && (whole || !b.starts_with(a)))) break;
        ++cost;
    }
    if (n == name.words.size()) return n;
    cost += cost_of_part;
    return whole ? 0 : n;
}

void TypedEvents::Matching::from(std::size_t at, const State& state) {
    if (++steps_ > steps_most) return;
    if (at == typed_.size()) return end(state);
    int cost = 0;
    const bool call = form_.like.kind == EventKind::acts;
    for (const Name& name : fixed_) {
        const std::size_t n = taken(name, at, cost, call || name.whole);  // a call is said in full
        if (n == 0) continue;
        State next = state;
        next.mentioned = true;
        next.cost += cost * cost_of_shortened_word + name.cost;
        from(at + n, next);
    }
    // What begins a line and somebody's name is that name.
    const bool is_person = between_.contains(typed_[at]) && all_.begins_a_person(typed_[at]);
    const bool ends = at + 1 == typed_.size() && !is_among_words(typed_[at], Text::typed_for_cards);
    if (between_.contains(typed_[at]) && !ends && (at > 0 || !is_person)) {
        State next = state;
        if (is_person) next.cost += cost_of_person;
        from(at + 1, next);
    }
    seats(at, state);
    values(at, state);
    suit_and_ranks(at, state);
    glued(at, state);
    rank_first(at, state);
    unseen(at, state);
}

void TypedEvents::Matching::seats(std::size_t at, const State& state) {
    int cost = 0;
    for (std::size_t p = 0; p < all_.seats_.size(); ++p) {
        if ((about_ >> p & 1) == 0) continue;
        for (const Name& name : all_.seats_[p]) {
            const std::size_t n = taken(name, at, cost);
            if (n < name.words.size()) continue;
            State next = state;
            next.seat = true;
            next.cost += cost;
            from(at + n, next);
        }
    }
}

void TypedEvents::Matching::values(std::size_t at, const State& state) {
    for (const auto& [value, names] : values_) {
        // In whichever language it is closest to what was typed.
        std::size_t best = 0;
        int least = 0;
        for (const Name& name : names) {
            int cost = 0;
            const std::size_t n = taken(name, at, cost);
            if (n > best || (n == best && n > 0 && cost < least)) best = n, least = cost;
        }
        if (best == 0) continue;
        State next = state;
        next.told.push_back(value);
        next.cost += least;
        const bool times = at + best + 1 < typed_.size() && (typed_[at + best] == "x" || typed_[at + best] == "×") &&
                           typed_[at + best + 1].size() == 1 && typed_[at + best + 1] > "1" && is_number(typed_[at + best + 1]);
        if (times) next.told.insert(next.told.end(), typed_[at + best + 1][0] - '1', value);
        from(at + best + (times ? 2 : 0), next);
    }
}

// The ranks that stand in the text without a space, `25tjk`: their values behind `told`; false: it is something else.
bool TypedEvents::Matching::ranks_in(const std::string& text, const Ranks& ranks, std::vector<std::int32_t>& told) {
    for (std::size_t at = 0; at < text.size();) {
        std::pair<std::size_t, std::int32_t> best{0, no_id};  // as much of the text as can be
        for (const auto& [word, value] : ranks) {
            const bool initial = !is_number(word) && text[at] == word[0];
            const bool ten = text[at] == 't' && word == "10";
            const std::size_t n = text.compare(at, word.size(), word) == 0 ? word.size() : initial || ten ? 1 : 0;
            if (n > best.first) best = {n, value};
        }
        if (best.first == 0) return false;
        told.push_back(best.second);
        at += best.first;
    }
    return true;
}

// `w1228` for white 1, 2, 2 and 8, `h2tk` for three cards of a suit: where a name is a suit and a rank, the suit is typed once.
void TypedEvents::Matching::suit_and_ranks(std::size_t at, const State& state) {
    if (is_number(typed_[at])) return;
    for (const auto& [suit, ranks] : suits_)
        for (std::size_t n = 1; n <= typed_[at].size() && suit.starts_with(typed_[at].substr(0, n)); ++n) {
            State next = state;
            if (n < suit.size()) ++next.cost;
            if (!ranks_in(typed_[at].substr(n), ranks, next.told)) continue;
            for (std::size_t end = at + 1;; ++end) {
                if (next.told.size() > state.told.size() + 1) from(end, next);
                if (end == typed_.size() || !ranks_in(typed_[end], ranks, next.told)) break;
            }
        }
}

// `sq` for a suit and a queen: the beginnings of both words of a name in one.
void TypedEvents::Matching::glued(std::size_t at, const State& state) {
    for (const auto& [value, names] : values_) {
        int least = 0;
        for (const Name& name : names)
            if (const int cost = cost_of_glued(typed_[at], name.words); cost > 0 && (least == 0 || cost < least)) least = cost;
        if (least == 0) continue;
        State next = state;
        next.told.push_back(value);
        next.cost += least;
        from(at + 1, next);
    }
}

// `10 of diamonds`, `10 d`: the words of a name the other way round.
void TypedEvents::Matching::rank_first(std::size_t at, const State& state) {
    const std::size_t behind = at + 1 < typed_.size() && between_.contains(typed_[at + 1]) ? at + 2 : at + 1;
    if (behind >= typed_.size() || is_number(typed_[behind])) return;
    for (const auto& [value, names] : values_)
        for (const Name& name : names) {
            if (name.words.size() != 2 || name.words[1] != typed_[at] || !name.words[0].starts_with(typed_[behind])) continue;
            State next = state;
            next.told.push_back(value);
            next.cost += name.words[0] == typed_[behind] ? 1 : cost_of_part;
            from(behind + 1, next);
            break;
        }
}

// Cards or choices of which only the number is seen: `? ?`, or the number.
void TypedEvents::Matching::unseen(std::size_t at, const State& state) {
    const bool cards = has_cards(form_.like) && form_.like.faces == 0;
    if (is_told(form_.like) || (!cards && form_.like.kind != EventKind::choice)) return;
    State next = state;
    if (typed_[at] == "?")
        next.told.push_back(no_id);
    else if (cards && is_number(typed_[at]) && typed_[at].size() < 3 && state.told.empty())
        next.told.assign(std::stoul(typed_[at]), no_id);
    else
        return;
    if (!next.told.empty()) from(at + 1, next);
}

Event TypedEvents::Matching::with(const std::vector<std::int32_t>& told) const {
    Event e = form_.like;
    if (has_cards(e))
        e.pieces = told;
    else if (e.kind == EventKind::answer || (e.kind == EventKind::becomes && !is_of_many(told_type(all_.game_, e))))
        e.value = told.front();
    else
        e.values = told;
    if (e.kind == EventKind::choice && is_told(e) && element_of(told_type(all_.game_, e)).base == Base::kind) {
        // A card that was chosen from several places says from where.
        for (std::int32_t& value : e.values)
            for (const Event& met : form_.met)
                for (const std::int32_t other : met.values)
                    if (value >= 0 && other >= 0 && PlacedKind::of_value(other).kind == value) value = other;
    }
    std::sort(e.values.begin(), e.values.end());
    std::sort(e.pieces.begin(), e.pieces.end());
    if (e.kind != EventKind::move || e.value == 0) return e;
    // In which order they came to lie is typed by nobody, but there may be only one.
    e.value = 0;
    const auto is_it = [&](const Event& met) { return is_told_as(met, e); };
    return std::ranges::count_if(form_.met, is_it) == 1 ? *std::ranges::find_if(form_.met, is_it) : e;
}

// Another number of cards than was met is possible, but less likely meant; so are several that are dealt and not seen.
int TypedEvents::Matching::number_cost(const Events& events) const {
    if (!has_cards(form_.like) || form_.met.empty()) return 0;
    const auto as_many = [&](const Event& met) { return met.pieces.size() == events.front().pieces.size(); };
    const bool is_draw = form_.like.kind == EventKind::draw;
    const bool is_other = is_draw ? events.size() > 1 && !is_told(form_.like) : std::ranges::none_of(form_.met, as_many);
    return is_other ? cost_of_number : 0;
}

void TypedEvents::Matching::add(Events events, const State& state, int more) {
    const int cost = state.cost + number_cost(events) + more;
    const bool met = events.size() == 1 && std::ranges::find(form_.met, events.front()) != form_.met.end();
    const auto there = std::ranges::find_if(found, [&](const Reading& r) { return r.events == events; });
    if (there == found.end()) return found.push_back({std::move(events), cost, met, state.seat, {}});
    if (cost < there->cost || (cost == there->cost && state.seat)) there->names_seat = state.seat;
    there->cost = std::min(there->cost, cost);
}

// What is told, as one event, or one for each card that is dealt.
void TypedEvents::Matching::end_told(const State& state) {
    const Event& like = form_.like;
    if (like.kind == EventKind::draw) {
        Events events;
        for (const std::int32_t piece : state.told) events.push_back(with({piece}));
        return add(std::move(events), state);
    }
    const std::set<std::int32_t> once(state.told.begin(), state.told.end());
    if (like.kind == EventKind::choice && told_type(all_.game_, like).base == Base::set && once.size() < state.told.size()) return;
    const bool many =
        has_cards(like) || like.kind == EventKind::acts || (like.kind != EventKind::answer && is_of_many(told_type(all_.game_, like)));
    if (like.kind == EventKind::acts && !state.mentioned) return;
    if (many || state.told.size() == 1) add({with(state.told)}, state);
    // A pair, named by its card: only where the cards that were met come in pairs.
    const std::size_t copies = copies_met();
    if (copies < 2 || once.size() < state.told.size() || once.contains(no_id)) return;
    std::vector<std::int32_t> all;
    for (const std::int32_t piece : once) all.insert(all.end(), copies, piece);
    found.push_back({{with(all)}, state.cost + cost_of_copies, false, state.seat, {with(state.told)}});
}

// How many of each card go together in all that was met of a form of moves; 1: that differs, or it is one.
std::size_t TypedEvents::Matching::copies_met() const {
    std::size_t copies = 0;
    if (form_.like.kind != EventKind::move) return 1;
    for (const Event& met : form_.met)
        for (const std::int32_t piece : met.pieces)
            copies = std::gcd(copies, static_cast<std::size_t>(std::ranges::count(met.pieces, piece)));
    return copies;
}

void TypedEvents::Matching::end(const State& state) {
    if (!state.told.empty() && is_told(form_.like)) return end_told(state);
    if (!state.told.empty()) {  // a number of cards that are not seen
        if (form_.like.kind == EventKind::draw) return add(Events(state.told.size(), with({no_id})), state);
        return add({with(state.told)}, state);
    }
    // Whose cards go where nobody sees them: that is all there is to say of it.
    const bool is_unseen_move = form_.like.kind == EventKind::move && !is_told(form_.like);
    if (!state.mentioned && state.seat && is_unseen_move)
        for (const Event& met : form_.met) add({met}, state, cost_of_gap);
    if (!state.mentioned) return;
    const bool is_yes_or_no =
        form_.like.kind == EventKind::choice && is_told(form_.like) && told_type(all_.game_, form_.like).base == Base::truth;
    if (form_.like.kind == EventKind::answer || is_yes_or_no) return add({with({1})}, state);
    if (form_.like.kind == EventKind::acts || form_.met.size() == 1 || !is_told(form_.like))
        for (const Event& met : form_.met) add({met}, state, is_told(form_.like) ? cost_of_gap : 0);
}

std::vector<Reading> TypedEvents::readings(const std::string& text, const std::vector<Form>& forms) const {
    const std::vector<std::string> typed = words_of(text);
    std::vector<Reading> all;
    if (typed.empty()) return all;
    for (const Form& form : forms)
        for (Reading& r : Matching(*this, form, typed).found) {
            const bool there = std::ranges::any_of(all, [&](const Reading& other) { return other.events == r.events; });
            if (!there) all.push_back(std::move(r));
        }
    std::ranges::stable_sort(all, {}, &Reading::cost);
    return all;
}

Seats TypedEvents::seats_called(const std::string& word) const {
    const auto names_it = [&](const Name& name) { return name.words == std::vector<std::string>{word}; };
    Seats called = no_seats;
    for (int p = 0; p < game_.players; ++p)
        if (std::ranges::any_of(seats_[p], names_it)) called |= seat_bit(p);
    return called;
}

Seats TypedEvents::seats_named(const std::string& text) const {
    Seats named = no_seats;
    for (const std::string& word : words_of(text)) named |= seats_called(word);
    return named;
}

Events TypedEvents::begun(const std::string& text, const std::vector<Form>& forms) const {
    const std::vector<std::string> typed = words_of(text);
    Events met;
    for (const Form& form : forms) {
        if (!has_cards(form.like) || !is_told(form.like)) continue;
        const Names fixed = fixed_words(form.like);
        const Seats about = seats_about(game_, form.like);
        const auto is_seat = [&](const std::string& word) { return (seats_called(word) & about) != 0; };
        const auto begins_place = [&](const std::string& word) {
            return !is_number(word) &&
                   std::ranges::any_of(fixed, [&](const Name& n) { return !n.whole && n.words.front().starts_with(word); });
        };
        const auto is_part = [&](const std::string& word) { return is_seat(word) || begins_place(word); };
        if (std::ranges::all_of(typed, is_part) && std::ranges::any_of(typed, begins_place))
            met.insert(met.end(), form.met.begin(), form.met.end());
    }
    return met;
}

std::vector<Reading> TypedEvents::readings_of_others(const std::string& text, const std::vector<Form>& forms) const {
    std::vector<Form> others;
    const auto of = [&](PlaceId place, int from, int to) {
        return owner_of(game_, place) == from ? PlaceId(zone_of(game_, place)->first_place + to) : place;
    };
    const auto is_seen = [&](PlaceId place) { return place != no_id && (seers_of(machine_, place) & seat_bit(seat_)) != 0; };
    const auto of_other = [&](Event e, int from, int to) {
        if (e.seat == from) e.seat = to;
        e.from = of(e.from, from, to);
        e.to = of(e.to, from, to);
        const bool moves = e.kind == EventKind::draw || e.kind == EventKind::move;
        if (moves && !is_seen(e.from) && !is_seen(e.to)) {
            e.faces &= ~seat_bit(seat_);
            std::ranges::fill(e.pieces, no_id);
        }
        return e;
    };
    for (const Form& form : forms) {
        const Seats about = seats_about(game_, form.like);
        for (int p = 0; p < game_.players; ++p)
            for (int q = 0; q < game_.players; ++q) {
                if ((about >> p & 1) == 0 || p == q || form.like.kind == EventKind::acts) continue;
                Form other{of_other(form.like, p, q), {}};
                for (const Event& met : form.met) other.met.push_back(of_other(met, p, q));
                others.push_back(std::move(other));
            }
    }
    std::vector<Reading> all = readings(text, others);
    for (Reading& r : all) r.met = false;
    return all;
}

// A number behind the first word of a card, and no card has it, nor each of its digits. `p2` may be a person.
bool TypedEvents::is_no_card(const std::string& first, const std::string& number,
                             const std::vector<std::vector<std::string>>& cards) const {
    if (is_number(first) || begins_a_person(first)) return false;
    bool is_suit = false;
    std::set<std::string> numbers;
    for (const std::vector<std::string>& card : cards) {
        if (card.size() != 2 || !card[0].starts_with(first)) continue;
        is_suit = true;
        numbers.insert(card[1]);
    }
    const auto is_there = [&](char digit) { return numbers.contains(std::string(1, digit)); };
    return is_suit && !numbers.contains(number) && !std::ranges::all_of(number, is_there);
}

std::optional<TypedEvents::Slip> TypedEvents::slip_in(const std::string& text) const {
    std::vector<std::string> known;
    const auto add = [&](const Names& names) {
        for (const Name& n : names) known.insert(known.end(), n.words.begin(), n.words.end());
    };
    const auto add_label = [&](const std::string& id) { add(in_all_languages([&](const std::string& l) { return label(game_, id, l); })); };
    for (const Names& names : seats_) add(names);
    std::vector<std::vector<std::string>> cards;
    for (KindId k = 0; k < KindId(game_.kinds.size()); ++k) {
        const Names kind = in_all_languages([&](const std::string& l) { return kind_text(game_, k, l); });
        for (const Name& n : kind) cards.push_back(n.words);
        add(kind);
    }
    for (const Zone& zone : game_.zones) add_label(zone.name);
    for (const Fact& fact : game_.facts) add_label(fact.name);
    for (const Variable& variable : game_.variables) add_label(variable.name);
    for (const std::string& word : game_.words) add_label(word);
    for (const Act& act : game_.acts) add_label(act.name);
    for (const auto& e : game_.ends) add_label(e.name);
    for (const auto& e : game_.enums)
        for (const std::string& value : e.values) add_label(value);
    const std::vector<std::string> names = known;  // what is suggested: a verb or an article is hardly meant
    for (const TextRow<0>& row : {Text::typed_for_draw, Text::typed_for_move, Text::typed_for_shows, Text::typed_for_says,
                                  Text::typed_for_no, Text::typed_for_choice, Text::typed_for_table, Text::typed_for_acts,
                                  Text::typed_for_shuffle, Text::typed_for_end, Text::typed_between})
        for (const Language l : all_languages) add({name(std::string(row.in(l)))});
    const std::vector<std::string> words = words_of(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (is_number(word) && i > 0 && is_no_card(words[i - 1], word, cards)) return Slip{words[i - 1] + " " + word, ""};
        const bool fits =
            word == "?" || word == "x" || is_number(word) ||
            std::ranges::any_of(known, [&](const std::string& name) { return name.starts_with(word) || is_with_ending(word, name); }) ||
            std::ranges::any_of(cards, [&](const std::vector<std::string>& card) { return cost_of_glued(word, card) > 0; });
        if (!fits) return Slip{word, word.size() < suggested_least ? "" : closest(word, names)};
    }
    return std::nullopt;
}

}  // namespace houserule::cli
