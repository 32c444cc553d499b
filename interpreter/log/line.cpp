#include "interpreter/log/line.hpp"
#include "dsl/game/placed_kind.hpp"
#include "interpreter/log/grammar.hpp"

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
    Line line;
    Phrase problem;
};

template <typename Rule>
struct Action : tao::pegtl::nothing<Rule> {};

// Keeps what a rule read as a name of the line.
template <std::string Line::*part>
struct KeepName {
    template <typename Input>
    static void apply(const Input& in, LineReader& reader) {
        reader.line.*part = trim(in.string_view());
    }
};

template <const TextRow<0>& problem>
struct Refuse {
    static void apply0(LineReader& reader) { reader.problem = problem; }
};

template <LineKind kind, typename Word>
struct Action<log_grammar::begins<kind, Word>> {
    static void apply0(LineReader& reader) {
        reader.line.kind = kind;
        if (kind == LineKind::lot) reader.line.seat = seen_by_all;
    }
};

struct KeepSeat {
    template <typename Input>
    static void apply(const Input& in, LineReader& reader) {
        reader.line.seat = seat_of(in.string_view()).value_or(-1);
    }
};

template <>
struct Action<log_grammar::who> : KeepSeat {};
template <>
struct Action<log_grammar::seer> : KeepSeat {};

template <>
struct Action<log_grammar::value> {
    template <typename Input>
    static void apply(const Input& in, LineReader& reader) {
        reader.line.values.emplace_back(trim(in.string_view()));
    }
};

template <typename Arrow>
struct Action<log_grammar::source<Arrow>> : KeepName<&Line::from> {};
template <>
struct Action<log_grammar::target> {
    template <typename Input>
    static void apply(const Input& in, LineReader& reader) {
        std::string_view to = trim(in.string_view());
        reader.line.in_order = reader.line.kind == LineKind::move && to.ends_with(order_words);
        if (reader.line.in_order) to.remove_suffix(order_words.size());
        reader.line.to = trim(to);
    }
};
template <>
struct Action<log_grammar::assigned> : KeepName<&Line::name> {};
template <>
struct Action<log_grammar::name> : KeepName<&Line::name> {};
template <>
struct Action<log_grammar::name_of_act> : KeepName<&Line::name> {};
template <>
struct Action<log_grammar::otherwise_cards> : Refuse<Text::expected_cards_line> {};
template <>
struct Action<log_grammar::otherwise_assignment> : Refuse<Text::expected_assignment> {};
template <>
struct Action<log_grammar::otherwise_act> : Refuse<Text::expected_act_line> {};
template <>
struct Action<log_grammar::otherwise_seat> : Refuse<Text::expected_seat_line> {};

}  // namespace

std::vector<Line> read_lines(const Sources& sources, std::size_t index, std::uint32_t from, Diagnostics& diagnostics, const Stop* stop) {
    std::vector<Line> lines;
    each_line(sources, index, from, [&](std::string_view text, Span span) {
        LineReader reader;
        reader.line.span = span;
        reader.line.text = text;
        if (text.starts_with(now_word)) {
            reader.line.kind = LineKind::now;
            reader.line.name = trim(text.substr(now_word.size()));
            lines.push_back(std::move(reader.line));
            return true;
        }
        tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> input(text.data(), text.size(), "");
        tao::pegtl::parse<log_grammar::line, Action>(input, reader);
        if (reader.problem.empty())
            lines.push_back(std::move(reader.line));
        else
            report(diagnostics, Code::line_not_read, span, reader.problem);
        return lines.size() % lines_between_looks != 0 || !over(stop);
    });
    return lines;
}

}  // namespace houserule
