// The text of a compiled game while it is made: lines, names, tables, and what has been computed already. It holds numbers and names made
// here only, never a word of the rules.
#pragma once

#include "interpreter/compiled/known.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

inline void add_bit(MaskWords& words, std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }

// A mask as an initialiser.
inline std::string mask_text(const MaskWords& words) {
    std::string text = "M{{";
    for (const std::uint64_t w : words) text += fmt::format("{:#x}u,", w);
    return text + "}}";
}

class CompiledText {
public:
    // `words`: 64-bit words of a set.
    explicit CompiledText(std::uint32_t words) : words_(words) {}

    void line(std::string text) { lines_.push_back(std::move(text)); }
    std::string fresh(const char* kind) { return fmt::format("{}{}", kind, ++names_); }
    // A value under a name of its own.
    std::string number(const std::string& value) { return named("const int", "t", value); }
    std::string mask(const std::string& value) { return named("const M", "m", value); }

    // What is computed between `open` and `close` is known there only.
    void open(const std::string& head) {
        line(head + " {");
        ++depth_;
    }
    void close(const char* tail = "}") {
        line(tail);
        forget();
    }
    // The lines that `f` writes, apart.
    template <class F>
    std::vector<std::string> apart(F f) {
        std::vector<std::string> before = std::exchange(lines_, {});
        ++depth_;
        f();
        forget();
        return std::exchange(lines_, std::move(before));
    }
    // The same of a function of its own, in which nothing is known, and names begin anew.
    template <class F>
    std::vector<std::string> afresh(F f) {
        const int names = std::exchange(names_, 0);
        auto computed = std::exchange(computed_, {});
        std::vector<std::string> lines = apart(f);
        names_ = names;
        computed_ = std::move(computed);
        return lines;
    }
    void add(const std::vector<std::string>& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

    // What has been computed already, by a key; empty if it has not, or not here.
    std::string computed(const std::string& key) const {
        const auto found = computed_.find(key);
        return found == computed_.end() ? "" : found->second.first;
    }
    void forget_all() { computed_.clear(); }
    void note(const std::string& key, const std::string& name) { computed_[key] = {name, depth_}; }

    // Tables are written before everything else, each once.
    std::string numbers(const std::vector<std::int32_t>& values, const char* type = "int") {
        std::string text;
        for (const std::int32_t v : values) text += v == unset_value ? "unset," : fmt::format("{},", v);
        return table(type, text);
    }
    std::string masks(const std::vector<MaskWords>& values) {
        std::string text;
        for (const MaskWords& v : values) text += mask_text(v) + ",";
        return table("M", text);
    }
    // A table that is filled when the library is loaded: with what a function of that text gives for each combination of arguments.
    std::string filled(const std::string& type, const std::string& function, const std::string& loops, const std::string& arguments,
                       const std::string& cells) {
        const auto [at, is_new] = made_.try_emplace(type + function + loops + arguments);
        if (!is_new) return at->second;
        at->second = fmt::format("T{}", made_.size());
        tables_ += fmt::format(
            "inline int F{0}{1}\nconst {2} {3} = [] {{ {2} made; auto at = made.v; {4}{{ const int value = F{0}({5}); {6} }} return made; "
            "}}();\n",
            made_.size(), function, type, at->second, loops, arguments, cells);
        return at->second;
    }
    const std::string& tables() const { return tables_; }

    std::string lines() const {
        std::string text;
        for (const std::string& l : lines_) text += l + "\n";
        return text;
    }
    std::uint32_t words() const { return words_; }
    MaskWords no_words() const { return MaskWords(words_, 0); }

private:
    std::string named(const char* type, const char* kind, const std::string& value) {
        std::string name = fresh(kind);
        line(fmt::format("{} {} = {};", type, name, value));
        return name;
    }
    void forget() {
        --depth_;
        std::erase_if(computed_, [&](const auto& c) { return c.second.second > depth_; });
    }
    std::string table(const char* type, const std::string& values) {
        const auto [at, is_new] = made_.try_emplace(fmt::format("{}[] = {{{}}};", type, values));
        if (!is_new) return at->second;
        at->second = fmt::format("T{}", made_.size());
        tables_ += fmt::format("constexpr {} {}[] = {{{}}};\n", type, at->second, values);
        return at->second;
    }

    std::uint32_t words_;
    std::vector<std::string> lines_;
    int names_ = 0;
    int depth_ = 0;
    std::map<std::string, std::pair<std::string, int>> computed_;  // name, depth
    std::map<std::string, std::string> made_;
    std::string tables_;
};

}  // namespace houserule
