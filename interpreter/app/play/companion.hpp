// A view that is typed line by line at a real table, with a deduction that follows it.
//
// Every line is parsed, followed by the deduction, and only then kept: a line that does not fit changes nothing. If only one event can come
// next, it is filled in. Lines may be typed in the syntax of views, or abbreviated to what distinguishes them from other possible events.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/next_events.hpp"

#include <memory>
#include <string>
#include <vector>

namespace houserule::cli {

struct Typing {
    enum What {
        kept,
        known,         // it had been filled in already
        several,       // several events fit, which `lines` lists
        does_not_fit,  // it can be parsed, but no world fits it
        not_read,      // it cannot be parsed; `lines` says why
    } what = kept;
    std::vector<std::string> lines;
};

class Companion {
public:
    Companion(std::shared_ptr<const Machine> machine, int seat);

    // Starts from a view; false, with nothing changed, if no world fits it.
    bool resume(const View& view);
    // Adds a line that somebody typed. `language`: of the messages if it cannot be parsed.
    Typing type(const std::string& text, Language language);
    // Adds event number `i` of next().
    Typing choose(std::size_t i);
    // Removes the last line that was typed, with all that was filled in after it; false if there is none.
    bool undo();

    const Machine& machine() const { return *machine_; }
    int seat() const { return seat_; }
    const Events& events() const { return events_; }
    // The index of the first event that belongs to the last line typed.
    std::size_t last_typed() const { return typed_.empty() ? 0 : typed_.back(); }
    const NextEvents& next() const { return next_; }
    Deduction& deduction() { return *deduction_; }
    // Whether the deduction has given up (a limit was hit): lines are then kept without being checked.
    bool blind() const { return blind_; }
    std::string line(const Event& event, const std::string& language = "") const { return event_line(*machine_, event, seat_, language); }
    // The lines from event number `first` on; consecutive deals in one line.
    std::vector<std::string> lines(std::size_t first, const std::string& language) const;
    // The whole view as text.
    std::string text() const;

private:
    bool add(const Events& events);
    void go_back(std::size_t events);
    void fill_in();
    std::optional<View> read(const std::string& line, Diagnostics& diagnostics) const;
    bool add_readings(const View& view);
    bool is_filled_in(const View& view) const;
    std::vector<std::size_t> shortened(const std::string& text) const;
    Typing type_short(const std::string& text);

    std::shared_ptr<const Machine> machine_;
    int seat_;
    Random random_{1};
    Events events_;
    std::vector<std::size_t> typed_;  // by line: how many events there were before it
    std::unique_ptr<Deduction> deduction_;
    NextEvents next_;
    bool blind_ = false;
};

}  // namespace houserule::cli
