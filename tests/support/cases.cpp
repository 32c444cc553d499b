#include "tests/support/cases.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>

namespace houserule::cases {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr std::string_view any = "…";

Lines split_lines(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string join_lines(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// ---- The document -----------------------------------------------------------------------------------------------------------

// What opens a fenced block: its indent, its marks (``` or ~~~, or more of them) and the words after them.
struct Fence {
    std::size_t indent;
    std::string_view marks;
    std::string_view info;
};

std::optional<Fence> opening_fence(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
    const std::size_t count = std::min(line.find_first_not_of(line[0]), line.size());
    const std::string_view info = trimmed(line.substr(count));
    if (count < 3 || (line[0] == '`' && info.find('`') != std::string_view::npos)) return std::nullopt;
    return Fence{indent, line.substr(0, count), info};
}

bool closes(std::string_view line, const Fence& fence) {
    const auto close = opening_fence(line);
    return close && close->info.empty() && close->marks.starts_with(fence.marks);
}

// A file to be written.
struct File {
    std::size_t line;  // of the opening fence, from 1
    std::string name;
    Lines content;
};

// A command with the output that is expected: lines [begin, end) of the document, counted from 0.
struct Command {
    std::size_t line;   // from 1
    std::string shell;  // as the shell reads it
    std::size_t begin;
    std::size_t end;
    std::size_t indent;  // of the block
    Lines expected;
};

struct Document {
    Lines lines;
    std::vector<std::variant<File, Command>> steps;
    std::vector<Fault> faults;
};

std::string without_indent(const std::string& line, std::size_t indent) {
    return line.substr(std::min({indent, line.find_first_not_of(' '), line.size()}));
}

bool continues(const std::string& line) { return line.ends_with('\\'); }

// The commands of the console block of lines [at, end).
void read_commands(Document& document, std::size_t at, std::size_t end, std::size_t indent) {
    const auto line = [&](std::size_t i) { return without_indent(document.lines[i], indent); };
    if (at == end || !line(at).starts_with("$ ")) {
        document.faults.push_back({at + 1, "a console block begins with a line `$ COMMAND`", false});
        return;
    }
    while (at < end) {
        Command command{at + 1, line(at).substr(2), 0, 0, indent, {}};
        while (continues(line(at)) && at + 1 < end) command.shell += '\n' + line(++at);
        command.begin = ++at;
        for (; at < end && !line(at).starts_with("$ "); ++at) command.expected.push_back(line(at));
        command.end = at;
        document.steps.emplace_back(std::move(command));
    }
}

// The name of the file that a block becomes; nothing when the block is none.
std::optional<std::string> file_name(std::string_view info) {
    const std::size_t space = std::min(info.find_first_of(" \t"), info.size());
    const std::string_view kind = info.substr(0, space);
    const std::string_view name = trimmed(info.substr(space));
    if (kind != "rules" && kind != "log" && kind != "file") return std::nullopt;
    if (name.empty() && kind != "file") return "game." + std::string(kind);
    return std::string(name);
}

// Whether a block may write `name`: a path inside the temporary folder, and not through the links into the source tree.
bool is_inside(const fs::path& name) {
    if (name.empty() || name.is_absolute()) return false;
    if (std::find(name.begin(), name.end(), "..") != name.end()) return false;
    const fs::path first = *name.lexically_normal().begin();
    return first != "games" && first != "examples";
}

void read_block(Document& document, const Fence& fence, std::size_t begin, std::size_t end) {
    if (fence.info == "console" || fence.info.starts_with("console ")) return read_commands(document, begin, end, fence.indent);
    const auto name = file_name(fence.info);
    if (!name) return;
    if (!is_inside(*name)) {
        document.faults.push_back({begin, "a block cannot become the file `" + *name + "`", false});
        return;
    }
    File file{begin, *name, {}};
    for (std::size_t i = begin; i < end; ++i) file.content.push_back(without_indent(document.lines[i], fence.indent));
    document.steps.emplace_back(std::move(file));
}

Document read_document(std::string_view text) {
    Document document{split_lines(text), {}, {}};
    for (std::size_t at = 0; at < document.lines.size(); ++at) {
        // A copy: the fence holds views of it.
        const std::string opening = document.lines[at];
        const auto fence = opening_fence(opening);
        if (!fence) continue;
        const std::size_t begin = at + 1;
        do ++at;
        while (at < document.lines.size() && !closes(document.lines[at], *fence));
        if (at == document.lines.size()) document.faults.push_back({begin, "the block is not closed", false});
        read_block(document, *fence, begin, at);
    }
    return document;
}

// ---- Expected and printed ---------------------------------------------------------------------------------------------------

bool is_any_lines(std::string_view expected) { return trimmed(expected) == any; }

// Whether the line fits, `…` in `expected` standing for any text.
bool fits(std::string_view expected, std::string_view printed) {
    std::size_t mark = expected.find(any);
    if (mark == std::string_view::npos) return expected == printed;
    if (!printed.starts_with(expected.substr(0, mark))) return false;
    printed.remove_prefix(mark);
    expected.remove_prefix(mark + any.size());
    while ((mark = expected.find(any)) != std::string_view::npos) {
        const std::size_t at = printed.find(expected.substr(0, mark));
        if (at == std::string_view::npos) return false;
        printed.remove_prefix(at + mark);
        expected.remove_prefix(mark + any.size());
    }
    return printed.ends_with(expected);
}

// One step of turning the expected lines into the printed ones.
enum class Change { keep, replace, remove, insert, absorb, absorb_none };

// What a change costs. Two wrong lines are told as replaced rather than swallowed by a `…` between them.
int cost_of(Change change) {
    switch (change) {
        case Change::keep:
        case Change::absorb:
        case Change::absorb_none:
            return 0;
        case Change::insert:
            return 2;
        case Change::replace:
            return 3;
        case Change::remove:
            return 4;
    }
    std::abort();
}

bool takes_expected(Change change) { return change != Change::insert && change != Change::absorb; }
bool takes_printed(Change change) { return change != Change::remove && change != Change::absorb_none; }

std::vector<Change> changes_at(const Lines& expected, const Lines& printed, std::size_t i, std::size_t j) {
    const bool more_expected = i < expected.size();
    const bool more_printed = j < printed.size();
    std::vector<Change> changes;
    if (more_expected && is_any_lines(expected[i])) {
        if (more_printed) changes.push_back(Change::absorb);
        changes.push_back(Change::absorb_none);
        return changes;
    }
    if (more_expected && more_printed) changes.push_back(fits(expected[i], printed[j]) ? Change::keep : Change::replace);
    if (more_expected) changes.push_back(Change::remove);
    if (more_printed) changes.push_back(Change::insert);
    return changes;
}

// The cheapest changes, found from the end; all of cost 0 exactly when the output is as expected.
std::vector<Change> align(const Lines& expected, const Lines& printed) {
    const std::size_t rows = expected.size() + 1;
    const std::size_t columns = printed.size() + 1;
    std::vector<int> cost(rows * columns, 0);
    std::vector<Change> best(rows * columns, Change::keep);
    for (std::size_t cell = rows * columns - 1; cell-- > 0;) {
        const std::size_t i = cell / columns, j = cell % columns;
        int least = -1;
        for (const Change change : changes_at(expected, printed, i, j)) {
            const std::size_t next = (i + (takes_expected(change) ? 1 : 0)) * columns + j + (takes_printed(change) ? 1 : 0);
            const int total = cost[next] + cost_of(change);
            if (least >= 0 && total >= least) continue;
            least = total;
            best[cell] = change;
        }
        cost[cell] = least;
    }
    std::vector<Change> path;
    for (std::size_t i = 0, j = 0; i < expected.size() || j < printed.size();) {
        const Change change = best[i * columns + j];
        path.push_back(change);
        i += takes_expected(change) ? 1 : 0;
        j += takes_printed(change) ? 1 : 0;
    }
    return path;
}

struct Comparison {
    bool equal = true;
    std::string diff;
    Lines rewritten;
};

void add_change(Comparison& to, Change change, const std::string* expected, const std::string* printed) {
    switch (change) {
        case Change::keep:
        case Change::absorb_none:
            to.diff += "  | " + *expected + '\n';
            to.rewritten.push_back(*expected);
            return;
        case Change::absorb:
            return;
        case Change::remove:
            to.diff += "- | " + *expected + '\n';
            break;
        case Change::replace:
            to.diff += "- | " + *expected + '\n';
            [[fallthrough]];
        case Change::insert:
            to.diff += "+ | " + *printed + '\n';
            to.rewritten.push_back(*printed);
            break;
    }
    to.equal = false;
}

std::string exit_line(int code) { return "[exit " + std::to_string(code) + "]"; }

// The exit code that the last of the expected lines tells, which is then removed; 0 when it tells none.
int take_exit_code(Lines& expected) {
    if (expected.empty() || !expected.back().starts_with("[exit ") || !expected.back().ends_with(']')) return 0;
    const std::string& line = expected.back();
    int code = 0;
    const char* last = line.data() + line.size() - 1;
    const auto result = std::from_chars(line.data() + 6, last, code);
    if (result.ec != std::errc{} || result.ptr != last) return 0;
    expected.pop_back();
    return code;
}

// The exit code is compared by itself, so that no `…` can cover it.
Comparison compare(Lines expected, const Lines& printed, int exit_code) {
    const int expected_code = take_exit_code(expected);
    Comparison result;
    std::size_t i = 0, j = 0;
    for (const Change change : align(expected, printed)) {
        const std::string* expected_line = i < expected.size() ? &expected[i] : nullptr;
        const std::string* printed_line = j < printed.size() ? &printed[j] : nullptr;
        add_change(result, change, expected_line, printed_line);
        i += takes_expected(change) ? 1 : 0;
        j += takes_printed(change) ? 1 : 0;
    }
    if (exit_code != 0) result.rewritten.push_back(exit_line(exit_code));
    if (exit_code == expected_code) return result;
    result.equal = false;
    if (expected_code != 0) result.diff += "- | " + exit_line(expected_code) + '\n';
    if (exit_code != 0) result.diff += "+ | " + exit_line(exit_code) + '\n';
    return result;
}

// ---- Running ----------------------------------------------------------------------------------------------------------------

// A folder that goes away with its owner.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "houserule-case-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

struct Result {
    std::string printed;
    int exit_code;
};

// All that a command finds in its environment. What steers the sanitizers comes from ours.
Lines environment(const fs::path& folder, const Setting& setting) {
    Lines variables{
        "PATH=" + setting.program_dir.string() + ":/usr/local/bin:/usr/bin:/bin",
        "HOME=" + folder.string(),
        "TMPDIR=" + folder.string(),
        "NO_COLOR=1",
        "LC_ALL=" + setting.locale,
        "HOUSERULE_GAMES=" + (setting.root / "games").string(),
    };
    for (const char* name : {"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"}) {
        if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
    }
    return variables;
}

std::vector<char*> pointers(Lines& strings) {
    std::vector<char*> result;
    for (std::string& s : strings) result.push_back(s.data());
    result.push_back(nullptr);
    return result;
}

std::string read_all(int descriptor) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(count));
    }
}

// In the child: never returns.
[[noreturn]] void become(const fs::path& folder, int output, char* const* arguments, char* const* variables) {
    const bool placed = chdir(folder.c_str()) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2;
    if (placed) execve("/usr/bin/timeout", arguments, variables);
    _exit(126);
}

constexpr int clock_for_each_second = 8;

Result run_shell(const std::string& shell, const fs::path& folder, const Setting& setting) {
    // Each program it starts has so much time of a processor; the clock stops only what waits for ever, however busy the machine is.
    Lines arguments{"timeout",
                    "--kill-after=5",
                    std::to_string(clock_for_each_second * setting.limit_s),
                    "/bin/sh",
                    "-c",
                    fmt::format("exec </dev/null\nulimit -S -t {}\n{}", setting.limit_s, shell)};
    Lines variables = environment(folder, setting);
    const auto argument_pointers = pointers(arguments);
    const auto variable_pointers = pointers(variables);
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        close(ends[0]);
        become(folder, ends[1], argument_pointers.data(), variable_pointers.data());
    }
    close(ends[1]);
    Result result{read_all(ends[0]), 0};
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

void write_file(const File& file, const fs::path& folder) {
    const fs::path path = folder / file.name;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << join_lines(file.content);
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

Lines printed_lines(const std::string& printed) {
    Lines lines = split_lines(printed);
    if (!printed.empty() && printed.back() != '\n') lines.emplace_back("[no line end]");
    return lines;
}

// Output that a console block cannot hold, because it would be read as something else.
bool can_be_shown(const Lines& printed) {
    return std::none_of(printed.begin(), printed.end(),
                        [](const std::string& line) { return line.starts_with("$ ") || opening_fence(line); });
}

// A command's new output, for lines [begin, end) of the document.
struct Rewrite {
    std::size_t begin;
    std::size_t end;
    Lines lines;
};

void run_command(const Command& command, const fs::path& folder, const Setting& setting, Report& report, std::vector<Rewrite>& rewrites) {
    ++report.command_count;
    const Result result = run_shell(command.shell, folder, setting);
    report.printed.push_back({command.line, command.shell, result.printed});
    const Lines printed = printed_lines(result.printed);
    const Comparison comparison = compare(command.expected, printed, result.exit_code);
    if (comparison.equal) return;
    std::string text = "$ " + command.shell + '\n' + comparison.diff;
    if (result.exit_code == 124) text += fmt::format("(exit code 124: stopped after {} s)\n", clock_for_each_second * setting.limit_s);
    if (result.exit_code == 128 + SIGXCPU) text += fmt::format("(stopped after {} s of a processor)\n", setting.limit_s);
    const bool rewritable = can_be_shown(printed);
    if (!rewritable) text += "(a console block cannot hold this output: a line of it begins with `$ ` or is a fence)\n";
    report.faults.push_back({command.line, std::move(text), rewritable});
    if (!rewritable) return;
    Rewrite rewrite{command.begin, command.end, comparison.rewritten};
    for (std::string& line : rewrite.lines) {
        if (!line.empty()) line.insert(0, command.indent, ' ');
    }
    rewrites.push_back(std::move(rewrite));
}

// `rewrites` are in the order of the document.
std::string rewritten(Lines lines, const std::vector<Rewrite>& rewrites) {
    for (auto it = rewrites.rbegin(); it != rewrites.rend(); ++it) {
        const auto at =
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(it->begin), lines.begin() + static_cast<std::ptrdiff_t>(it->end));
        lines.insert(at, it->lines.begin(), it->lines.end());
    }
    return join_lines(lines);
}

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

void add_documents(std::vector<fs::path>& to, const fs::path& root, const fs::path& path) {
    if (path.extension() != ".md" || !fs::is_regular_file(path)) return;
    if (has_commands(contents(path))) to.push_back(path.lexically_relative(root));
}

void add_documents_below(std::vector<fs::path>& to, const fs::path& root, const char* folder) {
    if (!fs::is_directory(root / folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add_documents(to, root, entry.path());
}

}  // namespace

bool has_commands(std::string_view text) {
    const Document document = read_document(text);
    const auto is_command = [](const auto& step) { return std::holds_alternative<Command>(step); };
    return std::any_of(document.steps.begin(), document.steps.end(), is_command) || !document.faults.empty();
}

Report run(std::string_view text, const Setting& setting) {
    const TemporaryFolder folder;
    for (const char* name : {"games", "examples"}) fs::create_directory_symlink(setting.root / name, folder.path() / name);
    const Document document = read_document(text);
    Report report{document.faults, 0, {}, {}};
    std::vector<Rewrite> rewrites;
    for (const auto& step : document.steps) {
        if (const auto* file = std::get_if<File>(&step)) {
            write_file(*file, folder.path());
        } else {
            run_command(std::get<Command>(step), folder.path(), setting, report, rewrites);
        }
    }
    report.rewritten = rewritten(document.lines, rewrites);
    return report;
}

std::vector<std::string> files_of(std::string_view text) {
    std::vector<std::string> files;
    for (const auto& step : read_document(text).steps)
        if (const auto* file = std::get_if<File>(&step)) files.push_back(join_lines(file->content));
    return files;
}

std::vector<Printed> commands_of(std::string_view text) {
    std::vector<Printed> commands;
    for (const auto& step : read_document(text).steps)
        if (const auto* command = std::get_if<Command>(&step))
            commands.push_back({command->line, command->shell, join_lines(command->expected)});
    return commands;
}

std::vector<fs::path> documents(const fs::path& root) {
    std::vector<fs::path> found;
    for (const char* folder : {"tests/cases", "games", "examples", "dsl", "interpreter", "solver"})
        add_documents_below(found, root, folder);
    if (fs::exists(root / "README.md")) add_documents(found, root, root / "README.md");
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace houserule::cases

// ---- The test ---------------------------------------------------------------------------------------------------------------

namespace {

namespace cases = houserule::cases;
namespace fs = std::filesystem;

bool updating() {
    const char* value = std::getenv("UPDATE_CASES");
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

void check_document(const fs::path& path, const cases::Setting& setting) {
    const std::string text = cases::contents(setting.root / path);
    const cases::Report report = cases::run(text, setting);
    for (const cases::Fault& fault : report.faults) {
        if (updating() && fault.rewritable) continue;
        FAIL_CHECK(path.string() << ":" << fault.line << ": " << fault.text);
    }
    CHECK(report.command_count > 0);
    houserule::testing::tally("commands in documents", report.command_count);
    if (!updating() || report.rewritten == text) return;
    std::ofstream(setting.root / path, std::ios::binary) << report.rewritten;
    WARN("rewritten: " << path.string());
}

}  // namespace

// One document alone: `houserule_tests cases -c tests/cases/NAME.md`; ctest has such a test for each. UPDATE_CASES=1 writes what was
// printed into the documents.
TEST_CASE("cases") {
    const fs::path program = HOUSERULE_PROGRAM;
    if (program.empty()) FAIL("the build has no program yet");
    const cases::Setting setting{HOUSERULE_ROOT, program.parent_path()};
    std::size_t count = 0;
    for (const fs::path& path : cases::documents(setting.root)) {
        DYNAMIC_SECTION(path.string()) {
            ++count;
            check_document(path, setting);
        }
    }
    CHECK(count > 0);  // a name that fits no document is a mistake
}

TEST_CASE("cases: each document is a test of its own") {
    std::ifstream in(HOUSERULE_CASE_DOCUMENTS);
    REQUIRE(in);
    std::vector<fs::path> listed;
    for (std::string line; std::getline(in, line);) listed.push_back(line);
    std::sort(listed.begin(), listed.end());
    const std::vector<fs::path> all = cases::documents(HOUSERULE_ROOT);
    CHECK(listed == all);
    const auto is_case = [](const fs::path& path) { return path.string().starts_with("tests/cases/"); };
    CHECK(std::any_of(all.begin(), all.end(), is_case));
}
