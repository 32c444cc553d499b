#include "interpreter/app/companion/table_talk.hpp"

#include "dsl/game/placed_kind.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/log/line.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace houserule::cli {

namespace {

constexpr std::size_t row_indent = 11;    // of what does not fit into the first line of a row
constexpr std::size_t numbered_most = 5;  // of what can come next; of more, a row for each form
constexpr std::size_t met_shown = 8;      // values of a form, in its row
constexpr std::size_t no_index = -1;      // before the first
constexpr std::size_t fitting_most = 5;   // of what a line can mean; when there are more, it is asked

std::string row(const std::string& mark, const std::string& text) {
    return folded(fmt::format("  {:>5}  {}", mark, text), terminal_width(), row_indent) + "\n";
}

// Whether numbers are told in it, which a number in the list would be taken for.
bool tells_numbers(const Game& game, const Event& e) {
    const bool variable = e.kind == EventKind::choice || e.kind == EventKind::report || e.kind == EventKind::lot;
    if (!variable && e.kind != EventKind::becomes) return false;
    const Base base = element_of(variable ? game.variables[e.name].type : game.facts[e.name].type).base;
    return base == Base::number || base == Base::player;
}

// Whether so many cards are told by it that those which were met say nothing of those that come.
bool tells_many(const Event& e) {
    constexpr std::size_t few = 4;
    return (e.kind == EventKind::shows || e.kind == EventKind::move) && e.faces != 0 && e.pieces.size() > few;
}

// A sentence within another one.
std::string without_stop(std::string sentence) {
    for (const std::string_view stop : {".", "。"})
        if (sentence.ends_with(stop)) return sentence.substr(0, sentence.size() - stop.size());
    return sentence;
}

// The values or cards that are told in it.
std::vector<std::int32_t> told_in(const Event& e) { return e.values.empty() ? e.pieces : e.values; }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = what.empty() ? std::string::npos : text.rfind(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace

bool TableTalk::sees(PlaceId place) const {
    return place != no_id && (seers_of(companion_.machine(), place) & seat_bit(companion_.seat())) != 0;
}

// Several people, who types among them as `you`.
std::string TableTalk::people(Seats who) const {
    std::vector<std::string> names;
    for (int seat = 0; seat < companion_.machine().game.players; ++seat)
        if ((who & seat_bit(seat)) != 0) names.push_back(person_words(seat, listener(), g_));
    return fmt::format("{}", fmt::join(names, say(g_, Text::comma)));
}

std::string TableTalk::sentence(const Event& e) const { return told_event(companion_.machine(), e, listener(), g_); }

// Of what may come.
std::string TableTalk::coming(const Event& e) const {
    return told_event(companion_.machine(), e, {seat_bit(companion_.seat()), companion_.seat(), true}, g_);
}

std::string TableTalk::sentence(const Events& events) const {
    std::vector<std::string> texts;
    for (const Event& e : as_told(events, 0, seat_bit(companion_.seat()))) {
        if (!texts.empty()) texts.back() = without_stop(texts.back());
        texts.push_back(sentence(e));
    }
    return fmt::format("{}", fmt::join(texts, say(g_, Text::semicolon)));
}

// The events from `first` to `end` as the table tells them, a row each, the number of the line before the first. Where their author keeps
// quiet about all of them, what they are.
std::string TableTalk::told(std::size_t first, std::size_t end, const std::string& before) const {
    const Events events(companion_.events().begin(), companion_.events().begin() + end);
    std::string text;
    const auto add = [&](const std::string& sentence) { text += row(text.empty() ? before : "", sentence); };
    for (const ToldLine& line : told_lines(companion_.machine(), events, first, listener(), g_))
        if (line.what == ToldLine::sentence) add(with_glyphs(line.text, companion_.machine().game, false));
    if (!text.empty()) return text;
    for (std::size_t i = first; i < end; ++i) add(sentence(events[i]));
    return text;
}

std::string TableTalk::sentences(std::size_t first) const {
    const auto& typed = companion_.typed();
    if (typed.empty() || first < typed.front().before) return numbered();
    std::string text;
    for (std::size_t i = 0; i < typed.size(); ++i)
        if (typed[i].before >= first) text += line(i);
    return text;
}

std::string TableTalk::line(std::size_t i) const {
    const auto& typed = companion_.typed();
    const std::size_t end = i + 1 < typed.size() ? typed[i + 1].before : companion_.events().size();
    return told(typed[i].before, end, fmt::format("{}", i + 1));
}

std::string TableTalk::numbered() const {
    const auto& typed = companion_.typed();
    std::string text = told(0, typed.empty() ? companion_.events().size() : typed.front().before, "");
    for (std::size_t i = 0; i < typed.size(); ++i) text += line(i);
    return text;
}

std::string TableTalk::table() const {
    const auto run = run_at_witness(companion_.deduction());
    if (!run) return say(g_, Text::no_table_known);
    return table_text(*run, seat_bit(companion_.seat()), companion_.seat(), terminal_width(), g_);
}

// ---------------------------------------------------------------- what can come next

// What a fact may become: its value need not stand in the sentence that tells it.
std::string TableTalk::each_value(const Form& form) const {
    std::vector<std::string> sentences;
    for (const Event& met : form.met) {
        if (sentences.size() == met_shown) break;
        sentences.push_back(without_stop(coming(met)));
    }
    return fmt::format("{}{}", fmt::join(sentences, " / "), form.met.size() > met_shown ? " / …" : "");
}

// `♣ 2 – ♣ A / ♦ 5 – ♦ 9`: of cards that follow each other in their suit the first and the last. Empty where they are not told so.
std::string TableTalk::in_runs(const Form& form) const {
    const Game& game = companion_.machine().game;
    std::set<KindId> kinds;
    for (const Event& met : form.met) {
        const std::vector<std::int32_t> told = told_in(met);
        if (met.pieces.empty() || told.size() != 1 || told[0] < 0) return "";
        kinds.insert(KindId(told[0]));
    }
    if (kinds.size() <= met_shown) return "";
    const auto follows = [&](KindId a, KindId b) {
        const PieceKind& one = game.kinds[a];
        const PieceKind& next = game.kinds[b];
        return b == a + 1 && one.family == next.family && one.values.size() > 1 && one.values[0] == next.values[0];
    };
    std::vector<std::string> parts;
    for (auto from = kinds.begin(); from != kinds.end();) {
        auto to = from;
        while (std::next(to) != kinds.end() && follows(*to, *std::next(to))) ++to;
        const std::string first = hand_words(game, {*from}, g_);
        parts.push_back(from == to ? first
                                   : fmt::format("{}{}{}", first, std::next(from) == to ? " / " : " – ", hand_words(game, {*to}, g_)));
        from = std::next(to);
    }
    if (parts.size() > met_shown) return "";
    return with_glyphs(fmt::format("{}", fmt::join(parts, " / ")), game, false);
}

// `P2: hand → table: rose / pine / …`
std::string TableTalk::form_sentence(const Form& form) const {
    const std::string first = coming(form.like);
    const Game& game = companion_.machine().game;
    // As they stand in the sentence.
    const auto cards = [&](const std::vector<std::int32_t>& kinds) { return with_glyphs(told_cards(game, kinds, g_), game, false); };
    if (tells_many(form.like)) return replaced(first, cards(form.like.pieces), "…");
    if (form.met.size() == 1) return first;
    if (form.like.kind == EventKind::becomes) return each_value(form);
    const auto chosen = [&](const Event& met, const std::vector<std::int32_t>& values) {
        return with_glyphs(told_values(game, game.variables[met.name].type, values, listener(), g_), game, false);
    };
    std::set<std::string> shown;
    std::string values = in_runs(form);
    std::string like;
    if (!values.empty()) return replaced(first, cards(form.like.pieces), values);
    const bool are_cards = !form.like.pieces.empty();
    for (const Event& met : form.met) {
        const std::vector<std::int32_t> told = told_in(met);
        const std::string text = told.empty()                  ? ""
                                 : are_cards                   ? cards(told)
                                 : met.kind == EventKind::acts ? person_words(told.front(), listener(), g_)
                                                               : chosen(met, told);
        if (&met == &form.met.front()) like = text;
        // Of several: what can be among them, not each way to put it together.
        std::vector<std::string> parts{text};
        if (met.kind == EventKind::choice && told.size() > 1) {
            parts.clear();
            for (const std::int32_t value : told) parts.push_back(chosen(met, {value}));
        }
        if (met.kind == EventKind::move && are_cards) {
            parts.clear();
            for (auto from = told.begin(), to = from; from != told.end(); from = to) {
                to = std::find_if(from, told.end(), [&](std::int32_t kind) { return kind != *from; });
                parts.push_back(cards({from, to}));
            }
        }
        for (const std::string& part : parts) {
            if (part.empty() || !shown.insert(part).second) continue;
            if (shown.size() > met_shown) return replaced(first, like, values + " / …");
            values += (values.empty() ? "" : " / ") + part;
        }
    }
    return replaced(first, like, values);
}

// Where several people may each have done the same, who did is asked in one row.
std::string TableTalk::who_did(std::vector<Form>& forms) const {
    const Game& game = companion_.machine().game;
    const auto way = [&](const Form& form) {
        const Zone* const from = zone_of(game, form.like.from);
        const Zone* const to = zone_of(game, form.like.to);
        return form.like.kind == EventKind::move && from != nullptr && to != nullptr ? std::pair(from, to)
                                                                                     : std::pair<const Zone*, const Zone*>();
    };
    std::string text;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const auto asked = way(forms[i]);
        std::vector<std::string> names;
        for (const Form& form : forms)
            if (const int who = doer(game, form.like); way(form) == asked && asked.first != nullptr && who >= 0)
                names.push_back(person_words(who, listener(), g_));
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
        if (names.size() < 2) continue;
        text += row("", say(g_, Text::who_did, name_words(game, asked.first->name, g_), name_words(game, asked.second->name, g_),
                            fmt::format("{}", fmt::join(names, " / "))));
        std::erase_if(forms, [&](const Form& form) { return way(form) == asked; });
        i = no_index;
    }
    return text;
}

// One row a call, with the seats that may.
std::string TableTalk::calls() const {
    std::string text;
    const Events any = companion_.next_at_any_time();
    std::set<Operand> told;
    for (const Event& e : any) {
        if (!told.insert(e.name).second) continue;
        Seats who = 0;
        for (const Event& other : any)
            for (const std::int32_t seat : other.name == e.name ? other.values : std::vector<std::int32_t>{}) who |= seat_bit(seat);
        text += row("", say(g_, Text::at_any_time, name_words(companion_.machine().game, companion_.machine().game.acts[e.name].name, g_),
                            people(who)));
    }
    return text;
}

bool TableTalk::is_over() const { return !companion_.blind() && companion_.next().over && companion_.next_in_turn().empty(); }

std::string TableTalk::what_is_next(std::vector<Events>& offered) const {
    offered.clear();
    const Events events = companion_.next_in_turn();
    if (companion_.blind()) return "";
    if (is_over()) {
        std::string result;
        for (const std::string& one : split(known_result(companion_.deduction(), companion_.seat(), g_), '\n'))
            if (!one.empty()) result += folded("  " + one, terminal_width(), 4) + "\n";
        return result.empty() ? say(g_, Text::game_is_over) : result;
    }
    const std::string any = calls();
    if (events.empty() && any.empty()) return "";
    const Game& game = companion_.machine().game;
    const bool numbers =
        events.size() <= numbered_most && std::ranges::none_of(events, [&](const Event& e) { return tells_numbers(game, e); });
    const auto usual = companion_.usual();
    std::string text = say(g_, Text::what_comes_next);
    if (usual) text += row(say(g_, Text::key_enter), coming(*usual));
    if (!usual && companion_.may_go_on_without()) text += row(say(g_, Text::key_enter), say(g_, Text::nothing_more_happened));
    Events others = events;
    std::erase_if(others, [&](const Event& e) { return usual && e == *usual; });
    std::vector<Form> forms = forms_of(others);
    if (!numbers) text += who_did(forms);
    for (const Form& form : forms) {
        if (!numbers || tells_many(form.like)) {
            text += row("", form_sentence(form));
            continue;
        }
        for (const Event& met : form.met) {
            offered.push_back({met});
            text += row(std::to_string(offered.size()), coming(met));
        }
    }
    return text + any;
}

std::string TableTalk::all_that_is_next(std::vector<Events>& offered) const {
    offered.clear();
    std::string text = say(g_, Text::what_comes_next);
    for (const Event& e : companion_.next_in_turn()) text += row("", coming(e));
    return text + calls();
}

std::string TableTalk::which(const std::vector<Events>& fitting, std::vector<Events>& offered) const {
    offered.clear();
    if (fitting.size() <= fitting_most) {
        std::string text = say(g_, Text::several_fit);
        std::vector<std::string> sentences;
        for (const Events& events : fitting) sentences.push_back(sentence(events));
        for (const Events& events : fitting) {
            // The author's sentence may leave out what they differ in.
            const std::string& own = sentences[offered.size()];
            const bool alike = std::ranges::count(sentences, own) > 1;
            offered.push_back(events);
            text += row(std::to_string(offered.size()), alike && events.size() == 1 ? coming(events.front()) : own);
        }
        return text;
    }
    const Event& first = fitting.front().front();
    const auto differs = [&](auto part) {
        return std::ranges::any_of(fitting, [&](const Events& e) { return part(e.front()) != part(first); });
    };
    std::vector<std::string> questions;
    const Game& game = companion_.machine().game;
    if (differs([&](const Event& e) { return doer(game, e); })) questions.push_back(say(g_, Text::ask_who));
    if (differs([](const Event& e) { return std::pair(told_in(e), e.value); })) questions.push_back(say(g_, Text::ask_which));
    if (differs([](const Event& e) { return std::pair(e.from, e.to); })) questions.push_back(say(g_, Text::ask_where));
    if (questions.empty()) questions.push_back(say(g_, Text::ask_what));
    return say(g_, Text::many_fit, fitting.size(), fmt::format("{}", fmt::join(questions, " ")));
}

// ---------------------------------------------------------------- what does not fit

std::string TableTalk::why_not(const std::string& text, const Typing& typing) const {
    if (typing.what == Typing::not_read) return not_read(text, typing);
    if (typing.what == Typing::out_of_turn) return out_of_turn();
    std::string why;
    for (const Event& e : typing.tried)
        if (why.empty()) why = why_not_there(e);
    return say(g_, Text::does_not_fit, without_stop(sentence(typing.tried))) + why + say(g_, Text::nothing_was_changed);
}

std::string TableTalk::not_read(const std::string& text, const Typing& typing) const {
    if (const auto slip = companion_.words().slip_in(text)) {
        const std::string near = slip->near.empty() ? "\n" : say(g_, Text::perhaps_meant, slip->near);
        return say(g_, Text::word_not_known, shown(slip->word)) + near + say(g_, Text::nothing_was_changed);
    }
    if (const std::string word = said_word(text); !word.empty())
        return say(g_, Text::word_is_not_told, word) + say(g_, Text::nothing_was_changed);
    if (const std::string call = call_meant(text, false); !call.empty())
        return say(g_, Text::call_in_full, call) + say(g_, Text::nothing_was_changed);
    if (const std::string call = call_meant(text, true); !call.empty())
        return say(g_, Text::call_not_now, call) + say(g_, Text::nothing_was_changed);
    if (text.find(':') == std::string::npos && text.find("->") == std::string::npos)
        return say(g_, Text::cannot_come_next) + say(g_, Text::nothing_was_changed);
    std::string why = say(g_, Text::line_not_understood);
    for (const std::string& problem : typing.problems) why += "    " + problem + "\n";
    return why;
}

// The word that somebody may be asked whether to say, and that is in the text; empty: none is.
std::string TableTalk::said_word(const std::string& text) const {
    const Game& game = companion_.machine().game;
    const std::vector<std::string> typed = split(plain_form(text), ' ');
    const auto is_there = [&](const std::string& name) { return std::ranges::find(typed, name) != typed.end(); };
    for (const std::string& word : game.words)
        if (std::ranges::any_of(names_in_languages(game, word), is_there)) return name_words(game, word, g_);
    return "";
}

// The call of which a word is there, in full or shortened; empty: of none. Of those that can come next, or of all.
std::string TableTalk::call_meant(const std::string& text, bool of_all) const {
    const Game& game = companion_.machine().game;
    std::vector<ActId> calls;
    for (const Event& e : companion_.next_at_any_time()) calls.emplace_back(e.name);
    for (ActId act(0); of_all && act < ActId(game.acts.size()); ++act) calls.push_back(act);
    for (const ActId act : calls) {
        const std::string name = name_words(game, game.acts[act].name, g_);
        for (const std::string& word : split(plain_form(text), ' '))
            if (display_width(word) > 1 && plain_form(name).starts_with(word)) return name;
    }
    return "";
}

std::string TableTalk::out_of_turn() const {
    Seats now = 0;
    for (const Event& e : companion_.next_in_turn())
        if (const int seat = doer(companion_.machine().game, e); seat >= 0) now |= seat_bit(seat);
    const std::string whose = now == seat_bit(companion_.seat()) ? say(g_, Text::your_turn) : say(g_, Text::turn_of, people(now));
    return say(g_, Text::out_of_turn, whose) + say(g_, Text::nothing_was_changed);
}

// Why the cards of the event cannot lie where it takes them from; empty when that is not the reason.
std::string TableTalk::why_not_there(const Event& e) const {
    const Game& game = companion_.machine().game;
    const bool choice = e.kind == EventKind::choice && element_of(game.variables[e.name].type).base == Base::kind && e.faces != 0;
    for (const std::int32_t value : choice ? e.values : e.pieces) {
        if (value < 0) continue;
        const KindId kind = PlacedKind::of_value(value).kind;
        const std::string elsewhere = lies_elsewhere(e, kind);
        if (!elsewhere.empty()) return elsewhere;
        if (choice || e.from == no_id) continue;
        if (companion_.deduction().possible(e.from, kind) != Answer::no) continue;
        std::string why = say(g_, Text::card_cannot_be_there, kind_words(game, kind, g_), place_words(game, e.from, listener(), g_));
        std::set<std::size_t> lines;
        for (const Reason& r : companion_.deduction().why_not(e.from, kind).reasons)
            if (r.event < companion_.events().size()) lines.insert(companion_.line_of(r.event));
        lines.erase(0);
        why += lines.empty() ? "\n" : ":\n";
        for (const std::size_t n : lines) why += line(n - 1);
        return why;
    }
    return "";
}

// When every copy of the card lies where this seat sees it: where, and since when; or that it is not that, where one lies where the event
// takes it from, or before whoever chooses it.
std::string TableTalk::lies_elsewhere(const Event& e, KindId kind) const {
    const auto run = run_at_witness(companion_.deduction());
    if (!run) return "";
    const Game& game = companion_.machine().game;
    std::int32_t copies = 0;
    bool at_hand = false;
    std::string text;
    for (PlaceId place = 1; place < game.places; ++place) {
        const std::vector<KindId> there = sees(place) ? run->kinds_at(place) : std::vector<KindId>{};
        const auto here = static_cast<std::int32_t>(std::ranges::count(there, kind));
        copies += here;
        if (here == 0) continue;
        at_hand = at_hand || (e.from > 0 ? place == e.from : e.seat >= 0 && owner_of(game, place) == e.seat);
        std::size_t since = 0;
        for (std::size_t i = 0; i < companion_.events().size(); ++i) {
            const Event& came = companion_.events()[i];
            if (came.to == place && std::ranges::find(came.pieces, kind) != came.pieces.end()) since = companion_.line_of(i);
        }
        text += say(g_, Text::card_lies_there, kind_words(game, kind, g_), place_words(game, place, listener(), g_));
        text += since == 0 ? "\n" : say(g_, Text::since_line, since);
    }
    if (copies != game.kinds[kind].copies) return "";
    return at_hand ? std::string(say(g_, Text::not_allowed_now)) : text;
}

std::string TableTalk::clash(std::size_t number, const Companion::Line& line, const Typing& typing) const {
    // What is new, with what stands there; or a line after it.
    const bool is_new = !line.text.empty() && number <= companion_.typed().size();
    std::string fitting;
    if (typing.what == Typing::several) {
        fitting = say(g_, Text::several_fit_that_line, typing.fitting.size());
        for (std::size_t i = 0; i < std::min(typing.fitting.size(), fitting_most); ++i) fitting += row("", sentence(typing.fitting[i]));
    }
    const std::string what = line.text.empty() ? sentence(line.told) : shown(line.text);
    return (is_new ? say(g_, Text::line_cannot_be, number, what) + this->line(number - 1)
                   : say(g_, Text::line_fits_no_more, number, what)) +
           say(g_, Text::nothing_was_changed) + say(g_, Text::fix_several, number) + fitting;
}

// ---------------------------------------------------------------- changes

std::optional<std::vector<LineEdit>> read_edits(const std::string& text, std::size_t lines) {
    std::vector<LineEdit> edits;
    for (const std::string& part : split(text, ';')) {
        std::size_t number = 0;
        const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        std::string what(trim({rest, part.data() + part.size()}));
        if (error != std::errc() || number == 0 || number > lines || what.empty()) return std::nullopt;
        LineEdit edit{LineEdit::change, number - 1, what};
        const std::string word = plain_form(what.substr(0, what.find(' ')));
        if (word == "-" || word == "delete" || word == "消す") edit.what = LineEdit::remove;
        if (word.starts_with("+")) {
            edit.what = LineEdit::insert;
            edit.text = trim(what.substr(1));
            if (edit.text.empty()) return std::nullopt;
        }
        edits.push_back(std::move(edit));
    }
    return edits;
}

EditedLines edited_lines(const std::vector<Companion::Line>& typed, const std::vector<LineEdit>& edits) {
    EditedLines edited;
    edited.first = typed.size();
    for (const LineEdit& edit : edits) edited.first = std::min(edited.first, edit.line);
    for (std::size_t i = edited.first; i < typed.size(); ++i) {
        Companion::Line line = typed[i];
        bool stays = true;
        for (const LineEdit& edit : edits) {
            if (edit.line != i) continue;
            if (edit.what == LineEdit::insert) {
                edited.lines.push_back({0, {}, edit.text});
                edited.numbers.push_back(i + 1);
            } else if (edit.what == LineEdit::change) {
                line.text = edit.text;
            } else {
                stays = false;
            }
        }
        if (!stays) continue;
        edited.lines.push_back(std::move(line));
        edited.numbers.push_back(i + 1);
    }
    return edited;
}

}  // namespace houserule::cli
