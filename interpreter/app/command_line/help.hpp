// What CLI11 says by itself, in the chosen language: the frame of help pages, and what is wrong with the arguments.
//
// CLI11 has its sentences in its code, in English. Its pages are laid out here again, by display width; its complaints are recognised
// by the English rows of the table and told by those of the language. One that is not recognised stays English.
#pragma once

#include "dsl/text/phrase.hpp"

#include <string>

namespace CLI {
class App;
}

namespace houserule::cli {

// For `app` and the commands that are added to it afterwards.
void speak(CLI::App& app, Language language);

// A complaint of CLI11 in `language`.
std::string complaint_in(const std::string& english, Language language);

}  // namespace houserule::cli
