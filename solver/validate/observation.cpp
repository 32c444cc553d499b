#include "solver/validate/observation.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/never.hpp"
#include "solver/findings/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace houserule {

namespace {

const Statement* statement_of(const Machine& m, const Step& s) { return s.statement == no_id ? nullptr : &m.game.statements[s.statement]; }
const Expression& expression(const Machine& m, ExpressionId e) { return m.game.expressions[e]; }

// The operator whose promise broke there, if one did.
std::optional<Operator> operator_at(const Game& game, Span span) {
    std::optional<Operator> op;
    for (const Expression& e : game.expressions) {
        if (!(e.span == span)) continue;
        switch (e.op) {
            case Operator::the_card:
            case Operator::the_element:
            case Operator::next_in:
            case Operator::largest_over:
            case Operator::smallest_over:
            case Operator::first_card:
            case Operator::last_card:
            case Operator::first_cards:
            case Operator::last_cards:
            case Operator::lookup:
            case Operator::set_lookup:
            case Operator::cards_any:
            case Operator::cards_groups:
            case Operator::fail:
                op = e.op;
                break;
            default:
                break;
        }
    }
    return op;
}

// `p's hat`, of which there is one: no `the` stands there.
bool is_place_for_one(const Game& game, Span span) {
    return std::any_of(game.expressions.begin(), game.expressions.end(), [&](const Expression& e) {
        if (!(e.span == span) || e.op != Operator::the_card) return false;
        const Expression* of = &game.expressions[e.a];
        if (of->op == Operator::cards_at) of = &game.expressions[of->a];
        return of->op == Operator::place && game.zones[ZoneId(of->named())].shape == Shape::one;
    });
}

// Whether what the run says of it is more than the title.
bool says_more(FailureKind failure) {
    switch (failure) {
        case FailureKind::goes_on_for_ever:
        case FailureKind::acts_do_not_end:
        case FailureKind::no_case:
        case FailureKind::did_not_run_down:
        case FailureKind::not_enough_times:
        case FailureKind::nothing_to_choose:
        case FailureKind::no_card_fits:
        case FailureKind::several_cards_fit:
        case FailureKind::nothing_fits:
        case FailureKind::several_fit:
            return false;
        default:
            return true;
    }
}

struct Said {
    FindingClass what = FindingClass::gap;
    Sentence title;
    Sentence help;
};

// Somebody or a value is needed, and is nobody or none.
bool is_of_none(FailureKind what) {
    return what == FailureKind::none_as_number || what == FailureKind::nobody_here || what == FailureKind::none_here ||
           what == FailureKind::no_owner;
}

Said said_of_operator(Operator op, FailureKind what) {
    switch (op) {
        case Operator::the_card:
        case Operator::the_element:
            return {FindingClass::unresolved,
                    what == FailureKind::several_cards_fit || what == FailureKind::several_fit
                        ? Sentence{"`the …` means exactly one, and several fit", "the … はちょうど1つを指すのに、いくつも当てはまる"}
                        : Sentence{"`the …` means exactly one, and nothing fits", "the … はちょうど1つを指すのに、何も当てはまらない"},
                    {"Say which one, or what happens then: `all …`, `if size of … is 1`, a further condition.",
                     "どれなのか、そのときどうするのかを書く（すべて、1つのときだけ、条件を足す、など）。"}};
        case Operator::fail:
            return {FindingClass::gap,
                    {"No case applies", "どの場合にも当てはまらない"},
                    {"Add the missing case, or `otherwise`.", "足りない場合か otherwise を書く。"}};
        case Operator::cards_any:
        case Operator::cards_groups:
            return {FindingClass::chooser,
                    {"Too few are there, or it matters which are taken", "足りないか、どれを取るかで結果が変わる"},
                    {"Say who chooses, or what happens then.", "誰が選ぶのか、足りないときはどうするのかを書く。"}};
        default:
            return {FindingClass::void_duty,
                    {"What the rule speaks of is not there", "ルールが指すものがない"},
                    {"Say what happens then.", "そのときどうするのかを書く。"}};
    }
}

// Whether `if short` brought more, and this draws once more.
bool is_drawn_again(const Game& game, const Statement& drawn) {
    return drawn.body == no_id && std::any_of(game.statements.begin(), game.statements.end(), [&](const Statement& s) {
               return s.kind == StatementKind::draw && s.body != no_id && s.variable == drawn.variable;
           });
}

Sentence remedy_of_draw(const Game& game, const Statement* statement) {
    if (statement != nullptr && statement->kind == StatementKind::draw && is_drawn_again(game, *statement))
        return {
            "What `if short` does does not bring enough: bring more, or refill first (`if … is empty: put …`) and draw with `if none: …`.",
            "if short で足しても足りない。もっと足すか、先に補って（if … is empty: put …）から if none: … で引く。"};
    if (statement != nullptr && statement->kind == StatementKind::draw)
        return {"Say what happens when there is none: `if none: …`.", "1枚もないときはどうするのか（if none: …）を書く。"};
    if (statement != nullptr && statement->body != no_id)
        return {"What `if short` does does not bring enough: bring more, or deal no more than are there (`smaller(…)`).",
                "if short で足しても足りない。もっと足すか、ある分だけ配る（smaller(…)）。"};
    return {"Say where more come from (`if short { put … }`), or deal no more than are there (`smaller(…)`).",
            "足りない分をどこから補うのか（if short { put … }）を書くか、ある分だけ配る（smaller(…)）。"};
}

// A fact that has no value there may never have had one.
Sentence remedy_of_none(const Game& game, Span span) {
    for (const Expression& e : game.expressions) {
        if (e.op != Operator::fact || !(e.span == span)) continue;
        const Fact& fact = game.facts[FactId(e.named())];
        const std::string none = fact.type.base == Base::player ? "nobody" : "none";
        return {
            fmt::format("Give `{0}` a value before (`{0} becomes …`), or say what happens then: `if {0} is not {1}: …`.", fact.name, none),
            fmt::format("その前に {0} の値を決める（{0} becomes …）か、そのときどうするのか（if {0} is not {1}: …）を書く。", fact.name,
                        none)};
    }
    return {"Say what happens then: `if … is not none: …`, `if … is not nobody: …`.",
            "そのときどうするのかを書く（if … is not none: …、if … is not nobody: … など）。"};
}

Said said_of(const Machine& m, const Observation& observation) {
    const Step& step = m.code[observation.step];
    if (is_of_none(observation.failure.kind))
        return {FindingClass::gap,
                {"A value is needed, and there is none", "値が要るのに none・nobody である"},
                remedy_of_none(m.game, observation.failure.span)};
    if (observation.failure.kind == FailureKind::takes_only || observation.failure.kind == FailureKind::does_not_fit)
        return {FindingClass::count,
                {"More pieces come there than fit", "入りきらない数が置かれる"},
                {"Say what happens to the rest, or allow more.", "余りをどうするのかを書くか、入る数を増やす。"}};
    if (observation.failure.kind == FailureKind::acts_do_not_end)
        return {FindingClass::endless,
                {"This may be done again and again at one moment, and nothing stops it", "同じ時点で何度でもでき、止めるものがない"},
                {"Say how often each may do it: `unless p's …`.", "1人が何度できるのか（unless p's …）を書く。"}};
    if (is_place_for_one(m.game, observation.failure.span))
        return {
            FindingClass::unresolved,
            {"The card that lies here is meant, and there is none", "ここにある1枚を指すのに、何も置かれていない"},
            {"Say what happens then, or what puts a card there before.", "そのときどうするのか、またはその前に何が置かれるのかを書く。"}};
    if (const auto op = operator_at(m.game, observation.failure.span)) return said_of_operator(*op, observation.failure.kind);
    const Statement* statement = statement_of(m, step);
    switch (step.op) {
        case Op::choose:
            return {FindingClass::void_duty,
                    {"Somebody must choose, and there is nothing to choose from", "選ばなければならないのに、選べるものがない"},
                    {"Add `if none: …`, or let the rule apply only when there is something.",
                     "if none: … を足すか、選べるときだけのルールにする。"}};
        case Op::draw:
            return {FindingClass::void_duty,
                    {"A card is to be dealt or drawn, and there is none", "配る・引くカードがない"},
                    remedy_of_draw(m.game, statement)};
        case Op::set_fact:
            return {FindingClass::count,
                    {"A value leaves its range", "値が範囲を出る"},
                    {"Widen the range, or say what happens then.", "範囲を広げるか、そのときどうするのかを書く。"}};
        case Op::promise:
            if (statement != nullptr && statement->kind == StatementKind::choose_case)
                return {FindingClass::gap,
                        {"No case applies", "どの場合にも当てはまらない"},
                        {"Add the missing case, or `otherwise`.", "足りない場合か otherwise を書く。"}};
            if (observation.failure.kind == FailureKind::below_nothing)
                return {FindingClass::count,
                        {"A number of times or of cards is below 0", "数や回数が 0 より小さくなる"},
                        {"Write `larger(0, …)` if it means none then, or say what happens.",
                         "そのときは 0 とするなら larger(0, …) と書くか、どうするのかを書く。"}};
            if (observation.failure.kind == FailureKind::not_enough_times)
                return {FindingClass::endless,
                        {"So many times are not enough", "この回数では足りない"},
                        {"Correct the number, or say what happens then (`at most N times, then …`).",
                         "回数を直すか、足りないときどうするのか（at most N times, then …）を書く。"}};
            return {FindingClass::endless,
                    {"What should run down does not", "減るはずのものが減らない"},
                    {"Say what runs down, or `at most N times`.", "何が減るのか、または最大の回数を書く。"}};
        case Op::jump:
        case Op::call:
            return {FindingClass::endless,
                    {"This goes on for ever, and nobody is asked anything", "誰にも尋ねないまま永久に続く"},
                    {"Say what stops it.", "何で止まるのかを書く。"}};
        default:
            return {FindingClass::gap,
                    {"A promise of the rules breaks", "ルールの約束が破れる"},
                    {"Say what happens then.", "そのときどうするのかを書く。"}};
    }
}

Sentence condition_text(const Machine& m, const WatchedChoice& c) {
    if (c.end != no_id) return named(m.game, m.game.ends[c.end].name);
    return {};
}

void two_choices(const Machine& m, const WatchPoint& point, const Observation& observation, Finding& f) {
    const WatchedChoice& one = point.choices[observation.first];
    const WatchedChoice& other = point.choices[observation.second];
    f.spans = {expression(m, one.condition).span, expression(m, other.condition).span};
    const Sentence a = condition_text(m, one);
    const Sentence b = condition_text(m, other);
    f.outcomes = {observation.one, observation.other};
    f.outcomes[0].when = observation.kind == ObservationKind::ends ? a : Sentence{"if the first applies", "最初の方なら"};
    f.outcomes[1].when = observation.kind == ObservationKind::ends ? b : Sentence{"if the other applies", "もう一方なら"};
    if (observation.kind == ObservationKind::ends) {
        const auto name = [&](const WatchedChoice& c) { return m.game.ends[c.end].name; };
        f.what = FindingClass::end_race;
        f.gravity = Gravity::note;
        f.id = fmt::format("{}-{}", name(one), name(other));
        f.title = {fmt::format("Two ends hold at once: {} and {}", a.en, b.en),
                   fmt::format("2つの終わりが同時に成り立つ: {} と {}", a.ja, b.ja)};
        f.text = {fmt::format("The order in the file lets {} come. It matters: what follows differs.", a.en),
                  fmt::format("ファイルの順序では {} が優先される。どちらかで結果が変わる。", a.ja)};
        f.help = {"The file's order decides; say so in the rulebook.", "ファイルでは順序で決まる。ルールブックにも書いておく。"};
        return;
    }
    f.what = FindingClass::conflict;
    f.gravity = Gravity::error;
    f.title = {"Two cases apply at once, and their results differ", "2つの場合が同時に当てはまり、結果が異なる"};
    if (observation.failure.kind == FailureKind::cases_overlap)
        f.title = {"Two cases apply at once, and their results cannot be compared", "2つの場合が同時に当てはまり、結果を比べられない"};
    f.help = {"Make one the exception (`except when`), or let them exclude each other.",
              "一方を例外（except when）にするか、重ならないようにする。"};
}

// `limited`: a limit of rounds is written there, and ends it in any case.
void stuck_sight(const Observation& observation, bool limited, Finding& f) {
    f.what = FindingClass::stall;
    if (limited) {
        f.title = {"Unless somebody volunteers, only the limit of rounds ends this",
                   "誰かが自分から動かないかぎり、回数の上限でしか終わらない"};
        f.text = {fmt::format("Whatever is drawn and chosen, play stays among {} states until the limit is reached.", observation.states),
                  fmt::format("何を引いて何を選んでも、上限になるまで {} 通りの状態から出られない。", observation.states)};
        f.help = {"If the limit is not in the rulebook, oblige somebody to act, or add an end for it.",
                  "上限がルールブックにないなら、誰かに行動を義務づけるか、終わりを足す。"};
        return;
    }
    f.title = {"Unless somebody volunteers, nothing ends this any more", "誰かが自分から動かないかぎり、もう終わらない"};
    f.text = {fmt::format("Whatever is drawn and chosen, play stays among {} states, and none of them is an end.", observation.states),
              fmt::format("何を引いて何を選んでも、{} 通りの状態から出られず、どれも終わりではない。", observation.states)};
    f.help = {"Oblige somebody to act, or add an end for it.", "誰かに行動を義務づけるか、終わりを足す。"};
}

Sentence when_one_looks() {
    return {"Say in the rulebook when one looks; the file does where `ends checked after` says.",
            "いつ判定するのかをルールブックに書く。ファイルでは ends checked after に書いたときに判定する。"};
}

Sentence limit_stands() {
    return {"The file has a limit of rounds. Say in the rulebook how many there are, or what ends it sooner.",
            "ファイルには回数の上限がある。上限か、それより早く終わる決まりを、ルールブックに書く。"};
}

void loop_sight(const Machine& m, const Observation& observation, const WatchPoint& point, Finding& f) {
    const bool limited = point.counter != no_id;
    f.spans = {m.game.statements[point.statement].span};
    switch (observation.kind) {
        case ObservationKind::late:
            f.what = FindingClass::end_race;
            f.title = {"What ends it came true in between, and was no longer so when it was checked",
                       "終わる条件が途中で成り立ったのに、判定のときには成り立っていない"};
            f.text = {"It matters when one looks.", "いつ判定するかで結果が変わる。"};
            f.help =
                observation.first != no_id
                    ? when_one_looks()
                    : Sentence{"Say in the rulebook when one looks; the file looks after each round (`ends checked after …` looks sooner).",
                               "いつ判定するのかをルールブックに書く。ファイルでは1周ごと（ends checked after … ならもっと早い）。"};
            return;
        case ObservationKind::idle:
            f.what = FindingClass::gap;
            f.gravity = Gravity::error;
            f.title = {"A whole round passes in which nobody is asked anything and nothing changes",
                       "誰も何も尋ねられず、何も変わらないまま1周する"};
            f.text = {"Nothing can happen, and no end applies.", "何も起こりえないのに、終わりにもならない。"};
            f.help = {"Say what happens then, or add an end.", "そのときどうなるのかを書くか、終わりを足す。"};
            return;
        case ObservationKind::circle:
            f.what = FindingClass::endless;
            f.gravity = limited ? Gravity::note : Gravity::warning;
            f.title = {"After a round nothing has run down: it can go on for ever", "1周しても何も減っていない。永久に続きうる"};
            f.text = {"As many cards lie in every place as before, and the facts are as before.",
                      "どの場所の枚数も、事実も、前と同じになる。"};
            f.help = limited ? limit_stands()
                             : Sentence{"Name what runs down (`running down …`), or a limit (`at most N times, then …`).",
                                        "減っていくもの（running down …）か、上限（at most N times, then …）を書く。"};
            return;
        case ObservationKind::unmoved:
            f.what = FindingClass::endless;
            f.gravity = limited ? Gravity::note : Gravity::warning;
            f.title = {"A round can pass without coming nearer to the end: it may never come",
                       "1周しても終わりに近づかないことがある。終わらないかもしれない"};
            f.text = {"Nothing that the end reads has changed.", "終わりの条件が見ているものは何も変わらない。"};
            f.help = limited ? limit_stands()
                             : Sentence{"Let something change every round, or set a limit (`at most N times, then …`).",
                                        "毎回何かが変わるようにするか、上限（at most N times, then …）を書く。"};
            return;
        case ObservationKind::bound:
            f.what = FindingClass::endless;
            f.gravity = Gravity::note;
            f.title = {"Only the limit of rounds ends this game", "回数の上限だけがこのゲームを終わらせる"};
            f.help = {"If the limit is not in the rulebook, ask what should happen.",
                      "上限がルールブックにないなら、どうなるべきかを決める。"};
            return;
        case ObservationKind::waited:
            f.what = FindingClass::end_race;
            f.gravity = Gravity::note;
            f.title = {"What ends it holds already, and somebody still has to decide before it is checked",
                       "終わる条件がもう成り立っているのに、判定までにまだ誰かが選ぶ"};
            f.text = {"It matters when one looks.", "いつ判定するかで結果が変わる。"};
            f.help = when_one_looks();
            return;
        case ObservationKind::stuck:
            return stuck_sight(observation, limited, f);
        case ObservationKind::broken:
        case ObservationKind::cases:
        case ObservationKind::ends:
        case ObservationKind::early:
            return;
    }
}

void early_sight(const Machine& m, const Observation& observation, Finding& f) {
    f.what = FindingClass::degenerate;
    f.gravity = Gravity::note;
    const EndId early(observation.first);
    const Sentence end = early == no_id ? Sentence{"it is played to the end", "最後まで進む"} : named(m.game, m.game.ends[early].name);
    f.title = {fmt::format("It can be over in the first round: {}", end.en), fmt::format("最初の1周で終わることがある: {}", end.ja)};
    if (!m.game.acts.empty()) f.text = {"Nobody volunteered for anything before that.", "それまで誰も自分から動いていない。"};
    f.help = {"If that is not wanted, change the set-up or the end.", "望まないなら、準備か終わりを変える。"};
    if (early != no_id) {
        f.spans.push_back(m.game.ends[early].span);
        f.id = m.game.ends[early].name;
        return;
    }
    any_within(m.game, m.game.play, [&](StatementId id) {
        if (m.game.statements[id].kind == StatementKind::repeat) f.spans.push_back(m.game.statements[id].span);
        return !f.spans.empty();
    });
}

Sentence bound_text(const Observed& s) {
    return {fmt::format("{} games, {} at random", s.tested.games, s.tested.random),
            fmt::format("{} ゲーム、うちランダム {}", s.tested.games, s.tested.random)};
}

Finding never(const Observed& s, FindingClass what, const std::string& name, Span span, Sentence title) {
    Finding f;
    f.what = what;
    f.verdict = Verdict::not_found;
    f.method = FoundBy::simulated;
    f.bound = bound_text(s);
    f.rule = name;
    f.players = {s.players};
    f.settings = s.settings;
    f.spans = {span};
    f.title = std::move(title);
    f.help = {"If it cannot happen, take it out; if it should, change what keeps it away.",
              "起こりえないなら消す。起こるべきなら、妨げているものを変える。"};
    return f;
}

// Ends that only a limit of rounds brings about are not missed.
bool is_limit(const Game& game, EndId end) {
    const auto is_end = [&](StatementId id) {
        const Statement& s = game.statements[id];
        return s.kind == StatementKind::end && s.name == end;
    };
    return std::any_of(game.statements.begin(), game.statements.end(), [&](const Statement& s) {
        return s.kind == StatementKind::repeat && s.c != no_id && any_within(game, s.other, is_end);
    });
}

Finding never_end(const Observed& s, EndId id) {
    const Game& game = s.watched.machine->game;
    const End& end = game.ends[id];
    bool checked = false;
    bool held = false;
    for (const EndCheck& c : game.checks) {
        for (const auto& [e, condition] : c.ends) {
            if (e != id) continue;
            checked = true;
            held = held || s.tested.held[condition] != 0;
        }
    }
    const Sentence name = named(game, end.name);
    return never(
        s, checked ? FindingClass::masked : FindingClass::dead, end.name, end.span,
        held ? Sentence{fmt::format("Whenever this end held in a game that was played, one that comes first held too: {}", name.en),
                        fmt::format("遊んだゲームでは、この終わりが成り立つときは、先に判定される別の終わりも成り立っていた: {}", name.ja)}
             : Sentence{fmt::format("No game that was played came to this end: {}", name.en),
                        fmt::format("遊んだゲームでは一度も起こらなかった終わり: {}", name.ja)});
}

// An `if` without `otherwise` has one that says nothing.
bool says_nothing(const Game& game, const Statement& s) {
    const auto item_says_nothing = [&](StatementId item) { return says_nothing(game, game.statements[item]); };
    return s.kind == StatementKind::nothing || (s.kind == StatementKind::block && std::ranges::all_of(s.items, item_says_nothing));
}

// `otherwise`, where one of the cases before it always applied.
void never_otherwise(const Observed& s, std::vector<Finding>& findings) {
    const Machine& m = *s.watched.machine;
    CameUp all;
    for (std::size_t i = 0; i < m.code.size(); ++i) {
        const Step& step = m.code[i];
        const Statement* statement = step.op == Op::branch && s.tested.reached[i] != 0 ? statement_of(m, step) : nullptr;
        if (statement == nullptr || statement->kind != StatementKind::choose_case || statement->other == no_id) continue;
        const Statement& other = m.game.statements[statement->other];
        if (says_nothing(m.game, other) || statement->arms.empty() || statement->arms.back().condition != step.x) continue;
        all.add(other.span, StepId(i), s.tested.reached[step.c] != 0);
    }
    for (const CameUp::Place& p : all.never())
        findings.push_back(
            never(s, FindingClass::dead, place_of(m, m.code[p.step]), p.span,
                  {"`otherwise` came up in no game that was played", "遊んだゲームでは、otherwise の場合は一度も起こらなかった"}));
}

// Somebody is to choose, and there were never two things to choose from.
void never_choices(const Observed& s, std::vector<Finding>& findings) {
    const Machine& m = *s.watched.machine;
    CameUp all;
    for (std::size_t i = 0; i < m.code.size(); ++i) {
        const Statement* statement = m.code[i].op == Op::choose && s.tested.reached[i] != 0 ? statement_of(m, m.code[i]) : nullptr;
        const bool said = statement != nullptr && m.game.expressions[statement->b].op == Operator::set_single;  // a value that is said
        if (statement != nullptr && !said) all.add(statement->span, StepId(i), s.tested.asked[i] != 0);
    }
    for (const CameUp::Place& p : all.never()) {
        Finding& f =
            findings.emplace_back(never(s, FindingClass::degenerate, place_of(m, m.code[p.step]), p.span,
                                        {"In no game that was played had anybody a choice here: there was one possibility, or none",
                                         "遊んだゲームでは、ここで選択の余地は一度もなかった。選べるものが1つか、まったくない"}));
        f.help = {"If all that lies here is alike, nothing is wrong; if somebody should have a choice, change what keeps it away.",
                  "ここにあるものがどれも同じなら、このままでよい。選ばせたいなら、それを妨げているものを変える。"};
    }
}

// A limit that is a promise: so many times, always fewer.
void never_so_often(const Observed& s, std::vector<Finding>& findings) {
    const Game& game = s.watched.machine->game;
    for (const auto& [loop, times] : s.tested.times) {
        const Statement& st = game.statements[loop];
        if (st.c == no_id || st.other != no_id || times.first != times.second) continue;
        const Expression& limit = game.expressions[st.c];
        if (limit.op != Operator::constant || times.second >= limit.imm) continue;
        findings.push_back(never(s, FindingClass::endless, place_of(game, loop), st.span,
                                 {fmt::format("In all games that were played it took {} round{}, but as many as {} are allowed",
                                              times.second, times.second == 1 ? "" : "s", limit.imm),
                                  fmt::format("遊んだゲームではいつも {} 回なのに、{} 回まで許されている", times.second, limit.imm)}));
    }
}

// How many statements put pieces there: into a zone of the table.
std::size_t puts_to(const Game& game, ZoneId zone) {
    return static_cast<std::size_t>(std::count_if(game.statements.begin(), game.statements.end(), [&](const Statement& s) {
        if (s.kind != StatementKind::put || s.b == no_id) return false;
        const Expression& to = game.expressions[s.b];
        return to.op == Operator::place && to.named() == zone;
    }));
}

// Pieces that no zone takes are there to be named, not to be moved.
bool has_room(const Game& game, FamilyId family) {
    return std::any_of(game.zones.begin(), game.zones.end(), [&](const Zone& z) { return z.families[family]; });
}

void never_moved(const Observed& s, std::vector<Finding>& findings) {
    const Game& game = s.watched.machine->game;
    for (std::size_t f = 0; f < game.families.size(); ++f) {
        const bool any = std::any_of(game.kinds.begin(), game.kinds.end(), [&](const PieceKind& k) { return k.family == FamilyId(f); });
        if (!any || s.tested.came[f] != 0 || !has_room(game, FamilyId(f))) continue;
        const Sentence name = named(game, game.families[f].name);
        findings.push_back(never(s, FindingClass::dead, game.families[f].name, game.families[f].span,
                                 {fmt::format("These pieces came into play in no game that was played: {}", name.en),
                                  fmt::format("遊んだゲームでは一度も使われなかった駒: {}", name.ja)}));
    }
    // Fewer than one for each player, though some have more than others: somebody has lost count. What is handed back is another matter.
    for (const Zone& zone : game.zones) {
        if (!s.tested.uneven) break;
        if (puts_to(game, ZoneId(&zone - game.zones.data())) > 1) continue;
        if (zone.shape != Shape::stack || zone.seers == Seers::all || zone.places != 1 || s.tested.stays.empty()) continue;
        const std::int32_t stays = s.tested.stays[zone.first_place];
        if (stays == 0 || stays >= game.players) continue;
        const Sentence name = named(game, zone.name);
        findings.push_back(
            never(s, FindingClass::count, zone.name, zone.span,
                  {fmt::format("Some get more than others, and still a few pieces were left over in every game: {}", name.en),
                   fmt::format("人によって枚数が違うのに、どのゲームでもまだわずかに余った: {}", name.ja)}));
    }
}

}  // namespace

bool lies_in(Span inner, Span outer) { return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end; }

std::string place_of(const Game& game, StatementId statement) {
    const std::string paragraph = statement == no_id ? "" : paragraph_of(game, statement);
    return paragraph.empty() ? "play" : paragraph;
}

std::string place_of(const Machine& machine, const Step& step) {
    return step.rule == no_id ? place_of(machine.game, step.statement) : machine.game.rules[step.rule].name;
}

std::vector<Finding> findings_of(const Observed& s) {
    const Machine& m = *s.watched.machine;
    std::vector<Finding> findings;
    for (const Observation& observation : s.tested.observations) {
        Finding f;
        f.verdict = Verdict::found;
        f.method = observation.kind == ObservationKind::stuck ? FoundBy::bounded : FoundBy::simulated;
        f.bound = bound_text(s);
        f.players = {s.players};
        f.settings = s.settings;
        const Step& step = m.code[observation.step];
        f.rule = place_of(m, step);
        const auto point = s.watched.points.find(observation.step);
        if (observation.kind == ObservationKind::broken) {
            Said said = said_of(m, observation);
            f.what = said.what;
            f.gravity = Gravity::error;
            f.title = said.title;
            f.help = said.help;
            if (says_more(observation.failure.kind))
                f.text = {text(m.game, observation.failure), text(m.game, observation.failure, Language::ja)};
            f.spans = {observation.failure.span};
            if (const Statement* st = statement_of(m, step); st != nullptr && !(st->span == observation.failure.span))
                f.spans.push_back(st->span);
        } else if (observation.kind == ObservationKind::early) {
            early_sight(m, observation, f);
        } else if (point != s.watched.points.end() &&
                   (observation.kind == ObservationKind::cases || observation.kind == ObservationKind::ends)) {
            two_choices(m, point->second, observation, f);
        } else if (point != s.watched.points.end()) {
            loop_sight(m, observation, point->second, f);
            if ((observation.kind == ObservationKind::late || observation.kind == ObservationKind::waited) && observation.first != no_id) {
                const WatchedChoice& c = point->second.choices[observation.first];
                f.spans = {expression(m, c.condition).span};
                f.id = m.game.ends[c.end].name;
            }
        }
        if (observation.games != 0) f.frequency = Frequency{observation.games, s.tested.random};
        Witness w;
        w.players = s.players;
        w.settings = s.settings;
        w.moves = observation.moves;
        w.decisions = observation.decisions;
        f.witness = std::move(w);
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> never_of(const Observed& s) {
    const Machine& m = *s.watched.machine;
    const Game& game = m.game;
    std::vector<Finding> findings;
    const NeverReached reached = never_reached(m, s.tested.reached);
    for (const RuleId r : reached.rules) {
        const Rule& rule = game.rules[r];
        const Sentence name = named(game, rule.name);
        findings.push_back(never(s, FindingClass::dead, rule.name, rule.span,
                                 {fmt::format("No game that was played came to this rule: {}", name.en),
                                  fmt::format("遊んだゲームでは一度も使われなかったルール: {}", name.ja)}));
    }
    for (const EndId end : reached.ends)
        if (!is_limit(game, end)) findings.push_back(never_end(s, end));
    for (const CameUp::Place& c : reached.cases)
        findings.push_back(never(s, FindingClass::dead, place_of(m, m.code[c.step]), c.span,
                                 {"This case came up in no game that was played", "遊んだゲームでは、この場合は一度も起こらなかった"}));
    never_otherwise(s, findings);
    never_choices(s, findings);
    never_so_often(s, findings);
    never_moved(s, findings);
    return findings;
}

}  // namespace houserule
