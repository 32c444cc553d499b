// Readings: the question, and what each way to read it says.
#include "dsl/book/book_words.hpp"

#include "dsl/text/spaced.hpp"

#include <utility>

namespace houserule::cli {

namespace {

// The arms of a reading may be called like something else in the file, whose label is not theirs.
std::string arm_name(const Telling& t, const std::string& name) {
    if (t.ja || !t.meanings.contains(name)) return quoted(t, name);
    return t.fill(BookText::in_quotes, spaced(name));
}

}  // namespace

void keep_reading(Telling& t, const Node& reading) {
    const std::string& name = reading.children[0]->text;
    for (const auto& [known, item] : t.readings)
        if (known == name) return;
    const std::size_t at = t.readings.size();
    t.readings.emplace_back(name, Item{});
    const std::string question = text_of(t, name);
    Item item{t.fill(BookText::three_in_a_row, strong(titled(t, name)), question.empty() ? "" : t.say(BookText::colon), question),
              {},
              reading.span};
    const Node* chosen = chosen_arm(t, reading);
    for (const Node* arm : reading.children) {
        if (arm->kind != Kind::reading_choice) continue;
        const std::string head = t.fill(arm == chosen ? BookText::chosen : BookText::head, arm_name(t, arm->children[0]->text));
        const Node& what = *arm->children.back();
        if (reading.kind == Kind::s_reading) {
            item.items.push_back(under(t, head, sentences(t, what), arm->span));
        } else if (std::vector<Item> cases = cases_items(t, what); !cases.empty()) {
            item.items.push_back(under(t, head, std::move(cases), arm->span));
        } else {
            item.items.push_back({head + (is_truth(t, what) ? clause(t, what).plain : whole(t, what)), {}, arm->span});
        }
    }
    t.readings[at].second = std::move(item);
}

}  // namespace houserule::cli
