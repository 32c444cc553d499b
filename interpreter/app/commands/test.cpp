// `houserule test`: the examples of rules files, run on the machine.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/run/example_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace houserule::cli {

namespace {

// Below every value that a scalar can have: a promise broke.
constexpr std::int32_t no_value = std::numeric_limits<std::int32_t>::min();

struct Tested {
    Diagnostics found;
    std::set<std::uint32_t> run;  // examples, by where their titles begin
    std::set<std::uint32_t> failed;
};

std::string joined(const std::vector<std::string>& names, const char* between = ", ") {
    return fmt::format("{}", fmt::join(names, between));
}

// One example on one machine.
class Trial {
public:
    Trial(const Machine& machine, LaidRun& run, const Sources& sources, const Example& example)
        : game_(machine.game), run_(run), sources_(sources), example_(example) {}
    Diagnostics run_all();

private:
    bool lay_out(const Given& given);
    bool fill(const Given& given, std::int32_t index);
    void give_fact(const Given& given, std::int32_t index);
    bool do_rule(std::size_t step);
    void report_unanswered(Span span, std::size_t step, const StepDone& done);
    Phrase asked() const;
    void then(ExpressionId expression);
    void report_open(Span span);
    void report_broken(Span span, const Failure& failure);
    const Fact* unset_fact(Span span) const;
    std::string quoted(Span span) const;
    std::string value(ExpressionId expression) const;
    void explain(ExpressionId expression, Diagnostic& d) const;
    const Expression& expression(ExpressionId id) const { return game_.expressions[id]; }

    const Game& game_;
    LaidRun& run_;
    const Sources& sources_;
    const Example& example_;
    std::set<PlaceId> places_;  // that were given
    std::set<std::pair<FactId, std::int32_t>> set_facts_;
    Diagnostics found_;
};

// --- laying out

bool Trial::lay_out(const Given& given) {
    const std::int32_t index = given.index == no_id ? 0 : run_.scalar(given.index);
    if (given.fact == no_id) return fill(given, index);
    give_fact(given, index);
    return true;
}

void Trial::give_fact(const Given& given, std::int32_t index) {
    const Expression& e = expression(given.value);
    if (e.type.base == Base::set) {
        set_facts_.insert({given.fact, index});
        run_.set_fact(given.fact, index, e.set());
    } else {
        run_.set_fact(given.fact, index, run_.scalar(given.value));
    }
}

bool Trial::fill(const Given& given, std::int32_t index) {
    const Zone& zone = game_.zones[given.zone];
    const PlaceId place = zone.first_place + index;
    places_.insert(place);
    for (const KindId kind : given.kinds) {
        if (std::cmp_greater_equal(run_.size_at(place), zone.capacity)) {
            report(found_, Code::limit_passed, given.span, run_.size_at(place) + 1, houserule::Text::cards_in_one_place, zone.capacity);
            return false;
        }
        if (run_.put_kind(kind, place)) continue;
        report(found_, Code::no_such_card, given.span, kind_text(game_, kind)).notes.emplace_back(houserule::Text::all_copies_laid);
        return false;
    }
    return true;
}

// --- what was found

// The words of the author on one line.
std::string Trial::quoted(Span span) const {
    std::string text;
    for (const char c : sources_[span.source].text(span)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank)
            text += c;
        else if (!text.ends_with(' '))
            text += ' ';
    }
    return text;
}

std::string Trial::value(ExpressionId id) const {
    const Type& type = expression(id).type;
    if (type.base == Base::set || type.base == Base::cards) {
        Type element = type;
        element.base = type.base == Base::cards ? Base::kind : type.element;
        std::vector<std::string> names;
        const bool cards = type.base == Base::cards;
        for (const std::int32_t v : run_.elements(id).value_or(std::vector<std::int32_t>{}))
            names.push_back(value_name(game_, element, cards ? game_.piece_kind[v] : v));
        return fmt::format("{{{}}}", joined(names));
    }
    const std::int32_t v = run_.scalar(id);
    if (v == no_value) return "?";
    if (type.base == Base::card) return v < 0 ? "none" : kind_text(game_, game_.piece_kind[v]);
    return is_none(type, v) ? "none" : value_name(game_, type, v);
}

// The values of what was compared, but for those that stand there as they are.
void Trial::explain(ExpressionId id, Diagnostic& d) const {
    const Expression& e = expression(id);
    const auto side = [&](ExpressionId s) {
        if (s == no_id) return;
        if (expression(s).op == Operator::constant || expression(s).op == Operator::set_constant) return;
        // `S is empty` compares the size of S, which the author did not write.
        const bool unwritten = expression(s).span == e.span && expression(s).a != no_id;
        const ExpressionId shown = unwritten ? expression(s).a : s;
        d.notes.push_back(houserule::Text::expression_is(quoted(expression(shown).span), value(shown)));
    };
    switch (e.op) {
        case Operator::negate:
            return explain(e.a, d);
        case Operator::equal:
        case Operator::less:
        case Operator::less_equal:
        case Operator::same_cards:
        case Operator::same_set:
        case Operator::has_kind:
        case Operator::has_element:
            break;
        default:
            return;
    }
    side(e.a);
    side(e.b);
}

// The fact without a start value that stands at `span`: nothing else there can break a promise.
const Fact* Trial::unset_fact(Span span) const {
    const auto found = std::find_if(game_.expressions.begin(), game_.expressions.end(), [&](const Expression& e) {
        return (e.op == Operator::fact || e.op == Operator::set_fact) && e.span == span && game_.facts[e.named()].initial == no_id;
    });
    return found == game_.expressions.end() ? nullptr : &game_.facts[found->named()];
}

void Trial::report_broken(Span span, const Failure& failure) {
    if (const Fact* fact = failure.span == Span{} ? nullptr : unset_fact(failure.span)) {
        report(found_, Code::example_open, span, fact->name).help = houserule::Text::given_is;
        return;
    }
    Diagnostic& d = report(found_, Code::example_fails, span);
    d.notes.push_back(houserule::Text::promise_breaks(Phrase::each([&](Language language) { return text(game_, failure, language); })));
    const bool inside = failure.span.source == span.source && failure.span.begin >= span.begin && failure.span.end <= span.end;
    if (!inside && failure.span != Span{})
        d.labels.push_back({failure.span, houserule::Text::it_breaks_here});
    else if (failure.span != Span{})
        d.span = failure.span;
    if (failure.other != Span{}) d.labels.push_back({failure.other, houserule::Text::it_breaks_here});
}

// Places and facts that were read, but not given.
void Trial::report_open(Span span) {
    std::vector<std::string> names;
    for (const PlaceId p : run_.reads()->places)
        if (p != 0 && !places_.contains(p)) names.push_back(place_name(game_, p));
    for (const auto& [fact, index] : run_.reads()->set_facts) {
        const Fact& f = game_.facts[fact];
        if (f.initial == no_id && !set_facts_.contains({fact, index})) names.push_back(f.name);
    }
    if (names.empty()) return;
    report(found_, Code::example_open, span, joined(names, "`, `")).help = houserule::Text::given_is_or_nothing;
}

// --- the steps

// Who is asked what, and what could be answered.
Phrase Trial::asked() const {
    constexpr std::uint64_t listed_most = 12;
    const Node& node = run_.node();
    const Step& step = run_.machine().code[node.step];
    const std::string seat = value_name(game_, {Base::player, Base::nothing, no_id, 0, 9, 1, false}, node.seat);
    if (node.kind == NodeKind::ask) return houserule::Text::asked_yes_or_no(seat, game_.words[step.a]);
    const std::string name = step.a == no_id ? "" : game_.variables[step.a].name;
    if (node.kind == NodeKind::consent) return houserule::Text::asked_yes_or_no(seat, name);
    const std::vector<std::string> all = possible_answers(run_, listed_most);
    if (node.kind == NodeKind::choose) return houserule::Text::asked_to_choose(seat, name, joined(all));
    return name.empty() ? houserule::Text::left_to_a_draw(joined(all)) : houserule::Text::left_to_chance(name, joined(all));
}

void Trial::report_unanswered(Span span, std::size_t step, const StepDone& done) {
    const std::vector<ExpressionId>& answers = example_.choices[step];
    if (done.what == StepDone::left_over) {
        report(found_, Code::example_fails, expression(answers[done.answered]).span).notes.push_back(houserule::Text::nobody_asked_for_it);
        return;
    }
    const bool misfit = done.what == StepDone::misfit;
    const auto& call = *game_.statements[StatementId(example_.steps[step].first)].as<statement::Call>();
    Diagnostic& d =
        report(found_, Code::example_asks, misfit ? expression(answers[done.answered]).span : span, game_.rules[call.rule].name);
    d.notes.push_back(asked());
    d.labels.push_back({game_.statements[run_.machine().code[run_.node().step].statement].span, houserule::Text::it_is_asked_here});
    if (!misfit) d.help = houserule::Text::do_choosing;
}

bool Trial::do_rule(std::size_t step) {
    const Statement& s = game_.statements[StatementId(example_.steps[step].first)];
    run_.reads()->places.clear();
    run_.reads()->set_facts.clear();
    const StepDone done = do_step(run_, example_, step);
    const auto before = found_.size();
    report_open(s.span);
    if (done.what == StepDone::done || found_.size() > before) return found_.size() == before;
    if (done.what == StepDone::failed)
        report_broken(s.span, run_.failure());
    else
        report_unanswered(s.span, step, done);
    return false;
}

void Trial::then(ExpressionId id) {
    const Span span = expression(id).span;
    run_.reads()->places.clear();
    run_.reads()->set_facts.clear();
    const std::int32_t v = run_.scalar(id);
    const auto before = found_.size();
    report_open(span);
    if (v == 1 || found_.size() > before) return;
    if (v == no_value) return report_broken(span, run_.failure());
    explain(id, report(found_, Code::example_fails, span));
}

Diagnostics Trial::run_all() {
    run_.start();
    std::size_t given = 0;
    const auto lay_out_to = [&](std::size_t n) {
        for (; given < n; ++given)
            if (!lay_out(example_.given[given])) return false;
        return true;
    };
    for (std::size_t i = 0; i < example_.steps.size(); ++i) {
        if (!lay_out_to(example_.given_before[i])) break;
        const auto& [step, does] = example_.steps[i];
        if (!does)
            then(step);
        else if (!do_rule(i))
            break;
    }
    return std::move(found_);
}

// --- which games the examples need

// The defaults, what examples ask for, and (for examples in a `when`) each option alone. As few at a time as can be come first: an example
// is tried with the first ones under which it is in the game.
std::vector<Settings> settings_to_try(const Syntax& syntax, const std::vector<const SyntaxNode*>& examples) {
    std::vector<Settings> all = {{}};
    const auto add = [&](const Settings& s) {
        if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
    };
    for (const SyntaxNode* e : examples) add(settings_of_example(*e));
    for (const Variant& v : variants(syntax)) add(v.settings);
    std::stable_sort(all.begin(), all.end(), [](const Settings& a, const Settings& b) { return a.size() < b.size(); });
    return all;
}

Phrase variant_text(int players, const Settings& settings) {
    std::vector<Phrase> parts{houserule::Text::for_players(players)};
    for (const auto& [name, value] : settings) parts.push_back(houserule::Text::option_is(name, value));
    return listed(parts);
}

class Testing {
public:
    explicit Testing(const Loaded& loaded) : loaded_(loaded) {}
    // False when the game does not compile: the diagnostics are in `errors`.
    bool run();

    Tested tested;
    std::size_t count = 0;
    Diagnostics errors;

private:
    void run_variant(int players, const Settings& settings);

    const Loaded& loaded_;
    std::set<std::pair<std::uint32_t, int>> seen_;  // example, players
};

void Testing::run_variant(int players, const Settings& settings) {
    Diagnostics found;
    Game game = check(loaded_.syntax, players, settings, found);
    if (has_errors(found)) {
        errors.insert(errors.end(), found.begin(), found.end());
        return;
    }
    const bool any = std::any_of(game.examples.begin(), game.examples.end(), [&](const Example& e) {
        return !seen_.contains({e.span.begin, players});
    });
    if (!any) return;
    for (Act& act : game.acts) act.any_time = false;  // nobody acts in between, so whether somebody may is not read
    const auto machine = compile(std::move(game));
    if (auto large = too_large(*machine)) return errors.push_back(std::move(*large));
    const auto run = make_traced_run(machine);
    for (const Example& example : machine->game.examples) {
        if (!seen_.insert({example.span.begin, players}).second) continue;
        tested.run.insert(example.span.begin);
        Trial trial(*machine, *run, loaded_.sources, example);
        for (Diagnostic& d : trial.run_all()) {
            tested.failed.insert(example.span.begin);
            const auto same = [&](const Diagnostic& other) { return other.code == d.code && other.span == d.span; };
            if (std::any_of(tested.found.begin(), tested.found.end(), same)) continue;  // with another number of players
            d.notes.push_back(variant_text(players, settings));
            tested.found.push_back(std::move(d));
        }
    }
}

bool Testing::run() {
    const std::vector<const SyntaxNode*> examples = example_blocks(*layers(loaded_.syntax).back());
    count = examples.size();
    const PlayerRange range = playable_range(loaded_.syntax);
    const auto run_with = [&](const Settings& settings) {
        for (int n = range.low; n <= range.high && errors.empty(); ++n) run_variant(n, settings);
    };
    for (const Settings& settings : settings_to_try(loaded_.syntax, examples)) {
        if (!settings.empty() && tested.run.size() == count) break;
        run_with(settings);
    }
    // In a `when`, with a reading of that `when`: under which option?
    for (const SyntaxNode* e : examples) {
        const Settings own = settings_of_example(*e);
        if (own.empty() || tested.run.contains(e->children[0]->span.begin)) continue;
        for (Settings both : settings_to_try(loaded_.syntax, {})) {
            if (tested.run.contains(e->children[0]->span.begin)) break;
            both.insert(own.begin(), own.end());
            run_with(both);
        }
    }
    for (const SyntaxNode* e : examples) {
        if (tested.run.contains(e->children[0]->span.begin) || !errors.empty()) continue;
        tested.failed.insert(e->children[0]->span.begin);
        report(tested.found, Code::example_fails, e->children[0]->span).notes.emplace_back(houserule::Text::no_variant_has_example);
    }
    tidy(tested.found);
    return errors.empty();
}

std::string summary(const Testing& t, const std::string& name, const Globals& g) {
    const std::size_t failed = t.tested.failed.size();
    if (t.count == 0) return say(g, Text::no_examples, name);
    if (failed == 0) return t.count == 1 ? say(g, Text::one_example_passes, name) : say(g, Text::examples_pass, name, t.count);
    if (failed > 1) return say(g, Text::examples_fail, name, failed, t.count);
    return t.count == 1 ? say(g, Text::one_example_fails, name) : say(g, Text::one_of_examples_fails, name, t.count);
}

int test_file(const std::string& name, const Globals& g) {
    const auto loaded = load(name, g);
    if (!loaded) return exit_cannot;
    const RenderOptions how{g.language, g.color};
    Testing testing(*loaded);
    testing.errors = loaded->diagnostics;
    if (has_errors(testing.errors) || !testing.run()) {
        if (const Diagnostics below = errors_below(*loaded); !below.empty()) testing.errors = below;
        std::erase_if(testing.errors, [](const Diagnostic& d) { return info(d.code).severity != Severity::error; });
        tidy(testing.errors);
        err(render(testing.errors, loaded->sources, how));
        return exit_cannot;
    }
    std::string text = render(testing.tested.found, loaded->sources, how);
    if (!text.empty()) text += "\n";
    out(text + summary(testing, name, g));
    return testing.tested.failed.empty() ? exit_fine : exit_found;
}

}  // namespace

int run_test(const TestArgs& args, const Globals& g) {
    int result = exit_fine;
    for (const std::string& name : args.files) result = std::max(result, test_file(name, g));
    return result;
}

}  // namespace houserule::cli
