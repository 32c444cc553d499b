// Typed ids (strong typedefs of an index): a RuleId is no ExpressionId, and none converts to an integer implicitly.
//
//   using RuleId = Id<struct RuleTag>;
//   Store<RuleId, Rule> rules;
//   const RuleId id = rules.add({…});   rules[id].name
//
// An id takes 32 bits and holds -1 when it refers to nothing (`no_id`). Conversion to and from integers is always explicit (`Id::value`,
// the constructor): it is needed where ids are values of the language, as the value of a card is the id of its kind.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace houserule {

// The id that refers to nothing; converts to every kind of id. As a value it is -1.
struct NoId {
    constexpr operator std::int32_t() const { return -1; }
};
inline constexpr NoId no_id{};

template <class Tag>
class Id {
public:
    constexpr Id() = default;
    constexpr Id(NoId) {}
    template <std::integral Number>
    constexpr explicit Id(Number value) : value_(static_cast<std::int32_t>(value)) {}

    // As a value of the language (a kind, a place), in a state or a log; -1 for none.
    constexpr std::int32_t value() const { return value_; }
    constexpr std::size_t index() const { return value_; }

    friend constexpr bool operator==(Id, Id) = default;
    friend constexpr auto operator<=>(Id, Id) = default;

    // Where ids follow each other: places of a zone, kinds of a family, steps.
    constexpr Id& operator++() { return ++value_, *this; }
    constexpr Id& operator--() { return --value_, *this; }
    friend constexpr Id operator+(Id id, std::int32_t n) { return Id(id.value_ + n); }
    friend constexpr Id operator-(Id id, std::int32_t n) { return Id(id.value_ - n); }
    friend constexpr std::int32_t operator-(Id a, Id b) { return a.value_ - b.value_; }

private:
    std::int32_t value_ = -1;
};

// An id whose kind is stated elsewhere: by the kind of a statement, by the operation of a step.
class Operand {
public:
    constexpr Operand() = default;
    constexpr Operand(NoId) {}
    template <class Tag>
    constexpr Operand(Id<Tag> id) : value_(id.value()) {}
    template <std::integral Number>
    constexpr explicit Operand(Number value) : value_(static_cast<std::int32_t>(value)) {}
    template <class Tag>
    constexpr operator Id<Tag>() const {
        return Id<Tag>(value_);
    }
    constexpr std::int32_t value() const { return value_; }

    friend constexpr bool operator==(Operand, Operand) = default;
    friend constexpr auto operator<=>(Operand, Operand) = default;
    friend constexpr bool operator==(Operand a, NoId) { return a.value_ == -1; }
    template <class Tag>
    friend constexpr bool operator==(Operand a, Id<Tag> b) {
        return a.value_ == b.value();
    }

private:
    std::int32_t value_ = -1;
};

// The ids 0 … count - 1, for loops.
template <class Key>
class Ids {
public:
    template <std::integral Number>
    explicit Ids(Number count) : end_(count) {}

    class Iterator {
    public:
        explicit Iterator(Key at) : at_(at) {}
        Key operator*() const { return at_; }
        Iterator& operator++() { return ++at_, *this; }
        bool operator==(const Iterator&) const = default;

    private:
        Key at_;
    };
    Iterator begin() const { return Iterator(Key(0)); }
    Iterator end() const { return Iterator(end_); }

private:
    Key end_;
};

// A vector indexed by ids of one kind; neither ids of other kinds nor 32-bit values index it. A `size_t` does, for loops over all of it.
template <class Key, class T>
class Store : public std::vector<T> {
    using Vector = std::vector<T>;

public:
    using Vector::Vector;

    typename Vector::reference operator[](Key id) { return Vector::operator[](id.index()); }
    typename Vector::const_reference operator[](Key id) const { return Vector::operator[](id.index()); }
    template <std::same_as<std::size_t> Number>
    typename Vector::reference operator[](Number i) {
        return Vector::operator[](i);
    }
    template <std::same_as<std::size_t> Number>
    typename Vector::const_reference operator[](Number i) const {
        return Vector::operator[](i);
    }

    Key add(T thing) {
        this->push_back(std::move(thing));
        return last();
    }
    Key next() const { return Key(this->size()); }  // the id of what is added next
    Key last() const { return Key(this->size()) - 1; }
    bool has(Key id) const { return id.index() < this->size(); }
    Ids<Key> ids() const { return Ids<Key>(this->size()); }
    // The id of an element of this store, by its address.
    Key id_of(const T& thing) const { return Key(&thing - this->data()); }
};

static_assert(sizeof(Id<struct AnyTag>) == 4 && std::is_trivially_copyable_v<Id<struct AnyTag>>);
static_assert(!std::is_convertible_v<std::int32_t, Id<struct AnyTag>> && !std::is_convertible_v<std::size_t, Id<struct AnyTag>>);
static_assert(!std::is_constructible_v<std::int32_t, Id<struct AnyTag>> && !std::is_constructible_v<std::size_t, Id<struct AnyTag>>);
static_assert(!std::is_constructible_v<bool, Id<struct AnyTag>> && !std::is_constructible_v<Id<struct OtherTag>, Id<struct AnyTag>>);
static_assert(!std::is_convertible_v<std::int32_t, Operand> && !std::is_constructible_v<std::int32_t, Operand>);

}  // namespace houserule

template <class Tag>
struct std::hash<houserule::Id<Tag>> {
    std::size_t operator()(houserule::Id<Tag> id) const { return std::hash<std::int32_t>()(id.value()); }
};
