#include "interpreter/app/common/typed.hpp"

#include "dsl/text/ascii.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/texts/texts.hpp"
#include "interpreter/log/line.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

namespace houserule::cli {

namespace {

struct CommandRow {
    TableCommand command;
    TextRow<0> word;
    bool takes_something = false;
};

const std::vector<CommandRow>& command_rows() {
    static const std::vector<CommandRow> rows = {
        {TableCommand::help, Text::command_help},     {TableCommand::next, Text::command_next},
        {TableCommand::table, Text::command_table},   {TableCommand::log, Text::command_log},
        {TableCommand::hint, Text::command_hint},     {TableCommand::worlds, Text::command_worlds},
        {TableCommand::why, Text::command_why, true}, {TableCommand::undo, Text::command_undo},
        {TableCommand::fix, Text::command_fix, true}, {TableCommand::save, Text::command_save, true},
        {TableCommand::quit, Text::command_quit},     {TableCommand::rules, Text::command_rules},
        {TableCommand::points, Text::command_points},
    };
    return rows;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, what.size(), by);
}

}  // namespace

std::string plain_form(const std::string& text) {
    std::string plain;
    bool digits = false;
    const std::string normal = nfkc(text);
    for (std::string_view rest = normal; !rest.empty();) {
        const std::size_t n = std::max<std::size_t>(1, character_length(rest));
        char32_t c = decode(rest);
        std::string piece(rest.substr(0, n));
        rest.remove_prefix(n);
        if (c == '_' || c == '\t') c = ' ';
        if (c < 0x80) piece = std::string(1, static_cast<char>(std::tolower(static_cast<int>(c))));
        const bool digit = c >= '0' && c <= '9';
        const bool space = c == ' ';
        if (!space && !plain.empty() && plain.back() != ' ' && digit != digits) plain += ' ';
        if (!space || (!plain.empty() && plain.back() != ' ')) plain += piece;
        digits = digit;
    }
    if (plain.ends_with(' ')) plain.pop_back();
    return plain;
}

bool is_among_words(const std::string& plain, TextRow<0> row) {
    return !plain.empty() && std::ranges::any_of(all_languages, [&](Language language) {
        return (" " + std::string(row.in(language)) + " ").find(" " + plain + " ") != std::string::npos;
    });
}

TypedCommand command_in(const std::string& line) {
    std::string text = line;
    replace_all(text, "　", " ");
    text = trim(text);
    const auto space = text.find(' ');
    const std::string word = plain_form(text.substr(0, space));
    TypedCommand typed;
    if (word == "?") typed.command = TableCommand::help;
    if (word == "-") typed.command = TableCommand::undo;
    for (const CommandRow& row : command_rows())
        if (is_among_words(word, row.word)) typed.command = row.command;
    if (space != std::string::npos) typed.rest = trim(text.substr(space));
    if (typed.command || space != std::string::npos) return typed;
    // `なぜマツでない`: in a language without spaces.
    for (const CommandRow& row : command_rows())
        for (const Language language : all_languages)
            for (const std::string& own : split(std::string(row.word.in(language)), ' '))
                if (row.takes_something && !own.empty() && !ascii::is_ascii(own[0]) && text.starts_with(own) && text.size() > own.size())
                    typed = {row.command, text.substr(own.size())};
    return typed;
}

std::optional<std::size_t> count_in(const std::string& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
    return number;
}

std::vector<std::string> words_of_commands(const std::vector<TableCommand>& commands, Language language) {
    std::vector<std::string> words;
    const auto add_all = [&](Language each) {
        for (const TableCommand command : commands) {
            const auto row = std::ranges::find(command_rows(), command, &CommandRow::command);
            words.push_back(split(std::string(row->word.in(each)), ' ').front() + (row->takes_something ? " " : ""));
        }
    };
    add_all(Language::en);
    if (language != Language::en) add_all(language);
    return words;
}

std::vector<std::string> typed_parts(std::string text) {
    for (const std::string_view comma : {"、", "，"}) replace_all(text, comma, ",");
    return split(text, ',');
}

}  // namespace houserule::cli
