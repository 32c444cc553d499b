#include "tests/random/generator/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace houserule::random_games {

Fraction::Fraction(std::int64_t n, std::int64_t d) {
    const std::int64_t common = std::gcd(n, d) * (d < 0 ? -1 : 1);
    over = n / common;
    under = d / common;
}

std::int64_t Fraction::floor() const { return over >= 0 ? over / under : -((-over + under - 1) / under); }

Fraction operator+(Fraction a, Fraction b) { return {a.over * b.under + b.over * a.under, a.under * b.under}; }
Fraction operator-(Fraction a, Fraction b) { return {a.over * b.under - b.over * a.under, a.under * b.under}; }
Fraction operator*(Fraction a, Fraction b) { return {a.over * b.over, a.under * b.under}; }

namespace {

std::string shown(Fraction f) { return f.under == 1 ? fmt::format("{}", f.over) : fmt::format("{}/{}", f.over, f.under); }

}  // namespace

std::string shown(const Value& value) {
    std::string text = value.one ? shown(*value.one) : "-";
    for (const Fraction& e : value.many) text += fmt::format(" {}", shown(e));
    for (const auto& [at, count] : value.cards) text += fmt::format(" {}@{}x{}", at.second, at.first, count);
    return text;
}

int count_of(const Cards& cards) {
    return std::accumulate(cards.begin(), cards.end(), 0, [](int sum, const auto& entry) { return sum + entry.second; });
}

Cards lying_at(const Table& table, int place) {
    Cards here;
    for (const int kind : table.piles.at(static_cast<std::size_t>(place))) ++here[{place, kind}];
    return here;
}

namespace {

int copies_at(const Table& table, int place, int kind) {
    if (place < 0) return table.unplaced.at(static_cast<std::size_t>(kind));
    const auto& pile = table.piles.at(static_cast<std::size_t>(place));
    return static_cast<int>(std::count(pile.begin(), pile.end(), kind));
}

}  // namespace

Cards joined(const Cards& a, const Cards& b, const Table& table) {
    Cards both = a;
    for (const auto& [at, count] : b) both[at] += count;
    for (auto& [at, count] : both) count = std::min(count, copies_at(table, at.first, at.second));
    return both;
}

Cards without(const Cards& a, const Cards& b) {
    Cards left;
    for (const auto& [at, count] : a) {
        const auto taken = b.find(at);
        const int now = count - (taken == b.end() ? 0 : taken->second);
        if (now > 0) left[at] = now;
    }
    return left;
}

Cards full_groups(const Cards& from, std::int64_t size, const std::function<Fraction(int kind)>& key) {
    if (size <= 0) throw BrokenPromise{};
    std::map<Fraction, Cards> alike;
    for (const auto& [at, count] : from) alike[key(at.second)][at] = count;
    Cards all;
    for (const auto& [value, group] : alike) {
        const int total = count_of(group);
        const Cards taken = any_of(group, total - total % size);
        all.insert(taken.begin(), taken.end());
    }
    return all;
}

Cards any_of(const Cards& from, std::int64_t wanted) {
    if (wanted < 0 || wanted > count_of(from)) throw BrokenPromise{};
    if (wanted == 0) return {};
    if (wanted == count_of(from)) return from;
    if (from.size() > 1) throw BrokenPromise{};  // which ones matters
    return {{from.begin()->first, static_cast<int>(wanted)}};
}

}  // namespace houserule::random_games
