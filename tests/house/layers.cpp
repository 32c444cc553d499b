#include "tests/house/layers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace houserule::house {
namespace {

Strings words_of(const std::string& text) {
    std::istringstream in(text);
    Strings words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bool has(const Strings& all, std::string_view one) { return std::find(all.begin(), all.end(), one) != all.end(); }

bool is_below_one(std::string_view path, const Strings& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return is_below(path, folder); });
}

const Layers::Folder* folder_named(const Layers& layers, std::string_view name) {
    const auto found = std::find_if(layers.folders.begin(), layers.folders.end(), [&](const auto& f) { return f.name == name; });
    return found == layers.folders.end() ? nullptr : &*found;
}

// The row for `header`, a name without brackets: the longest prefix counts.
const Layers::Header* header_row(const Layers& layers, std::string_view header) {
    const Layers::Header* best = nullptr;
    for (const Layers::Header& row : layers.headers) {
        if (header.starts_with(row.prefix) && (best == nullptr || row.prefix.size() > best->prefix.size())) best = &row;
    }
    return best;
}

void read_header(Layers& layers, const std::string& name, Strings words) {
    const auto mark = std::find(words.begin(), words.end(), "reached");
    Layers::Header header{name.substr(1), {words.begin(), mark}, mark != words.end(), {}};
    if (header.reaching) header.reached.assign(mark + 1, words.end());
    layers.headers.push_back(std::move(header));
}

void read_folder(Layers& layers, const std::string& name, const Strings& words) {
    if (folder_named(layers, name)) layers.faults.push_back("`" + name + "` has two rows");
    for (const std::string& word : words) {
        if (!folder_named(layers, word)) layers.faults.push_back("`" + name + "`: `" + word + "` has no row above");
    }
    layers.folders.push_back({name, words});
}

bool is_ours(std::string_view header) {
    return is_below(header, "dsl") || is_below(header, "interpreter") || is_below(header, "solver") || is_below(header, "tests");
}

std::optional<std::string> fault_of_ours(const Layers& layers, const std::string& folder, std::string_view header) {
    const Layers::Folder* from = folder_named(layers, folder);
    const std::string to = folder_of(header);
    if (from == nullptr || to == folder || has(from->uses, to)) return std::nullopt;
    return "may not be included in " + folder;
}

std::optional<std::string> fault_of_theirs(const Layers& layers, const std::string& path, std::string_view header) {
    const Layers::Header* row = header_row(layers, header);
    if (row != nullptr) return is_below_one(path, row->named) ? std::nullopt : std::optional("may not be included in " + folder_of(path));
    const bool standard = header.find_first_of("/.") == std::string_view::npos;
    return standard ? std::nullopt : std::optional<std::string>("stands in no row of the list");
}

std::optional<std::string> include_fault(const Layers& layers, const std::string& path, std::string_view written) {
    const std::string_view header = written.substr(1);
    const bool ours = is_ours(header), quoted = written[0] == '"';
    if (ours && !quoted) return "is ours and belongs in quotes";
    if (quoted && !ours) return "is in quotes, but not named from the top folder";
    return ours ? fault_of_ours(layers, folder_of(path), header) : fault_of_theirs(layers, path, header);
}

using Includes = std::map<std::string, Strings>;  // by path

Includes all_includes(const std::vector<File>& files) {
    Includes includes;
    for (const File& file : files) includes[file.path] = includes_of(file.text);
    return includes;
}

// The headers on the shortest way from `path` to the first one that `row` is about, that one last; empty when there is none.
Strings chain_to(const Includes& includes, const std::string& path, const Layers& layers, const Layers::Header& row) {
    std::map<std::string, std::string> from{{path, ""}};
    Strings queue{path};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const std::string at = queue[i];
        const auto found = includes.find(at);
        if (found == includes.end()) continue;
        for (const std::string& written : found->second) {
            const std::string header = written.substr(1);
            if (!from.emplace(header, at).second) continue;
            if (written[0] == '"') queue.push_back(header);
            if (written[0] != '<' || header_row(layers, header) != &row) continue;
            Strings chain;
            for (std::string step = header; step != path; step = from.at(step)) chain.insert(chain.begin(), step);
            return chain;
        }
    }
    return {};
}

std::string joined(const Strings& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

// Which of `places` has none of `paths` below it.
Strings without_use(const Strings& places, const Strings& paths) {
    Strings unused;
    for (const std::string& place : places) {
        if (std::none_of(paths.begin(), paths.end(), [&](const std::string& path) { return is_below(path, place); }))
            unused.push_back(place);
    }
    return unused;
}

void add_folder_faults(Strings& faults, const Layers& layers, const Includes& includes) {
    std::map<std::string, std::set<std::string>> used;
    for (const auto& [path, headers] : includes) {
        for (const std::string& written : headers) used[folder_of(path)].insert(folder_of(written.substr(1)));
        used[folder_of(path)];
    }
    for (const auto& [folder, _] : used) {
        if (!folder_named(layers, folder)) faults.push_back("`" + folder + "` has no row in the list");
    }
    for (const Layers::Folder& folder : layers.folders) {
        const auto found = used.find(folder.name);
        if (found == used.end()) faults.push_back("`" + folder.name + "` has a row, but no source");
        if (found == used.end()) continue;
        for (const std::string& use : folder.uses) {
            if (found->second.count(use) == 0) faults.push_back("`" + folder.name + "` no longer includes `" + use + "`");
        }
    }
}

void add_header_faults(Strings& faults, const Layers& layers, const Includes& includes) {
    for (const Layers::Header& row : layers.headers) {
        Strings naming, reaching;
        for (const auto& [path, _] : includes) {
            const Strings chain = chain_to(includes, path, layers, row);
            if (chain.size() == 1) naming.push_back(path);
            if (!chain.empty()) reaching.push_back(path);
        }
        for (const std::string& place : without_use(row.named, naming)) {
            faults.push_back("nothing in `" + place + "` includes `" + row.prefix + "` any longer");
        }
        for (const std::string& place : without_use(row.reached, reaching)) {
            faults.push_back("nothing in `" + place + "` reaches `" + row.prefix + "` any longer");
        }
    }
}

}  // namespace

Layers read_layers(std::string_view list) {
    Layers layers;
    for (const std::string& row : rows_of(list)) {
        const std::size_t colon = row.find(':');
        if (colon == std::string::npos || colon == 0) {
            layers.faults.push_back("no `NAME: …`: " + row);
        } else if (row[0] == '<') {
            read_header(layers, row.substr(0, colon), words_of(row.substr(colon + 1)));
        } else {
            read_folder(layers, row.substr(0, colon), words_of(row.substr(colon + 1)));
        }
    }
    return layers;
}

Strings includes_of(std::string_view text) {
    static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*(["<][^">]+)[">])re");
    Strings names;
    if (text.find("include") == std::string_view::npos) return names;
    for (const std::string& line : lines_of(code_of(text, true))) {
        std::smatch found;
        if (line.find('#') != std::string::npos && std::regex_search(line, found, include)) names.push_back(found[1]);
    }
    return names;
}

Strings include_faults(const Layers& layers, const File& file) {
    Strings faults;
    for (const std::string& written : includes_of(file.text)) {
        if (const auto fault = include_fault(layers, file.path, written)) {
            faults.push_back(file.path + ": `" + written.substr(1) + "` " + *fault);
        }
    }
    return faults;
}

Strings reach_faults(const Layers& layers, const std::vector<File>& files) {
    const Includes includes = all_includes(files);
    Strings faults;
    for (const Layers::Header& row : layers.headers) {
        if (!row.reaching) continue;
        for (const File& file : files) {
            if (is_below_one(file.path, row.reached)) continue;
            const Strings chain = chain_to(includes, file.path, layers, row);
            if (!chain.empty()) faults.push_back(file.path + " may not see `" + chain.back() + "`: " + joined(chain, " > "));
        }
    }
    return faults;
}

Strings list_faults(const Layers& layers, const std::vector<File>& files) {
    Strings faults = layers.faults;
    const Includes includes = all_includes(files);
    add_folder_faults(faults, layers, includes);
    add_header_faults(faults, layers, includes);
    return faults;
}

}  // namespace houserule::house
