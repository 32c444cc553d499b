// Families of cards, their fields and kinds.
#include "dsl/check/checker.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

constexpr std::size_t combination_limit = 4096;  // of fields' values, of which a condition wants some
constexpr std::size_t piece_limit = 256;         // what four words of a bit mask hold; four times the largest deck in use

}  // namespace

void DeclarationReader::declare_field(const Node& d, Family& family) {
    Field field;
    field.name = d.children[0]->text;
    std::size_t at = 1;
    field.type = read_type(d, at, field.name);
    if (d.children[1]->kind == Kind::t_several || d.children[1]->kind == Kind::t_kind)
        report(Code::misplaced, d.children[1]->span, Text::several_is_of_parameters);
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

// What its fields say, a list for each.
std::vector<std::vector<std::int32_t>> DeclarationReader::values_of(const PieceKind& kind, const Family& family) const {
    std::vector<std::vector<std::int32_t>> all;
    for (std::size_t i = 0; i < kind.values.size(); ++i) {
        const bool several = family.fields[i].type.base == Base::set && std::cmp_less(kind.values[i], game_.sets.size());
        all.push_back(several ? game_.sets[kind.values[i]] : std::vector<std::int32_t>{kind.values[i]});
    }
    return all;
}

// Rows that give the same card give further copies of it.
void DeclarationReader::add_kind(PieceKind kind, Family& family) {
    if (kind.copies <= 0) return;
    kind.family = game_.families.last();
    if (kind.name.empty()) {
        const auto [same, added] = nameless_.try_emplace(values_of(kind, family), game_.kind_count());
        if (!added) {
            game_.kinds[same->second].copies += kind.copies;
            return;
        }
    }
    game_.kinds.push_back(std::move(kind));
    ++family.kind_count;
}

// Every combination of the fields' values, the last field running fastest.
void DeclarationReader::add_every_kind(const Node& row, Family& family) {
    const auto copies = constant_count(*row.children[0], verbatim("of"));
    if (!copies) return;
    const Node* condition = child(row, Kind::where);
    const std::size_t limit = condition != nullptr ? combination_limit : piece_limit;
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
    std::int64_t total = 1;
    for (const Field& f : family.fields) {
        if (f.type.base == Base::set || f.type.base == Base::nothing) {
            if (f.type.base == Base::set) report(Code::misplaced, row.span, Text::set_field_needs_rows);
            return;
        }
        ranges.emplace_back(f.type.low, f.type.high);
        total *= std::int64_t{f.type.high} - f.type.low + 1;
        if (std::cmp_greater(total, limit)) break;
    }
    if (std::cmp_greater(total, limit)) {
        report(Code::limit_passed, row.span, total, Text::kinds_of_card, limit);
        return;
    }
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
            scopes_.open();
            scopes_.set("it", {constant(kind_type(game_.kinds.back().family), game_.kind_count() - 1, row.span), no_id});
            const ExpressionId c = folded(truth(*condition->children[0]));
            scopes_.close();
            if (!is_broken(c)) {
                if (!value_of(c)) report(Code::not_constant, condition->span);
                wanted = value_of(c).value_or(1) != 0;
            }
            game_.families.back() = saved;
            game_.kinds.pop_back();
        }
        if (wanted) add_kind(std::move(kind), family);
        if (std::cmp_greater(game_.kinds.size(), combination_limit)) return;  // far more pieces than there may be, which is told
        for (std::size_t i = values.size(); i-- > 0;) {
            if (++values[i] <= ranges[i].second) break;
            values[i] = ranges[i].first;
        }
    }
}

void DeclarationReader::add_row(const Node& row, Family& family) {
    const auto copies = constant_count(*row.children[0], verbatim("of"));
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
        const bool is_new = declare_name(*n, {Meaning::kind, no_id, game_.kind_count(), n, {}});
        // `23 of tea: tea`
        const bool is_value = std::ranges::any_of(values, [&](const Node* value) { return value->text == kind.name; });
        if (!is_new && is_value) diagnostics_.back().help = Text::values_name_the_card(kind.name);
    }
    if (values.size() != family.fields.size()) {
        Diagnostic& d = report(Code::row_does_not_fit, row.span, values.size(), family.fields.size());
        if (family.fields.empty()) d.help = Text::fields_before_rows;
        // `8 of pearl, 2`
        const bool name_first = kind.name.empty() && values.size() == family.fields.size() + 1 && values[0]->kind == Kind::name;
        if (name_first && !family.fields.empty()) d.help = Text::colon_behind_the_name(values[0]->text);
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Field& f = family.fields[i];
        ExpressionId e = values[i]->kind == Kind::players ? number(*values[i]) : expression(*values[i]);
        e = folded(as_type(e, f.type, f.name));
        if (is_broken(e)) {
            kind.values.push_back(0);
            continue;
        }
        if (f.type.base == Base::set) {
            if (at(e).op != Operator::set_constant) report(Code::not_constant, values[i]->span);
            kind.values.push_back(at(e).op == Operator::set_constant ? at(e).set() : 0);
        } else {
            if (!value_of(e)) report(Code::not_constant, values[i]->span);
            kind.values.push_back(value_of(e).value_or(0));
        }
    }
    add_kind(std::move(kind), family);
}

void DeclarationReader::finish_fields(Family& family) {
    for (std::size_t i = 0; i < family.fields.size(); ++i) {
        Field& f = family.fields[i];
        std::vector<std::int32_t> table(game_.kinds.size(), unset_value);
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

void DeclarationReader::declare_family(const Node& d) {
    const Node& name = *d.children[0];
    Family family;
    family.name = name.text;
    family.span = d.span;
    family.first_kind = KindId(game_.kinds.size());
    const FamilyId id = game_.families.next();
    declare_name(name, {Meaning::family, id, 0, &name, {}});
    game_.families.push_back(family);
    nameless_.clear();
    bool rows = false;
    defining_.push_back(name.text);
    for (const Node* c : d.children) {
        if (c->kind == Kind::field) declare_field(*c, family);
        if (c->kind == Kind::each_row) add_every_kind(*c, family);
        if (c->kind == Kind::row) add_row(*c, family);
        rows = rows || c->kind == Kind::each_row || c->kind == Kind::row;
    }
    defining_.pop_back();
    if (!rows) report(Code::missing_declaration, d.span, verbatim("N of each")).help = Text::say_how_many;
    finish_fields(family);
    game_.families[id] = family;
    for (auto& [n, m] : globals_) {
        if (m.what != Meaning::kind || m.amount < family.first_kind || m.amount >= family.first_kind + family.kind_count) continue;
        m.id = Operand(m.amount);
        m.type = kind_type(id);
    }
}

void DeclarationReader::number_pieces() {
    bool told = false;  // that there are too many
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        PieceKind& kind = game_.kinds[k];
        kind.first_piece = game_.piece_kind.size();
        const std::size_t room = piece_limit - std::min(piece_limit, game_.piece_kind.size());
        if (std::cmp_greater(kind.copies, room)) {
            if (!std::exchange(told, true)) {
                std::int64_t all = 0;
                for (const PieceKind& any : game_.kinds) all += any.copies;
                report(Code::limit_passed, game_.families[kind.family].span, all, Text::pieces, piece_limit);
            }
            kind.copies = room;
        }
        game_.piece_kind.insert(game_.piece_kind.end(), static_cast<std::size_t>(kind.copies), KindId(k));
    }
    // Families that were read before a later one gave the kinds their full number.
    for (auto& table : game_.tables)
        if (table.size() < game_.kinds.size()) table.resize(game_.kinds.size(), unset_value);
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

}  // namespace houserule
