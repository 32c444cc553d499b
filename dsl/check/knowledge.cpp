#include "dsl/check/knowledge.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace houserule {

bool Knowledge::sees(Seers seers, IndexBy by, ExpressionId player, ExpressionId index) const {
    switch (seers) {
        case Seers::all:
            return true;
        case Seers::nobody:
            return false;
        case Seers::owner:
            return by == IndexBy::player && index != no_id && same(player, index);
        case Seers::others: {
            if (by != IndexBy::player || index == no_id) return false;
            // `missing of players but p`: surely others'.
            const Expression& x = at(index);
            if (x.op == Operator::set_minus) return at(x.b).op == Operator::set_single && same(at(x.b).a, player);
            return false;
        }
    }
    return false;
}

// How many cards lie where is seen by all.
bool Knowledge::sizes_only(ExpressionId e) const {
    const Expression& x = at(e);
    switch (x.op) {
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_none:
        case Operator::cards_family:
            return true;
        case Operator::cards_join:
            return sizes_only(x.a) && sizes_only(x.b);
        default:
            return false;
    }
}

bool Knowledge::knows(ExpressionId player, ExpressionId e) const {
    if (e == no_id) return true;
    const Expression& x = at(e);
    switch (x.op) {
        case Operator::variable:
        case Operator::set_variable:
        case Operator::cards_variable: {
            const Knower& k = knowers_[x.named()];
            return k.all || same(k.player, player);
        }
        case Operator::fact:
        case Operator::set_fact: {
            const Fact& f = game_.facts[x.named()];
            return sees(f.seers, f.by, player, x.a) && knows(player, x.a);
        }
        case Operator::place:
            return knows(player, x.a);
        case Operator::cards_at:
        case Operator::first_card:
        case Operator::last_card: {
            const Expression& p = at(x.a);
            if (p.op == Operator::conditional) return false;
            if (p.op != Operator::place) return knows(player, x.a);
            const Zone& z = game_.zones[p.named()];
            return sees(z.seers, z.by, player, p.a) && knows(player, p.a);
        }
        case Operator::cards_of: {
            const Zone& z = game_.zones[x.named()];
            return sees(z.seers, z.by, player, x.a) && knows(player, x.a);
        }
        case Operator::cards_family:
        case Operator::cards_unplaced:
            return false;  // faces at unknown places
        case Operator::size_of_cards:
            if (sizes_only(x.a)) {
                const Expression& s = at(x.a);
                return s.op == Operator::cards_join || knows(player, s.op == Operator::cards_at ? at(s.a).a : s.a);
            }
            return knows(player, x.a);
        case Operator::set_kinds:
            return knows(player, x.a);
        default:
            return knows(player, x.a) && knows(player, x.b) && knows(player, x.c);
    }
}

Phrase Knowledge::unseen(ExpressionId player, ExpressionId e) const {
    if (e == no_id || knows(player, e)) return {};
    const Expression& x = at(e);
    for (const ExpressionId part : {x.a, x.b, x.c})
        if (Phrase inner = unseen(player, part); !inner.empty()) return inner;
    const auto sentence = [](const std::string& name, Seers seers) -> Phrase {
        switch (seers) {
            case Seers::all:
                return {};
            case Seers::owner:
                return Text::seen_by_owner_only(name);
            case Seers::others:
                return Text::seen_by_others_only(name);
            case Seers::nobody:
                return Text::seen_by_nobody(name);
        }
        return {};
    };
    switch (x.op) {
        case Operator::cards_at:
            if (at(x.a).op != Operator::place) return {};
            return sentence(game_.zones[at(x.a).named()].name, game_.zones[at(x.a).named()].seers);
        case Operator::cards_of:
            return sentence(game_.zones[x.named()].name, game_.zones[x.named()].seers);
        case Operator::fact:
        case Operator::set_fact:
            return sentence(game_.facts[x.named()].name, game_.facts[x.named()].seers);
        default:
            return {};
    }
}

Knower Knowledge::of(ExpressionId e) const {
    std::vector<ExpressionId> reads;
    const std::function<void(ExpressionId)> collect = [&](ExpressionId x) {
        if (x == no_id) return;
        const Expression& n = at(x);
        if (n.op == Operator::place || n.op == Operator::cards_of || n.op == Operator::fact || n.op == Operator::set_fact)
            reads.push_back(n.a);
        collect(n.a);
        collect(n.b);
        collect(n.c);
    };
    const ExpressionId nobody = no_id;
    if (knows(nobody, e)) return {};
    collect(e);
    for (const ExpressionId p : reads)
        if (p != no_id && at(p).type.base == Base::player && knows(p, e)) return {false, p};
    return {false, no_id};
}

}  // namespace houserule
