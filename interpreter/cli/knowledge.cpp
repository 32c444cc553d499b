#include "interpreter/cli/knowledge.hpp"

#include "interpreter/cli/words.hpp"
#include "solver/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace houserule::cli {

namespace {

std::string separator(const Globals& g) { return say(g, ", ", "、"); }

// Its values, likeliest first.
std::string thing_line(const Game& game, const HiddenThing& thing, std::size_t top, const Globals& g) {
    std::vector<const Possibility*> open;
    for (const Possibility& p : thing.values)
        if (p.possible) open.push_back(&p);
    std::stable_sort(open.begin(), open.end(), [](const Possibility* a, const Possibility* b) { return b->share() < a->share(); });
    std::vector<std::string> texts;
    for (const Possibility* p : open) {
        if (texts.size() == top) break;
        std::string text = possibility_words(game, thing, p->value, g);
        if (p->certain) text += say(g, " for certain", "（確実）");
        else if (!p->weights.empty()) text += " " + percent_words(p->share(), g);
        texts.push_back(std::move(text));
    }
    std::string line = fmt::format("{}{}{}", thing_words(game, thing, g), say(g, ": ", "："), fmt::join(texts, separator(g)));
    if (open.size() > texts.size()) line += fill(g, " and {} more", "、ほか {}", open.size() - texts.size());
    return line;
}

std::vector<std::string> lines_of(Deduction& deduction, std::size_t top, const std::function<bool(const HiddenThing&)>& told, const Globals& g) {
    const Knowledge& known = deduction.knowledge();
    std::vector<std::string> lines;
    if (known.method != Method::unknown)
        for (const HiddenThing& thing : known.things)
            if (told(thing)) lines.push_back(thing_line(deduction.machine().game, thing, top, g));
    for (const std::string& limit : known.limits) lines.push_back(fill(g, "not found out: {}", "分からなかったこと: {}", limit));
    return lines;
}

}  // namespace

std::string thing_words(const Game& game, const HiddenThing& thing, const Globals& g) {
    if (!thing.is_fact) return place_words(game, thing.place, g);
    const Fact& fact = game.facts[static_cast<std::size_t>(thing.fact)];
    const std::string name = name_words(game, fact.name, g);
    if (fact.by == IndexBy::nothing) return name;
    if (fact.by == IndexBy::player) return fill(g, "{}'s {}", "{} の{}", seat_words(thing.index), name);
    return fill(g, "{1} of {0}", "{} の{}", name_words(game, game.enums[static_cast<std::size_t>(fact.index_enum)].values[static_cast<std::size_t>(thing.index)], g), name);
}

std::string possibility_words(const Game& game, const HiddenThing& thing, Id value, const Globals& g) {
    return thing.is_fact ? value_words(game, game.facts[static_cast<std::size_t>(thing.fact)].type, value, g) : kind_words(game, value, g);
}

std::string percent_words(const Rational& share, const Globals& g) {
    const Rational thousandths = share * 1000 + Rational(1, 2);
    const auto rounded = Integer(numerator(thousandths) / denominator(thousandths)).convert_to<long>();
    if (rounded == 0 && share != 0) return say(g, "below 0.1 %", "0.1 % 未満");
    if (rounded == 1000 && share != 1) return say(g, "above 99.9 %", "99.9 % 超");
    return fmt::format("{}.{} %", rounded / 10, rounded % 10);
}

std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g) {
    const std::vector<Id> asked = places_asked_for(deduction);
    return lines_of(deduction, top, [&](const HiddenThing& thing) { return !thing.is_fact && std::find(asked.begin(), asked.end(), thing.place) != asked.end(); }, g);
}

std::vector<std::string> whole_knowledge(Deduction& deduction, std::size_t top, const Globals& g) {
    std::vector<std::string> lines = lines_of(deduction, top, [](const HiddenThing&) { return true; }, g);
    if (const auto& worlds = deduction.knowledge().worlds) lines.insert(lines.begin(), fill(g, "{} worlds fit", "当てはまる世界: {}", worlds->str()));
    return lines;
}

}  // namespace houserule::cli
