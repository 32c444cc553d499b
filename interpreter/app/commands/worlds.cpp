// `houserule worlds`: what may lie hidden from a seat, one world a line, or the contents of one place with their shares.
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/knowing/asked_for.hpp"
#include "interpreter/app/knowing/knowing.hpp"
#include "interpreter/app/knowing/why_words.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

// Before the first version the document was the bare list; before this one a world had no facts.
constexpr const char* worlds_schema = "houserule-worlds-2";

// Prints a list as it comes; of a JSON document the list is the value of `key`.
class Stream {
public:
    Stream(bool json, std::string key, const Seen& seen) : json_(json), key_(std::move(key)), seen_(seen) {}
    // On a screen no wider than that; else all of it on one line, for what reads lines.
    void line(const std::string& text) { out((width_ ? folded(text, *width_, 2) : text) + "\n"); }
    void element(const Json& j) {
        out((first_ ? begin() + "\n  " : std::string(",\n  ")) + j.dump());
        first_ = false;
    }
    // `complete`: there is nothing else to list.
    void close(bool complete) {
        if (json_) out((first_ ? begin() : std::string("\n")) + "], \"complete\": " + (complete ? "true" : "false") + "}\n");
    }

private:
    std::string begin() const {
        const std::string fits = seen_.cut ? "\"fits\": null, \"until\": " + seen_.until_json().dump() : "\"fits\": true";
        return fmt::format("{{\"schema\": \"{}\", {}, \"{}\": [", worlds_schema, fits, key_);
    }

    bool json_;
    std::string key_;
    const Seen& seen_;
    std::optional<std::size_t> width_ = known_width();
    bool first_ = true;
};

std::string contents_words(const Game& game, const std::vector<Value>& counts, const Globals& g) {
    return shown_cards(game, kinds_of(counts), g);
}

Json contents_json(const Game& game, const std::vector<Value>& counts) {
    Json names = Json::array();
    for (const KindId kind : kinds_of(counts)) names.push_back(kind_text(game, kind));
    return names;
}

// A world: its places, of a stack part by part, the lowest first, then its facts.
std::string world_words(const Game& game, const Deduction::World& world, const Globals& g) {
    std::string text;
    PlaceId before = no_id;
    for (const auto& [place, counts] : world.places) {
        if (place == before)
            text += " / ";
        else
            text += (text.empty() ? "" : say(g, Text::semicolon)) + place_words(game, place, g) + ": ";
        text += contents_words(game, counts, g);
        before = place;
    }
    for (const auto& [fact, value] : world.facts)
        text +=
            (text.empty() ? "" : say(g, Text::semicolon)) + thing_words(game, *fact, g) + ": " + possibility_words(game, *fact, value, g);
    return text;
}

Json world_json(const Game& game, const Deduction::World& world, const Globals& g) {
    Json places = Json::array();
    for (const auto& [place, counts] : world.places) {
        if (places.empty() || places.back()["what"] != place_name(game, place))
            places.push_back({{"what", place_name(game, place)}, {"label", place_words(game, place, g)}, {"parts", Json::array()}});
        places.back()["parts"].push_back(contents_json(game, counts));
    }
    Json facts = Json::array();
    for (const auto& [fact, value] : world.facts)
        facts.push_back({{"what", thing_name(game, *fact)},
                         {"value", possibility_name(game, *fact, value)},
                         {"label", possibility_words(game, *fact, value, g)}});
    return {{"places", std::move(places)}, {"facts", std::move(facts)}};
}

struct Listing {
    Seen& seen;
    Deduction& deduction;
    const Knowledge& known;
    const WorldsArgs& args;
    const Globals& g;
    Deadline until;
    Stream stream{args.json, args.of.empty() ? "worlds" : "contents", seen};
    bool all_decided = true;  // of what was asked for
    bool all_listed = true;   // and told

    const Game& game() const { return seen.game(); }
    int all_worlds();
    int grouped_worlds();
    int each_of(const std::vector<const HiddenThing*>& things);
    bool several(const HiddenThing& thing);
    void single(const HiddenThing& thing);
    void row(const HiddenThing& thing, const std::string& words, Json json, const std::optional<Rational>& share,
             const std::optional<Integer>& worlds, double error = 0);
    std::optional<std::vector<std::vector<Value>>> contents_of(PlaceId place, bool& all);
    std::vector<std::optional<Rational>> shares(PlaceId place, const std::vector<std::vector<Value>>& contents);
    std::vector<std::optional<Rational>> shares_by_deals(PlaceId place, const std::vector<std::vector<Value>>& contents);
};

// What was left out goes to stderr, so that the listing stays what it is.
void tell_more(std::size_t shown, const std::string& all, bool at_table, const Globals& g) {
    if (all.empty()) return err_folded(say(g, at_table ? Text::worlds_of_more_at_table : Text::worlds_of_more, shown));
    err_folded(say(g, at_table ? Text::worlds_at_table : Text::worlds_shown, shown, all));
}

int Listing::all_worlds() {
    std::size_t shown = 0;
    std::set<Deduction::World> told;  // worlds that differ in a fact that may be without a value look alike here
    bool cut = false;
    const bool listed = deduction.each_world([&](const Deduction::World& world) {
        if (!told.insert(world).second) return true;
        if (shown == args.limit || interrupted()) {
            cut = true;
            return false;
        }
        ++shown;
        if (args.json)
            stream.element(world_json(game(), world, g));
        else
            stream.line(world_words(game(), world, g));
        return true;
    });
    stream.close(listed && !cut);
    if (!listed) {
        std::string why = known.limits.empty() ? "" : text(known.limits.back(), g.language);
        err_folded(fmt::format("houserule: {}{}\n", say(g, Text::worlds_not_listed), why.empty() ? "" : ": " + why));
        return exit_undecided;
    }
    if (interrupted()) return exit_interrupted;
    if (cut)
        tell_more(shown, known.worlds ? about(*known.worlds) : "", args.at_table, g);
    else if (!args.json)
        err_folded(say(g, Text::count_of_worlds, shown));
    return exit_fine;
}

// Worlds that differ only in what the game does not ask for stand in one line, with their number.
int Listing::grouped_worlds() {
    std::set<PlaceId> asked;
    std::set<const HiddenThing*> facts;
    for (const HiddenThing* thing : things_asked_for(deduction)) {
        if (thing->is_fact)
            facts.insert(thing);
        else
            asked.insert(thing->place);
    }
    std::map<Deduction::World, std::set<Deduction::World>> groups;
    bool cut = false;
    const bool listed = deduction.each_world([&](const Deduction::World& world) {
        Deduction::World part;
        std::ranges::copy_if(world.places, std::back_inserter(part.places), [&](const auto& p) { return asked.contains(p.first); });
        std::ranges::copy_if(world.facts, std::back_inserter(part.facts), [&](const auto& f) { return facts.contains(f.first); });
        cut = interrupted() || (groups.size() == args.limit && !groups.contains(part));
        if (!cut) groups[std::move(part)].insert(world);
        return !cut;
    });
    std::vector<std::pair<std::size_t, const Deduction::World*>> rows;
    for (const auto& [part, worlds] : groups) rows.emplace_back(worlds.size(), &part);
    std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [count, part] : rows) stream.line(world_words(game(), *part, g) + (cut ? "" : say(g, Text::worlds_so_far, count)));
    if (!listed) {
        const std::string why = known.limits.empty() ? "" : text(known.limits.back(), g.language);
        err_folded(fmt::format("houserule: {}{}\n", say(g, Text::worlds_not_listed), why.empty() ? "" : ": " + why));
        return exit_undecided;
    }
    if (interrupted()) return exit_interrupted;
    if (cut) return tell_more(rows.size(), "", args.at_table, g), exit_fine;
    err_folded(say(g, args.at_table ? Text::groups_of_worlds_at_table : Text::groups_of_worlds, rows.size()));
    return exit_fine;
}

void Listing::row(const HiddenThing& thing, const std::string& words, Json json, const std::optional<Rational>& share,
                  const std::optional<Integer>& worlds, double error) {
    if (args.json) {
        Json j;
        j["what"] = thing_name(game(), thing);
        j["contents"] = std::move(json);
        j["label"] = words;
        const bool is_estimate = known.method == Method::sampled && !is_by_deals(args);
        j["share"] = !share ? Json() : is_estimate ? Json(static_cast<double>(*share)) : Json(share->str());
        if (is_estimate) j["error"] = error;
        j["worlds"] = worlds ? Json(worlds->str()) : Json();
        stream.element(j);
        return;
    }
    std::string text = fmt::format("{}: {}", thing_words(game(), thing, g), words);
    if (share)
        text +=
            "  " + (error == 0 ? percent(*share, g) : fmt::format("{:.1f} % ± {:.1f} %", 100 * static_cast<double>(*share), 100 * error));
    if (worlds) text += say(g, Text::worlds_so_far, about(*worlds));
    stream.line(text);
}

// A fact, or a place with one card: its values are the contents.
void Listing::single(const HiddenThing& thing) {
    std::vector<const Possibility*> rows;
    for (const Possibility& p : thing.values)
        if (p.possible == Answer::yes) rows.push_back(&p);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Possibility* a, const Possibility* b) { return weight_of(known, *a, args) > weight_of(known, *b, args); });
    for (std::size_t i = 0; i < std::min(rows.size(), args.limit); ++i)
        row(thing, possibility_words(game(), thing, rows[i]->value, g), Json::array({possibility_name(game(), thing, rows[i]->value)}),
            share_of(known, *rows[i], args), rows[i]->worlds, is_by_deals(args) ? 0 : rows[i]->error);
    if (rows.size() > args.limit) tell_more(args.limit, std::to_string(rows.size()), args.at_table, g);
    if (const std::string undecided = undecided_words(game(), thing, g); !undecided.empty()) {
        all_decided = false;
        err_folded(fmt::format("houserule: {}: {}\n", thing_words(game(), thing, g), undecided));
    }
}

// All that can lie together at a place; `all` becomes false when there is more. Nothing when the worlds cannot be listed.
std::optional<std::vector<std::vector<Value>>> Listing::contents_of(PlaceId place, bool& all) {
    std::set<std::vector<Value>> found;
    std::uint64_t looked = 0;
    all = true;
    const bool listed = deduction.each_world([&](const Deduction::World& world) {
        std::vector<Value> counts(game().kinds.size(), 0);
        for (const auto& [at, part] : world.places)
            for (std::size_t k = 0; at == place && k < part.size(); ++k) counts[k] += part[k];
        all = found.size() < args.limit || found.contains(counts);
        if (all) found.insert(std::move(counts));
        if (++looked % 1024 == 0 && until.over()) all = false;
        return all;
    });
    if (!listed) return std::nullopt;
    return std::vector(found.rbegin(), found.rend());
}

std::vector<std::optional<Rational>> Listing::shares_by_deals(PlaceId place, const std::vector<std::vector<Value>>& contents) {
    std::vector<TableQuestion> questions;
    for (const std::vector<Value>& counts : contents) {
        questions.push_back([place, kinds = kinds_of(counts)](const TableView& run) {
            std::vector<KindId> there = run.kinds_at(place);
            std::sort(there.begin(), there.end());
            return there == kinds;
        });
    }
    const Deals deals = deduction.deals(questions);
    std::vector<std::optional<Rational>> all(contents.size());
    for (std::size_t i = 0; !deals.limit.hit() && deals.all != 0 && i < all.size(); ++i) all[i] = deals.of[i] / deals.all;
    return all;
}

// The shares of exactly these contents: as claims in the words of the rules, of which the deduction knows the shares.
std::vector<std::optional<Rational>> Listing::shares(PlaceId place, const std::vector<std::vector<Value>>& contents) {
    if (is_by_deals(args)) return shares_by_deals(place, contents);
    Sources sources;
    std::vector<Syntax> claims;
    Diagnostics diagnostics;
    for (const std::vector<Value>& counts : contents) {
        std::vector<std::string> parts;
        for (std::size_t k = 0; k < counts.size(); ++k)
            if (counts[k] > 0)
                parts.push_back(
                    fmt::format("size of ({} where it is {}) is {}", place_name(game(), place), literal(game(), KindId(k)), counts[k]));
        sources.emplace_back("contents", fmt::format("{}", fmt::join(parts, " and ")));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) claims.push_back(parse_expression(sources, i, diagnostics));
    ClaimedGame claimed = check_claims(seen.text.rules.syntax, game().players, seen.text.settings, claims, diagnostics);
    std::vector<std::optional<Rational>> all(contents.size());
    if (has_errors(diagnostics)) return all;
    Deduction with_claims(compile(std::move(claimed.game)), seen.view.seat, limits_of(args));
    with_claims.finish_by(until);
    if (with_claims.see(seen.view.events, seen.told()) != Fit::fits) return all;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (claimed.claims[i].holds != no_id) all[i] = with_claims.share_of(claimed.claims[i].holds);
    return all;
}

bool Listing::several(const HiddenThing& thing) {
    bool all = true;
    const auto contents = contents_of(thing.place, all);
    if (!contents) return false;
    const auto share = shares(thing.place, *contents);
    std::vector<std::size_t> order(contents->size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return share[a].value_or(0) > share[b].value_or(0); });
    for (const std::size_t i : order)
        row(thing, contents_words(game(), (*contents)[i], g), contents_json(game(), (*contents)[i]), share[i], std::nullopt);
    all_listed = all_listed && all;
    if (!all) err_folded(say(g, Text::more_than_these, thing_words(game(), thing, g), contents->size()));
    return true;
}

int Listing::each_of(const std::vector<const HiddenThing*>& things) {
    int result = exit_fine;
    for (const HiddenThing* thing : things) {
        if (thing->is_fact || thing->size == 1) {
            single(*thing);
        } else if (!several(*thing)) {
            err_folded(fmt::format("houserule: {}: {}\n", thing_words(game(), *thing, g), say(g, Text::worlds_not_listed)));
            result = exit_undecided;
        }
    }
    if (!all_decided && result == exit_fine) result = exit_undecided;
    stream.close(result == exit_fine && all_listed && !interrupted());
    return interrupted() ? exit_interrupted : result;
}

// Whether `text` is what a place or fact is called, alone or with its owner, in any language, or who its owner is.
bool is_called(const Game& game, const HiddenThing& thing, const std::string& text) {
    const std::string& own = thing.is_fact ? game.facts[thing.fact].name : zone_of(game, thing.place)->name;
    const bool of_player = thing.is_fact && game.facts[thing.fact].by == IndexBy::player;
    const int owner = of_player ? thing.index : thing.is_fact ? -1 : owner_of(game, thing.place);
    if (owner >= 0 && seat_called(text, game.players) == owner) return true;
    if (nfc(text) == nfc(own) || nfc(text) == nfc(thing_name(game, thing))) return true;
    return std::ranges::any_of(all_languages, [&](Language language) {
        const Globals of_language{language, false};
        return nfc(text) == nfc(name_words(game, own, of_language)) || nfc(text) == nfc(thing_words(game, thing, of_language));
    });
}

std::vector<std::string> hidden_names(const Game& game, const Knowledge& known, const WorldsArgs& args, const Globals& g) {
    std::vector<std::string> names;
    for (const HiddenThing& thing : known.things) names.push_back(args.at_table ? thing_words(game, thing, g) : thing_name(game, thing));
    return names;
}

}  // namespace

int run_worlds(const WorldsArgs& args, const Globals& g) {
    int exit_code = exit_fine;
    auto asked = known_from(args, g, exit_code);
    if (!asked) return exit_code;
    Seen& seen = asked->seen;
    const Knowledge& known = asked->deduction().knowledge();
    if (seen.cut && !args.json) out_folded(seen.until_words(g, args.at_table) + "\n");
    if (is_by_deals(args) && !known.deals && !known.limits.empty())
        err_folded(fmt::format("houserule: {}\n", text(known.limits.back(), g.language)));
    if (seen.cut) err_folded(fmt::format("houserule: {}\n", seen.not_followed(g)));
    for (const std::string& limit : asked->deduced.limits) err_folded(fmt::format("houserule: {}\n", limit));
    Listing listing{seen, asked->deduction(), known, args, g, asked->until(100)};
    // What was listed is how things lay before what could not be followed: that is not all that was asked for.
    const auto ended = [&](int result) { return result == exit_fine && seen.cut ? exit_undecided : result; };
    if (args.of.empty()) return ended(args.json || args.each ? listing.all_worlds() : listing.grouped_worlds());
    std::vector<const HiddenThing*> things;
    for (const HiddenThing& thing : known.things)
        if (is_called(seen.game(), thing, args.of)) things.push_back(&thing);
    if (!things.empty()) {
        const int result = ended(listing.each_of(things));
        return result == exit_fine && is_by_deals(args) && !known.deals ? exit_undecided : result;
    }
    const auto names = hidden_names(seen.game(), known, args, g);
    err_folded(fmt::format("houserule: `{}`: {}: {}\n", args.of, say(g, Text::nothing_hidden_called_so, seat_words(seen.view.seat)),
                           fmt::join(names, ", ")));
    return exit_cannot;
}

}  // namespace houserule::cli
