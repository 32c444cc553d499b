// Views: the events of a run as one seat noticed them, without what that seat did not see.
//
// A view is taken from recorded events or read from text; for the same run both are equal. No machine is run here: whether the events
// can follow each other is not checked.
#pragma once

#include "interpreter/log/log.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace houserule {

// The event as the seat noticed it; nothing if it did not. Its `audience` is the seat's bit. If the seat sees the values and pieces, so
// is `faces`, and they ascend, but for cards that it saw come to lie in an order (then `value` is its bit, too); else each piece is no_id
// (their number is seen) and `values` is one no_id. `step`, `rule` and `joint` are cleared.
std::optional<Event> noticed(const Event& event, int seat);

// Whether `told` says what the seat noticed, where it may leave out in which order cards came to lie.
bool is_told_as(const Event& noticed, const Event& told);

// The events visible to the seat among the settled events (see `settled`) from index `told` on; advances `told` past them.
Events noticed_since(const Events& events, std::size_t& told, int seat);

struct View {
    LogHead head;
    int seat = 0;
    Events events;               // as `noticed` gives them
    std::vector<Events> others;  // by event: other readings of its line, where a name in it belongs to several things
    std::vector<Span> lines;     // by event: its line; an empty span for recorded events
};

// Whether `noticed`, an event as `noticed()` gives it, is event number `index` of the view or another reading of its line.
bool can_mean(const View& view, std::size_t index, const Event& noticed);

// Why an event as it was read cannot stand in a view of the seat, whatever happened before.
enum class NotInView { fits, unnoticed, faces_unseen, faces_seen };
NotInView not_in_view(const Machine& machine, const Event& read, int seat);

// The view of a seat, from recorded events: the same as reading the text of that view.
View view_of(const Machine& machine, const LogHead& head, const Events& events, int seat);

// Reads the body of a view. Names are identifiers or labels of any language. A name can belong to several things, such as variables of
// two rules: then the event has other readings (`View::others`), at most `reading_limit`. Nothing, with diagnostics, when a line cannot
// be read as an event of this game; nothing without diagnostics when `stop` ended it.
std::optional<View> read_view(const Sources& sources, std::size_t index, const LogHead& head, const Machine& machine,
                              Diagnostics& diagnostics, const Stop* stop = nullptr);

// Readings of one line, at most: enough for a line with eight cards whose names each belong to two kinds.
inline constexpr std::size_t reading_limit = 256;

}  // namespace houserule
