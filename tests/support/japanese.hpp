// Finds English in what was printed for people who read Japanese.
//
// Words in Latin letters may stand there when they are the author's own (names and texts of a rules file, file names), in backticks, or
// in a line of source that is shown; so may names of options and commands, which are typed as they are.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::testing {

class English {
public:
    // What may stand in what is printed: words, quoted texts and lines of a rules file, a log or a command.
    void allow(std::string_view source);
    void allow_words(std::string_view words);
    // Several words as they are: a construct of the language, a text of the author.
    void allow_phrase(std::string phrase);

    // The words of `printed` that are none of these, each with its line.
    std::vector<std::string> left_in(std::string_view printed) const;

private:
    std::set<std::string, std::less<>> words_;
    std::set<std::string, std::less<>> lines_;
    std::vector<std::string> phrases_;
};

}  // namespace houserule::testing
