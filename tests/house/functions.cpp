#include "tests/house/functions.hpp"

#include "tests/house/tree.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace houserule::house {
namespace {

enum class Block { space, type, function, other };

struct Open {
    Block block;
    std::size_t head;  // where what stands before the brace begins
};

std::size_t line_at(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool ends_line(std::string_view code, std::size_t at) {
    const std::size_t next = code.find_first_not_of(' ', at + 1);
    return next == std::string_view::npos || code[next] == '\n';
}

// What a block is, by what stands before its brace since the last `;`, `{` or `}`.
Block block_after(const std::string& head) {
    static const std::regex space(R"re(^\s*(inline\s+)?namespace\b|^\s*extern\s*$)re");
    static const std::regex type(R"re(\b(class|struct|union|enum)\b[^()]*$)re");
    static const std::regex data(R"re(=\s*$|=\s*\[|\breturn\b|^\s*\)?\s*$)re");
    if (std::regex_search(head, space)) return Block::space;
    if (std::regex_search(head, data)) return Block::other;
    if (head.find('(') != std::string::npos && head.find(')') != std::string::npos) return Block::function;
    return std::regex_search(head, type) ? Block::type : Block::other;
}

// The name before the first parenthesis that belongs to a function: not to `decltype`, `alignas`, `requires` or the like.
std::string name_in(std::string_view text, std::size_t head, std::size_t brace) {
    static const std::regex title(R"re(\b(?:TEST_CASE|TEMPLATE_TEST_CASE)\(\s*"([^"]*)")re");
    static const std::regex name(R"re(((?:~|\boperator\s*[^\s\w(]+|\boperator\s*\(\)|[\w:~]|<[\w:, ]*>(?=::))+)\s*\()re");
    const std::string written(text.substr(head, brace - head));
    std::smatch found;
    if (std::regex_search(written, found, title)) return found[1];
    const std::string code = code_of(written);
    for (std::sregex_iterator it(code.begin(), code.end(), name), end; it != end; ++it) {
        const std::string word = (*it)[1];
        if (word != "decltype" && word != "alignas" && word != "requires" && word != "noexcept") return word;
    }
    return "?";
}

class Measurer {
public:
    explicit Measurer(std::string_view text) : text_(text), code_(without_preprocessor(code_of(text))) {}

    std::vector<Function> measure() {
        for (std::size_t at = 0; at < code_.size(); ++at) {
            if (code_[at] == '{') open(at);
            if (code_[at] == '}') close(at);
            if (code_[at] == ';') head_ = at + 1;
        }
        return std::move(functions_);
    }

private:
    // Directives and what `\` continues them with are blanked.
    static std::string without_preprocessor(std::string code) {
        bool inside = false;
        for (std::size_t at = 0; at < code.size();) {
            const std::size_t end = std::min(code.find('\n', at), code.size());
            const std::size_t first = std::min(code.find_first_not_of(' ', at), end);
            inside = inside || (first < end && code[first] == '#');
            const bool more = end > at && code[end - 1] == '\\';
            if (inside) std::fill(code.begin() + static_cast<std::ptrdiff_t>(at), code.begin() + static_cast<std::ptrdiff_t>(end), ' ');
            inside = inside && more;
            at = end + 1;
        }
        return code;
    }

    bool in_function() const {
        return std::any_of(open_.begin(), open_.end(), [](const Open& o) { return o.block == Block::function || o.block == Block::other; });
    }

    void open(std::size_t at) {
        Block block = Block::other;
        if (!in_function()) block = block_after(code_.substr(head_, at - head_));
        // A member that is initialised in braces: the constructor's own brace comes later, at the end of a line.
        if (block == Block::function && !ends_line(code_, at)) block = Block::other;
        open_.push_back({block, head_});
        if (block != Block::other) head_ = at + 1;
    }

    void close(std::size_t at) {
        if (open_.empty()) return;
        const Open ended = open_.back();
        open_.pop_back();
        if (ended.block == Block::function) add(ended.head, at);
        const bool goes_on = ended.block == Block::other && !ends_line(code_, at);
        if (!goes_on) head_ = at + 1;
    }

    void add(std::size_t head, std::size_t end) {
        // Access labels and macros with a line of their own are not the signature's.
        static const std::regex access(R"re(^\s*(public|private|protected):)re");
        const std::string before = code_.substr(head, end - head);
        std::smatch label;
        if (std::regex_search(before, label, access)) head += static_cast<std::size_t>(label.length(0));
        const std::size_t begin = code_.find_first_not_of(" \n", head);
        const std::size_t first = line_at(text_, begin), last = line_at(text_, end);
        if (last > first) functions_.push_back({name_in(text_, begin, code_.find('{', begin)), first, last - first + 1});
    }

    std::string_view text_;
    std::string code_;
    std::size_t head_ = 0;
    std::vector<Open> open_;
    std::vector<Function> functions_;
};

}  // namespace

std::vector<Function> functions_of(std::string_view text) { return Measurer(text).measure(); }

}  // namespace houserule::house
