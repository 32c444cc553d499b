// The dialogue with a person who plays: it shows the table, the news and the choices, and handles the commands of the prompt.
#pragma once

#include "interpreter/app/play/play_session.hpp"
#include "interpreter/app/terminal/keyboard.hpp"

namespace houserule::cli {

enum class Prompted {
    answered,  // a move was made, or taken back
    finished,  // `quit`, or the input ended
    interrupted,
};

// Asks for the decision or report at the node where the run waits. `seat`: the person to ask; for a report, anyone at the terminal.
Prompted ask_decision(Session& session, Keyboard& keyboard, int seat, const Globals& g);
// Asks whether one of these people does an act that has been open to them since the last decision, or nobody (Enter).
Prompted ask_acts(Session& session, Keyboard& keyboard, Seats who, const Globals& g);
// Prints the events since these people were last told, as all of them together may know them. Whether there was anything to print.
// Where the session is paced, it waits for Enter at `keyboard` after a round, a reveal and many lines.
bool tell_news(Session& session, Seats viewers, const Globals& g, Keyboard* keyboard = nullptr);

}  // namespace houserule::cli
