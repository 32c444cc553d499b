// Reads and writes the flat state of a run: values of fixed size at the offsets of a Layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace houserule {

template <typename T>
T read_bytes(const std::byte* state, std::uint32_t at) {
    T value;
    std::memcpy(&value, state + at, sizeof value);
    return value;
}

template <typename T>
void write_bytes(std::byte* state, std::uint32_t at, const T& value) {
    std::memcpy(state + at, &value, sizeof value);
}

}  // namespace houserule
