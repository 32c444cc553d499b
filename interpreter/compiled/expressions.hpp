// Prints the expressions of a game as C++: what interpreter/engine/expressions.hpp computes, written out. Lines that a value needs go to
// the text; the value itself comes back as an expression without side effects, to be read before anything changes.
//
// Beyond what the interpreter does, what depends on a card alone becomes a table, and what a loop computes anew for each element though it
// does not depend on it (and can break no promise) is computed once before the loop.
#pragma once

#include "interpreter/compiled/known.hpp"
#include "interpreter/compiled/storage.hpp"
#include "interpreter/compiled/text.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

class ExpressionText {
public:
    ExpressionText(const Machine& machine, Known& known, CompiledText& text, const Storage& storage);

    // From now on: which state is read, and what is done where a promise breaks.
    void set(ReadFrom reads, std::string broken) {
        reads_ = reads;
        broken_ = std::move(broken);
    }
    ReadFrom reads() const { return reads_; }

    std::string number(ExpressionId e);
    std::string mask(ExpressionId e);
    bool is_cards(ExpressionId e) const { return at(e).type.base == Base::cards; }
    std::int32_t first_of(ExpressionId set) const;
    // Writes the lines that break the promises of `e` if they break; its value is not wanted.
    void promises(ExpressionId e);
    void fail_if(const std::string& condition);
    // What `e` computes by loops and does not depend on this comprehension variable, computed here: to be called before a loop over it.
    void hoist(ExpressionId e, BoundId bound);
    // Before a loop that surely begins, and in which `e` is always computed: also what breaks a promise then anyway.
    void hoist_always(ExpressionId e, BoundId bound);
    // A set that is known, and whose elements follow each other: the first and the last.
    std::optional<std::pair<std::int32_t, std::int32_t>> row_of_elements(ExpressionId set) const;
    // Whether all of these cards lie at one place, as the expression says.
    bool in_one_place(ExpressionId cards) const;
    // The same text for expressions that mean the same: comprehension variables by how deep they are, `outer` as `of`.
    std::string key(ExpressionId e, BoundId outer = -1, const std::string& of = "") const;

    MaskWords all_pieces() const;
    MaskWords set_row(std::int32_t row) const { return rows_[row]; }
    // Of a set of elements of that type: those from `low` to `high`.
    MaskWords range(const Type& set, std::int32_t low, std::int32_t high) const;
    std::string bound(BoundId b) const { return "b" + std::to_string(b); }

    // Splits of cards into sets, each with working memory of its own.
    int splits() const { return splits_; }
    // An operator that cannot be printed; empty if there was none.
    const std::string& unknown() const { return unknown_; }
    std::string where() const {
        return "Where{" + storage_.state_read(reads_, m_.layout.where, 2 * static_cast<std::uint32_t>(g_.piece_kind.size())) + "}";
    }

private:
    const Expression& at(ExpressionId e) const { return g_.expressions[e]; }
    std::string kept(const std::string& value) { return text_.number(value); }
    std::string no_result(const Expression& x);

    // How an operator is printed.
    struct Form {
        Operator op;
        std::string (ExpressionText::*print)(const Expression&);
    };
    template <std::size_t N>
    std::string printed(const Form (&forms)[N], const Expression& x);

    // numbers
    std::string computed_number(const Expression& x);
    std::string negated(const Expression& x);
    std::string size_of(const Expression& x);
    std::string same(const Expression& x);
    std::string lazy(const Expression& x);
    std::string conditional(const Expression& x);
    std::string fact(const Expression& x);
    std::string table_entry(const Expression& x);
    std::string kind(const Expression& x);
    std::string neighbour(const Expression& x);
    std::string divided(const Expression& x);
    std::string next_in(const Expression& x);
    std::string total(const Expression& x);
    std::string least_left(const Expression& x);
    std::string exists(const Expression& x);
    std::string one_of(const Expression& x);
    std::string place(const Expression& x);
    std::string end_card(const Expression& x);
    std::string end_cards(const Expression& x);
    std::string member(const Expression& x);
    std::string index(ExpressionId e);

    // masks
    std::string computed_mask(const Expression& x);
    std::string set_variable(const Expression& x);
    std::string set_constant(const Expression& x);
    std::string nothing(const Expression& x);
    std::string where_cards_all(const Expression& x);
    std::string family(const Expression& x);
    std::string single(const Expression& x);
    std::string by_copies(const Expression& x);
    std::string or_if_none(const Expression& x);
    std::string conditional_set(const Expression& x);
    std::string cards_at(const Expression& x);
    std::string cards_of(const Expression& x);
    std::string where_cards(const Expression& x, bool first_only);
    std::string where_set(const Expression& x);
    std::string best(const Expression& x);
    std::string groups(const Expression& x);
    std::string any_of(const Expression& x);
    std::string set_fact(const Expression& x);
    std::string set_entry(const Expression& x);
    std::string one_of_two(const char* type, const std::string& condition, const std::function<std::string()>& yes,
                           const std::function<std::string()>& no);
    std::string either(const std::string& condition, const std::function<std::string()>& yes, const std::function<std::string()>& no);
    std::string kinds_of(const Expression& x);
    std::string filter(std::int32_t f, const std::string& of);

    // loops
    void open_loop(const Expression& x, const std::string& source, std::string& like);
    void close_loop(const Expression& x) { depth_of_.erase(x.bound()), text_.close(); }
    bool hoist_within(ExpressionId e, std::vector<BoundId>& bounds);
    bool reads_unjudged(ExpressionId e) const;
    std::optional<std::string> by_piece(ExpressionId e, const Expression& x);
    std::optional<std::string> sum_by_value(const Expression& x, const std::string& source);
    std::optional<std::vector<std::int32_t>> values_by_piece(ExpressionId e, BoundId bound);
    std::optional<BoundId> only_bound(ExpressionId e) const;

    // tables of what depends on a few things with few values
    struct TableInput {
        ExpressionId e = no_id;
        std::string key;
        std::int32_t low = 0;     // the first value
        std::int64_t values = 0;  // how many, and one more if it can break a promise
    };
    struct TablePlan {
        std::vector<TableInput> inputs;
        std::int64_t cells = 1;
    };
    std::optional<TablePlan> plan_of(ExpressionId e) const;
    bool add_input(ExpressionId e, TablePlan& plan) const;
    std::string input_index(const TableInput& input);
    std::string cell_of(const TablePlan& plan, std::size_t first);
    std::string table_of(ExpressionId e, const TablePlan& plan, const std::string& type, const std::string& cells);
    std::optional<std::string> by_table(ExpressionId e);
    std::optional<std::string> where_by_table(const Expression& x, const std::string& source);
    void hoist_inputs(ExpressionId e, std::vector<BoundId>& bounds);
    bool loops(ExpressionId e) const;
    bool reads_bound(ExpressionId e) const;

    std::string alike(const Expression& x, const std::string& rest, const std::string& piece) const;
    std::string where_of(ExpressionId cards) const { return in_one_place(cards) ? "OnePlace{}" : where(); }

    const Machine& m_;
    const Game& g_;
    Known& known_;
    CompiledText& text_;
    const Storage& storage_;
    std::vector<MaskWords> rows_;
    ReadFrom reads_ = reads_present;
    std::string broken_;
    std::string unknown_;
    std::map<BoundId, bool> depth_of_;          // open comprehension variables: whether they are cards
    std::map<VariableId, std::string> judged_;  // of the splits around: the sets that are judged, by their names
    Store<VariableId, bool> is_judged_;
    int splits_ = 0;
    // While the function of a table is printed: its inputs by key, the name and whether it may have broken a promise.
    std::map<std::string, std::pair<std::string, bool>> inputs_;
    bool is_function_ = false;
    bool eager_ = false;  // what is printed may be computed where the rules do not read it
    bool single_copies_;
};

}  // namespace houserule
