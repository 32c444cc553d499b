#include "interpreter/engine/subsets.hpp"

#include <algorithm>

namespace houserule {

void Subsets::set(const std::vector<std::int32_t>& copies, std::int32_t low, std::int32_t high) {
    std::int32_t all = 0;
    for (const std::int32_t c : copies) all += c;
    low = std::max(0, low);
    high = std::min(high, all);
    if (low == low_ && high == high_ && copies == copies_ && !ways_.empty()) return;  // as the last time
    copies_ = copies;
    low_ = low;
    high_ = high;
    ways_.clear();
    count_ = 0;
    if (low_ > high_) return;
    const std::size_t row = static_cast<std::size_t>(high_) + 1;
    ways_.assign((copies.size() + 1) * row, 0);
    ways_[copies.size() * row] = 1;
    for (std::size_t g = copies.size(); g-- > 0;) {
        for (std::int32_t s = 0; s <= high_; ++s) {
            std::uint64_t sum = 0;
            for (std::int32_t take = 0; take <= copies[g] && take <= s; ++take) sum = std::min(limit, sum + ways(g + 1, s - take));
            ways_[g * row + static_cast<std::size_t>(s)] = sum;
        }
    }
    for (std::int32_t s = low_; s <= high_; ++s) count_ = std::min(limit, count_ + ways(0, s));
}

void Subsets::unrank(std::uint64_t rank, std::vector<std::int32_t>& taken) const {
    std::int32_t size = low_;
    while (size < high_ && rank >= ways(0, size)) rank -= ways(0, size++);
    taken.assign(copies_.size(), 0);
    for (std::size_t g = 0; g < copies_.size(); ++g) {
        std::int32_t take = 0;
        while (take < copies_[g] && rank >= ways(g + 1, size - take)) rank -= ways(g + 1, size - take++);
        taken[g] = take;
        size -= take;
    }
}

std::uint64_t Subsets::rank(const std::vector<std::int32_t>& taken) const {
    std::int32_t size = 0;
    for (std::size_t g = 0; g < taken.size(); ++g) {
        if (taken[g] < 0 || taken[g] > copies_[g]) return count_;
        size += taken[g];
    }
    if (size < low_ || size > high_) return count_;
    std::uint64_t rank = 0;
    for (std::int32_t s = low_; s < size; ++s) rank += ways(0, s);
    for (std::size_t g = 0; g < taken.size(); ++g) {
        for (std::int32_t t = 0; t < taken[g]; ++t) rank += ways(g + 1, size - t);
        size -= taken[g];
    }
    return rank;
}

}  // namespace houserule
