#include "interpreter/app/knowing/knowledge.hpp"

#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "solver/players/moves.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

std::string separator(const Globals& g) { return say(g, Text::comma); }

// Its values, likeliest first.
std::string thing_line(const Game& game, const Knowledge& known, const HiddenThing& thing, const Listener& listener, std::size_t top,
                       const Globals& g) {
    std::vector<const Possibility*> open;
    for (const Possibility& p : thing.values)
        if (p.possible == Answer::yes) open.push_back(&p);
    std::stable_sort(open.begin(), open.end(), [](const Possibility* a, const Possibility* b) { return b->share() < a->share(); });
    std::vector<std::string> texts;
    for (const Possibility* p : open) {
        if (texts.size() == top) break;
        std::string text = possibility_words(game, thing, p->value, g);
        if (p->certain == Answer::yes)
            text += say(g, Text::for_certain);
        else if (!p->weights.empty())
            text += " " + share_words(known, *p, g);
        texts.push_back(std::move(text));
    }
    const std::string title = capital(place_words(game, thing.place, listener, g), g);
    std::string line = fmt::format("{}{}{}", title, say(g, Text::colon), fmt::join(texts, separator(g)));
    if (open.size() > texts.size()) line += say(g, Text::and_more, open.size() - texts.size());
    if (const std::string undecided = undecided_words(game, thing, g); !undecided.empty())
        line += (texts.empty() ? "" : say(g, Text::semicolon)) + undecided;
    return line;
}

}  // namespace

std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g) {
    const Knowledge& known = deduction.knowledge();
    std::vector<std::string> lines;
    const Listener listener{seat_bit(deduction.seat()), deduction.seat()};
    const std::vector<PlaceId> asked = places_asked_for(deduction, false);
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact || std::find(asked.begin(), asked.end(), thing.place) == asked.end()) continue;
        lines.push_back(thing_line(deduction.machine().game, known, thing, listener, top, g));
    }
    for (const Limit& limit : known.limits) lines.push_back(say(g, Text::this_not_found_out, text(limit, g.language)));
    return lines;
}

}  // namespace houserule::cli
