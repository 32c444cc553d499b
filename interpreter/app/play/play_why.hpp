// Why a card or value is not offered at the decision where a game waits, in the words of the rules file.
#pragma once

#include "interpreter/app/play/play_session.hpp"

namespace houserule::cli {

// `name`: what the person asked about. Tells only what the seat that is asked may know: it quotes the condition of the rule.
std::string why_not(const Session& session, const std::string& name, const Globals& g);
// The rule that is being carried out: its text and where it stands.
std::string source_of_rule(const Session& session, const Globals& g);

}  // namespace houserule::cli
