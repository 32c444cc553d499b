// A view that is typed line by line at a real table, with a deduction that follows it.
//
// Every line is followed by the deduction, and only then kept: a line that does not fit changes nothing. If only one event can come next,
// it is filled in. Lines may be typed in the syntax of views, or in a few words (typed_event.hpp).
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/companion/typed_event.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/next_events.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Typing {
    enum What {
        kept,
        known,         // it had been filled in already
        several,       // several things fit, which `fitting` lists
        does_not_fit,  // it can be read, as `tried`, but no world fits it
        out_of_turn,   // it would be read so if it were the turn of the seat that is named
        not_read,      // it cannot be read; `problems` says why a line of a view cannot
    } what = kept;
    std::vector<Events> fitting;
    Events tried;
    std::vector<std::string> problems;
    std::string rest = {};  // of what was typed: what comes after one of `fitting`

    bool is_refused() const { return what == does_not_fit || what == out_of_turn || what == not_read; }
};

class Companion {
public:
    Companion(std::shared_ptr<const Machine> machine, int seat);

    // Starts from a view; false, with nothing changed, if no world fits it.
    bool resume(const View& view);
    // Adds a line that somebody typed. `language`: of the messages if it cannot be parsed.
    Typing type(const std::string& text, Language language);
    // Adds what was meant, as a line; false, with nothing changed, if no world fits it.
    bool take(const Events& events);
    // That nothing more happened before somebody is asked, as far as this seat would have noticed it; false if that is known anyway.
    bool nothing_more();
    bool undo_nothing_more();
    // Removes the last line that was typed, with all that was filled in after it; false if there is none.
    bool undo();

    // A line as it was typed: how many events there were before it, and those that it told. What follows up to the next line was filled in.
    struct Line {
        std::size_t before = 0;
        Events told;
        std::string text = {};  // not yet read: of a line that `replace` brings; then `told` is what stood there
    };
    const std::vector<Line>& typed() const { return typed_; }
    // Other lines instead of those from number `first` on. When one does not fit, nothing is changed, and its number and what is wrong
    // come back.
    struct Clash {
        std::size_t line = 0;
        Typing typing;
    };
    std::optional<Clash> replace(std::size_t first, const std::vector<Line>& lines, Language language);

    const Machine& machine() const { return *machine_; }
    int seat() const { return seat_; }
    const Events& events() const { return events_; }
    // The index of the first event that belongs to the last line typed, which may have been put in before others.
    std::size_t last_typed() const { return typed_.empty() ? 0 : typed_[put_in_.value_or(typed_.size() - 1)].before; }
    // The number of the line that event number `i` belongs to, from 1; 0: it came before all of them.
    std::size_t line_of(std::size_t i) const;
    const NextEvents& next() const { return next_; }
    // What can come next but what may be done at any time, in an order that stays; then that.
    std::vector<Event> next_in_turn() const;
    std::vector<Event> next_at_any_time() const;
    // The one of next_in_turn() in which nobody does what they need not do, if that is one alone.
    std::optional<Event> usual() const;
    const TypedEvents& words() const { return words_; }
    Deduction& deduction() { return *deduction_; }
    // Whether something may have happened since that was not told yet, before anybody is asked.
    bool may_be_told_more() const { return !blind_ && deduction_->may_be_told_more(); }
    // Whether that nothing happened can be all there is to say before the next choice: no draw, fact or move has to come first.
    bool may_go_on_without() const { return may_be_told_more() && (next_.choice_first || next_.histories == 0); }
    // Whether the deduction has given up (a limit was hit): lines are then kept without being checked.
    bool blind() const { return blind_; }
    // The whole view as text.
    std::string text() const;
    // Who sits where, as it was said; kept in the text.
    std::map<int, std::string> names;
    // Where the rules are, where they would not be found without that; kept in the text.
    std::string file;

private:
    bool take_here(const Events& events);
    bool take_among(const Events& events);
    bool alike(const Events& a, const Events& b) const;
    bool are_of_one(const std::vector<Reading>& readings) const;
    bool type_among(const std::string& text);
    bool add(const Events& events);
    bool fits(const Events& events) const;
    // Where what was filled in after the line typed last begins.
    std::size_t filled_in_from() const;
    // All lines from that number on become one, which begins at that event.
    void join_lines(std::size_t lines, std::size_t before);
    void go_back(std::size_t events);
    void look_ahead();
    void fill_in();
    std::optional<View> read(const std::string& line, Diagnostics& diagnostics) const;
    bool add_readings(const View& view);
    bool is_filled_in(const Events& events) const;
    bool is_known(const std::string& text) const;
    Typing one_of(std::vector<Reading> readings);
    Seats in_turn() const;
    // Whether the text names people, and nobody whose turn it is.
    bool names_others(const std::string& text) const;
    Typing type_in_script(const std::string& text, Language language);
    Typing type_now(const std::string& text, Language language);
    Typing type_short(const std::string& text);
    std::optional<std::size_t> place_for(const Events& events) const;
    Events moves_of_players() const;
    Events words_of_players() const;
    Events shows_of_players() const;
    Typing type_in_between(const std::string& text, const Typing& refused);
    std::optional<Events> after_nothing_was_done(const std::string& text);
    Typing type_after_usual(const std::string& text, const Typing& refused);
    Typing type_after_fact(const std::string& text, const Typing& refused);
    Typing type_parts(const std::vector<std::string>& parts);
    Typing type_call(const std::string& text);
    bool type_each(const std::string& text);
    bool type_one_after_other(const std::string& text);

    std::shared_ptr<const Machine> machine_;
    int seat_;
    TypedEvents words_;
    Events events_;
    std::vector<Line> typed_;
    std::unique_ptr<Deduction> deduction_;
    NextEvents next_;
    Events ever_;  // what could ever come next, one of each form: all there is to go by when the deduction has given up
    bool blind_ = false;
    std::optional<std::size_t> put_in_;        // the line typed last, if others follow on it
    std::optional<std::size_t> silent_after_;  // how many events there were when it was said that nothing more happened
};

}  // namespace houserule::cli
