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

bool is_unseen_lot(Run& run, int seat) {
    const Node& node = run.node();
    if (node.kind != NodeKind::lot) return false;
    const ExpressionId seer = run.machine().code[node.step].y;
    return seer != no_id && run.scalar(seer) != seat;
}

std::optional<SeatQuestion> question_of(const Machine& machine, const Step& s, bool consented) {
    const bool may = s.op == Op::choose && (s.mode & choice_optional) != 0;
    const Operand name = told_name(machine, s);
    if (s.op == Op::choose) return SeatQuestion{may && !consented ? NodeKind::consent : NodeKind::choose, name};
    if (s.op == Op::ask) return SeatQuestion{NodeKind::ask, name};
    if (s.op == Op::window) return SeatQuestion{NodeKind::window, name};
    return std::nullopt;
}

std::optional<SeatQuestion> question_to(const Run& run, int seat) {
    const Node& node = run.node();
    if (node.kind == NodeKind::over) return SeatQuestion{};
    if (!asks(node, seat)) return std::nullopt;
    return question_of(run.machine(), run.machine().code[node.step], node.kind == NodeKind::choose);
}

std::optional<SeatQuestion> question_at_once_to(const std::shared_ptr<const Machine>& machine, const Run& run, int seat, bool ask_forced) {
    if (!run.node().joint || run.node().seat == seat) return question_to(run, seat);
    const auto ahead = make_run(machine);
    ahead->ask_forced(ask_forced);
    ahead->start();
    ahead->set_state(run.state());
    for (Node n = ahead->advance(); n.joint && n.moves > 0 && !n.settled; n = ahead->advance()) {
        if (const auto asked = question_to(*ahead, seat)) return asked;
        ahead->apply(0);
    }
    return std::nullopt;
}

bool ends_here(Run& run, int seat, const std::optional<SeatQuestion>& question, bool at_lots) {
    return question ? question_to(run, seat) == question : at_lots || !is_unseen_lot(run, seat);
}

std::string question_text(const Machine& machine, const SeatQuestion& q, const std::string& seat) {
    const auto form = std::ranges::find(forms, q.kind, &std::pair<NodeKind, std::string_view>::first);
    return form == forms.end() ? std::string(is_over) : seat + " " + std::string(form->second) + name_of(machine, q);
}

std::optional<SeatQuestion> read_question(const Machine& machine, const std::string& text, const std::string& seat) {
    if (text == is_over) return SeatQuestion{};
    for (const Step& s : machine.code) {
        for (const bool consented : {false, true}) {
            const auto q = question_of(machine, s, consented);
            if (q && question_text(machine, *q, seat) == text) return q;
        }
    }
    return std::nullopt;
}

}  // namespace houserule
