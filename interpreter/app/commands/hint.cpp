// `houserule hint`: what a seat can know, in the order in which it helps; in JSON all of it.
#include "interpreter/app/knowing/hint.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/hint_moves.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int reasons_percent = 88;  // of `--time`, until reasons are found; the rest is for moves

Json number(const std::optional<Integer>& n) { return n ? Json(n->str()) : Json(); }

Json json_of(const Hint& h, const HiddenThing& thing) {
    Json values = Json::array();
    for (const Possibility& p : thing.values) {
        Json v;
        v["value"] = possibility_name(h.game(), thing, p.value);
        v["label"] = possibility_words(h.game(), thing, p.value, h.g);
        v["possible"] = p.is_decided() ? Json(p.possible == Answer::yes) : Json();
        v["worlds"] = number(p.worlds);
        const bool is_exact = h.exact() || is_by_deals(h.args);
        const auto share = share_of(h.known, p, h.args);
        v["weight"] = is_exact && share ? Json(weight_of(h.known, p, h.args)->str()) : Json();
        v["share"] = !share ? Json() : is_exact ? Json(share->str()) : Json(static_cast<double>(*share));
        if (!is_exact && share) v["error"] = p.error;
        v["copies"] = Json::array();
        for (const Rational& w : h.exact() && !is_by_deals(h.args) ? p.weights : std::vector<Rational>{})
            v["copies"].push_back(h.known.weight == 0 ? Rational(0).str() : Rational(w / h.known.weight).str());
        values.push_back(std::move(v));
    }
    Json j;
    j["what"] = thing_name(h.game(), thing);
    j["label"] = thing_words(h.game(), thing, h.g);
    j["is"] = thing.is_fact ? "fact" : "place";
    j["cards"] = thing.is_fact ? Json() : Json(thing.size);
    j["values"] = std::move(values);
    return j;
}

Json certain_json(const Hint& h) {
    Json all = Json::array();
    for (const HiddenThing& thing : h.known.things)
        for (const Possibility& p : thing.values)
            if (surely(p) > 0)
                all.push_back(
                    {{"what", thing_name(h.game(), thing)}, {"value", possibility_name(h.game(), thing, p.value)}, {"copies", surely(p)}});
    return all;
}

Json excluded_json(const Hint& h) {
    Json all = Json::array();
    for (const Excluded& e : h.excluded) {
        Json j;
        j["what"] = thing_name(h.game(), *e.thing);
        j["values"] = Json::array();
        for (const std::int32_t v : e.values) j["values"].push_back(possibility_name(h.game(), *e.thing, v));
        j["all_copies_seen"] = e.all_seen;
        j["reasons"] = e.found ? Json(ground_json(h.seen, grounds(h.seen, h.deduction, e.reasons))) : Json();
        j["irreducible"] = e.found ? Json(e.irreducible) : Json();
        all.push_back(std::move(j));
    }
    return all;
}

std::string method_name(Method method) {
    switch (method) {
        case Method::exact:
            return "exact";
        case Method::sampled:
            return "sampled";
        case Method::possible_only:
            return "possible_only";
        case Method::unknown:
            return "unknown";
    }
    return "";
}

std::string json_of(const Hint& h) {
    Json j;
    j["schema"] = hint_schema;
    j["fits"] = h.seen.cut ? Json() : Json(true);
    if (h.seen.cut) j["until"] = h.seen.until_json();
    j["game"] = h.game().name;
    j["players"] = h.game().players;
    j["seat"] = fmt::format("P{}", h.seen.view.seat + 1);
    j["method"] = method_name(h.known.method);
    if (h.known.method == Method::sampled) j["samples"] = h.known.samples;
    j["measure"] = h.args.weight;
    j["assume"] = h.args.assume.empty() ? Json() : Json(h.args.assume);
    j["worlds"] = number(h.known.worlds);
    j["histories"] = h.exact() ? number(h.known.histories) : Json();
    const std::optional<Rational> weight = is_by_deals(h.args) ? h.known.deals : h.exact() ? std::optional(h.known.weight) : std::nullopt;
    j["weight"] = weight ? Json(weight->str()) : Json();
    j["certain"] = certain_json(h);
    j["unknowns"] = Json::array();
    for (const HiddenThing& thing : h.known.things) j["unknowns"].push_back(json_of(h, thing));
    j["excluded"] = excluded_json(h);
    j["moves"] = h.advice ? moves_json(h.seen, *h.advice) : Json::array();
    j["moves_from"] = h.advice ? moves_from_json(h.seen, *h.advice) : Json();
    j["limits"] = h.limits;
    return j.dump(2) + "\n";
}

}  // namespace

int run_hint(const HintArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    const auto asked = known_from(args, g, exit_code);
    if (!asked) return exit_code;
    const Hint hint = hint_of(asked->seen, asked->deduction(), args, asked->limits(g), asked->until(reasons_percent), asked->until(100), g);
    out(args.json ? json_of(hint) : text_of(hint, terminal_width()));
    if (interrupted()) return exit_interrupted;
    return hint.exact() && hint.has_shares() && !asked->seen.cut ? exit_fine : exit_undecided;
}

}  // namespace houserule::cli
