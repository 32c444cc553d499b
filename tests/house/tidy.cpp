#include "tests/house/tidy.hpp"

#include "dsl/text/text.hpp"
#include "tests/house/functions.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace houserule::house {
namespace {

bool is_table(const File& file) { return file.path.ends_with(".def"); }

std::string place(const File& file, std::size_t line) { return file.path + ":" + std::to_string(line) + ": "; }

std::size_t count_matches(const std::string& text, const std::regex& pattern) {
    return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()));
}

// The text of the `//` comment that a file begins with, without the marks.
std::string opening_comment(std::string_view text) {
    std::string comment;
    for (const std::string& line : lines_of(text)) {
        if (!line.starts_with("//")) break;
        comment += line.substr(2);
    }
    return comment;
}

// Whether `text` begins with a sentence: some words and a full stop.
bool opens_with_sentence(const std::string& text) {
    static const std::regex sentence(R"re(^ *\S+ \S+ \S+ ([^.]|\.\S)*\.( |$))re");
    return std::regex_search(text, sentence);
}

struct TestHead {
    std::string title;
    std::string tags;
    std::size_t line;
};

std::vector<TestHead> test_heads(const File& file) {
    static const std::regex head(R"re((?:^|\n)[ \t]*(?:TEST_CASE|TEMPLATE_TEST_CASE)\(\s*"((?:[^"\\]|\\.)*)"(?:,\s*"([^"]*)")?)re");
    std::vector<TestHead> heads;
    if (file.text.find("TEST_CASE") == std::string::npos) return heads;
    const std::string code = code_of(file.text, true);
    for (std::sregex_iterator it(code.begin(), code.end(), head), end; it != end; ++it) {
        const auto at = code.begin() + it->position(1);
        heads.push_back({(*it)[1], (*it)[2], 1 + static_cast<std::size_t>(std::count(code.begin(), at, '\n'))});
    }
    return heads;
}

// Of each line how many `#if` stand open there.
std::vector<int> conditions(const File& file) {
    static const std::regex opening(R"re(^\s*#\s*if)re"), closing(R"re(^\s*#\s*endif)re");
    std::vector<int> depths;
    int depth = 0;
    for (const std::string& line : lines_of(code_of(file.text))) {
        if (std::regex_search(line, opening)) ++depth;
        if (std::regex_search(line, closing)) --depth;
        depths.push_back(depth);
    }
    return depths;
}

}  // namespace

std::vector<Fault> width_faults(const File& file) {
    std::vector<Fault> faults;
    if (is_table(file)) return faults;
    const std::vector<bool> raw = raw_lines(file.text);
    const Strings lines = lines_of(file.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t width = display_width(lines[i]);
        if (width <= max_columns || raw[i]) continue;
        faults.push_back({"width " + file.path, place(file, i + 1) + std::to_string(width) + " columns"});
    }
    return faults;
}

std::vector<Fault> length_faults(const File& file) {
    const std::size_t count = lines_of(file.text).size();
    if (is_table(file) || count <= max_lines) return {};
    return {{"lines " + file.path, file.path + ": " + std::to_string(count) + " lines"}};
}

std::vector<Fault> function_faults(const File& file) {
    std::vector<Fault> faults;
    for (const Function& f : functions_of(file.text)) {
        if (f.length <= max_function_lines) continue;
        faults.push_back(
            {"function " + file.path + " " + f.name, place(file, f.line) + f.name + ": " + std::to_string(f.length) + " lines"});
    }
    return faults;
}

std::vector<Fault> folder_faults(const std::vector<File>& files) {
    std::map<std::string, std::size_t> counts;
    for (const File& file : files) ++counts[folder_of(file.path)];
    std::vector<Fault> faults;
    for (const auto& [folder, count] : counts) {
        if (count > max_sources) faults.push_back({"folder " + folder, folder + ": " + std::to_string(count) + " sources"});
    }
    return faults;
}

std::vector<Fault> repeated_type_faults(const std::vector<File>& files) {
    static const std::regex opens(R"re(^(?:inline )?namespace ?([\w:]*) ?\{$)re");
    static const std::regex closes(R"re(^\}\s*// namespace.*$)re");
    static const std::regex defines(R"re(^(?:class|struct|enum|enum class|union) (\w+)(?: final)?(?: :[^:].*)? \{.*$)re");
    std::map<std::string, std::string> first;  // where it was met, by the whole name
    std::vector<Fault> faults;
    for (const File& file : files) {
        Strings inside;
        std::smatch found;
        for (const std::string& line : lines_of(file.text)) {
            if (std::regex_match(line, found, opens)) inside.push_back(found[1]);
            if (std::regex_match(line, closes) && !inside.empty()) inside.pop_back();
            if (std::find(inside.begin(), inside.end(), "") != inside.end() || !std::regex_match(line, found, defines)) continue;
            std::string name;
            for (const std::string& part : inside) name += part + "::";
            name += found[1];
            const auto [at, is_new] = first.emplace(name, file.path);
            if (!is_new && at->second != file.path) faults.push_back({"type " + name, name + ": in " + at->second + " and " + file.path});
        }
    }
    return faults;
}

std::vector<Fault> readme_faults(const std::vector<File>& files, const std::vector<File>& readmes) {
    std::set<std::string> folders;
    for (const File& file : files) folders.insert(folder_of(file.path));
    std::vector<Fault> faults;
    for (const std::string& folder : folders) {
        const auto page = std::find_if(readmes.begin(), readmes.end(), [&](const File& f) { return f.path == folder + "/README.md"; });
        const std::size_t count = page == readmes.end() ? 0 : lines_of(page->text).size();
        if (count == 0) faults.push_back({"readme " + folder, folder + ": has no README.md"});
        if (count <= max_readme_lines) continue;
        faults.push_back({"readme " + folder, folder + "/README.md: " + std::to_string(count) + " lines are more than a page"});
    }
    return faults;
}

std::vector<Fault> opening_faults(const File& file) {
    if (!file.path.ends_with(".hpp")) return {};
    const bool once = file.text.find("\n#pragma once\n") != std::string::npos;
    if (once && opens_with_sentence(opening_comment(file.text))) return {};
    return {{"opening " + file.path, file.path + ": opens with no sentence before `#pragma once`"}};
}

namespace {

// Whether there is kana or a kanji in the text, in UTF-8; punctuation does not count.
bool has_japanese(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if ((byte(i) == 0xE3 && byte(i + 1) > 0x80) || (byte(i) >= 0xE4 && byte(i) <= 0xE9)) return true;
    return false;
}

}  // namespace

std::vector<Fault> word_faults(const File& file) {
    const Strings code = file.path.ends_with(".def") ? Strings{} : lines_of(code_of(file.text, true));
    for (std::size_t i = 0; i < code.size(); ++i)
        if (has_japanese(code[i]))
            return {{"words " + file.path, file.path + ":" + std::to_string(i + 1) + ": Japanese in code, and not in a table of texts"}};
    return {};
}

std::vector<Fault> index_faults(const File& file) {
    static const std::regex index(R"re(\bsize_t\s+at\(\w*Id\b)re");
    if (file.text.find(" at(") == std::string::npos || !std::regex_search(code_of(file.text), index)) {
        return {};
    }
    return {{"index " + file.path, file.path + ": has a size_t at(Id) of its own"}};
}

std::vector<Fault> skipped_test_faults(const File& file) {
    static const std::regex skipping(R"re(\[\.(?!long\])|\[!(hide|mayfail|shouldfail)\])re");
    const std::vector<int> depth = conditions(file);
    std::vector<Fault> faults;
    for (const TestHead& head : test_heads(file)) {
        const std::string key = "skipped " + file.path + " " + head.title, at = place(file, head.line) + head.title;
        if (depth[head.line - 1] > 0) faults.push_back({key, at + ": stands under a condition of the preprocessor"});
        if (std::regex_search(head.tags, skipping)) faults.push_back({key, at + ": is hidden by " + head.tags});
    }
    return faults;
}

std::vector<Fault> path_faults(const File& file, const std::set<std::string>& known) {
    static const std::regex path(
        R"re(\b(?:dsl|interpreter|solver|tests|games|examples)(?:/[\w-]+)+\.(?:hpp|cpp|def|inc|md|txt|rules)\b)re");
    static const std::regex of_many(R"re(NAME|language)re");
    std::vector<Fault> faults;
    const bool page = file.path.ends_with(".md");
    const Strings whole = lines_of(file.text), code = page ? Strings{} : lines_of(code_of(file.text, true));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        // Of a source only its comments: they are blank where code is told from them.
        const std::size_t begin = page ? 0 : code[i].find_last_not_of(' ') + 1;
        const std::string text = whole[i].substr(std::min(begin, whole[i].size()));
        for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it) {
            const std::string named = it->str();
            if (known.count(named) > 0 || std::regex_search(named, of_many)) continue;
            faults.push_back({"path " + file.path + " " + named, place(file, i + 1) + "there is no " + named});
        }
    }
    return faults;
}

Strings test_titles(const File& file) {
    Strings titles;
    for (const TestHead& head : test_heads(file)) titles.push_back(head.title);
    return titles;
}

std::size_t count_casts(const File& file) {
    static const std::string number =
        R"re((?:std::)?(?:bool|char|short|int|long|unsigned|float|double|size_t|ptrdiff_t|u?int(?:8|16|32|64)_t))re";
    static const std::regex named(R"re(\b(?:static|const|reinterpret|dynamic)_cast\s*<)re");
    static const std::regex old(R"re(\()re" + number + R"re((?:\s*\*)?\)\s*[\w(~!-])re");
    static const std::regex called(R"re((?:^|[^\w<:]))re" + number + R"re(\([^()*])re");
    const std::string code = code_of(file.text);
    return count_matches(code, named) + count_matches(code, old) + count_matches(code, called);
}

Excuses read_excuses(std::string_view list) {
    Excuses excuses;
    for (const std::string& line : lines_of(list)) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t mark = line.find("  # ");
        if (mark == std::string::npos) excuses.faults.push_back("no reason is given: " + line);
        excuses.keys.push_back(line.substr(0, mark));
    }
    return excuses;
}

Strings not_excused(const std::vector<Fault>& faults, const Excuses& excuses, const std::string& rule) {
    Strings texts;
    Strings needed;
    for (const Fault& fault : faults) {
        needed.push_back(fault.key);
        if (std::find(excuses.keys.begin(), excuses.keys.end(), fault.key) == excuses.keys.end()) texts.push_back(fault.text);
    }
    for (const std::string& key : excuses.keys) {
        if (!key.starts_with(rule + " ") || std::find(needed.begin(), needed.end(), key) != needed.end()) continue;
        texts.push_back("excused without need, to be taken off excused.txt: " + key);
    }
    return texts;
}

}  // namespace houserule::house
