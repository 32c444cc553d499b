#include "interpreter/app/common/table.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

struct Reader {
    Run& run;
    const Game& game;
    Seats viewers;
    const Globals& g;
    const ShownCards& shown;

    bool sees(Seers seers, IndexBy by, std::int32_t index) const {
        const Seats owner = by == IndexBy::player ? 1U << index : 0U;
        switch (seers) {
            case Seers::all:
                return true;
            case Seers::owner:
                return all_see(owner, viewers);
            case Seers::others:
                return all_see(static_cast<Seats>(~owner), viewers);
            case Seers::nobody:
                return viewers == 0;
        }
        return false;
    }

    // Empty where nothing lies.
    std::string zone(const Zone& z, std::int32_t index, const std::string& title) const {
        const PlaceId place = z.first_place + index;
        const std::size_t size = run.size_at(place);
        if (size == 0) return "";
        if (const auto known = shown.find(place); !sees(z.seers, z.by, index)) {
            const bool are_all = known != shown.end() && known->second.size() == size;
            return fmt::format("{}: {}", title, are_all ? hand_words(game, known->second, g) : count_words(game, size, place, g));
        }
        const bool ordered = has_order(z.shape);
        std::vector<KindId> kinds = run.kinds_at(place);
        if (!ordered) std::sort(kinds.begin(), kinds.end());
        return fmt::format("{}: {}", title, ordered ? cards_words(game, kinds, true, g) : hand_words(game, kinds, g));
    }

    // Empty while the fact has no value or, unless it is always shown, still the one it began with.
    std::string fact(FactId id, std::int32_t index, const std::string& title) const {
        const Fact& f = game.facts[id];
        if (f.shown == Shown::never || !sees(f.seers, f.by, index)) return "";
        const bool always = f.shown == Shown::always;
        if (f.type.base == Base::set) {
            const std::vector<std::int32_t> values = run.fact_set(id, index);
            return values.empty() && !always ? "" : fmt::format("{}: {}", title, values_words(game, f.type, values, g));
        }
        const std::int32_t value = run.fact(id, index);
        if (value == unset_value || (!always && f.initial != no_id && run.scalar(f.initial) == value)) return "";
        if (f.type.base == Base::truth && value != 0) return fmt::format("[{}]", title);
        return fmt::format("{}: {}", title, value_words(game, f.type, value, g));
    }

    // What belongs to this player (-1: to the table).
    std::vector<std::string> cells(int player) const {
        std::vector<std::string> all;
        const auto add = [&](std::string text) {
            if (!text.empty()) all.push_back(std::move(text));
        };
        const auto each = [&](IndexBy by, EnumId index_enum, const std::string& name, auto cell) {
            if ((by == IndexBy::player) != (player >= 0)) return;
            const std::string title = name_words(game, name, g);
            if (by != IndexBy::enumeration) return add(cell(std::max(0, player), title));
            const std::vector<std::string>& values = game.enums[index_enum].values;
            for (std::size_t i = 0; i < values.size(); ++i) add(cell(i, fmt::format("{} {}", title, name_words(game, values[i], g))));
        };
        for (const Zone& z : game.zones)
            each(z.by, z.index_enum, z.name, [&](std::int32_t index, const std::string& title) { return zone(z, index, title); });
        for (const FactId f : game.facts.ids())
            each(game.facts[f].by, game.facts[f].index_enum, game.facts[f].name,
                 [&](std::int32_t index, const std::string& title) { return fact(f, index, title); });
        return all;
    }
};

// The cells behind the name, folded.
std::string block(const std::string& name, std::size_t indent, const std::vector<std::string>& cells, std::size_t width) {
    if (cells.empty()) return name + "–\n";
    const std::string between = "\n" + std::string(indent, ' ');
    std::string text = name;
    std::string line;
    bool is_first = true;
    const auto close = [&] {
        if (line.empty()) return;
        std::string lines = folded(line, width - std::min(width, indent), 2);
        for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += between.size()) lines.replace(at, 1, between);
        text += (is_first ? "" : between) + lines;
        is_first = false;
        line.clear();
    };
    for (const std::string& cell : cells) {
        if (!line.empty() && indent + display_width(line) + 3 + display_width(cell) > width) close();
        line += (line.empty() ? "" : " | ") + cell;
    }
    close();
    return text + "\n";
}

}  // namespace

std::string table_text(Run& run, Seats viewers, int you, std::size_t width, const Globals& g, const ShownCards& shown) {
    const Game& game = run.machine().game;
    const Reader reader{run, game, viewers, g, shown};
    std::vector<std::string> names;
    for (int p = -1; p < game.players; ++p)
        names.push_back(p < 0 ? say(g, Text::table_title) : seat_words(p) + (p == you ? say(g, Text::that_is_you) : ""));
    std::size_t indent = 0;
    for (const std::string& name : names) indent = std::max(indent, display_width(name) + 2);
    std::string text;
    for (int p = -1; p < game.players; ++p) {
        const std::vector<std::string> cells = reader.cells(p);
        const std::string name = pad_right(names[p + 1], indent);
        if (p >= 0 || !cells.empty()) text += block(p == you && p >= 0 ? bold(name, g) : name, indent, cells, width);
    }
    return with_glyphs(text, game, is_colored(g));
}

ShownCards shown_to(const Events& events, Seats viewers) {
    ShownCards shown;
    for (const Event& e : events) {
        if (e.kind == EventKind::begins && e.name == no_id) shown.clear();
        const bool goes = e.kind == EventKind::move || e.kind == EventKind::draw || e.kind == EventKind::shuffle;
        if (goes) shown.erase(e.from), shown.erase(e.to);
        if (e.kind == EventKind::shows && all_see(e.faces, viewers)) shown[e.from] = {e.pieces.begin(), e.pieces.end()};
    }
    for (auto& [place, kinds] : shown) std::ranges::sort(kinds);
    return shown;
}

std::optional<std::size_t> known_width() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
    // What is no terminal may say how wide it is.
    if (const char* const columns = std::getenv("COLUMNS"); columns != nullptr && ::isatty(STDOUT_FILENO) == 0) {
        const int width = std::atoi(columns);
        if (width >= 20 && width <= 1000) return width;
    }
    return std::nullopt;
}

std::size_t terminal_width() { return known_width().value_or(80); }

void out_folded(const std::string& text) { out(folded_lines(text, terminal_width())); }
void err_folded(const std::string& text) { err(folded_lines(text, terminal_width())); }

bool is_terminal() { return ::isatty(STDOUT_FILENO) != 0 && ::isatty(STDIN_FILENO) != 0; }
bool is_on(const std::string& option, std::string_view on) { return option.empty() ? is_terminal() : option == on; }

bool is_colored(const Globals& g) { return g.color && ::isatty(STDOUT_FILENO) != 0; }

std::string bold(const std::string& text, const Globals& g) { return is_colored(g) ? "\033[1m" + text + "\033[0m" : text; }
std::string faint(const std::string& text, const Globals& g) { return is_colored(g) ? "\033[2m" + text + "\033[0m" : text; }

}  // namespace houserule::cli
