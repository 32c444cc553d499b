// What all parts say of the rules, so that only parts of the same rules are added up; and the number of a part, `K/N`.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace houserule::cli {

struct AskedRules {
    std::string version;  // of the program
    std::string path;     // of the rules, as it was given; another one may lead to them elsewhere
    std::string game;
    std::uint64_t rules = 0;  // the hash of the rules, and that of all texts that they were read from
    std::uint64_t text = 0;
    int players = 0;
    std::map<std::string, std::string> settings;  // options and readings
};
AskedRules rules_asked(const Machine& machine, const Loaded& loaded, const std::string& path);
// The first thing in which two differ, in the words of the command line: `--players`; empty: nothing.
std::string rules_difference(const AskedRules& a, const AskedRules& b);

void write_rules(const AskedRules& asked, nlohmann::ordered_json& to);
// Throws what the library throws for what is missing or of another kind.
void read_rules(const nlohmann::ordered_json& from, AskedRules& asked);

struct PartNumber {
    std::uint64_t number = 1;  // from 1
    std::uint64_t of = 1;
};
// Nothing, with a message, when it is none.
std::optional<PartNumber> read_part_number(const std::string& text, const Globals& g);

// The file of a part, when the parts of a run are written to a folder one by one.
std::string checkpoint_file(const std::string& folder, std::uint64_t number, std::uint64_t of);

}  // namespace houserule::cli
