#include "solver/leads/questions.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/endings.hpp"
#include "solver/leads/played.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

std::string paragraph_or_play(const Game& game, StatementId statement) {
    const std::string paragraph = paragraph_of(game, statement);
    return paragraph.empty() ? "play" : paragraph;
}

// All that lies in some places: everybody sees how many that are.
bool is_of_places(const Game& game, ExpressionId e) {
    const Expression& x = game.expressions[e];
    if (x.op == Operator::cards_join) return is_of_places(game, x.a) && is_of_places(game, x.b);
    return x.op == Operator::cards_at || x.op == Operator::cards_of;
}

// Zones of which an expression reads what not everybody sees.
void unseen_in(const Game& game, ExpressionId e, std::set<ZoneId>& zones) {
    if (e == no_id) return;
    const Expression& x = game.expressions[e];
    if (x.op == Operator::size_of_cards && is_of_places(game, x.a)) return;
    if (names_zone(x.op) && game.zones[ZoneId(x.named())].seers != Seers::all) zones.insert(ZoneId(x.named()));
    for (const ExpressionId part : {x.a, x.b, x.c}) unseen_in(game, part, zones);
}

// A game up to the first answer after something came up.
struct Met : Played {
    std::vector<std::size_t> sizes;  // what lay in the places when it began
};

// Plays random games, and keeps the shortest one that came past each statement, and one that ends with several in front.
class Games {
public:
    // `chosen`: those of the wanted that come to nothing unless somebody had a choice before, and somebody else.
    Games(std::shared_ptr<const Machine> machine, std::set<StatementId> wanted, std::set<StatementId> chosen, const QuestionLimits& limits)
        : machine_(std::move(machine)), wanted_(std::move(wanted)), chosen_(std::move(chosen)), limits_(limits) {}

    void play() {
        constexpr std::uint64_t games_a_run = 20;  // a run counts what it has carried out over all of its games
        Random random(limits_.seed);
        std::uint64_t work = 0;
        for (std::uint64_t game = 0; game < limits_.games && work < limits_.work && !asked(limits_.stop); game += games_a_run) {
            const auto run = make_run(machine_);
            run->stop_on(limits_.stop);
            std::set<StatementId> open = wanted_;
            for (std::uint64_t i = game; i < std::min(game + games_a_run, limits_.games); ++i, ++played_)
                if (!play_one(*run, random, open, limits_.work - work)) break;
            work += run->work();
        }
    }
    const Met* past(StatementId id) const {
        const auto at = past_.find(id);
        return at == past_.end() ? nullptr : &at->second;
    }
    const std::optional<Met>& tied() const { return tied_; }
    const std::optional<Met>& won_by_nobody() const { return won_by_nobody_; }
    std::uint64_t played() const { return played_; }

private:
    // False when the run has done so much work before the game is over.
    bool play_one(Run& run, Random& random, std::set<StatementId>& open, std::uint64_t most_work) {
        constexpr std::size_t longest = 20'000;
        Met now;
        run.start();
        while (now.moves.size() < longest) {
            const Node n = run.advance();
            if (run.work() >= most_work) return false;
            if (n.kind == NodeKind::failed) return true;
            note(run, n, now, open);
            if (n.kind == NodeKind::over) break;
            const std::uint64_t move = random_move(run, random);
            const bool chance = is_chance(n.kind);
            if (!chance && (n.kind != NodeKind::window || move != 0)) ++now.decisions;
            now.moves.push_back(move);
            run.apply(move);
        }
        if (run.node().kind != NodeKind::over || !machine_->game.winner.present) return true;
        const auto front = run.in_front();
        if (front && front->size() > 1 && (!tied_ || shorter(now, *tied_))) tied_ = now;
        if (front && front->empty() && (!won_by_nobody_ || shorter(now, *won_by_nobody_))) won_by_nobody_ = now;
        return true;
    }
    void note(Run& run, const Node& n, const Met& now, std::set<StatementId>& open) {
        const StatementId here = n.step == no_id ? StatementId(no_id) : machine_->code[n.step].statement;
        if (open.contains(here) && !sizes_.contains(here))
            for (PlaceId p = 0; p < machine_->game.places; ++p) sizes_[here].push_back(run.size_at(p));
        for (auto id = open.begin(); id != open.end();) {
            if (*id == here || !was_reached(run, *id)) {
                ++id;
                continue;
            }
            const auto at = past_.find(*id);
            const bool counts = now.decisions >= 2 || !chosen_.contains(*id);
            if (counts && (at == past_.end() || shorter(now, at->second))) {
                past_[*id] = now;
                past_[*id].sizes = sizes_[*id];
            }
            id = open.erase(id);
        }
    }
    bool was_reached(const Run& run, StatementId id) {
        std::vector<std::size_t>& steps = steps_[id];
        if (steps.empty())
            for (std::size_t i = 0; i < machine_->code.size(); ++i)
                if (machine_->code[i].statement == id) steps.push_back(i);
        return std::any_of(steps.begin(), steps.end(), [&](std::size_t i) { return run.reached()[i] != 0; });
    }

    std::shared_ptr<const Machine> machine_;
    std::set<StatementId> wanted_;
    std::set<StatementId> chosen_;
    QuestionLimits limits_;
    std::map<StatementId, std::vector<std::size_t>> steps_;
    std::map<StatementId, std::vector<std::size_t>> sizes_;
    std::map<StatementId, Met> past_;
    std::optional<Met> tied_;
    std::optional<Met> won_by_nobody_;
    std::uint64_t played_ = 0;
};

class Questions {
public:
    Questions(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings, const QuestionLimits& limits)
        : machine_(machine), game_(machine->game), settings_(settings), quotes_(syntax), syntax_(syntax), limits_(limits) {}

    std::vector<Finding> all() {
        for (const Rule& rule : game_.rules) collect(rule.body, {});
        for (const Act& act : game_.acts) collect(act.body, {});
        collect(game_.setup, {});
        collect(game_.play, {});
        std::set<StatementId> wanted(tables_.begin(), tables_.end());
        wanted.insert(dealt_.begin(), dealt_.end());
        std::set<StatementId> chosen;
        for (const StatementId id : at_once_)
            if (const auto put = shown_to_others(together(id))) chosen.insert(*put);
        wanted.insert(chosen.begin(), chosen.end());
        for (const auto& [id, zones] : said_) wanted.insert(id);
        wanted.insert(unseen_.begin(), unseen_.end());
        Games games(machine_, wanted, chosen, limits_);
        games.play();
        played_ = games.played();
        given_away(games);
        settled_at_the_table(games);
        uneven(games);
        ties(games);
        nobody_wins(games);
        chosen_at_once(games);
        drawn_unseen(games);
        looked_at();
        known_to_the_owner();
        talked_about();
        listed_cards();
        unnamed_cards();
        return std::move(findings_);
    }
    bool cut_off() const { return played_ < limits_.games; }

private:
    // `unseen`: what the conditions around it read and not everybody sees.
    void collect(StatementId id, const std::set<ZoneId>& unseen) {
        if (id == no_id) return;
        const Statement& s = game_.statements[id];
        std::set<ZoneId> within = unseen;
        switch (s.kind()) {
            case StatementKind::says:
            case StatementKind::show:
                if (!unseen.empty()) said_.emplace_back(id, unseen);
                return;
            case StatementKind::report:
                if (!s.as<statement::Report>()->by_chance) tables_.push_back(id);
                if (is_taken_unseen(s)) unseen_.push_back(id);
                return;
            case StatementKind::judged:
                tables_.push_back(id);
                return;
            case StatementKind::simultaneously:
                if (any_within(game_, id, [&](StatementId part) { return game_.statements[part].kind() == StatementKind::choose; }))
                    at_once_.push_back(id);
                break;
            case StatementKind::draw:
                if (is_taken_unseen(s)) unseen_.push_back(id);
                break;
            case StatementKind::deal:
                if (s.as<statement::Deal>()->count == no_id) dealt_.push_back(id);
                return;
            case StatementKind::cases:
                for (const Arm& arm : s.as<statement::Cases>()->arms) unseen_in(game_, arm.condition, within);
                break;
            default:
                break;
        }
        any_part(s, [&](StatementId part) {
            collect(part, within);
            return false;
        });
    }

    Finding question(FindingClass what, const std::string& rule, Span span, const Met& met) const {
        Finding f = question_of(*machine_, settings_, played_, met);
        f.what = what;
        f.rule = rule;
        f.spans = {span};
        return f;
    }
    void tell(Finding f) {
        if (f.witness) findings_.push_back(std::move(f));
    }

    // What is said depends on what somebody does not see: so it tells of it, and so does silence.
    void given_away(const Games& games) {
        std::map<std::pair<std::string, bool>, std::pair<const Met*, std::pair<StatementId, std::set<ZoneId>>>> by_rule;
        for (const auto& [id, zones] : said_) {
            const Met* met = games.past(id);
            if (met == nullptr) continue;
            const bool shows = game_.statements[id].kind() == StatementKind::show;
            auto& [first, what] = by_rule[{paragraph_or_play(game_, id), shows}];
            if (first == nullptr) {
                first = met;
                what.first = id;
            }
            what.second.insert(zones.begin(), zones.end());
        }
        for (const auto& [where, told] : by_rule) {
            const auto& [rule, shows] = where;
            Finding f = question(FindingClass::view, rule, game_.statements[told.second.first].span, *told.first);
            std::vector<Phrase> zones;
            for (const ZoneId z : told.second.second) zones.emplace_back(named(game_, game_.zones[z].name));
            f.title = shows ? FindingText::what_is_shown_gives_away(listed(zones)) : FindingText::what_is_said_gives_away(listed(zones));
            const auto is_seen_by_others = [&](ZoneId z) { return game_.zones[z].seers == Seers::others; };
            if (!shows && game_.players > 2 && std::ranges::none_of(told.second.second, is_seen_by_others))
                f.text = FindingText::nor_can_the_others_check;
            f.help = FindingText::say_how_much_may_be_told;
            tell(std::move(f));
        }
    }

    void settled_at_the_table(const Games& games) {
        for (const StatementId id : tables_) {
            const Statement& s = game_.statements[id];
            const Met* met = games.past(id);
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr) continue;
            const auto* told = s.as<statement::Report>();
            const bool judges = told == nullptr;
            const bool somebody = told != nullptr && game_.expressions[told->set].type.element == Base::player;
            if (somebody && quotes_.say(rule, Topic::tie)) continue;
            if (judges && (game_.players < 3 || quotes_.say(rule, Topic::agree))) continue;
            Finding f = question(FindingClass::chooser, rule, s.span, *met);
            f.title = judges     ? Sentence{FindingText::several_others_judge_here}
                      : somebody ? Sentence{FindingText::this_is_found_out}
                                 : Sentence{FindingText::this_is_judged_at_the_table};
            f.help = FindingText::say_who_decides_it_and_how;
            tell(std::move(f));
        }
    }

    // All are dealt from one place, and they are no multiple of the places they go to.
    void uneven(const Games& games) {
        for (const StatementId id : dealt_) {
            const auto& deal = *game_.statements[id].as<statement::Deal>();
            const Met* met = games.past(id);
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr || met->sizes.empty() || !contains(game_, game_.setup, id) || quotes_.say(rule, Topic::evenly)) continue;
            const Expression& from = game_.expressions[deal.source];
            if (deal.zone == no_id || from.op != Operator::place || from.a != no_id || !is_everybody(deal.owners)) continue;
            const Zone& to = game_.zones[deal.zone];
            const std::size_t cards = met->sizes[game_.zones[ZoneId(from.named())].first_place];
            if (to.by != IndexBy::player || cards % to.places == 0) continue;
            Finding f = question(FindingClass::count, rule, game_.statements[id].span, *met);
            f.title = FindingText::the_cards_do_not_go_round;
            f.text = FindingText::with_players_there_are_cards(to.places, cards);
            f.help = FindingText::say_who_gets_more;
            tell(std::move(f));
        }
    }

    bool is_everybody(ExpressionId e) const {
        if (e == no_id) return true;
        const Expression& x = game_.expressions[e];
        return x.op == Operator::set_constant && std::ssize(game_.sets[x.set()]) == game_.players;
    }

    void ties(const Games& games) {
        if (!games.tied() || game_.winner.together) return;
        if (quotes_.say_who_wins_a_tie()) return;
        for (const auto& [name, texts] : quotes_.all()) {
            const bool of_result = name == "play" || name == "setup" || name == game_.name || name == "score" || name == "payoff" ||
                                   std::any_of(game_.ends.begin(), game_.ends.end(), [&](const End& e) { return e.name == name; });
            if (of_result && quotes_.say(name, Topic::tie)) return;
        }
        for (const SyntaxNode* d : syntax_.root->children) {
            if (d->kind != Kind::d_winner || !(d->children.size() > 2 || is_by_merit(*d->children[0]))) continue;
            Finding f = question(FindingClass::unresolved, "winner", d->span, *games.tied());
            f.title = FindingText::several_can_be_in_front;
            f.help = FindingText::say_whether_they_share;
            tell(std::move(f));
        }
    }

    // A game that nobody wins, of rules in which somebody can: unless some text speaks of that.
    void nobody_wins(const Games& games) {
        if (!games.won_by_nobody() || game_.winner.together) return;
        for (const auto& [name, texts] : quotes_.all())
            if (quotes_.say(name, Topic::nobody_wins)) return;
        for (const SyntaxNode* d : syntax_.root->children) {
            if (d->kind != Kind::d_winner) continue;
            Finding f = question(FindingClass::hole, "winner", d->span, *games.won_by_nobody());
            f.title = FindingText::nobody_can_be_in_front;
            f.help = FindingText::say_that_nobody_wins;
            tell(std::move(f));
        }
    }

    // Those who win are who comes up to something, not a side that is named.
    bool is_by_merit(const SyntaxNode& set, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 8;
        switch (set.kind) {
            case Kind::e_if:
                return is_by_merit(*set.children[0], deep) || is_by_merit(*set.children[2], deep);
            case Kind::e_but:
                return is_by_merit(*set.children[0], deep);
            case Kind::e_set:
            case Kind::e_the:
            case Kind::players:
            case Kind::seat:
                return false;
            case Kind::name:
                for (const SyntaxNode* d : syntax_.root->children)
                    if (d->kind == Kind::d_define && d->children[0]->text == set.text && deep < deepest)
                        return is_by_merit(*d->children.back(), deep + 1);
                return true;
            default:
                return true;
        }
    }

    // ---- all at once

    const statement::Simultaneously& together(StatementId id) const { return *game_.statements[id].as<statement::Simultaneously>(); }
    // Where what everybody chooses comes to where others see it.
    std::optional<StatementId> shown_to_others(const statement::Simultaneously& all) const {
        std::optional<StatementId> found;
        any_within(game_, all.body, [&](StatementId id) {
            const auto* put = game_.statements[id].as<statement::Put>();
            if (put != nullptr && is_seen_by_others(game_.expressions[put->place], all.variable)) found = id;
            return found.has_value();
        });
        return found;
    }
    bool is_seen_by_others(const Expression& to, VariableId chooser) const {
        if (to.op != Operator::place) return false;
        const Zone& zone = game_.zones[ZoneId(to.named())];
        if (zone.seers != Seers::owner || to.a == no_id) return zone.seers != Seers::nobody;
        const Expression& whose = game_.expressions[to.a];
        return whose.op != Operator::variable || VariableId(whose.named()) != chooser;
    }
    void chosen_at_once(const Games& games) {
        for (const StatementId id : at_once_) {
            const Statement& s = game_.statements[id];
            const auto put = shown_to_others(together(id));
            const Met* met = put ? games.past(*put) : nullptr;
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr) continue;
            if (quotes_.say(rule, Topic::together) || quotes_.say("play", Topic::together) || quotes_.say("setup", Topic::together))
                continue;
            Finding f = question(FindingClass::order, rule, s.span, *met);
            f.title = FindingText::all_choose_at_once_here;
            f.help = FindingText::say_whether_all_choose;
            tell(std::move(f));
        }
    }

    // ---- blindly, from what somebody holds

    // What a player holds and others do not see.
    bool is_held(ExpressionId source) const {
        const Expression& from = game_.expressions[source];
        if (from.op == Operator::cards_at) return is_held(from.a);
        if (from.op != Operator::place) return false;
        const Zone& zone = game_.zones[ZoneId(from.named())];
        return zone.by == IndexBy::player && zone.seers == Seers::owner;
    }
    // `draw c blindly from q's hand`, `chance picks c from q's hand`: by whomever, and wherever it goes.
    bool is_taken_unseen(const Statement& s) const {
        if (const auto* draw = s.as<statement::Draw>()) return draw->blindly && is_held(draw->source);
        const auto* lot = s.as<statement::Report>();
        return lot != nullptr && lot->by_chance && lot->set != no_id && lot->weights.empty() && is_held(lot->set);
    }
    // The text of the rule, or, if it has none, of those that call it.
    bool says_how_it_is_picked(const std::string& rule) const {
        if (!quotes_.of(rule).empty()) return quotes_.say(rule, Topic::picked);
        return std::any_of(game_.rules.begin(), game_.rules.end(), [&](const Rule& caller) {
            return quotes_.say(caller.name, Topic::picked) && any_within(game_, caller.body, [&](StatementId id) {
                       const auto* call = game_.statements[id].as<statement::Call>();
                       return call != nullptr && game_.rules[call->rule].name == rule;
                   });
        });
    }
    void drawn_unseen(const Games& games) {
        for (const StatementId id : unseen_) {
            const Met* met = games.past(id);
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr || says_how_it_is_picked(rule)) continue;
            Finding f = question(FindingClass::chooser, rule, game_.statements[id].span, *met);
            f.title = FindingText::a_card_is_drawn_unseen;
            f.help = FindingText::say_who_picks_it;
            tell(std::move(f));
        }
    }

    // ---- what is about the table as a whole

    Finding silent(FindingClass what, const std::string& rule, Span span) const {
        Finding f;
        f.what = what;
        f.gravity = Gravity::note;
        f.verdict = Verdict::found;
        f.method = FoundBy::static_reading;
        f.rule = rule;
        f.spans = {span};
        return f;
    }
    bool any_text_says(Topic what) const {
        for (const auto& [name, texts] : quotes_.all())
            if (quotes_.say(name, what)) return true;
        return false;
    }
    bool is_read_by_choices(ZoneId zone) const {
        const auto reads = [&](ExpressionId e) {
            return any_read(game_, e, [&](const Expression& x) { return names_zone(x.op) && ZoneId(x.named()) == zone; });
        };
        return std::any_of(game_.statements.begin(), game_.statements.end(), [&](const Statement& s) {
            const auto* choice = s.as<statement::Choose>();
            const auto* deal = s.as<statement::Deal>();
            const auto* draw = s.as<statement::Draw>();
            return (choice != nullptr && reads(choice->set == no_id ? choice->low : choice->set)) ||
                   (deal != nullptr && reads(deal->source)) || (draw != nullptr && reads(draw->source));
        });
    }
    // The rules that put cards there; none if something lies there from the beginning.
    std::set<std::string> rules_that_fill(ZoneId zone) const {
        std::set<std::string> rules;
        for (const StatementId id : game_.statements.ids()) {
            const auto* put = game_.statements[id].as<statement::Put>();
            if (put == nullptr) continue;
            const Expression& to = game_.expressions[put->place];
            if (to.op == Operator::place && ZoneId(to.named()) == zone) rules.insert(paragraph_or_play(game_, id));
        }
        const Store<RuleId, bool> of_setup = reachable_rules(game_, game_.setup);
        bool from_the_beginning = rules.contains("setup");
        for (const RuleId r : of_setup.ids())
            from_the_beginning = from_the_beginning || (of_setup[r] && rules.contains(game_.rules[r].name));
        return from_the_beginning ? std::set<std::string>{} : rules;
    }
    // Something is put there from where not everybody sees it.
    bool comes_unseen(ZoneId zone) const {
        return std::any_of(game_.statements.begin(), game_.statements.end(), [&](const Statement& s) {
            const auto* put = s.as<statement::Put>();
            if (put == nullptr) return false;
            const Expression& to = game_.expressions[put->place];
            if (to.op != Operator::place || ZoneId(to.named()) != zone) return false;
            const bool named = any_read(game_, put->cards,
                                        [](const Expression& x) { return x.op == Operator::variable || x.op == Operator::cards_variable; });
            return named || any_read(game_, put->cards, [&](const Expression& x) {
                       return names_zone(x.op) && game_.zones[ZoneId(x.named())].seers != Seers::all;
                   });
        });
    }
    // What lies there is put somewhere else some time, and so may be met again.
    bool comes_back(ZoneId zone) const {
        return std::any_of(game_.statements.begin(), game_.statements.end(), [&](const Statement& s) {
            const auto* put = s.as<statement::Put>();
            return put != nullptr &&
                   any_read(game_, put->cards, [&](const Expression& x) { return names_zone(x.op) && ZoneId(x.named()) == zone; });
        });
    }
    bool is_spoken_of(const std::string& name, Topic what) const {
        const std::string shown = label(game_, name, "ja");
        for (const auto& [rule, texts] : quotes_.all())
            for (const Quote& q : texts)
                for (const std::string& s : sentences(q.text))
                    if (says(s, what) && (has_word(s, name) || has_word(s, shown) || has_word(s, label(game_, name, "en")))) return true;
        return false;
    }
    // That rule, or, if it has no text, one that calls it.
    bool says_who_looks(const std::string& name) const {
        if (!quotes_.of(name).empty()) return quotes_.say(name, Topic::seen);
        return std::any_of(game_.rules.begin(), game_.rules.end(), [&](const Rule& caller) {
            return quotes_.say(caller.name, Topic::seen) && any_within(game_, caller.body, [&](StatementId id) {
                       const auto* call = game_.statements[id].as<statement::Call>();
                       return call != nullptr && game_.rules[call->rule].name == name;
                   });
        });
    }
    // Piles that play makes and nobody chooses from: may one look through them?
    void looked_at() {
        for (const ZoneId z : game_.zones.ids()) {
            const Zone& zone = game_.zones[z];
            const bool laid_out = zone.shape == Shape::row || zone.shape == Shape::one;
            if (laid_out || zone.seers == Seers::others || is_read_by_choices(z)) continue;
            const std::set<std::string> rules = rules_that_fill(z);
            if (zone.by != IndexBy::player && (!comes_back(z) || !comes_unseen(z))) continue;
            if (rules.empty() || is_spoken_of(zone.name, Topic::seen)) continue;
            if (std::any_of(rules.begin(), rules.end(), [&](const std::string& r) { return says_who_looks(r); })) continue;
            Finding f = silent(FindingClass::view, zone.name, zone.span);
            const Sentence name = named(game_, zone.name);
            f.title = FindingText::whether_one_may_look_through(name);
            f.help = FindingText::say_who_may_look_at_them;
            findings_.push_back(std::move(f));
        }
    }
    // An amount that its owner alone knows: others cannot tell whether it is so, and may want to ask.
    void known_to_the_owner() {
        for (const Fact& fact : game_.facts) {
            if (fact.by != IndexBy::player || fact.seers != Seers::owner || fact.type.base != Base::number) continue;
            if (is_spoken_of(fact.name, Topic::seen)) continue;
            Finding f = silent(FindingClass::view, fact.name, fact.span);
            f.title = FindingText::only_its_owner_knows(named(game_, fact.name));
            f.help = FindingText::say_who_may_know_it;
            findings_.push_back(std::move(f));
        }
    }
    // Others see what a player does not: a word too much, and it is known.
    void talked_about() {
        for (const Zone& zone : game_.zones) {
            if (zone.seers != Seers::others || any_text_says(Topic::talk)) continue;
            Finding f = silent(FindingClass::view, zone.name, zone.span);
            f.title = FindingText::others_see_what_a_player(named(game_, zone.name));
            f.help = FindingText::say_what_may_be_told;
            findings_.push_back(std::move(f));
            return;
        }
    }
    // Cards that are listed one by one, and of which no text speaks: how many there are of each, and what they bear.
    void listed_cards() {
        for (const SyntaxNode* d : syntax_.root->children) {
            constexpr std::ptrdiff_t a_list = 3;
            const auto is_row = [](const SyntaxNode* c) { return c->kind == Kind::row; };
            if (d->kind != Kind::d_cards || std::count_if(d->children.begin(), d->children.end(), is_row) < a_list) continue;
            const std::string& name = d->children[0]->text;
            const std::set<std::int64_t> copies = copies_of(name);
            const auto is_field = [](const SyntaxNode* c) { return c->kind == Kind::field; };
            const bool bears_much = std::count_if(d->children.begin(), d->children.end(), is_field) > 1 || has_set_field(*d);
            const bool said = std::any_of(copies.begin(), copies.end(), [&](std::int64_t n) {
                return quotes_.number_with(n, {name, label(game_, name, "en"), label(game_, name, "ja")});
            });
            if (copies.empty() || said) continue;
            const Sentence shown = named(game_, name);
            Finding f = silent(FindingClass::hole, name, d->span);
            f.title = FindingText::what_these_cards_bear(shown);
            f.help = FindingText::list_them_in_the_rulebook;
            if (bears_much) findings_.push_back(f);
            if (copies.size() < 2 || states_total(name)) continue;
            f.what = FindingClass::count;
            f.title = FindingText::there_are_more_of_some(shown);
            f.help = FindingText::say_how_many_there_are_of;
            findings_.push_back(std::move(f));
        }
    }
    // Cards with names of their own that no text speaks of, although it speaks of others among them, or the rules treat them apart.
    void unnamed_cards() {
        for (const SyntaxNode* d : syntax_.root->children) {
            if (d->kind != Kind::d_cards) continue;
            const auto family = std::ranges::find(game_.families, d->children[0]->text, &Family::name);
            if (family == game_.families.end()) continue;
            std::vector<Phrase> names;
            bool others_are_named = false;
            bool treated_apart = false;
            for (const PieceKind& k : game_.kinds) {
                if (k.name.empty() || k.family != FamilyId(family - game_.families.begin())) continue;
                if (is_in_a_text(k.name)) {
                    others_are_named = true;
                    continue;
                }
                if (has_value_in_a_text(*family, k)) continue;
                treated_apart = treated_apart || is_in_rules(*syntax_.root, k.name);
                names.emplace_back(named(game_, k.name));
            }
            if (names.empty() || !(others_are_named || treated_apart)) continue;
            Finding f = silent(FindingClass::hole, family->name, d->span);
            f.title = FindingText::no_text_speaks_of_these_cards(listed(names));
            f.help = FindingText::say_what_they_are_for;
            findings_.push_back(std::move(f));
        }
    }
    // What such a card bears is spoken of.
    bool has_value_in_a_text(const Family& family, const PieceKind& kind) const {
        for (std::size_t i = 0; i < family.fields.size() && i < kind.values.size(); ++i) {
            const Type& type = family.fields[i].type;
            if (type.base == Base::enumeration && kind.values[i] >= 0 && is_in_a_text(value_name(game_, type, kind.values[i]))) return true;
        }
        return false;
    }
    // By its name or a label, or by a word of one: of English words, a beginning is enough.
    bool is_in_a_text(const std::string& name) const {
        const auto speaks_of = [&](const std::string& text, const std::string& said) {
            std::string_view rest = said;
            while (!rest.empty()) {
                const std::size_t end = std::min(rest.size(), rest.find_first_of(" _"));
                const std::string_view word = rest.substr(0, end);
                const bool ascii = std::ranges::all_of(word, [](char c) { return (c & 0x80) == 0; });
                if (word.size() > 2 && has_word(text, ascii ? word.substr(0, std::max<std::size_t>(4, word.size() - 2)) : word))
                    return true;
                rest.remove_prefix(std::min(rest.size(), end + 1));
            }
            return false;
        };
        return std::ranges::any_of(quotes_.all(), [&](const auto& of) {
            return std::ranges::any_of(of.second, [&](const Quote& q) {
                return speaks_of(q.text, name) || speaks_of(q.text, label(game_, name, "en")) ||
                       speaks_of(q.text, label(game_, name, "ja"));
            });
        });
    }
    static bool is_in_rules(const SyntaxNode& node, const std::string& name) {
        constexpr std::array apart{Kind::d_cards, Kind::d_labels, Kind::d_texts, Kind::d_example, Kind::d_total};
        if (std::ranges::find(apart, node.kind) != apart.end()) return false;
        return (node.kind == Kind::name && node.text == name) ||
               std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return is_in_rules(*c, name); });
    }
    static bool has_set_field(const SyntaxNode& node) {
        if (node.kind == Kind::t_set) return true;
        return std::any_of(node.children.begin(), node.children.end(), [](const SyntaxNode* c) { return has_set_field(*c); });
    }
    // `total card is 31`: that much was printed.
    bool states_total(const std::string& name) const {
        return std::any_of(syntax_.root->children.begin(), syntax_.root->children.end(),
                           [&](const SyntaxNode* d) { return d->kind == Kind::d_total && d->children[0]->text == name; });
    }
    std::set<std::int64_t> copies_of(const std::string& name) const {
        std::set<std::int64_t> copies;
        const auto family = std::find_if(game_.families.begin(), game_.families.end(), [&](const Family& f) { return f.name == name; });
        for (const PieceKind& k : game_.kinds)
            if (family != game_.families.end() && k.family == FamilyId(family - game_.families.begin())) copies.insert(k.copies);
        return copies;
    }

    std::shared_ptr<const Machine> machine_;
    const Game& game_;
    const Settings& settings_;
    Quotes quotes_;
    const Syntax& syntax_;
    QuestionLimits limits_;
    std::vector<std::pair<StatementId, std::set<ZoneId>>> said_;
    std::vector<StatementId> tables_;
    std::vector<StatementId> dealt_;
    std::vector<StatementId> at_once_;
    std::vector<StatementId> unseen_;
    std::uint64_t played_ = 0;
    std::vector<Finding> findings_;
};

}  // namespace

OpenQuestions open_questions(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings,
                             const QuestionLimits& limits) {
    Questions questions(syntax, machine, settings, limits);
    OpenQuestions all{questions.all(), questions.cut_off()};
    OpenQuestions of_ends = questions_of_ends(syntax, machine, settings, limits);
    for (Finding& f : of_ends.findings) all.findings.push_back(std::move(f));
    all.cut_off = all.cut_off || of_ends.cut_off;
    return all;
}

}  // namespace houserule
