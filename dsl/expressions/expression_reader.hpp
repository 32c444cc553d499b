// Reads the expressions of a file: what each name, operator and comprehension means, and of which type it is.
#pragma once

#include "dsl/expressions/scopes.hpp"
#include "dsl/expressions/type_algebra.hpp"
#include "dsl/variant/merge.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

// What a global name stands for.
struct Meaning {
    enum What {
        zone,
        fact,
        places,
        rule,
        define,
        enumeration,
        value,
        family,
        kind,
        number,
        act,
        end,
        match,
        option,
        game,
        word
    } what = zone;
    Operand id = no_id;       // index in its store; for a value: the enum
    std::int32_t amount = 0;  // of a value, kind, option or number
    const SyntaxNode* node = nullptr;
    Type type;
};

// What a zone or fact `NAME at 1..5` stands for: a zone or fact NAME_1 … NAME_5 for each of the numbers.
struct Places {
    bool zone = false;
    std::int32_t low = 0;
    std::int32_t high = 0;
    std::vector<Operand> each{};
};

// Whether an expression consists of number literals only, and so is the same in every variant.
bool is_written(const SyntaxNode& node);

class ExpressionReader : public TypeAlgebra {
protected:
    using Node = SyntaxNode;
    using TypeAlgebra::TypeAlgebra;

    ExpressionId expression(const Node& node);
    ExpressionId truth(const Node& node);
    ExpressionId number(const Node& node);
    ExpressionId player(const Node& node);
    ExpressionId players(const Node& node);  // a set of players
    ExpressionId cards(const Node& node);
    ExpressionId place(const Node& node);
    // The value of `e`, which is read from `node`; nothing, and a report, if it is no constant.
    std::optional<std::int32_t> constant_of(ExpressionId e, const Node& node);
    std::optional<std::int32_t> constant_number(const Node& expression);
    // How many: a whole number. A constant is at least `least`, which messages say after `word`; what is computed is checked where it is
    // used.
    ExpressionId count(const Node& node, const Phrase& word, std::int32_t least = 0);
    // Constant folding: the constant, also a set, if `e` reads no state and breaks no promise; else `e`.
    ExpressionId folded(ExpressionId e);
    // Both ends of a range of whole numbers, which may be of any length; nothing, and a report, of others.
    std::optional<std::pair<ExpressionId, ExpressionId>> whole_range(const Node& range);
    // As `count`, of what must be a constant; nothing, and a report, if it is none.
    std::optional<std::int32_t> constant_count(const Node& node, const Phrase& word, std::int32_t least = 0);
    // Reports a range of written numbers that begins with the larger one. Ranges that are computed may be empty.
    Diagnostic* report_falling(const Node& low, const Node& high, Span span, const Phrase& word);
    std::vector<std::int32_t> constant_players(const Node& expression);
    ExpressionId call_define(const Node& define, const std::vector<ExpressionId>& args, const Node& at);
    // Runs `f` with `it` (and `name`, if given) standing for an element of `set`; gives the bound.
    BoundId comprehend(ExpressionId set, const Node* name, bool with_it, const std::function<void()>& f);
    const Node* chosen_reading(const Node& node);
    ExpressionId equal(ExpressionId a, ExpressionId b, Span span);
    ExpressionId cases_expression(const Node& node, bool of);
    // What `cases of` compares with each arm.
    ExpressionId subject_of_cases(const Node& node);
    // That one of the arm's conditions holds or, with `of`, that the subject is one of its values.
    ExpressionId arm_condition(const Node& arm, bool of, ExpressionId subject);

    // --- names
    // False, after a report, when something is called so already.
    bool declare_name(const Node& name, Meaning meaning);
    EnumId declare_values(const std::string& name, const std::vector<const Node*>& values);
    Type read_type(const Node& d, std::size_t& at, const std::string& name);
    Type read_one_type(const Node& d, const std::string& name);
    void types_are(Diagnostic& d) const;
    // Reports a name inside a rule that the game has already.
    void must_be_free(const Node& name);
    void bind(const Node& name, Local local);
    Diagnostic& unknown_name(const Node& name, const std::vector<std::string>& also = {});
    Diagnostic& report_other(bool is_something, const Node& name, const Phrase& what);

    Merged merged_;
    // The cards that a condition on sets judges, as a name in it.
    virtual VariableId judged_set(const std::string& name, const Type& cards) = 0;
    // What `NAME at n` refers to where NAME was declared `at low..high`: its places, and whose. Nothing for anything else.
    struct AtPlace {
        const Places* places = nullptr;
        std::string name;
        ExpressionId owner = no_id;
    };
    std::optional<AtPlace> at_place(const Node& node);
    // Which one is meant; broken, and a report, when it is none of them.
    ExpressionId place_number(const AtPlace& of, const Node& node);
    ExpressionId place_number(const AtPlace& of, ExpressionId number, Span span);
    // The numbers of the places that it may be, and whether it may be none of them.
    std::pair<std::vector<std::int32_t>, bool> possible_places(const AtPlace& of, ExpressionId number) const;
    ExpressionId is_place(ExpressionId number, std::int32_t n, Span span);
    // Whether the parameter is a zone: the argument is substituted, and the rule or define is read again for each argument.
    bool is_zone(const Node& parameter) const;
    bool has_zones(const Node& declaration) const;
    // The place that is given for such a parameter: that of one zone, or one of several; broken, and a report, if it is none.
    ExpressionId given_place(ExpressionId e);
    Local zone_local(ExpressionId zone) const { return {zone, no_id, false, true}; }
    // The zone of that player or value; `owner` is none of a zone of the table.
    ExpressionId zone_of(ZoneId zone, ExpressionId owner, Span span);

    std::map<std::string, Meaning> globals_;
    std::map<std::string, Places> places_;  // by name
    Scopes scopes_;
    std::set<std::string> used_;
    std::vector<std::string> defining_;  // defines being read, innermost last
    // How many parts a step of `by 0.5` cuts one into; 0, and a report, for other steps.
    std::int32_t parts_of_one(const Node& by);
    bool in_claim_ = false;
    ExpressionId added(ExpressionId left, ExpressionId right, Span span);
    ExpressionId subtracted(ExpressionId left, ExpressionId right, Span span);

private:
    ExpressionId expression_inner(const Node& node);
    ExpressionId operation(const Node& node);
    ExpressionId condition(const Node& node);
    // --- kinds of expressions
    ExpressionId number_of(ExpressionId e, const Node& node);
    ExpressionId literal(const Node& node);
    ExpressionId number_literal(const Node& node);
    ExpressionId seat(const Node& node);
    ExpressionId all_players(const Node& node);
    ExpressionId it(const Node& node);
    ExpressionId both_or_either(const Node& node);
    ExpressionId opposite(const Node& node);
    std::int64_t most_cards(ExpressionId cards) const;
    ExpressionId size(const Node& node);
    ExpressionId kinds(const Node& node);
    const Zone* unordered_zone(ExpressionId place) const;
    ExpressionId ordered_place(const Node& node, Span span);
    ExpressionId end_card(const Node& node);
    ExpressionId every_owner(const Places& places, Span span);
    ExpressionId owners(const Zone& zone, Span span);
    ExpressionId every_place(const std::string& name, ExpressionId owner, Span span);
    ExpressionId at_number(const Node& node);
    ExpressionId nth_card(const Node& node);
    ExpressionId any_of(const Node& node);
    ExpressionId next_in(const Node& node);
    ExpressionId if_expression(const Node& node);
    ExpressionId misplaced(const Node& node);
    ExpressionId name_expression(const Node& node);
    ExpressionId global(const Meaning& m, const Node& node, const std::string& name);
    ExpressionId indexed(const Meaning& m, ExpressionId index, Span span, const std::string& name);
    ExpressionId call_expression(const Node& node);
    ExpressionId possessive(const Node& node);
    ExpressionId member(ExpressionId of, const Node& name, Span span);
    ExpressionId member_of_player(ExpressionId player, const Node& name, Span span);
    ExpressionId field_of(ExpressionId card, const Node& name, Span span);
    ExpressionId of_expression(const Node& node);
    ExpressionId every(const Node& node);
    ExpressionId all_cards(const Node& node);
    std::optional<KindId> find_kind(const Node& node);
    ExpressionId card_literal(const Node& node);
    ExpressionId set_literal(const Node& node);
    ExpressionId set_with_ranges(const Node& node);
    ExpressionId set_element(const Node& node, Type& element);
    ExpressionId constant_set(const std::vector<ExpressionId>& elements, Type element, Span span);
    // `a..b`, `a..b by 0.5`: the numbers between them, as a set.
    ExpressionId range(const Node& node);
    ExpressionId range_end(const Node& node);
    ExpressionId at_most(ExpressionId a, ExpressionId b, Span span);
    // That a number lies in a range, however long that is.
    ExpressionId within(ExpressionId number, const Node& range, Span span);
    ExpressionId sum(const Node& node);
    bool is_set_of_numbers(ExpressionId e) const;
    bool joins_numbers(ExpressionId a, ExpressionId b) const;
    ExpressionId product(const Node& node);
    ExpressionId but(const Node& node);
    ExpressionId said_value(ExpressionId card, ExpressionId value);
    ExpressionId compare(const Node& node);
    ExpressionId membership(const Node& node);
    ExpressionId empty(const Node& node);
    bool is_surely_there(ExpressionId kind) const;
    ExpressionId is_family(const Node& node);
    ExpressionId reading_expression(const Node& node);
    // Cards or a set, whose elements a comprehension goes over; else it is reported and broken at `span`.
    ExpressionId several(const Node& node, Span span);
    ExpressionId where(const Node& node);
    ExpressionId with_most(const Node& node);
    ExpressionId or_if_none(const Node& node);
    ExpressionId total_over(const Node& node);
    ExpressionId sum_over(ExpressionId cards, const std::function<ExpressionId()>& body, Span span);
    ExpressionId least_left(ExpressionId sum, const Node& name, const Node& condition, Span span);
    ExpressionId least_left(const Node& node);
    ExpressionId splits(const Node& node);
    ExpressionId quantifier(const Node& node);
    void warn_of_reach(const Node& node);
    void warn_of_taking_first(const Node& node, std::string_view condition);
    ExpressionId the(const Node& node);
    ExpressionId groups(const Node& node);

    std::set<std::string> circular_;  // recursive defines that were reported
    int it_depth_ = 0;
    int reading_ = 0;  // how deep expressions are nested, those of defines included
};

}  // namespace houserule
