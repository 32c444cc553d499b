#include "tests/naive/deduce.hpp"

#include <algorithm>
#include <optional>

namespace houserule::testing {

namespace {

bool sees(const Game& game, Seers seers, IndexBy by, std::int32_t index, int seat) {
    const bool owner = by == IndexBy::player && index == seat && seat < game.players;
    switch (seers) {
        case Seers::all:
            return true;
        case Seers::owner:
            return owner;
        case Seers::others:
            return !owner;
        case Seers::nobody:
            return false;
    }
    return false;
}

// How far the events of a way have been compared with the view.
struct Compared {
    std::size_t events = 0;  // so many recorded ones
    std::size_t seen = 0;    // are so many of the view
};

// A way so far: how often it counts, and what fell.
struct Way {
    Sum counts{1, 1, 1};
    std::vector<std::int32_t> dealt;
    Weight deal = 1;
};

class Search {
public:
    Search(Run& run, const View& view, Cut cut, bool past_lots, std::uint64_t limit, const AtCut& at_cut)
        : run_(run), view_(view), cut_(cut), past_lots_(past_lots), limit_(limit), at_cut_(at_cut) {}

    Deduced all() {
        run_.record(&events_);
        run_.ask_forced(true);
        run_.start();
        below({}, {});
        run_.record(nullptr);
        return std::move(result_);
    }

private:
    enum class Fit { no, so_far, whole };

    void below(Compared compared, const Way& way);
    void each_answer(const Node& node, Compared compared, const Way& way);
    void end_here(const Way& way);
    Fit compare(Compared& compared) const;
    std::optional<std::size_t> matched(std::size_t from_event, std::size_t seen, bool own_only) const;
    bool is_cut(const Node& node);
    bool noticed_after(std::uint64_t move, const std::vector<std::byte>& state, std::size_t happened);
    void go_to(const std::vector<std::byte>& state, std::size_t happened);
    std::vector<std::size_t> games_begun() const;
    std::vector<std::int32_t> offered(const Node& node) const;
    std::uint64_t ways_to_pick(const Node& node, const std::vector<std::int32_t>& offered) const;
    std::vector<std::byte> state() const {
        const auto here = run_.state();
        return {here.begin(), here.end()};
    }
    // Of a window, the subsets of those who may act; else all.
    static bool is_move(const Node& node, std::uint64_t move) {
        return node.kind != NodeKind::window || (move & ~std::uint64_t{node.seats}) == 0;
    }

    Run& run_;
    const View& view_;
    Cut cut_;
    bool past_lots_;
    std::uint64_t limit_;
    const AtCut& at_cut_;
    Events events_;
    Deduced result_;
};

void Search::below(Compared compared, const Way& way) {
    const Node node = run_.advance();
    const Fit fit = compare(compared);
    if (fit == Fit::no) return;
    if (result_.nodes == limit_) {
        result_.complete = false;
        return;
    }
    ++result_.nodes;
    if (node.kind == NodeKind::failed) {
        ++result_.broken;
        return;
    }
    if (fit == Fit::whole && (view_.head.question ? question_to(run_, view_.seat) == view_.head.question : is_cut(node)))
        end_here(way);
    else
        each_answer(node, compared, way);
}

void Search::end_here(const Way& way) {
    const World world = world_of(run_, view_.seat);
    if (at_cut_) at_cut_(run_, way.counts, games_begun());
    for (Sum* sum : {&result_.all, &result_.worlds[world]}) {
        sum->histories += way.counts.histories;
        sum->weight += way.counts.weight;
        sum->uniform += way.counts.uniform;
    }
    Deal& deal = result_.deals[way.dealt];
    deal.weight = way.deal;
    deal.worlds.insert(world);
}

// After how many lines that the seat noticed each game of a match began.
std::vector<std::size_t> Search::games_begun() const {
    std::vector<std::size_t> begun;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const Event& e = events_[i];
        if (e.kind != EventKind::begins || e.name != no_id || !e.pieces.empty()) continue;
        const Events before(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(i));
        begun.push_back(view_of(run_.machine(), view_.head, before, view_.seat).events.size());
    }
    return begun;
}

void Search::each_answer(const Node& node, Compared compared, const Way& way) {
    if (node.kind == NodeKind::over) return;
    const std::vector<std::byte> here = state();
    const std::size_t happened = events_.size();
    const bool chance = node.kind == NodeKind::draw || node.kind == NodeKind::lot;
    const bool falls = node.kind == NodeKind::lot || (node.kind == NodeKind::draw && run_.machine().code[node.step].mode != 1);
    const bool decides = node.kind == NodeKind::choose || node.kind == NodeKind::consent || node.kind == NodeKind::ask;
    std::uint64_t weights = 0;
    for (std::uint64_t move = 0; chance && move < node.moves; ++move) weights += run_.outcome_weight(move);
    for (std::uint64_t move = 0; move < node.moves && result_.complete; ++move) {
        if (!is_move(node, move)) continue;
        go_to(here, happened);
        std::uint64_t copies = 1;
        if (node.kind == NodeKind::draw)
            while (move + 1 < node.moves && run_.meaning(move + 1).values == run_.meaning(move).values) ++move, ++copies;
        const Weight weight = chance ? Weight(copies * run_.outcome_weight(move), weights) : Weight(1);
        Way next = way;
        if (falls) {
            // Equal cards among which a lot falls are one deal.
            const std::vector<std::int32_t> what = run_.meaning(move).values;
            std::uint64_t all_of_it = 0;
            for (std::uint64_t other = 0; other < node.moves; ++other)
                if (run_.meaning(other).values == what) all_of_it += run_.outcome_weight(other);
            next.dealt.push_back(what[0]);
            next.deal *= Weight(all_of_it, weights);
        }
        const std::vector<std::int32_t> pieces = offered(node);
        run_.apply(move);
        const std::uint64_t picks = node.kind == NodeKind::choose ? ways_to_pick(node, pieces) : 1;
        next.counts.histories *= copies * picks;
        next.counts.weight *= weight * picks;
        next.counts.uniform *= decides ? Weight(1, node.moves) : weight;
        below(compared, next);
    }
}

// The pieces from which cards are chosen at the node.
std::vector<std::int32_t> Search::offered(const Node& node) const {
    const Step& s = run_.machine().code[node.step];
    if (node.kind != NodeKind::choose || (s.mode & choice_range) != 0) return {};
    if (run_.machine().game.expressions[s.y].type.base != Base::cards) return {};
    return run_.elements(s.y).value_or(std::vector<std::int32_t>{});
}

// In how many ways the cards that were just chosen, and have not moved yet, could have been picked from those that were offered.
std::uint64_t Search::ways_to_pick(const Node& node, const std::vector<std::int32_t>& offered) const {
    const Game& game = run_.machine().game;
    const VariableId variable = run_.machine().code[node.step].a;
    const Base base = game.variables[variable].type.base;
    if (base != Base::card && base != Base::cards) return 1;
    std::map<std::pair<PlaceId, KindId>, std::uint64_t> picked;
    for (const std::int32_t piece : base == Base::card ? std::vector{run_.variable(variable)} : run_.variable_set(variable))
        ++picked[{run_.place_of(piece), game.piece_kind[piece]}];
    std::uint64_t paths = 1;
    for (const auto& [which, n] : picked) {
        const auto copies = static_cast<std::uint64_t>(std::count_if(offered.begin(), offered.end(), [&, of = which](std::int32_t piece) {
            return run_.place_of(piece) == of.first && game.piece_kind[piece] == of.second;
        }));
        for (std::uint64_t i = 0; i < n; ++i) paths = paths * (copies - i) / (i + 1);
    }
    return paths;
}

void Search::go_to(const std::vector<std::byte>& state, std::size_t happened) {
    run_.set_state(state);
    events_.resize(happened);
    run_.advance();
}

// The events from this one on, as they were noticed, against the view: how many of it have been met then; nothing when one is not in it.
std::optional<std::size_t> Search::matched(std::size_t from_event, std::size_t seen, bool own_only) const {
    for (std::size_t i = from_event; i < events_.size(); ++i) {
        if (own_only && events_[i].seat != view_.seat) continue;
        const std::optional<Event> e = noticed(events_[i], view_.seat);
        if (!e) continue;
        if (seen == view_.events.size() || !can_mean(view_, seen, *e)) return std::nullopt;
        ++seen;
    }
    return seen;
}

// What was chosen together with others is heard of when all have chosen: in the order of the seats, and of their own choice each seat
// knows before.
Search::Fit Search::compare(Compared& compared) const {
    const std::size_t known = settled(events_);
    for (; compared.events < known; ++compared.events) {
        const std::optional<Event> e = noticed(events_[compared.events], view_.seat);
        if (!e) continue;
        if (compared.seen == view_.events.size() || !can_mean(view_, compared.seen, *e)) return Fit::no;
        ++compared.seen;
    }
    const auto own = matched(known, compared.seen, true);
    if (own == view_.events.size()) return Fit::whole;
    return own || matched(known, compared.seen, false) ? Fit::so_far : Fit::no;
}

bool Search::is_cut(const Node& node) {
    if (node.kind == NodeKind::over || node.seat == view_.seat) return true;
    if (cut_ == Cut::last_seen) return !past_lots_ || !is_unseen_lot(run_, view_.seat);
    const std::vector<std::byte> here = state();
    const std::size_t happened = events_.size();
    bool found = false;
    for (std::uint64_t move = 0; move < node.moves && !found; ++move) found = is_move(node, move) && noticed_after(move, here, happened);
    go_to(here, happened);
    return found;
}

bool Search::noticed_after(std::uint64_t move, const std::vector<std::byte>& state, std::size_t happened) {
    go_to(state, happened);
    run_.apply(move);
    run_.advance();
    const std::size_t known = settled(events_);
    for (std::size_t i = happened; i < events_.size(); ++i)
        if ((i < known || events_[i].seat == view_.seat) && noticed(events_[i], view_.seat)) return true;
    return false;
}

}  // namespace

World world_of(const TableView& run, int seat) {
    const Game& game = run.machine().game;
    World world;
    for (const Zone& zone : game.zones) {
        for (std::int32_t i = 0; i < zone.places; ++i) {
            if (sees(game, zone.seers, zone.by, i, seat)) continue;
            const std::vector<KindId> kinds = run.kinds_at(zone.first_place + i);
            std::vector<std::vector<KindId>>& parts = world.places[zone.first_place + i];
            auto next = kinds.begin();
            for (const std::int32_t size : run.parts(zone.first_place + i)) {
                parts.emplace_back(next, next + size);
                std::sort(parts.back().begin(), parts.back().end());
                next += size;
            }
        }
    }
    // Those that the seat sees, too: when a later game of a match sets them anew, nobody is told.
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i)
            world.facts[{f, i}] = fact.type.base == Base::set ? run.fact_set(f, i) : std::vector<std::int32_t>{run.fact(f, i)};
    }
    return world;
}

std::map<std::size_t, Share> copies_at(const Deduced& deduced, PlaceId place, KindId kind) {
    std::map<std::size_t, Share> shares;
    for (const auto& [world, sum] : deduced.worlds) {
        std::size_t n = 0;
        for (const std::vector<KindId>& part : world.places.at(place))
            n += static_cast<std::size_t>(std::count(part.begin(), part.end(), kind));
        Share& share = shares[n];
        ++share.worlds;
        share.sum.histories += sum.histories;
        share.sum.weight += sum.weight;
        share.sum.uniform += sum.uniform;
    }
    return shares;
}

Weight all_deals(const Deduced& deduced) {
    Weight sum = 0;
    for (const auto& [dealt, deal] : deduced.deals) sum += deal.weight;
    return sum;
}

Weight deals_with(const Deduced& deduced, PlaceId place, KindId kind) {
    Weight sum = 0;
    for (const auto& [dealt, deal] : deduced.deals) {
        const bool can_be = std::any_of(deal.worlds.begin(), deal.worlds.end(), [&](const World& world) {
            const auto& parts = world.places.at(place);
            return std::any_of(parts.begin(), parts.end(),
                               [&](const auto& part) { return std::find(part.begin(), part.end(), kind) != part.end(); });
        });
        if (can_be) sum += deal.weight;
    }
    return sum;
}

Deduced deduce(Run& run, const View& view, Cut cut, std::uint64_t node_limit, const AtCut& at_cut) {
    // Where more is noticed after every such lot, it has not fallen yet.
    Deduced found = Search(run, view, cut, true, node_limit, at_cut).all();
    const bool is_none = cut == Cut::last_seen && found.complete && found.all.histories == 0;
    return is_none ? Search(run, view, cut, false, node_limit, at_cut).all() : found;
}

}  // namespace houserule::testing
