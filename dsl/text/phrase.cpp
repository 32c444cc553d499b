#include "dsl/text/phrase.hpp"

#include "dsl/text/texts.hpp"

#include <functional>
#include <tuple>

namespace houserule {

std::strong_ordering operator<=>(const Phrase& a, const Phrase& b) {
    if (a.row_ != b.row_) return std::less<>()(a.row_, b.row_) ? std::strong_ordering::less : std::strong_ordering::greater;
    if (const auto same = a.same_ <=> b.same_; same != 0) return same;
    return a.parts_ <=> b.parts_;
}

std::string Phrase::in(Language language) const {
    if (row_ == nullptr) return parts_.empty() ? same_ : parts_[static_cast<std::size_t>(language)].same_;
    std::vector<std::string> arguments;
    arguments.reserve(parts_.size());
    for (const Phrase& part : parts_) arguments.push_back(part.in(language));
    return fill((*row_)[static_cast<std::size_t>(language)], arguments);
}

Phrase listed(const std::vector<Phrase>& parts, const TextRow<2>& pair) {
    Phrase all;
    for (const Phrase& part : parts) all = all.empty() ? part : pair(all, part);
    return all;
}

Phrase listed(const std::vector<Phrase>& parts) { return listed(parts, Text::a_then_b); }

Phrase listed(const std::vector<std::string>& names) { return listed(std::vector<Phrase>(names.begin(), names.end())); }

std::string fill(std::string_view pattern, const std::vector<std::string>& arguments) {
    std::string out;
    while (!pattern.empty()) {
        const bool place = pattern.size() > 2 && pattern[0] == '{' && pattern[1] >= '0' && pattern[1] <= '9' && pattern[2] == '}';
        const auto index = static_cast<std::size_t>(place ? pattern[1] - '0' : 0);
        const bool filled = place && index < arguments.size();
        const std::size_t taken = filled ? 3 : 1;
        out += filled ? std::string_view(arguments[index]) : pattern.substr(0, taken);
        pattern.remove_prefix(taken);
    }
    return out;
}

}  // namespace houserule
