// The steps of a machine, each carried out the obvious way, up to a node where somebody outside must answer: see plain_run.hpp. What is
// answered there, and what moves stand for, is in plain_answers.cpp, cases that hold at once in plain_overlap.cpp, the rest in
// plain_steps.cpp.
#pragma once

#include "interpreter/plain/plain_events.hpp"
#include "interpreter/plain/plain_offer.hpp"
#include "interpreter/plain/plain_values.hpp"
#include "interpreter/run/run.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace houserule {

class PlainStepper {
public:
    explicit PlainStepper(const Machine& machine);
    PlainStepper(const PlainStepper&) = delete;
    PlainStepper& operator=(const PlainStepper&) = delete;

    void start();
    const Node& advance();  // to the next node; it stays there until it is answered
    const Node& node() const { return node_; }
    void apply(std::uint64_t move);

    Meant meaning(std::uint64_t move) const;
    std::uint64_t move_for(const std::vector<std::int32_t>& values) const;
    std::uint64_t outcome_weight(std::uint64_t move) const;

    PlainValues& values() { return values_; }
    const PlainValues& values() const { return values_; }
    PlainEvents& events() { return events_; }
    std::vector<KindId> kinds(const PieceList& pieces) const;
    std::vector<std::byte> state() const;
    void set_state(std::span<const std::byte> state);
    const std::vector<std::uint8_t>& reached() const { return reached_; }
    // Told of each step before it is carried out; not of those that are tried out on a copy.
    void watch(std::function<void(StepId)> watcher) { watcher_ = std::move(watcher); }
    void limit_forced(std::uint64_t times) { forced_limit_ = times; }
    void stop_on(const Stop* stop) { stop_ = stop; }
    const Stop* stop() const { return stop_; }
    std::uint64_t work() const { return work_ / rounds_a_node; }
    void ask_forced(bool ask) { ask_forced_ = ask; }
    std::uint64_t forced() const { return forced_; }

private:
    PlainTable& table() { return values_.now().table; }
    const PlainTable& table() const { return values_.now().table; }
    KindId kind(std::int32_t piece) const { return g_.piece_kind[piece]; }
    std::int32_t capacity(PlaceId place) const {
        return place == 0 ? std::numeric_limits<std::int32_t>::max() : g_.zones[m_.place_zone[place]].capacity;
    }
    std::int32_t number(VariableId variable) const { return values_.number(variable); }
    std::int32_t player(ExpressionId id) { return values_.scalar(id); }
    PlaceId place(ExpressionId id) { return values_.scalar(id); }
    bool failed() const { return values_.failed(); }
    void fail(FailureKind kind, PlaceId place = no_id, std::int32_t number = 0, FactId fact = no_id) {
        values_.fail({kind, {}, place, fact, number});
    }

    void step();
    void enter(const Rule& rule);
    void carry_out(const Step& s);
    void do_step(const Step& s);
    void wait(Node node);
    void break_off();
    void round(StepId to);
    void tell() {
        if (told_left_-- == 0) fail(FailureKind::goes_on_for_ever);
    }

    void set_fact(const Step& s);
    void claim(const Step& s);
    void put(const Step& s);
    void put_pieces(const PieceList& what, PlaceId to, std::uint8_t mode);
    std::vector<PieceList> in_order(const PieceList& what) const;
    std::map<PlaceId, PieceList> by_place(const PieceList& what) const;
    void shuffle(const Step& s);
    void check_room();
    void show(const Step& s);
    void next_player(const Step& s);
    void next_element(const Step& s);
    void add_element(const Step& s);
    void copy(VariableId to, VariableId from);
    VariableId slot(const Step& s) const { return VariableId(s.a) + number(VariableId(s.c)); }
    void promise(const Step& s);
    // What an arm leaves that was carried out on a copy, and where play goes on.
    struct Left {
        bool broke = false;
        StepId at = no_id;
        PlainGame game;
    };
    void agree(const Overlap& overlap);
    Left try_out(const Overlap::Way& way);
    void run_to(const Overlap::Way& way, bool& broke);
    bool come_to_the_same(const Left& a, const Left& b) const;
    std::vector<std::pair<PlaceId, KindId>> shown_cards(const PlainGame& game, VariableId variable) const;

    void choose(const Step& s);
    PlainOffer offer(const Step& s);
    PlainOffer one_of_cards(const PieceList& from) const;
    void draw(const Step& s);
    void report(const Step& s);
    void window(const Step& s);
    void answer(const Step& s, std::uint64_t move);
    void take_choice(const Step& s, std::uint64_t move);
    void take_draw(const Step& s, std::int32_t drawn);
    void take_report(const Step& s, std::int32_t told);
    std::int32_t shown(Value option) const;
    bool is_meant(Value option, std::int32_t value) const { return shown(option) == value || (of_cards_ && kind(option) == value); }
    PieceList copies_like(std::int32_t piece) const;
    std::vector<Value> taken_things(std::uint64_t move) const;
    void keep_fitting(const Step& s);
    std::int32_t seer_of(const Step& s);
    void name_things(const Step& s, const std::vector<Value>& things);

    const Machine& m_;
    const Game& g_;
    PlainValues values_;
    StepId pc_;
    bool agreed_ = false;  // a `may choose` that was accepted: what is chosen is still to be said

    Node node_;
    bool waiting_ = false;
    bool settled_ = false;
    // What is offered at the node.
    PlainOffer offer_;
    std::vector<Value> offered_;  // of things offered one by one or several at once: all of them, copies told apart
    bool of_cards_ = false;
    std::vector<std::uint64_t> weights_;

    PlainEvents events_;
    std::vector<std::uint8_t> reached_;
    bool ask_forced_ = false;
    std::uint64_t forced_ = 0;
    std::uint64_t forced_limit_ = forced_limit;
    std::uint64_t rounds_ = 0;      // since the last answer
    std::uint64_t told_left_ = 0;   // events that may still happen before the next answer
    std::uint64_t begun_left_ = 0;  // rules that begin and are still recorded before it
    std::uint64_t work_ = 0;
    const Stop* stop_ = nullptr;
    std::function<void(StepId)> watcher_;
};

}  // namespace houserule
