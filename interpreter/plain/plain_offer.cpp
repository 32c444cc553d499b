#include "interpreter/plain/plain_offer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace houserule {

PlainOffer PlainOffer::range(Value low, Value high) {
    PlainOffer offer;
    offer.range_ = true;
    offer.low_ = low;
    offer.moves_ = high < low ? 0 : (high - low) + 1;
    return offer;
}

PlainOffer PlainOffer::one_of(std::vector<Value> things) {
    PlainOffer offer;
    offer.moves_ = things.size();
    offer.things_ = std::move(things);
    return offer;
}

PlainOffer PlainOffer::several_of(std::vector<Value> things, std::vector<Value> copies, Value low, Value high) {
    PlainOffer offer;
    offer.several_ = true;
    offer.low_ = std::max<Value>(0, low);
    offer.high_ = std::min(high, std::accumulate(copies.begin(), copies.end(), Value()));
    offer.things_ = std::move(things);
    offer.copies_ = std::move(copies);
    if (offer.low_ > offer.high_) return offer;
    offer.ways_.assign(offer.copies_.size() + 1, std::vector<std::uint64_t>(offer.high_ + 1, 0));
    offer.ways_.back()[0] = 1;
    for (std::size_t i = offer.copies_.size(); i-- > 0;)
        for (Value size = 0; size <= offer.high_; ++size)
            for (Value n = 0; n <= std::min(size, offer.copies_[i]); ++n)
                offer.ways_[i][size] = std::min(limit, offer.ways_[i][size] + offer.ways_[i + 1][size - n]);
    for (Value size = offer.low_; size <= offer.high_; ++size) offer.moves_ = std::min(limit, offer.moves_ + offer.ways(0, size));
    return offer;
}

std::uint64_t PlainOffer::ways(std::size_t from, Value size) const { return size < 0 || size > high_ ? 0 : ways_[from][size]; }

void PlainOffer::keep(std::vector<std::uint64_t> ranks) {
    moves_ = ranks.size();
    kept_ = std::move(ranks);
}

std::vector<Value> PlainOffer::taken(std::uint64_t move) const {
    if (kept_) move = kept_->at(move);
    Value size = low_;
    for (; move >= ways(0, size); ++size) move -= ways(0, size);
    std::vector<Value> taken;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
        Value n = 0;
        for (; move >= ways(i + 1, size - n); ++n) move -= ways(i + 1, size - n);
        taken.push_back(n);
        size -= n;
    }
    return taken;
}

std::uint64_t PlainOffer::rank(const std::vector<Value>& taken) const {
    Value size = std::accumulate(taken.begin(), taken.end(), Value());
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i] < 0 || taken[i] > copies_[i]) return moves_;
    if (size < low_ || size > high_) return moves_;
    std::uint64_t rank = 0;
    for (Value smaller = low_; smaller < size; ++smaller) rank += ways(0, smaller);
    for (std::size_t i = 0; i < taken.size(); ++i) {
        for (Value fewer = 0; fewer < taken[i]; ++fewer) rank += ways(i + 1, size - fewer);
        size -= taken[i];
    }
    if (kept_) return std::find(kept_->begin(), kept_->end(), rank) - kept_->begin();  // moves() if it was not kept
    return rank;
}

}  // namespace houserule
