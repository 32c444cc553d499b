// What the quoted texts of a rules file say, as far as words tell: the sentences under a rule, and figures, directions and duties in them.
//
// In English the beginnings of words are read, in Japanese parts of a sentence. What is not understood says nothing. For solver/leads and
// solver/validate.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

struct Quote {
    std::string language;
    std::string text;
    Span span;
};

// What a quoted text can answer.
enum class Topic : std::uint8_t {
    direction,
    first,
    next_first,  // who begins the next round
    must,
    may,
    tie,
    several,  // more than one fits
    once,
    once_a_game,
    or_more,
    leftovers,
    evenly,
    none,
    alone,
    together,  // at the same time
    seen,      // whether cards lie open
    talk,
    agree,        // those who judge
    nought,       // whoever has none
    still,        // only those who are still in
    often,        // again and again, or so many times
    either,       // whether it comes off or not
    last_one,     // when one player is left
    immediately,  // without anything else before it
    forced,       // whether whoever can must
    declined,     // whether one may do nothing
    back,         // where something goes when it has been used
    of_each,      // all of several, not one of them
    until_then,   // when an end is looked at
    after_deal,   // before or after cards are seen
    worthless,    // what counts for nobody
    others,       // everybody but one
    forfeited,    // what was not made safe is gone
    who_begins,   // who is first in the game
    picked,       // how one card is taken of several that are not seen
    stands_in,    // who begins if the one who would is out, or nobody
    a_player,     // somebody, and perhaps oneself
    not_oneself,  // somebody else, or oneself as well
    just_drawn,   // whether what was just drawn may be used
    runs_out,     // what happens when there are fewer, or no more
    nobody_wins,  // that a game can end without a winner
    all_lose,     // that it does
};

class Quotes {
public:
    explicit Quotes(const Syntax& syntax);

    // The texts of that rule, act, end or option, and of what is asked in it; `setup` and `play` are names too, and the game's own text has
    // its name.
    const std::vector<Quote>& of(const std::string& name) const;
    const std::map<std::string, std::vector<Quote>>& all() const { return quotes_; }
    // Whether one of the texts of that name says such a thing.
    bool say(const std::string& name, Topic what) const;
    // Whether some text says who is first in the game, in a sentence that is not about who begins the next time.
    bool say_who_begins() const;
    // Whether some sentence is about a tie and about winning.
    bool say_who_wins_a_tie() const;
    // Whether some sentence has that number together with one of the words (a beginning of four letters is enough).
    bool number_with(std::int64_t number, const std::vector<std::string>& words) const;
    // The numbers that stand before that name in the texts of the set-up: `everybody gets 15 coins`.
    std::set<std::int64_t> starts_said(const std::string& name) const;

private:
    // `within`: the name of the declaration that the node stands in.
    void read(const SyntaxNode& node, const std::string& language, std::string within);
    bool any_sentence(const std::function<bool(const std::string&)>& f) const;
    void add(const std::string& name, const std::string& language, const SyntaxNode& text);

    std::set<std::string> declared_;
    std::map<std::string, std::vector<Quote>> quotes_;
};

bool says(std::string_view text, Topic what);
// The numbers in a text, in digits or words, from `least` on: one is often no figure.
std::set<std::int64_t> numbers_said(std::string_view text, std::int64_t least = 2);
// Those that stand just before a noun in an English text; a beginning of the noun is enough.
std::set<std::int64_t> numbers_before(std::string_view text, const std::string& noun);
// `More than seven`, `at most 7`, `7枚まで` let seven be; `8 or more`, `fewer than 8`, `8枚以上` draw the line there too.
struct LimitSaid {
    std::int64_t number = 0;  // as it is written
    std::int64_t most = 0;    // the largest on the lower side
};
std::vector<LimitSaid> limits_said(std::string_view text);
// Whether a word of an English text begins so, or a Japanese one has it.
bool has_word(std::string_view text, std::string_view word);
// Split where a sentence ends.
std::vector<std::string> sentences(std::string_view text);

}  // namespace houserule
