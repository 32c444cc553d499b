// Hints against other ways to count, on the same positions, in the same run: what counts is the ratio.
//
// All three get the constraint model of a position: unknowns with few values (how many copies of a kind are where, who chose what),
// conditions and sums. The naive loop has a Z3 integer for each unknown, the default solver and a clause against every solution found;
// clingo has an atom for each value. So both are written once for all games. They enumerate solutions; the counter's number of
// solutions is that of the same model without weights, so the three must agree where they finish. Where they do not, the time is
// extrapolated from the part that was found, and marked `~`.
#include "tests/bench/hints.hpp"

#include "solver/deduce/deduction.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace houserule::bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

// The models of a position, one for each way that the rules may have gone.
struct Models {
    z3::context context;
    std::unique_ptr<Coexecution> coexecution;
    std::vector<CountModel> paths;

    Formulas& formulas() { return coexecution->terms().formulas(); }
};

bool build(Models& models, const std::shared_ptr<const Machine>& machine, const View& view) {
    models.coexecution = std::make_unique<Coexecution>(models.context, machine, view.seat);
    Coexecution& c = *models.coexecution;
    if (!c.follow(view.events) || c.paths().empty() || !c.go_on_to_node() || c.paths().empty()) return false;
    for (UnknownTable table : c.paths()) {
        for (PlaceId p = 1; p < c.game().places; ++p)
            if (!c.sees(p)) c.dealer().settle(table, p);
        CountModel model;
        model.conditions = c.always();
        for (const Condition& condition : table.conditions) model.conditions.push_back(condition.holds);
        model.sums = table.sums;
        model.unknowns = table.unknowns;
        std::stable_sort(model.unknowns.begin(), model.unknowns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        models.paths.push_back(std::move(model));
    }
    return true;
}

struct Measured {
    double seconds = 0;
    double found = 0;
    bool cut = false;

    // For `total` solutions at the same pace.
    double whole(double total) const { return cut ? seconds * total / std::max(found, 1.0) : seconds; }
};

// ---------------------------------------------------------------- Z3, one integer an unknown

class Naive {
public:
    Naive(const Formulas& formulas, const CountModel& model) : formulas_(formulas), model_(model), solver_(context_) {
        numbers_.assign(formulas.unknowns().size(), std::nullopt);
        for (const auto& [kind, u] : model.unknowns) {
            const z3::expr n = context_.int_const(fmt::format("u{}", u).c_str());
            solver_.add(n >= 0 && n < formulas.unknowns()[u].values);
            numbers_[u] = n;
        }
        for (const Truth t : model.conditions) solver_.add(expression(t));
        for (const Sum& sum : model.sums) {
            z3::expr total = context_.int_val(0);
            for (const std::int32_t u : sum.unknowns) total = total + number(u);
            solver_.add(total == static_cast<int>(sum.total));
        }
    }

    void count(double cut_s, Measured& measured) {
        const auto begun = Clock::now();
        z3::params limits(context_);
        while (!measured.cut) {
            const double left = cut_s - since(begun);
            limits.set("timeout", static_cast<unsigned>(std::max(1.0, left * 1000)));
            solver_.set(limits);
            const z3::check_result result = left <= 0 ? z3::unknown : solver_.check();
            measured.cut = result == z3::unknown;
            if (result != z3::sat) break;
            ++measured.found;
            const z3::model found = solver_.get_model();
            z3::expr_vector other(context_);
            for (const auto& [kind, u] : model_.unknowns) other.push_back(number(u) != found.eval(number(u), true));
            solver_.add(z3::mk_or(other));
        }
        measured.seconds += since(begun);
    }

private:
    z3::expr number(std::int32_t u) const { return *numbers_[u]; }
    z3::expr expression(Truth t) {
        switch (formulas_.shape(t)) {
            case Formulas::Shape::constant:
                return context_.bool_val(t == Formulas::yes);
            case Formulas::Shape::foreign:
                return context_.bool_val(true);
            case Formulas::Shape::leaf: {
                z3::expr_vector any(context_);
                for (int v = 0; v < Formulas::value_limit; ++v)
                    if ((formulas_.values(t) >> v & 1) != 0) any.push_back(number(formulas_.about(t)) == v);
                return z3::mk_or(any);
            }
            case Formulas::Shape::all:
                break;
        }
        const auto known = known_.find(Formulas::node(t));
        z3::expr all = context_.bool_val(true);
        if (known != known_.end()) {
            all = known->second;
        } else {
            z3::expr_vector parts(context_);
            for (const Truth part : formulas_.parts(t)) parts.push_back(expression(part));
            all = z3::mk_and(parts);
            known_.emplace(Formulas::node(t), all);
        }
        return Formulas::negated(t) ? !all : all;
    }

    const Formulas& formulas_;
    const CountModel& model_;
    z3::context context_;
    z3::solver solver_;
    std::vector<std::optional<z3::expr>> numbers_;
    std::unordered_map<std::int32_t, z3::expr> known_;
};

// ---------------------------------------------------------------- clingo

class Program {
public:
    Program(const Formulas& formulas, const CountModel& model) : formulas_(formulas) {
        for (const auto& [kind, u] : model.unknowns) text_ += fmt::format("1 {{ u({},0..{}) }} 1.\n", u, formulas.unknowns()[u].values - 1);
        for (const Truth t : model.conditions) text_ += fmt::format(":- not {}.\n", literal(t));
        for (const Sum& sum : model.sums) {
            std::vector<std::string> parts;
            for (const std::int32_t u : sum.unknowns) parts.push_back(fmt::format("V,{} : u({},V)", u, u));
            text_ += fmt::format(":- #sum {{ {} }} != {}.\n", fmt::join(parts, "; "), sum.total);
        }
        text_ += "#show u/2.\n";
    }
    const std::string& text() const { return text_; }

private:
    // An atom that is true when the formula without its negation is.
    std::string literal(Truth t) {
        const std::int32_t node = Formulas::node(t);
        if (std::find(written_.begin(), written_.end(), node) == written_.end()) {
            written_.push_back(node);
            const Truth plain{node * 2};
            if (plain == Formulas::yes) text_ += fmt::format("f({}).\n", node);
            if (formulas_.shape(plain) == Formulas::Shape::leaf)
                for (int v = 0; v < Formulas::value_limit; ++v)
                    if ((formulas_.values(plain) >> v & 1) != 0)
                        text_ += fmt::format("f({}) :- u({},{}).\n", node, formulas_.about(plain), v);
            if (formulas_.shape(plain) == Formulas::Shape::all) {
                std::vector<std::string> parts;
                for (const Truth part : formulas_.parts(plain)) parts.push_back(literal(part));
                text_ += fmt::format("f({}) :- {}.\n", node, fmt::join(parts, ", "));
            }
        }
        return fmt::format("{}f({})", Formulas::negated(t) ? "not " : "", node);
    }

    const Formulas& formulas_;
    std::string text_;
    std::vector<std::int32_t> written_;
};

bool has_clingo() { return std::system("command -v clingo >/dev/null 2>&1") == 0; }

void run_clingo(const std::string& program, double cut_s, Measured& measured) {
    const fs::path path = fs::temp_directory_path() / fmt::format("houserule-bench-{}.lp", static_cast<const void*>(&measured));
    std::ofstream(path) << program;
    const auto begun = Clock::now();
    const std::string command =
        fmt::format("clingo 0 -q --time-limit={} {} 2>/dev/null", std::max(1, static_cast<int>(cut_s)), path.string());
    std::FILE* out = popen(command.c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; out != nullptr && (n = std::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, n);
    if (out != nullptr) pclose(out);
    measured.seconds += since(begun);
    const auto models = text.find("Models       : ");
    if (models == std::string::npos) {
        measured.cut = true;
    } else {
        const std::string number = text.substr(models + 15, text.find('\n', models) - models - 15);
        measured.found += std::strtod(number.c_str(), nullptr);
        measured.cut = measured.cut || number.find('+') != std::string::npos;
    }
    fs::remove(path);
}

// ---------------------------------------------------------------- the table

struct Row {
    std::vector<double> hint_ms;
    std::vector<double> naive;  // times the counter's
    std::vector<double> clingo;
    int cut = 0;
    int not_exact = 0;
    int disagree = 0;
};

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[q * static_cast<double>(values.size() - 1)];
}

void measure(const std::shared_ptr<const Machine>& machine, const View& view, const HintBench& bench, bool clingo, Row& row) {
    const auto begun = Clock::now();
    Deduction deduction(machine, view.seat);
    const bool fits = deduction.see(view.events) == Fit::fits;
    if (!fits || deduction.knowledge().method != Method::exact) return void(++row.not_exact);
    row.hint_ms.push_back(since(begun) * 1000);
    Models models;
    if (!build(models, machine, view)) return;
    const auto counting = Clock::now();
    double total = 0;
    for (const CountModel& model : models.paths) {
        const Counter counter(models.formulas(), model);
        if (!counter.finished()) return void(++row.not_exact);
        total += static_cast<double>(counter.total());
    }
    const double counter_s = since(counting);
    Measured naive;
    Measured other;
    for (const CountModel& model : models.paths) {
        if (!naive.cut) Naive(models.formulas(), model).count(bench.cut_s, naive);
        if (clingo && !other.cut) run_clingo(Program(models.formulas(), model).text(), bench.cut_s, other);
    }
    row.cut += naive.cut ? 1 : 0;
    row.disagree += (!naive.cut && naive.found != total) || (clingo && !other.cut && other.found != total) ? 1 : 0;
    row.naive.push_back(naive.whole(total) / counter_s);
    if (clingo) row.clingo.push_back(other.whole(total) / counter_s);
}

}  // namespace

int measure_hints(const HintBench& bench) {
    const bool clingo = has_clingo();
    if (!clingo) fmt::print("clingo is not installed (Debian: gringo): left out\n");
    fmt::print("{:<8} {:>2}  {:>9} {:>9} {:>9} {:>9}   {:>12} {:>12}  {}\n", "game", "n", "median ms", "95 % ms", "worst ms", "target",
               "naive/ours", "clingo/ours", "");
    struct Game {
        const char* name;
        int low;
        int high;
    };
    int disagree = 0;
    for (const Game& g : {Game{"cogito", 2, 4}, Game{"jiji", 3, 5}}) {
        for (int players = g.low; players <= g.high; ++players) {
            const auto machine = machine_of(games_folder() / (std::string(g.name) + ".rules"), players);
            if (!machine) return 2;
            Row row;
            for (int p = 0; p < bench.positions; ++p)
                measure(machine, position(machine, bench.seed + static_cast<std::uint64_t>(p)), bench, clingo, row);
            const char* target = players == 5 ? "10/60/250" : "-/3/-";
            fmt::print("{:<8} {:>2}  {:>9.1f} {:>9.1f} {:>9.1f} {:>9}   {:>11.3g}{} {:>12}  {}{}\n", g.name, players,
                       quantile(row.hint_ms, 0.5), quantile(row.hint_ms, 0.95), quantile(row.hint_ms, 1), target, quantile(row.naive, 0.5),
                       row.cut > 0 ? "~" : " ", clingo ? fmt::format("{:.3g}", quantile(row.clingo, 0.5)) : "-",
                       row.not_exact > 0 ? fmt::format("{} not exact ", row.not_exact) : "",
                       row.disagree > 0 ? fmt::format("{} DISAGREE", row.disagree) : "");
            std::fflush(stdout);
            disagree += row.disagree;
        }
    }
    fmt::print(
        "targets: median/95 %/worst of all shares; naive/ours 10^6 (exact counts), clingo/ours 100. `~`: extrapolated from what was found "
        "in {} s.\n",
        bench.cut_s);
    return disagree == 0 ? 0 : 1;
}

}  // namespace houserule::bench
