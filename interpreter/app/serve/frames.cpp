#include "interpreter/app/serve/frames.hpp"

#include "dsl/book/book.hpp"
#include "dsl/check/check.hpp"
#include "dsl/game/names.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/glyphs.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/drawing/drawing.hpp"
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/app/knowing/knowledge.hpp"
#include "interpreter/app/play/choices.hpp"
#include "interpreter/app/play/deciding_moves.hpp"

#include <algorithm>
#include <map>

namespace houserule::cli {

namespace {

constexpr std::uint64_t listed_options = 2'000;  // moves that are listed one by one; of sets fewer
constexpr std::uint64_t listed_sets = 12;
constexpr std::size_t listed_values = 200;       // of an option
constexpr int drawing_most = 20;                 // seconds
constexpr int reasons_percent = 40;              // of the time for reasons and moves, until reasons are found
constexpr std::uint64_t gathered_moves = 8'192;  // moves whose elements are gathered

Json name_frame(const Game& game, const std::string& name) {
    return in_each([&](const Globals& g) { return name_words(game, name, g); });
}

Json text_frame(const Game& game, const std::string& name) {
    return in_each([&](const Globals& g) { return rule_text(game, name, code_of(g.language)); });
}

// The author's glyph for a name, and its colour if it has one.
void add_glyph(const Game& game, const std::string& name, Json& frame) {
    const auto label = std::ranges::find_if(game.labels, [&](const NamedText& l) { return l.name == name && are_glyphs(l.language); });
    if (label == game.labels.end()) return;
    frame["g"] = label->text;
    if (label->language != glyph_labels) frame["c"] = label->language.substr(colored_glyph_labels.size());
}

// The values of a card's fields that can stand on its face, with the number of the first that is one of an enumeration: its pattern.
Json kind_frame(const Game& game, KindId id) {
    const PieceKind& kind = game.kinds[id];
    Json frame{{"n", in_each([&](const Globals& g) { return kind_words(game, id, g); })}, {"f", kind.family.value()}};
    const Family& family = game.families[kind.family];
    // Of a card that is nothing but several numbers none stands for it.
    const bool are_all_numbers = kind.name.empty() && family.fields.size() > 1 &&
                                 std::ranges::all_of(family.fields, [](const Field& f) { return f.type.base == Base::number; });
    for (std::size_t i = 0; i < family.fields.size() && i < kind.values.size(); ++i) {
        const Field& field = family.fields[i];
        const std::int32_t value = kind.values[i];
        if (value == unset_value || is_none(field.type, value)) continue;
        if (field.type.base == Base::enumeration && !frame.contains("p")) {
            frame["p"] = value;
            frame["e"] = in_each([&](const Globals& g) { return value_words(game, field.type, value, g); });
            add_glyph(game, game.enums[field.type.of].values[value], frame);
        }
        if (field.type.base != Base::number || frame.contains("i") || are_all_numbers) continue;
        const auto named = field.value_names.find(value);
        frame["i"] = named != field.value_names.end() ? named->second : value_name(game, field.type, value);
    }
    if (!frame.contains("g")) add_glyph(game, kind.name, frame);
    return frame;
}

const char* shape_name(Shape shape) {
    switch (shape) {
        case Shape::set:
            return "set";
        case Shape::row:
            return "row";
        case Shape::stack:
            return "stack";
        case Shape::one:
            return "one";
    }
    return "set";
}

Json place_frame(const Game& game, PlaceId place) {
    const Zone& zone = *zone_of(game, place);
    Json frame{{"n", in_each([&](const Globals& g) { return place_words(game, place, g); })}, {"owner", owner_of(game, place)}};
    frame["shape"] = shape_name(zone.shape);
    if (owner_of(game, place) >= 0 && zone.seers == Seers::owner) frame["hand"] = true;
    if (are_pieces_at(game, place)) frame["pieces"] = true;
    frame["short"] = owner_of(game, place) >= 0 ? name_frame(game, zone.name) : frame["n"];
    return frame;
}

const Step& step_of(const Run& run) { return run.machine().code[run.node().step]; }

bool is_set_choice(const Run& run) { return run.node().kind == NodeKind::choose && (step_of(run).mode & choice_many) != 0; }

// A value that can be chosen, with the card and the place of it where it is one.
Json value_frame(const Game& game, const Type& type, std::int32_t value) {
    Json frame{{"n", in_each([&](const Globals& g) { return value_words(game, type, value, g); })}};
    if (element_of(type).base != Base::kind || value < 0) return frame;
    const PlacedKind card = PlacedKind::of_value(value);
    frame["k"] = card.kind;
    if (card.place != no_id) frame["at"] = card.place;
    return frame;
}

Json options_frame(const Run& run, const Type& type) {
    const Game& game = run.machine().game;
    Json options = Json::array();
    const std::vector<bool> deciding = deciding_choices(run);
    for (std::uint64_t m = 0; m < std::min(run.node().moves, listed_options); ++m) {
        const std::vector<std::int32_t> values = run.meaning(m).values;
        Json option = values.size() == 1 && !is_set_choice(run)
                          ? value_frame(game, type, values[0])
                          : Json{{"n", in_each([&](const Globals& g) { return values_words(game, type, values, g); })}};
        option["m"] = m;
        if (m < deciding.size() && deciding[m]) option["decides"] = true;
        options.push_back(std::move(option));
    }
    // Yes stands before no, as where one is only asked for consent.
    if (type.base == Base::truth) std::ranges::reverse(options);
    return options;
}

Json yes_and_no(const Run& run) {
    Json both = Json::array({Json{{"m", 1U}, {"n", in_each([](const Globals& g) { return say(g, Text::yes); })}},
                             Json{{"m", 0U}, {"n", in_each([](const Globals& g) { return say(g, Text::no); })}}});
    for (Json& answer : both)
        if (may_decide(run, answer["m"].get<std::uint64_t>())) answer["decides"] = true;
    return both;
}

// Of each value how many of it a move holds at most. Where there are too many moves to look at: every value of the type.
std::map<std::int32_t, std::size_t> elements_of(const Run& run, const Type& type) {
    const Game& game = run.machine().game;
    std::map<std::int32_t, std::size_t> most;
    if (run.node().moves <= gathered_moves) {
        for (std::uint64_t m = 0; m < run.node().moves; ++m) {
            std::map<std::int32_t, std::size_t> here;
            for (const std::int32_t v : run.meaning(m).values) most[v] = std::max(most[v], ++here[v]);
        }
        return most;
    }
    const Type t = element_of(type);
    for (std::int32_t k = 0; t.base == Base::kind && k < game.kind_count(); ++k) {
        const PieceKind& kind = game.kinds[k];
        if (t.of == no_id || t.of == kind.family) most[k] = kind.copies;
    }
    for (std::int32_t v = t.low; t.base != Base::kind && v <= t.high; ++v) most[v] = 1;
    return most;
}

Json several_frame(Run& run, const Type& type) {
    Json frame{{"low", run.scalar(step_of(run).z)}, {"high", run.scalar(step_of(run).w)}, {"values", Json::array()}};
    for (const auto& [value, most] : elements_of(run, type)) {
        Json v = value_frame(run.machine().game, type, value);
        v["v"] = value;
        v["most"] = most;
        frame["values"].push_back(std::move(v));
    }
    return frame;
}

Json items_frame(const std::vector<Item>& items) {
    Json frame = Json::array();
    for (const Item& item : items) {
        Json one{{"t", item.text}};
        if (!item.items.empty()) one["items"] = items_frame(item.items);
        frame.push_back(std::move(one));
    }
    return frame;
}

Json block_frame(const Block& block) {
    switch (block.kind) {
        case BlockKind::heading:
            return {{"level", block.level}, {"t", block.text}};
        case BlockKind::paragraph:
            return {{"t", block.text}};
        case BlockKind::list:
        case BlockKind::steps:
            return {{"items", items_frame(block.items)}};
        case BlockKind::cards:
        case BlockKind::example:
            return {};  // drawn on paper
        case BlockKind::table:
            return {{"rows", block.rows}};
    }
    return {};
}

Json titled(const Phrase& title, Json rows, const std::string& more, const Globals& g) {
    Json frame{{"title", title.in(g.language)}, {"rows", std::move(rows)}};
    if (!more.empty()) frame["more"] = more;
    return frame;
}

Json words_frame(const Hint& hint) {
    const Globals& g = hint.g;
    const HintParts parts = parts_of(hint);
    Json frame{{"method", parts.until.empty() ? parts.method : parts.until + " " + parts.method}, {"known", parts.known}};
    Json rows = Json::array();
    for (const auto& part : parts.ruled_out) rows.push_back({part.of, part.values, part.why});
    if (!rows.empty()) frame["out"] = titled(Text::ruled_out_things, std::move(rows), parts.more_ruled_out, g);
    rows = Json::array();
    for (const auto& move : parts.moves) rows.push_back({move.names, move.knows, move.others, move.brings});
    if (!rows.empty()) {
        frame["moves"] = titled(Text::hint_moves, std::move(rows), parts.more_moves, g);
        frame["moves"]["heads"] = {say(g, Text::hint_you_know), say(g, Text::hint_others_know), say(g, Text::hint_may_bring)};
        frame["moves"]["advice"] = parts.advice;
    }
    if (!parts.not_found_out.empty()) frame["open"] = titled(Text::not_found_out, parts.not_found_out, "", g);
    return frame;
}

}  // namespace

Json in_each(const std::function<Json(const Globals&)>& text) {
    Json all = Json::array();
    for (const Language language : all_languages) all.push_back(text(Globals{language, false}));
    return all;
}

Json names_frame(const Game& game) {
    Json frame{{"t", "game"}, {"name", name_frame(game, game.name)}, {"text", text_frame(game, game.name)}, {"players", game.players}};
    frame["clockwise"] = game.clockwise;
    frame["kinds"] = Json::array();
    for (std::int32_t k = 0; k < game.kind_count(); ++k) frame["kinds"].push_back(kind_frame(game, KindId(k)));
    frame["places"] = Json::array({nullptr});
    for (PlaceId p = 1; p < game.places; ++p) frame["places"].push_back(place_frame(game, p));
    frame["acts"] = Json::array();
    for (const ActId a : game.acts.ids()) {
        frame["acts"].push_back({{"n", name_frame(game, game.acts[a].name)}, {"text", text_frame(game, game.acts[a].name)}});
        if (may_decide(game, a)) frame["acts"].back()["decides"] = true;
    }
    return frame;
}

Json setup_frame(const Loaded& rules, const Game& game) {
    const PlayerRange range = player_range(rules.syntax);
    Json frame{{"low", range.low}, {"high", range.high}, {"offers", Json::array()}};
    const auto value_frame = [&](const std::string& value) {
        if (value != "yes" && value != "no") return name_frame(game, value);
        return in_each([&](const Globals& g) { return say(g, value == "yes" ? Text::yes : Text::no); });
    };
    for (const Offer& offer : offers(rules.syntax)) {
        const auto now = std::ranges::find(game.options, offer.name, &OptionValue::name);
        if (now == game.options.end() || offer.values.size() < 2 || offer.values.size() > listed_values) continue;
        Json text = text_frame(game, offer.name);
        if (text[0] == "") text = in_each([&](const Globals&) { return offer.text; });
        Json values = Json::array();
        std::vector<std::string> sorted = offer.values;
        const auto is_number = [](const std::string& v) { return v.find_first_not_of("0123456789") == std::string::npos; };
        if (std::ranges::all_of(sorted, is_number)) std::ranges::sort(sorted, {}, [](const std::string& v) { return std::stoi(v); });
        for (const std::string& v : sorted) values.push_back({{"v", v}, {"n", value_frame(v)}});
        frame["offers"].push_back({{"id", offer.name}, {"n", name_frame(game, offer.name)}, {"now", now->value}});
        frame["offers"].back().update({{"text", std::move(text)}, {"values", std::move(values)}});
    }
    return frame;
}

std::vector<Json> lines_of(const Machine& machine, const Events& noticed, int viewer) {
    std::vector<Json> lines;
    const Seats bit = bit_of(viewer);
    for (const Event& e : as_told(noticed, 0, bit)) {
        Json words = in_each([&](const Globals& g) { return told_event(machine, e, {bit}, g); });
        if (words[0] != "") lines.push_back(std::move(words));
    }
    return lines;
}

Json table_frame(const Machine& machine, const SeatTable& table) {
    const Game& game = machine.game;
    Json frame{{"places", Json::array()}, {"facts", Json::array()}};
    for (PlaceId p = 1; p < game.places; ++p) {
        const SeatTable::Place& place = table.at(p);
        if (place.kinds.empty()) continue;
        frame["places"].push_back(place.seen ? Json{{"p", p}, {"k", place.kinds}} : Json{{"p", p}, {"c", place.kinds.size()}});
    }
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            const SeatTable::Value& value = table.fact(f, i);
            if (!value.seen || !table.is_shown(f, i)) continue;
            const bool owned = fact.by == IndexBy::player;
            const std::int32_t index = fact.by == IndexBy::nothing ? -1 : i;
            frame["facts"].push_back(
                {{"owner", owned ? i : -1},
                 {"n", in_each([&](const Globals& g) { return owned ? name_words(game, fact.name, g) : fact_words(game, f, index, g); })},
                 {"v", in_each([&](const Globals& g) { return values_words(game, fact.type, value.values, g); })}});
        }
    }
    return frame;
}

Json hint_frame(const std::shared_ptr<const Machine>& machine, int seat, const Events& noticed, const std::optional<SeatQuestion>& question,
                bool whole, const Stop& stop, std::chrono::milliseconds most) {
    DeductionLimits limits;
    limits.time = most;
    limits.stop = &stop;
    LogHead head = head_of(*machine, std::nullopt);
    head.question = question;
    Seen seen = seen_at_table(machine, View{std::move(head), seat, noticed, {}, {}});
    const Deduced deduced = deduced_from(seen, limits, Deadline::in(most, &stop), Globals{});
    Deduction& deduction = *deduced.deduction;
    deduction.finish_by(std::nullopt);
    if (deduced.fit != Fit::fits)
        return in_each([&](const Globals& g) {
            return Json{{"method", ""},
                        {"known", Json::array()},
                        {"open", titled(Text::not_found_out, Json::array({text(deduction.limit(), g.language)}), "", g)}};
        });
    HintArgs args;
    args.all = whole;
    args.give_away = true;
    args.time_s = std::chrono::duration<double>(most).count();
    const auto hit = [&](const Globals& g) {
        std::vector<std::string> all = not_found_out(deduction, false, g);
        if (seen.cut) all.insert(all.begin(), seen.not_followed(g));
        return all;
    };
    const Globals first{all_languages.front(), false};
    const std::vector<std::string> limits_hit = hit(first);
    const Deadline until = Deadline::in(most, &stop);
    const Hint hint = hint_of(seen, deduction, args, limits_hit, until.part(reasons_percent), until, first);
    return in_each([&](const Globals& g) { return words_frame(in_language(hint, hit(g), g)); });
}

Json question_frame(Run& run) {
    const Game& game = run.machine().game;
    const Node& node = run.node();
    Json frame{{"prompt", in_each([&](const Globals& g) { return choices_at(run, {}, g).question; })}};
    if (const RuleId rule = step_of(run).rule; rule != no_id) {
        frame["rule"] = name_frame(game, game.rules[rule].name);
        frame["text"] = text_frame(game, game.rules[rule].name);
    }
    if (node.kind == NodeKind::consent || node.kind == NodeKind::ask) return frame["options"] = yes_and_no(run), frame;
    const Type& type = game.variables[step_of(run).a].type;
    if (is_set_choice(run) && node.moves > listed_sets)
        frame["several"] = several_frame(run, type);
    else
        frame["options"] = options_frame(run, type);
    return frame;
}

std::optional<std::uint64_t> move_in(const Json& message, const Run& run) {
    const std::uint64_t moves = run.node().moves;
    if (const auto m = message.find("m"); m != message.end() && m->is_number_unsigned()) {
        const auto move = m->get<std::uint64_t>();
        return move < moves ? std::optional(move) : std::nullopt;
    }
    const auto values = message.find("values");
    if (values == message.end() || !values->is_array() || values->size() > 256 || !is_set_choice(run)) return std::nullopt;
    std::vector<std::int32_t> chosen;
    for (const Json& v : *values) {
        if (!v.is_number_integer() || v < -1 || v > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
        chosen.push_back(v.get<std::int32_t>());
    }
    const std::uint64_t move = run.move_for(chosen);
    return move < moves ? std::optional(move) : std::nullopt;
}

Json book_frame(const Loaded& rules, const Settings& settings, const Machine& /*machine*/) {
    const auto book = [&](const Globals& g) {
        const Page page = book_of(rules.syntax, settings, rules.sources, {}, g.language);
        Json blocks = Json::array();
        for (const Block& block : page.blocks)
            if (block.where != Where::print) blocks.push_back(block_frame(block));
        return Json{{"title", page.title}, {"blocks", std::move(blocks)}};
    };
    return {{"t", "book"}, {"book", in_each(book)}};
}

Json machine_frame(const Loaded& rules, const Settings& settings, const Machine& machine) {
    const bool draws = can_draw();
    const auto turn = [&](const Globals& g) {
        const MachineGraph graph = graph_in_words(machine, rules, settings, g.language);
        Json frame{{"nodes", Json::array()}, {"edges", Json::array()}};
        for (const GraphNode& node : graph.nodes) frame["nodes"].push_back({{"g", node.group}, {"t", node.label}});
        for (const GraphEdge& edge : graph.edges) frame["edges"].push_back({edge.from, edge.to, edge.label});
        if (const auto picture = draws ? drawn(dot_text(graph), "svg", drawing_most) : std::nullopt)
            frame["svg"] = *picture;
        else
            frame["note"] = say(g, Text::graph_needs_graphviz_here);
        return frame;
    };
    return {{"t", "machine"}, {"machine", in_each(turn)}};
}

}  // namespace houserule::cli
