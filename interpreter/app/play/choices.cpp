#include "interpreter/app/play/choices.hpp"

#include "dsl/book/texts.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/ascii.hpp"
#include "dsl/text/glyphs.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/log/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace houserule::cli {

namespace {

constexpr std::uint64_t listed_most = 40;       // more lines than a person reads; the values are typed instead
constexpr std::uint64_t listed_sets_most = 12;  // sets are long: rather name what is in them
constexpr std::uint64_t looked_at_most = 8192;  // moves whose elements are gathered for the hint

std::vector<std::string> languages(const Game& game) {
    std::set<std::string> all{""};
    for (const NamedText& l : game.labels) all.insert(l.language);
    return {all.begin(), all.end()};
}

std::vector<std::string> names_of(const Game& game, const Type& type, std::int32_t value) {
    const Type t = element_of(type);
    std::vector<std::string> names;
    for (const std::string& l : languages(game)) {
        if (t.base != Base::kind) {
            names.push_back(value_name(game, t, value, l));
            continue;
        }
        const PlacedKind card = PlacedKind::of_value(value);
        names.push_back(kind_text(game, card.kind, l) + (card.place == no_id ? "" : " " + place_name(game, card.place, l)));
    }
    for (std::string& n : names) n = plain_form(n);
    if (t.base == Base::truth) names.push_back(value != 0 ? "はい" : "いいえ");
    return names;
}

std::vector<std::string> words_of(const std::string& plain) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : plain + " ") {
        if (c != ' ')
            word += c;
        else if (!word.empty())
            words.push_back(std::exchange(word, ""));
    }
    return words;
}

// Whether `typed` shortens `name`: each word the beginning of the word in its place, numbers whole.
bool shortens(const std::string& typed, const std::string& name) {
    const std::vector<std::string> a = words_of(typed);
    const std::vector<std::string> b = words_of(name);
    if (a.empty() || a.size() > b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool number = ascii::is_digit(a[i][0]);
        if (number ? a[i] != b[i] : !b[i].starts_with(a[i])) return false;
    }
    return true;
}

// Whether `typed` is a word of the name or begins one, or has the beginning of each word, written as one: `k` and `dk` for `diamonds k`.
// A number alone is none.
bool hints_at(const std::string& typed, const std::string& name) {
    const std::vector<std::string> a = words_of(typed);
    const std::vector<std::string> b = words_of(name);
    if (a.empty() || (a.size() == 1 && ascii::is_digit(a[0][0]))) return false;
    std::size_t next = 0;
    for (const std::string& word : b)
        if (next < a.size() && (ascii::is_digit(a[next][0]) ? a[next] == word : word.starts_with(a[next]))) ++next;
    if (next == a.size()) return true;
    // What of the typed text is left after the first words of the name.
    std::string whole = typed;
    std::erase(whole, ' ');
    std::set<std::string> left{whole};
    for (const std::string& word : b) {
        std::set<std::string> then;
        for (const std::string& rest : left)
            for (std::size_t n = 1; n <= word.size() && n <= rest.size() && word[n - 1] == rest[n - 1]; ++n)
                if (!ascii::is_digit(word[0]) || n == word.size()) then.insert(rest.substr(n));
        left = std::move(then);
    }
    return b.size() > 1 && left.contains("");
}

bool is_one_of(const std::string& typed, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), typed) != names.end();
}
bool shortens_one(const std::string& typed, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return shortens(typed, n); });
}

bool hints_at_one(const std::string& typed, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return hints_at(typed, n); });
}

const Step& step_of(const Run& run) { return run.machine().code[run.node().step]; }

bool is_many(const Run& run) { return run.node().kind == NodeKind::choose && (step_of(run).mode & choice_many) != 0; }

Type type_at(const Run& run) {
    if (run.node().kind == NodeKind::consent || run.node().kind == NodeKind::ask) {
        Type truth;
        truth.base = Base::truth;
        return truth;
    }
    return run.machine().game.variables[step_of(run).a].type;
}

std::string thing_words(const Game& game, const Type& type, const Globals& g) {
    const Type t = element_of(type);
    switch (t.base) {
        case Base::kind:
            return are_pieces(game, FamilyId(t.of)) ? std::string(BookText::piece.in(g.language)) : say(g, Text::a_card);
        case Base::number:
            return say(g, Text::a_number);
        case Base::player:
            return say(g, Text::a_player);
        case Base::enumeration:
            return t.of == no_id ? "" : name_words(game, game.enums[t.of].name, g);
        default:
            return say(g, Text::an_answer);
    }
}

std::string value_of(Run& run, ExpressionId e, const Globals& g) {
    const Game& game = run.machine().game;
    const Type& type = game.expressions[e].type;
    if (!is_of_many(type)) {
        const std::int32_t value = run.scalar(e);
        return value == unset_value
                   ? "?"
                   : value_words(game, element_of(type), type.base == Base::card && value >= 0 ? game.piece_kind[value] : value, g);
    }
    std::vector<std::int32_t> values = run.elements(e).value_or(std::vector<std::int32_t>{});
    if (type.base == Base::cards)
        std::ranges::transform(values, values.begin(), [&](std::int32_t piece) { return game.piece_kind[piece]; });
    return values_words(game, type, values, g);
}

// How the rules ask it, with the values that stand in it; empty where they do not say. What follows a yes is asked in other words.
std::string asked_in_words(Run& run, const Globals& g) {
    const Game& game = run.machine().game;
    const Step& s = step_of(run);
    const statement::Decision* decision = s.statement == no_id ? nullptr : decision_of(game.statements[s.statement]);
    const QuestionId id = decision == nullptr ? QuestionId(no_id) : decision->question;
    if (id == no_id || (run.node().kind == NodeKind::choose && (s.mode & choice_optional) != 0)) return "";
    std::string text = game.questions[id].text;
    const auto translated = std::ranges::find_if(
        game.texts, [&](const NamedText& t) { return t.language == code_of(g.language) && t.name == '"' + game.questions[id].text + '"'; });
    if (translated != game.texts.end()) text = translated->text;
    for (const auto& [place, e] : game.questions[id].places) {
        const std::string written = "{" + place + "}";
        for (std::size_t at = 0; (at = text.find(written, at)) != std::string::npos;) {
            const std::string value = value_of(run, e, g);
            text.replace(at, written.size(), value);
            at += value.size();
        }
    }
    return text;
}

// With the article that English has.
std::string one_thing(const std::string& thing, const Globals& g) {
    const bool vowel = !thing.empty() && std::string_view("aeiouAEIOU").find(thing[0]) != std::string_view::npos;
    return g.language == Language::en ? (vowel ? "an " : "a ") + thing : thing;
}

// What is to be chosen, as a sentence without its mark: `Choose 3 cards`.
std::string chosen_phrase(Run& run, const std::string& verb, const Globals& g) {
    const Step& s = step_of(run);
    const Type element = element_of(run.machine().game.variables[s.a].type);
    const std::string thing = thing_words(run.machine().game, element, g);
    const bool is_card = element.base == Base::kind && !are_pieces(run.machine().game, FamilyId(element.of));
    if (!is_many(run)) {
        const bool counts = is_card && run.node().kind == NodeKind::consent && g.language != Language::en;
        return counts ? say(g, Text::choose_cards, 1, verb) : say(g, Text::choose_one, one_thing(thing, g), verb);
    }
    const std::int32_t low = run.scalar(s.z);
    const std::int32_t high = run.scalar(s.w);
    const std::string number = low == high ? std::to_string(low) : fmt::format("{}{}{}", low, say(g, Text::range_to), high);
    if (high <= 1) return say(g, Text::choose_several, thing, number, verb);
    if (is_card) return say(g, Text::choose_cards, number, verb);
    if (element.base == Base::player) return say(g, Text::choose_players, number, verb);
    if (element.base != Base::kind) return say(g, Text::choose_several, thing, number, verb);
    const std::string pieces(BookText::some_pieces.in(g.language));
    return g.language == Language::en ? say(g, Text::choose_one, fmt::format("{} {}", number, pieces), verb)
                                      : say(g, Text::choose_cards, number, verb);
}

// The one place where all lies that may be chosen.
std::optional<PlaceId> chosen_from(Run& run) {
    if (element_of(run.machine().game.variables[step_of(run).a].type).base != Base::kind) return std::nullopt;
    const auto pieces = run.elements(step_of(run).y);
    std::set<PlaceId> places;
    for (const std::int32_t piece : pieces.value_or(std::vector<std::int32_t>{})) places.insert(run.place_of(piece));
    return places.size() == 1 && *places.begin() > 0 ? std::optional(*places.begin()) : std::nullopt;
}

std::string question(Run& run, const Globals& g, int you) {
    const Game& game = run.machine().game;
    const Step& s = step_of(run);
    if (std::string asked = asked_in_words(run, g); !asked.empty()) return asked;
    if (run.node().kind == NodeKind::choose && game.variables[s.a].type.base == Base::truth)
        return say(g, Text::do_you_do, name_words(game, game.variables[s.a].name, g));
    if (run.node().kind == NodeKind::ask) return say(g, Text::do_you_do, name_words(game, game.words[s.a], g));
    if (run.node().kind == NodeKind::report) return say(g, Text::table_tells_what, name_words(game, game.variables[s.a].name, g));
    if (run.node().kind != NodeKind::consent) {
        const bool aloud = (s.mode & choice_aloud) != 0;
        const bool may_be_none = is_many(run) && run.scalar(s.z) == 0;
        return chosen_phrase(run, say(g, aloud ? Text::verb_name : Text::verb_choose), g) + (may_be_none ? say(g, Text::or_none) : "") +
               ":";
    }
    const std::string phrase = chosen_phrase(run, say(g, Text::verb_do_you_choose), g);
    const auto from = chosen_from(run);
    const Listener listener{you >= 0 ? seat_bit(you) : Seats{0}, you};
    return (from ? say(g, Text::choose_from, phrase, place_words(game, *from, listener, g)) : phrase) + "?";
}

// How a move is called at the prompt: players by their seat, numbers by themselves, the rest in order.
std::string key_of(const Type& type, std::int32_t value, std::size_t index, bool many) {
    if (!many && type.base == Base::player && value >= 0) return std::to_string(value + 1);
    if (!many && type.base == Base::number && type.scale == 1) return std::to_string(value);
    return std::to_string(index + 1);
}

// What people say who decline: `pass`, or what the rules have them say then.
std::vector<std::string> names_of_no(const Run& run) {
    const Game& game = run.machine().game;
    std::vector<std::string> names;
    for (const Language l : all_languages)
        for (const std::string& word : split(std::string(Text::typed_for_no.in(l)), ' ')) names.push_back(plain_form(word));
    const Step& s = step_of(run);
    const statement::Decision* decision = s.statement == no_id ? nullptr : decision_of(game.statements[s.statement]);
    for (const WordId word : words_said(game, decision == nullptr ? StatementId(no_id) : decision->otherwise))
        for (const std::string& l : languages(game)) names.push_back(plain_form(label(game, game.words[word], l)));
    return names;
}

void add_yes_no(const Run& run, Choices& choices, const Globals& g) {
    for (const int value : {1, 0}) {
        Choice c;
        c.key = value == 1 ? "1" : "2";
        c.shown = value == 1 ? say(g, Text::yes) : say(g, Text::no);
        c.names = names_of(run.machine().game, type_at(run), value);
        if (value == 1 && run.node().kind == NodeKind::ask)
            for (const std::string& l : languages(run.machine().game))
                c.names.push_back(plain_form(label(run.machine().game, run.machine().game.words[step_of(run).a], l)));
        if (value == 0)
            for (const std::string& name : names_of_no(run)) c.names.push_back(name);
        c.move = value;
        choices.listed.push_back(c);
    }
}

void add_moves(const Run& run, Choices& choices, const Globals& g, int you) {
    const Game& game = run.machine().game;
    const Type type = type_at(run);
    const std::uint64_t moves = run.node().moves;
    const bool yes_first = type.base == Base::truth;  // as wherever a yes or a no is asked for
    for (std::uint64_t i = 0; i < moves; ++i) {
        const std::uint64_t m = yes_first ? moves - 1 - i : i;
        const Meant meant = run.meaning(m);
        Choice c;
        c.key = key_of(element_of(type), meant.values.empty() ? 0 : meant.values[0], choices.listed.size(), is_many(run));
        c.shown = offered_words(game, type, meant.values, g);
        if (type.base == Base::player && meant.values == std::vector<std::int32_t>{you} && you >= 0) c.shown += say(g, Text::that_is_you);
        if (meant.values.size() == 1) c.names = names_of(game, type, meant.values[0]);
        c.move = m;
        choices.listed.push_back(std::move(c));
    }
}

// All that may stand in a set that is typed.
std::vector<std::int32_t> elements_at(const Run& run) {
    const Node& n = run.node();
    if (n.moves > looked_at_most) return {};
    std::set<std::int32_t> values;
    for (std::uint64_t m = 0; m < n.moves; ++m)
        for (const std::int32_t v : run.meaning(m).values) values.insert(v);
    return {values.begin(), values.end()};
}

// Whether a number means the place in the list: not where the values themselves are numbers.
bool has_numbers(const Run& run) {
    const Type element = element_of(type_at(run));
    return element.base != Base::number && element.base != Base::player;
}

std::vector<Choice> elements_listed(const Run& run, const std::vector<std::int32_t>& values, const Globals& g) {
    std::vector<Choice> listed;
    for (std::size_t i = 0; i < values.size(); ++i) {
        Choice c;
        if (has_numbers(run)) c.key = std::to_string(i + 1);
        c.shown = offered_words(run.machine().game, element_of(type_at(run)), {values[i]}, g);
        listed.push_back(std::move(c));
    }
    return listed;
}

// How many are chosen together, with what would be typed for so many.
void add_number(Run& run, Choices& choices, const Globals& g) {
    choices.low = run.scalar(step_of(run).z);
    choices.high = run.scalar(step_of(run).w);
    const std::size_t number = std::max(choices.low, std::min(choices.high, 2));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < number; ++i) {
        const bool by_name = !has_numbers(run) && i < choices.values.size();
        texts.push_back(by_name ? value_words(run.machine().game, type_at(run), choices.values[i], g) : std::to_string(i + 1));
    }
    choices.example = fmt::format("{}", fmt::join(texts, ","));
}

// `A♠` as `♠ A`.
std::string glyph_first(const Game& game, const std::string& plain) {
    for (const NamedText& l : game.labels) {
        if (!are_glyphs(l.language)) continue;
        const std::string glyph = plain_form(l.text);
        if (plain.size() <= glyph.size() || !plain.ends_with(glyph)) continue;
        return plain_form(glyph + " " + plain.substr(0, plain.size() - glyph.size()));
    }
    return plain;
}

// A card by its rank first, `8S`, `QS`, `Q of SUIT`, as by its name: `SUIT Q`. Else the text as it is.
std::string suit_first(const Game& game, const std::string& part) {
    std::vector<std::string> typed = words_of(plain_form(part));
    std::erase(typed, "of");
    for (KindId k = 0; k < game.kind_count(); ++k)
        for (const std::string& language : languages(game)) {
            const std::string shown = kind_text(game, k, language);
            const std::vector<std::string> name = words_of(plain_form(shown));
            if (name.size() != 2) continue;
            const std::string& rank = name[1];
            const bool apart = typed.size() == 2 && typed[0] == rank && name[0].starts_with(typed[1]);
            const bool glued = typed.size() == 1 && typed[0].size() > rank.size() && typed[0].starts_with(rank) &&
                               name[0].starts_with(typed[0].substr(rank.size()));
            if (apart || glued) return shown;
        }
    return part;
}

// What was typed, and as what: `#9` is a number of the list, `[9]` a name.
struct Said {
    std::string text;
    bool as_key = true;
    bool as_name = true;
};
Said said(const Game& game, const std::string& plain) {
    if (plain.size() > 1 && plain.front() == '#') return {plain_form(plain.substr(1)), true, false};
    if (plain.size() > 2 && plain.front() == '[' && plain.back() == ']')
        return {plain_form(plain.substr(1, plain.size() - 2)), false, true};
    return {glyph_first(game, plain)};
}

// The value at that place of the list; nothing if the word is no such number.
std::optional<std::int32_t> numbered(const std::string& word, const std::vector<std::int32_t>& values) {
    if (word.empty() || word.size() > 4 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    const std::size_t number = std::stoul(word);
    return number >= 1 && number <= values.size() ? std::optional(values[number - 1]) : std::nullopt;
}

// The values that a typed word may stand for.
std::vector<std::int32_t> universe(const Run& run) {
    const Game& game = run.machine().game;
    const Type t = element_of(type_at(run));
    std::vector<std::int32_t> all;
    if (t.base == Base::kind) {
        for (std::size_t k = 0; k < game.kinds.size(); ++k)
            if (game.kinds[k].copies > 0 && (t.of == no_id || game.kinds[k].family == t.of)) all.push_back(k);
    } else {
        for (std::int32_t v = t.low; v <= t.high; ++v) all.push_back(v);
    }
    return all;
}

// What to type for a name, and for the number of the list that is written alike.
std::vector<std::string> two_meanings(const std::string& word, const std::string& at_that_number) {
    return {fmt::format("[{}]", word), fmt::format("#{} ({})", word, at_that_number)};
}

Meaning typed_values(const std::string& text, const Run& run, const std::vector<std::int32_t>& listed, const Globals& g) {
    const Game& game = run.machine().game;
    Meaning meaning;
    std::vector<std::int32_t> values;
    const std::string plain = plain_form(text);
    const bool none = plain == "nothing" || plain == "none" || plain == "なし" || plain == "-";
    for (const std::string& part : none ? std::vector<std::string>{} : typed_parts(text)) {
        const Said typed = said(game, plain_form(part));
        const std::string& word = typed.text;
        std::vector<std::int32_t> fitting;
        const auto at = typed.as_key && has_numbers(run) ? numbered(word, listed) : std::nullopt;
        for (const std::int32_t v : typed.as_name ? universe(run) : std::vector<std::int32_t>{}) {
            const std::vector<std::string> names = names_of(game, type_at(run), v);
            if (is_one_of(word, names)) {
                fitting = {v};
                break;
            }
            if (shortens_one(word, names)) fitting.push_back(v);
        }
        if (fitting.empty() && !at && typed.as_name)
            for (const std::int32_t v : listed.empty() ? universe(run) : listed)
                if (hints_at_one(word, names_of(game, type_at(run), v))) fitting.push_back(v);
        const bool is_name = fitting.size() == 1;
        const bool is_offered = is_name && (listed.empty() || std::ranges::find(listed, fitting[0]) != listed.end());
        if (at && is_offered && *at != fitting[0]) {
            meaning.what = Meaning::several;
            meaning.fitting = two_meanings(word, value_words(game, type_at(run), *at, g));
            meaning.part = part;
            return meaning;
        }
        if (at && !is_offered) fitting = {*at};
        if (fitting.size() != 1) {
            meaning.what = fitting.empty() ? Meaning::nothing : Meaning::several;
            for (const std::int32_t v : fitting)
                meaning.fitting.push_back(with_glyphs(offered_words(game, element_of(type_at(run)), {v}, g), game, false));
            meaning.part = part;
            return meaning;
        }
        values.push_back(fitting[0]);
    }
    meaning.value = run.move_for(values);
    meaning.what = meaning.value < run.node().moves ? Meaning::move : Meaning::nothing;
    return meaning;
}

}  // namespace

std::vector<std::string> names_to_type(const Run& run, const Choices& choices, const Globals& g) {
    std::vector<std::string> names;
    for (const Choice& c : choices.listed) names.push_back(c.shown);
    if (run.node().kind != NodeKind::choose && run.node().kind != NodeKind::report) return names;
    const Game& game = run.machine().game;
    const Type type = element_of(type_at(run));
    if (type.base == Base::number) return names;
    for (const std::int32_t value : universe(run)) names.push_back(value_words(game, type, value, g));
    return names;
}

std::vector<KindId> kinds_meant(const Game& game, const std::string& text) {
    Type type;
    type.base = Base::kind;
    const std::string plain = glyph_first(game, plain_form(text));
    std::vector<KindId> fitting;
    std::vector<KindId> hinted;
    for (std::size_t k = 0; k < game.kinds.size(); ++k) {
        const std::vector<std::string> names = names_of(game, type, k);
        if (is_one_of(plain, names)) return {KindId(k)};
        if (shortens_one(plain, names)) fitting.push_back(KindId(k));
        if (hints_at_one(plain, names)) hinted.push_back(KindId(k));
    }
    if (fitting.empty()) fitting = std::move(hinted);
    if (const std::string other = suit_first(game, text); fitting.empty() && other != text) return kinds_meant(game, other);
    return fitting;
}

Choices choices_at(Run& run, const std::vector<ActId>& acts, const Globals& g, int you) {
    const Game& game = run.machine().game;
    const Node& n = run.node();
    Choices choices;
    choices.question = question(run, g, you);
    choices.many = is_many(run);
    const bool yes_no = n.kind == NodeKind::consent || n.kind == NodeKind::ask;
    choices.typed = !yes_no && n.moves > (is_many(run) ? listed_sets_most : listed_most);
    if (yes_no)
        add_yes_no(run, choices, g);
    else if (choices.typed)
        choices.values = elements_at(run), choices.elements = elements_listed(run, choices.values, g);
    else
        add_moves(run, choices, g, you);
    if (choices.typed && is_many(run)) add_number(run, choices, g);
    for (std::size_t i = 0; i < acts.size(); ++i) {
        const std::string& name = game.acts[acts[i]].name;
        Choice c;
        c.key = "!" + (i == 0 ? "" : std::to_string(i + 1));
        c.shown = name_words(game, name, g);
        for (const std::string& l : languages(game)) c.names.push_back(plain_form(label(game, name, l)));
        c.act = acts[i];
        choices.listed.push_back(std::move(c));
    }
    return choices;
}

namespace {

Meaning meant_as_typed(const std::string& text, const Run& run, const Choices& choices, const Globals& g) {
    const Said typed = said(run.machine().game, plain_form(text));
    const std::string& plain = typed.text;
    const auto meaning_of = [](const Choice& c, bool exact) {
        return Meaning{
            c.act == no_id ? Meaning::move : Meaning::act, c.act == no_id ? c.move : static_cast<std::uint64_t>(c.act.value()), {}, exact};
    };
    const auto at = std::ranges::find_if(choices.listed, [&](const Choice& c) { return typed.as_key && plain == c.key; });
    const auto named = std::ranges::find_if(choices.listed, [&](const Choice& c) { return typed.as_name && is_one_of(plain, c.names); });
    if (at != choices.listed.end() && named != choices.listed.end() && at != named) {
        Meaning several;
        several.what = Meaning::several;
        several.fitting = two_meanings(plain, with_glyphs(at->shown, run.machine().game, false));
        return several;
    }
    if (at != choices.listed.end()) return meaning_of(*at, true);
    if (named != choices.listed.end()) return meaning_of(*named, true);
    std::vector<const Choice*> fitting;
    for (const Choice& c : choices.listed)
        if (typed.as_name && shortens_one(plain, c.names)) fitting.push_back(&c);
    if (fitting.empty() && typed.as_name && !choices.typed && !is_many(run))
        for (const Choice& c : choices.listed)
            if (hints_at_one(plain, c.names)) fitting.push_back(&c);
    if (fitting.size() == 1) return meaning_of(*fitting[0], false);
    if (fitting.size() > 1) {
        Meaning several;
        several.what = Meaning::several;
        for (const Choice* c : fitting) several.fitting.push_back(with_glyphs(c->shown, run.machine().game, false));
        return several;
    }
    if (!choices.typed && !is_many(run)) return {};
    const Meaning meaning = typed_values(text, run, choices.values, g);
    if (meaning.what == Meaning::move || !is_many(run)) return meaning;
    // Several that are typed as the table tells them, with nothing but spaces between.
    const Meaning apart = typed_values(fmt::format("{}", fmt::join(split(plain, ' '), ",")), run, choices.values, g);
    return apart.what == Meaning::move ? apart : meaning;
}

Meaning meant_by_either_order(const std::string& text, const Run& run, const Choices& choices, const Globals& g) {
    const Meaning meaning = meant_as_typed(text, run, choices, g);
    if (meaning.what != Meaning::nothing || element_of(type_at(run)).base != Base::kind) return meaning;
    std::vector<std::string> parts;
    for (const std::string& part : typed_parts(text)) parts.push_back(suit_first(run.machine().game, part));
    const Meaning other = meant_as_typed(fmt::format("{}", fmt::join(parts, ",")), run, choices, g);
    return other.what == Meaning::nothing ? meaning : other;
}

}  // namespace

// What is no name may be one that is written in the other kana.
Meaning meant_by(const std::string& text, const Run& run, const Choices& choices, const Globals& g) {
    const Meaning meaning = meant_by_either_order(text, run, choices, g);
    const std::string other = in_katakana(text);
    if (meaning.what != Meaning::nothing || other == text) return meaning;
    const Meaning in_other = meant_by_either_order(other, run, choices, g);
    return in_other.what == Meaning::nothing ? meaning : in_other;
}

bool names_something(const Run& run, const std::string& text) {
    const std::vector<std::int32_t> all = universe(run);
    // A card that is not among those on offer, also where it is asked whether somebody chooses one.
    const bool of_cards =
        run.node().kind != NodeKind::ask && element_of(run.machine().game.variables[step_of(run).a].type).base == Base::kind;
    return std::ranges::all_of(typed_parts(text), [&](const std::string& part) {
        if (of_cards && !kinds_meant(run.machine().game, part).empty()) return true;
        const Said typed = said(run.machine().game, plain_form(part));
        return std::ranges::any_of(all, [&](std::int32_t v) {
            const std::vector<std::string> names = names_of(run.machine().game, type_at(run), v);
            return is_one_of(typed.text, names) || shortens_one(typed.text, names) || hints_at_one(typed.text, names);
        });
    });
}

namespace {

std::string in_columns(const std::vector<Choice>& listed, std::size_t width) {
    std::string text;
    std::size_t widest = 0;
    for (const Choice& c : listed) widest = std::max(widest, display_width(c.key) + 2 + display_width(c.shown) + 3);
    const std::size_t columns = listed.size() <= 6 ? 1 : std::max<std::size_t>(1, (width - 2) / std::max<std::size_t>(1, widest));
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const Choice& c = listed[i];
        const bool last = i + 1 == listed.size() || (i + 1) % columns == 0;
        const std::string item = pad_left(c.key, listed.size() > 9 ? 2 : 1) + "  " + c.shown;
        text += (i % columns == 0 ? "  " : "") + (last ? item + "\n" : pad_right(item, widest));
    }
    return text;
}

}  // namespace

std::string print(const Choices& choices, std::size_t width, const Globals& g) {
    std::string text;
    const auto& elements = choices.elements;
    if (!elements.empty() && elements.front().key.empty()) {
        std::vector<std::string> shown;
        for (const Choice& c : elements) shown.push_back(c.shown);
        text = "  " + folded(fmt::format("{}", fmt::join(shown, say(g, Text::comma))), width - 2, 2) + "\n";
    } else {
        text = in_columns(elements, width);
    }
    return text + in_columns(choices.listed, width);
}

}  // namespace houserule::cli
