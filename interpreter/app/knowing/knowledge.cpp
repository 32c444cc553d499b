#include "interpreter/app/knowing/knowledge.hpp"

#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/run/seers.hpp"
#include "solver/players/asked_for.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule::cli {

namespace {

constexpr std::size_t listed_most = 12;  // of those that are equally likely, without a share for each

std::string separator(const Globals& g) { return say(g, Text::comma); }

std::string share_of(const Knowledge& known, const Possibility& p, const Globals& g) {
    return p.weights.empty() ? "" : share_words(known, p, g);
}

// How many of them are named, likeliest first: not a part of those that are equally likely, if it can be helped.
std::size_t named_apart(const Knowledge& known, const std::vector<const Possibility*>& open, std::size_t top, const Globals& g) {
    const std::string next = share_of(known, *open[top], g);
    std::size_t named = top;
    while (named > 0 && open[named - 1]->certain != Answer::yes && share_of(known, *open[named - 1], g) == next) --named;
    const bool differ = named == 0 && share_of(known, *open.back(), g) != next;
    return next.empty() || (differ && open.size() <= listed_most) ? top : named;
}

// The others: how many, and how likely each is.
std::string say_others(const Knowledge& known, const std::vector<const Possibility*>& open, std::size_t named, const Globals& g) {
    if (named == open.size()) return "";
    const std::size_t left = open.size() - named;
    const std::string share = share_of(known, *open[named], g);
    if (share.empty()) return say(g, Text::and_more, left);
    const bool alike = share_of(known, *open.back(), g) == share;
    if (named == 0) return say(g, alike ? Text::any_of_so_many : Text::any_of_so_many_at_most, left, share);
    return say(g, alike ? Text::and_more_each : Text::and_more_at_most, left, share);
}

// Its values, likeliest first; of many that are equally likely how many there are, not some of them.
std::string thing_line(const Game& game, const Knowledge& known, const HiddenThing& thing, const Listener& listener, std::size_t top,
                       const Globals& g) {
    std::vector<const Possibility*> open;
    for (const Possibility& p : thing.values)
        if (p.possible == Answer::yes) open.push_back(&p);
    std::stable_sort(open.begin(), open.end(), [](const Possibility* a, const Possibility* b) { return b->share() < a->share(); });
    const auto words = [&](const Possibility& p) {
        const std::string text = possibility_words(game, thing, p.value, g);
        if (p.certain == Answer::yes) return text + say(g, Text::for_certain);
        return p.weights.empty() ? text : text + " " + share_words(known, p, g);
    };
    std::vector<std::string> texts;
    const std::size_t named = open.size() <= top ? open.size() : named_apart(known, open, top, g);
    for (std::size_t i = 0; i < named; ++i) texts.push_back(words(*open[i]));
    const std::string title =
        capital(thing.is_fact ? fact_words(game, thing.fact, thing.index, listener, g) : place_words(game, thing.place, listener, g), g);
    std::string line = fmt::format("{}{}{}", title, say(g, Text::colon), fmt::join(texts, separator(g)));
    line += say_others(known, open, named, g);
    if (named == 0 && open.size() <= listed_most) {
        for (const Possibility* p : open) texts.push_back(possibility_words(game, thing, p->value, g));
        line += say(g, Text::colon) + fmt::format("{}", fmt::join(texts, separator(g)));
    }
    if (const std::string undecided = undecided_words(game, thing, g); !undecided.empty())
        line += (open.empty() ? "" : say(g, Text::semicolon)) + undecided;
    return line;
}

}  // namespace

std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g) {
    const Knowledge& known = deduction.knowledge();
    std::vector<std::string> lines;
    const Listener listener{seat_bit(deduction.seat()), deduction.seat()};
    const HiddenThings asked = hidden_asked_for(deduction, false);
    for (const HiddenThing& thing : known.things) {
        if (!asked.contain(thing)) continue;
        if (!thing.is_fact && is_settled(thing) && std::cmp_greater(thing.size, top)) continue;  // as a pile before it is dealt
        lines.push_back(thing_line(deduction.machine().game, known, thing, listener, top, g));
    }
    for (const std::string& limit : not_found_out(deduction, false, g)) lines.push_back(say(g, Text::this_not_found_out, limit));
    return lines;
}

std::string hidden_sets(const Deduction& deduction, const Globals& g) {
    const Game& game = deduction.machine().game;
    std::vector<std::string> names;
    for (const FactId id : game.facts.ids()) {
        const Fact& f = game.facts[id];
        for (std::int32_t index = 0; f.type.base == Base::set && f.seers != Seers::all && index < f.count; ++index)
            if ((seers_of(game, f.seers, f.by, index) & seat_bit(deduction.seat())) == 0)
                names.push_back(fact_words(game, id, index, {seat_bit(deduction.seat()), deduction.seat()}, g));
    }
    return fmt::format("{}", fmt::join(names, say(g, Text::comma)));
}

std::vector<std::string> not_found_out(Deduction& deduction, bool figures, const Globals& g) {
    std::vector<std::string> all;
    if (const std::string sets = hidden_sets(deduction, g); !sets.empty()) all.push_back(say(g, Text::sets_are_not_told, sets));
    for (const Limit& limit : deduction.knowledge().limits)
        if (figures || limit.kind != LimitKind::worlds_not_counted) all.push_back(text(limit, g.language));
    return all;
}

}  // namespace houserule::cli
