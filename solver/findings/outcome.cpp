#include "solver/findings/outcome.hpp"

#include "dsl/check/check.hpp"
#include "interpreter/log/line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace houserule {

namespace {

std::span<const std::byte> bytes(const TableView& run, std::uint32_t from, std::size_t count) { return run.state().subspan(from, count); }

bool same_bytes(const TableView& a, const TableView& b, std::uint32_t from, std::size_t count) {
    const auto x = bytes(a, from, count);
    return std::equal(x.begin(), x.end(), bytes(b, from, count).begin());
}

bool same_place(const TableView& a, const TableView& b, PlaceId place) {
    const Machine& m = a.machine();
    const std::size_t p = place;
    if (!same_bytes(a, b, m.layout.place[p], m.layout.words * 8)) return false;
    return m.layout.order[p] == 0 || (a.parts(place) == b.parts(place) && a.kinds_at(place) == b.kinds_at(place));
}

std::string fact_value(const TableView& run, FactId fact, std::int32_t index, const std::string& language) {
    const Game& game = run.machine().game;
    const Fact& f = game.facts[fact];
    if (run.fact(fact, index) == unset_value) return language == "ja" ? "値なし" : "no value";
    if (is_of_many(f.type)) {
        Type element = f.type;
        element.base = f.type.element;
        element.element = Base::nothing;
        return fmt::format("{{{}}}", values_text(game, element, run.fact_set(fact, index), language));
    }
    return value_name(game, f.type, run.fact(fact, index), language);
}

std::string place_value(const TableView& run, PlaceId place, const std::string& language) {
    const std::vector<KindId> kinds = run.kinds_at(place);
    if (kinds.empty()) return language == "ja" ? "空" : "empty";
    return faces_text(run.machine().game, kinds, true, language);
}

Sentence may_choose(const std::string& seat, const Sentence& what) {
    return {fmt::format("{} may choose {}", seat, what.en), fmt::format("{} は {} を選んでもよい", seat, what.ja)};
}

}  // namespace

bool same_node(Run& a, Run& b) {
    const Node& x = a.node();
    const Node& y = b.node();
    if (x.kind != y.kind || x.seat != y.seat || x.moves != y.moves || x.seats != y.seats) return false;
    if (x.kind == NodeKind::over) return a.in_front() == b.in_front() && a.scores() == b.scores() && a.payoffs() == b.payoffs();
    return x.step == y.step;
}

std::string seats_text(const std::vector<std::int32_t>& seats) {
    std::vector<std::string> names;
    for (const std::int32_t s : seats) names.push_back(seat_name(s));
    return fmt::format("{}", fmt::join(names, ", "));
}

Sentence named(const Game& game, const std::string& name) { return {label(game, name, "en"), label(game, name, "ja")}; }

Sentence join(const std::vector<Sentence>& parts, const char* between) {
    Sentence all;
    for (const Sentence& part : parts) {
        all.en += (all.en.empty() ? "" : between) + part.en;
        all.ja += (all.ja.empty() ? "" : between) + part.ja;
    }
    return all;
}

Sentence waits_for(Run& run) {
    const Node& n = run.node();
    const Machine& m = run.machine();
    const Game& game = m.game;
    const Step& s = m.code[std::max(StepId(0), n.step)];
    const std::string seat = n.seat >= 0 ? seat_name(n.seat) : "";
    switch (n.kind) {
        case NodeKind::choose: {
            const Sentence what = named(game, game.variables[s.a].name);
            // A log ends before somebody agrees to choose: that is one line with what is chosen.
            if ((s.mode & choice_optional) != 0) return may_choose(seat, what);
            return {fmt::format("{} chooses {} ({} possibilities)", seat, what.en, n.moves),
                    fmt::format("{} が {} を選ぶ（選択肢 {}）", seat, what.ja, n.moves)};
        }
        case NodeKind::consent:
            return may_choose(seat, named(game, game.variables[s.a].name));
        case NodeKind::ask: {
            const Sentence what = s.a == no_id ? Sentence{} : named(game, game.words[s.a]);
            return {fmt::format("{} may: {}", seat, what.en), fmt::format("{} はしてもよい: {}", seat, what.ja)};
        }
        case NodeKind::draw:
            return {"a card is drawn", "カードを引く"};
        case NodeKind::lot:
            return {"a lot is drawn", "くじを引く"};
        case NodeKind::report:
            return {"the table tells something", "卓が伝える"};
        case NodeKind::window: {
            const Sentence act = named(game, game.acts[s.a].name);
            return {fmt::format("anybody may: {}", act.en), fmt::format("誰でもしてよい: {}", act.ja)};
        }
        case NodeKind::failed:
            return {fmt::format("the rules break off: {}", text(game, run.failure())),
                    fmt::format("ルールが途切れる: {}", text(game, run.failure(), Language::ja))};
        case NodeKind::over:
            break;
    }
    const EndId end = run.ended();
    const Sentence how = end == no_id ? Sentence{"played to the end", "最後まで進んだ"} : named(game, game.ends[end].name);
    const auto front = run.in_front();
    const bool nobody = !front || front->empty();
    return {fmt::format("over: {}; {}", how.en,
                        nobody ? "nobody wins" : fmt::format("{} {}", seats_text(*front), front->size() > 1 ? "win" : "wins")),
            fmt::format("終わり: {}。{}", how.ja, nobody ? "勝者なし" : fmt::format("{} の勝ち", seats_text(*front)))};
}

std::pair<Sentence, Sentence> table_differences(const TableView& a, const TableView& b) {
    const Machine& m = a.machine();
    const Game& game = m.game;
    std::vector<Sentence> first;
    std::vector<Sentence> second;
    const auto add = [&](const auto& name, const auto& value) {
        first.push_back({fmt::format("{}: {}", name("en"), value(a, "en")), fmt::format("{}: {}", name("ja"), value(a, "ja"))});
        second.push_back({fmt::format("{}: {}", name("en"), value(b, "en")), fmt::format("{}: {}", name("ja"), value(b, "ja"))});
    };
    for (PlaceId p = 1; p < game.places; ++p) {
        if (same_place(a, b, p)) continue;
        add([&](const char* l) { return place_name(game, p, l); }, [&](const TableView& r, const char* l) { return place_value(r, p, l); });
    }
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            if (a.fact(f, i) == b.fact(f, i) && (!is_of_many(fact.type) || a.fact_set(f, i) == b.fact_set(f, i))) continue;
            const std::int32_t index = fact.by == IndexBy::nothing ? no_id : i;
            add([&](const char* l) { return fact_name(game, f, index, l); },
                [&](const TableView& r, const char* l) { return fact_value(r, f, i, l); });
        }
    }
    return {join(first), join(second)};
}

std::pair<Sentence, Sentence> outcome_differences(Run& a, Run& b) {
    auto [first, second] = table_differences(a, b);
    if (!same_node(a, b) || first.en.empty()) {
        first = first.en.empty() ? waits_for(a) : join({first, waits_for(a)});
        second = second.en.empty() ? waits_for(b) : join({second, waits_for(b)});
    }
    return {first, second};
}

}  // namespace houserule
