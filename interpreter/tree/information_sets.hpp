// How many histories each information set holds: a table of fingerprints.
#pragma once

#include "interpreter/tree/fingerprint.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace houserule {

class InformationSets {
public:
    explicit InformationSets(std::size_t seats) : by_seat_(seats), entries_(first_size) {}

    // `times` histories more in the set of that seat. False, with nothing added, when the table would need more than `room` bytes.
    bool add(std::size_t seat, Fingerprint set, std::uint64_t times, std::uint64_t room) {
        set.add(seat);
        Entry* e = find(set);
        if (e->histories == 0) {
            if (4 * (used_ + 1) > 3 * entries_.size()) {
                // The old table and one of twice the size stand side by side for a while.
                if (3 * bytes() > room) return false;
                grow();
                e = find(set);
            }
            e->set = set;
            ++used_;
            ++by_seat_[seat];
        }
        e->histories += times;
        return true;
    }
    std::uint64_t bytes() const { return entries_.size() * sizeof(Entry); }

    const std::vector<std::uint64_t>& by_seat() const { return by_seat_; }
    // How many sets hold so many histories.
    std::map<std::uint64_t, std::uint64_t> by_histories() const {
        std::map<std::uint64_t, std::uint64_t> sets;
        for (const Entry& e : entries_)
            if (e.histories != 0) ++sets[e.histories];
        return sets;
    }

private:
    struct Entry {
        Fingerprint set;
        std::uint64_t histories = 0;  // none: free
    };
    static constexpr std::size_t first_size = 1024;  // a power of two

    Entry* find(const Fingerprint& set) {
        const std::size_t mask = entries_.size() - 1;
        std::size_t i = set.a & mask;
        while (entries_[i].histories != 0 && !(entries_[i].set == set)) i = (i + 1) & mask;
        return &entries_[i];
    }
    void grow() {
        std::vector<Entry> old(2 * entries_.size());
        old.swap(entries_);
        for (const Entry& e : old)
            if (e.histories != 0) *find(e.set) = e;
    }

    std::vector<std::uint64_t> by_seat_;
    std::vector<Entry> entries_;
    std::size_t used_ = 0;
};

}  // namespace houserule
