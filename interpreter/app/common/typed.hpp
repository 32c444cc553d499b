// What people type, in a form in which it can be compared with names.
#pragma once

#include "dsl/text/phrase.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// Small letters, half-width, `_` as a space, words and numbers separated by one space.
std::string plain_form(const std::string& text);

// Whether `plain` is among the words of a row, which stand apart by spaces, in any language.
bool is_among_words(const std::string& plain, TextRow<0> row);

// A command at a table, the first word of a line, in any language; `?` is help.
enum class TableCommand : std::uint8_t { help, next, table, log, hint, worlds, why, undo, fix, save, quit, rules, points };

struct TypedCommand {
    std::optional<TableCommand> command;  // nothing: the first word is none
    std::string rest;                     // what stands behind its first word
};
TypedCommand command_in(const std::string& line);

// A whole number from 1 on; nothing if the text is anything else.
std::optional<std::size_t> count_in(const std::string& text);

// What can be typed for these, in English and in the language; of what takes something behind it, with a space.
std::vector<std::string> words_of_commands(const std::vector<TableCommand>& commands, Language language);

// What stands between commas of either width or `、`, without spaces around it.
std::vector<std::string> typed_parts(std::string text);

}  // namespace houserule::cli
