#include "tests/house/tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace houserule::house {
namespace {

namespace fs = std::filesystem;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// What a stretch of the text is; the text is cut into stretches by `next_stretch`.
enum class Sort { code, comment, quoted, raw };
struct Stretch {
    Sort sort;
    std::size_t end;
};

std::size_t after(std::string_view text, std::string_view mark, std::size_t at) {
    const std::size_t found = text.find(mark, at);
    return found == std::string_view::npos ? text.size() : found + mark.size();
}

// The end of the literal that the quote at `at` opens. A line end closes it as well: no source has such a literal.
std::size_t quoted_end(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == quote) {
            return at + 1;
        }
    }
    return std::min(at, text.size());
}

// Whether the `'` at `at` stands inside a number, as in 1'000.
bool separates_digits(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && (in_word(text[begin - 1]) || text[begin - 1] == '\'')) --begin;
    return begin < at && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

bool opens_raw(std::string_view text, std::size_t quote) {
    if (quote == 0 || text[quote - 1] != 'R') return false;
    std::size_t begin = quote - 1;
    while (begin > 0 && in_word(text[begin - 1])) --begin;
    const std::string_view prefix = text.substr(begin, quote - begin);
    return prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
}

std::size_t raw_end(std::string_view text, std::size_t quote) {
    const std::size_t open = std::min(text.find('(', quote), text.size());
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    return after(text, close, open);
}

Stretch next_stretch(std::string_view text, std::size_t at) {
    for (std::size_t i = at; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool line = rest.starts_with("//"), block = rest.starts_with("/*");
        const bool quote = text[i] == '"' || (text[i] == '\'' && !separates_digits(text, i));
        if (!line && !block && !quote) continue;
        if (i > at) return {Sort::code, i};
        if (line) return {Sort::comment, std::min(text.find('\n', i), text.size())};
        if (block) return {Sort::comment, after(text, "*/", i + 2)};
        if (text[i] == '"' && opens_raw(text, i)) return {Sort::raw, raw_end(text, i)};
        return {Sort::quoted, quoted_end(text, i)};
    }
    return {Sort::code, text.size()};
}

bool ends_in_one_of(std::string_view name, const Strings& endings) {
    return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) { return name.ends_with(ending); });
}

}  // namespace

fs::path root() { return HOUSERULE_ROOT; }

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

Strings lines_of(std::string_view text) {
    Strings lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

bool is_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::vector<File> files_below(const std::string& folder, const Strings& endings) {
    std::vector<File> files;
    if (!fs::is_directory(root() / folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
        if (!entry.is_regular_file() || !ends_in_one_of(entry.path().filename().string(), endings)) continue;
        files.push_back({entry.path().lexically_relative(root()).generic_string(), contents(entry.path())});
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
    return files;
}

const std::vector<File>& sources() {
    static const std::vector<File> all = [] {
        std::vector<File> files;
        for (const char* folder : {"dsl", "interpreter", "solver", "tests"}) {
            const std::vector<File> below = files_below(folder, {".cpp", ".hpp", ".def"});
            files.insert(files.end(), below.begin(), below.end());
        }
        return files;
    }();
    return all;
}

std::string code_of(std::string_view text, bool keep_quoted) {
    std::string code(text);
    for (std::size_t at = 0; at < text.size();) {
        const Stretch stretch = next_stretch(text, at);
        const bool blank = stretch.sort == Sort::comment || (!keep_quoted && stretch.sort != Sort::code);
        for (std::size_t i = at; blank && i < stretch.end; ++i) {
            if (code[i] != '\n') code[i] = ' ';
        }
        at = stretch.end;
    }
    return code;
}

std::vector<bool> raw_lines(std::string_view text) {
    std::vector<bool> raw(1, false);
    for (std::size_t at = 0; at < text.size();) {
        const Stretch stretch = next_stretch(text, at);
        if (stretch.sort == Sort::raw) raw.back() = true;
        for (; at < stretch.end; ++at) {
            if (text[at] == '\n') raw.push_back(stretch.sort == Sort::raw);
        }
    }
    return raw;
}

Strings rows_of(std::string_view text) {
    Strings rows;
    for (std::string line : lines_of(text)) {
        line.erase(std::min(line.find('#'), line.size()));
        line.erase(line.find_last_not_of(" \t") + 1);
        if (line.empty()) continue;
        if (line[0] == ' ' && !rows.empty()) {
            rows.back() += line;
        } else {
            rows.push_back(line);
        }
    }
    return rows;
}

void check_none(const Strings& faults) {
    for (const std::string& fault : faults) FAIL_CHECK(fault);
}

}  // namespace houserule::house
