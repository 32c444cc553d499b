// What the page of a game's rules says, in sentences for the terminal.
#pragma once

#include "dsl/book/book.hpp"
#include "interpreter/app/common/common.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace houserule::cli {

Page page_of(const Loaded& rules, const Settings& settings, const Globals& g);

// Whether a place of a file lies in another.
bool covers(Span outer, Span inner);

// The smallest item of the page that says what stands at `span`; null if none does.
const Item* item_about(const Page& page, Span span);

// An item and those below it, a line each, folded to so many cells.
std::string lines_of(const Item& item, std::size_t indent, std::size_t width);

// Adds the names that stand in the span, each once.
void names_in(const SyntaxNode& node, Span within, std::vector<std::string>& names);

// The place, then that of each definition that it or another of them names; `most` in all, or few more.
std::vector<Span> with_definitions(const Syntax& syntax, Span of, std::size_t most);

// The name of a rule or act with what its author says of it; empty where that is nothing.
std::string text_told(const Game& game, const std::string& name, std::size_t indent, const Globals& g);

// The game in short: what each rule says in its author's words, then what `scoring_told` says.
std::string rules_told(const Loaded& rules, const Settings& settings, const Game& game, const Globals& g);
// How points are counted, who wins and how it ends, with the definitions of what that names.
std::string scoring_told(const Loaded& rules, const Settings& settings, const Globals& g);

}  // namespace houserule::cli
