// Well-typed expressions, each with its meaning. A production makes one construct of the language; what stands inside it is asked for by
// type alone, so that no production knows of another.
#pragma once

#include "tests/random/generator/avoided.hpp"
#include "tests/random/generator/vocabulary.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule::random_games {

struct Production;

// Where an expression stands.
struct Scope {
    std::vector<Local> locals;
    std::optional<Type> it;  // the thing that a comprehension around it is at
    bool inside = false;     // that comprehension
    int named = 0;           // comprehensions around it whose variable has a name
    bool constant = false;   // nothing on the table may be read
    bool no_kinds = false;   // no card is known yet but `it`
    bool reckoned = false;   // its value will be compared with what the generator reckons
    std::string viewer;      // whose knowledge it may use, by the name of a local player; empty: all there is
    bool careful = false;    // what may break a promise is left out, or asked for before
    bool bound = false;      // it reads what is not known yet where a statement begins
};

class Expressions {
public:
    Expressions(Choices& choices, const Vocabulary& words, const Avoiding& avoiding)
        : choices_(choices), words_(words), avoiding_(avoiding) {}

    Written make(const Type& type, int depth, const Scope& scope);
    static std::vector<std::string> names();  // of the productions
    // Cards or a set from which something can be chosen; sets of numbers may be ranges.
    Written choosable(const Type& type, int depth, const Scope& scope, bool wide = false);
    bool can_make(const Type& type, const Scope& scope) const;

    Type any_scalar(const Scope& scope);
    Type any_element(const Scope& scope);  // of a set
    Type any_type(const Scope& scope);
    std::uint32_t any_families();
    std::optional<Type> any_cards(const Scope& scope);  // that can be made
    // What has to hold for promises to be kept is put there, in the order in which it is to be asked; returns where it was put before.
    std::vector<std::string>* guard_by(std::vector<std::string>* conditions) { return std::exchange(guards_, conditions); }
    // It has to hold; false where that cannot be asked before.
    bool needs(const Scope& scope, const std::string& condition);
    std::uint32_t all_families() const { return (1U << words_.families.size()) - 1; }

    // A constant of the type, as it is written in facts, rows and options.
    Written constant(const Type& type, bool may_be_empty = true);
    // A fact of the type that may be none, if there is one to be read.
    bool can_be_none(const Type& type, const Scope& scope) const { return !perhaps_none_for(type, scope).empty(); }
    Written perhaps_none(const Type& type, const Scope& scope);
    // What a rule, an end or a define is given for a parameter.
    Written argument(const Type& of, int depth, const Scope& scope);
    Written whole_number(int low, int high, int depth, const Scope& scope);
    std::string option_value(const Option& of);
    std::string kind_text(int kind) const;
    std::string value_text(const Field& field, const Value& value) const;
    // A zone with its owner, if it has one: a place that lies on the table once.
    std::optional<Written> place(const Scope& scope, std::uint32_t families, bool (*wanted)(const Zone&) = nullptr);
    // ` at n` behind what has numbered places: which of them that is, from 0 on; nothing where there is only one.
    Meaning at_spot(Written& of, const Spots& spots, int depth, const Scope& scope);

private:
    friend struct Production;
    using Depth = int;

    // For every type.
    Written literal(const Type&, Depth, const Scope&);
    Written local(const Type&, Depth, const Scope&);
    Written the_it(const Type&, Depth, const Scope&);
    Written fact(const Type&, Depth, const Scope&);
    Written fact_at(std::size_t fact, const Type&, Depth, const Scope&);
    std::vector<std::size_t> perhaps_none_for(const Type&, const Scope&) const;
    Written field(const Type&, Depth, const Scope&);
    Written option(const Type&, Depth, const Scope&);
    Written listed_option(const Type&, Depth, const Scope&);
    Written defined(const Type&, Depth, const Scope&);
    Written conditional(const Type&, Depth, const Scope&);
    Written cases(const Type&, Depth, const Scope&);
    Written cases_of(const Type&, Depth, const Scope&);
    // The types of the things that comprehensions around it are at.
    static std::vector<Type> things(const Scope&);
    std::optional<Type> of_a_thing(const Scope&);
    std::optional<Type> in_a_thing(const Scope&);  // of a field of one of them
    bool can_read_two_ways(const Type&, const Scope&) const;
    Written reading(const Type&, Depth, const Scope&);
    Written the(const Type&, Depth, const Scope&);
    bool has_local(const Type&, const Scope&) const;
    bool has_it(const Type&, const Scope&) const;
    bool has_fact(const Type&, const Scope&) const;
    bool has_field(const Type&, const Scope&) const;
    bool has_option(const Type&, const Scope&) const;
    bool has_listed_option(const Type&, const Scope&) const;
    bool has_define(const Type&, const Scope&) const;
    bool on_table(const Type&, const Scope&) const;
    bool has_literal(const Type&, const Scope&) const;
    bool can_the(const Type&, const Scope&) const;
    // Truths.
    Written compared_numbers(const Type&, Depth, const Scope&);
    Written same(const Type&, Depth, const Scope&);
    Written is_none(const Type&, Depth, const Scope&);
    Written is_in(const Type&, Depth, const Scope&);
    Written is_empty(const Type&, Depth, const Scope&);
    Written is_family(const Type&, Depth, const Scope&);
    Written connected(const Type&, Depth, const Scope&);
    Written negation(const Type&, Depth, const Scope&);
    Written quantified(const Type&, Depth, const Scope&);
    bool outside(const Type&, const Scope&) const;
    bool can_nest(const Type&, const Scope&) const;
    // Numbers.
    Written arithmetic(const Type&, Depth, const Scope&);
    Written minus(const Type&, Depth, const Scope&);
    Written called(const Type&, Depth, const Scope&);
    Written size(const Type&, Depth, const Scope&);
    Written total(const Type&, Depth, const Scope&);
    Written player_count(const Type&, Depth, const Scope&);
    Written team(const Type&, Depth, const Scope&);
    bool has_teams(const Type&, const Scope&) const;
    // Players and cards.
    Written neighbour(const Type&, Depth, const Scope&);
    Written next_in(const Type&, Depth, const Scope&);
    Written end_card(const Type&, Depth, const Scope&);
    Written nth_card(const Type&, Depth, const Scope&);
    Written card_of_spot(const Type&, Depth, const Scope&);
    bool has_spot(const Type&, const Scope&) const;
    // Sets and cards.
    Written all_values(const Type&, Depth, const Scope&);
    Written kinds_of(const Type&, Depth, const Scope&);
    Written family_kinds(const Type&, Depth, const Scope&);
    Written cards_at(const Type&, Depth, const Scope&);
    Written cards_of_several(const Type&, Depth, const Scope&);
    Written all_cards(const Type&, Depth, const Scope&);
    Written joined_sets(const Type&, Depth, const Scope&);
    Written less_sets(const Type&, Depth, const Scope&);
    Written filtered(const Type&, Depth, const Scope&);
    Written best(const Type&, Depth, const Scope&);
    Written or_if_none(const Type&, Depth, const Scope&);
    Written groups(const Type&, Depth, const Scope&);
    Written any(const Type&, Depth, const Scope&);
    Written end_cards(const Type&, Depth, const Scope&);
    Written splits(const Type&, Depth, const Scope&);
    Written least_left(const Type&, Depth, const Scope&);
    Written stepped(const Type&, Depth, const Scope&);
    bool of_enum_or_players(const Type&, const Scope&) const;
    bool of_kinds(const Type&, const Scope&) const;
    bool has_zone(const Type&, const Scope&) const;
    bool has_order(const Type&, const Scope&) const;
    bool can_split(const Type&, const Scope&) const;
    bool of_numbers(const Type& type, const Scope&) const { return type.element == Sort::number; }
    bool has_several(const Type&, const Scope&) const;
    bool sees_hidden(const Type&, const Scope&) const;

    Type taken(Type type) const;
    std::vector<const Local*> locals_for(const Type&, const Scope&) const;
    std::vector<std::size_t> facts_for(const Type&, const Scope&) const;
    std::vector<std::size_t> zones_for(std::uint32_t families, const Scope&) const;
    std::vector<std::pair<int, int>> fields_for(const Type&, const Scope&) const;  // family and field
    bool may_read(Seen seen, Index by, const Scope&) const;
    bool can_ask_before(const Scope& scope) const { return guards_ != nullptr && !scope.bound; }
    bool keeps_promises(const Production&, const Type&, const Scope&) const;
    bool is_kept(std::size_t fact, const Type&, const Scope&) const;
    Written owner(Seen seen, const Scope&, Depth);
    Written index_of(Index by, int of, Seen seen, const Scope&, Depth);
    Written a_few_cards(const Scope&, Depth);  // to be taken apart
    Written lying_in_order(const Type&, const Scope&);
    bool is_several(std::size_t zone, const Scope&) const;
    static bool is_range(const Elements& numbers);
    Written constant_scalar(const Type&);
    Scope inner(const Scope&, const Type& it) const;
    Type collection(const Scope&);  // a type of cards or of a set

    Choices& choices_;
    const Vocabulary& words_;
    const Avoiding& avoiding_;
    std::vector<std::string>* guards_ = nullptr;
    int nested_ = 0;  // expressions that are being made, one in another
};

}  // namespace houserule::random_games
