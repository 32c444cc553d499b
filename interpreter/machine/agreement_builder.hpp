// What is done together promises that its order does not matter, as steps: whoever sets a fact that another sets at the same moment sets it
// to the same value, and nobody puts a card that another puts. For compile.cpp.
#pragma once

#include "dsl/game/parts.hpp"
#include "interpreter/machine/code_builder.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace houserule {

class AgreementBuilder {
public:
    explicit AgreementBuilder(CodeBuilder& code) : code_(code) {}
    AgreementBuilder(const AgreementBuilder&) = delete;
    AgreementBuilder& operator=(const AgreementBuilder&) = delete;

    // Before what each `player` of the set (none: all) does at this moment.
    void begin(const AtOnce& body, VariableId player, ExpressionId set) {
        if (set != no_id && at(set).op == Operator::set_single) return;
        player_ = player;
        begin_facts(body.effects);
        begin_cards(body);
    }
    // Before what one of them does; what was chosen is there.
    void begin_one() {
        if (others_ == no_id) return;
        code_.assign(others_, code_.emit(Operator::cards_join, cards_type(), code_.read(others_), code_.read(others_ + 1)));
        code_.assign(others_ + 1, no_cards());
    }
    // Behind the step that sets a fact, in the statement that it comes from.
    void made() {
        const auto found = writes_.find(code_.statement);
        if (found == writes_.end()) return;
        const Slots& now = found->second;
        const statement::Becomes& s = *becomes_at(code_.statement);
        code_.assign(now.value_now, s.value);
        if (s.index != no_id) code_.assign(now.index_now, s.index);
        for (const auto& [statement, before] : writes_)
            if (becomes_at(statement)->fact == s.fact) promise_agreement(now, before);
        code_.assign(now.yes, code_.number(1));
        keep(now.is_made, now.yes);
        keep(now.value, now.value_now);
        if (s.index != no_id) keep(now.index, now.index_now);
    }
    // Before the step that puts these cards: what it puts, if that is not what they are called.
    ExpressionId claimed(ExpressionId cards) {
        if (others_ == no_id) return no_id;
        const Expression& x = at(cards);
        const bool one = x.op == Operator::cards_single && at(x.a).op == Operator::variable;
        const bool named = one || x.op == Operator::cards_variable;
        const VariableId claimed = named ? VariableId((one ? at(x.a) : x).named()) : code_.variable("put now", cards_type());
        code_.m.code[code_.step(Op::claim, claimed, cards)].b = others_;
        return named ? ExpressionId(no_id) : code_.read(claimed);
    }
    void end() {
        writes_.clear();
        others_ = no_id;
    }

private:
    const Expression& at(ExpressionId id) const { return code_.g.expressions[id]; }
    // Whether it is the one whose effects they are.
    bool is_the_player(ExpressionId index) const {
        return index != no_id && at(index).op == Operator::variable && at(index).named() == player_;
    }

    // --- facts

    void begin_facts(const std::vector<StatementId>& effects) {
        std::map<FactId, std::vector<StatementId>> sets;
        const auto note = [&](StatementId id) {
            if (const auto* becomes = becomes_at(id)) sets[becomes->fact].push_back(id);
            return false;
        };
        for (const StatementId effect : effects) any_within(code_.g, effect, note);
        for (const auto& [fact, statements] : sets) {
            if (surely_agree(statements)) continue;
            for (const StatementId s : statements) writes_[s] = slots_of(*becomes_at(s));
        }
        for (const auto& [statement, write] : writes_)
            for (std::int32_t p = 0; p < code_.g.players; ++p) code_.assign(write.is_made + p, code_.number(0));
    }

    // Variables, each the first of as many as there are players: whether one has come to the statement, and which fact became what there.
    struct Slots {
        VariableId is_made, value, index;
        VariableId yes, value_now, index_now;
    };

    const statement::Becomes* becomes_at(StatementId id) const { return code_.g.statements[id].as<statement::Becomes>(); }

    // All set facts of their own, or all set the same value.
    bool surely_agree(const std::vector<StatementId>& statements) const {
        const auto is_own = [&](StatementId id) { return is_the_player(becomes_at(id)->index); };
        const auto value_of = [&](StatementId id) -> const Expression& { return at(becomes_at(id)->value); };
        const auto differs = [](const Expression& x) {
            return x.op == Operator::variable || x.op == Operator::cards_variable || x.op == Operator::set_variable;
        };
        const Expression& first = value_of(statements.front());
        const auto is_first = [&](StatementId id) {
            return value_of(id).op == Operator::constant && first.op == Operator::constant && value_of(id).value() == first.value();
        };
        const bool alone = statements.size() == 1 && !any_read(code_.g, becomes_at(statements.front())->value, differs);
        return alone || std::ranges::all_of(statements, is_own) || std::ranges::all_of(statements, is_first);
    }

    VariableId for_each_seat(const Type& type) {
        VariableId first = no_id;
        for (std::int32_t p = 0; p < code_.g.players; ++p) {
            const VariableId slot = code_.variable("at this moment", type);
            if (p == 0) first = slot;
        }
        return first;
    }
    Slots slots_of(const statement::Becomes& s) {
        const Fact& fact = code_.g.facts[s.fact];
        const Type type = fact.type;
        const Type index = fact.by == IndexBy::player
                               ? code_.player()
                               : Type{Base::enumeration, Base::nothing, fact.index_enum, 0, fact.count - 1, 1, false};
        Slots slots;
        slots.is_made = for_each_seat(CodeBuilder::truth());
        slots.value = for_each_seat(type);
        slots.yes = code_.variable("now", CodeBuilder::truth());
        slots.value_now = code_.variable("now", type);
        if (s.index == no_id) return slots;
        slots.index = for_each_seat(index);
        slots.index_now = code_.variable("now", index);
        return slots;
    }

    // Of what is set now and what another has set at the other statement.
    void promise_agreement(const Slots& now, const Slots& before) {
        const auto either = [&](ExpressionId a, ExpressionId b) { return code_.emit(Operator::either, CodeBuilder::truth(), a, b); };
        const auto equal = [&](VariableId a, ExpressionId b) {
            const bool sets = code_.g.variables[a].type.base == Base::set;
            return code_.emit(sets ? Operator::same_set : Operator::equal, CodeBuilder::truth(), code_.read(a), b);
        };
        const auto negate = [&](ExpressionId a) { return code_.emit(Operator::negate, CodeBuilder::truth(), a); };
        ExpressionId agree = no_id;
        for (std::int32_t p = 0; p < code_.g.players; ++p) {
            ExpressionId same = equal(now.value_now, code_.read(before.value + p));
            if (now.index != no_id) same = either(negate(equal(now.index_now, code_.read(before.index + p))), same);
            ExpressionId own = code_.number(p);
            code_.g.expressions[own].type = code_.player();
            const ExpressionId one = either(negate(code_.read(before.is_made + p)), either(equal(player_, own), same));
            agree = agree == no_id ? one : code_.emit(Operator::both, CodeBuilder::truth(), agree, one);
        }
        code_.step(Op::promise, no_id, agree);
    }
    void keep(VariableId slots, VariableId now) {
        Step& s = code_.m.code[code_.step(Op::store, slots)];
        s.b = now;
        s.c = player_;
    }

    // --- cards

    ExpressionId no_cards() { return code_.emit(Operator::cards_none, cards_type()); }
    static Type cards_type() { return {Base::cards, Base::nothing, no_id, 0, 0, 1, false}; }

    void begin_cards(const AtOnce& body) {
        chosen_from_.clear();
        for (const StatementId id : body.decisions) {
            const auto* choice = code_.g.statements[id].as<statement::Choose>();
            if (choice->set != no_id) chosen_from_[choice->variable] = choice->set;
        }
        const auto puts_others = [&](StatementId id) {
            const auto* put = code_.g.statements[id].as<statement::Put>();
            return put != nullptr && !is_own(put->cards);
        };
        const auto any = [&](StatementId effect) { return any_within(code_.g, effect, puts_others); };
        if (std::ranges::none_of(body.effects, any)) return;
        others_ = code_.variable("what others put", cards_type());
        const VariableId own = code_.variable("what one puts", cards_type());
        for (const VariableId none : {others_, own}) code_.assign(none, no_cards());
    }
    // Whether these are cards from places of the one who puts them.
    bool is_own(ExpressionId cards) const {
        if (cards == no_id) return false;
        const Expression& x = at(cards);
        switch (x.op) {
            case Operator::cards_none:
                return true;
            case Operator::place:
                return is_the_player(x.a);
            case Operator::cards_join:
                return is_own(x.a) && is_own(x.b);
            case Operator::variable:
            case Operator::cards_variable: {
                const auto from = chosen_from_.find(VariableId(x.named()));
                return from != chosen_from_.end() && is_own(from->second);
            }
            case Operator::cards_at:
            case Operator::cards_single:
            case Operator::cards_minus:
            case Operator::cards_where:
            case Operator::cards_most:
            case Operator::cards_least:
            case Operator::cards_groups:
            case Operator::cards_any:
            case Operator::the_card:
            case Operator::first_card:
            case Operator::last_card:
            case Operator::first_cards:
            case Operator::last_cards:
                return is_own(x.a);
            default:
                return false;
        }
    }

    CodeBuilder& code_;
    VariableId player_ = no_id;
    VariableId others_ = no_id;  // cards that others put at this moment; behind it, those that one puts; none: all put but their own
    std::map<VariableId, ExpressionId> chosen_from_;
    std::map<StatementId, Slots> writes_;
};

}  // namespace houserule
