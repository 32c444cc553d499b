// Findings: the results of validation, both faults that were found and faults that were shown to be absent.
//
// Classes, verdicts and methods are those of the field (model checking and the study of rulebooks); each has one name for people, for
// `--only` and for JSON. Nothing here knows a game.
#pragma once

#include "dsl/text/phrase.hpp"
#include "dsl/text/source.hpp"
#include "dsl/variant/variant.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

enum class FindingClass : std::uint8_t {
#define HOUSERULE_FINDING_CLASS(name, text) name,
#include "dsl/game/finding_classes.def"
#undef HOUSERULE_FINDING_CLASS
};
#define HOUSERULE_FINDING_CLASS(name, text) +1
inline constexpr int finding_classes = 0
#include "dsl/game/finding_classes.def"
    ;
#undef HOUSERULE_FINDING_CLASS
std::string_view class_name(FindingClass c);  // `end-race`
std::optional<FindingClass> class_of(std::string_view name);

enum class Verdict : std::uint8_t { found, proved_absent, not_found, unknown };
std::string_view verdict_name(Verdict v);  // `proved absent`

enum class FoundBy : std::uint8_t { none, static_reading, smt, exhaustive, bounded, simulated };
std::string_view method_name(FoundBy m);

enum class Gravity : std::uint8_t { note, warning, error };
std::string_view gravity_name(Gravity g);

// The same sentence for people of each language.
class Sentence {
public:
    Sentence() = default;
    Sentence(const Phrase& words);
    Sentence(TextRow<0> row) : Sentence(Phrase(row)) {}
    // What `f(language)` says in each language.
    template <typename F>
    static Sentence each(F f) {
        Sentence all;
        for (const Language language : all_languages) all.of(language) = f(language);
        return all;
    }

    // In English where the language has nothing.
    const std::string& in(Language language) const;
    std::string& of(Language language) { return texts_[index_of(language)]; }
    const std::string& of(Language language) const { return texts_[index_of(language)]; }
    bool empty() const { return texts_[0].empty(); }
    operator Phrase() const;

    friend bool operator==(const Sentence&, const Sentence&) = default;

private:
    std::array<std::string, language_count> texts_;
};

// A game that shows a finding: the answers from the start, as ranks (interpreter/run/node.hpp), and the state they lead to.
struct Witness {
    int players = 0;
    Settings settings;
    std::vector<std::uint64_t> moves;
    std::string log;            // the same as a log that `replay` accepts
    std::size_t decisions = 0;  // the answers of players among the moves
    Sentence state;             // where the game stands after the last move
};

// One of two or more outcomes that are compared; it says only what differs.
struct OutcomeText {
    Sentence when;
    Sentence then;
};

// What the author, not a game, says of a place of the rulebook.
enum class Remark : std::uint8_t {
    none,
    silent,    // nothing there settles it, and the file leaves it open
    two_ways,  // it can be read two ways
    decided,   // nothing there settles it, and the file decides
};
std::string_view remark_name(Remark r);  // `says two things`

// The declaration of the text that a finding is about: its name as in the file, and its label.
struct Paragraph {
    std::string name;
    Sentence label;
};

// How often a finding comes up when everybody moves at random.
struct Frequency {
    std::uint64_t games = 0;  // in which it came up
    std::uint64_t of = 0;     // that were played
    int players = 0;          // by so many
};

struct Finding {
    Finding();
    Finding(const Finding&);
    Finding(Finding&&) noexcept;
    Finding& operator=(const Finding&);
    Finding& operator=(Finding&&) noexcept;
    ~Finding();

    std::string id;  // stable while the rule's name and the class stay: `end-race.attempt.1`
    FindingClass what = FindingClass::gap;
    Gravity gravity = Gravity::warning;
    Verdict verdict = Verdict::found;
    FoundBy method = FoundBy::none;
    Sentence bound;  // how far the search went: `3-5 players, 20000 games`; empty when there was no search
    Remark remark = Remark::none;
    Paragraph paragraph;
    std::string rule;          // the name of the rule, end, act or other thing that it is about
    std::vector<Span> spans;   // every place involved, the most important first
    std::vector<int> players;  // the numbers of players for which it holds
    std::vector<int> untried;  // those for which nothing was looked for, though the game has them
    Settings settings;         // options and readings that differ from the defaults
    Sentence title;            // one line
    Sentence text;             // what it means, if the title does not say
    std::optional<Witness> witness;
    std::vector<OutcomeText> outcomes;
    std::optional<Frequency> frequency;
    std::optional<Frequency> winner_changes;  // of readings and orders that are compared: games with another winner
    Sentence help;                            // the remedy, in the language's own words
    std::string accepted;                     // the author's reason, if accepted
};

}  // namespace houserule
