// The piles of a run. What is known of a pile and how pieces move stands in pile_forms.hpp; here is what those ask who look at a table.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_forms.hpp"
#include "interpreter/engine/pile_forms.hpp"
#include "interpreter/machine/machine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace houserule {

template <int W>
class Piles : public PileForms<W, Layout> {
    using M = Mask<W>;

public:
    using PileForms<W, Layout>::PileForms;

    // All pieces there, bottom first; of a set, and of each part, ascending.
    std::vector<int> pieces(PlaceId place) const {
        std::vector<int> all;
        this->each_in_order(place, [&](int piece) { all.push_back(piece); });
        return all;
    }
    // How many pieces each part has, bottom first. Of a row one part a piece; of a set one part for all.
    std::vector<std::int32_t> parts(PlaceId place) const {
        const int n = this->size(place);
        if (n == 0) return {};
        if (!this->is_ordered(place)) return {n};
        if (!this->is_stack(place)) return std::vector<std::int32_t>(n, 1);
        const M marks = this->template get<M>(this->layout().marks[place]);
        std::vector<std::int32_t> sizes;
        for (int i = 0; i < n; ++i) {
            if (i == 0 || marks.has(i)) sizes.push_back(0);
            ++sizes.back();
        }
        return sizes;
    }
    // Where the pieces lie, ascending.
    std::vector<PlaceId> places_of(M pieces) const {
        std::vector<PlaceId> places;
        while (!pieces.empty()) places.push_back(this->where(pieces.pop()));
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        return places;
    }
    // Calls f(place, kinds) for these pieces place by place, so that the order of what is told reveals nothing; or `as_they_lie` there.
    template <typename F>
    void by_place(const M& what, const PieceForms<W>& forms, F f, bool as_they_lie = false) const {
        for (const PlaceId place : places_of(what)) {
            std::vector<std::int32_t> kinds;
            const auto add = [&](int piece) {
                if (what.has(piece)) kinds.push_back(forms.kind(piece));
            };
            if (as_they_lie)
                this->each_in_order(place, add);
            else
                (what & this->at(place)).each(add);
            f(place, std::move(kinds));
        }
    }
};

}  // namespace houserule
