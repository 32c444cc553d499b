#include "interpreter/app/command_line/slips.hpp"

#include "dsl/text/text.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/app/texts/texts.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace houserule::cli {

namespace {

using Names = std::vector<std::string>;

std::string listed(const Names& names, Language language) {
    Names marked;
    for (const std::string& name : names) marked.push_back("`" + name + "`");
    return fmt::format("{}", fmt::join(marked, Text::comma.in(language)));
}

Names commands_of(const CLI::App& app) {
    Names names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

Names options_of(const CLI::App& command) {
    Names names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

Names having(const CLI::App& app, const std::string& option) {
    Names names;
    for (const CLI::App* command : app.get_subcommands({}))
        if (std::ranges::count(options_of(*command), option) != 0) names.push_back(command->get_name());
    return names;
}

// What `-p` or `--hint` is short for, or close to; of several that begin with a letter, what most commands have.
std::string meant_option(const CLI::App& app, const std::string& option, const Names& there) {
    const bool letter = option.size() == 2;
    Names longer;
    for (const std::string& name : there)
        if (letter ? name[2] == option[1] : name.starts_with(option)) longer.push_back(name);
    const auto known = [&](const std::string& name) { return having(app, name).size(); };
    std::ranges::stable_sort(longer, std::greater<>(), known);
    const bool is_clear = longer.size() == 1 || (letter && longer.size() > 1 && known(longer[0]) > known(longer[1]));
    return is_clear ? longer.front() : letter ? "" : closest(option, there);
}

std::string command_slip(const CLI::App& app, const std::string& word, Language language) {
    const Names there = commands_of(app);
    const std::string near = closest(word, there);
    if (!near.empty()) return Text::no_such_command_but(word, near).in(language);
    if (!find_game(word).empty()) return Text::game_where_command_stands(word).in(language);
    return Text::no_such_command(word, listed(there, language)).in(language);
}

std::string option_slip(const CLI::App& app, const CLI::App& command, const std::string& word, Language language) {
    const std::string option = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
    const Names there = options_of(command);
    const std::string near = meant_option(app, option, there);
    const std::string& of = command.get_name();
    if (!near.empty()) return Text::no_such_option_but(option, of, near).in(language);
    const Names elsewhere = having(app, option);
    if (!elsewhere.empty()) return Text::option_of_others(option, of, listed(elsewhere, language), listed(there, language)).in(language);
    return Text::no_such_option(option, of, listed(there, language)).in(language);
}

// What `command` was not given, or was given beside all that it reads.
std::string argument_slip(const CLI::App& command, const Names& left, Language language) {
    const std::string& of = command.get_name();
    if (!left.empty()) {
        const bool is_few = left.front().find_first_not_of("0123456789") == std::string::npos && left.front().size() < 3;
        const bool of_players = is_few && std::ranges::count(options_of(command), "--players") != 0;
        return (of_players ? Text::players_as_argument : Text::argument_too_many)(of, left.front()).in(language);
    }
    const auto is_missing = [](const CLI::Option* option) {
        return option->get_positional() && option->get_required() && option->count() == 0;
    };
    const auto options = command.get_options();
    const auto missing = std::ranges::find_if(options, is_missing);
    if (missing == options.end()) return "";
    const std::string name = (*missing)->get_name();
    return name == "FILE" ? Text::which_game(of).in(language) : name == "LOG" ? Text::which_log(of).in(language) : "";
}

}  // namespace

std::string slip_of(const CLI::App& app, Language language) {
    const std::vector<const CLI::App*> chosen = [&] {
        std::vector<const CLI::App*> parsed;
        for (const CLI::App* command : app.get_subcommands({}))
            if (command->parsed()) parsed.push_back(command);
        return parsed;
    }();
    const CLI::App& reader = chosen.empty() ? app : *chosen.front();
    const Names left = app.remaining(true);
    const auto option = std::ranges::find_if(left, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    if (chosen.empty() && !left.empty() && option != left.begin()) return command_slip(app, left.front(), language);
    if (option != left.end()) return option_slip(app, reader, *option, language);
    return chosen.empty() ? "" : argument_slip(reader, left, language);
}

}  // namespace houserule::cli
