// Which rules of the grammar make a node of the tree, and of which kind; all others are matched without one.
#pragma once

#include "dsl/syntax/grammar.hpp"
#include "dsl/syntax/syntax.hpp"

namespace houserule {

template <typename Rule>
struct kind_of {
    static constexpr bool selected = false;
};

#define NODE(rule, k)                          \
    template <>                                \
    struct kind_of<grammar::rule> {            \
        static constexpr bool selected = true; \
        static constexpr Kind kind = Kind::k;  \
    }
#define SAME(rule) NODE(rule, rule)

NODE(name_node, name);
NODE(any_name_node, name);
NODE(number_node, number);
NODE(signed_node, number);
NODE(text_node, text);
NODE(seat_node, seat);
NODE(yes_node, yes);
NODE(no_node, no);
NODE(nobody_node, nobody);
NODE(none_node, none);
NODE(players_node, players);
NODE(it_node, it);
NODE(its_it_node, it);
NODE(file, file);
SAME(d_game);
SAME(base);
SAME(d_players);
SAME(teams);
SAME(d_enum);
SAME(d_cards);
SAME(field);
SAME(with_names);
SAME(each_row);
SAME(row);
SAME(row_name);
SAME(d_total);
SAME(d_zone);
SAME(d_fact);
SAME(of_index);
SAME(spots);
SAME(families);
SAME(capacity);
SAME(seers);
SAME(initial);
SAME(lasts);
SAME(quiet);
SAME(always_shown);
SAME(d_define);
SAME(parameters);
SAME(parameter);
SAME(d_setup);
SAME(d_play);
SAME(d_rule);
SAME(d_match);
SAME(d_act);
SAME(unless);
SAME(odds);
SAME(d_ends);
SAME(of_stage);
SAME(after);
SAME(end_entry);
SAME(d_end);
SAME(d_winner);
SAME(all_if);
SAME(then_by);
SAME(d_option);
SAME(d_when);
SAME(d_replace);
SAME(d_remove);
SAME(d_set);
SAME(d_change_cards);
SAME(d_change_enum);
SAME(drop);
NODE(dropped_value, drop);
NODE(replaced_end, end_entry);
SAME(d_assume);
SAME(d_unclear);
SAME(d_accept);
SAME(d_example);
SAME(for_players);
SAME(with_option);
NODE(with_another, with_option);
SAME(given);
SAME(values);
SAME(do_rule);
SAME(choosing);
SAME(then_holds);
SAME(d_labels);
SAME(d_texts);
SAME(label);
SAME(t_yes_no);
SAME(t_range);
SAME(by);
SAME(t_player);
SAME(t_named);
SAME(t_set);
SAME(t_list);
SAME(t_kind);
SAME(t_several);
SAME(t_zone);
SAME(or_none);
SAME(body);
SAME(s_let);
SAME(s_show);
SAME(s_stop);
SAME(s_end);
SAME(s_play_game);
SAME(s_nothing);
SAME(s_judged);
SAME(s_put);
SAME(s_deal);
SAME(s_draw);
SAME(s_shuffle);
NODE(s_becomes_part, s_becomes);
NODE(must_part, s_must);
NODE(may_part, s_may);
NODE(may_do_part, s_may_do);
NODE(says_part, s_says);
SAME(choice);
SAME(count);
SAME(if_none);
NODE(if_short, if_none);
SAME(refill);
SAME(otherwise);
SAME(s_simultaneously);
SAME(s_table);
SAME(s_chance);
SAME(lot_target);
SAME(lot_for);
SAME(more_lots);
SAME(evenly);
SAME(weights);
SAME(s_offer);
SAME(s_each);
SAME(s_any);
SAME(in_set);
SAME(down);
SAME(from_to);
SAME(direction);
NODE(where_clause, where);
NODE(whole, where);
SAME(s_repeat);
SAME(s_times);
SAME(while_true);
SAME(until_true);
SAME(bound);
SAME(bound_then);
SAME(measure);
SAME(s_if);
SAME(s_cases);
SAME(s_cases_of);
NODE(s_arm, arm);
NODE(s_arm_except, arm_except);
NODE(s_arm_otherwise, arm_otherwise);
NODE(e_arm, arm);
NODE(e_arm_except, arm_except);
NODE(e_arm_otherwise, arm_otherwise);
SAME(s_reading);
NODE(s_reading_choice, reading_choice);
NODE(e_reading_choice, reading_choice);
SAME(s_call);
SAME(arguments);
SAME(e_or);
SAME(e_and);
SAME(e_not);
NODE(part_compare, e_compare);
NODE(part_in, e_in);
NODE(part_not_in, e_not_in);
NODE(part_empty, e_empty);
NODE(part_not_empty, e_not_empty);
NODE(part_splits, e_splits);
NODE(part_is_a, e_is_a);
NODE(part_not_a, e_is_not_a);
NODE(where_part, e_where);
NODE(with_part, e_with);
NODE(or_if_none_part, e_or_if_none);
SAME(e_range);
NODE(at_range, e_range);
SAME(e_sum);
NODE(any_count, e_sum);
NODE(count_product, e_product);
NODE(count_owned, e_possessive);
NODE(owned_value, e_possessive);
SAME(e_product);
SAME(e_minus);
SAME(e_but);
SAME(e_possessive);
SAME(e_of);
SAME(e_every);
SAME(e_call);
SAME(e_the);
SAME(e_some);
SAME(e_no);
SAME(e_size);
SAME(e_total);
SAME(e_least_left);
SAME(e_at);
SAME(e_groups);
SAME(e_kinds);
SAME(e_first);
SAME(e_last);
SAME(e_any);
SAME(e_next);
SAME(e_all);
SAME(e_card);
SAME(e_set);
SAME(e_if);
NODE(e_if_rest, e_if);
SAME(e_cases);
SAME(e_cases_of);
SAME(e_reading);
SAME(e_yes_no);
SAME(comparison_group);
SAME(set_group);
SAME(subject_group);
#undef SAME
#undef NODE

template <typename... S>
struct kind_of<grammar::word_node<S...>> {
    static constexpr bool selected = true;
    static constexpr Kind kind = Kind::word;
};

}  // namespace houserule
