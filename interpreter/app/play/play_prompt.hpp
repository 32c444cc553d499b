// What a person is shown and asked at the table: the table, what happened, the choices, and the commands of the prompt.
#pragma once

#include "interpreter/app/play/play_session.hpp"
#include "interpreter/app/terminal/keyboard.hpp"

namespace houserule::cli {

enum class Asked {
    answered,  // the run went on, or back
    finished,  // `quit`, or the input ended
    interrupted,
};

// A decision or a report at the node where the run waits. `seat`: who is asked; for a report some person.
Asked ask_decision(Session& session, Keyboard& keyboard, int seat, const Globals& g);
// Something happened that people may act upon: Enter, or an act. `who`: those who may.
Asked ask_acts(Session& session, Keyboard& keyboard, Seats who, const Globals& g);
// Tells these people, together, what happened since they were told last.
bool tell_news(Session& session, Seats viewers, const Globals& g);
// Whether anything happened that this seat noticed and did not do itself.
bool has_news(const Session& session, int seat);

}  // namespace houserule::cli
