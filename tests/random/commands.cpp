#include "tests/random/commands.hpp"

#include "dsl/syntax/format.hpp"
#include "interpreter/app/app.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/log/log.hpp"
#include "solver/findings/outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace houserule::random_games {

namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr std::uint64_t validate_work = 500'000;
constexpr int moves_of_a_log = 12;
constexpr int most_passes = 100;
constexpr std::size_t shown_output = 2'000;

struct Ran {
    int exit_code = -1;  // -1: by a signal
    int signal = 0;
    std::string out;
    std::string err;
};

std::string content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A folder with the game in it, and what is done there.
class Desk {
public:
    Desk();
    ~Desk() { std::filesystem::remove_all(folder_, ignored_); }
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
    std::vector<std::string> files(const std::string& folder) const;
    Ran run(const std::function<int()>& command) const;
    // Runs it and throws `WrongCommand` unless it ends with one of these exit codes. A word that names a file here becomes its path.
    Ran expect(const Words& words, std::initializer_list<int> codes) const;
    Ran expect(const std::string& name, const std::function<int()>& command, std::initializer_list<int> codes) const;

private:
    std::filesystem::path folder_;
    std::error_code ignored_;
};

Desk::Desk() {
    std::string name = (std::filesystem::temp_directory_path() / "houserule_random_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made");
    folder_ = name;
}

std::vector<std::string> Desk::files(const std::string& folder) const {
    std::vector<std::string> all;
    if (!std::filesystem::exists(folder_ / folder)) return all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder))
        all.push_back(folder + "/" + entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
}

Ran Desk::run(const std::function<int()>& command) const {
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("no process");
    if (pid == 0) {
        const bool opened = std::freopen(path("out").c_str(), "wb", stdout) != nullptr &&
                            std::freopen(path("err").c_str(), "wb", stderr) != nullptr && std::freopen("/dev/null", "rb", stdin) != nullptr;
        const int code = opened ? command() : 127;
        std::fflush(nullptr);
        ::_exit(code);
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    Ran ran;
    if (WIFEXITED(status)) ran.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
    ran.out = content(folder_ / "out");
    ran.err = content(folder_ / "err");
    return ran;
}

Ran Desk::expect(const std::string& name, const std::function<int()>& command, std::initializer_list<int> codes) const {
    Ran ran = run(command);
    if (ran.signal == 0 && std::find(codes.begin(), codes.end(), ran.exit_code) != codes.end()) return ran;
    const std::string how = ran.signal != 0 ? fmt::format("signal {}", ran.signal) : fmt::format("exit code {}", ran.exit_code);
    throw WrongCommand{fmt::format("{}: {}", name, how), ran.err.substr(0, shown_output) + ran.out.substr(0, shown_output)};
}

Ran Desk::expect(const Words& words, std::initializer_list<int> codes) const {
    Words all{"houserule"};
    for (const std::string& word : words)
        all.push_back(std::filesystem::exists(folder_ / word) || word.ends_with("_logs") ? path(word) : word);
    std::vector<const char*> argv;
    for (const std::string& word : all) argv.push_back(word.c_str());
    return expect(
        fmt::format("{}", fmt::join(words, " ")), [&] { return cli::run(static_cast<int>(argv.size()), argv.data()); }, codes);
}

// ---- the text ----------------------------------------------------------------------------------------------------------------

// False: it is refused, with an error.
bool read_and_print(const Desk& desk, const std::string& file) {
    const int code = desk.expect({"check", file}, {0, 1}).exit_code;
    desk.expect({"check", file, "--lang", "ja"}, {code});
    if (code != 0) return false;
    for (const char* stage : {"syntax", "merged", "game", "machine"}) desk.expect({"dump", file, "--stage", stage}, {0});
    for (const char* form : {"dot", "mermaid"}) desk.expect({"graph", file, "--format", form}, {0});
    for (const char* form : {"md", "html"})
        for (const char* language : {"en", "ja"}) {
            const Ran page = desk.expect({"rulebook", file, "--format", form, "--lang", language}, {0});
            if (page.out.empty()) throw WrongCommand{"rulebook: an empty page", ""};
        }
    return true;
}

void play(const Desk& desk, const std::string& file) {
    desk.expect({"test", file}, {0, 1});
    desk.expect({"simulate", file, "--games", "20"}, {0, 1});
    desk.expect({"explore", file, "--limit", "2000", "--memory", "64"}, {0, 1, 3});
}

// ---- games that are shown ----------------------------------------------------------------------------------------------------

// The run at the end of a log; null when it cannot be played again.
std::unique_ptr<Run> played_again(const Desk& desk, const std::string& log) {
    Sources sources;
    sources.emplace_back("game.rules", content(desk.path("game.rules")));
    const cli::RulesFile rules = cli::read_rules(sources, 0, desk.path("game.rules"));
    const std::size_t index = sources.size();
    sources.emplace_back("a.log", log);
    Diagnostics found;
    const auto head = read_head(sources, index, found);
    if (!head) return nullptr;
    auto run = make_run(compile(check(rules.syntax, head->players, head->settings, found)));
    Events events;
    if (!replay(sources, index, *head, *run, events, found)) return nullptr;
    run->advance();
    run->record(nullptr);
    return run;
}

// What breaks a promise ends there; other findings are seen before a game goes on.
bool is_of_a_broken_promise(const Json& finding) {
    for (const char* name : {"void", "unresolved", "count", "chooser"})
        if (finding["class"] == name) return true;
    return false;
}

void show_again(const Desk& desk, const Json& finding) {
    const Json& witness = finding["witness"];
    const std::string name = "validate: the game for " + finding["class"].get<std::string>();
    const std::string detail = finding.dump(1) + "\n" + witness["log"].get<std::string>();
    desk.write("shown.log", witness["log"]);
    const Ran ran = desk.expect({"replay", "shown.log", "--rules", "game.rules"}, {0});
    if (!ran.err.empty()) throw WrongCommand{name + " does not replay", ran.err + detail};
    const auto run = played_again(desk, witness["log"]);
    if (!run) throw WrongCommand{name + " cannot be played again", detail};
    if (waits_for(*run).in(Language::en) != witness["state"]["en"].get<std::string>())
        throw WrongCommand{name + " stops elsewhere", waits_for(*run).in(Language::en) + "\n" + detail};
    // That nobody acts is no line of a log: a promise that breaks behind it does so one step after the log.
    for (int passes = 0; passes < most_passes && run->node().kind == NodeKind::window && is_of_a_broken_promise(finding); ++passes) {
        run->apply(0);
        run->advance();
    }
    const bool failed = run->node().kind == NodeKind::failed;
    const bool there = failed && finding["spans"][0]["begin"] == run->failure().span.begin;
    // Winners and scores are reckoned when it is over.
    if (is_of_a_broken_promise(finding) && !there && run->node().kind != NodeKind::over)
        throw WrongCommand{name + " does not break off there", detail};
}

bool counts(const Json& f) { return f["accepted"].is_null() && f["severity"] != "note" && f["verdict"] == "found"; }

void validate(const Desk& desk, Coverage& coverage) {
    cli::ValidateArgs args;
    args.file = desk.path("game.rules");
    args.games = 60;
    args.work = validate_work;
    args.json = true;
    const auto command = [&] { return cli::guarded([&] { return cli::run_validate(args, {}); }, {}); };
    const Ran ran = desk.expect("validate", command, {0, 1, 3});
    const Json report = Json::parse(ran.out);
    const Json& findings = report["findings"];
    const bool any = std::any_of(findings.begin(), findings.end(), counts);
    if (any != (ran.exit_code == 1))
        throw WrongCommand{"validate: the exit code differs from the findings", ran.out.substr(0, shown_output)};
    for (const Json& f : findings) {
        ++coverage["finding: " + f["class"].get<std::string>()];
        if (!f["witness"].is_null()) show_again(desk, f);
    }
    args.json = false;
    args.proofs = true;
    for (const Language language : {Language::en, Language::ja})
        desk.expect("validate",
                    [&] {
                        return cli::guarded([&] { return cli::run_validate(args, {language, false}); }, {});
                    },
                    {ran.exit_code});
}

// The game and itself in another layout are alike; a house rule need not be.
void diff(const Desk& desk, bool house_rule, Coverage& coverage) {
    desk.expect({"diff", "game.rules", "laid_out.rules", "--games", "30", "--states", "500"}, {0, 3});
    desk.expect({"diff", "game.rules", "renamed.rules", "--games", "10", "--states", "100"}, {0, 1, 3});
    if (!house_rule) return;
    const Ran ran = desk.expect({"diff", "house.rules", "--games", "30", "--states", "500", "--logs", "diff_logs"}, {0, 1, 3});
    if (ran.exit_code == 1) ++coverage["house rules that part"];
    for (const std::string& log : desk.files("diff_logs"))
        desk.expect({"replay", log, "--rules", log.ends_with("A.log") ? "game.rules" : "house.rules"}, {0});
}

// ---- what a seat can know ----------------------------------------------------------------------------------------------------

std::string log_of_some_moves(const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    const auto run = make_run(machine);
    Random random(seed);
    Events events;
    run->record(&events);
    run->start();
    for (int i = 0; i < moves_of_a_log; ++i) {
        const NodeKind kind = run->advance().kind;
        if (kind == NodeKind::over || kind == NodeKind::failed) break;
        run->apply(random_move(*run, random));
    }
    run->advance();
    return log_text(*machine, head_of(*machine, std::nullopt), events);
}

void know(const Desk& desk, const Machine& machine, std::uint64_t seed) {
    desk.write("some.log", log_of_some_moves(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}), seed));
    desk.expect({"replay", "some.log", "--rules", "game.rules"}, {0});
    for (const char* seat : {"P1", "P2"}) {
        desk.expect({"replay", "some.log", "--rules", "game.rules", "--as", seat}, {0});
        desk.expect({"view", "some.log", "--rules", "game.rules", "--as", seat}, {0});
        desk.expect({"hint", "some.log", "--rules", "game.rules", "--as", seat, "--time", "0.3", "--json"}, {0, 3});
    }
    desk.expect({"hint", "some.log", "--rules", "game.rules", "--as", "P1", "--time", "0.3", "--give-away", "--lang", "ja"}, {0, 3});
    desk.expect({"worlds", "some.log", "--rules", "game.rules", "--as", "P1", "--time", "0.3", "--limit", "5"}, {0, 3});
}

}  // namespace

std::optional<WrongCommand> wrong_command(const GeneratedGame& game, const GeneratedGame& others, const Machine& machine,
                                          std::uint64_t seed, Coverage& coverage) {
    const Desk desk;
    desk.write("game.rules", game.text);
    desk.write("laid_out.rules", format(game.text));
    desk.write("renamed.rules", others.text);
    if (!game.house_rule.empty()) desk.write("house.rules", game.house_rule);
    try {
        if (!read_and_print(desk, "game.rules")) throw WrongCommand{"check refuses what was checked", ""};
        play(desk, "game.rules");
        const bool house_rule = !game.house_rule.empty() && read_and_print(desk, "house.rules");
        if (!game.house_rule.empty() && !house_rule) ++coverage["house rules that are refused"];
        validate(desk, coverage);
        diff(desk, house_rule, coverage);
        know(desk, machine, seed);
    } catch (const WrongCommand& wrong) {
        return wrong;
    }
    return std::nullopt;
}

}  // namespace houserule::random_games
