// The place of an enumerator in a table that has one entry for each of them, in their order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace houserule {

template <class E>
requires std::is_enum_v<E>
constexpr std::size_t index_of(E value) { return static_cast<std::size_t>(value); }

}  // namespace houserule
