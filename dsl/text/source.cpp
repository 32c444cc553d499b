#include "dsl/text/source.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace houserule {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::uint32_t offset_in(const std::string& text) { return text.size(); }

}  // namespace

Span cover(Span a, Span b) {
    assert(a.source == b.source);
    return {std::min(a.begin, b.begin), std::max(a.end, b.end), a.source};
}

Source::Source(std::string name, std::string text) : name_(std::move(name)), lines_{0} {
    std::string_view rest = text;
    if (rest.starts_with(byte_order_mark)) {
        bom_length_ = byte_order_mark.size();
        rest.remove_prefix(byte_order_mark.size());
    }
    text_.reserve(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest.substr(i).starts_with("\r\n")) {
            returns_.push_back(offset_in(text_));
            ++i;
        }
        text_ += rest[i];
        if (rest[i] == '\n') lines_.push_back(offset_in(text_));
    }
}

std::string_view Source::line(std::uint32_t line) const {
    const std::string_view rest = std::string_view(text_).substr(line_begin(line));
    return rest.substr(0, rest.find('\n'));
}

std::uint32_t Source::line_of(std::uint32_t offset) const {
    return std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
}

Place Source::place(std::uint32_t offset) const {
    const std::uint32_t within = std::min(offset, offset_in(text_));
    const std::uint32_t line = line_of(within);
    const std::size_t before = display_width(text({line_begin(line), within, 0}));
    return {line, static_cast<std::uint32_t>(before + 1)};
}

std::uint32_t Source::file_offset(std::uint32_t offset) const {
    // An offset at a line end means the place before the CR, hence the CR of that line does not count.
    const auto dropped = std::lower_bound(returns_.begin(), returns_.end(), offset) - returns_.begin();
    return offset + bom_length_ + static_cast<std::uint32_t>(dropped);
}

}  // namespace houserule
