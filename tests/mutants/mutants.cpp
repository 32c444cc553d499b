#include "tests/mutants/mutants.hpp"

#include "solver/findings/rewrite.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>

namespace houserule::testing {

namespace {

class Faults {
public:
    explicit Faults(const Syntax& syntax) : syntax_(syntax) {}

    std::vector<Mutant> all() {
        walk(*syntax_.root);
        return std::move(mutants_);
    }

private:
    using Made = std::shared_ptr<std::deque<SyntaxNode>>;

    void put(const std::string& fault, const SyntaxNode& target, SyntaxNode by, Span span,
             const Made& made = std::make_shared<std::deque<SyntaxNode>>()) {
        const SyntaxNode* node = &made->emplace_back(std::move(by));
        mutants_.push_back({fault, replaced(syntax_, &target, node, {made}), span});
    }
    // In the place of `target` stands what it was made of.
    void put_part(const std::string& fault, const SyntaxNode& target, const SyntaxNode& part) {
        mutants_.push_back({fault, replaced(syntax_, &target, &part, {}), target.span});
    }
    // Each child of that kind left out, one at a time.
    void drop(const std::string& fault, const SyntaxNode& node, Kind kind) {
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            if (node.children[i]->kind != kind) continue;
            SyntaxNode less = node;
            less.children.erase(less.children.begin() + static_cast<std::ptrdiff_t>(i));
            put(fault, node, std::move(less), node.children[i]->span);
        }
    }

    // ---- figures

    void one_off(const SyntaxNode& number) {
        if (number.kind != Kind::number) return;
        const long n = std::stol(number.text);
        SyntaxNode other = number;
        other.text = std::to_string(n + 1);
        put("one card more", number, other, number.span);
        if (n < 2) return;
        other.text = std::to_string(n - 1);
        put("one card less", number, other, number.span);
    }

    // ---- cases

    void faults_of_cases(const SyntaxNode& node) {
        drop("no `otherwise`", node, Kind::arm_otherwise);
        drop("no exception", node, Kind::arm_except);
        drop("a case is missing", node, Kind::arm);
        if (node.kind == Kind::s_cases || node.kind == Kind::e_cases) overlap(node);
    }
    // The first arm applies where the second one does, too.
    void overlap(const SyntaxNode& node) {
        std::vector<const SyntaxNode*> arms;
        for (const SyntaxNode* c : node.children)
            if (c->kind == Kind::arm && c->children.size() == 2) arms.push_back(c);
        if (arms.size() < 2) return;
        const SyntaxNode& condition = *arms[0]->children[0];
        // `a or b`, in a form that needs no brackets whatever they are made of.
        const auto made = std::make_shared<std::deque<SyntaxNode>>();
        const auto make = [&](Kind kind, std::vector<const SyntaxNode*> children) {
            SyntaxNode& n = made->emplace_back();
            n.kind = kind;
            n.span = condition.span;
            n.children = std::move(children);
            return &n;
        };
        const SyntaxNode* neither = make(Kind::e_and, {make(Kind::e_not, {&condition}), make(Kind::e_not, {arms[1]->children[0]})});
        SyntaxNode either;
        either.kind = Kind::e_not;
        either.span = condition.span;
        either.children = {neither};
        put("cases overlap", condition, std::move(either), condition.span, made);
    }

    // ---- duties and leaves

    void must_for_may(const SyntaxNode& node) {
        SyntaxNode must = node;
        must.kind = Kind::s_must;
        std::erase_if(must.children, [](const SyntaxNode* c) { return c->kind == Kind::otherwise; });
        put("must for may", node, std::move(must), node.span);
    }
    // What somebody may do is done, without a question.
    void done_for_may(const SyntaxNode& node) {
        const auto made = std::make_shared<std::deque<SyntaxNode>>();
        SyntaxNode& yes = made->emplace_back();
        yes.kind = Kind::yes;
        yes.span = node.span;
        SyntaxNode done;
        done.kind = Kind::s_if;
        done.span = node.span;
        done.children = {&yes, child(node, Kind::body)};
        put("must for may", node, std::move(done), node.span, made);
        mutants_.back().syntax = without_label(mutants_.back().syntax, node.children[1]->text);
    }
    // Nothing is left to be called that.
    static Syntax without_label(const Syntax& syntax, const std::string& name) {
        const auto made = std::make_shared<std::deque<SyntaxNode>>();
        SyntaxNode& root = made->emplace_back(*syntax.root);
        for (const SyntaxNode*& c : root.children) {
            if (c->kind != Kind::d_labels && c->kind != Kind::d_texts) continue;
            SyntaxNode& less = made->emplace_back(*c);
            std::erase_if(less.children, [&](const SyntaxNode* l) { return l->kind == Kind::label && l->children[0]->text == name; });
            c = &less;
        }
        Syntax less;
        less.root = &root;
        less.storage = syntax.storage;
        less.storage.push_back(made);
        return less;
    }
    // What follows the choice in the same body goes with it.
    void may_for_must(const SyntaxNode& body) {
        for (std::size_t i = 0; i < body.children.size(); ++i) {
            const SyntaxNode& must = *body.children[i];
            if (must.kind != Kind::s_must) continue;
            const auto made = std::make_shared<std::deque<SyntaxNode>>();
            SyntaxNode& may = made->emplace_back(must);
            may.kind = Kind::s_may;
            std::erase_if(may.children, [](const SyntaxNode* c) { return c->kind == Kind::if_none; });
            SyntaxNode less = body;
            if (child(must, Kind::body) == nullptr) {
                const auto rest = static_cast<std::ptrdiff_t>(i) + 1;
                SyntaxNode& done = made->emplace_back();
                done.kind = Kind::body;
                done.span = must.span;
                done.children.assign(body.children.begin() + rest, body.children.end());
                may.children.push_back(&done);
                less.children.erase(less.children.begin() + rest, less.children.end());
            }
            less.children[i] = &may;
            put("may for must", body, std::move(less), must.span, made);
        }
    }

    // ---- what is not written

    // A statement that moves, changes or ends something, with others beside it.
    void forgotten(const SyntaxNode& body) {
        if (body.children.size() < 2) return;
        for (std::size_t i = 0; i < body.children.size(); ++i) {
            switch (body.children[i]->kind) {
                case Kind::s_put:
                case Kind::s_becomes:
                case Kind::s_call:
                case Kind::s_stop:
                case Kind::s_end:
                case Kind::s_shuffle:
                    break;
                default:
                    continue;
            }
            SyntaxNode less = body;
            less.children.erase(less.children.begin() + static_cast<std::ptrdiff_t>(i));
            put("a step is forgotten", body, std::move(less), body.children[i]->span);
        }
    }
    // Of the things to choose from, or of those who are meant.
    void no_condition(const SyntaxNode& node) {
        drop("no condition", node, Kind::where);
        const SyntaxNode* choice = child(node, Kind::choice);
        if (choice == nullptr) return;
        for (const SyntaxNode* c : choice->children)
            if (c->kind == Kind::e_where) put_part("no condition", *c, *c->children[0]);
    }
    // Room for one is a capacity, too.
    void no_capacity(const SyntaxNode& zone) {
        drop("no capacity", zone, Kind::capacity);
        const SyntaxNode* shape = child(zone, Kind::word);
        if (shape == nullptr || shape->text != "one") return;
        SyntaxNode any_number = *shape;
        any_number.text = "set";
        put("no capacity", *shape, std::move(any_number), shape->span);
    }
    void no_seers(const SyntaxNode& node) {
        const SyntaxNode* seers = child(node, Kind::seers);
        if (seers == nullptr || seers->children[0]->text == "all" || !seers_dropped_.insert(node.kind).second) return;
        drop("no `seen by`", node, Kind::seers);
    }
    // What should begin anew with a rule stays for the whole game.
    void never_reset(const SyntaxNode& node) {
        const SyntaxNode* lasts = child(node, Kind::lasts);
        if (lasts == nullptr || lasts->children[0]->kind == Kind::word) return;
        SyntaxNode word = *lasts->children[0];
        word.kind = Kind::word;
        word.text = "game";
        put("never reset", *lasts->children[0], std::move(word), lasts->span);
    }

    // ---- ends and winners

    void faults_of_ends(const SyntaxNode& node) {
        for (const SyntaxNode* end : node.children) {
            if (end->kind != Kind::end_entry) continue;
            SyntaxNode less = node;
            std::erase(less.children, end);
            put("no end", node, std::move(less), end->span);
            mutants_.back().syntax = without_label(mutants_.back().syntax, end->children[0]->text);
        }
        for (std::size_t i = 0; i + 1 < node.children.size(); ++i) {
            if (node.children[i]->kind != Kind::end_entry || node.children[i + 1]->kind != Kind::end_entry) continue;
            SyntaxNode other = node;
            std::swap(other.children[i], other.children[i + 1]);
            put("ends in another order", node, std::move(other), node.children[i]->span);
        }
        const SyntaxNode* after = child(node, Kind::after);
        if (after != nullptr && after->children.size() > 1) drop("an end is not checked there", *after, Kind::name);
    }
    void faults_of_winner(const SyntaxNode& node) {
        drop("no tie-break", node, Kind::then_by);
        for (const SyntaxNode* c : node.children) {
            if (c->kind != Kind::then_by) continue;
            SyntaxNode other = *c->children[0];
            other.text = other.text == "most" ? "least" : "most";
            put("tie-break the other way round", *c->children[0], std::move(other), c->span);
        }
    }

    void walk(const SyntaxNode& node) {
        switch (node.kind) {
            case Kind::d_example:
            case Kind::d_labels:
            case Kind::d_texts:
            case Kind::d_when:
                return;
            case Kind::d_zone:
                no_capacity(node);
                no_seers(node);
                break;
            case Kind::d_fact:
                drop("no start value", node, Kind::initial);
                never_reset(node);
                no_seers(node);
                break;
            case Kind::d_winner:
                faults_of_winner(node);
                break;
            case Kind::d_ends:
                faults_of_ends(node);
                break;
            case Kind::body:
                forgotten(node);
                may_for_must(node);
                break;
            case Kind::s_must:
                drop("no `if none`", node, Kind::if_none);
                no_condition(node);
                break;
            case Kind::s_may:
                must_for_may(node);
                no_condition(node);
                break;
            case Kind::s_may_do:
                done_for_may(node);
                break;
            case Kind::s_draw:
                drop("no `if none`", node, Kind::if_none);
                break;
            case Kind::s_deal:
                drop("no `if short`", node, Kind::if_none);
                one_off(*node.children[0]);
                break;
            case Kind::s_if:
                drop("no `otherwise`", node, Kind::otherwise);
                break;
            case Kind::s_cases:
            case Kind::s_cases_of:
            case Kind::e_cases:
            case Kind::e_cases_of:
                faults_of_cases(node);
                break;
            case Kind::s_each:
                drop("no direction", node, Kind::direction);
                no_condition(node);
                break;
            case Kind::s_simultaneously:
                no_condition(node);
                break;
            case Kind::s_repeat:
                drop("no `until`", node, Kind::until_true);
                break;
            default:
                break;
        }
        const bool reading = node.kind == Kind::s_reading || node.kind == Kind::e_reading;
        for (const SyntaxNode* c : node.children)
            if (!reading || c->kind != Kind::reading_choice || child(*c, Kind::word) != nullptr) walk(*c);
    }

    const Syntax& syntax_;
    std::vector<Mutant> mutants_;
    std::set<Kind> seers_dropped_;  // one zone and one fact a file: the checker asks in the same words everywhere
};

}  // namespace

std::vector<Mutant> mutants(const Syntax& syntax) { return Faults(syntax).all(); }

}  // namespace houserule::testing
