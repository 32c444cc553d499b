// The header, enums, zones, facts, and the names of rules and ends.
#include "dsl/check/declaration_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

constexpr std::int32_t place_limit = 2000;
constexpr std::int32_t numbered_limit = 100;  // of one zone or fact

}  // namespace

void DeclarationReader::declare_header() {
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
    if (range.low < 1)
        report(Code::out_of_range, players->span, verbatim("players"), Text::number_or_more(1), range.low);
    else if (range.low > range.high)
        report(Code::out_of_range, players->span, verbatim("players"), Text::smaller_first, fmt::format("{}..{}", range.low, range.high));
    else if (players_ < range.low || players_ > range.high) {
        if (range.high <= player_limit) report(Code::wrong_player_count, players->span, text_of(range), players_);
        // What else is wrong is told as with a number that it is for.
        const auto [low, high] = playable_range(syntax_);
        game_.players = std::clamp(players_, low, high);
    }
    if (range.high > player_limit) report(Code::limit_passed, players->span, range.high, Text::players, player_limit);
    for (const Node* c : players->children)
        if (c->kind == Kind::word) game_.clockwise = c->text == "clockwise";
    if (const Node* teams = child(*players, Kind::teams)) read_teams(*teams);
}

// Everybody is in one team, and nobody's team is none.
void DeclarationReader::read_teams(const Node& teams) {
    game_.team.assign(game_.players, 0);
    std::vector<bool> placed(game_.players, false);
    const std::size_t before = diagnostics_.size();
    const auto wrong = [&](Span span, const Phrase& what) {
        report(Code::out_of_range, span, verbatim("teams"), Text::each_player_once, what);
    };
    for (std::size_t t = 0; t < teams.children.size(); ++t) {
        const Node& team = *teams.children[t];
        if (team.children.empty()) wrong(team.span, Text::team_of_nobody);
        if (constant_players(team).empty()) continue;
        for (const Node* member : team.children) {
            for (const std::int32_t p : constant_players(*member)) {
                if (placed[p]) wrong(member->span, Text::player_again(fmt::format("P{}", p + 1)));
                placed[p] = true;
                game_.team[p] = t;
            }
        }
    }
    const auto alone = std::find(placed.begin(), placed.end(), false);
    if (alone != placed.end() && diagnostics_.size() == before)
        wrong(teams.span, Text::all_but_player(fmt::format("P{}", alone - placed.begin() + 1)));
}

void DeclarationReader::declare_enum(const Node& d) {
    const Node& name = *d.children[0];
    const EnumId id = declare_values(name.text, {d.children.begin() + 1, d.children.end()});
    declare_name(name, {Meaning::enumeration, id, 0, &name, enum_type(id)});
}

void DeclarationReader::declare_zone(const Node& d) {
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
                zone.capacity = constant_count(*c->children[0], verbatim("at most"), 1).value_or(0);
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
    const auto add = [&](const std::string& name) {
        zone.name = name;
        return Operand(game_.zones.add(zone));
    };
    if (const Node* spots = child(d, Kind::spots)) return each_place(d, *spots, true, add);
    declare_name(*d.children[0], {Meaning::zone, game_.zones.next(), 0, d.children[0], {}});
    add(zone.name);
}

// `NAME at 1..5`: NAME_1 … NAME_5, each declared by `add`, and NAME for them all.
void DeclarationReader::each_place(const Node& d, const Node& spots, bool zone, const std::function<Operand(const std::string&)>& add) {
    const Node& name = *d.children[0];
    const auto low = constant_count(*spots.children[0], verbatim("at"));
    const auto high = constant_count(*spots.children[1], verbatim("at"));
    if (!low || !high) return;
    if (*low > *high) {
        report(Code::out_of_range, spots.span, verbatim("at"), Text::smaller_first, fmt::format("{}..{}", *low, *high));
        return;
    }
    const std::int64_t count = std::int64_t{*high} - *low + 1;
    if (count > numbered_limit) {
        report(Code::limit_passed, spots.span, count, Text::places, numbered_limit);
        return;
    }
    Places places{zone, *low, *high};
    for (std::int32_t n = *low; n <= *high; ++n) {
        Node& one = made_names_.emplace_back(name);
        one.text = fmt::format("{}_{}", name.text, n);
        place_names_.emplace(one.text, name.text);
        const Meaning::What what = zone ? Meaning::zone : Meaning::fact;
        places.each.push_back(add(one.text));
        declare_name(one, {what, places.each.back(), 0, &one, {}});
    }
    declare_name(name, {Meaning::places, no_id, 0, &name, {}});
    places_.emplace(name.text, std::move(places));
}

const std::string& DeclarationReader::written_name(const std::string& name) const {
    const auto found = place_names_.find(name);
    return found == place_names_.end() ? name : found->second;
}

// What is said of all places holds for each that has no words of its own, with its number.
void DeclarationReader::label_places() {
    for (const auto& [one, all] : place_names_) {
        const std::string number = one.substr(all.size() + 1);
        const std::size_t labels = game_.labels.size();
        for (std::size_t i = 0; i < labels; ++i) {
            const NamedText of = game_.labels[i];
            if (of.name == all && !label_at_.contains({of.language, one}))
                say(game_.labels, {of.language, one, of.text + (of.language == "ja" ? "" : " ") + number});
        }
        const std::size_t texts = game_.texts.size();
        for (std::size_t i = 0; i < texts; ++i) {
            const NamedText of = game_.texts[i];
            if (of.name == all && !text_at_.contains({of.language, one})) say(game_.texts, {of.language, one, of.text});
        }
    }
}

void DeclarationReader::number_places() {
    for (Zone& z : game_.zones) {
        z.first_place = game_.places;
        game_.places += z.places;
    }
    if (game_.places > place_limit) report(Code::limit_passed, game_.zones.back().span, game_.places, Text::places, place_limit);
}

void DeclarationReader::declare_fact(const Node& d) {
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
    const Node* const spots = child(d, Kind::spots);
    if (spots != nullptr) ++at;
    const Node& type_node = *d.children[at];
    fact.type = read_type(d, at, fact.name);
    if (type_node.kind == Kind::t_several || type_node.kind == Kind::t_kind)
        report(Code::misplaced, type_node.span, Text::several_is_of_parameters);
    bool lasts = false;
    bool seen = false;
    for (const Node* c : d.children) {
        if (c->kind == Kind::initial) {
            ExpressionId e = c->children[0]->kind == Kind::players && fact.type.base == Base::number ? number(*c->children[0])
                                                                                                     : expression(*c->children[0]);
            fact.initial = folded(as_type(e, fact.type, fact.name));
            if (is_broken(fact.initial))
                fact.initial = no_id;
            else if (!value_of(fact.initial) && this->at(fact.initial).op != Operator::set_constant)
                report(Code::not_constant, c->span);
            else if (const Expression start = this->at(fact.initial); start.op == Operator::set_constant)  // with room for what it becomes
                fact.initial = emit(Operator::set_constant, fact.type, start.span, no_id, no_id, no_id, start.set());
        }
        if (c->kind == Kind::lasts) {
            lasts = true;
            fact.lasts = lasts_game;
            if (c->children[0]->kind == Kind::name) field_names_["lasts " + fact.name] = c->children[0];  // as it is written
        }
        if (c->kind == Kind::quiet) fact.shown = Shown::never;
        if (c->kind == Kind::always_shown) fact.shown = Shown::always;
        if (c->kind == Kind::seers) {
            const std::string& w = c->children[0]->text;
            fact.seers = w == "all" ? Seers::all : w == "owner" ? Seers::owner : w == "others" ? Seers::others : Seers::nobody;
            seen = true;
            if ((w == "owner" || w == "others") && fact.by != IndexBy::player) report(Code::misplaced, c->span, Text::fact_without_owner);
        }
    }
    if (!lasts) report(Code::no_lasts, fact.span, fact.name).help = Text::say_how_long;
    if (!seen) report(Code::no_seers, fact.span, fact.name).help = Text::say_who_sees;
    if (spots != nullptr) {
        each_place(d, *spots, false, [&](const std::string& name) {
            fact.name = name;
            return Operand(game_.facts.add(fact));
        });
        return;
    }
    declare_name(*d.children[0], {Meaning::fact, game_.facts.next(), 0, d.children[0], {}});
    game_.facts.push_back(std::move(fact));
}

std::vector<VariableId> DeclarationReader::declare_parameters(const Node* parameters, RuleId rule) {
    std::vector<VariableId> ids;
    if (parameters == nullptr) return ids;
    const RuleId saved = std::exchange(rule_, rule);
    for (const Node* p : parameters->children) {
        const Type t = parameter_type(*p);
        ids.push_back(new_variable(p->children.back()->text, t, {}));
    }
    rule_ = saved;
    return ids;
}

// Names of everything first, so that order in the file does not matter to rules.
void DeclarationReader::declare_all() {
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
                m.type = enum_type(m.id);
                for (std::size_t v = 0; v < values.size(); ++v) {
                    if (values[v] == o.value) m.amount = v;
                    globals_.emplace(values[v], Meaning{Meaning::value, m.id, static_cast<std::int32_t>(v), nullptr, m.type});
                }
            }
            globals_[o.name] = m;
        }
    }
    each(K::d_enum, [&](const Node& d) { declare_enum(d); });
    each(K::d_define, [&](const Node& d) { declare_name(*d.children[0], {Meaning::define, no_id, 0, &d, {}}); });
    each(K::d_cards, [&](const Node& d) { declare_family(d); });
    number_pieces();
    each(K::d_zone, [&](const Node& d) { declare_zone(d); });
    number_places();
    each(K::d_fact, [&](const Node& d) { declare_fact(d); });
    declare_rules();
}

void DeclarationReader::declare_rules() {
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
    calls_.begin();
    for (const Node* d : merged_.declarations) {
        if (d->kind == Kind::d_rule) {
            const Meaning& m = globals_[d->children[0]->text];
            if (m.what != Meaning::rule) continue;  // the name was taken
            const RuleId id = m.id;
            if (has_zones(*d))
                declare_zone_rule(id, *d);
            else
                game_.rules[id].parameters = declare_parameters(child(*d, Kind::parameters), id);
        } else if (d->kind == Kind::d_end) {
            const Meaning& m = globals_[child(*d, Kind::name)->text];
            if (m.what != Meaning::end) continue;
            const EndId id = m.id;
            game_.ends[id].parameters = declare_parameters(child(*d, Kind::parameters), no_id);
        }
    }
    for (Fact& fact : game_.facts) {
        const auto named = field_names_.find("lasts " + written_name(fact.name));
        if (named == field_names_.end()) continue;
        const Node& n = *named->second;
        const auto m = globals_.find(n.text);
        if (m != globals_.end() && m->second.what == Meaning::rule && takes_zones(m->second.id))
            report(Code::wrong_use, n.span, n.text, Text::rule_with_zones).help = Text::stage_without_zones;
        else if (m != globals_.end() && m->second.what == Meaning::rule)
            fact.lasts = m->second.id;
        else if (m != globals_.end() && m->second.what == Meaning::match)
            fact.lasts = lasts_match;
        else if (Diagnostic& d = unknown_name(n, {"game"}); d.help.empty())
            d.help = Text::stages_are;
        used_.insert(n.text);
    }
}

}  // namespace houserule
