// The implementation of `check`, not for other folders: reads the declarations of a merged game into a `Game`. It is a chain of classes,
// each derived from the one before: making expressions (expression_builder.hpp), types (type_algebra.hpp), reading expressions
// (expression_reader.hpp), statements (statement_reader.hpp), declarations (declaration_reader.hpp), and here the rules, results, examples
// and labels.
#pragma once

#include "dsl/check/declaration_reader.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

// The names of a file, gathered over its variants: what one of them uses is used.
struct Vocabulary {
    std::map<std::string, Span> declared;  // what should be used somewhere
    std::set<std::string> used;
    std::map<std::string, Span> without_start;                    // facts that have no value at the beginning
    std::set<std::string> given;                                  // facts that become something
    std::vector<std::string> shown;                               // what people see, in the order of the stores
    std::vector<std::string> told;                                // what has a text in the file's own language
    std::map<std::string, std::string> words;                     // of a text in the file's own language: what it says
    std::map<std::string, Span> labels_begun, texts_begun;        // by language
    std::set<std::pair<std::string, std::string>> labels, texts;  // language, name
};

class Checker : public DeclarationReader {
public:
    Checker(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics);
    // The game; the names of this variant are added to `vocabulary`, if given.
    Game run(Vocabulary* vocabulary = nullptr);
    // The game with claims: see `check_claims`.
    ClaimedGame run_with(const std::vector<Syntax>& claims);

private:
    void check_sets_of_numbers();
    void read_all();
    void check_rules();
    void warn_of_orders();
    void check_rule(Rule& rule, const Node& d);
    void read_odds(const Node& odds, Act& act);
    void check_act(Act& act, const Node& d);
    void check_end(End& end, const Node& d);
    void check_ends(const Node& d);
    void check_define_alone(const Node& d);
    bool read_define(const Node& d, bool as_cards, ZoneId zone);
    void zones_of_examples();
    void check_winner(const Node& d);
    void check_together(const Node& condition);
    void check_common_score(const Node& define);
    void check_scores();
    void check_accept(const Node& d);
    void check_example(const Node& d);
    bool has_example(const Node& d);
    void check_given(const Node& c, Example& example);
    std::vector<ExpressionId> chosen_in(const Node* choosing);
    void check_laid(const Node& values, Given& given);
    void check_total(const Node& d);
    void check_glyph_color(const Node& language);
    void warn_of_saying_twice(const Node& d);
    void check_labels(const Node& d, std::vector<NamedText>& out);
    void gather(Vocabulary& all) const;
    void gather_declared(Vocabulary& all) const;
    void gather_values(Vocabulary& all) const;
    void hash_rules();

    const Settings& settings_;
};

}  // namespace houserule
