#include "interpreter/app/simulation/explore_part.hpp"

#include "dsl/text/hash.hpp"
#include "dsl/text/index_of.hpp"
#include "interpreter/app/simulation/byte_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t subtrees_a_part = 50;
constexpr std::uint64_t most_parts = 1'000'000;  // more get subtrees of their own only if the tree has them
constexpr std::size_t bytes_of_set = 24;
constexpr std::size_t sets_at_once = 4096;  // read from a file
constexpr std::size_t longest_head = 64 << 20;

// The lowest byte first, on any machine.
std::uint64_t in_file_order(std::uint64_t word) { return std::endian::native == std::endian::big ? __builtin_bswap64(word) : word; }
void put(std::uint64_t word, std::string& to) {
    std::array<char, 8> bytes{};
    const std::uint64_t ordered = in_file_order(word);
    std::memcpy(bytes.data(), &ordered, bytes.size());
    to.append(bytes.data(), bytes.size());
}
std::uint64_t word_at(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return in_file_order(word);
}
std::uint64_t hash_with_set(std::uint64_t hash, const SetOfHistories& s) {
    return splitmix(splitmix(splitmix(hash ^ s.set.a) ^ s.set.b) ^ s.histories);
}

Json json_of(const Explored& counts) {
    Json promises = Json::array();
    for (const BrokenPromise& b : counts.promises) promises.push_back({{"histories", b.histories}, {"moves", b.moves}});
    return {
        {"walked", counts.walked}, {"histories", counts.histories}, {"decision", counts.decision}, {"simultaneous", counts.simultaneous},
        {"chance", counts.chance}, {"terminal", counts.terminal},   {"broken", counts.broken},     {"depth", counts.depth},
        {"promises", promises}};
}
Explored counts_in(const Json& json) {
    Explored counts;
    counts.state = ExploreState::complete;
    counts.walked = json.at("walked");
    counts.histories = json.at("histories");
    counts.decision = json.at("decision");
    counts.simultaneous = json.at("simultaneous");
    counts.chance = json.at("chance");
    counts.terminal = json.at("terminal");
    counts.broken = json.at("broken");
    counts.depth = json.at("depth");
    for (const Json& promise : json.at("promises")) {
        BrokenPromise b;
        b.histories = promise.at("histories");
        b.moves = promise.at("moves").get<std::vector<std::uint64_t>>();
        counts.promises.push_back(std::move(b));
    }
    return counts;
}

std::optional<ExplorePart> head_in(const std::string& line) try {
    const Json json = Json::parse(line);
    if (!json.is_object() || json.value("schema", "") != explore_part_schema) return std::nullopt;
    ExplorePart part;
    read_rules(json, part.asked);
    part.asked.keep_forced = json.at("keep_forced");
    part.number = json.at("part");
    part.asked.parts = json.at("of");
    part.counts = counts_in(json.at("counts"));
    part.value = json.at("value").get<std::vector<std::string>>();
    part.sets = json.at("sets");
    part.hash = json.at("hash");
    const bool exists = part.number != 0 && part.number <= part.asked.parts;
    return exists ? std::optional(std::move(part)) : std::nullopt;
} catch (const Json::exception&) {
    return std::nullopt;
}

}  // namespace

std::string difference(const AskedTree& a, const AskedTree& b) {
    if (const std::string rules = rules_difference(a, b); !rules.empty()) return rules;
    if (a.keep_forced != b.keep_forced) return "--keep-forced";
    return a.parts != b.parts ? "--part" : "";
}

std::uint64_t depth_for_parts(const std::shared_ptr<const Machine>& machine, bool keep_forced, std::uint64_t parts, const Stop* stop) {
    return depth_of_cut(machine, keep_forced, subtrees_a_part * std::min(parts, most_parts), stop);
}

TreeShare share_of_part(std::uint64_t depth, PartNumber part) {
    return {depth, part.number == 1, [part](std::uint64_t subtree) { return subtree % part.of == part.number - 1; }};
}

std::string counts_text(const Explored& counts, const Expected& value) {
    return Json{{"counts", json_of(counts)}, {"state", index_of(counts.state)}, {"value", value.fractions(1)}}.dump();
}
std::optional<ReadCounts> read_counts(const std::string& text) try {
    const Json json = Json::parse(text);
    ReadCounts read{counts_in(json.at("counts")), json.at("value").get<std::vector<std::string>>()};
    for (const auto state : {ExploreState::unfinished, ExploreState::at_nodes, ExploreState::at_memory, ExploreState::at_count})
        if (json.at("state") == index_of(state)) read.counts.state = state;
    return read;
} catch (const Json::exception&) {
    return std::nullopt;
}

std::string sets_text(const CountedSets& sets) {
    return Json{{"by_seat", sets.by_seat}, {"by_histories", std::vector(sets.by_histories.begin(), sets.by_histories.end())}}.dump();
}
std::optional<CountedSets> read_sets(const std::string& text, std::size_t seats) try {
    const Json json = Json::parse(text);
    CountedSets sets(seats);
    sets.by_seat = json.at("by_seat").get<std::vector<std::uint64_t>>();
    for (const Json& entry : json.at("by_histories")) sets.by_histories[entry.at(0)] = entry.at(1);
    return sets.by_seat.size() == seats ? std::optional(std::move(sets)) : std::nullopt;
} catch (const Json::exception&) {
    return std::nullopt;
}

std::string part_text(ExplorePart part, ExploredShare found) {
    const std::vector<SetOfHistories> sets = std::exchange(found.sets, {});
    std::uint64_t hash = 0;
    for (const SetOfHistories& s : sets) hash = hash_with_set(hash, s);
    Json json{{"schema", explore_part_schema}};
    write_rules(part.asked, json);
    json.update({{"keep_forced", part.asked.keep_forced},
                 {"part", part.number},
                 {"of", part.asked.parts},
                 {"counts", json_of(found.counts)},
                 {"value", found.value.fractions(1)},
                 {"sets", sets.size()},
                 {"hash", hash}});
    std::string text = json.dump() + "\n";
    text.reserve(text.size() + sets.size() * bytes_of_set);
    for (const SetOfHistories& s : sets) {
        put(s.set.a, text);
        put(s.set.b, text);
        put(s.histories, text);
    }
    return text;
}

struct ExplorePartFile::Reading {
    ByteReader file;
    ExplorePart part;
    std::uint64_t unread = 0;  // sets
    std::uint64_t hash = 0;    // of those that were read
    std::vector<char> bytes;
    std::size_t at = 0;
};

ExplorePartFile::ExplorePartFile(std::unique_ptr<Reading> reading) : reading_(std::move(reading)) {}
ExplorePartFile::ExplorePartFile(ExplorePartFile&&) noexcept = default;
ExplorePartFile& ExplorePartFile::operator=(ExplorePartFile&&) noexcept = default;
ExplorePartFile::~ExplorePartFile() = default;

std::optional<ExplorePartFile> ExplorePartFile::open(const std::string& path) {
    auto file = ByteReader::open(path);
    if (!file) return std::nullopt;
    const std::string line = file->line(longest_head);
    auto part = head_in(line);
    const std::uint64_t behind = file->size() - std::min<std::uint64_t>(file->size(), line.size() + 1);
    if (!part || behind % bytes_of_set != 0 || behind / bytes_of_set != part->sets) return std::nullopt;
    const std::uint64_t sets = part->sets;
    return ExplorePartFile(std::make_unique<Reading>(Reading{std::move(*file), std::move(*part), sets, 0, {}, 0}));
}

const ExplorePart& ExplorePartFile::part() const { return reading_->part; }

std::optional<SetOfHistories> ExplorePartFile::next() {
    Reading& r = *reading_;
    if (r.unread == 0) return std::nullopt;
    if (r.at == r.bytes.size()) {
        r.bytes.resize(std::min<std::uint64_t>(r.unread, sets_at_once) * bytes_of_set);
        r.at = 0;
        if (!r.file.fill(r.bytes)) return std::nullopt;
    }
    const char* const at = r.bytes.data() + r.at;
    const SetOfHistories set{{word_at(at), word_at(at + 8)}, word_at(at + 16)};
    r.at += bytes_of_set;
    --r.unread;
    r.hash = hash_with_set(r.hash, set);
    return set;
}

bool ExplorePartFile::was_whole() const { return reading_->unread == 0 && reading_->hash == reading_->part.hash; }

}  // namespace houserule::cli
