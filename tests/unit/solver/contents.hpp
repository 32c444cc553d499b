// What really lies where, and whether what is known of a table allows it.
#pragma once

#include "interpreter/log/view.hpp"
#include "interpreter/run/run.hpp"
#include "solver/deduce/deduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace houserule::testing {

using Contents = std::map<PlaceId, std::vector<KindId>>;  // ascending

// What lies where, carried along by what happens.
class Following {
public:
    void add(const Event& e) {
        const bool out_of_box = e.kind == EventKind::begins && e.to != no_id;
        if (e.kind == EventKind::begins && e.name == no_id && !out_of_box) contents_.clear();
        if (!out_of_box && e.kind != EventKind::draw && e.kind != EventKind::move) return;
        for (const KindId k : e.pieces) {
            if (!out_of_box) {
                auto& from = contents_[e.from];
                if (const auto at = std::find(from.begin(), from.end(), k); at != from.end()) from.erase(at);
            }
            auto& to = contents_[e.to];
            to.insert(std::upper_bound(to.begin(), to.end(), k), k);
        }
    }
    const Contents& contents() const { return contents_; }

private:
    Contents contents_;
};

inline std::vector<KindId> at(const Contents& contents, PlaceId place) {
    const auto found = contents.find(place);
    return found == contents.end() ? std::vector<KindId>{} : found->second;
}

inline Contents contents_of(const TableView& run) {
    Contents all;
    for (PlaceId p = 1; p < run.machine().game.places; ++p) {
        std::vector<KindId> kinds = run.kinds_at(p);
        std::sort(kinds.begin(), kinds.end());
        if (!kinds.empty()) all[p] = std::move(kinds);
    }
    return all;
}

// What is wrong with what is known, if this lies there; nothing if all is right.
inline std::string wrong_of_cards(const Game& game, const Knowledge& known, const Contents& truth) {
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;
        const std::vector<KindId> kinds = at(truth, thing.place);
        if (thing.size != static_cast<Value>(kinds.size())) return place_name(game, thing.place) + ": another size";
        for (const Possibility& p : thing.values) {
            const auto copies = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), p.value));
            const std::string where = fmt::format("{}: {} of {}", place_name(game, thing.place), copies, kind_text(game, p.value));
            if (copies > 0 && p.possible == Answer::no) return where + ", called impossible";
            if (copies == 0 && p.certain == Answer::yes) return where + ", called certain";
            if (known.method == Method::exact && (copies >= p.weights.size() || p.weights[copies] == 0)) return where + ", no weight";
        }
    }
    return "";
}

}  // namespace houserule::testing
