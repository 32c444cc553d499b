// A further language is a file for each table of texts, and nothing that is wrong with such a file compiles. The compiler that built
// this program is asked.
#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = HOUSERULE_ROOT;

std::string contents_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A table of texts: what its files are called before the language, `dsl/text/texts`, and the file that reads them.
struct Table {
    std::string stem;
    fs::path reader;
};

std::vector<Table> tables() {
    std::vector<Table> found;
    for (const char* top : {"dsl", "interpreter", "solver"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string path = entry.path().lexically_relative(root).string();
            if (!path.ends_with(".en.def")) continue;
            Table table{path.substr(0, path.size() - 7), {}};
            for (const auto& beside : fs::directory_iterator(entry.path().parent_path()))
                if (beside.path().extension() == ".cpp" &&
                    contents_of(beside.path()).find(" " + table.stem + ".language.def") != std::string::npos)
                    table.reader = beside.path();
            found.push_back(table);
        }
    }
    return found;
}

// A folder with tables of a third language, `xx`, which is as `HOUSERULE_LANGUAGES` would have it with a word more.
class ThirdLanguage {
public:
    ThirdLanguage() {
        std::string name = (fs::temp_directory_path() / "houserule-tables-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = name;
    }
    ~ThirdLanguage() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    ThirdLanguage(const ThirdLanguage&) = delete;
    ThirdLanguage& operator=(const ThirdLanguage&) = delete;

    // Its table is `text`. What the compiler has to say to it; nothing when it is content.
    std::string complaint(const Table& table, const std::string& text) const {
        const fs::path file = folder_ / (table.stem + ".xx.def");
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        const std::string command =
            "LC_ALL=C " + std::string(HOUSERULE_COMPILER) + " -std=c++20 -fsyntax-only -I '" + folder_.string() + "' -I '" + root.string() +
            "' '-DHOUSERULE_LANGUAGES(LANGUAGE)=LANGUAGE(en) LANGUAGE(ja) LANGUAGE(xx)' '" + table.reader.string() + "' 2>&1";
        std::FILE* said = popen(command.c_str(), "r");
        REQUIRE(said != nullptr);
        std::string all;
        std::array<char, 4096> buffer{};
        while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), said)) all.append(buffer.data(), n);
        const int status = pclose(said);
        REQUIRE(WIFEXITED(status));
        REQUIRE((WEXITSTATUS(status) == 0) == (all.find("error") == std::string::npos));
        return all;
    }

private:
    fs::path folder_;
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("texts: a further language is a file for each table", "[texts]") {
    const ThirdLanguage third;
    const std::vector<Table> all = tables();
    CHECK(all.size() >= 3);
    for (const Table& table : all) {
        CAPTURE(table.stem);
        REQUIRE_FALSE(table.reader.empty());
        CHECK(third.complaint(table, contents_of(root / (table.stem + ".en.def"))).empty());
    }
}

TEST_CASE("texts: a table without a row, with one more, or with other places does not compile", "[texts]") {
    const ThirdLanguage third;
    const std::vector<Table> all = tables();
    const auto table = std::ranges::find(all, "solver/terms/limits", &Table::stem);
    REQUIRE(table != all.end());
    const std::string english = contents_of(root / "solver/terms/limits.en.def");
    CHECK(third.complaint(*table, english).empty());

    const std::size_t last = english.rfind("HOUSERULE_TEXT(");
    const std::string name = english.substr(last + 15, english.find(',', last) - last - 15);
    CHECK(holds(third.complaint(*table, english.substr(0, last)), "'" + name + "'"));
    CHECK(holds(third.complaint(*table, english + "HOUSERULE_TEXT(one_more, \"one more\")\n"), "'one_more'"));
    CHECK(holds(third.complaint(*table, english + english.substr(last)), name));
    for (const char* other : {"{1}", "{}", "{0:d}", "all"}) {
        CAPTURE(other);
        std::string text = english;
        text.replace(text.find("{0}", text.find("HOUSERULE_TEXT(")), 3, other);
        CHECK(holds(third.complaint(*table, text), "other places than in English"));
    }
}
