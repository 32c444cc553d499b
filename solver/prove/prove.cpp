#include "solver/prove/prove.hpp"

#include "solver/prove/prove_walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace houserule {

namespace {

// What only the order of events or who sees what can tell is shown by other means.
bool is_asked(Promise p) { return p != Promise::together && p != Promise::any_order && p != Promise::judged; }

// One per place of the text: a definition that is used twice is promised in both places, and proved if it is in both.
using TextPlace = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, Promise>;
TextPlace place_of(const PromiseSite& s) { return {s.span.source, s.span.begin, s.span.end, s.promise}; }

struct SitesShown {
    bool proved = true;
    bool asked = false;
};

// Whether any of the conditions is possible. Each by itself, by what is known of what it is about; where it was not decided whether all
// that is known can hold together, that part must, or anything would follow from it.
Answer is_possible(Walk& walk, const std::vector<Truth>& conditions, unsigned share, bool is_consistent) {
    Answer all = Answer::no;
    for (const Truth& condition : conditions) {
        if (walk.is_late()) return Answer::unknown;
        const auto session = walk.session_about(condition, share);
        Answer one = session->possible(condition);
        if (one == Answer::no && !is_consistent && session->possible() != Answer::yes) one = Answer::unknown;
        if (one == Answer::yes) return one;
        if (one == Answer::unknown) all = one;
        if (all == Answer::unknown && share > 1) return all;
    }
    return all;
}

// What is easy first, so that what is hard takes no time from it; what was shown before not at all. False when time ran out.
bool ask(Walk& walk, const std::vector<PromiseSite>& sites, const std::map<TextPlace, SitesShown>& before,
         std::map<TextPlace, SitesShown>& shown) {
    // What was assumed must be possible, or everything would follow from it.
    constexpr unsigned small_share = 10;
    const Answer together = walk.session(small_share)->possible();
    if (together == Answer::no) return true;
    std::vector<Answer> answers(sites.size(), Answer::unknown);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (before.contains(place_of(sites[i])))
            answers[i] = Answer::yes;
        else if (walk.broken(i).empty())
            answers[i] = Answer::no;
    }
    for (const unsigned share : {small_share, 1U})
        for (std::size_t i = 0; i < sites.size(); ++i)
            if (answers[i] == Answer::unknown) answers[i] = is_possible(walk, walk.broken(i), share, together == Answer::yes);
    bool complete = true;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        SitesShown& s = shown.try_emplace(place_of(sites[i])).first->second;
        s.proved = s.proved && answers[i] == Answer::no;
        s.asked = s.asked || !walk.broken(i).empty();
        complete = complete && answers[i] != Answer::unknown;
    }
    return complete;
}

}  // namespace

std::vector<Obligation> prove(const Game& game, const ProveLimits& limits) {
    std::vector<PromiseSite> sites = promise_sites(game);
    std::erase_if(sites, [](const PromiseSite& s) { return !is_asked(s.promise); });
    std::map<TextPlace, SitesShown> shown;
    const auto begin = Deadline::Clock::now();
    const auto by = [&](double share) {
        if (!limits.milliseconds) return Deadline::never(limits.stop);
        return Deadline(begin + std::chrono::milliseconds(part_of_work(*limits.milliseconds, share)), limits.stop);
    };
    std::uint64_t spent = 0;
    const auto work_by = [&](double share) {
        const std::uint64_t part = part_of_work(limits.work, share);
        return part > spent ? part - spent : 0;
    };
    // Three ways, by the share of the work and time when invariants, and when all, must be found: loops that begin anyhow, which takes
    // little and shows much; exactly; roughly. What any of them shows is shown.
    struct Way {
        bool rough;
        double invariants;
        double all;
    };
    for (const Way& way : {Way{true, 0.0, 0.25}, Way{false, 0.5, 0.75}, Way{true, 0.9, 1.0}}) {
        std::map<TextPlace, SitesShown> own;
        bool complete = true;
        Work work(work_by(way.all));
        try {
            Walk walk(game, sites, {by(way.all), &work, by(way.invariants), work_by(way.invariants), way.rough, limits.z3_steps});
            walk.take_game();
            complete = ask(walk, sites, shown, own);
        } catch (const OutOfTime&) {
            complete = false;
        } catch (const z3::exception&) {
            complete = false;  // interrupted, or out of memory
        }
        spent += work.spent();
        for (const auto& [place, s] : own)
            if (s.proved) shown.emplace(place, s);
        const bool all = std::all_of(sites.begin(), sites.end(), [&](const PromiseSite& s) { return shown.contains(place_of(s)); });
        if (all || (complete && !way.rough)) break;
    }
    std::map<TextPlace, Obligation> obligations;
    for (const PromiseSite& s : sites) {
        Obligation o;
        o.promise = s.promise;
        o.what = broken_class(s.promise);
        o.span = s.span;
        o.rule = s.rule;
        o.title = promise_words(s.promise);
        const auto known = shown.find(place_of(s));
        o.proved = known != shown.end();
        if (o.proved) o.method = known->second.asked ? FoundBy::smt : FoundBy::static_reading;
        obligations.emplace(place_of(s), std::move(o));
    }
    std::vector<Obligation> result;
    for (auto& [place, o] : obligations) result.push_back(std::move(o));
    return result;
}

}  // namespace houserule
