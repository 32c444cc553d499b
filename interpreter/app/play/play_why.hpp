// Explains why a card or value is not offered at the present decision, in the words of the rules file.
#pragma once

#include "interpreter/app/play/play_session.hpp"

namespace houserule::cli {

// `name`: what the person asked about. The answer quotes the condition of the rule and reveals nothing that the seat may not know.
std::string why_not(const Session& session, const std::string& name, const Globals& g);
// The text of the rule that is being carried out, with its place in the file.
std::string source_of_rule(const Session& session, const Globals& g);

}  // namespace houserule::cli
