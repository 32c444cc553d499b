// What the seat's moves give away: see advice.hpp.
//
// Whoever sees what all see is a deduction of its own, without a seat. It follows what has happened so far and then what each move shows
// to all. How much less there is to find out about what the seat keeps to itself is what the move gives away; it can be below 0.
#include "solver/players/advice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace houserule {

namespace {

// The places whose cards the seat sees and not everybody else.
std::vector<PlaceId> kept_places(const Machine& machine, int seat) {
    const std::vector<ZoneId> asked = asked_for(machine).zones;
    std::vector<PlaceId> kept;
    std::vector<PlaceId> kept_and_asked;
    for (PlaceId p = 1; p < machine.game.places; ++p) {
        const ZoneId zone = machine.place_zone[p];
        const Zone& z = machine.game.zones[zone];
        if (!seen_by(z.seers, z.by, p - z.first_place, seat) || seen_by(z.seers, z.by, p - z.first_place, onlooker)) continue;
        // What all but its owner see is nothing that the others could find out.
        if (z.seers == Seers::others) continue;
        kept.push_back(p);
        if (std::find(asked.begin(), asked.end(), zone) != asked.end()) kept_and_asked.push_back(p);
    }
    return kept_and_asked.empty() ? kept : kept_and_asked;
}

// Bits that are open about the places; nothing, with a limit, when they are not known.
std::optional<double> open_bits(const std::shared_ptr<const Machine>& machine, const Events& seen, const std::vector<PlaceId>& places,
                                const DeductionLimits& limits, const Deadline& until, Limit& limit) {
    Deduction all(machine, onlooker, limits);
    all.finish_by(until);
    const bool followed = all.see(seen) == Fit::fits;
    const auto together = followed ? all.together(places) : std::nullopt;
    if (!together) {
        limit = all.limit().hit() ? all.limit() : Limit{LimitKind::shares_not_counted};
        return std::nullopt;
    }
    double bits = 0;
    for (const auto& [contents, share] : *together) {
        const double s = share.convert_to<double>();
        if (s > 0) bits -= s * std::log2(s);
    }
    return bits;
}

}  // namespace

void weigh_given_away(Advice& advice, const Deduction& deduction, const DeductionLimits& limits, const Deadline& until) {
    const auto& machine = deduction.shared_machine();
    advice.kept = kept_places(*machine, deduction.seat());
    if (advice.kept.empty()) return;
    advice.kept_bits = open_bits(machine, advice.seen_by_all, advice.kept, limits, until, advice.given_away_limit);
    if (!advice.kept_bits) return;
    std::map<std::string, std::optional<double>> known;  // by what all notice: moves that show the same give away the same
    for (MoveAdvice& move : advice.moves) {
        std::optional<double> left = 0;
        for (const OpenOutcome& o : move.open) {
            std::string key;
            for (const Event& e : o.noticed) key += event_line(*machine, e, onlooker) + "\n";
            const auto [bits, is_new] = known.try_emplace(key, std::nullopt);
            if (is_new) {
                Events seen = advice.seen_by_all;
                seen.insert(seen.end(), o.noticed.begin(), o.noticed.end());
                bits->second = open_bits(machine, seen, advice.kept, limits, until, advice.given_away_limit);
            }
            left = left && bits->second ? std::optional(*left + o.share * *bits->second) : std::nullopt;
        }
        if (left && !move.open.empty()) move.given_away = *advice.kept_bits - *left;
    }
}

}  // namespace houserule
