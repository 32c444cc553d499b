#include "interpreter/app/command_line/help.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/command_line/options.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/texts/texts.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

namespace houserule::cli {

namespace {

// What the places of `pattern` hold in `text`, each as short as can be; nothing when the text is not of that pattern.
std::optional<std::vector<std::string>> read_back(std::string_view pattern, std::string_view text) {
    std::vector<std::string> found(static_cast<std::size_t>(places_of(pattern)));
    while (!pattern.empty()) {
        const std::size_t place = std::min(pattern.find('{'), pattern.size());
        if (!text.starts_with(pattern.substr(0, place))) return std::nullopt;
        text.remove_prefix(place);
        pattern.remove_prefix(place);
        if (pattern.empty()) break;
        const auto index = static_cast<std::size_t>(pattern[1] - '0');
        pattern.remove_prefix(3);
        const std::string_view next = pattern.substr(0, pattern.find('{'));
        const std::size_t end = next.empty() ? text.size() : text.find(next);
        if (end == std::string_view::npos) return std::nullopt;
        found[index] = text.substr(0, end);
        text.remove_prefix(end);
    }
    return text.empty() ? std::optional(std::move(found)) : std::nullopt;
}

std::string told_in(const Words& words, Language language) { return std::string(told(words, language)); }

// `INT:INT in [1 - 10]`, which CLI11 makes of a type and what its values are checked against.
std::string type_told_in(const std::string& english, Language language) {
    if (language == Language::en) return english;
    const auto colon = std::min(english.find(':'), english.size());
    std::string name = english.substr(0, colon);
    for (const auto& row : {Text::text_type, Text::whole_number_type, Text::natural_number_type, Text::number_type})
        if (name == row.in(Language::en)) name = told_in(*row.words, language);
    if (colon == english.size()) return name;
    const std::string checked = english.substr(colon + 1);
    const auto range = read_back(told_in(*Text::in_range.words, Language::en), checked);
    return range ? Text::in_range(name, (*range)[1], (*range)[2]).in(language) : name + ":" + checked;
}

// A name and what it is, the name in a column of its own, which is narrower where the screen is.
std::string help_row(const std::string& name, const std::string& about, std::size_t column) {
    const auto screen = known_width();
    const std::size_t width = screen ? std::min(column, *screen / 3) : column;
    std::string text = pad_right("  " + name, width);
    if (!about.empty() && display_width(name) + 2 >= width) text += "\n" + std::string(width, ' ');
    std::istringstream lines(about);
    for (std::string line; std::getline(lines, line);) {
        const std::string fits = screen ? folded(line, *screen - width) : line;
        for (const char c : fits + "\n") {
            text += c;
            if (c == '\n') text += std::string(width, ' ');
        }
    }
    const std::string row = text.substr(0, text.find_last_not_of(' ') + 1);
    return about.empty() ? row + "\n" : row;
}

class HelpPage : public CLI::Formatter {
public:
    explicit HelpPage(Language language) : language_(language) {
        for (const auto& mark : {Text::usage, Text::options_mark, Text::command_mark, Text::required_mark, Text::needs_mark,
                                 Text::excludes_mark, Text::arguments_group, Text::options_group, Text::commands_group})
            label(told_in(*mark.words, Language::en), told_in(*mark.words, language));
    }

    std::string make_group(std::string group, bool is_positional, std::vector<const CLI::Option*> options) const override {
        return CLI::Formatter::make_group(get_label(std::move(group)), is_positional, std::move(options));
    }
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode /*unused*/) const override {
        std::string text;
        for (const CLI::App* command : app->get_subcommands({})) text += make_subcommand(command);
        return text.empty() ? text : fmt::format("\n{}:\n{}", told_in(*Text::commands_group.words, language_), text);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        return help_row(command->get_display_name(true), command->get_description(), column_width_);
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return help_row(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option), column_width_);
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string english = option->get_type_name();
        std::string text = CLI::Formatter::make_option_opts(option);
        const auto at = english.empty() ? std::string::npos : text.find(english);
        return at == std::string::npos ? text : text.replace(at, english.size(), type_told_in(english, language_));
    }

private:
    Language language_;
};

// `0.500000` and `{enter,none}`, as the library writes a bound and what there is to choose from.
std::string without_trimmings(std::string value) {
    if (value.size() > 1 && value.front() == '{' && value.back() == '}') {
        std::string names;
        for (const char c : value.substr(1, value.size() - 2)) names += c == ',' ? std::string("`, `") : std::string(1, c);
        return names;
    }
    if (value.find('.') == std::string::npos || value.find_first_not_of("0123456789.") != std::string::npos) return value;
    value.erase(value.find_last_not_of('0') + 1);
    if (value.back() == '.') value.pop_back();
    return value;
}

// Where the library's sentence speaks of values and conversions, one for who types: its places hold the same.
const Words& in_own_words(const Words* words) {
    if (words == Text::not_in_range.words) return *Text::told_not_in_range.words;
    if (words == Text::not_one_of.words) return *Text::told_not_one_of.words;
    return words == Text::not_converted.words ? *Text::told_not_converted.words : *words;
}

}  // namespace

std::string complaint_in(const std::string& english, Language language) {
    const Words* const rows[] = {Text::a_command_is_required.words, Text::values_are_missing.words,    Text::too_few_values.words,
                                 Text::too_many_values.words,       Text::not_in_range.words,          Text::not_one_of.words,
                                 Text::not_converted.words,         Text::argument_not_expected.words, Text::arguments_not_expected.words,
                                 Text::this_is_required.words,      Text::this_requires.words,         Text::no_such_time.words};
    for (const Words* words : rows) {
        auto found = read_back(told_in(*words, Language::en), english);
        if (!found) continue;
        if (words == Text::values_are_missing.words) (*found)[2] = type_told_in((*found)[2], language);
        for (std::size_t i = 2; i < found->size(); ++i) (*found)[i] = without_trimmings((*found)[i]);  // before them, what was typed
        return fill(told_in(in_own_words(words), language), *found);
    }
    return english;
}

void speak(CLI::App& app, Language language) {
    app.formatter(std::make_shared<HelpPage>(language));
    app.set_help_flag("-h,--help", told_in(*Text::option_help.words, language));
    app.failure_message([language](const CLI::App* failed, const CLI::Error& e) {
        return Text::run_with_help(complaint_in(e.what(), language), failed->get_help_ptr()->get_name()).in(language);
    });
}

std::optional<Language> language_asked_for(int argc, const char* const* argv) {
    std::optional<Language> asked;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--lang" && i + 1 < argc) asked = language_of(argv[i + 1]);
        if (word.starts_with("--lang=")) asked = language_of(word.substr(7));
    }
    return asked;
}

}  // namespace houserule::cli
