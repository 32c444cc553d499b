// What the program has to say about a text: errors, warnings and questions, as data.
//
// Every stage that reads text appends to a `Diagnostics`; nobody prints from inside a stage. The texts for people and the JSON form are
// made here from the same content, in any language. Wording: what was observed, in the author's words, lower case, no final period,
// names in backticks.
#pragma once

#include "dsl/text/index_of.hpp"
#include "dsl/text/phrase.hpp"
#include "dsl/text/source.hpp"
#include "dsl/text/texts.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

enum class Severity {
    error,     // the text has no meaning as it stands
    warning,   // it has one, but probably not the one that was meant
    question,  // the rules are silent: a clause is missing; the game runs with the stated stop-gap
};

// A code of the table in diagnostics.def: one row per kind of diagnostic, with a title in each language.
enum class Code {
#define HOUSERULE_DIAGNOSTIC(code, severity, name) name,
#include "dsl/text/diagnostics.def"
#undef HOUSERULE_DIAGNOSTIC
};

struct CodeInfo {
    std::string_view id;  // "E0204"
    Severity severity;
    std::string_view name;  // "several_fit"
    const Words* title;     // the message, with {0} {1} … for the arguments
};
const CodeInfo& info(Code code);
std::optional<Code> code_named(std::string_view id);  // "E0204", any case
std::size_t code_count();

// A further place that matters, with what to see there.
struct Label {
    Span span;
    Phrase text;
};

// Replaces the text at `span`, offered only where it is certain.
struct Edit {
    Span span;
    std::string replacement;
};

struct Diagnostic {
    Diagnostic();
    // With only a title and a span, without labels, notes and help. `of`: the arguments, which it takes.
    Diagnostic(Code about, Span at, std::span<Phrase> of);
    Diagnostic(const Diagnostic&);
    Diagnostic(Diagnostic&&) noexcept;
    Diagnostic& operator=(const Diagnostic&);
    Diagnostic& operator=(Diagnostic&&) noexcept;
    ~Diagnostic();

    Code code{};
    Span span;                      // the narrowest place that shows it
    std::vector<Phrase> arguments;  // for {0}, {1}, … of the message
    Phrase span_text;               // beside the carets, may be empty
    std::vector<Label> labels;
    std::vector<Phrase> notes;  // facts
    Phrase help;                // one thing to do, may be empty
    std::optional<Edit> edit;
    std::uint32_t more = 0;  // how many further diagnostics were dropped after this one, because of a limit
};

using Diagnostics = std::vector<Diagnostic>;

// A code whose title has that many placeholders; a code with another number of them does not compile.
template <std::size_t places>
struct CodeTaking {
    Code code;
    consteval CodeTaking(Code of) : code(of) {
        constexpr int counts[] = {
#define HOUSERULE_DIAGNOSTIC(code, severity, name) decltype(Text::name)::count,
#include "dsl/text/diagnostics.def"
#undef HOUSERULE_DIAGNOSTIC
        };
        if (counts[index_of(of)] != static_cast<int>(places)) throw "the title of this code has another number of places";
    }
};

// A diagnostic with only a title and a span, without labels, notes and help.
template <typename... Arguments>
Diagnostic make_diagnostic(CodeTaking<sizeof...(Arguments)> code, Span span, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
        return {code.code, span, {}};
    } else {
        Phrase of[] = {Phrase(std::forward<Arguments>(arguments))...};
        return {code.code, span, of};
    }
}

// As `collect`; returns the diagnostic, so that labels, notes and help can be added. Beyond the limit a scratch object is returned.
Diagnostic& add(Diagnostics& all, Diagnostic d);
template <typename... Arguments>
Diagnostic& report(Diagnostics& all, CodeTaking<sizeof...(Arguments)> code, Span span, Arguments&&... arguments) {
    return add(all, make_diagnostic(code, span, std::forward<Arguments>(arguments)...));
}

// The help when a name that is close was found, else nothing.
Phrase did_you_mean(const std::string& near);

// The one-sentence message in `language`.
std::string message(const Diagnostic& d, Language language);

bool has_errors(const Diagnostics& all);

// Sorts by place and drops repetitions (same code, span and arguments).
void tidy(Diagnostics& all);

// Diagnostics shown for one file, errors first, then warnings: nobody reads more before fixing some.
inline constexpr std::size_t shown_per_file = 50;
// Display columns: of a source line, around the place that matters; and of a message that quotes the file.
inline constexpr std::size_t excerpt_width = 160;
inline constexpr std::size_t quote_width = 400;
// A stage keeps this many diagnostics: a file of a megabyte can be wrong in a million places. Later ones are only counted, in the `more` of
// the last one that was kept, unless they are more severe than that.
inline constexpr std::size_t collected_limit = 1000;
void collect(Diagnostics& all, Diagnostic d);

struct RenderOptions {
    Language language = Language::en;
    bool color = false;
};

// For people, in the shape of
//   error[E0204]: message
//     --> name:line:column
//      |
//   41 |   source line
//      |   ^^^^ span text
//      |
//      = note: …
//      = help: …
// and at the end, where a file has more than `shown_per_file`, `… and 950 more`.
std::string render(const Diagnostics& all, const Sources& sources, const RenderOptions& options);

// One JSON document, {"schema": "houserule-diagnostics-1", "diagnostics": […]}, after tests/schema/diagnostics.schema.json. If not all are
// shown, `left_out` counts the others by file.
std::string render_json(const Diagnostics& all, const Sources& sources, Language language);

}  // namespace houserule

extern template class std::vector<houserule::Diagnostic>;
