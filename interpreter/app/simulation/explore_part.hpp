// A part of a game tree, walked by itself, as a file.
//
// The file is one line of JSON (schema houserule-explore-part-1) with what was asked for and the counts, and behind it the information
// sets, in the order of their fingerprints, 24 bytes each. `merge` reads all files side by side, so it needs no memory for the sets.
#pragma once

#include "interpreter/app/simulation/asked.hpp"
#include "interpreter/tree/shares.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

inline constexpr const char* explore_part_schema = "houserule-explore-part-1";

// What must be equal for parts to be added up.
struct AskedTree : AskedRules {
    bool keep_forced = false;
    std::uint64_t parts = 1;  // the tree is cut into
};
// The first thing in which two differ, in the words of the command line; empty: nothing.
std::string difference(const AskedTree& a, const AskedTree& b);

// All but the information sets.
struct ExplorePart {
    AskedTree asked;
    std::uint64_t number = 1;  // from 1
    Explored counts;
    std::vector<std::string> value;  // what it adds to the expected payoffs, as fractions
    std::uint64_t sets = 0;          // so many follow, and a hash of them
    std::uint64_t hash = 0;
};

// How deep a tree is cut for that many parts.
std::uint64_t depth_for_parts(const std::shared_ptr<const Machine>& machine, bool keep_forced, std::uint64_t parts, const Stop* stop);
// One subtree of every so many; and the first part counts what stands above them.
TreeShare share_of_part(std::uint64_t depth, PartNumber part);

// Counts, as text, and what they add to the expected payoffs.
std::string counts_text(const Explored& counts, const Expected& value);
struct ReadCounts {
    Explored counts;
    std::vector<std::string> value;
};
std::optional<ReadCounts> read_counts(const std::string& text);
// Information sets that were counted, as text.
std::string sets_text(const CountedSets& sets);
std::optional<CountedSets> read_sets(const std::string& text, std::size_t seats);

// The whole file. Leaves nothing in `found`.
std::string part_text(ExplorePart part, ExploredShare found);

// Reads the file of a part: its first line, then one set after the other.
class ExplorePartFile {
public:
    // Nothing if the file is not there, or is not the whole of a part.
    static std::optional<ExplorePartFile> open(const std::string& path);
    ExplorePartFile(ExplorePartFile&&) noexcept;
    ExplorePartFile& operator=(ExplorePartFile&&) noexcept;
    ~ExplorePartFile();

    const ExplorePart& part() const;
    std::optional<SetOfHistories> next();
    // After the last set: whether all were those that were written.
    bool was_whole() const;

private:
    struct Reading;
    explicit ExplorePartFile(std::unique_ptr<Reading> reading);
    std::unique_ptr<Reading> reading_;
};

}  // namespace houserule::cli
