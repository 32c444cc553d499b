// A view that is written down line by line at a real table, and what follows from it.
//
// Every line is read, followed by the deduction, and only then kept: a line that does not fit changes nothing. What can only happen in
// one way is filled in. Lines may be typed in the syntax of views or shortened to what tells them from all that can happen next.
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
        known,         // it was filled in already
        several,       // several things fit: `lines`
        does_not_fit,  // it can be read, but no world fits
        not_read,      // `lines`: why
    } what = kept;
    std::vector<std::string> lines;
};

class Companion {
public:
    Companion(std::shared_ptr<const Machine> machine, int seat);

    // Begins with a view instead; false when no world fits it: then nothing was taken.
    bool resume(const View& view);
    // `language`: of what is said when it cannot be read.
    Typing type(const std::string& text, Language language);
    // Event number `i` of those that can come next.
    Typing choose(std::size_t i);
    // Takes back what was typed last, with all that was filled in; false when there is nothing.
    bool undo();

    const Machine& machine() const { return *machine_; }
    int seat() const { return seat_; }
    const Events& events() const { return events_; }
    // Events before this one were there when the last line was typed, this one and those after it are that line's.
    std::size_t last_typed() const { return typed_.empty() ? 0 : typed_.back(); }
    const NextEvents& next() const { return next_; }
    Deduction& deduction() { return *deduction_; }
    // Nothing can be found out any more: lines are kept as they are typed.
    bool blind() const { return blind_; }
    std::string line(const Event& event, const std::string& language = "") const { return event_line(*machine_, event, seat_, language); }
    // From event number `first` on; cards dealt one after the other in one line.
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
