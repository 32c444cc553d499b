#include "dsl/syntax/parse.hpp"

#include "dsl/syntax/draft.hpp"
#include "dsl/syntax/expectations.hpp"
#include "dsl/syntax/grammar.hpp"
#include "dsl/syntax/grammar_nodes.hpp"
#include "dsl/syntax/read_errors.hpp"
#include "dsl/syntax/tree_builder.hpp"
#include "dsl/text/text.hpp"

#include <deque>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_set>

namespace houserule {

namespace g = grammar;
namespace p = tao::pegtl;

const std::vector<std::string>& reserved_words() {
    static const std::vector<std::string> words = {"act",   "all",      "and",       "any",
                                                   "as",    "at",       "becomes",   "but",
                                                   "by",    "cases",    "chance",    "choose",
                                                   "deal",  "draw",     "each",      "end",
                                                   "every", "first",    "from",      "groups",
                                                   "if",    "in",       "is",        "it",
                                                   "its",   "kinds",    "largest",   "last",
                                                   "let",   "may",      "must",      "name",
                                                   "next",  "no",       "nobody",    "none",
                                                   "not",   "nothing",  "of",        "offer",
                                                   "on",    "or",       "otherwise", "over",
                                                   "play",  "players",  "put",       "repeat",
                                                   "says",  "show",     "shuffle",   "simultaneously",
                                                   "size",  "smallest", "some",      "stop",
                                                   "sum",   "the",      "then",      "to",
                                                   "under", "unless",   "until",     "where",
                                                   "while", "with",     "yes"};
    return words;
}

namespace grammar {

bool is_reserved(std::string_view word) {
    static const std::unordered_set<std::string_view> words(reserved_words().begin(), reserved_words().end());
    if (words.contains(word)) return true;
    const bool seat = word.size() >= 2 && word.size() <= 3 && word[0] == 'P' && word[1] >= '1' && word[1] <= '9';
    return seat && (word.size() == 2 || (word[2] >= '0' && word[2] <= '9'));
}

}  // namespace grammar

bool is_identifier(std::string_view text) {
    if (!is_utf8(text) || text.empty() || !begins_identifier(decode(text))) return false;
    while (!text.empty() && continues_identifier(decode(text))) text.remove_prefix(character_length(text));
    return text.empty();
}

bool is_name(std::string_view text) { return is_identifier(text) && !g::is_reserved(text); }

namespace {

// Forgets what a rule read before it failed.
void forget_from(Draft& open, std::size_t size) { open.children.resize(size); }

// Makes a Draft of each rule that has a kind of node, and reports what `expect` missed. Compiled once a rule: PEGTL's own matching, with
// a parse tree on top, makes some twenty-five functions of each of two thousand rules, and building them takes most of a minute.
template <typename Rule>
struct control : p::normal<Rule> {
    static constexpr bool enable = false;

    template <p::apply_mode, p::rewind_mode, template <typename...> class Action, template <typename...> class Control, typename Input>
    static bool match(Input& in, ReadState& state) {
        const char* const begin = in.current();
        if constexpr (kind_of<Rule>::selected) {
            OpenDraft node(state, kind_of<Rule>::kind, begin);
            if (!matched(in, state)) return false;
            node.keep(in.current());
        } else {
            Draft& open = *state.open;
            const std::size_t before = open.children.size();
            if (!matched(in, state)) {
                forget_from(open, before);
                return false;
            }
        }
        if constexpr (requires { instead_of_skipped<Rule>::text(); }) {
            const std::size_t offset = begin - in.begin();
            if (state.reported <= offset) report_unexpected(state, offset, instead_of_skipped<Rule>::text());
        }
        return true;
    }

    template <typename Input>
    [[noreturn]] static void raise(const Input& in, ReadState& state) {
        const std::size_t offset = in.current() - in.begin();
        if constexpr (std::is_same_v<Rule, g::too_deep>)
            report_too_deep(state, offset);
        else
            report_unexpected(state, offset, expectation<Rule>::text());
        throw p::parse_error("expected", in);
    }

private:
    template <typename Input>
    static bool matched(Input& in, ReadState& state) {
        return p::internal::match_no_control<Rule, p::apply_mode::action, p::rewind_mode::required, p::nothing, control>(in, state);
    }
};

bool text_is_readable(const Source& source, std::uint16_t index, Diagnostics& diagnostics) {
    std::size_t bad = 0;
    if (source.text().size() > text_limit)
        report(diagnostics, Code::too_long, {0, 0, index}, text_limit);
    else if (!is_utf8(source.text(), &bad))
        report(diagnostics, Code::not_utf8, span_of(bad, bad + 1, index));
    else
        return true;
    return false;
}

template <typename Rule>
Syntax read(const Source& source, std::uint16_t index, Diagnostics& diagnostics) {
    auto store = std::make_shared<std::deque<SyntaxNode>>();
    Syntax syntax;
    const TreeBuilder builder{&source, index, store.get(), &diagnostics, &syntax.cleaned};
    if (text_is_readable(source, index, diagnostics)) {
        Draft all;
        ReadState state{&source, index, &diagnostics};
        state.open = &all;
        p::memory_input<p::tracking_mode::lazy, p::eol::lf> in(source.text().data(), source.text().size(), source.name());
        try {
            if (p::parse<Rule, p::nothing, control>(in, state) && !all.children.empty()) syntax.root = builder.build(*all.children.front());
        } catch (const p::parse_error&) {  // reported where it was raised
        }
    }
    if (syntax.root == nullptr) syntax.root = builder.make(Kind::file, 0, 0);
    syntax.storage.push_back(std::move(store));
    return syntax;
}

}  // namespace

Syntax parse(const Sources& sources, std::size_t index, Diagnostics& diagnostics) {
    return read<g::file>(sources[index], index, diagnostics);
}

Syntax parse_expression(const Sources& sources, std::size_t index, Diagnostics& diagnostics) {
    return read<g::lone_expression>(sources[index], index, diagnostics);
}

}  // namespace houserule
