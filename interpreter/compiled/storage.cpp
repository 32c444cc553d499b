#include "interpreter/compiled/storage.hpp"

#include "interpreter/machine/post_dominators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

// So many words between two that are read before are copied with them.
constexpr std::uint32_t gap_copied = 4;

std::string fetched(const char* form, const std::string& state, std::uint32_t at, std::uint32_t each, const std::string& index) {
    return index.empty() ? fmt::format("{}({}, {})", form, state, at) : fmt::format("{}({}, {} + {} * ({}))", form, state, at, each, index);
}

}  // namespace

Storage::Storage(const Machine& machine, bool locals)
    : m_(machine), is_local_(machine.game.variables.size(), locals), is_local_fact_(machine.game.facts.size(), false) {
    for (const FactId f : m_.game.facts.ids()) is_local_fact_[f] = locals && m_.game.facts[f].count == 1 && m_.layout.given[f] == 0;
    reads_.assign(m_.code.size(), reads_none);
    find_reads();
    find_slots();
}

void Storage::find_reads() {
    std::vector<std::pair<StepId, ReadFrom>> open{{m_.start, reads_present}};
    while (!open.empty()) {
        auto [pc, reads] = open.back();
        open.pop_back();
        if ((reads_[pc] & reads) != 0) continue;
        reads_[pc] = static_cast<ReadFrom>(reads_[pc] | reads);
        const Step& s = m_.code[pc];
        if (s.op == Op::effects_begin) reads = reads_before;
        if (s.op == Op::effects_end) reads = reads_present;
        ever_before_ = ever_before_ || reads == reads_before;
        for (const StepId next : steps_after(m_, pc)) open.emplace_back(next, reads);
        if (s.op == Op::call) open.emplace_back(s.c, reads);
    }
}

void Storage::find_slots() {
    for (const Step& s : m_.code) {
        if (s.op != Op::store && s.op != Op::load) continue;
        const VariableId first = s.a;
        const std::uint32_t each = is_of_many(m_.game.variables[first].type) ? 8 * m_.layout.words : 4;
        for (std::int32_t p = 0; p < m_.game.players; ++p) {
            is_local_[first + p] = false;
            const std::uint32_t follows = m_.layout.variable[first] + each * p;
            slots_follow_ = slots_follow_ && m_.layout.variable[first + p] == follows;
        }
    }
}

std::string Storage::state_read(ReadFrom reads) const { return state_read(reads, 0, m_.layout.bytes); }
std::string Storage::state_read(ReadFrom reads, std::uint32_t at, std::uint32_t bytes) const {
    if ((reads & reads_before) != 0)
        for (std::uint32_t word = at / 4; word < (at + bytes + 3) / 4; ++word) read_before_.insert(word);
    return reads == reads_present ? "s" : reads == reads_before ? "b" : "r";
}

std::string Storage::number_at(std::uint32_t at, const std::string& index, ReadFrom reads, std::uint32_t count) const {
    return fetched("number_at", state_read(reads, at, 4 * count), at, 4, index);
}
std::string Storage::mask_at(std::uint32_t at, const std::string& index, ReadFrom reads, std::uint32_t count) const {
    const std::uint32_t each = 8 * m_.layout.words;
    return fetched("mask_at", state_read(reads, at, each * count), at, each, index);
}

std::string Storage::variable(VariableId v) const {
    if (is_local_[v]) return fmt::format("v{}", v.value());
    read_variables_.insert(v);
    const std::uint32_t at = m_.layout.variable[v];
    return is_of_many(m_.game.variables[v].type) ? mask_at(at, "", reads_present) : number_at(at, "", reads_present);
}
std::string Storage::put_variable(VariableId v, const std::string& value) const {
    if (is_local_[v]) return fmt::format("v{} = {};", v.value(), value);
    return fmt::format("put(s, {}, {}({}));", m_.layout.variable[v], is_of_many(m_.game.variables[v].type) ? "M" : "int", value);
}

std::string Storage::fact(FactId f, const std::string& index, ReadFrom reads) const {
    if (is_local_fact_[f]) {
        if (reads == reads_either) return fmt::format("(r == s ? f{0} : o{0})", f.value());
        return fmt::format("{}{}", reads == reads_present ? "f" : "o", f.value());
    }
    const std::uint32_t at = m_.layout.fact[f];
    const std::uint32_t count = m_.game.facts[f].count;
    return is_of_many(m_.game.facts[f].type) ? mask_at(at, index, reads, count) : number_at(at, index, reads, count);
}
std::string Storage::put_fact(FactId f, const std::string& index, const std::string& value) const {
    if (is_local_fact_[f]) return fmt::format("f{} = {};", f.value(), value);
    const bool many = is_of_many(m_.game.facts[f].type);
    const std::uint32_t each = many ? 8 * m_.layout.words : 4;
    const std::string at =
        index.empty() ? std::to_string(m_.layout.fact[f]) : fmt::format("{} + {} * ({})", m_.layout.fact[f], each, index);
    return fmt::format("put(s, {}, {}({}));", at, many ? "M" : "int", value);
}
std::string Storage::given(FactId f, const std::string& index, ReadFrom reads) const {
    return number_at(m_.layout.given[f], index, reads, m_.game.facts[f].count);
}

std::vector<std::string> Storage::declared() const {
    std::vector<std::string> lines;
    for (const VariableId v : m_.game.variables.ids()) {
        if (!is_local_[v]) continue;
        const bool many = is_of_many(m_.game.variables[v].type);
        lines.push_back(
            fmt::format("{} v{} = {}(s, {});", many ? "M" : "int", v.value(), many ? "mask_at" : "number_at", m_.layout.variable[v]));
    }
    for (const FactId f : m_.game.facts.ids()) {
        if (!is_local_fact_[f]) continue;
        const bool many = is_of_many(m_.game.facts[f].type);
        lines.push_back(
            fmt::format("{} f{} = {}(s, {});", many ? "M" : "int", f.value(), many ? "mask_at" : "number_at", m_.layout.fact[f]));
        if (ever_before_) lines.push_back(fmt::format("{} o{}{};", many ? "M" : "int", f.value(), many ? "" : " = 0"));
    }
    return lines;
}
std::vector<std::string> Storage::kept_before() const {
    std::vector<std::string> lines;
    for (const FactId f : m_.game.facts.ids())
        if (is_local_fact_[f]) lines.push_back(fmt::format("o{0} = f{0};", f.value()));
    return lines;
}
std::string Storage::copied_before() const {
    std::string text;
    for (auto word = read_before_.begin(); word != read_before_.end();) {
        const std::uint32_t first = *word;
        std::uint32_t end = first;
        for (; word != read_before_.end() && *word <= end + gap_copied; ++word) end = *word + 1;
        const std::uint32_t bytes = std::min(4 * end, m_.layout.bytes) - 4 * first;
        text += fmt::format("std::memcpy(b + {0}, s + {0}, {1}); ", 4 * first, bytes);
    }
    return text;
}
std::vector<std::string> Storage::written_back(bool at_end, const std::set<VariableId>& read) const {
    std::vector<std::string> lines;
    for (const VariableId v : m_.game.variables.ids())
        if (is_local_[v] && (!at_end || read.contains(v)))
            lines.push_back(fmt::format("put(s, {}, v{});", m_.layout.variable[v], v.value()));
    for (const FactId f : m_.game.facts.ids())
        if (is_local_fact_[f]) lines.push_back(fmt::format("put(s, {}, f{});", m_.layout.fact[f], f.value()));
    return lines;
}

}  // namespace houserule
