#include "tests/support/schema.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

namespace houserule::testing {

namespace {

bool has_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    return value.type_name() == type;
}

}  // namespace

Json read_schema(const std::string& name) {
    std::ifstream in(std::filesystem::path(HOUSERULE_ROOT) / "tests/schema" / (name + ".schema.json"));
    REQUIRE(in);
    return Json::parse(in);
}

bool conforms(const Json& value, const Json& rule, const Json& root, std::string* where) {
    const auto inside = [&](const Json& part, const Json& its, const std::string& name) {
        const bool good = conforms(part, its, root, where);
        if (!good && where != nullptr) *where = "/" + name + *where;
        return good;
    };
    const auto one = [&](const std::string& key, const Json& wanted) {
        if (key == "$ref") return conforms(value, root.at(Json::json_pointer(wanted.get<std::string>().substr(1))), root, where);
        if (key == "type") return has_type(value, wanted);
        if (key == "const") return value == wanted;
        if (key == "enum") return std::ranges::count(wanted, value) == 1;
        if (key == "minimum") return value >= wanted;
        if (key == "maximum") return value <= wanted;
        if (key == "pattern") return std::regex_search(value.get<std::string>(), std::regex(wanted.get<std::string>()));
        if (key == "anyOf") return std::ranges::any_of(wanted, [&](const Json& r) { return conforms(value, r, root); });
        if (key == "items") {
            for (std::size_t i = 0; i < value.size(); ++i)
                if (!inside(value[i], wanted, std::to_string(i))) return false;
            return true;
        }
        if (key == "required") return std::ranges::all_of(wanted, [&](const Json& name) { return value.contains(name); });
        if (key == "additionalProperties") {
            const auto items = value.items();
            if (!wanted.is_boolean())
                return std::all_of(items.begin(), items.end(), [&](const auto& item) {
                    return rule.contains("properties") && rule["properties"].contains(item.key())
                               ? true
                               : inside(item.value(), wanted, item.key());
                });
            return std::all_of(items.begin(), items.end(), [&](const auto& item) { return rule["properties"].contains(item.key()); });
        }
        if (key == "properties") {
            const auto items = wanted.items();
            return std::all_of(items.begin(), items.end(), [&](const auto& item) {
                return !value.contains(item.key()) || inside(value[item.key()], item.value(), item.key());
            });
        }
        INFO(key);
        CHECK((key == "$schema" || key == "title" || key == "description" || key == "definitions"));
        return true;
    };
    for (const auto& [key, wanted] : rule.items()) {
        if (one(key, wanted)) continue;
        if (where != nullptr && where->empty()) *where = " (" + key + ")";
        return false;
    }
    return true;
}

}  // namespace houserule::testing
