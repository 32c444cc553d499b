#include "solver/leads/questions.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/witness.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace houserule {

namespace {

std::string paragraph_or_play(const Game& game, StatementId statement) {
    const std::string paragraph = paragraph_of(game, statement);
    return paragraph.empty() ? "play" : paragraph;
}

// Zones that an expression reads and not everybody sees.
std::set<ZoneId> unseen_in(const Game& game, ExpressionId e) {
    std::set<ZoneId> zones;
    any_read(game, e, [&](const Expression& x) {
        if ((x.op == Operator::place || x.op == Operator::cards_of) && game.zones[ZoneId(x.named())].seers != Seers::all)
            zones.insert(ZoneId(x.named()));
        return false;
    });
    return zones;
}

// A game up to the first answer after something came up.
struct Met {
    std::vector<std::uint64_t> moves;
    std::size_t decisions = 0;
    std::vector<std::size_t> sizes;  // what lay in the places when it began
};

// Plays random games, and keeps the shortest one that came past each statement, and one that ends with several in front.
class Games {
public:
    Games(std::shared_ptr<const Machine> machine, std::set<StatementId> wanted, const QuestionLimits& limits)
        : machine_(std::move(machine)), wanted_(std::move(wanted)), limits_(limits) {}

    void play() {
        constexpr std::uint64_t games_a_run = 20;  // a run counts what it has carried out over all of its games
        Random random(limits_.seed);
        std::uint64_t work = 0;
        for (std::uint64_t game = 0; game < limits_.games && work < limits_.work && !asked(limits_.stop); game += games_a_run) {
            const auto run = make_run(machine_);
            run->stop_on(limits_.stop);
            std::set<StatementId> open = wanted_;
            for (std::uint64_t i = 0; i < games_a_run && work + run->work() < limits_.work; ++i) play_one(*run, random, open);
            work += run->work();
        }
    }
    const Met* past(StatementId id) const {
        const auto at = past_.find(id);
        return at == past_.end() ? nullptr : &at->second;
    }
    const std::optional<Met>& tied() const { return tied_; }

private:
    void play_one(Run& run, Random& random, std::set<StatementId>& open) {
        constexpr std::size_t longest = 20'000;
        Met now;
        run.start();
        while (now.moves.size() < longest) {
            const Node n = run.advance();
            if (n.kind == NodeKind::failed) return;
            note(run, n, now, open);
            if (n.kind == NodeKind::over) break;
            const std::uint64_t move = random_move(run, random);
            const bool chance = n.kind == NodeKind::draw || n.kind == NodeKind::lot || n.kind == NodeKind::report;
            if (!chance && (n.kind != NodeKind::window || move != 0)) ++now.decisions;
            now.moves.push_back(move);
            run.apply(move);
        }
        if (run.node().kind != NodeKind::over || !machine_->game.winner.present) return;
        const auto front = run.in_front();
        if (front && front->size() > 1 && (!tied_ || shorter(now, *tied_))) tied_ = now;
    }
    static bool shorter(const Met& a, const Met& b) {
        return std::pair(a.decisions, a.moves.size()) < std::pair(b.decisions, b.moves.size());
    }
    void note(Run& run, const Node& n, const Met& now, std::set<StatementId>& open) {
        const StatementId here = n.step == no_id ? StatementId(no_id) : machine_->code[n.step].statement;
        if (open.contains(here) && !sizes_.contains(here))
            for (PlaceId p = 0; p < machine_->game.places; ++p) sizes_[here].push_back(run.size_at(p));
        for (auto id = open.begin(); id != open.end();) {
            if (*id == here || !was_reached(run, *id)) {
                ++id;
                continue;
            }
            const auto at = past_.find(*id);
            if (at == past_.end() || shorter(now, at->second)) {
                past_[*id] = now;
                past_[*id].sizes = sizes_[*id];
            }
            id = open.erase(id);
        }
    }
    bool was_reached(const Run& run, StatementId id) {
        std::vector<std::size_t>& steps = steps_[id];
        if (steps.empty())
            for (std::size_t i = 0; i < machine_->code.size(); ++i)
                if (machine_->code[i].statement == id) steps.push_back(i);
        return std::any_of(steps.begin(), steps.end(), [&](std::size_t i) { return run.reached()[i] != 0; });
    }

    std::shared_ptr<const Machine> machine_;
    std::set<StatementId> wanted_;
    QuestionLimits limits_;
    std::map<StatementId, std::vector<std::size_t>> steps_;
    std::map<StatementId, std::vector<std::size_t>> sizes_;
    std::map<StatementId, Met> past_;
    std::optional<Met> tied_;
};

class Questions {
public:
    Questions(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings, const QuestionLimits& limits)
        : machine_(machine), game_(machine->game), settings_(settings), quotes_(syntax), syntax_(syntax), limits_(limits) {}

    std::vector<Finding> all() {
        for (const Rule& rule : game_.rules) collect(rule.body, {});
        for (const Act& act : game_.acts) collect(act.body, {});
        collect(game_.setup, {});
        collect(game_.play, {});
        std::set<StatementId> wanted(tables_.begin(), tables_.end());
        wanted.insert(dealt_.begin(), dealt_.end());
        for (const auto& [id, zones] : said_) wanted.insert(id);
        Games games(machine_, wanted, limits_);
        games.play();
        given_away(games);
        settled_at_the_table(games);
        uneven(games);
        ties(games);
        return std::move(findings_);
    }

private:
    // `unseen`: what the conditions around it read and not everybody sees.
    void collect(StatementId id, const std::set<ZoneId>& unseen) {
        if (id == no_id) return;
        const Statement& s = game_.statements[id];
        std::set<ZoneId> within = unseen;
        switch (s.kind) {
            case StatementKind::says:
                if (!unseen.empty()) said_.emplace_back(id, unseen);
                return;
            case StatementKind::table:
                tables_.push_back(id);
                return;
            case StatementKind::deal:
                if (s.a == no_id) dealt_.push_back(id);
                return;
            case StatementKind::choose_case:
                for (const Arm& arm : s.arms)
                    for (const ZoneId z : unseen_in(game_, arm.condition)) within.insert(z);
                break;
            default:
                break;
        }
        any_part(s, [&](StatementId part) {
            collect(part, within);
            return false;
        });
    }

    Finding question(FindingClass what, const std::string& rule, Span span, const Met& met) const {
        Finding f;
        f.what = what;
        f.gravity = Gravity::note;
        f.verdict = Verdict::found;
        f.method = FoundBy::simulated;
        f.bound = {fmt::format("{} games", limits_.games), fmt::format("{} ゲーム", limits_.games)};
        f.rule = rule;
        f.spans = {span};
        f.players = {game_.players};
        Witness w;
        w.players = game_.players;
        w.settings = settings_;
        w.moves = met.moves;
        w.decisions = met.decisions;
        if (const auto log = replayed(*machine_, w)) {
            w.log = *log;
            f.witness = std::move(w);
        }
        return f;
    }
    void tell(Finding f) {
        if (f.witness) findings_.push_back(std::move(f));
    }

    // What is said depends on what somebody does not see: so it tells of it, and so does silence.
    void given_away(const Games& games) {
        std::map<std::string, std::pair<const Met*, std::pair<StatementId, std::set<ZoneId>>>> by_rule;
        for (const auto& [id, zones] : said_) {
            const Met* met = games.past(id);
            if (met == nullptr) continue;
            auto& [first, what] = by_rule[paragraph_or_play(game_, id)];
            if (first == nullptr) {
                first = met;
                what.first = id;
            }
            what.second.insert(zones.begin(), zones.end());
        }
        for (const auto& [rule, told] : by_rule) {
            Finding f = question(FindingClass::view, rule, game_.statements[told.second.first].span, *told.first);
            std::vector<std::string> en;
            std::vector<std::string> ja;
            for (const ZoneId z : told.second.second) {
                en.push_back(label(game_, game_.zones[z].name, "en"));
                ja.push_back(label(game_, game_.zones[z].name, "ja"));
            }
            f.title = {fmt::format("What is said here, or not said, tells everybody of what not everybody sees: {}", fmt::join(en, ", ")),
                       fmt::format("ここで言うこと、言わないことから、見えないはずのものが全員に分かる: {}", fmt::join(ja, "、"))};
            f.help = {"Say how much may be told, and to whom.", "誰に、どこまで伝えてよいのかを書く。"};
            tell(std::move(f));
        }
    }

    void settled_at_the_table(const Games& games) {
        for (const StatementId id : tables_) {
            const Statement& s = game_.statements[id];
            const Met* met = games.past(id);
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr) continue;
            const bool somebody = s.a != no_id && game_.expressions[s.a].type.element == Base::player;
            if (somebody && quotes_.say(rule, Topic::tie)) continue;
            Finding f = question(FindingClass::chooser, rule, s.span, *met);
            f.title = somebody ? Sentence{"This is found out at the table: what if it fits several, or nobody?",
                                          "卓で決めることになっている。当てはまる人が何人もいたり、誰もいなかったりしたらどうするのか"}
                               : Sentence{"This is judged at the table: who judges, and what if they do not agree?",
                                          "卓で判断することになっている。誰が判断し、意見が合わなければどうするのか"};
            f.help = {"Say who decides it, and how.", "誰がどのように決めるのかを書く。"};
            tell(std::move(f));
        }
    }

    // All are dealt from one place, and they are no multiple of the places they go to.
    void uneven(const Games& games) {
        for (const StatementId id : dealt_) {
            const Statement& s = game_.statements[id];
            const Met* met = games.past(id);
            const std::string rule = paragraph_or_play(game_, id);
            if (met == nullptr || met->sizes.empty() || !contains(game_, game_.setup, id) || quotes_.say(rule, Topic::evenly)) continue;
            const Expression& from = game_.expressions[s.b];
            if (s.name == no_id || from.op != Operator::place || from.a != no_id || !is_everybody(s.c)) continue;
            const Zone& to = game_.zones[ZoneId(s.name)];
            const std::size_t cards = met->sizes[game_.zones[ZoneId(from.named())].first_place];
            if (to.by != IndexBy::player || cards % to.places == 0) continue;
            Finding f = question(FindingClass::count, rule, s.span, *met);
            f.title = {"The cards do not go round evenly", "均等に配りきれない"};
            f.text = {fmt::format("With {} players there are {} cards to deal.", to.places, cards),
                      fmt::format("{} 人で {} 枚を配る。", to.places, cards)};
            f.help = {"Say who gets more, or what becomes of the rest.", "誰が多くもらうのか、余りをどうするのかを書く。"};
            tell(std::move(f));
        }
    }

    bool is_everybody(ExpressionId e) const {
        if (e == no_id) return true;
        const Expression& x = game_.expressions[e];
        return x.op == Operator::set_constant && std::ssize(game_.sets[x.imm]) == game_.players;
    }

    void ties(const Games& games) {
        if (!games.tied() || game_.winner.together) return;
        for (const auto& [name, texts] : quotes_.all()) {
            const bool of_result = name == "play" || name == "setup" || name == game_.name ||
                                   std::any_of(game_.ends.begin(), game_.ends.end(), [&](const End& e) { return e.name == name; });
            if (of_result && quotes_.say(name, Topic::tie)) return;
        }
        for (const SyntaxNode* d : syntax_.root->children) {
            if (d->kind != Kind::d_winner) continue;
            Finding f = question(FindingClass::unresolved, "winner", d->span, *games.tied());
            f.title = {"Several can be in front at the end, and no text says who wins then",
                       "最後に何人も並ぶことがあるのに、誰が勝つのかどの文章にもない"};
            f.help = {"Say whether they share, or what breaks the tie.", "分け合うのか、何で決めるのかを書く。"};
            tell(std::move(f));
        }
    }

    std::shared_ptr<const Machine> machine_;
    const Game& game_;
    const Settings& settings_;
    Quotes quotes_;
    const Syntax& syntax_;
    QuestionLimits limits_;
    std::vector<std::pair<StatementId, std::set<ZoneId>>> said_;
    std::vector<StatementId> tables_;
    std::vector<StatementId> dealt_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> open_questions(const Syntax& syntax, const std::shared_ptr<const Machine>& machine, const Settings& settings,
                                    const QuestionLimits& limits) {
    return Questions(syntax, machine, settings, limits).all();
}

}  // namespace houserule
