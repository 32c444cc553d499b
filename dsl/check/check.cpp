// `check` itself: what is read in which order, in which variants, and what is said at the end.
#include "dsl/check/check.hpp"

#include "dsl/check/checker.hpp"
#include "dsl/check/numberings.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/syntax/names_in.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/text/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace houserule {

namespace {

constexpr std::size_t names_shown = 12;      // of a list of names in one sentence
constexpr std::size_t titles_shown = 3;      // of examples
constexpr std::size_t variant_limit = 400;   // what `check` tries of options and player counts
constexpr std::size_t enough_to_mend = 200;  // with so many diagnostics the variants that are left wait for the next time
constexpr std::int64_t set_limit = 256;      // numbers that a set has room for

// `begun`: the languages that have a block of labels, or of texts; `wanted`: the names that should stand in it; `texts`: what they say in
// the language of the file.
void warn_of_missing(Diagnostics& all, const std::map<std::string, Span>& begun, std::string_view block,
                     const std::vector<std::string>& wanted, const std::set<std::pair<std::string, std::string>>& there,
                     const std::map<std::string, std::string>& texts) {
    for (const auto& [language, span] : begun) {
        std::vector<std::string> missing;
        for (const std::string& name : wanted)
            if (!there.contains({language, name})) missing.push_back(name);
        if (missing.empty()) continue;
        const std::size_t count = missing.size();
        const std::size_t most = missing.front().starts_with('"') ? titles_shown : names_shown;
        if (count > most) missing.resize(most), missing.emplace_back("…");
        Diagnostic& d = houserule::report(all, Code::not_translated, span, count, fmt::format("{} {}", block, language), listed(missing));
        for (std::size_t i = 0; i < std::min(missing.size(), titles_shown); ++i)
            if (const auto text = texts.find(missing[i]); text != texts.end())
                d.notes.emplace_back(fmt::format("{} \"{}\"", text->first, text->second));
    }
}

}  // namespace

std::string text_of(const PlayerRange& range) {
    return range.low == range.high ? std::to_string(range.low) : fmt::format("{}-{}", range.low, range.high);
}

Checker::Checker(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics)
    : DeclarationReader(syntax, players, diagnostics), settings_(settings) {}

void Checker::hash_rules() {
    std::string text;
    const std::function<void(const Node&)> write = [&](const Node& n) {
        switch (n.kind) {
            case Kind::text:
            case Kind::d_labels:
            case Kind::d_texts:
            case Kind::d_example:
            case Kind::d_assume:
            case Kind::d_unclear:
            case Kind::d_accept:
            case Kind::quiet:
            case Kind::always_shown:
            case Kind::evenly:  // is the same as silence
            case Kind::base:
                return;
            default:
                break;
        }
        text += kind_name(n.kind);
        text += ' ';
        text += n.text;
        text += '(';
        for (const Node* c : n.children) write(*c);
        text += ')';
    };
    for (const Node* d : merged_.declarations) write(*d);
    game_.hash = fnv1a(text);
}

// A set of numbers has room for each number between the lowest and the highest that any set holds.
void Checker::check_sets_of_numbers() {
    const NumbersInSets numbers = numbers_in_sets(game_);
    if (numbers.count() <= set_limit) return;
    const auto name = [&](const Type& set, std::int32_t number) {
        return value_name(game_, number_type(number, number, set.scale), number);
    };
    const std::string low = name(numbers.lowest, numbers.low);
    const std::string high = name(numbers.highest, numbers.high);
    report(Code::limit_passed, numbers.widest, numbers.count(), Text::numbers_of_sets(low, high), set_limit).help =
        Text::choose_from_range(low, high);
}

void Checker::read_all() {
    const std::size_t first = diagnostics_.size();
    merged_ = merge(syntax_, settings_, diagnostics_);
    game_.options = merged_.options;
    scopes_.open();
    declare_header();
    declare_all();
    check_rules();
    if (!calls_.find_recursion(diagnostics_)) {
        calls_.find_deep_nesting(diagnostics_);
        calls_.find_what_asks();
        ask_for_orders();
    }
    check_scores();
    warn_of_orders();
    bool has_winner = false;
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_winner) {
            check_winner(*d);
            has_winner = true;
        }
        if (d->kind == Kind::d_total) check_total(*d);
        if (d->kind == Kind::d_accept) check_accept(*d);
        if (d->kind == Kind::d_example) check_example(*d);
        if (d->kind == Kind::d_labels) check_labels(*d, game_.labels);
        if (d->kind == Kind::d_texts) check_labels(*d, game_.texts);
    }
    label_places();
    for (const Offer& o : merged_.offers)
        if (!o.text.empty()) say(game_.texts, {text_language(o.span), o.name, o.text});
    check_sets_of_numbers();
    if (!has_winner && game_.payoff == no_id) report(Code::no_winner, {}).help = Text::winner_line;
    hash_rules();
    name_both(merged_, diagnostics_, first);
}

Game Checker::run(Vocabulary* vocabulary) {
    read_all();
    if (vocabulary != nullptr) gather(*vocabulary);
    return std::move(game_);
}

ClaimedGame Checker::run_with(const std::vector<Syntax>& claims) {
    read_all();
    ClaimedGame claimed;
    in_claim_ = true;
    for (const Syntax& claim : claims) {
        const std::ptrdiff_t before = diagnostics_.size();
        scopes_.open();
        const ExpressionId holds = truth(*claim.root);
        scopes_.close();
        const bool wrong = std::any_of(diagnostics_.begin() + before, diagnostics_.end(),
                                       [](const Diagnostic& d) { return info(d.code).severity == Severity::error; });
        if (wrong || is_broken(holds))
            claimed.claims.emplace_back();
        else
            claimed.claims.push_back({holds, negate(holds, claim.root->span)});
    }
    claimed.game = std::move(game_);
    return claimed;
}

PlayerRange player_range(const Syntax& syntax) {
    const SyntaxNode* players = nullptr;
    for (const SyntaxNode* layer : layers(syntax)) {
        for (const SyntaxNode* d : layer->children) {
            const bool replaces = d->kind == Kind::d_replace && d->children[0]->kind == Kind::d_players;
            if (replaces)
                players = d->children[0];
            else if (d->kind == Kind::d_players && players == nullptr)
                players = d;
        }
    }
    PlayerRange r;
    if (players == nullptr) return r;
    for (const SyntaxNode* c : players->children) {
        if (c->kind != Kind::number) continue;
        const int n = std::stoi(c->text.substr(0, 6));
        if (r.low == 0) r.low = n;
        r.high = n;
    }
    return r;
}

PlayerRange playable_range(const Syntax& syntax) {
    const PlayerRange range = player_range(syntax);
    const int low = std::clamp(range.low, 1, player_limit);
    return {low, std::clamp(range.high, low, player_limit)};
}

Game check(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics) {
    Checker checker(syntax, players, settings, diagnostics);
    return checker.run();
}

ClaimedGame check_claims(const Syntax& syntax, int players, const Settings& settings, const std::vector<Syntax>& claims,
                         Diagnostics& diagnostics) {
    return Checker(syntax, players, settings, diagnostics).run_with(claims);
}

std::vector<Variant> variants(const Syntax& syntax) {
    std::vector<Variant> all;
    const auto [low, high] = playable_range(syntax);
    for (int n = low; n <= high; ++n) all.push_back({n, {}});
    for (const Offer& offer : offers(syntax)) {
        for (std::size_t v = 1; v < offer.values.size(); ++v)
            for (int n = low; n <= high && all.size() < variant_limit; ++n) all.push_back({n, {{offer.name, offer.values[v]}}});
    }
    return all;
}

Diagnostics check_all(const Syntax& syntax) {
    Diagnostics all;
    Vocabulary vocabulary;
    for (const Variant& v : variants(syntax)) {
        Diagnostics found;
        Checker(syntax, v.players, v.settings, found).run(&vocabulary);
        all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
        tidy(all);
        if (all.size() > enough_to_mend && has_errors(all)) break;
    }
    for (const Cleaned& c : syntax.cleaned) houserule::report(all, Code::text_cleaned, c.span, c.characters);
    const std::vector<const SyntaxNode*> stack = layers(syntax);
    if (stack.size() > 1) {
        const auto elsewhere = [&](const std::string& name) { return !stands_in(*stack.back(), name); };
        std::erase_if(vocabulary.shown, elsewhere);
        std::erase_if(vocabulary.told, elsewhere);
    }
    if (!has_errors(all)) {
        for (const auto& [name, span] : vocabulary.declared)
            if (!vocabulary.used.contains(name)) houserule::report(all, Code::never_used, span, name);
        for (const auto& [name, span] : vocabulary.without_start)
            if (vocabulary.used.contains(name) && !vocabulary.given.contains(name))
                houserule::report(all, Code::never_given, span, name).help = Text::give_it_a_value(name);
        warn_of_missing(all, vocabulary.labels_begun, "labels", vocabulary.shown, vocabulary.labels, {});
        warn_of_missing(all, vocabulary.texts_begun, "texts", vocabulary.told, vocabulary.texts, vocabulary.words);
        warn_of_numberings(all, *syntax.root);
    }
    // What is odd or open in the game itself is told when that is checked.
    const auto of_base = [&](const Diagnostic& d) {
        return info(d.code).severity != Severity::error && d.span != Span{} && d.span.source != stack.back()->span.source;
    };
    std::erase_if(all, of_base);
    tidy(all);
    return all;
}

}  // namespace houserule
