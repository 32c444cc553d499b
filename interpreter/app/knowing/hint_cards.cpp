// Cards by places, as in a detective's notes.
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/asked_for.hpp"
#include "interpreter/app/knowing/hint.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

constexpr std::size_t column_least = 5;

struct Grid {
    const Hint& h;
    std::vector<const HiddenThing*> columns;

    // How sure it is that a copy of the kind lies there.
    std::string cell(const HiddenThing& thing, KindId kind) const;
    bool is_open(KindId kind) const;
};

const Possibility* possibility_of(const HiddenThing& thing, KindId kind) {
    const auto found = std::ranges::find(thing.values, kind, [](const Possibility& p) { return KindId(p.value); });
    return found == thing.values.end() ? nullptr : &*found;
}

std::string Grid::cell(const HiddenThing& thing, KindId kind) const {
    const Possibility* const p = possibility_of(thing, kind);
    if (p == nullptr || p->possible == Answer::no) return "·";
    if (p->certain == Answer::yes) return "●";
    if (!p->is_decided() || !h.has_shares()) return "?";
    const double share = 100 * share_of(h.known, *p, h.args)->convert_to<double>();
    return fmt::format("{:.0f}", std::clamp(share, 1.0, 99.0));
}

bool Grid::is_open(KindId kind) const {
    return std::ranges::any_of(columns, [&](const HiddenThing* thing) {
        const Possibility* const p = possibility_of(*thing, kind);
        return p != nullptr && p->possible != Answer::no;
    });
}

}  // namespace

std::string cards_text(const Hint& h, std::size_t width) {
    Grid grid{h, {}};
    for (const HiddenThing* thing : things_asked_for(h.deduction))
        if (!thing->is_fact) grid.columns.push_back(thing);
    if (grid.columns.empty()) return say(h.g, Text::nothing_hidden) + "\n";
    const Listener listener{seat_bit(h.seen.view.seat), h.seen.view.seat};
    std::vector<KindId> rows;
    std::size_t first = 0;
    for (KindId kind = 0; kind < h.game().kind_count(); ++kind) {
        if (!grid.is_open(kind)) continue;
        rows.push_back(kind);
        first = std::max(first, display_width(shown_cards(h.game(), {kind}, h.g)));
    }
    std::string text = folded(say(h.g, Text::hint_cards_key), width, 2) + "\n";
    // So many columns at a time as fit.
    std::vector<std::string> titles;
    std::size_t column = column_least;
    for (const HiddenThing* thing : grid.columns) {
        titles.push_back(capital(place_words(h.game(), thing->place, listener, h.g), h.g) +
                         (thing->size > 1 ? fmt::format(" ({})", thing->size) : ""));
        column = std::max(column, display_width(titles.back()));
    }
    column = std::min(column, std::max(column_least, width > first + 4 ? width - first - 4 : column_least));
    const std::size_t at_once = std::max<std::size_t>(1, (width - std::min(width, first + 2)) / (column + 2));
    for (std::size_t from = 0; from < titles.size(); from += at_once) {
        const std::size_t to = std::min(titles.size(), from + at_once);
        std::string line = std::string(first + 2, ' ');
        for (std::size_t c = from; c < to; ++c) line += "  " + pad_left(clipped(titles[c], column), column);
        text += bold(line, h.g) + "\n";
        for (const KindId kind : rows) {
            line = "  " + pad_right(shown_cards(h.game(), {kind}, h.g), first);
            for (std::size_t c = from; c < to; ++c) line += "  " + pad_left(grid.cell(*grid.columns[c], kind), column);
            text += line + "\n";
        }
    }
    return text;
}

}  // namespace houserule::cli
