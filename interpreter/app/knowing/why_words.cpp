#include "interpreter/app/knowing/why_words.hpp"

#include "dsl/game/names.hpp"
#include "dsl/text/ascii.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/ruled_out.hpp"
#include "interpreter/run/seers.hpp"
#include "solver/players/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t events_most = 60;     // a share is worked out after each
constexpr std::size_t shown_most = 3;       // of what speaks for it or against it
constexpr std::uint64_t part_of_work = 40;  // each of those shares has so much of the work

// ---------------------------------------------------------------- what is asked

// Finds names in a text and takes them out of it.
class Finder {
public:
    explicit Finder(const std::string& text) : text_(" " + plain_form(text) + " ") {
        for (const std::string_view mark : {"。", "、", "?", ".", "「", "」", "“", "”"}) erase(std::string(mark), " ");
        erase("'s ", " ");
    }
    // Where ASCII letters or digits meet, a name must end.
    bool take(const std::string& name) {
        if (name.empty()) return false;
        const auto is_word = [](char c) { return ascii::is_letter(c) || ascii::is_digit(c); };
        for (std::size_t at = 0; (at = text_.find(name, at)) != std::string::npos; ++at) {
            const std::size_t end = at + name.size();
            if ((is_word(name.front()) && is_word(text_[at - 1])) || (is_word(name.back()) && is_word(text_[end]))) continue;
            text_.replace(at, name.size(), " ");
            return true;
        }
        return false;
    }
    bool take_all(std::string_view names) {
        bool found = false;
        for (std::size_t at = 0; at < names.size();) {
            const std::size_t end = std::min(names.find(' ', at), names.size());
            while (take(plain_form(std::string(names.substr(at, end - at))))) found = true;
            at = end + 1;
        }
        return found;
    }
    template <class Row>
    bool take_words(Row row) {
        bool found = false;
        for (const Language language : all_languages) found = take_all(row.in(language)) || found;
        return found;
    }
    bool empty() const { return text_.find_first_not_of(' ') == std::string::npos; }

private:
    void erase(const std::string& what, const std::string& by) {
        for (std::size_t at = 0; (at = text_.find(what, at)) != std::string::npos;) text_.replace(at, what.size(), by);
    }
    std::string text_;
};

// What is called so, the longest names first: `white cat` before `cat`.
template <class Id>
std::vector<Id> taken(Finder& finder, std::vector<std::pair<std::string, Id>> names) {
    std::ranges::stable_sort(names, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    std::vector<Id> found;
    for (const auto& [name, id] : names)
        while (finder.take(name))
            if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    return found;
}

std::vector<KindId> kinds_in(const Game& game, Finder& finder) {
    std::vector<std::pair<std::string, KindId>> names;
    for (KindId kind = 0; kind < game.kind_count(); ++kind)
        for (const char* language : {"", "en", "ja"}) names.emplace_back(plain_form(kind_text(game, kind, language)), kind);
    // As it stands on the screen, too.
    for (const Language language : all_languages)
        for (KindId kind = 0; kind < game.kind_count(); ++kind) {
            std::string name = plain_form(shown_cards(game, {kind}, {language, false}));
            names.emplace_back(name, kind);
            if (name.empty() || ascii::is_letter(name[0]) || ascii::is_digit(name[0])) continue;
            // Without a space, and with the glyph last: `♠A`, `A♠`.
            const auto space = name.find(' ');
            if (space == std::string::npos) continue;
            const std::string rest = name.substr(space + 1);
            name.resize(space);
            names.emplace_back(name + rest, kind);
            names.emplace_back(plain_form(rest + " " + name), kind);
            names.emplace_back(plain_form(rest + name), kind);
        }
    return taken(finder, std::move(names));
}

std::vector<std::size_t> zones_in(const Game& game, Finder& finder) {
    std::vector<std::pair<std::string, std::size_t>> names;
    for (std::size_t z = 0; z < game.zones.size(); ++z)
        for (const std::string& name : names_in_languages(game, game.zones[ZoneId(z)].name)) names.emplace_back(name, z);
    return taken(finder, std::move(names));
}

// By number, `P2`: to be taken before cards that are numbers.
std::vector<int> seats_by_number(const Game& game, Finder& finder) {
    std::vector<std::pair<std::string, int>> names;
    for (int seat = 0; seat < game.players; ++seat) names.emplace_back(plain_form(fmt::format("P{}", seat + 1)), seat);
    return taken(finder, std::move(names));
}

// By the names of people, or as who asks.
void add_seats_by_name(const Game& game, int own, Finder& finder, std::vector<int>& seats) {
    std::vector<std::pair<std::string, int>> names;
    for (int seat = 0; seat < game.players; ++seat) names.emplace_back(plain_form(seat_words(seat)), seat);
    for (const int seat : taken(finder, std::move(names)))
        if (std::ranges::find(seats, seat) == seats.end()) seats.push_back(seat);
    const bool is_own = finder.take_words(Text::typed_for_me);
    if ((finder.take_words(Text::typed_for_you) || is_own) && seats.empty()) seats.push_back(own);
}

bool may_lie(const Game& game, const Zone& zone, const std::vector<KindId>& kinds) {
    return std::ranges::all_of(kinds, [&](KindId kind) { return zone.families[game.kinds[kind].family]; });
}

// The place of this zone that is meant: that of the seat that is named, one's own where only others see it, that of the only other one.
PlaceId place_in(const Game& game, const Zone& zone, const std::vector<int>& seats, int own) {
    if (zone.by == IndexBy::nothing) return seats.empty() ? zone.first_place : PlaceId(no_id);
    if (zone.by != IndexBy::player) return no_id;
    if (seats.size() == 1) return zone.first_place + seats.front();
    if (!seats.empty() || own < 0) return no_id;
    if (zone.seers == Seers::others) return zone.first_place + own;
    return game.players == 2 ? zone.first_place + (1 - own) : PlaceId(no_id);
}

// ---------------------------------------------------------------- what is answered

struct Answering {
    const Seen& seen;
    Deduction& deduction;
    const WordClaim& claim;
    const KnowingArgs& args;
    const Globals& g;
    const Game& game = seen.game();
    Listener listener{seat_bit(seen.view.seat), seen.view.seat};

    const HiddenThing* thing(const Knowledge& known) const;
    Answer possible(const HiddenThing& thing) const;
    Answer certain(const HiddenThing& thing) const;
    std::optional<Rational> share(const Knowledge& known) const;
    std::string in_words() const;
    std::vector<std::string> reasons(bool of_absence) const;
    std::string came_there() const;
    std::vector<std::string> turning_points() const;
    std::string in_sight() const;
    std::string whose() const;
    std::string which_place() const;
};

const HiddenThing* Answering::thing(const Knowledge& known) const {
    const auto found = std::ranges::find_if(known.things, [&](const HiddenThing& t) { return !t.is_fact && t.place == claim.place(); });
    return found == known.things.end() ? nullptr : &*found;
}

const Possibility* of_kind(const HiddenThing& thing, KindId kind) {
    const auto found = std::ranges::find_if(thing.values, [&](const Possibility& p) { return KindId(p.value) == kind; });
    return found == thing.values.end() ? nullptr : &*found;
}

// Whether one of the kinds can lie there.
Answer Answering::possible(const HiddenThing& thing) const {
    Answer all = Answer::no;
    for (const KindId kind : claim.kinds) {
        const Possibility* const p = of_kind(thing, kind);
        if (p == nullptr || p->possible == Answer::no) continue;
        all = p->possible == Answer::yes || all == Answer::yes ? Answer::yes : Answer::unknown;
    }
    return all;
}

Answer Answering::certain(const HiddenThing& thing) const {
    if (thing.size == 1 && std::ranges::all_of(thing.values, [&](const Possibility& p) {
            return p.possible == Answer::no || std::ranges::find(claim.kinds, KindId(p.value)) != claim.kinds.end();
        }))
        return Answer::yes;
    const bool is = std::ranges::any_of(claim.kinds, [&](KindId kind) {
        const Possibility* const p = of_kind(thing, kind);
        return p != nullptr && p->certain == Answer::yes;
    });
    return is ? Answer::yes : Answer::no;
}

// Of one of the kinds being there; where several cards lie there, for one kind only.
std::optional<Rational> Answering::share(const Knowledge& known) const {
    const HiddenThing* const at = thing(known);
    if (at == nullptr || (at->size != 1 && claim.kinds.size() != 1)) return std::nullopt;
    Rational all = 0;
    for (const KindId kind : claim.kinds) {
        const Possibility* const p = of_kind(*at, kind);
        if (p == nullptr || p->weights.empty()) return p == nullptr ? std::optional(all) : std::nullopt;
        all += p->share();
    }
    return all;
}

std::string Answering::in_words() const {
    std::vector<std::string> names;
    for (const KindId kind : claim.kinds) names.push_back(shown_cards(game, {kind}, g));
    const std::string what = fmt::format("{}", fmt::join(names, say(g, Text::hint_or)));
    const std::string place = capital(place_words(game, claim.place(), listener, g), g);
    return claim.denied ? say(g, Text::why_not_there, place, what) : say(g, Text::told_of, place, what);
}

// Of one card among several: when it was seen to come there, or to lie there.
std::string Answering::came_there() const {
    for (std::size_t i = deduction.noticed(); i-- > 0;) {
        const Event& e = deduction.noticed(i);
        const bool is_there = e.to == claim.place() || (e.kind == EventKind::shows && e.from == claim.place());
        const auto is_it = [&](KindId kind) { return std::ranges::find(e.pieces, kind) != e.pieces.end(); };
        if (is_there && std::ranges::any_of(claim.kinds, is_it)) return told_event(seen.machine(), e, listener, g);
    }
    return say(g, Text::why_follows);
}

// What happened, that none of the kinds is there, or that no other one is.
std::vector<std::string> Answering::reasons(bool of_absence) const {
    const Knowledge& known = deduction.knowledge();
    const HiddenThing* const at = thing(known);
    if (!of_absence && at->size != 1) return {came_there()};
    std::vector<std::string> told;
    const auto add = [&](std::string text) {
        if (!text.empty() && std::ranges::find(told, text) == told.end()) told.push_back(std::move(text));
    };
    const std::vector<Value> sight = copies_in_sight(deduction);
    for (const Possibility& p : at->values) {
        const bool is_asked = std::ranges::find(claim.kinds, KindId(p.value)) != claim.kinds.end();
        if (is_asked != of_absence || p.possible != Answer::no) continue;
        if (sight[p.value] == game.kinds[p.value].copies) {
            add(say(g, of_absence ? Text::why_seen : Text::why_others_seen));
            continue;
        }
        const WhyNot why = deduction.why_not(claim.place(), KindId(p.value));
        if (!why.found) add(say(g, Text::reasons_cut));
        for (const Reason& r : why.reasons)
            if (r.event < deduction.noticed()) add(told_event(seen.machine(), deduction.noticed(r.event), listener, g));
        if (why.found && why.reasons.empty()) add(say(g, of_absence ? Text::excluded_by_rules : Text::why_follows));
    }
    return told;
}

// The events after which the share was another one: the largest changes, in their order.
std::vector<std::string> Answering::turning_points() const {
    struct Change {
        std::size_t event;
        Rational before, after;
        Rational size() const { return after > before ? Rational(after - before) : Rational(before - after); }
    };
    if (seen.view.events.size() > events_most) return {};
    DeductionLimits limits = limits_of(args);
    if (limits.work != no_work_limit) limits.work /= part_of_work;
    const Deadline until = args.time_s ? Deadline::in(limits.time, &stop()) : Deadline::never(&stop());
    Deduction fresh(seen.text.machine, seen.view.seat, limits);
    std::vector<Change> changes;
    std::optional<Rational> before;
    for (std::size_t i = 0; i < seen.view.events.size(); ++i) {
        fresh.finish_by(until);
        // In between more may have happened than was told.
        const SeenTo told_to = i + 1 == seen.view.events.size() ? seen.told() : SeenTo{Told::so_far};
        if (until.over() || fresh.see({seen.view.events[i]}, told_to) != Fit::fits) break;
        const std::optional<Rational> now = share(fresh.knowledge());
        if (now && before && *now != *before && *before != 0) changes.push_back({i, *before, *now});
        if (now && (*now != 0 || before)) before = now;
    }
    std::ranges::stable_sort(changes, [](const Change& a, const Change& b) { return a.size() > b.size(); });
    changes.resize(std::min(changes.size(), shown_most));
    std::ranges::sort(changes, {}, &Change::event);
    std::vector<std::string> told;
    for (const Change& c : changes) {
        const std::string text = told_event(seen.machine(), seen.view.events[c.event], listener, g);
        const bool speaks_for = (c.after > c.before) != claim.denied;
        const Rational from = claim.denied ? Rational(1 - c.before) : c.before;
        const Rational to = claim.denied ? Rational(1 - c.after) : c.after;
        told.push_back((speaks_for ? Text::why_for : Text::why_against)(text, percent(from, g), percent(to, g)).in(g.language));
    }
    return told;
}

// Several places are meant.
std::string Answering::which_place() const {
    std::vector<std::string> names;
    for (const PlaceId place : claim.places) names.push_back(place_words(game, place, g));
    return say(g, Text::why_which_place, fmt::format("{}", fmt::join(names, say(g, Text::comma))));
}

// Of a place that the seat sees.
std::string Answering::in_sight() const { return say(g, Text::why_you_see, place_words(game, claim.place(), listener, g)); }

// Nobody's place was meant, it seems, though nothing else was said: whose card is it, as of the next player?
std::string Answering::whose() const {
    std::vector<std::string> names;
    for (const KindId kind : claim.kinds) names.push_back(shown_cards(game, {kind}, g));
    const int other = (std::max(0, seen.view.seat) + 1) % game.players;
    const std::string what = fmt::format("{}", fmt::join(names, say(g, Text::hint_or)));
    return say(g, Text::why_whose,
               claim.denied ? say(g, Text::why_example_not, seat_words(other), what) : say(g, Text::why_example, seat_words(other), what));
}

}  // namespace

bool names_cards(const Game& game, const std::string& text) {
    Finder finder(text);
    return !kinds_in(game, finder).empty();
}

std::string literal(const Game& game, KindId kind) {
    const PieceKind& k = game.kinds[kind];
    const Family& family = game.families[k.family];
    if (family.fields.empty()) return family.name;
    return k.name.empty() ? "[" + kind_text(game, kind) + "]" : k.name;
}

std::optional<WordClaim> claim_in(const Machine& machine, int seat, const std::string& text) {
    const Game& game = machine.game;
    Finder finder(text);
    WordClaim claim;
    std::vector<int> seats = seats_by_number(game, finder);
    claim.kinds = kinds_in(game, finder);
    claim.denied = finder.take_words(Text::typed_for_not);
    add_seats_by_name(game, seat, finder, seats);
    const std::vector<std::size_t> zones = zones_in(game, finder);
    claim.names_place = !seats.empty() || !zones.empty();
    finder.take_words(Text::typed_for_nothing);
    if (claim.kinds.size() > 1) finder.take_words(Text::typed_for_or);
    if (claim.kinds.empty() || zones.size() > 1 || !finder.empty()) return std::nullopt;
    std::set<PlaceId> places;
    const auto add = [&](const Zone& zone) {
        const PlaceId place = may_lie(game, zone, claim.kinds) ? place_in(game, zone, seats, seat) : PlaceId(no_id);
        if (place != no_id) places.insert(place);
    };
    if (!zones.empty()) add(game.zones[ZoneId(zones.front())]);
    if (zones.empty())
        for (const ZoneId zone : asked_for(machine).zones) add(game.zones[zone]);
    const auto is_seen = [&](std::int32_t place) { return (seers_of(machine, PlaceId(place)) & seat_bit(seat)) != 0; };
    if (zones.empty() && std::ranges::all_of(places, is_seen)) {
        // What somebody has whose place that is asked for is seen, is another card: of those that are hidden.
        const std::set<PlaceId> seen = std::exchange(places, {});
        for (const Zone& zone : game.zones)
            if (zone.seers != Seers::all && zone.by == IndexBy::player) add(zone);
        std::erase_if(places, [&](PlaceId place) { return !seen.empty() && is_seen(place); });
        if (places.empty()) places = seen;
    }
    // Of several, what may be asked about is what lies hidden.
    if (places.size() > 1)
        std::erase_if(places, [&](PlaceId place) { return zone_of(game, place) == nullptr || zone_of(game, place)->seers == Seers::all; });
    if (places.empty()) return std::nullopt;
    claim.places.assign(places.begin(), places.end());
    return claim;
}

std::string in_rules_words(const Game& game, const WordClaim& claim) {
    std::vector<std::string> parts;
    for (const KindId kind : claim.kinds)
        parts.push_back(fmt::format("size of ({} where it is {}) {}", place_name(game, claim.place()), literal(game, kind),
                                    claim.denied ? "is 0" : "> 0"));
    return fmt::format("{}", fmt::join(parts, claim.denied ? " and " : " or "));
}

std::string why_words(const Seen& seen, Deduction& deduction, WordClaim claim, const KnowingArgs& args, std::size_t width,
                      const Globals& g) {
    const Answering a{seen, deduction, claim, args, g};
    const Knowledge& known = deduction.knowledge();
    if (claim.places.size() > 1) {  // meant is where something hidden lies
        const auto is_hidden = [&](PlaceId place) {
            return std::ranges::any_of(known.things, [&](const HiddenThing& t) { return !t.is_fact && t.place == place; });
        };
        std::erase_if(claim.places, [&](PlaceId place) { return !is_hidden(place); });
        if (claim.places.size() != 1) return folded(claim.places.empty() ? a.whose() : a.which_place(), width, 2) + "\n";
    }
    const HiddenThing* const at = a.thing(known);
    if (at == nullptr && !claim.names_place) return folded(a.whose(), width, 2) + "\n";
    if (at == nullptr) return folded(a.in_sight(), width, 2) + "\n";
    const Answer possible = a.possible(*at);
    const bool is_certain = a.certain(*at) == Answer::yes;
    std::string text;
    std::vector<std::string> because;
    if (is_certain || possible == Answer::no) {
        const bool is_so = is_certain != claim.denied;
        const auto& now = is_so ? Text::why_certainly : Text::why_certainly_not;
        const auto& then = is_so ? Text::why_certainly_then : Text::why_certainly_not_then;
        text = say(g, seen.cut ? then : now, a.in_words());
        because = a.reasons(!is_certain);
    } else if (const auto share = a.share(known); share && possible == Answer::yes) {
        text = say(g, Text::why_likely, a.in_words(), percent(claim.denied ? Rational(1 - *share) : *share, g));
        because = a.turning_points();
    } else {
        text = say(g, possible == Answer::yes ? Text::why_open : Text::why_undecided, a.in_words());
    }
    text = folded(text, width, 2) + "\n";
    for (const std::string& reason : because) text += folded("  " + reason, width, 4) + "\n";
    return text;
}

}  // namespace houserule::cli
