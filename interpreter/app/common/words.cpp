#include "interpreter/app/common/words.hpp"

#include "dsl/book/texts.hpp"
#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/glyphs.hpp"
#include "dsl/text/spaced.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/run/arrival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace houserule::cli {

namespace {

constexpr std::size_t by_suit_least = 4;           // of fewer cards each is named in full, unless it has a glyph
constexpr std::string_view hard_space = "\u00a0";  // where a line does not end

std::map<int, std::string>& names_of_seats() {
    static std::map<int, std::string> names;
    return names;
}

std::string separator(const Globals& g) { return say(g, Text::comma); }

std::string joined(const std::vector<std::string>& items, const Globals& g) {
    return items.empty() ? say(g, Text::nothing) : fmt::format("{}", fmt::join(items, separator(g)));
}

std::string owned(const std::string& owner, const std::string& name, const Globals& g) {
    return fmt::format("{}{}{}", owner, say(g, Text::possessive), name);
}

std::string of_enum(const Game& game, Operand of, std::int32_t index, const std::string& name, const Globals& g) {
    const std::string value = name_words(game, game.enums[of].values[index], g);
    return say(g, Text::of_value, value, name);
}

// Faces where they are seen, else how many.
std::string faces_words(const Game& game, const Event& e, bool seen, const Globals& g) {
    return seen ? cards_words(game, told_kinds(game, e), comes_in_order(game, e), g) : count_words(game, e, g);
}

// `P1's hand → pile`; of one owner: `P1: hand → table`.
std::string way_words(const Game& game, const Event& e, const Globals& g) {
    const Zone* const from = zone_of(game, e.from);
    const Zone* const to = zone_of(game, e.to);
    const bool players = from != nullptr && to != nullptr && from->by == IndexBy::player && to->by == IndexBy::player;
    if (!players || e.from - from->first_place != e.to - to->first_place)
        return fmt::format("{} → {}", place_words(game, e.from, g), place_words(game, e.to, g));
    return fmt::format("{}: {} → {}", seat_words(e.from - from->first_place), name_words(game, from->name, g),
                       name_words(game, to->name, g));
}

std::string becomes_words(const Game& game, const Event& e, const Globals& g) {
    const Fact& f = game.facts[e.name];
    const std::string value = f.type.base == Base::set ? values_words(game, f.type, e.values, g) : value_words(game, f.type, e.value, g);
    return fmt::format("{}: {}", fact_words(game, e.name, e.index, g), value);
}

std::string choice_words(const Game& game, const Event& e, bool seen, const Globals& g) {
    const std::string who = seat_words(e.seat);
    if (e.optional_no) return fmt::format("{}{}", who, say(g, Text::chooses_nothing));
    const Type& type = game.variables[e.name].type;
    const std::string what = seen ? values_words(game, type, e.values, g) : "?";
    return e.aloud ? say(g, Text::chooses_aloud, who, what) : say(g, Text::chooses, who, what);
}

// How the value of its first field is written at the beginning of a card's name: a suit, a colour. Empty where it is not.
std::string first_in_name(const Game& game, KindId kind, const Globals& g) {
    const PieceKind& k = game.kinds[kind];
    const Family& family = game.families[k.family];
    const bool is_written = k.name.empty() && family.fields.size() > 1 && family.fields[0].type.base == Base::enumeration;
    if (!is_written) return "";
    const std::string first = spaced(value_name(game, family.fields[0].type, k.values[0], code_of(g.language)));
    return kind_words(game, kind, g).starts_with(first) ? first : "";
}

// The glyph of that value, if the author gives one.
std::string glyph_of_first(const Game& game, KindId kind) {
    const PieceKind& k = game.kinds[kind];
    const Family& family = game.families[k.family];
    if (family.fields.empty() || family.fields[0].type.base != Base::enumeration || k.values[0] < 0) return "";
    const std::string& name = game.enums[family.fields[0].type.of].values[k.values[0]];
    for (const NamedText& l : game.labels)
        if (l.name == name && are_glyphs(l.language)) return l.text;
    return "";
}

}  // namespace

std::string told_words(const Game& game, const Event& e, const std::string& value, const Globals& g) {
    const std::string by = e.kind == EventKind::lot ? say(g, Text::by_lot) : say(g, Text::told_by_table);
    return fmt::format("{}: {} = {}", by, name_words(game, game.variables[e.name].name, g), value);
}

void call_seats(const std::map<int, std::string>& names) {
    names_of_seats().clear();
    for (const auto& [seat, name] : names) names_of_seats()[seat] = shown(name);  // a log may come from anybody
}

std::optional<TableNames> read_names(const std::string& text, const Globals& g) {
    TableNames table;
    for (const std::string& name : typed_parts(text)) {
        const bool me = is_among_words(name, Text::typed_for_me);
        const bool twice = std::ranges::any_of(table.names, [&](const auto& n) { return plain_form(n.second) == plain_form(name); });
        if (name.empty() || twice || (me && table.me >= 0) || name.find_first_of("#=\n\r\t?") != std::string::npos)
            return err(say(g, Text::no_names_of_seats, text)), std::nullopt;
        if (me)
            table.me = table.players;
        else
            table.names[table.players] = name;
        ++table.players;
    }
    return table;
}

std::string seat_words(int seat) {
    const auto named = names_of_seats().find(seat);
    return named == names_of_seats().end() ? fmt::format("P{}", seat + 1) : named->second;
}

std::string seats_words(Seats seats, const Globals& g) {
    std::vector<std::string> names;
    for (int p = 0; p < 16; ++p)
        if ((seats >> p & 1) != 0) names.push_back(seat_words(p));
    return fmt::format("{}", fmt::join(names, separator(g)));
}

std::string name_words(const Game& game, const std::string& name, const Globals& g) {
    const std::string text = label(game, name, code_of(g.language));
    return text == name ? spaced(text) : text;
}

std::string kind_words(const Game& game, KindId kind, const Globals& g) { return spaced(kind_text(game, kind, code_of(g.language))); }

std::string place_words(const Game& game, PlaceId place, const Globals& g) {
    const Zone* const z = zone_of(game, place);
    if (z == nullptr) return say(g, Text::outside);
    const std::string name = name_words(game, z->name, g);
    const std::int32_t index = place - z->first_place;
    if (z->by == IndexBy::nothing) return name;
    return z->by == IndexBy::player ? owned(seat_words(index), name, g) : of_enum(game, z->index_enum, index, name, g);
}

std::string fact_words(const Game& game, FactId fact, std::int32_t index, const Globals& g) {
    const Fact& f = game.facts[fact];
    const std::string name = name_words(game, f.name, g);
    if (f.by == IndexBy::player) return owned(seat_words(index), name, g);
    return f.by == IndexBy::enumeration ? of_enum(game, f.index_enum, index, name, g) : name;
}

Type element_of(const Type& type) {
    Type t = type;
    if (t.base == Base::set) {
        t.base = t.element;
        t.element = Base::nothing;
    }
    if (t.base == Base::cards || t.base == Base::card) t.base = Base::kind;
    return t;
}

std::string value_words(const Game& game, const Type& type, std::int32_t value, const Globals& g) {
    const Type t = element_of(type);
    if (t.base == Base::truth) return value != 0 ? say(g, Text::yes) : say(g, Text::no);
    if (t.base == Base::number ? value == no_number : value < 0) return t.base == Base::player ? say(g, Text::nobody) : say(g, Text::none);
    if (t.base == Base::kind) {
        const PlacedKind card = PlacedKind::of_value(value);
        const std::string kind = kind_words(game, card.kind, g);
        return card.place == no_id ? kind : fmt::format("{} ({})", kind, place_words(game, card.place, g));
    }
    if (t.base == Base::player) return seat_words(value);
    return spaced(value_name(game, t, value, code_of(g.language)));
}

std::string values_words(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Globals& g) {
    std::vector<std::string> texts;
    for (const std::int32_t v : values) texts.push_back(value_words(game, type, v, g));
    return joined(texts, g);
}

std::string cards_words(const Game& game, const std::vector<KindId>& kinds, bool ordered, const Globals& g) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < kinds.size();) {
        std::size_t same = 1;
        while (!ordered && i + same < kinds.size() && kinds[i + same] == kinds[i]) ++same;
        texts.push_back(kind_words(game, kinds[i], g) + (same > 1 ? fmt::format(" ×{}", same) : ""));
        i += same;
    }
    return joined(texts, g);
}

std::string hand_words(const Game& game, const std::vector<KindId>& kinds, const Globals& g) {
    const bool by_glyph = std::ranges::any_of(kinds, [&](KindId kind) { return !glyph_of_first(game, kind).empty(); });
    if (kinds.size() < by_suit_least && !by_glyph) return cards_words(game, kinds, false, g);
    std::vector<std::string> groups;
    std::string head;
    for (std::size_t i = 0; i < kinds.size();) {
        const std::string name = kind_words(game, kinds[i], g);
        const std::string suit = first_in_name(game, kinds[i], g);
        const std::string glyph = glyph_of_first(game, kinds[i]);
        if (suit.empty() && !by_glyph) return cards_words(game, kinds, false, g);
        std::size_t same = 1;
        while (i + same < kinds.size() && kinds[i + same] == kinds[i]) ++same;
        i += same;
        const std::size_t written = suit.size() + (name.compare(suit.size(), 1, " ") == 0 ? 1 : 0);
        const std::string own = by_glyph ? glyph.empty() || suit.empty() ? "" : glyph + std::string(hard_space) : name.substr(0, written);
        const std::string rest = (own.empty() ? name : name.substr(written)) + (same > 1 ? fmt::format(" ×{}", same) : "");
        if (own != head || own.empty() || groups.empty())
            groups.push_back(own + rest);
        else
            groups.back() += (by_glyph ? std::string(hard_space) : separator(g)) + rest;
        head = own;
    }
    return fmt::format("{}", fmt::join(groups, by_glyph ? "  " : say(g, Text::semicolon)));
}

namespace {

bool has_glyph(const Game& game, std::int32_t value, const Globals& g) {
    const PlacedKind card = PlacedKind::of_value(value);
    return value >= 0 && card.place == no_id && hand_words(game, {card.kind}, g) != kind_words(game, card.kind, g);
}

}  // namespace

std::string offered_words(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Globals& g) {
    const bool by_glyph = element_of(type).base == Base::kind && !values.empty() &&
                          std::ranges::all_of(values, [&](std::int32_t value) { return has_glyph(game, value, g); });
    return by_glyph ? hand_words(game, {values.begin(), values.end()}, g) : values_words(game, type, values, g);
}

std::string with_glyphs(std::string text, const Game& game, bool colored) {
    for (std::size_t at = 0; (at = text.find(hard_space, at)) != std::string::npos;) text.replace(at, hard_space.size(), " ");
    if (!colored) return text;
    std::map<std::string, std::size_t> colors;  // by glyph
    for (const NamedText& l : game.labels)
        for (std::size_t c = 0; c < glyph_colors.size(); ++c)
            if (l.language == std::string(colored_glyph_labels) + std::string(glyph_colors[c])) colors[l.text] = c;
    for (const auto& [glyph, color] : colors) {
        const std::string shown = fmt::format("\033[3{}m{}\033[39m", color + 1, glyph);
        for (std::size_t at = 0; !glyph.empty() && (at = text.find(glyph, at)) != std::string::npos; at += shown.size())
            text.replace(at, glyph.size(), shown);
    }
    return text;
}

std::string example_card(const Game& game, const Globals& g, KindId kind) {
    return game.kinds.empty() ? say(g, Text::a_card) : kind_words(game, kind, g);
}

std::string shown_cards(const Game& game, const std::vector<KindId>& kinds, const Globals& g) {
    return with_glyphs(hand_words(game, kinds, g), game, false);
}

bool are_pieces(const Game& game, FamilyId family) {
    return family != no_id ? game.families[family].of_pieces
                           : !game.families.empty() && std::ranges::all_of(game.families, &Family::of_pieces);
}

bool are_pieces_at(const Game& game, PlaceId place) {
    const Zone* const zone = place > 0 ? zone_of(game, place) : nullptr;
    if (zone == nullptr) return are_pieces(game, FamilyId(no_id));
    for (const FamilyId f : game.families.ids())
        if (zone->families[f] && !game.families[f].of_pieces) return false;
    return true;
}

std::string count_words(const Game& game, std::size_t cards, PlaceId place, const Globals& g) {
    if (are_pieces_at(game, place)) {
        const std::string number = BookText::so_many_pieces(cards).in(g.language);
        const auto noun = cards == 1 ? BookText::piece : BookText::some_pieces;
        return g.language == Language::en ? fmt::format("{} {}", number, noun.in(g.language)) : number;
    }
    return cards == 1 ? say(g, Text::one_card) : say(g, Text::several_cards, cards);
}

std::string count_words(const Game& game, const Event& e, const Globals& g) {
    return count_words(game, e.pieces.size(), e.from > 0 ? e.from : e.to, g);
}

bool all_see(Seats seats, Seats viewers) { return (viewers & ~seats) == 0; }

std::string event_words(const Machine& machine, const Event& e, Seats viewers, const Globals& g) {
    if (!all_see(e.audience, viewers)) return "";
    const Game& game = machine.game;
    if (e.kind == EventKind::becomes && game.facts[e.name].shown == Shown::never) return "";
    const bool seen = all_see(e.faces, viewers);
    const auto word = [&] { return name_words(game, game.words[e.name], g); };
    switch (e.kind) {
        case EventKind::choice:
            return choice_words(game, e, seen, g);
        case EventKind::answer:
            return fmt::format("{}: {}{}{}", seat_words(e.seat), word(), say(g, Text::dash),
                               e.value != 0 ? say(g, Text::yes) : say(g, Text::no));
        case EventKind::draw:
        case EventKind::move:
            if (e.from == e.to) return say(g, Text::moves_within, place_words(game, e.to, g), faces_words(game, e, seen, g));
            return fmt::format("{}: {}", way_words(game, e, g), faces_words(game, e, seen, g));
        case EventKind::report:
        case EventKind::lot:
            return told_words(game, e, values_words(game, game.variables[e.name].type, e.values, g), g);
        case EventKind::acts: {
            Seats who = 0;
            for (const std::int32_t p : e.values) who |= seat_bit(p);
            return fmt::format("{}: {}", seats_words(who, g), name_words(game, game.acts[e.name].name, g));
        }
        case EventKind::becomes:
            return becomes_words(game, e, g);
        case EventKind::says:
            return say(g, Text::says_word, seat_words(e.seat), word());
        case EventKind::shows: {
            const Seats to = e.value;
            const std::string whom = to == (1U << game.players) - 1 ? say(g, Text::all_seats) : seats_words(to, g);
            return say(g, Text::is_shown, place_words(game, e.from, g), whom, faces_words(game, e, seen, g));
        }
        case EventKind::shuffle:
            return say(g, Text::is_shuffled, place_words(game, e.from, g));
        case EventKind::ended:
            return say(g, Text::end_event, name_words(game, game.ends[e.name].name, g));
        case EventKind::begins:
        case EventKind::all_chose:
            return "";
    }
    return "";
}

namespace {

bool same_deal(const Event& a, const Event& b) {
    return a.kind == EventKind::draw && b.kind == EventKind::draw && a.from == b.from && a.to == b.to && a.step == b.step;
}

// The next event from `i` on that the viewers are told, whatever happened in between that they do not notice: also a rule that began. Where
// one began in which the event happens, it is that one.
std::size_t next_told(const Events& events, std::size_t i, Seats viewers) {
    if (viewers == 0) return i;
    const auto hidden = [&](const Event& e) { return (e.audience & viewers) == 0; };
    std::size_t next = i;
    while (next < events.size() && (events[next].kind == EventKind::begins || hidden(events[next]))) ++next;
    if (next == events.size()) return next;
    for (std::size_t k = i; k < next; ++k)
        if (events[k].kind == EventKind::begins && RuleId(events[k].name) == events[next].rule) return k;
    return next;
}

}  // namespace

Events as_told(const Events& events, std::size_t from, Seats viewers) {
    const std::size_t known = settled(events);
    Events told;
    for (std::size_t i = from; i < events.size();) {
        Event e = events[i++];
        if (e.kind == EventKind::all_chose) continue;
        if (i > known && viewers != 0 && viewers != (1U << e.seat)) continue;
        while (e.kind == EventKind::draw) {
            const std::size_t next = next_told(events, i, viewers);
            if (next == events.size() || !same_deal(e, events[next])) break;
            e.pieces.push_back(events[next].pieces.front());
            i = next + 1;
        }
        if (e.kind != EventKind::draw && (e.kind != EventKind::move || e.value == 0)) std::sort(e.pieces.begin(), e.pieces.end());
        told.push_back(std::move(e));
    }
    return told;
}

std::set<std::string> names_in_languages(const Game& game, const std::string& name) {
    std::set<std::string> names{plain_form(name)};
    for (const NamedText& l : game.labels)
        if (l.name == name) names.insert(plain_form(l.text));
    return names;
}

std::string rule_words(const Machine& machine, RuleId rule, int seat, const Globals& g) {
    const std::string name = name_words(machine.game, machine.game.rules[rule].name, g);
    return seat < 0 ? name : fmt::format("{} {}", name, seat_words(seat));
}

std::string with_text_once(const Game& game, RuleId rule, const std::string& heading, std::set<std::string>& explained, const Globals& g) {
    const std::string& name = game.rules[rule].name;
    const std::string text = rule_text(game, name, code_of(g.language));
    const bool is_new = explained.insert(name).second && !text.empty();
    return is_new ? heading + say(g, Text::colon) + text : bold(heading, g);
}

namespace {

bool is_hidden(const Game& game, const Expression& x) {
    switch (x.op) {
        case Operator::place:
        case Operator::cards_of:
            return game.zones[ZoneId(x.named())].seers != Seers::all;
        case Operator::fact:
        case Operator::set_fact:
            return game.facts[FactId(x.named())].seers != Seers::all;
        case Operator::cards_family:
        case Operator::cards_unplaced:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::string scores_title(const Game& game, const Globals& g) {
    const std::string own = label(game, "score", code_of(g.language));
    return own == "score" ? say(g, Text::scores) : capital(own, g);
}

bool is_open(const Game& game, ExpressionId expression) {
    return !any_read(game, expression, [&](const Expression& x) { return is_hidden(game, x); });
}

bool is_result_open(const Game& game) {
    return is_open(game, game.score) && is_open(game, game.payoff) && is_open(game, game.winner.set) &&
           std::ranges::all_of(game.winner.keys, [&](const WinnerKey& key) { return is_open(game, key.expression); });
}

std::string result_words(Run& run, Random& lots, const Globals& g, int you) {
    const Game& game = run.machine().game;
    std::string text;
    if (const EndId end = run.ended(); end != no_id) {
        const std::string& name = game.ends[end].name;
        const std::string about = rule_text(game, name, code_of(g.language));
        text += about.empty() ? fmt::format("{}: {}\n", say(g, Text::end_title), name_words(game, name, g))
                              : say(g, Text::end_and_its_text, say(g, Text::end_title), name_words(game, name, g), about);
    } else {
        text += say(g, Text::game_was_played_to_end);
    }
    const auto called = [&](std::size_t p) { return std::cmp_equal(p, you) ? say(g, Text::told_you) : seat_words(p); };
    const auto line = [&](const std::string& title, ExpressionId e, const std::vector<std::int32_t>& values) {
        if (values.empty() || e == no_id) return;
        if (e == game.score && game.common_score) {
            text += fmt::format("{}: {}\n", say(g, Text::common_score), value_words(game, game.expressions[e].type, values.front(), g));
            return;
        }
        std::vector<std::string> items;
        for (std::size_t p = 0; p < values.size(); ++p)
            items.push_back(fmt::format("{} {}", called(p), value_words(game, game.expressions[e].type, values[p], g)));
        text += fmt::format("{}: {}\n", title, fmt::join(items, separator(g)));
    };
    const std::vector<std::int32_t> scores = run.scores();
    const std::vector<std::int32_t> payoffs = run.payoffs();
    Seats winners = 0;
    for (const std::int32_t p : run.winners(lots)) winners |= seat_bit(p);
    if (run.failure().kind != FailureKind::none)
        return text + fmt::format("{}: {}\n", say(g, Text::broken_promise), houserule::text(game, run.failure(), g.language));
    line(scores_title(game, g), game.score, scores);
    line(say(g, Text::payoffs), game.payoff, payoffs);
    if (game.winner.together) return text + say(g, winners == 0 ? Text::all_lose : Text::all_win);
    if (winners == 0) return text + say(g, Text::nobody_wins);
    if (you >= 0 && winners == seat_bit(you)) return text + say(g, Text::you_win);
    const Seats others = you >= 0 ? winners & ~seat_bit(you) : winners;
    if (others != winners) return text + say(g, Text::you_win_with, seats_words(others, g));
    return text +
           fmt::format("{}: {}\n", (winners & (winners - 1)) == 0 ? say(g, Text::winner) : say(g, Text::winners), seats_words(winners, g));
}

std::vector<WordId> words_said(const Game& game, StatementId statement) {
    if (statement == no_id) return {};
    if (const auto* says = game.statements[statement].as<statement::Says>()) return {says->word};
    std::vector<WordId> words;
    if (const auto* block = game.statements[statement].as<statement::Block>())
        for (const StatementId item : block->items) {
            const std::vector<WordId> said = words_said(game, item);
            words.insert(words.end(), said.begin(), said.end());
        }
    return words;
}

}  // namespace houserule::cli
