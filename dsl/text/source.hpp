// Source texts and places in them.
//
// The lowest header of the project: everything that talks about a rules file, a house rule or a log
// refers to it by a `Span`. A `Source` owns the text of one file and knows where its lines begin.
// It opens no file: the command line reads the bytes and hands them in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

// A half-open range of bytes [begin, end) of one source; `source` indexes a `Sources`.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint16_t source = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

constexpr bool lies_in(Span inner, Span outer) {
    return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end;
}

constexpr Span span_of(std::size_t begin, std::size_t end, std::size_t source) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), static_cast<std::uint16_t>(source)};
}

// The smallest span that covers both; they must be of one source.
Span cover(Span a, Span b);

// A place for people: both counted from 1, the column in display cells (a wide character counts two).
struct Place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

class Source {
public:
    // `text` may start with a BOM and may use CRLF: the BOM is dropped, CRLF becomes LF.
    Source(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    std::string_view text(Span s) const { return std::string_view(text_).substr(s.begin, s.end - s.begin); }
    std::uint32_t line_count() const { return lines_.size(); }
    // The text of line `line` (from 1) without its line end. A text that ends in a line end has an empty last line.
    std::string_view line(std::uint32_t line) const;
    std::uint32_t line_begin(std::uint32_t line) const { return lines_[line - 1]; }
    // The line (from 1) that holds byte `offset`.
    std::uint32_t line_of(std::uint32_t offset) const;
    Place place(std::uint32_t offset) const;
    // The byte of the file as it was handed in, BOM and CR counted, for tools that edit the file.
    std::uint32_t file_offset(std::uint32_t offset) const;

private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> lines_;    // byte offset at which each line begins
    std::vector<std::uint32_t> returns_;  // byte offset of each LF that was a CRLF
    std::uint32_t bom_length_ = 0;
};

using Sources = std::vector<Source>;

}  // namespace houserule
