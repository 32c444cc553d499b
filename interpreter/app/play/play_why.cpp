#include "interpreter/app/play/play_why.hpp"

#include "dsl/book/book.hpp"
#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/telling.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/choices.hpp"
#include "interpreter/app/play/deciding_parts.hpp"
#include "interpreter/app/play/page_words.hpp"
#include "interpreter/run/seers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace houserule::cli {

namespace {

constexpr std::uint64_t meanings_most = 6;         // values
constexpr std::size_t about_most = 8;              // sentences about a value
constexpr std::size_t definitions_most = 6;        // that a condition is told with
constexpr std::size_t unfolded = 1'000'000;        // cells
constexpr std::uint64_t looked_through = 1 << 13;  // moves

// The lines of the file that a span stands on, indented.
std::string quoted(const AskedAt& s, Span span) {
    if (span.source >= s.rules.sources.size() || span.end <= span.begin) return "";
    const Source& source = s.rules.sources[span.source];
    std::string text;
    for (std::uint32_t line = source.line_of(span.begin); line <= source.line_of(span.end - 1); ++line)
        text += fmt::format("  {:>5} | {}\n", line, shown(source.line(line)));
    return text;
}

const Statement* statement_at(const AskedAt& s) {
    const Step& step = s.machine->code[s.run->node().step];
    return step.statement == no_id ? nullptr : &s.game().statements[step.statement];
}

const Expression* expression(const AskedAt& s, ExpressionId id) { return id == no_id ? nullptr : &s.game().expressions[id]; }

std::string condition_text(const AskedAt& s, Span condition) {
    std::string text;
    for (const Span span : with_definitions(s.rules.syntax, condition, definitions_most)) text += quoted(s, span);
    return text;
}

// What the value that is chosen here is one of.
Type chosen_type(const AskedAt& s) { return element_of(s.game().variables[s.machine->code[s.run->node().step].a].type); }

// ---------------------------------------------------------------- in words

// The condition in sentences, with each definition that it or another of them names; empty where there is no sentence for it.
std::string condition_in_words(const AskedAt& s, Span condition, std::size_t width, const Globals& g) {
    const Page page = page_of(s.rules, s.head.settings, g);
    const Item* const statement = item_about(page, condition);
    if (statement == nullptr) return "";
    std::string text = lines_of(*statement, 4, width);
    const std::vector<Span> spans = with_definitions(s.rules.syntax, condition, definitions_most);
    for (std::size_t i = 1; i < spans.size(); ++i)
        if (const Item* const item = item_about(page, spans[i]); item != nullptr && item != statement) text += lines_of(*item, 4, width);
    return text;
}

// What one fact is now; empty where it has no value.
std::string fact_here(const AskedAt& s, FactId id, std::int32_t index, const Globals& g) {
    const Fact& f = s.game().facts[id];
    if (f.type.base == Base::set) return values_words(s.game(), f.type, s.run->fact_set(id, index), g);
    const std::int32_t value = s.run->fact(id, index);
    return value == unset_value ? "" : value_words(s.game(), f.type, value, g);
}

// What the condition reads, with its definitions, as it is at this table: what is nobody's and what is the seat's own, as far as the seat
// sees it. `from`: the place that is chosen from, which is in sight anyhow.
std::string values_here(const AskedAt& s, Span condition, PlaceId from, const Globals& g) {
    const Game& game = s.game();
    const int seat = s.run->node().seat;
    std::vector<std::string> names;
    for (const Span span : with_definitions(s.rules.syntax, condition, definitions_most)) names_in(*s.rules.syntax.root, span, names);
    std::vector<std::string> all;
    const auto add = [&](Seers seers, IndexBy by, const std::string& name, const auto& value) {
        const bool own = by == IndexBy::player;
        const bool seen = seers == Seers::all || (own && seers == Seers::owner);
        if (!seen || (own && seat < 0) || by == IndexBy::enumeration || std::ranges::find(names, name) == names.end()) return;
        const std::string title = name_words(game, name, g);
        if (const std::string text = value(own ? seat : 0); !text.empty())
            all.push_back((own ? say(g, Text::told_your, title) : title) + say(g, Text::colon) + text);
    };
    for (const FactId f : game.facts.ids())
        add(game.facts[f].seers, game.facts[f].by, game.facts[f].name, [&](std::int32_t index) { return fact_here(s, f, index, g); });
    for (const Zone& z : game.zones)
        add(z.seers, z.by, z.name, [&](std::int32_t index) {
            const PlaceId place = z.first_place + index;
            if (place == from) return std::string();
            const std::vector<KindId> kinds = s.run->kinds_at(place);
            return kinds.empty() ? std::string("–") : cards_words(game, kinds, has_order(z.shape), g);
        });
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : say(g, Text::facts_apart)) + one;
    return text.empty() ? "" : folded("    " + say(g, Text::table_title) + say(g, Text::colon) + text, terminal_width(), 6) + "\n";
}

// Whether the name stands in this part of the file, outside its texts and comments.
bool is_named(const AskedAt& s, Span span, const std::string& name) {
    if (span.source >= s.rules.sources.size() || span.end <= span.begin) return false;
    const std::string_view text = s.rules.sources[span.source].text().substr(span.begin, span.end - span.begin);
    const auto is_word = [&](std::size_t at) { return at < text.size() && continues_identifier(decode(text.substr(at))); };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"' || text[at] == '#') {
            at = std::min(text.find(text[at] == '"' ? '"' : '\n', at + 1), text.size());
        } else if (text.compare(at, name.size(), name) == 0) {
            if ((at == 0 || !is_word(at - 1)) && !is_word(at + name.size())) return true;
        }
    }
    return false;
}

// Whether it stands in a declaration that says nothing of what a value is for: where it is listed, and in examples.
bool is_no_rule(const AskedAt& s, Span span) {
    return std::ranges::any_of(s.rules.syntax.root->children, [&](const SyntaxNode* d) {
        return (d->kind == Kind::d_enum || d->kind == Kind::d_example || d->kind == Kind::d_assume) && covers(d->span, span);
    });
}

// The innermost items that are about the name.
void items_naming(const AskedAt& s, const std::vector<Item>& items, const std::string& name, std::vector<const Item*>& found) {
    for (const Item& item : items) {
        const std::size_t before = found.size();
        items_naming(s, item.items, name, found);
        if (found.size() == before && is_named(s, item.span, name)) found.push_back(&item);
    }
}

// What the rules say of what is called so.
std::string rules_naming(const AskedAt& s, const std::string& name, const Globals& g) {
    const Page page = page_of(s.rules, s.head.settings, g);
    std::vector<const Item*> found;
    for (const Block& block : page.blocks)
        if (block.where != Where::print) items_naming(s, block.items, name, found);
    std::erase_if(found, [&](const Item* item) { return is_no_rule(s, item->span); });
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), about_most); ++i) text += lines_of(*found[i], 2, terminal_width());
    return text;
}

// What the rules say of a value that can be chosen here, as of one of several rules; empty for what is no value of an enum.
std::string about_value(const AskedAt& s, const Meaning& meant, const Globals& g) {
    if (s.run->node().kind != NodeKind::choose) return "";
    const Type type = chosen_type(s);
    const std::vector<std::int32_t> values = s.run->meaning(meant.value).values;
    if (type.base != Base::enumeration || type.of == no_id || values.size() != 1) return "";
    return rules_naming(s, s.game().enums[type.of].values[values[0]], g);
}

// Of cases that tell the names apart, each by one case alone: that case, in the order of the names. None where there are none.
std::vector<const Item*> cases_of(const AskedAt& s, const std::vector<Item>& items, const std::vector<std::string>& names) {
    for (const Item& item : items) {
        std::vector<const Item*> found;
        for (const std::string& name : names) {
            const auto names_it = [&](const Item& part) { return is_named(s, part.span, name); };
            if (std::ranges::count_if(item.items, names_it) != 1) break;
            found.push_back(&*std::ranges::find_if(item.items, names_it));
        }
        const std::set<const Item*> apart(found.begin(), found.end());
        if (apart.size() == names.size() && std::ranges::all_of(found, [](const Item* part) { return part->items.empty(); })) return found;
        if (auto inner = cases_of(s, item.items, names); !inner.empty()) return inner;
    }
    return {};
}

// What a card is: what belongs to it beside its name, and what the rules do with it by name.
std::string about_card(const AskedAt& s, KindId id, const Globals& g) {
    const PieceKind& kind = s.game().kinds[id];
    const Family& family = s.game().families[kind.family];
    std::string text;
    for (std::size_t i = 0; i < family.fields.size() && !kind.name.empty(); ++i) {
        const Field& field = family.fields[i];
        const bool many = field.type.base == Base::set;
        const std::string value = many ? values_words(s.game(), field.type, s.game().sets[kind.values[i]], g)
                                       : value_words(s.game(), field.type, kind.values[i], g);
        const std::string name = name_words(s.game(), field.name, g);
        if (value != kind_words(s.game(), id, g)) text += (text.empty() ? "" : say(g, Text::facts_apart)) + name + " " + value;
    }
    if (!text.empty()) text = folded("  " + kind_words(s.game(), id, g) + say(g, Text::colon) + text, terminal_width(), 4) + "\n";
    const bool is_alone = family.kind_count == 1 && kind.name.empty();
    return kind.name.empty() && !is_alone ? text : text + rules_naming(s, is_alone ? family.name : kind.name, g);
}

AskedAt asked_at(const Session& s) { return {s.rules, s.head, s.machine.get(), s.run.get()}; }

std::string source_of(const AskedAt& s, std::size_t width, const Globals& g) {
    const RuleId id = s.rule();
    if (id == no_id) return "";
    const Rule& rule = s.game().rules[id];
    const std::string text = rule_text(s.game(), rule.name, code_of(g.language));
    const Source& source = s.rules.sources[rule.span.source];
    const std::string at_hand =
        say(g, Text::rule_at_hand, name_words(s.game(), rule.name, g), std::filesystem::path(source.name()).filename().string(),
            source.line_of(rule.span.begin), text.empty() ? "" : say(g, Text::colon) + text);
    return folded_lines(at_hand, width);
}

std::string in_words(const AskedAt& s, std::size_t width, const Globals& g) {
    const RuleId id = s.rule();
    if (id == no_id) return "";
    const Rule& rule = s.game().rules[id];
    const std::string text = rule_text(s.game(), rule.name, code_of(g.language));
    return folded("  " + name_words(s.game(), rule.name, g) + (text.empty() ? "" : say(g, Text::colon) + text), width, 4) + "\n";
}

// Whether it can be told the seat that is asked which cards lie at the place.
bool is_seen(const AskedAt& s, PlaceId place) {
    const std::int32_t seat = s.run->node().seat;
    return seat >= 0 && (seers_of(*s.machine, place) & seat_bit(seat)) != 0;
}

// The place where the cards lie that are chosen from; no_id: no single one.
PlaceId chosen_from(const AskedAt& s, ExpressionId set) {
    const Expression& x = s.game().expressions[set];
    switch (x.op) {
        case Operator::cards_at:
            return s.run->scalar(x.a);
        case Operator::cards_where:
        case Operator::cards_or_if_none:
        case Operator::cards_minus:
            return chosen_from(s, x.a);
        case Operator::cards_conditional:
            return chosen_from(s, s.run->truth(x.a) ? x.b : x.c);
        default:
            return no_id;
    }
}

std::string card_called(const Game& game, KindId kind, const Globals& g) {
    Type type;
    type.base = Base::kind;
    return with_glyphs(offered_words(game, type, {kind}, g), game, false);
}

// Why no card that is called so is offered. `kind`: where only one is called so.
std::string why_none(const AskedAt& s, const std::string& called, std::optional<KindId> kind, bool with_source, std::size_t width,
                     const Globals& g) {
    const Statement* statement = statement_at(s);
    const auto* choice = statement == nullptr ? nullptr : statement->as<statement::Choose>();
    const Expression* from = choice == nullptr ? nullptr : expression(s, choice->set == no_id ? choice->low : choice->set);
    if (from == nullptr) return with_source ? source_of(s, width, g) : in_words(s, width, g);
    const ExpressionId set = choice->set == no_id ? choice->low : choice->set;
    const bool filtered = from->op == Operator::cards_where || from->op == Operator::set_where;
    // Only where it can be counted at one place that is seen: is it there at all?
    const PlaceId here = chosen_from(s, set);
    if (kind && here != no_id && is_seen(s, here)) {
        const std::vector<KindId> there = s.run->kinds_at(here);
        const Listener asked{seat_bit(s.run->node().seat), s.run->node().seat};
        if (std::find(there.begin(), there.end(), *kind) == there.end())
            return folded_lines(say(g, Text::card_not_there, called, place_words(s.game(), here, asked, g)), width);
    }
    if (kind && !with_source) {
        std::string text;
        for (const std::string& part : what_keeps_out(s, *kind, set, g)) text += folded("    " + part, width, 6) + "\n";
        if (!text.empty()) return folded_lines(say(g, Text::its_condition_forbids, called), width) + text;
    }
    const bool has_condition = filtered && expression(s, from->b) != nullptr;
    const std::string verdict =
        folded_lines(has_condition ? say(g, Text::its_condition_forbids, called) : say(g, Text::offers_only_this, called), width);
    const Span whole = statement->span.end - statement->span.begin < 400 ? statement->span : from->span;
    if (const std::string words = with_source ? "" : condition_in_words(s, from->span, width, g); !words.empty())
        return verdict + words + (width == unfolded ? "" : values_here(s, from->span, here, g));
    return source_of(s, width, g) + verdict + condition_text(s, whole);
}

// Whether a card of the kind is in a move that is offered; of very many moves nobody knows.
bool is_offered(const AskedAt& s, KindId kind) {
    const Node& n = s.run->node();
    if (n.kind != NodeKind::choose || chosen_type(s).base != Base::kind) return false;
    for (std::uint64_t m = 0; m < std::min(n.moves, looked_through); ++m)
        for (const std::int32_t v : s.run->meaning(m).values)
            if (v >= 0 && PlacedKind::of_value(v).kind == kind) return true;
    return false;
}

}  // namespace

std::string source_of_rule(const Session& s, const Globals& g) { return source_of(asked_at(s), terminal_width(), g); }

std::string rule_in_words(const Session& s, const Globals& g) { return in_words(asked_at(s), terminal_width(), g); }

std::string what_decided(const Session& s, const Globals& g) {
    const Winner& winner = s.game().winner;
    const std::vector<std::int32_t> scores = s.run->scores();
    const Operator compared = winner.set == no_id ? Operator::set_constant : s.game().expressions[winner.set].op;
    // Who has won by a number is told; what is marked on the table says so itself.
    const bool is_condition =
        compared == Operator::set_where && !winner.together &&
        any_read(s.game(), winner.set, [](const Expression& x) { return x.op == Operator::less || x.op == Operator::less_equal; });
    if (!is_condition && (scores.empty() || (compared != Operator::set_most && compared != Operator::set_least))) return "";
    const bool most = compared == Operator::set_most;
    bool is_tie = false;
    if (!is_condition) {
        const std::int32_t best = most ? *std::ranges::max_element(scores) : *std::ranges::min_element(scores);
        Random lots = s.random;
        is_tie = std::cmp_greater(std::ranges::count(scores, best), s.run->winners(lots).size());
    }
    if (most && !is_tie) return "";
    const Page page = page_of(s.rules, s.head.settings, g);
    const auto& declared = s.rules.syntax.root->children;
    std::string text;
    for (const SyntaxNode* d : declared) {
        if (d->kind != Kind::d_winner) continue;
        for (const Block& block : page.blocks) {
            if (block.items.empty() || !covers(d->span, block.items.front().span)) continue;
            const std::size_t told = is_tie ? std::min(1 + winner.keys.size(), block.items.size()) : 1;
            text.clear();
            for (std::size_t i = 0; i < told; ++i) text += lines_of(block.items[i], 2, terminal_width());
        }
    }
    return text;
}

std::string what_values_mean(const Session& s, const Globals& g) {
    const Node& node = s.run->node();
    if (node.kind != NodeKind::choose || node.moves < 2 || node.moves > meanings_most) return "";
    const Type type = s.game().variables[s.machine->code[node.step].a].type;
    if (type.base != Base::enumeration || type.of == no_id) return "";
    std::vector<std::string> names;
    for (std::uint64_t m = 0; m < node.moves; ++m)
        for (const std::int32_t v : s.run->meaning(m).values)
            if (v >= 0) names.push_back(s.game().enums[type.of].values[v]);
    if (names.size() != node.moves) return "";
    const AskedAt here = asked_at(s);
    const Page page = page_of(here.rules, here.head.settings, g);
    std::string text;
    for (const Block& block : page.blocks) {
        if (block.where == Where::print || !text.empty()) continue;
        for (const Item* item : cases_of(here, block.items, names)) text += lines_of(*item, 4, terminal_width());
    }
    return text;
}

// A rule with its text, or how a definition is said.
std::string about_rule(const AskedAt& s, const std::string& name, const Globals& g) {
    const Game& game = s.game();
    const std::string plain = plain_form(name);
    const auto is_called = [&](const std::string& id) { return names_in_languages(game, id).contains(plain); };
    for (const Rule& rule : game.rules)
        if (is_called(rule.name))
            if (std::string text = text_told(game, rule.name, 2, g); !text.empty()) return text;
    for (const SyntaxNode* d : s.rules.syntax.root->children) {
        if (d->kind != Kind::d_define || d->children.empty() || !is_called(d->children[0]->text)) continue;
        const Page page = page_of(s.rules, s.head.settings, g);
        if (const Item* const item = item_about(page, d->span); item != nullptr) return lines_of(*item, 2, terminal_width());
    }
    return "";
}

std::string about_name(const Session& s, const std::string& name, const Globals& g) {
    const std::vector<KindId> kinds = kinds_meant(s.game(), name);
    if (kinds.empty()) return folded_lines(say(g, Text::nothing_is_called, shown(name)), terminal_width());
    std::string text;
    for (const KindId kind : kinds) text += about_card(asked_at(s), kind, g);
    return text.empty() ? folded_lines(say(g, Text::nothing_more_to_say, shown(name)), terminal_width()) : text;
}

std::string why_not(const Session& s, const std::string& name, bool with_source, const Globals& g) {
    const AskedAt here = asked_at(s);
    const Choices choices = choices_at(*s.run, {}, g);
    const Meaning m = meant_by(name, *s.run, choices, g);
    std::vector<KindId> kinds = kinds_meant(s.game(), name);
    // By its number in a list of which several are chosen.
    const auto number = choices.many && chosen_type(here).base == Base::kind ? count_in(name) : std::nullopt;
    if (kinds.empty() && number && *number >= 1 && *number <= choices.values.size())
        kinds = {PlacedKind::of_value(choices.values[*number - 1]).kind};
    if (m.what == Meaning::move && s.run->node().kind == NodeKind::choose)
        if (const std::vector<std::int32_t> values = s.run->meaning(m.value).values;
            values.size() == 1 && values[0] >= 0 && chosen_type(here).base == Base::kind)
            kinds = {PlacedKind::of_value(values[0]).kind};
    const bool one = kinds.size() == 1;
    const std::string about = one ? about_card(here, kinds[0], g) : m.what == Meaning::move ? about_value(here, m, g) : "";
    if (m.what == Meaning::move && one)
        return about + folded_lines(say(g, Text::can_be_chosen, card_called(s.game(), kinds[0], g)), terminal_width());
    if (m.what == Meaning::move) return about.empty() ? folded_lines(say(g, Text::can_be_chosen, shown(name)), terminal_width()) : about;
    if (kinds.empty() && !with_source)
        if (const std::string rule = about_rule(here, name, g); !rule.empty()) return rule;
    if (kinds.empty() && !with_source && !names_something(*s.run, name))
        return folded_lines(say(g, Text::nothing_is_called, shown(name)), terminal_width());
    if (one && is_offered(here, kinds[0]))
        return about.empty() ? folded_lines(say(g, Text::can_be_chosen, shown(name)), terminal_width()) : about;
    const std::string called = one ? card_called(s.game(), kinds[0], g) : shown(name);
    return about + why_none(here, called, one ? std::optional(kinds[0]) : std::nullopt, with_source, terminal_width(), g);
}

std::string why_no_card(const AskedAt& where, KindId kind, const Globals& g) {
    const std::string called = card_called(where.game(), kind, g);
    if (is_offered(where, kind)) return say(g, Text::can_be_chosen, called);
    return why_none(where, called, kind, false, unfolded, g);
}

}  // namespace houserule::cli
