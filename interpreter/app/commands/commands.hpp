// The commands of `houserule`, one function each: parsed arguments in, exit code (`exit_…` in common/common.hpp) out.
//
// Alike in all: rules are a path or the name of a game that ships; `players` 0 is the smallest number; `set` and `reading` are NAME=VALUE;
// `time_s` is seconds; `volunteer` is the probability of an act open to anybody, below 0 as the rules say.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/knowing/arguments.hpp"
#include "interpreter/app/play/arguments.hpp"
#include "interpreter/app/serve/serve.hpp"

namespace houserule::cli {

struct CheckArgs {
    std::vector<std::string> files;
    bool json = false;
};
int run_check(const CheckArgs& args, const Globals& g);

struct FmtArgs {
    std::vector<std::string> files;
    bool check = false;
};
int run_fmt(const FmtArgs& args, const Globals& g);

struct NewArgs {
    std::string name;
    std::string from;    // a game that ships, a template or a file
    std::string output;  // NAME.rules when empty
    bool copy = false;
    bool force = false;
    bool list = false;
};
int run_new(const NewArgs& args, const Globals& g);

struct TestArgs {
    std::vector<std::string> files;
};
int run_test(const TestArgs& args, const Globals& g);

struct DumpArgs {
    std::string file;
    std::string stage = "game";
    int players = 0;
    std::vector<std::string> set;
};
int run_dump(const DumpArgs& args, const Globals& g);

struct GraphArgs {
    std::string file;
    std::string format = "dot";
    int players = 0;
    std::vector<std::string> set;
};
int run_graph(const GraphArgs& args, const Globals& g);

struct RulebookArgs {
    std::string file;
    std::vector<std::string> set;
    std::vector<std::string> reading;
    int players = 0;  // 0: every number
    std::string format = "md";
    std::string paper = "a4";
    std::string output;  // stdout when empty
    bool force = false;
    bool findings = false;         // as footnotes
    std::optional<double> time_s;  // for them
};
int run_rulebook(const RulebookArgs& args, const Globals& g);

struct PlayArgs : TableArgs {  // `file`: empty with `resume`
    bool resume = false;
    std::string log;  // empty: among the games that are kept, unless `no_log`
    bool no_log = false;
    bool force = false;
    bool hints = false;     // before each decision, what can be known
    std::string pace;       // "enter": it waits after what people look at; "none"; empty: at a terminal
    std::string questions;  // "always": it asks once more before what may decide the game; "never"; empty: at a terminal
    double volunteer = -1;
};
int run_play(const PlayArgs& args, const Globals& g);

struct SimulateArgs {
    std::string file;
    int players = 0;
    std::uint64_t games = 1000;
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::uint64_t seed = 1;
    int threads = 1;
    double volunteer = -1;
    std::vector<std::string> seat;  // K=deduce|random
    std::uint64_t think_ms = 50;    // of a deducing player, for one decision
    std::string logs;               // a folder for one log a game, or empty
    std::string engine = "auto";    // what plays at random: "auto", "interpret" or "compiled"
    bool verbose = false;
    bool json = false;
    std::string part;  // K/N: only those games, and their totals go to the file `out`
    std::string out;
    std::string checkpoint;  // a folder for parts, or empty: what is there is not played again
    bool force = false;
};
int run_simulate(const SimulateArgs& args, const Globals& g);

struct MergeArgs {
    std::vector<std::string> files;  // parts
    std::string rules;               // where the rules are now; empty: where the first part says
    bool json = false;
    bool all = false;  // of a validation, see ValidateArgs
};
int run_merge(const MergeArgs& args, const Globals& g);

struct ExploreArgs {
    std::string file;
    int players = 0;
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::uint64_t limit = 100'000'000;  // nodes
    std::uint64_t memory = 2048;        // MiB
    bool keep_forced = false;
    bool json = false;
    std::string part;  // K/N: only that part of the tree, to the file `out`
    std::string out;
    std::string checkpoint;  // a folder for parts, or empty: what is there is not walked again
    bool force = false;
};
int run_explore(const ExploreArgs& args, const Globals& g);

struct DiffArgs {
    std::vector<std::string> files;  // two; or one: a house rule, or a game with `set` or `reading`
    std::string players;             // `3` or `2..4`; all when empty
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::uint64_t games = 1'000;  // for each number of players
    std::uint64_t states = 20'000;
    std::uint64_t seed = 1;
    std::optional<double> time_s;
    std::string logs;  // a folder for the logs of the games that part
    bool json = false;
};
int run_diff(const DiffArgs& args, const Globals& g);

struct ReplayArgs {
    std::string log;
    std::string as;      // a seat, or empty
    std::string rules;   // where the rules are, if not where the log's game is found by name
    bool steps = false;  // step by step, as at a terminal
};
int run_replay(const ReplayArgs& args, const Globals& g);

struct ViewArgs {
    std::string log;
    std::string as;
    std::string rules;
    bool told = false;  // in sentences, for people
};
int run_view(const ViewArgs& args, const Globals& g);

int run_hint(const HintArgs& args, const Globals& g);

struct WorldsArgs : KnowingArgs {
    std::string of;  // a place, a zone or a fact; empty: all that is hidden
    std::size_t limit = 100;
    bool each = false;  // each world; otherwise those that differ only in what the game does not ask for are one
};
int run_worlds(const WorldsArgs& args, const Globals& g);

struct WhyArgs : KnowingArgs {
    std::string claim;
};
int run_why(const WhyArgs& args, const Globals& g);

struct AssistArgs {
    std::string file;  // a rules file, or a view to go on with; empty with `resume`
    bool resume = false;
    int players = 0;    // 0: asked for, if there is a choice
    std::string as;     // the seat of who types; empty: that of `me` in `names`, else asked for
    std::string names;  // of the people, by seat
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::string log;        // where the view is kept, if anywhere
    std::string questions;  // "always": it asks once more before what ends the game; "never"; empty: at a terminal
};
int run_assist(const AssistArgs& args, const Globals& g);

struct ValidateArgs {
    std::string file;
    std::string players;            // `3..5` or `4`; empty: as the file says
    std::vector<std::string> only;  // classes of findings
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::size_t limit = 1000;    // findings that are shown
    std::uint64_t games = 4000;  // for each number of players; a quarter under other options and readings
    std::optional<double> time_s;
    std::uint64_t seed = 1;
    bool json = false;
    bool all = false;                   // every finding whole, however many
    bool blind = false;                 // without what the author wrote about the rulebook
    bool chosen = false;                // games are played under the chosen options and readings only
    bool proofs = false;                // also what was looked for and not found, one by one
    std::string logs;                   // a folder for one log a finding, or empty
    std::optional<std::uint64_t> work;  // steps in all, if not as many as usual
    std::string part;                   // K/N: only those tasks, and what they come to goes to the file `out`
    std::string out;
    bool force = false;
};
int run_validate(const ValidateArgs& args, const Globals& g);

struct ExplainArgs {
    std::string code;  // of a diagnostic, its name, or a class of findings
};
int run_explain(const ExplainArgs& args, const Globals& g);

int run_games(const Globals& g);

}  // namespace houserule::cli
