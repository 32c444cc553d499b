#include "interpreter/compiled/steps.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/engine/state_bytes.hpp"

#include <algorithm>

namespace houserule {

StepText::StepText(const Machine& machine, const Known& known, CompiledText& text, const Storage& storage, ExpressionText& expressions)
    : m_(machine),
      g_(machine.game),
      known_(known),
      text_(text),
      storage_(storage),
      x_(expressions),
      quick_(quick_steps(machine)),
      single_copies_(!has_copies(machine.game)) {
    if (!storage.slots_follow()) unknown_ = step_name(Op::store);
}

void StepText::all() {
    for (const StepId pc : m_.code.ids()) {
        const Step& s = m_.code[pc];
        const ReadFrom reads = storage_.reads(pc);
        if (reads == reads_none) continue;  // nothing leads here
        if (s.op == Op::halt && reads != reads_present) unknown_ = "halt";
        pc_ = pc;
        x_.set(reads, fmt::format("{{ at = {}; goto handed; }}", pc.value()));
        text_.open(fmt::format("L{}:", pc.value()));
        if (is_marked(pc)) text_.line(fmt::format("reached[{}] = 1;", pc.value()));
        one(pc, s);
        text_.close();
    }
}

// Each costs: what a loop knows is lost where play may begin within it, and chance is most of what loops over. During simultaneous effects
// play depends on more than the state.
std::vector<StepId> StepText::entries() const {
    Store<StepId, bool> is_entry(m_.code.size(), false);
    is_entry[m_.start] = is_entry[first()] = true;
    for (const StepId pc : m_.code.ids()) {
        const Step& s = m_.code[pc];
        if (s.op != Op::choose && s.op != Op::ask && s.op != Op::window) continue;
        is_entry[pc] = is_entry[pc + 1] = true;
        const bool may_say_no = s.op == Op::ask || (s.op == Op::choose && (s.mode & choice_optional) != 0);
        if (may_say_no) is_entry[s.c] = true;
    }
    std::vector<StepId> all;
    for (const StepId pc : m_.code.ids())
        if (is_entry[pc] && storage_.reads(pc) == reads_present) all.push_back(pc);
    return all;
}

StepId StepText::first() const {
    return known_.first() != no_id && storage_.reads(known_.first()) == reads_present ? known_.first() : m_.start;
}

// What never_reached asks for.
bool StepText::is_marked(StepId pc) const {
    return m_.code[pc].op == Op::ended || (pc.value() > 0 && m_.code[pc - 1].op == Op::branch) ||
           std::find(m_.rule_entry.begin(), m_.rule_entry.end(), pc) != m_.rule_entry.end();
}

void StepText::round() { x_.fail_if("--left < 0"); }
void StepText::node() { text_.line(fmt::format("NODE({});", pc_.value())); }
std::string StepText::value(VariableId v, ExpressionId e) { return is_of_many(v) ? x_.mask(e) : x_.number(e); }

void StepText::one(StepId pc, const Step& s) {
    switch (s.op) {
        case Op::jump:
            // Whatever goes round jumps back or calls.
            if (StepId(s.c) <= pc) round();
            return go(s.c);
        case Op::call:
            round();
            set_variable(s.a, std::to_string(pc.value() + 1));
            return go(s.c);
        case Op::leave:
            return leave(s);
        case Op::branch:
            text_.line(fmt::format("if (!({})) goto L{};", x_.number(s.x), StepId(s.c).value()));
            return;
        case Op::next_player:
            return next_player(s);
        case Op::next_element:
            return next_element(s);
        case Op::choose:
            return choose(s);
        case Op::ask:
            return ask(s);
        case Op::draw:
            return draw(s);
        case Op::report:
            return report(s);
        case Op::window:
            return window(s);
        case Op::halt:
            text_.line(fmt::format("at = {}; goto over;", pc.value()));
            return;
        default:
            return plain(pc, s);
    }
}

// Steps that ask nobody and go on to the next one.
void StepText::plain(StepId pc, const Step& s) {
    switch (s.op) {
        case Op::nothing:
        case Op::enter:
        case Op::judged:
        case Op::joint_end:
            return;
        case Op::reset:
            for (const FactId f : m_.resets[s.a]) reset(f);
            return;
        case Op::gather:
            text_.line(fmt::format("piles.gather({}, {}, {});", mask_text(x_.all_pieces()), g_.piece_kind.size(), m_.layout.place.size()));
            return;
        case Op::assign:
            return set_variable(s.a, value(s.a, s.x));
        case Op::set_fact:
            return set_fact(s);
        case Op::put:
            return put(s);
        case Op::shuffle: {
            const std::string place = text_.number(x_.number(s.x));
            text_.line(fmt::format("piles.merge_part({0}, 0, piles.size({0}));", place));
            return;
        }
        case Op::says:
        case Op::show:
            tell();
            x_.promises(s.x);
            if (s.op == Op::show) x_.promises(s.y);
            return;
        case Op::add_element: {
            const std::string gained = text_.fresh("m");
            text_.line(fmt::format("M {} = {};", gained, storage_.variable(s.a)));
            text_.line(fmt::format("{}.add({});", gained, storage_.variable(s.b)));
            return set_variable(s.a, gained);
        }
        case Op::store:
            return store(s);
        case Op::load:
            return load(s);
        case Op::effects_begin:
            text_.line("KEEP_BEFORE r = b;");
            for (const std::string& line : storage_.kept_before()) text_.line(line);
            return;
        case Op::effects_end:
            text_.line("r = s;");
            return check_room();
        case Op::claim:
            return claim(s);
        case Op::ended:
            return tell();
        case Op::promise:
            return x_.fail_if(fmt::format("!({})", x_.number(s.x)));
        case Op::agree:
            return x_.fail_if("");
        default:
            unknown_ = step_name(m_.code[pc].op);
    }
}

// ---- facts

void StepText::reset(FactId f) {
    const Fact& fact = g_.facts[f];
    const bool many = houserule::is_of_many(fact.type);
    const std::uint32_t words = m_.layout.words;
    for (std::int32_t i = 0; i < fact.count; ++i) {
        const std::string index = fact.count == 1 ? "" : std::to_string(i);
        const std::uint32_t at = m_.layout.fact[f] + (many ? 8 * words : 4) * i;
        MaskWords set;
        for (std::uint32_t w = 0; many && w < words; ++w) set.push_back(read_bytes<std::uint64_t>(known_.initial().data(), at + 8 * w));
        const std::int32_t number = many ? 0 : read_bytes<std::int32_t>(known_.initial().data(), at);
        text_.line(storage_.put_fact(f, index, many ? mask_text(set) : number == unset_value ? "unset" : std::to_string(number)));
        if (m_.layout.given[f] != 0) text_.line(fmt::format("put(s, {}, 0);", m_.layout.given[f] + 4 * static_cast<std::uint32_t>(i)));
    }
}
void StepText::set_fact(const Step& s) {
    tell();
    const Fact& fact = g_.facts[s.a];
    const Type& type = fact.type;
    std::string index;
    if (s.y != no_id) {
        index = text_.number(x_.number(s.y));
        x_.fail_if(index + " < 0");
    }
    if (houserule::is_of_many(type)) {
        const std::string v = text_.mask(x_.mask(s.x));
        if (type.element == Base::number) x_.fail_if(fmt::format("!({} - {}).empty()", v, mask_text(x_.range(type, type.low, type.high))));
        text_.line(storage_.put_fact(s.a, index, v));
        if (m_.layout.given[s.a] != 0)
            text_.line(fmt::format("put(s, {} + 4 * ({}), 1);", m_.layout.given[s.a], index.empty() ? "0" : index));
        return;
    }
    const std::string v = text_.number(x_.number(s.x));
    const std::string none = type.or_none ? fmt::format("{} != {} && ", v, none_of(type)) : "";
    x_.fail_if(fmt::format("{0}({1} < {2} || {1} > {3})", none, v, type.low, type.high));
    text_.line(storage_.put_fact(s.a, index, v));
}

// ---- cards

// The zone of a place, if its expression says so.
const Zone* StepText::zone_of(ExpressionId place) const {
    const Expression& x = g_.expressions[place];
    return x.op == Operator::place ? &g_.zones[x.named()] : nullptr;
}
void StepText::fail_beyond(const std::string& place, const std::string& size) { x_.fail_if(fmt::format("{} > capacity[{}]", size, place)); }
void StepText::claim(const Step& s) {
    const std::string wanted = text_.mask(x_.mask(s.x));
    const std::string claimed = text_.fresh("m");
    const VariableId own_cards = VariableId(s.b) + 1;
    text_.line(fmt::format("M {} = pieces.claimed({}, {}, {}, [&](int place) {{ return piles.is_ordered(place); }});", claimed, wanted,
                           storage_.variable(s.b), x_.where()));
    x_.fail_if(fmt::format("{}.size() != {}.size()", claimed, wanted));
    const std::string own = text_.fresh("m");
    text_.line(fmt::format("M {} = {} | {};", own, storage_.variable(own_cards), claimed));
    set_variable(own_cards, own);
    if (is_of_many(s.a)) return set_variable(s.a, claimed);
    text_.open(fmt::format("if (!{}.empty())", claimed));
    set_variable(s.a, claimed + ".lowest()");
    text_.close();
}
void StepText::put(const Step& s) {
    tell();
    const std::string what = text_.mask(x_.mask(s.z != no_id ? s.z : s.x));
    const std::string to = text_.number(x_.number(s.y));
    const Zone* const zone = zone_of(s.y);
    const bool one = g_.expressions[s.x].op == Operator::cards_single;
    const char* const under = (s.mode & put_under) != 0 ? "true" : "false";
    text_.open(fmt::format("if (!{}.empty())", what));
    const bool laid = zone != nullptr && !has_order(*zone);
    const std::string apiece = one && laid
                                   ? fmt::format("const int piece = {0}.lowest(); piles.lift(piece); piles.lay(piece, {1});", what, to)
                               : one ? fmt::format("piles.move({}.lowest(), {}, {});", what, to, under)
                                     : fmt::format("piles.move_all({}, {}, {});", what, to, under);
    const std::string as_part = fmt::format("piles.move_as_part({}, {}, {});", what, to, under);
    const auto emptied = whole_places(s);
    if (emptied) {
        const std::uint32_t each = 8 * m_.layout.words;
        const std::string i = text_.fresh("i");
        text_.line(
            fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) put(s, {2} + {3} * {0}, M{{}});", i, emptied->second, emptied->first, each));
        text_.line(fmt::format("put(s, places.place[{0}], piles.at({0}) | {1});", to, what));
        text_.line(fmt::format("for (M rest = {}; !rest.empty();) piles.put_where(rest.pop(), {});", what, to));
    } else if ((s.mode & put_in_order) != 0)
        text_.line(fmt::format("piles.move_in_order({}, {}, {});", what, to, under));
    else if ((s.mode & put_shuffled) == 0 || (zone != nullptr && zone->shape != Shape::stack))
        text_.line(apiece);
    else if (zone != nullptr)
        text_.line(as_part);
    else
        text_.line(fmt::format("if (piles.is_stack({})) {} else {}", to, as_part, apiece));
    // During simultaneous effects, room is checked when all have moved.
    const ReadFrom reads = x_.reads();
    if (!has_room(zone) && reads != reads_before)
        fail_beyond(to, fmt::format("{}piles.size({})", reads == reads_either ? "r == s && " : "", to));
    text_.close();
}
// What is put are all cards of the places of a zone, none of which keeps an order, and where they go keeps none: where those places are in
// the state, and how many they are.
std::optional<std::pair<std::uint32_t, std::int32_t>> StepText::whole_places(const Step& s) const {
    const Expression& x = g_.expressions[s.x];
    const Zone* const to = zone_of(s.y);
    if (x_.reads() != reads_present || x.op != Operator::cards_of || to == nullptr) return std::nullopt;
    const Zone& from = g_.zones[x.named()];
    const auto row = x_.row_of_elements(x.a);
    if (&from == to || !row || row->first != 0 || row->second != from.places - 1) return std::nullopt;
    if (has_order(from) || has_order(*to)) return std::nullopt;
    return std::pair{m_.layout.place[from.first_place], from.places};
}
void StepText::check_room() {
    for (const Zone& zone : g_.zones) {
        if (std::cmp_greater_equal(zone.capacity, g_.piece_kind.size())) continue;
        for (PlaceId p = zone.first_place; p < zone.first_place + zone.places; ++p)
            x_.fail_if(fmt::format("piles.size({}) > {}", p, zone.capacity));
    }
}

// ---- variables found by a player

std::string StepText::slot(const Step& s) const {
    const VariableId first = s.a;
    const std::uint32_t each = is_of_many(first) ? 8 * m_.layout.words : 4;
    return fmt::format("{} + {} * {}", m_.layout.variable[first], each, storage_.variable(s.c));
}
void StepText::store(const Step& s) {
    text_.line(fmt::format("put(s, {}, {}({}));", slot(s), is_of_many(s.b) ? "M" : "int", storage_.variable(s.b)));
}
void StepText::load(const Step& s) { set_variable(s.b, fmt::format("{}(s, {})", is_of_many(s.b) ? "mask_at" : "number_at", slot(s))); }

// ---- loops

void StepText::next_player(const Step& s) {
    const PlayerLoop& loop = m_.loops[s.a];
    const std::string passed = text_.fresh("i");
    text_.open(fmt::format("for (int {0} = {1}; {0} < P; ++{0})", passed, storage_.variable(loop.counter)));
    const std::string p = text_.fresh("p");
    text_.line(fmt::format("int {} = {};", p,
                           loop.clockwise ? fmt::format("{} + {}", storage_.variable(loop.first), passed)
                                          : fmt::format("{} + P - {}", storage_.variable(loop.first), passed)));
    text_.line(fmt::format("if ({0} >= P) {0} -= P;", p));
    if (loop.set != no_id) text_.line(fmt::format("if (!{}.has({})) continue;", storage_.variable(loop.set), p));
    set_variable(loop.player, p);
    set_variable(loop.counter, passed + " + 1");
    go(pc_ + 1);
    text_.close();
    go(s.c);
}
void StepText::next_element(const Step& s) {
    const std::string rest = text_.fresh("m");
    text_.line(fmt::format("M {} = {};", rest, storage_.variable(s.a)));
    text_.line(fmt::format("if ({}.empty()) goto L{};", rest, StepId(s.c).value()));
    set_variable(s.b, fmt::format("{}.pop() + {}", rest, first_element(m_.layout, g_.variables[s.a].type)));
    set_variable(s.a, rest);
}
// A rule ends: on after the step that called it.
void StepText::leave(const Step& s) {
    text_.open(fmt::format("switch ({})", storage_.variable(s.a)));
    for (const StepId pc : m_.code.ids()) {
        const Step& call = m_.code[pc];
        if (call.op != Op::call || call.a != s.a || storage_.reads(pc) == reads_none) continue;
        text_.line(fmt::format("case {0}: goto L{0};", pc.value() + 1));
    }
    text_.close();
    x_.fail_if("");
}

}  // namespace houserule
