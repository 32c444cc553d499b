#include "dsl/check/check.hpp"

#include "dsl/check/checker.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/text/hash.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace houserule {

namespace {

constexpr std::size_t piece_limit = 256;   // what four words of a bit mask hold; four times the largest deck in use
constexpr std::int32_t player_limit = 10;  // rulebooks for more are rare; every table of the machine is a power of players at most
constexpr std::int32_t place_limit = 2000;
constexpr std::int32_t value_limit = 256;    // values of one enum or set
constexpr std::size_t names_shown = 12;      // of a list of names in one sentence
constexpr std::size_t variant_limit = 400;   // what `check` tries of options and player counts
constexpr std::size_t enough_to_mend = 200;  // with so many diagnostics the variants that are left wait for the next time

std::string text_of(const PlayerRange& range) {
    return range.low == range.high ? std::to_string(range.low) : fmt::format("{}-{}", range.low, range.high);
}

}  // namespace

Checker::Checker(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics)
    : syntax_(syntax), players_(players), settings_(settings), diagnostics_(diagnostics) {}

// --- reporting

void Checker::unknown_name(const Node& name, const std::vector<std::string>& also) {
    std::vector<std::string> names = also;
    if (diagnostics_.size() > 200) return void(report(Code::unknown_name, name.span, name.text));  // guessing takes time
    for (const auto& [n, m] : globals_) names.push_back(n);
    for (const Scope& scope : scopes_)
        for (const auto& [n, l] : scope.names) names.push_back(n);
    const std::string near = closest(name.text, names);
    Diagnostic& d = report(Code::unknown_name, name.span, name.text);
    d.help = did_you_mean(near);
    const auto meant = globals_.find(near);
    if (near.empty() || meant == globals_.end()) return;
    d.edit = Edit{name.span, near};
    const Node* node = meant->second.node;
    if (node != nullptr && node->span.source != name.span.source)
        d.labels.push_back({node->kind == Kind::d_define ? node->children[0]->span : node->span, Text::declared_here});
}

// --- scopes

void Checker::bind(const Node& name, Local local) {
    if (const auto taken = globals_.find(name.text); taken != globals_.end()) {
        Diagnostic& d = report(Code::name_taken, name.span, name.text);
        d.help = Text::names_inside_differ;
        if (taken->second.node != nullptr) d.labels.push_back({taken->second.node->span, Text::here});
    }
    scopes_.back().names[name.text] = local;
}

const Local* Checker::find_local(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->names.find(name);
        if (found != scope->names.end()) return &found->second;
        if (scope->fence) return nullptr;
    }
    return nullptr;
}

VariableId Checker::new_variable(const std::string& name, Type type, Knower knower) {
    game_.variables.push_back({name, type, rule_});
    knowers_.push_back(knower);
    return game_.variables.last();
}

ExpressionId Checker::variable_expression(VariableId variable, Span span) {
    const Type& t = game_.variables[variable].type;
    const Operator op = t.base == Base::cards ? Operator::cards_variable
                        : t.base == Base::set ? Operator::set_variable
                                              : Operator::variable;
    return emit(op, t, span, no_id, no_id, no_id, variable);
}

// --- types

Type Checker::read_one_type(const Node& d, const std::string& name) {
    switch (d.kind) {
        case Kind::t_yes_no:
            return truth_type();
        case Kind::t_player:
            return player_type();
        case Kind::t_range: {
            const auto low = constant_number(*d.children[0]);
            const auto high = constant_number(*d.children[1]);
            if (!low || !high) return {};
            std::int32_t scale = 1;
            if (const Node* by = child(d, Kind::by)) {
                const double step = std::strtod(by->children[0]->text.c_str(), nullptr);
                if (step >= 0.001 && step <= 1)
                    scale = static_cast<std::int32_t>(1.0 / step + 0.5);
                else
                    report(Code::out_of_range, by->children[0]->span, verbatim("by"), verbatim("0.001..1"), by->children[0]->text);
            }
            if (*low > *high) {
                report(Code::out_of_range, d.span, Text::a_range, Text::smaller_first, fmt::format("{}..{}", *low, *high));
                return {};
            }
            return number_type(std::int64_t{*low} * scale, std::int64_t{*high} * scale, scale);
        }
        case Kind::t_list: {
            std::vector<const Node*> values;
            for (const Node* v : d.children) values.push_back(v);
            const EnumId e = declare_values(name, values);
            return {Base::enumeration, Base::nothing, e, 0, static_cast<std::int32_t>(values.size()) - 1, 1, false};
        }
        case Kind::t_set:
            return set_of(read_one_type(*d.children[0], name));
        case Kind::t_named: {
            const Node& n = *d.children[0];
            const auto m = globals_.find(n.text);
            if (m != globals_.end() && m->second.what == Meaning::enumeration) {
                used_.insert(n.text);
                return m->second.type;
            }
            if (m != globals_.end() && m->second.what == Meaning::family) {
                used_.insert(n.text);
                return kind_type(m->second.id);
            }
            if (m == globals_.end())
                unknown_name(n, {"player"});
            else
                report(Code::wrong_use, n.span, n.text, Text::not_a_type);
            return {};
        }
        default:
            return {};
    }
}

Type Checker::read_type(const Node& d, std::size_t& at, const std::string& name) {
    Type t = read_one_type(*d.children[at], name);
    ++at;
    if (at < d.children.size() && d.children[at]->kind == Kind::or_none) {
        t.or_none = true;
        ++at;
    }
    return t;
}

std::optional<std::int32_t> Checker::constant_number(const Node& node) {
    const ExpressionId e = number(node);
    if (is_broken(e)) return std::nullopt;
    const auto v = value_of(e);
    if (!v) report(Code::not_constant, node.span);
    return v;
}

// The players of `{P1, P3}`.
std::vector<std::int32_t> Checker::constant_players(const Node& node) {
    const ExpressionId e = expression(node);
    if (is_broken(e)) return {};
    std::vector<std::int32_t> given;
    if (at(e).op == Operator::set_constant)
        given = game_.sets[at(e).imm];
    else if (const auto v = value_of(e))
        given = {*v};
    else
        report(Code::not_constant, node.span);
    if (given.empty()) return {};
    const Type& t = type(e);
    if ((t.base == Base::set ? t.element : t.base) == Base::player &&
        std::all_of(given.begin(), given.end(), [&](std::int32_t p) { return p >= 0 && p < game_.players; }))
        return given;
    wrong_type(e, describe(set_of(player_type())));
    return {};
}

// --- declarations

void Checker::declare_name(const Node& name, Meaning meaning) {
    const auto [at, added] = globals_.emplace(name.text, meaning);
    if (added) {
        at->second.node = meaning.node ? meaning.node : &name;
        return;
    }
    if (at->second.what == Meaning::game) {
        at->second = meaning;  // a game may be named like a thing in it
        return;
    }
    Diagnostic& d = report(Code::name_taken, name.span, name.text);
    if (at->second.node == nullptr) return;
    d.labels.push_back({at->second.node->span, Text::here});
    if (at->second.node->span.source != name.span.source) d.help = Text::replace_or_rename;
}

void Checker::declare_header() {
    const Node* game = nullptr;
    const Node* players = nullptr;
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_game) game = d;
        if (d->kind == Kind::d_players) players = d;
    }
    if (game == nullptr)
        report(Code::missing_declaration, {}, verbatim("game")).help = Text::begin_with_game;
    else {
        game_.name = game->children[0]->text;
        game_.text_language = merged_.layers.back().text_language;
        collect_text(*game, game_.name);
        globals_[game_.name] = {Meaning::game, no_id, 0, game->children[0], {}};
    }
    if (players == nullptr) {
        report(Code::missing_declaration, {}, verbatim("players")).help = Text::players_line;
        game_.players = std::max(1, players_);
        return;
    }
    game_.players = players_;
    const PlayerRange range = player_range(syntax_);
    if (players_ < range.low || players_ > range.high) {
        if (range.high <= player_limit) report(Code::wrong_player_count, players->span, text_of(range), players_);
        game_.players = std::clamp(players_, 1, player_limit);
    }
    if (range.high > player_limit) report(Code::limit_passed, players->span, range.high, Text::players, player_limit);
    for (const Node* c : players->children)
        if (c->kind == Kind::word) game_.clockwise = c->text == "clockwise";
    if (const Node* teams = child(*players, Kind::teams)) {
        game_.team.assign(game_.players, 0);
        for (std::size_t t = 0; t < teams->children.size(); ++t)
            for (const std::int32_t p : constant_players(*teams->children[t])) game_.team[p] = t;
    }
}

EnumId Checker::declare_values(const std::string& name, const std::vector<const Node*>& values) {
    const EnumId id = game_.enums.next();
    game_.enums.push_back({name, {}});
    const Type t{Base::enumeration, Base::nothing, id, 0, static_cast<std::int32_t>(values.size()) - 1, 1, false};
    if (values.size() > static_cast<std::size_t>(value_limit))
        report(Code::limit_passed, values.front()->span, values.size(), Text::values, value_limit);
    for (const Node* v : values) {
        declare_name(*v, {Meaning::value, id, static_cast<std::int32_t>(game_.enums.back().values.size()), v, t});
        game_.enums.back().values.push_back(v->text);
    }
    return id;
}

void Checker::declare_enum(const Node& d) {
    const Node& name = *d.children[0];
    const EnumId id = declare_values(name.text, {d.children.begin() + 1, d.children.end()});
    const Type t{Base::enumeration, Base::nothing, id, 0, static_cast<std::int32_t>(d.children.size()) - 2, 1, false};
    declare_name(name, {Meaning::enumeration, id, 0, &name, t});
}

void Checker::declare_field(const Node& d, Family& family) {
    Field field;
    field.name = d.children[0]->text;
    std::size_t at = 1;
    field.type = read_type(d, at, field.name);
    if (const Node* names = child(d, Kind::with_names)) {
        for (std::size_t i = 0; i + 1 < names->children.size(); i += 2) {
            const std::int32_t v = std::stoi(names->children[i + 1]->text.substr(0, 9));
            field.value_names[v] = names->children[i]->text;
            const auto known = globals_.find(names->children[i]->text);
            const bool same_number = known != globals_.end() && known->second.what == Meaning::number && known->second.amount == v;
            if (!same_number) declare_name(*names->children[i], {Meaning::number, no_id, v, names->children[i], number_type(v, v)});
        }
    }
    family.fields.push_back(std::move(field));
}

void Checker::add_kind(PieceKind kind, Family& family) {
    if (kind.copies <= 0) return;
    kind.family = game_.families.last();
    game_.kinds.push_back(std::move(kind));
    ++family.kind_count;
}

// Every combination of the fields' values, the last field running fastest.
void Checker::add_every_kind(const Node& row, Family& family) {
    const auto copies = constant_number(*row.children[0]);
    if (!copies) return;
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
    std::int64_t total = 1;
    for (const Field& f : family.fields) {
        if (f.type.base == Base::set || f.type.base == Base::nothing) {
            if (f.type.base == Base::set) report(Code::misplaced, row.span, Text::set_field_needs_rows);
            return;
        }
        ranges.emplace_back(f.type.low, f.type.high);
        total *= std::int64_t{f.type.high} - f.type.low + 1;
        if (total > static_cast<std::int64_t>(piece_limit)) break;
    }
    if (total > static_cast<std::int64_t>(piece_limit)) {
        report(Code::limit_passed, row.span, total, Text::kinds_of_card, piece_limit);
        return;
    }
    const Node* condition = child(row, Kind::where);
    std::vector<std::int32_t> values;
    for (const auto& r : ranges) values.push_back(r.first);
    for (std::int64_t n = 0; n < total; ++n) {
        PieceKind kind;
        kind.values = values;
        kind.copies = *copies;
        bool wanted = true;
        if (condition != nullptr) {
            // The fields of the card to be stand under their own names after `its`; nothing else is known yet.
            family.kind_count = game_.kind_count() - family.first_kind;
            game_.kinds.push_back(kind);
            game_.kinds.back().family = game_.families.last();
            const Family saved = game_.families.back();
            game_.families.back() = family;
            game_.families.back().kind_count = game_.kind_count() - family.first_kind;
            finish_fields(game_.families.back());
            scopes_.emplace_back();
            scopes_.back().names["it"] = {constant(kind_type(game_.kinds.back().family), game_.kind_count() - 1, row.span), no_id};
            const ExpressionId c = truth(*condition->children[0]);
            scopes_.pop_back();
            if (!is_broken(c)) {
                if (!value_of(c)) report(Code::not_constant, condition->span);
                wanted = value_of(c).value_or(1) != 0;
            }
            game_.families.back() = saved;
            game_.kinds.pop_back();
        }
        if (wanted) add_kind(std::move(kind), family);
        for (std::size_t i = values.size(); i-- > 0;) {
            if (++values[i] <= ranges[i].second) break;
            values[i] = ranges[i].first;
        }
    }
}

void Checker::add_row(const Node& row, Family& family) {
    const auto copies = constant_number(*row.children[0]);
    PieceKind kind;
    kind.copies = copies.value_or(1);
    std::vector<const Node*> values;
    for (std::size_t i = 1; i < row.children.size(); ++i) {
        if (row.children[i]->kind == Kind::row_name)
            kind.name = row.children[i]->children[0]->text;
        else
            values.push_back(row.children[i]);
    }
    // `2 of flower` in a family without fields: the only word is the name.
    if (family.fields.empty() && kind.name.empty() && values.size() == 1 && values[0]->kind == Kind::name) {
        kind.name = values[0]->text;
        declare_name(*values[0], {Meaning::kind, no_id, game_.kind_count(), values[0], {}});
        values.clear();
    } else if (!kind.name.empty()) {
        const Node* n = child(row, Kind::row_name)->children[0];
        declare_name(*n, {Meaning::kind, no_id, game_.kind_count(), n, {}});
    }
    if (values.size() != family.fields.size()) {
        report(Code::row_does_not_fit, row.span, values.size(), family.fields.size());
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Field& f = family.fields[i];
        ExpressionId e = values[i]->kind == Kind::players ? number(*values[i]) : expression(*values[i]);
        e = as_type(e, f.type, f.name);
        if (is_broken(e)) {
            kind.values.push_back(0);
            continue;
        }
        if (f.type.base == Base::set) {
            if (at(e).op != Operator::set_constant) report(Code::not_constant, values[i]->span);
            kind.values.push_back(at(e).op == Operator::set_constant ? at(e).imm : 0);
        } else {
            if (!value_of(e)) report(Code::not_constant, values[i]->span);
            kind.values.push_back(value_of(e).value_or(0));
        }
    }
    add_kind(std::move(kind), family);
}

void Checker::finish_fields(Family& family) {
    for (std::size_t i = 0; i < family.fields.size(); ++i) {
        Field& f = family.fields[i];
        std::vector<std::int32_t> table(game_.kinds.size(), -1);
        for (KindId k = family.first_kind; k < family.first_kind + family.kind_count; ++k) {
            const auto& values = game_.kinds[k].values;
            if (i < values.size()) table[k] = values[i];
        }
        if (f.table == no_id) {
            f.table = game_.tables.next();
            game_.tables.push_back(std::move(table));
        } else {
            game_.tables[f.table] = std::move(table);
        }
    }
}

void Checker::declare_family(const Node& d) {
    const Node& name = *d.children[0];
    Family family;
    family.name = name.text;
    family.span = d.span;
    family.first_kind = KindId(game_.kinds.size());
    const FamilyId id = game_.families.next();
    declare_name(name, {Meaning::family, id, 0, &name, {}});
    game_.families.push_back(family);
    bool rows = false;
    for (const Node* c : d.children) {
        if (c->kind == Kind::field) declare_field(*c, family);
        if (c->kind == Kind::each_row) add_every_kind(*c, family);
        if (c->kind == Kind::row) add_row(*c, family);
        rows = rows || c->kind == Kind::each_row || c->kind == Kind::row;
    }
    if (!rows) report(Code::missing_declaration, d.span, verbatim("N of each")).help = Text::say_how_many;
    finish_fields(family);
    game_.families[id] = family;
    for (auto& [n, m] : globals_) {
        if (m.what != Meaning::kind || m.amount < family.first_kind || m.amount >= family.first_kind + family.kind_count) continue;
        m.id = Operand(m.amount);
        m.type = kind_type(id);
    }
}

void Checker::number_pieces() {
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        PieceKind& kind = game_.kinds[k];
        kind.first_piece = game_.piece_kind.size();
        const std::size_t room = piece_limit - std::min(piece_limit, game_.piece_kind.size());
        if (static_cast<std::size_t>(kind.copies) > room) {
            std::int64_t all = 0;
            for (const PieceKind& any : game_.kinds) all += any.copies;
            report(Code::limit_passed, game_.families[kind.family].span, all, Text::pieces, piece_limit);
            kind.copies = room;
        }
        game_.piece_kind.insert(game_.piece_kind.end(), static_cast<std::size_t>(kind.copies), KindId(k));
    }
    // Families that were read before a later one gave the kinds their full number.
    for (auto& table : game_.tables)
        if (table.size() < game_.kinds.size()) table.resize(game_.kinds.size(), -1);
}

void Checker::declare_zone(const Node& d) {
    Zone zone;
    zone.span = d.children[0]->span;
    zone.name = d.children[0]->text;
    zone.families.assign(game_.families.size(), false);
    bool seen = false;
    for (const Node* c : d.children) {
        switch (c->kind) {
            case Kind::of_index:
                if (c->children[0]->kind == Kind::word) {
                    zone.by = IndexBy::player;
                    zone.places = game_.players;
                } else {
                    const auto m = globals_.find(c->children[0]->text);
                    if (m == globals_.end() || m->second.what != Meaning::enumeration) {
                        unknown_name(*c->children[0], {"player"});
                        break;
                    }
                    used_.insert(c->children[0]->text);
                    zone.by = IndexBy::enumeration;
                    zone.index_enum = m->second.id;
                    zone.places = game_.enums[m->second.id].values.size();
                }
                break;
            case Kind::word:
                zone.shape = c->text == "set" ? Shape::set : c->text == "row" ? Shape::row : c->text == "stack" ? Shape::stack : Shape::one;
                break;
            case Kind::families:
                if (c->children.empty()) zone.families.assign(game_.families.size(), true);
                for (const Node* f : c->children) {
                    const auto m = globals_.find(f->text);
                    if (m == globals_.end() || m->second.what != Meaning::family) {
                        unknown_name(*f);
                        continue;
                    }
                    used_.insert(f->text);
                    zone.families[m->second.id] = true;
                }
                break;
            case Kind::capacity:
                zone.capacity = constant_number(*c->children[0]).value_or(0);
                break;
            case Kind::seers: {
                const std::string& w = c->children[0]->text;
                zone.seers = w == "all" ? Seers::all : w == "owner" ? Seers::owner : w == "others" ? Seers::others : Seers::nobody;
                seen = true;
                if ((w == "owner" || w == "others") && zone.by != IndexBy::player)
                    report(Code::misplaced, c->span, Text::zone_without_owner);
                break;
            }
            default:
                break;
        }
    }
    if (!seen) report(Code::no_seers, d.children[0]->span, zone.name).help = Text::say_who_sees;
    std::int32_t fit = 0;
    for (const PieceKind& k : game_.kinds)
        if (zone.families[k.family]) fit += k.copies;
    if (zone.shape == Shape::one)
        zone.capacity = 1;
    else if (zone.capacity == 0 || zone.capacity > fit)
        zone.capacity = fit;
    declare_name(*d.children[0], {Meaning::zone, game_.zones.next(), 0, d.children[0], {}});
    game_.zones.push_back(std::move(zone));
}

void Checker::number_places() {
    for (Zone& z : game_.zones) {
        z.first_place = game_.places;
        game_.places += z.places;
    }
    if (game_.places > place_limit) report(Code::limit_passed, game_.zones.back().span, game_.places, Text::places, place_limit);
}

void Checker::declare_fact(const Node& d) {
    Fact fact;
    fact.span = d.children[0]->span;
    fact.name = d.children[0]->text;
    std::size_t at = 1;
    if (d.children[at]->kind == Kind::of_index) {
        const Node& index = *d.children[at]->children[0];
        if (index.kind == Kind::word) {
            fact.by = IndexBy::player;
            fact.count = game_.players;
        } else {
            const auto m = globals_.find(index.text);
            if (m == globals_.end() || m->second.what != Meaning::enumeration)
                unknown_name(index, {"player"});
            else {
                used_.insert(index.text);
                fact.by = IndexBy::enumeration;
                fact.index_enum = m->second.id;
                fact.count = game_.enums[m->second.id].values.size();
            }
        }
        ++at;
    }
    fact.type = read_type(d, at, fact.name);
    bool lasts = false;
    bool seen = false;
    for (const Node* c : d.children) {
        if (c->kind == Kind::initial) {
            ExpressionId e = c->children[0]->kind == Kind::players && fact.type.base == Base::number ? number(*c->children[0])
                                                                                                     : expression(*c->children[0]);
            fact.initial = as_type(e, fact.type, fact.name);
            if (is_broken(fact.initial))
                fact.initial = no_id;
            else if (!value_of(fact.initial) && this->at(fact.initial).op != Operator::set_constant)
                report(Code::not_constant, c->span);
        }
        if (c->kind == Kind::lasts) {
            lasts = true;
            fact.lasts = lasts_game;
            if (c->children[0]->kind == Kind::name) field_names_["lasts " + fact.name] = c->children[0];
        }
        if (c->kind == Kind::seers) {
            const std::string& w = c->children[0]->text;
            fact.seers = w == "all" ? Seers::all : w == "owner" ? Seers::owner : w == "others" ? Seers::others : Seers::nobody;
            seen = true;
            if ((w == "owner" || w == "others") && fact.by != IndexBy::player) report(Code::misplaced, c->span, Text::fact_without_owner);
        }
    }
    if (!lasts) report(Code::no_lasts, fact.span, fact.name).help = Text::say_how_long;
    if (!seen) report(Code::no_seers, fact.span, fact.name).help = Text::say_who_sees;
    declare_name(*d.children[0], {Meaning::fact, game_.facts.next(), 0, d.children[0], {}});
    game_.facts.push_back(std::move(fact));
}

std::vector<VariableId> Checker::declare_parameters(const Node* parameters, RuleId rule) {
    std::vector<VariableId> ids;
    if (parameters == nullptr) return ids;
    const RuleId saved = std::exchange(rule_, rule);
    for (const Node* p : parameters->children) {
        std::size_t at = 0;
        Type t = read_type(*p, at, p->children.back()->text);
        if (t.base == Base::kind) t = card_type(t.of);  // what lies somewhere, so that it can be moved
        if (globals_.contains(p->children.back()->text)) report(Code::name_taken, p->children.back()->span, p->children.back()->text);
        ids.push_back(new_variable(p->children.back()->text, t, {}));
    }
    rule_ = saved;
    return ids;
}

// Names of everything first, so that order in the file does not matter to rules.
void Checker::declare_all() {
    using K = Kind;
    const auto each = [&](K kind, const std::function<void(const Node&)>& f) {
        for (const Node* d : merged_.declarations)
            if (d->kind == kind) f(*d);
    };
    for (const OptionValue& o : merged_.options) {
        if (o.reading) continue;
        for (const Offer& offer : merged_.offers) {
            if (offer.name != o.name) continue;
            Meaning m{Meaning::option, no_id, 0, nullptr, truth_type()};
            if (o.value == "yes" || o.value == "no")
                m.amount = o.value == "yes" ? 1 : 0;
            else if (!o.value.empty() && o.value.find_first_not_of("0123456789") == std::string::npos && o.value.size() < 9) {
                m.amount = std::stoi(o.value);
                m.type = number_type(m.amount, m.amount);
            } else {
                const auto& values = offer.values;
                m.id = game_.enums.next();
                game_.enums.push_back({o.name, values});
                m.type = {Base::enumeration, Base::nothing, m.id, 0, static_cast<std::int32_t>(values.size()) - 1, 1, false};
                for (std::size_t v = 0; v < values.size(); ++v) {
                    if (values[v] == o.value) m.amount = v;
                    globals_.emplace(values[v], Meaning{Meaning::value, m.id, static_cast<std::int32_t>(v), nullptr, m.type});
                }
            }
            globals_[o.name] = m;
        }
    }
    each(K::d_enum, [&](const Node& d) { declare_enum(d); });
    each(K::d_cards, [&](const Node& d) { declare_family(d); });
    number_pieces();
    each(K::d_zone, [&](const Node& d) { declare_zone(d); });
    number_places();
    each(K::d_define, [&](const Node& d) { declare_name(*d.children[0], {Meaning::define, no_id, 0, &d, {}}); });
    each(K::d_fact, [&](const Node& d) { declare_fact(d); });
    declare_rules();
}

void Checker::declare_rules() {
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_rule) {
            Rule rule;
            rule.name = d->children[0]->text;
            rule.span = d->children[0]->span;
            declare_name(*d->children[0], {Meaning::rule, game_.rules.next(), 0, d->children[0], {}});
            game_.rules.push_back(rule);
        } else if (d->kind == Kind::d_act) {
            Act act;
            act.name = d->children[0]->text;
            act.span = d->children[0]->span;
            declare_name(*d->children[0], {Meaning::act, game_.acts.next(), 0, d->children[0], {}});
            game_.acts.push_back(act);
        } else if (d->kind == Kind::d_match) {
            game_.match_name = d->children[0]->text;
            declare_name(*d->children[0], {Meaning::match, Operand(0), 0, d->children[0], {}});
        }
    }
    const auto of_match = [&](const Node& d) {
        const Node* stage = child(d, Kind::of_stage);
        return stage != nullptr && stage->children[0]->kind == Kind::name && stage->children[0]->text == game_.match_name;
    };
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_end) {
            const Node& name = *child(*d, Kind::name);
            declare_name(name, {Meaning::end, game_.ends.next(), 0, &name, {}});
            game_.ends.push_back({name.text, of_match(*d), {}, no_id, name.span});
        } else if (d->kind == Kind::d_ends) {
            for (const Node* e : d->children) {
                if (e->kind != Kind::end_entry) continue;
                const Node& name = *e->children[0];
                declare_name(name, {Meaning::end, game_.ends.next(), 0, &name, {}});
                game_.ends.push_back({name.text, of_match(*d), {}, no_id, name.span});
            }
        }
    }
    leads_.resize(game_.rules.size() + game_.ends.size());
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_rule) {
            const Meaning& m = globals_[d->children[0]->text];
            if (m.what != Meaning::rule) continue;  // the name was taken
            const RuleId id = m.id;
            game_.rules[id].parameters = declare_parameters(child(*d, Kind::parameters), id);
        } else if (d->kind == Kind::d_end) {
            const Meaning& m = globals_[child(*d, Kind::name)->text];
            if (m.what != Meaning::end) continue;
            const EndId id = m.id;
            game_.ends[id].parameters = declare_parameters(child(*d, Kind::parameters), no_id);
        }
    }
    for (Fact& fact : game_.facts) {
        const auto named = field_names_.find("lasts " + fact.name);
        if (named == field_names_.end()) continue;
        const Node& n = *named->second;
        const auto m = globals_.find(n.text);
        if (m != globals_.end() && m->second.what == Meaning::rule)
            fact.lasts = m->second.id;
        else if (m != globals_.end() && m->second.what == Meaning::match)
            fact.lasts = lasts_match;
        else
            unknown_name(n, {"game"});
        used_.insert(n.text);
        if (fact.lasts != lasts_game && fact.lasts != lasts_match) game_.rules[fact.lasts].reset_facts = true;
    }
}

// --- rules

void Checker::collect_text(const Node& d, const std::string& name) {
    if (const Node* text = child(d, Kind::text)) say(game_.texts, {text_language(text->span), name, text->text});
}

void Checker::check_rule(Rule& rule, const Node& d) {
    rule_ = RuleId(&rule - game_.rules.data());
    scopes_.emplace_back();
    const Node* parameters = child(d, Kind::parameters);
    for (std::size_t i = 0; i < rule.parameters.size(); ++i) {
        const Node& name = *parameters->children[i]->children.back();
        scopes_.back().names[name.text] = {variable_expression(rule.parameters[i], name.span), rule.parameters[i]};
    }
    reading_node_ = node_of_rule(rule_);
    const StatementId b = body(child(d, Kind::body));
    game_.rules[rule_].body = b;
    scopes_.pop_back();
    rule_ = no_id;
    reading_node_ = no_id;
    collect_text(d, d.children[0]->text);
}

void Checker::check_act(Act& act, const Node& d) {
    const std::size_t index = &act - game_.acts.data();
    scopes_.emplace_back();
    const Node* parameters = child(d, Kind::parameters);
    if (parameters == nullptr || parameters->children.size() != 1) {
        report(Code::wrong_arguments, d.children[0]->span, act.name, 1, parameters ? parameters->children.size() : 0).help =
            Text::who_acts(act.name);
    } else {
        const std::vector<VariableId> ids = declare_parameters(parameters, no_id);
        game_.acts[index].parameter = ids[0];
        const Node& name = *parameters->children[0]->children.back();
        scopes_.back().names[name.text] = {variable_expression(ids[0], name.span), ids[0]};
    }
    Act result = game_.acts[index];
    for (const Node* c : d.children) {
        if (c->kind == Kind::word) result.any_time = c->text == "any";
        if (c->kind == Kind::unless) {
            result.unless = truth(*c->children[0]);
            if (result.parameter != no_id) must_know(variable_expression(result.parameter, c->span), result.unless);
        }
        if (c->kind == Kind::odds) {
            result.odds = std::stoi(c->children[0]->text.substr(0, 6));
            result.odds_of = std::max(1, std::stoi(c->children[1]->text.substr(0, 6)));
        }
    }
    if (child(d, Kind::unless) == nullptr) report(Code::no_unless, d.children[0]->span, act.name).help = Text::say_unless;
    if (child(d, Kind::odds) == nullptr) report(Code::no_simulation, d.children[0]->span).help = Text::say_how_often;
    result.body = body(child(d, Kind::body));
    no_decision_inside(result.body);
    game_.acts[index] = result;
    scopes_.pop_back();
    collect_text(d, d.children[0]->text);
}

void Checker::check_end(End& end, const Node& d) {
    const std::size_t index = &end - game_.ends.data();
    scopes_.emplace_back();
    const Node* parameters = child(d, Kind::parameters);
    for (std::size_t i = 0; i < end.parameters.size(); ++i) {
        const Node& name = *parameters->children[i]->children.back();
        scopes_.back().names[name.text] = {variable_expression(end.parameters[i], name.span), end.parameters[i]};
    }
    reading_node_ = node_of_end(static_cast<EndId>(index));
    const StatementId b = child(d, Kind::body) ? body(child(d, Kind::body)) : no_id;
    game_.ends[index].body = b;
    reading_node_ = no_id;
    scopes_.pop_back();
    collect_text(d, child(d, Kind::name)->text);
}

void Checker::check_ends(const Node& d) {
    EndCheck check;
    check.span = d.span;
    for (const Node* e : d.children) {
        if (e->kind != Kind::end_entry) continue;
        const Meaning& meaning = globals_[e->children[0]->text];
        if (meaning.what != Meaning::end || meaning.id == no_id) continue;  // the name was taken
        const EndId id = meaning.id;
        check.of_match = game_.ends[id].of_match;
        const Node* condition = nullptr;
        for (std::size_t i = 1; i < e->children.size(); ++i)
            if (e->children[i]->kind != Kind::text && e->children[i]->kind != Kind::body) condition = e->children[i];
        const ExpressionId c = truth(*condition);
        reading_node_ = node_of_end(id);
        const StatementId b = child(*e, Kind::body) ? body(child(*e, Kind::body)) : no_id;
        game_.ends[id].body = b;
        reading_node_ = no_id;
        collect_text(*e, e->children[0]->text);
        if (!is_broken(c)) check.ends.emplace_back(id, c);
        used_.insert(e->children[0]->text);
    }
    const CheckId index = game_.checks.next();
    game_.checks.push_back(std::move(check));
    for (const Node* n : child(d, Kind::after)->children) {
        const auto m = globals_.find(n->text);
        if (m != globals_.end() && m->second.what == Meaning::rule)
            game_.rules[m->second.id].ends.push_back(index);
        else if (m != globals_.end() && m->second.what == Meaning::act)
            game_.acts[m->second.id].ends.push_back(index);
        else
            unknown_name(*n);
    }
}

// A define is read where it is used; once by itself too, so that one nobody uses is checked.
void Checker::check_define_alone(const Node& d) {
    scopes_.emplace_back();
    if (const Node* parameters = child(d, Kind::parameters)) {
        for (const Node* p : parameters->children) {
            std::size_t at = 0;
            const Node& name = *p->children.back();
            if (globals_.contains(name.text)) report(Code::name_taken, name.span, name.text);
            const VariableId v = new_variable(name.text, read_type(*p, at, name.text), {});
            scopes_.back().names[name.text] = {variable_expression(v, name.span), v};
        }
    }
    defining_.push_back(d.children[0]->text);
    expression(*d.children.back());
    defining_.pop_back();
    scopes_.pop_back();
}

void Checker::check_winner(const Node& d) {
    Winner& w = game_.winner;
    w.present = true;
    ExpressionId set = players(*d.children[0]);
    if (is_broken(set)) return;
    w.set = set;
    w.last = LastWord::shared;
    const Node* last = d.children.back()->kind == Kind::word ? d.children.back() : nullptr;
    if (last == nullptr) {
        const bool single =
            at(set).op == Operator::set_single || (at(set).op == Operator::set_constant && game_.sets[at(set).imm].size() == 1);
        if (!single) report(Code::no_last_word, d.span).help = Text::say_last_word;
    } else {
        w.last = last->text == "shared" ? LastWord::shared : last->text == "nobody" ? LastWord::nobody : LastWord::by_lot;
    }
    Winner result = w;
    result.bound = comprehend(set, nullptr, true, [&] {
        for (const Node* c : d.children) {
            if (c->kind != Kind::then_by) continue;
            result.keys.push_back({c->children[0]->text == "most", number(*c->children[1])});
        }
    });
    game_.winner = result;
}

void Checker::check_scores() {
    for (const char* name : {"score", "payoff"}) {
        const auto m = globals_.find(name);
        if (m == globals_.end() || m->second.what != Meaning::define) continue;
        const Node* parameters = child(*m->second.node, Kind::parameters);
        if (parameters == nullptr || parameters->children.size() != 1 || parameters->children[0]->children[0]->kind != Kind::t_player)
            continue;
        used_.insert(name);
        const ExpressionId all = expression(Node{Kind::players, m->second.node->span, "", {}});
        ExpressionId value = no_id;
        const BoundId bound = comprehend(all, nullptr, true, [&] {
            const Node it{Kind::it, m->second.node->span, "", {}};
            const ExpressionId e = expression(it);
            value = as_number(call_define(*m->second.node, {e}, *m->second.node));
        });
        if (is_broken(value)) continue;
        // Both stand under the same bound, so that one loop over the players reads them.
        if (game_.score_bound == no_id) game_.score_bound = bound;
        if (bound != game_.score_bound) {
            for (Expression& x : game_.expressions)
                if (x.op == Operator::bound && x.imm == bound) x.imm = game_.score_bound;
        }
        (std::string_view(name) == "score" ? game_.score : game_.payoff) = value;
    }
}

void Checker::check_total(const Node& d) {
    const Node& what = *d.children[0];
    const auto stated = constant_number(*d.children[1]);
    if (!stated) return;
    std::int32_t sum = 0;
    const auto m = globals_.find(what.text);
    const bool all = what.kind == Kind::word;
    if (!all && (m == globals_.end() || m->second.what != Meaning::family)) {
        unknown_name(what);
        return;
    }
    for (const PieceKind& k : game_.kinds)
        if (all || k.family == m->second.id) sum += k.copies;
    if (sum == *stated) return;
    Diagnostic& wrong = report(Code::total_differs, d.span, *stated, sum);
    if (is_own(d.span)) return;
    // A house rule changed the cards of a game that states how many there are.
    for (const auto& [name, change] : merged_.changed) {
        if (!globals_.contains(name) || globals_.at(name).what != Meaning::family || (!all && name != what.text)) continue;
        wrong.labels.push_back({change.span, Text::changed_here});
        break;
    }
    wrong.help = Text::replace_total(what.text, sum);
}

// Whether the name stands anywhere but in labels and texts: also where this variant of the game does not come.
static bool stands_in(const SyntaxNode& node, const std::string& name) {
    if (node.kind == Kind::d_labels || node.kind == Kind::d_texts) return false;
    return (node.children.empty() && node.text == name) ||
           std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return stands_in(*c, name); });
}

// What is said later outranks what was said before.
void Checker::say(std::vector<NamedText>& out, NamedText text) {
    const auto [at, added] = (&out == &game_.labels ? label_at_ : text_at_).emplace(std::pair(text.language, text.name), out.size());
    if (added)
        out.push_back(std::move(text));
    else
        out[at->second] = std::move(text);
}

void Checker::check_labels(const Node& d, std::vector<NamedText>& out) {
    const std::string language = d.children[0]->text;
    for (std::size_t i = 1; i < d.children.size(); ++i) {
        const Node& name = *d.children[i]->children[0];
        say(out, {language, name.text, d.children[i]->children[1]->text});
        bool known = globals_.contains(name.text) || name.kind == Kind::number || name.text == "setup" || name.text == "play";
        for (const std::string& w : game_.words) known = known || w == name.text;
        for (const Family& f : game_.families)
            for (const Field& field : f.fields) known = known || field.name == name.text;
        for (const OptionValue& o : merged_.options) known = known || o.name == name.text;
        for (const Offer& o : merged_.offers) known = known || std::find(o.values.begin(), o.values.end(), name.text) != o.values.end();
        if (!known && settings_.empty() && !stands_in(*syntax_.root, name.text)) unknown_name(name);
    }
}

// Whether the example is one of this variant: the one it names, or the file's own (with the option of a `when` that it stands in).
bool Checker::has_example(const Node& d) {
    bool fits = true;
    if (const Node* n = child(d, Kind::for_players)) {
        const int wanted = std::stoi(n->children[0]->text.substr(0, 4));
        const PlayerRange range = player_range(syntax_);
        if (wanted < range.low || wanted > range.high) {
            report(Code::wrong_player_count, n->span, text_of(range), wanted);
        }
        fits = wanted == players_;
    }
    Settings wanted;
    for (const Node* c : d.children) {
        if (c->kind != Kind::with_option) continue;
        const Node& v = *c->children[1];
        const std::string& name = c->children[0]->text;
        const std::string value = v.kind == Kind::yes ? "yes" : v.kind == Kind::no ? "no" : v.text;
        wanted[name] = value;
        const auto& all = merged_.offers;
        const auto offer = std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.name == name; });
        if (offer == all.end())
            report(Code::unknown_option, c->children[0]->span, name);
        else if (std::find(offer->values.begin(), offer->values.end(), value) == offer->values.end())
            report(Code::option_value, v.span, name, value);
        fits = fits && std::any_of(merged_.options.begin(), merged_.options.end(),
                                   [&](const OptionValue& o) { return o.name == name && o.value == value; });
    }
    const auto& top = layers(syntax_).back()->children;
    if (std::find(top.begin(), top.end(), &d) == top.end()) return fits;
    for (const Offer& o : merged_.offers) {
        const auto set = settings_.find(o.name);
        if (set != settings_.end() && !o.values.empty() && set->second != o.values.front() && !wanted.contains(o.name)) return false;
    }
    return fits;
}

// The cards of `given P1's hand is [white 1], …`.
void Checker::check_laid(const Node& values, Given& given) {
    const Zone& zone = game_.zones[given.zone];
    for (const Node* v : values.children) {
        const ExpressionId e = expression(*v);
        if (is_broken(e)) continue;
        const bool nothing = type(e).base == Base::set && at(e).op == Operator::set_constant && type(e).element == Base::nothing;
        if (nothing) continue;
        const ExpressionId k = as_kind(e);
        if (is_broken(k)) continue;
        const auto kind = value_of(k);
        if (!kind || *kind < 0) {
            report(Code::not_constant, v->span);
            continue;
        }
        const FamilyId family = game_.kinds[*kind].family;
        if (!zone.families[family]) {
            report(Code::family_does_not_fit, v->span, zone.name, game_.families[family].name);
            continue;
        }
        given.kinds.push_back(*kind);
    }
}

void Checker::check_given(const Node& c, Example& example) {
    Given given;
    given.span = c.span;
    const ExpressionId target = expression(*c.children[0]);
    const Node& values = *c.children[1];
    if (is_broken(target)) return;
    const Expression x = at(target);
    const auto constant_value = [&](ExpressionId e) {
        return is_broken(e) || value_of(e).has_value() || at(e).op == Operator::set_constant;
    };
    if (x.op == Operator::fact || x.op == Operator::set_fact) {
        given.fact = x.named();
        given.index = x.a;
        const Fact& fact = game_.facts[x.named()];
        if (values.children.size() != 1) {
            report(Code::wrong_type, values.span, describe(fact.type), Text::count_of_values(values.children.size()));
            return;
        }
        given.value = as_type(values.children[0]->kind == Kind::players && fact.type.base == Base::number ? number(*values.children[0])
                                                                                                          : expression(*values.children[0]),
                              fact.type, fact.name);
        if (is_broken(given.value)) return;
        if (!constant_value(given.value)) {
            report(Code::not_constant, values.span);
            return;
        }
    } else if (x.op == Operator::cards_at && at(x.a).op == Operator::place) {
        given.zone = at(x.a).named();
        given.index = at(x.a).a;
        check_laid(values, given);
    } else if (c.children[0]->kind == Kind::e_every) {  // the same in each of them
        given.zone = x.named();
        check_laid(values, given);
        const Zone& zone = game_.zones[given.zone];
        for (std::int32_t i = 0; i < zone.places; ++i) {
            given.index = constant(number_type(0, zone.places - 1), i, given.span);
            example.given.push_back(given);
        }
        return;
    } else {
        report(Code::wrong_type, c.children[0]->span, Text::a_zone_or_fact, describe(x.type));
        return;
    }
    if (given.index != no_id && !value_of(given.index)) {
        report(Code::not_constant, c.children[0]->span);
        return;
    }
    example.given.push_back(std::move(given));
}

void Checker::check_accept(const Node& d) {
    std::vector<std::string> classes{
#define HOUSERULE_FINDING_CLASS(name, text) text,
#include "dsl/game/finding_classes.def"
#undef HOUSERULE_FINDING_CLASS
    };
    for (std::string& c : classes) std::replace(c.begin(), c.end(), '-', '_');
    const Node& name = *d.children[0];
    if (std::find(classes.begin(), classes.end(), name.text) != classes.end()) return;
    const std::string near = closest(name.text, classes);
    Diagnostic& found = report(Code::unknown_name, name.span, name.text);
    found.help = near.empty() ? Text::classes_of_findings(listed(classes)) : Text::did_you_mean(near);
    if (!near.empty()) found.edit = Edit{name.span, near};
}

void Checker::check_example(const Node& d) {
    if (!has_example(d)) return;
    const std::set<std::string> used = used_;  // what only examples use, the game does not
    Example example;
    example.title = d.children[0]->text;
    example.span = d.children[0]->span;
    scopes_.emplace_back();
    in_example_ = true;
    for (const Node* c : d.children) {
        if (c->kind == Kind::given) check_given(*c, example);
        if (c->kind == Kind::do_rule) {
            const StatementId s = call(*c);
            if (s == no_id) continue;
            example.steps.emplace_back(s, true);
            example.given_before.push_back(example.given.size());
        } else if (c->kind == Kind::then_holds) {
            const ExpressionId e = truth(*c->children[0]);
            if (is_broken(e)) continue;
            example.steps.emplace_back(e, false);
            example.given_before.push_back(example.given.size());
        }
    }
    in_example_ = false;
    scopes_.pop_back();
    used_ = used;
    game_.examples.push_back(std::move(example));
}

void Checker::check_rules() {
    for (const Node* d : merged_.declarations) {
        const auto meaning = [&](const Node& n) -> const Meaning& { return globals_[n.text]; };
        switch (d->kind) {
            case Kind::d_define:
                check_define_alone(*d);
                break;
            case Kind::d_rule:
                if (meaning(*d->children[0]).what == Meaning::rule && game_.rules[meaning(*d->children[0]).id].body == no_id) {
                    check_rule(game_.rules[meaning(*d->children[0]).id], *d);
                }
                break;
            case Kind::d_act:
                if (meaning(*d->children[0]).what == Meaning::act) check_act(game_.acts[meaning(*d->children[0]).id], *d);
                break;
            case Kind::d_end: {
                const Node& n = *child(*d, Kind::name);
                if (meaning(n).what == Meaning::end) check_end(game_.ends[meaning(n).id], *d);
                break;
            }
            case Kind::d_ends:
                check_ends(*d);
                break;
            case Kind::d_setup:
                game_.setup = body(child(*d, Kind::body));
                collect_text(*d, "setup");
                break;
            case Kind::d_play:
                game_.play = body(child(*d, Kind::body));
                collect_text(*d, "play");
                break;
            case Kind::d_match:
                in_match_ = true;
                game_.match = body(child(*d, Kind::body));
                in_match_ = false;
                collect_text(*d, d->children[0]->text);
                break;
            case Kind::d_assume:
            case Kind::d_unclear:
                game_.assumptions.emplace_back(d->children[0]->text, d->span);
                break;
            default:
                break;
        }
    }
    if (game_.play == no_id) report(Code::missing_declaration, {}, verbatim("play")).help = Text::play_says;
}

void Checker::hash_rules() {
    std::string text;
    const std::function<void(const Node&)> write = [&](const Node& n) {
        switch (n.kind) {
            case Kind::text:
            case Kind::d_labels:
            case Kind::d_texts:
            case Kind::d_example:
            case Kind::d_assume:
            case Kind::d_unclear:
            case Kind::d_accept:
            case Kind::evenly:  // is the same as silence
            case Kind::base:
                return;
            default:
                break;
        }
        text += kind_name(n.kind);
        text += ' ';
        text += n.text;
        text += '(';
        for (const Node* c : n.children) write(*c);
        text += ')';
    };
    for (const Node* d : merged_.declarations) write(*d);
    game_.hash = fnv1a(text);
}

void Checker::gather(Vocabulary& all) const {
    const auto declared = [&](const auto& things) {
        for (const auto& thing : things) all.declared.emplace(thing.name, thing.span);
    };
    declared(game_.zones);
    declared(game_.facts);
    declared(game_.rules);
    declared(game_.ends);
    for (const Act& a : game_.acts)
        if (!a.any_time) all.declared.emplace(a.name, a.span);
    for (const Node* d : merged_.declarations) {
        const bool any_card = std::any_of(game_.zones.begin(), game_.zones.end(),
                                          [](const Zone& z) { return std::count(z.families.begin(), z.families.end(), false) == 0; });
        // An enum is used where one of its values is.
        if (d->kind == Kind::d_enum &&
            std::any_of(d->children.begin(), d->children.end(), [&](const Node* v) { return used_.contains(v->text); }))
            all.used.insert(d->children[0]->text);
        if (d->kind == Kind::d_define || d->kind == Kind::d_enum || (d->kind == Kind::d_cards && !any_card))
            all.declared.emplace(d->children[0]->text, d->children[0]->span);
        // What a house rule does not say in a language, and what its base does not, is asked of that file alone.
        if (!is_own(d->span)) continue;
        // The names themselves are in the language of the file.
        if (d->kind == Kind::d_labels && d->children[0]->text != game_.text_language)
            all.labels_begun.emplace(d->children[0]->text, d->children[0]->span);
        if (d->kind == Kind::d_texts) all.texts_begun.emplace(d->children[0]->text, d->children[0]->span);
    }
    all.used.insert(used_.begin(), used_.end());
    std::set<std::string> shown(all.shown.begin(), all.shown.end());
    std::set<std::string> told(all.told.begin(), all.told.end());
    const auto add = [&](std::vector<std::string>& names, const std::string& name) {
        std::set<std::string>& known = &names == &all.told ? told : shown;
        if (!name.empty() && known.insert(name).second) names.push_back(name);
    };
    add(all.shown, game_.name);
    for (const EnumType& e : game_.enums)
        for (const std::string& v : e.values) add(all.shown, v);
    for (const Family& f : game_.families) add(all.shown, f.name);
    for (const PieceKind& k : game_.kinds) add(all.shown, k.name);
    for (const Zone& z : game_.zones) add(all.shown, z.name);
    for (const Fact& f : game_.facts) add(all.shown, f.name);
    for (const Act& a : game_.acts) add(all.shown, a.name);
    for (const End& e : game_.ends) add(all.shown, e.name);
    for (const std::string& w : game_.words) add(all.shown, w);
    for (const NamedText& l : game_.labels) all.labels.emplace(l.language, l.name);
    for (const NamedText& t : game_.texts) {
        all.texts.emplace(t.language, t.name);
        if (t.language == game_.text_language) add(all.told, t.name);
    }
}

void Checker::read_all() {
    const std::size_t first = diagnostics_.size();
    merged_ = merge(syntax_, settings_, diagnostics_);
    game_.options = merged_.options;
    scopes_.emplace_back();
    declare_header();
    declare_all();
    check_rules();
    if (!find_recursion()) {
        find_long_chain();
        find_what_asks();
        ask_for_orders();
    }
    check_scores();
    bool has_winner = false;
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_winner) {
            check_winner(*d);
            has_winner = true;
        }
        if (d->kind == Kind::d_total) check_total(*d);
        if (d->kind == Kind::d_accept) check_accept(*d);
        if (d->kind == Kind::d_example) check_example(*d);
        if (d->kind == Kind::d_labels) check_labels(*d, game_.labels);
        if (d->kind == Kind::d_texts) check_labels(*d, game_.texts);
    }
    for (const Offer& o : merged_.offers)
        if (!o.text.empty()) say(game_.texts, {text_language(o.span), o.name, o.text});
    if (!has_winner && game_.payoff == no_id) report(Code::no_winner, {}).help = Text::winner_line;
    hash_rules();
    name_both(merged_, diagnostics_, first);
}

Game Checker::run(Vocabulary* vocabulary) {
    read_all();
    if (vocabulary != nullptr) gather(*vocabulary);
    return std::move(game_);
}

ClaimedGame Checker::run_with(const std::vector<Syntax>& claims) {
    read_all();
    ClaimedGame claimed;
    in_claim_ = true;
    for (const Syntax& claim : claims) {
        const std::ptrdiff_t before = diagnostics_.size();
        scopes_.emplace_back();
        const ExpressionId holds = truth(*claim.root);
        scopes_.pop_back();
        const bool wrong = std::any_of(diagnostics_.begin() + before, diagnostics_.end(),
                                       [](const Diagnostic& d) { return info(d.code).severity == Severity::error; });
        if (wrong || is_broken(holds))
            claimed.claims.emplace_back();
        else
            claimed.claims.push_back({holds, negate(holds, claim.root->span)});
    }
    claimed.game = std::move(game_);
    return claimed;
}

// --- the door

PlayerRange player_range(const Syntax& syntax) {
    const SyntaxNode* players = nullptr;
    for (const SyntaxNode* layer : layers(syntax)) {
        for (const SyntaxNode* d : layer->children) {
            const bool replaces = d->kind == Kind::d_replace && d->children[0]->kind == Kind::d_players;
            if (replaces)
                players = d->children[0];
            else if (d->kind == Kind::d_players && players == nullptr)
                players = d;
        }
    }
    PlayerRange r;
    if (players == nullptr) return r;
    for (const SyntaxNode* c : players->children) {
        if (c->kind != Kind::number) continue;
        const int n = std::stoi(c->text.substr(0, 6));
        if (r.low == 0) r.low = n;
        r.high = n;
    }
    return r;
}

PlayerRange playable_range(const Syntax& syntax) {
    const PlayerRange range = player_range(syntax);
    const int low = std::clamp(range.low, 1, player_limit);
    return {low, std::clamp(range.high, low, player_limit)};
}

Game check(const Syntax& syntax, int players, const Settings& settings, Diagnostics& diagnostics) {
    Checker checker(syntax, players, settings, diagnostics);
    return checker.run();
}

ClaimedGame check_claims(const Syntax& syntax, int players, const Settings& settings, const std::vector<Syntax>& claims,
                         Diagnostics& diagnostics) {
    return Checker(syntax, players, settings, diagnostics).run_with(claims);
}

std::vector<Variant> variants(const Syntax& syntax) {
    std::vector<Variant> all;
    const auto [low, high] = playable_range(syntax);
    for (int n = low; n <= high; ++n) all.push_back({n, {}});
    for (const Offer& offer : offers(syntax)) {
        for (std::size_t v = 1; v < offer.values.size(); ++v)
            for (int n = low; n <= high && all.size() < variant_limit; ++n) all.push_back({n, {{offer.name, offer.values[v]}}});
    }
    return all;
}

namespace {

// `begun`: the languages that have a block of labels, or of texts; `wanted`: the names that should stand in it.
void warn_of_missing(Diagnostics& all, const std::map<std::string, Span>& begun, std::string_view block,
                     const std::vector<std::string>& wanted, const std::set<std::pair<std::string, std::string>>& there) {
    for (const auto& [language, span] : begun) {
        std::vector<std::string> missing;
        for (const std::string& name : wanted)
            if (!there.contains({language, name})) missing.push_back(name);
        if (missing.empty()) continue;
        const std::size_t count = missing.size();
        if (count > names_shown) missing.resize(names_shown), missing.emplace_back("…");
        houserule::report(all, Code::not_translated, span, count, fmt::format("{} {}", block, language), listed(missing));
    }
}

}  // namespace

Diagnostics check_all(const Syntax& syntax) {
    Diagnostics all;
    Vocabulary vocabulary;
    for (const Variant& v : variants(syntax)) {
        Diagnostics found;
        Checker(syntax, v.players, v.settings, found).run(&vocabulary);
        all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
        tidy(all);
        if (all.size() > enough_to_mend && has_errors(all)) break;
    }
    for (const Cleaned& c : syntax.cleaned) houserule::report(all, Code::text_cleaned, c.span, c.characters);
    const std::vector<const SyntaxNode*> stack = layers(syntax);
    if (stack.size() > 1) {
        const auto elsewhere = [&](const std::string& name) { return !stands_in(*stack.back(), name); };
        std::erase_if(vocabulary.shown, elsewhere);
        std::erase_if(vocabulary.told, elsewhere);
    }
    if (!has_errors(all)) {
        for (const auto& [name, span] : vocabulary.declared)
            if (!vocabulary.used.contains(name)) houserule::report(all, Code::never_used, span, name);
        warn_of_missing(all, vocabulary.labels_begun, "labels", vocabulary.shown, vocabulary.labels);
        warn_of_missing(all, vocabulary.texts_begun, "texts", vocabulary.told, vocabulary.texts);
    }
    // What is odd or open in the game itself is told when that is checked.
    const auto of_base = [&](const Diagnostic& d) {
        return info(d.code).severity != Severity::error && d.span != Span{} && d.span.source != stack.back()->span.source;
    };
    std::erase_if(all, of_base);
    tidy(all);
    return all;
}

}  // namespace houserule
