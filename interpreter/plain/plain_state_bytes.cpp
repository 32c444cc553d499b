#include "interpreter/plain/plain_state_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <variant>

namespace houserule {

namespace {

using Contents = Content<TellingNumbers>;

// A list of numbers that is written and then read in the same order.
class Numbers32 {
public:
    Numbers32() = default;
    explicit Numbers32(std::span<const std::byte> bytes) : all_(bytes.size() / sizeof(std::int32_t)) {
        if (!all_.empty()) std::memcpy(all_.data(), bytes.data(), all_.size() * sizeof(std::int32_t));
    }
    void write(Value v) { all_.push_back(v); }
    std::int32_t read() { return all_.at(at_++); }
    std::vector<std::byte> bytes() const {
        std::vector<std::byte> bytes(all_.size() * sizeof(std::int32_t));
        if (!all_.empty()) std::memcpy(bytes.data(), all_.data(), bytes.size());
        return bytes;
    }

private:
    std::vector<std::int32_t> all_;
    std::size_t at_ = 0;
};

// Numbers and sets; cards are written by their pieces.
void write(Numbers32& out, const Contents& content) {
    if (const auto* const value = std::get_if<Value>(&content)) out.write(*value);
    if (const auto* const set = std::get_if<Set<TellingNumbers>>(&content))
        for (const bool has : set->has) out.write(has ? 1 : 0);
}

void read(Numbers32& in, Contents& content) {
    if (auto* const value = std::get_if<Value>(&content)) *value = in.read();
    if (auto* const set = std::get_if<Set<TellingNumbers>>(&content))
        for (std::size_t i = 0; i < set->has.size(); ++i) set->has[i] = in.read() != 0;
}

}  // namespace

std::vector<std::byte> state_bytes(const Machine& machine, const PlainValues& values, StepId pc, bool agreed) {
    const PlainGame& now = values.now();
    Numbers32 out;
    out.write(pc.value());
    out.write(agreed ? 1 : 0);
    for (std::size_t piece = 0; piece < machine.game.piece_kind.size(); ++piece) {
        out.write(now.table.where(piece));
        out.write(now.table.part_of(piece));
    }
    for (const auto& slots : now.state.facts) {
        for (const auto& slot : slots) {
            out.write(slot.given ? 1 : 0);
            write(out, slot.content);
        }
    }
    for (const auto& content : now.state.variables) write(out, content);
    for (const PieceList& named : now.named) {
        out.write(named.size());
        for (const std::int32_t piece : named) out.write(piece);
    }
    return out.bytes();
}

void read_state(std::span<const std::byte> bytes, const Machine& machine, PlainValues& values, StepId& pc, bool& agreed) {
    PlainGame& now = values.now();
    Numbers32 in(bytes);
    pc = StepId(in.read());
    agreed = in.read() != 0;
    std::vector<PlaceId> where(machine.game.piece_kind.size());
    std::vector<std::size_t> part(where.size());
    for (std::size_t piece = 0; piece < where.size(); ++piece) {
        where[piece] = in.read();
        part[piece] = in.read();
    }
    now.table.lay(where, part);
    for (auto& slots : now.state.facts) {
        for (auto& slot : slots) {
            slot.given = in.read() != 0;
            read(in, slot.content);
        }
    }
    for (auto& content : now.state.variables) read(in, content);
    for (PieceList& named : now.named) {
        named.resize(in.read());
        for (std::int32_t& piece : named) piece = in.read();
    }
    values.settle();
}

}  // namespace houserule
