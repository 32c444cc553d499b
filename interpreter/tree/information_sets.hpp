// The number of histories in each information set: a hash table keyed by fingerprints.
#pragma once

#include "interpreter/tree/fingerprint.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace houserule {

// One information set: who, and so many histories in it.
struct SetOfHistories {
    Fingerprint set;  // with the seat in its lowest bits
    std::uint64_t histories = 0;

    std::size_t seat() const { return set.b & seat_bits; }
    bool before(const SetOfHistories& other) const { return set.a != other.set.a ? set.a < other.set.a : set.b < other.set.b; }

    static constexpr std::uint64_t seat_bits = 15;
};

class InformationSets {
public:
    explicit InformationSets(std::size_t seats) : by_seat_(seats) {}

    // Adds `times` histories to an information set of the seat. False, with nothing added, if the table would need more than `room` bytes.
    bool add(std::size_t seat, Fingerprint set, std::uint64_t times, std::uint64_t room) {
        set.b = (set.b & ~SetOfHistories::seat_bits) | seat;
        // The old table and one of twice the size stand side by side for a while.
        const bool full = sets_.size() >= sets_.max_load();
        if (full && 3 * bytes() > room && !sets_.contains(set)) return false;
        const auto [entry, is_new] = sets_.try_emplace(set, 0);
        if (is_new) ++by_seat_[seat];
        entry->second += times;
        return true;
    }
    std::uint64_t bytes() const { return sets_.bucket_count() * bytes_of_slot; }

    const std::vector<std::uint64_t>& by_seat() const { return by_seat_; }
    // By number of histories, how many information sets have that many.
    std::map<std::uint64_t, std::uint64_t> by_histories() const {
        std::map<std::uint64_t, std::uint64_t> sets;
        for (const auto& [set, histories] : sets_) ++sets[histories];
        return sets;
    }

    // All of them, ordered by their fingerprints. Leaves none here.
    std::vector<SetOfHistories> take() {
        std::vector<SetOfHistories> all;
        all.reserve(sets_.size());
        for (const auto& [set, histories] : sets_) all.push_back({set, histories});
        sets_ = {};
        std::sort(all.begin(), all.end(), [](const SetOfHistories& a, const SetOfHistories& b) { return a.before(b); });
        return all;
    }

private:
    struct Hash {
        using is_avalanching = void;
        std::size_t operator()(const Fingerprint& set) const { return set.a; }
    };
    using Table = boost::unordered_flat_map<Fingerprint, std::uint64_t, Hash>;
    static constexpr std::uint64_t bytes_of_slot = sizeof(Table::value_type) + 2;  // with the table's own metadata, rounded up

    std::vector<std::uint64_t> by_seat_;
    Table sets_;
};

}  // namespace houserule
