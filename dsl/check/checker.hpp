// The inside of `check`: one pass over the declarations of a merged game, in three files (declarations, statements, expressions).
// Not for anybody else.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"

#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

namespace houserule {

// What a global name stands for.
struct Meaning {
    enum What { zone, fact, rule, define, enumeration, value, family, kind, number, act, end, match, option, game, word } what = zone;
    Id id = no_id;            // index in its store; for a value: the enum
    std::int32_t amount = 0;  // of a value, kind, option or number
    const SyntaxNode* node = nullptr;
    Type type;
};

// What a local name stands for: an expression (variable, bound element, argument of a define).
struct Local {
    Id expression = no_id;
    Id variable = no_id;
    bool perhaps = false;  // it was chosen or drawn, or there was nothing to choose, and the rule goes on
};

// Who knows the value of a variable.
struct Knower {
    bool all = true;
    Id player = no_id;  // otherwise: the player of this expression alone
};

// The names of a file, gathered over its variants: what one of them uses is used.
struct Vocabulary {
    std::map<std::string, Span> declared;  // what should be used somewhere
    std::set<std::string> used;
    std::vector<std::string> shown;                               // what people see, in the order of the stores
    std::vector<std::string> told;                                // what has a text in the file's own language
    std::map<std::string, Span> labels_begun, texts_begun;        // by language
    std::set<std::pair<std::string, std::string>> labels, texts;  // language, name
};

class Checker {
public:
    Checker(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics);
    Game run(Vocabulary* vocabulary = nullptr);
    ClaimedGame run_with(const std::vector<Syntax>& claims);

private:
    using Node = SyntaxNode;

    // --- reporting
    Diagnostic& report(Code code, Span span, std::vector<std::string> arguments = {}, std::string help = "");
    void unknown_name(const Node& name, const std::vector<std::string>& also = {});

    // --- declarations (check.cpp)
    void read_all();
    void declare_all();
    void declare_header();
    void declare_name(const Node& name, Meaning meaning);
    void declare_enum(const Node& d);
    Id declare_values(const std::string& name, const std::vector<const Node*>& values);
    void declare_family(const Node& d);
    void declare_field(const Node& d, Family& family);
    void add_rows(const Node& d, Family& family);
    void add_every_kind(const Node& row, Family& family);
    void add_row(const Node& row, Family& family);
    void add_kind(PieceKind kind, Family& family);
    void finish_fields(Family& family);
    void declare_zone(const Node& d);
    void declare_fact(const Node& d);
    void declare_rules();
    void check_rules();
    void check_rule(Rule& rule, const Node& d);
    void check_act(Act& act, const Node& d);
    void check_end(End& end, const Node& d);
    void check_ends(const Node& d);
    void check_define_alone(const Node& d);
    void check_winner(const Node& d);
    void check_scores();
    void check_accept(const Node& d);
    void check_example(const Node& d);
    bool has_example(const Node& d);
    void check_given(const Node& c, Example& example);
    void check_laid(const Node& values, Given& given);
    void gather(Vocabulary& all) const;
    void check_total(const Node& d);
    void check_labels(const Node& d, std::vector<NamedText>& out);
    void say(std::vector<NamedText>& out, NamedText text);
    const std::string& text_language(Span span) const { return merged_.layers[merged_.layer_of(span)].text_language; }
    bool is_own(Span span) const { return merged_.layer_of(span) + 1 == merged_.layers.size(); }
    void collect_text(const Node& d, const std::string& name);
    bool find_recursion();
    void ask_for_orders();
    void hash_rules();
    void number_pieces();
    void number_places();
    Type read_type(const Node& d, std::size_t& at, const std::string& name);
    Type read_one_type(const Node& d, const std::string& name);
    std::vector<Id> declare_parameters(const Node* parameters, Id rule);
    std::optional<std::int32_t> constant_number(const Node& expression);
    std::vector<Id> constant_set(const Node& expression);

    // --- statements (check_statements.cpp)
    Id body(const Node* node);
    Id statement(const Node& node);
    Id add(Statement s);
    Statement base(StatementKind kind, const Node& node);
    Id call(const Node& node);
    Id becomes(const Node& node);
    Id let(const Node& node);
    Id put(const Node& node);
    bool holds_one(Id cards) const;
    Id deal(const Node& node);
    Id draw(const Node& node);
    Id must(const Node& node, bool may);
    bool leaves(Id statement) const;
    static const Node& name_of_choice(const Node& choice);
    Id may_do(const Node& node);
    Id simultaneously(const Node& node);
    Id outside(const Node& node, StatementKind kind);
    Id each(const Node& node);
    Id repeat(const Node& node);
    Id if_(const Node& node);
    Id cases(const Node& node, bool of);
    Id show(const Node& node);
    Id end(const Node& node);
    Id reading(const Node& node);
    Id stop(const Node& node);
    Id offer(const Node& node);
    void read_choice(const Node& choice, Statement& s);
    void read_direction(const Node& direction, Statement& s);
    void read_weights(const Node& weights, Statement& s, const Type& element);
    std::vector<Id> arguments(const Node* node, const std::vector<Id>& parameters, const std::string& name, Span span);
    Id word(const std::string& text);
    void no_decision_inside(Id statement);
    // Whether somebody outside is asked, or chance. `late`: all rules have been read, so calls can be looked into.
    bool asks(Id statement, bool late = false) const;

    // --- expressions (check_expressions.cpp)
    Id expression(const Node& node);
    Id expression_inner(const Node& node);
    Id emit(Operator op, Type type, Span span, Id a = no_id, Id b = no_id, Id c = no_id, std::int32_t imm = 0);
    Id constant(Type type, std::int32_t value, Span span);
    Id truth_constant(bool value, Span span) { return constant(truth_type(), value ? 1 : 0, span); }
    Id broken(Span span);
    bool is_broken(Id e) const { return e == no_id || type(e).base == Base::nothing; }
    const Type& type(Id e) const { return game_.expressions[static_cast<std::size_t>(e)].type; }
    const Expression& at(Id e) const { return game_.expressions[static_cast<std::size_t>(e)]; }
    std::optional<std::int32_t> value_of(Id e) const;
    Id truth(const Node& node);
    Id number(const Node& node);
    Id player(const Node& node);
    Id players(const Node& node);  // a set of players
    Id cards(const Node& node);
    Id place(const Node& node);
    Id as_truth(Id e);
    Id as_number(Id e, const Node* node = nullptr);
    Id as_card(Id e);
    Id as_kind(Id e);
    Id as_cards(Id e);
    Id as_place(Id e);
    Id as_set(Id e);
    Id as_type(Id e, const Type& want, const std::string& what);  // for assignments and arguments
    void wrong_type(Id e, const std::string& wanted);
    std::string describe(const Type& t) const;
    Id name_expression(const Node& node);
    Id global(const Meaning& m, const Node& node, const std::string& name);
    Id call_define(const Node& define, const std::vector<Id>& args, const Node& at);
    Id call_expression(const Node& node);
    Id possessive(const Node& node);
    Id member(Id of, const Node& name, Span span);
    Id member_of_player(Id player, const Node& name, Span span);
    Id field_of(Id card, const Node& name, Span span);
    Id indexed(const Meaning& m, Id index, Span span, const std::string& name);
    Id of_expression(const Node& node);
    Id every(const Node& node);
    Id all_cards(const Node& node);
    Id card_literal(const Node& node);
    std::optional<Id> find_kind(const Node& node);
    Id set_literal(const Node& node);
    Id sum(const Node& node);
    Id product(const Node& node);
    Id but(const Node& node);
    Id join(Id a, Id b, Span span);
    Id minus(Id a, Id b, Span span);
    Id compare(const Node& node);
    Id equal(Id a, Id b, Span span);
    Id said_value(Id card, Id value);
    Id membership(const Node& node, bool inside);
    Id empty(const Node& node, bool is);
    Id is_family(const Node& node, bool is);
    Id where(const Node& node);
    Id with_most(const Node& node);
    Id or_if_none(const Node& node);
    Id total_over(const Node& node);
    Id quantifier(const Node& node, bool some);
    Id conditional(Id condition, Id then, Id otherwise, Span span);
    Id cases_expression(const Node& node, bool of);
    Id reading_expression(const Node& node);
    Id the(const Node& node);
    Id groups(const Node& node);
    Id negate(Id e, Span span);
    Id both(Id a, Id b, Span span);
    Id either(Id a, Id b, Span span);
    Id empty_set_of(const Type& t, Span span);
    void unify(Id& a, Id& b, Span span);
    void scale_together(Id& a, Id& b);
    Id scaled(Id e, std::int32_t scale);
    bool element_of(Id set, Type& element) const;
    // Runs `f` with `it` (and `name`, if given) standing for an element of `set`; gives the bound.
    Id comprehend(Id set, const Node* name, bool with_it, const std::function<void()>& f);
    const Node* chosen_reading(const Node& node);
    bool same(Id a, Id b) const;

    // --- what a player knows (check_knowledge.cpp)
    bool knows(Id player, Id e) const;
    void must_know(Id player, Id e);
    std::string unseen(Id player, Id e) const;
    bool sizes_only(Id e) const;
    bool sees(Seers seers, IndexBy by, Id player, Id index) const;
    Knower knowledge(Id e) const;

    // --- scopes
    struct Scope {
        std::map<std::string, Local> names;
        bool fence = false;  // names beyond are not seen (the inside of a define)
    };
    void bind(const Node& name, Local local);
    const Local* find_local(const std::string& name) const;
    Id new_variable(const std::string& name, Type type, Knower knower);
    Id variable_expression(Id variable, Span span);
    Type truth_type() const { return {Base::truth, Base::nothing, no_id, 0, 1, 1, false}; }
    Type number_type(std::int64_t low, std::int64_t high, std::int32_t scale = 1) const;
    Type number_range(std::int64_t low, std::int64_t high, std::int32_t scale, Span span);
    Type player_type() const { return {Base::player, Base::nothing, no_id, 0, game_.players - 1, 1, false}; }
    Type set_of(const Type& element) const;
    Type cards_type(Id family) const { return {Base::cards, Base::nothing, family, 0, 0, 1, false}; }
    Type card_type(Id family) const { return {Base::card, Base::nothing, family, 0, 0, 1, false}; }
    Type kind_type(Id family) const;

    const Syntax& syntax_;
    int players_;
    const Settings& settings_;
    Diagnostics& diagnostics_;
    Merged merged_;
    Game game_;
    std::map<std::string, Meaning> globals_;
    std::vector<Scope> scopes_;
    std::vector<Knower> knowers_;                                                    // by variable
    std::vector<Type> bound_types_;                                                  // by bound
    std::vector<std::string> defining_;                                              // defines being read, innermost last
    std::map<std::pair<std::string, std::string>, std::size_t> label_at_, text_at_;  // language and name: where it stands in the game
    std::set<std::string> used_;
    struct Extent {
        std::uint32_t size = 1;
        std::uint16_t depth = 1;
    };
    std::vector<Extent> extents_;     // by expression
    std::set<std::string> circular_;  // defines of circles that were reported
    int it_depth_ = 0;
    int reading_ = 0;  // expressions in expressions, through defines
    Id rule_ = no_id;  // the rule being read
    bool in_match_ = false;
    bool in_example_ = false;
    bool in_claim_ = false;
    std::vector<Id> unordered_;        // `each p` without a direction
    std::vector<std::set<Id>> calls_;  // by rule
    std::map<std::string, const Node*> field_names_;
};

}  // namespace houserule
