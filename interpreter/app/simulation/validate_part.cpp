#include "interpreter/app/simulation/validate_part.hpp"

#include "dsl/text/hash.hpp"
#include "dsl/text/index_of.hpp"
#include "interpreter/app/simulation/byte_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_start = 200;  // of the first line that is looked at

// ---- a struct is described once, by its fields, for who writes it and for who reads it

template <class T>
Json written(const T& value);
template <class T>
void read(const Json& json, T& value);

struct Writer {
    static constexpr bool writes = true;
    Json json = Json::object();

    template <class T>
    Writer& operator()(const char* name, const T& value) {
        json[name] = written(value);
        return *this;
    }
};

struct Reader {
    static constexpr bool writes = false;
    const Json& json;

    template <class T>
    Reader& operator()(const char* name, T& value) {
        read(json.at(name), value);
        return *this;
    }
};

template <class A, class T>
using For = std::conditional_t<A::writes, const T, T>;

template <class A>
void describe(A& as, For<A, Sentence>& s) {
    for (const Language language : all_languages) as(code_of(language).c_str(), s.of(language));
}
template <class A>
void describe(A& as, For<A, OutcomeText>& o) {
    as("when", o.when)("then", o.then);
}
template <class A>
void describe(A& as, For<A, Span>& s) {
    as("begin", s.begin)("end", s.end)("source", s.source);
}
template <class A>
void describe(A& as, For<A, Frequency>& f) {
    as("games", f.games)("of", f.of);
}
template <class A>
void describe(A& as, For<A, Failure>& f) {
    as("kind", f.kind)("span", f.span)("place", f.place)("fact", f.fact)("number", f.number)("other", f.other);
}
template <class A>
void describe(A& as, For<A, Observation>& o) {
    as("kind", o.kind)("step", o.step)("first", o.first)("second", o.second)("failure", o.failure)("games", o.games)("moves", o.moves);
    as("decisions", o.decisions)("one", o.one)("other", o.other)("states", o.states);
}
template <class A>
void describe(A& as, For<A, TestedGames>& t) {
    as("games", t.games)("random", t.random)("over", t.over)("cut_off", t.cut_off)("out_of_work", t.out_of_work)("rounds", t.rounds);
    as("observations", t.observations)("far", t.far)("reached", t.reached)("ends", t.ends)("left", t.left)("held", t.held);
    as("asked", t.asked)("came", t.came)("stays", t.stays)("times", t.times)("uneven", t.uneven);
}
template <class A>
void describe(A& as, For<A, Parting>& p) {
    as("how", p.how)("moves", p.moves)("other", p.other)("decisions", p.decisions)("first_forced", p.first_forced);
    as("second_forced", p.second_forced)("first", p.first)("second", p.second)("spans", p.spans);
}
template <class A>
void describe(A& as, For<A, GameNumbers>& n) {
    as("games", n.games)("decisions", n.decisions)("spread", n.spread)("wins", n.wins)("ends", n.ends)("broken", n.broken);
}
template <class A>
void describe(A& as, For<A, Difference>& d) {
    as("verdict", d.verdict)("method", d.method)("bound", d.bound)("states", d.states)("work", d.work);
    as("walked_decisions", d.walked_decisions)("out_of_time", d.out_of_time)("out_of_work", d.out_of_work)("parting", d.parting);
    as("shortest", d.shortest)("first_allows_more", d.first_allows_more)("second_allows_more", d.second_allows_more);
    as("parts", d.parts)("winner_changes", d.winner_changes)("first", d.first)("second", d.second);
}
template <class A>
void describe(A& as, For<A, Obligation>& o) {
    as("promise", o.promise)("what", o.what)("span", o.span)("rule", o.rule)("proved", o.proved)("method", o.method)("title", o.title);
}
template <class A>
void describe(A& as, For<A, ProvedPromises>& p) {
    as("walked", p.walked)("cut", p.cut)("obligations", p.obligations);
}
template <class A>
void describe(A& as, For<A, TaskResults>& r) {
    as("games", r.games)("comparisons", r.comparisons)("proofs", r.proofs);
}

// ---- what fields are made of

// How many enumerators there are.
constexpr std::size_t count_of(ObservationKind) { return index_of(ObservationKind::early) + 1; }
constexpr std::size_t count_of(Parting::How) { return index_of(Parting::How::broken) + 1; }
constexpr std::size_t count_of(Verdict) { return index_of(Verdict::unknown) + 1; }
constexpr std::size_t count_of(FoundBy) { return index_of(FoundBy::simulated) + 1; }
constexpr std::size_t count_of(Promise) { return promise_kinds; }
constexpr std::size_t count_of(FindingClass) { return finding_classes; }
constexpr std::size_t count_of(Comparisons) { return index_of(Comparisons::leads) + 1; }
#define HOUSERULE_TEXT(name, words) +1
constexpr std::size_t count_of(FailureKind) {
    return 1  // none
#include "interpreter/run/failures.en.def"
        ;
}
#undef HOUSERULE_TEXT

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_pair = false;
template <class T, class U>
constexpr bool is_pair<std::pair<T, U>> = true;
template <class T>
concept PlainValue = std::is_arithmetic_v<T> || std::same_as<T, std::string>;
template <class T>
concept IdOfThing = requires(const T& id) {
    { id.value() } -> std::same_as<std::int32_t>;
    { id.index() } -> std::same_as<std::size_t>;
};
template <class T>
concept MapOfThings = requires {
    typename T::mapped_type;
};
template <class T>
concept ListOfThings = requires(T list) {
    list.push_back(typename T::value_type{});
};

template <class T>
Json written(const T& value) {
    if constexpr (PlainValue<T>) {
        return value;
    } else if constexpr (std::is_enum_v<T>) {
        return index_of(value);
    } else if constexpr (IdOfThing<T>) {
        return value.value();
    } else if constexpr (is_optional<T>) {
        return value ? written(*value) : Json();
    } else if constexpr (is_pair<T>) {
        return Json::array({written(value.first), written(value.second)});
    } else if constexpr (MapOfThings<T> || ListOfThings<T>) {
        Json all = Json::array();
        for (const auto& each : value) all.push_back(written(each));
        return all;
    } else {
        Writer to;
        describe(to, value);
        return std::move(to.json);
    }
}

// Throws what the library throws for what is missing or of another kind.
template <class T>
void read(const Json& json, T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        value = json.is_null() ? std::numeric_limits<T>::quiet_NaN() : json.get<T>();  // as it is written
    } else if constexpr (PlainValue<T>) {
        value = json.get<T>();
    } else if constexpr (std::is_enum_v<T>) {
        if (json.get<std::size_t>() >= count_of(value)) throw Json::out_of_range::create(401, "no such enumerator", &json);
        value = json.get<T>();
    } else if constexpr (IdOfThing<T>) {
        value = T(json.get<std::int32_t>());
    } else if constexpr (is_optional<T>) {
        if (!json.is_null()) read(json, value.emplace());
    } else if constexpr (is_pair<T>) {
        read(json.at(0), value.first);
        read(json.at(1), value.second);
    } else if constexpr (MapOfThings<T>) {
        for (const Json& each : json) {
            std::pair<typename T::key_type, typename T::mapped_type> entry;
            read(each, entry);
            value.insert(std::move(entry));
        }
    } else if constexpr (ListOfThings<T>) {
        for (const Json& each : json) {
            typename T::value_type thing{};
            read(each, thing);
            value.push_back(std::move(thing));
        }
    } else {
        Reader from{json};
        describe(from, value);
    }
}

Json head_of(const ValidatePart& part) {
    const AskedValidation& a = part.asked;
    Json json{{"schema", validate_part_schema}};
    write_rules(a, json);
    json.update({{"low", a.low},
                 {"high", a.high},
                 {"chosen", a.chosen},
                 {"games", a.games},
                 {"work", a.work},
                 {"seed", a.seed},
                 {"only", a.only},
                 {"others", a.others},
                 {"blind", a.blind},
                 {"parts", a.parts},
                 {"part", part.number}});
    return json;
}

}  // namespace

AskedValidation asked_of(const ValidateLimits& limits, const AskedRules& rules, std::uint64_t parts) {
    AskedValidation asked{rules,         limits.low,   limits.high, {limits.settings.begin(), limits.settings.end()},
                          limits.games,  limits.work,  limits.seed, {},
                          limits.others, limits.blind, parts};
    for (const FindingClass c : limits.only) asked.only.emplace(class_name(c));
    return asked;
}

ValidateLimits limits_of(const AskedValidation& asked) {
    ValidateLimits limits;
    limits.low = asked.low;
    limits.high = asked.high;
    limits.settings = {asked.chosen.begin(), asked.chosen.end()};
    limits.games = asked.games;
    limits.work = asked.work;
    limits.seed = asked.seed;
    for (const std::string& name : asked.only)
        if (const auto c = class_of(name)) limits.only.insert(*c);
    limits.others = asked.others;
    limits.blind = asked.blind;
    return limits;
}

std::string difference(const AskedValidation& a, const AskedValidation& b) {
    if (a.low != b.low || a.high != b.high) return "--players";
    if (const std::string rules = rules_difference(a, b); !rules.empty()) return rules;
    if (a.chosen != b.chosen) return "--set, --reading";
    if (a.games != b.games) return "--games";
    if (a.work != b.work) return "--work";
    if (a.seed != b.seed) return "--seed";
    if (a.only != b.only) return "--only";
    if (a.others != b.others) return "--chosen";
    if (a.blind != b.blind) return "--blind";
    return a.parts != b.parts ? "--part" : "";
}

std::string part_text(const ValidatePart& part) {
    const std::string results = written(part.results).dump(-1, ' ', false, Json::error_handler_t::replace);
    Json head = head_of(part);
    head["hash"] = fnv1a(results);
    return head.dump() + "\n" + results + "\n";
}

bool is_part_of_validation(const std::string& file) {
    auto reader = ByteReader::open(file);
    return reader && reader->line(longest_start).starts_with(fmt::format(R"({{"schema":"{}")", validate_part_schema));
}

std::optional<ValidatePart> read_validate_part(const std::string& text) try {
    const std::size_t line = text.find('\n');
    if (line == std::string::npos || text.back() != '\n' || line + 1 == text.size()) return std::nullopt;
    const Json head = Json::parse(text.substr(0, line));
    const std::string results = text.substr(line + 1, text.size() - line - 2);
    if (!head.is_object() || head.value("schema", "") != validate_part_schema || head.at("hash") != fnv1a(results)) return std::nullopt;
    ValidatePart part;
    AskedValidation& a = part.asked;
    read_rules(head, a);
    a.low = head.at("low");
    a.high = head.at("high");
    a.chosen = head.at("chosen").get<std::map<std::string, std::string>>();
    a.games = head.at("games");
    a.work = head.at("work");
    a.seed = head.at("seed");
    a.only = head.at("only").get<std::set<std::string>>();
    a.others = head.at("others");
    a.blind = head.at("blind");
    a.parts = head.at("parts");
    part.number = head.at("part");
    read(Json::parse(results), part.results);
    const bool exists = part.number != 0 && part.number <= a.parts;
    return exists ? std::optional(std::move(part)) : std::nullopt;
} catch (const Json::exception&) {
    return std::nullopt;
}

TaskResults joined(std::vector<ValidatePart> parts) {
    TaskResults all;
    for (ValidatePart& part : parts) {
        all.games.merge(part.results.games);
        all.comparisons.merge(part.results.comparisons);
        all.proofs.merge(part.results.proofs);
    }
    return all;
}

}  // namespace houserule::cli
