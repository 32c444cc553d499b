#include "solver/validate/validate.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/machine/open_loops.hpp"
#include "interpreter/tree/explore.hpp"
#include "solver/compare/differ.hpp"
#include "solver/findings/accept.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/witness.hpp"
#include "solver/prove/prove.hpp"
#include "solver/validate/loose_ends.hpp"
#include "solver/validate/observation.hpp"
#include "solver/validate/random_testing.hpp"
#include "solver/validate/scope.hpp"
#include "solver/validate/settles.hpp"
#include "solver/validate/unsaid.hpp"
#include "solver/validate/workers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <tuple>

namespace houserule {

namespace {

// Shares of work and time: the rest is for what is left over.
constexpr double for_surveys = 0.45;
constexpr double for_comparing = 0.25;
constexpr double for_proofs = 0.3;
constexpr double for_facts = 0.02;  // that end a player's part
constexpr double for_walk = 0.2;    // of all games there are, if they are few
// The most of it for one variant, played as the file has it, or under another option or reading.
constexpr double for_own_variant = 0.3;
constexpr double for_other_variant = 0.04;
// Two threads play at the same time.
constexpr double players_at_a_time = 2;
constexpr std::size_t values_tried = 4;                        // of an option or reading
constexpr std::uint64_t least_comparing = work_a_second / 10;  // steps of work, however many comparisons there are
constexpr std::uint64_t small_tree = 300'000;                  // nodes that are walked to the last

// One number of players under one set of options and readings.
struct Variation {
    int players = 0;
    Settings settings;
    bool own = false;  // the file's own options and readings
    Watched watched;
    TestedGames tested;
    bool done = false;
};

class Validator {
public:
    Validator(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress)
        : syntax_(syntax),
          limits_(limits),
          progress_(progress),
          begin_(Deadline::Clock::now()),
          comparing_(part_of_work(limits.work, for_comparing)) {}

    Validation go() {
        list_variations();
        survey_all();
        gather_sights();
        gather_never();
        gather_unsaid();
        compare_readings();
        compare_orders();
        compare_scopes();
        read_examples();
        prove_all();
        finish();
        return std::move(result_);
    }

private:
    bool wanted(FindingClass c) const { return limits_.only.empty() || limits_.only.contains(c); }
    bool any_wanted(std::initializer_list<FindingClass> classes) const {
        return std::any_of(classes.begin(), classes.end(), [&](FindingClass c) { return wanted(c); });
    }
    // The end of that share of the time, if there is one.
    Deadline by(double share) const {
        if (!limits_.milliseconds) return {Deadline::Clock::time_point::max(), limits_.stop};
        return {begin_ + std::chrono::milliseconds(part_of_work(*limits_.milliseconds, share)), limits_.stop};
    }
    bool stopped(double share) {
        const bool cut = by(share).over();
        if (cut) result_.cut_off = true;
        return cut;
    }
    // Why something was not reached.
    Sentence reached_limit(double share) const { return by(share).over() ? out_of_time() : out_of_work(); }
    Sentence out_of_time() const { return asked(limits_.stop) ? Sentence{"interrupted", "中断のため"} : Sentence{"time", "時間が足りず"}; }
    static Sentence out_of_work() { return {"limit of work", "手間の上限に達し"}; }
    void tell(Sentence doing, std::size_t done, std::size_t of) const {
        if (progress_) progress_({std::move(doing), done, of});
    }

    Game game(int players, const Settings& settings) const {
        Diagnostics ignored;
        return check(syntax_, players, settings, ignored);
    }

    // ---- variants

    // The settings at hand with one option or reading otherwise.
    std::vector<Settings> with_one_other(const std::function<bool(const Offer&)>& is_meant) const {
        std::vector<Settings> all;
        for (const Offer& offer : offers(syntax_)) {
            if (limits_.settings.contains(offer.name) || !is_meant(offer)) continue;
            for (std::size_t v = 1; v < offer.values.size() && v < values_tried; ++v) {
                all.push_back(limits_.settings);
                all.back()[offer.name] = offer.values[v];
            }
        }
        return all;
    }

    void list_variations() {
        const PlayerRange range = playable_range(syntax_);
        low_ = limits_.low == 0 ? range.low : std::max(range.low, limits_.low);
        high_ = limits_.high == 0 ? range.high : std::min(range.high, limits_.high);
        for (int n = low_; n <= high_; ++n) add(n, limits_.settings, true);
        const auto is_reading = [](const Offer& offer) { return offer.reading; };
        const auto add_all = [&](const Settings& settings) {
            for (int n = low_; n <= high_; ++n) add(n, settings, false);
        };
        const std::vector<Settings> readings = with_one_other(is_reading);
        for (const Settings& reading : readings) add_all(reading);
        for (const Settings& option : with_one_other(std::not_fn(is_reading))) {
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
        const bool all =
            any_wanted({gap, void_duty, unresolved, conflict, end_race, endless, stall, dead, masked, chooser, view, count, degenerate});
        if (!all && !any_wanted({variant, modality})) return;
        if (!all || !limits_.others) std::erase_if(variations_, [](const Variation& v) { return !v.own; });
        std::atomic<std::size_t> next{0};
        std::atomic<std::size_t> done{0};
        const Deadline until = by(for_surveys);
        const auto own =
            static_cast<double>(std::count_if(variations_.begin(), variations_.end(), [](const Variation& v) { return v.own; }));
        const double wanted_shares = own * for_own_variant + (static_cast<double>(variations_.size()) - own) * for_other_variant;
        const double scale = std::min(1.0, for_surveys * players_at_a_time / std::max(wanted_shares, for_own_variant));
        const auto work = [&](unsigned, const std::stop_token& halt) {
            const auto stop = [&] { return halt.stop_requested() || until.over(); };
            for (std::size_t i = next++; i < variations_.size(); i = next++) {
                if (stop()) return;
                Variation& v = variations_[i];
                v.watched = compile_watched(game(v.players, v.settings));
                TestLimits l;
                l.games = v.own ? limits_.games : limits_.games / 4;
                l.work = part_of_work(limits_.work, scale * (v.own ? for_own_variant : for_other_variant));
                l.until = survey_until(v.own);
                l.seed = limits_.seed + i;
                v.tested = test_at_random(v.watched, l);
                v.done = true;
                ++done;
            }
        };
        work_together(std::max(1U, limits_.threads), work, [&] {
            tell({"playing", "遊んでいます"}, done, variations_.size());
            return !until.over();
        });
        std::size_t missed = 0;
        bool by_work = true;
        for (const Variation& v : variations_) {
            if (v.done && !v.tested.cut_off) continue;
            ++missed;
            by_work = by_work && v.tested.out_of_work;
        }
        if (missed == 0) return;
        result_.cut_off = true;
        const Sentence why = by_work ? out_of_work() : out_of_time();
        result_.limits.push_back(
            {fmt::format("{} of {} variants were not played as often as planned: {}", missed, variations_.size(), why.en),
             fmt::format("{} 通りのうち {} 通りは、{}予定の回数まで遊べなかった", variations_.size(), missed, why.ja)});
    }
    // A variant's own share of the time begins with it.
    Deadline survey_until(bool own) const {
        const Deadline all = by(for_surveys);
        if (!limits_.milliseconds) return all;
        const auto share = part_of_work(*limits_.milliseconds, own ? for_own_variant : for_other_variant);
        return {std::min(all.at(), Deadline::Clock::now() + std::chrono::milliseconds(share)), limits_.stop};
    }

    // What is told alike of several numbers of players, or again under other readings, is one finding.
    using Key = std::tuple<FindingClass, std::string, std::uint32_t, std::uint32_t, std::string>;
    static Key key_of(const Finding& f) {
        const Span span = f.spans.empty() ? Span{} : f.spans.front();
        return {f.what, f.rule, span.source, span.begin, f.title.en};
    }
    static bool better(const Finding& a, const Finding& b) {
        const auto measure = [](const Finding& f) {
            return std::tuple(f.settings.size(), f.witness ? f.witness->players : 99, f.witness ? f.witness->decisions : 0);
        };
        return measure(a) < measure(b);
    }
    void merge(std::map<Key, Finding>& into, Finding f) {
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
    static std::optional<Frequency> more_often(const std::optional<Frequency>& a, const std::optional<Frequency>& b) {
        if (!a || !b) return a ? a : b;
        return a->games * b->of >= b->games * a->of ? a : b;
    }

    void gather_sights() {
        std::map<Key, Finding> all;
        for (const bool own : {true, false}) {
            for (const Variation& v : variations_) {
                if (!v.done || v.own != own) continue;
                for (Finding& f : findings_of({v.watched, v.tested, v.players, v.settings})) {
                    if (!wanted(f.what)) continue;
                    // A setting that the file does not choose makes it a matter of that reading.
                    if (!own && all.contains(key_of(f)) && all.at(key_of(f)).settings == limits_.settings) continue;
                    merge(all, std::move(f));
                }
            }
        }
        for (auto& [key, f] : all) {
            if (f.witness && !show(f)) continue;
            result_.findings.push_back(std::move(f));
        }
    }

    // The log of the game and where it leads; false when it does not replay, which nobody should ever see.
    bool show(Finding& f) {
        const auto machine = compile(game(f.witness->players, f.witness->settings));
        const auto log = replayed(*machine, *f.witness);
        if (!log) {
            result_.limits.push_back({fmt::format("a game for `{}` could not be played again and is left out", f.rule),
                                      fmt::format("{} のゲームは再現できなかったので省いた", f.rule)});
            return false;
        }
        f.witness->log = *log;
        return true;
    }

    void gather_never() {
        if (!any_wanted({FindingClass::dead, FindingClass::masked, FindingClass::count, FindingClass::degenerate, FindingClass::endless}))
            return;
        std::map<Key, Finding> all;
        std::size_t counts = 0;
        for (const Variation& v : variations_) {
            if (!v.done || !v.own) continue;
            ++counts;
            for (Finding& f : never_of({v.watched, v.tested, v.players, v.settings})) merge(all, std::move(f));
        }
        for (const Variation& v : variations_) {
            if (!v.done || v.own || v.tested.cut_off) continue;
            for (Finding& f : never_of({v.watched, v.tested, v.players, v.settings}))
                if (f.what == FindingClass::masked && !all.contains(key_of(f))) merge(all, std::move(f));
        }
        for (auto& [key, f] : all) {
            if (!wanted(f.what)) continue;
            const bool own = f.settings == limits_.settings;
            const bool depends = f.what == FindingClass::degenerate || f.what == FindingClass::endless;
            if (depends && f.players.size() != counts) continue;  // with more players there is a choice, or it takes longer
            f.gravity = own && f.players.size() == counts && f.what == FindingClass::dead ? Gravity::warning : Gravity::note;
            f.text = {"No game came to it; that is no proof that none can.",
                      "どのゲームでも起こらなかった。起こりえないことの証明ではない。"};
            result_.findings.push_back(std::move(f));
        }
    }

    void gather_unsaid() {
        Store<ZoneId, std::uint8_t> left;
        for (const Variation& v : variations_) {
            if (!v.done || !v.own) continue;
            if (left.empty()) left.assign(v.tested.left.size(), 0);
            for (std::size_t z = 0; z < std::min(left.size(), v.tested.left.size()); ++z) left[z] |= v.tested.left[z];
        }
        const Game g = game(high_, limits_.settings);
        left.resize(g.zones.size(), 0);
        const auto take = [&](std::vector<Finding> findings) {
            for (Finding& f : findings)
                if (wanted(f.what)) result_.findings.push_back(std::move(f));
        };
        take(open_windows(g));
        take(unchecked_duties(g, left));
        take(all_holes());
        take(forgotten_things(syntax_));
        take(endless_loops(g));
    }

    // Those of the settings at hand, then what is only said under another option or reading.
    std::vector<Finding> all_holes() const {
        std::vector<Finding> all;
        std::vector<Settings> tried{limits_.settings};
        for (const Settings& other : with_one_other([](const Offer&) { return true; })) tried.push_back(other);
        for (const Settings& settings : tried) {
            for (Finding& f : admitted_holes(game(high_, settings), syntax_)) {
                if (std::any_of(all.begin(), all.end(), [&](const Finding& known) { return known.rule == f.rule; })) continue;
                if (settings != limits_.settings) f.settings = settings;
                all.push_back(std::move(f));
            }
        }
        return all;
    }

    // ---- readings and orders

    DifferLimits differ_limits(std::size_t comparisons) {
        DifferLimits l;
        l.games = std::max<std::uint64_t>(50, limits_.games / 8);
        l.states = 20'000;
        const double share = for_comparing / static_cast<double>(std::max<std::size_t>(1, comparisons));
        l.work = std::max(least_comparing, part_of_work(limits_.work, share));
        if (limits_.milliseconds) comparing_ms_ = std::max<std::uint64_t>(100, part_of_work(*limits_.milliseconds, share));
        l.seed = limits_.seed;
        return l;
    }
    Difference compare_within(const std::shared_ptr<const Machine>& a, const std::shared_ptr<const Machine>& b, DifferLimits limits) {
        limits.until = by(1);
        if (limits_.milliseconds)
            limits.until = {std::min(limits.until.at(), Deadline::Clock::now() + std::chrono::milliseconds(comparing_ms_)), limits_.stop};
        Difference d = compare(a, b, limits);
        comparing_.spend(d.work);
        return d;
    }
    // Whether there is no more to be compared with, by that share of the time.
    bool compared_enough(double share) {
        if (comparing_.gone()) result_.cut_off = true;
        return stopped(share) || comparing_.gone();
    }

    void compare_readings() {
        if (!any_wanted({FindingClass::variant, FindingClass::modality})) return;
        std::vector<std::pair<const Offer*, std::size_t>> pairs;
        const std::vector<Offer> all = offers(syntax_);
        for (const Offer& o : all)
            for (std::size_t v = 1; o.reading && !limits_.settings.contains(o.name) && v < o.values.size(); ++v) pairs.emplace_back(&o, v);
        const DifferLimits limits = differ_limits(pairs.size() * (high_ - low_ + 1));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            tell({"comparing readings", "読み方を比べています"}, i, pairs.size());
            if (compared_enough(for_surveys + for_comparing)) {
                const Sentence why = reached_limit(for_surveys + for_comparing);
                result_.limits.push_back(
                    {fmt::format("{} of {} pairs of readings were not compared: {}", pairs.size() - i, pairs.size(), why.en),
                     fmt::format("{} 組の読み方のうち {} 組は、{}比べられなかった", pairs.size(), pairs.size() - i, why.ja)});
                return;
            }
            compare_reading(*pairs[i].first, pairs[i].second, limits);
        }
    }

    // A reading that stands under an option makes no difference without it: then that option is taken.
    void compare_reading(const Offer& offer, std::size_t value, const DifferLimits& limits) {
        Finding f = compared(offer, value, limits_.settings, limits);
        if (f.verdict == Verdict::proved_absent) {
            for (const Settings& option : with_one_other([](const Offer& o) { return !o.reading; })) {
                Finding under = compared(offer, value, option, limits);
                if (under.verdict == Verdict::proved_absent) continue;
                f = std::move(under);
                f.settings = option;
                break;
            }
        }
        if (f.verdict != Verdict::found && asked(limits_.stop)) return;  // not every number of players was looked at
        if (wanted(f.what)) (f.verdict == Verdict::found ? result_.findings : result_.passed).push_back(std::move(f));
    }

    Finding compared(const Offer& offer, std::size_t value, const Settings& settings, const DifferLimits& limits) {
        Settings other = settings;
        other[offer.name] = offer.values[value];
        Finding f;
        f.rule = offer.name;
        f.id = offer.values[value];
        f.spans = {offer.span};
        f.what = FindingClass::variant;
        f.verdict = Verdict::proved_absent;
        f.method = FoundBy::exhaustive;
        Frequency winner;
        for (int n = low_; n <= high_ && !asked(limits_.stop); ++n) {
            const auto a = compile(game(n, settings));
            const auto b = compile(game(n, other));
            DifferLimits along = limits;
            for (const Variation& v : variations_)
                if (v.done && v.players == n && v.settings == settings) along.along = v.tested.far;
            const Difference d = compare_within(a, b, along);
            note_difference(f, d, n, *a, settings, offer.values[0], offer.values[value]);
            if (d.parting && d.winner_changes.games * std::max<std::uint64_t>(1, winner.of) >=
                                 winner.games * std::max<std::uint64_t>(1, d.winner_changes.of))
                winner = d.winner_changes;
            if (d.parting && is_modality(*a, *b, *d.parting)) f.what = FindingClass::modality;
        }
        const std::string ja = rule_text(game(high_, settings), offer.name, "ja");
        if (f.verdict == Verdict::found) {
            f.title = {offer.text.empty() ? "Two readings, and they differ" : offer.text,
                       ja.empty() ? "読み方が2つあり、結果が異なる" : ja};
            if (winner.games != 0)
                f.text = {fmt::format("The readings change the winner in {:.1f} % of random games.", percent(winner)),
                          fmt::format("ランダムなゲームの {:.1f} % で勝者が変わる。", percent(winner))};
            f.help = {"Decide, and say it in the rulebook; an example can settle it.",
                      "どちらかに決めてルールブックに書く。例を示してもよい。"};
        } else {
            f.title = {fmt::format("{}: {} and {} make no difference", offer.name, offer.values[0], offer.values[value]),
                       fmt::format("{}: {} と {} に違いはない", offer.name, offer.values[0], offer.values[value])};
        }
        return f;
    }
    static double percent(const Frequency& f) { return f.of == 0 ? 0 : ratio(100.0 * f.games, f.of); }

    void note_difference(Finding& f, const Difference& d, int players, const Machine& first, const Settings& settings,
                         const std::string& one, const std::string& other) {
        if (d.verdict == Verdict::found && d.parting) {
            f.players.push_back(players);
            f.frequency = more_often(f.frequency, d.parts);
            if (f.verdict == Verdict::found) return;
            f.verdict = Verdict::found;
            f.method = d.method;
            f.bound = d.bound;
            Witness w;
            w.players = players;
            w.settings = settings;
            w.moves = d.parting->moves;
            w.decisions = d.parting->decisions;
            if (const auto log = replayed(first, w)) {
                w.log = *log;
                f.witness = std::move(w);
            }
            f.outcomes = {{{one, one}, d.parting->first}, {{other, other}, d.parting->second}};
            for (const Span s : d.parting->spans)
                if (std::find(f.spans.begin(), f.spans.end(), s) == f.spans.end()) f.spans.push_back(s);
        } else if (f.verdict != Verdict::found) {
            f.players.push_back(players);
            if (d.verdict != Verdict::proved_absent) {
                f.verdict = d.verdict;
                f.method = d.method;
                f.bound = d.bound;
            }
        }
    }

    // One of them asks what the other obliges to.
    static bool is_modality(const Machine& a, const Machine& b, const Parting& p) {
        const auto kind = [](const Machine& m, const std::vector<std::uint64_t>& moves) {
            const auto run = make_run(std::shared_ptr<const Machine>(&m, [](const Machine*) {}));
            run->start();
            for (const std::uint64_t move : moves) {
                run->advance();
                run->apply(move);
            }
            const Node& n = run->advance();
            return std::pair(n.kind, n.seat);
        };
        const auto [x, seat] = kind(a, p.moves);
        const auto [y, other] = kind(b, p.other);
        return seat == other && x != y && (x == NodeKind::consent || y == NodeKind::consent) &&
               (x == NodeKind::choose || y == NodeKind::choose);
    }

    void compare_orders() {
        if (!wanted(FindingClass::order)) return;
        for (int n = low_; n <= high_; ++n) {
            const auto machine = compile(game(n, limits_.settings));
            const auto loops = loops_in_no_order(*machine);
            const DifferLimits limits = differ_limits(loops.size() * (high_ - low_ + 1) * 3);
            for (std::size_t i = 0; i < loops.size(); ++i) {
                tell({"trying other orders", "順番を変えて試しています"}, i, loops.size());
                if (compared_enough(for_surveys + for_comparing + 0.05)) {
                    const Sentence why = reached_limit(for_surveys + for_comparing + 0.05);
                    result_.limits.push_back(
                        {"other orders were not all tried: " + why.en, why.ja + "、順番の入れ替えをすべては試せなかった"});
                    for (auto& [at, f] : orders_)
                        if (f.verdict == Verdict::found) result_.findings.push_back(std::move(f));
                    return;
                }
                compare_order(*machine, machine, loops[i], n, limits);
            }
        }
        for (auto& [at, f] : orders_) (f.verdict == Verdict::found ? result_.findings : result_.passed).push_back(std::move(f));
        orders_.clear();
    }
    void compare_order(const Machine& m, const std::shared_ptr<const Machine>& machine, const OpenLoop& loop, int players,
                       const DifferLimits& limits) {
        const Statement& st = m.game.statements[loop.statement];
        const auto [at, added] = orders_.try_emplace({st.span.source, st.span.begin});
        Finding& f = at->second;
        if (added) {
            f.what = FindingClass::order;
            f.gravity = Gravity::error;
            f.verdict = Verdict::proved_absent;
            f.method = FoundBy::exhaustive;
            f.rule = place_of(m.game, loop.statement);
            f.spans = {st.span};
        }
        const Difference d = compare_within(machine, with_loop_reversed(m, loop.loop), limits);
        note_difference(f, d, players, m, limits_.settings, "P1, P2, …", "…, P2, P1");
        if (f.verdict == Verdict::proved_absent && players > 2) {  // of three players there are orders besides these two
            f.verdict = Verdict::not_found;
            f.method = FoundBy::bounded;
            f.bound = {"the order of the seats and its reverse", "席の順とその逆順"};
        }
        f.title = f.verdict == Verdict::found
                      ? Sentence{"No order is stated, and it makes a difference", "順番が書かれておらず、順番で結果が変わる"}
                      : Sentence{"The order does not matter", "順番によらない"};
        f.help = {"State the order: `each p clockwise from …`, or `simultaneously`.",
                  "順番（each p clockwise from … や simultaneously）を書く。"};
    }

    // Read otherwise: only those still playing, where the rules say all.
    void compare_scopes() {
        if (!wanted(FindingClass::scope)) return;
        const Game own = game(high_, limits_.settings);
        const auto machine = compile(own);
        for (const FactId fact :
             facts_that_end_a_part(machine, 100, limits_.seed, part_of_work(limits_.work, for_facts), by(for_surveys + for_comparing))) {
            const auto readings = scope_readings(syntax_, machine->game, fact);
            const DifferLimits limits = differ_limits(readings.size() * 4);
            for (std::size_t i = 0; i < readings.size(); ++i) {
                tell({"asking who is meant", "誰を指すのか調べています"}, i, readings.size());
                if (compared_enough(for_surveys + for_comparing + 0.08)) {
                    const Sentence why = reached_limit(for_surveys + for_comparing + 0.08);
                    result_.limits.push_back(
                        {"who is meant was not looked at everywhere: " + why.en, why.ja + "、誰を指すのかをすべては調べられなかった"});
                    return;
                }
                compare_scope(machine, readings[i], limits);
            }
        }
    }
    void compare_scope(const std::shared_ptr<const Machine>& machine, const ScopeReading& reading, const DifferLimits& limits) {
        Diagnostics errors;
        Game other = check(reading.syntax, high_, limits_.settings, errors);
        if (has_errors(errors)) return;
        Finding f;
        f.what = FindingClass::scope;
        f.gravity = Gravity::note;
        f.verdict = Verdict::proved_absent;
        f.method = FoundBy::exhaustive;
        f.rule = reading.rule;
        f.spans = {reading.span};
        note_difference(f, compare_within(machine, compile(std::move(other)), limits), high_, *machine, limits_.settings, reading.printed,
                        reading.instead);
        if (f.verdict != Verdict::found) return;
        f.title = {fmt::format("Who is meant by `{}`: also those who are out? It makes a difference", reading.printed),
                   fmt::format("{} とは誰のことか。抜けた人も含むのか。結果が変わる", reading.printed)};
        f.text = {fmt::format("Compared with `{}`.", reading.instead), fmt::format("{} と比べた。", reading.instead)};
        f.help = {"Say whether those who are out count.", "抜けた人を数えるのかを書く。"};
        result_.findings.push_back(std::move(f));
    }

    void read_examples() {
        if (!wanted(FindingClass::example)) return;
        for (Finding& f : settled_by_examples(syntax_, limits_.settings, limits_.stop))
            (f.verdict == Verdict::found ? result_.findings : result_.passed).push_back(std::move(f));
    }

    // ---- proofs

    void prove_all() {
        using enum FindingClass;
        if (!limits_.proofs || !any_wanted({gap, void_duty, unresolved, conflict, count, endless, chooser})) return;
        std::map<std::tuple<FindingClass, std::uint32_t, std::string>, Finding> all;
        for (int n = low_; n <= high_; ++n) {
            tell({"proving", "証明しています"}, n - low_, high_ - low_ + 1);
            const Game g = game(n, limits_.settings);
            const bool whole = walked(g, part_of_work(limits_.work, for_walk / static_cast<double>(high_ - low_ + 1)), by(1.0));
            if (!whole && stopped(1.0)) {
                const Sentence why = out_of_time();
                result_.limits.push_back({"not all promises were examined: " + why.en, why.ja + "、すべての約束は調べられなかった"});
                break;
            }
            for (const Obligation& o : prove(g, prove_limits(high_ - n + 1))) add_obligation(all, o, whole, n, g);
        }
        for (auto& [key, f] : all) {
            if (!wanted(f.what)) continue;
            const bool broken = std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& other) {
                return other.verdict == Verdict::found && !other.spans.empty() &&
                       (other.spans.front() == f.spans.front() || (other.what == f.what && lies_in(other.spans.front(), f.spans.front())));
            });
            if (!broken) result_.passed.push_back(std::move(f));
        }
    }
    void add_obligation(std::map<std::tuple<FindingClass, std::uint32_t, std::string>, Finding>& all, const Obligation& o, bool whole,
                        int players, const Game& g) const {
        const auto [at, added] = all.try_emplace({o.what, o.span.begin, o.title.en});
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
            f.bound = {fmt::format("{} games", limits_.games), fmt::format("{} ゲーム", limits_.games)};
        }
    }
    // With so many numbers of players left to prove.
    ProveLimits prove_limits(int numbers) const {
        ProveLimits limits;
        limits.work = std::min(limits_.proof_work, part_of_work(limits_.work, for_proofs / static_cast<double>(high_ - low_ + 1)));
        limits.stop = limits_.stop;
        if (!limits_.milliseconds) return limits;
        const auto whole = static_cast<double>(*limits_.milliseconds);
        const double spent = std::chrono::duration<double, std::milli>(Deadline::Clock::now() - begin_).count();
        const double share = std::max(0.02, 1.0 - spent / std::max(1.0, whole)) / numbers;
        limits.milliseconds = part_of_work(*limits_.milliseconds, share);
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
        for (Finding& f : accept(result_.findings, syntax_, limits_.only)) result_.findings.push_back(std::move(f));
        sort_findings(result_.findings);
        sort_findings(result_.passed);
        give_ids(result_.findings, limits_.settings);
    }

    const Syntax& syntax_;
    ValidateLimits limits_;
    const std::function<void(const ValidateProgress&)>& progress_;
    Deadline::Clock::time_point begin_;
    Work comparing_;
    std::uint64_t comparing_ms_ = 0;  // of one comparison, if there is a time
    int low_ = 0;
    int high_ = 0;
    std::vector<Variation> variations_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, Finding> orders_;
    Validation result_;
};

}  // namespace

Validation validate(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress) {
    return Validator(syntax, limits, progress).go();
}

}  // namespace houserule
