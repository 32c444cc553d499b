// The table as one seat knows it, made of nothing but the events that the seat noticed: the state of the game is never read.
//
// It begins with what everybody knows before anything has happened. What lies at a place is known while the seat sees that place; of other
// places it knows how many cards lie there. A card that was shown once is not remembered: the log says it. Of equal cards in a row the
// first is taken to leave, since no event says which.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace houserule::cli {

// Who looks on without a seat: notices what every seat notices, and sees what every seat sees.
inline constexpr int spectator = -1;

// What stands for a card that is not seen.
inline constexpr std::int32_t hidden_card = -1;

// The event as a seat or a spectator noticed it; nothing if it did not. Of a spectator, `audience` and `faces` have bit 0 in place of a
// seat's.
std::optional<Event> noticed_by(const Game& game, const Event& event, int viewer);
// The bit that stands for the viewer in such events.
Seats bit_of(int viewer);

// The same as Houserule's views do for seats (`noticed_since`): the events noticed among those from `told` to `end`, and `told` past them.
Events noticed_up_to(const Game& game, const Events& events, std::size_t& told, std::size_t end, int viewer);

class SeatTable {
public:
    struct Place {
        bool seen = false;
        std::vector<std::int32_t>
            kinds;  // of each card; hidden_card where it is not seen. In the order in which they came, of sets ascending
    };
    struct Value {
        bool seen = false;
        std::vector<std::int32_t> values;  // one, or the elements of a set
    };

    SeatTable(std::shared_ptr<const Machine> machine, int viewer);
    // The next event of the game: nothing of it is used but what the viewer noticed, and that rules and games begin anew.
    void see(const Event& event);

    const Place& at(PlaceId place) const { return places_[place]; }
    // `index`: 0 for a fact that has none.
    const Value& fact(FactId fact, std::int32_t index) const { return facts_[fact][index]; }
    // Whether the table shows the fact: most are, once they have another value than the one they begin with.
    bool is_shown(FactId fact, std::int32_t index) const;

private:
    bool is_plain(FactId fact, std::int32_t index) const;
    void begin(const Event& event);
    void reset(RuleId lasts);
    void move(const Event& noticed, std::uint8_t mode);
    void become(const Event& noticed);
    void take(PlaceId from, std::int32_t kind);
    void put(PlaceId to, const std::vector<std::int32_t>& kinds, std::uint8_t mode);
    void in_their_order(PlaceId from, std::vector<std::int32_t>& kinds) const;

    std::shared_ptr<const Machine> machine_;
    int viewer_;
    std::vector<Place> places_;
    Store<FactId, std::vector<Value>> facts_;
    Store<FactId, std::vector<Value>> initial_;
};

}  // namespace houserule::cli
