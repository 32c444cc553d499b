// The folder of compiled games: files that are trusted only if they are the user's own and whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace houserule {

// Made if it is not there. Nothing, and `why`, if it cannot be made, is no folder, is somebody else's, or others may write to it.
std::optional<std::filesystem::path> own_folder(const std::filesystem::path& folder, std::string& why);
// Whether it is a file of the user's to which nobody else may write, with the checksum that `seal` put at its end.
bool is_sealed(const std::filesystem::path& file);
bool seal(const std::filesystem::path& file);
// Removes the games that were used longest ago, until the others take no more than `most` bytes; and what was left lying half made.
void tidy_folder(const std::filesystem::path& folder, std::uint64_t most);
// It was used just now.
void touch(const std::filesystem::path& file);

}  // namespace houserule
