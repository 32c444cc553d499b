// Piles of pieces against a plain model: a list of sets for each place, which says what lies where and what is known of the order.
#include "interpreter/engine/piles.hpp"
#include "interpreter/run/random.hpp"

#include <catch2/catch.hpp>

#include <iterator>
#include <set>
#include <vector>

using namespace houserule;

namespace {

using Part = std::set<int>;

// Place 0 is the box.
enum Shapes : PlaceId { box, set_place, row_place, stack_place, other_stack, place_count };

bool is_stack(PlaceId place) { return place == stack_place || place == other_stack; }
bool is_row(PlaceId place) { return place == row_place; }

Layout layout_for(std::uint32_t words, std::uint32_t pieces) {
    Layout l;
    l.words = words;
    l.bytes = 16;
    const auto reserve = [&](std::uint32_t bytes) {
        const std::uint32_t at = l.bytes;
        l.bytes += bytes;
        return at;
    };
    for (PlaceId p = 0; p < place_count; ++p) {
        l.place.push_back(reserve(8 * words));
        l.order.push_back(is_row(p) || is_stack(p) ? reserve(pieces) : 0);
        l.marks.push_back(is_stack(p) ? reserve(8 * words) : 0);
    }
    l.where = reserve(2 * pieces);
    return l;
}

template <int W>
Mask<W> mask_of(const Part& part) {
    Mask<W> mask;
    for (const int piece : part) mask.add(piece);
    return mask;
}

template <int W>
class Table {
public:
    explicit Table(int count)
        : layout_(layout_for(W, static_cast<std::uint32_t>(count))), state_(layout_.bytes), piles_(state_.data(), layout_) {
        Part all;
        for (int piece = 0; piece < count; ++piece) all.insert(piece);
        piles_.gather(mask_of<W>(all), static_cast<std::size_t>(count), layout_.place.size());
        model_[box].push_back(all);
        count_ = count;
    }

    void move(int piece, PlaceId to, bool under) {
        take(piece);
        lay({piece}, to, under);
        piles_.move(piece, to, under);
    }
    void move_as_one_part(const Part& pieces, PlaceId to, bool under) {
        for (const int piece : pieces) take(piece);
        lay(pieces, to, under);
        piles_.move_as_part(mask_of<W>(pieces), to, under);
    }
    void move_all(const Part& pieces, PlaceId to, bool under) {
        for (const int piece : pieces) {
            take(piece);
            lay({piece}, to, under);
        }
        piles_.move_all(mask_of<W>(pieces), to, under);
    }
    void move_in_order(PlaceId from, const Part& pieces, PlaceId to, bool under) {
        piles_.move_in_order(mask_of<W>(pieces), to, under);
        // What is together in a part of a stack stays so.
        std::vector<Part> ordered;
        for (const Part& part : model_[from]) {
            Part together;
            for (const int piece : part) {
                if (!pieces.contains(piece)) continue;
                if (is_stack(from) && is_stack(to))
                    together.insert(piece);
                else
                    ordered.push_back({piece});
            }
            if (!together.empty()) ordered.push_back(together);
        }
        if (under) std::reverse(ordered.begin(), ordered.end());
        for (const Part& together : ordered) {
            for (const int piece : together) take(piece);
            lay(together, to, under);
        }
    }
    // Shuffles some parts of a stack together.
    void merge(PlaceId place, std::size_t first, std::size_t count) {
        std::vector<Part>& parts = model_[place];
        std::size_t at = 0;
        for (std::size_t i = 0; i < first; ++i) at += parts[i].size();
        Part merged;
        for (std::size_t i = first; i < first + count; ++i) merged.insert(parts[i].begin(), parts[i].end());
        piles_.merge_part(place, static_cast<int>(at), static_cast<int>(merged.size()));
        const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(first);
        *begin = merged;
        parts.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
    }

    const std::vector<Part>& parts(PlaceId place) const { return model_[place]; }
    PlaceId where(int piece) const { return piles_.where(piece); }
    Part at(PlaceId place) const {
        Part all;
        for (const Part& part : model_[place]) all.insert(part.begin(), part.end());
        return all;
    }
    Piles<W>& piles() { return piles_; }
    const std::vector<std::byte>& state() const { return state_; }

    void check() {
        for (PlaceId place = 0; place < place_count; ++place) {
            std::vector<int> pieces;
            std::vector<std::int32_t> sizes;
            for (const Part& part : model_[place]) {
                sizes.push_back(static_cast<std::int32_t>(part.size()));
                for (const int piece : part) {
                    pieces.push_back(piece);
                    REQUIRE(piles_.where(piece) == place);
                }
            }
            REQUIRE(piles_.pieces(place) == pieces);
            REQUIRE(piles_.parts(place) == sizes);
            REQUIRE(piles_.size(place) == static_cast<int>(pieces.size()));
            const Part on_top = model_[place].empty() ? Part{} : model_[place].back();
            REQUIRE(piles_.drawable(place, false) == mask_of<W>(on_top));
            REQUIRE(piles_.drawable(place, true) == mask_of<W>(at(place)));
        }
    }
    // The same table, laid out afresh.
    std::vector<std::byte> laid_out_afresh() const {
        Table fresh(count_);
        for (PlaceId place = 1; place < place_count; ++place)
            for (const Part& part : model_[place]) {
                if (is_stack(place))
                    fresh.move_as_one_part(part, place, false);
                else
                    for (const int piece : part) fresh.move(piece, place, false);
            }
        return fresh.state_;
    }

private:
    void take(int piece) {
        for (std::vector<Part>& parts : model_) {
            for (Part& part : parts) part.erase(piece);
            std::erase(parts, Part{});
        }
    }
    void lay(const Part& pieces, PlaceId to, bool under) {
        std::vector<Part>& parts = model_[to];
        const auto end = under ? parts.begin() : parts.end();
        if (is_stack(to)) {
            parts.insert(end, pieces);
        } else if (is_row(to)) {
            std::vector<Part> each;
            for (const int piece : pieces) each.push_back({piece});
            parts.insert(end, each.begin(), each.end());
        } else {
            if (parts.empty()) parts.emplace_back();
            parts.front().insert(pieces.begin(), pieces.end());
        }
    }

    int count_ = 0;
    Layout layout_;
    std::vector<std::byte> state_;
    Piles<W> piles_;
    std::vector<Part> model_[place_count];
};

Part some_of(const Part& all, Random& random) {
    Part some;
    for (const int piece : all)
        if (random.below(3) == 0) some.insert(piece);
    return some;
}

template <int W>
void move_at_random(Table<W>& table, int count, Random& random) {
    const auto to = static_cast<PlaceId>(1 + random.below(place_count - 1));
    const bool under = random.below(2) == 0;
    switch (random.below(7)) {
        case 0:
        case 1:
            table.move(static_cast<int>(random.below(static_cast<std::uint64_t>(count))), to, under);
            break;
        case 2: {
            Part pieces;
            for (std::uint64_t n = 1 + random.below(6); n > 0; --n)
                pieces.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(count))));
            if (is_stack(to) || is_row(to)) table.move_as_one_part(pieces, to, under);
            break;
        }
        case 3: {
            const auto from = static_cast<PlaceId>(random.below(place_count));
            const Part pieces = some_of(table.at(from), random);
            if (!pieces.empty()) table.move_in_order(from, pieces, to, under);
            break;
        }
        case 4:
        case 5: {
            const auto from = static_cast<PlaceId>(random.below(place_count));
            Part pieces = random.below(2) == 0 ? table.at(from) : some_of(table.at(from), random);
            pieces.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(count))));
            if (random.below(2) == 0)
                table.move_all(pieces, to, under);
            else if (is_stack(to) || is_row(to))
                table.move_as_one_part(pieces, to, under);
            break;
        }
        default: {
            const std::size_t parts = table.parts(to).size();
            if (!is_stack(to) || parts == 0) break;
            const std::size_t first = random.below(parts);
            table.merge(to, first, 1 + random.below(parts - first));
        }
    }
}

template <int W>
void compare_with_model(int count) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("words " << W << ", seed " << seed);
        Random random(seed);
        Table<W> table(count);
        for (int i = 0; i < 200; ++i) {
            move_at_random(table, count, random);
            table.check();
            REQUIRE(table.state() == table.laid_out_afresh());
        }
    }
}

}  // namespace

TEST_CASE("piles hold what was laid on them, in one way for one situation", "[fast]") {
    compare_with_model<1>(40);
    compare_with_model<2>(90);
    compare_with_model<4>(200);
}

TEST_CASE("two pieces that exchange their places leave all else as it was", "[fast]") {
    Random random(1);
    Table<1> table(40);
    int exchanged = 0;
    for (int i = 0; i < 400; ++i) {
        move_at_random(table, 40, random);
        const auto a = static_cast<int>(random.below(40));
        const auto b = static_cast<int>(random.below(40));
        const PlaceId at_a = table.where(a);
        const PlaceId at_b = table.where(b);
        if (at_a == at_b) continue;
        ++exchanged;
        const std::vector<std::byte> before = table.state();
        table.piles().replace(at_a, a, b);
        table.piles().replace(at_b, b, a);
        REQUIRE(table.where(a) == at_b);
        REQUIRE(table.where(b) == at_a);
        table.piles().replace(at_a, b, a);
        table.piles().replace(at_b, a, b);
        REQUIRE(table.state() == before);
    }
    CHECK(exchanged > 100);
}

TEST_CASE("gathered pieces all lie in the box", "[fast]") {
    Random random(2);
    Table<2> table(90);
    for (int i = 0; i < 300; ++i) move_at_random(table, 90, random);
    Part all;
    for (int piece = 0; piece < 90; ++piece) all.insert(piece);
    table.piles().gather(mask_of<2>(all), all.size(), place_count);
    for (PlaceId place = 1; place < place_count; ++place) {
        CHECK(table.piles().size(place) == 0);
        CHECK(table.piles().parts(place).empty());
    }
    CHECK(table.piles().at(box) == mask_of<2>(all));
    for (const int piece : all) REQUIRE(table.where(piece) == box);
}

// Of 1 to 4 copies each, over two words.
TEST_CASE("one of each kind is found by a shift", "[fast]") {
    std::vector<std::int32_t> kinds;
    std::vector<Mask<2>> of_kind;
    Mask<2> same_below[3];
    for (std::int32_t kind = 0; kinds.size() < 120; ++kind) {
        of_kind.emplace_back();
        for (int i = 0; i < 1 + kind % 4; ++i) {
            for (int less = 1; less <= i; ++less) same_below[less - 1].add(static_cast<int>(kinds.size()));
            of_kind.back().add(static_cast<int>(kinds.size()));
            kinds.push_back(kind);
        }
    }
    const PieceForms<2> forms(kinds.data(), of_kind.data(), false);
    Random random(7);
    for (int i = 0; i < 2'000; ++i) {
        Mask<2> from;
        for (std::size_t piece = 0; piece < kinds.size(); ++piece)
            if (random.below(3) == 0) from.add(static_cast<int>(piece));
        CHECK(one_of_each(from, same_below) == forms.representatives(from, [](int) { return 0; }));
    }
}

TEST_CASE("members of a set all become larger or smaller", "[fast]") {
    Random random(8);
    for (int i = 0; i < 500; ++i) {
        Mask<2> from;
        for (int n = random.below(20); n > 0; --n) from.add(random.below(128));
        const int by = random.below(129);
        Mask<2> up;
        Mask<2> down;
        Mask<2> below;
        from.each([&](int it) {
            if (it + by < 128) up.add(it + by);
            if (it > 0) down.add(it - 1);
            if (it < by) below.add(it);
        });
        CHECK(from.up(by) == up);
        CHECK(from.down() == down);
        CHECK((from & Mask<2>::below(by)) == below);
    }
}
