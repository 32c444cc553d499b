#include "solver/leads/endings.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/leftovers.hpp"
#include "solver/leads/played.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace houserule {

namespace {

// What can bring an end about.
struct Cause {
    EndId end = no_id;
    ExpressionId condition = no_id;
    Span span;
};

class Endings {
public:
    Endings(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings, const QuestionLimits& limits)
        : machine_(machine), game_(machine->game), settings_(settings), quotes_(syntax), limits_(limits) {
        for (const Rule& rule : game_.rules) collect(rule.body);
        collect(game_.play);
        for (const EndCheck& check : game_.checks)
            for (const auto& [end, condition] : check.ends) add(end, condition, game_.ends[end].span);
        for (const EndId end : game_.ends.ids())
            if (game_.winner.present && quotes_.say(game_.ends[end].name, Topic::all_lose)) all_lose_.insert(end);
        for (const std::string& name : places_to_win_from(syntax, game_, quotes_)) {
            const auto zone = std::ranges::find(game_.zones, name, &Zone::name);
            if (zone != game_.zones.end()) places_.push_back(ZoneId(zone - game_.zones.begin()));
        }
    }

    std::vector<Finding> all() {
        const bool any_asks = std::ranges::any_of(causes_, [&](const Cause& c) { return asks(c.end); });
        if (!any_asks && all_lose_.empty() && places_.empty()) return {};
        play();
        cut_off_ = played_ < limits_.games;
        for (const auto& [end, met] : undone_) tell_undone(end, met);
        for (const auto& [end, met] : others_) tell_others(end, met);
        for (const auto& [zone, met] : left_) tell_left(zone, met);
        for (const auto& [end, met] : won_)
            if (!won_by_nobody_.contains(end)) tell_won(end, met);
        return std::move(findings_);
    }
    bool cut_off() const { return cut_off_; }

private:
    void collect(StatementId id) {
        if (id == no_id) return;
        const Statement& s = game_.statements[id];
        if (const auto* cases = s.as<statement::Cases>())
            for (const Arm& arm : cases->arms)
                if (const auto end = ends_there(arm.body)) add(*end, arm.condition, s.span);
        any_part(s, [&](StatementId part) {
            collect(part);
            return false;
        });
    }
    std::optional<EndId> ends_there(StatementId id) const {
        if (id == no_id) return std::nullopt;
        const Statement& s = game_.statements[id];
        if (const auto* end = s.as<statement::End>()) return end->end;
        if (const auto* block = s.as<statement::Block>(); block != nullptr && block->items.size() == 1) return ends_there(block->items[0]);
        return std::nullopt;
    }
    // Conditions that can be read when the game is over.
    void add(EndId end, ExpressionId condition, Span span) {
        if (condition == no_id || game_.ends[end].of_match) return;
        const auto of_somebody = [](const Expression& x) { return x.op == Operator::variable || x.op == Operator::cards_variable; };
        if (!any_read(game_, condition, of_somebody)) causes_.push_back({end, condition, span});
    }
    // Whether somebody still chooses when that end has come.
    bool asks(EndId end) const {
        const StatementId body = game_.ends[end].body;
        if (body == no_id) return false;
        const auto chooses = [&](StatementId id) { return game_.statements[id].kind() == StatementKind::choose; };
        if (any_within(game_, body, chooses)) return true;
        const Store<RuleId, bool> played = reachable_rules(game_, body);
        for (const RuleId r : played.ids())
            if (played[r] && any_within(game_, game_.rules[r].body, chooses)) return true;
        return false;
    }

    void play() {
        constexpr std::uint64_t games_a_run = 20;
        Random random(limits_.seed);
        std::uint64_t work = 0;
        while (played_ < limits_.games && work < limits_.work && !asked(limits_.stop)) {
            const auto run = make_run(machine_);
            run->stop_on(limits_.stop);
            for (std::uint64_t i = 0; i < games_a_run && play_one(*run, random, limits_.work - work); ++i) ++played_;
            work += run->work();
        }
    }
    // False when the run has done so much work before the game is over.
    bool play_one(Run& run, Random& random, std::uint64_t most_work) {
        constexpr std::size_t longest = 20'000;
        Played now;
        run.start();
        while (now.moves.size() < longest) {
            const Node n = run.advance();
            if (run.work() >= most_work) return false;
            if (n.kind == NodeKind::failed) return true;
            if (n.kind == NodeKind::over) return note(run, now), true;
            const std::uint64_t move = random_move(run, random);
            const bool chance = is_chance(n.kind);
            if (!chance && (n.kind != NodeKind::window || move != 0)) ++now.decisions;
            now.moves.push_back(move);
            run.apply(move);
        }
        return true;
    }
    template <typename Id>
    static void keep(std::map<Id, Played>& met, Id id, const Played& now) {
        const auto at = met.find(id);
        if (at == met.end() || shorter(now, at->second)) met[id] = now;
    }
    void note(Run& run, const Played& now) {
        for (const ZoneId z : places_) {
            const Zone& zone = game_.zones[z];
            for (std::int32_t i = 0; i < zone.places; ++i)
                if (run.size_at(PlaceId(zone.first_place + i)) > 0) {
                    keep(left_, z, now);
                    break;
                }
        }
        const EndId end = run.ended();
        if (end == no_id) return;
        if (all_lose_.contains(end)) note_who_won(run, end, now);
        if (!asks(end)) return;
        bool still = false;
        bool known = false;
        for (const Cause& c : causes_) {
            const bool holds = run.truth(c.condition);
            if (c.end == end) {
                known = true;
                still = still || holds;
            } else if (holds) {
                keep(others_, end, now);
            }
        }
        if (known && !still && is_of_places(end)) keep(undone_, end, now);
    }

    void note_who_won(Run& run, EndId end, const Played& now) {
        const auto front = run.in_front();
        if (!front) return;
        if (front->empty())
            won_by_nobody_.insert(end);
        else
            keep(won_, end, now);
    }

    // What is done at an end changes the facts that brought it about, by itself.
    bool is_of_places(EndId end) const {
        return std::ranges::all_of(causes_, [&](const Cause& c) {
            return c.end != end || !any_read(game_, c.condition, [](const Expression& x) { return names_fact(x.op); });
        });
    }

    // What was told; null where its game cannot be played again.
    Finding* tell(FindingClass what, const std::string& rule, Span span, const Played& met, Sentence title, Sentence help) {
        Finding f = question_of(*machine_, settings_, played_, met);
        if (!f.witness) return nullptr;
        f.what = what;
        f.rule = rule;
        f.spans = {span};
        f.title = std::move(title);
        f.help = std::move(help);
        return &findings_.emplace_back(std::move(f));
    }
    void tell_undone(EndId id, const Played& met) {
        const End& end = game_.ends[id];
        if (quotes_.say(end.name, Topic::either)) return;
        tell(FindingClass::end_race, end.name, end.span, met, FindingText::players_still_act_when_this_end,
             FindingText::say_whether_play_goes_on_then);
    }
    void tell_others(EndId id, const Played& met) {
        const End& end = game_.ends[id];
        if (quotes_.say(end.name, Topic::either)) return;
        tell(FindingClass::end_race, end.name, end.span, met, FindingText::players_still_act_when_this_end_has,
             FindingText::say_whether_another_end_stops_those);
    }
    // The text of an end says that all lose, and whenever it comes somebody wins.
    void tell_won(EndId id, const Played& met) {
        const End& end = game_.ends[id];
        Finding* const told = tell(FindingClass::variant, end.name, end.span, met, FindingText::the_text_says_that_nobody_wins,
                                   FindingText::correct_the_text_or_the_statement);
        if (told == nullptr) return;
        told->gravity = Gravity::warning;
        for (const Quote& q : quotes_.of(end.name))
            if (says(q.text, Topic::all_lose)) told->spans.push_back(q.span);
    }
    void tell_left(ZoneId id, const Played& met) {
        const Zone& zone = game_.zones[id];
        const Sentence name = named(game_, zone.name);
        tell(FindingClass::count, zone.name, zone.span, met, FindingText::it_is_over_and_something(name), FindingText::say_whose_it_is);
    }

    std::shared_ptr<const Machine> machine_;
    const Game& game_;
    const Settings& settings_;
    Quotes quotes_;
    QuestionLimits limits_;
    std::vector<Cause> causes_;
    std::vector<ZoneId> places_;
    std::map<EndId, Played> undone_;
    std::map<EndId, Played> others_;
    std::map<ZoneId, Played> left_;
    std::set<EndId> all_lose_;     // as their texts say
    std::map<EndId, Played> won_;  // though that is said of it
    std::set<EndId> won_by_nobody_;
    std::uint64_t played_ = 0;
    bool cut_off_ = false;
    std::vector<Finding> findings_;
};

}  // namespace

OpenQuestions questions_of_ends(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings,
                                const QuestionLimits& limits) {
    Endings endings(syntax, machine, settings, limits);
    std::vector<Finding> findings = endings.all();
    return {std::move(findings), endings.cut_off()};
}

}  // namespace houserule
