#include "interpreter/app/play/deciding_parts.hpp"

#include "dsl/book/book.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace houserule::cli {

namespace {

class Deciding {
public:
    using Sentences = std::vector<std::string>;

    Deciding(const AskedAt& where, KindId kind, const Globals& g)
        : s_(where),
          kind_(kind),
          g_(g),
          wording_(where.rules.syntax, where.head.settings, where.rules.sources, g.language, where.game().players) {}

    // Why no card of the kind is in the set.
    Sentences outside(ExpressionId id) {
        const Expression& x = at(id);
        switch (x.op) {
            case Operator::cards_where:
            case Operator::set_where: {
                const auto element = element_in(x.a);
                if (!element) return outside(x.a);
                const std::pair before(std::exchange(bound_, x.bound()), std::exchange(element_, *element));
                Sentences parts = why(x.b, false);
                bound_ = before.first, element_ = before.second;
                return parts;
            }
            case Operator::cards_conditional:
            case Operator::set_conditional: {
                const bool applies = value(x.a) == 1;
                Sentences parts = outside(applies ? x.b : x.c);
                return applies ? joined(why(x.a, true), std::move(parts)) : parts;
            }
            case Operator::cards_or_if_none:
            case Operator::set_or_if_none: {
                const auto first = s_.run->elements(x.a);
                return outside(first && !first->empty() ? x.a : x.b);
            }
            default:
                return {};
        }
    }

private:
    const Expression& at(ExpressionId id) const { return s_.game().expressions[id]; }
    std::optional<std::int32_t> value(ExpressionId id) { return s_.run->number(id, bound_, element_); }

    // What stands for the kind in the set: a card of it, or it itself.
    std::optional<std::int32_t> element_in(ExpressionId set) {
        const auto all = s_.run->elements(set);
        if (!all) return std::nullopt;
        const bool are_cards = at(set).type.base == Base::cards;
        const auto found =
            std::ranges::find_if(*all, [&](std::int32_t e) { return are_cards ? s_.game().piece_kind[e] == kind_ : e == kind_; });
        return found == all->end() ? std::nullopt : std::optional(*found);
    }

    // Why it holds, or does not; none where there are no words for one of the parts.
    Sentences why(ExpressionId id, bool holds) {
        Sentences parts = of_operands(id, holds);
        return parts.empty() ? alone(id, holds) : parts;
    }

    Sentences of_operands(ExpressionId id, bool holds) {
        const Expression& x = at(id);
        switch (x.op) {
            case Operator::negate: {
                // `is not` is said as a whole, with what its sides come to.
                Sentences parts = of_operands(x.a, !holds);
                return parts.empty() && at(x.a).span != x.span ? alone(x.a, !holds) : parts;
            }
            case Operator::both:
                if (holds) return joined(why(x.a, true), why(x.b, true));
                return value(x.a) == 0 ? why(x.a, false) : why(x.b, false);
            case Operator::either:
                if (!holds) return joined(why(x.a, false), why(x.b, false));
                return value(x.a) == 1 ? why(x.a, true) : why(x.b, true);
            case Operator::conditional:
                return of_case(x, holds);
            default:
                return {};
        }
    }
    // The case that applies, with what makes it apply; what comes before it does not.
    Sentences of_case(const Expression& x, bool holds) {
        const bool applies = value(x.a) == 1;
        const ExpressionId taken = applies ? x.b : x.c;
        if (taken == no_id || at(taken).op == Operator::fail) return {};
        if (at(taken).op == Operator::constant) return why(x.a, applies);
        if (!applies) return why(taken, holds);
        Sentences parts = why(taken, holds);
        return parts.empty() ? parts : joined(why(x.a, true), std::move(parts));
    }
    static Sentences joined(Sentences first, Sentences then) {
        if (first.empty() || then.empty()) return {};
        first.insert(first.end(), std::make_move_iterator(then.begin()), std::make_move_iterator(then.end()));
        return first;
    }
    Sentences alone(ExpressionId id, bool holds) {
        const std::string words = wording_.condition(at(id).span, holds);
        if (words.empty()) return {};
        const Expression& x = at(id);
        return {words + (x.op == Operator::negate ? compared(at(x.a), !holds) : compared(x, holds))};
    }
    // What the two sides of a comparison come to; of what equals something that is written there nothing new.
    std::string compared(const Expression& x, bool holds) {
        if (x.op != Operator::equal && x.op != Operator::less && x.op != Operator::less_equal) return "";
        if (holds && x.op == Operator::equal) return "";
        std::vector<std::string> values;
        for (const ExpressionId side : {x.a, x.b}) {
            const Type& type = at(side).type;
            if (at(side).op == Operator::constant || type.base == Base::card) continue;
            const auto found = value(side);
            if (!found || *found == unset_value) return "";
            values.push_back(value_words(s_.game(), type, *found, g_));
        }
        return values.empty() ? "" : say(g_, Text::here_it_is, fmt::format("{}", fmt::join(values, say(g_, Text::here_and))));
    }

    const AskedAt& s_;
    KindId kind_;
    BoundId bound_ = no_id;
    std::int32_t element_ = 0;
    const Globals& g_;
    Wording wording_;
};

}  // namespace

std::vector<std::string> what_keeps_out(const AskedAt& where, KindId kind, ExpressionId choice, const Globals& g) {
    return Deciding(where, kind, g).outside(choice);
}

}  // namespace houserule::cli
