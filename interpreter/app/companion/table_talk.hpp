// What the companion says: what happened and what can come next, in sentences, and what is wrong with a line that does not fit.
#pragma once

#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/companion/companion.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

class TableTalk {
public:
    TableTalk(Companion& companion, const Globals& g) : companion_(companion), g_(g) {}

    // What happened from event number `first` on, a line each.
    std::string sentences(std::size_t first) const;
    // The same of typed line number `i`, counted from 0, with what was filled in after it; its number before it.
    std::string line(std::size_t i) const;
    // All lines, numbered.
    std::string numbered() const;
    // The table as this seat sees it.
    std::string table() const;

    bool is_over() const;
    // What can come next. `offered` gets what the numbers stand for. A call has none: it is typed in full.
    std::string what_is_next(std::vector<Events>& offered) const;
    // The same with everything that was met, even if it is long.
    std::string all_that_is_next(std::vector<Events>& offered) const;
    // When several things fit: those, or a question when they are many.
    std::string which(const std::vector<Events>& fitting, std::vector<Events>& offered) const;
    // What is wrong with a line that was not kept.
    std::string why_not(const std::string& text, const Typing& typing) const;
    // What is wrong with line number `number` after a change before it.
    std::string clash(std::size_t number, const Companion::Line& line, const Typing& typing) const;

private:
    std::string said_word(const std::string& text) const;
    std::string call_meant(const std::string& text, bool of_all) const;
    std::string sentence(const Event& e) const;
    std::string sentence(const Events& events) const;
    std::string told(std::size_t first, std::size_t end, const std::string& before) const;
    std::string each_value(const Form& form) const;
    std::string in_runs(const Form& form) const;
    std::string form_sentence(const Form& form) const;
    std::string coming(const Event& e) const;
    std::string who_did(std::vector<Form>& forms) const;
    std::string calls() const;
    std::string not_read(const std::string& text, const Typing& typing) const;
    std::string out_of_turn() const;
    std::string why_not_there(const Event& e) const;
    std::string lies_elsewhere(const Event& e, KindId kind) const;
    bool sees(PlaceId place) const;
    Listener listener() const { return {seat_bit(companion_.seat()), companion_.seat()}; }
    std::string people(Seats who) const;

    Companion& companion_;
    const Globals& g_;
};

// A change of the lines that were typed: `5 TEXT`, `5 -` (away with it), `5 + TEXT` (before it).
struct LineEdit {
    enum What { change, remove, insert } what = change;
    std::size_t line = 0;  // counted from 0
    std::string text;
};
// Several with `;`. Nothing when it cannot be read, or there is no such line of so many.
std::optional<std::vector<LineEdit>> read_edits(const std::string& text, std::size_t lines);

// The lines from `first` on after the changes, each with the number that it had or will have.
struct EditedLines {
    std::size_t first = 0;
    std::vector<Companion::Line> lines;
    std::vector<std::size_t> numbers;  // from 1
};
EditedLines edited_lines(const std::vector<Companion::Line>& typed, const std::vector<LineEdit>& edits);

}  // namespace houserule::cli
