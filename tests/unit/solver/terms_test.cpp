// The domain of terms and the session that answers about them, without any game.
#include "solver/terms/terms.hpp"
#include "dsl/meaning/numbers.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace houserule;

namespace {

const std::vector<TermLimits> all_limits{{}, {1, 1}, {6, 24}};  // as cases, as bit-vectors, a mixture

// Each `pigeon` sits in one of one hole fewer, no two in the same: impossible, and slow to see.
void require_pigeonholes(Z3Session& session, Terms& d, int pigeons) {
    Unknowns unknowns(d);
    std::vector<Terms::Int> seats;
    for (int p = 0; p < pigeons; ++p) seats.push_back(unknowns.integer("pigeon" + std::to_string(p), 0, pigeons - 2));
    session.require(unknowns.conditions());
    for (std::size_t p = 0; p < seats.size(); ++p) {
        for (std::size_t q = 0; q < p; ++q) session.require(d.negate(d.equal(seats[p], seats[q])));
    }
}

}  // namespace

TEST_CASE("terms: an unknown number has exactly the values of its range", "[terms]") {
    for (const TermLimits& limits : all_limits) {
        for (const auto& [low, high] : std::vector<std::pair<Value, Value>>{{3, 3}, {0, 1}, {-1, 3}, {0, 63}, {0, 64}, {-70, 70}}) {
            z3::context context;
            Terms d(context, limits);
            Unknowns unknowns(d);
            const Terms::Int u = unknowns.integer("u", low, high);
            CHECK(d.low(u) == low);
            CHECK(d.high(u) == high);
            Z3Session session(d);
            session.require(unknowns.conditions());
            for (Value v = low - 1; v <= high + 1; ++v) {
                CAPTURE(limits.cases, low, high, v);
                const Answer answer = session.possible(d.equal(u, d.constant(v)));
                CHECK(answer == (low <= v && v <= high ? Answer::yes : Answer::no));
                if (answer == Answer::yes) CHECK(session.value(u) == v);
            }
        }
    }
}

TEST_CASE("terms: the widest number has both its ends", "[terms]") {
    constexpr Value most = Value{1} << 62;
    z3::context context;
    Terms d(context);
    Unknowns unknowns(d);
    const Terms::Int u = unknowns.integer("u", 0, most);
    Z3Session session(d);
    session.require(unknowns.conditions());
    for (const Value v : {Value{0}, most}) {
        CAPTURE(v);
        REQUIRE(session.possible(d.equal(u, d.constant(v))) == Answer::yes);
        CHECK(session.value(u) == v);
    }
}

TEST_CASE("terms: arithmetic of two unknowns, for every pair of values", "[terms]") {
    for (const TermLimits& limits : all_limits) {
        z3::context context;
        Terms d(context, limits);
        Numbers n;
        Unknowns unknowns(d);
        const Terms::Int x = unknowns.integer("x", -4, 5);
        const Terms::Int y = unknowns.integer("y", -1, 3);
        Z3Session session(d);
        session.require(unknowns.conditions());
        const auto results = [](auto& domain, const auto& a, const auto& b) {
            using arithmetic::count, arithmetic::distance, arithmetic::larger, arithmetic::quotient, arithmetic::remainder,
                arithmetic::smaller;
            return std::vector{domain.add(a, b),
                               domain.subtract(a, b),
                               domain.multiply(a, b),
                               larger(domain, a, b),
                               smaller(domain, a, b),
                               distance(domain, a, b),
                               quotient(domain, a, b),
                               remainder(domain, a, b),
                               count(domain, domain.less(a, b)),
                               count(domain, domain.less_equal(a, b)),
                               count(domain, domain.equal(a, b)),
                               domain.multiply(domain.multiply(a, a), b)};
        };
        const std::vector<Terms::Int> terms = results(d, x, y);
        for (Value a = -4; a <= 5; ++a) {
            for (Value b = -1; b <= 3; ++b) {
                const std::vector<Value> numbers = results(n, a, b);
                REQUIRE(session.possible(d.both(d.equal(x, d.constant(a)), d.equal(y, d.constant(b)))) == Answer::yes);
                for (std::size_t i = 0; i < terms.size(); ++i) {
                    CAPTURE(limits.cases, a, b, i);
                    CHECK(session.value(terms[i]) == numbers[i]);
                    CHECK(d.low(terms[i]) <= numbers[i]);
                    CHECK(numbers[i] <= d.high(terms[i]));
                }
            }
        }
    }
}

TEST_CASE("terms: a promise counts under its guard only", "[terms]") {
    z3::context context;
    Terms d(context);
    Unknowns unknowns(d);
    const Terms::Bool a = unknowns.truth("a");
    const Terms::Bool b = unknowns.truth("b");
    d.guarded(a, [&] {
        d.promise(d.truth(true), ExpressionId(1));
        d.promise(a, ExpressionId(2));  // the guard says so already
        d.guarded(d.negate(a), [&] { d.promise(d.truth(false), ExpressionId(3)); });
        d.guarded(b, [&] { d.promise(d.truth(false), ExpressionId(4)); });
    });
    REQUIRE(d.promises().size() == 1);
    CHECK(d.promises()[0].expression == ExpressionId(4));
    Z3Session session(d);
    CHECK(session.possible(d.negate(d.promises()[0].holds)) == Answer::yes);
    CHECK(session.value(d.both(a, b)));
    session.require(d.negate(b));
    CHECK(session.possible(d.negate(d.promises()[0].holds)) == Answer::no);
    d.forget();
    d.promise(b, ExpressionId(5));  // the guards are gone
    REQUIRE(d.promises().size() == 1);
    CHECK(d.promises()[0].holds == b);
}

TEST_CASE("terms: a session says when it stopped undecided", "[terms]") {
    z3::context context;
    Terms d(context);
    Z3Session open(d);
    require_pigeonholes(open, d, 6);
    CHECK(open.possible() == Answer::no);
    Z3Session bounded(d, 2000);
    require_pigeonholes(bounded, d, 12);
    CHECK(bounded.possible() == Answer::unknown);
}

TEST_CASE("terms: what a session was told since `push` goes with `pop`", "[terms]") {
    z3::context context;
    Terms d(context);
    Unknowns unknowns(d);
    const Terms::Int u = unknowns.integer("u", 0, 9);
    const Terms::Bool small = d.less(u, d.constant(5));
    Z3Session session(d);
    session.require(unknowns.conditions());
    CHECK(session.possible(d.negate(small)) == Answer::yes);
    session.push();
    session.require(small);
    CHECK(session.possible(d.negate(small)) == Answer::no);
    CHECK(session.possible(small) == Answer::yes);
    session.pop();
    CHECK(session.possible(d.negate(small)) == Answer::yes);
    CHECK(session.value(u) >= 5);
    CHECK(session.possible(d.truth(false)) == Answer::no);
}
