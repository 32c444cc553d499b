#include "solver/validate/comparing.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/machine/open_loops.hpp"
#include "solver/compare/differ.hpp"
#include "solver/compare/differences.hpp"
#include "solver/compare/same_games.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/findings/witness.hpp"
#include "solver/leads/leads.hpp"
#include "solver/validate/observation.hpp"
#include "solver/validate/random_testing.hpp"
#include "solver/validate/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace houserule {

namespace {

constexpr double for_all_comparisons = 0.25;
constexpr double for_rare = 0.15;                              // of leads that break no game side by side
constexpr double threads_meant = 2;                            // play at the same time
constexpr double for_facts = 0.02;                             // that end a player's part
constexpr std::uint64_t least_comparing = work_a_second / 20;  // steps of one comparison, however many there are,
constexpr std::uint64_t most_comparing = work_a_second / 2;    // and however few

class Comparing {
public:
    Comparing(Search& search, const std::function<FarGames(const std::set<FarKey>&)>& far) : s_(search), far_(far) {}

    void go() {
        compare_readings();
        compare_orders();
        compare_scopes();
        ask_leads();
        try_options();
    }

private:
    // Of one comparison: a share of all, however many there are.
    DifferLimits differ_limits(std::size_t comparisons) {
        DifferLimits l;
        l.games = std::max<std::uint64_t>(50, s_.limits.games / 8);
        l.states = 20'000;
        const double share = for_all_comparisons * threads_meant / std::max<std::size_t>(1, comparisons);
        l.work = std::clamp(part_of_work(s_.limits.work, share), least_comparing, most_comparing);
        if (s_.limits.milliseconds) comparing_ms_ = std::max<std::uint64_t>(100, part_of_work(*s_.limits.milliseconds, share));
        l.seed = s_.limits.seed;
        return l;
    }

    // Two machines for one number of players. `make` sets them; without the second there is nothing to compare.
    struct Pairing {
        int players = 0;
        Settings settings;
        std::function<void(Pairing&)> make;
        std::shared_ptr<const Machine> first;
        std::shared_ptr<const Machine> second;
        std::optional<Difference> difference;
        bool begun = false;
        InsideBoth inside = {};  // the steps of which two orders are compared

        void compare_orders(InsideBoth steps) {
            first = steps.first->machine();
            second = steps.second->machine();
            inside = std::move(steps);
        }
    };
    // Of pairings that came to nothing: how many were not begun, and how many had too little work to say anything.
    struct Missing {
        std::size_t unbegun = 0;
        std::size_t cut_short = 0;

        // Whether it is one of them. Where there is nothing to compare, nothing is missing.
        bool note(const Pairing& p) {
            if (p.begun && !(p.difference && p.difference->verdict == Verdict::unknown)) return false;
            ++(p.begun ? cut_short : unbegun);
            return true;
        }
    };
    void tell(const Missing& missing, std::size_t of, const Sentence& what) {
        s_.missed(missing.unbegun, of, what);
        s_.cut_short(missing.cut_short, of, what);
    }
    // All of them, or, where only a share is done, a stretch of them by numbers of players.
    std::vector<std::size_t> to_compare(const std::vector<Pairing>& pairs) const {
        std::vector<std::size_t> all(pairs.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        if (!s_.own_tasks) return all;
        std::ranges::stable_sort(all, {}, [&](std::size_t i) { return pairs[i].players; });
        std::vector<std::size_t> here;
        for (std::size_t at = 0; at < all.size(); ++at)
            if (s_.own_tasks->has(at, all.size())) here.push_back(all[at]);
        return here;
    }
    // `what`: of a kind that is shared out.
    void compare_all(std::optional<Comparisons> what, std::vector<Pairing>& pairs, const DifferLimits& limits, const Sentence& doing) {
        const std::vector<std::size_t> here = to_compare(pairs);
        std::set<FarKey> variants;
        for (const std::size_t i : here) variants.insert({pairs[i].players, pairs[i].settings});
        const FarGames far = far_(variants);
        s_.in_parallel(here.size(), doing, [&](std::size_t k) {
            Pairing& p = pairs[here[k]];
            p.begun = true;
            p.make(p);
            if (p.second == nullptr) return;
            if (what) {
                const auto known = s_.known.comparisons.find({*what, here[k]});
                if (known != s_.known.comparisons.end() && known->second) {
                    p.difference = known->second;
                    return;
                }
            }
            p.difference = compare(p.first, p.second, limits_for(p, far, limits));
        });
        if (!s_.own_tasks || !what) return;
        for (const std::size_t i : here) s_.known.comparisons[{*what, i}] = pairs[i].difference;
    }
    DifferLimits limits_for(const Pairing& p, const FarGames& far, DifferLimits limits) const {
        limits.until = s_.by(1);
        limits.inside = p.inside;
        if (s_.limits.milliseconds)
            limits.until = {std::min(limits.until.at(), Deadline::Clock::now() + std::chrono::milliseconds(comparing_ms_)), s_.limits.stop};
        if (const auto games = far.find({p.players, p.settings}); games != far.end()) limits.along = *games->second;
        return limits;
    }
    struct Reading {
        Offer offer;
        std::size_t value = 0;
    };
    void compare_readings() {
        if (s_.limits.blind || !s_.any_wanted({FindingClass::variant, FindingClass::modality})) return;
        std::vector<Reading> all;
        for (const Offer& o : offers(s_.syntax))
            for (std::size_t v = 1; o.reading && !s_.limits.settings.contains(o.name) && v < o.values.size(); ++v) all.push_back({o, v});
        const DifferLimits limits = differ_limits(all.size() * s_.numbers());
        std::vector<Finding> found = compared(Comparisons::readings, all, s_.limits.settings, limits);
        if (s_.own_tasks) return;
        // A reading that stands under an option makes no difference without it: then that option is taken.
        for (const Settings& option : s_.with_one_other([](const Offer& o) { return !o.reading; })) {
            std::vector<Reading> open;
            std::vector<std::size_t> where;
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (found[i].verdict != Verdict::proved_absent) continue;
                open.push_back(all[i]);
                where.push_back(i);
            }
            std::vector<Finding> under = compared(std::nullopt, open, option, limits);
            for (std::size_t i = 0; i < under.size(); ++i) {
                if (under[i].verdict == Verdict::proved_absent) continue;
                found[where[i]] = std::move(under[i]);
                found[where[i]].settings = option;
            }
        }
        for (Finding& f : found)
            if (s_.wanted(f.what) && !f.players.empty())
                (f.verdict == Verdict::found ? s_.result.findings : s_.result.passed).push_back(std::move(f));
    }

    // Each reading beside what was chosen, with each number of players. What was not reached is noted, and is not in the result's players.
    std::vector<Finding> compared(std::optional<Comparisons> what, const std::vector<Reading>& readings, const Settings& settings,
                                  const DifferLimits& limits) {
        std::vector<Pairing> pairs;
        for (const Reading& r : readings) {
            for (int n = s_.low; n <= s_.high; ++n) {
                Settings other = settings;
                other[r.offer.name] = r.offer.values[r.value];
                const auto make = [this, other](Pairing& p) {
                    p.first = compile(s_.game(p.players, p.settings));
                    p.second = compile(s_.game(p.players, other));
                };
                pairs.push_back({n, settings, make, nullptr, nullptr, std::nullopt, false});
            }
        }
        compare_all(what, pairs, limits, FindingText::comparing_readings);
        std::vector<Finding> all;
        Missing missing;
        for (std::size_t i = 0; i < readings.size(); ++i) {
            const std::span<Pairing> own(pairs.data() + i * s_.numbers(), s_.numbers());
            all.push_back(compared(readings[i], settings, own));
            for (const Pairing& p : own) {
                if (!missing.note(p)) continue;
                Settings value = settings;
                value[readings[i].offer.name] = readings[i].offer.values[readings[i].value];
                s_.not_looked_at({"reading", readings[i].offer.name, p.players, value, p.begun});
            }
        }
        tell(missing, pairs.size(), FindingText::comparisons_of_readings_were_not_made);
        return all;
    }

    Finding compared(const Reading& reading, const Settings& settings, std::span<const Pairing> pairs) {
        const Offer& offer = reading.offer;
        Finding f;
        f.rule = offer.name;
        f.id = offer.values[reading.value];
        f.spans = {offer.span};
        f.what = FindingClass::variant;
        f.verdict = Verdict::proved_absent;
        f.method = FoundBy::exhaustive;
        f.remark = Remark::two_ways;
        std::vector<int> alike;
        std::vector<int> unseen;
        const Game told = s_.game(s_.high, settings);
        const Ways ways{named(told, offer.values[0]), named(told, offer.values[reading.value])};
        for (const Pairing& p : pairs) {
            if (!p.difference) continue;
            const Difference& d = *p.difference;
            add_difference(f, d, p.players, *p.first, settings, ways);
            if (d.verdict != Verdict::found) (d.verdict == Verdict::proved_absent ? alike : unseen).push_back(p.players);
            if (d.parting && is_modality(*p.first, *p.second, *d.parting)) f.what = FindingClass::modality;
        }
        if (f.verdict == Verdict::found) {
            f.title = Sentence::each([&](Language language) {
                const std::string own = language == Language::en ? offer.text : rule_text(told, offer.name, code_of(language));
                return own.empty() ? std::string(FindingText::two_readings_and_they_differ.in(language)) : own;
            });
            if (f.winner_changes && f.winner_changes->games != 0) f.text = winner_changes_told(*f.winner_changes, pairs.size() > 1);
            add_who_is_not_concerned(f, alike, unseen);
            f.help = FindingText::decide_and_say;
        } else {
            const Sentence name = Sentence::each(
                [&](Language language) { return language == Language::en ? offer.name : label(told, offer.name, code_of(language)); });
            f.title = FindingText::make_no_difference(name, ways.first, ways.second);
        }
        return f;
    }
    static double percent(const Frequency& f) { return f.of == 0 ? 0 : ratio(100.0 * f.games, f.of); }
    // How often: for the number of players for which it is most often, which is said where there are several.
    static Sentence winner_changes_told(const Frequency& most, bool says_players) {
        const std::string share = fmt::format("{:.1f}", percent(most));
        return says_players ? FindingText::the_readings_change_the_winner_of_so_many(share, most.players)
                            : FindingText::the_readings_change_the_winner(share);
    }

    void compare_orders() {
        if (!s_.wanted(FindingClass::order)) return;
        std::vector<Pairing> pairs;
        std::vector<OpenLoop> loops;
        for (int n = s_.low; n <= s_.high; ++n) {
            const auto machine = compile(s_.game(n, s_.limits.settings));
            for (const OpenLoop& open : loops_in_no_order(*machine)) {
                const auto make = [machine, loop = open.loop](Pairing& p) {
                    p.compare_orders(
                        {std::make_shared<Inside>(*machine, loop), std::make_shared<Inside>(*with_loop_reversed(*machine, loop), loop)});
                };
                pairs.push_back({n, s_.limits.settings, make, nullptr, nullptr, std::nullopt, false});
                loops.push_back(open);
            }
        }
        compare_all(Comparisons::orders, pairs, differ_limits(pairs.size() * 3), FindingText::trying_other_orders);
        if (s_.own_tasks) return;
        std::map<std::pair<std::uint16_t, std::uint32_t>, Finding> orders;
        Missing missing;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Pairing& p = pairs[i];
            if (p.difference) add_order(orders, p, loops[i]);
            if (missing.note(p))
                s_.not_looked_at({"order", place_of(s_.game(p.players, s_.limits.settings), loops[i].statement), p.players,
                                  s_.limits.settings, p.begun});
        }
        tell(missing, pairs.size(), FindingText::other_orders_were_not_tried);
        for (auto& [at, f] : orders) {
            if (f.verdict != Verdict::found && breaks_within(f)) continue;
            (f.verdict == Verdict::found ? s_.result.findings : s_.result.passed).push_back(std::move(f));
        }
    }
    // Whether a promise of the same class was seen to break within the statement that the finding is about.
    bool breaks_within(const Finding& about) const {
        const auto is_inside = [&](Span s) { return lies_in(s, about.spans.front()); };
        return std::ranges::any_of(s_.result.findings, [&](const Finding& f) {
            return f.what == about.what && f.gravity == Gravity::error && std::ranges::any_of(f.spans, is_inside);
        });
    }
    void add_order(std::map<std::pair<std::uint16_t, std::uint32_t>, Finding>& orders, const Pairing& p, const OpenLoop& loop) const {
        const Machine& m = *p.first;
        const Statement& st = m.game.statements[loop.statement];
        const auto [at, added] = orders.try_emplace({st.span.source, st.span.begin});
        Finding& f = at->second;
        if (added) {
            f.what = FindingClass::order;
            f.gravity = Gravity::error;
            f.verdict = Verdict::proved_absent;
            f.method = FoundBy::exhaustive;
            f.rule = place_of(m.game, loop.statement);
            f.spans = {st.span};
        }
        add_difference(f, *p.difference, p.players, m, s_.limits.settings,
                       {FindingText::from_the_first_seat, FindingText::from_the_last_seat});
        if (f.verdict == Verdict::proved_absent && p.players > 2) {  // of three players there are orders besides these two
            f.verdict = Verdict::not_found;
            f.method = FoundBy::bounded;
            f.bound = FindingText::the_order_of_the_seats;
        }
        f.title =
            f.verdict == Verdict::found ? Sentence{FindingText::no_order_is_stated} : Sentence{FindingText::the_order_does_not_matter};
        f.help = loop.at_once ? FindingText::say_who_counts_first : FindingText::state_the_order_each_p_clockwise;
    }

    // Options that change nothing in games with the same luck: with no value, whatever the number of players and the other options.
    void try_options() {
        if (!s_.wanted(FindingClass::dead) || s_.own_tasks) return;
        std::vector<Offer> idle;
        for (const Offer& o : offers(s_.syntax))
            if (!o.reading && o.values.size() > 1 && !s_.limits.settings.contains(o.name)) idle.push_back(o);
        std::vector<Settings> around{s_.limits.settings};
        for (Settings& other : s_.with_one_other([](const Offer&) { return true; })) around.push_back(std::move(other));
        for (const Settings& settings : around) {
            std::vector<std::uint8_t> is_idle(idle.size(), 0);
            s_.in_parallel(idle.size(), FindingText::comparing_readings, [&](std::size_t i) {
                is_idle[i] = settings.contains(idle[i].name) || changes_nothing(idle[i], settings) ? 1 : 0;
            });
            std::vector<Offer> still;
            for (std::size_t i = 0; i < idle.size(); ++i)
                if (is_idle[i] != 0) still.push_back(std::move(idle[i]));
            idle = std::move(still);
        }
        for (const Offer& o : idle) {
            Finding f;
            f.what = FindingClass::dead;
            f.gravity = Gravity::warning;
            f.verdict = Verdict::not_found;
            f.method = FoundBy::simulated;
            f.bound = FindingText::games_with_each_value(SameGamesLimits{}.games);
            f.rule = o.name;
            f.spans = {o.span};
            for (int n = s_.low; n <= s_.high; ++n) f.players.push_back(n);
            f.settings = s_.limits.settings;
            f.title = FindingText::option_changes_nothing(named(s_.game(s_.high, s_.limits.settings), o.name));
            f.text = FindingText::so_it_was_in_games;
            f.help = FindingText::if_option_is_for_nothing;
            s_.result.findings.push_back(std::move(f));
        }
    }
    bool changes_nothing(const Offer& option, const Settings& settings) const {
        SameGamesLimits l;
        l.seed = s_.limits.seed;
        l.stop = s_.limits.stop;
        const std::vector<Settings> others = s_.with_one_other([&](const Offer& o) { return o.name == option.name; });
        for (int n = s_.low; n <= s_.high; ++n) {
            const auto as_is = compile(s_.game(n, settings));
            for (const Settings& other : others) {
                Settings changed = settings;
                changed[option.name] = other.at(option.name);
                if (same_games(as_is, compile(s_.game(n, changed)), l) == 0) return false;
            }
        }
        return true;
    }

    using Option = std::pair<std::string, std::string>;
    // The game for most players, and the facts by which somebody is out in it.
    struct WhoIsOut {
        std::shared_ptr<const Machine> machine;
        PartingFacts facts;

        const Game& game() const { return machine->game; }
    };
    // The games that tell are played once, for all who ask. `option`: another value than the settings have.
    const WhoIsOut& who_is_out(const std::optional<Option>& option = std::nullopt) {
        Settings settings = s_.limits.settings;
        if (option) settings.insert(*option);
        const auto [at, is_new] = who_is_out_.try_emplace(settings);
        WhoIsOut& p = at->second;
        if (is_new) {
            p.machine = compile(s_.game(s_.high, settings));
            p.facts = facts_that_end_a_part(p.machine, s_.syntax, 100, s_.limits.seed, part_of_work(s_.limits.work, for_facts), s_.by(1));
        }
        return p;
    }
    // Facts by which somebody is out under that value of an option only.
    std::set<std::string> parting_facts_of(const Option& option, const std::set<std::string>& own) {
        std::set<std::string> names;
        const WhoIsOut& with = who_is_out(option);
        for (const FactId fact : with.facts.all)
            if (const std::string& name = with.game().facts[fact].name; !own.contains(name)) names.insert(name);
        return names;
    }
    // The other values of options, of those that are not settled.
    std::vector<Option> other_options() const {
        std::vector<Option> all;
        for (const Settings& other : s_.with_one_other([](const Offer& o) { return !o.reading; }))
            for (const auto& option : other)
                if (!s_.limits.settings.contains(option.first)) all.emplace_back(option);
        return all;
    }
    struct ScopeQuestion {
        ScopeReading reading;
        Settings settings;
        std::shared_ptr<const Machine> machine;
    };
    // Also of what an option brings: where it stands, or who is out by it.
    std::vector<ScopeQuestion> scope_questions() {
        std::vector<ScopeQuestion> all;
        std::set<std::string> own;
        const auto ask = [&](const std::optional<Option>& option) {
            const WhoIsOut& with = who_is_out(option);
            Settings settings = s_.limits.settings;
            if (option) settings.insert(*option);
            for (const FactId fact : with.facts.all) {
                const std::string& name = with.game().facts[fact].name;
                const bool is_new = option && !own.contains(name);
                if (!option) own.insert(name);
                for (ScopeReading& r : scope_readings(s_.syntax, with.game(), fact, s_.limits.blind))
                    if (!option || is_new || is_brought_by(s_.syntax, r.span, *option))
                        all.push_back({std::move(r), settings, with.machine});
            }
        };
        ask(std::nullopt);
        for (const Option& option : other_options()) ask(option);
        return all;
    }
    // Read otherwise: only those still playing, where the rules say all, and the other way round.
    void compare_scopes() {
        if (!s_.wanted(FindingClass::scope)) return;
        const std::vector<ScopeQuestion> questions = scope_questions();
        std::vector<Pairing> pairs;
        for (const ScopeQuestion& q : questions) {
            const auto make = [&q](Pairing& p) {
                Diagnostics errors;
                Game other = check(q.reading.syntax, p.players, p.settings, errors);
                p.first = q.machine;
                if (!has_errors(errors)) p.second = compile(std::move(other));
            };
            pairs.push_back({s_.high, q.settings, make, nullptr, nullptr, std::nullopt, false});
        }
        compare_all(Comparisons::scopes, pairs, differ_limits(pairs.size() * 4), FindingText::asking_who_is_meant);
        if (s_.own_tasks) return;
        tell_who_never_came_back();
        Missing missing;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Pairing& p = pairs[i];
            if (p.difference) add_scope(p, questions[i].reading);
            if (missing.note(p)) s_.not_looked_at({"scope", questions[i].reading.rule, s_.high, p.settings, p.begun});
        }
        tell(missing, pairs.size(), FindingText::questions_about_who_is_meant_were);
    }
    void tell_who_never_came_back() {
        const WhoIsOut& with = who_is_out(std::nullopt);
        for (const FactId fact : with.facts.all) {
            if (with.facts.undone.contains(fact) || !is_taken_back(with.game(), fact)) continue;
            Finding f;
            f.what = FindingClass::scope;
            f.gravity = Gravity::note;
            f.verdict = Verdict::found;
            f.method = FoundBy::static_reading;
            f.rule = with.game().facts[fact].name;
            f.spans = {with.game().facts[fact].span};
            f.players = {s_.high};
            f.title = FindingText::whoever_it_held_of_was_not_asked_again(named(with.game(), with.game().facts[fact].name));
            f.help = FindingText::let_them_back_in_or_say;
            s_.result.findings.push_back(std::move(f));
        }
    }
    void add_scope(const Pairing& p, const ScopeReading& reading) {
        Finding f;
        f.what = FindingClass::scope;
        f.gravity = Gravity::note;
        f.verdict = Verdict::proved_absent;
        f.method = FoundBy::exhaustive;
        f.rule = reading.rule;
        f.spans = {reading.span};
        add_difference(f, *p.difference, p.players, *p.first, p.settings, {Phrase(reading.printed), Phrase(reading.instead)});
        for (const auto& [name, value] : p.settings)
            if (!s_.limits.settings.contains(name)) f.settings[name] = value;
        if (f.verdict != Verdict::found) return;
        leave_untried(f, {p.players});
        f.title = FindingText::who_is_meant_by_also_those(reading.printed);
        f.text = FindingText::compared_with(reading.instead);
        f.help = FindingText::say_whether_those_who_are_out;
        s_.result.findings.push_back(std::move(f));
    }

    void leave_untried(Finding& f, std::initializer_list<int> tried) const {
        f.untried.clear();
        for (int n = s_.low; n <= s_.high; ++n)
            if (std::ranges::find(tried, n) == tried.end()) f.untried.push_back(n);
    }

    std::vector<Lead> all_leads() {
        const WhoIsOut& own = who_is_out();
        const Game& game = own.game();
        std::vector<Lead> all = leads(s_.syntax, game);
        const auto add = [&](std::vector<Lead> more) { std::ranges::move(more, std::back_inserter(all)); };
        std::set<std::string> out;
        for (const FactId fact : own.facts.all) {
            out.insert(game.facts[fact].name);
            if (!scope_readings(s_.syntax, game, fact, true).empty())
                add(leads_of_those_out(s_.syntax, game.facts[fact].name, std::nullopt));
        }
        for (const Option& option : other_options()) {
            add(leads_with(s_.syntax, option.first, option.second));
            for (const std::string& fact : parting_facts_of(option, out)) add(leads_of_those_out(s_.syntax, fact, option));
        }
        return all;
    }
    // What nobody wrote down: each question that changes a game.
    void ask_leads() {
        if (!s_.limits.blind) return;
        const std::vector<Lead> all = all_leads();
        std::vector<Pairing> pairs;
        std::vector<const Lead*> of;
        for (const Lead& lead : all) {
            if (!s_.wanted(lead.what)) continue;
            for (const int n : s_.low == s_.high ? std::vector{s_.low} : std::vector{s_.low, s_.high}) {
                Settings settings = s_.limits.settings;
                settings.insert(lead.settings.begin(), lead.settings.end());
                const auto make = [this, &lead](Pairing& p) {
                    Diagnostics errors;
                    Game other = check(lead.syntax, p.players, p.settings, errors);
                    if (has_errors(errors)) return;
                    if (lead.alter) lead.alter(other);
                    p.first = compile(s_.game(p.players, p.settings));
                    p.second = compile(std::move(other));
                    if (lead.exchanged.empty()) return;
                    p.compare_orders(
                        {std::make_shared<Inside>(*p.first, lead.exchanged), std::make_shared<Inside>(*p.second, lead.exchanged)});
                };
                pairs.push_back({n, std::move(settings), make, nullptr, nullptr, std::nullopt, false});
                of.push_back(&lead);
            }
        }
        compare_all(Comparisons::leads, pairs, differ_limits(pairs.size()), FindingText::asking_what_is_not_said);
        if (s_.own_tasks) return;
        std::map<const Lead*, Finding> found;
        std::vector<std::size_t> rare;
        Missing missing;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Pairing& p = pairs[i];
            if (p.difference && matters(*of[i], *p.difference) && breaks_there(*of[i], *p.second, *p.difference->parting)) {
                Finding& f = found.try_emplace(of[i], question_of(*of[i])).first->second;
                add_difference(f, *p.difference, p.players, *p.first, p.settings, {of[i]->as_is, of[i]->instead});
                f.settings = of[i]->settings;
                leave_untried(f, {s_.low, s_.high});
                if (of[i]->breaks && f.players.size() == 1) f.what = class_of_break(*of[i], *p.second, p.difference->parting->other);
            } else if (p.difference && of[i]->breaks) {
                rare.push_back(i);
            }
            if (missing.note(p)) s_.not_looked_at({"lead", of[i]->rule, p.players, p.settings, p.begun});
        }
        tell(missing, pairs.size(), FindingText::questions_were_not_asked);
        add_rare(pairs, of, rare, found);
        for (auto& [lead, f] : found)
            if (s_.wanted(f.what)) s_.result.findings.push_back(std::move(f));
    }

    // What breaks seldom: games that lean to where none has been come to it sooner than games side by side.
    void add_rare(const std::vector<Pairing>& pairs, const std::vector<const Lead*>& of, const std::vector<std::size_t>& rare,
                  std::map<const Lead*, Finding>& found) {
        std::vector<std::optional<Observation>> seen(rare.size());
        std::vector<std::uint64_t> played(rare.size());
        TestLimits limits;
        limits.games = s_.limits.games / 2;
        limits.work = part_of_work(s_.limits.work, for_rare * threads_meant / std::max<std::size_t>(1, rare.size()));
        limits.until = s_.by(1);
        limits.seed = s_.limits.seed;
        s_.in_parallel(rare.size(), FindingText::asking_what_is_not_said, [&](std::size_t i) {
            const Pairing& p = pairs[rare[i]];
            const TestedGames tested = test_at_random(compile_watched(p.second->game), limits);
            played[i] = tested.games;
            for (const Observation& o : tested.observations)
                if (o.kind == ObservationKind::broken && is_there(*of[rare[i]], o.failure.span) && !breaks_too(*p.first, o.moves))
                    seen[i] = o;
        });
        for (std::size_t i = 0; i < rare.size(); ++i) {
            const Pairing& p = pairs[rare[i]];
            Witness w;
            w.players = p.players;
            w.settings = p.settings;
            if (!seen[i] || found.contains(of[rare[i]])) continue;
            w.moves = seen[i]->moves;
            w.decisions = seen[i]->decisions;
            const auto log = replayed(*p.first, w);
            if (!log) continue;
            w.log = *log;
            Finding f = question_of(*of[rare[i]]);
            f.settings = of[rare[i]]->settings;
            f.what = class_of_break(*of[rare[i]], *p.second, seen[i]->moves);
            f.verdict = Verdict::found;
            f.method = FoundBy::simulated;
            f.bound = FindingText::games(played[i]);
            f.players = {p.players};
            leave_untried(f, {s_.low, s_.high});
            f.outcomes = {{of[rare[i]]->as_is, w.state}, {of[rare[i]]->instead, failure_text(p.second->game, seen[i]->failure)}};
            f.witness = std::move(w);
            found.emplace(of[rare[i]], std::move(f));
        }
    }
    static bool is_there(const Lead& lead, Span broken) { return !lead.within || lies_in(broken, *lead.within); }
    static bool breaks_there(const Lead& lead, const Machine& machine, const Parting& parting) {
        if (!lead.within || parting.how != Parting::How::broken) return true;
        const auto failure = failure_after(machine, parting.other);
        return failure && is_there(lead, failure->span);
    }
    static std::optional<Failure> failure_after(const Machine& machine, const std::vector<std::uint64_t>& moves) {
        const auto run = make_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
        run->start();
        for (const std::uint64_t move : moves) {
            run->advance();
            run->apply(move);
        }
        if (run->advance().kind != NodeKind::failed) return std::nullopt;
        return run->failure();
    }
    // What is not one of a kind is unresolved, whichever question came upon it.
    static FindingClass class_of_break(const Lead& lead, const Machine& machine, const std::vector<std::uint64_t>& moves) {
        const auto failure = failure_after(machine, moves);
        if (!failure) return lead.what;
        switch (failure->kind) {
            case FailureKind::several_cards_fit:
            case FailureKind::several_fit:
            case FailureKind::nothing_fits:
            case FailureKind::no_card_fits:
                return lead.what == FindingClass::void_duty ? FindingClass::unresolved : lead.what;
            default:
                return lead.what;
        }
    }
    // Whether the game as it is breaks off there, or before.
    static bool breaks_too(const Machine& machine, const std::vector<std::uint64_t>& moves) {
        const auto run = make_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
        run->start();
        for (const std::uint64_t move : moves) {
            const Node& n = run->advance();
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return true;
            if (n.kind != NodeKind::window && move >= n.moves) return true;
            run->apply(move);
        }
        return run->advance().kind == NodeKind::failed;
    }

    Search& s_;
    const std::function<FarGames(const std::set<FarKey>&)>& far_;
    std::uint64_t comparing_ms_ = 0;  // of one comparison, if there is a time
    std::map<Settings, WhoIsOut> who_is_out_;
};

}  // namespace

void compare_ways(Search& search, const std::function<FarGames(const std::set<FarKey>&)>& far) { Comparing(search, far).go(); }

}  // namespace houserule
