// The stream of numbers that a generated game is made of: drawn and recorded, or replayed.
//
// What is replayed beyond its end is 0, and 0 is the simplest choice everywhere: a shorter stream makes a simpler game. Parts of the
// stream that make one thing (a statement, an expression) are marked, so that a shrinker can take them out as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::random_games {

struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string label;
};

class Choices {
public:
    explicit Choices(std::uint64_t seed) : state_(seed), seed_(seed) {}
    explicit Choices(std::vector<std::uint32_t> recorded) : replayed_(std::move(recorded)), replaying_(true) {}

    std::uint32_t below(std::size_t n);                  // n > 0
    bool chance(std::uint32_t times, std::uint32_t of);  // never for the simplest game
    int between(int low, int high);                      // low is the simplest
    // Which of these: each game favours some and leaves out others (Groce et al., "Swarm testing", 2012), so that what is rare where all
    // are as likely comes up together in a few games. A stream that is replayed says which it was, and needs no weights.
    std::size_t favoured(const std::vector<const char*>& names);
    bool often(const char* what);  // as often as the game likes it; never for the simplest
    template <typename T>
    const T& one_of(const std::vector<T>& all) {
        return all[below(all.size())];
    }

    std::size_t open(std::string label);
    void close(std::size_t part) { parts_[part].end = recorded_.size(); }

    const std::vector<std::uint32_t>& recorded() const { return recorded_; }
    const std::vector<Part>& parts() const { return parts_; }

private:
    std::uint32_t record(std::size_t n, const std::function<std::uint64_t()>& draw);
    // A number from 0 on that belongs to that name in this game; none where it likes all alike.
    std::optional<std::uint64_t> liking(std::string_view name, std::uint64_t below) const;

    std::uint64_t state_ = 0;
    std::uint64_t seed_ = 0;
    std::vector<std::uint32_t> replayed_;
    bool replaying_ = false;
    std::vector<std::uint32_t> recorded_;
    std::vector<Part> parts_;
};

// Marks what is drawn while it lives.
class Marked {
public:
    Marked(Choices& choices, std::string label) : choices_(choices), part_(choices.open(std::move(label))) {}
    ~Marked() { choices_.close(part_); }
    Marked(const Marked&) = delete;
    Marked& operator=(const Marked&) = delete;

private:
    Choices& choices_;
    std::size_t part_;
};

}  // namespace houserule::random_games
