// Ids: a type for each kind of thing, and vectors that are indexed by them.
#include "dsl/game/id.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <unordered_set>

using namespace houserule;

namespace {

using AppleId = Id<struct AppleTag>;
using PearId = Id<struct PearTag>;
using Apples = Store<AppleId, std::string>;

template <class Container, class Key>
concept TakesKey = requires(Container c, Key k) {
    c[k];
};

}  // namespace

TEST_CASE("ids: of one kind do not stand for another kind, nor for whole numbers") {
    STATIC_REQUIRE(TakesKey<Apples, AppleId>);
    STATIC_REQUIRE(TakesKey<Apples, Operand>);  // its kind is said beside it
    STATIC_REQUIRE_FALSE(TakesKey<Apples, PearId>);
    STATIC_REQUIRE_FALSE(TakesKey<Apples, std::int32_t>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<AppleId, PearId>);
    STATIC_REQUIRE_FALSE(std::is_assignable_v<AppleId&, std::int32_t>);
    STATIC_REQUIRE_FALSE(std::equality_comparable_with<AppleId, PearId>);
    STATIC_REQUIRE_FALSE(std::equality_comparable_with<AppleId, std::int32_t>);
}

TEST_CASE("ids: none is the value -1, below all others") {
    CHECK(AppleId() == no_id);
    CHECK(AppleId(no_id).value() == -1);
    CHECK(AppleId(-1) == no_id);
    CHECK(AppleId(0) != no_id);
    CHECK(AppleId() < AppleId(0));
    CHECK(Operand() == no_id);
    CHECK(Operand(PearId(3)) == PearId(3));
    CHECK(PearId(Operand(PearId(3))).value() == 3);
}

TEST_CASE("ids: those that follow each other are counted with") {
    CHECK(AppleId(3) + 2 == AppleId(5));
    CHECK(AppleId(3) - 2 == AppleId(1));
    CHECK(AppleId(7) - AppleId(3) == 4);
    std::vector<AppleId> all;
    for (const AppleId id : Ids<AppleId>(3)) all.push_back(id);
    CHECK(all == std::vector{AppleId(0), AppleId(1), AppleId(2)});
}

TEST_CASE("ids: a store gives them out in order and finds what they stand for") {
    Apples apples;
    CHECK(apples.next() == AppleId(0));
    CHECK(apples.last() == no_id);
    const AppleId red = apples.add("red");
    const AppleId green = apples.add("green");
    CHECK(apples[red] == "red");
    CHECK(apples[green] == "green");
    apples[green] = "ripe";
    CHECK(std::as_const(apples)[green] == "ripe");
    CHECK(apples.id_of(apples[green]) == green);
    CHECK(apples.has(green));
    CHECK_FALSE(apples.has(apples.next()));
    CHECK_FALSE(apples.has(no_id));
    std::string text;
    for (const AppleId id : apples.ids()) text += apples[id] + " ";
    CHECK(text == "red ripe ");
    Store<AppleId, bool> eaten(2, false);
    eaten[green] = true;
    CHECK(eaten == Store<AppleId, bool>{false, true});
}

TEST_CASE("ids: are keys of ordered and of hashed containers") {
    const std::set<AppleId> ordered{AppleId(2), AppleId(0), AppleId(2)};
    CHECK(*ordered.begin() == AppleId(0));
    const std::unordered_set<AppleId> hashed(ordered.begin(), ordered.end());
    CHECK(hashed.size() == 2);
    CHECK(hashed.contains(AppleId(2)));
    CHECK_FALSE(hashed.contains(AppleId(1)));
}
