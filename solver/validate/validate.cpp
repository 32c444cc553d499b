#include "solver/validate/validate.hpp"

#include "dsl/check/check.hpp"
#include "interpreter/tree/explore.hpp"
#include "solver/compare/differences.hpp"
#include "solver/findings/accept.hpp"
#include "solver/findings/doubts.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/findings/witness.hpp"
#include "solver/leads/counters.hpp"
#include "solver/leads/questions.hpp"
#include "solver/prove/prove.hpp"
#include "solver/validate/comparing.hpp"
#include "solver/validate/loose_ends.hpp"
#include "solver/validate/observation.hpp"
#include "solver/validate/random_testing.hpp"
#include "solver/validate/search.hpp"
#include "solver/validate/settles.hpp"
#include "solver/validate/unsaid.hpp"
#include "solver/validate/weighing.hpp"
#include "solver/validate/workers.hpp"
#include "solver/wording/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

namespace houserule {

namespace {

// Shares of work and time: the rest is for what is left over.
constexpr double for_surveys = 0.45;
constexpr double for_proofs = 0.05;  // what Z3 does takes longer than its steps say
constexpr double for_questions = 0.05;
constexpr double for_walk = 0.2;  // of all games there are, if they are few
// The most of it for one variant, played as the file has it, or under another option or reading.
constexpr double for_own_variant = 0.3;
constexpr double for_other_variant = 0.04;
// Two threads play at the same time.
constexpr double players_at_a_time = 2;
constexpr std::uint64_t small_tree = 300'000;  // nodes that are walked to the last
constexpr std::uint64_t games_for_never = 50;  // fewer say nothing about what never comes up

// One number of players under one set of options and readings.
struct Variation {
    int players = 0;
    Settings settings;
    bool own = false;  // the file's own options and readings
    Watched watched;
    TestedGames tested;
    bool done = false;
};

// Whether known results can be those of that machine.
bool are_games_of(const TestedGames& tested, const Machine& machine) {
    const Game& game = machine.game;
    const auto is_point = [&](const Observation& o) { return machine.code.has(o.step); };
    const auto is_end = [&](const auto& end) { return end.first == no_id || game.ends.has(end.first); };
    const auto is_loop = [&](const auto& times) { return game.statements.has(times.first); };
    return tested.reached.size() == machine.code.size() && tested.asked.size() == machine.code.size() &&
           tested.left.size() == game.zones.size() && tested.held.size() == game.expressions.size() &&
           tested.came.size() == game.families.size() && (tested.stays.empty() || std::ssize(tested.stays) == game.places) &&
           std::ranges::all_of(tested.observations, is_point) && std::ranges::all_of(tested.ends, is_end) &&
           std::ranges::all_of(tested.times, is_loop);
}

bool are_of(const ProvedPromises& proved, const Game& game) {
    return std::ranges::all_of(proved.obligations, [&](const Obligation& o) { return o.rule == no_id || game.rules.has(o.rule); });
}

class Validator {
public:
    Validator(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress,
              TaskResults known = {}, std::optional<ShareOfTasks> share = std::nullopt)
        : s_{syntax, limits, progress, Deadline::Clock::now(), 0, 0, {}, share, std::move(known)} {
        list_variations();
    }

    Validation go() {
        survey_all();
        gather_sights();
        gather_never();
        gather_unsaid();
        gather_questions();
        compare_all();
        read_examples();
        prove_all();
        finish();
        return std::move(s_.result);
    }

    // What the tasks of the share come to.
    TaskResults share() {
        survey_all();
        compare_all();
        prove_all();
        for (std::size_t i = 0; i < variations_.size(); ++i)
            if (is_of_share(i)) s_.known.games[i] = std::move(variations_[i].tested);
        return std::move(s_.known);
    }

private:
    static Sentence out_of_work() { return FindingText::limit_of_work; }
    // ---- variants

    void list_variations() {
        const PlayerRange range = playable_range(s_.syntax);
        s_.low = s_.limits.low == 0 ? range.low : std::max(range.low, s_.limits.low);
        s_.high = s_.limits.high == 0 ? range.high : std::min(range.high, s_.limits.high);
        for (int n = s_.low; n <= s_.high; ++n) add(n, s_.limits.settings, true);
        const auto is_reading = [&](const Offer& offer) { return offer.reading && !s_.limits.blind; };
        const auto is_option = [](const Offer& offer) { return !offer.reading; };
        const auto add_all = [&](const Settings& settings) {
            for (int n = s_.low; n <= s_.high; ++n) add(n, settings, false);
        };
        const std::vector<Settings> readings = s_.with_one_other(is_reading);
        for (const Settings& reading : readings) add_all(reading);
        for (const Settings& option : s_.with_one_other(is_option)) {
            add_all(option);
            for (Settings both : readings) {
                both.insert(option.begin(), option.end());
                add_all(both);
            }
        }
    }
    void add(int players, const Settings& settings, bool own) {
        Variation v;
        v.players = players;
        v.settings = settings;
        v.own = own;
        variations_.push_back(std::move(v));
    }

    // ---- games

    void survey_all() {
        using enum FindingClass;
        const bool all = s_.any_wanted(
            {gap, void_duty, unresolved, conflict, end_race, order, endless, stall, dead, masked, chooser, view, count, degenerate});
        if (!all && !s_.any_wanted({variant, modality})) return;
        if (!all || !s_.limits.others) std::erase_if(variations_, [](const Variation& v) { return !v.own; });
        planned_ = true;
        std::vector<std::size_t> all_here;
        for (std::size_t i = 0; i < variations_.size(); ++i)
            if (!s_.own_tasks || is_of_share(i)) all_here.push_back(i);
        survey(all_here);
        if (!s_.own_tasks) tell_what_was_not_surveyed();
    }
    // A stretch of the file's own numbers of players, as of comparisons; the others, which take less, one by one.
    bool is_of_share(std::size_t i) const {
        if (!planned_) return false;
        return variations_[i].own ? s_.own_tasks->has(i, s_.numbers()) : s_.own_tasks->is_dealt(i);
    }
    void survey(const std::vector<std::size_t>& which) {
        std::atomic<std::size_t> next{0};
        std::atomic<std::size_t> done{0};
        const Deadline until = s_.by(for_surveys);
        const auto own =
            static_cast<double>(std::count_if(variations_.begin(), variations_.end(), [](const Variation& v) { return v.own; }));
        const double wanted_shares = own * for_own_variant + (variations_.size() - own) * for_other_variant;
        const double scale = std::min(1.0, for_surveys * players_at_a_time / std::max(wanted_shares, for_own_variant));
        const auto work = [&](unsigned, const std::stop_token& halt) {
            const auto stop = [&] { return halt.stop_requested() || until.over(); };
            for (std::size_t k = next++; k < which.size(); k = next++) {
                if (stop()) return;
                const std::size_t i = which[k];
                Variation& v = variations_[i];
                v.watched = compile_watched(s_.game(v.players, v.settings));
                TestLimits l;
                l.games = v.own ? s_.limits.games : s_.limits.games / 4;
                l.work = part_of_work(s_.limits.work, scale * (v.own ? for_own_variant : for_other_variant));
                l.until = survey_until(v.own);
                l.seed = s_.limits.seed + i;
                l.unsaid_limit = unsaid_limit_;
                const auto known = s_.known.games.find(i);
                const bool is_known = known != s_.known.games.end() && are_games_of(known->second, *v.watched.machine);
                v.tested = is_known ? std::move(known->second) : test_at_random(v.watched, l);
                v.done = true;
                ++done;
            }
        };
        work_together(std::max(1U, s_.limits.threads), work, [&] {
            s_.tell(FindingText::playing, done, which.size());
            return !until.over();
        });
    }
    // The far games of those variations. Where only a share is done, some have to be played for it.
    FarGames far_games(const std::set<FarKey>& of) {
        const auto is_meant = [&](const Variation& v) { return of.contains({v.players, v.settings}); };
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < variations_.size(); ++i)
            if (s_.own_tasks && planned_ && !variations_[i].done && is_meant(variations_[i])) missing.push_back(i);
        survey(missing);
        FarGames far;
        for (const Variation& v : variations_)
            if (v.done && is_meant(v)) far[{v.players, v.settings}] = &v.tested.far;
        return far;
    }
    void compare_all() {
        compare_ways(s_, [this](const std::set<FarKey>& of) { return far_games(of); });
    }
    void tell_what_was_not_surveyed() {
        std::size_t short_of = 0;
        bool by_work = true;
        for (const Variation& v : variations_) {
            if (v.done && !v.tested.cut_off) continue;
            ++short_of;
            by_work = by_work && v.tested.out_of_work;
            s_.not_looked_at({"games", "", v.players, v.settings, v.done});
        }
        std::set<int> broken;  // numbers of players
        for (const Variation& v : variations_)
            if (v.done && v.own && always_breaks(v.tested)) broken.insert(v.players);
        if (!broken.empty()) s_.result.limits.emplace_back(FindingText::every_game_breaks_off(fmt::format("{}", fmt::join(broken, ", "))));
        if (short_of == 0) return;
        const Sentence why = by_work ? out_of_work() : s_.out_of_time();
        s_.result.limits.emplace_back(FindingText::combinations_not_played(short_of, variations_.size(), why));
    }
    // A variant's own share of the time begins with it.
    Deadline survey_until(bool own) const {
        const Deadline all = s_.by(for_surveys);
        if (!s_.limits.milliseconds) return all;
        const auto share = part_of_work(*s_.limits.milliseconds, own ? for_own_variant : for_other_variant);
        return {std::min(all.at(), Deadline::Clock::now() + std::chrono::milliseconds(share)), s_.limits.stop};
    }

    // What is told alike of several numbers of players, or again under other readings, is one finding.
    using Key = std::tuple<FindingClass, std::string, std::uint32_t, std::uint32_t, std::string>;
    static Key key_of(const Finding& f) {
        const Span span = f.spans.empty() ? Span{} : f.spans.front();
        return {f.what, f.rule, span.source, span.begin, f.title.in(Language::en)};
    }
    static bool better(const Finding& a, const Finding& b) {
        const auto measure = [](const Finding& f) {
            return std::tuple(f.settings.size(), f.witness ? f.witness->players : 99, f.witness ? f.witness->decisions : 0);
        };
        return measure(a) < measure(b);
    }
    static void merge(std::map<Key, Finding>& into, Finding f) {
        const auto [at, added] = into.try_emplace(key_of(f), f);
        if (added) return;
        Finding& there = at->second;
        if (there.settings.size() < f.settings.size()) return;  // known without these readings
        std::vector<int> players = there.players;
        players.insert(players.end(), f.players.begin(), f.players.end());
        std::sort(players.begin(), players.end());
        players.erase(std::unique(players.begin(), players.end()), players.end());
        const std::optional<Frequency> often = more_often(there.frequency, f.frequency);
        if (better(f, there)) there = std::move(f);
        there.players = std::move(players);
        there.frequency = often;
    }
    void gather_sights() {
        std::map<Key, Finding> all;
        for (const bool own : {true, false}) {
            for (const Variation& v : variations_) {
                if (!v.done || v.own != own) continue;
                for (Finding& f : findings_of({v.watched, v.tested, v.players, v.settings})) {
                    if (!s_.wanted(f.what)) continue;
                    // A setting that the file does not choose makes it a matter of that reading.
                    if (!own && all.contains(key_of(f)) && all.at(key_of(f)).settings == s_.limits.settings) continue;
                    merge(all, std::move(f));
                }
            }
        }
        for (auto& [key, f] : all) {
            if (f.witness && !show(f)) continue;
            s_.result.findings.push_back(std::move(f));
        }
    }

    // The log of the game and where it leads; false when it does not replay, which nobody should ever see.
    bool show(Finding& f) {
        const auto machine = compile(s_.game(f.witness->players, f.witness->settings));
        const auto log = replayed(*machine, *f.witness);
        if (!log) {
            s_.result.limits.push_back(FindingText::a_game_for_could(f.rule));
            return false;
        }
        f.witness->log = *log;
        return true;
    }

    void gather_never() {
        if (!s_.any_wanted(
                {FindingClass::dead, FindingClass::masked, FindingClass::count, FindingClass::degenerate, FindingClass::endless}))
            return;
        std::map<Key, Finding> all;
        std::size_t counts = 0;
        for (const Variation& v : variations_) {
            if (!v.done || !v.own || v.tested.games < games_for_never || always_breaks(v.tested)) continue;
            ++counts;
            for (Finding& f : never_of({v.watched, v.tested, v.players, v.settings})) merge(all, std::move(f));
        }
        for (const Variation& v : variations_) {
            if (!v.done || v.own || v.tested.cut_off || v.tested.games < games_for_never) continue;
            for (Finding& f : never_of({v.watched, v.tested, v.players, v.settings}))
                if (f.what == FindingClass::masked && !all.contains(key_of(f))) merge(all, std::move(f));
        }
        const std::map<Key, Finding> proved = proved_never(s_.numbers());
        const auto is_proved = [&](const Finding& f) {
            return std::any_of(proved.begin(), proved.end(), [&](const auto& p) {
                const Finding& never = p.second;
                return never.rule == f.rule &&
                       std::includes(never.players.begin(), never.players.end(), f.players.begin(), f.players.end());
            });
        };
        for (auto& [key, f] : all) {
            if (!s_.wanted(f.what) || is_proved(f)) continue;
            const bool own = f.settings == s_.limits.settings;
            const bool depends = f.what == FindingClass::degenerate || f.what == FindingClass::endless;
            if (depends && f.players.size() != counts) continue;  // with more players there is a choice, or it takes longer
            f.gravity = own && f.players.size() == counts && f.what == FindingClass::dead ? Gravity::warning : Gravity::note;
            s_.result.findings.push_back(std::move(f));
        }
        for (const auto& [key, f] : proved)
            if (s_.wanted(f.what)) s_.result.findings.push_back(f);
    }
    // No game goes on after it, so that nothing is said of what comes later.
    static bool always_breaks(const TestedGames& tested) {
        std::uint64_t broken = 0;
        for (const Observation& o : tested.observations)
            if (o.kind == ObservationKind::broken) broken += o.games;
        return tested.random != 0 && broken == tested.random;
    }
    // Ends that bounds on counters keep away.
    std::map<Key, Finding> proved_never(std::size_t numbers) const {
        std::map<Key, Finding> all;
        for (int n = s_.low; n <= s_.high; ++n)
            for (Finding& f : unreachable_ends(s_.game(n, s_.limits.settings))) {
                f.settings = s_.limits.settings;
                merge(all, std::move(f));
            }
        for (auto& [key, f] : all) f.gravity = f.players.size() == numbers ? Gravity::warning : Gravity::note;
        return all;
    }

    // What games raise and no text answers, with the fewest and the most players.
    void gather_questions() {
        using enum FindingClass;
        if (!s_.limits.blind || !s_.any_wanted({view, chooser, count, unresolved, order, hole, end_race})) return;
        std::vector<int> numbers;
        for (int n = s_.low; n <= s_.high; ++n) numbers.push_back(n);
        std::vector<std::optional<OpenQuestions>> asked(numbers.size());
        s_.in_parallel(numbers.size(), FindingText::asking_what_is_not_said, [&](std::size_t i) {
            QuestionLimits l;
            l.games = std::min<std::uint64_t>(s_.limits.games, 400);
            l.work = part_of_work(s_.limits.work, for_questions / numbers.size());
            l.seed = s_.limits.seed;
            l.stop = s_.limits.stop;
            asked[i] = open_questions(s_.syntax, compile(s_.game(numbers[i], s_.limits.settings)), s_.limits.settings, l);
        });
        std::map<Key, Finding> all;
        std::size_t cut = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!asked[i] || asked[i]->cut_off) {
                ++cut;
                s_.not_looked_at({"questions", "", numbers[i], s_.limits.settings, asked[i].has_value()});
            }
            if (!asked[i]) continue;
            for (Finding& f : asked[i]->findings) merge(all, std::move(f));
        }
        if (cut != 0) {
            const Sentence why = s_.by(1).over() ? s_.out_of_time() : out_of_work();
            s_.result.limits.emplace_back(FindingText::numbers_of_players_had_fewer_games(cut, numbers.size(), why));
        }
        for (auto& [key, f] : all)
            if (s_.wanted(f.what)) s_.result.findings.push_back(std::move(f));
    }

    void gather_unsaid() {
        Store<ZoneId, std::uint8_t> left;
        for (const Variation& v : variations_) {
            if (!v.done || !v.own) continue;
            if (left.empty()) left.assign(v.tested.left.size(), 0);
            for (std::size_t z = 0; z < std::min(left.size(), v.tested.left.size()); ++z) left[z] |= v.tested.left[z];
        }
        const Game g = s_.game(s_.high, s_.limits.settings);
        left.resize(g.zones.size(), 0);
        const auto take = [&](std::vector<Finding> findings) {
            for (Finding& f : findings)
                if (s_.wanted(f.what)) s_.result.findings.push_back(std::move(f));
        };
        take(open_windows(g));
        take(unchecked_duties(g, left));
        if (s_.limits.blind) take(unchecked_laying(g, left));
        if (s_.limits.blind) take(rights_that_end(g));
        if (!s_.limits.blind) take(all_holes());
        take(forgotten_things(s_.syntax));
        take(ties_by_seat(s_.syntax));
        take(endless_loops(g));
        take(uneven_deals(g));
        std::vector<Game> games;
        for (int n = s_.low; n <= s_.high; ++n) games.push_back(s_.game(n, s_.limits.settings));
        take(contradicted_words(s_.syntax, games));
    }

    // Those of the settings at hand, then what is only said under another option or reading.
    std::vector<Finding> all_holes() const {
        std::vector<Finding> all;
        std::vector<Settings> tried{s_.limits.settings};
        for (const Settings& other : s_.with_one_other([](const Offer&) { return true; })) tried.push_back(other);
        for (const Settings& settings : tried) {
            for (Finding& f : admitted_holes(s_.game(s_.high, settings), s_.syntax)) {
                if (std::any_of(all.begin(), all.end(), [&](const Finding& known) { return known.rule == f.rule; })) continue;
                if (settings != s_.limits.settings) f.settings = settings;
                all.push_back(std::move(f));
            }
        }
        return all;
    }

    void read_examples() {
        if (!s_.wanted(FindingClass::example)) return;
        for (Finding& f : settled_by_examples(s_.syntax, s_.limits.settings, s_.limits.stop))
            (f.verdict == Verdict::found ? s_.result.findings : s_.result.passed).push_back(std::move(f));
    }

    // ---- proofs

    // What was proved for one number of players.
    struct Proved : ProvedPromises {
        std::optional<Game> game;
    };
    std::vector<Proved> proved_for_each() {
        const std::size_t numbers = s_.numbers();
        std::vector<Proved> proved(numbers);
        s_.in_parallel(numbers, FindingText::proving, [&](std::size_t i) {
            if (s_.own_tasks && !s_.own_tasks->has(2 * i + 1, 2 * numbers)) return;
            Proved& p = proved[i];
            p.game = s_.game(s_.low + i, s_.limits.settings);
            if (const auto known = s_.known.proofs.find(i); known != s_.known.proofs.end() && are_of(known->second, *p.game)) {
                p.ProvedPromises::operator=(known->second);
                return;
            }
            p.walked = walked(*p.game, part_of_work(s_.limits.work, for_walk / numbers), s_.by(1.0));
            p.obligations = prove(*p.game, prove_limits());
            p.cut = s_.by(1.0).over();
        });
        return proved;
    }
    void prove_all() {
        using enum FindingClass;
        if (!s_.limits.proofs || !s_.any_wanted({gap, void_duty, unresolved, conflict, count, endless, chooser})) return;
        const std::vector<Proved> proved = proved_for_each();
        const std::size_t numbers = proved.size();
        if (s_.own_tasks) {
            for (std::size_t i = 0; i < numbers; ++i)
                if (proved[i].game) s_.known.proofs[i] = proved[i];
            return;
        }
        std::map<std::tuple<FindingClass, std::uint32_t, std::string>, Finding> all;
        std::size_t missing = 0;
        for (std::size_t i = 0; i < numbers; ++i) {
            const int n = s_.low + i;
            for (const Obligation& o : proved[i].obligations) {
                add_obligation(all, o, proved[i].walked, n, *proved[i].game);
                if (proved[i].cut && !o.proved && !proved[i].walked)
                    s_.not_looked_at({"promises", o.rule == no_id ? "" : proved[i].game->rules[o.rule].name, n, s_.limits.settings, true});
            }
            if (proved[i].game) continue;
            ++missing;
            s_.not_looked_at({"promises", "", n, s_.limits.settings, false});
        }
        s_.missed(missing, numbers, FindingText::numbers_of_players_have_promises);
        for (auto& [key, f] : all) {
            if (!s_.wanted(f.what)) continue;
            const bool broken = std::any_of(s_.result.findings.begin(), s_.result.findings.end(), [&](const Finding& other) {
                return other.verdict == Verdict::found && !other.spans.empty() &&
                       (other.spans.front() == f.spans.front() || (other.what == f.what && lies_in(other.spans.front(), f.spans.front())));
            });
            if (!broken) s_.result.passed.push_back(std::move(f));
        }
    }
    void add_obligation(std::map<std::tuple<FindingClass, std::uint32_t, std::string>, Finding>& all, const Obligation& o, bool whole,
                        int players, const Game& g) const {
        const auto [at, added] = all.try_emplace({o.what, o.span.begin, o.title.in(Language::en)});
        Finding& f = at->second;
        if (added) {
            f.what = o.what;
            f.verdict = Verdict::proved_absent;
            f.method = o.method;
            f.rule = o.rule == no_id ? "" : g.rules[o.rule].name;
            f.spans = {o.span};
            f.title = o.title;
        }
        f.players.push_back(players);
        if (!o.proved && whole &&
            o.promise != Promise::agree) {  // a game goes one way of those that apply together, and never breaks off there
            if (f.verdict == Verdict::proved_absent) f.method = FoundBy::exhaustive;
        } else if (!o.proved) {
            f.verdict = Verdict::not_found;
            f.method = FoundBy::simulated;
            f.bound = FindingText::games(least_played());
        }
    }
    // Under the file's own options, with the number of players that took longest.
    std::uint64_t least_played() const {
        std::uint64_t games = s_.limits.games;
        for (const Variation& v : variations_)
            if (v.own) games = std::min(games, v.done ? v.tested.games : 0);
        return games;
    }
    ProveLimits prove_limits() const {
        ProveLimits limits;
        limits.work = std::min(s_.limits.proof_work, part_of_work(s_.limits.work, for_proofs / s_.numbers()));
        limits.stop = s_.limits.stop;
        if (!s_.limits.milliseconds) return limits;
        const double spent = std::chrono::duration<double, std::milli>(Deadline::Clock::now() - s_.begin).count();
        const double left = std::max(0.0, static_cast<double>(*s_.limits.milliseconds) - spent);
        limits.milliseconds = static_cast<std::uint64_t>(left);
        return limits;
    }
    // Every game there is, and no promise broke.
    static bool walked(const Game& g, std::uint64_t work, const Deadline& until) {
        const Stop late(until.stop(), [&] { return until.over(); });
        ExploreLimits limits;
        limits.nodes = small_tree;
        limits.memory_mib = 256;
        limits.work = work;
        limits.stop = &late;
        Exploration exploration(compile(g), limits, false);
        while (!until.over() && exploration.go_on(10'000)) {
        }
        const Explored e = exploration.result();
        return e.state == ExploreState::complete && e.broken == 0;
    }

    void finish() {
        if (!s_.limits.blind)
            for (Finding& f : accept(s_.result.findings, s_.syntax, s_.limits.only)) s_.result.findings.push_back(std::move(f));
        sort_findings(s_.result.findings);
        sort_findings(s_.result.passed);
        give_ids(s_.result.findings, s_.limits.settings);
        const Game told = s_.game(s_.high, s_.limits.settings);
        for (Finding& f : s_.result.findings)
            if (!f.spans.empty()) f.paragraph = paragraph_at(s_.syntax, told, f.spans.front());
        s_.result.doubts = doubts_of(s_.result.findings, s_.syntax, s_.limits.settings);
        weigh_by_thinking(s_);
        s_.result.cut_by_time = s_.by(1).over();
    }

    Search s_;
    const std::optional<Span> unsaid_limit_ = limit_that_no_text_says(s_.syntax);
    std::vector<Variation> variations_;
    bool planned_ = false;  // variations are played
};

}  // namespace

Validation validate(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress) {
    return Validator(syntax, limits, progress).go();
}

TaskResults validate_share(const Syntax& syntax, const ValidateLimits& limits, ShareOfTasks share,
                           const std::function<void(const ValidateProgress&)>& progress) {
    return Validator(syntax, limits, progress, {}, share).share();
}

Validation validate_joined(const Syntax& syntax, const ValidateLimits& limits, TaskResults known,
                           const std::function<void(const ValidateProgress&)>& progress) {
    return Validator(syntax, limits, progress, std::move(known)).go();
}

}  // namespace houserule
