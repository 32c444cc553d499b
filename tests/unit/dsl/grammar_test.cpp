// The grammar of rules files holds no rule that can call itself before it has read anything: reading always ends.
#include "dsl/syntax/grammar.hpp"

#include <catch2/catch.hpp>

#include <tao/pegtl/contrib/analyze.hpp>

namespace {

namespace p = tao::pegtl;

// What the test is there to find: rules that come back to themselves at the place where they began, and a repetition of nothing.
struct comes_back : p::seq<p::opt<p::one<'x'>>, comes_back, p::one<'y'>> {};
struct nothing_for_ever : p::star<p::opt<p::one<'x'>>> {};
struct around_two;
struct around_one : p::seq<houserule::grammar::ws, around_two> {};
struct around_two : p::sor<p::one<'x'>, around_one> {};

}  // namespace

TEST_CASE("grammar: no rule comes back to itself without reading on") {
    CHECK(p::analyze<houserule::grammar::file>(-1) == 0);
    CHECK(p::analyze<houserule::grammar::lone_expression>(-1) == 0);
}

TEST_CASE("grammar: a rule that comes back to itself is found") {
    CHECK(p::analyze<comes_back>(-1) > 0);
    CHECK(p::analyze<nothing_for_ever>(-1) > 0);
    CHECK(p::analyze<around_one>(-1) > 0);
}
