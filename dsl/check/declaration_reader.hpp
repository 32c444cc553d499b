// Reads what a file declares: its header, enums, cards, zones and facts, and the names of its rules and ends, so that the order in the
// file does not matter to rules.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/check/statement_reader.hpp"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace houserule {

inline constexpr std::int32_t player_limit = 10;  // rulebooks for more are rare; every table of the machine is a power of players at most

std::string text_of(const PlayerRange& range);

class DeclarationReader : public StatementReader {
protected:
    DeclarationReader(const Syntax& syntax, int players, Diagnostics& diagnostics)
        : StatementReader(diagnostics), syntax_(syntax), players_(players) {}

    void declare_header();
    void declare_all();
    std::vector<VariableId> declare_parameters(const Node* parameters, RuleId rule);

    // --- labels and texts
    void say(std::vector<NamedText>& out, NamedText text);
    void label_places();
    // The name as the file has it: that of all places, of one of them.
    const std::string& written_name(const std::string& name) const;
    void collect_text(const Node& d, const std::string& name);
    const std::string& text_language(Span span) const { return merged_.layers[merged_.layer_of(span)].text_language; }
    bool is_own(Span span) const { return merged_.layer_of(span) + 1 == merged_.layers.size(); }

    const Syntax& syntax_;
    int players_;

private:
    void read_teams(const Node& teams);
    void declare_enum(const Node& d);
    void declare_family(const Node& d);
    void declare_field(const Node& d, Family& family);
    void add_every_kind(const Node& row, Family& family);
    void add_row(const Node& row, Family& family);
    std::vector<std::vector<std::int32_t>> values_of(const PieceKind& kind, const Family& family) const;
    void add_kind(PieceKind kind, Family& family);
    void finish_fields(Family& family);
    void number_pieces();
    void declare_zone(const Node& d);
    void each_place(const Node& d, const Node& spots, bool zone, const std::function<Operand(const std::string&)>& add);
    void number_places();
    void declare_fact(const Node& d);
    void declare_rules();

    std::map<std::pair<std::string, std::string>, std::size_t> label_at_, text_at_;  // language and name: where it stands in the game
    std::map<std::string, const Node*> field_names_;
    std::map<std::vector<std::vector<std::int32_t>>, KindId> nameless_;  // kinds of the family that is read, by what their fields say
    std::deque<Node> made_names_;                                        // NAME_1 … of NAME at 1..5
    std::map<std::string, std::string> place_names_;                     // NAME by NAME_1
};

}  // namespace houserule
