#include "interpreter/app/simulation/asked.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace houserule::cli {

AskedRules rules_asked(const Machine& machine, const Loaded& loaded, const std::string& path) {
    const LogHead head = head_of(machine, std::nullopt);
    std::string text;
    for (const Source& source : loaded.sources) text += source.text();
    return {HOUSERULE_VERSION, path, head.game, *head.rules, fnv1a(text), head.players, head.settings};
}

std::string rules_difference(const AskedRules& a, const AskedRules& b) {
    if (a.version != b.version) return "--version";
    if (a.game != b.game || a.rules != b.rules || a.text != b.text) return "FILE";
    if (a.players != b.players) return "--players";
    return a.settings != b.settings ? "--set, --reading" : "";
}

void write_rules(const AskedRules& asked, nlohmann::ordered_json& to) {
    to.update({{"version", asked.version},
               {"file", asked.path},
               {"game", asked.game},
               {"rules", asked.rules},
               {"text", asked.text},
               {"players", asked.players},
               {"settings", asked.settings}});
}

void read_rules(const nlohmann::ordered_json& from, AskedRules& asked) {
    asked.version = from.at("version");
    asked.path = from.at("file");
    asked.game = from.at("game");
    asked.rules = from.at("rules");
    asked.text = from.at("text");
    asked.players = from.at("players");
    asked.settings = from.at("settings").get<std::map<std::string, std::string>>();
}

std::optional<PartNumber> read_part_number(const std::string& text, const Globals& g) {
    PartNumber part{0, 0};
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, part.number);
    const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = slash ? std::from_chars(first.ptr + 1, end, part.of) : std::from_chars_result{end, std::errc::invalid_argument};
    if (second.ec == std::errc() && second.ptr == end && part.number != 0 && part.number <= part.of) return part;
    err(say(g, Text::expected_part, text));
    return std::nullopt;
}

std::string checkpoint_file(const std::string& folder, std::uint64_t number, std::uint64_t of) {
    return (std::filesystem::path(folder) / fmt::format("{}-of-{}.part", number, of)).string();
}

}  // namespace houserule::cli
