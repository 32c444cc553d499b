#include "interpreter/log/view.hpp"

#include "dsl/game/placed_kind.hpp"
#include "dsl/meaning/domain.hpp"
#include "interpreter/log/line.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace houserule {

namespace {

Seats bit(int seat) { return 1U << seat; }

}  // namespace

std::optional<Event> noticed(const Event& event, int seat) {
    if (event.kind == EventKind::begins || (event.audience & bit(seat)) == 0) return std::nullopt;
    Event e = event;
    e.joint = false;
    e.step = no_id;
    e.rule = no_id;
    e.audience = bit(seat);
    e.faces = event.faces & bit(seat);
    std::sort(e.values.begin(), e.values.end());
    if (event.kind == EventKind::move) e.value = event.value & e.faces;
    if (event.kind != EventKind::move || e.value == 0) std::sort(e.pieces.begin(), e.pieces.end());
    if (e.faces != 0) return e;
    std::fill(e.pieces.begin(), e.pieces.end(), no_id);
    if (e.kind == EventKind::choice) e.values = {no_id};
    return e;
}

bool is_told_as(const Event& noticed, const Event& told) {
    if (noticed.kind != EventKind::move || noticed.value == 0 || told.value != 0) return noticed == told;
    Event without_order = noticed;
    without_order.value = 0;
    std::sort(without_order.pieces.begin(), without_order.pieces.end());
    return without_order == told;
}

bool can_mean(const View& view, std::size_t index, const Event& noticed) {
    const auto tells = [&](const Event& told) { return is_told_as(noticed, told); };
    return tells(view.events[index]) || std::any_of(view.others[index].begin(), view.others[index].end(), tells);
}

NotInView not_in_view(const Machine& machine, const Event& read, int seat) {
    const auto sees = [&](Seats seers) { return (seers & bit(seat)) != 0; };
    bool faces = false;
    switch (read.kind) {
        case EventKind::choice:
        case EventKind::answer:
            return read.aloud || read.seat == seat ? NotInView::fits : NotInView::unnoticed;
        case EventKind::becomes: {
            const Fact& fact = machine.game.facts[read.name];
            return sees(seers_of(machine.game, fact.seers, fact.by, read.index)) ? NotInView::fits : NotInView::unnoticed;
        }
        case EventKind::draw:
        case EventKind::move:
            faces = sees(seers_of(machine, read.from) | seers_of(machine, read.to));
            break;
        case EventKind::shows:
            faces = sees(seers_of(machine, read.from)) || (read.value >> seat & 1) != 0;
            break;
        case EventKind::lot:
            return read.seat < 0 || read.seat == seat ? NotInView::fits : NotInView::unnoticed;
        case EventKind::report:
        case EventKind::acts:
        case EventKind::says:
        case EventKind::shuffle:
        case EventKind::ended:
        case EventKind::begins:
        case EventKind::all_chose:
            return NotInView::fits;
    }
    if (read.pieces.empty() || faces == (read.faces != 0)) return NotInView::fits;
    return faces ? NotInView::faces_seen : NotInView::faces_unseen;
}

Events noticed_since(const Events& events, std::size_t& told, int seat) {
    Events own;
    for (const std::size_t known = std::max(told, settled(events)); told < known; ++told)
        if (auto e = noticed(events[told], seat)) own.push_back(std::move(*e));
    return own;
}

View view_of(const Machine& machine, const LogHead& head, const Events& events, int seat) {
    if (seat < 0 || seat >= machine.game.players) stop_on_bug("a view is of a seat that nobody has");
    View view{head, seat, {}, {}, {}};
    view.head.view = seat;
    const std::size_t known = settled(events);
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (i >= known && events[i].seat != seat) continue;
        if (auto e = noticed(events[i], seat)) view.events.push_back(std::move(*e));
    }
    view.others.resize(view.events.size());
    view.lines.resize(view.events.size());
    return view;
}

namespace {

using Values = std::vector<std::int32_t>;
using Found = std::map<std::string, std::vector<Operand>>;  // what is called so, in any language
using FoundValues = std::map<std::string, Values>;

// Everything that the lines of a game can name, by what stands in the line.
class Dictionary {
public:
    explicit Dictionary(const Machine& machine);

    FoundValues places;
    FoundValues kinds;
    std::map<std::string, std::vector<std::pair<FactId, std::int32_t>>> facts;  // with their owner: fact and index
    // Variables that are chosen, named aloud, declined, told by the table and drawn by lot; words offered and said; acts and ends.
    Found chosen, named, declined, told, lots, offered, said, acts, ends;

    // What the text can be as a value of this type.
    Values values(const std::string& text, const Type& type) const;
    std::vector<std::string> names_of_values(const Type& type) const;

private:
    template <typename Map, typename Value, typename F>
    void add(Map& to, const Value& what, F shown);
    void add_fact(FactId id);
    void add_step(const Step& step);

    const Game& game_;
    Names names_;
};

// `shown(language)`: how `what` is written.
template <typename Map, typename Value, typename F>
void Dictionary::add(Map& to, const Value& what, F shown) {
    for (const std::string& language : names_.languages) {
        auto& all = to[nfc(shown(language))];
        if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(what);
    }
}

Dictionary::Dictionary(const Machine& machine) : game_(machine.game), names_(machine) {
    for (PlaceId p = 0; p < game_.places; ++p) add(places, p, [&](const std::string& l) { return place_name(game_, p, l); });
    for (KindId k = 0; k < KindId(game_.kinds.size()); ++k) add(kinds, k, [&](const std::string& l) { return kind_text(game_, k, l); });
    for (const FactId f : game_.facts.ids()) add_fact(f);
    for (const EndId e : game_.ends.ids()) add(ends, e, [&](const std::string& l) { return label(game_, game_.ends[e].name, l); });
    for (const Step& s : machine.code) add_step(s);
}

void Dictionary::add_fact(FactId id) {
    const Fact& fact = game_.facts[id];
    for (std::int32_t i = 0; i < fact.count; ++i) {
        const std::int32_t index = fact.by == IndexBy::nothing ? no_id : i;
        add(facts, std::pair(id, index), [&](const std::string& l) { return fact_name(game_, id, index, l); });
    }
}

// Only what some step does can stand in a line.
void Dictionary::add_step(const Step& s) {
    const auto variable = [&](Found& to) {
        add(to, s.a, [&](const std::string& l) { return label(game_, game_.variables[s.a].name, l); });
    };
    const auto word = [&](Found& to) { add(to, s.a, [&](const std::string& l) { return label(game_, game_.words[s.a], l); }); };
    switch (s.op) {
        case Op::choose:
            variable((s.mode & choice_aloud) != 0 ? named : chosen);
            if ((s.mode & choice_optional) != 0) variable(declined);
            break;
        case Op::report:
            variable(s.mode == 1 ? lots : told);
            break;
        case Op::ask:
            word(offered);
            break;
        case Op::says:
            word(said);
            break;
        case Op::window:
            add(acts, s.a, [&](const std::string& l) { return label(game_, game_.acts[s.a].name, l); });
            break;
        default:
            break;
    }
}

// A whole number of steps of 1 / scale, as `value_name` writes it.
std::optional<std::int32_t> number(const Game& game, const std::string& text, const Type& type) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    value *= type.scale;
    if (value < type.low - 0.5 || value > type.high + 0.5) return std::nullopt;
    const auto steps = static_cast<std::int32_t>(value < 0 ? value - 0.5 : value + 0.5);
    return steps >= type.low && steps <= type.high && value_name(game, type, steps) == text ? std::optional(steps) : std::nullopt;
}

Values Dictionary::values(const std::string& text, const Type& type) const {
    Values all;
    const auto called = [&](std::int32_t v) {
        if (names_.any(text, [&](const std::string& l) { return value_name(game_, type, v, l); })) all.push_back(v);
    };
    if (type.or_none) called(none_of(type));
    switch (type.base) {
        case Base::number:
            if (const auto n = number(game_, text, type)) all.push_back(*n);
            break;
        case Base::truth:
            called(0);
            called(1);
            break;
        case Base::player:
            for (std::int32_t p = 0; p < game_.players; ++p) called(p);
            break;
        case Base::enumeration:
            if (type.of == no_id) break;
            for (std::int32_t v = 0; v < game_.enums[type.of].size(); ++v) called(v);
            break;
        case Base::kind: {
            // A card that was chosen from several places says from where.
            const auto at_sign = text.find(" @ ");
            const auto kind = kinds.find(nfc(std::string(trim(std::string_view(text).substr(0, at_sign)))));
            if (kind == kinds.end()) break;
            std::vector<PlaceId> places_of{no_id};
            if (at_sign != std::string::npos) {
                const auto place = places.find(nfc(std::string(trim(std::string_view(text).substr(at_sign + 3)))));
                places_of.clear();
                if (place != places.end())
                    for (const PlaceId p : place->second) places_of.push_back(p);
            }
            for (const KindId k : kind->second) {
                if (type.of != no_id && game_.kinds[k].family != type.of) continue;
                for (const PlaceId from : places_of) all.push_back(PlacedKind{k, from}.value());
            }
            break;
        }
        case Base::nothing:
        case Base::card:
        case Base::place:
        case Base::cards:
        case Base::set:
            break;
    }
    return all;
}

// Names near to which a slip may be; numbers have none.
std::vector<std::string> Dictionary::names_of_values(const Type& type) const {
    std::vector<std::string> names;
    const auto add_all = [&](std::int32_t count) {
        for (const std::string& language : names_.languages)
            for (std::int32_t v = type.or_none ? -1 : 0; v < count; ++v) names.push_back(value_name(game_, type, v, language));
    };
    if (type.base == Base::truth) add_all(2);
    if (type.base == Base::player) add_all(game_.players);
    if (type.base == Base::enumeration && type.of != no_id) add_all(game_.enums[type.of].size());
    if (type.base != Base::kind) return names;
    for (const auto& [name, ids] : kinds)
        if (std::any_of(ids.begin(), ids.end(), [&](KindId k) { return type.of == no_id || game_.kinds[k].family == type.of; }))
            names.push_back(name);
    return names;
}

// One line into the events that it can mean.
class Reader {
public:
    Reader(const Machine& machine, const Dictionary& dictionary, int seat, const Line& line)
        : machine_(machine), game_(machine.game), dictionary_(dictionary), seat_(seat), line_(line) {}
    // None when the line says nothing about this game: then `problems` say why.
    Events read();
    const Diagnostics& problems() const { return problems_; }

private:
    Event event(EventKind kind, bool sees = true) const;
    Span part(const std::string& text) const;
    void unknown_value(const std::string& text, const std::vector<std::string>& names);
    template <typename... Arguments>
    Diagnostic& problem(CodeTaking<sizeof...(Arguments)> code, const std::string& text, Arguments&&... arguments);
    template <typename Map>
    typename Map::mapped_type look_up(const std::string& text, std::initializer_list<const Map*> maps);
    std::optional<Values> seats(const std::vector<std::string>& texts);
    std::optional<bool> hidden();
    bool nothing() const { return line_.values.size() == 1 && line_.values[0] == "nothing"; }
    std::vector<Values> combined(const std::vector<Values>& candidates);
    std::vector<Values> pieces(PlaceId place, bool is_hidden);
    void with_values(Event e, const Type& type);
    void choice();
    void answer(WordId word);
    void cards();
    void show();
    void told(EventKind kind, const Found& variables);
    void named(EventKind kind, const Found& things);
    void shuffle();
    void acts();
    void fact();

    const Machine& machine_;
    const Game& game_;
    const Dictionary& dictionary_;
    int seat_;
    const Line& line_;
    Diagnostics problems_;
    Events all_;
};

Event Reader::event(EventKind kind, bool sees) const {
    Event e;
    e.kind = kind;
    e.seat = line_.seat;
    e.audience = bit(seat_);
    e.faces = sees ? bit(seat_) : no_seats;
    return e;
}

// Where in the line this stands.
Span Reader::part(const std::string& text) const {
    const auto at = text.empty() ? std::string::npos : line_.text.find(text);
    if (at == std::string::npos) return line_.span;
    const std::size_t begin = line_.span.begin + at;
    return span_of(begin, begin + text.size(), line_.span.source);
}

// `text`: what is wrong, looked for in the line.
template <typename... Arguments>
Diagnostic& Reader::problem(CodeTaking<sizeof...(Arguments)> code, const std::string& text, Arguments&&... arguments) {
    return report(problems_, code, part(text), std::forward<Arguments>(arguments)...);
}

// A value that what the line is about does not have; `names` are those it has.
void Reader::unknown_value(const std::string& text, const std::vector<std::string>& names) {
    problem(Code::unknown_member, text, text, Text::value_of_name(line_.name)).help = did_you_mean(closest(text, names));
}

// What the maps have under this name; nothing, and a problem, when none has it.
template <typename Map>
typename Map::mapped_type Reader::look_up(const std::string& text, std::initializer_list<const Map*> maps) {
    const std::string name = nfc(text);
    std::vector<std::string> names;
    for (const Map* map : maps) {
        const auto found = map->find(name);
        if (found != map->end()) return found->second;
        for (const auto& [other, what] : *map) names.push_back(other);
    }
    problem(Code::unknown_name, text, text).help = did_you_mean(closest(text, names));
    return {};
}

std::optional<Values> Reader::seats(const std::vector<std::string>& texts) {
    Values all;
    for (const std::string& text : texts) {
        const auto seat = seat_of(text);
        if (!seat || *seat >= game_.players) return problem(Code::unknown_name, text, text), std::nullopt;
        all.push_back(*seat);
    }
    std::sort(all.begin(), all.end());
    return all;
}

// Whether the values are hidden: all of them or none.
std::optional<bool> Reader::hidden() {
    const auto n = std::count(line_.values.begin(), line_.values.end(), "?");
    if (n == 0) return false;
    if (n == static_cast<std::ptrdiff_t>(line_.values.size())) return true;
    problem(Code::line_not_read, "", Text::sees_all_faces);
    return std::nullopt;
}

// One of each candidates, in every way; their order means nothing, unless the line says so.
std::vector<Values> Reader::combined(const std::vector<Values>& candidates) {
    std::vector<Values> all{{}};
    for (const Values& next : candidates) {
        std::vector<Values> longer;
        for (const Values& begun : all) {
            for (const std::int32_t v : next) {
                Values with = begun;
                with.insert(line_.in_order ? with.end() : std::upper_bound(with.begin(), with.end(), v), v);
                if (std::find(longer.begin(), longer.end(), with) == longer.end()) longer.push_back(std::move(with));
            }
        }
        all = std::move(longer);
        if (all.size() <= reading_limit) continue;
        problem(Code::line_not_read, "", Text::too_many_meanings(reading_limit));
        return {};
    }
    return all;
}

// The pieces of the line, of kinds that can lie at the place.
std::vector<Values> Reader::pieces(PlaceId place, bool is_hidden) {
    if (is_hidden) return {Values(line_.values.size(), no_id)};
    std::vector<Values> candidates;
    for (const std::string& text : nothing() ? std::vector<std::string>{} : line_.values) {
        Values kinds = look_up(text, {&dictionary_.kinds});
        if (kinds.empty()) return {};
        const ZoneId zone = machine_.place_zone[place];
        std::erase_if(kinds, [&](KindId k) { return zone != no_id && !game_.zones[zone].families[game_.kinds[k].family]; });
        if (kinds.empty()) return problem(Code::family_does_not_fit, text, place_name(game_, place), text), std::vector<Values>{};
        candidates.push_back(std::move(kinds));
    }
    return combined(candidates);
}

// The event with whatever the values of the line can be in this type.
void Reader::with_values(Event e, const Type& type) {
    const bool many = type.base == Base::set || type.base == Base::cards;
    if (!many && line_.values.size() != 1) return void(problem(Code::line_not_read, "", Text::has_one_value(line_.name)));
    std::vector<Values> candidates;
    for (const std::string& text : many&& nothing() ? std::vector<std::string>{} : line_.values) {
        candidates.push_back(dictionary_.values(text, element_type(type)));
        if (candidates.back().empty()) return unknown_value(text, dictionary_.names_of_values(element_type(type)));
    }
    for (Values& values : combined(candidates)) {
        if (e.kind == EventKind::becomes && !many)
            e.value = values.front();
        else
            e.values = std::move(values);
        all_.push_back(e);
    }
}

void Reader::answer(WordId word) {
    Event e = event(EventKind::answer);
    e.name = word;
    Type yes_or_no;
    yes_or_no.base = Base::truth;
    const Values values = line_.values.size() == 1 ? dictionary_.values(line_.values[0], yes_or_no) : Values{};
    if (values.empty()) return unknown_value(line_.values[0], {"yes", "no"});
    e.value = values.front();
    all_.push_back(std::move(e));
}

// A choice, said aloud or not, or the answer to an offer.
void Reader::choice() {
    const bool aloud = line_.kind == LineKind::names;
    const Found& variables = aloud ? dictionary_.named : dictionary_.chosen;
    const Found& words = aloud ? Found{} : dictionary_.offered;
    const std::string name = nfc(line_.name);
    const auto is_hidden = hidden();
    if (!is_hidden) return;
    if (!variables.contains(name) && !words.contains(name)) return void(look_up(line_.name, {&variables, &words}));
    if (words.contains(name))
        for (const WordId word : words.at(name)) answer(word);
    if (!variables.contains(name)) return;
    for (const VariableId variable : variables.at(name)) {
        Event e = event(EventKind::choice, !*is_hidden);
        e.name = machine_.told_as[variable];
        e.aloud = aloud;
        e.values = {no_id};
        if (*is_hidden)
            all_.push_back(std::move(e));
        else
            with_values(std::move(e), game_.variables[variable].type);
    }
}

// Cards dealt or moved.
void Reader::cards() {
    const auto from = look_up(line_.from, {&dictionary_.places});
    const auto to = look_up(line_.to, {&dictionary_.places});
    const auto is_hidden = hidden();
    if (!is_hidden) return;
    Event e = event(line_.kind == LineKind::draw ? EventKind::draw : EventKind::move, !*is_hidden);
    if (line_.in_order && !*is_hidden) e.value = e.audience;
    for (const PlaceId a : from) {
        for (const PlaceId b : to) {
            e.from = a;
            e.to = b;
            for (Values& what : pieces(b, *is_hidden)) {
                e.pieces = std::move(what);
                all_.push_back(e);
            }
        }
    }
}

void Reader::show() {
    const auto from = look_up(line_.from, {&dictionary_.places});
    const auto is_hidden = hidden();
    const auto to = line_.to == "all" || line_.to.empty() ? Values{} : seats(split(line_.to, ',')).value_or(Values{-1});
    if (!is_hidden || to == Values{-1}) return;
    Event e = event(EventKind::shows, !*is_hidden);
    e.value = line_.to == "all" ? (1 << game_.players) - 1 : 0;
    for (const std::int32_t seat : to) e.value |= 1 << seat;
    for (const PlaceId place : from) {
        e.from = place;
        for (Values& what : pieces(place, *is_hidden)) {
            e.pieces = std::move(what);
            all_.push_back(e);
        }
    }
}

void Reader::told(EventKind kind, const Found& variables) {
    for (const VariableId variable : look_up(line_.name, {&variables})) {
        Event e = event(kind);
        e.seat = std::max(line_.seat, -1);
        e.name = machine_.told_as[variable];
        with_values(std::move(e), game_.variables[variable].type);
    }
}

// A line that only names something.
void Reader::named(EventKind kind, const Found& things) {
    for (const Operand thing : look_up(line_.name, {&things})) {
        Event e = event(kind);
        e.name = kind == EventKind::choice ? Operand(machine_.told_as[VariableId(thing)]) : thing;
        e.optional_no = kind == EventKind::choice;
        all_.push_back(std::move(e));
    }
}

void Reader::shuffle() {
    for (const PlaceId place : look_up(line_.name, {&dictionary_.places})) {
        Event e = event(EventKind::shuffle, false);  // a shuffle has no faces
        e.from = place;
        all_.push_back(std::move(e));
    }
}

void Reader::acts() {
    const auto who = seats(line_.values);
    const auto acts = look_up(line_.name, {&dictionary_.acts});
    if (!who) return;
    for (const ActId act : acts) {
        Event e = event(EventKind::acts);
        e.name = act;
        e.values = *who;
        all_.push_back(std::move(e));
    }
}

void Reader::fact() {
    for (const auto& [fact, index] : look_up(line_.name, {&dictionary_.facts})) {
        Event e = event(EventKind::becomes);
        e.name = fact;
        e.index = index;
        with_values(std::move(e), game_.facts[fact].type);
    }
}

Events Reader::read() {
    if (line_.seat >= game_.players) return problem(Code::unknown_name, seat_name(line_.seat), seat_name(line_.seat)), Events{};
    switch (line_.kind) {
        case LineKind::choice:
        case LineKind::names:
            choice();
            break;
        case LineKind::no:
            named(EventKind::choice, dictionary_.declined);
            break;
        case LineKind::draw:
        case LineKind::move:
            cards();
            break;
        case LineKind::report:
            told(EventKind::report, dictionary_.told);
            break;
        case LineKind::lot:
            told(EventKind::lot, dictionary_.lots);
            break;
        case LineKind::acts:
            acts();
            break;
        case LineKind::says:
            named(EventKind::says, dictionary_.said);
            break;
        case LineKind::show:
            show();
            break;
        case LineKind::now:
            break;
        case LineKind::shuffle:
            shuffle();
            break;
        case LineKind::end:
            named(EventKind::ended, dictionary_.ends);
            break;
        case LineKind::fact:
            fact();
            break;
    }
    Events different;  // of two variables the same may be told
    for (Event& e : all_)
        if (std::find(different.begin(), different.end(), e) == different.end()) different.push_back(std::move(e));
    if (different.size() <= reading_limit) return different;
    problem(Code::line_not_read, "", Text::too_many_meanings(reading_limit));
    return {};
}

}  // namespace

std::optional<View> read_view(const Sources& sources, std::size_t index, const LogHead& head, const Machine& machine,
                              Diagnostics& diagnostics, const Stop* stop) {
    const Span beginning = span_of(0, 0, index);
    if (head.view < 0) {
        report(diagnostics, Code::missing_declaration, beginning, verbatim("view")).help = Text::view_says_whose;
        return std::nullopt;
    }
    if (machine.game.players != head.players || head.view >= head.players)
        return report(diagnostics, Code::wrong_player_count, beginning, machine.game.players, head.players), std::nullopt;
    Diagnostics found;
    std::vector<Line> lines = read_lines(sources, index, head.body, found, stop);
    if (is_cut_off(lines, stop)) return std::nullopt;
    const Dictionary dictionary(machine);
    View view{head, head.view, {}, {}, {}};
    if (!lines.empty() && lines.back().kind == LineKind::now) {
        view.head.question = read_question(machine, lines.back().name, seat_name(view.seat));
        if (!view.head.question) report(found, Code::line_not_read, lines.back().span, Text::expected_question);
    }
    std::erase_if(lines, [](const Line& line) { return line.kind == LineKind::now; });  // one before others was true then
    const auto add = [&](const Line& line) {
        Reader reader(machine, dictionary, view.seat, line);
        Events readings = reader.read();
        if (readings.empty()) return void(found.insert(found.end(), reader.problems().begin(), reader.problems().end()));
        view.events.push_back(std::move(readings.front()));
        readings.erase(readings.begin());
        view.others.push_back(std::move(readings));
        view.lines.push_back(line.span);
    };
    for (Line& line : lines) {
        if (view.lines.size() % lines_between_looks == lines_between_looks - 1 && over(stop)) return std::nullopt;
        if (line.kind != LineKind::draw) {
            add(line);
            continue;
        }
        for (const std::string& card : std::exchange(line.values, {})) {  // an event a card
            line.values = {card};
            add(line);
        }
    }
    const bool good = !has_errors(found);
    tidy(found);  // what several readings of a line have in common is said once
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    return good ? std::optional(std::move(view)) : std::nullopt;
}

}  // namespace houserule
