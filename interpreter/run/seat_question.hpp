// What a seat knows of where a run waits, beside all that it noticed: that it is asked, and what; or that the game is over.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace houserule {

// To choose or name something, whether to do so (`consent`), whether to say a word (`ask`), whether to act (`window`); or `over`.
struct SeatQuestion {
    NodeKind kind = NodeKind::over;
    Operand name = no_id;  // of what is chosen, as it is told; the word; the act

    friend bool operator==(const SeatQuestion&, const SeatQuestion&) = default;
};

// Whether chance decides where the run waits, and the seat does not notice what: nobody waits for that.
bool is_unseen_lot(Run& run, int seat);

// What a step asks somebody; nothing of other steps. `consented`: of a choice that need not be made, after the yes.
std::optional<SeatQuestion> question_of(const Machine& machine, const Step& step, bool consented);
// At the node where the run waits; nothing where others are asked, or chance.
std::optional<SeatQuestion> question_to(const Run& run, int seat);
// The same, also of whoever chooses at the same time as the seat that the run asks first: of its choice they notice nothing. `ask_forced`:
// as it was set for the run.
std::optional<SeatQuestion> question_at_once_to(const std::shared_ptr<const Machine>& machine, const Run& run, int seat,
                                                bool ask_forced = false);

// Whether what a seat saw ends where the run waits: where it is asked that or, if it is not known what, at any node but an unseen lot,
// unless `at_lots`.
bool ends_here(Run& run, int seat, const std::optional<SeatQuestion>& question, bool at_lots);

// `P2 chooses card`, `P2 may choose card`, `P2 may fold`, `P2 may act challenge`, `over`: as it stands in a view of that seat.
std::string question_text(const Machine& machine, const SeatQuestion& question, const std::string& seat);
// Nothing where the game asks no such thing.
std::optional<SeatQuestion> read_question(const Machine& machine, const std::string& text, const std::string& seat);

}  // namespace houserule
