// What one seat saw of a run: its events, less what the seat did not see of them.
//
// A view comes from recorded events, or from text that people wrote down; of the same run both are the same. Never runs a machine:
// whether the events can follow each other is for others to find out.
#pragma once

#include "interpreter/log/log.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace houserule {

// An event as the seat noticed it; nothing when it did not. `audience` is the seat's bit, and so is `faces` when the seat knows the
// values or pieces; else every piece is no_id (how many there are is seen) and `values` is one no_id. `step`, `rule` and `joint` are
// nobody's to see. Values and pieces ascend.
std::optional<Event> noticed(const Event& event, int seat);

// What the seat noticed of the settled events from number `told` on, which then is the number of the first one after them.
Events noticed_since(const Events& events, std::size_t& told, int seat);

struct View {
    LogHead head;
    int seat = 0;
    Events events;               // as by `noticed`
    std::vector<Events> others;  // by event: what its line can mean besides, when names in it belong to several things
    std::vector<Span> lines;     // by event: its line; of recorded events, empty spans
};

// Whether the seat may have seen this, noticed at its place, as event number `index`.
bool can_mean(const View& view, std::size_t index, const Event& noticed);

// What the text of a view says, from recorded events.
View view_of(const Machine& machine, const LogHead& head, const Events& events, int seat);

// Reads the body of a view. Names are identifiers or labels of any language. A name can belong to several things, such as variables
// of two rules: then the event has other readings, at most `reading_limit` in all. Nothing, with diagnostics, when a line says
// nothing about this game.
std::optional<View> read_view(const Sources& sources, std::size_t index, const LogHead& head, const Machine& machine,
                              Diagnostics& diagnostics);

// Readings of one line: names are hardly ever shared by more than two things, and a line that gives each of eight cards twice fits.
inline constexpr std::size_t reading_limit = 256;

}  // namespace houserule
