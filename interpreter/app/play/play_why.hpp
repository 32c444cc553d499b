// Explains why a card or value is not offered at the present decision, in the words of the rules file.
#pragma once

#include "interpreter/app/play/play_session.hpp"
#include "interpreter/run/run.hpp"

namespace houserule::cli {

// Where somebody is asked, and the rules that ask.
struct AskedAt {
    const Loaded& rules;
    const LogHead& head;
    const Machine* machine;
    Run* run;

    const Game& game() const { return machine->game; }
    RuleId rule() const { return machine->code[run->node().step].rule; }
};

// `name`: what the person asked about. The answer says the condition of the rule in sentences, or `with_source` as it stands in the file,
// and reveals nothing that the seat may not know. Of a value that stands for something, such as one of several rules, it says for what.
std::string why_not(const Session& session, const std::string& name, bool with_source, const Globals& g);
// Of values that the rules tell apart case by case, what holds in each; empty for other choices.
std::string what_values_mean(const Session& session, const Globals& g);
// What the cards are that are called so, wherever they lie.
std::string about_name(const Session& session, const std::string& name, const Globals& g);
// Why a kind of card is not offered, in sentences, a line each and as long as they are.
std::string why_no_card(const AskedAt& where, KindId kind, const Globals& g);
// What decides who wins, where the scores alone do not say it: the fewest points, or what parts those who tie. Else empty.
std::string what_decided(const Session& session, const Globals& g);
// The rule that is being carried out and its text.
std::string rule_in_words(const Session& session, const Globals& g);
// The text of the rule that is being carried out, with its place in the file.
std::string source_of_rule(const Session& session, const Globals& g);

}  // namespace houserule::cli
