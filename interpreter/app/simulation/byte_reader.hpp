// Reads a large file piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace houserule::cli {

class ByteReader {
public:
    // Nothing if there is no regular file that can be read.
    static std::optional<ByteReader> open(const std::string& path);
    ByteReader(ByteReader&&) noexcept;
    ByteReader& operator=(ByteReader&&) noexcept;
    ~ByteReader();

    std::uint64_t size() const { return size_; }
    // Up to the end of the line, which is left out; the rest of the file if it has none, and never more than `longest` bytes.
    std::string line(std::size_t longest);
    // False if there are not as many.
    bool fill(std::span<char> bytes);

private:
    struct File;
    ByteReader(std::unique_ptr<File> file, std::uint64_t size);

    std::unique_ptr<File> file_;
    std::uint64_t size_ = 0;
};

}  // namespace houserule::cli
