#include "solver/findings/finding.hpp"

#include "dsl/text/index_of.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace houserule {

namespace {

constexpr std::array<std::string_view, finding_classes> names{
#define HOUSERULE_FINDING_CLASS(name, text) text,
#include "dsl/game/finding_classes.def"
#undef HOUSERULE_FINDING_CLASS
};

}  // namespace

Finding::Finding() = default;
Finding::Finding(const Finding&) = default;
Finding::Finding(Finding&&) noexcept = default;
Finding& Finding::operator=(const Finding&) = default;
Finding& Finding::operator=(Finding&&) noexcept = default;
Finding::~Finding() = default;

Sentence::Sentence(const Phrase& words) : Sentence(each([&](Language language) { return words.in(language); })) {}

const std::string& Sentence::in(Language language) const { return of(language).empty() ? texts_[0] : of(language); }

Sentence::operator Phrase() const {
    return Phrase::each([&](Language language) { return in(language); });
}

std::string_view class_name(FindingClass c) { return names[index_of(c)]; }

std::optional<FindingClass> class_of(std::string_view name) {
    std::string written(name);
    std::ranges::replace(written, '_', '-');  // as all other names are written
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == written) return static_cast<FindingClass>(i);
    return std::nullopt;
}

std::string_view verdict_name(Verdict v) {
    switch (v) {
        case Verdict::found:
            return "found";
        case Verdict::proved_absent:
            return "proved absent";
        case Verdict::not_found:
            return "not found";
        case Verdict::unknown:
            return "unknown";
    }
    return "";
}

std::string_view method_name(FoundBy m) {
    switch (m) {
        case FoundBy::none:
            return "";
        case FoundBy::static_reading:
            return "static";
        case FoundBy::smt:
            return "smt";
        case FoundBy::exhaustive:
            return "exhaustive";
        case FoundBy::bounded:
            return "bounded";
        case FoundBy::simulated:
            return "simulated";
    }
    return "";
}

std::string_view remark_name(Remark r) {
    switch (r) {
        case Remark::none:
            return "";
        case Remark::silent:
            return "silent";
        case Remark::two_ways:
            return "says two things";
        case Remark::decided:
            return "decided by the file";
    }
    return "";
}

std::string_view gravity_name(Gravity g) {
    switch (g) {
        case Gravity::note:
            return "note";
        case Gravity::warning:
            return "warning";
        case Gravity::error:
            return "error";
    }
    return "";
}

}  // namespace houserule
