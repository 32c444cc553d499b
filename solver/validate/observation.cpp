#include "solver/validate/observation.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/never.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace houserule {

namespace {

const Statement* statement_of(const Machine& m, const Step& s) { return s.statement == no_id ? nullptr : &m.game.statements[s.statement]; }
const Expression& expression(const Machine& m, ExpressionId e) { return m.game.expressions[e]; }

// The operator whose promise broke there, if one did.
std::optional<Operator> operator_at(const Game& game, Span span) {
    std::optional<Operator> op;
    for (const Expression& e : game.expressions) {
        if (!(e.span == span)) continue;
        switch (e.op) {
            case Operator::the_card:
            case Operator::the_element:
            case Operator::next_in:
            case Operator::largest_over:
            case Operator::smallest_over:
            case Operator::first_card:
            case Operator::last_card:
            case Operator::first_cards:
            case Operator::last_cards:
            case Operator::lookup:
            case Operator::set_lookup:
            case Operator::cards_any:
            case Operator::cards_groups:
            case Operator::fail:
                op = e.op;
                break;
            default:
                break;
        }
    }
    return op;
}

// `p's hat`, of which there is one: no `the` stands there.
bool is_place_for_one(const Game& game, Span span) {
    return std::any_of(game.expressions.begin(), game.expressions.end(), [&](const Expression& e) {
        if (!(e.span == span) || e.op != Operator::the_card) return false;
        const Expression* of = &game.expressions[e.a];
        if (of->op == Operator::cards_at) of = &game.expressions[of->a];
        return of->op == Operator::place && game.zones[ZoneId(of->named())].shape == Shape::one;
    });
}

// Whether what the run says of it is more than the title.
bool says_more(FailureKind failure) {
    switch (failure) {
        case FailureKind::goes_on_for_ever:
        case FailureKind::acts_do_not_end:
        case FailureKind::no_case:
        case FailureKind::did_not_run_down:
        case FailureKind::not_enough_times:
        case FailureKind::nothing_to_choose:
        case FailureKind::no_card_fits:
        case FailureKind::several_cards_fit:
        case FailureKind::nothing_fits:
        case FailureKind::several_fit:
            return false;
        default:
            return true;
    }
}

struct Said {
    FindingClass what = FindingClass::gap;
    Sentence title;
    Sentence help;
};

// Somebody or a value is needed, and is nobody or none.
bool is_of_none(FailureKind what) {
    return what == FailureKind::none_as_number || what == FailureKind::nobody_here || what == FailureKind::none_here ||
           what == FailureKind::no_owner;
}

Said said_of_operator(Operator op, FailureKind what) {
    switch (op) {
        case Operator::the_card:
        case Operator::the_element:
            return {FindingClass::unresolved,
                    what == FailureKind::several_cards_fit || what == FailureKind::several_fit
                        ? Sentence{FindingText::the_means_exactly_one_and_several}
                        : Sentence{FindingText::the_means_exactly_one_and_nothing},
                    FindingText::say_which_one_or_what_happens};
        case Operator::fail:
            return {FindingClass::gap, FindingText::no_case_applies, FindingText::add_the_missing_case_or_otherwise};
        case Operator::cards_any:
        case Operator::cards_groups:
            return {FindingClass::chooser, FindingText::too_few, FindingText::say_who_chooses_or_what_happens};
        default:
            return {FindingClass::void_duty, FindingText::what_the_rule_speaks, FindingText::say_what_happens_then};
    }
}

// Whether `if short` brought more, and this draws once more.
bool is_drawn_again(const Game& game, const statement::Draw& drawn) {
    return drawn.if_none == no_id && std::ranges::any_of(game.statements, [&](const Statement& s) {
               const auto* draw = s.as<statement::Draw>();
               return draw != nullptr && draw->if_none != no_id && draw->variable == drawn.variable;
           });
}

Sentence remedy_of_draw(const Game& game, const Statement* statement) {
    const auto* draw = statement == nullptr ? nullptr : statement->as<statement::Draw>();
    const auto* deal = statement == nullptr ? nullptr : statement->as<statement::Deal>();
    if (draw != nullptr && is_drawn_again(game, *draw)) return FindingText::what_if_short;
    if (draw != nullptr) return FindingText::say_what_happens_when_there_is;
    if (deal != nullptr && deal->if_short != no_id) return FindingText::what_if_short_does_does_not;
    return FindingText::say_where_more_come_from;
}

// A fact that has no value there may never have had one.
Sentence remedy_of_none(const Game& game, Span span) {
    const Fact* const fact = fact_read_at(game, span);
    if (fact == nullptr) return FindingText::say_what_happens_then_if_is;
    return FindingText::give_a_value_before(fact->name, fact->type.base == Base::player ? verbatim("nobody") : verbatim("none"));
}

Said said_of(const Machine& m, const Observation& observation) {
    const Step& step = m.code[observation.step];
    if (is_of_none(observation.failure.kind))
        return {FindingClass::gap, FindingText::a_value_is_needed, remedy_of_none(m.game, observation.failure.span)};
    if (observation.failure.kind == FailureKind::takes_only || observation.failure.kind == FailureKind::does_not_fit)
        return {FindingClass::count, FindingText::more_pieces_come_there_than_fit, FindingText::say_what_happens_to_the_rest};
    if (observation.failure.kind == FailureKind::acts_do_not_end)
        return {FindingClass::endless, FindingText::this_may_be_done_again, FindingText::say_how_often_each_may_do};
    if (is_about_order(observation.failure.kind))
        return {FindingClass::order, FindingText::no_order_is_stated, FindingText::say_who_counts_first};
    if (is_place_for_one(m.game, observation.failure.span))
        return {FindingClass::unresolved, FindingText::the_card_that_lies_here, FindingText::say_what_happens_then_or_what};
    if (const auto op = operator_at(m.game, observation.failure.span)) return said_of_operator(*op, observation.failure.kind);
    const Statement* statement = statement_of(m, step);
    switch (step.op) {
        case Op::choose:
            return {FindingClass::void_duty, FindingText::somebody_must_choose, FindingText::add_if_none_or_let};
        case Op::draw:
            return {FindingClass::void_duty, FindingText::a_card_is_to_be_dealt, remedy_of_draw(m.game, statement)};
        case Op::set_fact:
            return {FindingClass::count, FindingText::a_value_leaves_its_range, FindingText::widen_the_range_or_say};
        case Op::promise:
            if (statement != nullptr && statement->kind() == StatementKind::cases)
                return {FindingClass::gap, FindingText::no_case_applies, FindingText::add_the_missing_case_or_otherwise};
            if (observation.failure.kind == FailureKind::below_nothing)
                return {FindingClass::count, FindingText::a_number_of_times, FindingText::write_larger_if_it_means_none};
            if (observation.failure.kind == FailureKind::not_enough_times)
                return {FindingClass::endless, FindingText::so_many_times_are_not_enough, FindingText::correct_the_number_or_say};
            return {FindingClass::endless, FindingText::what_should_run_down_does_not, FindingText::say_what_runs_down};
        case Op::jump:
        case Op::call:
            return {FindingClass::endless, FindingText::this_goes_on_for_ever, FindingText::say_what_stops_it};
        default:
            return {FindingClass::gap, FindingText::a_promise_breaks, FindingText::say_what_happens_then};
    }
}

Sentence condition_text(const Machine& m, const WatchedChoice& c) {
    if (c.end != no_id) return named(m.game, m.game.ends[c.end].name);
    return {};
}

void two_choices(const Machine& m, const WatchPoint& point, const Observation& observation, Finding& f) {
    const WatchedChoice& one = point.choices[observation.first];
    const WatchedChoice& other = point.choices[observation.second];
    f.spans = {expression(m, one.condition).span, expression(m, other.condition).span};
    const Sentence a = condition_text(m, one);
    const Sentence b = condition_text(m, other);
    f.outcomes = {observation.one, observation.other};
    f.outcomes[0].when = observation.kind == ObservationKind::ends ? a : Sentence{FindingText::if_the_first_applies};
    f.outcomes[1].when = observation.kind == ObservationKind::ends ? b : Sentence{FindingText::if_the_other_applies};
    if (observation.kind == ObservationKind::ends) {
        const auto name = [&](const WatchedChoice& c) { return m.game.ends[c.end].name; };
        f.what = FindingClass::end_race;
        f.gravity = Gravity::note;
        f.id = fmt::format("{}-{}", name(one), name(other));
        f.title = FindingText::two_ends_hold_at_once_and(a, b);
        f.text = FindingText::the_order_in_the_file_lets(a);
        f.help = FindingText::the_files_order_decides_say;
        return;
    }
    f.what = FindingClass::conflict;
    f.gravity = Gravity::error;
    f.title = FindingText::two_cases_apply_at_once;
    if (observation.failure.kind == FailureKind::cases_overlap) f.title = FindingText::two_cases_apply_at_once_and;
    f.help = FindingText::make_one_the_exception_except;
}

// `limited`: a limit of rounds is written there, and ends it in any case.
void stuck_sight(const Observation& observation, bool limited, Finding& f) {
    f.what = FindingClass::stall;
    f.text = limited ? Sentence{FindingText::whatever_is_drawn_and_chosen_play(observation.states)}
                     : Sentence{FindingText::whatever_is_drawn_and_chosen_play_stays(observation.states)};
    if (!observation.offered) {
        f.title = limited ? Sentence{FindingText::no_choice_ends_it_only_the_limit} : Sentence{FindingText::no_choice_ends_it};
        f.help = FindingText::change_what_leads_there;
    } else if (limited) {
        f.title = FindingText::unless_somebody_volunteers_only_the_limit;
        f.help = FindingText::if_the_limit;
    } else {
        f.title = FindingText::unless_somebody_volunteers_nothing_ends;
        f.help = FindingText::oblige_somebody_to_act_or_add;
    }
}

Sentence when_one_looks() { return FindingText::say_in_the_rulebook; }

Sentence limit_stands() { return FindingText::the_file_has_a_limit; }

void loop_sight(const Machine& m, const Observation& observation, const WatchPoint& point, Finding& f) {
    const bool limited = point.counter != no_id;
    f.spans = {m.game.statements[point.statement].span};
    switch (observation.kind) {
        case ObservationKind::late:
            f.what = FindingClass::end_race;
            f.title = FindingText::what_ends_it_came_true;
            f.text = FindingText::it_matters_when_one_looks;
            f.help = observation.first != no_id ? when_one_looks() : Sentence{FindingText::say_in_the_rulebook_when_one};
            return;
        case ObservationKind::idle:
            f.what = FindingClass::gap;
            f.gravity = Gravity::error;
            f.title = FindingText::a_whole_round_passes;
            f.text = FindingText::nothing_can_happen_and_no_end;
            f.help = FindingText::say_what_happens_then_or_add;
            return;
        case ObservationKind::circle:
            f.what = FindingClass::endless;
            f.gravity = limited ? Gravity::note : Gravity::warning;
            f.title = FindingText::after_a_round_nothing_has_run;
            f.text = FindingText::as_many_cards_lie_in_every;
            f.help = limited ? limit_stands() : Sentence{FindingText::name_what_runs_down_running_down};
            return;
        case ObservationKind::unmoved:
            f.what = FindingClass::endless;
            f.gravity = limited ? Gravity::note : Gravity::warning;
            f.title = FindingText::a_round_can_pass_without_coming;
            f.text = FindingText::nothing_that_the_end_reads;
            f.help = limited ? limit_stands() : Sentence{FindingText::let_something_change_every_round};
            return;
        case ObservationKind::bound:
            f.what = FindingClass::endless;
            f.gravity = Gravity::note;
            f.title = FindingText::only_the_limit_of_rounds_ends;
            f.help = FindingText::if_the_limit_is_not_in;
            return;
        case ObservationKind::waited:
            f.what = FindingClass::end_race;
            f.gravity = Gravity::note;
            f.title = FindingText::what_ends_it_holds_already;
            f.text = FindingText::it_matters_when_one_looks;
            f.help = when_one_looks();
            return;
        case ObservationKind::stuck:
            return stuck_sight(observation, limited, f);
        case ObservationKind::broken:
        case ObservationKind::cases:
        case ObservationKind::ends:
        case ObservationKind::early:
            return;
    }
}

void early_sight(const Machine& m, const Observation& observation, Finding& f) {
    f.what = FindingClass::degenerate;
    f.gravity = Gravity::note;
    const EndId early(observation.first);
    const Sentence end = early == no_id ? Sentence{FindingText::it_is_played_to_the_end} : named(m.game, m.game.ends[early].name);
    f.title = FindingText::it_can_be_over(end);
    if (!m.game.acts.empty()) f.text = FindingText::nobody_volunteered_for_anything_before_that;
    f.help = FindingText::if_that_is_not_wanted_change;
    if (early != no_id) {
        f.spans.push_back(m.game.ends[early].span);
        f.id = m.game.ends[early].name;
        return;
    }
    any_within(m.game, m.game.play, [&](StatementId id) {
        if (m.game.statements[id].kind() == StatementKind::repeat) f.spans.push_back(m.game.statements[id].span);
        return !f.spans.empty();
    });
}

Sentence bound_text(const Observed& s) { return FindingText::games_at_random(s.tested.games, s.tested.random); }

Finding never(const Observed& s, FindingClass what, const std::string& name, Span span, Sentence title) {
    Finding f;
    f.what = what;
    f.verdict = Verdict::not_found;
    f.method = FoundBy::simulated;
    f.bound = bound_text(s);
    f.rule = name;
    f.players = {s.players};
    f.settings = s.settings;
    f.spans = {span};
    f.title = std::move(title);
    f.text = FindingText::no_game_came;
    f.help = FindingText::if_it_cannot_happen_take;
    return f;
}

// Ends that only a limit of rounds brings about are not missed.
bool is_limit(const Game& game, EndId end) {
    const auto is_end = [&](StatementId id) {
        const auto* comes = game.statements[id].as<statement::End>();
        return comes != nullptr && comes->end == end;
    };
    return std::any_of(game.statements.begin(), game.statements.end(), [&](const Statement& s) {
        const auto* repeat = s.as<statement::Repeat>();
        return repeat != nullptr && repeat->times != no_id && any_within(game, repeat->at_bound, is_end);
    });
}

Finding never_end(const Observed& s, EndId id) {
    const Game& game = s.watched.machine->game;
    const End& end = game.ends[id];
    bool checked = false;
    bool held = false;
    for (const EndCheck& c : game.checks) {
        for (const auto& [e, condition] : c.ends) {
            if (e != id) continue;
            checked = true;
            held = held || s.tested.held[condition] != 0;
        }
    }
    const Sentence name = named(game, end.name);
    return never(s, checked ? FindingClass::masked : FindingClass::dead, end.name, end.span,
                 held ? Sentence{FindingText::whenever_this_end_held(name)} : Sentence{FindingText::no_game_that_was_played_came(name)});
}

// An `if` without `otherwise` has one that says nothing.
bool says_nothing(const Game& game, const Statement& s) {
    const auto item_says_nothing = [&](StatementId item) { return says_nothing(game, game.statements[item]); };
    const auto* block = s.as<statement::Block>();
    return s.kind() == StatementKind::nothing || (block != nullptr && std::ranges::all_of(block->items, item_says_nothing));
}

// `otherwise`, where one of the cases before it always applied.
void never_otherwise(const Observed& s, std::vector<Finding>& findings) {
    const Machine& m = *s.watched.machine;
    CameUp all;
    for (std::size_t i = 0; i < m.code.size(); ++i) {
        const Step& step = m.code[i];
        const Statement* statement = step.op == Op::branch && s.tested.reached[i] != 0 ? statement_of(m, step) : nullptr;
        const auto* cases = statement == nullptr ? nullptr : statement->as<statement::Cases>();
        if (cases == nullptr || cases->otherwise == no_id) continue;
        const Statement& other = m.game.statements[cases->otherwise];
        if (says_nothing(m.game, other) || cases->arms.empty() || cases->arms.back().condition != step.x) continue;
        all.add(other.span, StepId(i), s.tested.reached[step.c] != 0);
    }
    for (const CameUp::Place& p : all.never())
        findings.push_back(never(s, FindingClass::dead, place_of(m, m.code[p.step]), p.span, FindingText::otherwise_came_up_in_no_game));
}

// Somebody is to choose, and there were never two things to choose from.
void never_choices(const Observed& s, std::vector<Finding>& findings) {
    const Machine& m = *s.watched.machine;
    CameUp all;
    for (std::size_t i = 0; i < m.code.size(); ++i) {
        const Statement* statement = m.code[i].op == Op::choose && s.tested.reached[i] != 0 ? statement_of(m, m.code[i]) : nullptr;
        const auto* choice = statement == nullptr ? nullptr : statement->as<statement::Choose>();
        const bool said =  // a value that is said
            choice != nullptr && choice->set != no_id && m.game.expressions[choice->set].op == Operator::set_single;
        if (statement != nullptr && !said) all.add(statement->span, StepId(i), s.tested.asked[i] != 0);
    }
    for (const CameUp::Place& p : all.never()) {
        Finding& f = findings.emplace_back(
            never(s, FindingClass::degenerate, place_of(m, m.code[p.step]), p.span, FindingText::in_no_game_that_was_played));
        f.help = FindingText::if_all_that_lies_here;
    }
}

// Somebody who sits there and never has anything to decide, as others do.
void never_deciders(const Observed& s, std::vector<Finding>& findings) {
    const Game& game = s.watched.machine->game;
    for (int p = 0; p < game.players && s.tested.deciders != 0; ++p) {
        if ((s.tested.deciders >> p & 1) != 0) continue;
        Finding& f = findings.emplace_back(never(s, FindingClass::dead, "play", game.statements[game.play].span,
                                                 FindingText::never_has_anything_to_decide(fmt::format("P{}", p + 1))));
        f.text = FindingText::so_it_was_in_games;
        f.help = FindingText::if_somebody_only_looks_on;
    }
}

// A limit that is a promise: so many times, always fewer.
void never_so_often(const Observed& s, std::vector<Finding>& findings) {
    const Game& game = s.watched.machine->game;
    for (const auto& [loop, times] : s.tested.times) {
        const auto& repeat = *game.statements[loop].as<statement::Repeat>();
        if (repeat.times == no_id || repeat.at_bound != no_id || times.first != times.second) continue;
        const Expression& limit = game.expressions[repeat.times];
        if (limit.op != Operator::constant || times.second >= limit.value()) continue;
        findings.push_back(never(s, FindingClass::endless, place_of(game, loop), game.statements[loop].span,
                                 times.second == 1 ? FindingText::always_one_round(times.second, limit.value())
                                                   : FindingText::always_so_many_rounds(times.second, limit.value())));
    }
}

// How many statements put pieces there: into a zone of the table.
std::size_t puts_to(const Game& game, ZoneId zone) {
    return static_cast<std::size_t>(std::count_if(game.statements.begin(), game.statements.end(), [&](const Statement& s) {
        const auto* put = s.as<statement::Put>();
        if (put == nullptr || put->place == no_id) return false;
        const Expression& to = game.expressions[put->place];
        return to.op == Operator::place && to.named() == zone;
    }));
}

// Pieces that no zone takes are there to be named, not to be moved.
bool has_room(const Game& game, FamilyId family) {
    return std::any_of(game.zones.begin(), game.zones.end(), [&](const Zone& z) { return z.families[family]; });
}

void never_moved(const Observed& s, std::vector<Finding>& findings) {
    const Game& game = s.watched.machine->game;
    for (std::size_t f = 0; f < game.families.size(); ++f) {
        const bool any = std::any_of(game.kinds.begin(), game.kinds.end(), [&](const PieceKind& k) { return k.family == FamilyId(f); });
        if (!any || s.tested.came[f] != 0 || !has_room(game, FamilyId(f))) continue;
        const Sentence name = named(game, game.families[f].name);
        findings.push_back(
            never(s, FindingClass::dead, game.families[f].name, game.families[f].span, FindingText::these_pieces_came_into_play(name)));
    }
    // Fewer than one for each player, though some have more than others: somebody has lost count. What is handed back is another matter.
    for (const Zone& zone : game.zones) {
        if (!s.tested.uneven) break;
        if (puts_to(game, ZoneId(&zone - game.zones.data())) > 1) continue;
        if (zone.shape != Shape::stack || zone.seers == Seers::all || zone.places != 1 || s.tested.stays.empty()) continue;
        const std::int32_t stays = s.tested.stays[zone.first_place];
        if (stays == 0 || stays >= game.players) continue;
        const Sentence name = named(game, zone.name);
        findings.push_back(never(s, FindingClass::count, zone.name, zone.span, FindingText::some_get_more_than_others(name)));
        findings.back().text = FindingText::so_it_was_in_games;
    }
}

}  // namespace

std::string place_of(const Game& game, StatementId statement) {
    const std::string paragraph = statement == no_id ? "" : paragraph_of(game, statement);
    return paragraph.empty() ? "play" : paragraph;
}

std::string place_of(const Machine& machine, const Step& step) {
    return step.rule == no_id ? place_of(machine.game, step.statement) : machine.game.rules[step.rule].name;
}

std::vector<Finding> findings_of(const Observed& s) {
    const Machine& m = *s.watched.machine;
    std::vector<Finding> findings;
    for (const Observation& observation : s.tested.observations) {
        Finding f;
        f.verdict = Verdict::found;
        f.method = observation.kind == ObservationKind::stuck ? FoundBy::bounded : FoundBy::simulated;
        f.bound = bound_text(s);
        f.players = {s.players};
        f.settings = s.settings;
        const Step& step = m.code[observation.step];
        f.rule = place_of(m, step);
        const auto point = s.watched.points.find(observation.step);
        if (observation.kind == ObservationKind::broken) {
            Said said = said_of(m, observation);
            f.what = said.what;
            f.gravity = Gravity::error;
            f.title = said.title;
            f.help = said.help;
            if (says_more(observation.failure.kind)) f.text = failure_text(m.game, observation.failure);
            f.spans = {observation.failure.span};
            if (const Statement* st = statement_of(m, step); st != nullptr && !(st->span == observation.failure.span))
                f.spans.push_back(st->span);
        } else if (observation.kind == ObservationKind::early) {
            early_sight(m, observation, f);
        } else if (point != s.watched.points.end() &&
                   (observation.kind == ObservationKind::cases || observation.kind == ObservationKind::ends)) {
            two_choices(m, point->second, observation, f);
        } else if (point != s.watched.points.end()) {
            loop_sight(m, observation, point->second, f);
            if ((observation.kind == ObservationKind::late || observation.kind == ObservationKind::waited) && observation.first != no_id) {
                const WatchedChoice& c = point->second.choices[observation.first];
                f.spans = {expression(m, c.condition).span};
                f.id = m.game.ends[c.end].name;
            }
        }
        if (observation.games != 0) f.frequency = Frequency{observation.games, s.tested.random, s.players};
        Witness w;
        w.players = s.players;
        w.settings = s.settings;
        w.moves = observation.moves;
        w.decisions = observation.decisions;
        f.witness = std::move(w);
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> never_of(const Observed& s) {
    const Machine& m = *s.watched.machine;
    const Game& game = m.game;
    std::vector<Finding> findings;
    const NeverReached reached = never_reached(m, s.tested.reached);
    for (const RuleId r : reached.rules) {
        const Rule& rule = game.rules[r];
        const Sentence name = named(game, rule.name);
        findings.push_back(never(s, FindingClass::dead, rule.name, rule.span, FindingText::no_game_that_was_played_came_to(name)));
    }
    for (const EndId end : reached.ends)
        if (!is_limit(game, end)) findings.push_back(never_end(s, end));
    for (const CameUp::Place& c : reached.cases)
        findings.push_back(never(s, FindingClass::dead, place_of(m, m.code[c.step]), c.span, FindingText::this_case_came_up_in_no));
    never_otherwise(s, findings);
    never_choices(s, findings);
    never_deciders(s, findings);
    never_so_often(s, findings);
    never_moved(s, findings);
    return findings;
}

}  // namespace houserule
