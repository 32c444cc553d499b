#include "interpreter/app/simulation/byte_reader.hpp"

#include <filesystem>
#include <fstream>

namespace houserule::cli {

struct ByteReader::File {
    std::ifstream stream;
};

ByteReader::ByteReader(std::unique_ptr<File> file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
ByteReader::ByteReader(ByteReader&&) noexcept = default;
ByteReader& ByteReader::operator=(ByteReader&&) noexcept = default;
ByteReader::~ByteReader() = default;

std::optional<ByteReader> ByteReader::open(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    auto file = std::make_unique<File>();
    file->stream.open(path, std::ios::binary);
    if (error || !file->stream) return std::nullopt;
    return ByteReader(std::move(file), size);
}

std::string ByteReader::line(std::size_t longest) {
    std::string text;
    for (char c = 0; text.size() < longest && file_->stream.get(c) && c != '\n';) text += c;
    return text;
}

bool ByteReader::fill(std::span<char> bytes) { return !file_->stream.read(bytes.data(), std::ssize(bytes)).fail(); }

}  // namespace houserule::cli
