// What may have been meant by a command line that cannot be read.
#pragma once

#include "dsl/text/phrase.hpp"

#include <string>

namespace CLI {
class App;
}

namespace houserule::cli {

// A sentence for the first command or option of `app` that there is none of, after it has read its arguments as far as it could: with
// the name that is close, or else with those that there are; or for a game or a log that is missing, or a word that nothing reads. Empty
// when there is no such slip.
std::string slip_of(const CLI::App& app, Language language);

}  // namespace houserule::cli
