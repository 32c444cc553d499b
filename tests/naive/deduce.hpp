// What a seat can conclude from what it saw, by trying everything that may have happened: an oracle for small games.
//
// A *history* is one way for the run to go: a card for each draw and for each choice of cards, equal copies told apart, and an answer
// for each other decision. Its *weight* is the product of the chances of its draws and
// lots. Decisions count 1, whoever makes them, and so does what the table tells, which comes from outside like a decision. Under *uniform
// play* a decision counts 1 in as many as there were, copies being one; acts at any time still count 1. A *world* is what lies where the
// seat cannot look, and the facts hidden from it, at the moment where the histories are cut. A *deal* is what came from stacks and by lot;
// cards drawn blindly from a hand are moves.
//
// Choices with one possibility are nodes like others: which of several copies it was makes different histories.
//
// A view holds every event that its seat noticed: what follows by itself may not be left out here.
//
// Depth first over copies of the state, left as soon as something was noticed that is not in the view. Nothing is remembered; only
// draws of equal copies are followed once and counted as often as there are copies.
#pragma once

#include "interpreter/log/view.hpp"
#include "interpreter/run/run.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace houserule::testing {

using Count = boost::multiprecision::cpp_int;
using Weight = boost::multiprecision::cpp_rational;

// A view ends, but the game may have gone on unseen.
enum class Cut {
    // At the first node after the last event that was seen, whatever it is but a lot that the seat does not notice. What others decide
    // later does not count.
    last_seen,
    // At the first node after it that is the seat's own or has an answer which the seat would notice before the next node; or at the end
    // of the game. Unseen answers before that are part of the history, so that their number depends on decisions nobody has seen.
    next_noticed,
};

struct Sum {
    Count histories;
    Weight weight;
    Weight uniform;  // under uniform play
};

struct World {
    // By hidden place its parts, bottom first: of a stack those whose order is unknown, of a row a card each, else all there is as one
    // part. The kinds of a part ascend. Zones alone: what is in none is all the rest.
    std::map<PlaceId, std::vector<std::vector<KindId>>> places;
    std::map<std::pair<FactId, std::int32_t>, std::vector<std::int32_t>> facts;  // by fact and index: the value, or the set

    friend bool operator==(const World&, const World&) = default;
    friend auto operator<=>(const World&, const World&) = default;
};

struct Deal {
    Weight weight;
    std::set<World> worlds;  // that hidden moves lead to
};

struct Deduced {
    bool complete = true;      // false: there were more nodes than the limit, and the rest is about those before it
    std::uint64_t nodes = 0;   // of histories that begin as seen
    std::uint64_t broken = 0;  // ways on which a promise of the rules broke before the cut; in no sum
    Sum all;
    std::map<World, Sum> worlds;
    std::map<std::vector<std::int32_t>, Deal> deals;  // by the kinds and values that fell, in order
};

// What is hidden from the seat where the run waits.
World world_of(const TableView& run, int seat);

struct Share {
    std::uint64_t worlds = 0;
    Sum sum;
};
// By number of copies of the kind at a hidden place: the worlds in which so many lie there.
std::map<std::size_t, Share> copies_at(const Deduced& deduced, PlaceId place, KindId kind);

// The weight of all deals, and of those from which hidden moves can bring at least one copy of the kind to a hidden place.
Weight all_deals(const Deduced& deduced);
Weight deals_with(const Deduced& deduced, PlaceId place, KindId kind);

// What is looked at where a history is cut: the run waits there, and goes on as it was. The weights are those of this history; `games`:
// after how many lines that the seat noticed each game of a match began.
using AtCut = std::function<void(Run& run, const Sum& counts, const std::vector<std::size_t>& games)>;

// `run` is left anywhere. A limit of a million nodes is some seconds.
inline constexpr std::uint64_t deduce_limit = 5'000'000;
Deduced deduce(Run& run, const View& view, Cut cut = Cut::last_seen, std::uint64_t node_limit = deduce_limit, const AtCut& at_cut = {});

}  // namespace houserule::testing
