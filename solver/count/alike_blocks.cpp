#include "solver/count/alike_blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace houserule {

namespace {

// More would hardly be independent, and a solution takes as many steps squared.
constexpr std::size_t choices_most = 24;

}  // namespace

std::optional<AlikeBlocks> AlikeBlocks::of(std::size_t blocks, Choices choices) {
    if (choices.empty() || choices.size() > choices_most) return std::nullopt;
    AlikeBlocks alike;
    alike.blocks_ = blocks;
    alike.choices_ = std::move(choices);
    const std::size_t n = alike.choices_.size();
    const std::size_t sums = alike.choices_.front().adds.size();
    const auto entry = [&](std::size_t row, std::size_t choice) {
        return row == sums ? std::int32_t{1} : alike.choices_[choice].adds[row];
    };
    // Rows that are independent of those before them, by elimination; the number of blocks first.
    std::vector<std::vector<Rational>> reduced;
    std::vector<std::vector<Rational>> square;
    for (std::size_t i = 0; i <= sums && reduced.size() < n; ++i) {
        const std::size_t row = i == 0 ? sums : i - 1;
        std::vector<Rational> own;
        for (std::size_t c = 0; c < n; ++c) own.emplace_back(entry(row, c));
        const std::vector<Rational> plain = own;
        for (const auto& r : reduced) {
            const std::size_t pivot = std::find_if(r.begin(), r.end(), [](const Rational& x) { return x != 0; }) - r.begin();
            const Rational times = own[pivot] / r[pivot];
            if (times == 0) continue;
            for (std::size_t c = 0; c < n; ++c) own[c] -= times * r[c];
        }
        if (std::all_of(own.begin(), own.end(), [](const Rational& x) { return x == 0; })) continue;
        reduced.push_back(std::move(own));
        square.push_back(plain);
        alike.rows_.push_back(row);
    }
    if (reduced.size() < n || !alike.invert(square)) return std::nullopt;
    alike.factorials_.emplace_back(1);
    for (std::size_t i = 1; i <= blocks; ++i) alike.factorials_.push_back(alike.factorials_.back() * i);
    return alike;
}

// By Gauss and Jordan. False when its numbers are too large for short ones.
bool AlikeBlocks::invert(const std::vector<std::vector<Rational>>& square) {
    const std::size_t n = square.size();
    std::vector<std::vector<Rational>> both = square;
    for (std::size_t r = 0; r < n; ++r) {
        both[r].resize(2 * n, Rational(0));
        both[r][n + r] = 1;
    }
    for (std::size_t p = 0; p < n; ++p) {
        const auto pivot = std::find_if(both.begin() + p, both.end(), [&](const auto& row) { return row[p] != 0; });
        std::swap(both[p], *pivot);
        const Rational by = both[p][p];
        for (Rational& x : both[p]) x /= by;
        for (std::size_t r = 0; r < n; ++r) {
            const Rational times = both[r][p];
            if (r == p || times == 0) continue;
            for (std::size_t c = 0; c < 2 * n; ++c) both[r][c] -= times * both[p][c];
        }
    }
    Integer common = 1;
    for (const auto& row : both)
        for (std::size_t c = n; c < 2 * n; ++c) common = lcm(common, denominator(row[c]));
    const Integer most = std::numeric_limits<std::int32_t>::max();
    if (common > most) return false;
    denominator_ = common.convert_to<std::int64_t>();
    for (const auto& row : both) {
        auto& own = inverse_.emplace_back();
        for (std::size_t c = n; c < 2 * n; ++c) {
            const Integer x = numerator(Rational(row[c] * Rational(common)));
            if (abs(x) > most) return false;
            own.push_back(x.convert_to<std::int64_t>());
        }
    }
    return true;
}

std::vector<std::int32_t> AlikeBlocks::times(const std::vector<std::int32_t>& missing) const {
    const std::int64_t blocks = blocks_;
    std::vector<std::int64_t> right;
    for (const std::size_t row : rows_) right.push_back(row == missing.size() ? blocks : missing[row]);
    std::vector<std::int32_t> times;
    for (const auto& row : inverse_) {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < row.size(); ++c) sum += row[c] * right[c];
        if (sum < 0 || sum % denominator_ != 0 || sum / denominator_ > blocks) return {};
        times.push_back(sum / denominator_);
    }
    // The other equations must hold, too.
    for (std::size_t s = 0; s < missing.size(); ++s) {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < times.size(); ++c) sum += std::int64_t{choices_[c].adds[s]} * times[c];
        if (sum != missing[s]) return {};
    }
    return times;
}

Integer AlikeBlocks::weight(const std::vector<std::int32_t>& times) const {
    std::size_t blocks = 0;
    Integer below = 1;
    Integer weights = 1;
    for (std::size_t c = 0; c < times.size(); ++c) {
        blocks += times[c];
        below *= factorials_[times[c]];
        if (choices_[c].weight != 1) weights *= pow(choices_[c].weight, times[c]);
    }
    return factorials_[blocks] / below * weights;
}

}  // namespace houserule
