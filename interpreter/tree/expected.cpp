#include "interpreter/tree/expected.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace houserule {

using Fraction = boost::multiprecision::cpp_rational;

namespace {

constexpr std::size_t longest_number = 100'000;  // digits that are read

}  // namespace

struct Expected::Big {
    std::vector<Fraction> values;
};

Expected::Expected(std::size_t seats) : seats_(seats) {}
Expected::Expected(Expected&&) noexcept = default;
Expected& Expected::operator=(Expected&&) noexcept = default;
Expected::~Expected() = default;

void Expected::clear() {
    numerators_.fill(0);
    denominator_ = 1;
    big_.reset();
}

void Expected::grow() {
    if (big_ != nullptr) return;
    big_ = std::make_unique<Big>();
    for (std::size_t p = 0; p < seats_; ++p) big_->values.emplace_back(numerators_[p], denominator_);
}

// False, with nothing changed, when 64 bits are too few.
bool Expected::add_small(const std::int64_t* numerators, std::int64_t denominator, std::uint64_t weight) {
    if (std::cmp_greater(weight, std::numeric_limits<std::int64_t>::max())) return false;
    std::int64_t own = 1;  // to the common denominator
    std::int64_t others = weight;
    std::int64_t common = denominator_;
    if (denominator != denominator_) {
        const std::int64_t shared = std::gcd(denominator, denominator_);
        own = denominator / shared;
        if (__builtin_mul_overflow(denominator_, own, &common) || __builtin_mul_overflow(others, denominator_ / shared, &others))
            return false;
    }
    std::array<std::int64_t, most_seats> sums{};
    for (std::size_t p = 0; p < seats_; ++p) {
        std::int64_t a = 0;
        std::int64_t b = 0;
        if (__builtin_mul_overflow(numerators_[p], own, &a) || __builtin_mul_overflow(numerators[p], others, &b) ||
            __builtin_add_overflow(a, b, &sums[p]))
            return false;
    }
    numerators_ = sums;
    denominator_ = common;
    return true;
}

void Expected::add(std::span<const std::int32_t> values, std::uint64_t weight) {
    std::array<std::int64_t, most_seats> wide{};
    std::copy_n(values.begin(), std::min(values.size(), seats_), wide.begin());
    if (big_ == nullptr && add_small(wide.data(), 1, weight)) return;
    grow();
    for (std::size_t p = 0; p < seats_; ++p) big_->values[p] += Fraction(wide[p]) * weight;
}

void Expected::add(const Expected& other, std::uint64_t weight) {
    if (big_ == nullptr && other.big_ == nullptr && add_small(other.numerators_.data(), other.denominator_, weight)) return;
    grow();
    for (std::size_t p = 0; p < seats_; ++p)
        big_->values[p] += (other.big_ != nullptr ? other.big_->values[p] : Fraction(other.numerators_[p], other.denominator_)) * weight;
}

void Expected::divide(std::uint64_t by) {
    std::int64_t product = 0;
    const bool small = big_ == nullptr && std::cmp_less_equal(by, std::numeric_limits<std::int64_t>::max()) &&
                       !__builtin_mul_overflow(denominator_, static_cast<std::int64_t>(by), &product);
    if (!small) {
        grow();
        for (Fraction& v : big_->values) v /= by;
        return;
    }
    std::int64_t shared = product;
    for (std::size_t p = 0; p < seats_ && shared != 1; ++p) shared = std::gcd(shared, numerators_[p]);
    denominator_ = product / shared;
    for (std::size_t p = 0; p < seats_; ++p) numerators_[p] /= shared;
}

bool Expected::add(const std::vector<std::string>& fractions) {
    const auto is_number = [](std::string_view text) {
        return !text.empty() && text.size() < longest_number && text.find_first_not_of("0123456789") == text.npos && text[0] != '0';
    };
    std::vector<Fraction> values;
    for (const std::string& text : fractions) {
        const std::size_t slash = std::min(text.find('/'), text.size());
        const std::string_view above = std::string_view(text).substr(text[0] == '-' ? 1 : 0, slash - (text[0] == '-' ? 1 : 0));
        const bool whole = slash == text.size();
        if (text != "0" && (!is_number(above) || (!whole && !is_number(std::string_view(text).substr(slash + 1))))) return false;
        values.emplace_back(text);
    }
    if (values.size() != seats_) return false;
    grow();
    for (std::size_t p = 0; p < seats_; ++p) big_->values[p] += values[p];
    return true;
}

std::vector<std::string> Expected::fractions(std::int32_t scale) const {
    std::vector<std::string> texts;
    for (std::size_t p = 0; p < seats_; ++p) {
        const Fraction value = (big_ != nullptr ? big_->values[p] : Fraction(numerators_[p], denominator_)) / scale;
        texts.push_back(value.str());
    }
    return texts;
}

}  // namespace houserule
