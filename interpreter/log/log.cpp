#include "interpreter/log/log.hpp"

#include "interpreter/log/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace houserule {

namespace {

constexpr std::string_view first_line = "houserule log 1";
constexpr std::string_view so_far_words = " so far";  // behind the seat of a view

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

namespace {

// Whether a seat, which sees the cards of a move, sees in which order they came to lie.
bool sees_order(const Event& move, int seat) { return seat < 0 ? move.value != 0 : (move.value & move.faces & seat_bit(seat)) != 0; }

std::vector<std::int32_t> ascending(std::vector<std::int32_t> kinds) {
    std::sort(kinds.begin(), kinds.end());
    return kinds;
}

}  // namespace

std::string event_line(const Machine& machine, const Event& e, int seat, const std::string& language) {
    const Game& game = machine.game;
    const bool notices = seat < 0 || (e.audience >> seat & 1) != 0;
    const bool sees = seat < 0 || (e.faces >> seat & 1) != 0;
    if (!notices) return "";
    const auto variable = [&] { return label(game, game.variables[e.name].name, language); };
    const auto variable_type = [&]() -> const Type& { return game.variables[e.name].type; };
    const auto place = [&](PlaceId p) { return place_name(game, p, language); };
    const auto word = [&] { return label(game, game.words[e.name], language); };
    switch (e.kind) {
        case EventKind::choice:
            if (e.optional_no) return fmt::format("{}: no {}", seat_name(e.seat), variable());
            return fmt::format("{}{} {} = {}", seat_name(e.seat), e.aloud ? " names" : ":", variable(),
                               sees ? values_text(game, variable_type(), e.values, language) : "?");
        case EventKind::answer:
            return fmt::format("{}: {} = {}", seat_name(e.seat), word(), e.value != 0 ? "yes" : "no");
        case EventKind::draw:
            return fmt::format("deal {} -> {}: {}", place(e.from), place(e.to), faces_text(game, e.pieces, sees, language));
        case EventKind::report:
            return fmt::format("table: {} = {}", variable(), values_text(game, variable_type(), e.values, language));
        case EventKind::lot:
            return fmt::format("lot{}: {} = {}", seer_text(e), variable(), values_text(game, variable_type(), e.values, language));
        case EventKind::acts: {
            std::vector<std::string> who;
            for (const std::int32_t p : e.values) who.push_back(seat_name(p));
            return fmt::format("act {}: {}", label(game, game.acts[e.name].name, language), comma_list(who));
        }
        case EventKind::move:
            return fmt::format("move {} -> {}{}: {}", place(e.from), place(e.to), sees_order(e, seat) ? order_words : "",
                               faces_text(game, sees_order(e, seat) ? e.pieces : ascending(e.pieces), sees, language));
        case EventKind::becomes:
            return fact_text(game, e, language);
        case EventKind::says:
            return fmt::format("{} says {}", seat_name(e.seat), word());
        case EventKind::shows:
            return fmt::format("show {} to {}: {}", place(e.from), audience_text(e.value, game.players),
                               faces_text(game, e.pieces, sees, language));
        case EventKind::shuffle:
            return fmt::format("shuffle {}", place(e.from));
        case EventKind::ended:
            return fmt::format("end {}", label(game, game.ends[e.name].name, language));
        case EventKind::begins:
        case EventKind::all_chose:
            return "";
    }
    return "";
}

std::string pass_line(const Machine& machine, StepId window) {
    return fmt::format("act {}: nobody", machine.game.acts[machine.code[window].a].name);
}

namespace {

std::string head_text(const LogHead& head) {
    std::string text = fmt::format("{}\ngame {}\n", first_line, head.game);
    if (head.rules) text += fmt::format("rules {:016x}\n", *head.rules);
    text += fmt::format("players {}\n", head.players);
    for (const auto& [name, value] : head.settings) text += fmt::format("set {} = {}\n", name, value);
    for (const auto& [seat, name] : head.names) text += fmt::format("name {} = {}\n", seat_name(seat), name);
    if (head.view >= 0) {
        text += fmt::format("view {}{}\n", seat_name(head.view), head.so_far ? so_far_words : "");
    } else {
        if (head.seed) text += fmt::format("seed {}\n", *head.seed);
        for (const auto& [seat, who] : head.seats) text += fmt::format("seat {} = {}\n", seat_name(seat), who);
        if (head.hints) text += "with hints\n";
    }
    if (!head.file.empty()) text += fmt::format("from {}\n", head.file);
    std::vector<std::string> typed;
    for (const auto& [begin, end] : head.typed)
        typed.push_back(end == begin + 1 ? std::to_string(end) : fmt::format("{}-{}", begin + 1, end));
    if (!typed.empty()) text += fmt::format("typed {} of {}\n", fmt::join(typed, ", "), head.typed_of);
    return text + "\n";
}

// Cards dealt one after the other from one place to another stand in one line. For a seat also those that different statements dealt: how
// they are parted would tell of what it did not notice in between.
bool same_deal(const Event& a, const Event& b, int seat) {
    return a.kind == EventKind::draw && b.kind == EventKind::draw && a.from == b.from && a.to == b.to && (seat >= 0 || a.step == b.step);
}

std::string body_text(const Machine& machine, const Events& events, int seat) {
    std::string text;
    const std::size_t known = settled(events);
    const auto skip = [&](std::size_t i) {
        return seat >= 0 && ((i >= known && events[i].seat != seat) || event_line(machine, events[i], seat).empty());
    };
    for (std::size_t i = 0; i < events.size();) {
        if (skip(i)) {
            ++i;
            continue;
        }
        Event e = events[i++];
        for (std::size_t next = i; next < events.size(); ++next) {
            if (skip(next)) continue;
            if (!same_deal(e, events[next], seat)) break;
            e.pieces.insert(e.pieces.end(), events[next].pieces.begin(), events[next].pieces.end());
            i = next + 1;
        }
        const std::string line = event_line(machine, e, seat);
        if (!line.empty()) text += line + "\n";
    }
    return text;
}

}  // namespace

std::size_t settled(const Events& events) {
    std::size_t n = events.size();
    while (n > 0 && events[n - 1].joint) --n;
    return n;
}

std::string log_text(const Machine& machine, const LogHead& head, const Events& events) {
    return head_text(head) + body_text(machine, events, -1);
}

std::string view_text(const Machine& machine, const LogHead& head, const Events& events, int seat) {
    LogHead own = head;
    own.view = seat;
    const std::string text = head_text(own) + body_text(machine, events, seat);
    return head.question ? text + fmt::format("{}{}\n", now_word, question_text(machine, *head.question, seat_name(seat))) : text;
}

// ---------------------------------------------------------------- reading

namespace {

// `1, 4-6, 9 of 46`, ascending; false when it is something else.
bool read_typed(LogHead& head, const std::string& text) {
    auto& runs = head.typed;
    const auto of = text.find(" of ");
    if (of == std::string::npos) return false;
    const std::string all(trim(text.substr(of + 4)));
    if (std::from_chars(all.data(), all.data() + all.size(), head.typed_of).ptr != all.data() + all.size()) return false;
    for (const std::string& part : split(text.substr(0, of), ',')) {
        std::size_t first = 0;
        const char* const end = part.data() + part.size();
        auto read = std::from_chars(part.data(), end, first);
        std::size_t last = first;
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
        const bool follows = runs.empty() || first > runs.back().second;
        if (read.ec != std::errc() || read.ptr != end || first == 0 || last < first || !follows) return false;
        runs.emplace_back(first - 1, last);
    }
    return !runs.empty() && runs.back().second <= head.typed_of;
}

bool read_head_line(LogHead& head, std::string_view text, Span span, Diagnostics& diagnostics) {
    const auto space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    const std::string rest(space == std::string_view::npos ? "" : trim(text.substr(space)));
    const auto number = [&](int base) -> std::optional<std::uint64_t> {
        std::uint64_t n = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), n, base);
        if (error != std::errc() || end != rest.data() + rest.size()) {
            report(diagnostics, Code::line_not_read, span, base == 16 ? Text::expected_hexadecimal : Text::expected_number);
            return std::nullopt;
        }
        return n;
    };
    const auto seat_in = [&](const std::string& name) {
        const auto seat = seat_of(name);
        if (!seat) report(diagnostics, Code::line_not_read, span, Text::expected_seat);
        return seat.value_or(0);
    };
    if (word == "game" && !rest.empty())
        head.game = rest;
    else if (word == "rules")
        head.rules = number(16);
    else if (word == "players")
        head.players = std::min<std::uint64_t>(number(10).value_or(0), 1000);
    else if (word == "seed")
        head.seed = number(10);
    else if (word == "view") {
        head.so_far = rest.ends_with(so_far_words);
        head.view = seat_in(std::string(trim(rest.substr(0, rest.size() - (head.so_far ? so_far_words.size() : 0)))));
    } else if (word == "name" && rest.find('=') != std::string::npos) {
        const auto parts = split(rest, '=');
        head.names[seat_in(parts[0])] = parts[1];
    } else if (word == "seat" && rest.find('=') != std::string::npos) {
        const auto parts = split(rest, '=');
        head.seats[seat_in(parts[0])] = parts[1];
    } else if (word == "with" && rest == "hints") {
        head.hints = true;
    } else if (word == "from" && !rest.empty()) {
        head.file = rest;
    } else if (word == "typed") {
        return read_typed(head, rest);
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
        report(diagnostics, Code::not_utf8, span_of(bad, bad + 1, index));
        return std::nullopt;
    }
    head.body = static_cast<std::uint32_t>(sources[index].text().size()) + 1;
    each_line(sources, index, 0, [&](std::string_view text, Span span) {
        if (!begun) {
            begun = text == first_line;
            if (!begun)
                report(diagnostics, Code::not_a_log, span, std::string(text.substr(0, 40))).help = Text::log_begins_with(first_line);
            good = begun;
            return begun;
        }
        if (read_head_line(head, text, span, diagnostics)) return true;
        head.body = span.begin;
        return false;
    });
    // The line on which the body begins may be indented.
    while (head.body > 0 && head.body <= sources[index].text().size() && sources[index].text()[head.body - 1] != '\n') --head.body;
    if (!begun && good) report(diagnostics, Code::not_a_log, span_of(0, 0, index), Phrase()).help = Text::log_begins_with(first_line);
    if (begun && good && (head.game.empty() || head.players == 0)) {
        if (!has_errors(diagnostics))
            report(diagnostics, Code::missing_declaration, span_of(0, 0, index), verbatim(head.game.empty() ? "game" : "players")).help =
                Text::log_head(first_line);
        good = false;
    }
    if (good && head.view >= head.players) {
        report(diagnostics, Code::line_not_read, span_of(0, 0, index), Text::view_of_missing_seat(head.view + 1, head.players));
    }
    if (!begun || !good || has_errors(diagnostics)) return std::nullopt;
    return head;
}

}  // namespace houserule
