// What is said of one generated game, whichever tier looks at it.
#pragma once

#include "tests/random/generator/coverage.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace houserule::random_games {

enum class Verdict : std::uint8_t { fine, refused, wrong };

struct Judged {
    Verdict verdict = Verdict::fine;
    std::string what;    // the code of what `check` says, or which comparison failed: the same for the same fault
    std::string detail;  // for people
    Coverage coverage;
};

// Thrown to end a judgement: a comparison that failed, or a text that is refused.
struct Stop {
    Verdict verdict;
    std::string what;
    std::string detail;
};

// What `judge(coverage)` comes to.
template <class F>
Judged judged_by(F judge) {
    Judged result;
    try {
        judge(result.coverage);
    } catch (Stop& s) {
        result.verdict = s.verdict;
        result.what = std::move(s.what);
        result.detail = std::move(s.detail);
    }
    return result;
}

}  // namespace houserule::random_games
