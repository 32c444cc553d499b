#include "interpreter/log/line.hpp"
#include "dsl/game/placed_kind.hpp"

#include <fmt/format.h>

#include <charconv>

namespace houserule {

std::string seat_name(std::int32_t seat) { return fmt::format("P{}", seat + 1); }

std::string comma_list(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

Type element_type(Type t) {
    if (t.base == Base::set) {
        t.base = t.element;
        t.element = Base::nothing;
    }
    if (t.base == Base::cards || t.base == Base::card) t.base = Base::kind;
    return t;
}

// A value of a variable; a kind may carry the place it comes from.
std::string chosen_text(const Game& game, const Type& type, std::int32_t value, const std::string& language) {
    const Type t = element_type(type);
    if (t.base != Base::kind || value < 0) return value_name(game, t, value, language);
    const PlacedKind card = PlacedKind::of_value(value);
    const std::string kind = kind_text(game, card.kind, language);
    return card.place == no_id ? kind : fmt::format("{} @ {}", kind, place_name(game, card.place, language));
}

std::string values_text(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const std::string& language) {
    if (values.empty()) return "nothing";
    std::vector<std::string> texts;
    for (const std::int32_t v : values) texts.push_back(chosen_text(game, type, v, language));
    return comma_list(texts);
}

std::string faces_text(const Game& game, const std::vector<std::int32_t>& kinds, bool seen, const std::string& language) {
    std::vector<std::string> texts;
    for (const std::int32_t k : kinds) texts.push_back(seen ? kind_text(game, k, language) : "?");
    return texts.empty() ? "nothing" : comma_list(texts);
}

std::string fact_name(const Game& game, FactId fact, std::int32_t index, const std::string& language) {
    const Fact& f = game.facts[fact];
    const std::string name = label(game, f.name, language);
    if (f.by == IndexBy::player) return fmt::format("{}'s {}", seat_name(index), name);
    if (f.by == IndexBy::nothing) return name;
    const std::string& of = game.enums[f.index_enum].values[index];
    return fmt::format("{} of {}", name, label(game, of, language));
}

std::string fact_text(const Game& game, const Event& e, const std::string& language) {
    const Fact& f = game.facts[e.name];
    const std::string name = fact_name(game, e.name, e.index, language);
    if (f.type.base == Base::set) return fmt::format("{} = {}", name, values_text(game, f.type, e.values, language));
    return fmt::format("{} = {}", name, value_name(game, f.type, e.value, language));
}

std::string seer_text(std::int32_t seer) { return seer == seen_by_all ? "" : seer < 0 ? " for nobody" : " for " + seat_name(seer); }

std::int32_t seer_of(const Event& lot) { return lot.audience == no_seats ? -1 : lot.seat >= 0 ? lot.seat : seen_by_all; }

std::string audience_text(std::int32_t seats, int players) {
    if (seats == (1 << players) - 1) return "all";
    std::vector<std::string> names;
    for (int p = 0; p < players; ++p)
        if ((seats >> p & 1) != 0) names.push_back(seat_name(p));
    return comma_list(names);
}

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

std::string_view without_comment(std::string_view s) {
    const auto hash = s.find('#');
    return trim(hash == std::string_view::npos ? s : s.substr(0, hash));
}

std::vector<std::string> split(std::string_view s, char by) {
    std::vector<std::string> parts;
    while (true) {
        const auto at = s.find(by);
        parts.emplace_back(trim(s.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        s.remove_prefix(at + 1);
    }
}

std::optional<int> seat_of(std::string_view s) {
    int n = 0;
    if (s.size() < 2 || s.size() > 3 || s[0] != 'P') return std::nullopt;
    const auto [end, error] = std::from_chars(s.data() + 1, s.data() + s.size(), n);
    if (error != std::errc() || end != s.data() + s.size() || n < 1 || n > 10) return std::nullopt;
    return n - 1;
}

namespace {

struct LineReader {
    Span span;
    std::string_view text;
    std::vector<Line>& out;
    Phrase problem;

    // "A -> B: x, y"
    bool cards(LineKind kind, std::string_view rest, std::string_view arrow) {
        const auto at = rest.find(arrow);
        const auto colon = rest.rfind(':');
        if (at == std::string_view::npos || colon == std::string_view::npos || colon < at)
            return problem = Text::expected_cards_line, false;
        Line line = make(kind);
        line.from = trim(rest.substr(0, at));
        line.to = trim(rest.substr(at + arrow.size(), colon - at - arrow.size()));
        line.values = split(rest.substr(colon + 1), ',');
        return out.push_back(std::move(line)), true;
    }
    Line make(LineKind kind) const {
        Line line;
        line.kind = kind;
        line.span = span;
        line.text = text;
        return line;
    }
    // "x = a, b"
    bool assignment(LineKind kind, int seat, std::string_view rest) {
        const auto eq = rest.find('=');
        if (eq == std::string_view::npos) return problem = Text::expected_assignment, false;
        Line line = make(kind);
        line.seat = seat;
        line.name = trim(rest.substr(0, eq));
        line.values = split(rest.substr(eq + 1), ',');
        return out.push_back(std::move(line)), true;
    }
    bool named(LineKind kind, int seat, std::string_view rest) {
        Line line = make(kind);
        line.seat = seat;
        line.name = trim(rest);
        return out.push_back(std::move(line)), true;
    }

    bool read() {
        const auto after = [&](std::string_view word) -> std::optional<std::string_view> {
            return text.starts_with(word) ? std::optional(trim(text.substr(word.size()))) : std::nullopt;
        };
        const auto of_cards = [](std::string_view rest) {
            return !rest.starts_with("=") && !rest.starts_with("of ");
        };  // and no fact called `move`
        if (const auto r = after("deal ")) return cards(LineKind::draw, *r, "->");
        if (const auto r = after("move "); r && of_cards(*r)) return cards(LineKind::move, *r, "->");
        if (const auto r = after("show ")) return cards(LineKind::show, *r, " to ");
        if (const auto r = after("shuffle ")) return named(LineKind::shuffle, -1, *r);
        if (const auto r = after("end ")) return named(LineKind::end, -1, *r);
        if (const auto r = after("table:")) return assignment(LineKind::report, -1, *r);
        if (const auto r = after("lot:")) return assignment(LineKind::lot, seen_by_all, *r);
        if (const auto r = after("lot for ")) return private_lot(*r);
        if (const auto r = after("act ")) return acts(*r);
        return of_seat() || (problem.empty() && assignment(LineKind::fact, -1, text));
    }
    // "P2: x = a", "nobody: x = a"
    bool private_lot(std::string_view rest) {
        const auto colon = rest.find(':');
        const std::string_view who = trim(rest.substr(0, colon));
        const auto seat = who == "nobody" ? std::optional(-1) : seat_of(who);
        if (colon == std::string_view::npos || !seat) return problem = Text::expected_assignment, false;
        return assignment(LineKind::lot, *seat, rest.substr(colon + 1));
    }
    bool acts(std::string_view rest) {
        const auto colon = rest.rfind(':');
        if (colon == std::string_view::npos) return problem = Text::expected_act_line, false;
        Line line = make(LineKind::acts);
        line.name = trim(rest.substr(0, colon));
        line.values = split(rest.substr(colon + 1), ',');
        return out.push_back(std::move(line)), true;
    }
    bool of_seat() {
        const auto end = text.find_first_of(": ");
        if (end == std::string_view::npos) return false;
        const auto seat = seat_of(text.substr(0, end));
        if (!seat) return false;
        const std::string_view rest = trim(text.substr(end));
        if (rest.starts_with(":")) {
            const std::string_view what = trim(rest.substr(1));
            if (what.starts_with("no ")) return named(LineKind::no, *seat, what.substr(3));
            return assignment(LineKind::choice, *seat, what);
        }
        if (rest.starts_with("names ")) return assignment(LineKind::names, *seat, rest.substr(6));
        if (rest.starts_with("says ")) return named(LineKind::says, *seat, rest.substr(5));
        problem = Text::expected_seat_line;
        return false;
    }
};

}  // namespace

std::vector<Line> read_lines(const Sources& sources, std::size_t index, std::uint32_t from, Diagnostics& diagnostics, const Stop* stop) {
    std::vector<Line> lines;
    each_line(sources, index, from, [&](std::string_view text, Span span) {
        LineReader reader{span, text, lines, {}};
        if (!reader.read()) report(diagnostics, Code::line_not_read, span, reader.problem);
        return lines.size() % lines_between_looks != 0 || !over(stop);
    });
    return lines;
}

}  // namespace houserule
