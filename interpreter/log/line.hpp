// The lines of logs and views: writing their parts, and splitting lines into parts whose names are not looked up yet.
//
// For log.cpp, replay.cpp and view.cpp only. It never looks at a run.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/text/diagnostics.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/node.hpp"
#include "interpreter/run/stop.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

// ---- writing: labels of `language`, identifiers when it is empty ----------------------------------------------------------------

std::string seat_name(std::int32_t seat);
std::string comma_list(const std::vector<std::string>& items);
// The type of one element of a chosen value of type `t`; for cards, the type of kinds.
Type element_type(Type t);
// A value of a variable; a kind may carry the place it comes from.
std::string chosen_text(const Game& game, const Type& type, std::int32_t value, const std::string& language);
std::string values_text(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const std::string& language);
std::string faces_text(const Game& game, const std::vector<std::int32_t>& kinds, bool seen, const std::string& language);
std::string fact_name(const Game& game, FactId fact, std::int32_t index, const std::string& language);  // with its owner
std::string fact_text(const Game& game, const Event& e, const std::string& language);
inline constexpr std::string_view order_words = ", in order";  // behind where cards came to
std::string audience_text(std::int32_t seats, int players);
// ` for P2` of a lot that P2 alone sees, ` for nobody`; empty of one that all see. `seer`: as in node.hpp.
std::string seer_text(std::int32_t seer);
std::int32_t seer_of(const Event& lot);
inline std::string seer_text(const Event& lot) { return seer_text(seer_of(lot)); }

// ---- reading --------------------------------------------------------------------------------------------------------------------

std::string_view trim(std::string_view s);
std::string_view without_comment(std::string_view s);
std::vector<std::string> split(std::string_view s, char by);
std::optional<int> seat_of(std::string_view s);  // `P3`

enum class LineKind : std::uint8_t { choice, names, no, draw, report, lot, acts, move, says, show, shuffle, end, fact, now };
inline constexpr std::string_view now_word = "now ";  // before what a seat is asked where a view ends

// A line of a log, its names as they were written. It lives no longer than the sources that it was read from.
struct Line {
    LineKind kind = LineKind::fact;
    int seat = -1;     // of a lot: who sees it, as in node.hpp
    std::string name;  // variable, word, act, fact (with its owner), end; of `now` all behind it
    std::string from;
    std::string to;
    bool in_order = false;            // of a move: the cards as they came to lie
    std::vector<std::string> values;  // of a deal: the cards, one after the other
    Span span;
    std::string_view text;
};

// The lines from byte `from` on that are neither blank nor a comment. What cannot be read is reported. `stop` is asked every
// `lines_between_looks` lines, so that short texts are always read completely.
inline constexpr std::size_t lines_between_looks = 4'096;
inline bool is_cut_off(const std::vector<Line>& lines, const Stop* stop) { return lines.size() >= lines_between_looks && over(stop); }
std::vector<Line> read_lines(const Sources& sources, std::size_t index, std::uint32_t from, Diagnostics& diagnostics,
                             const Stop* stop = nullptr);

// Calls f(text, span) for each line from byte `from` on that is neither blank nor a comment, without its comment, until f says false.
template <typename F>
void each_line(const Sources& sources, std::size_t index, std::uint32_t from, F f) {
    const Source& source = sources[index];
    for (std::uint32_t n = 1; n <= source.line_count(); ++n) {
        if (source.line_begin(n) < from) continue;
        const std::string_view whole = source.line(n);
        const std::string_view text = without_comment(whole);
        if (text.empty()) continue;
        const std::size_t begin = source.line_begin(n) + (text.data() - whole.data());
        if (!f(text, span_of(begin, begin + text.size(), index))) return;
    }
}

// Compares names in a log with those of a game: the identifier, or its label in any language.
struct Names {
    const Machine& m;
    std::set<std::string> languages;

    explicit Names(const Machine& machine) : m(machine) {
        languages.insert("");
        for (const NamedText& l : m.game.labels) languages.insert(l.language);
    }
    bool is(std::string_view text, const std::string& name) const {
        const std::string normal = nfc(text);
        return std::any_of(languages.begin(), languages.end(), [&](const std::string& l) { return normal == nfc(label(m.game, name, l)); });
    }
    template <typename F>
    bool any(std::string_view text, F shown) const {
        const std::string normal = nfc(text);
        return std::any_of(languages.begin(), languages.end(), [&](const std::string& l) { return normal == nfc(shown(l)); });
    }
    bool is_place(const std::string& text, PlaceId place) const {
        return any(text, [&](const std::string& l) { return place_name(m.game, place, l); });
    }
    bool is_kind(const std::string& text, KindId kind) const {
        return any(text, [&](const std::string& l) { return kind_text(m.game, kind, l); });
    }
    bool is_value(const std::string& text, const Type& type, std::int32_t value) const {
        return any(text, [&](const std::string& l) { return chosen_text(m.game, type, value, l); });
    }
};

}  // namespace houserule
