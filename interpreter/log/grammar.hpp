// The grammar of the lines of logs and views, as PEGTL rules. For line.cpp with its actions, and for the test that analyses it.
//
// A line comes without its comment and without blanks around it. A name is whatever stands between the signs, so that labels of any
// language can be read; the last colon of a line is the one before its cards. Where a line begins as one of a kind and goes on otherwise,
// `Otherwise` takes the rest, so that the message names the form of that kind.
#pragma once

#include "interpreter/log/line.hpp"

#include <tao/pegtl.hpp>

namespace houserule::log_grammar {

namespace p = tao::pegtl;

// --- parts

struct blanks : p::star<p::blank> {};
struct last_colon : p::seq<p::one<':'>, p::not_at<p::star<p::not_one<':'>>, p::one<':'>>> {};
struct seat : p::seq<p::one<'P'>, p::sor<p::string<'1', '0'>, p::seq<p::opt<p::one<'0'>>, p::range<'1', '9'>>>> {};

struct value : p::star<p::not_one<','>> {};
struct values : p::list<value, p::one<','>> {};
struct assigned : p::star<p::not_one<'='>> {};
struct name : p::star<p::any> {};
struct name_of_act : p::star<p::not_at<last_colon>, p::any> {};

template <typename Arrow>
struct source : p::star<p::not_at<Arrow>, p::any> {};
struct target : p::star<p::not_at<last_colon>, p::any> {};

// --- what can stand instead of the right form

struct otherwise_cards : p::star<p::any> {};
struct otherwise_assignment : p::star<p::any> {};
struct otherwise_act : p::star<p::any> {};
struct otherwise_seat : p::star<p::any> {};

// --- lines

// The word with which a line of this kind begins.
template <LineKind, typename Word>
struct begins : Word {};

// "A -> B: x, y"
template <typename Arrow>
struct cards : p::sor<p::seq<source<Arrow>, Arrow, target, last_colon, values>, otherwise_cards> {};
// "x = a, b"
struct assignment : p::sor<p::seq<assigned, p::one<'='>, values>, otherwise_assignment> {};

struct arrow : TAO_PEGTL_STRING("->") {};
struct to : TAO_PEGTL_STRING(" to ") {};

struct deal : p::seq<begins<LineKind::draw, TAO_PEGTL_STRING("deal ")>, cards<arrow>> {};
struct is_fact : p::seq<blanks, p::sor<p::one<'='>, TAO_PEGTL_STRING("of ")>> {};  // one that is called `move`
struct move : p::seq<begins<LineKind::move, p::seq<TAO_PEGTL_STRING("move "), p::not_at<is_fact>>>, cards<arrow>> {};
struct show : p::seq<begins<LineKind::show, TAO_PEGTL_STRING("show ")>, cards<to>> {};
struct shuffle : p::seq<begins<LineKind::shuffle, TAO_PEGTL_STRING("shuffle ")>, name> {};
struct end : p::seq<begins<LineKind::end, TAO_PEGTL_STRING("end ")>, name> {};
struct report : p::seq<begins<LineKind::report, TAO_PEGTL_STRING("table:")>, assignment> {};
struct lot : p::seq<begins<LineKind::lot, TAO_PEGTL_STRING("lot:")>, assignment> {};
// "lot for P2: x = a", "lot for nobody: x = a"
struct seer : p::sor<seat, TAO_PEGTL_STRING("nobody")> {};
struct private_lot : p::seq<begins<LineKind::lot, TAO_PEGTL_STRING("lot for ")>, blanks,
                            p::sor<p::seq<seer, blanks, p::one<':'>, assignment>, otherwise_assignment>> {};
struct acts : p::seq<begins<LineKind::acts, TAO_PEGTL_STRING("act ")>, p::sor<p::seq<name_of_act, last_colon, values>, otherwise_act>> {};

struct declines : p::seq<begins<LineKind::no, TAO_PEGTL_STRING("no ")>, name> {};
struct chooses : p::seq<begins<LineKind::choice, p::success>, assignment> {};
struct names : p::seq<begins<LineKind::names, TAO_PEGTL_STRING("names ")>, assignment> {};
struct says : p::seq<begins<LineKind::says, TAO_PEGTL_STRING("says ")>, name> {};
struct who : p::seq<seat, p::at<p::one<':', ' '>>> {};
struct of_seat : p::seq<who, blanks, p::sor<p::seq<p::one<':'>, blanks, p::sor<declines, chooses>>, names, says, otherwise_seat>> {};

struct fact : p::seq<begins<LineKind::fact, p::success>, assignment> {};

struct line : p::seq<p::sor<deal, move, show, shuffle, end, report, lot, private_lot, acts, of_seat, fact>, p::eof> {};

}  // namespace houserule::log_grammar
