#include "interpreter/app/common/rules_file.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/typed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace houserule::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t read_limit = 64U << 20;  // logs of long matches are a few megabytes; rules have a limit of their own

fs::path executable_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : self.parent_path();
}

}  // namespace

std::optional<std::string> read_bytes(const std::string& path, int& error) {
    std::error_code ignored;
    error = EISDIR;
    if (fs::is_directory(path, ignored)) return std::nullopt;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    error = errno;
    if (file == nullptr) return std::nullopt;
    std::string content;
    std::array<char, 65536> buffer{};
    std::size_t n = 0;
    while (content.size() <= read_limit && (n = std::fread(buffer.data(), 1, buffer.size(), file)) > 0) content.append(buffer.data(), n);
    error = std::ferror(file) != 0 ? EIO : EFBIG;
    const bool bad = std::ferror(file) != 0 || content.size() > read_limit;
    std::fclose(file);
    return bad ? std::nullopt : std::optional(std::move(content));
}

std::vector<std::string> game_folders() {
    std::vector<std::string> folders;
    if (const char* given = std::getenv("HOUSERULE_GAMES"); given != nullptr && *given != '\0') folders.emplace_back(given);
    const fs::path self = executable_folder();
    if (!self.empty()) folders.push_back((self / "../share/houserule/games").lexically_normal().string());
    folders.emplace_back(std::string(HOUSERULE_SOURCE_DIR) + "/games");
    folders.emplace_back(HOUSERULE_GAMES_DIR);
    return folders;
}

namespace {

// The rules files of the first of `folders` that is there.
std::vector<Shipped> shipped_in(const std::vector<std::string>& folders) {
    std::vector<Shipped> files;
    std::error_code error;
    for (const std::string& folder : folders) {
        if (!fs::is_directory(folder, error)) continue;
        fs::directory_iterator entry(folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error))
            if (entry->path().extension() == ".rules") files.push_back({entry->path().stem().string(), entry->path().string()});
        break;
    }
    std::sort(files.begin(), files.end(), [](const Shipped& a, const Shipped& b) { return a.name < b.name; });
    return files;
}

}  // namespace

std::vector<Shipped> shipped_games() { return shipped_in(game_folders()); }

std::vector<Shipped> shipped_templates() {
    std::vector<std::string> folders;
    for (const std::string& games : game_folders())
        folders.push_back((fs::path(games) / "../examples/templates").lexically_normal().string());
    return shipped_in(folders);
}

namespace {

void find_labels_of(const std::string& name, const SyntaxNode& node, std::vector<std::string>& labels) {
    if (node.kind == Kind::label && node.children[0]->text == name) labels.push_back(node.children[1]->text);
    for (const SyntaxNode* c : node.children) find_labels_of(name, *c, labels);
}

// What the file itself calls its game, in every language; empty when it cannot be read.
std::vector<std::string> labels_of_game(const Shipped& game) {
    int failed = 0;
    auto text = read_bytes(game.path, failed);
    if (!text) return {};
    const Sources sources{Source(game.path, std::move(*text))};
    Diagnostics ignored;
    const Syntax syntax = parse(sources, 0, ignored);
    const SyntaxNode* line = game_line(*layers(syntax).back());
    std::vector<std::string> labels;
    if (line != nullptr) find_labels_of(line->children[0]->text, *syntax.root, labels);
    return labels;
}

std::string stem_of(const std::string& name) {
    std::string stem = name.starts_with("games/") ? name.substr(6) : name;
    if (stem.ends_with(".rules")) stem.resize(stem.size() - 6);
    return stem;
}

}  // namespace

std::string find_game(const std::string& name) {
    std::error_code error;
    if (fs::exists(name, error)) return name;
    const std::string stem = stem_of(name);
    if (stem.empty() || stem.find('/') != std::string::npos) return "";
    const std::vector<Shipped> games = shipped_games();
    for (const Shipped& game : games)
        if (game.name == stem) return game.path;
    const std::string plain = plain_form(stem);
    const auto is_it = [&](const std::string& other) { return plain_form(other) == plain; };
    for (const Shipped& game : games) {
        const std::vector<std::string> labels = labels_of_game(game);
        if (is_it(game.name) || std::any_of(labels.begin(), labels.end(), is_it)) return game.path;
    }
    return "";
}

std::string closest_game(const std::string& name) {
    const std::vector<Shipped> games = shipped_games();
    std::vector<std::string> names;
    for (const Shipped& game : games) names.push_back(game.name);
    std::set<std::string> holding;  // the games in whose name, or a label of it, the text stands: a part of more than a letter
    const std::string stem = stem_of(name);
    const auto holds = [&](const std::string& other) {
        return display_width(stem) > 2 && plain_form(other).find(plain_form(stem)) != std::string::npos;
    };
    for (const Shipped& game : games) {
        if (holds(game.name)) holding.insert(game.name);
        for (std::string& label : labels_of_game(game)) {
            if (holds(label)) holding.insert(game.name);
            names.push_back(std::move(label));
        }
    }
    const std::string near = closest(stem, names);
    return near.empty() && holding.size() == 1 ? *holding.begin() : near;
}

// --- house rules

namespace {

Found beside_it(const std::string& name, const Found& from) {
    const auto in = [&](const std::string& file) { return (fs::path(file).parent_path() / name).lexically_normal().string(); };
    return {in(from.name), in(from.path)};
}

std::string folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

std::vector<std::string> rules_in_folder_of(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder_of(path), error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
        if (entry->path().extension() == ".rules") names.push_back(entry->path().stem().string());
    return names;
}

class AnyFile final : public BaseFiles {
public:
    std::optional<Found> named(const std::string& name, const Found& from) const override {
        std::error_code error;
        Found found = beside_it(name, from);
        if (!fs::is_regular_file(found.path, error)) return std::nullopt;
        return found;
    }
    std::vector<std::string> beside(const Found& from) const override { return rules_in_folder_of(from.path); }
};

}  // namespace

const BaseFiles& any_file() {
    static const AnyFile any;
    return any;
}

FilesInside::FilesInside(std::string root) {
    std::error_code error;
    root_ = fs::canonical(root, error).string();
    if (error) root_.clear();  // nothing is inside a folder that is not there
}

// Links are followed first: what counts is where the file is, not how it is called.
bool FilesInside::holds(const std::string& path) const {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || root_.empty()) return false;
    const fs::path from_root = real.lexically_relative(root_);
    return !from_root.empty() && *from_root.begin() != "..";
}

std::optional<Found> FilesInside::named(const std::string& name, const Found& from) const {
    if (fs::path(name).is_absolute() || !holds(folder_of(from.path))) return std::nullopt;
    const auto found = any_file().named(name, from);
    return found && holds(found->path) ? found : std::nullopt;
}

std::vector<std::string> FilesInside::beside(const Found& from) const {
    return holds(folder_of(from.path)) ? rules_in_folder_of(from.path) : std::vector<std::string>{};
}

namespace {

// A path is one from the folder of the file that names it. A name is that of a game that ships, else of a file in the same folder.
std::optional<Found> find_base(const BaseName& base, const Found& from, const BaseFiles& files) {
    if (base.is_path) return files.named(base.text, from);
    for (const Shipped& game : shipped_games())
        if (game.name == base.text) return Found{"games/" + game.name + ".rules", game.path};
    return files.named(base.text + ".rules", from);
}

// The games that could be meant instead.
Phrase advice(const BaseName& base, const Found& from, const BaseFiles& files) {
    if (base.is_path) return houserule::Text::path_from_folder;
    std::vector<std::string> names = files.beside(from);
    for (const Shipped& game : shipped_games()) names.push_back(game.name);
    std::sort(names.begin(), names.end());
    const std::string near = closest(base.text, names);
    return near.empty() ? houserule::Text::games_lists(base.text) : houserule::Text::did_you_mean(near);
}

// The files that sources[index] stands on, itself first; empty when they cannot all be read.
std::vector<Syntax> read_stack(Sources& sources, Found at, Syntax top, const BaseFiles& reach, Diagnostics& diagnostics) {
    std::error_code error;
    std::vector<Syntax> stack{std::move(top)};
    std::vector<Found> files{std::move(at)};
    while (const auto base = base_of(stack.back())) {
        const auto found = find_base(*base, files.back(), reach);
        if (!found) {
            report(diagnostics, Code::no_base, base->span, base->text).help = advice(*base, files.back(), reach);
            return {};
        }
        if (std::any_of(files.begin(), files.end(), [&](const Found& f) { return fs::equivalent(f.path, found->path, error); })) {
            Diagnostic& d = report(diagnostics, Code::base_circle, base->span, base->text);
            if (const auto first = base_of(stack.front()); first && stack.size() > 1)
                d.labels.push_back({first->span, houserule::Text::which_changes_this});
            return {};
        }
        if (stack.size() > house_rule_limit) {
            Diagnostic& d = report(diagnostics, Code::stacked_too_deep, base->span, house_rule_limit);
            if (const auto first = base_of(stack.front())) d.labels.push_back({first->span, houserule::Text::this_begins_them});
            return {};
        }
        int failed = 0;
        auto text = read_bytes(found->path, failed);
        if (!text) {
            Diagnostic& d = report(diagnostics, Code::no_base, base->span, base->text);
            d.notes.push_back(houserule::Text::what_and_why(found->name, reason_of(failed)));
            return {};
        }
        sources.emplace_back(found->name, std::move(*text));
        files.push_back(*found);
        stack.push_back(parse(sources, sources.size() - 1, diagnostics));
    }
    return stack;
}

}  // namespace

RulesFile read_rules(Sources& sources, std::size_t index, const std::string& path, const BaseFiles& files) {
    RulesFile file;
    file.syntax = parse(sources, index, file.diagnostics);
    if (!base_of(file.syntax)) return file;
    const std::vector<Syntax> stack = read_stack(sources, {sources[index].name(), path}, file.syntax, files, file.diagnostics);
    if (stack.size() < 2) return file;
    Syntax below = stack.back();
    for (std::size_t i = stack.size() - 2; i > 0; --i) below = stacked(below, stack[i]);
    file.syntax = stacked(below, stack[0]);
    file.base = std::move(below);
    return file;
}

Diagnostics errors_below(const RulesFile& file) {
    if (!file.base) return {};
    Diagnostics all = check_all(*file.base);
    std::erase_if(all, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
    return all;
}

}  // namespace houserule::cli
