// Walks the whole game tree of a machine: counts its histories by kind and the information sets of each seat, and computes exact
// expected payoffs when everybody moves at random.
//
// A history is what has happened so far: a node of the tree (Osborne and Rubinstein, A Course in Game Theory, ch. 11). What counts as one:
// - Each piece that leaves a shuffled part is a chance node with one outcome a physical piece, all equally likely, copies included. A
//   shuffle is no node. A lot and a report of the table are chance nodes with the weights that the rules state.
// - A decision is one node with its complete moves as branches: of a `may choose`, doing nothing and each thing that can be chosen.
// - What several decide at the same time is one simultaneous node, whose branches are the complete joint moves. So is each moment at
//   which somebody may act: each seat that may lets it pass or acts in one of its ways.
// - What has one possibility is no node (but see `keep_forced`).
// An information set is all that a seat can tell when it decides: what it saw and did so far (its passes included) and which sentence
// of the rules asks it. `ev` takes every complete move, complete joint move and physical piece of a node as equally likely.
//
// The walk goes depth first over one state and needs memory for the longest history and for the information sets. It can be interrupted
// and resumed at any time. Histories that differ only in which copies of a kind were drawn are walked once and counted each. A history
// in which a promise of the rules breaks is a node of its own and ends there.
#pragma once

#include "interpreter/run/run.hpp"
#include "interpreter/tree/expected.hpp"
#include "interpreter/tree/information_sets.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace houserule {

struct ExploreLimits {
    std::uint64_t nodes = 100'000'000;  // that are walked: a minute or two
    std::uint64_t memory_mib = 2048;
    std::uint64_t work = std::numeric_limits<std::uint64_t>::max();  // of the run, see Run::work
    const Stop* stop = nullptr;                                      // who may want no more
};

// A promise that broke.
struct BrokenPromise {
    Failure failure;
    std::uint64_t histories = 0;       // in which it broke
    std::vector<std::uint64_t> moves;  // the answers, from the start, of the first such history that was found
};

enum class ExploreState : std::uint8_t {
    unfinished,  // more is to be walked
    complete,
    at_nodes,  // stopped: a limit was reached
    at_memory,
    at_count,  // stopped: 64 bits are too few for the number of histories
};

// The counts so far. They are those of the whole tree only if `state` is `complete`, else lower bounds.
struct Explored {
    ExploreState state = ExploreState::unfinished;
    std::uint64_t walked = 0;     // nodes; those that differ only in copies of a kind as one
    std::uint64_t histories = 0;  // all nodes
    std::uint64_t decision = 0;
    std::uint64_t simultaneous = 0;
    std::uint64_t chance = 0;
    std::uint64_t terminal = 0;
    std::uint64_t broken = 0;                     // histories in which a promise broke
    std::uint64_t depth = 0;                      // nodes before the end, on the longest history
    std::vector<std::uint64_t> information_sets;  // by seat
    // By number of histories, how many information sets have that many. Empty while the tree is not complete: a set may still gain some.
    std::map<std::uint64_t, std::uint64_t> histories_per_information_set;
    // By seat, in lowest terms (`-5/64`): the expected payoff, or in games without payoffs the expected share of the win. Empty while the
    // tree is not complete, when a promise broke, and when the rules name neither payoff nor winner.
    std::vector<std::string> ev;
    bool ev_of_payoff = false;
    std::vector<BrokenPromise> promises;
};

// Which subtrees a walk goes into, when several share the tree: those below the nodes with so many nodes above them, in the order in
// which they are met. What stands above is walked by all, and counted by one.
struct TreeShare {
    std::uint64_t depth = 0;
    bool top = true;                             // counts what stands above
    std::function<bool(std::uint64_t)> takes{};  // whether it goes into that subtree, asked once for each in order; none: the tree is whole
};

// What a walk of a share came to, to be added to the others.
struct ExploredShare {
    Explored counts;  // without what is known of a whole tree only
    Expected value;   // what its ends add to the expected payoffs
    std::vector<SetOfHistories> sets;
};

class Exploration {
public:
    // `keep_forced`: a decision with one possibility is a node, too.
    Exploration(std::shared_ptr<const Machine> machine, ExploreLimits limits, bool keep_forced, TreeShare share = {});
    ~Exploration();

    // Walks about `branches` further branches. False when there is nothing left to do: the tree is complete, a limit was reached, or it
    // was stopped. After the limit of work and after a stop, the result says that the tree is unfinished.
    bool go_on(std::uint64_t branches);
    std::uint64_t walked() const;
    Explored result() const;
    // Leaves nothing here.
    ExploredShare take_share();

private:
    class Walk;
    std::unique_ptr<Walk> walk_;
};

// Adds what is known of a whole tree only: the information sets by their numbers of histories, and what is expected.
void conclude(Explored& found, const Game& game, std::map<std::uint64_t, std::uint64_t> histories_per_set, const Expected& value);

}  // namespace houserule
