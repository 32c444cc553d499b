#include "solver/validate/settles.hpp"

#include "dsl/check/check.hpp"
#include "interpreter/run/example_step.hpp"
#include "solver/findings/texts.hpp"
#include "solver/validate/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace houserule {

namespace {

bool lay_out(const Game& game, LaidRun& run, const Given& given) {
    const std::int32_t index = given.index == no_id ? 0 : run.scalar(given.index);
    if (given.fact != no_id) {
        const Expression& e = game.expressions[given.value];
        run.set_fact(given.fact, index, e.type.base == Base::set ? e.set() : run.scalar(given.value));
        return true;
    }
    const PlaceId place = game.zones[given.zone].first_place + index;
    return std::all_of(given.kinds.begin(), given.kinds.end(), [&](KindId kind) { return run.put_kind(kind, place); });
}

// Whether everything that the example says comes out so.
bool reproduced(const Machine& machine, const Example& example) {
    const auto run = make_laid_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
    run->start();
    std::size_t given = 0;
    for (std::size_t i = 0; i < example.steps.size(); ++i) {
        for (; given < example.given_before[i]; ++given)
            if (!lay_out(machine.game, *run, example.given[given])) return false;
        const auto& [step, does] = example.steps[i];
        if (does ? do_step(*run, example, i).what != StepDone::done : run->scalar(step) != 1) return false;
    }
    return true;
}

struct Worked {
    const SyntaxNode* node = nullptr;
    Settings with;
    bool in_when = false;  // it is there under some options only
};

// Whether a place lies within a `when` block.
bool in_when(const SyntaxNode& node, Span span) {
    if (node.kind == Kind::d_when && lies_in(span, node.span)) return true;
    return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return in_when(*c, span); });
}

class Settling {
public:
    Settling(const Syntax& syntax, const Settings& settings, const Stop* stop)
        : syntax_(syntax), settings_(settings), stop_(stop), offers_(offers(syntax)) {}

    std::vector<Finding> all() {
        for (const SyntaxNode* block : example_blocks(*syntax_.root)) {
            if (asked(stop_)) break;
            const Worked e{block, settings_of_example(*block), in_when(*syntax_.root, block->span)};
            fails(e);
            rules_out(e);
        }
        return std::move(findings_);
    }

private:
    std::string chosen(const Offer& o) const { return settings_.contains(o.name) ? settings_.at(o.name) : o.values[0]; }

    // With each number of players that it is for: whether it comes out; nothing when it is for none.
    std::optional<bool> comes_out(const Syntax& syntax, const Settings& settings, const std::string& title) {
        std::map<Settings, Machines> once;
        auto& known = &syntax == &syntax_ ? machines_ : once;
        const auto [at, added] = known.try_emplace(settings);
        if (added) at->second = machines(syntax, settings);
        std::optional<bool> result;
        for (const auto& machine : at->second)
            for (const Example& e : machine->game.examples)
                if (e.title == title) result = result.value_or(true) && reproduced(*machine, e);
        return result;
    }
    // One for each number of players with which the rules check.
    using Machines = std::vector<std::shared_ptr<const Machine>>;
    static Machines machines(const Syntax& syntax, const Settings& settings) {
        Machines all;
        const PlayerRange range = playable_range(syntax);
        for (int n = range.low; n <= range.high; ++n) {
            Diagnostics found;
            Game game = check(syntax, n, settings, found);
            if (!has_errors(found)) all.push_back(compile(std::move(game)));
        }
        return all;
    }

    Finding finding(const Worked& e, const Offer& o, const std::string& value) const {
        Finding f;
        f.what = FindingClass::example;
        f.method = FoundBy::static_reading;
        f.rule = o.name;
        f.id = value;
        f.spans = {e.node->children[0]->span, o.span};
        return f;
    }

    // As it is written, with the options and readings that it names.
    std::optional<bool> comes_out_as_written(const Worked& e) {
        Settings settings = settings_;
        for (const auto& [name, value] : e.with) settings[name] = value;
        const std::string& title = e.node->children[0]->text;
        const std::optional<bool> result = comes_out(syntax_, settings, title);
        if (result || !e.in_when) return result;
        // It is an example of an option: of which?
        for (const Offer& o : offers_) {
            if (o.reading || settings.contains(o.name)) continue;
            for (std::size_t v = 1; v < o.values.size(); ++v) {
                Settings other = settings;
                other[o.name] = o.values[v];
                if (const std::optional<bool> under = comes_out(syntax_, other, title)) return under;
            }
        }
        return std::nullopt;
    }

    void fails(const Worked& e) {
        if (comes_out_as_written(e).value_or(true)) return;
        const std::string& title = e.node->children[0]->text;
        Finding f;
        f.what = FindingClass::example;
        f.gravity = Gravity::error;
        f.verdict = Verdict::found;
        f.method = FoundBy::static_reading;
        f.rule = "fails";
        f.spans = {e.node->children[0]->span};
        f.title = FindingText::the_example_does_not_come_out(title);
        f.help = FindingText::houserule_test_shows_where_it_fails;
        findings_.push_back(std::move(f));
    }

    // Without a word about it: under which other readings does it not come out?
    void rules_out(const Worked& e) {
        const std::string& title = e.node->children[0]->text;
        for (const Offer& o : offers_) {
            if (!o.reading || e.with.contains(o.name) || settings_.contains(o.name)) continue;
            for (std::size_t v = 1; v < o.values.size(); ++v) {
                Settings settings = settings_;
                for (const auto& [name, value] : e.with) settings[name] = value;
                settings[o.name] = o.values[v];
                if (comes_out(syntax_, settings, title).value_or(true)) continue;
                Finding f = finding(e, o, o.values[v]);
                f.verdict = Verdict::proved_absent;
                f.title = FindingText::is_not_the_example_says_so(o.name, o.values[v], title);
                findings_.push_back(std::move(f));
            }
        }
    }

    const Syntax& syntax_;
    Settings settings_;
    const Stop* stop_;
    std::vector<Offer> offers_;
    std::map<Settings, Machines> machines_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> settled_by_examples(const Syntax& syntax, const Settings& settings, const Stop* stop) {
    return Settling(syntax, settings, stop).all();
}

}  // namespace houserule
