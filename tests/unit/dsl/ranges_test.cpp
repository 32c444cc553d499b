// Which values a type has.
#include "dsl/game/ranges.hpp"

#include <catch2/catch.hpp>

#include <utility>

using namespace houserule;

namespace {

using Ends = std::pair<std::int32_t, std::int32_t>;

Ends ends(const ValueRange& range) { return {range.low, range.high}; }

Type type_of(Base base, bool or_none = false) {
    Type type;
    type.base = base;
    type.of = EnumId(0);
    type.low = -2;
    type.high = 7;
    type.or_none = or_none;
    return type;
}

}  // namespace

TEST_CASE("ranges: each type has its values, and none where it may be none") {
    Game game;
    game.players = 3;
    game.places = 5;
    game.kinds.resize(4);
    game.enums.emplace_back();
    game.enums.back().values = {"red", "blue"};

    CHECK(ends(range_of(game, type_of(Base::truth))) == Ends{0, 1});
    CHECK(ends(range_of(game, type_of(Base::number))) == Ends{-2, 7});
    CHECK(ends(range_of(game, type_of(Base::enumeration))) == Ends{0, 1});
    CHECK(ends(range_of(game, type_of(Base::player, true))) == Ends{0, 2});
    CHECK(ends(range_of(game, type_of(Base::kind))) == Ends{0, 3});
    CHECK(ends(range_of(game, type_of(Base::card))) == Ends{0, 3});
    CHECK(ends(range_of(game, type_of(Base::place))) == Ends{0, 4});
    for (const Base several : {Base::nothing, Base::cards, Base::set}) {
        const ValueRange none = range_with_none(game, type_of(several));
        CHECK(none.high < none.low);
    }

    CHECK(ends(range_with_none(game, type_of(Base::player))) == Ends{0, 2});
    CHECK(ends(range_with_none(game, type_of(Base::player, true))) == Ends{-1, 2});
    CHECK(ends(range_with_none(game, type_of(Base::kind, true))) == Ends{-1, 3});
    CHECK(ends(range_with_none(game, type_of(Base::number, true))) == Ends{-2, 7});  // none is far below
}
