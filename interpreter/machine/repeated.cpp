#include "interpreter/machine/repeated.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/tabled.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace houserule {

namespace {

constexpr std::int64_t worth_keeping = 6;  // operators: to look whether a value was kept takes as long as two or three
constexpr std::int64_t in_a_loop = 3;      // so often the body of a comprehension is computed, about
constexpr std::int64_t largest = 1'500;    // operators written in an expression
constexpr std::int64_t most_work = 1'000;
constexpr std::int64_t beyond = std::int64_t{1} << 40;

// What an expression reads besides the table.
struct Outside {
    ExpressionId one = no_id;  // a variable or comprehension variable
    bool more = false;         // several, or a set that somebody has chosen
};

// A set that somebody has chosen, or that is judged.
bool reads_chosen_set(Operator op) { return op == Operator::cards_variable || op == Operator::set_variable || op == Operator::least_left; }

class Finder {
public:
    explicit Finder(const Game& game) : g_(game) {}

    Repeated all() {
        const std::size_t count = g_.expressions.size();
        outside_.resize(count);
        work_.assign(count, -1);
        written_.assign(count, 0);
        found_.of.resize(count);
        for (const ExpressionId e : g_.expressions.ids()) look_at(e);
        classified_.assign(count, false);
        for (const ExpressionId e : g_.expressions.ids()) classify(e);
        count_uses();
        for (const ExpressionId e : g_.expressions.ids()) wanted_within(e);
        return wanted();
    }

private:
    const Expression& at(ExpressionId e) const { return g_.expressions[e]; }
    bool same_outside(ExpressionId a, ExpressionId b) const {
        const Expression& x = at(a);
        const Expression& y = at(b);
        return x.op == y.op && x.immediate == y.immediate;
    }
    void add_outside(Outside& all, const Outside& part) const {
        all.more = all.more || part.more;
        if (part.one == no_id) return;
        if (all.one == no_id)
            all.one = part.one;
        else if (!same_outside(all.one, part.one))
            all.more = true;
    }

    void look_at(ExpressionId e) {
        if (e == no_id || work_[e] >= 0) return;
        const Expression& x = at(e);
        for (const ExpressionId part : {x.a, x.b, x.c}) look_at(part);
        Outside out;
        std::int64_t work = 0;
        std::int64_t written = 1;
        const bool is_held = x.op == Operator::constant || x.op == Operator::set_constant || x.op == Operator::cards_none;
        if (x.op == Operator::variable || x.op == Operator::bound)
            out.one = e;
        else if (!is_held)
            work = 1;
        out.more = reads_chosen_set(x.op);
        for (const ExpressionId part : {x.a, x.b, x.c}) {
            if (part == no_id) continue;
            const bool in_body = binds(x.op) && part != x.a;
            work += in_body ? in_a_loop * (1 + work_[part]) : work_[part];
            written += written_[part];
            const Outside& o = outside_[part];
            const bool own = in_body && o.one != no_id && at(o.one).op == Operator::bound && at(o.one).bound() == x.bound();
            // Of a body that reads more than its own variable, what else it reads is not known.
            if (own && !o.more) continue;
            add_outside(out, o);
        }
        work_[e] = std::min(work, beyond);
        written_[e] = std::min(written, beyond);
        if (binds(x.op) && out.more) find_outside(e, out);
        outside_[e] = out;
    }
    // Of a comprehension with a body that reads several things: perhaps all but one of them are its own.
    void find_outside(ExpressionId e, Outside& out) const {
        if (written_[e] > largest) return;
        Outside all;
        std::vector<BoundId> within;
        collect(e, within, all);
        out = all;
    }
    void collect(ExpressionId e, std::vector<BoundId>& within, Outside& all) const {
        if (e == no_id) return;
        const Expression& x = at(e);
        if (x.op == Operator::variable) return add_outside(all, {e, false});
        if (x.op == Operator::bound) {
            if (std::find(within.begin(), within.end(), x.bound()) == within.end()) add_outside(all, {e, false});
            return;
        }
        if (reads_chosen_set(x.op)) all.more = true;
        collect(x.a, within, all);
        if (binds(x.op)) within.push_back(x.bound());
        collect(x.b, within, all);
        collect(x.c, within, all);
        if (binds(x.op)) within.pop_back();
    }

    // First value and how many; none if those are too many.
    std::pair<std::int32_t, std::int64_t> values_of(ExpressionId read) const {
        if (read == no_id) return {0, 1};
        return values_in_a_run(g_, at(read).type);
    }
    bool is_possible(ExpressionId e) const {
        if (work_[e] < worth_keeping || written_[e] > largest || outside_[e].more) return false;
        const std::int64_t values = values_of(outside_[e].one).second;
        return values > 0 && values <= most_table_values;
    }
    void classify(ExpressionId e) {
        if (e == no_id || classified_[e.index()]) return;
        classified_[e.index()] = true;
        const Expression& x = at(e);
        for (const ExpressionId part : {x.a, x.b, x.c}) classify(part);
        if (!is_possible(e)) return;
        text_.clear();
        std::vector<BoundId> within;
        write(e, within);
        const auto [low, values] = values_of(outside_[e].one);
        add(low);
        add(values);
        const auto [known, is_new] = class_of_.try_emplace(text_, found_.classes.size());
        if (is_new) found_.classes.push_back({{}, low, values, std::min(work_[e], most_work)});
        found_.of[e] = {known->second, outside_[e].one};
    }
    void add(std::int64_t number) {
        text_ += std::to_string(number);
        text_ += ' ';
    }
    // The same for expressions of one class: comprehension variables by how deep they are bound, what is read besides without a name.
    void write(ExpressionId e, std::vector<BoundId>& within) {
        if (e == no_id) {
            text_ += "- ";
            return;
        }
        const RepeatedExpression& known = found_.of[e];
        if (known.of_class != no_class) {
            text_ += "as ";
            add(known.of_class);
            return write(known.read, within);
        }
        const Expression& x = at(e);
        if (x.op == Operator::bound || x.op == Operator::variable) {
            const auto bound = x.op == Operator::bound ? std::find(within.begin(), within.end(), x.bound()) : within.end();
            text_ += "bound ";
            return add(bound == within.end() ? -1 : bound - within.begin());
        }
        text_ += operator_name(x.op);
        text_ += x.type.element == Base::number ? " of numbers " : " ";
        if (x.op == Operator::set_constant)  // equal sets may stand in several rows
            for (const std::int32_t element : g_.sets[x.set()]) add(element);
        else
            add(binds(x.op) ? 0 : x.immediate);
        write(x.a, within);
        if (binds(x.op)) within.push_back(x.bound());
        write(x.b, within);
        write(x.c, within);
        if (binds(x.op)) within.pop_back();
    }

    void count_uses() {
        uses_.assign(found_.classes.size(), 0);
        std::vector<bool> is_part(g_.expressions.size(), false);
        const auto use = [&](ExpressionId e) {
            if (e != no_id && found_.of[e].of_class != no_class) ++uses_[found_.of[e].of_class];
        };
        for (const Expression& x : g_.expressions)
            for (const ExpressionId part : {x.a, x.b, x.c}) {
                use(part);
                if (part != no_id) is_part[part.index()] = true;
            }
        wanted_.assign(g_.expressions.size(), false);
        for (const ExpressionId e : g_.expressions.ids())
            if (!is_part[e.index()]) use(e), wanted_[e.index()] = true;  // a step reads it, perhaps again and again
    }
    // Of the parts of an expression: those that are kept although it is kept itself, or that it reads again and again.
    void wanted_within(ExpressionId e) {
        const Expression& x = at(e);
        const RepeatedExpression& whole = found_.of[e];
        for (const ExpressionId part : {x.a, x.b, x.c}) {
            if (part == no_id || found_.of[part].of_class == no_class) continue;
            const RepeatedExpression& p = found_.of[part];
            const bool used_more = whole.of_class == no_class || uses_[p.of_class] > uses_[whole.of_class];
            const bool in_body = binds(x.op) && part != x.a;
            const bool reads_own = p.read != no_id && at(p.read).op == Operator::bound && in_body && at(p.read).bound() == x.bound();
            const bool again = (in_body && !reads_own) || (whole.read != no_id && p.read == no_id);
            if (used_more || again) wanted_[part.index()] = true;
        }
    }
    Repeated wanted() {
        for (const ExpressionId e : g_.expressions.ids()) {
            RepeatedExpression& r = found_.of[e];
            if (r.of_class != no_class && wanted_[e.index()])
                found_.classes[r.of_class].members.push_back(e);
            else
                r = {};
        }
        return std::move(found_);
    }

    const Game& g_;
    Store<ExpressionId, Outside> outside_;
    Store<ExpressionId, std::int64_t> work_;
    Store<ExpressionId, std::int64_t> written_;
    std::vector<bool> classified_;
    std::string text_;
    std::unordered_map<std::string, std::size_t> class_of_;
    std::vector<std::int32_t> uses_;  // by class
    std::vector<bool> wanted_;
    Repeated found_;
};

}  // namespace

Repeated repeated_expressions(const Game& game) { return Finder(game).all(); }

}  // namespace houserule
