// Decisions of somebody outside, on unknowns: see coexecute.hpp. Symbolic execution with a symbolic input for each decision that was not
// seen (King, "Symbolic execution and program testing", 1976); the observation then constrains it.
//
// A worked example, the game of solver/deduce/README.md: P2 chooses a card from `P2's hand where fits(it), or if none P2's hand`, and clubs
// were led. Seen from P1, who sees no other hand and is told no choice, P2's two cards are among clubs 3, stars 1, 2 and 3.
// 1. The options are read, so the hand gets kinds (`settle`): unknowns h0 .. h3 of 0 or 1, one a kind, with the sum h0 + h1 + h2 + h3 = 2.
// 2. Options by kind: clubs 3 if h0; stars k if hk and not h0 (clubs 3 would have to follow).
// 3. The choice is a new unknown for each kind, c0 .. c3, with the sum 1, and each implies its option: c0 -> h0, ck -> hk and not h0.
//    If the seat had been told the choice, no unknown would be made: the option of the card that was named would be required.
// 4. A choice of one among n copies is n histories (`count`); under uniform play it also divides the odds by the number of moves.
// 5. The next step puts the card in the trick, and P1 sees stars 1 arrive: c1 = 1 and the other c are 0. So h0 = 0: P2 has no clubs 3.
#include "solver/coexecute/coexecute.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"

#include <algorithm>

namespace houserule {

namespace {

// About whether to choose at all.
Input consent_input(StepId step, Terms::Int value, Truth when = Formulas::yes) {
    Input input = number_input(step, std::move(value), when);
    input.consent = true;
    return input;
}

Input cards_input(StepId step, std::vector<std::pair<KindId, Terms::Int>> cards, Terms::Int place) {
    Input input;
    input.what = Input::What::cards;
    input.step = step;
    input.cards = std::move(cards);
    input.number = std::move(place);
    return input;
}

// As Run::move_for takes a card: where it lay is always said, as copies may be on offer elsewhere.
KindId answered(KindId kind, PlaceId place) { return KindId(PlacedKind{kind, place}.value()); }

Input slots_input(StepId step, std::vector<std::int32_t> slots) {
    Input input;
    input.what = Input::What::slots;
    input.step = step;
    input.slots = std::move(slots);
    return input;
}

// Whether the rules say what to do when there is nothing to choose from. Who agreed to choose had something.
bool may_lack(const Step& s) { return s.c != no_id && (s.mode & choice_optional) == 0; }

}  // namespace

Coexecution::Walk Coexecution::choose(UnknownTable& t, const Step& s) {
    return for_whoever(t, s.x, game_.players, [&](UnknownTable& path, Value seat) { return choose_as(path, s, seat); });
}

Coexecution::Walk Coexecution::choose_as(UnknownTable& t, const Step& s, Value seat) {
    const Seen* e = next_seen(t);
    // Of what is said together with others the seat hears when all have chosen: until then it knows of its own.
    const bool aloud = (s.mode & choice_aloud) != 0;
    const bool unheard = aloud && (s.mode & choice_joint) != 0 && seat != seat_ && only_own_choices_from(t.seen);
    t.unheard = t.unheard || unheard;
    const bool visible = (aloud && !unheard) || seat == seat_;
    const bool noted =
        visible && e != nullptr && e->event.kind == EventKind::choice && e->event.name == told_name(machine_, s) && e->event.seat == seat;
    t.heard = t.heard || (noted && (s.mode & choice_joint) != 0 && seat != seat_);
    const bool consents = (s.mode & choice_optional) != 0 && !t.consented;
    const auto walk = consents ? consent(t, s, seat == seat_, visible, noted ? e : nullptr) : std::nullopt;
    if (walk) return *walk;
    t.consented = false;
    name_anew(t, s.a, no_id);
    t.unread.erase(s.a);
    const Step offer = with_open_options(t, s, noted);
    return (s.mode & choice_many) != 0 ? choose_many(t, offer, noted ? e : nullptr, visible)
                                       : choose_one(t, offer, noted ? e : nullptr, visible);
}

// Where conditions on what is offered take too many sets of hidden cards to work out, they are left open: anything may be chosen that they
// ask about, or there was nothing to choose, which is followed here.
Step Coexecution::with_open_options(UnknownTable& t, const Step& s, bool noted) {
    const auto splits = [](const Expression& x) { return x.op == Operator::least_left; };
    if ((s.mode & choice_range) != 0 || !any_read(game_, s.y, splits) || settle(t, s.y) || !was_too_large()) return s;
    Step open = s;
    while (game_.expressions[open.y].op == Operator::cards_where || game_.expressions[open.y].op == Operator::set_where)
        open.y = game_.expressions[open.y].a;
    const Truth nothing = left_open(t);
    if (may_lack(s) && (!noted || comes_again(t.pc))) split(t, nothing, s.c);
    open.c = no_id;
    return open;
}

// Whether they choose at all; nothing where they do. What was noted may have been chosen when they were asked again.
std::optional<Coexecution::Walk> Coexecution::consent(UnknownTable& t, const Step& s, bool own, bool visible, const Seen* noted) {
    const Terms::Int yes_or_no = terms_.constant(limits_.uniform_play ? 2 : 1);
    const bool declined = noted != nullptr && noted->event.optional_no;
    if (noted == nullptr || comes_again(t.pc)) {
        // Declined: the chooser alone knows. Or there was nothing to choose, which nobody else can tell apart: then nobody was asked.
        if (!keep_promises(t)) return Walk::dead;
        UnknownTable other = t;
        const auto none = nothing_to_choose(other, s);
        if (!none) return Walk::stuck;
        if (own && declined) t = other;
        other.pc = s.c;
        if (own && noted == nullptr) {
            // The seat would have been asked.
            if (!require(other, *none)) return Walk::dead;
            t = std::move(other);
            return Walk::next;
        }
        if (own) {
            if (require(other, *none)) part_with(std::move(other));
        } else {
            if (!one_in(other, terms_.negate(*none), yes_or_no)) return Walk::stuck;
            if (*none != Formulas::yes) other.inputs.push_back(consent_input(t.pc, terms_.constant(0), terms_.negate(*none)));
            part_with(std::move(other));
        }
        if (own && declined && (!keep_promises(t) || !require(t, terms_.negate(*none)))) return Walk::dead;
        terms_.forget();  // they are about unknowns of the other path
        if (*none == Formulas::yes || (visible && noted == nullptr))
            return Walk::dead;  // there was nothing, or it would have been said aloud
    }
    if (!one_in(t, Formulas::yes, yes_or_no)) return Walk::stuck;
    t.inputs.push_back(consent_input(t.pc, terms_.constant(declined ? 0 : 1)));
    if (!declined) return std::nullopt;
    t.pc = s.c;
    ++t.seen;
    return Walk::next;
}

// When there is nothing to choose from at a step; nothing when that cannot be told.
std::optional<Truth> Coexecution::nothing_to_choose(UnknownTable& t, const Step& s) {
    if ((s.mode & choice_range) != 0) {
        if (!settle(t, s.y) || !settle(t, s.w)) return std::nullopt;
        return terms_.less(evaluator(t).scalar(s.w), evaluator(t).scalar(s.y));
    }
    const bool cards = game_.expressions[s.y].type.base == Base::cards;
    const bool many = (s.mode & choice_many) != 0;
    if (const auto places = cards && s.fits == no_id ? whole_places(t, s.y) : std::nullopt) {
        // How many lie there is seen by all.
        Value size = 0;
        for (const PlaceId p : *places) size += t.sizes[p];
        if (many && !settle(t, s.z)) return std::nullopt;
        return terms_.less(terms_.constant(size), many ? evaluator(t).scalar(s.z) : terms_.constant(1));
    }
    if (!settle(t, s.y)) return open_if_too_large(t);
    if (many && !settle(t, s.z)) return std::nullopt;
    if (s.fits != no_id) return no_set_fits(t, s);
    Evaluator<Terms> ev = evaluator(t);
    const Terms::Int there = cards ? collections::size(terms_, ev.cards(s.y)) : collections::size(terms_, ev.set(s.y));
    return terms_.less(there, many ? ev.scalar(s.z) : terms_.constant(1));
}

bool Coexecution::only_own_choices_from(std::size_t seen) const {
    for (; seen < seen_.size(); ++seen)
        if (seen_[seen].event.kind != EventKind::choice || seen_[seen].event.seat != seat_) return false;
    return true;
}

// Whether somebody has chosen at this step, of which the seat hears nothing, as it has heard already what was said together with it.
bool Coexecution::has_chosen_unheard(UnknownTable& t, const Step& s) {
    if (!t.heard || (s.op != Op::choose && s.op != Op::ask) || (s.op == Op::choose && (s.mode & choice_aloud) != 0)) return false;
    const auto seat = known_number(t, s.x);
    return seat && *seat != seat_;
}

// All have chosen, and hear what was said. Who saw nothing of it can be no further than this, and is kept where no other path is left: who
// notes their own choice at a table may note it before those of others.
Coexecution::Walk Coexecution::all_chose(UnknownTable& t) {
    t.heard = false;
    if (!t.unheard) return on(t);
    if (t.seen == seen_.size()) before_heard_.push_back(std::move(t));
    return Walk::dead;
}

Coexecution::Walk Coexecution::choose_one(UnknownTable& t, const Step& s, const Seen* seen, bool visible) {
    if ((s.mode & choice_range) == 0 && game_.expressions[s.y].type.base == Base::cards) return choose_card(t, s, seen, visible);
    Terms::Int value;
    if (!settle(t, s.y) || !settle(t, s.w)) return Walk::stuck;
    Evaluator<Terms> ev = evaluator(t);
    if ((s.mode & choice_range) != 0) {
        const Terms::Int low = ev.scalar(s.y);
        const Terms::Int high = ev.scalar(s.w);
        if (may_lack(s)) split(t, terms_.less(high, low), s.c);
        if (visible && seen == nullptr) return Walk::dead;
        if (seen == nullptr && high.high() - low.low() >= Dealer::fresh_most) return too_many_values(Dealer::fresh_most);
        value = seen != nullptr ? terms_.constant(seen->event.values[0]) : dealer_.fresh(t, low.low(), high.high());
        if (!require(t, terms_.less_equal(low, value)) || !require(t, terms_.less_equal(value, high))) return Walk::dead;
        if (limits_.uniform_play && !one_in(t, Formulas::yes, terms_.add(terms_.subtract(high, low), terms_.constant(1))))
            return Walk::stuck;
    } else {
        const Set<Terms> options = ev.set(s.y);
        if (may_lack(s)) split(t, collections::is_empty(terms_, options), s.c);
        if (visible && seen == nullptr) return Walk::dead;
        if (seen == nullptr && std::cmp_greater(options.has.size(), Dealer::fresh_most)) return too_many_values(Dealer::fresh_most);
        value = seen != nullptr ? terms_.constant(seen->event.values[0]) : dealer_.fresh(t, options.first, options.end() - 1);
        if (!requires_of_options(t, options, value, seen)) return Walk::dead;
        if (limits_.uniform_play && !one_in(t, Formulas::yes, collections::size(terms_, options))) return Walk::stuck;
    }
    number(t, s.a) = value;
    t.inputs.push_back(number_input(t.pc, value));
    if (seen != nullptr) ++t.seen;
    ++t.pc;
    return Walk::next;
}

// Whether the next thing that happens to a chosen card is that it is put somewhere.
bool Coexecution::put_follows(StepId pc, VariableId variable) const {
    for (StepId i = pc + 1; machine_.code.has(i); ++i) {
        const Step& s = machine_.code[i];
        if (s.op == Op::nothing || s.op == Op::judged || s.op == Op::enter) continue;
        if (s.op != Op::put) return false;
        return name_of_cards(s.x) == variable;
    }
    return false;
}

// Whether an event may be about cards of a place that have a name: they are shown there, or leave for where the rules put them.
bool Coexecution::may_be_of(const Event& event, PlaceId place, VariableId variable) const {
    if (event.from != place || (event.kind != EventKind::move && event.kind != EventKind::shows)) return false;
    if (event.kind == EventKind::shows || event.to <= 0) return true;
    const auto names = [&](const Expression& x) {
        return (x.op == Operator::variable || x.op == Operator::cards_variable) && x.named() == variable;
    };
    return std::any_of(machine_.code.begin(), machine_.code.end(), [&](const Step& s) {
        if (s.op == Op::assign) return names(game_.expressions[s.x]);  // another name, which may be put anywhere
        if (s.op != Op::put || !any_read(game_, s.x, names)) return false;
        const Expression& to = game_.expressions[s.y];
        return to.op != Operator::place || to.named() == machine_.place_zone[event.to];
    });
}

// The card of this kind there, if it is among the options.
bool Coexecution::choose_kind(UnknownTable& t, const Step& s, PlaceId place, KindId kind) {
    const auto copies_offered = [&] {
        for (const Copies<Terms>& c : evaluator(t).cards(s.y).copies)
            if (c.place == place && c.kind == kind) return c.count;
        return terms_.constant(0);
    };
    if (limits_.uniform_play) {
        if (!settle(t, s.y)) return false;
        if (!one_of(t, evaluator(t).cards(s.y)) || !one_in(t, Formulas::yes, copies_offered())) return false;
    }
    if (may_be_some_copies(s.y, kind)) {
        if (!settle(t, s.y)) return false;
        dealer_.count(t, Formulas::yes, copies_offered());
    } else {
        if (!(is_stack(place) ? dealer_.expose_another(t, place, kind, 0) : dealer_.expose(t, place, 0, kind))) return false;
        if (!settle_filter(t, s.y)) return false;
    }
    if (!require(t, arithmetic::positive(terms_, copies_offered()))) return false;
    t.state.variables[s.a] = Card<Terms>{terms_.constant(kind), terms_.constant(place)};
    t.inputs.push_back(cards_input(t.pc, {{answered(kind, place), terms_.constant(1)}}, terms_.constant(place)));
    return true;
}

// Where there is nothing to choose from the path goes on at `otherwise`. True: there is nothing for certain.
bool Coexecution::lacks(UnknownTable t, Truth none, StepId otherwise) {
    if (none == Formulas::no) return false;
    if (require(t, none)) {
        t.pc = otherwise;
        part_with(std::move(t));
    }
    return none == Formulas::yes;
}

// Takes some of a place without giving them kinds. False when that cannot be.
bool Coexecution::pick_unread(UnknownTable& t, const Step& s, PlaceId place, Value size) {
    auto unread = dealer_.pick_unseen(t, place, size);
    if (!unread) return false;
    t.inputs.push_back(slots_input(t.pc, unread->slots));
    t.unread[s.a] = std::move(*unread);
    return true;
}

Coexecution::Walk Coexecution::choose_card(UnknownTable& t, const Step& s, const Seen* seen, bool visible) {
    const auto source = source_of(t, s.y);
    const bool unfiltered = source && whole_places(t, s.y).has_value();
    if (!keep_promises(t)) return Walk::dead;
    if (may_lack(s) && (seen == nullptr || comes_again(t.pc))) {
        UnknownTable other = t;
        const auto none = nothing_to_choose(other, s);
        if (!none) return Walk::stuck;
        if (lacks(std::move(other), *none, s.c)) return Walk::dead;
        terms_.forget();
    }
    if (visible && seen == nullptr) return Walk::dead;
    if (seen != nullptr) return choose_seen_card(t, s, *seen, source);
    // Unseen. If the next thing seen is a card that leaves the place, it was that one, or another that did not leave.
    std::vector<KindId> shown;
    const Seen* e = next_seen(t);
    if (source && e != nullptr && e->faces && may_be_of(e->event, *source, s.a)) {
        for (const std::int32_t k : e->event.pieces)
            if (std::find(shown.begin(), shown.end(), k) == shown.end()) shown.push_back(k);
        for (const KindId k : shown) {
            UnknownTable other = t;
            const bool is_chosen = choose_kind(other, s, *source, k);
            if (!is_chosen && problem_.hit()) return Walk::stuck;
            ++other.pc;
            if (is_chosen) part_with(std::move(other));
            terms_.forget();
        }
        if (put_follows(t.pc, s.a)) return Walk::dead;
    } else if (unfiltered && !limits_.uniform_play && pick_unread(t, s, *source, 1)) {
        return on(t);
    }
    return choose_any_card(t, s, source, shown);
}

// The card that was seen to be chosen; or the cards, where it was not told at which place they lay.
Coexecution::Walk Coexecution::choose_seen_card(UnknownTable& t, const Step& s, const Seen& seen, std::optional<PlaceId> source) {
    const PlacedKind shown = PlacedKind::of_value(seen.event.values[0]);
    const KindId kind = shown.kind;
    const PlaceId place = shown.place != no_id ? shown.place : source.value_or(no_id);
    if (place != no_id) {
        if (!choose_kind(t, s, place, kind)) return !problem_.hit() ? Walk::dead : Walk::stuck;
        ++t.seen;
        return on(t);
    }
    // So all that was offered lay at one.
    if (!settle(t, s.y)) return Walk::stuck;
    const Cards<Terms> options = evaluator(t).cards(s.y);
    std::map<KindId, Value> kinds;
    for (const std::int32_t v : seen.event.values) ++kinds[PlacedKind::of_value(v).kind];
    return for_any(t, 0, game_.places, [&](UnknownTable& path, Value one) {
        const auto is_offered = [&](const Copies<Terms>& c) { return c.place == one && c.kind == kind && c.count.high() > 0; };
        const auto only_there = [&](const Copies<Terms>& c) {
            return c.place == one || require(path, terms_.negate(arithmetic::positive(terms_, c.count)));
        };
        if (std::ranges::none_of(options.copies, is_offered) || !std::ranges::all_of(options.copies, only_there)) return Walk::dead;
        const bool many = (s.mode & choice_many) != 0;
        if (!(many ? choose_kinds(path, s, PlaceId(one), kinds) : choose_kind(path, s, PlaceId(one), kind)))
            return !problem_.hit() ? Walk::dead : Walk::stuck;
        ++path.seen;
        return on(path);
    });
}

// Any of the options, but for those kinds of the place that were followed already.
Coexecution::Walk Coexecution::choose_any_card(UnknownTable& t, const Step& s, std::optional<PlaceId> source,
                                               const std::vector<KindId>& followed) {
    if (!settle(t, s.y)) return Walk::stuck;
    const Cards<Terms> options = evaluator(t).cards(s.y);
    if (limits_.uniform_play && !one_of(t, options)) return Walk::stuck;
    std::map<Value, std::vector<Truth>> kinds;
    std::map<Value, std::vector<Truth>> places;
    std::vector<std::pair<KindId, Terms::Int>> input;
    Sum sum{{}, 1};
    for (const Copies<Terms>& c : options.copies) {
        if (source == c.place && std::find(followed.begin(), followed.end(), c.kind) != followed.end()) continue;
        if (c.count.high() == 0) continue;
        sum.unknowns.push_back(terms_.formulas().unknowns().size());
        const Terms::Int chosen = dealer_.fresh(t, 0, 1, c.kind);
        const Truth is = arithmetic::positive(terms_, chosen);
        if (!require(t, terms_.either(terms_.negate(is), arithmetic::positive(terms_, c.count)))) return Walk::dead;
        dealer_.count(t, is, c.count);
        if (limits_.uniform_play && !one_in(t, is, c.count)) return Walk::stuck;
        kinds[c.kind].push_back(is);
        places[c.place].push_back(is);
        input.emplace_back(answered(c.kind, c.place), chosen);
    }
    if (sum.unknowns.empty()) return Walk::dead;
    t.sums.push_back(std::move(sum));
    const Card<Terms> card{terms_.from_cases(std::move(kinds)), terms_.from_cases(std::move(places))};
    t.inputs.push_back(cards_input(t.pc, std::move(input), card.place));
    t.state.variables[s.a] = card;
    return on(t);
}

Coexecution::Walk Coexecution::choose_many(UnknownTable& t, const Step& s, const Seen* seen, bool visible) {
    if (game_.expressions[s.y].type.base == Base::cards) return choose_cards(t, s, seen, visible);
    if (!settle(t, s.y) || !settle(t, s.z) || !settle(t, s.w)) return Walk::stuck;
    Evaluator<Terms> ev = evaluator(t);
    const Terms::Int low = ev.scalar(s.z);
    const Terms::Int high = ev.scalar(s.w);
    Set<Terms> chosen = ev.set(s.y);
    const Set<Terms> options = chosen;
    if (may_lack(s) && (seen == nullptr || comes_again(t.pc))) {
        const auto none = s.fits == no_id ? terms_.less(collections::size(terms_, chosen), low) : no_set_fits(t, s);
        if (!none) return Walk::stuck;
        split(t, *none, s.c);
    }
    if (visible && seen == nullptr) return Walk::dead;
    Input input;
    input.what = Input::What::elements;
    input.step = t.pc;
    for (Value v = chosen.first; v < chosen.end(); ++v) {
        Truth& has = chosen.has[v - chosen.first];
        const bool in = seen != nullptr && std::find(seen->event.values.begin(), seen->event.values.end(), static_cast<std::int32_t>(v)) !=
                                               seen->event.values.end();
        if (has == Formulas::no && !in) continue;
        const Truth taken = seen != nullptr ? terms_.truth(in) : arithmetic::positive(terms_, dealer_.fresh(t, 0, 1));
        if (!require(t, terms_.either(terms_.negate(taken), has))) return Walk::dead;
        has = taken;
        input.cards.emplace_back(KindId(v), arithmetic::count(terms_, taken));
    }
    const Terms::Int size = collections::size(terms_, chosen);
    t.state.variables[s.a] = chosen;
    if (!require(t, terms_.less_equal(low, size)) || !require(t, terms_.less_equal(size, high))) return Walk::dead;
    if (limits_.uniform_play && !(s.fits == no_id ? one_of_sets(t, options, low, high) : one_of_fitting(t, s))) return Walk::stuck;
    if (!fits_whole(t, s)) return !problem_.hit() ? Walk::dead : Walk::stuck;
    t.inputs.push_back(std::move(input));
    if (seen != nullptr) ++t.seen;
    ++t.pc;
    return Walk::next;
}

// Several cards of these kinds, given how many of each.
bool Coexecution::choose_kinds(UnknownTable& t, const Step& s, KindId place, const std::map<KindId, Value>& kinds) {
    const bool some = std::any_of(kinds.begin(), kinds.end(), [&](const auto& k) { return may_be_some_copies(s.y, k.first); });
    if (limits_.uniform_play) {
        if (!settle(t, s.y) || !settle(t, s.z) || !settle(t, s.w)) return false;
        const Cards<Terms> options = evaluator(t).cards(s.y);
        const bool told =
            s.fits == no_id ? one_of_sets(t, options, evaluator(t).scalar(s.z), evaluator(t).scalar(s.w)) : one_of_fitting(t, s);
        if (!told) return false;
        for (const Copies<Terms>& c : options.copies)
            if (const auto n = kinds.find(c.kind); !some && c.place == place && n != kinds.end() && !one_in_picks(t, c.count, n->second))
                return false;
    }
    if (some && !settle(t, s.y)) return false;
    for (const auto& [kind, n] : kinds) {
        if (some) break;  // of those that are offered, below
        Integer orders = 1;
        for (Value i = 0; i < n; ++i) {
            // The copies that were exposed before are no longer there to be picked.
            if (!dealer_.expose_another(t, place, kind, i)) return false;
            orders *= i + 1;
        }
        t.factor /= Rational(orders);
    }
    if (!settle_filter(t, s.y)) return false;
    const Cards<Terms> options = evaluator(t).cards(s.y);
    Cards<Terms> chosen;
    std::vector<std::pair<KindId, Terms::Int>> input;
    Value size = 0;
    for (const auto& [kind, n] : kinds) {
        Terms::Int there = terms_.constant(0);
        for (const Copies<Terms>& c : options.copies)
            if (c.place == place && c.kind == kind) there = c.count;
        if (!require(t, terms_.less_equal(terms_.constant(n), there))) return false;
        if (some && !count_picks(t, there, terms_.constant(n))) return false;
        collections::add_copies(terms_, chosen, place, kind, terms_.constant(n));
        input.emplace_back(answered(kind, place), terms_.constant(n));
        size += n;
    }
    chosen.size = terms_.constant(size);
    Evaluator<Terms> ev = evaluator(t);
    const Terms::Int number_chosen = terms_.constant(size);
    if (!require(t, terms_.less_equal(ev.scalar(s.z), number_chosen)) || !require(t, terms_.less_equal(number_chosen, ev.scalar(s.w))))
        return false;
    t.state.variables[s.a] = chosen;
    if (!fits_whole(t, s)) return false;
    t.inputs.push_back(cards_input(t.pc, std::move(input), terms_.constant(place)));
    return true;
}

Coexecution::Walk Coexecution::choose_cards(UnknownTable& t, const Step& s, const Seen* seen, bool visible) {
    if (!settle(t, s.z) || !settle(t, s.w)) return Walk::stuck;
    const auto source = source_of(t, s.y);
    const bool unfiltered = source && whole_places(t, s.y).has_value();
    const Sizes sizes{evaluator(t).scalar(s.z), evaluator(t).scalar(s.w)};
    if (!keep_promises(t)) return Walk::dead;
    if (may_lack(s) && (seen == nullptr || comes_again(t.pc))) {
        UnknownTable other = t;
        const auto none = nothing_to_choose(other, s);
        if (!none) return Walk::stuck;
        if (lacks(std::move(other), *none, s.c)) return Walk::dead;
        terms_.forget();
    }
    if (visible && seen == nullptr) return Walk::dead;
    if (seen != nullptr) {
        std::map<PlaceId, std::map<KindId, Value>> by_place;
        for (const std::int32_t v : seen->event.values) {
            const PlacedKind card = PlacedKind::of_value(v);
            ++by_place[card.place != no_id ? card.place : source.value_or(no_id)][card.kind];
        }
        if (by_place.empty() && source) by_place[*source];
        if (by_place.size() == 1 && by_place.begin()->first != no_id) {
            if (!choose_kinds(t, s, by_place.begin()->first, by_place.begin()->second)) return !problem_.hit() ? Walk::dead : Walk::stuck;
            ++t.seen;
            return on(t);
        }
        if (by_place.size() == 1) return choose_seen_card(t, s, *seen, source);
    }
    Followed followed;
    if (seen == nullptr && source)
        if (const auto walk = choose_unseen_cards(t, s, *source, unfiltered, sizes, followed)) return *walk;
    return choose_any_cards(t, s, seen, source, sizes, followed);
}

// Unseen, of one place. If the next thing seen is cards that leave it, it was those (`followed`), or others that did not leave. Nothing
// when others may be among them.
std::optional<Coexecution::Walk> Coexecution::choose_unseen_cards(UnknownTable& t, const Step& s, PlaceId source, bool unfiltered,
                                                                  const Sizes& sizes, Followed& followed) {
    const bool known_sizes = sizes.low.is_constant() && sizes.high.is_constant();
    const bool may_pick = unfiltered && !limits_.uniform_play && known_sizes && s.fits == no_id;
    const Seen* e = next_seen(t);
    if (e == nullptr || !may_be_of(e->event, source, s.a)) {
        if (may_pick && sizes.high.low() == sizes.low.low() && pick_unread(t, s, source, sizes.low.low())) return on(t);
        return std::nullopt;
    }
    const Value n = e->event.pieces.size();
    const bool fits = sizes.low.low() <= n && n <= sizes.high.high();
    UnknownTable other = t;
    if (e->faces && fits) {
        for (const std::int32_t k : e->event.pieces) ++followed.kinds[k];
        const bool is_chosen = choose_kinds(other, s, source, followed.kinds);
        if (!is_chosen && problem_.hit()) return Walk::stuck;
        ++other.pc;
        if (is_chosen) part_with(std::move(other));
        terms_.forget();
    } else if (fits && may_pick && pick_unread(other, s, source, n)) {
        ++other.pc;
        part_with(std::move(other));
        followed.any_so_many = n;
    }
    if (!followed.none() && put_follows(t.pc, s.a)) return Walk::dead;
    return std::nullopt;
}

// Each copy may be among them, but they are not just those, or as many, that were followed already.
Coexecution::Walk Coexecution::choose_any_cards(UnknownTable& t, const Step& s, const Seen* seen, std::optional<PlaceId> source,
                                                const Sizes& sizes, const Followed& followed) {
    if (!settle(t, s.y)) return Walk::stuck;
    Cards<Terms> chosen = evaluator(t).cards(s.y);
    const bool any = s.fits == no_id;
    if (limits_.uniform_play && !(any ? one_of_sets(t, chosen, sizes.low, sizes.high) : one_of_fitting(t, s))) return Walk::stuck;
    chosen.size.reset();
    const auto said = [&](const Copies<Terms>& c) {
        return std::ranges::count_if(seen->event.values, [&](std::int32_t v) {
            const PlacedKind card = PlacedKind::of_value(v);
            return card.kind == c.kind && card.place == c.place;
        });
    };
    std::vector<std::pair<KindId, Terms::Int>> input;
    Truth as_followed = Formulas::yes;
    for (Copies<Terms>& c : chosen.copies) {
        const Terms::Int there = c.count;
        const Terms::Int n = seen != nullptr ? terms_.constant(static_cast<Value>(said(c))) : dealer_.fresh(t, 0, there.high(), c.kind);
        if (!require(t, terms_.less_equal(n, there))) return Walk::dead;
        if (!count_picks(t, there, n)) return Walk::stuck;
        c.count = n;
        input.emplace_back(answered(c.kind, c.place), n);
        const auto wanted = followed.kinds.find(c.kind);
        as_followed = terms_.both(as_followed, terms_.equal(n, terms_.constant(wanted == followed.kinds.end() ? 0 : wanted->second)));
    }
    const Terms::Int size = collections::size(terms_, chosen);
    if (followed.any_so_many) as_followed = terms_.equal(size, terms_.constant(*followed.any_so_many));
    if (!followed.none() && !require(t, terms_.negate(as_followed))) return Walk::dead;
    t.state.variables[s.a] = chosen;
    if (!require(t, terms_.less_equal(sizes.low, size)) || !require(t, terms_.less_equal(size, sizes.high))) return Walk::dead;
    if (!fits_whole(t, s)) return !problem_.hit() ? Walk::dead : Walk::stuck;
    t.inputs.push_back(cards_input(t.pc, std::move(input), terms_.constant(source.value_or(no_id))));
    if (seen != nullptr) ++t.seen;
    return on(t);
}

// So many of so many copies can be picked in several ways, which all count. False when their odds cannot be told.
bool Coexecution::count_picks(UnknownTable& t, const Terms::Int& there, const Terms::Int& picked) {
    bool told = true;
    terms_.each_case(there, [&](Value all, const Truth& has) {
        terms_.each_case(picked, [&](Value some, const Truth& takes) {
            if (some == 0 || some >= all) return;
            const Terms::Int picks = terms_.constant(binomial(all, some));
            dealer_.count(t, terms_.both(has, takes), picks);
            told = told && (!limits_.uniform_play || one_in(t, terms_.both(has, takes), picks));
        });
    });
    return told;
}

Coexecution::Walk Coexecution::ask(UnknownTable& t, const Step& s) {
    return for_whoever(t, s.x, game_.players, [&](UnknownTable& path, Value seat) { return ask_as(path, s, seat); });
}

Coexecution::Walk Coexecution::ask_as(UnknownTable& t, const Step& s, Value seat) {
    if (limits_.uniform_play && !one_in(t, Formulas::yes, terms_.constant(2))) return Walk::stuck;
    if (seat != seat_) {
        UnknownTable other = t;
        other.inputs.push_back(number_input(t.pc, terms_.constant(0)));
        other.pc = s.c;
        part_with(std::move(other));
        t.inputs.push_back(number_input(t.pc, terms_.constant(1)));
        ++t.pc;
        return Walk::next;
    }
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::answer || e->event.name != s.a || e->event.seat != seat_) return Walk::dead;
    ++t.seen;
    t.inputs.push_back(number_input(t.pc, terms_.constant(e->event.value)));
    t.pc = e->event.value != 0 ? t.pc + 1 : StepId(s.c);
    return Walk::next;
}

Coexecution::Walk Coexecution::window(UnknownTable& t, const Step& s) {
    auto& who = std::get<Set<Terms>>(t.state.variables[s.b]);
    if (untold_) {  // on the copies of arms nobody acts
        who.has.assign(who.has.size(), Formulas::no);
        return on(t);
    }
    const Seen* e = next_seen(t);
    const bool acts = e != nullptr && e->event.kind == EventKind::acts && e->event.name == s.a;
    const Truth anybody = terms_.any(who.has);
    const auto pass = [&](UnknownTable& path) {
        for (Truth& has : std::get<Set<Terms>>(path.state.variables[s.b]).has) has = Formulas::no;
        if (anybody != Formulas::no) path.inputs.push_back(number_input(path.pc, terms_.constant(0), anybody));
        ++path.pc;
    };
    if (!acts) {
        pass(t);
        return Walk::next;
    }
    // Perhaps they did at a later window before which nothing else was noticed.
    UnknownTable later = t;
    pass(later);
    part_with(std::move(later));
    Value mask = 0;
    for (Value p = who.first; p < who.end(); ++p) {
        Truth& has = who.has[p - who.first];
        const bool did = std::find(e->event.values.begin(), e->event.values.end(), static_cast<std::int32_t>(p)) != e->event.values.end();
        if (did && !require(t, has)) return Walk::dead;
        has = terms_.truth(did);
        if (did) mask |= Value{1} << p;
    }
    t.inputs.push_back(number_input(t.pc, terms_.constant(mask)));
    ++t.seen;
    ++t.pc;
    return Walk::next;
}

}  // namespace houserule
