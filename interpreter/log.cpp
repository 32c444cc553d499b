#include "interpreter/log.hpp"

#include "dsl/check.hpp"
#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace houserule {

namespace {

constexpr std::string_view first_line = "houserule log 1";

std::string seat_name(std::int32_t seat) { return fmt::format("P{}", seat + 1); }

std::string list(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

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
    const std::string kind = kind_text(game, value & 0xFFFF, language);
    return value >> 16 == 0 ? kind : fmt::format("{} @ {}", kind, place_name(game, (value >> 16) - 1, language));
}

std::string values_text(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const std::string& language) {
    if (values.empty()) return "nothing";
    std::vector<std::string> texts;
    for (const std::int32_t v : values) texts.push_back(chosen_text(game, type, v, language));
    return list(texts);
}

std::string faces(const Game& game, const std::vector<std::int32_t>& kinds, bool seen, const std::string& language) {
    std::vector<std::string> texts;
    for (const std::int32_t k : kinds) texts.push_back(seen ? kind_text(game, k, language) : "?");
    return texts.empty() ? "nothing" : list(texts);
}

std::string fact_text(const Game& game, const Event& e, const std::string& language) {
    const Fact& f = game.facts[static_cast<std::size_t>(e.name)];
    std::string name = label(game, f.name, language);
    if (f.by == IndexBy::player) name = fmt::format("{}'s {}", seat_name(e.index), name);
    if (f.by == IndexBy::enumeration) {
        const std::string& of = game.enums[static_cast<std::size_t>(f.index_enum)].values[static_cast<std::size_t>(e.index)];
        name = fmt::format("{} of {}", name, label(game, of, language));
    }
    if (f.type.base == Base::set) return fmt::format("{} = {}", name, values_text(game, f.type, e.values, language));
    return fmt::format("{} = {}", name, value_name(game, f.type, e.value, language));
}

std::string audience_text(std::int32_t seats, int players) {
    if (seats == (1 << players) - 1) return "all";
    std::vector<std::string> names;
    for (int p = 0; p < players; ++p)
        if ((seats >> p & 1) != 0) names.push_back(seat_name(p));
    return list(names);
}

}  // namespace

LogHead head_of(const Machine& machine, std::optional<std::uint64_t> seed) {
    LogHead head;
    head.game = machine.game.name;
    head.rules = machine.game.hash;
    head.players = machine.game.players;
    for (const OptionValue& o : machine.game.options) head.settings[o.name] = o.value;
    head.seed = seed;
    return head;
}

std::string event_line(const Machine& machine, const Event& e, int seat, const std::string& language) {
    const Game& game = machine.game;
    const bool notices = seat < 0 || (e.audience >> seat & 1) != 0;
    const bool sees = seat < 0 || (e.faces >> seat & 1) != 0;
    if (!notices) return "";
    const auto variable = [&] { return label(game, game.variables[static_cast<std::size_t>(e.name)].name, language); };
    const auto variable_type = [&]() -> const Type& { return game.variables[static_cast<std::size_t>(e.name)].type; };
    const auto place = [&](Id p) { return place_name(game, p, language); };
    const auto word = [&] { return label(game, game.words[static_cast<std::size_t>(e.name)], language); };
    switch (e.kind) {
        case EventKind::choice:
            if (e.optional_no) return fmt::format("{}: no {}", seat_name(e.seat), variable());
            return fmt::format("{}{} {} = {}", seat_name(e.seat), e.aloud ? " names" : ":", variable(), sees ? values_text(game, variable_type(), e.values, language) : "?");
        case EventKind::answer: return fmt::format("{}: {} = {}", seat_name(e.seat), word(), e.value != 0 ? "yes" : "no");
        case EventKind::draw: return fmt::format("deal {} -> {}: {}", place(e.from), place(e.to), faces(game, e.pieces, sees, language));
        case EventKind::report: return fmt::format("table: {} = {}", variable(), values_text(game, variable_type(), e.values, language));
        case EventKind::lot: return fmt::format("lot: {} = {}", variable(), values_text(game, variable_type(), e.values, language));
        case EventKind::acts: {
            std::vector<std::string> who;
            for (const std::int32_t p : e.values) who.push_back(seat_name(p));
            return fmt::format("act {}: {}", label(game, game.acts[static_cast<std::size_t>(e.name)].name, language), list(who));
        }
        case EventKind::move: return fmt::format("move {} -> {}: {}", place(e.from), place(e.to), faces(game, e.pieces, sees, language));
        case EventKind::becomes: return fact_text(game, e, language);
        case EventKind::says: return fmt::format("{} says {}", seat_name(e.seat), word());
        case EventKind::shows: return fmt::format("show {} to {}: {}", place(e.from), audience_text(e.value, game.players), faces(game, e.pieces, sees, language));
        case EventKind::shuffle: return fmt::format("shuffle {}", place(e.from));
        case EventKind::ended: return fmt::format("end {}", label(game, game.ends[static_cast<std::size_t>(e.name)].name, language));
        case EventKind::begins: return "";
    }
    return "";
}

namespace {

std::string head_text(const LogHead& head) {
    std::string text = fmt::format("{}\ngame {}\n", first_line, head.game);
    if (head.rules) text += fmt::format("rules {:016x}\n", *head.rules);
    text += fmt::format("players {}\n", head.players);
    for (const auto& [name, value] : head.settings) text += fmt::format("set {} = {}\n", name, value);
    if (head.view >= 0) text += fmt::format("view {}\n", seat_name(head.view));
    else if (head.seed) text += fmt::format("seed {}\n", *head.seed);
    return text + "\n";
}

// Cards dealt one after the other from one place to another stand in one line.
bool same_deal(const Event& a, const Event& b) { return a.kind == EventKind::draw && b.kind == EventKind::draw && a.from == b.from && a.to == b.to && a.step == b.step; }

std::string body_text(const Machine& machine, const Events& events, int seat) {
    std::string text;
    // Choices at the very end that were made together with others: they may still be waited for.
    std::size_t settled = events.size();
    while (settled > 0 && events[settled - 1].joint) --settled;
    for (std::size_t i = 0; i < events.size();) {
        Event e = events[i++];
        if (i > settled && seat >= 0 && e.seat != seat) continue;
        while (i < events.size() && same_deal(e, events[i])) e.pieces.push_back(events[i++].pieces.front());
        const std::string line = event_line(machine, e, seat);
        if (!line.empty()) text += line + "\n";
    }
    return text;
}

}  // namespace

std::string log_text(const Machine& machine, const LogHead& head, const Events& events) { return head_text(head) + body_text(machine, events, -1); }

std::string view_text(const Machine& machine, const LogHead& head, const Events& events, int seat) {
    LogHead own = head;
    own.view = seat;
    return head_text(own) + body_text(machine, events, seat);
}

// ---------------------------------------------------------------- reading

namespace {

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

enum class LineKind { choice, names, no, draw, report, lot, acts, move, says, show, shuffle, end, fact };

// A line of a log, its names as they were written.
struct Line {
    LineKind kind = LineKind::fact;
    int seat = -1;
    std::string name;                 // variable, word, act, fact (with its owner), end
    std::string from;
    std::string to;
    std::vector<std::string> values;
    Span span;
    std::string text;
};

struct LineReader {
    Span span;
    std::string_view text;
    std::vector<Line>& out;
    std::string problem;

    // "A -> B: x, y" into one line a card.
    bool cards(LineKind kind, std::string_view rest, std::string_view arrow) {
        const auto at = rest.find(arrow);
        const auto colon = rest.rfind(':');
        if (at == std::string_view::npos || colon == std::string_view::npos || colon < at) return problem = std::string("expected `ZONE -> ZONE: CARDS`"), false;
        Line line = make(kind);
        line.from = trim(rest.substr(0, at));
        line.to = trim(rest.substr(at + arrow.size(), colon - at - arrow.size()));
        line.values = split(rest.substr(colon + 1), ',');
        if (kind != LineKind::draw) return out.push_back(line), true;
        for (const std::string& v : line.values) {
            out.push_back(line);
            out.back().values = {v};
        }
        return true;
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
        if (eq == std::string_view::npos) return problem = "expected `NAME = VALUE`", false;
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
        if (const auto r = after("deal ")) return cards(LineKind::draw, *r, "->");
        if (const auto r = after("move ")) return cards(LineKind::move, *r, "->");
        if (const auto r = after("show ")) return cards(LineKind::show, *r, " to ");
        if (const auto r = after("shuffle ")) return named(LineKind::shuffle, -1, *r);
        if (const auto r = after("end ")) return named(LineKind::end, -1, *r);
        if (const auto r = after("table:")) return assignment(LineKind::report, -1, *r);
        if (const auto r = after("lot:")) return assignment(LineKind::lot, -1, *r);
        if (const auto r = after("act ")) return acts(*r);
        return of_seat() || (problem.empty() && assignment(LineKind::fact, -1, text));
    }
    bool acts(std::string_view rest) {
        const auto colon = rest.rfind(':');
        if (colon == std::string_view::npos) return problem = "expected `act NAME: P1, P2`", false;
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
        problem = "expected `P1: …`, `P1 names …` or `P1 says …`";
        return false;
    }
};

void report(Diagnostics& diagnostics, Code code, Span span, std::vector<std::string> arguments, std::string help = "") {
    Diagnostic d;
    d.code = code;
    d.span = span;
    d.arguments = std::move(arguments);
    d.help = std::move(help);
    diagnostics.push_back(std::move(d));
}

// Calls f(text of the line, its span) for every line from byte `from` on that says something.
template <typename F>
void each_line(const Sources& sources, std::size_t index, std::uint32_t from, F f) {
    const Source& source = sources[index];
    for (std::uint32_t n = 1; n <= source.line_count(); ++n) {
        if (source.line_begin(n) < from) continue;
        const std::string_view whole = source.line(n);
        const std::string_view text = without_comment(whole);
        if (text.empty()) continue;
        const auto begin = source.line_begin(n) + static_cast<std::uint32_t>(text.data() - whole.data());
        if (!f(text, Span{begin, begin + static_cast<std::uint32_t>(text.size()), static_cast<std::uint16_t>(index)})) return;
    }
}

std::vector<Line> read_lines(const Sources& sources, std::size_t index, std::uint32_t from, Diagnostics& diagnostics) {
    std::vector<Line> lines;
    each_line(sources, index, from, [&](std::string_view text, Span span) {
        LineReader reader{span, text, lines, ""};
        if (!reader.read()) report(diagnostics, Code::line_not_read, span, {reader.problem});
        return true;
    });
    return lines;
}

bool read_head_line(LogHead& head, std::string_view text, Span span, Diagnostics& diagnostics) {
    const auto space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    const std::string rest(space == std::string_view::npos ? "" : trim(text.substr(space)));
    const auto number = [&](int base) -> std::optional<std::uint64_t> {
        std::uint64_t n = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), n, base);
        if (error != std::errc() || end != rest.data() + rest.size()) {
            report(diagnostics, Code::line_not_read, span, {base == 16 ? "expected a number in hexadecimal digits" : "expected a number"});
            return std::nullopt;
        }
        return n;
    };
    if (word == "game" && !rest.empty()) head.game = rest;
    else if (word == "rules") head.rules = number(16);
    else if (word == "players") head.players = static_cast<int>(std::min<std::uint64_t>(number(10).value_or(0), 1000));
    else if (word == "seed") head.seed = number(10);
    else if (word == "view") {
        const auto seat = seat_of(rest);
        if (!seat) report(diagnostics, Code::line_not_read, span, {"expected a seat, `P1`"});
        head.view = seat.value_or(0);
    } else if (word == "set" && rest.find('=') != std::string::npos) {
        const auto parts = split(rest, '=');
        head.settings[parts[0]] = parts[1];
    } else {
        return false;
    }
    return true;
}

}  // namespace

bool is_log(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        line = without_comment(line);
        if (!line.empty()) return line.starts_with("houserule log");
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return false;
}

std::optional<LogHead> read_head(const Sources& sources, std::size_t index, Diagnostics& diagnostics) {
    LogHead head;
    bool begun = false;
    bool good = true;
    std::size_t bad = 0;
    if (!is_utf8(sources[index].text(), &bad)) {
        report(diagnostics, Code::not_utf8, {static_cast<std::uint32_t>(bad), static_cast<std::uint32_t>(bad + 1), static_cast<std::uint16_t>(index)}, {});
        return std::nullopt;
    }
    head.body = static_cast<std::uint32_t>(sources[index].text().size()) + 1;
    each_line(sources, index, 0, [&](std::string_view text, Span span) {
        if (!begun) {
            begun = text == first_line;
            if (!begun) report(diagnostics, Code::not_a_log, span, {std::string(text.substr(0, 40))}, fmt::format("a log begins with `{}`", first_line));
            good = begun;
            return begun;
        }
        if (read_head_line(head, text, span, diagnostics)) return true;
        head.body = span.begin;
        return false;
    });
    // The line on which the body begins may be indented.
    while (head.body > 0 && head.body <= sources[index].text().size() && sources[index].text()[head.body - 1] != '\n') --head.body;
    if (!begun && good) report(diagnostics, Code::not_a_log, {0, 0, static_cast<std::uint16_t>(index)}, {""}, fmt::format("a log begins with `{}`", first_line));
    if (begun && good && (head.game.empty() || head.players == 0)) {
        if (!has_errors(diagnostics)) report(diagnostics, Code::missing_declaration, {0, 0, static_cast<std::uint16_t>(index)}, {head.game.empty() ? "game" : "players"}, fmt::format("after `{}` come `game NAME` and `players N`", first_line));
        good = false;
    }
    if (good && head.view >= head.players) {
        report(diagnostics, Code::line_not_read, {0, 0, static_cast<std::uint16_t>(index)}, {fmt::format("the view is of P{}, but {} play", head.view + 1, head.players)});
    }
    if (!begun || !good || has_errors(diagnostics)) return std::nullopt;
    return head;
}

namespace {

// Names in a log against the names of a game: an identifier or its label in any language.
struct Names {
    const Machine& m;
    std::set<std::string> languages;

    explicit Names(const Machine& machine) : m(machine) {
        languages.insert("");
        for (const NamedText& l : m.game.labels) languages.insert(l.language);
    }
    bool is(const std::string& text, const std::string& name) const {
        const std::string normal = nfc(text);
        return std::any_of(languages.begin(), languages.end(), [&](const std::string& l) { return normal == nfc(label(m.game, name, l)); });
    }
    template <typename F>
    bool any(const std::string& text, F shown) const {
        const std::string normal = nfc(text);
        return std::any_of(languages.begin(), languages.end(), [&](const std::string& l) { return normal == nfc(shown(l)); });
    }
    bool is_place(const std::string& text, Id place) const {
        return any(text, [&](const std::string& l) { return place_name(m.game, place, l); });
    }
    bool is_kind(const std::string& text, Id kind) const {
        return any(text, [&](const std::string& l) { return kind_text(m.game, kind, l); });
    }
    bool is_value(const std::string& text, const Type& type, std::int32_t value) const {
        return any(text, [&](const std::string& l) { return chosen_text(m.game, type, value, l); });
    }
};

struct Replaying {
    Run& run;
    Events& events;
    Diagnostics& diagnostics;
    std::vector<Line> lines;
    Names names;
    std::size_t at = 0;          // the next line
    std::size_t seen = 0;        // events that were compared with lines

    const Game& game() const { return run.machine().game; }
    const Line* line() const { return at < lines.size() ? &lines[at] : nullptr; }

    bool run_along();
    bool answer(const Node& n);
    void consume_forced();
    bool follows(const Line& l, const Event& e) const;
    bool same_faces(const Line& l, const Event& e) const;
    bool same_values(const Line& l, const Event& e) const;
    bool hidden(const Line& l) const { return std::find(l.values.begin(), l.values.end(), "?") != l.values.end(); }
    bool misfit(const Node& n);
    std::vector<std::string> what_fits(const Node& n) const;
    std::optional<std::uint64_t> chosen_move(const Node& n, const Line& l) const;
    const Type& type_of_step(const Node& n) const;
    const std::string& variable_name(const Node& n) const;
};

const Type& Replaying::type_of_step(const Node& n) const {
    return game().variables[static_cast<std::size_t>(run.machine().code[static_cast<std::size_t>(n.step)].a)].type;
}
const std::string& Replaying::variable_name(const Node& n) const {
    return game().variables[static_cast<std::size_t>(run.machine().code[static_cast<std::size_t>(n.step)].a)].name;
}

bool Replaying::same_faces(const Line& l, const Event& e) const {
    if (l.values.size() != e.pieces.size()) return e.pieces.empty() && l.values.size() == 1 && l.values[0] == "nothing";
    std::vector<bool> used(l.values.size(), false);
    for (const std::int32_t k : e.pieces) {
        bool found = false;
        for (std::size_t i = 0; i < l.values.size() && !found; ++i) {
            found = !used[i] && names.is_kind(l.values[i], k);
            if (found) used[i] = true;
        }
        if (!found) return false;
    }
    return true;
}

bool Replaying::same_values(const Line& l, const Event& e) const {
    const Type& type = game().variables[static_cast<std::size_t>(e.name)].type;
    if (e.values.empty()) return l.values.size() == 1 && l.values[0] == "nothing";
    if (l.values.size() != e.values.size()) return false;
    return std::all_of(e.values.begin(), e.values.end(),
                       [&](std::int32_t v) { return std::any_of(l.values.begin(), l.values.end(), [&](const std::string& text) { return names.is_value(text, type, v); }); });
}

// Whether the line says what the event is.
bool Replaying::follows(const Line& l, const Event& e) const {
    switch (e.kind) {
        case EventKind::draw: return l.kind == LineKind::draw && names.is_place(l.from, e.from) && names.is_place(l.to, e.to) && same_faces(l, e);
        case EventKind::move: return l.kind == LineKind::move && names.is_place(l.from, e.from) && names.is_place(l.to, e.to) && same_faces(l, e);
        case EventKind::shows: return l.kind == LineKind::show && names.is_place(l.from, e.from) && l.to == audience_text(e.value, game().players) && same_faces(l, e);
        case EventKind::says: return l.kind == LineKind::says && l.seat == e.seat && names.is(l.name, game().words[static_cast<std::size_t>(e.name)]);
        case EventKind::shuffle: return l.kind == LineKind::shuffle && names.is_place(l.name, e.from);
        case EventKind::ended: return l.kind == LineKind::end && names.is(l.name, game().ends[static_cast<std::size_t>(e.name)].name);
        case EventKind::becomes: return l.kind == LineKind::fact && names.any(l.text, [&](const std::string& language) { return fact_text(game(), e, language); });
        case EventKind::choice:
            return l.kind == (e.optional_no ? LineKind::no : e.aloud ? LineKind::names : LineKind::choice) && l.seat == e.seat &&
                   names.is(l.name, game().variables[static_cast<std::size_t>(e.name)].name) && (e.optional_no || same_values(l, e));
        case EventKind::report:
        case EventKind::lot:
            return l.kind == (e.kind == EventKind::lot ? LineKind::lot : LineKind::report) && names.is(l.name, game().variables[static_cast<std::size_t>(e.name)].name) && same_values(l, e);
        case EventKind::answer:
        case EventKind::acts:
        case EventKind::begins: return false;
    }
    return false;
}

// Events that happened by themselves since the last answer use up the lines that state them.
void Replaying::consume_forced() {
    for (; seen < events.size(); ++seen)
        if (line() != nullptr && follows(*line(), events[seen])) ++at;
}

std::optional<std::uint64_t> Replaying::chosen_move(const Node& n, const Line& l) const {
    const Type& type = type_of_step(n);
    if (l.values.size() == 1 && l.values[0] == "nothing") {
        const std::uint64_t move = run.move_for({});
        return move < n.moves ? std::optional(move) : std::nullopt;
    }
    // One value: whichever move is written so. Several: each value by its name.
    std::vector<std::int32_t> values;
    if (l.values.size() == 1 && n.moves <= 4096) {
        for (std::uint64_t m = 0; m < n.moves; ++m) {
            const Meant meant = run.meaning(m);
            if (meant.values.size() == 1 && names.is_value(l.values[0], type, meant.values[0])) return m;
        }
        return std::nullopt;
    }
    const Type element = element_type(type);
    for (const std::string& text : l.values) {
        const auto at_sign = text.find(" @ ");
        const std::string kind(trim(std::string_view(text).substr(0, at_sign)));
        bool found = false;
        for (std::int32_t v = element.base == Base::kind ? 0 : element.low; v <= (element.base == Base::kind ? static_cast<std::int32_t>(game().kinds.size()) - 1 : element.high) && !found; ++v) {
            found = names.any(kind, [&](const std::string& language) { return value_name(game(), element, v, language); });
            if (!found) continue;
            std::int32_t value = v;
            if (at_sign != std::string::npos) {
                for (Id p = 1; p < game().places; ++p)
                    if (names.is_place(text.substr(at_sign + 3), p)) value |= (p + 1) << 16;
            }
            values.push_back(value);
        }
        if (!found) return std::nullopt;
    }
    const std::uint64_t move = run.move_for(values);
    return move < n.moves ? std::optional(move) : std::nullopt;
}

std::vector<std::string> Replaying::what_fits(const Node& n) const {
    std::vector<std::string> fits;
    const auto values = [&] {
        std::string text;
        for (std::uint64_t m = 0; m < n.moves && m < 12; ++m) {
            Type t = type_of_step(n);
            text += (m == 0 ? "" : " / ") + values_text(game(), t, run.meaning(m).values, "");
        }
        return n.moves > 12 ? text + " / …" : text;
    };
    const Step& s = run.machine().code[static_cast<std::size_t>(n.step)];
    switch (n.kind) {
        case NodeKind::choose: fits.push_back(fmt::format("{}{} {} = {}", seat_name(n.seat), (s.mode & choice_aloud) != 0 ? " names" : ":", variable_name(n), values())); break;
        case NodeKind::consent: fits.push_back(fmt::format("{}: {} = … / no {}", seat_name(n.seat), variable_name(n), variable_name(n))); break;
        case NodeKind::ask: fits.push_back(fmt::format("{}: {} = yes / no", seat_name(n.seat), game().words[static_cast<std::size_t>(s.a)])); break;
        case NodeKind::draw: {
            std::vector<std::string> kinds;
            for (std::uint64_t m = 0; m < n.moves; ++m) {
                const std::string kind = kind_text(game(), run.meaning(m).values[0]);
                if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
            }
            const Id from = run.scalar(s.x);
            const Id to = run.scalar(s.y);
            fits.push_back(fmt::format("deal {} -> {}: {}", place_name(game(), from), place_name(game(), to), fmt::join(kinds, " / ")));
            break;
        }
        case NodeKind::report: fits.push_back(fmt::format("table: {} = {}", variable_name(n), values())); break;
        case NodeKind::lot: fits.push_back(fmt::format("lot: {} = {}", variable_name(n), values())); break;
        case NodeKind::window: fits.push_back(fmt::format("act {}: {}", game().acts[static_cast<std::size_t>(s.a)].name, audience_text(n.seats, game().players))); break;
        case NodeKind::over: fits.push_back("nothing: the game is over"); break;
        case NodeKind::failed: fits.push_back(run.failure().what); break;
    }
    return fits;
}

bool Replaying::misfit(const Node& n) {
    const Line& l = *line();
    if (hidden(l)) report(diagnostics, Code::hidden_in_log, l.span, {}, "a view shows what one seat saw; replay the log it was taken from");
    else report(diagnostics, Code::line_does_not_fit, l.span, {l.text}, fmt::format("what fits: {}", fmt::join(what_fits(n), "; ")));
    return false;
}

// Answers the node from the next line. False when the line does not fit.
bool Replaying::answer(const Node& n) {
    const Line& l = *line();
    const Step& s = run.machine().code[static_cast<std::size_t>(n.step)];
    const auto take = [&](std::uint64_t move) {
        run.apply(move);
        ++at;
        // The event of the answer itself is what the line said.
        return true;
    };
    switch (n.kind) {
        case NodeKind::window: {
            if (l.kind != LineKind::acts || !names.is(l.name, game().acts[static_cast<std::size_t>(s.a)].name)) {
                run.apply(0);
                return true;
            }
            std::vector<std::int32_t> who;
            for (const std::string& v : l.values) who.push_back(seat_of(v).value_or(99));
            const std::uint64_t move = run.move_for(who);
            return move != 0 && (move & ~std::uint64_t{n.seats}) == 0 ? take(move) : misfit(n);
        }
        case NodeKind::consent: {
            const bool about = l.seat == n.seat && names.is(l.name, variable_name(n));
            if (about && l.kind == LineKind::no) return take(0);
            run.apply(about && (l.kind == LineKind::choice || l.kind == LineKind::names) ? 1 : 0);
            return true;
        }
        case NodeKind::ask: {
            const bool about = l.kind == LineKind::choice && l.seat == n.seat && names.is(l.name, game().words[static_cast<std::size_t>(s.a)]);
            if (!about) {
                run.apply(0);  // who says nothing does not do it
                return true;
            }
            const bool yes = l.values.size() == 1 && l.values[0] == "yes";
            return yes || (l.values.size() == 1 && l.values[0] == "no") ? take(yes ? 1 : 0) : misfit(n);
        }
        case NodeKind::choose: {
            const bool aloud = (s.mode & choice_aloud) != 0;
            const bool about = l.kind == (aloud ? LineKind::names : LineKind::choice) && l.seat == n.seat && names.is(l.name, variable_name(n));
            const auto move = about && !hidden(l) ? chosen_move(n, l) : std::nullopt;
            return move ? take(*move) : misfit(n);
        }
        case NodeKind::draw: {
            bool about = l.kind == LineKind::draw && l.values.size() == 1 && names.is_place(l.to, run.scalar(s.y)) && names.is_place(l.from, run.scalar(s.x));
            for (std::uint64_t m = 0; about && m < n.moves; ++m)
                if (names.is_kind(l.values[0], run.meaning(m).values[0])) return take(m);
            return misfit(n);
        }
        case NodeKind::report:
        case NodeKind::lot: {
            const bool about = l.kind == (n.kind == NodeKind::lot ? LineKind::lot : LineKind::report) && names.is(l.name, variable_name(n));
            const auto move = about ? chosen_move(n, l) : std::nullopt;
            return move ? take(*move) : misfit(n);
        }
        case NodeKind::over:
        case NodeKind::failed: return misfit(n);
    }
    return false;
}

bool Replaying::run_along() {
    for (;;) {
        const Node& n = run.advance();
        consume_forced();
        if (line() == nullptr) return true;
        const std::size_t before = events.size();
        if (!answer(n)) return false;
        // What the answer itself recorded is the line just read; anything else it caused is compared with the lines that follow.
        if (events.size() > before) seen = std::max(seen, before + 1);
    }
}

}  // namespace

bool replay(const Sources& sources, std::size_t index, const LogHead& head, Run& run, Events& events, Diagnostics& diagnostics) {
    Replaying r{run, events, diagnostics, read_lines(sources, index, head.body, diagnostics), Names(run.machine())};
    if (has_errors(diagnostics)) return false;
    if (run.machine().game.players != head.players) return false;
    run.record(&events);
    run.start();
    r.seen = events.size();
    return r.run_along();
}

}  // namespace houserule
