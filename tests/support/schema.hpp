// Whether JSON is of a schema in tests/schema/.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace houserule::testing {

using Json = nlohmann::ordered_json;

// The schema of that name, `tests/schema/NAME.schema.json`.
Json read_schema(const std::string& name);
// By the part of draft-07 that the schemas use; a keyword that is not known fails the test. What does not conform is in `where`, as a
// JSON pointer, innermost first.
bool conforms(const Json& value, const Json& rule, const Json& root, std::string* where = nullptr);

}  // namespace houserule::testing
