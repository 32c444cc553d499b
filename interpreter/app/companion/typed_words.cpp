#include "interpreter/app/companion/typed_words.hpp"

#include "dsl/text/ascii.hpp"

#include <algorithm>
#include <string_view>

namespace houserule::cli {

namespace {

constexpr std::size_t stem_least = 3;  // letters
constexpr std::string_view endings[] = {"", "s", "es", "d", "ed"};

}  // namespace

TextRow<0> verbs_of(const Event& e) {
    switch (e.kind) {
        case EventKind::draw:
            return Text::typed_for_draw;
        case EventKind::move:
            return Text::typed_for_move;
        case EventKind::shows:
            return Text::typed_for_shows;
        case EventKind::says:
            return Text::typed_for_says;
        case EventKind::choice:
            return e.optional_no ? Text::typed_for_no : Text::typed_for_choice;
        case EventKind::report:
        case EventKind::lot:
            return Text::typed_for_table;
        case EventKind::acts:
            return Text::typed_for_acts;
        case EventKind::shuffle:
            return Text::typed_for_shuffle;
        case EventKind::ended:
            return Text::typed_for_end;
        case EventKind::answer:
        case EventKind::becomes:
        case EventKind::begins:
        case EventKind::all_chose:
            break;
    }
    return Text::typed_between;
}

bool is_number(const std::string& word) { return ascii::is_digit(word[0]); }

bool is_with_ending(const std::string& typed, const std::string& name) {
    const auto stem = [](const std::string& word, std::string_view ending) {
        return std::string_view(word).substr(0, word.size() - std::min(word.size(), ending.size()));
    };
    for (const std::string_view of_typed : endings)
        for (const std::string_view of_name : endings) {
            const std::string_view one = stem(typed, of_typed);
            const bool ends_so = typed.ends_with(of_typed) && name.ends_with(of_name);
            if (ends_so && one.size() >= stem_least && one == stem(name, of_name)) return true;
        }
    return false;
}

int cost_of_glued(const std::string& typed, const std::vector<std::string>& name) {
    if (name.size() != 2 || typed.empty()) return 0;
    // `10h`, `ks`: the rank first, whole, and a beginning of the suit.
    const bool rank_first = typed.size() > name[1].size() && typed.starts_with(name[1]);
    if (rank_first && !is_number(name[0]) && name[0].starts_with(typed.substr(name[1].size()))) return 1 + cost_of_part;
    if (is_number(typed)) return 0;
    int least = 0;
    for (std::size_t first = 1; first < typed.size() && name[0].starts_with(typed.substr(0, first)); ++first) {
        if (!name[1].starts_with(typed.substr(first))) continue;
        const int cost = 1 + (first < name[0].size() ? 1 : 0) + (typed.size() - first < name[1].size() ? cost_of_part : 0);
        if (least == 0 || cost < least) least = cost;
    }
    return least;
}

}  // namespace houserule::cli
