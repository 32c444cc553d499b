// The index of an enumerator, for tables that have one entry per enumerator, in their order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace houserule {

template <class E>
requires std::is_enum_v<E>
constexpr std::size_t index_of(E value) { return static_cast<std::size_t>(value); }

}  // namespace houserule
