// Prints the steps of a machine as labels and gotos of one function: what interpreter/engine/stepper.hpp carries out and how
// Engine::play answers, with the same draws from the random generator in the same order.
//
// Where a promise breaks, where play goes on too long without an answer and where two arms of `cases` must agree, the game is handed back:
// the interpreter plays it from its beginning.
#pragma once

#include "interpreter/compiled/expressions.hpp"
#include "interpreter/compiled/storage.hpp"
#include "interpreter/compiled/text.hpp"
#include "interpreter/engine/quick_steps.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

class StepText {
public:
    StepText(const Machine& machine, const Known& known, CompiledText& text, const Storage& storage, ExpressionText& expressions);

    void all();
    // The steps at which play may begin: the first, that of the first node, where a seat answers, and those to which its answers lead.
    std::vector<StepId> entries() const;
    // Where a game begins: at its first node, if it can.
    StepId first() const;
    // Choices of several things, each with working memory of its own.
    int choices_of_several() const { return several_; }
    const std::string& unknown() const { return unknown_; }

private:
    void one(StepId pc, const Step& s);
    void plain(StepId pc, const Step& s);
    bool is_marked(StepId pc) const;
    void go(StepId to) { text_.line(fmt::format("goto L{};", to.value())); }
    void round();  // a step back may follow: not too often
    void tell() { x_.fail_if("--told < 0"); }
    void node();  // somebody answers
    std::string random_below(const std::string& n) { return fmt::format("random.below({})", n); }
    void set_variable(VariableId v, const std::string& value) { text_.line(storage_.put_variable(v, value)); }
    std::string value(VariableId v, ExpressionId e);

    void reset(FactId f);
    void set_fact(const Step& s);
    void claim(const Step& s);
    void put(const Step& s);
    void check_room();
    std::optional<std::pair<std::uint32_t, std::int32_t>> whole_places(const Step& s) const;
    void fail_beyond(const std::string& place, const std::string& size);
    std::string slot(const Step& s) const;
    void store(const Step& s);
    void load(const Step& s);
    void next_player(const Step& s);
    void next_element(const Step& s);
    void leave(const Step& s);
    void choose(const Step& s);
    std::string representatives(ExpressionId cards, const std::string& from);
    std::string moves_of(const Step& s, std::string& options, std::string& several);
    std::string fitting(const Step& s, const std::string& sets, const std::string& set);
    void take_fitting(const Step& s, const std::string& sets, const std::string& set);
    void ask(const Step& s);
    void draw(const Step& s);
    void deal(const Step& s, const std::string& from, const std::string& to, const std::string& options, const std::string& n);
    void report(const Step& s);
    std::string weighted(const Step& s, const std::string& options);
    void window(const Step& s);
    std::string where_of(ExpressionId cards) const { return x_.in_one_place(cards) ? "OnePlace{}" : "Where{s}"; }
    const Zone* zone_of(ExpressionId place) const;
    bool has_order(const Zone& zone) const { return m_.layout.order[zone.first_place] != 0; }
    bool has_room(const Zone* zone) const { return zone != nullptr && std::cmp_greater_equal(zone->capacity, g_.piece_kind.size()); }
    bool is_of_many(VariableId v) const { return houserule::is_of_many(g_.variables[v].type); }

    const Machine& m_;
    const Game& g_;
    const Known& known_;
    CompiledText& text_;
    const Storage& storage_;
    ExpressionText& x_;
    const QuickSteps quick_;
    bool single_copies_;
    int several_ = 0;
    StepId pc_ = no_id;
    std::string unknown_;
};

}  // namespace houserule
