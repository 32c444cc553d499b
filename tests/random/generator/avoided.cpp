#include "tests/random/generator/avoided.hpp"

namespace houserule::random_games {

Avoiding all_avoided() {
    return {{
#define HOUSERULE_AVOIDED(name, reason) Avoid::name,
#include "tests/random/generator/avoided.def"
#undef HOUSERULE_AVOIDED
    }};
}

const char* name_of(Avoid what) {
    switch (what) {
#define HOUSERULE_AVOIDED(name, reason) \
    case Avoid::name:                   \
        return #name;
#include "tests/random/generator/avoided.def"
#undef HOUSERULE_AVOIDED
    }
    return "";
}

}  // namespace houserule::random_games
