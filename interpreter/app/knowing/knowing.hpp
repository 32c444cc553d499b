// What `hint`, `worlds` and `why` share: reading what a seat saw from a log or view, deducing from it, and putting the results into words.
//
// A log is replayed and masked for the seat; a view is read as it is. Line numbers are those of the file. What the seat does not see is
// never printed, even if the log has it.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/knowing/arguments.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Seen {
    // Where the view was cut off, as what follows is seen but cannot be followed.
    struct Cut {
        Limit why;
        std::size_t all = 0;                // so many events there were
        std::optional<std::uint32_t> line;  // the last line that is left
    };

    OpenText text;
    View view;
    std::optional<Cut> cut{};
    bool is_not_asked = false;      // whoever wrote it down knew what is asked, and that is not the seat
    bool leaves_out_since = false;  // it is not followed to what the seat is asked: what others may have decided unseen is left out

    const Machine& machine() const { return *text.machine; }
    const Game& game() const { return text.machine->game; }
    // The line of the file, from 1, that event number `i` comes from; nothing if it followed from other lines.
    std::optional<std::uint32_t> line(std::size_t i) const;
    // How much that is, in a sentence; empty where nothing was cut off. `at_table`: told to whom lines have no numbers.
    std::string until_words(const Globals& g, bool at_table = false) const;
    // The same for a document: the line, so many events, of so many. Like what follows only where something was cut off.
    nlohmann::ordered_json until_json() const;
    std::string not_followed(const Globals& g) const;  // why, in a sentence
    SeenTo told() const {
        return {cut ? Told::as_far_as_followed : view.head.so_far ? Told::so_far : Told::up_to_question, view.head.question};
    }
};

// What follows from where the view ends, besides its lines: that nothing more was seen, that the seat is asked, that the game is over.
std::string end_words(const Seen& seen, const Globals& g);

// By the clock if there is `--time`, else by work.
DeductionLimits limits_of(const KnowingArgs& args);
// The values of a thing for which it was not decided whether they are possible, in a list; empty if there are none.
std::string undecided_words(const Game& game, const HiddenThing& thing, const Globals& g);

// Of `hint --json`, and of what the others print when nothing fits or nothing was found out. In the first version `possible` had two
// values: what was not decided counted as possible.
inline constexpr const char* hint_schema = "houserule-hint-3";

struct Deduced {
    std::unique_ptr<Deduction> deduction;
    Fit fit = Fit::unknown;
    bool all_read = true;             // false: none of the readings that were tried fits, and others were not tried; then `fit` is unknown
    std::vector<std::string> limits;  // hit while following the view, besides those of `Knowledge`
};

// What a seat saw, with a deduction that must be done by `begun + time` (`--time`; without it the clock ends nothing).
struct Known {
    Seen seen;
    Deduced deduced;
    Deadline::Clock::time_point begun;
    std::optional<std::chrono::milliseconds> time;

    Deduction& deduction() const { return *deduced.deduction; }
    // The point in time at which `percent` of the time is used up.
    Deadline until(int percent) const { return {time ? begun + *time * percent / 100 : Deadline::Clock::time_point::max(), &stop()}; }
    // The limits that were hit, first while following the view, then in the knowledge, as sentences.
    std::vector<std::string> limits(const Globals& g) const;
};

// Reads the log or view of `args`. Nothing, after a message and with `exit_code` set, if it cannot be read. `prepare` may change the game
// after it was read.
std::optional<Seen> seen_from(const KnowingArgs& args, const Globals& g, int& exit_code,
                              const std::function<bool(OpenText&)>& prepare = {});
// The same, and starts the deduction; a line with several readings is taken as one that fits, and where not all can
// be followed, it is of what was known as far as it could be: see Seen::cut. Nothing if there can be no answer; that was then printed, and
// `exit_code` is set.
std::optional<Known> known_from(const KnowingArgs& args, const Globals& g, int& exit_code,
                                const std::function<bool(OpenText&)>& prepare = {});
// What a seat saw at a table that is kept here and not read from a text.
Seen seen_at_table(std::shared_ptr<const Machine> machine, View view);
// What can be deduced from what was seen, as far as it could be followed; what could not is cut off.
Deduced deduced_from(Seen& seen, const DeductionLimits& limits, const Deadline& until, const Globals& g);

// How a game came out that is over in all that fits, as far as everybody at the table knows; else empty.
std::string known_result(Deduction& deduction, int seat, const Globals& g);

// A Reason with its line in the file and the paragraph of the rules that it comes from.
struct Ground {
    std::optional<std::uint32_t> line;
    std::optional<std::uint32_t> after;  // if the event has no line of its own: the last line before it
    std::optional<Event> event;          // none: the condition arose after the last event
    std::string paragraph;               // the rule, act or end, or `setup`; may be empty
};
std::vector<Ground> grounds(const Seen& seen, const Deduction& deduction, const std::vector<Reason>& reasons);
// A sentence each.
std::vector<std::string> ground_lines(const Seen& seen, const std::vector<Ground>& grounds, const Globals& g, bool at_table = false);
// `line`, `event` and `rule` of each.
nlohmann::ordered_json ground_json(const Seen& seen, const std::vector<Ground>& grounds);

// `57.1 %`; never 0 or 100 when it is neither.
std::string percent(const Rational& share, const Globals& g);
// The share of a possibility, with its error where it was estimated: `57.1 % ± 2.3 %`.
std::string share_words(const Knowledge& known, const Possibility& p, const Globals& g);
// Whether `args` ask for shares by deals, not by histories; and by that measure, the weight and the share of at least one copy. Nothing
// without shares.
bool is_by_deals(const KnowingArgs& args);
std::optional<Rational> weight_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args);
std::optional<Rational> share_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args);
// The measure of shares, for a heading that begins with `Shares`; in Japanese the whole heading.
std::string measure_words(const KnowingArgs& args, const Globals& g);
// A number in words: exactly up to fifteen digits, else approximately.
std::string about(const Integer& n);
// A hidden place or fact: by its label, and by its identifier.
std::string thing_words(const Game& game, const HiddenThing& thing, const Globals& g);
std::string thing_name(const Game& game, const HiddenThing& thing);
std::string possibility_words(const Game& game, const HiddenThing& thing, std::int32_t value, const Globals& g);
std::string possibility_name(const Game& game, const HiddenThing& thing, std::int32_t value);
// A list of kinds from counts by kind.
std::vector<KindId> kinds_of(const std::vector<Value>& counts);

// Print the answer when nothing fits, and when nothing was found out; the result is the exit code.
int tell_misfit(const Seen& seen, const Deduced& deduced, const KnowingArgs& args, const Globals& g);
int tell_unknown(const Deduced& deduced, const KnowingArgs& args, const Globals& g);
// When there was no time to read all of it.
int tell_unread(const KnowingArgs& args, const Globals& g);

}  // namespace houserule::cli
