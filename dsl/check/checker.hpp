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

// Limits that several files ask for; the others stand where they are asked for.
inline constexpr std::int32_t player_limit = 10;  // rulebooks for more are rare; every table of the machine is a power of players at most
inline constexpr std::int64_t number_limit = 999'999'999;  // sums and products of such numbers are still exact
inline constexpr std::size_t expression_limit = 200'000;   // defines that unfold into more than this are a mistake

std::string text_of(const PlayerRange& range);
// Whether the name stands anywhere but in labels and texts: also where this variant of the game does not come.
bool stands_in(const SyntaxNode& node, const std::string& name);

// What a global name stands for.
struct Meaning {
    enum What { zone, fact, rule, define, enumeration, value, family, kind, number, act, end, match, option, game, word } what = zone;
    Operand id = no_id;       // index in its store; for a value: the enum
    std::int32_t amount = 0;  // of a value, kind, option or number
    const SyntaxNode* node = nullptr;
    Type type;
};

// What a local name stands for: an expression (variable, bound element, argument of a define).
struct Local {
    ExpressionId expression = no_id;
    VariableId variable = no_id;
    bool perhaps = false;  // it was chosen or drawn, or there was nothing to choose, and the rule goes on
};

// Who knows the value of a variable.
struct Knower {
    bool all = true;
    ExpressionId player = no_id;  // otherwise: the player of this expression alone
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
    template <typename... Arguments>
    Diagnostic& report(CodeTaking<sizeof...(Arguments)> code, Span span, Arguments&&... arguments) {
        return houserule::report(diagnostics_, code, span, std::forward<Arguments>(arguments)...);
    }
    Diagnostic& report_other(bool is_something, const Node& name, const Phrase& what);
    void unknown_name(const Node& name, const std::vector<std::string>& also = {});

    // --- declarations (check.cpp)
    void read_all();
    void declare_all();
    void declare_header();
    void declare_name(const Node& name, Meaning meaning);
    void declare_enum(const Node& d);
    EnumId declare_values(const std::string& name, const std::vector<const Node*>& values);
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
    void find_long_chain();
    void find_what_asks();
    void ask_for_orders();
    void hash_rules();
    void number_pieces();
    void number_places();
    Type read_type(const Node& d, std::size_t& at, const std::string& name);
    Type read_one_type(const Node& d, const std::string& name);
    std::vector<VariableId> declare_parameters(const Node* parameters, RuleId rule);
    std::optional<std::int32_t> constant_number(const Node& expression);
    std::vector<std::int32_t> constant_players(const Node& expression);

    // --- statements (check_statements.cpp)
    StatementId body(const Node* node);
    StatementId statement(const Node& node);
    StatementId add(Statement s);
    Statement base(StatementKind kind, const Node& node);
    StatementId call(const Node& node);
    StatementId becomes(const Node& node);
    StatementId let(const Node& node);
    StatementId put(const Node& node);
    bool holds_one(ExpressionId cards) const;
    StatementId deal(const Node& node);
    StatementId draw(const Node& node);
    StatementId must(const Node& node, bool may);
    bool leaves(StatementId statement) const;
    static const Node& name_of_choice(const Node& choice);
    StatementId may_do(const Node& node);
    StatementId simultaneously(const Node& node);
    StatementId outside(const Node& node, StatementKind kind);
    StatementId each(const Node& node);
    StatementId repeat(const Node& node);
    StatementId if_(const Node& node);
    StatementId cases(const Node& node, bool of);
    StatementId show(const Node& node);
    StatementId end(const Node& node);
    StatementId reading(const Node& node);
    StatementId stop(const Node& node);
    StatementId offer(const Node& node);
    void read_choice(const Node& choice, Statement& s);
    void read_direction(const Node& direction, Statement& s);
    void read_weights(const Node& weights, Statement& s, const Type& element);
    std::vector<ExpressionId> arguments(const Node* node, const std::vector<VariableId>& parameters, const std::string& name, Span span);
    WordId word(const std::string& text);
    void no_decision_inside(StatementId statement);
    // Whether somebody outside is asked, or chance. Until all rules have been read, a call counts as if it asked.
    bool asks(StatementId statement) const;

    // --- expressions (check_expressions.cpp)
    ExpressionId expression(const Node& node);
    ExpressionId expression_inner(const Node& node);
    ExpressionId emit(Operator op, Type type, Span span, ExpressionId a = no_id, ExpressionId b = no_id, ExpressionId c = no_id,
                      std::int32_t imm = 0);
    ExpressionId emit(Operator op, Type type, Span span, ExpressionId a, ExpressionId b, ExpressionId c, Operand named) {
        return emit(op, type, span, a, b, c, named.value());
    }
    ExpressionId constant(Type type, std::int32_t value, Span span);
    ExpressionId truth_constant(bool value, Span span) { return constant(truth_type(), value ? 1 : 0, span); }
    ExpressionId broken(Span span);
    bool is_broken(ExpressionId e) const { return e == no_id || type(e).base == Base::nothing; }
    const Type& type(ExpressionId e) const { return game_.expressions[e].type; }
    const Expression& at(ExpressionId e) const { return game_.expressions[e]; }
    std::optional<std::int32_t> value_of(ExpressionId e) const;
    ExpressionId truth(const Node& node);
    ExpressionId number(const Node& node);
    ExpressionId player(const Node& node);
    ExpressionId players(const Node& node);  // a set of players
    ExpressionId cards(const Node& node);
    ExpressionId place(const Node& node);
    ExpressionId as_truth(ExpressionId e);
    ExpressionId as_number(ExpressionId e, const Node* node = nullptr);
    ExpressionId as_card(ExpressionId e);
    ExpressionId as_kind(ExpressionId e);
    ExpressionId as_cards(ExpressionId e);
    ExpressionId as_place(ExpressionId e);
    ExpressionId as_set(ExpressionId e);
    ExpressionId as_type(ExpressionId e, const Type& want, const Phrase& what);  // for assignments and arguments
    void wrong_type(ExpressionId e, const Phrase& wanted);
    Phrase describe(const Type& t) const;
    ExpressionId name_expression(const Node& node);
    ExpressionId global(const Meaning& m, const Node& node, const std::string& name);
    ExpressionId call_define(const Node& define, const std::vector<ExpressionId>& args, const Node& at);
    ExpressionId call_expression(const Node& node);
    ExpressionId possessive(const Node& node);
    ExpressionId member(ExpressionId of, const Node& name, Span span);
    ExpressionId member_of_player(ExpressionId player, const Node& name, Span span);
    ExpressionId field_of(ExpressionId card, const Node& name, Span span);
    ExpressionId indexed(const Meaning& m, ExpressionId index, Span span, const std::string& name);
    ExpressionId of_expression(const Node& node);
    ExpressionId every(const Node& node);
    ExpressionId all_cards(const Node& node);
    ExpressionId card_literal(const Node& node);
    std::optional<KindId> find_kind(const Node& node);
    ExpressionId set_literal(const Node& node);
    ExpressionId sum(const Node& node);
    ExpressionId product(const Node& node);
    ExpressionId but(const Node& node);
    ExpressionId join(ExpressionId a, ExpressionId b, Span span);
    ExpressionId minus(ExpressionId a, ExpressionId b, Span span);
    ExpressionId compare(const Node& node);
    ExpressionId equal(ExpressionId a, ExpressionId b, Span span);
    ExpressionId said_value(ExpressionId card, ExpressionId value);
    ExpressionId membership(const Node& node, bool inside);
    ExpressionId empty(const Node& node, bool is);
    ExpressionId is_family(const Node& node, bool is);
    ExpressionId where(const Node& node);
    ExpressionId with_most(const Node& node);
    ExpressionId or_if_none(const Node& node);
    ExpressionId total_over(const Node& node);
    ExpressionId quantifier(const Node& node, bool some);
    ExpressionId conditional(ExpressionId condition, ExpressionId then, ExpressionId otherwise, Span span);
    ExpressionId cases_expression(const Node& node, bool of);
    ExpressionId reading_expression(const Node& node);
    ExpressionId the(const Node& node);
    ExpressionId groups(const Node& node);
    ExpressionId negate(ExpressionId e, Span span);
    ExpressionId both(ExpressionId a, ExpressionId b, Span span);
    ExpressionId either(ExpressionId a, ExpressionId b, Span span);
    ExpressionId empty_set_of(const Type& t, Span span);
    void unify(ExpressionId& a, ExpressionId& b, Span span);
    void scale_together(ExpressionId& a, ExpressionId& b);
    ExpressionId scaled(ExpressionId e, std::int32_t scale);
    bool element_of(ExpressionId set, Type& element) const;
    // Runs `f` with `it` (and `name`, if given) standing for an element of `set`; gives the bound.
    BoundId comprehend(ExpressionId set, const Node* name, bool with_it, const std::function<void()>& f);
    const Node* chosen_reading(const Node& node);
    bool same(ExpressionId a, ExpressionId b) const;

    // --- what a player knows (check_knowledge.cpp)
    bool knows(ExpressionId player, ExpressionId e) const;
    void must_know(ExpressionId player, ExpressionId e);
    Phrase unseen(ExpressionId player, ExpressionId e) const;
    bool sizes_only(ExpressionId e) const;
    bool sees(Seers seers, IndexBy by, ExpressionId player, ExpressionId index) const;
    Knower knowledge(ExpressionId e) const;

    // --- scopes
    struct Scope {
        std::map<std::string, Local> names;
        bool fence = false;  // names beyond are not seen (the inside of a define)
    };
    void bind(const Node& name, Local local);
    const Local* find_local(const std::string& name) const;
    VariableId new_variable(const std::string& name, Type type, Knower knower);
    ExpressionId variable_expression(VariableId variable, Span span);
    Type truth_type() const { return {Base::truth, Base::nothing, no_id, 0, 1, 1, false}; }
    Type number_type(std::int64_t low, std::int64_t high, std::int32_t scale = 1) const;
    Type number_range(std::int64_t low, std::int64_t high, std::int32_t scale, Span span);
    Type player_type() const { return {Base::player, Base::nothing, no_id, 0, game_.players - 1, 1, false}; }
    Type set_of(const Type& element) const;
    std::int32_t last_set() const { return static_cast<std::int32_t>(game_.sets.size() - 1); }  // in the set table
    Type cards_type(FamilyId family) const { return {Base::cards, Base::nothing, family, 0, 0, 1, false}; }
    Type card_type(FamilyId family) const { return {Base::card, Base::nothing, family, 0, 0, 1, false}; }
    Type kind_type(FamilyId family) const;

    const Syntax& syntax_;
    int players_;
    const Settings& settings_;
    Diagnostics& diagnostics_;
    Merged merged_;
    Game game_;
    std::map<std::string, Meaning> globals_;
    std::vector<Scope> scopes_;
    Store<VariableId, Knower> knowers_;
    std::vector<Type> bound_types_;                                                  // by bound
    std::vector<std::string> defining_;                                              // defines being read, innermost last
    std::map<std::pair<std::string, std::string>, std::size_t> label_at_, text_at_;  // language and name: where it stands in the game
    std::set<std::string> used_;
    struct Extent {
        std::uint32_t size = 1;
        std::uint16_t depth = 1;
    };
    Store<ExpressionId, Extent> extents_;
    std::set<std::string> circular_;  // defines of circles that were reported
    int it_depth_ = 0;
    int reading_ = 0;      // expressions in expressions, through defines
    RuleId rule_ = no_id;  // the rule being read
    bool in_match_ = false;
    bool in_example_ = false;
    bool in_claim_ = false;
    std::vector<StatementId> unordered_;  // `each p` without a direction
    // What leads where: rules, and behind them the ends. A rule calls rules and comes to ends, and so do the statements of an end.
    using CallNode = Id<struct CallNodeTag>;
    CallNode node_of_rule(RuleId rule) const { return CallNode(rule.value()); }
    CallNode node_of_end(EndId end) const { return CallNode(game_.rules.size() + end.index()); }
    bool is_rule(CallNode node) const { return node.index() < game_.rules.size(); }
    RuleId rule_of(CallNode node) const { return RuleId(node.value()); }
    EndId end_of(CallNode node) const { return EndId(node.index() - game_.rules.size()); }
    Span span_of(CallNode node) const { return is_rule(node) ? game_.rules[rule_of(node)].span : game_.ends[end_of(node)].span; }
    void leads_to(CallNode node);
    std::int32_t levels_in(StatementId statement, const Store<CallNode, std::int32_t>& of_node) const;
    Store<CallNode, std::set<CallNode>> leads_;
    std::vector<CallNode> inner_first_;  // each behind all that it leads to
    Store<RuleId, bool> rule_asks_;      // empty until all rules have been read
    CallNode reading_node_;              // whose statements are being read
    std::map<std::string, const Node*> field_names_;
};

}  // namespace houserule
