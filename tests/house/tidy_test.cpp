// Holds the house style, as far as a program can: each rule over the whole tree, and each shown to find what breaks it.
#include "tests/house/tidy.hpp"

#include "tests/house/functions.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

namespace {

using namespace houserule::house;
namespace fs = std::filesystem;

// Outside the tests. It only goes down: a typed id needs no cast.
constexpr std::size_t max_casts = 300;

Excuses excuses() { return read_excuses(contents(root() / "tests/house/excused.txt")); }

void check_rule(const std::string& rule, std::vector<Fault> (*faults_of)(const File&)) {
    std::vector<Fault> faults;
    for (const File& file : sources()) {
        const std::vector<Fault> found = faults_of(file);
        faults.insert(faults.end(), found.begin(), found.end());
    }
    check_none(not_excused(faults, excuses(), rule));
}

Strings texts(const std::vector<Fault>& faults) {
    Strings all;
    for (const Fault& fault : faults) all.push_back(fault.text);
    return all;
}

std::string lines(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "x\n";
    return text;
}

std::string repeat(const char* text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

struct Output {
    std::string text;
    int exit_code;
};

Output output_of(const std::string& command) {
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    Output output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, count);
    const int status = pclose(pipe);
    output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

// The command of clang-format 14, as other versions lay out differently; empty when there is none.
std::string clang_format() {
    for (const char* name : {"clang-format-14", "clang-format"}) {
        const Output version = output_of(std::string(name) + " --version");
        if (version.exit_code == 0 && version.text.find("version 14.") != std::string::npos) return name;
    }
    WARN("clang-format 14 is not installed: the layout of the sources was not checked");
    return {};
}

// The first place of each of `paths`, as the shell reads them, that clang-format would change.
Strings layout_faults(const std::string& program, const std::string& paths) {
    const std::string style = "--style=file:'" + (root() / ".clang-format").string() + "'";
    const Output output = output_of(program + " --dry-run -Werror " + style + " " + paths);
    Strings faults;
    std::set<std::string> seen;
    for (const std::string& line : lines_of(output.text)) {
        if (line.find(": error: ") != std::string::npos && seen.insert(line.substr(0, line.find(':'))).second) faults.push_back(line);
    }
    if (faults.empty() && output.exit_code != 0) faults.push_back(output.text);
    return faults;
}

}  // namespace

TEST_CASE("tidy: lines fit a window") { check_rule("width", width_faults); }

TEST_CASE("tidy: files are short") { check_rule("lines", length_faults); }

TEST_CASE("tidy: functions are short") { check_rule("function", function_faults); }

TEST_CASE("tidy: headers open with what they are for") { check_rule("opening", opening_faults); }

TEST_CASE("tidy: ids are made indices in one place") { check_rule("index", index_faults); }

TEST_CASE("tidy: files that are named are there") {
    std::set<std::string> known;
    std::vector<Fault> faults;
    std::vector<File> files = sources();
    for (const char* folder : {"dsl", "interpreter", "solver", "tests", "games", "examples"}) {
        for (const File& file : files_below(folder, {""})) known.insert(file.path);
        for (File& page : files_below(folder, {"README.md"})) files.push_back(std::move(page));
    }
    files.push_back({"README.md", contents(root() / "README.md")});
    for (const File& file : files) {
        for (Fault& fault : path_faults(file, known)) faults.push_back(std::move(fault));
    }
    check_none(not_excused(faults, excuses(), "path"));
}

TEST_CASE("tidy: every test runs") {
    std::set<std::string> running;
    for (const Catch::TestCase& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) running.insert(test.name);
    std::size_t count = 0;
    std::vector<Fault> faults;
    for (const File& file : sources()) {
        for (Fault& fault : skipped_test_faults(file)) faults.push_back(std::move(fault));
        for (const std::string& title : test_titles(file)) {
            ++count;
            if (running.count(title) > 0) continue;
            faults.push_back({"skipped " + file.path + " " + title, file.path + ": is not compiled into the tests: " + title});
        }
    }
    check_none(not_excused(faults, excuses(), "skipped"));
    CHECK(count > 200);
}

TEST_CASE("tidy: folders are small") { check_none(not_excused(folder_faults(sources()), excuses(), "folder")); }

TEST_CASE("tidy: lock files name no registry") {
    for (const char* folder : {"interpreter/app/serve/page", "tests/web"}) {
        const std::string lock = contents(root() / folder / "package-lock.json");
        CAPTURE(folder);
        CHECK(lock.find("\"integrity\"") != std::string::npos);
        CHECK(lock.find("\"resolved\"") == std::string::npos);
        CHECK(contents(root() / folder / ".npmrc").find("omit-lockfile-registry-resolved=true") != std::string::npos);
    }
}

TEST_CASE("tidy: one name is one type") {
    std::vector<File> program;
    for (const File& file : sources())
        if (!is_below(file.path, "tests")) program.push_back(file);
    CHECK(program.size() > 200);
    check_none(not_excused(repeated_type_faults(program), excuses(), "type"));
}

TEST_CASE("tidy: what is said stands in tables") {
    std::vector<Fault> faults;
    for (const File& file : sources()) {
        if (is_below(file.path, "tests")) continue;
        const std::vector<Fault> here = word_faults(file);
        faults.insert(faults.end(), here.begin(), here.end());
    }
    check_none(not_excused(faults, excuses(), "words"));
}

TEST_CASE("tidy: each folder has a page") {
    std::vector<File> readmes;
    for (const char* folder : {"dsl", "interpreter", "solver", "tests"}) {
        const std::vector<File> below = files_below(folder, {"README.md"});
        readmes.insert(readmes.end(), below.begin(), below.end());
    }
    check_none(not_excused(readme_faults(sources(), readmes), excuses(), "readme"));
}

TEST_CASE("tidy: casts become fewer") {
    std::size_t count = 0;
    for (const File& file : sources()) {
        if (!is_below(file.path, "tests")) count += count_casts(file);
    }
    INFO(count << " casts outside the tests");
    CHECK(count <= max_casts);
}

TEST_CASE("tidy: what is excused has a reason and a rule") {
    const Excuses all = excuses();
    check_none(all.faults);
    const std::set<std::string> rules{"width", "lines", "function", "opening", "index", "skipped", "folder", "readme", "path", "words"};
    for (const std::string& key : all.keys) CHECK(rules.count(key.substr(0, key.find(' '))) == 1);
}

TEST_CASE("tidy: clang-format finds nothing to do") {
    const std::string program = clang_format();
    if (program.empty()) return;
    std::string paths;
    for (const File& file : sources()) {
        if (!file.path.ends_with(".def")) paths += " '" + (root() / file.path).string() + "'";
    }
    check_none(layout_faults(program, paths));
}

TEST_CASE("tidy: a file that is not laid out is found") {
    const std::string program = clang_format();
    if (program.empty()) return;
    const fs::path path = fs::temp_directory_path() / ("houserule-layout-" + std::to_string(getpid()) + ".cpp");
    std::ofstream(path) << "int  a;\nint  b;\n";
    CHECK(layout_faults(program, path.string()).size() == 1);
    std::ofstream(path) << "int a;\n";
    CHECK(layout_faults(program, path.string()).empty());
    fs::remove(path);
    CHECK(layout_faults(program, path.string()).size() == 1);
}

TEST_CASE("tidy: what is code is told from comments and texts") {
    CHECK(code_of("a // b\n/* c\nd */ e\n") == "a     \n    \n     e\n");
    CHECK(code_of("f(\"a // \\\" b\", 'c', '\\'') 1'000 'x'") == "f(           ,    ,     ) 1'000    ");
    CHECK(code_of("x R\"re(\n\"//)re\" y // z", true) == "x R\"re(\n\"//)re\" y     ");
    CHECK(code_of("x R\"(a\nb)\" y") == "x R   \n    y");
    CHECK(raw_lines("a\nR\"(b\nc\nd)\"\ne") == std::vector<bool>{false, true, true, true, false});
    CHECK(rows_of("# a\n\nb c  # d\n  e\nf\n") == Strings{"b c  e", "f"});
}

TEST_CASE("tidy: functions are measured") {
    const auto measured = [](const char* text) {
        std::string all;
        for (const Function& f : functions_of(text)) all += f.name + " " + std::to_string(f.line) + "+" + std::to_string(f.length) + ";";
        return all;
    };
    CHECK(measured("int f() { return 1; }\n") == "");
    CHECK(measured("// {\nnamespace a {\nint f(int x) {\n    if (x) {\n    }\n}\n}  // namespace a\n") == "f 3+4;");
    CHECK(measured("template <class T>\nauto A<T>::f(T x)\n    -> int {\n}\n") == "A<T>::f 1+4;");
    CHECK(measured("struct A {\n    A() : b{1}, c({2}) {\n        d();\n    }\n\nprivate:\n    void e() const {\n    }\n};\n") ==
          "A 2+3;e 7+2;");
    CHECK(measured("A::A()\n    : b_{1},\n      c_{2} {\n}\nA::~A() {\n}\n") == "A::A 1+4;A::~A 5+2;");
    CHECK(measured("const Table t = {\n    {1},\n};\nconst auto g = [](int x) {\n    return x;\n};\nint h(\n) {\n}\n") == "h 7+3;");
    CHECK(measured("#define M(x) { \\\n  x {\nTEST_CASE(\"a (b)\", \"[c]\") {\n}\nbool operator==(A a, A b) {\n}\n") ==
          "a (b) 3+2;operator== 5+2;");
}

TEST_CASE("tidy: what breaks a rule is found") {
    const File wide{"dsl/a.cpp", repeat("手", 70) + "\n" + repeat("手", 70) + "x\nR\"(" + repeat("y", 140) + ")\"\n"};
    CHECK(texts(width_faults(wide)) == Strings{"dsl/a.cpp:2: 141 columns"});
    CHECK(width_faults({"dsl/a.def", wide.text}).empty());
    CHECK(length_faults({"dsl/a.cpp", lines(700)}).empty());
    CHECK(texts(length_faults({"dsl/a.cpp", lines(701)})) == Strings{"dsl/a.cpp: 701 lines"});
    CHECK(length_faults({"dsl/a.def", lines(701)}).empty());
    CHECK(function_faults({"dsl/a.cpp", "void f() {\n" + lines(68) + "}\n"}).empty());
    CHECK(texts(function_faults({"dsl/a.cpp", "\nvoid f() {\n" + lines(69) + "}\n"})) == Strings{"dsl/a.cpp:2: f: 71 lines"});
    std::vector<File> many(25, {"dsl/a/b.cpp", ""});
    CHECK(folder_faults(many).empty());
    many.push_back({"dsl/a/c.hpp", ""});
    many.push_back({"dsl/a/d/c.hpp", ""});
    CHECK(texts(folder_faults(many)) == Strings{"dsl/a: 26 sources"});
    CHECK(texts(readme_faults({{"dsl/a/b.cpp", ""}, {"dsl/c/b.cpp", ""}, {"dsl/d/b.cpp", ""}, {"tests/e/b.cpp", ""}},
                              {{"dsl/a/README.md", lines(60)}, {"dsl/c/README.md", lines(61)}, {"tests/README.md", lines(1)}})) ==
          Strings{"dsl/c/README.md: 61 lines are more than a page", "dsl/d: has no README.md", "tests/e: has no README.md"});
    const std::string type = "namespace n {\nstruct A final : B<c::D> {\n};\nstruct E;\nclass F::G {\n};\n}  // namespace n\n";
    CHECK(texts(repeated_type_faults({{"dsl/a.hpp", type}, {"dsl/b.cpp", type}})) == Strings{"n::A: in dsl/a.hpp and dsl/b.cpp"});
    CHECK(repeated_type_faults({{"dsl/a.hpp", type}, {"dsl/b.cpp", "namespace n {\nnamespace {\n" + type + "}\n"}}).empty());
    CHECK(repeated_type_faults({{"dsl/a.hpp", type}, {"dsl/b.cpp", "namespace m {\nstruct A {\n};\n}  // namespace m\n"}}).empty());
    CHECK(opening_faults({"dsl/a.hpp", "// What a thing is for.\n#pragma once\n"}).empty());
    for (const char* text : {"#pragma once\n", "#pragma once\n// What a thing is for.\n", "// A thing.\n#pragma once\n",
                             "// What a thing is\n#pragma once\n", "// What a thing is for.\nint a;\n"}) {
        CHECK(texts(opening_faults({"dsl/a.hpp", text})) == Strings{"dsl/a.hpp: opens with no sentence before `#pragma once`"});
    }
    const std::set<std::string> known{"dsl/a.cpp"};
    CHECK(path_faults({"dsl/a.cpp", "// See dsl/a.cpp and tests/NAME.md.\n#include \"dsl/b.hpp\"\n"}, known).empty());
    CHECK(texts(path_faults({"dsl/a.cpp", "int a;  // See dsl/b.cpp.\n"}, known)) == Strings{"dsl/a.cpp:1: there is no dsl/b.cpp"});
    CHECK(texts(path_faults({"dsl/README.md", "\nAll in `dsl/c.def`.\n"}, known)) == Strings{"dsl/README.md:2: there is no dsl/c.def"});
    CHECK(index_faults({"dsl/a.cpp", "std::size_t at(Id id) { return 0; }\n"}).size() == 1);
    CHECK(index_faults({"dsl/a.cpp", "std::size_t at(ZoneId id) { return 0; }\n"}).size() == 1);
    CHECK(index_faults({"dsl/a.cpp", "// std::size_t at(Id id)\nint at(Place p);\n"}).empty());
}

TEST_CASE("tidy: Japanese in code is found") {
    CHECK(texts(word_faults({"dsl/a.cpp", "// はい\nint a;\nf(\"はい\");\n"})) ==
          Strings{"dsl/a.cpp:3: Japanese in code, and not in a table of texts"});
    CHECK(texts(word_faults({"dsl/a.cpp", "f(\"手\");\n"})).size() == 1);
    CHECK(word_faults({"dsl/a.cpp", "f(\"。、「」—é\");  // 手\n"}).empty());
    CHECK(word_faults({"dsl/a.ja.def", "T(yes, \"はい\")\n"}).empty());
}

TEST_CASE("tidy: a test that does not run is found") {
    const auto faults = [](const char* text) { return texts(skipped_test_faults({"a.cpp", text})); };
    CHECK(faults("#ifdef A\nint a;\n#endif\nTEST_CASE(\"b\") {}\nTEST_CASE(\"c\", \"[.long][d]\") {}\n").empty());
    CHECK(faults("#if 0\n\nTEST_CASE(\"b\") {}\n#else\nTEST_CASE(\"c\") {}\n#endif\n") ==
          Strings{"a.cpp:3: b: stands under a condition of the preprocessor", "a.cpp:5: c: stands under a condition of the preprocessor"});
    CHECK(faults("TEST_CASE(\"b\", \"[.]\") {}\n") == Strings{"a.cpp:1: b: is hidden by [.]"});
    CHECK(faults("TEST_CASE(\"b\",\n \"[x][!mayfail]\") {}\n") == Strings{"a.cpp:1: b: is hidden by [x][!mayfail]"});
    CHECK(test_titles({"a.cpp", "// TEST_CASE(\"a\")\nTEST_CASE(\"b\") {}\n"}) == Strings{"b"});
}

TEST_CASE("tidy: casts are counted however they are written") {
    const auto casts = [](const char* text) { return count_casts({"a.cpp", text}); };
    CHECK(casts("static_cast<int>(a) + const_cast<A&>(b) + reinterpret_cast<A*>(c)") == 3);
    CHECK(casts("(int)a; (std::size_t) b; (char*)c; (unsigned)(d);") == 4);
    CHECK(casts("f = std::size_t(a) + int(b);") == 2);
    CHECK(casts("// static_cast<int>(a)\nint f(int); std::function<int(A)> g; f(int a); int (*h)(int);") == 0);
}

TEST_CASE("tidy: an excuse counts while it is needed") {
    const Excuses list = read_excuses("# why\nlines a.cpp  # a table\n\nwidth b.cpp  # long\n");
    CHECK(list.faults.empty());
    CHECK(not_excused({{"lines a.cpp", "a.cpp: 701 lines"}}, list, "lines").empty());
    CHECK(not_excused({{"lines b.cpp", "b.cpp: 701 lines"}}, list, "lines") ==
          Strings{"b.cpp: 701 lines", "excused without need, to be taken off excused.txt: lines a.cpp"});
    CHECK(read_excuses("lines a.cpp\n").faults == Strings{"no reason is given: lines a.cpp"});
}
