// What `hint`, `worlds` and `why` have in common: what a seat saw, from a log or a view, what follows from it, and how that is told.
//
// A log is replayed and masked for the seat; a view is read as it stands. Line numbers are those of the file. What a seat does not see
// is never printed, even when the log has it.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/knowing/arguments.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Seen {
    OpenText text;
    View view;

    const Machine& machine() const { return *text.machine; }
    const Game& game() const { return text.machine->game; }
    // The line of the file that event number `i` comes from, counted from 1; nothing when it followed by itself.
    std::optional<std::uint32_t> line(std::size_t i) const;
};

DeductionLimits limits_of(const KnowingArgs& args);

struct Deduced {
    std::unique_ptr<Deduction> deduction;
    Fit fit = Fit::unknown;
    std::vector<std::string> limits;  // of reading, beside those of `Knowledge`
};

// What a seat saw and what follows from it, within `--time` since it was asked for.
struct Known {
    Seen seen;
    Deduced deduced;
    std::chrono::steady_clock::time_point begun;
    std::chrono::milliseconds time;

    Deduction& deduction() const { return *deduced.deduction; }
    // The end of the first `percent` of the time.
    std::chrono::steady_clock::time_point until(int percent) const { return begun + time * percent / 100; }
    // Limits of reading, then of knowledge, as sentences.
    std::vector<std::string> limits(const Globals& g) const;
};
// Reads the text of `args`, follows it (where a line can mean several things, as what fits) and leaves a deduction that answers in time.
// Nothing when there is no answer, which was then told: `exit_code` is the program's. `prepare` may change the game once it is read.
std::optional<Known> known_from(const KnowingArgs& args, const Globals& g, int& exit_code,
                                const std::function<bool(OpenText&)>& prepare = {});

// A reason with its place in the file and the paragraph of the rules that it comes from.
struct Ground {
    std::optional<std::uint32_t> line;
    std::optional<std::uint32_t> after;  // without a line of its own: the last one before it
    std::optional<Event> event;          // none: what was seen had ended
    std::string paragraph;               // the rule, act or end, or `setup`; may be empty
};
std::vector<Ground> grounds(const Seen& seen, const Deduction& deduction, const std::vector<Reason>& reasons);
// A sentence each.
std::vector<std::string> ground_lines(const Seen& seen, const std::vector<Ground>& grounds, const Globals& g);
// `line`, `event` and `rule` of each.
nlohmann::ordered_json ground_json(const Seen& seen, const std::vector<Ground>& grounds);
// By kind: how many copies lie where the seat sees them. None when no history can be drawn.
std::vector<Value> copies_in_sight(const Seen& seen, Deduction& deduction);

// `57.1 %`; never 0 or 100 when it is neither.
std::string percent(const Rational& share, const Globals& g);
// The share of a possibility, with its error where it was estimated: `57.1 % ± 2.3 %`.
std::string share_words(const Knowledge& known, const Possibility& p, const Globals& g);
// What is asked for: shares by deals, or by histories. The weight of at least one copy, and its share of all; nothing without shares.
bool is_by_deals(const KnowingArgs& args);
std::optional<Rational> weight_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args);
std::optional<Rational> share_of(const Knowledge& known, const Possibility& p, const KnowingArgs& args);
// What shares are shares of, for a heading that begins with `Shares`; in Japanese the whole heading.
std::string measure_words(const KnowingArgs& args, const Globals& g);
// Up to fifteen digits, then about how many.
std::string about(const Integer& n);
// A place or fact as people call it, and as an identifier.
std::string thing_words(const Game& game, const HiddenThing& thing, const Globals& g);
std::string thing_name(const Game& game, const HiddenThing& thing);
std::string possibility_words(const Game& game, const HiddenThing& thing, std::int32_t value, const Globals& g);
std::string possibility_name(const Game& game, const HiddenThing& thing, std::int32_t value);
// Kinds, each as often as it lies there.
std::vector<KindId> kinds_of(const std::vector<Value>& counts);

// The answer when nothing fits or nothing was found out; the exit code.
int tell_misfit(const Seen& seen, const Deduced& deduced, const KnowingArgs& args, const Globals& g);
int tell_unknown(const Deduced& deduced, const KnowingArgs& args, const Globals& g);

}  // namespace houserule::cli
