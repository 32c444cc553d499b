// Well-typed statements. As with expressions, a production makes one construct and asks for what stands inside it by what it is.
#pragma once

#include "tests/random/generator/expressions.hpp"
#include "tests/random/generator/names.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace houserule::random_games {

struct Callable {
    std::string name;
    std::vector<Local> parameters;
};

// What can be named by statements.
struct Script {
    std::vector<Callable> rules;
    std::vector<Callable> ends;
    std::vector<std::string> acts;
    std::vector<std::string> match_ends;
    std::vector<std::pair<std::string, std::string>> silences;  // declarations `assume` or `unclear`, and their names
    int could_take_zones = 0;                                   // how often a rule could be
    bool takes_zones = false;                                   // a rule is called that takes zones
    std::set<std::string> offered;                              // acts
    bool careless = false;                                      // half of the statements may break promises, not a few
    std::map<std::string, std::uint64_t> written;               // statement and the place where it stands: how often
};

struct Context {
    Scope scope;
    std::string where = "play";  // what it is in, to be counted
    int depth = 3;
    int first_rule = 0;   // rules from here on may be called
    int own_rule = -1;    // which can be stopped
    bool asks = true;     // decisions may stand here
    bool plain = false;   // where several act at once: no more than put, becomes, says, show, if
    bool at_end = false;  // an end is running
    bool match = false;
    int loops = 0;
    bool keeps_deck = false;  // no card goes to the first zone
};

class Statements {
public:
    Statements(Choices& choices, const Vocabulary& words, const Avoiding& avoiding, Names& names, Script& script)
        : choices_(choices), words_(words), avoiding_(avoiding), names_(names), script_(script), expressions_(choices, words, avoiding) {}

    static constexpr int most_of_play = 8;
    std::string block(const Context& context, int most = 4);
    std::string body(const Context& context);
    std::string subject(const Type& type, const Context& context,
                        Level level);  // what a statement begins with  // `: one` or `{ several }`
    std::string weights(const Type& type);
    // `{ decisions, then what follows from them }`, where several decide at once; for the first of them it may be asked before, for each,
    // whether there is something to choose.
    std::string decisions(Context&, const std::string& who, std::string* something = nullptr);
    std::string some_or_none(Context& c, const std::string& who, Scope& knows);
    std::string dealing_last(std::string body, const Context& c);
    // From the deck to each place of the zone, as the game begins.
    std::string first_deal(const Zone& to);
    // Whether promises are kept in the next statement, or expression.
    bool is_careful() { return script_.careless ? choices_.chance(1, 2) : choices_.chance(31, 32); }
    static std::vector<std::string> names(bool plain);  // of the statements; of those that may stand where several act at once
    Expressions& expressions() { return expressions_; }

private:
    friend struct StatementProduction;

    std::string becomes(Context&);
    std::string let(Context&);
    std::string says(Context&);
    std::string show(Context&);
    std::string stop(Context&);
    std::string end(Context&);
    std::string nothing(Context&);
    std::string judged(Context&);
    std::string put(Context&);
    std::string put_all(Context&);
    bool as_zones(const std::string& places, const Context& c);
    std::string deal(Context&);
    // How many places of a zone there are, in words of the language.
    std::string receivers(const Zone& zone) const;
    std::string draw(Context&);
    std::string draw_from(const Zone& deck, Context&);
    std::string draw_blindly(Context&);
    static Scope later(const Context&);
    std::string shuffle(Context&);
    std::string must(Context&);
    std::string must_several(Context&);
    std::string may(Context&);
    std::string may_do(Context&);
    std::string may_several(Context&);
    std::string anybody_may(Context&);
    std::string says_value(Context&);
    std::string dice(Context&);
    std::string together(Context&);
    std::string together_put(Context&);
    std::string table(Context&);
    std::string chance(Context&);
    std::string offer(Context&);
    std::string each_player(Context&);
    std::string each_element(Context&);
    std::string each_number(Context&);
    std::string repeat_until(Context&);
    std::string repeat_while(Context&);
    std::string repeat_times(Context&);
    std::string repeat_down(Context&);
    std::string if_then(Context&);
    std::string cases(Context&);
    std::string cases_together(Context&);
    std::string cases_of(Context&);
    std::string reading(Context&);
    std::string assume(Context&);
    std::string call(Context&);
    bool can_call(const Context&) const;
    bool can_say_value(const Context&) const;
    bool has_dice(const Context&) const;
    std::vector<const Callable*> callable(const Context&) const;
    std::vector<std::pair<std::string, std::string>> sayable(const Context&) const;  // who, what
    std::vector<const Fact*> dice_facts(const Context&) const;
    bool can_stop(const Context&) const;
    bool can_end(const Context&) const;
    bool can_offer(const Context&) const;
    bool has_cards(const Context&) const;
    bool has_stack(const Context&) const;
    bool has_set(const Context&) const;
    bool has_fact(const Context&) const;
    bool asks(const Context&) const;
    bool not_nested(const Context&) const;

    struct Actor {
        std::string text;
        Scope knows;  // what may be read when this player decides
    };
    Actor actor(const Context&);
    std::string arguments(const Callable& of, const Context&);
    std::string owner(const Context&);
    Context inner(const Context&, const std::string& where) const;
    Context deeper(const Context&) const;
    std::string target(const Context&, std::uint32_t families, bool several, bool unordered);
    bool has_room(const Zone& zone) const { return zone.shape != Shape::one && zone.at_most == 0; }
    std::vector<const Zone*> targets(const Context&, std::uint32_t families, bool several) const;
    void needs_room(const Context&, const Zone& zone, const Written& place);
    void needs_some(const Context&, const Written& from, int least = 1);
    std::string guarded(const std::string& statement, const std::vector<std::string>& conditions, const Context&);
    // A text that asks for a decision, now and then: ` "Which {a} {b's c}?"`.
    std::string question(const Actor&);
    std::string several(const Actor&, Context&, bool may);
    // A fact that a lot or a report becomes.
    std::optional<std::string> fact_told(const Context&, const Type& of);

    Choices& choices_;
    const Vocabulary& words_;
    const Avoiding& avoiding_;
    Names& names_;
    int caught_ = 0;  // draws that say what happens when there is no card
    Script& script_;
    Expressions expressions_;
};

}  // namespace houserule::random_games
