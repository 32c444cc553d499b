#include "interpreter/run/seat_question.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

constexpr std::array<std::pair<NodeKind, std::string_view>, 4> forms{
    {{NodeKind::choose, "chooses "}, {NodeKind::consent, "may choose "}, {NodeKind::window, "may act "}, {NodeKind::ask, "may "}}};
constexpr std::string_view is_over = "over";

const std::string& name_of(const Machine& machine, const SeatQuestion& q) {
    if (q.kind == NodeKind::window) return machine.game.acts[q.name].name;
    if (q.kind == NodeKind::ask) return machine.game.words[q.name];
    return machine.game.variables[q.name].name;
}

}  // namespace

std::optional<SeatQuestion> question_to(const Run& run, int seat) {
    const Node& node = run.node();
    if (node.kind == NodeKind::over) return SeatQuestion{};
    const bool is_window = node.kind == NodeKind::window;
    const bool asks = node.kind == NodeKind::choose || node.kind == NodeKind::consent || node.kind == NodeKind::ask;
    if (!(is_window ? (node.seats >> seat & 1) != 0 : asks && node.seat == seat)) return std::nullopt;
    return SeatQuestion{node.kind, told_name(run.machine(), run.machine().code[node.step])};
}

std::string question_text(const Machine& machine, const SeatQuestion& q, const std::string& seat) {
    const auto form = std::ranges::find(forms, q.kind, &std::pair<NodeKind, std::string_view>::first);
    return form == forms.end() ? std::string(is_over) : seat + " " + std::string(form->second) + name_of(machine, q);
}

std::optional<SeatQuestion> read_question(const Machine& machine, const std::string& text, const std::string& seat) {
    if (text == is_over) return SeatQuestion{};
    for (const Step& s : machine.code) {
        const bool is_choice = s.op == Op::choose;
        const bool asks = is_choice || s.op == Op::ask || s.op == Op::window;
        for (const auto& [kind, word] : forms) {
            const bool fits = is_choice ? kind == NodeKind::choose || kind == NodeKind::consent
                                        : kind == (s.op == Op::ask ? NodeKind::ask : NodeKind::window);
            if (!asks || !fits) continue;
            const SeatQuestion q{kind, told_name(machine, s)};
            if (question_text(machine, q, seat) == text) return q;
        }
    }
    return std::nullopt;
}

}  // namespace houserule
