// The processes that share one run: those that `mpirun` started, or this one alone.
//
// They are numbered, 0 leads and is the one that prints. All must come to the same calls in the same order, but for `next`. When one
// of them dies, MPI ends the others.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

class Ranks {
public:
    // Joins the others, if there are any. Nothing, with a message, if there are and this program was built without MPI.
    static std::optional<Ranks> join(const Globals& g);
    Ranks(Ranks&&) noexcept;
    Ranks& operator=(Ranks&&) noexcept;
    ~Ranks();

    std::uint64_t rank() const { return rank_; }
    std::uint64_t size() const { return size_; }
    bool leads() const { return rank_ == 0; }
    bool alone() const { return size_ == 1; }

    // Whether all can do that. The others begin when it has worked for who leads: what is wrong for all is said once.
    bool all_can(const std::function<bool()>& prepare);
    // 0, 1, 2, …: a number that no other call gets, in any process.
    std::uint64_t next();
    // To be called now and then by who leads, from any thread, so that the others need not wait for their next number.
    void serve();
    // What each says, by rank, for who leads; nothing for the others.
    std::vector<std::string> gathered(const std::string& text);
    // `to`: words for each process. What each has for this one, by rank.
    std::vector<std::vector<std::uint64_t>> exchanged(std::vector<std::vector<std::uint64_t>> to);
    void wait_for_all();
    // After an error of this process alone: ends all, if there are others.
    void give_up();

private:
    struct Joined;
    Ranks();

    std::unique_ptr<Joined> joined_;
    std::uint64_t rank_ = 0;
    std::uint64_t size_ = 1;
    std::uint64_t own_next_ = 0;  // of one that is alone
};

}  // namespace houserule::cli
